//! `.gltf` and `.glb`: level geometry in Khronos' format.
//!
//! The triangles of all nodes of the default scene are read, or of the first scene if none is the default one, each where
//! its node puts it. Positions must be 32-bit floating-point numbers, as the format has it without extensions. Points, lines,
//! materials, pictures, skins and animations are left out. Buffers may be in the file, in the second part of a `.glb`, or in
//! files beside it.
//!
//! Crate `gltf` reads and checks the description; the parts of a `.glb` and what lies in the buffers are read here, because
//! the crate panics where these are too short.
//!
//! Not here: what is made from geometry.

mod buffers;
mod container;

use crate::error::ReadError;
use crate::geometry::Geometry;
use buffers::{Buffers, numbers, positions};
use gltf::json::deserialize::from_slice;
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};
use gltf::mesh::{Mode, Primitive};
use gltf::{Document, Node, Scene, Semantic};

/// The most triangles that are read, and the most vertices. A small file can ask for very many, by using one mesh in many
/// places.
pub const MOST: usize = 1 << 24;

/// A transformation: four columns of four numbers.
type Matrix = [[f64; 4]; 4];

/// Returns whether a file begins like a `.glb`.
pub fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF")
}

/// Reads geometry. `load` returns the bytes of a file that is named relative to this one, or why they cannot be had.
///
/// # Errors
/// When the description is not as the format has it, a buffer cannot be had or is too short, the nodes are no tree, there
/// are more than [`MOST`] triangles or vertices, or none at all.
pub fn read(bytes: &[u8], load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>) -> Result<Geometry, ReadError> {
    let (text, blob) = if is_glb(bytes) { container::split(bytes)? } else { (bytes, None) };
    let file = describe(text)?;
    let scene = file.default_scene().or_else(|| file.scenes().next());
    let scene = scene.ok_or_else(|| ReadError::of_whole("a scene", "none"))?;
    let mut buffers = Buffers::new(blob, load);
    let mut geometry = Geometry::default();
    for (node, matrix) in placed(&scene, file.nodes().len())? {
        let Some(mesh) = node.mesh() else { continue };
        for primitive in mesh.primitives() {
            let name = || format!("mesh {}, primitive {}", mesh.index(), primitive.index());
            add(&mut geometry, &primitive, &matrix, &mut buffers).map_err(|fault| inside(fault, &name()))?;
        }
    }
    if geometry.triangles.is_empty() { Err(ReadError::of_whole("at least one triangle", "none")) } else { Ok(geometry) }
}

/// Returns the description, checked. The crate's checks panic where positions are in an accessor that there is not, so that
/// this is looked at before.
fn describe(text: &[u8]) -> Result<Document, ReadError> {
    let json: Root = from_slice(text).map_err(|fault| of_description(&gltf::Error::Deserialize(fault)))?;
    for (mesh, primitive) in
        json.meshes.iter().enumerate().flat_map(|(i, mesh)| mesh.primitives.iter().map(move |p| (i, p)))
    {
        let accessor = primitive.attributes.get(&Checked::Valid(Semantic::Positions)).map(Index::value);
        if let Some(accessor) = accessor.filter(|&accessor| accessor >= json.accessors.len()) {
            let expected = format!("one of {} accessors", json.accessors.len());
            return Err(ReadError::of_whole(expected, format!("accessor {accessor} in mesh {mesh}")));
        }
    }
    Document::from_json(json).map_err(|fault| of_description(&fault))
}

/// Returns the fault of a description that crate `gltf` refuses.
fn of_description(fault: &gltf::Error) -> ReadError {
    let whole = ReadError::of_whole("a description as glTF 2 has it", fault.to_string());
    match fault {
        gltf::Error::Deserialize(fault) => ReadError { line: fault.line(), column: fault.column(), ..whole },
        _ => whole,
    }
}

/// Returns a fault that says in which part of the file it is.
fn inside(fault: ReadError, part: &str) -> ReadError {
    ReadError { found: format!("{} in {part}", fault.found), ..fault }
}

