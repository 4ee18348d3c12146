//! Following edits without a planner: where edits have changed a [`Replanner`]'s route, a short search around the changed
//! steps joins what is before them with what is after them.
//!
//! A planner then has to be repaired only when such a search does not suffice, after all edits since its last repair at
//! once. Most edits of a game lie off an agent's route or cut it in a place that can be walked around.
//!
//! Not here: planning a route, and mending legs that are not turned into cells yet.

use super::{Progress, Replanner};
use crate::cost::Cost;
use crate::method::{End, Task};
use crate::planner::searching::begin_exact;
use crate::scratch::Scratch;
use crate::space::{Motion, Snapshot, Space};

/// Where a search around changed steps begins and ends, and how far it goes. If one does not suffice, the next is tried.
const REACHES: [Reach; 3] =
    [Reach { steps: 12, expansions: 16 }, Reach { steps: 40, expansions: 32 }, Reach { steps: 160, expansions: 64 }];

#[derive(Copy, Clone)]
struct Reach {
    /// How many steps before the changed ones a search begins, and how many after them it ends.
    steps: usize,
    /// How many nodes a search expands at most, for each step of the route between its ends.
    expansions: u64,
}

/// What share of the cost of a route detours may add before the route is planned again: one tenth. Besides, a detour may cost
/// twice what the part of the route cost that it replaces.
const SHARE: u64 = 10;

/// A part of the route that was mended.
#[derive(Copy, Clone)]
struct Detour {
    /// Its first step, and the first step after it.
    begin: usize,
    end: usize,
    /// How much more it costs than what was planned there.
    extra: u64,
}

/// A route whose goal was cut off. It is mended when the goal can be reached again.
#[derive(Clone)]
pub(super) struct Aside<S: Space> {
    to: S::Place,
    cells: Vec<S::Place>,
    prices: Vec<Cost>,
    done: usize,
    stretches: Stretches<S>,
    rest: Progress,
}

impl<S: Space> Aside<S> {
    pub(super) fn bytes(&self) -> usize {
        let route = self.cells.capacity() * size_of::<S::Place>() + self.prices.capacity() * size_of::<Cost>();
        size_of::<Aside<S>>() + route + self.stretches.bytes()
    }
}

/// The steps of a route in stretches of equal length, with the regions in which they lie. With them, the steps near an
/// edit are found without a look at all of them.
pub(super) struct Stretches<S: Space> {
    /// The region of each stretch, and the region of that stretch and all after it. Empty if it is not computed.
    regions: Vec<[S::Region; 2]>,
    /// The mended parts of the route. No two of them have a step in common.
    detours: Vec<Detour>,
}

impl<S: Space> Default for Stretches<S> {
    fn default() -> Stretches<S> {
        Stretches { regions: Vec::new(), detours: Vec::new() }
    }
}

impl<S: Space> Clone for Stretches<S> {
    fn clone(&self) -> Stretches<S> {
        Stretches { regions: self.regions.clone(), detours: self.detours.clone() }
    }
}

impl<S: Space> Stretches<S> {
    /// Steps in a stretch.
    const LENGTH: usize = 32;

    pub(super) fn clear(&mut self) {
        self.regions.clear();
        self.detours.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.regions.capacity() * size_of::<[S::Region; 2]>() + self.detours.capacity() * size_of::<Detour>()
    }

    /// Computes the regions of the route over these cells. Those of stretches that end before `first` are known.
    fn note(&mut self, cells: &[S::Place], first: usize) {
        self.regions.truncate(first / Self::LENGTH);
        let known = self.regions.len();
        let steps = cells.len() - 1;
        for begin in (known * Self::LENGTH..steps).step_by(Self::LENGTH) {
            let region = S::region_of(&cells[begin..=(begin + Self::LENGTH).min(steps)]);
            self.regions.push([region; 2]);
        }
        for index in (0..self.regions.len().saturating_sub(1)).rev() {
            self.regions[index][1] = S::joined(self.regions[index][0], self.regions[index + 1][1]);
        }
    }
}

