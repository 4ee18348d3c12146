//! Following a field of costs from the agent to the goal, as a list of cells.
//!
//! The route that is followed leads through points on the sides of cells. Its cells are neighbours, and the line between
//! the middles of two that follow each other is legal.
//!
//! Not here: the costs, and straight lines over more than one cell.

use super::corners::{Corner, Corners, Triangle, Way, least_through};
use crate::id::Cell;

/// A side of a cell, with the costs of its two ends.
#[derive(Copy, Clone)]
struct Side {
    /// The ends: the upper or left one, and the other.
    ends: [Corner; 2],
    costs: [f64; 2],
}

impl Side {
    fn is_level(self) -> bool {
        self.ends[0].y == self.ends[1].y
    }

    /// Returns the point at this distance from the first end.
    fn point(self, at: f64) -> [f64; 2] {
        let [x, y] = [self.ends[0].x, self.ends[0].y].map(f64::from);
        if self.is_level() { [x + at, y] } else { [x, y + at] }
    }

    /// Returns the interpolated cost of that point.
    fn cost(self, at: f64) -> f64 {
        if at <= 0.0 {
            self.costs[0]
        } else if at >= 1.0 {
            self.costs[1]
        } else {
            self.costs[0] + at * (self.costs[1] - self.costs[0])
        }
    }

    /// Returns the end that costs less.
    fn cheaper_end(self) -> Corner {
        self.ends[usize::from(self.costs[1] < self.costs[0])]
    }

    /// Returns the least cost of a line from a point to this side, through ground of this price, and where on the side it
    /// ends.
    fn least_from(self, [x, y]: [f64; 2], price: f64) -> (f64, f64) {
        let [left, top] = [self.ends[0].x, self.ends[0].y].map(f64::from);
        let (away, foot) = if self.is_level() { ((y - top).abs(), x - left) } else { ((x - left).abs(), y - top) };
        let at = match self.costs.map(f64::is_finite) {
            [true, true] => {
                let slope = self.costs[0] - self.costs[1];
                let rest = price * price - slope * slope;
                let past = if rest > 0.0 { away * slope / rest.sqrt() } else { 2.0 * slope.signum() };
                (foot + past).clamp(0.0, 1.0)
            }
            [true, false] => 0.0,
            _ => 1.0,
        };
        (price * (away * away + (at - foot) * (at - foot)).sqrt() + self.cost(at), at)
    }
}

/// Where a route has come to.
enum Spot {
    /// A corner.
    Corner(Corner),
    /// A point on a side, at this distance from its first end; the route comes from this cell.
    Side(Side, f64, Cell),
    /// The goal.
    Goal,
}

/// Follows a field.
pub(super) struct Trace<'a, F> {
    pub(super) corners: &'a Corners<'a>,
    /// Returns the cost of a corner, or [`INFINITE`](super::INFINITE) if it is not known.
    pub(super) cost: F,
    /// The cells of the route, the first one in which the agent stands.
    pub(super) cells: &'a mut Vec<Cell>,
}

