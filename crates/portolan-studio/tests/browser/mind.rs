//! Minds in the page: they walk, time goes back and forth, walls are drawn in their way, and addresses send them off again.

use crate::bench::browse;
use portolan::Cell;
use serde_json::json;

/// The number of coloured cells of a mind's layer.
const SHADED: &str = "minds.shown.layers[0].pixels.filter((pixel) => pixel !== 0).length";

#[test]
fn minds_walk_and_time_goes_back_and_forth() {
    browse(async |bench| {
        let page = bench.open("#make=rooms+50x36+4").await;
        page.panel("mind").await;
        page.slide("[data-mind='0'] input[type=number][data-param=stretch]", 8).await;
        page.click("#mind-add").await;
        page.click("[data-mind='2'] summary").await;
        page.slide("[data-mind='2'] input[type=number][data-param=knowledge]", 100).await;
        page.slide("#mind-pace", 100).await;
        page.click("#mind").await;
        page.until("minds.isOn && minds.isDone && !minds.isRunning").await;
        assert_eq!(page.data("#mind-table table", "states").await, "arrived,arrived,arrived");
        assert_eq!(page.read::<usize>("studio.views.length").await, 3, "side by side");
        let text = page.text("#mind-table").await;
        assert!(text.contains("Ratio to A*") && text.contains("Memory"), "{text}");
        assert!(page.text("#panes .pane:first-child .caption").await.contains("C 8"), "its settings are its name");

        // What is shown is what was known at that tick.
        let last: (usize, usize) = page.read(&format!("[{SHADED}, minds.shown.tapes[0].known]")).await;
        assert!(last.0 > 10 && last.0 == last.1, "{last:?}");
        page.slide("#mind-scrub", 3).await;
        page.until("minds.now === 3").await;
        let early: (usize, usize) = page.read(&format!("[{SHADED}, minds.shown.tapes[0].known]")).await;
        assert!(early.0 <= 4 && early.0 == early.1, "{early:?}");
        page.click("#mind-step").await;
        page.until("minds.now === 4").await;
        page.click("#mind-back").await;
        page.until("minds.now === 3").await;
        assert_eq!(page.read::<(usize, usize)>(&format!("[{SHADED}, minds.shown.tapes[0].known]")).await, early);
        page.slide("#mind-scrub", 9999).await;
        assert_eq!(page.read::<(usize, usize)>(&format!("[{SHADED}, minds.shown.tapes[0].known]")).await, last);

        page.choose("#mind-layout", "together").await;
        page.until("studio.views.length === 1").await;
        page.choose("#mind-chosen", "2").await;
        let hash: String = page.read("location.hash").await;
        for word in ["mind=stretch%3D8", "knowledge%3D100", "mind.seed=1", "mind.view=together"] {
            assert!(hash.contains(word), "{hash}");
        }
        let walked = "minds.shown.tapes.map(({ walked }) => walked)";
        page.until("minds.shown.head.done").await;
        let walks = page.js(walked).await;
        let other = bench.open(&hash).await;
        other.until("minds.isOn").await;
        other.slide("#mind-pace", 100).await;
        other.until("minds.isDone").await;
        assert_eq!(other.js(walked).await, walks, "equal seeds give equal walks");
        assert_eq!(other.js("location.hash").await, hash.as_str());

        page.click("#mind-end").await;
        page.until("!minds.isOn && studio.scene.minds === null").await;
        page.finds("searches go on where minds ended").await;
    });
}

#[test]
fn walls_and_goals_change_under_walking_minds() {
    browse(async |bench| {
        let page = bench.open("#make=open+40x15+1&from=2,7&to=36,7").await;
        page.panel("mind").await;
        page.click("[data-mind='1'] summary").await;
        page.click("[data-leave-out='1']").await;
        for (name, value) in [("knowledge", 100), ("sight", 1)] {
            page.slide(&format!("[data-mind='0'] input[data-param={name}]"), value).await;
        }
        page.slide("#mind-pace", 10).await;
        page.click("#mind").await;
        page.until("minds.isOn && minds.now > 0").await;
        page.click("#mind").await;
        page.until("!minds.isRunning").await;
        let least: u64 = page.read("minds.shown.head.minds[0].least").await;
        page.click("#tool-line").await;
        page.drag(&[Cell::new(25, 0), Cell::new(25, 13)]).await;
        page.until(&format!("minds.shown.head.minds[0].least > {least}")).await;
        page.slide("#mind-pace", 100).await;
        page.click("#mind").await;
        page.until("minds.isDone").await;
        assert_eq!(page.data("#mind-table table", "states").await, "arrived");
        let longer =
            "minds.shown.head.minds[0].steps.reduce((sum, some) => sum + some) > minds.shown.head.minds[0].least";
        assert_eq!(page.js(longer).await, json!(true), "it learned of the wall when it saw it");

        let known: u64 = page.read("minds.shown.tapes[0].known").await;
        page.click("#tool-hand").await;
        page.drag(&[Cell::new(36, 7), Cell::new(20, 2)]).await;
        page.until("!minds.shown.head.done").await;
        page.click("#mind").await;
        page.until("minds.isDone").await;
        assert!(page.read::<u64>("minds.shown.tapes[0].known").await >= known);
        assert_eq!(page.cell("minds.shown.tapes[0].walked.slice(-2)").await, Cell::new(20, 2));
    });
}

#[test]
fn minds_walk_on_a_mesh() {
    browse(async |bench| {
        let page = bench.open("#city=3x2+4").await;
        page.panel("mind").await;
        page.slide("#mind-pace", 100).await;
        page.click("#mind").await;
        page.until("minds.isOn && minds.isDone").await;
        assert_eq!(page.data("#mind-table table", "states").await, "arrived,arrived");
        page.js("document.getElementById('tab-crowd').click()").await;
        page.click("#crowd").await;
        page.until("crowd.isOn && !minds.isOn").await;
    });
}
