//! The oracle for shortest routes at any angle: Dijkstra's algorithm over what can be seen from the start and from every
//! vertex of a small mesh of one weight. What can be seen is found by narrowing the view through one edge after another.
//! All places are multiples of a power of two, so that sides are exact in floating point.
//!
//! Not here: corridors (`oracle.rs`).

use super::oracle::{Plain, Point, distance};
use portolan::{MeshPoint, NavMesh};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A place where a route may turn: a point, and the least of the free polygons around it that are joined by edges that
/// contain it. Polygons that touch only at the point, and floors above it, are other places.
type Turn = ([u64; 2], usize);

/// Where an eye is, and what it looks for.
struct View<'a> {
    plain: &'a Plain,
    eye: Point,
    goal: (Point, Vec<usize>),
    /// Corners that are seen, each with a polygon that has it.
    corners: Vec<(Point, usize)>,
    sees_goal: bool,
}

/// Returns the length in steps of the shortest route, or `None` if there is none.
pub(crate) fn shortest(mesh: &NavMesh, plain: &Plain, from: MeshPoint, to: MeshPoint) -> Option<f64> {
    let place = |point: MeshPoint| -> Point {
        let [x, y, _] = mesh.coordinates(point);
        [x, y]
    };
    let [start, goal] = [from, to].map(|point| point.polygon as usize);
    if plain.weights[start] == 0 || plain.weights[goal] == 0 {
        return None;
    }
    let goal = (place(to), around(plain, place(to), goal));
    let turn = |at: Point, polygon: usize| (at.map(f64::to_bits), around(plain, at, polygon)[0]);
    let mut best: BTreeMap<Turn, f64> = BTreeMap::new();
    let mut queue = BinaryHeap::from([Reverse((0_u64, turn(place(from), start)))]);
    let mut least = f64::INFINITY;
    while let Some(Reverse((bits, (at, polygon)))) = queue.pop() {
        let (cost, eye) = (f64::from_bits(bits), at.map(f64::from_bits));
        if best.get(&(at, polygon)).is_some_and(|&known| known < cost) || cost >= least {
            continue;
        }
        let mut view = View { plain, eye, goal: goal.clone(), corners: Vec::new(), sees_goal: false };
        for polygon in around(plain, eye, polygon) {
            view.look(polygon, None);
        }
        if view.sees_goal {
            least = least.min(cost + distance(eye, goal.0));
        }
        for (corner, polygon) in view.corners {
            let (next, sum) = (turn(corner, polygon), cost + distance(eye, corner));
            if best.get(&next).is_none_or(|&known| sum < known) {
                best.insert(next, sum);
                queue.push(Reverse((sum.to_bits(), next)));
            }
        }
    }
    (least < f64::INFINITY).then_some(least / plain.step)
}

/// Returns the free polygons around a point that are joined to this one by edges that contain the point, the least first.
fn around(plain: &Plain, at: Point, polygon: usize) -> Vec<usize> {
    let mut found = vec![polygon];
    let mut next = 0;
    while let Some(&polygon) = found.get(next) {
        for edge in 0..plain.polygons[polygon].len() {
            if let Some(beyond) = plain.free_beyond(polygon, edge)
                && contains(plain.edge(polygon, edge), at)
                && !found.contains(&beyond)
            {
                found.push(beyond);
            }
        }
        next += 1;
    }
    found.sort_unstable();
    found
}

/// Returns a number greater than 0 if `c` lies to the left of the line from `a` to `b`, less than 0 if to the right.
fn side(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Returns whether an edge contains a point.
fn contains([a, b]: [Point; 2], at: Point) -> bool {
    let within = |axis: usize| (a[axis].min(b[axis])..=a[axis].max(b[axis])).contains(&at[axis]);
    side(a, b, at) == 0.0 && within(0) && within(1)
}

impl View<'_> {
    /// Looks at a polygon: at all of it, or between a point to the right and one to the left.
    fn look(&mut self, polygon: usize, between: Option<[Point; 2]>) {
        let (plain, eye) = (self.plain, self.eye);
        let sees =
            |at: Point| between.is_none_or(|[right, left]| side(eye, right, at) >= 0.0 && side(eye, left, at) <= 0.0);
        let corners = plain.polygons[polygon].iter().map(|&vertex| plain.at[vertex as usize]);
        self.corners.extend(corners.filter(|&at| distance(at, eye) > 0.0 && sees(at)).map(|at| (at, polygon)));
        self.sees_goal |= self.goal.1.contains(&polygon) && sees(self.goal.0);
        for edge in 0..plain.polygons[polygon].len() {
            let Some(beyond) = plain.free_beyond(polygon, edge) else { continue };
            // Seen from inside, an edge leads from the right to the left.
            let [mut right, mut left] = plain.edge(polygon, edge);
            if side(right, left, eye) <= 0.0 {
                continue; // the eye is on the edge, or the view came in through it
            }
            if let Some([old_right, old_left]) = between {
                right = if side(eye, old_right, right) > 0.0 { right } else { old_right };
                left = if side(eye, old_left, left) < 0.0 { left } else { old_left };
            }
            if side(eye, right, left) > 0.0 {
                self.look(beyond, Some([right, left]));
            }
        }
    }
}
