//! The bitmaps that jump point search and the jump graph scan: the cells where straight and diagonal rays stop, and a
//! number for every jump point. They are derived from a uniform world, 64 cells at a time, and repaired after edits.
//!
//! - A straight ray *stops* at a blocked cell, and at a cell where an obstacle beside the ray forces a turn. The latter
//!   is a jump point. To follow a ray takes a load, a mask and a count of zeros; the bit for a free cell then tells
//!   whether the stop is a jump point. Rows are scanned in one bitmap, columns in a transposed copy.
//! - A diagonal ray stops at a cell that it may not enter, at a cell where a turn is forced, and at a cell from which a
//!   straight ray ends at a jump point. Diagonals are stored in skewed planes (line `x ± y` modulo the number of rows,
//!   bit `x`), so that they are scanned like rows.
//! - Where a turn is forced depends on the corner rule. Under [`Gait::Strict`], a straight ray stops one step past an
//!   obstacle beside it. Where corners may be cut, it stops next to the last cell of the obstacle. Diagonal moves
//!   force turns only where corners may be cut.
//!
//! Coordinates count the rim of blocked cells around the world, which ends every scan.
//!
//! Not here: goals, which are never written into the bitmaps, and costs.

mod diagonals;
mod lines;
mod numbers;
mod rays;
mod repair;

use crate::memory::held;
use crate::space::bits::BitPlane;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, Gait, NE, NW, S, SE, STEP, SW, W};
use diagonals::Diagonals;
pub(in crate::search) use diagonals::shear;
use lines::{Lines, last_set, next_set};
use numbers::Numbers;
pub(in crate::search) use rays::{Landing, forces_turn, step};
pub(in crate::search) use repair::{Shift, Zone};

/// The column and row of a cell, rim included.
pub(in crate::search) type Point = (usize, usize);

/// The stops of all rays in a world, and the numbers of its jump points.
#[derive(Clone)]
pub(in crate::search) struct JumpMap {
    gait: Gait,
    rows: Lines,
    columns: Lines,
    /// The stops of diagonal rays: to the north-east, south-east, south-west and north-west.
    skews: [Skew; 4],
    numbers: Numbers,
}

impl JumpMap {
    /// Returns the bytes that the skewed planes take, three for each diagonal direction. A map takes at least this
    /// much, whatever the terrain.
    pub(in crate::search) fn known_bytes(grid: &SquareGrid) -> usize {
        4 * 3 * grid.free_plane().bytes()
    }

    pub(in crate::search) fn new(grid: &SquareGrid) -> JumpMap {
        let gait = grid.gait();
        let free = grid.free_plane();
        let (columns, rows) = (grid.width() + 2, grid.height() + 2);
        let along_rows = Lines::new(free, gait);
        let along_columns = Lines::new(&free.transposed(columns), gait);
        let diagonal = Diagonals { free, gait };
        let column_jumps = along_columns.plane(|word| word.free & (word.ahead | word.behind)).transposed(rows);
        let row_jumps = along_rows.plane(|word| word.free & (word.ahead | word.behind));
        let mut jumps = BitPlane::new(columns, rows);
        let [east, west] = along_rows.successes();
        let [south, north] = along_columns.successes().map(|plane| plane.transposed(rows));
        for y in 0..rows {
            for across in 0..jumps.words_across() {
                *jumps.word_mut(across, y) = row_jumps.word(across, y) | column_jumps.word(across, y);
            }
        }
        let skews = [NE, SE, SW, NW].map(|direction| {
            let beside = if STEP[usize::from(direction)].0 > 0 { &east } else { &west };
            let above = if STEP[usize::from(direction)].1 > 0 { &south } else { &north };
            let planes = [(); 3].map(|()| BitPlane::new(columns, rows));
            let [mut turns_beside, mut turns_above, mut legal] = planes;
            for y in 0..rows {
                for across in 0..legal.words_across() {
                    let forced = diagonal.forced(direction, across, y);
                    *jumps.word_mut(across, y) |= forced;
                    *legal.word_mut(across, y) = diagonal.legal(direction, across, y);
                    *turns_beside.word_mut(across, y) = forced | beside.word(across, y);
                    *turns_above.word_mut(across, y) = forced | above.word(across, y);
                }
            }
            Skew::new([&turns_beside, &turns_above, &legal], falling(direction))
        });
        let numbers = Numbers::new(&jumps);
        JumpMap { gait, rows: along_rows, columns: along_columns, skews, numbers }
    }

    /// Returns the number of jump points.
    pub(in crate::search) fn count(&self) -> usize {
        self.numbers.count()
    }

    /// Returns the number of the jump point at this point, or `None` if there is none. A repair can change numbers.
    #[inline(always)]
    pub(in crate::search) fn number(&self, (x, y): Point) -> Option<u32> {
        self.numbers.get(x, y)
    }

