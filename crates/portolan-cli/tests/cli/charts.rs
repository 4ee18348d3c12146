//! Saved charts through the `portolan` command: building, describing and using them, and the errors when they do not
//! fit.

use crate::{Folder, json, portolan, stderr, stdout};
use std::process::Command;

/// Makes a folder with a map, its chart, and a chart with the world in it.
fn charted(name: &str) -> (Folder, [String; 3]) {
    let folder = Folder::new(name);
    let files = ["town.map", "town.chart", "whole.chart"].map(|name| folder.file(name));
    let [map, chart, whole] = &files;
    assert!(portolan(&["map", "new", "city", map, "--size", "150x120", "--seed", "3"]).status.success());
    let built = portolan(&["build", map, "-o", chart]);
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    assert!(stdout(&built).contains("hpa-star on 150 x 120 cells, built in"), "{}", stdout(&built));
    let args = ["build", map, "-o", whole, "--with", "dhpa-star", "--set", "levels=2", "--embed", "--json"];
    let built = json(&portolan(&args));
    assert_eq!((&built["algorithm"], &built["embedded"]), (&"dhpa-star".into(), &true.into()));
    assert_eq!(built["bytes"].as_u64(), std::fs::metadata(whole).ok().map(|file| file.len()));
    (folder, files)
}

/// Finds a route across the town. Returns the answer without the time, which differs from run to run.
fn find(args: &[&str]) -> serde_json::Value {
    let ends = ["--from", "1,1", "--to", "140,110", "--nearest", "--json"];
    let mut answer = json(&portolan(&[&["find"], args, &ends].concat()));
    answer.as_object_mut().expect("an object").remove("time_us");
    answer
}

#[test]
fn a_chart_finds_what_building_it_would() {
    let (_folder, [map, chart, whole]) = charted("find");
    assert_eq!(find(&[&map, "--chart", &chart]), find(&[&map, "--with", "hpa-star"]));
    let built = find(&[&map, "--with", "dhpa-star", "--set", "levels=2"]);
    assert_eq!(find(&[&map, "--chart", &whole]), built);
    assert_eq!(find(&["--chart", &whole]), built);
    // A chart with its world in it can be named as a map.
    assert_eq!(find(&[&whole, "--with", "a-star"]), find(&[&map, "--with", "a-star"]));
    assert_eq!(json(&portolan(&["map", "info", &whole, "--json"]))["width"], 150);
}

#[test]
fn charts_race_as_opened() {
    let (_folder, [map, chart, whole]) = charted("race");
    let args = ["--queries", "10", "--with", "hpa-star", "--repeat", "1", "--json", "-"];
    let race = json(&portolan(&[&["race", &map, "--chart", &chart, "--chart", &whole][..], &args].concat()));
    let rows = race["rows"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["algorithm"].as_str().unwrap()).collect();
    assert_eq!(names, ["hpa-star", "hpa-star (opened)", "dhpa-star (opened)"]);
    assert!(rows.iter().all(|row| row["solved"] == 10 && row["mismatches"] == 0), "{race}");
    assert_eq!(rows[0]["expanded"], rows[1]["expanded"]);
    let own = json(&portolan(&[&["race", "--chart", &whole][..], &args].concat()));
    assert_eq!((&own["map"], &own["rows"][1]["ratio_mean"]), (&whole.into(), &rows[2]["ratio_mean"]));
    let other = json(&portolan(&[&["race", "harbour", "--chart", &chart][..], &args].concat()));
    assert_eq!(other["skipped"][0]["algorithm"], "hpa-star (opened)");
    assert!(other["skipped"][0]["reason"].as_str().unwrap().contains("that one is 150 x 120"));
}

#[test]
fn info_shows_what_a_chart_is() {
    let (_folder, [map, chart, whole]) = charted("info");
    let info = json(&portolan(&["info", &chart, "--json"]));
    assert_eq!((&info["version"], &info["algorithm"]), (&1.into(), &"hpa-star".into()));
    assert_eq!((&info["width"], &info["embedded"], &info["levels"]), (&150.into(), &false.into(), &().into()));
    assert_eq!(info["settings"]["edges"], "eager");
    assert_eq!(info["bytes"].as_u64(), std::fs::metadata(&chart).ok().map(|file| file.len()));
    let known = json(&portolan(&["info", &chart, "--map", &map, "--json"]));
    assert_eq!(known["levels"][0]["clusters"], 180);
    let own = json(&portolan(&["info", &whole, "--json"]));
    assert_eq!((own["levels"].as_array().unwrap().len(), &own["embedded"]), (2, &true.into()));
    assert_eq!((&own["sections"][0]["name"], &own["sections"][0]["bytes"]), (&"terrain".into(), &18_000.into()));
    assert_eq!(own["terrain"], info["terrain"]);
    let text = stdout(&portolan(&["info", &whole]));
    assert!(text.contains("150 x 120, 8 directions, strict corners and costs 5741/8119"), "{text}");
    assert!(text.contains("level 1    180 clusters") && text.contains("in the file"), "{text}");
    assert!(stdout(&portolan(&["info", &chart])).contains("--map MAP shows them"));
}

