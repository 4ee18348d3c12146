//! Following edits: the blocks they lie in are made anew, layer by layer, and the edges of those beside them. Where that
//! left the nodes of a block and the edges around it as they were, the layers above need to know only where the middles of
//! their nodes are now.

use super::blocks::Bench;
use super::layers::{Layer, Layers, Plan};
use crate::world::Edit;
use crate::world::square::SquareGrid;

/// Told of a block, beside its state, while a layer is repaired: it has other nodes now; edges of the blocks it is made of
/// changed; it was looked at; its own edges changed.
const RENEWED: u8 = 8;
const REWIRED: u8 = 16;
const SEEN: u8 = 32;
const CHANGED: u8 = 64;

/// A block that edits lie in.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Dirty {
    place: (usize, usize),
    /// Whether more than middles can have changed.
    is_stirred: bool,
}

/// What a repair takes.
#[derive(Default)]
struct Crew {
    bench: Bench,
    /// Blocks whose edges may have changed.
    beside: Vec<(usize, usize)>,
    /// Blocks of the layer below whose edges did.
    changed: Vec<(usize, usize)>,
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
        let mut crew = Crew::default();
        let lasting = self.upper.iter().take_while(|layer| layer.halves).count();
        for level in 0..lasting {
            rise(&mut dirty);
            self.repair_layer(grid, level, &mut dirty, &mut crew);
        }
        if dirty.iter().any(|block| block.is_stirred) {
            // Layers of a single block are few and small: they are made anew, since there may be more or fewer now.
            self.upper.truncate(lasting);
            self.top_out(grid, &mut crew.bench);
        } else {
            for level in lasting..self.upper.len() {
                self.move_middles(grid, level, (0, 0), &mut crew.bench);
            }
        }
        tiles
    }

    fn repair_layer(&mut self, grid: &SquareGrid, level: usize, dirty: &mut [Dirty], crew: &mut Crew) {
        let Crew { bench, beside, changed } = crew;
        let plan = self.upper[level].plan;
        let at = |(x, y): (usize, usize)| plan.at(x, y);
        for block in &*dirty {
            if !block.is_stirred {
                self.move_middles(grid, level, block.place, bench);
            } else if self.make_block(grid, level, block.place, bench) {
                self.upper[level].state[at(block.place)] |= RENEWED;
            }
        }
        for &(x, y) in &*changed {
            self.upper[level].state[plan.at(x / 2, y / 2)] |= REWIRED;
        }
        beside.clear();
        for block in dirty.iter().filter(|block| block.is_stirred) {
            for place in around(&plan, block.place) {
                let state = &mut self.upper[level].state[at(place)];
                if *state & SEEN == 0 {
                    *state |= SEEN;
                    beside.push(place);
                }
            }
        }
        for &place in &*beside {
            // What is wired like the tiles below shows only when looked at.
            let is_due = level == 0 || self.upper[level].is_due(at(place));
            if is_due && self.make_edges(grid, level, place, bench) {
                self.upper[level].state[at(place)] |= CHANGED;
            }
        }
        let state = &mut self.upper[level].state;
        for block in &mut *dirty {
            let is_changed = |place: (usize, usize)| state[at(place)] & CHANGED != 0;
            block.is_stirred = block.is_stirred
                && (state[at(block.place)] & RENEWED != 0 || around(&plan, block.place).any(is_changed));
        }
        changed.clear();
        for &place in &*beside {
            let state = &mut state[at(place)];
            changed.extend((*state & CHANGED != 0).then_some(place));
            *state &= !(RENEWED | REWIRED | SEEN | CHANGED);
        }
    }
}

impl Layer {
    /// Whether the edges of a block can have changed: its own nodes, those of a block it touches, or edges below did.
    fn is_due(&self, block: usize) -> bool {
        let touches = |direction: usize| self.touch[block] >> direction & 1 == 1;
        let is_renewed = |direction: usize| self.state[self.plan.beside(block, direction)] & RENEWED != 0;
        self.state[block] & (RENEWED | REWIRED) != 0
            || (0..8).any(|direction| touches(direction) && is_renewed(direction))
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
