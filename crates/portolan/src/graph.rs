//! A world as searches see it: nodes, edges with costs ([`Graph`]), and estimates of the cost to the goal
//! ([`Estimate`]).
//!
//! Each edge has a [`Slot`]: a small number that identifies the edge at the node where it ends (on a grid, the
//! direction). For each node, searches store the slot of the edge by which they reached it, instead of the node before:
//! that takes one byte instead of four. Canonical graphs also use it to leave out edges to nodes that another route
//! reaches at no greater cost.
//!
//! Not here: the search loops, and which moves are legal.

use crate::id::{Cell, NodeId};
use crate::space::Directions;
use crate::space::square::moves::NOWHERE;
use crate::space::square::{SquareGrid, mean_cost};

/// The edge by which a node was reached: a number from 0 to 127 that the graph assigns.
pub(crate) type Slot = u8;

/// The slot of the start, which is not reached by an edge.
pub(crate) const START: Slot = NOWHERE;

/// The nodes and edges that a search works on. Every edge leads in both directions at one cost.
pub(crate) trait Graph {
    /// Whether the graph leaves out edges to nodes that another route reaches at no greater cost. Only searches that
    /// reopen nodes may use such a graph.
    const PRUNED: bool;
    /// Returns a number greater than the index of every node.
    fn node_count(&self) -> usize;
    /// Calls `visit(node, cost, slot)` for every edge to follow from the node `from`, which was reached by `arrived`.
    fn for_each_edge(&self, from: NodeId, arrived: Slot, visit: impl FnMut(NodeId, u32, Slot));
    /// Returns an upper bound on the cost of an edge.
    fn greatest_edge(&self) -> u32;
    /// Returns a cost near that of the cheapest edge; open lists derive their bucket width from it.
    fn typical_edge(&self) -> u32;
}

/// The moves of a square grid as a graph: if `CANONICAL`, which needs uniform terrain, only the canonical moves, else
/// all legal moves. If `WEIGHTED`, the cost of a step depends on the weights of its two cells.
pub(crate) struct Moves<'a, const CANONICAL: bool, const WEIGHTED: bool> {
    grid: &'a SquareGrid,
    weights: &'a [u8],
    /// The canonical moves, a bit for each direction, by the slot of arrival and the free neighbours.
    kept: &'static [[u8; 256]; 9],
    /// The legal moves, a bit for each direction, by the free neighbours.
    legal: &'static [u8; 256],
    /// The difference between the ids of a neighbour and of a node, by direction.
    offsets: [i32; 8],
    /// The cost of a straight and of a diagonal step; if `WEIGHTED`, over terrain of weight 1.
    costs: [u32; 2],
}

impl<'a, const CANONICAL: bool, const WEIGHTED: bool> Moves<'a, CANONICAL, WEIGHTED> {
    pub(crate) fn new(grid: &'a SquareGrid) -> Self {
        let metric = grid.metric();
        let scale = if WEIGHTED { 1 } else { u32::from(grid.least_weight()) };
        Moves {
            grid,
            weights: grid.weights().unwrap_or_default(),
            kept: grid.gait().canonical(),
            legal: grid.gait().legal(),
            offsets: grid.offsets(),
            costs: [metric.straight() * scale, metric.diagonal() * scale],
        }
    }
}

impl<const CANONICAL: bool, const WEIGHTED: bool> Graph for Moves<'_, CANONICAL, WEIGHTED> {
    const PRUNED: bool = CANONICAL;

    fn node_count(&self) -> usize {
        self.grid.node_count()
    }

    #[inline(always)]
    fn for_each_edge(&self, from: NodeId, arrived: Slot, mut visit: impl FnMut(NodeId, u32, Slot)) {
        let around = usize::from(self.grid.around(from));
        let mut moves = if CANONICAL { self.kept[usize::from(arrived)][around] } else { self.legal[around] };
        while moves != 0 {
            let direction = moves.trailing_zeros() as u8;
            moves &= moves - 1;
            let to = NodeId(from.0.wrapping_add_signed(self.offsets[usize::from(direction & 7)]));
            let base = self.costs[usize::from(direction & 1)];
            let cost =
                if WEIGHTED { mean_cost(base, self.weights[from.index()], self.weights[to.index()]).0 } else { base };
            visit(to, cost, direction);
        }
    }

    fn greatest_edge(&self) -> u32 {
        let metric = self.grid.metric();
        let dearest =
            if self.grid.rules().directions == Directions::Four { metric.straight() } else { metric.diagonal() };
        dearest * u32::from(self.grid.greatest_weight())
    }

    fn typical_edge(&self) -> u32 {
        self.grid.metric().straight() * u32::from(self.grid.least_weight())
    }
}

/// An estimate of the cost from a node to a goal that the implementing value holds.
pub(crate) trait Estimate {
    fn estimate(&self, node: NodeId) -> u64;
}

/// The formulas for the obstacle-free distance on a grid; [`Shape::Zero`] is 0 for every node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Octile,
    Manhattan,
    Euclidean,
    Zero,
}

/// The obstacle-free distance to a goal, multiplied by the least weight of a free cell.
pub(crate) struct GridEstimate<'a, const SHAPE: u8> {
    grid: &'a SquareGrid,
    goal: Cell,
    straight: u64,
    /// How much less one diagonal step costs than two straight steps.
    saved: u64,
}

pub(crate) const OCTILE: u8 = Shape::Octile as u8;
pub(crate) const MANHATTAN: u8 = Shape::Manhattan as u8;
pub(crate) const EUCLIDEAN: u8 = Shape::Euclidean as u8;
pub(crate) const ZERO: u8 = Shape::Zero as u8;

impl<'a, const SHAPE: u8> GridEstimate<'a, SHAPE> {
    pub(crate) fn new(grid: &'a SquareGrid, goal: Cell) -> Self {
        let metric = grid.metric();
        let scale = u64::from(grid.least_weight());
        GridEstimate {
            grid,
            goal,
            straight: u64::from(metric.straight()) * scale,
            saved: u64::from(2 * metric.straight() - metric.diagonal()) * scale,
        }
    }
}

impl<const SHAPE: u8> Estimate for GridEstimate<'_, SHAPE> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        if SHAPE == ZERO {
            return 0;
        }
        let cell = self.grid.cell(node);
        let (dx, dy) = (u64::from(cell.x.abs_diff(self.goal.x)), u64::from(cell.y.abs_diff(self.goal.y)));
        match SHAPE {
            OCTILE => self.straight * (dx + dy) - self.saved * dx.min(dy),
            MANHATTAN => self.straight * (dx + dy),
            _ => {
                // The sum of the squares is exact in f64 and its root correctly rounded, so the result does not depend
                // on the machine. Rounding down keeps the estimate a lower bound. If a diagonal step costs less than √2
                // straight steps, its cost is used as the unit.
                let diagonal = (2 * self.straight - self.saved) as f64 / std::f64::consts::SQRT_2;
                (((dx * dx + dy * dy) as f64).sqrt() * diagonal.min(self.straight as f64)) as u64
            }
        }
    }
}
