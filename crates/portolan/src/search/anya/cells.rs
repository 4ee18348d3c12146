//! The search over cells: the shortest route that turns only in the middle of cells, among those of at most a given
//! length.
//!
//! The distances of the search over corners are lower bounds on what is left from a cell. A cell is of use only if it has
//! such a bound, so that the search stays in a narrow band around the shortest routes.
//!
//! Not here: the bounds' computation, which is in `corners.rs`.

use super::corners::Root;
use super::sweep::{Band, Point, Sweeper, Viewer};
use crate::id::{Cell, NodeId};
use crate::memory::{OutOfMemory, held};
use crate::probe::{Event, Probe};
use crate::scratch::{Stamp, Stamped};
use crate::space::square::SquareGrid;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The record of a cell: its distance from the start, and the cell where the last line of the route to it begins.
#[derive(Copy, Clone, Default)]
struct CellRecord {
    g: f64,
    parent: u32,
    stamp: u32,
}

impl Stamp for CellRecord {
    fn stamp(&self) -> u32 {
        self.stamp
    }
}

/// A lower bound on the distance from a cell to the goal.
#[derive(Copy, Clone, Default)]
struct Bound {
    far: f64,
    stamp: u32,
}

impl Stamp for Bound {
    fn stamp(&self) -> u32 {
        self.stamp
    }
}

/// What the search over cells keeps.
#[derive(Default)]
pub(super) struct CellSearch {
    records: Stamped<CellRecord>,
    bounds: Stamped<Bound>,
    /// The cells that routes within the limit can touch, one bit each, row by row in words of 64.
    band: Vec<u64>,
    words_across: usize,
    open: BinaryHeap<(Reverse<u64>, NodeId)>,
    /// The greatest length of a route that is looked for.
    limit: f64,
}

/// How much longer than the limit routes by the middle of a cell may be if a route within the limit crosses the cell. The
/// middle is at most √½ away from there.
pub(super) const MARGIN: f64 = 1.5;

/// What a search over cells reads: the world, and the place where routes begin.
#[derive(Copy, Clone)]
pub(super) struct Ground<'a> {
    pub(super) grid: &'a SquareGrid,
    pub(super) sweeper: Sweeper<'a>,
    pub(super) start: Point,
}

impl CellSearch {
    pub(super) fn reserve(&mut self, nodes: usize) -> Result<(), OutOfMemory> {
        self.records.reserve(nodes)?;
        self.bounds.reserve(nodes)
    }

    pub(super) fn bytes(&self) -> usize {
        let open = self.open.capacity() * size_of::<(Reverse<u64>, NodeId)>();
        self.records.bytes() + self.bounds.bytes() + held(&self.band) + open
    }

    /// Forgets all bounds, and looks for routes of at most this length from now on.
    pub(super) fn set_limit(&mut self, grid: &SquareGrid, limit: f64) {
        self.limit = limit;
        self.bounds.reset(grid.node_count(), u32::MAX);
        self.words_across = grid.width().div_ceil(64);
        self.band.clear();
        self.band.resize(self.words_across * grid.height(), 0);
    }

    /// Notes the bounds of all cells that a root of the search from the goal sees, if they can lie on a route within the
    /// limit.
    pub(super) fn add_bounds(&mut self, root: Root, ground: Ground, stack: &mut Vec<Band>) {
        root.look(ground.sweeper, stack, &mut BoundView { search: self, root, ground });
    }

    /// Adds all cells to the band that a root of the search from the start sees, if their bounds say that they can lie on a
    /// route within the limit.
    pub(super) fn add_to_band(&mut self, root: Root, ground: Ground, stack: &mut Vec<Band>) {
        root.look(ground.sweeper, stack, &mut BandView { search: self, root, grid: ground.grid });
    }

    /// Returns the cells of the band in one word of a row, from column `first` to column `last`.
    #[inline(always)]
    fn band_bits(&self, row: i32, across: usize, first: i32, last: i32) -> u64 {
        let mut bits = self.band[row as usize * self.words_across + across];
        if across == first as usize / 64 {
            bits &= u64::MAX << (first % 64);
        }
        if across == last as usize / 64 {
            bits &= u64::MAX >> (63 - last % 64);
        }
        bits
    }

    /// Puts the start on an empty open list.
    pub(super) fn begin(&mut self, start: NodeId, grid: &SquareGrid) {
        self.records.reset(grid.node_count(), u32::MAX);
        self.open.clear();
        *self.records.slot(start.index()) = CellRecord { g: 0.0, parent: start.0, stamp: self.records.stamp() };
        self.open.push((Reverse(0), start));
    }

    /// Notes that a straight line leads from the start to the goal.
    pub(super) fn settle(&mut self, grid: &SquareGrid, start: Cell, goal: Cell) {
        self.begin(grid.node(start), grid);
        let g = Point::middle(start).distance(Point::middle(goal));
        let record = CellRecord { g, parent: grid.node(start).0, stamp: self.records.stamp() };
        *self.records.slot(grid.node(goal).index()) = record;
    }

