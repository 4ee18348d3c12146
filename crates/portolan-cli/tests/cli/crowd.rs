//! Crowds through the `portolan` command.

use crate::{Folder, json, portolan, stderr, stdout};

#[test]
fn a_crowd_walks_and_stays_on_the_ground() {
    let output = portolan(&["crowd", "harbour", "--agents", "30", "--seconds", "60", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = json(&output);
    assert_eq!((&report["agents"], &report["ticks"]), (&30.into(), &3600.into()));
    assert_eq!((&report["arrived"], &report["off_the_ground"], &report["stuck"]), (&30.into(), &0.into(), &0.into()));
    assert!(
        report["ticks_per_second"].as_f64() > Some(0.0) && report["worst_ms"].as_f64() >= report["tick_ms"].as_f64()
    );
    assert!(report["why"].is_string());
}

#[test]
fn equal_seeds_give_equal_crowds() {
    let told = |seed: &str| {
        let output =
            portolan(&["crowd", "keep", "--agents", "40", "--seconds", "6", "--seed", seed, "--no-times", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(told("3"), told("3"));
    assert!(!told("3").contains("_ms"));
}

#[test]
fn a_crowd_is_told_in_words() {
    let text = stdout(&portolan(&["crowd", "harbour", "--agents", "5", "--seconds", "2", "--with", "a-star"]));
    for part in
        ["5 agents on harbour for 2 s", "a-star", "arrived, ", "0 left the ground", "ticks a second", "ms at worst"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!stdout(&portolan(&["crowd", "harbour", "--agents", "5", "--seconds", "1", "--no-times"])).contains(" ms"));
}

#[test]
fn hexes_have_crowds_too() {
    let folder = Folder::new("crowd-hexes");
    let map = folder.file("plains.hex");
    let made = portolan(&["map", "new", "caves", &map, "--size", "40x30"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let report = json(&portolan(&["crowd", &map, "--agents", "20", "--seconds", "40", "--with", "a-star", "--json"]));
    assert_eq!(
        (&report["kind"], &report["arrived"], &report["off_the_ground"]),
        (&"hex".into(), &20.into(), &0.into())
    );
}

#[test]
fn meshes_have_crowds_too() {
    let folder = Folder::new("crowd-mesh");
    let [level, mesh] = ["city.obj", "city.mesh"].map(|name| folder.file(name));
    for command in [
        &["map", "new", "city", &level, "--kind", "geometry", "--size", "2x2"][..],
        &["mesh", "build", &level, "-o", &mesh],
    ] {
        let made = portolan(command);
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    }
    let crowd = |options: &[&str]| {
        let base = ["crowd", &mesh, "--agents", "60", "--radius", "0.3", "--speed", "8", "--no-times", "--json"];
        let output = portolan(&[&base[..], options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    for (options, algorithm) in [(&[][..], "hna-star"), (&["--with", "a-star"], "a-star")] {
        let told = crowd(&[options, &["--seconds", "60"]].concat());
        let report: serde_json::Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!((&report["kind"], &report["algorithm"]), (&"mesh".into(), &algorithm.into()));
        assert_eq!(
            (&report["arrived"], &report["stuck"], &report["off_the_ground"]),
            (&60.into(), &0.into(), &0.into()),
            "{told}"
        );
        assert_eq!(report["why"].is_string(), options.is_empty());
    }
    assert_eq!(crowd(&["--seconds", "2", "--seed", "5"]), crowd(&["--seconds", "2", "--seed", "5"]));
    for (options, expected) in [(&["--with", "hpa-star"][..], "hna-star"), (&["--radius", "0"], "radius")] {
        let output = portolan(&[&["crowd", &mesh, "--seconds", "1"], options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn what_cannot_walk_is_refused_in_one_line() {
    let cases = [
        (&["--agents", "0"][..], "0"),
        (&["--agents", "1000000"], "there is room for"),
        (&["--radius", "0.5"], "radius"),
        (&["--speed", "13"], "speed"),
        (&["--with", "a-stra"], "a-star"),
    ];
    for (options, expected) in cases {
        let output = portolan(&[&["crowd", "harbour", "--seconds", "1"], options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    assert_eq!(portolan(&["crowd", "nowhere.map"]).status.code(), Some(2));
}

#[test]
fn whole_numbers_give_the_same_crowd_on_every_processor() {
    let told = |options: &[&str]| {
        let base = ["crowd", "harbour", "--agents", "40", "--seconds", "20", "--json"];
        let output = portolan(&[&base[..], options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let known = told(&["--whole", "--no-times"]);
    assert_eq!(told(&["--gpu", "--no-times"]), known);
    let report: serde_json::Value = serde_json::from_str(&told(&["--whole"])).expect("JSON");
    assert_eq!((&report["device"], &report["off_the_ground"]), (&"CPU".into(), &0.into()));
    assert!(report["no_gpu"].is_null() && report["tick_ms"].is_number());
    // Without a driver, the CPU computes the crowd, and the report says why.
    let report: serde_json::Value = serde_json::from_str(&told(&["--gpu"])).expect("JSON");
    assert_eq!(report["device"] == "CPU", report["no_gpu"].is_string(), "{report}");
    let refused = portolan(&["crowd", "harbour", "--whole", "--radius", "0.1", "--speed", "9"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("40 times"), "{}", stderr(&refused));
}
