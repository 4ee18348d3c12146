//! Where hexagons lie in a world: [`Tiled`], which squares, hexes and meshes are, and the first two of them.
//!
//! On hexes, each cell is a hexagon. On squares, a hexagon is a block of squares, and the blocks of odd rows lie half a block
//! further to the right, as bricks do: each block then touches six others, as a hexagon does. Blocks of a single square lie as the
//! squares do, and each row counts as half a square further along than the one before. So no square is lost, and where an agent
//! can walk in steps along rows and columns, it can on hexagons. (A walk between two blocked corners, which loose corner rules allow, may be lost.)
//!
//! Not here: the steps between hexagons.

use super::LatticeError;
use portolan::{Area, Cell, Edit, HexCell, HexGrid, Motion, Space, SquareGrid};
use std::ops::RangeInclusive;

/// A kind of world that hexagons can be laid over.
pub trait Tiled: Space {
    /// How a step between the places of two nodes leads.
    const MOTION: Motion;

    /// Returns how hexagons of a size lie, or of the usual size.
    ///
    /// # Errors
    /// When there are no hexagons of that size, or too many.
    fn tiling(&self, size: Option<f64>) -> Result<Tiling, LatticeError>;

    /// Returns places in the hexagons of a window. At least one place of every hexagon that could ever have ground is among them.
    fn places(&self, tiling: &Tiling, window: &Window) -> Vec<Found<Self::Place>>;

    /// Returns the hexagon that contains a place, or `None` if the place lies off the world.
    fn hexagon_of(&self, tiling: &Tiling, at: Self::Place) -> Option<HexCell>;

    /// Returns the hexagons that an edit can change.
    fn touched(&self, tiling: &Tiling, edit: &Self::Edit) -> Option<Window>;
}

/// How hexagons lie over a world.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Tiling {
    /// How far apart the middles of two hexagons are: squares, or units of a mesh.
    pub size: f64,
    /// Where the middle of the hexagon in the first column and row lies.
    pub origin: [f64; 2],
    /// The number of columns.
    pub columns: u32,
    /// The number of rows.
    pub rows: u32,
}

/// A rectangle of hexagons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// The columns.
    pub columns: RangeInclusive<u32>,
    /// The rows.
    pub rows: RangeInclusive<u32>,
}

/// A place in a hexagon.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Found<P> {
    /// The hexagon.
    pub hexagon: HexCell,
    /// How far the place lies off the middle; places that are equally far have a fixed order.
    pub off: [u32; 2],
    /// The place.
    pub place: P,
}

impl Tiling {
    /// The most columns and rows that there may be.
    const MOST_SIDE: f64 = 32_766.0;

    /// Returns a tiling of so many columns and rows.
    pub(super) fn new(size: f64, origin: [f64; 2], columns: f64, rows: f64) -> Result<Tiling, LatticeError> {
        let most = super::MOST_NODES as f64;
        if columns > Tiling::MOST_SIDE || rows > Tiling::MOST_SIDE || columns * rows > 2.0 * most {
            return Err(LatticeError::TooMany((columns * rows) as u64));
        }
        Ok(Tiling { size, origin, columns: (columns as u32).max(1), rows: (rows as u32).max(1) })
    }
}

/// What sizes hexagons on squares have, in words.
const SQUARE_SIZES: &str = "a whole number of squares from 1 to 256";

/// The greatest size of hexagons on squares.
const MOST_SQUARES: f64 = 256.0;

/// Returns how far the blocks of a row lie further to the left than their column says, in squares.
fn shift(side: u32, row: u32) -> u32 {
    if row.is_multiple_of(2) { side / 2 } else { 0 }
}

impl Tiled for SquareGrid {
    const MOTION: Motion = Motion::AnyAngle;

    fn tiling(&self, size: Option<f64>) -> Result<Tiling, LatticeError> {
        let side = size.unwrap_or(1.0);
        if !(1.0..=MOST_SQUARES).contains(&side) || side.fract() != 0.0 {
            return Err(LatticeError::Size { size: side, expected: SQUARE_SIZES });
        }
        let middle = (side - 1.0) / 2.0;
        let columns = ((self.width() as f64 + f64::from(shift(side as u32, 0))) / side).ceil();
        let rows = (self.height() as f64 / side).ceil();
        Tiling::new(side, [middle - f64::from(shift(side as u32, 0)), middle], columns, rows)
    }

