//! A hexagonal grid as a mesh: one polygon for each free cell, since no two hexagons together are convex.
//!
//! Not here: square grids, and meshes from geometry.

use portolan::{HexGrid, MeshParts};
use std::collections::HashMap;

/// The corners of a hexagon, seen from its middle: across in halves of its width, down in quarters of its height.
const CORNERS: [[i32; 2]; 6] = [[0, -2], [1, -1], [1, 1], [0, 2], [-1, 1], [-1, -1]];

/// Returns a mesh of the free cells of a grid. A cell is one unit wide, and the middle of the first one is at 0, 0. Its place
/// is the one that [`portolan::Space::position`] returns for it.
///
/// The mesh has no polygons if no cell is free. It knows nothing of borders and links between cells.
///
/// ```
/// use portolan::{HexGrid, NavMesh};
/// let grid = HexGrid::from_weights(3, 2, &[1, 0, 1, 1, 1, 1], None)?;
/// let mesh = NavMesh::new(&portolan_mesh::from_hexes(&grid))?;
/// assert_eq!((mesh.polygons(), mesh.portals()), (5, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_hexes(grid: &HexGrid) -> MeshParts {
    // A quarter of the height of a cell. The root is correctly rounded on every machine.
    let quarter = 3_f64.sqrt() / 6.;
    let mut parts = MeshParts::default();
    let mut vertex_by_place: HashMap<[i32; 2], u32> = HashMap::new();
    for cell in grid.cells() {
        let weight = grid.terrain(cell).weight();
        if weight == 0 {
            continue;
        }
        let [x, y] = [2 * i32::from(cell.q) + i32::from(cell.r), 3 * i32::from(cell.r)];
        let corners = CORNERS.map(|[across, down]| {
            let place = [x + across, y + down];
            *vertex_by_place.entry(place).or_insert_with(|| {
                parts.vertices.push([f64::from(place[0]) / 2., f64::from(place[1]) * quarter, 0.]);
                parts.vertices.len() as u32 - 1
            })
        });
        parts.push(&corners, weight);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::generate::Random;
    use portolan::{HexCell, NavMesh, Space};

    #[test]
    fn cells_are_where_the_grid_has_them_and_joined_as_there() {
        let mut random = Random::new(3);
        for round in 0..100 {
            let (width, height) = (random.between(1, 12), random.between(1, 12));
            let weights: Vec<u8> = (0..width * height).map(|_| [0, 0, 1, 1, 1, 4][random.between(0, 5)]).collect();
            let grid = HexGrid::from_weights(width, height, &weights, None).unwrap();
            let parts = from_hexes(&grid);
            if parts.polygons() == 0 {
                continue;
            }
            let mesh = NavMesh::new(&parts).unwrap_or_else(|fault| panic!("round {round}: {fault}"));
            for cell in grid.cells() {
                let [x, y, _] = Space::position(&grid, cell).map(f64::from);
                let found = mesh.point([x, y]).map_or(0, |point| parts.weights[point.polygon as usize]);
                assert_eq!(found, grid.terrain(cell).weight(), "round {round}, {cell:?}");
            }
            let joins = |cell: HexCell, (q, r): (i16, i16)| {
                let other = HexCell::new(cell.q + q, cell.r + r);
                grid.is_free(cell) && grid.contains(other) && grid.is_free(other)
            };
            let steps = [(1, 0), (0, 1), (-1, 1)];
            let joints = grid.cells().map(|cell| steps.iter().filter(|&&step| joins(cell, step)).count());
            assert_eq!(mesh.portals(), joints.sum::<usize>(), "round {round}");
        }
    }
}
