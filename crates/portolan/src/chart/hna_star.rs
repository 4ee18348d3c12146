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
//! An edit computes the tables of the nodes anew whose polygons it changes; where a part of the mesh is replaced, the nodes
//! that hold it are divided anew on all levels (`hna_star/patch.rs`).
//! **Departs** from its paper, which knows no links, in that a link between two nodes, or in one direction, is a node of its
//! own with two inter-edges; in measuring ways by the middles of portals, by default also at start and goal, where
//! the paper takes the centres of polygons (`price`); in keeping the next portal of each way and not the whole way; in
//! keeping tables for the highest level only, since no other is searched; and in that start and goal in one node are
//! joined by A* over polygons. Levels of fewer than eight nodes are not built. The partition is inertial flow from the highest level down, not METIS from the lowest up.
//!
//! Rahmani: Toward human-like pathfinding with hierarchical approaches and the GPS of the brain theory, 2020, chapter 3.
//! Pelechano, Fuentes: Hierarchical path-finding for navigation meshes (HNA*), 2016.

pub(super) mod border_search;
pub(super) mod changes;
pub(super) mod connect;
pub(super) mod hierarchy;
mod legs;
pub(super) mod patch;
mod saved;
pub(super) mod tables;
mod way;

use crate::algorithm::{Algorithm, Promise};
use crate::flat::{Flat, FlatMesh, FlatNodePatch, FlatNodes, FlatOpenList, FlatPatch};
use crate::id::next_serial;
use crate::memory::{OutOfMemory, held};
use crate::method::{End, Legs, Method, Repair, Task};
use crate::outline::{Census, Layer, Outline};
use crate::probe::{Event, Phase, Probe, Watcher, with_probe};
use crate::saved::SectionStream;
use crate::scratch::{AlgorithmState, Scratch};
use crate::search::over_polygons::{self, OverPolygons};
use crate::settings::{Param, Settings};
use crate::space::Motion;
use crate::space::mesh::links::bound::LowerBound;
use crate::space::mesh::patch::MeshPatch;
use crate::space::mesh::{MeshArea, MeshEdit, MeshPoint, NavMesh};
use border_search::{BorderSearch, Borders};
use changes::Changes;
use connect::Pricing;
use hierarchy::{Division, Level};
pub(super) use legs::in_steps;
use tables::{NodeSearch, Tables};
pub(super) use way::Way;

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
    open: Some(|mesh, settings, sections| {
        Ok(Box::new(HnaStar::opened(mesh, division(settings), pricing(settings), sections)?))
    }),
    ..Algorithm::flat(|mesh, settings| Box::new(HnaStar::new(mesh, division(settings), pricing(settings))))
};

fn division(settings: &Settings) -> Division {
    Division { levels: settings.count(LEVELS.name) as u32, merged: settings.count(MERGE.name) as usize }
}

fn pricing(settings: &Settings) -> Pricing {
    Pricing::of(settings.choice(CONNECT.name), settings.choice(PRICE.name))
}

/// The hierarchy and the tables of its highest level.
#[derive(Clone)]
pub(in crate::chart) struct HnaStar {
    /// The levels, the lowest first.
    levels: Vec<Level>,
    pub(super) tables: Tables,
    pub(super) borders: Borders,
    pricing: Pricing,
    division: Division,
    /// The bounds of each node of the highest level.
    area_by_node: Vec<MeshArea>,
    /// Whether the mesh has links, over which routes are not planned in legs.
    has_links: bool,
    /// What repairs have changed: the rows of costs of all nodes, then the rows of next portals.
    pub(super) changes: Changes,
}

/// What a search keeps between its steps.
#[derive(Default)]
struct HnaState {
    stage: Stage,
    borders: BorderSearch,
    way: Way,
}

#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum Stage {
    #[default]
    Connect,
    Search,
}

impl AlgorithmState for HnaState {
    fn bytes(&self) -> usize {
        self.borders.bytes() + self.way.bytes()
    }
}

/// The search for start and goal in one node.
pub(super) const WITHIN: OverPolygons = OverPolygons { is_guided: true, by_centres: false };

impl HnaStar {
    fn new(mesh: &NavMesh, division: Division, pricing: Pricing) -> HnaStar {
        let levels = hierarchy::levels(mesh, division);
        let top = levels.last().expect("there is at least one level");
        let tables = Tables::new(mesh, top, pricing.reads_rows());
        HnaStar::of(mesh, levels, tables, pricing, division)
    }

