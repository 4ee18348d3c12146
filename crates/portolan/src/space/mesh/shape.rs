//! The shape of a mesh, which edits do not change: vertices in whole steps, polygons, and the portals between them.
//!
//! Not here: checks of single polygons (`rounded.rs`), weights, which edits change, and finding the polygon at a point
//! (`locate.rs`).

use super::links::Link;
use super::locate::MeshArea;
use super::parts::{MeshError, MeshParts};
use super::plan::Spot;
use super::rounded::{self, Frame, Polygons};
use crate::id::next_serial;
use crate::memory::held;
use std::ops::Range;

/// The edge of a polygon that is a wall: no portal.
pub(crate) const WALL: u32 = u32::MAX;

/// The distance against the direction of a link that leads one way.
pub(crate) const NO_CROSSING: u32 = u32::MAX;

/// The way between two polygons: the edge that they have in common. An end of a link is a portal too, of no width, between its
/// polygon and the passage of the link (`links.rs`).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Portal {
    pub(crate) polygons: [u32; 2],
    /// The vertices at the ends of the edge. For an agent that leaves the first polygon, they are to its right and left.
    pub(crate) ends: [u32; 2],
}

/// How the polygons were given in which a shape may find a fault.
#[derive(Copy, Clone)]
pub(super) struct Given {
    /// The polygon that errors number 0. Those before it are known to be sound among themselves.
    pub(super) first: usize,
    /// Whether the corners were given in the other order.
    pub(super) turned: bool,
}

/// Vertices, polygons and portals.
pub(crate) struct Shape {
    /// A number that no other shape has.
    pub(super) serial: u64,
    /// How long one step is in units of the file or program that the mesh comes from. It is a power of two.
    pub(crate) step: f64,
    /// Where step 0 lies.
    pub(crate) origin: [f64; 3],
    /// The place of each vertex in the plan, and its height, in steps.
    pub(crate) spots: Vec<Spot>,
    pub(crate) heights: Vec<i32>,
    pub(crate) first_corner: Vec<u32>,
    /// The vertices of the polygons, one polygon after another; the inside lies to the left of every edge.
    pub(crate) corners: Vec<u32>,
    /// The portal at the edge that begins at each corner, or [`WALL`].
    pub(crate) portal_by_corner: Vec<u32>,
    /// The edges between two polygons, then the ends of the links.
    pub(crate) portals: Vec<Portal>,
    pub(crate) links: Vec<Link>,
    /// Where the ends of each portal lie in the plan, in the order of [`Portal::ends`].
    spans: Vec<[Spot; 2]>,
    /// The point halfway between the ends of each portal.
    pub(crate) middles: Vec<Spot>,
    /// The mean of the corners of each polygon.
    pub(crate) centres: Vec<Spot>,
    first_exit: Vec<u32>,
    /// The portals of the polygons, one polygon after another, then those of the passages of links.
    exits: Vec<u32>,
    first_crossing: Vec<u32>,
    /// For each polygon the distances between its portals, a row for each portal: rounded up.
    crossings: Vec<u32>,
    /// A bound on the distance between two points of one polygon.
    widest: u32,
    /// What the dearest link costs, 0 if there is none.
    dearest_link: u32,
    /// The mean of the distances between two portals of a polygon.
    typical_crossing: u32,
}

impl Shape {
    /// Checks the parts of a mesh and finds its portals.
    pub(crate) fn new(parts: &MeshParts) -> Result<Shape, MeshError> {
        if parts.polygons() == 0 {
            return Err(MeshError::Empty);
        }
        rounded::check_lists(parts)?;
        let frame = Frame::around(&parts.vertices)?;
        let (polygons, turned) = Polygons::new(parts, frame)?;
        Shape::of(frame, polygons, Given { first: 0, turned })
    }

    /// Finds the portals of polygons that have been checked one by one.
    pub(super) fn of(frame: Frame, polygons: Polygons, given: Given) -> Result<Shape, MeshError> {
        let Polygons { spots, heights, first_corner, corners } = polygons;
        let Frame { origin, step } = frame;
        let mut shape = Shape {
            serial: next_serial(),
            step,
            origin,
            spots,
            heights,
            first_corner,
            portal_by_corner: vec![WALL; corners.len()],
            corners,
            portals: Vec::new(),
            links: Vec::new(),
            spans: Vec::new(),
            middles: Vec::new(),
            centres: Vec::new(),
            first_exit: Vec::new(),
            exits: Vec::new(),
            first_crossing: Vec::new(),
            crossings: Vec::new(),
            widest: 1,
            dearest_link: 0,
            typical_crossing: 1,
        };
        shape.find_portals(given)?;
        shape.measure();
        shape.list_exits();
        Ok(shape)
    }

