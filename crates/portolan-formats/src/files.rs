//! Reading and writing files by path, and bytes that have a name: finding out the format, then calling its module.
//!
//! Not here: what the formats look like, and how bytes are written to a file, which is in [`crate::replace_file`].

use crate::ascii::Strictness;
use crate::case::{self, Case};
use crate::dynamic::{self, DynamicScenario, Patch};
use crate::error::{FileError, ReadError, WriteError};
use crate::ldtk::{self, Levels};
use crate::named::NamedWorld;
use crate::painted::{Load, PaintedWorld};
use crate::replace::replace_file;
use crate::scen::{self, Scenario};
use crate::text::without_mark;
use crate::{ascii, hex, map, png_image, tiled};
use portolan::any::{AnySnapshot, OtherKind};
use portolan::{KindNames, Rules, SquareGrid};
use std::fs;
use std::path::Path;

/// The formats in which a world can be kept. Those of Tiled and `LDtk` are only read.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `.map`, which has no weights: [`crate::map`].
    Map,
    /// `.png`, which has all weights: [`crate::png_image`].
    Png,
    /// `.txt` or `.world`, which have weights up to 9, kinds, borders and links: [`crate::ascii`].
    Ascii,
    /// `.hex`, which holds a hexagonal grid with all weights, kinds, borders and links: [`crate::hex`].
    Hex,
    /// `.tmx`, a map of Tiled: [`crate::tiled`].
    Tmx,
    /// `.tmj`, or a `.json` that is read, a map of Tiled in JSON: [`crate::tiled`].
    Tmj,
    /// `.ldtk`, a world of `LDtk`, of which the first level is meant: [`crate::ldtk`].
    Ldtk,
}

