//! What a node of HNA* keeps: its portals, and for each of them the cost of the way through the node to each inter-edge of
//! the node, and the next portal on that way. The rows of the inter-edges are the intra-edges of the node; the other rows
//! are the precalculated connecting paths (PCCP), from which start and goal are connected.
//!
//! Not here: which polygons a node has (`hierarchy.rs`).

use super::hierarchy::Level;
use crate::flat::{FlatNode, FlatNodePatch, FlatNodes};
use crate::memory::held;
use crate::space::mesh::NavMesh;
use crate::space::mesh::shape::{NO_CROSSING, Shape};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cost where there is no way.
pub(in crate::chart) const NO_WAY: u32 = u32::MAX;

/// A node: portals are numbered by their place in `portals`, the inter-edges first.
#[derive(Clone, PartialEq)]
pub(in crate::chart) struct Node {
    pub(in crate::chart) portals: Vec<u32>,
    /// How many of the portals are inter-edges.
    pub(in crate::chart) borders: usize,
    /// A row for each portal: what the way to each inter-edge costs. Only inter-edges have rows if start and goal are not
    /// connected by them.
    costs: Vec<u32>,
    /// A row for each inter-edge: the next portal on the way to it from each portal. A way is followed in one row.
    pub(super) next: Vec<u16>,
}

impl Node {
    /// Returns what the ways from a portal to each inter-edge cost.
    #[inline(always)]
    pub(in crate::chart) fn costs(&self, portal: usize) -> &[u32] {
        &self.costs[portal * self.borders..(portal + 1) * self.borders]
    }

    /// Returns the next portal on the way from one to an inter-edge.
    #[inline(always)]
    pub(in crate::chart) fn next(&self, portal: usize, border: usize) -> usize {
        usize::from(self.next[border * self.portals.len() + portal])
    }

    /// Returns the next portals on the way from each portal to an inter-edge.
    fn next_row(&self, border: usize) -> &[u16] {
        &self.next[border * self.portals.len()..(border + 1) * self.portals.len()]
    }

    /// Returns how many rows of costs there are.
    fn cost_rows(&self) -> usize {
        self.costs.len() / self.borders.max(1)
    }

    pub(in crate::chart) fn bytes(&self) -> usize {
        held(&self.portals) + held(&self.costs) + held(&self.next)
    }
}

/// The nodes of the level that is searched.
#[derive(Clone, PartialEq)]
pub(in crate::chart) struct Tables {
    pub(in crate::chart) nodes: Vec<Node>,
    /// The number of each portal in the nodes of its two polygons.
    slots_by_portal: Vec<[u16; 2]>,
    /// Whether every portal has a row of costs.
    keeps_all: bool,
}

impl Tables {
    /// Computes the tables of all nodes of a level. If `keeps_all` is false, only inter-edges have rows of costs.
    pub(in crate::chart) fn new(mesh: &NavMesh, level: &Level, keeps_all: bool) -> Tables {
        let mut tables = Tables::without_ways(mesh, level, keeps_all);
        let mut search = NodeSearch::default();
        for node in 0..tables.nodes.len() {
            tables.fill(mesh, level, node, &mut search);
        }
        tables
    }

    /// Numbers the portals of all nodes of a level.
    pub(in crate::chart) fn without_ways(mesh: &NavMesh, level: &Level, keeps_all: bool) -> Tables {
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
        Tables { nodes, slots_by_portal, keeps_all }
    }

    /// Numbers the portals of all nodes of another level, of which these tables are to keep as much.
    pub(super) fn without_ways_of(&self, mesh: &NavMesh, level: &Level) -> Tables {
        Tables::without_ways(mesh, level, self.keeps_all)
    }

    /// Takes the ways of a node that has the portals of this one in their order, whatever their numbers in the mesh.
    pub(super) fn take_ways(&mut self, number: usize, from: &Node) {
        let node = &mut self.nodes[number];
        assert_eq!(
            (node.portals.len(), node.borders),
            (from.portals.len(), from.borders),
            "a kept node has its portals"
        );
        node.costs.clone_from(&from.costs);
        node.next.clone_from(&from.next);
    }

    /// Returns the number of a portal in the node of one of its polygons.
    #[inline(always)]
    pub(in crate::chart) fn slot(&self, shape: &Shape, portal: u32, polygon: u32) -> usize {
        let side = usize::from(shape.portals[portal as usize].polygons[0] != polygon);
        usize::from(self.slots_by_portal[portal as usize][side])
    }

