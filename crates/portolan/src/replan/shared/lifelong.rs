//! The loop of LPA* and D* Lite ([`Lifelong`]): a search from a root whose costs are corrected after edits.
//!
//! Every node has two costs from the root: `g`, which its neighbours use, and `rhs`, the least sum of a neighbour's `g`
//! and the edge between them. The queue holds all nodes whose two costs differ. Expanding a node whose `rhs` is less
//! makes it final; expanding one whose `rhs` is greater takes its `g` back, so that its neighbours look for another way.
//! A node is expanded at most twice in one search, whatever was cut off: an unreachable node has two infinite costs, and
//! no finite number stands for a wall that neighbours could raise step by step.
//!
//! Not here: which end of the route is the root, which the two algorithms say.

use super::living::{INFINITE, Tree};
use super::pages::Pages;
use super::queue::{Key, Queue, Queued};
use super::view::View;
use crate::graph::Shape;
use crate::id::NodeId;
use crate::memory::held;
use crate::probe::{Event, Probe};

/// The tree of a search whose root is the goal of the route if `BACKWARD`, else its start.
#[derive(Clone, Default)]
pub(in crate::replan) struct Lifelong<const BACKWARD: bool> {
    records: Pages<Record>,
    open: Queue,
    /// What is added to the first number of every new key: at least the estimate of how far the target has moved since
    /// any key in the queue was computed. So old keys are never too great, and need no update when the target moves.
    key_modifier: u64,
    /// The nodes of the latest route, from the target to the root, each with its `g`. The costs get less on the way.
    route: Vec<(NodeId, u32)>,
    /// The memory of the route before.
    before: Vec<(NodeId, u32)>,
    /// No `g` below this number has changed since that route was read, and no edge of a node with such a `g`.
    unchanged_below: u32,
}

#[derive(Copy, Clone)]
struct Record {
    g: u32,
    rhs: u32,
    place: u32,
}

impl Default for Record {
    fn default() -> Record {
        Record { g: INFINITE, rhs: INFINITE, place: 0 }
    }
}

impl Queued for Record {
    fn place(&mut self) -> &mut u32 {
        &mut self.place
    }
}

impl Record {
    fn key(self, estimate: u64, key_modifier: u64) -> Key {
        Key::of(self.g.min(self.rhs), self.g < self.rhs, estimate + key_modifier)
    }
}

impl<const BACKWARD: bool> Tree for Lifelong<BACKWARD> {
    const IS_BACKWARD: bool = BACKWARD;
    const SHAPE: Option<Shape> = None;
    type Settings = ();

    fn begin(&mut self, (): (), view: &impl View, probe: &mut impl Probe) {
        self.records.reset(view.node_count());
        self.open.clear();
        (self.key_modifier, self.unchanged_below) = (0, 0);
        self.records.slot(view.root()).rhs = 0;
        self.update(view, view.root(), probe);
    }

    fn follow(&mut self, view: &impl View, old_target: NodeId, has_other_estimates: bool) -> bool {
        if has_other_estimates {
            let key_modifier = self.key_modifier;
            let key = |node: NodeId, record: Record| record.key(view.estimate(node), key_modifier);
            self.open.put_all(&mut self.records, key);
        } else {
            self.key_modifier += view.estimate(old_target);
        }
        true
    }

    fn look_again(&mut self, view: &impl View, node: NodeId, probe: &mut impl Probe) {
        self.unchanged_below = self.unchanged_below.min(self.records.get(node).g);
        self.compute(view, node, probe);
    }

    fn run(&mut self, view: &impl View, target: NodeId, left: &mut u64, probe: &mut impl Probe) -> Option<u32> {
        loop {
            let aim = self.records.get(target);
            let is_next = |&(key, _): &(Key, NodeId)| key < aim.key(0, self.key_modifier) || aim.rhs > aim.g;
            let Some((key, node)) = self.open.first().filter(is_next) else {
                if aim.rhs != INFINITE {
                    probe.event(Event::Goal { cost: aim.rhs });
                    self.read_route(view, target);
                }
                return Some(aim.rhs);
            };
            let record = self.records.get(node);
            if record.g == record.rhs {
                probe.event(Event::Pop { node });
                self.open.remove(node, &mut self.records);
                continue;
            }
            let now = record.key(view.estimate(node), self.key_modifier);
            if key < now {
                probe.event(Event::Decrease { node });
                self.open.put(now, node, &mut self.records);
                continue;
            }
            if *left == 0 {
                return None;
            }
            *left -= 1;
            probe.event(Event::Pop { node });
            probe.event(Event::Expand { node, g: record.rhs.min(record.g) });
            self.open.remove(node, &mut self.records);
            self.unchanged_below = self.unchanged_below.min(record.g.min(record.rhs));
            if record.g > record.rhs {
                self.lower(view, node, record.rhs, probe);
            } else {
                self.raise(view, node, record.g, probe);
            }
        }
    }

