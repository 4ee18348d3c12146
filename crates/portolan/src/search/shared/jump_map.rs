//! The bitmaps jump point search scans: where a straight or diagonal ray must stop, and a dense number for every
//! jump point. Derived from a uniform world, built 64 cells at a time, kept right under edits.
//!
//! - Along rows, and along columns in a transposed copy, a *stop* is a blocked cell or one where something beside the
//!   ray forces a turn. A straight jump is then a load, a mask and a count of zeros, and one more bit says which.
//! - Along diagonals a stop is an illegal step, a forced turn, or a cell from which a straight jump succeeds. Diagonals
//!   lie in skewed planes (line `x ± y` modulo the number of rows, bit `x`), so that they scan like rows.
//! - Which turn is forced depends on the corner rule: around a cell just passed under [`Gait::Strict`], around the
//!   cell beside where corners may be cut; only then do diagonal moves force turns too.
//!
//! Coordinates here count the blocked rim, which ends every scan. No goal is ever written into the map.

mod diagonals;
mod lines;
mod numbers;
mod rays;

use crate::world::Area;
use crate::world::bits::BitPlane;
use crate::world::moves::{E, Gait, N, NE, NW, S, SE, STEP, SW, W};
use crate::world::square::SquareGrid;
use diagonals::Diagonals;
pub(in crate::search) use diagonals::shear;
use lines::{Lines, last_set, next_set};
use numbers::Numbers;
pub(in crate::search) use rays::{Landing, forces_turn, step};

/// A place, rim included.
pub(in crate::search) type Point = (usize, usize);

#[derive(Clone)]
pub(in crate::search) struct JumpMap {
    gait: Gait,
    rows: Lines,
    columns: Lines,
    /// North-east, south-east, south-west, north-west.
    skews: [Skew; 4],
    numbers: Numbers,
}

impl JumpMap {
    /// What the three planes of each diagonal take, the least that a map of this size has.
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

    /// How many jump points there are.
    pub(in crate::search) fn count(&self) -> usize {
        self.numbers.count()
    }

    /// The number of a jump point, `None` elsewhere.
    #[inline(always)]
    pub(in crate::search) fn number(&self, (x, y): Point) -> Option<u32> {
        self.numbers.get(x, y)
    }

    /// Where a straight ray from a free cell stops: how many steps away, and whether there is a jump point.
    #[inline(always)]
    pub(in crate::search) fn straight<const DIRECTION: u8>(&self, (x, y): Point) -> (usize, bool) {
        match DIRECTION {
            E => self.rows.ahead(y, x),
            W => self.rows.behind(y, x),
            S => self.columns.ahead(x, y),
            _ => self.columns.behind(x, y),
        }
    }

