//! Weighted A*: A* with its estimate multiplied by a weight, which is faster and loses at most that factor.
//!
//! **Idea.** Order nodes by `g + w · h`: the larger `w`, the more directly the search runs towards the goal.
//! **Use** it where a route a few percent too long is fine and A* is too slow.
//! **Promises** a route of at most `w` times the optimum (times the overestimate of Manhattan on eight directions).
//! **Costs** usually far less than A*; with all moves and a weight of at least 1.05, at most one expansion a cell.
//! **Departs** from its paper in when it expands a node twice. With all moves and a weight of at least 1.05 it never
//! does, as in ARA*. If nodes were taken in the exact order of their keys, every node would be expanded at no more than
//! `w` times its least cost, and the bound would have `(w - 1)` times the cost of an edge to spare. Buckets half as
//! wide as that keep the bound. Below 1.05 such buckets would be too narrow to be of use; and canonical moves are sound
//! only for searches that reopen nodes. In both cases, nodes that become cheaper are opened again.
//!
//! Pohl: Heuristic search viewed as path finding in a graph, 1970. Likhachev, Gordon, Thrun: ARA*: anytime A* with
//! provable bounds on sub-optimality, 2003.

use crate::algorithm::{Algorithm, Promise};
use crate::graph::{Grid, Shape};
use crate::open_list::BucketList;
use crate::search::shared::best_first::{BestFirst, Rank, SUCCESSORS};
use crate::settings::Param;
use crate::space::Extras;

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "weighted-a-star",
        title: "Weighted A*",
        summary: "A* with an inflated estimate: faster, at most `weight` times the optimum",
        paper: "Pohl 1970",
        params: const { &[WEIGHT, S::HEURISTIC, SUCCESSORS] },
        promise: |grid, settings| {
            Promise::within(settings.number(WEIGHT.name) * grid.overestimate(Shape::of(settings)))
        },
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, settings| {
            let (shape, canonical) = (Shape::of(settings), settings.choice(SUCCESSORS.name) == "canonical");
            let weight = (settings.number(WEIGHT.name) * ONE as f64) as u64;
            if weight * 20 < ONE * 21 {
                Box::new(BestFirst { rank: Inflated::<true> { weight }, shape, canonical })
            } else {
                Box::new(BestFirst { rank: Inflated::<false> { weight }, shape, canonical })
            }
        })
    }
}

const WEIGHT: Param = Param::number("weight", "factor on the estimate, and the bound on the route", 1.5, 1.0, 100.0);

/// The fixed-point number that stands for a weight of 1.
const ONE: u64 = 256;

/// Ranks nodes by cost so far plus weight times estimated distance left; the weight is in units of 1 / [`ONE`].
#[derive(Clone)]
struct Inflated<const REOPENS: bool> {
    weight: u64,
}

impl<const REOPENS: bool> Rank for Inflated<REOPENS> {
    const REOPENS: bool = REOPENS;
    /// A list, because keys can become lower towards the goal, and a [`crate::open_list::BucketRing`] needs keys that
    /// rise.
    type Open = BucketList;

    #[inline(always)]
    fn key(&self, g: u32, h: u64) -> u64 {
        u64::from(g) + h * self.weight / ONE
    }

    fn spread(&self, _greatest_edge: u32) -> u64 {
        0 // a `BucketList` takes any key
    }

    fn grain(&self, typical_edge: u32) -> u32 {
        if REOPENS {
            return typical_edge;
        }
        // A bucket is at most a quarter as wide as the returned cost, so at most half of `spare`. The other half covers
        // rounding.
        let spare = u64::from(typical_edge) * (self.weight - ONE) / ONE;
        (2 * spare).min(u64::from(typical_edge)) as u32
    }
}
