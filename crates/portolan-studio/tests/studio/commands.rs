//! Every command as it is meant to be used; the numbers in the answers are compared with those of the library.

use crate::client::{Page, Reply, config, find, made, restore, with_config, with_server};
use portolan::generate::Random;
use portolan::probe::Stats;
use portolan::{ALGORITHMS, Cell, Outcome, Planner, Query, Rules, Scratch, Snapshot, SquareGrid};
use portolan_lab::worlds::builtin;
use portolan_studio::Config;
use portolan_studio::frame::Parts;
use serde_json::{Value, json};

const FROM: [u16; 2] = [36, 4];
const TO: [u16; 2] = [52, 33];

fn harbour() -> Snapshot {
    Snapshot::from(builtin("harbour").unwrap().grid(Rules::default()))
}

fn cells(numbers: &[u16]) -> Vec<Cell> {
    numbers.chunks_exact(2).map(|pair| Cell::new(pair[0], pair[1])).collect()
}

#[test]
fn the_catalogue_lists_all_there_is() {
    with_server(async |server| {
        let (_page, catalogue) = server.greeted().await;
        let names = |key: &str| -> Vec<String> {
            let listed = catalogue[key].as_array().unwrap().iter();
            listed.map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
        };
        let algorithms = names("algorithms");
        assert_eq!(algorithms[0], "auto");
        assert_eq!(algorithms[1..], *ALGORITHMS.iter().map(|algorithm| algorithm.name).collect::<Vec<_>>());
        assert_eq!(names("builtin")[0], "harbour");
        assert!(names("recipes").contains(&"hills".to_owned()) && names("cases").contains(&"flicker".to_owned()));
        assert!(names("studies").contains(&"hpa-2004".to_owned()));
        assert_eq!((&catalogue["folder"], &catalogue["maps"]), (&Value::Null, &json!([])));
        assert_eq!(
            catalogue["limits"],
            json!({ "cells": 4_194_304, "upload": 16 << 20, "side": 8192, "panes": 3, "crew": 8, "crowd": 5000, "whole_crowd": 30_000, "minds": 4, "blocks": 400, "memory": 2_u64 << 30 })
        );
        let settings: Vec<&Value> =
            catalogue["mind_params"].as_array().unwrap().iter().map(|param| &param["name"]).collect();
        assert!(settings.starts_with(&[&json!("knowledge"), &json!("delta"), &json!("stretch"), &json!("most")]));
        assert!(!settings.contains(&&json!("ask")), "minds of a page are compared and do not talk");
        let weighted = algorithms.iter().position(|name| name == "weighted-a-star").unwrap();
        let range = &catalogue["algorithms"][weighted]["params"][0]["range"];
        assert_eq!(range["kind"], "number", "{range}");
    });
}

#[test]
fn a_world_is_opened_as_the_library_has_it() {
    with_server(async |server| {
        let mut page = server.page().await;
        let reply = page.builtin("harbour").await;
        let world = harbour();
        assert_eq!(reply.bytes("weights"), world.to_weights());
        assert_eq!((reply.number("width"), reply.number("free")), (72.0, world.free_cells() as f64));
        assert_eq!(reply["straight"], world.metric().straight());
        assert_eq!(reply["ref"], json!({ "kind": "builtin", "name": "harbour" }));
        assert_eq!(reply["promises"]["a-star"], json!({ "promise": "optimal" }));
        assert_eq!(reply["case"], Value::Null);
        let racers = reply["racers"].as_array().unwrap();
        assert_eq!(racers[..3], [json!("a-star"), json!("jump-point"), json!("rhumb")]);
        assert_eq!(racers.len(), ALGORITHMS.len(), "all run here, and each is listed once");

        let island = page.builtin("island").await;
        assert!(island["promises"]["jump-point"]["needs"].is_string(), "{}", island["promises"]);
        assert_eq!(island["racers"].as_array().unwrap()[..3], [json!("a-star"), json!("rhumb"), json!("hpa-star")]);
        let hills = page.open(made("hills", 40, 30, 7)).await;
        assert_eq!((hills.bytes("weights").len(), &hills["ref"]["seed"]), (1200, &json!(7)));

        let unknown = page.ask(json!({ "do": "open", "world": { "kind": "builtin", "name": "atlantis" }, "corners": "strict", "directions": 8 }));
        assert!(unknown.await.fault().contains("atlantis"));
    });
}

