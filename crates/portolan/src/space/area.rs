//! A rectangle of cells: [`Area`].
//!
//! Not here: what the cells are made of.

use crate::id::Cell;

/// A rectangle of cells.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Area {
    /// Leftmost column.
    pub x: u16,
    /// Topmost row.
    pub y: u16,
    /// Number of columns; 0 makes the area empty.
    pub width: u16,
    /// Number of rows; 0 makes the area empty.
    pub height: u16,
}

impl From<Cell> for Area {
    fn from(Cell { x, y }: Cell) -> Area {
        Area { x, y, width: 1, height: 1 }
    }
}

impl Area {
    /// Returns whether the cell lies in the area.
    #[inline(always)]
    pub fn contains(self, cell: Cell) -> bool {
        cell.x.wrapping_sub(self.x) < self.width && cell.y.wrapping_sub(self.y) < self.height
    }

    /// Returns the area with one row or column more on each side: a blocked cell beside a diagonal step can make the
    /// step illegal.
    pub(super) fn with_rim(self) -> Area {
        Area {
            x: self.x.saturating_sub(1),
            y: self.y.saturating_sub(1),
            width: self.width.saturating_add(2),
            height: self.height.saturating_add(2),
        }
    }

    pub(crate) fn overlaps(self, other: Area) -> bool {
        let apart = |a: u16, width: u16, b: u16| u32::from(a) + u32::from(width) <= u32::from(b);
        !(apart(self.x, self.width, other.x)
            || apart(other.x, other.width, self.x)
            || apart(self.y, self.height, other.y)
            || apart(other.y, other.height, self.y))
    }

    /// Returns the smallest rectangle that contains this area and `other`.
    pub(crate) fn with(self, other: Area) -> Area {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.width).max(other.x + other.width);
        let bottom = (self.y + self.height).max(other.y + other.height);
        Area { x, y, width: right - x, height: bottom - y }
    }

    /// Returns the smallest rectangle that contains both cells.
    pub(crate) fn around(a: Cell, b: Cell) -> Area {
        let (x, y) = (a.x.min(b.x), a.y.min(b.y));
        Area { x, y, width: a.x.abs_diff(b.x) + 1, height: a.y.abs_diff(b.y) + 1 }
    }

    /// Returns the cells that this area and `area` both contain, or `None` if there are none.
    pub(crate) fn common(self, area: Area) -> Option<Area> {
        let (x, y) = (self.x.max(area.x), self.y.max(area.y));
        let right = (self.x + self.width).min(area.x + area.width);
        let bottom = (self.y + self.height).min(area.y + area.height);
        (x < right && y < bottom).then(|| Area { x, y, width: right - x, height: bottom - y })
    }

    /// Returns every cell, row by row.
    pub(crate) fn all_cells(self) -> impl Iterator<Item = Cell> {
        (0..self.cells()).map(move |index| self.cell(index))
    }

    /// Returns the index of a cell of this area, counted row by row from the top left.
    #[inline(always)]
    pub(crate) fn index(self, cell: Cell) -> usize {
        usize::from(cell.y - self.y) * usize::from(self.width) + usize::from(cell.x - self.x)
    }

    /// Returns the cell with this index; the inverse of [`Area::index`].
    pub(crate) fn cell(self, index: usize) -> Cell {
        let width = usize::from(self.width);
        Cell { x: self.x + (index % width) as u16, y: self.y + (index / width) as u16 }
    }

    /// Returns whether `area` contains cells of the outermost rows or columns of this one. An `area` outside of this
    /// one gives `true` as well.
    pub(crate) fn reaches_border(self, area: Area) -> bool {
        area.x <= self.x
            || area.y <= self.y
            || area.x + area.width >= self.x + self.width
            || area.y + area.height >= self.y + self.height
    }

    /// Returns the number of cells.
    pub(crate) fn cells(self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }
}
