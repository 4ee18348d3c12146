//! The loop of D* and Focused D* ([`RaiseLower`]): a search back from the goal whose nodes point at the next node toward
//! it, and which sends waves of raised and of lowered costs through the nodes after edits.
//!
//! Every node has a cost `h` to the goal. A node in the queue also has `k`, the least value that `h` has had since it was put
//! there; the queue is ordered by `k` plus the estimate to the agent. A node with `k < h` is raised: what it costs is more
//! than was thought, and nodes that point at it have to be told. A node with `k = h` is lowered: its neighbours may use it.
//!
//! An edge that an edit took away is not an edge of a large cost here. A node whose edge is gone, and then every node that
//! points at it, gets an infinite cost, and after it has been expanded so it counts as never seen. So a branch that is cut
//! off from the goal is passed through once; its nodes cannot raise each other step by step in an endless loop.
//!
//! Not here: the names and promises of the two algorithms.

use super::living::{INFINITE, Tree};
use super::pages::Pages;
use super::queue::{Key, Queue, Queued};
use super::view::View;
use crate::graph::Shape;
use crate::id::NodeId;
use crate::probe::{Event, Probe};

/// The number of no node.
const NOWHERE: u32 = u32::MAX;

/// The tree of a search from the goal back to the agent. If `FOCUSED`, nodes near the agent come first.
#[derive(Clone, Default)]
pub(in crate::replan) struct RaiseLower<const FOCUSED: bool> {
    records: Pages<Record>,
    open: Queue,
    /// What is added to the first number of every new key: at least the estimate of how far the agent has moved since any
    /// key in the queue was computed. The 1995 paper calls it the accrued bias.
    bias: u64,
}

#[derive(Copy, Clone)]
struct Record {
    h: u32,
    /// [`INFINITE`] if the node is not in the queue.
    k: u32,
    /// The next node toward the goal; [`NOWHERE`] for the goal itself and for nodes that were never seen.
    toward: u32,
}

impl Default for Record {
    fn default() -> Record {
        Record { h: INFINITE, k: INFINITE, toward: NOWHERE }
    }
}

impl Queued for Record {
    fn queued(&mut self) -> &mut u32 {
        &mut self.k
    }
}

impl Record {
    /// Returns whether the node was never seen, or was cut off.
    fn is_new(self) -> bool {
        self.h == INFINITE && self.k == INFINITE
    }

    /// Returns whether the node was expanded and is not in the queue.
    fn is_closed(self) -> bool {
        self.h != INFINITE && self.k == INFINITE
    }
}

impl<const FOCUSED: bool> Tree for RaiseLower<FOCUSED> {
    const IS_BACKWARD: bool = true;
    const SHAPE: Option<Shape> = if FOCUSED { None } else { Some(Shape::Zero) };
    type Settings = ();

    fn begin(&mut self, (): (), view: &impl View, probe: &mut impl Probe) {
        self.records.reset(view.node_count());
        self.open.clear();
        self.bias = 0;
        self.insert(view, view.root(), 0, NOWHERE, probe);
    }

    /// The waves keep their order only while estimates are lower bounds of old and new costs.
    fn follow(&mut self, view: &impl View, old_target: NodeId, has_other_estimates: bool, _: &mut impl Probe) -> bool {
        self.bias += view.estimate(old_target);
        !(FOCUSED && has_other_estimates)
    }

    /// Corrects the cost of a node (MODIFY-COST in the papers). The papers have every such node expanded again; here one is
    /// left out if its own cost is right and it has nothing to offer to its neighbours. A neighbour that was never seen is
    /// offered nothing, because it takes what it needs when it is looked at itself.
    fn look_again<V: View>(&mut self, view: &V, node: NodeId, probe: &mut impl Probe) {
        let record = self.records.get(node);
        if record.is_new() {
            return self.take(view, node, probe);
        }
        let mut h = if node == view.root() { 0 } else { INFINITE };
        let mut offers = false;
        let is_offered = |near: Record, cost: u32| !near.is_new() && near.h > record.h.saturating_add(cost);
        if view.is_open(node) {
            view.for_each_giver(node, |to, cost| {
                probe.event(Event::Generate { node: to });
                let near = self.records.get(to);
                if to.0 == record.toward {
                    h = near.h.saturating_add(cost);
                }
                offers |= V::BOTH_WAYS && is_offered(near, cost);
            });
            if !V::BOTH_WAYS {
                view.for_each_taker(node, |to, cost| offers |= is_offered(self.records.get(to), cost));
            }
        }
        if h != record.h || offers && record.is_closed() {
            self.insert(view, node, h, record.toward, probe);
        }
    }

    fn run(&mut self, view: &impl View, target: NodeId, left: &mut u64, probe: &mut impl Probe) -> Option<u32> {
        loop {
            let h = self.records.get(target).h;
            // Without estimates, a raised node that costs as much as the target is not on its route.
            let end = if h == INFINITE { Key::LAST } else { Key::of(h, !FOCUSED, self.bias) };
            let Some((key, node)) = self.open.first_below(end, &self.records, probe) else {
                if h != INFINITE {
                    probe.event(Event::Goal { cost: h });
                }
                return Some(h);
            };
            let now = Key::of(key.cost(), key.cost() < self.records.get(node).h, view.estimate(node) + self.bias);
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
            probe.event(Event::Expand { node, g: key.cost() });
            self.process(view, node, now, probe);
        }
    }

