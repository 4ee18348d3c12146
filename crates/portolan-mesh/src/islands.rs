//! Leaving out small islands that lie across several tiles. In a tile alone, a piece of ground that reaches its border may
//! be the end of something large; only when the tiles are joined does it show how large it is.
//!
//! Not here: islands inside a tile, which Recast leaves out.

use crate::tile::CellMesh;
use std::collections::HashMap;

/// Returns the mesh without the pieces that have an area of fewer than `least` cells.
pub(crate) fn without_islands(mesh: CellMesh, least: u16) -> CellMesh {
    let mut pieces = Pieces { parent: (0..mesh.polygons.len()).collect() };
    let mut polygon_by_edge: HashMap<[u32; 2], usize> = HashMap::new();
    for (polygon, corners) in mesh.polygons.iter().enumerate() {
        for (corner, &from) in corners.iter().enumerate() {
            let to = corners[(corner + 1) % corners.len()];
            if let Some(other) = polygon_by_edge.insert([from.min(to), from.max(to)], polygon) {
                pieces.join(other, polygon);
            }
        }
    }
    let mut doubled_area = vec![0_u64; mesh.polygons.len()];
    for (polygon, corners) in mesh.polygons.iter().enumerate() {
        doubled_area[pieces.find(polygon)] += doubled_area_of(&mesh, corners);
    }
    let mut kept = CellMesh::default();
    let mut number_by_vertex: HashMap<u32, u32> = HashMap::new();
    for (polygon, mut corners) in mesh.polygons.into_iter().enumerate() {
        if doubled_area[pieces.find(polygon)] < 2 * u64::from(least) {
            continue;
        }
        for vertex in &mut corners {
            let place = mesh.vertices[*vertex as usize];
            *vertex = *number_by_vertex.entry(*vertex).or_insert_with(|| {
                kept.vertices.push(place);
                kept.vertices.len() as u32 - 1
            });
        }
        kept.polygons.push(corners);
    }
    kept
}

/// Returns twice the number of cells that a polygon covers in the plan.
fn doubled_area_of(mesh: &CellMesh, corners: &[u32]) -> u64 {
    let at = |corner: usize| mesh.vertices[corners[corner % corners.len()] as usize].map(i64::from);
    let cross = |corner: usize| at(corner)[0] * at(corner + 1)[2] - at(corner + 1)[0] * at(corner)[2];
    (0..corners.len()).map(cross).sum::<i64>().unsigned_abs()
}

/// Which polygons are connected.
struct Pieces {
    /// For each polygon another one of its piece, or itself.
    parent: Vec<usize>,
}

impl Pieces {
    fn find(&mut self, mut polygon: usize) -> usize {
        while self.parent[polygon] != polygon {
            self.parent[polygon] = self.parent[self.parent[polygon]];
            polygon = self.parent[polygon];
        }
        polygon
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a] = b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_count_as_a_whole() {
        let square = |x: i32| [[x, 0, 0], [x, 0, 3], [x + 3, 0, 3], [x + 3, 0, 0]];
        let mesh = || CellMesh {
            vertices: [square(0), square(3), square(20)].concat(),
            polygons: vec![vec![0, 1, 2, 3], vec![3, 2, 6, 7], vec![8, 9, 10, 11]],
        };
        assert_eq!(without_islands(mesh(), 9).polygons.len(), 3);
        let kept = without_islands(mesh(), 10);
        assert_eq!(kept.polygons, [[0, 1, 2, 3], [3, 2, 4, 5]]);
        assert_eq!(kept.vertices.len(), 6);
        assert_eq!(without_islands(mesh(), 19).polygons.len(), 0);
    }
}
