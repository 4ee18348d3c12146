//! Straight lines between cells of a route, instead of steps.
//!
//! Not here: what a line costs, which the square grid knows.

use crate::id::Cell;
use crate::route::straight::straighten;
use crate::space::square::SquareGrid;
use crate::space::{Motion, Space};

/// Turns neighbouring cells into the cells where a route of straight lines turns, and makes that route shorter until no turn can
/// be left out or moved by one cell to a better place. Returns the cost, or `None` if it does not fit [`crate::Cost`].
pub(super) fn draw_lines(grid: &SquareGrid, cells: &mut Vec<Cell>) -> Option<u32> {
    straighten(grid, cells, u32::MAX)?;
    improve_turns(grid, cells);
    let costs = cells.windows(2).map(|line| grid.segment(line[0], line[1], Motion::AnyAngle));
    let sum: Option<u64> = costs.map(|cost| cost.map(|cost| u64::from(cost.0))).sum();
    u32::try_from(sum?).ok()
}

/// Leaves turns out and moves turns. A turn is looked at again whenever the one before or after it has changed.
fn improve_turns(grid: &SquareGrid, cells: &mut Vec<Cell>) {
    let mut index = 1;
    while index + 1 < cells.len() {
        let around = [cells[index - 1], cells[index], cells[index + 1]];
        match better_turn(grid, around) {
            None => {
                cells.remove(index);
            }
            Some(turn) if turn == around[1] => {
                index += 1;
                continue;
            }
            Some(turn) => cells[index] = turn,
        }
        index = (index - 1).max(1);
    }
}

/// Returns a better cell for a turn between two others: the turn itself if there is none, or `None` if the turn is better left
/// out.
fn better_turn(grid: &SquareGrid, [before, turn, after]: [Cell; 3]) -> Option<Cell> {
    // How much less a better route costs at least, in lengths of a cell. Less may be due to rounding.
    const BETTER: f64 = 1e-6;
    let now = grid.line_length(before, turn).zip(grid.line_length(turn, after)).map(|(one, other)| one + other);
    let now = now.expect("all lines of the route are legal");
    if grid.line_length(before, after).is_some_and(|direct| direct <= now) {
        return None;
    }
    let mut best = (now - BETTER, turn);
    for beside in around(turn) {
        let shortest = (distance(before, beside) + distance(beside, after)) * f64::from(grid.least_weight());
        if shortest < best.0
            && let Some(one) = grid.line_length(before, beside)
            && let Some(other) = grid.line_length(beside, after)
            && one + other < best.0
        {
            best = (one + other, beside);
        }
    }
    Some(best.1)
}

/// Returns the distance between the middles of two cells.
fn distance(a: Cell, b: Cell) -> f64 {
    let [dx, dy] = [a.x.abs_diff(b.x), a.y.abs_diff(b.y)].map(u64::from);
    ((dx * dx + dy * dy) as f64).sqrt()
}

/// Returns the eight cells around a cell, some of which may lie off the grid.
fn around(Cell { x, y }: Cell) -> impl Iterator<Item = Cell> {
    let beside = |at: u16, step: u16| at.wrapping_add(step).wrapping_sub(1);
    (0..9).filter(|&number| number != 4).map(move |number| Cell { x: beside(x, number % 3), y: beside(y, number / 3) })
}
