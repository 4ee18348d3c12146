//! String pulling: the shortest line through a corridor of portals, by a funnel that is narrowed portal by portal.
//!
//! Sides are exact, so that every line passes every portal of its part of the corridor. Corners are vertices of the mesh.
//! Where a corridor leads over links, each stretch between two of them is pulled taut by itself.
//!
//! Lee, Preparata: Euclidean shortest paths in the presence of rectilinear barriers, 1984; in the form of Mononen: Simple
//! stupid funnel algorithm, 2010.
//!
//! Not here: finding a corridor.

use crate::memory::held;
use crate::space::mesh::line::LineScratch;
use crate::space::mesh::plan::{Spot, side};
use crate::space::mesh::{MeshPoint, NavMesh};
use std::ops::Range;

/// A corridor from one point of a mesh to another, and working memory for turning it into a route.
#[derive(Default)]
pub(crate) struct Corridor {
    /// The portals from start to goal. The two ends of a link that is passed follow each other.
    pub(crate) portals: Vec<u32>,
    gates: Vec<Gate>,
    line: LineScratch,
}

/// A portal of the corridor as an agent passes it, and the polygon behind it.
#[derive(Copy, Clone)]
struct Gate {
    right: Spot,
    left: Spot,
    behind: u32,
}

impl Gate {
    /// Returns where a line that passes the gate does so, rounded to whole steps.
    fn passed_by(&self, from: Spot, to: Spot) -> Spot {
        let [right, left] = [self.right, self.left].map(|end| side(from, to, end));
        // A line along the gate leaves it at the end that is nearer to where it leads.
        let share = if right == left {
            f64::from(self.left.square_to(to) < self.right.square_to(to))
        } else {
            (right as f64 / (right - left) as f64).clamp(0.0, 1.0)
        };
        let along = |from: i32, to: i32| from + (f64::from(to - from) * share).round() as i32;
        Spot { x: along(self.right.x, self.left.x), y: along(self.right.y, self.left.y) }
    }
}

impl Corridor {
    pub(crate) fn bytes(&self) -> usize {
        held(&self.portals) + held(&self.gates) + self.line.bytes()
    }

    /// Writes the straight lines of the shortest route through the corridor to `trail`, the goal first, and returns what
    /// they cost. Weights count for the cost, not for where the route turns. Returns `None` if the route costs more than
    /// [`crate::Cost`] can hold.
    pub(crate) fn pull(
        &mut self,
        mesh: &NavMesh,
        from: MeshPoint,
        to: MeshPoint,
        trail: &mut Vec<MeshPoint>,
    ) -> Option<u32> {
        let shape = &*mesh.shape;
        trail.clear();
        trail.push(from);
        let (mut at, mut first) = (from, 0);
        if shape.has_links() {
            while let Some(next) = self.portals[first..].iter().position(|&portal| shape.is_link_end(portal)) {
                let ends = [0, 1].map(|end| shape.point_of_end(self.portals[first + next + end]));
                self.pull_stretch(mesh, (at, ends[0]), first..first + next, trail);
                if trail.last() != Some(&ends[1]) {
                    trail.push(ends[1]);
                }
                (at, first) = (ends[1], first + next + 2);
            }
        }
        self.pull_stretch(mesh, (at, to), first..self.portals.len(), trail);
        trail.reverse();
        let uniform = mesh.uniform_weight().map(f64::from);
        let sum = trail.windows(2).try_fold(0, |sum, pair| {
            let (to, from) = (pair[0], pair[1]);
            let cost = match uniform {
                _ if mesh.link_cost(from, to).is_some() => u64::from(mesh.line_or_link(from, to, &mut self.line)?.0),
                Some(weight) => (from.spot().distance(to.spot()) * weight).round() as u64,
                None => u64::from(mesh.line(from, to, &mut self.line)?.0),
            };
            Some(sum + cost)
        });
        u32::try_from(sum?).ok()
    }

    /// Appends the corners of the shortest line through some of the portals, and its end.
    fn pull_stretch(
        &mut self,
        mesh: &NavMesh,
        (from, to): (MeshPoint, MeshPoint),
        portals: Range<usize>,
        trail: &mut Vec<MeshPoint>,
    ) {
        self.set_gates(mesh, (from, to), portals);
        let begun = trail.len();
        let (mut at, mut first) = (from, 0);
        while let Some((corner, gate)) = self.next_corner(at.spot(), first) {
            at = MeshPoint::new(self.gates[gate].behind, corner);
            trail.push(at);
            first = gate + 1;
        }
        // The goal may be the last corner.
        if trail.len() > begun && at.spot() == to.spot() {
            trail.pop();
        }
        if from != to {
            trail.push(to);
        }
    }

