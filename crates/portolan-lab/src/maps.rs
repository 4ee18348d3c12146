//! The map files in a folder and below it, for programs that let their user pick one: [`maps_in`] lists them by name,
//! and [`open_in`] reads a map by its name. A name may come from any source, such as a web request: [`open_in`] refuses
//! every name that leads out of the folder.
//!
//! Not here: the contents of a map (`portolan-formats`), and the maps of a study (`study/maps.rs`).

use portolan_formats::{Kind, world_size};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// How many folders deep maps are searched for below the first folder.
const DEPTH: usize = 8;
/// The greatest number of maps that are listed.
const MOST: usize = 5_000;
/// The greatest number of file names that are read, so that listing a folder with very many other files ends soon.
const MOST_SEEN: usize = 100_000;
/// The number of bytes that surely contain the header of a map or picture.
const HEADER: u64 = 4 << 10;
/// The greatest number of bytes of a drawing whose size is determined. A drawing has no header that states its size, so
/// that all of it must be read.
const LARGEST_DRAWING: u64 = 4 << 20;

/// A map that can be opened by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapFile {
    /// Its path below the folder, with `/` between the parts.
    pub name: String,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// Columns and rows as the file states them. `None` if it does not state them, or if it is a very large drawing.
    pub size: Option<(usize, usize)>,
}

/// Why a map was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The name leads out of the folder, by itself or by a link.
    #[error("{0:?} leads out of the folder of maps")]
    Outside(String),
    /// The name does not end as that of a map does, or there is no file under it but, for example, a folder.
    #[error("{0:?} is no map: expected a file with a name ending in .map, .png, .txt or .world")]
    NoMap(String),
    /// The system could not read the file.
    #[error("{name}: {source}")]
    Io {
        /// The requested name.
        name: String,
        /// The system's error.
        source: io::Error,
    },
}

/// Returns the folder in which maps are searched for: the one that the environment variable `PORTOLAN_MAPS` names, or
/// `../shared/maps` if it is not set. `None` if there is no such folder.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("PORTOLAN_MAPS").map_or_else(|| PathBuf::from("../shared/maps"), PathBuf::from);
    Some(folder).filter(|folder| folder.is_dir())
}

/// Returns the maps in a folder and the folders below it, sorted by name; none if the folder cannot be read. Left out
/// are hidden files and folders, links to folders, links to files outside this folder, maps more than eight folders
/// deep, and all maps after the first five thousand.
pub fn maps_in(folder: &Path) -> Vec<MapFile> {
    files_in(folder, is_map)
}

/// Returns the files in a folder and the folders below it as [`maps_in`] does, but those with a name for which `is_wanted`
/// is true.
pub fn files_in(folder: &Path, is_wanted: fn(&Path) -> bool) -> Vec<MapFile> {
    let Ok(root) = folder.canonicalize() else { return Vec::new() };
    let mut walk = Walk { root: &root, is_wanted, maps: Vec::new(), seen: 0 };
    walk.enter(&root, "", DEPTH);
    walk.maps.sort_by(|a, b| a.name.cmp(&b.name));
    walk.maps
}

/// Returns whether a file of this name holds a world of cells.
pub fn is_map(path: &Path) -> bool {
    Kind::of(path).is_some()
}

struct Walk<'a> {
    root: &'a Path,
    is_wanted: fn(&Path) -> bool,
    maps: Vec<MapFile>,
    seen: usize,
}

impl Walk<'_> {
    /// Lists the maps in `folder` and in the folders up to `deeper` levels below it. `name` is the folder's path below
    /// the first one and ends in `/`; it is empty for the first folder.
    fn enter(&mut self, folder: &Path, name: &str, deeper: usize) {
        // A folder that cannot be read is left out, because its maps could not be opened.
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut names: Vec<String> = entries
            .take(MOST_SEEN - self.seen)
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .inspect(|_| self.seen += 1)
            .filter(|name| !name.starts_with('.'))
            .collect();
        // Sorted, so that the choice of maps does not depend on the system's order if there are more than `MOST`.
        names.sort();
        for own in names {
            let (path, name) = (folder.join(&own), format!("{name}{own}"));
            let Ok(kind) = fs::symlink_metadata(&path).map(|data| data.file_type()) else { continue };
            if kind.is_dir() {
                if deeper > 0 {
                    self.enter(&path, &(name + "/"), deeper - 1);
                }
            } else if (self.is_wanted)(&path) && (!kind.is_symlink() || inside(self.root, &path).is_ok_and(|is| is)) {
                self.maps.extend(described(&path, name));
            }
            if self.maps.len() == MOST {
                return;
            }
        }
    }
}

/// Returns whether `path`, with its links followed, lies below `root`, which must be a path without links.
fn inside(root: &Path, path: &Path) -> io::Result<bool> {
    path.canonicalize().map(|path| path.starts_with(root))
}

fn described(path: &Path, name: String) -> Option<MapFile> {
    // The metadata is read before the file is opened: opening a named pipe would block until some process writes to it.
    let bytes = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
    let enough = if Kind::of(path) == Some(Kind::Ascii) { LARGEST_DRAWING } else { HEADER };
    let whole_or_header = bytes <= enough || enough == HEADER;
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(enough).read_to_end(&mut start)).is_ok();
    let size = (read && whole_or_header).then(|| world_size(&name, &start)).flatten();
    Some(MapFile { name, bytes, size })
}

/// Reads a map below a folder by its name, as bytes for [`world_size`] and [`portolan_formats::read_world_bytes`].
///
/// # Errors
/// When the name leads out of the folder (`..`, an absolute name, a link), is not that of a map, or the file cannot be
/// read.
pub fn open_in(folder: &Path, name: &str) -> Result<Vec<u8>, OpenError> {
    let failed = |source| OpenError::Io { name: name.to_owned(), source };
    fs::read(path_in(folder, name)?).map_err(failed)
}

