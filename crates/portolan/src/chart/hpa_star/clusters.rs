//! A chart of clusters: ports on the borders, prices between them on any number of levels, and, if the plan says so, a
//! shortest-path tree for every port. A chart is built once and repaired after edits. Searches only read it, except
//! that they fill in prices and legs that are computed on first use.
//!
//! Levels are counted from 0 here: level 0 has clusters of cells, level 1 has groups of clusters of level 0, and so on.
//!
//! Not here: how prices are worked out (`pricing`), and the order of work in a repair (`repair`).

mod outline;
mod repair;
mod saved;

pub(super) use saved::dearest_way;

use super::entrance::{Entrances, Transition};
use super::level::{Entry, Exit, ExitStep, Level, Listing, Way};
use super::parts::Parts;
use super::pricing::LevelBelow;
use super::route_cache::RouteCache;
use super::trees::Trees;
use crate::chart::shared::arena::{Arena, Span};
use crate::chart::shared::cutout::{Cutout, Tree};
use crate::chart::shared::layout::Layout;
use crate::id::{Cell, next_serial};
use crate::memory::held;
use crate::open_list::{BucketList, BucketRing};
use crate::outline::Census;
use crate::space::Extras;
use crate::space::square::SquareGrid;

/// The settings from which a chart is built.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// Cells along a lowest cluster's side.
    pub(crate) size: u32,
    /// Clusters along the side of a cluster one level up.
    pub(crate) group: u32,
    pub(crate) levels: usize,
    /// Whether the world has links or one-way borders: there is only the lowest level then.
    pub(crate) linked: bool,
    pub(crate) entrances: Entrances,
    /// Whether prices are computed when a search first needs them, not when the chart is built.
    pub(crate) lazy: bool,
    pub(crate) keeps: Keeps,
}

/// What a chart keeps so that legs need no search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Keeps {
    Nothing,
    /// Each leg that was refined.
    Legs,
    /// A shortest-path tree over its cluster for every port.
    Trees,
    /// Trees. Rows of costs are made from the prices, so that repairs note which prices of the lowest level they change.
    TreesForRows,
}

impl Keeps {
    pub(crate) fn has_trees(self) -> bool {
        matches!(self, Keeps::Trees | Keeps::TreesForRows)
    }
}

/// The prices that a lowest cluster had before a repair changed them.
#[derive(Clone)]
pub(crate) struct Repriced {
    pub(crate) cluster: u32,
    pub(crate) before: Vec<u32>,
}

/// A chart of clusters.
#[derive(Clone)]
pub(crate) struct Clusters {
    plan: Plan,
    pub(crate) layout: Layout,
    /// Where the ports of a lowest cluster lie in `cell_by_port`, by cluster.
    span_by_cluster: Vec<Span>,
    cell_by_port: Arena<Cell>,
    pub(crate) levels: Vec<Level>,
    first_by_level: Vec<u32>,
    pub(crate) trees: Option<Trees>,
    pub(crate) kept: Option<RouteCache>,
    /// Whether some step or link of the world leads one way only.
    pub(crate) has_one_ways: bool,
    /// A number of this chart in its present state: every build and every repair takes a new one. What a search keeps
    /// for later queries is valid only for an equal number.
    pub(crate) serial: u64,
    /// A number of the ports and exits of the lowest level: a repair that changes any of them takes a new one.
    pub(crate) listed: u64,
    /// What the latest repair has changed of the prices of the lowest level, if the plan says that this is noted.
    pub(crate) repriced: Vec<Repriced>,
}

/// The transitions of all lowest clusters.
#[derive(Default)]
struct Crossings {
    all: Vec<Transition>,
    end_by_cluster: Vec<usize>,
}

impl Crossings {
    fn of(&self, cluster: u32) -> &[Transition] {
        let cluster = cluster as usize;
        let first = if cluster == 0 { 0 } else { self.end_by_cluster[cluster - 1] };
        &self.all[first..self.end_by_cluster[cluster]]
    }
}

