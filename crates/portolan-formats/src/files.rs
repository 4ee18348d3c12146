//! Files by path, and bytes that have a name: which format is meant, reading it and writing it.
//!
//! Not here: what any format looks like, and how bytes get into a file, which is [`crate::replace_file`]'s.

use crate::ascii::{Strictness, WeightError};
use crate::case::{self, Case};
use crate::dynamic::{self, DynamicScenario, Patch};
use crate::error::{FileError, ReadError};
use crate::replace::replace_file;
use crate::scen::{self, Scenario};
use crate::text::without_mark;
use crate::{ascii, map, png_image};
use portolan::{Rules, SquareGrid};
use std::fs;
use std::path::Path;

/// The formats a world can be kept in.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `.map`, without weights: [`crate::map`].
    Map,
    /// `.png`, all weights: [`crate::png_image`].
    Png,
    /// `.txt` or `.world`, weights up to 9: [`crate::ascii`].
    Ascii,
}

impl Kind {
    /// The kind a file's name says it is, upper or lower case.
    pub fn of(path: &Path) -> Option<Kind> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "map" => Some(Kind::Map),
            "png" => Some(Kind::Png),
            "txt" | "world" => Some(Kind::Ascii),
            _ => None,
        }
    }

    /// The kind the bytes look like: a PNG picture, a `.map` by its first word, else a drawing if they are plain text
    /// and no scenario. Which characters a drawing may have is for its reader to say.
    pub fn of_bytes(bytes: &[u8]) -> Option<Kind> {
        let first_word = without_mark(bytes).split(u8::is_ascii_whitespace).next().unwrap_or_default();
        match first_word {
            _ if png_image::is_png(bytes) => Some(Kind::Png),
            b"type" => Some(Kind::Map),
            b"version" => None,
            _ => is_plain_text(bytes).then_some(Kind::Ascii),
        }
    }

    /// The kind the name says, else what the bytes look like.
    fn of_either(name: &str, bytes: &[u8]) -> Option<Kind> {
        Kind::of(Path::new(name)).or_else(|| Kind::of_bytes(bytes))
    }

    fn read(self, bytes: &[u8], rules: Rules, strictness: Strictness) -> Result<SquareGrid, ReadError> {
        match self {
            Kind::Map => map::read(bytes, rules),
            Kind::Png => png_image::read(bytes, rules),
            Kind::Ascii => ascii::read_with(bytes, rules, strictness).map(|world| world.grid),
        }
    }

    fn known(path: &Path) -> Result<Kind, FileError> {
        Kind::of(path).ok_or_else(|| FileError::UnknownKind { path: path.to_path_buf() })
    }
}

/// Reads a world of any kind; of an ASCII world, which is read strictly, only the terrain.
///
/// # Errors
/// As [`read_world_with`].
pub fn read_world(path: &Path, rules: Rules) -> Result<SquareGrid, FileError> {
    read_world_with(path, rules, Strictness::Strict)
}

/// Reads a world of any kind; of an ASCII world, which is read with this strictness, only the terrain.
///
/// # Errors
/// When the name tells no kind, or the file cannot be read or is not what its name says.
pub fn read_world_with(path: &Path, rules: Rules, strictness: Strictness) -> Result<SquareGrid, FileError> {
    let kind = Kind::known(path)?;
    read_file(path, |bytes| kind.read(bytes, rules, strictness))
}

/// Reads a world from bytes that came under a name but not as a file, as a page sends them: of the kind that the name says,
/// else of the kind the bytes look like ([`Kind::of_bytes`]). A drawing is read strictly. Faults name it as they would a
/// file.
///
/// A few bytes can hold a world of a thousand million cells; [`world_size`] says so beforehand.
///
/// # Errors
/// When the bytes are not what the name says or, under another name, look like no kind of world.
pub fn read_world_bytes(name: &str, bytes: &[u8], rules: Rules) -> Result<SquareGrid, ReadError> {
    let unknown = || ReadError::of_whole("a .map, a PNG picture or a drawing in plain text", "none of them");
    let kind = Kind::of_either(name, bytes).ok_or_else(unknown);
    kind.and_then(|kind| kind.read(bytes, rules, Strictness::Strict)).map_err(|fault| fault.in_file(Path::new(name)))
}

