//! The test's own map, with one flag for each cell, and its check of an answer. It shares no code with the engine but
//! the type of a cell, so that a fault of the engine cannot hide itself.

use crate::library::Packed;
use portolan::Cell;
use std::collections::BTreeSet;
use std::f64::consts::SQRT_2;

const STEPS: [(i32, i32); 8] = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// A rectangle of free and blocked cells.
#[derive(Clone)]
pub(crate) struct Ground {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) free: Vec<bool>,
}

impl Ground {
    pub(crate) fn open(width: usize, height: usize) -> Ground {
        Ground { width, height, free: vec![true; width * height] }
    }

    pub(crate) fn packed(&self) -> Packed {
        Packed::new(self.width, self.height, &self.free)
    }

    /// Lays a patch over this map, its top left at `at`.
    pub(crate) fn lay(&mut self, patch: &Ground, at: Cell) {
        for (y, row) in patch.free.chunks(patch.width).enumerate() {
            let start = (usize::from(at.y) + y) * self.width + usize::from(at.x);
            self.free[start..start + patch.width].copy_from_slice(row);
        }
    }

    pub(crate) fn is_free(&self, x: i32, y: i32) -> bool {
        let inside = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
        inside && self.free[y as usize * self.width + x as usize]
    }

    /// Returns where a step leads, if it is legal: a diagonal step needs both cells beside it to be free.
    fn step(&self, (x, y): (i32, i32), (dx, dy): (i32, i32)) -> Option<(i32, i32)> {
        let legal = self.is_free(x + dx, y + dy) && self.is_free(x + dx, y) && self.is_free(x, y + dy);
        legal.then_some((x + dx, y + dy))
    }

    /// Returns the length of an answer, or `None` if it has no points, which means that there is no route.
    ///
    /// # Errors
    /// When the answer does not lead from start to goal, or when one of its lines is blocked or is neither straight nor
    /// diagonal.
    pub(crate) fn length(&self, from: Cell, to: Cell, points: &[Cell]) -> Result<Option<f64>, String> {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return Ok(None) };
        if (*first, *last) != (from, to) || !self.is_free(from.x.into(), from.y.into()) {
            return Err(format!("the route leads from {first} to {last}"));
        }
        let (mut straight, mut diagonal) = (0, 0);
        for pair in points.windows(2) {
            let (dx, dy) = (i32::from(pair[1].x) - i32::from(pair[0].x), i32::from(pair[1].y) - i32::from(pair[0].y));
            let count = dx.abs().max(dy.abs());
            let direction = (dx.signum(), dy.signum());
            if count == 0 || (direction.0 * count, direction.1 * count) != (dx, dy) {
                return Err(format!("no straight line joins {} and {}", pair[0], pair[1]));
            }
            let mut at = (i32::from(pair[0].x), i32::from(pair[0].y));
            for _ in 0..count {
                at =
                    self.step(at, direction).ok_or_else(|| format!("there is no way on from {at:?} to {}", pair[1]))?;
            }
            *(if dx == 0 || dy == 0 { &mut straight } else { &mut diagonal }) += count;
        }
        Ok(Some(f64::from(straight) + f64::from(diagonal) * SQRT_2))
    }

    /// Returns the length of a shortest route by plain Dijkstra. Costs are counted in millionths, as integers, so that
    /// equal costs compare as equal.
    pub(crate) fn shortest(&self, from: Cell, to: Cell) -> Option<f64> {
        let start = (i32::from(from.x), i32::from(from.y));
        let goal = (i32::from(to.x), i32::from(to.y));
        if !self.is_free(start.0, start.1) {
            return None;
        }
        let mut cost_by_cell = vec![u64::MAX; self.free.len()];
        let index = |(x, y): (i32, i32)| y as usize * self.width + x as usize;
        cost_by_cell[index(start)] = 0;
        let mut open = BTreeSet::from([(0, start)]);
        while let Some((cost, at)) = open.pop_first() {
            if at == goal {
                return Some(cost as f64 / 1e6);
            }
            for direction in STEPS {
                let Some(next) = self.step(at, direction) else { continue };
                let price = if direction.0 == 0 || direction.1 == 0 { 1_000_000 } else { 1_414_214 };
                if cost + price < cost_by_cell[index(next)] {
                    cost_by_cell[index(next)] = cost + price;
                    open.insert((cost + price, next));
                }
            }
        }
        None
    }
}
