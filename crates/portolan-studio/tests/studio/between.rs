//! Borders, links, kinds and floors over the socket, and the world as agents see it: told, edited, undone, saved, and compared with
//! what the library says.

use crate::client::{Page, Reply, restore, with_server};
use portolan::any::{AnyField, AnyPlanner, AnyScratch, AnySnapshot, AnyWorld};
use portolan::{Area, Border, Cell, Cost, Edit, KindNames, Profile, Query, Rules, Side, SquareGrid, Terrain};
use portolan_formats::ascii;
use portolan_studio::frame::Parts;
use serde_json::json;

/// Returns an open world of 12 by 8 squares, and opens it on a page.
async fn meadow(page: &mut Page) -> AnyWorld {
    let mut parts = Parts::default();
    parts.push("weights", vec![1_u8; 12 * 8]);
    let opened = page.ask_with(restore(12, 8), &parts).await;
    assert_eq!(opened["re"], "world", "{}", opened.head);
    AnyWorld::from(SquareGrid::open(12, 8, Rules::default()).unwrap())
}

async fn edit(page: &mut Page, stroke: u64, borders: &[[u16; 6]], links: &[[u32; 6]]) -> Reply {
    let mut parts = Parts::default();
    parts.push("borders", borders.concat());
    parts.push("links", links.concat());
    page.ask_with(json!({ "do": "edit", "stroke": stroke }), &parts).await
}

/// Asserts that an answer tells the borders and links of a world.
fn assert_told(reply: &Reply, world: &AnySnapshot) {
    let number = |border: Border| Border::NAMED.iter().position(|named| named.1 == border).unwrap() as u16;
    let borders: Vec<u16> = world.borders().flat_map(|(at, side, b)| [at.x, at.y, side as u16, number(b)]).collect();
    assert_eq!(reply.u16s("borders"), borders, "{}", reply.head);
    let links = world.links().flat_map(|(from, to, cost)| {
        let [a, b, c, d] = [from.x, from.y, to.x, to.y].map(u32::from);
        [a, b, c, d, cost.0]
    });
    assert_eq!(reply.u32s("links"), links.collect::<Vec<u32>>());
}

/// Returns the length of a cheapest route across the world.
fn length(world: &AnySnapshot) -> f64 {
    let settings = world.exact().settings::<&str, &str>(&[]).unwrap();
    let planner = AnyPlanner::build(world, world.exact(), settings).unwrap();
    let outcome = planner.find(world, Query::new((1, 4), (10, 4)), &mut AnyScratch::new()).unwrap();
    outcome.route().expect("there is a route").length(world)
}

#[test]
fn borders_and_links_are_edited_told_undone_and_redone() {
    with_server(async |server| {
        let mut page = server.page().await;
        let mut world = meadow(&mut page).await;
        let plain = world.snapshot();
        let found = page.find("a-star", [1, 4], [10, 4], false).await;
        let straight = found.number("length");
        assert_eq!(Some(straight), Some(length(&plain)));
        let wall = Area { x: 5, y: 0, width: 1, height: 8 };
        world.apply(&[Edit::border(wall, Side::East, Border::Closed)]).unwrap();
        let edited = edit(&mut page, 1, &[[5, 0, 1, 8, Side::East as u16, 1]], &[]).await;
        assert_told(&edited, &world.snapshot());
        assert_eq!(edited["found"]["outcome"], "unreachable", "the search is repeated: {}", edited.head);
        let cost = Cost(900);
        let more = [Edit::border(Cell::new(5, 2), Side::East, Border::Out), Edit::link((0, 0), (11, 7), cost, true)];
        world.apply(&more).unwrap();
        let edited = edit(&mut page, 2, &[[5, 2, 1, 1, Side::East as u16, 2]], &[[0, 0, 11, 7, 900, 1]]).await;
        assert_told(&edited, &world.snapshot());
        assert_eq!(edited["found"]["outcome"], "reached");
        let off = edited["found"]["length"].as_f64().unwrap() - length(&world.snapshot());
        assert!(off.abs() < 1e-9, "another route may be as short: {off}");
        let saved = page.ask(json!({ "do": "save", "as": "txt" })).await;
        let read = ascii::read(saved.bytes("bytes"), Rules::default()).unwrap_or_else(|fault| panic!("{fault}"));
        assert_told(&edited, &AnySnapshot::from(read.grid));

        let undone = page.ask(json!({ "do": "undo" })).await;
        assert_eq!(undone["found"]["outcome"], "unreachable");
        let undone = page.ask(json!({ "do": "undo" })).await;
        assert_told(&undone, &plain);
        assert_eq!(undone["found"]["length"].as_f64(), Some(straight));
        page.ask(json!({ "do": "redo" })).await;
        assert_told(&page.ask(json!({ "do": "redo" })).await, &world.snapshot());
        let unlinked = edit(&mut page, 3, &[], &[[11, 7, 0, 0, 0, 1]]).await;
        assert!(unlinked.u32s("links").is_empty());
    });
}

