//! From the records of a search back to cells.

use crate::graph::{START, Slot};
use crate::id::{Cell, NodeId};
use crate::world::moves::STEP;
use crate::world::square::{SquareGrid, mean_cost};

/// Writes the cells from `to` back to where the records began, and adds up what they cost. A search that stops before
/// all its costs are final may find its records lead there for less than it noted at the goal.
pub(in crate::search) fn trace(
    grid: &SquareGrid,
    reached_by: impl Fn(NodeId) -> Option<Slot>,
    to: NodeId,
    trail: &mut Vec<Cell>,
) -> u32 {
    let offsets = grid.offsets();
    let prices = [grid.metric().straight(), grid.metric().diagonal()];
    let (mut node, mut cell, mut cost) = (to, grid.cell(to), 0);
    loop {
        trail.push(cell);
        let slot = reached_by(node).expect("a route is made of nodes reached");
        if slot == START {
            return cost;
        }
        let (dx, dy) = STEP[usize::from(slot)];
        let before = NodeId(node.0.wrapping_add_signed(-offsets[usize::from(slot)]));
        cost += mean_cost(prices[usize::from(slot % 2)], grid.weight(before), grid.weight(node)).0;
        cell = cell.shifted((-dx, -dy));
        node = before;
    }
}
