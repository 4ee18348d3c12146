//! From stops to cells: legs searched one after the other, each trimmed before the next begins.

use super::Chart;
use super::region_search::Visits;
use super::sectors::Spot;
use crate::chart::shared::cutout::{Cutout, NO_WAY, Tree};
use crate::chart::shared::sight::report;
use crate::chart::shared::sight::walk_in_sight;
use crate::id::Cell;
use crate::method::Task;
use crate::open_list::BucketRing;
use crate::probe::Probe;
use crate::world::Area;
use crate::world::moves::STEP;

/// What a query does next.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) enum Stage {
    #[default]
    Begin,
    SearchUpper,
    SearchLower,
    Refine,
    /// Costs are beyond what the chart can count.
    SearchAll,
}

/// What a query writes, besides what a flat search does.
#[derive(Default)]
pub(crate) struct MinimalMemoryScratch {
    pub(super) stage: Stage,
    /// Expansions done and not yet counted down.
    pub(super) owed: u64,
    pub(super) visits: Visits,
    /// The regions of start and goal, by level.
    pub(super) ends: [Option<[Spot; 2]>; 2],
    /// Start, centres, goal.
    pub(super) stops: Vec<Cell>,
    /// The stop that the last leg made for.
    passed: usize,
    /// Where the part lies that was trimmed off it.
    tail: Area,
    /// Cells of the legs done, from the start on.
    pub(super) cells: Vec<Cell>,
    pub(super) spare: Vec<Cell>,
    cutout: Cutout,
    tree: Tree,
    ring: BucketRing,
}

/// How legs are laid.
#[derive(Copy, Clone, Debug)]
pub(super) struct LegSettings {
    /// How much of a leg is taken back, in percent.
    pub(super) trim: usize,
    /// How many stops a leg makes for.
    pub(super) ahead: usize,
}

impl MinimalMemoryScratch {
    pub(crate) fn bytes(&self) -> usize {
        self.visits.bytes()
            + (self.stops.capacity() + self.cells.capacity() + self.spare.capacity()) * size_of::<Cell>()
            + self.cutout.bytes()
            + self.tree.bytes()
            + self.ring.bytes()
    }

    /// Makes ready to lay the first leg.
    pub(super) fn set_out(&mut self, chart: &Chart) {
        self.cells.clear();
        self.cells.push(self.stops[0]);
        self.passed = 0;
        self.tail = chart.layout.bounds_of(0, self.stops[0]);
    }

    /// Whether the last leg has come to the goal.
    pub(super) fn has_arrived(&self) -> bool {
        self.passed + 1 == self.stops.len()
    }

    /// Lays the next leg; `false` where it costs more than can be counted.
    ///
    /// There always is a way: the part trimmed off, on to the stop it led to, and from there through one region after
    /// the other. All of that lies in the sectors searched.
    pub(super) fn lay(&mut self, chart: &Chart, task: Task, leg_settings: LegSettings, probe: &mut impl Probe) -> bool {
        let last = self.stops.len() - 1;
        let next = (self.passed + leg_settings.ahead).min(last);
        let sectors = self.stops[self.passed..=next].iter().map(|&stop| chart.layout.bounds_of(0, stop));
        let mut bounds = sectors.fold(self.tail, Area::with);
        if last == 1 {
            // Nothing but this leg: let it swing out further.
            bounds = chart.around(task.grid, bounds, 1);
        }
        let (to, first) = (self.stops[next], self.cells.len() - 1);
        let from = self.cells.pop().expect("a route begins somewhere");
        if !walk_in_sight(task.grid, from, to, &mut self.cells) && !self.search(task, bounds, from, to, probe) {
            return false;
        }
        self.passed = next;
        if next < last {
            let steps = self.cells.len() - 1 - first;
            let kept = self.cells.len() - steps * leg_settings.trim / 100;
            let trimmed = self.cells[kept - 1..].iter().map(|&cell| chart.layout.bounds_of(0, cell));
            self.tail = trimmed.reduce(Area::with).expect("one cell is kept");
            self.cells.truncate(kept);
        }
        true
    }

    /// Searches some sectors from the far end, so that the steps back come in walking order.
    fn search(&mut self, task: Task, bounds: Area, from: Cell, to: Cell, probe: &mut impl Probe) -> bool {
        let MinimalMemoryScratch { cutout, tree, ring, cells, .. } = self;
        cutout.cut(task.grid, bounds);
        let cost = cutout.reach(bounds.index(to), bounds.index(from), tree, ring);
        report(task.grid, bounds, tree, probe);
        self.owed += tree.expanded;
        let mut cell = from;
        cells.push(cell);
        while let Some(direction) = tree.step_back(bounds.index(cell)) {
            cell = cell.shifted(STEP[usize::from(direction)]);
            cells.push(cell);
        }
        cost != NO_WAY
    }
}
