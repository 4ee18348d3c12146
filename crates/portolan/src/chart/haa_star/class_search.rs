//! The loop that searches an annotated chart for one class: A* over the ports by which clusters are entered. As in HPA*, a
//! port that becomes cheaper is opened again, keys that cannot beat the best route are dropped, and the search ends when every
//! key left is at least the cost of that route. A port is not expanded if an expanded port of its cluster reaches it as
//! cheaply: that port has reached, as cheaply, every exit that this one leads to.
//!
//! Not here: connecting start and goal to the ports, and turning the result into legs (the entry file).

use super::annotated::{Annotated, Classes, Exit};
use crate::chart::hpa_star::{Best, Connection, Distance, NO_PORT};
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::layout::Layout;
use crate::id::Cell;
use crate::memory::held;
use crate::open_list::BucketRing;
use crate::probe::{Event, Probe};
use crate::space::square::SquareGrid;

/// What a search for one class reads.
pub(super) struct ClassQuery<'a> {
    pub(super) chart: &'a Annotated,
    pub(super) layout: &'a Layout,
    pub(super) class: Classes,
    pub(super) grid: &'a SquareGrid,
    /// The distance to the goal.
    pub(super) distance: Distance,
    /// The goal, and the costs from the ports of its cluster.
    pub(super) goal: &'a Connection,
}

/// How a port was reached: from `port`, across its cluster and over the border from the cell `leave`.
pub(super) struct Hop {
    /// The port by which the cluster was entered, or [`NO_PORT`] if the route begins there.
    pub(super) port: u32,
    pub(super) leave: Cell,
    pub(super) price: u32,
}

/// The records of a search.
#[derive(Default)]
pub(super) struct ClassSearch {
    records: Vec<Record>,
    /// The number of this search. It counts down and is stored above the costs of records, so that those of earlier searches
    /// compare as greater than any of this one.
    epoch: u32,
}

/// The record of one port. Costs have the epoch in their upper 32 bits.
#[derive(Copy, Clone)]
struct Record {
    /// The least cost found from the start to the port by a step over the border.
    reached: u64,
    /// The least cost found to it inside its cluster, from a port that was expanded.
    crossed: u64,
    /// The port that it was reached from, or [`NO_PORT`] if it was reached from the start.
    via: u32,
    /// The cost at which the port was last taken from the open list, or [`NO_WAY`] if it has become cheaper since.
    done: u32,
}

const UNKNOWN: Record = Record { reached: u64::MAX, crossed: u64::MAX, via: NO_PORT, done: NO_WAY };

impl ClassSearch {
    pub(super) fn bytes(&self) -> usize {
        held(&self.records)
    }

    /// Makes the records ready for a new search: all that earlier searches wrote becomes invalid.
    pub(super) fn reset(&mut self, chart: &Annotated) {
        if self.epoch == 0 {
            self.records.clear();
            self.epoch = u32::MAX;
        }
        self.epoch -= 1;
        if self.records.len() < chart.port_count() {
            self.records.resize(chart.port_count(), UNKNOWN);
        }
    }

    /// Opens the ports beyond the border of the start's cluster.
    pub(super) fn set_out(
        &mut self,
        query: &ClassQuery,
        start: &Connection,
        best: u64,
        open: &mut BucketRing,
        probe: &mut impl Probe,
    ) {
        for (exit, price) in first_prices(query, start) {
            let cell = query.chart.port(exit.to).cell;
            let key = u64::from(price) + query.distance.from(cell);
            let reached = self.stamp(price);
            let record = &mut self.records[exit.to as usize];
            if price != NO_WAY && key < best && reached < record.reached {
                probe.event(Event::Push { node: query.grid.node(cell), g: price, key });
                let crossed = record.crossed;
                *record = Record { reached, crossed, ..UNKNOWN };
                open.push(key, exit.to);
            }
        }
    }

    #[inline(always)]
    fn stamp(&self, cost: u32) -> u64 {
        u64::from(self.epoch) << 32 | u64::from(cost)
    }

