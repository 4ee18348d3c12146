//! What is kept for a region: the costs between the ports on its sides ([`Side`]) and, unless it is a leaf, those from
//! the ports on its line to all of them ([`Front`]).
//!
//! Costs are those of the cheapest ways that stay inside the region and meet no other port of its sides on the way.
//! A front follows from the sides of the two halves: their costs side by side, then every port of the line taken as a
//! stopover of all others. It remembers which sides it was made from, so that one look tells whether it still holds.

use super::toll::{Toll, padded, relax};
use crate::id::Cell;
use std::sync::Arc;

/// The ports on a region's sides and the costs between them.
#[derive(Clone, PartialEq)]
pub(in crate::chart) struct Side<T> {
    pub(super) ports: Box<[Cell]>,
    /// Row by row.
    pub(super) costs: Box<[T]>,
}

impl<T: Toll> Side<T> {
    #[inline(always)]
    pub(super) fn cost(&self, from: usize, to: usize) -> T {
        self.costs[from * self.ports.len() + to]
    }

    /// Whether every cost is one that can be added up.
    pub(super) fn fits(&self) -> bool {
        fit(&self.costs)
    }

    /// The place of a port in the list.
    #[inline(always)]
    pub(super) fn rank(&self, port: Cell) -> Option<usize> {
        self.ports.iter().position(|&other| other == port)
    }

    pub(super) fn bytes(&self) -> usize {
        self.ports.len() * size_of::<Cell>() + self.costs.len() * size_of::<T>()
    }
}

/// Ports that follow each other both on a half's sides and in the list of the whole.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) half: u32,
    pub(super) whole: u32,
    pub(super) length: u32,
}

/// A region that is no leaf. Its list of ports has those of its line first, then those of its sides.
#[derive(Clone)]
pub(in crate::chart) struct Front<T> {
    pub(super) side: Arc<Side<T>>,
    /// The ports of the line.
    pub(super) line: Box<[Cell]>,
    /// Of each half, where its ports are in the list.
    pub(super) spans: [Box<[Span]>; 2],
    /// From each port of the line to all of the list, in rows padded with no way.
    rows: Box<[T]>,
    stride: usize,
    /// Of the halves, what this was made from.
    pub(super) from: [Arc<Side<T>>; 2],
}

impl<T: Toll> Front<T> {
    #[inline(always)]
    pub(super) fn row(&self, port: usize) -> &[T] {
        &self.rows[port * self.stride..(port + 1) * self.stride]
    }

    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The port at a place in the list.
    #[inline(always)]
    pub(super) fn port(&self, place: usize) -> Cell {
        if place < self.line.len() { self.line[place] } else { self.side.ports[place - self.line.len()] }
    }

    /// The place of a port in the list.
    pub(super) fn place(&self, port: Cell) -> Option<usize> {
        let line = self.line.iter().position(|&other| other == port);
        line.or_else(|| self.side.rank(port).map(|rank| rank + self.line.len()))
    }

    /// The cost between two ports of the list.
    #[inline(always)]
    pub(super) fn cost(&self, a: usize, b: usize) -> T {
        let line = self.line.len();
        if a < line {
            self.rows[a * self.stride + b]
        } else if b < line {
            self.rows[b * self.stride + a]
        } else {
            self.side.cost(a - line, b - line)
        }
    }

    /// Where a place in the list is on a half's sides.
    #[inline(always)]
    pub(super) fn in_half(&self, half: usize, place: usize) -> Option<usize> {
        let held = |span: &&Span| place.wrapping_sub(span.whole as usize) < (span.length as usize);
        let span = self.spans[half].iter().find(held)?;
        Some(place - span.whole as usize + span.half as usize)
    }

    /// A port of the line by way of which the cost between two places comes about.
    pub(super) fn stopover(&self, a: usize, b: usize, cost: T) -> Option<usize> {
        let (stride, line) = (self.stride, self.line.len());
        let (a, b) = if a < line { (a, b) } else { (b, a) };
        if a < line {
            let row = &self.row(a)[..line];
            let by_way_of = |&via: &usize| via != a && via != b && row[via].plus(self.rows[via * stride + b]) == cost;
            return (0..line).find(by_way_of);
        }
        (0..line).find(|via| self.rows[via * stride + a].plus(self.rows[via * stride + b]) == cost)
    }

    pub(super) fn bytes(&self) -> usize {
        let spans = self.spans[0].len() + self.spans[1].len();
        self.side.bytes()
            + self.line.len() * size_of::<Cell>()
            + spans * size_of::<Span>()
            + self.rows.len() * size_of::<T>()
            + size_of::<Front<T>>()
    }
}

