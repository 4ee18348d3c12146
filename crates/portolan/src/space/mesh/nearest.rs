//! The point of a mesh that is nearest to a place. Of each polygon, the point that is nearest in the plan counts, with its
//! height: on a steep polygon another one may be a little nearer in space.
//!
//! Not here: the buckets that make it quick (`locate.rs`).

use super::plan::{Spot, nearest_on};
use super::{MeshPoint, NavMesh};

impl NavMesh {
    /// Returns the free point nearest to these coordinates: in the plan and in height. `None` if every polygon is blocked.
    pub fn nearest(&self, at: [f64; 3]) -> Option<MeshPoint> {
        let height = (at[2] - self.shape.origin[2]) / self.shape.step;
        self.nearest_where(self.in_steps([at[0], at[1]]), height, |polygon| self.is_free(polygon))
    }

    /// Returns the point nearest to a place among those reachable from `from`.
    pub(super) fn nearest_reached(&self, from: MeshPoint, to: MeshPoint) -> Option<MeshPoint> {
        let home = self.component_of(from.polygon)?;
        let reached = self.components.reached(home);
        let is_reached = |polygon: u32| {
            self.component_of(polygon).is_some_and(|component| component == home || reached.contains(&component))
        };
        self.nearest_where(to.spot(), self.height_in_steps(to), is_reached)
    }

    /// Returns the nearest point of the polygons for which `is_wanted` is true. Of equally near polygons it is the one with
    /// the least number.
    fn nearest_where(&self, to: Spot, height: f64, is_wanted: impl Fn(u32) -> bool) -> Option<MeshPoint> {
        let mut best: Option<(f64, MeshPoint)> = None;
        self.buckets.around(to, |polygon| {
            if is_wanted(polygon) {
                let point = MeshPoint::new(polygon, self.nearest_in(polygon, to));
                let up = self.height_in_steps(point) - height;
                let square = point.spot().square_to(to) as f64 + up * up;
                let is_better = |&(least, known): &(f64, MeshPoint)| {
                    square.total_cmp(&least).then(polygon.cmp(&known.polygon)).is_lt()
                };
                if best.as_ref().is_none_or(is_better) {
                    best = Some((square, point));
                }
            }
            best.map_or(f64::INFINITY, |(square, _)| square.sqrt())
        });
        best.map(|(_, point)| point)
    }

    /// Returns the point of a polygon that is nearest to a point of the plan.
    fn nearest_in(&self, polygon: u32, to: Spot) -> Spot {
        if self.shape.covers(polygon as usize, to) {
            return to;
        }
        let feet = self.shape.edges(polygon as usize).map(|edge| nearest_on(edge, to));
        feet.min_by_key(|foot| foot.square_to(to)).expect("a polygon has edges")
    }
}
