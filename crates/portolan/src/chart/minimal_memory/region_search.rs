//! The search on the chart: A* from region to region, priced by the distances between their centres. It begins at the
//! start itself and ends at the goal itself, neither of which is put into the chart.

use super::sectors::{Sectors, Spot};
use crate::chart::shared::layout::Layout;
use crate::chart::shared::walk::{Prices, beeline, least_prices};
use crate::id::Cell;
use crate::method::Task;
use crate::open_list::BucketList;
use crate::probe::{Event, Probe};
use crate::scratch::{Stamp, Stamped, TOO_FAR};

/// The region before the first.
const NONE: u32 = u32::MAX;

/// Set in [`Visit::sector`] once the region was expanded. There are fewer sectors than this.
const CLOSED: u32 = 1 << 31;

/// What is known of a region.
#[derive(Copy, Clone, Default)]
struct Visit {
    g: u32,
    stamp: u32,
    /// The place of the region before.
    before: u32,
    sector: u32,
}

impl Stamp for Visit {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.stamp
    }
}

/// A sector that a search may enter.
#[derive(Copy, Clone, Default)]
struct Mark(u32);

impl Stamp for Mark {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.0
    }
}

/// What a search on the chart writes, besides its open list.
#[derive(Default)]
pub(super) struct Visits {
    by_place: Stamped<Visit>,
    /// Regions visited in their order, by searches without an open list.
    order: Vec<Spot>,
    /// The cost of the best way to the goal, and the last region before the goal's.
    best: u64,
    last: u32,
    /// The second-level sectors that the first level's search keeps to, if it does.
    marks: Stamped<Mark>,
    is_marked: bool,
}

impl Visits {
    /// Nothing visited yet.
    pub(super) fn begin(&mut self, sectors: &Sectors) {
        self.by_place.reset(sectors.places(), u32::MAX);
        self.order.clear();
    }

    /// Visits a region unless it was.
    pub(super) fn visit(&mut self, spot: Spot) {
        let stamp = self.by_place.stamp();
        let visit = self.by_place.slot(spot.place as usize);
        if visit.stamp != stamp {
            *visit = Visit { stamp, sector: spot.sector, ..Visit::default() };
            self.order.push(spot);
        }
    }

    /// A region by the order of visits.
    pub(super) fn nth(&self, number: usize) -> Option<Spot> {
        self.order.get(number).copied()
    }

    /// Lets searches enter all sectors.
    pub(super) fn unmark(&mut self) {
        self.is_marked = false;
    }

    /// Keeps searches to the second-level sectors of the way just found and those around them: what lies that near may
    /// well be better.
    pub(super) fn mark(&mut self, layout: &Layout, goal: Spot) {
        self.marks.reset(layout.tier(1).count(), u32::MAX);
        self.is_marked = true;
        self.mark_around(layout, goal.sector);
        let mut place = self.last;
        while place != NONE {
            let visit = self.by_place.get(place as usize).expect("a way is made of regions visited");
            self.mark_around(layout, visit.sector & !CLOSED);
            place = visit.before;
        }
    }

    fn mark_around(&mut self, layout: &Layout, sector: u32) {
        let stamp = self.marks.stamp();
        for near in layout.around(1, sector) {
            *self.marks.slot(near as usize) = Mark(stamp);
        }
    }

    /// Whether a way was found.
    pub(super) fn has_way(&self) -> bool {
        self.best < TOO_FAR
    }

    /// Writes the stops of the way found: the start, centres, the goal.
    pub(super) fn way(&self, layout: &Layout, sectors: &Sectors, task: Task, stops: &mut Vec<Cell>) {
        stops.clear();
        stops.push(task.to);
        let mut place = self.last;
        while place != NONE {
            let visit = self.by_place.get(place as usize).expect("a way is made of regions visited");
            let spot = Spot { sector: visit.sector & !CLOSED, place };
            stops.push(if visit.before == NONE { task.from } else { sectors.centre(layout, spot) });
            place = visit.before;
        }
        stops.reverse();
    }

    pub(super) fn bytes(&self) -> usize {
        self.by_place.bytes() + self.order.capacity() * size_of::<Spot>() + self.marks.bytes()
    }
}

