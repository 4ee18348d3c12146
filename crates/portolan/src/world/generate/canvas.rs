//! What recipes draw on: one weight a cell, and the regular lattice that mazes and rooms share.
//! No recipe's taste belongs here.

use crate::world::square::{GridError, SquareGrid};
use std::ops::Range;

/// A world being drawn: one weight a cell, 0 where blocked.
pub(super) struct Canvas {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) weights: Vec<u8>,
}

impl Canvas {
    pub(super) const BLOCKED: u8 = 0;
    pub(super) const GROUND: u8 = 1;

    pub(super) fn blocked(width: usize, height: usize) -> Result<Canvas, GridError> {
        Ok(Canvas { width, height, weights: SquareGrid::filled_weights(width, height, Self::BLOCKED)? })
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

/// Some columns of some rows.
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

    /// What remains when this many cells are taken off every side.
    pub(super) fn inset(&self, by: usize) -> Rect {
        Rect::new(self.x.start + by..self.x.end - by, self.y.start + by..self.y.end - by)
    }
}

/// One side of a world cut into slots of equal size with a wall of one cell around each.
pub(super) struct Lattice {
    size: usize,
    first: usize,
    end: usize,
    pub(super) count: usize,
}

impl Lattice {
    /// As many whole slots as fit, but at least one.
    pub(super) fn whole(side: usize, size: usize) -> Lattice {
        // A world too small for the outer wall does without.
        let rim = usize::from(side >= size + 2);
        let count = (side - rim) / (size + 1);
        Lattice { size, first: rim, end: side - rim, count: count.max(1) }
    }

    /// Slots up to the very end, the last of them cut short.
    pub(super) fn covering(side: usize, size: usize) -> Lattice {
        let whole = Self::whole(side, size);
        Lattice { count: (whole.end - whole.first).div_ceil(size + 1), ..whole }
    }

    /// The cells of a slot.
    pub(super) fn slot(&self, index: usize) -> Range<usize> {
        let start = self.first + index * (self.size + 1);
        start..self.end.min(start + self.size)
    }

    /// The wall before a slot other than the first.
    pub(super) fn wall_before(&self, index: usize) -> usize {
        self.slot(index).start - 1
    }
}
