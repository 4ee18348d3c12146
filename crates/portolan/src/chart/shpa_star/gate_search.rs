//! The search on the chart: A* from gate to gate. A gate is reached when one stands on its far side; from there the
//! way leads to every gate of that region, and each is priced by the distance to it.
//!
//! The gates of the start's region are reached first, by the distance from the start: the start is not put into the
//! chart, and neither is the goal. A gate into the goal's region is priced to the goal itself.

use super::Chart;
use super::gates::Gate;
use crate::chart::shared::walk::{Prices, beeline, least_prices};
use crate::graph::{MANHATTAN, OCTILE};
use crate::id::{Cell, NodeId};
use crate::method::Task;
use crate::open_list::BucketList;
use crate::probe::{Event, Probe};
use crate::scratch::{Scratch, Stamp, Stamped, TOO_FAR};
use crate::world::Directions;
use std::f64::consts::SQRT_2;

/// The gate before the first.
const NONE: u32 = u32::MAX;

/// Set in [`GateRecord::shut`] once the gate was expanded. There are fewer regions than cells, and fewer cells than this.
const CLOSED: u32 = 1 << 31;

/// No region at all.
const NO_REGION: u32 = CLOSED - 1;

/// What is known of a gate.
#[derive(Copy, Clone, Default)]
struct GateRecord {
    /// The query's stamp, then the cost turned upside down: the greater, the better.
    merit: u64,
    /// The gate before.
    before: u32,
    /// The region there is no sense in going on to.
    shut: u32,
}

impl Stamp for GateRecord {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        (self.merit >> 32) as u32
    }
}

/// What a search on the chart writes, besides its open list.
#[derive(Default)]
pub(super) struct GateRecords {
    by_gate: Stamped<GateRecord>,
    /// The cost of the best way to the goal, and the last gate of it.
    best: u64,
    last: u32,
}

impl GateRecords {
    /// Writes the gates of the best way, the last one first; `false` where there is no way short enough to count.
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

/// What is taken to be the distance between two cells.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Distance {
    Natural,
    Euclidean,
}

/// A search on the chart; the shape of its distances is a type of its own.
pub(super) struct GateSearch<'a, const SHAPE: u8> {
    chart: &'a Chart,
    task: Task<'a>,
    goal_region: u32,
    /// On the lightest ground.
    least: Prices,
    records: &'a mut GateRecords,
    open: &'a mut BucketList,
}

impl<'a, const SHAPE: u8> GateSearch<'a, SHAPE> {
    pub(super) fn new(chart: &'a Chart, task: Task<'a>, scratch: &'a mut Scratch) -> Self {
        GateSearch {
            chart,
            task,
            goal_region: chart.regions.of(task.goal()),
            least: least_prices(task.grid),
            records: &mut scratch.voyage.records,
            open: &mut scratch.list,
        }
    }

    /// Reaches the gates of the start's region.
    pub(super) fn begin(&mut self, probe: &mut impl Probe) {
        self.records.by_gate.reset(self.chart.gates.count(), u32::MAX);
        (self.records.best, self.records.last) = (TOO_FAR, NONE);
        self.open.reset(0, self.least[0]);
        probe.event(Event::Expand { node: self.task.start(), g: 0 });
        let before = GateRecord { merit: 0, before: NONE, shut: NO_REGION };
        self.reach(self.task.from, self.chart.regions.of(self.task.start()), 0, before, probe);
    }

    /// Whether the search came to its end.
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
                continue; // filed again since, under a better key
            }
            let (g, shut) = (!(record.merit as u32), record.shut);
            record.shut |= CLOSED;
            *left -= 1;
            probe.event(Event::Expand { node, g });
            self.reach(gate.far, gate.beyond, g, GateRecord { merit: 0, before: number, shut }, probe);
        }
        false
    }

    /// Reaches the gates of `region` from a cell in it. Where weights do not differ, there is no sense in going back to
    /// the region one came from: what is there was reached from its own side, by no longer a way.
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

/// What a way between two cells of a region is taken to cost.
#[inline(always)]
fn distance<const SHAPE: u8>(from: Cell, to: Cell, prices: Prices) -> u64 {
    match SHAPE {
        OCTILE => beeline(Directions::Eight, prices, from, to),
        MANHATTAN => beeline(Directions::Four, prices, from, to),
        _ => {
            // Exact or correctly rounded everywhere, as in the estimates of flat searches.
            let (dx, dy) = (u64::from(from.x.abs_diff(to.x)), u64::from(from.y.abs_diff(to.y)));
            let price = f64::from(prices[0]).min(f64::from(prices[1]) / SQRT_2);
            (((dx * dx + dy * dy) as f64).sqrt() * price) as u64
        }
    }
}
