//! Agents on their way: one to three in lock step on a copy of the world, the edits of the open case, and a record of
//! all edits, which can be written as a case.
//!
//! Not here: how agents walk, which is in `portolan-sim`.

use super::finding::{FindError, Ready};
use super::leash::Leash;
use super::tape::Tape;
use super::{listed, micros};
use crate::answer::{LogEntry, Pane};
use crate::budget::{self, Full, Share};
use crate::command::{self, cell, spot};
use crate::frame::Parts;
use crate::limits;
use portolan::any::{AnyRoute, AnySnapshot, AnyWorld, OtherKind};
use portolan::probe::Probe;
use portolan::{Cell, Edit, EditError, Motion, Rules, SquareGrid};
use portolan_formats::ascii::{AsciiWorld, DrawError};
use portolan_formats::case::{self, Case, CaseWorld};
use portolan_sim::{Behaviour, Entry, Follow, Happening, OffMap, Replan, Sim, State, Walker};

/// The world in which agents set out, for the record.
pub(super) enum Ground {
    /// A world that a case can name.
    Known(CaseWorld),
    /// A world that a case has to draw.
    Edited(AnySnapshot),
}

/// A walk under way.
pub(super) struct Walk {
    sim: Sim,
    asked: command::Walk,
    /// The rules by which agents step, or `None` on hexes, which need none.
    rules: Option<Rules>,
    /// How planners follow edits. Only a case can set this.
    follow: Follow,
    ground: Ground,
    seen: Vec<Seen>,
    /// The edits that the case makes, by tick, and how many of them are made.
    script: Vec<(u64, Edit)>,
    done: usize,
    /// The tick at which the case ends.
    limit: Option<u64>,
    /// Whether something happened since the last step that may make agents go on that stand still.
    stirred: bool,
    /// All edits so far, or `None` once they are too many.
    record: Option<Vec<(u64, Edit)>>,
    /// Whether the agents got another goal on their way, which a case cannot record.
    diverted: bool,
    /// The memory of the world on which the agents walk, of their searches and of their traces.
    _share: Share,
    /// The memory of each agent's planners.
    planners: Vec<Share>,
}

/// What the page has been told of an agent, and what happened since.
struct Seen {
    searches: u64,
    entries: usize,
    state: State,
    at: Cell,
    /// The cells walked since the page was last told.
    walked: Vec<u16>,
    /// The time in which its planner was built, before the agent set out.
    build_us: f64,
    /// The length of the route that it walks.
    length: f64,
}

