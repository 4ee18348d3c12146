//! The program whose instructions `cargo xtask bench` counts. Every algorithm answers queries on generated worlds of
//! squares, and A* on one of hexes; worlds and queries are fixed.
//!
//! `list` prints the cases; `run WORLD ALGORITHM REPEATS` answers the queries of a case that many times. The difference
//! of two such runs is what the queries cost alone, because building the world, the planner and the scratch costs
//! equally much in both. The figures are kept in `benches/instructions.tsv`. Measuring time does not belong here.
#![forbid(unsafe_code)]

mod hex;

use portolan::generate::{RECIPES, Random, Recipe, generate, recipe};
use portolan::{ALGORITHMS, Algorithm, Cell, Planner, Query, Rules, Scratch, Snapshot, algorithm};
use std::env;
use std::hint::black_box;
use std::process::ExitCode;

/// Cells on each side of every world.
const SIDE: usize = 256;
/// Number of queries of a case.
const QUERIES: usize = 20;
/// The seed of worlds and queries.
const SEED: u64 = 7;

/// IDA* visits cells again and again, the more often the farther the goal is. For it, goals are at most `NEAR` columns
/// and rows away, and a search gives up after `NEAR_BUDGET` expansions, so that a case ends.
const NEAR: i32 = 6;
const NEAR_BUDGET: u64 = 20_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["run", hex::WORLD, name, repeats] = words[..]
        && let Some((count, repeats)) = hex::case(name).zip(repeats.parse().ok())
    {
        hex::run(count, repeats);
        return ExitCode::SUCCESS;
    }
    let case = match words[..] {
        ["list"] => {
            list();
            return ExitCode::SUCCESS;
        }
        ["run", world, search, repeats] => recipe(world).zip(algorithm(search)).zip(repeats.parse().ok()),
        _ => None,
    };
    if let Some(((world, search), repeats)) = case {
        run(world, search, repeats);
        ExitCode::SUCCESS
    } else {
        eprintln!("usage: portolan-benches list | run WORLD ALGORITHM REPEATS");
        ExitCode::from(2)
    }
}

/// Prints the world, the algorithm and the number of queries of every case, those on hexes last.
fn list() {
    for recipe in RECIPES {
        let world = world(recipe);
        for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.suits(&world).is_ok()) {
            println!("{}\t{}\t{QUERIES}", recipe.name, algorithm.name);
        }
    }
    for (name, _) in hex::CASES {
        println!("{}\t{name}\t{}", hex::WORLD, hex::QUERIES);
    }
}

fn run(recipe: &Recipe, algorithm: &'static Algorithm, repeats: usize) {
    let world = world(recipe);
    let settings = algorithm.settings::<&str, &str>(&[]).expect("defaults are in range");
    let planner = Planner::build(&world, algorithm, settings).expect("only suitable pairs are listed");
    let queries = queries(&world, algorithm.name == "ida-star");
    let mut scratch = Scratch::new();
    for _ in 0..repeats {
        for &query in &queries {
            let outcome = planner.find(&world, black_box(query), &mut scratch);
            let outcome = black_box(outcome).expect("queries lie on the world");
            assert!(outcome.route().is_some() || query.budget.is_some(), "{query:?}: {}", outcome.name());
        }
    }
}

fn world(recipe: &Recipe) -> Snapshot {
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are in range");
    let grid = generate(recipe, SIDE, SIDE, SEED, &settings, Rules::default());
    Snapshot::from(grid.expect("the size is in range"))
}

/// Returns queries between random connected cells, equal ones in every run. With `near` they are as IDA* needs them.
fn queries(world: &Snapshot, near: bool) -> Vec<Query> {
    let mut random = Random::new(SEED);
    let mut queries = Vec::new();
    while queries.len() < QUERIES {
        let mut within = |least: i32, most: i32| (least + random.below((most - least) as u64 + 1) as i32) as u16;
        let last = SIDE as i32 - 1;
        let from = Cell::new(within(0, last), within(0, last));
        let range = |center: u16| {
            let center = i32::from(center);
            if near { ((center - NEAR).max(0), (center + NEAR).min(last)) } else { (0, last) }
        };
        let ((left, right), (top, bottom)) = (range(from.x), range(from.y));
        let to = Cell::new(within(left, right), within(top, bottom));
        if from != to && world.connected(from, to) {
            let query = Query::new(from, to);
            queries.push(if near { query.budget(NEAR_BUDGET) } else { query });
        }
    }
    queries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_drawn_alike_each_time() {
        for recipe in RECIPES {
            let world = world(recipe);
            for near in [false, true] {
                let pairs = || queries(&world, near).iter().map(|query| (query.from, query.to)).collect::<Vec<_>>();
                assert_eq!(pairs(), pairs());
                assert_eq!(pairs().len(), QUERIES);
            }
        }
    }
}
