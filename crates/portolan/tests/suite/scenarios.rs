//! Real scenarios, if the maps are at hand (`PORTOLAN_MAPS`, else `../shared/maps` beside the repository): every
//! optimal algorithm finds routes of the published lengths. The test takes about twelve queries of each map;
//! `portolan check` takes all.

use crate::worlds::build;
use portolan::probe::Stats;
use portolan::{Cell, Outcome, Planner, Promise, Query, Rules, Scratch, Snapshot, SquareGrid};
use std::path::{Path, PathBuf};

fn maps() -> Option<PathBuf> {
    let folder = std::env::var_os("PORTOLAN_MAPS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps"), PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// Reads a map and its scenario, and panics if they are faulty. The readers that report faults are in
/// `portolan-formats`, which this crate does not depend on.
fn read(map: &Path) -> (Snapshot, Vec<(Cell, Cell, f64)>) {
    let text = std::fs::read_to_string(map).expect("a readable map");
    let rows: Vec<&str> = text.lines().skip(4).collect();
    let weights: Vec<u8> =
        rows.iter().flat_map(|row| row.bytes().map(|cell| u8::from(b".GS".contains(&cell)))).collect();
    let grid = SquareGrid::from_weights(rows[0].len(), rows.len(), &weights, Rules::default()).expect("a sound map");
    let scen = std::fs::read_to_string(map.with_extension("map.scen")).expect("a readable scenario");
    let queries = scen.lines().skip(1).filter(|line| !line.trim().is_empty()).map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let at = |i: usize| fields[i].parse().expect("a number");
        (Cell::new(at(4), at(5)), Cell::new(at(6), at(7)), fields[8].parse().expect("a length"))
    });
    (grid.into(), queries.collect())
}

#[test]
fn optimal_algorithms_meet_the_published_lengths() {
    let Some(folder) = maps() else {
        println!("skipped: no map folder at ../shared/maps and PORTOLAN_MAPS is not set");
        return;
    };
    let mut scratch = Scratch::new();
    let mut asked = 0;
    for collection in ["dao", "sc", "wc3", "maze", "room", "random", "city"] {
        let Ok(entries) = std::fs::read_dir(folder.join(collection)) else { continue };
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|path| path.extension().is_some_and(|kind| kind == "map"));
        files.sort();
        for map in files.iter().filter(|map| map.with_extension("map.scen").exists()) {
            let (world, queries) = read(map);
            let step = (queries.len() / 12).max(1);
            for algorithm in portolan::ALGORITHMS {
                let planner = Planner::new(&world, algorithm.name).expect("uniform worlds suit all");
                if planner.promise(&world) != Promise::Optimal || algorithm.name == "ida-star" {
                    continue;
                }
                for &(from, to, length) in queries.iter().step_by(step) {
                    let outcome = planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                    asked += 1;
                    if length == 0.0 && from != to {
                        assert_eq!(outcome, Outcome::Unreachable, "{}: published as having no route", map.display());
                        continue;
                    }
                    let Outcome::Reached(route) = outcome else {
                        panic!("{}: no route from {from} to {to}", map.display())
                    };
                    route.check(&world).expect("a legal route");
                    let found = route.length(&world);
                    assert!(
                        (found - length).abs() <= 0.01,
                        "{} on {}: {found}, not {length}",
                        algorithm.name,
                        map.display()
                    );
                }
            }
        }
    }
    println!("{asked} answers checked");
}

/// Routes through a maze cost more than fits in two bytes. The distances that a chart returns must still be close to
/// the published lengths.
#[test]
fn distances_through_mazes_are_what_it_takes_to_walk_there() {
    let Some(folder) = maps() else {
        println!("skipped: no map folder at ../shared/maps and PORTOLAN_MAPS is not set");
        return;
    };
    let mut scratch = Scratch::new();
    for name in ["maze/maze512-1-0.map", "maze/maze512-4-0.map", "maze/maze512-32-0.map"] {
        let map = folder.join(name);
        if !map.exists() {
            println!("skipped: {name} is not among the maps");
            continue;
        }
        let (world, queries) = read(&map);
        let planner = Planner::new(&world, "rhumb").expect("it suits every world");
        for &(from, to, length) in queries.iter().rev().step_by(queries.len() / 60) {
            let told = planner.distances(&world, from, &[to], &mut scratch).expect("a sound question")[0];
            let told = f64::from(told.expect("published with a length").0) / f64::from(world.metric().straight());
            assert!(told >= 0.998 * length && told <= 1.05 * length, "{name} from {from} to {to}: {told} of {length}");
        }
    }
}

/// In all rounds together, ARA* expands at most twice the nodes that A* expands once.
#[test]
fn all_rounds_of_ara_star_take_at_most_twice_the_expansions_of_a_star() {
    let Some(folder) = maps() else {
        println!("skipped: no map folder at ../shared/maps and PORTOLAN_MAPS is not set");
        return;
    };
    let mut scratch = Scratch::new();
    for name in ["dao/den011d", "dao/brc503d", "sc/GhostTown", "wc3/moonglade", "city/London_0_256", "maze/maze512-4-0"]
    {
        let map = folder.join(name).with_extension("map");
        if !map.exists() {
            continue;
        }
        let (world, queries) = read(&map);
        let step = (queries.len() / 20).max(1);
        let expanded = ["a-star", "ara-star"].map(|name| {
            let settings: &[(&str, &str)] = if name == "a-star" { &[("successors", "all")] } else { &[] };
            let planner = build(&world, name, settings);
            let mut stats = Stats::default();
            for &(from, to, _) in queries.iter().step_by(step) {
                planner.watch(&world, Query::new(from, to), &mut scratch, &mut stats).expect("a sound query");
            }
            stats.expanded
        });
        println!("{name}: {expanded:?}, {:.2}", expanded[1] as f64 / expanded[0] as f64);
        assert!(expanded[1] <= 2 * expanded[0], "{name}: {expanded:?}");
    }
}
