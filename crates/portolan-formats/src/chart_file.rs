//! Saved charts: a planner with everything that it derived from a world, so that no search is needed to open it.
//!
//! Numbers have the least significant byte first; a text is two bytes of length, then UTF-8. The first bytes say of which
//! kind the world is, and each kind has versions of its own. This is version 1 of both:
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | `89 43 48 41 52 54 0D 0A`, that is `\x89CHART\r\n`; for a mesh `89 4D 43 48 52 54 0D 0A`, that is `\x89MCHRT\r\n` |
//! | 4 | version |
//! | 8 | length of the whole file |
//! | | what identifies the world, see below |
//! | text | command name of the algorithm |
//! | 2, then 2 texts each | settings, name and value |
//! | 2, then text and 8 each | sections, name and length |
//! | | contents of the sections, one after the other |
//! | 8 | XXH3 of everything before |
//!
//! A grid of squares is identified by
//!
//! | bytes | meaning |
//! |---|---|
//! | 4, 4 | columns and rows of the world |
//! | 1, 1 | its directions, 4 or 8, and corner rule: 0 strict, 1 no-squeeze, 2 loose |
//! | 4, 4 | costs of a straight and of a diagonal step |
//! | 8 | XXH3 of its terrain: one weight for each cell, row by row, 0 if blocked, and what else it has, if anything |
//!
//! and a mesh by
//!
//! | bytes | meaning |
//! |---|---|
//! | 4, 4, 4 | numbers of polygons, vertices and links |
//! | 8 | XXH3 of its parts, rounded to steps: the bytes of the file that [`crate::navmesh::write`] makes of them |
//!
//! What else a grid has is written as a byte, 1 if kinds of ground follow, one for each cell, else 0; then come borders and links as
//! the lines of text that [`crate::ascii`] has for them. A grid that has none of these has no such byte.
//!
//! The file refers to its world by this alone, or includes it: then the section `terrain` holds these bytes of the grid,
//! or the section `mesh` the file of the mesh. The other sections are the engine's: see [`SavedChart`]. A file is read
//! whole and checked in this order: first bytes, version, length, checksum, then the contents.
//!
//! Not here: what the engine's sections mean.

mod bytes;
mod error;
mod world;
mod write;

pub use error::{ChartError, Difference};
pub use world::{ChartSpace, GridReference, MeshReference, WorldReference};
pub use write::{write, write_to};

use crate::error::FileError;
use crate::replace::replace_file_with;
use bytes::Bytes;
use portolan::saved::{SavedChart, Section};
use portolan::{NavMesh, Planner, Snapshot, Space, SquareGrid};
use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use twox_hash::XxHash3_64;

/// The version of charts of grids that is written and read. It has to be raised when the layout above or the meaning of
/// the engine's sections changes, or when the engine puts ports on other cells.
pub const VERSION: u32 = 1;
/// The version of charts of meshes that is written and read. It has to be raised when the layout above or the meaning of
/// the engine's sections changes.
pub const MESH_VERSION: u32 = 1;

/// For each kind of world its name, the first bytes of its files and their version.
const KINDS: [(&str, [u8; 8], u32); 2] =
    [(SquareGrid::KIND, *b"\x89CHART\r\n", VERSION), (NavMesh::KIND, *b"\x89MCHRT\r\n", MESH_VERSION)];
const MAGIC: usize = 8;
/// The least length of a file: everything up to the length field, and the checksum.
const LEAST: usize = 20 + CHECKSUM;
const CHECKSUM: usize = 8;

/// The header of a saved chart.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartHeader {
    /// The format's version.
    pub version: u32,
    /// The command name of its algorithm.
    pub algorithm: String,
    /// Settings, name and value.
    pub settings: Vec<(String, String)>,
    /// The world that the chart was built for.
    pub world: WorldReference,
    /// Sections, name and number of bytes, in their order in the file.
    pub sections: Vec<(String, usize)>,
}

impl ChartHeader {
    /// Returns whether the world is in the file.
    pub fn is_embedded(&self) -> bool {
        self.sections.iter().any(|(name, _)| name == self.world.section())
    }
}

/// A saved chart that has been read and whose checksum is right.
pub struct ChartFile {
    bytes: Vec<u8>,
    header: ChartHeader,
    /// Where the contents of the sections lie in `bytes`.
    ranges: Vec<Range<usize>>,
}

impl ChartFile {
    /// Reads a file whole.
    ///
    /// # Errors
    /// When the file cannot be read, or is no sound chart of a version that is read.
    pub fn read(path: &Path) -> Result<ChartFile, FileError> {
        let bytes = fs::read(path).map_err(|source| FileError::Io { path: path.to_path_buf(), source })?;
        ChartFile::from_bytes(bytes).map_err(|source| FileError::Chart { path: path.to_path_buf(), source })
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// When they are no sound chart of a version that is read.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<ChartFile, ChartError> {
        let kind = KINDS.into_iter().find(|(_, magic, _)| bytes.starts_with(magic));
        let (kind, _, known) = kind.ok_or(ChartError::NotAChart)?;
        let actual = bytes.len() as u64;
        let short = |_| ChartError::Length { stated: LEAST as u64, actual };
        let mut head = Bytes::new(&bytes, MAGIC);
        let version = head.u32().map_err(short)?;
        if version != known {
            return Err(ChartError::Version { found: version, known });
        }
        let stated = head.u64().map_err(short)?.max(LEAST as u64);
        if stated != actual {
            return Err(ChartError::Length { stated, actual });
        }
        let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if XxHash3_64::oneshot(body).to_le_bytes() != checksum {
            return Err(ChartError::Checksum);
        }
        let (header, ranges) = read_header(kind, version, Bytes::new(body, head.at()))?;
        Ok(ChartFile { bytes, header, ranges })
    }

