//! The first minute: the page opens with a world, and one click shows a search.

use crate::bench::{browse_alone, say};

#[test]
fn one_click_shows_a_search() {
    browse_alone(async |bench| {
        let page = bench.open("").await;
        assert_eq!(page.text("#world-about strong").await, "", "the world's panel is hidden at first");
        assert_eq!(page.js("studio.world.name").await, "harbour");
        page.click("#run").await;
        page.until("player.isPlaying || player.trace?.at > 0").await;
        let early: u64 = page.read("player.trace.at").await;
        page.until(&format!("player.trace.at > {early} || player.trace.at === player.trace.length")).await;
        page.until("!player.isPlaying && player.trace.at === player.trace.length").await;
        assert_eq!(page.data("#results", "outcome").await, "reached");
        let ends: [[u16; 2]; 2] =
            page.read("(({ route }) => [[route[0], route[1]], [route.at(-2), route.at(-1)]])(studio.views[0])").await;
        let asked: [[u16; 2]; 2] = page.read("[studio.scene.from, studio.scene.to]").await;
        assert_eq!(ends, asked, "the route goes all the way");
        let paints: Vec<(String, f64)> =
            page.read("performance.getEntriesByType('paint').map(({ name, startTime }) => [name, startTime])").await;
        assert!(!paints.is_empty());
        for (name, ms) in paints {
            say(format_args!("{name} after {ms:.0} ms"));
        }
    });
}
