//! Mending a route in legs after edits: only the legs that the edits hit are planned again.
//!
//! Not here: an agent's decision between a mended route and a new one (`replanner.rs`).

use super::{Known, LazyRoute};
use crate::id::Cell;
use crate::method::Leg;
use crate::planner::Planner;
use crate::query::{Outcome, Query, QueryError, Stale};
use crate::scratch::Scratch;
use crate::space::{Motion, Snapshot, Space};

/// What has become of a [`LazyRoute`] after edits.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mended<P = Cell> {
    /// The edits have not come near the rest of the route.
    Kept,
    /// Some parts of the route were planned again, between the same ends. The route leads to its goal.
    Redone {
        /// How many parts were planned again.
        parts: usize,
        /// What these parts cost now, or `None` where that is not known yet ([`LazyRoute::cost`]).
        cost: Option<u64>,
    },
    /// This part of the route is cut and could not be planned again. The route cannot be walked any further than to
    /// `from`; plan another.
    Broken {
        /// Where the part that is cut begins.
        from: P,
        /// Where it ends.
        to: P,
    },
}

/// A part of the rest of a route, in walking order.
pub(super) enum Part<P> {
    Leg(Leg<P>),
    Cells(Vec<P>),
}

impl<P: Copy> Part<P> {
    pub(super) fn ends(&self) -> (P, P) {
        match self {
            Part::Leg(leg) => (leg.from, leg.to),
            Part::Cells(cells) => (cells[0], cells[cells.len() - 1]),
        }
    }
}

impl<S: Space> LazyRoute<S> {
    /// Brings the route up to date with these edits: parts that they hit are planned again between the same ends, with the
    /// repaired planner, and all others stay. The edits must be all since the route was planned, or since this or
    /// [`LazyRoute::survives`] last brought it up to date. If the route is broken, it stays as it was. Its
    /// [`LazyRoute::cost`] stays that of the route as it was planned.
    ///
    /// A mended route is legal. It can be longer than a new one, if the way between the ends of a part is much longer now,
    /// or the edits have opened a shorter way elsewhere.
    ///
    /// ```
    /// use portolan::{Cell, Edit, Mended, Outcome, Planner, Query, Rules, Scratch, SquareGrid, Terrain, World};
    /// let mut world = World::from(SquareGrid::open(300, 300, Rules::default())?);
    /// let mut planner = Planner::new(&world, "rhumb")?;
    /// let mut scratch = Scratch::new();
    /// let Outcome::Reached(mut route) = planner.plan(&world, Query::new((1, 1), (290, 133)), &mut scratch)? else {
    ///     panic!("open ground");
    /// };
    /// let trap = [Edit::new(Cell::new(150, 70), Terrain::BLOCKED)];
    /// world.apply(&trap)?;
    /// planner.repair(&world, &trap)?;
    /// assert!(!matches!(route.mend(&planner, &world, &trap, &mut scratch)?, Mended::Broken { .. }));
    /// while let Some(cells) = route.next_leg(&planner, &world, &mut scratch)? {
    ///     assert!(!cells.contains(&Cell::new(150, 70)));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the edits do not lead from the route's revision to that of the world, the planner was not repaired, or its chart
    /// was built anew ([`crate::Repair::rebuilt`]).
    pub fn mend(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        edits: &[S::Edit],
        scratch: &mut Scratch<S>,
    ) -> Result<Mended<S::Place>, QueryError<S::Place>> {
        self.check(planner, world, edits)?;
        if let Some((from, to)) = cut(world, edits, &self.cells) {
            return Ok(Mended::Broken { from, to });
        }
        self.mend_rest(planner, world, edits, scratch)
    }

    /// Checks that these edits lead to the world, to which the planner was repaired, and that it can refine the legs.
    fn check(&self, planner: &Planner<S>, world: &Snapshot<S>, edits: &[S::Edit]) -> Result<(), QueryError<S::Place>> {
        let (asked, built) = (world.revision(), planner.revision());
        if self.revision.after::<S>(edits) != asked {
            return Err(Stale { built: self.revision, asked }.into());
        }
        if built != asked {
            return Err(Stale { built, asked }.into());
        }
        if self.is_refined_by(planner) { Ok(()) } else { Err(QueryError::OtherLegs) }
    }

    /// Does what [`LazyRoute::mend`] does, without a look at the piece returned last.
    ///
    /// # Errors
    /// As [`LazyRoute::mend`].
    pub(crate) fn mend_rest(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        edits: &[S::Edit],
        scratch: &mut Scratch<S>,
    ) -> Result<Mended<S::Place>, QueryError<S::Place>> {
        self.check(planner, world, edits)?;
        if !self.is_hit(planner, world, edits) {
            self.revision = world.revision();
            return Ok(Mended::Kept);
        }
        self.redo(planner, world, edits, scratch)
    }

