//! A navigation mesh as searches see it: nodes are the portals, then the polygons. A search goes from the polygon of its
//! start over portals to the polygon of its goal, and every edge leads through one polygon, or over a link from one of its ends
//! to the other.
//!
//! Not here: turning portals into a route (`route/funnel.rs`).

use super::{Estimate, Graph};
use crate::id::NodeId;
use crate::settings::Param;
use crate::space::mesh::links::bound::LowerBound;
use crate::space::mesh::plan::Spot;
use crate::space::mesh::shape::{Portal, distance_up};
use crate::space::mesh::{MeshPoint, NavMesh};

/// The parameter that says how ways through polygons are measured.
pub(crate) const MEASURE: Param = Param::choice(
    "measure",
    "how a corridor is measured: between the middles of its portals, or between the centres of its polygons",
    &["middles", "centres"],
);

/// The portals between two points of a mesh. Measured by middles, the way through a polygon costs the distance between the
/// middles of two portals. Measured by centres, passing a portal costs the distance between the centres of its polygons, of
/// which each of the two edges at the portal counts half. A link costs the same by both measures; by centres, the ground before
/// it counts from the centre of its polygon.
pub(crate) struct MeshGraph<'a> {
    pub(crate) mesh: &'a NavMesh,
    pub(crate) from: MeshPoint,
    pub(crate) to: MeshPoint,
    pub(crate) by_centres: bool,
}

impl MeshGraph<'_> {
    /// Returns the node of a polygon.
    pub(crate) fn node(&self, polygon: u32) -> NodeId {
        NodeId(self.mesh.shape.portals.len() as u32 + polygon)
    }

    /// Returns the node at which the search ends: that of the goal's polygon. If the start lies on that polygon too, it is
    /// another one, after those of all polygons: a way from the start over links may come back to the polygon.
    pub(crate) fn goal(&self) -> NodeId {
        let again = if self.is_on_one_polygon() { self.mesh.polygons() as u32 } else { 0 };
        NodeId(self.node(self.to.polygon).0 + again)
    }

    /// Returns whether start and goal lie on one polygon. Only links that cost less than the line between their ends then
    /// make a search worth it.
    pub(crate) fn is_on_one_polygon(&self) -> bool {
        self.from.polygon == self.to.polygon
    }

    /// Returns the greatest number of nodes of a graph on a mesh.
    pub(crate) fn most_nodes(mesh: &NavMesh) -> usize {
        mesh.shape.portals.len() + mesh.polygons() * (1 + usize::from(mesh.has_short_cuts()))
    }

    /// Returns half of the cost of passing a portal, measured by centres and rounded up.
    fn half(&self, portal: u32) -> u32 {
        let Portal { polygons: [a, b], .. } = self.mesh.shape.portals[portal as usize];
        let centres = &self.mesh.shape.centres;
        if self.mesh.shape.is_link_end(portal) {
            let end = self.mesh.shape.middles[portal as usize];
            return distance_up(centres[a as usize], end) * self.mesh.weight(a);
        }
        let weights = self.mesh.weight(a) + self.mesh.weight(b);
        let distance = u64::from(distance_up(centres[a as usize], centres[b as usize]));
        // Half of the sum of the weights is their mean, and this is half of the way: hence a quarter.
        (distance * u64::from(weights)).div_ceil(4) as u32
    }

    /// Returns the cost from a point of a polygon to the middle of one of its portals, for the edges at start and goal.
    fn to_end(&self, at: Spot, polygon: u32, portal: u32) -> u32 {
        if self.by_centres {
            self.half(portal)
        } else {
            distance_up(at, self.mesh.shape.middles[portal as usize]) * self.mesh.weight(polygon)
        }
    }

    /// Returns the polygon by which a search came from one node to a portal. `None` if it may be either of the two
    /// polygons.
    #[inline(always)]
    fn came_through(&self, portal: Portal, before: NodeId) -> Option<u32> {
        let [a, b] = portal.polygons;
        let Some(before) = self.mesh.shape.portals.get(before.index()) else {
            return Some(before.0 - self.mesh.shape.portals.len() as u32);
        };
        match (before.polygons.contains(&a), before.polygons.contains(&b)) {
            (true, false) => Some(a),
            (false, true) => Some(b),
            _ => None,
        }
    }

    #[inline(always)]
    fn through(&self, polygon: u32, portal: NodeId, visit: &mut impl FnMut(NodeId, u32, NodeId)) {
        let (shape, weight) = (&self.mesh.shape, self.mesh.weight(polygon));
        if weight == 0 {
            return;
        }
        if polygon as usize >= shape.polygons() {
            let other = shape.other_end(portal.0);
            if let Some(cost) = shape.cost_from_end(portal.0).filter(|_| self.mesh.is_free(shape.polygon_of_end(other)))
            {
                visit(NodeId(other), cost, portal);
            }
            return;
        }
        if polygon == self.to.polygon {
            visit(self.goal(), self.to_end(self.to.spot(), polygon, portal.0), portal);
        }
        let exits = shape.exits(polygon);
        if self.by_centres {
            let half = self.half(portal.0);
            exits
                .iter()
                .filter(|&&exit| exit != portal.0)
                .for_each(|&exit| visit(NodeId(exit), half + self.half(exit), portal));
            return;
        }
        let own = exits.iter().position(|&exit| exit == portal.0).expect("a portal is an exit of its polygons");
        for (&exit, &distance) in exits.iter().zip(shape.crossings(polygon, own)) {
            if exit != portal.0 {
                visit(NodeId(exit), distance * weight, portal);
            }
        }
    }
}

