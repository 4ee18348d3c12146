//! Keeping a field right while its world is edited.
//!
//! Not here: how costs are corrected (`field/mend.rs`).

use super::fielded::Fielded;
use super::{Field, FieldError, check_goals, limit};
use crate::scratch::Scratch;
use crate::space::{Snapshot, World};

/// What a repair has done to a field.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FieldRepair {
    /// How many nodes were given a cost or lost theirs; of these, nodes that come out as they were are counted too.
    pub nodes: usize,
    /// Whether the field was made anew, which is faster where much of it changes.
    pub rebuilt: bool,
}

impl<S: Fielded> Field<S> {
    /// Brings the field up to date after [`World::apply`]. `edits` are all edits since the field was made or last repaired, in
    /// order; `world` is the world after them. The field is then equal to one that is made anew. Small edits take time for the
    /// nodes whose costs change, large ones as long as [`Field::new`].
    ///
    /// ```
    /// use portolan::{Cell, Edit, Field, Rules, Scratch, SquareGrid, Terrain, World};
    /// let (goal, mut scratch) = ([Cell::new(9, 4)], Scratch::new());
    /// let mut world = World::from(SquareGrid::open(10, 5, Rules::default())?);
    /// let mut field = Field::new(&world, &goal, None, &mut scratch)?;
    /// let wall = [Edit::new(Cell::new(8, 4), Terrain::BLOCKED)];
    /// world.apply(&wall)?;
    /// field.repair(&world, &wall, &mut scratch)?;
    /// assert_eq!(field, Field::new(&world, &goal, None, &mut scratch)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the edits do not lead from the field's revision to the world's, or a goal is blocked. The field is then unchanged,
    /// and a later repair may bring it up to date with all edits since.
    pub fn repair(
        &mut self,
        world: &Snapshot<S>,
        edits: &[S::Edit],
        scratch: &mut Scratch<S>,
    ) -> Result<FieldRepair, FieldError<S::Place>> {
        let (built, asked) = (self.revision, world.revision());
        if built.after::<S>(edits) != asked {
            return Err(FieldError::Gap { built, asked, edits: edits.len() });
        }
        check_goals::<S>(world, &self.goals)?;
        scratch.pending = None;
        let limit = limit(self.range);
        let mended = world.mend(edits, limit, scratch, &mut self.cost_by_node, &mut self.step_by_node);
        if mended.is_none() {
            self.lay_anew(world, scratch);
        }
        self.revision = asked;
        Ok(FieldRepair { nodes: mended.unwrap_or(self.cost_by_node.len()), rebuilt: mended.is_none() })
    }

    /// Brings the field up to date with a world, whose own list of edits tells what has changed. If that list does not reach
    /// back to the field's revision, the field is made anew.
    ///
    /// # Errors
    /// When a goal is blocked or, in another world, off the map, or there is no memory for the field of another world. The
    /// field is then unchanged.
    pub fn sync(&mut self, world: &World<S>, scratch: &mut Scratch<S>) -> Result<FieldRepair, FieldError<S::Place>> {
        if self.revision == world.revision() {
            return Ok(FieldRepair::default());
        }
        if let Some(edits) = world.edits_since(self.revision) {
            return self.repair(world, &edits, scratch);
        }
        *self = Field::new(world, &self.goals, self.range, scratch)?;
        Ok(FieldRepair { nodes: self.cost_by_node.len(), rebuilt: true })
    }
}
