//! Edit scripts on hexes: after every edit a repaired planner searches exactly as a planner built for the edited world
//! does, and the edited world equals one built from its terrain.
//!
//! Not here: routes that are walked while the world changes (`lazy_routes.rs`).

use super::oracle::costs_from;
use super::worlds::{planners, random_free_cell, random_grid, rebuilt};
use crate::edits::random_edits;
use crate::random_worlds::check;
use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::probe::Trace;
use portolan::{
    Area, Cell, Edit, HexCell, HexGrid, Outcome, Planner, Query, QueryError, RepairError, Route, Scratch, Terrain,
    World,
};

#[test]
fn a_repaired_planner_answers_as_a_fresh_one() {
    let (mut scratch, mut fresh_scratch) = (Scratch::new(), Scratch::new());
    let mut random = Random::new(42);
    for round in 0..60 {
        let mut world = World::from(random_grid(&mut random));
        let mut repaired = planners(&world);
        for _ in 0..8 {
            // In two of three worlds, weights stay as they are at first: edits block and open.
            let edits = random_edits(&mut random, &world, round % 3 > 0);
            world.apply(&edits).expect("sound edits");
            let anew = World::from(rebuilt(&world));
            assert_eq!(world.to_weights(), anew.to_weights());
            for planner in &mut repaired {
                planner.repair(&world, &edits).unwrap_or_else(|error| panic!("{error}: {}", world.picture()));
            }
            let Some(from) = random_free_cell(&mut random, &world) else { continue };
            let to = random_free_cell(&mut random, &world).expect("there is one");
            let truth = costs_from(&world, from).get(&to).copied();
            for (planner, fresh) in repaired.iter_mut().zip(planners(&anew)) {
                check(&world, planner, from, to, truth, &mut scratch);
                let name = planner.algorithm().name;
                let (mut trace, mut fresh_trace) = (Trace::default(), Trace::default());
                let query = Query::new(from, to);
                // `refresh` sets the landmarks again that the repair has dropped. Half of the rounds do without it.
                if random.below(2) == 0 {
                    planner.refresh(&world).expect("it knows this world");
                } else if planner.settings().iter().any(|set| set.0 == "landmarks" && set.1.to_string() != "0") {
                    let cost = |outcome: Outcome<Route<HexGrid>>| outcome.route().map(Route::cost);
                    let mended = planner.find(&world, query, &mut scratch).expect("a sound query");
                    let built = fresh.find(&anew, query, &mut fresh_scratch).expect("a sound query");
                    assert_eq!(cost(mended), cost(built), "{name} on {}", world.picture());
                    continue;
                }
                let mended = planner.watch(&world, query, &mut scratch, &mut trace);
                let built = fresh.watch(&anew, query, &mut fresh_scratch, &mut fresh_trace);
                assert_eq!(mended, built, "{name} on {}", world.picture());
                assert!(trace == fresh_trace, "{name} on {}", world.picture());
            }
        }
    }
}

#[test]
fn snapshots_stay_as_they_were_while_the_world_moves_on() {
    let mut random = Random::new(4);
    for grid in [HexGrid::open(30, 20, None), HexGrid::hexagon(12, None)] {
        let mut world = World::from(grid.expect("a sound size"));
        let mut held = vec![];
        for round in 0..150 {
            let edits = random_edits(&mut random, &world, round < 75);
            world.apply(&edits).expect("sound edits");
            // A round keeps a snapshot with a planner for it, drops all that were kept, takes one and drops it at once,
            // or takes none.
            match random.below(4) {
                0 => {
                    let planner = Planner::new(&world, "a-star").expect("it suits");
                    held.push((world.snapshot(), world.to_weights(), planner));
                }
                1 => held.clear(),
                2 => drop(world.snapshot()),
                _ => {}
            }
            for (snapshot, weights, planner) in &held {
                assert_eq!(&snapshot.to_weights(), weights, "round {round}");
                let Some(from) = random_free_cell(&mut random, snapshot) else { continue };
                let to = random_free_cell(&mut random, snapshot).expect("there is one");
                let truth = costs_from(snapshot, from).get(&to).copied();
                check(snapshot, planner, from, to, truth, &mut Scratch::new());
            }
        }
    }
}