    /// Joins polygons where they have an edge in common. Portals are numbered by the first polygon that has them, and
    /// by the edges of that polygon. `given` says how errors number polygons and edges.
    fn find_portals(&mut self, given: Given) -> Result<(), MeshError> {
        let mut edges: Vec<(u32, u32, u32)> = Vec::with_capacity(self.corners.len());
        for polygon in 0..self.polygons() {
            for corner in self.corner_range(polygon) {
                let (a, b) = (self.corners[corner], self.corners[self.after(polygon, corner)]);
                edges.push((a.min(b), a.max(b), corner as u32));
            }
        }
        edges.sort_unstable();
        let mut twin_by_corner = vec![WALL; self.corners.len()];
        for pair in edges.windows(2) {
            let ((lo, hi, first), (also_lo, also_hi, second)) = (pair[0], pair[1]);
            if (lo, hi) != (also_lo, also_hi) {
                continue;
            }
            let taken = twin_by_corner[first as usize] != WALL;
            if taken || self.corners[first as usize] == self.corners[second as usize] {
                let polygon = self.polygon_of_corner(second as usize);
                let (corners, edge) = (self.corner_range(polygon), second as usize - self.corner_range(polygon).start);
                let edge = if given.turned { (2 * corners.len() - 2 - edge) % corners.len() } else { edge };
                return Err(MeshError::NotManifold { polygon: polygon - given.first, edge });
            }
            twin_by_corner[first as usize] = second;
            twin_by_corner[second as usize] = first;
        }
        for polygon in 0..self.polygons() {
            for corner in self.corner_range(polygon) {
                let twin = twin_by_corner[corner];
                if twin == WALL || self.portal_by_corner[corner] != WALL {
                    continue;
                }
                let other = self.polygon_of_corner(twin as usize);
                let ends = [self.corners[corner], self.corners[self.after(polygon, corner)]];
                self.portal_by_corner[corner] = self.portals.len() as u32;
                self.portal_by_corner[twin as usize] = self.portals.len() as u32;
                self.portals.push(Portal { polygons: [polygon as u32, other as u32], ends });
            }
        }
        Ok(())
    }

    /// Computes middles, centres and the greatest width of a polygon.
    fn measure(&mut self) {
        let spot = |&vertex: &u32| self.spots[vertex as usize];
        self.spans = self.portals.iter().map(|portal| [spot(&portal.ends[0]), spot(&portal.ends[1])]).collect();
        self.middles = self.spans.iter().map(|&[right, left]| Spot::between(right, left)).collect();
        for polygon in 0..self.polygons() {
            let corners = &self.corners[self.corner_range(polygon)];
            let sum = |axis: fn(Spot) -> i32| corners.iter().map(|at| i64::from(axis(spot(at)))).sum::<i64>();
            let mean = |sum: i64| sum.div_euclid(corners.len() as i64) as i32;
            self.centres.push(Spot { x: mean(sum(|at| at.x)), y: mean(sum(|at| at.y)) });
        }
        let width = |polygon: usize| {
            let MeshArea { least, greatest } = self.area(polygon);
            distance_up(least, greatest)
        };
        self.widest = (0..self.polygons()).map(width).max().unwrap_or(1);
    }

    /// Takes the links of the mesh.
    pub(super) fn join(&mut self, links: Vec<Link>) {
        for (passage, link) in (self.polygons() as u32..).zip(&links) {
            for end in link.ends {
                self.portals.push(Portal { polygons: [end.polygon, passage], ends: [0; 2] });
                self.spans.push([end.spot(); 2]);
                self.middles.push(end.spot());
            }
        }
        self.dearest_link = links.iter().map(|link| link.cost).max().unwrap_or(0);
        self.links = links;
        self.list_exits();
    }

    /// Lists the portals of each polygon, the ends of links last, and computes the distances between them.
    fn list_exits(&mut self) {
        for list in [&mut self.first_exit, &mut self.exits, &mut self.first_crossing, &mut self.crossings] {
            list.clear();
        }
        let mut ends: Vec<(u32, u32)> =
            (self.first_link_end()..self.portals.len() as u32).map(|end| (self.polygon_of_end(end), end)).collect();
        ends.sort_unstable();
        let mut ends = &ends[..];
        for polygon in 0..self.polygons() {
            self.first_exit.push(self.exits.len() as u32);
            self.first_crossing.push(self.crossings.len() as u32);
            let portals = self.portal_by_corner[self.corner_range(polygon)].iter().filter(|&&portal| portal != WALL);
            self.exits.extend(portals);
            let here = ends.partition_point(|&(other, _)| other as usize == polygon);
            self.exits.extend(ends[..here].iter().map(|&(_, end)| end));
            ends = &ends[here..];
            let exits = &self.exits[self.first_exit[polygon] as usize..];
            for &a in exits {
                let between = |&b: &u32| distance_up(self.middles[a as usize], self.middles[b as usize]);
                self.crossings.extend(exits.iter().map(between));
            }
        }
        self.note_typical_crossing();
        for (link, end) in self.links.iter().zip((self.first_link_end()..).step_by(2)) {
            self.first_exit.push(self.exits.len() as u32);
            self.first_crossing.push(self.crossings.len() as u32);
            self.exits.extend([end, end + 1]);
            self.crossings.extend([0, link.cost, if link.both_ways { link.cost } else { NO_CROSSING }, 0]);
        }
        self.first_exit.push(self.exits.len() as u32);
    }

