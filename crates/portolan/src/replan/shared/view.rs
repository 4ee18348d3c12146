//! What a living search sees of the world during one step ([`View`]).

use crate::id::NodeId;

/// The world as a graph, the estimate to the target, and the root of the search.
pub(super) struct View<'a, S, G, D> {
    pub(super) grid: &'a S,
    pub(super) graph: &'a G,
    pub(super) distance: &'a D,
    pub(super) root: NodeId,
}
