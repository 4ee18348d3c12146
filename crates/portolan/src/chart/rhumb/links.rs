//! The links of a world as the regions of a chart see them ([`LinkEnds`]).
//!
//! The home of a link is the smallest region with a line that contains both of its ends. There the link is one more way
//! between two ports of the region's list, and its ends are stopovers as the ports of the line are. An end that lies on a
//! line is a port of that line. An end inside a leaf is one more port of that leaf, and, on the way up to the link's home,
//! of every region that has it inside: it is *open* there.
//!
//! Not here: how fronts are made from this (`front.rs`).

use super::regions::{ROOT, Regions};
use crate::id::Cell;
use crate::memory::held;
use crate::space::square::SquareGrid;
use std::collections::BTreeMap;

/// A link. Where there are links, costs of the chart are those of the world.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Link {
    pub(super) from: Cell,
    pub(super) to: Cell,
    pub(super) cost: u32,
}

/// What a region has to know of links.
#[derive(Clone, PartialEq, Default)]
pub(super) struct RegionLinks {
    /// The open ends: those inside the region, on none of its sides, of links whose home is a larger region. In order.
    pub(super) open: Vec<Cell>,
    /// The links whose home the region is, in order.
    pub(super) links: Vec<Link>,
    /// The ends of these links that are neither on the region's line nor on its sides. In order.
    pub(super) inner: Vec<Cell>,
}

/// All links of a world that lead between free cells.
#[derive(Clone, Default)]
pub(in crate::chart) struct LinkEnds {
    /// By region; a region that need not know of links has no entry.
    by_region: BTreeMap<u32, RegionLinks>,
    /// The cells that links lead from or to, in order.
    pub(super) cells: Vec<Cell>,
}

impl LinkEnds {
    /// Lists the links of a world. Regions have lines, unless the whole world is one leaf: then the chart has no place for
    /// links.
    pub(super) fn of(grid: &SquareGrid, regions: &Regions) -> LinkEnds {
        let mut ends = LinkEnds::default();
        if regions.of(ROOT).is_leaf() {
            return ends;
        }
        for (from, to, cost) in grid.usable_links() {
            let home = regions.home(from, to);
            ends.by_region.entry(home).or_default().links.push(Link { from, to, cost });
            for end in [from, to] {
                ends.cells.push(end);
                ends.open_below(regions, home, end);
            }
        }
        ends.cells.sort_unstable();
        ends.cells.dedup();
        for known in ends.by_region.values_mut() {
            known.links.sort_unstable();
            for cells in [&mut known.open, &mut known.inner] {
                cells.sort_unstable();
                cells.dedup();
            }
        }
        ends
    }

    /// Opens an end in all regions below `home` that have it inside, and notes it there.
    fn open_below(&mut self, regions: &Regions, home: u32, end: Cell) {
        let mut region = home;
        loop {
            let place = regions.of(region);
            if regions.is_on_side(place.bounds, end) {
                return;
            }
            let known = self.by_region.entry(region).or_default();
            if region != home {
                known.open.push(end);
            }
            if place.is_leaf() || place.side_of(end).is_eq() {
                return;
            }
            if region == home {
                known.inner.push(end);
            }
            region = place.children[usize::from(place.side_of(end).is_gt())];
        }
    }

    /// Returns what a region knows of links.
    pub(super) fn of_region(&self, region: u32) -> Option<&RegionLinks> {
        self.by_region.get(&region)
    }

    /// Lists the regions that know other links than they do in `before`.
    pub(super) fn changed_since(&self, before: &LinkEnds) -> Vec<u32> {
        let regions = self.by_region.keys().chain(before.by_region.keys()).copied();
        let mut changed: Vec<u32> =
            regions.filter(|&region| self.of_region(region) != before.of_region(region)).collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Lists the cells that links end at either now or in `before`, but not both.
    pub(super) fn cells_changed_since(&self, before: &LinkEnds) -> Vec<Cell> {
        let apart = |some: &[Cell], others: &[Cell]| -> Vec<Cell> {
            some.iter().copied().filter(|cell| others.binary_search(cell).is_err()).collect()
        };
        [apart(&self.cells, &before.cells), apart(&before.cells, &self.cells)].concat()
    }

    pub(super) fn bytes(&self) -> usize {
        let region = |known: &RegionLinks| {
            size_of::<(u32, RegionLinks)>() + held(&known.open) + held(&known.links) + held(&known.inner)
        };
        held(&self.cells) + self.by_region.values().map(region).sum::<usize>()
    }
}

impl RegionLinks {
    /// Returns whether every link leads both ways at one cost.
    pub(super) fn lead_both_ways(&self) -> bool {
        let leads_back =
            |link: &Link| self.links.binary_search(&Link { from: link.to, to: link.from, ..*link }).is_ok();
        self.links.iter().all(leads_back)
    }
}
