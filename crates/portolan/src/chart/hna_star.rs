//! HNA*: a hierarchy over a navigation mesh.
//!
//! **Idea.** Polygons are merged into nodes, about `merge` to one, and these into nodes of the next level. Portals between
//! two nodes are inter-edges. A node keeps what it costs to cross it from each inter-edge to each other, and on which way
//! (intra-edges). A query connects start and goal to the inter-edges of their nodes on the highest level, searches
//! these, and unrolls the ways through the nodes. With precalculated connecting paths (PCCP), connecting reads rows of
//! costs and needs no search.
//! **Use** it on meshes of thousands of polygons with many queries.
//! **Promises** a route where there is one. The corridor costs what the cheapest one costs, measured by the middles of its
//! portals, as A* over polygons does; the funnel then pulls the route taut.
//! **Costs** a search over some hundreds of inter-edges. PCCP keep six bytes for each portal and inter-edge of its node.
//! An edit computes the tables of the nodes anew whose polygons it changes.
//! **Departs** from its paper in measuring ways by the middles of portals, by default also at start and goal, where
//! the paper takes the centres of polygons (`price`); in keeping the next portal of each way and not the whole way; in
//! keeping tables for the highest level only, since no other is searched; and in that start and goal in one node are
//! joined by A* over polygons. Levels of fewer than eight nodes are not built. The partition is inertial flow from the highest level down, not METIS from the lowest up.
//!
//! Rahmani: Toward human-like pathfinding with hierarchical approaches and the GPS of the brain theory, 2020, chapter 3.
//! Pelechano, Fuentes: Hierarchical path-finding for navigation meshes (HNA*), 2016.

mod border_rows;
mod border_search;
mod connect;
mod hierarchy;
mod tables;

use crate::algorithm::{Algorithm, Promise};
use crate::memory::{OutOfMemory, held};
use crate::method::{End, Method, Repair, Task};
use crate::outline::{Census, Layer, Outline};
use crate::probe::{Event, Phase, Probe, Watcher, with_probe};
use crate::route::funnel::Corridor;
use crate::scratch::{AlgorithmState, Scratch};
use crate::search::over_polygons::OverPolygons;
use crate::settings::Param;
use crate::space::Motion;
use crate::space::mesh::{MeshEdit, MeshPoint, NavMesh};
use border_rows::BorderRows;
use border_search::{Aim, BorderSearch, Borders};
use connect::{Connection, Pricing};
use hierarchy::Level;
use tables::{NodeSearch, Tables};

const LEVELS: Param = Param::count(
    "levels",
    "how often polygons are merged, as far as eight nodes are left; the highest level is searched",
    3,
    1,
    8,
);
const MERGE: Param = Param::count("merge", "how many polygons or nodes are merged into one (the paper's μ)", 12, 2, 64);
const CONNECT: Param = Param::choice(
    "connect",
    "how start and goal are joined to the highest level: by rows kept for all portals, by one Dijkstra, by an A* to each inter-edge, or by these A* on all cores",
    &["pccp", "dijkstra", "a-star", "parallel"],
);
const PRICE: Param = Param::choice(
    "price",
    "from where start and goal are priced: from the true points, or from the centres of their polygons as in the paper",
    &["points", "centres"],
);

pub(crate) const ALGORITHM: Algorithm<NavMesh> = Algorithm {
    name: "hna-star",
    title: "HNA*",
    summary: "polygons merged into nodes, level by level; kept rows of costs join start and goal to the highest",
    paper: "Rahmani 2020; Pelechano, Fuentes 2016",
    params: &[LEVELS, MERGE, CONNECT, PRICE],
    motion: Motion::AnyAngle,
    promise: |_, _| Promise::Complete,
    ..Algorithm::flat(|mesh, settings| {
        let pricing = Pricing::of(settings.choice(CONNECT.name), settings.choice(PRICE.name));
        Box::new(HnaStar::new(mesh, settings.count(LEVELS.name) as u32, settings.count(MERGE.name) as usize, pricing))
    })
};

/// The hierarchy and the tables of its highest level.
#[derive(Clone)]
pub(super) struct HnaStar {
    /// The levels, the lowest first.
    levels: Vec<Level>,
    tables: Tables,
    borders: Borders,
    /// The costs between all inter-edges, if they are kept in place of a search.
    rows: Option<BorderRows>,
    pricing: Pricing,
}

