//! Costs between any two portals of one node without a search.
//!
//! A node is cut in two again and again until every part is a single polygon. The parts are its regions, and the portals
//! between the two halves of a region are its hubs. A portal that is no inter-edge is a hub of exactly one region. Its label
//! has the cost to every hub of that region and of the regions that contain it, from the largest on, each over ways inside
//! the hub's region. A cheapest way between two polygons passes a hub of a region that contains both, so the least
//! sum of two entries for one hub is the cost of the way.
//!
//! Nodes with links inside have no labels.
//!
//! Regions depend on the shape of the mesh alone, so that an edit changes entries and not their number.
//!
//! Not here: ways that leave the node (`rows.rs`).

mod patch;

use super::rows::add;
use crate::chart::hna_star::connect::Connection;
use crate::chart::hna_star::hierarchy::{Level, PolygonGraph};
use crate::chart::hna_star::tables::{NO_WAY, NodeSearch, Tables};
use crate::chart::shared::partition::Splitter;
use crate::flat::{FlatRows, NONE};
use crate::memory::held;
use crate::space::mesh::NavMesh;
use crate::space::mesh::shape::Shape;

/// A part of a node with at least two polygons. Regions are numbered so that those inside a region follow it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Region {
    /// The region that this one is a half of, or [`NONE`].
    parent: u32,
    /// The number after that of the last region inside this one.
    after: u32,
    /// Where the hubs begin in [`Labels::hubs`].
    first_hub: u32,
    hubs: u32,
    /// How many entries of a label stand before those for these hubs.
    before: u32,
}

/// The labels of all portals that are no inter-edges.
#[derive(Clone, PartialEq)]
pub(super) struct Labels {
    regions: Vec<Region>,
    /// Where the regions of each node begin, and one entry more.
    first_region: Vec<u32>,
    /// The hubs of all regions.
    hubs: Vec<u32>,
    /// The smallest region that contains each polygon, or [`NONE`] for the only polygon of a node.
    region_by_polygon: Vec<u32>,
    /// The region that each portal is a hub of, or [`NONE`] for an inter-edge.
    region_by_portal: Vec<u32>,
    /// Where the label of each portal begins.
    first_by_portal: Vec<u32>,
    costs: Vec<u32>,
    /// For each entry of a label, the number in the node of the next portal on the way to the hub; at the hub, its own.
    next: Vec<u16>,
}

/// The cheapest way between two polygons inside their node: over which hub, and from which portals of the two polygons.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Inside {
    pub(super) cost: u32,
    entry: usize,
}

impl Labels {
    pub(super) fn new(mesh: &NavMesh, level: &Level, tables: &Tables) -> Labels {
        let shape = &*mesh.shape;
        let mut labels = Labels::without_regions(shape);
        let polygons = PolygonGraph::of(shape);
        let graph = polygons.graph();
        let mut splitter = Splitter::new(&graph);
        for node in &level.polygons_by_node {
            labels.divide_node(shape, &mut splitter, node);
        }
        labels.number_entries();
        let mut search = NodeSearch::default();
        for node in 0..level.polygons_by_node.len() {
            labels.fill(mesh, level, tables, node, &mut search);
        }
        labels
    }

