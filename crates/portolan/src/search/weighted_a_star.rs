//! Weighted A*: A* with its distance estimate inflated, for speed at a bounded loss.
//!
//! **Idea.** Order nodes by `g + w · h`: the larger `w`, the straighter the search runs for the goal.
//! **Use** it where a route a few percent too long is fine and A* is too slow.
//! **Promises** a route of at most `w` times the optimum (times the overestimate of Manhattan on eight directions).
//! **Costs** usually far less than A*; with all moves, at most one expansion a cell from a weight of 1.05 on.
//! **Departs** from its paper in when it expands a node twice. With all moves it never does, as in ARA*: were nodes
//! taken in exact order, every one expanded would cost at most `w` times its least, and a way to it that is not
//! finished yet would even have `(w - 1)` times an edge to spare. So buckets half as wide as that keep the bound.
//! Below 1.05 they would be too narrow to be of use, and canonical moves are sound only for searches that correct
//! themselves: there nodes that become cheaper are opened again.
//!
//! Pohl: Heuristic search viewed as path finding in a graph, 1970. Likhachev, Gordon, Thrun: ARA*: anytime A* with
//! provable bounds on sub-optimality, 2003.

use crate::open_list::BucketList;
use crate::registry::{Algorithm, Param, Promise};
use crate::search::shared::best_first::{BestFirst, HEURISTIC, Rank, SUCCESSORS, overestimate, shape};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "weighted-a-star",
    title: "Weighted A*",
    summary: "A* with an inflated estimate: faster, at most `weight` times the optimum",
    paper: "Pohl 1970",
    params: &[WEIGHT, HEURISTIC, SUCCESSORS],
    suits: |_| Ok(()),
    promise: |grid, settings| Promise::within(settings.number(WEIGHT.name) * overestimate(grid, settings)),
    known_bytes: |_, _| 0,
    build: |_, settings| {
        let (shape, canonical) = (shape(settings), settings.choice(SUCCESSORS.name) == "canonical");
        let weight = (settings.number(WEIGHT.name) * ONE as f64) as u64;
        if weight * 20 < ONE * 21 {
            Box::new(BestFirst { rank: Inflated::<true> { weight }, shape, canonical })
        } else {
            Box::new(BestFirst { rank: Inflated::<false> { weight }, shape, canonical })
        }
    },
    open: None,
};

const WEIGHT: Param = Param::number("weight", "factor on the estimate, and the bound on the route", 1.5, 1.0, 100.0);

/// The fixed-point weight that leaves the estimate as it is.
const ONE: u64 = 256;

/// Cost so far plus the weight, in parts of [`ONE`], times distance left.
#[derive(Clone)]
struct Inflated<const REOPENS: bool> {
    weight: u64,
}

impl<const REOPENS: bool> Rank for Inflated<REOPENS> {
    const REOPENS: bool = REOPENS;
    /// Keys fall towards the goal, which a ring cannot follow.
    type Open = BucketList;

    #[inline(always)]
    fn key(&self, g: u32, h: u64) -> u64 {
        u64::from(g) + h * self.weight / ONE
    }

    fn spread(&self, _greatest_edge: u32) -> u64 {
        0 // lists take any key
    }

    fn grain(&self, typical_edge: u32) -> u32 {
        if REOPENS {
            return typical_edge;
        }
        // A bucket is at most a quarter of this wide, so half of what there is to spare; the rest covers rounding.
        let spare = u64::from(typical_edge) * (self.weight - ONE) / ONE;
        (2 * spare).min(u64::from(typical_edge)) as u32
    }
}
