//! Whether there is a walk between two cells that costs no more than on open ground: a sweep over the rows between
//! them, with the reachable cells of a row as the bits of one word.
//!
//! Such a walk has steps in two directions only: one straight and one diagonal or, with four directions, two straight
//! ones. The sweep starts at the left one of the two cells. A step to the next row, straight or diagonal, is a shift
//! of the reached bits by 0 or 1. Steps along a row are an addition, whose carry runs to the right until it meets a
//! blocked cell. If the cells are too far apart for one word, only the two walks with a single bend are tried.
//!
//! In this file, a slanted step is a diagonal step.
//!
//! Not here: which cells of a route to connect.

use super::runs::{distance, towards};
use crate::id::Cell;
use crate::space::bits::BitPlane;
use crate::space::square::SquareGrid;
use crate::space::square::moves::Gait;

/// The most columns, and the most rows, between the two cells of a sweep.
const SPAN: u16 = 63;

/// The sweep, and what its last call found.
pub(super) struct Reach<'a> {
    free: &'a BitPlane,
    gait: Gait,
    /// For each row, counted from the left one of the two cells: if the walk is steep, the cells that it can reach,
    /// else the cells where it can enter the row from the row before.
    bits_by_row: [u64; SPAN as usize + 1],
    /// The bend of the last walk tried between cells too far apart for a sweep.
    bend: Cell,
}

/// The two cells of a sweep: the left one, and where the right one lies from there.
struct Ends {
    left: Cell,
    columns: u16,
    rows: u16,
    /// Whether the right cell is above the left one.
    up: bool,
    /// Whether every step of the walk goes to the next row. If not, it may have steps along rows.
    steep: bool,
}

impl Ends {
    #[inline(always)]
    fn new(a: Cell, b: Cell, gait: Gait) -> Ends {
        let (left, right) = if a.x <= b.x { (a, b) } else { (b, a) };
        let (columns, rows) = (right.x - left.x, right.y.abs_diff(left.y));
        Ends { left, columns, rows, up: right.y < left.y, steep: columns < rows && gait != Gait::Four }
    }

    /// Returns the cell at a bit of a row, counted from the left cell.
    fn cell(&self, bit: u32, row: u16) -> Cell {
        Cell { x: self.left.x + bit as u16, y: if self.up { self.left.y - row } else { self.left.y + row } }
    }
}

impl<'a> Reach<'a> {
    pub(super) fn new(grid: &'a SquareGrid) -> Reach<'a> {
        Reach { free: grid.free_plane(), gait: grid.gait(), bits_by_row: [0; SPAN as usize + 1], bend: Cell::default() }
    }

    /// Looks for a walk between two free cells that costs no more than on open ground, and returns whether it found
    /// one.
    pub(super) fn look(&mut self, a: Cell, b: Cell) -> bool {
        if distance(a, b) <= SPAN { self.sweep(a, b) } else { self.look_far(a, b) }
    }

    /// Tries the two walks with a single bend between cells too far apart for a sweep.
    #[cold]
    fn look_far(&mut self, a: Cell, b: Cell) -> bool {
        let bends = if self.gait == Gait::Four {
            [Cell { x: b.x, y: a.y }, Cell { x: a.x, y: b.y }]
        } else {
            let slanted = a.x.abs_diff(b.x).min(a.y.abs_diff(b.y));
            [towards(a, b, slanted), towards(b, a, slanted)]
        };
        bends.into_iter().any(|bend| {
            self.bend = bend;
            self.look_straight(a, bend) && self.look_straight(bend, b)
        })
    }

    /// Returns whether the straight line between two cells is legal.
    fn look_straight(&mut self, mut a: Cell, b: Cell) -> bool {
        while distance(a, b) > SPAN {
            let next = towards(a, b, SPAN);
            if !self.sweep(a, next) {
                return false;
            }
            a = next;
        }
        self.sweep(a, b)
    }

    /// Looks for a walk between cells that are at most [`SPAN`] columns and rows apart.
    fn sweep(&mut self, a: Cell, b: Cell) -> bool {
        let ends = Ends::new(a, b, self.gait);
        let window = Window::new(self.free, &ends);
        let mut here = window.row(0);
        let mut reached = if ends.steep { 1 } else { flood(here, 1) };
        self.bits_by_row[0] = 1;
        for row in 1..=usize::from(ends.rows) {
            let next = window.row(row);
            let entered = match self.gait {
                Gait::Four => reached & next,
                _ if ends.steep => reached & next | slants(self.gait, reached, here, next),
                _ => slants(self.gait, reached, here, next),
            };
            if entered == 0 {
                return false;
            }
            self.bits_by_row[row] = entered;
            reached = if ends.steep { entered } else { flood(next, entered) };
            here = next;
        }
        reached >> ends.columns & 1 == 1
    }

    /// Appends the turning points of the walk that [`Reach::look`] found last, without its ends `a` and `b`.
    pub(super) fn write(&self, a: Cell, b: Cell, corners: &mut Vec<Cell>) {
        if distance(a, b) > SPAN {
            if self.bend != a && self.bend != b {
                corners.push(self.bend);
            }
            return;
        }
        let ends = Ends::new(a, b, self.gait);
        let first = corners.len();
        if ends.steep {
            self.write_steep(&ends, corners);
        } else {
            self.write_flat(&ends, corners);
        }
        if ends.left == a {
            corners[first..].reverse(); // they were written from the right end to the left
        }
    }

    /// Appends the turning points of a steep walk, from the right end to the left.
    fn write_steep(&self, ends: &Ends, corners: &mut Vec<Cell>) {
        let mut bit = u32::from(ends.columns);
        let mut slanted = None;
        for row in (1..=ends.rows).rev() {
            let slants = self.bits_by_row[usize::from(row - 1)] >> bit & 1 == 0;
            if slanted.is_some_and(|before| before != slants) {
                corners.push(ends.cell(bit, row));
            }
            slanted = Some(slants);
            bit -= u32::from(slants);
        }
    }

    /// Appends the turning points of a walk that is not steep, from the right end to the left.
    fn write_flat(&self, ends: &Ends, corners: &mut Vec<Cell>) {
        let aside = u32::from(self.gait != Gait::Four);
        let mut bit = u32::from(ends.columns);
        for row in (0..=ends.rows).rev() {
            // The walk enters the row at the last possible cell up to `bit` and goes along the row from there.
            let entry = (self.bits_by_row[usize::from(row)] & u64::MAX >> (63 - bit)).ilog2();
            if entry != bit {
                if row != ends.rows {
                    corners.push(ends.cell(bit, row));
                }
                if row != 0 {
                    corners.push(ends.cell(entry, row));
                }
            }
            bit = entry.saturating_sub(aside);
        }
    }
}

/// The free cells of a grid in the columns from the left cell of a sweep to the right one.
struct Window<'a> {
    free: &'a BitPlane,
    word: usize,
    shift: u32,
    mask: u64,
    first_row: usize,
    up: bool,
}

