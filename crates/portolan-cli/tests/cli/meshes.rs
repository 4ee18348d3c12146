//! Navigation meshes through the `portolan` command.

use crate::{Folder, json, portolan, stderr, stdout};
use std::fs;

/// Makes a small city, builds its mesh, and returns the mesh's path.
fn city(folder: &Folder) -> String {
    let (level, mesh) = (folder.file("city.obj"), folder.file("city.mesh"));
    let made = json(&portolan(&["map", "new", "city", &level, "--kind", "geometry", "--size", "2x2", "--json"]));
    assert_eq!((&made["kind"], &made["width"]), (&"geometry".into(), &2.into()));
    let built = json(&portolan(&["mesh", "build", &level, "--json"]));
    assert!(built["polygons"].as_u64() > Some(100) && built["components"].as_u64() == Some(1), "{built}");
    mesh
}

#[test]
fn a_city_is_made_built_described_drawn_and_crossed() {
    let folder = Folder::new("mesh-city");
    let mesh = city(&folder);
    let info = json(&portolan(&["mesh", "info", &mesh, "--json"]));
    assert!(info["portals"].as_u64() >= info["polygons"].as_u64().map(|count| count - 1));
    assert!(stdout(&portolan(&["mesh", "info", &mesh])).contains("one piece"));

    for (name, start) in [("a.svg", &b"<svg"[..]), ("b.png", b"\x89PNG")] {
        let picture = folder.file(name);
        let drawn = portolan(&["mesh", "draw", &mesh, &picture, "--isometric", "--with", "hna-star levels=2 merge=4"]);
        assert_eq!(drawn.status.code(), Some(0), "{}", stderr(&drawn));
        assert!(fs::read(&picture).unwrap().starts_with(start));
    }

    let mut lengths = Vec::new();
    for with in ["polyanya", "a-star", "hna-star merge=4", "rhumb", "dijkstra", "auto"] {
        let ends = ["--from", "10,10", "--to", "90,80,0", "--nearest"];
        let picture = folder.file("route.svg");
        let answer =
            portolan(&[&["find", &mesh][..], &ends, &["--with", with, "--json", "--picture", &picture]].concat());
        let answer = json(&answer);
        assert_eq!((&answer["outcome"], &answer["kind"]), (&"reached".into(), &"mesh".into()), "{with}");
        let points = answer["points"].as_array().unwrap();
        assert_eq!((points[0][0].as_f64().map(f64::round), points.len() > 1), (Some(10.0), true));
        assert!(fs::read_to_string(&picture).unwrap().contains("<polyline"));
        lengths.push(answer["length"].as_f64().unwrap());
    }
    assert!(lengths.iter().all(|&length| length >= lengths[0] - 1e-3 && length < lengths[0] * 1.2), "{lengths:?}");
}

#[test]
fn a_race_over_a_mesh_has_the_rows_of_every_race() {
    let folder = Folder::new("mesh-race");
    let mesh = city(&folder);
    let result = json(&portolan(&["race", &mesh, "--queries", "40", "--json", "-"]));
    assert_eq!(result["kind"], "mesh");
    let rows = result["rows"].as_array().unwrap();
    assert!(rows.len() >= 4);
    for row in rows {
        assert_eq!((&row["solved"], &row["mismatches"]), (&40.into(), &0.into()), "{row}");
        assert!(row["ratio_mean"].as_f64() >= Some(1.0) && row["mean_us"].as_f64() > Some(0.0));
    }
    let text = stdout(&portolan(&["race", &mesh, "--queries", "5", "--with", "a-star,hna-star merge=3"]));
    assert!(text.contains("hna-star merge=3"), "{text}");
    let both = json(&portolan(&["race", "harbour", &mesh, "--queries", "5", "--with", "a-star", "--json", "-"]));
    assert_eq!(both.as_array().map(Vec::len), Some(2));
}

#[test]
fn batches_are_raced_in_every_way_there_is() {
    let folder = Folder::new("mesh-batch");
    let mesh = city(&folder);
    let race = ["race", &mesh, "--queries", "5", "--with", "polyanya,rhumb", "--batch", "300"];
    let result = json(&portolan(&[&race[..], &["--json", "-"]].concat()));
    for row in result["rows"].as_array().unwrap() {
        let batch = &row["batch"];
        assert_eq!((&batch["queries"], &batch["identical"]), (&300.into(), &true.into()), "{row}");
        assert!(batch["one_ms"].as_f64() > Some(0.0) && batch["cpu_ms"].as_f64() > Some(0.0), "{row}");
        assert!(batch.get("gpu_ms").is_none() && batch.get("device").is_none(), "{row}");
    }
    let text = stdout(&portolan(&race));
    assert!(text.contains("Batches: all is") && text.contains("speed-up") && !text.contains("GPU"), "{text}");

    let output = portolan(&[&race[..], &["--gpu", "--json", "-"]].concat());
    if output.status.code() == Some(2) && stderr(&output).contains("--gpu: ") {
        println!("skipped: {}", stderr(&output));
        assert!(stdout(&output).is_empty(), "the error comes before the race");
        return;
    }
    let result = json(&output);
    let [flat, charted] = ["polyanya", "rhumb"].map(|name| {
        let rows = result["rows"].as_array().unwrap();
        rows.iter().find(|row| row["algorithm"] == name).unwrap()["batch"].clone()
    });
    assert_eq!((&flat["no_gpu"], flat.get("device")), (&"runs on the CPU only".into(), None), "{flat}");
    assert!(charted["gpu_whole_ms"].as_f64() > Some(0.0) && charted["device"].is_string(), "{charted}");
    assert_eq!(charted["identical"], true);
    let text = stdout(&portolan(&[&race[..], &["--gpu"]].concat()));
    assert!(text.contains("with transfer") && text.contains("polyanya runs on the CPU only"), "{text}");
}