#[test]
fn other_edits_than_the_world_has_seen_are_refused() {
    let mut random = Random::new(6);
    let mut world = World::from(HexGrid::open(60, 50, None).expect("a sound size"));
    let mut planner = Planner::new(&world, "a-star").expect("it suits");
    let edits: Vec<Edit> = (0..10).flat_map(|_| random_edits(&mut random, &world, true)).collect();
    world.apply(&edits).expect("sound edits");
    let other = Edit::new(Cell::new(59, 49), Terrain::BLOCKED);
    let mut wrong = vec![vec![other; edits.len()], edits[1..].to_vec(), [&edits[..], &[other]].concat()];
    wrong.push(edits.iter().rev().copied().collect());
    for wrong in wrong {
        assert!(matches!(planner.repair(&world, &wrong), Err(RepairError::Gap { .. })));
    }
    planner.repair(&world, &edits).expect("the edits it missed");
}

#[test]
fn stale_planners_and_bad_edits_are_errors() {
    let mut world = World::from(HexGrid::hexagon(4, None).expect("a sound size"));
    let before = world.snapshot();
    let mut planner = Planner::new(&world, "a-star").expect("it suits");
    let mut scratch = Scratch::new();
    let query = Query::new(HexCell::at(0, 4), HexCell::at(8, 4));
    let wall = Edit::new(Cell::new(4, 4), Terrain::BLOCKED);

    for (x, y, width, height) in [(7, 0, 3, 1), (0, 7, 1, 3), (9, 0, 1, 1), (0, 0, 0, 1), (0, 0, 1, 0)] {
        let outside = Edit::new(Area { x, y, width, height }, Terrain::BLOCKED);
        assert!(world.apply(&[wall, outside]).is_err());
        assert!(world.is_free(HexCell::at(4, 4)), "nothing is applied when one edit is at fault");
        assert_eq!(world.revision(), before.revision());
    }
    let corner = Edit::new(Area { x: 0, y: 0, width: 3, height: 2 }, Terrain::of_weight(1));
    world.apply(&[corner]).expect("void cells may be covered, and stay void");
    assert!(!world.contains(HexCell::at(0, 0)) && !world.is_free(HexCell::at(0, 0)));
    planner.repair(&world, &[corner]).expect("the edit it missed");

    planner.begin(&world, query, &mut scratch).expect("a sound query");
    world.apply(&[wall]).expect("a sound edit");
    assert!(matches!(planner.find(&world, query, &mut Scratch::new()), Err(QueryError::Stale { .. })));
    assert!(matches!(planner.plan(&world, query, &mut Scratch::new()), Err(QueryError::Stale { .. })));
    assert!(matches!(planner.distances(&world, query.from, &[], &mut Scratch::new()), Err(QueryError::Stale { .. })));
    assert!(matches!(planner.step(&world, &mut scratch, 1), Err(QueryError::Stale { .. })));
    assert!(matches!(planner.find(&before, query, &mut scratch), Err(QueryError::Stale { .. })), "repaired once since");
    assert!(matches!(planner.repair(&world, &[]), Err(RepairError::Gap { .. })));
    assert!(matches!(planner.refresh(&world), Err(RepairError::Gap { .. })));
    planner.repair(&world, &[wall]).expect("the edit it missed");
    let Ok(Outcome::Reached(route)) = planner.find(&world, query, &mut scratch) else { panic!("there is a way") };
    assert_eq!(route.steps(), 9, "one step more than without the wall");

    planner.begin(&world, query, &mut scratch).expect("a sound query");
    planner.refresh(&world).expect("it knows this world");
    assert_eq!(planner.step(&world, &mut scratch, 1), Err(QueryError::NothingBegun), "guided otherwise now");
}

#[test]
fn worlds_of_one_grid_are_worlds_of_their_own() {
    let grid = HexGrid::open(9, 9, None).expect("a sound size");
    let (one, other) = (World::from(grid.clone()), World::from(grid));
    let planner = Planner::new(&one, "dijkstra").expect("it suits");
    let query = Query::new(HexCell::at(0, 0), HexCell::at(8, 8));
    assert!(planner.find(&one, query, &mut Scratch::new()).is_ok());
    assert!(matches!(planner.find(&other, query, &mut Scratch::new()), Err(QueryError::Stale { .. })));
}
