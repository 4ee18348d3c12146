//! Races over a navigation mesh: every algorithm answers the same queries, in turns, as [`crate::race`] describes it.
//!
//! Routes are compared with the shortest ones, which Polyanya finds; on meshes whose polygons have different weights
//! no shortest route is known, and there are no ratios.
//!
//! Not here: choosing queries.

use super::MeshTrial;
use crate::progress::{Cancelled, Progress, Steps};
use crate::race::row::{Clocked, Row, Sample, Skipped, Tally};
use crate::race::{FAULTS_TOLD, RaceResult, blocks, least};
use portolan::algorithms::mesh::POLYANYA;
use portolan::probe::Stats;
use portolan::settings::Settings;
use portolan::{Algorithm, NavMesh, Outcome, Planner, Promise, Query, Route, Scratch, Snapshot, Space};
use std::time::{Duration, Instant};

/// How much a length may differ from the shortest one by rounding, as a share of it and in steps of the mesh for each line.
const ROUNDING: (f64, f64) = (1e-6, 1.0);

/// An algorithm that takes part, with its settings.
#[derive(Clone)]
pub struct MeshEntrant {
    /// The algorithm.
    pub algorithm: &'static Algorithm<NavMesh>,
    /// Its settings.
    pub settings: Settings,
    /// The settings that distinguish it from other entrants of its algorithm, as results show them.
    pub set: Vec<(String, String)>,
    /// Expansions after which it may give up a query.
    pub budget: Option<u64>,
}

impl MeshEntrant {
    /// Returns an entrant with this algorithm and its default settings.
    ///
    /// # Panics
    /// Never: the defaults of every algorithm are in range.
    pub fn new(algorithm: &'static Algorithm<NavMesh>) -> MeshEntrant {
        let settings = algorithm.settings::<&str, &str>(&[]).expect("defaults are in range");
        MeshEntrant { algorithm, settings, set: Vec::new(), budget: None }
    }

    /// Returns its name in results.
    pub fn name(&self) -> String {
        let set = self.set.iter().map(|(key, value)| format!(" {key}={value}"));
        [self.algorithm.name.to_owned()].into_iter().chain(set).collect()
    }
}

/// An entrant in a race and its results so far.
struct Runner<'a> {
    entrant: &'a MeshEntrant,
    planner: Planner<NavMesh>,
    build: Duration,
    times: Clocked,
    ratios: Vec<Option<f64>>,
    expanded: u64,
    open_sum: f64,
    gave_up: usize,
    mismatches: usize,
}

/// Races the entrants over the queries. The warm figures are the least of `repeat` runs in a row.
///
/// # Errors
/// When `progress` stops the race.
///
/// # Panics
/// When a query starts off the mesh or on a blocked polygon.
pub fn race(
    map: &str,
    world: &Snapshot<NavMesh>,
    trials: &[MeshTrial],
    entrants: &[MeshEntrant],
    repeat: usize,
    progress: &mut Progress,
) -> Result<RaceResult, Cancelled> {
    let lap = trials.len() as u64;
    let mut steps = Steps::new(progress, lap * (1 + 4 * entrants.len() as u64))?;
    let mut result = RaceResult::on(map, Some(NavMesh::KIND));
    let mut runners = Vec::new();
    for entrant in entrants {
        let begun = Instant::now();
        match Planner::build(world, entrant.algorithm, entrant.settings.clone()) {
            Ok(planner) => {
                let (build, count) = (begun.elapsed(), trials.len());
                let (times, ratios) = (Clocked::new(count), vec![None; count]);
                let (expanded, open_sum, gave_up, mismatches) = (0, 0.0, 0, 0);
                runners.push(Runner {
                    entrant,
                    planner,
                    build,
                    times,
                    ratios,
                    expanded,
                    open_sum,
                    gave_up,
                    mismatches,
                });
                steps.advance(lap)?;
            }
            Err(error) => {
                result.skipped.push(Skipped { algorithm: entrant.name(), reason: error.to_string() });
                steps.advance(4 * lap)?;
            }
        }
    }
    let mut scratch = Scratch::new();
    let optima = optima(world, trials, &mut scratch);
    steps.advance(lap)?;
    let count = runners.len();
    for (turn, block) in blocks(trials.len()).enumerate() {
        for place in 0..count {
            let runner = &mut runners[(place + turn) % count];
            runner.pass(world, trials, block.clone(), (&optima, &mut scratch), &mut result.faults);
            steps.advance(block.len() as u64)?;
        }
    }
    for (turn, block) in blocks(trials.len()).enumerate() {
        for place in 0..count {
            let runner = &mut runners[(place + turn) % count];
            for index in block.clone() {
                let time = least(repeat.max(1), || runner.find(world, trials[index], &mut scratch).1);
                runner.times.warm[index] = time;
            }
            steps.advance(block.len() as u64)?;
        }
    }
    for runner in &mut runners {
        runner.count(world, trials, &mut scratch);
        steps.advance(lap)?;
    }
    for runner in runners {
        let (row, samples) = runner.finish(&optima);
        result.rows.push(row);
        result.samples.push(samples);
    }
    Ok(result)
}

