//! The loop of LPA* and D* Lite ([`Lifelong`]): a search from a root whose costs are corrected after edits.
//!
//! Every node has two costs from the root: `g`, which its neighbours use, and `rhs`, the least sum of a neighbour's `g`
//! and the edge between them. The queue holds the nodes whose two costs differ, but for those that may wait (see
//! [`Lifelong::raise`]). Expanding a node whose `rhs` is less makes it final; expanding one whose `rhs` is greater takes
//! its `g` back, so that its neighbours look for another way. A node is expanded at most twice in one search, whatever was
//! cut off: an unreachable node has two infinite costs, and no finite number stands for a wall that neighbours could raise
//! step by step.
//!
//! Not here: which end of the route is the root, which the two algorithms say.

use super::living::{INFINITE, Tree};
use super::pages::Pages;
use super::queue::{Key, Queue};
use super::record::Record;
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

    fn follow(
        &mut self,
        view: &impl View,
        old_target: NodeId,
        has_other_estimates: bool,
        probe: &mut impl Probe,
    ) -> bool {
        if has_other_estimates {
            let key_modifier = self.key_modifier;
            let key = |node: NodeId, record: Record| record.key(view.estimate(node), key_modifier);
            self.open.put_all(&mut self.records, key, probe);
        } else {
            self.key_modifier += view.estimate(old_target);
        }
        true
    }

    fn look_again<V: View>(&mut self, view: &V, node: NodeId, probe: &mut impl Probe) {
        self.unchanged_below = self.unchanged_below.min(self.records.get(node).g);
        self.compute(view, node, probe);
    }

    fn run(&mut self, view: &impl View, target: NodeId, left: &mut u64, probe: &mut impl Probe) -> Option<u32> {
        loop {
            let aim = self.records.get(target);
            // If the cost of the target is too low, its own entry comes before this end.
            let end = Key::of(aim.g.min(aim.rhs), false, self.key_modifier);
            let Some((key, node)) = self.open.first_below(end, &self.records, probe) else {
                if aim.rhs != INFINITE {
                    probe.event(Event::Goal { cost: aim.rhs });
                    self.read_route(view, target);
                }
                return Some(aim.rhs);
            };
            let record = self.records.get(node);
            if record.g == record.rhs {
                self.open.remove_first(&mut self.records, probe);
                view.for_each_taker(node, |to, _| self.update(view, to, probe));
                continue;
            }
            let now = record.key(view.estimate(node), self.key_modifier);
            if key < now {
                self.open.remove_first(&mut self.records, probe);
                self.open.put(now, node, &mut self.records, probe);
                continue;
            }
            if *left == 0 {
                return None;
            }
            *left -= 1;
            self.open.remove_first(&mut self.records, probe);
            probe.event(Event::Expand { node, g: record.rhs.min(record.g) });
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
            view.for_each_giver(node, |to, cost| {
                probe.event(Event::Generate { node: to });
                rhs = rhs.min(self.records.get(to).g.saturating_add(cost));
            });
        }
        if self.records.get(node).rhs != rhs {
            self.records.slot(node).rhs = rhs;
        }
        self.update(view, node, probe);
    }

    /// Sees to it that a node whose two costs differ comes to its turn in time: puts it into the queue unless it is there
    /// with a key that is no greater. A node whose costs have become equal, or whose key has become greater, stays in the queue
    /// as it is until it is its turn: many such nodes never come to that, and others change again before.
    fn update(&mut self, view: &impl View, node: NodeId, probe: &mut impl Probe) {
        let record = self.records.get(node);
        if record.g == record.rhs {
            return;
        }
        if record.is_queued_early() {
            return;
        }
        let key = record.key(view.estimate(node), self.key_modifier);
        self.open.put(key, node, &mut self.records, probe);
    }

    /// Gives a node the cost `g`, which is less than it had, and lowers `rhs` of its neighbours.
    #[inline(always)]
    fn lower(&mut self, view: &impl View, node: NodeId, g: u32, probe: &mut impl Probe) {
        self.records.slot(node).g = g;
        view.for_each_taker(node, |to, cost| {
            probe.event(Event::Generate { node: to });
            let rhs = g.saturating_add(cost);
            if to != view.root() && self.records.get(to).rhs > rhs {
                self.records.slot(to).rhs = rhs;
                self.update(view, to, probe);
            }
        });
    }

    /// Takes the cost of a node back, which was `old`, and looks for another way for the neighbours reached through it.
    ///
    /// If the other way of the node itself leads over a neighbour whose cost is too low, the node is not put into the queue:
    /// the neighbour comes to its turn before, and then the node is looked at again. Most often these are neighbours that
    /// were reached through the node, and there is no other way.
    fn raise<V: View>(&mut self, view: &V, node: NodeId, old: u32, probe: &mut impl Probe) {
        self.records.slot(node).g = INFINITE;
        let rhs = self.records.get(node).rhs;
        let is_awaited = |near: Record, cost: u32| near.g < near.rhs && near.g.saturating_add(cost) == rhs;
        let mut can_wait = false;
        view.for_each_taker(node, |to, cost| {
            if self.records.get(to).rhs == old.saturating_add(cost) {
                self.compute(view, to, probe);
            }
            can_wait |= V::BOTH_WAYS && is_awaited(self.records.get(to), cost);
        });
        if !V::BOTH_WAYS {
            view.for_each_giver(node, |to, cost| can_wait |= is_awaited(self.records.get(to), cost));
        }
        if !can_wait {
            self.update(view, node, probe);
        }
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
            view.for_each_giver(node, |to, cost| {
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
