//! What a walk cost: [`Work`] is counted and identical in every run; [`Timings`] are measured by the clock and differ
//! from run to run.

use portolan::probe::{Event, Probe, Stats, Trace};
use std::f64::consts::SQRT_2;
use std::time::Duration;

/// Counts of everything that a walker has done so far, and its planner while the walker used it. Walkers that share a
/// planner count its repairs and rebuilds each, as if each had it for itself, so that the counts of a walker do not depend
/// on what other walkers there are.
#[derive(Copy, Clone, PartialEq, Default, Debug)]
pub struct Work {
    /// How often the walker searched for a route.
    pub searches: u64,
    /// Nodes expanded by all searches.
    pub expanded: u64,
    /// Entries that all searches put on the open list.
    pub pushes: u64,
    /// Entries that all searches took off the open list.
    pub pops: u64,
    /// How often a node on the open list became cheaper.
    pub decreases: u64,
    /// Mean number of entries on the open list over all expansions of all searches.
    pub open_mean: f64,
    /// Most entries the open list held at once.
    pub open_max: u64,
    /// Steps taken.
    pub steps: u64,
    /// Cost of all steps taken, in the world's metric.
    pub cost: u64,
    /// Length of all steps taken: a straight step between two cells of weight 1 has length 1.
    pub length: f64,
    /// How often the planner was repaired after edits.
    pub repairs: u64,
    /// Clusters that these repairs redid.
    pub clusters: u64,
    /// How often the planner was built anew.
    pub rebuilds: u64,
}

/// How long something took, the latest time and all times together.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Span {
    /// Duration of the latest time.
    pub latest: Duration,
    /// Sum of the durations of all times.
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

/// How long a walker's planner took while the walker used it, measured by the clock. A repair of a planner that walkers
/// share is done once and counted by each of them. These times are not part of the log, because they differ from run to
/// run.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Timings {
    /// Building the planner anew where it was out of date and was not repaired. The time to build it before the walker
    /// received it is not included.
    pub build: Span,
    /// Repairing the planner after edits.
    pub repair: Span,
    /// Making the next planner on another thread, where the planner follows edits in the background.
    pub rebuild: Span,
    /// Searching for a route. Every search is also counted, and the time includes the counting.
    pub find: Span,
}

/// The steps taken. The lengths are summed in integers, so that the total is identical on every machine.
#[derive(Copy, Clone, Default)]
pub(crate) struct Walked {
    pub(crate) steps: u64,
    pub(crate) cost: u64,
    straight: u64,
    diagonal: u64,
}

impl Walked {
    /// Adds a step; `weights` is the sum of the weights of the two cells it joins.
    pub(crate) fn add(&mut self, cost: u32, is_straight: bool, weights: u64) {
        self.steps += 1;
        self.cost += u64::from(cost);
        if is_straight { self.straight += weights } else { self.diagonal += weights }
    }

    pub(crate) fn length(&self) -> f64 {
        0.5 * (self.straight as f64 + self.diagonal as f64 * SQRT_2)
    }
}

/// Watches all searches of a walker. It keeps the counts of all of them, the counts of the latest, and the trace of the
/// latest if that is wanted.
#[derive(Default)]
pub(crate) struct Watch {
    /// The counts of all searches before the latest.
    before: Stats,
    pub(crate) latest: Stats,
    pub(crate) searches: u64,
    pub(crate) trace: Option<Trace>,
}

impl Watch {
    /// The most events that a trace keeps, so that a very long search does not fill the memory.
    const MOST_EVENTS: usize = 1 << 20;

    /// Prepares for another search.
    pub(crate) fn begin(&mut self) {
        self.searches += 1;
        self.before.add(&self.latest);
        self.latest = Stats::default();
        if let Some(trace) = &mut self.trace {
            trace.events.clear();
        }
    }

    /// Returns the counts of all searches.
    pub(crate) fn all(&self) -> Stats {
        let mut all = self.before;
        all.add(&self.latest);
        all
    }
}

impl Probe for Watch {
    fn counts(&mut self) -> Option<&mut Stats> {
        self.trace.is_none().then_some(&mut self.latest)
    }

    fn event(&mut self, event: Event) {
        self.latest.event(event);
        if let Some(trace) = self.trace.as_mut().filter(|trace| trace.events.len() < Self::MOST_EVENTS) {
            trace.event(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::probe::NodeId;

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
        let all = watch.all();
        assert_eq!((watch.searches, all.expanded, watch.latest.expanded), (2, 2, 1));
        assert!((all.open_mean() - 1.0).abs() < 1e-12 && all.open_max == 1);
    }
}
