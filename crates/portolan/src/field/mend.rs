//! Correcting a field after edits: only nodes whose costs change are computed again, and their neighbours looked at.
//!
//! As in LPA*, there are costs that have become too low and costs that can be lowered, but each kind is corrected in a pass of
//! its own, in the order of costs. The first pass takes back the cost of every node that has lost its way: no way of the node
//! leads to one that still has its cost. The second looks at all changed nodes and spreads lower costs as Dijkstra's algorithm
//! does. What comes out is the field that a fresh sweep would give, since a field is a function of the terrain.
//!
//! Every way costs at least 1. So the node that a way leads to costs less, and has been decided on before.
//!
//! Not here: which nodes an edit has changed, and what callers are told (`field/repair.rs`).

use super::FAR;
use crate::id::NodeId;
use crate::memory::held;
use crate::scratch::AlgorithmState;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The ways of agents on a field, from node to node. Nodes of goals have the cost 0, and no other node has it.
pub(super) trait Ways {
    /// Names the way that an agent takes from a node. Of equally cheap ways, it takes the one of the lowest name.
    type Step: Copy + Ord;
    /// The step of a node from which no goal is reached.
    const NO_STEP: Self::Step;

    /// Returns whether an agent can stand on a node. Ways lead to such nodes alone.
    fn is_open(&self, node: NodeId) -> bool;
    /// Calls `visit(to, cost, step)` for every way from an open node.
    fn for_each_way(&self, node: NodeId, visit: impl FnMut(NodeId, u32, Self::Step));
    /// Calls `visit(from, cost, step)` for every way to an open node, where `step` is its name at the node `from`.
    fn for_each_way_to(&self, node: NodeId, visit: impl FnMut(NodeId, u32, Self::Step));
}

/// The memory of a repair.
#[derive(Default)]
pub(super) struct MendScratch {
    /// Nodes to look at with their costs in the upper half, the cheapest first.
    queue: BinaryHeap<Reverse<u64>>,
    taken_back: Vec<u32>,
}

impl AlgorithmState for MendScratch {
    fn bytes(&self) -> usize {
        self.queue.capacity() * size_of::<u64>() + held(&self.taken_back)
    }
}

impl MendScratch {
    #[inline(always)]
    fn push(&mut self, cost: u32, node: NodeId) {
        self.queue.push(Reverse(u64::from(cost) << 32 | u64::from(node.0)));
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(u32, NodeId)> {
        self.queue.pop().map(|Reverse(entry)| ((entry >> 32) as u32, NodeId(entry as u32)))
    }
}

/// A field that is being corrected.
pub(super) struct Mend<'a, W: Ways> {
    pub(super) ways: &'a W,
    pub(super) limit: u32,
    pub(super) costs: &'a mut [u32],
    pub(super) steps: &'a mut [W::Step],
    pub(super) scratch: &'a mut MendScratch,
}

impl<W: Ways> Mend<'_, W> {
    /// Corrects the field where the ways of some nodes may have changed: of the nodes of these rows, which are all nodes that a
    /// changed way leads from or to. Returns how many nodes have been given a cost or lost theirs, or `None`, with a field that
    /// has to be made anew, if these are more than `most`.
    pub(super) fn run(&mut self, changed: impl Iterator<Item = NodeId> + Clone, most: usize) -> Option<usize> {
        self.scratch.queue.clear();
        self.scratch.taken_back.clear();
        self.take_back(changed.clone(), most)?;
        let taken_back = std::mem::take(&mut self.scratch.taken_back);
        for node in changed.chain(taken_back.iter().copied().map(NodeId)) {
            self.look_again(node);
        }
        let count = taken_back.len();
        self.scratch.taken_back = taken_back;
        self.lower(count, most)
    }

    /// Spreads the costs of the goals over a field without any other costs.
    pub(super) fn spread(&mut self, goals: impl Iterator<Item = NodeId>) {
        self.scratch.queue.clear();
        goals.for_each(|goal| self.scratch.push(0, goal));
        self.lower(0, usize::MAX);
    }

    /// Takes back the costs of all nodes that have lost their way.
    fn take_back(&mut self, changed: impl Iterator<Item = NodeId>, most: usize) -> Option<()> {
        for node in changed {
            let cost = self.costs[node.index()];
            if !self.ways.is_open(node) {
                (self.costs[node.index()], self.steps[node.index()]) = (FAR, W::NO_STEP);
            } else if cost != 0 && cost != FAR {
                self.scratch.push(cost, node);
            }
        }
        while let Some((cost, node)) = self.scratch.pop() {
            if self.costs[node.index()] != cost {
                continue; // the cost has been taken back before
            }
            let (costs, mut lowest) = (&*self.costs, None);
            self.ways.for_each_way(node, |to, edge, step| {
                if u64::from(costs[to.index()]) + u64::from(edge) <= u64::from(cost) {
                    lowest = Some(lowest.map_or(step, |lowest: W::Step| lowest.min(step)));
                }
            });
            if let Some(step) = lowest {
                self.steps[node.index()] = step;
                continue;
            }
            if self.scratch.taken_back.len() >= most {
                return None;
            }
            (self.costs[node.index()], self.steps[node.index()]) = (FAR, W::NO_STEP);
            self.scratch.taken_back.push(node.0);
            let (costs, steps, scratch) = (&*self.costs, &*self.steps, &mut *self.scratch);
            self.ways.for_each_way_to(node, |from, _, step| {
                if steps[from.index()] == step {
                    scratch.push(costs[from.index()], from);
                }
            });
        }
        Some(())
    }

    /// Computes the cost of a node from those of its neighbours.
    fn look_again(&mut self, node: NodeId) {
        let cost = self.costs[node.index()];
        if cost == 0 || !self.ways.is_open(node) {
            return;
        }
        let (costs, mut best) = (&*self.costs, None);
        self.ways.for_each_way(node, |to, edge, step| {
            let way = (u64::from(costs[to.index()]) + u64::from(edge), step);
            best = Some(best.map_or(way, |best: (u64, W::Step)| best.min(way)));
        });
        let Some((sum, step)) = best.filter(|&(sum, _)| sum <= u64::from(self.limit.min(cost))) else { return };
        (self.costs[node.index()], self.steps[node.index()]) = (sum as u32, step);
        if sum < u64::from(cost) {
            self.scratch.push(sum as u32, node);
        }
    }

    /// Spreads the costs of the nodes in the queue. `count` nodes have been taken back before.
    fn lower(&mut self, count: usize, most: usize) -> Option<usize> {
        let mut lowered = 0;
        while let Some((cost, node)) = self.scratch.pop() {
            if self.costs[node.index()] != cost {
                continue; // a lower cost has been found since
            }
            lowered += 1;
            if lowered > most {
                return None;
            }
            let Mend { limit, costs, steps, scratch, .. } = self;
            self.ways.for_each_way_to(node, |from, edge, step| {
                let (sum, known) = (cost.saturating_add(edge), costs[from.index()]);
                if sum > known || sum > *limit {
                    return;
                }
                if sum < known {
                    (costs[from.index()], steps[from.index()]) = (sum, step);
                    scratch.push(sum, from);
                } else if step < steps[from.index()] {
                    steps[from.index()] = step;
                }
            });
        }
        Some(count.max(lowered))
    }
}
