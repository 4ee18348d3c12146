//! Games of keys and doors: they go as the library plays them, the player is steered, and what is wrong is told.

use crate::client::{Page, Reply, config, restore, with_config, with_server};
use portolan::Cell;
use portolan_lab::worlds::builtin;
use portolan_sim::testbed::{
    Agent, Follower, Followers, Formation, GoalWork, Heading, Obstructed, Options, Testbed, Traps,
};
use portolan_studio::frame::Parts;
use serde_json::{Value, json};

fn play(agents: &[&str], change: impl FnOnce(&mut Value)) -> Value {
    let agents: Vec<Value> = agents.iter().map(|name| json!({ "algorithm": name, "settings": {} })).collect();
    let mut play = json!({ "do": "play", "agents": agents, "traps": 5.0, "every": 10, "seed": 3, "monsters": true, "catching": false, "influence": false,
        "followers": 0, "formation": "file", "obstructed": "walk-on" });
    change(&mut play);
    play
}

async fn upload(page: &mut Page, drawing: &str) -> Reply {
    let mut parts = Parts::default();
    parts.push("bytes", drawing.as_bytes().to_vec());
    page.ask_with(json!({ "do": "upload", "name": "mine.txt", "corners": "strict", "directions": 8 }), &parts).await
}

/// Returns an answer without the times by the clock.
fn without_times(reply: &Reply) -> Value {
    let mut head = reply.head.clone();
    head["id"] = json!(0);
    for agent in head["agents"].as_array_mut().unwrap() {
        for goal in agent["goals"].as_array_mut().unwrap() {
            goal["us"] = json!(0);
        }
    }
    head
}

/// Checks that an answer shows this game.
fn shows(reply: &Reply, game: &Testbed) {
    assert_eq!((&reply["re"], &reply["tick"]), (&json!("played"), &json!(game.tick_count())), "{}", reply.head);
    assert_eq!(reply["done"], game.is_over());
    for (index, agent) in game.agents().iter().enumerate() {
        let told = &reply["agents"][index];
        assert_eq!((&told["name"], &told["state"]), (&json!(agent.name()), &json!(agent.state().name())));
        assert_eq!(told["at"], json!([agent.at().x, agent.at().y]), "{}", agent.name());
        let sum = GoalWork::sum(&game.work(index));
        let counted = |name: &str| -> u64 {
            told["goals"].as_array().unwrap().iter().map(|goal| goal[name].as_u64().unwrap()).sum()
        };
        let all =
            [("inserts", sum.inserts), ("removes", sum.removes), ("expanded", sum.expanded), ("steps", sum.steps)];
        for (name, count) in all {
            assert_eq!(counted(name), count, "{name} of {}", agent.name());
        }
    }
    let traps: Vec<u16> = game.traps().iter().flat_map(|trap| [trap.at.x, trap.at.y]).collect();
    assert_eq!(reply.u16s("traps"), traps);
    let routes: Vec<u16> =
        game.agents().iter().flat_map(|agent| agent.route().iter().flat_map(|cell| [cell.x, cell.y])).collect();
    assert_eq!(reply.u16s("routes"), routes);
    assert_eq!(reply.u32s("route-ends").len(), game.agents().len());
    for (told, monster) in reply["monsters"].as_array().unwrap().iter().zip(game.monsters()) {
        assert_eq!(
            (&told["at"], &told["mood"]),
            (&json!([monster.at().x, monster.at().y]), &json!(monster.mood().name()))
        );
        assert_eq!(told["facing"], json!([monster.heading().step().0, monster.heading().step().1]));
    }
    assert_eq!(reply.u32s("sight-ends").len(), game.monsters().len());
}

#[test]
fn a_game_goes_as_the_library_plays_it() {
    with_server(async |server| {
        let (mut page, mut other) = (server.page().await, server.page().await);
        let crew = ["a-star", "d-star-lite", "hpa-star"];
        for name in ["keep", "dungeon", "meadow"] {
            assert_eq!(page.builtin(name).await["level"], json!({ "fault": null }), "{name}");
            other.builtin(name).await;
            let options = Options { seed: 3, traps: Traps::new(5.0, 10), ..Options::default() };
            let mut game = Testbed::new(builtin(name).unwrap().level().unwrap(), &crew, options).unwrap();
            shows(&page.ask(play(&crew, |_| ())).await, &game);
            other.ask(play(&crew, |_| ())).await;
            for count in [1, 9, 30] {
                for _ in 0..count {
                    game.tick();
                }
                let told = page.ask(json!({ "do": "turn", "count": count })).await;
                shows(&told, &game);
                let again = other.ask(json!({ "do": "turn", "count": count })).await;
                assert_eq!(without_times(&told), without_times(&again), "{name}: equal seeds give equal games");
                assert!(told.parts == again.parts, "{name}");
            }
            while game.tick() {}
            let end = page.ask(json!({ "do": "turn", "count": 10_000 })).await;
            shows(&end, &game);
            assert_eq!(end["agents"][1]["state"], "finished");
        }
    });
}

