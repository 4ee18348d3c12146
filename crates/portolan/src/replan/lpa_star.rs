//! LPA*, Lifelong Planning A*: an A* from the start that keeps its costs and corrects those that edits changed.
//!
//! **Idea.** Every node keeps the cost its neighbours use and the cost its neighbours give it; only nodes where the two
//! differ are expanded ([`super::shared::lifelong`]).
//! **Use** it for a route between two places that stay, in a world that changes: from a building to a gathering point. A
//! goal that moves is followed; if the start moves, it searches from nothing, so agents that walk take D* Lite.
//! **Promises** a cheapest route.
//! **Costs** at most two expansions of each node for a search, O(log n) each; after an edit, only of nodes whose costs have
//! changed and which might lie on the route. 12 bytes for each node in pages of 64 that were looked at.
//! **Departs** from its paper by the key modifier of D* Lite, which spares the queue an update when the goal moves.
//!
//! Koenig, Likhachev, Furcy: Lifelong planning A*, 2004.

use super::shared::OneOff;
use super::shared::lifelong::Lifelong;
use crate::algorithm::Algorithm;
use crate::graph::Grid;
use crate::space::Extras;

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "lpa-star",
        title: "LPA*",
        summary: "searches on from the start and corrects its costs after edits; for ends that stay",
        paper: "Koenig, Likhachev, Furcy 2004",
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, _| Box::new(OneOff::<Lifelong<false>>::new(())))
    }
}
