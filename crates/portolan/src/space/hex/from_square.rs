//! Laying hexes over a world of squares.
//!
//! Not here: reading pictures and maps, which are read as square grids first.

use super::HexGrid;
use crate::cost::Metric;
use crate::id::Cell;
use crate::memory::{OutOfMemory, filled};
use crate::space::ground::check_size;
use crate::space::square::{GridError, SquareGrid};

/// The distance between two rows of hexes whose centres are 1 apart: half of √3.
const ROW: f64 = 0.866_025_403_784_438_6;

/// Hexes over the squares of a world. A unit is the side of a square, and `(0.0, 0.0)` is the top left of the world.
struct Cover<'a> {
    squares: &'a SquareGrid,
    /// The distance between the centres of neighbouring hexes.
    cell_size: f64,
}

impl HexGrid {
    /// Makes a grid of hexes that lie over a square world, with centres `cell_size` squares apart. With 1.0 there are as
    /// many hexes in a row as squares, and 15 percent more rows.
    ///
    /// A square belongs to the hex whose centre is nearest to the square's centre. A hex is blocked if at least half of
    /// its squares are; otherwise it weighs as much as its free squares on average, rounded. A hex to which no square
    /// belongs, as it happens where hexes are smaller than squares, is like the square under its centre. The first row of
    /// hexes begins a quarter of a hex to the left of the world and the second one a quarter to the right. The metric is
    /// as in [`HexGrid::open`]. Borders and links between squares are left out.
    ///
    /// ```
    /// use portolan::{HexGrid, Rules, SquareGrid};
    /// let squares = SquareGrid::open(60, 52, Rules::default())?;
    /// let hexes = HexGrid::from_square(&squares, 2.0, None)?;
    /// assert_eq!((hexes.width(), hexes.height()), (30, 30));
    /// # Ok::<(), portolan::GridError>(())
    /// ```
    ///
    /// # Errors
    /// When `cell_size` is not a positive number, or so small that a side would be longer than [`HexGrid::MAX_SIDE`], or
    /// there is no memory for the grid.
    pub fn from_square(squares: &SquareGrid, cell_size: f64, metric: Option<Metric>) -> Result<HexGrid, GridError> {
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(GridError::CellSize);
        }
        // A number past the largest `usize` becomes that one.
        let count = |side: usize, size: f64| ((side as f64 / size).round() as usize).max(1);
        let (width, height) = (count(squares.width(), cell_size), count(squares.height(), cell_size * ROW));
        check_size(width, height)?;
        let no_memory = |OutOfMemory { bytes }| GridError::OutOfMemory { width, height, bytes };
        let mut weights = filled(0, width * height).map_err(no_memory)?;
        let cover = Cover { squares, cell_size };
        for (index, weight) in weights.iter_mut().enumerate() {
            *weight = cover.weight(index % width, index / width);
        }
        Self::from_weights(width, height, &weights, metric)
    }
}

impl Cover<'_> {
    /// Returns the weight of the hex in this column and row.
    fn weight(&self, column: usize, row: usize) -> u8 {
        let (x, y) = self.centre(column, row);
        let (width, height) = (self.squares.width(), self.squares.height());
        // A hex reaches half of `cell_size` to the sides, and less than 0.6 of it up and down.
        let (columns, rows) = (span(x, 0.5 * self.cell_size, width), span(y, 0.6 * self.cell_size, height));
        let (mut squares, mut free, mut sum) = (0u64, 0u64, 0u64);
        for square_y in rows {
            for square_x in columns.clone() {
                if self.nearest(square_x as f64 + 0.5, square_y as f64 + 0.5) == (column as i64, row as i64) {
                    let weight = self.square(square_x, square_y);
                    squares += 1;
                    free += u64::from(weight > 0);
                    sum += u64::from(weight);
                }
            }
        }
        if squares == 0 {
            return self.square((x as usize).min(width - 1), (y as usize).min(height - 1));
        }
        if 2 * free <= squares { 0 } else { ((2 * sum + free) / (2 * free)) as u8 }
    }

    fn square(&self, x: usize, y: usize) -> u8 {
        self.squares.terrain(Cell::new(x as u16, y as u16)).weight()
    }

    /// Returns the centre of the hex in this column and row.
    fn centre(&self, column: usize, row: usize) -> (f64, f64) {
        let shift = if row.is_multiple_of(2) { 0.25 } else { 0.75 };
        ((column as f64 + shift) * self.cell_size, (row as f64 + 0.5) * ROW * self.cell_size)
    }

    /// Returns the column and row of the hex whose centre is nearest to a point; they may lie off the grid.
    fn nearest(&self, x: f64, y: f64) -> (i64, i64) {
        // Axial coordinates of the point, and their sum with the sign turned, which makes the three of them add up to 0.
        // Each is rounded, and the one that lost most by that is computed from the other two.
        let r = y / (ROW * self.cell_size) - 0.5;
        let q = x / self.cell_size - 0.25 - r / 2.0;
        let (whole_q, whole_r, whole_s) = (q.round(), r.round(), (-q - r).round());
        let lost = [(whole_q - q).abs(), (whole_r - r).abs(), (whole_s + q + r).abs()];
        let (q, r) = if lost[0] > lost[1] && lost[0] > lost[2] {
            (-whole_r - whole_s, whole_r)
        } else if lost[1] > lost[2] {
            (whole_q, -whole_q - whole_s)
        } else {
            (whole_q, whole_r)
        };
        let (q, r) = (q as i64, r as i64);
        (q + (r >> 1), r)
    }
}

