//! The search over regions: A* whose nodes are regions and whose costs are the distances between their centres.
//!
//! Start and goal are not put into the chart: in the region of the start, the start stands in for the centre, and in
//! that of the goal, the goal.
//!
//! Not here: turning the regions found into cells, which [`super::legs`] does.

use super::sectors::{Sectors, Spot};
use crate::chart::shared::layout::Layout;
use crate::chart::shared::walk::{beeline, least_prices};
use crate::id::Cell;
use crate::memory::held;
use crate::method::Task;
use crate::open_list::BucketList;
use crate::probe::{Event, Probe};
use crate::scratch::{Stamp, Stamped, TOO_FAR};

/// The place of no region: what comes before the first region of a route, and the last while no route is found.
const NONE: u32 = u32::MAX;

/// The bit that is set in [`Visit::sector`] once the region was expanded. Numbers of sectors never have this bit, as a
/// world has fewer than 2³¹ sectors.
const CLOSED: u32 = 1 << 31;

/// A `Visit` holds what a query has found out about one region.
#[derive(Copy, Clone, Default)]
struct Visit {
    /// The cost of the cheapest route found from the start to the region's centre.
    g: u32,
    stamp: u32,
    /// The place of the region before this one on that route, or [`NONE`].
    before: u32,
    /// The region's sector, and the bit [`CLOSED`].
    sector: u32,
}

impl Stamp for Visit {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.stamp
    }
}

/// A `Mark` with the current stamp says that searches may enter a second-level sector.
#[derive(Copy, Clone, Default)]
struct Mark(u32);

impl Stamp for Mark {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.0
    }
}

/// `Visits` holds what a search over regions writes besides its open list.
#[derive(Default)]
pub(super) struct Visits {
    by_place: Stamped<Visit>,
    /// The regions that [`Visits::visit`] was called for, in the order of the first calls: the queue of a breadth-first
    /// search.
    order: Vec<Spot>,
    /// The cost of the best route to the goal found so far, [`TOO_FAR`] before there is one.
    best: u64,
    /// The place of the last region before the goal's on that route, [`NONE`] before there is one.
    last: u32,
    /// The second-level sectors that the search on the first level may enter, if `is_marked`.
    marks: Stamped<Mark>,
    /// Whether that search is restricted to marked sectors.
    is_marked: bool,
}

impl Visits {
    /// Forgets all visits and makes room for those of a level.
    pub(super) fn begin(&mut self, sectors: &Sectors) {
        self.by_place.reset(sectors.places(), u32::MAX);
        self.order.clear();
    }

    /// Adds a region to the order of visits unless it was visited before.
    pub(super) fn visit(&mut self, spot: Spot) {
        let stamp = self.by_place.stamp();
        let visit = self.by_place.slot(spot.place as usize);
        if visit.stamp != stamp {
            *visit = Visit { stamp, sector: spot.sector, ..Visit::default() };
            self.order.push(spot);
        }
    }

    /// Returns the region at a position in the order of visits, counted from 0, or `None` if there are fewer.
    pub(super) fn nth(&self, number: usize) -> Option<Spot> {
        self.order.get(number).copied()
    }

    /// Lets the next search enter all sectors.
    pub(super) fn unmark(&mut self) {
        self.is_marked = false;
    }

    /// Restricts the next search to the second-level sectors of the route just found on the second level, and to those
    /// around them, as a cheaper route may lead through a neighbouring sector.
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

    /// Marks a second-level sector and those around it.
    fn mark_around(&mut self, layout: &Layout, sector: u32) {
        let stamp = self.marks.stamp();
        for near in layout.around(1, sector) {
            *self.marks.slot(near as usize) = Mark(stamp);
        }
    }

    /// Returns whether the last search found a route whose cost fits 32 bits.
    pub(super) fn has_way(&self) -> bool {
        self.best < TOO_FAR
    }

    /// Writes the stops of the route found: the start, the centres of the regions between, the goal.
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
        self.by_place.bytes() + held(&self.order) + self.marks.bytes()
    }
}

/// A `RegionSearch` is one query's search over the regions of one level.
pub(super) struct RegionSearch<'a> {
    pub(super) layout: &'a Layout,
    pub(super) sectors: &'a Sectors,
    pub(super) task: Task<'a>,
    /// The regions of start and goal, which must differ.
    pub(super) ends: [Spot; 2],
    pub(super) visits: &'a mut Visits,
    pub(super) open: &'a mut BucketList,
}

impl RegionSearch<'_> {
    /// Makes the records ready for a new search and adds the regions that meet the start's.
    pub(super) fn begin(&mut self, probe: &mut impl Probe) {
        self.visits.begin(self.sectors);
        (self.visits.best, self.visits.last) = (TOO_FAR, NONE);
        self.open.reset(0, least_prices(self.task.grid).straight);
        let stamp = self.visits.by_place.stamp();
        let Spot { sector, place } = self.ends[0];
        *self.visits.by_place.slot(place as usize) = Visit { g: 0, stamp, before: NONE, sector: sector | CLOSED };
        self.reach(self.ends[0], self.task.from, 0, probe);
    }

    /// Expands up to `left` regions, counting `left` down. Returns `true` once the search has ended: the open list is
    /// empty, or none of its regions can lead to a cheaper route than the best found.
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
                continue; // an outdated entry: a later one with a better key has been expanded already
            }
            *left -= 1;
            probe.event(Event::Expand { node, g });
            self.reach(spot, centre, g, probe);
        }
        false
    }

    /// Looks at the regions that the region `from` meets, and adds those that become cheaper to the open list. Their
    /// distance is measured from the cell `at`, which was reached at cost `g`: the centre of `from`, or the start.
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
            // Where weights differ, the way costs the mean of both regions' weights.
            let prices = match weight.zip(sectors.weight(to)) {
                Some((a, b)) => task.grid.metric().prices().at_mean_weight(u64::from(a) + u64::from(b), 2),
                None => least,
            };
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
