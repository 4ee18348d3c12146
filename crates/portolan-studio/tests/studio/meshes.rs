//! Navigation meshes: opened, searched, edited, saved and walked on by crowds, over the socket.

use crate::client::{Page, Reply, config, made, with_config, with_server};
use portolan::{MESH_ALGORITHMS, MeshParts, NavMesh, Planner, Query, Scratch, Snapshot};
use portolan_formats::navmesh;
use portolan_mesh::{BuildOptions, CityOptions, build, city};
use portolan_studio::Config;
use portolan_studio::frame::{Numbers, Parts};
use serde_json::{Value, json};
use std::ops::ControlFlow;

/// A floor of 20 by 20 with a wall across most of it.
const OBJ: &str = "\
v 0 0 0\nv 20 0 0\nv 20 0 20\nv 0 0 20\nf 1 4 3 2\n\
v 9 0 0\nv 11 0 0\nv 11 3 0\nv 9 3 0\nv 9 0 14\nv 11 0 14\nv 11 3 14\nv 9 3 14\n\
f 5 8 7 6\nf 9 10 11 12\nf 5 9 12 8\nf 6 7 11 10\nf 8 12 11 7\n";

fn city_of(columns: u16, rows: u16, seed: u64) -> Value {
    json!({ "kind": "city", "columns": columns, "rows": rows, "seed": seed })
}

/// Returns the mesh of a city as the library builds it.
fn library(columns: u16, rows: u16, seed: u64) -> Snapshot<NavMesh> {
    let geometry = city(CityOptions::new(columns, rows).unwrap(), seed);
    let parts = build(&geometry, &BuildOptions::default(), &mut |_| ControlFlow::Continue(())).unwrap();
    Snapshot::from(NavMesh::new(&parts).unwrap())
}

fn find(algorithm: &str, opened: &Reply, trace: bool) -> Value {
    let (from, to) = (&opened["from"], &opened["to"]);
    json!({ "do": "find", "algorithm": algorithm, "settings": {}, "from": from, "to": to, "nearest": false, "trace": trace })
}

async fn upload(page: &mut Page, name: &str, bytes: &[u8]) -> Reply {
    let mut parts = Parts::default();
    parts.push("bytes", bytes.to_vec());
    page.ask_with(json!({ "do": "upload", "name": name, "corners": "strict", "directions": 8 }), &parts).await
}

fn f32s<'a>(reply: &'a Reply, name: &str) -> &'a [f32] {
    match reply.parts.get(name) {
        Some(Numbers::F32(numbers)) => numbers,
        other => panic!("{name}: {other:?} in {}", reply.head),
    }
}

/// Returns the edit that gives a polygon this weight, as the page sends it.
fn weigh(polygon: u32, weight: u16) -> [u16; 5] {
    [(polygon % 256) as u16, (polygon / 256) as u16, 1, 1, weight]
}

