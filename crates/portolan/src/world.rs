//! Worlds: what agents walk on. A [`World`] is edited in one place; [`Snapshot`]s of it are read everywhere else,
//! from any number of threads, while the next edit is applied.
//!
//! Not here: anything a search derives for its own use, and reading or writing files.

mod area;
pub(crate) mod bits;
mod components;
mod cover;
pub mod generate;
pub(crate) mod moves;
mod nearest;
pub(crate) mod square;

pub use area::Area;

use crate::cost::Metric;
use square::SquareGrid;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How an agent may step from cell to cell.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Rules {
    /// Four or eight.
    pub directions: Directions,
    /// What a diagonal step needs of the two cells beside it.
    pub corners: Corners,
    /// The price of straight and diagonal steps; chosen by [`Metric::fitting`] when absent.
    pub metric: Option<Metric>,
}

/// How many neighbours a cell has.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Directions {
    /// North, east, south and west.
    Four,
    /// These and the diagonals.
    #[default]
    Eight,
}

/// What a diagonal step needs of the two cells beside it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Corners {
    /// Both free: the rule of the `MovingAI` benchmarks and the Grid-Based Path Planning Competition.
    #[default]
    Strict,
    /// Not both blocked: the rule of HPA* 2004.
    NoSqueeze,
    /// Nothing.
    Loose,
}

impl Corners {
    /// Every rule with its command-line name.
    pub const NAMED: [(&'static str, Corners); 3] =
        [("strict", Corners::Strict), ("no-squeeze", Corners::NoSqueeze), ("loose", Corners::Loose)];
}

/// What a cell is made of: blocked, or ground that costs its weight to cross.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Terrain(u8);

impl Terrain {
    /// Nobody stands here.
    pub const BLOCKED: Terrain = Terrain(0);
    /// Ground of weight 1.
    pub const GROUND: Terrain = Terrain(1);

    /// Ground of a weight; 0 means blocked.
    pub const fn of_weight(weight: u8) -> Terrain {
        Terrain(weight)
    }

    /// The weight, 0 where blocked.
    pub const fn weight(self) -> u8 {
        self.0
    }

    /// Whether an agent may stand here.
    pub const fn is_free(self) -> bool {
        self.0 != 0
    }
}

/// A change of terrain.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    /// Where.
    pub area: Area,
    /// What every cell there becomes.
    pub terrain: Terrain,
}

impl Edit {
    /// Makes a cell or an [`Area`] of this terrain.
    pub fn new(area: impl Into<Area>, terrain: Terrain) -> Edit {
        Edit { area: area.into(), terrain }
    }
}

/// An edit that reaches off the grid or covers nothing.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "an edit of {} x {} cells at {},{} does not lie on a {width} x {height} grid",
    area.width, area.height, area.x, area.y
)]
pub struct EditError {
    /// Where the edit was to be.
    pub area: Area,
    /// Columns of the grid.
    pub width: usize,
    /// Rows of the grid.
    pub height: usize,
}

/// A state of a world: how many times it has been edited, and a hash of the world's number and these edits in their order.
/// Whatever is derived from a world keeps the revision it was built from, so that using it on another, or following other
/// edits than the world has seen, is an error, never a wrong route.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Revision {
    edits: u64,
    hash: u64,
}

impl Revision {
    fn first() -> Revision {
        static WORLDS: AtomicU64 = AtomicU64::new(0);
        Revision { edits: 0, hash: scramble(WORLDS.fetch_add(1, Ordering::Relaxed)) }
    }

    /// The revision after these edits.
    pub(crate) fn after(self, edits: &[Edit]) -> Revision {
        let hash = edits.iter().fold(self.hash, |hash, edit| {
            let Area { x, y, width, height } = edit.area;
            let area = [x, y, width, height].into_iter().fold(0, |area, side| area << 16 | u64::from(side));
            scramble(scramble(hash ^ area).wrapping_add(u64::from(edit.terrain.weight())))
        });
        Revision { edits: self.edits + edits.len() as u64, hash }
    }

    /// How many edits the world has seen.
    pub fn edits(self) -> u64 {
        self.edits
    }
}

/// Makes of a number another that looks random; no two become the same (the finisher of `SplitMix64`).
fn scramble(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "state {:08x} after {} edits", self.hash >> 32, self.edits)
    }
}

