//! Tables of where directions lead inside a block of four quarters, and out of it. Quarters are numbered row by row: 0
//! is north-west, 1 north-east, 2 south-west, 3 south-east.

use super::layers::{OWN, Side};
use crate::space::square::moves::STEP;

/// By quarter: the sides of the block that it lies at, one bit each.
pub(super) const OUTER: [u8; 4] = {
    let [n, e, s, w] = [1 << Side::North as u8, 1 << Side::East as u8, 1 << Side::South as u8, 1 << Side::West as u8];
    [n | w, n | e, s | w, s | e]
};

/// By quarter: the directions that do not leave its block, one bit each. These lead to another quarter or, as `OWN`,
/// stay in this one.
pub(super) const INSIDE: [u16; 4] = {
    let mut table = [1 << OWN; 4];
    let mut quarter = 0;
    while quarter < 4 {
        let mut direction = 0;
        while direction < 8 {
            if BESIDE[quarter][direction] != NOWHERE {
                table[quarter] |= 1 << direction;
            }
            direction += 1;
        }
        quarter += 1;
    }
    table
};

/// Returns the column and row that a step in a direction from a quarter leads to, counted in quarters from the
/// north-west corner of its block. Both are 0 or 1 inside the block.
const fn beyond(quarter: usize, direction: usize) -> (i32, i32) {
    let (dx, dy) = STEP[direction];
    (quarter as i32 % 2 + dx, quarter as i32 / 2 + dy)
}

/// A sentinel for "no quarter of this block".
const NOWHERE: usize = 4;

/// By quarter and direction: the quarter of its block that lies there, or `NOWHERE` if the direction leads out of the
/// block.
pub(super) const BESIDE: [[usize; 8]; 4] = {
    let mut table = [[NOWHERE; 8]; 4];
    let mut quarter = 0;
    while quarter < 4 {
        let mut direction = 0;
        while direction < 8 {
            let (x, y) = beyond(quarter, direction);
            if x >= 0 && x < 2 && y >= 0 && y < 2 {
                table[quarter][direction] = (2 * y + x) as usize;
            }
            direction += 1;
        }
        quarter += 1;
    }
    table
};

/// By quarter and direction of a step: the direction from the quarter's block to the block that the step leads into. It
/// is `OWN` if the step stays in the block.
pub(super) const ABOVE: [[usize; 9]; 4] = {
    let mut table = [[OWN; 9]; 4];
    let mut quarter = 0;
    while quarter < 4 {
        let mut direction = 0;
        while direction < 8 {
            let (x, y) = beyond(quarter, direction);
            let step = (if x < 0 { -1 } else { x / 2 }, if y < 0 { -1 } else { y / 2 });
            let mut above = 0;
            while above < 8 {
                if STEP[above].0 == step.0 && STEP[above].1 == step.1 {
                    table[quarter][direction] = above;
                }
                above += 1;
            }
            direction += 1;
        }
        quarter += 1;
    }
    table
};
