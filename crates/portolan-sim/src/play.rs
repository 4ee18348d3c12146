//! Playing test cases: [`Play`] applies a case's edits to a [`Sim`] at their ticks, and [`run`] plays a case to its
//! end.
//!
//! Not here: reading cases, and finding the worlds they name.

use crate::behaviour::Behaviour;
use crate::log::counted;
use crate::sim::{OffMap, Sim};
use crate::state::State;
use crate::walker::Walker;
use portolan::auto::{Edits, Use, choose};
use portolan::{BuildError, Cell, Edit, EditError, Planner, Snapshot, World};
use portolan_formats::{Case, ReadError};
use std::fmt::Write;

/// A case that is being played, tick by tick, with any number of walkers. All of them go from the start to the goal of
/// the case; those with the same algorithm and settings share a planner.
pub struct Play {
    sim: Sim,
    from: Cell,
    to: Cell,
    behaviour: Behaviour,
    /// Edits that have not happened yet, sorted by tick.
    edits: Vec<(u64, Edit)>,
    /// How many of the edits have happened.
    done: usize,
    limit: u64,
}

/// Why a case cannot be played on a world.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// The case says something about its agent that means nothing.
    #[error(transparent)]
    Words(#[from] ReadError),
    /// Start or goal is not on the map.
    #[error(transparent)]
    OffMap(#[from] OffMap),
    /// An edit reaches off the map or covers nothing.
    #[error("at {tick}: {source}")]
    Edit {
        /// The tick at which it was to happen.
        tick: u64,
        /// What is wrong with it.
        source: EditError,
    },
}

impl Play {
    /// Ticks for each cell of the world that a case without a limit of its own is given.
    const TICKS_PER_CELL: u64 = 4;

    /// Prepares a case on its world, without walkers.
    ///
    /// # Errors
    /// When the words about the agent mean nothing, or the case does not fit on the world.
    pub fn new(case: &Case, world: World) -> Result<Play, PlayError> {
        let behaviour = Behaviour::of(case)?;
        OffMap::check(&world.snapshot().into(), &[case.from, case.to])?;
        let (width, height) = (world.width(), world.height());
        for &(tick, edit) in &case.edits {
            edit.check(width, height).map_err(|source| PlayError::Edit { tick, source })?;
        }
        let mut edits = case.edits.clone();
        edits.sort_by_key(|&(tick, _)| tick);
        let limit = case.ticks.unwrap_or(Self::TICKS_PER_CELL * (width * height) as u64);
        let Case { from, to, .. } = *case;
        Ok(Play { sim: Sim::new(world), from, to, behaviour, edits, done: 0, limit })
    }

    /// Adds a walker with this planner, which goes from the start to the goal of the case. Returns its index.
    pub fn add(&mut self, planner: Planner) -> usize {
        let Behaviour { replan, follow } = self.behaviour;
        let walker = self.sim.add(planner, self.from, self.to, replan).expect("start and goal were checked");
        self.sim.follow(walker, follow);
        walker
    }

    /// Returns the world and its walkers.
    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    /// Returns the world and its walkers, to change them.
    pub fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    /// Edits that have not happened yet, sorted by tick.
    pub fn to_come(&self) -> &[(u64, Edit)] {
        &self.edits[self.done..]
    }

    /// Returns the number of ticks after which the case ends at the latest.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns whether the case is over: all walkers have arrived, or none can move and no edits are left, or the time
    /// is up.
    pub fn is_over(&self) -> bool {
        let walkers = self.sim.walkers();
        let arrived = walkers.iter().all(|walker| walker.state() == State::Arrived);
        let hopeless = self.to_come().is_empty() && !self.sim.is_moving();
        arrived || hopeless || self.sim.tick_count() >= self.limit
    }

    /// Applies the edits that are due, then lets every walker take one step. Returns false when the case is over. If it
    /// was over before the call, nothing happens.
    pub fn tick(&mut self) -> bool {
        if self.is_over() {
            return false;
        }
        let now = self.sim.tick_count();
        let due: Vec<Edit> =
            self.to_come().iter().take_while(|(tick, _)| *tick <= now).map(|&(_, edit)| edit).collect();
        self.done += due.len();
        self.sim.edit(&due).expect("edits were checked");
        self.sim.tick();
        !self.is_over()
    }

    /// Plays the case to its end.
    pub fn finish(mut self) -> Run {
        while self.tick() {}
        Run { sim: self.sim }
    }
}

/// A case that was played.
pub struct Run {
    sim: Sim,
}

impl Run {
    /// Returns the world and its walkers at the end.
    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    /// Returns the walker, or the first if there are several.
    ///
    /// # Panics
    /// When no walker was added.
    pub fn walker(&self) -> &Walker {
        &self.sim.walkers()[0]
    }

    /// Returns how many ticks the case took.
    pub fn ticks(&self) -> u64 {
        self.sim.tick_count()
    }

    /// Returns the log of [`Run::walker`] in lines, and how the case ended for it. A case played again with the same
    /// planner gives the same bytes.
    ///
    /// # Panics
    /// When no walker was added.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for entry in self.walker().log() {
            let _ = writeln!(text, "{entry}");
        }
        text + &self.closing() + "\n"
    }

    /// Returns one line on how the case ended for [`Run::walker`].
    ///
    /// # Panics
    /// When no walker was added.
    pub fn closing(&self) -> String {
        let (walker, work) = (self.walker(), self.walker().work());
        let end = match walker.state() {
            State::Walking => format!("still on its way at {}", walker.at()),
            State::Arrived => "arrived".to_owned(),
            State::Stopped(why) => format!("stopped at {}: {why}", walker.at()),
        };
        let count = |count: u64, noun: &str| counted(count as usize, noun);
        format!(
            "{end}; tick {}, {}, length {:.2}, cost {}; {}, {} expanded, {}, open list {:.1} in the mean; {}, {} redone",
            self.ticks(),
            count(work.steps, "step"),
            work.length,
            work.cost,
            count(work.searches, "search"),
            work.expanded,
            count(work.pushes, "push"),
            work.open_mean,
            count(work.repairs, "repair"),
            count(work.clusters, "cluster")
        )
    }
}

