//! Worlds that people paint in an editor: what maps of Tiled ([`crate::tiled`]) and of `LDtk` ([`crate::ldtk`]) have in common.
//!
//! Not here: how either editor writes its files.

mod canvas;
mod spots;

pub(crate) use canvas::{Canvas, Extent, Meaning, Named};
pub(crate) use spots::{End, Means, Spot, Spots};

use portolan::any::AnySnapshot;
use portolan::{Cell, KindNames};

/// Returns the bytes of a file that a map names relative to itself, or why they cannot be had.
pub type Load<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// A world as it was painted, with what its objects say.
#[derive(Clone)]
pub struct PaintedWorld {
    /// The ground: squares or hexes, with weights and kinds.
    pub world: AnySnapshot,
    /// The names of the kinds of ground.
    pub kinds: KindNames,
    /// Ways that lead from cell to cell without steps, in the order of the file.
    pub links: Vec<PaintedLink>,
    /// Starts and goals, in the order of the file.
    pub places: Vec<NamedPlace>,
    /// The column and row of the map that became cell 0,0. They are other than 0,0 where a map begins elsewhere.
    pub offset: (i32, i32),
}

/// A way between two free cells that is no step, such as a ladder, a jump or a teleport.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaintedLink {
    /// The name of the object, which may be empty.
    pub name: String,
    /// Where it begins. Cells of hexes are named by column and row, too.
    pub from: Cell,
    /// Where it leads.
    pub to: Cell,
    /// What it costs, if the map says so, in the units of [`portolan::Cost`].
    pub cost: Option<u32>,
    /// Whether it leads only from its begin to its end.
    pub one_way: bool,
}

/// A free cell that has a part in the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedPlace {
    /// The name of the object, which may be empty.
    pub name: String,
    /// What the place is for.
    pub role: PlaceRole,
    /// The cell.
    pub at: Cell,
}

/// What a place is for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PlaceRole {
    /// Agents begin here.
    Start,
    /// Agents want to go here.
    Goal,
}
