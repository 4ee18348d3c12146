//! The corners of cells as nodes of a search, and what a corner costs by the costs of the corners around it.
//!
//! From a corner, a straight line leads through one of the four cells there to a point on one of the two sides of that cell
//! which are opposite to the corner. The cost of the point is interpolated between the two ends of the side, and the
//! point that gives the least sum is found without a search. All numbers are whole, and greater costs of the corners around
//! never give a lesser cost, so that costs do not depend on the order in which they are computed.
//!
//! Not here: the search itself.

use super::super::shared::living::INFINITE;
use crate::cost::{Octile, Prices};
use crate::id::{Cell, NodeId};
use crate::space::square::SquareGrid;
use crate::space::square::moves::STEP;

/// The cost of a line of the length of a cell over ground of weight 1.
pub(super) const UNIT: u32 = 1024;

/// A corner of cells. Its column is that of the cells to its right, and its row that of the cells below it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Corner {
    pub(super) x: u16,
    pub(super) y: u16,
}

impl Corner {
    /// Returns the corner beside this one in a direction. There is one if one of the cells between the two is free.
    pub(super) fn beside(self, direction: usize) -> Corner {
        let (dx, dy) = STEP[direction];
        Corner { x: self.x.wrapping_add_signed(dx as i16), y: self.y.wrapping_add_signed(dy as i16) }
    }

    /// Returns the cell in a quadrant of this corner: to the upper right, lower right, lower left and upper left. It may
    /// lie off the grid.
    pub(super) fn cell(self, quadrant: usize) -> Cell {
        let Corner { x, y } = self;
        let (left, above) = (x.wrapping_sub(1), y.wrapping_sub(1));
        [Cell { x, y: above }, Cell { x, y }, Cell { x: left, y }, Cell { x: left, y: above }][quadrant]
    }

    /// Returns the four corners of a cell: the upper left, upper right, lower right and lower left.
    pub(super) fn all_of(Cell { x, y }: Cell) -> [Corner; 4] {
        [Corner { x, y }, Corner { x: x + 1, y }, Corner { x: x + 1, y: y + 1 }, Corner { x, y: y + 1 }]
    }

    /// Returns whether this is a corner of the cell.
    fn is_of(self, cell: Cell) -> bool {
        Corner::all_of(cell).contains(&self)
    }
}

/// One of the eight triangles around a corner: two for each cell, with one side of the cell that ends at the corner, and
/// the one that is opposite to the corner and meets it. Triangles are numbered clockwise.
#[derive(Copy, Clone, Debug)]
pub(super) struct Triangle {
    /// The quadrant of the cell.
    pub(super) quadrant: usize,
    /// The quadrant of the cell on the other side of the edge that begins at the corner.
    pub(super) other: usize,
    /// The direction of the corner at the other end of that edge.
    pub(super) edge: usize,
    /// The direction of the corner across the cell.
    pub(super) across: usize,
}

impl Triangle {
    pub(super) const fn new(number: usize) -> Triangle {
        let (quadrant, is_second) = (number / 2, number % 2);
        Triangle {
            quadrant,
            other: (quadrant + 3 + 2 * is_second) % 4,
            edge: (2 * quadrant + 2 * is_second) % 8,
            across: 2 * quadrant + 1,
        }
    }

    /// Returns the numbers of the two triangles that reach the corner in this direction.
    pub(super) const fn reaching(direction: usize) -> [usize; 2] {
        if direction % 2 == 1 { [direction - 1, direction] } else { [direction, (direction + 7) % 8] }
    }
}

/// How a line leads from a corner through a triangle.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Way {
    /// Along the edge.
    Edge,
    /// To a point on the opposite side, at this distance from the end of the edge.
    Side(f64),
    /// To the corner across the cell.
    Across,
    /// Along the edge for a part, beside the other cell, and then to the corner across the cell.
    Bent,
}

