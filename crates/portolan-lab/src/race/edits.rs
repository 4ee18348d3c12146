//! Races after edits: how long algorithms take to follow the world's edits, and whether they then answer like a planner
//! that was built anew.
//!
//! - Every algorithm follows the same edits, each on its own copy of the world, one algorithm after the other: if they
//!   took turns, an algorithm that rebuilds all its data would leave cold caches to the others. Only
//!   [`AnyPlanner::repair`] lies between the two readings of the clock; the time of the world itself is measured
//!   separately. Every edit is made once, as in a game. The first two edits warm up and are not counted.
//! - After about every tenth edit (more often in short races, less often in long ones) every algorithm answers one
//!   query that starts near the edit. The answer is judged ([`crate::judge`]), and its cost must be that of the answer
//!   of a planner built for the world as it is now ([`AnyPlanner::anew`]).
//! - An algorithm whose repair fails stops following; its row gives the reason.
//!
//! Not here: which cells are edited (`script.rs`), and showing results.

mod row;
mod script;

pub use row::EditRow;
pub use script::{EditPlan, NoGround};

use super::row::to_places;
use super::{Entrant, FAULTS_TOLD};
use crate::judge::{Fault, Optimum, Reference, judge, optima};
use crate::progress::{Cancelled, Progress, Steps};
use crate::queries::Trial;
use portolan::any::{AnyPlanner, AnyRoute, AnyScratch, AnySnapshot, AnyWorld};
use portolan::generate::Random;
use portolan::{Edit, Outcome, QueryError};
use row::Tally;
use script::{Change, changes, probe};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Edits that every algorithm follows before times are taken: one patch is blocked and restored.
const WARM_UP: usize = 2;

/// The result of a race after edits.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EditRace {
    /// Edits made.
    pub count: usize,
    /// Columns and rows of the patch that each edit changed.
    pub size: u16,
    /// Mean microseconds that the world itself takes to apply an edit, which is not part of any algorithm's time.
    pub apply_us: f64,
    /// One row for each algorithm that runs on the world, in the order of the entrants.
    pub rows: Vec<EditRow>,
    /// The first wrong answers, in words.
    pub faults: Vec<String>,
}

