//! What a chart of merged regions looks like: the region of every cell, and the gates between them.

use super::Chart;
use super::regions::NOWHERE;
use crate::outline::{Layer, Outline};
use crate::planner::Repair;
use crate::world::Area;
use crate::world::square::SquareGrid;

impl Chart {
    /// A gate is told where it lies before a query slides it. Ways inside regions are not kept, only guessed.
    pub(super) fn outline(&self, grid: &SquareGrid) -> Outline {
        let gates = || (0..self.gates.count() as u32).map(|number| self.gates.gate(number));
        let ports = gates().map(|gate| gate.near).collect();
        let crossings = gates().map(|gate| (gate.near, gate.far)).collect();
        let label = |region: u32| if region == NOWHERE { 0 } else { region + 1 };
        let labels = grid.cells().map(|cell| label(self.regions.of(grid.node(cell)))).collect();
        Outline { regions: vec![], layers: vec![Layer { labels, ..Layer::of(ports, crossings, vec![]) }] }
    }

    /// What a chart built anew has redone: every region.
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
