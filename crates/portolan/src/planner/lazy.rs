//! A route that is planned in legs, which are turned into cells one by one while an agent walks: [`LazyRoute`].
//!
//! Not here: finding legs and refining them, which algorithms do, and routes whose cells are all known (`route.rs`).

mod mend;

pub use mend::Mended;

use super::Planner;
use crate::cost::Cost;
use crate::method::Leg;
use crate::query::{QueryError, Stale};
use crate::scratch::Scratch;
use crate::space::square::SquareGrid;
use crate::space::{Revision, Snapshot, Space};
use std::fmt;

/// A route whose cells are computed leg by leg; [`Planner::plan`] makes it. Its first steps are known long before its
/// last ones, and legs that are never walked are never turned into cells.
///
/// ```
/// use portolan::{Outcome, Planner, Query, Rules, Scratch, SquareGrid, World};
/// let world = World::from(SquareGrid::open(300, 300, Rules::default())?);
/// let planner = Planner::new(&world, "hpa-star")?;
/// let mut scratch = Scratch::new();
/// let Outcome::Reached(mut route) = planner.plan(&world, Query::new((1, 1), (290, 133)), &mut scratch)? else {
///     panic!("open ground");
/// };
/// let mut steps = 0;
/// while let Some(cells) = route.next_leg(&planner, &world, &mut scratch)? {
///     steps += cells.len(); // walk them ...
/// }
/// assert_eq!(steps, 290);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LazyRoute<S: Space = SquareGrid> {
    revision: Revision,
    /// Number of the chart that the legs belong to: see [`Planner::legs_id`].
    legs_id: u64,
    cost: Option<Cost>,
    /// Legs that are still to be refined, the next one last.
    legs: Vec<Leg<S::Place>>,
    /// The cells that [`LazyRoute::next_leg`] returned last. Before its first call, the cells that planning found
    /// already: none, a first piece or all.
    cells: Vec<S::Place>,
    /// Whether `cells` are still to be returned by [`LazyRoute::next_leg`].
    fresh: bool,
    /// Pieces between legs whose cells are known, the next one last.
    known: Vec<Known<S::Place>>,
}

/// A piece of a route whose cells are known before it is their turn.
#[derive(Clone, PartialEq, Debug)]
struct Known<P> {
    /// How many legs are left when it is the turn of the piece.
    legs_left: usize,
    cells: Vec<P>,
}

impl<S: Space> Clone for LazyRoute<S> {
    fn clone(&self) -> LazyRoute<S> {
        LazyRoute { legs: self.legs.clone(), cells: self.cells.clone(), known: self.known.clone(), ..*self }
    }
}

impl<S: Space> PartialEq for LazyRoute<S> {
    fn eq(&self, other: &LazyRoute<S>) -> bool {
        let facts = |route: &LazyRoute<S>| (route.revision, route.legs_id, route.cost, route.fresh);
        facts(self) == facts(other)
            && (&self.legs, &self.cells, &self.known) == (&other.legs, &other.cells, &other.known)
    }
}

impl<S: Space> fmt::Debug for LazyRoute<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LazyRoute { revision, legs_id, cost, legs, cells, fresh, known } = self;
        let mut shown = f.debug_struct("LazyRoute");
        shown.field("revision", revision).field("legs_id", legs_id).field("cost", cost);
        shown.field("legs", legs).field("cells", cells).field("fresh", fresh).field("known", known).finish()
    }
}

impl<S: Space> LazyRoute<S> {
    /// Returns how many bytes the legs and the cells that are known take up.
    pub(crate) fn bytes(&self) -> usize {
        let known: usize = self.known.iter().map(|piece| piece.cells.capacity()).sum();
        let cells = self.cells.capacity() + known;
        cells * size_of::<S::Place>()
            + self.legs.capacity() * size_of::<Leg<S::Place>>()
            + self.known.capacity() * size_of::<Known<S::Place>>()
    }

    pub(super) fn new(
        planner: &Planner<S>,
        cost: Option<Cost>,
        legs: Vec<Leg<S::Place>>,
        cells: Vec<S::Place>,
    ) -> LazyRoute<S> {
        let fresh = !cells.is_empty();
        LazyRoute {
            revision: planner.revision(),
            legs_id: planner.legs_id(),
            cost,
            legs,
            cells,
            fresh,
            known: Vec::new(),
        }
    }

    /// Returns whether no legs are left, or the planner can refine those that are left.
    fn is_refined_by(&self, planner: &Planner<S>) -> bool {
        self.legs.is_empty() || self.legs_id == planner.legs_id()
    }

    /// Returns the cost of the whole route on the chart; a smoothed route may cost a little less. It is `None` where
    /// the cost is known only with the last piece: `pra-star` with a `limit` plans each piece when the piece before it
    /// ends.
    pub fn cost(&self) -> Option<Cost> {
        self.cost
    }

