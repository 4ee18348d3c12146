//! Requests for routes and their results: [`Query`], [`Outcome`], and [`QueryError`] and [`Stale`] for requests that
//! cannot be answered.
//!
//! Not here: the search.

use crate::id::Cell;
use crate::memory::OutOfMemory;
use crate::route::Route;
use crate::space::{Revision, Snapshot, Space};

/// A request for a route.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Query<P = Cell> {
    /// The start.
    pub from: P,
    /// The goal.
    pub to: P,
    /// How many nodes the search may expand before it gives up or, if it has found a route by then, gives that one. If `None`, the algorithm's own limit holds; most have
    /// none.
    pub budget: Option<u64>,
    /// Whether to find a route to the nearest reachable cell if the goal itself cannot be reached.
    pub nearest: bool,
}

impl<P: Copy> Query<P> {
    /// Returns a query for a route from one cell to another, without a budget.
    pub fn new(from: impl Into<P>, to: impl Into<P>) -> Query<P> {
        Query { from: from.into(), to: to.into(), budget: None, nearest: false }
    }

    /// Returns this query with a limit on the nodes that the search may expand before it gives up.
    #[must_use]
    pub fn budget(self, expansions: u64) -> Query<P> {
        Query { budget: Some(expansions), ..self }
    }

    /// Returns this query for a route to the reachable cell nearest to the goal, if the goal itself cannot be reached. Of
    /// equally near cells it is the topmost one and, in that row, the leftmost.
    #[must_use]
    pub fn nearest(self) -> Query<P> {
        Query { nearest: true, ..self }
    }

    /// Checks the query as a planner does, except for the revision. Callers can use it before they build a planner,
    /// which may take minutes. [`SquareGrid::connected`](crate::SquareGrid::connected) returns whether there is a route.
    ///
    /// ```
    /// use portolan::{Cell, Query, QueryError, Rules, SquareGrid, World};
    /// let world = World::from(SquareGrid::from_weights(3, 1, &[0, 1, 1], Rules::default())?);
    /// assert_eq!(Query::new((0, 0), (2, 0)).check(&world), Err(QueryError::StartBlocked(Cell::new(0, 0))));
    /// assert_eq!(Query::new((2, 0), (0, 0)).check(&world), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When start or goal is off the map, or the start is blocked.
    pub fn check<S: Space<Place = P>>(&self, world: &Snapshot<S>) -> Result<(), QueryError<P>> {
        self.home::<S>(world).map(|_| ())
    }

    /// Checks the query and returns the number of the connected part of the world that contains the start.
    #[inline]
    pub(crate) fn home<S: Space<Place = P>>(&self, space: &S) -> Result<u64, QueryError<P>> {
        for cell in [self.from, self.to] {
            if !space.contains(cell) {
                return Err(QueryError::off_map(cell, space));
            }
        }
        space.component(self.from).ok_or(QueryError::StartBlocked(self.from))
    }
}

/// The result of a query. `R` is [`Route`] or, from [`crate::Planner::plan`], [`crate::LazyRoute`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Outcome<R = Route> {
    /// A route to the goal.
    Reached(R),
    /// A route to the reachable cell nearest to the goal, for a query with [`Query::nearest`].
    Partial(R),
    /// There is no route.
    Unreachable,
    /// The budget was used up before a route was found.
    OutOfBudget,
    /// Every route costs more than [`crate::Cost`] can hold with this world's metric; a coarser [`crate::Metric`] would
    /// help.
    TooFar,
}

impl<R> Outcome<R> {
    /// Returns the route, to the goal or to the nearest reachable cell, or `None` if there is none.
    pub fn route(&self) -> Option<&R> {
        match self {
            Outcome::Reached(route) | Outcome::Partial(route) => Some(route),
            _ => None,
        }
    }

    /// Returns what [`Outcome::route`] does, as an owned value.
    pub fn into_route(self) -> Option<R> {
        match self {
            Outcome::Reached(route) | Outcome::Partial(route) => Some(route),
            _ => None,
        }
    }

    /// Returns this outcome with its route, if there is one, replaced by `change(route)`.
    pub(crate) fn map<T>(self, change: impl FnOnce(R) -> T) -> Outcome<T> {
        match self {
            Outcome::Reached(route) => Outcome::Reached(change(route)),
            Outcome::Partial(route) => Outcome::Partial(change(route)),
            Outcome::Unreachable => Outcome::Unreachable,
            Outcome::OutOfBudget => Outcome::OutOfBudget,
            Outcome::TooFar => Outcome::TooFar,
        }
    }

    /// Returns the outcome's name in reports: `reached`, `partial`, `unreachable`, `out-of-budget` or `too-far`.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Reached(_) => "reached",
            Outcome::Partial(_) => "partial",
            Outcome::Unreachable => "unreachable",
            Outcome::OutOfBudget => "out-of-budget",
            Outcome::TooFar => "too-far",
        }
    }
}

/// The error if a planner or a [`crate::Field`] is asked about a world for which it was neither built nor repaired: another
/// world, or another revision of its own.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the planner or field knows {built}, not {asked}: repair or rebuild it")]
pub struct Stale {
    /// The revision that it was built for or last repaired to.
    pub built: Revision,
    /// The revision of the world that was asked about.
    pub asked: Revision,
}

/// Why a query could not be answered.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError<P = Cell> {
    /// Start or goal is not on the grid.
    #[error("{cell} lies off the map, which is {width} x {height}")]
    OffMap {
        /// The start or goal that is off the grid.
        cell: P,
        /// Columns of the grid.
        width: usize,
        /// Rows of the grid.
        height: usize,
    },
    /// The start is blocked.
    #[error("the start {0} is blocked")]
    StartBlocked(P),
    /// The planner was built for another world or another revision of this one.
    #[error(transparent)]
    Stale(#[from] Stale),
    /// A search was to be continued, but none of this planner is under way in this scratch.
    #[error("no search of this planner is under way in this scratch: begin one")]
    NothingBegun,
    /// A route was to be refined by a planner that did not plan it, or whose chart was built again since.
    #[error("the route was not planned by this planner as it is now: plan another")]
    OtherLegs,
    /// There is no memory for the records of the search; the records in the scratch stay as they were.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}

impl<P> QueryError<P> {
    /// Returns the error for a place that does not lie on the space.
    pub(crate) fn off_map<S: Space<Place = P>>(cell: P, space: &S) -> QueryError<P> {
        let (width, height) = space.size();
        QueryError::OffMap { cell, width, height }
    }
}
