//! D*: a search back from the goal in all directions, which repairs costs by waves of raised and of lowered nodes.
//!
//! **Idea.** A Dijkstra search from the goal whose nodes point at the next node toward it. Where an edit raises a cost, the
//! nodes that point there are raised in turn until they meet nodes that offer another way ([`super::shared::raise_lower`]).
//! **Use** it to compare with D* Lite, or where agents turn up anywhere: it knows the costs from all places around the goal
//! that are nearer than the agent.
//! **Promises** a cheapest route.
//! **Costs** O(n) expansions for n cells at first, O(log n) each; after an edit, those of the nodes behind it as seen from
//! the goal. 12 bytes for each node in pages of 64 that were looked at. If the goal moves, it searches from nothing.
//! **Departs** from its paper in edges that are gone: they have no cost instead of a large one, and nodes that are cut off
//! count as never seen, so that no branch can raise itself in an endless loop.
//!
//! Stentz: Optimal and efficient path planning for partially-known environments, 1994.

use super::shared::OneOff;
use super::shared::raise_lower::RaiseLower;
use crate::algorithm::Algorithm;
use crate::graph::Grid;
use crate::space::Extras;

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "d-star",
        title: "D*",
        summary: "searches back from the goal in all directions; edits send waves of raised and lowered costs",
        paper: "Stentz 1994",
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, _| Box::new(OneOff::<RaiseLower<false>>::new(())))
    }
}
