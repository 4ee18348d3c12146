//! Minds that a page sends off: what it is told of them tick by tick, edits, other goals, and what is refused.

use crate::client::{Page, Reply, made, with_server};
use portolan_studio::frame::Numbers;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn minds(settings: &[Value], opened: &Reply) -> Value {
    json!({ "do": "minds", "minds": settings, "from": opened["from"], "to": opened["to"], "seed": 3 })
}

/// What a page knows of one mind.
#[derive(Default)]
struct Known {
    walked: Vec<Vec<f32>>,
    counters: BTreeMap<u32, u16>,
    places: Vec<Vec<f32>>,
    shortest: Vec<Vec<f32>>,
}

fn places(numbers: &Numbers) -> Vec<Vec<f32>> {
    match numbers {
        Numbers::U16(cells) => cells.chunks(2).map(|at| at.iter().map(|&one| f32::from(one)).collect()).collect(),
        Numbers::F32(points) => points.chunks(3).map(<[f32]>::to_vec).collect(),
        other => panic!("{other:?}"),
    }
}

impl Known {
    /// Takes over what an answer tells of a mind.
    fn take(&mut self, reply: &Reply, number: usize) {
        let part = |name: &str| reply.parts.get(&format!("{name}{number}")).unwrap_or_else(|| panic!("{name}"));
        self.places.extend(reply.parts.get("places").map(places).unwrap_or_default());
        let before = self.walked.len();
        self.walked.extend(places(part("walked")));
        let ends = reply.u32s(&format!("ends{number}"));
        assert_eq!(ends.len(), self.walked.len() - before, "one for each tick");
        assert!(
            ends.is_sorted()
                && ends.last().is_none_or(|&end| end as usize == reply.u32s(&format!("changed{number}")).len())
        );
        for (node, counter) in
            reply.u32s(&format!("changed{number}")).iter().zip(reply.u16s(&format!("counters{number}")))
        {
            self.counters.insert(*node, *counter);
        }
        if let Some(route) = reply.parts.get(&format!("shortest{number}")) {
            self.shortest = places(route);
        }
        self.counters.retain(|_, counter| *counter > 0);
        assert_eq!(reply["minds"][number]["known"], self.counters.len(), "{}", reply.head);
    }
}

/// Sends minds off and lets them walk to the end, a few ticks at a time.
async fn walk(page: &mut Page, command: Value) -> (Reply, Vec<Known>) {
    let mut reply = page.ask(command).await;
    assert_eq!((&reply["re"], &reply["tick"]), (&json!("minded"), &json!(0)), "{}", reply.head);
    let mut known: Vec<Known> = reply["minds"].as_array().unwrap().iter().map(|_| Known::default()).collect();
    loop {
        known.iter_mut().enumerate().for_each(|(number, known)| known.take(&reply, number));
        if reply["done"] == true {
            return (reply, known);
        }
        reply = page.ask(json!({ "do": "think", "count": 17 })).await;
    }
}

fn steps(mind: &Value) -> u64 {
    mind["steps"].as_array().unwrap().iter().map(|some| some.as_u64().unwrap()).sum()
}

#[test]
fn every_tick_of_every_mind_is_told() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = page.open(made("rooms", 60, 44, 2)).await;
        let settings = [
            json!({}),
            json!({ "knowledge": "40", "fade": "5", "most": "9" }),
            json!({ "knowledge": "100" }),
            json!({ "delta": "-1", "stretch": "10", "sight": "0" }),
        ];
        let (end, known) = walk(&mut page, minds(&settings, &opened)).await;
        let [from, to] = opened.ends().map(|at| at.map(f32::from).to_vec());
        for (number, known) in known.iter().enumerate() {
            let mind = &end["minds"][number];
            assert_eq!(mind["state"], "arrived", "{mind}");
            assert_eq!((&known.walked[0], known.walked.last().unwrap()), (&from, &to));
            assert_eq!((&known.shortest[0], known.shortest.last().unwrap()), (&from, &to));
            assert_eq!(known.walked.len() as u64, end["tick"].as_u64().unwrap() + 1);
            let moved = known.walked.windows(2).filter(|pair| pair[0] != pair[1]);
            let is_near = |pair: &&[Vec<f32>]| (0..2).all(|axis| (pair[0][axis] - pair[1][axis]).abs() <= 1.0);
            assert!(known.walked.windows(2).all(|pair| is_near(&pair)), "steps lead to cells beside");
            assert_eq!(moved.count() as u64, steps(mind));
            assert_eq!(mind["least"], known.shortest.len() - 1);
            assert!(steps(mind) + 1 >= known.shortest.len() as u64);
            let at = |node: &u32| &known.places[*node as usize];
            assert!(
                number == 1 || known.walked.iter().all(|walked| known.counters.keys().any(|node| at(node) == walked))
            );
        }
        let [unknowing, knowing] = [0, 2].map(|number: usize| known[number].counters.len());
        assert!(knowing > 2 * unknowing, "{knowing} and {unknowing}");
        let again = walk(&mut page, minds(&settings, &opened)).await;
        assert_eq!(again.0["minds"], end["minds"], "equal seeds give equal walks");
    });
}

