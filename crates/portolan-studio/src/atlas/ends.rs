//! The start and the goal that a page shows first in a world: two connected cells that are far from each other.
//!
//! Not here: worlds that say themselves where to start.

use portolan::Cell;
use portolan::any::AnySnapshot;
use portolan_lab::queries;

/// Pairs of cells that are drawn at random to find two cells far apart.
const DRAWN: usize = 64;
/// The seed for drawing these pairs.
const SEED: u64 = 1;

/// Returns two connected cells that are far from each other. Equal worlds give equal cells. The first cell is `from` if
/// that is given. If no connected pair is found, both are one and the same cell.
pub(super) fn far_apart(world: &AnySnapshot, from: Option<Cell>) -> (Cell, Cell) {
    let distance = |a: Cell, b: Cell| {
        let (dx, dy) = (u32::from(a.x.abs_diff(b.x)), u32::from(a.y.abs_diff(b.y)));
        // The octile distance in fifths of a cell: a diagonal step counts 7.
        5 * dx.max(dy) + 2 * dx.min(dy)
    };
    let trials = connected_pairs(world);
    let fixed = trials.iter().flat_map(|&(a, b)| [a, b]).map(|to| (from.unwrap_or(to), to));
    let drawn = trials.iter().copied().filter(|_| from.is_none());
    let pairs = fixed.filter(|&(a, b)| world.connected(a, b)).chain(drawn);
    let somewhere = || from.or_else(|| world.cells().find(|&cell| world.is_free(cell))).unwrap_or_default();
    pairs.max_by_key(|&(a, b)| distance(a, b)).unwrap_or_else(|| (somewhere(), somewhere()))
}

/// Draws pairs of connected cells at random.
fn connected_pairs(world: &AnySnapshot) -> Vec<(Cell, Cell)> {
    let trials = queries::random(world, DRAWN, SEED).unwrap_or_default();
    trials.iter().map(|trial| (trial.from, trial.to)).collect()
}
