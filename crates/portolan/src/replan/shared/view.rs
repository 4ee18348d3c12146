//! What a living search sees of the world during one step ([`View`]).

use crate::graph::{Estimate, Grid, Reversible, START};
use crate::id::NodeId;

/// The world as a graph, the root of the search, and the estimate of the cost to its target.
pub(in crate::replan) trait View {
    fn root(&self) -> NodeId;
    /// Returns a number greater than the index of every node.
    fn node_count(&self) -> usize;
    /// Returns whether an agent can stand on a node.
    fn is_open(&self, node: NodeId) -> bool;
    fn estimate(&self, node: NodeId) -> u64;
    /// Whether every edge leads in both directions at one cost, so that a node has its givers for takers.
    const BOTH_WAYS: bool;
    /// Calls `visit(neighbour, cost)` for every edge by which a node may get its cost from a neighbour: on which the route leads
    /// between the two.
    fn for_each_giver(&self, node: NodeId, visit: impl FnMut(NodeId, u32));
    /// Calls `visit(neighbour, cost)` for every edge by which a neighbour may get its cost from a node.
    fn for_each_taker(&self, node: NodeId, visit: impl FnMut(NodeId, u32));
}

/// A view of a grid. If `BACKWARD`, the root is the goal of the route, else its start.
pub(super) struct GridView<'a, S, G, D, const BACKWARD: bool> {
    pub(super) grid: &'a S,
    pub(super) graph: &'a G,
    pub(super) distance: &'a D,
    pub(super) root: NodeId,
}

impl<S: Grid, G: Reversible, D: Estimate, const BACKWARD: bool> View for GridView<'_, S, G, D, BACKWARD> {
    const BOTH_WAYS: bool = G::BOTH_WAYS;

    #[inline(always)]
    fn root(&self) -> NodeId {
        self.root
    }

    fn node_count(&self) -> usize {
        self.graph.node_count()
    }

    #[inline(always)]
    fn is_open(&self, node: NodeId) -> bool {
        self.grid.is_open(node)
    }

    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        self.distance.estimate(node)
    }

    #[inline(always)]
    fn for_each_giver(&self, node: NodeId, mut visit: impl FnMut(NodeId, u32)) {
        let visit = |near, cost, _| visit(near, cost);
        if BACKWARD {
            self.graph.for_each_edge(node, START, visit);
        } else {
            self.graph.for_each_edge_to(node, START, visit);
        }
    }

    #[inline(always)]
    fn for_each_taker(&self, node: NodeId, mut visit: impl FnMut(NodeId, u32)) {
        let visit = |near, cost, _| visit(near, cost);
        if BACKWARD {
            self.graph.for_each_edge_to(node, START, visit);
        } else {
            self.graph.for_each_edge(node, START, visit);
        }
    }
}
