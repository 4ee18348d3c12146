//! Rays to all jump points that a cell leads to, without regard to a goal, in a direction that is given at run time.
//! Also the look-ups that the jump graph and repairs need besides.
//!
//! Not here: the rays of jump point search, which look for the goal on their way.

use super::{JumpMap, Point, falling, skew_line};
use crate::id::NodeId;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, N, NE, NW, S, SE, STEP, SW, W};

/// A jump point that a ray has found.
#[derive(Copy, Clone)]
pub(in crate::search) struct Landing {
    pub(in crate::search) at: Point,
    /// The direction of the last step.
    pub(in crate::search) direction: u8,
    /// The number of straight steps, which come after the diagonal ones.
    pub(in crate::search) straights: usize,
    /// The number of diagonal steps.
    pub(in crate::search) diagonals: usize,
}

impl JumpMap {
    /// Visits the jump points that a ray from a free cell and its branches lead to. Returns the number of steps of a
    /// diagonal ray, or 0 for a straight one.
    #[inline(always)]
    pub(in crate::search) fn ray(
        &self,
        grid: &SquareGrid,
        from: Point,
        direction: u8,
        visit: &mut impl FnMut(Landing),
    ) -> usize {
        match direction {
            N => self.straight_ray::<N>(from, 0, visit),
            NE => return self.diagonal_ray::<NE, E, N>(grid, from, visit),
            E => self.straight_ray::<E>(from, 0, visit),
            SE => return self.diagonal_ray::<SE, E, S>(grid, from, visit),
            S => self.straight_ray::<S>(from, 0, visit),
            SW => return self.diagonal_ray::<SW, W, S>(grid, from, visit),
            W => self.straight_ray::<W>(from, 0, visit),
            _ => return self.diagonal_ray::<NW, W, N>(grid, from, visit),
        }
        0
    }

    /// Visits the jump points that the rays in all directions of `moves` lead to. Returns the numbers of steps of the
    /// diagonal rays to the north-east, south-east, south-west and north-west, 0 for directions that are not in
    /// `moves`.
    #[inline(always)]
    pub(in crate::search) fn rays(
        &self,
        grid: &SquareGrid,
        from: Point,
        moves: u8,
        visit: &mut impl FnMut(Landing),
    ) -> [u16; 4] {
        let may = |direction: u8| moves >> direction & 1 == 1;
        let mut reach = [0; 4];
        if may(N) {
            self.straight_ray::<N>(from, 0, visit);
        }
        if may(NE) {
            reach[0] = self.diagonal_ray::<NE, E, N>(grid, from, visit) as u16;
        }
        if may(E) {
            self.straight_ray::<E>(from, 0, visit);
        }
        if may(SE) {
            reach[1] = self.diagonal_ray::<SE, E, S>(grid, from, visit) as u16;
        }
        if may(S) {
            self.straight_ray::<S>(from, 0, visit);
        }
        if may(SW) {
            reach[2] = self.diagonal_ray::<SW, W, S>(grid, from, visit) as u16;
        }
        if may(W) {
            self.straight_ray::<W>(from, 0, visit);
        }
        if may(NW) {
            reach[3] = self.diagonal_ray::<NW, W, N>(grid, from, visit) as u16;
        }
        reach
    }

    #[inline(always)]
    fn straight_ray<const DIRECTION: u8>(&self, from: Point, diagonals: usize, visit: &mut impl FnMut(Landing)) {
        let (straights, jump) = self.straight::<DIRECTION>(from);
        if jump {
            visit(Landing { at: step(from, DIRECTION, straights), direction: DIRECTION, straights, diagonals });
        }
    }

    #[inline(always)]
    fn diagonal_ray<const DIRECTION: u8, const BESIDE: u8, const ABOVE: u8>(
        &self,
        grid: &SquareGrid,
        from: Point,
        visit: &mut impl FnMut(Landing),
    ) -> usize {
        let diagonal = self.diagonal::<DIRECTION>(from);
        let mut x = from.0;
        loop {
            let stop = diagonal.next_stop(x);
            let count = stop.x.abs_diff(from.0);
            if !stop.legal {
                return count - 1;
            }
            x = stop.x;
            let at = step(from, DIRECTION, count);
            if self.gait.cuts_corners() && forces_turn::<DIRECTION>(grid, at) {
                visit(Landing { at, direction: DIRECTION, straights: 0, diagonals: count });
                return count;
            }
            if stop.beside {
                self.straight_ray::<BESIDE>(at, count, visit);
            }
            if stop.above {
                self.straight_ray::<ABOVE>(at, count, visit);
            }
        }
    }

