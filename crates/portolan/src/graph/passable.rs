//! The moves of a grid of which some lead one way, and its links, as a graph: [`Passable`].
//!
//! Not here: grids without links, all of whose moves lead both ways, on which searches are faster ([`super::Moves`]).

use super::{Graph, Grid, Moves, Reversible, Slot};
use crate::id::NodeId;
use crate::space::links::{LinkStep, Links};
use crate::space::passages::Passages;
use crate::space::square::mean_cost;

/// The slot of the first of the links that lead to a node. Of a search against edges, it is that of the first that leads from it.
pub(crate) const FIRST_LINK: Slot = 9;

/// All legal moves of a grid, and its links. Moves to a node are found in a table of their own if some lead one way.
pub(crate) struct Passable<'a, S: Grid> {
    grid: &'a S,
    /// For each node, the neighbours from which moves lead to it, a bit for each direction.
    entries: Option<&'a [u8]>,
    links: &'a Links,
    offsets: [i32; 8],
    costs: [u32; 8],
}

impl<'a, S: Grid> Passable<'a, S> {
    /// # Panics
    /// When the grid has neither one-way borders nor links.
    pub(crate) fn new(grid: &'a S) -> Self {
        let passages: &Passages = grid.ground().passages.as_ref().expect("a grid with one-way borders or links");
        let (entries, links) = (passages.entries_by_node(), passages.links());
        Passable { grid, entries, links, offsets: grid.offsets(), costs: grid.step_costs() }
    }

    #[inline(always)]
    fn for_each_step(&self, node: NodeId, mut moves: u8, mut visit: impl FnMut(NodeId, u32, Slot)) {
        let weight = self.grid.weight(node);
        while moves != 0 {
            let direction = moves.trailing_zeros() as u8;
            moves &= moves - 1;
            let beside = NodeId(node.0.wrapping_add_signed(self.offsets[usize::from(direction & 7)]));
            let cost = mean_cost(self.costs[usize::from(direction & 7)], weight, self.grid.weight(beside)).0;
            visit(beside, cost, direction);
        }
    }

    /// Calls `visit` for the links in a list whose other ends are free, but for those that a step takes the place of: one of
    /// `moves` between the two cells that costs no more. `back` lists the links at the other end. Links come before steps, so
    /// that a search which keeps the first edge to a node has the cheaper one.
    fn for_each_link<'l>(
        &self,
        links: &[LinkStep],
        moves: u8,
        back: impl Fn(u32) -> &'l [LinkStep],
        mut visit: impl FnMut(NodeId, u32, Slot),
    ) {
        for &LinkStep { at, beyond, cost } in links {
            let mut is_worth_it = true;
            self.for_each_step(NodeId(at), moves, |to, walk, _| is_worth_it &= to.0 != beyond || cost < walk);
            if is_worth_it && self.grid.is_open(NodeId(beyond)) {
                let rank = back(beyond).iter().position(|link| link.beyond == at).expect("a link has two ends");
                visit(NodeId(beyond), cost, FIRST_LINK + rank as Slot);
            }
        }
    }
}

impl<S: Grid> Graph for Passable<'_, S> {
    type Reached = Slot;
    const PRUNED: bool = false;

    fn node_count(&self) -> usize {
        self.grid.node_count()
    }

    #[inline(always)]
    fn for_each_edge(&self, from: NodeId, _: Slot, mut visit: impl FnMut(NodeId, u32, Slot)) {
        let moves = S::legal(self.grid.tables(), self.grid.around(from));
        self.for_each_link(self.links.leaving(from.0), moves, |to| self.links.arriving(to), &mut visit);
        self.for_each_step(from, moves, visit);
    }

    fn greatest_edge(&self) -> u32 {
        Moves::<S, false, true>::new(self.grid).greatest_edge().max(self.links.dearest)
    }

    /// Dear links make the buckets of open lists wider, so that there are not too many of them.
    fn typical_edge(&self) -> u32 {
        Moves::<S, false, true>::new(self.grid).typical_edge().max(self.links.dearest / 1024)
    }
}

impl<S: Grid> Reversible for Passable<'_, S> {
    const BOTH_WAYS: bool = false;

    #[inline(always)]
    fn for_each_edge_to(&self, to: NodeId, _: Slot, mut visit: impl FnMut(NodeId, u32, Slot)) {
        let moves = match self.entries {
            Some(entries) => entries[to.index()],
            None => S::legal(self.grid.tables(), self.grid.around(to)),
        };
        self.for_each_link(self.links.arriving(to.0), moves, |from| self.links.leaving(from), &mut visit);
        self.for_each_step(to, moves, visit);
    }
}
