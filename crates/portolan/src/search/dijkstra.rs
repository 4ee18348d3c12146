//! Dijkstra's algorithm: expands nodes in the order of their cost so far, in all directions.
//!
//! **Idea.** A* with an estimate of 0 for the distance left.
//! **Use** it to compare other algorithms with, or where no estimate is a lower bound.
//! **Promises** a cheapest route.
//! **Costs** O(n) expansions for n cells, O(1) each with the bucket queue. It looks at all legal moves, unless
//! `successors` is set to `canonical`.
//!
//! Dijkstra: A note on two problems in connexion with graphs, 1959.

use super::a_star::Sum;
use crate::algorithm::Algorithm;
use crate::graph::{Grid, Shape};
use crate::search::shared::best_first::{BestFirst, SUCCESSORS};
use crate::space::Extras;

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "dijkstra",
        title: "Dijkstra",
        summary: "expands by cost so far in all directions: the yardstick",
        paper: "Dijkstra 1959",
        params: const { &[SUCCESSORS.with_default("all")] },
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, settings| {
            let canonical = settings.choice(SUCCESSORS.name) == "canonical";
            Box::new(BestFirst { rank: Sum, shape: Some(Shape::Zero), canonical })
        })
    }
}
