//! A mesh as Detour takes it: vertices as 16-bit numbers of cells, polygons of at most six corners that wind clockwise in the
//! plan, and for each edge the polygon beyond it.
//!
//! Polygons with more corners are cut. The cells are an eighth of those from which the mesh was built, so vertices keep their
//! places.
//!
//! Not here: searches, and the process that runs them.

use super::DetourError;
use portolan::{MeshParts, NavMesh};
use portolan_mesh::BuildOptions;
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

/// The most corners of a polygon in Detour.
const CORNERS: usize = 6;
/// Stands for a corner that a polygon does not have, and for an edge at a wall.
const NONE: u16 = u16::MAX;
/// Numbers from here on mean something else than a neighbour.
const MOST_PIECES: usize = 0x7fff;
/// Cells are this part of those of the build.
const FINER: f64 = 8.0;

/// The polygons of a mesh, cut into pieces.
pub(super) struct Polygons {
    parts: MeshParts,
    /// The vertices of each piece, clockwise in the plan.
    pieces: Vec<Vec<u32>>,
    /// The pieces of polygon `p` are those from `first_piece[p]` to before `first_piece[p + 1]`.
    first_piece: Vec<usize>,
}

impl Polygons {
    /// Cuts the polygons of a mesh.
    pub(super) fn new(mesh: &NavMesh) -> Result<Polygons, DetourError> {
        let parts = mesh.to_parts();
        let (mut pieces, mut first_piece) = (Vec::new(), vec![0]);
        for polygon in 0..parts.polygons() {
            let mut corners = parts.polygon(polygon).to_vec();
            if area(&parts, &corners) > 0.0 {
                corners.reverse();
            }
            cut(&parts, corners, &mut pieces);
            first_piece.push(pieces.len());
        }
        if pieces.len() > MOST_PIECES {
            return Err(DetourError::TooLarge(format!("{} polygons of up to six corners", pieces.len())));
        }
        if parts.vertices.len() >= usize::from(NONE) {
            return Err(DetourError::TooLarge(format!("{} vertices", parts.vertices.len())));
        }
        let polygons = Polygons { parts, pieces, first_piece };
        let most = polygons.cells().into_iter().flatten().fold(0.0, f64::max);
        if most >= f64::from(NONE) {
            return Err(DetourError::TooLarge(format!("a side of {most} cells")));
        }
        Ok(polygons)
    }

    fn pieces_of(&self, polygon: u32) -> Range<usize> {
        self.first_piece[polygon as usize]..self.first_piece[polygon as usize + 1]
    }

    /// Returns the piece of a polygon in which a place lies.
    pub(super) fn piece(&self, polygon: u32, at: [f64; 2]) -> usize {
        let inside = |piece: &usize| least_distance(&self.parts, &self.pieces[*piece], at);
        let best = self.pieces_of(polygon).max_by(|a, b| inside(a).total_cmp(&inside(b)));
        best.expect("every polygon has a piece")
    }

    /// Returns the least and the greatest coordinates of all vertices.
    fn bounds(&self) -> [[f64; 3]; 2] {
        let bound = |start: f64, of: fn(f64, f64) -> f64| {
            [0, 1, 2].map(|axis| self.parts.vertices.iter().map(|at| at[axis]).fold(start, of))
        };
        [bound(f64::INFINITY, f64::min), bound(f64::NEG_INFINITY, f64::max)]
    }

    /// Returns the side and the height of a cell.
    fn units() -> [f64; 2] {
        let options = BuildOptions::default();
        [options.cell_size, options.cell_height].map(|unit| f64::from(unit) / FINER)
    }

    /// Returns the place of every vertex in cells: across, up, down.
    fn cells(&self) -> Vec<[f64; 3]> {
        let [least, _] = self.bounds();
        let [side, height] = Polygons::units();
        let cell = |at: &[f64; 3]| {
            [(at[0] - least[0]) / side, (at[2] - least[2]) / height, (at[1] - least[1]) / side].map(f64::round)
        };
        self.parts.vertices.iter().map(cell).collect()
    }

    /// Returns the mesh in the words that the program reads.
    pub(super) fn text(&self) -> String {
        let [side, height] = Polygons::units();
        let mut text = format!("{} {} {side} {height}\n", self.parts.vertices.len(), self.pieces.len());
        for [x, y, z] in self.bounds() {
            let _ = writeln!(text, "{x} {z} {y}");
        }
        for [x, y, z] in self.cells() {
            let _ = writeln!(text, "{x} {y} {z}");
        }
        let beyond = self.piece_by_edge();
        for corners in &self.pieces {
            let vertex = |corner: usize| corners.get(corner).map_or(NONE, |&vertex| vertex as u16);
            let neighbour = |corner: usize| {
                let edge = corners.get(corner).map(|&from| [corners[(corner + 1) % corners.len()], from]);
                edge.and_then(|edge| beyond.get(&edge)).map_or(NONE, |&piece| piece as u16)
            };
            for number in (0..CORNERS).map(vertex).chain((0..CORNERS).map(neighbour)) {
                let _ = write!(text, "{number} ");
            }
            text.push('\n');
        }
        text
    }

