//! `.mesh`: navigation meshes in the plan, as the authors of Polyanya publish them, versions 2 and 3.
//!
//! The lines are `mesh`, the version, and `V P`, the numbers of vertices and polygons; then a line for each vertex and one
//! for each polygon:
//!
//! | version | vertex | polygon |
//! |---|---|---|
//! | 2 | `x y n p1 … pn`: the polygons around it, counterclockwise, -1 for what is blocked | `n v1 … vn p1 … pn` |
//! | 3 | `x y` | `f n v1 … vn p1 … pn`: first 1 if the polygon is free, 0 if it is blocked |
//!
//! In a polygon's line, `p1` is the polygon beyond the edge from `vn` to `v1`, `p2` the one beyond that from `v1` to `v2`, and
//! so on. Version 2 counts from 0, and -1 means that there is no polygon. Version 3 counts from 1, 0 means that there is no
//! polygon, and a negative number means that the edge to that polygon is a wall.
//!
//! The engine knows neighbours by the vertices that they have in common. A file in which other polygons than these are
//! neighbours is refused, and so is a wall between two free polygons, which would be lost.
//!
//! The format has no heights: they are 0. Not here: scenarios.

mod write;

pub use write::{PolyanyaError, write};

use crate::error::ReadError;
use crate::text::{Field, Line, Lines};
use portolan::MeshParts;
use std::collections::HashMap;

/// The versions of the format.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Version {
    /// Version 2, which has no blocked polygons.
    Two,
    /// Version 3, which has free and blocked polygons.
    Three,
}

impl Version {
    /// Returns the number of the version.
    pub fn number(self) -> u8 {
        match self {
            Version::Two => 2,
            Version::Three => 3,
        }
    }
}

/// Returns whether a file begins like one of this format.
pub fn is_polyanya(bytes: &[u8]) -> bool {
    Lines::new(bytes).words(&["mesh"]).is_ok()
}

/// Reads a mesh. Free polygons get weight 1, blocked ones 0.
///
/// # Errors
/// When a line is not as described, the neighbours of a polygon are not those with which it has an edge in common, or
/// anything follows the last polygon.
pub fn read(bytes: &[u8]) -> Result<MeshParts, ReadError> {
    let mut lines = Lines::new(bytes);
    lines.words(&["mesh"])?;
    let line = next(&mut lines, "the version of the format")?;
    let (version, field) = exactly::<u8>(line, 1, "version 2 or 3")?[0];
    let version = match version {
        2 => Version::Two,
        3 => Version::Three,
        _ => return Err(field.fault("version 2 or 3")),
    };
    let counts = next(&mut lines, "the numbers of vertices and polygons")?;
    let counts = exactly::<usize>(counts, 2, "a number of vertices and a number of polygons")?;
    for (count, field) in &counts {
        // The shortest line of a vertex or polygon has four bytes. A file that promises more lines than it has room for is
        // refused before any memory is taken.
        if *count > lines.bytes_left() / 4 + 1 {
            return Err(field.fault("no more vertices and polygons than the file has room for"));
        }
    }
    let [vertices, polygons] = [counts[0].0, counts[1].0];
    let mut reader =
        Reader { version, parts: MeshParts::default(), first_line: 0, around: Vec::new(), stated: Vec::new() };
    for vertex in 0..vertices {
        let line = next(&mut lines, &format!("vertex {vertex} of {vertices}"))?;
        reader.vertex(line, polygons)?;
    }
    for polygon in 0..polygons {
        let line = next(&mut lines, &format!("polygon {polygon} of {polygons}"))?;
        reader.polygon(line, polygons)?;
    }
    lines.end()?;
    reader.check()?;
    Ok(reader.parts)
}

/// Takes the next line.
fn next<'a>(lines: &mut Lines<'a>, expected: &str) -> Result<Line<'a>, ReadError> {
    lines.next().ok_or_else(|| lines.ended(expected))
}

/// Returns all fields of a line, of which there must be `count`, as numbers.
fn exactly<'a, T: std::str::FromStr>(
    line: Line<'a>,
    count: usize,
    expected: &str,
) -> Result<Vec<(T, Field<'a>)>, ReadError> {
    let mut fields = line.fields();
    let mut numbers = Vec::new();
    for _ in 0..count {
        let field = fields.next().unwrap_or(line.end());
        numbers.push((field.parse(|_| true, expected)?, field));
    }
    fields.next().map_or(Ok(numbers), |extra| Err(extra.fault("end of line")))
}

/// A mesh while it is read.
struct Reader {
    version: Version,
    parts: MeshParts,
    /// The line of the first polygon.
    first_line: usize,
    /// Vertices and the polygons around them, as stated at the vertices.
    around: Vec<(u32, u32)>,
    /// For each corner the polygon beyond the edge that ends there, as stated.
    stated: Vec<i64>,
}

impl Reader {
    /// Reads the line of a vertex.
    fn vertex(&mut self, line: Line, polygons: usize) -> Result<(), ReadError> {
        let mut fields = line.fields();
        let mut at = [0.; 3];
        for coordinate in &mut at[..2] {
            let field = fields.next().unwrap_or(line.end());
            *coordinate = field.parse(|number: &f64| number.is_finite(), "a finite coordinate")?;
        }
        let vertex = self.parts.vertices.len() as u32;
        self.parts.vertices.push(at);
        if self.version == Version::Two {
            let field = fields.next().unwrap_or(line.end());
            let count: usize = field.parse(|_| true, "the number of polygons around the vertex")?;
            let expected = || format!("a polygon from 0 to {} or -1", polygons as i64 - 1);
            for _ in 0..count {
                let field = fields.next().unwrap_or(line.end());
                let polygon: i64 = field.parse(|polygon| (-1..polygons as i64).contains(polygon), &expected())?;
                if polygon >= 0 {
                    self.around.push((vertex, polygon as u32));
                }
            }
        }
        fields.next().map_or(Ok(()), |extra| Err(extra.fault("end of line")))
    }

