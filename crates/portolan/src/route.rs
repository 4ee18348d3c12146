//! Routes through a world, cell by cell, and the check that a route is legal and its cost true. [`smooth`] makes routes
//! shorter.
//!
//! Not here: finding routes, and routes whose cells are computed piece by piece (`planner/lazy.rs`).

pub(crate) mod smooth;

use crate::cost::Cost;
use crate::id::Cell;
use crate::space::square::SquareGrid;
use std::f64::consts::SQRT_2;

/// A walk through a world from cell to neighbouring cell, and its cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Route {
    cells: Vec<Cell>,
    cost: Cost,
}

/// Why a route is not a legal walk of the stated cost.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RouteError {
    /// The route has no cells.
    #[error("the route is empty")]
    Empty,
    /// The route's first cell is blocked or off the grid.
    #[error("the route starts on {0}, where nobody can stand")]
    Start(Cell),
    /// A step is not legal in the grid.
    #[error("step {index} from {from} to {to} is illegal")]
    Step {
        /// Number of the step, counted from 0.
        index: usize,
        /// The cell where the step begins.
        from: Cell,
        /// The cell where the step ends.
        to: Cell,
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
    /// Makes a route over these cells with this cost. Neither is checked here; [`Route::check`] does that.
    pub fn new(cells: Vec<Cell>, cost: Cost) -> Route {
        Route { cells, cost }
    }

    /// Returns every cell from start to goal.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Turns the route into its cells, from start to goal.
    pub fn into_cells(self) -> Vec<Cell> {
        self.cells
    }

    /// Returns the cost of the route in the world's metric.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Returns the number of steps.
    pub fn steps(&self) -> usize {
        self.cells.len().saturating_sub(1)
    }

    /// Returns the length of the route, for users: each step counts 1 or √2, times the mean weight of its two cells.
    /// Steps are added up in integers, and √2 is applied once to the sum, so that the result is equal on every
    /// machine.
    pub fn length(&self, grid: &SquareGrid) -> f64 {
        let weight = |cell| u64::from(grid.terrain(cell).weight());
        let (mut straight, mut diagonal) = (0, 0);
        for step in self.cells.windows(2) {
            let both = weight(step[0]) + weight(step[1]);
            if step[0].x == step[1].x || step[0].y == step[1].y { straight += both } else { diagonal += both }
        }
        0.5 * (straight as f64 + diagonal as f64 * SQRT_2)
    }

    /// Checks that every step is legal in the grid and that the steps' costs add up to the route's cost.
    ///
    /// # Errors
    /// The first fault that is found.
    pub fn check(&self, grid: &SquareGrid) -> Result<(), RouteError> {
        let first = *self.cells.first().ok_or(RouteError::Empty)?;
        if !grid.is_free(first) {
            return Err(RouteError::Start(first));
        }
        let mut counted = 0;
        for (index, step) in self.cells.windows(2).enumerate() {
            let (from, to) = (step[0], step[1]);
            let cost = grid.step_cost(from, to).ok_or(RouteError::Step { index, from, to })?;
            counted += u64::from(cost.0);
        }
        if counted == u64::from(self.cost.0) { Ok(()) } else { Err(RouteError::Cost { counted, stated: self.cost }) }
    }
}