#[test]
fn edits_that_the_engine_refuses_change_nothing_and_are_told() {
    with_server(async |server| {
        let mut page = server.page().await;
        meadow(&mut page).await;
        for (borders, links, why) in [
            (vec![[5, 0, 1, 8, 1, 1]], vec![], "no side to the north-east"),
            (vec![[5, 0, 9, 8, 2, 1]], vec![], "does not lie on a 12 x 8 grid"),
            (vec![[5, 0, 1, 1, 9, 1]], vec![], "a side from 0 to 7"),
            (vec![[5, 0, 1, 1, 2, 4]], vec![], "a border from 0 to 3"),
            (vec![], vec![[3, 3, 3, 3, 5, 1]], "does not join two cells"),
            (vec![], vec![[3, 3, 40, 3, 5, 1]], "does not join two cells"),
            (vec![], vec![[3, 3, 4, 3, u32::MAX, 1]], "a link costs 1 to"),
            (vec![], vec![[3, 3, 70_000, 3, 5, 1]], "x and y of both cells"),
        ] {
            let refused = edit(&mut page, 1, &borders, &links).await;
            assert!(refused.fault().contains(why), "{why}: {}", refused.head);
        }
        let fine = edit(&mut page, 1, &[[5, 0, 1, 1, 2, 1]], &[]).await;
        assert_eq!((fine.number("undo"), fine.u16s("borders").len()), (1.0, 4));
        assert!(page.ask(json!({ "do": "edit", "stroke": 1 })).await.fault().contains("\"edits\""));
    });
}

#[test]
fn a_world_that_a_page_sends_whole_comes_back_with_all_it_has() {
    with_server(async |server| {
        let mut page = server.page().await;
        let mut parts = Parts::default();
        let mut kinds = vec![0_u8; 12 * 8];
        kinds[5] = 3;
        parts.push("weights", vec![1_u8; 12 * 8]);
        parts.push("kinds", kinds.clone());
        parts.push("borders", vec![1_u16, 1, 1, 1, 4, 3]);
        parts.push("links", vec![0_u32, 0, 9, 5, 44, 0]);
        let opened = page.ask_with(restore(12, 8), &parts).await;
        assert_eq!((opened.bytes("kinds"), opened.u16s("borders")), (&kinds[..], &[1, 1, 4, 3][..]));
        assert_eq!(opened.u32s("links"), [0, 0, 9, 5, 44]);
        assert!(opened["kinds"].as_array().unwrap().contains(&json!([3, "water"])));
        // An edit of terrain takes the kind away, and undoing it brings the kind back.
        let edited = page.edit(1, &[[5, 0, 1, 1, 4]]).await;
        assert_eq!(edited.u16s("patch"), [5, 0, 1, 1, 4]);
        assert_eq!(page.ask(json!({ "do": "undo" })).await.u16s("patch"), [5, 0, 1, 1, 1 + 256 * 3]);
    });
}