/// How many columns and rows the world in these bytes would have, without building it: pictures and maps say so in their
/// first bytes, which are enough, and a drawing's rows are measured. What can be read has the size told here; what has
/// none cannot be read.
pub fn world_size(name: &str, bytes: &[u8]) -> Option<(usize, usize)> {
    match Kind::of_either(name, bytes)? {
        Kind::Map => map::size(bytes),
        Kind::Png => png_image::size(bytes),
        Kind::Ascii => ascii::size(bytes),
    }
}

fn is_plain_text(bytes: &[u8]) -> bool {
    let plain = |letter: char| !letter.is_control() || letter.is_ascii_whitespace();
    str::from_utf8(bytes).is_ok_and(|text| text.chars().all(plain))
}

/// Writes a world as the kind its name says, by [`replace_file`]. A `.map` loses weights, see [`map::write`].
///
/// # Errors
/// When the name tells no kind, the format cannot hold the weights, or the file cannot be written.
pub fn write_world(path: &Path, grid: &SquareGrid) -> Result<(), FileError> {
    let bytes = write_world_bytes(Kind::known(path)?, grid)
        .map_err(|source| FileError::Weight { path: path.to_path_buf(), source })?;
    replace_file(path, &bytes).map_err(|source| FileError::Io { path: path.to_path_buf(), source })
}

/// Writes a world to bytes of this kind. A map loses weights, see [`map::write`].
///
/// # Errors
/// When it is to be a drawing and a cell weighs more than 9.
pub fn write_world_bytes(kind: Kind, grid: &SquareGrid) -> Result<Vec<u8>, WeightError> {
    Ok(match kind {
        Kind::Map => map::write(grid).into_bytes(),
        Kind::Png => png_image::write(grid),
        Kind::Ascii => ascii::write_grid(grid)?.into_bytes(),
    })
}

/// Reads a scenario of version 1.
///
/// # Errors
/// When the file cannot be read or is not a scenario of that version.
pub fn read_scenario(path: &Path) -> Result<Scenario, FileError> {
    read_file(path, scen::read)
}

/// Reads a test case, the world drawn in it with this strictness; a world that it names is left to be read.
///
/// # Errors
/// When the file cannot be read or is not a case.
pub fn read_case(path: &Path, strictness: Strictness) -> Result<Case, FileError> {
    read_file(path, |bytes| case::read_with(bytes, strictness))
}

/// Reads a dynamic scenario, version 2, and the patches it names from the file beside it.
///
/// # Errors
/// When one of the files cannot be read or is not what it should be, or a patch is not there or does not fit.
pub fn read_dynamic(path: &Path) -> Result<(DynamicScenario, Vec<Patch>), FileError> {
    let scenario = read_file(path, dynamic::read_scen)?;
    let patches = read_file(&path.with_file_name(&scenario.patch_file), dynamic::read_patches)?;
    scenario.check(&patches).map_err(|source| FileError::Patch { path: path.to_path_buf(), source })?;
    Ok((scenario, patches))
}

fn read_file<T>(path: &Path, read: impl FnOnce(&[u8]) -> Result<T, ReadError>) -> Result<T, FileError> {
    let bytes = fs::read(path).map_err(|source| FileError::Io { path: path.to_path_buf(), source })?;
    read(&bytes).map_err(|fault| fault.in_file(path).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_the_end_of_the_name() {
        let kinds = ["a.map", "b/c.PNG", "d.txt", "e.World", "f.scen", "map", ".map", "g.map.scen"]
            .map(|name| Kind::of(Path::new(name)));
        let ascii = Some(Kind::Ascii);
        assert_eq!(kinds, [Some(Kind::Map), Some(Kind::Png), ascii, ascii, None, None, None, None]);
    }

    #[test]
    fn kinds_are_told_by_what_the_bytes_look_like() {
        let png = png_image::encode_rgb(1, 1, &[0; 3]);
        let files: [&[u8]; 8] =
            [b"type octile\n", b"type\r\n", &png, b"A.2\r\nA\t\n", "é█".as_bytes(), b"", b"version 1\n", b"A\0A"];
        let (map, ascii) = (Some(Kind::Map), Some(Kind::Ascii));
        assert_eq!(files.map(Kind::of_bytes), [map, map, Some(Kind::Png), ascii, ascii, ascii, None, None]);
        assert_eq!(Kind::of_bytes(b"A\xffA"), None);
        let marked = [&b"type octile\n"[..], b"version 1\n", b"..A\n"].map(|text| [b"\xef\xbb\xbf", text].concat());
        assert_eq!(marked.map(|text| Kind::of_bytes(&text)), [map, None, ascii]);
    }
}
