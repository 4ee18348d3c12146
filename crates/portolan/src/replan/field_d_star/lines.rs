//! Straight lines between cells of a route, instead of steps.
//!
//! Not here: what a line costs, which the square grid knows.

use crate::id::Cell;
use crate::route::straight::straighten;
use crate::space::square::SquareGrid;
use crate::space::{Motion, Space};

/// Turns neighbouring cells into the cells where a route of straight lines turns, and makes that route shorter until no turn can be
/// left out or moved by one cell to a better place. Returns the cost, or `None` if it does not fit [`crate::Cost`].
pub(super) fn draw_lines(grid: &SquareGrid, cells: &mut Vec<Cell>) -> Option<u32> {
    straighten(grid, cells, u32::MAX)?;
    while improve_turns(grid, cells) {}
    let costs = cells.windows(2).map(|line| grid.segment(line[0], line[1], Motion::AnyAngle));
    let sum: Option<u64> = costs.map(|cost| cost.map(|cost| u64::from(cost.0))).sum();
    u32::try_from(sum?).ok()
}

/// How much less a better route costs at least, in lengths of a cell. Less may be due to rounding.
const BETTER: f64 = 1e-6;

/// Looks at every turn once. Returns whether any was left out or moved.
fn improve_turns(grid: &SquareGrid, cells: &mut Vec<Cell>) -> bool {
    let (mut index, mut has_changed) = (1, false);
    while index + 1 < cells.len() {
        let [before, turn, after] = [cells[index - 1], cells[index], cells[index + 1]];
        let length = |over: Cell| Some(grid.line_length(before, over)? + grid.line_length(over, after)?);
        let now = length(turn).unwrap_or(f64::INFINITY);
        if grid.line_length(before, after).is_some_and(|direct| direct <= now) {
            cells.remove(index);
            // The turn before this one may now have a better place.
            index = index.saturating_sub(1).max(1);
            has_changed = true;
            continue;
        }
        let mut best = (now - BETTER, turn);
        for beside in around(turn) {
            if let Some(length) = length(beside).filter(|&length| length < best.0) {
                best = (length, beside);
            }
        }
        if best.1 == turn {
            index += 1;
        } else {
            cells[index] = best.1;
            has_changed = true;
        }
    }
    has_changed
}

/// Returns the eight cells around a cell, some of which may lie off the grid.
fn around(Cell { x, y }: Cell) -> impl Iterator<Item = Cell> {
    let beside = |at: u16, step: u16| at.wrapping_add(step).wrapping_sub(1);
    (0..9).filter(|&number| number != 4).map(move |number| Cell { x: beside(x, number % 3), y: beside(y, number / 3) })
}
