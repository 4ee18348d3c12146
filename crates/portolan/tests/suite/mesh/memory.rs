//! Memory on meshes: a warm query allocates only its route, and scratches and planners count their own bytes truly.
//!
//! Not here: what a mesh itself takes.

use super::worlds::{anywhere, are_connected, on_random_meshes, planners, random_edits, random_mesh};
use crate::memory::allocates_routes_alone;
use allocation_counter::measure;
use portolan::generate::Random;
use portolan::{MeshPoint, NavMesh, Outcome, Planner, Query, Scratch, Snapshot, World};

/// Returns pairs of connected points.
fn pairs(random: &mut Random, world: &Snapshot<NavMesh>, count: usize) -> Vec<(MeshPoint, MeshPoint)> {
    let mut pick = || anywhere(random, world);
    let pair = || (pick(), pick());
    let mut pairs: Vec<_> = std::iter::repeat_with(pair).take(4 * count).collect();
    pairs.retain(|&(from, to)| are_connected(world, from, to));
    pairs.truncate(count);
    pairs
}

/// Returns all planners but those that connect start and goal in threads, which allocate for themselves.
fn planners_without_threads(world: &Snapshot<NavMesh>) -> Vec<Planner<NavMesh>> {
    let is_parallel = |planner: &Planner<NavMesh>| {
        planner.settings().iter().any(|(name, value)| name == "connect" && value.to_string() == "parallel")
    };
    planners(world).into_iter().filter(|planner| !is_parallel(planner)).collect()
}

#[test]
fn a_warm_query_allocates_its_route_and_nothing_else() {
    on_random_meshes(71, 20, |random, world, _| {
        let queries = pairs(random, world, 12);
        for planner in planners_without_threads(world) {
            allocates_routes_alone(world, &planner, &queries);
        }
    });
}

/// Answers queries in one go and in legs.
fn ask(planner: &Planner<NavMesh>, world: &Snapshot<NavMesh>, queries: &[(MeshPoint, MeshPoint)]) -> Scratch<NavMesh> {
    let mut scratch = Scratch::new();
    for &(from, to) in queries {
        planner.find(world, Query::new(from, to), &mut scratch).expect("a sound query");
        let planned = planner.plan(world, Query::new(from, to), &mut scratch).expect("a sound query");
        if let Outcome::Reached(mut route) = planned {
            while route.next_leg(planner, world, &mut scratch).expect("nothing has changed").is_some() {}
        }
    }
    scratch
}

#[test]
fn a_scratch_counts_all_its_bytes() {
    on_random_meshes(72, 12, |random, world, _| {
        let queries = pairs(random, world, 8);
        for planner in planners_without_threads(world) {
            let mut scratch = None;
            let used = measure(|| scratch = Some(ask(&planner, world, &queries)));
            let bytes = scratch.expect("it was made just now").bytes() as i64;
            assert_eq!(bytes, used.bytes_current, "{} {:?}", planner.algorithm().name, planner.settings());
        }
    });
}

/// Checks planners after they were built and after edits. The planner itself and its settings, which do not grow with the
/// mesh, are not among the bytes it counts.
#[test]
fn a_planner_counts_all_its_bytes() {
    let mut random = Random::new(73);
    for _ in 0..8 {
        let mut world = World::from(random_mesh(&mut random));
        for built in planners(&world.snapshot()) {
            let mut planner = None;
            let (algorithm, settings) = (built.algorithm(), built.settings().clone());
            let Ok(()) = algorithm.suits(&world) else { continue };
            let mut allocated = measure(|| planner = Planner::build(&world, algorithm, settings).ok()).bytes_current;
            let mut planner = planner.expect("it suits");
            let itself = allocated - planner.bytes() as i64;
            let what = format!("{} {:?}", algorithm.name, planner.settings());
            assert!((0..2000).contains(&itself), "{what}: {} of {allocated} bytes counted", planner.bytes());
            for round in 0..3 {
                let edits = random_edits(&mut random, &world, true);
                world.apply(&edits).expect("sound edits");
                allocated += measure(|| drop(planner.repair(&world, &edits).expect("it follows"))).bytes_current;
                assert_eq!(planner.bytes() as i64 + itself, allocated, "{what} after the edits of round {round}");
            }
        }
    }
}
