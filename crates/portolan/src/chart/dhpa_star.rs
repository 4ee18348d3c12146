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

use super::hpa_star::{
    BuildScratch, CLUSTER, Clusters, DIAGONALS, EDGES, ENTRANCES, GROUP, HpaStar, LEVELS, Plan, plan,
};
use super::shared::settings::{DIRECT, SMOOTHING};
use crate::method::Method;
use crate::registry::{Algorithm, Param, Promise, Settings};
use crate::saved::{OpenError, Sections};
use crate::world::square::SquareGrid;

/// Size of clusters and number of levels on a large uniform world unless set: trees make large clusters cheap to cross.
const LARGE_WORLD: (u32, usize) = (28, 3);

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
    known_bytes: |_, _| 0,
    build: |grid, settings| {
        let chart = Clusters::build(grid, own_plan(grid, settings), &mut BuildScratch::default());
        Box::new(HpaStar { hasty: is_hasty(settings), ..HpaStar::new(chart, settings) })
    },
    open: Some(open),
};

/// A chart that was saved.
fn open(grid: &SquareGrid, settings: &Settings, sections: &Sections) -> Result<Box<dyn Method>, OpenError> {
    let chart = Clusters::open(grid, own_plan(grid, settings).saved_as(sections)?, sections)?;
    Ok(Box::new(HpaStar { hasty: is_hasty(settings), opened: true, ..HpaStar::new(chart, settings) }))
}

fn own_plan(grid: &SquareGrid, settings: &Settings) -> Plan {
    Plan { trees: true, ..plan(grid, settings, LARGE_WORLD) }
}

fn is_hasty(settings: &Settings) -> bool {
    settings.choice(STOP.name) == "first"
}
