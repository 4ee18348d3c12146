//! A chart with rows of costs as one list of words, as the programs of `squares/*.wgsl` read it.
//!
//! Not here: the programs.

use crate::chart::{ChartWords, NO_WAY};
use portolan::flat::{FlatCluster, FlatSquareRows};

/// The numbers of a chart that programs are given beside its words.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub(super) width: u32,
    pub(super) cluster_side: u32,
    pub(super) clusters_across: u32,
    pub(super) ports: u32,
    /// How many times four words a row of costs between ports has.
    pub(super) row_fours: u32,
    /// What steps cost if goals in plain sight are walked to; 0 if they are not.
    pub(super) sight: [u32; 2],
    pub(super) has_diagonals: bool,
    pub(super) clusters: u32,
}

/// Returns the words of a chart. The order of the arrays is that of the constants in `squares/chart.wgsl`.
pub(super) fn square_rows(flat: &FlatSquareRows) -> (ChartWords, Numbers) {
    let columns = Columns::of(flat);
    let mut words = ChartWords::default();
    words.list(flat.moves_by_cell.chunks(4).map(packed));
    let firsts = columns.firsts.iter().zip(&columns.costs);
    words.list(flat.clusters.iter().zip(firsts).flat_map(|(cluster, (&column, &cost))| {
        let FlatCluster { corner, size, first_port, ports, first_exit, exits, first_leg, .. } = *cluster;
        let corner = corner[0] | corner[1] << 16;
        let fours = ports.div_ceil(4);
        [corner, size[0], first_port, ports, first_exit, exits, cost / 4, first_leg, column / 4, fours, 0, 0]
    }));
    let ports = flat.clusters.iter().zip(0_u32..).flat_map(|(cluster, number)| {
        (cluster.first_port..cluster.first_port + cluster.ports).map(move |port| (port, number))
    });
    words.list(ports.flat_map(|(port, cluster)| {
        let cell = flat.port_cells[port as usize];
        let place = u32::from(cell.x) | u32::from(cell.y) << 16;
        [place, cluster, flat.first_tree_steps[port as usize], columns.by_port[port as usize]]
    }));
    words.list(flat.tree_steps.chunks(4).map(packed));
    words.list(flat.clusters.iter().flat_map(|cluster| {
        let cells = (cluster.size[0] * cluster.size[1]) as usize;
        let costs = &flat.tree_costs[cluster.first_cost as usize..][..cells * cluster.ports as usize];
        costs.chunks(cluster.ports.max(1) as usize).flat_map(padded)
    }));
    words.list(flat.leg_steps.iter().copied());
    words.list(flat.exits.iter().flat_map(|exit| [exit.leave, exit.to, exit.step, 0]));
    let rows = flat.row_costs.chunks(flat.port_cells.len().max(1));
    words.list(rows.flat_map(|row| {
        let parts = |cluster: &FlatCluster| padded(&row[cluster.first_port as usize..][..cluster.ports as usize]);
        flat.clusters.iter().flat_map(parts)
    }));
    words.halves(flat.row_exits.iter().copied());
    let numbers = Numbers {
        width: flat.size[0],
        cluster_side: flat.cluster_side,
        clusters_across: flat.clusters_across,
        ports: flat.port_cells.len() as u32,
        row_fours: columns.width / 4,
        sight: flat.sight.unwrap_or_default(),
        has_diagonals: flat.has_diagonals,
        clusters: flat.clusters.len() as u32,
    };
    (words, numbers)
}

/// Packs up to four bytes into a word.
fn packed(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// Returns costs padded to whole fours.
fn padded(costs: &[u32]) -> impl Iterator<Item = u32> {
    let padding = costs.len().next_multiple_of(4) - costs.len();
    costs.iter().map(|&cost| cost.min(NO_WAY)).chain(std::iter::repeat_n(NO_WAY, padding))
}

/// Where the ports lie in a row whose clusters are padded to whole fours.
struct Columns {
    firsts: Vec<u32>,
    by_port: Vec<u32>,
    width: u32,
    /// Where the costs of each cluster begin, likewise padded.
    costs: Vec<u32>,
}

impl Columns {
    fn of(flat: &FlatSquareRows) -> Columns {
        let mut columns = Columns { firsts: Vec::new(), by_port: Vec::new(), width: 0, costs: Vec::new() };
        let mut costs = 0;
        for cluster in &flat.clusters {
            columns.firsts.push(columns.width);
            columns.by_port.extend(columns.width..columns.width + cluster.ports);
            columns.width += cluster.ports.next_multiple_of(4);
            columns.costs.push(costs);
            costs += cluster.size[0] * cluster.size[1] * cluster.ports.next_multiple_of(4);
        }
        columns
    }
}
