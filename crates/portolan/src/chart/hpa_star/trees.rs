//! A shortest-path tree for every port over the cells of its cluster: for each cell the cost to the port and the first
//! step of the way there. Where some step of a cluster leads one way only, every port has a second tree, of the ways from it
//! to the cells. In a tree, a cell takes three bytes: four bits for the step and twenty for the cost. It takes
//! four and a half in a cluster where a cost is too great for twenty bits. Clusters without obstacles store no trees.

mod saved;

pub(super) use saved::SavedTrees;

use super::clusters::BuildScratch;
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::walk::first_cell;
use crate::cost::{Octile, Prices};
use crate::id::Cell;
use crate::memory::held;
use crate::space::Area;
use crate::space::square::SquareGrid;
use crate::space::square::moves::STEP;

/// All trees of a chart.
#[derive(Clone)]
pub(crate) struct Trees {
    trees_by_cluster: Vec<ClusterTrees>,
}

/// The trees of one cluster.
#[derive(Clone, Default, PartialEq)]
pub(super) struct ClusterTrees {
    /// The prices of steps if all cells of the cluster are free and have one weight; the fields below are then empty.
    /// Where the world has no diagonal steps, one counts as two straight ones.
    open: Option<Prices>,
    /// First the steps, tree by tree, two in a byte; then the costs, tree by tree; then [`PADDING`].
    bytes: Box<[u8]>,
    /// Number of cells in a tree: all cells of the cluster.
    cells: usize,
    /// Index in `bytes` of the first cost.
    costs: usize,
    /// Whether a cost takes four bytes instead of two and a half.
    wide: bool,
    /// How many trees come before those of ways from ports: one for each port, or 0 if each tree serves both ways.
    trees_to_ports: u16,
}

/// Which way between a cell and a port is meant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::chart) enum Heading {
    ToPort,
    FromPort,
}

/// Unused bytes after the last cost, so that reading four bytes at a cost and writing eight at a pair of costs stay
/// inside the array.
const PADDING: usize = 4;

/// The greatest number of twenty bits. Stored as a cost of twenty bits, it means that the cell does not reach the port.
const NARROW: u32 = (1 << 20) - 1;

impl ClusterTrees {
    /// Returns the index of a cell in the tree of a port, counted through all trees.
    #[inline(always)]
    fn index(&self, bounds: Area, rank: usize, cell: Cell, heading: Heading) -> usize {
        let tree = if heading == Heading::FromPort { rank + usize::from(self.trees_to_ports) } else { rank };
        tree * self.cells + bounds.index(cell)
    }

    /// Returns the cost between a cell and a port, which is given by its rank and its cell; [`NO_WAY`] if there is no way.
    #[inline(always)]
    pub(super) fn cost(&self, bounds: Area, (rank, port): (usize, Cell), cell: Cell, heading: Heading) -> u32 {
        if let Some(prices) = self.open {
            return Octile::new(prices).between(cell, port) as u32;
        }
        let index = self.index(bounds, rank, cell, heading);
        let at = self.costs + if self.wide { 4 * index } else { index * 5 / 2 };
        let word = u32::from_le_bytes(self.bytes[at..at + 4].try_into().expect("four bytes"));
        if self.wide {
            return word;
        }
        let cost = word >> (index % 2 * 4) & NARROW;
        if cost == NARROW { NO_WAY } else { cost }
    }

    /// Appends the cells between `from` and a port, both included, to `trail`, `from` first, also of the way from the port to
    /// it. The port is given by its rank and its cell; there must be a way.
    pub(super) fn walk(
        &self,
        bounds: Area,
        (rank, port): (usize, Cell),
        from: Cell,
        heading: Heading,
        trail: &mut Vec<Cell>,
    ) {
        let mut cell = from;
        trail.push(cell);
        if let Some(prices) = self.open {
            while cell != port {
                cell = first_cell(prices, cell, port);
                trail.push(cell);
            }
            return;
        }
        let width = i32::from(bounds.width);
        let offsets = STEP.map(|(dx, dy)| (dy * width + dx) as isize);
        let mut index = self.index(bounds, rank, cell, heading);
        while cell != port {
            let direction = usize::from(self.bytes[index / 2] >> (index % 2 * 4) & 7);
            index = index.wrapping_add_signed(offsets[direction]);
            cell = cell.shifted(STEP[direction]);
            trail.push(cell);
        }
    }

