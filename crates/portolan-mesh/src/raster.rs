//! Triangles cut into the cells of a tile.
//!
//! Recast's port cuts triangles too, but where the last row of a triangle is empty it repeats what it had before, and walls
//! appear where there are none. So triangles are cut here, and the port only takes what lies in a single cell.
//!
//! Not here: what is ground.

use glam::Vec3A;
use rerecast::{AreaType, Heightfield};
use std::ops::Range;

/// A convex polygon in space. Cutting a triangle by the four sides of a cell leaves at most seven corners; there is room for
/// a few more, since rounding may bend a side.
#[derive(Copy, Clone)]
struct Piece {
    corners: [[f64; 3]; 12],
    count: usize,
}

impl Piece {
    const NONE: Piece = Piece { corners: [[0.; 3]; 12], count: 0 };

    fn push(&mut self, corner: [f64; 3]) {
        self.corners[self.count] = corner;
        self.count += 1;
    }

    fn corners(&self) -> &[[f64; 3]] {
        &self.corners[..self.count]
    }

    /// Returns the least and the greatest coordinate along an axis.
    fn extent(&self, axis: usize) -> Range<f64> {
        let values = || self.corners().iter().map(|corner| corner[axis]);
        values().fold(f64::INFINITY, f64::min)..values().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns what lies before and what lies beyond a coordinate along an axis. Corners right there belong to both.
    fn split(&self, axis: usize, at: f64) -> [Piece; 2] {
        let mut parts = [Piece::NONE; 2];
        for (i, &from) in self.corners().iter().enumerate() {
            let to = self.corners()[(i + 1) % self.count];
            let [a, b] = [from[axis] - at, to[axis] - at];
            if a <= 0. {
                parts[0].push(from);
            }
            if a >= 0. {
                parts[1].push(from);
            }
            if (a < 0. && b > 0.) || (a > 0. && b < 0.) {
                let share = a / (a - b);
                let mut between = [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
                between[axis] = at;
                parts[0].push(between);
                parts[1].push(between);
            }
        }
        parts
    }
}

/// Enters a triangle into a field: every cell that it reaches gets the heights between which the triangle lies there.
/// Coordinates are relative to the corner of the field.
///
/// # Errors
/// Recast's words when it refuses a cell.
pub(crate) fn enter(
    field: &mut Heightfield,
    triangle: [[f64; 3]; 3],
    area: AreaType,
    climb: u16,
) -> Result<(), String> {
    let mut rest = Piece::NONE;
    for corner in triangle {
        rest.push(corner);
    }
    for row in cells(&rest, 2, field.cell_size, field.height) {
        let mut strip = take(&mut rest, 2, row, field.cell_size);
        if row < 0 || strip.count < 3 {
            continue;
        }
        let heights = strip.extent(1);
        if heights.end <= heights.start {
            // What is level has one height in all cells, so that it need not be cut any further.
            for column in level_cells(&strip, field.cell_size, field.width) {
                enter_cell(field, [column, row], heights.clone(), area, climb)?;
            }
            continue;
        }
        for column in cells(&strip, 0, field.cell_size, field.width) {
            let piece = take(&mut strip, 0, column, field.cell_size);
            if column >= 0 && piece.count >= 3 {
                enter_cell(field, [column, row], piece.extent(1), area, climb)?;
            }
        }
    }
    Ok(())
}

/// Returns the rows or columns that a piece reaches. What lies before the first row or column of the field counts as -1.
fn cells(piece: &Piece, axis: usize, side: f32, count: u16) -> Range<i32> {
    let Range { start, end } = piece.extent(axis);
    // Numbers that are too large become the largest one there is.
    let [first, last] = [start, end].map(|at| (at / f64::from(side)).floor() as i32);
    first.max(-1)..last.min(i32::from(count) - 1).saturating_add(1)
}

/// Returns the columns of the field in which a piece has a part, not only a side.
fn level_cells(piece: &Piece, side: f32, count: u16) -> Range<i32> {
    let Range { start, end } = piece.extent(0);
    let [start, end] = [start, end].map(|at| at / f64::from(side));
    let first = start.floor() as i32;
    first.max(0)..(end.ceil() as i32).max(first.saturating_add(1)).min(i32::from(count))
}

/// Takes away from a piece what lies up to the end of a row or column, and returns that.
fn take(piece: &mut Piece, axis: usize, cell: i32, side: f32) -> Piece {
    let [before, beyond] = piece.split(axis, f64::from(cell + 1) * f64::from(side));
    *piece = beyond;
    before
}

/// Enters a range of heights into one cell, as a small triangle around its middle.
fn enter_cell(
    field: &mut Heightfield,
    cell: [i32; 2],
    heights: Range<f64>,
    area: AreaType,
    climb: u16,
) -> Result<(), String> {
    let side = field.cell_size;
    let [x, z] = cell.map(|cell| (cell as f32 + 0.5) * side);
    let [low, high] = [heights.start as f32, heights.end as f32];
    let small = side / 4.;
    let corners =
        [Vec3A::new(x - small, low, z - small), Vec3A::new(x, high, z + small), Vec3A::new(x + small, low, z - small)];
    field.rasterize_triangle(corners, area, climb).map_err(|fault| fault.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use rerecast::{Aabb3d, HeightfieldBuilder};

    /// Returns the lowest and highest cells that a triangle fills in each column and row of a field of 6 x 6 cells.
    fn entered(triangle: [[f64; 3]; 3]) -> Vec<(u16, u16, u16, u16)> {
        let aabb = Aabb3d { min: Vec3::ZERO, max: Vec3::new(1.8, 10., 1.8) };
        let mut field = HeightfieldBuilder { aabb, cell_size: 0.3, cell_height: 0.5 }.build().unwrap();
        enter(&mut field, triangle, AreaType::DEFAULT_WALKABLE, 1).unwrap();
        let mut found = Vec::new();
        for z in 0..6 {
            for x in 0..6 {
                found.extend(field.span_at(x, z).map(|span| (x, z, span.min, span.max)));
            }
        }
        found
    }

    #[test]
    fn a_wall_that_ends_between_two_rows_fills_no_row_beyond() {
        // With 32 bits, 3 times 0.3 is a little more than the end of the third row.
        let end = f64::from(0.9_f32);
        let found = entered([[1., 0.2, 0.], [1., 3.2, 0.], [1., 3.2, end]]);
        let places: Vec<(u16, u16)> = found.iter().map(|&(x, z, ..)| (x, z)).collect();
        assert_eq!(places, [(3, 0), (3, 1), (3, 2)], "{found:?}");
        assert_eq!((found[0].2, found[0].3), (0, 7));
    }

    #[test]
    fn a_slope_rises_from_cell_to_cell_and_is_cut_at_the_edge_of_the_field() {
        let found = entered([[-30., -30., 0.75], [30., 30., 0.75], [30., 30., 0.8]]);
        let places: Vec<(u16, u16)> = found.iter().map(|&(x, z, ..)| (x, z)).collect();
        assert_eq!(places, (0..6).map(|x| (x, 2)).collect::<Vec<_>>(), "{found:?}");
        assert!(found.windows(2).all(|pair| pair[0].3 <= pair[1].3), "{found:?}");
        assert_eq!(entered([[9., 0., 9.], [9., 1., 9.], [8., 0., 9.]]), []);
    }

    #[test]
    fn level_ground_fills_the_cells_that_it_lies_in() {
        let side = f64::from(0.3_f32);
        let square = |from: f64, to: f64| {
            let [from, to] = [from * side, to * side];
            let mut found = entered([[from, 1., from], [from, 1., to], [to, 1., to]]);
            found.extend(entered([[from, 1., from], [to, 1., to], [to, 1., from]]));
            found.sort_unstable();
            found.dedup();
            found
        };
        let whole: Vec<(u16, u16, u16, u16)> = (1..4).flat_map(|x| (1..4).map(move |z| (x, z, 2, 3))).collect();
        assert_eq!(square(1., 4.), whole);
        assert_eq!(square(1.5, 3.5), whole);
        assert_eq!(square(-9., 99.).len(), 36);
    }
}
