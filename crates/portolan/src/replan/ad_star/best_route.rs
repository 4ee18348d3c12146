//! The best route that an anytime search has found, and its bound ([`BestRoute`]).
//!
//! Not here: the search.

use crate::id::NodeId;
use crate::memory::held;
use crate::method::SoFar;

/// The best route since the world last changed, if one was found. It leads from the target of the search to the root.
#[derive(Clone, Default)]
pub(super) struct BestRoute {
    /// The nodes, from the target to the root, each with the cost of the route from there on.
    nodes: Vec<(NodeId, u32)>,
    /// The memory of another route.
    other: Vec<(NodeId, u32)>,
    so_far: Option<SoFar>,
}

impl BestRoute {
    /// Returns the cost and the bound, or `None` if no route is known.
    pub(super) fn so_far(&self) -> Option<SoFar> {
        self.so_far
    }

    /// Returns the nodes of the latest route, from the target to the root.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.iter().map(|&(node, _)| node)
    }

    pub(super) fn forget(&mut self) {
        self.so_far = None;
    }

    /// Compares the best route with one from the target to the root, where `next` returns the node after a node and the cost of
    /// the edge to it. Returns whether that route is cheaper, and takes it in that case.
    pub(super) fn take(&mut self, target: NodeId, root: NodeId, next: impl Fn(NodeId) -> (NodeId, u32)) -> bool {
        self.other.clear();
        let (mut node, mut whole) = (target, 0);
        while node != root {
            self.other.push((node, whole));
            let (to, cost) = next(node);
            (node, whole) = (to, whole + cost);
        }
        self.other.push((node, whole));
        if self.so_far.is_some_and(|old| old.cost <= whole) {
            return false;
        }
        for (_, cost) in &mut self.other {
            *cost = whole - *cost;
        }
        std::mem::swap(&mut self.nodes, &mut self.other);
        self.so_far = Some(SoFar { cost: whole, least: self.so_far.map_or(0, |old| old.least) });
        true
    }

    /// Notes that no route costs less than `least`, unless the best one is cheapest. Returns its cost and bound.
    pub(super) fn limit(&mut self, least: impl Fn(u32) -> u64) -> SoFar {
        let so_far = self.so_far.as_mut().expect("a route was taken");
        so_far.least = so_far.least.max(least(so_far.cost)).min(u64::from(so_far.cost));
        *so_far
    }

    /// Keeps the rest of the route if the target has moved along it, and else forgets it. No route from the new target costs
    /// less than `estimate`.
    pub(super) fn walk_to(&mut self, target: NodeId, estimate: u64) {
        let Some(old) = self.so_far.filter(|_| self.nodes[0].0 != target) else { return };
        let at = self.nodes.iter().position(|&(node, _)| node == target);
        self.so_far = at.map(|at| {
            self.nodes.drain(..at);
            let cost = self.nodes[0].1;
            // A cheapest route from the old target costs at most what was walked more than one from here.
            let least = old.least.saturating_sub(u64::from(old.cost - cost));
            SoFar { cost, least: least.max(estimate) }
        });
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.other)
    }
}
