//! The square grid: its terrain, the steps that the terrain allows, and which cells are connected.
//!
//! Layout: cells are numbered row by row inside a rim of blocked cells, so that the number of a neighbour is that of
//! the cell plus a constant and no scan needs a test for the end of a row. For each cell, one byte tells which of its
//! eight neighbours are free, one bit whether it is free itself and, once weights differ, one more byte its weight.
//!
//! Not here: data that searches derive from a grid. Searches read a grid and never change it.

mod as_space;
mod edits;
pub(crate) mod moves;
mod nearest;
pub(crate) mod rules;
mod sight;

use super::bits::BitPlane;
use super::components::{Components, Contacts};
use super::terrain::weight_range;
use super::{Revision, Terrain};
use crate::cost::{Cost, Metric};
use crate::id::{Cell, NodeId};
use crate::memory::{OutOfMemory, filled};
use moves::{Gait, STEP, direction_of};
use rules::{Directions, Rules};

/// A world of square cells. It is built once and then edited through [`crate::World`].
#[derive(Clone)]
pub struct SquareGrid {
    width: usize,
    height: usize,
    rules: Rules,
    metric: Metric,
    gait: Gait,
    stride: usize,
    /// 2⁶⁴ / `stride`, rounded up: with it, a multiplication instead of a division finds a node's row.
    reciprocal: u64,
    free: BitPlane,
    around_by_node: Vec<u8>,
    /// Weight of each node, 0 where blocked; `None` as long as all free cells have had the weight `common_weight`.
    weight_by_node: Option<Vec<u8>>,
    common_weight: u8,
    least_weight: u8,
    greatest_weight: u8,
    /// How many cells have each weight; entry 0 counts the blocked cells.
    cells_by_weight: Box<[u32; 256]>,
    components: Components,
    pub(super) revision: Revision,
}

/// Why a grid could not be made.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// A side is zero or longer than [`SquareGrid::MAX_SIDE`], which holds for hexes too.
    #[error("a grid is 1 to {max} cells on each side, not {width} x {height}", max = SquareGrid::MAX_SIDE)]
    Size {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
    },
    /// The number of weights is not the number of cells.
    #[error("{width} x {height} cells need {} weights, not {count}", width * height)]
    Count {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
        /// Weights given.
        count: usize,
    },
    /// The size is allowed, but there is not enough memory for it.
    #[error("a grid of {width} x {height} cells needs more memory than there is: {bytes} bytes more were refused")]
    OutOfMemory {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
        /// Bytes that were asked for in one piece.
        bytes: usize,
    },
    /// The size of hexes over a square world is not a positive number.
    #[error("the centres of hexes are a positive number of squares apart")]
    CellSize,
}

impl SquareGrid {
    /// The most columns and the most rows that a grid may have.
    pub const MAX_SIDE: usize = 32_766;

    /// Makes a grid whose cells are all free and of weight 1.
    ///
    /// # Errors
    /// When a side is zero or longer than [`SquareGrid::MAX_SIDE`], or there is no memory for so many cells.
    pub fn open(width: usize, height: usize, rules: Rules) -> Result<SquareGrid, GridError> {
        let weights = Self::filled_weights(width, height, 1)?;
        Self::from_weights(width, height, &weights, rules)
    }

    /// Returns a list with `weight` for every cell of a grid of this size, as [`SquareGrid::from_weights`] takes it.
    pub(crate) fn filled_weights(width: usize, height: usize, weight: u8) -> Result<Vec<u8>, GridError> {
        Self::checked_size(width, height)?;
        filled(weight, width * height).map_err(|OutOfMemory { bytes }| GridError::OutOfMemory { width, height, bytes })
    }

    /// Makes a grid from one weight for each cell, row by row from the top left; 0 means blocked.
    ///
    /// # Errors
    /// When a side is zero or longer than [`SquareGrid::MAX_SIDE`], `weights` does not have `width * height` entries,
    /// or there is no memory for the grid.
    pub fn from_weights(width: usize, height: usize, weights: &[u8], rules: Rules) -> Result<SquareGrid, GridError> {
        Self::checked_size(width, height)?;
        if weights.len() != width * height {
            return Err(GridError::Count { width, height, count: weights.len() });
        }
        let made = Self::of_checked(width, height, weights, rules);
        made.map_err(|OutOfMemory { bytes }| GridError::OutOfMemory { width, height, bytes })
    }

