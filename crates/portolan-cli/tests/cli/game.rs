//! Games through the `portolan` command.

use crate::{Folder, json, portolan, stderr, stdout};

#[test]
fn a_game_tells_what_each_goal_took_and_the_same_every_time() {
    let args = ["sim", "dungeon", "--agents", "a-star successors=all,jump-point", "--traps", "5%", "--every", "10"];
    let play = |more: &[&str]| portolan(&[&args[..], more].concat());
    let output = play(&["--no-times"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("dungeon: seed 1, ") && text.contains("jump-point"), "{text}");
    assert_eq!(text.lines().count(), 2 + 2 * 3, "a heading, and key, door and sum of two agents: {text}");
    assert_eq!(text, stdout(&play(&["--no-times", "--seed", "1"])));
    assert_ne!(text, stdout(&play(&["--no-times", "--seed", "2"])));
    assert!(stdout(&play(&[])).contains("µs"));

    let result = json(&play(&["--runs", "3", "--json"]));
    assert_eq!((&result["world"], &result["runs"]), (&"dungeon".into(), &3.into()));
    let agents = result["agents"].as_array().unwrap();
    assert_eq!((agents.len(), &agents[0]["finished"]), (2, &3.into()));
    let goals = agents[0]["goals"].as_array().unwrap();
    assert_eq!((&goals[0]["goal"], &goals[1]["goal"]), (&"x".into(), &"X".into()));
    let number = |value: &serde_json::Value, key: &str| value[key].as_f64().unwrap();
    let sum = &agents[0]["sum"];
    assert!((number(sum, "operations") - number(sum, "inserts") - number(sum, "removes")).abs() < 1e-6);
    assert!((number(sum, "steps") - goals.iter().map(|goal| number(goal, "steps")).sum::<f64>()).abs() < 1e-6);
    assert!(number(sum, "time_us") > 0.0);
    let untimed = json(&play(&["--json", "--no-times"]));
    assert!(untimed["agents"][0]["sum"].get("time_us").is_none());
}

#[test]
fn a_log_has_a_row_for_each_goal_agent_and_run() {
    let folder = Folder::new("game-log");
    let play = |name: &str| {
        let (log, agents) = (folder.file(name), "a-star,hpa-star");
        let args = ["sim", "keep", "--agents", agents, "--traps", "2%", "--runs", "2", "--log", &log, "--no-times"];
        assert_ne!(portolan(&args).status.code(), Some(2));
        std::fs::read(log).unwrap()
    };
    let text = String::from_utf8(play("log.tsv")).unwrap();
    assert!(text.starts_with("run\tseed\tagent\tgoal\tfinished\tinserts\tremoves\toperations\theap_size\t"), "{text}");
    assert_eq!(text.lines().count(), 1 + 2 * 2 * 5);
    assert!(text.lines().all(|line| line.split('\t').count() == 17));
    assert_eq!(text.as_bytes(), play("again.tsv"));
    let csv = String::from_utf8(play("log.csv")).unwrap();
    assert_eq!(csv.replace("\r\n", "\n").replace(',', "\t"), text);
    let parquet = play("log.parquet");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1") && parquet == play("again.parquet"));
}

#[test]
fn a_crowd_plays_without_an_end() {
    let args = ["sim", "keep", "--crowd", "20", "--agents", "hpa-star,d-star-lite", "--traps", "3%", "--ticks", "1500"];
    let play = |more: &[&str]| portolan(&[&args[..], more].concat());
    let output = play(&["--no-times"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("keep: 20 agents, seed 1, 1500 ticks\n"), "{text}");
    assert_eq!(text.lines().count(), 2 + 10, "a heading, and a line for each tenth: {text}");
    assert_eq!(text, stdout(&play(&["--no-times"])));

    let result = json(&play(&["--json"]));
    let parts = result["parts"].as_array().unwrap();
    let number = |part: usize, key: &str| parts[part][key].as_f64().unwrap();
    assert_eq!((parts.len(), number(9, "ticks")), (10, 1500.0));
    let early = (0..5).map(|part| number(part, "bytes")).fold(0.0, f64::max);
    assert!(number(9, "laps") >= 20.0 && number(9, "bytes") < 2.0 * early, "{result}");
    assert!(result["tick_ms"].as_f64().unwrap() > 0.0 && number(0, "worst_ms") >= number(0, "tick_ms"));

    for (more, word) in [(["--runs", "2"], "--runs"), (["--log", "x.tsv"], "--log")] {
        let output = play(&more);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
    let output = portolan(&["sim", "keep", "--crowd", "0"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("--crowd"), "{}", stderr(&output));
}

#[test]
fn a_game_can_be_watched() {
    let args = ["sim", "keep", "--agents", "a-star", "--traps", "3%", "--ticks", "25", "--watch=1", "--no-times"];
    let more =
        ["--influence", "threat=4,weather=2,congestion=1", "--followers", "3", "--formation", "flock", "--vulnerable"];
    let output = portolan(&[&args[..], &more].concat());
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "it is not over: {}", stderr(&output));
    assert!(text.contains("tick 0 ") && text.contains("tick 25 ") && text.contains("walking"), "{text}");
    assert!(text.contains("a-star reached its last goal in 0 of 1"), "{text}");
}

#[test]
fn what_cannot_be_played_is_one_clear_line() {
    let folder = Folder::new("game-errors");
    let write = |name: &str, text: &str| {
        let path = folder.file(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let behind = write("behind.txt", "pXx\n");
    let nothing = write("nothing.txt", "p..\n");
    let unnamed = write("unnamed.txt", "p.xX\n.?..\n");
    let map = write("a.map", "type octile\nheight 1\nwidth 3\nmap\n...\n");
    let cases: &[(&[&str], &str)] = &[
        (&[&behind], "behind.txt:1:3: expected a key x that can be reached from 0,0 before its door opens"),
        (&[&nothing], "nothing.txt: expected a key x, y or z and its door X, Y or Z"),
        (&["harbour"], "harbour: expected a key x, y or z"),
        (&[&unnamed], "unnamed.txt:2:2: expected a wall"),
        (&[&map], "a game needs a drawing with keys and doors"),
        (&["missing.txt"], "missing.txt: "),
        (&["dungeon", "--agents", "dstar-lit"], "there is no algorithm \"dstar-lit\""),
        (&["dungeon", "--agents", "astar"], "did you mean a-star?"),
        (&["dungeon", "--agents", "a-star levels=2"], "a-star has no setting \"levels\""),
        (&["dungeon", "--traps", "200%"], "traps can cover 0 to 100 % of the map, not 200 %"),
        (&["dungeon", "--traps", "-5%"], "traps can cover 0 to 100 % of the map, not -5 %"),
        (&["dungeon", "--every", "0"], "traps are updated every 1 tick or more"),
        (&["dungeon", "--lasts", "9:3"], "traps cannot last from 9 to 3 ticks"),
        (&["dungeon", "--log", "log.xls"], "expected a name ending in .tsv, .csv or .parquet"),
        (&["dungeon", "--with", "a-star"], "name the algorithms with --agents"),
        (&["dungeon", "--agents", "jump-point", "--influence", "threat=3"], "and influence changes weights"),
        (&["wall-across", "--traps", "5%"], "--traps goes with a world, and \"wall-across\" is a case"),
    ];
    for (args, words) in cases {
        let output = portolan(&[&["sim"], *args].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.starts_with("error: ") && said.contains(words), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    for wrong in [["--traps", "many"], ["--influence", "fear=3"], ["--lasts", "9"]] {
        assert_eq!(portolan(&["sim", "dungeon", wrong[0], wrong[1]]).status.code(), Some(2), "{wrong:?}");
    }
}
