//! The square grid: its terrain, the steps that the terrain allows, and which cells are connected.
//!
//! Layout: cells are numbered row by row inside a rim of blocked cells, so that the number of a neighbour is that of
//! the cell plus a constant and no scan needs a test for the end of a row.
//!
//! Not here: terrain by node and by column and row (`space/ground.rs`), and data that searches derive from a grid. Searches read a grid and never change it.

mod as_space;
pub(crate) mod moves;
mod nearest;
pub(crate) mod rules;
mod sight;

use super::bits::{BitPlane, spread};
use super::borders::{Border, Side};
use super::components::Contacts;
use super::grids::{grid_accessors, stand_on_ground};
use super::ground::{Ground, Grounded, Layout, check_count, filled_weights};
use super::passages::Extras;
use super::{Area, Revision, Terrain};
use crate::cost::{Cost, Metric};
use crate::id::{Cell, NodeId};
use moves::{Gait, STEP, direction_of};
use rules::{Directions, Rules};
use std::ops::Range;

/// A world of square cells. It is built once and then edited through [`crate::World`].
#[derive(Clone)]
pub struct SquareGrid {
    rules: Rules,
    gait: Gait,
    ground: Ground<SquareLayout>,
}

/// The order of the nodes of a square grid.
#[derive(Copy, Clone)]
pub(crate) struct SquareLayout {
    width: usize,
    height: usize,
    stride: usize,
    /// 2⁶⁴ / `stride`, rounded up: with it, a multiplication instead of a division finds a node's row.
    reciprocal: u64,
    /// The rule for moving, which says which diagonal steps walls cut.
    gait: Gait,
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
        let weights = filled_weights(width, height, 1)?;
        Self::from_weights(width, height, &weights, rules)
    }

    /// Makes a grid from one weight for each cell, row by row from the top left; 0 means blocked.
    ///
    /// # Errors
    /// When a side is zero or longer than [`SquareGrid::MAX_SIDE`], `weights` does not have `width * height` entries,
    /// or there is no memory for the grid.
    pub fn from_weights(width: usize, height: usize, weights: &[u8], rules: Rules) -> Result<SquareGrid, GridError> {
        check_count(width, height, weights.len())?;
        let stride = width + 1;
        let gait = Gait::new(rules.directions, rules.corners);
        let layout = SquareLayout { width, height, stride, reciprocal: (u64::MAX / stride as u64) + 1, gait };
        let contacts = if gait.joins_corners() { Contacts::EIGHT } else { Contacts::FOUR };
        Ok(SquareGrid { rules, gait, ground: Ground::new(layout, contacts, weights, rules.metric)? })
    }

    /// Makes a grid whose cells have the weights that a function returns; 0 means blocked. It is asked for each cell once, row by
    /// row from the top left.
    ///
    /// ```
    /// use portolan::{Cell, Rules, SquareGrid};
    /// let pond = |cell: Cell| u8::from(cell.x.abs_diff(16) + cell.y.abs_diff(9) > 5);
    /// let grid = SquareGrid::from_fn(32, 18, Rules::default(), pond)?;
    /// assert!(grid.is_free(Cell::new(3, 9)) && !grid.is_free(Cell::new(16, 9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a side is zero or longer than [`SquareGrid::MAX_SIDE`], or there is no memory for so many cells.
    pub fn from_fn(
        width: usize,
        height: usize,
        rules: Rules,
        mut weight: impl FnMut(Cell) -> u8,
    ) -> Result<SquareGrid, GridError> {
        let mut weights = filled_weights(width, height, 0)?;
        for (y, row) in (0..).zip(weights.chunks_exact_mut(width)) {
            for (x, cell) in (0..).zip(row) {
                *cell = weight(Cell { x, y });
            }
        }
        Self::from_weights(width, height, &weights, rules)
    }

    /// Makes a new grid with this grid's terrain and borders and other rules. Its revision is that of a new world.
    ///
    /// # Panics
    /// When there is no memory for a second grid of this size.
    #[must_use]
    pub fn with_rules(&self, rules: Rules) -> SquareGrid {
        let mut grid = Self::from_weights(self.width(), self.height(), &self.to_weights(), rules)
            .expect("memory for the grid once more");
        grid.ground.kind_by_node.clone_from(&self.ground.kind_by_node);
        grid.ground.take_passages(&self.ground);
        grid
    }

    grid_accessors!(Cell);

    /// Returns the rules that the grid was made with. Their metric may be `None`; [`SquareGrid::metric`] is the one in
    /// use.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns whether the cell lies on the grid.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.ground.layout.place(cell).is_some()
    }

    /// Returns every cell, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.height() as u16).flat_map(|y| (0..self.width() as u16).map(move |x| Cell { x, y }))
    }

    /// Returns the cell of a node that is not part of the rim.
    #[inline(always)]
    pub fn cell(&self, node: NodeId) -> Cell {
        let SquareLayout { stride, reciprocal, .. } = self.ground.layout;
        let row = ((u128::from(reciprocal) * u128::from(node.0)) >> 64) as u32;
        let column = node.0 - row * stride as u32;
        Cell { x: (column - 1) as u16, y: (row - 1) as u16 }
    }

    /// Returns the free neighbours of a node, one bit for each direction.
    #[inline(always)]
    pub(crate) fn around(&self, node: NodeId) -> u8 {
        self.ground.around_by_node[node.index()]
    }

    /// Returns the free neighbours of every node, one bit for each direction.
    pub(crate) fn around_by_node(&self) -> &[u8] {
        &self.ground.around_by_node
    }

    #[inline(always)]
    pub(crate) fn gait(&self) -> Gait {
        self.gait
    }

    /// Returns, for each node, the neighbours from which steps lead to it, one bit for each direction. `None` where every step
    /// leads both ways.
    pub(crate) fn entries_by_node(&self) -> Option<&[u8]> {
        self.ground.passages.as_ref()?.entries_by_node()
    }

    /// Returns whether some border or link leads one way only.
    #[inline(always)]
    pub(crate) fn has_one_ways(&self) -> bool {
        self.extras() == Extras::OneWays
    }

    /// Returns the free cells from which links lead to a cell.
    pub(crate) fn links_to(&self, to: Cell) -> impl Iterator<Item = Cell> + '_ {
        let links =
            self.ground.passages.as_ref().map_or(&[][..], |passages| passages.links().arriving(self.node(to).0));
        links.iter().map(|link| self.cell(NodeId(link.beyond))).filter(|&from| self.is_free(from))
    }

    /// Returns the free cells that links lead to from a cell.
    pub(crate) fn links_from(&self, from: Cell) -> impl Iterator<Item = Cell> + '_ {
        let links =
            self.ground.passages.as_ref().map_or(&[][..], |passages| passages.links().leaving(self.node(from).0));
        links.iter().map(|link| self.cell(NodeId(link.beyond))).filter(|&to| self.is_free(to))
    }

    /// Returns all links that lead between free cells, with what they cost.
    pub(crate) fn usable_links(&self) -> impl Iterator<Item = (Cell, Cell, u32)> + '_ {
        let links = self.ground.passages.as_ref().map_or(&[][..], |passages| passages.links().all());
        let named = links.iter().map(|link| (self.cell(NodeId(link.at)), self.cell(NodeId(link.beyond)), link.cost));
        named.filter(|&(from, to, _)| self.is_free(from) && self.is_free(to))
    }

    /// Returns whether a border of a cell of this area, which lies on the grid, is closed.
    pub(crate) fn has_closed_borders(&self, area: Area) -> bool {
        let Some(passages) = &self.ground.passages else { return false };
        let nodes = area.all_cells().map(|cell| self.node(cell).index());
        nodes.into_iter().any(|node| passages.closed_by_node()[node] != 0)
    }

    pub(crate) fn free_plane(&self) -> &BitPlane {
        &self.ground.free
    }

    /// Returns the weights of all nodes, or `None` as long as all free cells have had one common weight since the grid
    /// was made.
    pub(crate) fn weights(&self) -> Option<&[u8]> {
        self.ground.weight_by_node.as_deref()
    }

    /// Returns, for each direction, the index of a neighbour in that direction minus the node's own.
    #[inline(always)]
    pub(crate) fn offsets(&self) -> [i32; 8] {
        STEP.map(|(dx, dy)| dy * self.ground.layout.stride as i32 + dx)
    }

    /// Returns the cost of a step over ground of weight 1 in each direction. With four directions, where no step is
    /// diagonal, all have the cost of a straight step.
    #[inline(always)]
    pub(crate) fn step_costs(&self) -> [u32; 8] {
        match self.rules.directions {
            Directions::Four => [self.metric().straight(); 8],
            Directions::Eight => self.metric().square_step_costs(),
        }
    }

    /// Returns the cost of a step between neighbouring cells: the metric's cost of the step times the mean of the two
    /// weights, rounded down. If a link leads from one cell to the other, which need then not be neighbours, and costs less, it
    /// is the cost of the link. `None` if there is neither a link nor a legal step.
    pub fn step_cost(&self, from: Cell, to: Cell) -> Option<Cost> {
        let (walk, link) = (self.walk_cost(from, to), self.ground.link_cost(from, to));
        link.map_or(walk, |link| Some(walk.map_or(link, |walk| walk.min(link))))
    }

    /// Returns the cost of a step between neighbouring cells as [`SquareGrid::step_cost`] does, but not of a link.
    pub(crate) fn walk_cost(&self, from: Cell, to: Cell) -> Option<Cost> {
        let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
        let direction = direction_of((dx, dy)).filter(|_| self.is_free(from))?;
        let node = self.node(from);
        // A step off the grid is not legal, because the rim is blocked.
        let legal = self.gait.legal()[usize::from(self.around(node))] >> direction & 1 == 1;
        legal.then(|| {
            mean_cost(self.metric().square_step_costs()[direction], self.weight(node), self.weight(self.node(to)))
        })
    }
}

