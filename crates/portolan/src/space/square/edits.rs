//! Edits of a square grid: laying terrain, and updating what is derived from it.
//!
//! Not here: the revision and the copies of the grid, which [`crate::World`] keeps.

use super::SquareGrid;
use crate::id::NodeId;
use crate::space::bits::{spread, three_bits};
use crate::space::terrain::weight_range;
use crate::space::{Area, Edit, EditError};

impl SquareGrid {
    /// Applies the edits to the terrain, in order, and updates everything derived from it but the revision, which the
    /// caller sets.
    pub(in crate::space) fn edit<'a>(&mut self, edits: impl Iterator<Item = &'a Edit>) {
        let mut changed = Vec::new();
        for edit in edits {
            let Area { x, y, width, height } = edit.area;
            let (x0, y0) = (usize::from(x) + 1, usize::from(y) + 1);
            let last = (x0 + usize::from(width) - 1, y0 + usize::from(height) - 1);
            if self.lay((x0, y0), last, edit.terrain.weight()) {
                changed.push([(x0, y0), last]);
            }
        }
        (self.least_weight, self.greatest_weight) = weight_range(&self.cells_by_weight);
        for &[(x0, y0), (x1, y1)] in &changed {
            self.look_around((x0 - 1, y0 - 1), (x1 + 1, y1 + 1));
        }
        if !changed.is_empty() {
            self.components.repair(&self.free, changed.into_iter());
        }
    }

    /// Gives every cell of a rectangle a weight and returns whether that freed or blocked any cell. The rectangle is
    /// given by its first and its last column and row, counted with the rim.
    fn lay(&mut self, (x0, y0): (usize, usize), (x1, y1): (usize, usize), weight: u8) -> bool {
        self.make_room_for(weight);
        let mut freed_or_blocked = false;
        for py in y0..=y1 {
            for px in x0..=x1 {
                let node = py * self.stride + px;
                let old = if self.free.get(px, py) { self.weight(NodeId(node as u32)) } else { 0 };
                self.cells_by_weight[usize::from(old)] -= 1;
                self.cells_by_weight[usize::from(weight)] += 1;
                if let Some(weights) = &mut self.weight_by_node {
                    weights[node] = weight;
                }
                if (old == 0) != (weight == 0) {
                    self.free.set(px, py, weight != 0);
                    freed_or_blocked = true;
                }
            }
        }
        freed_or_blocked
    }

    /// Returns an error unless the area lies on the grid and has at least one cell.
    pub(in crate::space) fn checked_area(&self, area: Area) -> Result<(), EditError> {
        EditError::unless_on(self.width, self.height, area)
    }

    /// Makes `weight_by_node` from the common weight if `weight` is the first weight that differs from it.
    fn make_room_for(&mut self, weight: u8) {
        if weight == 0 || weight == self.common_weight || self.weight_by_node.is_some() {
            return;
        }
        let mut by_node = vec![0; self.node_count()];
        for y in 1..=self.height {
            for x in 1..=self.width {
                by_node[y * self.stride + x] = if self.free.get(x, y) { self.common_weight } else { 0 };
            }
        }
        self.weight_by_node = Some(by_node);
    }

    /// Recomputes the neighbour bytes of the cells in columns `x0..=x1` and rows `y0..=y1`, counted with the rim. The
    /// rim itself is left out.
    pub(super) fn look_around(&mut self, (x0, y0): (usize, usize), (x1, y1): (usize, usize)) {
        // From three neighbouring bits of a row to bits by direction. Place 8 drops the cell itself.
        const ABOVE: [u8; 8] = spread([7, 0, 1]);
        const BESIDE: [u8; 8] = spread([6, 8, 2]);
        const BELOW: [u8; 8] = spread([5, 4, 3]);
        for y in y0.max(1)..=y1.min(self.height) {
            let (above, here, below) = (self.free.row(y - 1), self.free.row(y), self.free.row(y + 1));
            for x in x0.max(1)..=x1.min(self.width) {
                self.around_by_node[y * self.stride + x] =
                    ABOVE[three_bits(above, x)] | BESIDE[three_bits(here, x)] | BELOW[three_bits(below, x)];
            }
        }
    }
}
