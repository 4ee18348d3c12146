//! Computes the prices of a cluster: for a lowest cluster from its trees or by searching its cells, for a group of
//! clusters by searching the level below.

use super::clusters::{BuildScratch, Clusters};
use super::level::{Entry, ExitStep, Level, Listing, Way};
use super::trees::Heading;
use crate::chart::shared::cutout::NO_WAY;
use crate::memory::held;
use crate::open_list::BucketList;
use crate::space::square::SquareGrid;

impl Clusters {
    /// Computes a cluster's prices, row by row, into `room.prices`.
    pub(super) fn reckon(&self, grid: &SquareGrid, level: usize, cluster: u32, room: &mut BuildScratch) {
        if level == 0 {
            self.price_crossings(grid, cluster, room);
        } else {
            self.price_through(grid, level, cluster, room);
        }
    }

    /// Computes the prices of a lowest cluster.
    fn price_crossings(&self, grid: &SquareGrid, cluster: u32, room: &mut BuildScratch) {
        let BuildScratch { cutout, tree, ring, prices, costs, .. } = room;
        let level = &self.levels[0];
        let bounds = self.layout.bounds(0, cluster);
        let (cells, first) = self.ports(cluster);
        let index = |leave: &ExitStep| bounds.index(cells[(leave.from - first) as usize]);
        prices.clear();
        if cells.is_empty() {
            return;
        }
        let count = cells.len();
        if self.trees.is_none() {
            cutout.cut(grid, bounds);
            costs.clear();
            costs.resize(count * count, 0);
        }
        for (rank, &cell) in cells.iter().enumerate() {
            let root = bounds.index(cell);
            let leaves = level.leaves_from(level.place(first + rank as u32)).iter();
            if let Some(trees) = &self.trees {
                let cluster_trees = trees.of(cluster);
                let port = |leave: &ExitStep| cells[(leave.from - first) as usize];
                let cost = |leave: &ExitStep| {
                    let across = cluster_trees.cost(bounds, (rank, cell), port(leave), Heading::FromPort);
                    across.saturating_add(leave.step)
                };
                prices.extend(leaves.map(cost));
            } else if cutout.is_open() {
                prices.extend(leaves.map(|leave| cutout.distance(root, index(leave)) + leave.step));
            } else {
                // Where a route costs as much in one direction as in the other, the costs to earlier ports are known
                // already, and only later ports of the part are searched for.
                let is_one_way = cutout.is_one_way();
                let part = level.place(first + rank as u32).part;
                let others = if is_one_way { 0..count } else { rank + 1..count };
                let others = others.filter(|&other| other != rank && level.place(first + other as u32).part == part);
                if others.clone().next().is_some() {
                    cutout.spread_to(root, others.clone().map(|other| bounds.index(cells[other])), tree, ring);
                }
                for other in others {
                    let cost = tree.cost_by_cell[bounds.index(cells[other])];
                    costs[rank * count + other] = cost;
                    if !is_one_way {
                        costs[other * count + rank] = cost;
                    }
                }
                let row = &costs[rank * count..][..count];
                prices.extend(leaves.map(|leave| row[(leave.from - first) as usize].saturating_add(leave.step)));
            }
        }
    }

    /// Lists the ports and exits of a group of clusters: of all exits of the clusters below, those that lead out of the
    /// group, and the ports that these leave from.
    pub(super) fn group(&mut self, level: usize, cluster: u32, room: &mut BuildScratch) -> Listing {
        let bounds = self.layout.bounds(level, cluster);
        let BuildScratch { ports, ways, inner, .. } = room;
        let below = &self.levels[level - 1];
        inner.join_parts(self, level, cluster);
        ports.clear();
        ways.clear();
        for (child, first) in self.layout.children(level, cluster).zip(inner.first_part_by_child.clone()) {
            let before = ways.len();
            for (&exit, &leave) in below.exits(child).iter().zip(below.leaves(child)) {
                if !bounds.contains(exit.cell) {
                    let part = inner.label(first + below.place(leave.from).part);
                    ways.push(Way { exit, leave, part });
                }
            }
            for &port in below.entries(child) {
                let place = below.place(port);
                if ways[before..].iter().any(|way| way.leave.from == port) {
                    ports.push(Entry { port, cell: place.cell, part: inner.label(first + place.part) });
                }
            }
        }
        ways.sort_by_key(|way| way.part);
        self.levels[level].list(cluster, ports, ways)
    }

    /// Computes the prices of a group of clusters by searching the level below from each of its ports.
    fn price_through(&self, grid: &SquareGrid, level: usize, cluster: u32, room: &mut BuildScratch) {
        let grain = 4 * grid.metric().straight();
        let BuildScratch { inner, open, prices, .. } = room;
        let (below, here) = (&self.levels[level - 1], &self.levels[level]);
        inner.draw(self, level, cluster);
        prices.clear();
        for &port in here.entries(cluster) {
            let first = prices.len();
            prices.resize(first + here.exits_from(here.place(port)).len(), NO_WAY);
            inner.spread(below, port, &mut prices[first..], open, grain);
        }
    }
}

