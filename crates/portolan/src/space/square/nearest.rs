//! Where to go instead when a goal is blocked or cut off: the reachable cell nearest to it.
//!
//! Not here: a search; components tell which cells are reachable.

use super::SquareGrid;
use super::rules::Directions;
use crate::id::Cell;

impl SquareGrid {
    /// Returns the cell nearest to `goal` among those reachable from `from`, or `None` if `from` is blocked. Distances
    /// are measured as if there were no obstacles. Of equally near cells it is the topmost one and, in that row, the
    /// leftmost, so that the answer depends on the world alone and not on the order in which cells are looked at.
    pub fn nearest_reachable(&self, from: Cell, goal: Cell) -> Option<Cell> {
        let home = self.component(from)?;
        if self.component(goal) == Some(home) {
            return Some(goal);
        }
        let others = self.ground.reached(home);
        let is_reached = |cell| self.component(cell).is_some_and(|part| part == home || others.contains(&part));
        if is_reached(goal) {
            return Some(goal);
        }
        let (gx, gy) = (i64::from(goal.x), i64::from(goal.y));
        let mut best = (self.distance(from, goal), from.y, from.x);
        // Looks at the square rings of cells around the goal, from the inside outwards. Every cell of a ring is at
        // least `radius` straight steps away from the goal.
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
                    if key < best && is_reached(cell) {
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