    /// Returns the number of steps after which a straight ray from a free cell stops, and whether it stops at a jump
    /// point rather than at a blocked cell.
    #[inline(always)]
    pub(in crate::search) fn straight<const DIRECTION: u8>(&self, (x, y): Point) -> (usize, bool) {
        match DIRECTION {
            E => self.rows.ahead(y, x),
            W => self.rows.behind(y, x),
            S => self.columns.ahead(x, y),
            _ => self.columns.behind(x, y),
        }
    }

    /// Returns the diagonal through a point, which can be followed from stop to stop.
    #[inline(always)]
    pub(in crate::search) fn diagonal<const DIRECTION: u8>(&self, (x, y): Point) -> Diagonal<'_, DIRECTION> {
        let skew = &self.skews[usize::from(DIRECTION) / 2];
        let line = skew_line(x, y, skew.rows, falling(DIRECTION));
        Diagonal { words: &skew.words[line * skew.words_across..][..skew.words_across] }
    }

    pub(in crate::search) fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.columns.bytes()
            + self.numbers.bytes()
            + self.skews.iter().map(|skew| held(&skew.words)).sum::<usize>()
    }
}

/// The stops of one diagonal direction. Each diagonal lies in one line: the cell at column `x` of row `y` is bit `x` of
/// line `x + y`, or `x - y` for [`falling`] directions, modulo the number of rows. A line can hold several diagonals,
/// but no ray runs from one into the next, since each begins and ends at the rim.
#[derive(Clone)]
struct Skew {
    words: Vec<SkewWord>,
    words_across: usize,
    rows: usize,
}

/// The bits of 64 cells of a line in [`Skew`]. A ray stops where `legal` is not set, or `beside` or `above` is.
#[derive(Copy, Clone, Default)]
struct SkewWord {
    /// A straight ray along the row ends at a jump point, or a turn is forced.
    beside: u64,
    /// A straight ray along the column ends at a jump point, or a turn is forced.
    above: u64,
    /// A diagonal step onto the cell is legal.
    legal: u64,
}

impl Skew {
    fn new([beside, above, legal]: [&BitPlane; 3], falling: bool) -> Skew {
        let [beside, above, words] = [beside, above, legal].map(|plane| shear(plane, falling).into_words().into_iter());
        let words = beside.zip(above).zip(words).map(|((beside, above), legal)| SkewWord { beside, above, legal });
        Skew { words: words.collect(), words_across: legal.words_across(), rows: legal.rows() }
    }

    fn set(&mut self, x: usize, line: usize, [beside, above, legal]: [bool; 3]) {
        let word = &mut self.words[line * self.words_across + x / 64];
        let set = |bits: &mut u64, on: bool| *bits = *bits & !(1 << (x % 64)) | u64::from(on) << (x % 64);
        set(&mut word.beside, beside);
        set(&mut word.above, above);
        set(&mut word.legal, legal);
    }
}

/// The line of [`Skew`] that holds one diagonal, for rays in one direction.
pub(in crate::search) struct Diagonal<'a, const DIRECTION: u8> {
    words: &'a [SkewWord],
}

/// The cell where a diagonal ray stops, and the reason.
pub(in crate::search) struct Stop {
    /// The column.
    pub(in crate::search) x: usize,
    /// Whether the ray may enter the cell. If not, `beside` and `above` have no meaning.
    pub(in crate::search) legal: bool,
    /// Whether a straight ray along the row ends at a jump point, or a turn is forced.
    pub(in crate::search) beside: bool,
    /// Whether a straight ray along the column ends at a jump point, or a turn is forced.
    pub(in crate::search) above: bool,
}

impl<const DIRECTION: u8> Diagonal<'_, DIRECTION> {
    /// Returns the next stop of a ray that is at column `x`.
    #[inline(always)]
    pub(in crate::search) fn next_stop(&self, x: usize) -> Stop {
        let stops = |index: usize| {
            let word = &self.words[index];
            word.beside | word.above | !word.legal
        };
        let (index, bit) =
            if STEP[usize::from(DIRECTION)].0 > 0 { next_set(0, x, stops) } else { last_set(0, x, stops) };
        let word = &self.words[index];
        let has = |bits: u64| bits >> bit & 1 == 1;
        Stop { x: index * 64 + bit, legal: has(word.legal), beside: has(word.beside), above: has(word.above) }
    }
}

/// Returns whether `x - y` stays constant along a diagonal direction. Along the other two, `x + y` does.
const fn falling(direction: u8) -> bool {
    matches!(direction, SE | NW)
}

/// Returns the line of a skewed plane that a point lies on.
#[inline(always)]
fn skew_line(x: usize, y: usize, rows: usize, falling: bool) -> usize {
    let line = if falling { x + rows - y } else { x + y };
    // If the world is not much wider than high, one subtraction is enough, which is faster than a division.
    if line < rows {
        line
    } else if line - rows < rows {
        line - rows
    } else {
        line % rows
    }
}
