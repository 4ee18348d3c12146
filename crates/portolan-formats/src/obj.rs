//! `.obj`: level geometry in Wavefront's text format.
//!
//! Of its statements, `v` (a vertex) and `f` (a face) are read; texture coordinates, normals, groups, materials, lines
//! and curved surfaces are skipped. A face of more than three corners becomes a fan of triangles around its first corner.
//! A corner is `7`, `7/1`, `7//3` or `7/1/3`, of which the first number is the vertex: counted from 1, or backward from
//! -1, the vertex stated last. A face may name only vertices that were stated before it.
//!
//! Read by hand and not by a crate, because an error is to say the line and what was expected there.
//!
//! Not here: materials, and what is made from geometry.

use crate::error::ReadError;
use crate::geometry::Geometry;
use crate::text::{Field, Line, Lines};
use std::fmt::Write;

/// The statements that are skipped.
const SKIPPED: [&str; 36] = [
    "vt",
    "vn",
    "vp",
    "g",
    "o",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "l",
    "p",
    "deg",
    "bmat",
    "step",
    "cstype",
    "curv",
    "curv2",
    "surf",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "call",
];

/// What a corner of a face must be.
const CORNER: &str = "the number of a vertex stated before, from 1 or backward from -1";

/// Reads geometry.
///
/// # Errors
/// When a statement is unknown, a vertex is not three finite numbers, a face has fewer than three corners or names a
/// vertex that was not stated before, or there is no face.
pub fn read(bytes: &[u8]) -> Result<Geometry, ReadError> {
    let mut geometry = Geometry::default();
    let mut lines = Lines::new(bytes);
    for line in lines.by_ref() {
        let mut fields = line.fields_before_comment();
        let Some(word) = fields.next() else { continue };
        match word.text {
            b"v" => geometry.vertices.push(vertex(line, fields)?),
            b"f" => face(&mut geometry, line, fields)?,
            text if SKIPPED.iter().any(|skipped| skipped.as_bytes() == text) => {}
            _ => return Err(word.fault("`v`, `f` or another statement of the format")),
        }
    }
    if geometry.triangles.is_empty() { Err(lines.ended("at least one face")) } else { Ok(geometry) }
}

/// Writes geometry: all vertices, then all triangles. [`read()`] gives it back unchanged if there is a triangle, all
/// coordinates are finite and all triangles name vertices that there are.
pub fn write(geometry: &Geometry) -> String {
    let mut text = String::with_capacity(geometry.vertices.len() * 32 + geometry.triangles.len() * 24);
    for [x, y, z] in &geometry.vertices {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for [a, b, c] in geometry.triangles.iter().map(|corners| corners.map(|corner| u64::from(corner) + 1)) {
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text
}

/// Returns the vertex that the fields after `v` state. A weight or a colour may follow the coordinates.
fn vertex<'a>(line: Line<'a>, mut fields: impl Iterator<Item = Field<'a>>) -> Result<[f32; 3], ReadError> {
    let mut vertex = [0.; 3];
    for coordinate in &mut vertex {
        let field = fields.next().unwrap_or(line.end());
        *coordinate = field.parse(|number: &f32| number.is_finite(), "a finite coordinate")?;
    }
    Ok(vertex)
}

/// Adds the triangles of the face that the fields after `f` state.
fn face<'a>(
    geometry: &mut Geometry,
    line: Line<'a>,
    mut fields: impl Iterator<Item = Field<'a>>,
) -> Result<(), ReadError> {
    let count = geometry.vertices.len();
    let mut corner = || fields.next().map(|field| number(field, count)).transpose();
    let missing = || line.end().fault("three corners or more");
    let first = corner()?.ok_or_else(missing)?;
    let mut last = corner()?.ok_or_else(missing)?;
    let mut next = Some(corner()?.ok_or_else(missing)?);
    while let Some(third) = next {
        geometry.triangles.push([first, last, third]);
        last = third;
        next = corner()?;
    }
    Ok(())
}

/// Returns the number of the vertex that a corner names, counted from 0, where `count` vertices have been stated.
fn number(field: Field, count: usize) -> Result<u32, ReadError> {
    let vertex = field.text.split(|&byte| byte == b'/').next().unwrap_or_default();
    let stated: Option<i64> = str::from_utf8(vertex).ok().and_then(|text| text.parse().ok());
    let place = stated.map(|stated| if stated < 0 { count as i64 + stated } else { stated - 1 });
    let known = place.filter(|place| (0..count as i64).contains(place));
    known.and_then(|place| u32::try_from(place).ok()).ok_or_else(|| field.fault(CORNER))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        read(text.as_bytes()).expect_err(text).to_string()
    }

    #[test]
    fn faces_of_any_form_are_read() {
        let text = "# a pyramid\r\nmtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nv 1 0 1 0.5 0.5 0.5\nv 0 0 1e0\n\
                    vt 0 0\nvn 0 1 0\nusemtl stone\ns off\nf 4/1/1 3//1 2/1 1 # base\nv 0.5 1 0.5\nf -1 -2 -3\n\n";
        let geometry = read(text.as_bytes()).unwrap();
        assert_eq!(geometry.vertices[2..], [[1., 0., 1.], [0., 0., 1.], [0.5, 1., 0.5]]);
        assert_eq!(geometry.triangles, [[3, 2, 1], [3, 1, 0], [4, 3, 2]]);
        assert_eq!(read(write(&geometry).as_bytes()), Ok(geometry));
    }

    #[test]
    fn faults_name_the_line_and_what_was_expected() {
        assert_eq!(fault("v 0 0 0\n"), "2:1: expected at least one face, found end of file");
        assert_eq!(fault("v 0 nan 0\n"), "1:5: expected a finite coordinate, found 'nan'");
        assert_eq!(fault("v 0 1e99 0\n"), "1:5: expected a finite coordinate, found '1e99'");
        assert_eq!(fault("v 0 0"), "1:6: expected a finite coordinate, found end of line");
        let three = "v 0 0 0\nv 0 0 1\nv 1 0 0\n";
        assert_eq!(fault(&format!("{three}f 1 2")), "4:6: expected three corners or more, found end of line");
        for corner in ["0", "4", "-4", "", "x", "99999999999999999999", "/1", "-9223372036854775808"] {
            let found = format!("4:7: expected {CORNER}, found '{corner}/'");
            assert_eq!(fault(&format!("{three}f 1 2 {corner}/")), found);
        }
        assert_eq!(fault("face 1"), "1:1: expected `v`, `f` or another statement of the format, found 'face'");
    }
}
