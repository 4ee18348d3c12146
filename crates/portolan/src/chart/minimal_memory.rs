//! Minimal memory: plans between regions of which it keeps one cell and a few bits, then searches from centre to centre.
//!
//! **Idea.** The world is cut into square sectors, and the free cells of a sector fall into regions that are connected
//! inside it. Of a region nothing is kept but its centre and which regions around it meets; what a step between centres
//! costs is guessed from where they lie, and which region a cell belongs to is found by flood fill when somebody asks.
//! A query plans from region to region, then searches leg by leg inside the two or three sectors a leg joins. As centres
//! lie off the best way, the end of each leg is trimmed before the next begins, and the route is smoothed. With two
//! levels, larger sectors are planned over first, and the plan below keeps to those and the ones around them.
//! **Use** it where memory is dear: less than a hundredth of what HPA* takes. Edits take some times as long.
//! **Promises** a route where there is one. Two regions meet if and only if a legal step leads from one to the other, and
//! inside a region legal steps lead everywhere; so what the world connects, the regions do, and a way over regions can
//! be walked. A leg is searched in a rectangle that holds the sectors of the stops it joins and all that was trimmed
//! off the leg before; a step that is legal in the world is legal there, as cells beside a diagonal lie in every
//! rectangle that its ends lie in. So the trimmed part and the regions' own ways are open to it, and it cannot fail.
//! Where costs exceed what can be counted, a flat search has the last word. On maps of games routes are up to half a
//! percent too long on average, in random clutter two or three; where doors decide, rooms smaller than sectors, seven.
//! **Costs** three bytes a region and four a sector, and a byte for every region met beyond the first of its sector. A query
//! expands one node a region it looks at and the cells of legs not in plain sight. Its scratch takes 16 bytes for each of
//! the chart's and a few for each cell of some sectors, nothing for those of the world. An edit redoes the sectors it
//! touches and those around them, on both levels.
//! **Departs** from its paper: a start or goal is joined to the next centre, not its own region's; legs in plain sight
//! need no search; near goals are searched for at once; sectors also meet across corners; centres are placed where the
//! ways to the middles of a region's contacts are shortest, by exact search, not by trying some; a region on weighted
//! ground keeps its mean weight. Routes can be pulled taut. The second level is that of its successor.
//!
//! Sturtevant: Memory-efficient abstractions for pathfinding, 2007. Second level: Sturtevant, Geisberger: A comparison
//! of high-level approaches for speeding up pathfinding, 2010.

mod chart;
mod flood;
mod outline;
mod passage;
mod region_search;
mod sectors;
mod survey;
mod upper;

use super::shared::settings::{SMOOTHING, smoothing};
use crate::chart::shared::sight::{walk_in_sight, walked};
use crate::method::{End, Method, Task};
use crate::outline::Outline;
use crate::planner::{Census, Repair};
use crate::probe::{Event, Phase, Probe, Unwatched};
use crate::registry::{Algorithm, Param, Promise};
use crate::route::smooth::{Smoothing, smooth};
use crate::scratch::Scratch;
use crate::search::a_star;
use crate::world::Edit;
use crate::world::square::SquareGrid;
use chart::Chart;
pub(crate) use passage::MinimalMemoryScratch;
use passage::{LegSettings, Stage};
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
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |_, _| 0,
    build: |grid, settings| {
        let centres = if settings.choice(CENTRES.name) == "placed" { Centres::Placed } else { Centres::Centroid };
        let (side, levels) = (settings.count(SECTOR.name) as u16, settings.count(LEVELS.name) as usize);
        let defaults = a_star::ALGORITHM.settings::<&str, &str>(&[]).expect("defaults are sound");
        Box::new(MinimalMemory {
            chart: Chart::new(grid, side, centres, levels),
            leg_settings: LegSettings {
                trim: settings.count(TRIM.name) as usize,
                ahead: settings.count(LEGS.name) as usize,
            },
            smoothing: smoothing(settings),
            flat: (a_star::ALGORITHM.build)(grid, &defaults),
        })
    },
    open: None,
};

#[derive(Clone)]
struct MinimalMemory {
    chart: Chart,
    leg_settings: LegSettings,
    smoothing: Option<Smoothing>,
    /// Searches for what the chart cannot count.
    flat: Box<dyn Method>,
}

impl Method for MinimalMemory {
    fn begin(&self, _: Task, scratch: &mut Scratch) {
        (scratch.passage.stage, scratch.passage.owed) = (Stage::Begin, 0);
    }

