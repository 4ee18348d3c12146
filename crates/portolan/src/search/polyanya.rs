//! Polyanya: the shortest route at any angle over a navigation mesh.
//!
//! **Idea.** A search over intervals of portals. A root, the start or a corner, sees an interval; behind it lies a polygon,
//! through which the root sees parts of the other edges, and which further parts are reached by a turn at an end of the
//! interval. Intervals are taken in the order of the least length of a route through them. The portals of the best route
//! are a corridor, in which the funnel finds the corners exactly. Where a link begins on a polygon that is reached, its end is
//! a root too, from which the search goes on as from the start.
//! **Use** it where routes shall be as short as possible, and to measure other searches by.
//! **Promises** the shortest route, up to rounding each line to whole steps. It needs one weight for all polygons.
//! **Costs** no preparation but a note of the vertices at walls. Time grows with the number of intervals that lie nearer
//! than the goal, some hundreds of microseconds on tens of thousands of polygons.
//! **Departs** from its paper in that corridors are pulled taut in exact arithmetic at the end, and in links, which it does not know:
//! where one costs less than the line between its ends, estimates count the ways over it too.
//!
//! Cui, Harabor, Grastien: Compromise-free pathfinding on a navigation mesh, 2017.

mod interval;
mod links;
mod successors;

use crate::algorithm::{Algorithm, Promise, Unsuited};
use crate::id::NodeId;
use crate::memory::{OutOfMemory, held};
use crate::method::{End, Method, Repair, Task};
use crate::probe::{Event, Probe, Watcher, with_probe};
use crate::route::funnel::Corridor;
use crate::scratch::{AlgorithmState, Scratch};
use crate::space::Motion;
use crate::space::mesh::plan::side;
use crate::space::mesh::shape::WALL;
use crate::space::mesh::{MeshEdit, NavMesh};
use interval::{End as IntervalEnd, Interval, NO_PARENT, NO_VERTEX, Point};
use links::ShortCuts;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(crate) const ALGORITHM: Algorithm<NavMesh> = Algorithm {
    name: "polyanya",
    title: "Polyanya",
    summary: "the shortest route at any angle: intervals of portals as seen from the last turn; uniform meshes",
    paper: "Cui, Harabor, Grastien 2017",
    motion: Motion::AnyAngle,
    suits: |mesh| {
        let needs = "polygons of one weight";
        if mesh.uniform_weight().is_some() { Ok(()) } else { Err(Unsuited { algorithm: "polyanya", needs }) }
    },
    promise: |_, _| Promise::Optimal,
    ..Algorithm::flat(|mesh, _| Box::new(Polyanya { is_corner: corners(mesh) }))
};

#[derive(Clone)]
struct Polyanya {
    /// Whether a shortest route may turn at each vertex.
    is_corner: Vec<bool>,
}

/// Returns whether a shortest route may turn at each vertex: where the free ground between two walls takes more than half a
/// turn. At a vertex in a straight wall no route turns.
fn corners(mesh: &NavMesh) -> Vec<bool> {
    let shape = &*mesh.shape;
    let mut is_corner = vec![false; shape.spots.len()];
    for polygon in (0..shape.polygons() as u32).filter(|&polygon| mesh.is_free(polygon)) {
        for corner in shape.corner_range(polygon as usize) {
            if is_wall(mesh, polygon, corner) {
                let (vertex, along) = (shape.corners[corner], shape.corners[shape.after(polygon as usize, corner)]);
                let [at, along, back] =
                    [vertex, along, other_wall(mesh, polygon, corner)].map(|at| shape.spots[at as usize]);
                let turn = side(at, along, back);
                // Two walls in one direction are the two sides of a wall without width.
                let is_thin = turn == 0 && (along.x > at.x) == (back.x > at.x) && (along.y > at.y) == (back.y > at.y);
                is_corner[vertex as usize] |= turn < 0 || is_thin;
            }
        }
    }
    is_corner
}

/// Returns whether no agent can pass the edge that begins at a corner of a polygon.
fn is_wall(mesh: &NavMesh, polygon: u32, corner: usize) -> bool {
    let portal = mesh.shape.portal_by_corner[corner];
    portal == WALL || !mesh.is_free(mesh.shape.beyond(portal, polygon))
}

/// Returns the other end of the next wall around a vertex, from the wall that begins there at a corner of a polygon on.
fn other_wall(mesh: &NavMesh, mut polygon: u32, mut corner: usize) -> u32 {
    let shape = &*mesh.shape;
    loop {
        let corners = shape.corner_range(polygon as usize);
        let before = if corner == corners.start { corners.end - 1 } else { corner - 1 };
        if is_wall(mesh, polygon, before) {
            return shape.corners[before];
        }
        // Behind the portal, the edge leads from the vertex to where it began on this side.
        let portal = shape.portal_by_corner[before];
        polygon = shape.beyond(portal, polygon);
        let behind = shape.corner_range(polygon as usize).find(|&corner| shape.portal_by_corner[corner] == portal);
        corner = behind.expect("a portal is an edge of both polygons");
    }
}

