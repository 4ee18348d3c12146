//! The page by keyboard alone, on small screens, and in dark colours.

use crate::bench::browse;
use fantoccini::key::Key;
use serde_json::json;

#[test]
fn the_keyboard_reaches_everything() {
    browse(async |bench| {
        let page = bench.open("").await;
        let mut passed = Vec::new();
        while passed.last().map(String::as_str) != Some("run") {
            assert!(passed.len() < 80, "{passed:?}");
            page.press([Key::Tab]).await;
            passed.push(page.read::<String>("document.activeElement.id").await);
        }
        for id in ["share", "help-button", "tool-brush", "tab-search", "algorithm"] {
            assert!(passed.iter().any(|passed| passed == id), "{id} is not among {passed:?}");
        }
        let tabs = passed.iter().filter(|id| id.starts_with("tab-")).count();
        assert_eq!(tabs, 1, "one stop for all tabs; arrows go from one to the next");
        page.press([Key::Enter]).await;
        page.until("studio.found !== null").await;

        page.js("document.getElementById('tab-search').focus()").await;
        for panel in ["chart", "walk", "crowd", "mind", "race", "game", "lab", "world", "ground", "search"] {
            page.press([Key::Right]).await;
            let shown = "Array.from(document.querySelectorAll('.panel:not([hidden])'), ({ id }) => id)";
            assert_eq!(page.js(shown).await, json!([format!("panel-{panel}")]));
            assert_eq!(page.js("document.activeElement.id").await, format!("tab-{panel}"));
        }
        page.press([Key::Left]).await;
        assert!(page.find("#panel-ground").await.is_displayed().await.unwrap());
    });
}

#[test]
fn every_control_has_a_name() {
    browse(async |bench| {
        let page = bench.open("").await;
        let nameless = "Array.from(document.querySelectorAll('button, input, select, textarea, canvas[tabindex]')) \
            .filter((one) => !one.closest('[aria-hidden=true]') && !(one.type === 'file' && one.hidden)) \
            .filter((one) => ![one.ariaLabel, one.tagName === 'BUTTON' && one.textContent, one.title, \
              ...Array.from(one.labels ?? [], (label) => label.textContent)].some((name) => name && name.trim())) \
            .map((one) => one.outerHTML.slice(0, 160))";
        let algorithms: Vec<String> = page.read("studio.catalogue.algorithms.map(({ name }) => name)").await;
        for algorithm in algorithms {
            page.choose("#algorithm", &algorithm).await;
            assert_eq!(page.js(nameless).await, json!([]), "{algorithm}");
        }
        page.panel("world").await;
        page.click("#maker summary").await;
        let recipes: Vec<String> = page.read("studio.catalogue.recipes.map(({ name }) => name)").await;
        for recipe in recipes {
            page.choose("#recipe", &recipe).await;
            assert_eq!(page.js(nameless).await, json!([]), "{recipe}");
        }
        let twice = "(() => { const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id); \
                     return ids.filter((id, i) => ids.indexOf(id) !== i); })()";
        assert_eq!(page.js(twice).await, json!([]), "ids are given once");
    });
}

/// The elements that are wider than the room they have.
const WIDE: &str = "Array.from(document.querySelectorAll( \
      'body, header, main, #tools, #stage, #side, #player, .panel:not([hidden])')) \
    .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1) \
    .map((one) => `${one.id || one.tagName} ${one.scrollWidth} > ${one.clientWidth}`)";

/// The tools that overlap others, or have almost no width.
const OVERLAPS: &str = "(() => { \
    const tools = Array.from(document.querySelectorAll('#tools button, #tools input, header button, #player button')); \
    const boxes = tools.map((one) => one.getBoundingClientRect()); \
    return tools.filter((_, i) => boxes[i].width < 15 || boxes.some((box, j) => j < i && box.left < boxes[i].right - 1 \
      && boxes[i].left < box.right - 1 && box.top < boxes[i].bottom - 1 && boxes[i].top < box.bottom - 1)).map(({ id }) => id); })()";

#[test]
fn small_screens_have_room_for_it() {
    browse(async |bench| {
        let page = bench.open("").await;
        for (width, height) in [(1280, 720), (820, 1180), (1920, 1080)] {
            page.resize(width, height).await;
            for panel in ["world", "ground", "chart", "walk", "crowd", "mind", "race", "game", "lab", "search"] {
                page.panel(panel).await;
                assert_eq!(page.js(WIDE).await, json!([]), "{width} x {height}, {panel}");
            }
            assert_eq!(page.js(OVERLAPS).await, json!([]), "{width} x {height}");
            let seen = "(() => { const box = document.getElementById('run').getBoundingClientRect(); \
                return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.id; })()";
            assert_eq!(page.js(seen).await, "run", "{width} x {height}");
            let [across, down]: [f64; 2] = page
                .read("(({ width, height }) => [width, height])(studio.views[0].canvas.getBoundingClientRect())")
                .await;
            assert!(across > 400.0 && down > 400.0, "{width} x {height}: the world gets {across} x {down}");
            let whole = "studio.world.width * studio.camera.scale <= studio.views[0].across \
                && studio.world.height * studio.camera.scale <= studio.views[0].down \
                && document.getElementById('minimap').hidden";
            page.until(whole).await;
            page.search().await;
        }
    });
}

/// Whether the background of the page is bright, and a pixel of open ground.
const LOOK: &str = "(() => { const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number); \
    const { ground } = studio.scene; return [r + g + b > 380, ground.bitmap.pixels[ground.weights.indexOf(1)]]; })()";
const SWATCH: &str = "document.querySelector('#legend .swatch').style.background";

#[test]
fn light_and_dark_both_apply() {
    browse(async |bench| {
        let page = bench.open("").await;
        let (light, day): (bool, u32) = page.read(LOOK).await;
        assert!(light, "light is what a browser without wishes gets");
        let swatch = page.js(SWATCH).await;
        page.click("#theme").await;
        let (light, night): (bool, u32) = page.read(LOOK).await;
        assert!(!light && night != day, "page and world are dark");
        assert_ne!(page.js(SWATCH).await, swatch, "and the legend follows");
        page.client.refresh().await.unwrap();
        page.until("!!window.portolan?.studio.world").await;
        assert_eq!(page.read::<(bool, u32)>(LOOK).await, (false, night), "and stay so");
        page.click("#theme").await;
        assert_eq!(page.read::<(bool, u32)>(LOOK).await, (true, day));

        let other = bench.open("").await;
        let wish = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
        other.devtools("Emulation.setEmulatedMedia", wish).await;
        other.until(&format!("{LOOK}.join() === 'false,{night}'")).await;
        other.click("#theme").await;
        assert_eq!(other.read::<(bool, u32)>(LOOK).await, (true, day));
    });
}
