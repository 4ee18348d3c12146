//! Files by path: which format a name means, reading it, and writing it so that a half-written file is never seen.
//!
//! Not here: what any format looks like.

use crate::case::{self, Case};
use crate::dynamic::{self, DynamicScenario, Patch};
use crate::error::{FileError, ReadError};
use crate::scen::{self, Scenario};
use crate::{ascii, map, png_image};
use portolan::{Rules, SquareGrid};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

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

    fn known(path: &Path) -> Result<Kind, FileError> {
        Kind::of(path).ok_or_else(|| FileError::UnknownKind { path: path.to_path_buf() })
    }
}

/// Reads a world of any kind; of an ASCII world only the terrain.
///
/// # Errors
/// When the name tells no kind, or the file cannot be read or is not what its name says.
pub fn read_world(path: &Path, rules: Rules) -> Result<SquareGrid, FileError> {
    let read = match Kind::known(path)? {
        Kind::Map => map::read,
        Kind::Png => png_image::read,
        Kind::Ascii => |bytes: &[u8], rules| ascii::read(bytes, rules).map(|world| world.grid),
    };
    read_file(path, |bytes| read(bytes, rules))
}

/// Writes a world as the kind its name says, to a temporary file beside it that is then renamed: another program
/// sees the old file or the new one, never a part. A `.map` loses weights, see [`map::write`].
///
/// # Errors
/// When the name tells no kind, the format cannot hold the weights, or the file cannot be written.
pub fn write_world(path: &Path, grid: &SquareGrid) -> Result<(), FileError> {
    let bytes = match Kind::known(path)? {
        Kind::Map => map::write(grid).into_bytes(),
        Kind::Png => png_image::write(grid),
        Kind::Ascii => ascii::write_grid(grid)
            .map_err(|source| FileError::Weight { path: path.to_path_buf(), source })?
            .into_bytes(),
    };
    replace_file(path, &bytes).map_err(|source| FileError::Io { path: path.to_path_buf(), source })
}

/// Reads a scenario of version 1.
///
/// # Errors
/// When the file cannot be read or is not a scenario of that version.
pub fn read_scenario(path: &Path) -> Result<Scenario, FileError> {
    read_file(path, scen::read)
}

/// Reads a test case; the world it may name is left to be read.
///
/// # Errors
/// When the file cannot be read or is not a case.
pub fn read_case(path: &Path) -> Result<Case, FileError> {
    read_file(path, case::read)
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

/// Writes a file under another name, makes sure that it is on the disk and renames it: whatever happens meanwhile, the
/// old file or the whole new one is there.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}-{number}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = File::create_new(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Whatever went wrong before is what the caller should hear of, not this.
        let _ = fs::remove_file(&temporary);
    }
    written
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
}
