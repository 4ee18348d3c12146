//! Navigation meshes as ground for a crowd: [`MeshGround`]. An agent knows the polygon that it is on, and all questions are
//! answered from there over portals, so that floors above each other do not mix.
//!
//! Not here: agents, and grids (`crowd/grids.rs`).

use super::ground::{Footing, Ground, Point, distance, minus, plus, times};
use portolan::{MeshPoint, Motion, NavMesh, Snapshot, Space};

/// A navigation mesh that a crowd walks on. Lengths and speeds are in the units of the mesh.
///
/// Meshes made from geometry end an agent's radius before the walls, so that the middle of an agent may go anywhere on
/// them: bodies keep apart from each other, and hardly from the ends of the mesh.
///
/// Coordinates of agents have 24 bits: a mesh should not lie much farther from 0 than it is large.
pub struct MeshGround {
    world: Snapshot<NavMesh>,
    first_edge: Vec<u32>,
    /// The edges of the polygons, one polygon after another.
    edges: Vec<Edge>,
    /// How far inside the mesh an agent stays that would leave it.
    inset: f32,
}

/// An edge of a polygon. The inside lies to its left.
struct Edge {
    ends: [Point; 2],
    /// The free polygon on the other side, or [`WALL`].
    beyond: u32,
}

/// The polygon beyond an edge that has no free one there.
const WALL: u32 = u32::MAX;

/// The radius of agents for which a unit of the mesh is what a cell is on a grid.
const USUAL_RADIUS: f32 = 0.3;

/// The part of its radius with which an agent keeps off walls.
const OFF_WALLS: f32 = 0.1;

/// The part of its radius by which an agent goes around corners.
const OFF_CORNERS: f32 = 0.25;

/// How many polygons a line crosses at most to which an agent looks.
const MOST_CROSSED: usize = 256;

/// How many radii two places are apart on which random agents stand.
const APART: f32 = 3.0;

/// About how many places there are at most on which random agents stand.
const MOST_PLACES: f32 = 1e6;

impl MeshGround {
    /// Returns the ground of a world.
    pub fn new(world: Snapshot<NavMesh>) -> MeshGround {
        let (mut first_edge, mut edges) = (vec![0], Vec::new());
        let mut greatest = 0.0_f32;
        for polygon in 0..world.polygons() as u32 {
            let corners: Vec<Point> = world.corners(polygon).map(|[x, y, _]| [x as f32, y as f32]).collect();
            greatest = corners.iter().flatten().fold(greatest, |greatest, at| greatest.max(at.abs()));
            for (number, beyond) in world.across_edges(polygon).enumerate() {
                let ends = [corners[number], corners[(number + 1) % corners.len()]];
                edges.push(Edge { ends, beyond: beyond.filter(|&beyond| world.is_free(beyond)).unwrap_or(WALL) });
            }
            first_edge.push(edges.len() as u32);
        }
        let inset = 4.0 * (world.step() as f32 + greatest * f32::EPSILON);
        MeshGround { world, first_edge, edges, inset }
    }

    fn edges(&self, polygon: u32) -> &[Edge] {
        let polygon = polygon as usize;
        &self.edges[self.first_edge[polygon] as usize..self.first_edge[polygon + 1] as usize]
    }

    /// Returns whether a polygon contains a point of the plan.
    fn covers(&self, polygon: u32, point: Point) -> bool {
        self.edges(polygon).iter().all(|edge| edge.inward(point) >= 0.0)
    }

    /// Returns the footing at a point of the plan on a polygon, or `None` if the point does not lie there.
    fn on(&self, polygon: u32, at: Point) -> Option<Footing> {
        let place = self.world.point_on(polygon, at.map(f64::from))?;
        Some(Footing { at, height: self.world.height(place) as f32, polygon })
    }

