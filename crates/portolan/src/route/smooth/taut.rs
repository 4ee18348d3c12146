//! Pulling a route tight where all weights are equal, turning point by turning point.
//!
//! The part of the route that has been pulled tight is a stack of turning points. The *peg* is the last of them at a
//! bend that could not be cut or, before there is one, the start. From the peg on, the pulled route costs what open
//! ground would. If that still holds with the next turning point of the route, which one comparison tells, the turning
//! point is pushed. If not, a look back along the stack finds the bend that makes the route too expensive, and
//! [`Reach`] looks for a walk past it: first from the turning point before the bend to the new one, then between cells
//! nearer to the bend. If there is no such walk, the bend becomes the peg.
//!
//! Not here: worlds whose weights differ (`windows`).

use super::reach::Reach;
use super::runs::{Ruler, distance, towards};
use crate::id::Cell;
use crate::space::square::SquareGrid;

/// The most bends that are looked at for one new turning point; the last of them becomes the peg without a try to cut
/// it. Every cut makes the route cheaper, so that the cuts would come to an end without this limit, but perhaps late.
const CUTS: usize = 8;

/// Pulls the route with the turning points `corners` tight and replaces `pulled` by the turning points of the result.
pub(super) fn pull(grid: &SquareGrid, corners: &[Cell], pulled: &mut Vec<Cell>) {
    pulled.clear();
    pulled.push(corners[0]);
    let mut taut = TautRoute { ruler: Ruler::new(grid), reach: Reach::new(grid), pulled, peg: 0 };
    for &corner in &corners[1..] {
        taut.draw(corner);
    }
}

struct TautRoute<'a> {
    ruler: Ruler,
    reach: Reach<'a>,
    /// The turning points so far. A straight run leads from each to the next.
    pulled: &'a mut Vec<Cell>,
    /// Index of the turning point from which on the pulled route costs what open ground would.
    peg: usize,
}

impl TautRoute<'_> {
    /// Extends the pulled route by a straight run to the cell `to`, and pulls the result tight.
    fn draw(&mut self, to: Cell) {
        let (peg, last) = (self.pulled[self.peg], self.last());
        if self.ruler.between(peg, last) + self.ruler.between(last, to) == self.ruler.between(peg, to) {
            self.push(to);
            return;
        }
        for cuts_left in (0..CUTS).rev() {
            let Some(bend) = self.bend(to) else { break };
            if cuts_left == 0 || !self.cut(bend, to) {
                self.peg = bend;
                break;
            }
        }
        self.push(to);
    }

    fn last(&self) -> Cell {
        self.pulled[self.pulled.len() - 1]
    }

    /// Appends a turning point, unless it is equal to the last one.
    fn push(&mut self, cell: Cell) {
        if self.last() != cell {
            self.pulled.push(cell);
        }
    }

    /// Returns the index of the bend that makes the route to `to` too expensive: the first turning point after the peg
    /// from which on the route costs what open ground would, or `None` if it does so from the peg on.
    fn bend(&self, to: Cell) -> Option<usize> {
        let mut next = self.last();
        let mut way = self.ruler.between(next, to);
        for at in (self.peg..self.pulled.len() - 1).rev() {
            let here = self.pulled[at];
            way += self.ruler.between(here, next);
            if way > self.ruler.between(here, to) {
                return Some(at + 1);
            }
            next = here;
        }
        None
    }

    /// Replaces as much as possible of the route around the bend by a cheaper walk, and returns whether it replaced
    /// any.
    fn cut(&mut self, bend: usize, to: Cell) -> bool {
        let (from, first, last) = (self.pulled[bend - 1], self.pulled[bend], self.last());
        if self.reach.look(from, to) {
            self.pulled.truncate(bend);
            self.reach.write(from, to, self.pulled);
            return true;
        }
        // Otherwise the walk begins `count` cells before the bend and ends `count` cells into the new run. Both counts
        // are equal because a saving always replaces one step of the run before the bend and one of the new run
        // together.
        let ends = |count| (towards(first, from, count), towards(last, to, count));
        let most = distance(from, first).min(distance(last, to));
        if most == 0 || !self.pays(first, last, ends(1)) || !self.reach.look(ends(1).0, ends(1).1) {
            return false;
        }
        let (mut good, mut bad) = (1, most + 1);
        while good + 1 < bad {
            let middle = u16::midpoint(good, bad);
            let (a, b) = ends(middle);
            if self.reach.look(a, b) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        let (a, b) = ends(good);
        self.reach.look(a, b);
        self.pulled.truncate(bend);
        self.push(a);
        self.reach.write(a, b, self.pulled);
        self.push(b);
        true
    }

    /// Returns whether a walk over open ground from `a` to `b` would be cheaper than the route by way of `first` and
    /// `last`. If it is for one step on either side of the bend, it is for more steps too.
    fn pays(&self, first: Cell, last: Cell, (a, b): (Cell, Cell)) -> bool {
        let way = self.ruler.between(a, first) + self.ruler.between(first, last) + self.ruler.between(last, b);
        way > self.ruler.between(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Rules;

    fn pulled(grid: &SquareGrid, corners: &[(u16, u16)]) -> Vec<Cell> {
        let corners: Vec<Cell> = corners.iter().map(|&at| at.into()).collect();
        let mut out = Vec::new();
        pull(grid, &corners, &mut out);
        out
    }

    #[test]
    fn a_way_there_and_back_vanishes() {
        let grid = SquareGrid::open(200, 3, Rules::default()).unwrap();
        assert_eq!(pulled(&grid, &[(5, 1), (9, 1), (5, 1)]), [Cell::new(5, 1)]);
        assert_eq!(pulled(&grid, &[(0, 1), (199, 1), (150, 1)]).last(), Some(&Cell::new(150, 1)));
    }

    #[test]
    fn a_bend_around_a_wall_is_cut_as_far_as_the_wall_allows() {
        let mut weights = [1; 100];
        weights[5 * 10 + 4] = 0; // on the diagonal from the first to the last turning point
        let grid = SquareGrid::from_weights(10, 10, &weights, Rules::default()).unwrap();
        let corners = pulled(&grid, &[(0, 9), (9, 9), (9, 0)]);
        let ruler = Ruler::new(&grid);
        let cost: u32 = corners.windows(2).map(|run| ruler.between(run[0], run[1])).sum();
        // With two straight steps at either end, the diagonal steps between them do not touch the blocked cell's
        // corners.
        assert_eq!(cost, 7 * grid.metric().diagonal() + 4 * grid.metric().straight());
    }
}
