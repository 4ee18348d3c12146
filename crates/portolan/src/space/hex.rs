//! The hexagonal grid: its terrain, the steps between its cells, and which cells are connected.
//!
//! Layout: cells are numbered by their axial coordinates, `(r + 1) * stride + q`, so that the number of a neighbour is
//! that of the cell plus a constant. The first column of a row has `q = -(r >> 1)`, so rows begin `stride` nodes apart
//! after an even row and one less after an odd row. With two nodes more than columns in a stride, at least one node lies
//! between two rows; it belongs to the rim and is always blocked, as are the nodes above the first row and below the
//! last.
//!
//! Not here: terrain by node and by column and row (`space/ground.rs`), and data that searches derive from a grid. Searches read a grid and never change it.

mod as_space;
#[cfg(test)]
mod edits;
mod from_square;
#[cfg(test)]
mod model;
pub(crate) mod moves;
mod nearest;
mod shape;

pub use shape::HexShape;

use super::bits::spread;
use super::borders::{Border, Side};
use super::components::Contacts;
use super::grids::{grid_accessors, stand_on_ground};
use super::ground::{Ground, Grounded, Layout, check_count, filled_weights};
use super::passages::Extras;
use super::square::{GridError, SquareGrid, mean_cost};
use super::{Revision, Terrain};
use crate::cost::{Cost, Metric};
use crate::id::{HexCell, NodeId};
use moves::{E, NE, NW, SE, STEP, SW, W};
use std::ops::Range;

/// A world of hexagonal cells, in columns and rows of which the odd ones lie half a cell further to the right.
///
/// ```
/// use portolan::{HexCell, HexGrid};
/// let grid = HexGrid::from_weights(3, 2, &[1, 0, 1, 1, 1, 1], None)?;
/// assert!(!grid.is_free(HexCell::at(1, 0)) && grid.connected(HexCell::at(0, 0), HexCell::at(2, 0)));
/// # Ok::<(), portolan::GridError>(())
/// ```
#[derive(Clone)]
pub struct HexGrid {
    ground: Ground<HexLayout>,
}

/// The order of the nodes of a hexagonal grid.
#[derive(Copy, Clone)]
pub(crate) struct HexLayout {
    width: usize,
    height: usize,
    shape: HexShape,
    stride: usize,
    /// 2⁶⁴ / (2 · `stride` - 1), rounded up: with it, a multiplication instead of a division finds a node's pair of
    /// rows.
    reciprocal: u64,
}

impl HexGrid {
    /// The most columns and the most rows that a grid may have.
    pub const MAX_SIDE: usize = SquareGrid::MAX_SIDE;
    /// The greatest radius that a grid of the shape of a hexagon may have.
    pub const MAX_RADIUS: usize = (Self::MAX_SIDE - 1) / 2;

    /// Makes a grid of columns and rows whose cells are all free and of weight 1. Every step costs what a straight step
    /// costs in `metric`; [`Metric::fitting`] chooses a metric where it is `None`.
    ///
    /// # Errors
    /// When a side is zero or longer than [`HexGrid::MAX_SIDE`], or there is no memory for so many cells.
    pub fn open(width: usize, height: usize, metric: Option<Metric>) -> Result<HexGrid, GridError> {
        let weights = filled_weights(width, height, 1)?;
        Self::from_weights(width, height, &weights, metric)
    }

    /// Makes a grid of the shape of a hexagon whose cells are all free and of weight 1: the cells within `radius` steps
    /// of the cell in column and row `radius`. The metric is as in [`HexGrid::open`].
    ///
    /// # Errors
    /// When the radius is greater than [`HexGrid::MAX_RADIUS`], or there is no memory for so many cells.
    pub fn hexagon(radius: usize, metric: Option<Metric>) -> Result<HexGrid, GridError> {
        let side = radius.saturating_mul(2).saturating_add(1);
        let weights = filled_weights(side, side, 1)?;
        Self::hexagon_from_weights(radius, &weights, metric)
    }

    /// Makes a grid from one weight for each cell, row by row from the top left; 0 means blocked. The metric is as in
    /// [`HexGrid::open`].
    ///
    /// # Errors
    /// When a side is zero or longer than [`HexGrid::MAX_SIDE`], `weights` does not have `width * height` entries, or
    /// there is no memory for the grid.
    pub fn from_weights(
        width: usize,
        height: usize,
        weights: &[u8],
        metric: Option<Metric>,
    ) -> Result<HexGrid, GridError> {
        Self::of_shape(HexShape::Rectangle, (width, height), weights, metric)
    }

