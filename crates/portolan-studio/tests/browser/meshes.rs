//! A navigation mesh on the page: a city is made, searched, edited by the pointer and walked in by a crowd.

use crate::bench::{Bench, browse};
use crate::page::Page;
use fantoccini::key::Key;

const CITY: &str = "#city=3x2+1&with=hna-star";

/// Returns the colour of the canvas at a place of the world, as red, green and blue.
async fn colour(page: &Page, place: &str) -> [u8; 3] {
    page.read(&format!(
        "(() => {{ const [view] = studio.views, {{ camera }} = studio, ratio = devicePixelRatio || 1; \
         const at = (place, middle, size) => Math.round(size / 2 + (place - middle) * camera.scale * ratio); \
         view.draw(); const [x, y] = {place}; \
         const {{ width, height }} = view.canvas; \
         return Array.from(view.context.getImageData(at(x, camera.x, width), at(y, camera.y, height), 1, 1).data).slice(0, 3); }})()"
    ))
    .await
}

/// Returns how far two colours are from each other.
fn apart(a: [u8; 3], b: [u8; 3]) -> i32 {
    a.iter().zip(b).map(|(&a, b)| (i32::from(a) - i32::from(b)).abs()).sum()
}

#[test]
fn a_city_is_searched_edited_and_walked_in() {
    browse(async |bench: &Bench| {
        let page = bench.open(CITY).await;
        page.until("studio.world.mesh !== undefined && studio.algorithm === 'hna-star'").await;
        assert!(!page.find("#tab-race").await.is_enabled().await.unwrap(), "races are for cells");
        page.search().await;
        page.until("document.getElementById('results').dataset.algorithm === 'hna-star'").await;
        let [points, crossed]: [usize; 2] =
            page.read("[studio.views[0].route.length / 3, studio.views[0].corridor.length]").await;
        assert!(points >= 2 && crossed > points, "{points} points over {crossed} polygons");

        // The route is painted where it leads: in the middle of its longest line.
        page.click("#show-states").await;
        let middle = "(() => { const { grid } = studio.scene.ground, { route } = studio.views[0]; \
                      const lines = Array.from({ length: route.length / 3 - 1 }, (_, i) => [grid.point(route, i), grid.point(route, i + 1)]); \
                      const length = ([[ax, ay], [bx, by]]) => Math.hypot(bx - ax, by - ay); \
                      const [[ax, ay], [bx, by]] = lines.sort((one, other) => length(other) - length(one))[0]; \
                      return [(ax + bx) / 2, (ay + by) / 2]; })()";
        let painted = colour(&page, middle).await;
        page.click("#show-route").await;
        let bare = colour(&page, middle).await;
        assert!(apart(painted, bare) > 150, "{painted:?} is the route and {bare:?} is not");
        page.click("#show-route").await;

        // The levels of nodes, by the slider.
        page.panel("chart").await;
        page.click("#show-chart").await;
        page.until("studio.chart.layers.length > 0 && studio.chart.underlays.length === 1").await;
        page.slide("#level", 0).await;
        page.until("studio.chart.level === 0 && studio.chart.underlays.length === 0").await;

        // What is clicked is blocked, and the route goes around it.
        page.click("#tool-brush").await;
        page.click("#weight-0").await;
        let polygon: u32 = page.read("studio.views[0].corridor[studio.views[0].corridor.length >> 1]").await;
        page.drag(&[portolan::Cell::new((polygon % 256) as u16, (polygon / 256) as u16)]).await;
        page.until("studio.undo === 1 && studio.scene.ground.weights.indexOf(0) >= 0").await;
        let blocked: u32 = page.read("studio.scene.ground.weights.indexOf(0)").await;
        assert_eq!(blocked, polygon, "the polygon under the pointer");
        page.until(&format!("!Array.from(studio.views[0].corridor).includes({polygon})")).await;
        page.press_with(Key::Control, 'z').await;
        page.until(&format!("Array.from(studio.views[0].corridor).includes({polygon})")).await;

        // A crowd moves.
        page.panel("crowd").await;
        page.slide("#crowd-agents", 30).await;
        page.click("#crowd").await;
        page.until("crowd.isRunning && crowd.head.tick > 0").await;
        let sum = "studio.scene.crowd.places.reduce((sum, at) => sum + at, 0)";
        let (agents, before): (usize, f64) =
            (page.read("studio.scene.crowd.states.length").await, page.read(sum).await);
        page.until(&format!("crowd.head.tick > 60 && Math.abs({sum} - {before}) > 1")).await;
        assert_eq!(agents, 30);
        page.click("#crowd").await;
        page.until("!crowd.isRunning").await;
        let dot = colour(&page, "studio.scene.ground.grid.body(...studio.scene.crowd.places)").await;
        let walking = page.text("#crowd-state").await;
        assert!(walking.contains("on its way"), "{walking}");
        page.click("#crowd-end").await;
        page.until("!crowd.isOn && studio.scene.crowd === null").await;
        assert!(apart(dot, bare) > 60, "{dot:?} is an agent");

        // A crowd of whole numbers moves too, and is drawn where its agents are.
        page.click("#crowd-whole").await;
        page.slide("#crowd-agents", 3200).await;
        page.click("#crowd").await;
        page.until("crowd.isRunning && crowd.head.tick > 60 && crowd.head.device !== null").await;
        assert_eq!(page.read::<usize>("studio.scene.crowd.states.length").await, 3200);
        page.click("#crowd").await;
        page.until("!crowd.isRunning").await;
        let dot = colour(&page, "studio.scene.ground.grid.body(...studio.scene.crowd.places)").await;
        assert!(apart(dot, bare) > 60, "{dot:?} is an agent among many");
        let told = page.text("#crowd-state").await;
        assert!(told.contains("Computed on"), "{told}");
        page.click("#crowd-end").await;
        page.until("!crowd.isOn && studio.scene.crowd === null").await;
    });
}

