//! Pulling a route tight where weights differ: windows slide along the route, and lines of two legs replace the
//! stretches inside them. One leg is straight and one diagonal or, with four directions, both are straight.
//!
//! Not here: worlds whose weights are all equal (`taut`).

use super::ground::{Ground, Leg, apart};
use crate::id::Cell;

/// The number of steps that the window of each pass spans. The first pass has a small window, so that the large window
/// of the second compares with a route that is already good; the last two smooth the joints between replaced
/// stretches.
const PASSES: [usize; 4] = [8, 24, 12, 5];

/// In each pass, slides the window along the route by half its length at a time, and replaces the stretch inside it by
/// a line of two legs if that is cheaper. The line never has more steps than the stretch, so that the result fits in
/// place.
pub(super) fn tighten(ground: &Ground, cells: &mut Vec<Cell>) {
    for width in PASSES {
        let last = cells.len() - 1;
        let (mut kept, mut at) = (0, 0);
        while at < last {
            let end = (at + width).min(last);
            at = replace(ground, cells, at, end);
            let next = if end == last { last } else { end.min(at + width / 2) };
            cells.copy_within(at..next, kept);
            kept += next - at;
            at = next;
        }
        cells[kept] = cells[last];
        cells.truncate(kept + 1);
    }
}

/// Replaces the stretch from `at` to `end` by a line of two legs if one is cheaper, and returns the index where the
/// stretch begins then. A line with fewer cells is written so that it still ends at `end`.
fn replace(ground: &Ground, cells: &mut [Cell], at: usize, end: usize) -> usize {
    let from = cells[at];
    let Some(legs) = cheaper_line(ground, &cells[at..=end]) else { return at };
    let middle = end - usize::from(legs[1].count);
    let begin = middle - usize::from(legs[0].count);
    let bend = legs[0].cell(from, legs[0].count);
    for (steps, cell) in (0..legs[0].count).zip(&mut cells[begin..middle]) {
        *cell = legs[0].cell(from, steps);
    }
    for (steps, cell) in (0..legs[1].count).zip(&mut cells[middle..end]) {
        *cell = legs[1].cell(bend, steps);
    }
    begin
}

/// Returns the cheaper one of the two lines of two legs between the ends of the stretch, or `None` if neither is
/// cheaper than the stretch.
fn cheaper_line(ground: &Ground, stretch: &[Cell]) -> Option<[Leg; 2]> {
    let (from, to) = (stretch[0], stretch[stretch.len() - 1]);
    let way = ground.way(stretch);
    if way == ground.ruler.between(from, to) {
        return None;
    }
    let (dx, dy) = apart(from, to);
    let slant = if ground.slants { dx.abs().min(dy.abs()) } else { 0 };
    let (across, down) = (dx.signum() * slant, dy.signum() * slant);
    let legs = if ground.slants {
        [Leg::new(across, down), Leg::new(dx - across, dy - down)]
    } else {
        [Leg::new(dx, 0), Leg::new(0, dy)]
    };
    let price = |legs: [Leg; 2], limit| {
        let first = ground.line(from, legs[0], limit)?;
        let second = ground.line(legs[0].cell(from, legs[0].count), legs[1], limit - first)?;
        Some(first + second)
    };
    let turned = [legs[1], legs[0]];
    match price(legs, way) {
        None => price(turned, way).map(|_| turned),
        Some(cost) => Some(if price(turned, cost).is_some() { turned } else { legs }),
    }
}
