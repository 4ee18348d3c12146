//! Lazy routes on hexes: one piece with all cells, which survives edits of other cells and can then still be walked at
//! the cost that was told.
//!
//! Not here: routes in legs, which no algorithm on hexes plans.

use super::worlds::{on_random_worlds, planners, random_free_cell, random_grid};
use crate::edits::random_edits;
use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::{Cell, Edit, HexCell, HexGrid, LazyRoute, Outcome, Planner, Query, QueryError, Scratch, Terrain, World};

#[test]
fn a_plan_is_the_route_in_one_piece() {
    let mut scratch = Scratch::new();
    on_random_worlds(12, 60, |random, world, from| {
        let query = Query::new(from, random_free_cell(random, world).expect("there is one"));
        for planner in planners(world) {
            assert!(!planner.plans_in_legs());
            let found = planner.find(world, query, &mut scratch).expect("a sound query");
            let planned = planner.plan(world, query, &mut scratch).expect("a sound query");
            assert_eq!(found.name(), planned.name());
            let (Outcome::Reached(found), Outcome::Reached(mut route)) = (found, planned) else { continue };
            assert_eq!(route.cost(), Some(found.cost()));
            let ends = if query.from == query.to { vec![query.from] } else { vec![query.from, query.to] };
            assert_eq!(route.waypoints(&planner), ends);
            let piece = route.next_leg(&planner, world, &mut scratch).expect("nothing has changed");
            assert_eq!(piece, Some(found.cells()));
            assert!(route.is_done() && route.waypoints(&planner).is_empty());
            assert_eq!(route.next_leg(&planner, world, &mut scratch), Ok(None));
        }
    });
}

/// Returns a world with a wall, a planner for it and a route along its middle row.
fn under_way() -> (World<HexGrid>, Planner<HexGrid>, LazyRoute<HexGrid>) {
    let world = World::from(HexGrid::open(20, 9, None).expect("a sound size"));
    let planner = Planner::new(&world, "a-star").expect("it suits");
    let query = Query::new(HexCell::at(1, 4), HexCell::at(18, 4));
    let planned = planner.plan(&world, query, &mut Scratch::new()).expect("a sound query");
    (world, planner, planned.into_route().expect("open ground"))
}

#[test]
fn a_route_survives_edits_beside_it_and_none_on_it() {
    for (row, survives) in [(3, true), (4, false), (5, true)] {
        let (mut world, mut planner, mut route) = under_way();
        let mut scratch = Scratch::new();
        let edits = [Edit::new(Cell::new(9, row), Terrain::BLOCKED)];
        world.apply(&edits).expect("a sound edit");
        assert!(matches!(route.next_leg(&planner, &world, &mut scratch), Err(QueryError::Stale { .. })));
        assert!(!route.survives(&planner, &world, &edits), "the planner has not been repaired");
        planner.repair(&world, &edits).expect("the edit it missed");
        assert!(!route.survives(&planner, &world, &[]), "an edit is missing");
        assert_eq!(route.survives(&planner, &world, &edits), survives, "row {row}");
        let leg = route.next_leg(&planner, &world, &mut scratch);
        assert_eq!(matches!(leg, Ok(Some(cells)) if cells.len() == 18), survives);
    }
}

#[test]
fn whatever_survives_can_be_walked_at_its_cost() {
    let mut random = Random::new(5);
    let mut scratch = Scratch::new();
    let (mut survived, mut lost) = (0, 0);
    for round in 0..60 {
        let mut world = World::from(random_grid(&mut random));
        let mut planners = planners(&world);
        for _ in 0..5 {
            let [Some(from), Some(to)] = [(); 2].map(|()| random_free_cell(&mut random, &world)) else { break };
            let mut plan = |planner: &Planner<HexGrid>| {
                let planned = planner.plan(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                planned.into_route()
            };
            let mut routes: Vec<Option<LazyRoute<HexGrid>>> = planners.iter().map(&mut plan).collect();
            let edits = random_edits(&mut random, &world, round % 2 == 0);
            world.apply(&edits).expect("sound edits");
            for (planner, route) in planners.iter_mut().zip(&mut routes) {
                planner.repair(&world, &edits).expect("it follows");
                let Some(route) = route else { continue };
                if !route.survives(planner, &world, &edits) {
                    lost += 1;
                    continue;
                }
                survived += 1;
                let cells = route.next_leg(planner, &world, &mut scratch).expect("it survives").expect("all of it");
                assert_eq!((cells.first(), cells.last()), (Some(&from), Some(&to)));
                let step = |step: &[HexCell]| world.step_cost(step[0], step[1]).map(|cost| cost.0);
                let walked: Option<u32> = cells.windows(2).map(step).sum();
                assert_eq!(walked, route.cost().map(|cost| cost.0), "{}", world.picture());
            }
        }
    }
    assert!(survived > 500 && lost > 100, "{survived} survived, {lost} did not");
}
