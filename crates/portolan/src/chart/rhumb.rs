//! The rhumb chart: near-optimal routes with no search.
//!
//! **Idea.** Lines of cells cut the world into leaves; on the lines lie ports. Every region of the binary tree of cuts
//! keeps what it costs from the ports on its line to those on its sides. A query adds up rows of such costs from the
//! start's leaf upwards and from the goal's, until no higher line can help, and is left with the best place to cross.
//! The first step is known then; the whole route follows by taking costs apart again and walking trees in leaves.
//! **Use** it wherever many routes are asked for: on worlds that change, with weights, under any rules.
//! **Promises** a route wherever there is one (below). How much longer than the optimum it is follows from how far apart
//! ports are: well under one percent at the defaults on uniform ground.
//! **Costs** a Dijkstra over a leaf a port, and some thousand rows of additions, to build; a query is microseconds at
//! any distance. An edit redoes the leaves it touches and the fronts above them as far as anything changed, those of
//! large regions only when next asked for.
//! **Departs** from nothing: it is Portolan's own. Its relatives are nested dissection (George 1973), customizable
//! contraction hierarchies (Dibbelt, Strasser, Wagner 2016) and the multi-level overlay graphs of road networks.
//!
//! **Why no route is missed.** Every step of a walk has both its cells, and the side cells of a diagonal, inside one
//! leaf, since leaves share the line between them. So a walk is a sequence of stretches inside leaves, and wherever it
//! passes from one leaf to the next it stands on a cell both have: a free cell of a line. If that is a corner, it is a
//! port. If not, it lies on a piece of line between two corners, which both leaves have in full, in a run of free cells
//! of that piece; the run has a port, and from the cell to the port and back is a walk along the run, inside both. Take
//! that detour at each change of leaves: the walk now goes from port to port, each stretch inside a leaf, and all of
//! these have their costs in the chart. A walk that never changes leaves is what the search near start and goal is
//! for, which looks at all of a leaf that holds both.

mod climb;
mod front;
mod fronts;
mod leaf;
mod many;
mod mend;
mod near;
mod outline;
mod ports;
mod query;
mod regions;
mod saved;
mod toll;
mod unpack;
mod walks;

pub(crate) use climb::RhumbScratch;
pub(crate) use saved::open;

use super::cluster::NO_WAY;
use super::hpa_star::{DIRECT, SMOOTHING, smoothing};
use super::layout::Bounds;
use super::legs::Leg;
use super::saved::SectionStream;
use crate::id::Cell;
use crate::outline::Outline;
use crate::planner::{Census, Repair};
use crate::probe::{Probe, Unwatched};
use crate::registry::{Algorithm, Param, Promise, Settings};
use crate::route::smooth::Smoothing;
use crate::scratch::Scratch;
use crate::search::{End, Legs, Method, Task};
use crate::world::Edit;
use crate::world::square::SquareGrid;
use front::Bench;
use fronts::{Fronts, Plan};
use leaf::{Nursery, Prices};
use ports::Rule;
use regions::Regions;
use std::sync::Arc;
use toll::Narrow;

const SPACING: Param = Param::count("spacing", "cells from line to line", 32, 4, 64);
const GAP: Param = Param::count(
    "gap",
    "cells from port to port on a short line, at most, and more on long ones; 0 picks 8 where all ground weighs the same, else 6",
    0,
    0,
    64,
);
const BOTH_ENDS: Param =
    Param::count("both-ends", "free cells in a row from which on a port lies at either end", 2, 1, 64);
const LINES: Param = Param::choice(
    "lines",
    "placed moves each line up to a quarter of the spacing to where it needs the fewest ports; even keeps them apart evenly",
    &["placed", "even"],
);
const THREADS: Param = Param::count("threads", "threads to build with; 0 takes all there are", 0, 0, 256);

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "rhumb",
    title: "Rhumb chart",
    summary: "near-optimal routes with no search: rows of costs over nested regions; edits, weights, any rules",
    paper: "Portolan",
    params: &[SPACING, GAP, BOTH_ENDS, LINES, DIRECT, SMOOTHING, THREADS],
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |_, _| 0,
    build: |grid, settings| Box::new(Rhumb::new(grid, settings)),
};

