//! Many queries at once on meshes: one start and many goals, batches on several threads, and the queue that is worked off
//! frame by frame.
//!
//! Not here: single routes.

use super::worlds::{anywhere, build, on_random_meshes, planners, random_edits, random_mesh, somewhere};
use crate::batch::compare;
use crate::plan_queue::{drain, planned, put_together, submit_all};
use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::{Cost, MeshPoint, NavMesh, Outcome, PlanQueue, Query, Route, Scratch, Snapshot, TickBudget, World};

/// Returns random queries: some are equal, some have a budget or go to the nearest point, some are errors.
fn mixed(random: &mut Random, world: &Snapshot<NavMesh>, count: usize) -> Vec<Query<MeshPoint>> {
    let mut queries: Vec<Query<MeshPoint>> = Vec::new();
    for _ in 0..count {
        let mut pick = || match random.below(12) {
            0 => MeshPoint { polygon: world.polygons() as u32, x: 0, y: 0 },
            1 => MeshPoint { polygon: 0, x: i32::MIN, y: i32::MAX },
            _ => anywhere(random, world),
        };
        let query = Query::new(pick(), pick());
        let earlier = random.below(queries.len() as u64 + 1) as usize;
        queries.push(match random.below(5) {
            0 => query.nearest(),
            1 => query.budget(random.below(30)),
            2 => queries.get(earlier).copied().unwrap_or(query),
            _ => query,
        });
    }
    queries
}

#[test]
fn a_batch_is_one_query_after_another() {
    on_random_meshes(61, 8, |random, world, _| {
        let queries = mixed(random, world, 100);
        for planner in planners(world) {
            compare(world, &planner, &queries);
        }
    });
}

#[test]
fn distances_are_what_routes_cost() {
    let mut scratch = Scratch::new();
    on_random_meshes(62, 30, |random, world, from| {
        let goals: Vec<MeshPoint> = (0..12).map(|_| anywhere(random, world)).collect();
        for planner in planners(world) {
            let name = planner.algorithm().name;
            let costs = planner.distances(world, from, &goals, &mut scratch).expect("a sound question");
            for (&goal, &cost) in goals.iter().zip(&costs) {
                let found = planner.find(world, Query::new(from, goal), &mut scratch).expect("a sound query");
                assert_eq!(cost, found.route().map(Route::cost), "{name} to {goal} on {}", world.picture());
            }
            let nearest = planner.nearest_goals(world, from, &goals, 4, &mut scratch).expect("a sound question");
            let mut sorted: Vec<(Cost, usize)> =
                costs.iter().zip(0..).filter_map(|(cost, place)| Some(((*cost)?, place))).collect();
            sorted.sort_unstable();
            sorted.truncate(4);
            assert_eq!(nearest.iter().map(|&(place, cost)| (cost, place)).collect::<Vec<_>>(), sorted, "{name}");
        }
    });
}

#[test]
fn queued_routes_do_not_depend_on_the_budget() {
    on_random_meshes(63, 6, |random, world, _| {
        let queries = mixed(random, world, 30);
        for planner in planners(world) {
            let expected: Vec<_> = queries.iter().map(|&query| planned(&planner, world, query)).collect();
            for budget in [1, 7, u64::MAX] {
                let mut queue = PlanQueue::new();
                submit_all(&mut queue, &queries, 0);
                let pieces = drain(&mut queue, &planner, world, budget);
                let told = format!("{} {:?}, {budget} a tick", planner.algorithm().name, planner.settings());
                assert_eq!(put_together::<NavMesh>(&pieces, queries.len()), expected, "{told} {}", world.picture());
            }
        }
    });
}

/// The mesh is edited every few ticks. Every query is answered, and the last pieces of each answer are those that the mesh
/// of their revision gives.
#[test]
fn edits_begin_again_what_is_under_way() {
    let mut random = Random::new(64);
    for name in ["a-star", "hna-star", "rhumb"] {
        let mut world = World::from(random_mesh(&mut random));
        let mut planner = build(&world, name, &[]);
        let queries: Vec<_> = std::iter::repeat_with(|| {
            let from = somewhere(&mut random, &world).expect("a polygon is free");
            Query::new(from, anywhere(&mut random, &world))
        })
        .take(60)
        .collect();
        let mut queue = PlanQueue::new();
        submit_all(&mut queue, &queries, 0);
        let (mut pieces, mut states) = (Vec::new(), vec![(world.snapshot(), planner.clone())]);
        for tick in 1_u32.. {
            queue.tick(&planner, &world, TickBudget::Expansions(40)).expect("repaired");
            pieces.extend(std::iter::from_fn(|| queue.next_piece()));
            if queue.is_empty() {
                break;
            }
            if tick % 4 == 0 && tick < 30 {
                let edits = random_edits(&mut random, &world, true);
                world.apply(&edits).expect("sound edits");
                planner.repair(&world, &edits).expect("the edits follow");
                states.push((world.snapshot(), planner.clone()));
            }
        }
        for (number, &query) in queries.iter().enumerate() {
            let of_query = || pieces.iter().filter(|piece| piece.ticket.to_string() == number.to_string());
            let last = of_query().next_back().expect("every query is answered");
            assert!(last.is_last, "{query:?}");
            let is_of = |state: &&(Snapshot<NavMesh>, _)| state.0.revision() == last.revision;
            let (world, planner) = states.iter().find(is_of).expect("a known state");
            let (told, expected) = planned(planner, world, query);
            match &last.answer {
                Ok(Outcome::Reached(_)) => {
                    let parts = of_query().filter(|piece| piece.revision == last.revision);
                    let parts = parts.filter_map(|piece| piece.answer.as_ref().ok()?.route());
                    let cells: Vec<MeshPoint> = parts.flat_map(|part| part.cells.iter().copied()).collect();
                    assert_eq!(cells, expected, "{name} {query:?}");
                }
                Ok(other) => assert_eq!(other.name(), told, "{name} {query:?}"),
                Err(error) => assert_eq!(error.to_string(), told, "{name} {query:?}"),
            }
        }
    }
}
