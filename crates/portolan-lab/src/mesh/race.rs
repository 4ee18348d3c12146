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
use portolan::{Algorithm, BuildError, NavMesh, Outcome, Planner, Promise, Query, Route, Scratch, Snapshot, Space};
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

/// An entrant with its planner, and how long building that took.
pub(crate) struct Built {
    pub(crate) entrant: MeshEntrant,
    pub(crate) planner: Planner<NavMesh>,
    pub(crate) build: Duration,
}

impl Built {
    /// Builds the planner of an entrant.
    ///
    /// # Errors
    /// When the algorithm does not run on the mesh.
    pub(crate) fn new(world: &Snapshot<NavMesh>, entrant: MeshEntrant) -> Result<Built, BuildError> {
        let begun = Instant::now();
        let planner = Planner::build(world, entrant.algorithm, entrant.settings.clone())?;
        Ok(Built { entrant, planner, build: begun.elapsed() })
    }
}

/// An entrant in a race and its results so far.
struct Runner<'a> {
    built: &'a Built,
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
    let count = entrants.len() as u64;
    let mut steps = Steps::new(progress, lap * (1 + 4 * count))?;
    let (mut built, mut skipped) = (Vec::new(), Vec::new());
    for entrant in entrants {
        match Built::new(world, entrant.clone()) {
            Ok(ready) => built.push(ready),
            Err(error) => skipped.push(Skipped { algorithm: entrant.name(), reason: error.to_string() }),
        }
        steps.advance(lap)?;
    }
    let result =
        steps.part(lap * (1 + 3 * count), |progress| race_built(map, world, trials, &built, (1, repeat), progress))?;
    Ok(RaceResult { skipped, ..result })
}

/// Races entrants that are built already, as [`race`] does. There are so many passes; the least time of each query
/// counts, and the answers of the first pass are judged.
///
/// # Errors
/// When `progress` stops the race.
///
/// # Panics
/// When a query starts off the mesh or on a blocked polygon.
pub(crate) fn race_built(
    map: &str,
    world: &Snapshot<NavMesh>,
    trials: &[MeshTrial],
    built: &[Built],
    (passes, repeat): (usize, usize),
    progress: &mut Progress,
) -> Result<RaceResult, Cancelled> {
    let lap = trials.len() as u64;
    let mut steps = Steps::new(progress, lap * (1 + (passes as u64 + 2) * built.len() as u64))?;
    let mut result = RaceResult::on(map, Some(NavMesh::KIND));
    let mut runners: Vec<Runner> = built.iter().map(|built| Runner::new(built, trials.len())).collect();
    let mut scratch = Scratch::new();
    let optima = optima(world, trials, &mut scratch);
    steps.advance(lap)?;
    let count = runners.len();
    for pass in 0..passes {
        for (turn, block) in blocks(trials.len()).enumerate() {
            for place in 0..count {
                let runner = &mut runners[(place + turn + pass) % count];
                let outcomes = runner.pass(world, trials, block.clone(), &mut scratch);
                if pass == 0 {
                    runner.judge(world, trials, block.clone(), (&optima, outcomes), &mut result.faults);
                }
                steps.advance(block.len() as u64)?;
            }
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
    fn new(built: &Built, trials: usize) -> Runner<'_> {
        let times = Clocked { pass: vec![Duration::MAX; trials], ..Clocked::new(trials) };
        let ratios = vec![None; trials];
        Runner { built, times, ratios, expanded: 0, open_sum: 0.0, gave_up: 0, mismatches: 0 }
    }

    fn find(
        &self,
        world: &Snapshot<NavMesh>,
        trial: MeshTrial,
        scratch: &mut Scratch<NavMesh>,
    ) -> (Outcome<Route<NavMesh>>, Duration) {
        let mut query = Query::new(trial.from, trial.to);
        query.budget = self.built.entrant.budget;
        let begun = Instant::now();
        let outcome = self.built.planner.find(world, query, scratch).expect("queries start on the mesh");
        let time = begun.elapsed();
        (outcome, time)
    }

    /// Runs each query of a block once and returns the answers.
    fn pass(
        &mut self,
        world: &Snapshot<NavMesh>,
        trials: &[MeshTrial],
        block: std::ops::Range<usize>,
        scratch: &mut Scratch<NavMesh>,
    ) -> Vec<Outcome<Route<NavMesh>>> {
        let before = block.start.checked_sub(1).unwrap_or(trials.len() - 1);
        self.find(world, trials[before], scratch);
        let mut outcomes = Vec::with_capacity(block.len());
        for index in block {
            let (outcome, time) = self.find(world, trials[index], scratch);
            let least = &mut self.times.pass[index];
            *least = time.min(*least);
            outcomes.push(outcome);
        }
        outcomes
    }

    /// Judges the answers to a block of queries.
    fn judge(
        &mut self,
        world: &Snapshot<NavMesh>,
        trials: &[MeshTrial],
        block: std::ops::Range<usize>,
        (optima, outcomes): (&[Option<f64>], Vec<Outcome<Route<NavMesh>>>),
        faults: &mut Vec<String>,
    ) {
        let promise = self.built.planner.promise(world);
        for (index, outcome) in block.zip(outcomes) {
            self.gave_up += usize::from(matches!(outcome, Outcome::OutOfBudget));
            match judge(world, trials[index], optima[index], promise, &outcome) {
                Ok(ratio) => self.ratios[index] = ratio,
                Err(fault) => {
                    self.mismatches += 1;
                    if faults.len() < FAULTS_TOLD {
                        let MeshTrial { from, to } = trials[index];
                        faults.push(format!("{} from {from} to {to}: {fault}", self.built.entrant.name()));
                    }
                }
            }
        }
    }

    fn count(&mut self, world: &Snapshot<NavMesh>, trials: &[MeshTrial], scratch: &mut Scratch<NavMesh>) {
        for trial in trials {
            let mut stats = Stats::default();
            let mut query = Query::new(trial.from, trial.to);
            query.budget = self.built.entrant.budget;
            self.built.planner.watch(world, query, scratch, &mut stats).expect("queries start on the mesh");
            self.expanded += stats.expanded;
            self.open_sum += stats.open_mean();
        }
    }

    fn finish(self, optima: &[Option<f64>]) -> (Row, Vec<Sample>) {
        let row = Row::new(&Tally {
            algorithm: &self.built.entrant.name(),
            why: None,
            build: self.built.build,
            index_bytes: self.built.planner.bytes(),
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
            assert!(row.mean_us > 0.0 && row.warm_us > 0.0, "{row:?}");
            assert_eq!(
                row.expanded > 0.0,
                row.algorithm != "rhumb",
                "rhumb adds up costs and expands nothing: {row:?}"
            );
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
