//! DHPA*: HPA* with a shortest-path tree for every port.
//!
//! **Idea.** For every port and every cell of its cluster, the chart keeps the cost from the cell to the port and the
//! first step of that way. Start and goal are then connected to the chart by reading instead of searching, and a leg is
//! refined by following the steps.
//! **Use** it where there are about twenty queries or more to an edit, and memory allows three bytes for each port and
//! cell of its cluster.
//! **Promises** a route wherever there is one, before smoothing at the cost that HPA* finds with equal clusters: the
//! cost of the last leg is read from the trees. With `stop=first`, as in the paper, the search ends at the first port
//! of the goal's cluster, and routes are slightly longer.
//! **Costs** one Dijkstra over the whole cluster per port to build. A query searches the ports, and cells only in a
//! cluster that holds both start and goal. With `rows=yes` it searches no ports either: it adds and compares some
//! hundred kept costs, which take a Dijkstra over the ports for each port to build, and again after edits. Worlds with one-way
//! borders or links have no rows: their ports are searched.
//! **Departs** from its paper in the points in which [`hpa_star`](super::hpa_star) departs from its own, and in that
//! clusters without obstacles have no trees. Clusters with one-way borders have two for each port, to it and from it.
//!
//! Kring, Champandard, Samarin: DHPA* and SHPA*: efficient hierarchical pathfinding in dynamic and static game worlds,
//! 2010.

use super::hpa_star::{
    BuildScratch, CLUSTER, Clusters, DIAGONALS, EDGES, ENTRANCES, GROUP, HpaStar, Keeps, LEVELS, Plan, PortRows,
    most_row_bytes, plan,
};
use super::shared::settings::{DIRECT, SMOOTHING, THREADS, threads};
use crate::algorithm::{Algorithm, Promise};
use crate::method::Method;
use crate::saved::{OpenError, Sections};
use crate::settings::{Param, Settings};
use crate::space::Extras;
use crate::space::Motion;
use crate::space::square::SquareGrid;

/// Cells along a lowest cluster's side, and number of levels, on a large world of one weight where the settings leave
/// them open. The clusters are larger than those of HPA*, because with trees no leg across them is searched.
const LARGE_WORLD: (u32, usize) = (28, 3);

const STOP: Param = Param::choice(
    "stop",
    "best prices the last leg by the trees; first ends at the first port of the goal's cluster, as the paper does",
    &["best", "first"],
);

const ROWS: Param = Param::choice(
    "rows",
    "yes keeps what ways between all ports cost, six bytes a pair, so that a query searches nothing; for worlds that seldom change, up to 16,384 ports",
    &["no", "yes"],
);

/// Cells along a lowest cluster's side with `rows=yes`, on a large world where the settings leave it open: the table of
/// rows grows with the square of the number of ports, which large clusters keep low.
const SIZE_WITH_ROWS: u32 = 48;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "dhpa-star",
    title: "DHPA*",
    summary: "HPA* with a shortest-path tree for every port: nothing to connect, and refining is a table walk",
    paper: "Kring, Champandard, Samarin 2010",
    params: &[CLUSTER, LEVELS, GROUP, ENTRANCES, DIAGONALS, EDGES, DIRECT, STOP, ROWS, SMOOTHING, THREADS],
    bytes_per_cell: 140,
    table_bytes: |cells, settings| if has_rows(settings) { most_row_bytes(cells, settings) } else { 0 },
    motion: Motion::Steps,
    extras: Extras::OneWays,
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |_, _| 0,
    build: |grid, settings| {
        let chart = Clusters::build(grid, own_plan(grid, settings), &mut BuildScratch::default());
        Box::new(method(grid, chart, settings))
    },
    open: Some(open),
};

/// Opens a chart that was saved. Rows are computed again.
fn open(grid: &SquareGrid, settings: &Settings, sections: &Sections) -> Result<Box<dyn Method>, OpenError> {
    let chart = Clusters::open(grid, own_plan(grid, settings).saved_as(sections)?, sections)?;
    Ok(Box::new(HpaStar { opened: true, ..method(grid, chart, settings) }))
}

fn method(grid: &SquareGrid, chart: Clusters, settings: &Settings) -> HpaStar {
    let rows =
        if has_rows(settings) { PortRows::new(&chart, grid.metric().straight(), threads(settings)) } else { None };
    HpaStar { hasty: settings.choice(STOP.name) == "first", rows, ..HpaStar::new(chart, settings) }
}

fn own_plan(grid: &SquareGrid, settings: &Settings) -> Plan {
    if has_rows(settings) {
        let plan = plan(grid, settings, (SIZE_WITH_ROWS, 1));
        return Plan { levels: 1, lazy: false, keeps: Keeps::TreesForRows, ..plan };
    }
    Plan { keeps: Keeps::Trees, ..plan(grid, settings, LARGE_WORLD) }
}

fn has_rows(settings: &Settings) -> bool {
    settings.choice(ROWS.name) == "yes"
}
