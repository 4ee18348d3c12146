//! The chart of a mind: clusters of hexagons, and how familiar each of them is. A mind that plans on clusters thinks of a way over the
//! clusters that it knows well first, and then looks for hexagons in these alone: it plans on the chart and remembers on hexagons.
//!
//! A cluster is one page of memory, so that how much of it is known is a count of bits. Clusters and the steps between them are those that were
//! there when the hexagons were laid over the world. They are only a guide: which steps there are is for the search over hexagons to
//! know, and where that finds nothing among them it searches everywhere.
//!
//! [`Mind::familiarity`] carries knowledge onto any other parts of the world, as the polygons of a mesh or the nodes of HNA*.
//!
//! Not here: the search over hexagons.

use super::hexagons::{Hexagons, NODES_PER_TILE};
use super::memory::Memory;
use super::recall::{Ground, Look};
use super::{Mind, recall::STEP_COST};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The clusters of a lattice, and which of them touch.
#[derive(Clone, Default, Debug)]
pub(super) struct Chart {
    /// Where the neighbours of each cluster begin.
    first_neighbour: Vec<u32>,
    neighbours: Vec<u32>,
}

/// What a mind knows of a part of the world.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Familiarity {
    /// The number of nodes in the part.
    pub nodes: u32,
    /// How many of them are known.
    pub known: u32,
    /// The sum of their counters.
    pub visits: u32,
}

/// Working memory of searches over clusters.
#[derive(Clone, Default, Debug)]
pub(super) struct ChartScratch {
    /// The least cost found to each cluster, and the cluster before it.
    cost_by_cluster: Vec<(u32, u32)>,
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// Whether a cluster lies on the way or beside it.
    is_near_by_cluster: Vec<bool>,
}

/// The ground inside the clusters on and beside a way.
pub(super) struct Corridor<'a, G> {
    pub(super) ground: &'a G,
    pub(super) scratch: &'a ChartScratch,
}

impl<G: Ground> Ground for Corridor<'_, G> {
    #[inline]
    fn open(&self, hexagons: &Hexagons, node: u32) -> u8 {
        let open = self.ground.open(hexagons, node);
        let is_near = |&direction: &usize| {
            open >> direction & 1 == 1 && self.scratch.is_near_by_cluster[cluster(hexagons.beside(node, direction))]
        };
        (0..6).filter(is_near).fold(0, |set, direction| set | 1 << direction)
    }

    #[inline]
    fn look(&self, hexagons: &Hexagons, node: u32) -> Look {
        self.ground.look(hexagons, node)
    }
}

/// Returns the cluster of a node.
#[inline]
fn cluster(node: u32) -> usize {
    node as usize / NODES_PER_TILE
}

impl Chart {
    pub(super) fn new(hexagons: &Hexagons) -> Chart {
        let mut chart = Chart { first_neighbour: vec![0], neighbours: Vec::new() };
        let mut beside = Vec::new();
        for from in 0..hexagons.tiles() {
            beside.clear();
            let nodes = (from * NODES_PER_TILE) as u32..((from + 1) * NODES_PER_TILE).min(hexagons.nodes()) as u32;
            for node in nodes {
                let others = hexagons.steps(node).map(|(_, beside)| cluster(beside) as u32);
                beside.extend(others.filter(|&other| other as usize != from));
            }
            beside.sort_unstable();
            beside.dedup();
            chart.neighbours.extend_from_slice(&beside);
            chart.first_neighbour.push(chart.neighbours.len() as u32);
        }
        chart
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.first_neighbour.capacity() + self.neighbours.capacity())
    }

    fn neighbours(&self, cluster: usize) -> &[u32] {
        let range = self.first_neighbour.get(cluster..cluster + 2);
        range.map_or(&[], |range| &self.neighbours[range[0] as usize..range[1] as usize])
    }
}

impl ChartScratch {
    /// Looks for a way over known clusters from the cluster of one node to that of another: A*, where a way into a cluster is dearer
    /// the less is known of the cluster. Returns whether there is one; its clusters are noted with those beside them.
    pub(super) fn search(&mut self, hexagons: &Hexagons, memory: &Memory, [from, goal]: [u32; 2]) -> bool {
        let chart = hexagons.chart();
        let (start, end) = (cluster(from), cluster(goal));
        self.cost_by_cluster.clear();
        self.cost_by_cluster.resize(hexagons.tiles(), (u32::MAX, 0));
        self.open.clear();
        self.cost_by_cluster[start] = (0, start as u32);
        self.open.push(Reverse((0, 0, start as u32)));
        while let Some(Reverse((_, cost, at))) = self.open.pop() {
            if at as usize == end {
                self.note_way(hexagons, [start, end]);
                return true;
            }
            if cost > self.cost_by_cluster[at as usize].0 {
                continue;
            }
            for &beside in chart.neighbours(at as usize) {
                let known = memory.known_in_tile(beside as usize);
                if known == 0 {
                    continue;
                }
                let step = distance(hexagons, at as usize, beside as usize).max(1);
                let cost = cost + step * STEP_COST * NODES_PER_TILE as u32 / known;
                if cost < self.cost_by_cluster[beside as usize].0 {
                    self.cost_by_cluster[beside as usize] = (cost, at);
                    let left = distance(hexagons, beside as usize, end) * STEP_COST;
                    self.open.push(Reverse((cost + left, cost, beside)));
                }
            }
        }
        false
    }

    fn note_way(&mut self, hexagons: &Hexagons, [start, end]: [usize; 2]) {
        self.is_near_by_cluster.clear();
        self.is_near_by_cluster.resize(hexagons.tiles(), false);
        let mut at = end;
        loop {
            self.is_near_by_cluster[at] = true;
            for &beside in hexagons.chart().neighbours(at) {
                self.is_near_by_cluster[beside as usize] = true;
            }
            if at == start {
                return;
            }
            at = self.cost_by_cluster[at].1 as usize;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.cost_by_cluster.capacity() + 12 * self.open.capacity() + self.is_near_by_cluster.capacity()
    }
}

/// Returns how many steps apart the nodes in the middle of the numbers of two clusters are.
fn distance(hexagons: &Hexagons, a: usize, b: usize) -> u32 {
    let middle = |cluster: usize| {
        let first = cluster * NODES_PER_TILE;
        ((first + first + NODES_PER_TILE) / 2).min(hexagons.nodes() - 1) as u32
    };
    hexagons.distance(middle(a), middle(b))
}

impl Mind {
    /// Returns what the mind knows of each of so many parts of the world. `part` tells in which part a node lies, if in any: on a mesh
    /// for example its polygon, [`portolan::MeshPoint::polygon`] of [`super::Lattice::place`].
    ///
    /// # Panics
    /// When `part` returns an index past the last part.
    pub fn familiarity(
        &self,
        hexagons: &Hexagons,
        parts: usize,
        part: impl Fn(u32) -> Option<usize>,
    ) -> Vec<Familiarity> {
        let mut familiarities = vec![Familiarity::default(); parts];
        for node in 0..hexagons.nodes() as u32 {
            if let Some(part) = part(node) {
                let counter = u32::from(self.counter(hexagons, node));
                let familiarity = &mut familiarities[part];
                familiarity.nodes += 1;
                familiarity.known += u32::from(counter > 0);
                familiarity.visits += counter;
            }
        }
        familiarities
    }
}
