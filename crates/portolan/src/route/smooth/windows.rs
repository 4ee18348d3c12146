//! Pulling a route tight where weights differ: two-legged lines across windows that slide along it.

use super::ground::{Ground, Leg, apart};
use crate::id::Cell;

/// Cells that the windows of each pass span. Small ones first, so that large ones compare with something good, and small
/// ones once more for the joints.
const PASSES: [usize; 4] = [8, 24, 12, 5];

/// Slides each pass's window along the route by half its length and replaces what a two-legged line makes cheaper. The
/// line has no more steps than what it replaces, so all this happens in place.
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

/// Where the stretch begins after it was, perhaps, replaced by something with fewer cells.
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

/// The cheaper of the two lines with one bend, if it beats the stretch.
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
