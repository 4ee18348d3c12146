//! What is asked and what comes back: [`Query`], [`Outcome`], and [`QueryError`] for what cannot be asked.

use crate::id::Cell;
use crate::memory::OutOfMemory;
use crate::route::Route;
use crate::world::Revision;
use crate::world::square::SquareGrid;

/// A request for a route.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Where the agent stands.
    pub from: Cell,
    /// Where it wants to be.
    pub to: Cell,
    /// How many nodes the search may expand before it gives up; without limit when absent.
    pub budget: Option<u64>,
    /// Whether to go to the nearest reachable cell when the goal itself is blocked or cut off.
    pub nearest: bool,
}

impl Query {
    /// A route from one cell to another, whatever it takes.
    pub fn new(from: impl Into<Cell>, to: impl Into<Cell>) -> Query {
        Query { from: from.into(), to: to.into(), budget: None, nearest: false }
    }

    /// Gives up after expanding this many nodes.
    #[must_use]
    pub fn budget(self, expansions: u64) -> Query {
        Query { budget: Some(expansions), ..self }
    }

    /// Goes as near as possible when the goal cannot be reached.
    #[must_use]
    pub fn nearest(self) -> Query {
        Query { nearest: true, ..self }
    }

    /// Checks what a planner checks of every query, for callers that are yet to build one: that may take minutes.
    /// [`SquareGrid::connected`] says beforehand whether there is a route.
    ///
    /// ```
    /// use portolan::{Cell, Query, QueryError, Rules, SquareGrid};
    /// let grid = SquareGrid::from_weights(3, 1, &[0, 1, 1], Rules::default())?;
    /// assert_eq!(Query::new((0, 0), (2, 0)).check(&grid), Err(QueryError::StartBlocked(Cell::new(0, 0))));
    /// assert_eq!(Query::new((2, 0), (0, 0)).check(&grid), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When start or goal is off the map, or the start is blocked.
    pub fn check(&self, grid: &SquareGrid) -> Result<(), QueryError> {
        self.home(grid).map(|_| ())
    }

    /// The connected part of the world that the start lies in, if the query can be asked.
    #[inline]
    pub(crate) fn home(&self, grid: &SquareGrid) -> Result<u64, QueryError> {
        for cell in [self.from, self.to] {
            if !grid.contains(cell) {
                return Err(QueryError::OffMap { cell, width: grid.width(), height: grid.height() });
            }
        }
        grid.component(self.from).ok_or(QueryError::StartBlocked(self.from))
    }
}

/// How a search ended; with a [`Route`] or, from [`crate::Planner::plan`], one that is refined on the way.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome<R = Route> {
    /// A route to the goal.
    Reached(R),
    /// A route to the reachable cell nearest to the goal, as [`Query::nearest`] asked.
    Partial(R),
    /// There is no route.
    Unreachable,
    /// The budget ran out first.
    OutOfBudget,
    /// Every route costs more than [`crate::Cost`] can count under this world's metric; a coarser
    /// [`crate::Metric`] would help.
    TooFar,
}

impl<R> Outcome<R> {
    /// The route, whole or partial, if there is one.
    pub fn route(&self) -> Option<&R> {
        match self {
            Outcome::Reached(route) | Outcome::Partial(route) => Some(route),
            _ => None,
        }
    }

    /// As [`Outcome::route`], for keeps.
    pub fn into_route(self) -> Option<R> {
        match self {
            Outcome::Reached(route) | Outcome::Partial(route) => Some(route),
            _ => None,
        }
    }

    /// The same outcome with something else in place of its route.
    pub(crate) fn map<T>(self, change: impl FnOnce(R) -> T) -> Outcome<T> {
        match self {
            Outcome::Reached(route) => Outcome::Reached(change(route)),
            Outcome::Partial(route) => Outcome::Partial(change(route)),
            Outcome::Unreachable => Outcome::Unreachable,
            Outcome::OutOfBudget => Outcome::OutOfBudget,
            Outcome::TooFar => Outcome::TooFar,
        }
    }

    /// A word for reports: `reached`, `partial`, `unreachable`, `out-of-budget` or `too-far`.
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

/// Why a query could not be asked.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// Start or goal is not on the grid.
    #[error("{cell} lies off the map, which is {width} x {height}")]
    OffMap {
        /// The cell asked for.
        cell: Cell,
        /// Columns of the grid.
        width: usize,
        /// Rows of the grid.
        height: usize,
    },
    /// Nobody can stand at the start.
    #[error("the start {0} is blocked")]
    StartBlocked(Cell),
    /// The planner was built for another world or an earlier state of this one.
    #[error("the planner knows {built}, not {asked}: repair or rebuild it")]
    Stale {
        /// What the planner was built from or last repaired to.
        built: Revision,
        /// The world of the query.
        asked: Revision,
    },
    /// A step was asked of a scratch in which this planner has begun nothing.
    #[error("no search of this planner is under way in this scratch: begin one")]
    NothingBegun,
    /// A route was to be refined by another planner than the one that planned it, or by one built anew since.
    #[error("the route was not planned by this planner as it is now: plan another")]
    OtherLegs,
    /// There is no room for the records of the search; the scratch stays as it was.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}
