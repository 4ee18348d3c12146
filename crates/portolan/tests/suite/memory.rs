//! Memory: a warm query allocates only its route, worlds and scratch stay within their limits of bytes per cell,
//! scratches and planners count their own bytes truly, and saving a chart allocates at most a quarter of the chart's
//! bytes.

use crate::edits::random_edits;
use crate::worlds::planners;
use allocation_counter::measure;
use portolan::generate::{Random, generate, recipe};
use portolan::saved::SaveError;
use portolan::settings::Value;
use portolan::{ALGORITHMS, Cell, Outcome, Planner, Query, Rules, Scratch, Snapshot, Space, SquareGrid, World};
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

/// Answers queries in every way: in one go, in legs, and with many goals at once.
fn ask(planner: &Planner, world: &Snapshot, queries: &[(Cell, Cell)], scratch: &mut Scratch) {
    for &(from, to) in queries {
        planner.find(world, Query::new(from, to), scratch).expect("a sound query");
        let planned = planner.plan(world, Query::new(from, to), scratch).expect("a sound query");
        if let Outcome::Reached(mut route) = planned {
            while route.next_leg(planner, world, scratch).expect("nothing has changed").is_some() {}
        }
    }
    let goals: Vec<Cell> = queries.iter().map(|query| query.1).collect();
    planner.distances(world, queries[0].0, &goals, scratch).expect("sound goals");
}

#[test]
fn a_scratch_counts_all_its_bytes() {
    for recipe in ["rooms", "hills"] {
        let world = made(recipe, 96);
        let queries = pairs(&world, 12);
        let mut shared = Scratch::new();
        let mut allocated = 0;
        for planner in &planners(&world) {
            // What a chart computes on first use is not part of the scratch.
            ask(planner, &world, &queries, &mut Scratch::new());
            let mut scratch = Scratch::new();
            let used = measure(|| ask(planner, &world, &queries, &mut scratch));
            let what = format!("{} {:?} on {recipe}", planner.algorithm().name, planner.settings());
            assert_eq!(scratch.bytes() as i64, used.bytes_current, "{what}");
            allocated += measure(|| ask(planner, &world, &queries, &mut shared)).bytes_current;
        }
        assert_eq!(shared.bytes() as i64, allocated, "all algorithms on {recipe}");
    }
}

/// Builds a planner with the algorithm and settings of another one, on one thread, so that all allocations are measured.
fn rebuilt(planner: &Planner, world: &Snapshot) -> Planner {
    let text = |(name, value): (&str, Value)| {
        (name.to_owned(), if name == "threads" { "1".to_owned() } else { value.to_string() })
    };
    let settings: Vec<_> = planner.settings().iter().map(text).collect();
    let settings = planner.algorithm().settings(&settings).expect("they were sound before");
    Planner::build(world, planner.algorithm(), settings).expect("it suits the world")
}

/// Checks a planner after it was built, after queries for which it computed more, and after edits. The planner itself
/// and its settings, which do not grow with the world, are not among the bytes it counts.
#[test]
fn a_planner_counts_all_its_bytes() {
    for recipe in ["rooms", "hills", "noise"] {
        let first = made(recipe, 96);
        for built in planners(&first) {
            let mut world = World::from(SquareGrid::clone(&first));
            let mut random = Random::new(3);
            let mut planner = None;
            let mut allocated = measure(|| planner = Some(rebuilt(&built, &world))).bytes_current;
            let mut planner = planner.expect("it was built just now");
            let itself = allocated - planner.bytes() as i64;
            let what = format!("{} {:?} on {recipe}", planner.algorithm().name, planner.settings());
            assert!((0..1700).contains(&itself), "{what}: {} of {allocated} bytes counted", planner.bytes());
            for round in 0..4 {
                let queries = pairs(&world, 12);
                allocated += measure(|| ask(&planner, &world, &queries, &mut Scratch::new())).bytes_current;
                assert_eq!(planner.bytes() as i64 + itself, allocated, "{what} after the queries of round {round}");
                let edits = random_edits(&mut random, &world, recipe != "hills");
                world.apply(&edits).expect("the edits lie on the map");
                allocated += measure(|| drop(planner.repair(&world, &edits).expect("the edits follow"))).bytes_current;
                assert_eq!(planner.bytes() as i64 + itself, allocated, "{what} after the edits of round {round}");
            }
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
                chart.sections.iter().map(portolan::saved::SectionStream::len).sum::<usize>()
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
