//! Writing a mesh in Polyanya's format. Not here: reading one.

use super::Version;
use crate::mesh_structure;
use portolan::MeshParts;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::Write;

/// Why a mesh cannot be written in this format without a loss.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolyanyaError {
    /// A vertex has a height.
    #[error("vertex {vertex} has height {height}, and the format has no heights; set them to 0 to leave them out")]
    Height {
        /// The vertex.
        vertex: usize,
        /// Its height.
        height: f64,
    },
    /// A polygon has a weight that the version does not have.
    #[error("polygon {polygon} has weight {weight}: version {} of the format has {}", version.number(),
        if *version == Version::Two { "1 only" } else { "0 and 1 only" })]
    Weight {
        /// The polygon.
        polygon: usize,
        /// Its weight.
        weight: u8,
        /// The version of the format.
        version: Version,
    },
    /// The mesh has links, and the format has none.
    #[error("the mesh has {count} links, and the format has none")]
    Links {
        /// How many links there are.
        count: usize,
    },
    /// The lists of the mesh do not fit each other.
    #[error("the parts are no mesh: expected {expected}, found {found}")]
    Unsound {
        /// What a mesh has there.
        expected: String,
        /// What is there instead.
        found: String,
    },
}

/// Writes a mesh. [`read()`](super::read) gives it back unchanged if the engine accepts it, except that polygons which wind
/// clockwise are turned, because the format has them counterclockwise.
///
/// # Errors
/// When the version cannot hold all of the mesh.
pub fn write(parts: &MeshParts, version: Version) -> Result<String, PolyanyaError> {
    check(parts, version)?;
    let mesh = Wound::of(parts);
    let mut text = format!("mesh\n{}\n{} {}\n", version.number(), parts.vertices.len(), mesh.polygons.len());
    let around = if version == Version::Two { mesh.around(parts) } else { Vec::new() };
    for (vertex, [x, y, _]) in parts.vertices.iter().enumerate() {
        let _ = write!(text, "{x} {y}");
        if let Some(polygons) = around.get(vertex) {
            let _ = write!(text, " {}", polygons.len());
            push_all(&mut text, polygons.iter().copied());
        }
        text.push('\n');
    }
    let base = i64::from(version == Version::Three);
    for (polygon, corners) in mesh.polygons.iter().enumerate() {
        if version == Version::Three {
            let _ = write!(text, "{} ", parts.weights[polygon]);
        }
        let _ = write!(text, "{}", corners.len());
        push_all(&mut text, corners.iter().map(|&vertex| i64::from(vertex) + base));
        let beyond = (0..corners.len()).map(|corner| {
            let from = corners[(corner + corners.len() - 1) % corners.len()];
            let Some(&beyond) = mesh.polygon_by_edge.get(&[corners[corner], from]) else { return base - 1 };
            let is_wall = parts.weights[polygon] != parts.weights[beyond as usize];
            let number = i64::from(beyond) + base;
            if is_wall { -number } else { number }
        });
        push_all(&mut text, beyond);
        text.push('\n');
    }
    Ok(text)
}

/// Appends numbers, each after a blank.
fn push_all(text: &mut String, numbers: impl Iterator<Item = i64>) {
    for number in numbers {
        let _ = write!(text, " {number}");
    }
}

/// Checks that the version can hold all of a mesh.
fn check(parts: &MeshParts, version: Version) -> Result<(), PolyanyaError> {
    mesh_structure::check(parts)
        .map_err(|misfit| PolyanyaError::Unsound { expected: misfit.expected, found: misfit.found })?;
    if let Some(vertex) = parts.vertices.iter().position(|vertex| vertex[2] != 0.) {
        return Err(PolyanyaError::Height { vertex, height: parts.vertices[vertex][2] });
    }
    let is_known = |weight: u8| weight == 1 || weight == 0 && version == Version::Three;
    if let Some(polygon) = parts.weights.iter().position(|&weight| !is_known(weight)) {
        return Err(PolyanyaError::Weight { polygon, weight: parts.weights[polygon], version });
    }
    if parts.links.is_empty() { Ok(()) } else { Err(PolyanyaError::Links { count: parts.links.len() }) }
}

