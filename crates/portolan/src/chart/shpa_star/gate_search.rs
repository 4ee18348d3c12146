//! The search over gates: A* whose nodes are gates.
//!
//! The cost of a gate is that of a route from the start to the gate's far cell. From there the search goes on to every
//! gate of the region around that cell, and takes the distance to a gate's near cell as the cost of getting there.
//!
//! Start and goal are not put into the chart. The search begins with the gates of the start's region, at their distance
//! from the start. For a gate into the goal's region, the distance from the gate to the goal completes the cost.
//!
//! Not here: the cells of the legs between the gates, which [`super::ShpaStar`] finds.

use super::Chart;
use super::gates::Gate;
use crate::chart::shared::walk::{beeline, least_prices};
use crate::cost::{Octile, Prices};
use crate::graph::square::{MANHATTAN, OCTILE};
use crate::id::{Cell, NodeId};
use crate::method::Task;
use crate::open_list::BucketList;
use crate::probe::{Event, Probe};
use crate::scratch::{Stamp, Stamped, TOO_FAR};
use crate::space::Directions;

/// The number of no gate: what comes before the first gate of a route, and the last gate while no route is found.
const NONE: u32 = u32::MAX;

/// The bit that is set in [`GateRecord::shut`] once the gate was expanded. Numbers of regions never have this bit, as
/// there are fewer regions than cells and fewer cells than 2³⁰.
const CLOSED: u32 = 1 << 31;

/// The number of no region, for [`GateRecord::shut`].
const NO_REGION: u32 = CLOSED - 1;

/// A `GateRecord` holds what a query has found out about one gate.
#[derive(Copy, Clone, Default)]
struct GateRecord {
    /// The query's stamp in the upper 32 bits, the complement of the cost in the lower: the greater, the better. One
    /// comparison thus tells whether a new cost beats the record: one of this query with a greater cost, or any record
    /// of an earlier query.
    merit: u64,
    /// The gate before this one on the cheapest route found to it, or [`NONE`].
    before: u32,
    /// A region that the search need not enter from this gate, or [`NO_REGION`]; and the bit [`CLOSED`].
    shut: u32,
}

impl Stamp for GateRecord {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        (self.merit >> 32) as u32
    }
}

/// `GateRecords` holds what a search over gates writes besides its open list.
#[derive(Default)]
pub(super) struct GateRecords {
    by_gate: Stamped<GateRecord>,
    /// The cost of the best route to the goal found so far, [`TOO_FAR`] before there is one.
    best: u64,
    /// The last gate of that route, [`NONE`] before there is one.
    last: u32,
}

impl GateRecords {
    /// Writes the gates of the best route into `way`, the last gate first. Returns `false` if the search found no route
    /// whose cost fits 32 bits.
    pub(super) fn way(&self, chart: &Chart, way: &mut Vec<Gate>) -> bool {
        way.clear();
        let mut number = self.last;
        while number != NONE {
            way.push(*chart.gates.gate(number));
            number = self.by_gate.get(number as usize).expect("a way is made of gates reached").before;
        }
        !way.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        self.by_gate.bytes()
    }
}

/// `Distance` says which distance between two cells is taken for the cost of the way between them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Distance {
    /// Octile with eight directions, Manhattan with four.
    Natural,
    Euclidean,
}

/// A `GateSearch` is one query's search over gates. `SHAPE` is its kind of distance: a constant, so that each kind is
/// compiled on its own.
pub(super) struct GateSearch<'a, const SHAPE: u8> {
    chart: &'a Chart,
    task: Task<'a>,
    goal_region: u32,
    /// What steps cost at the world's least weight, for estimates.
    least: Prices,
    records: &'a mut GateRecords,
    open: &'a mut BucketList,
}

impl<'a, const SHAPE: u8> GateSearch<'a, SHAPE> {
    pub(super) fn new(
        chart: &'a Chart,
        task: Task<'a>,
        records: &'a mut GateRecords,
        open: &'a mut BucketList,
    ) -> Self {
        GateSearch {
            chart,
            task,
            goal_region: chart.regions.of(task.goal()),
            least: least_prices(task.grid),
            records,
            open,
        }
    }

