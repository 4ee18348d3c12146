//! Minimal memory: plans between regions, of which it keeps one cell and a few bits, then searches between centres.
//!
//! **Idea.** The world is cut into square sectors, and the free cells of a sector fall into regions that are connected
//! inside it. Of a region the chart keeps only its centre, which is one of its cells, and which regions of the
//! neighbouring sectors it meets. The cost from one centre to the next is estimated by their distance. The region of a
//! cell is found by flood fill when a query needs it. A query plans from region to region, then searches leg by leg
//! inside the few sectors that a leg joins. As centres lie off the best route, the end of each leg is trimmed before
//! the next leg begins, and the whole route is smoothed. With two levels, a query first plans over larger sectors; the
//! plan over the small ones then keeps to the large sectors of that plan and those around them.
//! **Use** it where memory is scarce: the chart takes less than a hundredth of HPA*'s. Edits take several times as long
//! as with HPA*.
//! **Promises** a route where there is one. Two regions meet if and only if a legal step leads from one to the other,
//! and legal steps inside a region lead from each of its cells to every other. So a plan over regions exists where a
//! route does, and it can be walked. A leg is searched in a rectangle that holds the sectors of the stops it joins and
//! those of all cells trimmed off the leg before. A step of the world between two cells of a rectangle is legal inside
//! it, too, as the cells beside a diagonal step also lie in it. So the leg can at least follow the trimmed cells and
//! then the regions of the plan, and its search cannot fail. Where a cost does not fit 32 bits, a flat search decides.
//! Routes are longer than the shortest, on average, by up to 0.5 % on maps of games, by 2 to 3 % in random clutter, and
//! by 7 % in rooms smaller than a sector, where the doors chosen decide the length.
//! **Costs** three bytes a region (five where a sector's side exceeds 16 cells), four a sector, and a byte for every
//! meeting with a region that is not the first of its sector. A query expands one node for each region it looks at, and
//! the cells of the legs that it has to search. Its scratch takes 16 bytes for each byte of packed regions and a few
//! for each cell of the sectors of one leg, but none for each cell of the world unless the flat search has to run. An
//! edit redoes the sectors it touches and those around them, on both levels.
//! **Departs** from its paper as follows. The start is joined to the centre of the second region of the plan, not to
//! that of its own region, and the goal to that of the last but one. Legs that nothing obstructs need no search. If the
//! regions of start and goal are one or meet, one leg joins them without a plan. Sectors also meet across corners. A
//! centre is placed where the costs to the middles of its region's contacts sum to the least; an exact search finds
//! that cell, where the paper tries some. On weighted ground a region keeps its mean weight. Routes can be pulled taut.
//! The second level is that of the successor paper of 2010.
//!
//! Sturtevant: Memory-efficient abstractions for pathfinding, 2007. Second level: Sturtevant, Geisberger: A comparison
//! of high-level approaches for speeding up pathfinding, 2010.

mod chart;
mod flood;
mod legs;
mod outline;
mod region_search;
mod sectors;
mod survey;
mod upper;

use super::shared::settings::{SMOOTHING, smoothing};
use crate::algorithm::{Algorithm, Listed, Promise};
use crate::chart::shared::sight::{walk_in_sight, walked};
use crate::id::Cell;
use crate::method::Repair;
use crate::method::{End, Method, Task};
use crate::outline::{Census, Outline};
use crate::probe::{Event, Phase, Probe, lent, with_probe};
use crate::route::smooth::{Smoothing, smooth};
use crate::scratch::Scratch;
use crate::settings::Param;
use crate::space::Edit;
use crate::space::Extras;
use crate::space::Motion;
use crate::space::square::SquareGrid;
use chart::Chart;
use legs::{LegSettings, MinimalMemoryScratch, Stage};
use region_search::RegionSearch;
use survey::Centres;

const SECTOR: Param = Param::count("sector", "cells along a sector's side", 16, 8, flood::MOST_SIDE as u64);

const CENTRES: Param = Param::choice(
    "centres",
    "where regions have theirs: placed, where ways out are shortest; centroid, in the middle of their cells",
    &["placed", "centroid"],
);

const TRIM: Param = Param::count("trim", "how much of a leg's end is taken back, in percent", 15, 0, 90);

