//! HPA*: plans over clusters whose crossings are priced beforehand.
//!
//! **Idea.** The world is cut into square clusters. Where two of them meet, each run of free border cells is an entrance
//! with one or two transitions; the cells on both ends of a transition are ports. What it costs to get from port to port
//! inside a cluster is worked out once. A query joins start and goal to the ports of their clusters, searches the ports,
//! and turns what it found into cells, leg by leg. Clusters can be grouped into larger ones on any number of levels.
//! **Use** it on large worlds that change: an edit redoes the clusters it touches, and prices take little memory.
//! **Promises** a route wherever there is one. Its cost is that of the best route through the transitions, whatever the
//! number of levels: a few percent above the optimum, and within one percent after smoothing on most maps.
//! **Costs** one bounded Dijkstra a port to build; a query expands a small part of the ports and searches the two
//! clusters of start and goal and those a leg winds through.
//! **Departs** from its paper: ports that are merely crossed on the way out of a cluster are not opened, nor are those
//! that an earlier one of the same connected part reaches as cheaply; start and goal are joined on the lowest level only,
//! in the searcher's own memory, and ports near them are expanded on lower levels instead; clusters without obstacles
//! and legs in sight need no search; clusters are larger on large worlds; transitions also cross where four clusters
//! meet; a goal in plain sight is walked to at once.
//!
//! Botea, Müller, Schaeffer: Near optimal hierarchical path-finding, 2004. The query over levels is that of customizable
//! route planning: Delling, Goldberg, Pajor, Werneck, 2011.

use super::clusters::{Clusters, Plan, Workshop};
use super::entrance::{DIAGONALS, ENTRANCES, Entrances};
use super::saved::{OpenError, Sections};
use super::voyage::{MOST_LEVELS, Voyager};
use crate::registry::{Algorithm, Param, Promise, Settings};
use crate::route::smooth::Smoothing;
use crate::search::Method;
use crate::world::square::SquareGrid;

pub(crate) const CLUSTER: Param = Param::count(
    "cluster",
    "cells along a lowest cluster's side; 0 picks 10 on worlds up to 110,000 cells, else 12 with weights and without 20 for HPA*, 28 for DHPA*",
    0,
    0,
    64,
);
pub(crate) const LEVELS: Param = Param::count(
    "levels",
    "levels of clusters; 0 picks 1 on worlds up to 110,000 cells and with weights, up to 4 million 2 for HPA* and 3 for DHPA*, else 5",
    0,
    0,
    MOST_LEVELS as u64,
);
pub(crate) const GROUP: Param = Param::count("group", "clusters along the side of one a level up", 2, 2, 8);
pub(crate) const EDGES: Param = Param::choice(
    "edges",
    "when crossings are priced: eager, all when built; lazy, each on first use",
    &["eager", "lazy"],
);
pub(crate) const DIRECT: Param =
    Param::choice("direct", "whether to walk to a goal in plain sight without asking the chart", &["yes", "no"]);
pub(crate) const SMOOTHING: Param = Param::choice(
    "smoothing",
    "taut pulls the route tight; hpa-2004 replaces stretches by straight lines as that paper does",
    &["none", "hpa-2004", "taut"],
);
/// The smoothing that [`SMOOTHING`] is set to.
pub(crate) fn smoothing(settings: &Settings) -> Option<Smoothing> {
    let named = Smoothing::NAMED.iter().find(|(name, _)| *name == settings.choice(SMOOTHING.name));
    named.map(|&(_, smoothing)| smoothing)
}

const ROUTES: Param = Param::choice(
    "routes",
    "how legs are refined: kept, once, and remembered; search, each time anew",
    &["kept", "search"],
);

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "hpa-star",
    title: "HPA*",
    summary: "plans over clusters whose crossings are priced beforehand, on any number of levels; repaired after edits",
    paper: "Botea, Müller, Schaeffer 2004",
    params: &[CLUSTER, LEVELS, GROUP, ENTRANCES, DIAGONALS, EDGES, DIRECT, ROUTES, SMOOTHING.with_default("taut")],
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |_, _| 0,
    build: |grid, settings| {
        let chart = Clusters::build(grid, own_plan(grid, settings), &mut Workshop::default());
        Box::new(voyager(chart, settings))
    },
};

/// A chart that was saved.
pub(super) fn open(grid: &SquareGrid, settings: &Settings, sections: &Sections) -> Result<Box<dyn Method>, OpenError> {
    let chart = Clusters::open(grid, own_plan(grid, settings).saved_as(sections)?, sections)?;
    Ok(Box::new(Voyager { opened: true, ..voyager(chart, settings) }))
}

fn own_plan(grid: &SquareGrid, settings: &Settings) -> Plan {
    Plan { kept: settings.choice(ROUTES.name) == "kept", ..plan(grid, settings, LARGE_WORLD) }
}

/// Worlds up to this many cells are charted as the paper's were.
const SMALL: usize = 110_000;
const LARGE: usize = 4_000_000;

/// Size of clusters and number of levels on a large uniform world unless set: an edit redoes one of each, a search
/// crosses many.
const LARGE_WORLD: (u32, usize) = (20, 2);

/// What all charts of clusters have in common; `large` is what suits large uniform worlds.
pub(super) fn plan(grid: &SquareGrid, settings: &Settings, large: (u32, usize)) -> Plan {
    let cells = grid.width() * grid.height();
    let weighted = grid.uniform_weight().is_none();
    let size = match settings.count(CLUSTER.name) as u32 {
        0 if cells <= SMALL => 10,
        0 if weighted => 12,
        0 => large.0,
        size => size,
    };
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
        trees: false,
        kept: false,
    }
}

/// A chart with the settings of its queries.
pub(super) fn voyager(chart: Clusters, settings: &Settings) -> Voyager {
    Voyager {
        chart,
        shop: Workshop::default(),
        hasty: false,
        opened: false,
        direct: settings.choice(DIRECT.name) == "yes",
        smoothing: smoothing(settings),
    }
}
