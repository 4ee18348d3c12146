//! SHPA*: plans from gate to gate between merged regions, then walks each leg.
//!
//! **Idea.** The world is divided once into regions of any shape, each fully connected and compact. A query searches the
//! gates between them with plain distances as costs, so nothing is measured beforehand; start and goal are not put into
//! the chart. The way found is slid straight within its entrances and refined leg by leg: most legs are walked as the
//! crow flies, the others searched by A*.
//! **Use** it where the world stays as it is and many good routes are wanted from little memory.
//! **Promises** a route where there is one. On the 120 maps of its paper they are 0.5 % too long on average; where weights
//! differ, 4 to 13 %.
//! **Costs** four bytes a cell and 20 a gate. A query expands gates, which are few, and the cells of obstructed legs. The
//! chart is not repaired but built anew after an edit, in about 0.2 seconds for a million cells, and all its regions
//! count as redone.
//! **Departs** from its paper, which leaves much of this open, in the distance (octile or Manhattan, as short as moves can
//! be; `distance=euclidean` is the paper's), in sliding, in taking the beeline where nothing is in its way, and in plain
//! A* between neighbouring regions as within one. A gate into the goal's region is priced to the goal; the paper stops
//! at the first one taken off the open list, which is the same where the estimate is that same distance.
//! On weighted ground a region's distances are multiplied by its mean weight.
//!
//! Kring, Champandard, Samarin: DHPA* and SHPA*: Efficient hierarchical pathfinding in dynamic and static game worlds,
//! 2010. Merging after van der Sterren, Champandard: Automated terrain analysis, 2008.

mod gate_search;
mod gates;
mod outline;
mod regions;

use crate::chart::shared::walk::{Prices, beeline, least_prices, walk};
use crate::graph::{EUCLIDEAN, MANHATTAN, OCTILE};
use crate::id::Cell;
use crate::method::{End, Method, Task};
use crate::outline::Outline;
use crate::planner::Repair;
use crate::probe::{Event, Probe, Unwatched};
use crate::registry::{Algorithm, Param, Promise};
use crate::scratch::Scratch;
use crate::search::a_star;
use crate::world::square::SquareGrid;
use crate::world::{Directions, Edit};
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
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |grid, _| Regions::known_bytes(grid),
    build: |grid, settings| {
        let plan = Plan {
            size: settings.count(SIZE.name) as usize,
            gap: settings.count(GAP.name) as usize,
            distance: if settings.choice(DISTANCE.name) == "natural" { Distance::Natural } else { Distance::Euclidean },
        };
        let defaults = a_star::ALGORITHM.settings::<&str, &str>(&[]).expect("defaults are sound");
        let flat = (a_star::ALGORITHM.build)(grid, &defaults);
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
    /// Searches obstructed legs.
    flat: Box<dyn Method>,
}

/// What is derived from the world.
#[derive(Clone)]
struct Chart {
    regions: Regions,
    gates: Gates,
    /// What straight and diagonal steps cost on average; none where weights do not differ.
    prices_by_region: Vec<Prices>,
}

impl Chart {
    fn new(grid: &SquareGrid, plan: Plan) -> Chart {
        let regions = Regions::new(grid, plan.size);
        let gates = Gates::new(grid, &regions, plan.gap);
        let prices_by_region = if grid.uniform_weight().is_some() { Vec::new() } else { mean_prices(grid, &regions) };
        Chart { regions, gates, prices_by_region }
    }

    /// The prices in a region; none where weights do not differ.
    #[inline(always)]
    fn prices(&self, region: u32) -> Option<Prices> {
        self.prices_by_region.get(region as usize).copied()
    }

    fn bytes(&self) -> usize {
        self.regions.bytes() + self.gates.bytes() + 8 * self.prices_by_region.len()
    }
}

/// Each region's prices at its mean weight: never less than at the least weight, so that estimates stay lower bounds.
fn mean_prices(grid: &SquareGrid, regions: &Regions) -> Vec<Prices> {
    let mut sums = vec![(0, 0); regions.count()];
    for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
        let node = grid.node(cell);
        let (weight, cells) = &mut sums[regions.of(node) as usize];
        *weight += u64::from(grid.weight(node));
        *cells += 1;
    }
    let mean = |price: u32, (weight, cells): (u64, u64)| (u64::from(price) * weight / cells) as u32;
    let prices = |sum| {
        let straight = mean(grid.metric().straight(), sum);
        [straight, mean(grid.metric().diagonal(), sum).min(2 * straight)]
    };
    sums.into_iter().map(prices).collect()
}

/// What a query does next.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Phase {
    #[default]
    Begin,
    SearchGates,
    BeginLeg,
    SearchLeg,
    /// Start and goal are near, or too far apart for what the chart can count.
    SearchAll,
}

/// What a query writes, besides what a flat search does.
#[derive(Default)]
pub(crate) struct ShpaScratch {
    phase: Phase,
    records: GateRecords,
    /// The gates of the way, the last one first.
    way: Vec<Gate>,
    /// How many of them are behind, seen from the goal.
    passed: usize,
    /// Cells of the legs done, from the goal on, and what they cost.
    cells: Vec<Cell>,
    cost: u32,
}

impl ShpaScratch {
    pub(crate) fn bytes(&self) -> usize {
        self.records.bytes() + self.way.capacity() * size_of::<Gate>() + self.cells.capacity() * size_of::<Cell>()
    }