    /// Reads the line of a polygon.
    fn polygon(&mut self, line: Line, polygons: usize) -> Result<(), ReadError> {
        if self.first_line == 0 {
            self.first_line = line.number;
        }
        let mut fields = line.fields();
        let mut field = || fields.next().unwrap_or(line.end());
        let is_free = self.version == Version::Two || field().parse(|&flag: &u8| flag <= 1, "0 or 1")? == 1;
        let count: usize = field().parse(|&count| count >= 3, "a number of corners from 3")?;
        let base = i64::from(self.version == Version::Three);
        let vertices = self.parts.vertices.len() as i64;
        let mut corners = Vec::new();
        for _ in 0..count {
            let range = base..vertices + base;
            let expected = || format!("a vertex from {} to {}", range.start, range.end - 1);
            let corner = field();
            let vertex: i64 = corner.parse(|_| true, &expected())?;
            let known = range.contains(&vertex).then_some((vertex - base) as u32);
            corners.push(known.ok_or_else(|| corner.fault(expected()))?);
        }
        let most = polygons as i64 - 1 + base;
        let least = if self.version == Version::Two { -1 } else { -most };
        for _ in 0..count {
            let beyond = field();
            let expected = || format!("a polygon from {least} to {most}");
            let polygon: i64 = beyond.parse(|_| true, &expected())?;
            let known = (least..=most).contains(&polygon).then_some(polygon);
            self.stated.push(known.ok_or_else(|| beyond.fault(expected()))?);
        }
        self.parts.push(&corners, u8::from(is_free));
        fields.next().map_or(Ok(()), |extra| Err(extra.fault("end of line")))
    }

    /// Checks that the neighbours stated are those that have an edge or a vertex in common.
    fn check(&mut self) -> Result<(), ReadError> {
        let parts = &self.parts;
        let mut polygon_by_edge: HashMap<[u32; 2], u32> = HashMap::new();
        for (polygon, from, to, _) in edges(parts) {
            if polygon_by_edge.insert([from, to], polygon).is_some() {
                let expected = format!("no other polygon on this side of the edge from vertex {from} to {to}");
                return Err(self.fault(polygon, expected, "one"));
            }
        }
        for (polygon, from, to, corner) in edges(parts) {
            let beyond = polygon_by_edge.get(&[to, from]).copied();
            let number = |beyond: u32| i64::from(beyond) + i64::from(self.version == Version::Three);
            let none = if self.version == Version::Two { -1 } else { 0 };
            let (stated, expected) = (self.stated[corner], beyond.map_or(none, number));
            let is_wall = self.version == Version::Three && stated < 0;
            if (if is_wall { -stated } else { stated }) != expected {
                let expected = format!("polygon {expected} beyond the edge from vertex {from} to {to}");
                return Err(self.fault(polygon, expected, stated.to_string()));
            }
            let is_free = |polygon: u32| parts.weights[polygon as usize] > 0;
            if is_wall && is_free(polygon) && beyond.is_some_and(is_free) {
                let expected = format!("no wall between two free polygons at the edge from vertex {from} to {to}");
                return Err(self.fault(polygon, expected, stated.to_string()));
            }
        }
        if self.version == Version::Three {
            return Ok(());
        }
        let mut corners: Vec<(u32, u32)> = edges(parts).map(|(polygon, _, to, _)| (to, polygon)).collect();
        corners.sort_unstable();
        self.around.sort_unstable();
        let first = corners.iter().zip(&self.around).position(|(a, b)| a != b);
        let first = first.or((corners.len() != self.around.len()).then_some(corners.len().min(self.around.len())));
        let Some(first) = first else { return Ok(()) };
        let vertex = [&corners, &self.around].iter().filter_map(|list| list.get(first)).map(|pair| pair.0).min();
        let vertex = vertex.unwrap_or(0) as usize;
        let line = self.first_line.saturating_sub(self.parts.vertices.len()) + vertex;
        let fault = ReadError::of_whole("the polygons that have a corner at this vertex", "others");
        Err(ReadError { line, ..fault })
    }

    /// Returns the fault of a polygon.
    fn fault(&self, polygon: u32, expected: String, found: impl Into<String>) -> ReadError {
        ReadError { line: self.first_line + polygon as usize, ..ReadError::of_whole(expected, found) }
    }
}

/// Returns all edges: their polygon, the vertices from and to which they lead, and the place of the corner at their end.
fn edges(parts: &MeshParts) -> impl Iterator<Item = (u32, u32, u32, usize)> + '_ {
    (0..parts.polygons()).flat_map(move |polygon| {
        let corners = parts.polygon(polygon);
        let first = parts.first_corner[polygon] as usize;
        let before = |corner: usize| corners[(corner + corners.len() - 1) % corners.len()];
        (0..corners.len()).map(move |corner| (polygon as u32, before(corner), corners[corner], first + corner))
    })
}

#[cfg(test)]
mod tests;