    /// Returns the jump point where a straight ray ends, or `None` if it ends at a blocked cell.
    pub(in crate::search) fn straight_target(&self, from: Point, direction: u8) -> Option<Point> {
        let (distance, jump) = match direction {
            N => self.straight::<N>(from),
            E => self.straight::<E>(from),
            S => self.straight::<S>(from),
            _ => self.straight::<W>(from),
        };
        jump.then(|| step(from, direction, distance))
    }

    /// Returns whether a straight ray in this direction stops at this point.
    pub(in crate::search) fn stops(&self, (x, y): Point, direction: u8) -> bool {
        match direction {
            N => self.columns.is_stop(x, y, false),
            E => self.rows.is_stop(y, x, true),
            S => self.columns.is_stop(x, y, true),
            _ => self.rows.is_stop(y, x, false),
        }
    }

    /// Returns whether all cells of row `y` between two columns, both included, are free.
    #[inline(always)]
    pub(in crate::search) fn row_is_clear(&self, y: usize, one: usize, other: usize) -> bool {
        self.rows.is_clear(y, one.min(other), one.max(other))
    }

    /// Returns whether all cells of column `x` between two rows, both included, are free.
    #[inline(always)]
    pub(in crate::search) fn column_is_clear(&self, x: usize, one: usize, other: usize) -> bool {
        self.columns.is_clear(x, one.min(other), one.max(other))
    }

    /// Returns the first and last column of the cells from which legal diagonal steps in this direction lead to the
    /// point, the point itself included. Turns that are forced on the way, where a ray would end, are ignored.
    pub(in crate::search) fn behind(&self, (x, y): Point, direction: u8) -> (usize, usize) {
        let skew = &self.skews[usize::from(direction) / 2];
        let line = skew_line(x, y, skew.rows, falling(direction));
        let barred = |index: usize| !skew.words[line * skew.words_across + index].legal;
        if STEP[usize::from(direction)].0 > 0 {
            let (word, bit) = super::last_set(0, x + 1, barred);
            (word * 64 + bit, x)
        } else {
            let (word, bit) = super::next_set(0, x - 1, barred);
            (x, word * 64 + bit)
        }
    }

    /// Returns the line of the skewed planes of a diagonal direction that a point lies on, and whether the direction is
    /// [`falling`].
    pub(in crate::search) fn skew_line(&self, (x, y): Point, direction: u8) -> (usize, bool) {
        (skew_line(x, y, self.skews[0].rows, falling(direction)), falling(direction))
    }

    /// Returns how many jump points lie before this one in its row, or `None` if the point is not a jump point.
    #[inline(always)]
    pub(in crate::search) fn rank_in_row(&self, (x, y): Point) -> Option<usize> {
        self.numbers.rank_in_row(x, y)
    }

    /// Returns the numbers of columns and rows, rim included. Columns are rounded up to a multiple of 64.
    pub(in crate::search) fn size(&self) -> (usize, usize) {
        (self.skews[0].words_across * 64, self.skews[0].rows)
    }

    /// Returns the jump points among 64 cells of row `y`, one bit each.
    pub(in crate::search) fn jumps(&self, across: usize, y: usize) -> u64 {
        self.numbers.word(across, y)
    }
}

/// Returns whether an arrival at this point in this diagonal direction forces a turn. That happens only where corners
/// may be cut.
#[inline(always)]
pub(in crate::search) fn forces_turn<const DIRECTION: u8>(grid: &SquareGrid, (x, y): Point) -> bool {
    let natural = 1u8 << DIRECTION | 1 << ((DIRECTION + 1) % 8) | 1 << ((DIRECTION + 7) % 8);
    let around = grid.around(NodeId((y * (grid.width() + 1) + x) as u32));
    grid.gait().canonical()[usize::from(DIRECTION)][usize::from(around)] & !natural != 0
}

/// Returns the point that lies `count` steps away in this direction.
#[inline(always)]
pub(in crate::search) fn step((x, y): Point, direction: u8, count: usize) -> Point {
    let (dx, dy) = STEP[usize::from(direction)];
    let count = count as isize;
    (x.wrapping_add_signed(dx as isize * count), y.wrapping_add_signed(dy as isize * count))
}
