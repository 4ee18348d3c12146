//! Walks that no obstacle lengthens: what they cost, and whether the world allows them.
//!
//! Not here: the distances themselves, which are in [`crate::cost`], and walks that trees lead along ([`super::cutout`]).

use crate::cost::{Octile, Prices};
use crate::id::{Cell, NodeId};
use crate::space::Directions;
use crate::space::square::SquareGrid;
use crate::space::square::moves::STEP;

/// Returns the prices of steps between cells of the least weight in the world.
pub(in crate::chart) fn least_prices(grid: &SquareGrid) -> Prices {
    grid.metric().prices().times(u32::from(grid.least_weight()))
}

/// Returns the distances of a world whose cells are all free and have the least weight.
pub(in crate::chart) fn least_distance(grid: &SquareGrid) -> Octile {
    octile(grid.rules().directions, least_prices(grid))
}

/// Returns the distances at these prices if the steps may have these directions.
#[inline(always)]
pub(in crate::chart) fn octile(directions: Directions, prices: Prices) -> Octile {
    match directions {
        Directions::Four => Octile::new(prices.without_diagonals()),
        Directions::Eight => Octile::new(prices),
    }
}

/// Returns what the cheapest walk between two cells would cost at these prices if every cell were free.
#[inline(always)]
pub(in crate::chart) fn beeline(directions: Directions, prices: Prices, from: Cell, to: Cell) -> u64 {
    octile(directions, prices).between(from, to)
}

/// Returns the cell after `from` on the walk to `to`, which begins with its diagonal steps; the two must differ. Where a
/// diagonal step costs as much as two straight ones, which stands for there being none, it begins with its vertical
/// steps.
#[inline(always)]
pub(in crate::chart) fn first_cell(Prices { straight, diagonal }: Prices, from: Cell, to: Cell) -> Cell {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let dx = if diagonal == 2 * straight && dy != 0 { 0 } else { dx };
    from.shifted((dx.signum(), dy.signum()))
}

/// A step, as columns and rows, and how many times in a row it is taken.
type Run = ((i32, i32), i32);

/// Appends the cells of a walk that is as short as if every cell were free, both ends included. Two such walks are
/// tried: first the one that begins with all diagonal steps, then the one that ends with them. With four directions,
/// the first begins with all vertical steps and the second ends with them. Returns `false`, and appends nothing, if
/// neither is legal.
pub(in crate::chart) fn walk(grid: &SquareGrid, from: Cell, to: Cell, cells: &mut Vec<Cell>) -> bool {
    walk_by(grid, (from, to), steps_from(grid), cells)
}

/// Appends the cells of a walk from `to` to `from`, `from` first. It is the one that [`walk`] would find from `from` if every step
/// that leads one way led back too.
pub(in crate::chart) fn walk_back(grid: &SquareGrid, from: Cell, to: Cell, cells: &mut Vec<Cell>) -> bool {
    match grid.entries_by_node() {
        Some(entries) => walk_by(grid, (from, to), |node: NodeId| entries[node.index()], cells),
        None => walk(grid, from, to, cells),
    }
}

fn walk_by(grid: &SquareGrid, (from, to): (Cell, Cell), steps: impl Fn(NodeId) -> u8, cells: &mut Vec<Cell>) -> bool {
    let before = cells.len();
    for halves in ways(grid, from, to) {
        if stride(grid, from, halves, &steps, |cell| cells.push(cell)) {
            return true;
        }
        cells.truncate(before);
    }
    false
}

/// Returns a function that tells in which directions steps lead from a node, one bit for each.
#[inline(always)]
fn steps_from(grid: &SquareGrid) -> impl Fn(NodeId) -> u8 + '_ {
    let legal = grid.gait().legal();
    move |node| legal[usize::from(grid.around(node))]
}

/// Returns whether [`walk`] would find a walk.
pub(in crate::chart) fn in_sight(grid: &SquareGrid, from: Cell, to: Cell) -> bool {
    ways(grid, from, to).into_iter().any(|halves| stride(grid, from, halves, steps_from(grid), |_| ()))
}

/// Returns the two walks that [`walk`] tries, each as two runs of steps.
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

/// Visits `from` and then each cell that the steps of both runs lead to. Returns `false` at the first step that is not
/// among the `steps` from its node, and visits no more cells then.
#[inline(always)]
fn stride(
    grid: &SquareGrid,
    from: Cell,
    halves: [Run; 2],
    steps: impl Fn(NodeId) -> u8,
    mut visit: impl FnMut(Cell),
) -> bool {
    let offsets = grid.offsets();
    let (mut node, mut cell) = (grid.node(from), from);
    visit(cell);
    for (step, count) in halves {
        let Some(direction) = STEP.iter().position(|&other| other == step) else { continue };
        for _ in 0..count {
            if steps(node) >> direction & 1 == 0 {
                return false;
            }
            node.0 = node.0.wrapping_add_signed(offsets[direction]);
            cell = cell.shifted(step);
            visit(cell);
        }
    }
    true
}