#[test]
fn an_agent_sees_the_world_and_searches_there_until_another_looks() {
    with_server(async |server| {
        let mut page = server.page().await;
        let mut world = meadow(&mut page).await;
        // A wall with a gap of one cell, and a ford of water.
        let edits = [[6, 0, 1, 8, 0], [6, 3, 1, 1, 1], [6, 6, 1, 2, 1 + 256 * 3]];
        page.edit(1, &edits).await;
        let wall = Area { x: 6, y: 0, width: 1, height: 8 };
        let ford = Area { x: 6, y: 6, width: 1, height: 2 };
        let gap = Edit::new(Cell::new(6, 3), Terrain::GROUND);
        let water = Edit::new(ford, Terrain::GROUND.with_kind(3));
        world.apply(&[Edit::new(wall, Terrain::BLOCKED), gap, water]).unwrap();
        let small = page.find("a-star", [1, 3], [9, 3], false).await["length"].clone();
        for (words, outcome) in [("size=2", "reached"), ("size=2,water=no", "unreachable"), ("water=no", "reached")] {
            let profile = Profile::parse(words, &KindNames::default()).unwrap();
            let seen = world.snapshot().seen_by(&profile).unwrap();
            let looked = page.ask(json!({ "do": "look", "profile": words })).await;
            assert_eq!(looked.bytes("seen"), seen.to_weights(), "{words}");
            assert_eq!(looked["free"], seen.free_cells());
            let found = page.find("a-star", [1, 3], [9, 3], false).await;
            assert_eq!(found["outcome"], outcome, "{words}");
            let field = page.ask(json!({ "do": "field", "to": [9, 3] })).await;
            let own = AnyField::new(&seen, &[Cell::new(9, 3)], None, &mut AnyScratch::new()).unwrap();
            for at in seen.cells() {
                let index = usize::from(at.y) * 12 + usize::from(at.x);
                let cost = own.cost(&seen, at).unwrap().map_or(u32::MAX, |cost| cost.0);
                let next = own.next(&seen, at).unwrap().map_or(u32::MAX, |to| u32::from(to.y) * 12 + u32::from(to.x));
                assert_eq!((field.u32s("costs")[index], field.u32s("next")[index]), (cost, next), "{words} {at}");
            }
        }
        // What the agent sees follows edits.
        let edited = page.edit(2, &[[6, 3, 1, 1, 0]]).await;
        assert_eq!((edited.bytes("seen")[3 * 12 + 6], &edited["found"]["outcome"]), (0, &json!("unreachable")));
        page.ask(json!({ "do": "undo" })).await;
        assert!(page.ask(json!({ "do": "look", "profile": "" })).await.bytes("seen").is_empty());
        assert_eq!(page.find("a-star", [1, 3], [9, 3], false).await["length"], small);
        let refused = page.ask(json!({ "do": "look", "profile": "lava=no" })).await;
        assert!(refused.fault().contains("lava"), "{}", refused.head);
        let refused = page.ask(json!({ "do": "field", "to": [6, 0] })).await;
        assert!(refused.fault().contains("6,0"), "{}", refused.head);
    });
}

#[test]
fn clearance_is_the_largest_body_that_fits() {
    with_server(async |server| {
        let mut page = server.page().await;
        meadow(&mut page).await;
        page.edit(1, &[[4, 2, 1, 1, 0]]).await;
        let told = page.ask(json!({ "do": "clearance" })).await;
        let sizes = told.bytes("sizes");
        let fits = |x: usize, y: usize, size: usize| {
            let wall = (x..x + size).contains(&4) && (y..y + size).contains(&2);
            x + size <= 12 && y + size <= 8 && !wall
        };
        for (at, &size) in sizes.iter().enumerate() {
            let largest = (1..=9).rev().find(|&size| fits(at % 12, at / 12, size)).unwrap_or(0);
            assert_eq!(usize::from(size), largest, "{},{}", at % 12, at / 12);
        }
    });
}
