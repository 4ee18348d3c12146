//! What a field asks of a grid, squares and hexes alike.
//!
//! Not here: what a field tells its callers (`field.rs`).

use super::arrays::FlatGrid;
use super::flee::flee;
use super::mend::{Mend, Ways};
use super::sweep::{opposites, sweep};
use super::{AT_GOAL, FAR, NO_STEP};
use crate::graph::{FIRST_LINK, Grid, Moves, Passable, Reversible, START};
use crate::id::NodeId;
use crate::scratch::Scratch;
use crate::space::ground::Layout;
use crate::space::square::mean_cost;
use crate::space::{Edit, Extras, Space};
use std::ops::Range;

/// A space that fields spread over: [`crate::SquareGrid`] and [`crate::HexGrid`]. The trait is public in a private module, so
/// that only this crate implements it.
pub trait Fielded: Space<Edit = Edit> {
    /// Returns a number greater than the index of every node.
    fn nodes(&self) -> usize;
    /// Returns the node of a place, `None` off the grid.
    fn node_of(&self, at: Self::Place) -> Option<NodeId>;
    /// Returns, for each direction, the index of a neighbour in that direction minus the node's own.
    fn steps(&self) -> [i32; 8];
    /// Returns the node that a link leads to from a node, given by the link's step.
    fn over_link(&self, node: NodeId, step: u8) -> Option<NodeId>;
    /// Writes what it costs to walk from each node to the nearest goal, up to `limit`, and the steps towards it.
    fn sweep(
        &self,
        goals: &[Self::Place],
        limit: u32,
        scratch: &mut Scratch<Self>,
        costs: &mut [u32],
        steps: &mut [u8],
    );
    /// Corrects costs and steps after edits. Returns how many nodes were given a cost or lost theirs, or `None`, with costs
    /// that are of no use, if making them anew is faster.
    fn mend(
        &self,
        edits: &[Edit],
        limit: u32,
        scratch: &mut Scratch<Self>,
        costs: &mut [u32],
        steps: &mut [u8],
    ) -> Option<usize>;
    /// Writes the costs and steps of a flee map from the costs of a field. All costs must be `FAR` before, and all steps
    /// `NO_STEP`.
    fn flee(&self, dangers: &[u32], percent: u32, scratch: &mut Scratch<Self>, costs: &mut [u32], steps: &mut [u8]);
    /// Returns the first node whose cost and step are not those of a goal, of a legal step to a node that costs less by the
    /// cost of this step, or of no way at all.
    fn torn(&self, goals: &[Self::Place], limit: u32, costs: &[u32], steps: &[u8]) -> Option<NodeId>;
    /// Returns the moves and weights of all nodes.
    fn lay_flat(&self) -> FlatGrid;
    /// Brings moves and weights up to date with edits, and returns which nodes were written.
    fn lay_again(&self, edits: &[Edit], flat: &mut FlatGrid) -> Vec<Range<usize>>;
}

impl<S: Grid> Fielded for S {
    #[inline(always)]
    fn nodes(&self) -> usize {
        self.node_count()
    }

    #[inline(always)]
    fn node_of(&self, at: S::Place) -> Option<NodeId> {
        self.contains(at).then(|| self.node_at(at))
    }

    #[inline(always)]
    fn steps(&self) -> [i32; 8] {
        self.offsets()
    }

    fn over_link(&self, node: NodeId, step: u8) -> Option<NodeId> {
        let links = self.ground().passages.as_ref()?.links().leaving(node.0);
        links.get(usize::from(step.checked_sub(FIRST_LINK)?)).map(|link| NodeId(link.beyond))
    }

    fn sweep(&self, goals: &[S::Place], limit: u32, scratch: &mut Scratch<S>, costs: &mut [u32], steps: &mut [u8]) {
        sweep(self, goals, limit, &mut scratch.ring, costs, steps);
    }

    fn mend(
        &self,
        edits: &[Edit],
        limit: u32,
        scratch: &mut Scratch<S>,
        costs: &mut [u32],
        steps: &mut [u8],
    ) -> Option<usize> {
        let most = self.ground().layout.cell_count() / WORTH_A_SWEEP;
        let rows = || edits.iter().flat_map(|edit| self.rows_near(edit));
        if rows().map(|row| row.len()).sum::<usize>() > most.max(FEW) {
            return None;
        }
        let nodes = rows().flatten().map(NodeId);
        let scratch = scratch.states.own();
        if self.extras() > Extras::Walls {
            let ways = GridWays::new(self, Passable::new(self));
            let mut all: Vec<NodeId> = nodes.collect();
            add_other_ends(self, &mut all);
            Mend { ways: &ways, limit, costs, steps, scratch }.run(all.iter().copied(), most)
        } else if self.least_weight() == self.greatest_weight() {
            let ways = GridWays::new(self, Moves::<S, false, false>::new(self));
            Mend { ways: &ways, limit, costs, steps, scratch }.run(nodes, most)
        } else {
            let ways = GridWays::new(self, Moves::<S, false, true>::new(self));
            Mend { ways: &ways, limit, costs, steps, scratch }.run(nodes, most)
        }
    }

    fn flee(&self, dangers: &[u32], percent: u32, scratch: &mut Scratch<S>, costs: &mut [u32], steps: &mut [u8]) {
        flee(self, dangers, percent, scratch, costs, steps);
    }

