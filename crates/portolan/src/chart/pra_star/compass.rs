//! Directions inside and between blocks of four quarters.

use super::layers::{OWN, Side};
use crate::world::moves::STEP;

/// The sides of a block that each quarter of it lies at.
pub(super) const OUTER: [u8; 4] = {
    let [n, e, s, w] = [1 << Side::North as u8, 1 << Side::East as u8, 1 << Side::South as u8, 1 << Side::West as u8];
    [n | w, n | e, s | w, s | e]
};

/// The directions that lead from a quarter to another of the same block, or nowhere.
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

/// Where a step in a direction from a quarter leads, in quarters from the corner of its block.
const fn beyond(quarter: usize, direction: usize) -> (i32, i32) {
    let (dx, dy) = STEP[direction];
    (quarter as i32 % 2 + dx, quarter as i32 / 2 + dy)
}

/// No quarter of the same block.
const NOWHERE: usize = 4;

/// The quarter of the same block that lies in a direction from a quarter.
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

/// The direction in which the block lies that a step in a direction from a quarter leads to.
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