    fn route(&self, _: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.route.iter().map(|&(node, _)| node)
    }

    fn seen(&self) -> usize {
        self.records.len()
    }

    fn bytes(&self) -> usize {
        self.records.bytes() + self.open.bytes() + held(&self.route) + held(&self.before)
    }
}

impl<const BACKWARD: bool> Lifelong<BACKWARD> {
    /// Computes `rhs` of a node from its neighbours.
    fn compute(&mut self, view: &impl View, node: NodeId, probe: &mut impl Probe) {
        if node == view.root() {
            return;
        }
        let mut rhs = INFINITE;
        if view.is_open(node) {
            view.for_each_edge(node, |to, cost| {
                probe.event(Event::Generate { node: to });
                rhs = rhs.min(self.records.get(to).g.saturating_add(cost));
            });
        }
        if self.records.get(node).rhs != rhs {
            self.records.slot(node).rhs = rhs;
            self.update(view, node, probe);
        }
    }

    /// Puts the node into the queue or moves it there if its two costs differ. A node whose costs have become equal stays in
    /// the queue until it is its turn: many such nodes never come to that, and others differ again before.
    fn update(&mut self, view: &impl View, node: NodeId, probe: &mut impl Probe) {
        let record = self.records.get(node);
        if record.g == record.rhs {
            return;
        }
        let key = record.key(view.estimate(node), self.key_modifier);
        let is_new = record.place == 0;
        probe.event(if is_new {
            Event::Push { node, g: key.cost(), key: key.route() }
        } else {
            Event::Decrease { node }
        });
        self.open.put(key, node, &mut self.records);
    }

    /// Gives a node the cost `g`, which is less than it had, and lowers `rhs` of its neighbours.
    #[inline(always)]
    fn lower(&mut self, view: &impl View, node: NodeId, g: u32, probe: &mut impl Probe) {
        self.records.slot(node).g = g;
        view.for_each_edge(node, |to, cost| {
            probe.event(Event::Generate { node: to });
            let rhs = g.saturating_add(cost);
            if to != view.root() && self.records.get(to).rhs > rhs {
                self.records.slot(to).rhs = rhs;
                self.update(view, to, probe);
            }
        });
    }

    /// Takes the cost of a node back, which was `old`, and looks for another way for the neighbours reached through it.
    fn raise(&mut self, view: &impl View, node: NodeId, old: u32, probe: &mut impl Probe) {
        self.records.slot(node).g = INFINITE;
        self.update(view, node, probe);
        view.for_each_edge(node, |to, cost| {
            if self.records.get(to).rhs == old.saturating_add(cost) {
                self.compute(view, to, probe);
            }
        });
    }

    /// Reads the route from the target to the root, as far as it can have changed. It goes on like the latest route from
    /// the first node on both whose costs have not changed: every node after it has a lower cost, which has not changed
    /// either, and a neighbour whose cost has changed cannot offer less than that.
    fn read_route(&mut self, view: &impl View, target: NodeId) {
        std::mem::swap(&mut self.route, &mut self.before);
        self.route.clear();
        let (old, mut node) = (&self.before, target);
        while node != view.root() {
            let Record { g, rhs, .. } = self.records.get(node);
            if g.max(rhs) < self.unchanged_below {
                let at = old.partition_point(|&(_, other)| other > g);
                if old.get(at) == Some(&(node, g)) {
                    self.route.extend_from_slice(&old[at..]);
                    break;
                }
            }
            self.route.push((node, g));
            let mut best = (INFINITE, node);
            view.for_each_edge(node, |to, cost| {
                best = best.min((self.records.get(to).g.saturating_add(cost), to));
            });
            node = best.1;
        }
        if node == view.root() {
            self.route.push((node, 0));
        }
        self.unchanged_below = INFINITE;
    }
}
