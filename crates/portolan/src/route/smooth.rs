//! Smoothing: making a legal route shorter without searching again.
//!
//! **Idea.** Charts send routes through fixed cells, so that routes are some percent too long. Nearly all of that is
//! local: a bulge to pass a transition, or a zigzag between two transitions. Smoothing replaces such stretches by
//! cheaper walks between cells of the route. [`Smoothing::StraightLines`] tries single straight lines, as the paper
//! does. [`Smoothing::Taut`] goes from turning point to turning point and compares stretches of the route with open
//! ground, ground without obstacles. A stretch that costs no more than open ground would is left alone. At a bend that
//! makes the route cost more, a sweep over rows of bits tells whether there is *any* walk past the bend at the cost of
//! open ground.
//!
//! **Use** `Taut`, except to repeat the paper's experiments. It also makes routes look better.
//! **Promises**, under all rules and metrics: the first and last cell stay; all steps are legal; the route never costs
//! more and never has more cells; equal cells give equal results. A cheapest route is not promised: a route that
//! passes an obstacle on the wrong side still does so.
//! **Costs** time in proportion to the length of the route. `Taut` tests most bends once or twice, at some nanoseconds
//! a row; where weights differ, both methods add up the cost of what they compare cell by cell.
//! **Departs** from the paper in that lines end at most [`lines::AHEAD`] cells ahead and are tried from the farthest
//! end, and in that only what becomes cheaper is replaced. `Taut` is our own. Where weights differ, the cost of open
//! ground is no useful comparison; there `Taut` tries lines with one bend in windows that slide along the route four
//! times.
//!
//! Botea, Müller, Schaeffer: Near optimal hierarchical path-finding, 2004, section 3.2.3.

mod ground;
mod lines;
mod reach;
mod runs;
mod taut;
mod windows;

use super::Route;
use crate::cost::Cost;
use crate::id::Cell;
use crate::space::Extras;
use crate::space::square::SquareGrid;
use ground::Ground;
use runs::{Ruler, to_cells, to_corners};

/// How to smooth a route.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub enum Smoothing {
    /// The smoothing of HPA* 2004: from each cell, a straight line to the farthest later cell for which that is
    /// cheaper.
    StraightLines,
    /// The whole route pulled tight like a string around obstacles: nearly optimal, and several times faster than
    /// [`Smoothing::StraightLines`].
    #[default]
    Taut,
}

impl Smoothing {
    /// Every kind of smoothing with its command-line name.
    pub const NAMED: [(&'static str, Smoothing); 2] =
        [("hpa-2004", Smoothing::StraightLines), ("taut", Smoothing::Taut)];
}

impl Route {
    /// Makes the route shorter where that needs no search. The result has the first and the last cell of the route and
    /// never costs more. In a world with links, it is the route itself.
    ///
    /// ```
    /// use portolan::{Cell, Cost, Metric, Route, Rules, Smoothing, SquareGrid};
    /// let metric = Some(Metric::new(10, 14)?);
    /// let grid = SquareGrid::open(8, 8, Rules { metric, ..Rules::default() })?;
    /// let around_the_edge = (0..8).map(|x| Cell::new(x, 0)).chain((1..8).map(|y| Cell::new(7, y)));
    /// let route = Route::new(around_the_edge.collect(), Cost(140));
    /// assert_eq!(route.smoothed(&grid, Smoothing::Taut).cost(), Cost(7 * 14));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// May panic if [`Route::check`] does not accept the route on this grid.
    #[must_use]
    pub fn smoothed(&self, grid: &SquareGrid, how: Smoothing) -> Route {
        if grid.has_links() {
            return self.clone();
        }
        let mut cells = self.cells.clone();
        let cost = smooth(grid, how, &mut cells, &mut Vec::new());
        Route::new(cells, Cost(cost))
    }
}

/// Smooths the cells of a legal route, given from the start, or from the goal where every step leads both ways, and returns
/// the cost of the result. Allocates only if a buffer is too small.
pub(crate) fn smooth(grid: &SquareGrid, how: Smoothing, cells: &mut Vec<Cell>, spare: &mut Vec<Cell>) -> u32 {
    if cells.is_empty() {
        return 0;
    }
    if how == Smoothing::Taut && grid.uniform_weight().is_some() && grid.extras() == Extras::Nothing {
        to_corners(cells);
        taut::pull(grid, cells, spare);
        to_cells(spare, cells);
        let ruler = Ruler::new(grid);
        return spare.windows(2).map(|run| ruler.between(run[0], run[1])).sum();
    }
    let ground = Ground::new(grid);
    match how {
        Smoothing::StraightLines => lines::straighten(&ground, cells),
        Smoothing::Taut => windows::tighten(&ground, cells),
    }
    ground.way(cells)
}

/// Smooths a legal route whose cells are given from the goal, as [`smooth`] does, also where steps lead one way only.
pub(crate) fn smooth_trail(grid: &SquareGrid, how: Smoothing, trail: &mut Vec<Cell>, spare: &mut Vec<Cell>) -> u32 {
    if !grid.has_one_ways() {
        return smooth(grid, how, trail, spare);
    }
    trail.reverse();
    let cost = smooth(grid, how, trail, spare);
    trail.reverse();
    cost
}

/// Smooths a legal route whose cells are given from the goal, but for its links: the stretches between them one by one.
pub(crate) fn smooth_between_links(grid: &SquareGrid, how: Smoothing, cells: &mut Vec<Cell>) {
    cells.reverse();
    let is_walk = |a: &Cell, b: &Cell| grid.walk_cost(*a, *b).is_some_and(|walk| grid.step_cost(*a, *b) == Some(walk));
    let (mut smoothed, mut spare): (Vec<Cell>, Vec<Cell>) = (Vec::new(), Vec::new());
    for stretch in cells.chunk_by(is_walk) {
        let mut stretch = stretch.to_vec();
        smooth(grid, how, &mut stretch, &mut spare);
        smoothed.append(&mut stretch);
    }
    *cells = smoothed;
    cells.reverse();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Random, generate, recipe};
    use crate::space::Rules;
    use allocation_counter::measure;

    /// Returns a random walk of at least this many steps.
    fn stroll(grid: &SquareGrid, random: &mut Random, steps: usize) -> Vec<Cell> {
        let mut at = grid.cells().find(|&cell| grid.is_free(cell)).expect("a free cell");
        let mut cells = vec![at];
        while cells.len() <= steps {
            let (dx, dy) = (random.below(3) as i16 - 1, random.below(3) as i16 - 1);
            for _ in 0..=random.below(8) {
                let to = Cell { x: at.x.wrapping_add_signed(dx), y: at.y.wrapping_add_signed(dy) };
                if grid.step_cost(at, to).is_some() {
                    cells.push(to);
                    at = to;
                }
            }
        }
        cells
    }

    #[test]
    fn warm_buffers_are_enough() {
        for name in ["rooms", "hills"] {
            let recipe = recipe(name).expect("a known recipe");
            let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
            let grid = generate(recipe, 64, 64, 5, &settings, Rules::default()).expect("a sound size");
            let mut random = Random::new(1);
            let routes: Vec<Vec<Cell>> = (0..20).map(|_| stroll(&grid, &mut random, 300)).collect();
            for (_, how) in Smoothing::NAMED {
                let mut spare = Vec::new();
                for warm in [false, true] {
                    for route in &routes {
                        let mut cells = route.clone();
                        let used = measure(|| {
                            smooth(&grid, how, &mut cells, &mut spare);
                        });
                        assert!(!warm || used.count_total == 0, "{how:?} on {name}: {used:?}");
                    }
                }
            }
        }
    }
}
