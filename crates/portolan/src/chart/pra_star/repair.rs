//! Following edits: the blocks they lie in are made anew, layer by layer, and the edges of those beside them. Where that
//! left the nodes of a block and the edges around it as they were, the layers above need to know only where the middles of
//! their nodes are now.

use super::blocks::Bench;
use super::layers::{Layers, Plan};
use crate::world::Edit;
use crate::world::square::SquareGrid;

/// Told of a block, beside its state, while a layer is repaired: it is among those whose edges are made anew; they changed.
const SEEN: u8 = 8;
const CHANGED: u8 = 16;

/// A block that edits lie in.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Dirty {
    place: (usize, usize),
    /// Whether more than middles can have changed.
    is_stirred: bool,
}

impl Layers {
    /// Follows edits; the places of tiles that were looked at anew.
    pub(super) fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Vec<(usize, usize)> {
        let mut tiles = Vec::new();
        for edit in edits {
            self.tiles.look(grid, edit.area);
            let (x, y) = (usize::from(edit.area.x), usize::from(edit.area.y));
            let (right, bottom) = (x + usize::from(edit.area.width) - 1, y + usize::from(edit.area.height) - 1);
            tiles.extend((y / 2..=bottom / 2).flat_map(|y| (x / 2..=right / 2).map(move |x| (x, y))));
        }
        sort(&mut tiles);
        let mut dirty: Vec<Dirty> = tiles.iter().map(|&place| Dirty { place, is_stirred: true }).collect();
        let (mut bench, mut beside) = (Bench::default(), Vec::new());
        let lasting = self.upper.iter().take_while(|layer| layer.halves).count();
        for level in 0..lasting {
            rise(&mut dirty);
            self.repair_layer(grid, level, &mut dirty, &mut beside, &mut bench);
        }
        if dirty.iter().any(|block| block.is_stirred) {
            // Layers of a single block are few and small: they are made anew, since there may be more or fewer now.
            self.upper.truncate(lasting);
            self.top_out(grid, &mut bench);
        } else {
            for level in lasting..self.upper.len() {
                self.move_middles(grid, level, (0, 0), &mut bench);
            }
        }
        tiles
    }

    fn repair_layer(
        &mut self,
        grid: &SquareGrid,
        level: usize,
        dirty: &mut [Dirty],
        beside: &mut Vec<(usize, usize)>,
        bench: &mut Bench,
    ) {
        let plan = self.upper[level].plan;
        beside.clear();
        let mut changed = Vec::with_capacity(dirty.len());
        for block in &*dirty {
            if !block.is_stirred {
                self.move_middles(grid, level, block.place, bench);
                changed.push(false);
                continue;
            }
            changed.push(self.make_block(grid, level, block.place, bench));
        }
        for block in dirty.iter().filter(|block| block.is_stirred) {
            for (x, y) in around(&plan, block.place) {
                let state = &mut self.upper[level].state[plan.at(x, y)];
                if *state & SEEN == 0 {
                    *state |= SEEN;
                    beside.push((x, y));
                }
            }
        }
        for &(x, y) in &*beside {
            if self.make_edges(grid, level, (x, y), bench) {
                self.upper[level].state[plan.at(x, y)] |= CHANGED;
            }
        }
        let state = &mut self.upper[level].state;
        for (block, nodes_changed) in dirty.iter_mut().zip(changed) {
            block.is_stirred = block.is_stirred
                && (nodes_changed || around(&plan, block.place).any(|(x, y)| state[plan.at(x, y)] & CHANGED != 0));
        }
        for &(x, y) in &*beside {
            state[plan.at(x, y)] &= !(SEEN | CHANGED);
        }
    }
}

/// The blocks that some lie in, one layer further up.
fn rise(dirty: &mut Vec<Dirty>) {
    for block in &mut *dirty {
        block.place = (block.place.0 / 2, block.place.1 / 2);
    }
    let merge = |block: &mut Dirty, kept: &mut Dirty| {
        let is_same = block.place == kept.place;
        kept.is_stirred |= is_same && block.is_stirred;
        is_same
    };
    // Most of those in the same one stand next to each other already.
    dirty.dedup_by(merge);
    dirty.sort_unstable_by_key(|block| (block.place.1, block.place.0));
    dirty.dedup_by(merge);
}

/// A block and those beside it.
fn around(plan: &Plan, (x, y): (usize, usize)) -> impl Iterator<Item = (usize, usize)> + use<> {
    let columns = x.saturating_sub(1)..(x + 2).min(plan.across);
    (y.saturating_sub(1)..(y + 2).min(plan.down)).flat_map(move |y| columns.clone().map(move |x| (x, y)))
}

fn sort(places: &mut Vec<(usize, usize)>) {
    places.sort_unstable_by_key(|&(x, y)| (y, x));
    places.dedup();
}
