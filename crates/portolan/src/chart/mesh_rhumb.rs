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
//! a third of the time of a build or less.
//! **Departs** from the rhumb chart of square grids in having nested regions only inside nodes, and all costs between
//! the nodes: on a mesh of twenty thousand polygons there are some hundreds of inter-edges, and all pairs of them take a few
//! megabytes.

mod labels;
mod rows;

use super::hna_star::{HnaStar, WITHIN, Way};
use crate::algorithm::{Algorithm, Promise};
use crate::flat::FlatMesh;
use crate::memory::{OutOfMemory, held};
use crate::method::{End, Method, Repair, Task};
use crate::outline::{Census, Outline};
use crate::probe::Watcher;
use crate::scratch::{AlgorithmState, Scratch};
use crate::space::Motion;
use crate::space::mesh::{MeshEdit, NavMesh};
use labels::Labels;
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
    ..Algorithm::flat(|mesh, _| Box::new(MeshRhumb::new(mesh, node_size(mesh.polygons()))))
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
    fn new(mesh: &NavMesh, size: usize) -> MeshRhumb {
        let nodes = HnaStar::of_nodes(mesh, size);
        let rows = BorderRows::new(&nodes.borders, &nodes.tables);
        let labels = Labels::new(mesh, nodes.top(), &nodes.tables);
        MeshRhumb { nodes, rows, labels }
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
        let RhumbState { way, sums } = own;
        way.corridor.portals.clear();
        if task.from.polygon == task.to.polygon {
            return Some(0);
        }
        debug_assert!(!self.needs_search(task), "labels tell the way");
        self.nodes.price_ends(task, way);
        let HnaStar { tables, borders, .. } = &self.nodes;
        let [start, goal] = &way.ends;
        let inside = if start.node == goal.node {
            self.labels.inside(tables, [(start, task.from.polygon), (goal, task.to.polygon)], sums)
        } else {
            None
        };
        let outside = self.rows.between(borders, (start.node, &start.costs), (goal.node, &goal.costs));
        let cost = match (inside, outside) {
            (Some(inside), outside) if outside.is_none_or(|outside| inside.cost <= outside.cost) => {
                let portals = &mut way.corridor.portals;
                self.labels.unroll(tables, start, inside, portals);
                let hub = portals.len();
                self.labels.unroll(tables, goal, inside, portals);
                // Unrolled from the goal, these portals come in the other order and end with the hub, which is known.
                portals.pop();
                portals[hub..].reverse();
                way.corridor.drop_touched(task.grid, task.from, task.to);
                inside.cost
            }
            (_, Some(outside)) => {
                self.rows.follow(borders, (start.node, goal.node), outside, &mut way.route);
                self.nodes.unroll(task, way);
                outside.cost
            }
            (_, None) => return None,
        };
        Some(cost)
    }
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
        let changed = self.nodes.refill(mesh, edits);
        let mut search = Default::default();
        for &node in &changed {
            self.labels.fill(mesh, self.nodes.top(), &self.nodes.tables, node as usize, &mut search);
        }
        self.rows = BorderRows::new(&self.nodes.borders, &self.nodes.tables);
        Repair::of(changed.len(), std::iter::empty())
    }

    fn census(&self, mesh: &NavMesh) -> Vec<Census> {
        self.nodes.census(mesh)
    }

    fn outline(&self, mesh: &NavMesh) -> Option<Outline> {
        self.nodes.outline(mesh)
    }

    /// Meshes with links have no flat arrays.
    fn flat(&self, mesh: &NavMesh) -> Option<FlatMesh> {
        if mesh.shape.has_links() {
            return None;
        }
        let mut flat = FlatMesh::of_mesh(mesh);
        self.nodes.flatten(&mut flat);
        self.rows.flatten(&mut flat);
        self.labels.flatten(&mut flat);
        Some(flat)
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.rows.bytes() + self.labels.bytes()
    }
}

#[cfg(test)]
mod tests;