    fn note_typical_crossing(&mut self) {
        let between = || self.crossings.iter().filter(|&&distance| distance > 0);
        let sum: u64 = between().map(|&distance| u64::from(distance)).sum();
        self.typical_crossing = (sum / between().count().max(1) as u64).max(1) as u32;
    }

    /// Returns a bound on the distance between two points of one polygon.
    pub(crate) fn widest(&self) -> u32 {
        self.widest
    }

    pub(crate) fn dearest_link(&self) -> u32 {
        self.dearest_link
    }

    /// Returns the mean of the distances between two portals of a polygon.
    pub(crate) fn typical_crossing(&self) -> u32 {
        self.typical_crossing
    }

    pub(super) fn frame(&self) -> Frame {
        Frame { origin: self.origin, step: self.step }
    }

    pub(crate) fn polygons(&self) -> usize {
        self.first_corner.len() - 1
    }

    /// Returns the places of a polygon's corners in [`Shape::corners`].
    #[inline(always)]
    pub(crate) fn corner_range(&self, polygon: usize) -> Range<usize> {
        self.first_corner[polygon] as usize..self.first_corner[polygon + 1] as usize
    }

    /// Returns the place of the corner after this one.
    #[inline(always)]
    pub(crate) fn after(&self, polygon: usize, corner: usize) -> usize {
        let corners = self.corner_range(polygon);
        if corner + 1 == corners.end { corners.start } else { corner + 1 }
    }

    fn polygon_of_corner(&self, corner: usize) -> usize {
        self.first_corner.partition_point(|&first| first as usize <= corner) - 1
    }

    /// Returns the ends of each edge of a polygon.
    pub(crate) fn edges(&self, polygon: usize) -> impl Iterator<Item = [Spot; 2]> + '_ {
        let at = |corner: usize| self.spots[self.corners[corner] as usize];
        self.corner_range(polygon).map(move |corner| [at(corner), at(self.after(polygon, corner))])
    }

    /// Returns the portals of a polygon: its edges to other polygons, then the ends of links on it.
    #[inline(always)]
    pub(crate) fn exits(&self, polygon: u32) -> &[u32] {
        let polygon = polygon as usize;
        &self.exits[self.first_exit[polygon] as usize..self.first_exit[polygon + 1] as usize]
    }

    /// Returns the distances from one portal of a polygon to all its portals, in the order of [`Shape::exits`]. The portal
    /// is given by its place in that order.
    #[inline(always)]
    pub(crate) fn crossings(&self, polygon: u32, exit: usize) -> &[u32] {
        let count = self.exits(polygon).len();
        let first = self.first_crossing[polygon as usize] as usize + exit * count;
        &self.crossings[first..first + count]
    }

    /// Returns the places of the ends of a portal in the plan: to the right and to the left of an agent that leaves
    /// `from`, one of its polygons.
    #[inline(always)]
    pub(crate) fn ends(&self, portal: u32, from: u32) -> [Spot; 2] {
        let [right, left] = self.spans[portal as usize];
        if self.portals[portal as usize].polygons[0] == from { [right, left] } else { [left, right] }
    }

    /// Returns the polygon on the other side of a portal.
    #[inline(always)]
    pub(crate) fn beyond(&self, portal: u32, from: u32) -> u32 {
        let [a, b] = self.portals[portal as usize].polygons;
        if a == from { b } else { a }
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.spots)
            + held(&self.heights)
            + held(&self.first_corner)
            + held(&self.corners)
            + held(&self.portal_by_corner)
            + held(&self.portals)
            + held(&self.links)
            + held(&self.spans)
            + held(&self.middles)
            + held(&self.centres)
            + held(&self.first_exit)
            + held(&self.exits)
            + held(&self.first_crossing)
            + held(&self.crossings)
    }
}

/// Returns the distance between two points, rounded up.
#[inline(always)]
pub(crate) fn distance_up(a: Spot, b: Spot) -> u32 {
    a.distance(b).ceil() as u32
}
