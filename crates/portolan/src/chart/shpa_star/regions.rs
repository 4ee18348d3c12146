//! Regions: parts of the free cells, each connected within itself, made by greedy merging.
//!
//! Small square tiles are first cut into their connected pieces. Then, again and again, the two neighbouring pieces are
//! merged whose common border is longest in proportion to their size. Gates would lie on that border, so this order
//! saves most gates and keeps regions compact. Two pieces are merged only if together they do not exceed the greatest
//! size allowed and if their mean weights are similar.
//!
//! Not here: the gates between regions, which [`super::gates`] finds.

use crate::id::{Cell, NodeId};
use crate::memory::held;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, N, NE, NW, S, SE, SW, W};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::mem::take;

/// The region number of nodes that are not free.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Cells along the side of a tile.
const TILE: u16 = 4;

/// The smallest allowed value of a region's greatest size: the cells of a tile, as a piece can be a whole tile.
pub(super) const LEAST_SIZE: u64 = (TILE * TILE) as u64;

/// `Regions` gives the region of every free node.
#[derive(Clone)]
pub(super) struct Regions {
    by_node: Vec<u32>,
    count: usize,
}

impl Regions {
    /// Returns the bytes of the table from nodes to regions, which do not depend on the terrain.
    pub(super) fn known_bytes(grid: &SquareGrid) -> usize {
        grid.node_count() * size_of::<u32>()
    }

    /// Divides the free cells into regions of at most `size` cells.
    pub(super) fn new(grid: &SquareGrid, size: usize) -> Regions {
        let mut merger = Merger::new(grid, size);
        merger.merge();
        merger.finish()
    }

    /// Returns the region of a node, [`NOWHERE`] if the node is not free.
    #[inline(always)]
    pub(super) fn of(&self, node: NodeId) -> u32 {
        self.by_node[node.index()]
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.by_node)
    }
}

/// A `Piece` is a region that may still grow. It has no nodes once it was merged into another piece.
struct Piece {
    nodes: Vec<u32>,
    /// The sum of the nodes' weights.
    weight: u64,
    /// The neighbouring pieces, each with the number of pairs of cells that touch.
    contacts: Vec<(u32, u32)>,
    /// Counts up whenever the piece changes, so that plans made before are recognised as outdated.
    version: u32,
}

impl Piece {
    /// Returns whether the greater of the two mean weights is at most 1.5 times the smaller.
    fn resembles(&self, other: &Piece) -> bool {
        let (a, b) = (self.weight * other.nodes.len() as u64, other.weight * self.nodes.len() as u64);
        2 * a.max(b) <= 3 * a.min(b)
    }
}

/// A `Plan` is a possible merge of two pieces. The better plan compares greater.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Plan {
    /// Pairs of cells that touch, divided by the cells of both pieces, times 2³².
    worth: u64,
    /// Cells of both pieces: among equals, the smaller result is better.
    size: Reverse<usize>,
    pieces: Reverse<[u32; 2]>,
    versions: [u32; 2],
}

/// A `Merger` cuts a world into pieces and merges them into regions.
struct Merger<'a> {
    grid: &'a SquareGrid,
    /// The most cells of a region.
    size: usize,
    /// The directions in which a step between two free cells is legal whatever the cells beside it are.
    links: &'static [u8],
    pieces: Vec<Piece>,
    piece_by_node: Vec<u32>,
    plans: BinaryHeap<Plan>,
}

impl<'a> Merger<'a> {
    fn new(grid: &'a SquareGrid, size: usize) -> Merger<'a> {
        let mut merger = Merger {
            grid,
            size,
            links: if grid.gait().joins_corners() { &[N, NE, E, SE, S, SW, W, NW] } else { &[N, E, S, W] },
            pieces: Vec::new(),
            piece_by_node: vec![NOWHERE; grid.node_count()],
            plans: BinaryHeap::new(),
        };
        for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
            if merger.piece_by_node[grid.node(cell).index()] == NOWHERE {
                merger.cut(cell);
            }
        }
        for number in 0..merger.pieces.len() as u32 {
            merger.pieces[number as usize].contacts = merger.contacts(number);
        }
        for number in 0..merger.pieces.len() as u32 {
            merger.plan(number, |other| other > number);
        }
        merger
    }

    /// Makes a piece of the cells that are connected to `first` within its tile.
    fn cut(&mut self, first: Cell) {
        let (grid, number) = (self.grid, self.pieces.len() as u32);
        let offsets = grid.offsets();
        let mut nodes = vec![grid.node(first).0];
        self.piece_by_node[nodes[0] as usize] = number;
        let mut next = 0;
        while next < nodes.len() {
            let node = NodeId(nodes[next]);
            next += 1;
            for &direction in self.links.iter().filter(|&&direction| grid.around(node) >> direction & 1 == 1) {
                let to = NodeId(node.0.wrapping_add_signed(offsets[usize::from(direction)]));
                let cell = grid.cell(to);
                let inside = cell.x / TILE == first.x / TILE && cell.y / TILE == first.y / TILE;
                if inside && self.piece_by_node[to.index()] == NOWHERE {
                    self.piece_by_node[to.index()] = number;
                    nodes.push(to.0);
                }
            }
        }
        let weight = nodes.iter().map(|&node| u64::from(grid.weight(NodeId(node)))).sum();
        self.pieces.push(Piece { nodes, weight, contacts: Vec::new(), version: 0 });
    }

    /// Returns the neighbours of a piece, each with the number of pairs of cells that touch.
    fn contacts(&self, number: u32) -> Vec<(u32, u32)> {
        let offsets = self.grid.offsets();
        let mut contacts = Vec::new();
        for &node in &self.pieces[number as usize].nodes {
            for &direction in self.links {
                let other = self.piece_by_node[node.wrapping_add_signed(offsets[usize::from(direction)]) as usize];
                if other != NOWHERE && other != number {
                    add_contacts(&mut contacts, other, 1);
                }
            }
        }
        contacts
    }

