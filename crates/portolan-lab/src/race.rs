//! Races: the same trials for every algorithm, timed in turns so that noise falls on all alike.
//!
//! - Every planner is built first, or opened where its chart was saved, which is timed on its own. An algorithm that does not run on the world is left
//!   out and the reason kept.
//! - Trials are run in blocks; within a block every algorithm has its turn, and who goes first rotates. All repeats of a
//!   block belong to one turn, and a trial's time is its least over them: one repeat shows an algorithm as it meets the
//!   world between other work, several show it warm. Only [`Planner::find`] lies between the two looks at the clock.
//! - The first repeat's answers are judged ([`crate::judge`]). One more run, watched and not timed, counts expansions.
//! - A search without memory, such as IDA*, may take ages where others take microseconds, so it may give up:
//!   [`Entrant::gives_up_on`]. What it gives up on is unsolved but no mismatch.
//! - Following the world's edits is a race of its own: [`race_edits`].
//!
//! Not here: choosing trials, and showing results.

mod edits;
mod row;

pub use edits::{EditPlan, EditRace, EditRow, NoGround, race_edits};
pub use row::{Row, Sample, Skipped, percentile};

use crate::judge::{Optimum, Reference, judge, optima};
use crate::queries::{Trial, lengths_hold};
use portolan::{Algorithm, Outcome, Planner, Promise, Scratch, Settings, Snapshot, Stats, algorithm};
use portolan_formats::read_chart;
use row::Tally;
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Trials a turn lasts.
const BLOCK: usize = 16;
/// Trials every algorithm runs before the clock matters.
const WARM_UP: usize = 4;
/// Faults described in words; the others are only counted.
const FAULTS_TOLD: usize = 10;

/// An algorithm at the start line.
#[derive(Clone)]
pub struct Entrant {
    /// Which.
    pub algorithm: &'static Algorithm,
    /// Its settings.
    pub settings: Settings,
    /// Expansions after which it may give up a trial; its own limit, if it has one, when absent.
    pub budget: Option<u64>,
    /// The saved chart it opens instead of building one.
    pub chart: Option<PathBuf>,
}

impl Entrant {
    /// The algorithm of that name with its default settings, if there is one.
    pub fn named(name: &str) -> Option<Entrant> {
        algorithm(name).map(Entrant::new)
    }

    /// An algorithm with its default settings.
    ///
    /// # Panics
    /// Never: the defaults of every algorithm are in range.
    pub fn new(algorithm: &'static Algorithm) -> Entrant {
        let settings = algorithm.settings::<&str, &str>(&[]).expect("defaults are in range");
        Entrant { algorithm, settings, budget: None, chart: None }
    }

    /// What it is called in results.
    pub fn name(&self) -> String {
        let opened = if self.chart.is_some() { " (opened)" } else { "" };
        format!("{}{opened}", self.algorithm.name)
    }

    /// Its planner: built, or opened.
    fn planner(&self, world: &Snapshot) -> Result<Planner, String> {
        match &self.chart {
            None => Planner::build(world, self.algorithm, self.settings.clone()).map_err(|error| error.to_string()),
            Some(path) => read_chart(path, Some(world)).map(|(_, planner)| planner).map_err(|error| error.to_string()),
        }
    }

    /// Whether the algorithm is one that gives up by itself, because it can take ages.
    pub fn can_take_ages(&self) -> bool {
        self.algorithm.params.iter().any(|param| param.name == BUDGET)
    }

    /// Lets an algorithm that can take ages give up after as many expansions as the world has free cells, which is what
    /// Dijkstra needs at most, and at least a hundred thousand; its own limit holds where it is lower. Other algorithms search
    /// on.
    #[must_use]
    pub fn gives_up_on(mut self, world: &Snapshot) -> Entrant {
        if self.can_take_ages() && self.budget.is_none() {
            let fair = (world.free_cells() as u64).max(LEAST_BUDGET);
            let own = self.settings.iter().find_map(|(name, value)| match value {
                portolan::Value::Count(count) if name == BUDGET => Some(count),
                _ => None,
            });
            self.budget = Some(own.map_or(fair, |own| own.min(fair)));
        }
        self
    }

    fn may_give_up(&self) -> bool {
        self.budget.is_some() || self.can_take_ages()
    }
}

/// The name of the setting by which an algorithm limits itself.
const BUDGET: &str = "budget";
const LEAST_BUDGET: u64 = 100_000;

/// What came of a race.
#[derive(Clone, Debug, Serialize)]
pub struct RaceResult {
    /// Which map.
    pub map: String,
    /// One row an algorithm, in starting order.
    pub rows: Vec<Row>,
    /// Those who could not start.
    pub skipped: Vec<Skipped>,
    /// The first broken promises in words.
    pub faults: Vec<String>,
    /// How the algorithms followed edits, where they were made to; absent from the JSON where not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edits: Option<EditRace>,
    /// Per row, what came of each trial, for plots.
    #[serde(skip)]
    pub samples: Vec<Vec<Sample>>,
}

