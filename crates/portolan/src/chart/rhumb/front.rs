//! The costs that are kept for a region: those between the ports on its sides ([`Side`]) and, unless the region is a
//! leaf, those from the ports on its line to each other and to the ports on its sides ([`Front`]).
//!
//! A cost is that of the cheapest way which stays inside the region and changes leaves only at ports that are not on
//! its sides. (A way that changes leaves at a port of the sides is found in the larger region on whose line that port
//! lies.) A front is made from the sides of the region's two halves: the costs of both are written into one table, then
//! every port of the line is taken as a stopover between all others. A front keeps the ids of the two sides it was made
//! from, so that comparing ids tells whether it is still valid.
//!
//! A region's ports are kept in one list, those of its line before those of its sides. In this module a *place* is an
//! index into that list, and a *rank* is an index among the ports of the sides alone. Where links lead out of a region, their
//! ends inside count as ports of its sides, even if they lie on its line: then they are both. The ends of links between the
//! halves count as ports of the line.
//!
//! Where some steps lead one way only, costs differ by direction. A cost `from` a port `to` another is then that of walking
//! so, and a region whose costs differ has a second front for walking the other way ([`Way`]).
//!
//! Not here: how a front is made (`front/making.rs`), when that is and when fronts are dropped (`fronts.rs`), and the trees of
//! leaves (`leaf.rs`).

mod making;

pub(super) use making::{FrontScratch, Joints};

use super::chart_cost::{ChartCost, LANES, Lanes, relax};
use super::walks::joined;
use crate::id::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The direction in which the ways of a chart are walked.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::chart) enum Way {
    /// As agents walk: costs are those from the start of a query.
    #[default]
    There,
    /// Against that: costs are those from the goal, if every step led the other way.
    Back,
}

impl Way {
    pub(super) const BOTH: [Way; 2] = [Way::There, Way::Back];
}

/// The ports on a region's sides and the costs between them.
#[derive(Clone)]
pub(in crate::chart) struct Side<T> {
    /// Identifies the contents: sides with equal ids have equal ports and costs.
    pub(super) id: u64,
    /// How many ports of the list are on the region's line alone; 0 in a leaf.
    pub(super) line: usize,
    /// The ports of the line, then those of the sides.
    pub(super) list: Box<[Cell]>,
    /// The costs between the ports of the sides, row by row.
    pub(super) costs: Box<[T]>,
}

impl<T: ChartCost> Side<T> {
    /// Makes a side with an id of its own. The first `line` ports of the list are those of the region's line.
    pub(super) fn new(line: usize, list: Box<[Cell]>, costs: Box<[T]>) -> Side<T> {
        static SIDES: AtomicU64 = AtomicU64::new(0);
        Side { id: SIDES.fetch_add(1, Ordering::Relaxed), line, list, costs }
    }

    /// Returns the ports on the sides, in the order of their ranks.
    #[inline(always)]
    pub(super) fn ports(&self) -> &[Cell] {
        &self.list[self.line..]
    }

    /// Returns the cost between two ports of the sides, given by their ranks.
    #[inline(always)]
    pub(super) fn cost(&self, from: usize, to: usize) -> T {
        self.costs[from * (self.list.len() - self.line) + to]
    }

    /// Returns whether both sides have equal ports and costs. If so, takes over the id of `other`.
    pub(super) fn is_same_as(&mut self, other: &Side<T>) -> bool {
        let same = self.ports() == other.ports() && self.costs == other.costs;
        if same {
            self.id = other.id;
        }
        same
    }

    /// Returns whether every cost fits ([`ChartCost::fits`]).
    pub(super) fn fits(&self) -> bool {
        fit(&self.costs)
    }

    /// Returns the rank of a port, or `None` if it is not on the sides.
    #[inline(always)]
    pub(super) fn rank(&self, port: Cell) -> Option<usize> {
        position(self.ports(), port)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.list) + size_of_val(&*self.costs)
    }
}

/// A run of ports that follow each other both on the sides of a half and in the list of the whole region.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Span {
    /// The rank of the first port on the sides of the half.
    pub(super) half: u16,
    /// The place of the first port in the list of the whole region.
    pub(super) whole: u16,
    /// How many ports there are.
    pub(super) length: u16,
}

/// The costs of a region that is not a leaf. Its list of ports is that of `side`.
#[derive(Clone)]
pub(in crate::chart) struct Front<T> {
    pub(super) side: Side<T>,
    /// By half: which ports of its sides are at which places of the list.
    pub(super) spans: [Box<[Span]>; 2],
    /// By place in the list: the rank of the port on the sides of each half, or [`NOWHERE`].
    ranks: Box<[[u16; 2]]>,
    /// How many ports of the list are on the region's line, or ends of links between its halves. Those of them that are ports
    /// of the sides too come last.
    pub(super) stops: usize,
    /// One row for each of these ports: the costs from it to all ports of the list, padded with `NO_WAY` to whole [`Lanes`].
    rows: Box<[Lanes<T>]>,
    /// The ids of the sides of the halves that this front was made from.
    pub(super) from: [u64; 2],
}

/// The rank that stands for a port which is not on the sides of a half.
const NOWHERE: u16 = u16::MAX;

impl<T: ChartCost> Front<T> {
    /// Returns the costs from a port of the line to all ports of the list.
    #[inline(always)]
    pub(super) fn row(&self, port: usize) -> &[Lanes<T>] {
        let width = self.width();
        &self.rows[port * width..(port + 1) * width]
    }

