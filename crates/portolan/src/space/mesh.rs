//! The navigation mesh: convex polygons, the portals between them, and which polygons are connected.
//!
//! Coordinates are whole steps of a power of two, so that questions of geometry have exact answers, and costs are integers
//! as on grids. Costs are lengths in the plan: heights tell floors apart and place agents, but do not make a way longer.
//!
//! What edits do not change, the shape, is shared by all copies of a mesh. A mesh with another part is a new one (`patch.rs`).
//!
//! Not here: data that searches derive from a mesh.

mod as_space;
mod connected;
mod convex;
pub(crate) mod line;
pub(crate) mod links;
mod locate;
mod nearest;
pub(crate) mod parts;
pub(crate) mod patch;
pub(crate) mod plan;
mod rounded;
#[cfg(test)]
pub(crate) mod scenery;
pub(crate) mod shape;

pub use as_space::MeshEditError;
pub use locate::MeshArea;

use super::{Revision, Space, Terrain};
use crate::memory::held;
use connected::Components;
use links::Link;
use locate::{Buckets, clamped};
use parts::{MeshError, MeshParts};
use plan::Spot;
use shape::{Shape, WALL};
use std::fmt;
use std::sync::Arc;

/// A world of convex polygons.
///
/// ```
/// use portolan::{MeshParts, NavMesh};
/// let mut parts = MeshParts { vertices: vec![[0., 0., 0.], [4., 0., 0.], [4., 4., 0.], [0., 4., 0.]], ..MeshParts::default() };
/// parts.push(&[0, 1, 2], 1);
/// parts.push(&[0, 2, 3], 1);
/// let mesh = NavMesh::new(&parts)?;
/// let (from, to) = (mesh.point([3.5, 1.0]), mesh.point([1.0, 3.5]));
/// assert!(from.is_some() && to.is_some() && mesh.point([5.0, 5.0]).is_none());
/// # Ok::<(), portolan::MeshError>(())
/// ```
#[derive(Clone)]
pub struct NavMesh {
    pub(crate) shape: Arc<Shape>,
    buckets: Arc<Buckets>,
    /// The weights of the polygons, then of the passages of links, which are 1.
    weights: Vec<u8>,
    components: Components,
    /// The least and the greatest weight of a free polygon, 1 where none is free.
    least_weight: u8,
    greatest_weight: u8,
    /// How many 256ths of its length in the plan any way costs at least.
    estimate_scale: u32,
    /// The ends at which links begin that cost less than the ground between their ends might.
    short_cuts: Vec<u32>,
    revision: Revision,
}

/// A place on a mesh: a polygon, and a point in it.
///
/// Programs get places from [`NavMesh::point`], [`NavMesh::point_near`] and [`NavMesh::centre`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MeshPoint {
    /// The number of the polygon.
    pub polygon: u32,
    /// Where the point lies across, in steps of the mesh.
    pub x: i32,
    /// Where the point lies down, in steps of the mesh.
    pub y: i32,
}

impl MeshPoint {
    pub(crate) fn new(polygon: u32, at: Spot) -> MeshPoint {
        MeshPoint { polygon, x: at.x, y: at.y }
    }

    #[inline(always)]
    pub(crate) fn spot(self) -> Spot {
        Spot { x: self.x, y: self.y }
    }
}

impl fmt::Display for MeshPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{} on polygon {}", self.x, self.y, self.polygon)
    }
}

impl fmt::Debug for MeshPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}

/// A change of one polygon of a mesh.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MeshEdit {
    /// The polygon.
    pub polygon: u32,
    /// What it becomes: blocked, or ground of a weight.
    pub terrain: Terrain,
}

impl MeshEdit {
    /// Returns the edit that turns a polygon into this terrain.
    pub fn new(polygon: u32, terrain: Terrain) -> MeshEdit {
        MeshEdit { polygon, terrain }
    }
}

