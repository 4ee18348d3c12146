//! HPA*

use super::clusters::{Clusters, Plan, Workshop};
use super::entrance::{DIAGONALS, ENTRANCES, Entrances};
use super::voyage::{MOST_LEVELS, Voyager};
use crate::registry::{Algorithm, Param, Promise, Settings};

pub(crate) const CLUSTER: Param = Param::count("cluster", "cells along a lowest cluster's side", 10, 2, 64);
pub(crate) const LEVELS: Param = Param::count("levels", "levels of clusters", 1, 1, MOST_LEVELS as u64);
pub(crate) const GROUP: Param = Param::count("group", "clusters along the side of one a level up", 2, 2, 8);
pub(crate) const EDGES: Param = Param::choice(
    "edges",
    "when crossings are priced: eager, all when built; lazy, each on first use",
    &["eager", "lazy"],
);

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "hpa-star",
    title: "HPA*",
    summary: "plans over clusters whose crossings are priced beforehand",
    paper: "Botea, Müller, Schaeffer 2004",
    params: &[CLUSTER, LEVELS, GROUP, ENTRANCES, DIAGONALS, EDGES],
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    build: |grid, settings| {
        let plan = plan(settings, false);
        Box::new(Voyager { chart: Clusters::build(grid, plan, &mut Workshop::default()), hasty: false })
    },
};

pub(super) fn plan(settings: &Settings, trees: bool) -> Plan {
    Plan {
        size: settings.count(CLUSTER.name) as u32,
        group: settings.count(GROUP.name) as u32,
        levels: settings.count(LEVELS.name) as usize,
        entrances: Entrances::new(settings),
        lazy: settings.choice(EDGES.name) == "lazy",
        trees,
    }
}
