//! Searching: what every query must be checked for, then the algorithm's own search in one go, in slices or in legs.
//!
//! Not here: how a planner is made and follows edits.

use super::Planner;
use crate::chart::{Bounds, Leg};
use crate::cost::Cost;
use crate::id::Cell;
use crate::probe::Probe;
use crate::query::{Outcome, Query, QueryError};
use crate::registry::Promise;
use crate::route::Route;
use crate::route::lazy::LazyRoute;
use crate::scratch::Scratch;
use crate::search::{End, Method, Task, a_star};
use crate::world::square::SquareGrid;
use crate::world::{Revision, Snapshot};

/// A search between two steps.
#[derive(Clone)]
pub(crate) struct Pending {
    planner: u64,
    revision: Revision,
    query: Query,
    /// Where it is really going.
    goal: Cell,
    left: u64,
    /// What is known without searching.
    settled: Option<Settled>,
    /// Whether an exact search has taken over.
    exact: bool,
}

#[derive(Copy, Clone)]
enum Settled {
    AlreadyThere,
    Unreachable,
}

impl Planner {
    /// Finds a route in one go.
    ///
    /// # Errors
    /// When start or goal is off the map, the start is blocked, the planner does not know this world, or there is no memory
    /// for the records of a flat search.
    pub fn find(&self, world: &Snapshot, query: Query, scratch: &mut Scratch) -> Result<Outcome, QueryError> {
        self.begin(world, query, scratch)?;
        self.step(world, scratch, u64::MAX).map(|outcome| outcome.expect("an unlimited step ends the search"))
    }