/// What a search keeps between its steps.
#[derive(Default)]
struct HnaState {
    stage: Stage,
    ends: [Connection; 2],
    borders: BorderSearch,
    /// The searches that connect start and goal, if they are connected by searching.
    searches: [NodeSearch; 2],
    /// The inter-edges of the route, each with the node before it.
    route: Vec<(u32, u32)>,
    corridor: Corridor,
}

#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum Stage {
    #[default]
    Connect,
    Search,
}

impl AlgorithmState for HnaState {
    fn bytes(&self) -> usize {
        self.ends.iter().map(Connection::bytes).sum::<usize>()
            + self.borders.bytes()
            + self.searches.iter().map(NodeSearch::bytes).sum::<usize>()
            + held(&self.route)
            + self.corridor.bytes()
    }
}

/// The search for start and goal in one node.
const WITHIN: OverPolygons = OverPolygons { is_guided: true, by_centres: false };

impl HnaStar {
    fn new(mesh: &NavMesh, levels: u32, merged: usize, pricing: Pricing) -> HnaStar {
        let levels = hierarchy::levels(mesh, levels, merged);
        let top = levels.last().expect("there is at least one level");
        let tables = Tables::new(mesh, top, pricing.reads_rows());
        let borders = Borders::new(&mesh.shape, top, &tables);
        HnaStar { levels, tables, borders, rows: None, pricing }
    }

    /// Returns one level of nodes of about this many polygons, with the costs between all inter-edges.
    pub(super) fn with_rows(mesh: &NavMesh, size: usize) -> HnaStar {
        let plain = HnaStar::new(mesh, 1, size, Pricing::of("pccp", "points"));
        HnaStar { rows: Some(BorderRows::new(&plain.borders, &plain.tables)), ..plain }
    }

    /// Connects start and goal and reads their route off the rows. Returns `None` if there are no rows, or if they do not
    /// tell a route.
    fn read_rows(&self, task: Task<NavMesh>, own: &mut HnaState) -> Option<()> {
        let rows = self.rows.as_ref()?;
        self.price_ends(task, own);
        let [start, goal] = &own.ends;
        let ends = [start, goal].map(|end| (end.node, &end.costs[..]));
        rows.route((&self.borders, &self.tables), ends[0], ends[1], &mut own.route).then_some(())
    }

    fn top(&self) -> &Level {
        self.levels.last().expect("there is at least one level")
    }

    fn node_of(&self, point: MeshPoint) -> u32 {
        self.top().node_by_polygon[point.polygon as usize]
    }

    fn is_within_a_node(&self, task: Task<NavMesh>) -> bool {
        self.node_of(task.from) == self.node_of(task.to)
    }

    /// Computes the costs from start and goal to the inter-edges of their nodes.
    fn price_ends(&self, task: Task<NavMesh>, own: &mut HnaState) {
        let mesh = task.grid;
        let ends = own.ends.iter_mut().zip(&mut own.searches);
        for ((end, search), point) in ends.zip([task.from, task.to]) {
            let node = self.node_of(point);
            let polygons = &self.top().polygons_by_node[node as usize];
            end.price(mesh, &self.tables, (node, polygons), point, self.pricing, search);
        }
    }

    /// Connects start and goal, and begins the search over inter-edges.
    fn connect(&self, task: Task<NavMesh>, own: &mut HnaState, open: &mut crate::open_list::BucketRing) {
        let mesh = task.grid;
        self.price_ends(task, own);
        let [start, goal] = &own.ends;
        let shape = &mesh.shape;
        let typical = shape.typical_crossing() * u32::from(mesh.least_weight());
        let spread = u64::from(shape.widest()) * 8 * u64::from(mesh.greatest_weight());
        let grain = typical.max((spread / 4096) as u32);
        own.borders.begin(
            &self.borders,
            (start.node, &start.costs),
            (goal.node, &goal.costs),
            aim(task),
            open,
            (spread, grain),
        );
    }

    /// Unrolls the ways between the inter-edges of the route into the portals of a corridor.
    fn unroll(&self, own: &mut HnaState) {
        let HnaState { ends: [start, goal], searches: [from_start, from_goal], route, corridor, .. } = own;
        let portals = &mut corridor.portals;
        portals.clear();
        let seat = |id: u32, node: u32| {
            let [one, other] = self.borders.get(id).seats;
            (if one.node == node { one } else { other }).place as usize
        };
        let (first, through) = route[0];
        start.unroll(&self.tables, seat(first, through), from_start, portals);
        for pair in route.windows(2) {
            let ((from, _), (to, through)) = (pair[0], pair[1]);
            let node = &self.tables.nodes[through as usize];
            let (mut at, to) = (seat(from, through), seat(to, through));
            while at != to {
                at = node.next(at, to);
                portals.push(node.portals[at]);
            }
        }
        let (last, _) = *route.last().expect("a route has inter-edges");
        let before = portals.len();
        goal.unroll(&self.tables, seat(last, goal.node), from_goal, portals);
        // Unrolled from the goal, these portals come in the other order and end with the inter-edge, which is known.
        portals.pop();
        portals[before..].reverse();
    }
}

