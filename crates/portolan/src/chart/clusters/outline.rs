//! What a chart of clusters looks like: its clusters, the highest level first, and the ports.

use super::Clusters;
use crate::id::Cell;
use crate::outline::{Outline, Region};

impl Clusters {
    pub(crate) fn outline(&self) -> Outline {
        let mut regions: Vec<Region> = Vec::new();
        let mut above = 0;
        for (depth, level) in (0..self.layout.levels()).rev().enumerate() {
            let first = regions.len();
            for cluster in 0..self.layout.tier(level).count() as u32 {
                let parent = (depth > 0).then(|| above + self.layout.parent(level, cluster) as usize);
                let bounds = self.layout.bounds(level, cluster).into();
                regions.push(Region { bounds, parent, depth, line: None });
            }
            above = first;
        }
        let lowest = 0..self.layout.tier(0).count() as u32;
        let mut ports: Vec<Cell> = lowest.flat_map(|cluster| self.ports(cluster).0).copied().collect();
        ports.sort_unstable_by_key(|port| (port.y, port.x));
        Outline { regions, ports, ways: vec![] }
    }
}
