//! Races after edits: how long algorithms take to follow the world's edits, and whether they then answer like a planner
//! that was built anew.
//!
//! - Every algorithm follows the same edits, each on its own copy of the world, one algorithm after the other: if they
//!   took turns, an algorithm that rebuilds all its data would leave cold caches to the others. Only
//!   [`Planner::repair`] lies between the two readings of the clock; the time of the world itself is measured
//!   separately. Every edit is made once, as in a game. The first two edits warm up and are not counted.
//! - After about every tenth edit (more often in short races, less often in long ones) every algorithm answers one
//!   query that starts near the edit. The answer is judged ([`crate::judge`]), and its cost must be that of the answer
//!   of a planner built for the world as it is now ([`Planner::anew`]).
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
use portolan::generate::Random;
use portolan::{Edit, Outcome, Planner, QueryError, Scratch, Snapshot, SquareGrid, World};
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
    world: &Snapshot,
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
        let mut world = World::from(SquareGrid::clone(world));
        match Runner::new(&world, entrant) {
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
    fn new(world: &Snapshot, trials: &[Trial], plan: EditPlan, steps: &mut Steps) -> Result<Course, EditRaceError> {
        let mut random = Random::new(plan.seed);
        let changes = changes(world, EditPlan { count: plan.count + WARM_UP, ..plan }, &mut random)?;
        let mut course = Course { changes, checks: Vec::new(), apply_us: 0.0 };
        let mut world = World::from(SquareGrid::clone(world));
        for change in &course.changes[..WARM_UP] {
            apply(&mut world, change);
        }
        let mut checks = checkpoints(plan.count).into_iter().enumerate().peekable();
        let mut applied = Duration::ZERO;
        for (after, change) in course.changes[WARM_UP..].iter().enumerate() {
            applied += apply(&mut world, change);
            steps.advance(1)?;
            let Some((number, _)) = checks.next_if(|&(_, checkpoint)| checkpoint == after) else { continue };
            if let Some(trial) = probe(&world, change.area, number, trials, &mut random) {
                let optimum = optima(&world, &[trial], Reference::Computed)[0];
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

fn apply(world: &mut World, change: &Change) -> Duration {
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
    planner: Planner,
    tally: Tally,
}

impl<'a> Runner<'a> {
    /// Builds the entrant's planner. Returns `None` if the algorithm does not run on this world.
    fn new(world: &Snapshot, entrant: &'a Entrant) -> Option<Runner<'a>> {
        let begun = Instant::now();
        let planner = Planner::build(world, entrant.algorithm, entrant.settings.clone());
        let build = begun.elapsed();
        let tally = Tally { builds: vec![build], ..Tally::default() };
        planner.ok().map(|planner| Runner { entrant, planner, tally })
    }

    /// Follows all edits and answers the queries between them. Every counted edit is one step.
    fn play(
        &mut self,
        course: &Course,
        world: &mut World,
        faults: &mut Vec<String>,
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
        let mut scratch = Scratch::new();
        for change in &course.changes[..WARM_UP] {
            apply(world, change);
            self.follow(world, &change.edits);
        }
        self.tally.repairs.clear();
        self.tally.clusters = 0;
        let mut checks = course.checks.iter().peekable();
        for (number, change) in course.counted().iter().enumerate() {
            apply(world, change);
            self.follow(world, &change.edits);
            steps.advance(1)?;
            let Some(check) = checks.next_if(|check| check.after == number) else { continue };
            let verdict = self.check(world, &check.trial, check.optimum, &mut scratch);
            if let Err(fault) = verdict
                && faults.len() < FAULTS_TOLD
            {
                let (name, Trial { from, to, .. }) = (self.entrant.algorithm.name, check.trial);
                faults.push(format!("{name} after edit {} from {from} to {to}: {fault}", number + 1));
            }
        }
        Ok(())
    }

    fn follow(&mut self, world: &Snapshot, edits: &[Edit]) {
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

    fn check(
        &mut self,
        world: &Snapshot,
        trial: &Trial,
        optimum: Option<Optimum>,
        scratch: &mut Scratch,
    ) -> Result<(), EditFault> {
        if self.tally.lost.is_some() {
            return Ok(());
        }
        self.tally.checked += 1;
        let verdict = self.verdict(world, trial, optimum, scratch);
        self.tally.mismatches += usize::from(verdict.is_err());
        verdict
    }

    fn verdict(
        &mut self,
        world: &Snapshot,
        trial: &Trial,
        optimum: Option<Optimum>,
        scratch: &mut Scratch,
    ) -> Result<(), EditFault> {
        let query = trial.query(self.entrant.budget);
        let repaired = self.planner.find(world, query, scratch)?;
        let begun = Instant::now();
        let fresh = self.planner.anew(world).expect("a planner was repaired for this world");
        self.tally.builds.push(begun.elapsed());
        let fresh = fresh.find(world, query, scratch)?;
        self.compare(world, trial, optimum, [&repaired, &fresh])
    }

    /// Judges the answer of a repaired planner and compares it with the answer of a fresh one.
    fn compare(
        &self,
        world: &Snapshot,
        trial: &Trial,
        optimum: Option<Optimum>,
        [repaired, fresh]: [&Outcome; 2],
    ) -> Result<(), EditFault> {
        let promise = self.planner.promise(world);
        judge(world, trial, optimum, promise, self.entrant.may_give_up(), repaired)?;
        let (repaired, fresh) = (told(repaired), told(fresh));
        if repaired == fresh { Ok(()) } else { Err(EditFault::Differs { repaired, fresh }) }
    }

    fn finish(mut self) -> EditRow {
        self.tally.keeps_something = self.planner.bytes() > 0;
        EditRow::new(&self.entrant.label(), self.tally)
    }
}

/// Describes an answer in words: the cost of its route, or how the search ended.
fn told(outcome: &Outcome) -> String {
    outcome.route().map_or_else(|| outcome.name().to_owned(), |route| format!("cost {}", route.cost().0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::go_on;
    use crate::progress::tests::{all_told, stopped_at};
    use crate::queries;
    use portolan::{ALGORITHMS, Cell, Rules, Terrain};

    const PLAN: EditPlan = EditPlan { count: 40, size: 2, seed: 5 };

    /// Walls one cell thick, each with a gap at one end.
    fn striped() -> SquareGrid {
        let weights: Vec<u8> = (0..64 * 40).map(|i| u8::from(i % 64 % 12 != 7 || i / 64 < 3)).collect();
        SquareGrid::from_weights(64, 40, &weights, Rules::default()).unwrap()
    }

    #[test]
    fn every_algorithm_follows() {
        let world = Snapshot::from(striped());
        let trials = queries::random(&world, 20, 3).unwrap();
        let entrants: Vec<Entrant> = ALGORITHMS.iter().map(|a| Entrant::new(a).gives_up_on(&world)).collect();
        let (race, _) = all_told(|progress| race_edits(&world, &trials, &entrants, PLAN, progress));
        assert_eq!((race.rows.len(), race.count, race.size), (ALGORITHMS.len(), 40, 2));
        assert!(race.faults.is_empty(), "{:?}", race.faults);
        for row in &race.rows {
            assert_eq!((row.edits, row.checked, row.mismatches), (40, 10, 0), "{}", row.algorithm);
            assert_eq!(
                row.clusters > 0.0,
                row.algorithm.contains("hpa") || ["minimal-memory", "pra-star", "rhumb"].contains(&&*row.algorithm),
                "{}",
                row.algorithm
            );
            assert!(row.p50_us <= row.p95_us && row.p95_us <= row.max_us && row.lost.is_none());
        }
        let again = race_edits(&world, &trials, &entrants, PLAN, &mut go_on).unwrap();
        let clusters = |race: &EditRace| race.rows.iter().map(|row| row.clusters.to_bits()).collect::<Vec<_>>();
        assert_eq!(clusters(&race), clusters(&again), "the same edits are the same work");
    }

    #[test]
    fn a_race_stops_when_told_to() {
        let world = Snapshot::from(striped());
        let trials = queries::random(&world, 20, 3).unwrap();
        let entrants = ["a-star", "hpa-star"].map(|name| Entrant::named(name).unwrap());
        let run = |call| stopped_at(call, |progress| race_edits(&world, &trials, &entrants, PLAN, progress));
        let whole = run(usize::MAX).1;
        // Stopped at the first call, in the edits that are played without an algorithm, in those of the second entrant,
        // and at the end.
        for call in [1, 2, 30, whole.len() - 9, whole.len()] {
            let (result, told) = run(call);
            assert_eq!((result, &told[..]), (Err(EditRaceError::Cancelled(Cancelled)), &whole[..call]));
        }
        let none = EditPlan { size: 60, ..PLAN };
        let error = race_edits(&world, &trials, &entrants, none, &mut go_on).unwrap_err();
        assert_eq!(error, EditRaceError::NoGround(NoGround { size: 60 }));
    }

    /// The route around a wall that is gone is still legal, but a fresh planner finds a shorter one.
    #[test]
    fn an_answer_from_before_an_edit_is_a_mismatch() {
        let mut world = World::from(striped());
        let trial = Trial { from: Cell::new(25, 38), to: Cell::new(41, 33), stated: None };
        let at = Cell::new(31, 36);
        for name in ["hpa-star", "dhpa-star", "rhumb"] {
            let entrant = Entrant::named(name).unwrap();
            world.apply(&[Edit::new(at, Terrain::BLOCKED)]).unwrap();
            let mut runner = Runner::new(&world, &entrant).unwrap();
            let before = runner.planner.find(&world, trial.query(None), &mut Scratch::new()).unwrap();
            let gap = [Edit::new(at, Terrain::GROUND)];
            world.apply(&gap).unwrap();
            runner.follow(&world, &gap);
            let now = runner.planner.find(&world, trial.query(None), &mut Scratch::new()).unwrap();
            let optimum = optima(&world, &[trial], Reference::Computed)[0];
            let verdict = runner.compare(&world, &trial, optimum, [&before, &now]);
            assert!(matches!(verdict, Err(EditFault::Differs { .. })), "{name}: {verdict:?}");
            assert_eq!(runner.check(&world, &trial, optimum, &mut Scratch::new()), Ok(()), "{name}");
            let row = runner.finish();
            assert_eq!((row.checked, row.mismatches), (1, 0), "{name}");
        }
    }

    #[test]
    fn a_route_through_what_was_blocked_is_a_mismatch() {
        let mut world = World::from(striped());
        let entrant = Entrant::named("jump-point").unwrap();
        let mut runner = Runner::new(&world, &entrant).unwrap();
        let trial = Trial { from: Cell::new(4, 1), to: Cell::new(10, 1), stated: None };
        let find = |runner: &Runner, world: &World| runner.planner.find(world, trial.query(None), &mut Scratch::new());
        let before = find(&runner, &world).unwrap();
        let wall = [Edit::new(Cell::new(7, 1), Terrain::BLOCKED)];
        world.apply(&wall).unwrap();
        runner.follow(&world, &wall);
        let now = find(&runner, &world).unwrap();
        let optimum = optima(&world, &[trial], Reference::Computed)[0];
        assert_eq!(runner.compare(&world, &trial, optimum, [&now, &now]), Ok(()));
        let verdict = runner.compare(&world, &trial, optimum, [&before, &now]);
        assert!(matches!(verdict, Err(EditFault::Judged(_))), "{verdict:?}");
    }

    #[test]
    fn who_cannot_follow_is_told_and_left_behind() {
        let mut world = World::from(striped());
        let entrant = Entrant::named("hpa-star").unwrap();
        let mut runner = Runner::new(&world, &entrant).unwrap();
        let edit = [Edit::new(Cell::new(1, 1), Terrain::BLOCKED)];
        world.apply(&edit).unwrap();
        runner.follow(&world, &edit);
        world.apply(&edit).unwrap();
        runner.follow(&world, &[]);
        runner.follow(&world, &edit);
        let trial = Trial { from: Cell::new(4, 1), to: Cell::new(10, 1), stated: None };
        assert_eq!(runner.check(&world, &trial, None, &mut Scratch::new()), Ok(()));
        let row = runner.finish();
        assert_eq!((row.edits, row.checked, row.mismatches), (1, 0, 0));
        assert!(row.lost.unwrap().starts_with("0 edits do not lead from"));
    }

    #[test]
    fn checks_are_spread_over_blocking_and_giving_back() {
        assert_eq!(checkpoints(1), [0]);
        assert_eq!(checkpoints(7), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(checkpoints(200).len(), 20);
        assert_eq!(checkpoints(100_000).len(), 50);
        for edits in 1..600 {
            let after = checkpoints(edits);
            assert!(after.len() >= edits.min(10) && after.len() <= 50 && after.is_sorted(), "{edits}");
            assert!(after.last().is_some_and(|&last| last < edits), "{edits}");
            let blocking = after.iter().filter(|&number| number % 2 == 0).count();
            assert!(blocking.abs_diff(after.len() - blocking) <= 1, "{edits}");
        }
    }
}
