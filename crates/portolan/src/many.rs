//! One start and many goals: the cost to each goal, and which goals are nearest. A route costs as much in one direction
//! as in the other, so these calls also serve many starts and one goal, except on meshes with links that lead one way.
//!
//! The rhumb chart computes all costs in one pass, in a fraction of a microsecond a goal. Flat searches on grids that promise
//! cheapest routes look for all goals in one search, where that is faster. With every other algorithm, the planner finds a
//! route to each goal, one after another.
//!
//! Not here: the pass over the rhumb chart (`chart/rhumb/many.rs`), the one search (`search/shared/sweep.rs`), and the costs
//! of all cells, kept for many agents (`field.rs`).

use crate::algorithm::Promise;
use crate::cost::Cost;
use crate::planner::Planner;
use crate::query::{Outcome, Query, QueryError};
use crate::scratch::Scratch;
use crate::space::{Motion, Snapshot, Space};

impl<S: Space> Planner<S> {
    /// Returns the cost from a cell to each goal, in the order of `goals`. The cost is `None` if the goal is blocked or
    /// not reachable, if [`Cost`] cannot hold it, or if the algorithm's own budget of expansions runs out.
    ///
    /// An exact algorithm gives exact costs. The rhumb chart gives the cost of its route before smoothing, with an
    /// error of at most two in a thousand if a diagonal step costs √2 straight steps, and at most one in a hundred with
    /// any metric.
    ///
    /// ```
    /// use portolan::{Cell, Planner, Rules, Scratch, SquareGrid, World};
    /// let world = World::from(SquareGrid::open(100, 100, Rules::default())?);
    /// let planner = Planner::new(&world, "rhumb")?;
    /// let wells = [Cell::new(90, 10), Cell::new(30, 35), Cell::new(5, 99)];
    /// let costs = planner.distances(&world, Cell::new(40, 40), &wells, &mut Scratch::new())?;
    /// assert!(costs[1] < costs[0] && costs[1] < costs[2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When start or goal is off the map, the start is blocked, the planner was not built for or repaired to this
    /// revision of the world, or there is no memory for the records of a flat search.
    pub fn distances(
        &self,
        world: &Snapshot<S>,
        from: S::Place,
        goals: &[S::Place],
        scratch: &mut Scratch<S>,
    ) -> Result<Vec<Option<Cost>>, QueryError<S::Place>> {
        // Beginning a query checks the start and the planner's revision; the query itself is not needed.
        self.begin(world, Query::new(from, from), scratch)?;
        scratch.pending = None;
        if let Some(&cell) = goals.iter().find(|&&goal| !world.contains(goal)) {
            return Err(QueryError::off_map(cell, &**world));
        }
        let mut costs = vec![u32::MAX; goals.len()];
        let is_exact = self.promise(world) == Promise::Optimal && self.motion() == Motion::Steps;
        let is_swept = is_exact
            && self.method().budget().is_none()
            && self.method().sweep(world, from, goals, scratch, &mut costs);
        if !is_swept {
            self.method().costs_to(world, from, goals, scratch, &mut costs);
        }
        let known = |(&goal, cost): (&S::Place, u32)| {
            if !world.reaches(from, goal) {
                return Ok(None);
            }
            if cost != u32::MAX || is_swept {
                return Ok(Some(Cost(cost)).filter(|_| cost != u32::MAX));
            }
            match self.find(world, Query::new(from, goal), scratch)? {
                Outcome::Reached(route) => Ok(Some(route.cost())),
                _ => Ok(None),
            }
        };
        goals.iter().zip(costs).map(known).collect()
    }

    /// Returns up to `count` of the nearest goals: for each its index in `goals` and the cost to it, the nearest first.
    /// Equally near goals come in the order of `goals`. Goals without a cost are left out.
    ///
    /// # Errors
    /// As [`Planner::distances`].
    pub fn nearest_goals(
        &self,
        world: &Snapshot<S>,
        from: S::Place,
        goals: &[S::Place],
        count: usize,
        scratch: &mut Scratch<S>,
    ) -> Result<Vec<(usize, Cost)>, QueryError<S::Place>> {
        let costs = self.distances(world, from, goals, scratch)?;
        let mut found: Vec<_> = (0..).zip(costs).filter_map(|(place, cost)| Some((place, cost?))).collect();
        found.sort_by_key(|&(_, cost)| cost);
        found.truncate(count);
        Ok(found)
    }
}
