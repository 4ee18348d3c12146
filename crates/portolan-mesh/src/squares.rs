//! A square grid as a mesh: free cells merged into rectangles.
//!
//! A rectangle has a corner wherever a rectangle beside it has one, so that every way between two rectangles is a whole edge
//! of both. Cells that touch in a corner only are not joined. Not here: meshes from geometry.

use portolan::{MeshParts, SquareGrid};

/// Returns a mesh of the free cells of a grid. A cell is one unit wide and high, and cell 0, 0 begins at 0, 0. Cells of the
/// same weight are merged into rectangles, greedily from top left to bottom right: each as wide as possible, then as high.
///
/// The mesh has no polygons if no cell is free. It knows nothing of borders and links between cells.
///
/// ```
/// use portolan::{NavMesh, Rules, SquareGrid};
/// let grid = SquareGrid::from_weights(3, 2, &[1, 1, 1, 1, 0, 1], Rules::default())?;
/// let mesh = NavMesh::new(&portolan_mesh::from_squares(&grid))?;
/// assert_eq!((mesh.polygons(), mesh.portals()), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_squares(grid: &SquareGrid) -> MeshParts {
    let rectangles = rectangles(grid);
    let corners = Corners::of(grid, &rectangles);
    let mut parts = MeshParts { vertices: corners.vertices(), ..MeshParts::default() };
    let mut outline = Vec::new();
    for &(rectangle, weight) in &rectangles {
        corners.outline(rectangle, &mut outline);
        parts.push(&outline, weight);
    }
    parts
}

/// Columns and rows of cells: from the first ones up to but not including the last.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Rectangle {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

/// Returns rectangles of free cells with their weights.
fn rectangles(grid: &SquareGrid) -> Vec<(Rectangle, u8)> {
    let (width, height) = (grid.width(), grid.height());
    // The weight of a cell that is in a rectangle becomes 0, as if it were blocked.
    let mut weights = grid.to_weights();
    let mut rectangles = Vec::new();
    for top in 0..height {
        let mut left = 0;
        while left < width {
            let weight = weights[top * width + left];
            let row = &weights[top * width + left..(top + 1) * width];
            let right = left + row.iter().take_while(|&&other| other == weight).count();
            if weight > 0 {
                let is_level =
                    |row: usize| weights[row * width + left..row * width + right].iter().all(|&other| other == weight);
                let bottom = (top + 1..height).find(|&row| !is_level(row)).unwrap_or(height);
                for row in top..bottom {
                    weights[row * width + left..row * width + right].fill(0);
                }
                rectangles.push((Rectangle { left, top, right, bottom }, weight));
            }
            left = right;
        }
    }
    rectangles
}

/// The places where a rectangle has a corner, sorted along every line of the grid.
struct Corners {
    /// For each horizontal line the columns of its corners.
    by_row: Vec<Vec<usize>>,
    /// For each vertical line the rows of its corners.
    by_column: Vec<Vec<usize>>,
    /// For each horizontal line the number of the vertex at its first corner.
    first_vertex: Vec<usize>,
}

impl Corners {
    fn of(grid: &SquareGrid, rectangles: &[(Rectangle, u8)]) -> Corners {
        let mut by_row = vec![Vec::new(); grid.height() + 1];
        let mut by_column = vec![Vec::new(); grid.width() + 1];
        for (Rectangle { left, top, right, bottom }, _) in rectangles {
            for (x, y) in [(left, top), (left, bottom), (right, top), (right, bottom)] {
                by_row[*y].push(*x);
                by_column[*x].push(*y);
            }
        }
        for line in by_row.iter_mut().chain(&mut by_column) {
            line.sort_unstable();
            line.dedup();
        }
        let mut first_vertex = Vec::with_capacity(by_row.len());
        let mut count = 0;
        for line in &by_row {
            first_vertex.push(count);
            count += line.len();
        }
        Corners { by_row, by_column, first_vertex }
    }

    /// Returns the places of all vertices, row by row.
    fn vertices(&self) -> Vec<[f64; 3]> {
        let rows = self.by_row.iter().enumerate();
        rows.flat_map(|(y, line)| line.iter().map(move |&x| [x as f64, y as f64, 0.])).collect()
    }

