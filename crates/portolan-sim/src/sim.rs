//! A world and the walkers on it, which all take their steps in the same tick: [`Sim`]. Not here: what one walker does
//! in a tick, which is in [`Walker`].

use crate::behaviour::{Follow, Replan};
use crate::log::Happening;
use crate::planners::Planners;
use crate::state::State;
use crate::walker::Walker;
use portolan::any::{AnyPlanner, AnyReplanner, AnyScratch, AnySnapshot, AnyWorld};
use portolan::{Cell, Edit, EditError};

/// A world, a clock that counts ticks, any number of walkers, and their planners. Walkers with the same algorithm, the
/// same settings and the same [`Follow`] share a planner, which follows edits once for all of them. The log, the
/// [`Work`](crate::Work) and the [`Timings`](crate::Timings) of each such walker contain what its planner did as if it
/// had the planner for itself, so a sum over walkers counts it several times.
///
/// The time is the number of ticks that have passed. An edit or a new goal between two ticks happens at that time. At
/// the next [`Sim::tick`], every walker that has a reason plans again; then every walker takes one step.
pub struct Sim {
    world: AnyWorld,
    walkers: Vec<Walker>,
    planners: Planners,
    /// The working memory of all searches, which run one after the other.
    scratch: AnyScratch,
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
    pub(crate) fn check(world: &AnySnapshot, cells: &[Cell]) -> Result<(), OffMap> {
        match cells.iter().find(|&&cell| !world.contains(cell)) {
            Some(&cell) => Err(OffMap { cell, width: world.width(), height: world.height() }),
            None => Ok(()),
        }
    }
}

impl Sim {
    /// Makes a simulation of a world, without walkers.
    pub fn new(world: impl Into<AnyWorld>) -> Sim {
        let world = world.into();
        let (planners, scratch) = (Planners::default(), AnyScratch::new());
        Sim { world, walkers: Vec::new(), planners, scratch, ticks: 0, keeps_traces: false }
    }

    /// Puts a walker on the world, which plans its route at once and whose planner follows edits by repair. A planner
    /// that is not for this world as it is now is built anew. If another walker has one with the same algorithm and
    /// settings that is up to date, the walker shares that one, and the one given is dropped. Returns the walker's
    /// index.
    ///
    /// # Errors
    /// When start or goal lies off the map.
    pub fn add(
        &mut self,
        planner: impl Into<AnyPlanner>,
        from: Cell,
        to: Cell,
        replan: Replan,
    ) -> Result<usize, OffMap> {
        let world = self.world.snapshot();
        OffMap::check(&world, &[from, to])?;
        let number = self.planners.join(planner.into(), Follow::Repair, &world);
        let shared = self.planners.get(number);
        let mut walker = Walker::new(number, AnyReplanner::new(&world, from, to), replan);
        walker.keep_trace(self.keeps_traces);
        walker.hear(shared, self.ticks);
        walker.think(shared, &world, &mut self.scratch, self.ticks);
        self.walkers.push(walker);
        Ok(self.walkers.len() - 1)
    }

    /// Returns a snapshot of the world as it is now.
    pub fn world(&self) -> AnySnapshot {
        self.world.snapshot()
    }

    /// Ends the simulation and returns its world.
    pub fn into_world(self) -> AnyWorld {
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

    /// Returns the planner that a walker uses. Walkers that share a planner are given the same one. It is for the world
    /// as it is now, unless [`Walker::is_behind`] or the walker has stopped with
    /// [`Why::Unsuited`](crate::Why::Unsuited).
    ///
    /// # Panics
    /// When there is no such walker.
    pub fn planner(&self, walker: usize) -> &AnyPlanner {
        self.planners.get(self.walkers[walker].planner).planner()
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
        // A snapshot is taken only where a planner needs it: while one is held, the world has to apply edits to a copy.
        let before = self.planners.any_rebuilds().then(|| self.world.snapshot());
        self.world.apply(edits)?;
        let world = self.world.snapshot();
        self.planners.edited(before.as_ref(), &world, edits, self.ticks);
        for walker in &mut self.walkers {
            walker.notice(self.planners.get(walker.planner), &world, edits, self.ticks);
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
        OffMap::check(&self.world.snapshot(), &[to])?;
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
        let (number, was_behind) = (self.walkers[walker].planner, self.walkers[walker].is_behind());
        if self.walkers[walker].follow() == follow {
            return;
        }
        let is_sole = self.walkers.iter().filter(|walker| walker.planner == number).count() == 1;
        let number = self.planners.refollow(number, follow, is_sole, &self.world.snapshot(), self.ticks);
        let is_behind = self.planners.get(number).is_behind();
        self.switch(walker, number, follow, was_behind && !is_behind);
    }

    /// Gives a walker another planner, with which it plans again at the next tick.
    ///
    /// # Panics
    /// When there is no such walker.
    pub fn equip(&mut self, walker: usize, planner: impl Into<AnyPlanner>) {
        let planner = planner.into();
        let follow = self.walkers[walker].follow();
        self.walkers[walker].note(self.ticks, Happening::Equipped { algorithm: planner.algorithm().name() });
        let number = self.planners.join(planner, follow, &self.world.snapshot());
        self.switch(walker, number, follow, true);
    }

    /// Gives a walker the planner of this number, and drops its planner of before if no other walker uses it. The walker
    /// plans again if the planner is `anew`.
    fn switch(&mut self, walker: usize, number: usize, follow: Follow, anew: bool) {
        self.walkers[walker].equip(number, follow, anew);
        self.walkers[walker].hear(self.planners.get(number), self.ticks);
        let walkers = &self.walkers;
        self.planners.retain(|number| walkers.iter().any(|walker| walker.planner == number));
    }

    /// Hands over the planners that are ready, lets every walker that has a reason plan again, then lets every walker
    /// take one step. Returns false when no walker will move any more unless the world, a goal or a planner is changed.
    pub fn tick(&mut self) -> bool {
        let world = self.world.snapshot();
        self.planners.receive(&world, self.ticks);
        for walker in &mut self.walkers {
            let shared = self.planners.get(walker.planner);
            walker.receive(shared, &world, self.ticks);
            walker.think(shared, &world, &mut self.scratch, self.ticks);
        }
        for walker in &mut self.walkers {
            walker.step(&world, self.ticks);
        }
        self.ticks += 1;
        self.is_moving()
    }
}
