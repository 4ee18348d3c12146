//! The levels of HNA*: the nodes that polygons are merged into, level by level. They depend on the shape of the mesh
//! alone and not on weights, so that edits do not change them. A patch of the mesh divides some nodes anew (`patch.rs`).
//!
//! Not here: what the nodes of the level that is searched keep (`tables.rs`).

use crate::chart::shared::partition::{Graph, Splitter};
use crate::memory::held;
use crate::space::mesh::NavMesh;
use crate::space::mesh::shape::Shape;

/// The most portals that the polygons of one node may have: tables number them by 16 bits, and rows of costs between
/// inter-edges by 15.
const MOST_PORTALS: usize = (1 << 15) - 1;

/// A level with fewer nodes than this would leave most starts and goals in one node, where the hierarchy is of no use.
const LEAST_NODES: usize = 8;

/// One level: a division of all polygons into connected sets of polygons. The passage of a link that leads both ways between
/// polygons of one node belongs to that node. Every other passage is a node of its own, after all others, and the ends of its link
/// are inter-edges: so ways through a node with more than a passage cost the same there and back.
#[derive(Clone)]
pub(in crate::chart) struct Level {
    pub(in crate::chart) node_by_polygon: Vec<u32>,
    /// The polygons and passages of each node, in the order of their numbers.
    pub(in crate::chart) polygons_by_node: Vec<Vec<u32>>,
    /// How many passages there are.
    passages: usize,
}

impl Level {
    /// Returns the level with these nodes.
    pub(super) fn new(shape: &Shape, node_by_polygon: Vec<u32>, polygons_by_node: Vec<Vec<u32>>) -> Level {
        let mut level = Level { node_by_polygon, polygons_by_node, passages: shape.links.len() };
        level.add_passages(shape);
        level
    }

    /// Returns the level with these nodes, which contain every polygon once.
    pub(super) fn of_nodes(shape: &Shape, polygons_by_node: Vec<Vec<u32>>) -> Level {
        let mut node_by_polygon = vec![0; shape.polygons()];
        for (number, node) in (0..).zip(&polygons_by_node) {
            for &polygon in node {
                node_by_polygon[polygon as usize] = number;
            }
        }
        Level::new(shape, node_by_polygon, polygons_by_node)
    }

    /// Returns whether a portal leads from one node into another: whether it is an inter-edge.
    pub(super) fn divides(&self, shape: &Shape, portal: u32) -> bool {
        let [a, b] = shape.portals[portal as usize].polygons;
        self.node_by_polygon[a as usize] != self.node_by_polygon[b as usize]
    }

    /// Returns how many nodes have polygons and not only the passage of a link.
    pub(super) fn nodes(&self, mesh: &NavMesh) -> usize {
        let has_ground = |polygons: &&Vec<u32>| (polygons[0] as usize) < mesh.polygons();
        self.polygons_by_node.iter().take_while(has_ground).count()
    }

    /// Returns the node of every polygon, without those of passages.
    pub(super) fn ground(&self) -> &[u32] {
        &self.node_by_polygon[..self.node_by_polygon.len() - self.passages]
    }

    /// Adds the passages of links to the nodes.
    fn add_passages(&mut self, shape: &Shape) {
        for (passage, link) in (shape.polygons() as u32..).zip(&shape.links) {
            let [from, to] = link.ends.map(|end| self.node_by_polygon[end.polygon as usize]);
            let node = if from == to && link.both_ways { from } else { self.polygons_by_node.len() as u32 };
            if node as usize == self.polygons_by_node.len() {
                self.polygons_by_node.push(Vec::new());
            }
            self.polygons_by_node[node as usize].push(passage);
            self.node_by_polygon.push(node);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.node_by_polygon)
            + held(&self.polygons_by_node)
            + self.polygons_by_node.iter().map(held).sum::<usize>()
    }
}

