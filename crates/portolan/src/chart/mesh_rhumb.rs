//! The rhumb chart of a navigation mesh: routes without a search.
//!
//! **Idea.** Polygons are merged into nodes as in HNA*, and the chart keeps the cost from every portal of a node to its
//! inter-edges, and from every inter-edge to every other. A query adds rows: from the start to the inter-edges of its node,
//! from these to those of the goal's node, and from these to the goal; the least sum tells the route, which is then unrolled
//! from inter-edge to inter-edge and portal to portal. There is no queue.
//! **Use** it on meshes of up to some hundred thousand polygons that seldom change.
//! **Promises** a route where there is one. The corridor costs what the cheapest one costs, measured by the middles of its
//! portals, as with A* and HNA*.
//! **Costs** some thousand additions and comparisons. With n polygons there are about the cube root of n nodes, and the rows take
//! memory in proportion to the power 4/3 of n. An edit computes its nodes' tables and all rows between inter-edges anew, which takes
//! a third of the time of a build or less.
//! **Departs** from the rhumb chart of square grids in having one level of cuts and all costs between them, in place of nested
//! lines: on a mesh of twenty thousand polygons there are some hundreds of inter-edges, and all pairs of them take a few megabytes.

use super::hna_star::HnaStar;
use crate::algorithm::{Algorithm, Promise};
use crate::space::Motion;
use crate::space::mesh::NavMesh;

/// The least polygons of a node.
const LEAST: usize = 256;

pub(crate) const ALGORITHM: Algorithm<NavMesh> = Algorithm {
    name: "rhumb",
    title: "Rhumb chart",
    summary: "no search: rows of costs between all inter-edges of a mesh, added and compared",
    paper: "this project; after Rahmani 2020",
    motion: Motion::AnyAngle,
    promise: |_, _| Promise::Complete,
    open: Some(|mesh, _, sections| Ok(Box::new(HnaStar::opened_with_rows(mesh, sections)?))),
    ..Algorithm::flat(|mesh, _| Box::new(HnaStar::with_rows(mesh, node_size(mesh.polygons()))))
};

/// Returns how many polygons a node has: the power 2/3 of all, but enough nodes are left.
fn node_size(polygons: usize) -> usize {
    let root = (1..polygons).find(|&root| root * root * root >= polygons).unwrap_or(1);
    (root * root).max(LEAST).min(polygons / 8).max(2)
}
