//! Repairs the layers after edits. Layer by layer, the blocks that the edits lie in are made anew, and all edges that
//! can have changed. Where the children of a block and their edges have not changed, only the middles of its nodes are
//! computed again.
//!
//! Not here: how a block (`blocks`) and its edges (`linking`) are made.

use super::blocks::BlockScratch;
use super::layers::{Layer, Layers};
use crate::space::Edit;
use crate::space::square::SquareGrid;

/// A bit that is added to the state of a block while its layer is repaired: the edges of the block are to be made anew.
const DUE: u8 = 8;

/// A block that edits lie in.
#[derive(Copy, Clone)]
struct Dirty {
    place: (usize, usize),
    /// Before the block is repaired: whether what it is made of has changed. Afterwards: whether it has different
    /// nodes, or nodes with different children.
    is_renewed: bool,
}

impl Dirty {
    /// Returns the key by which blocks are sorted: row, then column.
    fn by_row(&self) -> (usize, usize) {
        (self.place.1, self.place.0)
    }
}

/// Memory for a repair, reused from layer to layer.
struct RepairScratch {
    room: BlockScratch,
    /// The numbers of blocks whose edges are to be made anew.
    due: Vec<usize>,
    /// The places of blocks of the layer below whose edges have changed.
    changed: Vec<(usize, usize)>,
}

impl Layers {
    /// Repairs the layers after edits that `grid` already contains. Returns the places of the tiles that the edits lie
    /// in.
    pub(super) fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Vec<(usize, usize)> {
        let mut dirty = Vec::new();
        for edit in edits {
            self.tiles.look(grid, edit.area);
            let (x, y) = (usize::from(edit.area.x), usize::from(edit.area.y));
            let (right, bottom) = (x + usize::from(edit.area.width) - 1, y + usize::from(edit.area.height) - 1);
            let tiles = (y / 2..=bottom / 2).flat_map(|y| (x / 2..=right / 2).map(move |x| (x, y)));
            dirty.extend(tiles.map(|place| Dirty { place, is_renewed: true }));
        }
        merge(&mut dirty);
        let tiles = dirty.iter().map(|tile| tile.place).collect();
        let (due, changed) = (Vec::with_capacity(64), Vec::with_capacity(64));
        let mut room = RepairScratch { room: BlockScratch::default(), due, changed };
        let lasting = self.upper.iter().take_while(|layer| layer.halves).count();
        for level in 0..lasting {
            for block in &mut dirty {
                block.place = (block.place.0 / 2, block.place.1 / 2);
            }
            merge(&mut dirty);
            self.repair_layer(grid, level, &mut dirty, &mut room);
        }
        let RepairScratch { room, changed, .. } = &mut room;
        if !changed.is_empty() || dirty.iter().any(|block| block.is_renewed) {
            // The layers of a single block are few and small, and their number may change: all of them are made anew.
            self.upper.truncate(lasting);
            self.top_out(grid, room);
        } else {
            for level in lasting..self.upper.len() {
                self.move_middles(grid, level, (0, 0), room);
            }
        }
        tiles
    }

    fn repair_layer(&mut self, grid: &SquareGrid, level: usize, dirty: &mut [Dirty], room: &mut RepairScratch) {
        let RepairScratch { room, due, changed } = room;
        for &(x, y) in &*changed {
            // The block that this one is part of has to be made anew, but only if an edit lies in it: steps inside a
            // block depend on its own cells, so that without an edit only edges that lead out of it can have changed.
            if let Ok(index) = dirty.binary_search_by_key(&(y / 2, x / 2), Dirty::by_row) {
                dirty[index].is_renewed = true;
            }
        }
        for block in &mut *dirty {
            if block.is_renewed {
                block.is_renewed = self.make_block(grid, level, block.place, room);
            } else {
                self.move_middles(grid, level, block.place, room);
            }
        }
        let layer = &mut self.upper[level];
        let plan = layer.plan;
        for &(x, y) in &*changed {
            layer.call(plan.at(x / 2, y / 2), due);
        }
        for block in dirty.iter().filter(|block| block.is_renewed || level == 0) {
            let at = plan.at(block.place.0, block.place.1);
            layer.call(at, due);
            for direction in 0..8 {
                let other = plan.beside(at, direction);
                // Which edges of the tiles have changed is not known, so that at level 0 the edges of all blocks around
                // are made anew.
                let touches = layer.touch[other] >> (direction ^ 4) & 1 == 1;
                if touches || (level == 0 && layer.state[other] != 0) {
                    layer.call(other, due);
                }
            }
        }
        changed.clear();
        for block in due.drain(..) {
            let place = plan.place(block);
            if self.make_edges(grid, level, place, room) {
                changed.push(place);
            }
            self.upper[level].state[block] &= !DUE;
        }
    }
}

impl Layer {
    /// Adds a block to those whose edges are to be made anew, unless it is among them already.
    fn call(&mut self, block: usize, due: &mut Vec<usize>) {
        let state = &mut self.state[block];
        if *state & DUE == 0 {
            *state |= DUE;
            due.push(block);
        }
    }
}

/// Sorts blocks by row and column, and merges entries for one block into one.
fn merge(dirty: &mut Vec<Dirty>) {
    let is_same = |block: &mut Dirty, kept: &mut Dirty| {
        let is_same = block.place == kept.place;
        kept.is_renewed |= is_same && block.is_renewed;
        is_same
    };
    // Most entries for one block are next to each other already: without them there is less to sort.
    dirty.dedup_by(is_same);
    dirty.sort_unstable_by_key(Dirty::by_row);
    dirty.dedup_by(is_same);
}