impl<S: Space> Replanner<S> {
    /// Brings the route up to date with edits that were applied to the world, without a planner. Returns how the route
    /// stands then, or `None` if a planner has to be asked: repair it, and [`Replanner::step`] plans.
    ///
    /// Steps that the edits have changed are replaced by the cheapest way around them that a short search finds, between
    /// places of the route before and after them. So a planner need not be repaired after every edit: keep the edits, or
    /// call [`Planner::sync`](crate::Planner::sync) when this returns `None`. A mended route is legal, but it keeps no other
    /// promise of the algorithm: its detours cost up to a tenth of the route, or twice the part that they replace, and it
    /// does not use shorter ways that edits have opened. Legs that are not turned into cells yet are mended when it is their turn.
    ///
    /// An algorithm that keeps its searches alive always has to be asked.
    ///
    /// ```
    /// use portolan::{Cell, Edit, Planner, Progress, Replanner, Rules, Scratch, SquareGrid, Terrain, World};
    /// let mut world = World::from(SquareGrid::open(300, 200, Rules::default())?);
    /// let mut planner = Planner::new(&world, "hpa-star")?;
    /// let mut scratch = Scratch::new();
    /// let mut replanner = Replanner::new((2, 10), (290, 150));
    /// replanner.step(&planner, &world, &mut scratch, u64::MAX)?;
    /// for _ in 0..20 {
    ///     let trap = [Edit::new(replanner.left()[3], Terrain::BLOCKED)];
    ///     world.apply(&trap)?;
    ///     if replanner.follow(&world, &trap, &mut scratch).is_none() {
    ///         planner.sync(&world)?;
    ///         replanner.step(&planner, &world, &mut scratch, u64::MAX)?;
    ///     }
    ///     replanner.moved(replanner.left()[1]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow(&mut self, world: &Snapshot<S>, edits: &[S::Edit], scratch: &mut Scratch<S>) -> Option<Progress> {
        let told = self.revision.is_some_and(|revision| revision.after::<S>(edits) == world.revision());
        self.living = self.living.take().filter(|_| told);
        if let Some(living) = &mut self.living {
            living.edited(Task::<S> { grid: world, from: self.at, to: self.to }, edits);
        }
        self.revision = Some(world.revision());
        if world.component(self.at).is_none() {
            self.forget();
        } else if !world.reaches(self.at, self.to) && self.living.is_none() {
            self.put_aside();
            (self.rest, self.begun) = (Progress::Unreachable, false);
            return Some(self.rest);
        }
        let is_back = self.take_back();
        let is_up_to_date = is_back || told && self.unchanged_from <= self.done;
        if !is_up_to_date || self.wants || self.living.is_some() || !self.rest.is_ready() {
            (self.wants, self.unchanged_from) = (true, self.prices.len());
            return None;
        }
        if self.legs.is_some() {
            self.hits.extend_from_slice(edits);
        }
        let mended = self.mend_cells(world, (!is_back).then_some(edits), scratch);
        let is_at_end = self.legs.is_some() && self.cells.len() == self.done + 1;
        if mended.is_none() || self.hits.len() > Self::MOST_HITS {
            (self.wants, self.unchanged_from) = (true, self.prices.len());
            return None;
        }
        let progress = if is_back || mended == Some(true) { Progress::Planned { same: false } } else { self.rest };
        (!is_at_end).then_some(progress)
    }

    /// Drops the route, because the goal is cut off, but keeps it aside if it is whole.
    fn put_aside(&mut self) {
        let is_whole = self.rest.is_ready() && !self.wants && self.legs.is_none();
        let aside = self.aside.take().or_else(|| {
            is_whole.then(|| {
                Box::new(Aside {
                    to: self.to,
                    cells: std::mem::take(&mut self.cells),
                    prices: std::mem::take(&mut self.prices),
                    done: self.done,
                    stretches: std::mem::take(&mut self.stretches),
                    rest: self.rest,
                })
            })
        });
        self.forget();
        self.aside = aside;
    }

    /// Takes the route back that was put aside, if it leads from where the agent stands to its goal. Returns whether it does.
    fn take_back(&mut self) -> bool {
        let leads = |aside: &Aside<S>| aside.to == self.to && aside.cells[aside.done] == self.at;
        let Some(aside) = self.aside.take().filter(|aside| leads(aside)) else { return false };
        (self.cells, self.prices, self.done) = (aside.cells, aside.prices, aside.done);
        (self.stretches, self.rest) = (aside.stretches, aside.rest);
        (self.wants, self.unchanged_from) = (false, 0);
        true
    }

    /// Mends the known cells of the route after these edits, or after any if there are none given. Returns whether the cells
    /// were changed, or `None` if they could not be mended.
    fn mend_cells(&mut self, world: &Snapshot<S>, edits: Option<&[S::Edit]>, scratch: &mut Scratch<S>) -> Option<bool> {
        if self.stretches.regions.is_empty() {
            self.stretches.note(&self.cells, 0);
        }
        let mut is_mended = false;
        let mut from = self.done;
        while let Some((first, last)) = self.cut(world, edits, from) {
            from = REACHES.iter().find_map(|&reach| self.mend_cut(world, (first, last), reach, scratch))?;
            is_mended = true;
        }
        Some(is_mended)
    }

    /// Returns the first and the last step of a part of the route that edits have changed, no earlier than step `from`. Two
    /// changed steps that are near each other belong to one part.
    fn cut(&self, world: &Snapshot<S>, edits: Option<&[S::Edit]>, from: usize) -> Option<(usize, usize)> {
        // Looking at a step costs about as much as comparing it with a few edits.
        const FEW: usize = 8;
        let near =
            |region: S::Region| edits.is_none_or(|edits| edits.iter().any(|edit| world.edit_meets(edit, region)));
        let mut cut: Option<(usize, usize)> = None;
        for (index, &[own, rest]) in self.stretches.regions.iter().enumerate().skip(from / Stretches::<S>::LENGTH) {
            let begin = index * Stretches::<S>::LENGTH;
            let is_over = cut.is_some_and(|(_, last)| begin > last + 2 * REACHES[0].steps);
            if is_over || !near(rest) {
                break;
            }
            if !near(own) {
                continue;
            }
            for step in begin.max(from)..(begin + Stretches::<S>::LENGTH).min(self.prices.len()) {
                let places = &self.cells[step..step + 2];
                let reaches = |edit: &S::Edit| places.iter().any(|&at| S::edit_reaches(edit, at));
                let may_change = edits.is_none_or(|edits| edits.len() > FEW || edits.iter().any(reaches));
                if may_change && world.segment(places[0], places[1], Motion::Steps) != Some(self.prices[step]) {
                    match &mut cut {
                        Some((_, last)) if step > *last + 2 * REACHES[0].steps => return cut,
                        Some((_, last)) => *last = step,
                        None => cut = Some((step, step)),
                    }
                }
            }
        }
        cut
    }

    /// Replaces the steps from the first to the last, and some before and after them, by a cheapest way between the same
    /// places. Returns the step at which the rest of the route begins then, or `None` if there is no such way, it costs too
    /// much, or the search takes too long.
    fn mend_cut(
        &mut self,
        world: &Snapshot<S>,
        (first, last): (usize, usize),
        reach: Reach,
        scratch: &mut Scratch<S>,
    ) -> Option<usize> {
        let begin = first.saturating_sub(reach.steps).max(self.done);
        let end = (last + 1 + reach.steps).min(self.cells.len() - 1);
        let task = Task::<S> { grid: world, from: self.cells[begin], to: self.cells[end] };
        if task.from == task.to || !world.reaches(task.from, task.to) {
            return None;
        }
        scratch.pending = None;
        let search = begin_exact(task, scratch);
        let mut left = reach.expansions * (end - begin) as u64;
        let Some(End::Found(cost)) = search.step(task, scratch, &mut left, None) else { return None };
        let detour = self.detour(begin, end, u64::from(cost))?;
        // The trail begins where the search ends.
        let trail = &scratch.trail;
        let price = |step: &[S::Place]| world.segment(step[1], step[0], Motion::Steps).expect("a legal step");
        self.prices.splice(begin..end, trail.windows(2).rev().map(price));
        self.cells.splice(begin + 1..end, trail[1..trail.len() - 1].iter().rev().copied());
        let joint = begin + trail.len() - 1;
        self.note_detour(detour, end, joint);
        self.stretches.note(&self.cells, begin);
        Some(joint)
    }

    /// Returns the detour of this cost that replaces the steps from `begin` to `end`, and what was mended of them before.
    /// Returns `None` if it costs so much that another route may be cheaper.
    fn detour(&self, begin: usize, end: usize, cost: u64) -> Option<Detour> {
        let sum = |prices: &[Cost]| prices.iter().map(|price| u64::from(price.0)).sum::<u64>();
        let ahead = self.stretches.detours.iter().filter(|detour| detour.end > self.done);
        let extras = |is_replaced: bool| {
            let counts = |detour: &&Detour| (detour.begin < end && begin < detour.end) == is_replaced;
            ahead.clone().filter(counts).map(|detour| detour.extra).sum::<u64>()
        };
        let (replaced, others) = (extras(true), extras(false));
        let planned = sum(&self.prices[begin..end]).saturating_sub(replaced);
        let rest = sum(&self.prices[self.done..]).saturating_sub(replaced + others);
        let extra = cost.saturating_sub(planned);
        (extra + others <= rest / SHARE + planned).then_some(Detour { begin, end, extra })
    }

    /// Notes a detour that replaces the steps up to `end` and ends before step `joint` now. Detours that it replaces and
    /// those behind the agent are dropped.
    fn note_detour(&mut self, detour: Detour, end: usize, joint: usize) {
        let (done, begin) = (self.done, detour.begin);
        let detours = &mut self.stretches.detours;
        detours.retain(|other| other.end > done && (other.begin >= end || other.end <= begin));
        for other in detours.iter_mut().filter(|other| other.begin >= end) {
            (other.begin, other.end) = (other.begin + joint - end, other.end + joint - end);
        }
        if detour.extra > 0 {
            detours.push(Detour { end: joint, ..detour });
        }
    }
}
