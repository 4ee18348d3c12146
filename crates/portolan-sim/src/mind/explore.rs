//! Naive exploration: the direction in which a mind goes on where it knows nothing.
//!
//! Not here: what it does where no such direction leads on.

use super::hexagons::{Hexagons, STEP};
use portolan::HexCell;
use portolan::generate::Random;

/// Returns one of the directions in `free` at random whose cosine with the direction of the goal is above a threshold,
/// given in thousandths. `None` if there is none.
pub(super) fn direction(
    hexagons: &Hexagons,
    [at, goal]: [u32; 2],
    free: u8,
    delta: i16,
    random: &mut Random,
) -> Option<usize> {
    let ahead = ahead(hexagons.hexagon(at), hexagons.hexagon(goal), delta) & free;
    pick(ahead, random)
}

/// Returns one of the directions in a set at random, or `None` if there is none.
pub(super) fn pick(set: u8, random: &mut Random) -> Option<usize> {
    let skipped = (set != 0).then(|| random.below(u64::from(set.count_ones())))?;
    let rest = (0..skipped).fold(set, |set, _| set & (set - 1));
    Some(rest.trailing_zeros() as usize)
}

/// Returns the directions whose cosine with the direction of the goal is above a threshold: the set D of the thesis before
/// obstacles are taken out. Whole numbers decide.
fn ahead(at: HexCell, goal: HexCell, delta: i16) -> u8 {
    let (q, r) = (i64::from(goal.q) - i64::from(at.q), i64::from(goal.r) - i64::from(at.r));
    // Twice the vector to the goal is (2q + r, √3 r), and so for the steps, which are 1 long.
    let square = (2 * q + r).pow(2) + 3 * r.pow(2);
    let is_ahead = |&(step_q, step_r): &(i16, i16)| {
        let (step_q, step_r) = (i64::from(step_q), i64::from(step_r));
        let product = 1000 * ((2 * step_q + step_r) * (2 * q + r) + 3 * step_r * r);
        let threshold = 4 * i64::from(delta).pow(2) * square;
        match (product >= 0, delta >= 0) {
            (true, true) => product.pow(2) > threshold,
            (true, false) => product > 0 || square > 0,
            (false, true) => false,
            (false, false) => product.pow(2) < threshold,
        }
    };
    STEP.iter().enumerate().filter(|(_, step)| square == 0 || is_ahead(step)).fold(0, |set, (d, _)| set | 1 << d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_ahead_are_those_whose_cosine_is_above_delta() {
        let at = HexCell::new(50, 50);
        for delta in (-1000..=800).step_by(7) {
            for (q, r) in (-20..=20).flat_map(|q| (-20..=20).map(move |r| (q, r))).filter(|&at| at != (0, 0)) {
                let (x, y) = (f64::from(q) + f64::from(r) / 2.0, f64::from(r) * 0.75_f64.sqrt());
                let set = ahead(at, HexCell::new(50 + q, 50 + r), delta);
                for (direction, angle) in (0..6).map(|direction| (direction, f64::from(direction).to_radians() * 60.0))
                {
                    let cosine = (x * angle.cos() + y * angle.sin()) / x.hypot(y);
                    let off = cosine - f64::from(delta) / 1000.0;
                    let is_ahead = set >> direction & 1 == 1;
                    assert!(off.abs() < 1e-9 || is_ahead == (off > 0.0), "{q},{r} at {delta}: {direction}");
                }
                assert!(set != 0, "{q},{r} at {delta}");
            }
        }
    }
}