/// Working memory for building and repairing a chart, for computing prices on first use, and for searches inside a
/// cluster.
#[derive(Default)]
pub(crate) struct BuildScratch {
    pub(crate) cutout: Cutout,
    pub(crate) tree: Tree,
    pub(crate) ring: BucketRing,
    pub(super) open: BucketList,
    transitions: Vec<Transition>,
    arrivals: Vec<Transition>,
    parts: Parts,
    pub(super) ports: Vec<Entry>,
    cells: Vec<Cell>,
    /// Costs between the ports of a cluster, or, for trees, between its ports and its cells.
    pub(super) costs: Vec<u32>,
    pub(super) steps: Vec<u8>,
    pub(super) ways: Vec<Way>,
    pub(super) prices: Vec<u32>,
    pub(super) inner: LevelBelow,
}

/// A copy is empty: nothing in this memory is needed after the call that wrote it.
impl Clone for BuildScratch {
    fn clone(&self) -> BuildScratch {
        BuildScratch::default()
    }
}

impl BuildScratch {
    pub(crate) fn bytes(&self) -> usize {
        self.cutout.bytes()
            + self.tree.bytes()
            + self.ring.bytes()
            + self.open.bytes()
            + held(&self.transitions)
            + held(&self.arrivals)
            + self.parts.bytes()
            + held(&self.ports)
            + held(&self.cells)
            + held(&self.costs)
            + held(&self.steps)
            + held(&self.ways)
            + held(&self.prices)
            + self.inner.bytes()
    }
}

impl Clusters {
    pub(crate) fn build(grid: &SquareGrid, plan: Plan, room: &mut BuildScratch) -> Clusters {
        let mut chart = Clusters::blank(grid, plan);
        let crossings = chart.list_all_ports(grid, room);
        for cluster in 0..chart.layout.tier(0).count() as u32 {
            chart.link(grid, cluster, crossings.of(cluster), room);
            chart.price(grid, cluster, room);
        }
        for level in 1..chart.levels.len() {
            for cluster in 0..chart.layout.tier(level).count() as u32 {
                chart.group(level, cluster, room);
                chart.refill(grid, level, cluster, room);
            }
        }
        chart.repriced = Vec::new();
        chart
    }

    /// Returns a chart with its clusters laid out, but without ports and prices.
    fn blank(grid: &SquareGrid, plan: Plan) -> Clusters {
        let layout =
            Layout::new(grid.width(), grid.height(), plan.size, plan.group, if plan.linked { 1 } else { plan.levels });
        let count = layout.tier(0).count();
        let levels = (0..layout.levels()).map(|level| Level::new(layout.tier(level).count(), plan.lazy)).collect();
        let counts = (0..layout.levels()).scan(0, |sum, level| {
            *sum += layout.tier(level).count() as u32;
            Some(*sum)
        });
        Clusters {
            first_by_level: [0].into_iter().chain(counts).collect(),
            plan,
            span_by_cluster: vec![Span::default(); count],
            cell_by_port: Arena::default(),
            levels,
            trees: plan.keeps.has_trees().then(|| Trees::new(count)),
            kept: (plan.keeps == Keeps::Legs).then(|| RouteCache::new(count, grid.uniform_weight().is_some())),
            layout,
            has_one_ways: grid.has_one_ways(),
            serial: next_serial(),
            listed: next_serial(),
            repriced: Vec::new(),
        }
    }

    /// Returns the cells along a lowest cluster's side.
    pub(crate) fn side(&self) -> u32 {
        self.plan.size
    }

    /// Returns whether the chart has the levels of the world: only one if there are links or one-way borders.
    pub(crate) fn suits(&self, grid: &SquareGrid) -> bool {
        self.plan.linked == (grid.extras() > Extras::Walls)
    }

    /// Builds the chart for a world that links or one-way borders were added to or taken from.
    pub(crate) fn built_again(&self, grid: &SquareGrid, room: &mut BuildScratch) -> Clusters {
        Self::build(grid, Plan { linked: grid.extras() > Extras::Walls, ..self.plan }, room)
    }

