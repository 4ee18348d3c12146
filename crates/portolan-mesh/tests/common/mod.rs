//! What the tests of this crate ask of a mesh.
//!
//! Not here: tests.

use portolan::MeshParts;
use std::collections::{BTreeMap, HashMap};

/// What a mesh looks like as a whole.
#[derive(Debug)]
pub(crate) struct Shape {
    /// How many polygons there are.
    pub(crate) polygons: usize,
    /// How many pieces the mesh falls into.
    pub(crate) pieces: usize,
    /// The area of all polygons in the plan.
    pub(crate) area: f64,
    /// The area of the largest piece.
    pub(crate) main: f64,
}

/// Measures a mesh.
pub(crate) fn shape(parts: &MeshParts) -> Shape {
    let polygons = parts.polygons();
    let mut piece: Vec<usize> = (0..polygons).collect();
    let mut by_edge: HashMap<[u32; 2], usize> = HashMap::new();
    for polygon in 0..polygons {
        let corners = parts.polygon(polygon);
        for (i, &from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            if let Some(other) = by_edge.insert([from.min(to), from.max(to)], polygon) {
                let (a, b) = (find(&mut piece, other), find(&mut piece, polygon));
                piece[a] = b;
            }
        }
    }
    let mut areas: BTreeMap<usize, f64> = BTreeMap::new();
    for polygon in 0..polygons {
        *areas.entry(find(&mut piece, polygon)).or_default() += area(parts, polygon);
    }
    let main = areas.values().copied().fold(0., f64::max);
    Shape { polygons, pieces: areas.len(), area: areas.values().sum(), main }
}

/// Returns the area of a polygon in the plan.
fn area(parts: &MeshParts, polygon: usize) -> f64 {
    let corners = parts.polygon(polygon);
    let at = |i: usize| parts.vertices[corners[i % corners.len()] as usize];
    let cross = |i: usize| at(i)[0] * at(i + 1)[1] - at(i + 1)[0] * at(i)[1];
    ((0..corners.len()).map(cross).sum::<f64>() / 2.).abs()
}

/// Returns the polygon that stands for the piece of another one.
fn find(piece: &mut [usize], mut polygon: usize) -> usize {
    while piece[polygon] != polygon {
        piece[polygon] = piece[piece[polygon]];
        polygon = piece[polygon];
    }
    polygon
}
