//! One agent, [`Walker`]: where it is, what is left of its route, and what it does when the world changes.
//!
//! Not here: the clock and the world that all walkers share, which are in [`crate::Sim`].

use crate::behaviour::{Follow, Replan};
use crate::log::{Entry, Happening, Log};
use crate::rebuild::{Behind, anew};
use crate::work::{Timings, Walked, Watch, Work};
use portolan::{
    Cell, Cost, Edit, Outcome, Planner, Query, QueryError, Route, Scratch, Snapshot, Stats, Trace, Unsuited,
};
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// An agent with a planner and a goal. It takes legal steps only. Where it cannot go on, it stops, logs the reason, and
/// tries again after the next edit.
pub struct Walker {
    /// Shared with the thread that makes the next planner.
    planner: Arc<Planner>,
    follow: Follow,
    /// The state of the next planner, while one is being made.
    behind: Option<Behind>,
    /// Why the planner could not be brought up to date with the world.
    lost: Option<Unsuited>,
    scratch: Scratch,
    at: Cell,
    to: Cell,
    replan: Replan,
    state: State,
    /// Whether the walker plans again at the next tick.
    has_reason: bool,
    /// The cells of the route, from the one where it was planned.
    route: Vec<Cell>,
    /// The cost of every step of the route when it was planned.
    prices: Vec<Cost>,
    /// Steps of the route that are done.
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
    /// It is on its way to its goal.
    Walking,
    /// It stands on its goal.
    Arrived,
    /// It cannot go on until the world changes.
    Stopped(Why),
}

impl State {
    /// Returns a word for reports: `walking`, `arrived` or `stopped`.
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
    /// There is no route to the goal.
    Unreachable,
    /// Its own cell is blocked.
    Buried,
    /// The search gave up.
    OutOfBudget,
    /// Every route costs more than can be counted.
    TooFar,
    /// There is no memory for the search.
    OutOfMemory,
    /// Its algorithm does not run on the world as it has become.
    Unsuited(Unsuited),
}

impl Why {
    /// Returns a word for reports: `unreachable`, `buried`, `out-of-budget`, `too-far`, `out-of-memory` or `unsuited`.
    pub fn name(self) -> &'static str {
        match self {
            Why::Unreachable => "unreachable",
            Why::Buried => "buried",
            Why::OutOfBudget => "out-of-budget",
            Why::TooFar => "too-far",
            Why::OutOfMemory => "out-of-memory",
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
            Why::OutOfMemory => f.write_str("there is no memory for the search"),
            Why::Unsuited(unsuited) => unsuited.fmt(f),
        }
    }
}

