//! One start and many goals: how far each is, and which are the nearest. Ways cost the same in both directions, so that
//! many starts and one goal are the same question.
//!
//! The rhumb chart answers it in one sweep, at a fraction of a microsecond a goal. Every other algorithm is asked for one
//! route after another.

use crate::cost::Cost;
use crate::id::Cell;
use crate::planner::Planner;
use crate::query::{Outcome, Query, QueryError};
use crate::scratch::Scratch;
use crate::world::Snapshot;

impl Planner {
    /// What it costs to get from a cell to each of some goals, `None` where there is no way or the goal is blocked. An
    /// exact algorithm gives exact costs; the rhumb chart those of the ways it would lead before smoothing, to within
    /// two in a thousand where a diagonal costs root two and one in a hundred under any metric.
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
    /// When start or goal is off the map, the start is blocked, or the planner does not know this world.
    pub fn distances(
        &self,
        world: &Snapshot,
        from: Cell,
        goals: &[Cell],
        scratch: &mut Scratch,
    ) -> Result<Vec<Option<Cost>>, QueryError> {
        // The same checks as any query's.
        self.begin(world, Query::new(from, from), scratch)?;
        scratch.pending = None;
        if let Some(&cell) = goals.iter().find(|&&goal| !world.contains(goal)) {
            return Err(QueryError::OffMap { cell, width: world.width(), height: world.height() });
        }
        let mut costs = vec![u32::MAX; goals.len()];
        self.method().costs_to(world, from, goals, scratch, &mut costs);
        let home = world.component(from);
        let known = |(&goal, cost): (&Cell, u32)| {
            if world.component(goal) != home {
                return Ok(None);
            }
            if cost != u32::MAX {
                return Ok(Some(Cost(cost)));
            }
            match self.find(world, Query::new(from, goal), scratch)? {
                Outcome::Reached(route) => Ok(Some(route.cost())),
                _ => Ok(None),
            }
        };
        goals.iter().zip(costs).map(known).collect()
    }

    /// The nearest of some goals, at most `count` of them: their places in the list and what it costs to get there, the
    /// nearest first, and of equally near ones the first in the list.
    ///
    /// # Errors
    /// As [`Planner::distances`].
    pub fn nearest_goals(
        &self,
        world: &Snapshot,
        from: Cell,
        goals: &[Cell],
        count: usize,
        scratch: &mut Scratch,
    ) -> Result<Vec<(usize, Cost)>, QueryError> {
        let costs = self.distances(world, from, goals, scratch)?;
        let mut found: Vec<_> = (0..).zip(costs).filter_map(|(place, cost)| Some((place, cost?))).collect();
        found.sort_by_key(|&(_, cost)| cost);
        found.truncate(count);
        Ok(found)
    }
}
