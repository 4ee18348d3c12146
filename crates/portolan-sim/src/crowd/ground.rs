//! The ground that a crowd walks on: [`Ground`], and [`Point`]s on it.
//!
//! Not here: the kinds of ground (`crowd/grids.rs`), and agents.

use portolan::{Snapshot, Space};

/// A point on the ground, seen from above: across and down, as in [`Space::position`]. A cell is 1 wide.
pub type Point = [f32; 2];

/// What a crowd needs to know of a world: where places lie, which points can be walked on, and the walls near a point.
pub trait Ground {
    /// The kind of world.
    type Space: Space;

    /// Returns the world.
    fn world(&self) -> &Snapshot<Self::Space>;

    /// Returns every place on which an agent can stand, in an order that depends on the world alone.
    fn places(&self) -> Vec<<Self::Space as Space>::Place>;

    /// Returns the place that contains the point, or `None` if the point is blocked or off the world: an agent can stand on
    /// exactly those points that have a place.
    fn place_at(&self, point: Point) -> Option<<Self::Space as Space>::Place>;

    /// Appends the walls that may lie within `reach` of the point. Each is a segment whose left side is solid, where the
    /// left of a segment to the right is in the direction of greater second coordinates.
    fn walls_near(&self, point: Point, reach: f32, walls: &mut Vec<[Point; 2]>);

    /// Returns where an agent comes to that goes from one point, on which it can stand, a little way towards another: `to`
    /// if the way there is free, else a point near `to` on which it can stand.
    fn project(&self, from: Point, to: Point) -> Point;

    /// Returns the point in the middle of a place.
    fn point(&self, place: <Self::Space as Space>::Place) -> Point {
        let [x, y, _] = self.world().position(place);
        [x, y]
    }

    /// Returns whether an agent of this radius can go straight from one point to another. It looks at points every fifth of
    /// a cell along the middle and both sides of the way.
    fn is_clear(&self, from: Point, to: Point, radius: f32) -> bool {
        let along = minus(to, from);
        let length = length(along);
        if length == 0.0 {
            return true;
        }
        let aside = [-along[1] / length * radius, along[0] / length * radius];
        let count = (length * 5.0).ceil();
        let mut step = 0.0;
        while step <= count {
            let at = plus(from, times(along, step / count));
            if [at, plus(at, aside), minus(at, aside)].into_iter().any(|point| self.place_at(point).is_none()) {
                return false;
            }
            step += 1.0;
        }
        true
    }
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
