//! An entrant in a race: [`Runner`] runs the laps block by block and keeps the results.

use super::row::{Clocked, Row, Sample, Tally};
use super::{Entrant, FAULTS_TOLD};
use crate::judge::{Optimum, judge};
use crate::progress::{Cancelled, Steps};
use crate::queries::Trial;
use portolan::any::{AnyPlanner, AnyRoute, AnyScratch, AnySnapshot};
use portolan::probe::Stats;
use portolan::{Outcome, Promise};
use std::ops::Range;
use std::time::{Duration, Instant};

/// In the warm lap, a trial that has been run twice or more is not run again once its runs have taken longer than this
/// together: such a search uses far more memory than any cache holds, so that further runs would hardly be faster.
const PATIENCE: Duration = Duration::from_millis(20);

/// What all entrants run on.
pub(super) struct Course<'a> {
    pub(super) world: &'a AnySnapshot,
    pub(super) trials: &'a [Trial],
    pub(super) optima: Vec<Option<Optimum>>,
    /// The greatest number of runs of a trial in the warm lap.
    pub(super) repeat: usize,
}

impl Course<'_> {
    /// Returns the trial before the block, with which a turn begins untimed. Before the first block this is the last of
    /// all trials, which belongs to the block itself if there is only one block. `None` if there is only one trial.
    fn lead_in(&self, block: &Range<usize>) -> Option<&Trial> {
        let before = block.start.checked_sub(1).unwrap_or(self.trials.len() - 1);
        (before != block.start).then(|| &self.trials[before])
    }
}

/// What a lap measures.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Lap {
    /// Whole routes, each trial once. These routes are judged.
    Pass,
    /// First steps, each trial once.
    FirstStep,
    /// Whole routes and first steps again, each trial several times in a row.
    Warm,
    /// Expansions; watched and not timed.
    Count,
}

/// All laps in the order in which they are run. The first steps of a trial come long after its route, and repeated runs
/// come after single ones.
pub(super) const LAPS: [Lap; 4] = [Lap::Pass, Lap::FirstStep, Lap::Warm, Lap::Count];

/// A turn of an entrant: the block of trials to run, and what the entrants share.
pub(super) struct Turn<'a, 's> {
    pub(super) course: &'a Course<'a>,
    pub(super) block: Range<usize>,
    pub(super) scratch: &'a mut AnyScratch,
    pub(super) faults: &'a mut Vec<String>,
    pub(super) steps: &'a mut Steps<'s>,
}

/// An entrant in a race and its results so far.
pub(super) struct Runner<'a> {
    entrant: &'a Entrant,
    planner: AnyPlanner,
    promise: Promise,
    build: Duration,
    /// The times of each trial until its route is known.
    routes: Clocked,
    /// The times of each trial until its first steps are known. If the algorithm does not plan in legs, these are the
    /// times of the routes.
    first_steps: Clocked,
    /// The ratio of route to optimum of each trial that was solved.
    ratios: Vec<Option<f64>>,
    gave_up: usize,
    mismatches: usize,
    expanded: u64,
    open_sum: f64,
}