    /// Adds a plan for every allowed merge of a piece with a neighbour for which `wanted` returns true.
    fn plan(&mut self, number: u32, wanted: impl Fn(u32) -> bool) {
        let piece = &self.pieces[number as usize];
        for &(other, touching) in piece.contacts.iter().filter(|contact| wanted(contact.0)) {
            let neighbour = &self.pieces[other as usize];
            let (a, b) = (piece.nodes.len(), neighbour.nodes.len());
            if a + b <= self.size && piece.resembles(neighbour) {
                let pieces = [number.min(other), number.max(other)];
                self.plans.push(Plan {
                    worth: (u64::from(touching) << 32) / (a + b) as u64,
                    size: Reverse(a + b),
                    pieces: Reverse(pieces),
                    versions: pieces.map(|piece| self.pieces[piece as usize].version),
                });
            }
        }
    }

    /// Carries out the best plan again and again, until none is left.
    fn merge(&mut self) {
        while let Some(Plan { pieces: Reverse([a, b]), versions, .. }) = self.plans.pop() {
            if versions != [a, b].map(|piece| self.pieces[piece as usize].version) {
                continue; // one of the pieces has changed since; new plans were made for it unless it was merged away
            }
            let larger_first = self.pieces[a as usize].nodes.len() >= self.pieces[b as usize].nodes.len();
            let (stays, goes) = if larger_first { (a, b) } else { (b, a) };
            self.join(stays, goes);
            self.plan(stays, |_| true);
        }
    }

    /// Merges the piece `goes` into the piece `stays`.
    fn join(&mut self, stays: u32, goes: u32) {
        let gone = &mut self.pieces[goes as usize];
        gone.version += 1;
        let weight = gone.weight;
        let (nodes, theirs) = (take(&mut gone.nodes), take(&mut gone.contacts));
        for &node in &nodes {
            self.piece_by_node[node as usize] = stays;
        }
        let mut contacts = take(&mut self.pieces[stays as usize].contacts);
        contacts.retain(|contact| contact.0 != goes);
        for (other, touching) in theirs.into_iter().filter(|contact| contact.0 != stays) {
            add_contacts(&mut contacts, other, touching);
            let back = &mut self.pieces[other as usize].contacts;
            back.retain(|contact| contact.0 != goes);
            add_contacts(back, stays, touching);
        }
        let piece = &mut self.pieces[stays as usize];
        piece.nodes.extend(nodes);
        piece.weight += weight;
        piece.version += 1;
        piece.contacts = contacts;
    }

    /// Numbers the pieces that are left in the order of their first nodes and returns them as regions.
    fn finish(self) -> Regions {
        let mut count = 0;
        let mut number_by_piece = vec![NOWHERE; self.pieces.len()];
        let mut by_node = self.piece_by_node;
        for region in by_node.iter_mut().filter(|region| **region != NOWHERE) {
            let number = &mut number_by_piece[*region as usize];
            if *number == NOWHERE {
                *number = count;
                count += 1;
            }
            *region = *number;
        }
        Regions { by_node, count: count as usize }
    }
}

/// Adds `touching` pairs of cells to the contacts with the piece `other`.
fn add_contacts(contacts: &mut Vec<(u32, u32)>, other: u32, touching: u32) {
    match contacts.iter_mut().find(|contact| contact.0 == other) {
        Some(contact) => contact.1 += touching,
        None => contacts.push((other, touching)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::space::{Corners, Directions, Rules};

    #[test]
    fn regions_cover_the_ground_keep_to_their_size_and_hang_together() {
        let four = Rules { directions: Directions::Four, ..Rules::default() };
        let eight = Corners::NAMED.map(|(_, corners)| Rules { corners, ..Rules::default() });
        let mut random = Random::new(2008);
        for rules in eight.into_iter().chain([four]) {
            for size in [16, 40, 200] {
                let weights: Vec<u8> = (0..50 * 37).map(|_| u8::from(random.below(100) >= 30)).collect();
                let grid = SquareGrid::from_weights(50, 37, &weights, rules).expect("a sound size");
                let regions = Regions::new(&grid, size);
                let mut nodes_by_region = vec![Vec::new(); regions.count()];
                for cell in grid.cells() {
                    let region = regions.of(grid.node(cell));
                    assert_eq!(region == NOWHERE, !grid.is_free(cell), "{cell}");
                    if region != NOWHERE {
                        nodes_by_region[region as usize].push(grid.node(cell).0);
                    }
                }
                for (region, nodes) in nodes_by_region.iter().enumerate() {
                    assert!((1..=size).contains(&nodes.len()), "{} cells, not up to {size}", nodes.len());
                    let inside = |node: u32| regions.of(NodeId(node)) == region as u32;
                    assert_eq!(reached(&grid, nodes[0], inside), nodes.len(), "region {region} under {rules:?}");
                }
            }
        }
    }

    /// Returns how many nodes legal moves reach from `from`, over nodes for which `inside` returns true.
    fn reached(grid: &SquareGrid, from: u32, inside: impl Fn(u32) -> bool) -> usize {
        let mut seen = vec![from];
        let mut next = 0;
        while next < seen.len() {
            let moves = grid.gait().legal()[usize::from(grid.around(NodeId(seen[next])))];
            for direction in (0..8).filter(|direction| moves >> direction & 1 == 1) {
                let to = seen[next].wrapping_add_signed(grid.offsets()[direction]);
                if inside(to) && !seen.contains(&to) {
                    seen.push(to);
                }
            }
            next += 1;
        }
        seen.len()
    }
}