/// Room to make fronts in.
pub(in crate::chart) struct Bench<T> {
    table: Vec<T>,
    pub(super) line: Vec<Cell>,
    pub(super) ports: Vec<Cell>,
}

impl<T> Default for Bench<T> {
    fn default() -> Bench<T> {
        Bench { table: vec![], line: vec![], ports: vec![] }
    }
}

impl<T: Toll> Bench<T> {
    /// The front of a region with these halves; the ports of its line and sides are on the bench. Whether all of its
    /// costs are ones that can be added up comes with it.
    pub(super) fn make(&mut self, halves: [&Arc<Side<T>>; 2]) -> (Front<T>, bool) {
        let (line, count) = (self.line.len(), self.line.len() + self.ports.len());
        let stride = padded(count);
        let spans = halves.map(|half| spans(&half.ports, &self.line, &self.ports));
        self.table.clear();
        self.table.resize(count * stride, T::NO_WAY);
        for (half, spans) in halves.iter().zip(&spans) {
            scatter(half, spans, stride, &mut self.table);
        }
        for place in 0..count {
            self.table[place * stride + place] = T::ZERO;
        }
        self.close(line, stride);
        self.by_way_of_line(line, count, stride);
        let rows: Box<[T]> = self.table[..line * stride].into();
        let mut costs = Vec::with_capacity((count - line).pow(2));
        for place in line..count {
            costs.extend_from_slice(&self.table[place * stride + line..place * stride + count]);
        }
        let fits = fit(&rows) && fit(&costs);
        let front = Front {
            side: Arc::new(Side { ports: self.ports[..].into(), costs: costs.into() }),
            line: self.line[..].into(),
            spans,
            rows,
            stride,
            from: halves.map(Arc::clone),
        };
        (front, fits)
    }

    /// Takes every port of the line as a stopover between any of them and all others.
    fn close(&mut self, line: usize, stride: usize) {
        for via in 0..line {
            let (before, rest) = self.table.split_at_mut(via * stride);
            let (row, after) = rest.split_at_mut(stride);
            let others = before.chunks_exact_mut(stride).chain(after.chunks_exact_mut(stride).take(line - via - 1));
            for other in others {
                let toll = other[via];
                if toll < T::NO_WAY {
                    relax(other, toll, row);
                }
            }
        }
    }

    /// Takes every port of the line as a stopover between ports of the sides.
    fn by_way_of_line(&mut self, line: usize, count: usize, stride: usize) {
        let (rows, sides) = self.table.split_at_mut(line * stride);
        for (rank, side) in sides.chunks_exact_mut(stride).enumerate() {
            let place = line + rank;
            // Costs are the same both ways: what lies before has been worked out from there.
            let from = place / 16 * 16;
            for (via, row) in rows.chunks_exact(stride).enumerate() {
                let toll = side[via];
                // A port that is itself reached more cheaply by way of another adds nothing to it.
                if toll < T::NO_WAY && toll == row[place] {
                    relax(&mut side[from..], toll, &row[from..]);
                }
            }
        }
        for place in line + 1..count {
            for other in line..place {
                sides[(place - line) * stride + other] = sides[(other - line) * stride + place];
            }
        }
    }
}

fn fit<T: Toll>(tolls: &[T]) -> bool {
    tolls.iter().fold(true, |fits, toll| fits & toll.fits())
}

/// Writes the costs of a half into the table of the whole, where they are less.
fn scatter<T: Toll>(half: &Side<T>, spans: &[Span], stride: usize, table: &mut [T]) {
    let count = half.ports.len();
    for rows in spans {
        for row in 0..rows.length as usize {
            let from = &half.costs[(rows.half as usize + row) * count..][..count];
            let to = &mut table[(rows.whole as usize + row) * stride..][..stride];
            for span in spans {
                let length = span.length as usize;
                let to = &mut to[span.whole as usize..][..length];
                for (to, &from) in to.iter_mut().zip(&from[span.half as usize..][..length]) {
                    *to = from.lesser(*to);
                }
            }
        }
    }
}

/// Where the ports of a half are in the list of the whole.
fn spans(half: &[Cell], line: &[Cell], side: &[Cell]) -> Box<[Span]> {
    let mut spans: Vec<Span> = Vec::new();
    let at = |place: usize| if place < line.len() { line[place] } else { side[place - line.len()] };
    let count = line.len() + side.len();
    let mut next = 0;
    for (rank, &port) in half.iter().enumerate() {
        if let Some(last) = spans.last_mut().filter(|_| next < count && at(next) == port) {
            last.length += 1;
        } else {
            next = (0..count).find(|&place| at(place) == port).expect("every port of a half is one of the whole");
            spans.push(Span { half: rank as u32, whole: next as u32, length: 1 });
        }
        next += 1;
    }
    spans.into()
}