    /// Plans the hit parts of the rest of the route again. Parts in a row are planned as one.
    fn redo(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        edits: &[S::Edit],
        scratch: &mut Scratch<S>,
    ) -> Result<Mended<S::Place>, QueryError<S::Place>> {
        let mut mended: Vec<Part<S::Place>> = Vec::new();
        let mut end = self.cells.last().copied();
        let mut hit: Option<(S::Place, S::Place)> = None;
        let (mut redone, mut sum) = (0, Some(0));
        let mut plan_again = |(from, to), mended: &mut Vec<Part<S::Place>>| {
            redone += 1;
            let Some(route) = plan_part(planner, world, (from, to), scratch)? else { return Ok(false) };
            sum = sum.zip(route.cost()).map(|(sum, cost)| sum + u64::from(cost.0));
            mended.extend(Some(Part::Cells(route.cells)).filter(|_| route.fresh));
            mended.extend(route.legs.into_iter().rev().map(Part::Leg));
            Ok::<bool, QueryError<S::Place>>(true)
        };
        for part in self.parts() {
            let (from, to) = part.ends();
            let is_joined = end.is_none_or(|end| end == from || world.segment(end, from, Motion::Steps).is_some());
            let is_hit = match &part {
                Part::Leg(leg) => hits_leg(planner, world, edits, *leg),
                Part::Cells(cells) => cut(world, edits, cells).is_some(),
            };
            if is_hit || !is_joined {
                let begin = if is_joined { from } else { end.unwrap_or(from) };
                hit = Some((hit.map_or(begin, |(begin, _)| begin), to));
            } else {
                if let Some((from, to)) = hit.take()
                    && !plan_again((from, to), &mut mended)?
                {
                    return Ok(Mended::Broken { from, to });
                }
                mended.push(part);
            }
            end = Some(to);
        }
        if let Some((from, to)) = hit
            && !plan_again((from, to), &mut mended)?
        {
            return Ok(Mended::Broken { from, to });
        }
        self.set_parts(mended);
        self.revision = world.revision();
        Ok(Mended::Redone { parts: redone, cost: sum })
    }

    /// Returns the parts of the route that are not returned yet, in walking order.
    pub(super) fn parts(&self) -> Vec<Part<S::Place>> {
        let mut parts = Vec::new();
        let mut known = self.known.iter().rev().peekable();
        for left in (0..=self.legs.len()).rev() {
            while let Some(piece) = known.next_if(|piece| piece.legs_left == left) {
                parts.push(Part::Cells(piece.cells.clone()));
            }
            if left > 0 {
                parts.push(Part::Leg(self.legs[left - 1]));
            }
        }
        parts
    }

    fn set_parts(&mut self, parts: Vec<Part<S::Place>>) {
        self.legs.clear();
        self.known.clear();
        for part in parts.into_iter().rev() {
            match part {
                Part::Leg(leg) => self.legs.push(leg),
                Part::Cells(cells) => self.known.push(Known { legs_left: self.legs.len(), cells }),
            }
        }
    }

    /// Returns whether edits lie in or beside a leg or a known piece that is not returned yet.
    pub(crate) fn is_hit(&self, planner: &Planner<S>, world: &Snapshot<S>, edits: &[S::Edit]) -> bool {
        let reaches =
            |piece: &Known<S::Place>| piece.cells.iter().any(|&at| edits.iter().any(|edit| S::edit_reaches(edit, at)));
        self.legs.iter().any(|&leg| hits_leg(planner, world, edits, leg)) || self.known.iter().any(reaches)
    }

    /// Puts another route before this one, which must end where this one goes on.
    pub(crate) fn prepend(&mut self, other: LazyRoute<S>) {
        let first = self.legs.len();
        self.legs.extend(other.legs);
        self.known.extend(other.known.into_iter().map(|piece| Known { legs_left: first + piece.legs_left, ..piece }));
        (self.cells, self.fresh) = (other.cells, other.fresh);
    }
}

fn hits_leg<S: Space>(planner: &Planner<S>, world: &Snapshot<S>, edits: &[S::Edit], leg: Leg<S::Place>) -> bool {
    let region = planner.leg_region(leg);
    region.is_some_and(|region| edits.iter().any(|edit| world.edit_meets(edit, region)))
}

/// Returns the ends of the first step between these cells that the edits have made illegal.
fn cut<S: Space>(world: &Snapshot<S>, edits: &[S::Edit], cells: &[S::Place]) -> Option<(S::Place, S::Place)> {
    let may_be_cut = |step: &[S::Place]| edits.iter().any(|edit| step.iter().any(|&at| S::edit_reaches(edit, at)));
    let is_cut = |step: &&[S::Place]| may_be_cut(step) && world.segment(step[0], step[1], Motion::Steps).is_none();
    cells.windows(2).find(is_cut).map(|step| (step[0], step[1]))
}

/// Plans a part again. Returns `None` if there is no way.
fn plan_part<S: Space>(
    planner: &Planner<S>,
    world: &Snapshot<S>,
    (from, to): (S::Place, S::Place),
    scratch: &mut Scratch<S>,
) -> Result<Option<LazyRoute<S>>, QueryError<S::Place>> {
    if world.component(from).is_none() {
        return Ok(None);
    }
    let outcome = planner.plan(world, Query::new(from, to), scratch)?;
    Ok(if let Outcome::Reached(route) = outcome { Some(route) } else { None })
}
