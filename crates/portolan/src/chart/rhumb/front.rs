//! What is kept for a region: the costs between the ports on its sides ([`Side`]) and, unless it is a leaf, those from
//! the ports on its line to all of them ([`Front`]).
//!
//! Costs are those of the cheapest ways that stay inside the region and meet no other port of its sides on the way.
//! A front follows from the sides of the two halves: their costs side by side, then every port of the line taken as a
//! stopover of all others. It remembers which sides it was made from, so that one look tells whether it still holds.

use super::chart_cost::{ChartCost, LANES, Lanes, relax, relax_row};
use super::walks::joined;
use crate::id::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The ports on a region's sides and the costs between them.
#[derive(Clone)]
pub(in crate::chart) struct Side<T> {
    /// Shared by exactly those sides that are known to be the same.
    pub(super) id: u64,
    /// How many ports of the list are on the region's line, not on its sides; none in a leaf.
    pub(super) line: usize,
    /// The ports of the line, then those of the sides.
    pub(super) list: Box<[Cell]>,
    /// Between those of the sides, row by row.
    pub(super) costs: Box<[T]>,
}

impl<T: ChartCost> Side<T> {
    pub(super) fn new(line: usize, list: Box<[Cell]>, costs: Box<[T]>) -> Side<T> {
        static SIDES: AtomicU64 = AtomicU64::new(0);
        Side { id: SIDES.fetch_add(1, Ordering::Relaxed), line, list, costs }
    }

    /// The ports on the sides.
    #[inline(always)]
    pub(super) fn ports(&self) -> &[Cell] {
        &self.list[self.line..]
    }

    /// The cost between two ports of the sides.
    #[inline(always)]
    pub(super) fn cost(&self, from: usize, to: usize) -> T {
        self.costs[from * (self.list.len() - self.line) + to]
    }

    /// Takes over the number of a side that is the same.
    pub(super) fn is_same_as(&mut self, other: &Side<T>) -> bool {
        let same = self.ports() == other.ports() && self.costs == other.costs;
        if same {
            self.id = other.id;
        }
        same
    }

    /// Whether every cost is one that can be added up.
    pub(super) fn fits(&self) -> bool {
        fit(&self.costs)
    }

    /// The place of a port of the sides among them.
    #[inline(always)]
    pub(super) fn rank(&self, port: Cell) -> Option<usize> {
        position(self.ports(), port)
    }

    pub(super) fn bytes(&self) -> usize {
        self.list.len() * size_of::<Cell>() + self.costs.len() * size_of::<T>()
    }
}

/// Ports that follow each other both on a half's sides and in the list of the whole.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) half: u16,
    pub(super) whole: u16,
    pub(super) length: u16,
}

/// A region that is no leaf. Its list of ports has those of its line first, then those of its sides.
#[derive(Clone)]
pub(in crate::chart) struct Front<T> {
    pub(super) side: Side<T>,
    /// Of each half, where its ports are in the list.
    pub(super) spans: [Box<[Span]>; 2],
    /// Of each place in the list, where it is on the sides of either half.
    ranks: Box<[[u16; 2]]>,
    /// From each port of the line to all of the list, in rows padded with no way.
    rows: Box<[Lanes<T>]>,
    /// Of the halves, the sides this was made from.
    pub(super) from: [u64; 2],
}

/// Stands for a port that is not on the sides of a half.
const NOWHERE: u16 = u16::MAX;

impl<T: ChartCost> Front<T> {
    /// What it costs from a port of the line.
    #[inline(always)]
    pub(super) fn row(&self, port: usize) -> &[Lanes<T>] {
        let width = self.width();
        &self.rows[port * width..(port + 1) * width]
    }

