//! Identifiers of places: [`Cell`], by column and row, and [`HexCell`], by axial coordinates, for callers, and
//! [`NodeId`], an array index, for searches.
//!
//! Not here: terrain, and whether a cell lies on a given grid.

use crate::cost::hex_steps;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A cell of a grid; `(0, 0)` is the top left, `y` grows downward.
///
/// ```
/// use portolan::Cell;
/// assert_eq!(Cell::from((3, 5)), Cell::new(3, 5));
/// let (column, row) = (3_i32, -1_i32);
/// let error = Cell::try_from((column, row)).unwrap_err();
/// assert_eq!(error.to_string(), "-1 is no column or row: these are 0 to 65,535");
/// ```
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

/// The error for a column or row that no [`Cell`] can have: it is negative or past 65,535.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} is no column or row: these are 0 to 65,535")]
pub struct NoSuchCell(pub i64);

/// Writes how pairs of a type of numbers become cells, as far as they can.
macro_rules! try_from_pairs {
    ($($number:ty),*) => {
        $(impl TryFrom<($number, $number)> for Cell {
            type Error = NoSuchCell;

            fn try_from((x, y): ($number, $number)) -> Result<Cell, NoSuchCell> {
                let fitting = |at: $number| u16::try_from(at).map_err(|_| NoSuchCell(i64::try_from(at).unwrap_or(i64::MAX)));
                Ok(Cell { x: fitting(x)?, y: fitting(y)? })
            }
        })*
    };
}
try_from_pairs!(i32, i64, u32, u64, usize);

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

/// A cell of a hexagonal grid in axial coordinates; `(0, 0)` is the top left.
///
/// The hexes stand on a corner. A step to the right adds 1 to `q`, and a step down to the right adds 1 to `r`, in every
/// row alike. Files and tools count columns and rows instead, where odd rows lie half a cell further to the right;
/// [`HexCell::at`] and [`HexCell::cell`] convert.
///
/// ```
/// use portolan::{Cell, HexCell};
/// assert_eq!(HexCell::at(3, 5), HexCell::new(1, 5));
/// assert_eq!(HexCell::new(1, 5).cell(), Some(Cell::new(3, 5)));
/// assert_eq!(HexCell::at(0, 0).distance(HexCell::at(3, 5)), 6);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct HexCell {
    /// Position in the row: the column is `q + (r >> 1)`.
    pub q: i16,
    /// Row, from the top.
    pub r: i16,
}

impl HexCell {
    /// Returns the cell with these axial coordinates.
    pub const fn new(q: i16, r: i16) -> HexCell {
        HexCell { q, r }
    }

    /// Returns the cell in this column and row. A column or row past 32,767, which no grid has, gives another cell that
    /// lies off every grid.
    pub const fn at(column: u16, row: u16) -> HexCell {
        const MOST: i32 = i16::MAX as i32;
        let row = if row as i32 > MOST { MOST } else { row as i32 };
        let q = column as i32 - (row >> 1);
        HexCell { q: if q > MOST { MOST } else { q } as i16, r: row as i16 }
    }

    /// Returns the column and row as a [`Cell`], or `None` if one of them is negative.
    pub const fn cell(self) -> Option<Cell> {
        let column = self.q as i32 + (self.r >> 1) as i32;
        if column < 0 || self.r < 0 { None } else { Some(Cell { x: column as u16, y: self.r as u16 }) }
    }

    /// Returns how many steps apart two cells are if no cell is blocked.
    pub const fn distance(self, other: HexCell) -> u32 {
        hex_steps(other.q as i32 - self.q as i32, other.r as i32 - self.r as i32)
    }
}

impl From<(i16, i16)> for HexCell {
    fn from((q, r): (i16, i16)) -> HexCell {
        HexCell { q, r }
    }
}

impl From<Cell> for HexCell {
    fn from(Cell { x, y }: Cell) -> HexCell {
        HexCell::at(x, y)
    }
}

impl fmt::Display for HexCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.q, self.r)
    }
}

impl fmt::Debug for HexCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}

/// A node of a world: an index into flat arrays of per-node data.
///
/// On a grid, nodes are numbered row by row through the world and the blocked rim around it, so that the numbers of
/// neighbours differ by a constant offset. [`crate::SquareGrid::cell`] and [`crate::SquareGrid::node`] convert between
/// nodes and cells; [`crate::HexGrid`] has the same methods.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Returns the index of this node in arrays of per-node data.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Returns a number that no earlier call in this process has returned; never 0. By it, a cache tells what it was filled
/// for.
pub(crate) fn next_serial() -> u64 {
    static SERIALS: AtomicU64 = AtomicU64::new(1);
    SERIALS.fetch_add(1, Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_cells_and_columns_are_converted_both_ways() {
        for row in (0..32_768).step_by(37) {
            for column in (0..32_768).step_by(41).chain([32_765, 32_767]) {
                let hex = HexCell::at(column, row);
                assert_eq!((hex.cell(), hex.r as u16), (Some(Cell::new(column, row)), row));
                assert_eq!(HexCell::from(Cell::new(column, row)), hex);
            }
        }
        assert_eq!(HexCell::new(-1, 0).cell(), None);
        assert_eq!(HexCell::new(0, -1).cell(), None);
        assert_eq!(HexCell::new(-1, 1).cell(), None);
        assert_eq!(HexCell::new(-1, 2).cell(), Some(Cell::new(0, 2)));
    }

    #[test]
    fn columns_and_rows_past_every_grid_give_cells_off_every_grid() {
        for (column, row) in [(40_000, 0), (65_535, 7), (0, 40_000), (65_535, 65_535), (49_150, 32_767), (32_768, 1)] {
            let cell = HexCell::at(column, row).cell().expect("no negative column or row");
            assert!(cell.x >= 32_767 || cell.y >= 32_767, "{column},{row} became {cell}");
        }
    }

    #[test]
    fn hex_cells_are_shown_by_their_axial_coordinates() {
        let cell = HexCell::from((-2, 5));
        assert_eq!((cell.to_string(), format!("{cell:?}")), ("-2,5".into(), "(-2,5)".into()));
        assert_eq!(HexCell::new(-32_768, 0).distance(HexCell::new(32_767, 32_767)), 98_302);
    }
}
