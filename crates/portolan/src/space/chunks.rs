//! Worlds that are streamed ([`Chunks`]): ground comes and goes in chunks of one size, each of which is loaded, replaced and
//! unloaded by one batch of edits, and cells keep their coordinates however far the world goes on.
//!
//! A grid has a rim and cannot go on without end, so chunks lie in a window. It can be moved, but every cell then has
//! another place on the grid: a move is as dear as building anew, and should be rare. A window is not wrapped around at its
//! edges, because cells that are neighbours in the world would then not be neighbours on the grid.
//!
//! Not here: what a chunk brings (`space/chunks/chunk.rs`), and the edits that it takes (`space/chunks/difference.rs`).

pub(super) mod chunk;
mod difference;

use super::borders::{Border, Side};
use super::ground::{Grounded, Layout};
use super::square::SquareGrid;
use super::{Area, Edit, EditError, Extras, Space, Terrain, World};
use crate::id::{Cell, NodeId};
use chunk::{Chunk, Fixtures};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// A kind of world that can be streamed: [`SquareGrid`] and [`crate::HexGrid`]. The trait is public in a private module, so
/// that only this crate implements it. Cells are named by column and row.
pub trait Chunked: Space<Edit = Edit, EditError = EditError> {
    /// Returns whether cells have this side.
    fn has_side(side: Side) -> bool;
    /// Returns the place in this column and row.
    fn place_at(&self, cell: Cell) -> Self::Place;
    /// Returns the column and row of a place, `None` off the grid.
    fn cell_of(&self, place: Self::Place) -> Option<Cell>;
    /// Returns whether some cell is free.
    fn has_ground(&self) -> bool;
    /// Returns the terrain of a cell.
    fn terrain_at(&self, cell: Cell) -> Terrain;
    /// Returns the border of a cell on a side that cells have.
    fn border_at(&self, cell: Cell, side: Side) -> Border;
    /// Returns the cells at both ends of each link, one way, and its cost.
    fn all_links(&self) -> Vec<((Cell, Cell), u32)>;
}

impl<S: Space<Edit = Edit, EditError = EditError> + Grounded<Layout: Layout<Cell = S::Place>>> Chunked for S {
    fn has_side(side: Side) -> bool {
        S::Layout::direction(side).is_some()
    }

    fn place_at(&self, cell: Cell) -> S::Place {
        self.place(NodeId(self.ground().layout.node_of((cell.x.into(), cell.y.into())) as u32))
    }

    fn cell_of(&self, place: S::Place) -> Option<Cell> {
        self.ground().layout.place(place).map(|(column, row)| Cell::new(column as u16, row as u16))
    }

    fn has_ground(&self) -> bool {
        self.ground().layout.cell_count() > self.ground().cells_by_weight[0] as usize
    }

    fn terrain_at(&self, cell: Cell) -> Terrain {
        self.ground().terrain(self.place_at(cell))
    }

    fn border_at(&self, cell: Cell, side: Side) -> Border {
        self.ground().border(self.place_at(cell), side).unwrap_or_default()
    }

    fn all_links(&self) -> Vec<((Cell, Cell), u32)> {
        let Some(passages) = &self.ground().passages else { return Vec::new() };
        let cell = |node: u32| {
            let (column, row) = self.ground().layout.place_of(node as usize);
            Cell::new(column as u16, row as u16)
        };
        passages.links().all().iter().map(|link| ((cell(link.at), cell(link.beyond)), link.cost)).collect()
    }
}

