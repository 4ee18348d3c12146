//! A chart of clusters: ports on the borders, prices between them on any number of levels, and, where asked for, a
//! shortest-path tree for every port. Built once, repaired after edits, read-only while searched.
//!
//! Levels are counted from 0 here: level 0 has the clusters of the world itself, level 1 groups of those.

use super::arena::{Arena, Span};
use super::cluster::{Cutout, NO_WAY, Tree};
use super::entrance::{Entrances, Transition};
use super::layout::{Bounds, Layout};
use super::level::{Exit, Leave, Level, Listing, Way};
use super::trees::Trees;
use crate::id::Cell;
use crate::open_list::{BucketList, BucketRing};
use crate::planner::Census;
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
    /// Tells charts apart, and states of the same chart.
    pub(crate) serial: u64,
}

/// Working memory of building and repairing, and of filling in prices on first use.
#[derive(Default)]
pub(crate) struct Workshop {
    pub(crate) cutout: Cutout,
    pub(crate) tree: Tree,
    pub(crate) ring: BucketRing,
    open: BucketList,
    transitions: Vec<Transition>,
    cells: Vec<Cell>,
    pub(super) entries: Vec<u32>,
    pub(super) steps: Vec<u8>,
    ways: Vec<Way>,
    prices: Vec<u32>,
    inner: Inner,
}

impl Workshop {
    pub(crate) fn bytes(&self) -> usize {
        self.cutout.bytes() + self.tree.bytes() + self.ring.bytes() + 4 * self.inner.number_by_port.capacity()
    }
}

/// The level below a cluster as a small graph of its own.
#[derive(Default)]
struct Inner {
    /// The number of a port in this graph, by port; true only if `ports` agrees.
    number_by_port: Vec<u32>,
    ports: Vec<u32>,
    /// Where each exit of each cluster below leads, [`INSIDE`] plus a number or an exit of the whole.
    goes: Vec<u32>,
    /// Where the exits of a port's cluster start in `goes`, by number.
    goes_by_number: Vec<u32>,
    /// A port's cluster and its rank there, by number.
    rows_by_number: Vec<(u32, u32)>,
    cost_by_number: Vec<u32>,
    closed: Vec<bool>,
}

const INSIDE: u32 = 1 << 31;

fn next_serial() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static SERIALS: AtomicU64 = AtomicU64::new(1);
    SERIALS.fetch_add(1, Ordering::Relaxed)
}

