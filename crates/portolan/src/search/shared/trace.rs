//! Turns the records of a search into the cells of a route.
//!
//! Not here: records with parents instead of slots, such as those of jump points.

use crate::graph::{START, Slot};
use crate::id::{Cell, NodeId};
use crate::space::square::moves::STEP;
use crate::space::square::{SquareGrid, mean_cost};

/// Appends the cells from `to` back to the start of the search to `trail`, and returns the sum of their step costs.
/// This sum can be less than the cost noted at the goal: a search may stop before all its costs are final, and a node
/// on the route may have become cheaper after the goal was reached.
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
