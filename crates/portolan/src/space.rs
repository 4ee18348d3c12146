//! Worlds: [`Space`], a kind of world, with the square grid as its first; [`World`], which is edited in one place; and
//! [`Snapshot`]s of it, which are read everywhere else, from any number of threads, while the next edit is applied.
//!
//! Not here: data that a search derives from a world for its own use, and reading or writing files.

mod area;
pub(crate) mod bits;
mod borders;
mod chunks;
mod clearance;
mod components;
mod connected;
mod cover;
mod floors;
mod footprint;
mod grids;
pub(crate) mod ground;
pub(crate) mod hex;
mod kinds;
mod layers;
pub(crate) mod links;
pub(crate) mod mesh;
pub(crate) mod passages;
mod profile;
pub(crate) mod square;
mod terrain;
mod views;

pub use area::Area;
pub use borders::{Border, Side};
pub use chunks::chunk::Chunk;
pub use chunks::{ChunkError, Chunked, Chunks, ChunksError};
pub use floors::Floors;
pub use kinds::{KindNameError, KindNames};
pub use layers::{Influence, Layer, LayerError};
pub use passages::Extras;
pub use profile::{Body, Footing, Profile, ProfileError, ViewError};
pub use square::rules::{Corners, Directions, Rules};
pub use terrain::{Change, Edit, EditError, Terrain};
pub use views::Viewed;

use crate::algorithm::Listed;
use crate::cost::Cost;
use crate::id::NodeId;
use square::SquareGrid;
use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use views::Views;

/// A kind of world: places, the steps between them, and the edits that change them. It is implemented by the spaces of
/// this crate and by nothing else.
pub trait Space: Listed + editing::Editable + Clone + Send + Sync + 'static {
    /// A place where an agent can stand.
    type Place: Copy + Eq + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static;
    /// A part of the space that contains all places of a leg of a route.
    type Region: Copy + fmt::Debug;

    /// The name of the kind on the command line and in files.
    const KIND: &'static str;

    /// Returns the state of the world that this space holds.
    fn revision(&self) -> Revision;

    /// Returns the number of columns and of rows.
    fn size(&self) -> (usize, usize);

    /// Returns whether the place lies on the space, blocked or not.
    fn contains(&self, at: Self::Place) -> bool;

    /// Returns the number of the connected part that contains the place, `None` if the place is blocked. Two places
    /// have equal numbers exactly if there are legal walks from each to the other. Edits may change the numbers.
    fn component(&self, at: Self::Place) -> Option<u64>;

    /// Returns whether there is a legal walk from one place to another. On a space where every walk leads back too, there is
    /// one exactly if both places have one component.
    #[inline(always)]
    fn reaches(&self, from: Self::Place, to: Self::Place) -> bool {
        self.component(from).is_some_and(|home| self.component(to) == Some(home))
    }

    /// Returns what the space has besides its terrain. The links of meshes belong to the mesh and do not count.
    #[inline(always)]
    fn extras(&self) -> Extras {
        Extras::Nothing
    }

    /// Returns whether links between places are among that.
    fn has_links(&self) -> bool {
        false
    }

    /// Returns the place nearest to `to` among those reachable from `from`, or `None` if `from` is blocked. Equally near
    /// places have a fixed order, so that the answer depends on the world alone.
    fn nearest_reachable(&self, from: Self::Place, to: Self::Place) -> Option<Self::Place>;

    /// Returns the cost of one part of a route: a step between neighbours, or a straight line at any angle. `None` if
    /// it is not legal.
    fn segment(&self, from: Self::Place, to: Self::Place, motion: Motion) -> Option<Cost>;

    /// Appends the places that an agent steps on that follows a straight line, the first left out.
    fn steps_below(&self, from: Self::Place, to: Self::Place, steps: &mut Vec<Self::Place>);

    /// Replaces the steps of a legal route, which costs `cost`, by straight lines at any angle, and returns what they cost.
    /// Returns `None`, and changes nothing, if they would cost more, or if there are no such lines on this space.
    fn straighten(&self, _places: &mut Vec<Self::Place>, _cost: Cost) -> Option<Cost> {
        None
    }

    /// Returns the length of a route over these places, for users: each part counts its length in cells times the mean
    /// weight of its ground. The result is equal on every machine.
    fn length(&self, places: &[Self::Place], motion: Motion) -> f64;

    /// Returns where the place lies, for drawing and for agents: across, down and up. A cell is 1 wide.
    fn position(&self, at: Self::Place) -> [f32; 3];

    /// Returns the place of a node that events of a search name.
    fn place(&self, node: NodeId) -> Self::Place;

    /// Returns the bytes of memory that the space takes.
    fn bytes(&self) -> usize;

    /// Returns whether an edit can change a step between this place and another that is asked about too, its cost or
    /// whether it is legal. On squares an edit beside the place can, since a blocked cell beside a diagonal step can make
    /// the step illegal; on hexes a step depends on its two cells alone.
    fn edit_reaches(edit: &Self::Edit, at: Self::Place) -> bool;

    /// Returns the least region that contains these places, of which there must be one.
    fn region_of(places: &[Self::Place]) -> Self::Region;

    /// Returns the least region that contains both regions.
    fn joined(a: Self::Region, b: Self::Region) -> Self::Region;

    /// Returns whether an edit can change the cost of a step inside the region, or make it illegal.
    fn edit_meets(&self, edit: &Self::Edit, region: Self::Region) -> bool;
}

