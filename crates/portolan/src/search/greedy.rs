//! Greedy best-first search: expands the node that seems nearest to the goal, whatever its cost so far.
//!
//! **Idea.** Order nodes by the estimated distance left alone, take the first route found, expand no node twice.
//! **Use** it to get some route quickly, or to compare: it ignores the cost so far, as Dijkstra ignores the distance
//! left.
//! **Promises** a route if there is one, of any cost.
//! **Costs** O(n) expansions for n cells at worst, often hardly more than the number of cells on the route.
//! **Departs** from the other searches in looking at all legal moves even on uniform worlds: canonical pruning is sound
//! only for searches that reopen nodes, and this one does not.
//!
//! Doran, Michie: Experiments with the Graph Traverser program, 1966.

use crate::algorithm::{Algorithm, Promise};
use crate::graph::{Grid, Shape};
use crate::open_list::BucketList;
use crate::search::shared::best_first::{BestFirst, Rank};
use crate::space::Extras;

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "greedy",
        title: "Greedy best-first",
        summary: "straight for the goal by distance left alone: quick, any length",
        paper: "Doran, Michie 1966",
        params: const { &[S::HEURISTIC] },
        promise: |_, _| Promise::Complete,
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, settings| {
            Box::new(BestFirst { rank: Nearest, shape: Shape::of(settings), canonical: false })
        })
    }
}

/// Ranks nodes by estimated distance left.
#[derive(Clone)]
struct Nearest;

impl Rank for Nearest {
    const HASTY: bool = true;
    type Open = BucketList;

    #[inline(always)]
    fn key(&self, _g: u32, h: u64) -> u64 {
        h
    }

    fn spread(&self, _greatest_edge: u32) -> u64 {
        0 // a `BucketList` takes any key
    }
}
