//! The smoothing of HPA* 2004: replacing stretches of the route by single straight lines.

use super::ground::{Ground, Leg, apart};
use crate::id::Cell;

/// The most cells ahead of a cell where a line from it may end.
pub(super) const AHEAD: usize = 64;

/// Goes through the route from its first cell. At each cell, looks for the farthest later cell that a straight line
/// reaches at less cost than the route, and replaces the stretch between the two by the line. A line never has more
/// steps than the stretch, so that the result fits in place.
pub(super) fn straighten(ground: &Ground, cells: &mut Vec<Cell>) {
    let last = cells.len() - 1;
    // The first `kept` cells are done. `at` is the current cell. From `at` to `cheap`, the route costs what open ground
    // would, so that no line can be cheaper.
    let (mut kept, mut at, mut cheap) = (0, 0, 0);
    while at < last {
        if let Some((end, leg, cost)) = farthest_line(ground, cells, at, &mut cheap) {
            let from = cells[at];
            at = end - usize::from(leg.count);
            for (steps, cell) in (0..leg.count).zip(&mut cells[at..end]) {
                *cell = leg.cell(from, steps);
            }
            cheap = if cost == ground.ruler.between(from, cells[end]) { end } else { at };
        }
        cells[kept] = cells[at];
        if at < last {
            kept += 1;
            at += 1;
        }
    }
    cells[kept] = cells[last];
    cells.truncate(kept + 1);
}

/// Returns the index of the farthest cell ahead that a straight line from `at` reaches at less cost than the route,
/// with the line and its cost. Moves `cheap` on as far as the route from `at` costs what open ground would.
fn farthest_line(ground: &Ground, cells: &[Cell], at: usize, cheap: &mut usize) -> Option<(usize, Leg, u32)> {
    let from = cells[at];
    *cheap = (*cheap).max(at);
    let mut way = ground.ruler.between(from, cells[*cheap]);
    let mut aligned = [(0, 0); AHEAD];
    let mut count = 0;
    for end in *cheap + 1..cells.len().min(at + AHEAD + 1) {
        way += ground.step(cells[end - 1], cells[end]);
        if way == ground.ruler.between(from, cells[end]) {
            if *cheap + 1 == end {
                *cheap = end;
            }
            continue;
        }
        let (dx, dy) = apart(from, cells[end]);
        if dx == 0 || dy == 0 || (ground.slants && dx.abs() == dy.abs()) {
            aligned[count] = (end, way);
            count += 1;
        }
    }
    aligned[..count].iter().rev().find_map(|&(end, way)| {
        let (dx, dy) = apart(from, cells[end]);
        let leg = Leg::new(dx, dy);
        ground.line(from, leg, way).map(|cost| (end, leg, cost))
    })
}
