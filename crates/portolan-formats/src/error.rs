//! What can be wrong with a file: [`ReadError`] for its contents, [`FileError`] for everything else, such as a file
//! that is missing.
//!
//! Not here: faults of values that the program itself made. Each operation that finds such faults has its own error.

use crate::ascii::DrawError;
use crate::chart_file::ChartError;
use crate::dynamic::PatchError;
use crate::navmesh::NavMeshFileError;
use crate::polyanya::PolyanyaError;
use portolan::GridError;
use portolan::any::{OtherKind, cells_of};
use portolan::saved::SaveError;
use std::io;
use std::path::{Path, PathBuf};

/// Contents that the format does not allow.
///
/// It is shown as `maps/a.map:5:17: expected one of . G S @ O T W, found 'x'`, without the parts that are not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}expected {expected}, found {found}{}", self.place(), self.advice())]
pub struct ReadError {
    /// The file, where the bytes came from one.
    pub file: Option<PathBuf>,
    /// Line, counted from 1; 0 in files that have no lines.
    pub line: usize,
    /// Column in bytes, counted from 1; 0 where the fault is not in any one column.
    pub column: usize,
    /// What the format requires there.
    pub expected: String,
    /// What is there instead.
    pub found: String,
    /// Whether the fault is a character of a drawing that [`Strictness::Lenient`](crate::ascii::Strictness::Lenient)
    /// takes for ground. The message says so, and a program that can read leniently may add how to request that.
    pub is_ground_if_lenient: bool,
}

impl ReadError {
    /// Returns this fault with the name of the file it is in.
    #[must_use]
    pub fn in_file(self, path: &Path) -> ReadError {
        ReadError { file: Some(path.to_path_buf()), ..self }
    }

    /// Returns a fault that has no line or column.
    pub(crate) fn of_whole(expected: impl Into<String>, found: impl Into<String>) -> ReadError {
        let (expected, found) = (expected.into(), found.into());
        ReadError { file: None, line: 0, column: 0, expected, found, is_ground_if_lenient: false }
    }

    fn advice(&self) -> &'static str {
        if self.is_ground_if_lenient { "; a lenient reading takes it for ground" } else { "" }
    }

    /// Returns the fault of weights of which no grid can be made.
    pub(crate) fn of_grid(fault: GridError) -> ReadError {
        match fault {
            GridError::OutOfMemory { width, height, .. } => ReadError::of_memory(width, height),
            other => ReadError::of_whole("a grid that can be built", other.to_string()),
        }
    }

    /// Returns the fault of a world that does not fit into memory.
    pub(crate) fn of_memory(width: usize, height: usize) -> ReadError {
        ReadError::of_whole(format!("memory for a world of {width} x {height} cells"), "less")
    }

    fn place(&self) -> String {
        let file = self.file.iter().map(|path| path.display().to_string());
        let numbers = [self.line, self.column].into_iter().take_while(|&n| n > 0).map(|n| n.to_string());
        let parts: Vec<String> = file.chain(numbers).collect();
        if parts.is_empty() { String::new() } else { parts.join(":") + ": " }
    }
}

/// Reserves room for one weight for each cell of a world of this size, but for at most `most` weights: a file may hold
/// fewer cells than its header states.
pub(crate) fn room_for_weights(width: usize, height: usize, most: usize) -> Result<Vec<u8>, ReadError> {
    let mut weights = Vec::new();
    let reserved = weights.try_reserve_exact((width * height).min(most));
    reserved.map(|()| weights).map_err(|_| ReadError::of_memory(width, height))
}

/// Why a world could not be written in a format.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    /// The world has weights for which the format has no characters.
    #[error(transparent)]
    Weight(#[from] DrawError),
    /// The format holds worlds of another kind.
    #[error(transparent)]
    OtherKind(#[from] OtherKind),
    /// The format is that of an editor, whose maps have more in them than a world.
    #[error("maps of Tiled and LDtk are read, not written")]
    Painted,
}

impl WriteError {
    /// Returns this error with the name of the file that was to be written.
    pub(crate) fn in_file(self, path: &Path) -> FileError {
        let path = path.to_path_buf();
        match self {
            WriteError::Weight(source) => FileError::Weight { path, source },
            WriteError::OtherKind(source) => FileError::OtherFormat { path, source },
            WriteError::Painted => FileError::Painted { path },
        }
    }
}

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system would not read or write the file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The contents are not what the format requires.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The ending of the name belongs to no kind of world.
    #[error("{}: expected a name ending in .map, .png, .txt, .world, .hex, .tmx, .tmj or .ldtk", path.display())]
    UnknownKind {
        /// The file.
        path: PathBuf,
    },
    /// The world has weights for which the format has no characters.
    #[error("{}: {source}; a .png keeps all weights", path.display())]
    Weight {
        /// The file.
        path: PathBuf,
        /// The weight and where it is.
        source: DrawError,
    },
    /// The file holds a world of another kind than is needed.
    #[error("{} is {source}", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// Both kinds.
        source: OtherKind,
    },
    /// A world of another kind than files of this format hold was to be written.
    #[error("{}: files of this format hold {}, and the world is one of {}", path.display(), cells_of(source.needed),
        cells_of(source.found))]
    OtherFormat {
        /// The file that was to be written.
        path: PathBuf,
        /// Both kinds.
        source: OtherKind,
    },
    /// A map of an editor was to be written.
    #[error("{}: maps of Tiled and LDtk are read, not written; a .png keeps all weights", path.display())]
    Painted {
        /// The file that was to be written.
        path: PathBuf,
    },
    /// A saved chart is damaged, of another version or of another world.
    #[error("{}: {source}", path.display())]
    Chart {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ChartError,
    },
    /// The planner has no chart that can be saved.
    #[error("{}: {source}", path.display())]
    Save {
        /// The file that was to be written.
        path: PathBuf,
        /// Why the planner cannot be saved.
        source: SaveError,
    },
    /// The ending of the name belongs to no format of geometry.
    #[error("{}: expected a name ending in .obj, .gltf or .glb", path.display())]
    UnknownGeometry {
        /// The file.
        path: PathBuf,
    },
    /// A saved mesh is damaged or of another version.
    #[error("{}: {source}", path.display())]
    NavMesh {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NavMeshFileError,
    },
    /// Polyanya's format cannot hold a mesh.
    #[error("{}: {source}", path.display())]
    Polyanya {
        /// The file that was to be written.
        path: PathBuf,
        /// What the format cannot hold.
        source: PolyanyaError,
    },
    /// A dynamic scenario does not fit its patches.
    #[error("{}: {source}", path.display())]
    Patch {
        /// The scenario.
        path: PathBuf,
        /// Which command is wrong.
        source: PatchError,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_shown_with_what_is_known_of_its_place() {
        let fault = ReadError { line: 5, column: 17, ..ReadError::of_whole("a", "b") };
        assert_eq!(fault.to_string(), "5:17: expected a, found b");
        assert_eq!(fault.in_file(Path::new("maps/a.map")).to_string(), "maps/a.map:5:17: expected a, found b");
        let whole = ReadError::of_whole("a", "b");
        assert_eq!(whole.to_string(), "expected a, found b");
        assert_eq!(whole.in_file(Path::new("a.png")).to_string(), "a.png: expected a, found b");
    }
}