    fn step(
        &self,
        task: Task,
        scratch: &mut Scratch,
        left: &mut u64,
        mut probe: Option<&mut dyn Probe>,
    ) -> Option<End> {
        let end = match &mut probe {
            None => self.advance(task, scratch, left, &mut Unwatched),
            Some(probe) => self.advance(task, scratch, left, probe),
        };
        if scratch.passage.stage == Stage::SearchAll { self.flat.step(task, scratch, left, probe) } else { end }
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
    /// Goes on until the route is found, nothing is left, or the flat search has to take over.
    fn advance(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: &mut impl Probe) -> Option<End> {
        loop {
            let paid = scratch.passage.owed.min(*left);
            scratch.passage.owed -= paid;
            *left -= paid;
            if *left == 0 {
                return None;
            }
            scratch.passage.stage = match scratch.passage.stage {
                Stage::Begin => {
                    if walk_in_sight(task.grid, task.to, task.from, &mut scratch.trail) {
                        return Some(arrive_at_once(task, scratch, left, probe));
                    }
                    self.connect(task, scratch, probe)
                }
                Stage::SearchUpper => {
                    let mut search = self.search(task, scratch, 1);
                    if !search.run(left, probe) {
                        return None;
                    }
                    if search.visits.has_way() {
                        search.visits.mark(&self.chart.layout, search.ends[1]);
                    }
                    self.search(task, scratch, 0).begin(probe);
                    Stage::SearchLower
                }
                Stage::SearchLower => {
                    if !self.search(task, scratch, 0).run(left, probe) {
                        return None;
                    }
                    let passage = &mut scratch.passage;
                    if passage.visits.has_way() {
                        passage.visits.way(&self.chart.layout, &self.chart.lower, task, &mut passage.stops);
                        self.set_out(scratch, probe)
                    } else {
                        self.give_up(task, scratch)
                    }
                }
                Stage::Refine if scratch.passage.has_arrived() => {
                    let Scratch { passage, trail, .. } = scratch;
                    trail.extend(passage.cells.iter().rev());
                    match walked(task, trail) {
                        Some(cost) => return Some(End::Found(self.smoothed(task, scratch, cost))),
                        None => self.give_up(task, scratch),
                    }
                }
                Stage::Refine => {
                    if scratch.passage.lay(&self.chart, task, self.leg_settings, probe) {
                        Stage::Refine
                    } else {
                        self.give_up(task, scratch)
                    }
                }
                Stage::SearchAll => return None,
            };
        }
    }

    /// Finds the regions of start and goal, and what to do with them.
    fn connect(&self, task: Task, scratch: &mut Scratch, probe: &mut impl Probe) -> Stage {
        probe.event(Event::Phase { phase: Phase::Connect });
        let ends = [task.from, task.to].map(|cell| {
            probe.event(Event::Expand { node: task.grid.node(cell), g: 0 });
            self.chart.spot(task.grid, cell)
        });
        let passage = &mut scratch.passage;
        passage.owed += 2;
        if self.chart.are_near(ends[0], ends[1]) {
            passage.stops.clear();
            passage.stops.extend([task.from, task.to]);
            return self.set_out(scratch, probe);
        }
        passage.ends = [Some(ends), None];
        passage.visits.unmark();
        if let Some(upper) = &self.chart.upper {
            let Chart { layout, lower, .. } = &self.chart;
            let above = ends.map(|end| upper::above(layout, lower, upper, end, &mut passage.visits));
            passage.ends[1] = Some(above).filter(|above| above[0] != above[1]);
        }
        probe.event(Event::Phase { phase: Phase::Search });
        let level = usize::from(passage.ends[1].is_some());
        self.search(task, scratch, level).begin(probe);
        if level == 1 { Stage::SearchUpper } else { Stage::SearchLower }
    }

    /// The search on a level.
    fn search<'a>(&'a self, task: Task<'a>, scratch: &'a mut Scratch, level: usize) -> RegionSearch<'a> {
        let Scratch { passage, list: open, .. } = scratch;
        let Chart { layout, lower, upper, .. } = &self.chart;
        let sectors = upper.as_ref().filter(|_| level == 1).unwrap_or(lower);
        let ends = passage.ends[level].expect("its ends were found before");
        RegionSearch { layout, sectors, task, ends, visits: &mut passage.visits, open }
    }

    fn set_out(&self, scratch: &mut Scratch, probe: &mut impl Probe) -> Stage {
        probe.event(Event::Phase { phase: Phase::Refine });
        scratch.passage.set_out(&self.chart);
        Stage::Refine
    }

    fn smoothed(&self, task: Task, scratch: &mut Scratch, cost: u32) -> u32 {
        let Scratch { passage, trail, .. } = scratch;
        self.smoothing.map_or(cost, |smoothing| smooth(task.grid, smoothing, trail, &mut passage.spare))
    }

    /// Leaves it to a flat search, which may find a way that can be counted.
    fn give_up(&self, task: Task, scratch: &mut Scratch) -> Stage {
        scratch.trail.clear();
        self.flat.begin(task, scratch);
        Stage::SearchAll
    }
}

/// Ends a query whose goal is in plain sight: no other way is shorter, should this one be too long to count.
fn arrive_at_once(task: Task, scratch: &mut Scratch, left: &mut u64, probe: &mut impl Probe) -> End {
    *left -= 1;
    probe.event(Event::Expand { node: task.start(), g: 0 });
    let Some(cost) = walked(task, &scratch.trail) else { return End::NotFound };
    probe.event(Event::Goal { cost });
    End::Found(cost)
}