impl Kind {
    /// Returns the kind that the ending of a file's name says, in upper or lower case.
    pub fn of(path: &Path) -> Option<Kind> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "map" => Some(Kind::Map),
            "png" => Some(Kind::Png),
            "txt" | "world" => Some(Kind::Ascii),
            "hex" => Some(Kind::Hex),
            "tmx" => Some(Kind::Tmx),
            "tmj" => Some(Kind::Tmj),
            "ldtk" => Some(Kind::Ldtk),
            _ => None,
        }
    }

    /// Returns the kind that the bytes look like: a PNG picture by its signature, a `.map` by its first word, a `.hex` by
    /// its first two, maps of Tiled and worlds of `LDtk` by words that all of them have, else a drawing if they are plain text
    /// and no scenario. The characters of a drawing are not checked here.
    pub fn of_bytes(bytes: &[u8]) -> Option<Kind> {
        let first_word = without_mark(bytes).split(u8::is_ascii_whitespace).next().unwrap_or_default();
        match first_word {
            _ if png_image::is_png(bytes) => Some(Kind::Png),
            _ if hex::is_hex(bytes) => Some(Kind::Hex),
            _ if tiled::is_tmx(bytes) => Some(Kind::Tmx),
            _ if tiled::is_tmj(bytes) => Some(Kind::Tmj),
            _ if ldtk::is_ldtk(bytes) => Some(Kind::Ldtk),
            b"type" => Some(Kind::Map),
            b"version" => None,
            _ => is_plain_text(bytes).then_some(Kind::Ascii),
        }
    }

    /// Returns the kind that the name says, or else the kind that the bytes look like.
    fn of_either(name: &str, bytes: &[u8]) -> Option<Kind> {
        Kind::of(Path::new(name)).or_else(|| Kind::of_bytes(bytes))
    }

    /// Reads a world. `load` returns the bytes of files that it names.
    fn read(
        self,
        bytes: &[u8],
        rules: Rules,
        strictness: Strictness,
        load: &mut Load,
    ) -> Result<NamedWorld, ReadError> {
        Ok(match self {
            Kind::Hex => {
                let hex::HexWorld { grid, kinds, floors } = hex::read_world(bytes)?;
                NamedWorld { world: grid.into(), kinds, floors }
            }
            Kind::Ascii => {
                let ascii::AsciiWorld { grid, kinds, floors, .. } = ascii::read_with(bytes, rules, strictness)?;
                NamedWorld { world: grid.into(), kinds, floors }
            }
            Kind::Tmx | Kind::Tmj | Kind::Ldtk => {
                let PaintedWorld { world, kinds, .. } = self.read_painted(bytes, rules, &Levels::First, load)?;
                NamedWorld { world, kinds, floors: None }
            }
            Kind::Map => AnySnapshot::from(map::read(bytes, rules)?).into(),
            Kind::Png => AnySnapshot::from(png_image::read(bytes, rules)?).into(),
        })
    }

    fn read_squares(
        self,
        bytes: &[u8],
        rules: Rules,
        strictness: Strictness,
        load: &mut Load,
    ) -> Result<SquareGrid, ReadError> {
        let hexes = || ReadError::of_whole("a world of squares", "a world of hexes");
        match self {
            Kind::Map => map::read(bytes, rules),
            Kind::Png => png_image::read(bytes, rules),
            Kind::Ascii => ascii::read_with(bytes, rules, strictness).map(|world| world.grid),
            Kind::Hex => Err(hexes()),
            Kind::Tmx | Kind::Tmj | Kind::Ldtk => {
                let named = self.read(bytes, rules, strictness, load)?;
                named.world.square().map(|world| SquareGrid::clone(world)).ok_or_else(hexes)
            }
        }
    }

    fn read_painted(
        self,
        bytes: &[u8],
        rules: Rules,
        levels: &Levels,
        load: &mut Load,
    ) -> Result<PaintedWorld, ReadError> {
        match self {
            Kind::Tmx | Kind::Tmj => tiled::read(bytes, rules, load),
            Kind::Ldtk => ldtk::read(bytes, rules, levels, load),
            Kind::Map | Kind::Png | Kind::Ascii | Kind::Hex => Err(ReadError::of_whole(
                "a map of Tiled (.tmx, .tmj, .json) or a world of LDtk (.ldtk)",
                "another file",
            )),
        }
    }

    /// Returns the kind of a file that is to be read. Much that is written has names in `.json`, but of what is read as a
    /// world only maps of Tiled have.
    fn to_read(path: &Path) -> Result<Kind, FileError> {
        let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        if is_json { Ok(Kind::Tmj) } else { Kind::known(path) }
    }

    fn known(path: &Path) -> Result<Kind, FileError> {
        Kind::of(path).ok_or_else(|| FileError::UnknownKind { path: path.to_path_buf() })
    }
}

/// Reads a world of any kind. Square grids get these rules; a hexagonal grid needs none. An ASCII world is read with this
/// strictness, and only its terrain is returned.
///
/// # Errors
/// When the name has the ending of no kind, or the file cannot be read or is not of that kind.
pub fn read_world(path: &Path, rules: Rules, strictness: Strictness) -> Result<AnySnapshot, FileError> {
    read_named(path, rules, strictness).map(|named| named.world)
}

/// Reads a world of any kind as [`read_world`] does, with the names of its kinds of ground and its floors.
///
/// # Errors
/// As [`read_world`].
pub fn read_named(path: &Path, rules: Rules, strictness: Strictness) -> Result<NamedWorld, FileError> {
    let kind = Kind::to_read(path)?;
    read_file(path, |bytes| kind.read(bytes, rules, strictness, &mut |name| beside(path, name)))
}

/// Reads a map of Tiled or levels of a world of `LDtk` with all that it says besides the ground. A world of squares gets these
/// rules. A map of Tiled has one level.
///
/// # Errors
/// When the file, or one that it names, cannot be read or is at fault, or the ending of its name is that of another kind.
pub fn read_painted(path: &Path, rules: Rules, levels: &Levels) -> Result<PaintedWorld, FileError> {
    let kind = Kind::to_read(path)?;
    read_file(path, |bytes| kind.read_painted(bytes, rules, levels, &mut |name| beside(path, name)))
}

