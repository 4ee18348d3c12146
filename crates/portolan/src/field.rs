//! Fields: what it costs to walk from every place of a grid to the nearest of some goals, and the next step on the way. One
//! sweep over the world makes a [`Field`]; then any number of agents walk to the goals without a search.
//!
//! A field is a function of the terrain: costs are exact, and of the steps that lie on a cheapest way the one with the lowest
//! direction is kept. So it does not matter which processor computed it, or in which order.
//!
//! Not here: the sweep (`field/sweep.rs`), repairs after edits (`field/repair.rs`), navigation meshes
//! (`field/mesh.rs`), flee maps (`field/flee.rs`), fields as flat arrays for other processors (`field/arrays.rs`), and agents.

mod arrays;
mod fielded;
mod flee;
mod mend;
mod mesh;
mod repair;
mod sweep;

pub use arrays::FlatGrid;
pub use fielded::Fielded;
pub use flee::FleeMap;
pub use mesh::MeshField;
pub use repair::FieldRepair;

use sweep::opposites;

use crate::batch::elsewhere::Routed;
use crate::cost::Cost;
use crate::id::NodeId;
use crate::memory::{OutOfMemory, filled, held};
use crate::query::Stale;
use crate::route::Route;
use crate::scratch::Scratch;
use crate::space::square::SquareGrid;
use crate::space::{Motion, Revision, Snapshot, Space};
use std::fmt;

/// The cost of a node from which no goal is reached within the range.
pub(crate) const FAR: u32 = u32::MAX;
/// The step at a goal, which is none.
pub(crate) const AT_GOAL: u8 = 8;
/// The step of a node from which no goal is reached within the range.
pub(crate) const NO_STEP: u8 = u8::MAX;

/// The cost from every place to the nearest of some goals, and the next step on a cheapest way there: for many agents that
/// share their goals. It takes five bytes a cell.
///
/// ```
/// use portolan::{Cell, Field, Rules, Scratch, SquareGrid, World};
/// let world = World::from(SquareGrid::open(100, 100, Rules::default())?);
/// let wells = [Cell::new(90, 10), Cell::new(30, 35)];
/// let field = Field::new(&world, &wells, None, &mut Scratch::new())?;
/// let mut agent = Cell::new(40, 40);
/// while let Some(next) = field.next(&world, agent)? {
///     agent = next;
/// }
/// assert_eq!(agent, wells[1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Field<S: Space = SquareGrid> {
    revision: Revision,
    goals: Vec<S::Place>,
    range: Option<Cost>,
    cost_by_node: Vec<u32>,
    /// The direction of the next step, the link that it takes, [`AT_GOAL`] or [`NO_STEP`].
    step_by_node: Vec<u8>,
}

/// Why there is no field.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError<P> {
    /// There is no goal.
    #[error("a field needs at least one goal")]
    NoGoals,
    /// A goal is not on the grid.
    #[error("the goal {goal} lies off the map, which is {width} x {height}")]
    OffMap {
        /// The goal.
        goal: P,
        /// Columns of the grid.
        width: usize,
        /// Rows of the grid.
        height: usize,
    },
    /// A goal is blocked.
    #[error("the goal {0} is blocked")]
    GoalBlocked(P),
    /// There is no memory for the field.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// Arrays have another number of entries than the grid has nodes.
    #[error("the arrays of a field have an entry for each of {nodes} nodes, not {costs} costs and {steps} steps")]
    Count {
        /// How many nodes the grid has.
        nodes: usize,
        /// How many costs were given.
        costs: usize,
        /// How many steps were given.
        steps: usize,
    },
    /// Arrays hold a step that is not legal or does not cost what the costs of its ends say, or a goal that they do not know.
    #[error("the arrays are those of no field: cost and step of node {0} do not belong together")]
    Torn(u32),
    /// A flee map counts what is lacking with a percent that it cannot have.
    #[error("a flee map counts distance from danger with 101 to 1000 percent, not {0}")]
    Percent(u32),
    /// Edits do not lead from the field's revision to the world's.
    #[error("{edits} edits do not lead from {built} to {asked}")]
    Gap {
        /// The field's revision.
        built: Revision,
        /// The world's revision.
        asked: Revision,
        /// How many edits were given.
        edits: usize,
    },
}

