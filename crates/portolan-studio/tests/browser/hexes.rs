//! A world of hexes on the page: it is drawn as hexagons, and what is clicked is the hexagon under the pointer.

use crate::bench::{Bench, browse};
use crate::page::Page;
use portolan::{Area, Cell, Edit, HexCell, HexGrid, Planner, Query, Scratch, Terrain, World};
use portolan_formats::hex;

/// Open ground of hexes, 24 by 18, to be crossed from left to right.
const MEADOW: &str = "#make=open+24x18+1&grid=hex&from=2,8&to=21,8";

fn meadow() -> World<HexGrid> {
    World::from(HexGrid::open(24, 18, None).unwrap())
}

/// Returns the weights of the world, after checking that those of page and server are equal.
async fn weights(page: &Page) -> Vec<u8> {
    let ours: Vec<u8> = page.read("Array.from(studio.scene.ground.weights)").await;
    let saved = "studio.link.ask({ do: 'save', as: 'hex' }).then(({ parts }) => Array.from(parts.bytes))";
    let file: Vec<u8> = page.read(saved).await;
    assert!(ours == hex::read(&file).unwrap().to_weights(), "page and server have the same terrain");
    ours
}

fn length(world: &World<HexGrid>, from: Cell, to: Cell) -> f64 {
    let query = Query::new(HexCell::at(from.x, from.y), HexCell::at(to.x, to.y));
    let outcome = Planner::new(world, "a-star").unwrap().find(world, query, &mut Scratch::new()).unwrap();
    outcome.route().expect("there is a way").length(world)
}

/// Returns the colour of the canvas at a place of the world, as red, green and blue.
async fn colour(page: &Page, place: [f64; 2]) -> [u8; 3] {
    let [x, y] = place;
    page.read(&format!(
        "(() => {{ const [view] = studio.views, {{ camera }} = studio, ratio = devicePixelRatio || 1; \
         const at = (place, middle, size) => Math.round(size / 2 + (place - middle) * camera.scale * ratio); \
         view.draw(); \
         const {{ width, height }} = view.canvas; \
         return Array.from(view.context.getImageData(at({x}, camera.x, width), at({y}, camera.y, height), 1, 1).data).slice(0, 3); }})()"
    ))
    .await
}

#[test]
fn a_wall_of_hexes_is_drawn_by_hand_and_walked_around() {
    browse(async |bench: &Bench| {
        let page = bench.open(MEADOW).await;
        let mut world = meadow();
        let (from, to) = (Cell::new(2, 8), Cell::new(21, 8));
        let shows = |length: f64| format!("document.getElementById('results').dataset.length === '{length}'");
        page.until("studio.scene.from[0] === 2 && studio.scene.to[0] === 21").await;
        page.search().await;
        page.until(&shows(length(&world, from, to))).await;

        page.click("#tool-rectangle").await;
        page.click("#weight-0").await;
        page.drag(&[Cell::new(12, 1), Cell::new(12, 9), Cell::new(12, 16)]).await;
        world.apply(&[Edit::new(Area { x: 12, y: 1, width: 1, height: 16 }, Terrain::BLOCKED)]).unwrap();
        page.until(&shows(length(&world, from, to))).await;
        assert!(weights(&page).await == world.to_weights(), "the wall is where it was drawn");

        // The brush of size 3 covers a hex and the six around it.
        page.press(['b', '5']).await;
        page.slide("#brush", 3).await;
        page.drag(&[Cell::new(5, 4)]).await;
        page.until("studio.undo === 2").await;
        for (x, y, width) in [(4, 3, 2), (4, 4, 3), (4, 5, 2)] {
            world.apply(&[Edit::new(Area { x, y, width, height: 1 }, Terrain::of_weight(5))]).unwrap();
        }
        assert!(weights(&page).await == world.to_weights(), "the brush covers neighbours");
        page.click("#undo").await;
        page.until("studio.undo === 1 && studio.redo === 1").await;
    });
}