/// Returns the names of the kinds of ground in the file of a world: the built-in ones, and those that an ASCII,
/// hexagonal or painted world gives.
///
/// # Errors
/// When the file cannot be read, or is an ASCII or hexagonal world whose legend is at fault or a painted world that is.
pub fn read_kind_names(path: &Path) -> Result<KindNames, FileError> {
    match Kind::of(path) {
        Some(Kind::Ascii) => read_file(path, ascii::kind_names),
        Some(Kind::Hex) => read_file(path, hex::kind_names),
        Some(Kind::Tmx | Kind::Tmj | Kind::Ldtk) => {
            read_painted(path, Rules::default(), &Levels::First).map(|painted| painted.kinds)
        }
        Some(Kind::Map | Kind::Png) | None => Ok(KindNames::default()),
    }
}

/// Reads a world that has to be a square grid. An ASCII world is read strictly, and only its terrain is returned.
///
/// # Errors
/// As [`read_squares_with`].
pub fn read_squares(path: &Path, rules: Rules) -> Result<SquareGrid, FileError> {
    read_squares_with(path, rules, Strictness::Strict)
}

/// Reads a world that has to be a square grid. An ASCII world is read with this strictness, and only its terrain is
/// returned.
///
/// # Errors
/// When the name has the ending of no kind or of another kind of grid, or the file cannot be read or is not of that kind.
pub fn read_squares_with(path: &Path, rules: Rules, strictness: Strictness) -> Result<SquareGrid, FileError> {
    let kind = Kind::to_read(path)?;
    if kind == Kind::Hex {
        return Err(FileError::OtherKind { path: path.to_path_buf(), source: OtherKind::HEXES });
    }
    read_file(path, |bytes| kind.read_squares(bytes, rules, strictness, &mut |name| beside(path, name)))
}

/// Reads a world from bytes that have a name but are no file, such as those that a web page sends. The kind is the one
/// that the name says, or else the one that the bytes look like ([`Kind::of_bytes`]). A drawing is read strictly.
/// Errors contain the name as if it were a file's.
///
/// Maps of Tiled and `LDtk` that name other files are refused.
///
/// A few bytes can hold a world of a thousand million cells; [`world_size`] tells the size without building the world.
///
/// # Errors
/// When the bytes are not of the kind that the name says, or, if the name says none, look like no kind of world.
pub fn read_world_bytes(name: &str, bytes: &[u8], rules: Rules) -> Result<AnySnapshot, ReadError> {
    read_named_bytes(name, bytes, rules).map(|named| named.world)
}

/// Reads a world from bytes as [`read_world_bytes`] does, with the names of its kinds of ground and its floors.
///
/// # Errors
/// As [`read_world_bytes`].
pub fn read_named_bytes(name: &str, bytes: &[u8], rules: Rules) -> Result<NamedWorld, ReadError> {
    read_by_name(name, bytes, |kind| kind.read(bytes, rules, Strictness::Strict, &mut not_at_hand))
}

/// Reads a square grid from bytes as [`read_world_bytes`] does.
///
/// # Errors
/// As [`read_world_bytes`], and when the world is a hexagonal grid.
pub fn read_squares_bytes(name: &str, bytes: &[u8], rules: Rules) -> Result<SquareGrid, ReadError> {
    read_by_name(name, bytes, |kind| kind.read_squares(bytes, rules, Strictness::Strict, &mut not_at_hand))
}

fn read_by_name<T>(name: &str, bytes: &[u8], read: impl FnOnce(Kind) -> Result<T, ReadError>) -> Result<T, ReadError> {
    let unknown = || {
        ReadError::of_whole(
            "a .map, a PNG picture, a .hex, a map of Tiled or LDtk or a drawing in plain text",
            "none of them",
        )
    };
    Kind::of_either(name, bytes).ok_or_else(unknown).and_then(read).map_err(|fault| fault.in_file(Path::new(name)))
}

