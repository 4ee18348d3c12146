//! Whether a polygon is convex, and which way it winds.
//!
//! Vertices are rounded to whole steps, so that a corner in the middle of a straight wall may lie a step inside it. Such
//! a corner is allowed.
//!
//! Not here: how polygons fit together.

use super::plan::{Spot, side};

/// How many steps a corner may lie inside the line from the corner before it to the corner after it.
const DENT: f64 = 2.0;

/// What is wrong with a polygon.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    NoArea { edge: usize },
    NotConvex { edge: usize },
}

/// Returns whether the inside of a polygon lies to the left of its edges; if not, it lies to the right of them. `at` gives
/// the corners, and takes numbers past the last as beginning again.
pub(super) fn winding(count: usize, at: impl Fn(usize) -> Spot) -> Result<bool, Fault> {
    let doubled: i64 = (2..count).map(|corner| side(at(0), at(corner - 1), at(corner))).sum();
    if count < 3 || doubled == 0 {
        return Err(Fault::NoArea { edge: 0 });
    }
    let is_left = doubled > 0;
    let mut turns = 0;
    for edge in 0..count {
        let (a, b, c) = (at(edge), at(edge + 1), at(edge + 2));
        if a == b {
            return Err(Fault::NoArea { edge });
        }
        let turn = if is_left { side(a, b, c) } else { -side(a, b, c) };
        let goes_back =
            turn == 0 && i64::from(b.x - a.x) * i64::from(c.x - b.x) + i64::from(b.y - a.y) * i64::from(c.y - b.y) < 0;
        if goes_back || (turn as f64) < -DENT * a.distance(c) {
            return Err(Fault::NotConvex { edge });
        }
        turns += full_turns([a, b, c], turn, is_left);
    }
    // A polygon that crosses itself may turn the same way at every corner, but it turns around more than once.
    if turns == 1 { Ok(is_left) } else { Err(Fault::NotConvex { edge: 0 }) }
}

/// Returns 1 if the direction of travel passes that of the x axis at a corner, turning the way of the polygon; -1 if it
/// passes it turning back, else 0.
fn full_turns([a, b, c]: [Spot; 3], turn: i64, is_left: bool) -> i32 {
    let upward = |from: Spot, to: Spot| (if is_left { to.y - from.y } else { from.y - to.y }) >= 0;
    match (upward(a, b), upward(b, c)) {
        (false, true) if turn > 0 => 1,
        (true, false) if turn < 0 => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(corners: &[(i32, i32)]) -> Result<bool, Fault> {
        let spots: Vec<Spot> = corners.iter().map(|&(x, y)| Spot { x: 100 * x, y: 100 * y }).collect();
        winding(spots.len(), |corner| spots[corner % spots.len()])
    }

    #[test]
    fn convex_polygons_pass_in_both_windings() {
        for corners in [
            &[(0, 0), (4, 0), (4, 4), (0, 4)][..],
            &[(0, 0), (2, 0), (4, 0), (4, 4), (2, 4), (0, 4)],
            &[(0, 0), (5, 1), (2, 6)],
            &[(3, 0), (6, 2), (5, 5), (1, 5), (0, 2)],
        ] {
            assert_eq!(check(corners), Ok(true), "{corners:?}");
            let turned: Vec<(i32, i32)> = corners.iter().rev().copied().collect();
            assert_eq!(check(&turned), Ok(false), "{turned:?}");
            for shift in 1..corners.len() {
                let mut shifted = corners.to_vec();
                shifted.rotate_left(shift);
                assert_eq!(check(&shifted), Ok(true), "{shifted:?}");
            }
        }
    }

    #[test]
    fn dents_crossings_and_flat_polygons_are_refused() {
        for corners in [
            &[(0, 0), (4, 0), (1, 1), (0, 4)][..],
            // Pentagram: every corner turns left, twice around.
            &[(0, 3), (4, -3), (-5, 1), (5, 1), (-4, -3)],
            &[(0, 0), (4, 0), (4, 4), (2, 9), (2, -3), (0, 4)],
            &[(0, 0), (4, 0), (2, 0)],
            &[(0, 0), (4, 0)],
            &[(0, 0), (4, 0), (4, 0), (0, 4)],
            &[(0, 0), (4, 0), (4, 4), (6, 6), (4, 4), (0, 4)],
        ] {
            assert!(check(corners).is_err(), "{corners:?}");
        }
    }

    #[test]
    fn a_corner_may_lie_two_steps_inside_a_straight_wall() {
        let with_dent = |dent: i32| {
            let spots = [(0, 0), (500, dent), (1000, 0), (1000, 1000), (0, 1000)].map(|(x, y)| Spot { x, y });
            winding(5, |corner| spots[corner % 5])
        };
        assert_eq!([with_dent(1), with_dent(2)], [Ok(true); 2]);
        assert_eq!(with_dent(5), Err(Fault::NotConvex { edge: 0 }));
    }
}
