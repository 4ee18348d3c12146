//! Races and checks through the `portolan` command.

use crate::{Folder, json, portolan, stderr, stdout};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};

const FIELDS: [&str; 18] = [
    "algorithm",
    "build_ms",
    "index_bytes",
    "queries",
    "solved",
    "mean_us",
    "p50_us",
    "p95_us",
    "max_us",
    "warm_us",
    "first_step_us",
    "first_step_p95_us",
    "warm_first_step_us",
    "expanded",
    "open_mean",
    "ratio_mean",
    "ratio_max",
    "mismatches",
];

const EDIT_FIELDS: [&str; 11] = [
    "algorithm",
    "edits",
    "mean_us",
    "p50_us",
    "p95_us",
    "max_us",
    "clusters",
    "rebuild_ms",
    "edit_to_rebuild",
    "checked",
    "mismatches",
];

/// Returns a race's result without the fields that differ from run to run.
fn timeless(mut race: Value) -> Value {
    let same = |key: &str| !["_us", "_ms", "_to_rebuild"].iter().any(|unit| key.ends_with(unit));
    if let Some(edits) = race.get_mut("edits") {
        *edits = timeless(edits.take());
    }
    for row in race["rows"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().retain(|key, _| same(key));
    }
    race.as_object_mut().unwrap().retain(|key, _| same(key));
    race
}

