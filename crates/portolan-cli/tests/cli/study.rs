//! Studies through the `portolan` command.

use crate::{Folder, json, portolan, stderr, stdout};
use serde_json::Value;
use std::process::Command;

/// Makes a few small maps. Returns their folder and the path for a page.
fn maps(folder: &Folder) -> (String, String) {
    for (recipe, seed) in [("rooms", "1"), ("caves", "2"), ("noise", "3")] {
        let map = folder.file(&format!("{recipe}.map"));
        assert!(portolan(&["map", "new", recipe, &map, "--size", "60x50", "--seed", seed]).status.success());
    }
    (folder.file(""), folder.file("page.html"))
}

/// Returns a result without what differs from run to run: times, numbers that follow from them, and verdicts.
fn timeless(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let lasting = |key: &str| {
                !["_us", "_ms", "_times", "_slope"].iter().any(|end| key.ends_with(end)) && key != "verdicts"
            };
            let fields = fields.into_iter().filter(|(key, _)| lasting(key));
            Value::Object(fields.map(|(key, value)| (key, timeless(value))).collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(timeless).collect()),
        other => other,
    }
}

#[test]
fn without_a_name_the_studies_are_listed() {
    let output = portolan(&["study"]);
    assert_eq!(output.status.code(), Some(0));
    let entries = json(&portolan(&["study", "--json"]));
    for name in ["hpa-2004", "dhpa-2010", "pra-2017", "hna-2020", "dstar-2008", "sizes"] {
        assert!(stdout(&output).contains(name));
        assert!(entries.as_array().unwrap().iter().any(|entry| entry["name"] == name));
    }
    assert_eq!(portolan(&["study", "--quick"]).status.code(), Some(2), "there is nothing to be quick about");
}

