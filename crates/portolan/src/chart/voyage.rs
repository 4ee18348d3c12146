//! The search on a chart of clusters, from connecting start and goal to the legs of a route, and the [`Method`] that
//! HPA* and DHPA* share.
//!
//! A state of the search is a port by which a cluster was entered. It is expanded on the highest level on which its
//! cluster holds neither start nor goal, so that adding levels coarsens only what lies far from both, and start and goal
//! need to be connected on the lowest level alone. Every level's prices are exact sums of those below: the cost found
//! is the same for any number of levels.

use super::cluster::{NO_WAY, Tree};
use super::clusters::{Clusters, Workshop};
use super::layout::Bounds;
use super::legs::Leg;
use super::refine::{walk_in_sight, walked};
use super::sail::{Best, Course, Distance, GRAIN, SPREAD, Sea};
use super::saved::SectionStream;
use crate::id::{Cell, NodeId};
use crate::open_list::BucketRing;
use crate::outline::Outline;
use crate::planner::{Census, Repair};
use crate::probe::{Event, Phase, Probe, Unwatched};
use crate::route::smooth::{Smoothing, smooth};
use crate::scratch::Scratch;
use crate::search::{End, Legs, Method, Task};
use crate::world::Edit;
use crate::world::square::SquareGrid;

/// A chart of clusters as an algorithm.
#[derive(Clone)]
pub(crate) struct Voyager {
    pub(crate) chart: Clusters,
    /// Ends at the first port of the goal's cluster instead of the best.
    pub(crate) hasty: bool,
    /// Takes an unobstructed walk without asking the chart.
    pub(crate) direct: bool,
    /// Prices and trees come from outside: routes are walked once more before they are believed.
    pub(crate) opened: bool,
    pub(crate) smoothing: Option<Smoothing>,
    /// For repairs, which come in numbers.
    pub(crate) shop: Workshop,
}

/// What a search on a chart writes.
#[derive(Default)]
pub(crate) struct ChartScratch {
    pub(super) sea: Sea,
    pub(super) start: Connection,
    pub(super) goal: Connection,
    /// What is left from each port of a cluster to the end of a leg.
    pub(super) column: Vec<u32>,
    /// What is left to be turned into cells, the first leg first.
    pub(super) legs: Vec<Leg>,
    pub(super) shop: Workshop,
    spare: Vec<Cell>,
    stage: Stage,
    pub(super) best: Best,
}

