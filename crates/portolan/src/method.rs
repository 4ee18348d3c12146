//! The interface of an algorithm: [`Method`] begins a search, continues it in slices and follows edits. An algorithm
//! may also plan in legs that are refined later ([`Legs`]), keep one agent's search alive while the world changes
//! ([`LivingSearch`]), compute costs to many goals, save its chart, and list what can be shown of it.
//!
//! Every search runs in slices: [`Method::begin`] fills the scratch, and each call of [`Method::step`] expands some
//! nodes. A search in one call is one long step, so the route does not depend on the number of slices.
//!
//! Not here: any algorithm.

use crate::algorithm::Unsuited;
use crate::flat::{Flat, FlatPatch};
use crate::id::Cell;
use crate::memory::OutOfMemory;
use crate::outline::{Census, Outline, Tree};
use crate::probe::Watcher;
use crate::saved::SectionStream;
use crate::scratch::Scratch;
use crate::space::mesh::patch::MeshPatch;
use crate::space::square::SquareGrid;
use crate::space::{Area, Space};

/// A search from one place of a space to another.
pub(crate) struct Task<'a, S: Space = SquareGrid> {
    pub(crate) grid: &'a S,
    pub(crate) from: S::Place,
    pub(crate) to: S::Place,
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "a derive would demand that the space is Copy")]
impl<S: Space> Clone for Task<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Space> Copy for Task<'_, S> {}

/// The result of a search. If it found a route, the cells of the route are in [`Scratch::trail`], the goal first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// A route of this cost was found.
    Found(u32),
    /// No route was found whose cost fits [`crate::Cost`].
    NotFound,
}

/// The best route that a search has found before its end. Its cells are in [`Scratch::trail`], the goal first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct SoFar {
    /// The cost of the route.
    pub(crate) cost: u32,
    /// A number that no route costs less than.
    pub(crate) least: u64,
}

/// An algorithm with its settings and the data it derived from the world. The planner calls it only for tasks whose
/// start and goal are free, different and connected.
pub(crate) trait Method<S: Space = SquareGrid>: CloneMethod<S> + Send + Sync {
    /// Reserves memory in the scratch for the records of a search, if their number is known beforehand and large.
    fn reserve(&self, _space: &S, _scratch: &mut Scratch<S>) -> Result<(), OutOfMemory> {
        Ok(())
    }

    /// Prepares the scratch for a new search.
    fn begin(&self, task: Task<S>, scratch: &mut Scratch<S>);

    /// Expands up to `left` nodes and counts `left` down. Returns `None` if there is more to do.
    fn step(&self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End>;

    /// Returns the best route that a search has found before its end, and writes its cells to [`Scratch::trail`], which is
    /// empty. The caller empties it again before the search goes on. Returns `None` if there is no route yet, as in all
    /// algorithms that find one route and end.
    fn so_far(&self, _task: Task<S>, _scratch: &mut Scratch<S>) -> Option<SoFar> {
        None
    }

    /// Returns the number of expansions after which a search gives up if the query sets no budget; `None` means no
    /// limit.
    fn budget(&self) -> Option<u64> {
        None
    }

    /// Brings the derived data up to date after `edits`, which have already been applied to `space`.
    fn repair(&mut self, _space: &S, _edits: &[S::Edit]) -> Repair {
        Repair::default()
    }

    /// Computes again what repairs dropped because it takes long. Returns whether legs planned before can no longer be
    /// refined.
    fn refresh(&mut self, _space: &S) -> bool {
        false
    }

    /// Writes the costs from one start to many goals, for algorithms that need no search for each goal. A cost of
    /// `u32::MAX` means that a search is needed, or that the goal is not reachable.
    fn costs_to(&self, _space: &S, _from: S::Place, _goals: &[S::Place], _scratch: &mut Scratch<S>, costs: &mut [u32]) {
        costs.fill(u32::MAX);
    }

    /// Writes the exact costs from one start to many goals, if one search for all of them is faster than one for each, and
    /// returns whether it was. A cost of `u32::MAX` means that the goal is not reachable, or not at a cost that fits
    /// [`crate::Cost`]. The planner asks only where routes are promised to be cheapest walks in steps.
    fn sweep(
        &self,
        _space: &S,
        _from: S::Place,
        _goals: &[S::Place],
        _scratch: &mut Scratch<S>,
        _costs: &mut [u32],
    ) -> bool {
        false
    }

    /// Returns this algorithm built again for `space`, except for the parts that repairs keep in place, such as the
    /// lines of a rhumb chart. Returns `None` if there are no such parts, or if they do not fit `space`.
    fn anew(&self, _space: &S) -> Option<Box<dyn Method<S>>> {
        None
    }

    /// Returns this algorithm for the mesh that a patch led to, with what it can keep of its data. Returns `None` if nothing
    /// can be kept.
    fn patched(&self, _space: &S, _patch: &MeshPatch) -> Option<Box<dyn Method<S>>> {
        None
    }

    /// Returns this algorithm for another world, on the chart that it has.
    fn share(&self, _space: &S) -> Result<Box<dyn Method<S>>, ShareError> {
        Err(ShareError::OneWorld)
    }

    /// Returns the interface for planning in legs, or `None` if a search finds all cells of its route at once.
    fn legs(&self) -> Option<&dyn Legs<S>> {
        None
    }

    /// Returns a search that one agent keeps while it walks and the world changes, or `None` if the algorithm searches
    /// from nothing every time.
    fn replanner(&self) -> Option<Box<dyn LivingSearch<S>>> {
        None
    }

    /// Returns the size of each level of a chart, the lowest first; empty for flat searches.
    fn census(&self, _space: &S) -> Vec<Census> {
        Vec::new()
    }

    /// Returns the regions, ports and edges of a chart or graph, for display, or `None` if the algorithm keeps none.
    fn outline(&self, _space: &S) -> Option<Outline> {
        None
    }

    /// Returns the tree kept for a port: cells, row by row, each with the next cell on its route to the port. Empty if
    /// no tree is kept.
    fn tree(&self, _space: &S, _port: S::Place) -> Tree<S::Place> {
        Vec::new()
    }

    /// Returns the derived data as sections whose bytes are read from this value while they are written, or `None` if
    /// there is nothing worth saving.
    fn save(&self) -> Option<Vec<SectionStream<'_>>> {
        None
    }

