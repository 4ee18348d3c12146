//! The loop that searches a chart of clusters: A* over the ports by which clusters are entered. With `hasty`, which is
//! DHPA*'s `stop=first`, it ends at the first route found, which need not be the best; the rest of this header is about
//! the search without it.
//!
//! The open list does not order keys inside a bucket. The search finds the best route nevertheless, because a port that
//! becomes cheaper is opened again, keys that cannot beat the best route are dropped, and the search ends only when
//! every key left is at least the cost of that route. A port is not expanded if a port of its cluster that was expanded
//! before reaches it as cheaply: that port has already reached, as cheaply, every exit that this one leads to. What it costs to
//! reach a port is the price of an exit that leaves from there; a port that is only entered has none, and is expanded.
//!
//! Not here: connecting start and goal to the ports, and turning the result into legs (`legs`).

use super::clusters::{BuildScratch, Clusters};
use super::level::{Level, Place};
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::walk::{least_distance, least_prices, octile as octile_of};
use crate::cost::{Cost, Octile, Prices};
use crate::id::Cell;
use crate::memory::held;
use crate::open_list::BucketRing;
use crate::probe::{Event, Probe};
use crate::space::Area;
use crate::space::square::SquareGrid;

/// A sentinel value that means that there is no port: a route comes from the start itself.
pub(in crate::chart) const NO_PORT: u32 = u32::MAX;
/// The grain of the open list in straight steps. A bucket is an eighth to a quarter of the grain wide, which is half a
/// straight step to a whole one.
pub(super) const GRAIN: u32 = 4;

/// The spread of keys for which the open list is made, in straight steps. Keys further apart are rare; the open list
/// grows for them.
pub(in crate::chart) const SPREAD: u64 = 64;

/// The goal and the limits of a search over ports.
pub(super) struct PortQuery<'a, L> {
    pub(super) chart: &'a Clusters,
    pub(super) grid: &'a SquareGrid,
    /// The level on which the cluster of a port is to be crossed.
    pub(super) level: L,
    /// The rectangle that the search must not leave.
    pub(super) limits: Area,
    /// The distance to the goal.
    pub(super) distance: Distance,
    /// The number of the goal's cluster among those of all levels, as [`Clusters::mark`] counts them.
    pub(super) goal_mark: u32,
    /// The cost from each port of that cluster to the goal, by the port's rank.
    pub(super) cost_to_goal: &'a [u32],
    /// Whether the search ends at the first route found.
    pub(super) hasty: bool,
}

impl<L> PortQuery<'_, L> {
    /// Goes on from a port of the goal's cluster to the goal. Returns whether that route is better than the best one
    /// found so far, which it then replaces.
    #[inline(always)]
    fn reach_goal(&self, taken: Taken, best: &mut Best, probe: &mut impl Probe) -> bool {
        let rest = self.cost_to_goal[usize::from(taken.place.rank)];
        let cost = u64::from(taken.g) + u64::from(rest);
        if rest == NO_WAY || cost >= best.cost {
            return false;
        }
        *best = Best { cost, last: taken.port };
        probe.event(Event::Goal { cost: cost.min(u64::from(u32::MAX)) as u32 });
        true
    }
}

/// A port that was taken off the open list to be expanded.
#[derive(Copy, Clone)]
struct Taken<'a> {
    port: u32,
    /// Its cost from the start.
    g: u32,
    place: Place,
    level: &'a Level,
    /// The prices from the port to its exits.
    row: &'a [u32],
}

/// The best route found so far.
#[derive(Copy, Clone, Debug)]
pub(in crate::chart) struct Best {
    pub(in crate::chart) cost: u64,
    /// The port by which the route enters the goal's cluster, or [`NO_PORT`] if it begins there and never leaves it.
    pub(in crate::chart) last: u32,
}

impl Default for Best {
    fn default() -> Best {
        Best { cost: u64::MAX, last: NO_PORT }
    }
}

/// How a port was reached: from `port`, across the cluster of `port` on `level`, and over the border from the port
/// `leave`.
#[derive(Copy, Clone, Debug)]
pub(super) struct Hop {
    pub(super) port: u32,
    pub(super) level: usize,
    pub(super) leave: u32,
    pub(super) price: u32,
}

/// The estimate of a search: the cost to a goal without obstacles, at the least weight in the world.
#[derive(Copy, Clone)]
pub(in crate::chart) struct Distance {
    goal: Cell,
    octile: Octile,
}