/// How a route leads from one of its places to the next.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Motion {
    /// By steps between neighbouring places.
    #[default]
    Steps,
    /// In straight lines at any angle.
    AnyAngle,
}

/// Editing a space, which only [`World`] does.
pub(crate) mod editing {
    use super::{Error, Revision, fmt};

    /// A space that can be edited. The trait is public in a private module, so that only this crate implements it.
    pub trait Editable: Sized {
        /// A change of the space.
        type Edit: Copy + fmt::Debug + Send + Sync + 'static;
        /// Why an edit cannot be applied.
        type EditError: Error + Send + Sync + 'static;

        /// Checks that edits can be applied, one after the other.
        fn check_edits(&self, edits: &[Self::Edit]) -> Result<(), Self::EditError>;
        /// Applies edits that have been checked, in order, and updates everything derived from the terrain.
        fn edit<'a>(&mut self, edits: impl Iterator<Item = &'a Self::Edit>);
        /// Returns an edit as two numbers for [`Revision::after`].
        fn digest(edit: &Self::Edit) -> [u64; 2];
        /// Notes the state of the world that the space holds from now on.
        fn set_revision(&mut self, revision: Revision);
        /// Returns after how many edits a new copy of the space is cheaper than applying them to an old one.
        fn edits_worth_a_copy(&self) -> u64;
    }
}

/// A state of a world: the number of edits applied to it, and a hash of the world's own number and of these edits in
/// their order. Everything derived from a world keeps the revision it was built from. Using it with another world, or
/// with this world after edits that it was not repaired for, is then an error and never a wrong route.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Revision {
    edits: u64,
    hash: u64,
}

impl Revision {
    pub(crate) fn first() -> Revision {
        static WORLDS: AtomicU64 = AtomicU64::new(0);
        Revision { edits: 0, hash: scramble(WORLDS.fetch_add(1, Ordering::Relaxed)) }
    }

