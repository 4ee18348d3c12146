//! Routes in legs of a [`Replanner`]: taking them over, turning legs into cells, and mending them after edits.
//!
//! Not here: planning legs again, which a [`LazyRoute`] does.

use super::{Progress, Replanner};
use crate::planner::Planner;
use crate::planner::lazy::{LazyRoute, Mended};
use crate::query::{Outcome, Query, QueryError};
use crate::scratch::Scratch;
use crate::space::{Snapshot, Space};

impl<S: Space> Replanner<S> {
    /// The most edits that a route in legs is mended after; after more, it is planned again.
    pub(super) const MOST_HITS: usize = 4096;

    /// Brings a route in legs up to date with the edits since it was planned: what they hit is planned again between the
    /// same places. Returns whether anything was, or `None` if the whole route has to be planned again: a part is cut, or
    /// what was planned again is more than a tenth of the route or twice what it was, so that a new route may be cheaper.
    pub(super) fn mend(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
    ) -> Result<Option<bool>, QueryError<S::Place>> {
        let (Some(legs), false) = (&mut self.legs, self.hits.is_empty()) else { return Ok(Some(false)) };
        let most = legs.cost().map_or(u64::MAX, |whole| u64::from(whole.0) / 10);
        let mended = match legs.mend_rest(planner, world, &self.hits, scratch) {
            Ok(Mended::Kept) => false,
            Ok(Mended::Redone { cost, .. }) if cost.is_none_or(|cost| cost <= most) => true,
            Ok(Mended::Redone { .. } | Mended::Broken { .. }) | Err(QueryError::OtherLegs | QueryError::Stale(_)) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        self.hits.clear();
        if self.unchanged_from <= self.done {
            return Ok(Some(mended));
        }
        let old: u64 = self.prices[self.done..].iter().map(|price| u64::from(price.0)).sum();
        let last = self.cells[self.cells.len() - 1];
        let Outcome::Reached(round) = planner.plan(world, Query::new(self.at, last), scratch)? else { return Ok(None) };
        if round.cost().is_none_or(|cost| u64::from(cost.0) > 2 * old) {
            return Ok(None);
        }
        let mut legs = self.legs.take().expect("it was mended just now");
        legs.prepend(round);
        self.drop_route();
        self.legs = Some(legs);
        Ok(Some(true))
    }

    pub(super) fn take_legs(
        &mut self,
        outcome: Outcome<LazyRoute<S>>,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
    ) -> Result<Progress, QueryError<S::Place>> {
        let Some(legs) = self.end(outcome) else { return Ok(self.rest) };
        self.drop_route();
        self.legs = Some(legs);
        self.refine(planner, world, scratch)?;
        Ok(Progress::Planned { same: false })
    }

    /// Turns legs into cells until the next step of the route is known. Returns false if the planner can no longer do
    /// that, because its chart was built again.
    pub(super) fn refine(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
    ) -> Result<bool, QueryError<S::Place>> {
        while let (Some(legs), true) = (&mut self.legs, self.cells.len() == self.done + 1) {
            let cells = match legs.next_leg(planner, world, scratch) {
                Ok(Some(cells)) => cells.to_vec(),
                Ok(None) => {
                    self.legs = None;
                    break;
                }
                Err(QueryError::OtherLegs) => {
                    self.wants = true;
                    return Ok(false);
                }
                Err(error) => return Err(error),
            };
            // The first piece of a route begins with the cell on which the agent stands.
            let known = usize::from(cells.first() == Some(&self.at));
            self.cells.drain(..self.done);
            self.prices.clear();
            (self.done, self.unchanged_from) = (0, 0);
            self.stretches.clear();
            self.append(&cells[known..], world);
        }
        Ok(true)
    }
}