/// Returns the path of a map below a folder by its name.
///
/// # Errors
/// As [`open_in`].
pub fn path_in(folder: &Path, name: &str) -> Result<PathBuf, OpenError> {
    file_in(folder, name, is_map)
}

/// Returns the path of a file below a folder by its name, for which `is_wanted` must be true.
///
/// # Errors
/// As [`open_in`]; a name that is not wanted counts as not that of a map.
pub fn file_in(folder: &Path, name: &str, is_wanted: fn(&Path) -> bool) -> Result<PathBuf, OpenError> {
    let failed = |source| OpenError::Io { name: name.to_owned(), source };
    let relative = Path::new(name);
    if relative.components().any(|part| !matches!(part, Component::Normal(_))) {
        return Err(OpenError::Outside(name.to_owned()));
    }
    if !is_wanted(relative) {
        return Err(OpenError::NoMap(name.to_owned()));
    }
    let root = folder.canonicalize().map_err(failed)?;
    let path = root.join(relative).canonicalize().map_err(failed)?;
    match path {
        path if !path.starts_with(&root) => Err(OpenError::Outside(name.to_owned())),
        path if !path.is_file() => Err(OpenError::NoMap(name.to_owned())),
        path => Ok(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n...\n...\n";

    /// A new, empty folder that is removed when it is dropped.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("portolan-maps-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn file(&self, name: &str, contents: &str) {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }

        fn names(&self) -> Vec<String> {
            maps_in(&self.0).into_iter().map(|map| map.name).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn maps_are_listed_by_name_with_their_sizes() {
        let folder = Folder::new("listed");
        folder.file("b.map", MAP);
        folder.file("a/z.txt", "AAAA\nA\n");
        folder.file("a/b/broken.PNG", "no picture");
        folder.file("a/b/c.map.scen", "version 1\n");
        folder.file(".hidden/d.map", MAP);
        folder.file("a/.e.map", MAP);
        fs::create_dir_all(folder.0.join("folder.map")).unwrap();
        let listed = |name: &str, bytes, size| MapFile { name: name.to_owned(), bytes, size };
        let expected =
            [listed("a/b/broken.PNG", 10, None), listed("a/z.txt", 7, Some((4, 2))), listed("b.map", 41, Some((3, 2)))];
        assert_eq!(maps_in(&folder.0), expected);
        for map in maps_in(&folder.0) {
            assert_eq!(open_in(&folder.0, &map.name).unwrap().len() as u64, map.bytes);
        }
        assert!(maps_in(&folder.0.join("missing")).is_empty());
    }

    #[test]
    fn only_so_many_and_so_deep() {
        let folder = Folder::new("many");
        let deep = |depth: usize| "d/".repeat(depth) + "m.map";
        folder.file(&deep(DEPTH), MAP);
        folder.file(&deep(DEPTH + 1), MAP);
        assert_eq!(folder.names(), [deep(DEPTH)]);
        for number in 0..MOST + 3 {
            fs::write(folder.0.join(format!("{number:05}.world")), "").unwrap();
        }
        let names = folder.names();
        assert_eq!((names.len(), names[MOST - 1].as_str()), (MOST, "04999.world"));
    }

    #[test]
    fn names_lead_nowhere_but_into_the_folder() {
        let folder = Folder::new("names");
        folder.file("maps/a.map", MAP);
        folder.file("maps/a.scen", "version 1\n");
        folder.file("secret.map", MAP);
        fs::create_dir_all(folder.0.join("maps/folder.map")).unwrap();
        let maps = folder.0.join("maps");
        let absolute = folder.0.join("secret.map").to_str().unwrap().to_owned();
        for name in ["../secret.map", "a.map/../../secret.map", "..", "/a.map", "./a.map", absolute.as_str()] {
            assert!(matches!(open_in(&maps, name), Err(OpenError::Outside(_))), "{name}");
        }
        for name in ["", "a.scen", "a", "folder.map", "a.map\0"] {
            assert!(matches!(open_in(&maps, name), Err(OpenError::NoMap(_))), "{name:?}");
        }
        for name in ["b.map", "a\0.map", "a.map/b.map"] {
            assert!(matches!(open_in(&maps, name), Err(OpenError::Io { .. })), "{name:?}");
        }
        assert_eq!(open_in(&maps, "a.map").unwrap(), MAP.as_bytes());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_within_the_folder_only() {
        use std::os::unix::fs::symlink;
        let folder = Folder::new("links");
        folder.file("maps/in/a.map", MAP);
        folder.file("out/secret.map", MAP);
        let maps = folder.0.join("maps");
        let link = |to: &str, name: &str| symlink(folder.0.join(to), maps.join(name)).unwrap();
        link("maps/in/a.map", "near.map");
        link("out/secret.map", "far.map");
        link("out", "far");
        link("maps", "in/again");
        link("nowhere.map", "dangling.map");
        let names: Vec<String> = maps_in(&maps).into_iter().map(|map| map.name).collect();
        assert_eq!(names, ["in/a.map", "near.map"]);
        assert!(open_in(&maps, "near.map").is_ok() && open_in(&maps, "in/again/near.map").is_ok());
        for name in ["far.map", "far/secret.map"] {
            assert!(matches!(open_in(&maps, name), Err(OpenError::Outside(_))), "{name}");
        }
        // The folder itself may be a link.
        symlink(&maps, folder.0.join("door")).unwrap();
        assert_eq!(maps_in(&folder.0.join("door")).len(), 2);
        assert!(open_in(&folder.0.join("door"), "near.map").is_ok());
    }
}