    /// Returns the number of the vertex at a place where there is one.
    fn vertex(&self, x: usize, y: usize) -> u32 {
        (self.first_vertex[y] + self.by_row[y].partition_point(|&other| other < x)) as u32
    }

    /// Lists all vertices on the sides of a rectangle, each once, in one turn around it.
    fn outline(&self, rectangle: Rectangle, outline: &mut Vec<u32>) {
        let Rectangle { left, top, right, bottom } = rectangle;
        outline.clear();
        let part = |line: &'_ [usize], from: usize, to: usize| {
            line.partition_point(|&at| at < from)..line.partition_point(|&at| at < to)
        };
        let (above, below) = (&self.by_row[top], &self.by_row[bottom]);
        let (before, beyond) = (&self.by_column[left], &self.by_column[right]);
        outline.extend(above[part(above, left, right)].iter().map(|&x| self.vertex(x, top)));
        outline.extend(beyond[part(beyond, top, bottom)].iter().map(|&y| self.vertex(right, y)));
        outline.extend(below[part(below, left + 1, right + 1)].iter().rev().map(|&x| self.vertex(x, bottom)));
        outline.extend(before[part(before, top + 1, bottom + 1)].iter().rev().map(|&y| self.vertex(left, y)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::generate::Random;
    use portolan::{Cell, Directions, NavMesh, Rules};

    fn grid(rows: &[&str]) -> SquareGrid {
        let weights: Vec<u8> = rows.concat().bytes().map(|letter| letter - b'0').collect();
        SquareGrid::from_weights(rows[0].len(), rows.len(), &weights, Rules::default()).unwrap()
    }

    #[test]
    fn rectangles_meet_in_whole_edges() {
        let parts = from_squares(&grid(&["11111", "10011", "10011", "11111"]));
        let corners: Vec<usize> = (0..parts.polygons()).map(|polygon| parts.polygon(polygon).len()).collect();
        assert_eq!(corners, [6, 5, 5, 4], "the top row, the columns left and right of the hole, and what is below it");
        let mesh = NavMesh::new(&parts).unwrap();
        assert_eq!((mesh.polygons(), mesh.portals()), (4, 4));
    }

    #[test]
    fn weights_part_rectangles_and_corners_do_not_join() {
        let mesh = NavMesh::new(&from_squares(&grid(&["1122", "1122", "0033"]))).unwrap();
        assert_eq!((mesh.polygons(), mesh.portals()), (3, 2));
        let mesh = NavMesh::new(&from_squares(&grid(&["10", "01"]))).unwrap();
        assert_eq!((mesh.polygons(), mesh.portals()), (2, 0));
        assert_eq!(from_squares(&grid(&["00"])).polygons(), 0);
    }

    #[test]
    fn random_grids_are_covered_exactly_and_joined_where_cells_are() {
        let mut random = Random::new(7);
        for round in 0..300 {
            let (width, height) = (random.between(1, 24), random.between(1, 24));
            let weights: Vec<u8> = (0..width * height).map(|_| [0, 1, 1, 1, 1, 3][random.between(0, 5)]).collect();
            // Steps in four directions join the cells that have a side in common.
            let rules = Rules { directions: Directions::Four, ..Rules::default() };
            let grid = SquareGrid::from_weights(width, height, &weights, rules).unwrap();
            let parts = from_squares(&grid);
            if parts.polygons() == 0 {
                continue;
            }
            let mesh = NavMesh::new(&parts).unwrap_or_else(|fault| panic!("round {round}: {fault}"));
            let point = |cell: Cell| mesh.point([f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5]);
            for cell in grid.cells() {
                let polygon = point(cell).map(|point| parts.weights[point.polygon as usize]);
                let weight = weights[usize::from(cell.y) * width + usize::from(cell.x)];
                assert_eq!(polygon.unwrap_or(0), weight, "round {round}, {cell:?}");
            }
            let mut components: Vec<u64> = grid.cells().filter_map(|cell| grid.component(cell)).collect();
            components.sort_unstable();
            components.dedup();
            assert_eq!(mesh.components(), components.len(), "round {round}");
        }
    }
}
