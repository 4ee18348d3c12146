//! One agent's search that stays alive while the agent walks and the world changes: [`Replanner`].
//!
//! Every algorithm has one. By default it keeps its route while every step that is left is as it was planned, and
//! searches from nothing otherwise. An algorithm that can repair what it found gives a search of its own
//! ([`crate::method::LivingSearch`]), which is then told of edits and asked instead.
//!
//! Not here: repairing planners, and when an agent has a reason to plan again besides a changed route.

mod follow;
mod legs;
mod report;
mod so_far;

pub use report::{Impact, Progress};

use crate::cost::Cost;
use crate::method::{LivingSearch, Task};
use crate::planner::Planner;
use crate::planner::lazy::LazyRoute;
use crate::probe::Probe;
use crate::query::{Outcome, Query, QueryError};
use crate::route::Route;
use crate::scratch::Scratch;
use crate::settings::Settings;
use crate::space::square::SquareGrid;
use crate::space::{Motion, Revision, Snapshot, Space};
use follow::{Aside, Stretches};

/// The route of one agent, kept up to date while the agent walks, gets other goals, and the world changes.
///
/// The planner, the world and the scratch are given to every call, because many agents share them. After an edit, repair
/// the planner, then tell every replanner of the edit. Or have each follow the edit by itself ([`Replanner::follow`]), and
/// repair the planner when one of them has to ask it.
///
/// ```
/// use portolan::{Area, Cell, Edit, Impact, Planner, Progress, Replanner, Rules, Scratch, SquareGrid, Terrain, World};
/// let mut world = World::from(SquareGrid::open(40, 20, Rules::default())?);
/// let mut planner = Planner::new(&world, "a-star")?;
/// let mut scratch = Scratch::new();
/// let mut replanner = Replanner::new((2, 10), (37, 10));
/// assert!(matches!(replanner.step(&planner, &world, &mut scratch, u64::MAX)?, Progress::Planned { .. }));
/// replanner.moved(replanner.left()[1]);
///
/// let wall = [Edit::new(Area { x: 20, y: 5, width: 1, height: 11 }, Terrain::BLOCKED)];
/// world.apply(&wall)?;
/// planner.repair(&world, &wall)?;
/// let impact = replanner.edited(&planner, &world, &wall);
/// assert_eq!(impact, Impact::Touched { ahead: 17, at: Cell::new(20, 10), legal: false });
/// assert_eq!(replanner.step(&planner, &world, &mut scratch, u64::MAX)?, Progress::Planned { same: false });
/// assert_eq!(replanner.step(&planner, &world, &mut scratch, u64::MAX)?, Progress::Kept);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Replanner::step`] searches in slices of any size; the route does not depend on the size. If the agent moves or gets
/// another goal in the middle of a search, or another search uses the scratch, the search begins again, unless the
/// algorithm keeps its searches alive. A clone goes its own way.
pub struct Replanner<S: Space = SquareGrid> {
    at: S::Place,
    to: S::Place,
    /// Whether routes are planned in legs, by algorithms that can.
    lazy: bool,
    /// The algorithm's own search, if it has one.
    living: Option<Box<dyn LivingSearch<S>>>,
    /// The name of the algorithm and the settings of the planner that planned last.
    made_for: Option<(&'static str, Settings)>,
    /// The world that the living search, or else the latest route or search, is for.
    revision: Option<Revision>,
    /// Whether the next step searches for a route.
    wants: bool,
    /// Whether that search was begun.
    begun: bool,
    /// What a step returns that has nothing to do.
    rest: Progress,
    /// The cells of the route. They are never fewer than `done + 1`.
    cells: Vec<S::Place>,
    /// The cost of every step of the route when it was planned.
    prices: Vec<Cost>,
    /// The steps of the route from this one on cost what they cost when it was planned.
    unchanged_from: usize,
    /// Steps of the route that are done.
    done: usize,
    /// The part of the route that is not turned into cells yet.
    legs: Option<LazyRoute<S>>,
    /// Edits that a route in legs has to be mended after.
    hits: Vec<S::Edit>,
    /// Where the cells of the route lie, to follow edits without a planner.
    stretches: Stretches<S>,
    /// The route to a goal that is cut off.
    aside: Option<Box<Aside<S>>>,
}

impl<S: Space> Clone for Replanner<S> {
    fn clone(&self) -> Replanner<S> {
        Replanner {
            living: self.living.clone(),
            made_for: self.made_for.clone(),
            cells: self.cells.clone(),
            prices: self.prices.clone(),
            legs: self.legs.clone(),
            hits: self.hits.clone(),
            stretches: self.stretches.clone(),
            aside: self.aside.clone(),
            ..*self
        }
    }
}

impl<S: Space> Replanner<S> {
    /// Returns a replanner for an agent that stands on `from` and wants to go to `to`. The first step searches.
    pub fn new(from: impl Into<S::Place>, to: impl Into<S::Place>) -> Replanner<S> {
        let from = from.into();
        Replanner {
            at: from,
            to: to.into(),
            lazy: false,
            living: None,
            made_for: None,
            revision: None,
            wants: true,
            begun: false,
            rest: Progress::Kept,
            cells: vec![from],
            prices: Vec::new(),
            unchanged_from: 0,
            done: 0,
            legs: None,
            hits: Vec::new(),
            stretches: Stretches::default(),
            aside: None,
        }
    }

