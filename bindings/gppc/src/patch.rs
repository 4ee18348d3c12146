//! A rectangle of cells as the competition packs it: one bit for each cell, 1 if it is free, row after row without
//! gaps, least significant bit first.
//!
//! Not here: where the bits come from.

use portolan::{Area, Cell, Edit, GridError, Rules, SquareGrid, Terrain};

/// A rectangle of cells, and where it lies on the map. The whole map is a patch too.
#[derive(Copy, Clone)]
pub(crate) struct Patch<'a> {
    bits: &'a [u8],
    width: u16,
    height: u16,
    at: Cell,
}

impl<'a> Patch<'a> {
    /// Returns how many bytes `width` times `height` cells are packed into.
    pub(crate) fn bytes(width: u16, height: u16) -> usize {
        (usize::from(width) * usize::from(height)).div_ceil(8)
    }

    /// Makes a patch whose top left cell is `at`, from as many bytes as [`Patch::bytes`] says.
    pub(crate) fn new(bits: &'a [u8], width: u16, height: u16, at: Cell) -> Patch<'a> {
        Patch { bits, width, height, at }
    }

    fn terrain(&self, x: u16, y: u16) -> Terrain {
        let index = usize::from(y) * usize::from(self.width) + usize::from(x);
        if self.bits[index / 8] >> (index % 8) & 1 == 1 { Terrain::GROUND } else { Terrain::BLOCKED }
    }

    /// Returns the patch as a map, under the competition's rules: eight directions, no corner cutting, steps of 1 and
    /// √2.
    pub(crate) fn grid(&self) -> Result<SquareGrid, GridError> {
        let rows = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let weights: Vec<u8> = rows.map(|(x, y)| self.terrain(x, y).weight()).collect();
        SquareGrid::from_weights(self.width.into(), self.height.into(), &weights, Rules::default())
    }

    /// Returns the edits that lay the patch over a map: only for cells that differ, and none for cells off the map.
    pub(crate) fn edits(&self, grid: &SquareGrid) -> Vec<Edit> {
        let on_map = |start: u16, length: u16, side: usize| {
            usize::from(length).min(side.saturating_sub(usize::from(start))) as u16
        };
        let (x, y) = (self.at.x, self.at.y);
        let (width, height) = (on_map(x, self.width, grid.width()), on_map(y, self.height, grid.height()));
        Edit::cover(Area { x, y, width, height }, |column, row| {
            let now = grid.terrain(Cell::new(x + column, y + row));
            let then = self.terrain(column, row);
            (now != then).then_some(then)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::World;

    #[test]
    fn bits_run_on_from_row_to_row() {
        // The cells 110 011 101, in this order, fill each byte from its lowest bit.
        let grid = Patch::new(&[0b0111_0011, 0b1], 3, 3, Cell::default()).grid().unwrap();
        let rows: Vec<String> =
            (0..3).map(|y| (0..3).map(|x| if grid.is_free(Cell::new(x, y)) { '.' } else { '@' }).collect()).collect();
        assert_eq!(rows, ["..@", "@..", ".@."]);
        assert_eq!((Patch::bytes(3, 3), Patch::bytes(4, 4), Patch::bytes(0, 9)), (2, 2, 0));
    }

    #[test]
    fn only_what_differs_is_edited() {
        let mut world = World::from(Patch::new(&[0xff; 8], 8, 8, Cell::default()).grid().unwrap());
        let hole = Patch::new(&[0b1001_1111, 0b1111_1001], 4, 4, Cell::new(2, 3));
        let edits = hole.edits(&world);
        assert_eq!(edits, [Edit::new(Area { x: 3, y: 4, width: 2, height: 2 }, Terrain::BLOCKED)]);
        world.apply(&edits).unwrap();
        assert_eq!(hole.edits(&world), []);
    }

    #[test]
    fn what_lies_off_the_map_is_left_out() {
        let world = World::from(Patch::new(&[0xff; 8], 8, 8, Cell::default()).grid().unwrap());
        let over_the_edge = Patch::new(&[0; 2], 4, 4, Cell::new(6, 7)).edits(&world);
        assert_eq!(over_the_edge, [Edit::new(Area { x: 6, y: 7, width: 2, height: 1 }, Terrain::BLOCKED)]);
        assert_eq!(Patch::new(&[0; 2], 4, 4, Cell::new(8, u16::MAX)).edits(&world), []);
    }
}