#[test]
fn minds_follow_edits_and_goals_with_all_that_they_remember() {
    with_server(async |server| {
        let mut page = server.page().await;
        let mut opened = page.open(made("open", 40, 15, 1)).await;
        opened.head["from"] = json!([2, 7]);
        opened.head["to"] = json!([37, 7]);
        let begun = page.ask(minds(&[json!({ "knowledge": "100", "sight": "1" })], &opened)).await;
        assert_eq!(begun["minds"][0]["least"], 35);
        page.ask(json!({ "do": "think", "count": 3 })).await;
        // A wall far away: the mind does not know of it, and A* does.
        page.edit(1, &[[30, 0, 1, 14, 0]]).await;
        let told = page.ask(json!({ "do": "think", "count": 0 })).await;
        let least = told["minds"][0]["least"].as_u64().unwrap();
        assert!(least > 35 && told["tick"] == 3 && told.parts.get("shortest0").is_some(), "{}", told.head);
        let mut last = told;
        while last["done"] == false {
            last = page.ask(json!({ "do": "think", "count": 50 })).await;
        }
        assert_eq!(last["minds"][0]["state"], "arrived");
        assert!(steps(&last["minds"][0]) > least, "it walked up to the wall: {}", last.head);

        let known = last["minds"][0]["known"].as_u64().unwrap();
        let aimed = page.ask(json!({ "do": "aim", "to": [2, 2] })).await;
        assert_eq!((&aimed["done"], steps(&aimed["minds"][0])), (&json!(false), 0), "{}", aimed.head);
        let back = page.ask(json!({ "do": "think", "count": 9999 })).await;
        assert_eq!(back["minds"][0]["state"], "arrived");
        assert!(steps(&back["minds"][0]) >= back["minds"][0]["least"].as_u64().unwrap(), "{}", back.head);
        assert!(back["minds"][0]["known"].as_u64().unwrap() >= known);

        // A goal that is walled in.
        page.edit(2, &[[36, 0, 1, 15, 0]]).await;
        page.ask(json!({ "do": "aim", "to": [38, 3] })).await;
        let lost = page.ask(json!({ "do": "think", "count": 9999 })).await;
        assert_eq!((&lost["minds"][0]["state"], &lost["minds"][0]["least"]), (&json!("gave up"), &Value::Null));
        assert_eq!(page.ask(json!({ "do": "end" })).await["re"], "ended");
        assert!(page.ask(json!({ "do": "think", "count": 1 })).await.fault().contains("no mind"));
    });
}

#[test]
fn minds_walk_on_hexes_and_meshes_too() {
    with_server(async |server| {
        let mut page = server.page().await;
        let mut hexes = made("caves", 40, 30, 2);
        hexes["grid"] = json!("hex");
        for world in [hexes, json!({ "kind": "city", "columns": 3, "rows": 2, "seed": 4 })] {
            let opened = page.open(world).await;
            let settings = [json!({}), json!({ "knowledge": "100" })];
            let (end, known) = walk(&mut page, minds(&settings, &opened)).await;
            for (number, known) in known.iter().enumerate() {
                assert_eq!(end["minds"][number]["state"], "arrived", "{}", end.head);
                assert_eq!(known.places.len() as u64, end["hexagons"].as_u64().unwrap());
                assert!(known.walked.len() > 2 && known.walked.iter().all(|at| known.places.contains(at)));
            }
            assert!(known[1].counters.len() > known[0].counters.len());
        }
        // On the mesh, which is still open, they follow edits.
        let opened = page.open(json!({ "kind": "city", "columns": 3, "rows": 2, "seed": 4 })).await;
        let begun = page.ask(minds(&[json!({})], &opened)).await;
        page.edit(1, &[[5, 0, 1, 1, 0]]).await;
        let told = page.ask(json!({ "do": "think", "count": 5 })).await;
        assert_eq!((&told["re"], &told["tick"]), (&json!("minded"), &json!(5)), "{} after {}", told.head, begun.head);
    });
}

#[test]
fn what_minds_cannot_do_is_told() {
    with_server(async |server| {
        let mut page = server.page().await;
        let none = json!({ "do": "minds", "minds": [{}], "from": [1, 1], "to": [2, 2], "seed": 1 });
        assert!(page.ask(none.clone()).await.fault().contains("no world"));
        let opened = page.open(made("open", 30, 30, 1)).await;
        for count in [0, 5] {
            let fault = page.ask(minds(&vec![json!({}); count], &opened)).await;
            assert_eq!(fault.fault(), format!("one to 4 minds walk at a time, not {count}"));
        }
        let fault = page.ask(minds(&[json!({}), json!({ "delta": "0.9" })], &opened)).await;
        assert_eq!(fault.fault(), "mind 2: delta cannot be \"0.9\": it takes -1 to 0.8");
        page.edit(1, &[[1, 1, 1, 1, 0]]).await;
        assert_eq!(page.ask(none.clone()).await.fault(), "the start is blocked, and minds cannot stand there");
        assert!(page.ask(json!({ "do": "think", "count": 1 })).await.fault().contains("no mind"));
        page.ask(minds(&[json!({})], &opened)).await;
        let crowd = json!({ "do": "muster", "algorithm": "a-star", "settings": {}, "agents": 3, "radius": 0.3, "speed": 2, "seed": 1 });
        assert_eq!(page.ask(crowd).await["re"], "marched");
        assert!(page.ask(json!({ "do": "think", "count": 1 })).await.fault().contains("no mind"), "a crowd ends minds");
        page.ask(minds(&[json!({})], &opened)).await;
        assert!(page.ask(json!({ "do": "march", "count": 1 })).await.fault().contains("no crowd"), "and minds a crowd");
        let large = page.open(made("open", 600, 600, 1)).await;
        assert!(page.ask(minds(&[json!({})], &large)).await.fault().contains("at most 270000 hexagons"));
    });
}