impl Distance {
    /// Where links are short cuts, a distance counts as little as the cheapest of them lets it.
    pub(in crate::chart) fn new(grid: &SquareGrid, goal: Cell) -> Distance {
        let octile = least_distance(grid);
        if !grid.has_links() {
            return Distance { goal, octile };
        }
        let share = |(from, to, cost): (Cell, Cell, Cost)| (u64::from(cost.0), octile.between(from, to).max(1));
        let shares = grid.links().map(share).filter(|(cost, apart)| cost < apart);
        let (cost, apart) = shares.min_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1))).unwrap_or((1, 1));
        let Prices { straight, diagonal } = least_prices(grid);
        let scaled = |price: u32| (u64::from(price) * cost / apart) as u32;
        let straight = scaled(straight);
        let prices = Prices { straight, diagonal: scaled(diagonal).min(2 * straight) };
        Distance { goal, octile: octile_of(grid.rules().directions, prices) }
    }

    #[inline(always)]
    pub(in crate::chart) fn from(self, cell: Cell) -> u64 {
        self.octile.between(cell, self.goal)
    }
}

/// Returns the cost from which open lists derive the width of a bucket. Dear links make buckets wider, so that there are not too
/// many of them.
pub(in crate::chart) fn grain(grid: &SquareGrid) -> u32 {
    let dearest = grid.links().map(|(_, _, cost)| cost.0).max().unwrap_or(0);
    (grid.metric().straight() * GRAIN).max(dearest / 1024)
}

/// The records of a search over ports.
#[derive(Default)]
pub(super) struct PortSearch {
    records: Vec<Record>,
    visits: Vec<Visits>,
    /// The number of this search. It counts down and is stored above the cost in [`Record::reached`], so that records
    /// of earlier searches compare as greater than any cost of this one.
    epoch: u32,
}

/// The record of one port.
#[derive(Copy, Clone)]
struct Record {
    /// The epoch in the upper 32 bits, and the least cost found from the start to the port in the lower 32.
    reached: u64,
    /// The port that it was reached from, or [`NO_PORT`] if it was reached from the start.
    via: u32,
    /// The cost at which the port was last taken from the open list, or [`NO_WAY`] if it has become cheaper since.
    done: u32,
}

const UNKNOWN: Record = Record { reached: u64::MAX, via: NO_PORT, done: NO_WAY };

/// The first ports of a cluster that a search expanded, at most four.
#[derive(Copy, Clone, Default)]
struct Visits {
    epoch: u32,
    count: u32,
    sent: [Expanded; 4],
}

/// A port that was expanded: its row of prices, its cost from the start and its connected part.
#[derive(Copy, Clone, Default)]
struct Expanded {
    row: u32,
    g: u32,
    part: u16,
}

impl PortSearch {
    pub(super) fn bytes(&self) -> usize {
        held(&self.records) + held(&self.visits)
    }

    /// Makes the records ready for a new search: all that earlier searches wrote becomes invalid.
    pub(super) fn reset(&mut self, chart: &Clusters) {
        if self.epoch == 0 {
            self.records.clear();
            self.visits.clear();
            self.epoch = u32::MAX;
        }
        self.epoch -= 1;
        let (ports, clusters) = (chart.port_count(), chart.mark_count());
        if self.records.len() < ports {
            self.records.resize(ports, UNKNOWN);
        }
        if self.visits.len() < clusters {
            self.visits.resize(clusters, Visits { epoch: u32::MAX, ..Visits::default() });
        }
    }

    /// Opens a port that is reached from the start, if it has not been reached as cheaply before.
    pub(super) fn open(&mut self, port: u32, g: u32, key: u64, open: &mut BucketRing) {
        let reached = u64::from(self.epoch) << 32 | u64::from(g);
        if reached < self.records[port as usize].reached {
            self.records[port as usize] = Record { reached, ..UNKNOWN };
            open.push(key, port);
        }
    }