/// Why a walk cannot start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WalkError {
    #[error("one to {most} agents walk at a time, not {0}", most = limits::PANES)]
    Panes(usize),
    #[error("{algorithm}: {source}")]
    Planner { algorithm: String, source: FindError },
    #[error(transparent)]
    OffMap(#[from] OffMap),
    #[error("the case and the world do not fit: {0}")]
    Case(EditError),
    #[error(transparent)]
    Full(#[from] Full),
}

/// Why a walk cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RecordError {
    #[error("more than {} edits happened, too many for a case", limits::RECORD)]
    TooMuch,
    #[error("the agents were sent elsewhere on their way, and a case has one goal")]
    Diverted,
    #[error("this walk cannot be recorded as a case: {0}")]
    Kind(#[from] OtherKind),
    #[error(transparent)]
    Weight(#[from] DrawError),
}

/// Most events that a walker keeps of a search, and an estimate of how many it keeps for each cell of a small world.
const EVENTS: usize = 1 << 20;
const EVENTS_A_CELL: usize = 16;
/// Bytes that such an event takes: kept by the walker, on the tape, and in the answer.
const EVENT: usize = size_of::<portolan::probe::Event>() + 16;

/// Returns an estimate of the bytes that a walk takes besides its planners.
fn needs(asked: &command::Walk, world: &AnySnapshot) -> usize {
    let trace = if asked.trace { EVENT * EVENTS.min(EVENTS_A_CELL * budget::cells(world)) } else { 0 };
    let record = limits::RECORD.min(budget::cells(world)) * size_of::<(u64, Edit)>();
    // The factor 2 leaves room for the weights of the world in which the agents set out.
    2 * budget::world(world) + record + asked.panes.len() * (budget::searching(world) + trace)
}

/// Returns how many planners a walker may have at a time: two if the next one is built on another thread while the
/// walker uses the old one.
fn copies(follow: Follow) -> usize {
    if matches!(follow, Follow::Rebuild { .. }) { 2 } else { 1 }
}

impl Walk {
    /// Starts a walk on a copy of this world. The edits of the case apply to all agents.
    pub(super) fn begin(
        asked: command::Walk,
        world: &AnySnapshot,
        ground: Ground,
        case: Option<&(Case, Behaviour)>,
        leash: &Leash,
    ) -> Result<Walk, WalkError> {
        if !(1..=limits::PANES).contains(&asked.panes.len()) {
            return Err(WalkError::Panes(asked.panes.len()));
        }
        let mut script = case.map_or_else(Vec::new, |(case, _)| case.edits.clone());
        script.sort_by_key(|&(tick, _)| tick);
        let edits: Vec<Edit> = script.iter().map(|&(_, edit)| edit).collect();
        super::edits::check_edits(world, &edits).map_err(WalkError::Case)?;
        let share = leash.reserve(needs(&asked, world))?;
        let mut sim = Sim::new(AnyWorld::from(world.clone()));
        sim.keep_traces(asked.trace);
        let own = sim.world();
        let follow = case.map_or_else(Follow::default, |(_, behaviour)| behaviour.follow);
        let (mut seen, mut planners) = (Vec::new(), Vec::new());
        for pane in &asked.panes {
            let named = |source| WalkError::Planner { algorithm: pane.algorithm.clone(), source };
            let Ready { planner, build_us, mut share, .. } = Ready::new(pane, &own, leash).map_err(named)?;
            share.fit(copies(follow) * planner.bytes())?;
            planners.push(share);
            let index = sim.add(planner, cell(asked.from), cell(asked.to), asked.replan.into())?;
            sim.follow(index, follow);
            let at = sim.walkers()[index].at();
            let state = State::Walking;
            seen.push(Seen { searches: 0, entries: 0, state, at, walked: vec![], build_us, length: 0.0 });
        }
        let (rules, limit) = (world.rules(), case.and_then(|(case, _)| case.ticks));
        let record = Some(vec![]);
        let (stirred, diverted) = (false, false);
        Ok(Walk {
            sim,
            asked,
            rules,
            follow,
            ground,
            seen,
            script,
            done: 0,
            limit,
            stirred,
            record,
            diverted,
            _share: share,
            planners,
        })
    }

    /// Counts the memory that the planners take now.
    pub(super) fn settle(&mut self) {
        for (walker, share) in self.planners.iter_mut().enumerate() {
            let planner = self.sim.planner(walker);
            // Agents that share a planner count it once.
            let is_counted = (0..walker).any(|other| std::ptr::eq(self.sim.planner(other), planner));
            share.settle(if is_counted { 0 } else { copies(self.follow) * planner.bytes() });
        }
    }

    pub(super) fn tick_count(&self) -> u64 {
        self.sim.tick_count()
    }

    /// Returns whether the walk is over: all agents have arrived, or none can go on and no edit of the case is left, or
    /// the case has ended.
    pub(super) fn is_over(&self) -> bool {
        let arrived = self.sim.walkers().iter().all(|walker| walker.state() == State::Arrived);
        let hopeless = self.done == self.script.len() && !self.sim.is_moving() && !self.stirred;
        arrived || hopeless || self.limit.is_some_and(|limit| self.tick_count() >= limit)
    }

    /// Returns the edits that the case makes before the next step.
    pub(super) fn due(&self) -> Vec<Edit> {
        let now = self.tick_count();
        let due = self.script[self.done..].iter().take_while(|(tick, _)| *tick <= now);
        due.map(|&(_, edit)| edit).collect()
    }

    /// Notes that so many more edits of the case were made.
    pub(super) fn did(&mut self, edits: usize) {
        self.done += edits;
    }

    /// Applies edits to the world of the walk, and records them.
    pub(super) fn edit(&mut self, edits: &[Edit]) -> Result<(), EditError> {
        self.sim.edit(edits)?;
        self.stirred = true;
        let now = self.tick_count();
        self.record = self.record.take().filter(|record| record.len() + edits.len() <= limits::RECORD);
        if let Some(record) = &mut self.record {
            record.extend(edits.iter().map(|&edit| (now, edit)));
        }
        Ok(())
    }

    /// Gives all agents another goal.
    pub(super) fn aim(&mut self, to: Cell) -> Result<(), OffMap> {
        for walker in 0..self.seen.len() {
            self.sim.aim(walker, to)?;
        }
        (self.stirred, self.diverted) = (true, true);
        Ok(())
    }

    /// Lets all agents take a step.
    pub(super) fn step(&mut self) {
        self.stirred = false;
        self.sim.tick();
        for (seen, walker) in self.seen.iter_mut().zip(self.sim.walkers()) {
            if walker.at() != seen.at {
                seen.at = walker.at();
                seen.walked.extend([seen.at.x, seen.at.y]);
            }
        }
    }

    /// Returns what happened to each agent since the last call.
    pub(super) fn news(&mut self, parts: &mut Parts) -> Vec<Pane> {
        let seen = self.seen.iter_mut().enumerate();
        seen.map(|(index, seen)| seen.catch_up(&self.sim, index, parts)).collect()
    }

    /// Returns the walk so far, written as a case.
    pub(super) fn record(&self, about: &str) -> Result<String, RecordError> {
        let edits = self.record.clone().ok_or(RecordError::TooMuch)?;
        if self.diverted {
            return Err(RecordError::Diverted);
        }
        let rules = self.rules.ok_or(OtherKind::HEXES)?;
        let world = match &self.ground {
            Ground::Known(world) => world.clone(),
            Ground::Edited(world) => {
                let grid = SquareGrid::clone(world.to_squares()?);
                CaseWorld::Drawn(Box::new(AsciiWorld::of(grid)))
            }
        };
        let with = self.asked.panes.first().filter(|pane| pane.algorithm != portolan::auto::AUTO);
        let case = Case {
            about: about.to_owned(),
            world,
            rules,
            from: cell(self.asked.from),
            to: cell(self.asked.to),
            with: with.map(|pane| (pane.algorithm.clone(), pane.settings.clone().into_iter().collect())),
            replan: Replan::from(self.asked.replan).words(),
            follow: self.follow.words(),
            ticks: self.limit,
            edits,
        };
        Ok(case::write(&case)?)
    }
}

impl Seen {
    /// Returns what happened to an agent since the last call.
    fn catch_up(&mut self, sim: &Sim, index: usize, parts: &mut Parts) -> Pane {
        let walker = &sim.walkers()[index];
        let entries = &walker.log()[self.entries..];
        let stopped = walker.state() != self.state && matches!(walker.state(), State::Stopped(_));
        let searched = walker.work().searches > self.searches;
        let rerouted = searched || stopped;
        parts.push(format!("walked{index}"), std::mem::take(&mut self.walked));
        if rerouted {
            // A log that is full no longer holds the length; then the length of what is left of the route is used.
            let planned = planned(entries).filter(|_| !stopped);
            self.length = planned.unwrap_or_else(|| length_left(walker, &sim.world()));
            parts.push(format!("route{index}"), listed(walker.left()));
        }
        if searched {
            push_trace(walker, &sim.world(), index, parts);
        }
        let log = logged(entries);
        self.searches = walker.work().searches;
        (self.entries, self.state) = (walker.log().len(), walker.state());
        self.pane(sim, index, (log, rerouted))
    }

    /// Returns how an agent is now, with what is told of the time since the last call.
    fn pane(&self, sim: &Sim, index: usize, (log, rerouted): (Vec<LogEntry>, bool)) -> Pane {
        let (walker, planner) = (&sim.walkers()[index], sim.planner(index));
        let (timings, algorithm) = (walker.timings(), planner.algorithm());
        Pane {
            algorithm: algorithm.name(),
            title: algorithm.title(),
            at: spot(walker.at()),
            to: spot(walker.to()),
            state: walker.state().name(),
            why: match walker.state() {
                State::Stopped(why) => Some(why.to_string()),
                State::Walking | State::Arrived => None,
            },
            left: walker.left().len().saturating_sub(1),
            length: self.length,
            work: walker.work().into(),
            build_us: if timings.build.times > 0 { micros(timings.build.latest) } else { self.build_us },
            repair_us: micros(timings.repair.latest),
            repairs_us: micros(timings.repair.total),
            find_us: micros(timings.find.latest),
            finds_us: micros(timings.find.total),
            bytes: planner.bytes(),
            log,
            rerouted,
        }
    }
}

fn logged(entries: &[Entry]) -> Vec<LogEntry> {
    let line =
        |entry: &Entry| LogEntry { tick: entry.tick, text: entry.happening.to_string(), kind: entry.happening.name() };
    entries.iter().map(line).collect()
}

/// Returns the length of the route that was planned last, if the log tells it.
fn planned(entries: &[Entry]) -> Option<f64> {
    entries.iter().rev().find_map(|entry| match entry.happening {
        Happening::Planned { length, .. } | Happening::Rerouted { length, .. } => Some(length),
        _ => None,
    })
}

fn length_left(walker: &Walker, world: &AnySnapshot) -> f64 {
    AnyRoute::new(walker.left().to_vec(), portolan::Cost::ZERO, Motion::Steps).length(world)
}

/// Adds the trace of an agent's latest search to `parts`, if traces are kept.
fn push_trace(walker: &Walker, world: &AnySnapshot, index: usize, parts: &mut Parts) {
    let Some(trace) = walker.trace() else { return };
    let mut tape = Tape::new(world, walker.to(), true);
    for &event in &trace.events {
        tape.event(event);
    }
    // This cannot fail: the walk has reserved the memory, so the tape has no leash.
    let _ = tape.finish([&format!("events{index}"), &format!("costs{index}")], parts);
}