/// A world as it was when the snapshot was taken. Cheap to clone, safe to read from many threads.
#[derive(Clone)]
pub struct Snapshot(Arc<SquareGrid>);

impl Deref for Snapshot {
    type Target = SquareGrid;

    #[inline(always)]
    fn deref(&self) -> &SquareGrid {
        &self.0
    }
}

/// A world that can be edited. Reads go through to the current [`Snapshot`] and its [`SquareGrid`].
///
/// ```
/// use portolan::{Cell, Edit, Rules, SquareGrid, Terrain, World};
/// let mut world = World::from(SquareGrid::open(20, 10, Rules::default())?);
/// let before = world.snapshot();
/// world.apply(&[Edit::new(Cell::new(3, 4), Terrain::BLOCKED)])?;
/// assert!(before.is_free(Cell::new(3, 4)) && !world.is_free(Cell::new(3, 4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// While no snapshot is held, edits happen in place. When one is, the world moves on to a spare copy and replays
/// there what it missed, so that an edit costs the edit, not the map, as long as readers let go in time.
pub struct World {
    current: Snapshot,
    /// Older copies, waiting for their readers to leave.
    spare: Vec<Snapshot>,
    /// The latest edits, enough to bring the oldest spare up to date.
    log: VecDeque<Edit>,
}

impl World {
    /// How many older copies are kept for reuse.
    const SPARES: usize = 2;

    /// The world as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.current.clone()
    }

    /// Applies all edits in order, or none when one of them is at fault.
    ///
    /// # Errors
    /// When an edit reaches off the grid or covers nothing; the world is then unchanged.
    pub fn apply(&mut self, edits: &[Edit]) -> Result<Revision, EditError> {
        for edit in edits {
            self.current.checked_area(edit.area)?;
        }
        if edits.is_empty() {
            return Ok(self.revision());
        }
        if Arc::get_mut(&mut self.current.0).is_none() {
            self.move_on();
        }
        let grid = Arc::get_mut(&mut self.current.0).expect("nobody else holds the copy moved to");
        grid.edit(edits.iter());
        grid.revision = grid.revision.after(edits);
        if !self.spare.is_empty() {
            self.log.extend(edits);
            self.forget();
        }
        Ok(self.revision())
    }

    /// Leaves the current copy to its readers and continues on one nobody reads.
    fn move_on(&mut self) {
        let now = self.revision().edits;
        let unread = self.spare.iter_mut().position(|spare| Arc::get_mut(&mut spare.0).is_some());
        let next = if let Some(index) = unread {
            let mut copy = self.spare.swap_remove(index);
            let grid = Arc::get_mut(&mut copy.0).expect("found unread a moment ago");
            let missed = (now - grid.revision.edits) as usize;
            grid.edit(self.log.range(self.log.len() - missed..));
            grid.revision = self.current.revision;
            copy
        } else {
            Snapshot(Arc::new(self.current.0.as_ref().clone()))
        };
        let left = std::mem::replace(&mut self.current, next);
        self.spare.push(left);
        if self.spare.len() > Self::SPARES {
            self.spare.remove(0);
        }
    }

    /// Drops log entries no spare needs, and spares so far behind that copying afresh is cheaper.
    fn forget(&mut self) {
        let now = self.revision().edits;
        let too_old = (self.current.width() * self.current.height() / 64).max(64) as u64;
        self.spare.retain(|spare| now - spare.revision.edits <= too_old);
        let needed = self.spare.iter().map(|spare| now - spare.revision.edits).max().unwrap_or(0) as usize;
        self.log.drain(..self.log.len().saturating_sub(needed));
    }
}

impl From<SquareGrid> for World {
    fn from(grid: SquareGrid) -> World {
        World { current: Snapshot::from(grid), spare: Vec::new(), log: VecDeque::new() }
    }
}

impl From<SquareGrid> for Snapshot {
    fn from(mut grid: SquareGrid) -> Snapshot {
        // A clone of a grid goes its own way from here on.
        grid.revision = Revision::first();
        Snapshot(Arc::new(grid))
    }
}

impl Deref for World {
    type Target = Snapshot;

    #[inline(always)]
    fn deref(&self) -> &Snapshot {
        &self.current
    }
}
