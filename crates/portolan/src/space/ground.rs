//! The ground of a grid, whatever the form of its cells: which cells are free, their weights, the free neighbours of
//! each cell, and which cells are connected. `space/ground/edits.rs` edits it.
//!
//! Free cells are kept by column and row, one bit each, inside a rim of blocked cells. The free neighbours of a cell are
//! one byte for each node and, once weights differ, so is the weight.
//!
//! Not here: which node a cell has, which the [`Layout`] of a grid says, and the cost of steps.

mod edits;

use super::bits::BitPlane;
use super::borders::{Border, Side};
use super::components::{Components, Contacts};
use super::links::Links;
use super::passages::{Extras, Passages};
use super::square::{GridError, SquareGrid};
use super::terrain::{Change, weight_range};
use super::{Area, Edit, EditError, Revision, Terrain};
use crate::cost::{Cost, Metric};
use crate::id::{Cell, NodeId};
use crate::memory::{OutOfMemory, filled};
use std::collections::BTreeSet;
use std::ops::Range;

/// The order in which a grid numbers its cells. In each row, the next column has the next node.
pub(crate) trait Layout: Copy {
    /// The name of a cell.
    type Cell: Copy;

    /// Returns the number of columns and of rows.
    fn size(&self) -> (usize, usize);

    /// Returns the number of nodes, rim included: one more than the largest node index.
    fn node_count(&self) -> usize;

    /// Returns the columns of a row that lie on the grid.
    fn columns(&self, row: usize) -> Range<usize>;

    /// Returns the number of cells on the grid.
    fn cell_count(&self) -> usize;

    /// Returns the node of the first column of a row, which need not lie on the grid.
    fn row_start(&self, row: usize) -> usize;

    /// Returns the column and row of a cell, `None` outside of the columns and rows.
    fn place(&self, cell: Self::Cell) -> Option<(usize, usize)>;

    /// Returns the node of a cell on the grid.
    fn node(&self, cell: Self::Cell) -> NodeId;

    /// Returns the free neighbours of a cell of this row, one bit for each direction. Each entry of `free` has three
    /// bits for the columns before, at and after that of the cell, in the rows above, at and below that of the cell.
    fn around(row: usize, free: [usize; 3]) -> u8;

    /// The number of directions.
    const DIRECTIONS: usize;

    /// Returns the direction that leads back.
    fn back(direction: usize) -> usize;

    /// Returns the direction that leads over a side of a cell, `None` if the cells have no such side.
    fn direction(side: Side) -> Option<usize>;

    /// Returns the column and row of the neighbour in a direction, `None` if it does not lie on the grid.
    fn beside(&self, at: (usize, usize), direction: usize) -> Option<(usize, usize)>;

    /// Returns the legal steps from a cell, indexed by the neighbours that it can be stepped to.
    fn legal(&self) -> &'static [u8; 256];

    /// Returns which of the free neighbours of a node can be stepped to, where `closed` has for each node one bit for each
    /// direction in which the border is closed on the way out.
    fn narrowed(&self, around: u8, node: usize, closed: &[u8]) -> u8;

    /// Returns the column and row of a node that is not part of the rim.
    fn place_of(&self, node: usize) -> (usize, usize);

    /// Returns the node of the cell in this column and row.
    #[inline(always)]
    fn node_of(&self, (column, row): (usize, usize)) -> usize {
        self.row_start(row) + column
    }
}

/// The terrain of all cells of a grid, and what follows from it.
#[derive(Clone)]
pub(crate) struct Ground<L> {
    pub(crate) layout: L,
    pub(super) metric: Metric,
    /// The free cells by column and row, inside a rim of one blocked column and row on every side.
    pub(super) free: BitPlane,
    /// For each node, one bit for each direction in which the neighbour is free and no border stands between.
    pub(crate) around_by_node: Vec<u8>,
    /// Weight of each node, 0 where blocked; `None` as long as all free cells have had the weight `common_weight`.
    pub(crate) weight_by_node: Option<Vec<u8>>,
    pub(super) common_weight: u8,
    /// Kind of each node, 0 where blocked; `None` as long as all free cells have been of kind 0.
    pub(super) kind_by_node: Option<Vec<u8>>,
    pub(crate) least_weight: u8,
    pub(crate) greatest_weight: u8,
    /// How many cells have each weight; entry 0 counts the blocked cells. Cells off the grid are not counted.
    pub(super) cells_by_weight: Box<[u32; 256]>,
    components: Components,
    /// The borders that are not open, and what follows from them; `None` where all are open.
    pub(crate) passages: Option<Box<Passages>>,
    /// How many edits have changed links.
    pub(crate) link_edits: u32,
    pub(super) revision: Revision,
}