    /// The leg to do next.
    fn leg<'a>(&self, task: Task<'a>) -> Task<'a> {
        let to = if self.passed == 0 { task.to } else { self.way[self.passed - 1].near };
        let from = self.way.get(self.passed).map_or(task.from, |gate| gate.far);
        Task { grid: task.grid, from, to }
    }

    /// Lets the way bend as little as its entrances allow: from the start on, then once more from the goal.
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

    /// Adds a leg's cost and the step through the gate before it, if they can be counted.
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
        scratch.voyage.phase = Phase::Begin;
    }

    fn step(
        &self,
        task: Task,
        scratch: &mut Scratch,
        left: &mut u64,
        mut probe: Option<&mut dyn Probe>,
    ) -> Option<End> {
        loop {
            let next = match scratch.voyage.phase {
                Phase::Begin => {
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
                    let [from, to] = [task.start(), task.goal()].map(|node| self.chart.regions.of(node));
                    if from == to || self.chart.gates.join(from, to) {
                        self.flat.begin(task, scratch);
                        Phase::SearchAll
                    } else {
                        *left -= 1;
                        self.search_gates(task, scratch, None, lent(&mut probe));
                        Phase::SearchGates
                    }
                }
                Phase::SearchGates => {
                    if !self.search_gates(task, scratch, Some(left), lent(&mut probe)) {
                        return None;
                    }
                    let voyage = &mut scratch.voyage;
                    if voyage.records.way(&self.chart, &mut voyage.way) {
                        voyage.slide(task, &self.chart);
                        voyage.cells.clear();
                        (voyage.passed, voyage.cost) = (0, 0);
                        Phase::BeginLeg
                    } else {
                        self.flat.begin(task, scratch);
                        Phase::SearchAll
                    }
                }
                Phase::BeginLeg => {
                    let leg = scratch.voyage.leg(task);
                    if let Some(cost) = direct(leg, &mut scratch.voyage.cells) {
                        self.end_leg(task, scratch, cost)
                    } else {
                        self.flat.begin(leg, scratch);
                        Phase::SearchLeg
                    }
                }
                Phase::SearchLeg => {
                    let leg = scratch.voyage.leg(task);
                    match self.flat.step(leg, scratch, left, lent(&mut probe))? {
                        End::Found(cost) => {
                            scratch.voyage.cells.append(&mut scratch.trail);
                            self.end_leg(task, scratch, cost)
                        }
                        End::NotFound => {
                            self.flat.begin(task, scratch);
                            Phase::SearchAll
                        }
                    }
                }
                Phase::SearchAll => return self.flat.step(task, scratch, left, probe),
            };
            scratch.voyage.phase = next;
            let voyage = &mut scratch.voyage;
            if next == Phase::BeginLeg && voyage.passed > voyage.way.len() {
                scratch.trail.extend_from_slice(&voyage.cells);
                return Some(End::Found(voyage.cost));
            }
        }
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
    /// Begins the search on the chart, or goes on with it; whether it came to its end.
    fn search_gates(
        &self,
        task: Task,
        scratch: &mut Scratch,
        left: Option<&mut u64>,
        probe: Option<&mut dyn Probe>,
    ) -> bool {
        match (self.plan.distance, task.grid.rules().directions) {
            (Distance::Euclidean, _) => advance(GateSearch::<EUCLIDEAN>::new(&self.chart, task, scratch), left, probe),
            (_, Directions::Four) => advance(GateSearch::<MANHATTAN>::new(&self.chart, task, scratch), left, probe),
            (_, Directions::Eight) => advance(GateSearch::<OCTILE>::new(&self.chart, task, scratch), left, probe),
        }
    }

    /// Goes on to the next leg, or gives the chart up where the way costs more than can be counted: a flat search may
    /// still find one that does not.
    fn end_leg(&self, task: Task, scratch: &mut Scratch, cost: u32) -> Phase {
        if scratch.voyage.add(cost, task.grid).is_some() {
            return Phase::BeginLeg;
        }
        self.flat.begin(task, scratch);
        Phase::SearchAll
    }
}

/// The probe for one call.
fn lent<'a>(probe: &'a mut Option<&mut dyn Probe>) -> Option<&'a mut dyn Probe> {
    match probe {
        Some(probe) => Some(&mut **probe),
        None => None,
    }
}

fn advance<const SHAPE: u8>(
    mut search: GateSearch<SHAPE>,
    left: Option<&mut u64>,
    probe: Option<&mut dyn Probe>,
) -> bool {
    fn go<const SHAPE: u8>(search: &mut GateSearch<SHAPE>, left: Option<&mut u64>, probe: &mut impl Probe) -> bool {
        match left {
            None => {
                search.begin(probe);
                false
            }
            Some(left) => search.run(left, probe),
        }
    }
    match probe {
        None => go(&mut search, left, &mut Unwatched),
        Some(mut probe) => go(&mut search, left, &mut probe),
    }
}

/// Writes the cells of the beeline, goal first, where it is free and sure to be cheapest; its cost.
fn direct(leg: Task, cells: &mut Vec<Cell>) -> Option<u32> {
    if leg.from == leg.to {
        cells.push(leg.to);
        return Some(0);
    }
    leg.grid.uniform_weight()?;
    let length = beeline(leg.grid.rules().directions, least_prices(leg.grid), leg.from, leg.to);
    let cost = u32::try_from(length).ok()?;
    walk(leg.grid, leg.to, leg.from, cells).then_some(cost)
}
