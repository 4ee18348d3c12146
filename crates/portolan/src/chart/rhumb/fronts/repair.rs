//! The repair of a rhumb chart after edits: ports and leaves at once, fronts at once or when they are next needed.
//!
//! Not here: when a front that was put aside is put back, and how fronts are made, which is in the entry file.

use super::super::chart_cost::ChartCost;
use super::super::front::{FrontScratch, Way};
use super::super::leaf::{Leaf, LeafScratch};
use super::super::links::LinkEnds;
use super::super::regions::{NO_REGION, Regions};
use super::{Fronts, Slot, WayBack};
use crate::id::Cell;
use crate::method::Repair;
use crate::space::square::SquareGrid;
use crate::space::{Area, Edit};
use std::sync::Arc;

impl<T: ChartCost> Fronts<T> {
    /// Repairs the chart after edits. The report counts the leaves that the edits touch and the fronts above them that
    /// were repaired at once, and has the bounds of these leaves.
    pub(in crate::chart::rhumb) fn repair(
        &mut self,
        grid: &SquareGrid,
        edits: &[Edit],
        leaf_room: &mut LeafScratch,
        room: &mut FrontScratch<T>,
    ) -> Repair {
        let regions = Arc::clone(&self.regions);
        let mut touched = Vec::new();
        for edit in edits {
            regions.touched(edit.cells((grid.width(), grid.height())), &mut |leaf| touched.push(leaf));
        }
        let moved_ends = self.follow_links(grid, &mut touched);
        touched.sort_unstable();
        touched.dedup();
        if grid.has_one_ways() && self.back.is_none() {
            self.back = Some(WayBack { leaves: self.leaves.clone(), slots: self.slots.clone() });
        }
        for &leaf in &touched {
            self.lay_sides(grid, regions.leaves[leaf as usize], edits, &moved_ends);
        }
        self.links.cells.iter().for_each(|end| self.ports.set(usize::from(end.x), usize::from(end.y), true));
        for &leaf in &touched {
            room.list.clear();
            self.list_leaf(regions.leaves[leaf as usize], &mut room.list);
            self.repair_leaf(grid, leaf, &room.list, edits, leaf_room);
        }
        if !grid.has_one_ways() {
            // Costs no longer depend on the direction, and the fronts for the way there have them.
            self.back = None;
        }
        let mut pending = Vec::new();
        for &leaf in &touched {
            let mut region = regions.of(regions.leaves[leaf as usize]).parent;
            while region != NO_REGION && regions.of(region).bounds.cells() <= self.plan.eager {
                let number = regions.of(region).number;
                if Way::BOTH.iter().any(|&way| self.slot(way, number).now.get().is_none()) {
                    pending.push(region);
                }
                region = regions.of(region).parent;
            }
        }
        pending.sort_unstable();
        pending.dedup();
        for &region in &pending {
            self.settle_ways(region, room);
        }
        let leaves = touched.iter().map(|&leaf| self.leaves[leaf as usize].bounds);
        Repair::of(touched.len() + pending.len(), leaves)
    }

    /// Lists the links anew and puts aside the fronts of the regions that now know others. Adds the leaves that have other ports
    /// to `touched`, and returns the cells at which links no longer end or now do.
    fn follow_links(&mut self, grid: &SquareGrid, touched: &mut Vec<u32>) -> Vec<Cell> {
        if self.links.cells.is_empty() && !grid.has_links() {
            return Vec::new();
        }
        let links = LinkEnds::of(grid, &self.regions);
        let before = std::mem::replace(&mut self.links, links);
        for region in self.links.changed_since(&before) {
            let place = *self.regions.of(region);
            if place.is_leaf() {
                touched.push(place.number);
                continue;
            }
            self.put_aside(region);
            // What was put aside has another list of ports or other links.
            self.slots[place.number as usize].before = None;
            if let Some(back) = &mut self.back {
                back.slots[place.number as usize].before = None;
            }
        }
        let moved = self.links.cells_changed_since(&before);
        for &end in &moved {
            self.regions.touched(end.into(), &mut |leaf| touched.push(leaf));
            self.ports.set(usize::from(end.x), usize::from(end.y), false);
        }
        moved
    }

    /// Repairs a leaf, which has these ports now, for both ways, and puts aside the fronts that were made from it if costs
    /// have changed.
    fn repair_leaf(&mut self, grid: &SquareGrid, number: u32, ports: &[Cell], edits: &[Edit], room: &mut LeafScratch) {
        let parent = self.regions.of(self.regions.leaves[number as usize]).parent;
        let number = number as usize;
        let old = &self.leaves[number];
        let mut there = old.regrow(grid, ports, self.prices, edits, room);
        let mut same_side = there.side.is_same_as(&old.side);
        self.note(there.side.fits());
        let there = Arc::new(there);
        if let Some(back) = &mut self.back {
            let old = &back.leaves[number];
            let new = if room.cutout.is_one_way() {
                let mut new = Leaf::grow(grid, there.bounds, ports, self.prices, Way::Back, room);
                new.side.is_same_as(&old.side);
                new.side.is_same_as(&there.side);
                Arc::new(new)
            } else {
                Arc::clone(&there)
            };
            same_side &= new.side.id == old.side.id;
            back.leaves[number] = new;
        }
        self.leaves[number] = there;
        if !same_side {
            self.put_aside(parent);
        }
    }

    /// Puts aside the fronts of a region and those of all regions around it.
    fn put_aside(&mut self, region: u32) {
        let regions = &self.regions;
        put_aside(regions, &mut self.slots, region);
        if let Some(back) = &mut self.back {
            put_aside(regions, &mut back.slots, region);
        }
    }

    /// Lays the ports anew on each side of a leaf that an edit overlaps, or on which a link has begun or ceased to end.
    fn lay_sides(&mut self, grid: &SquareGrid, leaf: u32, edits: &[Edit], moved_ends: &[Cell]) {
        let regions = Arc::clone(&self.regions);
        let bounds = regions.of(leaf).bounds;
        for (first, last) in regions.whole_sides(bounds) {
            let side = Area::around(first, last);
            if edits.iter().any(|edit| side.overlaps(edit.cells((grid.width(), grid.height()))))
                || moved_ends.iter().any(|&end| side.contains(end))
            {
                let rule = self.plan.rule.across(regions.reach(leaf, first, last), self.plan.spacing);
                rule.lay(grid, &regions, first, last, &mut self.ports);
            }
        }
    }
}

/// Puts aside the front of a region and those of all regions around it.
fn put_aside<T>(regions: &Regions, slots: &mut [Slot<T>], mut region: u32) {
    while region != NO_REGION {
        let place = regions.of(region);
        let slot = &mut slots[place.number as usize];
        if let Some(front) = slot.now.take() {
            slot.before = Some(front);
        } else {
            // This front was put aside before, and all above it with it.
            return;
        }
        region = place.parent;
    }
}
