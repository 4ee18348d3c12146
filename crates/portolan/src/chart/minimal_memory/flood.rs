//! Flood fill inside one sector, a row of cells at a time.
//!
//! The fill follows straight steps. A diagonal step past a free cell connects nothing more, as straight steps through
//! that cell, which lies in this sector, connect the step's ends. Only where the rules let diagonal steps pass between
//! two blocked cells does the fill follow diagonal steps, too.
//!
//! Not here: which regions of different sectors meet, which [`super::survey`] finds.

use crate::id::Cell;
use crate::space::Area;
use crate::space::square::SquareGrid;

/// The most cells along a sector's side.
pub(super) const MOST_SIDE: usize = 32;

/// `Rows` is a set of cells of one sector: a number for each row, in which each column has a bit.
pub(super) type Rows = [u32; MOST_SIDE];

/// A `Flood` finds the regions of one sector by flood fill.
pub(super) struct Flood {
    bounds: Area,
    free: Rows,
    joins_corners: bool,
}

impl Flood {
    /// Copies the free cells of a sector out of the world.
    pub(super) fn new(grid: &SquareGrid, bounds: Area) -> Flood {
        let mut free = [0; MOST_SIDE];
        // The plane of free cells has a rim one cell wide, so that its columns and rows are numbered one higher.
        let (word, shift) = (usize::from(bounds.x + 1) / 64, u32::from(bounds.x + 1) % 64);
        let columns = u32::MAX >> (32 - u32::from(bounds.width));
        for (row, y) in free.iter_mut().zip(bounds.y..bounds.y + bounds.height) {
            let words = &grid.free_plane().row(usize::from(y) + 1)[word..];
            let next = words.get(1).copied().unwrap_or(0);
            let both = u128::from(words[0]) | u128::from(next) << 64;
            *row = (both >> shift) as u32 & columns;
        }
        Flood { bounds, free, joins_corners: grid.gait().joins_corners() }
    }

    /// Returns the regions of the sector, in the order of their first cells row by row.
    pub(super) fn regions(&self) -> impl Iterator<Item = Rows> + '_ {
        let mut left = self.free;
        std::iter::from_fn(move || {
            let y = left.iter().position(|&row| row != 0)?;
            let region = self.fill(y, left[y] & left[y].wrapping_neg());
            left.iter_mut().zip(&region).for_each(|(row, taken)| *row &= !taken);
            Some(region)
        })
    }

    /// Returns the region of a free cell.
    pub(super) fn around(&self, cell: Cell) -> Rows {
        self.fill(usize::from(cell.y - self.bounds.y), 1 << (cell.x - self.bounds.x))
    }

    /// Returns whether a cell of the sector is in a region.
    pub(super) fn has(&self, region: &Rows, cell: Cell) -> bool {
        region[usize::from(cell.y - self.bounds.y)] >> (cell.x - self.bounds.x) & 1 == 1
    }

    /// Returns the region of the cell in row `y` at `bit`: sweeps down and up until a sweep adds no cell.
    fn fill(&self, y: usize, bit: u32) -> Rows {
        let height = usize::from(self.bounds.height);
        let mut rows = [0; MOST_SIDE];
        rows[y] = along(bit, self.free[y]);
        loop {
            let before = rows;
            for y in 1..height {
                self.reach(&mut rows, y - 1, y);
            }
            for y in (1..height).rev() {
                self.reach(&mut rows, y, y - 1);
            }
            if rows == before {
                return rows;
            }
        }
    }

    /// Adds the cells of row `to` that are connected to the region's cells in the neighbouring row `from`.
    #[inline(always)]
    fn reach(&self, rows: &mut Rows, from: usize, to: usize) {
        let mut below = rows[from];
        if self.joins_corners {
            below |= below << 1 | below >> 1;
        }
        rows[to] = along(rows[to] | below & self.free[to], self.free[to]);
    }
}

/// Spreads bits over the runs of free cells they lie on. Each round doubles the distance of the round before, so that
/// five rounds cover 32 columns.
#[inline(always)]
fn along(mut bits: u32, free: u32) -> u32 {
    let (mut east, mut west) = (free, free);
    for shift in [1, 2, 4, 8, 16] {
        bits |= east & bits << shift | west & bits >> shift;
        east &= east << shift;
        west &= west >> shift;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::space::{Corners, Directions, Rules};

    #[test]
    fn regions_are_what_legal_steps_inside_the_sector_join() {
        let four = Rules { directions: Directions::Four, ..Rules::default() };
        let eight = Corners::NAMED.map(|(_, corners)| Rules { corners, ..Rules::default() });
        let mut random = Random::new(2007);
        for rules in eight.into_iter().chain([four]) {
            for round in 0..60 {
                let side = 32;
                let (width, height) = (32 + random.below(80) as usize, 32 + random.below(9) as usize);
                let percent = random.below(70);
                let weights: Vec<u8> = (0..width * height).map(|_| u8::from(random.below(100) >= percent)).collect();
                let grid = SquareGrid::from_weights(width, height, &weights, rules).expect("a sound size");
                let x = random.below((width - side) as u64 + 1) as u16;
                let bounds = Area { x, y: round % 2, width: 32 - round % 3 * 9, height: 30 };
                let flood = Flood::new(&grid, bounds);
                let mut covered = [0; MOST_SIDE];
                for region in flood.regions() {
                    assert!(region.iter().zip(&covered).all(|(row, taken)| row & taken == 0));
                    covered.iter_mut().zip(&region).for_each(|(row, more)| *row |= more);
                    let first = bounds.all_cells().find(|&cell| flood.has(&region, cell)).expect("it has cells");
                    let reached = reached(&grid, bounds, first);
                    for cell in bounds.all_cells() {
                        assert_eq!(flood.has(&region, cell), reached.contains(&cell), "{cell} under {rules:?}");
                    }
                    assert!(flood.around(reached[reached.len() - 1]) == region);
                }
                assert!(bounds.all_cells().all(|cell| flood.has(&covered, cell) == grid.is_free(cell)));
            }
        }
    }

    /// Returns the cells that legal steps inside the bounds lead to.
    fn reached(grid: &SquareGrid, bounds: Area, from: Cell) -> Vec<Cell> {
        let mut seen = vec![from];
        let mut next = 0;
        while next < seen.len() {
            for (dx, dy) in crate::space::square::moves::STEP {
                let to = Cell {
                    x: seen[next].x.wrapping_add_signed(dx as i16),
                    y: seen[next].y.wrapping_add_signed(dy as i16),
                };
                if bounds.contains(to) && grid.step_cost(seen[next], to).is_some() && !seen.contains(&to) {
                    seen.push(to);
                }
            }
            next += 1;
        }
        seen
    }
}
