//! The smoothing of HPA* 2004: single straight lines between cells of the route.

use super::ground::{Ground, Leg, apart};
use crate::id::Cell;

/// How many cells ahead of each cell a line may end.
pub(super) const AHEAD: usize = 64;

/// Goes through the route from its first cell and replaces, at each, the stretch to the farthest cell that a cheaper
/// line leads to. A line has no more steps than what it replaces, so all this happens in place.
pub(super) fn straighten(ground: &Ground, cells: &mut Vec<Cell>) {
    let last = cells.len() - 1;
    // What is done, where we are, and how far from there the route is as cheap as it could be.
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

/// The last cell ahead to which a single line is cheaper than the route, the line, and its cost.
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
