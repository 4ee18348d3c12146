//! A chart of clusters as an outline to be drawn: its clusters, the highest level first, and for each level the ports,
//! the steps between clusters and the pairs of ports that are connected inside a cluster. Also the tree of a port.

use super::{Clusters, Level};
use crate::id::Cell;
use crate::outline::{Layer, Outline};

impl Clusters {
    pub(crate) fn outline(&self) -> Outline {
        Outline { regions: self.layout.regions(), layers: self.levels.iter().map(layer).collect() }
    }

    /// Returns the tree of a port over its cluster: each cell with the next cell on its way to the port. It is empty if
    /// the chart has no trees or the cell is no port.
    pub(crate) fn tree(&self, port: Cell) -> Vec<(Cell, Cell)> {
        let cluster = self.layout.tier(0).cluster(port);
        let bounds = self.layout.bounds(0, cluster);
        let rank = self.ports(cluster).0.binary_search(&port);
        let Some((trees, rank)) = self.trees.as_ref().zip(rank.ok()) else { return Vec::new() };
        let cluster_trees = trees.of(cluster);
        bounds.all_cells().filter_map(|cell| Some((cell, cluster_trees.next(bounds, (rank, port), cell)?))).collect()
    }
}

/// Returns the outline of one level. Pairs of ports are listed even if their prices have not been computed yet, because
/// the connected parts already say which ports reach each other.
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
