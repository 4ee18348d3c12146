//! A chart of clusters: ports on the borders, prices between them on any number of levels, and, where asked for, a
//! shortest-path tree for every port. Built once, repaired after edits, read-only while searched.
//!
//! Levels are counted from 0 here: level 0 has the clusters of the world itself, level 1 groups of those.

mod outline;
mod saved;

pub(super) use saved::dearest_way;

use super::arena::{Arena, Span};
use super::cluster::{Cutout, Tree};
use super::entrance::{Entrances, Transition};
use super::kept::Kept;
use super::layout::Layout;
use super::level::{Entry, Exit, Leave, Level, Listing, Way};
use super::parts::Parts;
use super::pricing::Inner;
use super::trees::Trees;
use crate::id::Cell;
use crate::open_list::{BucketList, BucketRing};
use crate::planner::{Census, Repair};
use crate::world::Edit;
use crate::world::square::SquareGrid;

/// What a chart is to be like.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// Cells along a lowest cluster's side.
    pub(crate) size: u32,
    /// Clusters along the side of a cluster one level up.
    pub(crate) group: u32,
    pub(crate) levels: usize,
    pub(crate) entrances: Entrances,
    /// Prices are worked out when a search first needs them.
    pub(crate) lazy: bool,
    /// Every port keeps a shortest-path tree over its cluster.
    pub(crate) trees: bool,
    /// Legs are refined once and remembered.
    pub(crate) kept: bool,
}

/// The chart.
#[derive(Clone)]
pub(crate) struct Clusters {
    plan: Plan,
    pub(crate) layout: Layout,
    /// A lowest cluster's ports, by cluster.
    span_by_cluster: Vec<Span>,
    cell_by_port: Arena<Cell>,
    pub(crate) levels: Vec<Level>,
    first_by_level: Vec<u32>,
    pub(crate) trees: Option<Trees>,
    pub(crate) kept: Option<Kept>,
    /// Tells charts apart, and states of the same chart.
    pub(crate) serial: u64,
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

/// Working memory of building and repairing, and of filling in prices on first use.
#[derive(Default)]
pub(crate) struct Workshop {
    pub(crate) cutout: Cutout,
    pub(crate) tree: Tree,
    pub(crate) ring: BucketRing,
    pub(super) open: BucketList,
    transitions: Vec<Transition>,
    parts: Parts,
    pub(super) ports: Vec<Entry>,
    cells: Vec<Cell>,
    /// Costs between ports, or from ports to cells.
    pub(super) costs: Vec<u32>,
    pub(super) steps: Vec<u8>,
    pub(super) ways: Vec<Way>,
    pub(super) prices: Vec<u32>,
    pub(super) inner: Inner,
}

/// A copy starts with empty hands: everything here is worked out anew each time.
impl Clone for Workshop {
    fn clone(&self) -> Workshop {
        Workshop::default()
    }
}

impl Workshop {
    pub(crate) fn bytes(&self) -> usize {
        self.cutout.bytes() + self.tree.bytes() + self.ring.bytes() + self.inner.bytes()
    }
}

fn next_serial() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static SERIALS: AtomicU64 = AtomicU64::new(1);
    SERIALS.fetch_add(1, Ordering::Relaxed)
}

impl Clusters {
    pub(crate) fn build(grid: &SquareGrid, plan: Plan, shop: &mut Workshop) -> Clusters {
        let mut chart = Clusters::blank(grid, plan);
        let crossings = chart.list_all_ports(grid, shop);
        for cluster in 0..chart.layout.tier(0).count() as u32 {
            chart.link(grid, cluster, crossings.of(cluster), shop);
            chart.price(grid, cluster, shop);
        }
        for level in 1..chart.levels.len() {
            for cluster in 0..chart.layout.tier(level).count() as u32 {
                chart.group(level, cluster, shop);
                chart.refill(grid, level, cluster, shop);
            }
        }
        chart
    }