impl NavMesh {
    /// Makes a mesh. Coordinates are rounded to steps of which about eight million lie across it.
    ///
    /// # Errors
    /// When the parts are no mesh; the error names the polygon and the edge, or the link, at fault.
    pub fn new(parts: &MeshParts) -> Result<NavMesh, MeshError> {
        let mut mesh = NavMesh::unlinked(Shape::new(parts)?, parts.weights.clone());
        let links = mesh.placed(&parts.links)?;
        mesh.take_links(links)?;
        mesh.derive();
        Ok(mesh)
    }

    /// Returns the mesh of a shape without links, before anything is derived from its weights.
    fn unlinked(shape: Shape, weights: Vec<u8>) -> NavMesh {
        let buckets = Buckets::new(&shape);
        NavMesh {
            shape: Arc::new(shape),
            buckets: Arc::new(buckets),
            weights,
            components: Components::default(),
            least_weight: 1,
            greatest_weight: 1,
            estimate_scale: 1,
            short_cuts: Vec::new(),
            revision: Revision::first(),
        }
    }

    /// Takes the links of a mesh that has none.
    fn take_links(&mut self, links: Vec<Link>) -> Result<(), MeshError> {
        links::check_ends(&links)?;
        if !links.is_empty() {
            self.weights.resize(self.polygons() + links.len(), 1);
            Arc::get_mut(&mut self.shape).expect("no copy of the mesh was made").join(links);
        }
        Ok(())
    }

    /// Returns the mesh as plain data, with coordinates as they were rounded.
    pub fn to_parts(&self) -> MeshParts {
        let Shape { step, origin, spots, heights, first_corner, corners, .. } = &*self.shape;
        let vertex = |(at, &height): (&Spot, &i32)| {
            let coordinate = |steps: i32, axis: usize| origin[axis] + f64::from(steps) * step;
            [coordinate(at.x, 0), coordinate(at.y, 1), coordinate(height, 2)]
        };
        MeshParts {
            vertices: spots.iter().zip(heights).map(vertex).collect(),
            first_corner: first_corner.clone(),
            corners: corners.clone(),
            weights: self.weights[..self.polygons()].to_vec(),
            links: self.links().collect(),
        }
    }

    /// Computes what follows from the weights: their range, and which polygons are connected.
    fn derive(&mut self) {
        let free = || self.weights[..self.polygons()].iter().copied().filter(|&weight| weight != 0);
        (self.least_weight, self.greatest_weight) = (free().min().unwrap_or(1), free().max().unwrap_or(1));
        self.components = Components::of(self);
        self.estimate_scale = self.note_short_cuts();
    }

    /// Returns the number of polygons.
    pub fn polygons(&self) -> usize {
        self.shape.polygons()
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.shape.spots.len()
    }

    /// Returns the number of portals: edges between two polygons.
    pub fn portals(&self) -> usize {
        self.shape.first_link_end() as usize
    }

    /// Returns the number of components: sets of free polygons with a way from each to each.
    pub fn components(&self) -> usize {
        self.components.count()
    }