/// Writes a scenario for the built-in maze and returns its path. The queries whose indices are in `wrong` state wrong
/// lengths.
fn scenario(folder: &Folder, wrong: &[usize]) -> String {
    let map = folder.file("m.map");
    assert!(portolan(&["map", "convert", "maze", &map]).status.success());
    let mut text = String::from("version 1\n");
    for (index, goal) in ["5,1", "63,27", "1,27", "33,1"].into_iter().enumerate() {
        let answer = json(&portolan(&["find", &map, "--from", "1,1", "--to", goal, "--with", "dijkstra", "--json"]));
        let length =
            answer["length"].as_f64().expect("the maze is connected") + f64::from(u8::from(wrong.contains(&index)));
        let goal = goal.replace(',', "\t");
        writeln!(text, "0\tm.map\t65\t29\t1\t1\t{goal}\t{length}").unwrap();
    }
    let file = folder.file("m.map.scen");
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_race_on_a_generated_map_is_the_same_twice_but_for_times() {
    let folder = Folder::new("twice");
    let map = folder.file("r.map");
    assert!(portolan(&["map", "new", "rooms", &map, "--size", "96x64", "--seed", "2"]).status.success());
    let run = || json(&portolan(&["race", &map, "--queries", "20", "--seed", "5", "--repeat", "1", "--json", "-"]));
    let first = run();
    assert_eq!(first["map"], Value::from(map.as_str()));
    let rows = first["rows"].as_array().unwrap();
    assert_eq!(rows.len(), portolan::ALGORITHMS.len());
    for row in rows {
        for field in FIELDS {
            assert!(row.get(field).is_some(), "no {field} in {row}");
        }
        assert_eq!((&row["queries"], &row["mismatches"]), (&20.into(), &0.into()), "{row}");
        for field in FIELDS.iter().filter(|field| field.ends_with("_us")) {
            assert!(row[field].as_f64().unwrap() > 0.0, "{field} in {row}");
        }
    }
    assert_eq!(timeless(first.clone()), timeless(run()));
}

#[test]
fn an_algorithm_races_against_itself_with_other_settings() {
    let folder = Folder::new("itself");
    let map = folder.file("c.map");
    assert!(portolan(&["map", "new", "caves", &map, "--size", "160x120", "--seed", "3"]).status.success());
    let with = "rhumb,rhumb smoothing=taut,weighted-a-star weight=3";
    let args = ["race", &map, "--queries", "12", "--repeat", "1", "--with", with, "--set", "smoothing=none"];
    let race = json(&portolan(&[&args[..], &["--json", "-"]].concat()));
    let rows = race["rows"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["algorithm"].as_str().unwrap()).collect();
    assert_eq!(names, ["rhumb", "rhumb smoothing=taut", "weighted-a-star weight=3"]);
    let ratio = |row: usize| rows[row]["ratio_mean"].as_f64().unwrap();
    assert!(ratio(1) < ratio(0), "what is set for all does not hold for what is set for one: {rows:?}");
    let wrong = portolan(&["race", "harbour", "--with", "rhumb smoothing=silk"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("smoothing cannot be \"silk\""), "{}", stderr(&wrong));
}

#[test]
fn auto_races_what_the_rules_choose_for_each_map() {
    let args = ["race", "harbour", "island", "--queries", "5", "--repeat", "1", "--with", "auto,dijkstra"];
    let races = json(&portolan(&[&args[..], &["--json", "-"]].concat()));
    let first = |map: usize| (&races[map]["rows"][0]["algorithm"], races[map]["rows"][0]["why"].as_str().unwrap());
    let (uniform, why) = first(0);
    assert!(uniform.as_str().unwrap().ends_with(" (auto)") && why.contains("uniform world that stays"), "{uniform}");
    let (weighted, why) = first(1);
    assert!(weighted == "a-star (auto)" && why.contains("weights"), "{weighted}: {why}");
    assert!(races[0]["rows"][1].get("why").is_none());
    let told = stdout(&portolan(&args));
    assert!(told.contains("a-star (auto): many exact queries on a world with weights"), "{told}");
    let edited = json(&portolan(&["race", "harbour", "--queries", "5", "--edits", "4", "--with", "auto", "--json"]));
    assert!(edited["rows"][0]["why"].as_str().unwrap().contains("is edited"), "{edited}");
}

#[test]
fn results_go_to_files_and_the_table_to_the_terminal() {
    let folder = Folder::new("files");
    let (data, page) = (folder.file("race.json"), folder.file("race.html"));
    let args = ["race", "island", "keep", "--queries", "12", "--repeat", "1", "--json", &data, "--html", &page];
    let output = portolan(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("island: 12 queries") && stdout(&output).contains("weighted-a-star"));
    assert!(stdout(&output).contains("jump-point was left out: jump-point needs"));
    assert!(!stdout(&output).contains('\u{1b}'));
    let results: Value = serde_json::from_str(&std::fs::read_to_string(data).unwrap()).unwrap();
    assert_eq!(results.as_array().unwrap().len(), 2);
    assert_eq!(results[0]["skipped"][0]["algorithm"], "jump-point");
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.matches("<svg").count() == 4 && !html.contains("://"));
}

#[test]
fn rows_go_to_files_or_to_the_terminal_alone() {
    let folder = Folder::new("rows");
    let (rows, sheet) = (folder.file("race.tsv"), folder.file("race.csv"));
    let args = ["race", "island", "keep", "--queries", "5", "--repeat", "1", "--with", "a-star,jump-point"];
    let output = portolan(&[&args[..], &["--edits", "2", "--tsv", &rows, "--csv", &sheet]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("island: 5 queries"));
    let rows = std::fs::read_to_string(rows).unwrap();
    let table: Vec<Vec<&str>> = rows.lines().map(|line| line.split('\t').collect()).collect();
    let names: Vec<[&str; 2]> = table.iter().map(|row| [row[0], row[1]]).collect();
    let both = [["island", "a-star"], ["island", "jump-point"], ["keep", "a-star"], ["keep", "jump-point"]];
    assert_eq!(names, [&[["map", "algorithm"]][..], &both].concat());
    for field in FIELDS.iter().chain(&["edits", "edit_mean_us", "edit_checked"]) {
        let column = table[0].iter().position(|name| name == field).unwrap_or_else(|| panic!("no {field}"));
        // The island has weights, and jump points do not run on worlds with weights.
        let empty: Vec<bool> = table[1..].iter().map(|row| row[column].is_empty()).collect();
        assert_eq!(empty, [false, *field != "algorithm", false, false], "{field}");
    }
    let sheet = std::fs::read_to_string(sheet).unwrap();
    assert_eq!((sheet.lines().count(), sheet.matches("\r\n").count()), (5, 5));
    let printed = stdout(&portolan(&[&args[..], &["--csv"]].concat()));
    assert!(printed.starts_with("map,algorithm,build_ms,") && printed.lines().count() == 5, "{printed}");
}

#[test]
fn edits_are_followed_the_same_way_twice() {
    let folder = Folder::new("edits");
    let map = folder.file("c.map");
    assert!(portolan(&["map", "new", "caves", &map, "--size", "96x64", "--seed", "2"]).status.success());
    let race = |more: &[&str]| {
        let mut args = vec!["race", &map, "--queries", "5", "--repeat", "1", "--edits", "30", "--json", "-"];
        args.extend(more);
        let output = portolan(&args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        json(&output)
    };
    let first = race(&[]);
    let edits = &first["edits"];
    assert_eq!((&edits["count"], &edits["size"], &edits["faults"]), (&30.into(), &2.into(), &Value::Array(vec![])));
    assert!(edits["apply_us"].as_f64().unwrap() > 0.0);
    let rows = edits["rows"].as_array().unwrap();
    assert_eq!(rows.len(), portolan::ALGORITHMS.len());
    for row in rows {
        for field in EDIT_FIELDS {
            assert!(row.get(field).is_some(), "no {field} in {row}");
        }
        assert!(row.get("lost").is_none(), "{row}");
        assert_eq!((&row["edits"], &row["mismatches"]), (&30.into(), &0.into()), "{row}");
        assert!(row["checked"].as_u64().unwrap() >= 10, "{row}");
    }
    assert_eq!(timeless(first.clone()), timeless(race(&[])));
    assert_eq!(race(&["--edit-size", "1", "--with", "hpa-star", "--seed", "4"])["edits"]["size"], 1);
}

#[test]
fn edits_are_a_table_and_a_plot_of_their_own() {
    let folder = Folder::new("edit-table");
    let page = folder.file("race.html");
    let race = ["race", "harbour", "--queries", "5", "--with", "hpa-star,a-star", "--repeat", "1"];
    let with = |more: &[&str]| portolan(&[&race[..], more].concat());
    let output = with(&["--edits", "12", "--html", &page]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for words in ["12 edits of 2 x 2 cells; the world itself takes ", "edit/rebuild", "clusters"] {
        assert!(text.contains(words), "no {words} in\n{text}");
    }
    assert_eq!(text.matches("hpa-star").count(), 2);
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.matches("<svg").count() == 3 && html.contains("12 edits of 2 x 2 cells"));
    let plain = with(&["--json", "-"]);
    assert!(json(&plain).get("edits").is_none(), "edits are reported only where there were some");
    for (more, words) in [
        (&["--edits", "5", "--edit-size", "500"][..], "there is no patch of 500 x 500 free cells to edit"),
        (&["--edits", "0"], "--edits"),
        (&["--edit-size", "1"], "--edits"),
    ] {
        let output = with(more);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn a_batch_has_columns_of_its_own() {
    let folder = Folder::new("race-batch");
    let (page, rows) = (folder.file("race.html"), folder.file("race.csv"));
    let race = ["race", "harbour", "--queries", "5", "--with", "a-star,rhumb", "--batch", "200"];
    let text = stdout(&portolan(&[&race[..], &["--html", &page, "--csv", &rows]].concat()));
    assert!(text.contains("Batches: all is") && text.contains("identical"), "{text}");
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<h3>Batches: all is") && page.contains("1 thread ms"));
    let rows = fs::read_to_string(rows).unwrap();
    assert!(rows.lines().next().unwrap().contains("batch_queries,batch_one_ms"), "{rows}");
    assert!(rows.lines().skip(1).all(|line| line.contains(",200,") && line.ends_with(",true")), "{rows}");
    for (more, fault) in [(&["--gpu"][..], "--batch"), (&["--batch", "9", "--traps", "3"], "--traps")] {
        let refused = portolan(&[&["race", "harbour"], more].concat());
        assert!(refused.status.code() == Some(2) && stderr(&refused).contains(fault), "{}", stderr(&refused));
    }
}

#[test]
fn a_batch_with_one_goal_has_a_field_as_well() {
    let race = ["race", "island", "--queries", "3", "--with", "a-star", "--batch", "150", "--one-goal"];
    let text = stdout(&portolan(&race));
    assert!(text.lines().any(|line| line.starts_with("field") && line.ends_with("yes")), "{text}");
    let result = json(&portolan(&[&race[..], &["--json"]].concat()));
    assert_eq!((&result["field"]["queries"], &result["field"]["identical"]), (&150.into(), &true.into()), "{result}");
    assert!(
        json(&portolan(&["race", "island", "--queries", "3", "--with", "a-star", "--json"])).get("field").is_none()
    );
    let folder = Folder::new("race-one-goal");
    let mesh = folder.file("island.mesh");
    assert_eq!(portolan(&["mesh", "convert", "island", &mesh]).status.code(), Some(0));
    let on_mesh = ["race", &mesh, "--batch", "2", "--one-goal"];
    for (args, fault) in [(&["race", "island", "--one-goal"][..], "--batch"), (&on_mesh, "for grids")] {
        let refused = portolan(args);
        assert!(refused.status.code() == Some(2) && stderr(&refused).contains(fault), "{}", stderr(&refused));
    }
}

#[test]
fn a_scenario_brings_its_map_and_its_lengths() {
    let folder = Folder::new("scenario");
    let file = scenario(&folder, &[1]);
    let race = |more: &[&str]| {
        let mut args = vec!["race", "--scen", &file, "--with", "a-star,jump-point", "--repeat", "1", "--json", "-"];
        args.extend(more);
        json(&portolan(&args))
    };
    for row in race(&[])["rows"].as_array().unwrap() {
        assert_eq!((&row["queries"], &row["solved"], &row["mismatches"]), (&4.into(), &3.into(), &1.into()), "{row}");
    }
    // An answer that differs from the scenario's length makes the race fail.
    let status = |args: &[&str]| portolan(args).status.code();
    assert_eq!(status(&["race", "--scen", &file, "--with", "a-star"]), Some(1));
    assert_eq!(status(&["race", "--scen", &scenario(&folder, &[]), "--with", "a-star"]), Some(0));
    // With a scenario, a seed has a meaning only for edits.
    assert_eq!(status(&["race", "--scen", &file, "--with", "a-star", "--seed", "2"]), Some(2));
    scenario(&folder, &[1]);
    assert_eq!(race(&["--queries", "2"])["rows"][0]["queries"], 2);
    // Under other rules the stated lengths do not hold, so the optimum is computed.
    assert_eq!(race(&["--corners", "loose"])["rows"][0]["mismatches"], 0);
}

#[test]
fn a_budget_leaves_queries_unsolved_but_is_no_mismatch() {
    let race =
        portolan(&["race", "--queries", "10", "--with", "a-star", "--budget", "3", "--repeat", "1", "--json", "-"]);
    let row = &json(&race)["rows"][0];
    assert_eq!(row["mismatches"], 0);
    assert_eq!(row["solved"].as_u64().unwrap() + row["out_of_budget"].as_u64().unwrap(), 10);
    assert!(row["out_of_budget"].as_u64().unwrap() > 0);
}

#[test]
fn check_counts_what_is_as_stated() {
    let folder = Folder::new("check");
    let right = portolan(&["check", &scenario(&folder, &[])]);
    assert_eq!(right.status.code(), Some(0), "{}", stderr(&right));
    for name in ["dijkstra", "a-star", "bidirectional-a-star", "jump-point"] {
        assert!(stdout(&right).contains(&format!("  {name}: 4 of 4\n")), "{}", stdout(&right));
    }
    assert!(portolan(&["check", &scenario(&folder, &[]), "--with", "auto"]).status.success());
    assert_eq!(portolan(&["check", &scenario(&folder, &[]), "--with", "out"]).status.code(), Some(2));
    let file = scenario(&folder, &[0, 3]);
    let wrong = portolan(&["check", &file, "--with", "a-star"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stdout(&wrong).contains("a-star: 2 of 4, 2 wrong") && stdout(&wrong).contains("from 1,1 to 5,1: length"));
    let found = json(&portolan(&["check", &file, "--with", "a-star", "--json"]));
    assert_eq!((&found[0]["findings"][0]["right"], &found[0]["findings"][0]["mismatches"]), (&2.into(), &2.into()));
    let missing = portolan(&["check", "nowhere.map.scen", &file]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("nowhere.map.scen") && stdout(&missing).contains("a-star: 2 of 4"));
}

#[test]
fn faults_of_scenarios_are_named() {
    let folder = Folder::new("faults");
    let file = scenario(&folder, &[]);
    for (line, words) in [
        ("0\tm.map\t65\t29\t0\t0\t5\t1\t4\n", "query 1: the start 0,0 is blocked"),
        ("0\tm.map\t64\t29\t1\t1\t5\t1\t4\n", "query 1 is for a map of 64 x 29 cells, this one is 65 x 29"),
        ("0\tm.map\t65\t29\t1\t1\t65\t1\t4\n", "m.map.scen:2:"),
        ("", "there are no queries in it"),
    ] {
        std::fs::write(&file, format!("version 1\n{line}")).unwrap();
        let output = portolan(&["race", "--scen", &file]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).starts_with("error: ") && stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn no_arguments_race_everything_with_a_picture() {
    let output = portolan(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for words in ["##", "harbour: 100 queries", "Try next: portolan"] {
        assert!(text.contains(words), "no {words} in\n{text}");
    }
    for algorithm in portolan::ALGORITHMS {
        assert!(text.contains(algorithm.name), "{}", algorithm.name);
    }
    assert_eq!(json(&portolan(&["--json"]))["map"], "harbour");
}

#[test]
fn a_reader_that_leaves_is_no_fault() {
    for args in [&["list", "--json"][..], &["completions", "zsh"], &["map", "draw", "harbour"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_portolan"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{args:?}");
    }
}
