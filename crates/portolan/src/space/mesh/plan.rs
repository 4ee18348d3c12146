//! Points of the plan in whole steps, and exact answers about them: on which side of a line a point lies, and whether two
//! lines meet. Coordinates are at most [`MOST`] steps from 0, so that products of two differences fit 64 bits.
//!
//! Not here: heights, and anything about polygons.

/// The greatest coordinate, in steps.
pub(crate) const MOST: i32 = 1 << 22;

/// A point of the plan.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Spot {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

impl Spot {
    /// Returns the point halfway between two points, rounded down.
    pub(crate) fn between(a: Spot, b: Spot) -> Spot {
        Spot { x: (a.x + b.x) >> 1, y: (a.y + b.y) >> 1 }
    }

    /// Returns the square of the distance between two points.
    #[inline(always)]
    pub(crate) fn square_to(self, other: Spot) -> i64 {
        let (dx, dy) = (i64::from(other.x - self.x), i64::from(other.y - self.y));
        dx * dx + dy * dy
    }

    /// Returns the distance between two points. The square is exact and its root correctly rounded, so that the result does
    /// not depend on the machine.
    #[inline(always)]
    pub(crate) fn distance(self, other: Spot) -> f64 {
        (self.square_to(other) as f64).sqrt()
    }
}

/// Returns a number greater than 0 if `c` lies to the left of the line from `a` to `b`, less than 0 if it lies to the right,
/// and 0 if it lies on it. Left is the side of a polygon on which its inside lies. The number is twice the area of the
/// triangle.
#[inline(always)]
pub(crate) fn side(a: Spot, b: Spot, c: Spot) -> i64 {
    let (bx, by) = (i64::from(b.x - a.x), i64::from(b.y - a.y));
    let (cx, cy) = (i64::from(c.x - a.x), i64::from(c.y - a.y));
    bx * cy - by * cx
}

/// Returns whether a point that lies on the line through `a` and `b` lies between them.
fn is_between(a: Spot, b: Spot, point: Spot) -> bool {
    let within = |a: i32, b: i32, at: i32| a.min(b) <= at && at <= a.max(b);
    within(a.x, b.x, point.x) && within(a.y, b.y, point.y)
}

/// Returns whether two closed line segments have a point in common.
pub(crate) fn meet([a, b]: [Spot; 2], [u, v]: [Spot; 2]) -> bool {
    let [from_u, from_v] = [side(a, b, u).signum(), side(a, b, v).signum()];
    let [from_a, from_b] = [side(u, v, a).signum(), side(u, v, b).signum()];
    if from_u * from_v < 0 && from_a * from_b < 0 {
        return true;
    }
    from_u == 0 && is_between(a, b, u)
        || from_v == 0 && is_between(a, b, v)
        || from_a == 0 && is_between(u, v, a)
        || from_b == 0 && is_between(u, v, b)
}

/// Returns the point between `a` and `b` that is nearest to `to`, rounded to whole steps.
pub(crate) fn nearest_on([a, b]: [Spot; 2], to: Spot) -> Spot {
    let (dx, dy) = (f64::from(b.x - a.x), f64::from(b.y - a.y));
    let square = dx * dx + dy * dy;
    if square == 0.0 {
        return a;
    }
    let along = (f64::from(to.x - a.x) * dx + f64::from(to.y - a.y) * dy) / square;
    let along = along.clamp(0.0, 1.0);
    Spot { x: a.x + (dx * along).round() as i32, y: a.y + (dy * along).round() as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(x: i32, y: i32) -> Spot {
        Spot { x, y }
    }

    #[test]
    fn segments_meet_where_they_cross_touch_or_overlap() {
        let line = [spot(0, 0), spot(10, 0)];
        for (other, met) in [
            ([spot(5, -5), spot(5, 5)], true),
            ([spot(5, 0), spot(5, 5)], true),
            ([spot(10, 0), spot(20, 7)], true),
            ([spot(4, 0), spot(6, 0)], true),
            ([spot(-5, 0), spot(15, 0)], true),
            ([spot(5, 1), spot(5, 5)], false),
            ([spot(11, 0), spot(20, 0)], false),
            ([spot(0, 1), spot(10, 1)], false),
        ] {
            assert_eq!(meet(line, other), met, "{other:?}");
            assert_eq!(meet(other, line), met, "{other:?} the other way");
        }
    }

    #[test]
    fn sides_are_exact_at_the_ends_of_the_plan() {
        let (a, b) = (spot(-MOST, -MOST), spot(MOST, MOST));
        assert_eq!(side(a, b, spot(0, 0)), 0);
        assert!(side(a, b, spot(0, 1)) > 0 && side(a, b, spot(1, 0)) < 0);
    }

    #[test]
    fn the_nearest_point_of_a_line_is_an_end_or_a_foot() {
        let line = [spot(0, 0), spot(10, 0)];
        assert_eq!(nearest_on(line, spot(-3, 4)), spot(0, 0));
        assert_eq!(nearest_on(line, spot(4, 9)), spot(4, 0));
        assert_eq!(nearest_on(line, spot(40, 9)), spot(10, 0));
    }
}
