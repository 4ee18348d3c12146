//! Answering queries: the checks of every query, then the algorithm's search in one call or in slices.
//!
//! Not here: planning in legs (`planner/planning.rs`), and building and repairing planners (`planner.rs`).

use super::Planner;
use crate::algorithm::Promise;
use crate::cost::Cost;
use crate::method::{End, LivingSearch, Method, Task};
use crate::probe::Probe;
use crate::query::{Outcome, Query, QueryError};
use crate::route::Route;
use crate::scratch::{Pending, Scratch, Settled};
use crate::space::{Motion, Snapshot, Space};

impl<S: Space> Planner<S> {
    /// Finds a route in one call.
    ///
    /// # Errors
    /// When start or goal is off the map, the start is blocked, the planner's revision is not that of the world, or
    /// there is no memory for the records of a flat search.
    pub fn find(
        &self,
        world: &Snapshot<S>,
        query: Query<S::Place>,
        scratch: &mut Scratch<S>,
    ) -> Result<Outcome<Route<S>>, QueryError<S::Place>> {
        self.begin(world, query, scratch)?;
        self.step_to_end(world, scratch)
    }

    /// Continues the search that was begun until it ends.
    fn step_to_end(
        &self,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
    ) -> Result<Outcome<Route<S>>, QueryError<S::Place>> {
        loop {
            if let Some(outcome) = self.step(world, scratch, u64::MAX)? {
                return Ok(outcome);
            }
        }
    }

