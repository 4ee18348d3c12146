//! The queries that algorithms are raced and audited on: [`Trial`]s, drawn at random or taken from a scenario.
//!
//! Not here: answering them, and reading scenario files.

use portolan::any::AnySnapshot;
use portolan::generate::Random;
use portolan::{Cell, Corners, Directions, Query};
use portolan_formats::scen::Scenario;
use std::collections::HashMap;
use std::f64::consts::SQRT_2;

/// A query that every algorithm of an experiment answers.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Trial {
    /// The start.
    pub from: Cell,
    /// The goal.
    pub to: Cell,
    /// The length of the shortest route, if it is stated. In a trial from a scenario, `None` means that there is no
    /// route; in a trial drawn at random, that the length is not known.
    pub stated: Option<f64>,
}

impl Trial {
    /// Returns the query with this budget.
    pub fn query(&self, budget: Option<u64>) -> Query {
        let query = Query::new(self.from, self.to);
        budget.map_or(query, |budget| query.budget(budget))
    }
}

/// Why trials could not be made.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TrialError {
    /// No two free cells are connected.
    #[error("no two free cells of this world are connected")]
    NoPairs,
    /// The scenario was made for a map of another size.
    #[error("query {number} is for a map of {} x {} cells, this one is {} x {}", stated.0, stated.1, found.0, found.1)]
    Size {
        /// Which query, from 1.
        number: usize,
        /// Columns and rows it was made for.
        stated: (usize, usize),
        /// Columns and rows of the map at hand.
        found: (usize, usize),
    },
    /// A query's start or goal is not on the map.
    #[error("query {number}: {cell} lies off the map, which is {width} x {height}")]
    OffMap {
        /// Which query, from 1.
        number: usize,
        /// Its start or goal.
        cell: Cell,
        /// Columns of the map.
        width: usize,
        /// Rows of the map.
        height: usize,
    },
    /// The start of a query is blocked.
    #[error("query {number}: the start {cell} is blocked")]
    StartBlocked {
        /// Which query, from 1.
        number: usize,
        /// Its start.
        cell: Cell,
    },
}

/// Draws `count` pairs of different, connected cells. Equal seeds give equal pairs.
///
/// # Errors
/// When no two cells of the world are connected.
pub fn random(world: &AnySnapshot, count: usize, seed: u64) -> Result<Vec<Trial>, TrialError> {
    let mut random = Random::new(seed);
    let mut trials = Vec::with_capacity(count);
    let mut cells_by_home: Option<Vec<Vec<Cell>>> = None;
    while trials.len() < count {
        let drawn = (0..PATIENCE).find_map(|_| {
            let (from, to) = (any_cell(world, &mut random), any_cell(world, &mut random));
            (from != to && world.connected(from, to)).then_some((from, to))
        });
        let (from, to) = if let Some(pair) = drawn {
            pair
        } else {
            let homes = cells_by_home.get_or_insert_with(|| homes(world));
            pair_within(homes, &mut random).ok_or(TrialError::NoPairs)?
        };
        trials.push(Trial { from, to, stated: None });
    }
    Ok(trials)
}

/// Draws `count` cells that are connected with one goal, which is drawn too, and different from it. Equal seeds give equal
/// cells.
///
/// # Errors
/// When no two cells of the world are connected.
pub fn to_one_goal(world: &AnySnapshot, count: usize, seed: u64) -> Result<Vec<Trial>, TrialError> {
    let Trial { to, .. } = random(world, 1, seed)?[0];
    let mut random = Random::new(seed);
    let home: Vec<Cell> = world.cells().filter(|&from| from != to && world.connected(from, to)).collect();
    let mut pick = || home[random.below(home.len() as u64) as usize];
    Ok((0..count).map(|_| Trial { from: pick(), to, stated: None }).collect())
}

/// How many pairs are drawn from all cells in search of a connected one. After that, pairs are drawn from lists of the
/// free cells instead, which only worlds with little ground need.
const PATIENCE: usize = 2_000;

fn any_cell(world: &AnySnapshot, random: &mut Random) -> Cell {
    let (width, height) = (world.width() as u64, world.height() as u64);
    Cell::new(random.below(width) as u16, random.below(height) as u16)
}

/// Returns the cells of each component that has two or more, in the order of the components' first cells.
fn homes(world: &AnySnapshot) -> Vec<Vec<Cell>> {
    let mut index_by_component = HashMap::new();
    let mut homes: Vec<Vec<Cell>> = Vec::new();
    for cell in world.cells() {
        if let Some(component) = world.component(cell) {
            let index = *index_by_component.entry(component).or_insert(homes.len());
            if index == homes.len() {
                homes.push(Vec::new());
            }
            homes[index].push(cell);
        }
    }
    homes.retain(|home| home.len() > 1);
    homes
}

/// Draws two different cells of one component. The first is equally likely to be any of all cells.
fn pair_within(homes: &[Vec<Cell>], random: &mut Random) -> Option<(Cell, Cell)> {
    let total: usize = homes.iter().map(Vec::len).sum();
    if total == 0 {
        return None;
    }
    let mut index = random.below(total as u64) as usize;
    let home = homes.iter().find(|home| {
        let here = index < home.len();
        if !here {
            index -= home.len();
        }
        here
    })?;
    let other = (index + 1 + random.below(home.len() as u64 - 1) as usize) % home.len();
    Some((home[index], home[other]))
}