    /// Makes the records ready for a new search and adds the gates of the start's region.
    pub(super) fn begin(&mut self, probe: &mut impl Probe) {
        self.records.by_gate.reset(self.chart.gates.count(), u32::MAX);
        (self.records.best, self.records.last) = (TOO_FAR, NONE);
        self.open.reset(0, self.least.straight);
        probe.event(Event::Expand { node: self.task.start(), g: 0 });
        let before = GateRecord { merit: 0, before: NONE, shut: NO_REGION };
        self.reach(self.task.from, self.chart.regions.of(self.task.start()), 0, before, probe);
    }

    /// Expands up to `left` gates, counting `left` down. Returns `true` once the search has ended: the open list is
    /// empty, or none of its gates can lead to a cheaper route than the best found.
    pub(super) fn run(&mut self, left: &mut u64, probe: &mut impl Probe) -> bool {
        while *left > 0 {
            let Some(number) = self.open.pop() else {
                return true;
            };
            let gate = self.chart.gates.gate(number);
            let node = self.task.grid.node(gate.far);
            probe.event(Event::Pop { node });
            if self.open.floor() >= self.records.best {
                return true;
            }
            let record = self.records.by_gate.slot(number as usize);
            if record.shut & CLOSED != 0 {
                continue; // an outdated entry: a later one with a better key has been expanded already
            }
            let (g, shut) = (!(record.merit as u32), record.shut);
            record.shut |= CLOSED;
            *left -= 1;
            probe.event(Event::Expand { node, g });
            self.reach(gate.far, gate.beyond, g, GateRecord { merit: 0, before: number, shut }, probe);
        }
        false
    }

    /// Looks at the gates of `region` from the cell `at` inside it, which was reached at cost `g`, and adds those that
    /// become cheaper to the open list. `from` gives the gate that leads to `at`, and the region not to enter.
    ///
    /// Where the world has one weight, the search does not turn back from `region` into the region before it: the plain
    /// distance inside that region is never longer than a detour through `region`.
    #[inline(always)]
    fn reach(&mut self, at: Cell, region: u32, g: u32, from: GateRecord, probe: &mut impl Probe) {
        let GateRecords { by_gate, best, last } = &mut *self.records;
        let stamp = by_gate.stamp();
        let (prices, shut) = match self.chart.prices(region) {
            None => (self.least, region),
            Some(prices) => (prices, NO_REGION),
        };
        for number in self.chart.gates.of(region) {
            let gate = self.chart.gates.gate(number);
            if gate.beyond == from.shut {
                continue;
            }
            let node: NodeId = self.task.grid.node(gate.far);
            probe.event(Event::Generate { node });
            let g = u64::from(g) + distance::<SHAPE>(at, gate.near, prices) + u64::from(gate.step);
            let record = by_gate.slot(number as usize);
            let Ok(g) = u32::try_from(g) else { continue };
            let merit = u64::from(stamp) << 32 | u64::from(!g);
            if record.merit >= merit {
                continue;
            }
            let reached = GateRecord { merit, before: from.before, shut };
            if gate.beyond == self.goal_region {
                let prices = self.chart.prices(gate.beyond).unwrap_or(self.least);
                let whole = u64::from(g) + distance::<SHAPE>(gate.far, self.task.to, prices);
                if whole < *best {
                    *record = reached;
                    (*best, *last) = (whole, number);
                    probe.event(Event::Goal { cost: whole as u32 });
                }
                continue;
            }
            let key = u64::from(g) + distance::<SHAPE>(gate.far, self.task.to, self.least);
            if key >= *best {
                continue;
            }
            if record.stamp() == stamp {
                let closed = record.shut & CLOSED != 0;
                probe.event(if closed { Event::Reopen { node } } else { Event::Decrease { node } });
            }
            *record = reached;
            self.open.push(key, number);
            probe.event(Event::Push { node, g, key });
        }
    }
}

/// Returns the distance between two cells of a region, at the prices of steps there.
#[inline(always)]
fn distance<const SHAPE: u8>(from: Cell, to: Cell, prices: Prices) -> u64 {
    match SHAPE {
        OCTILE => beeline(Directions::Eight, prices, from, to),
        MANHATTAN => beeline(Directions::Four, prices, from, to),
        _ => {
            let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
            Octile::new(prices).euclidean(dx.into(), dy.into())
        }
    }
}
