//! The hexagonal grid as a [`Space`].
//!
//! Not here: what the methods do, which is in the other files of this folder.

use super::HexGrid;
use crate::cost::Cost;
use crate::id::{Cell, HexCell, NodeId};
use crate::space::editing::Editable;
use crate::space::{Area, Edit, EditError, Motion, Revision, Space};

/// How far apart the middles of two rows are, in units of the distance between two columns: half of √3.
const ROW: f32 = 0.866_025_4;

impl Space for HexGrid {
    type Place = HexCell;
    type Region = Area;

    const KIND: &'static str = "hex";

    #[inline(always)]
    fn revision(&self) -> Revision {
        self.revision
    }

    fn size(&self) -> (usize, usize) {
        (self.width(), self.height())
    }

    #[inline(always)]
    fn contains(&self, at: HexCell) -> bool {
        self.contains(at)
    }

    #[inline(always)]
    fn component(&self, at: HexCell) -> Option<u64> {
        self.component(at)
    }

    fn nearest_reachable(&self, from: HexCell, to: HexCell) -> Option<HexCell> {
        self.nearest_reachable(from, to)
    }

    /// Only steps are legal: no algorithm on hexes goes in straight lines at other angles.
    fn segment(&self, from: HexCell, to: HexCell, motion: Motion) -> Option<Cost> {
        match motion {
            Motion::Steps => self.step_cost(from, to),
            Motion::AnyAngle => None,
        }
    }

    fn steps_below(&self, _: HexCell, to: HexCell, steps: &mut Vec<HexCell>) {
        steps.push(to);
    }

    /// The sum is one of integers, halved once.
    fn length(&self, places: &[HexCell], _: Motion) -> f64 {
        let weight = |cell| u64::from(self.terrain(cell).weight());
        let twice: u64 = places.windows(2).map(|step| weight(step[0]) + weight(step[1])).sum();
        0.5 * twice as f64
    }

    fn position(&self, at: HexCell) -> [f32; 3] {
        let (q, r) = (f32::from(at.q), f32::from(at.r));
        [q + r / 2.0, r * ROW, 0.0]
    }

    fn place(&self, node: NodeId) -> HexCell {
        self.cell(node)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn edit_reaches(edit: &Edit, at: HexCell) -> bool {
        at.cell().is_some_and(|cell: Cell| edit.area.contains(cell))
    }

    fn edit_meets(edit: &Edit, region: Area) -> bool {
        edit.area.overlaps(region)
    }
}

impl Editable for HexGrid {
    type Edit = Edit;
    type EditError = EditError;

    fn check_edit(&self, edit: &Edit) -> Result<(), EditError> {
        edit.check(self.width(), self.height())
    }

    fn edit<'a>(&mut self, edits: impl Iterator<Item = &'a Edit>) {
        self.edit(edits);
    }

    fn digest(edit: &Edit) -> [u64; 2] {
        edit.digest()
    }

    fn set_revision(&mut self, revision: Revision) {
        self.revision = revision;
    }

    /// Copying 64 cells takes about as long as an edit of a few cells.
    fn edits_worth_a_copy(&self) -> u64 {
        (self.width() * self.height() / 64).max(64) as u64
    }
}
