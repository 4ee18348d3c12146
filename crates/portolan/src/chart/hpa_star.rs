//! HPA*: plans over clusters whose crossings are priced beforehand.
//!
//! **Idea.** The world is cut into square clusters. Where two clusters meet, each run of border cells that are free on
//! both sides is an entrance with one or two transitions (more with `entrances=spaced`); the cells at both ends of a
//! transition are ports. The cost from port to port inside a cluster is computed once and kept. A query connects start
//! and goal to the ports of their clusters, searches the ports, and turns the route it found into cells, leg by leg.
//! Clusters can be grouped into larger clusters on any number of levels; where there are links or one-way borders, there is one.
//! **Use** it on large worlds that change: an edit redoes only the clusters near it, and prices take little memory.
//! **Promises** a route wherever there is one. Its cost before smoothing is that of the best route through the
//! transitions, whatever the number of levels: a few percent above the optimum, and within one percent after smoothing
//! on most maps.
//! **Costs** one Dijkstra per port to build, which stops when it has reached all ports whose cost is not known yet. A
//! query expands a small part of the ports, and searches the cells of the two clusters of start and goal and of each
//! cluster in which an obstacle stands in the way of a leg.
//! **Departs** from its paper in these points. A port that a route only crosses on its way out of a cluster is not
//! opened. A port is not expanded if an expanded port of its connected part of the cluster reaches it as cheaply. Start
//! and goal are connected on the lowest level only, in the searcher's own memory, and ports near them are expanded on
//! lower levels instead. Clusters without obstacles and legs in sight need no search. Clusters are larger on large
//! worlds. Transitions also cross where four clusters meet. A goal in plain sight is walked to without the chart.
//!
//! A state of the search is a port by which a cluster was entered. It is expanded on the highest level on which its
//! cluster holds neither start nor goal, or else on the lowest. So more levels coarsen only what lies far from both,
//! and start and goal need to be connected on the lowest level alone. The prices of each level are exact sums of prices
//! of the level below, so the cost found does not depend on the number of levels.
//!
//! Botea, Müller, Schaeffer: Near optimal hierarchical path-finding, 2004. The query over levels is that of
//! customizable route planning: Delling, Goldberg, Pajor, Werneck, 2011.

mod clusters;
mod connection;
mod entrance;
mod flatten;
mod legs;
mod level;
mod parts;
mod port_search;
mod pricing;
mod refine;
mod route_cache;
mod rows;
mod settings;
mod trees;

pub(super) use clusters::{BuildScratch, Clusters, Keeps, Plan};
pub(super) use connection::{Connection, straight_walk};
pub(super) use entrance::{DIAGONALS, ENTRANCES, Entrances, Transition};
pub(super) use port_search::{Best, Distance, NO_PORT, SPREAD, grain};
pub(super) use refine::walk_or_search;
pub(super) use rows::{PortRows, most_row_bytes};
pub(super) use settings::{CLUSTER, EDGES, GROUP, LEVELS, plan};
pub(super) use trees::Heading;

use super::shared::cutout::NO_WAY;
use super::shared::settings::{DIRECT, SMOOTHING, smoothing};
use super::shared::sight::{walked, walked_over_links};
use crate::algorithm::{Algorithm, Promise};
use crate::flat::Flat;
use crate::id::Cell;
use crate::memory::held;
use crate::method::Repair;
use crate::method::{End, Leg, Legs, Method, Task};
use crate::open_list::BucketRing;
use crate::outline::{Census, Outline};
use crate::probe::{Event, Phase, Probe, Unwatched, with_probe};
use crate::route::smooth::{Smoothing, smooth_between_links, smooth_trail};
use crate::saved::{OpenError, SectionStream, Sections};
use crate::scratch::{AlgorithmState, Scratch};
use crate::settings::{Param, Settings};
use crate::space::Motion;
use crate::space::square::SquareGrid;
use crate::space::{Area, Edit, Extras};
use port_search::{PortQuery, PortSearch};

const ROUTES: Param = Param::choice(
    "routes",
    "how legs are refined: kept, once, and remembered; search, each time anew",
    &["kept", "search"],
);