    /// Removes portals that the corridor touches and does not pass: those after which it goes on through the polygon
    /// that it came from. Corridors that are put together from kept ways may have them where several portals of a
    /// polygon lie in one line, so that the way over the middle of one of them costs no more than the direct way.
    pub(crate) fn drop_touched(&mut self, mesh: &NavMesh, from: MeshPoint, to: MeshPoint) {
        self.drop_touched_after(mesh, 0, from, to);
    }

    /// Removes such portals from a part of the corridor, all but the first `begin` portals. It leads between these points.
    pub(crate) fn drop_touched_after(&mut self, mesh: &NavMesh, begin: usize, from: MeshPoint, to: MeshPoint) {
        let shape = &mesh.shape;
        let (mut polygon, mut kept) = (from.polygon, begin);
        for place in begin..self.portals.len() {
            let behind = shape.beyond(self.portals[place], polygon);
            let goes_on = match self.portals.get(place + 1) {
                Some(&next) => shape.portals[next as usize].polygons.contains(&behind),
                None => behind == to.polygon,
            };
            if goes_on {
                self.portals[kept] = self.portals[place];
                (polygon, kept) = (behind, kept + 1);
            }
        }
        self.portals.truncate(kept);
    }

    /// Appends the steps of the shortest route through the corridor, from its start up to where it has passed the portal of this
    /// number; up to the goal if that is the number of portals. A step leads through one polygon.
    pub(crate) fn walk(
        &mut self,
        mesh: &NavMesh,
        (from, to): (MeshPoint, MeshPoint),
        last: usize,
        steps: &mut Vec<MeshPoint>,
    ) {
        self.set_gates(mesh, (from, to), 0..self.portals.len());
        steps.push(from);
        let (mut at, mut first) = (from.spot(), 0);
        while first <= last {
            let goal = (to.spot(), self.gates.len() - 1);
            let (corner, turn) = self.next_corner(at, first).unwrap_or(goal);
            for gate in &self.gates[first..=turn.min(last)] {
                steps.push(MeshPoint::new(gate.behind, gate.passed_by(at, corner)));
            }
            (at, first) = (corner, turn + 1);
        }
        // The goal is a gate in its own polygon, which may have been entered at the goal.
        steps.dedup();
    }

    /// Notes the ends of every portal, and the goal as a last portal of no width.
    fn set_gates(&mut self, mesh: &NavMesh, (from, to): (MeshPoint, MeshPoint), portals: Range<usize>) {
        self.gates.clear();
        let mut polygon = from.polygon;
        for &portal in &self.portals[portals] {
            debug_assert!(mesh.shape.portals[portal as usize].polygons.contains(&polygon), "a corridor has no gap");
            let [right, left] = mesh.shape.ends(portal, polygon);
            polygon = mesh.shape.beyond(portal, polygon);
            self.gates.push(Gate { right, left, behind: polygon });
        }
        debug_assert_eq!(polygon, to.polygon, "the corridor leads to the goal");
        self.gates.push(Gate { right: to.spot(), left: to.spot(), behind: to.polygon });
    }

    /// Returns the first corner that a shortest line from `at` through the gates from `first` on turns around, and its gate;
    /// `None` if it leads straight to the goal.
    fn next_corner(&self, at: Spot, first: usize) -> Option<(Spot, usize)> {
        // Gates that end where the line begins do not narrow the funnel.
        let [mut right, mut left] = [None::<(Spot, usize)>; 2];
        for (index, gate) in self.gates.iter().enumerate().skip(first) {
            // The sides of the funnel are `right` and `left`; a new end narrows its side, or lies beyond the other side.
            if gate.right != at || gate.left != at {
                if right.is_none_or(|(old, _)| side(at, old, gate.right) >= 0) {
                    match left {
                        Some((corner, place)) if side(at, corner, gate.right) > 0 => return Some((corner, place)),
                        _ if gate.right != at => right = Some((gate.right, index)),
                        _ => {}
                    }
                }
                if left.is_none_or(|(old, _)| side(at, old, gate.left) <= 0) {
                    match right {
                        Some((corner, place)) if side(at, corner, gate.left) < 0 => return Some((corner, place)),
                        _ if gate.left != at => left = Some((gate.left, index)),
                        _ => {}
                    }
                }
            }
        }
        None
    }
}
