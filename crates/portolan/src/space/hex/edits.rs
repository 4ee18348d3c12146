//! Edits of a hexagonal grid: laying terrain, and updating what is derived from it.
//!
//! Not here: the revision and the copies of the grid, which [`crate::World`] keeps.

use super::moves::{E, NE, NW, SE, SW, W};
use super::{HERE, HexGrid};
use crate::id::NodeId;
use crate::space::bits::{spread, three_bits};
use crate::space::terrain::weight_range;
use crate::space::{Area, Edit, EditError};

impl HexGrid {
    /// Applies the edits to the terrain, in order, and updates everything derived from it but the revision, which the
    /// caller sets. Void cells of an edit's area stay as they are.
    pub(in crate::space) fn edit<'a>(&mut self, edits: impl Iterator<Item = &'a Edit>) {
        let mut changed = Vec::new();
        for edit in edits {
            let Area { x, y, width, height } = edit.area;
            let first = (usize::from(x), usize::from(y));
            let last = (first.0 + usize::from(width) - 1, first.1 + usize::from(height) - 1);
            if self.lay(first, last, edit.terrain.weight()) {
                changed.push((first, last));
            }
        }
        (self.least_weight, self.greatest_weight) = weight_range(&self.cells_by_weight);
        for &((x0, y0), (x1, y1)) in &changed {
            self.look_around((x0.saturating_sub(1), y0.saturating_sub(1)), (x1 + 1, y1 + 1));
        }
        if !changed.is_empty() {
            let with_rim = |((x0, y0), (x1, y1))| [(x0 + 1, y0 + 1), (x1 + 1, y1 + 1)];
            self.components.repair(&self.free, changed.into_iter().map(with_rim));
        }
    }

    /// Returns an error unless the area lies on the storage rectangle and has at least one cell. The cells may be void.
    pub(in crate::space) fn checked_area(&self, area: Area) -> Result<(), EditError> {
        EditError::unless_on(self.width, self.height, area)
    }

    /// Gives every cell of a rectangle that is not void a weight and returns whether that freed or blocked any cell. The
    /// rectangle is given by its first and its last column and row.
    fn lay(&mut self, (x0, y0): (usize, usize), (x1, y1): (usize, usize), weight: u8) -> bool {
        self.make_room_for(weight);
        let mut freed_or_blocked = false;
        for row in y0..=y1 {
            let columns = self.shape.columns(self.width, row);
            for column in x0.max(columns.start)..(x1 + 1).min(columns.end) {
                let node = self.row_start(row) + column;
                let was_free = self.free.get(column + 1, row + 1);
                let old = if was_free { self.weight(NodeId(node as u32)) } else { 0 };
                self.cells_by_weight[usize::from(old)] -= 1;
                self.cells_by_weight[usize::from(weight)] += 1;
                if let Some(weights) = &mut self.weight_by_node {
                    weights[node] = weight;
                }
                if was_free != (weight != 0) {
                    self.free.set(column + 1, row + 1, weight != 0);
                    freed_or_blocked = true;
                }
            }
        }
        freed_or_blocked
    }

    /// Makes `weight_by_node` from the common weight if `weight` is the first weight that differs from it.
    fn make_room_for(&mut self, weight: u8) {
        if weight == 0 || weight == self.common_weight || self.weight_by_node.is_some() {
            return;
        }
        // Edits in front of this one may have freed or blocked cells, so that only the bit plane is up to date.
        let mut by_node = vec![0; self.node_count()];
        for row in 0..self.height {
            let start = self.row_start(row);
            for column in 0..self.width {
                by_node[start + column] = u8::from(self.free.get(column + 1, row + 1)) * self.common_weight;
            }
        }
        self.weight_by_node = Some(by_node);
    }

    /// Recomputes the neighbour bytes of the cells in columns `x0..=x1` and rows `y0..=y1`, as far as there are such
    /// columns and rows.
    pub(super) fn look_around(&mut self, (x0, y0): (usize, usize), (x1, y1): (usize, usize)) {
        // From three neighbouring bits of a row to bits by direction, for even and for odd rows. The row above an even
        // row lies half a cell further to the right, so that its cells in the columns before and at that of a cell touch
        // it. Place 8 drops a bit.
        const ABOVE: [[u8; 8]; 2] = [spread([NW, NE, 8]), spread([8, NW, NE])];
        const BESIDE: [u8; 8] = spread([W, HERE, E]);
        const BELOW: [[u8; 8]; 2] = [spread([SW, SE, 8]), spread([8, SW, SE])];
        for row in y0..(y1 + 1).min(self.height) {
            let (above, here, below) = (self.free.row(row), self.free.row(row + 1), self.free.row(row + 2));
            let start = self.row_start(row);
            for column in x0..(x1 + 1).min(self.width) {
                self.around_by_node[start + column] = ABOVE[row % 2][three_bits(above, column + 1)]
                    | BESIDE[three_bits(here, column + 1)]
                    | BELOW[row % 2][three_bits(below, column + 1)];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::id::{Cell, HexCell};
    use crate::space::Terrain;
    use crate::space::hex::HexShape;
    use crate::space::hex::model::{Model, random_model};

    #[test]
    fn an_edited_grid_is_a_fresh_one() {
        let mut random = Random::new(11);
        for _ in 0..150 {
            let mut model = random_model(&mut random, 20, &[1]);
            let mut grid = model.grid();
            for round in 0..12 {
                let weights: &[u8] = if round < 6 { &[0, 1] } else { &[0, 1, 1, 3, 255] };
                let edits: Vec<Edit> =
                    (0..=random.below(3)).map(|_| model.random_edit(&mut random, 8, weights)).collect();
                for edit in &edits {
                    model.apply(edit);
                }
                grid.edit(edits.iter());
                model.assert_same(&grid);
            }
        }
    }

    /// Worlds whose sides lie at or near the borders of tiles, which are 64 cells wide and begin with the rim.
    #[test]
    fn components_of_edited_grids_are_what_a_flood_reaches() {
        let mut random = Random::new(13);
        let sides = [1, 5, 61, 62, 63, 64, 65, 66, 67, 125, 126, 127, 128, 129, 131];
        for world in 0..240 {
            let side = |random: &mut Random| sides[random.below(sides.len() as u64) as usize];
            let (mut width, mut height) = (side(&mut random), side(&mut random));
            let shape = if world % 4 == 0 { HexShape::Hexagon } else { HexShape::Rectangle };
            if shape == HexShape::Hexagon {
                (width, height) = (width | 1, width | 1);
            }
            let percent = 25 + random.below(45);
            let weights = (0..width * height).map(|_| u8::from(!random.chance(percent))).collect();
            let mut model = Model { shape, width, height, weights }.without_void();
            let mut grid = model.grid();
            model.assert_components(&grid);
            for round in 0..120 {
                // Edits range from single cells, most of them, to rectangles that cross several tiles.
                let most = [1, 1, 1, 2, 3, 12, 70][random.below(7) as usize];
                let edits = [0; 2].map(|_| model.random_edit(&mut random, most, &[0, 1]));
                for edit in &edits {
                    model.apply(edit);
                }
                grid.edit(edits.iter());
                if round % 12 == 11 || width * height < 500 {
                    model.assert_components(&grid);
                }
            }
            let (Some(a), Some(b)) = (model.random_free(&mut random), model.random_free(&mut random)) else { continue };
            assert_eq!(grid.connected(a, b), model.distances(a)[model.index(b)].is_some());
        }
    }

    #[test]
    fn edits_leave_void_cells_alone() {
        let mut grid = HexGrid::hexagon(2, None).unwrap();
        let all = Area { x: 0, y: 0, width: 5, height: 5 };
        grid.edit([Edit::new(all, Terrain::of_weight(9))].iter());
        assert_eq!((grid.free_cells(), grid.cells_by_weight()[9], grid.uniform_weight()), (19, 19, Some(9)));
        assert_eq!(grid.to_weights()[..5], [0, 9, 9, 9, 0]);
        grid.edit([Edit::new(Cell::new(0, 0), Terrain::GROUND)].iter());
        assert!(!grid.is_free(HexCell::at(0, 0)));
        grid.edit([Edit::new(all, Terrain::BLOCKED)].iter());
        assert_eq!((grid.free_cells(), grid.cells_by_weight()[0]), (0, 19));
    }

    #[test]
    fn edits_off_the_grid_are_refused() {
        let grid = HexGrid::open(4, 3, None).unwrap();
        let area = |x, y, width, height| Area { x, y, width, height };
        assert_eq!(grid.checked_area(area(0, 0, 4, 3)), Ok(()));
        for area in [area(0, 0, 5, 1), area(0, 3, 1, 1), area(0, 0, 0, 1), area(65_535, 0, 65_535, 1)] {
            assert_eq!(grid.checked_area(area), Err(EditError { area, width: 4, height: 3 }));
        }
    }
}
