//! One agent: where it is, what is left of its way, and what it does when the world changes. [`Walker`].
//!
//! Not here: the clock, and whatever several walkers have in common, which is [`crate::Sim`]'s.

use crate::log::{Entry, Happening, Log};
use crate::work::{Timings, Walked, Watch, Work};
use portolan::{
    BuildError, Cell, Cost, Edit, Outcome, Planner, Query, QueryError, Route, Scratch, Snapshot, Stats, Trace, Unsuited,
};
use portolan_formats::Replan;
use std::fmt;
use std::time::Instant;

/// An agent with a planner and somewhere to go. It stands on free ground and takes legal steps only; where it cannot
/// go on it stops, says why, and tries again after the next edit.
pub struct Walker {
    planner: Planner,
    /// Why its planner does not know the world as it is now.
    lost: Option<Unsuited>,
    scratch: Scratch,
    at: Cell,
    to: Cell,
    replan: Replan,
    state: State,
    /// Whether it thinks at the next tick.
    has_reason: bool,
    /// The way it is on, from where it was planned.
    route: Vec<Cell>,
    /// What every step of it costs, as planned.
    prices: Vec<Cost>,
    /// Steps of it that are done.
    done: usize,
    log: Log,
    watch: Watch,
    walked: Walked,
    repairs: u64,
    clusters: u64,
    rebuilds: u64,
    timings: Timings,
}

/// What a walker is doing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It is on its way.
    Walking,
    /// It is where it wants to be.
    Arrived,
    /// It waits for the world to change.
    Stopped(Why),
}

impl State {
    /// A word for reports: `walking`, `arrived` or `stopped`.
    pub fn name(self) -> &'static str {
        match self {
            State::Walking => "walking",
            State::Arrived => "arrived",
            State::Stopped(_) => "stopped",
        }
    }
}

/// Why a walker stands still.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// There is no way to the goal.
    Unreachable,
    /// Its own cell is blocked.
    Buried,
    /// The search gave up.
    OutOfBudget,
    /// Every way costs more than can be counted.
    TooFar,
    /// Its algorithm does not run on the world as it has become.
    Unsuited(Unsuited),
}

impl Why {
    /// A word for reports: `unreachable`, `buried`, `out-of-budget`, `too-far` or `unsuited`.
    pub fn name(self) -> &'static str {
        match self {
            Why::Unreachable => "unreachable",
            Why::Buried => "buried",
            Why::OutOfBudget => "out-of-budget",
            Why::TooFar => "too-far",
            Why::Unsuited(_) => "unsuited",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Unreachable => f.write_str("there is no way to the goal"),
            Why::Buried => f.write_str("its own cell is blocked"),
            Why::OutOfBudget => f.write_str("the search gave up"),
            Why::TooFar => f.write_str("every way costs more than can be counted"),
            Why::Unsuited(unsuited) => unsuited.fmt(f),
        }
    }
}

impl Walker {
    pub(crate) fn new(planner: Planner, from: Cell, to: Cell, replan: Replan) -> Walker {
        Walker {
            planner,
            lost: None,
            scratch: Scratch::new(),
            at: from,
            to,
            replan,
            state: State::Walking,
            has_reason: true,
            route: vec![from],
            prices: Vec::new(),
            done: 0,
            log: Log::default(),
            watch: Watch::default(),
            walked: Walked::default(),
            repairs: 0,
            clusters: 0,
            rebuilds: 0,
            timings: Timings::default(),
        }
    }

    /// Where it stands.
    pub fn at(&self) -> Cell {
        self.at
    }

    /// Where it wants to be.
    pub fn to(&self) -> Cell {
        self.to
    }

    /// When it thinks again.
    pub fn replan(&self) -> Replan {
        self.replan
    }

    /// What it is doing.
    pub fn state(&self) -> State {
        self.state
    }

    /// What is left of its way, from where it stands to its goal; only where it stands while it has none. After a new
    /// goal or an edit it is the old way until the next tick.
    pub fn left(&self) -> &[Cell] {
        &self.route[self.done..]
    }