    /// Returns the number of a cluster among the clusters of all levels, which are counted from the lowest level up.
    #[inline(always)]
    pub(crate) fn mark(&self, level: usize, cluster: u32) -> u32 {
        self.first_by_level[level] + cluster
    }

    /// Returns how many clusters there are on all levels together.
    pub(crate) fn mark_count(&self) -> usize {
        self.first_by_level[self.levels.len()] as usize
    }

    pub(crate) fn cell(&self, port: u32) -> Cell {
        self.cell_by_port.items()[port as usize]
    }

    /// Returns the cells of a lowest cluster's ports, sorted, and the number of the first port. The other ports have
    /// the numbers that follow.
    pub(crate) fn ports(&self, cluster: u32) -> (&[Cell], u32) {
        let span = self.span_by_cluster[cluster as usize];
        (self.cell_by_port.of(span), span.at)
    }

    /// Returns the length of an array that is indexed by port. There may be fewer ports, since a repair can leave
    /// numbers unused.
    pub(crate) fn port_count(&self) -> usize {
        self.cell_by_port.len()
    }

    /// Returns the port on a cell of a lowest cluster, or `None` if the cell is no port.
    pub(crate) fn port_at(&self, cluster: u32, cell: Cell) -> Option<u32> {
        let (cells, first) = self.ports(cluster);
        cells.binary_search(&cell).ok().map(|rank| first + rank as u32)
    }

    /// Returns the size of the abstract graph on each level, the lowest level first.
    pub(crate) fn census(&self, grid: &SquareGrid) -> Vec<Census> {
        let mut room = BuildScratch::default();
        let count = |(number, level): (usize, &Level)| {
            let mut census = Census { clusters: level.blocks.len(), ..Census::default() };
            for cluster in 0..level.blocks.len() as u32 {
                if level.awaits(cluster) {
                    self.fill_late(grid, number, cluster, &mut room);
                }
                census.nodes += level.entries(cluster).len();
                let exits = level.exits(cluster).iter().zip(level.leaves(cluster));
                // An edge that leads both ways is an exit of both its clusters.
                census.inter_edges += exits
                    .filter(|(exit, leave)| leave.from < exit.to || !level.leads_back(leave.from, exit.to))
                    .count();
                census.intra_edges += level.intra_edges(cluster);
            }
            census
        };
        self.levels.iter().enumerate().map(count).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.layout.bytes()
            + held(&self.span_by_cluster)
            + self.cell_by_port.bytes()
            + held(&self.levels)
            + self.levels.iter().map(Level::bytes).sum::<usize>()
            + held(&self.first_by_level)
            + self.trees.as_ref().map_or(0, Trees::bytes)
            + self.kept.as_ref().map_or(0, RouteCache::bytes)
            + held(&self.repriced)
            + self.repriced.iter().map(|repriced| held(&repriced.before)).sum::<usize>()
    }

    /// Lists the ports of all lowest clusters. Returns the transitions that make them ports.
    fn list_all_ports(&mut self, grid: &SquareGrid, room: &mut BuildScratch) -> Crossings {
        let mut crossings = Crossings::default();
        for cluster in 0..self.layout.tier(0).count() as u32 {
            self.list_ports(grid, cluster, room);
            crossings.all.extend_from_slice(&room.transitions);
            crossings.end_by_cluster.push(crossings.all.len());
        }
        crossings
    }

    /// Lists a lowest cluster's ports, which are the cells at which transitions leave or enter it, and leaves its transitions
    /// in `room.transitions`. Returns whether the ports have changed.
    fn list_ports(&mut self, grid: &SquareGrid, cluster: u32, room: &mut BuildScratch) -> bool {
        self.plan.entrances.of_cluster(grid, &self.layout, cluster, &mut room.transitions);
        room.cells.clear();
        room.cells.extend(room.transitions.iter().map(|transition| transition.from));
        if grid.has_one_ways() {
            self.plan.entrances.into_cluster(grid, &self.layout, cluster, &mut room.arrivals);
            room.cells.extend(room.arrivals.iter().map(|transition| transition.from));
            room.cells.sort_unstable();
        }
        room.cells.dedup();
        let span = &mut self.span_by_cluster[cluster as usize];
        if self.cell_by_port.of(*span) == room.cells {
            return false;
        }
        self.cell_by_port.resize(span, room.cells.len());
        self.cell_by_port.of_mut(*span).copy_from_slice(&room.cells);
        true
    }

