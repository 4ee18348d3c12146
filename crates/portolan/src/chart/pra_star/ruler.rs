//! Costs between nodes: the distance between their middles, times a weight. For a step that is the mean weight of both
//! nodes, for an estimate it is the least weight of the world. With eight directions the distance is octile, with four
//! it is the Manhattan distance.
//!
//! Not here: the distance between two cells ([`crate::cost`]).

use super::layers::{Body, GRAIN};
use crate::chart::shared::walk::octile;
use crate::cost::Octile;
use crate::space::square::SquareGrid;

/// Estimates the cost of a route between two nodes.
pub(super) struct Ruler {
    octile: Octile,
    /// The least weight of a free cell, times `GRAIN`.
    least: u64,
}

impl Ruler {
    pub(super) fn new(grid: &SquareGrid) -> Ruler {
        let octile = octile(grid.rules().directions, grid.metric().prices());
        Ruler { octile, least: u64::from(grid.least_weight()) * u64::from(GRAIN) }
    }

    #[inline(always)]
    fn distance(&self, a: Body, b: Body, weight: u64) -> u64 {
        let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
        self.octile.cost(dx, dy) * weight / u64::from(GRAIN * GRAIN)
    }

    /// Returns the cost of crossing a block of a layer in a straight line, on the lightest ground.
    pub(super) fn width(&self, layer: usize) -> u64 {
        (self.octile.cost(1, 0) * self.least / u64::from(GRAIN)) << layer
    }

    #[inline(always)]
    pub(super) fn step(&self, a: Body, b: Body) -> u64 {
        self.distance(a, b, u64::from(a.weight + b.weight) / 2)
    }

    #[inline(always)]
    pub(super) fn estimate(&self, a: Body, goal: Body) -> u64 {
        self.distance(a, goal, self.least)
    }
}
