//! The rhumb chart of a navigation mesh: routes without a search.
//!
//! **Idea.** Polygons are merged into nodes as in HNA*, and the chart keeps the cost from every portal of a node to its
//! inter-edges, and from every inter-edge to every other. A query adds rows: from the start to the inter-edges of its node,
//! from these to those of the goal's node, and from these to the goal; the least sum tells the route. A node is cut into ever
//! smaller regions, and each portal keeps the cost to the portals between the halves of its regions: so the way between
//! two polygons of one node is a least sum, too. The route is then unrolled from inter-edge to inter-edge and
//! portal to portal. There is no queue.
//! Only inside a node that has links is there a search.
//! **Use** it on meshes of up to some hundred thousand polygons that seldom change.
//! **Promises** a route where there is one. The corridor costs what the cheapest one costs, measured by the middles of its
//! portals, as with A* and HNA*.
//! **Costs** some thousand additions and comparisons. With n polygons there are about the cube root of n nodes, and the rows take
//! memory in proportion to the power 4/3 of n. An edit computes its nodes' tables and all rows between inter-edges anew, which takes
//! a third of the time of a build or less. Where a part of the mesh is replaced, nodes that do not hold it keep tables and labels.
//! **Departs** from the rhumb chart of square grids in having nested regions only inside nodes, and all costs between
//! the nodes: on a mesh of twenty thousand polygons there are some hundreds of inter-edges, and all pairs of them take a few
//! megabytes.

mod labels;
mod rows;

use super::hna_star::changes::Changes;
use super::hna_star::patch::Patched;
use super::hna_star::tables::NodeSearch;
use super::hna_star::{HnaStar, WITHIN, Way, in_steps};
use crate::algorithm::{Algorithm, Promise};
use crate::flat::{Flat, FlatMesh, FlatPatch, FlatRows};
use crate::memory::{OutOfMemory, held};
use crate::method::{End, Leg, Legs, Method, Repair, Task};
use crate::outline::{Census, Outline};
use crate::probe::Watcher;
use crate::saved::SectionStream;
use crate::scratch::{AlgorithmState, Scratch};
use crate::space::Motion;
use crate::space::mesh::patch::MeshPatch;
use crate::space::mesh::{MeshArea, MeshEdit, MeshPoint, NavMesh};
use labels::{Inside, Labels};
use rows::BorderRows;

/// The least polygons of a node.
const LEAST: usize = 256;

pub(crate) const ALGORITHM: Algorithm<NavMesh> = Algorithm {
    name: "rhumb",
    title: "Rhumb chart",
    summary: "no search: rows of costs between all inter-edges of a mesh, added and compared",
    paper: "this project; after Rahmani 2020",
    motion: Motion::AnyAngle,
    promise: |_, _| Promise::Complete,
    open: Some(|mesh, _, sections| {
        let size = node_size(mesh.polygons());
        Ok(Box::new(MeshRhumb::of(mesh, HnaStar::opened_nodes(mesh, size, sections)?)))
    }),
    ..Algorithm::flat(|mesh, _| {
        let size = node_size(mesh.polygons());
        Box::new(MeshRhumb::of(mesh, HnaStar::of_nodes(mesh, size)))
    })
};

/// Returns how many polygons a node has: the power 2/3 of all, but enough nodes are left.
fn node_size(polygons: usize) -> usize {
    let root = (1..polygons).find(|&root| root * root * root >= polygons).unwrap_or(1);
    (root * root).max(LEAST).min(polygons / 8).max(2)
}

/// Nodes with their tables, rows between all inter-edges, and labels inside the nodes.
#[derive(Clone)]
struct MeshRhumb {
    nodes: HnaStar,
    rows: BorderRows,
    labels: Labels,
    /// What repairs have changed: the parts of rows, then the labels of all portals.
    changes: Changes,
}

/// What a query keeps in a scratch.
#[derive(Default)]
struct RhumbState {
    way: Way,
    sums: [Vec<u32>; 2],
}

impl AlgorithmState for RhumbState {
    fn bytes(&self) -> usize {
        self.way.bytes() + self.sums.iter().map(held).sum::<usize>()
    }
}

impl MeshRhumb {
    /// Computes the rows and labels of these nodes.
    fn of(mesh: &NavMesh, nodes: HnaStar) -> MeshRhumb {
        let labels = Labels::new(mesh, nodes.top(), &nodes.tables);
        MeshRhumb::with_labels(mesh, nodes, labels)
    }

