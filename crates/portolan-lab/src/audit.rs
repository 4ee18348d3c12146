//! Audits: check whether algorithms that promise the optimum find the lengths that a scenario states.
//!
//! Nothing is timed, so the trials are distributed over all cores; the result does not depend on their number.
//!
//! Not here: finding and reading scenario files.

use crate::judge::{Fault, Optimum, judge};
use crate::progress::{Cancelled, Progress, Steps};
use crate::queries::Trial;
use crate::race::Entrant;
use portolan::any::{AnyPlanner, AnyScratch, AnySnapshot, AnyWorld};
use portolan::{BuildError, EditError, GridError, Outcome, Promise, RepairError, Rules, SquareGrid};
use portolan_formats::dynamic::{Command, DynamicScenario, Patch};
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Expansions after which an algorithm that can take very long gives up a trial, unless the user sets another limit.
pub const PATIENCE: u64 = 20_000;

/// Trials that a thread takes at a time.
const SHARE: usize = 32;

/// How an algorithm did on a scenario.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Finding {
    /// Its command name.
    pub algorithm: String,
    /// The number of queries.
    pub queries: usize,
    /// The number of queries that were answered rightly: with a legal route that keeps the algorithm's promise, or with
    /// none if the scenario states that there is none.
    pub right: usize,
    /// The number of queries given up because the budget ran out, which is no mismatch.
    pub out_of_budget: usize,
    /// The number of wrong answers.
    pub mismatches: usize,
    /// The first wrong answers, in words.
    pub faults: Vec<String>,
}

impl Finding {
    fn of(algorithm: &str) -> Finding {
        Finding { algorithm: algorithm.to_owned(), ..Finding::default() }
    }

    fn add(&mut self, trial: &Trial, verdict: Result<Option<f64>, Fault>) {
        self.queries += 1;
        match verdict {
            Ok(Some(_)) => self.right += 1,
            Ok(None) if trial.stated.is_none() => self.right += 1,
            Ok(None) => self.out_of_budget += 1,
            Err(fault) => {
                self.mismatches += 1;
                if self.faults.len() < FAULTS_TOLD {
                    self.faults.push(format!("from {} to {}: {fault}", trial.from, trial.to));
                }
            }
        }
    }
}

/// The greatest number of faults that are described in words for each algorithm; the others are only counted.
const FAULTS_TOLD: usize = 3;

