//! Routes through a world, cell by cell, and the check that a route is legal and its cost true. [`smooth`] makes routes
//! shorter, [`straight`] turns steps into straight lines, and [`funnel`] does so with corridors of a mesh.
//!
//! Not here: finding routes, and routes whose cells are computed piece by piece (`planner/lazy.rs`).

pub(crate) mod funnel;
pub(crate) mod smooth;
pub(crate) mod straight;

use crate::cost::Cost;
use crate::id::Cell;
use crate::space::square::SquareGrid;
use crate::space::{Motion, Space};
use std::fmt;

/// A walk through a world from place to place, and its cost. On a grid, the places are cells.
pub struct Route<S: Space = SquareGrid> {
    cells: Vec<S::Place>,
    cost: Cost,
    motion: Motion,
    /// If the search did not come to its end, a number that no route costs less than.
    least: Option<u64>,
}

impl<S: Space> Clone for Route<S> {
    fn clone(&self) -> Route<S> {
        Route { cells: self.cells.clone(), ..*self }
    }
}

impl<S: Space> PartialEq for Route<S> {
    fn eq(&self, other: &Route<S>) -> bool {
        let [ours, theirs] = [self, other].map(|route| (route.cost, route.motion, route.least));
        self.cells == other.cells && ours == theirs
    }
}

impl<S: Space> fmt::Debug for Route<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Route { cells, cost, motion, least } = self;
        let mut text = f.debug_struct("Route");
        text.field("cells", cells).field("cost", cost).field("motion", motion).field("least", least).finish()
    }
}

/// Why a route is not a legal walk of the stated cost.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RouteError<P = Cell> {
    /// The route has no cells.
    #[error("the route is empty")]
    Empty,
    /// The route's first cell is blocked or off the grid.
    #[error("the route starts on {0}, where nobody can stand")]
    Start(P),
    /// A step is not legal in the grid.
    #[error("step {index} from {from} to {to} is illegal")]
    Step {
        /// Number of the step, counted from 0.
        index: usize,
        /// The cell where the step begins.
        from: P,
        /// The cell where the step ends.
        to: P,
    },
    /// The costs of the steps do not add up to the stated cost.
    #[error("the steps cost {counted}, the route says {stated}")]
    Cost {
        /// The sum of the steps' costs.
        counted: u64,
        /// The cost that the route states.
        stated: Cost,
    },
}

impl Route {
    /// Makes a route of steps over these cells of a square grid with this cost. Neither is checked here;
    /// [`Route::check`] does that.
    pub fn new(cells: Vec<Cell>, cost: Cost) -> Route {
        Route::of(cells, cost, Motion::Steps)
    }
}

impl<S: Space> Route<S> {
    /// Makes a route that leads from each of these cells to the next in this way, with this cost. Neither is checked
    /// here; [`Route::check`] does that.
    pub fn of(cells: Vec<S::Place>, cost: Cost, motion: Motion) -> Route<S> {
        Route { cells, cost, motion, least: None }
    }

    /// Returns this route as the best one so far of a search that has not ended, where no route costs less than `least`.
    pub(crate) fn dearer_than(self, least: u64) -> Route<S> {
        Route { least: Some(least), ..self }
    }

    /// Returns a number that no route costs less than, if the search did not come to its end.
    pub(crate) fn least(&self) -> Option<u64> {
        self.least
    }

    /// Returns how many times the cost of a cheapest route this route costs at most, if its search was stopped before its
    /// end: by a budget, or for [`crate::Planner::so_far`]. `None` if the search came to its end, so that what the algorithm
    /// promises holds ([`crate::Algorithm::promise`]).
    pub fn bound(&self) -> Option<f64> {
        self.least.map(|least| (f64::from(self.cost.0) / least as f64).max(1.0))
    }

    /// Returns every cell from start to goal. Where [`Route::motion`] is [`Motion::AnyAngle`], these are the cells where
    /// the route turns.
    pub fn cells(&self) -> &[S::Place] {
        &self.cells
    }

    /// Turns the route into its cells, from start to goal.
    pub fn into_cells(self) -> Vec<S::Place> {
        self.cells
    }

    /// Returns the cost of the route in the world's metric.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Returns how the route leads from each of its cells to the next.
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// Returns the number of steps, or of straight lines.
    pub fn steps(&self) -> usize {
        self.cells.len().saturating_sub(1)
    }

    /// Returns the length of the route, for users: each step counts its length in cells times the mean weight of its
    /// ground. The result is equal on every machine.
    pub fn length(&self, space: &S) -> f64 {
        space.length(&self.cells, self.motion)
    }

    /// Checks that every step or line is legal in the world and that their costs add up to the route's cost.
    ///
    /// # Errors
    /// The first fault that is found.
    pub fn check(&self, space: &S) -> Result<(), RouteError<S::Place>> {
        let first = *self.cells.first().ok_or(RouteError::Empty)?;
        if space.component(first).is_none() {
            return Err(RouteError::Start(first));
        }
        let mut counted = 0;
        for (index, step) in self.cells.windows(2).enumerate() {
            let (from, to) = (step[0], step[1]);
            let cost = space.segment(from, to, self.motion).ok_or(RouteError::Step { index, from, to })?;
            counted += u64::from(cost.0);
        }
        if counted == u64::from(self.cost.0) { Ok(()) } else { Err(RouteError::Cost { counted, stated: self.cost }) }
    }
}