/// Cells along a lowest cluster's side, and number of levels, on a large world of one weight where the settings leave
/// them open. They are a compromise: an edit redoes few clusters, which should be small, and a search crosses many,
/// which should be large.
const LARGE_WORLD: (u32, usize) = (20, 2);

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "hpa-star",
    title: "HPA*",
    summary: "plans over clusters whose crossings are priced beforehand, on any number of levels; repaired after edits",
    paper: "Botea, Müller, Schaeffer 2004",
    params: &[CLUSTER, LEVELS, GROUP, ENTRANCES, DIAGONALS, EDGES, DIRECT, ROUTES, SMOOTHING.with_default("taut")],
    bytes_per_cell: 64,
    table_bytes: |_, _| 0,
    motion: Motion::Steps,
    extras: Extras::OneWays,
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |_, _| 0,
    build: |grid, settings| {
        let chart = Clusters::build(grid, own_plan(grid, settings), &mut BuildScratch::default());
        Box::new(HpaStar::new(chart, settings))
    },
    open: Some(open),
};

/// Opens a chart that was saved.
fn open(grid: &SquareGrid, settings: &Settings, sections: &Sections) -> Result<Box<dyn Method>, OpenError> {
    let chart = Clusters::open(grid, own_plan(grid, settings).saved_as(sections)?, sections)?;
    Ok(Box::new(HpaStar { opened: true, ..HpaStar::new(chart, settings) }))
}

fn own_plan(grid: &SquareGrid, settings: &Settings) -> Plan {
    let keeps = if settings.choice(ROUTES.name) == "kept" { Keeps::Legs } else { Keeps::Nothing };
    Plan { keeps, ..plan(grid, settings, LARGE_WORLD) }
}

/// A chart of clusters and the settings of its queries: the method of HPA* and of DHPA*.
#[derive(Clone)]
pub(crate) struct HpaStar {
    pub(super) chart: Clusters,
    /// Whether a search ends at the first port of the goal's cluster that reaches the goal, instead of the best one.
    pub(super) hasty: bool,
    /// Whether a goal in plain sight is walked to without a search of the chart.
    pub(super) direct: bool,
    /// Whether the chart was read from saved data, which may be wrong: `advance` then checks every step of a route and
    /// takes the cost of these steps instead of the chart's.
    pub(super) opened: bool,
    pub(super) smoothing: Option<Smoothing>,
    /// The costs between all ports, if they take the place of a search.
    pub(super) rows: Option<PortRows>,
    /// Working memory of repairs, kept from one repair to the next.
    pub(super) room: BuildScratch,
}

/// Working memory of a search on a chart.
#[derive(Default)]
struct HpaScratch {
    search: PortSearch,
    start: Connection,
    goal: Connection,
    /// While a leg is split: the cost from each port of its last cluster to its end, by the port's rank.
    column: Vec<u32>,
    /// Legs not yet turned into cells, in walking order. They are taken from the end, since a trail begins at the goal.
    legs: Vec<Leg>,
    room: BuildScratch,
    spare: Vec<Cell>,
    stage: Stage,
    best: Best,
    /// Expansions that are not yet subtracted from the budget of a slice.
    owed: u64,
}

impl AlgorithmState for HpaScratch {
    fn bytes(&self) -> usize {
        self.search.bytes()
            + self.start.bytes()
            + self.goal.bytes()
            + held(&self.column)
            + held(&self.legs)
            + self.room.bytes()
            + held(&self.spare)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Stage {
    #[default]
    Connect,
    Search,
    /// The rows of costs that were read are subtracted from the budget of slices.
    Pay,
    Refine,
}

impl HpaStar {
    /// Combines a built chart with the settings of its queries.
    pub(super) fn new(chart: Clusters, settings: &Settings) -> HpaStar {
        HpaStar {
            chart,
            room: BuildScratch::default(),
            hasty: false,
            opened: false,
            direct: settings.choice(DIRECT.name) == "yes",
            smoothing: smoothing(settings),
            rows: None,
        }
    }
}

impl Method for HpaStar {
    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.is_new = true;
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        with_probe!(probe, |watcher| self.advance(task, scratch, left, watcher))
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        if !self.chart.suits(grid) {
            self.chart = self.chart.built_again(grid, &mut self.room);
            if let Some(rows) = &mut self.rows {
                rows.follow(&self.chart);
            }
            return Repair { rebuilt: true, ..Repair::default() };
        }
        let repair = self.chart.repair(grid, edits, &mut self.room);
        if let Some(rows) = &mut self.rows {
            rows.follow(&self.chart);
        }
        repair
    }

    /// Computes the rows that repairs have dropped.
    fn refresh(&mut self, _: &SquareGrid) -> bool {
        if let Some(rows) = &self.rows {
            rows.fill(&self.chart);
        }
        false
    }

    fn legs(&self) -> Option<&dyn Legs> {
        Some(self)
    }

    fn census(&self, grid: &SquareGrid) -> Vec<Census> {
        self.chart.census(grid)
    }

    fn outline(&self, _: &SquareGrid) -> Option<Outline> {
        Some(self.chart.outline())
    }

    fn tree(&self, _: &SquareGrid, port: Cell) -> Vec<(Cell, Cell)> {
        self.chart.tree(port)
    }

    fn save(&self) -> Option<Vec<SectionStream<'_>>> {
        Some(self.chart.save())
    }