    /// Computes the tables of one node.
    pub(in crate::chart) fn fill(&mut self, mesh: &NavMesh, level: &Level, number: usize, search: &mut NodeSearch) {
        search.set(self, mesh, &level.polygons_by_node[number], number);
        let node = &mut self.nodes[number];
        let (count, borders) = (node.portals.len(), node.borders);
        let rows = if self.keeps_all { count } else { borders };
        let mut costs = vec![NO_WAY; rows * borders];
        let mut next = vec![0; count * borders];
        // The search goes from each inter-edge against the direction of ways, and so finds those that lead to it.
        for border in 0..borders {
            search.run(&[(border as u16, 0)], None);
            next[border * count..(border + 1) * count].copy_from_slice(&search.before);
            for portal in 0..rows {
                costs[portal * borders + border] = search.costs[portal];
            }
        }
        (node.costs, node.next) = (costs, next);
    }

    /// Returns how many rows of costs and of next portals all nodes have at most.
    pub(super) fn rows(&self) -> usize {
        self.nodes.iter().map(|node| node.portals.len() + node.borders).sum()
    }

    /// Returns the numbers of a node's first row of costs and first row of next portals among those of all nodes.
    fn first_rows(&self, number: usize) -> [usize; 2] {
        let sum = |nodes: &[Node], size: fn(&Node) -> usize| nodes.iter().map(size).sum::<usize>();
        let portals = sum(&self.nodes, |node| node.portals.len());
        let before = &self.nodes[..number];
        [sum(before, |node| node.portals.len()), portals + sum(before, |node| node.borders)]
    }

    /// Computes the tables of one node anew, and returns the numbers of the rows that this has changed.
    pub(super) fn refill(
        &mut self,
        mesh: &NavMesh,
        level: &Level,
        number: usize,
        search: &mut NodeSearch,
    ) -> Vec<usize> {
        let old = self.nodes[number].clone();
        self.fill(mesh, level, number, search);
        let [first_cost, first_next] = self.first_rows(number);
        let node = &self.nodes[number];
        let costs = (0..node.cost_rows()).filter(|&portal| node.costs(portal) != old.costs(portal));
        let next = (0..node.borders).filter(|&border| node.next_row(border) != old.next_row(border));
        costs.map(|portal| first_cost + portal).chain(next.map(|border| first_next + border)).collect()
    }

    /// Returns the rows of a node that have changed.
    pub(super) fn flat_patch(&self, number: u32, has_changed: impl Fn(usize) -> bool) -> FlatNodePatch<'_> {
        let node = &self.nodes[number as usize];
        let [first_cost, first_next] = self.first_rows(number as usize);
        let costs = (0..node.cost_rows()).filter(|&portal| has_changed(first_cost + portal));
        let next = (0..node.borders).filter(|&border| has_changed(first_next + border));
        FlatNodePatch {
            node: number,
            costs: costs.map(|portal| (portal as u32, node.costs(portal))).collect(),
            next: next.map(|border| (border as u32, node.next_row(border))).collect(),
            labels: Vec::new(),
        }
    }

    /// Writes the tables of all nodes one after another.
    pub(in crate::chart) fn flatten(&self, flat: &mut FlatNodes) {
        flat.slots.clone_from(&self.slots_by_portal);
        let mut first_border = 0;
        for node in &self.nodes {
            flat.nodes.push(FlatNode {
                first_portal: flat.node_portals.len() as u32,
                portals: node.portals.len() as u32,
                borders: node.borders as u32,
                first_cost: flat.costs.len() as u32,
                first_next: flat.next.len() as u32,
                first_border,
            });
            flat.node_portals.extend_from_slice(&node.portals);
            flat.costs.extend_from_slice(&node.costs);
            flat.next.extend_from_slice(&node.next);
            first_border += node.borders as u32;
        }
    }

    /// Returns a bound on what crossing a node costs from one inter-edge to another where there is a way.
    pub(super) fn dearest_crossing(&self) -> u32 {
        let crossings = self.nodes.iter().flat_map(|node| &node.costs[..node.borders * node.borders]);
        crossings.copied().filter(|&cost| cost != NO_WAY).max().unwrap_or(0)
    }

    /// Takes the ways of one node: the next portals as the node keeps them, and for each inter-edge a list of the costs from
    /// all portals.
    pub(in crate::chart) fn set_ways(&mut self, number: usize, next: Vec<u16>, costs_by_border: &[Vec<u32>]) {
        let node = &mut self.nodes[number];
        let rows = if self.keeps_all { node.portals.len() } else { node.borders };
        let mut costs = Vec::with_capacity(rows * node.borders);
        for portal in 0..rows {
            costs.extend(costs_by_border.iter().map(|costs| costs[portal]));
        }
        (node.costs, node.next) = (costs, next);
    }

    pub(in crate::chart) fn bytes(&self) -> usize {
        self.nodes.iter().map(Node::bytes).sum::<usize>() + held(&self.nodes) + held(&self.slots_by_portal)
    }
}

