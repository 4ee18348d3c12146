//! The numbers of jump points, without gaps: a plane has a set bit for each jump point, and the number of a jump point
//! is the count of set bits before it, row by row.
//!
//! Not here: which cells are jump points.

use crate::memory::held;
use crate::space::bits::BitPlane;

#[derive(Clone)]
pub(super) struct Numbers {
    words: Vec<Word>,
    words_across: usize,
    /// For each row, the number of jump points in all rows before it; then one more entry, the number of all jump
    /// points.
    before_row: Vec<u32>,
}

/// 64 cells of a row.
#[derive(Copy, Clone)]
struct Word {
    jumps: u64,
    /// The number of jump points before these cells in their row.
    before: u32,
}

impl Numbers {
    pub(super) fn new(jumps: &BitPlane) -> Numbers {
        let rows = jumps.rows();
        let words = (0..rows).flat_map(|y| jumps.row(y)).map(|&jumps| Word { jumps, before: 0 }).collect();
        let mut numbers = Numbers { words, words_across: jumps.words_across(), before_row: vec![0; rows + 1] };
        numbers.recount(0, rows - 1);
        numbers
    }

    pub(super) fn count(&self) -> usize {
        self.before_row[self.before_row.len() - 1] as usize
    }

    /// Returns the number of the jump point at column `x` of row `y`, or `None` if there is none.
    #[inline(always)]
    pub(super) fn get(&self, x: usize, y: usize) -> Option<u32> {
        let word = self.words[y * self.words_across + x / 64];
        let before = word.jumps & !(u64::MAX << (x % 64));
        (word.jumps >> (x % 64) & 1 == 1).then(|| self.before_row[y] + word.before + before.count_ones())
    }

    /// Returns how many jump points lie before this one in its row, or `None` if the cell is not a jump point.
    #[inline(always)]
    pub(super) fn rank_in_row(&self, x: usize, y: usize) -> Option<usize> {
        let word = self.words[y * self.words_across + x / 64];
        let before = word.jumps & !(u64::MAX << (x % 64));
        (word.jumps >> (x % 64) & 1 == 1).then(|| (word.before + before.count_ones()) as usize)
    }

    /// Returns the jump points among 64 cells of row `y`, one bit each.
    pub(super) fn word(&self, across: usize, y: usize) -> u64 {
        self.words[y * self.words_across + across].jumps
    }

    /// Sets whether a cell is a jump point. [`Numbers::recount`] has to be called afterwards for its row.
    pub(super) fn set(&mut self, x: usize, y: usize, jump: bool) {
        let word = &mut self.words[y * self.words_across + x / 64].jumps;
        *word = *word & !(1 << (x % 64)) | u64::from(jump) << (x % 64);
    }

    /// Recomputes the counts after cells in the rows `first` to `last` changed.
    pub(super) fn recount(&mut self, first: usize, last: usize) {
        let old_total = self.before_row[last + 1];
        for y in first..=last {
            let mut count = 0;
            for word in &mut self.words[y * self.words_across..][..self.words_across] {
                word.before = count;
                count += word.jumps.count_ones();
            }
            self.before_row[y + 1] = self.before_row[y] + count;
        }
        let shift = self.before_row[last + 1].wrapping_sub(old_total);
        for before in &mut self.before_row[last + 2..] {
            *before = before.wrapping_add(shift);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.words) + held(&self.before_row)
    }
}
