//! Links between places of a grid: stairs, ladders, teleports, ferries. A link leads from one cell to any other at a cost of its
//! own; two links, one each way, are one that leads both ways. Links rest while one of their ends is blocked.
//!
//! Not here: estimates of costs over links (`graph/linked.rs`).

use crate::memory::held;
use std::collections::BTreeMap;

/// The most links that may lead to one cell, and the most that may lead from one: a search notes in seven bits by which of them
/// it came.
pub(super) const MOST: usize = 100;

/// A link from one node to another.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LinkStep {
    /// The node whose links are listed.
    pub(crate) at: u32,
    /// The node at the other end.
    pub(crate) beyond: u32,
    pub(crate) cost: u32,
}

/// The links of a grid.
#[derive(Clone, Default)]
pub(crate) struct Links {
    /// The links from nodes, in order.
    leaving: Vec<LinkStep>,
    /// The links to nodes, in order.
    arriving: Vec<LinkStep>,
    /// One bit for each node: whether links lead from it or to it.
    ends: Vec<u64>,
    pub(crate) dearest: u32,
    /// Whether a link has none back that costs as much.
    pub(super) has_one_way: bool,
}

/// The links of a node among all in one list.
fn of(list: &[LinkStep], node: u32) -> &[LinkStep] {
    let first = list.partition_point(|link| link.at < node);
    let count = list[first..].partition_point(|link| link.at == node);
    &list[first..first + count]
}

/// Sets or removes a link in a list.
fn set(list: &mut Vec<LinkStep>, at: u32, beyond: u32, cost: Option<u32>) {
    let place = list.binary_search_by_key(&(at, beyond), |link| (link.at, link.beyond));
    match (place, cost) {
        (Ok(place), Some(cost)) => list[place].cost = cost,
        (Ok(place), None) => drop(list.remove(place)),
        (Err(place), Some(cost)) => list.insert(place, LinkStep { at, beyond, cost }),
        (Err(_), None) => {}
    }
}

impl Links {
    pub(crate) fn is_empty(&self) -> bool {
        self.leaving.is_empty()
    }

    /// Returns all links, ordered by the nodes that they lead from.
    pub(crate) fn all(&self) -> &[LinkStep] {
        &self.leaving
    }

    /// Returns whether links lead from a node or to it.
    #[inline(always)]
    fn has_end(&self, node: u32) -> bool {
        self.ends.get(node as usize / 64).is_some_and(|word| word >> (node % 64) & 1 == 1)
    }

    /// Returns the links that lead from a node, in the order of the nodes that they lead to.
    #[inline(always)]
    pub(crate) fn leaving(&self, node: u32) -> &[LinkStep] {
        if self.has_end(node) { of(&self.leaving, node) } else { &[] }
    }

    /// Returns the links that lead to a node, in the order of the nodes that they lead from.
    #[inline(always)]
    pub(crate) fn arriving(&self, node: u32) -> &[LinkStep] {
        if self.has_end(node) { of(&self.arriving, node) } else { &[] }
    }

    /// Sets what the link from one node to another costs, or removes it.
    pub(super) fn set(&mut self, from: u32, to: u32, cost: Option<u32>) {
        set(&mut self.leaving, from, to, cost);
        set(&mut self.arriving, to, from, cost);
        self.dearest = self.leaving.iter().map(|link| link.cost).max().unwrap_or(0);
        let leads_back = |link: &LinkStep| {
            self.leaving.binary_search(&LinkStep { at: link.beyond, beyond: link.at, cost: link.cost }).is_ok()
        };
        self.has_one_way = !self.leaving.iter().all(leads_back);
        self.ends.clear();
        for node in self.leaving.iter().flat_map(|link| [link.at, link.beyond]) {
            let word = node as usize / 64;
            if self.ends.len() <= word {
                self.ends.resize(word + 1, 0);
            }
            self.ends[word] |= 1 << (node % 64);
        }
    }

    /// Returns whether no cell would have more than [`MOST`] links from it or to it after these were set and removed, one after
    /// the other. Each leads from the first node to the second, and a flag says whether it is set.
    pub(super) fn has_room_for(&self, changes: impl Iterator<Item = (u32, u32, bool)>) -> bool {
        let mut then = BTreeMap::<(bool, u32), Vec<u32>>::new();
        for (from, to, is_set) in changes {
            for (key, other) in [((true, from), to), ((false, to), from)] {
                let known = if key.0 { self.leaving(key.1) } else { self.arriving(key.1) };
                let others = then.entry(key).or_insert_with(|| known.iter().map(|link| link.beyond).collect());
                others.retain(|&known| known != other);
                others.extend(is_set.then_some(other));
            }
        }
        then.values().all(|others| others.len() <= MOST)
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.leaving) + held(&self.arriving) + held(&self.ends)
    }
}