    /// Makes a grid of the shape of a hexagon from one weight for each cell of the rectangle around it, which has
    /// `2 * radius + 1` columns and rows; weights of void cells are ignored. The metric is as in [`HexGrid::open`].
    ///
    /// # Errors
    /// When the radius is greater than [`HexGrid::MAX_RADIUS`], `weights` does not have as many entries as the rectangle
    /// has cells, or there is no memory for the grid.
    pub fn hexagon_from_weights(radius: usize, weights: &[u8], metric: Option<Metric>) -> Result<HexGrid, GridError> {
        let side = radius.saturating_mul(2).saturating_add(1);
        Self::of_shape(HexShape::Hexagon, (side, side), weights, metric)
    }

    fn of_shape(
        shape: HexShape,
        (width, height): (usize, usize),
        weights: &[u8],
        metric: Option<Metric>,
    ) -> Result<HexGrid, GridError> {
        check_count(width, height, weights.len())?;
        let layout = HexLayout::new(shape, width, height);
        Ok(HexGrid { ground: Ground::new(layout, Contacts::HEX, weights, metric)? })
    }

    grid_accessors!(HexCell);

    /// Returns which cells of the columns and rows lie on the grid.
    pub fn shape(&self) -> HexShape {
        self.ground.layout.shape
    }

    /// Returns whether the cell lies on the grid.
    #[inline]
    pub fn contains(&self, cell: HexCell) -> bool {
        let layout = self.ground.layout;
        let Some((column, row)) = layout.place(cell) else { return false };
        layout.shape == HexShape::Rectangle || layout.columns(row).contains(&column)
    }

    /// Returns every cell on the grid, row by row.
    pub fn cells(&self) -> impl Iterator<Item = HexCell> + '_ {
        let layout = self.ground.layout;
        (0..layout.height)
            .flat_map(move |row| layout.columns(row).map(move |column| HexCell::at(column as u16, row as u16)))
    }

    /// Returns the cell of a node that is not part of the rim.
    #[inline(always)]
    pub fn cell(&self, node: NodeId) -> HexCell {
        let HexLayout { stride, reciprocal, .. } = self.ground.layout;
        let stride = stride as u32;
        let from_first = node.0 - stride;
        let pair = ((u128::from(reciprocal) * u128::from(from_first)) >> 64) as u32;
        let column = from_first - pair * (2 * stride - 1);
        let odd = u32::from(column >= stride);
        HexCell { q: (column - odd * stride) as i16 - pair as i16, r: (2 * pair + odd) as i16 }
    }

    /// Returns, for each direction, the index of a neighbour in that direction minus the node's own. The last two entries
    /// belong to no direction.
    #[inline(always)]
    pub(crate) fn offsets(&self) -> [i32; 8] {
        let mut offsets = [0; 8];
        for (offset, (dq, dr)) in offsets.iter_mut().zip(STEP) {
            *offset = dr * self.ground.layout.stride as i32 + dq;
        }
        offsets
    }

    /// Returns the cost of a step between neighbouring cells: the metric's cost of a straight step times the mean of the
    /// two weights, rounded down. If a link leads from one cell to the other, which need then not be neighbours, and costs less,
    /// it is the cost of the link. `None` if there is neither a link nor a legal step.
    pub fn step_cost(&self, from: HexCell, to: HexCell) -> Option<Cost> {
        let (walk, link) = (self.walk_cost(from, to), self.ground.link_cost(from, to));
        link.map_or(walk, |link| Some(walk.map_or(link, |walk| walk.min(link))))
    }

    /// Returns the cost of a step between neighbouring cells as [`HexGrid::step_cost`] does, but not of a link.
    fn walk_cost(&self, from: HexCell, to: HexCell) -> Option<Cost> {
        let (dq, dr) = (i32::from(to.q) - i32::from(from.q), i32::from(to.r) - i32::from(from.r));
        let direction = STEP.iter().position(|&step| step == (dq, dr)).filter(|_| self.is_free(from))?;
        let legal = self.ground.around_by_node[self.node(from).index()] >> direction & 1 == 1;
        let weight = |cell| self.weight(self.node(cell));
        legal.then(|| mean_cost(self.metric().straight(), weight(from), weight(to)))
    }
}