impl<P> FieldError<P> {
    /// Returns this error with the goal as others name it.
    pub(crate) fn map<Q>(self, place: impl Fn(P) -> Q) -> FieldError<Q> {
        match self {
            FieldError::NoGoals => FieldError::NoGoals,
            FieldError::OffMap { goal, width, height } => FieldError::OffMap { goal: place(goal), width, height },
            FieldError::GoalBlocked(goal) => FieldError::GoalBlocked(place(goal)),
            FieldError::OutOfMemory(error) => FieldError::OutOfMemory(error),
            FieldError::Count { nodes, costs, steps } => FieldError::Count { nodes, costs, steps },
            FieldError::Torn(node) => FieldError::Torn(node),
            FieldError::Percent(percent) => FieldError::Percent(percent),
            FieldError::Gap { built, asked, edits } => FieldError::Gap { built, asked, edits },
        }
    }
}

impl<S: Space> Clone for Field<S> {
    fn clone(&self) -> Field<S> {
        let (cost_by_node, step_by_node) = (self.cost_by_node.clone(), self.step_by_node.clone());
        Field { goals: self.goals.clone(), cost_by_node, step_by_node, ..*self }
    }
}

impl<S: Space> PartialEq for Field<S> {
    fn eq(&self, other: &Field<S>) -> bool {
        let [ours, theirs] = [self, other].map(|field| (field.revision, &field.goals, field.range));
        ours == theirs && self.cost_by_node == other.cost_by_node && self.step_by_node == other.step_by_node
    }
}

impl<S: Space> fmt::Debug for Field<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Field { revision, goals, range, cost_by_node, .. } = self;
        let mut text = f.debug_struct("Field");
        text.field("revision", revision).field("goals", goals).field("range", range);
        text.field("nodes", &cost_by_node.len()).finish_non_exhaustive()
    }
}

impl<S: Space> Field<S> {
    /// Returns the goals.
    pub fn goals(&self) -> &[S::Place] {
        &self.goals
    }

    /// Returns the greatest cost that the field holds, or `None` if it holds all that [`Cost`] does.
    pub fn range(&self) -> Option<Cost> {
        self.range
    }

    /// Returns the revision of the world that the field was made for.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the bytes of memory that the field takes.
    pub fn bytes(&self) -> usize {
        held(&self.goals) + held(&self.cost_by_node) + held(&self.step_by_node)
    }

    /// Checks that the field was made for this revision of the world.
    fn check_knows(&self, world: &Snapshot<S>) -> Result<(), Stale> {
        let (built, asked) = (self.revision, world.revision());
        if built == asked { Ok(()) } else { Err(Stale { built, asked }) }
    }
}

impl<S: Fielded> Field<S> {
    /// Makes the field of these goals. It holds the costs up to `range`, of all places from which there is a way if `range`
    /// is `None`; costs that [`Cost`] cannot hold are left out. With a scratch that has been used for such a field before,
    /// nothing but the field is allocated. A search that was under way in the scratch is dropped.
    ///
    /// # Errors
    /// When there are no goals, one of them is off the map or blocked, or there is no memory for the field.
    pub fn new(
        world: &Snapshot<S>,
        goals: &[S::Place],
        range: Option<Cost>,
        scratch: &mut Scratch<S>,
    ) -> Result<Field<S>, FieldError<S::Place>> {
        check_goals::<S>(world, goals)?;
        let nodes = world.nodes();
        let mut field = Field {
            revision: world.revision(),
            goals: goals.to_vec(),
            range,
            cost_by_node: filled(FAR, nodes)?,
            step_by_node: filled(NO_STEP, nodes)?,
        };
        scratch.pending = None;
        field.sweep(world, scratch);
        Ok(field)
    }

    /// Makes the field again in its own memory.
    fn lay_anew(&mut self, world: &Snapshot<S>, scratch: &mut Scratch<S>) {
        self.cost_by_node.fill(FAR);
        self.step_by_node.fill(NO_STEP);
        self.sweep(world, scratch);
    }