#[test]
fn the_player_is_steered() {
    with_server(async |server| {
        let mut page = server.page().await;
        let opened = upload(&mut page, "o.xp\nAA.A\n..X.\n").await;
        assert_eq!(opened.u16s("entities").len(), 4 * 3);
        page.ask(play(&["a-star"], |play| play["traps"] = json!(0))).await;
        let mut told = page.ask(json!({ "do": "steer", "heading": 4 })).await;
        assert_eq!((&told["moved"], &told["player"]["at"]), (&json!(false), &json!([0, 0])), "there is a wall");
        for _ in 0..2 {
            told = page.ask(json!({ "do": "steer", "heading": 2 })).await;
        }
        assert_eq!(told["player"], json!({ "at": [2, 0], "keys": 1, "opened": 0, "steps": 2, "caught": 0 }));
        for _ in 0..2 {
            told = page.ask(json!({ "do": "steer", "heading": 4 })).await;
        }
        assert_eq!(
            (&told["player"]["at"], &told["player"]["opened"], &told["tick"]),
            (&json!([2, 2]), &json!(1), &json!(0))
        );
        assert!(page.ask(json!({ "do": "steer", "heading": 8 })).await.fault().contains("from 0"));
        assert_eq!(Heading::ALL[4].step(), (0, 1));
        assert_eq!(page.ask(json!({ "do": "end" })).await["re"], "ended");
        assert!(page.ask(json!({ "do": "steer", "heading": 2 })).await.fault().contains("no game"));
        upload(&mut page, "p.xX\n").await;
        page.ask(play(&["a-star"], |_| ())).await;
        assert!(page.ask(json!({ "do": "steer", "heading": 2 })).await.fault().contains("no player"));
    });
}

#[test]
fn followers_and_searches_are_shown() {
    with_server(async |server| {
        let mut page = server.page().await;
        page.builtin("keep").await;
        let crew = ["a-star", "d-star-lite"];
        let asked = play(&crew, |play| {
            play["followers"] = json!(3);
            play["formation"] = json!("flock");
            play["obstructed"] = json!("stop");
        });
        page.ask(asked).await;
        let options = Options {
            seed: 3,
            traps: Traps::new(5.0, 10),
            followers: Followers { count: 3, formation: Formation::Flock },
            obstructed: Obstructed::Stop,
            ..Options::default()
        };
        let mut game = Testbed::new(builtin("keep").unwrap().level().unwrap(), &crew, options).unwrap();
        game.keep_searched(true);
        let mut counts = [0; 2];
        for _ in 0..60 {
            game.tick();
            for (agent, count) in counts.iter_mut().enumerate() {
                let told = page.ask(json!({ "do": "turn", "count": usize::from(agent == 0), "searched": agent })).await;
                shows(&told, &game);
                let searched = game.agents()[agent].searched();
                let numbers = |cells: &[Cell]| cells.iter().flat_map(|cell| [cell.x, cell.y]).collect::<Vec<u16>>();
                assert_eq!(told.u16s("searched"), numbers(searched));
                *count += searched.len();
                let led = game.agents().iter().flat_map(Agent::followers).map(Follower::at);
                assert_eq!(told.u16s("followers"), numbers(&led.collect::<Vec<_>>()));
            }
        }
        assert!(counts.iter().all(|&count| count > 0), "both have searched: {counts:?}");
        let plain = page.ask(json!({ "do": "turn", "count": 1 })).await;
        assert!(plain.u16s("searched").is_empty());
    });
}

