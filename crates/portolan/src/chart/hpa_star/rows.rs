//! Rows of costs between all ports of a chart, in place of a search over them (`rows=yes` of DHPA*).
//!
//! The row of a port has, for every port, what the cheapest way between the two costs, and the exit by which that way
//! leaves the cluster of the other port. So the cheapest way from start to goal is the least sum of three numbers: from the
//! start to a port of its cluster, along that port's row to a port of the goal's cluster, and on to the goal. It is
//! then read off the row from the goal back, one exit for each cluster that it crosses.
//!
//! Costs are the same there and back, and of several exits with equal costs the first one counts. So a row follows
//! from the prices of the lowest level alone. Rows are computed when the chart is built. A repair drops
//! those that lead over a price that has changed, or all if exits have changed; each of them is computed again on first use.
//! As long as a world has one-way borders or links, there are no rows, and ports are searched.
//!
//! Not here: prices (`pricing`), and turning legs into cells (`refine`).

use super::clusters::{Clusters, Repriced};
use super::connection::Connection;
use super::level::{Exit, ExitStep, Level};
use super::port_search::{GRAIN, SPREAD};
use super::settings::least_size;
use crate::chart::shared::cutout::NO_WAY;
use crate::memory::held;
use crate::method::{Leg, Task};
use crate::open_list::BucketRing;
use crate::settings::Settings;
use std::sync::OnceLock;

/// The greatest number of ports for which rows are kept. Rows take six bytes for each pair of ports.
const MOST_PORTS: usize = 16_384;

/// Returns the most bytes that the rows of a world of so many cells take: if every cell beside the border of a cluster is a
/// port.
pub(in crate::chart) fn most_row_bytes(cells: usize, settings: &Settings) -> usize {
    let ports = (4 * cells / least_size(settings)).min(cells).min(MOST_PORTS);
    ports * ports * (size_of::<u32>() + size_of::<u16>())
}

/// A sentinel value that means that no exit lies on the cheapest way.
pub(super) const NO_EXIT: u16 = u16::MAX;

/// The rows of a chart.
#[derive(Clone)]
pub(crate) struct PortRows {
    /// The state of the chart's exits for which the rows are valid: see [`Clusters::listed`].
    listed: u64,
    /// What a straight step costs at least.
    straight: u32,
    /// With how many threads rows are computed.
    threads: usize,
    row_by_port: Vec<OnceLock<Row>>,
}

/// What the ways from all ports to one port cost, and how they begin.
#[derive(Clone)]
pub(crate) struct Row {
    pub(super) cost_by_port: Box<[u32]>,
    /// The exit by which the way from each port leaves its cluster, by its number among those that the port reaches.
    pub(super) exit_by_port: Box<[u16]>,
}

/// The cheapest way over ports.
#[derive(Copy, Clone, Debug)]
struct Cheapest {
    cost: u64,
    /// The port of the start's cluster whose row has the way.
    port: u32,
    /// The cost along that row and on to the goal.
    rest: u64,
}

/// The price of a way through a cluster that has changed.
struct Change {
    port: u32,
    /// The port beyond the exit.
    to: u32,
    before: u32,
    after: u32,
}

impl Change {
    /// Returns whether a row may change with the price: whether it leads this way, or might now.
    fn concerns(&self, row: &Row) -> bool {
        let [here, beyond] = [self.port, self.to].map(|port| row.cost_by_port[port as usize]);
        beyond != NO_WAY && (self.before.saturating_add(beyond) == here || self.after.saturating_add(beyond) <= here)
    }
}

impl PortRows {
    /// Computes the rows of a chart in threads. Returns `None` if it has too many ports.
    pub(crate) fn new(chart: &Clusters, straight: u32, threads: usize) -> Option<PortRows> {
        if chart.port_count() > MOST_PORTS {
            return None;
        }
        let mut rows = PortRows { listed: 0, straight, threads, row_by_port: Vec::new() };
        rows.follow(chart);
        rows.fill(chart);
        Some(rows)
    }

    /// Drops the rows that the latest repair of the chart has made invalid.
    pub(crate) fn follow(&mut self, chart: &Clusters) {
        if self.listed != chart.listed || chart.has_one_ways {
            self.listed = chart.listed;
            self.row_by_port.clear();
            self.row_by_port.resize_with(chart.port_count(), OnceLock::new);
            return;
        }
        for repriced in &chart.repriced {
            let changes = chart.changes(repriced);
            for (port, row) in (0..).zip(&mut self.row_by_port) {
                let concerns = |known: &Row| {
                    chart.levels[0].place(port).cluster == repriced.cluster
                        || changes.iter().any(|change| change.concerns(known))
                };
                if row.get().is_some_and(concerns) {
                    *row = OnceLock::new();
                }
            }
        }
    }

