//! The layers: cliques of cells, cliques of cliques, and so on, until every connected area is one node.
//!
//! The world is cut into blocks: of 2 × 2 cells on the first layer, and of 2 × 2 blocks of the layer below on every
//! other. Cliques are made inside a block. The nodes of a block depend on its own cells alone: on the steps inside it,
//! and on which free cells lie at its sides. So an edit of a cell can change the nodes of only one block on each layer,
//! and the edges of only that block and the blocks beside it. A repaired chart is equal to one that is built anew.
//!
//! A node that has no neighbour inside its block and lies at none of the block's sides is a whole connected area. It
//! has no parent: it is not part of the layers above. If the topmost layer is a single block and still has edges,
//! further layers of that one block are added until there are none.
//!
//! Not here: making nodes (`blocks`) and edges (`linking`), and repairing them (`repair`).

use super::edges::Edges;
use super::tiles::Tiles;
use crate::chart::shared::arena::{Arena, Span};
use crate::id::Cell;
use crate::memory::held;
use crate::space::square::SquareGrid;
use crate::space::square::moves::STEP;
use std::collections::BTreeMap;

/// The direction from a block to itself, which is that of a neighbour inside the block. Its number follows those of the
/// eight directions of a step.
pub(super) const OWN: usize = 8;
/// All directions and `OWN`, one bit each.
pub(super) const ANYWHERE: u16 = (1 << (OWN + 1)) - 1;
/// The number of parts into which a cell is divided to measure middles. Mean weights are multiplied by it as well.
pub(super) const GRAIN: u32 = 16;
/// The number of low bits of a listed edge that hold the place of a node in its block. The bits above hold the
/// direction of that block.
pub(super) const SLOT_BITS: u32 = 28;
/// The mask of the bits that hold a place.
const SLOT: u32 = (1 << SLOT_BITS) - 1;
/// A sentinel for "no parent", where the place of a parent is kept.
pub(super) const NONE: u32 = SLOT;

/// A bit of a block's state: the block has at least one node.
pub(super) const SOME: u8 = 1;
/// A bit of a block's state: the block has more than one node.
pub(super) const MANY: u8 = 2;
/// A bit of a block's state: all cells of the block are free and make a single node.
pub(super) const OPEN: u8 = 4;

/// A side of a block. Its number is that of its bit in a set of sides.
#[derive(Copy, Clone)]
pub(super) enum Side {
    North,
    East,
    South,
    West,
}

/// How the blocks of a layer are numbered: row by row, with a rim of empty blocks around them, so that every block has
/// a neighbour in each direction. The numbers of two rows differ by a power of two.
#[derive(Copy, Clone, Debug)]
pub(super) struct Plan {
    pub(super) across: usize,
    pub(super) down: usize,
    /// The binary logarithm of how far the numbers of two rows are apart.
    row: u32,
    /// By direction: the difference between the numbers of a neighbour and of a block. The last is 0, for `OWN`.
    pub(super) offsets: [isize; 9],
}

impl Plan {
    pub(super) fn new(across: usize, down: usize) -> Plan {
        let row = (across + 2).next_power_of_two().ilog2();
        let mut offsets = [0; 9];
        for (offset, &(dx, dy)) in offsets.iter_mut().zip(&STEP) {
            *offset = dy as isize * (1 << row) + dx as isize;
        }
        Plan { across, down, row, offsets }
    }

    /// Returns how many numbers there are, those of the rim included.
    pub(super) fn count(&self) -> usize {
        (self.down + 2) << self.row
    }

    #[inline(always)]
    pub(super) fn at(&self, x: usize, y: usize) -> usize {
        ((y + 1) << self.row) + x + 1
    }

    #[inline(always)]
    pub(super) fn place(&self, block: usize) -> (usize, usize) {
        ((block & ((1 << self.row) - 1)) - 1, (block >> self.row) - 1)
    }

    #[inline(always)]
    pub(super) fn beside(&self, block: usize, direction: usize) -> usize {
        block.wrapping_add_signed(self.offsets[direction])
    }
}

/// The position, size and weight of a node as a whole.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Body {
    /// The column of the middle of its cells, times `GRAIN`.
    pub(super) x: u32,
    /// The row of the middle of its cells, times `GRAIN`.
    pub(super) y: u32,
    /// How many cells it has.
    pub(super) cells: u32,
    /// The mean weight of its cells, times `GRAIN`.
    pub(super) weight: u32,
}

