//! The ground of a painted map while its layers are laid over each other, from below.
//!
//! Not here: what layers are made of.

use crate::error::{ReadError, room_for_weights};
use portolan::any::AnySnapshot;
use portolan::{HexGrid, KindNameError, KindNames, Rules, SquareGrid};

/// The most cells that a map may have however short its file is.
const EMPTY_CELLS: usize = 1 << 22;
/// The most cells that a larger map may have for each byte of its file. Tile data can be packed to a thousandth, which leaves
/// 190 cells of four bytes for each byte of base 64.
const CELLS_PER_BYTE: usize = 256;

/// What a tile, a layer or a value says about the ground under it. What it does not say stays as it is.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Meaning {
    pub(crate) blocked: Option<bool>,
    pub(crate) weight: Option<u8>,
    pub(crate) kind: Option<u8>,
}

impl Meaning {
    /// Returns what is said here or, where nothing is, by `other`.
    pub(crate) fn or(self, other: Meaning) -> Meaning {
        Meaning {
            blocked: self.blocked.or(other.blocked),
            weight: self.weight.or(other.weight),
            kind: self.kind.or(other.kind),
        }
    }
}

/// A [`Meaning`] whose kind still is a name.
#[derive(Clone, Default, Debug)]
pub(crate) struct Named {
    pub(crate) blocked: Option<bool>,
    pub(crate) weight: Option<u8>,
    pub(crate) kind: Option<String>,
}

impl Named {
    /// Returns the meaning, and gives the kind a number if its name is new.
    pub(crate) fn numbered(&self, kinds: &mut KindNames) -> Result<Meaning, KindNameError> {
        let number = |name: &String| kinds.kind(name).map_or_else(|| kinds.add(name), Ok);
        let kind = self.kind.as_ref().map(number).transpose()?;
        Ok(Meaning { blocked: self.blocked, weight: self.weight, kind })
    }
}

/// Which columns and rows of a map become a world.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    /// The first column.
    pub(crate) left: i32,
    /// The first row.
    pub(crate) top: i32,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Extent {
    /// Returns the columns and rows from the first to behind the last.
    pub(crate) fn between([left, top]: [i64; 2], [right, bottom]: [i64; 2]) -> Extent {
        let side = |first: i64, end: i64| usize::try_from(end - first).unwrap_or(0);
        let first = |first: i64| first.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
        Extent { left: first(left), top: first(top), width: side(left, right), height: side(top, bottom) }
    }

    /// Checks that there is a world of this size, and that it is not out of all proportion to the bytes of its file.
    pub(crate) fn check(self, bytes: usize) -> Result<(), ReadError> {
        let (most, Extent { width, height, .. }) = (SquareGrid::MAX_SIDE, self);
        let found = || format!("{width} x {height}");
        if !(1..=most).contains(&width) || !(1..=most).contains(&height) {
            return Err(ReadError::of_whole(format!("a map of 1 to {most} cells on each side"), found()));
        }
        let fitting = EMPTY_CELLS.max(bytes.saturating_mul(CELLS_PER_BYTE));
        if width * height > fitting {
            let expected = format!("at most {fitting} cells in a map of {bytes} bytes");
            return Err(ReadError::of_whole(expected, found()));
        }
        Ok(())
    }
}

/// What has been laid on a cell.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Cover {
    /// Nothing.
    Nothing,
    /// Something that lets agents pass.
    Ground,
    /// A wall.
    Wall,
    /// The cell is no part of the map.
    Void,
}

/// The ground of a map.
pub(crate) struct Canvas {
    extent: Extent,
    covers: Vec<Cover>,
    weights: Vec<u8>,
    kinds: Vec<u8>,
}

impl Canvas {
    /// Makes a canvas on which nothing has been laid, of an extent that has been checked.
    pub(crate) fn new(extent: Extent) -> Result<Canvas, ReadError> {
        let (width, height) = (extent.width, extent.height);
        let cells = width * height;
        let mut covers = Vec::new();
        covers.try_reserve_exact(cells).map_err(|_| ReadError::of_memory(width, height))?;
        covers.resize(cells, Cover::Nothing);
        let filled = |value: u8| {
            let mut bytes = room_for_weights(width, height, usize::MAX)?;
            bytes.resize(cells, value);
            Ok::<_, ReadError>(bytes)
        };
        Ok(Canvas { extent, covers, weights: filled(1)?, kinds: filled(0)? })
    }

    /// Returns the number of the cell in a column and a row of the map, `None` if it is outside.
    fn index(&self, column: i64, row: i64) -> Option<usize> {
        let column = usize::try_from(column - i64::from(self.extent.left)).ok()?;
        let row = usize::try_from(row - i64::from(self.extent.top)).ok()?;
        (column < self.extent.width && row < self.extent.height).then(|| row * self.extent.width + column)
    }

    /// Lays something on the cell in a column and a row of the map. What is outside is left out.
    pub(crate) fn lay(&mut self, column: i64, row: i64, meaning: Meaning) {
        let Some(index) = self.index(column, row) else { return };
        let cover = &mut self.covers[index];
        match (meaning.blocked, *cover) {
            (Some(true), _) => *cover = Cover::Wall,
            (Some(false), _) | (None, Cover::Nothing | Cover::Void) => *cover = Cover::Ground,
            (None, Cover::Ground | Cover::Wall) => {}
        }
        self.weights[index] = meaning.weight.unwrap_or(self.weights[index]);
        self.kinds[index] = meaning.kind.unwrap_or(self.kinds[index]);
    }

    /// Says that nothing lies on these columns and rows because they are no part of the map.
    pub(crate) fn void(&mut self, columns: std::ops::Range<i64>, rows: std::ops::Range<i64>) {
        self.cover(columns, rows, Cover::Void);
    }

    /// Says that these columns and rows are a part of the map after all, on which nothing lies.
    pub(crate) fn clear(&mut self, columns: std::ops::Range<i64>, rows: std::ops::Range<i64>) {
        self.cover(columns, rows, Cover::Nothing);
    }

    /// Says that these columns and rows are blocked where nothing else is laid.
    pub(crate) fn wall(&mut self, columns: std::ops::Range<i64>, rows: std::ops::Range<i64>) {
        self.cover(columns, rows, Cover::Wall);
    }

    fn cover(&mut self, columns: std::ops::Range<i64>, rows: std::ops::Range<i64>, cover: Cover) {
        for row in rows {
            for column in columns.clone() {
                if let Some(index) = self.index(column, row) {
                    self.covers[index] = cover;
                }
            }
        }
    }

    /// Makes a world of squares with these rules or, if there are none, of hexes. Cells on which nothing lies are ground, or
    /// blocked if `empty_is_blocked`.
    pub(crate) fn finish(mut self, empty_is_blocked: bool, rules: Option<Rules>) -> Result<AnySnapshot, ReadError> {
        for (weight, cover) in self.weights.iter_mut().zip(&self.covers) {
            match cover {
                Cover::Wall | Cover::Void => *weight = 0,
                Cover::Nothing if empty_is_blocked => *weight = 0,
                Cover::Nothing | Cover::Ground => {}
            }
        }
        let Canvas { extent: Extent { width, height, .. }, weights, kinds, .. } = self;
        let made = match rules {
            Some(rules) => SquareGrid::from_weights(width, height, &weights, rules)
                .and_then(|grid| grid.with_kinds(&kinds))
                .map(AnySnapshot::from),
            None => HexGrid::from_weights(width, height, &weights, None)
                .and_then(|grid| grid.with_kinds(&kinds))
                .map(AnySnapshot::from),
        };
        made.map_err(ReadError::of_grid)
    }
}
