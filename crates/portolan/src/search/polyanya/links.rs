//! Links in Polyanya: which roots are reached by the links on a polygon, and how much estimates are scaled down for links that
//! cost little.
//!
//! Not here: the search loop.

use super::interval::{End, Interval, Point};
use super::{PolyanyaState, Root};
use crate::method::Task;
use crate::probe::Probe;
use crate::space::mesh::NavMesh;

/// Returns what a step of an estimate counts, so that no way is shorter than its estimate. Lengths count plain steps, and
/// all polygons have one weight.
pub(super) fn scale(mesh: &NavMesh) -> f64 {
    if mesh.has_short_cuts() { f64::from(mesh.estimate_scale()) / 256.0 / f64::from(mesh.least_weight()) } else { 1.0 }
}

impl PolyanyaState {
    /// Puts the ends of the links on the open list that begin on the polygon behind an interval.
    pub(super) fn follow_links(&mut self, task: Task<NavMesh>, (from, id): (&Interval, u32), probe: &mut impl Probe) {
        for end in task.grid.shape.link_ends(from.polygon) {
            let at = Point::from(task.grid.shape.middles[end as usize]);
            self.follow(task, end, from.g + from.length_to(at), id, probe);
        }
    }

    /// Puts the ends of the links on the open list that begin on a polygon with a root on it.
    pub(super) fn follow_links_from(
        &mut self,
        task: Task<NavMesh>,
        (polygon, root, g): Root,
        parent: u32,
        probe: &mut impl Probe,
    ) {
        for end in task.grid.shape.link_ends(polygon) {
            let at = Point::from(task.grid.shape.middles[end as usize]);
            self.follow(task, end, g + root.at.distance(at), parent, probe);
        }
    }

    /// Puts the other end of a link on the open list if the link leads there, and if no route to it is known that is as short.
    fn follow(&mut self, task: Task<NavMesh>, begin: u32, g: f64, parent: u32, probe: &mut impl Probe) {
        let (mesh, shape) = (task.grid, &*task.grid.shape);
        let end = shape.other_end(begin);
        let polygon = shape.polygon_of_end(end);
        let Some(cost) = shape.cost_from_end(begin).filter(|_| mesh.is_free(polygon)) else { return };
        let g = g + f64::from(cost) / f64::from(mesh.least_weight());
        let number = mesh.vertices() as u32 + (end - shape.first_link_end());
        let (search, best) = self.best_by_vertex[number as usize];
        if search == self.search && best <= g {
            return;
        }
        let root = End { at: shape.middles[end as usize].into(), vertex: number };
        let arrival = Interval { right: root, left: root, root, g, portal: end, polygon, parent, begins: true };
        self.push(arrival, task, probe);
    }
}