#[test]
fn what_is_saved_can_be_brought_back() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = page.builtin("island").await;
        for (kind, keeps_weights) in [("map", false), ("png", true), ("txt", true)] {
            page.builtin("island").await;
            let file = page.ask(json!({ "do": "save", "as": kind })).await;
            assert_eq!(file["name"], format!("island.{kind}"));
            let mut parts = Parts::default();
            parts.push("bytes", file.bytes("bytes").to_vec());
            let upload = json!({ "do": "upload", "name": file["name"], "corners": "strict", "directions": 8 });
            let back = page.ask_with(upload, &parts).await;
            assert_eq!(back["ref"], json!({ "kind": "file", "name": format!("island.{kind}") }));
            let (old, new) = (opened.bytes("weights"), back.bytes("weights"));
            let same =
                old.iter().zip(new).all(|(old, new)| if keeps_weights { old == new } else { (*old > 0) == (*new > 0) });
            assert!(same && old.len() == new.len(), "{kind}");
        }
        page.open(made("open", 9, 9, 1)).await;
        page.edit(1, &[[1, 1, 1, 1, 200]]).await;
        assert!(page.ask(json!({ "do": "save", "as": "txt" })).await.fault().contains("up to 9"));
    });
}

#[test]
fn a_world_comes_back_with_every_weight() {
    with_server(async |server| {
        let mut page = server.page().await;
        let weights: Vec<u8> = (0..=255).collect();
        let mut parts = Parts::default();
        parts.push("weights", weights.clone());
        let back = page.ask_with(restore(32, 8), &parts).await;
        assert_eq!((&back["width"], &back["height"]), (&json!(32), &json!(8)), "{}", back.head);
        assert_eq!(back["ref"], json!({ "kind": "file", "name": "mine" }));
        assert_eq!(back.bytes("weights"), weights);
        assert_eq!(page.find("a-star", [1, 0], [31, 7], false).await["outcome"], "reached");
    });
}

#[test]
fn every_algorithm_finds_what_the_library_finds() {
    let world = harbour();
    let query = Query::new((FROM[0], FROM[1]), (TO[0], TO[1]));
    let shortest = Planner::new(&world, "a-star").unwrap().find(&world, query, &mut Scratch::new()).unwrap();
    let shortest = shortest.route().unwrap().length(&world);
    with_server(async |server| {
        let mut page = server.page().await;
        page.builtin("harbour").await;
        for algorithm in ALGORITHMS {
            let planner = Planner::new(&world, algorithm.name).unwrap();
            let mut stats = Stats::default();
            let outcome = planner.watch(&world, query, &mut Scratch::new(), &mut stats).unwrap();
            let reply = page.find(algorithm.name, FROM, TO, true).await;
            let context = format!("{}: {}", algorithm.name, reply.head);
            assert_eq!((&reply["re"], &reply["outcome"]), (&json!("found"), &json!(outcome.name())), "{context}");
            assert_eq!(reply["stats"]["expanded"], stats.expanded, "{context}");
            assert_eq!(reply["stats"]["pushes"], stats.pushes, "{context}");
            assert_eq!((&reply["built"], &reply["cut"]), (&json!(true), &json!(false)), "{context}");
            let (events, costs) = (reply.u32s("events"), reply.u32s("costs"));
            assert_eq!(events.len(), costs.len());
            let expanded = events.iter().filter(|&event| matches!(event >> 28, 0 | 8)).count();
            assert_eq!(expanded as u64, stats.expanded, "{context}");
            let Outcome::Reached(route) = outcome else { continue };
            assert_eq!(cells(reply.u16s("route")), route.cells(), "{context}");
            assert_eq!(reply["cost"], route.cost().0, "{context}");
            assert!((reply.number("length") - route.length(&world)).abs() < 1e-9, "{context}");
            assert!((reply.number("optimum") - shortest).abs() < 1e-9, "{context}");
            assert!(reply.number("find_us") > 0.0 && reply.number("build_us") >= 0.0, "{context}");
        }
        let again = page.find(ALGORITHMS[ALGORITHMS.len() - 1].name, FROM, TO, false).await;
        assert_eq!(again["built"], false);
        assert!(again.parts.get("events").is_none());
    });
}

