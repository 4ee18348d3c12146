//! Following edits: the blocks they lie in are made anew, layer by layer, and edges that can have changed. Where a block is
//! made of what it was made of before, only the middles of its nodes are found anew.

use super::blocks::BlockScratch;
use super::layers::{Layer, Layers};
use crate::world::Edit;
use crate::world::square::SquareGrid;

/// Told of a block, beside its state, while a layer is repaired: its edges are to be made anew.
const DUE: u8 = 8;

/// A block that edits lie in.
#[derive(Copy, Clone)]
struct Dirty {
    place: (usize, usize),
    /// Whether what it is made of has changed and, once it is made anew, whether that gave it other nodes, or these other
    /// children.
    is_renewed: bool,
}

impl Dirty {
    /// Blocks are in this order.
    fn by_row(&self) -> (usize, usize) {
        (self.place.1, self.place.0)
    }
}

/// What a repair takes.
struct RepairScratch {
    room: BlockScratch,
    /// Blocks whose edges are to be made anew.
    due: Vec<usize>,
    /// Blocks of the layer below whose edges changed.
    changed: Vec<(usize, usize)>,
}

impl Layers {
    /// Follows edits; the places of tiles that were looked at anew.
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
            // Layers of a single block are few and small: they are made anew, since there may be more or fewer now.
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
            // What it lies in has to be made anew. Unless no edit lies there: steps inside a block follow from its own cells,
            // so that only edges leading out of it can be others.
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
                // Nothing tells of tiles which of their edges changed: all around are looked at.
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
    /// Has the edges of a block made anew.
    fn call(&mut self, block: usize, due: &mut Vec<usize>) {
        let state = &mut self.state[block];
        if *state & DUE == 0 {
            *state |= DUE;
            due.push(block);
        }
    }
}

/// Brings blocks in order and makes one of those that are the same.
fn merge(dirty: &mut Vec<Dirty>) {
    let is_same = |block: &mut Dirty, kept: &mut Dirty| {
        let is_same = block.place == kept.place;
        kept.is_renewed |= is_same && block.is_renewed;
        is_same
    };
    // Most of those that are the same stand next to each other already.
    dirty.dedup_by(is_same);
    dirty.sort_unstable_by_key(Dirty::by_row);
    dirty.dedup_by(is_same);
}