    /// The planner it goes by, which knows the world as it is now unless it has stopped as unsuited.
    pub fn planner(&self) -> &Planner {
        &self.planner
    }

    /// What happened to it, in order; 10,000 entries at most.
    pub fn log(&self) -> &[Entry] {
        self.log.entries()
    }

    /// What it and its planner did so far.
    pub fn work(&self) -> Work {
        let all = &self.watch.all;
        Work {
            searches: self.watch.searches,
            expanded: all.expanded,
            pushes: all.pushes,
            pops: all.pops,
            decreases: all.decreases,
            open_mean: all.open_mean(),
            open_max: all.open_max,
            steps: self.walked.steps,
            cost: self.walked.cost,
            length: self.walked.length(),
            repairs: self.repairs,
            clusters: self.clusters,
            rebuilds: self.rebuilds,
        }
    }

    /// What its latest search did.
    pub fn latest_search(&self) -> &Stats {
        &self.watch.latest
    }

    /// The events of its latest search, if [`crate::Sim::keep_traces`] asked for them; the first million at most.
    pub fn trace(&self) -> Option<&Trace> {
        self.watch.trace.as_ref()
    }

    /// What its planner took by the clock.
    pub fn timings(&self) -> &Timings {
        &self.timings
    }

    pub(crate) fn keep_trace(&mut self, keep: bool) {
        self.watch.trace = keep.then(|| self.watch.trace.take().unwrap_or_default());
    }

    pub(crate) fn note(&mut self, tick: u64, happening: Happening) {
        self.log.push(tick, happening);
    }

    /// Sees to it that its planner knows the world, and plans for the first time.
    pub(crate) fn settle(&mut self, world: &Snapshot, tick: u64) {
        self.catch_up(world, tick);
        self.think(world, tick);
    }

    pub(crate) fn aim(&mut self, to: Cell, tick: u64) {
        self.to = to;
        self.has_reason = true;
        if self.state == State::Arrived {
            self.state = State::Walking;
        }
        self.note(tick, Happening::Aimed { to });
    }

    pub(crate) fn equip(&mut self, planner: Planner, world: &Snapshot, tick: u64) {
        self.note(tick, Happening::Equipped { algorithm: planner.algorithm().name });
        (self.planner, self.lost) = (planner, None);
        self.catch_up(world, tick);
        self.has_reason |= self.state != State::Arrived;
    }

    /// The world has seen these edits.
    pub(crate) fn notice(&mut self, world: &Snapshot, edits: &[Edit], tick: u64) {
        for &edit in edits {
            self.note(tick, Happening::Edited(edit));
        }
        self.repair(world, edits, tick);
        if !world.is_free(self.at) {
            self.stop(Why::Buried, tick);
            return;
        }
        let touched = self.touched(world);
        if let Some(happening) = touched {
            self.note(tick, happening);
        }
        self.has_reason |= match self.state {
            State::Walking => touched.is_some() || self.lost.is_some() || self.replan == Replan::Any,
            State::Arrived => false,
            State::Stopped(_) => true,
        };
    }

    /// The first step it was going to take that is not what it was.
    fn touched(&self, world: &Snapshot) -> Option<Happening> {
        let steps = self.left().windows(2).zip(&self.prices[self.done..]).enumerate();
        let mut changed = steps.filter_map(|(index, (step, &price))| {
            let now = world.step_cost(step[0], step[1]);
            let changed = Happening::Touched { ahead: index + 1, at: step[1], legal: now.is_some() };
            (now != Some(price)).then_some(changed)
        });
        changed.next()
    }

    fn repair(&mut self, world: &Snapshot, edits: &[Edit], tick: u64) {
        let begun = Instant::now();
        if let Ok(repair) = self.planner.repair(world, edits) {
            self.timings.repair.add(begun.elapsed());
            self.repairs += 1;
            self.clusters += repair.clusters as u64;
            self.note(tick, Happening::Repaired { clusters: repair.clusters });
        } else {
            self.catch_up(world, tick);
        }
    }