/// Returns why a file that a world names cannot be had where there are only the bytes of the world.
fn not_at_hand(name: &str) -> Result<Vec<u8>, String> {
    Err(format!("the name of another file, {name:?}, which cannot be read from here"))
}

/// Returns the bytes of a file that another names, or why they cannot be had.
fn beside(path: &Path, name: &str) -> Result<Vec<u8>, String> {
    if Path::new(name).is_absolute() || name.contains('\\') {
        return Err(format!("{name:?}, which is not named from where the map lies"));
    }
    let path = path.with_file_name(name);
    let is_file = path.metadata().map(|data| data.is_file());
    match is_file {
        Ok(true) => fs::read(&path).map_err(|fault| format!("{name:?}: {fault}")),
        Ok(false) => Err(format!("{name:?}, which is no file")),
        Err(fault) => Err(format!("{name:?}: {fault}")),
    }
}

/// Returns how many columns and rows the world in these bytes would have, without building it. Pictures and maps state
/// their size in their first bytes, which are enough; of a drawing all rows are measured. If the bytes can be read, the
/// world has this size; if this is `None`, they cannot be read.
pub fn world_size(name: &str, bytes: &[u8]) -> Option<(usize, usize)> {
    match Kind::of_either(name, bytes)? {
        Kind::Map => map::size(bytes),
        Kind::Png => png_image::size(bytes),
        Kind::Ascii => ascii::size(bytes),
        Kind::Hex => hex::size(bytes),
        Kind::Tmx | Kind::Tmj => tiled::size(bytes),
        Kind::Ldtk => ldtk::size(bytes),
    }
}

fn is_plain_text(bytes: &[u8]) -> bool {
    let plain = |letter: char| !letter.is_control() || letter.is_ascii_whitespace();
    str::from_utf8(bytes).is_ok_and(|text| text.chars().all(plain))
}

/// Writes a world as [`write_named`] does, with the built-in names of kinds of ground.
///
/// # Errors
/// As [`write_named`].
pub fn write_world(path: &Path, world: &AnySnapshot) -> Result<(), FileError> {
    write_named(path, &NamedWorld::from(world.clone()))
}

/// Writes a world as the kind that the file's name says, by [`replace_file`]. What files of that kind cannot hold is left out:
/// [`NamedWorld::lost_in`] tells it.
///
/// # Errors
/// When the name has the ending of no kind, the format holds worlds of another kind or cannot hold the weights, or the
/// file cannot be written.
pub fn write_named(path: &Path, world: &NamedWorld) -> Result<(), FileError> {
    let bytes = write_named_bytes(Kind::known(path)?, world).map_err(|fault| fault.in_file(path))?;
    replace_file(path, &bytes).map_err(|source| FileError::Io { path: path.to_path_buf(), source })
}

/// Writes a world to bytes of this kind, with the built-in names of kinds of ground.
///
/// # Errors
/// When the kind is [`Kind::Ascii`] and a cell weighs more than 9, when there are more kinds of ground than characters for them,
/// when the kind is [`Kind::Hex`] and the world is a square grid, when it is one of Tiled or `LDtk`, or when it is another and the
/// world is a hexagonal grid.
pub fn write_world_bytes(kind: Kind, world: &AnySnapshot) -> Result<Vec<u8>, WriteError> {
    write_named_bytes(kind, &NamedWorld::from(world.clone()))
}

