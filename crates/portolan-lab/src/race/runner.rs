//! An entrant under way: [`Runner`] runs the laps of a race block by block and keeps what came of them.

use super::row::{Clocked, Row, Sample, Tally};
use super::{Entrant, FAULTS_TOLD};
use crate::judge::{Optimum, judge};
use crate::progress::{Cancelled, Steps};
use crate::queries::Trial;
use portolan::{Outcome, Planner, Promise, Scratch, Snapshot, Stats};
use std::ops::Range;
use std::time::{Duration, Instant};

/// Time after which a trial is not repeated for the warm figure any more, once it was run twice: what takes that long
/// comes from memory far larger than any cache.
const PATIENCE: Duration = Duration::from_millis(20);

/// What all run on.
pub(super) struct Course<'a> {
    pub(super) world: &'a Snapshot,
    pub(super) trials: &'a [Trial],
    pub(super) optima: Vec<Option<Optimum>>,
    /// Runs of a trial in the warm lap.
    pub(super) repeat: usize,
}

impl Course<'_> {
    /// A trial to begin a turn with that is none of those about to be timed, or at least the last of them.
    fn lead_in(&self, block: &Range<usize>) -> Option<&Trial> {
        let before = block.start.checked_sub(1).unwrap_or(self.trials.len() - 1);
        (before != block.start).then(|| &self.trials[before])
    }
}

/// What is measured when everybody goes round once more.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Lap {
    /// Whole routes, each asked for once; these answers are judged.
    Pass,
    /// First steps, each asked for once.
    FirstStep,
    /// Both again, each trial several times on end.
    Warm,
    /// Expansions. Watched, not timed.
    Count,
}

/// All of them, in the order in which they are run. First steps come long after the routes of the same trials, and what
/// is repeated comes after what is not.
pub(super) const LAPS: [Lap; 4] = [Lap::Pass, Lap::FirstStep, Lap::Warm, Lap::Count];

/// An entrant under way.
pub(super) struct Runner<'a> {
    entrant: &'a Entrant,
    planner: Planner,
    promise: Promise,
    build: Duration,
    /// Times of each trial until its route is known.
    routes: Clocked,
    /// The same until its first steps are known; a flat search knows them when it knows all.
    first_steps: Clocked,
    /// Ratio of each trial, where it was solved.
    ratios: Vec<Option<f64>>,
    gave_up: usize,
    mismatches: usize,
    expanded: u64,
    open_sum: f64,
}

impl<'a> Runner<'a> {
    pub(super) fn new(world: &Snapshot, entrant: &'a Entrant, trials: usize) -> Result<Runner<'a>, String> {
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

    /// Runs trials that are none of the race's, so that memory is there when the clock matters.
    pub(super) fn warm_up(
        &self,
        world: &Snapshot,
        trials: &[Trial],
        scratch: &mut Scratch,
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
        for trial in trials {
            let (_, time) = self.find(world, trial, scratch);
            let first_steps = self.set_out(world, trial, scratch);
            steps.spent(time + first_steps.unwrap_or_default())?;
        }
        Ok(())
    }

    /// One turn of a lap. Between trials nothing is told but that time goes by, and that rarely.
    pub(super) fn run(
        &mut self,
        lap: Lap,
        course: &Course,
        block: Range<usize>,
        scratch: &mut Scratch,
        faults: &mut Vec<String>,
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
        match lap {
            Lap::Pass => self.pass(course, block, scratch, faults, steps),
            Lap::FirstStep => self.first_step(course, block, scratch, steps),
            Lap::Warm => self.warm(course, block, scratch, steps),
            Lap::Count => self.count(course, block, scratch, steps),
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
        let mut route = plan.into_route();
        if let Some(route) = &mut route {
            route.next_leg(&self.planner, world, scratch).expect("the world stays as it is");
        }
        // Read before the route is dropped, as with whole routes.
        Some(begun.elapsed())
    }

    fn pass(
        &mut self,
        course: &Course,
        block: Range<usize>,
        scratch: &mut Scratch,
        faults: &mut Vec<String>,
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
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
        // Judged when the turn is over, so that walking a route does not cool or warm anything for the next.
        for (index, outcome) in block.zip(outcomes) {
            self.judge(course, index, &outcome, faults);
        }
        Ok(())
    }

    fn judge(&mut self, course: &Course, index: usize, outcome: &Outcome, faults: &mut Vec<String>) {
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

    fn first_step(
        &mut self,
        course: &Course,
        block: Range<usize>,
        scratch: &mut Scratch,
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
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

    fn warm(
        &mut self,
        course: &Course,
        block: Range<usize>,
        scratch: &mut Scratch,
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
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

    fn count(
        &mut self,
        course: &Course,
        block: Range<usize>,
        scratch: &mut Scratch,
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
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

    /// What it did, and each trial by itself.
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

/// The least time of that many runs, fewer where they take long.
fn least(repeat: usize, mut run: impl FnMut() -> Duration) -> Duration {
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
        let world = Snapshot::from(SquareGrid::open(9, 9, Rules::default()).unwrap());
        let trial = |x: u16| Trial { from: Cell::new(x, 0), to: Cell::new(0, 8), stated: None };
        let trials: Vec<Trial> = (0..5).map(trial).collect();
        let lead_in = |count: usize, block: Range<usize>| {
            let course = Course { world: &world, trials: &trials[..count], optima: vec![], repeat: 1 };
            course.lead_in(&block).map(|trial| trial.from.x)
        };
        assert_eq!([lead_in(5, 0..2), lead_in(5, 2..4), lead_in(1, 0..1)], [Some(4), Some(1), None]);
    }
}
