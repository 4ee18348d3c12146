//! The cost from every inter-edge to every other: rows that answer without a search which inter-edges a route passes.
//!
//! A row has the inter-edges of all nodes, node by node, so that those of the goal's node lie together.
//!
//! Not here: the ways through nodes.

use super::border_search::{Borders, Seat};
use super::tables::{NO_WAY, Tables};
use crate::memory::held;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The costs between all inter-edges.
#[derive(Clone, PartialEq)]
pub(in crate::chart) struct BorderRows {
    /// How many entries a row has: each inter-edge is there twice, once for each of its nodes.
    width: usize,
    costs: Vec<u32>,
}

impl BorderRows {
    /// Computes all rows by Dijkstra's algorithm from each inter-edge.
    pub(super) fn new(borders: &Borders, tables: &Tables) -> BorderRows {
        let width = borders.entries();
        let mut rows = BorderRows { width, costs: Vec::with_capacity(width * borders.len()) };
        let (mut costs, mut open) = (Vec::new(), BinaryHeap::new());
        for from in 0..borders.len() as u32 {
            spread(borders, tables, from, &mut costs, &mut open);
            rows.costs.extend(borders.all().iter().map(|&id| costs[id as usize]));
        }
        rows
    }

    /// Returns the costs from an inter-edge to those of a node.
    #[inline(always)]
    fn to_node(&self, borders: &Borders, from: u32, node: u32) -> &[u32] {
        let first = from as usize * self.width + borders.first_of(node);
        &self.costs[first..first + borders.of(node).len()]
    }

    /// Finds the cheapest way from a start to a goal in another node, both connected to the inter-edges of their nodes, and
    /// writes its inter-edges, each with the node before it. Returns whether there is a way.
    pub(super) fn route(
        &self,
        (borders, tables): (&Borders, &Tables),
        (start, start_costs): (u32, &[u32]),
        (goal, goal_costs): (u32, &[u32]),
        route: &mut Vec<(u32, u32)>,
    ) -> bool {
        route.clear();
        let mut best = (NO_WAY, 0, 0);
        for (&id, &first) in borders.of(start).iter().zip(start_costs) {
            if first >= best.0 {
                continue;
            }
            let row = self.to_node(borders, id, goal);
            let sums = || row.iter().zip(goal_costs).map(|(&cost, &last)| add(add(first, cost), last));
            let least = sums().fold(NO_WAY, u32::min);
            if least < best.0 {
                let place = sums().position(|sum| sum == least).expect("the least is one of them");
                best = (least, id, place);
            }
        }
        if best.0 == NO_WAY {
            return false;
        }
        let (mut at, mut through) = (best.1, start);
        route.push((at, through));
        while at != borders.of(goal)[best.2] {
            // A goal on an inter-edge is reached over that one as cheaply as from where the way enters its node. To go on to
            // the inter-edge would be to leave the node again.
            let ahead = ahead(borders, at, through);
            let rest = add(self.to_node(borders, at, goal)[best.2], goal_costs[best.2]);
            if ahead.node == goal && goal_costs[ahead.place as usize] <= rest {
                break;
            }
            let Some(next) = self.next((borders, tables), at, through, (goal, best.2)) else { return false };
            (at, through) = next;
            route.push(next);
        }
        true
    }

    /// Returns the next inter-edge on the way from one to the inter-edge of a node, and the node between the two. A way that
    /// came through one node goes on through the other.
    fn next(
        &self,
        (borders, tables): (&Borders, &Tables),
        from: u32,
        through: u32,
        (goal, place): (u32, usize),
    ) -> Option<(u32, u32)> {
        let whole = self.to_node(borders, from, goal)[place];
        let ahead = ahead(borders, from, through);
        let costs = tables.nodes[ahead.node as usize].costs(ahead.place as usize);
        let leads_on = |&(&to, &cost): &(&u32, &u32)| {
            let rest = self.to_node(borders, to, goal)[place];
            rest < whole && add(cost, rest) == whole
        };
        borders.of(ahead.node).iter().zip(costs).find(leads_on).map(|(&to, _)| (to, ahead.node))
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.costs)
    }
}

/// Returns the node that a way goes on to which came to an inter-edge through the other one, and the place of the inter-edge there.
#[inline(always)]
fn ahead(borders: &Borders, from: u32, through: u32) -> Seat {
    let seats = borders.get(from).seats;
    seats[usize::from(seats[0].node == through)]
}

/// Adds two costs; the sum with [`NO_WAY`] is [`NO_WAY`].
#[inline(always)]
fn add(a: u32, b: u32) -> u32 {
    a.saturating_add(b)
}

/// Computes the cost from one inter-edge to all.
fn spread(
    borders: &Borders,
    tables: &Tables,
    from: u32,
    costs: &mut Vec<u32>,
    open: &mut BinaryHeap<Reverse<(u32, u32)>>,
) {
    costs.clear();
    costs.resize(borders.len(), NO_WAY);
    costs[from as usize] = 0;
    open.push(Reverse((0, from)));
    while let Some(Reverse((cost, id))) = open.pop() {
        if cost > costs[id as usize] {
            continue;
        }
        for seat in borders.get(id).seats {
            let row = tables.nodes[seat.node as usize].costs(seat.place as usize);
            for (&to, &more) in borders.of(seat.node).iter().zip(row) {
                let sum = add(cost, more);
                if sum < costs[to as usize] {
                    costs[to as usize] = sum;
                    open.push(Reverse((sum, to)));
                }
            }
        }
    }
}