const LEGS: Param = Param::count("legs", "how many centres ahead a leg is searched", 2, 1, 4);

const LEVELS: Param = Param::count("levels", "levels of sectors", 1, 1, 2);

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "minimal-memory",
    title: "Minimal memory",
    summary: "plans between the centres of regions, of which it keeps a few bytes; repaired after edits",
    paper: "Sturtevant 2007",
    params: &[SECTOR, CENTRES, TRIM, LEGS, LEVELS, SMOOTHING.with_default("taut")],
    bytes_per_cell: 4,
    table_bytes: |_, _| 0,
    motion: Motion::Steps,
    extras: Extras::Nothing,
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |_, _| 0,
    build: |grid, settings| {
        let centres = if settings.choice(CENTRES.name) == "placed" { Centres::Placed } else { Centres::Centroid };
        let (side, levels) = (settings.count(SECTOR.name) as u16, settings.count(LEVELS.name) as usize);
        Box::new(MinimalMemory {
            chart: Chart::new(grid, side, centres, levels),
            leg_settings: LegSettings {
                trim: settings.count(TRIM.name) as usize,
                ahead: settings.count(LEGS.name) as usize,
            },
            smoothing: smoothing(settings),
            flat: SquareGrid::exact().with_defaults(grid),
        })
    },
    open: None,
};

#[derive(Clone)]
struct MinimalMemory {
    chart: Chart,
    leg_settings: LegSettings,
    smoothing: Option<Smoothing>,
    /// Searches for the whole route where a cost found by way of the chart does not fit 32 bits.
    flat: Box<dyn Method>,
}

impl Method for MinimalMemory {
    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.is_new = true;
    }

    fn step(
        &self,
        task: Task,
        scratch: &mut Scratch,
        left: &mut u64,
        mut probe: Option<&mut dyn Probe>,
    ) -> Option<End> {
        if scratch.is_new {
            if *left == 0 {
                return None;
            }
            if walk_in_sight(task.grid, task.to, task.from, &mut scratch.trail) {
                return Some(with_probe!(probe, |watcher| arrive_at_once(task, &scratch.trail, left, watcher)));
            }
        }
        scratch.with_own(|scratch, own: &mut MinimalMemoryScratch| {
            if std::mem::take(&mut scratch.is_new) {
                (own.stage, own.owed) = (Stage::Begin, 0);
            }
            let end = with_probe!(lent(&mut probe), |watcher| self.advance(task, scratch, own, left, watcher));
            if own.stage == Stage::SearchAll { self.flat.step(task, scratch, left, probe) } else { end }
        })
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        self.chart.repair(grid, edits)
    }

    fn census(&self, _: &SquareGrid) -> Vec<Census> {
        self.chart.census()
    }

    fn outline(&self, _: &SquareGrid) -> Option<Outline> {
        Some(self.chart.outline())
    }

    fn bytes(&self) -> usize {
        self.chart.bytes()
    }
}