    /// Returns the point nearest to `to`, with its polygon, of the polygons to which portals lead from `from`. The portals lie
    /// in the circle that has the way to `to` as its diameter, so that the agent makes no detour to speak of.
    fn nearest(&self, from: Footing, to: Point) -> (u32, Point) {
        let middle = times(plus(from.at, to), 0.5);
        let reach = distance(from.at, middle) + self.inset;
        let mut best = (f32::INFINITY, from.polygon, from.at);
        let (mut seen, mut next) = (vec![from.polygon], 0);
        while let Some(&polygon) = seen.get(next) {
            if self.covers(polygon, to) {
                return (polygon, to);
            }
            for edge in self.edges(polygon) {
                let foot = edge.nearest(to);
                let apart = distance(foot, to);
                if apart < best.0 {
                    best = (apart, polygon, foot);
                }
                let is_open = edge.beyond != WALL && distance(edge.nearest(middle), middle) <= reach;
                if is_open && !seen.contains(&edge.beyond) {
                    seen.push(edge.beyond);
                }
            }
            next += 1;
        }
        let (_, polygon, at) = best;
        (polygon, self.inside(polygon, at))
    }

    /// Returns whether the straight line between two footings lies on the mesh or at most about the inset beside it: points of
    /// a route on portals are rounded, and may lie just before them. A line along an edge may be missed.
    fn is_about_clear(&self, from: Footing, to: Footing) -> bool {
        let slack = self.inset / distance(from.at, to.at).max(self.inset);
        let (mut before, mut polygon) = (WALL, from.polygon);
        for _ in 0..MOST_CROSSED {
            let (mut wall, mut portal, mut next) = (f32::INFINITY, f32::INFINITY, WALL);
            for edge in self.edges(polygon) {
                let share = edge.share_before(from.at, to.at, self.inset);
                if edge.beyond == WALL {
                    wall = share.min(wall);
                } else if share < portal && edge.beyond != before {
                    (portal, next) = (share, edge.beyond);
                }
            }
            if polygon == to.polygon || wall.min(portal) == f32::INFINITY {
                // The line ends here. Polygons that meet at a point have about one height there; other floors do not.
                let height = self.on(polygon, to.at).map(|end| end.height);
                return polygon == to.polygon
                    || height.is_some_and(|height| (height - to.height).abs() < 64.0 * self.inset);
            }
            if next == WALL || portal > wall + slack {
                return false;
            }
            (before, polygon) = (polygon, next);
        }
        false
    }

    /// Returns a point of a polygon's edge, moved a little towards the middle of the polygon.
    fn inside(&self, polygon: u32, at: Point) -> Point {
        let [x, y, _] = self.world.position(self.world.centre(polygon));
        let apart = distance([x, y], at).max(self.inset);
        plus(at, times(minus([x, y], at), self.inset / apart))
    }

    /// Appends the points of a lattice that lie inside a polygon.
    fn lattice(&self, polygon: u32, width: f32, places: &mut Vec<MeshPoint>) {
        let corners = || self.edges(polygon).iter().map(|edge| edge.ends[0]);
        let range = |axis: usize| {
            let least = corners().map(|at| at[axis]).fold(f32::INFINITY, f32::min);
            let greatest = corners().map(|at| at[axis]).fold(f32::NEG_INFINITY, f32::max);
            (least / width).floor() as i32..=(greatest / width).floor() as i32
        };
        for row in range(1) {
            for column in range(0) {
                let at = [(column as f32 + 0.5) * width, (row as f32 + 0.5) * width];
                if self.edges(polygon).iter().all(|edge| edge.inward(at) > 0.0) {
                    places.extend(self.world.point_on(polygon, at.map(f64::from)));
                }
            }
        }
    }

    /// Returns the area of all polygons in the plan.
    fn area(&self) -> f32 {
        let twice = |polygon: u32| {
            let edges = self.edges(polygon);
            edges.iter().map(|edge| edge.inward(edges[0].ends[0])).sum::<f32>()
        };
        (0..self.world.polygons() as u32).map(twice).sum::<f32>() / 2.0
    }
}

impl Edge {
    /// Returns a number that is at least 0 if a point lies on the inner side of the line through the edge: twice the area of
    /// the triangle.
    fn inward(&self, point: Point) -> f32 {
        let ([dx, dy], [x, y]) = (minus(self.ends[1], self.ends[0]), minus(point, self.ends[0]));
        dx * y - dy * x
    }

