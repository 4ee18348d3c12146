//! Greedy best-first search: always towards the goal, whatever it cost to get here.
//!
//! **Idea.** Order nodes by distance left alone, take the first route found, look at no node twice.
//! **Use** it to see whether and roughly how one can get there, or as the other extreme beside Dijkstra.
//! **Promises** a route where there is one; of any length.
//! **Costs** O(n) expansions for n cells at worst, often hardly more than the route's own.
//! **Departs** from others in looking at all legal moves even on uniform worlds: canonical pruning is sound only for
//! searches that correct themselves, and this one never looks back.
//!
//! Doran, Michie: Experiments with the Graph Traverser program, 1966.

use crate::open_list::BucketList;
use crate::registry::{Algorithm, Promise};
use crate::search::shared::best_first::{BestFirst, HEURISTIC, Rank, shape};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "greedy",
    title: "Greedy best-first",
    summary: "straight for the goal by distance left alone: quick, any length",
    paper: "Doran, Michie 1966",
    params: &[HEURISTIC],
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |_, _| 0,
    build: |_, settings| Box::new(BestFirst { rank: Nearest, shape: shape(settings), canonical: false }),
    open: None,
};

/// Distance left.
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
        0 // lists take any key
    }
}