/// Returns the scenario's queries, each with its stated length.
///
/// # Errors
/// When a query was made for a map of another size, leaves the map or starts on a blocked cell.
pub fn of_scenario(scenario: &Scenario, world: &AnySnapshot) -> Result<Vec<Trial>, TrialError> {
    let (width, height) = (world.width(), world.height());
    let trial = |(index, query): (usize, &portolan_formats::scen::ScenQuery)| {
        let number = index + 1;
        let stated = (query.width, query.height);
        if stated != (width, height) {
            return Err(TrialError::Size { number, stated, found: (width, height) });
        }
        for cell in [query.from, query.to] {
            if !world.contains(cell) {
                return Err(TrialError::OffMap { number, cell, width, height });
            }
        }
        if !world.is_free(query.from) {
            return Err(TrialError::StartBlocked { number, cell: query.from });
        }
        Ok(Trial { from: query.from, to: query.to, stated: query.has_route().then_some(query.length) })
    };
    scenario.queries.iter().enumerate().map(trial).collect()
}

/// Returns whether the lengths that scenarios state are right under this world's rules: eight directions, both side
/// cells of a diagonal free, and a diagonal that costs √2. Under other rules, and on hexes, shortest routes have other
/// lengths.
pub fn lengths_hold(world: &AnySnapshot) -> bool {
    let (Some(rules), metric) = (world.rules(), world.metric()) else { return false };
    let diagonal = f64::from(metric.diagonal()) / f64::from(metric.straight());
    rules.directions == Directions::Eight && rules.corners == Corners::Strict && (diagonal / SQRT_2 - 1.0).abs() < 1e-5
}

/// Returns `count` of the trials, spread evenly over stated lengths and including the longest: they are sorted by
/// length, ties in their old order, and every n-th is taken. Returns all of them, sorted, if there are no more than
/// `count`.
#[must_use]
pub fn spread(mut trials: Vec<Trial>, count: usize) -> Vec<Trial> {
    trials.sort_by(|a, b| a.stated.unwrap_or(0.0).total_cmp(&b.stated.unwrap_or(0.0)));
    let total = trials.len();
    if count >= total {
        return trials;
    }
    (1..=count).map(|i| trials[i * total / count - 1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::{HexGrid, Rules, SquareGrid};

    fn squares(side: usize, weights: &[u8]) -> AnySnapshot {
        AnySnapshot::from(SquareGrid::from_weights(side, side, weights, Rules::default()).unwrap())
    }

    fn stated(lengths: &[f64]) -> Vec<Trial> {
        let trial = |(x, &length): (usize, &f64)| {
            let cell = Cell::new(x as u16, 0);
            Trial { from: cell, to: cell, stated: Some(length) }
        };
        lengths.iter().enumerate().map(trial).collect()
    }

    #[test]
    fn spread_is_even_over_lengths_and_has_the_longest() {
        let lengths: Vec<f64> = (0..100).map(|i| f64::from((i * 37) % 100)).collect();
        let picked: Vec<f64> = spread(stated(&lengths), 4).iter().map(|trial| trial.stated.unwrap()).collect();
        assert_eq!(picked, [24.0, 49.0, 74.0, 99.0]);
        assert_eq!(spread(stated(&lengths), 1)[0].stated, Some(99.0));
        assert!(spread(stated(&lengths), 0).is_empty());
    }

    #[test]
    fn spread_keeps_the_order_of_equals_and_never_repeats() {
        let picked = spread(stated(&[5.0, 5.0, 1.0, 5.0]), 9);
        let columns: Vec<u16> = picked.iter().map(|trial| trial.from.x).collect();
        assert_eq!(columns, [2, 0, 1, 3]);
    }

    #[test]
    fn random_pairs_are_connected_and_follow_the_seed() {
        let weights: Vec<u8> = (0..64 * 64).map(|i| u8::from(i % 64 != 31)).collect();
        let hexes = HexGrid::hexagon_from_weights(31, &weights[..63 * 63], None).unwrap();
        for world in [squares(64, &weights), AnySnapshot::from(hexes)] {
            let trials = random(&world, 50, 7).unwrap();
            assert!(trials.iter().all(|trial| trial.from != trial.to && world.connected(trial.from, trial.to)));
            assert_eq!(trials, random(&world, 50, 7).unwrap());
            assert_ne!(trials, random(&world, 50, 8).unwrap());
        }
    }

    #[test]
    fn random_pairs_are_found_on_a_world_with_hardly_any_ground() {
        let mut weights = vec![0; 300 * 300];
        (weights[1000], weights[1001], weights[50_000]) = (1, 1, 1);
        assert_eq!(random(&squares(300, &weights), 3, 1).unwrap().len(), 3);
        weights[1000] = 0;
        assert_eq!(random(&squares(300, &weights), 1, 1), Err(TrialError::NoPairs));
    }
}
