//! Races among traps: an agent walks a long route, and in every tick some of the traps around it vanish and others appear.
//! How long does it take to know the next step again?
//!
//! - Every algorithm has an agent of its own, which walks where its algorithm leads it, one step a tick. Traps are drawn by
//!   the tick's number and the agent's place, so that every agent meets the same traps at the same distance. The first
//!   plan is not counted among the ticks; its time is reported separately.
//! - Agents of charts and of algorithms that keep searches alive ([`AnyPlanner::keeps_searches`]) have a replanner, which
//!   follows the edits ([`AnyReplanner::follow`]). If that does not suffice, the planner is repaired after all edits since
//!   its last repair, and plans. The other algorithms are repaired and plan from nothing in every tick.
//! - A tick's time is that of the repair of the planner and that of the plan. The time of the world itself is not in it.
//! - An agent walks its course several times. In the first walks the ticks are timed, and the least time of each tick
//!   counts. In the last walk every plan is judged ([`crate::judge`]), and at every place a fresh plain A* is timed equally
//!   often for comparison. All walks are equal step by step.
//!
//! Not here: where traps appear (`script.rs`), and showing results.

mod row;
mod script;
mod walker;

pub use row::TrapRow;
pub use script::{NoRoom, TrapPlan};

use super::row::Skipped;
use super::{Entrant, FAULTS_TOLD};
use crate::judge::{Optimum, Reference, judge, optima, plain_planner};
use crate::progress::{Cancelled, Progress, Steps};
use crate::queries::Trial;
#[cfg(doc)]
use portolan::any::AnyReplanner;
use portolan::any::{AnyPlanner, AnyRoute, AnyScratch, AnySnapshot, AnyWorld};
use portolan::{HexGrid, Outcome, Rules, SquareGrid};
use row::Tally;
use serde::Serialize;
use std::time::{Duration, Instant};
use walker::{Walker, is_followed};

/// The result of a race among traps.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TrapRace {
    /// The name of the map.
    pub map: String,
    /// How many traps lie around an agent.
    pub traps: usize,
    /// How many of them vanish and appear in a tick.
    pub change: usize,
    /// Columns and rows of a trap.
    pub size: u16,
    /// How many ticks an agent walks.
    pub ticks: usize,
    /// One row for each algorithm, in the order of the entrants.
    pub rows: Vec<TrapRow>,
    /// The algorithms that could not start.
    pub skipped: Vec<Skipped>,
    /// The first wrong plans, in words.
    pub faults: Vec<String>,
}

impl TrapRace {
    /// Returns the number of wrong plans.
    pub fn mismatches(&self) -> usize {
        self.rows.iter().map(|row| row.mismatches).sum()
    }
}

/// Why there is no result of a race among traps.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrapRaceError {
    /// No trap can be laid around an agent.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// No query has a route.
    #[error("none of the queries has a route to walk")]
    NoRoute,
    /// The race was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Returns the entrants of a race among traps for which none are named: plain A*, A*, jump points, all algorithms that keep
/// searches alive, and all charts.
///
/// # Panics
/// Never: the exact algorithm of every kind of world has plain successors, and a world of 8 x 8 cells can be made.
pub fn usual_entrants(world: &AnySnapshot) -> Vec<Entrant> {
    let exact = world.exact();
    let all = [("successors", "all")];
    let settings = exact.settings(&all).expect("exact searches have plain successors");
    let set = all.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
    let plain = Entrant { settings, set, ..Entrant::new(exact) };
    let small = match world.hex() {
        Some(_) => AnySnapshot::from(HexGrid::open(8, 8, None).expect("a small world")),
        None => AnySnapshot::from(SquareGrid::open(8, 8, Rules::default()).expect("a small world")),
    };
    let is_usual = |entrant: &Entrant| {
        let planner = AnyPlanner::build(&small, entrant.algorithm, entrant.settings.clone());
        let name = entrant.algorithm.name();
        name == exact.name() || name == "jump-point" || planner.is_ok_and(|planner| is_followed(&planner, &small))
    };
    let others = world.algorithms().into_iter().map(Entrant::new).filter(is_usual);
    std::iter::once(plain).chain(others).collect()
}

/// Returns the routes to walk, the longest first. Trials without a route and those that lead nowhere are left out.
///
/// # Errors
/// When none is left.
///
/// # Panics
/// When a trial starts off the map or on a blocked cell; [`crate::queries`] makes no such trials.
pub fn longest_first(world: &AnySnapshot, trials: &[Trial]) -> Result<Vec<Trial>, TrapRaceError> {
    let lengths = optima(world, trials, Reference::Stated);
    let mut routes: Vec<(f64, Trial)> =
        lengths.iter().zip(trials).filter_map(|(optimum, trial)| Some((optimum.as_ref()?.length, *trial))).collect();
    routes.retain(|(_, trial)| trial.from != trial.to);
    routes.sort_by(|a, b| b.0.total_cmp(&a.0));
    if routes.is_empty() {
        Err(TrapRaceError::NoRoute)
    } else {
        Ok(routes.into_iter().map(|(_, trial)| trial).collect())
    }
}

