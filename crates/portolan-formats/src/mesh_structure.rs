//! Whether the lists of a mesh fit each other, so that its polygons can be looked at without a panic.
//!
//! Not here: whether polygons are convex and fit together, which the engine checks.

use portolan::MeshParts;

/// Where the lists of a mesh do not fit each other: what is expected there, and what is there instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Misfit {
    pub(crate) expected: String,
    pub(crate) found: String,
}

/// Checks that first corners rise from 0 to the number of corners, that every corner is a vertex and that there are as many
/// weights as polygons.
pub(crate) fn check(parts: &MeshParts) -> Result<(), Misfit> {
    let misfit = |expected: String, found: String| Err(Misfit { expected, found });
    let bounds = &parts.first_corner;
    let (first, last) = (bounds.first().copied().unwrap_or(0), bounds.last().copied().unwrap_or(0));
    if first != 0 {
        return misfit("the first corner of polygon 0 to be 0".into(), first.to_string());
    }
    if let Some(polygon) = bounds.windows(2).position(|pair| pair[0] > pair[1]) {
        return misfit(format!("the corners of polygon {polygon} to end behind their beginning"), "less".into());
    }
    if last as usize != parts.corners.len() {
        return misfit(format!("{last} corners"), parts.corners.len().to_string());
    }
    if parts.weights.len() != parts.polygons() {
        return misfit(format!("{} weights", parts.polygons()), parts.weights.len().to_string());
    }
    match parts.corners.iter().position(|&vertex| vertex as usize >= parts.vertices.len()) {
        Some(corner) => misfit(
            format!("one of {} vertices at corner {corner}", parts.vertices.len()),
            format!("vertex {}", parts.corners[corner]),
        ),
        None => Ok(()),
    }
}