    /// The diagonal through a point, to follow from stop to stop.
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
            + 4 * size_of_val(self.skews[0].words.as_slice())
    }

    /// Follows edits to these areas that `grid` has already seen. Tells which lines into their zones now end elsewhere.
    pub(in crate::search) fn repair(
        &mut self,
        grid: &SquareGrid,
        areas: impl Iterator<Item = Area> + Clone,
    ) -> Vec<Shift> {
        let zones = areas.clone().map(|area| Zone::around(area).clipped(grid)).enumerate();
        let mut shifts: Vec<Shift> = zones.flat_map(|(edit, zone)| self.entries(grid, edit, zone)).collect();
        let mut changed = Vec::new();
        for zone in areas.map(Zone::around) {
            if self.copy_terrain(grid, zone) {
                changed.push(zone);
            }
        }
        for &zone in &changed {
            self.rows.redo_stops(zone.top..=zone.bottom, zone.left, zone.right, self.gait);
            self.columns.redo_stops(zone.left..=zone.right, zone.top, zone.bottom, self.gait);
        }
        for &zone in &changed {
            self.redo_zone(grid, zone.clipped(grid));
        }
        shifts.retain_mut(|shift| {
            shift.after = self.straight_target(shift.from, shift.direction);
            shift.after != shift.before
        });
        for shift in &shifts {
            if shift.after.is_some() != shift.before.is_some() {
                self.redo_line(grid, shift);
            }
        }
        if let Some(first) = changed.iter().map(|zone| zone.top).min() {
            let last = changed.iter().map(|zone| zone.bottom).max().unwrap_or(first);
            self.numbers.recount(first, last);
        }
        shifts
    }

    /// The lines by which rays enter a zone, with where they end as yet.
    fn entries(&self, grid: &SquareGrid, edit: usize, zone: Zone) -> impl Iterator<Item = Shift> {
        let Zone { left, top, right, bottom } = zone;
        let along_rows = (top..=bottom).flat_map(move |y| [((left - 1, y), E), ((right + 1, y), W)]);
        let along_columns = (left..=right).flat_map(move |x| [((x, top - 1), S), ((x, bottom + 1), N)]);
        let lines = along_rows.chain(along_columns).filter(|&((x, y), _)| grid.free_plane().get(x, y));
        lines.map(move |(from, direction)| {
            let before = self.straight_target(from, direction);
            Shift { edit, from, direction, before, after: before }
        })
    }

    /// Takes over which cells of the zone's inside are free; tells whether any differed.
    fn copy_terrain(&mut self, grid: &SquareGrid, zone: Zone) -> bool {
        let free = grid.free_plane();
        let mut changed = false;
        for y in zone.top + 1..zone.bottom {
            for x in zone.left + 1..zone.right {
                let now = free.get(x, y);
                changed |= self.rows.set_free(y, x, now);
                self.columns.set_free(x, y, now);
            }
        }
        changed
    }

    /// Recomputes diagonal stops and jump points inside the zone.
    fn redo_zone(&mut self, grid: &SquareGrid, zone: Zone) {
        for y in zone.top..=zone.bottom {
            for x in zone.left..=zone.right {
                self.redo(grid, (x, y), &[NE, SE, SW, NW]);
                let jump = self.is_jump_point(grid, (x, y));
                self.numbers.set(x, y, jump);
            }
        }
    }

    /// Tells the diagonals through a line whether there is now something to turn for, from the zone that the line
    /// leads to back to the nearest stop.
    fn redo_line(&mut self, grid: &SquareGrid, shift: &Shift) {
        let diagonal = Diagonals { free: grid.free_plane(), gait: self.gait };
        for at in shift.cells(self, grid) {
            for direction in shift.diagonals() {
                let turns = shift.after.is_some() || diagonal.forced_at(direction, at);
                let skew = &mut self.skews[usize::from(direction) / 2];
                let line = skew_line(at.0, at.1, skew.rows, falling(direction));
                let word = &mut skew.words[line * skew.words_across + at.0 / 64];
                let bits = if matches!(shift.direction, E | W) { &mut word.beside } else { &mut word.above };
                *bits = *bits & !(1 << (at.0 % 64)) | u64::from(turns) << (at.0 % 64);
            }
        }
    }

    fn redo(&mut self, grid: &SquareGrid, (x, y): Point, directions: &[u8]) {
        for &direction in directions {
            let bits = self.diagonal_bits(grid, (x, y), direction);
            let skew = &mut self.skews[usize::from(direction) / 2];
            let line = skew_line(x, y, skew.rows, falling(direction));
            skew.set(x, line, bits);
        }
    }

    /// What a diagonal ray that steps in this direction onto a cell inside the rim finds there, as in [`SkewWord`].
    fn diagonal_bits(&self, grid: &SquareGrid, at: Point, direction: u8) -> [bool; 3] {
        let diagonal = Diagonals { free: grid.free_plane(), gait: self.gait };
        let (dx, dy) = STEP[usize::from(direction)];
        let beside = if dx > 0 { self.straight::<E>(at) } else { self.straight::<W>(at) };
        let above = if dy > 0 { self.straight::<S>(at) } else { self.straight::<N>(at) };
        let forced = diagonal.forced_at(direction, at);
        [forced || beside.1, forced || above.1, diagonal.legal_at(direction, at)]
    }

    fn is_jump_point(&self, grid: &SquareGrid, at: Point) -> bool {
        let diagonal = Diagonals { free: grid.free_plane(), gait: self.gait };
        let (x, y) = at;
        let straight = [true, false].iter().any(|&way| self.rows.is_stop(y, x, way) || self.columns.is_stop(x, y, way));
        grid.free_plane().get(x, y)
            && (straight || [NE, SE, SW, NW].iter().any(|&direction| diagonal.forced_at(direction, at)))
    }
}

/// A line into an edit's zone along which rays now end elsewhere.
pub(in crate::search) struct Shift {
    /// Which of the edits' zones that is.
    pub(in crate::search) edit: usize,
    /// The last cell before the zone.
    pub(in crate::search) from: Point,
    pub(in crate::search) direction: u8,
    /// The jump point where such a ray ended before, and ends now.
    pub(in crate::search) before: Option<Point>,
    pub(in crate::search) after: Option<Point>,
}

