//! A plane with one bit for each cell, in rows of 64-bit words, so that a world can be scanned 64 cells at a time.
//!
//! Not here: what the bits mean.

use crate::memory::{OutOfMemory, filled};

/// Rows of bits. Each row begins with a new word; the bits of its last word past the last column are 0.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct BitPlane {
    words: Vec<u64>,
    words_across: usize,
    rows: usize,
}

impl BitPlane {
    /// Makes a plane of `columns` × `rows` bits, all 0.
    pub(crate) fn new(columns: usize, rows: usize) -> BitPlane {
        let words_across = columns.div_ceil(64);
        BitPlane { words: vec![0; words_across * rows], words_across, rows }
    }

    /// Makes a plane as [`BitPlane::new`] does, but returns an error if there is no memory for it.
    pub(crate) fn try_new(columns: usize, rows: usize) -> Result<BitPlane, OutOfMemory> {
        let words_across = columns.div_ceil(64);
        Ok(BitPlane { words: filled(0, words_across * rows)?, words_across, rows })
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn words_across(&self) -> usize {
        self.words_across
    }

    #[inline(always)]
    pub(crate) fn word(&self, across: usize, y: usize) -> u64 {
        self.words[y * self.words_across + across]
    }

    #[inline(always)]
    pub(crate) fn word_mut(&mut self, across: usize, y: usize) -> &mut u64 {
        &mut self.words[y * self.words_across + across]
    }

    #[inline(always)]
    pub(crate) fn row(&self, y: usize) -> &[u64] {
        &self.words[y * self.words_across..(y + 1) * self.words_across]
    }

    /// Returns `COLUMNS` bits, at most 64, of each of `ROWS` rows, from column `x` and row `y` on. Column `x` is in
    /// bit 0. Columns past the end of a row and rows past the last one give 0. In each word, the bits from `COLUMNS`
    /// on may have any value.
    #[inline(always)]
    pub(crate) fn patch<const COLUMNS: usize, const ROWS: usize>(&self, x: usize, y: usize) -> [u64; ROWS] {
        let (across, shift) = (x / 64, x % 64);
        let is_split = shift + COLUMNS > 64 && across + 1 < self.words_across;
        let mut patch = [0; ROWS];
        if across >= self.words_across {
            return patch;
        }
        let mut at = y * self.words_across + across;
        for row in &mut patch {
            let Some(word) = self.words.get(at) else { break };
            *row = word >> shift;
            if is_split {
                *row |= self.words[at + 1] << (64 - shift);
            }
            at += self.words_across;
        }
        patch
    }

    #[inline(always)]
    pub(crate) fn get(&self, x: usize, y: usize) -> bool {
        self.word(x / 64, y) >> (x % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn set(&mut self, x: usize, y: usize, value: bool) {
        let word = self.word_mut(x / 64, y);
        *word = *word & !(1 << (x % 64)) | u64::from(value) << (x % 64);
    }

    /// Returns how many bits of row `y` are set in the `count` columns from `x` on; `count` is at least 1.
    pub(crate) fn count_row(&self, x: usize, count: usize, y: usize) -> usize {
        let (first, last) = (x / 64, (x + count - 1) / 64);
        let set = |across: usize| {
            let mut word = self.word(across, y);
            if across == first {
                word &= u64::MAX << (x % 64);
            }
            if across == last {
                word &= u64::MAX >> (63 - (x + count - 1) % 64);
            }
            word.count_ones() as usize
        };
        (first..=last).map(set).sum()
    }

    /// Turns the plane into its words, row by row.
    pub(crate) fn into_words(self) -> Vec<u64> {
        self.words
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// Makes a plane with columns and rows exchanged. `columns` is the number of columns of this plane.
    pub(crate) fn transposed(&self, columns: usize) -> BitPlane {
        let mut turned = BitPlane::new(self.rows, columns);
        let mut block = [0u64; 64];
        for down in 0..self.rows.div_ceil(64) {
            for across in 0..self.words_across {
                for (i, word) in block.iter_mut().enumerate() {
                    let y = down * 64 + i;
                    *word = if y < self.rows { self.word(across, y) } else { 0 };
                }
                transpose(&mut block);
                for (i, &word) in block.iter().enumerate() {
                    let x = across * 64 + i;
                    if x < columns {
                        *turned.word_mut(down, x) = word;
                    }
                }
            }
        }
        turned
    }
}

/// Exchanges rows and columns of a 64 × 64 block of bits: first swaps its upper right and lower left quarters, then
/// those of each quarter, and so on down to single bits.
fn transpose(block: &mut [u64; 64]) {
    let mut half = 32;
    let mut low: u64 = 0xffff_ffff;
    while half > 0 {
        let mut i = 0;
        while i < 64 {
            let swap = (block[i] >> half ^ block[i + half]) & low;
            block[i] ^= swap << half;
            block[i + half] ^= swap;
            i = (i + half + 1) & !half;
        }
        half /= 2;
        low ^= low << half;
    }
}

/// Makes a table from three neighbouring bits to a byte in which bit `i` has moved to `places[i]`, or is dropped where
/// that is 8.
pub(super) const fn spread(places: [u8; 3]) -> [u8; 8] {
    let mut table = [0; 8];
    let mut bits = 0;
    while bits < 8 {
        let mut i = 0;
        while i < 3 {
            if bits >> i & 1 == 1 && places[i] < 8 {
                table[bits] |= 1 << places[i];
            }
            i += 1;
        }
        bits += 1;
    }
    table
}

/// Returns the bits of a row at `x - 1`, `x` and `x + 1`, the first of them lowest.
#[inline(always)]
pub(super) fn three_bits(row: &[u64], x: usize) -> usize {
    let (word, bit) = ((x - 1) / 64, (x - 1) % 64);
    let mut bits = row[word] >> bit;
    if bit > 61 && word + 1 < row.len() {
        bits |= row[word + 1] << (64 - bit);
    }
    (bits & 7) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_what_lies_there_and_nothing_past_the_ends() {
        let (columns, rows) = (130, 9);
        let mut plane = BitPlane::new(columns, rows);
        let on = |x: usize, y: usize| (x * 7 + y * 13 + x * y).is_multiple_of(3);
        for y in 0..rows {
            for x in 0..columns {
                plane.set(x, y, on(x, y));
            }
        }
        for y in 0..rows {
            for x in 0..columns + 70 {
                let (narrow, wide) = (plane.patch::<6, 6>(x, y), plane.patch::<64, 2>(x, y));
                for (down, &bits) in narrow.iter().chain(&wide).enumerate() {
                    let (down, across) = if down < 6 { (down, 6) } else { (down - 6, 64) };
                    for column in 0..across {
                        let is_on = x + column < columns && y + down < rows && on(x + column, y + down);
                        assert_eq!(bits >> column & 1 == 1, is_on, "column {x} + {column}, row {y} + {down}");
                    }
                }
            }
        }
    }

    #[test]
    fn transposing_exchanges_columns_and_rows() {
        let (columns, rows) = (130, 75);
        let mut plane = BitPlane::new(columns, rows);
        let on = |x: usize, y: usize| (x * 7 + y * 13 + x * y).is_multiple_of(5);
        for y in 0..rows {
            for x in 0..columns {
                plane.set(x, y, on(x, y));
            }
        }
        let turned = plane.transposed(columns);
        for y in 0..rows {
            for x in 0..columns {
                assert_eq!(turned.get(y, x), on(x, y), "column {x}, row {y}");
            }
        }
    }
}