/// The part of the level below that lies inside a group of clusters, as a small graph with its own port numbers.
#[derive(Default)]
pub(super) struct LevelBelow {
    /// The number of a port in this graph, by its number in the chart; valid only for ports that are in the graph.
    number_by_port: Vec<u32>,
    ports: Vec<u32>,
    /// Where each exit of each cluster below leads. Inside the group: [`INSIDE`] plus the number of the port there. Out
    /// of the group: the number of this exit among the exits of its part of the group.
    goes: Vec<u32>,
    /// Where the exits that a port reaches start in `goes`, by the port's number in this graph.
    goes_by_number: Vec<u32>,
    cost_by_number: Vec<u32>,
    closed: Vec<bool>,
    /// For every connected part of the clusters below, another part that it is joined to in the group, or itself if it
    /// is the root of a joined set (union-find). Parts are numbered through all clusters below.
    parent_by_part: Vec<u16>,
    first_part_by_child: Vec<u16>,
}

const INSIDE: u32 = 1 << 31;

impl LevelBelow {
    pub(super) fn bytes(&self) -> usize {
        held(&self.number_by_port)
            + held(&self.ports)
            + held(&self.goes)
            + held(&self.goes_by_number)
            + held(&self.cost_by_number)
            + held(&self.closed)
            + held(&self.parent_by_part)
            + held(&self.first_part_by_child)
    }

    /// Finds which connected parts of the clusters below are connected with each other inside the group.
    fn join_parts(&mut self, chart: &Clusters, level: usize, cluster: u32) {
        let below = &chart.levels[level - 1];
        let bounds = chart.layout.bounds(level, cluster);
        let tier = chart.layout.tier(level - 1);
        let children: Vec<u32> = chart.layout.children(level, cluster).collect();
        self.first_part_by_child.clear();
        let mut count = 0;
        for &child in &children {
            self.first_part_by_child.push(count);
            let parts = below.entries(child).iter().map(|&port| below.place(port).part + 1).max();
            count += parts.unwrap_or(0);
        }
        self.parent_by_part.clear();
        self.parent_by_part.extend(0..count);
        for (at, &child) in children.iter().enumerate() {
            for (exit, leave) in below.exits(child).iter().zip(below.leaves(child)) {
                if bounds.contains(exit.cell) {
                    let beyond = tier.cluster(exit.cell);
                    let beyond = children.iter().position(|&child| child == beyond).expect("it lies inside");
                    let from = self.root(self.first_part_by_child[at] + below.place(leave.from).part);
                    let to = self.root(self.first_part_by_child[beyond] + below.place(exit.to).part);
                    // The smaller number becomes the root, so that labels do not depend on the order of joining.
                    self.parent_by_part[usize::from(from.max(to))] = from.min(to);
                }
            }
        }
        for part in 0..count {
            self.parent_by_part[usize::from(part)] = self.root(part);
        }
    }

    fn root(&self, mut part: u16) -> u16 {
        while self.parent_by_part[usize::from(part)] != part {
            part = self.parent_by_part[usize::from(part)];
        }
        part
    }

    /// Returns the number of the group's part that a part below belongs to: the number of its root.
    fn label(&self, part: u16) -> u16 {
        self.parent_by_part[usize::from(part)]
    }

    /// Builds the graph of a group of clusters: numbers the ports inside it and notes where the exits of the clusters
    /// below lead.
    fn draw(&mut self, chart: &Clusters, level: usize, cluster: u32) {
        let (below, here) = (&chart.levels[level - 1], &chart.levels[level]);
        let bounds = chart.layout.bounds(level, cluster);
        self.number_by_port.resize(chart.port_count().max(self.number_by_port.len()), 0);
        self.ports.clear();
        self.goes.clear();
        self.goes_by_number.clear();
        for child in chart.layout.children(level, cluster) {
            for &port in below.entries(child) {
                self.number_by_port[port as usize] = self.ports.len() as u32;
                self.ports.push(port);
            }
        }
        for child in chart.layout.children(level, cluster) {
            let first = self.goes.len() as u32;
            let starts = below.entries(child).iter().map(|&port| first + below.first_exit(below.place(port)));
            self.goes_by_number.extend(starts);
            let (mut last, mut next) = (u32::MAX, 0);
            for (exit, leave) in below.exits(child).iter().zip(below.leaves(child)) {
                if bounds.contains(exit.cell) {
                    self.goes.push(INSIDE | self.number_by_port[exit.to as usize]);
                    continue;
                }
                // On every level the exits of a port are adjacent and in one order, so the next exit of a port that
                // leads out of the group has the next number there.
                next = if leave.from == last { next + 1 } else { u32::from(here.place(leave.from).own) };
                last = leave.from;
                self.goes.push(next);
            }
        }
    }

    /// Computes the least costs from a port of the group to the exits of its part. `out` must be filled with
    /// [`NO_WAY`].
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
            let place = below.place(self.ports[number]);
            let row = Level::row(below.table(place.cluster), place);
            let goes = &self.goes[self.goes_by_number[number] as usize..][..row.len()];
            for (&price, &go) in row.iter().zip(goes) {
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
