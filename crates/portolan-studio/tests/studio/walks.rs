//! Agents on their way, and the cases that are recorded from their walks.

use crate::client::{Reply, made, with_server};
use portolan::Planner;
use portolan_formats::case;
use portolan_lab::worlds::of_case;
use portolan_sim::{cases, run};
use portolan_studio::frame::Parts;
use serde_json::{Value, json};

fn sim(panes: &[&str], opened: &Reply, case: bool) -> Value {
    let panes: Vec<Value> = panes.iter().map(|name| json!({ "algorithm": name, "settings": {} })).collect();
    let replan = if case { opened["case"]["replan"].clone() } else { json!("touched") };
    json!({ "do": "sim", "panes": panes, "from": opened["from"], "to": opened["to"], "replan": replan, "case": case, "trace": true })
}

#[test]
fn a_case_goes_as_the_library_plays_it() {
    with_server(async |server| {
        let mut page = server.page().await;
        for name in ["wall-across", "flicker", "goal-walled-in", "mud-ahead", "landslide"] {
            let opened = page.open(json!({ "kind": "case", "name": name })).await;
            let case = cases::shipped(name).unwrap().case();
            assert_eq!((&opened["case"]["edits"], &opened["case"]["name"]), (&json!(case.edits.len()), &json!(name)));
            let world = portolan::World::from(of_case(&case.world, None, case.rules).unwrap());
            let planner = Planner::new(&world, "hpa-star").unwrap();
            let played = run(&case, world, planner).unwrap();
            let begun = page.ask(sim(&["hpa-star", "a-star"], &opened, true)).await;
            assert_eq!((&begun["re"], &begun["tick"]), (&json!("ticked"), &json!(0)), "{}", begun.head);
            assert!(begun.u16s("route0").len() > 2 && !begun.u32s("events1").is_empty());
            let end = page.walk_to_the_end().await;
            let (pane, work) = (&end["panes"][0], played.walker().work());
            assert_eq!(pane["state"], played.walker().state().name(), "{name}: {pane}");
            assert_eq!(pane["work"]["expanded"], work.expanded, "{name}");
            assert_eq!(pane["work"]["searches"], work.searches, "{name}");
            assert!((pane["work"]["walked"].as_f64().unwrap() - work.length).abs() < 1e-9, "{name}");
            assert_eq!(end["tick"], played.ticks(), "{name}");
            assert!(end["undo"].as_u64().unwrap() > 0, "what the case did can be undone");
        }
    });
}

#[test]
fn agents_hear_of_edits_and_a_record_plays_the_same() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = page.builtin("keep").await;
        let begun = page.ask(sim(&["rhumb", "jump-point", "auto"], &opened, false)).await;
        let route = begun.u16s("route1").to_vec();
        page.ask(json!({ "do": "tick", "count": 5 })).await;
        // A wall is drawn onto the route of the second agent.
        let middle = route.len() / 4 * 2;
        let (x, y) = (route[middle], route[middle + 1]);
        let edited = page.edit(1, &[[x, y, 1, 1, 0]]).await;
        assert_eq!(edited["re"], "edited");
        let heard = page.ask(json!({ "do": "tick", "count": 1 })).await;
        let log = heard["panes"][1]["log"].as_array().unwrap();
        assert!(log.iter().any(|entry| entry["kind"] == "touched"), "{log:?}");
        assert_eq!(heard["panes"][1]["rerouted"], true);
        assert_eq!(heard.u16s("walked1").len(), 2);
        page.ask(json!({ "do": "undo" })).await;
        let end = page.walk_to_the_end().await;
        assert_eq!(end["panes"][2]["state"], "arrived", "{}", end.head);

        let record = page.ask(json!({ "do": "record", "about": "a test" })).await;
        assert_eq!(record["name"], "keep.case");
        let recorded = case::read(record.bytes("bytes")).unwrap();
        assert!(
            matches!(recorded.world, case::CaseWorld::Named(_)) && recorded.edits.len() == 2,
            "{:?}",
            recorded.edits
        );
        let world = portolan::World::from(of_case(&recorded.world, None, recorded.rules).unwrap());
        let planner = Planner::new(&world, "rhumb").unwrap();
        let played = run(&recorded, world, planner).unwrap();
        assert!((played.walker().work().length - end["panes"][0]["work"]["walked"].as_f64().unwrap()).abs() < 1e-9);

        // If the world was edited before the agents set out, the case draws it.
        page.edit(9, &[[1, 1, 2, 2, 3]]).await;
        page.ask(sim(&["a-star"], &opened, false)).await;
        let record = page.ask(json!({ "do": "record", "about": "" })).await;
        let drawn = case::read(record.bytes("bytes")).unwrap();
        assert!(matches!(drawn.world, case::CaseWorld::Drawn(_)));
        let mut parts = Parts::default();
        parts.push("bytes", record.bytes("bytes").to_vec());
        let upload = json!({ "do": "upload", "name": "mine.case", "corners": "strict", "directions": 8 });
        let back = page.ask_with(upload, &parts).await;
        assert_eq!((&back["case"]["with"]["algorithm"], &back["from"]), (&json!("a-star"), &opened["from"]));

        assert_eq!(page.ask(json!({ "do": "end" })).await["re"], "ended");
        assert!(page.ask(json!({ "do": "tick", "count": 1 })).await.fault().contains("nobody"));
    });
}

#[test]
fn who_stands_still_goes_on_when_there_is_reason_to() {
    with_server(async |server| {
        let mut page = server.page().await;
        let mut opened = page.open(made("open", 30, 9, 1)).await;
        opened.head["from"] = json!([2, 4]);
        opened.head["to"] = json!([27, 4]);
        let mut sim = sim(&["a-star"], &opened, false);
        sim["trace"] = json!(false);
        page.ask(sim).await;
        page.edit(1, &[[20, 0, 1, 9, 0]]).await;
        let stopped = page.walk_to_the_end().await;
        assert_eq!((&stopped["panes"][0]["state"], &stopped["panes"][0]["left"]), (&json!("stopped"), &json!(0)));
        assert!(stopped["panes"][0]["why"].as_str().unwrap().contains("no way"));
        assert!(stopped.parts.get("events0").is_none());
        // The wall is removed, and the agent walks on.
        page.ask(json!({ "do": "undo" })).await;
        let resumed = page.ask(json!({ "do": "tick", "count": 1 })).await;
        assert_eq!((&resumed["panes"][0]["state"], &resumed["done"]), (&json!("walking"), &json!(false)));
        assert_eq!(page.walk_to_the_end().await["panes"][0]["at"], json!([27, 4]));
        // The agent walks to another goal, which a case cannot record.
        let aimed = page.ask(json!({ "do": "aim", "to": [2, 8] })).await;
        assert_eq!((&aimed["re"], &aimed["done"]), (&json!("ticked"), &json!(false)), "{}", aimed.head);
        assert_eq!(page.walk_to_the_end().await["panes"][0]["at"], json!([2, 8]));
        assert!(page.ask(json!({ "do": "record", "about": "" })).await.fault().contains("elsewhere"));
        assert!(page.ask(json!({ "do": "aim", "to": [99, 8] })).await.fault().contains("off the map"));
    });
}
