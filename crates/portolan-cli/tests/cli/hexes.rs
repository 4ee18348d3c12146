//! Worlds of hexes: made, described, drawn and converted, routes and races on them, and what is refused.

use crate::{Folder, json, portolan, stderr, stdout};
use serde_json::Value;
use std::process::Output;

/// Makes a world of caves of hexes in a folder and returns its path.
fn caves(folder: &Folder) -> String {
    let file = folder.file("caves.hex");
    let made = json(&portolan(&["map", "new", "caves", &file, "--size", "48x40", "--seed", "3", "--json"]));
    assert_eq!((&made["kind"], &made["width"], &made["height"]), (&"hex".into(), &48.into(), &40.into()));
    file
}

/// Returns two connected cells of a world as `--from` and `--to` take them: those that lie farthest apart in the order of
/// rows in the largest component.
fn ends(file: &str) -> [String; 2] {
    let text = std::fs::read_to_string(file).unwrap();
    let rows: Vec<&str> = text.split_once("map\n").unwrap().1.lines().collect();
    let free = |(y, row): (usize, &&str)| {
        let cells = row.char_indices().filter(|(_, letter)| *letter == '.').map(|(at, _)| (at / 2, y));
        cells.collect::<Vec<_>>()
    };
    let cells: Vec<(usize, usize)> = rows.iter().enumerate().flat_map(free).collect();
    let name = |&(x, y): &(usize, usize)| format!("{x},{y}");
    let reached = |from: &str, to: &str| portolan(&["find", file, "--from", from, "--to", to]).status.success();
    let from = name(&cells[0]);
    let to = cells.iter().rev().map(name).take(40).find(|to| reached(&from, to));
    [from, to.expect("the caves are mostly one")]
}

fn refused(output: &Output, words: &str) {
    assert_eq!(output.status.code(), Some(2), "{}", stdout(output));
    assert!(stderr(output).starts_with("error: ") && stderr(output).contains(words), "{}", stderr(output));
}

#[test]
fn routes_go_from_hex_to_hex() {
    let folder = Folder::new("hex-find");
    let file = caves(&folder);
    let [from, to] = ends(&file);
    let find = |more: &[&str]| portolan(&[&["find", &file, "--from", &from, "--to", &to], more].concat());
    let answer = json(&find(&["--json"]));
    assert_eq!((&answer["outcome"], &answer["kind"]), (&"reached".into(), &"hex".into()));
    let steps: Vec<[i64; 2]> = serde_json::from_value(answer["steps"].clone()).unwrap();
    assert_eq!(steps.len() - 1, answer["length"].as_f64().unwrap() as usize, "every step is 1 long");
    for pair in steps.windows(2) {
        // In half columns, a hex lies at twice its column, and one more in odd rows.
        let [(x, y), (next_x, next_y)] = [pair[0], pair[1]].map(|[x, y]| (2 * x + y % 2, y));
        let apart = ((x - next_x).abs(), (y - next_y).abs());
        assert!([(2, 0), (1, 1)].contains(&apart), "{pair:?} are no neighbours");
    }
    let shortest = |name: &str| json(&find(&["--json", "--with", name]))["cost"].clone();
    assert_eq!(shortest("dijkstra"), shortest("bidirectional-a-star"));
    let told = stdout(&find(&[]));
    assert!(told.contains("hexes are named by column and row") && told.contains(" steps, cost "), "{told}");
    for picture in ["route.svg", "route.png"] {
        let picture = folder.file(picture);
        assert!(find(&["--picture", &picture]).status.success() && std::fs::metadata(&picture).unwrap().len() > 1000);
    }
    let svg = std::fs::read_to_string(folder.file("route.svg")).unwrap();
    assert!(svg.matches("l.5 .289").count() > 48 * 40 && svg.contains("<polyline"));
}