/// Plays a case to its end on its world, with this planner.
///
/// # Errors
/// As [`Play::new`].
pub fn run(case: &Case, world: World, planner: Planner) -> Result<Run, PlayError> {
    let mut play = Play::new(case, world)?;
    play.add(planner);
    Ok(play.finish())
}

/// Builds the planner for a case: the one that the case names, or else the one that the rules choose for a world with
/// such edits, together with the reason for that choice.
///
/// # Errors
/// When the algorithm is unknown, does not take the settings, or does not run on this world.
pub fn planner(case: &Case, world: &Snapshot) -> Result<(Planner, Option<String>), BuildError> {
    if let Some((name, settings)) = &case.with {
        let algorithm = portolan::algorithm(name).ok_or_else(|| BuildError::Unknown(name.clone()))?;
        return Ok((Planner::build(world, algorithm, algorithm.settings(settings)?)?, None));
    }
    let usage = Use { edits: Edits::Sometimes, ..Use::default() };
    let base = world.uniform_weight();
    let is_odd = |edit: &&Edit| match edit.terrain() {
        Some(terrain) => terrain.is_free() && base != Some(terrain.weight()),
        None => true,
    };
    let odd: Vec<Edit> = case.edits.iter().map(|(_, edit)| edit).filter(is_odd).copied().collect();
    // An algorithm for uniform worlds may not run once edits have brought other weights, or borders. So the rules look at the world
    // with these edits applied, if they fit on it.
    let mut becoming = World::from((**world).clone());
    let choice = if becoming.apply(&odd).is_ok() { choose(&becoming, usage) } else { choose(world, usage) };
    Ok((Planner::build(world, choice.algorithm, choice.settings)?, Some(choice.why)))
}