    fn without_regions(shape: &Shape) -> Labels {
        Labels {
            regions: Vec::new(),
            first_region: vec![0],
            hubs: Vec::new(),
            region_by_polygon: vec![NONE; shape.polygons()],
            region_by_portal: vec![NONE; shape.portals.len()],
            first_by_portal: vec![0; shape.portals.len()],
            costs: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Cuts the next node into regions, if it has no links.
    fn divide_node(&mut self, shape: &Shape, splitter: &mut Splitter, polygons: &[u32]) {
        // The passages of links are numbered after all polygons.
        if polygons.iter().all(|&polygon| (polygon as usize) < shape.polygons()) {
            self.divide(shape, splitter, polygons, NONE);
        }
        self.first_region.push(self.regions.len() as u32);
    }

    /// Gives each portal the entries for its regions, with no ways yet.
    fn number_entries(&mut self) {
        let mut entries = 0;
        for (portal, &region) in self.region_by_portal.iter().enumerate() {
            self.first_by_portal[portal] = entries;
            entries += self.regions.get(region as usize).map_or(0, |region| region.before + region.hubs);
        }
        self.costs = vec![NO_WAY; entries as usize];
        self.next = vec![0; entries as usize];
    }

    /// Cuts a connected set of polygons into two, notes the portals between them as hubs, and goes on with both.
    fn divide(&mut self, shape: &Shape, splitter: &mut Splitter, polygons: &[u32], parent: u32) {
        if polygons.len() < 2 {
            self.region_by_polygon[polygons[0] as usize] = parent;
            return;
        }
        let number = self.regions.len() as u32;
        let before = self.regions.get(parent as usize).map_or(0, |above| above.before + above.hubs);
        let halves = splitter.bisect(polygons, 1, 1);
        // Each half has a number that no other set has had, so that a portal between the halves is told by them.
        for (half, mark) in halves.iter().zip([number, number | 1 << 31]) {
            for &polygon in half {
                self.region_by_polygon[polygon as usize] = mark;
            }
        }
        let first_hub = self.hubs.len();
        for &polygon in &halves[0] {
            for &portal in shape.exits(polygon) {
                // Behind the end of a link there is no polygon.
                if self.region_by_polygon.get(shape.beyond(portal, polygon) as usize) == Some(&(number | 1 << 31)) {
                    self.hubs.push(portal);
                    self.region_by_portal[portal as usize] = number;
                }
            }
        }
        self.hubs[first_hub..].sort_unstable();
        let hubs = (self.hubs.len() - first_hub) as u32;
        self.regions.push(Region { parent, after: 0, first_hub: first_hub as u32, hubs, before });
        for half in halves {
            self.divide(shape, splitter, &half, number);
        }
        self.regions[number as usize].after = self.regions.len() as u32;
    }

    /// Computes the labels of the portals of one node.
    pub(super) fn fill(
        &mut self,
        mesh: &NavMesh,
        level: &Level,
        tables: &Tables,
        node: usize,
        search: &mut NodeSearch,
    ) {
        search.set(tables, mesh, &level.polygons_by_node[node], node);
        let portals = &tables.nodes[node].portals;
        let slot_of = |portal: u32| portals.iter().position(|&other| other == portal).expect("a hub is in its node");
        let regions: Vec<u32> = portals.iter().map(|&portal| self.region_by_portal[portal as usize]).collect();
        for number in self.first_region[node]..self.first_region[node + 1] {
            let region = self.regions[number as usize];
            let is_inside = |slot: u16| (number..region.after).contains(&regions[usize::from(slot)]);
            for place in 0..region.hubs {
                let hub = self.hubs[(region.first_hub + place) as usize];
                search.run_over(&[(slot_of(hub) as u16, 0)], None, is_inside);
                for (slot, &portal) in (0..).zip(portals) {
                    if is_inside(slot) {
                        let entry = (self.first_by_portal[portal as usize] + region.before + place) as usize;
                        self.costs[entry] = search.costs[usize::from(slot)];
                        self.next[entry] = search.before[usize::from(slot)];
                    }
                }
            }
        }
    }

    /// Computes the labels of the portals of one node anew, and returns the portals whose labels this has changed.
    pub(super) fn refill(
        &mut self,
        mesh: &NavMesh,
        level: &Level,
        tables: &Tables,
        node: usize,
        search: &mut NodeSearch,
    ) -> Vec<u32> {
        let portals = &tables.nodes[node].portals;
        let copy = |labels: &Labels, portal: u32| {
            let range = labels.label(portal);
            (labels.costs[range.clone()].to_vec(), labels.next[range].to_vec())
        };
        let old: Vec<_> = portals.iter().map(|&portal| copy(self, portal)).collect();
        self.fill(mesh, level, tables, node, search);
        let pairs = portals.iter().zip(old);
        pairs.filter(|(portal, old)| copy(self, **portal) != *old).map(|(&portal, _)| portal).collect()
    }

    /// Returns the label of a portal.
    fn label(&self, portal: u32) -> std::ops::Range<usize> {
        let first = self.first_by_portal[portal as usize] as usize;
        let region = self.regions.get(self.region_by_portal[portal as usize] as usize);
        first..first + region.map_or(0, |region| (region.before + region.hubs) as usize)
    }

    /// Returns whether the labels tell the ways inside a node that has at least two polygons.
    pub(super) fn cover(&self, node: u32) -> bool {
        self.first_region[node as usize] < self.first_region[node as usize + 1]
    }

    /// Returns how many entries the labels have in common that lead between two polygons of one node.
    fn common(&self, mut a: u32, mut b: u32) -> usize {
        while a != b {
            let deeper = if a > b { &mut a } else { &mut b };
            *deeper = self.regions[*deeper as usize].parent;
        }
        self.regions.get(a as usize).map_or(0, |region| (region.before + region.hubs) as usize)
    }

    /// Returns the cheapest way between two points in different polygons of a node that does not leave the node, or `None`
    /// if there is none. `sums` is working memory.
    pub(super) fn inside(
        &self,
        tables: &Tables,
        ends: [(&Connection, u32); 2],
        sums: &mut [Vec<u32>; 2],
    ) -> Option<Inside> {
        let [from, to] = ends.map(|(_, polygon)| self.region_by_polygon[polygon as usize]);
        let common = self.common(from, to);
        for ((end, _), sums) in ends.iter().zip(&mut *sums) {
            let portals = &tables.nodes[end.node as usize].portals;
            sums.clear();
            sums.resize(common, NO_WAY);
            for &(exit, cost) in &end.exits {
                let label = &self.costs[self.label(portals[usize::from(exit)])];
                for (sum, &rest) in sums.iter_mut().zip(label) {
                    *sum = (*sum).min(add(rest, cost));
                }
            }
        }
        let both = || sums[0].iter().zip(&sums[1]).map(|(&a, &b)| add(a, b));
        let cost = both().fold(NO_WAY, u32::min);
        let entry = both().position(|sum| sum == cost)?;
        (cost != NO_WAY).then_some(Inside { cost, entry })
    }

    /// Appends the portals of the way from a point to the hub of an entry, which is the last of them.
    pub(super) fn unroll(&self, tables: &Tables, end: &Connection, inside: Inside, out: &mut Vec<u32>) {
        let portals = &tables.nodes[end.node as usize].portals;
        let entry = |portal: u32| self.label(portal).start + inside.entry;
        let total = |&(exit, cost): &(u16, u32)| {
            let label = self.label(portals[usize::from(exit)]);
            if inside.entry < label.len() { add(self.costs[label.start + inside.entry], cost) } else { NO_WAY }
        };
        let &(exit, _) = end.exits.iter().min_by_key(|&exit| total(exit)).expect("the way begins at a portal");
        let mut at = usize::from(exit);
        loop {
            out.push(portals[at]);
            let next = usize::from(self.next[entry(portals[at])]);
            if next == at {
                return;
            }
            at = next;
        }
    }

    /// Returns the label of a portal: where it begins among all, its costs and its ways.
    pub(super) fn flat_label(&self, portal: u32) -> (u32, &[u32], &[u16]) {
        let range = self.label(portal);
        (range.start as u32, &self.costs[range.clone()], &self.next[range])
    }

    pub(super) fn flatten(&self, flat: &mut FlatRows) {
        flat.region_by_polygon.clone_from(&self.region_by_polygon);
        flat.first_label.clone_from(&self.first_by_portal);
        let portals = 0..self.first_by_portal.len() as u32;
        flat.label_lengths = portals.map(|portal| self.label(portal).len() as u32).collect();
        flat.region_parents = self.regions.iter().map(|region| region.parent).collect();
        flat.region_ends = self.regions.iter().map(|region| region.before + region.hubs).collect();
        flat.label_costs.clone_from(&self.costs);
        flat.label_next.clone_from(&self.next);
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.regions)
            + held(&self.first_region)
            + held(&self.hubs)
            + held(&self.region_by_polygon)
            + held(&self.region_by_portal)
            + held(&self.first_by_portal)
            + held(&self.costs)
            + held(&self.next)
    }
}