/// A chart as an algorithm.
#[derive(Clone)]
struct Rhumb {
    settings: Settings,
    chart: Chart,
    /// Charted for ground of one weight.
    uniform: bool,
    direct: bool,
    smoothing: Option<Smoothing>,
    /// For repairs, which come in numbers.
    room: Room,
}

/// Room to mend leaves in. A copy of a chart has its own.
#[derive(Default)]
struct Room(Nursery);

impl Clone for Room {
    fn clone(&self) -> Room {
        Room::default()
    }
}

/// A chart in the numbers its costs fit in.
#[derive(Clone)]
enum Chart {
    Narrow(Fronts<Narrow>),
    Wide(Fronts<f32>),
}

/// Runs the same code on a chart of either width.
macro_rules! with {
    ($chart:expr, $fronts:ident => $body:expr) => {
        match $chart {
            Chart::Narrow($fronts) => $body,
            Chart::Wide($fronts) => $body,
        }
    };
}

impl Rhumb {
    fn new(grid: &SquareGrid, settings: &Settings) -> Rhumb {
        let plan = plan(settings, grid.uniform_weight().is_some());
        let regions = Regions::new(grid, plan.spacing, plan.placed, plan.rule);
        Self::of(grid, settings, draw(grid, Arc::new(regions), plan))
    }

    fn of(grid: &SquareGrid, settings: &Settings, chart: Chart) -> Rhumb {
        Rhumb {
            settings: settings.clone(),
            chart,
            uniform: grid.uniform_weight().is_some(),
            direct: settings.choice(DIRECT.name) == "yes",
            smoothing: smoothing(settings),
            room: Room::default(),
        }
    }
}