    fn flat(&self, grid: &SquareGrid) -> Option<Flat> {
        self.flatten(grid)
    }

    fn bytes(&self) -> usize {
        self.chart.bytes() + self.room.bytes() + self.rows.as_ref().map_or(0, PortRows::bytes)
    }
}

impl Legs for HpaStar {
    fn survey(&self, task: Task, scratch: &mut Scratch, left: &mut u64, legs: &mut Vec<Leg>) -> Option<End> {
        let Scratch { ring: open, is_new, states, trail, .. } = scratch;
        let is_new = std::mem::take(is_new);
        if is_new && let Some(end) = self.walk_directly(task, trail) {
            return Some(end);
        }
        let own: &mut HpaScratch = states.own();
        if is_new {
            own.stage = Stage::Connect;
        }
        let end = self.find_legs(task, own, open, left, &mut Unwatched)?;
        legs.extend(own.legs.drain(..).rev());
        Some(end)
    }

    fn refine(&self, grid: &SquareGrid, legs: &mut Vec<Leg>, scratch: &mut Scratch, cells: &mut Vec<Cell>) {
        let Scratch { ring: open, states, trail, .. } = scratch;
        let own: &mut HpaScratch = states.own();
        let mut left = u64::MAX;
        while let Some(leg) = legs.pop() {
            trail.clear();
            if leg.level > 0 {
                own.legs.clear();
                self.split(grid, leg, own, open, &mut left, &mut Unwatched);
                legs.extend(own.legs.drain(..).rev());
                continue;
            }
            self.cross(grid, leg, &mut own.room, trail, &mut left, &mut Unwatched);
            cells.extend(trail.iter().rev());
            return;
        }
    }

    fn bounds(&self, leg: Leg) -> Area {
        self.chart.layout.bounds_of(usize::from(leg.level), leg.from)
    }
}

impl HpaStar {
    fn advance(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: &mut impl Probe) -> Option<End> {
        let Scratch { ring: open, is_new, states, trail, .. } = scratch;
        let is_new = std::mem::take(is_new);
        if is_new && let Some(end) = self.walk_directly(task, trail) {
            return Some(end);
        }
        let own: &mut HpaScratch = states.own();
        if is_new {
            own.stage = Stage::Connect;
        }
        if own.stage != Stage::Refine && self.find_legs(task, own, open, left, probe)? == End::NotFound {
            return Some(End::NotFound);
        }
        while let Some(leg) = own.legs.pop() {
            if leg.level > 0 {
                self.split(task.grid, leg, own, open, left, probe);
            } else {
                self.cross(task.grid, leg, &mut own.room, trail, left, probe);
            }
            if *left == 0 && !own.legs.is_empty() {
                return None;
            }
        }
        if self.opened {
            match walked(task, trail) {
                Some(cost) => own.best.cost = u64::from(cost),
                None => return Some(End::NotFound),
            }
        }
        if task.grid.has_links() {
            if let Some(smoothing) = self.smoothing {
                smooth_between_links(task.grid, smoothing, trail);
            }
            // Inside a cluster, a step may lead along a link between neighbours that costs less than the step.
            return Some(walked_over_links(task.grid, trail).map_or(End::NotFound, End::Found));
        }
        let cost = match self.smoothing {
            Some(smoothing) => smooth_trail(task.grid, smoothing, trail, &mut own.spare),
            None => own.best.cost as u32,
        };
        Some(End::Found(cost))
    }

    /// Where the goal is in plain sight, puts the cells of the route in `trail` and returns the end of the query.
    fn walk_directly(&self, task: Task, trail: &mut Vec<Cell>) -> Option<End> {
        // A link may lead to a goal in sight at less cost.
        if self.direct && !task.grid.has_links() { straight_walk(task, trail) } else { None }
    }