#[test]
fn a_city_is_opened_and_every_algorithm_finds_what_the_library_finds() {
    with_server(async |server| {
        let (mut page, catalogue) = server.greeted().await;
        assert_eq!(catalogue["mesh_algorithms"].as_array().unwrap().len(), MESH_ALGORITHMS.len());
        let opened = page.open(city_of(2, 2, 3)).await;
        let world = library(2, 2, 3);
        let (polygons, portals) = (world.polygons(), world.portals());
        let mesh = &opened["mesh"];
        assert_eq!((&mesh["polygons"], &mesh["portals"]), (&json!(polygons), &json!(portals)));
        assert_eq!(opened["free"], polygons);
        assert_eq!(opened.u32s("first-corners").len(), polygons + 1);
        assert_eq!(f32s(&opened, "vertices").len(), 3 * world.vertices());
        let walls = opened.u32s("beyond").iter().filter(|&&beyond| beyond == u32::MAX).count();
        assert_eq!(opened.u32s("corners").len() - walls, 2 * portals);

        let origin = [0, 1].map(|axis| mesh["origin"][axis].as_f64().unwrap());
        let point = |place: &Value| {
            let number = |index: usize| place[index].as_f64().unwrap();
            world.point_on(number(0) as u32, [origin[0] + number(1), origin[1] + number(2)]).unwrap()
        };
        let query = Query::new(point(&opened["from"]), point(&opened["to"]));
        for algorithm in MESH_ALGORITHMS {
            let found = page.ask(find(algorithm.name, &opened, true)).await;
            assert_eq!((&found["re"], &found["outcome"]), (&json!("found"), &json!("reached")), "{}", found.head);
            let planner = Planner::build(&world, algorithm, algorithm.settings::<&str, &str>(&[]).unwrap()).unwrap();
            let outcome = planner.find(&world, query, &mut Scratch::new()).unwrap();
            let route = outcome.route().unwrap();
            assert!((found.number("length") - route.length(&world)).abs() < 1e-9, "{}", algorithm.name);
            assert!(found.number("optimum") <= found.number("length") + 1e-3);
            assert_eq!(f32s(&found, "route").len(), 3 * route.cells().len());
            let corridor = found.u32s("corridor");
            assert_eq!((corridor[0], corridor.last()), (query.from.polygon, Some(&query.to.polygon)));
            for pair in corridor.windows(2) {
                assert!(world.neighbours(pair[0]).any(|next| next == pair[1]), "{}: {pair:?}", algorithm.name);
            }
            assert!(found.u32s("events").iter().all(|event| ((event & 0xFFF_FFFF) as usize) < polygons + portals));
        }
    });
}

#[test]
fn portals_are_numbered_as_corners_are_met() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = page.open(city_of(1, 2, 5)).await;
        let world = library(1, 2, 5);
        let (corners, firsts) = (opened.u32s("corners"), opened.u32s("first-corners"));
        let vertices = f32s(&opened, "vertices");
        let mut portal = 0;
        for polygon in 0..world.polygons() {
            let range = firsts[polygon] as usize..firsts[polygon + 1] as usize;
            for corner in range.clone() {
                let beyond = opened.u32s("beyond")[corner];
                if beyond == u32::MAX || (beyond as usize) < polygon {
                    continue;
                }
                let next = if corner + 1 < range.end { corner + 1 } else { range.start };
                let middle = [0, 1].map(|axis| {
                    let at = |corner: usize| f64::from(vertices[3 * corners[corner] as usize + axis]);
                    opened["mesh"]["origin"][axis].as_f64().unwrap() + f64::midpoint(at(corner), at(next))
                });
                let node = portolan::probe::NodeId(portal);
                let [x, y, _] = world.coordinates(portolan::Space::place(&*world, node));
                assert!((x - middle[0]).abs() < 1e-3 && (y - middle[1]).abs() < 1e-3, "portal {portal}");
                portal += 1;
            }
        }
        assert_eq!(portal as usize, world.portals());
    });
}

#[test]
fn levels_of_nodes_are_told_for_every_polygon() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = page.open(city_of(3, 2, 1)).await;
        let found = page.ask(find("hna-star", &opened, false)).await;
        let outline = page.ask(json!({ "do": "outline" })).await;
        let levels = found["census"].as_array().unwrap();
        assert_eq!(outline["layers"], levels.len());
        let polygons = opened["mesh"]["polygons"].as_u64().unwrap() as usize;
        for (level, census) in levels.iter().enumerate() {
            let labels = outline.u32s(&format!("labels{level}"));
            assert_eq!(labels.len(), opened.bytes("weights").len());
            let mut nodes = labels[..polygons].to_vec();
            nodes.sort_unstable();
            nodes.dedup();
            assert_eq!(json!(nodes.len()), census["clusters"]);
            assert!(nodes[0] > 0 && labels[polygons..].iter().all(|&label| label == 0));
        }
    });
}

