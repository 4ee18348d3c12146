//! Straight lines in place of steps: a string pulled along a route ([`Route::straightened`]), and back from lines to the
//! steps that an agent takes below them ([`Route::into_steps`]).
//!
//! **Idea.** From a cell of the route, a straight line leads to the last of the cells after it that is in sight of it
//! without a break; from there the next line begins. This is the plainest way to routes at any angle, and what searches
//! at any angle are measured by.
//! **Promises** a legal route of the same ends that never costs more. Where it would, because a metric has diagonal steps
//! that cost less than their length, the route stays as it is.
//! **Costs** time in proportion to the cells below all lines that are tried, about the square of a line's length for each.
//!
//! Not here: smoothing that keeps to steps (`smooth.rs`).

use super::Route;
use crate::cost::Cost;
use crate::id::Cell;
use crate::settings::Param;
use crate::space::square::SquareGrid;
use crate::space::{Motion, Space};

/// The parameter of algorithms whose routes of steps can be straightened. [`crate::Planner`] does that where a parameter of
/// this name is set to `straight`.
pub(crate) const STRAIGHTEN: Param = Param::choice(
    "smoothing",
    "straight pulls a string along the route: straight lines at any angle in place of steps",
    &["none", "straight"],
);

impl Route {
    /// Replaces the steps of a route by straight lines at any angle between cells of the route, wherever these are in
    /// sight of each other. The result never costs more; if no such lines would cost at most as much, it is the route
    /// itself, as in a world with links.
    ///
    /// ```
    /// use portolan::{Cell, Motion, Planner, Query, Rules, Scratch, SquareGrid, World};
    /// let world = World::from(SquareGrid::open(9, 4, Rules::default())?);
    /// let planner = Planner::new(&world, "a-star")?;
    /// let outcome = planner.find(&world, Query::new((0, 0), (8, 3)), &mut Scratch::new())?;
    /// let route = outcome.route().ok_or("open ground")?.straightened(&world);
    /// assert_eq!((route.motion(), route.cells()), (Motion::AnyAngle, &[Cell::new(0, 0), Cell::new(8, 3)][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn straightened(&self, grid: &SquareGrid) -> Route {
        if grid.has_links() {
            return self.clone();
        }
        let mut cells = self.cells.clone();
        match straighten(grid, &mut cells, self.cost.0) {
            Some(cost) => Route::of(cells, Cost(cost), Motion::AnyAngle),
            None => self.clone(),
        }
    }
}

impl<S: Space> Route<S> {
    /// Turns the route into the cells that an agent steps on, from start to goal. If the route leads in straight lines,
    /// these are the cells below the lines.
    pub fn into_steps(self, space: &S) -> Vec<S::Place> {
        match self.motion {
            Motion::Steps => self.cells,
            Motion::AnyAngle => {
                let mut steps: Vec<S::Place> = self.cells.first().copied().into_iter().collect();
                for line in self.cells.windows(2) {
                    space.steps_below(line[0], line[1], &mut steps);
                }
                steps
            }
        }
    }
}

/// Pulls a string along the cells of a route and keeps those where it turns. Returns its cost, or `None` if that would be
/// more than `most`; the cells then stay as they are. Allocates nothing.
pub(crate) fn straighten(grid: &SquareGrid, cells: &mut Vec<Cell>, most: u32) -> Option<u32> {
    let (mut at, mut cost) = (0, 0);
    while at + 1 < cells.len() {
        let end = end_of_line(grid, cells, at);
        cost += u64::from(grid.segment(cells[at], cells[end], Motion::AnyAngle)?.0);
        at = end;
    }
    let cost = u32::try_from(cost).ok().filter(|&cost| cost <= most)?;
    // A cell is written over only when the line that begins there has been found.
    let (mut at, mut kept) = (0, 1);
    while at + 1 < cells.len() {
        at = end_of_line(grid, cells, at);
        cells[kept] = cells[at];
        kept += 1;
    }
    cells.truncate(kept);
    Some(cost)
}

/// Returns the index of the cell where the line from the cell at index `at` ends.
fn end_of_line(grid: &SquareGrid, cells: &[Cell], at: usize) -> usize {
    let from = cells[at];
    let mut end = at + 1;
    let length = |from, to| grid.line_length(from, to).unwrap_or(f64::INFINITY);
    let mut long = length(from, cells[end]);
    while end + 1 < cells.len() {
        let longer = length(from, cells[end + 1]);
        // Where weights differ, a line may be in sight and yet cost more than two.
        if longer > long + length(cells[end], cells[end + 1]) + 1e-9 {
            break;
        }
        long = longer;
        end += 1;
    }
    end
}
