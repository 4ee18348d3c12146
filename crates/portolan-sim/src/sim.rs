//! A world and those who walk on it, in lock step: [`Sim`].

use crate::walker::{State, Walker};
use portolan::{Cell, Edit, EditError, Planner, SquareGrid, World};
use portolan_formats::{Follow, Replan};

/// A world on a clock that ticks, and any number of walkers with a planner each.
///
/// Time is counted in ticks that have passed. What is done between two ticks, edits and new goals, happens at that
/// time; [`Sim::tick`] lets everybody who has reason to think again, then take one step.
pub struct Sim {
    world: World,
    walkers: Vec<Walker>,
    ticks: u64,
    keeps_traces: bool,
}

/// A cell that is not on the map.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{cell} lies off the map, which is {width} x {height}")]
pub struct OffMap {
    /// Which.
    pub cell: Cell,
    /// Columns of the map.
    pub width: usize,
    /// Rows of the map.
    pub height: usize,
}

impl OffMap {
    pub(crate) fn check(grid: &SquareGrid, cells: &[Cell]) -> Result<(), OffMap> {
        match cells.iter().find(|&&cell| !grid.contains(cell)) {
            Some(&cell) => Err(OffMap { cell, width: grid.width(), height: grid.height() }),
            None => Ok(()),
        }
    }
}

impl Sim {
    /// A world nobody walks on yet.
    pub fn new(world: World) -> Sim {
        Sim { world, walkers: Vec::new(), ticks: 0, keeps_traces: false }
    }

    /// Puts a walker on the world and lets it plan at once; its planner follows edits by repair. A planner that does not know this world as it is now is
    /// built anew. Gives the walker's index.
    ///
    /// # Errors
    /// When start or goal lies off the map.
    pub fn add(&mut self, planner: Planner, from: Cell, to: Cell, replan: Replan) -> Result<usize, OffMap> {
        OffMap::check(&self.world, &[from, to])?;
        let mut walker = Walker::new(planner, from, to, replan);
        walker.keep_trace(self.keeps_traces);
        walker.settle(&self.world, self.ticks);
        self.walkers.push(walker);
        Ok(self.walkers.len() - 1)
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, for other uses.
    pub fn into_world(self) -> World {
        self.world
    }

    /// How many ticks have passed.
    pub fn tick_count(&self) -> u64 {
        self.ticks
    }

    /// Everybody, in the order they came.
    pub fn walkers(&self) -> &[Walker] {
        &self.walkers
    }

    /// Whether anybody is on the way, or may be once the next planner is ready.
    pub fn is_moving(&self) -> bool {
        let may_move = |walker: &Walker| match walker.state() {
            State::Walking => true,
            State::Arrived => false,
            State::Stopped(_) => walker.is_behind(),
        };
        self.walkers.iter().any(may_move)
    }

    /// Keeps the events of every walker's latest search from now on, for [`Walker::trace`], or lets go of them.
    pub fn keep_traces(&mut self, keep: bool) {
        self.keeps_traces = keep;
        for walker in &mut self.walkers {
            walker.keep_trace(keep);
        }
    }

    /// Changes the world and repairs every planner. Walkers take note if a step they were going to take is no longer
    /// legal or has another price, or, if they are told to, in any case; those who have stopped try again. They think
    /// at the next tick, or, where planners follow by [`Follow::Rebuild`], when the next one is ready.
    ///
    /// # Errors
    /// When an edit reaches off the map or covers nothing; then nothing has happened.
    pub fn edit(&mut self, edits: &[Edit]) -> Result<(), EditError> {
        if edits.is_empty() {
            return Ok(());
        }
        // Only where somebody needs it: while a snapshot is held, the world has to move on to a copy.
        let rebuilds = |walker: &Walker| walker.follow() != Follow::Repair;
        let before = self.walkers.iter().any(rebuilds).then(|| self.world.snapshot());
        self.world.apply(edits)?;
        for walker in &mut self.walkers {
            walker.notice(before.as_ref(), &self.world, edits, self.ticks);
        }
        Ok(())
    }

    /// Gives a walker another goal, for which it sets off at the next tick.
    ///
    /// # Errors
    /// When the goal lies off the map.
    ///
    /// # Panics
    /// When there is no such walker.
    pub fn aim(&mut self, walker: usize, to: Cell) -> Result<(), OffMap> {
        OffMap::check(&self.world, &[to])?;
        self.walkers[walker].aim(to, self.ticks);
        Ok(())
    }

    /// How a walker's planner follows edits from now on. By [`Follow::Rebuild`] the walker goes on along its way while
    /// the next planner is made on another thread, waits before steps that are no longer legal, and thinks again when
    /// the next planner is ready, whatever its [`Replan`] says. Edits that arrive meanwhile make another round. With
    /// [`Follow::Repair`], a planner that is behind is built anew at once.
    ///
    /// # Panics
    /// When there is no such walker.
    pub fn follow(&mut self, walker: usize, follow: Follow) {
        self.walkers[walker].set_follow(follow, &self.world, self.ticks);
    }

    /// Gives a walker another planner, with which it thinks again at the next tick.
    ///
    /// # Panics
    /// When there is no such walker.
    pub fn equip(&mut self, walker: usize, planner: Planner) {
        self.walkers[walker].equip(planner, &self.world, self.ticks);
    }

    /// Hands over the planners that are ready, lets everybody who has reason to think again, then take one step. False when nobody will move any more unless
    /// something happens.
    pub fn tick(&mut self) -> bool {
        for walker in &mut self.walkers {
            walker.receive(&self.world, self.ticks);
            walker.think(&self.world, self.ticks);
        }
        for walker in &mut self.walkers {
            walker.step(&self.world, self.ticks);
        }
        self.ticks += 1;
        self.is_moving()
    }
}