    /// Returns a chart of these levels and the tables of the highest one.
    fn of(mesh: &NavMesh, levels: Vec<Level>, tables: Tables, pricing: Pricing, division: Division) -> HnaStar {
        let top = levels.last().expect("there is at least one level");
        let borders = Borders::new(&mesh.shape, top, &tables);
        let area_by_node = top.polygons_by_node.iter().map(|polygons| area_around(mesh, polygons)).collect();
        let changes = Changes::new(tables.rows(), next_serial());
        let has_links = mesh.shape.has_links();
        HnaStar { levels, tables, borders, pricing, division, area_by_node, has_links, changes }
    }

    /// Returns one level of nodes of about this many polygons.
    pub(super) fn of_nodes(mesh: &NavMesh, size: usize) -> HnaStar {
        HnaStar::new(mesh, Division { levels: 1, merged: size }, Pricing::of("pccp", "points"))
    }

    /// Returns about how many polygons a node of the lowest level has.
    pub(super) fn node_size(&self) -> usize {
        self.division.merged
    }

    pub(super) fn top(&self) -> &Level {
        self.levels.last().expect("there is at least one level")
    }

    pub(super) fn node_of(&self, point: MeshPoint) -> u32 {
        self.top().node_by_polygon[point.polygon as usize]
    }

    fn is_within_a_node(&self, task: Task<NavMesh>) -> bool {
        self.node_of(task.from) == self.node_of(task.to)
    }

    /// Computes the tables of the nodes anew whose polygons were edited, and returns these nodes in the order of their
    /// numbers.
    pub(super) fn refill(&mut self, mesh: &NavMesh, edits: &[MeshEdit]) -> Vec<u32> {
        let top = self.levels.last().expect("there is at least one level");
        let mut nodes: Vec<u32> = edits.iter().map(|edit| top.node_by_polygon[edit.polygon as usize]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut search = NodeSearch::default();
        let mut changed = Vec::new();
        for &node in &nodes {
            changed.extend(self.tables.refill(mesh, top, node as usize, &mut search));
        }
        self.changes.note(&changed, next_serial());
        nodes
    }

    /// Returns the tables and inter-edges of the highest level as flat arrays.
    pub(super) fn flat_nodes(&self) -> FlatNodes {
        let mut flat = FlatNodes { node_by_polygon: self.top().node_by_polygon.clone(), ..FlatNodes::default() };
        self.tables.flatten(&mut flat);
        self.borders.flatten(&mut flat);
        flat
    }

    /// Returns what has changed since a state in the tables of the nodes that have polygons of other weights, in the order of
    /// their numbers.
    pub(super) fn nodes_since(&self, patch: &FlatPatch, state: u64) -> Vec<FlatNodePatch<'_>> {
        let node_of = |&(polygon, _): &(u32, u8)| self.top().node_by_polygon[polygon as usize];
        let mut nodes: Vec<u32> = patch.weights.iter().map(node_of).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let since = self.changes.since(state);
        let has_changed = |row: usize| self.changes.has_changed(row, since);
        nodes.into_iter().map(|node| self.tables.flat_patch(node, has_changed)).collect()
    }

    /// Returns the open lists of the search inside a node and of the search over inter-edges as flat numbers.
    fn open_lists(&self, mesh: &NavMesh) -> [FlatOpenList; 2] {
        // The key of an inter-edge differs from that of the one before by two crossings at most: once in the cost, once in the
        // estimate. The first keys differ among themselves as well.
        let (_, grain) = spread_and_grain(mesh);
        let borders = FlatOpenList::of(3 * u64::from(self.tables.dearest_crossing()), grain);
        [over_polygons::open_list(mesh), borders]
    }

    /// Connects start and goal, and begins the search over inter-edges.
    fn connect(&self, task: Task<NavMesh>, own: &mut HnaState, open: &mut crate::open_list::BucketRing) {
        let mesh = task.grid;
        self.price_ends(task, &mut own.way);
        let [start, goal] = &own.way.ends;
        own.borders.begin(
            &self.borders,
            (start.node, &start.costs),
            (goal.node, &goal.costs),
            &bound(task),
            open,
            spread_and_grain(mesh),
        );
    }

    /// Finds the inter-edges of a route between two nodes by up to `left` expansions. Returns whether there is a route, or
    /// `None` if there is more to do.
    fn find_borders(
        &self,
        task: Task<NavMesh>,
        own: &mut HnaState,
        open: &mut crate::open_list::BucketRing,
        left: &mut u64,
        probe: Watcher,
    ) -> Option<bool> {
        let ended = with_probe!(probe, |watcher| {
            if own.stage == Stage::Connect {
                watcher.event(Event::Phase { phase: Phase::Connect });
                self.connect(task, own, open);
                own.stage = Stage::Search;
                watcher.event(Event::Phase { phase: Phase::Search });
            }
            let ended = own.borders.run(&self.borders, &self.tables, &bound(task), open, left, watcher);
            if ended {
                watcher.event(Event::Phase { phase: Phase::Refine });
            }
            ended
        });
        ended.then(|| own.borders.read_back(&mut own.way.route).is_some())
    }
}

