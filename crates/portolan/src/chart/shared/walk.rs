//! Walks without obstacles: how long they are, and which of them the world allows.

use crate::id::Cell;
use crate::world::Directions;
use crate::world::moves::STEP;
use crate::world::square::SquareGrid;

/// What a straight and a diagonal step cost; the latter at most twice the former.
pub(in crate::chart) type Prices = [u32; 2];

/// The prices on the lightest ground there is.
pub(in crate::chart) fn least_prices(grid: &SquareGrid) -> Prices {
    [grid.metric().straight(), grid.metric().diagonal()].map(|price| price * u32::from(grid.least_weight()))
}

/// The cost of a walk at these prices with nothing in the way.
#[inline(always)]
pub(in crate::chart) fn beeline(directions: Directions, [straight, diagonal]: Prices, from: Cell, to: Cell) -> u64 {
    let (dx, dy) = (u64::from(from.x.abs_diff(to.x)), u64::from(from.y.abs_diff(to.y)));
    let all_straight = u64::from(straight) * (dx + dy);
    match directions {
        Directions::Four => all_straight,
        Directions::Eight => all_straight - u64::from(2 * straight - diagonal) * dx.min(dy),
    }
}

/// Steps of a kind, and how many.
type Run = ((i32, i32), i32);

/// Writes the cells of a walk that nothing lengthens, both ends included. `false`, and nothing written, where something
/// stands in the way of the one that has its diagonals first and of the one that has them last; with four directions,
/// of the one by rows first and of the one by columns first.
pub(in crate::chart) fn walk(grid: &SquareGrid, from: Cell, to: Cell, cells: &mut Vec<Cell>) -> bool {
    let before = cells.len();
    for halves in ways(grid, from, to) {
        if stride(grid, from, halves, |cell| cells.push(cell)) {
            return true;
        }
        cells.truncate(before);
    }
    false
}

/// Whether there is such a walk.
pub(in crate::chart) fn in_sight(grid: &SquareGrid, from: Cell, to: Cell) -> bool {
    ways(grid, from, to).into_iter().any(|halves| stride(grid, from, halves, |_| ()))
}

/// The two walks that are tried.
fn ways(grid: &SquareGrid, from: Cell, to: Cell) -> [[Run; 2]; 2] {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let (columns, rows) = (dx.abs(), dy.abs());
    let [first, second] = match grid.rules().directions {
        Directions::Four => [((0, dy.signum()), rows), ((dx.signum(), 0), columns)],
        Directions::Eight => {
            let straight = if columns > rows { (dx.signum(), 0) } else { (0, dy.signum()) };
            [((dx.signum(), dy.signum()), columns.min(rows)), (straight, (columns - rows).abs())]
        }
    };
    [[first, second], [second, first]]
}

/// Visits the cells of so many steps one way, then so many another; `false` at the first that is not legal.
#[inline(always)]
fn stride(grid: &SquareGrid, from: Cell, halves: [Run; 2], mut visit: impl FnMut(Cell)) -> bool {
    let (legal, offsets) = (grid.gait().legal(), grid.offsets());
    let (mut node, mut cell) = (grid.node(from), from);
    visit(cell);
    for (step, count) in halves {
        let Some(direction) = STEP.iter().position(|&other| other == step) else { continue };
        for _ in 0..count {
            if legal[usize::from(grid.around(node))] >> direction & 1 == 0 {
                return false;
            }
            node.0 = node.0.wrapping_add_signed(offsets[direction]);
            cell = cell.shifted(step);
            visit(cell);
        }
    }
    true
}
