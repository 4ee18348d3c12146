//! The cells of the storage rectangle that lie on a hexagonal grid.
//!
//! Not here: terrain.

use std::ops::Range;

/// The shape of a hexagonal grid. A grid is stored in columns and rows; cells of that rectangle which lie outside the
/// shape are void: they are not on the grid, are never free, and edits leave them alone.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum HexShape {
    /// All columns and rows. Odd rows lie half a cell further to the right.
    #[default]
    Rectangle,
    /// The cells within some steps, the radius, of a middle cell. Columns and rows number twice the radius plus 1.
    Hexagon,
}

impl HexShape {
    /// Both shapes with their names in files and on the command line.
    pub const NAMED: [(&'static str, HexShape); 2] =
        [("rectangle", HexShape::Rectangle), ("hexagon", HexShape::Hexagon)];

    /// Returns the shape's name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            HexShape::Rectangle => "rectangle",
            HexShape::Hexagon => "hexagon",
        }
    }

    /// Returns the columns that a row of a grid of this shape has, out of `width` columns in all.
    ///
    /// # Panics
    /// When a hexagon has no such row.
    pub fn columns(self, width: usize, row: usize) -> Range<usize> {
        match self {
            HexShape::Rectangle => 0..width,
            HexShape::Hexagon => {
                let radius = width / 2;
                let from_middle = row.abs_diff(radius);
                assert!(from_middle <= radius, "a hexagon of radius {radius} has no row {row}");
                // Each row is one cell shorter than its neighbour nearer to the middle, by half a cell at either end.
                // Whether that moves the first column by 0 or by 1 depends on which of the two rows is shifted.
                let first = from_middle / 2 + (from_middle & radius & 1);
                first..first + width - from_middle
            }
        }
    }

    /// Returns the number of cells on a grid of this shape and size.
    pub(super) fn cells(self, width: usize, height: usize) -> usize {
        match self {
            HexShape::Rectangle => width * height,
            HexShape::Hexagon => 3 * (width / 2) * (width / 2 + 1) + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::HexCell;

    #[test]
    fn a_hexagon_has_the_cells_within_its_radius() {
        for radius in 0..12u16 {
            let (middle, side) = (HexCell::at(radius, radius), 2 * radius + 1);
            let mut cells = 0;
            for row in 0..side {
                let columns = HexShape::Hexagon.columns(usize::from(side), usize::from(row));
                for column in 0..side {
                    let within = HexCell::at(column, row).distance(middle) <= u32::from(radius);
                    assert_eq!(columns.contains(&usize::from(column)), within, "{column},{row} of radius {radius}");
                    cells += usize::from(within);
                }
            }
            assert_eq!(HexShape::Hexagon.cells(usize::from(side), usize::from(side)), cells);
        }
    }

    #[test]
    fn a_rectangle_has_all_cells() {
        assert_eq!(HexShape::Rectangle.columns(7, 3), 0..7);
        assert_eq!(HexShape::Rectangle.cells(7, 3), 21);
    }
}