#[test]
fn monsters_and_influence_are_left_out_or_shown() {
    with_server(async |server| {
        let mut page = server.page().await;
        page.builtin("keep").await;
        let plain = page.ask(play(&["a-star"], |play| play["monsters"] = json!(false))).await;
        assert_eq!((&plain["monsters"], plain.u16s("heat").len()), (&json!([]), 0));
        let warm = page.ask(play(&["a-star"], |play| play["influence"] = json!(true))).await;
        assert_eq!(warm["monsters"].as_array().unwrap().len(), 7);
        let (cells, rest) = warm.u16s("heat").as_chunks::<3>();
        assert!(rest.is_empty() && cells.len() > 20 && cells.iter().all(|&[x, y, sum]| x < 64 && y < 31 && sum > 0));
        assert!(!warm.u16s("sights").is_empty());
    });
}

#[test]
fn what_is_wrong_with_a_game_is_told() {
    with_server(async |server| {
        let mut page = server.page().await;
        assert!(page.ask(play(&["a-star"], |_| ())).await.fault().contains("no world"));
        let plain = page
            .open(json!({ "kind": "made", "recipe": "open", "width": 9, "height": 9, "seed": 1, "settings": {} }))
            .await;
        assert_eq!(plain["level"], Value::Null);
        assert!(page.ask(play(&["a-star"], |_| ())).await.fault().contains("keys and doors"));
        assert!(page.ask(json!({ "do": "turn", "count": 1 })).await.fault().contains("no game"));

        let early = upload(&mut page, "pXx\n").await;
        let words = "a key x that can be reached from 0,0 before its door opens";
        assert!(early["level"]["fault"].as_str().unwrap().contains(words), "{}", early.head);
        assert!(page.ask(play(&["a-star"], |_| ())).await.fault().contains(words));

        page.builtin("keep").await;
        assert!(page.ask(play(&["a-stra"], |_| ())).await.fault().contains("a-stra"));
        assert!(page.ask(play(&[], |_| ())).await.fault().contains("one to 8 agents"));
        assert!(page.ask(play(&["a-star"; 9], |_| ())).await.fault().contains("not 9"));
        assert!(page.ask(play(&["a-star"], |play| play["traps"] = json!(200))).await.fault().contains("not 200 %"));
        assert!(page.ask(play(&["a-star"], |play| play["every"] = json!(0))).await.fault().contains("1 tick or more"));
        let many = play(&["a-star"], |play| play["followers"] = json!(51));
        assert!(page.ask(many).await.fault().contains("at most 50 followers"));
        let word = play(&["a-star"], |play| play["formation"] = json!("herd"));
        assert!(page.ask(word).await.fault().contains("none of file, flock"));
        let weights = play(&["jump-point"], |play| play["influence"] = json!(true));
        assert!(page.ask(weights).await.fault().contains("influence"));
        // A wall that is drawn before the only door.
        page.edit(1, &[[24, 1, 9, 29, 0]]).await;
        assert!(page.ask(play(&["a-star"], |_| ())).await.fault().contains("that can be reached"));
    });
}

#[test]
fn a_level_is_restored_with_what_is_drawn_on_it() {
    with_server(async |server| {
        let mut page = server.page().await;
        let entities = |list: &[[u16; 3]]| {
            let mut parts = Parts::default();
            parts.push("weights", vec![1_u8; 12]);
            parts.push("entities", list.concat());
            parts
        };
        let [p, x, door] = [b'p', b'x', b'X'].map(u16::from);
        let back = page.ask_with(restore(4, 3), &entities(&[[0, 0, p], [2, 0, x], [3, 2, door]])).await;
        assert_eq!((&back["level"]["fault"], back.u16s("entities").len()), (&Value::Null, 9), "{}", back.head);
        assert_eq!(page.ask(play(&["a-star"], |_| ())).await["re"], "played");
        for wrong in [&[[4, 0, p]][..], &[[0, 3, p]], &[[0, 0, 70]], &[[1, 0, p], [0, 0, x]], &[[0, 0, p], [0, 0, x]]] {
            let refused = page.ask_with(restore(4, 3), &entities(wrong)).await;
            assert!(refused.fault().contains("three numbers"), "{wrong:?}");
        }
    });
}

#[test]
fn a_game_takes_from_the_memory_of_all_pages() {
    let mut config = config();
    config.memory = 1600 << 10;
    with_config(config, async |server| {
        let mut page = server.page().await;
        page.builtin("meadow").await;
        assert!(page.ask(play(&["dhpa-star"; 8], |_| ())).await.fault().contains("MiB"));
        assert_eq!(page.ask(play(&["d-star-lite"], |_| ())).await["re"], "played");
    });
}
