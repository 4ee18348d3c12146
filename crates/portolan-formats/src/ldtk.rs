//! `.ldtk`: worlds of `LDtk`, level by level, as squares.
//!
//! The layers of integers (`IntGrid`) are laid over each other, from below. What a value is, its name in the project says:
//!
//! | name | meaning |
//! |---|---|
//! | `wall`, `walls`, `solid`, `blocked` | agents cannot pass |
//! | any other, such as `Deep_Water` | ground of the kind of that name, here `deep-water` |
//! | one of these with a number from 1 to 255, such as `mud_3` | the same, with this weight |
//!
//! A value without a name is an error. Upper layers count before lower ones, for walls, kinds and weights apart: ground over a
//! wall is free. Where all layers are 0, there is ground of weight 1, or a wall if the level has a field `empty` whose value is
//! `blocked`. A cell is as large as the least cells of the project's layers of integers. Layers that are not shown are left
//! out.
//!
//! Entities that are named `Start` or `Goal` are places. One named `Link` is a way to the entity or point in its field `to`, or to
//! the column `to_x` and row `to_y` of its level; it may have the fields `cost` (a whole number) and `one_way` (true or false).
//! All of these have to lie on free ground. Where an entity is, is its middle.
//!
//! Levels may be files beside the project. Capitals make no difference in any of these names.
//!
//! The structures are our own: those of the crates `ldtk2` and `ldtk_rust` have all that the editor knows, and refuse a file that
//! lacks what nothing here needs.
//!
//! Not here: maps of Tiled, and writing worlds.

mod entities;
mod project;

use crate::error::ReadError;
use crate::painted::{Canvas, Extent, Load, Meaning, Named, PaintedWorld, Spots};
use crate::text::without_mark;
use crate::tiled::from_bytes;
use portolan::{KindNames, Rules};
use project::{Layer, Level, Project, field};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Which levels of a world are read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Levels {
    /// The first one.
    #[default]
    First,
    /// The one of this name.
    Named(String),
    /// All of them that lie as deep in the world as the first, in one grid, where the world has them. What lies between them is
    /// blocked.
    All,
}

/// Returns whether the bytes look like a world of `LDtk`.
pub fn is_ldtk(bytes: &[u8]) -> bool {
    let has = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
    without_mark(bytes).trim_ascii_start().starts_with(b"{") && has(b"\"defs\"") && has(b"\"levels\"")
}

/// Reads one level or several, as squares with these rules. `load` returns the bytes of levels that are files of their own.
///
/// # Errors
/// When the bytes are no sound world of `LDtk`, there is no such level, a file cannot be had or is at fault, a value has no name or
/// one that no kind can have, levels do not lie side by side in whole cells, a link, start or goal is not on free ground, a
/// link leads to no entity, or the world is too large or out of all proportion to the bytes.
pub fn read(bytes: &[u8], rules: Rules, levels: &Levels, load: &mut Load) -> Result<PaintedWorld, ReadError> {
    let project: Project = from_bytes(bytes, "a world of LDtk")?;
    let size = project.cell_size()?;
    let mut bytes = bytes.len();
    let mut chosen = Vec::new();
    for level in project.chosen(levels)? {
        let level = loaded(level, load, &mut bytes)?;
        let place = level.place(size, *levels == Levels::All)?;
        chosen.push((level, place));
    }
    let extent = around(chosen.iter().map(|(_, place)| *place));
    extent.check(bytes)?;
    let mut canvas = Canvas::new(extent)?;
    let [columns, rows] = [(extent.left, extent.width), (extent.top, extent.height)].map(range);
    canvas.void(columns, rows);
    let mut book = Book { project: &project, kinds: KindNames::default(), known: BTreeMap::new() };
    let mut spots = Spots::default();
    for (level, place) in &chosen {
        lay(level, *place, size, &mut book, &mut canvas).map_err(|fault| level.fault(fault))?;
        entities::add(&mut spots, level, *place, size).map_err(|fault| level.fault(fault))?;
    }
    let (world, offset) = (canvas.finish(false, Some(rules))?, (extent.left, extent.top));
    let spots = spots.on(&world, offset)?;
    PaintedWorld::new(world, book.kinds, spots, offset)
}

/// Returns the number of columns and rows of the first level, without reading it. `None` if it cannot be read.
pub fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    let project: Project = from_bytes(bytes, "a world of LDtk").ok()?;
    let size = project.cell_size().ok()?;
    let place = project.chosen(&Levels::First).ok()?.first()?.place(size, false).ok()?;
    Some((place.width, place.height))
}

/// Returns a level with its layers, which may be in a file. Adds the size of that to `bytes`.
fn loaded<'a>(level: &'a Level, load: &mut Load, bytes: &mut usize) -> Result<Cow<'a, Level>, ReadError> {
    let name = match (&level.layers, &level.file) {
        (Some(_), _) => return Ok(Cow::Borrowed(level)),
        (None, Some(name)) => name,
        (None, None) => return Err(level.fault(ReadError::of_whole("layers, or the file that has them", "neither"))),
    };
    let file = load(name).map_err(|found| level.fault(ReadError::of_whole("the file of the level", found)))?;
    *bytes = bytes.saturating_add(file.len());
    let fault = |fault: ReadError| fault.in_file(name.as_ref());
    let own: Level = from_bytes(&file, "a level of LDtk").map_err(fault)?;
    if own.layers.is_none() || (own.width, own.height) != (level.width, level.height) {
        return Err(fault(ReadError::of_whole(format!("the layers of level {:?}", level.name), "another level")));
    }
    Ok(Cow::Owned(own))
}

