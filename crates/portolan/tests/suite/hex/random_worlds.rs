//! Random hexagonal worlds compared with the oracle: every algorithm with every setting keeps its promise, every route
//! is legal, and its cost and length are right.
//!
//! Not here: edits.

use super::oracle::costs_from;
use super::worlds::{on_random_worlds, planners, random_cell, random_free_cell, random_grid};
use crate::random_worlds::check;
use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::{HexGrid, Outcome, Query, Route, Scratch};

/// Returns twice the length of a route: every step counts the weights of its two cells.
fn twice_the_length(world: &HexGrid, route: &Route<HexGrid>) -> u64 {
    let weight = |cell| u64::from(world.terrain(cell).weight());
    route.cells().windows(2).map(|step| weight(step[0]) + weight(step[1])).sum()
}

#[test]
fn every_algorithm_keeps_its_promise() {
    let mut scratch = Scratch::new();
    on_random_worlds(2024, 500, |random, world, from| {
        let truth = costs_from(world, from);
        let planners = planners(world);
        for _ in 0..6 {
            let to = random_cell(random, world);
            for planner in &planners {
                check(world, planner, from, to, truth.get(&to).copied(), &mut scratch);
                let outcome = planner.find(world, Query::new(from, to), &mut scratch).expect("a sound query");
                let Outcome::Reached(route) = outcome else { continue };
                // Halves are exact in floating point, so that twice the length is a whole number.
                let twice = (2.0 * route.length(world)).to_bits();
                assert_eq!(twice, (twice_the_length(world, &route) as f64).to_bits(), "{}", world.picture());
            }
        }
    });
}

#[test]
fn components_are_what_the_oracle_reaches() {
    let mut random = Random::new(18);
    for _ in 0..300 {
        let grid = random_grid(&mut random);
        let Some(from) = random_free_cell(&mut random, &grid) else { continue };
        let reached = costs_from(&grid, from);
        for cell in grid.cells() {
            assert_eq!(grid.connected(from, cell), reached.contains_key(&cell), "{from} and {cell}");
        }
    }
}

#[test]
fn the_nearest_cell_is_the_nearest_that_the_oracle_reaches() {
    let mut scratch = Scratch::new();
    on_random_worlds(27, 200, |random, world, from| {
        let truth = costs_from(world, from);
        let to = random_cell(random, world);
        let nearest = truth.keys().min_by_key(|cell| (cell.distance(to), cell.r, cell.q)).expect("the start at least");
        for planner in planners(world) {
            let query = Query::new(from, to).nearest();
            let route = match planner.find(world, query, &mut scratch).expect("a sound query") {
                Outcome::Reached(route) if *nearest == to => route,
                Outcome::Partial(route) if *nearest != to => route,
                Outcome::OutOfBudget if planner.algorithm().name == "ida-star" => continue,
                other => panic!("{} is {} on {}", planner.algorithm().name, other.name(), world.picture()),
            };
            route.check(world).unwrap_or_else(|error| panic!("{error} on {}", world.picture()));
            assert_eq!(route.cells().last(), Some(nearest), "{}", world.picture());
            assert!(u64::from(route.cost().0) >= truth[nearest], "{}", world.picture());
        }
    });
}
