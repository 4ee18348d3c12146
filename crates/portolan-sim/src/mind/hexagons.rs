//! The hexagons that minds remember, and the steps between them: [`Hexagons`]. Nothing here depends on the kind of the world.
//!
//! Hexagons are named by axial coordinates, as the cells of a [`portolan::HexGrid`] are. A hexagon has a node for each part of
//! the ground in it; where walls or floors cut it, there are several. Nodes are numbered tile by tile of 16 × 16 hexagons, so that
//! what a mind remembers of one neighbourhood lies together.
//!
//! Not here: where hexagons lie in a world (`lattice.rs`), and what a mind knows of them.

use super::chart::Chart;
use portolan::HexCell;
use std::collections::BTreeMap;

/// The index of no node.
pub(super) const NO_NODE: u32 = u32::MAX;

/// The most nodes that there can be.
pub(super) const MOST_NODES: usize = (1 << 24) - NODES_PER_TILE;

/// About how many nodes a tile has.
pub(super) const NODES_PER_TILE: usize = 256;

/// The steps in the six directions, clockwise from the one to the right.
pub(super) const STEP: [(i16, i16); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// Hexagons and the steps between them, shared by all minds in a world. A [`super::Lattice`] dereferences to it.
#[derive(Clone)]
pub struct Hexagons {
    columns: u32,
    /// The first node of the hexagon in each column of each row.
    first_by_hexagon: Vec<u32>,
    /// The other nodes of hexagons that have several.
    others: BTreeMap<u32, Vec<u32>>,
    hexagon_by_node: Vec<HexCell>,
    /// The node that a step in each direction leads to, if there is or was such a step.
    beside_by_node: Vec<[u32; 6]>,
    /// The directions in which there are steps now.
    open_by_node: Vec<u8>,
    /// The directions in which there were steps when the hexagons were laid over the world.
    first_open_by_node: Vec<u8>,
    /// Whether steps were added or removed since then.
    has_changed: bool,
    chart: Chart,
}

impl Hexagons {
    /// Returns hexagons in columns and rows that have no nodes yet.
    pub(super) fn empty(columns: u32, rows: u32) -> Hexagons {
        Hexagons {
            columns,
            first_by_hexagon: vec![NO_NODE; columns as usize * rows as usize],
            others: BTreeMap::new(),
            hexagon_by_node: Vec::new(),
            beside_by_node: Vec::new(),
            open_by_node: Vec::new(),
            first_open_by_node: Vec::new(),
            has_changed: false,
            chart: Chart::default(),
        }
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.hexagon_by_node.len()
    }

    /// Returns the number of columns and of rows of hexagons.
    pub fn size(&self) -> (u32, u32) {
        (self.columns, self.first_by_hexagon.len() as u32 / self.columns)
    }

    /// Returns the hexagon that a node lies in.
    #[inline]
    pub fn hexagon(&self, node: u32) -> HexCell {
        self.hexagon_by_node[node as usize]
    }

    /// Returns the nodes of a hexagon; there are none off the world.
    pub fn nodes_in(&self, hexagon: HexCell) -> impl Iterator<Item = u32> + '_ {
        let index = self.index(hexagon);
        let first = index.map_or(NO_NODE, |index| self.first_by_hexagon[index as usize]);
        let others = index.and_then(|index| self.others.get(&index)).map_or(&[][..], |others| others);
        std::iter::once(first).filter(|&first| first != NO_NODE).chain(others.iter().copied())
    }

    /// Returns the directions in which there are steps from a node, a bit each.
    #[inline(always)]
    pub fn open(&self, node: u32) -> u8 {
        self.open_by_node[node as usize]
    }

    /// Returns the directions in which there were steps from a node when the hexagons were laid over the world.
    #[inline(always)]
    pub(super) fn first_open(&self, node: u32) -> u8 {
        self.first_open_by_node[node as usize]
    }

    /// Returns whether steps were added or removed since the hexagons were laid over the world.
    #[inline(always)]
    pub(super) fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Returns the node that a step in a direction leads to, or once led to.
    #[inline(always)]
    pub(super) fn beside(&self, node: u32, direction: usize) -> u32 {
        self.beside_by_node[node as usize][direction]
    }

    /// Returns the nodes that steps lead to from a node, each with its direction: 0 is to the right, and so on clockwise.
    pub fn steps(&self, node: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        let open = self.open(node);
        (0..6).filter(move |direction| open >> direction & 1 == 1).map(move |d| (d, self.beside(node, d)))
    }

    /// Returns the direction of the step from one node to another, or `None` if there is no such step now.
    #[inline]
    pub(super) fn direction(&self, from: u32, to: u32) -> Option<usize> {
        let (beside, open) = (&self.beside_by_node[from as usize], self.open(from));
        (0..6).find(|&direction| beside[direction] == to && open >> direction & 1 == 1)
    }

    /// Returns whether a step leads from one node to the other.
    pub fn is_step(&self, from: u32, to: u32) -> bool {
        self.direction(from, to).is_some()
    }

    /// Returns how many steps apart two nodes are where nothing is in the way.
    #[inline(always)]
    pub fn distance(&self, from: u32, to: u32) -> u32 {
        self.hexagon(from).distance(self.hexagon(to))
    }

    /// Returns how distinct the place of a node is, which follows from the steps that led from it when the hexagons were laid:
    /// 2 for doorways and junctions, 1 for corners and the ends of corridors, else 0.
    #[inline]
    pub fn distinctness(&self, node: u32) -> u8 {
        const DISTINCTNESS: [u8; 64] = distinctness_by_steps();
        DISTINCTNESS[usize::from(self.first_open(node))]
    }

    /// Returns all nodes that can be walked to from a node, itself first, in a fixed order.
    pub fn reachable(&self, from: u32) -> Vec<u32> {
        let mut is_reached = vec![false; self.nodes()];
        is_reached[from as usize] = true;
        let (mut reached, mut next) = (vec![from], 0);
        while let Some(&node) = reached.get(next) {
            next += 1;
            for (_, beside) in self.steps(node) {
                if !std::mem::replace(&mut is_reached[beside as usize], true) {
                    reached.push(beside);
                }
            }
        }
        reached
    }

    /// Returns how many tiles the nodes are numbered in.
    pub(super) fn tiles(&self) -> usize {
        self.nodes().div_ceil(NODES_PER_TILE)
    }

    /// Returns the bytes of memory that the hexagons take.
    pub fn bytes(&self) -> usize {
        let others: usize = self.others.values().map(|nodes| 4 * nodes.capacity() + 48).sum();
        4 * self.first_by_hexagon.capacity()
            + others
            + 4 * self.hexagon_by_node.capacity()
            + 24 * self.beside_by_node.capacity()
            + self.open_by_node.capacity()
            + self.first_open_by_node.capacity()
            + self.chart.bytes()
    }

    fn index(&self, hexagon: HexCell) -> Option<u32> {
        let at = hexagon.cell()?;
        let (column, row) = (u32::from(at.x), u32::from(at.y));
        let index = row * self.columns + column;
        (column < self.columns && (index as usize) < self.first_by_hexagon.len()).then_some(index)
    }

    /// Adds a node without steps to a hexagon and returns its index.
    pub(super) fn add(&mut self, hexagon: HexCell) -> u32 {
        let index = self.index(hexagon).expect("the hexagon lies in the columns and rows");
        let node = self.nodes() as u32;
        let first = &mut self.first_by_hexagon[index as usize];
        if *first == NO_NODE {
            *first = node;
        } else {
            self.others.entry(index).or_default().push(node);
        }
        self.hexagon_by_node.push(hexagon);
        self.beside_by_node.push([NO_NODE; 6]);
        self.open_by_node.push(0);
        self.first_open_by_node.push(0);
        node
    }

    /// Adds the step between two nodes in a direction, and the one back, unless a node has another step there.
    pub(super) fn join(&mut self, from: u32, direction: usize, to: u32) -> bool {
        let back = opposite(direction);
        if self.open(from) >> direction & 1 == 1 || self.open(to) >> back & 1 == 1 {
            return false;
        }
        self.has_changed = true;
        self.beside_by_node[from as usize][direction] = to;
        self.beside_by_node[to as usize][back] = from;
        self.open_by_node[from as usize] |= 1 << direction;
        self.open_by_node[to as usize] |= 1 << back;
        true
    }

    /// Removes all steps from and to a node. What they led to stays known.
    pub(super) fn part(&mut self, node: u32) {
        self.has_changed = true;
        for direction in 0..6 {
            if self.open(node) >> direction & 1 == 1 {
                let beside = self.beside(node, direction);
                self.open_by_node[beside as usize] &= !(1 << opposite(direction));
            }
        }
        self.open_by_node[node as usize] = 0;
    }

    /// Notes that all steps are those that a mind expects that has seen no change.
    pub(super) fn settle(&mut self) {
        self.first_open_by_node.clone_from(&self.open_by_node);
        self.has_changed = false;
        self.chart = Chart::new(self);
    }

    /// Returns the clusters of the hexagons as they were laid.
    pub(super) fn chart(&self) -> &Chart {
        &self.chart
    }
}

