//! A route that is known in legs and becomes cells as somebody walks it: [`LazyRoute`].

use crate::cost::Cost;
use crate::id::Cell;
use crate::method::Leg;
use crate::planner::Planner;
use crate::query::QueryError;
use crate::scratch::Scratch;
use crate::world::{Area, Edit, Revision, Snapshot};

/// A route whose cells are worked out leg by leg, from [`Planner::plan`]. Its first steps are known long before its
/// last, and what is never walked is never worked out.
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
#[derive(Clone, PartialEq, Debug)]
pub struct LazyRoute {
    revision: Revision,
    /// Which legs these are: see [`Planner::legs_id`].
    legs_id: u64,
    cost: Option<Cost>,
    /// What is still to be refined, the next one last.
    legs: Vec<Leg>,
    /// The piece handed out last or, before that, what was known from the start.
    cells: Vec<Cell>,
    /// Whether `cells` are still to be handed out.
    fresh: bool,
}

impl LazyRoute {
    pub(crate) fn new(planner: &Planner, cost: Option<Cost>, legs: Vec<Leg>, cells: Vec<Cell>) -> LazyRoute {
        let fresh = !cells.is_empty();
        LazyRoute { revision: planner.revision(), legs_id: planner.legs_id(), cost, legs, cells, fresh }
    }

    /// Whether a planner can refine what is left: it does not have to where all cells are known.
    fn is_refined_by(&self, planner: &Planner) -> bool {
        self.legs.is_empty() || self.legs_id == planner.legs_id()
    }

    /// What the whole route costs as the chart has it; smoothing might save a little. `None` where that is not known
    /// before the last piece is: `pra-star` with a `limit` works the next piece out when the last one ends.
    pub fn cost(&self) -> Option<Cost> {
        self.cost
    }

    /// Whether everything has been handed out.
    pub fn is_done(&self) -> bool {
        !self.fresh && self.legs.is_empty()
    }

    /// The next cells to walk, `None` at the end. All pieces in a row are the route, from start to goal, each cell once.
    ///
    /// # Errors
    /// When world or planner are not of the route's revision: ask [`LazyRoute::survives`] after an edit. When the planner
    /// is not the one that planned the route, nor a copy of it, or has been built anew since.
    pub fn next_leg(
        &mut self,
        planner: &Planner,
        world: &Snapshot,
        scratch: &mut Scratch,
    ) -> Result<Option<&[Cell]>, QueryError> {
        if self.revision != world.revision() || self.revision != planner.revision() {
            let asked = if self.revision == world.revision() { planner.revision() } else { world.revision() };
            return Err(QueryError::Stale { built: self.revision, asked });
        }
        if !self.is_refined_by(planner) {
            return Err(QueryError::OtherLegs);
        }
        if self.is_done() {
            return Ok(None);
        }
        if !std::mem::take(&mut self.fresh) {
            self.cells.clear();
            planner.refine(world, &mut self.legs, scratch, &mut self.cells);
        }
        Ok(Some(&self.cells))
    }

    /// The places that what is left of the route is known to pass, in walking order: the ends of the legs still to be
    /// refined, from the start before anything is handed out, and up to the goal. Where all cells are known, the first and
    /// the last of them. Nothing at the end, or where the planner could not refine it.
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
    pub fn waypoints(&self, planner: &Planner) -> Vec<Cell> {
        if self.revision != planner.revision() || !self.is_refined_by(planner) {
            return Vec::new();
        }
        let known = self.cells.first().into_iter().chain(self.cells.last()).copied().filter(|_| self.fresh);
        let ends = self.legs.iter().rev().flat_map(|leg| [leg.from, leg.to]);
        let mut places: Vec<Cell> = known.chain(ends).collect();
        places.dedup();
        // A leg may begin where the piece handed out last has ended.
        if !self.fresh && places.first().is_some_and(|first| self.cells.last() == Some(first)) {
            places.remove(0);
        }
        places
    }

    /// Whether the route can still be walked after these edits, all those since it was planned or last asked. If so it
    /// goes on with the repaired planner and the edited world; if not, plan another.
    ///
    /// A leg not yet refined counts as hit when an edit changes anything in the cluster it crosses, or the repair built
    /// the whole chart anew; of cells already handed out, the last piece is looked at.
    pub fn survives(&mut self, planner: &Planner, world: &Snapshot, edits: &[Edit]) -> bool {
        let connected = self.revision.after(edits) == world.revision();
        let is_hit = |area: Area| {
            // An obstacle beside a diagonal step can forbid it.
            let near = Area {
                x: area.x.saturating_sub(1),
                y: area.y.saturating_sub(1),
                width: area.width.saturating_add(2),
                height: area.height.saturating_add(2),
            };
            self.cells.iter().any(|&cell| near.contains(cell))
                || self.legs.iter().any(|&leg| planner.leg_bounds(leg).is_some_and(|bounds| bounds.overlaps(near)))
        };
        let survives = connected
            && planner.revision() == world.revision()
            && self.is_refined_by(planner)
            && !edits.iter().any(|edit| is_hit(edit.area));
        if survives {
            self.revision = world.revision();
        }
        survives
    }
}
