//! Making fronts: the costs of the halves are written into one table, with those of links between them, then every port of the
//! line is taken as a stopover between all others.
//!
//! Not here: what a front holds (`front.rs`), and when fronts are made (`fronts.rs`).

use super::{Front, LANES, Lanes, NOWHERE, Side, Span, Way, fit, position};
use crate::chart::rhumb::chart_cost::{ChartCost, relax_row};
use crate::chart::rhumb::links::Link;
use crate::id::Cell;

/// The scratch memory for making fronts.
pub(in crate::chart) struct FrontScratch<T> {
    /// The costs from each port of the list to each other, row by row.
    table: Vec<Lanes<T>>,
    /// The ports of the region's line, then those of its sides.
    pub(in crate::chart::rhumb) list: Vec<Cell>,
}

impl<T> Default for FrontScratch<T> {
    fn default() -> FrontScratch<T> {
        FrontScratch { table: vec![], list: vec![] }
    }
}

/// What a front is made from besides the sides of the region's halves.
#[derive(Copy, Clone)]
pub(in crate::chart::rhumb) struct Joints<'a> {
    /// How many ports of the list are on the region's line alone.
    pub(in crate::chart::rhumb) line: usize,
    /// How many are [`Front::stops`].
    pub(in crate::chart::rhumb) stops: usize,
    /// The links between the halves.
    pub(in crate::chart::rhumb) links: &'a [Link],
    pub(in crate::chart::rhumb) way: Way,
    /// Whether costs differ by direction.
    pub(in crate::chart::rhumb) directed: bool,
}

impl<T: ChartCost> FrontScratch<T> {
    /// Makes the front of a region from the sides of its halves. The caller has put the region's ports into `list`. Returns also
    /// whether all costs fit ([`ChartCost::fits`]); if they do not, the costs of the front are invalid.
    pub(in crate::chart::rhumb) fn make(&mut self, joints: Joints, halves: [&Side<T>; 2]) -> (Front<T>, bool) {
        let Joints { line, stops, .. } = joints;
        let count = self.list.len();
        assert!(count < usize::from(NOWHERE), "{count} ports around a region are more than a table can be made for");
        let stride = count.div_ceil(LANES);
        let spans = halves.map(|half| spans(half.ports(), &self.list));
        self.table.clear();
        self.table.resize(count * stride, [T::NO_WAY; LANES]);
        for (half, spans) in halves.iter().zip(&spans) {
            scatter(half, spans, stride * LANES, self.table.as_flattened_mut());
        }
        self.lay_links(joints, stride);
        for (place, entry) in self.table.as_flattened_mut().iter_mut().step_by(stride * LANES + 1).enumerate() {
            debug_assert!(place < count);
            *entry = T::ZERO;
        }
        let fits = self.close(stops, stride) & self.by_way_of_line(joints, count, stride);
        let rows: Box<[Lanes<T>]> = self.table[..stops * stride].into();
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
            stops,
            rows,
            from: halves.map(|half| half.id),
        };
        (front, fits)
    }

    /// Writes what links cost into the table, where they cost less than any walk.
    fn lay_links(&mut self, Joints { links, way, .. }: Joints, stride: usize) {
        for link in links {
            let place = |end| position(&self.list, end).expect("the ends of a link are ports of its home");
            let (from, to) = match way {
                Way::There => (place(link.from), place(link.to)),
                Way::Back => (place(link.to), place(link.from)),
            };
            let entry = &mut self.table[from * stride + to / LANES][to % LANES];
            *entry = T::of(link.cost).lesser(*entry);
        }
    }

    /// Takes every port of the line as a stopover on the way from each other port of the line to all ports of the list.
    /// Returns whether every cost that a row was added to fits; if not, the table is invalid.
    fn close(&mut self, stops: usize, stride: usize) -> bool {
        let mut fits = true;
        for via in 0..stops {
            let (before, rest) = self.table.split_at_mut(via * stride);
            let (row, after) = rest.split_at_mut(stride);
            let others = before.chunks_exact_mut(stride).chain(after.chunks_exact_mut(stride).take(stops - via - 1));
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

    /// Takes every port of the line as a stopover between ports of the sides. Returns whether every cost that a row was
    /// added to fits; if not, the table is invalid.
    fn by_way_of_line(&mut self, joints: Joints, count: usize, stride: usize) -> bool {
        let Joints { line, stops, directed, .. } = joints;
        let mut fits = true;
        if count == stops {
            return fits;
        }
        let (rows, sides) = self.table.split_at_mut(stops * stride);
        for (rank, side) in sides.chunks_exact_mut(stride).enumerate() {
            let place = stops + rank;
            // Where a cost from one port to another is also that of the way back, a row is worked out only from this port on;
            // the entries before it are copied from the rows above at the end.
            let from = if directed { 0 } else { place / LANES };
            for (via, row) in rows.chunks_exact(stride).enumerate() {
                let chart_cost = side[via / LANES][via % LANES];
                // A stopover that is reached more cheaply by way of another port of the line adds nothing to what that
                // other port gives.
                let is_needed = directed || chart_cost == row[from][place % LANES];
                if chart_cost < T::NO_WAY && is_needed {
                    fits &= chart_cost.fits();
                    relax_row(&mut side[from..], chart_cost, &row[from..]);
                }
            }
        }
        if directed {
            return fits;
        }
        let (rows, sides, stride) = (rows.as_flattened(), sides.as_flattened_mut(), stride * LANES);
        for place in stops..count {
            let row = (place - stops) * stride;
            for other in line..stops {
                sides[row + other] = rows[other * stride + place];
            }
            for other in stops..place {
                sides[row + other] = sides[(other - stops) * stride + place];
            }
        }
        fits
    }
}

/// Writes the costs between the ports of a half into the table of the whole region, except where the table already has
/// a lesser cost. `stride` is the length of a row of the table.
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

/// Returns at which places of the whole region's list the ports of a half are, as runs of ports that follow each other
/// in both.
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
