//! A priority queue of nodes whose entries can be moved and removed ([`Queue`]): a heap in which every entry has four
//! below it, and which notes the place of an entry in the record of its node.
//!
//! Not here: which key a node has.

use super::pages::Pages;
use crate::id::NodeId;
use crate::memory::held;

/// The order in which nodes are expanded: by the estimated cost of a route over the node.
///
/// Where that is equal, raised nodes come first, whose cost is too low, and those nearest to the root before others, so that
/// no node is made final by a cost that is about to be taken back. After them come the others, those farthest from the root
/// first, which leads straight to the target where many routes are equally cheap.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::replan) struct Key(u64, u32);

impl Key {
    /// Returns the key of a node with this cost from the root; `rest` is what is added to it to estimate a route.
    #[inline(always)]
    pub(in crate::replan) fn of(cost: u32, is_raised: bool, rest: u64) -> Key {
        let sum = u64::from(cost) + rest;
        if is_raised { Key(2 * sum, cost) } else { Key(2 * sum + 1, !cost) }
    }

    /// Returns the estimated cost of a route over the node.
    #[inline(always)]
    pub(in crate::replan) fn route(self) -> u64 {
        self.0 / 2
    }

    /// Returns the cost of the node from the root.
    #[inline(always)]
    pub(in crate::replan) fn cost(self) -> u32 {
        if self.is_raised() { self.1 } else { !self.1 }
    }

    #[inline(always)]
    pub(in crate::replan) fn is_raised(self) -> bool {
        self.0 & 1 == 0
    }
}

/// A record that notes where the entry of its node is.
pub(in crate::replan) trait Queued: Copy + Default {
    /// Returns one more than the index of the entry, or 0 if the node is not in the queue.
    fn place(&mut self) -> &mut u32;
}

/// A queue of nodes, each at most once. The same calls give the same order on every machine, entries of equal keys
/// included.
#[derive(Clone, Default)]
pub(in crate::replan) struct Queue {
    entries: Vec<(Key, NodeId)>,
}

impl Queue {
    pub(in crate::replan) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Returns the entry with the least key.
    #[inline(always)]
    pub(in crate::replan) fn first(&self) -> Option<(Key, NodeId)> {
        self.entries.first().copied()
    }

    /// Returns the key of the entry at a place that a record notes, which is not 0.
    #[inline(always)]
    pub(in crate::replan) fn key_at(&self, place: u32) -> Key {
        self.entries[place as usize - 1].0
    }

    /// Gives the node this key, whether or not it is in the queue.
    #[inline]
    pub(in crate::replan) fn put<R: Queued>(&mut self, key: Key, node: NodeId, records: &mut Pages<R>) {
        let place = *records.slot(node).place();
        if place == 0 {
            self.entries.push((key, node));
            self.rise(self.entries.len() - 1, records);
            return;
        }
        let index = place as usize - 1;
        let old = std::mem::replace(&mut self.entries[index].0, key);
        if key < old {
            self.rise(index, records);
        } else {
            self.sink(index, records);
        }
    }

    /// Removes the node, which is in the queue.
    #[inline]
    pub(in crate::replan) fn remove<R: Queued>(&mut self, node: NodeId, records: &mut Pages<R>) {
        let place = std::mem::take(records.slot(node).place());
        let index = place as usize - 1;
        let removed = self.entries.swap_remove(index);
        let Some(&(moved, _)) = self.entries.get(index) else { return };
        if moved < removed.0 {
            self.rise(index, records);
        } else {
            self.sink(index, records);
        }
    }

    /// Returns the keys and nodes of all entries, in no order of their keys.
    pub(in crate::replan) fn entries(&self) -> &[(Key, NodeId)] {
        &self.entries
    }

    /// Gives every entry the key that `key` returns for its node.
    pub(in crate::replan) fn put_all<R: Queued>(&mut self, records: &mut Pages<R>, key: impl Fn(NodeId, R) -> Key) {
        for (old, node) in &mut self.entries {
            *old = key(*node, records.get(*node));
        }
        for index in (0..self.entries.len()).rev() {
            self.sink(index, records);
        }
    }

    fn rise<R: Queued>(&mut self, mut index: usize, records: &mut Pages<R>) {
        let entry = self.entries[index];
        while index > 0 {
            let above = (index - 1) / 4;
            if self.entries[above].0 <= entry.0 {
                break;
            }
            self.set(index, self.entries[above], records);
            index = above;
        }
        self.set(index, entry, records);
    }

    fn sink<R: Queued>(&mut self, mut index: usize, records: &mut Pages<R>) {
        let entry = self.entries[index];
        loop {
            let below = 4 * index + 1;
            let end = self.entries.len().min(below + 4);
            if below >= end {
                break;
            }
            let mut child = below;
            for other in below + 1..end {
                if self.entries[other].0 < self.entries[child].0 {
                    child = other;
                }
            }
            if entry.0 <= self.entries[child].0 {
                break;
            }
            self.set(index, self.entries[child], records);
            index = child;
        }
        self.set(index, entry, records);
    }

    #[inline(always)]
    fn set<R: Queued>(&mut self, index: usize, entry: (Key, NodeId), records: &mut Pages<R>) {
        self.entries[index] = entry;
        *records.slot(entry.1).place() = index as u32 + 1;
    }

    pub(in crate::replan) fn bytes(&self) -> usize {
        held(&self.entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use std::collections::BTreeMap;

    #[derive(Copy, Clone, Default)]
    struct Place(u32);

    impl Queued for Place {
        fn place(&mut self) -> &mut u32 {
            &mut self.0
        }
    }

    /// Random calls: the queue holds what a sorted map holds, and gives out the least key.
    #[test]
    fn entries_are_moved_and_removed() {
        let mut random = Random::new(11);
        let (mut queue, mut pages) = (Queue::default(), Pages::<Place>::default());
        pages.reset(1000);
        let mut expected = BTreeMap::<u32, Key>::new();
        for round in 0..20_000 {
            let node = random.below(300) as u32;
            match random.below(5) {
                0 if expected.remove(&node).is_some() => queue.remove(NodeId(node), &mut pages),
                0 => {}
                1 if round % 50 == 0 => {
                    queue.put_all(&mut pages, |node, _| Key::of(node.0 * 7 % 31, node.0 % 2 == 0, 0));
                    for (&node, key) in &mut expected {
                        *key = Key::of(node * 7 % 31, node % 2 == 0, 0);
                    }
                }
                _ => {
                    let key = Key::of(random.below(40) as u32, random.below(2) == 0, random.below(3));
                    queue.put(key, NodeId(node), &mut pages);
                    expected.insert(node, key);
                }
            }
            assert_eq!(queue.first().map(|(key, _)| key), expected.values().min().copied());
            assert_eq!(queue.entries.len(), expected.len());
            for (index, (key, node)) in queue.entries.iter().enumerate() {
                assert_eq!((pages.get(*node).0 as usize, expected[&node.0]), (index + 1, *key));
            }
        }
    }
}
