//! The one door for callers that learn the kind of a world at run time, such as the command line, the studio and the
//! bindings: [`AnyWorld`], [`AnySnapshot`], [`AnyPlanner`] and what belongs to them. Each is an enum over the kinds of
//! space, and nothing else in the workspace is.
//!
//! Both kinds of grid have columns and rows, so here a [`Cell`] names a place of either: on hexes, the one that
//! [`HexCell::at`] returns for its column and row.
//!
//! Not here: anything that one kind of space does; callers that know the kind use the types with a type parameter.

mod algorithm;
mod batch;
mod between;
mod clocked;
mod field;
mod pick;
mod planner;
mod replan;
mod route;

pub use algorithm::{AnyAlgorithm, all_algorithms};
pub use batch::AnyBatchScratch;
pub use field::{AnyField, AnyFleeMap};
pub use pick::{AnyPick, Picked};
pub use planner::{AnyPlanner, AnyScratch};
pub use replan::AnyReplanner;
pub use route::{AnyLazyRoute, AnyRoute};

use crate::cost::{Cost, Metric};
use crate::id::{Cell, HexCell, NodeId};
use crate::query::QueryError;
use crate::space::hex::HexGrid;
use crate::space::mesh::NavMesh;
use crate::space::square::SquareGrid;
use crate::space::{Edit, EditError, Profile, Revision, Rules, Snapshot, Space, Terrain, ViewError, World};

/// Runs `$body` with `$it` bound to the value inside an enum over the kinds of space, whatever the kind.
macro_rules! on_each {
    ($any:expr, |$it:ident| $body:expr) => {
        match $any {
            Self::Square($it) => $body,
            Self::Hex($it) => $body,
        }
    };
}
pub(crate) use on_each;

/// Writes how a value of each kind of space becomes the enum `$any` over the kinds.
macro_rules! from_kinds {
    ($any:ident: $square:ty, $hex:ty) => {
        impl From<$square> for $any {
            fn from(own: $square) -> $any {
                $any::Square(own)
            }
        }

        impl From<$hex> for $any {
            fn from(own: $hex) -> $any {
                $any::Hex(own)
            }
        }
    };
}
use from_kinds;

/// Writes how a grid of each kind becomes the enum `$any` over the kinds, which can be made from a `$one` of that grid.
macro_rules! from_grids {
    ($any:ident: $one:ident) => {
        impl From<SquareGrid> for $any {
            fn from(grid: SquareGrid) -> $any {
                $any::Square($one::from(grid))
            }
        }

        impl From<HexGrid> for $any {
            fn from(grid: HexGrid) -> $any {
                $any::Hex($one::from(grid))
            }
        }
    };
}

/// Returns the hex in the column and row of a cell. A cell far off every grid gives a hex that lies on none either.
fn hex(cell: Cell) -> HexCell {
    HexCell::at(cell.x, cell.y)
}

/// Returns the column and row of a hex on a grid.
fn cell(hex: HexCell) -> Cell {
    hex.cell().expect("a hex on a grid has a column and a row")
}

/// Returns the error with the hex named by its column and row.
fn by_cell(error: QueryError<HexCell>) -> QueryError {
    match error {
        QueryError::OffMap { cell: at, width, height } => QueryError::OffMap { cell: cell(at), width, height },
        QueryError::StartBlocked(at) => QueryError::StartBlocked(cell(at)),
        QueryError::Stale(error) => QueryError::Stale(error),
        QueryError::NothingBegun => QueryError::NothingBegun,
        QueryError::OtherLegs => QueryError::OtherLegs,
        QueryError::OutOfMemory(error) => QueryError::OutOfMemory(error),
    }
}

/// Returns the error as [`by_cell`] does, with a cell off the map as it was asked for: far off every grid, many cells give
/// one hex.
fn as_asked(error: QueryError<HexCell>, asked: &[Cell]) -> QueryError {
    match by_cell(error) {
        QueryError::OffMap { cell: at, width, height } => {
            let cell = asked.iter().copied().find(|&cell| hex(cell) == hex(at)).unwrap_or(at);
            QueryError::OffMap { cell, width, height }
        }
        other => other,
    }
}

/// A world of any kind, as it was when the snapshot was taken.
#[derive(Clone)]
pub enum AnySnapshot {
    /// A square grid.
    Square(Snapshot),
    /// A hexagonal grid.
    Hex(Snapshot<HexGrid>),
}

from_kinds!(AnySnapshot: Snapshot, Snapshot<HexGrid>);
from_grids!(AnySnapshot: Snapshot);

/// A world is of another kind than is needed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a world of {}; this needs {}", cells_of(found), cells_of(needed))]
pub struct OtherKind {
    /// The name of the world's kind.
    pub found: &'static str,
    /// The name of the kind that is needed.
    pub needed: &'static str,
}