    /// Returns the revision of a world that was at this revision and has then had these edits applied to it.
    pub(crate) fn after<S: Space>(self, edits: &[S::Edit]) -> Revision {
        let hash = edits.iter().fold(self.hash, |hash, edit| {
            let [area, terrain] = S::digest(edit);
            scramble(scramble(hash ^ area).wrapping_add(terrain))
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
pub struct Snapshot<S: Space = SquareGrid>(Arc<S>);

impl<S: Space> Clone for Snapshot<S> {
    fn clone(&self) -> Snapshot<S> {
        Snapshot(Arc::clone(&self.0))
    }
}

impl<S: Space> Deref for Snapshot<S> {
    type Target = S;

    #[inline(always)]
    fn deref(&self) -> &S {
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
pub struct World<S: Space = SquareGrid> {
    current: Snapshot<S>,
    /// Older copies of the grid. One can be reused as soon as no snapshot holds it.
    spare: Vec<Snapshot<S>>,
    /// The latest edits, among them all those that the oldest copy in `spare` lacks.
    log: VecDeque<S::Edit>,
    /// The world as agents of some profiles see it.
    views: Views<S>,
}

impl<S: Space> World<S> {
    /// The most older copies that are kept for reuse.
    const SPARES: usize = 2;

    /// Takes a snapshot of the world as it is now.
    pub fn snapshot(&self) -> Snapshot<S> {
        self.current.clone()
    }

    /// Applies all edits in order and returns the new revision. If one of the edits is at fault, none is applied.
    ///
    /// # Errors
    /// When an edit reaches off the grid or covers no cell; the world is then unchanged.
    pub fn apply(&mut self, edits: &[S::Edit]) -> Result<Revision, S::EditError> {
        self.current.check_edits(edits)?;
        if edits.is_empty() {
            return Ok(self.revision());
        }
        if Arc::get_mut(&mut self.current.0).is_none() {
            self.move_on();
        }
        let space = Arc::get_mut(&mut self.current.0).expect("nobody else holds the copy moved to");
        space.edit(edits.iter());
        space.set_revision(space.revision().after::<S>(edits));
        self.log.extend(edits);
        self.forget();
        self.views.edited(&self.current, edits);
        Ok(self.revision())
    }

    /// Returns the edits that lead from a revision of this world to the present one, or `None` if it is no revision of
    /// this world, or so old that the edits since then are forgotten. The world keeps about as many edits as make a new
    /// copy of it cheaper than applying them: on grids one for every 64 cells, but at least 64.
    pub fn edits_since(&self, revision: Revision) -> Option<Vec<S::Edit>> {
        let missed = usize::try_from(self.revision().edits.checked_sub(revision.edits)?).ok()?;
        let edits: Vec<S::Edit> = self.log.range(self.log.len().checked_sub(missed)?..).copied().collect();
        (revision.after::<S>(&edits) == self.revision()).then_some(edits)
    }

    /// Replaces the current copy of the grid, which snapshots hold, by a copy that no snapshot holds: a spare one
    /// brought up to date or, if there is none, a new clone. The replaced copy becomes a spare.
    fn move_on(&mut self) {
        let now = self.revision().edits;
        let unread = self.spare.iter_mut().position(|spare| Arc::get_mut(&mut spare.0).is_some());
        let next = if let Some(index) = unread {
            let mut copy = self.spare.swap_remove(index);
            let space = Arc::get_mut(&mut copy.0).expect("found unread a moment ago");
            let missed = (now - space.revision().edits) as usize;
            space.edit(self.log.range(self.log.len() - missed..));
            space.set_revision(self.current.revision());
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

    /// Drops spares that lack so many edits that a new copy of the space is cheaper, and edits that are as old.
    fn forget(&mut self) {
        let now = self.revision().edits;
        let too_old = self.current.edits_worth_a_copy();
        self.spare.retain(|spare| now - spare.revision().edits <= too_old);
        self.log.drain(..self.log.len().saturating_sub(too_old as usize));
    }
}

impl<S: Space> From<S> for World<S> {
    fn from(space: S) -> World<S> {
        World { current: Snapshot::from(space), spare: Vec::new(), log: VecDeque::new(), views: Views::default() }
    }
}

impl<S: Space> From<S> for Snapshot<S> {
    fn from(mut space: S) -> Snapshot<S> {
        // Every new world has a revision of its own. Without this, two worlds made from clones of one grid would share
        // theirs, although they are edited independently.
        space.set_revision(Revision::first());
        Snapshot(Arc::new(space))
    }
}

impl<S: Space> Deref for World<S> {
    type Target = Snapshot<S>;

    #[inline(always)]
    fn deref(&self) -> &Snapshot<S> {
        &self.current
    }
}