    /// Returns the cell after `cell` on the way to a port, which is given by its rank and its cell. Returns `None` if
    /// `cell` is the port or does not reach it.
    pub(super) fn next(&self, bounds: Area, (rank, port): (usize, Cell), cell: Cell) -> Option<Cell> {
        if cell == port || self.cost(bounds, (rank, port), cell, Heading::ToPort) == NO_WAY {
            return None;
        }
        if let Some(prices) = self.open {
            return Some(first_cell(prices, cell, port));
        }
        let index = self.index(bounds, rank, cell, Heading::ToPort);
        Some(cell.shifted(STEP[usize::from(self.bytes[index / 2] >> (index % 2 * 4) & 7)]))
    }
}

impl Trees {
    pub(crate) fn new(clusters: usize) -> Trees {
        Trees { trees_by_cluster: vec![ClusterTrees::default(); clusters] }
    }

    #[inline(always)]
    pub(super) fn of(&self, cluster: u32) -> &ClusterTrees {
        &self.trees_by_cluster[cluster as usize]
    }

    /// Computes the trees of a cluster that has these ports.
    pub(crate) fn plant(
        &mut self,
        grid: &SquareGrid,
        cluster: u32,
        bounds: Area,
        ports: &[Cell],
        room: &mut BuildScratch,
    ) {
        if ports.is_empty() {
            self.trees_by_cluster[cluster as usize] = ClusterTrees::default();
            return;
        }
        let BuildScratch { cutout, tree, ring, costs, steps, .. } = room;
        let cells = bounds.cells();
        cutout.cut(grid, bounds);
        let open = cutout.open_prices();
        if open.is_some() {
            self.trees_by_cluster[cluster as usize] = ClusterTrees { open, ..ClusterTrees::default() };
            return;
        }
        costs.clear();
        steps.clear();
        for &port in ports {
            cutout.spread_back(bounds.index(port), tree, ring);
            costs.extend_from_slice(&tree.cost_by_cell);
            steps.extend(tree.steps_back());
        }
        let mut trees_to_ports = 0;
        if cutout.is_one_way() {
            trees_to_ports = ports.len() as u16;
            for &port in ports {
                cutout.spread(bounds.index(port), tree, ring);
                costs.extend_from_slice(&tree.cost_by_cell);
                steps.extend(tree.steps_back());
            }
        }
        let wide = costs.iter().any(|&cost| cost >= NARROW && cost != NO_WAY);
        let first = steps.len().div_ceil(2);
        let length = first + if wide { 4 * costs.len() } else { costs.len().div_ceil(2) * 5 } + PADDING;
        let cluster_trees = &mut self.trees_by_cluster[cluster as usize];
        // Most edits do not change the number of ports, and so not the length either: the array can be used again.
        if cluster_trees.bytes.len() != length {
            cluster_trees.bytes = vec![0; length].into_boxed_slice();
        }
        (cluster_trees.open, cluster_trees.cells, cluster_trees.costs, cluster_trees.wide) = (None, cells, first, wide);
        cluster_trees.trees_to_ports = trees_to_ports;
        let (packed_steps, packed_costs) = cluster_trees.bytes.split_at_mut(first);
        if steps.len() % 2 == 1 {
            // Steps and costs are packed in pairs: the last one needs a partner.
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
                // A pair has five bytes, but writing eight is faster. The next pair overwrites the other three, or they
                // lie in the padding.
                rest[..8].copy_from_slice(&pair.to_le_bytes());
                rest = &mut rest[5..];
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let trees: usize = self.trees_by_cluster.iter().map(|cluster_trees| cluster_trees.bytes.len()).sum();
        trees + held(&self.trees_by_cluster)
    }
}