/// Returns the length of the shortest route of each query, `None` where it is not known.
fn optima(world: &Snapshot<NavMesh>, trials: &[MeshTrial], scratch: &mut Scratch<NavMesh>) -> Vec<Option<f64>> {
    let Ok(planner) = POLYANYA.build(world) else { return vec![None; trials.len()] };
    let mut length = |trial: &MeshTrial| {
        let found = planner.find(world, Query::new(trial.from, trial.to), scratch).expect("queries start on the mesh");
        found.route().map(|route| route.length(world))
    };
    trials.iter().map(&mut length).collect()
}

impl Runner<'_> {
    fn find(
        &self,
        world: &Snapshot<NavMesh>,
        trial: MeshTrial,
        scratch: &mut Scratch<NavMesh>,
    ) -> (Outcome<Route<NavMesh>>, Duration) {
        let mut query = Query::new(trial.from, trial.to);
        query.budget = self.entrant.budget;
        let begun = Instant::now();
        let outcome = self.planner.find(world, query, scratch).expect("queries start on the mesh");
        let time = begun.elapsed();
        (outcome, time)
    }

    /// Runs each query of a block once, and judges the answers afterwards.
    fn pass(
        &mut self,
        world: &Snapshot<NavMesh>,
        trials: &[MeshTrial],
        block: std::ops::Range<usize>,
        (optima, scratch): (&[Option<f64>], &mut Scratch<NavMesh>),
        faults: &mut Vec<String>,
    ) {
        let before = block.start.checked_sub(1).unwrap_or(trials.len() - 1);
        self.find(world, trials[before], scratch);
        let mut outcomes = Vec::with_capacity(block.len());
        for index in block.clone() {
            let (outcome, time) = self.find(world, trials[index], scratch);
            self.times.pass[index] = time;
            outcomes.push(outcome);
        }
        let promise = self.planner.promise(world);
        for (index, outcome) in block.zip(outcomes) {
            self.gave_up += usize::from(matches!(outcome, Outcome::OutOfBudget));
            match judge(world, trials[index], optima[index], promise, &outcome) {
                Ok(ratio) => self.ratios[index] = ratio,
                Err(fault) => {
                    self.mismatches += 1;
                    if faults.len() < FAULTS_TOLD {
                        let MeshTrial { from, to } = trials[index];
                        faults.push(format!("{} from {from} to {to}: {fault}", self.entrant.name()));
                    }
                }
            }
        }
    }

    fn count(&mut self, world: &Snapshot<NavMesh>, trials: &[MeshTrial], scratch: &mut Scratch<NavMesh>) {
        for trial in trials {
            let mut stats = Stats::default();
            let mut query = Query::new(trial.from, trial.to);
            query.budget = self.entrant.budget;
            self.planner.watch(world, query, scratch, &mut stats).expect("queries start on the mesh");
            self.expanded += stats.expanded;
            self.open_sum += stats.open_mean();
        }
    }

    fn finish(self, optima: &[Option<f64>]) -> (Row, Vec<Sample>) {
        let row = Row::new(&Tally {
            algorithm: &self.entrant.name(),
            why: None,
            build: self.build,
            index_bytes: self.planner.bytes(),
            routes: &self.times,
            first_steps: &self.times,
            ratios: &self.ratios,
            expanded: self.expanded,
            open_sum: self.open_sum,
            gave_up: self.gave_up,
            mismatches: self.mismatches,
        });
        let sample = |(index, time): (usize, &Duration)| Sample {
            length: optima[index].unwrap_or(0.0),
            us: time.as_secs_f64() * 1e6,
            ratio: self.ratios[index],
        };
        let samples = self.times.pass.iter().enumerate().map(sample).collect();
        (row, samples)
    }
}

