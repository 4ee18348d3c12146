//! What a node of HNA* keeps: its portals, and for each of them the cost of the way through the node to each inter-edge of
//! the node, and the next portal on that way. The rows of the inter-edges are the intra-edges of the node; the other rows
//! are the precalculated connecting paths (PCCP), from which start and goal are connected.
//!
//! Not here: which polygons a node has (`hierarchy.rs`).

use super::hierarchy::Level;
use crate::memory::held;
use crate::space::mesh::NavMesh;
use crate::space::mesh::shape::Shape;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cost where there is no way.
pub(super) const NO_WAY: u32 = u32::MAX;

/// A node: portals are numbered by their place in `portals`, the inter-edges first.
#[derive(Clone, PartialEq)]
pub(super) struct Node {
    pub(super) portals: Vec<u32>,
    /// How many of the portals are inter-edges.
    pub(super) borders: usize,
    /// A row for each portal: what the way to each inter-edge costs. Only inter-edges have rows if start and goal are not
    /// connected by them.
    costs: Vec<u32>,
    /// A row for each inter-edge: the next portal on the way to it from each portal. A way is followed in one row.
    next: Vec<u16>,
}

impl Node {
    /// Returns what the ways from a portal to each inter-edge cost.
    #[inline(always)]
    pub(super) fn costs(&self, portal: usize) -> &[u32] {
        &self.costs[portal * self.borders..(portal + 1) * self.borders]
    }

    /// Returns the next portal on the way from one to an inter-edge.
    #[inline(always)]
    pub(super) fn next(&self, portal: usize, border: usize) -> usize {
        usize::from(self.next[border * self.portals.len() + portal])
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.portals) + held(&self.costs) + held(&self.next)
    }
}

/// The nodes of the level that is searched.
#[derive(Clone, PartialEq)]
pub(super) struct Tables {
    pub(super) nodes: Vec<Node>,
    /// The number of each portal in the nodes of its two polygons.
    slots_by_portal: Vec<[u16; 2]>,
    /// Whether every portal has a row of costs.
    keeps_all: bool,
}

impl Tables {
    /// Computes the tables of all nodes of a level. If `keeps_all` is false, only inter-edges have rows of costs.
    pub(super) fn new(mesh: &NavMesh, level: &Level, keeps_all: bool) -> Tables {
        let shape = &*mesh.shape;
        let mut slots_by_portal = vec![[0; 2]; shape.portals.len()];
        let mut nodes = Vec::with_capacity(level.polygons_by_node.len());
        for (number, polygons) in (0..).zip(&level.polygons_by_node) {
            let mut portals: Vec<u32> = polygons.iter().flat_map(|&polygon| shape.exits(polygon)).copied().collect();
            portals.sort_unstable_by_key(|&portal| (!level.divides(shape, portal), portal));
            portals.dedup();
            let borders = portals.iter().take_while(|&&portal| level.divides(shape, portal)).count();
            for (slot, &portal) in portals.iter().enumerate() {
                for (side, polygon) in shape.portals[portal as usize].polygons.into_iter().enumerate() {
                    if level.node_by_polygon[polygon as usize] == number {
                        slots_by_portal[portal as usize][side] = slot as u16;
                    }
                }
            }
            nodes.push(Node { portals, borders, costs: Vec::new(), next: Vec::new() });
        }
        let mut tables = Tables { nodes, slots_by_portal, keeps_all };
        let mut search = NodeSearch::default();
        for node in 0..tables.nodes.len() {
            tables.fill(mesh, level, node, &mut search);
        }
        tables
    }

    /// Returns the number of a portal in the node of one of its polygons.
    #[inline(always)]
    pub(super) fn slot(&self, shape: &Shape, portal: u32, polygon: u32) -> usize {
        let side = usize::from(shape.portals[portal as usize].polygons[0] != polygon);
        usize::from(self.slots_by_portal[portal as usize][side])
    }

