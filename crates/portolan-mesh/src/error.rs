//! Why a mesh could not be built from geometry. Not here: faults of files.

/// Why a mesh could not be built.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// An option is out of its range.
    #[error("{name} is {value}: expected {expected}")]
    Option {
        /// The name of the option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range, with its unit.
        expected: &'static str,
    },
    /// The geometry has no triangles.
    #[error("the geometry has no triangles")]
    Empty,
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} of the geometry has a coordinate that is not a finite number")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A triangle names a vertex that there is not.
    #[error("triangle {triangle} of the geometry names vertex {vertex}, and there are {vertices}")]
    NoVertex {
        /// The triangle.
        triangle: usize,
        /// The vertex named.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// The level is too large for its cells.
    #[error("the level is {size} {what} {axis}, {most} at most are supported: take larger cells or tiles")]
    TooLarge {
        /// Along which axis the level is too large.
        axis: &'static str,
        /// What is counted along that axis.
        what: &'static str,
        /// How many there are, rounded.
        size: f64,
        /// How many there may be.
        most: u32,
    },
    /// There is no ground on which an agent of this size can stand.
    #[error("the level has no ground on which such an agent can stand")]
    NoGround,
    /// Recast refused a tile.
    #[error("the tile in column {column}, row {row}: {reason}")]
    Tile {
        /// The column of the tile.
        column: u32,
        /// The row of the tile.
        row: u32,
        /// Recast's words.
        reason: String,
    },
    /// The caller stopped the build.
    #[error("the build was stopped")]
    Cancelled,
}