/// Returns the cost of a step between cells of weights `from` and `to`; `base` is its cost between cells of weight 1.
/// Halves are rounded down.
#[inline(always)]
pub(crate) fn mean_cost(base: u32, from: u8, to: u8) -> Cost {
    Cost(base * (u32::from(from) + u32::from(to)) / 2)
}

stand_on_ground!(SquareGrid, SquareLayout);

impl Layout for SquareLayout {
    type Cell = Cell;

    fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    fn node_count(&self) -> usize {
        (self.height + 2) * self.stride + 1
    }

    fn columns(&self, _: usize) -> Range<usize> {
        0..self.width
    }

    fn cell_count(&self) -> usize {
        self.width * self.height
    }

    #[inline(always)]
    fn row_start(&self, row: usize) -> usize {
        (row + 1) * self.stride + 1
    }

    #[inline(always)]
    fn place(&self, cell: Cell) -> Option<(usize, usize)> {
        let (column, row) = (usize::from(cell.x), usize::from(cell.y));
        (column < self.width && row < self.height).then_some((column, row))
    }

    #[inline(always)]
    fn node(&self, cell: Cell) -> NodeId {
        NodeId(((usize::from(cell.y) + 1) * self.stride + usize::from(cell.x) + 1) as u32)
    }

    #[inline(always)]
    fn around(_: usize, [above, here, below]: [usize; 3]) -> u8 {
        // From three neighbouring bits of a row to bits by direction. Place 8 drops the cell itself.
        const ABOVE: [u8; 8] = spread([7, 0, 1]);
        const BESIDE: [u8; 8] = spread([6, 8, 2]);
        const BELOW: [u8; 8] = spread([5, 4, 3]);
        ABOVE[above] | BESIDE[here] | BELOW[below]
    }

