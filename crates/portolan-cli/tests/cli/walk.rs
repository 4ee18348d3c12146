//! Walks of minds through the `portolan` command.

use crate::{Folder, json, portolan, stderr, stdout};
use serde_json::Value;

const HARBOUR: [&str; 6] = ["walk", "harbour", "--from", "36,4", "--to", "52,33"];

fn harbour(options: &[&str]) -> std::process::Output {
    portolan(&[&HARBOUR[..], options].concat())
}

/// Checks what must be true of every mind that arrived.
fn check_mind(mind: &Value, shortest: u64) {
    assert_eq!(mind["outcome"], "arrived");
    let walked = mind["walked"].as_u64().unwrap();
    let by_mode = mind["modes"].as_object().unwrap().values().map(|steps| steps.as_u64().unwrap());
    assert_eq!(by_mode.sum::<u64>(), walked);
    assert!(walked >= shortest, "{mind}");
    assert!((mind["ratio"].as_f64().unwrap() - walked as f64 / shortest as f64).abs() < 1e-9);
    assert_eq!(mind["steps"].as_array().unwrap().len() as u64, walked);
    assert!(mind["known_after"].as_u64() >= mind["known_before"].as_u64(), "nothing fades unless asked to");
    assert!(mind["bytes"].as_u64() > Some(0));
}

#[test]
fn a_walk_is_told_in_words() {
    let output = harbour(&["--mind", "knowledge=25,delta=0.5"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "hexagons walked, ",
        " of A*",
        "knowledge=25,delta=0.5",
        "exploring",
        "walking back",
        "seeing the goal",
        "knew ",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

#[test]
fn knowledge_is_as_asked_for_and_all_of_it_known_in_full_walks_the_shortest_way() {
    let walk = |mind: &str| {
        let report = json(&harbour(&["--mind", mind, "--minds", "4", "--json"]));
        let (shortest, hexagons) = (report["shortest"].as_u64().unwrap(), report["hexagons"].as_u64().unwrap());
        let minds = report["minds"].as_array().unwrap();
        assert_eq!(minds.len(), 4);
        for mind in minds {
            check_mind(mind, shortest);
        }
        let known = minds[0]["known_before"].as_u64().unwrap() as f64 / hexagons as f64;
        (report["ratio"].as_f64().unwrap(), known)
    };
    let (naive, known) = walk("knowledge=0");
    assert!(naive > 1.0 && known < 0.01, "{naive}, knows {known}");
    let (half, known) = walk("knowledge=50");
    assert!(half >= 1.0 && (0.5..0.6).contains(&known), "{half}, knows {known}");
    let (full, known) = walk("knowledge=100,most=1");
    assert!((full - 1.0).abs() < 1e-12 && (known - 1.0).abs() < 1e-12, "{full}, knows {known}");
}

#[test]
fn equal_seeds_give_equal_walks() {
    let told = |seed: &str| stdout(&harbour(&["--mind", "knowledge=30", "--seed", seed, "--json"]));
    assert_eq!(told("3"), told("3"));
    assert_ne!(told("3"), told("4"));
    // Each of several minds walks as it would alone.
    let both = json(&harbour(&["--mind", "knowledge=30", "--seed", "3", "--minds", "2", "--json"]));
    for (index, seed) in [(0, "3"), (1, "4")] {
        let alone: Value = serde_json::from_str(&told(seed)).unwrap();
        assert_eq!(both["minds"][index], alone["minds"][0]);
    }
}

#[test]
fn pictures_show_what_is_known_and_both_walks() {
    let folder = Folder::new("walk-picture");
    let [svg, png] = ["walk.svg", "walk.png"].map(|name| folder.file(name));
    for picture in [&svg, &png] {
        let output = harbour(&["--mind", "knowledge=40", "--picture", picture]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let drawn = std::fs::read_to_string(&svg).unwrap();
    for (what, colour) in [("the shortest walk", "#2bb33b"), ("known in full", "#2f74c8")] {
        assert!(drawn.contains(colour), "{what} is not in {drawn}");
    }
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn minds_walk_over_hexes_and_meshes() {
    let folder = Folder::new("walk-kinds");
    let [hexes, mesh, picture] = ["harbour.hex", "harbour.mesh", "walk.svg"].map(|name| folder.file(name));
    for command in [&["map", "convert", "harbour", &hexes][..], &["mesh", "convert", "harbour", &mesh]] {
        let made = portolan(command);
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    }
    for (map, kind, [from, to]) in [(&hexes, "hex", ["36,4", "52,33"]), (&mesh, "mesh", ["36.5,4.5", "52.5,33.5"])] {
        let output = portolan(&[
            "walk",
            map,
            "--from",
            from,
            "--to",
            to,
            "--mind",
            "knowledge=30",
            "--json",
            "--picture",
            &picture,
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let report = json(&output);
        assert_eq!(report["kind"], kind);
        check_mind(&report["minds"][0], report["shortest"].as_u64().unwrap());
        assert!(std::fs::read_to_string(&picture).unwrap().contains("#2bb33b"));
    }
}

#[test]
fn larger_hexagons_are_fewer() {
    let hexagons = |size: &str| json(&harbour(&["--size", size, "--json"]))["hexagons"].as_u64().unwrap();
    assert!(3 * hexagons("2") < hexagons("1"));
}

#[test]
fn a_mind_that_finds_no_way_gives_up() {
    let folder = Folder::new("walk-no-way");
    let map = folder.file("two.txt");
    std::fs::write(&map, "....#....\n....#....\n....#....\n").unwrap();
    let output = portolan(&["walk", &map, "--from", "0,0", "--to", "8,2"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("gave up after") && stdout(&output).contains("there is no way"));
    let report = json(&portolan(&["walk", &map, "--from", "0,0", "--to", "8,2", "--json"]));
    assert_eq!((&report["minds"][0]["outcome"], &report["shortest"]), (&"gave-up".into(), &Value::Null));
    let there = portolan(&["walk", &map, "--from", "0,0", "--to", "0,0"]);
    assert!(there.status.success() && stdout(&there).contains("it is there already"));
}

#[test]
fn what_cannot_be_walked_is_refused_in_one_line() {
    let folder = Folder::new("walk-errors");
    let mesh = folder.file("harbour.mesh");
    assert!(portolan(&["mesh", "convert", "harbour", &mesh]).status.success());
    let on = |map: &str, from: &str, more: &[&str]| {
        let output = portolan(&[&["walk", map, "--from", from, "--to", "52,33"], more].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        let said = stderr(&output);
        assert!(said.starts_with("error: ") && said.lines().count() == 1, "{said}");
        said
    };
    let cases: [(&str, &str, &[&str], &str); 8] = [
        ("harbour", "36,4", &["--mind", "delta=0.9"], "delta cannot be \"0.9\": it takes -1 to 0.8"),
        ("harbour", "36,4", &["--mind", "c=5"], "a mind has no setting \"c\"; it has knowledge, delta"),
        ("harbour", "36,4", &["--mind", "knowledge"], "expected name=value, separated by commas"),
        ("harbour", "36,400", &[], "36,400 lies off the map"),
        ("harbour", "7,1", &[], "7,1 is blocked: expected a free cell"),
        ("harbour", "36,4", &["--size", "1.5"], "a whole number of squares"),
        ("harbour", "36,4", &["--picture", "walk.gif"], "ending in .png or .svg"),
        (&mesh, "-5,-5", &[], "-5,-5 lies off the mesh: expected a point on one of its polygons"),
    ];
    for (map, from, more, words) in cases {
        let said = on(map, from, more);
        assert!(said.contains(words), "{words} in {said}");
    }
}