/// A window of chunks over a world of squares or hexes, all of one size. Ground that is not loaded is blocked.
///
/// A chunk is named by its column and row among all chunks of the world, which may be negative, and a cell by its column and row
/// in the world: the first cell of chunk (0, 0) is (0, 0). [`Chunks::place`] is where a cell lies on the grid, for queries.
/// Each change is one batch of edits, which holds no cell that stays as it is, and is returned for [`crate::Planner::repair`].
/// Other edits of the world may come between; those of a chunk's cells last until the chunk is replaced or unloaded.
///
/// ```
/// use portolan::{Chunk, Chunks, Planner, Query, Rules, Scratch, SquareGrid, World};
/// // Room for 8 x 4 chunks of 16 x 16 cells; the first of them is (-4, -2).
/// let blocked = SquareGrid::from_weights(128, 64, &[0; 128 * 64], Rules::default())?;
/// let mut world = World::from(blocked);
/// let mut chunks = Chunks::new(&world, (16, 16), (-4, -2))?;
/// let meadow = Chunk::from_weights(&[1; 16 * 16]);
/// chunks.load(&mut world, (-1, 0), &meadow)?;
/// let mut planner = Planner::new(&world, "hpa-star")?;
///
/// let edits = chunks.load(&mut world, (0, 0), &meadow)?;
/// planner.repair(&world, &edits)?;
/// let [from, to] = [(-10, 3), (12, 9)].map(|cell| chunks.place(&world, cell).expect("in the window"));
/// let outcome = planner.find(&world, Query::new(from, to), &mut Scratch::new())?;
/// assert_eq!(outcome.route().map(|route| route.steps()), Some(22));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chunks<S: Chunked = SquareGrid> {
    /// Columns and rows of a chunk.
    size: (u16, u16),
    /// Chunks across the window and down.
    count: (u16, u16),
    /// The chunk in the top left of the window.
    first: (i32, i32),
    /// The borders and links of each loaded chunk.
    loaded: BTreeMap<(i32, i32), Fixtures>,
    kind: PhantomData<fn() -> S>,
}

/// Why a window of chunks cannot be laid over a world.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChunksError {
    /// The columns or rows of the world are not those of whole chunks.
    #[error("a grid of {width} x {height} cells has no room for whole chunks of {columns} x {rows}")]
    Size {
        /// Columns of the grid.
        width: usize,
        /// Rows of the grid.
        height: usize,
        /// Columns of a chunk.
        columns: u16,
        /// Rows of a chunk.
        rows: u16,
    },
    /// Chunks of hexes have an odd number of rows, so that every other chunk would begin with the wrong kind of row.
    #[error("chunks of hexes have an even number of rows, not {0}")]
    OddRows(u16),
    /// Cells are free, or there are borders or links.
    #[error("chunks are laid over a grid whose cells are all blocked, without borders and links")]
    NotBare,
}