impl Clusters {
    pub(crate) fn build(grid: &SquareGrid, plan: Plan, shop: &mut Workshop) -> Clusters {
        let layout = Layout::new(grid.width(), grid.height(), plan.size, plan.group, plan.levels);
        let count = layout.tier(0).count();
        let levels = (0..layout.levels()).map(|level| Level::new(layout.tier(level).count(), plan.lazy)).collect();
        let counts = (0..layout.levels()).scan(0, |sum, level| {
            *sum += layout.tier(level).count() as u32;
            Some(*sum)
        });
        let mut chart = Clusters {
            first_by_level: [0].into_iter().chain(counts).collect(),
            plan,
            span_by_cluster: vec![Span::default(); count],
            cell_by_port: Arena::default(),
            levels,
            trees: plan.trees.then(|| Trees::new(count)),
            layout,
            serial: next_serial(),
        };
        for cluster in 0..count as u32 {
            chart.list_ports(grid, cluster, shop);
        }
        for cluster in 0..count as u32 {
            chart.link(grid, cluster, shop);
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

    /// Redoes what the edits touch; says how many clusters that were.
    pub(crate) fn repair(&mut self, grid: &SquareGrid, edits: &[Edit], shop: &mut Workshop) -> usize {
        self.serial = next_serial();
        let mut redone = Vec::new();
        let mut border = Vec::new();
        for edit in edits {
            for cluster in self.layout.touched(edit.area) {
                redone.push(cluster);
                if self.layout.bounds(0, cluster).reaches_border(edit.area) {
                    border.extend(self.layout.around(cluster));
                }
            }
        }
        sort(&mut redone);
        sort(&mut border);
        // New ports first, then the links of everything that may lead to one, then prices.
        let mut linked = border.clone();
        for cluster in border {
            if self.list_ports(grid, cluster, shop) {
                linked.extend(self.layout.around(cluster));
            }
        }
        sort(&mut linked);
        let (mut relinked, mut relisted) = (Vec::new(), Vec::new());
        for cluster in linked {
            match self.link(grid, cluster, shop) {
                Listing::Same => {}
                Listing::Relinked => relinked.push(cluster),
                Listing::Other => relisted.push(cluster),
            }
        }
        redone.extend_from_slice(&relisted);
        sort(&mut redone);
        let mut count = redone.len();
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
                    count += 1;
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
        count
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

    /// Leads a lowest cluster's exits to the ports beyond.
    fn link(&mut self, grid: &SquareGrid, cluster: u32, shop: &mut Workshop) -> Listing {
        self.plan.entrances.of_cluster(grid, &self.layout, cluster, &mut shop.transitions);
        shop.ways.clear();
        for &Transition { from, to } in &shop.transitions {
            let beyond = self.layout.tier(0).cluster(to);
            let port = self.port_at(beyond, to).expect("both sides of a border find the same transitions");
            let from_port = self.port_at(cluster, from).expect("every transition leaves from a port");
            let step = grid.step_cost(from, to).expect("transitions are legal steps").0;
            let (exit, leave) = (Exit { to: port, cell: to }, Leave { from: from_port, step });
            shop.ways.push(Way { exit, leave });
        }
        let span = self.span_by_cluster[cluster as usize];
        shop.entries.clear();
        shop.entries.extend(span.at..span.at + span.len);
        let cells = self.cell_by_port.items();
        self.levels[0].list(cluster, &shop.entries, &shop.ways, |port| cells[port as usize])
    }

    /// Brings a lowest cluster's trees and, unless they wait for their first use, its prices up to date; says whether
    /// the prices may differ.
    fn price(&mut self, grid: &SquareGrid, cluster: u32, shop: &mut Workshop) -> bool {
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

    /// Works a cluster's prices out.
    fn reckon(&self, grid: &SquareGrid, level: usize, cluster: u32, shop: &mut Workshop) {
        if level == 0 {
            self.price_crossings(grid, cluster, shop);
        } else {
            self.price_through(grid, level, cluster, shop);
        }
    }

    /// Prices of a lowest cluster, from its trees or by searching its cells.
    fn price_crossings(&self, grid: &SquareGrid, cluster: u32, shop: &mut Workshop) {
        let Workshop { cutout, tree, ring, prices, .. } = shop;
        let bounds = self.layout.bounds(0, cluster);
        let (cells, first) = self.ports(cluster);
        let leaves = self.levels[0].leaves(cluster);
        prices.clear();
        if cells.is_empty() {
            return;
        }
        if let Some(trees) = &self.trees {
            let grove = trees.of(cluster);
            for rank in 0..cells.len() {
                let cost = |leave: &Leave| {
                    let cost = grove.cost(rank, bounds.index(cells[(leave.from - first) as usize]));
                    cost.saturating_add(leave.step)
                };
                prices.extend(leaves.iter().map(cost));
            }
            return;
        }
        cutout.cut(grid, bounds);
        for &cell in cells {
            let root = bounds.index(cell);
            let index = |leave: &Leave| bounds.index(cells[(leave.from - first) as usize]);
            if cutout.is_open() {
                prices.extend(leaves.iter().map(|leave| cutout.distance(root, index(leave)) + leave.step));
            } else {
                cutout.spread(root, tree, ring);
                let cost = |leave: &Leave| tree.cost_by_cell[index(leave)].saturating_add(leave.step);
                prices.extend(leaves.iter().map(cost));
            }
        }
    }

    /// Lists a grouped cluster's ports and exits: those of its parts that lead out of it.
    fn group(&mut self, level: usize, cluster: u32, shop: &mut Workshop) -> Listing {
        let bounds = self.layout.bounds(level, cluster);
        let Workshop { entries, ways, .. } = shop;
        entries.clear();
        ways.clear();
        let below = &self.levels[level - 1];
        for child in self.layout.children(level, cluster) {
            for (&exit, &leave) in below.exits(child).iter().zip(below.leaves(child)) {
                if !bounds.contains(exit.cell) {
                    ways.push(Way { exit, leave });
                }
            }
            let outer = |port: &&u32| ways.iter().any(|way| way.leave.from == **port);
            entries.extend(below.entries(child).iter().filter(outer));
        }
        let cells = self.cell_by_port.items();
        self.levels[level].list(cluster, entries, ways, |port| cells[port as usize])
    }

    /// Prices of a grouped cluster, by searching the level below from each of its ports.
    fn price_through(&self, grid: &SquareGrid, level: usize, cluster: u32, shop: &mut Workshop) {
        let grain = 4 * grid.metric().straight();
        let Workshop { inner, open, prices, .. } = shop;
        let (below, here) = (&self.levels[level - 1], &self.levels[level]);
        inner.draw(self, level, cluster);
        let count = here.exits(cluster).len();
        prices.clear();
        for &port in here.entries(cluster) {
            let first = prices.len();
            prices.resize(first + count, NO_WAY);
            inner.spread(below, port, &mut prices[first..], open, grain);
        }
    }
}

fn sort(clusters: &mut Vec<u32>) {
    clusters.sort_unstable();
    clusters.dedup();
}

impl Inner {
    /// Numbers the ports inside a cluster and notes where the exits of its parts lead.
    fn draw(&mut self, chart: &Clusters, level: usize, cluster: u32) {
        let below = &chart.levels[level - 1];
        let bounds: Bounds = chart.layout.bounds(level, cluster);
        self.number_by_port.resize(chart.port_count().max(self.number_by_port.len()), 0);
        self.ports.clear();
        self.goes.clear();
        self.goes_by_number.clear();
        self.rows_by_number.clear();
        for child in chart.layout.children(level, cluster) {
            for &port in below.entries(child) {
                self.number_by_port[port as usize] = self.ports.len() as u32;
                self.ports.push(port);
            }
        }
        let mut out = 0;
        for child in chart.layout.children(level, cluster) {
            let first = self.goes.len() as u32;
            let ports = below.entries(child).len() as u32;
            self.rows_by_number.extend((0..ports).map(|rank| (child, rank)));
            self.goes_by_number.extend(below.entries(child).iter().map(|_| first));
            for exit in below.exits(child) {
                if bounds.contains(exit.cell) {
                    self.goes.push(INSIDE | self.number_by_port[exit.to as usize]);
                } else {
                    self.goes.push(out);
                    out += 1;
                }
            }
        }
    }

    /// The least costs from a port to all exits.
    fn spread(&mut self, below: &Level, port: u32, out: &mut [u32], open: &mut BucketList, grain: u32) {
        let start = self.number_by_port[port as usize];
        self.cost_by_number.clear();
        self.cost_by_number.resize(self.ports.len(), NO_WAY);
        self.closed.clear();
        self.closed.resize(self.ports.len(), false);
        self.cost_by_number[start as usize] = 0;
        open.reset(0, grain);
        open.push(0, start);
        while let Some(number) = open.pop() {
            let number = number as usize;
            if std::mem::replace(&mut self.closed[number], true) {
                continue;
            }
            let g = self.cost_by_number[number];
            let (child, rank) = self.rows_by_number[number];
            let count = below.exits(child).len();
            let prices = &below.prices(child)[rank as usize * count..][..count];
            let goes = &self.goes[self.goes_by_number[number] as usize..][..count];
            for (&price, &go) in prices.iter().zip(goes) {
                let cost = g.saturating_add(price);
                if go & INSIDE == 0 {
                    let best = &mut out[go as usize];
                    *best = cost.min(*best);
                } else {
                    let to = (go & !INSIDE) as usize;
                    if cost < self.cost_by_number[to] {
                        self.cost_by_number[to] = cost;
                        self.closed[to] = false;
                        open.push(u64::from(cost), to as u32);
                    }
                }
            }
        }
    }
}