/// Dijkstra's algorithm over the portals of one node, against the direction of ways.
#[derive(Clone, Default)]
pub(in crate::chart) struct NodeSearch {
    first_edge: Vec<u32>,
    /// The portals from which a way leads through one polygon to each portal, and its cost.
    edges: Vec<(u16, u32)>,
    /// The cost to each portal, [`NO_WAY`] if there is none.
    pub(in crate::chart) costs: Vec<u32>,
    /// The portal before each on the way from the source; a source itself.
    pub(in crate::chart) before: Vec<u16>,
    /// Working memory for [`NodeSearch::set`]: two portals and the cost between them.
    pairs: Vec<(u16, u16, u32)>,
    open: BinaryHeap<Reverse<(u32, u16)>>,
}

impl NodeSearch {
    /// Takes the portals of a node and the ways between them.
    pub(in crate::chart) fn set(&mut self, tables: &Tables, mesh: &NavMesh, polygons: &[u32], number: usize) {
        let shape = &*mesh.shape;
        let count = tables.nodes[number].portals.len();
        let pairs = &mut self.pairs;
        pairs.clear();
        for &polygon in polygons.iter().filter(|&&polygon| mesh.is_free(polygon)) {
            let exits = shape.exits(polygon);
            for (place, &from) in exits.iter().enumerate() {
                let from = tables.slot(shape, from, polygon) as u16;
                for (&to, &distance) in exits.iter().zip(shape.crossings(polygon, place)) {
                    let to = tables.slot(shape, to, polygon) as u16;
                    if from != to && distance != NO_CROSSING {
                        pairs.push((to, from, distance * mesh.weight(polygon)));
                    }
                }
            }
        }
        pairs.sort_unstable();
        self.edges.clear();
        self.edges.extend(pairs.iter().map(|&(_, to, cost)| (to, cost)));
        self.first_edge.clear();
        self.first_edge.resize(count + 1, 0);
        for &(from, _, _) in &*pairs {
            self.first_edge[usize::from(from) + 1] += 1;
        }
        for portal in 0..count {
            self.first_edge[portal + 1] += self.first_edge[portal];
        }
    }

    /// Returns the portals from which a way through one polygon leads to this one, each with its cost.
    #[inline(always)]
    pub(in crate::chart) fn edges_of(&self, portal: usize) -> &[(u16, u32)] {
        &self.edges[self.first_edge[portal] as usize..self.first_edge[portal + 1] as usize]
    }

    /// Finds the cheapest ways from the sources, each a portal with a cost, to all portals, or until `goal` is reached.
    pub(in crate::chart) fn run(&mut self, sources: &[(u16, u32)], goal: Option<u16>) {
        self.run_over(sources, goal, |_| true);
    }

    /// Finds the cheapest ways as [`NodeSearch::run`] does, over those portals alone for which `is_open` is true.
    pub(in crate::chart) fn run_over(
        &mut self,
        sources: &[(u16, u32)],
        goal: Option<u16>,
        is_open: impl Fn(u16) -> bool,
    ) {
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
                if sum < self.costs[usize::from(to)] && is_open(to) {
                    self.costs[usize::from(to)] = sum;
                    self.before[usize::from(to)] = portal;
                    self.open.push(Reverse((sum, to)));
                }
            }
        }
    }

    pub(in crate::chart) fn bytes(&self) -> usize {
        held(&self.first_edge)
            + held(&self.edges)
            + held(&self.costs)
            + held(&self.before)
            + held(&self.pairs)
            + self.open.capacity() * size_of::<Reverse<(u32, u16)>>()
    }
}