    /// Finds a lowest cluster's transitions again and lists its ports and exits by them. The ports of all clusters must
    /// be up to date.
    fn relink(&mut self, grid: &SquareGrid, cluster: u32, room: &mut BuildScratch) -> Listing {
        let mut transitions = std::mem::take(&mut room.transitions);
        self.plan.entrances.of_cluster(grid, &self.layout, cluster, &mut transitions);
        let listing = self.link(grid, cluster, &transitions, room);
        room.transitions = transitions;
        listing
    }

    /// Lists the ports and exits of a lowest cluster on level 0. Each of its transitions is an exit to the port beyond
    /// the border.
    fn link(
        &mut self,
        grid: &SquareGrid,
        cluster: u32,
        transitions: &[Transition],
        room: &mut BuildScratch,
    ) -> Listing {
        let (cells, first) = self.ports(cluster);
        room.parts.find(grid, self.layout.bounds(0, cluster), cells);
        room.ways.clear();
        for &Transition { from, to } in transitions {
            let beyond = self.layout.tier(0).cluster(to);
            let port = self.port_at(beyond, to).expect("both sides of a border find one transition");
            let rank = cells.binary_search(&from).expect("every transition leaves from a port");
            let step = grid.step_cost(from, to).expect("transitions are legal steps").0;
            let leave = ExitStep { from: first + rank as u32, step };
            room.ways.push(Way { exit: Exit { to: port, cell: to }, leave, part: room.parts.by_port[rank] });
        }
        room.ways.sort_by_key(|way| way.part);
        room.ports.clear();
        let parts = cells.iter().zip(&room.parts.by_port).zip(first..);
        room.ports.extend(parts.map(|((&cell, &part), port)| Entry { port, cell, part }));
        self.levels[0].list(cluster, &room.ports, &room.ways)
    }

    /// Drops a lowest cluster's remembered legs, computes its trees again and refills its prices. Returns whether the
    /// prices may have changed.
    fn price(&mut self, grid: &SquareGrid, cluster: u32, room: &mut BuildScratch) -> bool {
        if let Some(kept) = &mut self.kept {
            kept.forget(cluster, self.span_by_cluster[cluster as usize].len as usize);
        }
        if let Some(trees) = &mut self.trees {
            let bounds = self.layout.bounds(0, cluster);
            let span = self.span_by_cluster[cluster as usize];
            let cells = self.cell_by_port.of(span);
            trees.plant(grid, cluster, bounds, cells, room);
        }
        let is_noted = self.plan.keeps == Keeps::TreesForRows;
        let before = if is_noted { self.levels[0].prices(cluster).to_vec() } else { Vec::new() };
        let has_changed = self.refill(grid, 0, cluster, room);
        if has_changed && is_noted {
            self.repriced.push(Repriced { cluster, before });
        }
        has_changed
    }

    /// Computes a cluster's prices again, or, with `edges=lazy`, drops them. Returns whether they may have changed.
    fn refill(&mut self, grid: &SquareGrid, level: usize, cluster: u32, room: &mut BuildScratch) -> bool {
        if self.plan.lazy {
            self.levels[level].put_off(cluster);
            return true;
        }
        self.reckon(grid, level, cluster, room);
        self.levels[level].fill(cluster, &room.prices)
    }

    /// Computes the prices of a cluster on first use, after those of the clusters it is made of.
    #[cold]
    pub(crate) fn fill_late(&self, grid: &SquareGrid, level: usize, cluster: u32, room: &mut BuildScratch) {
        if level > 0 {
            for child in self.layout.children(level, cluster) {
                if self.levels[level - 1].awaits(child) {
                    self.fill_late(grid, level - 1, child, room);
                }
            }
        }
        self.reckon(grid, level, cluster, room);
        self.levels[level].fill_late(cluster, &room.prices);
    }
}
