//! Turns the records of a search into the cells of a route.
//!
//! Not here: records with parents instead of slots, such as those of jump points.

use crate::graph::{FIRST_LINK, Grid, START, Slot};
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
    trace_by::<S, false>(grid, reached_by, to, trail)
}

/// Appends the cells from `to` on to the place where a search against the edges began, and returns the sum of their step costs,
/// as [`trace`] does.
pub(in crate::search) fn trace_against<S: Grid>(
    grid: &S,
    reached_by: impl Fn(NodeId) -> Option<Slot>,
    to: NodeId,
    trail: &mut Vec<S::Place>,
) -> u32 {
    trace_by::<S, true>(grid, reached_by, to, trail)
}

fn trace_by<S: Grid, const AGAINST: bool>(
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
        if slot >= FIRST_LINK {
            let links = grid.ground().passages.as_ref().expect("a grid with links").links();
            let ends = if AGAINST { links.leaving(node.0) } else { links.arriving(node.0) };
            let link = ends[usize::from(slot - FIRST_LINK)];
            cost += link.cost;
            node = NodeId(link.beyond);
            cell = grid.place(node);
            continue;
        }
        let before = NodeId(node.0.wrapping_add_signed(-offsets[usize::from(slot)]));
        cost += mean_cost(costs[usize::from(slot)], grid.weight(before), grid.weight(node)).0;
        cell = S::before(cell, slot);
        node = before;
    }
}
