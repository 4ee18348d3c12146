//! The moves of a grid of which some lead one way, as a graph: [`OneWayMoves`].
//!
//! Not here: grids all of whose moves lead both ways, on which searches are faster ([`super::Moves`]).

use super::{Graph, Grid, Moves, Reversible, Slot};
use crate::id::NodeId;
use crate::space::square::mean_cost;

/// All legal moves of a grid. Moves to a node are found in a table of their own.
pub(crate) struct OneWayMoves<'a, S: Grid> {
    grid: &'a S,
    /// For each node, the neighbours from which moves lead to it, a bit for each direction.
    entries: &'a [u8],
    offsets: [i32; 8],
    costs: [u32; 8],
}

impl<'a, S: Grid> OneWayMoves<'a, S> {
    /// # Panics
    /// When every move of the grid leads both ways.
    pub(crate) fn new(grid: &'a S) -> Self {
        let passages = grid.ground().passages.as_ref().expect("a grid with one-way borders");
        let entries = passages.entries_by_node().expect("the moves to each node");
        OneWayMoves { grid, entries, offsets: grid.offsets(), costs: grid.step_costs() }
    }

    #[inline(always)]
    fn for_each(&self, node: NodeId, mut moves: u8, mut visit: impl FnMut(NodeId, u32, Slot)) {
        let weight = self.grid.weight(node);
        while moves != 0 {
            let direction = moves.trailing_zeros() as u8;
            moves &= moves - 1;
            let beside = NodeId(node.0.wrapping_add_signed(self.offsets[usize::from(direction & 7)]));
            let cost = mean_cost(self.costs[usize::from(direction & 7)], weight, self.grid.weight(beside)).0;
            visit(beside, cost, direction);
        }
    }
}

impl<S: Grid> Graph for OneWayMoves<'_, S> {
    type Reached = Slot;
    const PRUNED: bool = false;

    fn node_count(&self) -> usize {
        self.grid.node_count()
    }

    #[inline(always)]
    fn for_each_edge(&self, from: NodeId, _: Slot, visit: impl FnMut(NodeId, u32, Slot)) {
        self.for_each(from, S::legal(self.grid.tables(), self.grid.around(from)), visit);
    }

    fn greatest_edge(&self) -> u32 {
        Moves::<S, false, true>::new(self.grid).greatest_edge()
    }

    fn typical_edge(&self) -> u32 {
        Moves::<S, false, true>::new(self.grid).typical_edge()
    }
}

impl<S: Grid> Reversible for OneWayMoves<'_, S> {
    const BOTH_WAYS: bool = false;

    #[inline(always)]
    fn for_each_edge_to(&self, to: NodeId, _: Slot, visit: impl FnMut(NodeId, u32, Slot)) {
        self.for_each(to, self.entries[to.index()], visit);
    }
}
