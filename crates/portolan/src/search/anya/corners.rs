//! The search over corners: how far one end of a route is at least, from corners of obstacles and from cells, if a route
//! may turn anywhere and touch walls.
//!
//! Such a route turns only at corners of obstacles, and only around them. The search begins at one end and is guided by the
//! distance to the other. The corners that it has expanded, in the order of what a route by them takes at least, are its
//! roots; each root sees cells that the root before it does not see.
//!
//! Not here: routes, which turn in the middle of cells.

use super::sweep::{Band, Cone, Point, Slope, Sweeper, Viewer};
use crate::memory::{OutOfMemory, held};
use crate::scratch::{Stamp, Stamped};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The record of a corner: its least distance so far to the cell where the search begins, and the root that sees it.
#[derive(Copy, Clone, Default)]
struct CornerRecord {
    far: f64,
    toward: Point,
    stamp: u32,
    is_closed: bool,
}

impl Stamp for CornerRecord {
    fn stamp(&self) -> u32 {
        self.stamp
    }
}

/// The cell where a search begins, or a corner that has been expanded.
#[derive(Copy, Clone, Debug)]
pub(super) struct Root {
    pub(super) at: Point,
    /// The root on the way back to that cell that sees this one; `None` for the cell itself.
    toward: Option<Point>,
    /// The free cells around the corner, as [`Sweeper::turning_corners`] gives them.
    free: u8,
    /// The distance to the cell where the search begins.
    pub(super) far: f64,
}

/// What the search over corners keeps.
#[derive(Default)]
pub(super) struct CornerSearch {
    records: Stamped<CornerRecord>,
    open: BinaryHeap<(Reverse<u64>, u32)>,
    /// The cell where the search begins, and the corners expanded so far.
    pub(super) roots: Vec<Root>,
    /// The distance between the two ends that was found; infinite before one is found.
    pub(super) least: f64,
}

impl CornerSearch {
    pub(super) fn reserve(&mut self, corners: usize) -> Result<(), OutOfMemory> {
        self.records.reserve(corners)
    }

    pub(super) fn bytes(&self) -> usize {
        self.records.bytes() + self.open.capacity() * size_of::<(Reverse<u64>, u32)>() + held(&self.roots)
    }

    /// Begins a search. `corners` is a number greater than that of every corner.
    pub(super) fn begin(&mut self, corners: usize) {
        self.records.reset(corners, u32::MAX);
        self.open.clear();
        self.roots.clear();
        self.least = f64::INFINITY;
    }

    /// Returns the least distance between the two ends by a corner that is not expanded yet, infinite if there is none.
    pub(super) fn floor(&self) -> f64 {
        self.open.peek().map_or(f64::INFINITY, |&(Reverse(bits), _)| f64::from_bits(bits))
    }

    /// Takes the next corner off the open list and makes it a root. Returns `None` if the entry is outdated.
    pub(super) fn pop(&mut self, sweeper: Sweeper, stride: i32) -> Option<Root> {
        let (_, number) = self.open.pop()?;
        let record = self.records.slot(number as usize);
        if std::mem::replace(&mut record.is_closed, true) {
            return None;
        }
        let (column, row) = (number as i32 % stride, number as i32 / stride);
        let at = Point { x: 2 * column - 1, y: 2 * row - 1 };
        let root = Root { at, toward: Some(record.toward), free: sweeper.around(at), far: record.far };
        self.roots.push(root);
        Some(root)
    }

    /// Looks from a root for corners to be expanded and for the other end. Calls `found` for every corner that became nearer.
    pub(super) fn expand(
        &mut self,
        root: Root,
        other: Point,
        sweeper: Sweeper,
        stride: i32,
        stack: &mut Vec<Band>,
        found: impl FnMut(Root),
    ) {
        root.look(sweeper, stack, &mut CornerView { search: self, root, other, sweeper, stride, found });
    }
}

impl Root {
    /// Returns the root of a search that begins at the middle of a cell.
    pub(super) fn end(at: Point) -> Root {
        Root { at, toward: None, free: 0, far: 0.0 }
    }

    /// Returns the middle of a free cell at the corner, for display.
    pub(super) fn beside(&self) -> Point {
        let bit = self.free.trailing_zeros() as i32;
        Point { x: self.at.x - 1 + 2 * (bit % 2), y: self.at.y - 1 + 2 * (bit / 2) }
    }