    const DIRECTIONS: usize = 8;

    fn back(direction: usize) -> usize {
        (direction + 4) % 8
    }

    fn direction(side: Side) -> Option<usize> {
        Some(side as usize).filter(|direction| direction.is_multiple_of(2))
    }

    fn beside(&self, (column, row): (usize, usize), direction: usize) -> Option<(usize, usize)> {
        let (dx, dy) = STEP[direction];
        let to = (column.wrapping_add_signed(dx as isize), row.wrapping_add_signed(dy as isize));
        (to.0 < self.width && to.1 < self.height).then_some(to)
    }

    fn place_of(&self, node: usize) -> (usize, usize) {
        (node % self.stride - 1, node / self.stride - 1)
    }

    fn legal(&self) -> &'static [u8; 256] {
        self.gait.legal()
    }

    /// A diagonal step leads around a corner in two ways, each over two borders. Which of them have to be open depends on
    /// the rule for corners.
    fn narrowed(&self, around: u8, node: usize, closed: &[u8]) -> u8 {
        let is_open = |node: usize, direction: usize| closed[node] >> direction & 1 == 0;
        let offset = |direction: usize| {
            let (dx, dy) = STEP[direction];
            dy as isize * self.stride as isize + dx as isize
        };
        let is_kept = |&direction: &usize| {
            if around >> direction & 1 == 0 || direction.is_multiple_of(2) {
                return is_open(node, direction);
            }
            let [left, right] = [(direction + 7) % 8, (direction + 1) % 8];
            let is_way = |first: usize, then: usize| {
                is_open(node, first) && is_open(node.wrapping_add_signed(offset(first)), then)
            };
            let is_free = |direction: usize| around >> direction & 1 == 1;
            match self.gait {
                Gait::Four => true,
                Gait::Strict => is_way(left, right) && is_way(right, left),
                Gait::NoSqueeze => is_free(left) && is_way(left, right) || is_free(right) && is_way(right, left),
                Gait::Loose => is_way(left, right) || is_way(right, left),
            }
        };
        around & (0..8).filter(is_kept).fold(0, |kept, direction| kept | 1 << direction)
    }
}
