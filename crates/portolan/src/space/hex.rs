//! The hexagonal grid: its terrain, the steps between its cells, and which cells are connected.
//!
//! Layout: cells are numbered by their axial coordinates, `(r + 1) * stride + q`, so that the number of a neighbour is
//! that of the cell plus a constant. The first column of a row has `q = -(r >> 1)`, so rows begin `stride` nodes apart
//! after an even row and one less after an odd row. With two nodes more than columns in a stride, at least one node lies
//! between two rows; it belongs to the rim and is always blocked, as are the nodes above the first row and below the
//! last. For each cell, one byte tells which of its six neighbours are free and whether it is free itself and, once
//! weights differ, one more byte its weight. Free cells are also kept by column and row, one bit each.
//!
//! Not here: data that searches derive from a grid. Searches read a grid and never change it.

mod as_space;
mod edits;
mod from_square;
#[cfg(test)]
mod model;
pub(crate) mod moves;
mod nearest;
mod shape;

pub use shape::HexShape;

use super::bits::BitPlane;
use super::components::{Components, Contacts};
use super::square::{GridError, mean_cost};
use super::terrain::weight_range;
use super::{Revision, Terrain};
use crate::cost::{Cost, Metric};
use crate::id::{HexCell, NodeId};
use crate::memory::{OutOfMemory, filled};
use moves::STEP;

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
    width: usize,
    height: usize,
    shape: HexShape,
    metric: Metric,
    stride: usize,
    /// 2⁶⁴ / (2 · `stride` - 1), rounded up: with it, a multiplication instead of a division finds a node's pair of
    /// rows.
    reciprocal: u64,
    /// The free cells by column and row, inside a rim of one blocked column and row on every side.
    free: BitPlane,
    /// For each node, six bits for the free neighbours and [`HERE`] for the node itself.
    around_by_node: Vec<u8>,
    /// Weight of each node, 0 where blocked; `None` as long as all free cells have had the weight `common_weight`.
    weight_by_node: Option<Vec<u8>>,
    common_weight: u8,
    least_weight: u8,
    greatest_weight: u8,
    /// How many cells have each weight; entry 0 counts the blocked cells. Void cells are not counted.
    cells_by_weight: Box<[u32; 256]>,
    components: Components,
    pub(in crate::space) revision: Revision,
}

/// The number of the bit in `around_by_node` that tells whether the node itself is free.
const HERE: u8 = 6;

impl HexGrid {
    /// The most columns and the most rows that a grid may have.
    pub const MAX_SIDE: usize = 32_766;
    /// The greatest radius that a grid of the shape of a hexagon may have.
    pub const MAX_RADIUS: usize = (Self::MAX_SIDE - 1) / 2;

    /// Makes a grid of columns and rows whose cells are all free and of weight 1. Every step costs what a straight step
    /// costs in `metric`; [`Metric::fitting`] chooses a metric where it is `None`.
    ///
    /// # Errors
    /// When a side is zero or longer than [`HexGrid::MAX_SIDE`], or there is no memory for so many cells.
    pub fn open(width: usize, height: usize, metric: Option<Metric>) -> Result<HexGrid, GridError> {
        let weights = Self::filled_weights(width, height)?;
        Self::from_weights(width, height, &weights, metric)
    }

    /// Makes a grid of the shape of a hexagon whose cells are all free and of weight 1: the cells within `radius` steps
    /// of the cell in column and row `radius`. The metric is as in [`HexGrid::open`].
    ///
    /// # Errors
    /// When the radius is greater than [`HexGrid::MAX_RADIUS`], or there is no memory for so many cells.
    pub fn hexagon(radius: usize, metric: Option<Metric>) -> Result<HexGrid, GridError> {
        let side = radius.saturating_mul(2).saturating_add(1);
        let weights = Self::filled_weights(side, side)?;
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
        Self::checked_size(width, height)?;
        if weights.len() != width * height {
            return Err(GridError::Count { width, height, count: weights.len() });
        }
        let made = Self::of_checked(shape, (width, height), weights, metric);
        made.map_err(|OutOfMemory { bytes }| GridError::OutOfMemory { width, height, bytes })
    }

