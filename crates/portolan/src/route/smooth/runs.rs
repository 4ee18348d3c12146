//! Routes as turning points with straight runs between them, and the cost of runs on open ground.
//!
//! Not here: weights that differ, and obstacles.

use crate::cost::Octile;
use crate::id::Cell;
use crate::space::square::SquareGrid;
use crate::space::square::moves::Gait;

/// Computes the cost of walks on open ground where every cell has the grid's least weight.
#[derive(Copy, Clone)]
pub(super) struct Ruler(Octile);

impl Ruler {
    pub(super) fn new(grid: &SquareGrid) -> Ruler {
        let prices = grid.metric().prices().times(u32::from(grid.least_weight()));
        Ruler(Octile::new(if grid.gait() == Gait::Four { prices.without_diagonals() } else { prices }))
    }

    /// Returns the cost of the cheapest walk between two cells on open ground. No walk between them in the grid is
    /// cheaper.
    #[inline(always)]
    pub(super) fn between(self, a: Cell, b: Cell) -> u32 {
        self.0.between(a, b) as u32
    }
}

/// Returns the number of columns or of rows between two cells, whichever is greater.
#[inline(always)]
pub(super) fn distance(a: Cell, b: Cell) -> u16 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

/// Returns the cell `count` steps from `from` towards `to`: straight steps if both are in one row or column, else
/// diagonal steps.
#[inline(always)]
pub(super) fn towards(from: Cell, to: Cell, count: u16) -> Cell {
    let along = |from: u16, to: u16| {
        let sign = (to.cast_signed() - from.cast_signed()).signum(); // sides are shorter than 2¹⁵
        from.wrapping_add_signed(sign * count.cast_signed())
    };
    Cell { x: along(from.x, to.x), y: along(from.y, to.y) }
}

/// Packs column and row into one number, so that a step is one addition.
#[inline(always)]
fn packed(cell: Cell) -> u32 {
    u32::from(cell.x) | u32::from(cell.y) << 16
}

#[inline(always)]
fn unpacked(at: u32) -> Cell {
    Cell { x: at as u16, y: (at >> 16) as u16 }
}

/// Removes all cells of a route but its first, its last and those where it turns.
pub(super) fn to_corners(cells: &mut Vec<Cell>) {
    if cells.len() < 3 {
        return;
    }
    let mut at = packed(cells[1]);
    let mut step = at.wrapping_sub(packed(cells[0]));
    let mut kept = 1;
    for i in 2..cells.len() {
        let next = packed(cells[i]);
        let next_step = next.wrapping_sub(at);
        // The cell is always written, and overwritten by the next one unless the route turns there. This needs no
        // branch, which the processor could mispredict.
        cells[kept] = unpacked(at);
        kept += usize::from(next_step != step);
        (at, step) = (next, next_step);
    }
    cells[kept] = unpacked(at);
    cells.truncate(kept + 1);
}

/// Replaces `cells` by all cells of the route that has these turning points.
pub(super) fn to_cells(corners: &[Cell], cells: &mut Vec<Cell>) {
    cells.clear();
    for run in corners.windows(2) {
        let (mut at, end) = (packed(run[0]), packed(run[1]));
        let step = packed(towards(run[0], run[1], 1)).wrapping_sub(at);
        while at != end {
            cells.push(unpacked(at));
            at = at.wrapping_add(step);
        }
    }
    cells.extend(corners.last());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_cells_are_two_forms_of_one_route() {
        let corners: Vec<Cell> = [(3, 3), (7, 3), (9, 1), (9, 0), (0, 0), (0, 1), (0, 0)].map(Cell::from).to_vec();
        for count in 1..=corners.len() {
            let mut cells = Vec::new();
            to_cells(&corners[..count], &mut cells);
            assert!(cells.windows(2).all(|step| distance(step[0], step[1]) == 1));
            to_corners(&mut cells);
            assert_eq!(cells, corners[..count]);
        }
    }
}