    /// Returns the derived data and what it refers to as flat arrays, or `None` if there is no such form of it.
    fn flat(&self, _space: &S) -> Option<Flat> {
        None
    }

    /// Returns a number for the state of the flat arrays, by which [`Method::flat_since`] tells what has changed, if it needs one.
    fn flat_state(&self) -> u64 {
        0
    }

    /// Returns what edits have changed in the flat arrays since an earlier state of the space and of the arrays, or `None` if that
    /// is not known.
    fn flat_since(&self, _space: &S, _before: &S, _state: u64) -> Option<FlatPatch<'_>> {
        None
    }

    /// Returns the bytes of memory that the derived data takes.
    fn bytes(&self) -> usize {
        0
    }
}

/// Clones a method behind a pointer. It is a trait of its own because [`Clone`] cannot be called on a `dyn Method`.
pub(crate) trait CloneMethod<S: Space> {
    fn clone_method(&self) -> Box<dyn Method<S>>;
}

impl<S: Space, M: Method<S> + Clone + 'static> CloneMethod<S> for M {
    fn clone_method(&self) -> Box<dyn Method<S>> {
        Box::new(self.clone())
    }
}

impl<S: Space> Clone for Box<dyn Method<S>> {
    fn clone(&self) -> Box<dyn Method<S>> {
        (**self).clone_method()
    }
}

/// A search that first finds the legs of a route and later turns them into cells.
pub(crate) trait Legs<S: Space = SquareGrid> {
    /// Finds the legs of a route and appends them to `legs`, the last leg first. Cells that are found at once are in
    /// [`Scratch::trail`], the last cell first: they are the whole route, or its part before the first leg. The cost is
    /// that of the whole route before smoothing. Expands up to `left` nodes, as [`Method::step`] does, and counts `left`
    /// down. Returns `None` if there is more to do; the next call gets the same list of legs.
    fn survey(
        &self,
        task: Task<S>,
        scratch: &mut Scratch<S>,
        left: &mut u64,
        legs: &mut Vec<Leg<S::Place>>,
    ) -> Option<End>;

    /// Takes the first leg of the route, the last in `legs`, off the list, and appends its cells in walking order. A
    /// leg may be split first; the other parts then stay in the list.
    fn refine(&self, space: &S, legs: &mut Vec<Leg<S::Place>>, scratch: &mut Scratch<S>, cells: &mut Vec<S::Place>);

    /// Returns an area that contains all cells of a leg.
    fn bounds(&self, leg: Leg<S::Place>) -> S::Region;

    /// Returns whether the cost of a route is known before its legs are refined.
    fn knows_cost(&self) -> bool {
        true
    }
}