impl OtherKind {
    /// A world of hexes where squares are needed.
    pub const HEXES: OtherKind = OtherKind { found: HexGrid::KIND, needed: SquareGrid::KIND };
    /// A world of squares where hexes are needed.
    pub const SQUARES: OtherKind = OtherKind { found: SquareGrid::KIND, needed: HexGrid::KIND };
}

/// Returns what the cells of a kind of space are called.
pub fn cells_of(kind: &str) -> &'static str {
    match kind {
        HexGrid::KIND => "hexes",
        NavMesh::KIND => "polygons",
        _ => "squares",
    }
}

impl AnySnapshot {
    /// Returns the square grid.
    ///
    /// # Errors
    /// When the world is of another kind.
    pub fn to_squares(&self) -> Result<&Snapshot, OtherKind> {
        self.square().ok_or(OtherKind { found: self.kind(), needed: SquareGrid::KIND })
    }

    /// Returns the name of the kind on the command line and in files: `square` or `hex`.
    pub fn kind(&self) -> &'static str {
        match self {
            AnySnapshot::Square(_) => SquareGrid::KIND,
            AnySnapshot::Hex(_) => HexGrid::KIND,
        }
    }

    /// Returns the name of the kind, or `None` of a square grid: reports name only the kinds that were added to it.
    pub fn kind_if_not_square(&self) -> Option<&'static str> {
        Some(self.kind()).filter(|&kind| kind != SquareGrid::KIND)
    }

    /// Returns the square grid, or `None` if the world is of another kind.
    pub fn square(&self) -> Option<&Snapshot> {
        match self {
            AnySnapshot::Square(world) => Some(world),
            AnySnapshot::Hex(_) => None,
        }
    }

    /// Returns the hexagonal grid, or `None` if the world is of another kind.
    pub fn hex(&self) -> Option<&Snapshot<HexGrid>> {
        match self {
            AnySnapshot::Hex(world) => Some(world),
            AnySnapshot::Square(_) => None,
        }
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        on_each!(self, |world| world.width())
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        on_each!(self, |world| world.height())
    }

    /// Returns the rules by which agents step, or `None` on hexes, which need none.
    pub fn rules(&self) -> Option<Rules> {
        self.square().map(|world| world.rules())
    }

    /// Returns the metric that gives the cost of steps.
    pub fn metric(&self) -> Metric {
        on_each!(self, |world| world.metric())
    }

    /// Returns what steps cost, for users: the costs of a straight and of a diagonal step, or of any step on hexes.
    pub fn step_costs(&self) -> String {
        match self {
            AnySnapshot::Square(world) => world.metric().to_string(),
            AnySnapshot::Hex(world) => world.metric().straight().to_string(),
        }
    }

    /// Returns the state of the world that this snapshot holds.
    pub fn revision(&self) -> Revision {
        on_each!(self, |world| world.revision())
    }

    /// Returns the bytes of memory that the terrain takes.
    pub fn bytes(&self) -> usize {
        on_each!(self, |world| world.bytes())
    }

    /// Returns whether the cell lies on the grid, blocked or not.
    pub fn contains(&self, at: Cell) -> bool {
        match self {
            AnySnapshot::Square(world) => world.contains(at),
            AnySnapshot::Hex(world) => world.contains(hex(at)),
        }
    }

    /// Returns every cell on the grid, row by row.
    pub fn cells(&self) -> Box<dyn Iterator<Item = Cell> + '_> {
        match self {
            AnySnapshot::Square(world) => Box::new(world.cells()),
            AnySnapshot::Hex(world) => Box::new(world.cells().map(cell)),
        }
    }

    /// Returns the terrain of the cell; cells off the grid are blocked.
    pub fn terrain(&self, at: Cell) -> Terrain {
        match self {
            AnySnapshot::Square(world) => world.terrain(at),
            AnySnapshot::Hex(world) => world.terrain(hex(at)),
        }
    }

    /// Returns whether an agent may stand on the cell.
    pub fn is_free(&self, at: Cell) -> bool {
        self.terrain(at).is_free()
    }

    /// Returns how many cells are free.
    pub fn free_cells(&self) -> usize {
        on_each!(self, |world| world.free_cells())
    }

    /// Returns how many cells have each weight; entry 0 counts the blocked cells.
    pub fn cells_by_weight(&self) -> &[u32; 256] {
        on_each!(self, |world| world.cells_by_weight())
    }

    /// Returns the weight that all free cells have, or `None` where weights differ.
    pub fn uniform_weight(&self) -> Option<u8> {
        on_each!(self, |world| world.uniform_weight())
    }

    /// Returns one weight for each column of each row, 0 where blocked or off the grid.
    pub fn to_weights(&self) -> Vec<u8> {
        on_each!(self, |world| world.to_weights())
    }

    /// Writes the weights of one row to `weights`, which has one entry for each column.
    ///
    /// # Panics
    /// When there is no such row, or `weights` has another length.
    pub fn copy_row(&self, row: usize, weights: &mut [u8]) {
        on_each!(self, |world| world.copy_row(row, weights));
    }

    /// Returns whether there is a legal walk from one cell to the other.
    pub fn connected(&self, a: Cell, b: Cell) -> bool {
        matches!((self.component(a), self.component(b)), (Some(a), Some(b)) if a == b)
    }

    /// Returns the number of the connected part that contains the cell, `None` if the cell is blocked.
    pub fn component(&self, at: Cell) -> Option<u64> {
        match self {
            AnySnapshot::Square(world) => world.component(at),
            AnySnapshot::Hex(world) => world.component(hex(at)),
        }
    }

    /// Returns the cell nearest to `goal` among those reachable from `from`, or `None` if `from` is blocked.
    pub fn nearest_reachable(&self, from: Cell, goal: Cell) -> Option<Cell> {
        match self {
            AnySnapshot::Square(world) => world.nearest_reachable(from, goal),
            AnySnapshot::Hex(world) => world.nearest_reachable(hex(from), hex(goal)).map(cell),
        }
    }

    /// Returns the cost of a step between neighbouring cells, or `None` if it is not legal.
    pub fn step_cost(&self, from: Cell, to: Cell) -> Option<Cost> {
        match self {
            AnySnapshot::Square(world) => world.step_cost(from, to),
            AnySnapshot::Hex(world) => world.step_cost(hex(from), hex(to)),
        }
    }

    /// Returns where the middle of a cell lies: across and down. A cell is 1 wide.
    pub fn position(&self, at: Cell) -> [f32; 2] {
        let [x, y, _] = match self {
            AnySnapshot::Square(world) => world.position(at),
            AnySnapshot::Hex(world) => world.position(hex(at)),
        };
        [x, y]
    }

    /// Returns the world as an agent of a profile sees it, apart from the one that the snapshot was taken of.
    ///
    /// # Errors
    /// When the body does not fit the form of the cells, the profile heeds a layer, or there is no memory for the view.
    pub fn seen_by(&self, profile: &Profile) -> Result<AnySnapshot, ViewError> {
        match self {
            AnySnapshot::Square(world) => world.seen_by(profile).map(AnySnapshot::from),
            AnySnapshot::Hex(world) => world.seen_by(profile).map(AnySnapshot::from),
        }
    }

    /// Returns the cell of a node that events of a search name.
    pub fn cell(&self, node: NodeId) -> Cell {
        match self {
            AnySnapshot::Square(world) => world.cell(node),
            AnySnapshot::Hex(world) => cell(world.cell(node)),
        }
    }

    /// Returns one more than the largest index of a node.
    pub fn node_count(&self) -> usize {
        on_each!(self, |world| world.node_count())
    }
}