    fn of_checked(
        shape: HexShape,
        (width, height): (usize, usize),
        weights: &[u8],
        metric: Option<Metric>,
    ) -> Result<HexGrid, OutOfMemory> {
        let stride = width + 2;
        // The last node is the one below the last row and to the right of its last column. The largest allocation comes
        // first: if memory is too small, this fails before any work is done.
        let around_by_node = filled(0, (height + 1) * stride + width - (height - 1) / 2)?;
        let mut free = BitPlane::try_new(width + 2, height + 2)?;
        let mut cells_by_weight = Box::new([0; 256]);
        for (row, weights) in weights.chunks_exact(width).enumerate() {
            for column in shape.columns(width, row) {
                cells_by_weight[usize::from(weights[column])] += 1;
                *free.word_mut((column + 1) / 64, row + 1) |= u64::from(weights[column] != 0) << ((column + 1) % 64);
            }
        }
        let components = Components::new(&free, Contacts::HEX)?;
        let (least_weight, greatest_weight) = weight_range(&cells_by_weight);
        let weighted = least_weight != greatest_weight;
        let mut grid = HexGrid {
            width,
            height,
            shape,
            metric: metric.unwrap_or(Metric::fitting(width * height, weighted)),
            stride,
            reciprocal: u64::MAX / (2 * stride as u64 - 1) + 1,
            free,
            around_by_node,
            weight_by_node: None,
            common_weight: least_weight,
            least_weight,
            greatest_weight,
            cells_by_weight,
            components,
            revision: Revision::first(),
        };
        grid.look_around((0, 0), (width - 1, height - 1));
        if weighted {
            let mut by_node = filled(0, grid.node_count())?;
            for (row, weights) in weights.chunks_exact(width).enumerate() {
                let (columns, start) = (shape.columns(width, row), grid.row_start(row));
                by_node[start + columns.start..start + columns.end].copy_from_slice(&weights[columns]);
            }
            grid.weight_by_node = Some(by_node);
        }
        Ok(grid)
    }

    fn filled_weights(width: usize, height: usize) -> Result<Vec<u8>, GridError> {
        Self::checked_size(width, height)?;
        filled(1, width * height).map_err(|OutOfMemory { bytes }| GridError::OutOfMemory { width, height, bytes })
    }

    fn checked_size(width: usize, height: usize) -> Result<(), GridError> {
        let fits = |side| (1..=Self::MAX_SIDE).contains(&side);
        if fits(width) && fits(height) { Ok(()) } else { Err(GridError::Size { width, height }) }
    }

    /// Returns one weight for each cell of the storage rectangle, row by row from the top left, 0 where blocked or void:
    /// what [`HexGrid::from_weights`] and [`HexGrid::hexagon_from_weights`] take.
    pub fn to_weights(&self) -> Vec<u8> {
        let mut weights = vec![0; self.width * self.height];
        for (row, weights) in weights.chunks_exact_mut(self.width).enumerate() {
            self.copy_row(row, weights);
        }
        weights
    }

    /// Writes the weights of one row, counted from the top, to `weights`. It serves callers that do not need all rows
    /// of [`HexGrid::to_weights`] at once.
    ///
    /// # Panics
    /// When there is no such row, or `weights` does not have one entry for each column.
    pub fn copy_row(&self, row: usize, weights: &mut [u8]) {
        assert!(row < self.height && weights.len() == self.width, "a row of the grid and room for it");
        let start = self.row_start(row);
        if let Some(by_node) = &self.weight_by_node {
            weights.copy_from_slice(&by_node[start..][..self.width]);
            return;
        }
        for (weight, around) in weights.iter_mut().zip(&self.around_by_node[start..]) {
            *weight = (around >> HERE) * self.common_weight;
        }
    }

    /// Returns the node of the first column of a row. In a hexagon that column may be void.
    #[inline(always)]
    pub(crate) fn row_start(&self, row: usize) -> usize {
        (row + 1) * self.stride - row / 2
    }

    /// Returns the number of columns, void cells included.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns which cells of the columns and rows lie on the grid.
    pub fn shape(&self) -> HexShape {
        self.shape
    }

    /// Returns the metric whose straight step gives the cost of every step: the one that the grid was made with or, if
    /// there was none, the one chosen for it.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the state of the world that this grid holds.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns whether the cell lies on the grid.
    #[inline]
    pub fn contains(&self, cell: HexCell) -> bool {
        let Some((column, row)) = self.place(cell) else { return false };
        self.shape == HexShape::Rectangle || self.shape.columns(self.width, row).contains(&column)
    }

    /// Returns the column and row of a cell of the storage rectangle, which may be void. `None` outside of it.
    #[inline(always)]
    fn place(&self, cell: HexCell) -> Option<(usize, usize)> {
        // A negative number becomes a large one, which is past the last column or row as well.
        let (column, row) = ((i32::from(cell.q) + i32::from(cell.r >> 1)) as usize, cell.r as usize);
        (column < self.width && row < self.height).then_some((column, row))
    }

