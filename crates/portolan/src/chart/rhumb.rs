//! The rhumb chart: near-optimal routes without a search.
//!
//! **Idea.** A line of cells halves the world, further lines halve the halves, and so on down to small rectangles
//! called leaves. Some cells of the lines are ports. Each rectangle of this binary tree of cuts is a region; unless it
//! is a leaf, its front keeps the costs from the ports on its line to each other and to the ports on its sides. A query
//! climbs from the leaf of the start and from the leaf of the goal through larger and larger regions. It adds rows of
//! those costs until no larger region can offer a cheaper way. The result is the port where the two climbs meet at the
//! least cost. The first step of the route is known then. The whole route follows by splitting each cost into those
//! that it is the sum of, until every part lies inside a leaf, where a tree for each port gives the steps.
//! **Use** it where many routes are needed: on worlds that change, with or without weights, under any rules of
//! movement.
//! **Promises** a route wherever there is one (see below). How much longer it is than the optimum depends on how far
//! apart ports are: less than one percent on average at the default settings on ground of one weight.
//! **Costs** a Dijkstra search over a leaf for each of its ports, and some thousand additions of rows, to build. A
//! query takes microseconds, near or far, on worlds of 512 cells a side, and about a millisecond on worlds of 8,192. An
//! edit redoes the leaves that it touches and those fronts above them whose costs may change; the fronts of large
//! regions are redone only when a query next needs them.
//! **Departs** from no paper: it is Portolan's own. Its relatives are nested dissection (George 1973), customizable
//! contraction hierarchies (Dibbelt, Strasser, Wagner 2016) and the multi-level overlay graphs of road networks.
//! Reference: `docs/rhumb-chart.md`.
//!
//! **Why no route is missed.** Neighbouring leaves share the line of cells between them. So both cells of every step,
//! and the two cells beside a diagonal step, lie inside one leaf. A walk is therefore a sequence of stretches, each
//! inside a leaf, and where it passes from one leaf to the next it is on a cell of both leaves: a free cell of a line.
//! If that cell is a corner, where one line ends at another, it is a port. If not, it lies on a piece of a line between
//! two corners, in a run of free cells of that piece. Both leaves contain the whole piece, and every such run has a
//! port. The walk along the run from the cell to that port and back stays inside both leaves. With this detour at each
//! change of leaves, the walk goes from port to port, each stretch inside a leaf, and the chart has the cost of every
//! such stretch. A walk that never changes leaves is found by the search near start and goal, which covers every leaf
//! that contains both.

//!
//! **Links and one-way borders.** A link joins two ports of the smallest region that contains both of its ends; regions below
//! that one have the end among the ports of their sides (`links.rs`). A border that is crossed one way only ends a run as a wall
//! does, so that the detour along a run leads both ways. Where it makes the costs between ports differ by direction, leaves and
//! fronts are kept twice, for the way there and for the way back (`front.rs`), up to the regions in which costs are equal again.
//! A climb from the start adds rows of the former, one from the goal rows of the latter. A world that is a single leaf has no
//! region for links: there, routes are searched.

mod bound;
mod chart_cost;
mod climb;
mod flatten;
mod front;
mod fronts;
mod leaf;
mod links;
mod many;
mod near;
mod outline;
mod ports;
mod query;
mod regions;
mod saved;
mod scratch;
mod tree_repair;
mod unpack;
mod walks;
mod widths;

pub(crate) use saved::open;

use super::shared::settings::{DIRECT, SMOOTHING, THREADS, smoothing, threads};
use crate::algorithm::{Algorithm, Promise};
use crate::cost::Prices;
use crate::flat::Flat;
use crate::id::Cell;
use crate::method::Leg;
use crate::method::Repair;
use crate::method::{End, Legs, Method, Task};
use crate::outline::{Census, Outline};
use crate::probe::{Probe, with_probe};
use crate::route::smooth::Smoothing;
use crate::saved::SectionStream;
use crate::scratch::Scratch;
use crate::settings::{Param, Settings};
use crate::space::Area;
use crate::space::Edit;
use crate::space::Extras;
use crate::space::Motion;
use crate::space::square::SquareGrid;
use front::FrontScratch;
use fronts::Plan;
use leaf::LeafScratch;
use ports::Rule;
use regions::Regions;
use scratch::RhumbScratch;
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
pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "rhumb",
    title: "Rhumb chart",
    summary: "near-optimal routes with no search: rows of costs over nested regions; edits, weights, any rules",
    paper: "Portolan",
    params: &[SPACING, GAP, BOTH_ENDS, LINES, DIRECT, SMOOTHING, THREADS],
    bytes_per_cell: 68,
    table_bytes: |_, _| 0,
    motion: Motion::Steps,
    extras: Extras::OneWays,
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |_, _| 0,
    build: |grid, settings| Box::new(Rhumb::new(grid, settings)),
    open: Some(open),
};

/// A rhumb chart with the settings of its queries, as the [`Method`] of a planner.
#[derive(Clone)]
struct Rhumb {
    settings: Settings,
    chart: Chart,
    /// Whether all free cells had one weight when the chart was built.
    uniform: bool,
    direct: bool,
    smoothing: Option<Smoothing>,
    /// Scratch memory that repairs reuse, since there are often many of them.
    room: RepairScratch,
}