    /// Takes the next cell off the open list. Returns `None` if the list is empty.
    pub(super) fn pop(&mut self) -> Option<(NodeId, f64)> {
        let (_, node) = self.open.pop()?;
        Some((node, self.records.slot(node.index()).g))
    }

    /// Returns the cell where the last line of the route to a node begins. The start is its own parent.
    pub(super) fn parent(&self, node: NodeId) -> NodeId {
        NodeId(self.records.get(node.index()).expect("a route is made of nodes reached").parent)
    }

    /// Looks from a cell for all cells to which a straight line leads.
    pub(super) fn expand(
        &mut self,
        node: NodeId,
        g: f64,
        ground: Ground,
        stack: &mut Vec<Band>,
        probe: &mut impl Probe,
    ) {
        let cell = ground.grid.cell(node);
        let view = &mut CellView { search: self, ground, node, cell, g, probe };
        ground.sweeper.all_around(Point::middle(cell), stack, view);
    }
}

/// Notes bounds of cells.
struct BoundView<'a, 'g> {
    search: &'a mut CellSearch,
    root: Root,
    ground: Ground<'g>,
}

impl Viewer for BoundView<'_, '_> {
    fn cells(&mut self, row: i32, first: i32, last: i32) {
        let BoundView { search, root, ground } = self;
        let stamp = search.bounds.stamp();
        let node = ground.grid.node(Cell::new(0, row as u16)).index();
        for column in first..=last {
            let at = Point { x: 2 * column, y: 2 * row };
            let far = root.far + root.at.distance(at);
            if far + at.distance(ground.start) > search.limit + MARGIN {
                continue;
            }
            let bound = search.bounds.slot(node + column as usize);
            if bound.stamp != stamp || far < bound.far {
                *bound = Bound { far, stamp };
            }
        }
    }

    fn border(&mut self, _: i32, _: i32, _: i32) {}

    fn reaches(&self, y: i32) -> bool {
        // The way by a row is at least as long as to that row and from there to the start's.
        let rows = (y - self.root.at.y).abs() + (y - self.ground.start.y).abs();
        self.root.far + f64::from(rows) * 0.5 <= self.search.limit + MARGIN + 1.0
    }
}

/// Adds cells to the band.
struct BandView<'a, 'g> {
    search: &'a mut CellSearch,
    root: Root,
    grid: &'g SquareGrid,
}

impl Viewer for BandView<'_, '_> {
    fn cells(&mut self, row: i32, first: i32, last: i32) {
        let BandView { search, root, grid } = self;
        let node = grid.node(Cell::new(0, row as u16)).index();
        for column in first..=last {
            let Some(bound) = search.bounds.get(node + column as usize) else { continue };
            let far = root.far + root.at.distance(Point { x: 2 * column, y: 2 * row });
            if far + bound.far <= search.limit + MARGIN {
                search.band[row as usize * search.words_across + column as usize / 64] |= 1 << (column % 64);
            }
        }
    }

    fn border(&mut self, _: i32, _: i32, _: i32) {}

    fn reaches(&self, y: i32) -> bool {
        self.root.far + f64::from((y - self.root.at.y).abs()) * 0.5 <= self.search.limit + MARGIN + 1.0
    }
}

/// Notes routes to cells.
struct CellView<'a, 'g, P> {
    search: &'a mut CellSearch,
    ground: Ground<'g>,
    node: NodeId,
    cell: Cell,
    g: f64,
    probe: &'a mut P,
}

impl<P: Probe> Viewer for CellView<'_, '_, P> {
    fn cells(&mut self, row: i32, first: i32, last: i32) {
        for across in first as usize / 64..=last as usize / 64 {
            let mut bits = self.search.band_bits(row, across, first, last);
            while bits != 0 {
                let column = across * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.cell(Cell::new(column as u16, row as u16));
            }
        }
    }

    fn border(&mut self, _: i32, _: i32, _: i32) {}

    /// A route within the limit leaves the band nowhere.
    fn enters(&self, row: i32, first: i32, last: i32) -> bool {
        (first as usize / 64..=last as usize / 64).any(|across| self.search.band_bits(row, across, first, last) != 0)
    }
}

impl<P: Probe> CellView<'_, '_, P> {
    #[inline(always)]
    fn cell(&mut self, to: Cell) {
        let CellView { search, ground, node, cell, g, probe } = self;
        let next = ground.grid.node(to);
        let Some(bound) = search.bounds.get(next.index()) else { return };
        let reached = *g + Point::middle(*cell).distance(Point::middle(to));
        let length = reached + bound.far;
        if length > search.limit {
            return;
        }
        let stamp = search.records.stamp();
        let record = search.records.slot(next.index());
        if record.stamp == stamp && record.g <= reached || !ground.grid.in_sight(*cell, to) {
            return;
        }
        probe.event(Event::Generate { node: next });
        *record = CellRecord { g: reached, parent: node.0, stamp };
        search.open.push((Reverse(length.to_bits()), next));
        let unit = ground.grid.unit();
        probe.event(Event::Push { node: next, g: (reached * unit) as u32, key: (length * unit) as u64 });
    }
}
