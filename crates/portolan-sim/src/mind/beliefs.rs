//! What a mind believes about the steps between hexagons: [`Beliefs`], as they were when the hexagons were laid over the world but for what
//! the mind has seen to be different.
//!
//! Not here: which hexagons it knows.

use super::hexagons::{Hexagons, NO_NODE, opposite};

/// The steps that a mind has seen to differ from those that were there at first.
#[derive(Clone, Default, Debug)]
pub(super) struct Beliefs {
    /// Nodes with the directions in which the mind believes in steps, in the order of their indices.
    open_by_node: Vec<(u32, u8)>,
}

impl Beliefs {
    /// Returns the directions in which the mind believes in steps from a node, a bit each.
    #[inline]
    pub(super) fn open(&self, hexagons: &Hexagons, node: u32) -> u8 {
        if self.open_by_node.is_empty() {
            return hexagons.first_open(node);
        }
        match self.open_by_node.binary_search_by_key(&node, |&(node, _)| node) {
            Ok(index) => self.open_by_node[index].1,
            Err(_) => hexagons.first_open(node),
        }
    }

    /// Notes the steps from a node as they are now, both ways.
    #[inline]
    pub(super) fn see(&mut self, hexagons: &Hexagons, node: u32) {
        if hexagons.has_changed() {
            let differs = self.open(hexagons, node) ^ hexagons.open(node);
            if differs != 0 {
                self.correct(hexagons, node, differs);
            }
        }
    }

    #[cold]
    fn correct(&mut self, hexagons: &Hexagons, node: u32, differs: u8) {
        self.set(hexagons, node, hexagons.open(node));
        for direction in (0..6).filter(|direction| differs >> direction & 1 == 1) {
            let beside = hexagons.beside(node, direction);
            if beside != NO_NODE {
                let back = 1 << opposite(direction);
                let is_open = hexagons.open(node) >> direction & 1 == 1;
                let open = self.open(hexagons, beside);
                self.set(hexagons, beside, if is_open { open | back } else { open & !back });
            }
        }
    }

    fn set(&mut self, hexagons: &Hexagons, node: u32, open: u8) {
        match self.open_by_node.binary_search_by_key(&node, |&(node, _)| node) {
            Ok(index) if open == hexagons.first_open(node) => drop(self.open_by_node.remove(index)),
            Ok(index) => self.open_by_node[index].1 = open,
            Err(_) if open == hexagons.first_open(node) => {}
            Err(index) => self.open_by_node.insert(index, (node, open)),
        }
    }

    /// Takes over what another mind believes about nodes of which this mind has seen no change.
    pub(super) fn hear(&mut self, other: &Beliefs) {
        for &(node, open) in &other.open_by_node {
            if let Err(index) = self.open_by_node.binary_search_by_key(&node, |&(node, _)| node) {
                self.open_by_node.insert(index, (node, open));
            }
        }
    }

    /// Returns the bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        8 * self.open_by_node.capacity()
    }
}
