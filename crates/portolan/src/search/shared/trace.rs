//! Turns the records of a search into the cells of a route.
//!
//! Not here: records with parents instead of slots, such as those of jump points.

use crate::graph::{Grid, START, Slot};
use crate::id::NodeId;
use crate::space::square::mean_cost;

/// Appends the cells from `to` back to the start of the search to `trail`, and returns the sum of their step costs.
/// This sum can be less than the cost noted at the goal: a search may stop before all its costs are final, and a node
/// on the route may have become cheaper after the goal was reached.
pub(in crate::search) fn trace<S: Grid>(
    grid: &S,
    reached_by: impl Fn(NodeId) -> Option<Slot>,
    to: NodeId,
    trail: &mut Vec<S::Place>,
) -> u32 {
    let (offsets, costs) = (grid.offsets(), grid.step_costs());
    let (mut node, mut cell, mut cost) = (to, grid.place(to), 0);
    loop {
        trail.push(cell);
        let slot = reached_by(node).expect("a route is made of nodes reached");
        if slot == START {
            return cost;
        }
        let before = NodeId(node.0.wrapping_add_signed(-offsets[usize::from(slot)]));
        cost += mean_cost(costs[usize::from(slot)], grid.weight(before), grid.weight(node)).0;
        cell = S::before(cell, slot);
        node = before;
    }
}