impl<'a> Runner<'a> {
    pub(super) fn new(world: &AnySnapshot, entrant: &'a Entrant, trials: usize) -> Result<Runner<'a>, String> {
        let begun = Instant::now();
        let planner = entrant.planner(world);
        let build = begun.elapsed();
        let planner = planner?;
        Ok(Runner {
            entrant,
            promise: planner.promise(world),
            planner,
            build,
            routes: Clocked::new(trials),
            first_steps: Clocked::new(trials),
            ratios: vec![None; trials],
            gave_up: 0,
            mismatches: 0,
            expanded: 0,
            open_sum: 0.0,
        })
    }

    /// Runs trials that do not belong to the race, so that the memory of `scratch` is allocated before times are taken.
    pub(super) fn warm_up(
        &self,
        world: &AnySnapshot,
        trials: &[Trial],
        scratch: &mut AnyScratch,
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
        for trial in trials {
            let (_, time) = self.find(world, trial, scratch);
            let first_steps = self.set_out(world, trial, scratch);
            steps.spent(time + first_steps.unwrap_or_default())?;
        }
        Ok(())
    }

    /// Runs one turn of a lap. Between trials, progress is reported only when enough time has passed.
    pub(super) fn run(&mut self, lap: Lap, turn: Turn) -> Result<(), Cancelled> {
        match lap {
            Lap::Pass => self.pass(turn),
            Lap::FirstStep => self.first_step(turn),
            Lap::Warm => self.warm(turn),
            Lap::Count => self.count(turn),
        }
    }

    fn find(&self, world: &AnySnapshot, trial: &Trial, scratch: &mut AnyScratch) -> (Outcome<AnyRoute>, Duration) {
        let query = trial.query(self.entrant.budget);
        let found = self.planner.find_clocked(world, query, scratch, Instant::now);
        let (outcome, [begun, ended]) = found.expect("trials start on free cells");
        (outcome, ended - begun)
    }

    /// Returns how long it takes until the first steps are known, or `None` if the algorithm does not plan in legs.
    fn set_out(&self, world: &AnySnapshot, trial: &Trial, scratch: &mut AnyScratch) -> Option<Duration> {
        if !self.planner.plans_in_legs() {
            return None;
        }
        let query = trial.query(self.entrant.budget);
        let times = self.planner.first_leg_clocked(world, query, scratch, Instant::now);
        let [begun, ended] = times.expect("trials start on free cells, and the world stays as it is");
        Some(ended - begun)
    }

    fn pass(&mut self, turn: Turn) -> Result<(), Cancelled> {
        let Turn { course, block, scratch, faults, steps } = turn;
        if let Some(trial) = course.lead_in(&block) {
            self.find(course.world, trial, scratch);
        }
        let mut outcomes = Vec::with_capacity(block.len());
        for index in block.clone() {
            let (outcome, time) = self.find(course.world, &course.trials[index], scratch);
            self.routes.pass[index] = time;
            if !self.planner.plans_in_legs() {
                self.first_steps.pass[index] = time;
            }
            outcomes.push(outcome);
            steps.spent(time)?;
        }
        // The answers are judged after the turn, because walking a route between two trials would change the caches.
        for (index, outcome) in block.zip(outcomes) {
            self.judge(course, index, &outcome, faults);
        }
        Ok(())
    }

    fn judge(&mut self, course: &Course, index: usize, outcome: &Outcome<AnyRoute>, faults: &mut Vec<String>) {
        let trial = &course.trials[index];
        self.gave_up += usize::from(matches!(outcome, Outcome::OutOfBudget));
        let may_give_up = self.entrant.may_give_up();
        match judge(course.world, trial, course.optima[index], self.promise, may_give_up, outcome) {
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

    fn first_step(&mut self, turn: Turn) -> Result<(), Cancelled> {
        let Turn { course, block, scratch, steps, .. } = turn;
        if let Some(trial) = course.lead_in(&block) {
            self.set_out(course.world, trial, scratch);
        }
        for index in block {
            if let Some(time) = self.set_out(course.world, &course.trials[index], scratch) {
                self.first_steps.pass[index] = time;
                steps.spent(time)?;
            }
        }
        Ok(())
    }

    fn warm(&mut self, turn: Turn) -> Result<(), Cancelled> {
        let Turn { course, block, scratch, steps, .. } = turn;
        for index in block {
            let trial = &course.trials[index];
            let begun = Instant::now();
            self.routes.warm[index] = least(course.repeat, || self.find(course.world, trial, scratch).1);
            self.first_steps.warm[index] = if self.planner.plans_in_legs() {
                least(course.repeat, || self.set_out(course.world, trial, scratch).unwrap_or_default())
            } else {
                self.routes.warm[index]
            };
            steps.spent(begun.elapsed())?;
        }
        Ok(())
    }

    fn count(&mut self, turn: Turn) -> Result<(), Cancelled> {
        let Turn { course, block, scratch, steps, .. } = turn;
        for trial in &course.trials[block] {
            let mut stats = Stats::default();
            let query = trial.query(self.entrant.budget);
            let begun = Instant::now();
            self.planner.watch(course.world, query, scratch, &mut stats).expect("trials start on free cells");
            self.expanded += stats.expanded;
            self.open_sum += stats.open_mean();
            steps.spent(begun.elapsed())?;
        }
        Ok(())
    }

    /// Returns the row of this entrant and the result of each trial.
    pub(super) fn finish(self, course: &Course) -> (Row, Vec<Sample>) {
        let row = Row::new(&Tally {
            algorithm: &self.entrant.name(),
            why: self.entrant.why.as_deref(),
            build: self.build,
            index_bytes: self.planner.bytes(),
            routes: &self.routes,
            first_steps: &self.first_steps,
            ratios: &self.ratios,
            expanded: self.expanded,
            open_sum: self.open_sum,
            gave_up: self.gave_up,
            mismatches: self.mismatches,
        });
        let length = |index: usize| course.optima[index].map_or(0.0, |optimum| optimum.length);
        let sample = |(index, (time, &ratio)): (usize, (&Duration, _))| Sample {
            length: length(index),
            us: time.as_secs_f64() * 1e6,
            ratio,
        };
        (row, self.routes.pass.iter().zip(&self.ratios).enumerate().map(sample).collect())
    }
}

/// Returns the least time of `repeat` runs, or of fewer if they take long.
pub(crate) fn least(repeat: usize, mut run: impl FnMut() -> Duration) -> Duration {
    let (mut least, mut spent) = (Duration::MAX, Duration::ZERO);
    for number in 0..repeat {
        if number >= 2 && spent > PATIENCE {
            break;
        }
        let time = run();
        least = least.min(time);
        spent += time;
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::{Cell, Rules, SquareGrid};

    #[test]
    fn the_least_of_some_runs_counts_and_long_ones_are_few() {
        let run = |repeat: usize, millis: &[u64]| {
            let mut runs = 0;
            let least = least(repeat, || {
                runs += 1;
                Duration::from_millis(millis[runs - 1])
            });
            (runs, least.as_millis())
        };
        assert_eq!(run(4, &[5, 3, 1, 4]), (4, 1));
        assert_eq!(run(4, &[50, 30, 1, 4]), (2, 30));
        assert_eq!(run(1, &[50]), (1, 50));
    }

    #[test]
    fn a_turn_never_begins_with_what_it_times_first() {
        let world = AnySnapshot::from(SquareGrid::open(9, 9, Rules::default()).unwrap());
        let trial = |x: u16| Trial { from: Cell::new(x, 0), to: Cell::new(0, 8), stated: None };
        let trials: Vec<Trial> = (0..5).map(trial).collect();
        let lead_in = |count: usize, block: Range<usize>| {
            let course = Course { world: &world, trials: &trials[..count], optima: vec![], repeat: 1 };
            course.lead_in(&block).map(|trial| trial.from.x)
        };
        assert_eq!([lead_in(5, 0..2), lead_in(5, 2..4), lead_in(1, 0..1)], [Some(4), Some(1), None]);
    }
}
