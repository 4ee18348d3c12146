//! Refining stops into cells: legs are searched one after the other, and each is trimmed before the next begins.
//!
//! Not here: finding the stops, which [`super::region_search`] does, and smoothing the route.

use super::Chart;
use super::region_search::Visits;
use super::sectors::Spot;
use crate::chart::shared::cutout::{Cutout, NO_WAY, Tree};
use crate::chart::shared::sight::report;
use crate::chart::shared::sight::walk_in_sight;
use crate::id::Cell;
use crate::memory::held;
use crate::method::Task;
use crate::open_list::BucketRing;
use crate::probe::Probe;
use crate::scratch::AlgorithmState;
use crate::space::Area;
use crate::space::square::moves::STEP;

/// A `Stage` says what a query does next.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) enum Stage {
    #[default]
    Begin,
    SearchUpper,
    SearchLower,
    Refine,
    /// A flat search for the whole route, as the cost found by way of the chart does not fit 32 bits.
    SearchAll,
}

/// `MinimalMemoryScratch` holds what a query writes besides the scratch of its flat search.
#[derive(Default)]
pub(super) struct MinimalMemoryScratch {
    pub(super) stage: Stage,
    /// Expansions that were done but are not yet subtracted from the query's budget.
    pub(super) owed: u64,
    pub(super) visits: Visits,
    /// The regions of start and goal by level; `None` for a level that is not searched.
    pub(super) ends: [Option<[Spot; 2]>; 2],
    /// The start, the centres on the route, the goal.
    pub(super) stops: Vec<Cell>,
    /// The index of the stop at which the last leg ended before it was trimmed; 0 before the first leg.
    passed: usize,
    /// The rectangle of the sectors in which the cells lie that were trimmed off that leg; before the first leg, the
    /// start's sector.
    tail: Area,
    /// The cells of the legs done, the start first.
    pub(super) cells: Vec<Cell>,
    /// Working memory for smoothing.
    pub(super) spare: Vec<Cell>,
    cutout: Cutout,
    tree: Tree,
    ring: BucketRing,
}

/// `LegSettings` says how long legs are and how much of them is trimmed.
#[derive(Copy, Clone, Debug)]
pub(super) struct LegSettings {
    /// How much of a leg's end is trimmed, in percent of its steps.
    pub(super) trim: usize,
    /// How many stops further on a leg ends.
    pub(super) ahead: usize,
}

impl AlgorithmState for MinimalMemoryScratch {
    fn bytes(&self) -> usize {
        self.visits.bytes()
            + held(&self.stops)
            + held(&self.cells)
            + held(&self.spare)
            + self.cutout.bytes()
            + self.tree.bytes()
            + self.ring.bytes()
    }
}

impl MinimalMemoryScratch {
    /// Makes the scratch ready for the first leg.
    pub(super) fn set_out(&mut self, chart: &Chart) {
        self.cells.clear();
        self.cells.push(self.stops[0]);
        self.passed = 0;
        self.tail = chart.layout.bounds_of(0, self.stops[0]);
    }

    /// Returns whether the last leg has reached the goal.
    pub(super) fn has_arrived(&self) -> bool {
        self.passed + 1 == self.stops.len()
    }

    /// Finds the cells of the next leg, appends them and trims their end. Returns `false` if the leg's cost does not
    /// fit 32 bits.
    ///
    /// The rectangle searched always holds a route: along the cells trimmed off the leg before to the stop at which
    /// that leg ended, and from there through the regions of the stops that follow.
    pub(super) fn lay(&mut self, chart: &Chart, task: Task, leg_settings: LegSettings, probe: &mut impl Probe) -> bool {
        let last = self.stops.len() - 1;
        let next = (self.passed + leg_settings.ahead).min(last);
        let sectors = self.stops[self.passed..=next].iter().map(|&stop| chart.layout.bounds_of(0, stop));
        let mut bounds = sectors.fold(self.tail, Area::with);
        if last == 1 {
            // The whole route is this one leg: search one more sector on each side, as a detour there may be cheaper.
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

    /// Searches the rectangle for a leg and appends its cells. The search runs from the end of the leg to its
    /// beginning, so that following the steps back gives the cells in walking order. Returns `false` if the leg's cost
    /// does not fit 32 bits.
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