#[test]
fn hexagons_are_drawn_and_clicked_at_their_slanted_sides() {
    browse(async |bench: &Bench| {
        let page = bench.open(MEADOW).await;
        page.click("#tool-brush").await;
        page.click("#weight-0").await;
        page.drag(&[Cell::new(10, 4)]).await;
        page.until("studio.undo === 1").await;
        // Neither the lines between cells nor the border of the cell under the pointer is wanted here.
        page.js("void (studio.scene.show.grid = false, studio.scene.hover = null)").await;
        // Around the blocked hex: its corners at the top and at the bottom, and the ground beside them.
        let [x, y]: [f64; 2] = page.read("studio.scene.ground.grid.middle(10, 4)").await;
        let (wall, ground) = (colour(&page, [x, y]).await, colour(&page, [x + 3.0, y]).await);
        assert_ne!(wall, ground);
        for (dx, dy, inside) in [
            (0.0, -0.5, true),
            (0.0, 0.5, true),
            (0.45, 0.2, true),
            (-0.45, -0.2, true),
            (0.4, -0.5, false),
            (-0.4, -0.5, false),
            (0.4, 0.5, false),
            (-0.4, 0.5, false),
        ] {
            let expected = if inside { wall } else { ground };
            assert_eq!(colour(&page, [x + dx, y + dy]).await, expected, "{dx} {dy}");
            let at: [i32; 2] = page.read(&format!("studio.scene.ground.grid.at([{x} + {dx}, {y} + {dy}])")).await;
            assert_eq!(at == [10, 4], inside, "{dx} {dy}: {at:?}");
        }
        // Every cell lies where its middle is.
        let whole = "(({ grid, width, height }) => Array.from({ length: width * height }, (_, i) => [i % width, (i / width) | 0]) \
                     .every(([x, y]) => String(grid.at(grid.middle(x, y))) === String([x, y])))(studio.scene.ground)";
        assert_eq!(page.js(whole).await, true);
        assert_eq!(page.js("document.getElementById('world-about').textContent.includes('hexes')").await, true);
    });
}

#[test]
fn an_agent_walks_on_an_island_of_hexes() {
    browse(async |bench: &Bench| {
        let page = bench.open("").await;
        page.panel("world").await;
        let island = HexGrid::hexagon(9, None).unwrap();
        page.give("#file", &bench.file("island.hex", hex::write(&island).expect("one kind of ground"))).await;
        page.until("studio.world.name === 'island.hex'").await;
        assert_eq!(page.js("studio.world.grid").await, "hexagon");
        assert_eq!(page.js("[...document.querySelectorAll('[id^=save-]')].filter(({ hidden }) => !hidden).map(({ id }) => id).join()").await, "save-hex");
        page.panel("search").await;
        page.search().await;
        page.panel("walk").await;
        page.click("#walk").await;
        page.until("walk.isOn && walk.tick > 2").await;
        page.until("walk.isDone && !walk.isRunning").await;
        assert_eq!(page.js("walk.panes[0].state").await, "arrived");
        let stands = "(({ agent }, [x, y], { grid }) => String([agent.x, agent.y]) === String(grid.middle(x, y)))\
                      (studio.views[0], studio.scene.to, studio.scene.ground)";
        assert_eq!(page.js(stands).await, true, "the agent is drawn in the middle of the goal");

        // Hexes can also be generated.
        page.panel("world").await;
        page.js("void (document.getElementById('maker').open = true)").await;
        page.choose("#recipe", "caves").await;
        page.until("studio.world.ref.recipe === 'caves'").await;
        page.choose("#make-grid", "hex").await;
        page.until("studio.world.ref.grid === 'hex'").await;
        page.panel("search").await;
        page.search().await;
        assert_eq!(page.js("location.hash.includes('grid=hex')").await, true);
    });
}