impl<L: Layout> Ground<L> {
    /// Makes the ground from one weight for each column of each row, row by row; 0 means blocked, and the weights of
    /// cells off the grid are ignored. [`Metric::fitting`] chooses a metric where it is `None`.
    pub(super) fn new(
        layout: L,
        contacts: Contacts,
        weights: &[u8],
        metric: Option<Metric>,
    ) -> Result<Ground<L>, GridError> {
        let (width, height) = layout.size();
        let no_memory = |OutOfMemory { bytes }| GridError::OutOfMemory { width, height, bytes };
        // The largest allocation comes first: if memory is too small, this fails before any work is done.
        let around_by_node = filled(0, layout.node_count()).map_err(no_memory)?;
        let mut free = BitPlane::try_new(width + 2, height + 2).map_err(no_memory)?;
        let mut cells_by_weight = Box::new([0; 256]);
        for (row, weights) in weights.chunks_exact(width).enumerate() {
            for column in layout.columns(row) {
                cells_by_weight[usize::from(weights[column])] += 1;
                *free.word_mut((column + 1) / 64, row + 1) |= u64::from(weights[column] != 0) << ((column + 1) % 64);
            }
        }
        let components = Components::new(&free, contacts).map_err(no_memory)?;
        let (least_weight, greatest_weight) = weight_range(&cells_by_weight);
        let weighted = least_weight != greatest_weight;
        let mut ground = Ground {
            layout,
            metric: metric.unwrap_or(Metric::fitting(width * height, weighted)),
            free,
            around_by_node,
            weight_by_node: None,
            common_weight: least_weight,
            kind_by_node: None,
            least_weight,
            greatest_weight,
            cells_by_weight,
            components,
            passages: None,
            link_edits: 0,
            revision: Revision::first(),
        };
        ground.look_around((0, 0), (width - 1, height - 1));
        if weighted {
            let mut by_node = filled(0, layout.node_count()).map_err(no_memory)?;
            for (row, weights) in weights.chunks_exact(width).enumerate() {
                let (columns, start) = (layout.columns(row), layout.row_start(row));
                by_node[start + columns.start..start + columns.end].copy_from_slice(&weights[columns]);
            }
            ground.weight_by_node = Some(by_node);
        }
        Ok(ground)
    }

    /// Returns the weights of all columns of all rows, row by row, 0 where a cell is blocked or not on the grid.
    pub(super) fn to_weights(&self) -> Vec<u8> {
        let (width, height) = self.layout.size();
        let mut weights = vec![0; width * height];
        for (row, weights) in weights.chunks_exact_mut(width).enumerate() {
            self.copy_row(row, weights);
        }
        weights
    }

    /// Writes the weights of one row, which must exist, to `weights`, which must have an entry for each column.
    pub(super) fn copy_row(&self, row: usize, weights: &mut [u8]) {
        let (width, height) = self.layout.size();
        assert!(row < height && weights.len() == width, "a row of the grid and room for it");
        if let Some(by_node) = &self.weight_by_node {
            weights.copy_from_slice(&by_node[self.layout.row_start(row)..][..width]);
            return;
        }
        let (y, common_weight) = (row + 1, u64::from(self.common_weight));
        for (cells, x) in weights.chunks_mut(8).zip((1..).step_by(8)) {
            let next = self.free.row(y).get(x / 64 + 1).map_or(0, |next| next << 1 << (63 - x % 64));
            let bytes = spelled_out((self.free.word(x / 64, y) >> (x % 64) | next) as u8) * common_weight;
            cells.copy_from_slice(&bytes.to_le_bytes()[..cells.len()]);
        }
    }

