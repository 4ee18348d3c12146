//! Bounds of a climb: what the cost of a way has to stay below, and the open distance that is left at least.
//!
//! Not here: the climb itself (`climb.rs`).

use super::chart_cost::ChartCost;
use crate::cost::{Octile, Prices};
use crate::id::Cell;
use crate::space::Directions;
use crate::space::square::SquareGrid;

/// What the cost of a way has to stay below.
#[derive(Copy, Clone)]
pub(super) struct Bound<T> {
    /// The whole way has to cost less than this.
    pub(super) cost: T,
    /// The way from this end to a stopover has to cost less than this: `cost` less the least that the other end adds.
    pub(super) limit: T,
    /// The open distance to the other end. The cost of a stopover plus this distance has to be less than `cost`.
    pub(super) sight: Option<OpenDistance>,
    /// How many ports of a line may be taken as stopovers.
    pub(super) ports: usize,
}

impl<T: ChartCost> Bound<T> {
    pub(super) const NONE: Bound<T> = Bound { cost: T::NO_WAY, limit: T::NO_WAY, sight: None, ports: usize::MAX };

    /// Makes the bound for ways that cost less than `cost`, of which the part at the other end costs at least `floor`.
    /// `sight` is the open distance to the other end, if no way is shorter.
    pub(super) fn new(cost: T, floor: T, sight: Option<OpenDistance>) -> Bound<T> {
        Bound { cost, limit: cost.less(floor), sight, ports: usize::MAX }
    }
}

/// Returns what a straight and a diagonal step cost at least in a chart with these prices over weight 1; a diagonal one as
/// much as two straight ones where there are no diagonal steps.
#[inline(always)]
pub(super) fn open_prices(grid: &SquareGrid, prices: Prices) -> Prices {
    let prices = if grid.weights().is_none() { prices } else { prices.times(u32::from(grid.least_weight())) };
    match grid.rules().directions {
        Directions::Four => prices.without_diagonals(),
        Directions::Eight => prices,
    }
}

/// Works out what a walk to a cell would cost over open ground of the world's least weight. No walk there costs less.
#[derive(Copy, Clone)]
pub(super) struct OpenDistance {
    octile: Octile,
    to: Cell,
}

impl OpenDistance {
    pub(super) fn new(grid: &SquareGrid, prices: Prices, to: Cell) -> OpenDistance {
        OpenDistance { octile: Octile::new(open_prices(grid, prices)), to }
    }

    /// Returns the cost of such a walk from `cell`.
    #[inline(always)]
    pub(super) fn from(&self, cell: Cell) -> u32 {
        self.octile.between(cell, self.to) as u32
    }
}
