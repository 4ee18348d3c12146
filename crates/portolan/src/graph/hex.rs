//! The hexagonal grid as flat searches see it: its moves, and the distances that guide a search.
//!
//! Not here: which moves are legal and canonical (`space/hex/moves.rs`).

use super::{Distance, Estimate, Grid, Reversible, Search, Shape, Slot};
use crate::cost::hex_steps;
use crate::id::{HexCell, NodeId};
use crate::settings::Param;
use crate::space::hex::HexGrid;
use crate::space::hex::moves::{CANONICAL, STEP};

impl Grid for HexGrid {
    const HEURISTIC: Param = Param::choice(
        Shape::PARAM,
        "distance left; natural counts the steps between two hexes",
        &["natural", "euclidean", "zero"],
    );
    const HAS_LINES: bool = false;
    type Tables = ();

    fn all_cells(&self) -> impl Iterator<Item = HexCell> + '_ {
        self.cells()
    }

    fn tables(&self) {}

    #[inline(always)]
    fn legal((): (), around: u8) -> u8 {
        around
    }

    #[inline(always)]
    fn canonical((): (), arrived: Slot, around: u8) -> u8 {
        CANONICAL[usize::from(arrived)][usize::from(around)]
    }

    #[inline(always)]
    fn offsets(&self) -> [i32; 8] {
        self.offsets()
    }

    #[inline(always)]
    fn step_costs(&self) -> [u32; 8] {
        self.metric().hex_step_costs()
    }

    #[inline(always)]
    fn before(to: HexCell, direction: Slot) -> HexCell {
        let (dq, dr) = STEP[usize::from(direction)];
        HexCell::new(to.q - dq as i16, to.r - dr as i16)
    }

    /// Every heuristic on hexes is a lower bound.
    fn overestimate(&self, _: Option<Shape>) -> f64 {
        1.0
    }

    #[inline(always)]
    fn with_distance<G: Reversible, T: Search<Self>>(
        &self,
        shape: Option<Shape>,
        to: HexCell,
        graph: &G,
        search: T,
    ) -> T::Output {
        match shape {
            Some(Shape::Zero) => search.run(graph, &HexDistance::<ZERO>::new(self, to)),
            Some(Shape::Euclidean) => search.run(graph, &HexDistance::<EUCLIDEAN>::new(self, to)),
            _ => search.run(graph, &HexDistance::<STEPS>::new(self, to)),
        }
    }
}

const STEPS: u8 = 0;
const EUCLIDEAN: u8 = 1;
const ZERO: u8 = 2;

/// The obstacle-free distance to a goal, multiplied by the least weight of a free cell.
struct HexDistance<'a, const SHAPE: u8> {
    grid: &'a HexGrid,
    goal: HexCell,
    step: u64,
}

impl<'a, const SHAPE: u8> HexDistance<'a, SHAPE> {
    fn new(grid: &'a HexGrid, goal: HexCell) -> Self {
        HexDistance { grid, goal, step: u64::from(grid.metric().straight()) * u64::from(grid.least_weight()) }
    }
}

impl<const SHAPE: u8> Distance<HexCell> for HexDistance<'_, SHAPE> {
    fn again(&self) -> Self {
        HexDistance { ..*self }
    }

    fn toward(&self, to: HexCell) -> Self {
        HexDistance { goal: to, ..*self }
    }
}

impl<const SHAPE: u8> Estimate for HexDistance<'_, SHAPE> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        if SHAPE == ZERO {
            return 0;
        }
        let cell = self.grid.cell(node);
        let (dq, dr) = (i32::from(cell.q) - i32::from(self.goal.q), i32::from(cell.r) - i32::from(self.goal.r));
        if SHAPE == STEPS {
            return self.step * u64::from(hex_steps(dq, dr));
        }
        // The square of the distance is a whole number, so that its root is equal on every machine. Rounding down keeps
        // the estimate a lower bound.
        let (dq, dr) = (i64::from(dq), i64::from(dr));
        (((dq * dq + dq * dr + dr * dr) as f64).sqrt() * self.step as f64) as u64
    }
}