#[test]
fn polygons_are_blocked_and_weighed_and_that_is_undone() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = page.open(city_of(2, 2, 7)).await;
        let found = page.ask(find("hna-star", &opened, false)).await;
        let corridor = found.u32s("corridor").to_vec();
        let middle = corridor[corridor.len() / 2];
        let edited = page.edit(1, &[weigh(middle, 0)]).await;
        assert_eq!((&edited["undo"], &edited["repair"]["rebuilt"]), (&json!(1), &json!(false)), "{}", edited.head);
        assert_eq!(edited["free"], opened["mesh"]["polygons"].as_u64().unwrap() - 1);
        assert_eq!(edited.u16s("patch"), weigh(middle, 0));
        assert!(!edited.u32s("corridor").contains(&middle), "the route goes around");
        let heavier = page.edit(2, &[weigh(corridor[1], 5)]).await;
        assert!(heavier["found"]["optimum"].is_null(), "of polygons with weights no optimum is known");
        assert!(page.ask(find("polyanya", &opened, false)).await.fault().contains("one weight"));
        page.ask(find("hna-star", &opened, false)).await;
        page.ask(json!({ "do": "undo" })).await;
        let undone = page.ask(json!({ "do": "undo" })).await;
        assert_eq!(undone["found"]["cost"], found["cost"], "{}", undone.head);
        let again = page.ask(json!({ "do": "redo" })).await;
        assert_eq!((&again["found"]["cost"], &again["redo"]), (&edited["found"]["cost"], &json!(1)));
        let polygons = opened["mesh"]["polygons"].as_u64().unwrap() as u32;
        assert!(page.edit(3, &[weigh(polygons, 0)]).await.fault().contains("there is no polygon"));

        let saved = page.ask(json!({ "do": "save", "as": "mesh" })).await;
        assert_eq!(saved["name"], "city-2---2.mesh");
        let parts = navmesh::read(saved.bytes("bytes")).unwrap();
        assert_eq!((parts.polygons(), parts.weights[middle as usize]), (polygons as usize, 0));
        let name = saved["name"].as_str().unwrap().to_owned();
        let reopened = upload(&mut page, &name, saved.bytes("bytes")).await;
        assert_eq!((&reopened["free"], &reopened["mesh"]["agent"]), (&again["free"], &Value::Null));
    });
}

#[test]
fn geometry_is_built_for_the_agents_that_are_asked_for() {
    with_server(async |server| {
        let mut page = server.page().await;
        let slim = upload(&mut page, "hall.obj", OBJ.as_bytes()).await;
        assert_eq!((&slim["re"], &slim["name"]), (&json!("world"), &json!("hall.obj")), "{}", slim.head);
        assert_eq!(page.ask(find("polyanya", &slim, false)).await["outcome"], "reached");
        let mut parts = Parts::default();
        parts.push("bytes", OBJ.as_bytes().to_vec());
        let agent = json!({ "radius": 3.2, "height": 2.0, "climb": 0.5, "slope": 40.0, "cell": 0.4 });
        let stout = json!({ "do": "upload", "name": "hall.obj", "corners": "strict", "directions": 8, "agent": agent });
        let stout = page.ask_with(stout.clone(), &parts).await;
        assert!(stout["mesh"]["agent"]["radius"].as_f64() > Some(3.1), "{}", stout.head);
        assert_eq!(stout["mesh"]["components"], 2, "the way around the wall is too narrow");
        let fine = json!({ "do": "upload", "name": "hall.obj", "corners": "strict", "directions": 8, "agent": { "cell": 0.0001 } });
        assert!(page.ask_with(fine, &parts).await.fault().contains("take larger cells"));
    });
}