    /// Returns this replanner with routes that are planned in legs ([`Planner::plan`]), if the planner can do that. Legs
    /// are turned into cells when the agent comes to them. All legs are found in one step, whatever its budget, and no
    /// probe watches.
    #[must_use]
    pub fn lazily(self) -> Replanner<S> {
        Replanner { lazy: true, ..self }
    }

    /// Returns the cell on which the agent stands.
    pub fn at(&self) -> S::Place {
        self.at
    }

    /// Returns the goal of the agent.
    pub fn to(&self) -> S::Place {
        self.to
    }

    /// Returns what is left of the route, from the cell on which the agent stands: to the goal or, if the route is
    /// planned in legs, as far as its cells are known. It is that one cell if there is no route. After an edit or with a
    /// new goal, it is the old route until a step has found another.
    pub fn left(&self) -> &[S::Place] {
        &self.cells[self.done..]
    }

    /// Returns the cost that [`Replanner::left`] had when it was planned.
    pub fn cost(&self) -> u64 {
        self.prices[self.done..].iter().map(|price| u64::from(price.0)).sum()
    }

    /// Returns the cell that the next step of the route leads to, and the cost of the step when it was planned. `None`
    /// if no step is left or known.
    pub fn next_step(&self) -> Option<(S::Place, Cost)> {
        Some((*self.left().get(1)?, *self.prices.get(self.done)?))
    }

    /// Returns whether the algorithm keeps a search of its own for this agent, which it repairs instead of searching
    /// from nothing. Before the first step there is none.
    pub fn is_alive(&self) -> bool {
        self.living.is_some()
    }

    /// Returns the bytes of memory that the route and the search take.
    pub fn bytes(&self) -> usize {
        let living = self.living.as_ref().map_or(0, |living| living.bytes());
        let legs = self.legs.as_ref().map_or(0, LazyRoute::bytes);
        let route = self.cells.capacity() * size_of::<S::Place>() + self.prices.capacity() * size_of::<Cost>();
        let aside = self.aside.as_ref().map_or(0, |aside| aside.bytes());
        living + legs + route + aside + self.stretches.bytes() + self.hits.capacity() * size_of::<S::Edit>()
    }

    /// Tells where the agent stands now. If that is not on its route, the next step searches.
    pub fn moved(&mut self, at: impl Into<S::Place>) {
        let at = at.into();
        if at == self.at {
            return;
        }
        (self.at, self.begun) = (at, false);
        match self.left().iter().position(|&cell| cell == at) {
            Some(steps) => self.done += steps,
            None => self.forget(),
        }
    }