fn plan(settings: &Settings, uniform: bool) -> Plan {
    let gap = match settings.count(GAP.name) as u16 {
        0 if uniform => 8,
        0 => 6,
        gap => gap,
    };
    let spacing = settings.count(SPACING.name) as usize;
    let threads = match settings.count(THREADS.name) as usize {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    Plan {
        spacing,
        placed: settings.choice(LINES.name) == "placed",
        rule: Rule { gap, both_ends: settings.count(BOTH_ENDS.name) as u16 },
        eager: (spacing * 5 / 2).pow(2),
        threads,
    }
}

/// Prices in the world's proportion: small enough for two bytes, twice as fine, and for a huge world of heavy ground
/// coarse ones that reach twelve times as far.
fn prices(grid: &SquareGrid) -> [Prices; 3] {
    let (straight, diagonal) = (grid.metric().straight(), grid.metric().diagonal());
    let narrow = [12, (12 * diagonal + straight / 2) / straight];
    [narrow, narrow.map(|price| 2 * price), [2, (2 * narrow[1] + 6) / 12]]
}

fn draw(grid: &SquareGrid, regions: Arc<Regions>, plan: Plan) -> Chart {
    let [narrow, wide, coarse] = prices(grid);
    if grid.uniform_weight().is_some() {
        let fronts = Fronts::build(grid, Arc::clone(&regions), plan, narrow);
        if fronts.fits() {
            return Chart::Narrow(fronts);
        }
    }
    let fronts = Fronts::build(grid, Arc::clone(&regions), plan, wide);
    if fronts.fits() {
        return Chart::Wide(fronts);
    }
    Chart::Wide(Fronts::build(grid, regions, plan, coarse))
}

impl Method for Rhumb {
    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.rhumb.end = None;
    }

    /// A few microseconds are not worth dividing: the first slice does the work, and all of them pay for it.
    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        if *left == 0 {
            return None;
        }
        if scratch.rhumb.end.is_none() {
            let (end, owed) = match probe {
                None => with!(&self.chart, fronts => self.find(fronts, task, scratch, &mut Unwatched)),
                Some(mut probe) => with!(&self.chart, fronts => self.find(fronts, task, scratch, &mut probe)),
            };
            (scratch.rhumb.end, scratch.rhumb.owed) = (Some(end), owed);
        }
        let paid = scratch.rhumb.owed.min(*left);
        *left -= paid;
        scratch.rhumb.owed -= paid;
        scratch.rhumb.end.filter(|_| scratch.rhumb.owed == 0)
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        let uniform = grid.uniform_weight().is_some();
        let fits = with!(&self.chart, fronts => fronts.fits());
        let cells: usize = edits.iter().map(|edit| usize::from(edit.area.width) * usize::from(edit.area.height)).sum();
        let mut repair = Repair::default();
        if uniform == self.uniform && fits && cells < grid.width() * grid.height() / 8 {
            let room = &mut self.room.0;
            repair = with!(&mut self.chart, fronts => fronts.repair(grid, edits, room, &mut Bench::default()));
            if with!(&self.chart, fronts => fronts.fits()) {
                return repair;
            }
        }
        *self = Rhumb::new(grid, &self.settings);
        let regions = with!(&self.chart, fronts => &fronts.regions);
        let leaves = regions.leaves.iter().map(|&leaf| regions.of(leaf).bounds.into());
        Repair::of(repair.clusters + regions.all.len(), leaves)
    }

    /// Fronts put off until they are asked for are made now, and lines go where they would be placed today.
    fn refresh(&mut self, grid: &SquareGrid) {
        let plan = plan(&self.settings, self.uniform);
        let regions = Regions::new(grid, plan.spacing, plan.placed, plan.rule);
        if with!(&self.chart, fronts => *fronts.regions == regions) {
            with!(&self.chart, fronts => fronts.settle_all());
        } else {
            *self = Rhumb::new(grid, &self.settings);
        }
    }

    fn costs_to(&self, grid: &SquareGrid, from: Cell, goals: &[Cell], scratch: &mut Scratch, costs: &mut [u32]) {
        with!(&self.chart, fronts => {
            fronts.costs_to(grid, from, goals, &mut scratch.rhumb, costs);
            for cost in costs.iter_mut().filter(|cost| **cost != NO_WAY) {
                *cost = fronts.world_cost(grid, *cost).unwrap_or(NO_WAY);
            }
        });
    }

    fn legs(&self) -> Option<&dyn Legs> {
        Some(self)
    }

    fn anew(&self, grid: &SquareGrid) -> Option<Box<dyn Method>> {
        let regions = with!(&self.chart, fronts => &fronts.regions);
        let plan = plan(&self.settings, grid.uniform_weight().is_some());
        let anew = || Rhumb::of(grid, &self.settings, draw(grid, Arc::clone(regions), plan));
        regions.is_of(grid).then(|| Box::new(anew()) as Box<dyn Method>)
    }

    fn save(&self) -> Option<Vec<SectionStream<'_>>> {
        Some(saved::sections(&self.chart))
    }

    fn census(&self, _: &SquareGrid) -> Vec<Census> {
        with!(&self.chart, fronts => fronts.census())
    }

    fn outline(&self, _: &SquareGrid) -> Option<Outline> {
        Some(with!(&self.chart, fronts => fronts.outline()))
    }

    fn tree(&self, _: &SquareGrid, port: Cell) -> Vec<(Cell, Cell)> {
        with!(&self.chart, fronts => fronts.tree(port))
    }

    fn bytes(&self) -> usize {
        with!(&self.chart, fronts => fronts.bytes())
    }
}

impl Legs for Rhumb {
    fn survey(&self, task: Task, scratch: &mut Scratch, left: &mut u64, legs: &mut Vec<Leg>) -> Option<End> {
        with!(&self.chart, fronts => self.survey_on(fronts, task, scratch, left, legs))
    }

    fn refine(&self, _: &SquareGrid, legs: &mut Vec<Leg>, _: &mut Scratch, cells: &mut Vec<Cell>) {
        with!(&self.chart, fronts => fronts.refine(legs, cells));
    }

    fn bounds(&self, leg: Leg) -> Bounds {
        with!(&self.chart, fronts => fronts.regions.of(leg.region).bounds)
    }
}
