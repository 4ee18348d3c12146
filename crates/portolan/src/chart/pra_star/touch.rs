//! Which blocks touch, one bit each. Two blocks touch if a step leads from one into the other. Computed here are the
//! directions in which a block touches the blocks around it, and the pairs of its own quarters that touch. If a block
//! and those it touches have one node each, its edges are exactly these directions.

use super::compass::{ABOVE, BESIDE};
use super::layers::{Layers, OWN};
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, Gait, N, NE, NW, S, SE, SW, W};

/// All pairs of quarters of a block. A set of pairs has one bit for each, in this order.
pub(super) const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// What follows for a block from the directions in which one of its quarters touches others. The tables are indexed by
/// quarter and by a set of directions, one bit each.
struct BlockTouch {
    /// By the directions in which the quarter touches others: the directions in which the block does.
    outward: [[u8; 256]; 4],
    /// By the directions in which the quarter touches others: the pairs that touch and have this quarter first.
    pairs: [[u8; 256]; 4],
    /// By directions from the block: the directions from the quarter that lead out of the block in one of them.
    led: [[u8; 256]; 4],
}

static RISE: BlockTouch = {
    let mut rise = BlockTouch { outward: [[0; 256]; 4], pairs: [[0; 256]; 4], led: [[0; 256]; 4] };
    let mut at = 0;
    while at < 4 * 256 * 8 {
        let (quarter, directions, direction) = (at / 2048, at / 8 % 256, at % 8);
        if ABOVE[quarter][direction] != OWN && directions >> ABOVE[quarter][direction] & 1 == 1 {
            rise.led[quarter][directions] |= 1 << direction;
        }
        if directions >> direction & 1 == 1 {
            if ABOVE[quarter][direction] != OWN {
                rise.outward[quarter][directions] |= 1 << ABOVE[quarter][direction];
            }
            let mut pair = 0;
            while pair < PAIRS.len() {
                if PAIRS[pair].0 == quarter && PAIRS[pair].1 == BESIDE[quarter][direction] {
                    rise.pairs[quarter][directions] |= 1 << pair;
                }
                pair += 1;
            }
        }
        at += 1;
    }
    rise
};

/// Returns the directions from a quarter that lead out of its block in one of `directions`, one bit each.
#[inline(always)]
pub(super) fn led_from(quarter: usize, directions: u8) -> u8 {
    RISE.led[quarter][usize::from(directions)]
}

impl Layers {
    /// Returns the directions in which a block touches others, one bit each.
    #[inline]
    pub(super) fn outward(&self, grid: &SquareGrid, level: usize, place: (usize, usize)) -> u8 {
        if level == 0 { Window::new(grid, place).outward() } else { self.rise(level, place, &RISE.outward) }
    }

    /// Returns the pairs of quarters of a block that touch, one bit each in the order of [`PAIRS`].
    #[inline]
    pub(super) fn pairs(&self, grid: &SquareGrid, level: usize, place: (usize, usize)) -> u8 {
        if level == 0 { Window::new(grid, place).pairs() } else { self.rise(level, place, &RISE.pairs) }
    }

    #[inline]
    fn rise(&self, level: usize, (x, y): (usize, usize), table: &[[u8; 256]; 4]) -> u8 {
        let below = &self.upper[level - 1];
        let at = below.plan.at(2 * x, 2 * y);
        let of = |quarter: usize, direction: usize| {
            table[quarter][usize::from(below.touch[below.plan.beside(at, direction)])]
        };
        of(0, OWN) | of(1, E.into()) | of(2, S.into()) | of(3, SE.into())
    }
}

/// The steps among the 4 × 4 cells of a block of layer 2 and the rim of cells around it. Each row is a byte. A bit says
/// that a step leads from its cell to the next cell in the direction of the field.
struct Window {
    east: u64,
    south: u64,
    south_east: u64,
    south_west: u64,
}

/// Returns the bits of the cells in columns `x0` to `x1` and rows `y0` to `y1` of a window, both ends included.
const fn at(x0: u32, x1: u32, y0: u32, y1: u32) -> u64 {
    let (mut bits, mut y) = (0, y0);
    while y <= y1 {
        bits |= ((1 << (x1 + 1)) - (1 << x0)) << (8 * y);
        y += 1;
    }
    bits
}

impl Window {
    #[inline]
    fn new(grid: &SquareGrid, (x, y): (usize, usize)) -> Window {
        let mut free = 0;
        for (row, bits) in grid.free_plane().patch::<6, 6>(4 * x, 4 * y).into_iter().enumerate() {
            free |= (bits & 0x3f) << (8 * row);
        }
        let (east, south, west) = (free >> 1, free >> 8, free << 1);
        let passes = |one: u64, other: u64| match grid.gait() {
            Gait::Four => 0,
            Gait::Strict => one & other,
            Gait::NoSqueeze => one | other,
            Gait::Loose => u64::MAX,
        };
        Window {
            east: free & east,
            south: free & south,
            south_east: free & free >> 9 & passes(east, south),
            south_west: free & free >> 7 & passes(west, south),
        }
    }

    /// Returns whether at least one of some steps is legal. The arguments are the cells that these start from, by
    /// direction.
    #[inline(always)]
    fn any(&self, east: u64, south: u64, south_east: u64, south_west: u64) -> bool {
        (self.east & east) | (self.south & south) | (self.south_east & south_east) | (self.south_west & south_west) != 0
    }

    #[inline]
    fn outward(&self) -> u8 {
        let steps = |direction: u8, any: bool| u8::from(any) << direction;
        steps(N, self.any(0, at(1, 4, 0, 0), at(1, 3, 0, 0), at(2, 4, 0, 0)))
            | steps(NE, self.any(0, 0, 0, at(5, 5, 0, 0)))
            | steps(E, self.any(at(4, 4, 1, 4), 0, at(4, 4, 1, 3), at(5, 5, 1, 3)))
            | steps(SE, self.any(0, 0, at(4, 4, 4, 4), 0))
            | steps(S, self.any(0, at(1, 4, 4, 4), at(1, 3, 4, 4), at(2, 4, 4, 4)))
            | steps(SW, self.any(0, 0, 0, at(1, 1, 4, 4)))
            | steps(W, self.any(at(0, 0, 1, 4), 0, at(0, 0, 1, 3), at(1, 1, 1, 3)))
            | steps(NW, self.any(0, 0, at(0, 0, 0, 0), 0))
    }

    #[inline]
    fn pairs(&self) -> u8 {
        let touch = |pair: usize, any: bool| u8::from(any) << pair;
        touch(0, self.any(at(2, 2, 1, 2), 0, at(2, 2, 1, 1), at(3, 3, 1, 1)))
            | touch(1, self.any(0, at(1, 2, 2, 2), at(1, 1, 2, 2), at(2, 2, 2, 2)))
            | touch(2, self.any(0, 0, at(2, 2, 2, 2), 0))
            | touch(3, self.any(0, 0, 0, at(3, 3, 2, 2)))
            | touch(4, self.any(0, at(3, 4, 2, 2), at(3, 3, 2, 2), at(4, 4, 2, 2)))
            | touch(5, self.any(at(2, 2, 3, 4), 0, at(2, 2, 3, 3), at(3, 3, 3, 3)))
    }
}