    /// Expands ports until `best` is the best route. Returns whether the search has ended; `false` means that `left` ran
    /// out.
    pub(super) fn run(
        &mut self,
        query: &ClassQuery,
        open: &mut BucketRing,
        best: &mut Best,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> bool {
        while *left > 0 {
            let Some(number) = open.pop() else {
                return true;
            };
            if open.floor() >= best.cost {
                return true;
            }
            let port = query.chart.port(number);
            if probe.is_watching() {
                probe.event(Event::Pop { node: query.grid.node(port.cell) });
            }
            let record = &mut self.records[number as usize];
            let g = record.reached as u32;
            if record.done == g {
                continue; // another entry of this port was taken at this cost before
            }
            record.done = g;
            if record.crossed <= record.reached {
                continue;
            }
            *left -= 1;
            if probe.is_watching() {
                probe.event(Event::Expand { node: query.grid.node(port.cell), g });
            }
            let cluster = query.layout.tier(0).cluster(port.cell);
            if cluster == query.goal.cluster {
                let rest = query.goal.cost_by_rank[query.chart.own_rank(cluster, port.rank, query.class)];
                let cost = u64::from(g) + u64::from(rest);
                if rest != NO_WAY && cost < best.cost {
                    *best = Best { cost, last: number };
                    probe.event(Event::Goal { cost: cost.min(u64::from(u32::MAX)) as u32 });
                }
            }
            self.open_exits(query, (number, cluster, port.rank, g), best.cost, open, probe);
        }
        false
    }

    /// Opens the ports beyond the exits of a cluster, which was entered by the port of a number and rank at the cost `g`, where
    /// that makes them cheaper and can lead to a route that costs less than `most`.
    #[inline(always)]
    fn open_exits(
        &mut self,
        query: &ClassQuery,
        (number, cluster, rank, g): (u32, u32, u16, u32),
        most: u64,
        open: &mut BucketRing,
        probe: &mut impl Probe,
    ) {
        let chart = query.chart;
        let (mut leave, mut inside) = (rank, 0);
        for exit in chart.exits_of(cluster, query.class) {
            if exit.from != leave {
                leave = exit.from;
                inside = chart.cost(cluster, rank, leave, query.class);
                let crossed = self.stamp(g.saturating_add(inside));
                let record = &mut self.records[chart.number(cluster, leave) as usize];
                record.crossed = record.crossed.min(crossed);
            }
            let to = chart.port(exit.to).cell;
            if probe.is_watching() {
                probe.event(Event::Generate { node: query.grid.node(to) });
            }
            let g = g.saturating_add(inside).saturating_add(exit.step);
            let reached = self.stamp(g);
            let record = &mut self.records[exit.to as usize];
            if reached >= record.reached || g == NO_WAY {
                continue;
            }
            let key = u64::from(g) + query.distance.from(to);
            if key >= most {
                continue;
            }
            if probe.is_watching() {
                let node = query.grid.node(to);
                if record.reached >> 32 == u64::from(self.epoch) {
                    let again = record.done == record.reached as u32;
                    probe.event(if again { Event::Reopen { node } } else { Event::Decrease { node } });
                }
                probe.event(Event::Push { node, g, key });
            }
            let crossed = record.crossed;
            *record = Record { reached, crossed, via: number, done: NO_WAY };
            open.push(key, exit.to);
        }
    }

    /// Returns the cheapest hop to a port that was reached, from the port or the start that it was reached from.
    pub(super) fn hop(&self, query: &ClassQuery, start: &Connection, target: u32) -> Hop {
        let (chart, via) = (query.chart, self.records[target as usize].via);
        let to = |exit: &&Exit| exit.to == target;
        let cheapest = if via == NO_PORT {
            let prices = first_prices(query, start).filter(|(exit, _)| to(exit));
            prices.map(|(exit, price)| (price, start.cluster, exit.from)).min()
        } else {
            let port = chart.port(via);
            let cluster = query.layout.tier(0).cluster(port.cell);
            let price = |exit: &Exit| chart.cost(cluster, port.rank, exit.from, query.class).saturating_add(exit.step);
            let exits = chart.exits_of(cluster, query.class).filter(to);
            exits.map(|exit| (price(exit), cluster, exit.from)).min()
        };
        let (price, cluster, leave) = cheapest.expect("a port is reached by an exit");
        Hop { port: via, leave: chart.port(chart.number(cluster, leave)).cell, price }
    }
}

/// Returns the exits of the start's cluster and what they cost from the start, [`NO_WAY`] where it does not reach them.
fn first_prices<'a>(query: &'a ClassQuery, start: &'a Connection) -> impl Iterator<Item = (&'a Exit, u32)> {
    query.chart.exits_of(start.cluster, query.class).map(|exit| {
        let inside = start.cost_by_rank[query.chart.own_rank(start.cluster, exit.from, query.class)];
        (exit, inside.saturating_add(exit.step))
    })
}
