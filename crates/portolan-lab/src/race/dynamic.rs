//! Races on dynamic scenarios: the map is patched between queries, and every algorithm follows the patches and answers the
//! same queries.
//!
//! - The patches before the first query are the map, for which every planner is built. All patches between two queries are
//!   one change of the world.
//! - After each change every algorithm has its turn: it is repaired, and then it answers the queries up to the next change.
//!   The algorithm that goes first changes from turn to turn. Every query is asked once.
//! - An algorithm that keeps searches alive ([`AnyPlanner::keeps_searches`]) has one agent for the whole race, which is
//!   told of every change and is set to the start and the goal of each query. The others search from nothing.
//! - Every answer is judged ([`crate::judge`]), outside the measured time, by the length that the scenario states.
//! - An algorithm whose repair fails answers no more queries; its row gives the reason.
//!
//! Not here: reading scenarios, and showing results.

mod row;

pub use row::DynamicRow;

use super::answer::answered;
use super::row::{Skipped, to_places};
use super::{Entrant, FAULTS_TOLD};
use crate::judge::{Fault, Optimum, Reference, judge, optima};
use crate::progress::{Cancelled, Progress, Steps};
use crate::queries::{Trial, lengths_hold};
use portolan::any::{AnyPlanner, AnyReplanner, AnyRoute, AnyScratch, AnySnapshot, AnyWorld};
use portolan::{Edit, EditError, GridError, Outcome, Rules, SquareGrid};
use portolan_formats::dynamic::{Command, DynamicScenario, Patch};
use row::Tally;
use serde::Serialize;
use std::time::{Duration, Instant};

/// The result of a race on a dynamic scenario.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DynamicRace {
    /// The name of the scenario.
    pub scenario: String,
    /// Columns of the map.
    pub width: usize,
    /// Rows of the map.
    pub height: usize,
    /// The number of queries.
    pub queries: usize,
    /// The number of patches, including those before the first query.
    pub patches: usize,
    /// How often the map was changed after the first query.
    pub changes: usize,
    /// Milliseconds that the world itself takes to apply these changes, which are not part of any algorithm's time.
    pub apply_ms: f64,
    /// One row for each algorithm, in the order of the entrants.
    pub rows: Vec<DynamicRow>,
    /// The algorithms that could not start.
    pub skipped: Vec<Skipped>,
    /// The first wrong answers, in words.
    pub faults: Vec<String>,
}

impl DynamicRace {
    /// Returns the number of wrong answers.
    pub fn mismatches(&self) -> usize {
        self.rows.iter().map(|row| row.mismatches).sum()
    }
}

/// Why there is no result of a race on a dynamic scenario.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum DynamicRaceError {
    /// The scenario has no queries.
    #[error("there are no queries in it")]
    NoQueries,
    /// A world of this size cannot be made.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A patch does not lie on the map.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The race was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Races the entrants on a scenario with these patches, under these rules. `progress` receives the number of queries
/// answered by all entrants together, and the total.
///
/// Stated lengths are the optimum if the rules are those of the benchmarks ([`lengths_hold`]); otherwise it is computed.
///
/// # Errors
/// When the scenario has no queries, its map cannot be made, a patch does not lie on the map, or `progress` stops the race.
/// It is not called while a planner is built or repaired.
pub fn race_dynamic(
    name: &str,
    scenario: (&DynamicScenario, &[Patch]),
    rules: Rules,
    entrants: &[Entrant],
    progress: &mut Progress,
) -> Result<DynamicRace, DynamicRaceError> {
    let (DynamicScenario { width, height, .. }, states) = (scenario.0, states(scenario));
    let (first, later) = states.split_first().ok_or(DynamicRaceError::NoQueries)?;
    let queries: usize = states.iter().map(|state| state.trials.len()).sum();
    let mut steps = Steps::new(progress, (queries * entrants.len()) as u64)?;
    let mut world = AnyWorld::from(SquareGrid::open(*width, *height, rules)?);
    world.apply(&first.edits)?;
    let (mut runners, mut skipped) = (Vec::new(), Vec::new());
    for entrant in entrants {
        match Runner::new(&world.snapshot(), entrant) {
            Ok(runner) => runners.push(runner),
            Err(reason) => {
                skipped.push(Skipped { algorithm: entrant.name(), reason });
                steps.advance(queries as u64)?;
            }
        }
        steps.still()?;
    }
    let (mut applied, mut faults) = (Duration::ZERO, Vec::new());
    let (mut scratch, mut asked) = (AnyScratch::new(), 0);
    for (turn, state) in states.iter().enumerate() {
        if turn > 0 {
            let begun = Instant::now();
            world.apply(&state.edits)?;
            applied += begun.elapsed();
        }
        let now = world.snapshot();
        let scene =
            Scene { world: &now, edits: &state.edits, trials: &state.trials, optima: state.optima(&now), asked };
        for place in 0..runners.len() {
            let runner = (place + turn) % runners.len();
            let runner: &mut Runner = &mut runners[runner];
            runner.play(&scene, turn > 0, &mut scratch, &mut faults, &mut steps)?;
        }
        asked += state.trials.len();
    }
    let patches = scenario.0.commands.iter().filter(|command| matches!(command, Command::Patch { .. })).count();
    Ok(DynamicRace {
        scenario: name.to_owned(),
        width: *width,
        height: *height,
        queries,
        patches,
        changes: later.len(),
        apply_ms: to_places(applied.as_secs_f64() * 1e3, 3),
        rows: runners.into_iter().map(Runner::finish).collect(),
        skipped,
        faults,
    })
}

/// A change of the map, and the queries between it and the next.
struct State {
    edits: Vec<Edit>,
    trials: Vec<Trial>,
}