    /// Returns whether [`LazyRoute::next_leg`] has returned all cells.
    pub fn is_done(&self) -> bool {
        !self.fresh && self.legs.is_empty() && self.known.is_empty()
    }

    /// Returns the next cells to walk, or `None` at the end. All pieces one after the other are the route from start
    /// to goal; no piece repeats the last cell of the piece before.
    ///
    /// # Errors
    /// When the world or the planner does not have the route's revision; after an edit, call [`LazyRoute::survives`]
    /// first. When legs are left to be refined and the planner is neither the one that planned the route nor a copy of
    /// it, or has built its chart anew since.
    pub fn next_leg(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        scratch: &mut Scratch<S>,
    ) -> Result<Option<&[S::Place]>, QueryError<S::Place>> {
        if self.revision != world.revision() || self.revision != planner.revision() {
            let asked = if self.revision == world.revision() { planner.revision() } else { world.revision() };
            return Err(Stale { built: self.revision, asked }.into());
        }
        if !self.is_refined_by(planner) {
            return Err(QueryError::OtherLegs);
        }
        if std::mem::take(&mut self.fresh) {
            return Ok(Some(&self.cells));
        }
        let last = self.cells.last().copied();
        while !self.is_done() {
            self.cells.clear();
            match self.known.pop_if(|piece| piece.legs_left == self.legs.len()) {
                Some(piece) => self.cells = piece.cells,
                None => planner.refine(world, &mut self.legs, scratch, &mut self.cells),
            }
            // A part that was planned again begins with the cell where the part before it ends.
            if last.is_some() && self.cells.first() == last.as_ref() {
                self.cells.remove(0);
            }
            if !self.cells.is_empty() {
                return Ok(Some(&self.cells));
            }
        }
        Ok(None)
    }

    /// Returns the cells that the rest of the route is known to pass, in walking order: both ends of each leg that is
    /// still to be refined, up to the goal. Before the first call of [`LazyRoute::next_leg`] they begin with the
    /// start. Where planning found cells already and they are not yet returned, the first and the last of these come
    /// before the legs. The list is empty at the end, or if the planner cannot refine the route.
    ///
    /// ```
    /// use portolan::{Cell, Outcome, Planner, Query, Rules, Scratch, SquareGrid, World, algorithm};
    /// let world = World::from(SquareGrid::open(90, 90, Rules::default())?);
    /// let hpa_star = algorithm("hpa-star").ok_or("it is in the registry")?;
    /// let planner = Planner::build(&world, hpa_star, hpa_star.settings(&[("direct", "no")])?)?;
    /// let query = Query::new((1, 1), (80, 33));
    /// let Outcome::Reached(route) = planner.plan(&world, query, &mut Scratch::new())? else {
    ///     panic!("open ground");
    /// };
    /// let waypoints = route.waypoints(&planner);
    /// assert!(waypoints.len() > 2);
    /// assert_eq!((waypoints.first(), waypoints.last()), (Some(&Cell::new(1, 1)), Some(&Cell::new(80, 33))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn waypoints(&self, planner: &Planner<S>) -> Vec<S::Place> {
        if self.revision != planner.revision() || !self.is_refined_by(planner) {
            return Vec::new();
        }
        let known = self.cells.first().into_iter().chain(self.cells.last()).copied().filter(|_| self.fresh);
        let ends = self.parts().into_iter().flat_map(|part| <[S::Place; 2]>::from(part.ends()));
        let mut places: Vec<S::Place> = known.chain(ends).collect();
        places.dedup();
        // A leg may begin with the last cell of the piece that was returned last. That cell has been walked already.
        if !self.fresh && places.first().is_some_and(|first| self.cells.last() == Some(first)) {
            places.remove(0);
        }
        places
    }

    /// Returns whether the route can still be walked after these edits. They must be all edits since the route was
    /// planned or since this last returned `true`; otherwise it returns `false`. If the route survives, it can be
    /// continued with the repaired planner and the edited world; if not, plan another.
    ///
    /// The route does not survive if an edit covers cells in the cluster of a leg that is still to be refined, cells of
    /// the piece returned last or, on squares, cells beside them ([`Space::edit_reaches`]), or if the repair built the whole
    /// chart anew. Earlier pieces are not looked at. Many routes that do not survive can be mended ([`LazyRoute::mend`]).
    pub fn survives(&mut self, planner: &Planner<S>, world: &Snapshot<S>, edits: &[S::Edit]) -> bool {
        let connected = self.revision.after::<S>(edits) == world.revision();
        let reaches = |edit: &S::Edit| self.cells.iter().any(|&cell| S::edit_reaches(edit, cell));
        let survives = connected
            && planner.revision() == world.revision()
            && self.is_refined_by(planner)
            && !edits.iter().any(reaches)
            && !self.is_hit(planner, world, edits);
        if survives {
            self.revision = world.revision();
        }
        survives
    }
}
