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

mod chart_cost;
mod climb;
mod front;
mod fronts;
mod leaf;
mod many;
mod near;
mod outline;
mod ports;
mod query;
mod regions;
mod saved;
mod tree_repair;
mod unpack;
mod walks;
mod widths;

pub(crate) use climb::RhumbScratch;
pub(crate) use saved::open;

use super::shared::settings::{DIRECT, SMOOTHING, smoothing};
use crate::id::Cell;
use crate::method::Leg;
use crate::method::{End, Legs, Method, Task};
use crate::outline::Outline;
use crate::planner::{Census, Repair};
use crate::probe::{Probe, Unwatched};
use crate::registry::{Algorithm, Param, Promise, Settings};
use crate::route::smooth::Smoothing;
use crate::saved::SectionStream;
use crate::scratch::Scratch;
use crate::world::Area;
use crate::world::Edit;
use crate::world::square::SquareGrid;
use front::FrontScratch;
use fronts::Plan;
use leaf::{LeafScratch, Prices};
use ports::Rule;
use regions::Regions;
use std::sync::Arc;
use widths::{AnyFronts, Chart, with};

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
    open: Some(open),
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
    room: RepairScratch,
}

/// Room to mend leaves in. A copy of a chart has its own.
#[derive(Default)]
struct RepairScratch(LeafScratch);

impl Clone for RepairScratch {
    fn clone(&self) -> RepairScratch {
        RepairScratch::default()
    }
}

impl Rhumb {
    /// A repair that made every leaf and front anew, after some others.
    fn all_redone(&self, others: usize) -> Repair {
        let regions = self.chart.regions();
        let leaves = regions.leaves.iter().map(|&leaf| regions.of(leaf).bounds);
        Repair::of(others + regions.all.len(), leaves)
    }

    fn new(grid: &SquareGrid, settings: &Settings) -> Rhumb {
        let plan = plan(settings, grid.uniform_weight().is_some());
        let regions = Regions::new(grid, plan.spacing, plan.placed, plan.rule);
        Self::of(grid, settings, Chart::build(grid, &Arc::new(regions), plan))
    }

    fn of(grid: &SquareGrid, settings: &Settings, chart: Chart) -> Rhumb {
        Rhumb {
            settings: settings.clone(),
            chart,
            uniform: grid.uniform_weight().is_some(),
            direct: settings.choice(DIRECT.name) == "yes",
            smoothing: smoothing(settings),
            room: RepairScratch::default(),
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

/// What steps cost in a chart: in about the world's proportion, and small, so that many fit. The world's own prices where
/// they are small; else the price of a straight step is 12 where that misses the proportion by four in a thousand at
/// most, and the number up to 50 that misses it least otherwise, which is by one in a hundred at most. Where weights
/// differ the prices are twice that, since a step costs the mean of two weights.
fn prices(grid: &SquareGrid) -> Prices {
    let (straight, diagonal) = (grid.metric().straight(), grid.metric().diagonal());
    let weighted = grid.weights().is_some();
    if diagonal <= if weighted { 100 } else { 24 } {
        return [straight, diagonal];
    }
    let rounded = |price: u32| (price * diagonal + straight / 2) / straight;
    let missed = |price: u32| f64::from((rounded(price) * straight).abs_diff(price * diagonal)) / f64::from(price);
    let few = f64::from(diagonal) / 250.0;
    let price =
        if missed(12) <= few { 12 } else { (12..=50).min_by(|&a, &b| missed(a).total_cmp(&missed(b))).unwrap_or(12) };
    [price, rounded(price)].map(|price| if weighted { 2 * price } else { price })
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
                None => self.find(task, scratch, &mut Unwatched),
                Some(mut probe) => self.find(task, scratch, &mut probe),
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
        let cells: usize = edits.iter().map(|edit| usize::from(edit.area.width) * usize::from(edit.area.height)).sum();
        if uniform != self.uniform || cells >= grid.width() * grid.height() / 8 {
            *self = Rhumb::new(grid, &self.settings);
            return Repair { rebuilt: true, ..self.all_redone(0) };
        }
        self.chart.keep_widest();
        let mut repair = Repair::default();
        if self.chart.fits() {
            let room = &mut self.room.0;
            repair =
                with!(&mut self.chart.fronts, fronts => fronts.repair(grid, edits, room, &mut FrontScratch::default()));
        }
        if self.chart.widen(grid) { self.all_redone(repair.clusters) } else { repair }
    }

    /// Fronts put off until they are asked for are made now, and lines go where they would be placed today.
    fn refresh(&mut self, grid: &SquareGrid) -> bool {
        let plan = plan(&self.settings, self.uniform);
        let regions = Regions::new(grid, plan.spacing, plan.placed, plan.rule);
        let moved = **self.chart.regions() != regions;
        if moved {
            *self = Rhumb::new(grid, &self.settings);
        } else {
            with!(&self.chart.fronts, fronts => fronts.settle_all());
            self.chart.widen(grid);
        }
        moved
    }

    fn costs_to(&self, grid: &SquareGrid, from: Cell, goals: &[Cell], scratch: &mut Scratch, costs: &mut [u32]) {
        self.sweep(grid, from, goals, scratch, costs);
    }

    fn legs(&self) -> Option<&dyn Legs> {
        Some(self)
    }

    fn anew(&self, grid: &SquareGrid) -> Option<Box<dyn Method>> {
        let regions = self.chart.regions();
        let plan = plan(&self.settings, grid.uniform_weight().is_some());
        let anew = || Rhumb::of(grid, &self.settings, Chart::build(grid, regions, plan));
        regions.is_of(grid).then(|| Box::new(anew()) as Box<dyn Method>)
    }

    fn save(&self) -> Option<Vec<SectionStream<'_>>> {
        Some(saved::sections(&self.chart))
    }

    fn census(&self, _: &SquareGrid) -> Vec<Census> {
        with!(&self.chart.fronts, fronts => fronts.census())
    }

    fn outline(&self, _: &SquareGrid) -> Option<Outline> {
        Some(with!(&self.chart.fronts, fronts => fronts.outline()))
    }

    fn tree(&self, _: &SquareGrid, port: Cell) -> Vec<(Cell, Cell)> {
        with!(&self.chart.fronts, fronts => fronts.tree(port))
    }

    fn bytes(&self) -> usize {
        self.chart.bytes()
    }
}

impl Legs for Rhumb {
    fn survey(&self, task: Task, scratch: &mut Scratch, left: &mut u64, legs: &mut Vec<Leg>) -> Option<End> {
        self.find_legs(task, scratch, left, legs)
    }

    fn refine(&self, grid: &SquareGrid, legs: &mut Vec<Leg>, _: &mut Scratch, cells: &mut Vec<Cell>) {
        let Some(next) = legs.last() else { return };
        // A leg is taken apart by the fronts of its region and those below, some of which may still have to be made.
        let holds = |chart: &Chart| with!(&chart.fronts, fronts => fronts.fits_below(next.region));
        let chart = self.chart.first_that(grid, holds);
        with!(&chart.fronts, fronts => fronts.refine(legs, cells));
    }

    fn bounds(&self, leg: Leg) -> Area {
        self.chart.regions().of(leg.region).bounds
    }
}
