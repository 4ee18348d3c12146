//! Routes in plain sight, what a route costs step by step, and reports to a probe about a search inside a rectangle.

use super::cutout::{DIRECTION, Tree};
use crate::chart::shared::walk::{walk, walk_back};
use crate::id::{Cell, NodeId};
use crate::method::Task;
use crate::probe::{Event, Probe};
use crate::space::Area;
use crate::space::square::{SquareGrid, mean_cost};

/// Returns the cost of a trail, which lists the cells of a route from its goal to its start. Returns `None` if the
/// trail has other ends than the task, a step that is not legal, or a cost beyond `u32`.
pub(in crate::chart) fn walked(Task { grid, from, to }: Task, trail: &[Cell]) -> Option<u32> {
    let (legal, around, offsets) = (grid.gait().legal(), grid.around_by_node(), grid.offsets());
    let prices = grid.step_costs();
    let (mut cell, mut node) = (*trail.first().filter(|&&first| first == to)?, grid.node(to));
    let mut cost = 0;
    let uniform = grid.uniform_weight();
    for &next in &trail[1..] {
        // A step by `dx` and `dy` is found at row `dy + 1` and column `dx + 1`. A longer step is outside the table, and
        // a step by 0 cells is at its middle, `NOWHERE`, by which `checked_shr` cannot shift.
        let row = usize::from(next.y.wrapping_sub(cell.y).wrapping_add(1));
        let column = usize::from(next.x.wrapping_sub(cell.x).wrapping_add(1));
        let direction = *DIRECTION.get(row)?.get(column)?;
        if legal[usize::from(around[node.index()])].checked_shr(u32::from(direction))? & 1 == 0 {
            return None;
        }
        let before = node;
        node.0 = node.0.wrapping_add_signed(offsets[usize::from(direction & 7)]);
        cell = next;
        let price = prices[usize::from(direction & 7)];
        cost += u64::from(match uniform {
            Some(_) => price,
            None => mean_cost(price, grid.weight(before), grid.weight(node)).0,
        });
    }
    cost *= u64::from(uniform.unwrap_or(1));
    u32::try_from(cost).ok().filter(|_| cell == from)
}

/// Returns the cost of a trail as [`walked`] does, on a world with links: each part costs as much as the cheaper of the step and
/// the link that lead along it. The ends of the trail are not looked at.
pub(in crate::chart) fn walked_over_links(grid: &SquareGrid, trail: &[Cell]) -> Option<u32> {
    let mut parts = trail.windows(2).map(|part| grid.step_cost(part[1], part[0]));
    let cost = parts.try_fold(0_u64, |sum, part| Some(sum + u64::from(part?.0)))?;
    u32::try_from(cost).ok()
}

/// Appends the cells of a [`walk`] in plain sight, both ends included, and returns whether there is one. Where the
/// weights of the world differ this is never so, since a walk around heavy cells may be cheaper.
pub(in crate::chart) fn walk_in_sight(grid: &SquareGrid, from: Cell, to: Cell, trail: &mut Vec<Cell>) -> bool {
    grid.uniform_weight().is_some() && walk(grid, from, to, trail)
}

/// Appends the cells of a walk from one cell to another in plain sight as [`walk_in_sight`] does, but the last cell first.
pub(in crate::chart) fn trail_in_sight(grid: &SquareGrid, from: Cell, to: Cell, trail: &mut Vec<Cell>) -> bool {
    grid.uniform_weight().is_some() && walk_back(grid, to, from, trail)
}

/// Reports to `probe` every cell that a search inside the rectangle `bounds` has expanded.
pub(in crate::chart) fn report(grid: &SquareGrid, bounds: Area, tree: &Tree, probe: &mut impl Probe) {
    if probe.is_watching() {
        for cell in tree.expanded_cells() {
            let node: NodeId = grid.node(bounds.cell(cell));
            probe.event(Event::Expand { node, g: tree.cost_by_cell[cell] });
        }
    }
}
