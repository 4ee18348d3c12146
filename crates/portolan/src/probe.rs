//! Watching a search: it sends [`Event`]s to a [`Probe`], which counts them ([`Stats`]) or keeps them ([`Trace`]).
//!
//! Searches are generic over the type of their probe, so that a search without one contains no code for events.
//!
//! Not here: drawing and printing.

pub use crate::id::NodeId;

/// One action of a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A node was expanded: the search looks at its edges.
    Expand {
        /// The node expanded.
        node: NodeId,
        /// Its cost from the start.
        g: u32,
    },
    /// The search looked at an edge, whether or not that made the node at its end cheaper.
    Generate {
        /// The node at the end of the edge.
        node: NodeId,
    },
    /// An entry was put on the open list.
    Push {
        /// The node of the entry.
        node: NodeId,
        /// Its cost from the start.
        g: u32,
        /// The key of the entry.
        key: u64,
    },
    /// An entry was taken off the open list. It may be outdated.
    Pop {
        /// The node of the entry.
        node: NodeId,
    },
    /// A node on the open list became cheaper.
    Decrease {
        /// The node that became cheaper.
        node: NodeId,
    },
    /// A node that was already expanded became cheaper and was put on the open list again.
    Reopen {
        /// The node that became cheaper.
        node: NodeId,
    },
    /// A route to the goal was found that is cheaper than any found before.
    Goal {
        /// The cost of the route.
        cost: u32,
    },
    /// An iterative search starts over with a higher limit.
    Deepen {
        /// The new limit.
        limit: u32,
    },
    /// A round of an anytime search has ended with a route, and the next one begins. The entries of its open list are
    /// pushed anew.
    Round {
        /// The cost of the best route so far.
        cost: u32,
        /// A number that no route costs less than.
        least: u32,
    },
    /// A search on a chart begins another part of its work.
    Phase {
        /// The part that begins.
        phase: Phase,
    },
}

/// The parts of a search on a chart.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Phase {
    /// Connecting start and goal to the chart.
    Connect,
    /// Searching the chart. All work of a flat search counts as this part.
    #[default]
    Search,
    /// Turning the route on the chart into cells.
    Refine,
}

/// Receives the events of a search.
pub trait Probe {
    /// Receives one event. The search calls this for every event, in order.
    fn event(&mut self, event: Event);

    /// Returns whether the probe uses events. If not, a search may skip work that it does only to report events.
    fn is_watching(&self) -> bool {
        true
    }

    /// Returns the counts, if the probe does nothing but count events. A search then counts them there without calling
    /// [`Probe::event`], which takes much less time.
    fn counts(&mut self) -> Option<&mut Stats> {
        None
    }
}

/// The probe that watches a search, if there is one.
pub(crate) type Watcher<'a> = Option<&'a mut dyn Probe>;

/// A probe that ignores all events at no cost.
pub(crate) struct Unwatched;

impl Probe for Unwatched {
    #[inline(always)]
    fn event(&mut self, _: Event) {}

    #[inline(always)]
    fn is_watching(&self) -> bool {
        false
    }
}

/// Runs `$body` with `$watcher` bound to the probe, to its counts if it does nothing but count, or to [`Unwatched`] if
/// there is none. So `$body` is compiled without code for events, with code that counts them, and with a call for each.
macro_rules! with_probe {
    ($probe:expr, |$watcher:ident| $body:expr) => {
        match $probe {
            None => {
                let $watcher = &mut $crate::probe::Unwatched;
                $body
            }
            Some(mut probe) => match probe.counts() {
                Some(counts) => {
                    let $watcher = counts;
                    $body
                }
                None => {
                    let $watcher = &mut probe;
                    $body
                }
            },
        }
    };
}
pub(crate) use with_probe;

/// Lends the probe to one call, so that the caller can use it again afterwards.
pub(crate) fn lent<'a>(probe: &'a mut Option<&mut dyn Probe>) -> Option<&'a mut dyn Probe> {
    match probe {
        Some(probe) => Some(&mut **probe),
        None => None,
    }
}

impl Probe for &mut (dyn Probe + '_) {
    fn event(&mut self, event: Event) {
        (**self).event(event);
    }
}

/// A probe that counts events.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Nodes expanded, in all phases.
    pub expanded: u64,
    /// Of the nodes expanded, those expanded to connect start and goal to a chart.
    pub connecting: u64,
    /// Of the nodes expanded, those expanded to turn a route on a chart into cells.
    pub refining: u64,
    /// Edges looked at.
    pub generated: u64,
    /// Entries put on the open list.
    pub pushes: u64,
    /// Entries taken off the open list.
    pub pops: u64,
    /// Open nodes that became cheaper.
    pub decreases: u64,
    /// Expanded nodes that became cheaper.
    pub reopened: u64,
    /// The greatest number of entries that the open list held at once.
    pub open_max: u64,
    /// Entries on the open list now.
    open: u64,
    /// The sum of the numbers of entries on the open list at each expansion.
    open_sum: u64,
    /// The part of the search that is under way.
    phase: Phase,
}

impl Stats {
    /// Returns the mean number of entries on the open list over all expansions.
    pub fn open_mean(&self) -> f64 {
        if self.expanded == 0 { 0.0 } else { self.open_sum as f64 / self.expanded as f64 }
    }

    /// Adds the counts of another search that has ended; the open list of that search is not counted as part of this one.
    pub fn add(&mut self, other: &Stats) {
        self.expanded += other.expanded;
        self.connecting += other.connecting;
        self.refining += other.refining;
        self.generated += other.generated;
        self.pushes += other.pushes;
        self.pops += other.pops;
        self.decreases += other.decreases;
        self.reopened += other.reopened;
        self.open_max = self.open_max.max(other.open_max);
        self.open_sum += other.open_sum;
    }
}

impl Probe for Stats {
    fn counts(&mut self) -> Option<&mut Stats> {
        Some(self)
    }

    #[inline]
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
                // Each part of a search on a chart begins with an empty open list.
                self.phase = phase;
                self.open = 0;
            }
            Event::Round { .. } => self.open = 0,
            Event::Goal { .. } | Event::Deepen { .. } => {}
        }
    }
}

/// A probe that keeps every event, for playback and golden tests.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Trace {
    /// All events, in order.
    pub events: Vec<Event>,
}

impl Probe for Trace {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }
}
