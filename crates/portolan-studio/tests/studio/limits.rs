//! Commands that ask for more than a page may have, and messages that are not commands.

use crate::client::{Page, Server, find, made, restore, with_server};
use futures_util::SinkExt;
use portolan::generate::Random;
use portolan_studio::frame::{Frame, Parts, encode};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

#[test]
fn what_is_too_large_is_refused() {
    with_server(async |server| {
        let mut page = server.page().await;
        let open = |world: Value| json!({ "do": "open", "world": world, "corners": "strict", "directions": 8 });
        assert!(page.ask(open(made("open", 4096, 4096, 1))).await.fault().contains("at most"));
        assert!(page.ask(open(made("open", 8193, 1, 1))).await.fault().contains("at most"));
        let upload = json!({ "do": "upload", "name": "a.map", "corners": "strict", "directions": 8 });
        let mut parts = Parts::default();
        parts.push("bytes", vec![b'x'; (16 << 20) + 1]);
        assert!(page.ask_with(upload.clone(), &parts).await.fault().contains("16 MiB"));
        let mut parts = Parts::default();
        parts.push("bytes", b"type octile\nheight 30000\nwidth 30000\nmap\n".to_vec());
        assert!(page.ask_with(upload, &parts).await.fault().contains("at most"));
        for (width, height, words) in [(4096, 4096, "at most"), (3, 3, "9 weights, not 6"), (0, 6, "1 to")] {
            let mut parts = Parts::default();
            parts.push("weights", vec![1_u8; 6]);
            assert!(page.ask_with(restore(width, height), &parts).await.fault().contains(words));
        }
        assert!(page.ask(restore(3, 2)).await.fault().contains("weights"));
        page.builtin("harbour").await;
        assert!(page.edit(1, &vec![[1, 1, 1, 1, 0]; 65_537]).await.fault().contains("at most"));
        assert!(page.edit(1, &[[0, 0, 65_535, 65_535, 0]; 3]).await.fault().contains("at most"));
        let panes = vec![json!({ "algorithm": "a-star", "settings": {} }); 4];
        let sim = json!({ "do": "sim", "panes": panes, "from": [1, 1], "to": [2, 2], "replan": "any", "case": false, "trace": false });
        assert!(page.ask(sim).await.fault().contains("one to 3"));
        let race = json!({ "do": "race", "worlds": ["here"], "entrants": [], "queries": 1, "seed": 1, "repeat": 1, "edits": 0 });
        assert!(page.ask(race).await.fault().contains("entrants"));

        // A message that is too large ends its own socket and no other.
        let mut other = server.page().await;
        let _ = other.socket.send(Message::Binary(vec![0; 17 << 20].into())).await;
        while other.heard().await.is_some() {}
        assert_eq!(page.find("a-star", [36, 4], [52, 33], false).await["outcome"], "reached");
    });
}

#[test]
fn too_many_pages_are_told_so() {
    with_server(async |server| {
        let mut pages = Vec::new();
        for _ in 0..256 {
            pages.push(server.page().await);
        }
        let host = server.address.to_string();
        let refused = server.knock(&host, Some(&format!("http://{host}"))).await.err().unwrap().to_string();
        assert!(refused.contains("503"), "{refused}");
        drop(pages);
        server.empties().await;
        server.page().await;
    });
}

#[test]
fn nonsense_is_answered_and_a_thousandfold_ends_the_socket() {
    with_server(async |server| {
        let mut page = server.page().await;
        for nonsense in ["", "{", "[]", "7", r#"{"do":"undo"}"#, r#"{"id":1.5,"do":"undo"}"#] {
            page.socket.send(Message::Text(nonsense.into())).await.unwrap();
            let reply = page.hear().await;
            assert_eq!(reply["id"], 0, "{nonsense}");
            reply.fault();
        }
        page.socket.send(Message::Text(r#"{"id":77,"do":"fly"}"#.into())).await.unwrap();
        let reply = page.hear().await;
        assert!(reply["id"] == 77 && reply.fault().contains("fly"), "{}", reply.head);
        page.builtin("harbour").await;
        for _ in 0..1000 {
            page.socket.send(Message::Text("{".into())).await.unwrap();
        }
        let mut heard = 0;
        while page.heard().await.is_some() {
            heard += 1;
        }
        assert_eq!(heard, 1000);
        server.empties().await;
    });
}

#[test]
fn a_long_search_can_be_cancelled() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = page.open(made("maze", 2000, 2000, 1)).await;
        let [from, to] = opened.ends();
        let mut endless = find("ida-star", from, to, true);
        endless["settings"] = json!({ "budget": "1000000000000" });
        page.send(endless.clone(), &Parts::default()).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        let start = Instant::now();
        page.send(json!({ "do": "cancel" }), &Parts::default()).await;
        assert_eq!(page.hear().await["outcome"], "out-of-budget");
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());

        // A search that still waits for its turn is cancelled too.
        page.send(endless.clone(), &Parts::default()).await;
        page.send(endless.clone(), &Parts::default()).await;
        page.send(json!({ "do": "cancel" }), &Parts::default()).await;
        for _ in 0..2 {
            assert_eq!(page.hear().await["outcome"], "out-of-budget");
        }
        // A page that closes cancels what it asked for.
        page.send(endless, &Parts::default()).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        drop(page);
        server.empties().await;
    });
}

