//! The true costs of steps, of stretches of a route and of straight lines, weights included.
//!
//! Not here: which stretches to replace.

use super::runs::{Ruler, distance};
use crate::id::Cell;
use crate::space::square::moves::{Gait, N, NE, STEP};
use crate::space::square::{SquareGrid, mean_cost};

/// A grid, with what is needed to compute costs on it at hand.
pub(super) struct Ground<'a> {
    grid: &'a SquareGrid,
    price_by_direction: [u32; 8],
    legal: &'static [u8; 256],
    offsets: [i32; 8],
    pub(super) ruler: Ruler,
    /// Whether the rules allow diagonal steps.
    pub(super) slants: bool,
}

/// A straight line: `count` steps in one direction.
#[derive(Copy, Clone)]
pub(super) struct Leg {
    direction: usize,
    pub(super) count: u16,
}

impl Leg {
    /// Makes the line that crosses `dx` columns and `dy` rows. One of them must be 0, or both must be equally many.
    pub(super) fn new(dx: i32, dy: i32) -> Leg {
        let signs = (dx.signum(), dy.signum());
        // A line of no steps may have any direction.
        let direction = STEP.iter().position(|&step| step == signs).unwrap_or(0);
        Leg { direction, count: dx.abs().max(dy.abs()) as u16 }
    }

    /// Returns the cell that lies `steps` steps along this line if the line begins at `from`.
    #[inline(always)]
    pub(super) fn cell(self, from: Cell, steps: u16) -> Cell {
        let (dx, dy) = STEP[self.direction];
        let along = |from: u16, sign: i32| from.wrapping_add_signed((sign * i32::from(steps)) as i16);
        Cell { x: along(from.x, dx), y: along(from.y, dy) }
    }
}

impl<'a> Ground<'a> {
    pub(super) fn new(grid: &'a SquareGrid) -> Ground<'a> {
        let gait = grid.gait();
        Ground {
            grid,
            price_by_direction: grid.step_costs(),
            legal: gait.legal(),
            offsets: grid.offsets(),
            ruler: Ruler::new(grid),
            slants: gait != Gait::Four,
        }
    }

    /// Returns the cost of a legal step.
    #[inline(always)]
    pub(super) fn step(&self, from: Cell, to: Cell) -> u32 {
        debug_assert_eq!(distance(from, to), 1);
        let weight = |cell| self.grid.weight(self.grid.node(cell));
        let direction = if from.x != to.x && from.y != to.y { NE } else { N };
        mean_cost(self.price_by_direction[usize::from(direction)], weight(from), weight(to)).0
    }

    /// Returns the cost of a legal route or a stretch of one.
    pub(super) fn way(&self, cells: &[Cell]) -> u32 {
        cells.windows(2).map(|step| self.step(step[0], step[1])).sum()
    }

    /// Returns the cost of a straight line, if it is legal and costs less than `limit`.
    pub(super) fn line(&self, from: Cell, leg: Leg, limit: u32) -> Option<u32> {
        let price = self.price_by_direction[leg.direction];
        let mut node = self.grid.node(from);
        let mut weight = self.grid.weight(node);
        let mut cost = 0;
        for _ in 0..leg.count {
            if self.legal[usize::from(self.grid.around(node))] >> leg.direction & 1 == 0 {
                return None;
            }
            node.0 = node.0.wrapping_add_signed(self.offsets[leg.direction]);
            let next = self.grid.weight(node);
            cost += mean_cost(price, weight, next).0;
            if cost >= limit {
                return None;
            }
            weight = next;
        }
        (cost < limit).then_some(cost)
    }
}

/// Returns the number of columns and of rows from one cell to another, negative to the left and upwards.
#[inline(always)]
pub(super) fn apart(from: Cell, to: Cell) -> (i32, i32) {
    (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
}