#[test]
fn maps_become_meshes_and_meshes_change_their_format() {
    let folder = Folder::new("mesh-convert");
    let (own, polyanya) = (folder.file("harbour.mesh"), folder.file("other.mesh"));
    for (from, to, format) in [("harbour", &own, "portolan"), (own.as_str(), &polyanya, "polyanya-2")] {
        let output = portolan(&["mesh", "convert", from, to, "--format", format]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    assert!(fs::read(&polyanya).unwrap().starts_with(b"mesh\n2\n"));
    let answers = [&own, &polyanya].map(|mesh| {
        json(&portolan(&["find", mesh, "--from", "36.5,4.5", "--to", "52.5,33.5", "--with", "polyanya", "--json"]))
    });
    let [one, other] = answers.map(|answer| answer["length"].as_f64().unwrap());
    assert!((one - other).abs() < 1e-3 && one > 30.0, "{one} and {other}");
}

#[test]
fn links_are_added_counted_drawn_and_taken() {
    let folder = Folder::new("mesh-links");
    let (mesh, linked) = (folder.file("harbour.mesh"), folder.file("linked.mesh"));
    portolan(&["mesh", "convert", "harbour", &mesh]);
    let ends = ["--from", "36.5,4.5", "--to", "52.5,33.5"];
    let link = |input: &str, more: &[&str]| portolan(&[&["mesh", "link", input], &ends[..], more].concat());
    let facts = json(&link(&mesh, &["--cost", "2.5", "--one-way", "-o", &linked, "--json"]));
    assert_eq!((&facts["links"], &facts["file"]), (&1.into(), &linked.as_str().into()));
    assert_eq!(json(&portolan(&["mesh", "info", &mesh, "--json"]))["links"], 0);

    let find = |mesh: &str, ends: &[&str], with: &str| {
        json(&portolan(&[&["find", mesh], ends, &["--with", with, "--json"]].concat()))["length"].as_f64().unwrap()
    };
    let back = ["--from", "52.5,33.5", "--to", "36.5,4.5"];
    for with in ["a-star", "dijkstra", "polyanya", "hna-star merge=3", "rhumb"] {
        let length = find(&linked, &ends, with);
        assert!((length - 2.5).abs() < 1e-3, "{with}: {length}");
        assert!(find(&linked, &back, with) > 30.0, "{with}");
    }

    // The mesh itself is written again unless another file is named.
    assert_eq!(link(&linked, &["--cost", "100"]).status.code(), Some(0));
    assert!(stdout(&portolan(&["mesh", "info", &linked])).contains("2 links"));
    let picture = folder.file("linked.svg");
    portolan(&["mesh", "draw", &linked, &picture]);
    assert_eq!(fs::read_to_string(&picture).unwrap().matches("stroke-dasharray").count(), 2);
    portolan(&[&["find", &linked], &ends[..], &["--picture", &picture]].concat());
    assert_eq!(fs::read_to_string(&picture).unwrap().matches("stroke-dasharray").count(), 3);

    let kept = fs::read(&linked).unwrap();
    let other = folder.file("other.mesh");
    let faults = [
        (portolan(&["mesh", "convert", &linked, &other, "--format", "polyanya-2"]), "2 links, and the format has none"),
        (link(&linked, &["--cost", "-1"]), "--cost"),
        (link(&linked, &["--cost", "1e12"]), "link 2"),
        (portolan(&["mesh", "link", &linked, "--from", "-5,1", "--to", "36.5,4.5", "--cost", "1"]), "-5,1 lies off"),
    ];
    for (output, part) in faults {
        assert!(output.status.code() == Some(2) && stderr(&output).contains(part), "{}", stderr(&output));
    }
    assert_eq!(fs::read(&linked).unwrap(), kept);
}

#[test]
fn what_is_wrong_is_told_in_one_line() {
    let folder = Folder::new("mesh-wrong");
    let mesh = folder.file("harbour.mesh");
    portolan(&["mesh", "convert", "harbour", &mesh]);
    let broken = folder.file("broken.mesh");
    fs::write(&broken, "mesh\n2\n1000000000 1000000000\n").unwrap();
    let bent = folder.file("bent.mesh");
    fs::write(&bent, "mesh\n2\n4 1\n0 0 2 0 -1\n4 0 2 0 -1\n1 1 2 0 -1\n0 4 2 0 -1\n4 0 1 2 3 -1 -1 -1 -1\n").unwrap();
    let cases: [(&[&str], &str); 9] = [
        (&["find", &mesh, "--from", "1000,3", "--to", "5,5"], "off the mesh"),
        (&["find", &mesh, "--from", "36.5,4.5", "--to", "52.5,33.5", "--with", "hna"], "did you mean hna-star?"),
        (&["find", "harbour", "--from", "36.5,4", "--to", "52,33"], "whole columns and rows"),
        (&["race", &mesh, "--edits", "5"], "not for meshes"),
        (&["race", &mesh, "--with", "auto"], "no rules for meshes"),
        (&["mesh", "info", &broken], "broken.mesh"),
        (&["mesh", "info", &bent], "polygon 0, edge 1"),
        (&["mesh", "draw", &mesh, "picture.gif"], ".png or .svg"),
        (&["map", "new", "caves", "caves.obj", "--kind", "geometry"], "city"),
    ];
    for (arguments, part) in cases {
        let output = portolan(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = stderr(&output);
        assert!(told.contains(part) && told.lines().count() == 1, "{arguments:?}: {told}");
    }
}
