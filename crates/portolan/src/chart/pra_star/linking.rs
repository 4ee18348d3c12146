//! Makes the edges of a block's nodes from the edges of the layer below.
//!
//! Not here: the nodes (`blocks`), and in which directions a block touches others (`touch`).

use super::blocks::BlockScratch;
use super::compass::ABOVE;
use super::edges::{Edges, SLOTS};
use super::layers::{ANYWHERE, Layer, Layers, MANY, OPEN, OWN, SLOT_BITS, SOME};
use super::touch::led_from;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, N, NE, NW, S, SE, SW, W};

impl Layers {
    /// Makes the edges of a block's nodes. Most of them follow from the directions in which the block touches others.
    /// Returns whether the edges or these directions have changed.
    #[inline(always)]
    pub(super) fn make_edges(
        &mut self,
        grid: &SquareGrid,
        level: usize,
        place: (usize, usize),
        room: &mut BlockScratch,
    ) -> bool {
        let layer = &mut self.upper[level];
        let block = layer.plan.at(place.0, place.1);
        if layer.state[block] & SOME == 0 {
            return std::mem::take(&mut layer.touch[block]) != 0;
        }
        let (all, many) = layer.around(block);
        if all & OPEN != 0 {
            layer.put_straight(block, u8::MAX)
        } else {
            self.find_edges(grid, level, place, many, room)
        }
    }

    /// Makes the edges of a block where not all blocks around it are open. `many` has the directions in which a block
    /// has more than one node: which of these an edge leads to has to be found out. Returns whether the edges, or the
    /// directions in which the block touches others, have changed.
    #[inline(always)]
    fn find_edges(
        &mut self,
        grid: &SquareGrid,
        level: usize,
        place: (usize, usize),
        many: u8,
        room: &mut BlockScratch,
    ) -> bool {
        let touch = if self.upper[level].halves { self.outward(grid, level, place) } else { 0 };
        let layer = &mut self.upper[level];
        let block = layer.plan.at(place.0, place.1);
        let unclear = touch & many;
        if layer.state[block] & MANY == 0 && unclear == 0 {
            return layer.put_straight(block, touch);
        }
        let is_turned = std::mem::replace(&mut layer.touch[block], touch) != touch;
        self.search_edges(level, place, touch, unclear, room) || is_turned
    }

    /// Makes the edges of a block by reading those of the layer below, since this block or one that it touches has more
    /// than one node. `unclear` has those of the directions `touch` in which there is more than one node. Returns
    /// whether the edges have changed.
    fn search_edges(
        &mut self,
        level: usize,
        place: (usize, usize),
        touch: u8,
        unclear: u8,
        room: &mut BlockScratch,
    ) -> bool {
        let Layer { plan, halves, nodes_by_block, .. } = &self.upper[level];
        let (halves, block) = (*halves, plan.at(place.0, place.1));
        let nodes = nodes_by_block[block];
        let BlockScratch { links, found, .. } = room;
        links.clear();
        let count = nodes.len as usize;
        // Edges to the first places of a block are collected as bits. That also sorts them and removes duplicates.
        found.clear();
        found.resize(count, Edges::default());
        let clear = touch & !unclear;
        if count == 1 {
            found[0] = Edges::straight(clear);
        }
        let below = self.plan_below(level);
        for (quarter, at) in self.quarters(level, place) {
            // A block with one node has no edges inside, and those that lead out of it are known but for the unclear
            // directions.
            let directions = if count > 1 { ANYWHERE } else { u16::from(led_from(quarter, unclear)) };
            if directions == 0 {
                continue;
            }
            for node in self.below(level, at) {
                let Some(own) = self.parent_slot(level, node as u32) else { continue };
                self.links(level, node as u32, directions, |direction, slot| {
                    let above = if halves { ABOVE[quarter][direction] } else { OWN };
                    if u16::from(clear) >> above & 1 == 1 {
                        return found[own as usize].add(above, 0);
                    }
                    let other = self.first_below(level, below.beside(at, direction)) + slot;
                    let theirs = self.parent_slot(level, other).expect("a node with an edge has a parent");
                    if above == OWN && theirs == own {
                        return;
                    }
                    if theirs < SLOTS {
                        found[own as usize].add(above, theirs);
                    } else {
                        links.push((own, (above as u32) << SLOT_BITS | theirs));
                    }
                });
            }
        }
        if !links.is_empty() {
            return self.list_edges(level, block, links, found);
        }
        let mut is_changed = false;
        for (node, &new) in self.upper[level].nodes.of_mut(nodes).iter_mut().zip(&*found) {
            is_changed |= std::mem::replace(&mut node.edges, new) != new;
        }
        is_changed
    }