stand_on_ground!(HexGrid, HexLayout);

impl HexLayout {
    fn new(shape: HexShape, width: usize, height: usize) -> HexLayout {
        let stride = width + 2;
        HexLayout { width, height, shape, stride, reciprocal: u64::MAX / (2 * stride as u64 - 1) + 1 }
    }
}

impl Layout for HexLayout {
    type Cell = HexCell;

    fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The last node is the one below the last row and to the right of its last column.
    fn node_count(&self) -> usize {
        (self.height + 1) * self.stride + self.width - (self.height - 1) / 2
    }

    fn columns(&self, row: usize) -> Range<usize> {
        self.shape.columns(self.width, row)
    }

    fn cell_count(&self) -> usize {
        self.shape.cells(self.width, self.height)
    }

    #[inline(always)]
    fn row_start(&self, row: usize) -> usize {
        (row + 1) * self.stride - row / 2
    }

    #[inline(always)]
    fn place(&self, cell: HexCell) -> Option<(usize, usize)> {
        // A negative number becomes a large one, which is past the last column or row as well.
        let (column, row) = ((i32::from(cell.q) + i32::from(cell.r >> 1)) as usize, cell.r as usize);
        (column < self.width && row < self.height).then_some((column, row))
    }

    #[inline(always)]
    fn node(&self, cell: HexCell) -> NodeId {
        NodeId(((i32::from(cell.r) + 1) * self.stride as i32 + i32::from(cell.q)) as u32)
    }

    #[inline(always)]
    fn around(row: usize, [above, here, below]: [usize; 3]) -> u8 {
        // From three neighbouring bits of a row to bits by direction, for even and for odd rows. The row above an even
        // row lies half a cell further to the right, so that its cells in the columns before and at that of a cell touch
        // it. Place 8 drops a bit.
        const ABOVE: [[u8; 8]; 2] = [spread([NW, NE, 8]), spread([8, NW, NE])];
        const BESIDE: [u8; 8] = spread([W, 8, E]);
        const BELOW: [[u8; 8]; 2] = [spread([SW, SE, 8]), spread([8, SW, SE])];
        ABOVE[row % 2][above] | BESIDE[here] | BELOW[row % 2][below]
    }

    const DIRECTIONS: usize = 6;

    fn back(direction: usize) -> usize {
        (direction + 3) % 6
    }

    fn direction(side: Side) -> Option<usize> {
        let direction = match side {
            Side::East => E,
            Side::SouthEast => SE,
            Side::SouthWest => SW,
            Side::West => W,
            Side::NorthWest => NW,
            Side::NorthEast => NE,
            Side::North | Side::South => return None,
        };
        Some(usize::from(direction))
    }

    fn beside(&self, (column, row): (usize, usize), direction: usize) -> Option<(usize, usize)> {
        let (dq, dr) = STEP[direction];
        let to_row = row.checked_add_signed(dr as isize).filter(|&to_row| to_row < self.height)?;
        // Columns are counted from half of the row.
        let shift = dq as isize + (to_row / 2) as isize - (row / 2) as isize;
        let to_column = column.checked_add_signed(shift)?;
        self.columns(to_row).contains(&to_column).then_some((to_column, to_row))
    }

    fn place_of(&self, node: usize) -> (usize, usize) {
        // Two rows have twice the stride of nodes, less one.
        let (from_first, two_rows) = (node - self.stride, 2 * self.stride - 1);
        let odd = usize::from(from_first % two_rows >= self.stride);
        (from_first % two_rows - odd * self.stride, 2 * (from_first / two_rows) + odd)
    }

    fn legal(&self) -> &'static [u8; 256] {
        const ALL: [u8; 256] = {
            let mut all = [0; 256];
            let mut around = 0;
            while around < 64 {
                all[around] = around as u8;
                around += 1;
            }
            all
        };
        &ALL
    }

    fn narrowed(&self, around: u8, node: usize, closed: &[u8]) -> u8 {
        around & !closed[node]
    }
}

#[cfg(test)]
mod tests;
