//! `--profile`: worlds as agents of some size and kind see them, and what is refused.

use crate::{Folder, json, portolan, stderr, stdout};

/// A river with a ford of two cells, a road along its near bank, and a passage of one cell at the right.
const RIVER: &str = "\
kind ~ water 2
kind = road
kind l lava 9
....................
====================
~~~~~~~~..~~~~~~~~~.
~~~~~~~~..~~~~~~~~~.
....................
.........ll.........
";

fn river(folder: &Folder) -> String {
    let file = folder.file("river.txt");
    std::fs::write(&file, RIVER).unwrap();
    file
}

#[test]
fn agents_of_other_sizes_and_kinds_take_other_routes() {
    let folder = Folder::new("profiles");
    let map = river(&folder);
    let steps = |profile: &[&str]| -> Vec<[u16; 2]> {
        let query = ["find", &map, "--from", "17,0", "--to", "17,4", "--json"];
        let answer = json(&portolan(&[&query, profile].concat()));
        assert_eq!(answer["outcome"], "reached", "{profile:?}");
        serde_json::from_value(answer["steps"].clone()).unwrap()
    };
    let crosses = |steps: Vec<[u16; 2]>| steps.iter().find(|[_, y]| *y == 2).expect("the river is crossed")[0];
    assert_eq!(crosses(steps(&["--profile", "water=1"])), 17, "a swimmer goes straight on");
    assert_eq!(crosses(steps(&["--profile", "water=no"])), 19, "a walker takes the passage");
    assert_eq!(crosses(steps(&["--profile", "size=2,water=no"])), 8, "two cells fit through the ford alone");
    assert_eq!(crosses(steps(&["--profile", "size=2, water=no, lava=x0.5, 1=x1.5"])), 8);
    let stuck = portolan(&["find", &map, "--from", "17,0", "--to", "17,4", "--profile", "size=3,water=no"]);
    assert_eq!(stuck.status.code(), Some(2), "{}", stdout(&stuck));
    let walled = portolan(&["find", &map, "--from", "3,0", "--to", "3,4", "--profile", "water=no,0=no", "--nearest"]);
    assert!(stderr(&walled).contains("an agent of water=no,0=no cannot stand on 3,0"), "{}", stderr(&walled));
    let race = portolan(&["race", &map, "--queries", "20", "--repeat", "1", "--profile", "size=2,water=no", "--json"]);
    assert!(race.status.success(), "{}", stderr(&race));
    let hexes = folder.file("harbour.hex");
    assert!(portolan(&["map", "convert", "harbour", &hexes]).status.success());
    let race = portolan(&["race", &hexes, "--queries", "20", "--repeat", "1", "--profile", "radius=1", "--json"]);
    assert!(race.status.success(), "{}", stderr(&race));
}

#[test]
fn profiles_that_cannot_be_are_refused_with_what_was_expected() {
    let folder = Folder::new("profiles-refused");
    let map = river(&folder);
    let hexes = folder.file("harbour.hex");
    assert!(portolan(&["map", "convert", "harbour", &hexes]).status.success());
    let mesh = folder.file("harbour.mesh");
    assert!(portolan(&["mesh", "convert", "harbour", &mesh]).status.success());
    let ends = ["--from", "17,0", "--to", "17,4"];
    for (command, profile, words) in [
        (
            &["find", &map, ends[0], ends[1], ends[2], ends[3]][..],
            "size=0",
            "size is a whole number from 1 to 255, not \"0\"",
        ),
        (&["find", &map, ends[0], ends[1], ends[2], ends[3]], "radius=900", "radius is a whole number from 0 to 127"),
        (
            &["find", &map, ends[0], ends[1], ends[2], ends[3]],
            "watr=no",
            "no kind of ground \"watr\"; did you mean water? (known: ",
        ),
        (&["find", &map, ends[0], ends[1], ends[2], ends[3]], "water=-1", "a weight from 1 to 255, or a factor"),
        (&["find", &map, ends[0], ends[1], ends[2], ends[3]], "big", "expected a setting like size=2"),
        (&["find", "harbour", "--from", "36,4", "--to", "52,33"], "lava=no", "no kind of ground \"lava\""),
        (&["find", &hexes, "--from", "36,4", "--to", "52,33"], "size=2", "give the agent a radius"),
        (&["find", &mesh, "--from", "36.5,4.5", "--to", "52.5,33.5"], "size=2", "profiles are for grids"),
        (&["race", &map, "--edits", "3"], "size=2", "--edits and --scen are of the whole world"),
        (&["race", &map, "--traps", "3"], "size=2", "traps are of the whole world"),
    ] {
        let output = portolan(&[command, &["--profile", profile]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?} {profile}: {}", stdout(&output));
        assert!(stderr(&output).contains(words), "{command:?} {profile}: {}", stderr(&output));
    }
}