impl Walker {
    pub(crate) fn new(planner: Planner, from: Cell, to: Cell, replan: Replan) -> Walker {
        Walker {
            planner: Arc::new(planner),
            follow: Follow::Repair,
            behind: None,
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

    /// Returns the cell on which the walker stands.
    pub fn at(&self) -> Cell {
        self.at
    }

    /// Returns the walker's goal.
    pub fn to(&self) -> Cell {
        self.to
    }

    /// Returns after which edits the walker plans again.
    pub fn replan(&self) -> Replan {
        self.replan
    }

    /// Returns how the walker's planner follows edits.
    pub fn follow(&self) -> Follow {
        self.follow
    }

    /// Returns whether the walker's planner is out of date while the next one is being made.
    pub fn is_behind(&self) -> bool {
        self.behind.is_some()
    }

    /// Returns whether the walker waits for its next planner because its next step is no longer legal.
    pub fn waits(&self) -> bool {
        self.state == State::Walking && self.behind.as_ref().is_some_and(|behind| behind.waits)
    }

    /// Returns what the walker is doing.
    pub fn state(&self) -> State {
        self.state
    }

    /// Returns what is left of the route, from the cell on which the walker stands to its goal; only that one cell
    /// while the walker has no route. After a new goal or an edit, this is the old route until the next tick, or until
    /// the next planner is ready.
    pub fn left(&self) -> &[Cell] {
        &self.route[self.done..]
    }

    /// Returns the planner that the walker uses. It is for the world as it is now, unless [`Walker::is_behind`] or the
    /// walker has stopped with [`Why::Unsuited`].
    pub fn planner(&self) -> &Planner {
        &self.planner
    }

    /// Returns what happened to the walker, in order, in 10,000 entries at most.
    pub fn log(&self) -> &[Entry] {
        self.log.entries()
    }

    /// Returns counts of what the walker and its planner have done so far.
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

    /// Returns the counts of the walker's latest search.
    pub fn latest_search(&self) -> &Stats {
        &self.watch.latest
    }

    /// Returns the events of the walker's latest search, the first million at most, if [`crate::Sim::keep_traces`] is
    /// on.
    pub fn trace(&self) -> Option<&Trace> {
        self.watch.trace.as_ref()
    }

    /// Returns how long the walker's planner took, by the clock.
    pub fn timings(&self) -> &Timings {
        &self.timings
    }

    pub(crate) fn keep_trace(&mut self, keep: bool) {
        self.watch.trace = keep.then(|| self.watch.trace.take().unwrap_or_default());
    }

    pub(crate) fn note(&mut self, tick: u64, happening: Happening) {
        self.log.push(tick, happening);
    }

    /// Brings the planner up to date with the world, and plans for the first time.
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
        (self.planner, self.lost, self.behind) = (Arc::new(planner), None, None);
        self.catch_up(world, tick);
        self.has_reason |= self.state != State::Arrived;
    }

    pub(crate) fn set_follow(&mut self, follow: Follow, world: &Snapshot, tick: u64) {
        self.follow = follow;
        if follow == Follow::Repair && self.behind.take().is_some() {
            self.catch_up(world, tick);
            self.has_reason |= self.state != State::Arrived;
        }
    }

    /// Reacts to edits that the world has just seen. `before` is the world without them; it is given if any walker's
    /// planner follows by [`Follow::Rebuild`].
    pub(crate) fn notice(&mut self, before: Option<&Snapshot>, world: &Snapshot, edits: &[Edit], tick: u64) {
        for &edit in edits {
            self.note(tick, Happening::Edited(edit));
        }
        match (self.follow, before, &mut self.behind) {
            (Follow::Rebuild { .. }, _, Some(behind)) => behind.late.extend(edits),
            (Follow::Rebuild { ticks }, Some(before), None) => {
                self.begin(before.clone(), world, edits.to_vec(), ticks, tick);
            }
            _ => self.repair(world, edits, tick),
        }
        if !world.is_free(self.at) {
            self.stop(Why::Buried, tick);
            return;
        }
        if self.is_behind() {
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

    /// Returns the first step left on the route that is no longer legal or has another cost than planned.
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
        if let Ok(repair) = Arc::make_mut(&mut self.planner).repair(world, edits) {
            self.timings.repair.add(begun.elapsed());
            self.repairs += 1;
            self.clusters += repair.clusters as u64;
            self.note(tick, Happening::Repaired { clusters: repair.clusters });
        } else {
            self.catch_up(world, tick);
        }
    }

    /// Builds the planner anew if it is not for the world as it is now.
    fn catch_up(&mut self, world: &Snapshot, tick: u64) {
        if self.planner.revision() == world.revision() {
            return;
        }
        let begun = Instant::now();
        match anew(&self.planner, world) {
            Ok(planner) => {
                self.timings.build.add(begun.elapsed());
                (self.planner, self.lost) = (Arc::new(planner), None);
                self.rebuilds += 1;
                self.note(tick, Happening::Rebuilt);
            }
            Err(unsuited) => self.lost = Some(unsuited),
        }
    }

    /// Begins to make the next planner. The present one is for the world `known`, and `edits` lead from there to
    /// `world`.
    fn begin(&mut self, known: Snapshot, world: &Snapshot, edits: Vec<Edit>, ticks: u64, tick: u64) {
        self.note(tick, Happening::Begun { ticks });
        let due = tick.saturating_add(ticks);
        self.behind = Some(Behind::begin(Arc::clone(&self.planner), known, world.clone(), edits, due));
    }

    /// Takes over the next planner if its tick has come, and begins another if edits have come since.
    pub(crate) fn receive(&mut self, world: &Snapshot, tick: u64) {
        while let Some(behind) = self.behind.take_if(|behind| behind.is_due(tick)) {
            let (made, known, late) = behind.finish();
            match made.planner {
                Ok(planner) => {
                    self.timings.rebuild.add(made.took);
                    (self.planner, self.lost) = (Arc::new(planner), None);
                    let clusters = made.clusters.unwrap_or_default();
                    self.clusters += clusters as u64;
                    *if made.clusters.is_some() { &mut self.repairs } else { &mut self.rebuilds } += 1;
                    self.note(tick, Happening::Ready { clusters });
                }
                Err(unsuited) => self.lost = Some(unsuited),
            }
            self.has_reason |= self.state != State::Arrived;
            if let (false, Follow::Rebuild { ticks }) = (late.is_empty(), self.follow) {
                self.begin(known, world, late, ticks, tick);
            }
        }
    }

    /// Searches for a route if there is a reason to, in the world that the planner is for.
    pub(crate) fn think(&mut self, world: &Snapshot, tick: u64) {
        if !std::mem::take(&mut self.has_reason) {
            return;
        }
        let known = self.behind.as_mut().map(|behind| {
            behind.waits = false;
            behind.known.clone()
        });
        // The walker cannot set out from a cell that is blocked now, or that is blocked in the world that the planner
        // is for.
        if known.as_ref().is_some_and(|known| !known.is_free(self.at) || !world.is_free(self.at)) {
            return;
        }
        let world = known.as_ref().unwrap_or(world);
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

    /// Searches twice, once to count and once to measure the time, so that the time does not include the counting.
    fn search(&mut self, world: &Snapshot) -> Result<Route, Why> {
        if let Some(unsuited) = self.lost {
            return Err(Why::Unsuited(unsuited));
        }
        let query = Query::new(self.at, self.to);
        self.watch.begin();
        let watched = self.planner.watch(world, query, &mut self.scratch, &mut self.watch);
        let begun = Instant::now();
        // This gives the answer above once more; only the time it takes is used.
        let _ = self.planner.find(world, query, &mut self.scratch);
        self.timings.find.add(begun.elapsed());
        match watched {
            Ok(Outcome::Reached(route) | Outcome::Partial(route)) => Ok(route),
            Ok(Outcome::Unreachable) => Err(Why::Unreachable),
            Ok(Outcome::OutOfBudget) => Err(Why::OutOfBudget),
            Ok(Outcome::TooFar) => Err(Why::TooFar),
            Err(QueryError::StartBlocked(_)) => Err(Why::Buried),
            Err(QueryError::OutOfMemory(_)) => Err(Why::OutOfMemory),
            Err(error) => unreachable!("cells were checked, and the planner has caught up: {error}"),
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

    /// Takes one step along the route, which takes this tick.
    pub(crate) fn step(&mut self, world: &Snapshot, tick: u64) {
        if self.state != State::Walking {
            return;
        }
        let &[from, to, ..] = self.left() else { return };
        let price = world.step_cost(from, to);
        debug_assert!(self.is_behind() || price == Some(self.prices[self.done]), "the step is as planned");
        let waits = price.is_none();
        let waited = self.behind.as_mut().is_some_and(|behind| std::mem::replace(&mut behind.waits, waits));
        let Some(price) = price else {
            if !waited {
                self.note(tick, Happening::Waits { at: to });
            }
            return;
        };
        let weight = |cell| u64::from(world.terrain(cell).weight());
        self.walked.add(price.0, from.x == to.x || from.y == to.y, weight(from) + weight(to));
        self.done += 1;
        self.at = to;
        self.arrive(tick + 1);
    }

    fn arrive(&mut self, tick: u64) {
        if self.at == self.to {
            self.state = State::Arrived;
            self.note(tick, Happening::Arrived { steps: self.walked.steps, length: self.walked.length() });
        }
    }
}