    /// How long rows are.
    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        self.side.list.len().div_ceil(LANES)
    }

    /// Takes some ports of the line as stopovers to all places from a column on.
    #[inline(always)]
    pub(super) fn relax_sides(&self, from: usize, taken: &[(usize, T)], values: &mut [Lanes<T>]) {
        let width = self.width();
        let (pairs, rest) = values.as_chunks_mut::<2>();
        // As many at a time as registers hold: they are loaded and stored once for all rows.
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

    /// The cost from a port of the line.
    #[inline(always)]
    pub(super) fn line_cost(&self, port: usize, place: usize) -> T {
        self.rows[port * self.width() + place / LANES][place % LANES]
    }

    /// The port at a place in the list.
    #[inline(always)]
    pub(super) fn port(&self, place: usize) -> Cell {
        self.side.list[place]
    }

    /// The place of a port in the list.
    pub(super) fn place(&self, port: Cell) -> Option<usize> {
        position(&self.side.list, port)
    }

    /// The ports of the line.
    #[inline(always)]
    pub(super) fn line(&self) -> &[Cell] {
        &self.side.list[..self.side.line]
    }

    /// The cost between two ports of the list.
    #[inline(always)]
    pub(super) fn cost(&self, a: usize, b: usize) -> T {
        let line = self.side.line;
        if a < line {
            self.line_cost(a, b)
        } else if b < line {
            self.line_cost(b, a)
        } else {
            self.side.cost(a - line, b - line)
        }
    }

    /// Where a place in the list is on a half's sides.
    #[inline(always)]
    pub(super) fn in_half(&self, half: usize, place: usize) -> Option<usize> {
        let rank = self.ranks[place][half];
        (rank != NOWHERE).then_some(usize::from(rank))
    }

    /// A port of the line by way of which the cost between two places comes about: the first to fit, looking to both
    /// sides from where a straight way would cross.
    pub(super) fn stopover(&self, a: usize, b: usize, cost: T) -> Option<usize> {
        let (from, to) = (self.port(a), self.port(b));
        self.seek(from, to, |via| via != a && via != b && self.cost(via, a).plus(self.cost(via, b)) == cost)
    }

    /// The port of the line that passes a test, looking to both sides from where a straight way between two cells
    /// would cross.
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
        let spans = self.spans[0].len() + self.spans[1].len();
        self.side.bytes()
            + spans * size_of::<Span>()
            + self.ranks.len() * size_of::<[u16; 2]>()
            + self.rows.len() * size_of::<Lanes<T>>()
            + size_of::<Front<T>>()
    }
}

/// Room to make fronts in.
pub(in crate::chart) struct FrontScratch<T> {
    table: Vec<Lanes<T>>,
    /// The ports of a region's line, then those of its sides.
    pub(super) list: Vec<Cell>,
}

impl<T> Default for FrontScratch<T> {
    fn default() -> FrontScratch<T> {
        FrontScratch { table: vec![], list: vec![] }
    }
}

impl<T: ChartCost> FrontScratch<T> {
    /// The front of a region with these halves; its list of ports is on the room, so many of the line first. Whether
    /// all of its costs are ones that can be added up comes with it.
    pub(super) fn make(&mut self, line: usize, halves: [&Side<T>; 2]) -> (Front<T>, bool) {
        let count = self.list.len();
        assert!(count < usize::from(NOWHERE), "{count} ports around a region are more than a table can be made for");
        let stride = count.div_ceil(LANES);
        let spans = halves.map(|half| spans(half.ports(), &self.list));
        self.table.clear();
        self.table.resize(count * stride, [T::NO_WAY; LANES]);
        for (half, spans) in halves.iter().zip(&spans) {
            scatter(half, spans, stride * LANES, self.table.as_flattened_mut());
        }
        for (place, entry) in self.table.as_flattened_mut().iter_mut().step_by(stride * LANES + 1).enumerate() {
            debug_assert!(place < count);
            *entry = T::ZERO;
        }
        let fits = self.close(line, stride) & self.by_way_of_line(line, count, stride);
        let rows: Box<[Lanes<T>]> = self.table[..line * stride].into();
        let mut costs = Vec::with_capacity((count - line).pow(2));
        for row in self.table.as_flattened().chunks_exact((stride * LANES).max(1)).skip(line) {
            costs.extend_from_slice(&row[line..count]);
        }
        let fits = fits && fit(rows.as_flattened()) && fit(&costs);
        let mut ranks = vec![[NOWHERE; 2]; count];
        for (half, spans) in spans.iter().enumerate() {
            for span in spans {
                for (rank, ranks) in (span.half..).zip(&mut ranks[usize::from(span.whole)..][..span.length.into()]) {
                    ranks[half] = rank;
                }
            }
        }
        let front = Front {
            side: Side::new(line, self.list[..].into(), costs.into()),
            spans,
            ranks: ranks.into(),
            rows,
            from: halves.map(|half| half.id),
        };
        (front, fits)
    }

