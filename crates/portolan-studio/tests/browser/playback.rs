//! A search played back: every moment can be shown, and looks alike whether it is reached forward or backward.

use crate::bench::browse;
use crate::page::Page;
use fantoccini::key::Key;
use portolan::Cell;

/// Returns a hash of what is shown at this moment: the states of the cells and their pixels.
async fn picture(page: &Page) -> u64 {
    let fold = "(({ trace }) => { let hash = 2166136261; \
                for (const list of [trace.state, trace.bitmap.pixels]) \
                  for (const one of list) hash = Math.imul(hash ^ one, 16777619) >>> 0; return hash; })(player)";
    page.read(fold).await
}

async fn number(page: &Page, name: &str) -> u64 {
    page.data("#moment", name).await.parse().unwrap()
}

#[test]
fn any_moment_looks_the_same_from_both_sides() {
    browse(async |bench| {
        let page = bench.open("#builtin=harbour&with=a-star").await;
        page.search().await;
        let events: u64 = page.read("player.trace.length").await;
        assert!(events > 100, "{events}");
        let mut seen = Vec::new();
        for at in [0, 1, events / 7, events / 3, events / 2, events - 1, events] {
            page.slide("#scrub", at).await;
            assert_eq!(number(&page, "at").await, at);
            let counted = format!(
                "Array.from(player.trace.events.subarray(0, {at})).filter((word) => [0, 8].includes(word >>> 28)).length"
            );
            assert_eq!(number(&page, "expanded").await, page.read::<u64>(&counted).await, "at {at}");
            seen.push((at, picture(&page).await));
        }
        let stats: u64 = page.data("#results", "expanded").await.parse().unwrap();
        assert_eq!(number(&page, "expanded").await, stats, "in the end everything is expanded");
        assert_ne!(seen[2].1, seen[3].1);
        for &(at, before) in seen.iter().rev() {
            page.slide("#scrub", at).await;
            assert_eq!(picture(&page).await, before, "at {at}, coming back");
        }
    });
}

#[test]
fn a_speed_that_was_chosen_stays() {
    browse(async |bench| {
        let page = bench.open("").await;
        page.click("#run").await;
        page.until("player.isPlaying && player.trace.at > 0").await;
        let own: f64 = page.read("Number(player.speed.value)").await;
        assert!(own > 5.0, "a speed that suits the search, not {own}");
        page.slide("#speed", 3).await;
        page.click("#run").await;
        page.until("player.isPlaying && player.trace.at < player.trace.length / 2").await;
        assert_eq!(page.js("player.speed.value").await, "3");
    });
}

#[test]
fn buttons_and_keys_go_from_expansion_to_expansion() {
    browse(async |bench| {
        let page = bench.open("#builtin=harbour&with=a-star").await;
        page.search().await;
        let events: u64 = page.read("player.trace.length").await;
        page.click("#tool-hand").await;
        page.press([Key::Home]).await;
        assert_eq!(number(&page, "at").await, 0);
        let empty = picture(&page).await;
        let mut ways = vec![(0, empty)];
        for expansion in 1..=4 {
            page.click("#step").await;
            assert_eq!(number(&page, "expanded").await, expansion);
            ways.push((number(&page, "at").await, picture(&page).await));
        }
        for (at, before) in ways.iter().rev().skip(1) {
            page.click("#back").await;
            assert_eq!((number(&page, "at").await, picture(&page).await), (*at, *before));
        }
        page.press(['.', '.', ',']).await;
        assert_eq!(number(&page, "expanded").await, 1);
        page.press([Key::End]).await;
        assert_eq!(number(&page, "at").await, events);
        page.press([Key::Home]).await;
        assert_eq!(picture(&page).await, empty);
        // The space key would press a button that has the focus: a click on the world takes the focus away.
        page.drag(&[Cell::new(0, 0)]).await;
        page.press([' ']).await;
        page.until("player.isPlaying || player.trace.at > 0").await;
    });
}
