//! Connects start and goal to the chart: each of them to the ports of its cluster. Also the level on which a search
//! crosses the cluster of a port, which depends on where start and goal lie.

use super::HpaStar;
use super::clusters::BuildScratch;
use super::port_search::{Best, Distance};
use super::settings::MOST_LEVELS;
use super::trees::Heading;
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::layout::Layout;
use crate::chart::shared::sight::{report, trail_in_sight};
use crate::id::Cell;
use crate::memory::held;
use crate::method::{End, Task};
use crate::probe::Probe;
use crate::space::Area;
use crate::space::square::SquareGrid;

/// The costs from a start to the ports of its cluster, or from these to a goal. They are kept until another cell takes
/// their place, so that the common goal of many queries is connected only once.
#[derive(Default)]
pub(in crate::chart) struct Connection {
    /// The serial number of the chart and the cell for which the other fields are valid.
    key: Option<(u64, Cell)>,
    pub(in crate::chart) cluster: u32,
    pub(in crate::chart) bounds: Area,
    /// The cost between the cell and each port, by the port's rank in the cluster.
    pub(in crate::chart) cost_by_rank: Vec<u32>,
    /// Cells expanded to find the costs. Every query that uses them is charged this number, so that a budget does not
    /// depend on earlier queries.
    pub(in crate::chart) expanded: u64,
}

impl Connection {
    pub(in crate::chart) fn bytes(&self) -> usize {
        held(&self.cost_by_rank)
    }

    /// Turns to a cell on the chart of this serial number. Returns whether the costs have to be found, which they have not if
    /// they are those of this cell already. In a watched search they always have, so that the probe sees the cells expanded.
    pub(in crate::chart) fn turn_to(&mut self, serial: u64, layout: &Layout, cell: Cell, probe: &impl Probe) -> bool {
        let key = Some((serial, cell));
        if self.key == key && !probe.is_watching() {
            return false;
        }
        self.key = key;
        self.cluster = layout.tier(0).cluster(cell);
        self.bounds = layout.bounds_of(0, cell);
        self.cost_by_rank.clear();
        self.expanded = 0;
        true
    }

    /// Finds the costs from the cell to the ports, or from these to it, by a search of the cluster.
    pub(in crate::chart) fn reach(
        &mut self,
        grid: &SquareGrid,
        (cell, heading): (Cell, Heading),
        ports: impl Iterator<Item = Cell>,
        room: &mut BuildScratch,
        probe: &mut impl Probe,
    ) {
        let BuildScratch { cutout, tree, ring, .. } = room;
        let bounds = self.bounds;
        let index = bounds.index(cell);
        cutout.cut(grid, bounds);
        if cutout.is_open() {
            self.cost_by_rank.extend(ports.map(|port| cutout.distance(index, bounds.index(port))));
            return;
        }
        match heading {
            Heading::ToPort => cutout.spread(index, tree, ring),
            Heading::FromPort => cutout.spread_back(index, tree, ring),
        }
        self.expanded = tree.expanded;
        self.cost_by_rank.extend(ports.map(|port| tree.cost_by_cell[bounds.index(port)]));
        report(grid, bounds, tree, probe);
    }
}

impl Best {
    /// Searches the cluster that holds both start and goal. If it has a route inside, that is the best so far.
    pub(in crate::chart) fn join(
        &mut self,
        task: Task,
        bounds: Area,
        room: &mut BuildScratch,
        left: &mut u64,
        probe: &mut impl Probe,
    ) {
        let BuildScratch { cutout, tree, ring, .. } = room;
        cutout.cut(task.grid, bounds);
        let cost = cutout.reach(bounds.index(task.from), bounds.index(task.to), tree, ring);
        *left = left.saturating_sub(tree.expanded);
        report(task.grid, bounds, tree, probe);
        if cost != NO_WAY {
            self.cost = u64::from(cost);
        }
    }
}

/// Where the goal is in plain sight, puts the cells of the route in `trail` and returns the end of the query.
pub(in crate::chart) fn straight_walk(task: Task, trail: &mut Vec<Cell>) -> Option<End> {
    let cost = || Distance::new(task.grid, task.to).from(task.from);
    trail_in_sight(task.grid, task.from, task.to, trail)
        .then(|| u32::try_from(cost()).map_or(End::NotFound, End::Found))
}

impl HpaStar {
    /// Connects a start to the ports of its cluster, or these to a goal, as `heading` says, unless `joint` already holds
    /// this connection. A watched search connects it again, so that the probe sees the cells expanded.
    pub(super) fn join(
        &self,
        grid: &SquareGrid,
        (cell, heading): (Cell, Heading),
        joint: &mut Connection,
        room: &mut BuildScratch,
        probe: &mut impl Probe,
    ) {
        if !joint.turn_to(self.chart.serial, &self.chart.layout, cell, probe) {
            return;
        }
        let (ports, bounds) = (self.chart.ports(joint.cluster).0, joint.bounds);
        if let Some(trees) = &self.chart.trees {
            let cluster_trees = trees.of(joint.cluster);
            let cost = |(rank, &port): (usize, &Cell)| cluster_trees.cost(bounds, (rank, port), cell, heading);
            joint.cost_by_rank.extend(ports.iter().enumerate().map(cost));
            return;
        }
        joint.reach(grid, (cell, heading), ports.iter().copied(), room, probe);
    }

    /// Returns the clusters of start and goal on each level above the lowest.
    pub(super) fn near(&self, task: Task) -> Near {
        let layout = &self.chart.layout;
        let mut near = Near { top: layout.levels() - 1, ..Near::default() };
        for level in 1..=near.top {
            near.bounds[level] = [task.from, task.to].map(|cell| layout.bounds_of(level, cell));
        }
        near
    }

    /// Returns the level on which a search crosses the cluster of a port.
    #[inline(always)]
    pub(super) fn level(&self, near: &Near, port: u32) -> usize {
        if near.top == 0 { 0 } else { near.level(self.chart.cell(port)) }
    }
}

/// The bounds of the clusters of start and goal on each level above the lowest, and the number of the highest level.
#[derive(Copy, Clone, Default)]
pub(super) struct Near {
    bounds: [[Area; 2]; MOST_LEVELS],
    top: usize,
}

impl Near {
    /// Returns the highest level on which the cluster of a cell holds neither start nor goal, or else the lowest level.
    #[inline(always)]
    fn level(&self, cell: Cell) -> usize {
        let mut level = self.top;
        while level > 0 && self.bounds[level].iter().any(|bounds| bounds.contains(cell)) {
            level -= 1;
        }
        level
    }
}
