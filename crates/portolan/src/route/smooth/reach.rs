//! Whether any walk between two cells is as cheap as on open ground: a sweep over the rows between them, the reachable
//! cells of a row in one word of bits.
//!
//! Such a walk takes only two kinds of steps, straight and slanted (or the two straight ones, with four directions). From
//! the left end rightwards they are shifts, and straight ones along a row a carry that runs until it meets a wall.
//! Where a word is too short for the distance, only the two walks with a single bend are looked at.

use super::runs::{distance, towards};
use crate::id::Cell;
use crate::world::bits::BitPlane;
use crate::world::moves::Gait;
use crate::world::square::SquareGrid;

/// The most columns and rows that a sweep crosses.
const SPAN: u16 = 63;

/// The sweep, and what it saw last.
pub(super) struct Reach<'a> {
    free: &'a BitPlane,
    gait: Gait,
    /// By row, counted from the left end: the cells where a walk can be, if it is steep, else where it can come in from
    /// the row before.
    bits_by_row: [u64; SPAN as usize + 1],
    /// The bend of the last walk that was too long to sweep.
    bend: Cell,
}

/// The two cells in the order the sweep takes them.
struct Ends {
    left: Cell,
    columns: u16,
    rows: u16,
    up: bool,
    /// Whether the walk goes from row to row with every step.
    steep: bool,
}

impl Ends {
    #[inline(always)]
    fn new(a: Cell, b: Cell, gait: Gait) -> Ends {
        let (left, right) = if a.x <= b.x { (a, b) } else { (b, a) };
        let (columns, rows) = (right.x - left.x, right.y.abs_diff(left.y));
        Ends { left, columns, rows, up: right.y < left.y, steep: columns < rows && gait != Gait::Four }
    }

    /// The cell at a bit of a row.
    fn cell(&self, bit: u32, row: u16) -> Cell {
        Cell { x: self.left.x + bit as u16, y: if self.up { self.left.y - row } else { self.left.y + row } }
    }
}

impl<'a> Reach<'a> {
    pub(super) fn new(grid: &'a SquareGrid) -> Reach<'a> {
        Reach { free: grid.free_plane(), gait: grid.gait(), bits_by_row: [0; SPAN as usize + 1], bend: Cell::default() }
    }

    /// Whether a walk as cheap as on open ground was found from one free cell to another.
    pub(super) fn look(&mut self, a: Cell, b: Cell) -> bool {
        if distance(a, b) <= SPAN { self.sweep(a, b) } else { self.look_far(a, b) }
    }

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

    /// Whether nothing is in the way on a straight line.
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

    /// Appends the turning points between the two cells where the last look found a walk.
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
            corners[first..].reverse(); // they came from the right
        }
    }

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

    fn write_flat(&self, ends: &Ends, corners: &mut Vec<Cell>) {
        let aside = u32::from(self.gait != Gait::Four);
        let mut bit = u32::from(ends.columns);
        for row in (0..=ends.rows).rev() {
            // The row was entered at the nearest entry to the left, and walked along from there.
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

/// The columns from the left end to the right one.
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

    /// The free cells of a row, the left end's column in bit 0.
    #[inline(always)]
    fn row(&self, row: usize) -> u64 {
        let words = self.free.row(if self.up { self.first_row - row } else { self.first_row + row });
        let high = words.get(self.word + 1).copied().unwrap_or(0);
        (words[self.word] >> self.shift | high << 1 << (63 - self.shift)) & self.mask
    }
}

/// The seeds and all that lies right of them without a gap.
#[inline(always)]
fn flood(free: u64, seeds: u64) -> u64 {
    // A seed added to its run of ones clears the rest of it. Seeds further right in the run stay set.
    free & (!free.wrapping_add(seeds) | seeds)
}

/// Where slanted steps to the right lead from one row to the next.
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
        // From column 0 to column 1; `here` and `next` say whether the side cells are free.
        for (here, next, strict, no_squeeze) in [(0b11, 0b11, 2, 2), (0b01, 0b11, 0, 2), (0b01, 0b10, 0, 0)] {
            assert_eq!(slants(Gait::Strict, 1, here, next), strict);
            assert_eq!(slants(Gait::NoSqueeze, 1, here, next), no_squeeze);
            assert_eq!(slants(Gait::Loose, 1, here, next), 2);
        }
    }
}