/// A world of any kind that can be edited.
pub enum AnyWorld {
    /// A square grid.
    Square(World),
    /// A hexagonal grid.
    Hex(World<HexGrid>),
}

from_kinds!(AnyWorld: World, World<HexGrid>);
from_grids!(AnyWorld: World);

impl From<AnySnapshot> for AnyWorld {
    /// Makes a world of its own with the terrain of the snapshot.
    fn from(snapshot: AnySnapshot) -> AnyWorld {
        match snapshot {
            AnySnapshot::Square(world) => AnyWorld::from(SquareGrid::clone(&world)),
            AnySnapshot::Hex(world) => AnyWorld::from(HexGrid::clone(&world)),
        }
    }
}

impl AnyWorld {
    /// Takes a snapshot of the world as it is now. While it is held, edits go to a copy of the world.
    pub fn snapshot(&self) -> AnySnapshot {
        match self {
            AnyWorld::Square(world) => AnySnapshot::Square(world.snapshot()),
            AnyWorld::Hex(world) => AnySnapshot::Hex(world.snapshot()),
        }
    }

    /// Returns a snapshot of the world as an agent of a profile sees it; the view is made when it is first asked for, and
    /// follows every edit.
    ///
    /// # Errors
    /// As [`World::view`].
    pub fn view(&self, profile: &Profile) -> Result<AnySnapshot, ViewError> {
        match self {
            AnyWorld::Square(world) => Ok(AnySnapshot::Square(world.view(profile)?.snapshot())),
            AnyWorld::Hex(world) => Ok(AnySnapshot::Hex(world.view(profile)?.snapshot())),
        }
    }

    /// Returns the state of the world.
    pub fn revision(&self) -> Revision {
        on_each!(self, |world| world.revision())
    }

    /// Applies all edits in order and returns the new revision. If one of the edits is at fault, none is applied.
    ///
    /// # Errors
    /// When an edit reaches off the grid or covers no cell; the world is then unchanged.
    pub fn apply(&mut self, edits: &[Edit]) -> Result<Revision, EditError> {
        on_each!(self, |world| world.apply(edits))
    }
}
