//! The length of a shortest route, which an exact planner finds that is kept beside the planner of the page.
//!
//! Not here: comparing it with the length of the page's route, which the page does.

use super::leash::{Leash, Limit, search};
use portolan::{Edit, Outcome, Planner, Query, Revision, Scratch, Snapshot};

/// Exact algorithms; the first that runs on a world is the fastest of them there.
const EXACT: [&str; 2] = ["jump-point", "a-star"];

/// Finds the length of shortest routes, and keeps the latest result.
#[derive(Default)]
pub(crate) struct Referee {
    planner: Option<Planner>,
    told: Option<(Revision, Query, Option<f64>)>,
}

impl Referee {
    /// Returns the length of a shortest route, or `None` if there is none or it is not found within the limit.
    pub(crate) fn optimum(
        &mut self,
        world: &Snapshot,
        query: Query,
        scratch: &mut Scratch,
        limited: (&Leash, Limit),
    ) -> Option<f64> {
        match self.told {
            Some((revision, told, length)) if (revision, told) == (world.revision(), query) => return length,
            _ => {}
        }
        let known = self.planner.take().filter(|planner| planner.revision() == world.revision());
        let planner = known.or_else(|| EXACT.iter().find_map(|name| Planner::new(world, name).ok()))?;
        let outcome = search(&planner, (world, query), scratch, limited).ok()?.outcome;
        self.planner = Some(planner);
        let length = outcome.route().map(|route| route.length(world));
        if !matches!(outcome, Outcome::OutOfBudget) {
            self.told = Some((world.revision(), query, length));
        }
        length
    }

    /// Returns the bytes of its planner.
    pub(crate) fn bytes(&self) -> usize {
        self.planner.as_ref().map_or(0, Planner::bytes)
    }

    /// Repairs the planner after edits of the world, or drops it if that is not possible.
    pub(crate) fn follow(&mut self, world: &Snapshot, edits: &[Edit]) {
        self.planner.take_if(|planner| planner.repair(world, edits).is_err());
    }
}