/// A node above the first layer.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Node {
    pub(super) body: Body,
    pub(super) block: u32,
    /// The place of its parent in the block above, in the low `SLOT_BITS` bits; above these, the sides of its own block
    /// that it lies at, one bit each.
    up: u32,
    pub(super) edges: Edges,
}

impl Node {
    pub(super) fn new(block: usize, body: Body, sides: u8) -> Node {
        Node { body, block: block as u32, up: u32::from(sides) << SLOT_BITS | NONE, edges: Edges::default() }
    }

    #[inline(always)]
    pub(super) fn parent(&self) -> Option<u32> {
        let parent = self.up & SLOT;
        (parent != NONE).then_some(parent)
    }

    #[inline(always)]
    pub(super) fn set_parent(&mut self, slot: Option<u32>) {
        self.up = self.up & !SLOT | slot.unwrap_or(NONE);
    }

    #[inline(always)]
    pub(super) fn sides(&self) -> u8 {
        (self.up >> SLOT_BITS) as u8
    }
}

/// A layer above the first.
#[derive(Clone)]
pub(super) struct Layer {
    pub(super) plan: Plan,
    /// Whether a block is made of 2 × 2 blocks of the layer below. If not, both layers are a single block.
    pub(super) halves: bool,
    /// By block: what is known of its nodes, as the bits `SOME`, `MANY` and `OPEN`.
    pub(super) state: Vec<u8>,
    /// By block: the directions in which a step leads from it to another block, one bit each.
    pub(super) touch: Vec<u8>,
    pub(super) nodes: Arena<Node>,
    pub(super) nodes_by_block: Vec<Span>,
    /// The edges that are listed: the direction of a block and, in the low `SLOT_BITS` bits, a place in it. Few blocks
    /// have any.
    pub(super) edges: Arena<u32>,
    pub(super) edges_by_block: BTreeMap<usize, Span>,
}

impl Layer {
    pub(super) fn new(across: usize, down: usize, halves: bool) -> Layer {
        let plan = Plan::new(across, down);
        Layer {
            plan,
            halves,
            state: vec![0; plan.count()],
            touch: vec![0; plan.count()],
            nodes: Arena::default(),
            nodes_by_block: vec![Span::default(); plan.count()],
            edges: Arena::default(),
            edges_by_block: BTreeMap::new(),
        }
    }

    #[inline(always)]
    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes.items()[node as usize]
    }

    /// Calls `visit` for every neighbour of a node, with the direction of its block and its place in it.
    #[inline(always)]
    pub(super) fn for_each_edge(&self, node: u32, mut visit: impl FnMut(usize, u32)) {
        let edges = self.node(node).edges;
        match edges.list() {
            None => edges.bits().for_each(|(direction, place)| visit(direction, place)),
            Some(list) => self.listed(list).for_each(|(direction, place)| visit(direction, place)),
        }
    }

    pub(super) fn listed(&self, list: std::ops::Range<usize>) -> impl Iterator<Item = (usize, u32)> {
        self.edges.items()[list].iter().map(|&edge| ((edge >> SLOT_BITS) as usize, edge & SLOT))
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.edges.bytes()
            + held(&self.state)
            + held(&self.touch)
            + held(&self.nodes_by_block)
            // The nodes of a map are about half full.
            + 2 * self.edges_by_block.len() * size_of::<(usize, Span)>()
    }
}

/// All layers over a world.
#[derive(Clone)]
pub(super) struct Layers {
    pub(super) tiles: Tiles,
    /// The layers from the second on. A `level` is an index into this list.
    pub(super) upper: Vec<Layer>,
}

/// Layers are numbered from 1, the tiles. So the layer at `level` of `upper` has the number `level + 2`.
impl Layers {
    /// Returns how many layers there are. The cells are not counted as one.
    pub(super) fn count(&self) -> usize {
        1 + self.upper.len()
    }

    /// Returns a number that is greater than that of any node of a layer.
    pub(super) fn nodes(&self, layer: usize) -> usize {
        if layer == 1 { self.tiles.nodes() } else { self.upper[layer - 2].nodes.len() }
    }

    /// Returns the index of a node in arrays of records. On layer 1 the second cliques of all tiles come after all
    /// first ones: few tiles have a second clique, and so the records that are used lie closer together.
    #[inline(always)]
    pub(super) fn index(&self, layer: usize, node: u32) -> usize {
        if layer > 1 { node as usize } else { (node as usize & 1) * self.tiles.plan.count() + node as usize / 2 }
    }

