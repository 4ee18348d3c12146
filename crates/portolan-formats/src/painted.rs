//! Worlds that people paint in an editor: what maps of Tiled ([`crate::tiled`]) and of `LDtk` ([`crate::ldtk`]) have in common.
//!
//! Not here: how either editor writes its files.

mod canvas;
mod spots;

pub(crate) use canvas::{Canvas, Extent, Meaning, Named};
pub(crate) use spots::{End, Means, Spot, Spots};

use crate::error::ReadError;
use portolan::any::{AnySnapshot, AnyWorld};
use portolan::{Cell, Cost, Edit, KindNames};

/// Returns the bytes of a file that a map names relative to itself, or why they cannot be had.
pub type Load<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// A world as it was painted, with what its objects say.
#[derive(Clone)]
pub struct PaintedWorld {
    /// The world: squares or hexes, with weights, kinds and links.
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

impl PaintedWorld {
    /// Returns the world that was painted, with its links, which lead between free cells of `ground`.
    pub(crate) fn new(
        ground: AnySnapshot,
        kinds: KindNames,
        (links, places): (Vec<PaintedLink>, Vec<NamedPlace>),
        offset: (i32, i32),
    ) -> Result<PaintedWorld, ReadError> {
        let straight = ground.metric().straight();
        let edit =
            |link: &PaintedLink| Edit::link(link.from, link.to, Cost(link.cost.unwrap_or(straight)), !link.one_way);
        let edits: Vec<Edit> = links.iter().map(edit).collect();
        let mut world = AnyWorld::from(ground);
        world.apply(&edits).map_err(|fault| ReadError::of_whole("links that a world can have", fault.to_string()))?;
        Ok(PaintedWorld { world: world.snapshot(), kinds, links, places, offset })
    }
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
    /// What it costs, if the map says so, in the units of [`portolan::Cost`]. Without a cost it costs what a straight step does.
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
