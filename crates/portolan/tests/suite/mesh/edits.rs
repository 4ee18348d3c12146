//! Edit scripts on meshes: after every edit a repaired planner searches exactly as a planner built for the edited world
//! does, and the edited world equals one built from its parts.
//!
//! Not here: routes that are walked while the world changes (`replan.rs`).

use super::oracle::Plain;
use super::random_worlds::{Truth, check};
use super::worlds::{anywhere, planners, random_edits, random_mesh, somewhere};
use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::probe::Trace;
use portolan::{MeshEdit, NavMesh, Outcome, Planner, Query, QueryError, RepairError, Scratch, Space, Terrain, World};

#[test]
fn a_repaired_planner_answers_as_a_fresh_one() {
    let (mut scratch, mut fresh_scratch) = (Scratch::new(), Scratch::new());
    let mut random = Random::new(51);
    let mut compared = 0;
    for round in 0..24 {
        let mut world = World::from(random_mesh(&mut random));
        let mut repaired = planners(&world);
        for _ in 0..6 {
            let edits = random_edits(&mut random, &world, round % 3 > 0);
            world.apply(&edits).expect("sound edits");
            let anew = World::from(NavMesh::new(&world.to_parts()).expect("it was sound"));
            assert_eq!(world.to_parts(), anew.to_parts());
            // Polyanya does not run on meshes of several weights.
            repaired.retain_mut(|planner| match planner.repair(&world, &edits) {
                Ok(_) => true,
                Err(RepairError::Unsuited(_)) => planner.algorithm().suits(&world).is_err(),
                Err(error) => panic!("{error}: {}", world.picture()),
            });
            repaired.retain(|planner| planner.revision() == world.revision());
            let Some(from) = somewhere(&mut random, &world) else { continue };
            let to = anywhere(&mut random, &world);
            let truth = Truth::of(&world, &Plain::of(&world), from, to);
            let query = Query::new(from, to);
            for planner in &repaired {
                check(&world, planner, query, &truth, &mut scratch);
                let name = planner.algorithm().name;
                let fresh = Planner::build(&anew, planner.algorithm(), planner.settings().clone()).expect("it suits");
                let (mut trace, mut fresh_trace) = (Trace::default(), Trace::default());
                let mended = planner.watch(&world, query, &mut scratch, &mut trace);
                let built = fresh.watch(&anew, query, &mut fresh_scratch, &mut fresh_trace);
                assert_eq!(mended, built, "{name} on {}", world.picture());
                assert!(trace == fresh_trace, "{name} on {}", world.picture());
                compared += 1;
            }
        }
    }
    assert!(compared > 1500, "{compared}");
}

#[test]
fn snapshots_stay_as_they_were_while_the_world_moves_on() {
    let mut random = Random::new(52);
    let mut world = World::from(random_mesh(&mut random));
    let mut held = vec![];
    for round in 0..200 {
        let edits = random_edits(&mut random, &world, round < 100);
        world.apply(&edits).expect("sound edits");
        match random.below(4) {
            0 => held.push((world.snapshot(), world.to_parts(), Planner::new(&world, "hna-star").expect("it suits"))),
            1 => held.clear(),
            2 => drop(world.snapshot()),
            _ => {}
        }
        for (snapshot, parts, planner) in &held {
            assert_eq!(&snapshot.to_parts(), parts, "round {round}");
            let Some(from) = somewhere(&mut random, snapshot) else { continue };
            let to = anywhere(&mut random, snapshot);
            let truth = Truth::of(snapshot, &Plain::of(snapshot), from, to);
            check(snapshot, planner, Query::new(from, to), &truth, &mut Scratch::new());
        }
    }
}

#[test]
fn other_edits_than_the_world_has_seen_are_refused() {
    let mut random = Random::new(53);
    let mut world = World::from(random_mesh(&mut random));
    let mut planners = planners(&world);
    let edits: Vec<MeshEdit> = (0..5).flat_map(|_| random_edits(&mut random, &world, true)).collect();
    world.apply(&edits).expect("sound edits");
    let other = MeshEdit::new(0, Terrain::of_weight(7));
    for planner in &mut planners {
        for wrong in [vec![other; edits.len()], edits[1..].to_vec(), [&edits[..], &[other]].concat()] {
            assert!(matches!(planner.repair(&world, &wrong), Err(RepairError::Gap { .. })));
        }
        planner.repair(&world, &edits).expect("the edits it missed");
    }
}

#[test]
fn stale_planners_and_bad_edits_are_errors() {
    let mut world = World::from(NavMesh::clone(&super::worlds::draw("...\n.X.\n...")));
    let before = world.snapshot();
    let mut planner = Planner::new(&world, "rhumb").expect("it suits");
    let query = Query::new(world.centre(3), world.centre(5));
    let mut scratch = Scratch::new();
    let wall = MeshEdit::new(1, Terrain::BLOCKED);
    assert!(world.apply(&[wall, MeshEdit::new(9, Terrain::BLOCKED)]).is_err());
    assert!(world.terrain(1).is_free(), "nothing is applied when one edit is at fault");
    assert_eq!(world.revision(), before.revision());
    planner.begin(&world, query, &mut scratch).expect("a sound query");
    world.apply(&[wall]).expect("a sound edit");
    assert!(matches!(planner.find(&world, query, &mut Scratch::new()), Err(QueryError::Stale { .. })));
    assert!(matches!(planner.plan(&world, query, &mut Scratch::new()), Err(QueryError::Stale { .. })));
    assert!(matches!(planner.step(&world, &mut scratch, 1), Err(QueryError::Stale { .. })));
    assert!(matches!(planner.repair(&world, &[]), Err(RepairError::Gap { .. })));
    planner.repair(&world, &[wall]).expect("the edit it missed");
    let found = planner.find(&world, query, &mut scratch).expect("a sound query");
    assert!(
        matches!(found, Outcome::Reached(route) if route.cells().iter().all(|at| at.y >= 0 || world.contains(*at)))
    );
    let shut = [MeshEdit::new(7, Terrain::BLOCKED)];
    world.apply(&shut).expect("a sound edit");
    planner.repair(&world, &shut).expect("the edit it missed");
    assert_eq!(planner.find(&world, query, &mut scratch), Ok(Outcome::Unreachable), "both ways are blocked");
}