    fn of_checked(width: usize, height: usize, weights: &[u8], rules: Rules) -> Result<SquareGrid, OutOfMemory> {
        let stride = width + 1;
        // The largest allocation comes first: if memory is too small, this fails before any work is done.
        let around_by_node = filled(0, (height + 2) * stride + 1)?;
        let mut free = BitPlane::try_new(width + 2, height + 2)?;
        let mut cells_by_weight = Box::new([0; 256]);
        for (y, row) in weights.chunks_exact(width).enumerate() {
            for (x, &weight) in row.iter().enumerate() {
                cells_by_weight[usize::from(weight)] += 1;
                *free.word_mut((x + 1) / 64, y + 1) |= u64::from(weight != 0) << ((x + 1) % 64);
            }
        }
        let gait = Gait::new(rules.directions, rules.corners);
        let contacts = if gait.joins_corners() { Contacts::EIGHT } else { Contacts::FOUR };
        let components = Components::new(&free, contacts)?;
        let (least_weight, greatest_weight) = weight_range(&cells_by_weight);
        let weighted = least_weight != greatest_weight;
        let mut grid = SquareGrid {
            width,
            height,
            rules,
            metric: rules.metric.unwrap_or(Metric::fitting(width * height, weighted)),
            gait,
            stride,
            reciprocal: (u64::MAX / stride as u64) + 1,
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
        grid.look_around((1, 1), (width, height));
        if weighted {
            let mut by_node = filled(0, grid.node_count())?;
            for (y, row) in weights.chunks_exact(width).enumerate() {
                by_node[(y + 1) * stride + 1..][..width].copy_from_slice(row);
            }
            grid.weight_by_node = Some(by_node);
        }
        Ok(grid)
    }

    pub(crate) fn checked_size(width: usize, height: usize) -> Result<(), GridError> {
        let fits = |side| (1..=Self::MAX_SIDE).contains(&side);
        if fits(width) && fits(height) { Ok(()) } else { Err(GridError::Size { width, height }) }
    }

    /// Makes a new grid with this grid's terrain and other rules. Its revision is that of a new world.
    ///
    /// # Panics
    /// When there is no memory for a second grid of this size.
    #[must_use]
    pub fn with_rules(&self, rules: Rules) -> SquareGrid {
        Self::from_weights(self.width, self.height, &self.to_weights(), rules).expect("memory for the grid once more")
    }

    /// Returns one weight for each cell, row by row from the top left, 0 where blocked: what
    /// [`SquareGrid::from_weights`] takes.
    pub fn to_weights(&self) -> Vec<u8> {
        let mut weights = vec![0; self.width * self.height];
        for (y, row) in weights.chunks_exact_mut(self.width).enumerate() {
            self.copy_row(y, row);
        }
        weights
    }

    /// Writes the weights of one row, counted from the top, to `weights`. It serves callers that do not need all rows
    /// of [`SquareGrid::to_weights`] at once.
    ///
    /// # Panics
    /// When there is no such row, or `weights` does not have one entry for each column.
    pub fn copy_row(&self, row: usize, weights: &mut [u8]) {
        assert!(row < self.height && weights.len() == self.width, "a row of the grid and room for it");
        let y = row + 1;
        if let Some(by_node) = &self.weight_by_node {
            weights.copy_from_slice(&by_node[y * self.stride + 1..][..self.width]);
            return;
        }
        let common_weight = u64::from(self.common_weight);
        for (cells, x) in weights.chunks_mut(8).zip((1..).step_by(8)) {
            let next = self.free.row(y).get(x / 64 + 1).map_or(0, |next| next << 1 << (63 - x % 64));
            let bytes = spelled_out((self.free.word(x / 64, y) >> (x % 64) | next) as u8) * common_weight;
            cells.copy_from_slice(&bytes.to_le_bytes()[..cells.len()]);
        }
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the rules that the grid was made with. Their metric may be `None`; [`SquareGrid::metric`] is the one in
    /// use.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the metric that gives the cost of steps: the rules' own or, if they have none, the one chosen for this
    /// grid.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the state of the world that this grid holds.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns whether the cell lies on the grid.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        usize::from(cell.x) < self.width && usize::from(cell.y) < self.height
    }

    /// Returns every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.height as u16).flat_map(|y| (0..self.width as u16).map(move |x| Cell { x, y }))
    }