/// Returns the direction back.
#[inline(always)]
pub(super) const fn opposite(direction: usize) -> usize {
    (direction + 3) % 6
}

/// Returns the distinctness of a node for each set of directions in which there are steps. Walls part the steps around a node
/// into groups: three groups are a junction; two are a doorway if one of them is wider than a corridor; one group of at most two steps
/// is a corner, of one step the end of a corridor.
const fn distinctness_by_steps() -> [u8; 64] {
    let mut table = [0; 64];
    let mut open = 0;
    while open < 64 {
        let (mut groups, mut steps, mut direction) = (0, 0, 0);
        while direction < 6 {
            let before = open >> ((direction + 5) % 6) & 1;
            let here = open >> direction & 1;
            if here == 1 {
                steps += 1;
                groups += 1 - before;
            }
            direction += 1;
        }
        table[open] = match (groups, steps) {
            (3, _) | (2, 3..) => 2,
            (1, 1..=2) => 1,
            _ => 0,
        };
        open += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doorways_junctions_and_corners_are_distinct() {
        let table = distinctness_by_steps();
        assert_eq!(
            (table[0b11_1111], table[0b00_1001], table[0b00_0111]),
            (0, 0, 0),
            "open ground, a corridor, a wall"
        );
        assert_eq!((table[0b01_1101], table[0b01_0101]), (2, 2), "a doorway, a junction");
        assert_eq!((table[0b00_0011], table[0b00_1000]), (1, 1), "a corner, the end of a corridor");
    }
}