    /// Returns which piece each edge belongs to, by its two vertices in the piece's order.
    fn piece_by_edge(&self) -> HashMap<[u32; 2], usize> {
        let edges = self.pieces.iter().enumerate().flat_map(|(piece, corners)| {
            (0..corners.len()).map(move |corner| ([corners[corner], corners[(corner + 1) % corners.len()]], piece))
        });
        edges.collect()
    }
}

/// Cuts a convex polygon into pieces of at most six corners. Each cut leaves as much as possible on its smaller side, so that
/// corners in a straight line do not become a piece without area.
fn cut(parts: &MeshParts, mut corners: Vec<u32>, pieces: &mut Vec<Vec<u32>>) {
    while corners.len() > CORNERS {
        let count = corners.len();
        let turned = |by: usize| -> Vec<u32> { (0..count).map(|corner| corners[(corner + by) % count]).collect() };
        let split = |by: usize| {
            let turned = turned(by);
            let rest = [&turned[..1], &turned[CORNERS - 1..]].concat();
            (turned[..CORNERS].to_vec(), rest)
        };
        let smaller = |by: &usize| {
            let (piece, rest) = split(*by);
            area(parts, &piece).abs().min(area(parts, &rest).abs())
        };
        let best = (0..count).max_by(|a, b| smaller(a).total_cmp(&smaller(b)));
        let (piece, rest) = split(best.expect("a polygon has corners"));
        pieces.push(piece);
        corners = rest;
    }
    pieces.push(corners);
}

/// Returns twice the area of a polygon in the plan, negative if it winds clockwise.
fn area(parts: &MeshParts, corners: &[u32]) -> f64 {
    let at = |corner: usize| parts.vertices[corners[corner % corners.len()] as usize];
    let [origin_x, origin_y, _] = at(0);
    let cross = |corner: usize| {
        let ([ax, ay, _], [bx, by, _]) = (at(corner), at(corner + 1));
        (ax - origin_x) * (by - origin_y) - (bx - origin_x) * (ay - origin_y)
    };
    (0..corners.len()).map(cross).sum()
}

/// Returns how far a place lies from the nearest edge of a clockwise polygon, negative if it lies outside.
fn least_distance(parts: &MeshParts, corners: &[u32], [x, y]: [f64; 2]) -> f64 {
    let at = |corner: usize| parts.vertices[corners[corner % corners.len()] as usize];
    let distance = |corner: usize| {
        let ([ax, ay, _], [bx, by, _]) = (at(corner), at(corner + 1));
        ((by - ay) * (x - ax) - (bx - ax) * (y - ay)) / (bx - ax).hypot(by - ay)
    };
    (0..corners.len()).map(distance).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a polygon of ten corners, six of them in a straight line, beside a square.
    fn long() -> NavMesh {
        let mut parts = MeshParts::default();
        parts.vertices.extend((0..6).map(|x| [f64::from(x), 0.0, 0.0]));
        parts.vertices.extend([[6.0, 1.0, 0.0], [5.0, 2.0, 0.0], [0.0, 2.0, 0.0], [-1.0, 1.0, 0.0]]);
        parts.vertices.extend([[0.0, -1.0, 0.0], [1.0, -1.0, 0.0]]);
        parts.push(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 1);
        parts.push(&[10, 11, 1, 0], 1);
        NavMesh::new(&parts).unwrap()
    }

    #[test]
    fn long_polygons_are_cut_into_pieces_with_area() {
        let polygons = Polygons::new(&long()).unwrap();
        assert_eq!(polygons.first_piece, [0, 2, 3]);
        let areas: Vec<f64> = polygons.pieces.iter().map(|corners| -area(&polygons.parts, corners) / 2.0).collect();
        assert!(areas.iter().all(|&area| area > 0.4), "{areas:?}");
        assert!((areas.iter().sum::<f64>() - 13.0).abs() < 1e-3, "{areas:?}");
        assert!(polygons.pieces.iter().all(|corners| corners.len() <= CORNERS));
        for (polygon, at) in [(0, [0.1, 1.9]), (0, [5.9, 1.0]), (0, [2.5, 0.1]), (1, [0.5, -0.5])] {
            let piece = polygons.piece(polygon, at);
            assert!(polygons.pieces_of(polygon).contains(&piece));
            assert!(least_distance(&polygons.parts, &polygons.pieces[piece], at) > 0.0, "{at:?}");
        }
    }

    #[test]
    fn neighbours_are_mutual() {
        let polygons = Polygons::new(&long()).unwrap();
        let beyond = polygons.piece_by_edge();
        let shared = beyond.keys().filter(|&&[a, b]| beyond.contains_key(&[b, a])).count();
        assert_eq!(shared, 2 * 2);
        assert_eq!(polygons.text().lines().count(), 3 + 12 + 3);
    }
}
