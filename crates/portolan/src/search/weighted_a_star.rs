//! Weighted A*: A* with its distance estimate inflated, for speed at a bounded loss.
//!
//! **Idea.** Order nodes by `g + w · h`: the larger `w`, the straighter the search runs for the goal.
//! **Use** it where a route a few percent too long is fine and A* is too slow.
//! **Promises** a route of at most `w` times the optimum (times the overestimate of Manhattan on eight directions).
//! **Costs** as A*, usually far less.
//! **Departs** from its paper in reopening nodes, which the bucket queue needs for the bound to hold.
//!
//! Pohl: Heuristic search viewed as path finding in a graph, 1970.

use super::best_first::{BestFirst, HEURISTIC, Rank, SUCCESSORS, overestimate, shape};
use crate::open_list::BucketRing;
use crate::registry::{Algorithm, Param, Promise};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "weighted-a-star",
    title: "Weighted A*",
    summary: "A* with an inflated estimate: faster, at most `weight` times the optimum",
    paper: "Pohl 1970",
    params: &[WEIGHT, HEURISTIC, SUCCESSORS],
    suits: |_| Ok(()),
    promise: |grid, settings| Promise::within(settings.number(WEIGHT.name) * overestimate(grid, settings)),
    build: |_, settings| {
        let canonical = settings.choice(SUCCESSORS.name) == "canonical";
        let weight = (settings.number(WEIGHT.name) * f64::from(ONE)) as u64;
        Box::new(BestFirst { rank: Inflated { weight }, shape: shape(settings), canonical })
    },
};

const WEIGHT: Param = Param::number("weight", "factor on the estimate, and the bound on the route", 1.5, 1.0, 100.0);

/// The fixed-point weight that leaves the estimate as it is.
const ONE: u32 = 256;

/// Cost so far plus the weight, in parts of [`ONE`], times distance left.
struct Inflated {
    weight: u64,
}

impl Rank for Inflated {
    type Open = BucketRing;

    #[inline(always)]
    fn key(&self, g: u32, h: u64) -> u64 {
        u64::from(g) + h * self.weight / u64::from(ONE)
    }

    fn spread(&self, greatest_edge: u32) -> u64 {
        u64::from(greatest_edge) * (2 + 2 * self.weight / u64::from(ONE))
    }
}
