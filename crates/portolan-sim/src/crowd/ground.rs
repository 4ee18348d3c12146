//! The ground that a crowd walks on: [`Ground`], [`Point`]s on it, and the [`Footing`] of an agent.
//!
//! Not here: the kinds of ground (`crowd/grids.rs`, `crowd/mesh.rs`), and agents.

use portolan::{Snapshot, Space};

/// A point on the ground, seen from above: across and down, as in [`Space::position`]. A cell is 1 wide; on a mesh, lengths
/// are in the units of the mesh.
pub type Point = [f32; 2];

/// Where an agent stands: a point, and on which of the floors that lie above each other there.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Footing {
    /// The point, seen from above.
    pub at: Point,
    /// How high the ground is there; 0 on grids.
    pub height: f32,
    /// The polygon of a mesh that contains the point; 0 on grids.
    pub polygon: u32,
}

impl From<Point> for Footing {
    /// Returns the footing on a point of a grid.
    fn from(at: Point) -> Footing {
        Footing { at, ..Footing::default() }
    }
}

/// What a crowd needs to know of a world: where places lie, which points can be walked on, and the walls near a point.
pub trait Ground {
    /// The kind of world.
    type Space: Space;

    /// Returns the world.
    fn world(&self) -> &Snapshot<Self::Space>;

    /// Returns places on which agents of this radius can stand, in an order that depends on the world and the radius alone.
    fn places(&self, radius: f32) -> Vec<<Self::Space as Space>::Place>;

    /// Returns the place of a footing, or `None` if the ground there is blocked or there is none: an agent can stand on
    /// exactly those footings that have a place.
    fn place_at(&self, footing: Footing) -> Option<<Self::Space as Space>::Place>;

    /// Appends the walls that may lie within `reach` of a footing. Each is a segment whose left side is solid, where the
    /// left of a segment to the right is in the direction of greater second coordinates.
    fn walls_near(&self, footing: Footing, reach: f32, walls: &mut Vec<[Point; 2]>);

    /// Returns where an agent comes to that goes from a footing, on which it can stand, a little way towards a point: to
    /// that point if the way there is free, else to a point near it on which it can stand.
    fn project(&self, from: Footing, to: Point) -> Footing;

    /// Returns whether an agent of this radius can go straight from one footing to another.
    fn is_clear(&self, from: Footing, to: Footing, radius: f32) -> bool;

    /// Returns the footing in the middle of a place.
    fn footing(&self, place: <Self::Space as Space>::Place) -> Footing;

    /// Returns how long the way over plain ground is that costs as much as the link from one place to another. `None` if there
    /// is no link, as on grids.
    fn link(&self, _from: <Self::Space as Space>::Place, _to: <Self::Space as Space>::Place) -> Option<f32> {
        None
    }

    /// Returns the radius with which an agent of this radius keeps off walls.
    fn wall_radius(&self, radius: f32) -> f32;

    /// Returns how far beside the corners of its route an agent of this radius goes.
    fn corner_margin(&self, radius: f32) -> f32;

    /// Returns the length that is for an agent of this radius what a cell is on a grid, or `None` if no such agent can walk
    /// here.
    fn unit(&self, radius: f32) -> Option<f32>;
}

pub(super) fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn times(a: Point, factor: f32) -> Point {
    [a[0] * factor, a[1] * factor]
}

pub(super) fn length(a: Point) -> f32 {
    (a[0] * a[0] + a[1] * a[1]).sqrt()
}

/// Returns the distance between two points.
pub(super) fn distance(a: Point, b: Point) -> f32 {
    length(minus(a, b))
}