    fn places(&self, tiling: &Tiling, window: &Window) -> Vec<Found<Cell>> {
        let side = tiling.size as u32;
        let mut found = Vec::new();
        for row in window.rows.clone() {
            for column in window.columns.clone() {
                let hexagon = HexCell::at(column as u16, row as u16);
                let top = row * side;
                let left = i64::from(column * side) - i64::from(shift(side, row));
                let from = found.len();
                for y in top..(top + side).min(self.height() as u32) {
                    for x in left.max(0)..(left + i64::from(side)).min(self.width() as i64) {
                        let across = (2 * (x - left) + 1 - i64::from(side)).pow(2);
                        let down = (2 * i64::from(y - top) + 1 - i64::from(side)).pow(2);
                        let place = Cell::new(x as u16, y as u16);
                        let off = [(across + down) as u32, found.len() as u32 - from as u32];
                        found.push(Found { hexagon, off, place });
                    }
                }
                keep_free(&mut found, from, |place| self.is_free(place));
            }
        }
        found
    }

    fn hexagon_of(&self, tiling: &Tiling, at: Cell) -> Option<HexCell> {
        let side = tiling.size as u32;
        let row = u32::from(at.y) / side;
        let column = (u32::from(at.x) + shift(side, row)) / side;
        self.contains(at).then(|| HexCell::at(column as u16, row as u16))
    }

    fn touched(&self, tiling: &Tiling, edit: &Edit) -> Option<Window> {
        let side = tiling.size as u32;
        let Area { x, y, width, height } = edit.area;
        let [x, y, width, height] = [x, y, width, height].map(u32::from);
        let columns = x / side..=(x + width - 1 + side / 2) / side;
        let rows = y / side..=(y + height - 1) / side;
        Some(Window { columns: columns.clamped(tiling.columns), rows: rows.clamped(tiling.rows) })
    }
}

impl Tiled for HexGrid {
    const MOTION: Motion = Motion::Steps;

    fn tiling(&self, size: Option<f64>) -> Result<Tiling, LatticeError> {
        match size.unwrap_or(1.0) {
            1.0 => Tiling::new(1.0, [0.0; 2], self.width() as f64, self.height() as f64),
            size => Err(LatticeError::Size { size, expected: "the cells, of size 1" }),
        }
    }

    fn places(&self, _: &Tiling, window: &Window) -> Vec<Found<HexCell>> {
        let all = window.hexagons().filter(|&hexagon| self.contains(hexagon));
        all.map(|hexagon| Found { hexagon, off: [0; 2], place: hexagon }).collect()
    }

    fn hexagon_of(&self, _: &Tiling, at: HexCell) -> Option<HexCell> {
        self.contains(at).then_some(at)
    }

    fn touched(&self, tiling: &Tiling, edit: &Edit) -> Option<Window> {
        let Area { x, y, width, height } = edit.area;
        let [x, y, width, height] = [x, y, width, height].map(u32::from);
        let (columns, rows) = ((x..=x + width - 1).clamped(tiling.columns), (y..=y + height - 1).clamped(tiling.rows));
        Some(Window { columns, rows })
    }
}

/// Removes the blocked places from a hexagon, but for one where all are blocked.
fn keep_free<P: Copy>(found: &mut Vec<Found<P>>, from: usize, is_free: impl Fn(P) -> bool) {
    let Some(blocked) = found[from..].iter().copied().min_by_key(|found| found.off) else { return };
    let mut kept = from;
    for index in from..found.len() {
        if is_free(found[index].place) {
            found[kept] = found[index];
            kept += 1;
        }
    }
    found.truncate(kept);
    if kept == from {
        found.push(blocked);
    }
}

/// A range of columns or rows, as far as there are any.
pub(super) trait Clamped {
    fn clamped(self, side: u32) -> RangeInclusive<u32>;
}

impl Clamped for RangeInclusive<u32> {
    fn clamped(self, side: u32) -> RangeInclusive<u32> {
        (*self.start()).min(side - 1)..=(*self.end()).min(side - 1)
    }
}
