//! Borders, links and kinds on the page, drawn with the pointer and shown; the arrows of a field; and the world as agents see it.

use crate::bench::{Bench, browse};
use crate::page::Page;
use fantoccini::key::Key;
use portolan::any::{AnyField, AnyScratch, AnySnapshot, AnyWorld};
use portolan::{Border, Cell, Cost, Edit, Planner, Query, Rules, Scratch, Side, SquareGrid, Terrain, World};
use portolan_formats::ascii;

/// An open world, 24 by 16, to be crossed from left to right.
const MEADOW: &str = "#make=open+24x16+1&from=2,8&to=21,8";

/// A house of two floors with water in it, doors that lead out alone, and stairs.
const HOUSE: &str = "kind ~ water\nkind t forest 3\nfloors 2 16x7\nborder east closed 4,0 1x3\nborder east closed 4,4 1x3\n\
                     border east out 4,3\nborder south closed 8,2 5x1\nborder south in 13,2 2x1\nlink 14,1 14,10 1500 both\nlink 2,12 2,2 900 one-way\n\
                     ................\n..............~.\n.......tt...~~~.\n.......tt...~~~.\n................\n..A.............\n................\n\
                     AAAAAAAAAAAAAAAA\n................\n...AAA..........\n...A....~~......\n........~~......\n................\n\
                     ................\n................\n";

/// Returns the world that the server has, as it saves it.
async fn theirs(page: &Page) -> AnySnapshot {
    let saved = "studio.link.ask({ do: 'save', as: 'txt' }).then(({ parts }) => Array.from(parts.bytes))";
    let file: Vec<u8> = page.read(saved).await;
    AnySnapshot::from(ascii::read(&file, Rules::default()).unwrap_or_else(|fault| panic!("{fault}")).grid)
}

/// The borders and links of a world.
type Told = (Vec<(Cell, Side, Border)>, Vec<(Cell, Cell, Cost)>);

fn told(world: &AnySnapshot) -> Told {
    (world.borders().collect(), world.links().collect())
}

/// Drags from place to place of the world, where cells are 1 wide.
async fn drag_places(page: &Page, places: &[[f64; 2]]) {
    page.run(&format!(
        "const {{ studio }} = window.portolan, [view] = studio.views, {{ camera }} = studio, box = view.canvas.getBoundingClientRect(); \
         const at = ([x, y]) => ({{ clientX: box.left + box.width / 2 + (x - camera.x) * camera.scale, clientY: box.top + box.height / 2 + (y - camera.y) * camera.scale, \
           pointerId: 1, bubbles: true, button: 0, buttons: 1 }}); \
         const places = {places:?}; \
         view.canvas.dispatchEvent(new PointerEvent('pointerdown', at(places[0]))); \
         for (const place of places) view.canvas.dispatchEvent(new PointerEvent('pointermove', at(place))); \
         view.canvas.dispatchEvent(new PointerEvent('pointerup', at(places.at(-1))));"
    ))
    .await;
}

fn length(world: &World) -> f64 {
    let planner = Planner::new(world, "a-star").unwrap();
    let outcome = planner.find(world, Query::new((2, 8), (21, 8)), &mut Scratch::new()).unwrap();
    outcome.route().expect("there is a way").length(world)
}

#[test]
fn a_border_drawn_along_the_sides_of_cells_is_walked_around_and_taken_back() {
    browse(async |bench: &Bench| {
        let page = bench.open(MEADOW).await;
        let mut world = World::from(SquareGrid::open(24, 16, Rules::default()).unwrap());
        let shows = |length: f64| format!("document.getElementById('results').dataset.length === '{length}'");
        page.until("studio.scene.from[0] === 2 && studio.scene.to[0] === 21").await;
        page.search().await;
        let straight = length(&world);
        page.until(&shows(straight)).await;
        page.click("#tool-border").await;
        // The pointer goes down beside the line between columns 9 and 10, then to the right below row 11.
        drag_places(&page, &[[9.9, 2.5], [9.9, 6.5], [9.9, 11.4]]).await;
        page.until("studio.undo === 1").await;
        let column = portolan::Area { x: 9, y: 2, width: 1, height: 10 };
        world.apply(&[Edit::border(column, Side::East, Border::Closed)]).unwrap();
        page.until(&shows(length(&world))).await;
        assert_eq!(told(&theirs(&page).await), told(&AnySnapshot::from(world.snapshot())));
        page.press_with(Key::Control, 'z').await;
        page.until(&shows(straight)).await;
        page.until("studio.scene.between.borders.length === 0").await;
        page.click("#redo").await;
        page.until(&shows(length(&world))).await;

        page.choose("#border-kind", "out").await;
        drag_places(&page, &[[9.8, 8.5]]).await;
        page.until("studio.undo === 2").await;
        world.apply(&[Edit::border(Cell::new(9, 8), Side::East, Border::Out)]).unwrap();
        page.until(&shows(length(&world))).await;
        assert_eq!(told(&theirs(&page).await), told(&AnySnapshot::from(world.snapshot())));
    });
}