impl<F: Fn(Corner) -> u32> Trace<'_, F> {
    /// Appends the cells of the route. The cost of the target is finite.
    pub(super) fn run(&mut self) {
        let Corners { target, root, .. } = *self.corners;
        self.cells.push(target);
        let middle = [target.x, target.y].map(|at| f64::from(at) + 0.5);
        let (side, at) = self.best_side(target, middle, None).expect("a way leads out of the cell of the agent");
        let mut spot = Self::on(side, at, target);
        loop {
            spot = match spot {
                Spot::Corner(corner) => self.leave_corner(corner),
                Spot::Side(side, at, from) => self.leave_side(side, at, from),
                Spot::Goal => break,
            };
        }
        self.enter(root);
    }

    fn on(side: Side, at: f64, from: Cell) -> Spot {
        // So near to an end, a point tells nothing but that end.
        const NEAR: f64 = 1e-6;
        if at < NEAR {
            Spot::Corner(side.ends[0])
        } else if at > 1.0 - NEAR {
            Spot::Corner(side.ends[1])
        } else {
            Spot::Side(side, at, from)
        }
    }

    fn side(&self, ends: [Corner; 2]) -> Side {
        let known = |cost: u32| if cost == super::INFINITE { f64::INFINITY } else { f64::from(cost) };
        Side { ends, costs: ends.map(|end| known((self.cost)(end))) }
    }

    /// Returns the side of a cell over which a route from a point in the cell costs least, and where it crosses that side.
    /// The side at which the route came into the cell is left out.
    fn best_side(&self, cell: Cell, point: [f64; 2], entered: Option<Side>) -> Option<(Side, f64)> {
        let [a, b, c, d] = Corner::all_of(cell);
        let price = f64::from(self.corners.price(cell));
        let mut best = (f64::INFINITY, None);
        for ends in [[a, b], [b, c], [d, c], [a, d]] {
            if entered.is_some_and(|side| side.ends == ends) {
                continue;
            }
            let side = self.side(ends);
            let (cost, at) = side.least_from(point, price);
            if cost < best.0 {
                best = (cost, Some((side, at)));
            }
        }
        best.1
    }

    /// Goes on from a point on a side, through the cell beyond it if that leads to lower costs, else along the side.
    fn leave_side(&mut self, side: Side, at: f64, from: Cell) -> Spot {
        let [first, _] = side.ends;
        let beyond = if side.is_level() { [0, 1] } else { [1, 2] }.map(|quadrant| first.cell(quadrant));
        let next = if beyond[0] == from { beyond[1] } else { beyond[0] };
        if self.corners.price(next) > 0 {
            if next == self.corners.root {
                return Spot::Goal;
            }
            // Costs fall by at least 1 at a time, so that the route comes to an end.
            let ahead = self.best_side(next, side.point(at), Some(side));
            if let Some((ahead, there)) = ahead.filter(|&(ahead, there)| ahead.cost(there) <= side.cost(at) - 1.0) {
                self.enter(next);
                return Self::on(ahead, there, next);
            }
        }
        Spot::Corner(side.cheaper_end())
    }

    /// Goes on from a corner, through the triangle over which it costs least.
    fn leave_corner(&mut self, corner: Corner) -> Spot {
        let prices = self.corners.prices(corner);
        let mut best = (super::INFINITE, Way::Edge, Triangle::new(0));
        for triangle in (0..8).map(Triangle::new).filter(|triangle| prices[triangle.quadrant] > 0) {
            let [edge, across] = [triangle.edge, triangle.across].map(|toward| (self.cost)(corner.beside(toward)));
            let (cost, way) = least_through(prices[triangle.quadrant], prices[triangle.other], edge, across);
            if cost < best.0 {
                best = (cost, way, triangle);
            }
        }
        let (cost, way, Triangle { quadrant, other, edge, across }) = best;
        if self.corners.to_root(corner).is_some_and(|direct| direct <= cost) {
            return Spot::Goal;
        }
        let [near, far] = [edge, across].map(|toward| corner.beside(toward));
        if way == Way::Bent {
            self.enter(corner.cell(other));
        }
        let cell = corner.cell(quadrant);
        self.enter(cell);
        match way {
            Way::Edge => Spot::Corner(near),
            Way::Across | Way::Bent => Spot::Corner(far),
            Way::Side(at) if near < far => Self::on(self.side([near, far]), at, cell),
            Way::Side(at) => Self::on(self.side([far, near]), 1.0 - at, cell),
        }
    }

    /// Appends a cell, which meets the last one at least at a corner. Where the line between the two is not legal, it leads
    /// through a free cell beside the corner.
    fn enter(&mut self, cell: Cell) {
        let (grid, last) = (self.corners.grid, self.cells[self.cells.len() - 1]);
        if cell == last {
            return;
        }
        if !grid.in_sight(last, cell) {
            let beside = [Cell { x: last.x, y: cell.y }, Cell { x: cell.x, y: last.y }];
            let free = beside.into_iter().filter(|&cell| grid.is_free(cell));
            let between = free.min_by_key(|&cell| self.corners.price(cell));
            self.cells
                .push(between.expect("a line leads over a corner only where two cells beside each other are free"));
        }
        self.cells.push(cell);
    }
}