    /// Expands ports until `best` is the best route. Returns whether the search has ended; `false` means that `left`
    /// ran out.
    pub(super) fn run<L: Fn(u32) -> usize>(
        &mut self,
        query: &PortQuery<L>,
        open: &mut BucketRing,
        room: &mut BuildScratch,
        best: &mut Best,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> bool {
        let PortQuery { chart, grid, .. } = *query;
        while *left > 0 {
            let Some(port) = open.pop() else {
                return true;
            };
            if open.floor() >= best.cost {
                return true;
            }
            if probe.is_watching() {
                probe.event(Event::Pop { node: grid.node(chart.cell(port)) });
            }
            let record = &mut self.records[port as usize];
            let g = record.reached as u32;
            if record.done == g {
                continue; // another entry of this port was taken at this cost before
            }
            record.done = g;
            let number = (query.level)(port);
            let level = &chart.levels[number];
            let place = level.place(port);
            if level.awaits(place.cluster) {
                chart.fill_late(grid, number, place.cluster, room);
            }
            let table = level.table(place.cluster);
            let taken = Taken { port, g, place, level, row: Level::row(table, place) };
            let mark = chart.mark(number, place.cluster);
            if !self.visit(mark, taken, table) {
                continue;
            }
            *left -= 1;
            if probe.is_watching() {
                probe.event(Event::Expand { node: grid.node(place.cell), g });
            }
            if mark == query.goal_mark && query.reach_goal(taken, best, probe) && query.hasty {
                return true;
            }
            self.open_exits(query, taken, best.cost, open, probe);
        }
        false
    }

    /// Notes that a port is about to be expanded. Returns `false` if the port need not be expanded,
    /// because a port of its cluster that was expanded before reaches it as cheaply. `table` has the prices of the
    /// cluster, whose number among those of all levels is `mark`.
    #[inline(always)]
    fn visit(&mut self, mark: u32, Taken { g, place, row, .. }: Taken, table: &[u32]) -> bool {
        let visit = &mut self.visits[mark as usize];
        if visit.epoch != self.epoch {
            *visit = Visits { epoch: self.epoch, ..Visits::default() };
        }
        let own = usize::from(place.own);
        let count = visit.count as usize;
        if let Some(&across) = row.get(own) {
            let out = u64::from(g) + u64::from(across);
            let leads_here = |sent: &Expanded| {
                sent.part == place.part
                    && sent.row != place.row
                    && u64::from(sent.g) + u64::from(table[sent.row as usize + own]) <= out
            };
            if visit.sent[..count].iter().any(leads_here) {
                return false;
            }
        }
        if count < visit.sent.len() {
            visit.sent[count] = Expanded { row: place.row, g, part: place.part };
            visit.count += 1;
        }
        true
    }

    /// Opens the ports beyond the exits of a port, where that makes them cheaper and can lead to a route that costs
    /// less than `most`.
    #[inline(always)]
    fn open_exits<L>(
        &mut self,
        query: &PortQuery<L>,
        taken: Taken,
        most: u64,
        open: &mut BucketRing,
        probe: &mut impl Probe,
    ) {
        let stamp = u64::from(self.epoch) << 32;
        for (exit, &price) in taken.level.exits_from(taken.place).iter().zip(taken.row) {
            let g = taken.g.saturating_add(price);
            let reached = stamp | u64::from(g);
            let record = &mut self.records[exit.to as usize];
            if probe.is_watching() {
                probe.event(Event::Generate { node: query.grid.node(exit.cell) });
            }
            if reached >= record.reached || g == NO_WAY || !query.limits.contains(exit.cell) {
                continue;
            }
            let key = u64::from(g) + query.distance.from(exit.cell);
            if key >= most {
                continue;
            }
            if probe.is_watching() {
                let node = query.grid.node(exit.cell);
                if record.reached >> 32 == u64::from(self.epoch) {
                    let again = record.done == record.reached as u32;
                    probe.event(if again { Event::Reopen { node } } else { Event::Decrease { node } });
                }
                probe.event(Event::Push { node, g, key });
            }
            *record = Record { reached, via: taken.port, done: NO_WAY };
            open.push(key, exit.to);
        }
    }

    /// Returns how the port `target` was reached, or `None` if it was reached from the start. If several exits lead
    /// from the previous port to `target`, the hop takes the cheapest.
    pub(super) fn hop(&self, chart: &Clusters, target: u32, level: impl Fn(u32) -> usize) -> Option<Hop> {
        let port = self.records[target as usize].via;
        if port == NO_PORT {
            return None;
        }
        let number = level(port);
        let level = &chart.levels[number];
        let place = level.place(port);
        let (exits, leaves) = (level.exits_from(place), level.leaves_from(place));
        let row = Level::row(level.table(place.cluster), place);
        let ways = exits.iter().zip(leaves).zip(row).filter(|((exit, _), _)| exit.to == target);
        let ways = ways.map(|((_, leave), &price)| Hop { port, level: number, leave: leave.from, price });
        ways.min_by_key(|hop| hop.price)
    }
}
