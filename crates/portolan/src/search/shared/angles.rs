//! Ranges of angles: the directions around a cell in which everything is free as far as another cell, passed on from cell to
//! cell, so that a check of sight takes constant time.
//!
//! All directions of a range are free up to the ring of cells around the parent on which a cell lies: the cells whose
//! greater distance, across or down, is that of the cell. A line to the next ring crosses no other cells than those of
//! this ring. So a range is passed on by cutting off what the blocked cells of the next ring hide, and as a range never
//! reaches farther than [`REACH`] cells along the ring, that takes a fixed number of looks.
//!
//! Not here: the search.

use crate::id::Cell;
use crate::space::square::SquareGrid;
use crate::space::{Corners, Directions};

/// How many cells along a ring a range reaches at most, to each side of its cell. More would find more cells in sight, and
/// take longer for each.
const REACH: i32 = 2;

/// A direction, in half cells.
type Direction = (i32, i32);

/// The directions between two others, around the direction to a cell. If it is empty, both ends are (0, 0).
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct AngleRange {
    lo: Direction,
    hi: Direction,
}

fn cross(a: Direction, b: Direction) -> i64 {
    i64::from(a.0) * i64::from(b.1) - i64::from(a.1) * i64::from(b.0)
}

/// Whether lines may touch the corners of blocked cells, and whether they may where two blocked cells touch.
#[derive(Copy, Clone)]
pub(super) struct Touch {
    corners: bool,
    squeezes: bool,
}

impl Touch {
    pub(super) fn of(grid: &SquareGrid) -> Touch {
        let (eight, corners) = (grid.rules().directions == Directions::Eight, grid.rules().corners);
        Touch { corners: eight && corners != Corners::Strict, squeezes: eight && corners == Corners::Loose }
    }
}

impl AngleRange {
    const EMPTY: AngleRange = AngleRange { lo: (0, 0), hi: (0, 0) };

    pub(super) fn is_empty(self) -> bool {
        self == AngleRange::EMPTY
    }

    /// Returns whether a direction lies in the range.
    fn holds(self, direction: Direction, touch: Touch) -> bool {
        let (above, below) = (cross(self.lo, direction), cross(direction, self.hi));
        if !touch.corners {
            return above > 0 && below > 0;
        }
        // A single direction may lead between two blocked cells that touch.
        let is_single = cross(self.lo, self.hi) == 0 && above == 0 && below == 0;
        above >= 0 && below >= 0 && !self.is_empty() && (touch.squeezes || !is_single)
    }

    /// Returns the range of a neighbour of the parent.
    pub(super) fn of_neighbour(grid: &SquareGrid, touch: Touch, parent: Cell, to: Cell) -> AngleRange {
        let towards = between(parent, to);
        AngleRange::around(towards).without_hidden(grid, touch, parent, towards)
    }

    /// Returns the range of a neighbour `to` of `cell`, which has this range around the same parent. It is empty if `to` is
    /// not known to be in sight of the parent.
    pub(super) fn passed_on(self, grid: &SquareGrid, touch: Touch, parent: Cell, cell: Cell, to: Cell) -> AngleRange {
        let (here, towards) = (between(parent, cell), between(parent, to));
        if !self.holds(towards, touch) {
            return AngleRange::EMPTY;
        }
        let around = AngleRange::around(towards);
        let lo = if cross(around.lo, self.lo) > 0 { self.lo } else { around.lo };
        let hi = if cross(self.hi, around.hi) > 0 { self.hi } else { around.hi };
        let range = AngleRange { lo, hi };
        if ring(towards) > ring(here) { range.without_hidden(grid, touch, parent, towards) } else { range }
    }

    /// Returns all directions that one of two ranges around the same cell holds.
    pub(super) fn joined(self, other: AngleRange) -> AngleRange {
        if self.is_empty() || other.is_empty() {
            return if self.is_empty() { other } else { self };
        }
        let lo = if cross(self.lo, other.lo) > 0 { self.lo } else { other.lo };
        let hi = if cross(self.hi, other.hi) > 0 { other.hi } else { self.hi };
        AngleRange { lo, hi }
    }