    /// Returns the terrain of the cell; cells off the grid are blocked.
    pub(super) fn terrain(&self, cell: L::Cell) -> Terrain {
        if !self.is_free(cell) {
            return Terrain::BLOCKED;
        }
        let node = self.layout.node(cell);
        Terrain::of_weight(self.weight(node)).with_kind(self.kind(node))
    }

    /// Returns whether the cell is free; a cell off the grid is not.
    #[inline(always)]
    pub(crate) fn is_free(&self, cell: L::Cell) -> bool {
        self.layout.place(cell).is_some_and(|(column, row)| self.free.get(column + 1, row + 1))
    }

    /// Returns the nodes of an area and of the cells around it, row by row.
    pub(crate) fn rows_near(&self, area: Area) -> impl Iterator<Item = Range<u32>> + Clone + '_ {
        let Area { x, y, width, height } = area;
        let (columns, rows) = self.layout.size();
        let (left, top) = (usize::from(x.saturating_sub(1)), usize::from(y.saturating_sub(1)));
        let (right, bottom) = (usize::from(x) + usize::from(width), usize::from(y) + usize::from(height));
        (top..=bottom.min(rows - 1)).map(move |row| {
            let first = self.layout.row_start(row);
            (first + left) as u32..(first + right.min(columns - 1)) as u32 + 1
        })
    }

    /// Returns the number of the cell's component, `None` if the cell is blocked.
    #[inline]
    pub(super) fn component(&self, cell: L::Cell) -> Option<u64> {
        let (column, row) = self.layout.place(cell)?;
        self.free.get(column + 1, row + 1).then(|| match &self.passages {
            None => self.components.of(&self.free, column + 1, row + 1),
            Some(passages) => passages.connected.part((column, row)),
        })
    }

    /// Returns whether there is a walk from one cell to another.
    #[inline]
    pub(super) fn reaches(&self, from: L::Cell, to: L::Cell) -> bool {
        let (Some(home), Some(part)) = (self.component(from), self.component(to)) else { return false };
        home == part || self.passages.as_ref().is_some_and(|passages| passages.connected.reaches(home, part))
    }

    /// Returns the components other than its own that a cell of this component reaches.
    pub(super) fn reached(&self, home: u64) -> BTreeSet<u64> {
        self.passages.as_ref().map_or(BTreeSet::new(), |passages| passages.connected.reached(home))
    }

    /// Returns whether there are links.
    #[inline(always)]
    pub(crate) fn has_links(&self) -> bool {
        self.passages.as_ref().is_some_and(|passages| !passages.links().is_empty())
    }

    /// Returns what the link from one cell to another costs, `None` if there is none that can be used.
    pub(super) fn link_cost(&self, from: L::Cell, to: L::Cell) -> Option<Cost> {
        let links = self.passages.as_ref()?.links();
        let usable = !links.is_empty() && self.is_free(from) && self.is_free(to);
        let [from, to] = usable.then(|| [from, to].map(|cell| self.layout.node(cell).0))?;
        links.leaving(from).iter().find(|link| link.beyond == to).map(|link| Cost(link.cost))
    }

    /// Checks that an edit can be applied, but for the number of links.
    fn check(&self, edit: &Edit) -> Result<(), EditError> {
        let (width, height) = self.layout.size();
        edit.check(width, height)?;
        match edit.change {
            Change::Border(side, _) if L::direction(side).is_none() => Err(EditError::NoSuchSide(side)),
            Change::Link { to, cost, .. } => {
                let from = Cell { x: edit.area.x, y: edit.area.y };
                let is_on = |cell: Cell| {
                    let row = usize::from(cell.y);
                    row < height && self.layout.columns(row).contains(&usize::from(cell.x))
                };
                match cost.filter(|cost| !(1..=EditError::MOST_COST).contains(&cost.0)) {
                    _ if from == to || !is_on(from) || !is_on(to) => Err(EditError::LinkToNowhere { from, to }),
                    Some(cost) => Err(EditError::LinkCost(cost)),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Checks that no cell gets more links than it may have.
    fn check_links(&self, edits: &[Edit]) -> Result<(), EditError> {
        let changes = edits.iter().filter_map(|edit| match edit.change {
            Change::Link { to, cost, both_ways } => {
                let ends = [(edit.area.x, edit.area.y), (to.x, to.y)];
                let [from, to] = ends.map(|(x, y)| self.layout.node_of((x.into(), y.into())) as u32);
                Some([Some((from, to, cost.is_some())), both_ways.then_some((to, from, cost.is_some()))])
            }
            _ => None,
        });
        let none = Links::default();
        let links = self.passages.as_ref().map_or(&none, |passages| passages.links());
        if links.has_room_for(changes.flatten().flatten()) { Ok(()) } else { Err(EditError::TooManyLinks) }
    }

    /// Returns what the grid has besides its terrain.
    #[inline(always)]
    pub(crate) fn extras(&self) -> Extras {
        self.passages.as_ref().map_or(Extras::Nothing, |passages| passages.extras())
    }

    /// Returns the border of a cell on this side, `None` if its cells have no such side. The edge of the map is closed.
    pub(super) fn border(&self, cell: L::Cell, side: Side) -> Option<Border> {
        let direction = L::direction(side)?;
        let Some(at) = self.layout.place(cell) else { return Some(Border::Closed) };
        Some(match &self.passages {
            Some(passages) => passages.border(&self.layout, at, direction),
            None if self.layout.beside(at, direction).is_some() => Border::Open,
            None => Border::Closed,
        })
    }

    /// Gives the ground the borders of another one of its size.
    pub(super) fn take_passages(&mut self, other: &Ground<L>) {
        let (width, height) = self.layout.size();
        self.passages.clone_from(&other.passages);
        self.follow(&[((0, 0), (width - 1, height - 1))]);
    }

    /// Returns the weight of a free node.
    #[inline(always)]
    pub(crate) fn weight(&self, node: NodeId) -> u8 {
        match &self.weight_by_node {
            Some(weights) => weights[node.index()],
            None => self.common_weight,
        }
    }

    /// Returns the bytes of memory that free cells, neighbour bytes, weights, kinds and components take.
    pub(super) fn bytes(&self) -> usize {
        self.free.bytes()
            + self.around_by_node.len()
            + self.weight_by_node.as_ref().map_or(0, Vec::len)
            + self.kind_by_node.as_ref().map_or(0, Vec::len)
            + self.components.bytes()
            + self.passages.as_ref().map_or(0, |passages| passages.bytes())
    }
}

/// A space that is a grid of cells on a [`Ground`].
pub(crate) trait Grounded: Sized {
    type Layout: Layout;

    fn ground(&self) -> &Ground<Self::Layout>;
    fn ground_mut(&mut self) -> &mut Ground<Self::Layout>;
}

/// Checks that a grid may have this many columns and rows.
pub(crate) fn check_size(width: usize, height: usize) -> Result<(), GridError> {
    let fits = |side| (1..=SquareGrid::MAX_SIDE).contains(&side);
    if fits(width) && fits(height) { Ok(()) } else { Err(GridError::Size { width, height }) }
}

/// Checks that a grid may have this many columns and rows, and that `count` weights are one for each cell.
pub(super) fn check_count(width: usize, height: usize, count: usize) -> Result<(), GridError> {
    check_size(width, height)?;
    if count == width * height { Ok(()) } else { Err(GridError::Count { width, height, count }) }
}

/// Returns a list with `weight` for every cell of a grid of this size.
pub(crate) fn filled_weights(width: usize, height: usize, weight: u8) -> Result<Vec<u8>, GridError> {
    check_size(width, height)?;
    filled(weight, width * height).map_err(|OutOfMemory { bytes }| GridError::OutOfMemory { width, height, bytes })
}

/// Turns each of eight bits into a byte of 0 or 1; the lowest bit becomes the lowest byte.
fn spelled_out(bits: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let apart = (u64::from(bits) * ONES) & 0x8040_2010_0804_0201;
    (apart + 0x7f * ONES) >> 7 & ONES
}
