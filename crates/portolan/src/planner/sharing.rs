//! Planners that share one chart: those of the agents of all sizes and kinds in one world.
//!
//! Not here: the chart (`chart/haa_star.rs`), and the world as each agent sees it (`space/views.rs`).

use super::Planner;
use crate::method::ShareError;
use crate::space::{Snapshot, Space};

impl<S: Space> Planner<S> {
    /// Returns a planner with this planner's algorithm and settings for another view of its world, which shares this planner's
    /// chart. Only `haa-star` has such charts. What the views have in common is kept once, so that a view adds a small part of
    /// the memory and none of the answers changes. A planner of a view that the chart serves already costs nothing.
    ///
    /// Each planner is asked, planned with and repaired as any other, with its own view and whether or not the others have been
    /// repaired. [`Planner::bytes`] of each counts the whole chart. `view` may be any world of the same size.
    ///
    /// ```
    /// use portolan::{Cell, Edit, Footing, Planner, Profile, Query, Rules, Scratch, SquareGrid, Terrain, World};
    /// const WATER: u8 = 3;
    /// let mut world = World::from(SquareGrid::open(200, 120, Rules::default())?);
    /// let (giant, ogre) = (Profile::square(3)?, Profile::square(2)?.with(WATER, Footing::FORBIDDEN));
    /// let mut plain = Planner::new(&world, "haa-star")?;
    /// let mut for_giants = plain.for_view(world.view(&giant)?)?;
    /// let mut for_ogres = plain.for_view(world.view(&ogre)?)?;
    ///
    /// world.apply(&[Edit::new(Cell::new(100, 60), Terrain::BLOCKED)])?;
    /// plain.sync(&world)?;
    /// for_giants.sync(world.view(&giant)?)?;
    /// for_ogres.sync(world.view(&ogre)?)?;
    /// let route = for_giants.find(world.view(&giant)?, Query::new((5, 60), (190, 60)), &mut Scratch::new())?;
    /// assert!(route.route().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the algorithm's charts serve one world each, the view has another size, the algorithm does not run on it, or the
    /// chart serves as many views as it can.
    pub fn for_view(&self, view: &Snapshot<S>) -> Result<Planner<S>, ShareError> {
        self.algorithm.suits(view)?;
        Ok(Self::of(view, self.algorithm, self.settings.clone(), self.method.share(view)?))
    }
}
