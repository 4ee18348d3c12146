//! Races on worlds that change, through the `portolan` command: dynamic scenarios, and agents among traps.

use crate::{Folder, json, portolan, stderr, stdout};
use std::path::PathBuf;

/// Writes a dynamic scenario with a wall that comes, gets a gap and goes. Its last query states that length.
fn walls(folder: &Folder, last: f64) -> String {
    let wall = "@\n".repeat(9);
    let patches = format!(
        "type patch\npatches 3\npatch 0\nheight 9\nwidth 1\nmap\n{wall}patch 1\nheight 1\nwidth 1\nmap\n.\npatch 2\nheight 9\nwidth 1\nmap\n{}",
        wall.replace('@', ".")
    );
    std::fs::write(folder.file("walls.patch"), patches).unwrap();
    let text = format!(
        "version 2\nheight 9\nwidth 9\ncost 1 octile\npatch walls.patch\ncommands\n\
         Q 0 0 4 8 4 8\nP 1 0 4 0\nQ 1 0 4 8 4 -1\nP 2 1 4 4\nQ 2 0 4 8 4 8\nQ 2 0 0 8 0 12.485281\nP 3 2 4 0\nQ 3 0 0 8 8 {last}\n"
    );
    let file = folder.file("walls.scen");
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_dynamic_scenario_is_raced_with_its_patches() {
    let folder = Folder::new("dynamic");
    let file = walls(&folder, 11.313_708);
    let race = json(&portolan(&["race", &file, "--json", "-"]));
    assert_eq!((&race["queries"], &race["patches"], &race["changes"]), (&5.into(), &3.into(), &3.into()));
    let rows = race["rows"].as_array().unwrap();
    assert_eq!(rows.len(), portolan::ALGORITHMS.len());
    for row in rows {
        assert_eq!((&row["queries"], &row["mismatches"]), (&5.into(), &0.into()), "{row}");
        for field in ["build_ms", "repair_ms", "search_ms", "total_ms", "ratio_mean", "ratio_max", "index_bytes"] {
            assert!(row.get(field).is_some(), "no {field} in {row}");
        }
    }
    for name in ["a-star", "lpa-star", "d-star-lite", "jump-point"] {
        let row = rows.iter().find(|row| row["algorithm"] == name).unwrap();
        assert_eq!(row["matched"], 5, "{row}");
    }
    let table = portolan(&["race", "--scen", &file, "--with", "a-star,d-star-lite,auto"]);
    assert_eq!(table.status.code(), Some(0), "{}", stderr(&table));
    for words in ["walls.scen: 5 queries on 9 x 9 cells, changed 3 times by 3 patches", "repair ms", "(auto): "] {
        assert!(stdout(&table).contains(words), "no {words} in\n{}", stdout(&table));
    }
    let wrong = portolan(&["race", &walls(&folder, 11.0), "--with", "lpa-star"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stdout(&wrong).contains("wrong: lpa-star at query 5 from 0,0 to 8,8: length"), "{}", stdout(&wrong));
}

#[test]
fn what_does_not_go_with_a_dynamic_scenario_is_told_before_the_race() {
    let folder = Folder::new("dynamic-faults");
    let file = walls(&folder, 11.313_708);
    for (more, words) in [
        (&["--queries", "3"][..], "--queries does not go with"),
        (&["--html", "page.html"], "--html does not go with"),
        (&["harbour"], "is a dynamic scenario, which brings its map; race harbour by itself"),
        (&["--with", "a-stair"], "there is no algorithm \"a-stair\""),
    ] {
        let output = portolan(&[&["race", &file][..], more].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains(words) && stdout(&output).is_empty(), "{}", stderr(&output));
    }
    std::fs::remove_file(folder.file("walls.patch")).unwrap();
    let output = portolan(&["race", &file]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("walls.patch"), "{}", stderr(&output));
}

#[test]
fn agents_walk_among_traps() {
    let args = ["race", "harbour", "--traps", "9", "--ticks", "12", "--queries", "8"];
    let race = json(&portolan(&[&args[..], &["--change", "3", "--json", "-"]].concat()));
    let facts = ["traps", "change", "size", "ticks"].map(|fact| race[fact].as_u64().unwrap());
    assert_eq!(facts, [9, 3, 2, 12]);
    let rows = race["rows"].as_array().unwrap();
    assert_eq!(rows[0]["algorithm"], "a-star successors=all");
    for row in rows {
        assert_eq!((&row["ticks"], &row["mismatches"]), (&12.into(), &0.into()), "{row}");
        for field in ["repair_us", "plan_us", "mean_us", "p50_us", "p99_us", "max_us", "plain_us", "times_as_fast"] {
            assert!(row[field].as_f64().is_some(), "no {field} in {row}");
        }
    }
    for name in ["d-star-lite", "hpa-star", "rhumb"] {
        assert!(rows.iter().any(|row| row["algorithm"] == name), "{name}");
    }
    let table = portolan(&[&args[..], &["--with", "a-star,d-star-lite,dhpa-star", "--repeat", "2"]].concat());
    assert_eq!(table.status.code(), Some(0), "{}", stderr(&table));
    let text = stdout(&table);
    for words in ["harbour: 12 ticks among 9 traps of 2 x 2 cells, 1 of them other ones", "times as fast", "dhpa-star"]
    {
        assert!(text.contains(words), "no {words} in\n{text}");
    }
}

#[test]
fn a_walk_among_traps_that_cannot_be_is_told_before_it_begins() {
    let folder = Folder::new("traps");
    let map = folder.file("island.map");
    std::fs::write(&map, "type octile\nheight 3\nwidth 3\nmap\n.@.\n@@@\n.@.\n").unwrap();
    for (args, words) in [
        (&["race", "harbour", "--traps", "0"][..], "--traps"),
        (&["race", "harbour", "--traps", "5", "--change", "6"], "--change 6 is more than there are traps: 5"),
        (&["race", "harbour", "--change", "1"], "--traps"),
        (
            &["race", "harbour", "--traps", "5", "--trap-size", "30"],
            "there is no room for a trap of 30 x 30 cells within",
        ),
        (&["race", "harbour", "--traps", "5", "--edits", "3"], "--edits"),
        (&["race", "harbour", "--traps", "5", "--set", "edges=lazy"], "--set needs --with"),
        (&["race", &map, "--traps", "5"], "no two free cells of this world are connected"),
    ] {
        let output = portolan(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(words) && stdout(&output).is_empty(), "{}", stderr(&output));
    }
}

/// Returns a file below the folder of published maps, or `None`, with a word about it, if it is not there.
fn published(name: &str) -> Option<String> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = std::env::var_os("PORTOLAN_MAPS").map_or_else(default, PathBuf::from);
    let path = folder.join(name);
    if !path.is_file() {
        println!("skipped: there is no {}", path.display());
        return None;
    }
    path.to_str().map(str::to_owned)
}

#[test]
fn lengths_of_a_published_dynamic_scenario_are_matched() {
    let Some(scenario) = published("dynamic/dao_arena2.scen") else { return };
    let folder = Folder::new("published");
    let text = std::fs::read_to_string(&scenario).unwrap();
    // The header and the first patches and queries: all 2,000 queries would take long here.
    let lines: Vec<&str> = text.lines().take(260).collect();
    let file = folder.file("dao_arena2.scen");
    std::fs::write(&file, lines.join("\n")).unwrap();
    std::fs::copy(scenario.replace(".scen", ".patch"), folder.file("dao_arena2.patch")).unwrap();
    let exact = "a-star,lpa-star,d-star-lite,jump-point";
    let output = portolan(&["race", &file, "--with", &format!("{exact},hpa-star,dhpa-star,rhumb"), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let race = json(&output);
    assert!(race["changes"].as_u64().unwrap() > 3, "{race}");
    for row in race["rows"].as_array().unwrap() {
        let is_exact = exact.split(',').any(|name| row["algorithm"] == name);
        assert!(!is_exact || row["matched"] == row["queries"], "{row}");
        assert!(row["ratio_max"].as_f64().unwrap() < 1.1, "{row}");
    }
}

#[test]
fn a_chart_among_traps_on_a_large_map_is_hardly_ever_repaired() {
    let Some(scenario) = published("sc/AcrosstheCape.map.scen") else { return };
    let args = ["race", "--scen", &scenario, "--traps", "100", "--ticks", "20", "--with", "d-star-lite,hpa-star,rhumb"];
    for change in ["1", "100"] {
        let output = portolan(&[&args[..], &["--change", change, "--json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        let race = json(&output);
        for row in race["rows"].as_array().unwrap() {
            let is_living = row["algorithm"] == "d-star-lite";
            assert!(is_living || row["repairs"].as_u64().unwrap() < 5, "{row}");
            assert!(row["ratio_max"].as_f64().unwrap() < if is_living { 1.0 + 1e-9 } else { 1.1 }, "{row}");
        }
    }
}