#[test]
fn charts_that_do_not_fit_are_one_line_on_standard_error() {
    let (folder, [map, chart, whole]) = charted("faults");
    let loose = folder.file("loose.chart");
    assert!(portolan(&["build", &map, "-o", &loose, "--corners", "loose"]).status.success());
    let bytes = std::fs::read(&chart).unwrap();
    let (cut, damaged, newer) = (folder.file("cut.chart"), folder.file("damaged.chart"), folder.file("newer.chart"));
    std::fs::write(&cut, &bytes[..bytes.len() / 3]).unwrap();
    let changed = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 2;
        bytes
    };
    std::fs::write(&damaged, changed(bytes.len() / 2)).unwrap();
    std::fs::write(&newer, changed(8)).unwrap();
    let ends = ["--from", "1,1", "--to", "5,5"];
    let use_on = |map: &str, chart: &str| portolan(&[&["find", map, "--chart", chart][..], &ends].concat());
    let none = folder.file("none.chart");
    for (output, words) in [
        (
            use_on("harbour", &chart),
            "another world: that one is 150 x 120, this one 72 x 36; `portolan build` makes one",
        ),
        (use_on(&map, &loose), "this one 8 directions, strict corners and costs 5741/8119; see --corners"),
        (use_on(&map, &cut), "it was cut short"),
        (use_on(&map, &damaged), "its checksum does not hold: the file is damaged; build the chart again"),
        (use_on(&map, &newer), "expected version 1 of the chart format, found version 3; build the chart again"),
        (use_on(&map, &map), "expected a saved chart, found a file that does not begin like one"),
        (use_on(&map, &none), "none.chart: "),
        (portolan(&[&["find", "--chart", &chart][..], &ends].concat()), "the world is not in it"),
        (portolan(&[&["find", "--chart", &whole, "--corners", "loose"][..], &ends].concat()), "has its own rules"),
        (portolan(&["info", &map]), "expected a saved chart"),
        (portolan(&["info", &chart, "--map", "harbour"]), "chart of another world"),
        (portolan(&["race", "--chart", &damaged]), "its checksum does not hold"),
        (portolan(&["build", &map, "-o", &none, "--with", "shpa-star"]), "shpa-star keeps nothing worth saving"),
        (portolan(&["build", &map, "-o", &none, "--with", "hpastar"]), "did you mean hpa-star?"),
        (portolan(&["build", &map, "-o", &map]), "is a map's name; name the chart otherwise"),
        (portolan(&["build", &map, "-o", &folder.file("no/a.chart")]), "no/a.chart: "),
    ] {
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.starts_with("error: ") && told.contains(words) && told.lines().count() == 1, "{words}: {told}");
    }
    let both = portolan(&[&["find", &map, "--chart", &chart, "--with", "a-star"][..], &ends].concat());
    assert!(stderr(&both).contains("cannot be used with"));
    assert!(!std::path::Path::new(&none).exists());
}

#[test]
fn what_can_be_saved_is_what_is_listed() {
    let folder = Folder::new("listed");
    let chart = folder.file("a.chart");
    let saved = |name: &str| portolan(&["build", "harbour", "-o", &chart, "--with", name]);
    assert!(stdout(&portolan(&["build", "--help"])).contains("On a mesh, what can be saved: hna-star, rhumb."));
    let (savable, others): (Vec<&str>, Vec<&str>) =
        portolan::ALGORITHMS.iter().map(|algorithm| algorithm.name).partition(|name| saved(name).status.success());
    let list = format!("what can be saved: {}", savable.join(", "));
    assert!(savable.len() > 2 && stdout(&portolan(&["build", "--help"])).contains(&list), "{list}");
    for name in others {
        assert!(stderr(&saved(name)).contains(&list), "{name}");
    }
}