    /// Finds the legs of the best route and puts them in `own.legs`. Returns `None` if `left` ran out before the search
    /// ended.
    fn find_legs(
        &self,
        task: Task,
        own: &mut HpaScratch,
        open: &mut BucketRing,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> Option<End> {
        if own.stage == Stage::Connect {
            probe.event(Event::Phase { phase: Phase::Connect });
            self.connect(task, own, left, probe);
            if self.read_rows(task, own, open, probe) {
                own.stage = Stage::Pay;
            } else {
                self.set_out(task, own, open, probe);
                own.stage = Stage::Search;
            }
        }
        if own.stage == Stage::Pay {
            let paid = own.owed.min(*left);
            (own.owed, *left) = (own.owed - paid, *left - paid);
            if own.owed > 0 {
                return None;
            }
            own.stage = Stage::Refine;
            probe.event(Event::Phase { phase: Phase::Refine });
            return Some(u32::try_from(own.best.cost).map_or(End::NotFound, End::Found));
        }
        if own.stage == Stage::Search {
            if !self.search(task, own, open, left, probe) {
                return None;
            }
            if own.best.cost > u64::from(u32::MAX) {
                return Some(End::NotFound);
            }
            self.lay_legs(task, own);
            own.stage = Stage::Refine;
            probe.event(Event::Phase { phase: Phase::Refine });
        }
        Some(End::Found(own.best.cost as u32))
    }

    /// Connects start and goal to the ports of their clusters. If one cluster holds both start and goal, the route inside
    /// it is the best so far.
    fn connect(&self, task: Task, own: &mut HpaScratch, left: &mut u64, probe: &mut impl Probe) {
        let HpaScratch { start, goal, room, best, .. } = own;
        self.join(task.grid, (task.from, Heading::ToPort), start, room, probe);
        self.join(task.grid, (task.to, Heading::FromPort), goal, room, probe);
        *left = left.saturating_sub(start.expanded + goal.expanded);
        *best = Best::default();
        if start.cluster == goal.cluster {
            best.join(task, start.bounds, room, left, probe);
        }
    }

    /// Reads the best route off the rows of costs, if the chart keeps them, and lists its legs. Returns whether the legs are
    /// listed: if not, a search is needed. Each row that was read counts as an expansion.
    fn read_rows(&self, task: Task, own: &mut HpaScratch, open: &mut BucketRing, probe: &mut impl Probe) -> bool {
        let Some(rows) = self.rows.as_ref().filter(|_| !self.chart.has_one_ways) else { return false };
        let HpaScratch { start, goal, legs, best, owed, .. } = own;
        probe.event(Event::Phase { phase: Phase::Search });
        *owed = 0;
        for (&cell, &g) in self.chart.ports(start.cluster).0.iter().zip(&start.cost_by_rank) {
            if g != NO_WAY {
                *owed += 1;
                probe.event(Event::Expand { node: task.grid.node(cell), g });
            }
        }
        // No query is answered without a budget.
        *owed = (*owed).max(1);
        match rows.read(&self.chart, task, [start, goal], best.cost, open, legs) {
            Some(cost) => best.cost = cost,
            None if best.cost == u64::MAX => return false,
            None => {
                legs.clear();
                legs.push(Leg { from: task.from, to: task.to, level: 0, region: 0 });
            }
        }
        true
    }

    /// Opens every port that an exit of the start's cluster leads to.
    fn set_out(&self, task: Task, own: &mut HpaScratch, open: &mut BucketRing, probe: &mut impl Probe) {
        let HpaScratch { search, start, best, .. } = own;
        probe.event(Event::Phase { phase: Phase::Search });
        let distance = Distance::new(task.grid, task.to);
        search.reset(&self.chart);
        open.reset(distance.from(task.from), SPREAD * u64::from(task.grid.metric().straight()), grain(task.grid));
        let level = &self.chart.levels[0];
        let first = self.chart.ports(start.cluster).1;
        for (exit, leave) in level.exits(start.cluster).iter().zip(level.leaves(start.cluster)) {
            let joined = start.cost_by_rank[(leave.from - first) as usize];
            let key = u64::from(joined) + u64::from(leave.step) + distance.from(exit.cell);
            if joined != NO_WAY && key < best.cost {
                let g = joined.saturating_add(leave.step);
                probe.event(Event::Push { node: task.grid.node(exit.cell), g, key });
                search.open(exit.to, g, key, open);
            }
        }
    }

    /// Searches the ports. Returns whether the search has ended; `false` means that `left` ran out.
    fn search(
        &self,
        task: Task,
        own: &mut HpaScratch,
        open: &mut BucketRing,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> bool {
        let HpaScratch { search, goal, room, best, .. } = own;
        let near = self.near(task);
        let query = PortQuery {
            chart: &self.chart,
            grid: task.grid,
            level: |port| self.level(&near, port),
            limits: Area { x: 0, y: 0, width: u16::MAX, height: u16::MAX },
            distance: Distance::new(task.grid, task.to),
            goal_mark: self.chart.mark(0, goal.cluster),
            cost_to_goal: &goal.cost_by_rank,
            hasty: self.hasty,
        };
        search.run(&query, open, room, best, left, probe)
    }
}
