//! Figure 5 of DHPA* 2010: building charts with clusters of three sizes.

use super::chart;
use crate::progress::{Cancelled, Steps};
use portolan::{Cell, Snapshot, SquareGrid};
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::Instant;

/// The paper's figures: size of clusters, number of clusters, and seconds of HPA* and DHPA*.
const PAPER: [(u32, usize, [f64; 2]); 3] =
    [(5, 32_044, [33.826, 37.223]), (10, 10_121, [30.318, 31.525]), (20, 3_338, [19.779, 21.087])];

/// Builds of a chart; the fastest counts.
const REPEAT: usize = 5;

/// The charts of all maps with clusters of one size.
#[derive(Clone, Debug, Serialize)]
pub struct BuildRow {
    /// Cells along a cluster's side.
    pub cluster: u32,
    /// The number of clusters.
    pub clusters: usize,
    /// The number of clusters that have nodes, which seems to be what the paper counts.
    pub clusters_with_nodes: usize,
    /// Milliseconds to build HPA* and DHPA*.
    pub build_ms: [f64; 2],
    /// The number of clusters in the paper.
    pub paper_clusters: usize,
    /// Seconds to build HPA* and DHPA* in the paper.
    pub paper_seconds: [f64; 2],
}

/// The rows, summed up map by map.
pub(super) struct Sum(Vec<BuildRow>);

impl Default for Sum {
    fn default() -> Sum {
        let row = |(cluster, paper_clusters, paper_seconds)| BuildRow {
            cluster,
            clusters: 0,
            clusters_with_nodes: 0,
            build_ms: [0.0; 2],
            paper_clusters,
            paper_seconds,
        };
        Sum(PAPER.into_iter().map(row).collect())
    }
}

impl Sum {
    pub(super) fn add(&mut self, world: &Snapshot, steps: &mut Steps) -> Result<(), Cancelled> {
        for row in &mut self.0 {
            let mut least = [f64::MAX; 2];
            for _ in 0..REPEAT {
                for (least, name) in least.iter_mut().zip(["hpa-star", "dhpa-star"]) {
                    let begun = Instant::now();
                    let planner = chart(world, name, row.cluster, &[]);
                    *least = least.min(begun.elapsed().as_secs_f64() * 1e3);
                    std::hint::black_box(planner);
                    steps.spent(begun.elapsed())?;
                }
            }
            let across = |side: usize| side.div_ceil(row.cluster as usize);
            row.clusters += across(world.width()) * across(world.height());
            row.clusters_with_nodes += clusters_with_nodes(world, row.cluster);
            row.build_ms = [row.build_ms[0] + least[0], row.build_ms[1] + least[1]];
        }
        Ok(())
    }

    pub(super) fn rows(self) -> Vec<BuildRow> {
        self.0
    }
}

/// Returns the number of clusters that have nodes: those with a free cell that has a free neighbour across a border.
pub(super) fn clusters_with_nodes(grid: &SquareGrid, size: u32) -> usize {
    let cluster = |cell: Cell| (u32::from(cell.x) / size, u32::from(cell.y) / size);
    let mut joined = BTreeSet::new();
    for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
        for beyond in [Cell { x: cell.x + 1, ..cell }, Cell { y: cell.y + 1, ..cell }] {
            let ends = [cluster(cell), cluster(beyond)];
            if ends[0] != ends[1] && grid.is_free(beyond) {
                joined.extend(ends);
            }
        }
    }
    joined.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::rules;

    #[test]
    fn only_clusters_joined_to_others_have_nodes() {
        let open = SquareGrid::open(25, 10, rules()).unwrap();
        assert_eq!([5, 10, 20, 30].map(|size| clusters_with_nodes(&open, size)), [10, 3, 2, 0]);
        let mut weights = vec![0; 250];
        weights[3] = 1;
        (weights[9], weights[10]) = (1, 1);
        let sparse = SquareGrid::from_weights(25, 10, &weights, rules()).unwrap();
        assert_eq!(clusters_with_nodes(&sparse, 10), 2);
    }
}
