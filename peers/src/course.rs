//! Courses: a world and queries with known best lengths, from the map collection or generated.

use portolan::generate::{GenerateError, Random, generate, recipe};
use portolan::settings::SettingError;
use portolan::{BuildError, Cell, Corners, Planner, Query, QueryError, Rules, Scratch, Snapshot, SquareGrid};
use portolan_formats::{FileError, read_scenario, read_squares};
use std::path::Path;

/// The courses that are raced on unless `--maps` names others.
pub(crate) const DEFAULT_MAPS: [&str; 6] =
    ["sc/AcrosstheCape", "dao/brc101d", "dao/brc503d", "maze/maze512-4-0", "room/32room_000", WEIGHTED];

/// The generated world with different weights.
const WEIGHTED: &str = "hills";
/// The most queries on it, because a search without pruning takes long.
const WEIGHTED_QUERIES: usize = 100;
/// Cells on each side of generated worlds.
const SIDE: usize = 512;
/// The seed of generated worlds and queries.
const SEED: u64 = 7;

/// A world and the queries on it.
pub(crate) struct Course {
    pub(crate) name: String,
    /// Where world and queries come from.
    pub(crate) origin: String,
    pub(crate) world: Snapshot,
    /// Sorted by the best length.
    pub(crate) trials: Vec<Trial>,
}

/// A query and the length of its best answer.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Trial {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    pub(crate) optimum: f64,
}

/// Why a course could not be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CourseError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error("{0} has too few connected cells to draw queries from")]
    Sparse(String),
}

impl Course {
    /// Returns the course of that name: from the collection, or generated if the collection does not have it.
    pub(crate) fn load(name: &str, maps: &Path, queries: usize, rules: Rules) -> Result<Course, CourseError> {
        let file = maps.join(format!("{name}.map"));
        if name != WEIGHTED && file.is_file() {
            let world = Snapshot::from(read_squares(&file, rules)?);
            let scenario = read_scenario(&maps.join(format!("{name}.map.scen")))?;
            let all = scenario.queries.iter();
            let all = all.map(|query| Trial { from: query.from, to: query.to, optimum: query.length });
            let mut trials = spread(all.filter(|trial| trial.from != trial.to).collect(), queries);
            if rules.corners != Corners::Strict {
                measure(&world, &mut trials)?;
            }
            let origin = "scenario of the map collection".to_owned();
            return Ok(Course { name: name.to_owned(), origin, world, trials });
        }
        let (recipe_name, queries) = match name {
            WEIGHTED => (WEIGHTED, queries.min(WEIGHTED_QUERIES)),
            _ => (look_alike(name), queries),
        };
        let world = Snapshot::from(generated(recipe_name, rules)?);
        let mut trials = draw(&world, queries).ok_or_else(|| CourseError::Sparse(name.to_owned()))?;
        measure(&world, &mut trials)?;
        let trials = spread(trials, queries);
        let missing = if name == WEIGHTED { "" } else { "the map is not at hand: " };
        let origin = format!("{missing}{recipe_name} generated, {SIDE} x {SIDE}, random queries");
        Ok(Course { name: name.to_owned(), origin, world, trials })
    }
}

/// Returns the recipe whose worlds resemble a map of the collection most.
fn look_alike(name: &str) -> &'static str {
    match name.split('/').next() {
        Some("maze") => "maze",
        Some("room") => "rooms",
        Some("random") => "noise",
        Some("city") => "city",
        _ => "caves",
    }
}

fn generated(name: &str, rules: Rules) -> Result<SquareGrid, CourseError> {
    let recipe = recipe(name).expect("look-alikes are in the table of recipes");
    let settings = recipe.settings::<&str, &str>(&[])?;
    Ok(generate(recipe, SIDE, SIDE, SEED, &settings, rules)?)
}

/// Returns `count` of the trials, or all if there are fewer, sorted by length. They are spread evenly, with the
/// shortest and the longest among them.
fn spread(mut trials: Vec<Trial>, count: usize) -> Vec<Trial> {
    trials.sort_by(|a, b| a.optimum.total_cmp(&b.optimum));
    if trials.len() <= count {
        return trials;
    }
    let last = trials.len() - 1;
    (0..count).map(|index| trials[index * last / (count - 1).max(1)]).collect()
}

/// Returns queries between random connected cells, with their best lengths still to be measured; `None` if there are
/// too few connected cells.
fn draw(world: &SquareGrid, count: usize) -> Option<Vec<Trial>> {
    let mut random = Random::new(SEED);
    let mut cell = || {
        let x = random.below(world.width() as u64) as u16;
        Cell::new(x, random.below(world.height() as u64) as u16)
    };
    let pairs = (0..count * 10_000).map(|_| (cell(), cell()));
    let connected = pairs.filter(|&(from, to)| from != to && world.connected(from, to));
    let trials: Vec<_> = connected.take(count).map(|(from, to)| Trial { from, to, optimum: 0.0 }).collect();
    (trials.len() == count).then_some(trials)
}

/// Finds the best length of each trial with Dijkstra's algorithm.
fn measure(world: &Snapshot, trials: &mut [Trial]) -> Result<(), CourseError> {
    let planner = Planner::new(world, "dijkstra")?;
    let mut scratch = Scratch::new();
    for trial in trials {
        let outcome = planner.find(world, Query::new(trial.from, trial.to), &mut scratch)?;
        trial.optimum = outcome.route().map_or(f64::NAN, |route| route.length(world));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_spread_from_shortest_to_longest() {
        let cell = Cell::new(0, 0);
        let trials = (0..100).map(|n| Trial { from: cell, to: cell, optimum: f64::from(n * 37 % 100) }).collect();
        let lengths: Vec<f64> = spread(trials, 4).iter().map(|trial| trial.optimum).collect();
        assert_eq!(lengths, [0.0, 33.0, 66.0, 99.0]);
    }

    #[test]
    fn generated_courses_need_no_files() {
        let course = Course::load("room/nonesuch", Path::new("nowhere"), 5, Rules::default()).unwrap();
        assert_eq!(course.trials.len(), 5);
        assert!(course.trials.iter().all(|trial| trial.optimum >= 1.0));
        assert!(course.origin.contains("not at hand"));
    }
}
