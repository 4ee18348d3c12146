//! A*: expands nodes by cost so far plus a lower bound on what is left.
//!
//! **Idea.** A best-first search guided by the obstacle-free distance. On uniform worlds only canonical successors are
//! looked at: of all equally short ways to a cell, the one with its diagonals first, which halves the work or better.
//! **Use** it on weighted worlds, on random clutter, and where no index may be kept.
//! **Promises** a cheapest route with the octile, Euclidean and zero heuristics; with Manhattan on eight directions,
//! which can overestimate, a route within that factor.
//! **Costs** O(n) expansions for n cells, O(1) each with the bucket queue.
//! **Departs** from its paper in the bucket queue, which orders keys to a sixth of a step and makes up for it by
//! reopening nodes and stopping only when no key left can beat the route found.
//!
//! Hart, Nilsson, Raphael: A formal basis for the heuristic determination of minimum cost paths, 1968.
//! Canonical ordering: Harabor, Grastien: Online graph pruning for pathfinding on grid maps, 2011; Sturtevant,
//! Rabin: Canonical orderings on grids, 2016.

use super::best_first::{BestFirst, HEURISTIC, Rank, SUCCESSORS, overestimate, shape};
use crate::open_list::BucketRing;
use crate::registry::{Algorithm, Promise};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "a-star",
    title: "A*",
    summary: "best-first by cost so far plus distance left; canonical successors on uniform worlds",
    paper: "Hart, Nilsson, Raphael 1968",
    params: &[HEURISTIC, SUCCESSORS],
    suits: |_| Ok(()),
    promise: |grid, settings| Promise::within(overestimate(grid, settings)),
    build: |_, settings| {
        let canonical = settings.choice(SUCCESSORS.name) == "canonical";
        Box::new(BestFirst { rank: Sum, shape: shape(settings), canonical })
    },
};

/// Cost so far plus distance left.
#[derive(Clone)]
pub(super) struct Sum;

impl Rank for Sum {
    type Open = BucketRing;

    #[inline(always)]
    fn key(&self, g: u32, h: u64) -> u64 {
        u64::from(g) + h
    }

    fn spread(&self, greatest_edge: u32) -> u64 {
        // One edge more walked and, with Manhattan on a diagonal, up to two edges more to go.
        3 * u64::from(greatest_edge)
    }
}
