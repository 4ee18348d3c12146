//! The answers to many queries in flat arrays: [`Answers`] and [`AnswerKind`].
//!
//! Not here: finding them (`batch.rs`), and putting routes of other processors together (`batch/joined.rs`).

use crate::cost::Cost;
use crate::id::Cell;
use crate::memory::held;
use crate::query::{Outcome, QueryError};
use crate::route::Route;
use crate::space::{Motion, Space};

/// How a query of a batch ended, as one byte. The numbers are part of the interface and do not change.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum AnswerKind {
    /// There is a route to the goal: [`Outcome::Reached`].
    Reached = 0,
    /// There is a route to the reachable place nearest to the goal: [`Outcome::Partial`].
    Partial = 1,
    /// There is no route: [`Outcome::Unreachable`].
    Unreachable = 2,
    /// The budget of the query was used up: [`Outcome::OutOfBudget`].
    OutOfBudget = 3,
    /// Every route costs more than [`Cost`] can hold: [`Outcome::TooFar`].
    TooFar = 4,
    /// Start or goal does not lie on the world: [`QueryError::OffMap`].
    OffMap = 5,
    /// The start is blocked: [`QueryError::StartBlocked`].
    StartBlocked = 6,
    /// There is no memory for the records of the search: [`QueryError::OutOfMemory`].
    OutOfMemory = 7,
}

impl AnswerKind {
    /// Returns whether the query was an error, so that no search was made.
    pub fn is_error(self) -> bool {
        matches!(self, AnswerKind::OffMap | AnswerKind::StartBlocked | AnswerKind::OutOfMemory)
    }

    fn of_error<P>(error: &QueryError<P>) -> AnswerKind {
        match error {
            QueryError::OffMap { .. } => AnswerKind::OffMap,
            QueryError::StartBlocked(_) => AnswerKind::StartBlocked,
            QueryError::OutOfMemory(_) => AnswerKind::OutOfMemory,
            QueryError::Stale(_) | QueryError::NothingBegun | QueryError::OtherLegs => {
                unreachable!("the batch checks the revision first and runs whole searches")
            }
        }
    }
}

/// The answers to a batch of queries, in flat arrays by the number of the query. The places of all routes lie one after
/// another; those of query `i` are `places[offsets[i]..offsets[i + 1]]`, and none where there is no route.
///
/// The arrays do not depend on the number of threads, and each answer is the one that [`crate::Planner::find`] gives.
#[derive(Clone, PartialEq, Debug)]
pub struct Answers<P = Cell> {
    kinds: Vec<AnswerKind>,
    costs: Vec<Cost>,
    motions: Vec<Motion>,
    offsets: Vec<u64>,
    places: Vec<P>,
    /// The queries that are errors, in rising order.
    errors: Vec<(usize, QueryError<P>)>,
    /// The queries whose search was stopped before its end but had found a route, each with a number that no route costs
    /// less than, in rising order.
    leasts: Vec<(usize, u64)>,
}

impl<P> Default for Answers<P> {
    fn default() -> Answers<P> {
        Answers {
            kinds: Vec::new(),
            costs: Vec::new(),
            motions: Vec::new(),
            offsets: vec![0],
            places: Vec::new(),
            errors: Vec::new(),
            leasts: Vec::new(),
        }
    }
}

impl<P: Copy> Answers<P> {
    /// Returns the answers to no queries.
    pub fn new() -> Answers<P> {
        Answers::default()
    }

    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns whether there were no queries.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Returns how each query ended.
    pub fn kinds(&self) -> &[AnswerKind] {
        &self.kinds
    }

    /// Returns the cost of each route; 0 where there is no route.
    pub fn costs(&self) -> &[Cost] {
        &self.costs
    }

    /// Returns how each route leads from one of its places to the next; [`Motion::Steps`] where there is no route.
    pub fn motions(&self) -> &[Motion] {
        &self.motions
    }

    /// Returns where the places of each route begin in [`Answers::places`], and in the end how many places there are: one
    /// number more than there are queries.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// Returns the places of all routes, one route after another, each from start to goal.
    pub fn places(&self) -> &[P] {
        &self.places
    }

    /// Returns the list of all places, for its memory to be used again.
    pub fn into_places(self) -> Vec<P> {
        self.places
    }

    /// Returns the places of the route of this query, from start to goal; empty if there is no route.
    ///
    /// # Panics
    /// When there is no such query.
    pub fn route(&self, query: usize) -> &[P] {
        &self.places[self.offsets[query] as usize..self.offsets[query + 1] as usize]
    }

    /// Returns why this query could not be answered, or `None` if it could.
    pub fn error(&self, query: usize) -> Option<&QueryError<P>> {
        found(&self.errors, query)
    }

    /// Returns the answer to this query as [`crate::Planner::find`] returns it, with a copy of the route.
    ///
    /// # Errors
    /// When the query is off the map, its start is blocked, or there was no memory for its search.
    ///
    /// # Panics
    /// When there is no such query.
    pub fn outcome<S: Space<Place = P>>(&self, query: usize) -> Result<Outcome<Route<S>>, QueryError<P>> {
        if let Some(error) = self.error(query) {
            return Err(*error);
        }
        let route = || {
            let route = Route::of(self.route(query).to_vec(), self.costs[query], self.motions[query]);
            match found(&self.leasts, query) {
                Some(&least) => route.dearer_than(least),
                None => route,
            }
        };
        Ok(match self.kinds[query] {
            AnswerKind::Reached => Outcome::Reached(route()),
            AnswerKind::Partial => Outcome::Partial(route()),
            AnswerKind::Unreachable => Outcome::Unreachable,
            AnswerKind::OutOfBudget => Outcome::OutOfBudget,
            AnswerKind::TooFar => Outcome::TooFar,
            AnswerKind::OffMap | AnswerKind::StartBlocked | AnswerKind::OutOfMemory => {
                unreachable!("errors are listed")
            }
        })
    }

