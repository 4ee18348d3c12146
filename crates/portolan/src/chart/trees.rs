//! A shortest-path tree for every port over the cells of its cluster: what it costs from a cell to the port and which
//! step leads there. A cell takes three bytes a tree, four bits of step and twenty of cost; four and a half where costs
//! are too great for that. Clusters without obstacles need none of it.

mod saved;

pub(super) use saved::Groves;

use super::cluster::NO_WAY;
use super::clusters::Workshop;
use super::layout::Bounds;
use crate::id::Cell;
use crate::world::moves::STEP;
use crate::world::square::SquareGrid;

/// All trees of a chart.
#[derive(Clone)]
pub(crate) struct Trees {
    groves: Vec<Grove>,
}

/// The trees of one cluster.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Grove {
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

/// The greatest cost of twenty bits, and what stands there for no way.
const NARROW: u32 = (1 << 20) - 1;

impl Grove {
    /// The cost between a cell and the port of a rank.
    #[inline(always)]
    pub(super) fn cost(&self, bounds: Bounds, (rank, port): (usize, Cell), cell: Cell) -> u32 {
        if let Some(Open { straight, diagonal }) = self.open {
            let (dx, dy) = (u32::from(cell.x.abs_diff(port.x)), u32::from(cell.y.abs_diff(port.y)));
            let (short, long) = if dx < dy { (dx, dy) } else { (dy, dx) };
            return straight * (long - short) + diagonal * short;
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
    pub(super) fn walk(&self, bounds: Bounds, (rank, port): (usize, Cell), from: Cell, trail: &mut Vec<Cell>) {
        let mut cell = from;
        trail.push(cell);
        if let Some(open) = self.open {
            let four = open.diagonal == 2 * open.straight;
            while cell != port {
                let (dx, dy) = (i32::from(port.x) - i32::from(cell.x), i32::from(port.y) - i32::from(cell.y));
                let dx = if four && dy != 0 { 0 } else { dx };
                cell = offset(cell, (dx.signum(), dy.signum()));
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
            cell = offset(cell, STEP[direction]);
            trail.push(cell);
        }
    }
}

#[inline(always)]
fn offset(cell: Cell, (dx, dy): (i32, i32)) -> Cell {
    Cell { x: cell.x.wrapping_add_signed(dx as i16), y: cell.y.wrapping_add_signed(dy as i16) }
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
        if let Some((straight, diagonal)) = cutout.open_prices() {
            let open = Some(Open { straight, diagonal });
            self.groves[cluster as usize] = Grove { open, ..Grove::default() };
            return;
        }
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
        self.groves[cluster as usize] =
            Grove { open: None, bytes: bytes.into_boxed_slice(), cells, costs: first, wide };
    }

    pub(crate) fn bytes(&self) -> usize {
        let held: usize = self.groves.iter().map(|grove| grove.bytes.len()).sum();
        held + self.groves.capacity() * size_of::<Grove>()
    }
}
