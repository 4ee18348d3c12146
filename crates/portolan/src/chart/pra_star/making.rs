//! Makes the layers, each from the layer below: first its nodes, then the edges between them.
//!
//! Not here: how the nodes (`blocks`) and the edges (`linking`) of a single block are made.

use super::blocks::BlockScratch;
use super::layers::{ANYWHERE, Layer, Layers, Plan};
use super::tiles::Tiles;
use crate::space::square::SquareGrid;
use crate::space::square::moves::S;
use std::ops::Range;

impl Layers {
    pub(super) fn new(grid: &SquareGrid) -> Layers {
        let tiles = Tiles::new(grid);
        let mut layers = Layers { tiles, upper: Vec::new() };
        let mut room = BlockScratch::default();
        let (mut across, mut down) = (layers.tiles.plan.across, layers.tiles.plan.down);
        while across > 1 || down > 1 {
            (across, down) = (across.div_ceil(2), down.div_ceil(2));
            layers.add(grid, Layer::new(across, down, true), &mut room);
        }
        layers.top_out(grid, &mut room);
        layers
    }

    fn add(&mut self, grid: &SquareGrid, layer: Layer, room: &mut BlockScratch) {
        let Plan { across, down, .. } = layer.plan;
        self.upper.push(layer);
        let level = self.upper.len() - 1;
        // Space for one node per block, since most blocks have one. Without it the nodes would be moved each time the
        // array grows, which takes longer than making them.
        self.upper[level].nodes.reserve(across * down);
        if level == 0 {
            // The constant 0 makes the compiler write separate code for the layer above the tiles, where most of the
            // work is.
            self.fill(grid, 0, (across, down), room);
        } else {
            self.fill(grid, level, (across, down), room);
        }
    }

    #[inline(always)]
    fn fill(&mut self, grid: &SquareGrid, level: usize, (across, down): (usize, usize), room: &mut BlockScratch) {
        for y in 0..down {
            for x in 0..across {
                self.make_block(grid, level, (x, y), room);
            }
        }
        for y in 0..down {
            for x in 0..across {
                self.make_edges(grid, level, (x, y), room);
            }
        }
    }

    /// Adds layers of a single block until every connected area is one node.
    pub(super) fn top_out(&mut self, grid: &SquareGrid, room: &mut BlockScratch) {
        while self.has_edges() {
            self.add(grid, Layer::new(1, 1, false), room);
        }
    }

    /// Returns whether the topmost layer, which is a single block, has edges.
    fn has_edges(&self) -> bool {
        if let Some(layer) = self.upper.last() {
            let nodes = layer.nodes.of(layer.nodes_by_block[layer.plan.at(0, 0)]);
            return nodes.iter().any(|node| node.edges.count() > 0);
        }
        let mut any = false;
        for clique in 0..2 {
            let node = (2 * self.tiles.plan.at(0, 0) + clique) as u32;
            if self.tiles.cells(node) != 0 {
                self.tiles.for_each_neighbour(node, ANYWHERE, |_, _| any = true);
            }
        }
        any
    }

    #[inline(always)]
    pub(super) fn plan_below(&self, level: usize) -> &Plan {
        if level == 0 { &self.tiles.plan } else { &self.upper[level - 1].plan }
    }

    /// Returns the nodes of a block of the layer below `upper[level]`.
    #[inline(always)]
    pub(super) fn below(&self, level: usize, block: usize) -> Range<usize> {
        match level {
            0 => 2 * block..2 * block + self.tiles.count(block),
            _ => self.upper[level - 1].nodes_by_block[block].range(),
        }
    }

    #[inline(always)]
    pub(super) fn first_below(&self, level: usize, block: usize) -> u32 {
        if level == 0 { (2 * block) as u32 } else { self.upper[level - 1].nodes_by_block[block].at }
    }

    /// Returns the state of a block of the layer below `upper[level]`, as the bits `SOME`, `MANY` and `OPEN`.
    #[inline(always)]
    pub(super) fn state_below(&self, level: usize, block: usize) -> u8 {
        if level == 0 { self.tiles.state(block) } else { self.upper[level - 1].state[block] }
    }

    #[inline(always)]
    pub(super) fn parent_slot(&self, level: usize, node: u32) -> Option<u32> {
        if level == 0 { self.tiles.parent(node) } else { self.upper[level - 1].node(node).parent() }
    }

    /// Returns the blocks of the layer below that a block is made of: for each, which quarter it is, and its number.
    /// Quarters outside the world are left out.
    #[inline(always)]
    pub(super) fn quarters(
        &self,
        level: usize,
        (x, y): (usize, usize),
    ) -> impl Iterator<Item = (usize, usize)> + use<> {
        let plan = *self.plan_below(level);
        let halves = self.upper[level].halves;
        (0..if halves { 4 } else { 1 }).filter_map(move |quarter| {
            let (x, y) = if halves { (2 * x + quarter % 2, 2 * y + quarter / 2) } else { (x, y) };
            (x < plan.across && y < plan.down).then(|| (quarter, plan.at(x, y)))
        })
    }

    /// Returns the numbers of the four quarters of a block, including those that lie outside the world, in the rim.
    #[inline(always)]
    pub(super) fn four(&self, level: usize, (x, y): (usize, usize)) -> [usize; 4] {
        let plan = self.plan_below(level);
        let corner = plan.at(2 * x, 2 * y);
        let below = plan.beside(corner, S.into());
        [corner, corner + 1, below, below + 1]
    }

    /// Calls `visit` for every neighbour that a node of the layer below has in `directions`, a set with one bit each.
    /// The arguments are the direction of the neighbour's block and its place in it.
    #[inline(always)]
    pub(super) fn links(&self, level: usize, node: u32, directions: u16, mut visit: impl FnMut(usize, u32)) {
        if level == 0 {
            return self.tiles.for_each_neighbour(node, directions, visit);
        }
        let below = &self.upper[level - 1];
        let edges = below.node(node).edges;
        let Some(list) = edges.list() else {
            return edges.bits_in(directions).for_each(|(direction, place)| visit(direction, place));
        };
        let wanted = |&(direction, _): &(usize, u32)| directions >> direction & 1 == 1;
        below.listed(list).filter(wanted).for_each(|(direction, place)| visit(direction, place));
    }
}
