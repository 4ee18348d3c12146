//! Running trials: [`answers`] watches each search and checks its route, [`times`] only measures time.

use super::effort::Effort;
use crate::progress::{Cancelled, Steps};
use crate::queries::Trial;
use portolan::{Planner, Route, Scratch, Snapshot, algorithm};
use std::time::{Duration, Instant};

/// Trials in a turn.
const BLOCK: usize = 16;

/// The result of one trial.
pub(super) struct Answer {
    /// The route, if there is one and it leads legally from start to goal.
    pub(super) route: Option<Route>,
    pub(super) effort: Effort,
}

impl Answer {
    /// Returns the cost of the route.
    pub(super) fn cost(&self) -> Option<u32> {
        self.route.as_ref().map(|route| route.cost().0)
    }
}

/// Builds a planner for a world with this algorithm and these settings.
///
/// # Panics
/// When there is no such algorithm or setting; the names in studies are constants.
pub(super) fn planner(world: &Snapshot, name: &str, settings: &[(&str, &str)]) -> Planner {
    let algorithm = algorithm(name).expect("studies name algorithms of the registry");
    let settings = algorithm.settings(settings).expect("studies use settings that exist");
    Planner::build(world, algorithm, settings).expect("the studied algorithms run on every world")
}

/// Answers every trial once and watches the search.
pub(super) fn answers(
    world: &Snapshot,
    trials: &[Trial],
    planner: &Planner,
    steps: &mut Steps,
) -> Result<Vec<Answer>, Cancelled> {
    let mut scratch = Scratch::new();
    let answer = |trial: &Trial| {
        let mut effort = Effort::default();
        let outcome = planner.watch(world, trial.query(None), &mut scratch, &mut effort);
        let outcome = outcome.expect("trials start on free cells");
        let legal = |route: &&Route| {
            let ends = (route.cells().first(), route.cells().last());
            route.check(world).is_ok() && ends == (Some(&trial.from), Some(&trial.to))
        };
        let route = outcome.route().filter(legal).cloned();
        steps.still().map(|()| Answer { route, effort })
    };
    trials.iter().map(answer).collect()
}

/// Returns the microseconds that each planner takes for each trial: by planner, then by trial, the least of `repeat`
/// runs.
///
/// Planners take turns of a few trials each, and the one that goes first changes from turn to turn, so that noise
/// affects all of them alike. Every run of a turn begins with a query that is not timed, from the first trial's goal to
/// its start. It warms up the caches, and it prevents a chart from reusing the connections of start and goal that it
/// computed last.
pub(super) fn times(
    world: &Snapshot,
    trials: &[Trial],
    planners: &[&Planner],
    repeat: usize,
    steps: &mut Steps,
) -> Result<Vec<Vec<f64>>, Cancelled> {
    let mut scratch = Scratch::new();
    let mut micros = vec![vec![f64::MAX; trials.len()]; planners.len()];
    for (turn, block) in trials.chunks(BLOCK).enumerate() {
        for place in 0..planners.len() {
            let runner = (place + turn) % planners.len();
            let mut find = |trial: &Trial| timed(world, planners[runner], trial, &mut scratch);
            for _ in 0..repeat {
                find(&Trial { from: block[0].to, to: block[0].from, ..block[0] });
                for (index, trial) in block.iter().enumerate() {
                    let least = &mut micros[runner][turn * BLOCK + index];
                    let time = find(trial);
                    *least = least.min(time.as_secs_f64() * 1e6);
                    steps.spent(time)?;
                }
            }
        }
    }
    Ok(micros)
}

fn timed(world: &Snapshot, planner: &Planner, trial: &Trial, scratch: &mut Scratch) -> Duration {
    let begun = Instant::now();
    let outcome = planner.find(world, trial.query(None), scratch);
    let time = begun.elapsed();
    // The outcome is used, so that the compiler cannot leave the search out. It is dropped after the time was taken.
    std::hint::black_box(outcome.expect("trials start on free cells"));
    time
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::go_on;
    use crate::queries;
    use portolan::{Rules, SquareGrid};

    #[test]
    fn every_trial_is_answered_and_timed() {
        let world = Snapshot::from(SquareGrid::open(40, 40, Rules::default()).unwrap());
        let trials = queries::random(&world.clone().into(), 37, 1).unwrap();
        let planners = [planner(&world, "a-star", &[]), planner(&world, "hpa-star", &[("levels", "2")])];
        let mut progress = go_on;
        let mut steps = Steps::new(&mut progress, 1).unwrap();
        for planner in &planners {
            let answers = answers(&world, &trials, planner, &mut steps).unwrap();
            assert!(answers.iter().all(|answer| answer.route.is_some() && answer.cost().is_some()));
        }
        let times = times(&world, &trials, &[&planners[0], &planners[1]], 2, &mut steps).unwrap();
        assert_eq!(times.iter().map(Vec::len).collect::<Vec<_>>(), [37, 37]);
        assert!(times.iter().flatten().all(|&us| us > 0.0 && us < f64::MAX));
    }
}
