//! A node of Polyanya: an interval of a portal as a root sees it, and the least length of a route through it.
//!
//! Not here: which intervals follow from one (`successors.rs`).

use crate::space::mesh::plan::Spot;

/// A point of the plan that need not lie on whole steps.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// How far beside a line, in steps, a point may lie that is taken to lie on it. Lengths are rounded to whole steps, so this is
/// far below what counts.
pub(super) const ON_LINE: f64 = 1e-3;

impl Point {
    pub(super) fn distance(self, other: Point) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }

    pub(super) fn is_at(self, other: Point) -> bool {
        (self.x - other.x).abs() < ON_LINE && (self.y - other.y).abs() < ON_LINE
    }
}

impl From<Spot> for Point {
    fn from(at: Spot) -> Point {
        Point { x: f64::from(at.x), y: f64::from(at.y) }
    }
}

/// Returns how far `c` lies to the left of the line from `a` to `b`, times the length of that line.
#[inline(always)]
pub(super) fn left_of(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Returns 1 if `c` lies to the left of the line from `a` to `b`, -1 if it lies to the right, and 0 if it lies on the line.
#[inline(always)]
pub(super) fn side_of(a: Point, b: Point, c: Point) -> i8 {
    let (left, margin) = (left_of(a, b, c), ON_LINE * a.distance(b));
    i8::from(left > margin) - i8::from(left < -margin)
}

/// An end of an interval: a point, and the vertex that it is, if it is one.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct End {
    pub(super) at: Point,
    /// The vertex, or [`NO_VERTEX`].
    pub(super) vertex: u32,
}

pub(super) const NO_VERTEX: u32 = u32::MAX;

/// An interval of a portal with the last turn of the route before it. The end of a link at which a route arrives is one too,
/// of no width and its own root.
#[derive(Copy, Clone, Debug)]
pub(super) struct Interval {
    /// The ends as seen from the root.
    pub(super) right: End,
    pub(super) left: End,
    pub(super) root: End,
    /// The length of the route to the root.
    pub(super) g: f64,
    pub(super) portal: u32,
    /// The polygon behind the portal.
    pub(super) polygon: u32,
    /// The number of the interval before, or [`NO_PARENT`].
    pub(super) parent: u32,
    /// Whether the route begins or arrives by a link on the polygon before the portal: the root then lies on that polygon,
    /// which may be on the portal.
    pub(super) begins: bool,
}

pub(super) const NO_PARENT: u32 = u32::MAX;

impl Interval {
    /// Returns the interval as a route can pass it. One that lies in a line with its root is passed by a turn at its nearer
    /// end; `None` if no route turns there.
    pub(super) fn passable(self, is_corner: impl Fn(u32) -> bool) -> Option<Interval> {
        let Interval { right, left, root, g, .. } = self;
        let is_at_end = root.at.is_at(right.at) || root.at.is_at(left.at);
        if is_at_end || side_of(root.at, right.at, left.at) != 0 {
            return Some(self);
        }
        let [to_right, to_left] = [right, left].map(|end| root.at.distance(end.at));
        let (near, more) = if to_right < to_left { (right, to_right) } else { (left, to_left) };
        let turns = near.vertex != NO_VERTEX && is_corner(near.vertex);
        turns.then_some(Interval { root: near, g: g + more, ..self })
    }

    /// Returns a lower bound on the length of a route from the root through the interval to a point: if the point lies on
    /// the root's side of the interval, the route to its mirror image is as long.
    pub(super) fn length_to(&self, to: Point) -> f64 {
        let (right, left, root) = (self.right.at, self.left.at, self.root.at);
        let to =
            if left_of(right, left, root) * left_of(right, left, to) > 0.0 { mirrored(right, left, to) } else { to };
        if left_of(root, right, to) < 0.0 && !root.is_at(right) {
            root.distance(right) + right.distance(to)
        } else if left_of(root, left, to) > 0.0 && !root.is_at(left) {
            root.distance(left) + left.distance(to)
        } else {
            root.distance(to)
        }
    }
}

/// Returns the mirror image of a point beyond the line through `a` and `b`.
fn mirrored(a: Point, b: Point, point: Point) -> Point {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let square = dx * dx + dy * dy;
    if square == 0.0 {
        return point;
    }
    let twice = 2.0 * left_of(a, b, point) / square;
    Point { x: point.x + twice * dy, y: point.y - twice * dx }
}

/// Returns where the line from `a` through `b` meets the line from `u` to `v`.
pub(super) fn crossing(a: Point, b: Point, u: Point, v: Point) -> Point {
    let [from_u, from_v] = [left_of(a, b, u), left_of(a, b, v)];
    let whole = from_u - from_v;
    let part = if whole == 0.0 { 0.0 } else { (from_u / whole).clamp(0.0, 1.0) };
    Point { x: u.x + (v.x - u.x) * part, y: u.y + (v.y - u.y) * part }
}
