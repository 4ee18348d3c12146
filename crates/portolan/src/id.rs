//! Identifiers of places: [`Cell`], by column and row, for callers, and [`NodeId`], an array index, for searches.
//!
//! Not here: terrain, and whether a cell lies on a given grid.

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
    /// Returns the cell in column `x` and row `y`.
    pub const fn new(x: u16, y: u16) -> Cell {
        Cell { x, y }
    }

    /// Returns the cell `columns` to the right and `rows` down; negative numbers go left and up. There is no check
    /// against the bounds of a grid.
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

/// A node of a world: an index into flat arrays of per-node data.
///
/// On a square grid, nodes are numbered row by row through the world and the blocked rim around it, so that the numbers
/// of neighbours differ by a constant offset. [`crate::SquareGrid::cell`] and [`crate::SquareGrid::node`] convert
/// between nodes and cells.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Returns the index of this node in arrays of per-node data.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
