//! Straight lines over a mesh: the portals that a line passes, and what it costs.
//!
//! Lines lead over ground alone, never over links. A line is legal if there is a chain of polygons from its beginning to its end, each joined to the next by a portal that
//! the line meets. Whether two lines meet is exact ([`super::plan`]), but points on edges are rounded, so that the portal at
//! the point where a line begins or ends may be a step away.
//!
//! Not here: where a route should turn (`route/funnel.rs`).

use super::plan::{Spot, meet, side};
use super::{MeshPoint, NavMesh};
use crate::cost::Cost;

/// Working memory for finding the polygons under a line.
#[derive(Clone, Default)]
pub(crate) struct LineScratch {
    /// The portals of the chain, in order.
    chain: Vec<u32>,
    /// The polygons looked at.
    visited: Vec<u32>,
    /// Polygons still to be looked at: each with the length of the chain before it, and the portal that leads to it.
    ahead: Vec<(usize, u32, u32)>,
}

impl LineScratch {
    pub(crate) fn bytes(&self) -> usize {
        use crate::memory::held;
        held(&self.chain) + held(&self.visited) + held(&self.ahead)
    }
}

impl NavMesh {
    /// Returns the cost of the straight line between two points, or `None` if it does not lie on free polygons.
    pub(crate) fn line(&self, from: MeshPoint, to: MeshPoint, scratch: &mut LineScratch) -> Option<Cost> {
        self.find_chain(from, to, scratch).then(|| Cost(self.weighed(from, to, &scratch.chain).round() as u32))
    }

    /// Returns the length of a line that is known to be legal, times the weights under it.
    pub(crate) fn line_length(&self, from: MeshPoint, to: MeshPoint) -> f64 {
        if let Some(weight) = self.uniform_weight() {
            return from.spot().distance(to.spot()) * f64::from(weight);
        }
        let mut scratch = LineScratch::default();
        if self.find_chain(from, to, &mut scratch) { self.weighed(from, to, &scratch.chain) } else { 0.0 }
    }

    /// Calls `visit` with each polygon that a legal line enters after its first, and the point where it enters.
    pub(crate) fn for_each_entry(&self, from: MeshPoint, to: MeshPoint, mut visit: impl FnMut(MeshPoint)) {
        let mut scratch = LineScratch::default();
        if !self.find_chain(from, to, &mut scratch) {
            return;
        }
        let (a, b) = (from.spot(), to.spot());
        let mut polygon = from.polygon;
        let mut along = 0.0_f64;
        for &portal in &scratch.chain {
            along = along.max(self.share(a, b, portal, polygon)).min(1.0);
            polygon = self.shape.beyond(portal, polygon);
            let at = |from: i32, to: i32| from + (f64::from(to - from) * along).round() as i32;
            visit(MeshPoint::new(polygon, Spot { x: at(a.x, b.x), y: at(a.y, b.y) }));
        }
    }

    /// Finds portals that the line passes from the polygon of one point to that of the other. Returns whether there are
    /// such portals.
    fn find_chain(&self, from: MeshPoint, to: MeshPoint, scratch: &mut LineScratch) -> bool {
        let LineScratch { chain, visited, ahead } = scratch;
        chain.clear();
        visited.clear();
        ahead.clear();
        if !self.is_free(from.polygon) || !self.is_free(to.polygon) {
            return false;
        }
        let line = [from.spot(), to.spot()];
        let mut polygon = from.polygon;
        loop {
            if polygon == to.polygon {
                return true;
            }
            visited.push(polygon);
            for &portal in self.shape.exits(polygon) {
                if self.shape.is_link_end(portal) {
                    break;
                }
                let next = self.shape.beyond(portal, polygon);
                if chain.last() == Some(&portal) || !self.is_free(next) || visited.contains(&next) {
                    continue;
                }
                if meet(line, self.shape.ends(portal, polygon)) || self.ends_at(from, to, polygon, next) {
                    ahead.push((chain.len(), portal, next));
                }
            }
            loop {
                let Some((before, portal, next)) = ahead.pop() else { return false };
                if visited.contains(&next) {
                    continue;
                }
                chain.truncate(before);
                chain.push(portal);
                polygon = next;
                break;
            }
        }
    }

    /// Returns whether the line begins or ends where these two polygons touch, one of which has its beginning or end. A point
    /// on an edge is rounded, so that the line may end a step before a portal or begin a step behind it.
    fn ends_at(&self, from: MeshPoint, to: MeshPoint, polygon: u32, next: u32) -> bool {
        next == to.polygon && self.shape.covers(polygon as usize, to.spot())
            || polygon == from.polygon && self.shape.covers(next as usize, from.spot())
    }

    /// Returns the length of the line over these portals, times the weights under it, in steps.
    fn weighed(&self, from: MeshPoint, to: MeshPoint, chain: &[u32]) -> f64 {
        let (a, b) = (from.spot(), to.spot());
        let length = a.distance(b);
        if let Some(weight) = self.uniform_weight() {
            return length * f64::from(weight);
        }
        let (mut polygon, mut along, mut sum) = (from.polygon, 0.0_f64, 0.0);
        for &portal in chain {
            let next = self.share(a, b, portal, polygon).clamp(along, 1.0);
            sum += f64::from(self.weight(polygon)) * (next - along);
            along = next;
            polygon = self.shape.beyond(portal, polygon);
        }
        (sum + f64::from(self.weight(polygon)) * (1.0 - along)) * length
    }

    /// Returns how far along the line it meets a portal: 0 at its beginning, 1 at its end.
    fn share(&self, a: Spot, b: Spot, portal: u32, polygon: u32) -> f64 {
        let [u, v] = self.shape.ends(portal, polygon);
        let [from_u, from_v] = [side(a, b, u), side(a, b, v)];
        let (dx, dy) = (f64::from(b.x - a.x), f64::from(b.y - a.y));
        let square = dx * dx + dy * dy;
        let along = |x: f64, y: f64| if square == 0.0 { 0.0 } else { (x * dx + y * dy) / square };
        let to = |at: Spot| along(f64::from(at.x - a.x), f64::from(at.y - a.y));
        if from_u == from_v {
            return to(u).min(to(v));
        }
        let part = from_u as f64 / (from_u - from_v) as f64;
        to(u) + (to(v) - to(u)) * part
    }
}