    /// Takes every port of the line as a stopover between any of them and all others. Says whether all costs that were
    /// added to can be: the table is of no use otherwise.
    fn close(&mut self, line: usize, stride: usize) -> bool {
        let mut fits = true;
        for via in 0..line {
            let (before, rest) = self.table.split_at_mut(via * stride);
            let (row, after) = rest.split_at_mut(stride);
            let others = before.chunks_exact_mut(stride).chain(after.chunks_exact_mut(stride).take(line - via - 1));
            for other in others {
                let chart_cost = other[via / LANES][via % LANES];
                if chart_cost < T::NO_WAY {
                    fits &= chart_cost.fits();
                    relax_row(other, chart_cost, row);
                }
            }
        }
        fits
    }

    /// Takes every port of the line as a stopover between ports of the sides; says what [`FrontScratch::close`] does.
    fn by_way_of_line(&mut self, line: usize, count: usize, stride: usize) -> bool {
        let mut fits = true;
        if count == line {
            return fits;
        }
        let (rows, sides) = self.table.split_at_mut(line * stride);
        for (rank, side) in sides.chunks_exact_mut(stride).enumerate() {
            let place = line + rank;
            // Costs are the same both ways: what lies before has been worked out from there.
            let from = place / LANES;
            for (via, row) in rows.chunks_exact(stride).enumerate() {
                let chart_cost = side[via / LANES][via % LANES];
                // A port that is itself reached more cheaply by way of another adds nothing to it.
                if chart_cost < T::NO_WAY && chart_cost == row[from][place % LANES] {
                    fits &= chart_cost.fits();
                    relax_row(&mut side[from..], chart_cost, &row[from..]);
                }
            }
        }
        let (sides, stride) = (sides.as_flattened_mut(), stride * LANES);
        for place in line + 1..count {
            for other in line..place {
                sides[(place - line) * stride + other] = sides[(other - line) * stride + place];
            }
        }
        fits
    }
}

/// Where a port is in a list, looking at many at a time.
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

fn fit<T: ChartCost>(chart_costs: &[T]) -> bool {
    chart_costs.iter().fold(true, |fits, chart_cost| fits & chart_cost.fits())
}

/// Writes the costs of a half into the table of the whole, where they are less.
fn scatter<T: ChartCost>(half: &Side<T>, spans: &[Span], stride: usize, table: &mut [T]) {
    let count = half.ports().len();
    for rows in spans {
        for row in 0..usize::from(rows.length) {
            let from = &half.costs[(usize::from(rows.half) + row) * count..][..count];
            let to = &mut table[(usize::from(rows.whole) + row) * stride..][..stride];
            for span in spans {
                let length = usize::from(span.length);
                let to = &mut to[usize::from(span.whole)..][..length];
                for (to, &from) in to.iter_mut().zip(&from[usize::from(span.half)..][..length]) {
                    *to = from.lesser(*to);
                }
            }
        }
    }
}

/// Where the ports of a half are in the list of the whole.
fn spans(half: &[Cell], list: &[Cell]) -> Box<[Span]> {
    let mut spans: Vec<Span> = Vec::new();
    let mut next = 0;
    for (rank, &port) in half.iter().enumerate() {
        if let Some(last) = spans.last_mut().filter(|_| list.get(next) == Some(&port)) {
            last.length += 1;
        } else {
            next = list.iter().position(|&other| other == port).expect("every port of a half is one of the whole");
            spans.push(Span { half: rank as u16, whole: next as u16, length: 1 });
        }
        next += 1;
    }
    spans.into()
}
