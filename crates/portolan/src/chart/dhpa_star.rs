//! DHPA*

use super::clusters::{Clusters, Workshop};
use super::entrance::{DIAGONALS, ENTRANCES};
use super::hpa_star::{CLUSTER, EDGES, GROUP, LEVELS, plan};
use super::voyage::Voyager;
use crate::registry::{Algorithm, Param, Promise};

const STOP: Param = Param::choice(
    "stop",
    "best prices the last leg by the trees; first ends at the first port of the goal's cluster, as the paper does",
    &["best", "first"],
);

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "dhpa-star",
    title: "DHPA*",
    summary: "HPA* with a shortest-path tree for every port: nothing is connected, refining is a table walk",
    paper: "Kring, Champandard, Samarin 2010",
    params: &[CLUSTER, LEVELS, GROUP, ENTRANCES, DIAGONALS, EDGES, STOP],
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    build: |grid, settings| {
        let chart = Clusters::build(grid, plan(settings, true), &mut Workshop::default());
        Box::new(Voyager { chart, hasty: settings.choice(STOP.name) == "first" })
    },
};
