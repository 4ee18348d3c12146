//! Turning a leg inside a lowest cluster into cells: by the port's tree where there is one, along an unobstructed line
//! where that is all it takes, and by a search of the cluster otherwise.

use super::cluster::DIRECTION;
use super::clusters::Workshop;
use super::layout::Bounds;
use super::legs::Leg;
use super::voyage::{Voyager, report};
use super::walk::walk;
use crate::id::Cell;
use crate::probe::Probe;
use crate::search::Task;
use crate::world::moves::STEP;
use crate::world::square::{SquareGrid, mean_cost};

impl Voyager {
    /// Appends a leg's cells to a trail, the last one first.
    pub(super) fn cross(
        &self,
        grid: &SquareGrid,
        leg: Leg,
        shop: &mut Workshop,
        trail: &mut Vec<Cell>,
        left: &mut u64,
        probe: &mut impl Probe,
    ) {
        let Leg { from, to, .. } = leg;
        if from == to {
            trail.push(from);
            return;
        }
        let layout = &self.chart.layout;
        let cluster = layout.tier(0).cluster(from);
        let bounds = layout.bounds_of(0, from);
        if !bounds.contains(to) {
            // A leg that could not be split: search the least cluster that holds both ends.
            let levels = 1..layout.levels();
            let around = levels.map(|level| layout.bounds_of(level, from)).find(|bounds| bounds.contains(to));
            let bounds = around.expect("a leg stays inside a cluster");
            *left = left.saturating_sub(search_leg(grid, leg, bounds, shop, trail, probe));
            return;
        }
        if let Some(trees) = &self.chart.trees {
            let (ports, grove) = (self.chart.ports(cluster).0, trees.of(cluster));
            if let Ok(rank) = ports.binary_search(&from) {
                grove.walk(bounds, (rank, from), to, trail);
                return;
            }
            if let Ok(rank) = ports.binary_search(&to) {
                let first = trail.len();
                grove.walk(bounds, (rank, to), from, trail);
                trail[first..].reverse();
                return;
            }
        }
        let ports = self.chart.ports(cluster).0;
        let ranks = ports.binary_search(&from).ok().zip(ports.binary_search(&to).ok());
        let kept = self.chart.kept.as_ref().zip(ranks);
        // A probe is to see what it would have seen the first time.
        let known = kept.filter(|_| !probe.is_watching());
        if let Some(expanded) = known.and_then(|(kept, ranks)| kept.recall(cluster, ranks, to, trail)) {
            *left = left.saturating_sub(expanded);
            return;
        }
        let first = trail.len();
        let mut expanded = 0;
        if self.chart.trees.is_some() || !walk_in_sight(grid, to, from, trail) {
            expanded = search_leg(grid, leg, bounds, shop, trail, probe);
            *left = left.saturating_sub(expanded);
        }
        if let Some((kept, ranks)) = kept {
            kept.keep(cluster, ranks, &trail[first..], expanded);
        }
    }
}

/// Searches a cluster for the way between two of its cells; says how many cells that expanded.
fn search_leg(
    grid: &SquareGrid,
    Leg { from, to, .. }: Leg,
    bounds: Bounds,
    shop: &mut Workshop,
    trail: &mut Vec<Cell>,
    probe: &mut impl Probe,
) -> u64 {
    let Workshop { cutout, tree, ring, .. } = shop;
    cutout.cut(grid, bounds);
    // A leg that only a tampered chart could ask for, dearer than can be counted, ends before it begins.
    cutout.reach(bounds.index(from), bounds.index(to), tree, ring);
    report(grid, bounds, tree, probe);
    let mut cell = to;
    trail.push(cell);
    while let Some(direction) = tree.step_back(bounds.index(cell)) {
        cell = cell.shifted(STEP[usize::from(direction)]);
        trail.push(cell);
    }
    tree.expanded
}

/// What a trail from goal to start costs, if every step of it can be taken.
pub(super) fn walked(Task { grid, from, to }: Task, trail: &[Cell]) -> Option<u32> {
    let (legal, offsets) = (grid.gait().legal(), grid.offsets());
    let prices = [grid.metric().straight(), grid.metric().diagonal()];
    let (mut cell, mut node) = (*trail.first().filter(|&&first| first == to)?, grid.node(to));
    let (mut count, mut cost) = ([0u64; 2], 0);
    let uniform = grid.uniform_weight();
    for &next in &trail[1..] {
        // One more than the step each; what is no step ends up past the table or on no direction.
        let row = usize::from(next.y.wrapping_sub(cell.y).wrapping_add(1));
        let column = usize::from(next.x.wrapping_sub(cell.x).wrapping_add(1));
        let direction = *DIRECTION.get(row)?.get(column)?;
        if legal[usize::from(grid.around(node))].checked_shr(u32::from(direction))? & 1 == 0 {
            return None;
        }
        let before = node;
        node.0 = node.0.wrapping_add_signed(offsets[usize::from(direction & 7)]);
        cell = next;
        if uniform.is_some() {
            count[usize::from(direction & 1)] += 1;
        } else {
            let price = prices[usize::from(direction & 1)];
            cost += u64::from(mean_cost(price, grid.weight(before), grid.weight(node)).0);
        }
    }
    if let Some(weight) = uniform {
        cost = u64::from(weight) * (count[0] * u64::from(prices[0]) + count[1] * u64::from(prices[1]));
    }
    u32::try_from(cost).ok().filter(|_| cell == from)
}

/// Appends the cells of an unobstructed way, if there is one; on uniform ground no other is cheaper.
pub(super) fn walk_in_sight(grid: &SquareGrid, from: Cell, to: Cell, trail: &mut Vec<Cell>) -> bool {
    grid.uniform_weight().is_some() && walk(grid, from, to, trail)
}
