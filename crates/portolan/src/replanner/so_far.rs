//! The best route of a replanner's search that has not ended.

#[cfg(doc)]
use super::Progress;
use super::Replanner;
use crate::planner::Planner;
use crate::query::Query;
use crate::route::Route;
use crate::scratch::Scratch;
use crate::space::{Snapshot, Space};

impl<S: Space> Replanner<S> {
    /// Returns the best route that the search of the latest step has found before its end, if the step returned
    /// [`Progress::Working`] and no other search has used the scratch since: see [`Planner::so_far`]. The agent may walk it,
    /// although it is not yet what [`Replanner::left`] returns; a search that stays alive goes on from what it knows.
    ///
    /// ```
    /// # use portolan::{Planner, Progress, Replanner, Rules, Scratch, SquareGrid, World};
    /// # let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// # let planner = Planner::new(&world, "ad-star")?;
    /// # let mut scratch = Scratch::new();
    /// let mut replanner = Replanner::new((1, 1), (60, 33));
    /// while replanner.step(&planner, &world, &mut scratch, 100)? == Progress::Working {
    ///     if let Some(route) = replanner.so_far(&planner, &world, &mut scratch) {
    ///         assert!(route.bound().is_some_and(|bound| (1.0..=2.5).contains(&bound)));
    ///         replanner.moved(route.cells()[1]);
    ///     }
    /// }
    /// assert_eq!(replanner.left().last(), Some(&replanner.to()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn so_far(&self, planner: &Planner<S>, world: &Snapshot<S>, scratch: &mut Scratch<S>) -> Option<Route<S>> {
        let is_ours = self.begun && planner.is_under_way(Query::new(self.at, self.to), scratch);
        is_ours.then(|| planner.so_far_of(world, scratch, self.living.as_deref())).flatten()
    }
}
