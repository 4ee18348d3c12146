//! Where what a mind has seen on its walk ends: [`Frontier`]. It tells searches how near to the goal unknown ground can begin, so that they need
//! not look at everything that was seen.
//!
//! Not here: the search for the best place to go on.

use super::beliefs::Beliefs;
use super::hexagons::Hexagons;
use super::marks::Marks;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The nodes seen on a walk beside which there may be unseen ones. It is kept for minds alone that knew nothing when they set out: what others
/// remember ends in too many places.
#[derive(Clone, Default, Debug)]
pub(super) struct Frontier {
    is_kept: bool,
    /// Nodes that were seen since the frontier was last asked for.
    noted: Vec<u32>,
    /// Nodes with how far they lie from the goal, the nearest first.
    nearest: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Frontier {
    pub(super) fn clear(&mut self, is_kept: bool) {
        self.is_kept = is_kept;
        self.noted.clear();
        self.nearest.clear();
    }

    /// Notes a node that was not seen before.
    #[inline]
    pub(super) fn note(&mut self, node: u32) {
        if self.is_kept {
            self.noted.push(node);
        }
    }

    /// Returns how many steps at least lie between the goal and any unseen node beside a seen one where nothing is in the way. Once the world
    /// has changed it may be less: it is a guide alone.
    pub(super) fn least(&mut self, hexagons: &Hexagons, marks: &Marks, beliefs: &Beliefs, goal: u32) -> u32 {
        let leads_on = |node: u32| {
            let open = beliefs.open(hexagons, node);
            (0..6).any(|direction| open >> direction & 1 == 1 && !marks.is_seen(hexagons.beside(node, direction)))
        };
        let noted = self.noted.drain(..).filter(|&node| leads_on(node));
        self.nearest.extend(noted.map(|node| Reverse((hexagons.distance(node, goal), node))));
        while let Some(&Reverse((distance, node))) = self.nearest.peek() {
            if leads_on(node) {
                return distance.saturating_sub(1);
            }
            self.nearest.pop();
        }
        0
    }

    /// Returns the bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        4 * self.noted.capacity() + 8 * self.nearest.capacity()
    }
}
