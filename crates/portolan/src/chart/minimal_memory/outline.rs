//! How the chart is shown and counted: sectors, the centres of their regions, and which regions meet.
//!
//! Not here: drawing.

use super::Chart;
use super::sectors::Sectors;
use crate::outline::{Census, Layer, Outline, Region};

impl Chart {
    /// Returns the sectors of all levels, large ones before the small ones that they are made of, and for each level
    /// the centres of regions as ports and the pairs of regions that meet as ways.
    pub(super) fn outline(&self) -> Outline {
        let mut regions = Vec::new();
        let levels = self.levels().count();
        for level in (0..levels).rev() {
            let depth = levels - 1 - level;
            for sector in 0..self.layout.tier(level).count() as u32 {
                let bounds = self.layout.bounds(level, sector);
                let parent = (depth > 0).then(|| self.layout.parent(level, sector) as usize);
                regions.push(Region { bounds, parent, depth, line: None });
            }
        }
        Outline { regions, layers: self.levels().map(|sectors| self.layer(sectors)).collect() }
    }

    fn layer(&self, sectors: &Sectors) -> Layer {
        let (mut ports, mut ways) = (Vec::new(), Vec::new());
        for spot in sectors.all() {
            let centre = sectors.centre(&self.layout, spot);
            ports.push(centre);
            sectors.for_each_edge(&self.layout, spot, |to| ways.push((centre, sectors.centre(&self.layout, to))));
        }
        Layer::of(ports, vec![], ways)
    }

    /// Returns how much each level holds. A region is one node. [`Sectors::for_each_edge`] lists an edge at both of its
    /// ends, so that the count is halved.
    pub(super) fn census(&self) -> Vec<Census> {
        let count = |sectors: &Sectors| {
            let (mut nodes, mut ends) = (0, 0);
            for spot in sectors.all() {
                nodes += 1;
                sectors.for_each_edge(&self.layout, spot, |_| ends += 1);
            }
            Census { clusters: sectors.count(), nodes, inter_edges: ends / 2, intra_edges: 0 }
        };
        self.levels().map(count).collect()
    }
}
