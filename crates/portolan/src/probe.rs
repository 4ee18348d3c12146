//! Watching a search: [`Event`]s sent to a [`Probe`], which counts them ([`Stats`]) or keeps them ([`Trace`]).
//!
//! Searches are generic over their probe, so that an unwatched search carries no trace of any of this.

use crate::id::NodeId;

/// Something a search did.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A node left the open list to have its neighbours looked at.
    Expand {
        /// Which.
        node: NodeId,
        /// Its cost from the start.
        g: u32,
    },
    /// A node was looked at from a neighbour, whether or not that made it cheaper.
    Generate {
        /// Which.
        node: NodeId,
    },
    /// An entry was put on the open list.
    Push {
        /// Which node.
        node: NodeId,
        /// Its cost from the start.
        g: u32,
        /// The key it was filed under.
        key: u64,
    },
    /// An entry was taken off the open list, in use or outdated.
    Pop {
        /// Which node.
        node: NodeId,
    },
    /// A node on the open list became cheaper.
    Decrease {
        /// Which.
        node: NodeId,
    },
    /// A node already expanded became cheaper and went back on the open list.
    Reopen {
        /// Which.
        node: NodeId,
    },
    /// A route to the goal was found, the best so far.
    Goal {
        /// Its cost.
        cost: u32,
    },
    /// An iterative search starts over with a higher limit.
    Deepen {
        /// The limit.
        limit: u32,
    },
    /// A search on a chart begins another part of its work.
    Phase {
        /// Which.
        phase: Phase,
    },
}

/// The parts of a search on a chart.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Phase {
    /// Joining start and goal to the chart.
    Connect,
    /// Searching the chart; all that a flat search does.
    #[default]
    Search,
    /// Turning what was found into cells.
    Refine,
}

/// Receives what a search does.
pub trait Probe {
    /// Called at every event, in order.
    fn event(&mut self, event: Event);

    /// Whether anybody listens: what would be told only for the sake of telling can then be left out.
    fn is_watching(&self) -> bool {
        true
    }
}

/// Watches nothing and costs nothing.
pub(crate) struct Unwatched;

impl Probe for Unwatched {
    #[inline(always)]
    fn event(&mut self, _: Event) {}

    #[inline(always)]
    fn is_watching(&self) -> bool {
        false
    }
}

impl Probe for &mut dyn Probe {
    fn event(&mut self, event: Event) {
        (**self).event(event);
    }
}

/// Counts of what a search did.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Nodes expanded, in all phases.
    pub expanded: u64,
    /// Of these, nodes expanded to join start and goal to a chart.
    pub connecting: u64,
    /// Of these, nodes expanded to refine a chart's answer.
    pub refining: u64,
    /// Neighbours looked at.
    pub generated: u64,
    /// Entries put on the open list.
    pub pushes: u64,
    /// Entries taken off the open list.
    pub pops: u64,
    /// Open nodes that became cheaper.
    pub decreases: u64,
    /// Expanded nodes that became cheaper.
    pub reopened: u64,
    /// Most entries the open list held at once.
    pub open_max: u64,
    open: u64,
    open_sum: u64,
    phase: Phase,
}

impl Stats {
    /// Mean number of entries on the open list over all expansions.
    pub fn open_mean(&self) -> f64 {
        if self.expanded == 0 { 0.0 } else { self.open_sum as f64 / self.expanded as f64 }
    }
}

impl Probe for Stats {
    fn event(&mut self, event: Event) {
        match event {
            Event::Expand { .. } => {
                self.expanded += 1;
                self.connecting += u64::from(self.phase == Phase::Connect);
                self.refining += u64::from(self.phase == Phase::Refine);
                self.open_sum += self.open;
            }
            Event::Generate { .. } => self.generated += 1,
            Event::Push { .. } => {
                self.pushes += 1;
                self.open += 1;
                self.open_max = self.open_max.max(self.open);
            }
            Event::Pop { .. } => {
                self.pops += 1;
                self.open = self.open.saturating_sub(1);
            }
            Event::Decrease { .. } => self.decreases += 1,
            Event::Reopen { .. } => self.reopened += 1,
            Event::Phase { phase } => {
                // Each part of a search on a chart has an open list of its own.
                self.phase = phase;
                self.open = 0;
            }
            Event::Goal { .. } | Event::Deepen { .. } => {}
        }
    }
}

/// Keeps every event, for playback and golden tests.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Trace {
    /// What happened, in order.
    pub events: Vec<Event>,
}

impl Probe for Trace {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }
}
