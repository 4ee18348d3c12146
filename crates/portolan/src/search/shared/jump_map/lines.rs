//! The stops of straight rays, as bits along lines. The lines are the rows of a world, or its columns in a transposed
//! copy. A position is a column in a row, or a row in a column.
//!
//! Not here: diagonal rays.

use crate::memory::held;
use crate::space::bits::BitPlane;
use crate::space::square::moves::Gait;
use std::ops::RangeInclusive;

/// 64 cells of a line.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) free: u64,
    /// Stops for a ray with growing positions.
    pub(super) ahead: u64,
    /// Stops for a ray with shrinking positions.
    pub(super) behind: u64,
}

/// The free cells and the stops of all rows of a world, or of all its columns.
#[derive(PartialEq, Eq, Clone)]
pub(super) struct Lines {
    words: Vec<Word>,
    words_across: usize,
}

impl Lines {
    pub(super) fn new(free: &BitPlane, gait: Gait) -> Lines {
        let words_across = free.words_across();
        let words = (0..free.rows())
            .flat_map(|line| free.row(line).iter().map(|&free| Word { free, ..Word::default() }))
            .collect();
        let mut lines = Lines { words, words_across };
        lines.redo_stops(0..=free.rows() - 1, 0, words_across * 64 - 1, gait);
        lines
    }

    fn lines(&self) -> usize {
        self.words.len() / self.words_across
    }

    /// Returns the distance of the first stop after position `at`, and whether it is a jump point.
    #[inline(always)]
    pub(super) fn ahead(&self, line: usize, at: usize) -> (usize, bool) {
        let base = line * self.words_across;
        let (word, bit) = next_set(base, at, |index| self.words[index].ahead);
        ((word - base) * 64 + bit - at, self.words[word].free >> bit & 1 == 1)
    }

    /// Returns the distance of the last stop before position `at`, and whether it is a jump point.
    #[inline(always)]
    pub(super) fn behind(&self, line: usize, at: usize) -> (usize, bool) {
        let base = line * self.words_across;
        let (word, bit) = last_set(base, at, |index| self.words[index].behind);
        (at - (word - base) * 64 - bit, self.words[word].free >> bit & 1 == 1)
    }

    /// Returns whether a ray stops at position `at`; `ahead` tells whether the ray has growing positions.
    pub(super) fn is_stop(&self, line: usize, at: usize, ahead: bool) -> bool {
        let word = self.words[line * self.words_across + at / 64];
        (if ahead { word.ahead } else { word.behind }) >> (at % 64) & 1 == 1
    }

    /// Returns whether all cells between two positions, both included, are free.
    #[inline(always)]
    pub(super) fn is_clear(&self, line: usize, from: usize, to: usize) -> bool {
        let words = &self.words[line * self.words_across..][from / 64..=to / 64];
        let last = words.len() - 1;
        words.iter().enumerate().all(|(index, word)| {
            let low = if index == 0 { u64::MAX << (from % 64) } else { u64::MAX };
            let high = if index == last { u64::MAX >> (63 - to % 64) } else { u64::MAX };
            !word.free & low & high == 0
        })
    }

    /// Sets whether a cell is free, and returns whether this changed the cell.
    pub(super) fn set_free(&mut self, line: usize, at: usize, free: bool) -> bool {
        let word = &mut self.words[line * self.words_across + at / 64].free;
        let old = *word;
        *word = old & !(1 << (at % 64)) | u64::from(free) << (at % 64);
        *word != old
    }

    /// Returns a plane whose words are what `bits` returns for the words of the lines.
    pub(super) fn plane(&self, bits: impl Fn(Word) -> u64) -> BitPlane {
        let mut plane = BitPlane::new(self.words_across * 64, self.lines());
        for (index, &word) in self.words.iter().enumerate() {
            *plane.word_mut(index % self.words_across, index / self.words_across) = bits(word);
        }
        plane
    }

    /// Returns two planes: the cells from which a ray with growing positions ends at a jump point, and those from which
    /// a ray with shrinking positions does.
    pub(super) fn successes(&self) -> [BitPlane; 2] {
        let empty = || BitPlane::new(self.words_across * 64, self.lines());
        let (mut ahead, mut behind) = (empty(), empty());
        for line in 0..self.lines() {
            let mut beyond = false;
            for across in (0..self.words_across).rev() {
                let word = self.words[line * self.words_across + across];
                // A ray ends at a jump point if the next cell is one, or if the next cell is no stop and a ray from
                // there ends at a jump point.
                let found = fill_down(word.ahead & word.free, !word.ahead, beyond);
                *ahead.word_mut(across, line) = found >> 1 | u64::from(beyond) << 63;
                beyond = found & 1 == 1;
            }
            let mut before = false;
            for across in 0..self.words_across {
                let word = self.words[line * self.words_across + across];
                let turned = (word.behind & word.free).reverse_bits();
                let found = fill_down(turned, !word.behind.reverse_bits(), before).reverse_bits();
                *behind.word_mut(across, line) = found << 1 | u64::from(before);
                before = found >> 63 == 1;
            }
        }
        [ahead, behind]
    }

