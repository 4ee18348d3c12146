//! Worlds: the terrain that agents walk on, and the rules by which they step. A [`World`] is edited in one place;
//! [`Snapshot`]s of it are read everywhere else, from any number of threads, while the next edit is applied.
//!
//! Not here: data that a search derives from a world for its own use, and reading or writing files.

mod area;
pub(crate) mod bits;
mod components;
mod cover;
#[cfg_attr(not(test), expect(dead_code, reason = "searches on hexes use the rest"))]
pub(crate) mod hex;
pub(crate) mod square;
mod terrain;

pub use area::Area;
pub use square::rules::{Corners, Directions, Rules};
pub use terrain::{Edit, EditError, Terrain};

use square::SquareGrid;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A state of a world: the number of edits applied to it, and a hash of the world's own number and of these edits in
/// their order. Everything derived from a world keeps the revision it was built from. Using it with another world, or
/// with this world after edits that it was not repaired for, is then an error and never a wrong route.
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

    /// Returns the revision of a world that was at this revision and has then had these edits applied to it.
    pub(crate) fn after(self, edits: &[Edit]) -> Revision {
        let hash = edits.iter().fold(self.hash, |hash, edit| {
            let Area { x, y, width, height } = edit.area;
            let area = [x, y, width, height].into_iter().fold(0, |area, side| area << 16 | u64::from(side));
            scramble(scramble(hash ^ area).wrapping_add(u64::from(edit.terrain.weight())))
        });
        Revision { edits: self.edits + edits.len() as u64, hash }
    }

    /// Returns how many edits have been applied to the world.
    pub fn edits(self) -> u64 {
        self.edits
    }
}

/// Mixes the bits of a number so that the result looks random (the finisher of `SplitMix64`). Two different numbers
/// always give two different results.
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

/// A world as it was when the snapshot was taken. A snapshot is cheap to clone, because clones share the grid, and many
/// threads may read it at once.
#[derive(Clone)]
pub struct Snapshot(Arc<SquareGrid>);

impl Deref for Snapshot {
    type Target = SquareGrid;

    #[inline(always)]
    fn deref(&self) -> &SquareGrid {
        &self.0
    }
}

/// A world that can be edited. It dereferences to its current [`Snapshot`] and so to the [`SquareGrid`], for reading.
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
/// While no snapshot of the current state is held, edits change the grid in place. While one is held, the world
/// continues on a spare copy of the grid, to which it first applies the edits that the copy lacks. The time of an edit
/// then depends on the edits and not on the size of the world. The whole grid is copied only where snapshots hold every
/// copy there is, so drop a snapshot when it is read.
pub struct World {
    current: Snapshot,
    /// Older copies of the grid. One can be reused as soon as no snapshot holds it.
    spare: Vec<Snapshot>,
    /// The latest edits: all those that the oldest copy in `spare` lacks.
    log: VecDeque<Edit>,
}

impl World {
    /// The most older copies that are kept for reuse.
    const SPARES: usize = 2;

    /// Takes a snapshot of the world as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.current.clone()
    }

    /// Applies all edits in order and returns the new revision. If one of the edits is at fault, none is applied.
    ///
    /// # Errors
    /// When an edit reaches off the grid or covers no cell; the world is then unchanged.
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

    /// Replaces the current copy of the grid, which snapshots hold, by a copy that no snapshot holds: a spare one
    /// brought up to date or, if there is none, a new clone. The replaced copy becomes a spare.
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

    /// Drops spares that lack so many edits that a new copy of the grid is cheaper, and then the log entries that no
    /// spare needs.
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
        // Every new world has a revision of its own. Without this, two worlds made from clones of one grid would share
        // theirs, although they are edited independently.
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
