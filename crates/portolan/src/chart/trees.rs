//! A shortest-path tree for every port over the cells of its cluster: what it costs from a cell to the port and which
//! step leads there. A cell takes three bytes a tree, four bits of step and twenty of cost; four and a half where costs
//! are too great for that. Clusters without obstacles need none of it.

use super::cluster::NO_WAY;
use super::clusters::Workshop;
use super::layout::Bounds;
use crate::id::Cell;
use crate::world::square::SquareGrid;

/// All trees of a chart.
#[derive(Clone)]
pub(crate) struct Trees {
    groves: Vec<Grove>,
}

/// The trees of one cluster.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Grove {
    /// Two steps a byte, tree by tree; then costs, tree by tree, padded so that four bytes can be read at any of them.
    bytes: Box<[u8]>,
    /// Cells a tree has.
    cells: usize,
    /// Where the costs start.
    costs: usize,
    /// Costs take four bytes, not two and a half.
    wide: bool,
}

/// The greatest cost of twenty bits, and what stands there for no way.
const NARROW: u32 = (1 << 20) - 1;

impl Grove {
    /// The cost between a cell and the port of a rank.
    #[inline(always)]
    pub(super) fn cost(&self, rank: usize, cell: usize) -> u32 {
        let index = rank * self.cells + cell;
        let at = self.costs + if self.wide { 4 * index } else { index * 5 / 2 };
        let word = u32::from_le_bytes(self.bytes[at..at + 4].try_into().expect("four bytes"));
        if self.wide {
            return word;
        }
        let cost = word >> (index % 2 * 4) & NARROW;
        if cost == NARROW { NO_WAY } else { cost }
    }

    /// The step that leads from a cell towards the port of a rank.
    #[inline(always)]
    pub(super) fn step(&self, rank: usize, cell: usize) -> u8 {
        let index = rank * self.cells + cell;
        self.bytes[index / 2] >> (index % 2 * 4) & 7
    }
}

impl Trees {
    pub(crate) fn new(clusters: usize) -> Trees {
        Trees { groves: vec![Grove::default(); clusters] }
    }

    #[inline(always)]
    pub(super) fn of(&self, cluster: u32) -> &Grove {
        &self.groves[cluster as usize]
    }

    /// Grows the trees of a cluster with these ports.
    pub(crate) fn plant(
        &mut self,
        grid: &SquareGrid,
        cluster: u32,
        bounds: Bounds,
        ports: &[Cell],
        shop: &mut Workshop,
    ) {
        if ports.is_empty() {
            self.groves[cluster as usize] = Grove::default();
            return;
        }
        let Workshop { cutout, tree, ring, entries: costs, steps, .. } = shop;
        let cells = bounds.cells();
        cutout.cut(grid, bounds);
        costs.clear();
        steps.clear();
        for &port in ports {
            cutout.spread(bounds.index(port), tree, ring);
            costs.extend_from_slice(&tree.cost_by_cell);
            steps.extend((0..cells).map(|cell| tree.step_back(cell).unwrap_or(0)));
        }
        let wide = costs.iter().any(|&cost| cost >= NARROW && cost != NO_WAY);
        let mut bytes = Vec::with_capacity(steps.len().div_ceil(2) + 4 * costs.len() + 4);
        bytes.extend(steps.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |step| step << 4)));
        let first = bytes.len();
        if wide {
            bytes.extend(costs.iter().flat_map(|cost| cost.to_le_bytes()));
        } else {
            for pair in costs.chunks(2) {
                let low = u64::from(pair[0].min(NARROW));
                let high = u64::from(pair.get(1).map_or(0, |&cost| cost.min(NARROW)));
                bytes.extend_from_slice(&(low | high << 20).to_le_bytes()[..5]);
            }
        }
        bytes.extend_from_slice(&[0; 4]);
        self.groves[cluster as usize] = Grove { bytes: bytes.into_boxed_slice(), cells, costs: first, wide };
    }

    pub(crate) fn bytes(&self) -> usize {
        let held: usize = self.groves.iter().map(|grove| grove.bytes.len()).sum();
        held + self.groves.capacity() * size_of::<Grove>()
    }
}