    /// Recomputes the stops of some lines in all words that contain positions `from` to `to`.
    pub(super) fn redo_stops(&mut self, lines: RangeInclusive<usize>, from: usize, to: usize, gait: Gait) {
        let last = self.lines() - 1;
        for line in lines {
            for across in from / 64..=(to / 64).min(self.words_across - 1) {
                let here = Triple::of(self, line, across);
                let (mut ahead, mut behind) = (0, 0);
                for beside in [line.checked_sub(1), (line < last).then_some(line + 1)].into_iter().flatten() {
                    let side = Triple::of(self, beside, across);
                    let (forced_ahead, forced_behind) = match gait {
                        // The cell beside is free, and the one before it is blocked: the ray could not turn earlier.
                        Gait::Strict | Gait::Four => (side.here & !side.before, side.here & !side.after),
                        // The cell beside is blocked, and the one after it is free: a diagonal step cuts the corner.
                        Gait::Loose => (!side.here & side.after, !side.here & side.before),
                        Gait::NoSqueeze => {
                            (!side.here & side.after & here.after, !side.here & side.before & here.before)
                        }
                    };
                    ahead |= forced_ahead & here.before;
                    behind |= forced_behind & here.after;
                }
                let word = &mut self.words[line * self.words_across + across];
                word.ahead = ahead | !word.free;
                word.behind = behind | !word.free;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.words)
    }
}

/// The free bits of 64 cells of a line and of their neighbours in the line.
struct Triple {
    /// Bit `i` tells whether cell `i` is free.
    here: u64,
    /// Bit `i` tells whether the cell before cell `i` is free.
    before: u64,
    /// Bit `i` tells whether the cell after cell `i` is free.
    after: u64,
}

impl Triple {
    fn of(lines: &Lines, line: usize, across: usize) -> Triple {
        let free = |across: usize| lines.words[line * lines.words_across + across].free;
        let here = free(across);
        let before = if across > 0 { free(across - 1) >> 63 } else { 0 };
        let after = if across + 1 < lines.words_across { free(across + 1) << 63 } else { 0 };
        Triple { here, before: here << 1 | before, after: here >> 1 | after }
    }
}

/// Spreads set bits towards bit 0 through `open` cells. Bit `i` of the result is set if it is set in `seeds`, or if it
/// is set in `open` and bit `i + 1` of the result is set. For bit 63, `from_above` stands for the bit above.
fn fill_down(seeds: u64, open: u64, from_above: bool) -> u64 {
    let (mut filled, mut open) = (seeds | open & u64::from(from_above) << 63, open);
    for distance in [1, 2, 4, 8, 16, 32] {
        filled |= open & filled >> distance;
        open &= open >> distance;
    }
    filled
}

/// Returns the word of the first set bit after position `at` of a line, and the position of the bit in that word.
/// `base` is the index of the first word of the line, and `word` returns a word by its index. The line has to have such
/// a bit.
#[inline(always)]
pub(super) fn next_set(base: usize, at: usize, word: impl Fn(usize) -> u64) -> (usize, usize) {
    let mut index = base + (at + 1) / 64;
    let mut bits = word(index) & u64::MAX << ((at + 1) % 64);
    while bits == 0 {
        index += 1;
        bits = word(index);
    }
    (index, bits.trailing_zeros() as usize)
}

/// Returns the word of the last set bit before position `at` of a line, and the position of the bit in that word.
/// `base` is the index of the first word of the line, and `word` returns a word by its index. The line has to have such
/// a bit.
#[inline(always)]
pub(super) fn last_set(base: usize, at: usize, word: impl Fn(usize) -> u64) -> (usize, usize) {
    let mut index = base + (at - 1) / 64;
    let mut bits = word(index) & u64::MAX >> (63 - (at - 1) % 64);
    while bits == 0 {
        index -= 1;
        bits = word(index);
    }
    (index, bits.ilog2() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    #[test]
    fn filling_down_stops_at_closed_cells() {
        let mut random = Random::new(5);
        for _ in 0..1000 {
            let (seeds, open, above) =
                (random.bits() & random.bits(), random.bits() | random.bits(), random.below(2) == 1);
            let mut expected = 0u64;
            let mut last = above;
            for i in (0..64).rev() {
                last = seeds >> i & 1 == 1 || open >> i & 1 == 1 && last;
                expected |= u64::from(last) << i;
            }
            assert_eq!(fill_down(seeds, open, above), expected);
        }
    }
}