    /// Returns the node of the layer above that a node is part of, or `None` if the node is a whole area.
    #[inline(always)]
    pub(super) fn parent(&self, layer: usize, node: u32) -> Option<u32> {
        let slot = self.parent_slot(layer - 1, node)?;
        let above = self.upper.get(layer - 1)?;
        let (x, y) = match layer {
            1 => self.tiles.plan.place(node as usize / 2),
            _ => self.upper[layer - 2].plan.place(self.upper[layer - 2].node(node).block as usize),
        };
        let block = if above.halves { above.plan.at(x / 2, y / 2) } else { above.plan.at(x, y) };
        Some(above.nodes_by_block[block].at + slot)
    }

    /// Returns the node of a layer that a free cell is part of, or `None` if the cell's area is a single node further
    /// down.
    #[inline(always)]
    pub(super) fn ancestor(&self, cell: Cell, layer: usize) -> Option<u32> {
        (1..layer).try_fold(self.tiles.node(cell), |node, below| self.parent(below, node))
    }

    /// Calls `visit` with every neighbour of a node.
    #[inline(always)]
    pub(super) fn for_each_neighbour(&self, layer: usize, node: u32, mut visit: impl FnMut(u32)) {
        if layer == 1 {
            let (tile, plan) = (node as usize / 2, &self.tiles.plan);
            self.tiles.for_each_neighbour(node, ANYWHERE, |direction, clique| {
                visit((2 * plan.beside(tile, direction)) as u32 + clique);
            });
        } else {
            let layer = &self.upper[layer - 2];
            let block = layer.node(node).block as usize;
            layer.for_each_edge(node, |direction, slot| {
                visit(layer.nodes_by_block[layer.plan.beside(block, direction)].at + slot);
            });
        }
    }

    #[inline(always)]
    pub(super) fn body(&self, grid: &SquareGrid, layer: usize, node: u32) -> Body {
        if layer == 1 { self.tiles.body(grid, node) } else { self.upper[layer - 2].node(node).body }
    }

    /// Calls `visit` with every node of the layer below that a node is made of. `layer` is at least 2.
    pub(super) fn for_each_child(&self, layer: usize, node: u32, mut visit: impl FnMut(u32)) {
        let level = layer - 2;
        let above = &self.upper[level];
        let block = above.node(node).block as usize;
        let slot = node - above.nodes_by_block[block].at;
        for (_, quarter) in self.quarters(level, above.plan.place(block)) {
            let children = self.below(level, quarter).map(|child| child as u32);
            children.filter(|&child| self.parent_slot(level, child) == Some(slot)).for_each(&mut visit);
        }
    }

    /// Returns the first cell of a node, which represents the node in a probe's events.
    pub(super) fn first_cell(&self, layer: usize, mut node: u32) -> Cell {
        for layer in (2..=layer).rev() {
            let mut first = None;
            self.for_each_child(layer, node, |child| first = first.or(Some(child)));
            node = first.expect("a node is made of some");
        }
        self.tiles.cell(node, self.tiles.cells(node).trailing_zeros() as usize)
    }

    /// Returns three counts of a layer: blocks that have nodes, nodes, and edges.
    pub(super) fn census(&self, layer: usize) -> (usize, usize, usize) {
        if layer == 1 {
            let (mut nodes, mut edges, mut blocks) = (0, 0, 0);
            for y in 0..self.tiles.plan.down {
                for x in 0..self.tiles.plan.across {
                    let tile = self.tiles.plan.at(x, y);
                    let count = self.tiles.count(tile);
                    blocks += usize::from(count > 0);
                    nodes += count;
                    for node in 2 * tile..2 * tile + count {
                        self.tiles.for_each_neighbour(node as u32, ANYWHERE, |_, _| edges += 1);
                    }
                }
            }
            return (blocks, nodes, edges / 2);
        }
        let layer = &self.upper[layer - 2];
        let used = layer.nodes_by_block.iter().filter(|span| span.len > 0);
        let nodes = used.clone().flat_map(|&span| layer.nodes.of(span));
        let (count, edges) = nodes.fold((0, 0), |(count, edges), node| (count + 1, edges + node.edges.count()));
        (used.count(), count, edges / 2)
    }

    pub(super) fn bytes(&self) -> usize {
        self.tiles.bytes() + held(&self.upper) + self.upper.iter().map(Layer::bytes).sum::<usize>()
    }
}