/// The polygons of a mesh as a graph that can be divided: an edge for each portal.
pub(in crate::chart) struct PolygonGraph {
    first_out: Vec<u32>,
    heads: Vec<u32>,
    places: Vec<(i32, i32)>,
}

impl PolygonGraph {
    pub(in crate::chart) fn of(shape: &Shape) -> PolygonGraph {
        let (mut first_out, mut heads) = (vec![0], Vec::new());
        for polygon in 0..shape.polygons() as u32 {
            let beyond = |&portal: &u32| {
                let is_end = shape.is_link_end(portal);
                if is_end { shape.polygon_of_end(shape.other_end(portal)) } else { shape.beyond(portal, polygon) }
            };
            heads.extend(shape.exits(polygon).iter().map(beyond));
            first_out.push(heads.len() as u32);
        }
        let places = shape.centres.iter().map(|at| (at.x, at.y)).collect();
        PolygonGraph { first_out, heads, places }
    }

    pub(in crate::chart) fn graph(&self) -> Graph<'_> {
        Graph { first_out: &self.first_out, heads: &self.heads, places: &self.places }
    }
}

/// How a mesh is divided into levels.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::chart) struct Division {
    /// The most levels.
    pub(super) levels: u32,
    /// About how many polygons a node of the lowest level has, and about how many nodes every further level merges.
    pub(super) merged: usize,
}

impl Division {
    /// Returns how many levels a mesh of so many polygons has; there are fewer if it is too small for them.
    pub(super) fn highest(self, polygons: usize) -> u32 {
        let fits = |level: &u32| self.merged.checked_pow(*level).is_some_and(|size| size <= polygons / LEAST_NODES);
        (1..=self.levels).rev().find(fits).unwrap_or(1)
    }
}

/// Divides a mesh into levels, the lowest first. The highest level is divided first, since that is the one that is searched,
/// and then each node on its own.
pub(super) fn levels(mesh: &NavMesh, division: Division) -> Vec<Level> {
    let shape = &*mesh.shape;
    let polygons = PolygonGraph::of(shape);
    let graph = polygons.graph();
    let mut splitter = Splitter::new(&graph);
    let mut nodes: Vec<Vec<u32>> = vec![(0..shape.polygons() as u32).collect()];
    let mut levels = Vec::new();
    for level in (1..=division.highest(shape.polygons())).rev() {
        nodes = divide(shape, &mut splitter, &nodes, node_size(division.merged, level));
        levels.push(Level::of_nodes(shape, nodes.clone()));
    }
    levels.reverse();
    levels
}

/// Returns about how many polygons a node of a level has.
pub(super) fn node_size(merged: usize, level: u32) -> usize {
    merged.checked_pow(level).unwrap_or(usize::MAX).min(MOST_PORTALS / 4)
}

/// Divides sets of polygons into connected nodes of about this size, none of which has too many portals.
pub(super) fn divide(shape: &Shape, splitter: &mut Splitter, sets: &[Vec<u32>], size: usize) -> Vec<Vec<u32>> {
    let mut nodes: Vec<Vec<u32>> = sets.iter().flat_map(|set| splitter.split(set, size)).collect();
    let is_too_large = |node: &Vec<u32>| !have_few_portals(shape, node);
    while nodes.iter().any(is_too_large) {
        nodes = nodes
            .into_iter()
            .flat_map(|node| {
                let size = if is_too_large(&node) { node.len() / 2 } else { node.len() };
                splitter.split(&node, size.max(1))
            })
            .collect();
    }
    nodes
}

/// Returns whether the portals of these polygons can be numbered in a table.
pub(super) fn have_few_portals(shape: &Shape, polygons: &[u32]) -> bool {
    portals(shape, polygons) <= MOST_PORTALS
}

/// Returns a bound on the number of portals that these polygons have. A single polygon never has too many.
fn portals(shape: &Shape, polygons: &[u32]) -> usize {
    if polygons.len() < 2 { 0 } else { polygons.iter().map(|&polygon| shape.exits(polygon).len()).sum() }
}