    /// Lists all edges of a block, since some lead to places that have no bit. Returns whether the edges have changed.
    #[cold]
    fn list_edges(&mut self, level: usize, block: usize, links: &mut Vec<(u32, u32)>, found: &[Edges]) -> bool {
        for (own, edges) in found.iter().enumerate() {
            let edge = |(direction, place): (usize, u32)| (own as u32, (direction as u32) << SLOT_BITS | place);
            links.extend(edges.bits().map(edge));
        }
        links.sort_unstable();
        links.dedup();
        let layer = &mut self.upper[level];
        let span = layer.edges_by_block.entry(block).or_default();
        layer.edges.resize(span, links.len());
        let mut is_changed = false;
        for (edge, &(_, new)) in layer.edges.of_mut(*span).iter_mut().zip(&*links) {
            is_changed |= std::mem::replace(edge, new) != new;
        }
        let mut at = 0;
        for (slot, node) in layer.nodes.of_mut(layer.nodes_by_block[block]).iter_mut().enumerate() {
            let len = links[at..].iter().take_while(|&&(own, _)| own as usize == slot).count();
            let new = Edges::listed(span.at as usize + at, len);
            is_changed |= std::mem::replace(&mut node.edges, new) != new;
            at += len;
        }
        is_changed
    }
}

impl Layer {
    /// Returns the bits that the states of a block and of all eight around it have in common, and the directions in
    /// which the block there has more than one node.
    #[inline(always)]
    fn around(&self, block: usize) -> (u8, u8) {
        let south = self.plan.beside(block, S.into());
        let north = self.plan.beside(block, N.into());
        let row = |middle: usize| <[u8; 3]>::try_from(&self.state[middle - 1..middle + 2]).expect("three are three");
        let ([nw, n, ne], [w, own, e], [sw, s, se]) = (row(north), row(block), row(south));
        let many = |state: u8, direction: u8| (state & MANY) >> MANY.trailing_zeros() << direction;
        let many = many(n, N)
            | many(ne, NE)
            | many(e, E)
            | many(se, SE)
            | many(s, S)
            | many(sw, SW)
            | many(w, W)
            | many(nw, NW);
        (nw & n & ne & w & own & e & sw & s & se, many)
    }

    /// Gives the only node of a block an edge in each direction of `touch`, to the only node of the block there.
    /// Returns whether the edges or `touch` have changed.
    #[inline(always)]
    fn put_straight(&mut self, block: usize, touch: u8) -> bool {
        let edges = &mut self.nodes.of_mut(self.nodes_by_block[block])[0].edges;
        let is_turned = std::mem::replace(&mut self.touch[block], touch) != touch;
        std::mem::replace(edges, Edges::straight(touch)) != Edges::straight(touch) || is_turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Graph, Moves, START};
    use crate::id::Cell;
    use crate::space::{Corners, Directions, Edit, Rules, Terrain, World};
    use std::collections::BTreeSet;

    /// Returns all pairs of nodes of a layer with a step from the first to the second, read from the steps between
    /// cells.
    fn stepped(layers: &Layers, grid: &SquareGrid, layer: usize) -> BTreeSet<(u32, u32)> {
        let moves = Moves::<_, false, false>::new(grid);
        let mut pairs = BTreeSet::new();
        for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
            moves.for_each_edge(grid.node(cell), START, |other, _, _| {
                let [Some(a), Some(b)] = [cell, grid.cell(other)].map(|cell| layers.ancestor(cell, layer)) else {
                    return;
                };
                pairs.extend((a != b).then_some((a, b)));
            });
        }
        pairs
    }

    /// Returns all pairs of nodes of a layer with an edge from the first to the second, read from the layer.
    fn linked(layers: &Layers, grid: &SquareGrid, layer: usize) -> BTreeSet<(u32, u32)> {
        let mut pairs = BTreeSet::new();
        for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
            if let Some(node) = layers.ancestor(cell, layer) {
                layers.for_each_neighbour(layer, node, |other| pairs.extend([(node, other)]));
            }
        }
        pairs
    }

    #[test]
    fn edges_are_where_steps_lead_from_node_to_node() {
        let gaits = [
            (Directions::Four, Corners::Strict),
            (Directions::Eight, Corners::Strict),
            (Directions::Eight, Corners::NoSqueeze),
            (Directions::Eight, Corners::Loose),
        ];
        let mut has_lists = false;
        let mut random = 1u64;
        let mut below = |most: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % most
        };
        for (turn, (directions, corners)) in gaits.into_iter().cycle().take(48).enumerate() {
            let rules = Rules { directions, corners, ..Rules::default() };
            let (width, height) = (1 + below(70) as usize, 1 + below(40) as usize);
            // From nearly open to mostly blocked.
            let blocked = 1 + turn as u64 * 2;
            let weights: Vec<u8> = (0..width * height).map(|_| u8::from(below(160) >= blocked)).collect();
            let mut world = World::from(SquareGrid::from_weights(width, height, &weights, rules).unwrap());
            let mut layers = Layers::new(&world);
            for _ in 0..4 {
                for layer in 1..=layers.count() {
                    assert_eq!(
                        linked(&layers, &world, layer),
                        stepped(&layers, &world, layer),
                        "{width} x {height}, {directions:?}, {corners:?}, layer {layer}"
                    );
                }
                has_lists |= layers.upper.iter().any(|layer| !layer.edges_by_block.is_empty());
                let cell = Cell::new(below(width as u64) as u16, below(height as u64) as u16);
                let terrain = if world.is_free(cell) { Terrain::BLOCKED } else { Terrain::GROUND };
                let edits = [Edit::new(cell, terrain)];
                world.apply(&edits).unwrap();
                layers.repair(&world, &edits);
            }
        }
        assert!(has_lists, "some edges lead further than there are bits");
    }
}