/// Returns the bounds of these polygons and passages.
fn area_around(mesh: &NavMesh, polygons: &[u32]) -> MeshArea {
    let shape = &*mesh.shape;
    let area = |polygon: u32| match shape.links.get((polygon as usize).wrapping_sub(shape.polygons())) {
        Some(link) => MeshArea::around(link.ends.iter().map(|end| end.spot())),
        None => shape.area(polygon as usize),
    };
    polygons.iter().map(|&polygon| area(polygon)).reduce(MeshArea::with).expect("a node has polygons")
}

/// Returns how far keys of inter-edges usually lie above the lowest one, and the cost from which the open list derives the
/// width of its buckets.
fn spread_and_grain(mesh: &NavMesh) -> (u64, u32) {
    let shape = &mesh.shape;
    let typical = shape.typical_crossing() * u32::from(mesh.least_weight());
    let ground = u64::from(shape.widest()) * 8 * u64::from(mesh.greatest_weight());
    let spread = ground.max(u64::from(shape.dearest_link()));
    (spread, typical.max((spread / 4096) as u32))
}

fn bound(task: Task<NavMesh>) -> LowerBound {
    LowerBound::new(task.grid, task.to.spot())
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
        if !self.find_borders(task, own, ring, left, probe)? {
            return Some(End::NotFound);
        }
        self.unroll(task, &mut own.way);
        Some(own.way.corridor.pull(task.grid, task.from, task.to, trail).map_or(End::NotFound, End::Found))
    }

    fn repair(&mut self, mesh: &NavMesh, edits: &[MeshEdit]) -> Repair {
        let nodes = self.refill(mesh, edits);
        Repair::of(nodes.len(), std::iter::empty())
    }

    fn patched(&self, mesh: &NavMesh, patch: &MeshPatch) -> Option<Box<dyn Method<NavMesh>>> {
        self.after(mesh, patch).map(|patched| Box::new(patched.chart) as Box<dyn Method<NavMesh>>)
    }

    fn legs(&self) -> Option<&dyn Legs<NavMesh>> {
        if self.has_links { None } else { Some(self) }
    }

    fn save(&self) -> Option<Vec<SectionStream<'_>>> {
        Some(self.sections())
    }

    /// There are flat arrays if start and goal are connected by rows from their true points, and the mesh has no links.
    fn flat(&self, mesh: &NavMesh) -> Option<Flat> {
        if self.has_links || !self.pricing.reads_rows() || self.pricing.is_from_centres() {
            return None;
        }
        Some(Flat::MeshLevels(FlatMesh::of_mesh(mesh), self.flat_nodes(), self.open_lists(mesh)))
    }

    fn flat_state(&self) -> u64 {
        self.changes.state()
    }

    fn flat_since(&self, mesh: &NavMesh, before: &NavMesh, state: u64) -> Option<FlatPatch<'_>> {
        let patch = FlatPatch::of_mesh(mesh, before)?;
        let nodes = self.nodes_since(&patch, state);
        Some(FlatPatch { lists: self.open_lists(mesh), nodes, ..patch })
    }

    fn census(&self, mesh: &NavMesh) -> Vec<Census> {
        let count = |level: &Level| {
            let portals = 0..mesh.shape.portals.len() as u32;
            let inter_edges = portals.filter(|&portal| level.divides(&mesh.shape, portal)).count();
            Census { clusters: level.nodes(mesh), nodes: inter_edges, inter_edges, ..Census::default() }
        };
        self.levels.iter().map(count).collect()
    }

    /// Each level has the number of the node of every polygon, from 1 on. Polygons have no cells, so there are no ports.
    fn outline(&self, mesh: &NavMesh) -> Option<Outline> {
        let layer = |level: &Level| Layer {
            labels: level.node_by_polygon[..mesh.polygons()].iter().map(|node| node + 1).collect(),
            ..Layer::default()
        };
        Some(Outline { regions: Vec::new(), layers: self.levels.iter().map(layer).collect() })
    }

    fn bytes(&self) -> usize {
        self.levels.iter().map(Level::bytes).sum::<usize>()
            + self.tables.bytes()
            + self.borders.bytes()
            + held(&self.area_by_node)
            + self.changes.bytes()
    }
}

#[cfg(test)]
mod tests;