/// Why a chunk cannot be loaded, replaced or unloaded, or a window not be moved. Nothing has changed then.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkError {
    /// The grid of the world does not have the size of the one that the chunks were laid over.
    #[error("the chunks were laid over a grid of {width} x {height} cells")]
    OtherWorld {
        /// Columns of the grid that the chunks were laid over.
        width: usize,
        /// Rows of that grid.
        height: usize,
    },
    /// The chunk lies outside of the window.
    #[error("chunk {},{} lies outside of the window from {},{} to {},{}", chunk.0, chunk.1, first.0, first.1, last.0, last.1)]
    Outside {
        /// The chunk.
        chunk: (i32, i32),
        /// The first chunk of the window.
        first: (i32, i32),
        /// The last chunk of the window.
        last: (i32, i32),
    },
    /// The window would reach past the last chunk that has a name.
    #[error("a window from chunk {},{} reaches past the last chunk", _0.0, _0.1)]
    PastTheLast((i32, i32)),
    /// The chunk is loaded.
    #[error("chunk {},{} is loaded already: replace it", _0.0, _0.1)]
    Loaded((i32, i32)),
    /// The chunk is not loaded.
    #[error("chunk {},{} is not loaded", _0.0, _0.1)]
    NotLoaded((i32, i32)),
    /// The chunk does not have the terrain of each of its cells.
    #[error("a chunk has {expected} cells, not {count}")]
    Count {
        /// Cells of a chunk.
        expected: usize,
        /// Cells given.
        count: usize,
    },
    /// A border or link begins at a cell that the chunk does not have.
    #[error("a border or link begins at {0}, which is no cell of the chunk")]
    OffChunk(Cell),
    /// A link leads to the cell that it leads from.
    #[error("a link leads from cell {0} of the chunk to itself")]
    LinkToItself(Cell),
    /// A border or a link is not one that the world can have.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl<S: Chunked> Chunks<S> {
    /// Lays a window over a world, in chunks of this many columns and rows. `first` names the chunk in its top left.
    ///
    /// # Errors
    /// When the grid is not one of whole chunks and blocked throughout. Chunks of hexes must have an even number of rows, which
    /// grids of the shape of a hexagon do not have. A window that reaches past the last chunk that has a name is too large as well.
    pub fn new(world: &World<S>, (columns, rows): (u16, u16), first: (i32, i32)) -> Result<Chunks<S>, ChunksError> {
        let (width, height) = world.size();
        let parts = |side: usize, of: u16| match of {
            0 => None,
            of => side.is_multiple_of(of.into()).then_some((side / usize::from(of)) as u16),
        };
        let sound = parts(width, columns).zip(parts(height, rows)).filter(|&count| last_of(first, count).is_some());
        let Some(count) = sound else { return Err(ChunksError::Size { width, height, columns, rows }) };
        // Grids of the shape of a hexagon have an odd number of rows, so that cells fill a rectangle from here on.
        if !S::has_side(Side::North) && rows % 2 == 1 {
            return Err(ChunksError::OddRows(rows));
        }
        if world.has_ground() || world.extras() != Extras::Nothing {
            return Err(ChunksError::NotBare);
        }
        Ok(Chunks { size: (columns, rows), count, first, loaded: BTreeMap::new(), kind: PhantomData })
    }

    /// Loads a chunk and returns the edits that this took.
    ///
    /// # Errors
    /// When the chunk is of another size, lies outside of the window or is loaded already, or its borders or links are at fault.
    pub fn load(&mut self, world: &mut World<S>, at: (i32, i32), chunk: &Chunk) -> Result<Vec<Edit>, ChunkError> {
        let area = self.area_in(world, at)?;
        if self.is_loaded(at) {
            return Err(ChunkError::Loaded(at));
        }
        self.lay(world, (at, area), Some(chunk))
    }

    /// Loads a chunk in place of the one that is loaded there, and returns the edits that this took: what is equal in both
    /// stays untouched.
    ///
    /// # Errors
    /// When no chunk is loaded there, or as [`Chunks::load`].
    pub fn replace(&mut self, world: &mut World<S>, at: (i32, i32), chunk: &Chunk) -> Result<Vec<Edit>, ChunkError> {
        let area = self.area_in(world, at)?;
        if !self.is_loaded(at) {
            return Err(ChunkError::NotLoaded(at));
        }
        self.lay(world, (at, area), Some(chunk))
    }

    /// Blocks the ground of a chunk, takes its borders and links away, and returns the edits that this took.
    ///
    /// # Errors
    /// When the chunk lies outside of the window or is not loaded.
    pub fn unload(&mut self, world: &mut World<S>, at: (i32, i32)) -> Result<Vec<Edit>, ChunkError> {
        let area = self.area_in(world, at)?;
        if !self.is_loaded(at) {
            return Err(ChunkError::NotLoaded(at));
        }
        self.lay(world, (at, area), None)
    }

    /// Moves the window, so that `first` is the chunk in its top left. Chunks that lie in the window before and after stay
    /// loaded, with the terrain that they have now; the others are unloaded. Cells keep their coordinates, but not their
    /// places on the grid, so that planners do best to be built anew: nearly the whole grid changes. The edits are returned.
    ///
    /// # Errors
    /// When the window would reach past the last chunk that has a name, or the world is another one.
    pub fn move_window(&mut self, world: &mut World<S>, first: (i32, i32)) -> Result<Vec<Edit>, ChunkError> {
        self.check_world(world)?;
        let last = last_of(first, self.count).ok_or(ChunkError::PastTheLast(first))?;
        let mut moved = Chunks { first, loaded: self.loaded.clone(), ..*self };
        moved.loaded.retain(|at, _| (first.0..=last.0).contains(&at.0) && (first.1..=last.1).contains(&at.1));
        let edits = moved.difference(world, self.whole(), |x, y| {
            let at = moved.world_cell(Cell::new(x, y));
            let before = self.grid_cell(at).filter(|_| moved.is_loaded_at(at));
            before.map_or(Terrain::BLOCKED, |before| world.terrain_at(before))
        });
        world.apply(&edits)?;
        *self = moved;
        Ok(edits)
    }

    /// Returns whether a chunk is loaded.
    pub fn is_loaded(&self, chunk: (i32, i32)) -> bool {
        self.loaded.contains_key(&chunk)
    }

    /// Returns the loaded chunks, in order of their columns.
    pub fn loaded(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        self.loaded.keys().copied()
    }

    /// Returns the first and the last chunk of the window.
    pub fn window(&self) -> [(i32, i32); 2] {
        [self.first, last_of(self.first, self.count).expect("a window that has been checked")]
    }

    /// Returns the chunk that contains a cell of the world, `None` past the last chunk that has a name.
    pub fn chunk_of(&self, (x, y): (i64, i64)) -> Option<(i32, i32)> {
        let part = |at: i64, side: u16| i32::try_from(at.div_euclid(side.into())).ok();
        part(x, self.size.0).zip(part(y, self.size.1))
    }

    /// Returns where a cell of the world lies on the grid, `None` outside of the window.
    pub fn place(&self, world: &S, cell: (i64, i64)) -> Option<S::Place> {
        self.grid_cell(cell).map(|cell| world.place_at(cell))
    }

    /// Returns the cell of the world that lies at a place, `None` off the grid.
    pub fn cell(&self, world: &S, place: S::Place) -> Option<(i64, i64)> {
        world.cell_of(place).filter(|&cell| self.whole().contains(cell)).map(|cell| self.world_cell(cell))
    }

    /// Replaces what is loaded at a chunk, or unloads it.
    fn lay(
        &mut self,
        world: &mut World<S>,
        (at, area): ((i32, i32), Area),
        chunk: Option<&Chunk>,
    ) -> Result<Vec<Edit>, ChunkError> {
        let corner = self.world_cell(Cell::new(area.x, area.y));
        let fixtures = chunk.map(|chunk| chunk.fixtures::<S>(self.size, corner)).transpose()?;
        let before = self.loaded.remove(&at);
        self.loaded.extend(fixtures.map(|fixtures| (at, fixtures)));
        let terrain = |x: u16, y: u16| {
            let index = usize::from(y) * usize::from(area.width) + usize::from(x);
            chunk.map_or(Terrain::BLOCKED, |chunk| chunk.terrain[index])
        };
        let edits = self.difference(world, area, terrain);
        if let Err(error) = world.apply(&edits) {
            self.loaded.remove(&at);
            self.loaded.extend(before.map(|fixtures| (at, fixtures)));
            return Err(error.into());
        }
        Ok(edits)
    }

    fn check_world(&self, world: &World<S>) -> Result<(), ChunkError> {
        let Area { width, height, .. } = self.whole();
        let (width, height) = (usize::from(width), usize::from(height));
        if world.size() == (width, height) { Ok(()) } else { Err(ChunkError::OtherWorld { width, height }) }
    }

    /// Returns the area of the grid that a chunk of the window takes.
    fn area_in(&self, world: &World<S>, chunk: (i32, i32)) -> Result<Area, ChunkError> {
        self.check_world(world)?;
        let [first, last] = self.window();
        let is_in = (first.0..=last.0).contains(&chunk.0) && (first.1..=last.1).contains(&chunk.1);
        if !is_in {
            return Err(ChunkError::Outside { chunk, first, last });
        }
        let start = |at: i32, first: i32, side: u16| at.abs_diff(first) as u16 * side;
        let (width, height) = self.size;
        let (x, y) = (start(chunk.0, first.0, width), start(chunk.1, first.1, height));
        Ok(Area { x, y, width, height })
    }

    /// Returns the area of the whole grid.
    fn whole(&self) -> Area {
        Area { x: 0, y: 0, width: self.count.0 * self.size.0, height: self.count.1 * self.size.1 }
    }

    fn is_loaded_at(&self, cell: (i64, i64)) -> bool {
        self.chunk_of(cell).is_some_and(|chunk| self.is_loaded(chunk))
    }

    /// Returns the first column and row of the window.
    fn corner(&self) -> (i64, i64) {
        (i64::from(self.first.0) * i64::from(self.size.0), i64::from(self.first.1) * i64::from(self.size.1))
    }

    fn world_cell(&self, cell: Cell) -> (i64, i64) {
        let corner = self.corner();
        (corner.0 + i64::from(cell.x), corner.1 + i64::from(cell.y))
    }

    fn grid_cell(&self, cell: (i64, i64)) -> Option<Cell> {
        let (corner, whole) = (self.corner(), self.whole());
        let on = |at: i64, first: i64, side: u16| at.checked_sub(first).filter(|at| (0..i64::from(side)).contains(at));
        let (x, y) = on(cell.0, corner.0, whole.width).zip(on(cell.1, corner.1, whole.height))?;
        Some(Cell::new(x as u16, y as u16))
    }
}

/// Returns the last chunk of a window, `None` past the last chunk that has a name.
fn last_of(first: (i32, i32), count: (u16, u16)) -> Option<(i32, i32)> {
    let last = |first: i32, count: u16| first.checked_add(i32::from(count) - 1);
    last(first.0, count.0).zip(last(first.1, count.1))
}