fn aim(task: Task<NavMesh>) -> Aim {
    Aim { to: task.to.spot(), weight: u32::from(task.grid.least_weight()) }
}

impl Method<NavMesh> for HnaStar {
    fn reserve(&self, mesh: &NavMesh, scratch: &mut Scratch<NavMesh>) -> Result<(), OutOfMemory> {
        WITHIN.reserve(mesh, scratch)
    }

    fn begin(&self, task: Task<NavMesh>, scratch: &mut Scratch<NavMesh>) {
        if self.is_within_a_node(task) {
            WITHIN.begin(task, scratch);
        } else {
            scratch.is_new = true;
        }
    }

    fn step(&self, task: Task<NavMesh>, scratch: &mut Scratch<NavMesh>, left: &mut u64, probe: Watcher) -> Option<End> {
        if self.is_within_a_node(task) {
            return WITHIN.step(task, scratch, left, probe);
        }
        let Scratch { states, ring, trail, is_new, .. } = scratch;
        let own: &mut HnaState = states.own();
        if std::mem::take(is_new) {
            own.stage = Stage::Connect;
        }
        if own.stage == Stage::Connect && self.read_rows(task, own).is_some() {
            self.unroll(own);
            return Some(own.corridor.pull(task.grid, task.from, task.to, trail).map_or(End::NotFound, End::Found));
        }
        let ended = with_probe!(probe, |watcher| {
            if own.stage == Stage::Connect {
                watcher.event(Event::Phase { phase: Phase::Connect });
                self.connect(task, own, ring);
                own.stage = Stage::Search;
                watcher.event(Event::Phase { phase: Phase::Search });
            }
            let ended = own.borders.run(&self.borders, &self.tables, aim(task), ring, left, watcher);
            if ended {
                watcher.event(Event::Phase { phase: Phase::Refine });
            }
            ended
        });
        if !ended {
            return None;
        }
        if own.borders.read_back(&mut own.route).is_none() {
            return Some(End::NotFound);
        }
        self.unroll(own);
        Some(own.corridor.pull(task.grid, task.from, task.to, trail).map_or(End::NotFound, End::Found))
    }

    fn repair(&mut self, mesh: &NavMesh, edits: &[MeshEdit]) -> Repair {
        let top = self.levels.last().expect("there is at least one level");
        let mut nodes: Vec<u32> = edits.iter().map(|edit| top.node_by_polygon[edit.polygon as usize]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut search = NodeSearch::default();
        for &node in &nodes {
            self.tables.fill(mesh, top, node as usize, &mut search);
        }
        if self.rows.is_some() {
            self.rows = Some(BorderRows::new(&self.borders, &self.tables));
        }
        Repair::of(nodes.len(), std::iter::empty())
    }

    fn census(&self, mesh: &NavMesh) -> Vec<Census> {
        let count = |level: &Level| {
            let inter_edges = (0..mesh.portals() as u32).filter(|&portal| level.divides(&mesh.shape, portal)).count();
            Census { clusters: level.polygons_by_node.len(), nodes: inter_edges, inter_edges, ..Census::default() }
        };
        self.levels.iter().map(count).collect()
    }

    /// Each level has the number of the node of every polygon, from 1 on. Polygons have no cells, so there are no ports.
    fn outline(&self, _: &NavMesh) -> Option<Outline> {
        let layer = |level: &Level| Layer {
            labels: level.node_by_polygon.iter().map(|node| node + 1).collect(),
            ..Layer::default()
        };
        Some(Outline { regions: Vec::new(), layers: self.levels.iter().map(layer).collect() })
    }

    fn bytes(&self) -> usize {
        self.levels.iter().map(Level::bytes).sum::<usize>()
            + self.tables.bytes()
            + self.borders.bytes()
            + self.rows.as_ref().map_or(0, BorderRows::bytes)
    }
}

#[cfg(test)]
mod tests;