impl Graph for MeshGraph<'_> {
    type Reached = NodeId;
    const PRUNED: bool = false;

    fn node_count(&self) -> usize {
        MeshGraph::most_nodes(self.mesh)
    }

    /// A search that came to a portal through one polygon goes on through the other one. To go on through the same
    /// polygon is no shorter than to have left it by that portal at once.
    #[inline(always)]
    fn for_each_edge(&self, from: NodeId, arrived: NodeId, mut visit: impl FnMut(NodeId, u32, NodeId)) {
        let Some(&portal) = self.mesh.shape.portals.get(from.index()) else {
            let polygon = self.from.polygon;
            if self.is_on_one_polygon() {
                let straight = distance_up(self.from.spot(), self.to.spot());
                visit(self.goal(), straight * self.mesh.weight(polygon), from);
            }
            for &exit in self.mesh.shape.exits(polygon) {
                visit(NodeId(exit), self.to_end(self.from.spot(), polygon, exit), from);
            }
            return;
        };
        let came_through = self.came_through(portal, arrived);
        for polygon in portal.polygons {
            if came_through != Some(polygon) {
                self.through(polygon, from, &mut visit);
            }
        }
    }

    fn greatest_edge(&self) -> u32 {
        (self.mesh.shape.widest() * u32::from(self.mesh.greatest_weight())).max(self.mesh.shape.dearest_link())
    }

    /// Returns a fraction of the greatest cost if costs differ much, so that the open list does not get too many buckets.
    fn typical_edge(&self) -> u32 {
        let typical = self.mesh.shape.typical_crossing() * u32::from(self.mesh.least_weight());
        typical.max(self.greatest_edge() / 1024)
    }
}

/// A lower bound on the cost to a point of the plan. Measured by centres, it is no bound but a guess, as in the thesis that measures
/// so.
pub(crate) struct PlanDistance<'a> {
    pub(crate) mesh: &'a NavMesh,
    pub(crate) bound: LowerBound,
}

impl Estimate for PlanDistance<'_> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        match self.mesh.shape.middles.get(node.index()) {
            Some(&middle) => self.bound.from(middle),
            None => 0,
        }
    }
}