/// A polygon, a root on it, and the length of the route to the root.
type Root = (u32, IntervalEnd, f64);

/// What a search keeps between its steps.
#[derive(Default)]
struct PolyanyaState {
    intervals: Vec<Interval>,
    /// The intervals to be looked at, by the bits of a length, which are in the order of lengths.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// For each vertex and then each end of a link the least length of a route to it as a root, and the search that noted it.
    best_by_vertex: Vec<(u32, f64)>,
    /// For each portal the root at one of its ends from which it was last entered, the length of the route to that root, and
    /// the search that noted it.
    fan_by_portal: Vec<(u32, u32, f64)>,
    search: u32,
    short_cuts: ShortCuts,
    /// The length of the best route so far, and its last interval.
    best: f64,
    last: u32,
    /// The intervals that follow from the one that is looked at.
    successors: Vec<Interval>,
    corridor: Corridor,
}

impl AlgorithmState for PolyanyaState {
    fn bytes(&self) -> usize {
        held(&self.intervals)
            + held(&self.successors)
            + self.open.capacity() * size_of::<Reverse<(u64, u32)>>()
            + held(&self.best_by_vertex)
            + held(&self.fan_by_portal)
            + self.short_cuts.bytes()
            + self.corridor.bytes()
    }
}

impl PolyanyaState {
    fn reset(&mut self, task: Task<NavMesh>) {
        let mesh = task.grid;
        let vertices = mesh.vertices() + 2 * mesh.shape.links.len();
        let portals = mesh.shape.portals.len();
        self.short_cuts.set(mesh, task.to.spot());
        self.search = self.search.wrapping_add(1);
        if self.search == 0 || self.best_by_vertex.len() < vertices || self.fan_by_portal.len() < portals {
            self.search = 1;
            self.best_by_vertex.clear();
            self.best_by_vertex.resize(vertices, (0, 0.0));
            self.fan_by_portal.clear();
            self.fan_by_portal.resize(portals, (0, NO_VERTEX, 0.0));
        }
        self.intervals.clear();
        self.open.clear();
        (self.best, self.last) = (f64::INFINITY, NO_PARENT);
    }

    /// Notes a route to a root. Returns whether no shorter one is known.
    fn is_best_way(&mut self, root: IntervalEnd, g: f64) -> bool {
        let Some((search, best)) = self.best_by_vertex.get_mut(root.vertex as usize) else { return true };
        if *search == self.search && *best < g - interval::ON_LINE {
            return false;
        }
        if *search != self.search || g < *best {
            (*search, *best) = (self.search, g);
        }
        true
    }

    /// Returns whether an interval can lead anywhere new. A root at an end of a portal sees the polygons on both sides of it,
    /// so the portal is entered once from it: else the search would go around a root inside the mesh for ever.
    fn leads_on(&mut self, interval: &Interval) -> bool {
        let Interval { right, left, root, g, portal, .. } = *interval;
        if !root.at.is_at(right.at) && !root.at.is_at(left.at) {
            return true;
        }
        let noted = &mut self.fan_by_portal[portal as usize];
        if noted.0 == self.search && noted.1 == root.vertex && noted.2 <= g + interval::ON_LINE {
            return false;
        }
        *noted = (self.search, root.vertex, g);
        true
    }

    /// Puts the portals of a polygon on the open list, as seen from a root on it to which there is a route of length `g`.
    fn leave(&mut self, task: Task<NavMesh>, (polygon, root, g): Root, parent: u32, probe: &mut impl Probe) {
        let (mesh, shape) = (task.grid, &*task.grid.shape);
        for corner in shape.corner_range(polygon as usize) {
            let portal = shape.portal_by_corner[corner];
            if portal == WALL || !mesh.is_free(shape.beyond(portal, polygon)) {
                continue;
            }
            let end = |corner: usize| {
                let vertex = shape.corners[corner];
                IntervalEnd { at: shape.spots[vertex as usize].into(), vertex }
            };
            let (right, left) = (end(corner), end(shape.after(polygon as usize, corner)));
            let beyond = shape.beyond(portal, polygon);
            self.push(Interval { right, left, root, g, portal, polygon: beyond, parent, begins: true }, task, probe);
        }
    }

