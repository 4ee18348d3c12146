//! Making the edges of a block from those of the layer below.

use super::blocks::Bench;
use super::compass::ABOVE;
use super::layers::{ANYWHERE, Edges, Layer, Layers, MANY, OPEN, OWN, SLOT_BITS, SOME};
use super::touch::led_from;
use crate::world::square::SquareGrid;

/// Places in a block for which edges are collected as bits.
const PLACES: u32 = 7;

/// The bits of edges to the first node in some directions.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut directions = 0;
    while directions < 256 {
        let mut direction = 0;
        while direction < 8 {
            spread[directions] |= (directions as u64 >> direction & 1) << (direction * PLACES);
            direction += 1;
        }
        directions += 1;
    }
    spread
};

impl Layers {
    /// Makes the edges of a block, most of which follow from what it touches; whether there are others now.
    #[inline(always)]
    pub(super) fn make_edges(
        &mut self,
        grid: &SquareGrid,
        level: usize,
        place: (usize, usize),
        bench: &mut Bench,
    ) -> bool {
        let layer = &mut self.upper[level];
        let (plan, state) = (&layer.plan, &layer.state);
        let block = plan.at(place.0, place.1);
        if state[block] & SOME == 0 {
            std::mem::take(&mut layer.touch[block]) != 0
        } else if plan.offsets.iter().all(|&offset| state[block.wrapping_add_signed(offset)] & OPEN != 0) {
            layer.put_straight(block, u8::MAX)
        } else {
            self.find_edges(grid, level, place, bench)
        }
    }

    #[inline(never)]
    fn find_edges(&mut self, grid: &SquareGrid, level: usize, place: (usize, usize), bench: &mut Bench) -> bool {
        let touch = if self.upper[level].halves { self.outward(grid, level, place) } else { 0 };
        let layer = &mut self.upper[level];
        let (plan, state) = (&layer.plan, &layer.state);
        let block = plan.at(place.0, place.1);
        // The directions of blocks with more than one node: which of them it is has to be found out.
        let mut unclear = 0;
        for direction in 0..8 {
            unclear |= u8::from(state[plan.beside(block, direction)] & MANY != 0) << direction;
        }
        unclear &= touch;
        if state[block] & MANY == 0 && unclear == 0 {
            return layer.put_straight(block, touch);
        }
        let is_turned = std::mem::replace(&mut layer.touch[block], touch) != touch;
        self.list_edges(level, place, touch, unclear, bench) || is_turned
    }

    /// Writes the edges of a block down.
    fn list_edges(&mut self, level: usize, place: (usize, usize), touch: u8, unclear: u8, bench: &mut Bench) -> bool {
        let Layer { plan, halves, nodes_by_block, .. } = &self.upper[level];
        let (halves, block) = (*halves, plan.at(place.0, place.1));
        let nodes = nodes_by_block[block];
        let Bench { links, masks, .. } = bench;
        links.clear();
        let count = nodes.len as usize;
        // A few nodes with few places each: a bit for every edge there can be, which puts them in order as well.
        masks.clear();
        masks.resize(count, 0);
        let clear = touch & !unclear;
        if count == 1 {
            masks[0] = SPREAD[usize::from(clear)];
        }
        let below = self.plan_below(level);
        for (quarter, at) in self.quarters(level, place) {
            // Inside a block of one node there is nothing to lead to, and where that leads is known but for some directions.
            let directions = if count > 1 { ANYWHERE } else { u16::from(led_from(quarter, unclear)) };
            if directions == 0 {
                continue;
            }
            for node in self.below(level, at) {
                let Some(own) = self.parent_slot(level, node as u32) else { continue };
                let mask = &mut masks[own as usize];
                self.links(level, node as u32, directions, |direction, slot| {
                    let above = if halves { ABOVE[quarter][direction] } else { OWN };
                    if u16::from(clear) >> above & 1 == 1 {
                        *mask |= 1 << (above as u32 * PLACES);
                        return;
                    }
                    let other = self.first_below(level, below.beside(at, direction)) + slot;
                    let theirs = self.parent_slot(level, other).expect("a node with an edge has a parent");
                    if above == OWN && theirs == own {
                    } else if theirs < PLACES {
                        *mask |= 1 << (above as u32 * PLACES + theirs);
                    } else {
                        links.push(u64::from(own) << 32 | (above as u64) << SLOT_BITS | u64::from(theirs));
                    }
                });
            }
        }
        if links.is_empty() {
            return self.put_edges(level, block, masks);
        }
        for (own, &mask) in masks.iter().enumerate() {
            let bits = (0..64).filter(|bit| mask >> bit & 1 == 1);
            links.extend(
                bits.map(|bit| (own as u64) << 32 | u64::from(bit / PLACES) << SLOT_BITS | u64::from(bit % PLACES)),
            );
        }
        links.sort_unstable();
        links.dedup();
        let layer = &mut self.upper[level];
        let span = &mut layer.edges_by_block[block];
        layer.edges.resize(span, links.len());
        let mut is_changed = false;
        for (edge, &link) in layer.edges.of_mut(*span).iter_mut().zip(&*links) {
            is_changed |= std::mem::replace(edge, link as u32) != link as u32;
        }
        let mut at = 0;
        for (slot, node) in layer.nodes.of_mut(nodes).iter_mut().enumerate() {
            let len = links[at..].iter().take_while(|&&link| (link >> 32) as usize == slot).count();
            let new = Edges::listed(at as u32, len as u32);
            is_changed |= std::mem::replace(&mut node.edges, new) != new;
            at += len;
        }
        is_changed
    }

    /// Puts the edges of a block into their place, where bits say what they are; whether they are others than before.
    fn put_edges(&mut self, level: usize, block: usize, masks: &[u64]) -> bool {
        let layer = &mut self.upper[level];
        let count = masks.iter().map(|mask| mask.count_ones()).sum::<u32>();
        let span = &mut layer.edges_by_block[block];
        layer.edges.resize(span, count as usize);
        let edges = layer.edges.of_mut(*span);
        let nodes = layer.nodes.of_mut(layer.nodes_by_block[block]);
        let (mut at, mut is_changed) = (0, false);
        for (node, &mask) in nodes.iter_mut().zip(masks) {
            let new = Edges::listed(at, mask.count_ones());
            is_changed |= std::mem::replace(&mut node.edges, new) != new;
            let mut left = mask;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let edge = ((bit / PLACES) << SLOT_BITS) | (bit % PLACES);
                is_changed |= std::mem::replace(&mut edges[at as usize], edge) != edge;
                at += 1;
            }
        }
        is_changed
    }
}

impl Layer {
    /// Gives the only node of a block its edges, which are known by direction; whether they are others than before.
    #[inline(always)]
    fn put_straight(&mut self, block: usize, touch: u8) -> bool {
        let edges = &mut self.nodes.of_mut(self.nodes_by_block[block])[0].edges;
        let is_turned = std::mem::replace(&mut self.touch[block], touch) != touch;
        std::mem::replace(edges, Edges::straight(touch)) != Edges::straight(touch) || is_turned
    }
}
