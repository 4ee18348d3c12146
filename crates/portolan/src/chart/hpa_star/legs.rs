//! Legs of a route: reads them from the records of a search over ports, and splits them until each stays inside a
//! lowest cluster.
//!
//! Not here: the search over ports (`port_search`), and the cells of a leg (`refine`).

use super::connection::Connection;
use super::level::{ExitStep, Level};
use super::port_search::{Best, Distance, Hop, NO_PORT, PortQuery, PortSearch, SPREAD, grain};
use super::{HpaScratch, HpaStar};
use crate::chart::shared::cutout::NO_WAY;
use crate::id::Cell;
use crate::method::{Leg, Task};
use crate::open_list::BucketRing;
use crate::probe::Probe;
use crate::space::square::SquareGrid;

impl HpaStar {
    /// Reads the legs of the best route from the records of the search into `own.legs`, and sums up its cost.
    pub(super) fn lay_legs(&self, task: Task, own: &mut HpaScratch) {
        let HpaScratch { search, start, goal, legs, best, .. } = own;
        legs.clear();
        let near = self.near(task);
        let (mut to, mut port, mut level) = (task.to, best.last, 0);
        if port != NO_PORT {
            let first = self.chart.ports(goal.cluster).1;
            best.cost = u64::from(goal.cost_by_rank[(port - first) as usize]);
        }
        // The route is read from the goal back: it entered a cluster at `port` and left it at `to`.
        while port != NO_PORT {
            legs.push(Leg { from: self.chart.cell(port), to, level: level as u8, region: 0 });
            let hop = search.hop(&self.chart, port, |port| self.level(&near, port));
            let hop = hop.unwrap_or_else(|| self.first_hop(start, port));
            best.cost += u64::from(hop.price);
            to = self.chart.cell(hop.leave);
            (port, level) = (hop.port, hop.level);
        }
        legs.push(Leg { from: task.from, to, level: 0, region: 0 });
        legs.reverse();
    }

    /// Returns the cheapest hop from the start to a port just beyond its cluster.
    fn first_hop(&self, start: &Connection, port: u32) -> Hop {
        let first = self.chart.ports(start.cluster).1;
        let below = &self.chart.levels[0];
        let ways = below.exits(start.cluster).iter().zip(below.leaves(start.cluster));
        let hop = |(_, leave): (_, &ExitStep)| {
            let price = start.cost_by_rank[(leave.from - first) as usize].saturating_add(leave.step);
            Hop { port: NO_PORT, level: 0, leave: leave.from, price }
        };
        let ways = ways.filter(|(exit, _)| exit.to == port).map(hop);
        ways.min_by_key(|hop| hop.price).expect("the start leads to its first port")
    }

    /// Splits a leg across a group of clusters: appends legs across the clusters one level below to `own.legs`.
    pub(super) fn split(
        &self,
        grid: &SquareGrid,
        leg: Leg,
        own: &mut HpaScratch,
        open: &mut BucketRing,
        left: &mut u64,
        probe: &mut impl Probe,
    ) {
        if leg.from == leg.to {
            own.legs.push(Leg { level: 0, ..leg });
            return;
        }
        let HpaScratch { search, legs, room, column, .. } = own;
        let number = usize::from(leg.level) - 1;
        let (layout, level) = (&self.chart.layout, &self.chart.levels[number]);
        let [from, to] = [leg.from, leg.to].map(|cell| self.chart.port_at(layout.tier(0).cluster(cell), cell));
        let (Some(from), Some(to)) = (from, to) else {
            // An end is no longer a port: an edit beyond the border has moved its transition. The cells inside the
            // cluster are unchanged, so the leg is still valid, and `cross` finds its cells.
            legs.push(Leg { level: 0, ..leg });
            return;
        };
        let to_cluster = layout.tier(number).cluster(leg.to);
        if level.awaits(to_cluster) {
            self.chart.fill_late(grid, number, to_cluster, room);
        }
        list_costs_to(level, to, column);
        let distance = Distance::new(grid, leg.to);
        let query = PortQuery {
            chart: &self.chart,
            grid,
            level: |_| number,
            limits: layout.bounds_of(number + 1, leg.from),
            distance,
            goal_mark: self.chart.mark(number, to_cluster),
            cost_to_goal: column,
            hasty: false,
        };
        let first_key = distance.from(leg.from);
        search.reset(&self.chart);
        open.reset(first_key, SPREAD * u64::from(grid.metric().straight()), grain(grid));
        search.open(from, 0, first_key, open);
        let (mut best, mut allowed) = (Best::default(), u64::MAX);
        search.run(&query, open, room, &mut best, &mut allowed, probe);
        *left = left.saturating_sub(u64::MAX - allowed);
        self.read_legs(search, leg.to, best.last, number, legs);
    }

    /// Appends the legs on one level that lead to the cell `to`, from the records of a search: `port` is where the last
    /// leg begins.
    fn read_legs(&self, search: &PortSearch, mut to: Cell, mut port: u32, number: usize, legs: &mut Vec<Leg>) {
        let first = legs.len();
        while port != NO_PORT {
            legs.push(Leg { from: self.chart.cell(port), to, level: number as u8, region: 0 });
            port = match search.hop(&self.chart, port, |_| number) {
                Some(hop) => {
                    to = self.chart.cell(hop.leave);
                    hop.port
                }
                None => NO_PORT,
            };
        }
        legs[first..].reverse();
    }
}

/// Lists the costs inside a cluster from each of its ports to one of them, by the rank of the port the cost is from.
fn list_costs_to(level: &Level, port: u32, costs: &mut Vec<u32>) {
    let end = level.place(port);
    let step = level.leaves_from(end)[usize::from(end.own)].step;
    let table = level.table(end.cluster);
    let cost = |&port: &u32| {
        let place = level.place(port);
        if place.part == end.part { Level::row(table, place)[usize::from(end.own)] - step } else { NO_WAY }
    };
    costs.clear();
    costs.extend(level.entries(end.cluster).iter().map(cost));
}