impl State {
    /// Returns the optimum of each trial, `None` if there is no route.
    fn optima(&self, world: &AnySnapshot) -> Vec<Option<Optimum>> {
        if lengths_hold(world) {
            let stated = |trial: &Trial| trial.stated.map(|length| Optimum { length, cost: None });
            return self.trials.iter().map(stated).collect();
        }
        let one = |trial: &Trial| {
            world.is_free(trial.from).then(|| optima(world, &[*trial], Reference::Computed).pop().flatten()).flatten()
        };
        self.trials.iter().map(one).collect()
    }
}

/// Returns the states of the map that have queries, in order. Patches after the last query are left out.
fn states((scenario, patches): (&DynamicScenario, &[Patch])) -> Vec<State> {
    let mut states: Vec<State> = Vec::new();
    let mut edits = Vec::new();
    for command in &scenario.commands {
        match *command {
            Command::Patch { patch, at, .. } => edits.extend(patches[patch].edits(at)),
            Command::Query { from, to, length, .. } => {
                let trial = Trial { from, to, stated: (length >= 0.0).then_some(length) };
                match states.last_mut() {
                    Some(state) if edits.is_empty() => state.trials.push(trial),
                    _ => states.push(State { edits: std::mem::take(&mut edits), trials: vec![trial] }),
                }
            }
        }
    }
    states
}

/// A state of the map as the runners see it.
struct Scene<'a> {
    world: &'a AnySnapshot,
    edits: &'a [Edit],
    trials: &'a [Trial],
    optima: Vec<Option<Optimum>>,
    /// The number of queries in the states before.
    asked: usize,
}

/// An entrant that follows the scenario.
struct Runner<'a> {
    entrant: &'a Entrant,
    planner: AnyPlanner,
    /// The agent whose search is kept alive, from the first query on, if the algorithm keeps searches alive.
    agent: Option<AnyReplanner>,
    tally: Tally,
}

impl<'a> Runner<'a> {
    fn new(world: &AnySnapshot, entrant: &'a Entrant) -> Result<Runner<'a>, String> {
        let begun = Instant::now();
        let planner = AnyPlanner::build(world, entrant.algorithm, entrant.settings.clone());
        let tally = Tally::of_build(begun.elapsed());
        let planner = planner.map_err(|error| error.to_string())?;
        Ok(Runner { entrant, planner, agent: None, tally })
    }

    /// Follows the change of the map, if there is one, and answers the queries. Every query is one step.
    fn play(
        &mut self,
        scene: &Scene,
        is_changed: bool,
        scratch: &mut AnyScratch,
        faults: &mut Vec<String>,
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
        if is_changed {
            self.follow(scene);
        }
        for (index, (trial, optimum)) in scene.trials.iter().zip(&scene.optima).enumerate() {
            let verdict = self.answer(scene.world, trial, *optimum, scratch);
            if let Err(fault) = verdict
                && faults.len() < FAULTS_TOLD
            {
                let (name, number) = (self.entrant.name(), scene.asked + index + 1);
                faults.push(format!("{name} at query {number} from {} to {}: {fault}", trial.from, trial.to));
            }
            steps.advance(1)?;
        }
        Ok(())
    }

    fn follow(&mut self, scene: &Scene) {
        if self.tally.lost.is_some() {
            return;
        }
        let begun = Instant::now();
        let repair = self.planner.repair(scene.world, scene.edits);
        if let (Ok(_), Some(agent)) = (&repair, &mut self.agent) {
            agent.edited(&self.planner, scene.world, scene.edits);
        }
        self.tally.repair += begun.elapsed();
        self.tally.lost = repair.err().map(|error| error.to_string());
    }

    fn answer(
        &mut self,
        world: &AnySnapshot,
        trial: &Trial,
        optimum: Option<Optimum>,
        scratch: &mut AnyScratch,
    ) -> Result<(), Fault> {
        if self.tally.lost.is_some() {
            return Ok(());
        }
        // No query can start on a blocked cell: there is no route.
        let (outcome, time) = if world.is_free(trial.from) {
            self.find(world, trial, scratch)
        } else {
            (Outcome::Unreachable, Duration::ZERO)
        };
        let gave_up = matches!(outcome, Outcome::OutOfBudget) && self.entrant.may_give_up();
        let promise = self.planner.promise(world);
        let verdict = judge(world, trial, optimum, promise, self.entrant.may_give_up(), &outcome);
        self.tally.add(time, gave_up, optimum, &verdict);
        verdict.map(|_| ())
    }

    fn find(&mut self, world: &AnySnapshot, trial: &Trial, scratch: &mut AnyScratch) -> (Outcome<AnyRoute>, Duration) {
        if !self.planner.keeps_searches() {
            let query = trial.query(self.entrant.budget);
            let found = self.planner.find_clocked(world, query, scratch, Instant::now);
            let (outcome, [begun, end]) = found.expect("the start is free and the planner was repaired");
            return (outcome, end - begun);
        }
        let budget = self.entrant.budget.unwrap_or(u64::MAX);
        let begun = Instant::now();
        let agent = self.agent.get_or_insert_with(|| AnyReplanner::new(world, trial.from, trial.to));
        agent.moved(trial.from);
        agent.aim(trial.to);
        let progress = agent.step(&self.planner, world, scratch, budget, None);
        let time = begun.elapsed();
        (answered(world, progress.expect("the start is free and the planner was repaired"), agent.left()), time)
    }

    fn finish(self) -> DynamicRow {
        DynamicRow::new(self.entrant, self.planner.bytes(), self.tally)
    }
}

#[cfg(test)]
mod tests;
