//! SHPA*: plans from gate to gate between merged regions, then walks each leg.
//!
//! **Idea.** The world is divided into regions of any shape; each region is compact and connected within itself. A gate
//! is a step from one region into another. A query runs A* over the gates with plain distances as costs, so that the
//! chart keeps no measured costs, and start and goal are not put into the chart. The gates found are slid along their
//! entrances to straighten the route. The legs between them then become cells: most legs are walks that no obstacle
//! lengthens, the others are searched by A*.
//! **Use** it where the world does not change and many good routes are wanted from little memory.
//! **Promises** a route where there is one. On the 120 maps of its paper routes cost on average 0.5 % more than the
//! cheapest; where weights differ, 4 to 13 %.
//! **Costs** four bytes a cell and 20 a gate. A query expands gates, which are few, and the cells of obstructed legs.
//! An edit does not repair the chart: it is built anew, in about 0.2 seconds for a million cells, and all its regions
//! are reported as redone.
//! **Departs** from its paper, which leaves much of this open, as follows. Distances are octile or Manhattan, which is
//! as short as moves can be (`distance=euclidean` is the paper's). Gates are slid. A leg, or a whole route, that
//! nothing obstructs is walked without a search. Plain A* searches not only within one region but also between two that
//! share a gate. A gate into the goal's region is priced with the distance from there to the goal, and the search ends
//! when no gate can lead to a cheaper total; the paper ends it at the first such gate taken off the open list, which
//! gives an equal total where that distance is also the estimate.
//! On weighted ground the distances in a region are multiplied by its mean weight.
//!
//! Kring, Champandard, Samarin: DHPA* and SHPA*: Efficient hierarchical pathfinding in dynamic and static game worlds,
//! 2010. Merging after van der Sterren, Champandard: Automated terrain analysis, 2008.

mod gate_search;
mod gates;
mod outline;
mod regions;

use crate::algorithm::{Algorithm, Listed, Promise};
use crate::chart::shared::walk::{least_distance, least_prices, walk};
use crate::cost::Prices;
use crate::graph::square::{EUCLIDEAN, MANHATTAN, OCTILE};
use crate::id::Cell;
use crate::memory::held;
use crate::method::Repair;
use crate::method::{End, Method, Task};
use crate::outline::Outline;
use crate::probe::{Event, Probe, lent, with_probe};
use crate::scratch::{AlgorithmState, Scratch};
use crate::settings::Param;
use crate::space::Motion;
use crate::space::square::SquareGrid;
use crate::space::{Directions, Edit, Extras};
use gate_search::{Distance, GateRecords, GateSearch};
use gates::{Gate, Gates};
use regions::{LEAST_SIZE, Regions};

const SIZE: Param = Param::count("size", "most cells of a region", 600, LEAST_SIZE, 1 << 20);

const GAP: Param = Param::count("gap", "most cells of an entrance that share a gate", 12, 1, 1 << 15);

const DISTANCE: Param = Param::choice(
    "distance",
    "cost of a way within a region; natural is octile with eight directions and manhattan with four",
    &["natural", "euclidean"],
);

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "shpa-star",
    title: "SHPA*",
    summary: "plans between merged regions by plain distances, then walks each leg; for worlds that stay as they are",
    paper: "Kring, Champandard, Samarin 2010",
    params: &[SIZE, GAP, DISTANCE],
    bytes_per_cell: 24,
    table_bytes: |_, _| 0,
    motion: Motion::Steps,
    extras: Extras::Nothing,
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |grid, _| Regions::known_bytes(grid),
    build: |grid, settings| {
        let plan = Plan {
            size: settings.count(SIZE.name) as usize,
            gap: settings.count(GAP.name) as usize,
            distance: if settings.choice(DISTANCE.name) == "natural" { Distance::Natural } else { Distance::Euclidean },
        };
        let flat = SquareGrid::exact().with_defaults(grid);
        Box::new(ShpaStar { plan, chart: Chart::new(grid, plan), flat })
    },
    open: None,
};

#[derive(Copy, Clone)]
struct Plan {
    size: usize,
    gap: usize,
    distance: Distance,
}

#[derive(Clone)]
struct ShpaStar {
    plan: Plan,
    chart: Chart,
    /// Searches obstructed legs, and whole routes where the chart does not serve.
    flat: Box<dyn Method>,
}

/// A `Chart` holds all that SHPA* derives from the world.
#[derive(Clone)]
struct Chart {
    regions: Regions,
    gates: Gates,
    /// What a straight and a diagonal step cost at the region's mean weight; empty where the world has one weight.
    prices_by_region: Vec<Prices>,
}

impl Chart {
    fn new(grid: &SquareGrid, plan: Plan) -> Chart {
        let regions = Regions::new(grid, plan.size);
        let gates = Gates::new(grid, &regions, plan.gap);
        let prices_by_region = if grid.uniform_weight().is_some() { Vec::new() } else { mean_prices(grid, &regions) };
        Chart { regions, gates, prices_by_region }
    }

