//! One start and many goals on hexes: the costs are the oracle's, and the nearest goals are those that cost least.
//!
//! Not here: single routes.

use super::oracle::costs_from;
use super::worlds::{draw, on_random_worlds, planners, random_cell};
use crate::worlds::Pictured;
use portolan::{Cost, HexCell, Promise, QueryError, Scratch};

#[test]
fn distances_are_what_routes_cost() {
    let mut scratch = Scratch::new();
    on_random_worlds(9, 60, |random, world, from| {
        let goals: Vec<HexCell> = (0..20).map(|_| random_cell(random, world)).collect();
        let truth = costs_from(world, from);
        for planner in planners(world).iter().filter(|planner| planner.algorithm().name != "ida-star") {
            let name = planner.algorithm().name;
            let costs = planner.distances(world, from, &goals, &mut scratch).expect("a sound question");
            for (goal, cost) in goals.iter().zip(&costs) {
                let (cost, exact) = (cost.map(|cost| u64::from(cost.0)), truth.get(goal).copied());
                assert_eq!(cost.is_some(), exact.is_some(), "{name} to {goal} on {}", world.picture());
                assert!(cost >= exact, "{name} to {goal}: {cost:?} of {exact:?} on {}", world.picture());
                if planner.promise(world) == Promise::Optimal {
                    assert_eq!(cost, exact, "{name} to {goal} on {}", world.picture());
                }
            }
            let nearest = planner.nearest_goals(world, from, &goals, 5, &mut scratch).expect("a sound question");
            let mut sorted: Vec<(Cost, usize)> =
                costs.iter().zip(0..).filter_map(|(cost, place)| Some(((*cost)?, place))).collect();
            sorted.sort_unstable();
            sorted.truncate(5);
            assert_eq!(nearest.iter().map(|&(place, cost)| (cost, place)).collect::<Vec<_>>(), sorted, "{name}");
        }
    });
}

#[test]
fn what_cannot_be_asked_is_an_error() {
    let world = draw("- . #\n . . .\n- . .", 1, None);
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let mut ask = |from, goal| planner.distances(&world, from, &[goal], &mut scratch);
        let (free, wall, void) = (HexCell::at(1, 0), HexCell::at(2, 0), HexCell::at(0, 0));
        assert_eq!(ask(wall, free), Err(QueryError::StartBlocked(wall)));
        assert_eq!(ask(free, void), Err(QueryError::OffMap { cell: void, width: 3, height: 3 }));
        assert_eq!(ask(void, free), Err(QueryError::OffMap { cell: void, width: 3, height: 3 }));
        assert_eq!(ask(free, wall), Ok(vec![None]));
        assert_eq!(ask(free, free), Ok(vec![Some(Cost::ZERO)]));
    }
}
