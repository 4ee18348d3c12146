//! What walking cost: [`Work`] counted, the same in every run, and [`Timings`] by the clock, which never are.

use portolan::{Event, Phase, Probe, Stats, Trace};
use std::f64::consts::SQRT_2;
use std::time::Duration;

/// All that a walker and its planner did so far, counted.
#[derive(Copy, Clone, PartialEq, Default, Debug)]
pub struct Work {
    /// How often it looked for a way.
    pub searches: u64,
    /// Nodes expanded by all searches.
    pub expanded: u64,
    /// Entries they put on the open list.
    pub pushes: u64,
    /// Entries they took off it.
    pub pops: u64,
    /// Open nodes that became cheaper.
    pub decreases: u64,
    /// Mean number of entries on the open list over all expansions of all searches.
    pub open_mean: f64,
    /// Most entries the open list held at once.
    pub open_max: u64,
    /// Steps taken.
    pub steps: u64,
    /// What they cost in the world's metric.
    pub cost: u64,
    /// How long they were.
    pub length: f64,
    /// How often the planner followed edits.
    pub repairs: u64,
    /// Clusters it redid.
    pub clusters: u64,
    /// How often it had to be built anew.
    pub rebuilds: u64,
}

/// How long something took, the latest time and in all.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Span {
    /// The latest time.
    pub latest: Duration,
    /// All times together.
    pub total: Duration,
    /// How often it was done.
    pub times: u64,
}

impl Span {
    pub(crate) fn add(&mut self, time: Duration) {
        self.latest = time;
        self.total += time;
        self.times += 1;
    }
}

/// What a walker's planner took by the clock. Not part of any log: no two runs agree.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Timings {
    /// Building anew, where edits could not be followed; not the building before it came here.
    pub build: Span,
    /// Following edits.
    pub repair: Span,
    /// Making the next planner on another thread, where it follows in the background.
    pub rebuild: Span,
    /// Looking for a way: unwatched, after the same search was watched for its counts.
    pub find: Span,
}

/// Lengths of steps summed in integers, so that they come out the same everywhere.
#[derive(Copy, Clone, Default)]
pub(crate) struct Walked {
    pub(crate) steps: u64,
    pub(crate) cost: u64,
    straight: u64,
    diagonal: u64,
}

impl Walked {
    /// A step between cells of these weights together.
    pub(crate) fn add(&mut self, cost: u32, is_straight: bool, weights: u64) {
        self.steps += 1;
        self.cost += u64::from(cost);
        if is_straight { self.straight += weights } else { self.diagonal += weights }
    }

    pub(crate) fn length(&self) -> f64 {
        0.5 * (self.straight as f64 + self.diagonal as f64 * SQRT_2)
    }
}

/// Watches all searches of a walker: counts of all, counts of the latest, and its trace if wanted.
#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) all: Stats,
    pub(crate) latest: Stats,
    pub(crate) searches: u64,
    pub(crate) trace: Option<Trace>,
}

impl Watch {
    /// Events a kept trace has room for, so that a search that takes ages does not take all memory.
    const MOST_EVENTS: usize = 1 << 20;

    /// Another search begins.
    pub(crate) fn begin(&mut self) {
        self.searches += 1;
        self.latest = Stats::default();
        // What the search before left on its open list is not on that of the next.
        self.all.event(Event::Phase { phase: Phase::Search });
        if let Some(trace) = &mut self.trace {
            trace.events.clear();
        }
    }
}

impl Probe for Watch {
    fn event(&mut self, event: Event) {
        self.all.event(event);
        self.latest.event(event);
        if let Some(trace) = self.trace.as_mut().filter(|trace| trace.events.len() < Self::MOST_EVENTS) {
            trace.event(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::NodeId;

    #[test]
    fn every_search_has_an_open_list_of_its_own() {
        let node = NodeId(1);
        let mut watch = Watch::default();
        for _ in 0..2 {
            watch.begin();
            for event in [Event::Push { node, g: 0, key: 0 }, Event::Expand { node, g: 0 }] {
                watch.event(event);
            }
        }
        assert_eq!((watch.searches, watch.all.expanded, watch.latest.expanded), (2, 2, 1));
        assert!((watch.all.open_mean() - 1.0).abs() < 1e-12 && watch.all.open_max == 1);
    }
}
