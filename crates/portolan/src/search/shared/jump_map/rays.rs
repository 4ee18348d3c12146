//! Rays by direction, for those who want every jump point that a place leads to rather than a goal.

use super::{JumpMap, Point, falling, skew_line};
use crate::id::NodeId;
use crate::world::moves::{E, N, NE, NW, S, SE, STEP, SW, W};
use crate::world::square::SquareGrid;

/// A jump point found: where, by which last move, and how many steps of each kind away.
#[derive(Copy, Clone)]
pub(in crate::search) struct Landing {
    pub(in crate::search) at: Point,
    pub(in crate::search) direction: u8,
    pub(in crate::search) straights: usize,
    pub(in crate::search) diagonals: usize,
}

impl JumpMap {
    /// Visits the jump points that a ray from a free cell leads to. A diagonal ray tells how many steps it took.
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

    /// Visits the jump points that all rays among these moves lead to; tells how many steps the diagonal ones took:
    /// north-east, south-east, south-west, north-west.
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

    /// The jump point that a straight ray ends at, if it does.
    pub(in crate::search) fn straight_target(&self, from: Point, direction: u8) -> Option<Point> {
        let (distance, jump) = match direction {
            N => self.straight::<N>(from),
            E => self.straight::<E>(from),
            S => self.straight::<S>(from),
            _ => self.straight::<W>(from),
        };
        jump.then(|| step(from, direction, distance))
    }

    /// Whether a straight ray in this direction stops here.
    pub(in crate::search) fn stops(&self, (x, y): Point, direction: u8) -> bool {
        match direction {
            N => self.columns.is_stop(x, y, false),
            E => self.rows.is_stop(y, x, true),
            S => self.columns.is_stop(x, y, true),
            _ => self.rows.is_stop(y, x, false),
        }
    }

    /// Whether all cells from one to another in the same row are free.
    #[inline(always)]
    pub(in crate::search) fn row_is_clear(&self, y: usize, one: usize, other: usize) -> bool {
        self.rows.is_clear(y, one.min(other), one.max(other))
    }

    /// Whether all cells from one to another in the same column are free.
    #[inline(always)]
    pub(in crate::search) fn column_is_clear(&self, x: usize, one: usize, other: usize) -> bool {
        self.columns.is_clear(x, one.min(other), one.max(other))
    }

    /// The columns of the cells that lie behind a point on its diagonal, itself included, from which a ray in this
    /// direction gets to it, turns that end it on the way not counted.
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

    /// The line of a skewed plane that a point lies on, and whether its diagonals fall.
    pub(in crate::search) fn skew_line(&self, (x, y): Point, direction: u8) -> (usize, bool) {
        (skew_line(x, y, self.skews[0].rows, falling(direction)), falling(direction))
    }

    /// How many jump points lie before this one in its row; `None` if it is none.
    #[inline(always)]
    pub(in crate::search) fn rank_in_row(&self, (x, y): Point) -> Option<usize> {
        self.numbers.rank_in_row(x, y)
    }

    /// Columns and rows, rim included; columns rounded up to words of 64.
    pub(in crate::search) fn size(&self) -> (usize, usize) {
        (self.skews[0].words_across * 64, self.skews[0].rows)
    }

    /// The jump points among 64 cells of a row.
    pub(in crate::search) fn jumps(&self, across: usize, y: usize) -> u64 {
        self.numbers.word(across, y)
    }
}

/// Whether arriving here diagonally forces a turn, as it can where corners may be cut.
#[inline(always)]
pub(in crate::search) fn forces_turn<const DIRECTION: u8>(grid: &SquareGrid, (x, y): Point) -> bool {
    let natural = 1u8 << DIRECTION | 1 << ((DIRECTION + 1) % 8) | 1 << ((DIRECTION + 7) % 8);
    let around = grid.around(NodeId((y * (grid.width() + 1) + x) as u32));
    grid.gait().canonical()[usize::from(DIRECTION)][usize::from(around)] & !natural != 0
}

/// The point so many steps away.
#[inline(always)]
pub(in crate::search) fn step((x, y): Point, direction: u8, count: usize) -> Point {
    let (dx, dy) = STEP[usize::from(direction)];
    let count = count as isize;
    (x.wrapping_add_signed(dx as isize * count), y.wrapping_add_signed(dy as isize * count))
}
