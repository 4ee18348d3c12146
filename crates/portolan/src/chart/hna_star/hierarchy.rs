//! The levels of HNA*: the nodes that polygons are merged into, level by level. They depend on the shape of the mesh
//! alone and not on weights, so that edits do not change them.
//!
//! Not here: what the nodes of the level that is searched keep (`tables.rs`).

use crate::chart::shared::partition::{Graph, Splitter};
use crate::memory::held;
use crate::space::mesh::NavMesh;
use crate::space::mesh::shape::Shape;

/// The most portals that the polygons of one node may have: tables number them by 16 bits.
const MOST_PORTALS: usize = u16::MAX as usize;

/// A level with fewer nodes than this would leave most starts and goals in one node, where the hierarchy is of no use.
const LEAST_NODES: usize = 8;

/// One level: a division of all polygons into connected sets of polygons.
#[derive(Clone)]
pub(super) struct Level {
    pub(super) node_by_polygon: Vec<u32>,
    /// The polygons of each node, in the order of their numbers.
    pub(super) polygons_by_node: Vec<Vec<u32>>,
}

impl Level {
    /// Returns whether a portal leads from one node into another: whether it is an inter-edge.
    pub(super) fn divides(&self, shape: &Shape, portal: u32) -> bool {
        let [a, b] = shape.portals[portal as usize].polygons;
        self.node_by_polygon[a as usize] != self.node_by_polygon[b as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.node_by_polygon)
            + held(&self.polygons_by_node)
            + self.polygons_by_node.iter().map(held).sum::<usize>()
    }
}

/// Divides a mesh into up to `count` levels, the lowest first; there are fewer if the mesh is too small for them. Nodes of the lowest level have about `merged` polygons, and every
/// further level merges about `merged` nodes of the one below. The highest level is divided first, since that is the one
/// that is searched, and then each node on its own.
pub(super) fn levels(mesh: &NavMesh, count: u32, merged: usize) -> Vec<Level> {
    let shape = &*mesh.shape;
    let (mut first_out, mut heads) = (vec![0], Vec::new());
    for polygon in 0..shape.polygons() as u32 {
        heads.extend(shape.exits(polygon).iter().map(|&portal| shape.beyond(portal, polygon)));
        first_out.push(heads.len() as u32);
    }
    let places: Vec<(i32, i32)> = shape.centres.iter().map(|at| (at.x, at.y)).collect();
    let graph = Graph { first_out: &first_out, heads: &heads, places: &places };
    let mut splitter = Splitter::new(&graph);
    let mut nodes: Vec<Vec<u32>> = vec![(0..shape.polygons() as u32).collect()];
    let mut levels = Vec::new();
    let fits = |level: &u32| merged.checked_pow(*level).is_some_and(|size| size <= shape.polygons() / LEAST_NODES);
    let highest = (1..=count).rev().find(fits).unwrap_or(1);
    for level in (1..=highest).rev() {
        let size = merged.checked_pow(level).unwrap_or(usize::MAX).min(MOST_PORTALS / 4);
        nodes = nodes.iter().flat_map(|node| splitter.split(node, size)).collect();
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
        let mut node_by_polygon = vec![0; shape.polygons()];
        for (number, node) in (0..).zip(&nodes) {
            for &polygon in node {
                node_by_polygon[polygon as usize] = number;
            }
        }
        levels.push(Level { node_by_polygon, polygons_by_node: nodes.clone() });
    }
    levels.reverse();
    levels
}

/// Returns whether the portals of these polygons can be numbered in a table.
pub(super) fn have_few_portals(shape: &Shape, polygons: &[u32]) -> bool {
    portals(shape, polygons) <= MOST_PORTALS
}

/// Returns a bound on the number of portals that these polygons have. A single polygon never has too many.
fn portals(shape: &Shape, polygons: &[u32]) -> usize {
    if polygons.len() < 2 { 0 } else { polygons.iter().map(|&polygon| shape.exits(polygon).len()).sum() }
}
