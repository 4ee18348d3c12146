//! A* and Dijkstra over the polygons of a navigation mesh.
//!
//! **Idea.** The search goes from portal to portal, through one polygon at a time, and gives a corridor of polygons. A
//! funnel then pulls the route taut inside it.
//! **Use** A* where no index may be kept, and to compare hierarchies with.
//! **Promises** a route where there is one. The corridor is the cheapest as it is measured: by the middles of its portals,
//! or by the centres of its polygons, which is the measure of the thesis below. The route in it is the shortest one
//! through these polygons, which need not be the shortest one of all; `polyanya` finds that. Between two
//! points of one polygon it is a straight line, unless there are links that cost less than the line between their ends.
//! **Costs** O(n log n) for n portals.
//!
//! Hart, Nilsson, Raphael: A formal basis for the heuristic determination of minimum cost paths, 1968. Rahmani: Toward
//! human-like pathfinding with hierarchical approaches and the GPS of the brain theory, 2020, section 3.3.

use super::a_star::Sum;
use crate::algorithm::{Algorithm, Promise};
use crate::flat::{Flat, FlatMesh, FlatOpenList, FlatPatch};
use crate::graph::mesh::{MEASURE, MeshGraph, PlanDistance};
use crate::graph::{Graph, Reached};
use crate::id::NodeId;
use crate::memory::OutOfMemory;
use crate::method::{End, Method, Task};
use crate::probe::{Watcher, with_probe};
use crate::route::funnel::Corridor;
use crate::scratch::{AlgorithmState, NodeRecord, Parents, Scratch};
use crate::search::shared::best_first::{Rank, begin, run};
use crate::settings::Settings;
use crate::space::Motion;
use crate::space::mesh::NavMesh;
use crate::space::mesh::links::bound::LowerBound;

pub(crate) const A_STAR: Algorithm<NavMesh> = Algorithm {
    name: "a-star",
    title: "A*",
    summary: "best-first over portals by cost so far plus distance left, then a funnel",
    paper: "Hart, Nilsson, Raphael 1968",
    params: &[MEASURE],
    motion: Motion::AnyAngle,
    promise: |_, _| Promise::Complete,
    ..Algorithm::flat(|_, settings| Box::new(OverPolygons { is_guided: true, by_centres: by_centres(settings) }))
};

pub(crate) const DIJKSTRA: Algorithm<NavMesh> = Algorithm {
    name: "dijkstra",
    title: "Dijkstra",
    summary: "expands portals by cost so far in all directions, then a funnel: the yardstick",
    paper: "Dijkstra 1959",
    params: &[MEASURE],
    motion: Motion::AnyAngle,
    promise: |_, _| Promise::Complete,
    ..Algorithm::flat(|_, settings| Box::new(OverPolygons { is_guided: false, by_centres: by_centres(settings) }))
};

fn by_centres(settings: &Settings) -> bool {
    settings.choice(MEASURE.name) == "centres"
}

/// A search over polygons with its settings.
#[derive(Clone)]
pub(crate) struct OverPolygons {
    pub(crate) is_guided: bool,
    pub(crate) by_centres: bool,
}

/// What the search keeps in a scratch.
#[derive(Default)]
pub(crate) struct CorridorState(pub(crate) Corridor);

impl AlgorithmState for CorridorState {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

impl OverPolygons {
    fn graph<'a>(&self, task: Task<'a, NavMesh>) -> (MeshGraph<'a>, PlanDistance<'a>) {
        let Task { grid: mesh, from, to } = task;
        let bound = if self.is_guided { LowerBound::new(mesh, to.spot()) } else { LowerBound::none(to.spot()) };
        (MeshGraph { mesh, from, to, by_centres: self.by_centres }, PlanDistance { mesh, bound })
    }
}

/// Returns the open list of a search by middles as flat numbers.
pub(crate) fn open_list(mesh: &NavMesh) -> FlatOpenList {
    let at = mesh.centre(0);
    let graph = MeshGraph { mesh, from: at, to: at, by_centres: false };
    FlatOpenList::of(Sum.spread(graph.greatest_edge()), Sum.grain(graph.typical_edge()))
}

impl Method<NavMesh> for OverPolygons {
    fn reserve(&self, mesh: &NavMesh, scratch: &mut Scratch<NavMesh>) -> Result<(), OutOfMemory> {
        scratch.states.own::<Parents>().0.reserve(MeshGraph::most_nodes(mesh))
    }

    fn begin(&self, task: Task<NavMesh>, scratch: &mut Scratch<NavMesh>) {
        let (graph, estimate) = self.graph(task);
        begin(&graph, &estimate, &Sum, graph.node(task.from.polygon), scratch);
    }

    fn step(&self, task: Task<NavMesh>, scratch: &mut Scratch<NavMesh>, left: &mut u64, probe: Watcher) -> Option<End> {
        let (graph, estimate) = self.graph(task);
        let is_straight = graph.is_on_one_polygon() && !task.grid.has_short_cuts();
        if !is_straight {
            let ended =
                with_probe!(probe, |watcher| run(&graph, &estimate, &Sum, graph.goal(), scratch, left, watcher));
            if !ended {
                return None;
            }
        }
        let Scratch { states, trail, .. } = scratch;
        let mut corridor = std::mem::take(&mut states.own::<CorridorState>().0);
        corridor.portals.clear();
        let is_found = is_straight || read_back(&graph, states.own(), &mut corridor.portals);
        let cost = if is_found { corridor.pull(task.grid, task.from, task.to, trail) } else { None };
        states.own::<CorridorState>().0 = corridor;
        Some(cost.map_or(End::NotFound, End::Found))
    }

    /// A* by middles on meshes without links has flat arrays.
    fn flat(&self, mesh: &NavMesh) -> Option<Flat> {
        let has_form = self.is_guided && !self.by_centres && !mesh.shape.has_links();
        has_form.then(|| Flat::MeshPlain(FlatMesh::of_mesh(mesh), open_list(mesh)))
    }

    fn flat_since(&self, mesh: &NavMesh, before: &NavMesh, _: u64) -> Option<FlatPatch<'_>> {
        Some(FlatPatch { lists: [open_list(mesh); 2], ..FlatPatch::of_mesh(mesh, before)? })
    }
}

/// Writes the portals from start to goal, in this order. Returns whether the goal was reached.
fn read_back(graph: &MeshGraph, Parents(records): &Parents, portals: &mut Vec<u32>) -> bool {
    let before = |node: NodeId| records.get(node.index()).map(|record| record.reached());
    let Some(mut node) = before(graph.goal()) else { return false };
    while node.index() < graph.mesh.shape.portals.len() {
        portals.push(node.0);
        node = before(node).expect("a route is made of nodes reached");
        debug_assert_ne!(node, NodeId::START);
    }
    portals.reverse();
    true
}