    /// Builds the planner anew where it does not know the world as it is.
    fn catch_up(&mut self, world: &Snapshot, tick: u64) {
        if self.planner.revision() == world.revision() {
            return;
        }
        let begun = Instant::now();
        match self.planner.anew(world) {
            Ok(planner) => {
                self.timings.build.add(begun.elapsed());
                (self.planner, self.lost) = (planner, None);
                self.rebuilds += 1;
                self.note(tick, Happening::Rebuilt);
            }
            Err(BuildError::Unsuited(unsuited)) => self.lost = Some(unsuited),
            Err(BuildError::Unknown(_) | BuildError::Setting(_)) => unreachable!("name and settings were good before"),
        }
    }

    /// Looks for a way if there is reason to.
    pub(crate) fn think(&mut self, world: &Snapshot, tick: u64) {
        if !std::mem::take(&mut self.has_reason) {
            return;
        }
        let route = match self.search(world) {
            Ok(route) => route,
            Err(why) => return self.stop(why, tick),
        };
        if matches!(self.state, State::Stopped(_)) {
            self.note(tick, Happening::Resumed);
        }
        let (steps, length, expanded) = (route.steps(), route.length(world), self.watch.latest.expanded);
        let happening = match self.left() {
            [] | [_] => Happening::Planned { steps, length, expanded },
            left => Happening::Rerouted { steps, length, expanded, same: left == route.cells() },
        };
        self.note(tick, happening);
        let price = |step: &[Cell]| world.step_cost(step[0], step[1]).unwrap_or_default();
        self.route = route.into_cells();
        self.prices = self.route.windows(2).map(price).collect();
        (self.done, self.state) = (0, State::Walking);
        self.arrive(tick);
    }

    /// Searched once to count and once to time, so that counting does not show in the times.
    fn search(&mut self, world: &Snapshot) -> Result<Route, Why> {
        if let Some(unsuited) = self.lost {
            return Err(Why::Unsuited(unsuited));
        }
        let query = Query::new(self.at, self.to);
        self.watch.begin();
        let watched = self.planner.watch(world, query, &mut self.scratch, &mut self.watch);
        let begun = Instant::now();
        // The same answer once more: only how long it takes is of interest.
        let _ = self.planner.find(world, query, &mut self.scratch);
        self.timings.find.add(begun.elapsed());
        match watched {
            Ok(Outcome::Reached(route) | Outcome::Partial(route)) => Ok(route),
            Ok(Outcome::Unreachable) => Err(Why::Unreachable),
            Ok(Outcome::OutOfBudget) => Err(Why::OutOfBudget),
            Ok(Outcome::TooFar) => Err(Why::TooFar),
            Err(QueryError::StartBlocked(_)) => Err(Why::Buried),
            Err(QueryError::OffMap { .. } | QueryError::Stale { .. } | QueryError::NothingBegun) => {
                unreachable!("cells were checked, and the planner has caught up")
            }
        }
    }

    fn stop(&mut self, why: Why, tick: u64) {
        if self.state != State::Stopped(why) {
            self.note(tick, Happening::Stopped(why));
        }
        self.state = State::Stopped(why);
        self.has_reason = false;
        self.route = vec![self.at];
        (self.prices, self.done) = (Vec::new(), 0);
    }

    /// One step along its way.
    pub(crate) fn step(&mut self, world: &Snapshot, tick: u64) {
        if self.state != State::Walking {
            return;
        }
        let &[from, to, ..] = self.left() else { return };
        debug_assert_eq!(world.step_cost(from, to), Some(self.prices[self.done]), "the step is as planned");
        let weight = |cell| u64::from(world.terrain(cell).weight());
        self.walked.add(self.prices[self.done].0, from.x == to.x || from.y == to.y, weight(from) + weight(to));
        self.done += 1;
        self.at = to;
        self.arrive(tick);
    }

    fn arrive(&mut self, tick: u64) {
        if self.at == self.to {
            self.state = State::Arrived;
            self.note(tick, Happening::Arrived { steps: self.walked.steps, length: self.walked.length() });
        }
    }
}
