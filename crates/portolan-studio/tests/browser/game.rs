//! Games of keys and doors: agents move, the player obeys the arrow keys, and what is wrong is told.

use crate::bench::browse;
use fantoccini::key::Key;
use portolan::Cell;
use serde_json::json;

#[test]
fn agents_play_and_the_player_obeys_the_arrow_keys() {
    browse(async |bench| {
        let page = bench.open("#builtin=keep").await;
        page.panel("game").await;
        page.click("#game-influence").await;
        page.slide("#game-followers", 2).await;
        page.slide("#game-pace", 20).await;
        page.click("#game").await;
        page.until("game.isRunning && game.head.tick > 12").await;
        let moved = "game.head.agents.every(({ goals }) => goals[0].steps > 0 && goals[0].inserts > 0)";
        page.until(moved).await;
        assert_eq!(page.read::<usize>("game.head.agents.length").await, 4);
        assert_eq!(page.read::<usize>("studio.scene.game.parts.followers.length").await, 4 * 2 * 2);
        let text = page.text("#game-table").await;
        assert!(text.contains("d-star-lite") && text.contains("Goal"), "{text}");

        let at = page.cell("game.head.player.at").await;
        page.press([Key::Right]).await;
        page.until(&format!("game.head.player.at[0] === {}", at.x + 1)).await;
        page.press([Key::Up]).await;
        page.until(&format!("game.head.player.at[1] === {}", at.y - 1)).await;
        assert_eq!(page.cell("game.head.player.at").await, Cell::new(at.x + 1, at.y - 1));

        page.click("#game").await;
        page.until("!game.isRunning && document.getElementById('game').textContent === 'Go on'").await;
        let tick: u64 = page.read("game.head.tick").await;
        page.click("#game-step").await;
        page.until(&format!("game.head.tick === {}", tick + 1)).await;
        // The table shows the work for one goal, and the panes the route of one agent.
        page.choose("#game-goal", "3").await;
        let row = page.text("#game-table tbody tr:nth-child(3)").await;
        assert_eq!(
            row.split_whitespace().collect::<Vec<_>>(),
            ["Inserts", "0", "0", "0", "0"],
            "the second door is far"
        );
        page.choose("#game-routes", "1").await;
        // The cells of the latest search of one agent are shaded.
        page.choose("#game-search", "0").await;
        page.until("game.show.searchOf === 0 && studio.scene.game.parts.searched.length > 0").await;
        page.choose("#game-search", "").await;
        page.until("studio.scene.game.parts.searched.length === 0").await;
        page.choose("#game-goal", "-1").await;

        page.slide("#game-pace", 100).await;
        page.click("#game").await;
        page.until("game.isDone && !game.isRunning").await;
        assert_eq!(page.data("#game-table table", "done").await, "true");
        page.click("#game-end").await;
        page.until("!game.isOn && studio.scene.game === null").await;
        page.finds("searches go on where games ended").await;
    });
}

#[test]
fn an_address_begins_its_game_again() {
    browse(async |bench| {
        let page = bench.open("#builtin=dungeon").await;
        page.panel("game").await;
        page.slide("#game-seed", 7).await;
        page.click("#game-catching").await;
        page.slide("#game-followers", 3).await;
        page.choose("#game-formation", "flock").await;
        page.choose("#game-obstructed", "stop").await;
        page.click("#game-agents summary").await;
        page.click("[data-agent=d-star]").await;
        page.slide("#game-pace", 100).await;
        page.click("#game").await;
        page.until("game.isDone").await;
        let hash: String = page.read("location.hash").await;
        for word in ["agent=d-star-lite", "seed=7", "followers=3+flock", "obstructed=stop"] {
            assert!(hash.contains(word), "{hash}");
        }
        let end =
            "[game.head.tick, game.head.agents.map(({ name, goals }) => [name, goals.map(({ inserts }) => inserts)])]";
        let ended = page.js(end).await;

        let other = bench.open(&hash).await;
        other.until("game.isOn").await;
        other.slide("#game-pace", 100).await;
        other.until("game.isDone").await;
        assert_eq!(other.js(end).await, ended, "equal seeds give equal games");
        assert_eq!(other.js("location.hash").await, hash.as_str());
        let shown: (String, bool, bool) = other
            .read("['seed', 'catching', 'influence'].map((name) => document.getElementById(`game-${name}`)).map((one) => one.type === 'number' ? one.value : one.checked)")
            .await;
        assert_eq!(shown, ("7".to_owned(), true, false));
        let modes =
            "['followers', 'formation', 'obstructed'].map((name) => document.getElementById(`game-${name}`).value)";
        assert_eq!(other.read::<[String; 3]>(modes).await, ["3", "flock", "stop"]);
    });
}

#[test]
fn what_is_wrong_with_a_level_is_told() {
    browse(async |bench| {
        let page = bench.open("#builtin=harbour").await;
        page.panel("game").await;
        assert!(page.text("#game-fault").await.contains("no level"));
        let file = bench.file("early.txt", "p.Xx\n");
        page.give("#file", &file).await;
        page.until("studio.world.ref.name === 'early.txt'").await;
        assert!(page.text("#game-fault").await.contains("a key x that can be reached from 0,0 before its door opens"));
        assert!(!page.find("#game").await.is_enabled().await.unwrap());

        page.panel("world").await;
        page.choose("#worlds", &json!({ "kind": "builtin", "name": "dungeon" }).to_string()).await;
        page.until("studio.world.name === 'dungeon'").await;
        page.panel("game").await;
        page.slide("#game-traps", 200).await;
        page.click("#game").await;
        page.until("document.getElementById('message').textContent.includes('not 200 %')").await;
        page.slide("#game-traps", 2).await;
        page.click("#game").await;
        page.until("game.isOn").await;
        // The game has a copy of the world, and ends when the world is changed.
        page.js("void (studio.newStroke(), studio.edit([1, 1, 1, 1, 0]))").await;
        page.until("!game.isOn && document.getElementById('message').textContent.includes('has ended')").await;
    });
}
