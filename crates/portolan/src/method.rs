//! What an algorithm implements: [`Method`], which begins a search, continues it in slices and follows edits; and what it
//! may have besides: legs that are refined later ([`Legs`]), costs to many goals, sections to be saved, things to be shown.
//!
//! Every search runs in slices: [`Method::begin`] fills the scratch, [`Method::step`] expands some nodes and can be
//! called again. Finding a route in one go is one long step, so both give the same route.
//!
//! Not here: any algorithm.

use crate::id::{Cell, NodeId};
use crate::memory::OutOfMemory;
use crate::outline::Outline;
use crate::planner::{Census, Repair};
use crate::probe::Probe;
use crate::saved::SectionStream;
use crate::scratch::Scratch;
use crate::world::square::SquareGrid;
use crate::world::{Area, Edit};

/// A search in progress: where it happens, from where to where.
#[derive(Copy, Clone)]
pub(crate) struct Task<'a> {
    pub(crate) grid: &'a SquareGrid,
    pub(crate) from: Cell,
    pub(crate) to: Cell,
}

impl Task<'_> {
    pub(crate) fn start(&self) -> NodeId {
        self.grid.node(self.from)
    }

    pub(crate) fn goal(&self) -> NodeId {
        self.grid.node(self.to)
    }
}

/// How a search ended. A route found lies in [`Scratch::trail`], goal first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Found(u32),
    NotFound,
}

/// An algorithm with its settings and whatever it derived from the world. The planner has checked before that
/// start and goal are free, different and connected.
pub(crate) trait Method: CloneMethod + Send + Sync {
    /// Makes room in the scratch for the records of a search, as far as their number is known beforehand and large.
    fn reserve(&self, _grid: &SquareGrid, _scratch: &mut Scratch) -> Result<(), OutOfMemory> {
        Ok(())
    }

    /// Makes the scratch ready for a new search.
    fn begin(&self, task: Task, scratch: &mut Scratch);

    /// Expands up to `left` nodes, counting down; `None` means there is more to do.
    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End>;

    /// Expansions after which this search gives up unless the query says otherwise.
    fn budget(&self) -> Option<u64> {
        None
    }

    /// Follows the edits that `grid` has just seen.
    fn repair(&mut self, _grid: &SquareGrid, _edits: &[Edit]) -> Repair {
        Repair::default()
    }

    /// Redoes what repairs dropped because it takes long; says whether legs planned before are void.
    fn refresh(&mut self, _grid: &SquareGrid) -> bool {
        false
    }

    /// What it costs to many goals, all connected with the start, where that is known without a search for each;
    /// `u32::MAX` elsewhere.
    fn costs_to(&self, _grid: &SquareGrid, _from: Cell, _goals: &[Cell], _scratch: &mut Scratch, costs: &mut [u32]) {
        costs.fill(u32::MAX);
    }

    /// Built from nothing for another state of the world, but for what stays where it once was put; `None` where nothing does.
    fn anew(&self, _grid: &SquareGrid) -> Option<Box<dyn Method>> {
        None
    }

    /// What plans in legs and refines them later; nothing where a search knows its whole route at once.
    fn legs(&self) -> Option<&dyn Legs> {
        None
    }

    /// The size of what a chart searches, by level; nothing for flat searches.
    fn census(&self, _grid: &SquareGrid) -> Vec<Census> {
        Vec::new()
    }

    /// What it has drawn over the world, for those who show it.
    fn outline(&self, _grid: &SquareGrid) -> Option<Outline> {
        None
    }

    /// The tree kept for a port: cells, row by row, each with the next one on its way there.
    fn tree(&self, _grid: &SquareGrid, _port: Cell) -> Vec<(Cell, Cell)> {
        Vec::new()
    }

    /// What was derived from the world, as sections that are read off it while they are written; `None` where that is not
    /// worth saving.
    fn save(&self) -> Option<Vec<SectionStream<'_>>> {
        None
    }

    /// Bytes derived from the world.
    fn bytes(&self) -> usize {
        0
    }
}

/// Cloning behind a pointer.
pub(crate) trait CloneMethod {
    fn clone_method(&self) -> Box<dyn Method>;
}

impl<M: Method + Clone + 'static> CloneMethod for M {
    fn clone_method(&self) -> Box<dyn Method> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Method> {
    fn clone(&self) -> Box<dyn Method> {
        (**self).clone_method()
    }
}

/// A search whose routes are first legs and then cells.
pub(crate) trait Legs {
    /// Finds the legs of a route and lists them, the last one first. Where it knows all cells at once they lie in
    /// [`Scratch::trail`] instead, goal first. The cost is that of the route as the legs have it.
    fn survey(&self, task: Task, scratch: &mut Scratch, left: &mut u64, legs: &mut Vec<Leg>) -> Option<End>;

    /// Takes the first leg off the list, which it may have to split first, and appends its cells in walking order.
    fn refine(&self, grid: &SquareGrid, legs: &mut Vec<Leg>, scratch: &mut Scratch, cells: &mut Vec<Cell>);

    /// Where a leg may lead.
    fn bounds(&self, leg: Leg) -> Area;

    /// Whether what legs cost is known before they are refined.
    fn knows_cost(&self) -> bool {
        true
    }
}

/// Part of a route: from one cell of a cluster to another, inside it. The next leg begins one step further on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leg {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    /// Of the cluster; 0 where the leg can be turned into cells at once.
    pub(crate) level: u8,
    /// The region it leads through, for charts that have regions.
    pub(crate) region: u32,
}