fn range((first, length): (i32, usize)) -> std::ops::Range<i64> {
    i64::from(first)..i64::from(first) + length as i64
}

/// Returns the least rectangle around several.
fn around(places: impl Iterator<Item = Extent>) -> Extent {
    let (mut least, mut end) = ([i64::MAX; 2], [i64::MIN; 2]);
    for place in places {
        for (side, range) in [(place.left, place.width), (place.top, place.height)].map(range).into_iter().enumerate() {
            least[side] = least[side].min(range.start);
            end[side] = end[side].max(range.end);
        }
    }
    Extent::between(least, end)
}

/// Lays the layers of a level on the canvas.
fn lay(level: &Level, place: Extent, size: i64, book: &mut Book, canvas: &mut Canvas) -> Result<(), ReadError> {
    let [columns, rows] = [(place.left, place.width), (place.top, place.height)].map(range);
    canvas.clear(columns.clone(), rows.clone());
    if field(&level.fields, "empty").and_then(|value| value.as_str()).is_some_and(|text| text == "blocked") {
        canvas.wall(columns.clone(), rows.clone());
    }
    for layer in level.layers.iter().flatten().rev().filter(|layer| layer.is_visible && layer.is_of_integers()) {
        let within = |fault: ReadError| layer.fault(fault);
        let (scale, [left, top]) = layer.fit(size).map_err(within)?;
        let (width, count) = (layer.columns as usize, layer.columns as usize * layer.rows as usize);
        if layer.values.len() != count {
            let found = layer.values.len().to_string();
            return Err(within(ReadError::of_whole(format!("{count} values"), found)));
        }
        for (row, values) in layer.values.chunks_exact(width.max(1)).enumerate() {
            for (column, &value) in values.iter().enumerate().filter(|&(_, &value)| value != 0) {
                let meaning = book.meaning(layer, value).map_err(within)?;
                let [x, y] = [left + column as i64 * scale, top + row as i64 * scale];
                // A layer may reach out of its level.
                for y in within_level(y, scale, &rows) {
                    for x in within_level(x, scale, &columns) {
                        canvas.lay(x, y, meaning);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Returns the part of a range of this length that lies in a level.
fn within_level(first: i64, length: i64, level: &std::ops::Range<i64>) -> std::ops::Range<i64> {
    let first = first + level.start;
    first.clamp(level.start, level.end)..(first + length).clamp(level.start, level.end)
}

/// What the values of every layer say.
struct Book<'a> {
    project: &'a Project,
    kinds: KindNames,
    /// The meanings of values that have been looked up, by the number of the layer's definition.
    known: BTreeMap<(i64, i64), Meaning>,
}

impl Book<'_> {
    fn meaning(&mut self, layer: &Layer, value: i64) -> Result<Meaning, ReadError> {
        if let Some(&meaning) = self.known.get(&(layer.definition, value)) {
            return Ok(meaning);
        }
        let name = self.project.name_of(layer.definition, value);
        let name = name.ok_or_else(|| ReadError::of_whole("values that have names", format!("value {value}")))?;
        let meaning = named(name)?.numbered(&mut self.kinds);
        let meaning =
            meaning.map_err(|fault| ReadError::of_whole("the name of a kind", format!("{name:?} ({fault})")))?;
        self.known.insert((layer.definition, value), meaning);
        Ok(meaning)
    }
}

/// Returns what a value of this name says.
fn named(name: &str) -> Result<Named, ReadError> {
    let whole = name.to_ascii_lowercase();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts = whole.rsplit_once('_').filter(|(base, number)| !base.is_empty() && is_number(number));
    let weight = parts.map(|(_, number)| {
        let weight = number.parse().ok().filter(|&weight: &u8| weight > 0);
        weight.ok_or_else(|| ReadError::of_whole("a weight from 1 to 255 at the end of a name", format!("{name:?}")))
    });
    let (weight, base) = (weight.transpose()?, parts.map_or(whole.as_str(), |(base, _)| base));
    if matches!(base, "wall" | "walls" | "solid" | "blocked") {
        return Ok(Named { blocked: Some(true), ..Named::default() });
    }
    Ok(Named { blocked: Some(false), weight: weight.or(Some(1)), kind: Some(base.replace('_', "-")) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_values_say_what_they_are() {
        let of = |name| named(name).map(|Named { blocked, weight, kind }| (blocked == Some(true), weight, kind));
        let ground = |weight, kind: &str| Ok((false, Some(weight), Some(kind.to_owned())));
        for wall in ["wall", "Walls", "SOLID", "blocked", "wall_7"] {
            assert_eq!(of(wall), Ok((true, None, None)), "{wall}");
        }
        assert_eq!([of("mud_3"), of("Deep_Water")], [ground(3, "mud"), ground(1, "deep-water")]);
        assert_eq!([of("deep_water_255"), of("_3")], [ground(255, "deep-water"), ground(1, "-3")]);
        for wrong in ["mud_0", "mud_256", "mud_99999999999999999999"] {
            let fault = of(wrong).unwrap_err().to_string();
            assert_eq!(fault, format!("expected a weight from 1 to 255 at the end of a name, found {wrong:?}"));
        }
    }
}