impl MinimalMemory {
    /// Continues a query whose goal is not in plain sight from the start, until the route is found, the budget `left`
    /// is spent, or the flat search has to take over. In the last case the stage is [`Stage::SearchAll`].
    fn advance(
        &self,
        task: Task,
        scratch: &mut Scratch,
        own: &mut MinimalMemoryScratch,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> Option<End> {
        loop {
            let paid = own.owed.min(*left);
            own.owed -= paid;
            *left -= paid;
            if *left == 0 {
                return None;
            }
            own.stage = match own.stage {
                Stage::Begin => self.connect(task, scratch, own, probe),
                Stage::SearchUpper => {
                    let mut search = self.search(task, scratch, own, 1);
                    if !search.run(left, probe) {
                        return None;
                    }
                    if search.visits.has_way() {
                        search.visits.mark(&self.chart.layout, search.ends[1]);
                    }
                    self.search(task, scratch, own, 0).begin(probe);
                    Stage::SearchLower
                }
                Stage::SearchLower => {
                    if !self.search(task, scratch, own, 0).run(left, probe) {
                        return None;
                    }
                    if own.visits.has_way() {
                        own.visits.way(&self.chart.layout, &self.chart.lower, task, &mut own.stops);
                        self.set_out(own, probe)
                    } else {
                        self.give_up(task, scratch)
                    }
                }
                Stage::Refine if own.has_arrived() => {
                    let trail = &mut scratch.trail;
                    trail.extend(own.cells.iter().rev());
                    match walked(task, trail) {
                        Some(cost) => return Some(End::Found(self.smoothed(task, own, trail, cost))),
                        None => self.give_up(task, scratch),
                    }
                }
                Stage::Refine => {
                    if own.lay(&self.chart, task, self.leg_settings, probe) {
                        Stage::Refine
                    } else {
                        self.give_up(task, scratch)
                    }
                }
                Stage::SearchAll => return None,
            };
        }
    }

    /// Finds the regions of start and goal, and begins to refine if they are one or meet, else to search. Returns the
    /// next stage.
    fn connect(
        &self,
        task: Task,
        scratch: &mut Scratch,
        own: &mut MinimalMemoryScratch,
        probe: &mut impl Probe,
    ) -> Stage {
        probe.event(Event::Phase { phase: Phase::Connect });
        let ends = [task.from, task.to].map(|cell| {
            probe.event(Event::Expand { node: task.grid.node(cell), g: 0 });
            self.chart.spot(task.grid, cell)
        });
        own.owed += 2;
        if self.chart.are_near(ends[0], ends[1]) {
            own.stops.clear();
            own.stops.extend([task.from, task.to]);
            return self.set_out(own, probe);
        }
        own.ends = [Some(ends), None];
        own.visits.unmark();
        if let Some(upper) = &self.chart.upper {
            let Chart { layout, lower, .. } = &self.chart;
            let above = ends.map(|end| upper::above(layout, lower, upper, end, &mut own.visits));
            own.ends[1] = Some(above).filter(|above| above[0] != above[1]);
        }
        probe.event(Event::Phase { phase: Phase::Search });
        let level = usize::from(own.ends[1].is_some());
        self.search(task, scratch, own, level).begin(probe);
        if level == 1 { Stage::SearchUpper } else { Stage::SearchLower }
    }

    /// Returns the search on a level, as far as it has come.
    fn search<'a>(
        &'a self,
        task: Task<'a>,
        scratch: &'a mut Scratch,
        own: &'a mut MinimalMemoryScratch,
        level: usize,
    ) -> RegionSearch<'a> {
        let open = &mut scratch.list;
        let Chart { layout, lower, upper, .. } = &self.chart;
        let sectors = upper.as_ref().filter(|_| level == 1).unwrap_or(lower);
        let ends = own.ends[level].expect("its ends were found before");
        RegionSearch { layout, sectors, task, ends, visits: &mut own.visits, open }
    }

    /// Begins to refine the stops into cells, and returns the next stage.
    fn set_out(&self, own: &mut MinimalMemoryScratch, probe: &mut impl Probe) -> Stage {
        probe.event(Event::Phase { phase: Phase::Refine });
        own.set_out(&self.chart);
        Stage::Refine
    }

    /// Smooths the route in the trail if the settings say so, and returns its cost. `cost` is the cost before.
    fn smoothed(&self, task: Task, own: &mut MinimalMemoryScratch, trail: &mut Vec<Cell>, cost: u32) -> u32 {
        self.smoothing.map_or(cost, |smoothing| smooth(task.grid, smoothing, trail, &mut own.spare))
    }

    /// Begins a flat search instead, which may find a cheaper route whose cost fits 32 bits. Returns the next stage.
    fn give_up(&self, task: Task, scratch: &mut Scratch) -> Stage {
        scratch.trail.clear();
        self.flat.begin(task, scratch);
        Stage::SearchAll
    }
}

/// Ends a query whose goal is in plain sight, with the route that the trail holds. No route is cheaper: if the cost of
/// this one does not fit 32 bits, no other cost does.
fn arrive_at_once(task: Task, trail: &[Cell], left: &mut u64, probe: &mut impl Probe) -> End {
    *left -= 1;
    probe.event(Event::Expand { node: task.start(), g: 0 });
    let Some(cost) = walked(task, trail) else { return End::NotFound };
    probe.event(Event::Goal { cost });
    End::Found(cost)
}
