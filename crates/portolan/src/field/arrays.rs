//! A field and the ground it spreads over as flat arrays, for processors that take no pointers.
//!
//! Not here: computing one from the other (`field/sweep.rs`, and the crate `portolan-gpu`).

use super::fielded::Fielded;
use super::{Field, FieldError, check_goals, limit};
use crate::cost::Cost;
use crate::space::{Edit, Revision, Snapshot, World};
use std::iter;
use std::ops::Range;

/// The ground of a grid in flat arrays: which moves are legal from each node, and what they cost. The nodes of a grid are
/// those of [`crate::SquareGrid::node`]; those of the rim, of blocked and of void cells have no moves.
///
/// ```
/// use portolan::flat::FlatGrid;
/// use portolan::{Cell, Rules, SquareGrid, World};
/// let world = World::from(SquareGrid::open(3, 1, Rules::default())?);
/// let flat = FlatGrid::of(&world);
/// let middle = world.node(Cell::new(1, 0)).index();
/// assert_eq!((flat.moves[middle].count_ones(), flat.weights[middle], flat.moves[0]), (2, 1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FlatGrid {
    /// How far a row lies after the row above. The neighbour of a node in the row below is up to one node more or less away.
    pub stride: usize,
    /// For each direction, the index of a neighbour in that direction minus the node's own; 0 if there is no such direction.
    pub offsets: [i32; 8],
    /// The cost of a step over ground of weight 1 in each direction. A step costs this times the sum of the weights of its two
    /// nodes, halved and rounded down.
    pub prices: [u32; 8],
    /// The legal moves from each node, a bit for each direction.
    pub moves: Vec<u8>,
    /// The weight of each node, 0 if it is blocked.
    pub weights: Vec<u8>,
}

impl FlatGrid {
    /// Returns the ground of a world.
    pub fn of<S: Fielded>(world: &Snapshot<S>) -> FlatGrid {
        world.lay_flat()
    }

    /// Brings the ground of an earlier revision of a world up to date, and returns which nodes were written: those near the
    /// edits since then, or all where the world has forgotten these.
    pub fn update<S: Fielded>(&mut self, world: &World<S>, revision: Revision) -> Vec<Range<usize>> {
        if let Some(edits) = world.edits_since(revision) {
            return self.edited(world, &edits);
        }
        *self = FlatGrid::of(world);
        iter::once(0..self.moves.len()).collect()
    }

    /// Brings the ground up to date with edits, which have been applied to the world, and returns which nodes were written.
    pub fn edited<S: Fielded>(&mut self, world: &Snapshot<S>, edits: &[Edit]) -> Vec<Range<usize>> {
        world.lay_again(edits, self)
    }
}

impl<S: Fielded> Field<S> {
    /// Makes the field of these goals from arrays that another processor computed: for each node its cost, `u32::MAX` where
    /// there is none, and its step, as [`Field::steps`] has it.
    ///
    /// It is checked that every step is legal and costs what the costs of its ends say. So routes lead to a goal and cost what
    /// the field says, whatever the arrays hold; that no way costs less is up to the processor.
    ///
    /// # Errors
    /// When there can be no field of these goals, or the arrays are not as described.
    pub fn from_arrays(
        world: &Snapshot<S>,
        goals: &[S::Place],
        range: Option<Cost>,
        costs: Vec<u32>,
        steps: Vec<u8>,
    ) -> Result<Field<S>, FieldError<S::Place>> {
        check_goals::<S>(world, goals)?;
        let nodes = world.nodes();
        if costs.len() != nodes || steps.len() != nodes {
            return Err(FieldError::Count { nodes, costs: costs.len(), steps: steps.len() });
        }
        match world.torn(goals, limit(range), &costs, &steps) {
            Some(node) => Err(FieldError::Torn(node.0)),
            None => Ok(Field {
                revision: world.revision(),
                goals: goals.to_vec(),
                range,
                cost_by_node: costs,
                step_by_node: steps,
            }),
        }
    }

    /// Returns the cost of each node, `u32::MAX` where there is none.
    pub fn costs(&self) -> &[u32] {
        &self.cost_by_node
    }

    /// Returns the step of each node: the direction of the next node, 8 at a goal, 255 where there is no cost. From 9 on it is a
    /// link, by its number among those that lead away from the node, in the order of the nodes that they lead to.
    pub fn steps(&self) -> &[u8] {
        &self.step_by_node
    }

    /// Checks that there can be a field of these goals.
    ///
    /// # Errors
    /// When there are no goals, or one of them is off the map or blocked.
    pub fn check_goals(world: &Snapshot<S>, goals: &[S::Place]) -> Result<(), FieldError<S::Place>> {
        check_goals::<S>(world, goals)
    }
}
