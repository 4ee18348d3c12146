//! Smoothing: making a legal route shorter without searching again.
//!
//! **Idea.** Charts send routes through fixed points, so that they come out some percent too long, and nearly all of
//! that is local: a bulge to pass a transition, a zigzag between two. Replace such stretches by cheaper walks between
//! cells of the same route. [`Smoothing::StraightLines`] tries single straight lines, as the paper does.
//! [`Smoothing::Taut`] pulls the route like a string over its turning points: a stretch that costs what open ground
//! would cost is left alone, at the bend where it ceases to, a sweep over rows of bits tells whether *any* walk of
//! that cost leads past the bend.
//!
//! **Use** `Taut`, but for repeating the paper's experiments. It also makes routes look better.
//! **Promises**, under all rules and metrics: the same ends, legal steps, never a greater cost, never more cells, the
//! same result for the same cells. Not promised is a cheapest route: a detour around the wrong side of an obstacle
//! stays one.
//! **Costs** time in proportion to the route. `Taut` tests each bend once or twice at some nanoseconds a row; where
//! weights differ, both methods walk what they compare, cell by cell.
//! **Departs** from the paper in looking at most [`lines::AHEAD`] cells ahead, farthest first, and in replacing only
//! what becomes cheaper; `Taut` is our own. Where weights differ `Taut` has no open ground to compare with and tries
//! two-legged lines in four passes of windows instead.
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
use crate::world::square::SquareGrid;
use ground::Ground;
use runs::{Ruler, to_cells, to_corners};

/// How to smooth a route.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Smoothing {
    /// HPA* 2004: from each cell, the farthest later one that a single cheaper line leads to.
    StraightLines,
    /// The whole route pulled tight over its turning points: nearly optimal, and several times faster.
    #[default]
    Taut,
}

impl Smoothing {
    /// Every way with its command-line name.
    pub const NAMED: [(&'static str, Smoothing); 2] =
        [("hpa-2004", Smoothing::StraightLines), ("taut", Smoothing::Taut)];
}

impl Route {
    /// The route made shorter where that needs no search. It keeps its ends and never costs more.
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
    /// Perhaps, if the route is not one that [`Route::check`] accepts on this grid.
    #[must_use]
    pub fn smoothed(&self, grid: &SquareGrid, how: Smoothing) -> Route {
        let mut cells = self.cells.clone();
        let cost = smooth(grid, how, &mut cells, &mut Vec::new());
        Route { cells, cost: Cost(cost) }
    }
}

/// Smooths the cells of a legal route, in either order, and says what they cost then. Allocates only while the spare
/// buffer is still growing.
pub(crate) fn smooth(grid: &SquareGrid, how: Smoothing, cells: &mut Vec<Cell>, spare: &mut Vec<Cell>) -> u32 {
    if cells.is_empty() {
        return 0;
    }
    if how == Smoothing::Taut && grid.uniform_weight().is_some() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Rules;
    use crate::world::generate::{Random, generate, recipe};
    use allocation_counter::measure;

    /// A walk that never stands still but knows no goal.
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
