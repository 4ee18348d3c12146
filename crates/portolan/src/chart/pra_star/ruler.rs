//! Costs between nodes: the distance between their middles, times a weight. For a step that is the mean weight of both
//! nodes, for an estimate it is the least weight of the world. With eight directions the distance is octile, with four
//! it is the Manhattan distance.

use super::layers::{Body, GRAIN};
use crate::space::Directions;
use crate::space::square::SquareGrid;

/// Estimates the cost of a route between two nodes.
pub(super) struct Ruler {
    straight: u64,
    diagonal: u64,
    /// The least weight of a free cell, times `GRAIN`.
    least: u64,
}

impl Ruler {
    pub(super) fn new(grid: &SquareGrid) -> Ruler {
        let straight = u64::from(grid.metric().straight());
        let diagonal = match grid.rules().directions {
            Directions::Eight => u64::from(grid.metric().diagonal()),
            Directions::Four => 2 * straight,
        };
        Ruler { straight, diagonal, least: u64::from(grid.least_weight()) * u64::from(GRAIN) }
    }

    #[inline(always)]
    fn distance(&self, a: Body, b: Body, weight: u64) -> u64 {
        let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
        let length = self.diagonal * dx.min(dy) + self.straight * dx.abs_diff(dy);
        length * weight / u64::from(GRAIN * GRAIN)
    }

    /// Returns the cost of crossing a block of a layer in a straight line, on the lightest ground.
    pub(super) fn width(&self, layer: usize) -> u64 {
        (self.straight * self.least / u64::from(GRAIN)) << layer
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
