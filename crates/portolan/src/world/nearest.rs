//! As near as one can get: the reachable cell nearest to a goal that is blocked or cut off.

use super::Directions;
use super::square::SquareGrid;
use crate::id::Cell;

impl SquareGrid {
    /// The cell reachable from `from` that lies nearest to `goal`: by obstacle-free distance, then by row and
    /// column. `None` when `from` is blocked.
    pub fn nearest_reachable(&self, from: Cell, goal: Cell) -> Option<Cell> {
        let home = self.component(from)?;
        if self.component(goal) == Some(home) {
            return Some(goal);
        }
        let (gx, gy) = (i64::from(goal.x), i64::from(goal.y));
        let mut best = (self.distance(from, goal), from.y, from.x);
        // Cells of the square ring of this radius are at least that many straight steps away.
        for radius in 1..=self.width().max(self.height()) as i64 {
            if u64::from(self.metric().straight()) * radius as u64 > best.0 {
                break;
            }
            let rows = (gy - radius).max(0)..=(gy + radius).min(self.height() as i64 - 1);
            for y in rows {
                let edge_row = (y - gy).abs() == radius;
                let stride = if edge_row { 1 } else { 2 * radius as usize };
                for x in (gx - radius..=gx + radius).step_by(stride) {
                    if x < 0 || x >= self.width() as i64 {
                        continue;
                    }
                    let cell = Cell { x: x as u16, y: y as u16 };
                    let key = (self.distance(cell, goal), cell.y, cell.x);
                    if key < best && self.component(cell) == Some(home) {
                        best = key;
                    }
                }
            }
        }
        Some(Cell { x: best.2, y: best.1 })
    }

    fn distance(&self, a: Cell, b: Cell) -> u64 {
        let (dx, dy) = (u32::from(a.x.abs_diff(b.x)), u32::from(a.y.abs_diff(b.y)));
        match self.rules().directions {
            Directions::Eight => self.metric().octile(dx, dy),
            Directions::Four => u64::from(self.metric().straight()) * u64::from(dx + dy),
        }
    }
}