    /// Puts an interval on the open list, or notes the route through it if the goal lies behind it.
    fn push(&mut self, interval: Interval, task: Task<NavMesh>, probe: &mut impl Probe) {
        if !self.is_best_way(interval.root, interval.g) || !self.leads_on(&interval) {
            return;
        }
        let goal: Point = task.to.spot().into();
        let ahead = interval.length_to(goal);
        let (length, least) = (interval.g + ahead, interval.g + self.short_cuts.least(&interval, ahead));
        let is_goal = interval.polygon == task.to.polygon;
        // A polygon with one portal leads nowhere.
        if least >= self.best || !is_goal && task.grid.shape.exits(interval.polygon).len() < 2 {
            return;
        }
        let id = self.intervals.len() as u32;
        self.intervals.push(interval);
        if is_goal && length < self.best {
            (self.best, self.last) = (length, id);
            probe.event(Event::Goal { cost: length as u32 });
        }
        // A way that has come to the goal's polygon gets no shorter on other polygons, unless by a link.
        if !is_goal || self.short_cuts.are_there {
            self.open.push(Reverse((least.to_bits(), id)));
            probe.event(Event::Push { node: NodeId(interval.portal), g: interval.g as u32, key: least as u64 });
        }
    }
}

impl Polyanya {
    /// Looks at the intervals in order until none can lead to a shorter route. Returns whether the search has ended.
    fn run(&self, task: Task<NavMesh>, own: &mut PolyanyaState, left: &mut u64, probe: &mut impl Probe) -> bool {
        let shape = &*task.grid.shape;
        while *left > 0 {
            let Some(Reverse((length, id))) = own.open.pop() else { return true };
            let from = own.intervals[id as usize];
            probe.event(Event::Pop { node: NodeId(from.portal) });
            if f64::from_bits(length) >= own.best {
                return true;
            }
            if !own.is_best_way(from.root, from.g) {
                continue;
            }
            *left -= 1;
            probe.event(Event::Expand { node: NodeId(from.portal), g: from.g as u32 });
            if shape.has_links() {
                own.follow_links(task, (&from, id), probe);
            }
            if shape.is_link_end(from.portal) {
                own.leave(task, (from.polygon, from.root, from.g), id, probe);
                continue;
            }
            let is_corner = |vertex: u32| self.is_corner[vertex as usize];
            let mut nexts = std::mem::take(&mut own.successors);
            successors::for_each(task.grid, &from, is_corner, |next| nexts.push(next));
            for next in nexts.drain(..) {
                probe.event(Event::Generate { node: NodeId(next.portal) });
                if let Some(next) = next.passable(is_corner) {
                    own.push(Interval { parent: id, ..next }, task, probe);
                }
            }
            own.successors = nexts;
        }
        false
    }
}

impl Method<NavMesh> for Polyanya {
    fn reserve(&self, mesh: &NavMesh, scratch: &mut Scratch<NavMesh>) -> Result<(), OutOfMemory> {
        let own: &mut PolyanyaState = scratch.states.own();
        crate::memory::reserve(&mut own.best_by_vertex, mesh.vertices() + 2 * mesh.shape.links.len())?;
        crate::memory::reserve(&mut own.fan_by_portal, mesh.shape.portals.len())
    }

    fn begin(&self, task: Task<NavMesh>, scratch: &mut Scratch<NavMesh>) {
        let own: &mut PolyanyaState = scratch.states.own();
        own.reset(task);
        let start = IntervalEnd { at: task.from.spot().into(), vertex: NO_VERTEX };
        if task.from.polygon == task.to.polygon {
            own.best = start.at.distance(task.to.spot().into());
        }
        own.leave(task, (task.from.polygon, start, 0.0), NO_PARENT, &mut crate::probe::Unwatched);
        own.follow_links_from(task, (task.from.polygon, start, 0.0), NO_PARENT, &mut crate::probe::Unwatched);
    }

    fn step(&self, task: Task<NavMesh>, scratch: &mut Scratch<NavMesh>, left: &mut u64, probe: Watcher) -> Option<End> {
        let Scratch { states, trail, .. } = scratch;
        let own: &mut PolyanyaState = states.own();
        own.corridor.portals.clear();
        if task.from.polygon != task.to.polygon || own.short_cuts.are_there {
            if !with_probe!(probe, |watcher| self.run(task, own, left, watcher)) {
                return None;
            }
            if own.last == NO_PARENT && task.from.polygon != task.to.polygon {
                return Some(End::NotFound);
            }
            let mut id = own.last;
            while let Some(interval) = own.intervals.get(id as usize) {
                own.corridor.portals.push(interval.portal);
                if task.grid.shape.is_link_end(interval.portal) {
                    own.corridor.portals.push(task.grid.shape.other_end(interval.portal));
                }
                id = interval.parent;
            }
            own.corridor.portals.reverse();
        }
        Some(own.corridor.pull(task.grid, task.from, task.to, trail).map_or(End::NotFound, End::Found))
    }

    fn repair(&mut self, mesh: &NavMesh, _: &[MeshEdit]) -> Repair {
        self.is_corner = corners(mesh);
        Repair::default()
    }

    fn bytes(&self) -> usize {
        held(&self.is_corner)
    }
}
