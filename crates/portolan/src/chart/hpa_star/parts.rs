//! The connected parts of a cluster: which of its ports reach each other inside it. They are found by a flood fill that
//! treats a row of cells as the bits of one word.

use crate::id::Cell;
use crate::memory::held;
use crate::space::Area;
use crate::space::bits::BitPlane;
use crate::space::square::SquareGrid;
use crate::space::square::moves::STEP;

/// The connected parts of a cluster, without those that have no port.
#[derive(Clone, Default)]
pub(crate) struct Parts {
    /// The part that each port lies in, by the port's rank. Parts are numbered in the order of their first ports.
    pub(crate) by_port: Vec<u16>,
    bounds: Area,
    /// The free cells of each row as the bits of a word, which suffices because no cluster is wider than 64 cells.
    free_by_row: Vec<u64>,
    /// The cells of each part, part by part and row by row, each row as the bits of a word.
    cells_by_part: Vec<u64>,
}

impl Parts {
    pub(crate) fn bytes(&self) -> usize {
        held(&self.by_port) + held(&self.free_by_row) + held(&self.cells_by_part)
    }

    /// The part of a port whose part has not been found yet.
    const NONE: u16 = u16::MAX;

    /// Finds the parts of a cluster that has these ports.
    pub(crate) fn find(&mut self, grid: &SquareGrid, bounds: Area, ports: &[Cell]) {
        debug_assert!(bounds.width <= 64, "a row of a cluster fits a word");
        self.bounds = bounds;
        self.cells_by_part.clear();
        self.by_port.clear();
        self.by_port.resize(ports.len(), Self::NONE);
        self.free_by_row.clear();
        let rows = usize::from(bounds.y) + 1..=usize::from(bounds.y + bounds.height);
        self.free_by_row.extend(rows.map(|y| bits(grid.free_plane(), usize::from(bounds.x) + 1, bounds.width, y)));
        let (corners, walled) = (grid.gait().joins_corners(), grid.has_closed_borders(bounds));
        let mut count = 0;
        while let Some(next) = self.by_port.iter().position(|&part| part == Self::NONE) {
            if walled {
                self.flood_by_steps(grid, ports[next]);
            } else {
                self.flood(ports[next], corners);
            }
            for (rank, &port) in ports.iter().enumerate().skip(next) {
                if self.by_port[rank] == Self::NONE && self.holds(count, bounds.index(port)) {
                    self.by_port[rank] = count;
                }
            }
            count += 1;
        }
    }

    /// Returns whether a cell, given by its index in the cluster, belongs to a part.
    #[inline(always)]
    fn holds(&self, part: u16, cell: usize) -> bool {
        let (width, height) = (usize::from(self.bounds.width), usize::from(self.bounds.height));
        self.cells_by_part[usize::from(part) * height + cell / width] >> (cell % width) & 1 == 1
    }

    /// Returns how many cells a part has.
    pub(crate) fn size(&self, part: u16) -> usize {
        let height = usize::from(self.bounds.height);
        let rows = &self.cells_by_part[usize::from(part) * height..][..height];
        rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Returns for every cell of the cluster, row by row, whether it belongs to any part.
    pub(crate) fn cells(&self) -> impl Iterator<Item = bool> + '_ {
        let (width, height) = (self.bounds.width, usize::from(self.bounds.height));
        let row = move |y: usize| self.cells_by_part.iter().skip(y).step_by(height).fold(0, |all, row| all | row);
        (0..height).map(row).flat_map(move |bits| (0..width).map(move |x| bits >> x & 1 == 1))
    }

    /// Adds the part that the free cell `from` lies in, where walls between cells may end it. Cells are joined by a step that
    /// leads one way too.
    fn flood_by_steps(&mut self, grid: &SquareGrid, from: Cell) {
        let first = self.cells_by_part.len();
        self.cells_by_part.resize(first + usize::from(self.bounds.height), 0);
        let reached = &mut self.cells_by_part[first..];
        let mut is_new = |cell: Cell| {
            let (row, bit) = (&mut reached[usize::from(cell.y - self.bounds.y)], 1 << (cell.x - self.bounds.x));
            let is_new = *row & bit == 0;
            *row |= bit;
            is_new
        };
        let mut stack = vec![from];
        is_new(from);
        while let Some(cell) = stack.pop() {
            let node = grid.node(cell);
            let legal = grid.gait().legal()[usize::from(grid.around(node))];
            let joined = legal | grid.entries_by_node().map_or(0, |entries| entries[node.index()]);
            let steps = STEP.iter().enumerate().filter(|(direction, _)| joined >> direction & 1 == 1);
            let inside = steps.map(|(_, &step)| cell.shifted(step)).filter(|&to| self.bounds.contains(to));
            stack.extend(inside.filter(|&to| is_new(to)));
        }
    }

