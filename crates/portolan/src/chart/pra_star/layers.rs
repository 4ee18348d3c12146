//! The layers: cliques of cells, cliques of cliques, and so on, until every connected area is one node.
//!
//! The world is cut into blocks, of 2 × 2 cells on the first layer and of 2 × 2 blocks of the layer below on every other, and
//! cliques are made inside a block. What becomes of a block follows from its own cells alone: steps inside it and the
//! sides it is touched from. So an edit concerns the blocks it lies in, one a layer, and the edges of those beside them;
//! what it leaves is what building anew would give.
//!
//! A node with no neighbours inside its block that touches no side of it is a whole connected area, and goes no further
//! up. Where a layer is one block that is still not down to single areas, further layers are made of that block.

use super::edges::Edges;
use super::tiles::Tiles;
use crate::chart::shared::arena::{Arena, Span};
use crate::id::Cell;
use crate::world::moves::STEP;
use crate::world::square::SquareGrid;
use std::collections::BTreeMap;

/// The direction that leads nowhere: a neighbour in the same block.
pub(super) const OWN: usize = 8;
/// All directions, one bit each.
pub(super) const ANYWHERE: u16 = (1 << (OWN + 1)) - 1;
/// Parts of a cell that centres are measured in.
pub(super) const GRAIN: u32 = 16;
/// Bits of a listed edge that hold the place of a node in its block; the direction of the block is above.
pub(super) const SLOT_BITS: u32 = 28;
/// These bits.
const SLOT: u32 = (1 << SLOT_BITS) - 1;
/// The place of a parent where there is none.
pub(super) const NONE: u32 = SLOT;

/// What is known of a block's nodes, as bits: there is one; there are more; its cells are all free, and make a single one.
pub(super) const SOME: u8 = 1;
pub(super) const MANY: u8 = 2;
pub(super) const OPEN: u8 = 4;

/// Sides of a block, as bits.
#[derive(Copy, Clone)]
pub(super) enum Side {
    North,
    East,
    South,
    West,
}

/// Places of blocks as numbers, with a rim of empty ones around them. Rows are a power of two apart.
#[derive(Copy, Clone, Debug)]
pub(super) struct Plan {
    pub(super) across: usize,
    pub(super) down: usize,
    row: u32,
    /// How far apart neighbours are, by direction; the last is none.
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

    /// How many numbers there are.
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

/// What is known of a node as a whole.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Body {
    /// The middle of its cells, in parts of a cell.
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) cells: u32,
    /// The mean weight of its cells, in parts of 1.
    pub(super) weight: u32,
}

/// A node above the first layer.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Node {
    pub(super) body: Body,
    pub(super) block: u32,
    /// Its place in the block above, and the sides of its own block that it touches, one bit each, over that.
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
    /// Whether a block is four of the layer below, or the only one of it.
    pub(super) halves: bool,
    /// What is known of a block's nodes.
    pub(super) state: Vec<u8>,
    /// The directions in which a block touches others, one bit each.
    pub(super) touch: Vec<u8>,
    pub(super) nodes: Arena<Node>,
    pub(super) nodes_by_block: Vec<Span>,
    /// Those edges that are listed, with direction of a block and place in it; few blocks have any.
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

    /// Calls `visit` with direction and place of every neighbour.
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
            + self.state.capacity()
            + self.touch.capacity()
            + size_of::<Span>() * (self.nodes_by_block.capacity() + self.edges_by_block.len())
    }
}

/// All layers over a world.
#[derive(Clone)]
pub(super) struct Layers {
    pub(super) tiles: Tiles,
    /// From the second on.
    pub(super) upper: Vec<Layer>,
}

/// Layers count from 1, the tiles.
impl Layers {
    /// How many layers there are, cells not counted.
    pub(super) fn count(&self) -> usize {
        1 + self.upper.len()
    }

    /// One more than the greatest number of a node.
    pub(super) fn nodes(&self, layer: usize) -> usize {
        if layer == 1 { self.tiles.nodes() } else { self.upper[layer - 2].nodes.len() }
    }

    /// Where to keep what is known of a node. Few tiles have a second clique: apart from the first ones they are not in
    /// the way.
    #[inline(always)]
    pub(super) fn index(&self, layer: usize, node: u32) -> usize {
        if layer > 1 { node as usize } else { (node as usize & 1) * self.tiles.plan.count() + node as usize / 2 }
    }

    /// The node of the layer above that a node is part of.
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

    /// The node of a layer that a free cell is part of, if its area goes that far up.
    #[inline(always)]
    pub(super) fn ancestor(&self, cell: Cell, layer: usize) -> Option<u32> {
        (1..layer).try_fold(self.tiles.node(cell), |node, below| self.parent(below, node))
    }

    /// The neighbours of a node.
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

    /// The nodes of the layer below that a node above the first layer is made of.
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

    /// The first cell of a node: what stands for it where cells are wanted.
    pub(super) fn first_cell(&self, layer: usize, mut node: u32) -> Cell {
        for layer in (2..=layer).rev() {
            let mut first = None;
            self.for_each_child(layer, node, |child| first = first.or(Some(child)));
            node = first.expect("a node is made of some");
        }
        self.tiles.cell(node, self.tiles.cells(node).trailing_zeros() as usize)
    }

    /// Nodes and edges of a layer.
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
        self.tiles.bytes() + self.upper.iter().map(Layer::bytes).sum::<usize>()
    }
}
