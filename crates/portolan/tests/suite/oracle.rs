//! The oracle: a plain Dijkstra search, written for clarity. It applies the rules for terrain and corners directly,
//! uses none of the engine's tables, and serves only tests.

use portolan::{Cell, Corners, Directions, SquareGrid};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Returns the least cost from `from` to every cell, row by row; `None` where there is no way.
pub(crate) fn costs_from(grid: &SquareGrid, from: Cell) -> Vec<Option<u64>> {
    least_from(grid, from, |cost| (cost, 0)).into_iter().map(|least| least.map(|(cost, _)| cost)).collect()
}

/// Returns the least sum of `price` over the steps of a way from `from` to every cell, row by row; of a step, `price` gets
/// the cost.
pub(crate) fn least_from(grid: &SquareGrid, from: Cell, price: fn(u64) -> (u64, u64)) -> Vec<Option<(u64, u64)>> {
    let index = |cell: Cell| usize::from(cell.y) * grid.width() + usize::from(cell.x);
    let mut best = vec![None; grid.width() * grid.height()];
    let mut queue = BinaryHeap::from([Reverse(((0, 0), from))]);
    while let Some(Reverse((sum, cell))) = queue.pop() {
        if best[index(cell)].is_some() {
            continue;
        }
        best[index(cell)] = Some(sum);
        for (next, cost) in steps(grid, cell) {
            let step = price(cost);
            if best[index(next)].is_none() {
                queue.push(Reverse(((sum.0 + step.0, sum.1 + step.1), next)));
            }
        }
    }
    best
}

/// Returns the legal steps from a cell with their costs.
fn steps(grid: &SquareGrid, from: Cell) -> Vec<(Cell, u64)> {
    let mut found = vec![];
    for dy in -1..=1 {
        for dx in -1..=1 {
            let (Some(x), Some(y)) = (from.x.checked_add_signed(dx), from.y.checked_add_signed(dy)) else {
                continue;
            };
            let to = Cell { x, y };
            if to == from || !grid.terrain(to).is_free() {
                continue;
            }
            let diagonal = dx != 0 && dy != 0;
            if diagonal && !may_cut(grid, from, to) {
                continue;
            }
            let base = if diagonal { grid.metric().diagonal() } else { grid.metric().straight() };
            let weights = u64::from(grid.terrain(from).weight()) + u64::from(grid.terrain(to).weight());
            found.push((to, u64::from(base) * weights / 2));
        }
    }
    found
}

fn may_cut(grid: &SquareGrid, from: Cell, to: Cell) -> bool {
    if grid.rules().directions == Directions::Four {
        return false;
    }
    let one_side = grid.terrain(Cell { x: from.x, y: to.y }).is_free();
    let other_side = grid.terrain(Cell { x: to.x, y: from.y }).is_free();
    match grid.rules().corners {
        Corners::Strict => one_side && other_side,
        Corners::NoSqueeze => one_side || other_side,
        Corners::Loose => true,
    }
}