impl ChartScratch {
    pub(crate) fn bytes(&self) -> usize {
        self.sea.bytes()
            + self.start.bytes()
            + self.goal.bytes()
            + self.legs.capacity() * size_of::<Leg>()
            + self.shop.bytes()
            + self.spare.capacity() * size_of::<Cell>()
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Stage {
    #[default]
    Connect,
    Search,
    Refine,
}

/// A start or goal joined to the ports of its cluster. Kept until another takes its place, so that a goal shared by many
/// queries is connected once.
#[derive(Default)]
pub(super) struct Connection {
    /// The chart's serial number and the cell it is for.
    key: Option<(u64, Cell)>,
    pub(super) cluster: u32,
    bounds: Bounds,
    /// By rank of the port in the cluster.
    pub(super) cost_by_rank: Vec<u32>,
    /// Cells expanded to make it, charged to every query that uses it.
    expanded: u64,
}

impl Connection {
    fn bytes(&self) -> usize {
        4 * self.cost_by_rank.capacity()
    }
}

impl Method for Voyager {
    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.chart.stage = Stage::Connect;
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        match probe {
            None => self.advance(task, scratch, left, &mut Unwatched),
            Some(mut probe) => self.advance(task, scratch, left, &mut probe),
        }
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        self.chart.repair(grid, edits, &mut self.shop)
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

    fn bytes(&self) -> usize {
        self.chart.bytes()
    }
}

impl Legs for Voyager {
    fn survey(&self, task: Task, scratch: &mut Scratch, left: &mut u64, legs: &mut Vec<Leg>) -> Option<End> {
        let Scratch { chart: own, ring: open, trail, .. } = scratch;
        own.stage = Stage::Connect;
        let end = self.find_legs(task, own, open, trail, left, &mut Unwatched)?;
        if trail.is_empty() {
            legs.extend(own.legs.drain(..).rev());
        }
        Some(end)
    }

    fn refine(&self, grid: &SquareGrid, legs: &mut Vec<Leg>, scratch: &mut Scratch, cells: &mut Vec<Cell>) {
        let Scratch { chart: own, ring: open, trail, .. } = scratch;
        let mut left = u64::MAX;
        while let Some(leg) = legs.pop() {
            trail.clear();
            if leg.level > 0 {
                own.legs.clear();
                self.split(grid, leg, own, open, &mut left, &mut Unwatched);
                legs.extend(own.legs.drain(..).rev());
                continue;
            }
            self.cross(grid, leg, &mut own.shop, trail, &mut left, &mut Unwatched);
            cells.extend(trail.iter().rev());
            return;
        }
    }

    fn bounds(&self, leg: Leg) -> Bounds {
        self.chart.layout.bounds_of(usize::from(leg.level), leg.from)
    }
}

impl Voyager {
    fn advance(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: &mut impl Probe) -> Option<End> {
        let Scratch { chart: own, ring: open, trail, .. } = scratch;
        if own.stage != Stage::Refine {
            let end = self.find_legs(task, own, open, trail, left, probe)?;
            if end == End::NotFound || !trail.is_empty() {
                return Some(end);
            }
        }
        while let Some(leg) = own.legs.pop() {
            if leg.level > 0 {
                self.split(task.grid, leg, own, open, left, probe);
            } else {
                self.cross(task.grid, leg, &mut own.shop, trail, left, probe);
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
        let cost = match self.smoothing {
            Some(smoothing) => smooth(task.grid, smoothing, trail, &mut own.spare),
            None => own.best.cost as u32,
        };
        Some(End::Found(cost))
    }

    /// Finds the legs of the best route, or at once its cells where the goal is in plain sight.
    fn find_legs(
        &self,
        task: Task,
        own: &mut ChartScratch,
        open: &mut BucketRing,
        trail: &mut Vec<Cell>,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> Option<End> {
        if own.stage == Stage::Connect {
            if self.direct && walk_in_sight(task.grid, task.to, task.from, trail) {
                let cost = Distance::new(task.grid, task.to).from(task.from);
                return Some(u32::try_from(cost).map_or(End::NotFound, End::Found));
            }
            probe.event(Event::Phase { phase: Phase::Connect });
            self.connect(task, own, open, left, probe);
            own.stage = Stage::Search;
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

    /// Joins start and goal to the ports of their clusters and opens what the start leads to.
    fn connect(
        &self,
        task: Task,
        own: &mut ChartScratch,
        open: &mut BucketRing,
        left: &mut u64,
        probe: &mut impl Probe,
    ) {
        let ChartScratch { sea, start, goal, shop, best, .. } = own;
        self.join(task.grid, task.from, start, shop, probe);
        self.join(task.grid, task.to, goal, shop, probe);
        *left = left.saturating_sub(start.expanded + goal.expanded);
        *best = Best::default();
        if start.cluster == goal.cluster {
            shop.cutout.cut(task.grid, start.bounds);
            let (from, to) = (start.bounds.index(task.from), start.bounds.index(task.to));
            let Workshop { cutout, tree, ring, .. } = shop;
            let cost = cutout.reach(from, to, tree, ring);
            *left = left.saturating_sub(tree.expanded);
            report(task.grid, start.bounds, tree, probe);
            if cost != NO_WAY {
                best.cost = u64::from(cost);
            }
        }
        probe.event(Event::Phase { phase: Phase::Search });
        let distance = Distance::new(task.grid, task.to);
        sea.reset(&self.chart);
        open.reset(
            distance.from(task.from),
            SPREAD * u64::from(task.grid.metric().straight()),
            task.grid.metric().straight() * GRAIN,
        );
        let level = &self.chart.levels[0];
        let first = self.chart.ports(start.cluster).1;
        for (exit, leave) in level.exits(start.cluster).iter().zip(level.leaves(start.cluster)) {
            let joined = start.cost_by_rank[(leave.from - first) as usize];
            let key = u64::from(joined) + u64::from(leave.step) + distance.from(exit.cell);
            if joined != NO_WAY && key < best.cost {
                let g = joined.saturating_add(leave.step);
                probe.event(Event::Push { node: task.grid.node(exit.cell), g, key });
                sea.open(exit.to, g, key, open);
            }
        }
    }

    /// Joins a cell to the ports of its cluster, unless it still is.
    fn join(&self, grid: &SquareGrid, cell: Cell, joint: &mut Connection, shop: &mut Workshop, probe: &mut impl Probe) {
        let key = Some((self.chart.serial, cell));
        if joint.key == key && !probe.is_watching() {
            return;
        }
        joint.key = key;
        joint.cluster = self.chart.layout.tier(0).cluster(cell);
        joint.bounds = self.chart.layout.bounds_of(0, cell);
        joint.cost_by_rank.clear();
        joint.expanded = 0;
        let (ports, bounds) = (self.chart.ports(joint.cluster).0, joint.bounds);
        if let Some(trees) = &self.chart.trees {
            let grove = trees.of(joint.cluster);
            let costs = ports.iter().enumerate().map(|(rank, &port)| grove.cost(bounds, (rank, port), cell));
            joint.cost_by_rank.extend(costs);
            return;
        }
        let Workshop { cutout, tree, ring, .. } = shop;
        let index = bounds.index(cell);
        cutout.cut(grid, bounds);
        if cutout.is_open() {
            joint.cost_by_rank.extend(ports.iter().map(|&port| cutout.distance(index, bounds.index(port))));
            return;
        }
        cutout.spread(index, tree, ring);
        joint.expanded = tree.expanded;
        joint.cost_by_rank.extend(ports.iter().map(|&port| tree.cost_by_cell[bounds.index(port)]));
        report(grid, bounds, tree, probe);
    }

    /// Where start and goal lie on each level.
    pub(super) fn near(&self, task: Task) -> Near {
        let layout = &self.chart.layout;
        let mut near = Near { top: layout.levels() - 1, ..Near::default() };
        for level in 1..=near.top {
            near.bounds[level] = [task.from, task.to].map(|cell| layout.bounds_of(level, cell));
        }
        near
    }

    /// The level on which to cross the cluster of a port.
    #[inline(always)]
    pub(super) fn level(&self, near: &Near, port: u32) -> usize {
        if near.top == 0 { 0 } else { near.level(self.chart.cell(port)) }
    }

    /// Searches the ports; whether it came to its end.
    fn search(
        &self,
        task: Task,
        own: &mut ChartScratch,
        open: &mut BucketRing,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> bool {
        let ChartScratch { sea, goal, shop, best, .. } = own;
        let near = self.near(task);
        let course = Course {
            level: |port| self.level(&near, port),
            limits: Bounds { x: 0, y: 0, width: u16::MAX, height: u16::MAX },
            goal: task.to,
            goal_mark: self.chart.mark(0, goal.cluster),
            cost_to_goal: &goal.cost_by_rank,
            hasty: self.hasty,
        };
        sea.sail(&self.chart, task.grid, &course, open, shop, best, left, probe)
    }
}

/// Where start and goal lie on each level.
#[derive(Copy, Clone, Default)]
pub(super) struct Near {
    bounds: [[Bounds; 2]; MOST_LEVELS],
    top: usize,
}

impl Near {
    /// The highest level on which the cluster of a cell holds neither start nor goal, or the lowest.
    #[inline(always)]
    fn level(&self, cell: Cell) -> usize {
        let mut level = self.top;
        while level > 0 && self.bounds[level].iter().any(|bounds| bounds.contains(cell)) {
            level -= 1;
        }
        level
    }
}

/// Levels beyond this are not used: ten doublings of a cluster cover any world.
pub(crate) const MOST_LEVELS: usize = 12;

/// Tells a probe which cells a search inside a cluster has expanded.
pub(super) fn report(grid: &SquareGrid, bounds: Bounds, tree: &Tree, probe: &mut impl Probe) {
    if probe.is_watching() {
        for cell in tree.expanded_cells() {
            let node: NodeId = grid.node(bounds.cell(cell));
            probe.event(Event::Expand { node, g: tree.cost_by_cell[cell] });
        }
    }
}
