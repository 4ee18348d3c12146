//! The loop of Theta* and its kin: A* over cells whose parent may be any cell in sight.
//!
//! Costs from the start are lengths times mean weights, as numbers of 53 bits; the cost of the route in whole units is
//! worked out at the end, line by line.
//!
//! Not here: registry entries of algorithms, and ranges of angles (`angles.rs`).

use super::angles::{AngleRange, Touch};
use super::lines::finish;
use crate::graph::Grid;
use crate::id::{Cell, NodeId};
use crate::memory::{OutOfMemory, held, reserve};
use crate::method::{End, Method, Task};
use crate::probe::{Event, Probe, Watcher, with_probe};
use crate::scratch::{AlgorithmState, Scratch, Stamp, Stamped};
use crate::space::square::SquareGrid;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// When a search checks whether a cell is in sight of the parent of the cell it was found from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::search) enum Checks {
    /// When the cell is found.
    AtOnce,
    /// When the cell is expanded; until then, it is taken to be in sight.
    Late,
    /// When the cell is found, by ranges of angles.
    ByAngle,
}

/// A search of this family with its settings.
#[derive(Clone)]
pub(in crate::search) struct Theta {
    pub(in crate::search) checks: Checks,
}

/// The record of a cell: its cost from the start, and the cell where the last line of the route to it begins.
#[derive(Copy, Clone, Default)]
struct ThetaRecord {
    g: f64,
    parent: u32,
    stamp: u32,
    is_closed: bool,
}

impl Stamp for ThetaRecord {
    fn stamp(&self) -> u32 {
        self.stamp
    }
}

/// What a search keeps between its steps.
#[derive(Default)]
struct ThetaState {
    records: Stamped<ThetaRecord>,
    /// The directions in which the parent of a node sees as far as the node. Only searches by angles have them.
    range_by_node: Vec<AngleRange>,
    open: BinaryHeap<(Reverse<u64>, u32)>,
}

impl AlgorithmState for ThetaState {
    fn bytes(&self) -> usize {
        self.records.bytes() + held(&self.range_by_node) + self.open.capacity() * size_of::<(Reverse<u64>, u32)>()
    }
}

impl Method for Theta {
    fn reserve(&self, grid: &SquareGrid, scratch: &mut Scratch) -> Result<(), OutOfMemory> {
        let ThetaState { records, range_by_node, .. } = scratch.states.own();
        let more = grid.node_count().saturating_sub(range_by_node.len());
        if self.checks == Checks::ByAngle && more > 0 {
            reserve(range_by_node, more)?;
        }
        records.reserve(grid.node_count())
    }

    fn begin(&self, task: Task, scratch: &mut Scratch) {
        let ThetaState { records, range_by_node, open } = scratch.states.own();
        if self.checks == Checks::ByAngle && range_by_node.len() < task.grid.node_count() {
            range_by_node.resize(task.grid.node_count(), AngleRange::default());
        }
        records.reset(task.grid.node_count(), u32::MAX);
        let start = task.start();
        *records.slot(start.index()) =
            ThetaRecord { g: 0.0, parent: start.0, stamp: records.stamp(), is_closed: false };
        open.clear();
        open.push((Reverse(0), start.0));
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Watcher) -> Option<End> {
        let state: &mut ThetaState = scratch.states.own();
        // What a line costs where weights differ is known only when it has been followed, which shows its cells too.
        let uniform = task.grid.uniform_weight();
        let late = self.checks == Checks::Late && uniform.is_some();
        let touch = (self.checks == Checks::ByAngle).then(|| Touch::of(task.grid));
        let mut search = ThetaSearch { task, state, uniform: uniform.map(f64::from), late, touch };
        if !with_probe!(probe, |watcher| search.run(left, watcher)) {
            return None;
        }
        let reached = |node: NodeId| state.records.get(node.index()).expect("a route is made of nodes reached");
        let parent = |node| NodeId(reached(node).parent);
        Some(finish(task, parent, &mut scratch.trail))
    }
}

/// A slice of a search.
struct ThetaSearch<'a> {
    task: Task<'a>,
    state: &'a mut ThetaState,
    /// The weight of all cells, or `None` where weights differ.
    uniform: Option<f64>,
    /// Whether sight is checked when a cell is expanded.
    late: bool,
    /// How lines may touch corners, if sight is checked by angles.
    touch: Option<Touch>,
}

