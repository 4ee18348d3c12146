//! Drawing with the pointer: page and server keep equal terrain, routes follow it, and every edit can be undone.

use crate::bench::browse;
use crate::page::Page;
use fantoccini::key::Key;
use portolan::{Area, Cell, Edit, Planner, Query, Rules, Scratch, SquareGrid, Terrain, World};
use portolan_formats::png_image;

/// An open world, 64 by 48, to be crossed from left to right.
const MEADOW: &str = "#make=open+64x48+1&from=5,24&to=58,24";

/// Returns the weights of the world, after checking that those of page and server are equal.
pub(crate) async fn weights(page: &Page) -> Vec<u8> {
    let ours: Vec<u8> = page.read("Array.from(studio.scene.ground.weights)").await;
    // A PNG file keeps every weight there is.
    let saved = "studio.link.ask({ do: 'save', as: 'png' }).then(({ parts }) => Array.from(parts.bytes))";
    let picture: Vec<u8> = page.read(saved).await;
    let theirs = png_image::read(&picture, Rules::default()).unwrap().to_weights();
    assert!(ours == theirs, "page and server have the same terrain");
    ours
}

/// Returns how many cells have this weight.
pub(crate) fn count(weights: &[u8], weight: u8) -> usize {
    weights.iter().map(|&one| usize::from(one == weight)).sum()
}

fn length(world: &World) -> f64 {
    let planner = Planner::new(world, "a-star").unwrap();
    let outcome = planner.find(world, Query::new((5, 24), (58, 24)), &mut Scratch::new()).unwrap();
    outcome.route().expect("there is a way").length(world)
}

#[test]
fn an_edit_that_is_refused_is_taken_back_with_the_reason() {
    // Blocks the whole world so many times that this is more than one command may change.
    const TOO_MUCH: &str = "studio.newStroke(), studio.edit(Array(3000).fill([0, 0, 64, 48, 0]).flat())";
    browse(async |bench| {
        let page = bench.open(MEADOW).await;
        let open = weights(&page).await;
        let is_told = "document.getElementById('message').textContent.includes('at most')";
        page.js(&format!("void ({TOO_MUCH})")).await;
        page.until(is_told).await;
        assert!(weights(&page).await == open, "the server's word holds");
        assert_eq!(page.js("studio.isEdited").await, false);
        let drawn = "(({ bitmap, byWeight, weights }) => bitmap.pixels.every((pixel, cell) => pixel === byWeight[weights[cell]]))";
        assert_eq!(page.js(&format!("{drawn}(studio.scene.ground)")).await, true);

        // Edits that are drawn before the refused one stay, and so do those drawn after it.
        page.js("void (document.getElementById('message').textContent = '')").await;
        let edits = "studio.newStroke(), studio.edit([3, 4, 5, 2, 7])";
        let more = "studio.newStroke(), studio.edit([9, 4, 5, 2, 8])";
        page.js(&format!("void ({edits}, {TOO_MUCH}, {more})")).await;
        page.until("studio.undo === 2").await;
        page.until(is_told).await;
        let left = weights(&page).await;
        assert_eq!((count(&left, 0), count(&left, 7), count(&left, 8)), (count(&open, 0), 10, 10));
        assert_eq!(page.js("studio.isEdited").await, true);
    });
}