    /// Finds a route in legs, to be turned into cells as it is walked. A chart is done long before it would have the
    /// whole route, and pieces come unsmoothed; a flat search knows its whole route and hands it out in one piece.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn plan(
        &self,
        world: &Snapshot,
        query: Query,
        scratch: &mut Scratch,
    ) -> Result<Outcome<LazyRoute>, QueryError> {
        self.begin(world, query, scratch)?;
        let whole = |route: Route| LazyRoute::new(self, Some(route.cost()), vec![], route.into_cells());
        let pending = scratch.pending.take().expect("begun just now");
        let (None, Some(legs)) = (pending.settled, self.method.legs()) else {
            scratch.pending = Some(pending);
            let outcome = self.step(world, scratch, u64::MAX)?.expect("an unlimited step ends the search");
            return Ok(outcome.map(whole));
        };
        let task = Task { grid: world, from: query.from, to: pending.goal };
        let (mut found, mut left) = (Vec::new(), pending.left);
        let mut end = legs.survey(task, scratch, &mut left, &mut found);
        if end == Some(End::NotFound) {
            found.clear();
            let exact = begin_exact(task, scratch);
            end = exact.step(task, scratch, &mut left, None);
        }
        let cost = match end {
            Some(End::Found(cost)) => cost,
            Some(End::NotFound) => return Ok(Outcome::TooFar),
            None => return Ok(Outcome::OutOfBudget),
        };
        let cells = scratch.trail.iter().rev().copied().collect();
        let is_known = found.is_empty() || legs.knows_cost();
        let route = LazyRoute::new(self, is_known.then_some(Cost(cost)), found, cells);
        Ok(if pending.goal == query.to { Outcome::Reached(route) } else { Outcome::Partial(route) })
    }

    /// Whether [`Planner::plan`] knows the first steps before the last.
    pub fn plans_in_legs(&self) -> bool {
        self.method.legs().is_some()
    }

    /// Turns the next of some legs into cells.
    pub(crate) fn refine(&self, world: &Snapshot, legs: &mut Vec<Leg>, scratch: &mut Scratch, cells: &mut Vec<Cell>) {
        let method = self.method.legs().expect("only charts plan in legs");
        scratch.pending = None;
        method.refine(world, legs, scratch, cells);
    }

    /// The number of the chart that legs lead over. Copies of a planner share it, and repairs keep it as long as they do
    /// not build the chart anew: legs of a chart with another number cannot be refined.
    pub(crate) fn legs_id(&self) -> u64 {
        self.legs_id
    }

    /// Where a leg may lead.
    pub(crate) fn leg_bounds(&self, leg: Leg) -> Option<Bounds> {
        self.method.legs().map(|legs| legs.bounds(leg))
    }

    /// As [`Planner::find`], telling a probe what happens.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn watch(
        &self,
        world: &Snapshot,
        query: Query,
        scratch: &mut Scratch,
        probe: &mut dyn Probe,
    ) -> Result<Outcome, QueryError> {
        self.begin(world, query, scratch)?;
        let outcome = self.advance(world, scratch, u64::MAX, Some(probe))?;
        Ok(outcome.expect("an unlimited step ends the search"))
    }

    /// Begins a search that [`Planner::step`] continues, so that a game can spend some expansions a frame. The search
    /// lives in the scratch until it ends or another begins there.
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
    pub fn begin(&self, world: &Snapshot, query: Query, scratch: &mut Scratch) -> Result<(), QueryError> {
        scratch.pending = None;
        scratch.trail.clear();
        if self.revision != world.revision() {
            return Err(QueryError::Stale { built: self.revision, asked: world.revision() });
        }
        query.check(world)?;
        let reachable = world.connected(query.from, query.to);
        let goal = if !reachable && query.nearest {
            world.nearest_reachable(query.from, query.to).expect("the start is free")
        } else {
            query.to
        };
        let settled = if !reachable && !query.nearest {
            Some(Settled::Unreachable)
        } else if goal == query.from {
            Some(Settled::AlreadyThere)
        } else {
            self.method.reserve(world, scratch)?;
            self.method.begin(Task { grid: world, from: query.from, to: goal }, scratch);
            None
        };
        let left = query.budget.or(self.method.budget()).unwrap_or(u64::MAX);
        scratch.pending =
            Some(Pending { planner: self.serial, revision: self.revision, query, goal, left, settled, exact: false });
        Ok(())
    }

    /// Expands up to that many nodes of the search begun; `None` means there is more to do.
    ///
    /// # Errors
    /// When this planner has begun nothing in this scratch, or the world has been edited since.
    pub fn step(
        &self,
        world: &Snapshot,
        scratch: &mut Scratch,
        expansions: u64,
    ) -> Result<Option<Outcome>, QueryError> {
        self.advance(world, scratch, expansions, None)
    }

    /// As [`Planner::step`], telling a probe what happens. All slices together tell what [`Planner::watch`] does in one
    /// go.
    ///
    /// ```
    /// # use portolan::{Planner, Query, Rules, Scratch, SquareGrid, Trace, World};
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
        world: &Snapshot,
        scratch: &mut Scratch,
        expansions: u64,
        probe: &mut dyn Probe,
    ) -> Result<Option<Outcome>, QueryError> {
        self.advance(world, scratch, expansions, Some(probe))
    }

    /// Expands up to `left` nodes. The route of an algorithm that does not promise the cheapest may cost more than can be
    /// counted where another does not: then an exact search takes over, as `exact` says from there on.
    fn expand(
        &self,
        task: Task,
        scratch: &mut Scratch,
        exact: &mut bool,
        left: &mut u64,
        mut probe: Option<&mut dyn Probe>,
    ) -> Option<End> {
        if !*exact {
            let watching = probe.as_mut().map(|probe| &mut **probe as &mut dyn Probe);
            let end = self.method.step(task, scratch, left, watching)?;
            let promise = self.algorithm.promise(task.grid, &self.settings);
            if end != End::NotFound || promise == Promise::Optimal {
                return Some(end);
            }
            begin_exact(task, scratch);
            *exact = true;
        }
        exact_search(task.grid).step(task, scratch, left, probe)
    }

    fn advance(
        &self,
        world: &Snapshot,
        scratch: &mut Scratch,
        expansions: u64,
        probe: Option<&mut dyn Probe>,
    ) -> Result<Option<Outcome>, QueryError> {
        let ours = |pending: &Pending| pending.planner == self.serial && pending.revision == self.revision;
        let mut pending = scratch.pending.take().filter(ours).ok_or(QueryError::NothingBegun)?;
        if pending.revision != world.revision() {
            return Err(QueryError::Stale { built: pending.revision, asked: world.revision() });
        }
        let Pending { query, goal, .. } = pending;
        let cost = match pending.settled {
            Some(Settled::Unreachable) => return Ok(Some(Outcome::Unreachable)),
            Some(Settled::AlreadyThere) => {
                scratch.trail.push(query.from);
                0
            }
            None => {
                let allowed = expansions.min(pending.left);
                let mut left = allowed;
                let task = Task { grid: world, from: query.from, to: goal };
                let end = self.expand(task, scratch, &mut pending.exact, &mut left, probe);
                pending.left -= allowed - left;
                match end {
                    Some(End::Found(cost)) => cost,
                    Some(End::NotFound) => return Ok(Some(Outcome::TooFar)),
                    None if pending.left == 0 => return Ok(Some(Outcome::OutOfBudget)),
                    None => {
                        scratch.pending = Some(pending);
                        return Ok(None);
                    }
                }
            }
        };
        let route = Route::new(scratch.trail.iter().rev().copied().collect(), Cost(cost));
        Ok(Some(if goal == query.to { Outcome::Reached(route) } else { Outcome::Partial(route) }))
    }
}

/// The search that has the last word on whether there is a route whose cost can be counted.
fn exact_search(grid: &SquareGrid) -> Box<dyn Method> {
    let settings = a_star::ALGORITHM.settings::<&str, &str>(&[]).expect("the defaults are sound");
    (a_star::ALGORITHM.build)(grid, &settings)
}

/// Begins that search, whatever another one has written.
fn begin_exact(task: Task, scratch: &mut Scratch) -> Box<dyn Method> {
    let exact = exact_search(task.grid);
    scratch.trail.clear();
    exact.begin(task, scratch);
    exact
}