    /// Computes the tables of one node.
    pub(super) fn fill(&mut self, mesh: &NavMesh, level: &Level, number: usize, search: &mut NodeSearch) {
        search.set(self, mesh, &level.polygons_by_node[number], number);
        let node = &mut self.nodes[number];
        let (count, borders) = (node.portals.len(), node.borders);
        let rows = if self.keeps_all { count } else { borders };
        let mut costs = vec![NO_WAY; rows * borders];
        let mut next = vec![0; count * borders];
        for border in 0..borders {
            search.run(&[(border as u16, 0)], None);
            next[border * count..(border + 1) * count].copy_from_slice(&search.before);
            for portal in 0..rows {
                costs[portal * borders + border] = search.costs[portal];
            }
        }
        (node.costs, node.next) = (costs, next);
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.iter().map(Node::bytes).sum::<usize>() + held(&self.nodes) + held(&self.slots_by_portal)
    }
}

/// Dijkstra's algorithm over the portals of one node.
#[derive(Clone, Default)]
pub(super) struct NodeSearch {
    first_edge: Vec<u32>,
    /// The portals that have a way through one polygon to each portal, and its cost.
    edges: Vec<(u16, u32)>,
    /// The cost to each portal, [`NO_WAY`] if there is none.
    pub(super) costs: Vec<u32>,
    /// The portal before each on the way from the source; a source itself.
    pub(super) before: Vec<u16>,
    open: BinaryHeap<Reverse<(u32, u16)>>,
}

impl NodeSearch {
    /// Takes the portals of a node and the ways between them.
    pub(super) fn set(&mut self, tables: &Tables, mesh: &NavMesh, polygons: &[u32], number: usize) {
        let shape = &*mesh.shape;
        let count = tables.nodes[number].portals.len();
        let mut pairs: Vec<(u16, u16, u32)> = Vec::new();
        for &polygon in polygons.iter().filter(|&&polygon| mesh.is_free(polygon)) {
            let exits = shape.exits(polygon);
            for (place, &from) in exits.iter().enumerate() {
                let from = tables.slot(shape, from, polygon) as u16;
                for (&to, &distance) in exits.iter().zip(shape.crossings(polygon, place)) {
                    let to = tables.slot(shape, to, polygon) as u16;
                    if from != to {
                        pairs.push((from, to, distance * mesh.weight(polygon)));
                    }
                }
            }
        }
        pairs.sort_unstable();
        self.edges.clear();
        self.edges.extend(pairs.iter().map(|&(_, to, cost)| (to, cost)));
        self.first_edge.clear();
        self.first_edge.resize(count + 1, 0);
        for &(from, _, _) in &pairs {
            self.first_edge[usize::from(from) + 1] += 1;
        }
        for portal in 0..count {
            self.first_edge[portal + 1] += self.first_edge[portal];
        }
    }

    /// Finds the cheapest ways from the sources, each a portal with a cost, to all portals, or until `goal` is reached.
    pub(super) fn run(&mut self, sources: &[(u16, u32)], goal: Option<u16>) {
        let count = self.first_edge.len() - 1;
        self.costs.clear();
        self.costs.resize(count, NO_WAY);
        self.before.clear();
        self.before.extend(0..count as u16);
        self.open.clear();
        for &(portal, cost) in sources {
            if cost < self.costs[usize::from(portal)] {
                self.costs[usize::from(portal)] = cost;
                self.open.push(Reverse((cost, portal)));
            }
        }
        while let Some(Reverse((cost, portal))) = self.open.pop() {
            if goal == Some(portal) {
                return;
            }
            if cost > self.costs[usize::from(portal)] {
                continue;
            }
            let edges =
                self.first_edge[usize::from(portal)] as usize..self.first_edge[usize::from(portal) + 1] as usize;
            for &(to, more) in &self.edges[edges] {
                let sum = cost.saturating_add(more);
                if sum < self.costs[usize::from(to)] {
                    self.costs[usize::from(to)] = sum;
                    self.before[usize::from(to)] = portal;
                    self.open.push(Reverse((sum, to)));
                }
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.first_edge)
            + held(&self.edges)
            + held(&self.costs)
            + held(&self.before)
            + self.open.capacity() * size_of::<Reverse<(u32, u16)>>()
    }
}
