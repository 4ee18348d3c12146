//! Memory: a warm query allocates only its route, worlds and scratch stay within their limits of bytes per cell, and
//! saving a chart allocates at most a quarter of the chart's bytes.

use crate::worlds::planners;
use allocation_counter::measure;
use portolan::generate::{Random, generate, recipe};
use portolan::{ALGORITHMS, Cell, Planner, Query, Rules, SaveError, Scratch, Snapshot, Space};
use std::io;

fn made(name: &str, side: usize) -> Snapshot {
    let recipe = recipe(name).expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    generate(recipe, side, side, 5, &settings, Rules::default()).expect("a sound size").into()
}

fn pairs(world: &Snapshot, count: usize) -> Vec<(Cell, Cell)> {
    let free: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).collect();
    let mut random = Random::new(9);
    let mut pick = || free[random.below(free.len() as u64) as usize];
    std::iter::repeat_with(|| (pick(), pick())).filter(|&(a, b)| world.connected(a, b)).take(count).collect()
}

/// Asserts that a planner that has answered these queries before allocates only the route when it answers them again.
pub(crate) fn allocates_routes_alone<S: Space>(
    world: &Snapshot<S>,
    planner: &Planner<S>,
    queries: &[(S::Place, S::Place)],
) {
    let mut scratch = Scratch::new();
    for _ in 0..2 {
        for &(from, to) in queries {
            planner.find(world, Query::new(from, to), &mut scratch).expect("a sound query");
        }
    }
    for &(from, to) in queries {
        let mut outcome = None;
        let used = measure(|| outcome = Some(planner.find(world, Query::new(from, to), &mut scratch)));
        let cells = match &outcome {
            Some(Ok(outcome)) => outcome.route().map_or(0, |route| route.cells().len()),
            other => panic!("{other:?}"),
        };
        let name = planner.algorithm().name;
        assert_eq!(used.count_total, u64::from(cells > 0), "{name} allocates once, for its route");
        assert_eq!(used.bytes_total, (cells * size_of::<S::Place>()) as u64, "{name} wastes no bytes");
    }
}

#[test]
fn a_warm_query_allocates_its_route_and_nothing_else() {
    for recipe in ["rooms", "caves", "hills"] {
        let world = made(recipe, 96);
        let queries = pairs(&world, 20);
        for planner in planners(&world) {
            allocates_routes_alone(&world, &planner, &queries);
        }
    }
}

#[test]
fn worlds_and_scratch_keep_to_their_bytes() {
    for recipe in ["rooms", "noise", "hills", "city"] {
        let world = made(recipe, 512);
        let cells = (world.width() * world.height()) as f64;
        let weighted = world.uniform_weight().is_none();
        // A byte for the neighbours of a cell, a byte for its weight where weights differ, and less than a byte for the
        // bits of free cells and for components.
        let bytes = world.bytes() as f64 / cells;
        assert!(bytes <= if weighted { 2.75 } else { 1.75 }, "{recipe}: {bytes} bytes a cell");
        for name in ["a-star", "dijkstra", "bidirectional-a-star", "jump-point", "greedy"] {
            let Ok(planner) = Planner::new(&world, name) else { continue };
            let mut scratch = Scratch::new();
            for (from, to) in pairs(&world, 30) {
                planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
            }
            let bytes = scratch.bytes() as f64 / cells;
            assert!(bytes <= 16.0, "{name} on {recipe}: {bytes} bytes of scratch a cell");
        }
    }
}

#[test]
fn saving_a_chart_allocates_a_small_part_of_its_bytes() {
    let world = made("city", 300);
    let mut saved = Vec::new();
    for algorithm in ALGORITHMS {
        let planner = Planner::new(&world, algorithm.name).expect("a city suits every algorithm");
        let mut written = Ok(0);
        let used = measure(|| {
            written = planner.stream(&world).map(|chart| {
                chart.sections.iter().for_each(|section| section.write_to(&mut io::sink()).expect("a sink takes all"));
                chart.sections.iter().map(portolan::SectionStream::len).sum::<usize>()
            });
        });
        match written {
            Ok(written) => {
                let (most, held) = (used.bytes_max, planner.bytes() as u64);
                assert!(4 * most <= held, "{}: {most} bytes to save {held}, {written} written", algorithm.name);
                saved.push(algorithm.name);
            }
            Err(error) => assert_eq!(error, SaveError::Nothing(algorithm.name)),
        }
    }
    assert_eq!(saved.len(), 4, "{saved:?}");
}
