//! What edits have changed in the flat arrays of a planner: [`Planner::flat_since`](crate::Planner::flat_since).
//!
//! Not here: the arrays themselves.

use super::FlatOpenList;
use crate::Revision;
use crate::space::mesh::NavMesh;
use crate::space::{Snapshot, Space};
use std::sync::Arc;

/// Notes of which state of which planner flat arrays are. [`Planner::flat_mark`](crate::Planner::flat_mark) returns it.
#[derive(Clone)]
pub struct FlatMark<S: Space> {
    /// The number of the planner's chart, which repairs do not change.
    pub(crate) chart: u64,
    /// The state of the arrays as their method numbers it.
    pub(crate) state: u64,
    pub(crate) world: Snapshot<S>,
}

impl<S: Space> FlatMark<S> {
    /// Returns the revision of the world of that state.
    pub fn revision(&self) -> Revision {
        self.world.revision()
    }
}

/// What edits have changed in the flat arrays of a mesh and its chart. It reads the planner's own arrays.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatPatch<'a> {
    /// The polygons that have another weight, and their weights.
    pub weights: Vec<(u32, u8)>,
    /// The least weight of a free polygon.
    pub least_weight: u8,
    /// The open lists of the searches, as far as there are any.
    pub lists: [FlatOpenList; 2],
    /// The nodes whose tables were computed anew, and what has changed there.
    pub nodes: Vec<FlatNodePatch<'a>>,
    /// The parts of the rows between inter-edges that have changed.
    pub rows: Vec<FlatRowPatch<'a>>,
}

/// The entries of one row of [`FlatRows`](super::FlatRows) for the inter-edges of one node.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatRowPatch<'a> {
    /// The number of the inter-edge whose row it is.
    pub inter_edge: u32,
    /// The number of the node.
    pub node: u32,
    /// The costs of the ways to each inter-edge of the node.
    pub costs: &'a [u32],
    /// The first hops of these ways.
    pub hops: &'a [u16],
}

/// What has changed in the tables of one node.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatNodePatch<'a> {
    /// The number of the node.
    pub node: u32,
    /// Changed rows of costs: portals of the node, each with the costs from it to every inter-edge.
    pub costs: Vec<(u32, &'a [u32])>,
    /// Changed rows of next portals: inter-edges of the node, each with the next portal on the way to it from every portal.
    pub next: Vec<(u32, &'a [u16])>,
    /// Changed labels of its portals, each with where it begins in the list of all labels.
    pub labels: Vec<(u32, &'a [u32], &'a [u16])>,
}

impl FlatPatch<'_> {
    /// Returns which weights of a mesh differ from those before edits, or `None` if it is not the same mesh.
    pub(crate) fn of_mesh(mesh: &NavMesh, before: &NavMesh) -> Option<FlatPatch<'static>> {
        if !Arc::ptr_eq(&mesh.shape, &before.shape) {
            return None;
        }
        let weights = mesh.weights_unlike(before);
        Some(FlatPatch { weights, least_weight: mesh.least_weight(), ..FlatPatch::default() })
    }
}
