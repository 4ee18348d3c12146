//! Joining tiles: polygons on both sides of the line between two tiles get the same vertices.
//!
//! Tiles know nothing of each other, so that an edge on one side may meet several on the other, or a part of one. Where two
//! edges lie on each other and their heights agree, the ends of the part that they have in common become corners of both
//! polygons; then each way through is a whole edge of both. Edges at other heights belong to other layers and are left alone.
//!
//! Not here: making the polygons of a tile.

use crate::tile::CellMesh;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Returns one mesh with the polygons of all tiles. Edges that lie on each other are joined if their heights differ by at
/// most `climb` in the middle of what they have in common.
pub(crate) fn stitch(tiles: Vec<CellMesh>, climb: u16) -> CellMesh {
    let mut seam = Seam::of(tiles);
    let lines = seam.border_lines();
    for sides in lines.values() {
        for joint in joints(sides, f64::from(climb)) {
            seam.join(&joint);
        }
    }
    seam.finish()
}

/// An edge of a polygon that has no polygon on its other side. It lies along one axis of the plan.
#[derive(Copy, Clone, PartialEq, Debug)]
struct BorderEdge {
    polygon: usize,
    /// The number of the edge in its polygon.
    edge: usize,
    /// The ends, the one with the lesser coordinate first.
    vertices: [u32; 2],
    /// The coordinates of the ends along the line.
    along: [i32; 2],
    /// The heights of the ends.
    heights: [i32; 2],
}

impl BorderEdge {
    /// Returns the height of the edge at a place along the line.
    fn height(&self, at: f64) -> f64 {
        let [start, end] = self.along.map(f64::from);
        let [low, high] = self.heights.map(f64::from);
        low + (high - low) * (at - start) / (end - start)
    }
}

/// The edges of one line, by the direction in which they lead.
type Sides = [Vec<BorderEdge>; 2];

/// A line of the plan: its axis and its coordinate.
type Line = (usize, i32);

/// A part of a line that two edges have in common.
struct Joint {
    edges: [BorderEdge; 2],
    ends: [i32; 2],
}

/// Returns what the edges of both sides have in common, each part of an edge at most once: where an edge could be joined
/// with several above each other, with the one whose height is nearest.
fn joints(sides: &Sides, climb: f64) -> Vec<Joint> {
    let mut pairs: Vec<(f64, Joint)> = Vec::new();
    for &first in &sides[0] {
        // The edges of a side are sorted by where they begin.
        for &second in sides[1].iter().take_while(|second| second.along[0] < first.along[1]) {
            let ends = [first.along[0].max(second.along[0]), first.along[1].min(second.along[1])];
            if ends[0] >= ends[1] {
                continue;
            }
            let middle = f64::from(ends[0] + ends[1]) / 2.;
            let difference = (first.height(middle) - second.height(middle)).abs();
            if difference <= climb {
                pairs.push((difference, Joint { edges: [first, second], ends }));
            }
        }
    }
    // The sort is stable, so that equal differences stay in the order of the edges.
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut taken: HashMap<(usize, usize), Vec<[i32; 2]>> = HashMap::new();
    let mut joints = Vec::new();
    for (_, joint) in pairs {
        let keys = joint.edges.map(|edge| (edge.polygon, edge.edge));
        let overlaps =
            |parts: &Vec<[i32; 2]>| parts.iter().any(|part| part[0] < joint.ends[1] && joint.ends[0] < part[1]);
        if keys.iter().any(|key| taken.get(key).is_some_and(overlaps)) {
            continue;
        }
        for key in keys {
            taken.entry(key).or_default().push(joint.ends);
        }
        joints.push(joint);
    }
    joints
}

/// All polygons while they are being joined.
struct Seam {
    mesh: CellMesh,
    /// For each vertex another one that it has become, or itself.
    same_as: Vec<u32>,
    /// New corners by polygon and edge, and on the edge by their coordinate along it.
    inserted: BTreeMap<(usize, usize), BTreeMap<i32, u32>>,
}

