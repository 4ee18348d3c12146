//! Most commands except races, checks, charts, studies, the simulation and the studio: their JSON, exit codes and error
//! messages.

use crate::{Folder, json, portolan, stderr, stdout};
use serde_json::Value;

/// Runs `portolan find` on the harbour from 36,4 to a goal, with more arguments after it.
fn find(goal_and_more: &[&str]) -> std::process::Output {
    let mut args = vec!["find", "harbour", "--from", "36,4", "--to"];
    args.extend(goal_and_more);
    portolan(&args)
}

#[test]
fn find_prints_every_cell_as_json() {
    let output = find(&["52,33", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let answer = json(&output);
    assert_eq!(answer["outcome"], "reached");
    assert_eq!(answer["algorithm"], "a-star");
    let steps = answer["steps"].as_array().unwrap();
    assert_eq!((&steps[0], &steps[steps.len() - 1]), (&serde_json::json!([36, 4]), &serde_json::json!([52, 33])));
    for pair in steps.windows(2) {
        let apart = |axis: usize| (pair[0][axis].as_i64().unwrap() - pair[1][axis].as_i64().unwrap()).abs();
        assert!(apart(0).max(apart(1)) == 1, "{pair:?} are no neighbours");
    }
    assert!(answer["length"].as_f64().unwrap() > 30.0 && answer["cost"].as_u64().unwrap() > 0);
    assert!(answer["expanded"].as_u64().unwrap() > 0 && answer["time_us"].as_f64().unwrap() > 0.0);
}

#[test]
fn find_says_what_was_chosen_and_why() {
    let timeless = |args: &[&str]| {
        let mut answer = json(&find(args));
        answer.as_object_mut().unwrap().remove("time_us");
        answer
    };
    let chosen = timeless(&["52,33", "--json"]);
    assert!(chosen["why"].as_str().unwrap().starts_with("one query: "), "{chosen}");
    assert_eq!(chosen, timeless(&["52,33", "--json", "--with", "auto"]));
    let named = timeless(&["52,33", "--json", "--with", "a-star"]);
    assert_eq!((named.get("why"), &named["steps"]), (None, &chosen["steps"]), "what is named needs no reason");
    let told = stdout(&find(&["52,33"]));
    assert!(told.contains("a-star: ") && told.contains("a-star for one query: an index would"), "{told}");
    assert!(!stdout(&find(&["52,33", "--with", "a-star"])).contains("one query"));
    // Settings go to the chosen algorithm. `build` does not take `auto` for an algorithm.
    assert_eq!(timeless(&["52,33", "--json", "--set", "successors=all"])["algorithm"], "a-star");
    let built = portolan(&["build", "harbour", "-o", "none.chart", "--with", "auto"]);
    assert!(stderr(&built).contains("auto is no algorithm but chooses one"), "{}", stderr(&built));
}

#[test]
fn find_agrees_whatever_the_algorithm() {
    let length = |name| json(&find(&["52,33", "--json", "--with", name]))["length"].as_f64().unwrap();
    let shortest = length("dijkstra");
    for name in ["a-star", "bidirectional-a-star", "jump-point"] {
        assert!((length(name) - shortest).abs() < 1e-9, "{name}");
    }
    assert!(length("greedy") >= shortest);
}

#[test]
fn find_says_when_there_is_no_route() {
    let walled = find(&["0,35"]);
    assert_eq!(walled.status.code(), Some(3));
    assert!(stdout(&walled).contains("no route from 36,4 to 0,35"));
    let answer = json(&find(&["0,35", "--json"]));
    assert_eq!(answer["outcome"], "unreachable");
    assert_eq!((&answer["length"], &answer["cost"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["steps"], serde_json::json!([]));
    let near = find(&["0,35", "--nearest", "--json"]);
    assert_eq!((near.status.code(), &json(&near)["outcome"]), (Some(0), &Value::from("partial")));
    let poor = find(&["52,33", "--json", "--with", "a-star", "--budget", "5"]);
    assert_eq!((poor.status.code(), &json(&poor)["outcome"]), (Some(3), &Value::from("out-of-budget")));
}

#[test]
fn what_needs_no_search_is_told_before_anything_is_built() {
    // Jump points do not run on the island's weights. Another error shows that the query is checked before a planner is
    // built.
    let island = |from: &str| portolan(&["find", "island", "--from", from, "--to", "58,22", "--with", "jump-point"]);
    assert!(stderr(&island("6,16")).contains("jump-point needs"), "{}", stderr(&island("6,16")));
    assert!(stderr(&island("0,0")).contains("the start 0,0 is blocked"), "{}", stderr(&island("0,0")));
    assert!(stderr(&island("66,0")).contains("66,0 lies off the map"), "{}", stderr(&island("66,0")));
    // A search would take some time and expand nodes: zeros show that there was none.
    let walled = json(&find(&["0,35", "--json", "--with", "rhumb"]));
    assert_eq!((&walled["outcome"], &walled["algorithm"]), (&"unreachable".into(), &"rhumb".into()));
    assert_eq!((&walled["time_us"], &walled["expanded"]), (&0.0.into(), &0.into()));
    let wrong = find(&["0,35", "--with", "rhumb", "--directions", "3"]);
    assert_eq!(wrong.status.code(), Some(2));
    let unsuited = find(&["0,35", "--with", "jump-point", "--directions", "4"]);
    assert!(stderr(&unsuited).contains("jump-point needs"), "it could not have answered");
}

#[test]
fn drawings_are_read_strictly_unless_asked_otherwise() {
    let folder = Folder::new("lenient");
    let (notes, walls, case) = (folder.file("notes.txt"), folder.file("walls.txt"), folder.file("a.case"));
    std::fs::write(&notes, "....\n.Buy\n").unwrap();
    std::fs::write(&walls, "..#..\n..@..\n..W..\n").unwrap();
    std::fs::write(&case, "portolan case 1\nfrom 0,0\nto 3,0\nworld notes.txt\n").unwrap();
    let (map, chart) = (folder.file("a.map"), folder.file("a.chart"));
    for args in [
        &["find", &notes, "--from", "0,0", "--to", "3,0"][..],
        &["race", &notes, "--queries", "1", "--repeat", "1", "--with", "a-star"],
        &["build", &notes, "-o", &chart],
        &["map", "info", &notes],
        &["map", "draw", &notes],
        &["map", "convert", &notes, &map],
        &["sim", &case],
    ] {
        let strict = portolan(args);
        assert_eq!(strict.status.code(), Some(2), "{args:?}");
        let told = stderr(&strict);
        assert!(told.contains("notes.txt:2:3: expected a wall ") && told.contains("found 'u'"), "{args:?}: {told}");
        assert!(told.ends_with("a lenient reading takes it for ground: --lenient\n"), "{args:?}: {told}");
        let lenient = portolan(&[args, &["--lenient"]].concat());
        assert_eq!(lenient.status.code(), Some(0), "{args:?}: {}", stderr(&lenient));
    }
    std::fs::write(&case, "portolan case 1\nfrom 0,0\nto 3,0\nmap\n....\n.Buy\n").unwrap();
    assert!(stderr(&portolan(&["sim", &case])).contains("a.case:6:3: expected a wall "));
    assert_eq!(portolan(&["sim", &case, "--lenient"]).status.code(), Some(0));
    let through = portolan(&["find", &walls, "--from", "0,0", "--to", "4,0", "--lenient"]);
    assert_eq!(through.status.code(), Some(3), "a wall of # @ W has no way through it");
}

#[test]
fn bad_input_is_one_clear_line_and_exit_code_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["72,0"], "72,0 lies off the map, which is 72 x 36"),
        (&["-1,0"], "-1,0 lies off the map"),
        (&["99999999,0"], "lies off the map"),
        (&["52,33", "--with", "astar"], "there is no algorithm \"astar\"; did you mean a-star?"),
        (&["52,33", "--with", "qqq"], "`portolan list` shows them all"),
        (&["52,33", "--set", "weight=2"], "a-star has no setting \"weight\""),
        (&["52,33", "--with", "weighted-a-star", "--set", "weight=0"], "weight cannot be \"0\": it takes 1 to 100"),
        (&["52,33", "--directions", "4", "--with", "jump-point"], "jump-point needs"),
        (&["52,33", "--picture", "x.jpg"], "x.jpg: expected a picture's name ending in .png or .svg"),
    ];
    for (args, words) in cases {
        let output = find(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(said.starts_with("error: ") && said.contains(words), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let others: &[(&[&str], &str)] = &[
        (&["find", "harbour", "--from", "0,30", "--to", "1,1"], "the start 0,30 is blocked"),
        (
            &["find", "harbor", "--from", "0,0", "--to", "1,1"],
            "no file or built-in world \"harbor\"; did you mean harbour?",
        ),
        (&["map", "new", "mazes"], "there is no recipe \"mazes\"; did you mean maze?"),
        (&["map", "new", "maze", "--set", "corridor=0"], "corridor cannot be \"0\""),
        (&["race", "harbour", "--set", "colour=red"], "none of the algorithms has a setting \"colour\""),
        (&["race", "--json", "harbour"], "harbour is a map, not a file for results"),
        (&["race", "--tsv", "town.map"], "town.map is a map, not a file for results"),
        (&["race", "--csv", "--json"], "cannot all go to standard output"),
        (&["race", "--scen", "none.map.scen"], "none.map.scen: there is no map none.map beside it"),
    ];
    for (args, words) in others {
        let output = portolan(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).starts_with("error: ") && stderr(&output).contains(words), "{}", stderr(&output));
    }
    for args in [
        &["find"][..],
        &["nonsense"],
        &["find", "harbour", "--from", "1", "--to", "2,2"],
        &["list", "--jason"],
        &["map", "info", "harbour", "--corners", "tight"],
    ] {
        let output = portolan(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).starts_with("error: "), "{args:?}");
    }
}

#[test]
fn world_options_change_the_world() {
    let length = |more: &[&str]| {
        let mut args = vec!["52,33", "--json", "--with", "a-star"];
        args.extend(more);
        json(&find(&args))["length"].as_f64().unwrap()
    };
    assert!(length(&["--directions", "4"]) > length(&[]));
    assert!(length(&["--corners", "loose"]) <= length(&["--corners", "no-squeeze"]));
    assert!(length(&["--corners", "no-squeeze"]) <= length(&["--corners", "strict"]));
    let cost = json(&find(&["52,33", "--json", "--metric", "10/14"]))["cost"].as_u64().unwrap();
    assert!(cost < 1000);
}

#[test]
fn pictures_are_written_and_can_be_read() {
    let folder = Folder::new("pictures");
    for name in ["route.png", "route.svg"] {
        let file = folder.file(name);
        assert_eq!(find(&["52,33", "--picture", &file]).status.code(), Some(0));
    }
    let png = folder.file("route.png");
    let info = json(&portolan(&["map", "info", &png, "--json"]));
    assert_eq!((info["width"].as_u64(), info["height"].as_u64()), (Some(72 * 13), Some(36 * 13)));
    let svg = std::fs::read_to_string(folder.file("route.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("<polyline"));
    let drawn = folder.file("drawn.svg");
    let output = portolan(&["map", "draw", "island", &drawn, "--json"]);
    assert_eq!(json(&output)["picture"], Value::from(drawn.as_str()));
    assert!(std::fs::read_to_string(&drawn).unwrap().ends_with("</svg>\n"));
}

#[test]
fn draw_in_plain_text_has_no_escapes() {
    let output = portolan(&["map", "draw", "harbour", "--width", "40"]);
    let text = stdout(&output);
    assert!(text.contains('#') && !text.contains('\u{1b}'));
    assert!(text.lines().all(|line| line.len() <= 40));
    assert!(json(&portolan(&["map", "draw", "harbour", "--json"]))["text"].as_str().unwrap().contains('#'));
}

#[test]
fn fields_are_drawn_in_shades() {
    let folder = Folder::new("fields");
    let (bare, shaded) = (folder.file("bare.svg"), folder.file("field.svg"));
    assert_eq!(portolan(&["map", "draw", "harbour", &bare]).status.code(), Some(0));
    assert_eq!(portolan(&["map", "draw", "harbour", &shaded, "--field", "52,33"]).status.code(), Some(0));
    let [bare, shaded] = [bare, shaded].map(|file| std::fs::read_to_string(file).unwrap().matches("<path").count());
    assert!(shaded > bare + 20, "{shaded} and {bare}");
    let text = stdout(&portolan(&["map", "draw", "harbour", "--field", "52,33", "--field", "3,3"]));
    assert!(['0', '5', '9', '#'].iter().all(|&mark| text.contains(mark)), "{text}");
    for (goal, fault) in [("900,1", "off the map"), ("0,35", "is blocked")] {
        let refused = portolan(&["map", "draw", "harbour", "--field", goal]);
        assert!(refused.status.code() == Some(2) && stderr(&refused).contains(fault), "{}", stderr(&refused));
    }
}

#[test]
fn maps_are_made_described_and_converted() {
    let folder = Folder::new("maps");
    let (map, png, text) = (folder.file("m.map"), folder.file("m.png"), folder.file("m.txt"));
    let made = portolan(&["map", "new", "maze", &map, "--size", "65x33", "--seed", "4", "--json"]);
    let made = json(&made);
    assert_eq!((&made["width"], &made["height"], &made["seed"]), (&65.into(), &33.into(), &4.into()));
    for (from, to) in [(&map, &png), (&png, &text), (&text, &map)] {
        assert_eq!(portolan(&["map", "convert", from, to]).status.code(), Some(0), "{from} to {to}");
    }
    let info = json(&portolan(&["map", "info", &map, "--json"]));
    assert_eq!((&info["width"], &info["height"], &info["free_cells"]), (&65.into(), &33.into(), &made["free_cells"]));
    assert_eq!((&info["components"], &info["largest_component"]), (&1.into(), &made["free_cells"]));
    assert!(info["suits"].as_array().unwrap().contains(&Value::from("jump-point")));
    let both = json(&portolan(&["map", "info", "harbour", "island", "--json"]));
    assert_eq!(both.as_array().unwrap().len(), 2);
    assert!(stdout(&portolan(&["map", "info", "island"])).contains("jump-point needs"));
    let lossy = portolan(&["map", "convert", "island", &map]);
    assert_eq!(lossy.status.code(), Some(0));
    assert!(stderr(&lossy).contains("a .map has no weights"));
    let shown = portolan(&["map", "new", "caves", "--size", "40x20"]);
    assert!(stdout(&shown).contains('#'));
}

/// A world with all that lies between cells: a wall, a ledge, stairs, a kind with a name of its own.
const BETWEEN: &str = "kind ~ water\nkind t lava 9\nfloors 2 6x3\nborder east closed 2,0 1x3\nborder south out 0,1 2x1\n\
                       link 0,0 5,0 12 one-way\nlink 5,2 5,4 30 both\n....~~\n.tt...\n......\nAAAAAA\n......\n......\n......\n";

#[test]
fn kinds_borders_links_and_floors_are_kept_where_a_format_has_them_and_told_where_not() {
    let folder = Folder::new("between");
    let [text, again, map, hex, picture] =
        ["b.txt", "c.world", "b.map", "b.hex", "b.svg"].map(|name| folder.file(name));
    std::fs::write(&text, BETWEEN).unwrap();
    let kept = portolan(&["map", "convert", &text, &again]);
    assert_eq!((kept.status.code(), stderr(&kept)), (Some(0), String::new()));
    assert_eq!(std::fs::read_to_string(&again).unwrap(), BETWEEN);
    let lost = stderr(&portolan(&["map", "convert", &text, &map]));
    assert!(lost.contains("a .map has no weights, kinds of ground, borders, links or floors; they are lost"), "{lost}");
    let lost = stderr(&portolan(&["map", "convert", &text, &hex]));
    assert!(lost.contains("hexes laid over squares have no kinds of ground, borders, links or floors"), "{lost}");
    let info = json(&portolan(&["map", "info", &text, "--json"]));
    assert_eq!((&info["borders"]["closed"], &info["borders"]["one_way"]), (&3.into(), &2.into()));
    assert_eq!((&info["links"]["both_ways"], &info["links"]["one_way"]), (&1.into(), &1.into()));
    assert_eq!((&info["floors"], &info["kinds"][1]["kind"]), (&2.into(), &3.into()));
    let told = stdout(&portolan(&["map", "info", &text]));
    for line in ["water on 5.6 %, lava on 5.6 %", "2 of 6 x 3", "3 closed, 2 one way", "1 both ways, 1 one way"] {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
    assert_eq!(portolan(&["map", "draw", &text, &picture]).status.code(), Some(0));
    assert!(std::fs::read_to_string(&picture).unwrap().contains("stroke-dasharray"));
    let painted = folder.file("painted.txt");
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../portolan-sim/worlds/painted.tmx");
    assert_eq!(portolan(&["map", "convert", map, &painted]).status.code(), Some(0));
    let [drawn, read] = [map, &painted].map(|file| json(&portolan(&["map", "info", file, "--json"])));
    assert!(drawn["links"].is_object() && drawn["kinds"].is_array());
    assert_eq!((&drawn["links"], &drawn["kinds"], &drawn["suits"]), (&read["links"], &read["kinds"], &read["suits"]));
}

#[test]
fn list_shows_only_what_is_asked_for() {
    let shown = stdout(&portolan(&["list", "pra-star", "a-star"]));
    assert!(
        shown.starts_with("pra-star  PRA*") && shown.contains("\na-star  A*") && shown.contains("--set corridor=1")
    );
    assert!(!shown.contains("hpa-star") && !shown.contains("auto  "), "{shown}");
    assert_eq!(json(&portolan(&["list", "rhumb", "--json"])).as_array().unwrap().len(), 1);
    let wrong = portolan(&["list", "astar"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("did you mean a-star?"));
}

#[test]
fn list_shows_the_registry() {
    let entries = json(&portolan(&["list", "--json"]));
    let names: Vec<&str> = entries.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    for algorithm in portolan::ALGORITHMS {
        assert!(names.contains(&algorithm.name), "{}", algorithm.name);
        assert!(stdout(&portolan(&["list"])).contains(algorithm.summary));
    }
    for rule in portolan::auto::RULES {
        let line = format!("  {}: {}, because {}\n", rule.case, rule.takes().name, rule.why);
        assert!(stdout(&portolan(&["list"])).contains(&line), "{line}");
    }
}

#[test]
fn completions_and_manual_are_made() {
    for shell in ["bash", "zsh", "fish"] {
        let output = portolan(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("portolan") && stdout(&output).contains("no-squeeze"), "{shell}");
    }
    assert!(stdout(&portolan(&["man"])).contains(".TH portolan"));
    let folder = Folder::new("man");
    assert_eq!(portolan(&["man", &folder.file("")]).status.code(), Some(0));
    assert!(std::fs::read_to_string(folder.file("portolan-race.1")).unwrap().contains("SYNOPSIS"));
}

#[test]
fn help_has_examples() {
    for args in [
        &["--help"][..],
        &["find", "--help"],
        &["race", "--help"],
        &["map", "new", "--help"],
        &["check", "--help"],
        &["study", "--help"],
    ] {
        let output = portolan(args);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("Examples:\n"), "{args:?}");
    }
}

#[test]
fn charts_are_drawn_over_the_map() {
    let folder = Folder::new("outline");
    let drawn = |name: &str, args: &[&str]| {
        let file = folder.file(name);
        let args: Vec<&str> = args.iter().map(|&arg| if arg == "FILE" { file.as_str() } else { arg }).collect();
        let output = portolan(&args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        std::fs::read_to_string(file).unwrap()
    };
    let bare = drawn("bare.svg", &["map", "draw", "harbour", "FILE"]);
    let chart = drawn("chart.svg", &["map", "draw", "harbour", "FILE", "--with", "rhumb", "--set", "spacing=12"]);
    let (lines, ports) = (chart.matches("fill-opacity").count(), chart.matches("h0").count());
    assert!(bare.matches("fill-opacity").count() == 0 && lines >= 3 && ports > 20, "{lines} {ports}");
    let coarse = drawn("coarse.svg", &["map", "draw", "harbour", "FILE", "--with", "rhumb"]);
    assert!(coarse.matches("h0").count() < ports, "wider spacing has fewer ports");
    assert!(drawn("leaps.svg", &["map", "draw", "keep", "FILE", "--with", "jump-graph"]).contains("stroke-linecap"));
    let find = [
        "find",
        "harbour",
        "--from",
        "36,4",
        "--to",
        "52,33",
        "--with",
        "rhumb",
        "--set",
        "spacing=16",
        "--picture",
        "FILE",
    ];
    let route = drawn("route.svg", &find);
    let query = drawn("query.svg", &[&find[..], &["--outline"]].concat());
    assert!(query.matches("h0").count() > 10 && query.contains("<polyline") && !route.contains("h0"));
    for (args, words) in [
        (&["map", "draw", "harbour", "--with", "rhumb"][..], "<FILE>"),
        (&["map", "draw", "harbour", "x.svg", "--with", "a-star"], "a-star keeps nothing of a map that could be drawn"),
        (&["map", "draw", "harbour", "x.svg", "--with", "rhum"], "did you mean rhumb?"),
    ] {
        let output = portolan(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}
