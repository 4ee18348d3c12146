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
use super::level::{Leave, Level};
use super::refine::{walk_straight, walked};
use super::sail::{Best, Course, Distance, GRAIN, Hop, NOBODY, SPREAD, Sea};
use super::saved::Section;
use crate::id::{Cell, NodeId};
use crate::open_list::BucketRing;
use crate::planner::{Census, Repair};
use crate::probe::{Event, Phase, Probe, Unwatched};
use crate::route::smooth::{Smoothing, smooth};
use crate::scratch::Scratch;
use crate::search::{End, Method, Task};
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
}

/// Part of a route: from one cell of a cluster to another, inside it. The next leg begins one step further on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leg {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    /// Of the cluster; 0 where the leg can be turned into cells at once.
    pub(crate) level: u8,
}

/// What a search on a chart writes.
#[derive(Default)]
pub(crate) struct ChartScratch {
    sea: Sea,
    start: Connection,
    goal: Connection,
    /// What is left from each port of a cluster to the end of a leg.
    column: Vec<u32>,
    /// What is left to be turned into cells, the first leg first.
    pub(super) legs: Vec<Leg>,
    pub(super) shop: Workshop,
    spare: Vec<Cell>,
    stage: Stage,
    best: Best,
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
struct Connection {
    /// The chart's serial number and the cell it is for.
    key: Option<(u64, Cell)>,
    cluster: u32,
    bounds: Bounds,
    /// By rank of the port in the cluster.
    cost_by_rank: Vec<u32>,
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
        let mut shop = Workshop::default();
        Repair { clusters: self.chart.repair(grid, edits, &mut shop) }
    }

    fn census(&self, grid: &SquareGrid) -> Vec<Census> {
        self.chart.census(grid)
    }

    fn save(&self) -> Option<Vec<Section<'static>>> {
        Some(self.chart.save())
    }

    fn bytes(&self) -> usize {
        self.chart.bytes()
    }
}