    /// Shows what is visible from the root: from a cell all around, from a corner what lies behind the obstacle.
    pub(super) fn look(&self, sweeper: Sweeper, stack: &mut Vec<Band>, viewer: &mut impl Viewer) {
        let Some(toward) = self.toward else {
            return sweeper.all_around(self.at, stack, viewer);
        };
        let Some(turn) = turn_around(self.free, self.at, toward) else { return };
        if let Some(across) = turn.along {
            sweeper.along(self.at, turn.cone.down, across, viewer);
        }
        sweeper.sweep(self.at, turn.cone, stack, viewer);
    }
}

/// The directions in which a route leads on that comes to a corner from another point and turns around the obstacle.
struct Turn {
    cone: Cone,
    /// The direction across, if the route may also lead along the border on which the corner lies.
    along: Option<i32>,
}

/// Returns where a route leads on that comes from a point to a corner with these free cells around it, or `None` if it
/// would not have to turn.
fn turn_around(free: u8, corner: Point, from: Point) -> Option<Turn> {
    // The directions across and down from the corner to a blocked cell.
    let blocked = (!free & 15).trailing_zeros() as i32;
    let (bx, by) = (2 * (blocked % 2) - 1, 2 * (blocked / 2) - 1);
    let (dx, dy) = (from.x - corner.x, from.y - corner.y);
    let (beside, level) = (dx * bx, dy * by);
    let straight_on = Slope { across: i64::from(-dx), away: i64::from(dy.abs()) };
    let to_the_side = |across: i32| if across > 0 { Slope::RIGHT } else { Slope::LEFT };
    let cone = |down: i32, a: Slope, b: Slope, a_is_lo: bool| {
        let (lo, hi) = if a_is_lo { (a, b) } else { (b, a) };
        Cone { down, lo, hi }
    };
    if free.count_ones() == 2 {
        // Two blocked cells touch here: the route may turn around either of them.
        return if beside <= 0 && level >= 0 {
            Some(Turn { cone: cone(-by, Slope::STRAIGHT, to_the_side(bx), bx > 0), along: Some(bx) })
        } else if beside >= 0 && level <= 0 {
            Some(Turn { cone: cone(by, to_the_side(-bx), Slope::STRAIGHT, bx > 0), along: Some(-bx) })
        } else {
            None
        };
    }
    if level > 0 && beside <= 0 {
        Some(Turn { cone: cone(-by, straight_on, to_the_side(bx), bx > 0), along: Some(bx) })
    } else if beside > 0 && level <= 0 {
        // Along a border, the route leads straight on beside the other row.
        Some(Turn { cone: cone(by, straight_on, Slope::STRAIGHT, bx > 0), along: (dy == 0).then_some(-bx) })
    } else {
        None
    }
}

/// Looks for corners and for the other end.
struct CornerView<'a, 'g, F> {
    search: &'a mut CornerSearch,
    root: Root,
    other: Point,
    sweeper: Sweeper<'g>,
    stride: i32,
    found: F,
}

impl<F: FnMut(Root)> Viewer for CornerView<'_, '_, F> {
    fn cells(&mut self, row: i32, first: i32, last: i32) {
        if 2 * row == self.other.y && (2 * first..=2 * last).contains(&self.other.x) {
            self.search.least = self.search.least.min(self.root.far + self.root.at.distance(self.other));
        }
    }

    fn border(&mut self, y: i32, first: i32, last: i32) {
        let CornerView { search, root, other, sweeper, stride, found } = self;
        sweeper.turning_corners(y, first, last, |corner, free| {
            if turn_around(free, corner, root.at).is_none() {
                return;
            }
            let number = (y + 1) / 2 * *stride + (corner.x + 1) / 2;
            let far = root.far + root.at.distance(corner);
            let stamp = search.records.stamp();
            let record = search.records.slot(number as usize);
            if record.stamp == stamp && (record.is_closed || record.far <= far) {
                return;
            }
            *record = CornerRecord { far, toward: root.at, stamp, is_closed: false };
            search.open.push((Reverse((far + corner.distance(*other)).to_bits()), number as u32));
            found(Root { at: corner, toward: Some(root.at), free, far });
        });
    }
}
