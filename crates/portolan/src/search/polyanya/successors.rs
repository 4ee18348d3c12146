//! The intervals that follow from one: the parts of the polygon's other edges that the root sees through it, and those
//! that are reached by a turn at one of its ends.
//!
//! Not here: the order in which intervals are looked at.

use super::interval::{End, Interval, NO_VERTEX, Point, crossing, side_of};
use crate::space::mesh::NavMesh;
use crate::space::mesh::shape::WALL;

/// A place on the edges of a polygon that are not the one by which it was entered, counted from right to left.
#[derive(Copy, Clone)]
struct Mark {
    /// The number of the edge after the entry.
    edge: usize,
    end: End,
}

/// The edges of a polygon as seen from the one by which it was entered.
struct Chain<'a> {
    mesh: &'a NavMesh,
    /// The place of the corner where the first edge begins.
    first: usize,
    corners: std::ops::Range<usize>,
}

impl Chain<'_> {
    fn edges(&self) -> usize {
        self.corners.len() - 1
    }

    fn corner(&self, edge: usize) -> usize {
        let place = self.first + edge;
        if place >= self.corners.end { place - self.corners.len() } else { place }
    }

    /// Returns the end at which an edge begins; with the number of edges, the end of the last.
    fn end(&self, edge: usize) -> End {
        let vertex = self.mesh.shape.corners[self.corner(edge)];
        End { at: self.mesh.shape.spots[vertex as usize].into(), vertex }
    }
}

/// Calls `visit` with the intervals that follow from one in the polygon behind it. `is_corner` tells at which vertices a
/// route may turn.
pub(super) fn for_each(
    mesh: &NavMesh,
    from: &Interval,
    is_corner: impl Fn(u32) -> bool,
    mut visit: impl FnMut(Interval),
) {
    let shape = &*mesh.shape;
    let corners = shape.corner_range(from.polygon as usize);
    let entry = corners.clone().find(|&corner| shape.portal_by_corner[corner] == from.portal);
    let entry = entry.expect("an interval lies on an edge of the polygon behind it");
    let chain = Chain { mesh, first: shape.after(from.polygon as usize, entry), corners };
    let (start, stop) =
        (Mark { edge: 0, end: chain.end(0) }, Mark { edge: chain.edges() - 1, end: chain.end(chain.edges()) });
    let (right, left) = (hit(&chain, from, true).unwrap_or(start), hit(&chain, from, false).unwrap_or(stop));
    let mut between = |begin: Mark, end: Mark, root: End, g: f64| {
        for edge in begin.edge..=end.edge {
            let portal = shape.portal_by_corner[chain.corner(edge)];
            if portal == WALL {
                continue;
            }
            let polygon = shape.beyond(portal, from.polygon);
            let right = if edge == begin.edge { begin.end } else { chain.end(edge) };
            let left = if edge == end.edge { end.end } else { chain.end(edge + 1) };
            if mesh.is_free(polygon) && !right.at.is_at(left.at) {
                visit(Interval { right, left, root, g, portal, polygon, begins: false, ..*from });
            }
        }
    };
    if from.right.vertex != NO_VERTEX && is_corner(from.right.vertex) {
        between(start, right, from.right, from.g + from.root.at.distance(from.right.at));
    }
    between(right, left, from.root, from.g);
    if from.left.vertex != NO_VERTEX && is_corner(from.left.vertex) {
        between(left, stop, from.left, from.g + from.root.at.distance(from.left.at));
    }
}

/// Returns where the line from the root through one end of the interval leaves the polygon, or `None` if that end does not
/// limit what the root sees.
fn hit(chain: &Chain, from: &Interval, is_right: bool) -> Option<Mark> {
    let root: Point = from.root.at;
    let through = if is_right { from.right.at } else { from.left.at };
    let is_on_portal = from.begins && side_of(from.right.at, from.left.at, root) <= 0;
    if root.is_at(through) || is_on_portal {
        return None;
    }
    let is_outside = |edge: usize| {
        let side = side_of(root, through, chain.end(edge).at);
        if is_right { side < 0 } else { side > 0 }
    };
    let at = |edge: usize| {
        let (u, v) = (chain.end(edge), chain.end(edge + 1));
        let at = crossing(root, through, u.at, v.at);
        let end = [u, v].into_iter().find(|end| end.at.is_at(at)).unwrap_or(End { at, vertex: NO_VERTEX });
        Some(Mark { edge, end })
    };
    if is_right {
        // The first edge whose end is not to the right of the line.
        let edge = (0..chain.edges()).find(|&edge| !is_outside(edge + 1)).unwrap_or(chain.edges() - 1);
        if edge == 0 && !is_outside(0) {
            return None;
        }
        at(edge)
    } else {
        let edge = (0..chain.edges()).rev().find(|&edge| !is_outside(edge)).unwrap_or(0);
        if edge == chain.edges() - 1 && !is_outside(chain.edges()) {
            return None;
        }
        at(edge)
    }
}
