//! Dense numbers for jump points: their rank among the set bits of a plane, row by row.

use crate::world::bits::BitPlane;

pub(super) struct Numbers {
    pub(super) jumps: BitPlane,
    /// Set bits before each word in its row.
    before_in_row: Vec<u16>,
    /// Set bits in all rows before; one entry more than there are rows.
    before_row: Vec<u32>,
}

impl Numbers {
    pub(super) fn new(jumps: BitPlane) -> Numbers {
        let (rows, words) = (jumps.rows(), jumps.words_across());
        let mut numbers = Numbers { jumps, before_in_row: vec![0; rows * words], before_row: vec![0; rows + 1] };
        numbers.recount(0, rows - 1);
        numbers
    }

    pub(super) fn count(&self) -> usize {
        self.before_row[self.jumps.rows()] as usize
    }

    #[inline(always)]
    pub(super) fn get(&self, x: usize, y: usize) -> Option<u32> {
        let index = y * self.jumps.words_across() + x / 64;
        let word = self.jumps.word(x / 64, y);
        let before = word & !(u64::MAX << (x % 64));
        (word >> (x % 64) & 1 == 1)
            .then(|| self.before_row[y] + u32::from(self.before_in_row[index]) + before.count_ones())
    }

    /// Counts again after bits of these rows changed.
    pub(super) fn recount(&mut self, first: usize, last: usize) {
        let words = self.jumps.words_across();
        let old_total = self.before_row[last + 1];
        for y in first..=last {
            let mut count = 0;
            for (before, word) in self.before_in_row[y * words..][..words].iter_mut().zip(self.jumps.row(y)) {
                *before = count;
                count += word.count_ones() as u16;
            }
            self.before_row[y + 1] = self.before_row[y] + u32::from(count);
        }
        let shift = self.before_row[last + 1].wrapping_sub(old_total);
        for before in &mut self.before_row[last + 2..] {
            *before = before.wrapping_add(shift);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.jumps.bytes() + 2 * self.before_in_row.len() + 4 * self.before_row.len()
    }
}
