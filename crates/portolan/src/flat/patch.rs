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
    /// The nodes whose tables were computed anew.
    pub nodes: Vec<FlatNodePatch<'a>>,
    /// The costs and hops between all inter-edges as in [`FlatRows`](super::FlatRows), if they were computed anew.
    pub rows: Option<(&'a [u32], &'a [u16])>,
}

/// The tables of one node.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatNodePatch<'a> {
    /// The number of the node.
    pub node: u32,
    /// The costs from each of its portals to each of its inter-edges.
    pub costs: &'a [u32],
    /// For each of its inter-edges the next portal on the way from each of its portals.
    pub next: &'a [u16],
    /// The labels of its portals, each with where it begins in the list of all labels.
    pub labels: Vec<(u32, &'a [u32], &'a [u16])>,
}

impl FlatPatch<'_> {
    /// Returns which weights of a mesh differ from those before edits, or `None` if it is not the same mesh.
    pub(crate) fn of_mesh(mesh: &NavMesh, before: &NavMesh) -> Option<FlatPatch<'static>> {
        if !Arc::ptr_eq(&mesh.shape, &before.shape) {
            return None;
        }
        let polygons = 0..mesh.polygons() as u32;
        let weight =
            |polygon: u32| (mesh.weight(polygon) != before.weight(polygon)).then(|| mesh.weight(polygon) as u8);
        let weights = polygons.filter_map(|polygon| Some((polygon, weight(polygon)?))).collect();
        Some(FlatPatch { weights, least_weight: mesh.least_weight(), ..FlatPatch::default() })
    }
}