#[test]
fn an_address_holds_a_city_and_points_in_it() {
    browse(async |bench: &Bench| {
        let page = bench.open("#city=2x2+4&with=polyanya&agent.radius=0.9").await;
        page.until("studio.world.mesh !== undefined && studio.algorithm === 'polyanya'").await;
        // A point inside the polygon of the goal that is not its middle.
        page.js("void studio.move('to', studio.scene.ground.grid.spot(studio.scene.ground.grid.middle(5, 0)))").await;
        page.search().await;
        let hash: String = page.read("location.hash").await;
        assert!(hash.contains("city=2x2+4") && hash.contains("agent.radius=0.9") && hash.contains("to=5,"), "{hash}");
        let length = page.data("#results", "length").await;
        let other = bench.open(&hash).await;
        other.until("studio.world.mesh !== undefined && studio.scene.to[0] === 5").await;
        other.search().await;
        let [ours, theirs] = [length, other.data("#results", "length").await].map(|text| text.parse::<f64>().unwrap());
        assert!((ours - theirs).abs() < 0.01, "{ours} is not {theirs}");
        assert_eq!(other.js("location.hash").await, hash.as_str(), "an address leads to itself");
    });
}

#[test]
fn a_file_that_is_no_mesh_is_told_on_the_page() {
    browse(async |bench: &Bench| {
        let page = bench.open("").await;
        let wall = bench.file("wall.obj", "v 0 0 0\nv 9 0 0\nv 9 9 0\nf 1 2 3\n");
        page.give("#file", &wall).await;
        page.until("document.getElementById('message').textContent.includes('no ground')").await;
        let bent = "mesh\n2\n4 1\n0 0 1 0\n4 0 1 0\n1 1 1 0\n0 4 1 0\n4 0 1 2 3 -1 -1 -1 -1\n";
        page.give("#file", &bench.file("bent.mesh", bent)).await;
        page.until("document.getElementById('message').textContent.includes('polygon 0')").await;
        page.finds("the world of before is still open").await;
    });
}