impl RaceResult {
    /// Wrong answers in all, those after edits among them.
    pub fn mismatches(&self) -> usize {
        let after_edits = self.edits.iter().flat_map(|edits| &edits.rows).map(|row| row.mismatches);
        self.rows.iter().map(|row| row.mismatches).chain(after_edits).sum()
    }
}

/// Races the entrants over the trials, `repeat` times but at least once. `progress` hears of searches done and of how
/// many there will be.
///
/// # Panics
/// When a trial starts off the map or where nobody can stand; [`crate::queries`] makes no such trials.
pub fn race(
    map: &str,
    world: &Snapshot,
    trials: &[Trial],
    entrants: &[Entrant],
    repeat: usize,
    progress: &mut dyn FnMut(u64, u64),
) -> RaceResult {
    let mut result =
        RaceResult { map: map.to_owned(), rows: vec![], skipped: vec![], faults: vec![], edits: None, samples: vec![] };
    let mut runners = Vec::new();
    for entrant in entrants {
        match Runner::new(world, entrant, trials.len()) {
            Ok(runner) => runners.push(runner),
            Err(reason) => {
                result.skipped.push(Skipped { algorithm: entrant.name(), reason });
            }
        }
    }
    let reference = if lengths_hold(world) { Reference::Stated } else { Reference::Computed };
    let course = Course { world, trials, optima: optima(world, trials, reference) };
    let repeat = repeat.max(1);
    let total = (runners.len() * trials.len() * (repeat + 1)) as u64;
    let mut done = 0;
    progress(done, total);
    let mut scratch = Scratch::new();
    for runner in &mut runners {
        runner.warm_up(&course, &mut scratch);
    }
    let count = runners.len();
    for (turn, block) in blocks(trials.len()).enumerate() {
        for place in 0..count {
            let runner = &mut runners[(place + turn) % count];
            for lap in 0..repeat {
                runner.run(&course, block.clone(), lap == 0, &mut scratch, &mut result.faults);
                done += block.len() as u64;
                progress(done, total);
            }
        }
    }
    for runner in &mut runners {
        for block in blocks(trials.len()) {
            runner.count(&course, block.clone(), &mut scratch);
            done += block.len() as u64;
            progress(done, total);
        }
    }
    for runner in runners {
        let (row, samples) = runner.finish(&course);
        result.rows.push(row);
        result.samples.push(samples);
    }
    result
}

fn blocks(count: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..count).step_by(BLOCK).map(move |first| first..(first + BLOCK).min(count))
}

/// What all run on.
struct Course<'a> {
    world: &'a Snapshot,
    trials: &'a [Trial],
    optima: Vec<Option<Optimum>>,
}

/// An entrant under way.
struct Runner<'a> {
    entrant: &'a Entrant,
    planner: Planner,
    promise: Promise,
    build: Duration,
    /// Least time of each trial.
    times: Vec<Duration>,
    /// Least time until the first steps of each trial are known.
    first_steps: Vec<Duration>,
    /// Ratio of each trial, where it was solved.
    ratios: Vec<Option<f64>>,
    gave_up: usize,
    mismatches: usize,
    expanded: u64,
    open_sum: f64,
}