    /// Computes the rows that are missing.
    pub(crate) fn fill(&self, chart: &Clusters) {
        if chart.has_one_ways {
            return;
        }
        let missing: Vec<u32> = (0..chart.layout.tier(0).count() as u32)
            .flat_map(|cluster| {
                let (cells, first) = chart.ports(cluster);
                first..first + cells.len() as u32
            })
            .filter(|&port| self.row_by_port[port as usize].get().is_none())
            .collect();
        let compute = |ports: &[u32]| {
            let mut open = BucketRing::default();
            for &port in ports {
                self.of(chart, port, &mut open);
            }
        };
        let share = missing.len().div_ceil(self.threads).max(1);
        std::thread::scope(|scope| {
            let mut shares = missing.chunks(share);
            let own = shares.next();
            shares.for_each(|ports| {
                scope.spawn(move || compute(ports));
            });
            own.into_iter().for_each(compute);
        });
    }

    /// Returns the row of a port.
    pub(super) fn of(&self, chart: &Clusters, port: u32, open: &mut BucketRing) -> &Row {
        self.row_by_port[port as usize].get_or_init(|| self.compute(chart, port, open))
    }

    /// Finds the cheapest way from start to goal that costs less than `most`, and lists its legs in walking order.
    /// Returns its cost, or `None` if there is no such way.
    ///
    /// A chart that was opened may hold prices that contradict each other. Where that comes to light, there is no way.
    pub(super) fn read(
        &self,
        chart: &Clusters,
        task: Task,
        [start, goal]: [&Connection; 2],
        most: u64,
        open: &mut BucketRing,
        legs: &mut Vec<Leg>,
    ) -> Option<u64> {
        let found = self.cheapest(chart, [start, goal], open).filter(|found| found.cost < most)?;
        legs.clear();
        let row = self.of(chart, found.port, open);
        let leg = |from, to| Leg { from, to, level: 0, region: 0 };
        let (mut port, leave) = chart.exit_towards(row, goal, found.rest)?;
        legs.push(leg(chart.cell(leave), task.to));
        let level = &chart.levels[0];
        let cost_to = |port: u32| found.cost - found.rest + u64::from(row.cost_by_port[port as usize]);
        loop {
            let place = level.place(port);
            let joined = start.cost_by_rank.get(usize::from(place.rank)).filter(|_| place.cluster == start.cluster);
            if joined.is_some_and(|&joined| u64::from(joined) == cost_to(port)) {
                legs.push(leg(task.from, place.cell));
                legs.reverse();
                return Some(found.cost);
            }
            let exit = usize::from(row.exit_by_port[port as usize]);
            let leave = level.leaves_from(place).get(exit)?.from;
            legs.push(leg(chart.cell(leave), place.cell));
            let next = level.exits_from(place)[exit].to;
            if cost_to(next) >= cost_to(port) {
                return None;
            }
            port = next;
        }
    }

    /// Returns the least sum over a port of the start's cluster and one of the goal's cluster; of equal sums, the first.
    fn cheapest(&self, chart: &Clusters, [start, goal]: [&Connection; 2], open: &mut BucketRing) -> Option<Cheapest> {
        let mut best: Option<Cheapest> = None;
        let first = chart.ports(start.cluster).1;
        let goal_ports = chart.ports(goal.cluster).1 as usize..;
        for (port, &before) in (first..).zip(&start.cost_by_rank) {
            if before == NO_WAY {
                continue;
            }
            let row = &self.of(chart, port, open).cost_by_port[goal_ports.clone()];
            for (&between, &after) in row.iter().zip(&goal.cost_by_rank) {
                if between == NO_WAY || after == NO_WAY {
                    continue;
                }
                let rest = u64::from(between) + u64::from(after);
                let cost = u64::from(before) + rest;
                if best.is_none_or(|best| cost < best.cost) {
                    best = Some(Cheapest { cost, port, rest });
                }
            }
        }
        best
    }