    /// Finds a route as [`Planner::find`] does, and sends the search's events to a probe.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn watch(
        &self,
        world: &Snapshot<S>,
        query: Query<S::Place>,
        scratch: &mut Scratch<S>,
        probe: &mut dyn Probe,
    ) -> Result<Outcome<Route<S>>, QueryError<S::Place>> {
        self.begin(world, query, scratch)?;
        loop {
            if let Some(outcome) = self.advance(world, scratch, &mut { u64::MAX }, Some(&mut *probe), None)? {
                return Ok(outcome);
            }
        }
    }

    /// Begins a search that [`Planner::step`] continues, so that a game can do some expansions in each frame. The
    /// search is kept in the scratch until it ends or another search begins in that scratch.
    ///
    /// ```
    /// # use portolan::{Planner, Query, Rules, Scratch, SquareGrid, World};
    /// # let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// # let planner = Planner::new(&world, "a-star")?;
    /// # let mut scratch = Scratch::new();
    /// planner.begin(&world, Query::new((1, 1), (60, 33)), &mut scratch)?;
    /// let outcome = loop {
    ///     if let Some(outcome) = planner.step(&world, &mut scratch, 10)? {
    ///         break outcome;
    ///     }
    ///     // ... the rest of the frame ...
    /// };
    /// assert!(outcome.route().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn begin(
        &self,
        world: &Snapshot<S>,
        query: Query<S::Place>,
        scratch: &mut Scratch<S>,
    ) -> Result<(), QueryError<S::Place>> {
        self.begin_for(world, query, scratch, false)
    }

    /// Begins a search as [`Planner::begin`] does. If it `lives`, the state of the search is not in the scratch, so that
    /// the algorithm prepares nothing there.
    pub(crate) fn begin_for(
        &self,
        world: &Snapshot<S>,
        query: Query<S::Place>,
        scratch: &mut Scratch<S>,
        lives: bool,
    ) -> Result<(), QueryError<S::Place>> {
        scratch.pending = None;
        scratch.trail.clear();
        self.check_knows(world)?;
        let home = query.home::<S>(world)?;
        let reachable = world.component(query.to) == Some(home) || world.reaches(query.from, query.to);
        let goal = if !reachable && query.nearest {
            world.nearest_reachable(query.from, query.to).expect("the start is free")
        } else {
            query.to
        };
        let settled = if !reachable && !query.nearest {
            Some(Settled::Unreachable)
        } else if goal == query.from {
            Some(Settled::AlreadyThere)
        } else if lives {
            None
        } else {
            if scratch.reserved_for != Some(self.serial) {
                self.method.reserve(world, scratch)?;
                scratch.reserved_for = Some(self.serial);
            }
            self.method.begin(Task::<S> { grid: world, from: query.from, to: goal }, scratch);
            None
        };
        let left = query.budget.or(self.method.budget()).unwrap_or(u64::MAX);
        scratch.pending = Some(Pending { planner: self.serial, query, goal, left, settled, exact: false });
        Ok(())
    }

    /// Continues the search in this scratch by up to `expansions` expansions. Returns `None` if there is more to do.
    ///
    /// # Errors
    /// When no search of this planner is under way in this scratch, or the world has been edited since it began.
    pub fn step(
        &self,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
        expansions: u64,
    ) -> Result<Option<Outcome<Route<S>>>, QueryError<S::Place>> {
        self.advance(world, scratch, &mut { expansions }, None, None)
    }

    /// Continues a search as [`Planner::step`] does, and sends its events to a probe. All slices together send the
    /// events that [`Planner::watch`] sends in one call.
    ///
    /// ```
    /// # use portolan::probe::Trace;
    /// # use portolan::{Planner, Query, Rules, Scratch, SquareGrid, World};
    /// # let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// # let planner = Planner::new(&world, "a-star")?;
    /// # let mut scratch = Scratch::new();
    /// let (mut trace, mut frames) = (Trace::default(), 0);
    /// planner.begin(&world, Query::new((1, 1), (60, 33)), &mut scratch)?;
    /// while planner.watch_step(&world, &mut scratch, 10, &mut trace)?.is_none() {
    ///     frames += 1; // ... show what has happened so far ...
    /// }
    /// assert!(frames > 0 && !trace.events.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Planner::step`].
    pub fn watch_step(
        &self,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
        expansions: u64,
        probe: &mut dyn Probe,
    ) -> Result<Option<Outcome<Route<S>>>, QueryError<S::Place>> {
        self.advance(world, scratch, &mut { expansions }, Some(probe), None)
    }

    /// Begins an exact search instead, if the algorithm does not promise a cheapest route. It is called when the
    /// algorithm found no route whose cost fits [`Cost`], though start and goal are connected: a cheaper route may fit.
    /// Returns whether an exact search was begun.
    #[cold]
    fn turns_exact(&self, pending: &mut Pending<S>, task: Task<S>, scratch: &mut Scratch<S>) -> bool {
        if pending.exact || self.algorithm.promise(task.grid, &self.settings) == Promise::Optimal {
            return false;
        }
        begin_exact(task, scratch);
        pending.exact = true;
        true
    }

    /// Returns whether a search of this planner for this query was begun in the scratch and has not ended.
    pub(crate) fn is_under_way(&self, query: Query<S::Place>, scratch: &Scratch<S>) -> bool {
        scratch.pending.as_ref().is_some_and(|pending| pending.planner == self.serial && pending.query == query)
    }

    /// Continues the search in this scratch by up to `expansions` expansions, with the living search if there is one, and
    /// counts `expansions` down. Returns `None` if there is more to do.
    pub(crate) fn advance(
        &self,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
        expansions: &mut u64,
        probe: Option<&mut dyn Probe>,
        living: Option<&mut (dyn LivingSearch<S> + 'static)>,
    ) -> Result<Option<Outcome<Route<S>>>, QueryError<S::Place>> {
        let ours = |pending: &Pending<S>| pending.planner == self.serial;
        let mut pending = scratch.pending.take().filter(ours).ok_or(QueryError::NothingBegun)?;
        self.check_knows(world)?;
        let Pending { query, goal, .. } = pending;
        let cost = match pending.settled {
            Some(Settled::Unreachable) => return Ok(Some(Outcome::Unreachable)),
            Some(Settled::AlreadyThere) => {
                scratch.trail.push(query.from);
                0
            }
            None => {
                let allowed = pending.left.min(*expansions);
                let mut left = allowed;
                let task = Task::<S> { grid: world, from: query.from, to: goal };
                let mut living = living;
                let end = match &mut living {
                    _ if pending.exact => S::exact().with_defaults(world).step(task, scratch, &mut left, probe),
                    Some(living) => living.step(task, scratch, &mut left, probe),
                    None => self.method.step(task, scratch, &mut left, probe),
                };
                pending.left -= allowed - left;
                *expansions -= allowed - left;
                match end {
                    Some(End::Found(cost)) => cost,
                    Some(End::NotFound) if self.turns_exact(&mut pending, task, scratch) => {
                        scratch.pending = Some(pending);
                        return Ok(None);
                    }
                    Some(End::NotFound) => return Ok(Some(Outcome::TooFar)),
                    None if pending.left == 0 => {
                        let route = self.best_so_far(&pending, world, scratch, living.as_deref());
                        return Ok(Some(route.map_or(Outcome::OutOfBudget, |route| arrived(&pending, route))));
                    }
                    None => {
                        scratch.pending = Some(pending);
                        return Ok(None);
                    }
                }
            }
        };
        let mut cost = Cost(cost);
        let mut motion = if pending.exact { S::exact().motion } else { self.algorithm.motion };
        if self.straightens
            && motion == Motion::Steps
            && let Some(less) = world.straighten(&mut scratch.trail, cost)
        {
            (cost, motion) = (less, Motion::AnyAngle);
        }
        let route = Route::of(scratch.trail.iter().rev().copied().collect(), cost, motion);
        Ok(Some(arrived(&pending, route)))
    }
}

/// Returns the outcome of a search that has found this route.
fn arrived<S: Space>(pending: &Pending<S>, route: Route<S>) -> Outcome<Route<S>> {
    if pending.goal == pending.query.to { Outcome::Reached(route) } else { Outcome::Partial(route) }
}

/// Discards the places of any earlier search in the scratch, begins an exact search and returns it.
pub(crate) fn begin_exact<S: Space>(task: Task<S>, scratch: &mut Scratch<S>) -> Box<dyn Method<S>> {
    let exact = S::exact().with_defaults(task.grid);
    scratch.trail.clear();
    exact.begin(task, scratch);
    exact
}