impl<'a> Runner<'a> {
    fn new(world: &Snapshot, entrant: &'a Entrant, trials: usize) -> Result<Runner<'a>, String> {
        let begun = Instant::now();
        let planner = entrant.planner(world);
        let build = begun.elapsed();
        let planner = planner?;
        Ok(Runner {
            entrant,
            promise: planner.promise(world),
            planner,
            build,
            times: vec![Duration::MAX; trials],
            first_steps: vec![Duration::MAX; trials],
            ratios: vec![None; trials],
            gave_up: 0,
            mismatches: 0,
            expanded: 0,
            open_sum: 0.0,
        })
    }

    fn warm_up(&mut self, course: &Course, scratch: &mut Scratch) {
        for trial in course.trials.iter().take(WARM_UP) {
            self.find(course.world, trial, scratch);
        }
    }

    fn find(&self, world: &Snapshot, trial: &Trial, scratch: &mut Scratch) -> (Outcome, Duration) {
        let query = trial.query(self.entrant.budget);
        let begun = Instant::now();
        let outcome = self.planner.find(world, query, scratch);
        let time = begun.elapsed();
        (outcome.expect("trials start on free cells"), time)
    }

    /// How long it takes until the first steps are known; nothing to measure where that is when all are.
    fn set_out(&self, world: &Snapshot, trial: &Trial, scratch: &mut Scratch) -> Option<Duration> {
        if !self.planner.plans_in_legs() {
            return None;
        }
        let query = trial.query(self.entrant.budget);
        let begun = Instant::now();
        let plan = self.planner.plan(world, query, scratch).expect("trials start on free cells");
        if let Some(mut route) = plan.into_route() {
            route.next_leg(&self.planner, world, scratch).expect("the world stays as it is");
        }
        Some(begun.elapsed())
    }

    fn run(
        &mut self,
        course: &Course,
        block: std::ops::Range<usize>,
        first: bool,
        scratch: &mut Scratch,
        faults: &mut Vec<String>,
    ) {
        for index in block {
            let trial = &course.trials[index];
            let (outcome, time) = self.find(course.world, trial, scratch);
            self.times[index] = self.times[index].min(time);
            let first_step = self.set_out(course.world, trial, scratch).unwrap_or(time);
            self.first_steps[index] = self.first_steps[index].min(first_step);
            if !first {
                continue;
            }
            self.gave_up += usize::from(matches!(outcome, Outcome::OutOfBudget));
            let may_give_up = self.entrant.may_give_up();
            match judge(course.world, trial, course.optima[index], self.promise, may_give_up, &outcome) {
                Ok(ratio) => self.ratios[index] = ratio,
                Err(fault) => {
                    self.mismatches += 1;
                    if faults.len() < FAULTS_TOLD {
                        let name = self.entrant.name();
                        faults.push(format!("{name} from {} to {}: {fault}", trial.from, trial.to));
                    }
                }
            }
        }
    }

    fn count(&mut self, course: &Course, block: std::ops::Range<usize>, scratch: &mut Scratch) {
        for trial in &course.trials[block] {
            let mut stats = Stats::default();
            let query = trial.query(self.entrant.budget);
            self.planner.watch(course.world, query, scratch, &mut stats).expect("trials start on free cells");
            self.expanded += stats.expanded;
            self.open_sum += stats.open_mean();
        }
    }

    fn finish(self, course: &Course) -> (Row, Vec<Sample>) {
        let in_micros = |times: &[Duration]| times.iter().map(|time| time.as_secs_f64() * 1e6).collect::<Vec<f64>>();
        let (micros, first_steps) = (in_micros(&self.times), in_micros(&self.first_steps));
        let row = Row::new(&Tally {
            algorithm: &self.entrant.name(),
            build: self.build,
            index_bytes: self.planner.bytes(),
            micros: &micros,
            first_steps: &first_steps,
            ratios: &self.ratios,
            expanded: self.expanded,
            open_sum: self.open_sum,
            gave_up: self.gave_up,
            mismatches: self.mismatches,
        });
        let length = |index: usize| course.optima[index].map_or(0.0, |optimum| optimum.length);
        let sample = |(index, (&us, &ratio))| Sample { length: length(index), us, ratio };
        (row, micros.iter().zip(&self.ratios).enumerate().map(sample).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queries;
    use portolan::{ALGORITHMS, Rules, SquareGrid};

    fn striped() -> Snapshot {
        let weights: Vec<u8> = (0..48 * 32).map(|i| u8::from(i % 48 % 8 != 3 || i / 48 == i % 48 / 2)).collect();
        Snapshot::from(SquareGrid::from_weights(48, 32, &weights, Rules::default()).unwrap())
    }

    #[test]
    fn every_algorithm_keeps_its_promise() {
        let world = striped();
        let trials = queries::random(&world, 40, 3).unwrap();
        let entrants: Vec<Entrant> = ALGORITHMS.iter().map(|a| Entrant::new(a).gives_up_on(&world)).collect();
        let mut heard = (0, 0);
        let result = race("striped", &world, &trials, &entrants, 2, &mut |done, total| heard = (done, total));
        assert_eq!(result.rows.len() + result.skipped.len(), ALGORITHMS.len());
        assert_eq!(heard, (heard.1, heard.1));
        assert!(result.faults.is_empty(), "{:?}", result.faults);
        for row in &result.rows {
            assert_eq!((row.queries, row.mismatches), (40, 0), "{}", row.algorithm);
            assert_eq!(row.solved + row.out_of_budget, 40, "{}", row.algorithm);
            assert!(row.ratio_max.is_none_or(|most| most >= 1.0));
        }
    }

    #[test]
    fn a_wrong_stated_length_counts_as_a_mismatch() {
        let world = striped();
        let mut trials = queries::random(&world, 8, 5).unwrap();
        let true_optima = optima(&world, &trials, Reference::Computed);
        for (trial, optimum) in trials.iter_mut().zip(true_optima) {
            trial.stated = optimum.map(|optimum| optimum.length);
        }
        trials[2].stated = trials[2].stated.map(|length| length - 0.5);
        trials[5].stated = trials[5].stated.map(|length| length + 0.5);
        let entrants = [Entrant::named("a-star").unwrap()];
        let result = race("striped", &world, &trials, &entrants, 1, &mut |_, _| {});
        assert_eq!((result.rows[0].mismatches, result.rows[0].solved), (2, 6));
        assert_eq!(result.faults.len(), 2);
    }
}
