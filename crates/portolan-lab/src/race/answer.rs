//! The route of an agent as the answer to a query, so that it can be judged like the answers of planners.

use portolan::any::{AnyRoute, AnySnapshot};
use portolan::{Cell, Cost, Motion, Outcome, Progress};

/// Returns the answer of an agent that has come to `progress` and has these cells left to walk.
pub(super) fn answered(world: &AnySnapshot, progress: Progress, left: &[Cell]) -> Outcome<AnyRoute> {
    match progress {
        Progress::Kept | Progress::Planned { .. } => {
            let cost = price(world, left).and_then(|cost| u32::try_from(cost).ok());
            // An illegal route has no cost. The judge names its illegal step, whatever cost is stated.
            Outcome::Reached(AnyRoute::new(left.to_vec(), Cost(cost.unwrap_or(0)), Motion::Steps))
        }
        Progress::Unreachable => Outcome::Unreachable,
        Progress::Working | Progress::OutOfBudget => Outcome::OutOfBudget,
        Progress::TooFar => Outcome::TooFar,
    }
}

/// Returns the cost of walking these cells, or `None` if a step is not legal.
pub(super) fn price(world: &AnySnapshot, cells: &[Cell]) -> Option<u64> {
    cells.windows(2).map(|step| world.step_cost(step[0], step[1]).map(|cost| u64::from(cost.0))).sum()
}
