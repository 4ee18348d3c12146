//! The chart of a world: the packed sectors of one or two levels, how they are built and how they are repaired.
//!
//! Not here: searching the chart, which [`super::region_search`] does.

use super::flood::Flood;
use super::sectors::{Sectors, Spot};
use super::survey::{Centres, Survey};
use super::upper;
use crate::chart::shared::layout::Layout;
use crate::id::Cell;
use crate::method::Repair;
use crate::space::square::SquareGrid;
use crate::space::{Area, Edit};
use std::collections::{BTreeMap, BTreeSet};

/// A `Chart` holds all that is kept of a world.
#[derive(Clone)]
pub(super) struct Chart {
    /// Cells along the side of a first-level sector.
    side: u16,
    centres: Centres,
    pub(super) layout: Layout,
    pub(super) lower: Sectors,
    pub(super) upper: Option<Sectors>,
}

impl Chart {
    pub(super) fn new(grid: &SquareGrid, side: u16, centres: Centres, levels: usize) -> Chart {
        let layout = Layout::new(grid.width(), grid.height(), u32::from(side), upper::GROUP, levels);
        let (side_cells, weighted) = (u32::from(side), grid.uniform_weight().is_none());
        let lower = Sectors::empty(&layout, 0, side_cells, weighted);
        let has_two = layout.levels() > 1;
        let upper = has_two.then(|| Sectors::empty(&layout, 1, side_cells * upper::GROUP, weighted));
        let mut chart = Chart { side, centres, layout, lower, upper };
        chart.redo_all(grid);
        chart.redo_upper(&(0..chart.lower.count() as u32).collect());
        chart
    }

    /// Redoes all sectors of the first level.
    fn redo_all(&mut self, grid: &SquareGrid) {
        let mut survey = Survey::new(grid, &self.layout, whole(grid));
        self.lower.pack(&self.layout, |sector| Some(survey.regions(sector, self.centres)));
    }

    /// Redoes the second-level sectors, if there are any, of which parts were redone on the first level, and those
    /// around them. Returns how many second-level sectors were redone.
    fn redo_upper(&mut self, redone: &BTreeSet<u32>) -> usize {
        let Chart { layout, lower, upper: Some(upper), .. } = self else { return 0 };
        let parents: BTreeSet<u32> = redone.iter().map(|&sector| layout.parent(0, sector)).collect();
        let due = parents.iter().flat_map(|&sector| layout.around(1, sector)).collect();
        upper::redo(layout, lower, upper, &due);
        due.len()
    }

    /// Redoes the sectors that edits touch, and the sectors around those, as their edges and centres depend on the
    /// regions of their neighbours.
    pub(super) fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        if edits.is_empty() {
            return Repair::default();
        }
        let weighted = grid.uniform_weight().is_none();
        let mut due = BTreeSet::new();
        if self.lower.weighted == weighted {
            for edit in edits {
                due.extend(self.layout.touched(self.around(grid, self.touched(edit), 1)));
            }
        } else {
            // The world has become weighted, or has ceased to be: each region takes a byte more, or less.
            [&mut self.lower].into_iter().chain(&mut self.upper).for_each(|level| level.weighted = weighted);
            due.extend(0..self.lower.count() as u32);
        }
        if 3 * due.len() >= self.lower.count() {
            self.redo_all(grid);
        } else {
            let mut redone = BTreeMap::new();
            for edit in edits {
                let touched = self.touched(edit);
                let sectors = || self.layout.touched(self.around(grid, touched, 1));
                // A survey takes long, and many edits often lie in the same few sectors.
                if sectors().all(|sector| redone.contains_key(&sector)) {
                    continue;
                }
                let mut survey = Survey::new(grid, &self.layout, self.around(grid, touched, 2));
                for sector in sectors() {
                    redone.entry(sector).or_insert_with(|| survey.regions(sector, self.centres));
                }
            }
            self.lower.pack(&self.layout, |sector| redone.remove(&sector));
        }
        let above = self.redo_upper(&due);
        let areas = due.iter().map(|&sector| self.layout.bounds(0, sector));
        Repair::of(due.len() + above, areas)
    }

    /// Returns the rectangle of all sectors that an edit touches.
    fn touched(&self, edit: &Edit) -> Area {
        let Area { x, y, width, height } = edit.area;
        let first = self.layout.bounds_of(0, Cell { x, y });
        first.with(self.layout.bounds_of(0, Cell { x: x + width - 1, y: y + height - 1 }))
    }

    /// Returns a rectangle of sectors grown by that many sectors on each side, as far as the world goes.
    pub(super) fn around(&self, grid: &SquareGrid, bounds: Area, sectors: u16) -> Area {
        let span = |at: u16, length: u16, end: usize| {
            let first = at.saturating_sub(sectors * self.side);
            (first, (at + length + sectors * self.side).min(end as u16) - first)
        };
        let (x, width) = span(bounds.x, bounds.width, grid.width());
        let (y, height) = span(bounds.y, bounds.height, grid.height());
        Area { x, y, width, height }
    }

    /// Returns the region of a free cell: the only one of its sector, as in most sectors, or else the one whose centre
    /// a flood fill from the cell reaches.
    pub(super) fn spot(&self, grid: &SquareGrid, cell: Cell) -> Spot {
        let sector = self.layout.tier(0).cluster(cell);
        self.lower.only(sector).unwrap_or_else(|| {
            let flood = Flood::new(grid, self.layout.bounds(0, sector));
            let region = flood.around(cell);
            let has_centre = |&spot: &Spot| flood.has(&region, self.lower.centre(&self.layout, spot));
            self.lower.of(sector).find(has_centre).expect("every region has its centre")
        })
    }

    /// Returns whether two regions meet or are one region.
    pub(super) fn are_near(&self, a: Spot, b: Spot) -> bool {
        let mut meet = a == b;
        self.lower.for_each_edge(&self.layout, a, |to| meet |= to == b);
        meet
    }

    /// Returns the levels, the lowest first.
    pub(super) fn levels(&self) -> impl Iterator<Item = &Sectors> {
        [&self.lower].into_iter().chain(&self.upper)
    }

    pub(super) fn bytes(&self) -> usize {
        self.layout.bytes() + self.levels().map(Sectors::bytes).sum::<usize>()
    }
}

/// Returns the rectangle of all cells of the world.
fn whole(grid: &SquareGrid) -> Area {
    Area { x: 0, y: 0, width: grid.width() as u16, height: grid.height() as u16 }
}
