//! Saving charts of HNA*, and opening them.
//!
//! Saved are the node of every polygon on each level, and for each portal of a node of the highest level the next portal on
//! the way to each inter-edge. Costs follow: those of a way are added up portal by portal. If no step to another portal is
//! cheaper than what was added up anywhere, all ways are cheapest ones, which takes a look at every step where building takes
//! a search. So every chart that opens finds routes as good as a chart that is built; of equally cheap ways it may know
//! another one, and another division of the mesh would do as well.
//!
//! The passages of links are not saved: their nodes follow from those of polygons.
//!
//! Not here: files.

use super::HnaStar;
use super::connect::Pricing;
use super::hierarchy::{self, Division, Level, PolygonGraph};
use super::tables::{NO_WAY, NodeSearch, Tables};
use crate::saved::{OpenError, Reader, SectionStream, Sections, write_numbers};
use crate::space::mesh::NavMesh;
use std::iter::once;

const LEVELS: &str = "levels";
const WAYS: &str = "ways";

/// The cost of a portal whose way is not added up yet.
const UNKNOWN: u32 = NO_WAY - 1;

impl HnaStar {
    /// Returns the chart as sections: the number of levels and the nodes of all polygons, level by level, in four bytes
    /// each; then the next portals, node by node, in two bytes each.
    pub(super) fn sections(&self) -> Vec<SectionStream<'_>> {
        let nodes = self.levels.iter().flat_map(|level| level.ground().iter().copied());
        let ways = || self.tables.nodes.iter().flat_map(|node| node.next.iter().copied());
        let len = 2 * self.tables.nodes.iter().map(|node| node.next.len()).sum::<usize>();
        vec![
            SectionStream::of_words(LEVELS, once(self.levels.len() as u32).chain(nodes)),
            SectionStream::new(WAYS, len, move |out| write_numbers(out, ways().map(u16::to_le_bytes))),
        ]
    }

    /// Makes a chart of what was saved, with up to as many levels as the division has.
    pub(super) fn opened(
        mesh: &NavMesh,
        division: Division,
        pricing: Pricing,
        sections: &Sections,
    ) -> Result<HnaStar, OpenError> {
        let levels = read_levels(mesh, division.levels as usize, &mut sections.take(LEVELS)?)?;
        let top = levels.last().expect("there is at least one level");
        let mut tables = Tables::without_ways(mesh, top, pricing.reads_rows());
        read_ways(mesh, top, &mut tables, &mut sections.take(WAYS)?)?;
        Ok(HnaStar::of(mesh, levels, tables, pricing, division))
    }

    /// Makes a chart of one level, as [`HnaStar::of_nodes`] does, of what was saved.
    pub(in crate::chart) fn opened_nodes(
        mesh: &NavMesh,
        size: usize,
        sections: &Sections,
    ) -> Result<HnaStar, OpenError> {
        HnaStar::opened(mesh, Division { levels: 1, merged: size }, Pricing::of("pccp", "points"), sections)
    }
}

/// Reads the nodes of all polygons. Each node is connected and lies in one node of the next level.
fn read_levels(mesh: &NavMesh, most: usize, reader: &mut Reader) -> Result<Vec<Level>, OpenError> {
    let mut words = Vec::new();
    reader.words(1, &mut words)?;
    let count = words[0] as usize;
    if !(1..=most).contains(&count) {
        return Err(reader.fault(format!("1 to {most} levels"), count.to_string()));
    }
    let mut levels: Vec<Level> = Vec::new();
    for number in 1..=count {
        let mut nodes = Vec::new();
        reader.words(mesh.polygons(), &mut nodes)?;
        let level = level(mesh, nodes).ok_or_else(|| {
            reader.fault("connected nodes that are numbered from 0", format!("others on level {number}"))
        })?;
        if let Some(below) = levels.last()
            && !below.polygons_by_node.iter().all(|node| is_within(&level, node))
        {
            return Err(reader.fault("nodes inside those of the next level", format!("others below level {number}")));
        }
        levels.push(level);
    }
    reader.end()?;
    Ok(levels)
}

