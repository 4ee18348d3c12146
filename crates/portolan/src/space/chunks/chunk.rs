//! What a chunk brings when it is loaded ([`Chunk`]), checked and in coordinates of the world ([`Fixtures`]).
//!
//! Not here: which chunks are loaded, and edits (`space/chunks.rs`).

use super::{ChunkError, Chunked};
use crate::cost::Cost;
use crate::id::Cell;
use crate::space::borders::{Border, Side};
use crate::space::{EditError, Terrain};
use std::collections::BTreeMap;

/// The ground of a chunk, its borders and its links, to be loaded into [`super::Chunks`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    pub(super) terrain: Vec<Terrain>,
    borders: Vec<(Cell, Side, Border)>,
    links: Vec<(Cell, (i64, i64), Cost, bool)>,
}

/// The borders and links of a loaded chunk.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Fixtures {
    /// The borders that are not open, by the cell to the left of them or above them and the side of it.
    pub(super) borders: BTreeMap<((i64, i64), usize), Border>,
    /// The cells at the two ends of each link, from the first to the second, and what it costs.
    pub(super) links: Vec<([(i64, i64); 2], u32)>,
}

/// The sides that name borders: each border is that of one cell on one of these sides.
pub(super) const NAMING: [Side; 4] = [Side::East, Side::SouthEast, Side::South, Side::SouthWest];

/// Returns the cell beyond a side of a cell. Odd rows of hexes lie half a cell further to the right.
pub(super) fn beyond((x, y): (i64, i64), side: Side) -> (i64, i64) {
    let odd = y.rem_euclid(2);
    match side {
        Side::North => (x, y - 1),
        Side::NorthEast => (x + odd, y - 1),
        Side::East => (x + 1, y),
        Side::SouthEast => (x + odd, y + 1),
        Side::South => (x, y + 1),
        Side::SouthWest => (x + odd - 1, y + 1),
        Side::West => (x - 1, y),
        Side::NorthWest => (x + odd - 1, y - 1),
    }
}

impl Chunk {
    /// Makes a chunk from the terrain of its cells, row by row.
    pub fn new(terrain: Vec<Terrain>) -> Chunk {
        Chunk { terrain, borders: Vec::new(), links: Vec::new() }
    }

    /// Makes a chunk from one weight for each cell, row by row; 0 means blocked.
    pub fn from_weights(weights: &[u8]) -> Chunk {
        Chunk::new(weights.iter().map(|&weight| Terrain::of_weight(weight)).collect())
    }

    /// Returns the chunk with a border on this side of a cell, which is counted from the chunk's first column and row. The cell
    /// beyond may belong to another chunk: what one of two chunks closes is closed while that one is loaded.
    #[must_use]
    pub fn with_border(mut self, cell: impl Into<Cell>, side: Side, border: Border) -> Chunk {
        self.borders.push((cell.into(), side, border));
        self
    }

    /// Returns the chunk with a link from one of its cells, counted from the chunk's first column and row, to a cell of the
    /// world. A link to another chunk rests until that chunk is loaded too. Of links between two cells, the cheapest counts.
    #[must_use]
    pub fn with_link(mut self, from: impl Into<Cell>, to: (i64, i64), cost: Cost, both_ways: bool) -> Chunk {
        self.links.push((from.into(), to, cost, both_ways));
        self
    }

    /// Returns the borders and links of the chunk, of this many columns and rows, whose first cell is `corner`.
    pub(super) fn fixtures<S: Chunked>(
        &self,
        (columns, rows): (u16, u16),
        corner: (i64, i64),
    ) -> Result<Fixtures, ChunkError> {
        let expected = usize::from(columns) * usize::from(rows);
        if self.terrain.len() != expected {
            return Err(ChunkError::Count { expected, count: self.terrain.len() });
        }
        let placed = |cell: Cell| {
            let is_on = cell.x < columns && cell.y < rows;
            is_on
                .then(|| (corner.0 + i64::from(cell.x), corner.1 + i64::from(cell.y)))
                .ok_or(ChunkError::OffChunk(cell))
        };
        let mut fixtures = Fixtures::default();
        for &(cell, side, border) in &self.borders {
            let at = placed(cell)?;
            if !S::has_side(side) {
                return Err(EditError::NoSuchSide(side).into());
            }
            let [out, into] = border.closed();
            let (at, side, closed) = if NAMING.contains(&side) {
                (at, side, [out, into])
            } else {
                (beyond(at, side), side.opposite(), [into, out])
            };
            fixtures.borders.insert((at, side as usize), Border::of(closed));
        }
        fixtures.borders.retain(|_, border| *border != Border::Open);
        for &(from, to, cost, both_ways) in &self.links {
            let at = placed(from)?;
            if !(1..=EditError::MOST_COST).contains(&cost.0) {
                return Err(EditError::LinkCost(cost).into());
            }
            if at == to {
                return Err(ChunkError::LinkToItself(from));
            }
            fixtures.links.push(([at, to], cost.0));
            fixtures.links.extend(both_ways.then_some(([to, at], cost.0)));
        }
        Ok(fixtures)
    }
}
