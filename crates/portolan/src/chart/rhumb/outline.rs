//! What a rhumb chart looks like: its regions, the lines that cut them, and the ports.

use super::fronts::Fronts;
use super::regions::{Line, NOBODY};
use crate::id::Cell;
use crate::outline::{Layer, Outline, Region};
use crate::world::Area;

impl<T> Fronts<T> {
    pub(super) fn outline(&self) -> Outline {
        let mut regions: Vec<Region> = Vec::with_capacity(self.regions.all.len());
        let (mut columns, mut rows) = (0, 0);
        for region in &self.regions.all {
            let bounds = Area::from(region.bounds);
            let line = match region.line {
                Line::Column(x) => Area { x, width: 1, ..bounds },
                Line::Row(y) => Area { y, height: 1, ..bounds },
            };
            let parent = (region.parent != NOBODY).then_some(region.parent as usize);
            let depth = parent.map_or(0, |parent| regions[parent].depth + 1);
            regions.push(Region { bounds, parent, depth, line: (!region.is_leaf()).then_some(line) });
            (columns, rows) = (columns.max(bounds.x + bounds.width), rows.max(bounds.y + bounds.height));
        }
        let cells = (0..rows).flat_map(|y| (0..columns).map(move |x| Cell { x, y }));
        let ports = cells.filter(|cell| self.ports.get(usize::from(cell.x), usize::from(cell.y))).collect();
        Outline { regions, layers: vec![Layer { ports, ..Layer::default() }] }
    }
}