    /// Gives the agent another goal, for which the next step searches.
    pub fn aim(&mut self, to: impl Into<S::Place>) {
        (self.to, self.begun, self.wants) = (to.into(), false, true);
    }

    /// Has the next step search for a route, although the route stands: an edit may have opened a shorter one.
    pub fn plan_again(&mut self) {
        (self.wants, self.aside) = (true, None);
    }

    /// Drops the route. The next step searches.
    pub fn forget(&mut self) {
        self.drop_route();
        self.wants = true;
    }

    fn drop_route(&mut self) {
        self.cells.clear();
        self.cells.push(self.at);
        self.prices.clear();
        (self.done, self.unchanged_from, self.legs) = (0, 0, None);
        self.hits.clear();
        self.stretches.clear();
        self.aside = None;
    }

    /// Tells of edits that were applied to the world, to which the planner was repaired, and returns what they have done
    /// to the route. If they have done anything or there is no route, the next step searches. An algorithm that keeps its
    /// searches alive searches in any case, since an edit may have opened a cheaper route and it only repairs.
    ///
    /// `edits` are all edits since the last call or step. An algorithm that keeps its searches alive begins from nothing
    /// if some are left out.
    pub fn edited(&mut self, planner: &Planner<S>, world: &Snapshot<S>, edits: &[S::Edit]) -> Impact<S::Place> {
        let told = self.revision.is_some_and(|revision| revision.after::<S>(edits) == world.revision());
        self.living = self.living.take().filter(|_| told);
        if let Some(living) = &mut self.living {
            living.edited(Task::<S> { grid: world, from: self.at, to: self.to }, edits);
        }
        self.revision = Some(world.revision());
        self.wants |= !self.rest.is_ready() || self.living.is_some();
        if world.component(self.at).is_none() {
            self.forget();
            return Impact::Buried;
        }
        let touched = self.touched(world, edits, told);
        let is_hit = self.legs.as_ref().is_some_and(|legs| legs.is_hit(planner, world, edits));
        if self.legs.is_some() && told && self.hits.len() + edits.len() <= Self::MOST_HITS {
            self.hits.extend_from_slice(edits);
        } else {
            self.wants |= touched.is_some() || is_hit;
        }
        touched.unwrap_or(if is_hit { Impact::Doubtful } else { Impact::Kept })
    }

    /// Returns the first step left on the route that is no longer legal or has another cost than when it was planned.
    /// Steps away from the edits are not looked at, if these are all since the route was planned or last found unchanged.
    fn touched(&mut self, world: &Snapshot<S>, edits: &[S::Edit], told: bool) -> Option<Impact<S::Place>> {
        // Looking at a step costs about as much as comparing it with a few edits.
        const FEW: usize = 8;
        let is_unchanged = told && self.unchanged_from <= self.done;
        let looks_at_all = !is_unchanged || edits.len() > FEW;
        let may_change = |step: &[S::Place]| {
            let reaches = |edit| step.iter().any(|&at| S::edit_reaches(edit, at));
            looks_at_all || edits.iter().any(reaches)
        };
        self.unchanged_from = 0;
        let mut first = None;
        for index in self.done..self.prices.len() {
            let step = &self.cells[index..index + 2];
            if !may_change(step) {
                continue;
            }
            let now = world.segment(step[0], step[1], Motion::Steps);
            if now != Some(self.prices[index]) {
                let ahead = index - self.done + 1;
                first = first.or(Some(Impact::Touched { ahead, at: step[1], legal: now.is_some() }));
                self.unchanged_from = index + 1;
            }
        }
        first
    }

    /// Searches for a route if there is a reason to, and expands up to `expansions` nodes. The planner must know the
    /// world. With a planner of another algorithm or with other settings, or with a world that has seen edits which
    /// this replanner was not told of, there is always a reason.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn step(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
        expansions: u64,
    ) -> Result<Progress, QueryError<S::Place>> {
        self.advance(planner, world, scratch, expansions, None)
    }