/// Returns the squares along a side of the world, `side` of them, that lie no further than `reach` from a point.
fn span(middle: f64, reach: f64, side: usize) -> std::ops::Range<usize> {
    // A negative number becomes 0, and one past the largest `usize` that one.
    let (first, last) = ((middle - reach).floor() as usize, (middle + reach).floor() as usize);
    first.min(side)..last.saturating_add(1).min(side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::space::square::rules::Rules;

    fn squares(width: usize, height: usize, weights: &[u8]) -> SquareGrid {
        SquareGrid::from_weights(width, height, weights, Rules::default()).unwrap()
    }

    #[test]
    fn hexes_take_the_terrain_of_the_squares_nearest_to_them() {
        let mut random = Random::new(5);
        for cell_size in [0.3, 0.5, 0.9, 1.0, 1.3, 2.0, 3.7, 11.0, 90.0] {
            let (width, height) = (random.between(5, 40), random.between(5, 40));
            let weights: Vec<u8> = (0..width * height).map(|_| random.below(6).saturating_sub(2) as u8).collect();
            let world = squares(width, height, &weights);
            let hexes = HexGrid::from_square(&world, cell_size, None).unwrap();
            let cover = Cover { squares: &world, cell_size };
            // Every hex of the grid, and the ring of hexes around it, to which squares at the rim may belong.
            let (columns, rows) = (hexes.width() as i64, hexes.height() as i64);
            let centre = |column: i64, row: i64| {
                let shift = if row % 2 == 0 { 0.25 } else { 0.75 };
                ((column as f64 + shift) * cell_size, (row as f64 + 0.5) * 0.75_f64.sqrt() * cell_size)
            };
            let mut of_hex = vec![Vec::new(); hexes.width() * hexes.height()];
            for (index, &weight) in weights.iter().enumerate() {
                let (x, y) = ((index % width) as f64 + 0.5, (index / width) as f64 + 0.5);
                let all = (-1..=rows).flat_map(|row| (-1..=columns).map(move |column| (column, row)));
                let distance = |(column, row)| (centre(column, row).0 - x).hypot(centre(column, row).1 - y);
                let least = all.map(distance).fold(f64::INFINITY, f64::min);
                let nearest = cover.nearest(x, y);
                assert!(distance(nearest) <= least + 1e-9, "{x},{y} belongs to {nearest:?} with size {cell_size}");
                if (0..columns).contains(&nearest.0) && (0..rows).contains(&nearest.1) {
                    of_hex[(nearest.1 * columns + nearest.0) as usize].push(weight);
                }
            }
            for (index, &weight) in hexes.to_weights().iter().enumerate() {
                let (x, y) = centre(index as i64 % columns, index as i64 / columns);
                let under = (y as usize).min(height - 1) * width + (x as usize).min(width - 1);
                let belong = if of_hex[index].is_empty() { vec![weights[under]] } else { of_hex[index].clone() };
                let free: Vec<f64> = belong.iter().filter(|&&weight| weight > 0).map(|&weight| weight.into()).collect();
                let mean = (free.iter().sum::<f64>() / free.len() as f64).round() as u8;
                let expected = if free.len() * 2 <= belong.len() { 0 } else { mean };
                assert_eq!(weight, expected, "hex {index} of size {cell_size} has {belong:?}");
            }
        }
    }

    #[test]
    fn about_as_many_hexes_as_squares_stay_connected_where_squares_are() {
        let world = squares(40, 30, &[1; 1200]);
        let hexes = HexGrid::from_square(&world, 1.0, Some(Metric::WIDE)).unwrap();
        assert_eq!((hexes.width(), hexes.height(), hexes.free_cells()), (40, 35, 1400));
        assert_eq!(hexes.metric(), Metric::WIDE);
    }

    #[test]
    fn sizes_that_make_no_grid_are_refused() {
        let world = squares(4, 4, &[1; 16]);
        let fault = |cell_size| HexGrid::from_square(&world, cell_size, None).err();
        for cell_size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(fault(cell_size), Some(GridError::CellSize));
        }
        assert!(matches!(fault(1e-4), Some(GridError::Size { .. })));
        assert!(matches!(fault(f64::MIN_POSITIVE), Some(GridError::Size { .. })));
        let one = HexGrid::from_square(&world, f64::MAX, None).unwrap();
        assert_eq!(one.to_weights(), [1]);
    }
}