#[test]
fn a_wall_drawn_by_hand_is_walked_around_and_taken_back() {
    browse(async |bench| {
        let page = bench.open(MEADOW).await;
        let mut world = World::from(SquareGrid::open(64, 48, Rules::default()).unwrap());
        let (open, straight) = (world.to_weights(), length(&world));
        let wall = Area { x: 30, y: 5, width: 1, height: 36 };
        world.apply(&[Edit::new(wall, Terrain::BLOCKED)]).unwrap();
        let (walled, around) = (world.to_weights(), length(&world));
        let shows = |length: f64| format!("document.getElementById('results').dataset.length === '{length}'");

        page.until("studio.scene.from[0] === 5 && studio.scene.to[0] === 58").await;
        page.search().await;
        page.until(&shows(straight)).await;

        page.click("#tool-brush").await;
        page.click("#weight-0").await;
        page.drag(&[Cell::new(30, 5), Cell::new(30, 17), Cell::new(30, 29), Cell::new(30, 40)]).await;
        page.until(&shows(around)).await;
        assert!(weights(&page).await == walled, "the wall is where it was drawn");

        page.press_with(Key::Control, 'z').await;
        page.until(&shows(straight)).await;
        assert!(weights(&page).await == open, "one stroke is undone at once");
        assert_eq!(page.read::<[u32; 2]>("[studio.undo, studio.redo]").await, [0, 1]);
        page.click("#redo").await;
        page.until(&shows(around)).await;
        assert!(weights(&page).await == walled);
        page.click("#undo").await;
        page.until(&shows(straight)).await;
        assert!(!page.find("#undo").await.is_enabled().await.unwrap(), "nothing is left to undo");
    });
}

#[test]
fn strokes_are_undone_one_by_one_however_fast_they_come() {
    browse(async |bench| {
        let page = bench.open(MEADOW).await;
        let before = weights(&page).await;
        let strokes = "for (let i = 0; i < 5; i++) { studio.newStroke(); studio.edit([10 + i, 8, 1, 1, 0]); studio.edit([10 + i, 9, 1, 1, 0]); }";
        page.run(&format!("const {{ studio }} = window.portolan; {strokes}")).await;
        page.until("studio.undo === 5").await;
        for left in (0..5).rev() {
            page.press_with(Key::Control, 'z').await;
            page.until(&format!("studio.undo === {left}")).await;
            assert_eq!(count(&weights(&page).await, 0), 2 * left);
        }
        assert!(weights(&page).await == before);
    });
}

#[test]
fn a_fill_of_many_pieces_arrives_whole() {
    browse(async |bench| {
        // The ground is so scattered that a fill has more runs of cells than one command may bring.
        let page = bench.open("#make=noise+700x700+1&make.blocked=35").await;
        page.until("studio.world.width === 700").await;
        let before = weights(&page).await;
        page.press(['f', '4']).await;
        let from = page.cell("studio.scene.from").await;
        // A click on this cell would drag the start, so the tool is called directly.
        page.js(&format!("void (studio.newStroke(), studio.edit(tools.fill([{}, {}])))", from.x, from.y)).await;
        page.until("document.getElementById('undo').disabled === false && studio.undo === 1").await;
        let after = weights(&page).await;
        let filled = count(&after, 4);
        assert!(filled > before.len() / 3, "{filled}");
        page.click("#undo").await;
        page.until("studio.undo === 0").await;
        assert!(weights(&page).await == before);
    });
}

#[test]
fn shapes_and_weights_arrive_as_drawn() {
    browse(async |bench| {
        let page = bench.open(MEADOW).await;
        let mut world = World::from(SquareGrid::open(64, 48, Rules::default()).unwrap());
        let mut expect = |x, y, width, height, weight| {
            world.apply(&[Edit::new(Area { x, y, width, height }, Terrain::of_weight(weight))]).unwrap();
            world.to_weights()
        };
        page.click("#tool-rectangle").await;
        page.press(['0']).await;
        page.drag(&[Cell::new(20, 10), Cell::new(24, 12), Cell::new(27, 15)]).await;
        page.until("studio.undo === 1").await;
        assert!(weights(&page).await == expect(20, 10, 8, 6, 0), "a rectangle");
        page.press(['l', '5']).await;
        page.drag(&[Cell::new(40, 30), Cell::new(50, 30)]).await;
        page.until("studio.undo === 2").await;
        assert!(weights(&page).await == expect(40, 30, 11, 1, 5), "a line of weight 5");
        page.press(['f', '3']).await;
        page.drag(&[Cell::new(22, 12)]).await;
        page.until("studio.undo === 3").await;
        assert!(weights(&page).await == expect(20, 10, 8, 6, 3), "the rectangle filled");
    });
}
