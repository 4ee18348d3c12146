//! Squares in flat arrays: sixteen bits a cell, which say where a body can go from there.
//!
//! Not here: other ground, and agents.

use super::whole::{Vector, along, length, minus, plus};
use portolan::{Cell, SquareGrid};

/// A grid of squares. A cell is [`FlatSquares::CELL`] steps wide, and the first one begins at 0.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FlatSquares {
    /// How many cells a row has.
    pub width: u32,
    /// How many rows there are.
    pub height: u32,
    /// For each cell: bits 0 to 3 tell which of the cells to the right, below, to the left and above are free, bits 4 to 7 over
    /// which corners (right below, left below, left above, right above) a walk can lead, bits 8 to 11 which cells beyond these
    /// corners are free, and bit 12 whether the cell is free.
    pub cells: Vec<u16>,
}

/// The bit of a cell that is free.
const FREE: u32 = 12;

impl FlatSquares {
    /// The steps of a cell.
    pub const CELL: i32 = 1 << FlatSquares::BITS;

    /// How many bits of a coordinate tell the place in the cell.
    pub const BITS: u32 = 12;

    /// No walk is looked at whose coordinates differ by this many steps.
    pub const FARTHEST: i32 = 1 << 16;

    /// Lays out a grid.
    pub fn new(grid: &SquareGrid) -> FlatSquares {
        let (width, height) = (grid.width(), grid.height());
        let at = |x: i32, y: i32| Some(Cell::new(u16::try_from(x).ok()?, u16::try_from(y).ok()?));
        let is_free = |x: i32, y: i32| at(x, y).is_some_and(|cell| grid.contains(cell) && grid.is_free(cell));
        let mut cells = vec![0; width * height];
        for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
            let (x, y) = (i32::from(cell.x), i32::from(cell.y));
            let mut bits = 1 << FREE;
            for (number, (right, down)) in [(1, 0), (0, 1), (-1, 0), (0, -1)].into_iter().enumerate() {
                bits |= u16::from(is_free(x + right, y + down)) << number;
            }
            for (number, (right, down)) in [(1, 1), (-1, 1), (-1, -1), (1, -1)].into_iter().enumerate() {
                if !is_free(x + right, y + down) {
                    continue;
                }
                let is_open = is_free(x + right, y) && is_free(x, y + down);
                let is_step = || at(x + right, y + down).is_some_and(|to| grid.step_cost(cell, to).is_some());
                bits |= u16::from(is_open || is_step()) << (4 + number) | 1 << (8 + number);
            }
            cells[cell.y as usize * width + cell.x as usize] = bits;
        }
        FlatSquares { width: width as u32, height: height as u32, cells }
    }

    /// Returns the middle of a cell.
    pub fn middle(cell: Cell) -> [i32; 2] {
        [cell.x, cell.y].map(|at| (i32::from(at) << Self::BITS) + Self::CELL / 2)
    }

    /// Returns whether a point lies in a free cell.
    pub fn is_free(&self, at: [i32; 2]) -> bool {
        let [x, y] = at.map(|at| at >> Self::BITS);
        let is_on = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
        is_on && self.has(x, y, FREE)
    }

    /// Returns whether a bit of a cell is set.
    fn has(&self, x: i32, y: i32, bit: u32) -> bool {
        self.cells[(y * self.width as i32 + x) as usize] >> bit & 1 == 1
    }

    /// Returns whether a straight walk from a free point leads over free cells alone. A walk exactly over a corner needs a legal
    /// step there.
    pub(super) fn sees(&self, from: Vector, to: Vector) -> bool {
        let [dx, dy] = minus(to, from);
        if dx.abs() >= Self::FARTHEST || dy.abs() >= Self::FARTHEST {
            return false;
        }
        let [mut x, mut y] = from.map(|at| at >> Self::BITS);
        let [end_x, end_y] = to.map(|at| at >> Self::BITS);
        let (right, down) = (i32::from(dx > 0), i32::from(dy > 0));
        let corner = if down == 1 { 5 - right } else { 6 + right };
        // How far it is to the next sides of cells. A side is crossed the earlier, the smaller its product is.
        let to_side = |at: i32, cell: i32, ahead: i32| (((cell + ahead) << Self::BITS) - at).unsigned_abs();
        let (mut next_x, mut next_y) = (to_side(from[0], x, right), to_side(from[1], y, down));
        while x != end_x || y != end_y {
            let (first, second) = (next_x.wrapping_mul(dy.unsigned_abs()), next_y.wrapping_mul(dx.unsigned_abs()));
            let goes_x = x != end_x && (y == end_y || first <= second);
            let goes_y = y != end_y && (x == end_x || second <= first);
            let bit = match (goes_x, goes_y) {
                (true, true) => corner as u32,
                (true, false) => 2 - 2 * right as u32,
                _ => 3 - 2 * down as u32,
            };
            if !self.has(x, y, bit) {
                return false;
            }
            if goes_x {
                (x, next_x) = (x + 2 * right - 1, next_x + Self::CELL as u32);
            }
            if goes_y {
                (y, next_y) = (y + 2 * down - 1, next_y + Self::CELL as u32);
            }
        }
        true
    }

    /// Returns a point of the same cell that lies at least a radius off the blocked cells around, if `most` suffices.
    pub(super) fn keep_off(&self, at: Vector, radius: i32, most: i32) -> Vector {
        let [x, y] = at.map(|at| at >> Self::BITS);
        let [left, top] = [x << Self::BITS, y << Self::BITS];
        let [right, bottom] = [left + Self::CELL, top + Self::CELL];
        let mut kept = at;
        for (number, corner) in [[right, bottom], [left, bottom], [left, top], [right, top]].into_iter().enumerate() {
            let off = minus(at, corner);
            let is_near = off[0].abs() < radius && off[1].abs() < radius;
            if is_near && !self.has(x, y, 8 + number as u32) && length(off) < radius {
                kept = plus(corner, along(off, radius));
            }
        }
        let room = |bit: u32| if self.has(x, y, bit) { 0 } else { radius };
        let kept =
            [kept[0].clamp(left + room(2), right - 1 - room(0)), kept[1].clamp(top + room(3), bottom - 1 - room(1))];
        let limited = |kept: i32, at: i32| at + (kept - at).clamp(-most, most);
        [limited(kept[0], at[0]), limited(kept[1], at[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::{Corners, Rules};

    fn middle(x: u16, y: u16) -> Vector {
        FlatSquares::middle(Cell::new(x, y))
    }

    #[test]
    fn walks_see_what_stands_in_their_way() {
        let weights = [1, 1, 1, 1, 0, 1, 1, 1, 0];
        let squares = FlatSquares::new(&SquareGrid::from_weights(3, 3, &weights, Rules::default()).expect("sound"));
        assert!(squares.sees(middle(0, 0), middle(2, 0)));
        assert!(!squares.sees(middle(0, 0), middle(2, 1)));
        assert!(!squares.sees(middle(0, 1), middle(2, 1)));
        assert!(!squares.sees(middle(1, 0), [5000, -1]) && !squares.sees(middle(2, 0), [3 * 4096, 2048]));
        assert!(squares.sees(middle(0, 0), [0, 3 * 4096 - 1]) && !squares.sees(middle(0, 2), [4096, 4096]));
        assert!(squares.is_free(middle(0, 2)) && !squares.is_free(middle(1, 1)) && !squares.is_free([-1, 0]));
    }

    #[test]
    fn walks_over_corners_follow_the_rules() {
        let weights = [1, 0, 0, 1];
        for (corners, is_seen) in [(Corners::Loose, true), (Corners::Strict, false)] {
            let rules = Rules { corners, ..Rules::default() };
            let squares = FlatSquares::new(&SquareGrid::from_weights(2, 2, &weights, rules).expect("sound"));
            assert_eq!(squares.sees(middle(0, 0), middle(1, 1)), is_seen);
            assert_eq!(squares.sees(middle(1, 1), middle(0, 0)), is_seen);
        }
    }

    #[test]
    fn bodies_keep_off_walls_and_corners() {
        let weights = [1, 1, 1, 0];
        let squares = FlatSquares::new(&SquareGrid::from_weights(2, 2, &weights, Rules::default()).expect("sound"));
        assert_eq!(squares.keep_off([0, 0], 1000, 5000), [1000, 1000]);
        assert_eq!(squares.keep_off([0, 0], 1000, 10), [10, 10]);
        let off = minus(squares.keep_off([4000, 4000], 1000, 5000), [4096, 4096]);
        assert!((length(off) - 1000).abs() <= 2, "{off:?}");
        assert_eq!(squares.keep_off([4090, 2000], 1000, 5000), [4090, 2000]);
    }
}
