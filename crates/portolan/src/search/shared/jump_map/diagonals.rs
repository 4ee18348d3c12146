//! Diagonal steps, computed for 64 cells at a time: which are legal, and which force a turn. Also the shear, which
//! moves each diagonal of a plane into one row.
//!
//! Not here: stops because of straight rays.

use super::Point;
use crate::space::bits::BitPlane;
use crate::space::square::moves::{Gait, STEP};

/// The diagonal steps of a world. A step is identified by the cell where it arrives and its direction.
pub(super) struct Diagonals<'a> {
    pub(super) free: &'a BitPlane,
    pub(super) gait: Gait,
}

impl Diagonals<'_> {
    /// Returns the cells of word `across` in row `y` onto which a step in this direction is legal.
    pub(super) fn legal(&self, direction: u8, across: usize, y: usize) -> u64 {
        self.legal_with(direction, |dx, dy| self.shifted(across, y, dx, dy))
    }

    /// Returns the cells of word `across` in row `y` where an arrival in this direction forces a turn.
    pub(super) fn forced(&self, direction: u8, across: usize, y: usize) -> u64 {
        self.forced_with(direction, |dx, dy| self.shifted(across, y, dx, dy))
    }

    /// Returns whether a step in this direction onto a cell inside the rim is legal.
    pub(super) fn legal_at(&self, direction: u8, (x, y): Point) -> bool {
        self.legal_with(direction, |dx, dy| self.one(x, y, dx, dy)) & 1 == 1
    }

    /// Returns whether an arrival in this direction at a cell inside the rim forces a turn.
    pub(super) fn forced_at(&self, direction: u8, (x, y): Point) -> bool {
        self.forced_with(direction, |dx, dy| self.one(x, y, dx, dy)) & 1 == 1
    }

    /// Returns a bit for each of up to 64 cells: whether a step in this direction onto the cell is legal. A bit of
    /// `free(dx, dy)` tells whether the cell `dx` columns and `dy` rows away from that cell is free.
    fn legal_with(&self, direction: u8, free: impl Fn(i32, i32) -> u64) -> u64 {
        let (dx, dy) = STEP[usize::from(direction)];
        let sides = match self.gait {
            Gait::Four => 0,
            Gait::Strict => free(-dx, 0) & free(0, -dy),
            Gait::NoSqueeze => free(-dx, 0) | free(0, -dy),
            Gait::Loose => u64::MAX,
        };
        free(0, 0) & free(-dx, -dy) & sides
    }

    /// Returns a bit for each of up to 64 cells: whether an arrival in this direction forces a turn. `free` is as in
    /// `legal_with`.
    fn forced_with(&self, direction: u8, free: impl Fn(i32, i32) -> u64) -> u64 {
        if matches!(self.gait, Gait::Strict | Gait::Four) {
            // `Strict`: both cells beside a legal diagonal step are free, and through them every cell that a turn could
            // lead to is reached at no more cost. `Four`: there are no diagonal steps.
            return 0;
        }
        let (dx, dy) = STEP[usize::from(direction)];
        let mut over_x = !free(-dx, 0) & free(-dx, dy);
        let mut over_y = !free(0, -dy) & free(dx, -dy);
        if self.gait == Gait::NoSqueeze {
            over_x &= free(0, dy);
            over_y &= free(dx, 0);
        }
        self.legal_with(direction, &free) & (over_x | over_y)
    }

    /// Returns a word of free bits: bit `i` tells whether the cell `dx` columns and `dy` rows away from cell `i` of
    /// word `across` in row `y` is free.
    fn shifted(&self, across: usize, y: usize, dx: i32, dy: i32) -> u64 {
        let y = y as i64 + i64::from(dy);
        if y < 0 || y >= self.free.rows() as i64 {
            return 0;
        }
        let row = self.free.row(y as usize);
        match dx {
            0 => row[across],
            1 => row[across] >> 1 | row.get(across + 1).map_or(0, |next| next << 63),
            _ => row[across] << 1 | if across > 0 { row[across - 1] >> 63 } else { 0 },
        }
    }

    /// Returns 1 if the cell `dx` columns and `dy` rows away from a cell inside the rim is free, else 0.
    fn one(&self, x: usize, y: usize, dx: i32, dy: i32) -> u64 {
        u64::from(self.free.get(x.wrapping_add_signed(dx as isize), y.wrapping_add_signed(dy as isize)))
    }
}

/// Returns a plane in which each diagonal of `plane` lies in one row: the bit at column `x` of row `y` moves to column
/// `x` of row `x + y`, or of row `x - y` if `falling`, modulo the number of rows.
pub(in crate::search) fn shear(plane: &BitPlane, falling: bool) -> BitPlane {
    let rows = plane.rows();
    let mut sheared = BitPlane::new(plane.words_across() * 64, rows);
    for top in (0..rows).step_by(64) {
        for across in 0..plane.words_across() {
            let mut block = [0u64; 128];
            for i in 0..64.min(rows - top) {
                block[if falling { 63 - i } else { i }] = plane.word(across, top + i);
            }
            shear_block(&mut block);
            let first = if falling {
                // The block is upside down: its row 0 is row `top + 63` of the plane.
                (across * 64) as i64 - (top + 63) as i64
            } else {
                (across * 64 + top) as i64
            };
            for (i, &word) in block.iter().enumerate() {
                if word != 0 {
                    let line = (first + i as i64).rem_euclid(rows as i64) as usize;
                    *sheared.word_mut(across, line) |= word;
                }
            }
        }
    }
    sheared
}

/// Moves bit `b` of every row `b` rows further, in six passes: pass `power` moves all bits whose position `b` contains
/// 2^`power` in binary by 2^`power` rows.
fn shear_block(block: &mut [u64; 128]) {
    const MOVING: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    for (power, moving) in MOVING.into_iter().enumerate() {
        let distance = 1 << power;
        for i in (0..128).rev() {
            let arriving = if i >= distance { block[i - distance] & moving } else { 0 };
            block[i] = block[i] & !moving | arriving;
        }
    }
}