impl Seam {
    /// Puts the polygons of all tiles into one list.
    fn of(tiles: Vec<CellMesh>) -> Seam {
        let mut mesh = CellMesh::default();
        for tile in tiles {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(tile.vertices);
            let polygons = tile.polygons.into_iter();
            mesh.polygons
                .extend(polygons.map(|polygon| polygon.iter().map(|vertex| first + vertex).collect::<Vec<_>>()));
        }
        let same_as = (0..mesh.vertices.len() as u32).collect();
        Seam { mesh, same_as, inserted: BTreeMap::new() }
    }

    /// Returns the edges that lie along an axis and have no polygon on their other side, by the line that they lie on.
    fn border_lines(&self) -> BTreeMap<Line, Sides> {
        let edges = || self.mesh.polygons.iter().enumerate().flat_map(|(number, polygon)| edges_of(number, polygon));
        let all: HashSet<[u32; 2]> = edges().map(|(_, _, ends)| ends).collect();
        let mut lines: BTreeMap<Line, Sides> = BTreeMap::new();
        for (polygon, edge, [from, to]) in edges() {
            let [a, b] = [from, to].map(|vertex| self.mesh.vertices[vertex as usize]);
            if all.contains(&[to, from]) || (a[0] != b[0]) == (a[2] != b[2]) {
                continue;
            }
            let (axis, line) = if a[0] == b[0] { (2, a[0]) } else { (0, a[2]) };
            let is_back = a[axis] > b[axis];
            let (vertices, [a, b]) = if is_back { ([to, from], [b, a]) } else { ([from, to], [a, b]) };
            let (along, heights) = ([a[axis], b[axis]], [a[1], b[1]]);
            let edge = BorderEdge { polygon, edge, vertices, along, heights };
            lines.entry((axis, line)).or_default()[usize::from(is_back)].push(edge);
        }
        for side in lines.values_mut().flatten() {
            side.sort_by_key(|edge| (edge.along, edge.heights, edge.polygon));
        }
        lines
    }

    /// Gives both polygons of a joint the same two corners.
    fn join(&mut self, joint: &Joint) {
        for end in joint.ends {
            let [a, b] = joint.edges.map(|edge| self.corner(&edge, end));
            let (a, b) = (self.find(a), self.find(b));
            self.same_as[a.max(b) as usize] = a.min(b);
        }
    }

    /// Returns the vertex of an edge at a place along it. If there is none yet, it is inserted.
    fn corner(&mut self, edge: &BorderEdge, at: i32) -> u32 {
        if let Some(end) = edge.along.iter().position(|&along| along == at) {
            return edge.vertices[end];
        }
        let key = (edge.polygon, edge.edge);
        if let Some(&vertex) = self.inserted.get(&key).and_then(|corners| corners.get(&at)) {
            return vertex;
        }
        let vertex = self.mesh.vertices.len() as u32;
        let [from, to] = edge.vertices.map(|vertex| self.mesh.vertices[vertex as usize]);
        let height = edge.height(f64::from(at)).round() as i32;
        let place = if from[0] == to[0] { [from[0], height, at] } else { [at, height, from[2]] };
        self.mesh.vertices.push(place);
        self.same_as.push(vertex);
        self.inserted.entry(key).or_default().insert(at, vertex);
        vertex
    }

    /// Returns the vertex that a vertex has become.
    fn find(&mut self, mut vertex: u32) -> u32 {
        while self.same_as[vertex as usize] != vertex {
            let next = self.same_as[vertex as usize];
            self.same_as[vertex as usize] = self.same_as[next as usize];
            vertex = next;
        }
        vertex
    }

    /// Returns the polygons with their new corners, and only the vertices that are in use.
    fn finish(mut self) -> CellMesh {
        let mut mesh = CellMesh::default();
        let mut number_by_vertex: HashMap<u32, u32> = HashMap::new();
        for (polygon, corners) in std::mem::take(&mut self.mesh.polygons).iter().enumerate() {
            let mut all = Vec::with_capacity(corners.len());
            for (_, edge, [from, to]) in edges_of(polygon, corners) {
                all.push(from);
                let Some(inserted) = self.inserted.get(&(polygon, edge)) else { continue };
                let [a, b] = [from, to].map(|vertex| self.mesh.vertices[vertex as usize]);
                if a[0] + a[2] < b[0] + b[2] {
                    all.extend(inserted.values());
                } else {
                    all.extend(inserted.values().rev());
                }
            }
            for vertex in &mut all {
                let root = self.find(*vertex);
                *vertex = *number_by_vertex.entry(root).or_insert_with(|| {
                    mesh.vertices.push(self.mesh.vertices[root as usize]);
                    mesh.vertices.len() as u32 - 1
                });
            }
            mesh.polygons.push(all);
        }
        mesh
    }
}

