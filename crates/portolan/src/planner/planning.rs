//! Planning in legs: the search of [`Planner::find`] up to the legs of a route, in one call or in slices.
//!
//! Not here: turning legs into cells (`planner/lazy.rs`), and searches for whole routes (`planner/searching.rs`).

use super::Planner;
use super::lazy::LazyRoute;
use super::searching::begin_exact;
use crate::cost::Cost;
use crate::method::{End, Leg, Task};
use crate::query::{Outcome, Query, QueryError};
use crate::route::Route;
use crate::scratch::{Pending, Scratch};
use crate::space::{Motion, Snapshot, Space};

impl<S: Space> Planner<S> {
    /// Finds a route in legs, which are turned into cells as the route is walked. On a chart, finding the legs takes
    /// much less time than finding all cells, and the cells are not smoothed. A flat search finds all cells at once and
    /// returns them as one piece.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn plan(
        &self,
        world: &Snapshot<S>,
        query: Query<S::Place>,
        scratch: &mut Scratch<S>,
    ) -> Result<Outcome<LazyRoute<S>>, QueryError<S::Place>> {
        self.begin(world, query, scratch)?;
        let mut legs = Vec::new();
        loop {
            if let Some(outcome) = self.plan_step(world, scratch, &mut { u64::MAX }, &mut legs)? {
                return Ok(outcome);
            }
        }
    }

    /// Continues a search that was begun for a route in legs by up to `expansions` expansions, and counts `expansions`
    /// down. Returns `None` if there is more to do. All calls for one search get the same list of legs, which is empty at
    /// first.
    pub(crate) fn plan_step(
        &self,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
        expansions: &mut u64,
        legs: &mut Vec<Leg<S::Place>>,
    ) -> Result<Option<Outcome<LazyRoute<S>>>, QueryError<S::Place>> {
        let is_settled = scratch.pending.as_ref().is_some_and(|pending| pending.settled.is_some());
        let Some(method) = self.method.legs().filter(|_| !is_settled) else {
            let outcome = self.advance(world, scratch, expansions, None, None)?;
            return Ok(outcome.map(|outcome| outcome.map(|route| self.in_one_piece(world, route))));
        };
        let ours = |pending: &Pending<S>| pending.planner == self.serial;
        let mut pending = scratch.pending.take().filter(ours).ok_or(QueryError::NothingBegun)?;
        self.check_knows(world)?;
        let task = Task::<S> { grid: world, from: pending.query.from, to: pending.goal };
        let allowed = pending.left.min(*expansions);
        let mut left = allowed;
        let end = if pending.exact {
            S::exact().with_defaults(world).step(task, scratch, &mut left, None)
        } else {
            method.survey(task, scratch, &mut left, legs)
        };
        pending.left -= allowed - left;
        *expansions -= allowed - left;
        let cost = match end {
            Some(End::Found(cost)) => cost,
            Some(End::NotFound) if pending.exact => return Ok(Some(Outcome::TooFar)),
            None if pending.left == 0 => return Ok(Some(Outcome::OutOfBudget)),
            // As in `turns_exact`: algorithms that plan in legs do not promise the optimum, so a cheaper route may fit
            // `Cost`.
            Some(End::NotFound) => {
                legs.clear();
                begin_exact(task, scratch);
                scratch.pending = Some(Pending { exact: true, ..pending });
                return Ok(None);
            }
            None => {
                scratch.pending = Some(pending);
                return Ok(None);
            }
        };
        let cells = scratch.trail.iter().rev().copied().collect();
        let is_known = legs.is_empty() || method.knows_cost();
        let route = LazyRoute::new(self, is_known.then_some(Cost(cost)), std::mem::take(legs), cells);
        Ok(Some(if pending.goal == pending.query.to { Outcome::Reached(route) } else { Outcome::Partial(route) }))
    }

    /// Returns a route whose cells are all known as a route of one piece. An agent walks in steps, also where a route leads
    /// in straight lines.
    fn in_one_piece(&self, world: &Snapshot<S>, route: Route<S>) -> LazyRoute<S> {
        let (motion, cost) = (route.motion(), route.cost());
        let cells = route.into_steps(world);
        let cost = if motion == Motion::Steps { Some(cost) } else { cost_of_steps::<S>(world, &cells) };
        LazyRoute::new(self, cost, vec![], cells)
    }

    /// Returns whether [`Planner::plan`] finds a route in legs instead of all its cells at once.
    pub fn plans_in_legs(&self) -> bool {
        self.method.legs().is_some()
    }

    /// Takes the next leg, the last in `legs`, off the list and appends its cells to `cells`.
    pub(super) fn refine(
        &self,
        world: &Snapshot<S>,
        legs: &mut Vec<Leg<S::Place>>,
        scratch: &mut Scratch<S>,
        cells: &mut Vec<S::Place>,
    ) {
        let method = self.method.legs().expect("only charts plan in legs");
        scratch.pending = None;
        method.refine(world, legs, scratch, cells);
    }

    /// Returns the number of the chart that legs refer to. A planner refines only legs planned under this number.
    /// Clones of a planner share it; it changes when a repair or refresh builds the chart again.
    pub(super) fn legs_id(&self) -> u64 {
        self.legs_id
    }

    /// Returns a region that contains all places of a leg, or `None` if the algorithm does not plan in legs.
    pub(super) fn leg_region(&self, leg: Leg<S::Place>) -> Option<S::Region> {
        self.method.legs().map(|legs| legs.bounds(leg))
    }
}

/// Returns the sum of the costs of these steps, or `None` if it does not fit [`Cost`].
fn cost_of_steps<S: Space>(space: &S, cells: &[S::Place]) -> Option<Cost> {
    let costs = cells.windows(2).map(|step| space.segment(step[0], step[1], Motion::Steps));
    let sum: Option<u64> = costs.map(|cost| cost.map(|Cost(cost)| u64::from(cost))).sum();
    u32::try_from(sum?).ok().map(Cost)
}