#[test]
fn what_is_no_mesh_is_told_with_what_is_wrong() {
    with_server(async |server| {
        let mut page = server.page().await;
        let before = page.open(city_of(1, 1, 1)).await;
        let wall = b"v 0 0 0\nv 9 0 0\nv 9 9 0\nf 1 2 3\n";
        assert!(upload(&mut page, "wall.obj", wall).await.fault().contains("no ground"));
        assert!(upload(&mut page, "void.obj", b"v 0 0 0\n").await.fault().contains("at least one face"));
        let mut hollow = MeshParts { vertices: vec![], ..MeshParts::default() };
        hollow.vertices = vec![[0., 0., 0.], [4., 0., 0.], [1., 1., 0.], [0., 4., 0.]];
        hollow.push(&[0, 1, 2, 3], 1);
        let fault = upload(&mut page, "hollow.mesh", &navmesh::write(&hollow)).await.fault().to_owned();
        assert!(fault.starts_with("hollow.mesh:") && fault.contains("polygon 0"), "{fault}");
        assert!(upload(&mut page, "text.mesh", b"mesh\n9\n").await.fault().starts_with("text.mesh:2"));
        assert!(upload(&mut page, "level.gltf", b"{}").await.fault().starts_with("level.gltf"));
        assert!(
            page.ask(json!({ "do": "open", "world": city_of(200, 1, 1), "corners": "strict", "directions": 8 }))
                .await
                .fault()
                .contains("200 x 1")
        );
        assert!(
            page.ask(json!({ "do": "open", "world": city_of(90, 90, 1), "corners": "strict", "directions": 8 }))
                .await
                .fault()
                .contains("at most 400")
        );
        // The mesh of before is still open.
        assert_eq!(page.ask(find("a-star", &before, false)).await["outcome"], "reached");
        let beyond = json!({ "do": "find", "algorithm": "a-star", "settings": {}, "from": [99_999, 0.5, 0.5], "to": before["to"], "nearest": false, "trace": false });
        assert!(page.ask(beyond).await.fault().contains("no polygon 99999"));
        assert!(page.find("a-star", [1, 1], [2, 2], false).await.fault().contains("a mesh is open"));
        let sim = json!({ "do": "tree", "port": [1, 1] });
        assert!(page.ask(sim).await.fault().contains("for worlds of squares and hexes"));
        page.open(made("open", 20, 20, 1)).await;
        assert!(page.ask(find("a-star", &before, false)).await.fault().contains("a point of a mesh"));
        assert!(page.ask(json!({ "do": "save", "as": "mesh" })).await.fault().contains("for meshes"));
    });
}