    /// Returns the directions to the cells within reach of a cell on its ring.
    fn around(towards: Direction) -> AngleRange {
        let (mut lo, mut hi) = (towards, towards);
        for _ in 0..REACH {
            (lo, hi) = (before(lo), after(hi));
        }
        AngleRange { lo, hi }
    }

    /// Cuts off what the blocked cells on the ring of a cell hide.
    fn without_hidden(self, grid: &SquareGrid, touch: Touch, parent: Cell, towards: Direction) -> AngleRange {
        let is_blocked = |at: Direction| !grid.is_free(parent.shifted((at.0 / 2, at.1 / 2)));
        let (mut low, mut high) = (towards, towards);
        let mut range = self;
        for _ in 0..=REACH {
            (low, high) = (before(low), after(high));
            if is_blocked(low) {
                let edge = corners(low).into_iter().reduce(|a, b| if cross(a, b) > 0 { b } else { a }).unwrap_or(low);
                range.lo = if cross(range.lo, edge) > 0 { edge } else { range.lo };
            }
            if is_blocked(high) {
                let edge = corners(high).into_iter().reduce(|a, b| if cross(a, b) > 0 { a } else { b }).unwrap_or(high);
                range.hi = if cross(edge, range.hi) > 0 { edge } else { range.hi };
            }
        }
        if range.holds(towards, touch) { range } else { AngleRange::EMPTY }
    }
}

/// Returns the direction from one cell to another.
fn between(from: Cell, to: Cell) -> Direction {
    (2 * (i32::from(to.x) - i32::from(from.x)), 2 * (i32::from(to.y) - i32::from(from.y)))
}

/// Returns the number of the ring on which a cell lies, in half cells.
fn ring((x, y): Direction) -> i32 {
    x.abs().max(y.abs())
}

/// Returns the next cell on a ring, in the direction from across to down.
fn after((x, y): Direction) -> Direction {
    let far = ring((x, y));
    match () {
        () if x == far && y < far => (x, y + 2),
        () if y == far && x > -far => (x - 2, y),
        () if x == -far && y > -far => (x, y - 2),
        () => (x + 2, y),
    }
}

/// Returns the cell before on a ring.
fn before((x, y): Direction) -> Direction {
    let (x, y) = after((x, -y));
    (x, -y)
}

/// Returns the corners of the cell in a direction.
fn corners((x, y): Direction) -> [Direction; 4] {
    [(x - 1, y - 1), (x + 1, y - 1), (x + 1, y + 1), (x - 1, y + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::space::Rules;

    /// Follows random chains of neighbours around a cell, passing a range on. Whatever the range allows is in sight. The
    /// converse is not true: a chain that leads along a ring leaves the reach of its range.
    #[test]
    fn what_a_range_allows_is_in_sight() {
        let mut random = Random::new(11);
        let mut allowed = 0;
        for round in 0..3000 {
            let corners = Corners::NAMED[round % 3].1;
            let percent = random.below(40);
            let weights: Vec<u8> = (0..16 * 16).map(|_| u8::from(random.below(100) >= percent)).collect();
            let grid = SquareGrid::from_weights(16, 16, &weights, Rules { corners, ..Rules::default() }).unwrap();
            let touch = Touch::of(&grid);
            let parent = Cell::new(random.below(16) as u16, random.below(16) as u16);
            let mut chain: Option<(Cell, AngleRange)> = None;
            for _ in 0..40 {
                let at = chain.map_or(parent, |(cell, _)| cell);
                let to = at.shifted((random.below(3) as i32 - 1, random.below(3) as i32 - 1));
                if to == at || to == parent || !grid.is_free(at) || grid.step_cost(at, to).is_none() {
                    continue;
                }
                let range = match chain {
                    None => AngleRange::of_neighbour(&grid, touch, parent, to),
                    Some((cell, range)) => range.passed_on(&grid, touch, parent, cell, to),
                };
                let in_sight = grid.in_sight(parent, to);
                assert!(range.is_empty() || in_sight, "{parent} to {to} by {at} under {corners:?}, round {round}");
                if !range.is_empty() {
                    allowed += 1;
                    chain = Some((to, range));
                }
            }
        }
        assert!(allowed > 20_000, "{allowed} lines are too few to learn from");
    }
}
