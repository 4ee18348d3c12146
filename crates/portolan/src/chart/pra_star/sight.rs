//! Turns a route into cells by sight. The walk goes straight to the furthest node of the route that is in sight, and
//! searches only where not even the next node is. Then the cells are straightened once more, from the end back to the
//! start.
//!
//! Not here: what is in sight of a cell, and the walk there (`shared::walk`).

use super::PraStar;
use super::descent::{PraScratch, Stage, give_up};
use super::layers::GRAIN;
use crate::chart::shared::walk::{in_sight, walk};
use crate::id::Cell;
use crate::memory::held;
use crate::method::{End, Task};
use crate::probe::{Event, Probe};
use crate::scratch::{Scratch, TOO_FAR};
use crate::search::a_star;
use crate::space::square::SquareGrid;

/// The highest layer whose routes are walked by sight. Of routes further up, too many nodes are out of sight; searching
/// one more layer first would gain little.
pub(super) const LAST_LAYER: usize = 2;

/// How far a piece has been walked.
#[derive(Default)]
pub(super) struct SightWalk {
    cells: Vec<Cell>,
    /// The index in `cells` where the last straight line begins, or the last stretch that was searched.
    bend: usize,
    /// The place in the route of the node that is reached.
    place: usize,
    /// The goal of the current search.
    pub(super) next: Cell,
}

impl SightWalk {
    pub(super) fn bytes(&self) -> usize {
        held(&self.cells)
    }

    pub(super) fn begin(&mut self, from: Cell) {
        self.cells.clear();
        self.cells.push(from);
        (self.bend, self.place) = (0, 0);
    }

    pub(super) fn here(&self) -> Cell {
        *self.cells.last().expect("a walk has a start")
    }

    /// Appends the cells that a search has found to the walk. `trail` has the goal first, and is empty afterwards.
    pub(super) fn follow(&mut self, trail: &mut Vec<Cell>) {
        self.bend = self.cells.len() - 1;
        trail.pop();
        self.cells.extend(trail.drain(..).rev());
    }
}

impl PraStar {
    /// Continues the walk until the piece is finished, or until the next node is not in sight: then it begins a search.
    /// Returns the end of the query if this was its last piece.
    pub(super) fn walk_on(
        &self,
        task: Task,
        scratch: &mut Scratch,
        pra: &mut PraScratch,
        probe: &mut impl Probe,
    ) -> Option<End> {
        let grid = task.grid;
        let last = pra.route.len() - 1;
        while pra.walker.here() != pra.to {
            let (here, place) = (pra.walker.here(), pra.walker.place);
            let far = furthest(place, last, |place| in_sight(grid, here, self.post(grid, pra, place)));
            let is_hidden = far == place;
            pra.walker.place = if is_hidden { last.min(place + 1) } else { far };
            let next = self.post(grid, pra, pra.walker.place);
            if !is_hidden {
                let SightWalk { cells, bend, .. } = &mut pra.walker;
                *bend = turn(grid, cells, *bend, next);
            } else if next != here {
                pra.walker.next = next;
                pra.stage = Stage::Leg;
                let leg = Task { grid, from: here, to: next };
                a_star::begin_within(leg, scratch);
                if probe.is_watching() {
                    probe.event(Event::Push { node: leg.start(), g: 0, key: 0 });
                }
                return None;
            }
        }
        let trail = &mut scratch.trail;
        pra.walker.cells.reverse();
        walk_back(grid, &pra.walker.cells, trail);
        let cost = price(grid, trail);
        if cost >= TOO_FAR {
            give_up(task, scratch, pra, probe);
            return None;
        }
        self.end_piece(task, scratch, pra, cost as u32, probe)
    }

