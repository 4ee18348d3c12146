//! The oracle for hexes: a plain Dijkstra search, written for clarity. It knows the terrain and the six axial
//! neighbours of a cell, uses none of the engine's tables, and serves only tests.
//!
//! Not here: the oracle for squares.

use portolan::{HexCell, HexGrid};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// What a step to each of the six neighbours adds to `q` and to `r`.
const NEIGHBOURS: [(i16, i16); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

/// Returns the least cost from `from` to every cell that can be reached from there.
pub(crate) fn costs_from(grid: &HexGrid, from: HexCell) -> BTreeMap<HexCell, u64> {
    let mut best = BTreeMap::new();
    let mut queue = BinaryHeap::from([Reverse((0, from))]);
    while let Some(Reverse((cost, cell))) = queue.pop() {
        if best.contains_key(&cell) {
            continue;
        }
        best.insert(cell, cost);
        for (dq, dr) in NEIGHBOURS {
            let next = HexCell::new(cell.q + dq, cell.r + dr);
            if grid.terrain(next).is_free() && !best.contains_key(&next) {
                queue.push(Reverse((cost + step(grid, cell, next), next)));
            }
        }
    }
    best
}

/// Returns the cost of a step between two free neighbours: that of a straight step times the mean of both weights.
fn step(grid: &HexGrid, from: HexCell, to: HexCell) -> u64 {
    let weights = u64::from(grid.terrain(from).weight()) + u64::from(grid.terrain(to).weight());
    u64::from(grid.metric().straight()) * weights / 2
}
