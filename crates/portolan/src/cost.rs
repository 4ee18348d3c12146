//! Costs of steps: [`Cost`], the integer that every search adds up, and [`Metric`], the cost of a straight and of a
//! diagonal step. [`Prices`] are these two costs once a weight is multiplied in, and [`Octile`] is the one place where
//! distances between cells are worked out.
//!
//! Not here: which steps are legal, which is in [`crate::space`].

use crate::id::Cell;
use std::fmt;

/// A cost in integer units of the world's [`Metric`].
///
/// Sums of integers do not depend on the machine or on the order of addition, and they are exact keys for every open
/// list. Lengths to be read by people ([`crate::Route::length`]) are computed from step counts with the true √2.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Cost(pub u32);

impl Cost {
    /// A cost of 0.
    pub const ZERO: Cost = Cost(0);
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The costs of a straight and of a diagonal step over terrain of weight 1. On hexes every step is a straight one.
///
/// With any pair for which `straight <= diagonal <= 2 * straight`, the octile distance is a lower bound on the cost.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Metric {
    straight: u32,
    diagonal: u32,
}

/// The error for a pair of step costs that a [`Metric`] cannot have.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a metric needs 1 <= straight <= diagonal <= 2 * straight and diagonal <= {max}, not {straight}/{diagonal}",
    max = Metric::MAX
)]
pub struct MetricError {
    /// The cost of a straight step that was given.
    pub straight: u32,
    /// The cost of a diagonal step that was given.
    pub diagonal: u32,
}

impl Metric {
    /// The greatest cost of a step over weight 1, chosen so that the cost of a step over weight 255 stays far from
    /// overflow.
    pub const MAX: u32 = 65_535;
    /// 5741/8119: differs from √2 by one part in a hundred million; [`Cost`] holds routes of up to half a million
    /// steps.
    pub const FINE: Metric = Metric { straight: 5741, diagonal: 8119 };
    /// 408/577: differs from √2 by 1.5 parts in a million; [`Cost`] holds routes of up to seven million steps.
    pub const WIDE: Metric = Metric { straight: 408, diagonal: 577 };

    /// Returns a metric with these costs, for example 100 and 142 as in HPA* 2004, or 10 and 14 as in many games.
    ///
    /// # Errors
    /// When the pair breaks `1 <= straight <= diagonal <= 2 * straight` or exceeds [`Metric::MAX`].
    pub const fn new(straight: u32, diagonal: u32) -> Result<Metric, MetricError> {
        if straight >= 1 && straight <= diagonal && diagonal <= 2 * straight && diagonal <= Self::MAX {
            Ok(Metric { straight, diagonal })
        } else {
            Err(MetricError { straight, diagonal })
        }
    }

    /// Returns the finest built-in metric whose routes fit [`Cost`] on a world of this many cells: [`Metric::FINE`] on
    /// unweighted worlds so small that even a route through half of the cells fits, else [`Metric::WIDE`].
    pub const fn fitting(cells: usize, weighted: bool) -> Metric {
        if cells <= 1 << 20 && !weighted { Self::FINE } else { Self::WIDE }
    }

    /// Returns the cost of a step along a row or column, and of every step between hexes.
    pub const fn straight(self) -> u32 {
        self.straight
    }

    /// Returns the cost of a step across a corner.
    pub const fn diagonal(self) -> u32 {
        self.diagonal
    }

    /// Returns the prices of steps over terrain of weight 1.
    #[inline(always)]
    pub(crate) const fn prices(self) -> Prices {
        Prices { straight: self.straight, diagonal: self.diagonal }
    }

    /// Returns the cost of a step on a square grid in each of the eight directions, clockwise from north.
    #[inline(always)]
    pub(crate) const fn square_step_costs(self) -> [u32; 8] {
        self.prices().by_direction()
    }

    /// Returns the cost of a step on a hexagonal grid in each of the six directions; the last two entries belong to none.
    #[inline(always)]
    pub(crate) const fn hex_step_costs(self) -> [u32; 8] {
        [self.straight; 8]
    }

    /// Returns the cost of an obstacle-free route over `dx` columns and `dy` rows with eight directions.
    pub(crate) fn octile(self, dx: u32, dy: u32) -> u64 {
        Octile::new(self.prices()).cost(dx.into(), dy.into())
    }
}

/// What a straight and a diagonal step on a square grid cost, where that is more than a [`Metric`] holds: the costs of
/// a metric times a weight, or the costs that a chart has in place of them. A diagonal step costs at most twice as much
/// as a straight one.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Prices {
    pub(crate) straight: u32,
    pub(crate) diagonal: u32,
}

impl Prices {
    /// Returns the price of a step in each of the eight directions, clockwise from north.
    #[inline(always)]
    pub(crate) const fn by_direction(self) -> [u32; 8] {
        let Prices { straight: s, diagonal: d } = self;
        [s, d, s, d, s, d, s, d]
    }

    /// Returns these prices times a weight or another factor.
    #[inline(always)]
    pub(crate) const fn times(self, factor: u32) -> Prices {
        Prices { straight: self.straight * factor, diagonal: self.diagonal * factor }
    }

    /// Returns these prices times the mean of `count` weights that add up to `sum`, rounded down.
    #[inline(always)]
    pub(crate) fn at_mean_weight(self, sum: u64, count: u64) -> Prices {
        let mean = |price: u32| (u64::from(price) * sum / count) as u32;
        let straight = mean(self.straight);
        // Rounding down must not make a diagonal step cost more than two straight ones.
        Prices { straight, diagonal: mean(self.diagonal).min(2 * straight) }
    }