    /// Returns the bytes of memory that the answers take, those reserved for more included.
    pub fn bytes(&self) -> usize {
        held(&self.kinds)
            + held(&self.costs)
            + held(&self.motions)
            + held(&self.offsets)
            + held(&self.places)
            + held(&self.errors)
            + held(&self.leasts)
    }

    /// Returns these answers with places and errors as others name them.
    pub(crate) fn map<Q>(
        self,
        place: impl Fn(P) -> Q,
        error: impl Fn(usize, QueryError<P>) -> QueryError<Q>,
    ) -> Answers<Q> {
        Answers {
            kinds: self.kinds,
            costs: self.costs,
            motions: self.motions,
            offsets: self.offsets,
            places: self.places.into_iter().map(place).collect(),
            errors: self.errors.into_iter().map(|(query, told)| (query, error(query, told))).collect(),
            leasts: self.leasts,
        }
    }

    /// Removes all answers and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.kinds.clear();
        self.costs.clear();
        self.motions.clear();
        self.offsets.truncate(1);
        self.places.clear();
        self.errors.clear();
        self.leasts.clear();
    }

    /// Makes room for the answers to this many queries more, without their places.
    pub(super) fn reserve(&mut self, queries: usize) {
        self.kinds.reserve(queries);
        self.costs.reserve(queries);
        self.motions.reserve(queries);
        self.offsets.reserve(queries);
    }

    /// Appends the answer to the next query.
    pub(super) fn push<S: Space<Place = P>>(&mut self, answer: Result<Outcome<Route<S>>, QueryError<P>>) {
        let query = self.len();
        let (kind, route) = match answer {
            Ok(Outcome::Reached(route)) => (AnswerKind::Reached, Some(route)),
            Ok(Outcome::Partial(route)) => (AnswerKind::Partial, Some(route)),
            Ok(Outcome::Unreachable) => (AnswerKind::Unreachable, None),
            Ok(Outcome::OutOfBudget) => (AnswerKind::OutOfBudget, None),
            Ok(Outcome::TooFar) => (AnswerKind::TooFar, None),
            Err(error) => {
                self.errors.push((query, error));
                (AnswerKind::of_error(&error), None)
            }
        };
        let (cost, motion) = route.as_ref().map_or((Cost::ZERO, Motion::Steps), |route| (route.cost(), route.motion()));
        if let Some(route) = route {
            self.leasts.extend(route.least().map(|least| (query, least)));
            self.places.extend_from_slice(route.cells());
        }
        self.kinds.push(kind);
        self.costs.push(cost);
        self.motions.push(motion);
        self.offsets.push(self.places.len() as u64);
    }

    /// Takes the places of all answers, of which the rest has been appended.
    pub(super) fn set_places(&mut self, places: Vec<P>) {
        assert_eq!(self.offsets.last().copied(), Some(places.len() as u64), "every route has its places");
        self.places = places;
    }

    /// Appends the answers of another batch.
    pub(super) fn append(&mut self, other: &Answers<P>) {
        let (queries, places) = (self.len(), self.places.len() as u64);
        self.kinds.extend_from_slice(&other.kinds);
        self.costs.extend_from_slice(&other.costs);
        self.motions.extend_from_slice(&other.motions);
        self.offsets.extend(other.offsets[1..].iter().map(|offset| places + offset));
        self.places.extend_from_slice(&other.places);
        self.errors.extend(other.errors.iter().map(|&(query, error)| (queries + query, error)));
        self.leasts.extend(other.leasts.iter().map(|&(query, least)| (queries + query, least)));
    }

    /// Appends one of the answers of another batch.
    pub(super) fn append_one(&mut self, other: &Answers<P>, query: usize) {
        self.places.extend_from_slice(other.route(query));
        self.append_rest(other.facts(query));
    }

    /// Appends an answer that is among these already.
    pub(super) fn repeat(&mut self, query: usize) {
        self.places.extend_from_within(self.offsets[query] as usize..self.offsets[query + 1] as usize);
        self.append_rest(self.facts(query));
    }

    /// Returns the answer to a query without its places.
    pub(super) fn facts(&self, query: usize) -> Facts<P> {
        Facts {
            kind: self.kinds[query],
            cost: self.costs[query],
            motion: self.motions[query],
            error: self.error(query).copied(),
            least: found(&self.leasts, query).copied(),
        }
    }

    /// Appends an answer whose places have been appended.
    fn append_rest(&mut self, facts: Facts<P>) {
        self.append_facts(facts, self.places.len() as u64);
    }

    /// Appends an answer whose places end there.
    pub(super) fn append_facts(&mut self, facts: Facts<P>, end: u64) {
        let query = self.len();
        self.kinds.push(facts.kind);
        self.costs.push(facts.cost);
        self.motions.push(facts.motion);
        self.offsets.push(end);
        self.errors.extend(facts.error.map(|error| (query, error)));
        self.leasts.extend(facts.least.map(|least| (query, least)));
    }
}

/// The answer to a query without its places.
#[derive(Copy, Clone)]
pub(super) struct Facts<P> {
    pub(super) kind: AnswerKind,
    pub(super) cost: Cost,
    pub(super) motion: Motion,
    pub(super) error: Option<QueryError<P>>,
    pub(super) least: Option<u64>,
}

/// Returns what a list in rising order of queries has for this query.
fn found<T>(list: &[(usize, T)], query: usize) -> Option<&T> {
    list.binary_search_by_key(&query, |&(query, _)| query).ok().map(|place| &list[place].1)
}