    /// Returns the prices of steps in a region, or `None` where the world has one weight.
    #[inline(always)]
    fn prices(&self, region: u32) -> Option<Prices> {
        self.prices_by_region.get(region as usize).copied()
    }

    fn bytes(&self) -> usize {
        self.regions.bytes() + self.gates.bytes() + held(&self.prices_by_region)
    }
}

/// Returns the prices of steps in each region at its mean weight. They are never less than the prices at the world's
/// least weight, by which estimates are made, so that estimates stay lower bounds.
fn mean_prices(grid: &SquareGrid, regions: &Regions) -> Vec<Prices> {
    let mut sums = vec![(0, 0); regions.count()];
    for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
        let node = grid.node(cell);
        let (weight, cells) = &mut sums[regions.of(node) as usize];
        *weight += u64::from(grid.weight(node));
        *cells += 1;
    }
    let prices = grid.metric().prices();
    sums.into_iter().map(|(weight, cells)| prices.at_mean_weight(weight, cells)).collect()
}

/// A `Phase` says what a query does next.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Phase {
    #[default]
    Begin,
    SearchGates,
    BeginLeg,
    SearchLeg,
    /// A flat search for the whole route: start and goal lie in one region or in two that share a gate, or the cost
    /// found by way of the chart does not fit 32 bits.
    SearchAll,
}

/// `ShpaScratch` holds what a query writes besides the scratch of its flat searches.
#[derive(Default)]
struct ShpaScratch {
    phase: Phase,
    records: GateRecords,
    /// The gates of the route, the one nearest to the goal first.
    way: Vec<Gate>,
    /// How many legs are done. Legs are done from the goal back to the start, and there is one more of them than gates.
    passed: usize,
    /// The cells of the legs done, the goal first.
    cells: Vec<Cell>,
    /// The cost of these legs and of the steps through the gates at which they begin.
    cost: u32,
}

impl AlgorithmState for ShpaScratch {
    fn bytes(&self) -> usize {
        self.records.bytes() + held(&self.way) + held(&self.cells)
    }
}

impl ShpaScratch {
    /// Returns the next leg to do: from the far side of one gate of the route to the near side of the next.
    fn leg<'a>(&self, task: Task<'a>) -> Task<'a> {
        let to = if self.passed == 0 { task.to } else { self.way[self.passed - 1].near };
        let from = self.way.get(self.passed).map_or(task.from, |gate| gate.far);
        Task { grid: task.grid, from, to }
    }

    /// Prepares the legs of the route, whose gates are known.
    fn begin_legs(&mut self, task: Task, chart: &Chart) {
        self.slide(task, chart);
        self.cells.clear();
        (self.passed, self.cost) = (0, 0);
    }

    /// Slides every gate of the route along its entrance to where the way from the gate before to the gate after is
    /// cheapest: once from the start to the goal, then once back, as each slide changes what is best for its
    /// neighbours.
    fn slide(&mut self, task: Task, chart: &Chart) {
        let (directions, common) = (task.grid.rules().directions, least_prices(task.grid));
        let prices = |region| chart.prices(region).unwrap_or(common);
        let home = chart.regions.of(task.start());
        let count = self.way.len();
        for i in (0..count).rev().chain(0..count) {
            let (before, region) = self.way.get(i + 1).map_or((task.from, home), |gate| (gate.far, gate.beyond));
            let after = if i == 0 { task.to } else { self.way[i - 1].near };
            let gate = self.way[i];
            self.way[i] = gate.slid(directions, (before, prices(region)), (after, prices(gate.beyond)));
        }
    }

    /// Counts the leg as done and adds its cost and that of the step through the gate at which it begins. Returns
    /// `None` if the sum does not fit 32 bits.
    fn add(&mut self, cost: u32, grid: &SquareGrid) -> Option<()> {
        let step = self.way.get(self.passed).map_or(0, |gate| {
            grid.step_cost(gate.near, gate.far).expect("a gate is a legal step wherever it was slid").0
        });
        self.passed += 1;
        self.cost = self.cost.checked_add(cost)?.checked_add(step)?;
        Some(())
    }
}

impl Method for ShpaStar {
    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.is_new = true;
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        if scratch.is_new {
            if *left == 0 {
                return None;
            }
            if let Some(cost) = direct(task, &mut scratch.trail) {
                *left -= 1;
                if let Some(probe) = probe {
                    probe.event(Event::Expand { node: task.start(), g: 0 });
                    probe.event(Event::Goal { cost });
                }
                return Some(End::Found(cost));
            }
        }
        scratch.with_own(|scratch, own: &mut ShpaScratch| {
            if std::mem::take(&mut scratch.is_new) {
                own.phase = Phase::Begin;
            }
            self.advance(task, scratch, own, left, probe)
        })
    }

    fn repair(&mut self, grid: &SquareGrid, _: &[Edit]) -> Repair {
        self.chart = Chart::new(grid, self.plan);
        self.chart.all_redone(grid)
    }

    fn outline(&self, grid: &SquareGrid) -> Option<Outline> {
        Some(self.chart.outline(grid))
    }

    fn bytes(&self) -> usize {
        self.chart.bytes()
    }
}