/// One agent's search that is kept from route to route, for algorithms that repair what they found instead of searching
/// from nothing. Its state is its own and not in the scratch. [`crate::Replanner`] calls it.
pub(crate) trait LivingSearch<S: Space = SquareGrid>: CloneLivingSearch<S> + Send + Sync {
    /// Learns of edits, which have already been applied to the grid of the task. The task leads from the cell where the
    /// agent stands now, which may be blocked, to its goal. Every edit since the first step is told once, in order.
    fn edited(&mut self, task: Task<S>, edits: &[S::Edit]);

    /// Expands up to `left` nodes, as [`Method::step`] does, and counts `left` down. Returns `None` if there is more to
    /// do. Start and goal are free, different and connected. Each may be another one than at the last call: the start
    /// when the agent has moved, the goal when the agent was given another one.
    fn step(&mut self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End>;

    /// Returns the best route that the search has found before its end, as [`Method::so_far`] does.
    fn so_far(&self, _task: Task<S>, _scratch: &mut Scratch<S>) -> Option<SoFar> {
        None
    }

    /// Returns the bytes of memory that the search takes.
    fn bytes(&self) -> usize;
}

/// Clones a living search behind a pointer, as [`CloneMethod`] clones a method.
pub(crate) trait CloneLivingSearch<S: Space> {
    fn clone_living(&self) -> Box<dyn LivingSearch<S>>;
}

impl<S: Space, L: LivingSearch<S> + Clone + 'static> CloneLivingSearch<S> for L {
    fn clone_living(&self) -> Box<dyn LivingSearch<S>> {
        Box::new(self.clone())
    }
}

impl<S: Space> Clone for Box<dyn LivingSearch<S>> {
    fn clone(&self) -> Box<dyn LivingSearch<S>> {
        (**self).clone_living()
    }
}

/// A part of a route between two cells, inside one cluster or region. On charts of clusters, the next leg begins one
/// step further on, in another cluster; on other charts it begins at the cell where this leg ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leg<P = Cell> {
    pub(crate) from: P,
    pub(crate) to: P,
    /// On charts of clusters, the level of the cluster: 0 if the leg can be turned into cells without splitting it. On
    /// the rhumb chart, 1 for the leg that begins at the start of the route, else 0. On meshes, 1 for the leg that ends at
    /// the goal, else 0.
    pub(crate) level: u8,
    /// On the rhumb chart, the region that the leg crosses. In PRA*, the cost of the route on the layer where the
    /// search for the piece before began. On meshes, the portal by which the leg leaves its node, or by which the leg to the
    /// goal enters it.
    pub(crate) region: u32,
}

/// Why a planner's chart cannot serve another world too.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShareError {
    /// The planner's algorithm has no chart, or one that serves a single world.
    #[error("only haa-star has a chart that serves several worlds; build a planner for each")]
    OneWorld,
    /// The world has another size.
    #[error("a chart of {} x {} cells cannot serve a world of {} x {}", .ours.0, .ours.1, .theirs.0, .theirs.1)]
    Size {
        /// Columns and rows of the chart.
        ours: (usize, usize),
        /// Columns and rows of the world.
        theirs: (usize, usize),
    },
    /// The chart serves as many worlds as it can.
    #[error("a chart serves at most {most} worlds at once; drop planners, or build one with a chart of its own")]
    Full {
        /// How many it serves.
        most: usize,
    },
    /// The algorithm does not run on the world.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
}

/// What a repair has changed in a planner.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Repair {
    /// The number of clusters or regions computed again, on all levels; 0 if the algorithm keeps no data by cluster.
    pub clusters: usize,
    /// The parts of the lowest level that were computed again, row by row and each once: clusters or leaves, rectangles
    /// around regions of other shapes, or rectangles around jump points whose leaps an edit changed. Empty if the
    /// algorithm keeps nothing that can be shown.
    pub areas: Vec<Area>,
    /// Whether the whole chart was built again with lines in other places. If so, no [`crate::LazyRoute`] planned
    /// before can be refined any more.
    pub rebuilt: bool,
}

impl Repair {
    /// Returns a repair with these areas, sorted and without repetitions; they may be given in any order.
    pub(crate) fn of(clusters: usize, areas: impl Iterator<Item = Area>) -> Repair {
        let mut areas: Vec<Area> = areas.collect();
        areas.sort_unstable_by_key(|area| (area.y, area.x, area.height, area.width));
        areas.dedup();
        Repair { clusters, areas, rebuilt: false }
    }
}