    fn route(&self, target: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = |node: &NodeId| Some(NodeId(self.records.get(*node).toward)).filter(|next| next.0 != NOWHERE);
        std::iter::successors(Some(target), next)
    }

    fn seen(&self) -> usize {
        self.records.len()
    }

    fn bytes(&self) -> usize {
        self.records.bytes() + self.open.bytes()
    }
}

impl<const FOCUSED: bool> RaiseLower<FOCUSED> {
    /// Gives a node a cost and the next node toward the goal, and puts it into the queue (INSERT in the papers) unless it is
    /// there with a key that is no greater.
    fn insert(&mut self, view: &impl View, node: NodeId, h: u32, toward: u32, probe: &mut impl Probe) {
        let record = self.records.slot(node);
        let before = *record;
        let k = h.min(if before.k == INFINITE { before.h } else { before.k });
        (record.h, record.toward) = (h, toward);
        if before.k == k && (k == h || k < before.h) {
            return;
        }
        let key = Key::of(k, k < h, view.estimate(node) + self.bias);
        self.open.put(key, node, &mut self.records, probe);
    }

    /// Gives a node that was never seen the least cost that its expanded neighbours offer. No node with a finite cost
    /// can point at it, so no cycle comes of it.
    fn take(&mut self, view: &impl View, node: NodeId, probe: &mut impl Probe) {
        let mut best = (INFINITE, NOWHERE);
        if view.is_open(node) {
            view.for_each_giver(node, |to, cost| {
                probe.event(Event::Generate { node: to });
                let near = self.records.get(to);
                if near.is_closed() {
                    best = best.min((near.h.saturating_add(cost), to.0));
                }
            });
        }
        if best.0 != INFINITE {
            self.insert(view, node, best.0, best.1, probe);
        }
    }

    /// Expands a node that was taken off the queue, where it had this key (PROCESS-STATE in the papers).
    fn process(&mut self, view: &impl View, node: NodeId, key: Key, probe: &mut impl Probe) {
        let Record { mut h, toward: before, .. } = self.records.get(node);
        let k = key.cost();
        if k < h && view.is_open(node) {
            let mut toward = before;
            view.for_each_giver(node, |to, cost| {
                let near = self.records.get(to);
                if self.is_final(view, to, near, key) && h > near.h.saturating_add(cost) {
                    (h, toward) = (near.h + cost, to.0);
                }
            });
            let record = self.records.slot(node);
            (record.h, record.toward) = (h, toward);
        }
        if k == h {
            self.lower(view, node, h, probe);
        } else {
            self.raise(view, node, h, key, probe);
        }
    }

    /// Returns whether a neighbour of a raised node that had this key has a final cost: a route over the neighbour is estimated
    /// to cost no more, and where that is equal, the neighbour is nearer to the goal. So the nodes that point at the raised
    /// node, whose costs are about to be raised, are not final.
    fn is_final(&self, view: &impl View, node: NodeId, record: Record, key: Key) -> bool {
        let route = u64::from(record.h) + view.estimate(node) + self.bias;
        record.h != INFINITE && (route, record.h) <= (key.route(), key.cost())
    }

    /// Returns whether a neighbour over an edge of this cost might offer a cheaper way to a raised node that costs `h`, but has to
    /// be expanded first.
    #[inline(always)]
    fn may_help(&self, view: &impl View, node: NodeId, h: u32, (to, cost): (NodeId, u32), key: Key) -> bool {
        let near = self.records.get(to);
        near.toward != node.0
            && h > near.h.saturating_add(cost)
            && near.is_closed()
            && !self.is_final(view, to, near, key)
    }

    /// Hands the final cost of a node on to its neighbours.
    #[inline(always)]
    fn lower(&mut self, view: &impl View, node: NodeId, h: u32, probe: &mut impl Probe) {
        view.for_each_taker(node, |to, cost| {
            probe.event(Event::Generate { node: to });
            let (near, through) = (self.records.get(to), h.saturating_add(cost));
            let is_child = near.toward == node.0;
            if through != INFINITE && (near.is_new() || is_child && near.h != through || !is_child && near.h > through)
            {
                self.insert(view, to, through, node.0, probe);
            }
        });
    }

    /// Tells of a raised cost: the nodes that point at the node are raised too, and a neighbour that might offer a cheaper
    /// way, or be offered one, is put into the queue until costs are final. A node without a route counts as never seen.
    fn raise<V: View>(&mut self, view: &V, node: NodeId, h: u32, key: Key, probe: &mut impl Probe) {
        let mut wants_back = false;
        view.for_each_taker(node, |to, cost| {
            probe.event(Event::Generate { node: to });
            let (near, through) = (self.records.get(to), h.saturating_add(cost));
            let is_child = near.toward == node.0;
            if through != INFINITE && near.is_new() || is_child && near.h != through {
                self.insert(view, to, through, node.0, probe);
            } else if !is_child && near.h > through {
                wants_back = true;
            } else if V::BOTH_WAYS && self.may_help(view, node, h, (to, cost), key) {
                self.insert(view, to, near.h, near.toward, probe);
            }
        });
        if !V::BOTH_WAYS {
            view.for_each_giver(node, |to, cost| {
                if self.may_help(view, node, h, (to, cost), key) {
                    let near = self.records.get(to);
                    self.insert(view, to, near.h, near.toward, probe);
                }
            });
        }
        if wants_back {
            let toward = self.records.get(node).toward;
            self.insert(view, node, h, toward, probe);
        } else if h == INFINITE {
            *self.records.slot(node) = Record::default();
        }
    }
}