/// Returns the least cost through a triangle, and how the line leads. The cell costs `cell` by unit of length, which is not 0,
/// the one on the other side of the edge `other`, which is 0 if it is blocked; the corner along the edge costs `edge` and the
/// one across the cell `across`.
#[inline(always)]
pub(super) fn least_through(cell: u32, other: u32, edge: u32, across: u32) -> (u32, Way) {
    let [cell, other] = [cell, other].map(u64::from);
    let [near, far] = [edge, across].map(u64::from);
    let square = cell * cell;
    let direct = if near <= far {
        (near + cell, Way::Edge)
    } else {
        let slope = near - far;
        if slope < cell && 2 * slope * slope < square {
            let rest = square - slope * slope;
            (near + root(rest), Way::Side(slope as f64 / (rest as f64).sqrt()))
        } else {
            (far + root(2 * square), Way::Across)
        }
    };
    let bent = other > 0 && 2 * other * other < square;
    let best = match bent.then(|| far + other + root(square - other * other)) {
        Some(cost) if cost < direct.0 => (cost, Way::Bent),
        _ => direct,
    };
    (best.0.min(u64::from(INFINITE)) as u32, best.1)
}

/// Returns the square root, rounded down. Numbers are so small that the root in `f64` is never rounded up to a whole one.
#[inline(always)]
fn root(number: u64) -> u64 {
    (number as f64).sqrt() as u64
}

/// The corners of a grid, for a search from the middle of one cell back to the middle of another.
pub(super) struct Corners<'a> {
    pub(super) grid: &'a SquareGrid,
    /// The goal of the route.
    pub(super) root: Cell,
    /// Where the agent stands.
    pub(super) target: Cell,
    distance: Octile,
}