    /// Returns the prices to use where no step is diagonal: in place of one, two straight steps are taken.
    #[inline(always)]
    pub(crate) const fn without_diagonals(self) -> Prices {
        Prices { straight: self.straight, diagonal: 2 * self.straight }
    }

    /// Returns the cost of so many straight and so many diagonal steps.
    #[inline(always)]
    pub(crate) const fn of_steps(self, straights: u64, diagonals: u64) -> u64 {
        self.straight as u64 * straights + self.diagonal as u64 * diagonals
    }
}

/// What obstacle-free routes cost at given prices of steps.
///
/// At prices [without diagonals](Prices::without_diagonals), the octile distance is the Manhattan distance.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Octile {
    straight: u64,
    /// How much less one diagonal step costs than two straight steps.
    saved: u64,
}

impl Octile {
    #[inline(always)]
    pub(crate) const fn new(Prices { straight, diagonal }: Prices) -> Octile {
        Octile { straight: straight as u64, saved: (2 * straight - diagonal) as u64 }
    }

    /// Returns the cost of a route over `dx` columns and `dy` rows with eight directions. Every column and row is
    /// counted as a straight step first, since this takes fewer instructions than to sort the two.
    #[inline(always)]
    pub(crate) fn cost(self, dx: u64, dy: u64) -> u64 {
        self.straight * (dx + dy) - self.saved * dx.min(dy)
    }

    /// Returns the cost of a route between two cells with eight directions.
    #[inline(always)]
    pub(crate) fn between(self, from: Cell, to: Cell) -> u64 {
        self.cost(from.x.abs_diff(to.x).into(), from.y.abs_diff(to.y).into())
    }

    /// Returns the cost of a route over `dx` columns and `dy` rows in straight steps only.
    #[inline(always)]
    pub(crate) fn manhattan(self, dx: u64, dy: u64) -> u64 {
        self.straight * (dx + dy)
    }

    /// Returns the cost of the line through open terrain over `dx` columns and `dy` rows, rounded down. If a diagonal
    /// step costs less than √2 straight steps, the unit of length is taken from its cost, so that the result is a lower
    /// bound on the cost of a route. The sum of the squares is exact in `f64` and its root correctly rounded, so that
    /// the result does not depend on the machine.
    #[inline(always)]
    pub(crate) fn euclidean(self, dx: u64, dy: u64) -> u64 {
        let diagonal = (2 * self.straight - self.saved) as f64 / std::f64::consts::SQRT_2;
        (((dx * dx + dy * dy) as f64).sqrt() * diagonal.min(self.straight as f64)) as u64
    }
}

/// Returns how many steps lead over `dq` and `dr` in axial coordinates. A step changes either of them, or both in
/// opposite directions, by 1.
pub(crate) const fn hex_steps(dq: i32, dr: i32) -> u32 {
    let (q, r, both) = (dq.unsigned_abs(), dr.unsigned_abs(), (dq + dr).unsigned_abs());
    let longer = if q > r { q } else { r };
    if both > longer { both } else { longer }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.straight, self.diagonal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_outside_the_octile_range_are_refused() {
        assert!(Metric::new(100, 142).is_ok());
        assert!(Metric::new(1, 1).is_ok());
        assert!(Metric::new(1, 2).is_ok());
        for (straight, diagonal) in [(0, 0), (2, 1), (1, 3), (60_000, 70_000)] {
            assert_eq!(Metric::new(straight, diagonal), Err(MetricError { straight, diagonal }));
        }
    }

    #[test]
    fn octile_counts_diagonals_first() {
        let metric = Metric::new(10, 14).unwrap();
        assert_eq!(metric.octile(3, 5), 3 * 14 + 2 * 10);
        assert_eq!(metric.octile(5, 3), 3 * 14 + 2 * 10);
    }

    #[test]
    fn distances_take_the_steps_that_there_are() {
        let prices = Metric::new(10, 14).unwrap().prices();
        let octile = Octile::new(prices);
        assert_eq!(octile.between(Cell::new(1, 7), Cell::new(4, 2)), 3 * 14 + 2 * 10);
        assert_eq!(octile.manhattan(3, 5), 80);
        assert_eq!(Octile::new(prices.without_diagonals()).cost(3, 5), 80);
        // 14 is less than √2 times 10: the line is measured in units of 14/√2.
        assert_eq!(octile.euclidean(3, 4), 49);
        assert_eq!(octile.euclidean(0, 0), 0);
    }

    #[test]
    fn every_second_direction_is_diagonal() {
        let metric = Metric::new(10, 14).unwrap();
        assert_eq!(metric.square_step_costs(), [10, 14, 10, 14, 10, 14, 10, 14]);
        assert_eq!(metric.prices().times(3).by_direction(), [30, 42, 30, 42, 30, 42, 30, 42]);
        assert_eq!(metric.prices().without_diagonals().of_steps(2, 3), 80);
    }

    #[test]
    fn rounding_keeps_a_diagonal_step_below_two_straight_ones() {
        let prices = Metric::new(1, 2).unwrap().prices();
        assert_eq!(prices.at_mean_weight(3, 2), Prices { straight: 1, diagonal: 2 });
        assert_eq!(prices.at_mean_weight(4, 2), Prices { straight: 2, diagonal: 4 });
    }

    #[test]
    fn hex_distance_counts_steps() {
        for ((dq, dr), steps) in [((0, 0), 0), ((3, 4), 7), ((-3, -4), 7), ((5, -2), 5), ((-2, 5), 5), ((4, -4), 4)] {
            assert_eq!(hex_steps(dq, dr), steps, "{dq},{dr}");
        }
    }
}
