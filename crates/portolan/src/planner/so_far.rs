//! The best route of a search that has not ended.

use super::Planner;
use crate::cost::Cost;
use crate::method::{LivingSearch, SoFar, Task};
use crate::route::Route;
use crate::scratch::{Pending, Scratch};
use crate::space::{Snapshot, Space};

impl<S: Space> Planner<S> {
    /// Returns the best route that the search in this scratch has found before its end, to be called between two steps.
    /// [`Route::bound`] says how much cheaper another route can be at most. Returns `None` if no route is found yet, if no
    /// search of this planner for this world is under way in this scratch, or if the algorithm finds one route and ends.
    /// The search goes on as if it had not been asked.
    ///
    /// ```
    /// # use portolan::{Planner, Query, Rules, Scratch, SquareGrid, World};
    /// # let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// # let planner = Planner::new(&world, "ara-star")?;
    /// # let mut scratch = Scratch::new();
    /// planner.begin(&world, Query::new((1, 1), (60, 33)), &mut scratch)?;
    /// let outcome = loop {
    ///     if let Some(outcome) = planner.step(&world, &mut scratch, 10)? {
    ///         break outcome;
    ///     }
    ///     if let Some(route) = planner.so_far(&world, &mut scratch) {
    ///         assert!(route.check(&world).is_ok() && route.bound().is_some_and(|bound| bound >= 1.0));
    ///     }
    /// };
    /// assert!(outcome.route().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn so_far(&self, world: &Snapshot<S>, scratch: &mut Scratch<S>) -> Option<Route<S>> {
        self.so_far_of(world, scratch, None)
    }

    /// Returns what [`Planner::so_far`] does, of the living search if there is one.
    pub(crate) fn so_far_of(
        &self,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
        living: Option<&(dyn LivingSearch<S> + 'static)>,
    ) -> Option<Route<S>> {
        let pending = scratch.pending.take()?;
        let is_ours = pending.planner == self.serial && self.check_knows(world).is_ok();
        let route = is_ours.then(|| self.best_so_far(&pending, world, scratch, living)).flatten();
        scratch.pending = Some(pending);
        route
    }

    /// Returns the best route of a search that has not ended.
    pub(super) fn best_so_far(
        &self,
        pending: &Pending<S>,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
        living: Option<&(dyn LivingSearch<S> + 'static)>,
    ) -> Option<Route<S>> {
        if pending.settled.is_some() || pending.exact {
            return None;
        }
        let task = Task::<S> { grid: world, from: pending.query.from, to: pending.goal };
        let SoFar { cost, least } = match living {
            Some(living) => living.so_far(task, scratch),
            None => self.method.so_far(task, scratch),
        }?;
        let cells = scratch.trail.drain(..).rev().collect();
        Some(Route::of(cells, Cost(cost), self.algorithm.motion).dearer_than(least))
    }
}
