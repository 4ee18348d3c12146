//! Test cases put on: [`Play`] feeds a case's edits to a [`Sim`] at their ticks, and [`run`] plays one to its end.
//!
//! Not here: reading cases, and finding the worlds they name.

use crate::log::counted;
use crate::sim::{OffMap, Sim};
use crate::walker::{State, Walker};
use portolan::{BuildError, Cell, Edit, EditError, Edits, Planner, Snapshot, Use, World, choose};
use portolan_formats::{Case, Follow, Replan};
use std::fmt::Write;

/// A case under way, tick by tick, with any number of walkers that all go the same way by planners of their own.
pub struct Play {
    sim: Sim,
    from: Cell,
    to: Cell,
    replan: Replan,
    follow: Follow,
    /// What is still to happen, by tick.
    edits: Vec<(u64, Edit)>,
    /// How much of it has happened.
    done: usize,
    limit: u64,
}

/// Why a case cannot be played on a world.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// Start or goal is not on the map.
    #[error(transparent)]
    OffMap(#[from] OffMap),
    /// An edit reaches off the map or covers nothing.
    #[error("at {tick}: {source}")]
    Edit {
        /// When it was to happen.
        tick: u64,
        /// What is wrong with it.
        source: EditError,
    },
}

impl Play {
    /// Ticks a case is given that says nothing of them, for each cell of its world.
    const TICKS_PER_CELL: u64 = 4;

    /// A case about to begin on its world, with nobody there yet.
    ///
    /// # Errors
    /// When the case does not fit on the world.
    pub fn new(case: &Case, world: World) -> Result<Play, PlayError> {
        OffMap::check(&world, &[case.from, case.to])?;
        let (width, height) = (world.width(), world.height());
        for &(tick, Edit { area, .. }) in &case.edits {
            let fits = |at: u16, cells: u16, side| cells > 0 && usize::from(at) + usize::from(cells) <= side;
            if !fits(area.x, area.width, width) || !fits(area.y, area.height, height) {
                return Err(PlayError::Edit { tick, source: EditError { area, width, height } });
            }
        }
        let mut edits = case.edits.clone();
        edits.sort_by_key(|&(tick, _)| tick);
        let limit = case.ticks.unwrap_or(Self::TICKS_PER_CELL * (width * height) as u64);
        let Case { from, to, replan, follow, .. } = *case;
        Ok(Play { sim: Sim::new(world), from, to, replan, follow, edits, done: 0, limit })
    }

    /// Lets another walker set out by this planner, from where and whereto the case says. Gives its index.
    pub fn add(&mut self, planner: Planner) -> usize {
        let walker = self.sim.add(planner, self.from, self.to, self.replan).expect("start and goal were checked");
        self.sim.follow(walker, self.follow);
        walker
    }

    /// The world and who walks on it.
    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    /// The same, to interfere.
    pub fn sim_mut(&mut self) -> &mut Sim {
        &mut self.sim
    }

    /// What is still to happen, by tick.
    pub fn to_come(&self) -> &[(u64, Edit)] {
        &self.edits[self.done..]
    }

    /// How many ticks it is given.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Whether nothing will change any more: all have arrived, or stand still with nothing to hope for, or the time is up.
    pub fn is_over(&self) -> bool {
        let walkers = self.sim.walkers();
        let arrived = walkers.iter().all(|walker| walker.state() == State::Arrived);
        let hopeless = self.to_come().is_empty() && !self.sim.is_moving();
        arrived || hopeless || self.sim.tick_count() >= self.limit
    }

    /// Lets happen what is due, then everybody take a step. False when the case is over, and then nothing happens.
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

    /// Plays to the end.
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
    /// The world and its walkers in the end.
    pub fn sim(&self) -> &Sim {
        &self.sim
    }

    /// The walker, or the first of several.
    ///
    /// # Panics
    /// When nobody set out.
    pub fn walker(&self) -> &Walker {
        &self.sim.walkers()[0]
    }

    /// How many ticks it took.
    pub fn ticks(&self) -> u64 {
        self.sim.tick_count()
    }

    /// The log of that walker in lines, and how it ended. The same bytes for the same case and planner.
    ///
    /// # Panics
    /// When nobody set out.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for entry in self.walker().log() {
            let _ = writeln!(text, "{entry}");
        }
        text + &self.closing() + "\n"
    }

    /// How it ended for that walker, in a line.
    ///
    /// # Panics
    /// When nobody set out.
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
/// When the case does not fit on the world.
pub fn run(case: &Case, world: World, planner: Planner) -> Result<Run, PlayError> {
    let mut play = Play::new(case, world)?;
    play.add(planner);
    Ok(play.finish())
}

/// The planner a case asks for, or what the rules choose for a world that sees such edits and why.
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
    let is_odd = |edit: &&Edit| edit.terrain.is_free() && base != Some(edit.terrain.weight());
    let odd: Vec<Edit> = case.edits.iter().map(|(_, edit)| edit).filter(is_odd).copied().collect();
    // What suits a uniform world may refuse the one it becomes: look at that one, if the edits lie on it.
    let mut becoming = World::from((**world).clone());
    let choice = if becoming.apply(&odd).is_ok() { choose(&becoming, usage) } else { choose(world, usage) };
    Ok((Planner::build(world, choice.algorithm, choice.settings)?, Some(choice.why)))
}