impl<'a> Corners<'a> {
    pub(super) fn new(grid: &'a SquareGrid, root: Cell, target: Cell) -> Corners<'a> {
        let diagonal = UNIT * u32::from(grid.least_weight());
        // A line to the side of a cell can cost that much more than an end of the side, which is one cell away.
        let straight = half_diagonal(diagonal);
        Corners { grid, root, target, distance: Octile::new(Prices { straight, diagonal }) }
    }

    /// Returns the number of a corner: that of the cell to its lower right, also where that cell lies off the grid.
    #[inline(always)]
    pub(super) fn node(&self, corner: Corner) -> NodeId {
        let stride = self.grid.width() + 1;
        NodeId(((usize::from(corner.y) + 1) * stride + usize::from(corner.x) + 1) as u32)
    }

    #[inline(always)]
    pub(super) fn corner(&self, node: NodeId) -> Corner {
        let stride = self.grid.width() as u32 + 1;
        let before = node.0 - 1;
        Corner { x: (before % stride) as u16, y: (before / stride - 1) as u16 }
    }

    /// Returns a cell at the corner that is on the grid, for events.
    pub(super) fn shown(&self, corner: Corner) -> NodeId {
        let (right, bottom) = (self.grid.width() as u16 - 1, self.grid.height() as u16 - 1);
        self.grid.node(Cell { x: corner.x.min(right), y: corner.y.min(bottom) })
    }

    /// Returns a lower bound on how much more the target costs than a corner, if its route leads over the corner.
    #[inline(always)]
    pub(super) fn estimate(&self, corner: Corner) -> u64 {
        let outside = |at: u16, cell: u16| u64::from(if at <= cell { cell - at } else { at - cell - 1 });
        self.distance.cost(outside(corner.x, self.target.x), outside(corner.y, self.target.y))
    }

    /// Returns how much estimates can have fallen since the target was another cell.
    pub(super) fn moved(&self, from: Cell) -> u64 {
        self.distance.between(from, self.target)
    }

    /// Returns what a line of the length of a cell costs in each of the four cells at a corner, 0 where it is blocked.
    #[inline(always)]
    pub(super) fn prices(&self, corner: Corner) -> [u32; 4] {
        std::array::from_fn(|quadrant| self.price(corner.cell(quadrant)))
    }

    #[inline(always)]
    pub(super) fn price(&self, cell: Cell) -> u32 {
        UNIT * u32::from(self.grid.terrain(cell).weight())
    }

    /// Returns whether no line may lead over a corner with these prices around it: two of its cells are blocked, and the
    /// others meet only there.
    fn is_shut(&self, prices: [u32; 4]) -> bool {
        let free = prices.map(|price| price > 0);
        let is_pinched = free[0] == free[2] && free[1] == free[3] && free[0] != free[1];
        is_pinched && !self.grid.gait().joins_corners()
    }

    /// Returns the cost of the straight line from a corner to the middle of the root, if that is one of its cells and the
    /// line is legal.
    pub(super) fn to_root(&self, corner: Corner) -> Option<u32> {
        let is_legal = corner.is_of(self.root) && self.grid.is_free(self.root) && !self.is_shut(self.prices(corner));
        is_legal.then(|| half_diagonal(self.price(self.root)))
    }

    /// Returns the least cost of a corner through these triangles by the costs of the corners around it, which `cost`
    /// returns by their numbers.
    #[inline(always)]
    pub(super) fn least(
        &self,
        corner: Corner,
        triangles: impl IntoIterator<Item = usize>,
        cost: impl Fn(NodeId) -> u32,
    ) -> u32 {
        let prices = self.prices(corner);
        if self.is_shut(prices) {
            return INFINITE;
        }
        let (node, offsets) = (self.node(corner), self.grid.offsets());
        let cost_toward = |direction: usize| cost(NodeId(node.0.wrapping_add_signed(offsets[direction])));
        let mut least = INFINITE;
        for number in triangles {
            let Triangle { quadrant, other, edge, across } = Triangle::new(number);
            if prices[quadrant] > 0 {
                let through = least_through(prices[quadrant], prices[other], cost_toward(edge), cost_toward(across));
                least = least.min(through.0);
            }
        }
        least
    }

    /// Returns the cost of the middle of the target by the costs of its corners.
    pub(super) fn cost_of_target(&self, cost: impl Fn(NodeId) -> u32) -> u32 {
        let corners = Corner::all_of(self.target).map(|corner| u64::from(cost(self.node(corner))));
        let price = u64::from(self.price(self.target));
        let over_side = |side: usize| {
            let (a, b) = (corners[side], corners[(side + 1) % 4]);
            let slope = a.abs_diff(b);
            if slope < price && 2 * slope * slope < price * price {
                (a + b + root(price * price - slope * slope)) / 2
            } else {
                a.min(b) + root(price * price / 2)
            }
        };
        (0..4).map(over_side).min().unwrap_or_default().min(u64::from(INFINITE)) as u32
    }
}

/// Returns half the diagonal of a square with sides of this length, rounded down.
fn half_diagonal(side: u32) -> u32 {
    root(u64::from(side) * u64::from(side) / 2) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the least cost through a triangle, by a look at many points.
    fn sampled(cell: f64, other: f64, edge: f64, across: f64) -> f64 {
        let mut least = f64::INFINITY;
        for along in 0..=100 {
            for side in 0..=100 {
                let [along, side] = [along, side].map(|part| f64::from(part) / 100.0);
                if along > 0.0 && other == 0.0 {
                    continue;
                }
                let line = cell * ((1.0 - along).powi(2) + side * side).sqrt();
                least = least.min(along * other + line + edge + side * (across - edge));
            }
        }
        least
    }

    #[test]
    fn the_least_cost_through_a_triangle_is_found() {
        let mut random = crate::generate::Random::new(9);
        for _ in 0..300 {
            let cell = UNIT * (1 + random.below(5) as u32);
            // A dearer cell on the other side has no part in it.
            let other = (UNIT * random.below(5) as u32).min(cell);
            let edge = 50_000 + random.below(6 * u64::from(UNIT)) as u32;
            let across = 50_000 + random.below(6 * u64::from(UNIT)) as u32;
            let (mut least, _) = least_through(cell, other, edge, across);
            if other > 0 {
                // The whole way along the edge is found from the other cell.
                least = least.min(edge + other);
            }
            let expected = sampled(f64::from(cell), f64::from(other), f64::from(edge), f64::from(across));
            assert!((f64::from(least) - expected).abs() < 3.0, "{least}, sampled {expected}");
        }
    }

    #[test]
    fn triangles_reach_their_corners() {
        for direction in 0..8 {
            for number in 0..8 {
                let Triangle { edge, across, .. } = Triangle::new(number);
                let reaches = edge == direction || across == direction;
                assert_eq!(Triangle::reaching(direction).contains(&number), reaches, "{direction}, {number}");
            }
        }
    }
}