    /// Returns the cell to walk to in the node at a place of the route: a cell near its middle or, in the last node,
    /// the cell where the piece ends.
    fn post(&self, grid: &SquareGrid, pra: &PraScratch, place: usize) -> Cell {
        if place + 1 == pra.route.len() {
            return pra.to;
        }
        let mut node = pra.route[place];
        let middle = self.layers.body(grid, pra.layer, node);
        let apart = |x: u32, y: u32| u64::from(x.abs_diff(middle.x)).pow(2) + u64::from(y.abs_diff(middle.y)).pow(2);
        for layer in (2..=pra.layer).rev() {
            let mut best = (u64::MAX, node);
            self.layers.for_each_child(layer, node, |child| {
                let body = self.layers.body(grid, layer - 1, child);
                let apart = apart(body.x, body.y);
                if apart < best.0 {
                    best = (apart, child);
                }
            });
            node = best.1;
        }
        let cells = self.layers.tiles.cells(node);
        let cells = (0..4).filter(|place| cells >> place & 1 == 1).map(|place| self.layers.tiles.cell(node, place));
        let apart = |cell: &Cell| apart(u32::from(cell.x) * GRAIN, u32::from(cell.y) * GRAIN);
        cells.min_by_key(apart).expect("a clique has cells")
    }
}

/// Walks along cells once more, each time straight to the furthest cell that is found in sight, and writes the result
/// to `trail`. This cannot make the route longer, since a straight walk is the shortest between its ends.
fn walk_back(grid: &SquareGrid, cells: &[Cell], trail: &mut Vec<Cell>) {
    trail.clear();
    trail.push(cells[0]);
    let (mut at, mut bend, last) = (0, 0, cells.len() - 1);
    while at < last {
        at = furthest(at + 1, last, |place| in_sight(grid, cells[at], cells[place]));
        bend = turn(grid, trail, bend, cells[at]);
    }
}

/// Returns the furthest place up to `last` that `sees` holds for, beginning with `seen`, which counts as in sight. It
/// tries places in strides that double, then halves the range. This is exact if all places up to some limit are in
/// sight and none after it; otherwise the result is `last` or a place in sight whose next one is hidden.
fn furthest(mut seen: usize, last: usize, mut sees: impl FnMut(usize) -> bool) -> usize {
    let (mut hidden, mut stride) = (last + 1, 1);
    while seen < last && hidden > last {
        let place = (seen + stride).min(last);
        if sees(place) {
            (seen, stride) = (place, 2 * stride);
        } else {
            hidden = place;
        }
    }
    while seen + 1 < hidden {
        let place = seen.midpoint(hidden);
        if sees(place) {
            seen = place;
        } else {
            hidden = place;
        }
    }
    seen
}

/// Goes straight to a cell that is in sight of the last one. The straight line begins as early as possible: at the
/// first cell found, from index `bend` on, that `to` is in sight of; the cells after it are replaced. Returns the index
/// where the line begins.
fn turn(grid: &SquareGrid, cells: &mut Vec<Cell>, bend: usize, to: Cell) -> usize {
    let (mut early, mut late) = (bend, cells.len() - 1);
    while early < late {
        let middle = early.midpoint(late);
        if in_sight(grid, cells[middle], to) {
            late = middle;
        } else {
            early = middle + 1;
        }
    }
    let from = cells[late];
    cells.truncate(late);
    let is_seen = walk(grid, from, to, cells);
    debug_assert!(is_seen, "{from} does not see {to}");
    late
}

/// Returns the cost of a walk over cells that all have one weight.
fn price(grid: &SquareGrid, cells: &[Cell]) -> u64 {
    let diagonals = cells.windows(2).filter(|step| step[0].x != step[1].x && step[0].y != step[1].y).count() as u64;
    let straights = cells.len() as u64 - 1 - diagonals;
    grid.metric().prices().of_steps(straights, diagonals) * u64::from(grid.least_weight())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Rules;

    #[test]
    fn the_furthest_place_is_found_wherever_it_is() {
        for last in 0..40 {
            for seen in 0..=last {
                for limit in seen..=last {
                    assert_eq!(furthest(seen, last, |place| place <= limit), limit);
                }
            }
        }
    }

    #[test]
    fn the_way_back_cuts_corners_and_keeps_both_ends() {
        let grid = SquareGrid::open(9, 9, Rules::default()).expect("a sound size");
        let around: Vec<Cell> = (0..9).map(|x| Cell::new(x, 0)).chain((1..9).map(|y| Cell::new(8, y))).collect();
        let mut trail = vec![];
        walk_back(&grid, &around, &mut trail);
        assert_eq!(trail, (0..9).map(|at| Cell::new(at, at)).collect::<Vec<_>>());
        assert_eq!(price(&grid, &trail), 8 * u64::from(grid.metric().diagonal()));
    }
}