#[test]
fn what_cannot_be_studied_is_one_clear_line() {
    let folder = Folder::new("study-errors");
    let (empty, missing) = (folder.file(""), folder.file("missing"));
    let broken = folder.file("broken");
    std::fs::create_dir_all(&broken).unwrap();
    std::fs::write(folder.file("broken/a.map"), "type octile\nheight 2\n").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["hpa-2005"], "there is no study \"hpa-2005\"; did you mean hpa-2004?"),
        (&["qqq"], "`portolan study` lists them"),
        (&["hpa-2004", "--maps", &missing], "missing: "),
        (&["hpa-2004", "--maps", &empty], "there are no .map files in it"),
        (&["hpa-2004", "--maps", &broken], "a.map"),
        (&["pra-2017", "--maps", &broken], "none of den204d.map, "),
        (&["hna-2020", "--maps", &empty], "there are no files of meshes or levels in it"),
        (&["hna-2020", "--maps", &missing], "missing: "),
        (&["hpa-2004", "--maps", &empty, "-o", "town.map"], "town.map is a map, not a file for results"),
        (&["hpa-2004", "--maps", &empty, "--largest", "512"], "--largest and --with go with sizes"),
        (&["sizes", "--maps", &empty], "sizes has its own worlds; leave out --maps"),
        (&["sizes", "--with", "astar"], "did you mean a-star?"),
        (&["hpa-2004", "--chapter", "5"], "hpa-2004 has no chapters to choose from; --chapter goes with hna-2020"),
        (&["hna-2020", "--chapter", "6"], "hna-2020 repeats chapters 3, 4, 5 of its paper, not 6"),
        (&["hna-2020", "--chapter", "5", "--maps", &empty], "none of arena2.map, "),
        (&["dstar-2008", "--with", "a-star"], "dstar-2008 says itself what it measures"),
    ];
    for (args, words) in cases {
        let output = portolan(&[&["study"], *args].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(said.starts_with("error: ") && said.contains(words), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_study_prints_tables_and_writes_a_page() {
    let folder = Folder::new("study-page");
    let (maps, page) = maps(&folder);
    for (name, words, figures) in [
        ("hpa-2004", ["Table 2", "Figure 8", "the same cost with one, two and three levels: 0 of 60"], 7),
        ("dhpa-2010", ["Figure 5", "Figure 7", "met     every search is answered"], 4),
    ] {
        let output = portolan(&["study", name, "--quick", "--maps", &maps, "-o", &page]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = stdout(&output);
        assert!(text.contains("3 maps from") && text.contains("20 queries a map"), "{text}");
        for word in words {
            assert!(text.contains(word), "no {word} in {text}");
        }
        let html = std::fs::read_to_string(&page).unwrap();
        assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n") && !html.contains("://"));
        assert_eq!(html.matches("<svg").count(), figures, "{name}");
    }
}

#[test]
fn all_but_times_is_the_same_twice() {
    let folder = Folder::new("study-twice");
    let (maps, page) = maps(&folder);
    for name in ["hpa-2004", "dhpa-2010"] {
        let run = |seed: &str| {
            let args = ["study", name, "--queries", "5", "--seed", seed, "--maps", &maps, "-o", &page, "--json"];
            timeless(json(&portolan(&args)))
        };
        let first = run("4");
        assert_eq!((&first["study"], &first["maps"], &first["queries"]), (&name.into(), &3.into(), &5.into()));
        assert_eq!(first["findings"]["unanswered"], 0);
        assert_eq!(first, run("4"));
        assert_ne!(first, run("5"));
    }
}

#[test]
fn without_maps_look_alikes_are_made_and_the_page_gets_a_name() {
    let folder = Folder::new("study-bare");
    let output = Command::new(env!("CARGO_BIN_EXE_portolan"))
        .args(["study", "hpa-2004", "--quick", "--queries", "2"])
        .env("PORTOLAN_MAPS", folder.file("nowhere"))
        .current_dir(folder.file(""))
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("12 of 120 maps from the generator"), "{}", stdout(&output));
    assert!(std::fs::read_to_string(folder.file("study-hpa-2004.html")).unwrap().contains("<svg"));
}

#[test]
fn the_thesis_maps_are_found_by_name_wherever_they_lie() {
    let folder = Folder::new("study-named");
    let page = folder.file("page.html");
    std::fs::create_dir_all(folder.file("sc")).unwrap();
    for (name, recipe) in [("sc/AcrosstheCape.map", "caves"), ("den204d.map", "rooms"), ("other.map", "noise")] {
        assert!(portolan(&["map", "new", recipe, &folder.file(name), "--size", "90x80"]).status.success());
    }
    let maps = folder.file("");
    let study = ["study", "pra-2017", "--queries", "5", "--maps", &maps, "-o", &page];
    let output = portolan(&study);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for words in ["2 maps from", "Table 4.1", "1445.4", "Table 4.2", "49429.3", "Section 4.4", "0 of 5", "0 were not"] {
        assert!(text.contains(words), "no {words} in {text}");
    }
    assert_eq!(std::fs::read_to_string(&page).unwrap().matches("<svg").count(), 2);
    let numbers = || timeless(json(&portolan(&[&study[..], &["--json"]].concat())));
    assert_eq!(numbers(), numbers());
}

#[test]
fn sizes_grow_and_their_powers_are_told() {
    let folder = Folder::new("study-sizes");
    let page = folder.file("sizes.html");
    let study = ["study", "sizes", "--quick", "--queries", "4", "--with", "jump-point,dhpa-star", "-o", &page];
    let output = portolan(&study);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for words in ["4 maps from the generator", "Growing city", "Growing caves", "side^", "0 wrong"] {
        assert!(text.contains(words), "no {words} in {text}");
    }
    assert_eq!(std::fs::read_to_string(&page).unwrap().matches("<svg").count(), 4);
    let run = || timeless(json(&portolan(&[&study[..], &["--json"]].concat())));
    let first = run();
    let rows = first["findings"]["rows"].as_array().unwrap();
    let sides: Vec<u64> = rows.iter().map(|row| row["side"].as_u64().unwrap()).collect();
    assert_eq!(sides, [256, 256, 512, 512, 256, 256, 512, 512]);
    assert_eq!(first, run());
}

#[test]
fn games_stand_beside_the_report() {
    let folder = Folder::new("study-games");
    let page = folder.file("dstar.html");
    let study = ["study", "dstar-2008", "--queries", "2", "-o", &page];
    let output = portolan(&study);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for words in ["2 maps from the engine", "2 games a map", "Table 5", "14,389", "Table 6", "24,838", "ours", "report"]
    {
        assert!(text.contains(words), "no {words} in {text}");
    }
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("Table 5") && html.contains("jump points"));
    let numbers = || timeless(json(&portolan(&[&study[..], &["--json"]].concat())));
    let first = numbers();
    assert_eq!(first["findings"]["worlds"].as_array().unwrap().len(), 2);
    assert_eq!(first, numbers());
}

#[test]
fn meshes_are_measured_beside_a_city() {
    let folder = Folder::new("study-meshes");
    let (page, block) = (folder.file("hna.html"), folder.file("block.obj"));
    let made = portolan(&["map", "new", "city", &block, "--kind", "geometry", "--size", "2x2", "--seed", "3"]);
    assert!(made.status.success(), "{}", stderr(&made));
    let study = ["study", "hna-2020", "--quick", "--queries", "5", "--maps", &folder.file(""), "-o", &page];
    let output = portolan(&study);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for words in
        ["2 maps from", "polygons on average", "City Island", "block.obj", "Figure 3.18", "Table 4.1", "0 wrong"]
    {
        assert!(text.contains(words), "no {words} in {text}");
    }
    assert!(!text.contains("missed"), "so little is not judged: {text}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("Figure 3.12") && !html.contains("://"));
    let numbers = || timeless(json(&portolan(&[&study[..], &["--json"]].concat())));
    let first = numbers();
    assert_eq!((&first["maps"], &first["findings"]["mismatches"]), (&2.into(), &0.into()));
    assert_eq!(first, numbers());
}

#[test]
fn minds_are_measured_as_a_chapter_of_their_own() {
    let folder = Folder::new("study-minds");
    let study = |options: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_portolan"))
            .args([&["study", "hna-2020", "--chapter", "5", "--quick", "--queries", "4"], options].concat())
            .env("PORTOLAN_MAPS", folder.file("nowhere"))
            .current_dir(folder.file(""))
            .output()
            .expect("the command runs");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output
    };
    let text = stdout(&study(&[]));
    for words in
        ["1 maps from the generator", "4 pairs a map", "Figure 5.9", "Figure 5.4", "Figure 5.11", "fades", "0 did not"]
    {
        assert!(text.contains(words), "no {words} in {text}");
    }
    let html = std::fs::read_to_string(folder.file("study-hna-2020-5.html")).unwrap();
    assert!(html.contains("Figure 5.6") && html.contains("<figcaption>") && !html.contains("://"));
    let numbers = || timeless(json(&study(&["--json"])));
    let first = numbers();
    assert_eq!((&first["study"], &first["findings"]["lost"]), (&"hna-2020".into(), &0.into()));
    assert_eq!(first, numbers());
    assert!(stdout(&portolan(&["study"])).contains("--chapter 5: "));
    let listed = json(&portolan(&["study", "--json"]));
    assert!(listed.as_array().unwrap().iter().any(|entry| entry["chapters"] == serde_json::json!([5])));
}
