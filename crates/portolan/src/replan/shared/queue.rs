//! A priority queue of nodes ([`Queue`]): a heap in which every entry has four below it.
//!
//! A node may have several entries. The record of the node notes the cost in the key of the one that counts; the others are
//! dropped when they come to the top. So nothing has to find an entry inside the heap, or to note where it is.
//!
//! Not here: which key a node has.

use super::living::INFINITE;
use super::pages::Pages;
use crate::id::NodeId;
use crate::memory::held;
use crate::probe::{Event, Probe};

/// The order in which nodes are expanded: by the estimated cost of a route over the node.
///
/// Where that is equal, raised nodes come first, whose cost is too low, and those nearest to the root before others, so that
/// no node is made final by a cost that is about to be taken back. After them come the others, those farthest from the root
/// first, which leads straight to the target where many routes are equally cheap.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::replan) struct Key(u128);

impl Key {
    /// A key that is greater than those of all nodes.
    pub(in crate::replan) const LAST: Key = Key(u128::MAX);

    /// Returns the key of a node with this cost from the root; `rest` is what is added to it to estimate a route.
    #[inline(always)]
    pub(in crate::replan) fn of(cost: u32, is_raised: bool, rest: u64) -> Key {
        let sum = u64::from(cost) + rest;
        let (first, second) = if is_raised { (2 * sum, cost) } else { (2 * sum + 1, !cost) };
        Key(u128::from(first) << 64 | u128::from(second) << 32)
    }

    /// Returns the estimated cost of a route over the node.
    #[inline(always)]
    pub(in crate::replan) fn route(self) -> u64 {
        (self.0 >> 65) as u64
    }

    /// Returns the cost of the node from the root.
    #[inline(always)]
    pub(in crate::replan) fn cost(self) -> u32 {
        let second = (self.0 >> 32) as u32;
        if self.is_raised() { second } else { !second }
    }

    #[inline(always)]
    pub(in crate::replan) fn is_raised(self) -> bool {
        self.0 >> 64 & 1 == 0
    }
}

/// A record that notes which entry of its node counts.
pub(in crate::replan) trait Queued: Copy + Default {
    /// Returns the cost in the key of the entry that counts, or [`INFINITE`] if the node is not in the queue.
    fn queued(&mut self) -> &mut u32;
}

/// A queue of nodes. The same calls give the same order on every machine, entries of equal keys included.
///
/// Entries beyond a horizon wait outside the heap in no order. Most of them never come to their turn, and the heap stays
/// small.
#[derive(Clone, Default)]
pub(in crate::replan) struct Queue {
    /// The heap. An entry is a key whose last 32 bits, which are 0 in a [`Key`], are the number of the node.
    heap: Vec<u128>,
    /// The entries that are not below the horizon.
    waiting: Vec<u128>,
    horizon: u128,
    /// The first key since the queue was cleared.
    first_key: Option<Key>,
    /// How many nodes are in the queue.
    len: usize,
}

impl Queue {
    /// The number of entries that are always kept, whether or not they count.
    const FEW: usize = 1024;

    pub(in crate::replan) fn clear(&mut self) {
        self.heap.clear();
        self.waiting.clear();
        (self.horizon, self.first_key, self.len) = (0, None, 0);
    }

    /// Returns the node with the least key if that is less than `end`. The probe is told of entries that are put into the heap
    /// for that, and of those that are dropped because they do not count.
    #[inline(always)]
    pub(in crate::replan) fn first_below<R: Queued>(
        &mut self,
        end: Key,
        records: &Pages<R>,
        probe: &mut impl Probe,
    ) -> Option<(Key, NodeId)> {
        loop {
            let Some(&first) = self.heap.first() else {
                if self.waiting.is_empty() || self.horizon >= end.0 {
                    return None;
                }
                self.widen(end, probe);
                continue;
            };
            let (key, node) = split(first);
            if *records.get(node).queued() == key.cost() {
                return (key < end).then_some((key, node));
            }
            self.take_first(probe);
        }
    }