/// Returns the ratio of a route to the shortest one, 1 where that is not known, or what is wrong with the answer. `None` if
/// the search was given up.
fn judge(
    world: &Snapshot<NavMesh>,
    trial: MeshTrial,
    optimum: Option<f64>,
    promise: Promise,
    outcome: &Outcome<Route<NavMesh>>,
) -> Result<Option<f64>, String> {
    let route = match outcome {
        Outcome::Reached(route) => route,
        Outcome::OutOfBudget => return Ok(None),
        other => return Err(format!("there is a route, but the answer is {}", other.name())),
    };
    route.check(world).map_err(|error| error.to_string())?;
    let places = route.cells();
    if (places.first(), places.last()) != (Some(&trial.from), Some(&trial.to)) {
        return Err("the route does not lead from the start to the goal".to_owned());
    }
    let Some(least) = optimum else { return Ok(Some(1.0)) };
    let length = route.length(world);
    let margin = least * ROUNDING.0 + ROUNDING.1 * world.step() * (route.steps() + 1) as f64;
    if length < least - margin {
        return Err(format!("the route is {length} long, and the shortest one {least}"));
    }
    if length > least * promise.bound() + margin {
        return Err(format!("the route is {length} long, and the promise is {promise} of {least}"));
    }
    Ok(Some(if least > 0.0 { (length / least).max(1.0) } else { 1.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::random;
    use crate::mesh::tests::holed;
    use crate::progress::go_on;
    use portolan::{MESH_ALGORITHMS, World};

    #[test]
    fn every_algorithm_keeps_its_promise_and_is_timed() {
        let world = World::from(holed(16));
        let trials = random(&world, 100, 1).unwrap();
        let entrants: Vec<MeshEntrant> = MESH_ALGORITHMS.iter().map(|&algorithm| MeshEntrant::new(algorithm)).collect();
        let result = race("holed", &world, &trials, &entrants, 2, &mut go_on).unwrap();
        assert_eq!((result.rows.len(), result.kind), (MESH_ALGORITHMS.len(), Some("mesh")));
        assert!(result.faults.is_empty(), "{:?}", result.faults);
        for row in &result.rows {
            assert_eq!((row.queries, row.solved, row.mismatches), (100, 100, 0), "{}", row.algorithm);
            assert!(row.mean_us > 0.0 && row.warm_us > 0.0 && row.expanded > 0.0, "{row:?}");
            assert!(row.ratio_mean.is_some_and(|ratio| (1.0..1.1).contains(&ratio)), "{row:?}");
        }
        assert!(result.rows.iter().any(|row| row.ratio_max.is_some_and(|ratio| ratio > 1.0)));
    }

    #[test]
    fn a_route_that_is_too_long_or_too_short_is_a_mismatch() {
        let world = World::from(holed(9));
        let trial = random(&world, 1, 2).unwrap()[0];
        let found = POLYANYA.build(&world).unwrap();
        let found = found.find(&world, Query::new(trial.from, trial.to), &mut Scratch::new()).unwrap();
        let length = found.route().unwrap().length(&world);
        let judged = |optimum: f64| judge(&world, trial, Some(optimum), Promise::Optimal, &found);
        assert!(judged(length).is_ok() && judged(length * 1.01).is_err() && judged(length * 0.99).is_err());
        assert!(judge(&world, trial, Some(length), Promise::Optimal, &Outcome::Unreachable).is_err());
    }
}