#[test]
fn races_run_on_hexes_with_edits_too() {
    let folder = Folder::new("hex-race");
    let file = caves(&folder);
    let race = |more: &[&str]| portolan(&[&["race", &file, "--queries", "8", "--repeat", "1"], more].concat());
    let output = race(&["--edits", "10", "--json", "-"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let result = json(&output);
    assert_eq!((&result["kind"], &result["faults"]), (&"hex".into(), &Value::Array(vec![])));
    let names = |rows: &Value| -> Vec<String> {
        rows.as_array().unwrap().iter().map(|row| row["algorithm"].as_str().unwrap().to_owned()).collect()
    };
    let listed: Vec<&str> = portolan::HEX_ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
    assert_eq!(names(&result["rows"]), listed);
    assert_eq!(names(&result["edits"]["rows"]), listed);
    for row in result["edits"]["rows"].as_array().unwrap() {
        assert_eq!((&row["edits"], &row["mismatches"]), (&10.into(), &0.into()), "{row}");
    }
    let auto = json(&race(&["--with", "auto", "--json", "-"]));
    assert!(auto["rows"][0]["why"].as_str().unwrap().contains("hexes"), "{auto}");
    // Races on worlds of squares are as they were: they name no kind.
    let squares = portolan(&["race", "--queries", "1", "--repeat", "1", "--with", "a-star", "--json", "-"]);
    assert!(json(&squares).get("kind").is_none());
}

#[test]
fn hexes_are_described_and_drawn() {
    let folder = Folder::new("hex-map");
    let file = caves(&folder);
    let info = json(&portolan(&["map", "info", &file, "--json"]));
    assert_eq!((&info["kind"], &info["shape"], &info["directions"]), (&"hex".into(), &"rectangle".into(), &6.into()));
    assert_eq!((info.get("corners"), info["suits"].as_array().unwrap().len()), (None, portolan::HEX_ALGORITHMS.len()));
    let told = stdout(&portolan(&["map", "info", &file]));
    for words in ["kind        hex\n", "outline     rectangle\n", "size        48 x 40\n", "6 directions, costs "] {
        assert!(told.contains(words), "no {words:?} in\n{told}");
    }
    let harbour = json(&portolan(&["map", "info", "harbour", "--json"]));
    assert_eq!((harbour.get("kind"), harbour.get("shape"), &harbour["corners"]), (None, None, &"strict".into()));
    let open = folder.file("open.hex");
    std::fs::write(&open, "portolan hex 1\nshape rectangle\nwidth 3\nheight 3\nmap\n@ @ @\n @ . @\n@ @ @\n").unwrap();
    assert_eq!(stdout(&portolan(&["map", "draw", &open])), "# # #\n #   #\n# # #\n");
    let narrow = stdout(&portolan(&["map", "draw", &file, "--width", "20"]));
    assert!(narrow.lines().all(|line| line.len() <= 20) && narrow.contains("# #"), "{narrow}");
    let picture = folder.file("caves.png");
    let drawn = json(&portolan(&["map", "draw", &file, &picture, "--json"]));
    assert_eq!((&drawn["kind"], &drawn["picture"]), (&"hex".into(), &picture.as_str().into()));
    let shown = stdout(&portolan(&["map", "new", "maze", "--kind", "hex", "--size", "15x15"]));
    assert!(shown.starts_with("# # #") && shown.lines().nth(1).unwrap().starts_with(" # "), "{shown}");
}

#[test]
fn squares_become_hexes_but_not_the_other_way() {
    let folder = Folder::new("hex-convert");
    let (hex, again, map) = (folder.file("h.hex"), folder.file("again.hex"), folder.file("h.map"));
    let convert =
        |from: &str, to: &str, more: &[&str]| portolan(&[&["map", "convert", from, to, "--json"], more].concat());
    let fine = json(&convert("harbour", &hex, &[]));
    assert_eq!((&fine["kind"], &fine["width"], &fine["height"]), (&"hex".into(), &72.into(), &42.into()));
    let coarse = json(&convert("harbour", &again, &["--cell-size", "2"]));
    assert_eq!((&coarse["width"], &coarse["height"]), (&36.into(), &21.into()));
    assert!(convert(&hex, &again, &[]).status.success());
    assert_eq!(std::fs::read(&hex).unwrap(), std::fs::read(&again).unwrap());
    refused(&convert(&hex, &map, &[]), "h.map: files of this format hold squares, and the world is one of hexes");
    refused(&convert(&hex, &again, &["--cell-size", "2"]), "--cell-size goes with hexes that are laid over squares");
    refused(&convert("harbour", &map, &["--cell-size", "2"]), "--cell-size goes with hexes");
    refused(&convert("harbour", &hex, &["--cell-size", "0"]), "");
    refused(&portolan(&["map", "new", "caves", &map, "--kind", "hex"]), "hold squares");
    refused(&portolan(&["map", "new", "caves", &hex, "--kind", "square"]), "hold hexes");
}

#[test]
fn what_needs_squares_says_so() {
    let folder = Folder::new("hex-refused");
    let file = caves(&folder);
    let [from, to] = ends(&file);
    let find = |more: &[&str]| portolan(&[&["find", &file, "--from", &from, "--to", &to], more].concat());
    refused(&find(&["--with", "rhumb"]), "rhumb needs a world of squares");
    refused(&find(&["--with", "rhum"]), "did you mean rhumb?");
    refused(&find(&["--corners", "loose"]), "caves.hex: hexes have no corners");
    refused(&portolan(&["find", &file, "--from", "48,0", "--to", &to]), "48,0 lies off the map, which is 48 x 40");
    refused(&portolan(&["race", &file, "--with", "jump-point"]), "jump-point needs a world of squares");
    refused(&portolan(&["map", "draw", &file, "x.svg", "--with", "hpa-star"]), "hpa-star needs a world of squares");
    let chart = folder.file("a.chart");
    refused(&portolan(&["build", &file, "-o", &chart]), "caves.hex is a world of hexes; this needs squares");
    assert!(portolan(&["build", "harbour", "-o", &chart]).status.success());
    refused(&find(&["--chart", &chart]), "a.chart: no chart is of a world of hexes");
    let case = folder.file("a.case");
    std::fs::write(&case, "portolan case 1\nfrom 0,0\nto 3,0\nworld caves.hex\n").unwrap();
    refused(&portolan(&["sim", &case]), "caves.hex is a world of hexes; this needs squares");
    refused(&portolan(&["race", "--tsv", &file]), "caves.hex is a map, not a file for results");
}

#[test]
fn the_list_says_where_an_algorithm_runs() {
    let entries = json(&portolan(&["list", "--json"]));
    for entry in entries.as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        let kinds: Vec<&str> = [
            ("square", portolan::ALGORITHMS.iter().any(|algorithm| algorithm.name == name)),
            ("hex", portolan::HEX_ALGORITHMS.iter().any(|algorithm| algorithm.name == name)),
            ("mesh", portolan::MESH_ALGORITHMS.iter().any(|algorithm| algorithm.name == name)),
        ]
        .into_iter()
        .filter_map(|(kind, runs)| runs.then_some(kind))
        .collect();
        assert_eq!(entry["kinds"], serde_json::json!(kinds), "{name}");
    }
    let shown = stdout(&portolan(&["list", "a-star", "rhumb"]));
    let told = ["worlds of squares, hexes and polygons\n", "worlds of squares and polygons\n"];
    assert!(told.iter().all(|told| shown.contains(told)), "{shown}");
    assert!(shown.contains("  on hexes: --set heuristic=natural "), "{shown}");
    assert!(stdout(&portolan(&["list"])).contains("any use of a world of hexes: a-star, because "));
}
