//! Where to go instead when a goal is blocked or cut off: the reachable cell nearest to it.
//!
//! Not here: a search; components tell which cells are reachable.

use super::HexGrid;
use crate::id::HexCell;

impl HexGrid {
    /// Returns the cell nearest to `goal` among those reachable from `from`, or `None` if `from` is blocked. Distances
    /// are measured as if there were no obstacles. Of equally near cells it is the topmost one and, in that row, the
    /// leftmost, so that the answer depends on the world alone and not on the order in which cells are looked at.
    pub fn nearest_reachable(&self, from: HexCell, goal: HexCell) -> Option<HexCell> {
        let home = self.component(from)?;
        let others = self.ground.reached(home);
        // The cell `from` itself is part of the last of these rings.
        (0..=from.distance(goal)).find_map(|radius| {
            let is_reached = |part: u64| part == home || others.contains(&part);
            self.ring(goal, radius as i32).find(|&cell| self.component(cell).is_some_and(is_reached))
        })
    }

    /// Returns the cells of the storage rectangle that are exactly `radius` steps away from a cell, row by row.
    fn ring(&self, middle: HexCell, radius: i32) -> impl Iterator<Item = HexCell> {
        let (q, r) = (i32::from(middle.q), i32::from(middle.r));
        let (width, height) = (self.width() as i32, self.height() as i32);
        ((r - radius).max(0)..=(r + radius).min(height - 1)).flat_map(move |row| {
            // In this row, the cells at most `radius` steps away are those from `least` to `most`.
            let (least, most) = (q - radius + (r - row).max(0), q + radius - (row - r).max(0));
            let is_edge_row = (row - r).abs() == radius;
            let first_column = -(row >> 1);
            let ends = [least, most].into_iter().filter(move |_| !is_edge_row);
            let edge = if is_edge_row { least.max(first_column)..(most + 1).min(first_column + width) } else { 0..0 };
            edge.chain(ends)
                .filter(move |&at| (first_column..first_column + width).contains(&at))
                .map(move |at| HexCell { q: at as i16, r: row as i16 })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::space::hex::model::random_model;

    #[test]
    fn nearest_reachable_is_the_nearest_there_is() {
        let mut random = Random::new(29);
        for _ in 0..400 {
            let model = random_model(&mut random, 24, &[1, 2]);
            let grid = model.grid();
            let Some(from) = model.random_free(&mut random) else { continue };
            let reached = model.distances(from);
            for _ in 0..10 {
                // Some goals lie off the grid.
                let goal = HexCell::new(random.below(60) as i16 - 25, random.below(40) as i16 - 8);
                let key = |cell: &HexCell| (cell.distance(goal), cell.r, cell.q);
                let nearest = grid.cells().filter(|&cell| reached[model.index(cell)].is_some()).min_by_key(key);
                assert_eq!(grid.nearest_reachable(from, goal), nearest, "from {from} to {goal} on\n{model}");
            }
        }
    }

    #[test]
    fn from_a_blocked_cell_nothing_is_reachable() {
        let grid = HexGrid::from_weights(2, 1, &[0, 1], None).unwrap();
        assert_eq!(grid.nearest_reachable(HexCell::at(0, 0), HexCell::at(1, 0)), None);
        assert_eq!(grid.nearest_reachable(HexCell::at(1, 0), HexCell::at(0, 0)), Some(HexCell::at(1, 0)));
    }
}