#[test]
fn auto_says_what_it_takes_and_why() {
    with_server(async |server| {
        let mut page = server.page().await;
        page.builtin("harbour").await;
        let reply = page.find("auto", FROM, TO, false).await;
        assert_eq!(reply["algorithm"], "jump-point");
        assert!(reply["why"].as_str().unwrap().contains("uniform"));
        // Heavy ground makes `auto` choose another algorithm, and undoing the edit brings the first choice back.
        let edited = page.edit(1, &[[40, 10, 3, 3, 4]]).await;
        assert_eq!(edited["found"]["algorithm"], "a-star", "{}", edited.head);
        assert_eq!(edited["repair"]["rebuilt"], true);
        let undone = page.ask(json!({ "do": "undo" })).await;
        assert_eq!(undone["found"]["algorithm"], "jump-point", "{}", undone.head);
    });
}

#[test]
fn what_cannot_be_asked_is_told() {
    with_server(async |server| {
        let mut page = server.page().await;
        for command in ["undo", "redo", "outline", "legs", "end"] {
            let reply = page.ask(json!({ "do": command })).await;
            assert!(command == "end" || reply.fault().contains("no world"), "{command}");
        }
        page.builtin("harbour").await;
        assert!(page.ask(json!({ "do": "undo" })).await.fault().contains("undo"));
        assert!(page.ask(json!({ "do": "outline" })).await.fault().contains("route"));
        assert!(page.find("teleport", FROM, TO, false).await.fault().contains("teleport"));
        assert!(page.find("a-star", FROM, [999, 4], false).await.fault().contains("off the map"));
        let mut bad = find("a-star", FROM, TO, false);
        bad["settings"] = json!({ "speed": "9" });
        assert!(page.ask(bad).await.fault().contains("speed"));
        assert!(page.edit(1, &[[70, 1, 9, 1, 0]]).await.fault().contains("does not lie on"));
        assert!(page.edit(1, &[[1, 1, 0, 1, 0]]).await.fault().contains("does not lie on"));
        assert!(page.edit(1, &[[1, 1, 1, 1, 256]]).await.fault().contains("255"));
        let mut parts = Parts::default();
        parts.push("edits", vec![1_u16, 2, 3]);
        assert!(page.ask_with(json!({ "do": "edit", "stroke": 1 }), &parts).await.fault().contains("five"));
        assert!(page.ask(json!({ "do": "edit", "stroke": 1 })).await.fault().contains("part"));
        // An error leaves the session as it was.
        assert_eq!(page.find("a-star", FROM, TO, false).await["outcome"], "reached");
    });
}

/// The world that a page has drawn from the answers it got.
struct Drawn {
    width: usize,
    weights: Vec<u8>,
}

impl Drawn {
    fn new(opened: &Reply) -> Drawn {
        Drawn { width: opened.number("width") as usize, weights: opened.bytes("weights").to_vec() }
    }

    fn patch(&mut self, reply: &Reply) {
        for edit in reply.u16s("patch").chunks_exact(5) {
            let [x, y, width, height] = [0, 1, 2, 3].map(|index| usize::from(edit[index]));
            for row in y..y + height {
                self.weights[row * self.width + x..][..width].fill(edit[4] as u8);
            }
        }
    }
}

#[test]
fn edits_are_followed_and_undone_and_the_question_is_asked_again() {
    with_server(async |server| {
        let mut page = server.page().await;
        for algorithm in ["hpa-star", "rhumb", "jump-point", "dhpa-star", "jump-graph", "shpa-star"] {
            let opened = page.builtin("harbour").await;
            let (mut drawn, mut random) = (Drawn::new(&opened), Random::new(3));
            page.find(algorithm, FROM, TO, false).await;
            let mut seen = vec![drawn.weights.clone()];
            for stroke in 0..12 {
                for _ in 0..2 {
                    let (x, y) = (random.below(68) as u16, random.below(30) as u16);
                    let reply = page.edit(stroke, &[[x, y, 3, 2, random.below(2) as u16]]).await;
                    assert_eq!(
                        (&reply["re"], &reply["undo"]),
                        (&json!("edited"), &json!(stroke + 1)),
                        "{}",
                        reply.head
                    );
                    drawn.patch(&reply);
                    checked(&drawn, algorithm, &reply);
                }
                seen.push(drawn.weights.clone());
            }
            for weights in seen.iter().rev().skip(1) {
                let reply = page.ask(json!({ "do": "undo" })).await;
                drawn.patch(&reply);
                assert!(drawn.weights == *weights, "{algorithm}");
                checked(&drawn, algorithm, &reply);
            }
            for weights in &seen[1..] {
                drawn.patch(&page.ask(json!({ "do": "redo" })).await);
                assert!(drawn.weights == *weights, "{algorithm}");
            }
            let saved = page.ask(json!({ "do": "save", "as": "txt" })).await;
            let text = portolan_formats::ascii::read(saved.bytes("bytes"), Rules::default()).unwrap();
            assert_eq!(text.grid.to_weights(), drawn.weights);
            page.ask(json!({ "do": "rest" })).await;
            assert_eq!(page.edit(99, &[[1, 1, 1, 1, 0]]).await["found"], Value::Null);
        }
    });
}