#[test]
fn a_link_is_dragged_from_cell_to_cell_and_refused_with_the_engine_s_words() {
    browse(async |bench| {
        let page = bench.open(MEADOW).await;
        page.until("studio.scene.from[0] === 2").await;
        page.click("#tool-link").await;
        page.slide("#link-cost", "300").await;
        page.drag(&[Cell::new(4, 4), Cell::new(9, 9), Cell::new(18, 12)]).await;
        page.until("studio.undo === 1").await;
        let mut world = AnyWorld::from(SquareGrid::open(24, 16, Rules::default()).unwrap());
        world.apply(&[Edit::link((4, 4), (18, 12), Cost(300), true)]).unwrap();
        assert_eq!(told(&theirs(&page).await), told(&world.snapshot()));
        page.slide("#link-cost", "999999999").await;
        page.drag(&[Cell::new(5, 4), Cell::new(18, 13)]).await;
        page.until("document.getElementById('message').textContent.includes('a link costs 1 to')").await;
        assert_eq!(page.read::<usize>("studio.scene.between.links.length").await, 1);
        page.click("#link-removes").await;
        page.drag(&[Cell::new(18, 12)]).await;
        page.until("studio.undo === 2 && studio.scene.between.links.length === 0").await;
        page.click("#undo").await;
        page.until("studio.scene.between.links.length === 1").await;
        assert_eq!(told(&theirs(&page).await), told(&world.snapshot()));
    });
}

#[test]
fn a_house_is_shown_with_floors_kinds_field_and_agents() {
    browse(async |bench| {
        let page = bench.open(MEADOW).await;
        page.give("#file", &bench.file("house.txt", HOUSE)).await;
        page.until("studio.world.name === 'house.txt'").await;
        let world = AnySnapshot::from(ascii::read(HOUSE.as_bytes(), Rules::default()).unwrap().grid);
        assert_eq!(page.read::<usize>("studio.scene.between.borders.length").await, world.borders().count());
        assert_eq!(page.read::<Vec<usize>>("studio.world.floors").await, [2, 16, 7]);
        page.panel("ground").await;
        let legend = page.text("#kinds-legend").await;
        assert!(legend.contains("water") && legend.contains("forest"), "{legend}");
        assert!(page.text("#between-about").await.contains("2 floors of 16 × 7"));
        page.js("void (studio.move('from', [1, 12]), studio.move('to', [6, 0]))").await;
        page.choose("#look", "field").await;
        page.until("studio.look.field !== null").await;
        page.choose("#look", "none").await;
        page.finds("over the stairs").await;
        picture(&page, "house").await;
        page.panel("ground").await;
        page.choose("#look", "clearance").await;
        page.until("studio.look.sizes !== null && studio.look.sizes[0] === 5").await;
        picture(&page, "clearance").await;
        page.choose("#look", "none").await;
        page.click("#forbid-water").await;
        page.until("studio.scene.ground.seen !== null").await;
        assert_eq!(page.read::<u8>("studio.scene.ground.seen[2 * 16 + 13]").await, 0, "no agent goes into the water");
        page.slide("#body", "2").await;
        page.until("studio.look.profile === 'size=2,water=no'").await;
        picture(&page, "agent").await;
        page.slide("#profile", "lava=no").await;
        page.until("document.getElementById('message').textContent.includes('lava')").await;
    });
}

#[test]
fn the_arrows_of_a_field_lead_where_the_library_says_and_follow_goal_and_edits() {
    browse(async |bench| {
        let page = bench.open(MEADOW).await;
        let text: String =
            HOUSE.lines().filter(|line| !line.starts_with("link")).flat_map(|line| [line, "\n"]).collect();
        page.give("#file", &bench.file("rooms.txt", &text)).await;
        page.until("studio.world.name === 'rooms.txt'").await;
        let mut world = AnyWorld::from(ascii::read(text.as_bytes(), Rules::default()).unwrap().grid);
        page.panel("ground").await;
        page.choose("#look", "field").await;
        for (goal, edits) in [((6, 0), None), ((11, 4), None), ((11, 4), Some((9, 3)))] {
            page.js(&format!("void studio.move('to', [{}, {}])", goal.0, goal.1)).await;
            if let Some((x, y)) = edits {
                page.js(&format!("void (studio.newStroke(), studio.edit([{x}, {y}, 1, 2, 0]))")).await;
                let area = portolan::Area { x, y, width: 1, height: 2 };
                world.apply(&[Edit::new(area, Terrain::BLOCKED)]).unwrap();
            }
            let world = world.snapshot();
            let field = AnyField::new(&world, &[Cell::from(goal)], None, &mut AnyScratch::new()).unwrap();
            let index = |at: Cell| u32::from(at.y) * 16 + u32::from(at.x);
            let all = (0..15).flat_map(|y| (0..16).map(move |x| Cell::new(x, y)));
            let next = all.map(|at| field.next(&world, at).unwrap().map_or(u32::MAX, index)).collect::<Vec<u32>>();
            page.until(&format!("studio.look.field !== null && studio.look.field.next.join() === '{}'", joined(&next)))
                .await;
        }
        picture(&page, "field").await;
    });
}

fn joined(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// Saves what the page looks like for people, if a folder is named for it.
async fn picture(page: &Page, name: &str) {
    if let Some(folder) = std::env::var_os("PORTOLAN_PICTURES") {
        page.js("new Promise((done) => setTimeout(() => done(true), 400))").await;
        let png = page.client.screenshot().await.unwrap();
        std::fs::write(std::path::Path::new(&folder).join(format!("between-{name}.png")), png).unwrap();
    }
}