    /// Returns the terrain of the cell; cells off the grid are blocked.
    pub fn terrain(&self, cell: Cell) -> Terrain {
        if !self.is_free(cell) {
            return Terrain::BLOCKED;
        }
        Terrain::of_weight(self.weight(self.node(cell)))
    }

    /// Returns whether an agent may stand on the cell; on a cell off the grid it may not.
    #[inline]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.contains(cell) && self.free.get(usize::from(cell.x) + 1, usize::from(cell.y) + 1)
    }

    /// Returns how many cells are free.
    pub fn free_cells(&self) -> usize {
        self.width * self.height - self.cells_by_weight[0] as usize
    }

    /// Returns how many cells have each weight; entry 0 counts the blocked cells.
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

    /// Returns whether there is a legal walk from one cell to the other. It is `false` if a cell is blocked.
    pub fn connected(&self, a: Cell, b: Cell) -> bool {
        matches!((self.component(a), self.component(b)), (Some(a), Some(b)) if a == b)
    }

    /// Returns the number of the cell's component, `None` if the cell is blocked. Two free cells have equal numbers
    /// exactly if there is a legal walk between them. Edits may change the numbers.
    pub fn component(&self, cell: Cell) -> Option<u64> {
        self.is_free(cell).then(|| self.components.of(&self.free, usize::from(cell.x) + 1, usize::from(cell.y) + 1))
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
    pub fn node(&self, cell: Cell) -> NodeId {
        debug_assert!(self.contains(cell));
        NodeId(((usize::from(cell.y) + 1) * self.stride + usize::from(cell.x) + 1) as u32)
    }

    /// Returns the cell of a node that is not part of the rim.
    #[inline(always)]
    pub fn cell(&self, node: NodeId) -> Cell {
        let row = ((u128::from(self.reciprocal) * u128::from(node.0)) >> 64) as u32;
        let column = node.0 - row * self.stride as u32;
        Cell { x: (column - 1) as u16, y: (row - 1) as u16 }
    }

    /// Returns the free neighbours of a node, one bit for each direction.
    #[inline(always)]
    pub(crate) fn around(&self, node: NodeId) -> u8 {
        self.around_by_node[node.index()]
    }

    /// Returns the free neighbours of every node, one bit for each direction.
    pub(crate) fn around_by_node(&self) -> &[u8] {
        &self.around_by_node
    }

    #[inline(always)]
    pub(crate) fn gait(&self) -> Gait {
        self.gait
    }

    pub(crate) fn free_plane(&self) -> &BitPlane {
        &self.free
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

    /// Returns, for each direction, the index of a neighbour in that direction minus the node's own.
    #[inline(always)]
    pub(crate) fn offsets(&self) -> [i32; 8] {
        STEP.map(|(dx, dy)| dy * self.stride as i32 + dx)
    }

    /// Returns the cost of a step over ground of weight 1 in each direction. With four directions, where no step is
    /// diagonal, all have the cost of a straight step.
    #[inline(always)]
    pub(crate) fn step_costs(&self) -> [u32; 8] {
        match self.rules.directions {
            Directions::Four => [self.metric.straight(); 8],
            Directions::Eight => self.metric.square_step_costs(),
        }
    }

    /// Returns the cost of a step between neighbouring cells: the metric's cost of the step times the mean of the two
    /// weights, rounded down. `None` if the step is not legal or the cells are not neighbours.
    pub fn step_cost(&self, from: Cell, to: Cell) -> Option<Cost> {
        let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
        let direction = direction_of((dx, dy)).filter(|_| self.is_free(from))?;
        let node = self.node(from);
        // A step off the grid is not legal, because the rim is blocked.
        let legal = self.gait.legal()[usize::from(self.around(node))] >> direction & 1 == 1;
        legal.then(|| {
            mean_cost(self.metric.square_step_costs()[direction], self.weight(node), self.weight(self.node(to)))
        })
    }
}

/// Returns the cost of a step between cells of weights `from` and `to`; `base` is its cost between cells of weight 1.
/// Halves are rounded down.
#[inline(always)]
pub(crate) fn mean_cost(base: u32, from: u8, to: u8) -> Cost {
    Cost(base * (u32::from(from) + u32::from(to)) / 2)
}

/// Turns each of eight bits into a byte of 0 or 1; the lowest bit becomes the lowest byte.
fn spelled_out(bits: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let apart = (u64::from(bits) * ONES) & 0x8040_2010_0804_0201;
    (apart + 0x7f * ONES) >> 7 & ONES
}
