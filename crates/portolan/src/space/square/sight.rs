//! Straight lines at any angle on a square grid: whether one cell is in sight of another, and what the line costs.
//!
//! A line leads from the middle of a cell to the middle of another. Every cell that it crosses has to be free. Where it
//! passes exactly through the corner of four cells, it is legal if a diagonal step there would be; with four directions,
//! both cells beside the corner have to be free. No border between cells that it crosses may be closed.
//!
//! Not here: searches that use such lines.

use super::SquareGrid;
use super::rules::{Corners, Directions};
use crate::cost::Cost;
use crate::id::Cell;
use crate::space::passages::Extras;

impl SquareGrid {
    /// Returns whether a straight line from the middle of one cell to the middle of the other crosses free cells only
    /// and obeys the corner rule.
    ///
    /// ```
    /// use portolan::{Cell, Rules, SquareGrid};
    /// let grid = SquareGrid::from_weights(3, 2, &[1, 1, 0, 1, 1, 1], Rules::default())?;
    /// assert!(grid.in_sight(Cell::new(0, 0), Cell::new(1, 1)));
    /// assert!(!grid.in_sight(Cell::new(1, 0), Cell::new(2, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_sight(&self, from: Cell, to: Cell) -> bool {
        self.crosses(from, to, |cell, _| self.is_free(cell))
    }

    /// Returns the cost of a straight line: its length times the cost of a straight step times the mean weight along
    /// it, rounded down. `None` if the line is not legal, or the cost does not fit [`Cost`].
    pub(super) fn line_cost(&self, from: Cell, to: Cell) -> Option<Cost> {
        let cost = self.line_length(from, to)? * f64::from(self.metric().straight());
        (cost < 4_294_967_296.0).then_some(Cost(cost as u32))
    }

    /// Returns the length of a straight line times the mean weight along it, or `None` if the line is not legal.
    pub(crate) fn line_length(&self, from: Cell, to: Cell) -> Option<f64> {
        let (dx, dy) = (u64::from(from.x.abs_diff(to.x)), u64::from(from.y.abs_diff(to.y)));
        // The sum of the squares is exact in f64 and its root correctly rounded: equal on every machine.
        Some(((dx * dx + dy * dy) as f64).sqrt() * self.mean_weight(from, to)?)
    }

    /// Returns the cost of a straight line of the length of a cell, where ground weighs least.
    pub(crate) fn unit(&self) -> f64 {
        f64::from(self.metric().straight()) * f64::from(self.least_weight())
    }

    /// Returns the mean weight of the cells along a straight line, each counted by the part of the line in it. `None`
    /// if the line is not legal.
    fn mean_weight(&self, from: Cell, to: Cell) -> Option<f64> {
        let (mut sum, mut all) = (0, 0);
        let legal = self.crosses(from, to, |cell, parts| {
            let weight = u64::from(self.terrain(cell).weight());
            sum += weight * parts;
            all += parts;
            weight > 0
        });
        legal.then(|| sum as f64 / all as f64)
    }

    /// Calls `visit` for every cell that a straight line crosses, from its beginning on, with the part of the line in it
    /// in equal small parts. Returns whether `visit` returned `true` for every cell and the line obeys the corner rule.
    #[inline(always)]
    pub(crate) fn crosses(&self, from: Cell, to: Cell, mut visit: impl FnMut(Cell, u64) -> bool) -> bool {
        let (columns, rows) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
        let (dx, dy) = (u64::from(columns.unsigned_abs()), u64::from(rows.unsigned_abs()));
        // The line is cut into equal parts so small that it crosses from cell to cell only between two parts: it leaves
        // its i-th column (2i + 1) · `across` parts from its beginning, and its rows likewise.
        let (across, down) = (dy.max(1), dx.max(1));
        let (mut next_column, mut next_row) = (across, down);
        let parts = 2 * dx.max(1) * dy.max(1);
        let has_borders = self.extras() != Extras::Nothing;
        let (mut cell, mut done) = (from, 0);
        while cell != to {
            let crossing_column = dx > 0 && (dy == 0 || next_column <= next_row);
            let crossing_row = dy > 0 && (dx == 0 || next_row <= next_column);
            let crossing = if crossing_column { next_column } else { next_row };
            if !visit(cell, crossing - done) {
                return false;
            }
            done = crossing;
            if crossing_column && crossing_row && !self.may_pass_corner(cell, (columns.signum(), rows.signum())) {
                return false;
            }
            if has_borders {
                let step = (i32::from(crossing_column) * columns.signum(), i32::from(crossing_row) * rows.signum());
                if !self.may_cross(cell, step) {
                    return false;
                }
            }
            if crossing_column {
                cell = cell.shifted((columns.signum(), 0));
                next_column += 2 * across;
            }
            if crossing_row {
                cell = cell.shifted((0, rows.signum()));
                next_row += 2 * down;
            }
        }
        visit(to, parts - done)
    }

    /// Returns whether no closed border stands between a free cell and one that a line enters next. With four directions, both
    /// ways around a corner have to be open.
    fn may_cross(&self, cell: Cell, (dx, dy): (i32, i32)) -> bool {
        if dx != 0 && dy != 0 && self.rules().directions == Directions::Four {
            let [across, down] = [(dx, 0), (0, dy)];
            return [(across, down), (down, across)]
                .into_iter()
                .all(|(first, then)| self.may_cross(cell, first) && self.may_cross(cell.shifted(first), then));
        }
        self.walk_cost(cell, cell.shifted((dx, dy))).is_some()
    }

    /// Returns whether a line may leave a cell through one of its corners.
    fn may_pass_corner(&self, cell: Cell, (dx, dy): (i32, i32)) -> bool {
        let beside = [cell.shifted((dx, 0)), cell.shifted((0, dy))].map(|cell| self.is_free(cell));
        match (self.rules().directions, self.rules().corners) {
            (Directions::Four, _) | (_, Corners::Strict) => beside[0] && beside[1],
            (_, Corners::NoSqueeze) => beside[0] || beside[1],
            (_, Corners::Loose) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::space::Rules;

    fn random_grid(random: &mut Random, rules: Rules) -> SquareGrid {
        let weights: Vec<u8> = (0..12 * 9).map(|_| [0, 1, 1, 1, 3][random.below(5) as usize]).collect();
        SquareGrid::from_weights(12, 9, &weights, rules).unwrap()
    }

    /// Walks along the line in tiny parts of equal length and adds up the weights of the cells under it.
    fn sampled(grid: &SquareGrid, from: Cell, to: Cell) -> Option<f64> {
        // A power of two: no sample lies exactly on the border of two cells.
        const SAMPLES: i64 = 16_384;
        let mut sum = 0;
        for sample in 0..SAMPLES {
            let at = |a: u16, b: u16| {
                let (a, b) = (i64::from(a), i64::from(b));
                (2 * SAMPLES * a + (2 * sample + 1) * (b - a) + SAMPLES).div_euclid(2 * SAMPLES) as u16
            };
            let weight = grid.terrain(Cell::new(at(from.x, to.x), at(from.y, to.y))).weight();
            if weight == 0 {
                return None;
            }
            sum += u64::from(weight);
        }
        Some(sum as f64 / SAMPLES as f64)
    }

    #[test]
    fn lines_cross_the_cells_that_lie_under_them() {
        let mut random = Random::new(3);
        let loose = Rules { corners: Corners::Loose, ..Rules::default() };
        let mut legal = 0;
        for _ in 0..40 {
            let grid = random_grid(&mut random, loose);
            for _ in 0..20 {
                let mut cell = || Cell::new(random.below(12) as u16, random.below(9) as u16);
                let (from, to) = (cell(), cell());
                let (found, sampled) = (grid.mean_weight(from, to), sampled(&grid, from, to));
                assert_eq!(found.is_some(), sampled.is_some(), "{from} to {to}");
                if let (Some(found), Some(sampled)) = (found, sampled) {
                    assert!((found - sampled).abs() < 0.01, "{from} to {to}: {found}, sampled {sampled}");
                    legal += 1;
                }
                assert_eq!(found, grid.mean_weight(to, from), "{from} to {to} and back");
            }
        }
        assert!(legal > 100);
    }

    #[test]
    fn a_line_between_neighbours_is_legal_where_the_step_is() {
        let mut random = Random::new(4);
        for corners in [Corners::Strict, Corners::NoSqueeze, Corners::Loose] {
            let grid = random_grid(&mut random, Rules { corners, ..Rules::default() });
            for from in grid.cells().filter(|&cell| grid.is_free(cell)) {
                for to in grid.cells().filter(|to| to.x.abs_diff(from.x) <= 1 && to.y.abs_diff(from.y) <= 1) {
                    let step = from == to || grid.step_cost(from, to).is_some();
                    assert_eq!(grid.in_sight(from, to), step, "{from} to {to} under {corners:?}");
                }
            }
        }
    }
}
