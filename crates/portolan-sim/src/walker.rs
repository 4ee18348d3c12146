//! One agent, [`Walker`]: where it is, what is left of its route, and what it does when the world changes.
//!
//! Not here: the clock, the world and the planners that walkers share, which are in [`crate::Sim`].

use crate::behaviour::{Follow, Replan};
use crate::log::{Entry, Happening, Log};
use crate::planners::{News, SharedPlanner};
use crate::state::{State, Why};
use crate::work::{Timings, Walked, Watch, Work};
use portolan::any::{AnyReplanner, AnyRoute, AnyScratch, AnySnapshot};
use portolan::probe::{Probe, Stats, Trace};
use portolan::{Cell, Cost, Edit, Impact, Motion, Progress, QueryError};
use std::time::Instant;

/// An agent with a goal and a planner, which it may share with other walkers. It takes legal steps only. Where it cannot
/// go on, it stops, logs the reason, and tries again after the next edit.
pub struct Walker {
    /// The number of its planner in the simulation.
    pub(crate) planner: usize,
    follow: Follow,
    /// Whether its planner is out of date while the next one is being made.
    is_behind: bool,
    /// Whether it waits for its next planner, because its next step is no longer legal.
    waits: bool,
    replanner: AnyReplanner,
    replan: Replan,
    state: State,
    /// Whether the walker plans again at the next tick.
    has_reason: bool,
    log: Log,
    watch: Watch,
    walked: Walked,
    repairs: u64,
    clusters: u64,
    rebuilds: u64,
    timings: Timings,
}

