//! Links in Polyanya: which roots are reached by the links on a polygon, and lower bounds on the lengths of ways over links.
//!
//! Not here: the search loop.

use super::interval::{End, Interval, Point};
use super::{PolyanyaState, Root};
use crate::memory::held;
use crate::method::Task;
use crate::probe::Probe;
use crate::space::mesh::NavMesh;
use crate::space::mesh::links::bound::LowerBound;
use crate::space::mesh::plan::Spot;

/// What is known of links that make ways shorter than lines.
#[derive(Default)]
pub(super) struct ShortCuts {
    /// Whether there are such links.
    pub(super) are_there: bool,
    /// What a step of an estimate counts: 1, or less if there are very many short cuts.
    scale: f64,
    /// Where they begin, and a lower bound on the length to the goal over each from there on.
    begins: Vec<(Point, f64)>,
}

impl ShortCuts {
    /// Takes those of a mesh. Lengths count plain steps, since all polygons have one weight.
    pub(super) fn set(&mut self, mesh: &NavMesh, to: Spot) {
        let bound = LowerBound::new(mesh, to);
        let (scale, begins) = bound.parts(mesh);
        let weight = f64::from(mesh.least_weight());
        (self.are_there, self.scale) = (mesh.has_short_cuts(), scale);
        self.begins.clear();
        self.begins.extend(begins.iter().map(|&(at, rest)| (at.into(), rest as f64 / weight)));
    }

    /// Returns a lower bound on the length of any way from an interval's root through it to the goal; `straight` is that of a
    /// way over ground.
    #[inline]
    pub(super) fn least(&self, interval: &Interval, straight: f64) -> f64 {
        let over = |&(begin, rest): &(Point, f64)| interval.length_to(begin) + rest;
        self.begins.iter().map(over).fold(self.scale * straight, f64::min)
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.begins)
    }
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
