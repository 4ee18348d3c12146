//! Worlds of hexes: opened, edited, searched, walked on and saved over the socket.

use crate::client::{Page, Reply, config, made, with_config, with_server};
use portolan::any::{AnyPlanner, AnyScratch, AnySnapshot};
use portolan::{ALGORITHMS, HEX_ALGORITHMS, HexGrid, Planner, Query, Scratch, Snapshot};
use portolan_formats::hex;
use portolan_studio::Config;
use portolan_studio::frame::{Numbers, Parts};
use serde_json::{Value, json};

fn hexes(recipe: &str, width: usize, height: usize, seed: u64) -> Value {
    let mut world = made(recipe, width, height, seed);
    world["grid"] = json!("hex");
    world
}

/// Returns the world of a page as the library has it.
fn grid(opened: &Reply) -> AnySnapshot {
    let [width, height] = ["width", "height"].map(|key| opened[key].as_u64().unwrap() as usize);
    AnySnapshot::from(HexGrid::from_weights(width, height, opened.bytes("weights"), None).unwrap())
}

fn ends(opened: &Reply) -> [[u16; 2]; 2] {
    opened.ends()
}

/// Returns the length of a cheapest route.
fn optimum(world: &AnySnapshot, [from, to]: [[u16; 2]; 2]) -> f64 {
    let (algorithm, settings) = (world.exact(), world.exact().settings::<&str, &str>(&[]).unwrap());
    let planner = AnyPlanner::build(world, algorithm, settings).unwrap();
    let query = Query::new((from[0], from[1]), (to[0], to[1]));
    let outcome = planner.find(world, query, &mut AnyScratch::new()).unwrap();
    outcome.route().expect("there is a route").length(world)
}

#[test]
fn every_recipe_makes_hexes_and_says_what_runs_there() {
    with_server(async |server| {
        let (mut page, catalogue) = server.greeted().await;
        for recipe in catalogue["recipes"].as_array().unwrap() {
            let name = recipe["name"].as_str().unwrap();
            let squares = page.open(made(name, 30, 21, 3)).await;
            let opened = page.open(hexes(name, 30, 21, 3)).await;
            assert_eq!((&opened["grid"], &opened["ref"]["grid"]), (&json!("hex"), &json!("hex")), "{name}");
            assert_eq!(opened.bytes("weights"), squares.bytes("weights"), "{name}");
            // Hexes have no rules for steps, and messages about squares say nothing of a grid.
            assert!(opened["corners"].is_null() && opened["diagonal"].is_null() && squares["grid"].is_null());
            assert_eq!(opened["free"], squares["free"]);
        }
        let opened = page.open(hexes("open", 20, 20, 1)).await;
        for algorithm in ALGORITHMS {
            let word = &opened["promises"][algorithm.name];
            let runs = HEX_ALGORITHMS.iter().any(|own| own.name == algorithm.name);
            assert_eq!(word["promise"].is_string(), runs, "{word}");
            assert_eq!(word["needs"] == "a world of squares", !runs, "{word}");
        }
        assert_eq!(opened["racers"].as_array().unwrap().len(), HEX_ALGORITHMS.len());
        assert_eq!(opened["promises"]["auto"]["promise"], opened["promises"]["a-star"]["promise"]);
    });
}

#[test]
fn routes_are_found_on_hexes_and_follow_edits() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = page.open(hexes("caves", 60, 44, 5)).await;
        let (world, [from, to]) = (grid(&opened), ends(&opened));
        let shortest = optimum(&world, [from, to]);
        for name in HEX_ALGORITHMS.iter().map(|algorithm| algorithm.name).chain(["auto"]) {
            let found = page.find(name, from, to, true).await;
            assert_eq!((&found["re"], &found["outcome"]), (&json!("found"), &json!("reached")), "{}", found.head);
            assert!((found.number("optimum") - shortest).abs() < 1e-9, "{name}");
            assert!(found.number("length") >= shortest - 1e-9, "{name}");
            let route = found.u16s("route");
            assert!(route.starts_with(&from) && route.ends_with(&to), "{name}");
            let mut steps = route.chunks_exact(2).map(|at| portolan::Cell::new(at[0], at[1])).collect::<Vec<_>>();
            steps.dedup();
            assert!(steps.windows(2).all(|step| world.step_cost(step[0], step[1]).is_some()), "{name}");
            let places = (world.width() * world.height()) as u32;
            assert!(found.u32s("events").iter().all(|event| event & 0xFFF_FFFF < places), "{name}");
        }
        assert!(page.find("rhumb", from, to, false).await.fault().contains("a world of squares"));

        // A wall on the route, which the latest `find` is repeated after.
        page.find("auto", from, to, false).await;
        let found = page.find("a-star", from, to, false).await;
        let middle = found.u16s("route").len() / 4 * 2;
        let (x, y) = (found.u16s("route")[middle], found.u16s("route")[middle + 1]);
        let edited = page.edit(1, &[[x, y, 1, 1, 0], [x, y.saturating_sub(1), 1, 1, 9]]).await;
        assert_eq!((&edited["undo"], &edited["found"]["algorithm"]), (&json!(1), &json!("a-star")), "{}", edited.head);
        assert!(!edited.u16s("route").chunks_exact(2).any(|cell| cell == [x, y]), "the route goes around");
        let undone = page.ask(json!({ "do": "undo" })).await;
        assert!((undone["found"]["length"].as_f64().unwrap() - shortest).abs() < 1e-9, "{}", undone.head);
        let again = page.ask(json!({ "do": "redo" })).await;
        assert_eq!(again["found"]["length"], edited["found"]["length"]);
        assert!(page.edit(2, &[[59, 0, 2, 1, 0]]).await.fault().contains("60 x 44"));
    });
}