    /// Returns how many [`Lanes`] a row has.
    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        self.side.list.len().div_ceil(LANES)
    }

    /// Takes some ports of the line, each with its cost, as stopovers on the way to the ports of the list from a column
    /// of [`Lanes`] on. `values` has the costs to these ports, up to the end of the list.
    #[inline(always)]
    pub(super) fn relax_sides(&self, from: usize, taken: &[(usize, T)], values: &mut [Lanes<T>]) {
        let width = self.width();
        let (pairs, rest) = values.as_chunks_mut::<2>();
        // Two columns at a time fit in registers, so that each is loaded and stored once for all rows.
        for (pair, column) in pairs.iter_mut().zip((from..).step_by(2)) {
            let mut both = *pair;
            for &(port, chart_cost) in taken {
                let step = chart_cost.step();
                let at = port * width + column;
                let row = &self.rows[at..at + 2];
                both = [relax(both[0], step, &row[0]), relax(both[1], step, &row[1])];
            }
            *pair = both;
        }
        if let [last] = rest {
            for &(port, chart_cost) in taken {
                *last = relax(*last, chart_cost.step(), &self.rows[(port + 1) * width - 1]);
            }
        }
    }

    /// Returns the cost from a port of the line to the port at a place in the list.
    #[inline(always)]
    pub(super) fn line_cost(&self, port: usize, place: usize) -> T {
        self.rows[port * self.width() + place / LANES][place % LANES]
    }

    /// Returns the port at a place in the list.
    #[inline(always)]
    pub(super) fn port(&self, place: usize) -> Cell {
        self.side.list[place]
    }

    /// Returns the place of a port in the list, or `None` if it is not in the list.
    pub(super) fn place(&self, port: Cell) -> Option<usize> {
        position(&self.side.list, port)
    }

    /// Returns the ports of the line.
    #[inline(always)]
    pub(super) fn line(&self) -> &[Cell] {
        &self.side.list[..self.stops]
    }

    /// Returns the cost from one port of the list to another, given by their places. `back` is the front of the region for the
    /// way back.
    #[inline(always)]
    pub(super) fn cost(&self, back: &Front<T>, from: usize, to: usize) -> T {
        let line = self.side.line;
        if from < self.stops {
            self.line_cost(from, to)
        } else if to < self.stops {
            back.line_cost(to, from)
        } else {
            self.side.cost(from - line, to - line)
        }
    }

    /// Returns the rank that the port at a place of the list has on the sides of a half, or `None` if it is not on
    /// them.
    #[inline(always)]
    pub(super) fn in_half(&self, half: usize, place: usize) -> Option<usize> {
        let rank = self.ranks[place][half];
        (rank != NOWHERE).then_some(usize::from(rank))
    }

    /// Returns a stopover on the cheapest way from the port at place `a` to that at `b`: a port of the line for which the
    /// costs to and from it add up to `cost`. Of several, it is the first that [`Front::seek`] comes to. `back` is the front of
    /// the region for the way back.
    pub(super) fn stopover(&self, back: &Front<T>, a: usize, b: usize, cost: T) -> Option<usize> {
        let (from, to) = (self.port(a), self.port(b));
        self.seek(from, to, |via| via != a && via != b && back.line_cost(via, a).plus(self.line_cost(via, b)) == cost)
    }

    /// Returns the first port of the line that passes a test. Ports are tried outwards to both sides from where a
    /// straight line between the two cells crosses the region's line, because the port sought is mostly near there.
    #[inline(always)]
    pub(super) fn seek(&self, from: Cell, to: Cell, mut is_it: impl FnMut(usize) -> bool) -> Option<usize> {
        let ports = self.line();
        let (&first, &last) = (ports.first()?, ports.last()?);
        let down = first.x == last.x;
        let (across, along) =
            if down { ([from.x, to.x, first.x], [from.y, to.y]) } else { ([from.y, to.y, first.y], [from.x, to.x]) };
        let [a, b, line] = across.map(i32::from);
        let [near, far] = along.map(i32::from);
        let crossing = if a == b { i32::midpoint(near, far) } else { near + (far - near) * (line - a) / (b - a) };
        let position = |port: &Cell| i32::from(if down { port.y } else { port.x });
        let middle = ports.partition_point(|port| position(port) < crossing);
        for off in 0..=middle.max(ports.len() - middle) {
            if middle + off < ports.len() && is_it(middle + off) {
                return Some(middle + off);
            }
            if off < middle && is_it(middle - off - 1) {
                return Some(middle - off - 1);
            }
        }
        None
    }

    pub(super) fn bytes(&self) -> usize {
        self.side.bytes()
            + self.spans.iter().map(|spans| size_of_val(&**spans)).sum::<usize>()
            + size_of_val(&*self.ranks)
            + size_of_val(&*self.rows)
    }
}

/// Returns the index of a port in a list. Compares eight ports at a time.
#[inline(always)]
fn position(list: &[Cell], port: Cell) -> Option<usize> {
    let (many, rest) = list.as_chunks::<8>();
    for (i, some) in many.iter().enumerate() {
        let apart = some.map(|other| joined(other) ^ joined(port));
        if apart.iter().filter(|&&apart| apart == 0).count() > 0 {
            return apart.iter().position(|&apart| apart == 0).map(|at| 8 * i + at);
        }
    }
    rest.iter().position(|&other| other == port).map(|at| 8 * many.len() + at)
}

/// Returns whether all costs fit. Looks at all of them, without a branch, so that many are compared at a time.
fn fit<T: ChartCost>(chart_costs: &[T]) -> bool {
    chart_costs.iter().fold(true, |fits, chart_cost| fits & chart_cost.fits())
}