    /// Returns every cell on the grid, row by row.
    pub fn cells(&self) -> impl Iterator<Item = HexCell> + '_ {
        (0..self.height).flat_map(|row| {
            self.shape.columns(self.width, row).map(move |column| HexCell::at(column as u16, row as u16))
        })
    }

    /// Returns the terrain of the cell; cells off the grid are blocked.
    pub fn terrain(&self, cell: HexCell) -> Terrain {
        if !self.is_free(cell) {
            return Terrain::BLOCKED;
        }
        Terrain::of_weight(self.weight(self.node(cell)))
    }

    /// Returns whether an agent may stand on the cell; on a cell off the grid it may not.
    #[inline]
    pub fn is_free(&self, cell: HexCell) -> bool {
        self.place(cell).is_some_and(|(column, row)| self.free.get(column + 1, row + 1))
    }

    /// Returns how many cells are free.
    pub fn free_cells(&self) -> usize {
        self.shape.cells(self.width, self.height) - self.cells_by_weight[0] as usize
    }

    /// Returns how many cells have each weight; entry 0 counts the blocked cells. Void cells are not counted.
    pub fn cells_by_weight(&self) -> &[u32; 256] {
        &self.cells_by_weight
    }

    /// Returns the weight that all free cells have, or `None` where weights differ. Searches that need equal weights
    /// check this first. It is 1 where no cell is free.
    pub fn uniform_weight(&self) -> Option<u8> {
        (self.least_weight == self.greatest_weight).then_some(self.least_weight)
    }

    /// Returns the least weight of a free cell, 1 where no cell is free.
    pub(crate) fn least_weight(&self) -> u8 {
        self.least_weight
    }

    /// Returns the greatest weight of a free cell, 1 where no cell is free.
    pub(crate) fn greatest_weight(&self) -> u8 {
        self.greatest_weight
    }

    /// Returns whether there is a walk from one cell to the other. It is `false` if a cell is blocked.
    pub fn connected(&self, a: HexCell, b: HexCell) -> bool {
        matches!((self.component(a), self.component(b)), (Some(a), Some(b)) if a == b)
    }

    /// Returns the number of the cell's component, `None` if the cell is blocked. Two free cells have equal numbers
    /// exactly if there is a walk between them. Edits may change the numbers.
    pub fn component(&self, cell: HexCell) -> Option<u64> {
        let (column, row) = self.place(cell)?;
        self.free.get(column + 1, row + 1).then(|| self.components.of(&self.free, column + 1, row + 1))
    }

    /// Returns the bytes of memory that free cells, neighbour bytes, weights and components take.
    pub fn bytes(&self) -> usize {
        self.free.bytes()
            + self.around_by_node.len()
            + self.weight_by_node.as_ref().map_or(0, Vec::len)
            + self.components.bytes()
    }

    /// Returns the number of nodes, rim included: one more than the largest node index.
    pub fn node_count(&self) -> usize {
        self.around_by_node.len()
    }

    /// Returns the node of a cell on the grid.
    #[inline(always)]
    pub fn node(&self, cell: HexCell) -> NodeId {
        debug_assert!(self.contains(cell));
        NodeId(((i32::from(cell.r) + 1) * self.stride as i32 + i32::from(cell.q)) as u32)
    }

    /// Returns the cell of a node that is not part of the rim.
    #[inline(always)]
    pub fn cell(&self, node: NodeId) -> HexCell {
        let stride = self.stride as u32;
        let from_first = node.0 - stride;
        let pair = ((u128::from(self.reciprocal) * u128::from(from_first)) >> 64) as u32;
        let column = from_first - pair * (2 * stride - 1);
        let odd = u32::from(column >= stride);
        HexCell { q: (column - odd * stride) as i16 - pair as i16, r: (2 * pair + odd) as i16 }
    }

    /// Returns the free neighbours of a node, one bit for each direction.
    #[inline(always)]
    pub(crate) fn around(&self, node: NodeId) -> u8 {
        self.around_by_node[node.index()] & !(1 << HERE)
    }

    /// Returns the weight of a free node.
    #[inline(always)]
    pub(crate) fn weight(&self, node: NodeId) -> u8 {
        match &self.weight_by_node {
            Some(weights) => weights[node.index()],
            None => self.common_weight,
        }
    }

    /// Returns the weights of all nodes, or `None` as long as all free cells have had one common weight since the grid
    /// was made.
    pub(crate) fn weights(&self) -> Option<&[u8]> {
        self.weight_by_node.as_deref()
    }

    /// Returns, for each direction, the index of a neighbour in that direction minus the node's own. The last two entries
    /// belong to no direction.
    #[inline(always)]
    pub(crate) fn offsets(&self) -> [i32; 8] {
        let mut offsets = [0; 8];
        for (offset, (dq, dr)) in offsets.iter_mut().zip(STEP) {
            *offset = dr * self.stride as i32 + dq;
        }
        offsets
    }

    /// Returns whether a node is free. Nodes of void cells are not.
    #[inline(always)]
    pub(crate) fn is_free_node(&self, node: NodeId) -> bool {
        self.around_by_node[node.index()] >> HERE & 1 != 0
    }

    /// Returns the cost of a step between neighbouring cells: the metric's cost of a straight step times the mean of the
    /// two weights, rounded down. `None` if a cell is blocked or the cells are not neighbours.
    pub fn step_cost(&self, from: HexCell, to: HexCell) -> Option<Cost> {
        let legal = from.distance(to) == 1 && self.is_free(from) && self.is_free(to);
        let weight = |cell| self.weight(self.node(cell));
        legal.then(|| mean_cost(self.metric.straight(), weight(from), weight(to)))
    }
}

#[cfg(test)]
mod tests;