/// Returns the edges of a polygon: its number, theirs and their ends.
fn edges_of(number: usize, polygon: &[u32]) -> impl Iterator<Item = (usize, usize, [u32; 2])> {
    let count = polygon.len();
    (0..count).map(move |edge| (number, edge, [polygon[edge], polygon[(edge + 1) % count]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a tile with one polygon for each list of corners.
    fn tile(polygons: &[&[[i32; 3]]]) -> CellMesh {
        let mut mesh = CellMesh::default();
        for corners in polygons {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend_from_slice(corners);
            mesh.polygons.push((first..mesh.vertices.len() as u32).collect());
        }
        mesh
    }

    /// Returns a rectangle from one corner of the plan to the other, at a height.
    fn rectangle(from: [i32; 2], to: [i32; 2], height: i32) -> [[i32; 3]; 4] {
        let ([left, top], [right, bottom]) = (from, to);
        [[left, height, top], [left, height, bottom], [right, height, bottom], [right, height, top]]
    }

    /// Returns the pairs of polygons that have a whole edge in common, and its length.
    fn portals(mesh: &CellMesh) -> Vec<(usize, usize, i32)> {
        let mut found = Vec::new();
        let edges: Vec<_> = mesh.polygons.iter().enumerate().flat_map(|(i, polygon)| edges_of(i, polygon)).collect();
        for &(a, _, [from, to]) in &edges {
            for &(b, _, ends) in edges.iter().filter(|edge| edge.0 > a) {
                if ends == [to, from] {
                    let [from, to] = ends.map(|vertex| mesh.vertices[vertex as usize]);
                    found.push((a, b, (to[0] - from[0]).abs() + (to[2] - from[2]).abs()));
                }
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn a_long_edge_is_divided_where_shorter_ones_end() {
        let left = tile(&[&rectangle([0, 0], [8, 16], 5)]);
        let right =
            tile(&[&rectangle([8, -3], [12, 4], 5), &rectangle([8, 6], [12, 9], 6), &rectangle([8, 9], [12, 12], 5)]);
        let mesh = stitch(vec![left, right], 2);
        assert_eq!(portals(&mesh), [(0, 1, 4), (0, 2, 3), (0, 3, 3), (2, 3, 4)]);
        assert_eq!(mesh.polygons[0].len(), 8, "four corners, and new ones at 4, 6, 9 and 12");
        assert_eq!(mesh.polygons[1].len(), 5, "the upper left polygon ends beyond the long edge");
    }

    #[test]
    fn layers_above_each_other_are_joined_each_with_its_own() {
        let left = tile(&[&rectangle([0, 0], [8, 8], 0), &rectangle([0, 0], [8, 8], 20)]);
        let right =
            tile(&[&rectangle([8, 0], [16, 8], 19), &rectangle([8, 0], [16, 8], 1), &rectangle([8, 0], [16, 8], 40)]);
        let mesh = stitch(vec![left, right], 4);
        assert_eq!(portals(&mesh), [(0, 3, 8), (1, 2, 8)]);
        assert_eq!(mesh.vertices.len(), 20 - 4);
    }

    #[test]
    fn the_nearer_of_two_layers_within_a_step_is_taken() {
        let left = tile(&[&rectangle([0, 0], [8, 8], 10)]);
        let right = tile(&[&rectangle([8, 0], [16, 8], 13), &rectangle([8, 0], [16, 8], 9)]);
        assert_eq!(portals(&stitch(vec![left, right], 4)), [(0, 2, 8)]);
    }

    #[test]
    fn four_tiles_meet_in_one_vertex() {
        let tiles = [[0, 0], [8, 0], [0, 8], [8, 8]].map(|[x, z]| tile(&[&rectangle([x, z], [x + 8, z + 8], x / 8)]));
        let mesh = stitch(tiles.into(), 2);
        assert_eq!(mesh.vertices.len(), 9);
    }
}