    /// Returns which share of the way from one point to another lies before it leaves through the line of the edge; infinity
    /// if the way ends inside or at most `beside` outside.
    fn share_before(&self, from: Point, to: Point, beside: f32) -> f32 {
        let (begin, end) = (self.inward(from).max(0.0), self.inward(to));
        let is_out = end < 0.0 && end < -beside * distance(self.ends[0], self.ends[1]);
        if is_out { begin / (begin - end) } else { f32::INFINITY }
    }

    /// Returns the point of the edge that is nearest to a point.
    fn nearest(&self, point: Point) -> Point {
        let (along, off) = (minus(self.ends[1], self.ends[0]), minus(point, self.ends[0]));
        let square = along[0] * along[0] + along[1] * along[1];
        let share = if square > 0.0 { (along[0] * off[0] + along[1] * off[1]) / square } else { 0.0 };
        plus(self.ends[0], times(along, share.clamp(0.0, 1.0)))
    }
}

impl Ground for MeshGround {
    type Space = NavMesh;

    fn world(&self) -> &Snapshot<NavMesh> {
        &self.world
    }

    /// Returns the points of a lattice in which bodies have room, or the centres of all free polygons if none of them
    /// contains such a point.
    fn places(&self, radius: f32) -> Vec<MeshPoint> {
        let width = (APART * radius).max((self.area() / MOST_PLACES).sqrt());
        let free = || (0..self.world.polygons() as u32).filter(|&polygon| self.world.is_free(polygon));
        let mut places = Vec::new();
        if width > 0.0 {
            free().for_each(|polygon| self.lattice(polygon, width, &mut places));
        }
        if places.is_empty() { free().map(|polygon| self.world.centre(polygon)).collect() } else { places }
    }

    fn place_at(&self, Footing { at, polygon, .. }: Footing) -> Option<MeshPoint> {
        self.world.point_on(polygon, at.map(f64::from)).filter(|_| self.world.is_free(polygon))
    }

    fn walls_near(&self, footing: Footing, reach: f32, walls: &mut Vec<[Point; 2]>) {
        let (mut seen, mut next) = (vec![footing.polygon], 0);
        while let Some(&polygon) = seen.get(next) {
            for edge in self.edges(polygon) {
                if distance(edge.nearest(footing.at), footing.at) > reach {
                    continue;
                }
                if edge.beyond == WALL {
                    walls.push([edge.ends[1], edge.ends[0]]);
                } else if !seen.contains(&edge.beyond) {
                    seen.push(edge.beyond);
                }
            }
            next += 1;
        }
    }

    fn project(&self, from: Footing, to: Point) -> Footing {
        let (polygon, at) = self.nearest(from, to);
        self.on(polygon, at).unwrap_or(from)
    }

    /// The mesh has room for the body everywhere.
    fn is_clear(&self, from: Footing, to: Footing, _radius: f32) -> bool {
        if self.is_about_clear(from, to) {
            return true;
        }
        let ends = self.place_at(from).zip(self.place_at(to));
        ends.is_some_and(|(from, to)| {
            let is_legal = self.world.segment(from, to, Motion::AnyAngle).is_some();
            is_legal && self.world.link_between(from, to).is_none()
        })
    }

    fn footing(&self, place: MeshPoint) -> Footing {
        let [x, y, height] = self.world.position(place);
        Footing { at: [x, y], height, polygon: place.polygon }
    }

    fn link(&self, from: MeshPoint, to: MeshPoint) -> Option<f32> {
        self.world.link_between(from, to)?;
        Some(self.world.length(&[from, to], Motion::AnyAngle) as f32)
    }

    fn wall_radius(&self, radius: f32) -> f32 {
        radius * OFF_WALLS
    }

    fn corner_margin(&self, radius: f32) -> f32 {
        radius * OFF_CORNERS
    }

    fn unit(&self, radius: f32) -> Option<f32> {
        (radius > 0.0 && radius.is_finite()).then_some(radius / USUAL_RADIUS)
    }
}