    /// Adds the part that the free cell `from` lies in. `corners` says whether cells that touch only at a corner are
    /// connected.
    fn flood(&mut self, from: Cell, corners: bool) {
        let (first, height) = (self.cells_by_part.len(), usize::from(self.bounds.height));
        self.cells_by_part.resize(first + height, 0);
        let (reached, free) = (&mut self.cells_by_part[first..], &self.free_by_row[..]);
        let row = usize::from(from.y - self.bounds.y);
        reached[row] = spread(1 << (from.x - self.bounds.x), free[row]);
        // `pass` adds the cells of a row that are reached from the row before, and returns whether there were any. It
        // runs down and up over all rows until neither direction finds more.
        let mut pass = |row: usize, before: usize| {
            let mut seeds = reached[before];
            if corners {
                seeds |= seeds << 1 | seeds >> 1;
            }
            let new = seeds & free[row] & !reached[row];
            if new != 0 {
                reached[row] |= spread(new, free[row]);
            }
            new != 0
        };
        loop {
            let down = (1..height).fold(false, |found, row| pass(row, row - 1) | found);
            let up = (0..height - 1).rev().fold(false, |found, row| pass(row, row + 1) | found);
            if !down && !up {
                return;
            }
        }
    }
}

/// Returns all cells of the runs of free cells in which a seed lies. Seeds must be free themselves.
fn spread(seeds: u64, free: u64) -> u64 {
    // Adding a seed to `free` carries to the end of its run: the bits from the seed to that end turn from 1 to 0. A
    // second seed in the run turns its own bit back to 1, so `seeds` are added to the result.
    let upward = |seeds: u64, free: u64| seeds | free & !free.wrapping_add(seeds);
    upward(seeds, free) | upward(seeds.reverse_bits(), free.reverse_bits()).reverse_bits()
}

/// Returns `width` bits of row `y` of a plane, from column `x` on, as the low bits of a word; `width` is 1 to 64.
fn bits(plane: &BitPlane, x: usize, width: u16, y: usize) -> u64 {
    let (word, bit) = (x / 64, x % 64);
    let mut bits = plane.word(word, y) >> bit;
    if bit > 0 && word + 1 < plane.words_across() {
        bits |= plane.word(word + 1, y) << (64 - bit);
    }
    bits & u64::MAX >> (64 - width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::{Corners, Directions, Rules, Snapshot};

    /// Returns for each port the first port that it is connected to, found cell by cell.
    fn walked(grid: &SquareGrid, bounds: Area, ports: &[Cell]) -> Vec<usize> {
        let mut first_by_port = vec![usize::MAX; ports.len()];
        for first in 0..ports.len() {
            if first_by_port[first] != usize::MAX {
                continue;
            }
            let (mut seen, mut stack) = (vec![ports[first]], vec![ports[first]]);
            while let Some(at) = stack.pop() {
                let near = |cell: &Cell| bounds.contains(*cell) && grid.step_cost(at, *cell).is_some();
                let around = (0..9).map(|i| Cell::new((at.x + i % 3).wrapping_sub(1), (at.y + i / 3).wrapping_sub(1)));
                for cell in around.filter(near) {
                    if !seen.contains(&cell) {
                        seen.push(cell);
                        stack.push(cell);
                    }
                }
            }
            (first..ports.len())
                .filter(|&port| seen.contains(&ports[port]))
                .for_each(|port| first_by_port[port] = first);
        }
        first_by_port
    }

    #[test]
    fn parts_are_what_walking_inside_the_cluster_finds() {
        let mut random = Random::new(7);
        let mut parts = Parts::default();
        for round in 0..300 {
            let (width, height) = (65 + random.below(70) as usize, 1 + random.below(20) as usize);
            let blocked = random.below(70);
            let weights: Vec<u8> = (0..width * height).map(|_| u8::from(random.below(100) >= blocked)).collect();
            let corners = Corners::NAMED[round % 3].1;
            let directions = if round % 7 == 0 { Directions::Four } else { Directions::Eight };
            let rules = Rules { directions, corners, metric: None };
            let world = Snapshot::from(SquareGrid::from_weights(width, height, &weights, rules).expect("sound"));
            let x = random.below(width as u64 - 1) as u16;
            let most = (width as u64 - u64::from(x)).min(64);
            let bounds = Area { x, y: 0, width: 1 + random.below(most) as u16, height: height as u16 };
            let ports: Vec<Cell> =
                (0..bounds.cells()).map(|cell| bounds.cell(cell)).filter(|&cell| world.is_free(cell)).collect();
            parts.find(&world, bounds, &ports);
            let first = |port: usize| parts.by_port.iter().position(|&part| part == parts.by_port[port]);
            let found: Vec<usize> = (0..ports.len()).filter_map(first).collect();
            assert_eq!(found, walked(&world, bounds, &ports), "round {round}");
            let held = |port: usize| parts.holds(parts.by_port[port], bounds.index(ports[port]));
            assert!((0..ports.len()).all(held));
        }
    }
}