/// The polygons of a mesh, counterclockwise.
struct Wound {
    polygons: Vec<Vec<u32>>,
    polygon_by_edge: HashMap<[u32; 2], u32>,
}

impl Wound {
    fn of(parts: &MeshParts) -> Wound {
        let mut polygons: Vec<Vec<u32>> =
            (0..parts.polygons()).map(|polygon| parts.polygon(polygon).to_vec()).collect();
        let area = |corners: &Vec<u32>| -> f64 {
            let at = |corner: usize| parts.vertices[corners[corner % corners.len()] as usize];
            (0..corners.len()).map(|i| at(i)[0] * at(i + 1)[1] - at(i + 1)[0] * at(i)[1]).sum()
        };
        if polygons.iter().map(area).sum::<f64>() < 0. {
            for corners in polygons.iter_mut().filter(|corners| !corners.is_empty()) {
                corners[1..].reverse();
            }
        }
        let mut polygon_by_edge = HashMap::new();
        for (polygon, corners) in polygons.iter().enumerate() {
            for (corner, &from) in corners.iter().enumerate() {
                polygon_by_edge.insert([from, corners[(corner + 1) % corners.len()]], polygon as u32);
            }
        }
        Wound { polygons, polygon_by_edge }
    }

    /// Returns for each vertex the polygons around it, counterclockwise, with -1 between two that do not touch.
    fn around(&self, parts: &MeshParts) -> Vec<Vec<i64>> {
        let mut corners: Vec<Vec<Corner>> = vec![Vec::new(); parts.vertices.len()];
        for (polygon, vertices) in self.polygons.iter().enumerate() {
            let count = vertices.len();
            for (i, &vertex) in vertices.iter().enumerate() {
                let (before, after) = (vertices[(i + count - 1) % count], vertices[(i + 1) % count]);
                corners[vertex as usize].push(Corner { polygon: polygon as u32, before, after });
            }
        }
        let sorted = |(vertex, corners): (usize, &Vec<Corner>)| fans(parts, vertex, corners);
        corners.iter().enumerate().map(sorted).collect()
    }
}

/// A corner of a polygon, and the vertices before and after it. Counterclockwise around the corner, the polygon begins at
/// the vertex after it and ends at the one before.
#[derive(Copy, Clone)]
struct Corner {
    polygon: u32,
    before: u32,
    after: u32,
}

/// Returns the polygons around a vertex. Those that touch form a fan; after each fan that does not go all around comes -1.
fn fans(parts: &MeshParts, vertex: usize, corners: &[Corner]) -> Vec<i64> {
    let at = |other: u32| {
        let [[x, y, _], [left, top, _]] = [parts.vertices[other as usize], parts.vertices[vertex]];
        [x - left, y - top]
    };
    // Fans begin where no polygon ends; those that go all around may begin anywhere.
    let begins = |corner: &Corner| !corners.iter().any(|other| other.before == corner.after);
    let mut order: Vec<Corner> = corners.to_vec();
    order.sort_by(|a, b| {
        begins(b).cmp(&begins(a)).then(by_angle(at(a.after), at(b.after))).then(a.polygon.cmp(&b.polygon))
    });
    let mut is_listed = vec![false; corners.len()];
    let mut list = Vec::new();
    for first in order {
        let mut next = corners.iter().position(|corner| corner.polygon == first.polygon && corner.after == first.after);
        let mut before = None;
        while let Some(index) = next.filter(|&index| !is_listed[index]) {
            is_listed[index] = true;
            list.push(i64::from(corners[index].polygon));
            before = Some(corners[index].before);
            next = corners.iter().position(|corner| Some(corner.after) == before);
        }
        if before.is_some() && before != Some(first.after) {
            list.push(-1);
        }
    }
    if list.is_empty() { vec![-1] } else { list }
}

/// Compares two directions by their angle from that of the x axis, counterclockwise.
fn by_angle(a: [f64; 2], b: [f64; 2]) -> Ordering {
    let half = |[x, y]: [f64; 2]| y < 0. || (y == 0. && x < 0.);
    half(a).cmp(&half(b)).then_with(|| (b[0] * a[1]).total_cmp(&(a[0] * b[1])))
}
