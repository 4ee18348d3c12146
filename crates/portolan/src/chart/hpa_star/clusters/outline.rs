//! What a chart of clusters looks like: its clusters, the highest level first, and for each level the ports, the steps
//! between clusters and the pairs of ports connected inside one; and the trees of ports.

use super::{Clusters, Level};
use crate::id::Cell;
use crate::outline::{Layer, Outline, Region};

impl Clusters {
    pub(crate) fn outline(&self) -> Outline {
        let mut regions: Vec<Region> = Vec::new();
        let mut above = 0;
        for (depth, level) in (0..self.layout.levels()).rev().enumerate() {
            let first = regions.len();
            for cluster in 0..self.layout.tier(level).count() as u32 {
                let parent = (depth > 0).then(|| above + self.layout.parent(level, cluster) as usize);
                let bounds = self.layout.bounds(level, cluster);
                regions.push(Region { bounds, parent, depth, line: None });
            }
            above = first;
        }
        Outline { regions, layers: self.levels.iter().map(layer).collect() }
    }

    /// The tree of a port over its cluster, where trees are kept.
    pub(crate) fn tree(&self, port: Cell) -> Vec<(Cell, Cell)> {
        let cluster = self.layout.tier(0).cluster(port);
        let bounds = self.layout.bounds(0, cluster);
        let rank = self.ports(cluster).0.binary_search(&port);
        let Some((trees, rank)) = self.trees.as_ref().zip(rank.ok()) else { return Vec::new() };
        let cluster_trees = trees.of(cluster);
        bounds.all_cells().filter_map(|cell| Some((cell, cluster_trees.next(bounds, (rank, port), cell)?))).collect()
    }
}

/// Prices that wait for their first use count: whether there will be one follows from which ports are connected.
fn layer(level: &Level) -> Layer {
    let (mut ports, mut crossings, mut ways): (Vec<Cell>, Vec<_>, Vec<_>) = (vec![], vec![], vec![]);
    for cluster in 0..level.blocks.len() as u32 {
        let entries = level.entries(cluster);
        for (rank, place) in entries.iter().map(|&port| level.place(port)).enumerate() {
            ports.push(place.cell);
            let others = entries[rank + 1..].iter().map(|&port| level.place(port));
            let connected = others.filter(|other| other.part == place.part);
            ways.extend(connected.map(|other| (place.cell, other.cell)));
        }
        let steps = level.leaves(cluster).iter().zip(level.exits(cluster));
        crossings.extend(steps.map(|(leave, exit)| (level.place(leave.from).cell, exit.cell)));
    }
    Layer::of(ports, crossings, ways)
}
