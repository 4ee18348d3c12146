//! Maps of Tiled: `.tmx` in XML, and `.tmj` or `.json`.
//!
//! Orthogonal and isometric maps are worlds of squares, hexagonal ones with stagger axis y worlds of hexes. Layers are laid
//! over each other, from below. What a tile is, its properties say, in its tileset:
//!
//! | property | type | meaning |
//! |---|---|---|
//! | `blocked` | bool | whether agents cannot pass |
//! | `weight` | int, 1 to 255 | how heavy the ground is |
//! | `kind` | string | the kind of ground, by a name or a number of [`portolan::KindNames`] |
//!
//! For each of them, the uppermost tile on a cell that has it counts, so that a bridge over a river that is `blocked` has
//! `blocked` = false. The properties of a layer hold for all of its tiles that do not have them, and those of a group for the
//! layers in it; a layer with the name `blocked` is blocked. A tile without the property `kind` is of the kind that its
//! class names, if that may be the name of a kind; the class `blocked` says the same as the property. Tiles that say nothing
//! are ground of weight 1 where nothing else lies, and so are cells without tiles, unless the map's property `empty` is
//! `blocked`. Layers that are not shown are left out, but for those that are blocked. How tiles are flipped or turned and by how
//! many pixels layers are moved makes no difference.
//!
//! An infinite map has the cells of the least rectangle that holds all of its chunks, and [`PaintedWorld::offset`] is the first of
//! them. Odd rows of our hexes lie half a cell further right. Where it is the even rows of a map, or the first of its
//! chunks, a row of blocked cells comes on top, and the offset says so.
//!
//! Objects that are shown have a meaning by their class. Where they are is their middle:
//!
//! | class | meaning |
//! |---|---|
//! | `start`, `goal` | a place |
//! | `link` | a way to the object in its property `to`, or to the column `to_x` and row `to_y` of the map |
//!
//! A link may have the properties `cost` (int) and `one_way` (bool). All of these have to lie on free ground.
//!
//! Tilesets and templates of objects may be files beside the map, in XML or in JSON.
//!
//! Not here: maps of `LDtk`, and writing maps.

mod data;
mod json;
mod lay;
mod model;
mod objects;
mod xml;

pub(crate) use json::from_bytes;

use crate::error::ReadError;
use crate::painted::{Load, PaintedWorld};
use crate::text::without_mark;
use model::{Map, Object, Tiles};
use portolan::{KindNames, Rules};

/// Returns whether the bytes look like a map of Tiled in XML.
pub fn is_tmx(bytes: &[u8]) -> bool {
    let start = without_mark(bytes).trim_ascii_start();
    let start = &start[..start.len().min(1 << 12)];
    start.starts_with(b"<")
        && start.windows(5).any(|word| word.starts_with(b"<map") && !word[4].is_ascii_alphanumeric())
}

/// Returns whether the bytes look like a map of Tiled in JSON.
pub fn is_tmj(bytes: &[u8]) -> bool {
    let has = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
    without_mark(bytes).trim_ascii_start().starts_with(b"{") && has(b"\"tilewidth\"") && has(b"\"orientation\"")
}

/// Reads a map, in XML or in JSON. A world of squares gets these rules. `load` returns the bytes of tilesets and templates that
/// the map names.
///
/// # Errors
/// When the bytes are no sound map, the map has another orientation, a file that it names cannot be had or is at fault, a
/// property is none of the above, a link, start or goal is not on free ground, a link leads to no object, or the world is too
/// large or out of all proportion to the bytes.
pub fn read(bytes: &[u8], rules: Rules, load: &mut Load) -> Result<PaintedWorld, ReadError> {
    let mut map = map(bytes)?;
    let mut kinds = KindNames::default();
    let (world, extent) = lay::world(&map, bytes.len(), rules, &mut kinds, &mut |name| tiles(name, load))?;
    let offset = (extent.left, extent.top);
    let shape = map.shape;
    let spots = objects::spots(&mut map.layers, shape, &mut |name| template(name, load))?;
    let spots = spots.on(&world, offset)?;
    PaintedWorld::new(world, kinds, spots, offset)
}

/// Returns the number of columns and rows that the world of a map would have, without building it. `None` if it cannot be
/// read.
pub fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    let (extent, _) = map(bytes).and_then(|map| lay::extent(&map)).ok()?;
    Some((extent.width, extent.height))
}

fn map(bytes: &[u8]) -> Result<Map, ReadError> {
    if is_json(bytes) { json::map(bytes) } else { xml::map(bytes) }
}

/// Returns the tiles of a tileset in a file.
fn tiles(name: &str, load: &mut Load) -> Result<Tiles, ReadError> {
    of_file(name, "a tileset", load, |bytes| if is_json(bytes) { json::tileset(bytes) } else { xml::tileset(bytes) })
}

/// Returns the object of a template in a file.
fn template(name: &str, load: &mut Load) -> Result<Object, ReadError> {
    of_file(name, "a template", load, |bytes| if is_json(bytes) { json::template(bytes) } else { xml::template(bytes) })
}

/// Reads a file that a map names. Its faults name it.
fn of_file<T>(
    name: &str,
    what: &str,
    load: &mut Load,
    read: impl FnOnce(&[u8]) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let bytes = load(name).map_err(|found| ReadError::of_whole(what, found))?;
    read(&bytes).map_err(|fault| fault.in_file(name.as_ref()))
}

fn is_json(bytes: &[u8]) -> bool {
    without_mark(bytes).trim_ascii_start().starts_with(b"{")
}
