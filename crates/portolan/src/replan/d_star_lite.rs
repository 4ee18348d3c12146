//! D* Lite: an LPA* from the goal back to the agent, which keeps its costs while the agent walks.
//!
//! **Idea.** Costs to the goal do not change when the agent moves; only the estimates do, and a key modifier accounts for
//! that without a look at the queue ([`super::shared::lifelong`]).
//! **Use** it for an agent that walks in a world that changes near it. If the goal moves, it searches from nothing.
//! **Promises** a cheapest route.
//! **Costs** at most two expansions of each node for a search, O(log n) each; after an edit, only of nodes whose costs have
//! changed and which might lie on the route. 12 bytes for each node in pages of 64 that were looked at.
//! **Departs** from its paper, whose optimised version this is, in the order of work: edits are noted, and the nodes beside
//! them are looked at in the next step; a node whose cost was taken back waits outside the queue while a neighbour on its
//! other way is about to lose its cost too.
//!
//! Koenig, Likhachev: Fast replanning for navigation in unknown terrain, 2005.

use super::shared::OneOff;
use super::shared::lifelong::Lifelong;
use crate::algorithm::Algorithm;
use crate::graph::Grid;
use crate::space::Extras;

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "d-star-lite",
        title: "D* Lite",
        summary: "searches back from the goal and corrects its costs after edits; for agents that walk",
        paper: "Koenig, Likhachev 2005",
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, _| Box::new(OneOff::<Lifelong<true>>::new(())))
    }
}
