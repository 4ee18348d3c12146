//! A shortest-path tree for every port over the cells of its cluster: what it costs from a cell to the port and which
//! step leads there. A cell takes three bytes a tree, four bits of step and twenty of cost; four and a half where costs
//! are too great for that. Clusters without obstacles need none of it.

mod saved;

pub(super) use saved::SavedTrees;

use super::clusters::BuildScratch;
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::walk::beeline;
use crate::id::Cell;
use crate::world::Area;
use crate::world::Directions;
use crate::world::moves::STEP;
use crate::world::square::SquareGrid;

/// All trees of a chart.
#[derive(Clone)]
pub(crate) struct Trees {
    saved_trees: Vec<ClusterTrees>,
}

/// The trees of one cluster.
#[derive(Clone, Default, PartialEq)]
pub(super) struct ClusterTrees {
    /// Straight and diagonal prices on open ground, where there is nothing else to know.
    open: Option<Open>,
    /// Two steps a byte, tree by tree; then costs, tree by tree, padded so that four bytes can be read at any of them.
    bytes: Box<[u8]>,
    /// Cells a tree has.
    cells: usize,
    /// Where the costs start.
    costs: usize,
    /// Costs take four bytes, not two and a half.
    wide: bool,
}

/// A cluster without obstacles.
#[derive(Copy, Clone, PartialEq)]
struct Open {
    straight: u32,
    /// Two straight steps where there are no diagonals.
    diagonal: u32,
}

impl Open {
    /// The cell after this one on the way to another.
    #[inline(always)]
    fn next(self, cell: Cell, port: Cell) -> Cell {
        let (dx, dy) = (i32::from(port.x) - i32::from(cell.x), i32::from(port.y) - i32::from(cell.y));
        let dx = if self.diagonal == 2 * self.straight && dy != 0 { 0 } else { dx };
        cell.shifted((dx.signum(), dy.signum()))
    }
}

/// Bytes beyond the last cost, so that more than one can be read or written there.
const PADDING: usize = 4;

/// The greatest cost of twenty bits, and what stands there for no way.
const NARROW: u32 = (1 << 20) - 1;

impl ClusterTrees {
    /// The cost between a cell and the port of a rank.
    #[inline(always)]
    pub(super) fn cost(&self, bounds: Area, (rank, port): (usize, Cell), cell: Cell) -> u32 {
        if let Some(Open { straight, diagonal }) = self.open {
            return beeline(Directions::Eight, [straight, diagonal], cell, port) as u32;
        }
        let index = rank * self.cells + bounds.index(cell);
        let at = self.costs + if self.wide { 4 * index } else { index * 5 / 2 };
        let word = u32::from_le_bytes(self.bytes[at..at + 4].try_into().expect("four bytes"));
        if self.wide {
            return word;
        }
        let cost = word >> (index % 2 * 4) & NARROW;
        if cost == NARROW { NO_WAY } else { cost }
    }

    /// Appends the cells from one to the port of a rank, both included.
    pub(super) fn walk(&self, bounds: Area, (rank, port): (usize, Cell), from: Cell, trail: &mut Vec<Cell>) {
        let mut cell = from;
        trail.push(cell);
        if let Some(open) = self.open {
            while cell != port {
                cell = open.next(cell, port);
                trail.push(cell);
            }
            return;
        }
        let width = i32::from(bounds.width);
        let offsets = STEP.map(|(dx, dy)| (dy * width + dx) as isize);
        let mut index = rank * self.cells + bounds.index(cell);
        while cell != port {
            let direction = usize::from(self.bytes[index / 2] >> (index % 2 * 4) & 7);
            index = index.wrapping_add_signed(offsets[direction]);
            cell = cell.shifted(STEP[direction]);
            trail.push(cell);
        }
    }

    /// The cell after this one on the way to the port of a rank; `None` at the port and where there is no way.
    pub(super) fn next(&self, bounds: Area, (rank, port): (usize, Cell), cell: Cell) -> Option<Cell> {
        if cell == port || self.cost(bounds, (rank, port), cell) == NO_WAY {
            return None;
        }
        if let Some(open) = self.open {
            return Some(open.next(cell, port));
        }
        let index = rank * self.cells + bounds.index(cell);
        Some(cell.shifted(STEP[usize::from(self.bytes[index / 2] >> (index % 2 * 4) & 7)]))
    }
}

impl Trees {
    pub(crate) fn new(clusters: usize) -> Trees {
        Trees { saved_trees: vec![ClusterTrees::default(); clusters] }
    }

    #[inline(always)]
    pub(super) fn of(&self, cluster: u32) -> &ClusterTrees {
        &self.saved_trees[cluster as usize]
    }

    /// Grows the trees of a cluster with these ports.
    pub(crate) fn plant(
        &mut self,
        grid: &SquareGrid,
        cluster: u32,
        bounds: Area,
        ports: &[Cell],
        room: &mut BuildScratch,
    ) {
        if ports.is_empty() {
            self.saved_trees[cluster as usize] = ClusterTrees::default();
            return;
        }
        let BuildScratch { cutout, tree, ring, costs, steps, .. } = room;
        let cells = bounds.cells();
        cutout.cut(grid, bounds);
        if let Some((straight, diagonal)) = cutout.open_prices() {
            let open = Some(Open { straight, diagonal });
            self.saved_trees[cluster as usize] = ClusterTrees { open, ..ClusterTrees::default() };
            return;
        }
        costs.clear();
        steps.clear();
        for &port in ports {
            cutout.spread(bounds.index(port), tree, ring);
            costs.extend_from_slice(&tree.cost_by_cell);
            steps.extend(tree.steps_back());
        }
        let wide = costs.iter().any(|&cost| cost >= NARROW && cost != NO_WAY);
        let first = steps.len().div_ceil(2);
        let length = first + if wide { 4 * costs.len() } else { costs.len().div_ceil(2) * 5 } + PADDING;
        let cluster_trees = &mut self.saved_trees[cluster as usize];
        // Most edits leave the number of ports as it is, and with it the room their trees take.
        if cluster_trees.bytes.len() != length {
            cluster_trees.bytes = vec![0; length].into_boxed_slice();
        }
        (cluster_trees.open, cluster_trees.cells, cluster_trees.costs, cluster_trees.wide) = (None, cells, first, wide);
        let (packed_steps, packed_costs) = cluster_trees.bytes.split_at_mut(first);
        if steps.len() % 2 == 1 {
            // Everything goes in pairs.
            steps.push(0);
            costs.push(0);
        }
        for (byte, pair) in packed_steps.iter_mut().zip(steps.as_chunks::<2>().0) {
            *byte = pair[0] | pair[1] << 4;
        }
        if wide {
            for (bytes, cost) in packed_costs.chunks_exact_mut(4).zip(costs.iter()) {
                bytes.copy_from_slice(&cost.to_le_bytes());
            }
        } else {
            let mut rest = packed_costs;
            for &[low, high] in costs.as_chunks::<2>().0 {
                let pair = u64::from(low.min(NARROW)) | u64::from(high.min(NARROW)) << 20;
                // Eight bytes at a time: the three too many are overwritten by the next or fall into the padding.
                rest[..8].copy_from_slice(&pair.to_le_bytes());
                rest = &mut rest[5..];
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let held: usize = self.saved_trees.iter().map(|cluster_trees| cluster_trees.bytes.len()).sum();
        held + self.saved_trees.capacity() * size_of::<ClusterTrees>()
    }
}