    /// Computes the rows of these nodes.
    fn with_labels(mesh: &NavMesh, nodes: HnaStar, labels: Labels) -> MeshRhumb {
        let rows = BorderRows::new(&nodes.borders, &nodes.tables);
        let parts = rows.parts(&nodes.tables) + mesh.shape.portals.len();
        let changes = Changes::new(parts, nodes.changes.state());
        MeshRhumb { nodes, rows, labels, changes }
    }

    /// Returns the chart for the mesh after a patch, or `None` if nothing can be kept.
    fn after(&self, mesh: &NavMesh, patch: &MeshPatch) -> Option<MeshRhumb> {
        let Patched { chart: nodes, sources } = self.nodes.after(mesh, patch)?;
        let labels = self.labels.after(mesh, &self.nodes, &nodes, &sources);
        Some(MeshRhumb::with_labels(mesh, nodes, labels))
    }

    /// Returns whether no labels tell the way: inside a node with links, and inside a polygon, which a link may shorten.
    fn needs_search(&self, task: Task<NavMesh>) -> bool {
        if task.from.polygon == task.to.polygon {
            return task.grid.shape.has_links();
        }
        let node = self.nodes.node_of(task.from);
        node == self.nodes.node_of(task.to) && !self.labels.cover(node)
    }

    /// Finds the portals of the cheapest corridor. Returns its cost, or `None` if it costs more than a row can hold.
    fn read(&self, task: Task<NavMesh>, own: &mut RhumbState) -> Option<u32> {
        own.way.corridor.portals.clear();
        if task.from.polygon == task.to.polygon {
            return Some(0);
        }
        debug_assert!(!self.needs_search(task), "labels tell the way");
        match self.choose(task, own)? {
            Choice::Inside(inside) => {
                let RhumbState { way, .. } = own;
                let ([start, goal], portals) = (&way.ends, &mut way.corridor.portals);
                self.labels.unroll(&self.nodes.tables, start, inside, portals);
                let hub = portals.len();
                self.labels.unroll(&self.nodes.tables, goal, inside, portals);
                // Unrolled from the goal, these portals come in the other order and end with the hub, which is known.
                portals.pop();
                portals[hub..].reverse();
                way.corridor.drop_touched(task.grid, task.from, task.to);
                Some(inside.cost)
            }
            Choice::Outside(cost) => {
                self.nodes.unroll(task, &mut own.way);
                Some(cost)
            }
        }
    }

    /// Finds the least sum. If the way leads over inter-edges, they are written to the route of `own`.
    fn choose(&self, task: Task<NavMesh>, own: &mut RhumbState) -> Option<Choice> {
        let RhumbState { way, sums } = own;
        self.nodes.price_ends(task, way);
        let HnaStar { tables, borders, .. } = &self.nodes;
        let [start, goal] = &way.ends;
        let inside = if start.node == goal.node {
            self.labels.inside(tables, [(start, task.from.polygon), (goal, task.to.polygon)], sums)
        } else {
            None
        };
        let outside = self.rows.between(borders, (start.node, &start.costs), (goal.node, &goal.costs));
        match (inside, outside) {
            (Some(inside), outside) if outside.is_none_or(|outside| inside.cost <= outside.cost) => {
                Some(Choice::Inside(inside))
            }
            (_, outside) => {
                let outside = outside?;
                self.rows.follow(borders, (start.node, goal.node), outside, &mut way.route);
                Some(Choice::Outside(outside.cost))
            }
        }
    }
}

/// How the cheapest way leads: over a hub of the node of both ends, or over inter-edges.
enum Choice {
    Inside(Inside),
    Outside(u32),
}

impl Method<NavMesh> for MeshRhumb {
    fn reserve(&self, mesh: &NavMesh, scratch: &mut Scratch<NavMesh>) -> Result<(), OutOfMemory> {
        if mesh.shape.has_links() { WITHIN.reserve(mesh, scratch) } else { Ok(()) }
    }

    fn begin(&self, task: Task<NavMesh>, scratch: &mut Scratch<NavMesh>) {
        if self.needs_search(task) {
            WITHIN.begin(task, scratch);
        }
    }

    fn step(&self, task: Task<NavMesh>, scratch: &mut Scratch<NavMesh>, left: &mut u64, probe: Watcher) -> Option<End> {
        if self.needs_search(task) {
            return WITHIN.step(task, scratch, left, probe);
        }
        let Scratch { states, trail, .. } = scratch;
        let own: &mut RhumbState = states.own();
        let read = self.read(task, own);
        let pulled = read.and_then(|_| own.way.corridor.pull(task.grid, task.from, task.to, trail));
        Some(pulled.map_or(End::NotFound, End::Found))
    }

