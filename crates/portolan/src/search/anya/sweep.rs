//! Sweeps: which cells and which borders between rows are visible from a point, row by row, as intervals inside cones.
//!
//! A sweep takes blocked cells as squares without their edges, so that rays may touch corners and run along walls. What a
//! line at any angle may see under every corner rule is therefore seen; what only the corner rule forbids is seen too,
//! except through the point where two blocked cells touch: a ray passes there under [`Corners::Loose`] alone.
//!
//! All positions are in half cells: a cell's middle has two even coordinates, its corners have two odd ones. Slopes are
//! fractions of integers, so that a sweep is exact.
//!
//! Not here: what is done with the cells and borders that are seen.

use crate::id::Cell;
use crate::space::bits::BitPlane;
use crate::space::square::SquareGrid;
use crate::space::{Corners, Directions};

/// A point in half cells: the middle of a cell or the corner of four.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Point {
    pub(super) fn middle(cell: Cell) -> Point {
        Point { x: 2 * i32::from(cell.x), y: 2 * i32::from(cell.y) }
    }

    /// Returns the distance in cells. The root is correctly rounded, so that it is equal on every machine.
    #[inline(always)]
    pub(super) fn distance(self, to: Point) -> f64 {
        let (dx, dy) = (i64::from(self.x - to.x), i64::from(self.y - to.y));
        ((dx * dx + dy * dy) as f64).sqrt() * 0.5
    }
}

/// How far a ray leads across for each half row that it leads away. If `away` is 0, the ray leads along its own row.
#[derive(Copy, Clone, Debug)]
pub(super) struct Slope {
    pub(super) across: i64,
    pub(super) away: i64,
}

impl Slope {
    pub(super) const LEFT: Slope = Slope { across: -1, away: 0 };
    pub(super) const RIGHT: Slope = Slope { across: 1, away: 0 };
    pub(super) const STRAIGHT: Slope = Slope { across: 0, away: 1 };

    #[inline(always)]
    fn is_less(self, other: Slope) -> bool {
        self.across * other.away < other.across * self.away
    }

    #[inline(always)]
    fn max(self, other: Slope) -> Slope {
        if self.is_less(other) { other } else { self }
    }

    #[inline(always)]
    fn min(self, other: Slope) -> Slope {
        if other.is_less(self) { other } else { self }
    }
}

/// The rays from a point between two slopes, both included, all of them upwards or all downwards.
#[derive(Copy, Clone, Debug)]
pub(super) struct Cone {
    /// 1 if the rays lead to rows of greater numbers, −1 if to rows of lower ones.
    pub(super) down: i32,
    pub(super) lo: Slope,
    pub(super) hi: Slope,
}

/// Rays of a sweep that have entered a run of free cells.
#[derive(Copy, Clone)]
pub(super) struct Band {
    row: i32,
    run: Run,
    lo: Slope,
    hi: Slope,
}

/// A longest row of free cells side by side.
#[derive(Copy, Clone)]
pub(super) struct Run {
    first: i32,
    last: i32,
}

impl Run {
    /// Returns the left edge of the run in half cells.
    fn left(self) -> i32 {
        2 * self.first - 1
    }

    fn right(self) -> i32 {
        2 * self.last + 1
    }
}

/// Receives what a sweep sees.
pub(super) trait Viewer {
    /// Receives cells of a row that are visible, from column `first` to column `last`.
    fn cells(&mut self, row: i32, first: i32, last: i32);
    /// Receives a visible part of the border between two rows, in half cells. It may be empty.
    fn border(&mut self, y: i32, first: i32, last: i32);
    /// Returns whether rays are to be followed into these cells of a row.
    fn enters(&self, _row: i32, _first: i32, _last: i32) -> bool {
        true
    }
    /// Returns whether rows this far away, in half cells, are of interest.
    fn reaches(&self, _y: i32) -> bool {
        true
    }
}

/// A world to be swept.
#[derive(Copy, Clone)]
pub(super) struct Sweeper<'a> {
    plane: &'a BitPlane,
    /// Whether rays pass between two blocked cells that touch at a corner.
    pub(super) squeezes: bool,
}