    /// Writes costs and steps, which must be those of no way.
    fn sweep(&mut self, world: &Snapshot<S>, scratch: &mut Scratch<S>) {
        let limit = limit(self.range);
        world.sweep(&self.goals, limit, scratch, &mut self.cost_by_node, &mut self.step_by_node);
    }

    /// Returns what it costs to walk from a place to the nearest goal. Returns `None` if there is no way within the range, or
    /// no agent can stand there.
    ///
    /// # Errors
    /// When the field was made for another revision of the world.
    #[inline]
    pub fn cost(&self, world: &Snapshot<S>, at: S::Place) -> Result<Option<Cost>, Stale> {
        self.check_knows(world)?;
        let cost = world.node_of(at).map(|node| self.cost_by_node[node.index()]);
        Ok(cost.filter(|&cost| cost != FAR).map(Cost))
    }

    /// Returns the next place on the way from a place to the nearest goal. Returns `None` at a goal and where
    /// [`Field::cost`] does.
    ///
    /// # Errors
    /// When the field was made for another revision of the world.
    #[inline]
    pub fn next(&self, world: &Snapshot<S>, at: S::Place) -> Result<Option<S::Place>, Stale> {
        self.check_knows(world)?;
        let Some(node) = world.node_of(at) else { return Ok(None) };
        Ok(self.after(world, &world.steps(), node).map(|node| world.place(node)))
    }

    /// Returns the route from a place to the nearest goal, or `None` where [`Field::cost`] does.
    ///
    /// # Errors
    /// When the field was made for another revision of the world.
    pub fn descend(&self, world: &Snapshot<S>, from: S::Place) -> Result<Option<Route<S>>, Stale> {
        let Some(cost) = self.cost(world, from)? else { return Ok(None) };
        let mut places = Vec::new();
        self.append(world, from, &mut places);
        Ok(Some(Route::of(places, cost, Motion::Steps)))
    }

    /// Returns the routes from many places, each to its nearest goal, in flat arrays. A place without a cost has no route.
    ///
    /// # Errors
    /// When the field was made for another revision of the world.
    pub fn descend_many(&self, world: &Snapshot<S>, starts: &[S::Place]) -> Result<Routed<S::Place>, Stale> {
        self.check_knows(world)?;
        let (mut offsets, mut places) = (Vec::with_capacity(starts.len() + 1), Vec::new());
        let mut costs = Vec::with_capacity(starts.len());
        offsets.push(0);
        for &from in starts {
            let cost = self.cost(world, from)?;
            if cost.is_some() {
                self.append(world, from, &mut places);
            }
            costs.push(cost);
            offsets.push(places.len() as u64);
        }
        Ok(Routed { costs, offsets, places })
    }

    /// Appends the places from one that has a cost to its goal, both included.
    fn append(&self, world: &S, from: S::Place, places: &mut Vec<S::Place>) {
        let steps = world.steps();
        let mut at = world.node_of(from);
        while let Some(node) = at {
            places.push(world.place(node));
            at = self.after(world, &steps, node);
        }
    }

    /// Returns the node to which the step of a node leads, `None` if it has no step.
    #[inline(always)]
    fn after(&self, world: &S, offsets: &[i32; 8], node: NodeId) -> Option<NodeId> {
        let step = self.step_by_node[node.index()];
        match offsets.get(usize::from(step)) {
            Some(&offset) => Some(NodeId(node.0.wrapping_add_signed(offset))),
            None if step == AT_GOAL || step == NO_STEP => None,
            None => world.over_link(node, step),
        }
    }
}

/// Checks that a field can have these goals.
fn check_goals<S: Space>(world: &Snapshot<S>, goals: &[S::Place]) -> Result<(), FieldError<S::Place>> {
    if goals.is_empty() {
        return Err(FieldError::NoGoals);
    }
    for &goal in goals {
        if !world.contains(goal) {
            let (width, height) = world.size();
            return Err(FieldError::OffMap { goal, width, height });
        }
        world.component(goal).ok_or(FieldError::GoalBlocked(goal))?;
    }
    Ok(())
}

/// Returns the greatest cost of a field with this range.
fn limit(range: Option<Cost>) -> u32 {
    range.map_or(FAR - 1, |range| range.0.min(FAR - 1))
}