#[test]
fn meshes_lie_in_the_folder_of_maps() {
    let folder = std::env::temp_dir().join(format!("portolan-studio-meshes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("hall.obj"), OBJ).unwrap();
    let world = library(1, 1, 2);
    std::fs::write(folder.join("town.mesh"), navmesh::write(&world.to_parts())).unwrap();
    with_config(Config { maps: Some(folder.clone()), ..config() }, async |server| {
        let (mut page, catalogue) = server.greeted().await;
        let names: Vec<&str> =
            catalogue["maps"].as_array().unwrap().iter().map(|map| map["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["hall.obj", "town.mesh"]);
        let town = page.open(json!({ "kind": "map", "name": "town.mesh" })).await;
        assert_eq!(town["mesh"]["polygons"], world.polygons());
        let hall = page.open(json!({ "kind": "map", "name": "hall.obj" })).await;
        assert!(hall["mesh"]["agent"].is_object(), "{}", hall.head);
    });
    let small = Config { maps: Some(folder.clone()), memory: 8 << 20, ..config() };
    with_config(small, async |server| {
        let mut page = server.page().await;
        let hall = json!({ "do": "open", "world": { "kind": "map", "name": "hall.obj" }, "corners": "strict", "directions": 8 });
        assert!(page.ask(hall).await.fault().contains("are left for all pages"));
    });
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Lets a crowd walk for so many seconds and returns the last answer.
async fn marched(page: &mut Page, seconds: usize) -> Reply {
    let mut last = page.ask(json!({ "do": "march", "count": 60 })).await;
    for _ in 1..seconds {
        last = page.ask(json!({ "do": "march", "count": 60 })).await;
    }
    last
}

fn doing(reply: &Reply, name: &str) -> u64 {
    let states = reply["states"].as_array().unwrap();
    states.iter().find(|state| state["name"] == name).unwrap()["count"].as_u64().unwrap()
}

#[test]
fn crowds_walk_on_meshes_squares_and_hexes() {
    with_server(async |server| {
        let mut page = server.page().await;
        let mut hexes = made("rooms", 30, 24, 2);
        hexes["grid"] = json!("hex");
        for (world, algorithm) in
            [(city_of(1, 1, 1), "hna-star"), (made("rooms", 30, 24, 2), "rhumb"), (hexes, "a-star")]
        {
            page.open(world).await;
            let muster = json!({ "do": "muster", "algorithm": algorithm, "settings": {}, "agents": 20, "radius": 0.3, "speed": 4.0, "seed": 3 });
            let begun = page.ask(muster.clone()).await;
            assert_eq!((&begun["re"], &begun["tick"]), (&json!("marched"), &json!(0)), "{}", begun.head);
            assert_eq!((f32s(&begun, "places").len(), begun.bytes("states").len()), (60, 20));
            let later = marched(&mut page, 2).await;
            assert_eq!(later["tick"], 120);
            let moved = f32s(&begun, "places")
                .iter()
                .zip(f32s(&later, "places"))
                .filter(|(a, b)| (*a - *b).abs() > 0.5)
                .count();
            assert!(moved > 10, "{algorithm}: {moved}");
            let end = marched(&mut page, 40).await;
            assert_eq!(doing(&end, "arrived"), 20, "{algorithm}: {}", end["states"]);

            // An edit ends the crowd, and so does another world.
            page.ask(muster.clone()).await;
            page.edit(1, &[[3, 0, 1, 1, 0]]).await;
            assert!(page.ask(json!({ "do": "march", "count": 1 })).await.fault().contains("no crowd"));
            let mut many = muster.clone();
            many["agents"] = json!(6000);
            assert!(page.ask(many).await.fault().contains("one to 5000 agents"));
            let mut stout = muster;
            stout["radius"] = json!(-1.0);
            assert!(page.ask(stout).await.fault().contains("radius"));
        }
    });
}

#[test]
fn crowds_of_whole_numbers_may_be_larger() {
    with_server(async |server| {
        let mut page = server.page().await;
        let mut hexes = made("rooms", 30, 24, 2);
        hexes["grid"] = json!("hex");
        for (world, algorithm) in
            [(city_of(1, 1, 1), "hna-star"), (made("rooms", 30, 24, 2), "rhumb"), (hexes, "a-star")]
        {
            page.open(world).await;
            let muster = json!({ "do": "muster", "algorithm": algorithm, "settings": {}, "agents": 20, "radius": 0.3, "speed": 4.0, "seed": 3, "whole": true });
            let begun = page.ask(muster.clone()).await;
            assert_eq!((&begun["re"], &begun["tick"]), (&json!("marched"), &json!(0)), "{}", begun.head);
            assert!(begun["device"].is_string());
            assert_eq!((f32s(&begun, "places").len(), begun.bytes("states").len()), (60, 20));
            let end = marched(&mut page, 60).await;
            assert_eq!(doing(&end, "arrived"), 20, "{algorithm}: {}", end["states"]);
            let moved =
                f32s(&begun, "places").iter().zip(f32s(&end, "places")).filter(|(a, b)| (*a - *b).abs() > 0.5).count();
            assert!(moved > 10, "{algorithm}: {moved}");
            let mut many = muster.clone();
            many["agents"] = json!(40_000);
            assert!(page.ask(many).await.fault().contains("one to 30000 agents"));
            let mut fast = muster;
            fast["speed"] = json!(13.0);
            assert!(page.ask(fast).await.fault().contains("speed"));
        }
        page.open(made("open", 120, 100, 1)).await;
        let muster = json!({ "do": "muster", "algorithm": "jump-point", "settings": {}, "agents": 8000, "radius": 0.3, "speed": 2.0, "seed": 3, "whole": true });
        let begun = page.ask(muster).await;
        assert_eq!(begun.bytes("states").len(), 8000, "{}", begun.head);
    });
}
