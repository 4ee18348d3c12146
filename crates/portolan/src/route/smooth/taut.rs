//! Pulling a route tight on uniform ground, turning point by turning point.
//!
//! What has been pulled lies on a stack of turning points. Above its last *peg*, a bend that nothing could be done
//! about, all of it is as cheap as open ground, so that most turning points join after one comparison. Where one
//! does not, the run that is to blame is found going back, and [`Reach`] looks for a walk past the bend:
//! first from the beginning of that run to the new turning point, then ever less of both. If none is there, the
//! bend is the new peg.

use super::reach::Reach;
use super::runs::{Ruler, distance, towards};
use crate::id::Cell;
use crate::world::square::SquareGrid;

/// How many stretches one turning point may cut short. Each makes the route cheaper, so there is an end anyway; this
/// keeps it near.
const CUTS: usize = 8;

/// Pulls a route given by its turning points tight and writes its new ones.
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
    /// Turning points, each a straight run from the one before.
    pulled: &'a mut Vec<Cell>,
    /// From this turning point on, the taut costs what open ground would.
    peg: usize,
}

impl TautRoute<'_> {
    /// Draws the taut on to a cell that is a straight run away.
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

    fn push(&mut self, cell: Cell) {
        if self.last() != cell {
            self.pulled.push(cell);
        }
    }

    /// The last turning point, from the peg on, where the way to `to` bends too much: from there it is as cheap as on
    /// open ground, from the one before it is not.
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

    /// Replaces as much as possible of the way around the bend; false when that is nothing.
    fn cut(&mut self, bend: usize, to: Cell) -> bool {
        let (from, first, last) = (self.pulled[bend - 1], self.pulled[bend], self.last());
        if self.reach.look(from, to) {
            self.pulled.truncate(bend);
            self.reach.write(from, to, self.pulled);
            return true;
        }
        // The same number of cells off the run before the bend and off the run to come: only pairs of steps pay.
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

    /// Whether open ground between the ends would be cheaper than going by way of the bend. If one step either side
    /// pays, so do more.
    fn pays(&self, first: Cell, last: Cell, (a, b): (Cell, Cell)) -> bool {
        let way = self.ruler.between(a, first) + self.ruler.between(first, last) + self.ruler.between(last, b);
        way > self.ruler.between(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Rules;

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
        weights[5 * 10 + 4] = 0; // on the diagonal that would cut off the whole corner
        let grid = SquareGrid::from_weights(10, 10, &weights, Rules::default()).unwrap();
        let corners = pulled(&grid, &[(0, 9), (9, 9), (9, 0)]);
        let ruler = Ruler::new(&grid);
        let cost: u32 = corners.windows(2).map(|run| ruler.between(run[0], run[1])).sum();
        // Two straight steps at either end keep clear of the wall's corners.
        assert_eq!(cost, 7 * grid.metric().diagonal() + 4 * grid.metric().straight());
    }
}