impl ShpaStar {
    /// Continues a query whose goal is not in plain sight from the start. Returns `None` if there is more to do.
    fn advance(
        &self,
        task: Task,
        scratch: &mut Scratch,
        own: &mut ShpaScratch,
        left: &mut u64,
        mut probe: Option<&mut dyn Probe>,
    ) -> Option<End> {
        loop {
            let next = match own.phase {
                Phase::Begin => {
                    let [from, to] = [task.start(), task.goal()].map(|node| self.chart.regions.of(node));
                    if from == to || self.chart.gates.join(from, to) {
                        self.begin_all(task, scratch)
                    } else {
                        *left -= 1;
                        self.search_gates(task, scratch, own, None, lent(&mut probe));
                        Phase::SearchGates
                    }
                }
                Phase::SearchGates => {
                    if !self.search_gates(task, scratch, own, Some(left), lent(&mut probe)) {
                        return None;
                    }
                    if own.records.way(&self.chart, &mut own.way) {
                        own.begin_legs(task, &self.chart);
                        Phase::BeginLeg
                    } else {
                        self.begin_all(task, scratch)
                    }
                }
                Phase::BeginLeg => {
                    let leg = own.leg(task);
                    if let Some(cost) = direct(leg, &mut own.cells) {
                        self.end_leg(task, scratch, own, cost)
                    } else {
                        self.flat.begin(leg, scratch);
                        Phase::SearchLeg
                    }
                }
                Phase::SearchLeg => {
                    let leg = own.leg(task);
                    match self.flat.step(leg, scratch, left, lent(&mut probe))? {
                        End::Found(cost) => {
                            own.cells.append(&mut scratch.trail);
                            self.end_leg(task, scratch, own, cost)
                        }
                        End::NotFound => self.begin_all(task, scratch),
                    }
                }
                Phase::SearchAll => return self.flat.step(task, scratch, left, probe),
            };
            own.phase = next;
            if next == Phase::BeginLeg && own.passed > own.way.len() {
                scratch.trail.extend_from_slice(&own.cells);
                return Some(End::Found(own.cost));
            }
        }
    }

    /// Begins the search over gates if `left` is `None`, else continues it. Returns whether the search has ended.
    fn search_gates(
        &self,
        task: Task,
        scratch: &mut Scratch,
        own: &mut ShpaScratch,
        left: Option<&mut u64>,
        probe: Option<&mut dyn Probe>,
    ) -> bool {
        let (records, open) = (&mut own.records, &mut scratch.list);
        match (self.plan.distance, task.grid.rules().directions) {
            (Distance::Euclidean, _) => go(GateSearch::<EUCLIDEAN>::new(&self.chart, task, records, open), left, probe),
            (_, Directions::Four) => go(GateSearch::<MANHATTAN>::new(&self.chart, task, records, open), left, probe),
            (_, Directions::Eight) => go(GateSearch::<OCTILE>::new(&self.chart, task, records, open), left, probe),
        }
    }

    /// Adds a finished leg and returns what comes next: the next leg, or a flat search for the whole route if the cost
    /// so far does not fit 32 bits, as that search may find a cheaper route that fits.
    fn end_leg(&self, task: Task, scratch: &mut Scratch, own: &mut ShpaScratch, cost: u32) -> Phase {
        if own.add(cost, task.grid).is_some() { Phase::BeginLeg } else { self.begin_all(task, scratch) }
    }

    /// Begins a flat search for the whole route.
    fn begin_all(&self, task: Task, scratch: &mut Scratch) -> Phase {
        self.flat.begin(task, scratch);
        Phase::SearchAll
    }
}

/// Begins `search` if `left` is `None`, else continues it. Returns whether the search has ended.
fn go<const SHAPE: u8>(mut search: GateSearch<SHAPE>, left: Option<&mut u64>, probe: Option<&mut dyn Probe>) -> bool {
    with_probe!(probe, |watcher| match left {
        None => {
            search.begin(watcher);
            false
        }
        Some(left) => search.run(left, watcher),
    })
}

/// Appends the cells of a walk from end to start of the leg that no obstacle lengthens, and returns its cost. Returns
/// `None` and writes nothing where weights differ, as such a walk may then not be the cheapest; where obstacles leave
/// no such walk; and where the cost does not fit 32 bits.
fn direct(leg: Task, cells: &mut Vec<Cell>) -> Option<u32> {
    if leg.from == leg.to {
        cells.push(leg.to);
        return Some(0);
    }
    leg.grid.uniform_weight()?;
    let length = least_distance(leg.grid).between(leg.from, leg.to);
    let cost = u32::try_from(length).ok()?;
    walk(leg.grid, leg.to, leg.from, cells).then_some(cost)
}
