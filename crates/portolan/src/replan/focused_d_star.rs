//! Focused D*: D* whose waves run toward the agent first.
//!
//! **Idea.** The queue is ordered by cost plus the estimate to the agent, as in A*; a bias accounts for the agent's moves
//! ([`super::shared::raise_lower`]).
//! **Use** it to compare with D* Lite, which does the same with less work a node.
//! **Promises** a cheapest route.
//! **Costs** what D* costs, in nodes between goal and agent and not in all directions. If the goal moves, or the least
//! weight of the world changes, it searches from nothing.
//! **Departs** from its paper as D* does.
//!
//! Stentz: The focussed D* algorithm for real-time replanning, 1995.

use super::shared::OneOff;
use super::shared::raise_lower::RaiseLower;
use crate::algorithm::Algorithm;
use crate::graph::Grid;
use crate::space::Extras;

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "focused-d-star",
        title: "Focused D*",
        summary: "D* with an estimate to the agent: waves run toward it first",
        paper: "Stentz 1995",
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, _| Box::new(OneOff::<RaiseLower<true>>::new(())))
    }
}