/// Why an audit has no result.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum AuditError {
    /// The algorithm does not run on this world.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A world of this size cannot be made.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A patch does not lie on the map.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The algorithm could not follow a patch.
    #[error(transparent)]
    Repair(#[from] RepairError),
    /// The audit was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Returns whether the entrant runs on this world and promises the optimum on it.
pub fn is_optimal(entrant: &Entrant, world: &AnySnapshot) -> bool {
    let algorithm = entrant.algorithm;
    algorithm.suits(world).is_ok() && algorithm.promise(world, &entrant.settings) == Promise::Optimal
}

/// Answers the trials and checks every answer against the stated length and the algorithm's promise. `progress`
/// receives the number of trials done and the total.
///
/// # Errors
/// When the algorithm does not run on this world, or `progress` stops the audit.
///
/// # Panics
/// When a trial starts off the map or on a blocked cell; [`crate::queries`] makes no such trials.
pub fn audit(
    world: &AnySnapshot,
    trials: &[Trial],
    entrant: &Entrant,
    progress: &mut Progress,
) -> Result<Finding, AuditError> {
    let mut steps = Steps::new(progress, trials.len() as u64)?;
    let planner = AnyPlanner::build(world, entrant.algorithm, entrant.settings.clone())?;
    let promise = planner.promise(world);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let threads = thread::available_parallelism().map_or(1, usize::from).min(trials.len().div_ceil(SHARE)).max(1);
    let mut verdicts: Vec<_> = trials.iter().map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, planner) = (sender.clone(), &next, &planner);
            scope.spawn(move || {
                let mut scratch = AnyScratch::new();
                loop {
                    let first = next.fetch_add(SHARE, Ordering::Relaxed);
                    for (index, trial) in trials.iter().enumerate().skip(first).take(SHARE) {
                        let verdict = answer(world, trial, entrant, planner, promise, &mut scratch);
                        if sender.send((index, verdict)).is_err() {
                            return;
                        }
                    }
                    if first >= trials.len() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // The loop owns the receiver: when it returns early, the receiver is dropped, `send` fails in every thread that
        // still searches, and these threads stop too.
        for (index, verdict) in receiver {
            verdicts[index] = Some(verdict);
            steps.advance(1)?;
        }
        Ok::<(), Cancelled>(())
    })?;
    let mut finding = Finding::of(entrant.algorithm.name());
    for (trial, verdict) in trials.iter().zip(verdicts) {
        finding.add(trial, verdict.expect("every trial was answered"));
    }
    Ok(finding)
}

fn answer(
    world: &AnySnapshot,
    trial: &Trial,
    entrant: &Entrant,
    planner: &AnyPlanner,
    promise: Promise,
    scratch: &mut AnyScratch,
) -> Result<Option<f64>, Fault> {
    let outcome = planner.find(world, trial.query(entrant.budget), scratch).expect("trials start on free cells");
    let optimum = trial.stated.map(|length| Optimum { length, cost: None });
    let may_give_up = matches!(outcome, Outcome::OutOfBudget) && (entrant.budget.is_some() || entrant.can_take_ages());
    judge(world, trial, optimum, promise, may_give_up, &outcome)
}

/// Plays a dynamic scenario: applies its patches to the world, repairs the planner, and checks every answer in between
/// against the stated length. `progress` receives the number of commands done and the total.
///
/// # Errors
/// When the algorithm does not run on such worlds or cannot follow a patch, a patch does not lie on the map, or
/// `progress` stops the audit.
pub fn audit_dynamic(
    scenario: &DynamicScenario,
    patches: &[Patch],
    rules: Rules,
    entrant: &Entrant,
    progress: &mut Progress,
) -> Result<Finding, AuditError> {
    let mut steps = Steps::new(progress, scenario.commands.len() as u64)?;
    let mut world = AnyWorld::from(SquareGrid::open(scenario.width, scenario.height, rules)?);
    let mut planner = AnyPlanner::build(&world.snapshot(), entrant.algorithm, entrant.settings.clone())?;
    let mut scratch = AnyScratch::new();
    let mut finding = Finding::of(entrant.algorithm.name());
    let mut edits = Vec::new();
    for command in &scenario.commands {
        match *command {
            Command::Patch { patch, at, .. } => edits.extend(patches[patch].edits(at)),
            Command::Query { from, to, length, .. } => {
                // The patches between two queries are applied as one change of the world.
                world.apply(&edits)?;
                let now = world.snapshot();
                planner.repair(&now, &edits)?;
                edits.clear();
                let trial = Trial { from, to, stated: (length >= 0.0).then_some(length) };
                let verdict = if now.is_free(from) {
                    answer(&now, &trial, entrant, &planner, planner.promise(&now), &mut scratch)
                } else {
                    // No query can start on a blocked cell: this is right if the scenario states that there is no
                    // route.
                    trial.stated.map_or(Ok(None), |optimum| Err(Fault::Unsolved { outcome: "start blocked", optimum }))
                };
                finding.add(&trial, verdict);
            }
        }
        steps.advance(1)?;
    }
    Ok(finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Reference, optima};
    use crate::progress::go_on;
    use crate::progress::tests::{all_told, stopped_at};
    use crate::queries;

    #[test]
    fn a_dynamic_scenario_is_played_patch_by_patch() {
        let wall = Patch { width: 1, height: 9, free: vec![false; 9] };
        let gap = Patch { width: 1, height: 1, free: vec![true] };
        let ask = |length| Command::Query { group: 0, from: (0, 4).into(), to: (8, 4).into(), length };
        let lay = |patch, x, y| Command::Patch { group: 0, patch, at: (x, y).into() };
        let commands =
            vec![ask(8.0), lay(0, 4, 0), ask(-1.0), lay(1, 4, 4), ask(8.0), lay(0, 0, 0), ask(-1.0), ask(8.0)];
        let scenario = DynamicScenario { width: 9, height: 9, patch_file: "a.patch".into(), commands };
        for name in ["a-star", "jump-point"] {
            let entrant = Entrant::new(portolan::algorithm(name).unwrap());
            let rules = Rules::default();
            let patches = [wall.clone(), gap.clone()];
            let finding = audit_dynamic(&scenario, &patches, rules, &entrant, &mut go_on).unwrap();
            assert_eq!((finding.queries, finding.right, finding.mismatches), (5, 4, 1), "{:?}", finding.faults);
            let play = |progress: &mut Progress| audit_dynamic(&scenario, &patches, rules, &entrant, progress);
            assert_eq!(all_told(play).0, finding);
            assert_eq!(stopped_at(4, play).0, Err(AuditError::Cancelled(Cancelled)));
        }
    }

    #[test]
    fn right_and_wrong_lengths_are_told_apart() {
        let world = AnySnapshot::from(SquareGrid::open(40, 40, Rules::default()).unwrap());
        let mut trials = queries::random(&world, 100, 2).unwrap();
        let lengths = optima(&world, &trials, Reference::Computed);
        for (trial, optimum) in trials.iter_mut().zip(lengths) {
            trial.stated = optimum.map(|optimum| optimum.length);
        }
        trials[70].stated = Some(1.0);
        let finding = audit(&world, &trials, &Entrant::named(&world, "a-star").unwrap(), &mut go_on).unwrap();
        assert_eq!((finding.queries, finding.right, finding.mismatches), (100, 99, 1));
        assert_eq!(finding.faults.len(), 1);
        let again =
            |progress: &mut Progress| audit(&world, &trials, &Entrant::named(&world, "a-star").unwrap(), progress);
        assert_eq!(all_told(again).0, finding);
        for call in [1, 40] {
            assert_eq!(stopped_at(call, again).0, Err(AuditError::Cancelled(Cancelled)));
        }
    }

    #[test]
    fn a_scenario_that_states_no_route_is_held_to_it() {
        let wall: Vec<u8> = (0..9 * 4).map(|i| u8::from(i % 9 != 4)).collect();
        let world = AnySnapshot::from(SquareGrid::from_weights(9, 4, &wall, Rules::default()).unwrap());
        let text = "version 1\n0\ta.map\t9\t4\t0\t0\t8\t0\t0\n0\ta.map\t9\t4\t0\t0\t3\t0\t0\n";
        let scenario = portolan_formats::scen::read(text.as_bytes()).unwrap();
        let trials = queries::of_scenario(&scenario, &world).unwrap();
        let finding = audit(&world, &trials, &Entrant::named(&world, "jump-point").unwrap(), &mut go_on).unwrap();
        assert_eq!((finding.queries, finding.right, finding.mismatches), (2, 1, 1), "{:?}", finding.faults);
    }
}