/// Returns all nodes of a scene with the transformations that put them into their places. `count` is the number of nodes
/// in the file.
fn placed<'a>(scene: &Scene<'a>, count: usize) -> Result<Vec<(Node<'a>, Matrix)>, ReadError> {
    const UNMOVED: Matrix = [[1., 0., 0., 0.], [0., 1., 0., 0.], [0., 0., 1., 0.], [0., 0., 0., 1.]];
    let mut is_seen = vec![false; count];
    let mut open: Vec<(Node, Matrix)> = scene.nodes().map(|node| (node, UNMOVED)).collect();
    open.reverse();
    let mut placed = Vec::new();
    while let Some((node, parent)) = open.pop() {
        if std::mem::replace(&mut is_seen[node.index()], true) {
            return Err(ReadError::of_whole(
                "nodes that have one parent each",
                format!("several of node {}", node.index()),
            ));
        }
        let matrix = product(&parent, &node.transform().matrix().map(|column| column.map(f64::from)));
        let first = open.len();
        open.extend(node.children().map(|child| (child, matrix)));
        open[first..].reverse();
        placed.push((node, matrix));
    }
    Ok(placed)
}

/// Returns the transformation that first does `b` and then `a`.
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    b.map(|column| [0, 1, 2, 3].map(|row| (0..4).map(|i| a[i][row] * column[i]).sum()))
}

/// Returns where a transformation puts a point, or `None` if that is not finite.
fn moved(matrix: &Matrix, [x, y, z]: [f32; 3]) -> Option<[f32; 3]> {
    let [x, y, z] = [x, y, z].map(f64::from);
    let at =
        [0, 1, 2].map(|row| (matrix[0][row] * x + matrix[1][row] * y + matrix[2][row] * z + matrix[3][row]) as f32);
    at.iter().all(|coordinate| coordinate.is_finite()).then_some(at)
}

/// Returns whether a transformation turns left into right.
fn is_mirror(matrix: &Matrix) -> bool {
    let [a, b, c, _] = matrix;
    let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2] < 0.
}

/// Adds the triangles of a primitive.
fn add(
    geometry: &mut Geometry,
    primitive: &Primitive,
    matrix: &Matrix,
    buffers: &mut Buffers,
) -> Result<(), ReadError> {
    if !matches!(primitive.mode(), Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
        return Ok(());
    }
    let Some(accessor) = primitive.get(&Semantic::Positions) else { return Ok(()) };
    let indices = primitive.indices();
    let corners = indices.as_ref().map_or(accessor.count(), gltf::Accessor::count);
    let totals =
        [("vertices", geometry.vertices.len(), accessor.count()), ("triangles", geometry.triangles.len(), corners)];
    for (what, known, more) in totals {
        if more > MOST || known + more > MOST {
            return Err(ReadError::of_whole(format!("at most {MOST} {what}"), "more"));
        }
    }
    let first = geometry.vertices.len() as u32;
    let vertices = positions(&accessor, buffers)?;
    let count = vertices.len() as u32;
    for at in vertices {
        let at = moved(matrix, at).ok_or_else(|| ReadError::of_whole("finite positions", "others"))?;
        geometry.vertices.push(at);
    }
    let corners = match indices {
        Some(indices) => numbers(&indices, buffers)?,
        None => (0..count).collect(),
    };
    if let Some(corner) = corners.iter().find(|&&corner| corner >= count) {
        return Err(ReadError::of_whole(format!("one of {count} vertices"), format!("vertex {corner}")));
    }
    let mirrors = is_mirror(matrix);
    geometry.triangles.extend(triangles(primitive.mode(), &corners).map(|[a, b, c]| {
        let [b, c] = if mirrors { [c, b] } else { [b, c] };
        [a, b, c].map(|corner| first + corner)
    }));
    Ok(())
}

/// Returns the triangles that a list of corners stands for.
fn triangles(mode: Mode, corners: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    let count = if mode == Mode::Triangles { corners.len() / 3 } else { corners.len().saturating_sub(2) };
    (0..count).map(move |i| match mode {
        Mode::TriangleFan => [corners[i + 1], corners[i + 2], corners[0]],
        // Every other triangle of a strip is wound the other way.
        Mode::TriangleStrip => [corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]],
        _ => [corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]],
    })
}

#[cfg(test)]
mod tests;