impl Walker {
    pub(crate) fn new(planner: usize, replanner: AnyReplanner, replan: Replan) -> Walker {
        Walker {
            planner,
            follow: Follow::Repair,
            is_behind: false,
            waits: false,
            replanner,
            replan,
            state: State::Walking,
            has_reason: true,
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
        self.replanner.at()
    }

    /// Returns the walker's goal.
    pub fn to(&self) -> Cell {
        self.replanner.to()
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
        self.is_behind
    }

    /// Returns whether the walker waits for its next planner because its next step is no longer legal.
    pub fn waits(&self) -> bool {
        self.state == State::Walking && self.is_behind && self.waits
    }

    /// Returns what the walker is doing.
    pub fn state(&self) -> State {
        self.state
    }

    /// Returns what is left of the route, from the cell on which the walker stands to its goal; only that one cell
    /// while the walker has no route. After a new goal or an edit, this is the old route until the next tick, or until
    /// the next planner is ready.
    pub fn left(&self) -> &[Cell] {
        self.replanner.left()
    }

    /// Returns what happened to the walker, in order, in 10,000 entries at most.
    pub fn log(&self) -> &[Entry] {
        self.log.entries()
    }

    /// Returns counts of what the walker has done so far, and its planner for it.
    pub fn work(&self) -> Work {
        let all = self.watch.all();
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

    pub(crate) fn aim(&mut self, to: Cell, tick: u64) {
        self.replanner.aim(to);
        self.has_reason = true;
        if self.state == State::Arrived {
            self.state = State::Walking;
        }
        self.note(tick, Happening::Aimed { to });
    }

    /// Takes another planner, which follows edits in this way. The walker plans again if it is `anew`, that is, if it
    /// is not what the planner before was.
    pub(crate) fn equip(&mut self, planner: usize, follow: Follow, anew: bool) {
        (self.planner, self.follow) = (planner, follow);
        self.has_reason |= anew && self.state != State::Arrived;
    }

    /// Hears what has just happened to its planner.
    pub(crate) fn hear(&mut self, shared: &SharedPlanner, tick: u64) {
        for news in shared.news() {
            match news {
                &News::Repaired { clusters, took } => {
                    self.timings.repair.add(took);
                    self.repairs += 1;
                    self.clusters += clusters as u64;
                    self.note(tick, Happening::Repaired { clusters });
                }
                &News::Rebuilt { took } => {
                    self.timings.build.add(took);
                    self.rebuilds += 1;
                    self.note(tick, Happening::Rebuilt);
                }
                &News::Begun { ticks } => {
                    self.waits = false;
                    self.note(tick, Happening::Begun { ticks });
                }
                &News::Ready { clusters, took, .. } => {
                    self.timings.rebuild.add(took);
                    *if clusters.is_some() { &mut self.repairs } else { &mut self.rebuilds } += 1;
                    let clusters = clusters.unwrap_or_default();
                    self.clusters += clusters as u64;
                    self.note(tick, Happening::Ready { clusters });
                }
                News::Failed => {}
            }
        }
        self.is_behind = shared.is_behind();
    }

    /// Reacts to edits that the world has just seen, and to what its planner has done about them.
    pub(crate) fn notice(&mut self, shared: &SharedPlanner, world: &AnySnapshot, edits: &[Edit], tick: u64) {
        for &edit in edits {
            self.note(tick, Happening::Edited(edit));
        }
        self.hear(shared, tick);
        if !world.is_free(self.at()) {
            self.stop(Why::Buried, tick);
            return;
        }
        if self.is_behind {
            return;
        }
        let impact = self.replanner.edited(shared.planner(), world, edits);
        if let Impact::Touched { ahead, at, legal } = impact {
            self.note(tick, Happening::Touched { ahead, at, legal });
        }
        self.has_reason |= match self.state {
            State::Walking => impact != Impact::Kept || shared.lost().is_some() || self.replan == Replan::Any,
            State::Arrived => false,
            State::Stopped(_) => true,
        };
    }

    /// Takes over the next planner if it has just been handed over, and learns of the edits that it knows of.
    pub(crate) fn receive(&mut self, shared: &SharedPlanner, world: &AnySnapshot, tick: u64) {
        self.hear(shared, tick);
        let edits: Vec<Edit> = shared.news().iter().flat_map(News::edits).copied().collect();
        if !edits.is_empty() {
            self.replanner.edited(shared.planner(), shared.known(world), &edits);
        }
        let is_new = shared.news().iter().any(|news| matches!(news, News::Ready { .. } | News::Failed));
        self.has_reason |= is_new && self.state != State::Arrived;
    }

    /// Searches for a route if there is a reason to, in the world that the planner is for.
    pub(crate) fn think(&mut self, shared: &SharedPlanner, world: &AnySnapshot, scratch: &mut AnyScratch, tick: u64) {
        if !std::mem::take(&mut self.has_reason) {
            return;
        }
        self.waits = false;
        let known = shared.known(world);
        // The walker cannot set out from a cell that is blocked now, or that is blocked in the world that the planner
        // is for.
        if self.is_behind && !(known.is_free(self.at()) && world.is_free(self.at())) {
            return;
        }
        let had_route = self.left().len() > 1;
        let same = match self.search(shared, known, scratch) {
            Ok(same) => same,
            Err(why) => return self.stop(why, tick),
        };
        if matches!(self.state, State::Stopped(_)) {
            self.note(tick, Happening::Resumed);
        }
        let length = AnyRoute::new(self.left().to_vec(), Cost::ZERO, Motion::Steps).length(known);
        let (steps, expanded) = (self.left().len() - 1, self.watch.latest.expanded);
        self.note(
            tick,
            if had_route {
                Happening::Rerouted { steps, length, expanded, same }
            } else {
                Happening::Planned { steps, length, expanded }
            },
        );
        self.state = State::Walking;
        self.arrive(tick);
    }

    /// Searches in one go, and counts what the search does. Returns whether the route found equals what was left of the
    /// one before.
    fn search(&mut self, shared: &SharedPlanner, world: &AnySnapshot, scratch: &mut AnyScratch) -> Result<bool, Why> {
        if let Some(unsuited) = shared.lost() {
            return Err(Why::Unsuited(unsuited));
        }
        self.replanner.plan_again();
        self.watch.begin();
        let begun = Instant::now();
        let progress = loop {
            let watch = Some(&mut self.watch as &mut dyn Probe);
            match self.replanner.step(shared.planner(), world, scratch, u64::MAX, watch) {
                Ok(Progress::Working) => {}
                done => break done,
            }
        };
        self.timings.find.add(begun.elapsed());
        match progress {
            Ok(Progress::Planned { same }) => Ok(same),
            Ok(Progress::Unreachable) => Err(Why::Unreachable),
            Ok(Progress::OutOfBudget) => Err(Why::OutOfBudget),
            Ok(Progress::TooFar) => Err(Why::TooFar),
            Err(QueryError::StartBlocked(_)) => Err(Why::Buried),
            Err(QueryError::OutOfMemory(_)) => Err(Why::OutOfMemory),
            other => unreachable!("a search was wanted, cells were checked, and the planner has caught up: {other:?}"),
        }
    }

    fn stop(&mut self, why: Why, tick: u64) {
        if self.state != State::Stopped(why) {
            self.note(tick, Happening::Stopped(why));
        }
        self.state = State::Stopped(why);
        self.has_reason = false;
        self.replanner.forget();
    }

    /// Takes one step along the route, which takes this tick.
    pub(crate) fn step(&mut self, world: &AnySnapshot, tick: u64) {
        if self.state != State::Walking {
            return;
        }
        let Some((to, planned)) = self.replanner.next_step() else { return };
        let from = self.at();
        let price = world.step_cost(from, to);
        debug_assert!(self.is_behind || price == Some(planned), "the step is as planned");
        let waited = std::mem::replace(&mut self.waits, price.is_none());
        let Some(price) = price else {
            if !waited {
                self.note(tick, Happening::Waits { at: to });
            }
            return;
        };
        let weight = |cell| u64::from(world.terrain(cell).weight());
        // On hexes, no step is diagonal.
        let is_straight = world.hex().is_some() || from.x == to.x || from.y == to.y;
        self.walked.add(price.0, is_straight, weight(from) + weight(to));
        self.replanner.moved(to);
        self.arrive(tick + 1);
    }

    fn arrive(&mut self, tick: u64) {
        if self.at() == self.to() {
            self.state = State::Arrived;
            self.note(tick, Happening::Arrived { steps: self.walked.steps, length: self.walked.length() });
        }
    }
}
