//! Addresses: a page that opens one shows what was on the screen when it was copied.

use crate::bench::{Bench, browse};
use crate::page::Page;
use portolan::Cell;
use serde_json::Value;

/// Returns everything that an address is to carry.
async fn scene(page: &Page) -> Value {
    let fold = "(() => { let hash = 2166136261; \
                for (const one of studio.scene.ground.weights) hash = Math.imul(hash ^ one, 16777619) >>> 0; \
                const { world, scene, algorithm, settings } = studio; \
                return [world.ref, world.corners, scene.from, scene.to, algorithm, settings[algorithm] ?? {}, hash]; })()";
    page.js(fold).await
}

/// Opens the address of a page in another browser and compares the two pages.
async fn opens_elsewhere(bench: &Bench, page: &Page) {
    page.search().await;
    let hash: String = page.read("location.hash").await;
    let (shown, length) = (scene(page).await, page.data("#results", "length").await);
    let other = bench.open(&hash).await;
    let [from, to] = ["from", "to"].map(|end| format!("studio.scene.{end}.join()"));
    let ends: [String; 2] = page.read(&format!("[{from}, {to}]")).await;
    other.until(&format!("{from} === '{}' && {to} === '{}'", ends[0], ends[1])).await;
    assert_eq!(scene(&other).await, shown, "{hash}");
    assert_eq!(other.js("location.hash").await, hash.as_str(), "an address leads to itself");
    let chosen: String = other.read("document.getElementById('algorithm').value").await;
    assert_eq!(shown[4], chosen.as_str(), "the list shows what is chosen");
    other.search().await;
    assert_eq!(other.data("#results", "length").await, length, "{hash}");
}

#[test]
fn an_address_holds_world_ends_algorithm_and_settings() {
    browse(async |bench| {
        let page = bench.open("#builtin=island").await;
        page.choose("#algorithm", "hpa-star").await;
        page.choose("#params [data-param=smoothing]", "taut").await;
        let goal = page.cell("studio.scene.to").await;
        let free = "(() => { const { ground, to: [x, y] } = studio.scene; \
                    for (let r = 3; r < 9; r++) for (const [dx, dy] of [[-r, 0], [0, -r], [r, 0], [0, r]]) \
                      if (ground.has(x + dx, y + dy) && ground.weight(x + dx, y + dy) > 0) return [x + dx, y + dy]; })()";
        let other: Cell = page.cell(free).await;
        page.drag(&[goal, other]).await;
        page.until(&format!("studio.scene.to.join() === '{},{}'", other.x, other.y)).await;
        opens_elsewhere(bench, &page).await;
    });
}

#[test]
fn what_an_address_sets_is_what_the_controls_show() {
    browse(async |bench| {
        let page = bench.open("#builtin=keep&with=a-star&set.successors=all&set.landmarks=4&nearest=1").await;
        page.until("studio.entrant.settings.landmarks === '4'").await;
        let shown = "Array.from(document.querySelectorAll('#params [data-param]'), ({ dataset, value }) => [dataset.param, value])";
        let shown: Vec<(String, String)> = page.read(shown).await;
        for (name, value) in [("successors", "all"), ("landmarks", "4")] {
            assert!(shown.contains(&(name.to_owned(), value.to_owned())), "{name} is not {value} in {shown:?}");
        }
        assert!(page.find("#nearest").await.is_selected().await.unwrap());
    });
}

#[test]
fn an_address_holds_recipe_seed_and_rules() {
    browse(async |bench| {
        let page = bench.open("").await;
        page.panel("world").await;
        page.click("#maker summary").await;
        page.choose("#recipe", "caves").await;
        page.until("studio.world.ref.recipe === 'caves'").await;
        page.slide("#make-seed", 77).await;
        page.slide("#make-width", 90).await;
        page.click("#make").await;
        page.until("studio.world.ref.seed === 77 && studio.world.width === 90").await;
        page.choose("#corners", "loose").await;
        page.until("studio.world.corners === 'loose'").await;
        page.panel("search").await;
        opens_elsewhere(bench, &page).await;
    });
}
