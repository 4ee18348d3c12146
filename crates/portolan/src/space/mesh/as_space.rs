//! The navigation mesh as a [`Space`].
//!
//! Not here: what the methods do, which is in the other files of this folder.

use super::line::LineScratch;
use super::locate::MeshArea;
use super::shape::distance_up;
use super::{MeshEdit, MeshPoint, NavMesh};
use crate::cost::Cost;
use crate::id::NodeId;
use crate::space::editing::Editable;
use crate::space::{Motion, Revision, Space};

/// The error for an edit of a polygon that there is not.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no polygon {polygon}: the mesh has {polygons}")]
pub struct MeshEditError {
    /// The polygon of the edit.
    pub polygon: u32,
    /// The number of polygons.
    pub polygons: usize,
}

impl Editable for NavMesh {
    type Edit = MeshEdit;
    type EditError = MeshEditError;

    fn check_edits(&self, edits: &[MeshEdit]) -> Result<(), MeshEditError> {
        let polygons = self.polygons();
        let off = edits.iter().find(|edit| edit.polygon as usize >= polygons);
        off.map_or(Ok(()), |edit| Err(MeshEditError { polygon: edit.polygon, polygons }))
    }

    fn edit<'a>(&mut self, edits: impl Iterator<Item = &'a MeshEdit>) {
        for edit in edits {
            self.weights[edit.polygon as usize] = edit.terrain.weight();
        }
        self.derive();
    }

    fn digest(edit: &MeshEdit) -> [u64; 2] {
        [u64::from(edit.polygon), u64::from(edit.terrain.weight())]
    }

    fn set_revision(&mut self, revision: Revision) {
        self.revision = revision;
    }

    /// A copy takes a few bytes a polygon, which is as long as some dozens of edits take.
    fn edits_worth_a_copy(&self) -> u64 {
        (self.polygons() as u64 / 64).max(64)
    }
}

impl Space for NavMesh {
    type Place = MeshPoint;
    type Region = MeshArea;

    const KIND: &'static str = "mesh";

    #[inline(always)]
    fn revision(&self) -> Revision {
        self.revision()
    }

    /// Returns the width and height in steps.
    fn size(&self) -> (usize, usize) {
        let MeshArea { least, greatest } = MeshArea::around(self.shape.spots.iter().copied());
        ((greatest.x - least.x) as usize, (greatest.y - least.y) as usize)
    }

    #[inline(always)]
    fn contains(&self, at: MeshPoint) -> bool {
        let spot_is_near = at.x.unsigned_abs() <= 1 << 23 && at.y.unsigned_abs() <= 1 << 23;
        (at.polygon as usize) < self.polygons() && spot_is_near && self.shape.covers(at.polygon as usize, at.spot())
    }

    #[inline(always)]
    fn component(&self, at: MeshPoint) -> Option<u64> {
        self.component_of(at.polygon).map(u64::from)
    }

    fn reaches(&self, from: MeshPoint, to: MeshPoint) -> bool {
        let components = [from, to].map(|at| self.component_of(at.polygon));
        matches!(components, [Some(from), Some(to)] if self.components.reaches(from, to))
    }

    fn nearest_reachable(&self, from: MeshPoint, to: MeshPoint) -> Option<MeshPoint> {
        self.nearest_reached(from, to)
    }

    /// A step leads through one polygon, that of `from`, to a point inside it or on a portal of it. A line at any angle may
    /// cross any number of polygons. Either may be a link from its beginning to its end; where line and link exist, the cost
    /// is the lesser.
    fn segment(&self, from: MeshPoint, to: MeshPoint, motion: Motion) -> Option<Cost> {
        if !self.contains(from) || !self.contains(to) || !self.is_free(from.polygon) || !self.is_free(to.polygon) {
            return None;
        }
        match motion {
            Motion::AnyAngle => self.line_or_link(from, to, &mut LineScratch::default()),
            Motion::Steps => {
                let is_near =
                    from.polygon == to.polygon || self.neighbours(from.polygon).any(|next| next == to.polygon);
                let is_legal = is_near && self.shape.covers(from.polygon as usize, to.spot());
                let step = is_legal.then(|| Cost(distance_up(from.spot(), to.spot()) * self.weight(from.polygon)));
                step.into_iter().chain(self.link_cost(from, to)).min()
            }
        }
    }

    /// Appends a point for every polygon that the line enters, and the last point. A link has no polygons.
    fn steps_below(&self, from: MeshPoint, to: MeshPoint, steps: &mut Vec<MeshPoint>) {
        if !self.is_by_link(from, to) {
            self.for_each_entry(from, to, |entry| steps.push(entry));
        }
        if steps.last() != Some(&to) {
            steps.push(to);
        }
    }

    fn length(&self, places: &[MeshPoint], motion: Motion) -> f64 {
        let part = |pair: &[MeshPoint]| match motion {
            _ if self.is_by_link(pair[0], pair[1]) => {
                self.link_cost(pair[0], pair[1]).map_or(0.0, |cost| f64::from(cost.0))
            }
            Motion::AnyAngle => self.line_length(pair[0], pair[1]),
            Motion::Steps => pair[0].spot().distance(pair[1].spot()) * f64::from(self.weight(pair[0].polygon)),
        };
        places.windows(2).map(part).sum::<f64>() * self.shape.step
    }

    fn position(&self, at: MeshPoint) -> [f32; 3] {
        self.coordinates(at).map(|coordinate| coordinate as f32)
    }

    /// Nodes are the portals and the ends of links, then the polygons, which may be numbered twice. The place of a portal is
    /// its middle.
    fn place(&self, node: NodeId) -> MeshPoint {
        match self.shape.portals.get(node.index()) {
            Some(portal) => MeshPoint::new(portal.polygons[0], self.shape.middles[node.index()]),
            None => self.centre(((node.index() - self.shape.portals.len()) % self.polygons()) as u32),
        }
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn edit_reaches(edit: &MeshEdit, at: MeshPoint) -> bool {
        edit.polygon == at.polygon
    }

    fn region_of(places: &[MeshPoint]) -> MeshArea {
        MeshArea::around(places.iter().map(|at| at.spot()))
    }

    fn joined(a: MeshArea, b: MeshArea) -> MeshArea {
        a.with(b)
    }

    fn edit_meets(&self, edit: &MeshEdit, region: MeshArea) -> bool {
        self.shape.area(edit.polygon as usize).overlaps(region)
    }
}
