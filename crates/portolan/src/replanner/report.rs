//! What a replanner tells its caller: how far a step has come, and what edits have done to the route.
//!
//! Not here: the search itself.

#[cfg(doc)]
use super::Replanner;
#[cfg(doc)]
use crate::cost::Cost;
use crate::id::Cell;
#[cfg(doc)]
use crate::planner::lazy::LazyRoute;

/// What a step of a [`Replanner`] has come to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The route stands. There was nothing to search for.
    Kept,
    /// A search has found a route in this step.
    Planned {
        /// Whether the route equals what was left of the route before. This is not known of routes in legs, for which it
        /// is `false`.
        same: bool,
    },
    /// The search is not done yet.
    Working,
    /// There is no route. The replanner searches again after the next edit, move or new goal.
    Unreachable,
    /// The search gave up at the algorithm's own limit. The replanner searches again as above.
    OutOfBudget,
    /// Every route costs more than [`Cost`] can hold. The replanner searches again as above.
    TooFar,
}

impl Progress {
    /// Returns whether the agent has a route to its goal.
    pub fn is_ready(self) -> bool {
        matches!(self, Progress::Kept | Progress::Planned { .. })
    }
}

/// What edits have done to the route of a [`Replanner`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Impact<P = Cell> {
    /// Nothing: every step that is left is legal and costs what it cost, or there was no route.
    Kept,
    /// A step that is left has changed. This is the first such step.
    Touched {
        /// How many steps ahead it is, 1 for the next step.
        ahead: usize,
        /// The cell that the step leads to.
        at: P,
        /// Whether the step is still legal and only its cost has changed.
        legal: bool,
    },
    /// Edits lie in or beside a leg that is not turned into cells yet, so that steps may have changed. The next step plans
    /// only such legs again, where that makes no long way round ([`LazyRoute::mend`]).
    Doubtful,
    /// The cell on which the agent stands is blocked. The route is dropped.
    Buried,
}