    fn torn(&self, goals: &[S::Place], limit: u32, costs: &[u32], steps: &[u8]) -> Option<NodeId> {
        let (offsets, prices) = (self.offsets(), self.step_costs());
        let holds = |node: NodeId| {
            let (cost, step) = (costs[node.index()], steps[node.index()]);
            if cost == FAR || cost == 0 {
                return step == if cost == 0 { AT_GOAL } else { NO_STEP };
            }
            if let Some(to) = self.over_link(node, step) {
                let links =
                    self.ground().passages.as_ref().map_or(&[][..], |passages| passages.links().leaving(node.0));
                let edge = links.iter().find(|link| link.beyond == to.0).map_or(0, |link| link.cost);
                let is_usable = self.is_open(node) && self.is_open(to) && cost <= limit;
                return is_usable && cost.checked_sub(edge) == Some(costs[to.index()]);
            }
            let is_legal = step < AT_GOAL && S::legal(self.tables(), self.around(node)) >> step & 1 == 1;
            let (true, true, Some(offset)) = (cost <= limit, is_legal, offsets.get(usize::from(step))) else {
                return false;
            };
            let next = NodeId(node.0.wrapping_add_signed(*offset));
            let edge = mean_cost(prices[usize::from(step)], self.weight(node), self.weight(next)).0;
            cost.checked_sub(edge) == Some(costs[next.index()])
        };
        let mut walked = 0;
        for cell in self.all_cells() {
            let node = self.node_at(cell);
            let cost = costs[node.index()];
            if !holds(node) || cost != FAR && !self.is_open(node) || cost == 0 && !goals.contains(&cell) {
                return Some(node);
            }
            walked += usize::from(cost != FAR);
        }
        let missing = goals.iter().map(|&goal| self.node_at(goal)).find(|goal| costs[goal.index()] != 0);
        if missing.is_some() || walked == costs.iter().filter(|&&cost| cost != FAR).count() {
            return missing;
        }
        let is_cell = |node: usize| self.all_cells().any(|cell| self.node_at(cell).index() == node);
        (0..costs.len()).find(|&node| costs[node] != FAR && !is_cell(node)).map(|node| NodeId(node as u32))
    }

    fn lay_flat(&self) -> FlatGrid {
        let nodes = self.node_count();
        let layout = &self.ground().layout;
        let mut flat = FlatGrid {
            stride: layout.row_start(1) - layout.row_start(0),
            offsets: self.offsets(),
            prices: self.step_costs(),
            moves: vec![0; nodes],
            weights: vec![0; nodes],
        };
        for cell in self.all_cells() {
            lay(self, self.node_at(cell), &mut flat);
        }
        flat
    }

    fn lay_again(&self, edits: &[Edit], flat: &mut FlatGrid) -> Vec<Range<usize>> {
        let mut written = Vec::new();
        for edit in edits {
            for row in self.rows_near(edit) {
                row.clone().for_each(|node| lay(self, NodeId(node), flat));
                written.push(row.start as usize..row.end as usize);
            }
        }
        written
    }
}

/// A repair that concerns more than one cell in so many is given up for a sweep.
const WORTH_A_SWEEP: usize = 6;
/// The number of changed nodes that are always worth a look.
const FEW: usize = 64;

/// Adds the nodes that links lead to and from at these nodes: they have other ways when one of these is blocked or freed.
fn add_other_ends<S: Grid>(grid: &S, nodes: &mut Vec<NodeId>) {
    let Some(links) = grid.ground().passages.as_ref().map(|passages| passages.links()) else { return };
    for at in 0..nodes.len() {
        let node = nodes[at].0;
        let ends = links.leaving(node).iter().chain(links.arriving(node));
        nodes.extend(ends.map(|link| NodeId(link.beyond)));
    }
}

/// The ways of agents on a grid. Steps are directions, and from [`FIRST_LINK`] on links by their rank at the node that they leave.
struct GridWays<'a, S, G> {
    grid: &'a S,
    moves: G,
    back: [u8; 8],
}

impl<'a, S: Grid, G: Reversible> GridWays<'a, S, G> {
    fn new(grid: &'a S, moves: G) -> Self {
        GridWays { grid, moves, back: opposites(grid.offsets()) }
    }
}

impl<S: Grid, G: Reversible> Ways for GridWays<'_, S, G> {
    type Step = u8;
    const NO_STEP: u8 = NO_STEP;

    fn is_open(&self, node: NodeId) -> bool {
        self.grid.is_open(node)
    }

    #[inline(always)]
    fn for_each_way(&self, node: NodeId, mut visit: impl FnMut(NodeId, u32, u8)) {
        self.moves.for_each_edge(node, START, |to, edge, direction| {
            // The graph names a link by its rank at the node that it leads to.
            let step = if direction >= FIRST_LINK { link_step(self.grid, node, to) } else { direction };
            visit(to, edge, step);
        });
    }

    #[inline(always)]
    fn for_each_way_to(&self, node: NodeId, mut visit: impl FnMut(NodeId, u32, u8)) {
        let back = |slot: u8| if slot >= FIRST_LINK { slot } else { self.back[usize::from(slot & 7)] };
        self.moves.for_each_edge_to(node, START, |from, edge, direction| visit(from, edge, back(direction)));
    }
}

/// Returns the step of the link from one node to another.
#[cold]
fn link_step<S: Grid>(grid: &S, from: NodeId, to: NodeId) -> u8 {
    let links = grid.ground().passages.as_ref().map_or(&[][..], |passages| passages.links().leaving(from.0));
    let rank = links.iter().position(|link| link.beyond == to.0).expect("the graph has this link");
    FIRST_LINK + rank as u8
}

/// Writes the moves and the weight of a node.
fn lay<S: Grid>(grid: &S, node: NodeId, flat: &mut FlatGrid) {
    let is_open = grid.is_open(node);
    let moves = if is_open { S::legal(grid.tables(), grid.around(node)) } else { 0 };
    let weight = if is_open { grid.weight(node) } else { 0 };
    (flat.moves[node.index()], flat.weights[node.index()]) = (moves, weight);
}
