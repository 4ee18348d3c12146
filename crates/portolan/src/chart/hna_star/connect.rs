//! Connecting a point to the inter-edges of its node: what the ways cost, and the portals of the one that is taken.
//!
//! Not here: the rows of costs (`tables.rs`).

use super::tables::{NO_WAY, NodeSearch, Tables};
use crate::memory::held;
use crate::space::mesh::plan::Spot;
use crate::space::mesh::shape::distance_up;
use crate::space::mesh::{MeshPoint, NavMesh};
use std::thread;

/// How points are connected.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Pricing {
    by: By,
    from_centres: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum By {
    Rows,
    Dijkstra,
    AStar,
    /// An A* to each inter-edge, shared between this many threads.
    Parallel(usize),
}

impl Pricing {
    /// Returns the way of connecting that these settings name.
    pub(in crate::chart) fn of(connect: &str, price: &str) -> Pricing {
        let by = match connect {
            "dijkstra" => By::Dijkstra,
            "a-star" => By::AStar,
            "parallel" => By::Parallel(thread::available_parallelism().map_or(1, usize::from)),
            _ => By::Rows,
        };
        Pricing { by, from_centres: price == "centres" }
    }

    /// Returns whether points are priced from the centres of their polygons.
    pub(super) fn is_from_centres(self) -> bool {
        self.from_centres
    }

    /// Returns whether rows of costs have to be kept for all portals.
    pub(super) fn reads_rows(self) -> bool {
        self.by == By::Rows
    }
}

/// A point connected to the inter-edges of its node.
#[derive(Default)]
pub(in crate::chart) struct Connection {
    pub(in crate::chart) node: u32,
    /// What the way to each inter-edge costs, [`NO_WAY`] if there is none.
    pub(in crate::chart) costs: Vec<u32>,
    /// The portals of the point's polygon, each with its cost from the point.
    pub(in crate::chart) exits: Vec<(u16, u32)>,
    has_rows: bool,
}

impl Connection {
    /// Computes the costs from a point to the inter-edges of its node.
    pub(super) fn price(
        &mut self,
        mesh: &NavMesh,
        tables: &Tables,
        (node, polygons): (u32, &[u32]),
        point: MeshPoint,
        pricing: Pricing,
        search: &mut NodeSearch,
    ) {
        let shape = &*mesh.shape;
        let from: Spot = if pricing.from_centres { shape.centres[point.polygon as usize] } else { point.spot() };
        (self.node, self.has_rows) = (node, pricing.by == By::Rows);
        self.exits.clear();
        for &portal in shape.exits(point.polygon) {
            let cost = distance_up(from, shape.middles[portal as usize]) * mesh.weight(point.polygon);
            self.exits.push((tables.slot(shape, portal, point.polygon) as u16, cost));
        }
        let table = &tables.nodes[node as usize];
        self.costs.clear();
        self.costs.resize(table.borders, NO_WAY);
        match pricing.by {
            By::Rows => {
                for &(exit, more) in &self.exits {
                    for (cost, &rest) in self.costs.iter_mut().zip(table.costs(usize::from(exit))) {
                        *cost = (*cost).min(rest.saturating_add(more));
                    }
                }
            }
            By::Dijkstra => {
                search.set(tables, mesh, polygons, node as usize);
                search.run(&self.exits, None);
                self.costs.copy_from_slice(&search.costs[..table.borders]);
            }
            By::AStar => {
                search.set(tables, mesh, polygons, node as usize);
                search_each(search, &self.exits, 0, &mut self.costs);
            }
            By::Parallel(threads) => {
                search.set(tables, mesh, polygons, node as usize);
                search_in_threads(search, &self.exits, &mut self.costs, threads);
            }
        }
    }

    /// Appends the portals of the way from the point to an inter-edge, which is the last of them. The search is the one
    /// that priced the point.
    pub(super) fn unroll(&self, tables: &Tables, border: usize, search: &mut NodeSearch, portals: &mut Vec<u32>) {
        let table = &tables.nodes[self.node as usize];
        let first = portals.len();
        if self.has_rows {
            let total = |&&(exit, cost): &&(u16, u32)| table.costs(usize::from(exit))[border].saturating_add(cost);
            let (exit, _) =
                *self.exits.iter().min_by_key(total).expect("a point in a node with inter-edges has portals");
            let mut at = usize::from(exit);
            portals.push(table.portals[at]);
            while at != border {
                at = table.next(at, border);
                portals.push(table.portals[at]);
            }
        } else {
            search.run(&self.exits, Some(border as u16));
            let mut at = border;
            portals.push(table.portals[at]);
            // The way begins at a source of the search. It may lead over other portals of the point's polygon.
            while usize::from(search.before[at]) != at {
                at = usize::from(search.before[at]);
                portals.push(table.portals[at]);
            }
            portals[first..].reverse();
        }
    }

    pub(in crate::chart) fn bytes(&self) -> usize {
        held(&self.costs) + held(&self.exits)
    }
}

/// Searches the way from the exits to each of some inter-edges on its own, and writes what it costs. `first` is the place
/// of the first of them.
fn search_each(search: &mut NodeSearch, exits: &[(u16, u32)], first: usize, costs: &mut [u32]) {
    for (border, cost) in (first as u16..).zip(costs) {
        search.run(exits, Some(border));
        *cost = search.costs[usize::from(border)];
    }
}

/// Does what [`search_each`] does for all inter-edges, shared between up to `threads` threads, the calling one included.
/// Every other thread works on a copy of the search. The costs do not depend on the number of threads.
pub(super) fn search_in_threads(search: &mut NodeSearch, exits: &[(u16, u32)], costs: &mut [u32], threads: usize) {
    let share = costs.len().div_ceil(threads.max(1)).max(1);
    let (own, others) = costs.split_at_mut(share.min(costs.len()));
    if others.is_empty() {
        return search_each(search, exits, 0, own);
    }
    let source = search.clone();
    thread::scope(|scope| {
        for (part, costs) in (1..).zip(others.chunks_mut(share)) {
            let source = &source;
            scope.spawn(move || search_each(&mut source.clone(), exits, part * share, costs));
        }
        search_each(search, exits, 0, own);
    });
}
