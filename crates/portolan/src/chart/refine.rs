//! Turning a leg inside a lowest cluster into cells: by the port's tree where there is one, along an unobstructed line
//! where that is all it takes, and by a search of the cluster otherwise.

use super::cluster::NO_WAY;
use super::clusters::Workshop;
use super::layout::Bounds;
use super::voyage::{Leg, Voyager, report};
use crate::id::Cell;
use crate::probe::Probe;
use crate::world::moves::STEP;
use crate::world::square::SquareGrid;

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
        let cluster = self.chart.layout.tier(0).cluster(from);
        let bounds = self.chart.layout.bounds(0, cluster);
        if from == to {
            trail.push(from);
            return;
        }
        if self.chart.trees.is_some() {
            if let Some(port) = self.chart.port_at(cluster, from) {
                self.walk(cluster, bounds, to, port, trail);
                return;
            }
            if let Some(port) = self.chart.port_at(cluster, to) {
                let first = trail.len();
                self.walk(cluster, bounds, from, port, trail);
                trail[first..].reverse();
                return;
            }
        } else if walk_straight(grid, to, from, trail) {
            return;
        }
        let Workshop { cutout, tree, ring, .. } = shop;
        cutout.cut(grid, bounds);
        let cost = cutout.reach(bounds.index(from), bounds.index(to), tree, ring);
        debug_assert_ne!(cost, NO_WAY, "legs can be walked");
        *left = left.saturating_sub(tree.expanded);
        report(grid, bounds, tree, probe);
        let mut cell = to;
        trail.push(cell);
        while let Some(direction) = tree.step_back(bounds.index(cell)) {
            cell = step(cell, direction);
            trail.push(cell);
        }
    }

    /// Follows a port's tree from a cell to the port.
    fn walk(&self, cluster: u32, bounds: Bounds, from: Cell, port: u32, trail: &mut Vec<Cell>) {
        let grove = self.chart.trees.as_ref().expect("trees were asked for before").of(cluster);
        let (cells, first) = self.chart.ports(cluster);
        let rank = (port - first) as usize;
        let goal = cells[rank];
        let mut cell = from;
        trail.push(cell);
        while cell != goal {
            debug_assert_ne!(grove.cost(rank, bounds.index(cell)), NO_WAY, "legs can be walked");
            cell = step(cell, grove.step(rank, bounds.index(cell)));
            trail.push(cell);
        }
    }
}

#[inline(always)]
fn step(cell: Cell, direction: u8) -> Cell {
    let (dx, dy) = STEP[usize::from(direction & 7)];
    Cell { x: cell.x.wrapping_add_signed(dx as i16), y: cell.y.wrapping_add_signed(dy as i16) }
}

/// Appends the cells of an unobstructed way, diagonals first or last, if there is one; on uniform ground no other is
/// cheaper. With four directions there is nothing to choose, and nothing is appended.
fn walk_straight(grid: &SquareGrid, from: Cell, to: Cell, trail: &mut Vec<Cell>) -> bool {
    use crate::world::moves::Gait;
    if grid.gait() == Gait::Four || grid.uniform_weight().is_none() {
        return false;
    }
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let (across, down) = (dx.unsigned_abs(), dy.unsigned_abs());
    let direction = |sx: i32, sy: i32| STEP.iter().position(|&step| step == (sx, sy)).unwrap_or(0) as u8;
    let diagonal = (direction(dx.signum(), dy.signum()), across.min(down));
    let straight = if across > down {
        (direction(dx.signum(), 0), across - down)
    } else {
        (direction(0, dy.signum()), down - across)
    };
    let legal = grid.gait().legal();
    let offsets = grid.offsets();
    let mut attempt = |runs: [(u8, u32); 2]| {
        let first = trail.len();
        let (mut cell, mut node) = (from, grid.node(from));
        trail.push(cell);
        for (direction, count) in runs {
            for _ in 0..count {
                if legal[usize::from(grid.around(node))] >> direction & 1 == 0 {
                    trail.truncate(first);
                    return false;
                }
                node.0 = node.0.wrapping_add_signed(offsets[usize::from(direction)]);
                cell = step(cell, direction);
                trail.push(cell);
            }
        }
        true
    };
    attempt([diagonal, straight]) || attempt([straight, diagonal])
}