/// A search on one level.
pub(super) struct RegionSearch<'a> {
    pub(super) layout: &'a Layout,
    pub(super) sectors: &'a Sectors,
    pub(super) task: Task<'a>,
    /// The regions of start and goal, which are not the same.
    pub(super) ends: [Spot; 2],
    pub(super) visits: &'a mut Visits,
    pub(super) open: &'a mut BucketList,
}

impl RegionSearch<'_> {
    /// Reaches the regions around the start's.
    pub(super) fn begin(&mut self, probe: &mut impl Probe) {
        self.visits.begin(self.sectors);
        (self.visits.best, self.visits.last) = (TOO_FAR, NONE);
        self.open.reset(0, least_prices(self.task.grid)[0]);
        let stamp = self.visits.by_place.stamp();
        let Spot { sector, place } = self.ends[0];
        *self.visits.by_place.slot(place as usize) = Visit { g: 0, stamp, before: NONE, sector: sector | CLOSED };
        self.reach(self.ends[0], self.task.from, 0, probe);
    }

    /// Whether the search came to its end.
    pub(super) fn run(&mut self, left: &mut u64, probe: &mut impl Probe) -> bool {
        while *left > 0 {
            let Some(place) = self.open.pop() else {
                return true;
            };
            let visit = self.visits.by_place.slot(place as usize);
            let (g, spot) = (visit.g, Spot { sector: visit.sector & !CLOSED, place });
            let is_closed = visit.sector & CLOSED != 0;
            visit.sector |= CLOSED;
            let centre = self.sectors.centre(self.layout, spot);
            let node = self.task.grid.node(centre);
            probe.event(Event::Pop { node });
            if self.open.floor() >= self.visits.best {
                return true;
            }
            if is_closed {
                continue; // filed again since, under a better key
            }
            *left -= 1;
            probe.event(Event::Expand { node, g });
            self.reach(spot, centre, g, probe);
        }
        false
    }

    /// Reaches the regions that one meets, from a cell in it.
    fn reach(&mut self, from: Spot, at: Cell, g: u32, probe: &mut impl Probe) {
        let RegionSearch { layout, sectors, task, ends, .. } = *self;
        let Visits { by_place, best, last, marks, is_marked, .. } = &mut *self.visits;
        let (stamp, directions) = (by_place.stamp(), task.grid.rules().directions);
        let least = least_prices(task.grid);
        let weight = sectors.weight(from);
        sectors.for_each_edge(layout, from, |to| {
            if *is_marked && marks.get(layout.parent(0, to.sector) as usize).is_none() {
                return;
            }
            let is_goal = to == ends[1];
            let cell = if is_goal { task.to } else { sectors.centre(layout, to) };
            let node = task.grid.node(cell);
            probe.event(Event::Generate { node });
            let prices = weight.zip(sectors.weight(to)).map_or(least, |weights| mean_prices(task, weights));
            let g = u64::from(g) + beeline(directions, prices, at, cell);
            if is_goal {
                if g < *best {
                    (*best, *last) = (g, from.place);
                    probe.event(Event::Goal { cost: g as u32 });
                }
                return;
            }
            let key = g + beeline(directions, least, cell, task.to);
            let Ok(g) = u32::try_from(g) else { return };
            let visit = by_place.slot(to.place as usize);
            let is_known = visit.stamp == stamp;
            if key >= *best || is_known && visit.g <= g {
                return;
            }
            if is_known {
                let is_closed = visit.sector & CLOSED != 0;
                probe.event(if is_closed { Event::Reopen { node } } else { Event::Decrease { node } });
            }
            *visit = Visit { g, stamp, before: from.place, sector: to.sector };
            self.open.push(key, to.place);
            probe.event(Event::Push { node, g, key });
        });
    }
}

/// The prices halfway between regions of these mean weights.
fn mean_prices(task: Task, (a, b): (u8, u8)) -> Prices {
    let metric = task.grid.metric();
    let mean = |price: u32| price * (u32::from(a) + u32::from(b)) / 2;
    let straight = mean(metric.straight());
    // Rounding must not make a diagonal dearer than going round.
    [straight, mean(metric.diagonal()).min(2 * straight)]
}