impl ThetaSearch<'_> {
    /// Expands up to `left` nodes and counts `left` down. Returns whether the goal was reached.
    fn run(&mut self, left: &mut u64, probe: &mut impl Probe) -> bool {
        let goal = self.task.goal();
        while *left > 0 {
            let (_, number) = self.state.open.pop().expect("start and goal are connected");
            let node = NodeId(number);
            probe.event(Event::Pop { node });
            if self.state.records.slot(node.index()).is_closed {
                continue; // expanded before: this entry is outdated
            }
            if self.late {
                self.check_late(node);
            }
            let record = self.state.records.slot(node.index());
            record.is_closed = true;
            let (g, parent) = (record.g, NodeId(record.parent));
            if node == goal {
                probe.event(Event::Goal { cost: self.units(g) });
                return true;
            }
            *left -= 1;
            probe.event(Event::Expand { node, g: self.units(g) });
            for_each_step(self.task.grid, node, |to| {
                probe.event(Event::Generate { node: to });
                self.generate(node, g, parent, to, probe);
            });
        }
        false
    }

    /// Returns a cost in the world's metric, for events.
    fn units(&self, g: f64) -> u32 {
        (g * f64::from(self.task.grid.metric().straight())) as u32
    }

    /// Notes the cheaper of two routes to a neighbour: straight from the node's parent, or from the node.
    #[inline(always)]
    fn generate(&mut self, node: NodeId, g: f64, parent: NodeId, to: NodeId, probe: &mut impl Probe) {
        let stamp = self.state.records.stamp();
        let known = *self.state.records.slot(to.index());
        if known.stamp == stamp && known.is_closed {
            return;
        }
        let passed = self.touch.map(|touch| self.passed_range(touch, node, parent, to));
        let is_in_sight = passed.is_none_or(|range| !range.is_empty());
        let (reached, from) = self.cheaper(node, g, if is_in_sight { parent } else { node }, to);
        if known.stamp == stamp && known.g <= reached {
            if let Some(range) = passed.filter(|_| known.parent == from.0 && from == parent) {
                let both = &mut self.state.range_by_node[to.index()];
                *both = both.joined(range);
            }
            return;
        }
        if let Some(touch) = self.touch {
            let fresh =
                || AngleRange::of_neighbour(self.task.grid, touch, self.task.grid.cell(node), self.task.grid.cell(to));
            let range = passed.filter(|_| from == parent).unwrap_or_else(fresh);
            self.state.range_by_node[to.index()] = range;
        }
        if known.stamp == stamp {
            probe.event(Event::Decrease { node: to });
        }
        *self.state.records.slot(to.index()) = ThetaRecord { g: reached, parent: from.0, stamp, is_closed: false };
        let grid = self.task.grid;
        let key = reached + distance(grid.cell(to), self.task.to) * f64::from(grid.least_weight());
        self.state.open.push((Reverse(key.to_bits()), to.0));
        probe.event(Event::Push { node: to, g: self.units(reached), key: u64::from(self.units(key)) });
    }

    /// Returns the directions in which the parent of a node sees as far as a neighbour of the node. It is empty if the
    /// neighbour is not in sight of the parent.
    fn passed_range(&self, touch: Touch, node: NodeId, parent: NodeId, to: NodeId) -> AngleRange {
        let grid = self.task.grid;
        let [cell, parent_cell, to] = [node, parent, to].map(|node| grid.cell(node));
        if parent == node {
            return AngleRange::of_neighbour(grid, touch, parent_cell, to);
        }
        self.state.range_by_node[node.index()].passed_on(grid, touch, parent_cell, cell, to)
    }

    /// Returns the cost of the cheaper route to a neighbour, and where its last line begins.
    #[inline(always)]
    fn cheaper(&self, node: NodeId, g: f64, parent: NodeId, to: NodeId) -> (f64, NodeId) {
        let grid = self.task.grid;
        let (at, target) = (grid.cell(node), grid.cell(to));
        let before = grid.cell(parent);
        let far = self.state.records.get(parent.index()).map_or(0.0, |record| record.g);
        if let Some(weight) = self.uniform {
            if self.late || self.touch.is_some() || parent == node || grid.in_sight(before, target) {
                return (far + distance(before, target) * weight, parent);
            }
            return (g + distance(at, target) * weight, node);
        }
        let step = g + grid.line_length(at, target).expect("a step is a legal line");
        let line = grid.line_length(before, target).map_or(f64::INFINITY, |line| far + line);
        if line <= step { (line, parent) } else { (step, node) }
    }

    /// If a cell is not in sight of its parent, gives it the best parent among its neighbours.
    fn check_late(&mut self, node: NodeId) {
        let (grid, stamp) = (self.task.grid, self.state.records.stamp());
        let weight = self.uniform.expect("lines are checked late on uniform worlds only");
        let parent = NodeId(self.state.records.slot(node.index()).parent);
        let cell = grid.cell(node);
        if parent == node || grid.in_sight(grid.cell(parent), cell) {
            return;
        }
        let mut best = ThetaRecord { g: f64::INFINITY, parent: node.0, stamp, is_closed: false };
        for_each_step(grid, node, |from| {
            let record = *self.state.records.slot(from.index());
            let g = record.g + distance(grid.cell(from), cell) * weight;
            if record.stamp == stamp && record.is_closed && g < best.g {
                best = ThetaRecord { g, parent: from.0, ..best };
            }
        });
        *self.state.records.slot(node.index()) = best;
    }
}

/// Calls `visit` for every cell that a step leads to.
#[inline(always)]
fn for_each_step(grid: &SquareGrid, from: NodeId, mut visit: impl FnMut(NodeId)) {
    let offsets = grid.offsets();
    let mut moves = SquareGrid::legal(Grid::tables(grid), grid.around(from));
    while moves != 0 {
        let direction = moves.trailing_zeros() as usize;
        moves &= moves - 1;
        visit(NodeId(from.0.wrapping_add_signed(offsets[direction])));
    }
}

/// Returns the distance between the middles of two cells. The root is correctly rounded: equal on every machine.
#[inline(always)]
fn distance(a: Cell, b: Cell) -> f64 {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    ((dx * dx + dy * dy) as f64).sqrt()
}