/// Scratch memory for repairing leaves. A clone begins with an empty one, so that a chart is cloned without it.
#[derive(Default)]
struct RepairScratch(Box<LeafScratch>);

impl Clone for RepairScratch {
    fn clone(&self) -> RepairScratch {
        RepairScratch::default()
    }
}

impl Rhumb {
    /// Returns the report of a repair that made all leaves and fronts anew, after `others` of them had already been
    /// redone.
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
    Plan {
        spacing,
        placed: settings.choice(LINES.name) == "placed",
        rule: Rule { gap, both_ends: settings.count(BOTH_ENDS.name) as u16 },
        eager: (spacing * 5 / 2).pow(2),
        threads: threads(settings),
    }
}

/// Returns what a straight and a diagonal step cost in a chart of `grid`. The two prices have about the proportion of
/// the world's prices and are small, so that the costs of long ways fit into narrow numbers. Where the world's own
/// prices are small they are used as they are. Otherwise a straight step costs 12 if the proportion is then off by at
/// most four in a thousand, else the number from 12 to 50 for which it is off least, which is by at most one in a
/// hundred. Where weights differ, prices other than the world's own are doubled, so that the mean of two weights times
/// a price is a whole number. Where there are links, whose costs are any numbers, the chart counts as the world does.
fn prices(grid: &SquareGrid) -> Prices {
    if grid.has_links() {
        let weight = if grid.weights().is_none() { grid.least_weight().max(1) } else { 1 };
        return grid.metric().prices().times(weight.into());
    }
    let (straight, diagonal) = (grid.metric().straight(), grid.metric().diagonal());
    let weighted = grid.weights().is_some();
    if diagonal <= if weighted { 100 } else { 24 } {
        return grid.metric().prices();
    }
    let rounded = |price: u32| (price * diagonal + straight / 2) / straight;
    let missed = |price: u32| f64::from((rounded(price) * straight).abs_diff(price * diagonal)) / f64::from(price);
    let few = f64::from(diagonal) / 250.0;
    let price =
        if missed(12) <= few { 12 } else { (12..=50).min_by(|&a, &b| missed(a).total_cmp(&missed(b))).unwrap_or(12) };
    Prices { straight: price, diagonal: rounded(price) }.times(if weighted { 2 } else { 1 })
}

impl Method for Rhumb {
    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.is_new = true;
    }

    /// Does the whole search in the first slice, because a few microseconds are not worth dividing. The expansions it
    /// took are then subtracted from `left` in this slice and, if that is too little, in the following ones; the end of
    /// the search is returned once all of them are subtracted.
    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        if *left == 0 {
            return None;
        }
        let Scratch { is_new, states, trail, .. } = scratch;
        let own: &mut RhumbScratch = states.own();
        if std::mem::take(is_new) {
            let (end, owed) = with_probe!(probe, |watcher| self.find(task, own, trail, watcher));
            (own.end, own.owed) = (Some(end), owed);
        }
        own.pay(left)
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        let uniform = grid.uniform_weight().is_some();
        let cells: usize = edits.iter().map(|edit| usize::from(edit.area.width) * usize::from(edit.area.height)).sum();
        let counts_alike = with!(&self.chart.fronts, fronts => fronts.prices == prices(grid));
        if uniform != self.uniform || !counts_alike || cells >= grid.width() * grid.height() / 8 {
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

    /// Builds the chart anew if lines placed for the present terrain would run elsewhere, and returns whether that is
    /// so. Otherwise makes the fronts that repairs have put off.
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
        self.sweep(grid, from, goals, scratch.states.own(), costs);
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

    fn flat(&self, grid: &SquareGrid) -> Option<Flat> {
        self.flatten(grid).map(Flat::SquareFronts)
    }

    fn bytes(&self) -> usize {
        self.chart.bytes() + size_of::<LeafScratch>() + self.room.0.bytes()
    }
}

impl Legs for Rhumb {
    /// Does the whole search in the first slice, as [`Method::step`] does.
    fn survey(&self, task: Task, scratch: &mut Scratch, left: &mut u64, legs: &mut Vec<Leg>) -> Option<End> {
        let Scratch { is_new, states, trail, .. } = scratch;
        let own: &mut RhumbScratch = states.own();
        if std::mem::take(is_new) {
            let (end, owed) = self.find_legs(task, own, trail, legs);
            (own.end, own.owed) = (Some(end), owed);
        }
        own.pay(left)
    }

    fn refine(&self, grid: &SquareGrid, legs: &mut Vec<Leg>, _: &mut Scratch, cells: &mut Vec<Cell>) {
        let Some(next) = legs.last() else { return };
        // Splitting a leg needs the fronts of its region and of the regions inside it. Some of them may not be made
        // yet, and may turn out to need wider numbers when they are.
        let holds = |chart: &Chart| with!(&chart.fronts, fronts => fronts.fits_below(next.region));
        let chart = self.chart.first_that(grid, holds);
        with!(&chart.fronts, fronts => fronts.refine(legs, cells));
    }

    fn bounds(&self, leg: Leg) -> Area {
        self.chart.regions().of(leg.region).bounds
    }
}
