//! A world and the walkers on it, which all take their steps in the same tick: [`Sim`]. Not here: what one walker does
//! in a tick, which is in [`Walker`].

use crate::behaviour::{Follow, Replan};
use crate::walker::{State, Walker};
use portolan::{Cell, Edit, EditError, Planner, SquareGrid, World};

/// A world, a clock that counts ticks, and any number of walkers, each with its own planner.
///
/// The time is the number of ticks that have passed. An edit or a new goal between two ticks happens at that time. At
/// the next [`Sim::tick`], every walker that has a reason plans again; then every walker takes one step.
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
    /// The cell.
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
    /// Makes a simulation of a world, without walkers.
    pub fn new(world: World) -> Sim {
        Sim { world, walkers: Vec::new(), ticks: 0, keeps_traces: false }
    }

    /// Puts a walker on the world, which plans its route at once and whose planner follows edits by repair. A planner
    /// that is not for this world as it is now is built anew. Returns the walker's index.
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

    /// Returns the world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Ends the simulation and returns its world.
    pub fn into_world(self) -> World {
        self.world
    }

    /// Returns how many ticks have passed.
    pub fn tick_count(&self) -> u64 {
        self.ticks
    }

    /// Returns all walkers, in the order in which they were added.
    pub fn walkers(&self) -> &[Walker] {
        &self.walkers
    }

    /// Returns whether any walker is on its way, or has stopped but may go on once its next planner is ready.
    pub fn is_moving(&self) -> bool {
        let may_move = |walker: &Walker| match walker.state() {
            State::Walking => true,
            State::Arrived => false,
            State::Stopped(_) => walker.is_behind(),
        };
        self.walkers.iter().any(may_move)
    }

    /// Sets whether the events of every walker's latest search are kept for [`Walker::trace`] from now on. If not,
    /// those that were kept are dropped.
    pub fn keep_traces(&mut self, keep: bool) {
        self.keeps_traces = keep;
        for walker in &mut self.walkers {
            walker.keep_trace(keep);
        }
    }

    /// Changes the world, and lets every planner follow. A walker on its way plans again if a step that is left on its
    /// route is no longer legal or has another cost, and with [`Replan::Any`] in any case; a walker that has stopped
    /// tries again. They plan at the next tick, or, where the planner follows by [`Follow::Rebuild`], when the next
    /// planner is ready.
    ///
    /// # Errors
    /// When an edit reaches off the map or covers nothing; then no edit has been applied.
    pub fn edit(&mut self, edits: &[Edit]) -> Result<(), EditError> {
        if edits.is_empty() {
            return Ok(());
        }
        // A snapshot is taken only where a walker needs it: while one is held, the world has to apply edits to a copy.
        let rebuilds = |walker: &Walker| walker.follow() != Follow::Repair;
        let before = self.walkers.iter().any(rebuilds).then(|| self.world.snapshot());
        self.world.apply(edits)?;
        for walker in &mut self.walkers {
            walker.notice(before.as_ref(), &self.world, edits, self.ticks);
        }
        Ok(())
    }

    /// Gives a walker another goal, to which it plans a route at the next tick.
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

    /// Sets how a walker's planner follows edits from now on. With [`Follow::Rebuild`], the walker goes on along its
    /// route while the next planner is made on another thread, and waits before a step that is no longer legal. When
    /// the next planner is ready, the walker plans again, whatever its [`Replan`] says. Edits that arrive in the
    /// meantime make another round. With [`Follow::Repair`], a planner that is out of date is built anew at once.
    ///
    /// # Panics
    /// When there is no such walker.
    pub fn follow(&mut self, walker: usize, follow: Follow) {
        self.walkers[walker].set_follow(follow, &self.world, self.ticks);
    }

    /// Gives a walker another planner, with which it plans again at the next tick.
    ///
    /// # Panics
    /// When there is no such walker.
    pub fn equip(&mut self, walker: usize, planner: Planner) {
        self.walkers[walker].equip(planner, &self.world, self.ticks);
    }

    /// Hands over the planners that are ready, lets every walker that has a reason plan again, then lets every walker
    /// take one step. Returns false when no walker will move any more unless the world, a goal or a planner is changed.
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