/// Makes a folder with a mesh, its chart, and a chart with the mesh in it.
fn charted_mesh(name: &str) -> (Folder, [String; 3]) {
    let folder = Folder::new(name);
    let files = ["harbour.mesh", "harbour.chart", "whole.chart"].map(|name| folder.file(name));
    let [mesh, chart, whole] = &files;
    assert!(portolan(&["mesh", "convert", "harbour", mesh]).status.success());
    let built = portolan(&["build", mesh, "-o", chart]);
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    let facts = json(&portolan(&["mesh", "info", mesh, "--json"]));
    let told = format!("hna-star on {} polygons, built in", facts["polygons"]);
    assert!(stdout(&built).contains(&told), "{}", stdout(&built));
    let built = json(&portolan(&["build", mesh, "-o", whole, "--with", "rhumb", "--embed", "--json"]));
    assert_eq!(
        (&built["algorithm"], &built["kind"], &built["embedded"]),
        (&"rhumb".into(), &"mesh".into(), &true.into())
    );
    assert_eq!((&built["polygons"], &built["width"]), (&facts["polygons"], &().into()));
    assert_eq!(built["bytes"].as_u64(), std::fs::metadata(whole).ok().map(|file| file.len()));
    (folder, files)
}

#[test]
fn the_chart_of_a_mesh_is_described_and_finds_what_building_it_would() {
    let (_folder, [mesh, chart, whole]) = charted_mesh("mesh-chart-find");
    let find = |args: &[&str]| {
        let ends = ["--from", "36.5,4.5", "--to", "52.5,33.5", "--json"];
        let mut answer = json(&portolan(&[&["find"], args, &ends].concat()));
        answer.as_object_mut().expect("an object").remove("time_us");
        answer
    };
    assert_eq!(find(&[&mesh, "--chart", &chart]), find(&[&mesh, "--with", "hna-star"]));
    let built = find(&[&mesh, "--with", "rhumb"]);
    assert_eq!((&built["outcome"], &built["algorithm"]), (&"reached".into(), &"rhumb".into()));
    assert_eq!(find(&[&mesh, "--chart", &whole]), built);
    assert_eq!(find(&["--chart", &whole]), built);
    assert_eq!(find(&[&whole, "--with", "polyanya"]), find(&[&mesh, "--with", "polyanya"]));

    let info = json(&portolan(&["info", &chart, "--json"]));
    assert_eq!((&info["kind"], &info["algorithm"], &info["levels"]), (&"mesh".into(), &"hna-star".into(), &().into()));
    assert!(info["polygons"].as_u64() > Some(10) && info["links"] == 0 && info["width"].is_null(), "{info}");
    let known = json(&portolan(&["info", &chart, "--map", &mesh, "--json"]));
    assert!(known["levels"][0]["clusters"].as_u64() > Some(1), "{known}");
    let own = json(&portolan(&["info", &whole, "--json"]));
    assert_eq!((&own["sections"][0]["name"], &own["parts"]), (&"mesh".into(), &info["parts"]));
    let text = stdout(&portolan(&["info", &whole]));
    for words in ["vertices and 0 links", "clusters of polygons", "in the file"] {
        assert!(text.contains(words), "{text}");
    }
    assert!(stdout(&portolan(&["info", &chart])).contains("--map MAP shows them"));
}

#[test]
fn charts_of_meshes_race_as_opened() {
    let (folder, [mesh, chart, whole]) = charted_mesh("mesh-chart-race");
    let args = ["--queries", "20", "--with", "hna-star", "--repeat", "1", "--json", "-"];
    let race = json(&portolan(&[&["race", &mesh, "--chart", &chart, "--chart", &whole][..], &args].concat()));
    let rows = race["rows"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["algorithm"].as_str().unwrap()).collect();
    assert_eq!(names, ["hna-star", "hna-star (opened)", "rhumb (opened)"]);
    assert!(rows.iter().all(|row| row["solved"] == 20 && row["mismatches"] == 0), "{race}");
    assert_eq!(rows[0]["expanded"], rows[1]["expanded"]);
    let own = json(&portolan(&[&["race", "--chart", &whole][..], &args].concat()));
    assert_eq!((&own["map"], &own["kind"]), (&whole.into(), &"mesh".into()));
    let other = folder.file("other.mesh");
    portolan(&["mesh", "link", &mesh, "--from", "36.5,4.5", "--to", "52.5,33.5", "--cost", "9", "-o", &other]);
    let other = json(&portolan(&[&["race", &other, "--chart", &chart][..], &args].concat()));
    assert_eq!(other["skipped"][0]["algorithm"], "hna-star (opened)");
    assert!(other["skipped"][0]["reason"].as_str().unwrap().contains("and 0 links, this one"), "{other}");
}

