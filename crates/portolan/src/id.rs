//! Names of places: [`Cell`], which people use, and [`NodeId`], which searches use.

use std::fmt;

/// A cell of a grid; `(0, 0)` is the top left, `y` grows downward.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cell {
    /// Column, from the left.
    pub x: u16,
    /// Row, from the top.
    pub y: u16,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    pub const fn new(x: u16, y: u16) -> Cell {
        Cell { x, y }
    }

    /// The cell that many columns and rows further on.
    #[inline(always)]
    pub(crate) fn shifted(self, (columns, rows): (i32, i32)) -> Cell {
        Cell { x: self.x.wrapping_add_signed(columns as i16), y: self.y.wrapping_add_signed(rows as i16) }
    }
}

impl From<(u16, u16)> for Cell {
    fn from((x, y): (u16, u16)) -> Cell {
        Cell { x, y }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}

/// A node of a world: a dense index, so that per-node data lives in flat arrays.
///
/// On a square grid it counts row by row through the world and its blocked rim, so that a neighbour is a
/// constant offset away; [`crate::SquareGrid::cell`] and [`crate::SquareGrid::node`] translate.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The index this node has in arrays.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