/// Writes a world to bytes of this kind as [`write_world_bytes`] does, with its names of kinds and its floors.
///
/// # Errors
/// As [`write_world_bytes`].
pub fn write_named_bytes(kind: Kind, NamedWorld { world, kinds, floors }: &NamedWorld) -> Result<Vec<u8>, WriteError> {
    Ok(match kind {
        Kind::Map => map::write(world.to_squares()?).into_bytes(),
        Kind::Png => png_image::write(world.to_squares()?),
        Kind::Ascii => ascii::write_named(world.to_squares()?, kinds, *floors)?.into_bytes(),
        Kind::Hex => hex::write_named(world.hex().ok_or(OtherKind::SQUARES)?, kinds, *floors)?.into_bytes(),
        Kind::Tmx | Kind::Tmj | Kind::Ldtk => return Err(WriteError::Painted),
    })
}

/// Reads a scenario of version 1.
///
/// # Errors
/// When the file cannot be read or is not a scenario of that version.
pub fn read_scenario(path: &Path) -> Result<Scenario, FileError> {
    read_file(path, scen::read)
}

/// Reads a test case. A world that is drawn in it is read with this strictness; a world that it names is not read.
///
/// # Errors
/// When the file cannot be read or is not a case.
pub fn read_case(path: &Path, strictness: Strictness) -> Result<Case, FileError> {
    Ok(read_file(path, |bytes| case::read_with(bytes, strictness))?.in_file(path))
}

/// Reads a dynamic scenario, version 2, and its patches from the file that it names, in its folder or below it.
///
/// # Errors
/// When one of the files cannot be read or has wrong contents, or a patch does not exist or does not fit on the map.
pub fn read_dynamic(path: &Path) -> Result<(DynamicScenario, Vec<Patch>), FileError> {
    let scenario = read_file(path, dynamic::read_scen)?;
    let patches = read_file(&path.with_file_name(&scenario.patch_file), dynamic::read_patches)?;
    scenario.check(&patches).map_err(|source| FileError::Patch { path: path.to_path_buf(), source })?;
    Ok((scenario, patches))
}

fn read_file<T>(path: &Path, read: impl FnOnce(&[u8]) -> Result<T, ReadError>) -> Result<T, FileError> {
    let bytes = fs::read(path).map_err(|source| FileError::Io { path: path.to_path_buf(), source })?;
    read(&bytes).map_err(|fault| {
        let file = fault.file.as_ref().map_or_else(|| path.to_path_buf(), |name| path.with_file_name(name));
        fault.in_file(&file).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_the_end_of_the_name() {
        let kinds = ["a.map", "b/c.PNG", "d.txt", "e.World", "h.Hex", "f.scen", "map", ".map", "g.map.scen", "i.json"]
            .map(|name| Kind::of(Path::new(name)));
        let (ascii, hex) = (Some(Kind::Ascii), Some(Kind::Hex));
        assert_eq!(kinds, [Some(Kind::Map), Some(Kind::Png), ascii, ascii, hex, None, None, None, None, None]);
        let painted = ["a.TMX", "b.tmj", "c.ldtk"].map(|name| Kind::of(Path::new(name)));
        assert_eq!(painted, [Some(Kind::Tmx), Some(Kind::Tmj), Some(Kind::Ldtk)]);
    }

    #[test]
    fn kinds_are_told_by_what_the_bytes_look_like() {
        let png = png_image::encode_rgb(1, 1, &[0; 3]);
        let files: [&[u8]; 8] =
            [b"type octile\n", b"type\r\n", &png, b"A.2\r\nA\t\n", "é█".as_bytes(), b"", b"version 1\n", b"A\0A"];
        let (map, ascii) = (Some(Kind::Map), Some(Kind::Ascii));
        assert_eq!(files.map(Kind::of_bytes), [map, map, Some(Kind::Png), ascii, ascii, ascii, None, None]);
        assert_eq!(Kind::of_bytes(b"A\xffA"), None);
        assert_eq!(Kind::of_bytes(b"portolan hex 1\n"), Some(Kind::Hex));
        let marked = [&b"type octile\n"[..], b"version 1\n", b"..A\n"].map(|text| [b"\xef\xbb\xbf", text].concat());
        assert_eq!(marked.map(|text| Kind::of_bytes(&text)), [map, None, ascii]);
    }
}