    /// Puts the node into the queue. If it is there, the entry that it has stops to count.
    #[inline]
    pub(in crate::replan) fn put<R: Queued>(
        &mut self,
        key: Key,
        node: NodeId,
        records: &mut Pages<R>,
        probe: &mut impl Probe,
    ) {
        let before = std::mem::replace(records.slot(node).queued(), key.cost());
        self.len += usize::from(before == INFINITE);
        if self.heap.len() + self.waiting.len() >= 4 * self.len + Queue::FEW {
            self.drop_others(records, probe);
        }
        let entry = key.0 | u128::from(node.0);
        if entry < self.horizon {
            self.push(entry, probe);
        } else {
            self.first_key.get_or_insert(key);
            self.waiting.push(entry);
        }
    }

    /// Removes the node that [`Queue::first_below`] has returned.
    #[inline]
    pub(in crate::replan) fn remove_first<R: Queued>(&mut self, records: &mut Pages<R>, probe: &mut impl Probe) {
        let (_, node) = split(self.heap[0]);
        *records.slot(node).queued() = INFINITE;
        self.len -= 1;
        self.take_first(probe);
    }

    /// Takes a node out of the queue, wherever it is there.
    pub(in crate::replan) fn remove<R: Queued>(&mut self, node: NodeId, records: &mut Pages<R>) {
        *records.slot(node).queued() = INFINITE;
        self.len -= 1;
    }

    /// Returns how many nodes are in the queue.
    pub(in crate::replan) fn len(&self) -> usize {
        self.len
    }

    /// Returns the nodes in the queue in no order, some of them twice.
    pub(in crate::replan) fn nodes<R: Queued>(&self, records: &Pages<R>) -> impl Iterator<Item = NodeId> {
        let entries = self.heap.iter().chain(&self.waiting).map(|&entry| split(entry));
        entries.filter(|&(key, node)| *records.get(node).queued() == key.cost()).map(|(_, node)| node)
    }

    /// Gives every node of the queue the key that `key` returns for it.
    pub(in crate::replan) fn put_all<R: Queued>(
        &mut self,
        records: &mut Pages<R>,
        key: impl Fn(NodeId, R) -> Key,
        probe: &mut impl Probe,
    ) {
        self.drop_others(records, probe);
        for entry in &mut self.waiting {
            let (_, node) = split(*entry);
            let key = key(node, records.get(node));
            *records.slot(node).queued() = key.cost();
            *entry = key.0 | u128::from(node.0);
        }
    }

    /// Drops entries so that one is left for each node: the least of those that have the cost that counts. All then wait for
    /// the horizon to reach them again.
    #[cold]
    fn drop_others<R: Queued>(&mut self, records: &Pages<R>, probe: &mut impl Probe) {
        for &entry in &self.heap {
            probe.event(Event::Pop { node: split(entry).1 });
        }
        self.waiting.append(&mut self.heap);
        self.horizon = 0;
        self.waiting.retain(|&entry| {
            let (key, node) = split(entry);
            *records.get(node).queued() == key.cost()
        });
        self.waiting.sort_unstable_by_key(|&entry| (entry as u32, entry));
        self.waiting.dedup_by_key(|entry| *entry as u32);
    }

    /// Puts the waiting entries with the least keys into the heap, which is empty. The horizon is set further beyond them
    /// the further they are from the first key, so that it is not set often, but not beyond `end`.
    #[cold]
    fn widen(&mut self, end: Key, probe: &mut impl Probe) {
        let least = self.waiting.iter().min().map_or(0, |&least| split(least).0.route());
        let first = self.first_key.map_or(0, Key::route);
        let step = (least.saturating_sub(first) / 8).max(first / 64).max(1);
        self.horizon = Key::of(0, true, least + step).min(end).0;
        let mut index = 0;
        while let Some(&entry) = self.waiting.get(index) {
            if entry < self.horizon {
                self.waiting.swap_remove(index);
                self.push(entry, probe);
            } else {
                index += 1;
            }
        }
    }

    #[inline(always)]
    fn push(&mut self, entry: u128, probe: &mut impl Probe) {
        let (key, node) = split(entry);
        probe.event(Event::Push { node, g: key.cost(), key: key.route() });
        self.heap.push(entry);
        self.rise(self.heap.len() - 1);
    }