/// Why there is no result of a race after edits.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditRaceError {
    /// There is no patch to edit.
    #[error(transparent)]
    NoGround(#[from] NoGround),
    /// The race was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// What is wrong with the answer of a planner that followed edits.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
enum EditFault {
    #[error(transparent)]
    Judged(#[from] Fault),
    #[error("{repaired} after repair, {fresh} when built anew")]
    Differs { repaired: String, fresh: String },
    #[error(transparent)]
    Refused(#[from] QueryError),
}

/// Makes the entrants follow edits of a copy of this world; those that do not run on it are left out. The goals of
/// `trials` serve as goals of the checks. `progress` receives the number of edits followed so far and the total. The
/// edits are first played once without an algorithm, which counts as well.
///
/// # Errors
/// When there is no patch of free cells of the planned size, or `progress` stops the race. It is not called while a
/// planner is built.
pub fn race_edits(
    world: &AnySnapshot,
    trials: &[Trial],
    entrants: &[Entrant],
    plan: EditPlan,
    progress: &mut Progress,
) -> Result<EditRace, EditRaceError> {
    let edits = plan.count as u64;
    let mut steps = Steps::new(progress, edits * (1 + entrants.len() as u64))?;
    let course = Course::new(world, trials, plan, &mut steps)?;
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for entrant in entrants {
        let mut world = AnyWorld::from(world.clone());
        let runner = Runner::new(&world.snapshot(), entrant);
        match runner {
            Some(mut runner) => {
                steps.still()?;
                runner.play(&course, &mut world, &mut faults, &mut steps)?;
                rows.push(runner.finish());
            }
            None => steps.advance(edits)?,
        }
    }
    Ok(EditRace { count: plan.count, size: plan.size, apply_us: course.apply_us, rows, faults })
}

/// The edits and queries of the race, equal for every algorithm.
struct Course {
    /// The changes that warm up, then those that are counted.
    changes: Vec<Change>,
    /// The checks in the order of their edits.
    checks: Vec<Check>,
    apply_us: f64,
}

/// A query between two edits.
struct Check {
    /// The edit after which it is asked, counted from 0 without those that warm up.
    after: usize,
    trial: Trial,
    optimum: Option<Optimum>,
}

impl Course {
    /// Plays the edits once without an algorithm, to choose the queries of the checks and to time the world.
    fn new(world: &AnySnapshot, trials: &[Trial], plan: EditPlan, steps: &mut Steps) -> Result<Course, EditRaceError> {
        let mut random = Random::new(plan.seed);
        let changes = changes(world, EditPlan { count: plan.count + WARM_UP, ..plan }, &mut random)?;
        let mut course = Course { changes, checks: Vec::new(), apply_us: 0.0 };
        let mut world = AnyWorld::from(world.clone());
        for change in &course.changes[..WARM_UP] {
            apply(&mut world, change);
        }
        let mut checks = checkpoints(plan.count).into_iter().enumerate().peekable();
        let mut applied = Duration::ZERO;
        for (after, change) in course.changes[WARM_UP..].iter().enumerate() {
            applied += apply(&mut world, change);
            steps.advance(1)?;
            let Some((number, _)) = checks.next_if(|&(_, checkpoint)| checkpoint == after) else { continue };
            // A snapshot is dropped before the next edit, which would otherwise work on a copy of the world.
            let now = world.snapshot();
            if let Some(trial) = probe(&now, change.area, number, trials, &mut random) {
                let optimum = optima(&now, &[trial], Reference::Computed)[0];
                course.checks.push(Check { after, trial, optimum });
            }
        }
        course.apply_us = to_places(applied.as_secs_f64() * 1e6 / plan.count.max(1) as f64, 3);
        Ok(course)
    }

    fn counted(&self) -> &[Change] {
        &self.changes[WARM_UP..]
    }
}

fn apply(world: &mut AnyWorld, change: &Change) -> Duration {
    let begun = Instant::now();
    world.apply(&change.edits).expect("patches are drawn on the map");
    begun.elapsed()
}

/// The least number of checks, if there are as many edits, and the greatest.
const CHECKS: (usize, usize) = (10, 50);
/// The distance in edits from one check to the next, unless that gives too few or too many checks.
const CHECKED: usize = 10;

/// Returns the edits, counted from 0, after which answers are checked. They are spread evenly, and edits that block and
/// edits that restore a patch take turns.
fn checkpoints(edits: usize) -> Vec<usize> {
    let apart = (edits / CHECKS.0).clamp(1, CHECKED).max(edits.div_ceil(CHECKS.1));
    let after = |(check, first): (usize, usize)| if apart.is_multiple_of(2) { first + check % 2 } else { first };
    (0..edits).step_by(apart).enumerate().map(after).filter(|&number| number < edits).collect()
}

/// An entrant that follows the edits.
struct Runner<'a> {
    entrant: &'a Entrant,
    planner: AnyPlanner,
    tally: Tally,
}

impl<'a> Runner<'a> {
    /// Builds the entrant's planner. Returns `None` if the algorithm does not run on this world.
    fn new(world: &AnySnapshot, entrant: &'a Entrant) -> Option<Runner<'a>> {
        let begun = Instant::now();
        let planner = AnyPlanner::build(world, entrant.algorithm, entrant.settings.clone());
        let build = begun.elapsed();
        let tally = Tally { builds: vec![build], ..Tally::default() };
        planner.ok().map(|planner| Runner { entrant, planner, tally })
    }

    /// Follows all edits and answers the queries between them. Every counted edit is one step.
    fn play(
        &mut self,
        course: &Course,
        world: &mut AnyWorld,
        faults: &mut Vec<String>,
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
        let mut scratch = AnyScratch::new();
        for change in &course.changes[..WARM_UP] {
            apply(world, change);
            self.follow(&world.snapshot(), &change.edits);
        }
        self.tally.repairs.clear();
        self.tally.clusters = 0;
        let mut checks = course.checks.iter().peekable();
        for (number, change) in course.counted().iter().enumerate() {
            apply(world, change);
            let now = world.snapshot();
            self.follow(&now, &change.edits);
            steps.advance(1)?;
            let Some(check) = checks.next_if(|check| check.after == number) else { continue };
            let verdict = self.check(&now, check, &mut scratch);
            if let Err(fault) = verdict
                && faults.len() < FAULTS_TOLD
            {
                let (name, Trial { from, to, .. }) = (self.entrant.algorithm.name(), check.trial);
                faults.push(format!("{name} after edit {} from {from} to {to}: {fault}", number + 1));
            }
        }
        Ok(())
    }

    fn follow(&mut self, world: &AnySnapshot, edits: &[Edit]) {
        if self.tally.lost.is_some() {
            return;
        }
        let begun = Instant::now();
        let repair = self.planner.repair(world, edits);
        let time = begun.elapsed();
        match repair {
            Ok(repair) => {
                self.tally.repairs.push(time);
                self.tally.clusters += repair.clusters;
            }
            Err(error) => self.tally.lost = Some(error.to_string()),
        }
    }

    fn check(&mut self, world: &AnySnapshot, check: &Check, scratch: &mut AnyScratch) -> Result<(), EditFault> {
        if self.tally.lost.is_some() {
            return Ok(());
        }
        self.tally.checked += 1;
        let verdict = self.verdict(world, check, scratch);
        self.tally.mismatches += usize::from(verdict.is_err());
        verdict
    }

    fn verdict(&mut self, world: &AnySnapshot, check: &Check, scratch: &mut AnyScratch) -> Result<(), EditFault> {
        let query = check.trial.query(self.entrant.budget);
        let repaired = self.planner.find(world, query, scratch)?;
        let begun = Instant::now();
        let fresh = self.planner.anew(world).expect("a planner was repaired for this world");
        self.tally.builds.push(begun.elapsed());
        let fresh = fresh.find(world, query, scratch)?;
        self.compare(world, check, [&repaired, &fresh])
    }

    /// Judges the answer of a repaired planner and compares it with the answer of a fresh one.
    fn compare(
        &self,
        world: &AnySnapshot,
        check: &Check,
        [repaired, fresh]: [&Outcome<AnyRoute>; 2],
    ) -> Result<(), EditFault> {
        let promise = self.planner.promise(world);
        judge(world, &check.trial, check.optimum, promise, self.entrant.may_give_up(), repaired)?;
        let (repaired, fresh) = (told(repaired), told(fresh));
        if repaired == fresh { Ok(()) } else { Err(EditFault::Differs { repaired, fresh }) }
    }

    fn finish(mut self) -> EditRow {
        self.tally.keeps_something = self.planner.bytes() > 0;
        EditRow::new(&self.entrant.label(), self.tally)
    }
}

/// Describes an answer in words: the cost of its route, or how the search ended.
fn told(outcome: &Outcome<AnyRoute>) -> String {
    outcome.route().map_or_else(|| outcome.name().to_owned(), |route| format!("cost {}", route.cost().0))
}

#[cfg(test)]
mod tests;
