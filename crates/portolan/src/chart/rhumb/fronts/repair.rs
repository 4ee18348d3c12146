//! The repair of a rhumb chart after edits: ports and leaves at once, fronts at once or when they are next needed.
//!
//! Not here: when a front that was put aside is put back, and how fronts are made, which is in the entry file.

use super::super::chart_cost::ChartCost;
use super::super::front::FrontScratch;
use super::super::leaf::LeafScratch;
use super::super::regions::NO_REGION;
use super::Fronts;
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
        touched.sort_unstable();
        touched.dedup();
        for &leaf in &touched {
            self.lay_sides(grid, regions.leaves[leaf as usize], edits);
        }
        for &leaf in &touched {
            let region = regions.leaves[leaf as usize];
            let bounds = regions.of(region).bounds;
            room.list.clear();
            self.list_sides(bounds, &mut room.list);
            let old = &self.leaves[leaf as usize];
            let mut new = old.regrow(grid, &room.list, self.prices, edits, leaf_room);
            let same_side = new.side.is_same_as(&old.side);
            self.note(new.side.fits());
            self.leaves[leaf as usize] = Arc::new(new);
            if !same_side {
                self.put_aside(regions.of(region).parent);
            }
        }
        let mut pending = Vec::new();
        for &leaf in &touched {
            let mut region = regions.of(regions.leaves[leaf as usize]).parent;
            while region != NO_REGION && regions.of(region).bounds.cells() <= self.plan.eager {
                if self.slots[regions.of(region).number as usize].now.get().is_none() {
                    pending.push(region);
                }
                region = regions.of(region).parent;
            }
        }
        pending.sort_unstable();
        pending.dedup();
        for &region in &pending {
            self.settle(region, room);
        }
        let leaves = touched.iter().map(|&leaf| self.leaves[leaf as usize].bounds);
        Repair::of(touched.len() + pending.len(), leaves)
    }

    /// Puts aside the front of a region and those of all regions around it.
    fn put_aside(&mut self, mut region: u32) {
        while region != NO_REGION {
            let place = self.regions.of(region);
            let slot = &mut self.slots[place.number as usize];
            if let Some(front) = slot.now.take() {
                slot.before = Some(front);
            } else {
                // This front was put aside before, and all above it with it.
                return;
            }
            region = place.parent;
        }
    }

    /// Lays the ports anew on each side of a leaf that an edit overlaps.
    fn lay_sides(&mut self, grid: &SquareGrid, leaf: u32, edits: &[Edit]) {
        let regions = Arc::clone(&self.regions);
        let bounds = regions.of(leaf).bounds;
        for (first, last) in regions.whole_sides(bounds) {
            let side = Area::around(first, last);
            if edits.iter().any(|edit| side.overlaps(edit.cells((grid.width(), grid.height())))) {
                let rule = self.plan.rule.across(regions.reach(leaf, first, last), self.plan.spacing);
                rule.lay(grid, &regions, first, last, &mut self.ports);
            }
        }
    }
}
