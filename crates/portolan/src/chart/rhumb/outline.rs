//! What is shown of a rhumb chart: its regions, the lines that cut them, the ports, and the ports' trees.

use super::chart_cost::ChartCost;
use super::fronts::Fronts;
use super::regions::{Line, NO_REGION};
use crate::id::Cell;
use crate::outline::{Layer, Outline, Region, row_by_row};
use crate::space::Area;

impl<T> Fronts<T> {
    pub(super) fn outline(&self) -> Outline {
        let mut regions: Vec<Region> = Vec::with_capacity(self.regions.all.len());
        let (mut columns, mut rows) = (0, 0);
        for region in &self.regions.all {
            let bounds = region.bounds;
            let line = match region.line {
                Line::Column(x) => Area { x, width: 1, ..bounds },
                Line::Row(y) => Area { y, height: 1, ..bounds },
            };
            let parent = (region.parent != NO_REGION).then_some(region.parent as usize);
            let depth = parent.map_or(0, |parent| regions[parent].depth + 1);
            regions.push(Region { bounds, parent, depth, line: (!region.is_leaf()).then_some(line) });
            (columns, rows) = (columns.max(bounds.x + bounds.width), rows.max(bounds.y + bounds.height));
        }
        let cells = (0..rows).flat_map(|y| (0..columns).map(move |x| Cell { x, y }));
        let ports = cells.filter(|cell| self.ports.get(usize::from(cell.x), usize::from(cell.y))).collect();
        Outline { regions, layers: vec![Layer { ports, ..Layer::default() }] }
    }
}

impl<T: ChartCost> Fronts<T> {
    /// Returns the trees that a port has in the leaves around it as one tree: each cell that has a step, and the cell
    /// that the step leads to. A cell that several leaves share has the step of the first leaf with a step there.
    /// Following the steps leads to the port: inside a leaf they do, and where they pass into another leaf it is an
    /// earlier one, so that they never come back.
    pub(super) fn tree(&self, port: Cell) -> Vec<(Cell, Cell)> {
        let mut steps: Vec<(Cell, Cell)> = Vec::new();
        self.regions.touched(port.into(), &mut |leaf| {
            let leaf = &self.leaves[leaf as usize];
            if let Some(rank) = leaf.side.rank(port) {
                let cells = leaf.bounds.all_cells();
                steps.extend(cells.filter_map(|cell| Some((cell, leaf.next(rank, cell)?))));
            }
        });
        // The sort is stable: of several steps from one cell, that of the first leaf comes first and is kept.
        steps.sort_by_key(|&(cell, _)| row_by_row(cell));
        steps.dedup_by_key(|(cell, _)| *cell);
        steps
    }
}