#[test]
fn a_planner_being_built_can_be_cancelled() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = page.open(made("noise", 1500, 1500, 1)).await;
        let [from, to] = opened.ends();
        // This planner takes seconds to build.
        let large = find("rhumb", from, to, false);
        let asked = page.send(large.clone(), &Parts::default()).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        page.send(json!({ "do": "cancel", "only": "find" }), &Parts::default()).await;
        let reply = page.hear().await;
        assert!(reply["id"] == asked && reply.fault().contains("given up"), "{}", reply.head);
        // The page can be used while the cancelled planner is built to its end.
        assert_eq!(page.find("jump-point", from, to, false).await["outcome"], "reached");
        assert_eq!(page.edit(1, &[[1, 1, 1, 1, 0]]).await["re"], "edited");

        // When the page closes, its session ends at the latest when the first planner is built: then the second one may
        // go on alone.
        page.send(large, &Parts::default()).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        drop(page);
        server.empties().await;
    });
}

/// Messages that are sent to the server, and how many of them at a time on one socket.
const FRAMES: usize = 100_000;
const VOLLEY: usize = 500;

#[test]
fn a_hundred_thousand_fuzzed_frames_do_no_harm() {
    with_server(async |server| {
        let mut witness = server.page().await;
        let mut random = Random::new(11);
        let mut sent = 0;
        let mut page = fresh(server).await;
        while sent < FRAMES {
            for _ in 0..VOLLEY {
                let message = fuzzed(&mut random);
                if page.socket.feed(message).await.is_err() {
                    page = fresh(server).await;
                }
                sent += 1;
            }
            // This command is answered last, whatever came of the messages before it.
            let _ = page.socket.send(Message::Text(r#"{"id":4711,"do":"rest"}"#.into())).await;
            loop {
                match page.heard().await {
                    Some(reply) if reply["id"] == 4711 && reply["re"] == "rested" => break,
                    Some(_) => {}
                    None => {
                        page = fresh(server).await;
                        break;
                    }
                }
            }
        }
        drop(page);
        witness.builtin("harbour").await;
        assert_eq!(witness.find("rhumb", [36, 4], [52, 33], true).await["outcome"], "reached");
        drop(witness);
        server.empties().await;
    });
}

async fn fresh(server: &Server) -> Page {
    let mut page = server.page().await;
    page.open(made("caves", 24, 24, 1)).await;
    page
}

fn fuzzed(random: &mut Random) -> Message {
    match random.below(4) {
        0 => Message::Binary((0..random.below(64)).map(|_| random.below(256) as u8).collect::<Vec<u8>>().into()),
        1 => {
            let letters: Vec<u8> =
                (0..random.below(48)).map(|_| b"{}[]\":,0 diopen"[random.below(15) as usize]).collect();
            Message::Text(String::from_utf8(letters).unwrap().into())
        }
        _ => mutated(random),
    }
}

/// Returns a valid command that was then changed at random.
fn mutated(random: &mut Random) -> Message {
    let spot = |random: &mut Random| json!([random.below(30), random.below(30)]);
    let mut parts = Parts::default();
    let head = match random.below(10) {
        0 => {
            json!({ "do": "open", "world": made("caves", random.below(40) as usize, 12, random.below(9)), "corners": "loose", "directions": 4 })
        }
        1 => {
            let edits: Vec<u16> = (0..random.below(12)).map(|_| random.below(28) as u16).collect();
            parts.push("edits", edits);
            json!({ "do": "edit", "stroke": random.below(3) })
        }
        2 => {
            parts.push("bytes", b"type octile\nheight 2\nwidth 2\nmap\n..\n.@\n".to_vec());
            json!({ "do": "upload", "name": "a.map", "corners": "strict", "directions": 8 })
        }
        3 => {
            let names = ["a-star", "hpa-star", "rhumb", "jump-point", "auto", "greedy"];
            let name = names[random.below(6) as usize];
            json!({ "do": "find", "algorithm": name, "settings": {}, "from": spot(random), "to": spot(random), "nearest": true, "trace": true })
        }
        4 => {
            let panes = json!([{ "algorithm": "jump-point", "settings": {} }]);
            json!({ "do": "sim", "panes": panes, "from": spot(random), "to": spot(random), "replan": "any", "case": true, "trace": true })
        }
        5 => json!({ "do": "tick", "count": random.below(5) }),
        6 => {
            let plain = ["undo", "redo", "rest", "outline", "legs", "end", "cancel"];
            json!({ "do": plain[random.below(7) as usize] })
        }
        7 => json!({ "do": "tree", "port": spot(random) }),
        8 => {
            parts.push("weights", vec![200_u8; random.below(7) as usize]);
            restore(3, 2)
        }
        _ => json!({ "do": "record", "about": "x" }),
    };
    let (mut bytes, is_text) = match encode(random.below(9), &head, &parts).unwrap() {
        Frame::Text(text) => (text.into_bytes(), true),
        Frame::Binary(bytes) => (bytes, false),
    };
    for _ in 0..random.below(3) {
        let place = random.below(bytes.len() as u64) as usize;
        match random.below(3) {
            0 => bytes[place] = random.below(256) as u8,
            1 => bytes.truncate(place.max(1)),
            _ => bytes.insert(place, b"0\"}x"[random.below(4) as usize]),
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) if is_text => Message::Text(text.into()),
        Ok(text) => Message::Binary(text.into_bytes().into()),
        Err(error) => Message::Binary(error.into_bytes().into()),
    }
}
