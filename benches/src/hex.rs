//! The cases on hexes: A* on a large cave, with all and with canonical moves, and an edit of it.
//!
//! Not here: cases on squares.

use crate::SEED;
use portolan::generate::{Random, generate, recipe};
use portolan::{
    Cell, Edit, HEX_ALGORITHMS, HexCell, HexGrid, Outcome, Planner, Query, Rules, Scratch, Snapshot, Terrain, World,
};
use std::hint::black_box;

/// The name of the world in the list of cases.
pub(crate) const WORLD: &str = "hex-caves";
/// Number of queries of a case, or of edits.
pub(crate) const QUERIES: usize = 8;
/// Columns and rows of the world.
const SIDE: usize = 1024;

/// What a case counts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    /// A query to A* that looks at these successors.
    Query { successors: &'static str },
    /// An edit of one cell, and the repair of A* after it.
    Edit,
}

/// All cases with their names in the list.
pub(crate) const CASES: [(&str, Count); 3] = [
    ("a-star", Count::Query { successors: "canonical" }),
    ("a-star-all", Count::Query { successors: "all" }),
    ("edit", Count::Edit),
];

/// Returns the case of this name, or `None` if there is none.
pub(crate) fn case(name: &str) -> Option<Count> {
    CASES.iter().find(|case| case.0 == name).map(|case| case.1)
}

pub(crate) fn run(count: Count, repeats: usize) {
    match count {
        Count::Query { successors } => answer(successors, repeats),
        Count::Edit => edit(repeats),
    }
}

fn answer(successors: &str, repeats: usize) {
    let world = Snapshot::from(caves(SIDE));
    let planner = planner(&world, successors);
    let queries = queries(&world);
    let mut scratch = Scratch::new();
    for _ in 0..repeats {
        for &query in &queries {
            let outcome = planner.find(&world, black_box(query), &mut scratch);
            let outcome = black_box(outcome).expect("queries lie on the world");
            assert!(matches!(outcome, Outcome::Reached(_)), "{query:?}: {}", outcome.name());
        }
    }
}

/// Blocks the starts of half of the queries, one by one, and frees them again, so that every repeat finds one world.
fn edit(repeats: usize) {
    let mut world = World::from(caves(SIDE));
    let mut planner = planner(&world, "canonical");
    let cells: Vec<Cell> =
        queries(&world)[..QUERIES / 2].iter().map(|query| query.from.cell().expect("it lies on the grid")).collect();
    for _ in 0..repeats {
        for terrain in [Terrain::BLOCKED, Terrain::GROUND] {
            for &cell in &cells {
                let edits = [Edit::new(black_box(cell), terrain)];
                world.apply(&edits).expect("the cell lies on the world");
                planner.repair(&world, &edits).expect("the edit that it missed");
            }
        }
    }
}

fn planner(world: &Snapshot<HexGrid>, successors: &str) -> Planner<HexGrid> {
    let a_star = HEX_ALGORITHMS.iter().find(|algorithm| algorithm.name == "a-star").expect("it is in the registry");
    let settings = a_star.settings(&[("successors", successors)]).expect("both are choices of it");
    Planner::build(world, a_star, settings).expect("it suits every world")
}

/// Returns a generated cave whose squares have become hexes, column by column and row by row.
fn caves(side: usize) -> HexGrid {
    let recipe = recipe("caves").expect("it is in the list of recipes");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are in range");
    let squares = generate(recipe, side, side, SEED, &settings, Rules::default()).expect("the size is in range");
    HexGrid::from_weights(side, side, &squares.to_weights(), None).expect("the size is in range")
}

/// Returns queries between random connected cells, equal ones in every run. All starts differ.
fn queries(world: &HexGrid) -> Vec<Query<HexCell>> {
    let mut random = Random::new(SEED);
    let mut queries: Vec<Query<HexCell>> = Vec::new();
    while queries.len() < QUERIES {
        let mut below = |side: usize| random.below(side as u64) as u16;
        let [from, to] = [(); 2].map(|()| HexCell::at(below(world.width()), below(world.height())));
        let is_new = queries.iter().all(|query| query.from != from);
        if is_new && from != to && world.connected(from, to) {
            queries.push(Query::new(from, to));
        }
    }
    queries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_drawn_alike_each_time() {
        let pairs = || queries(&caves(128)).iter().map(|query| (query.from, query.to)).collect::<Vec<_>>();
        assert_eq!(pairs(), pairs());
        assert_eq!(pairs().len(), QUERIES);
    }

    #[test]
    fn cases_are_found_by_their_names() {
        for (name, count) in CASES {
            assert_eq!(case(name), Some(count));
        }
        assert_eq!(case("b-star"), None);
    }
}