impl Shift {
    /// The cells from which a straight ray enters the zone: back to the nearest stop.
    pub(in crate::search) fn cells(&self, map: &JumpMap, grid: &SquareGrid) -> Vec<Point> {
        let back = (self.direction + 4) % 8;
        let mut cells = Vec::new();
        let mut at = self.from;
        while grid.free_plane().get(at.0, at.1) {
            cells.push(at);
            if map.stops(at, self.direction) {
                break;
            }
            at = step(at, back, 1);
        }
        cells
    }

    /// The diagonals that have this straight move for a part.
    pub(in crate::search) fn diagonals(&self) -> [u8; 2] {
        [self.direction + 1, (self.direction + 7) % 8]
    }
}

/// The stops of one diagonal direction, its diagonals laid into lines: the cell at column `x` of row `y` is bit `x` of
/// line `x + y`, or `x - y` where they fall, modulo the number of rows. Wrapping is harmless, since the rim stops all.
#[derive(Clone)]
struct Skew {
    words: Vec<SkewWord>,
    words_across: usize,
    rows: usize,
}

/// 64 cells along a diagonal. A ray stops at every cell it may not enter, and where there is something to turn for: a
/// straight jump along the row or the column, or a forced turn, which sets both bits.
#[derive(Copy, Clone, Default)]
struct SkewWord {
    beside: u64,
    above: u64,
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

/// A diagonal to follow in one direction.
pub(in crate::search) struct Diagonal<'a, const DIRECTION: u8> {
    words: &'a [SkewWord],
}

/// Where a diagonal ray stops, and why.
pub(in crate::search) struct Stop {
    /// The column.
    pub(in crate::search) x: usize,
    /// Whether the ray may enter the cell; if not, the rest means nothing.
    pub(in crate::search) legal: bool,
    /// Whether a straight ray along the row finds a jump point.
    pub(in crate::search) beside: bool,
    /// Whether a straight ray along the column finds a jump point.
    pub(in crate::search) above: bool,
}

impl<const DIRECTION: u8> Diagonal<'_, DIRECTION> {
    /// The next stop past column `x`.
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

/// Whether a diagonal direction runs along lines of equal `x - y`.
const fn falling(direction: u8) -> bool {
    matches!(direction, SE | NW)
}

/// The line of a skewed plane that a point lies on.
#[inline(always)]
fn skew_line(x: usize, y: usize, rows: usize, falling: bool) -> usize {
    let line = if falling { x + rows - y } else { x + y };
    // Worlds not much wider than high wrap once at most, which spares the division.
    if line < rows {
        line
    } else if line - rows < rows {
        line - rows
    } else {
        line % rows
    }
}

/// The columns and rows an edit can change stops in, rim counted: its area and one cell around.
#[derive(Copy, Clone)]
pub(in crate::search) struct Zone {
    pub(in crate::search) left: usize,
    pub(in crate::search) top: usize,
    pub(in crate::search) right: usize,
    pub(in crate::search) bottom: usize,
}

impl Zone {
    pub(in crate::search) fn around(Area { x, y, width, height }: Area) -> Zone {
        let (left, top) = (usize::from(x), usize::from(y));
        Zone { left, top, right: left + usize::from(width) + 1, bottom: top + usize::from(height) + 1 }
    }

    /// The part inside the rim.
    pub(in crate::search) fn clipped(self, grid: &SquareGrid) -> Zone {
        Zone {
            left: self.left.max(1),
            top: self.top.max(1),
            right: self.right.min(grid.width()),
            bottom: self.bottom.min(grid.height()),
        }
    }

    /// Grows so that it has this cell.
    pub(in crate::search) fn take_in(&mut self, (x, y): Point) {
        (self.left, self.right) = (self.left.min(x), self.right.max(x));
        (self.top, self.bottom) = (self.top.min(y), self.bottom.max(y));
    }
}

/// A zone inside the rim.
impl From<Zone> for Area {
    fn from(Zone { left, top, right, bottom }: Zone) -> Area {
        let (width, height) = (right - left + 1, bottom - top + 1);
        Area { x: left as u16 - 1, y: top as u16 - 1, width: width as u16, height: height as u16 }
    }
}