impl<'a> Sweeper<'a> {
    pub(super) fn new(grid: &'a SquareGrid) -> Sweeper<'a> {
        let rules = grid.rules();
        let squeezes = rules.directions == Directions::Eight && rules.corners == Corners::Loose;
        Sweeper { plane: grid.free_plane(), squeezes }
    }

    /// Shows all that is visible from the middle of a free cell.
    pub(super) fn all_around(self, from: Point, stack: &mut Vec<Band>, viewer: &mut impl Viewer) {
        let Some(run) = self.run_at(from.x / 2, from.y / 2) else { return };
        viewer.cells(from.y / 2, run.first, run.last);
        for down in [-1, 1] {
            self.sweep(from, Cone { down, lo: Slope::LEFT, hi: Slope::RIGHT }, stack, viewer);
        }
    }

    /// Shows what is visible of the border on which a corner lies, to one side of the corner: as far as the row in the
    /// direction `down` is free there.
    pub(super) fn along(self, from: Point, down: i32, across: i32, viewer: &mut impl Viewer) {
        let Some(run) = self.run_at((from.x + across).div_euclid(2), (from.y + down).div_euclid(2)) else { return };
        let (first, last) = if across > 0 { (from.x + 1, run.right()) } else { (run.left(), from.x - 1) };
        viewer.border(from.y, first, last);
    }

    /// Shows what is visible from a point inside a cone. The cells beside the point in its own row are left out.
    pub(super) fn sweep(self, from: Point, cone: Cone, stack: &mut Vec<Band>, viewer: &mut impl Viewer) {
        let Cone { down, lo, hi } = cone;
        // The first run is the one that holds the middle, or the one beside the corner.
        let row = if from.y % 2 == 0 { from.y / 2 } else { (from.y + down).div_euclid(2) };
        let (left, right) = (from.x.div_euclid(2), (from.x + 1).div_euclid(2));
        let Some(run) = self.run_at(left, row).or_else(|| self.run_at(right, row)) else { return };
        stack.clear();
        stack.push(Band { row, run, lo, hi });
        while let Some(band) = stack.pop() {
            let away = i64::from((2 * band.row - from.y).abs());
            if away > 0 {
                let at =
                    |slope: Slope, up: i64| across(slope, away, up).map(|x| (i64::from(from.x) + x + up).div_euclid(2));
                let first = at(band.lo, 1).map_or(band.run.first, |x| (x as i32).max(band.run.first));
                let last = at(band.hi, 0).map_or(band.run.last, |x| (x as i32).min(band.run.last));
                if first <= last {
                    viewer.cells(band.row, first, last);
                }
            }
            self.leave(from, down, band, stack, viewer);
        }
    }

    /// Follows the rays of a band to the border of the next row and into the runs there.
    fn leave(self, from: Point, down: i32, band: Band, stack: &mut Vec<Band>, viewer: &mut impl Viewer) {
        let away = i64::from((2 * band.row - from.y).abs()) + 1;
        let y = 2 * band.row + down;
        let to = |x: i32| Slope { across: i64::from(x - from.x), away };
        let lo = band.lo.max(to(band.run.left()));
        let hi = band.hi.min(to(band.run.right()));
        if hi.is_less(lo) || !viewer.reaches(y) {
            return;
        }
        let shifted =
            |slope: Slope, up: i64| across(slope, away, up).expect("a ray that has left its row") as i32 + from.x;
        let (first, last) = (shifted(lo, 1), shifted(hi, 0));
        viewer.border(y, first, last);
        let row = band.row + down;
        // The cells of the next row whose edge the interval meets, be it in a single point.
        let (mut column, most) = ((first - 1).div_euclid(2) + (first - 1).rem_euclid(2), (last + 1).div_euclid(2));
        let entered = column;
        while let Some(run) = self.next_run(column, row).filter(|run| run.first <= most) {
            column = run.last + 2;
            let (left, right) = (run.left().max(band.run.left()), run.right().min(band.run.right()));
            let (lo, hi) = (lo.max(to(run.left())), hi.min(to(run.right())));
            let (entry, exit) = (entered.max(run.first), most.min(run.last));
            if (left < right || self.squeezes && left == right) && !hi.is_less(lo) && viewer.enters(row, entry, exit) {
                stack.push(Band { row, run, lo, hi });
            }
        }
    }

    /// Returns the run that holds this cell, or `None` if the cell is blocked or lies off the grid.
    fn run_at(self, column: i32, row: i32) -> Option<Run> {
        let run = self.next_run(column, row)?;
        (run.first <= column).then_some(run)
    }

    /// Returns the run that holds this cell or, if the cell is blocked, the next one to the right.
    fn next_run(self, column: i32, row: i32) -> Option<Run> {
        if row < -1 || row + 1 >= self.plane.rows() as i32 {
            return None;
        }
        // The plane counts the rim, which is blocked: every run ends before the ends of its row.
        let (words, bit) = (self.plane.row((row + 1) as usize), (column + 1).max(0) as usize);
        let mut word = bit / 64;
        let mut bits = words.get(word)? & u64::MAX << (bit % 64);
        while bits == 0 {
            word += 1;
            bits = *words.get(word)?;
        }
        let found = word * 64 + bits.trailing_zeros() as usize;
        let first = if found == bit { run_start(words, found) } else { found };
        Some(Run { first: first as i32 - 1, last: run_end(words, found) as i32 - 1 })
    }

    /// Returns the free cells around a corner: bits 0 and 1 for the left and right cell above, bits 2 and 3 for those
    /// below.
    pub(super) fn around(self, corner: Point) -> u8 {
        let [above, below] = self.plane.patch::<2, 2>(((corner.x + 1) / 2) as usize, ((corner.y + 1) / 2) as usize);
        (above & 3) as u8 | ((below & 3) as u8) << 2
    }

    /// Calls `visit` for every corner on a part of the border at `y` around which a route can turn, with the free cells
    /// around it, as [`Sweeper::around`] gives them.
    pub(super) fn turning_corners(self, y: i32, first: i32, last: i32, mut visit: impl FnMut(Point, u8)) {
        // Corners have odd coordinates. Their cell to the upper left is counted with the rim here.
        let (mut column, last) = ((first + 2).div_euclid(2), (last + 1).div_euclid(2));
        let row = ((y + 1) / 2) as usize;
        while column <= last {
            let [a, b] = self.plane.patch::<64, 2>(column as usize, row);
            let (a1, b1) = (a >> 1, b >> 1);
            let mut found = a & a1 & (b ^ b1) | (a ^ a1) & b & b1;
            if self.squeezes {
                found |= (a ^ a1) & (b ^ b1) & (a ^ b);
            }
            let count = (last - column + 1).min(63);
            found &= (1 << count) - 1;
            while found != 0 {
                let bit = found.trailing_zeros();
                found &= found - 1;
                let free = (a >> bit & 3) as u8 | ((b >> bit & 3) as u8) << 2;
                visit(Point { x: 2 * (column + bit as i32) - 1, y }, free);
            }
            column += 63;
        }
    }
}

/// Returns how far a ray of this slope leads across on its way `away`, rounded down, or up if `up` is 1. `None` if it leads
/// along its own row.
#[inline(always)]
fn across(slope: Slope, away: i64, up: i64) -> Option<i64> {
    if slope.away == 0 {
        return None;
    }
    let far = slope.across * away;
    Some(if up == 1 { -(-far).div_euclid(slope.away) } else { far.div_euclid(slope.away) })
}

/// Returns the first bit of the run of set bits that holds `bit`. Bit 0 of the row is not set.
fn run_start(words: &[u64], bit: usize) -> usize {
    let mut word = bit / 64;
    let mut clear = !words[word] & !(u64::MAX << (bit % 64));
    while clear == 0 {
        word -= 1;
        clear = !words[word];
    }
    word * 64 + 64 - clear.leading_zeros() as usize
}

/// Returns the last bit of the run of set bits that holds `bit`. The last bit of the row is not set.
fn run_end(words: &[u64], bit: usize) -> usize {
    let mut word = bit / 64;
    let mut clear = !words[word] & u64::MAX << (bit % 64);
    while clear == 0 {
        word += 1;
        clear = !words[word];
    }
    word * 64 + clear.trailing_zeros() as usize - 1
}