    fn repair(&mut self, mesh: &NavMesh, edits: &[MeshEdit]) -> Repair {
        let nodes = self.nodes.refill(mesh, edits);
        let HnaStar { borders, tables, changes, .. } = &self.nodes;
        let mut changed = self.rows.refill(borders, tables);
        let labels = self.rows.parts(tables);
        let mut search = NodeSearch::default();
        for &node in &nodes {
            let portals = self.labels.refill(mesh, self.nodes.top(), tables, node as usize, &mut search);
            changed.extend(portals.into_iter().map(|portal| labels + portal as usize));
        }
        self.changes.note(&changed, changes.state());
        Repair::of(nodes.len(), std::iter::empty())
    }

    /// Keeps nodes with their tables and labels, and computes rows anew.
    fn patched(&self, mesh: &NavMesh, patch: &MeshPatch) -> Option<Box<dyn Method<NavMesh>>> {
        let (size, wanted) = (self.nodes.node_size(), node_size(mesh.polygons()));
        let fits = size <= 2 * wanted && wanted <= 2 * size;
        if fits { self.after(mesh, patch).map(|rhumb| Box::new(rhumb) as Box<dyn Method<NavMesh>>) } else { None }
    }

    fn census(&self, mesh: &NavMesh) -> Vec<Census> {
        self.nodes.census(mesh)
    }

    fn outline(&self, mesh: &NavMesh) -> Option<Outline> {
        self.nodes.outline(mesh)
    }

    fn legs(&self) -> Option<&dyn Legs<NavMesh>> {
        self.nodes.legs().is_some().then_some(self as &dyn Legs<NavMesh>)
    }

    /// Saved are the nodes. Rows and labels are computed from them again.
    fn save(&self) -> Option<Vec<SectionStream<'_>>> {
        self.nodes.save()
    }

    /// Meshes with links have no flat arrays.
    fn flat(&self, mesh: &NavMesh) -> Option<Flat> {
        if mesh.shape.has_links() {
            return None;
        }
        let mut rows = FlatRows::default();
        self.rows.flatten(&mut rows);
        self.labels.flatten(&mut rows);
        Some(Flat::MeshRows(FlatMesh::of_mesh(mesh), self.nodes.flat_nodes(), rows))
    }

    fn flat_state(&self) -> u64 {
        self.changes.state()
    }

    fn flat_since(&self, mesh: &NavMesh, before: &NavMesh, state: u64) -> Option<FlatPatch<'_>> {
        let patch = FlatPatch::of_mesh(mesh, before)?;
        let mut nodes = self.nodes.nodes_since(&patch, state);
        let HnaStar { borders, tables, .. } = &self.nodes;
        let (since, parts) = (self.changes.since(state), self.rows.parts(tables));
        for node in &mut nodes {
            let portals = tables.nodes[node.node as usize].portals.iter();
            let changed = portals.filter(|&&portal| self.changes.has_changed(parts + portal as usize, since));
            node.labels = changed.map(|&portal| self.labels.flat_label(portal)).collect();
        }
        let changed = (0..parts).filter(|&part| self.changes.has_changed(part, since));
        let rows = changed.map(|part| self.rows.flat_part(borders, tables, part)).collect();
        Some(FlatPatch { nodes, rows, ..patch })
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.rows.bytes() + self.labels.bytes() + self.changes.bytes()
    }
}

impl Legs<NavMesh> for MeshRhumb {
    fn survey(
        &self,
        task: Task<NavMesh>,
        scratch: &mut Scratch<NavMesh>,
        _: &mut u64,
        legs: &mut Vec<Leg<MeshPoint>>,
    ) -> Option<End> {
        let Scratch { states, trail, .. } = scratch;
        let own: &mut RhumbState = states.own();
        let is_inside = self.nodes.node_of(task.from) == self.nodes.node_of(task.to);
        if task.from.polygon != task.to.polygon && !is_inside {
            let end = self.choose(task, own).and_then(|_| self.nodes.list_legs(task, &own.way, legs));
            return Some(end.map_or(End::NotFound, End::Found));
        }
        let read = self.read(task, own);
        let pulled = read.and_then(|_| own.way.corridor.pull(task.grid, task.from, task.to, trail));
        Some(pulled.map_or(End::NotFound, |_| in_steps(task.grid, trail)))
    }

    fn refine(
        &self,
        mesh: &NavMesh,
        legs: &mut Vec<Leg<MeshPoint>>,
        scratch: &mut Scratch<NavMesh>,
        cells: &mut Vec<MeshPoint>,
    ) {
        self.nodes.refine(mesh, legs, scratch, cells);
    }

    fn bounds(&self, leg: Leg<MeshPoint>) -> MeshArea {
        self.nodes.bounds(leg)
    }
}

#[cfg(test)]
mod tests;