    /// Returns the places of a polygon's corners, in the units of the file or program that the mesh comes from.
    ///
    /// # Panics
    /// When there is no such polygon.
    pub fn corners(&self, polygon: u32) -> impl Iterator<Item = [f64; 3]> + '_ {
        let shape = &*self.shape;
        shape.corners[shape.corner_range(polygon as usize)].iter().map(|&vertex| {
            let (at, height) = (shape.spots[vertex as usize], shape.heights[vertex as usize]);
            self.in_units(at, f64::from(height))
        })
    }

    /// Returns the corners of a polygon as places on it, in the order of [`NavMesh::corners`].
    ///
    /// # Panics
    /// When there is no such polygon.
    pub fn corner_points(&self, polygon: u32) -> impl Iterator<Item = MeshPoint> + '_ {
        let shape = &*self.shape;
        let corners = &shape.corners[shape.corner_range(polygon as usize)];
        corners.iter().map(move |&vertex| MeshPoint::new(polygon, shape.spots[vertex as usize]))
    }

    /// Returns the polygons that have a portal to this one. Links are none.
    ///
    /// # Panics
    /// When there is no such polygon.
    pub fn neighbours(&self, polygon: u32) -> impl Iterator<Item = u32> + '_ {
        let portals = self.shape.exits(polygon).iter().copied().filter(|&portal| !self.shape.is_link_end(portal));
        portals.map(move |portal| self.shape.beyond(portal, polygon))
    }

    /// Returns for each edge of a polygon the polygon on its other side, or `None` if the edge is a wall. The edges are in
    /// the order of the corners that they begin at; the inside of the polygon lies to their left, which for an edge to the
    /// right is in the direction of greater second coordinates.
    ///
    /// # Panics
    /// When there is no such polygon.
    pub fn across_edges(&self, polygon: u32) -> impl Iterator<Item = Option<u32>> + '_ {
        let portals = &self.shape.portal_by_corner[self.shape.corner_range(polygon as usize)];
        portals.iter().map(move |&portal| (portal != WALL).then(|| self.shape.beyond(portal, polygon)))
    }

    /// Returns the terrain of a polygon; it is blocked if there is no such polygon.
    pub fn terrain(&self, polygon: u32) -> Terrain {
        let weights = &self.weights[..self.polygons()];
        Terrain::of_weight(weights.get(polygon as usize).copied().unwrap_or(0))
    }

    /// Returns whether an agent may stand on a polygon.
    #[inline(always)]
    pub fn is_free(&self, polygon: u32) -> bool {
        self.weights[polygon as usize] != 0
    }

    /// Returns the weight of a polygon, 0 if it is blocked.
    #[inline(always)]
    pub(crate) fn weight(&self, polygon: u32) -> u32 {
        u32::from(self.weights[polygon as usize])
    }

    /// Returns the polygons whose weights differ from those of another mesh of this shape, and their weights here.
    pub(crate) fn weights_unlike(&self, other: &NavMesh) -> Vec<(u32, u8)> {
        const BLOCK: usize = 256;
        let mut unlike = Vec::new();
        let polygons = 0..self.polygons();
        let blocks = self.weights[polygons.clone()].chunks(BLOCK).zip(other.weights[polygons].chunks(BLOCK));
        for (block, (own, others)) in blocks.enumerate().filter(|(_, (own, others))| own != others) {
            let first = (block * BLOCK) as u32;
            let pairs = (first..).zip(own.iter().zip(others));
            unlike.extend(pairs.filter(|(_, (own, other))| own != other).map(|(polygon, (&own, _))| (polygon, own)));
        }
        unlike
    }

    pub(crate) fn least_weight(&self) -> u8 {
        self.least_weight
    }

    pub(crate) fn greatest_weight(&self) -> u8 {
        self.greatest_weight
    }

    /// Returns the weight that all free polygons have, or `None` where weights differ.
    pub fn uniform_weight(&self) -> Option<u8> {
        (self.least_weight == self.greatest_weight).then_some(self.least_weight)
    }

    /// Returns how long one step is in the units of the file or program that the mesh comes from.
    pub fn step(&self) -> f64 {
        self.shape.step
    }

    /// Returns the point at these coordinates in the plan: on the highest polygon there, which is the one seen from above.
    /// `None` if there is no polygon.
    pub fn point(&self, at: [f64; 2]) -> Option<MeshPoint> {
        let spot = self.in_steps(at);
        let over = self.at(spot);
        over.max_by(|a, b| self.height(*a).total_cmp(&self.height(*b)).then(b.polygon.cmp(&a.polygon)))
    }

    /// Returns the point at these coordinates in the plan on the polygon whose height is nearest. `None` if there is no
    /// polygon above or below.
    pub fn point_near(&self, at: [f64; 3]) -> Option<MeshPoint> {
        self.nearest_by_height(self.in_steps([at[0], at[1]]), at[2])
    }

    fn nearest_by_height(&self, spot: Spot, height: f64) -> Option<MeshPoint> {
        let off = |point: &MeshPoint| (self.height(*point) - height).abs();
        self.at(spot).min_by(|a, b| off(a).total_cmp(&off(b)).then(a.polygon.cmp(&b.polygon)))
    }

    /// Returns the point at these coordinates in the plan on this polygon, or `None` if it does not lie there.
    pub fn point_on(&self, polygon: u32, at: [f64; 2]) -> Option<MeshPoint> {
        let point = MeshPoint::new(polygon, self.in_steps(at));
        Space::contains(self, point).then_some(point)
    }

    /// Returns the mean of the corners of a polygon.
    ///
    /// # Panics
    /// When there is no such polygon.
    pub fn centre(&self, polygon: u32) -> MeshPoint {
        MeshPoint::new(polygon, self.shape.centres[polygon as usize])
    }

    /// Returns the height of a point in the units of the mesh: on the triangle that contains it, of those between the
    /// polygon's first corner and each of its edges.
    pub fn height(&self, point: MeshPoint) -> f64 {
        self.shape.origin[2] + self.height_in_steps(point) * self.shape.step
    }

    fn height_in_steps(&self, point: MeshPoint) -> f64 {
        let shape = &*self.shape;
        let corners = &shape.corners[shape.corner_range(point.polygon as usize)];
        let at = |corner: usize| shape.spots[corners[corner] as usize];
        let height = |corner: usize| f64::from(shape.heights[corners[corner] as usize]);
        let mut corner = 1;
        while corner + 2 < corners.len() && plan::side(at(0), at(corner + 1), point.spot()) > 0 {
            corner += 1;
        }
        let [a, b, c] = [0, corner, corner + 1];
        let whole = plan::side(at(a), at(b), at(c)) as f64;
        if whole == 0.0 {
            return height(a);
        }
        let share = |from: usize, to: usize| plan::side(at(from), at(to), point.spot()) as f64 / whole;
        height(a) * share(b, c) + height(b) * share(c, a) + height(c) * share(a, b)
    }

    /// Returns the free or blocked polygons at a point of the plan, as points.
    fn at(&self, spot: Spot) -> impl Iterator<Item = MeshPoint> + '_ {
        let polygons = self.buckets.at(spot).iter().copied();
        polygons
            .filter(move |&polygon| self.shape.covers(polygon as usize, spot))
            .map(move |polygon| MeshPoint::new(polygon, spot))
    }

    pub(crate) fn in_steps(&self, at: [f64; 2]) -> Spot {
        let steps = |axis: usize| clamped((at[axis] - self.shape.origin[axis]) / self.shape.step);
        Spot { x: steps(0), y: steps(1) }
    }

    fn in_units(&self, at: Spot, height: f64) -> [f64; 3] {
        let Shape { origin, step, .. } = &*self.shape;
        [origin[0] + f64::from(at.x) * step, origin[1] + f64::from(at.y) * step, origin[2] + height * step]
    }

    /// Returns where a point lies, in the units of the file or program that the mesh comes from.
    pub fn coordinates(&self, point: MeshPoint) -> [f64; 3] {
        self.in_units(point.spot(), self.height_in_steps(point))
    }

    /// Returns the state of the world that this mesh holds.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the number of the polygon's component, `None` if it is blocked.
    #[inline(always)]
    pub(crate) fn component_of(&self, polygon: u32) -> Option<u32> {
        self.components.get(polygon)
    }

    /// Returns the bytes of memory that the mesh takes.
    pub fn bytes(&self) -> usize {
        self.shape.bytes() + self.buckets.bytes() + held(&self.weights) + self.components.bytes()
    }
}

#[cfg(test)]
mod tests;