impl<'a> Window<'a> {
    #[inline(always)]
    fn new(free: &'a BitPlane, ends: &Ends) -> Window<'a> {
        let (x, first_row) = (usize::from(ends.left.x) + 1, usize::from(ends.left.y) + 1);
        let mask = u64::MAX >> (SPAN - ends.columns);
        Window { free, word: x / 64, shift: (x % 64) as u32, mask, first_row, up: ends.up }
    }

    /// Returns the free cells of a row, counted from the left cell. That cell's column is bit 0.
    #[inline(always)]
    fn row(&self, row: usize) -> u64 {
        let words = self.free.row(if self.up { self.first_row - row } else { self.first_row + row });
        let high = words.get(self.word + 1).copied().unwrap_or(0);
        (words[self.word] >> self.shift | high << 1 << (63 - self.shift)) & self.mask
    }
}

/// Returns the seeds, and all free cells to the right of a seed with no blocked cell between. Right means towards
/// higher bits.
#[inline(always)]
fn flood(free: u64, seeds: u64) -> u64 {
    // Adding a seed to its run of ones clears the run from the seed on. Further seeds in that run stay set in the sum,
    // so they are added to the result.
    free & (!free.wrapping_add(seeds) | seeds)
}

/// Returns the cells of the next row that legal diagonal steps to the right reach from the reached cells of a row.
/// `here` and `next` are the free cells of both rows.
#[inline(always)]
fn slants(gait: Gait, reached: u64, here: u64, next: u64) -> u64 {
    let beyond = reached << 1 & next;
    let sides = ((reached & next) << 1, here);
    match gait {
        Gait::Four => 0,
        Gait::Strict => beyond & sides.0 & sides.1,
        Gait::NoSqueeze => beyond & (sides.0 | sides.1),
        Gait::Loose => beyond,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_runs_right_to_the_next_gap() {
        assert_eq!(flood(0b0111_0111, 0b0000_0010), 0b0000_0110);
        assert_eq!(flood(0b0111_1110, 0b0001_0100), 0b0111_1100, "two seeds in a run");
        assert_eq!(flood(u64::MAX, 1), u64::MAX);
        assert_eq!(flood(0b1011, 0b1001), 0b1011);
    }

    #[test]
    fn slanted_steps_keep_the_corner_rule() {
        // A step from column 0 to column 1; `here` and `next` tell whether the two cells beside it are free.
        for (here, next, strict, no_squeeze) in [(0b11, 0b11, 2, 2), (0b01, 0b11, 0, 2), (0b01, 0b10, 0, 0)] {
            assert_eq!(slants(Gait::Strict, 1, here, next), strict);
            assert_eq!(slants(Gait::NoSqueeze, 1, here, next), no_squeeze);
            assert_eq!(slants(Gait::Loose, 1, here, next), 2);
        }
    }
}