/// Returns the level on which polygons lie in these nodes, or `None` if a node is empty, in pieces or too large.
fn level(mesh: &NavMesh, node_by_polygon: Vec<u32>) -> Option<Level> {
    let greatest = *node_by_polygon.iter().max()? as usize;
    if greatest >= mesh.polygons() {
        return None;
    }
    let mut polygons_by_node: Vec<Vec<u32>> = vec![Vec::new(); greatest + 1];
    for (&node, polygon) in node_by_polygon.iter().zip(0..) {
        polygons_by_node[node as usize].push(polygon);
    }
    let polygons = PolygonGraph::of(&mesh.shape);
    let graph = polygons.graph();
    let mut is_found = vec![false; mesh.polygons()];
    let mut stack = Vec::new();
    let is_sound = (0..).zip(&polygons_by_node).all(|(number, node)| {
        let Some(&first) = node.first() else { return false };
        is_found[first as usize] = true;
        stack.push(first);
        let mut found = 0;
        while let Some(polygon) = stack.pop() {
            found += 1;
            for &next in graph.neighbours(polygon) {
                if node_by_polygon[next as usize] == number && !is_found[next as usize] {
                    is_found[next as usize] = true;
                    stack.push(next);
                }
            }
        }
        found == node.len() && hierarchy::have_few_portals(&mesh.shape, node)
    });
    is_sound.then(|| Level::new(&mesh.shape, node_by_polygon, polygons_by_node))
}

/// Returns whether these polygons lie in one node of a level.
fn is_within(level: &Level, polygons: &[u32]) -> bool {
    let node = |polygon: u32| level.node_by_polygon[polygon as usize];
    polygons.iter().all(|&polygon| node(polygon) == node(polygons[0]))
}

/// Reads the ways of all nodes and computes what they cost.
fn read_ways(mesh: &NavMesh, level: &Level, tables: &mut Tables, reader: &mut Reader) -> Result<(), OpenError> {
    let mut search = NodeSearch::default();
    let mut check = WayCheck::default();
    for (number, polygons) in level.polygons_by_node.iter().enumerate() {
        let (count, borders) = (tables.nodes[number].portals.len(), tables.nodes[number].borders);
        let bytes = reader.bytes(2 * count * borders)?;
        let next: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        search.set(tables, mesh, polygons, number);
        let mut columns = Vec::with_capacity(borders);
        for border in 0..borders {
            let is_cheapest = check.add_up(&search, &next[border * count..(border + 1) * count], border);
            if !is_cheapest {
                return Err(reader.fault("cheapest ways", format!("others to inter-edge {border} of node {number}")));
            }
            columns.push(check.costs.clone());
        }
        tables.set_ways(number, next, &columns);
    }
    reader.end()
}

/// Working memory for adding up ways.
#[derive(Default)]
struct WayCheck {
    /// What the way from each portal costs.
    costs: Vec<u32>,
    /// The portals on the way that is being added up.
    chain: Vec<usize>,
}

impl WayCheck {
    /// Adds up the ways from all portals to an inter-edge. Returns whether they are ways, and none is cheaper.
    fn add_up(&mut self, search: &NodeSearch, next: &[u16], border: usize) -> bool {
        let WayCheck { costs, chain } = self;
        if usize::from(next[border]) != border {
            return false;
        }
        costs.clear();
        costs.resize(next.len(), UNKNOWN);
        costs[border] = 0;
        for start in 0..next.len() {
            let mut at = start;
            chain.clear();
            while costs[at] == UNKNOWN {
                let to = usize::from(next[at]);
                if to == at {
                    costs[at] = NO_WAY;
                } else if to < next.len() && chain.len() < next.len() {
                    chain.push(at);
                    at = to;
                } else {
                    return false; // there is no such portal, or the way leads in a circle
                }
            }
            while let Some(before) = chain.pop() {
                let price = search.edges_of(at).iter().find(|edge| usize::from(edge.0) == before).map(|edge| edge.1);
                let sum = price.and_then(|price| costs[at].checked_add(price)).filter(|&sum| sum < UNKNOWN);
                let Some(sum) = sum else { return false };
                (costs[before], at) = (sum, before);
            }
        }
        let is_least = |portal: usize| {
            search
                .edges_of(portal)
                .iter()
                .all(|&(before, price)| costs[usize::from(before)] <= costs[portal].saturating_add(price))
        };
        (0..next.len()).all(is_least)
    }
}
