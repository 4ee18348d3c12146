//! The one view of a world that a search sees: nodes, edges with costs, and a lower bound on what is left.
//!
//! An edge carries a [`Slot`]: a small number that tells, at the far end, which edge one came in by (on a grid, the
//! direction). Searches keep it instead of a parent, one byte and not four, and canonical graphs use it to prune
//! what another way covers.

use crate::id::{Cell, NodeId};
use crate::world::Directions;
use crate::world::moves::NOWHERE;
use crate::world::square::{SquareGrid, mean_cost};

/// Which edge a node was reached by; 0 to 127, as the graph numbers them.
pub(crate) type Slot = u8;

/// The slot of a node that was not reached by an edge: the start.
pub(crate) const START: Slot = NOWHERE;

/// What a search needs to know of a world. Edges are symmetric.
pub(crate) trait Graph {
    /// Whether edges are left out that another way covers: sound for searches that open nodes again.
    const PRUNED: bool;
    /// One more than the largest node.
    fn node_count(&self) -> usize;
    /// Calls `visit(node, cost, slot)` for every edge worth following from a node reached by `arrived`.
    fn for_each_edge(&self, from: NodeId, arrived: Slot, visit: impl FnMut(NodeId, u32, Slot));
    /// The dearest single edge.
    fn greatest_edge(&self) -> u32;
    /// A cost in the range of the cheapest edge: queues take a fraction of it as their resolution.
    fn typical_edge(&self) -> u32;
}

/// A square grid's moves: all legal ones or, on uniform terrain, the canonical ones.
pub(crate) struct Moves<'a, const CANONICAL: bool, const WEIGHTED: bool> {
    grid: &'a SquareGrid,
    weights: &'a [u8],
    kept: &'static [[u8; 256]; 9],
    legal: &'static [u8; 256],
    offsets: [i32; 8],
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

/// A guess at what is left from a node to a goal fixed beforehand.
pub(crate) trait Estimate {
    fn estimate(&self, node: NodeId) -> u64;
}

/// Distance shapes on a grid; all but [`Shape::Zero`] need a node's column and row.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Octile,
    Manhattan,
    Euclidean,
    Zero,
}

/// The obstacle-free distance to a goal, scaled by the least weight there is.
pub(crate) struct GridEstimate<'a, const SHAPE: u8> {
    grid: &'a SquareGrid,
    goal: Cell,
    straight: u64,
    /// What a pair of perpendicular steps saves by being one diagonal.
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
                // Squares of 15-bit numbers and their root are exact or correctly rounded in f64 everywhere;
                // rounding down keeps the bound, and a diagonal cheaper than √2 straight steps shrinks it.
                let diagonal = (2 * self.straight - self.saved) as f64 / std::f64::consts::SQRT_2;
                (((dx * dx + dy * dy) as f64).sqrt() * diagonal.min(self.straight as f64)) as u64
            }
        }
    }
}
