//! What a living search sees of the world during one step ([`View`]).

use crate::graph::{Estimate, Graph, Grid, START, Slot};
use crate::id::NodeId;

/// The world as a graph, the root of the search, and the estimate of the cost to its target.
pub(in crate::replan) trait View {
    fn root(&self) -> NodeId;
    /// Returns a number greater than the index of every node.
    fn node_count(&self) -> usize;
    /// Returns whether an agent can stand on a node.
    fn is_open(&self, node: NodeId) -> bool;
    fn estimate(&self, node: NodeId) -> u64;
    /// Calls `visit(neighbour, cost)` for every edge of a node.
    fn for_each_edge(&self, node: NodeId, visit: impl FnMut(NodeId, u32));
}

/// A view of a grid.
pub(super) struct GridView<'a, S, G, D> {
    pub(super) grid: &'a S,
    pub(super) graph: &'a G,
    pub(super) distance: &'a D,
    pub(super) root: NodeId,
}

impl<S: Grid, G: Graph<Reached = Slot>, D: Estimate> View for GridView<'_, S, G, D> {
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
    fn for_each_edge(&self, node: NodeId, mut visit: impl FnMut(NodeId, u32)) {
        self.graph.for_each_edge(node, START, |to, cost, _| visit(to, cost));
    }
}