    /// A chart laid out, with nothing on it.
    fn blank(grid: &SquareGrid, plan: Plan) -> Clusters {
        let layout = Layout::new(grid.width(), grid.height(), plan.size, plan.group, plan.levels);
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
            trees: plan.trees.then(|| Trees::new(count)),
            kept: plan.kept.then(|| Kept::new(count, grid.uniform_weight().is_some())),
            layout,
            serial: next_serial(),
        }
    }

    /// Redoes what the edits touch; says which clusters that were.
    pub(crate) fn repair(&mut self, grid: &SquareGrid, edits: &[Edit], shop: &mut Workshop) -> Repair {
        self.serial = next_serial();
        if let Some(kept) = &mut self.kept {
            kept.follow(grid.uniform_weight().is_some());
        }
        let mut redone = Vec::new();
        let mut border = Vec::new();
        for edit in edits {
            for cluster in self.layout.touched(edit.area) {
                redone.push(cluster);
                if self.layout.bounds(0, cluster).reaches_border(edit.area) {
                    border.extend(self.layout.around(0, cluster));
                }
            }
        }
        sort(&mut redone);
        sort(&mut border);
        // New ports first, then the links of everything that may lead to one, then prices. An edit away from the border
        // changes no port, but perhaps which of them are connected.
        let mut linked = [&redone[..], &border].concat();
        for cluster in border {
            if self.list_ports(grid, cluster, shop) {
                linked.extend(self.layout.around(0, cluster));
            }
        }
        sort(&mut linked);
        let (mut relinked, mut relisted) = (Vec::new(), Vec::new());
        for cluster in linked {
            match self.relink(grid, cluster, shop) {
                Listing::Same => {}
                Listing::Relinked => relinked.push(cluster),
                Listing::Other => relisted.push(cluster),
            }
        }
        redone.extend_from_slice(&relisted);
        sort(&mut redone);
        let mut repair = Repair::of(redone.len(), redone.iter().map(|&cluster| self.layout.bounds(0, cluster).into()));
        redone.retain(|&cluster| self.price(grid, cluster, shop) || relisted.binary_search(&cluster).is_ok());
        for level in 1..self.levels.len() {
            let parents = |clusters: &[u32]| {
                let mut parents = clusters.iter().map(|&cluster| self.layout.parent(level - 1, cluster)).collect();
                sort(&mut parents);
                parents
            };
            let (repriced, mut regrouped) = (parents(&redone), parents(&[&redone[..], &relinked].concat()));
            (redone, relinked) = (vec![], vec![]);
            for cluster in regrouped.drain(..) {
                let listing = self.group(level, cluster, shop);
                if listing == Listing::Other || repriced.binary_search(&cluster).is_ok() {
                    repair.clusters += 1;
                    if self.refill(grid, level, cluster, shop) || listing == Listing::Other {
                        redone.push(cluster);
                        continue;
                    }
                }
                if listing == Listing::Relinked {
                    relinked.push(cluster);
                }
            }
        }
        repair
    }

    /// A cluster's number when those of all levels are counted through.
    #[inline(always)]
    pub(crate) fn mark(&self, level: usize, cluster: u32) -> u32 {
        self.first_by_level[level] + cluster
    }

    /// How many clusters there are on all levels.
    pub(crate) fn mark_count(&self) -> usize {
        self.first_by_level[self.levels.len()] as usize
    }

    pub(crate) fn cell(&self, port: u32) -> Cell {
        self.cell_by_port.items()[port as usize]
    }

    /// The ports of a lowest cluster, in the order of their cells, and the number of the first.
    pub(crate) fn ports(&self, cluster: u32) -> (&[Cell], u32) {
        let span = self.span_by_cluster[cluster as usize];
        (self.cell_by_port.of(span), span.at)
    }

    /// One more than the greatest port.
    pub(crate) fn port_count(&self) -> usize {
        self.cell_by_port.len()
    }

    /// The port on a cell of a lowest cluster.
    pub(crate) fn port_at(&self, cluster: u32, cell: Cell) -> Option<u32> {
        let (cells, first) = self.ports(cluster);
        cells.binary_search(&cell).ok().map(|rank| first + rank as u32)
    }

    /// The size of the abstract graph on each level, the lowest first.
    pub(crate) fn census(&self, grid: &SquareGrid) -> Vec<Census> {
        let mut shop = Workshop::default();
        let count = |(number, level): (usize, &Level)| {
            let mut census = Census { clusters: level.blocks.len(), ..Census::default() };
            for cluster in 0..level.blocks.len() as u32 {
                if level.awaits(cluster) {
                    self.fill_late(grid, number, cluster, &mut shop);
                }
                census.nodes += level.entries(cluster).len();
                census.inter_edges += level.exits(cluster).len();
                census.intra_edges += level.intra_edges(cluster);
            }
            census.inter_edges /= 2; // seen from both sides
            census
        };
        self.levels.iter().enumerate().map(count).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.span_by_cluster.capacity() * size_of::<Span>()
            + self.cell_by_port.bytes()
            + self.levels.iter().map(Level::bytes).sum::<usize>()
            + self.trees.as_ref().map_or(0, Trees::bytes)
            + self.kept.as_ref().map_or(0, Kept::bytes)
    }

    /// Finds the ports of all lowest clusters, and the transitions they come from.
    fn list_all_ports(&mut self, grid: &SquareGrid, shop: &mut Workshop) -> Crossings {
        let mut crossings = Crossings::default();
        for cluster in 0..self.layout.tier(0).count() as u32 {
            self.list_ports(grid, cluster, shop);
            crossings.all.extend_from_slice(&shop.transitions);
            crossings.end_by_cluster.push(crossings.all.len());
        }
        crossings
    }

    /// Finds a lowest cluster's ports; says whether they are others than before.
    fn list_ports(&mut self, grid: &SquareGrid, cluster: u32, shop: &mut Workshop) -> bool {
        self.plan.entrances.of_cluster(grid, &self.layout, cluster, &mut shop.transitions);
        shop.cells.clear();
        shop.cells.extend(shop.transitions.iter().map(|transition| transition.from));
        shop.cells.dedup();
        let span = &mut self.span_by_cluster[cluster as usize];
        if self.cell_by_port.of(*span) == shop.cells {
            return false;
        }
        self.cell_by_port.resize(span, shop.cells.len());
        self.cell_by_port.of_mut(*span).copy_from_slice(&shop.cells);
        true
    }

    /// Leads a lowest cluster's exits to the ports that are now beyond.
    fn relink(&mut self, grid: &SquareGrid, cluster: u32, shop: &mut Workshop) -> Listing {
        let mut transitions = std::mem::take(&mut shop.transitions);
        self.plan.entrances.of_cluster(grid, &self.layout, cluster, &mut transitions);
        let listing = self.link(grid, cluster, &transitions, shop);
        shop.transitions = transitions;
        listing
    }

    /// Leads a lowest cluster's exits, which are these transitions, to the ports beyond.
    fn link(&mut self, grid: &SquareGrid, cluster: u32, transitions: &[Transition], shop: &mut Workshop) -> Listing {
        let (cells, first) = self.ports(cluster);
        shop.parts.find(grid, self.layout.bounds(0, cluster), cells);
        shop.ways.clear();
        for &Transition { from, to } in transitions {
            let beyond = self.layout.tier(0).cluster(to);
            let port = self.port_at(beyond, to).expect("both sides of a border find the same transitions");
            let rank = cells.binary_search(&from).expect("every transition leaves from a port");
            let step = grid.step_cost(from, to).expect("transitions are legal steps").0;
            let leave = Leave { from: first + rank as u32, step };
            shop.ways.push(Way { exit: Exit { to: port, cell: to }, leave, part: shop.parts.by_port[rank] });
        }
        shop.ways.sort_by_key(|way| way.part);
        shop.ports.clear();
        let parts = cells.iter().zip(&shop.parts.by_port).zip(first..);
        shop.ports.extend(parts.map(|((&cell, &part), port)| Entry { port, cell, part }));
        self.levels[0].list(cluster, &shop.ports, &shop.ways)
    }

    /// Brings a lowest cluster's trees and, unless they wait for their first use, its prices up to date; says whether
    /// the prices may differ.
    fn price(&mut self, grid: &SquareGrid, cluster: u32, shop: &mut Workshop) -> bool {
        if let Some(kept) = &mut self.kept {
            kept.forget(cluster, self.span_by_cluster[cluster as usize].len as usize);
        }
        if let Some(trees) = &mut self.trees {
            let bounds = self.layout.bounds(0, cluster);
            let span = self.span_by_cluster[cluster as usize];
            let cells = self.cell_by_port.of(span);
            trees.plant(grid, cluster, bounds, cells, shop);
        }
        self.refill(grid, 0, cluster, shop)
    }

    /// Works a cluster's prices out again, or puts that off; says whether they may differ.
    fn refill(&mut self, grid: &SquareGrid, level: usize, cluster: u32, shop: &mut Workshop) -> bool {
        if self.plan.lazy {
            self.levels[level].put_off(cluster);
            return true;
        }
        self.reckon(grid, level, cluster, shop);
        self.levels[level].fill(cluster, &shop.prices)
    }

    /// Works out prices that wait for their first use, those below first.
    #[cold]
    pub(crate) fn fill_late(&self, grid: &SquareGrid, level: usize, cluster: u32, shop: &mut Workshop) {
        if level > 0 {
            for child in self.layout.children(level, cluster) {
                if self.levels[level - 1].awaits(child) {
                    self.fill_late(grid, level - 1, child, shop);
                }
            }
        }
        self.reckon(grid, level, cluster, shop);
        self.levels[level].fill_late(cluster, &shop.prices);
    }
}

fn sort(clusters: &mut Vec<u32>) {
    clusters.sort_unstable();
    clusters.dedup();
}