    #[inline]
    fn take_first(&mut self, probe: &mut impl Probe) {
        probe.event(Event::Pop { node: split(self.heap[0]).1 });
        let last = self.heap.pop().expect("there is a first entry");
        if !self.heap.is_empty() {
            self.sink(0, last);
        }
    }

    #[inline(always)]
    fn rise(&mut self, mut index: usize) {
        let entry = self.heap[index];
        while index > 0 {
            let above = (index - 1) / 4;
            if self.heap[above] <= entry {
                break;
            }
            self.heap[index] = self.heap[above];
            index = above;
        }
        self.heap[index] = entry;
    }

    /// Puts an entry at this place or below.
    fn sink(&mut self, mut index: usize, entry: u128) {
        loop {
            let below = 4 * index + 1;
            let Some(four) = self.heap.get(below..below + 4) else { break };
            let (left, right) = (usize::from(four[1] < four[0]), 2 + usize::from(four[3] < four[2]));
            let child = if four[right] < four[left] { right } else { left };
            if entry <= four[child] {
                self.heap[index] = entry;
                return;
            }
            self.heap[index] = four[child];
            index = below + child;
        }
        // At most one place has some places below it, but not four.
        let below = 4 * index + 1;
        if let Some(child) = (below..self.heap.len()).min_by_key(|&child| self.heap[child])
            && self.heap[child] < entry
        {
            self.heap[index] = self.heap[child];
            index = child;
        }
        self.heap[index] = entry;
    }

    pub(in crate::replan) fn bytes(&self) -> usize {
        held(&self.heap) + held(&self.waiting)
    }
}

/// Returns the key and the node of an entry.
#[inline(always)]
fn split(entry: u128) -> (Key, NodeId) {
    (Key(entry >> 32 << 32), NodeId(entry as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::probe::Unwatched;
    use std::collections::BTreeMap;

    #[derive(Copy, Clone)]
    struct Cost(u32);

    impl Default for Cost {
        fn default() -> Cost {
            Cost(INFINITE)
        }
    }

    impl Queued for Cost {
        fn queued(&mut self) -> &mut u32 {
            &mut self.0
        }
    }

    /// Returns the same key for the same cost: of a node's entries with equal costs, the least would count.
    fn key_of(cost: u32) -> Key {
        Key::of(cost, cost.is_multiple_of(3), u64::from(cost % 5))
    }

    /// Random calls: the queue holds what a sorted map holds, and gives out the least key.
    #[test]
    fn nodes_come_out_in_order() {
        let mut random = Random::new(11);
        let (mut queue, mut pages) = (Queue::default(), Pages::<Cost>::default());
        pages.reset(1000);
        let mut expected = BTreeMap::<u32, Key>::new();
        for round in 0..20_000 {
            let node = random.below(300) as u32;
            match random.below(5) {
                0 => {
                    if let Some((key, node)) = queue.first_below(Key::LAST, &pages, &mut Unwatched) {
                        queue.remove_first(&mut pages, &mut Unwatched);
                        assert_eq!(expected.remove(&node.0), Some(key));
                    }
                }
                1 if round % 50 == 0 => {
                    queue.put_all(&mut pages, |node, _| key_of(node.0 * 7 % 31), &mut Unwatched);
                    for (&node, key) in &mut expected {
                        *key = key_of(node * 7 % 31);
                    }
                }
                _ => {
                    let key = key_of(random.below(40) as u32);
                    queue.put(key, NodeId(node), &mut pages, &mut Unwatched);
                    expected.insert(node, key);
                }
            }
            let least = expected.iter().map(|(node, key)| (*key, *node)).min();
            assert_eq!(queue.first_below(Key::LAST, &pages, &mut Unwatched).map(|(key, node)| (key, node.0)), least);
            assert_eq!(queue.len, expected.len());
            assert!(queue.heap.len() + queue.waiting.len() <= 4 * 300 + Queue::FEW);
        }
    }
}