#[test]
fn charts_of_another_mesh_or_kind_are_one_line_on_standard_error() {
    let (folder, [mesh, chart, whole]) = charted_mesh("mesh-chart-faults");
    let town = folder.file("town.chart");
    assert!(portolan(&["build", "harbour", "-o", &town]).status.success());
    let mut bytes = std::fs::read(&chart).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 2;
    let damaged = folder.file("damaged.chart");
    std::fs::write(&damaged, bytes).unwrap();
    let linked = folder.file("linked.mesh");
    portolan(&["mesh", "link", &mesh, "--from", "36.5,4.5", "--to", "52.5,33.5", "--cost", "9", "-o", &linked]);
    let use_on =
        |map: &str, chart: &str| portolan(&["find", map, "--chart", chart, "--from", "36.5,4.5", "--to", "52.5,33.5"]);
    let none = folder.file("none.chart");
    let kinds = "another world: that one is of polygons, this one of squares";
    for (output, words) in [
        (use_on(&linked, &chart), "and 1 link; `portolan build` makes one of this map"),
        (use_on(&mesh, &town), "another world: that one is of squares, this one of polygons"),
        (use_on(&mesh, &damaged), "its checksum does not hold"),
        (portolan(&["find", "harbour", "--chart", &chart, "--from", "36,4", "--to", "52,33"]), kinds),
        (portolan(&["map", "info", &whole]), kinds),
        (portolan(&["find", "--chart", &chart, "--from", "36,4", "--to", "52,33"]), "the world is not in it"),
        (portolan(&["info", &chart, "--map", "harbour"]), "it is the chart of a mesh, and harbour is none"),
        (portolan(&["race", "harbour", "--chart", &chart]), "the chart of a mesh, and none of the maps is a mesh"),
        (portolan(&["race", &mesh, "--chart", &town]), "the chart of a grid, and none of the maps is a grid"),
        (portolan(&["race", &mesh, "--chart", &none]), "none.chart: "),
        (portolan(&["build", &mesh, "-o", &none, "--with", "polyanya"]), "what can be saved: hna-star, rhumb"),
        (portolan(&["build", &mesh, "-o", &none, "--with", "hna"]), "did you mean hna-star?"),
        (portolan(&["build", &mesh, "-o", &mesh]), "is a mesh's name; name the chart otherwise"),
    ] {
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {told}");
        assert!(told.starts_with("error: ") && told.contains(words) && told.lines().count() == 1, "{words}: {told}");
    }
    assert!(!std::path::Path::new(&none).exists());
}

/// The process is killed while it writes, by a limit on the size of files.
#[cfg(unix)]
#[test]
fn a_write_cut_off_half_way_leaves_the_old_file() {
    let (_folder, [map, chart, _]) = charted("killed");
    let before = std::fs::read(&chart).unwrap();
    assert!(before.len() > 8 * 512, "the limit has to be lower than that");
    let script = "ulimit -f 8; exec \"$0\" build \"$1\" -o \"$2\" --with dhpa-star --embed";
    let program = env!("CARGO_BIN_EXE_portolan");
    let killed = Command::new("sh").args(["-c", script, program, &map, &chart]).output().expect("the shell runs");
    assert!(!killed.status.success());
    assert_eq!(std::fs::read(&chart).unwrap(), before);
    assert!(find(&[&map, "--chart", &chart])["length"].is_f64());
    assert!(portolan(&["build", &map, "-o", &chart, "--with", "dhpa-star"]).status.success());
    assert_ne!(std::fs::read(&chart).unwrap(), before);
}

#[test]
fn the_commands_are_in_completions_and_manual() {
    let script = stdout(&portolan(&["completions", "bash"]));
    assert!(script.contains("portolan__subcmd__build") || script.contains("portolan__build"), "{script}");
    assert!(script.contains("--chart") && script.contains("--embed"));
    let folder = Folder::new("chart-pages");
    assert!(portolan(&["man", &folder.file("")]).status.success());
    for page in ["portolan-build.1", "portolan-info.1"] {
        assert!(std::fs::read_to_string(folder.file(page)).unwrap().contains("SYNOPSIS"));
    }
    for command in ["build", "info"] {
        assert!(stdout(&portolan(&[command, "--help"])).contains("Examples:\n"));
    }
}