    /// Computes the row of a port: spreads costs from it over the exits of clusters, then over the clusters.
    fn compute(&self, chart: &Clusters, source: u32, open: &mut BucketRing) -> Row {
        let level = &chart.levels[0];
        let mut entered = vec![NO_WAY; chart.port_count()];
        let mut done = entered.clone();
        open.reset(0, SPREAD * u64::from(self.straight), self.straight * GRAIN);
        let spread = |port: u32, cost: u32, entered: &mut [u32], open: &mut BucketRing| {
            let place = level.place(port);
            let row = Level::row(level.table(place.cluster), place);
            for (exit, &price) in level.exits_from(place).iter().zip(row) {
                let sum = cost.saturating_add(price);
                if sum < entered[exit.to as usize] {
                    entered[exit.to as usize] = sum;
                    open.push(u64::from(sum), exit.to);
                }
            }
        };
        spread(source, 0, &mut entered, open);
        while let Some(port) = open.pop() {
            let cost = entered[port as usize];
            if done[port as usize] != cost {
                done[port as usize] = cost;
                spread(port, cost, &mut entered, open);
            }
        }
        let cost_by_port = chart.spread_inside(source, &entered);
        let exit_by_port = chart.exits_by_port(&cost_by_port);
        Row { cost_by_port, exit_by_port }
    }

    pub(crate) fn bytes(&self) -> usize {
        let rows = self.row_by_port.iter().filter_map(OnceLock::get);
        held(&self.row_by_port)
            + rows.map(|row| size_of_val(&*row.cost_by_port) + size_of_val(&*row.exit_by_port)).sum::<usize>()
    }
}

impl Clusters {
    /// Lists the prices of a cluster that a repair has changed.
    fn changes(&self, repriced: &Repriced) -> Vec<Change> {
        let level = &self.levels[0];
        let (cells, first) = self.ports(repriced.cluster);
        let (mut before, mut changes) = (repriced.before.iter(), Vec::new());
        for port in first..first + cells.len() as u32 {
            let place = level.place(port);
            let row = Level::row(level.table(place.cluster), place);
            for ((exit, &after), &before) in level.exits_from(place).iter().zip(row).zip(&mut before) {
                if before != after {
                    changes.push(Change { port, to: exit.to, before, after });
                }
            }
        }
        changes
    }

    /// Returns what the ways from a source to all ports cost, given what they cost to ports that are entered from beyond
    /// their cluster.
    fn spread_inside(&self, source: u32, entered: &[u32]) -> Box<[u32]> {
        let level = &self.levels[0];
        let mut costs: Box<[u32]> = entered.into();
        costs[source as usize] = 0;
        for cluster in 0..level.blocks.len() as u32 {
            let (cells, first) = self.ports(cluster);
            let table = level.table(cluster);
            for port in first..first + cells.len() as u32 {
                let (place, before) = (level.place(port), costs[port as usize]);
                for (leave, &price) in level.leaves_from(place).iter().zip(Level::row(table, place)) {
                    let sum = before.saturating_add(price.saturating_sub(leave.step));
                    let known = &mut costs[leave.from as usize];
                    *known = sum.min(*known);
                }
            }
        }
        costs
    }

    /// Returns for each port the first exit that lies on a cheapest way to the source of a row of costs.
    fn exits_by_port(&self, costs: &[u32]) -> Box<[u16]> {
        let level = &self.levels[0];
        let mut exits = vec![NO_EXIT; costs.len()].into_boxed_slice();
        for cluster in 0..level.blocks.len() as u32 {
            let (cells, first) = self.ports(cluster);
            let table = level.table(cluster);
            for port in first..first + cells.len() as u32 {
                let (place, cost) = (level.place(port), costs[port as usize]);
                let mut ways = level.exits_from(place).iter().zip(Level::row(table, place));
                let is_cheapest = |(exit, price): (&Exit, &u32)| {
                    let rest = costs[exit.to as usize];
                    rest != NO_WAY && rest.saturating_add(*price) == cost
                };
                let found = ways.position(is_cheapest).filter(|_| cost != NO_WAY);
                exits[port as usize] = found.and_then(|exit| u16::try_from(exit).ok()).unwrap_or(NO_EXIT);
            }
        }
        exits
    }

    /// Returns the first exit of the goal's cluster on a way that costs `rest` from the goal to the port of a row: the port
    /// beyond it and the port that it leaves from.
    fn exit_towards(&self, row: &Row, goal: &Connection, rest: u64) -> Option<(u32, u32)> {
        let (level, first) = (&self.levels[0], self.ports(goal.cluster).1);
        let ways = level.exits(goal.cluster).iter().zip(level.leaves(goal.cluster));
        let cost = |(exit, leave): &(&Exit, &ExitStep)| {
            let after = goal.cost_by_rank[(leave.from - first) as usize];
            let before = row.cost_by_port[exit.to as usize];
            let is_way = after != NO_WAY && before != NO_WAY;
            is_way.then(|| u64::from(before) + u64::from(leave.step) + u64::from(after))
        };
        let mut ways = ways.filter(|way| cost(way) == Some(rest));
        ways.next().map(|(exit, leave)| (exit.to, leave.from))
    }
}
