//! What one class has of an annotated chart, counted and as an outline to be drawn.

use super::annotated::{Annotated, Classes};
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::layout::Layout;
use crate::id::Cell;
use crate::outline::{Census, Layer, Outline};

impl Annotated {
    pub(super) fn outline(&self, layout: &Layout, class: Classes) -> Outline {
        let (mut ports, mut crossings, mut ways): (Vec<Cell>, Vec<_>, Vec<_>) = (vec![], vec![], vec![]);
        for cluster in 0..layout.tier(0).count() as u32 {
            ports.extend(self.ports_of(cluster, class).map(|port| port.cell));
            let from = |rank: u16| self.port(self.number(cluster, rank)).cell;
            crossings.extend(self.exits_of(cluster, class).map(|exit| (from(exit.from), self.port(exit.to).cell)));
            ways.extend(self.ways(cluster, class));
        }
        Outline { regions: layout.regions(), layers: vec![Layer::of(ports, crossings, ways)] }
    }

    pub(super) fn census(&self, layout: &Layout, class: Classes) -> Census {
        let mut census = Census { clusters: layout.tier(0).count(), ..Census::default() };
        for cluster in 0..layout.tier(0).count() as u32 {
            census.nodes += self.ports_of(cluster, class).count();
            census.inter_edges += self.exits_of(cluster, class).count();
            census.intra_edges += self.ways(cluster, class).count();
        }
        census.inter_edges /= 2; // an edge is an exit of both its clusters
        census
    }

    /// Returns the pairs of ports of a cluster between which a class has a cost.
    fn ways(&self, cluster: u32, class: Classes) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        self.ports_of(cluster, class).enumerate().flat_map(move |(at, a)| {
            let later = self.ports_of(cluster, class).skip(at + 1);
            let reached = later.filter(move |b| self.cost(cluster, a.rank, b.rank, class) != NO_WAY);
            reached.map(move |b| (a.cell, b.cell))
        })
    }
}