/// Checks that what was found after an edit agrees with what a planner built anew finds.
fn checked(drawn: &Drawn, algorithm: &str, reply: &Reply) {
    let height = drawn.weights.len() / drawn.width;
    let grid = SquareGrid::from_weights(drawn.width, height, &drawn.weights, Rules::default()).unwrap();
    let world = Snapshot::from(grid);
    assert_eq!(reply["free"], world.free_cells());
    let planner = Planner::new(&world, "a-star").unwrap();
    let found = &reply["found"];
    match planner.find(&world, Query::new((FROM[0], FROM[1]), (TO[0], TO[1])), &mut Scratch::new()) {
        Ok(Outcome::Reached(route)) => {
            let optimum = found["optimum"].as_f64().unwrap_or_else(|| panic!("{algorithm}: {found}"));
            assert!((optimum - route.length(&world)).abs() < 1e-9, "{algorithm}: {found}");
            let own = portolan::Route::new(
                cells(reply.u16s("route")),
                portolan::Cost(found["cost"].as_u64().unwrap() as u32),
            );
            own.check(&world).unwrap();
            assert!(reply["repair"].is_object() && found["built"] == false, "{algorithm}: {}", reply.head);
        }
        Ok(outcome) => assert_eq!(found["outcome"], outcome.name(), "{algorithm}"),
        Err(error) => assert_eq!(found["error"], error.to_string(), "{algorithm}"),
    }
}

#[test]
fn an_outline_legs_and_trees_are_the_planners() {
    with_server(async |server| {
        let mut page = server.page().await;
        page.builtin("harbour").await;
        for algorithm in ["hpa-star", "dhpa-star", "rhumb", "jump-graph", "shpa-star", "a-star"] {
            let found = page.find(algorithm, FROM, TO, false).await;
            let world = harbour();
            let planner = Planner::new(&world, algorithm).unwrap();
            let outline = planner.outline(&world).unwrap().unwrap_or_default();
            let reply = page.ask(json!({ "do": "outline" })).await;
            assert_eq!((&reply["algorithm"], &reply["layers"]), (&json!(algorithm), &json!(outline.layers.len())));
            assert_eq!(reply.u16s("regions").len(), 5 * outline.regions.len());
            for (index, layer) in outline.layers.iter().enumerate() {
                assert_eq!(cells(reply.u16s(&format!("ports{index}"))), layer.ports, "{algorithm}");
                assert_eq!(reply.u16s(&format!("ways{index}")).len(), 4 * layer.ways.len(), "{algorithm}");
                assert_eq!(reply.u32s(&format!("labels{index}")), layer.labels, "{algorithm}");
                if let Some(&port) = layer.ports.first() {
                    let tree = page.ask(json!({ "do": "tree", "port": [port.x, port.y] })).await;
                    assert_eq!(tree.u16s("steps").len(), 4 * planner.tree(&world, port).unwrap().len(), "{algorithm}");
                }
            }
            let legs = page.ask(json!({ "do": "legs" })).await;
            let walked = cells(legs.u16s("cells"));
            assert_eq!((walked[0], walked[walked.len() - 1]), (Cell::new(36, 4), Cell::new(52, 33)), "{algorithm}");
            assert_eq!(legs.u32s("ends").last(), Some(&(walked.len() as u32)));
            assert_eq!(legs["refine_us"].as_array().unwrap().len(), legs.u32s("ends").len());
            assert_eq!(found["in_legs"], planner.plans_in_legs());
            assert!(!legs.u16s("waypoints").is_empty(), "{algorithm}");
        }
    });
}