/// Has an agent of each entrant walk these routes among traps, one after the other until the ticks are over. The least time
/// of `repeat` walks counts for each tick, but of at least one. `progress` receives the number of ticks done by all
/// entrants together, and the total.
///
/// # Errors
/// When there are no routes, no trap can be laid around the first start, or `progress` stops the race. It is not called
/// while a planner is built.
pub fn race_traps(
    map: &str,
    world: &AnySnapshot,
    routes: &[Trial],
    entrants: &[Entrant],
    plan: TrapPlan,
    repeat: usize,
    progress: &mut Progress,
) -> Result<TrapRace, TrapRaceError> {
    plan.fits(world, routes.first().ok_or(TrapRaceError::NoRoute)?)?;
    let laps = repeat.max(1) + 1;
    let mut steps = Steps::new(progress, (entrants.len() * laps * plan.ticks) as u64)?;
    let (mut rows, mut skipped, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for entrant in entrants {
        let world = AnyWorld::from(world.clone());
        let begun = Instant::now();
        match entrant.planner(&world.snapshot()) {
            Ok(planner) => {
                let tally = Tally::new(begun.elapsed(), plan.ticks);
                steps.still()?;
                let mut course = Course { entrant, walker: Walker::new(world, planner, routes, plan), tally };
                for _ in 1..laps {
                    course.time(&mut steps)?;
                }
                course.check(laps - 1, &mut faults, &mut steps)?;
                rows.push(TrapRow::new(entrant, &course.tally));
            }
            Err(reason) => {
                skipped.push(Skipped { algorithm: entrant.name(), reason });
                steps.advance((laps * plan.ticks) as u64)?;
            }
        }
    }
    let TrapPlan { traps, change, ticks, size, .. } = plan;
    Ok(TrapRace { map: map.to_owned(), traps, change, size, ticks, rows, skipped, faults })
}

/// The course of one entrant.
struct Course<'a> {
    entrant: &'a Entrant,
    walker: Walker<'a>,
    tally: Tally,
}

impl Course<'_> {
    /// Walks the course and takes the times.
    fn time(&mut self, steps: &mut Steps) -> Result<(), Cancelled> {
        self.walker.begin();
        for tick in 0..self.tally.ticks() {
            let clocked = self.walker.tick(tick);
            self.tally.time(tick, [clocked.repair, clocked.plan]);
            steps.advance(1)?;
        }
        self.tally.first(&self.walker.firsts);
        Ok(())
    }

    /// Walks the course and judges every plan. A fresh plain A* is run `repeat` times at every place.
    fn check(&mut self, repeat: usize, faults: &mut Vec<String>, steps: &mut Steps) -> Result<(), Cancelled> {
        let mut scratch = AnyScratch::new();
        self.walker.begin();
        for tick in 0..self.tally.ticks() {
            let outcome = self.walker.tick(tick).outcome;
            let (now, promise) = (self.walker.world.snapshot(), self.walker.promise());
            let trial = Trial { from: self.walker.at, to: self.walker.to, stated: None };
            let (optimum, plain) = plain_search(&now, &trial, repeat, &mut scratch);
            let outcome = outcome.unwrap_or_else(|| self.walker.answer(&now));
            let verdict = judge(&now, &trial, optimum, promise, self.entrant.may_give_up(), &outcome);
            self.tally.judge(plain, &verdict);
            if let Err(fault) = verdict
                && faults.len() < FAULTS_TOLD
            {
                let (name, tick) = (self.entrant.name(), tick + 1);
                faults.push(format!("{name} in tick {tick} from {} to {}: {fault}", trial.from, trial.to));
            }
            steps.advance(1)?;
        }
        self.tally.count(self.walker.traps_seen, self.walker.repairs);
        Ok(())
    }
}

/// Returns the optimum of a trial as a fresh plain A* finds it, and the least time of `repeat` searches.
fn plain_search(
    world: &AnySnapshot,
    trial: &Trial,
    repeat: usize,
    scratch: &mut AnyScratch,
) -> (Option<Optimum>, Duration) {
    let planner = plain_planner(world);
    let (mut optimum, mut least) = (None, Duration::MAX);
    for _ in 0..repeat {
        let found = planner.find_clocked(world, trial.query(None), scratch, Instant::now);
        let (outcome, [begun, end]) = found.expect("agents stand on free cells");
        least = least.min(end - begun);
        optimum = outcome.route().map(|route| Optimum { length: route.length(world), cost: Some(route.cost()) });
    }
    (optimum, least)
}

/// The times of a tick.
struct Clocked {
    repair: Duration,
    plan: Duration,
    /// The answer of an algorithm that plans from nothing.
    outcome: Option<Outcome<AnyRoute>>,
}

#[cfg(test)]
mod tests;
