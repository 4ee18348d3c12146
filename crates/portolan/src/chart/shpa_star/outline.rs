//! How a chart of merged regions is shown: the region of every cell, the gates between regions, and what a repair has
//! redone.
//!
//! Not here: drawing.

use super::Chart;
use super::regions::NOWHERE;
use crate::method::Repair;
use crate::outline::{Layer, Outline};
use crate::space::Area;
use crate::space::square::SquareGrid;

impl Chart {
    /// Returns the regions by cell, and the gates at the places they have before a query slides them. There are no ways
    /// inside regions, as the chart keeps none.
    pub(super) fn outline(&self, grid: &SquareGrid) -> Outline {
        let gates = || (0..self.gates.count() as u32).map(|number| self.gates.gate(number));
        let ports = gates().map(|gate| gate.near).collect();
        let crossings = gates().map(|gate| (gate.near, gate.far)).collect();
        let label = |region: u32| if region == NOWHERE { 0 } else { region + 1 };
        let labels = grid.cells().map(|cell| label(self.regions.of(grid.node(cell)))).collect();
        Outline { regions: vec![], layers: vec![Layer { labels, ..Layer::of(ports, crossings, vec![]) }] }
    }

    /// Returns the report of a repair that has redone every region, each with the rectangle around it.
    pub(super) fn all_redone(&self, grid: &SquareGrid) -> Repair {
        let mut bounds_by_region: Vec<Option<Area>> = vec![None; self.regions.count()];
        for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
            let bounds = &mut bounds_by_region[self.regions.of(grid.node(cell)) as usize];
            let one = Area::around(cell, cell);
            *bounds = Some(bounds.map_or(one, |bounds| bounds.with(one)));
        }
        Repair::of(self.regions.count(), bounds_by_region.into_iter().flatten())
    }
}
