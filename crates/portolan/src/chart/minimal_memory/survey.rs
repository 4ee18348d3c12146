//! The survey of sectors when the chart is built or repaired: which region each cell belongs to, where regions meet,
//! and which cells are their centres.
//!
//! Not here: what is kept afterwards, which [`super::sectors`] packs.

use super::flood::{Flood, Rows};
use super::sectors::Region;
use crate::chart::shared::cutout::{Cutout, DIRECTION, Tree};
use crate::chart::shared::layout::Layout;
use crate::id::Cell;
use crate::open_list::BucketRing;
use crate::space::Area;
use crate::space::square::SquareGrid;
use crate::space::square::moves::STEP;

/// The region number of cells that are not free.
const NOWHERE: u16 = u16::MAX;

/// `Centres` says which cell of a region is its centre.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Centres {
    /// The cell from which the costs to the middles of the region's contacts with other regions sum to the least.
    Placed,
    /// The cell nearest to the mean position of the region's cells.
    Centroid,
}

/// A `Survey` holds the regions of a rectangle of whole sectors.
pub(super) struct Survey<'a> {
    grid: &'a SquareGrid,
    layout: &'a Layout,
    bounds: Area,
    /// The number of each cell's region within its sector, or [`NOWHERE`].
    number_by_cell: Vec<u16>,
    centre_scratch: CentreScratch,
}

/// `CentreScratch` is working memory for placing centres.
#[derive(Default)]
struct CentreScratch {
    cutout: Cutout,
    tree: Tree,
    ring: BucketRing,
    /// By cell of the sector, the sum of its costs from the middles of a region's contacts.
    sums: Vec<u64>,
}

impl<'a> Survey<'a> {
    /// Finds the regions of every sector in the bounds by flood fill. The bounds must consist of whole sectors.
    pub(super) fn new(grid: &'a SquareGrid, layout: &'a Layout, bounds: Area) -> Survey<'a> {
        let mut survey = Survey {
            grid,
            layout,
            bounds,
            number_by_cell: vec![NOWHERE; bounds.cells()],
            centre_scratch: CentreScratch::default(),
        };
        for sector in layout.touched(bounds) {
            let bounds = layout.bounds(0, sector);
            let flood = Flood::new(grid, bounds);
            for (number, region) in flood.regions().enumerate() {
                for cell in cells(&region, bounds) {
                    survey.number_by_cell[survey.bounds.index(cell)] = number as u16;
                }
            }
        }
        survey
    }

    fn number(&self, cell: Cell) -> u16 {
        self.number_by_cell[self.bounds.index(cell)]
    }

    /// Returns the regions of a sector. All sectors around it must lie in the survey's bounds.
    pub(super) fn regions(&mut self, sector: u32, centres: Centres) -> Vec<Region> {
        let bounds = self.layout.bounds(0, sector);
        let contacts = self.contacts(bounds);
        let flood = Flood::new(self.grid, bounds);
        let mut is_cut = false;
        let mut regions = Vec::new();
        for (number, region) in flood.regions().enumerate() {
            let own = |contact: &&Contact| usize::from(contact.from) == number;
            let first = contacts.partition_point(|contact| usize::from(contact.from) < number);
            let contacts = &contacts[first..first + contacts[first..].iter().take_while(own).count()];
            let mut edges = Vec::new();
            self.centre_scratch.sums.clear();
            self.centre_scratch.sums.resize(bounds.cells(), 0);
            for group in contacts.chunk_by(|a, b| (a.direction, a.to) == (b.direction, b.to)) {
                edges.push((group[0].direction, group[0].to));
                if centres == Centres::Placed {
                    if !is_cut {
                        self.centre_scratch.cutout.cut(self.grid, bounds);
                        is_cut = true;
                    }
                    self.centre_scratch.add(usize::from(group[group.len() / 2].at));
                }
            }
            let weight = cells(&region, bounds).map(|cell| u64::from(self.grid.weight(self.grid.node(cell))));
            let count = cells(&region, bounds).count() as u64;
            let weight = weight.sum::<u64>().div_ceil(count) as u8;
            regions.push(Region { centre: self.centre(&region, bounds), weight, edges });
        }
        regions
    }

    /// Returns the cell of a region with the least sum of costs, and among equals the one nearest to the mean position
    /// of the region's cells. All sums are 0 for [`Centres::Centroid`].
    fn centre(&self, region: &Rows, bounds: Area) -> Cell {
        let (mut count, mut sum) = (0, (0, 0));
        for cell in cells(region, bounds) {
            count += 1;
            sum = (sum.0 + i64::from(cell.x), sum.1 + i64::from(cell.y));
        }
        let off = |cell: Cell| {
            let (dx, dy) = (count * i64::from(cell.x) - sum.0, count * i64::from(cell.y) - sum.1);
            dx * dx + dy * dy
        };
        let all = cells(region, bounds);
        all.min_by_key(|&cell| (self.centre_scratch.sums[bounds.index(cell)], off(cell))).expect("a region has cells")
    }

    /// Returns the contacts of a sector's regions with those of other sectors, sorted by region, direction and region
    /// beyond.
    fn contacts(&self, bounds: Area) -> Vec<Contact> {
        let (legal, mut contacts) = (self.grid.gait().legal(), Vec::new());
        let (right, bottom) = (bounds.x + bounds.width - 1, bounds.y + bounds.height - 1);
        let rim = |cell: &Cell| cell.x == bounds.x || cell.y == bounds.y || cell.x == right || cell.y == bottom;
        for cell in bounds.all_cells().filter(rim) {
            let from = self.number(cell);
            if from == NOWHERE {
                continue;
            }
            let moves = legal[usize::from(self.grid.around(self.grid.node(cell)))];
            for &step in (0..8).filter(|direction| moves >> direction & 1 == 1).map(|direction| &STEP[direction]) {
                let to = cell.shifted(step);
                if !bounds.contains(to) {
                    let side = |at: u16, first: u16, last: u16| usize::from(at >= first) + usize::from(at > last);
                    let direction = DIRECTION[side(to.y, bounds.y, bottom)][side(to.x, bounds.x, right)];
                    contacts.push(Contact { from, direction, to: self.number(to), at: bounds.index(cell) as u16 });
                }
            }
        }
        contacts.sort_unstable();
        contacts.dedup();
        contacts
    }
}

impl CentreScratch {
    /// Adds to each cell's sum the cheapest cost from the cell `from`.
    fn add(&mut self, from: usize) {
        self.cutout.spread(from, &mut self.tree, &mut self.ring);
        for (sum, &cost) in self.sums.iter_mut().zip(&self.tree.cost_by_cell) {
            *sum += u64::from(cost);
        }
    }
}

/// A `Contact` is a cell from which a legal step leads into a region of another sector.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Contact {
    /// The number of the cell's own region.
    from: u16,
    /// The direction in which the other sector lies.
    direction: u8,
    /// The number of the other region in its sector.
    to: u16,
    /// The cell, by its index in its own sector.
    at: u16,
}

/// Returns the cells of a region, row by row.
fn cells(region: &Rows, bounds: Area) -> impl Iterator<Item = Cell> + Clone + '_ {
    region.iter().zip(bounds.y..bounds.y + bounds.height).flat_map(move |(&row, y)| {
        let mut row = row;
        std::iter::from_fn(move || {
            let x = (row != 0).then(|| bounds.x + row.trailing_zeros() as u16)?;
            row &= row - 1;
            Some(Cell { x, y })
        })
    })
}