#[test]
fn agents_walk_on_hexes_and_around_new_walls() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = page.open(hexes("open", 40, 30, 1)).await;
        let (world, [from, to]) = (grid(&opened), [[2, 15], [37, 15]]);
        let panes = json!([{ "algorithm": "a-star", "settings": {} }, { "algorithm": "dijkstra", "settings": {} }]);
        let sim = json!({ "do": "sim", "panes": panes, "from": from, "to": to, "replan": "touched", "case": false, "trace": true });
        let begun = page.ask(sim).await;
        assert!(begun.u16s("route0").starts_with(&from) && !begun.u32s("events1").is_empty(), "{}", begun.head);
        page.ask(json!({ "do": "tick", "count": 4 })).await;
        page.edit(1, &[[20, 3, 1, 27, 0]]).await;
        let end = page.walk_to_the_end().await;
        for pane in end["panes"].as_array().unwrap() {
            assert_eq!((&pane["state"], &pane["at"]), (&json!("arrived"), &json!(to)), "{pane}");
            assert!(
                pane["work"]["searches"].as_u64() > Some(1)
                    && pane["work"]["walked"].as_f64() > Some(optimum(&world, [from, to]))
            );
        }
        let refused = page.ask(json!({ "do": "record", "about": "" })).await;
        assert!(refused.fault().contains("hexes"), "{}", refused.head);
        let race = json!({ "do": "race", "worlds": ["here"], "entrants": panes, "queries": 1, "seed": 1, "repeat": 1, "edits": 0 });
        assert_eq!(page.ask(race).await["name"], "race", "races run on hexes too");
    });
}

/// Saves the world of a page and returns the file.
async fn saved(page: &mut Page) -> Vec<u8> {
    let file = page.ask(json!({ "do": "save", "as": "hex" })).await;
    let name = std::path::Path::new(file["name"].as_str().unwrap());
    assert_eq!(name.extension().unwrap(), "hex", "{}", file.head);
    file.bytes("bytes").to_vec()
}

#[test]
fn files_of_hexes_are_opened_and_saved() {
    let folder = std::env::temp_dir().join(format!("portolan-studio-hexes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut weights = vec![1; 15 * 15];
    weights[7 * 15 + 7] = 0;
    weights[7 * 15 + 3] = 4;
    let hexagon = HexGrid::hexagon_from_weights(7, &weights, None).unwrap();
    let text = hex::write(&hexagon).expect("one kind of ground");
    std::fs::write(folder.join("island.hex"), &text).unwrap();
    with_config(Config { maps: Some(folder.clone()), ..config() }, async |server| {
        let (mut page, catalogue) = server.greeted().await;
        assert_eq!(catalogue["maps"], json!([{ "name": "island.hex", "width": 15, "height": 15 }]));
        let opened = page.open(json!({ "kind": "map", "name": "island.hex" })).await;
        assert_eq!((&opened["grid"], &opened["free"]), (&json!("hexagon"), &json!(hexagon.free_cells())));
        assert_eq!(opened.bytes("weights"), hexagon.to_weights());
        assert_eq!(saved(&mut page).await, text.as_bytes());
        for kind in ["map", "png", "txt"] {
            assert!(page.ask(json!({ "do": "save", "as": kind })).await.fault().contains("hexes"), "{kind}");
        }
        let [from, to] = ends(&opened);
        let world = Snapshot::from(hexagon.clone());
        let planner = Planner::new(&world, "a-star").unwrap();
        let at = |[x, y]: [u16; 2]| portolan::HexCell::at(x, y);
        let route = planner.find(&world, Query::new(at(from), at(to)), &mut Scratch::new()).unwrap();
        let found = page.find("a-star", from, to, true).await;
        assert_eq!(found["steps"], route.route().unwrap().steps(), "{}", found.head);

        // What a page sends after its line broke has the shape of before.
        let mut parts = Parts::default();
        parts.push("weights", opened.bytes("weights").to_vec());
        let mut restore = crate::client::restore(15, 15);
        restore["grid"] = json!("hexagon");
        assert_eq!(page.ask_with(restore.clone(), &parts).await["free"], opened["free"]);
        assert_eq!(saved(&mut page).await, text.as_bytes());
        restore["grid"] = json!("hex");
        let rectangle = page.ask_with(restore, &parts).await;
        assert_eq!(rectangle["grid"], "hex", "{}", rectangle.head);

        let mut parts = Parts::default();
        parts.push("bytes", text.clone().into_bytes());
        let upload = json!({ "do": "upload", "name": "mine.hex", "corners": "strict", "directions": 8 });
        assert_eq!(page.ask_with(upload.clone(), &parts).await["grid"], "hexagon");
        let mut parts = Parts::default();
        parts.push("bytes", Numbers::U8(b"portolan hex 1\nnonsense\n".to_vec()));
        assert!(page.ask_with(upload, &parts).await.fault().starts_with("mine.hex:"));
        let squares = page.builtin("keep").await;
        assert!(squares["grid"].is_null());
        assert!(page.ask(json!({ "do": "save", "as": "hex" })).await.fault().contains("squares"));
    });
    std::fs::remove_dir_all(&folder).unwrap();
}
