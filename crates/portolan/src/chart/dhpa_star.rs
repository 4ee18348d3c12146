//! DHPA*: HPA* with a shortest-path tree for every port.
//!
//! **Idea.** Every port remembers, for each cell of its cluster, what it costs to get to it and which step leads there.
//! Start and goal are then joined to the chart by reading, not by searching, and a leg is refined by following steps.
//! **Use** it where queries outnumber edits some twenty to one, and memory allows three bytes a cell and port.
//! **Promises** a route wherever there is one, as good as HPA*'s: the last leg is priced by the trees. With
//! `stop=first`, as in the paper, the search ends at the first port of the goal's cluster, for slightly longer routes.
//! **Costs** one Dijkstra over the cluster a port to build; a query's only search is that over ports.
//! **Departs** from its paper as [`hpa_star`](super::hpa_star) does from its own. Clusters without obstacles keep no
//! trees.
//!
//! Kring, Champandard, Samarin: DHPA* and SHPA*: efficient hierarchical pathfinding in dynamic and static game worlds,
//! 2010.

use super::clusters::Plan;
use super::entrance::{DIAGONALS, ENTRANCES};
use super::hpa_star::{CLUSTER, DIRECT, EDGES, GROUP, LEVELS, SMOOTHING, plan, voyager};
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
    summary: "HPA* with a shortest-path tree for every port: nothing to connect, and refining is a table walk",
    paper: "Kring, Champandard, Samarin 2010",
    params: &[CLUSTER, LEVELS, GROUP, ENTRANCES, DIAGONALS, EDGES, DIRECT, STOP, SMOOTHING],
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    build: |grid, settings| {
        let plan = Plan { trees: true, ..plan(grid, settings) };
        let hasty = settings.choice(STOP.name) == "first";
        Box::new(Voyager { hasty, ..voyager(grid, settings, plan) })
    },
};