    /// Does what [`Replanner::step`] does, and sends the events of the search to a probe.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn watch_step(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
        expansions: u64,
        probe: &mut dyn Probe,
    ) -> Result<Progress, QueryError<S::Place>> {
        self.advance(planner, world, scratch, expansions, Some(probe))
    }

    pub(crate) fn advance(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
        expansions: u64,
        probe: Option<&mut dyn Probe>,
    ) -> Result<Progress, QueryError<S::Place>> {
        let made = (planner.algorithm().name, planner.settings());
        let suits = self.made_for.as_ref().is_some_and(|(name, settings)| (*name, settings) == made);
        let knows = self.revision == Some(world.revision());
        self.wants |= !knows || !suits && self.made_for.is_some();
        if !knows {
            self.unchanged_from = self.prices.len();
        }
        if !self.wants {
            let mended = self.mend(planner, world, scratch)?;
            if let Some(mended) = mended
                && self.refine(planner, world, scratch)?
            {
                return Ok(if mended { Progress::Planned { same: false } } else { self.rest });
            }
            self.wants = true;
        }
        if !suits {
            self.made_for = Some((planner.algorithm().name, planner.settings().clone()));
        }
        let query = Query::new(self.at, self.to);
        if self.lazy && planner.plans_in_legs() {
            let outcome = planner.plan(world, query, scratch)?;
            self.revision = Some(world.revision());
            return self.take_legs(outcome, planner, world, scratch);
        }
        if !suits || !knows || self.living.is_none() {
            self.living = planner.method().replanner();
        }
        if !self.begun || !planner.is_under_way(query, scratch) {
            planner.begin_for(world, query, scratch, self.living.is_some())?;
            (self.begun, self.revision) = (true, Some(world.revision()));
        }
        let found = planner.advance(world, scratch, &mut { expansions }, probe, self.living.as_deref_mut())?;
        Ok(found.map_or(Progress::Working, |outcome| self.take(outcome, world)))
    }

    /// Ends a search. Returns its route, if it has found one.
    fn end<R>(&mut self, outcome: Outcome<R>) -> Option<R> {
        (self.wants, self.begun) = (false, false);
        let (rest, route) = match outcome {
            Outcome::Reached(route) | Outcome::Partial(route) => (Progress::Kept, Some(route)),
            Outcome::Unreachable => (Progress::Unreachable, None),
            Outcome::OutOfBudget => (Progress::OutOfBudget, None),
            Outcome::TooFar => (Progress::TooFar, None),
        };
        self.rest = rest;
        if route.is_none() {
            self.drop_route();
        }
        route
    }

    fn take(&mut self, outcome: Outcome<Route<S>>, world: &Snapshot<S>) -> Progress {
        let Some(route) = self.end(outcome) else { return self.rest };
        // An agent walks in steps, also where a route leads in straight lines.
        let cells = route.into_steps(world);
        let same = cells == self.left();
        // Steps at the end of both routes need no look at the world.
        let shared = cells.iter().rev().zip(self.left().iter().rev()).take_while(|(new, old)| new == old).count();
        let known = shared.saturating_sub(1).min(self.prices.len() - self.unchanged_from.max(self.done));
        let prices = self.prices.split_off(self.prices.len() - known);
        self.drop_route();
        self.append(&cells[1..cells.len() - known], world);
        self.cells.extend_from_slice(&cells[cells.len() - known..]);
        self.prices.extend(prices);
        Progress::Planned { same }
    }

    /// Appends cells to the route, with the costs of the steps to them.
    ///
    /// # Panics
    /// When a step is illegal. The engine finds no such routes.
    fn append(&mut self, cells: &[S::Place], world: &Snapshot<S>) {
        for &cell in cells {
            let last = self.cells[self.cells.len() - 1];
            self.prices.push(world.segment(last, cell, Motion::Steps).expect("every step of a route is legal"));
            self.cells.push(cell);
        }
    }
}

#[cfg(test)]
mod tests;
