//! How long frames, searches and edits take on large worlds, in milliseconds. The times are printed and never checked,
//! because machines differ.

use crate::bench::{browse_alone, maps, say};
use crate::page::Page;
use serde::de::DeserializeOwned;

/// Returns the median, and the time that 19 of 20 stay under.
fn spread(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 19 / 20])
}

/// Moves the view, and returns the times between frames and the times that the page took to draw them; the browser
/// paints later.
const PAN: &str = "
    const { studio } = window.portolan, [view] = studio.views, frames = [], drawn = [];
    studio.camera.zoom(2);
    const draw = view.draw.bind(view);
    view.draw = () => { const begun = performance.now(); draw(); drawn.push(performance.now() - begun); };
    return new Promise((done) => {
      const frame = (now) => {
        frames.push(now);
        studio.camera.pan(frames.length % 60 < 30 ? 4 : -4, 2 - (frames.length % 3));
        if (frames.length <= 120) return requestAnimationFrame(frame);
        delete view.draw;
        studio.fit();
        done([frames.slice(1).map((now, i) => now - frames[i]), drawn]);
      };
      requestAnimationFrame(frame);
    });";

/// Measures many times how long it takes from a question to the frame that shows its trace. The first search finds its
/// memory cold, so its time must not be mixed with the others. The server times a long search once, and a short one as
/// the best of a few runs.
const ASK: &str = "
    const { studio } = window.portolan, [view] = studio.views, shown = [], searched = [];
    for (let i = 0; i < 12; i++) {
      const begun = performance.now();
      await studio.ask();
      await new Promise(requestAnimationFrame);
      view.draw();
      shown.push(performance.now() - begun);
      searched.push(studio.found.find_us / 1000);
    }
    return [shown, searched, [studio.found.stats.expanded, view.trace.length]];";

/// Blocks a cell in the middle of the route and clears it, many times, and measures how long it takes to the answer and
/// to the frame after it.
const EDIT: &str = "
    const { studio } = window.portolan, [view] = studio.views, answered = [], shown = [];
    const edited = () => new Promise((done) => { const before = studio.latestEdit; \
      const look = () => (studio.latestEdit !== before ? done() : setTimeout(look)); look(); });
    for (let i = 0; i < 12; i++) {
      const middle = (view.route.length >> 2) * 2, [x, y] = [view.route[middle], view.route[middle + 1]];
      for (const weight of [0, 1]) {
        const begun = performance.now();
        studio.newStroke();
        studio.edit([x, y, 1, 1, weight]);
        await edited();
        answered.push(studio.latestEdit.roundTrip);
        await new Promise(requestAnimationFrame);
        view.draw();
        shown.push(performance.now() - begun);
      }
    }
    return [answered, shown];";

async fn measure<T: DeserializeOwned>(page: &Page, script: &str) -> T {
    let value = page.run(&format!("return (async () => {{ {script} }})();")).await;
    serde_json::from_value(value).unwrap()
}

async fn asked(page: &Page, what: &str) {
    let [shown, searched, size]: [Vec<f64>; 3] = measure(page, ASK).await;
    say(format_args!("{what}: {} expanded, {} events", size[0], size[1]));
    say(format_args!("first asked: searched in {:.1} ms, shown after {:.0} ms", searched[0], shown[0]));
    let [(shown, slow), (searched, _)] = [&shown, &searched].map(|times| spread(times[1..].to_vec()));
    say(format_args!("asked again: searched in {searched:.1} ms, shown after {shown:.0} ms (95 %: {slow:.0})"));
}

#[test]
fn large_worlds_in_milliseconds() {
    let Some(map) = maps().map(|folder| folder.join("sc/AcrosstheCape.map")) else { return };
    if !map.is_file() {
        return say(format_args!("skipped: there is no {}", map.display()));
    }
    browse_alone(async |bench| {
        let page = bench.open("").await;
        page.give("#file", &map).await;
        page.until("studio.world.name === 'AcrosstheCape.map'").await;
        let size: String = page.read("`${studio.world.width} x ${studio.world.height}`").await;
        page.choose("#algorithm", "dijkstra").await;
        asked(&page, &format!("AcrosstheCape, {size}: Dijkstra")).await;
        let [frame, draw] = measure::<[Vec<f64>; 2]>(&page, PAN).await.map(spread);
        say(format_args!(
            "panning: a frame every {:.1} ms (95 %: {:.1}), drawn in {:.2} ms (95 %: {:.2})",
            frame.0, frame.1, draw.0, draw.1
        ));
        for algorithm in ["hpa-star", "rhumb"] {
            page.choose("#algorithm", algorithm).await;
            page.until(&format!("studio.found?.algorithm === '{algorithm}'")).await;
            let [answered, shown] = measure::<[Vec<f64>; 2]>(&page, EDIT).await.map(spread);
            say(format_args!(
                "{algorithm}: an edited cell is answered in {:.1} ms (95 %: {:.1}), shown after {:.1} ms (95 %: {:.1})",
                answered.0, answered.1, shown.0, shown.1
            ));
        }
    });
}

#[test]
fn a_long_trace_in_milliseconds() {
    browse_alone(async |bench| {
        let page = bench.open("#make=caves+1024x1024+1&with=a-star").await;
        page.until("studio.world.width === 1024").await;
        asked(&page, "caves, 1024 x 1024: A*").await;
    });
}
