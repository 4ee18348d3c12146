//! Reads every published map, scenario and patch file that is present, and checks that they fit each other.
//!
//! The files are looked for in the folder that `PORTOLAN_MAPS` names, or else in `../shared/maps` beside the
//! repository.

use portolan::{Edit, Rules, SquareGrid, World};
use portolan_formats::dynamic::{self, Command};
use portolan_formats::{FileError, map, read_dynamic, read_scenario, read_squares, scen};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the maps, or prints that there is none and returns `None`.
fn maps() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = std::env::var_os("PORTOLAN_MAPS").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no folder of real maps at {}; PORTOLAN_MAPS can name one", folder.display());
    None
}

/// Returns all files below the folder whose names end with `end`, except those in folders named `mesh`.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("mesh") {
                folders.push(path);
            } else if path.to_str().is_some_and(|name| name.ends_with(end)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn world(path: &Path) -> SquareGrid {
    read_squares(path, Rules::default()).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn maps_are_read_and_written() {
    let Some(folder) = maps() else { return };
    let paths = files(&folder, ".map");
    for path in &paths {
        let grid = world(path);
        let again = map::read(map::write(&grid).as_bytes(), Rules::default()).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(grid.cells().eq(again.cells()), "{}", path.display());
        assert!(grid.cells().all(|cell| grid.is_free(cell) == again.is_free(cell)), "{}", path.display());
    }
    println!("{} maps", paths.len());
}

#[test]
fn scenarios_agree_with_their_maps() {
    let Some(folder) = maps() else { return };
    let mut queries = 0;
    for path in files(&folder, ".map.scen") {
        let scenario = read_scenario(&path).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(scen::read(scen::write(&scenario).as_bytes()).as_ref(), Ok(&scenario));
        let grid = world(&path.with_extension(""));
        for query in &scenario.queries {
            let place = format!("{}: {query:?}", path.display());
            assert_eq!((query.width, query.height), (grid.width(), grid.height()), "{place}");
            assert_eq!(grid.connected(query.from, query.to), query.has_route(), "{place}");
        }
        queries += scenario.queries.len();
    }
    println!("{queries} queries");
}

#[test]
fn every_scenario_is_of_a_known_version() {
    let Some(folder) = maps() else { return };
    for path in files(&folder, ".scen") {
        if let Err(first) = read_scenario(&path)
            && let Err(second) = read_dynamic(&path)
        {
            panic!("{first}\n{second}");
        }
    }
}

#[test]
fn dynamic_scenarios_agree_with_their_patches() {
    let Some(folder) = maps() else { return };
    let mut users: HashMap<PathBuf, usize> = files(&folder, ".patch").into_iter().map(|path| (path, 0)).collect();
    for path in files(&folder, ".scen") {
        let (scenario, patches) = match read_dynamic(&path) {
            Err(FileError::Read(fault)) if fault.expected == "`version 2`" => continue,
            other => other.unwrap_or_else(|fault| panic!("{fault}")),
        };
        *users.entry(path.with_file_name(&scenario.patch_file)).or_default() += 1;
        assert_eq!(dynamic::read_scen(dynamic::write_scen(&scenario).as_bytes()).as_ref(), Ok(&scenario));
        assert_eq!(dynamic::read_patches(dynamic::write_patches(&patches).as_bytes()).as_ref(), Ok(&patches));
        let mut rectangles = 0;
        let open = SquareGrid::open(scenario.width, scenario.height, Rules::default());
        let mut world = World::from(open.unwrap_or_else(|fault| panic!("{fault}")));
        for command in &scenario.commands {
            match *command {
                Command::Patch { patch, at, .. } => {
                    let edits: Vec<Edit> = patches[patch].edits(at);
                    rectangles += edits.len();
                    world.apply(&edits).unwrap();
                }
                Command::Query { from, to, length, .. } => {
                    let reachable = world.connected(from, to);
                    assert_eq!(reachable, length >= 0.0, "{}: {command:?}", path.display());
                }
            }
        }
        println!("{}: {} commands, {rectangles} edits", scenario.patch_file, scenario.commands.len());
    }
    for (patch, users) in users {
        assert!(users > 0, "no scenario uses {}", patch.display());
    }
}