    /// Returns the header of the chart.
    pub fn header(&self) -> &ChartHeader {
        &self.header
    }

    /// Returns the number of bytes in the file.
    #[expect(clippy::len_without_is_empty, reason = "no chart is empty")]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the world that is in the file.
    ///
    /// # Errors
    /// When there is none, or it is of another kind or not the one that the header refers to, or no world can be made of it.
    pub fn world<S: ChartSpace>(&self) -> Result<Snapshot<S>, ChartError> {
        let reference = self.header.world;
        if reference.kind() != S::KIND {
            let difference = Difference::Kind { chart: reference.kind(), world: S::KIND };
            return Err(ChartError::OtherWorld(difference));
        }
        let index = self.header.sections.iter().position(|(name, _)| name == reference.section());
        let bytes = &self.bytes[self.ranges[index.ok_or(ChartError::NoWorld)?].clone()];
        let found = reference.with_hash(XxHash3_64::oneshot(bytes));
        if let Some(difference) = reference.difference(found) {
            return Err(ChartError::OtherWorld(difference));
        }
        S::of_contents(bytes, reference).map(Snapshot::from)
    }

    /// Opens the planner for the world that it was built for.
    ///
    /// # Errors
    /// When `world` is not the world of the chart, or the engine refuses the contents of the file.
    pub fn open<S: ChartSpace>(&self, world: &Snapshot<S>) -> Result<Planner<S>, ChartError> {
        if let Some(difference) = self.header.world.difference(WorldReference::of(&**world)) {
            return Err(ChartError::OtherWorld(difference));
        }
        self.open_unchecked(world)
    }

    /// Opens the planner for a world that the caller has checked to be the right one.
    fn open_unchecked<'a, S: ChartSpace>(&'a self, world: &Snapshot<S>) -> Result<Planner<S>, ChartError> {
        let own = self.header.world.section();
        let named = self.header.sections.iter().zip(&self.ranges).filter(|((name, _), _)| name != own);
        let section = |(name, range): (&'a str, &Range<usize>)| Section {
            name: name.into(),
            bytes: self.bytes[range.clone()].into(),
        };
        let saved = SavedChart {
            algorithm: self.header.algorithm.as_str().into(),
            settings: self.header.settings.iter().map(|(name, value)| (name.into(), value.into())).collect(),
            sections: named.map(|((name, _), range)| section((name, range))).collect(),
        };
        Ok(Planner::open(world, &saved)?)
    }
}

/// Opens a saved chart for `world`, or, if that is `None`, for the world in the file. Returns that world and the
/// planner.
///
/// # Errors
/// When the file cannot be read, is damaged, or has another version; when it is a chart of another world; when no world
/// is given and none is in the file; or when the engine refuses the contents.
pub fn read_chart<S: ChartSpace>(
    path: &Path,
    world: Option<&Snapshot<S>>,
) -> Result<(Snapshot<S>, Planner<S>), FileError> {
    let file = ChartFile::read(path)?;
    let opened = match world {
        Some(world) => file.open(world).map(|planner| (world.clone(), planner)),
        None => file.world().and_then(|world: Snapshot<S>| file.open_unchecked(&world).map(|planner| (world, planner))),
    };
    opened.map_err(|source| FileError::Chart { path: path.to_path_buf(), source })
}

/// Saves a planner, with its world in the file if `embed`. Returns the number of bytes written. Another program, or
/// this one after a crash, sees the old file or the whole new one, never a part. The bytes are written as they lie in
/// memory, so that no second copy of the chart is made.
///
/// # Errors
/// When the planner keeps nothing worth saving, is not for this world, or the file cannot be written.
pub fn write_chart<S: ChartSpace>(
    path: &Path,
    planner: &Planner<S>,
    world: &Snapshot<S>,
    embed: bool,
) -> Result<usize, FileError> {
    let chart = planner.stream(world).map_err(|source| FileError::Save { path: path.to_path_buf(), source })?;
    let mut length = 0;
    let written = replace_file_with(path, |file| {
        length = write_to(file, &chart, world, embed)?;
        Ok(())
    });
    written.map(|()| length).map_err(|source| FileError::Io { path: path.to_path_buf(), source })
}

/// Returns whether a file begins like a saved chart; false if it cannot be read.
pub fn is_chart(path: &Path) -> bool {
    kind(path).is_some()
}

/// Returns the kind of world, as [`Space::KIND`] names it, that a saved chart is of; `None` if the file does not begin like
/// a chart or cannot be read.
pub fn kind(path: &Path) -> Option<&'static str> {
    let mut start = [0; MAGIC];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).ok()?;
    KINDS.into_iter().find(|(_, magic, _)| *magic == start).map(|(kind, ..)| kind)
}

/// Reads the header after the length field. Returns it and where the contents of the sections lie.
fn read_header(kind: &str, version: u32, mut head: Bytes) -> Result<(ChartHeader, Vec<Range<usize>>), ChartError> {
    let world = WorldReference::read(kind, &mut head)?;
    let algorithm = head.text()?;
    let count = head.u16()?;
    let settings = (0..count).map(|_| Ok((head.text()?, head.text()?))).collect::<Result<_, ChartError>>()?;
    let count = head.u16()?;
    let lengths = (0..count).map(|_| Ok((head.text()?, head.u64()?))).collect::<Result<Vec<_>, ChartError>>()?;
    let (mut sections, mut ranges) = (Vec::new(), Vec::new());
    for (name, length) in lengths {
        let range = head.skip(length)?;
        sections.push((name, range.len()));
        ranges.push(range);
    }
    head.end()?;
    Ok((ChartHeader { version, algorithm, settings, world, sections }, ranges))
}
