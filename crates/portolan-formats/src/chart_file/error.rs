//! What can be wrong with a saved chart. Not here: faults of the file itself, such as a missing file, which are
//! [`FileError`](crate::FileError)'s.

use super::world::MeshReference;
use crate::navmesh::NavMeshFileError;
use portolan::any::cells_of;
use portolan::saved::OpenError;
use portolan::{Corners, Directions, GridError, MeshError, Rules};
use std::fmt;

/// Why a saved chart cannot be used.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChartError {
    /// The file is no saved chart.
    #[error("expected a saved chart, found a file that does not begin like one")]
    NotAChart,
    /// The file was written by an older or a newer program.
    #[error("expected version {known} of the chart format, found version {found}; build the chart again")]
    Version {
        /// The file's version.
        found: u32,
        /// The version that can be read.
        known: u32,
    },
    /// The file was cut short, or bytes were added to it.
    #[error("expected {stated} bytes, found {actual}: {}", if actual < stated { "it was cut short" } else { "something was added" })]
    Length {
        /// The length that the file states, or the least length of any chart.
        stated: u64,
        /// The length that the file has.
        actual: u64,
    },
    /// Some bytes of the file are not those that were written.
    #[error("its checksum does not hold: the file is damaged; build the chart again")]
    Checksum,
    /// The world given is not the one that the chart was built for.
    #[error("it is the chart of another world: {0}")]
    OtherWorld(Difference),
    /// The file only refers to its world, and none was given.
    #[error("the world is not in it, only how to know it again; name the map it was built from")]
    NoWorld,
    /// The checksum is right, but the contents are no chart.
    #[error("expected {expected}, found {found}")]
    Malformed {
        /// What the format requires there.
        expected: String,
        /// What is there instead.
        found: String,
    },
    /// The world in the file cannot be made.
    #[error("the world in it: {0}")]
    Grid(#[from] GridError),
    /// The mesh in the file cannot be read.
    #[error("the mesh in it: {0}")]
    NavMesh(#[from] NavMeshFileError),
    /// The mesh in the file cannot be made.
    #[error("the mesh in it: {0}")]
    Mesh(#[from] MeshError),
    /// The engine refuses the algorithm, its settings or a section.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl ChartError {
    pub(super) fn malformed(expected: impl Into<String>, found: impl Into<String>) -> ChartError {
        ChartError::Malformed { expected: expected.into(), found: found.into() }
    }
}

/// How the world of the chart and the world given differ.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Difference {
    /// They are of different kinds.
    Kind {
        /// The kind of the world of the chart.
        chart: &'static str,
        /// The kind of the world given.
        world: &'static str,
    },
    /// They differ in columns or rows.
    Size {
        /// Columns and rows of the world of the chart.
        chart: (usize, usize),
        /// Columns and rows of the world given.
        world: (usize, usize),
    },
    /// They differ in how agents step.
    Rules {
        /// The rules of the world of the chart.
        chart: Rules,
        /// The rules of the world given.
        world: Rules,
    },
    /// They differ in the terrain of some cells.
    Terrain {
        /// Hash of the terrain of the chart.
        chart: u64,
        /// Hash of the terrain given.
        world: u64,
    },
    /// They are meshes with different numbers of parts, or the parts themselves differ.
    Mesh {
        /// The mesh of the chart.
        chart: MeshReference,
        /// The mesh given.
        world: MeshReference,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Kind { chart, world } => {
                write!(f, "that one is of {}, this one of {}", cells_of(chart), cells_of(world))
            }
            Difference::Size { chart, world } => {
                write!(f, "that one is {} x {}, this one {} x {}", chart.0, chart.1, world.0, world.1)
            }
            Difference::Rules { chart, world } => write!(f, "that one has {}, this one {}", words(chart), words(world)),
            Difference::Terrain { chart, world } => write!(f, "terrain {chart:016x}, not {world:016x}"),
            Difference::Mesh { chart, world } if chart.with_hash(world.parts) == *world => {
                write!(f, "parts {:016x}, not {:016x}", chart.parts, world.parts)
            }
            Difference::Mesh { chart, world } => write!(f, "that one has {chart}, this one {world}"),
        }
    }
}

/// Returns rules in words.
pub(super) fn words(rules: &Rules) -> String {
    let directions = if rules.directions == Directions::Four { 4 } else { 8 };
    let corners = Corners::NAMED.iter().find(|(_, corners)| *corners == rules.corners).map_or("", |(name, _)| name);
    let metric = rules.metric.map_or_else(String::new, |metric| format!(" and costs {metric}"));
    format!("{directions} directions, {corners} corners{metric}")
}