impl Voyager {
    fn advance(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: &mut impl Probe) -> Option<End> {
        let Scratch { chart: own, ring: open, trail, .. } = scratch;
        if own.stage == Stage::Connect {
            if self.direct && walk_straight(task.grid, task.to, task.from, trail) {
                let (dx, dy) = (task.from.x.abs_diff(task.to.x), task.from.y.abs_diff(task.to.y));
                let weight = u64::from(task.grid.least_weight());
                let cost = weight * task.grid.metric().octile(u32::from(dx), u32::from(dy));
                return Some(u32::try_from(cost).map_or(End::NotFound, End::Found));
            }
            probe.event(Event::Phase { phase: Phase::Connect });
            self.connect(task, own, open, left, probe);
            own.stage = Stage::Search;
            probe.event(Event::Phase { phase: Phase::Search });
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
        joint.bounds = self.chart.layout.bounds(0, joint.cluster);
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
    fn near(&self, task: Task) -> Near {
        let layout = &self.chart.layout;
        let mut near = Near { top: layout.levels() - 1, ..Near::default() };
        for level in 0..=near.top {
            near.bounds[level] = [task.from, task.to].map(|cell| layout.bounds_of(level, cell));
        }
        near
    }

    /// The level on which to cross the cluster of a port.
    #[inline(always)]
    fn level(&self, near: &Near, port: u32) -> usize {
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

    /// Reads the legs of the best route from the records, and its cost.
    fn lay_legs(&self, task: Task, own: &mut ChartScratch) {
        let ChartScratch { sea, start, goal, legs, best, .. } = own;
        legs.clear();
        let near = self.near(task);
        let (mut to, mut port, mut level) = (task.to, best.last, 0);
        if port != NOBODY {
            let first = self.chart.ports(goal.cluster).1;
            best.cost = u64::from(goal.cost_by_rank[(port - first) as usize]);
        }
        // From the goal back: `port` is where the route entered the cluster that it left at `to`.
        while port != NOBODY {
            legs.push(Leg { from: self.chart.cell(port), to, level: level as u8 });
            let hop = sea.hop(&self.chart, port, |port| self.level(&near, port));
            let hop = hop.unwrap_or_else(|| self.first_hop(start, port));
            best.cost += u64::from(hop.price);
            to = self.chart.cell(hop.leave);
            (port, level) = (hop.port, hop.level);
        }
        legs.push(Leg { from: task.from, to, level: 0 });
        legs.reverse();
    }

    /// How the start leads to a port beyond its cluster.
    fn first_hop(&self, start: &Connection, port: u32) -> Hop {
        let first = self.chart.ports(start.cluster).1;
        let below = &self.chart.levels[0];
        let ways = below.exits(start.cluster).iter().zip(below.leaves(start.cluster));
        let hop = |(_, leave): (_, &Leave)| {
            let price = start.cost_by_rank[(leave.from - first) as usize].saturating_add(leave.step);
            Hop { port: NOBODY, level: 0, leave: leave.from, price }
        };
        let ways = ways.filter(|(exit, _)| exit.to == port).map(hop);
        ways.min_by_key(|hop| hop.price).expect("the start leads to its first port")
    }

    /// Replaces a leg across a grouped cluster by legs across its parts.
    fn split(
        &self,
        grid: &SquareGrid,
        leg: Leg,
        own: &mut ChartScratch,
        open: &mut BucketRing,
        left: &mut u64,
        probe: &mut impl Probe,
    ) {
        if leg.from == leg.to {
            own.legs.push(Leg { level: 0, ..leg });
            return;
        }
        let ChartScratch { sea, legs, shop, column, .. } = own;
        let number = usize::from(leg.level) - 1;
        let (layout, level) = (&self.chart.layout, &self.chart.levels[number]);
        let [from, to] = [leg.from, leg.to].map(|cell| {
            let cluster = layout.tier(0).cluster(cell);
            self.chart.port_at(cluster, cell).expect("legs join ports")
        });
        let to_cluster = layout.tier(number).cluster(leg.to);
        if level.awaits(to_cluster) {
            self.chart.fill_late(grid, number, to_cluster, shop);
        }
        let end = level.place(to);
        let step = level.leaves_from(end)[usize::from(end.own)].step;
        let table = level.table(to_cluster);
        let rest = |&port: &u32| {
            let place = level.place(port);
            if place.part == end.part { Level::row(table, place)[usize::from(end.own)] - step } else { NO_WAY }
        };
        column.clear();
        column.extend(level.entries(to_cluster).iter().map(rest));
        let course = Course {
            level: |_| number,
            limits: layout.bounds_of(number + 1, leg.from),
            goal: leg.to,
            goal_mark: self.chart.mark(number, to_cluster),
            cost_to_goal: column,
            hasty: false,
        };
        let distance = Distance::new(grid, leg.to).from(leg.from);
        sea.reset(&self.chart);
        open.reset(distance, SPREAD * u64::from(grid.metric().straight()), grid.metric().straight() * GRAIN);
        sea.open(from, 0, distance, open);
        let (mut best, mut allowed) = (Best::default(), u64::MAX);
        sea.sail(&self.chart, grid, &course, open, shop, &mut best, &mut allowed, probe);
        *left = left.saturating_sub(u64::MAX - allowed);
        let first = legs.len();
        let (mut to, mut port) = (leg.to, best.last);
        while port != NOBODY {
            legs.push(Leg { from: self.chart.cell(port), to, level: number as u8 });
            port = match sea.hop(&self.chart, port, |_| number) {
                Some(hop) => {
                    to = self.chart.cell(hop.leave);
                    hop.port
                }
                None => NOBODY,
            };
        }
        legs[first..].reverse();
    }
}

/// Where start and goal lie on each level.
#[derive(Copy, Clone, Default)]
struct Near {
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
