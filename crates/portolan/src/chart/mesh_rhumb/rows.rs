//! The cost from every inter-edge to every other, and the next inter-edge on the way: rows that answer without a search
//! which inter-edges a route passes.
//!
//! A row has the inter-edges of all nodes, node by node, so that those of the goal's node lie together. An inter-edge is
//! there twice, once for each of its nodes.
//!
//! Not here: the ways through nodes.

use crate::chart::hna_star::border_search::{Border, Borders};
use crate::chart::hna_star::tables::{NO_WAY, Tables};
use crate::flat::{FlatRowPatch, FlatRows};
use crate::memory::held;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// The bit of a hop that names the node to be crossed: the first or the second of the inter-edge.
const SECOND_NODE: u16 = 1 << 15;

/// The costs and ways between all inter-edges.
#[derive(Clone, PartialEq)]
pub(in crate::chart) struct BorderRows {
    /// How many entries a row has.
    width: usize,
    /// A row for each inter-edge: what the way to each of them costs.
    costs: Vec<u32>,
    /// A row for each inter-edge: the first hop of the way to each of them, which is the place of the next inter-edge in
    /// the node that is crossed, with [`SECOND_NODE`]. The hop from an inter-edge to itself means nothing.
    hops: Vec<u16>,
}

/// The cheapest way between two points over inter-edges.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Between {
    pub(super) cost: u32,
    /// The first inter-edge, and the place of the last one in the goal's node.
    first: u32,
    last: usize,
}

impl BorderRows {
    /// Computes all rows by Dijkstra's algorithm from each inter-edge.
    pub(super) fn new(borders: &Borders, tables: &Tables) -> BorderRows {
        let (width, count) = (borders.entries(), borders.len());
        let mut rows = BorderRows { width, costs: vec![NO_WAY; width * count], hops: vec![0; width * count] };
        let mut spread = Spread::default();
        for to in 0..count as u32 {
            spread.run(borders, tables, to);
            for entry in borders.get(to).seats.map(|seat| borders.first_of(seat.node) + seat.place as usize) {
                for from in 0..count {
                    rows.costs[from * width + entry] = spread.costs[from];
                    rows.hops[from * width + entry] = spread.hops[from];
                }
            }
        }
        rows
    }

    /// Returns how many parts there are that changes are noted for: for each row one for each node, the entries of its inter-edges.
    pub(super) fn parts(&self, tables: &Tables) -> usize {
        self.costs.len() / self.width.max(1) * tables.nodes.len()
    }

    /// Returns the entries of a part.
    fn part(&self, borders: &Borders, nodes: usize, part: usize) -> Range<usize> {
        let (row, node) = (part / nodes, (part % nodes) as u32);
        let begin = row * self.width + borders.first_of(node);
        begin..begin + borders.of(node).len()
    }

    /// Computes all rows anew after a repair of the tables, and returns the parts that this has changed.
    pub(super) fn refill(&mut self, borders: &Borders, tables: &Tables) -> Vec<usize> {
        let old = std::mem::replace(self, BorderRows::new(borders, tables));
        let differs = |&part: &usize| {
            let range = self.part(borders, tables.nodes.len(), part);
            self.costs[range.clone()] != old.costs[range.clone()] || self.hops[range.clone()] != old.hops[range]
        };
        (0..self.parts(tables)).filter(differs).collect()
    }

    pub(super) fn flat_part(&self, borders: &Borders, tables: &Tables, part: usize) -> FlatRowPatch<'_> {
        let nodes = tables.nodes.len();
        let range = self.part(borders, nodes, part);
        let (inter_edge, node) = ((part / nodes) as u32, (part % nodes) as u32);
        FlatRowPatch { inter_edge, node, costs: &self.costs[range.clone()], hops: &self.hops[range] }
    }

    /// Returns the cheapest way from a start to a goal, both connected to the inter-edges of their nodes, or `None` if
    /// there is none.
    pub(super) fn between(
        &self,
        borders: &Borders,
        (start, start_costs): (u32, &[u32]),
        (goal, goal_costs): (u32, &[u32]),
    ) -> Option<Between> {
        let mut best = Between { cost: NO_WAY, first: 0, last: 0 };
        let place = borders.first_of(goal);
        for (&id, &before) in borders.of(start).iter().zip(start_costs) {
            if before >= best.cost {
                continue;
            }
            let row = &self.costs[id as usize * self.width + place..][..goal_costs.len()];
            let sums = || row.iter().zip(goal_costs).map(|(&cost, &after)| add(add(before, cost), after));
            let least = sums().fold(NO_WAY, u32::min);
            if least < best.cost {
                let last = sums().position(|sum| sum == least).expect("the least is one of them");
                best = Between { cost: least, first: id, last };
            }
        }
        (best.cost != NO_WAY).then_some(best)
    }

    /// Writes the inter-edges of a way, each with the node before it.
    pub(super) fn follow(
        &self,
        borders: &Borders,
        (start, goal): (u32, u32),
        between: Between,
        route: &mut Vec<(u32, u32)>,
    ) {
        route.clear();
        let entry = borders.first_of(goal) + between.last;
        let target = borders.all()[entry];
        let (mut at, mut through) = (between.first, start);
        while at != target {
            let hop = self.hops[at as usize * self.width + entry];
            let node = borders.get(at).seats[usize::from(hop & SECOND_NODE != 0)].node;
            let next = borders.of(node)[usize::from(hop & !SECOND_NODE)];
            // A way that goes on through the node that it came from only touches the inter-edge.
            if node != through {
                route.push((at, through));
                through = node;
            }
            at = next;
        }
        if route.is_empty() || through != goal {
            route.push((at, through));
        }
    }

    pub(super) fn flatten(&self, flat: &mut FlatRows) {
        flat.row_costs.clone_from(&self.costs);
        flat.hops.clone_from(&self.hops);
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.costs) + held(&self.hops)
    }
}

/// Adds two costs; the sum with [`NO_WAY`] is [`NO_WAY`].
#[inline(always)]
pub(super) fn add(a: u32, b: u32) -> u32 {
    a.saturating_add(b)
}

/// Dijkstra's algorithm from all inter-edges to one.
#[derive(Default)]
struct Spread {
    costs: Vec<u32>,
    hops: Vec<u16>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Spread {
    /// Computes the cost from every inter-edge to one of them, and the first hop of each way.
    fn run(&mut self, borders: &Borders, tables: &Tables, to: u32) {
        self.costs.clear();
        self.costs.resize(borders.len(), NO_WAY);
        self.hops.clear();
        self.hops.resize(borders.len(), 0);
        self.costs[to as usize] = 0;
        self.open.push(Reverse((0, to)));
        while let Some(Reverse((cost, id))) = self.open.pop() {
            if cost > self.costs[id as usize] {
                continue;
            }
            for seat in borders.get(id).seats {
                let node = &tables.nodes[seat.node as usize];
                for (place, &from) in borders.of(seat.node).iter().enumerate() {
                    // Over a link, the way there may cost something else than the way back.
                    let sum = add(cost, node.costs(place)[seat.place as usize]);
                    if sum < self.costs[from as usize] {
                        self.costs[from as usize] = sum;
                        self.hops[from as usize] = hop(borders.get(from), seat.node, seat.place);
                        self.open.push(Reverse((sum, from)));
                    }
                }
            }
        }
    }
}

/// Returns the hop from an inter-edge through one of its nodes to the inter-edge at a place there.
fn hop(from: Border, node: u32, place: u32) -> u16 {
    let second = if from.seats[0].node == node { 0 } else { SECOND_NODE };
    place as u16 | second
}
