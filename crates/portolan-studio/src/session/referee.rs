//! The length of a shortest route, which an exact planner finds that is kept beside the planner of the page.
//!
//! Not here: comparing it with the length of the page's route, which the page does.

use super::finding::choice;
use super::leash::{Leash, Limit, search};
use portolan::any::{AnyPlanner, AnyScratch, AnySnapshot};
use portolan::{Edit, Outcome, Query, Revision};

/// Finds the length of shortest routes, and keeps the latest result.
#[derive(Default)]
pub(crate) struct Referee {
    planner: Option<AnyPlanner>,
    told: Option<(Revision, Query, Option<f64>)>,
}

impl Referee {
    /// Returns the length of a shortest route, or `None` if there is none or it is not found within the limit.
    pub(crate) fn optimum(
        &mut self,
        world: &AnySnapshot,
        query: Query,
        scratch: &mut AnyScratch,
        limited: (&Leash, Limit),
    ) -> Option<f64> {
        match self.told {
            Some((revision, told, length)) if (revision, told) == (world.revision(), query) => return length,
            _ => {}
        }
        let known = self.planner.take().filter(|planner| planner.revision() == world.revision());
        let planner = known.or_else(|| build(world))?;
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
        self.planner.as_ref().map_or(0, AnyPlanner::bytes)
    }

    /// Repairs the planner after edits of the world, or drops it if that is not possible.
    pub(crate) fn follow(&mut self, world: &AnySnapshot, edits: &[Edit]) {
        self.planner.take_if(|planner| planner.repair(world, edits).is_err());
    }
}

/// Builds a planner with the exact algorithm that `auto` chooses for the world.
fn build(world: &AnySnapshot) -> Option<AnyPlanner> {
    let (algorithm, settings, _) = choice(world);
    AnyPlanner::build(world, algorithm, settings).ok()
}