#[test]
fn races_and_studies_tell_how_far_they_are_and_come_with_their_pages() {
    with_server(async |server| {
        let mut page = server.page().await;
        page.builtin("harbour").await;
        page.edit(1, &[[1, 1, 3, 3, 0]]).await;
        let entrants = json!([{ "algorithm": "auto", "settings": {} }, { "algorithm": "hpa-star", "settings": { "levels": "2" } }]);
        let race = json!({ "do": "race", "worlds": ["here", { "kind": "builtin", "name": "maze" }], "entrants": entrants, "queries": 20, "seed": 1, "repeat": 2, "edits": 10 });
        let id = page.send(race, &Parts::default()).await;
        let first = page.hear().await;
        assert_eq!((&first["re"], &first["id"]), (&json!("progress"), &json!(id)));
        let result = last(&mut page).await;
        assert_eq!(result["re"], "result", "{}", result.head);
        let json: Value = serde_json::from_slice(result.bytes("json")).unwrap();
        assert_eq!((&json[0]["map"], &json[1]["rows"][1]["algorithm"]), (&json!("harbour"), &json!("hpa-star")));
        assert_eq!(json[0]["edits"]["count"], 10);
        assert!(
            result.bytes("html").starts_with(b"<!doctype html>")
                || result.bytes("html").starts_with(b"<!DOCTYPE html>")
        );
        assert!(!result.bytes("tsv").is_empty() && !result.bytes("csv").is_empty());

        let study =
            page.ask(json!({ "do": "study", "name": "atlantis", "maps": null, "quick": true, "seed": 1 })).await;
        assert!(study.fault().contains("atlantis"));
        let study =
            page.ask(json!({ "do": "study", "name": "hpa-2004", "maps": "../..", "quick": true, "seed": 1 })).await;
        assert!(study.fault().contains("folder"));
        page.send(
            json!({ "do": "study", "name": "hpa-2004", "maps": null, "quick": false, "seed": 1 }),
            &Parts::default(),
        )
        .await;
        assert_eq!(page.hear().await["re"], "progress");
        page.send(json!({ "do": "cancel" }), &Parts::default()).await;
        assert!(last(&mut page).await.fault().contains("cancelled"));
        // The page can still be used.
        assert_eq!(page.find("a-star", FROM, TO, false).await["outcome"], "reached");
    });
}

async fn last(page: &mut Page) -> Reply {
    loop {
        let reply = page.hear().await;
        if reply["re"] != "progress" {
            return reply;
        }
    }
}

#[test]
fn maps_are_opened_from_the_folder_and_from_nowhere_else() {
    let folder = std::env::temp_dir().join(format!("portolan-studio-{}", std::process::id()));
    let maps = folder.join("maps/small");
    std::fs::create_dir_all(&maps).unwrap();
    let map = "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n";
    std::fs::write(maps.join("a.map"), map).unwrap();
    std::fs::write(folder.join("secret.map"), map).unwrap();
    with_config(Config { maps: Some(folder.join("maps")), ..config() }, async |server| {
        let (mut page, catalogue) = server.greeted().await;
        assert_eq!(catalogue["maps"], json!([{ "name": "small/a.map", "width": 3, "height": 2 }]));
        assert!(catalogue["folder"].is_string());
        let opened = page.open(json!({ "kind": "map", "name": "small/a.map" })).await;
        assert_eq!(opened.bytes("weights"), [1, 1, 0, 1, 1, 1]);
        for name in ["../secret.map", "/etc/passwd", "small", "small/b.map", ""] {
            let world = json!({ "kind": "map", "name": name });
            let refused = page.ask(json!({ "do": "open", "world": world, "corners": "strict", "directions": 8 })).await;
            refused.fault();
        }
        let study = json!({ "do": "study", "name": "hpa-2004", "maps": "small", "quick": true, "seed": 1 });
        let result = page.ask(study).await;
        assert_eq!((&result["re"], &result["name"]), (&json!("result"), &json!("hpa-2004")), "{}", result.head);
        let json: Value = serde_json::from_slice(result.bytes("json")).unwrap();
        assert!(json["maps"] == 1 && !result.bytes("html").is_empty(), "{json}");
        assert!(result.parts.get("tsv").is_none());
    });
    std::fs::remove_dir_all(&folder).unwrap();
}
