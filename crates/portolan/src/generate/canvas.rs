//! What recipes draw on: a canvas with one weight for each cell, and the regular lattice that mazes and rooms use.
//!
//! Not here: what only one recipe needs.

use crate::space::ground::filled_weights;
use crate::space::square::GridError;
use std::ops::Range;

/// A world that is being drawn: one weight for each cell, row by row, 0 where blocked.
pub(super) struct Canvas {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) weights: Vec<u8>,
}

impl Canvas {
    pub(super) const BLOCKED: u8 = 0;
    pub(super) const GROUND: u8 = 1;

    pub(super) fn blocked(width: usize, height: usize) -> Result<Canvas, GridError> {
        Ok(Canvas { width, height, weights: filled_weights(width, height, Self::BLOCKED)? })
    }

    pub(super) fn get(&self, x: usize, y: usize) -> u8 {
        self.weights[y * self.width + x]
    }

    pub(super) fn set(&mut self, x: usize, y: usize, weight: u8) {
        self.weights[y * self.width + x] = weight;
    }

    pub(super) fn row_mut(&mut self, y: usize) -> &mut [u8] {
        &mut self.weights[y * self.width..][..self.width]
    }

    pub(super) fn fill(&mut self, area: &Rect, weight: u8) {
        for y in area.y.clone() {
            self.row_mut(y)[area.x.clone()].fill(weight);
        }
    }

    pub(super) fn fill_all(&mut self, weight: u8) {
        self.weights.fill(weight);
    }
}

/// A rectangle of cells, as a range of columns and a range of rows.
#[derive(Clone)]
pub(super) struct Rect {
    pub(super) x: Range<usize>,
    pub(super) y: Range<usize>,
}

impl Rect {
    pub(super) fn new(x: Range<usize>, y: Range<usize>) -> Rect {
        Rect { x, y }
    }

    pub(super) fn width(&self) -> usize {
        self.x.len()
    }

    pub(super) fn height(&self) -> usize {
        self.y.len()
    }

    pub(super) fn short_side(&self) -> usize {
        self.width().min(self.height())
    }

    pub(super) fn long_side(&self) -> usize {
        self.width().max(self.height())
    }

    /// Returns the rectangle that remains if `by` cells are taken off each of the four sides.
    pub(super) fn inset(&self, by: usize) -> Rect {
        Rect::new(self.x.start + by..self.x.end - by, self.y.start + by..self.y.end - by)
    }
}

/// The columns, or the rows, of a world cut into slots of equal size, with a wall of one cell between neighbouring
/// slots and, if there is room, before the first and after the last one.
pub(super) struct Lattice {
    size: usize,
    first: usize,
    end: usize,
    pub(super) count: usize,
}

impl Lattice {
    /// Makes as many slots of the full size as fit; if none fits, one slot that is shorter.
    pub(super) fn whole(side: usize, size: usize) -> Lattice {
        // A world that is too small for the outer wall has none.
        let rim = usize::from(side >= size + 2);
        let count = (side - rim) / (size + 1);
        Lattice { size, first: rim, end: side - rim, count: count.max(1) }
    }

    /// Makes slots that cover the whole side; the last one may be shorter than the others.
    pub(super) fn covering(side: usize, size: usize) -> Lattice {
        let whole = Self::whole(side, size);
        Lattice { count: (whole.end - whole.first).div_ceil(size + 1), ..whole }
    }

    /// Returns the columns, or the rows, of a slot.
    pub(super) fn slot(&self, index: usize) -> Range<usize> {
        let start = self.first + index * (self.size + 1);
        start..self.end.min(start + self.size)
    }

    /// Returns the column, or the row, of the wall before a slot. The slot must not be the first one.
    pub(super) fn wall_before(&self, index: usize) -> usize {
        self.slot(index).start - 1
    }
}
