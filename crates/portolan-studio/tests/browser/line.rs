//! The connection between page and server: it may break, and several pages may have one each.

use crate::bench::browse;
use crate::drawing::{count, weights};
use crate::page::Page;
use futures_util::future::join;

/// Draws blocked cells into the world, and ground of several weights up to the heaviest.
async fn edit(page: &Page) {
    let edits = "[10, 6, 9, 5, 0, 22, 8, 3, 3, 4, 30, 9, 4, 4, 9, 30, 14, 4, 4, 10, 36, 9, 4, 4, 255]";
    page.js(&format!("void (studio.newStroke(), studio.edit({edits}))")).await;
    page.until("studio.undo === 1").await;
}

async fn searches(page: &Page) {
    page.search().await;
    assert_eq!(page.data("#results", "outcome").await, "reached");
}

#[test]
fn a_broken_line_is_mended_and_the_drawing_is_still_there() {
    browse(async |bench| {
        let page = bench.open("#make=open+48x32+1").await;
        edit(&page).await;
        let drawn = weights(&page).await;
        let ends = page.js("[studio.scene.from, studio.scene.to]").await;
        // The connection is soon back, so a check now and then could miss the break: an observer notes every change.
        page.run(
            "window.lines = []; new MutationObserver(() => lines.push(document.body.dataset.line)) \
             .observe(document.body, { attributes: true, attributeFilter: ['data-line'] });",
        )
        .await;
        page.js("studio.link.drop()").await;
        page.until("window.lines.join() === 'lost,open'").await;
        page.until("document.getElementById('message').textContent.startsWith('The line is back')").await;
        assert!(weights(&page).await == drawn, "what was drawn is still there");
        assert_eq!(page.js("[studio.scene.from, studio.scene.to]").await, ends);
        searches(&page).await;
    });
}

#[test]
fn other_rules_leave_the_drawing_as_it_is() {
    browse(async |bench| {
        let page = bench.open("#make=open+48x32+1").await;
        edit(&page).await;
        let drawn = weights(&page).await;
        assert_eq!((count(&drawn, 10), count(&drawn, 255)), (16, 16));
        page.panel("world").await;
        page.choose("#directions", "4").await;
        page.until("studio.world.directions === 4").await;
        assert!(weights(&page).await == drawn, "what was drawn is still there");
    });
}

#[test]
fn an_edit_on_its_way_when_the_line_breaks_is_not_lost() {
    browse(async |bench| {
        let page = bench.open("#make=open+48x32+1").await;
        let before = weights(&page).await;
        page.js("void (studio.newStroke(), studio.edit([10, 6, 9, 5, 0]), studio.link.drop())").await;
        page.until("document.getElementById('message').textContent.startsWith('The line is back')").await;
        assert_eq!(count(&weights(&page).await, 0), 45 + count(&before, 0));
    });
}

#[test]
fn a_studio_that_is_started_again_gets_the_world_back() {
    browse(async |bench| {
        let page = bench.open("#make=open+48x32+1").await;
        page.expect("WebSocket connection to");
        edit(&page).await;
        let drawn = weights(&page).await;
        bench.stop_studio().await;
        page.until("document.body.dataset.line === 'lost'").await;
        assert!(page.text("#line").await.contains("broken"));
        bench.start_studio();
        page.until("document.body.dataset.line === 'open'").await;
        page.until("document.getElementById('message').textContent.startsWith('The line is back')").await;
        assert!(weights(&page).await == drawn, "what was drawn is still there");
        searches(&page).await;
    });
}

#[test]
fn pages_do_not_see_each_others_drawings() {
    browse(async |bench| {
        let (one, other) = join(bench.open("#make=open+48x32+1"), bench.open("#make=open+48x32+1")).await;
        let before = weights(&other).await;
        edit(&one).await;
        join(searches(&one), searches(&other)).await;
        assert!(weights(&one).await != before);
        assert!(weights(&other).await == before, "what one draws the other does not see");
        assert_eq!(other.js("studio.undo").await, 0);
    });
}
