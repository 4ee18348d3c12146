//! DHPA* with rows of costs as flat arrays: [`FlatSquareRows`].
//!
//! Not here: filling them (`chart/hpa_star/flatten.rs`).

use crate::id::Cell;

/// A square grid with the chart of `dhpa-star rows=yes`, as flat arrays. Ports are numbered cluster by cluster, by rank.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatSquareRows {
    /// Columns and rows of the world.
    pub size: [u32; 2],
    /// The directions in which each cell can be left, one bit for each, cell by cell. Direction 0 leads up, and the others
    /// follow clockwise.
    pub moves_by_cell: Vec<u8>,
    /// What a straight and a diagonal step cost where goals in plain sight are walked to; `None` where they are not.
    pub sight: Option<[u32; 2]>,
    /// Whether steps lead in eight directions, not in four.
    pub has_diagonals: bool,
    /// Cells along the side of a full cluster.
    pub cluster_side: u32,
    /// How many clusters lie side by side.
    pub clusters_across: u32,
    /// The clusters, row by row.
    pub clusters: Vec<FlatCluster>,
    /// The cell of each port.
    pub port_cells: Vec<Cell>,
    /// Where the tree of each port begins in `tree_steps`.
    pub first_tree_steps: Vec<u32>,
    /// For each port and each cell of its cluster, row by row: the direction of the first step to the port, two in a byte,
    /// the first in the lower bits. Every tree begins with a byte of its own. At the port itself and at cells that do not
    /// reach it, the direction says nothing.
    pub tree_steps: Vec<u8>,
    /// For each cell of each cluster, row by row: the cost to each port of the cluster, `u32::MAX` if there is no way.
    pub tree_costs: Vec<u32>,
    /// For each pair of ports of one cluster: how many steps the way between them inside the cluster has; for each port a
    /// row by rank, cluster by cluster. It is 0 if there is no such way.
    pub leg_steps: Vec<u32>,
    /// The exits of the clusters, one cluster after another.
    pub exits: Vec<FlatExit>,
    /// For each port a row: the cost of the cheapest way from each port to it, `u32::MAX` if there is none.
    pub row_costs: Vec<u32>,
    /// For each entry of `row_costs` the exit by which that way leaves the cluster, `u16::MAX` if there is none.
    pub row_exits: Vec<u16>,
}

/// A cluster: where its parts begin in the arrays of [`FlatSquareRows`].
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatCluster {
    /// Its least column and row.
    pub corner: [u32; 2],
    /// How many columns and rows it has.
    pub size: [u32; 2],
    /// The number of its first port.
    pub first_port: u32,
    /// How many ports it has.
    pub ports: u32,
    /// The number of its first exit.
    pub first_exit: u32,
    /// How many exits it has.
    pub exits: u32,
    /// Where its costs begin in `tree_costs`.
    pub first_cost: u32,
    /// Where its pairs of ports begin in `leg_steps`.
    pub first_leg: u32,
}

/// A step out of a cluster.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatExit {
    /// The port that it leaves from.
    pub leave: u32,
    /// The port that it leads to.
    pub to: u32,
    /// What it costs.
    pub step: u32,
}
