//! The settings that HPA* and DHPA* share, and the cluster size and number of levels that suit a world's size where the
//! settings leave them open.

use super::clusters::{Keeps, Plan};
use super::entrance::Entrances;
use crate::settings::{Param, Settings};
use crate::space::Extras;
use crate::space::square::SquareGrid;

/// The most levels a chart can have. In groups of 2 × 2, the clusters of the highest are 2,048 times as wide as those
/// of the lowest: one of them covers the largest world if the lowest clusters are at least 16 cells wide.
pub(crate) const MOST_LEVELS: usize = 12;

pub(in crate::chart) const CLUSTER: Param = Param::count(
    "cluster",
    "cells along a lowest cluster's side; 0 picks 10 on worlds up to 110,000 cells, else 12 with weights and without 20 for HPA*, 28 for DHPA*",
    0,
    0,
    64,
);
pub(in crate::chart) const LEVELS: Param = Param::count(
    "levels",
    "levels of clusters; 0 picks 1 on worlds up to 110,000 cells and with weights, up to 4 million 2 for HPA* and 3 for DHPA*, else 5",
    0,
    0,
    MOST_LEVELS as u64,
);
pub(in crate::chart) const GROUP: Param = Param::count("group", "clusters along the side of one a level up", 2, 2, 8);
pub(in crate::chart) const EDGES: Param = Param::choice(
    "edges",
    "when crossings are priced: eager, all when built; lazy, each on first use",
    &["eager", "lazy"],
);

/// Worlds of at most this many cells are charted as in the paper: clusters of 10 × 10 cells on one level.
const SMALL: usize = 110_000;
const LARGE: usize = 4_000_000;

/// Returns the least size of lowest clusters that [`plan`] may pick with these settings.
pub(super) fn least_size(settings: &Settings) -> usize {
    match settings.count(CLUSTER.name) as usize {
        0 => 10,
        size => size,
    }
}

/// Returns the plan of a chart of this world, without trees and without remembered legs; the caller adds these. `large`
/// is the cells along a lowest cluster's side and the number of levels that suit a large world of one weight.
pub(in crate::chart) fn plan(grid: &SquareGrid, settings: &Settings, large: (u32, usize)) -> Plan {
    let cells = grid.width() * grid.height();
    let weighted = grid.uniform_weight().is_none();
    let size = match settings.count(CLUSTER.name) as u32 {
        0 if cells <= SMALL => 10,
        0 if weighted => 12,
        0 => large.0,
        size => size,
    };
    let linked = grid.extras() > Extras::Walls;
    let levels = match settings.count(LEVELS.name) as usize {
        0 if cells <= SMALL || weighted && cells <= LARGE => 1,
        0 if cells <= LARGE => large.1,
        0 => 5,
        levels => levels,
    };
    Plan {
        size,
        group: settings.count(GROUP.name) as u32,
        levels,
        entrances: Entrances::new(settings),
        lazy: settings.choice(EDGES.name) == "lazy",
        keeps: Keeps::Nothing,
        linked,
    }
}
