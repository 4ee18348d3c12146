//! A way through a world, cell by cell, and the check that it is one. How to make one shorter is in [`smooth`].

pub(crate) mod lazy;
pub(crate) mod smooth;

use crate::cost::Cost;
use crate::id::Cell;
use crate::world::square::SquareGrid;
use std::f64::consts::SQRT_2;

/// A walk from cell to neighbouring cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Route {
    cells: Vec<Cell>,
    cost: Cost,
}

/// What is wrong with a route.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RouteError {
    /// It has no cells.
    #[error("the route is empty")]
    Empty,
    /// Its first cell is blocked or off the map.
    #[error("the route starts on {0}, where nobody can stand")]
    Start(Cell),
    /// A step the world does not allow.
    #[error("step {index} from {from} to {to} is illegal")]
    Step {
        /// Number of the step, from 0.
        index: usize,
        /// Where it begins.
        from: Cell,
        /// Where it ends.
        to: Cell,
    },
    /// The steps do not add up to the stated cost.
    #[error("the steps cost {counted}, the route says {stated}")]
    Cost {
        /// What the steps add up to.
        counted: u64,
        /// What the route states.
        stated: Cost,
    },
}

impl Route {
    /// A route over these cells at this cost; [`Route::check`] tells whether the world agrees.
    pub fn new(cells: Vec<Cell>, cost: Cost) -> Route {
        Route { cells, cost }
    }

    /// Every cell from start to goal.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Every cell from start to goal, for keeps.
    pub fn into_cells(self) -> Vec<Cell> {
        self.cells
    }

    /// Its cost in the world's metric.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.cells.len().saturating_sub(1)
    }

    /// The length people expect: each step counts 1 or √2 times the mean weight of its two cells. Summed in
    /// integers and rounded once, so it is the same everywhere.
    pub fn length(&self, grid: &SquareGrid) -> f64 {
        let weight = |cell| u64::from(grid.terrain(cell).weight());
        let (mut straight, mut diagonal) = (0, 0);
        for step in self.cells.windows(2) {
            let both = weight(step[0]) + weight(step[1]);
            if step[0].x == step[1].x || step[0].y == step[1].y { straight += both } else { diagonal += both }
        }
        0.5 * (straight as f64 + diagonal as f64 * SQRT_2)
    }

    /// Whether every step is legal in the grid and the cost is true.
    ///
    /// # Errors
    /// Names the first thing that is wrong.
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
