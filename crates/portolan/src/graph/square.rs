//! The square grid as flat searches see it: its moves, and the distances that guide a search.
//!
//! Not here: which moves are legal and canonical (`space/square/moves.rs`).

use super::{Distance, Estimate, Grid, Reversible, Search, Shape, Slot};
use crate::cost::Octile;
use crate::id::{Cell, NodeId};
use crate::settings::Param;
use crate::space::Directions;
use crate::space::square::SquareGrid;
use crate::space::square::moves::STEP;

/// The moves from a cell, a bit for each direction, by the free cells around it.
type LegalTable = &'static [u8; 256];

/// The canonical moves from a cell by the direction of arrival and the free cells around it.
type CanonicalTable = &'static [[u8; 256]; 9];

impl Grid for SquareGrid {
    const HEURISTIC: Param = Param::choice(
        Shape::PARAM,
        "distance left; natural is octile with eight directions and manhattan with four",
        &["natural", "octile", "manhattan", "euclidean", "zero"],
    );
    const HAS_LINES: bool = true;
    type Tables = (LegalTable, CanonicalTable);

    fn all_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells()
    }

    #[inline(always)]
    fn tables(&self) -> Self::Tables {
        (self.gait().legal(), self.gait().canonical())
    }

    #[inline(always)]
    fn legal((legal, _): Self::Tables, around: u8) -> u8 {
        legal[usize::from(around)]
    }

    #[inline(always)]
    fn canonical((_, canonical): Self::Tables, arrived: Slot, around: u8) -> u8 {
        canonical[usize::from(arrived)][usize::from(around)]
    }

    #[inline(always)]
    fn offsets(&self) -> [i32; 8] {
        self.offsets()
    }

    #[inline(always)]
    fn step_costs(&self) -> [u32; 8] {
        self.step_costs()
    }

    #[inline(always)]
    fn before(to: Cell, direction: Slot) -> Cell {
        let (dx, dy) = STEP[usize::from(direction)];
        to.shifted((-dx, -dy))
    }

    /// On eight directions, Manhattan counts two straight steps where one diagonal step is enough.
    fn overestimate(&self, shape: Option<Shape>) -> f64 {
        if shape == Some(Shape::Manhattan) && self.rules().directions == Directions::Eight {
            f64::from(2 * self.metric().straight()) / f64::from(self.metric().diagonal())
        } else {
            1.0
        }
    }

    #[inline(always)]
    fn with_distance<G: Reversible, T: Search<Self>>(
        &self,
        shape: Option<Shape>,
        to: Cell,
        graph: &G,
        search: T,
    ) -> T::Output {
        let natural = || match self.rules().directions {
            Directions::Four => Shape::Manhattan,
            Directions::Eight => Shape::Octile,
        };
        match shape.unwrap_or_else(natural) {
            Shape::Octile => search.run(graph, &SquareDistance::<OCTILE>::new(self, to)),
            Shape::Manhattan => search.run(graph, &SquareDistance::<MANHATTAN>::new(self, to)),
            Shape::Euclidean => search.run(graph, &SquareDistance::<EUCLIDEAN>::new(self, to)),
            Shape::Zero => search.run(graph, &SquareDistance::<ZERO>::new(self, to)),
        }
    }
}

/// The obstacle-free distance to a goal, multiplied by the least weight of a free cell.
struct SquareDistance<'a, const SHAPE: u8> {
    grid: &'a SquareGrid,
    goal: Cell,
    octile: Octile,
}

pub(crate) const OCTILE: u8 = Shape::Octile as u8;
pub(crate) const MANHATTAN: u8 = Shape::Manhattan as u8;
pub(crate) const EUCLIDEAN: u8 = Shape::Euclidean as u8;
const ZERO: u8 = Shape::Zero as u8;

impl<'a, const SHAPE: u8> SquareDistance<'a, SHAPE> {
    fn new(grid: &'a SquareGrid, goal: Cell) -> Self {
        let prices = grid.metric().prices().times(u32::from(grid.least_weight()));
        SquareDistance { grid, goal, octile: Octile::new(prices) }
    }
}

impl<const SHAPE: u8> Distance<Cell> for SquareDistance<'_, SHAPE> {
    fn again(&self) -> Self {
        SquareDistance { ..*self }
    }

    fn toward(&self, to: Cell) -> Self {
        SquareDistance { goal: to, ..*self }
    }
}

impl<const SHAPE: u8> Estimate for SquareDistance<'_, SHAPE> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        if SHAPE == ZERO {
            return 0;
        }
        let cell = self.grid.cell(node);
        let (dx, dy) = (u64::from(cell.x.abs_diff(self.goal.x)), u64::from(cell.y.abs_diff(self.goal.y)));
        match SHAPE {
            OCTILE => self.octile.cost(dx, dy),
            MANHATTAN => self.octile.manhattan(dx, dy),
            _ => self.octile.euclidean(dx, dy),
        }
    }
}
