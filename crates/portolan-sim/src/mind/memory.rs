//! What a mind remembers: a counter for each hexagon that it has walked on ([`Memory`]), which may fade.
//!
//! Counters lie in pages of 256 nodes, made when the first of them is remembered. A page has one bit for each node that it knows,
//! and counters of 2, 4 or 8 bits for these alone, packed in the order of the nodes. Pages of all sizes lie in one list; a page that grows
//! moves to its end, and the list is packed again before gaps are an eighth of it.
//!
//! Fading is worked out when a page is read. Time is cut into epochs, at whose end every counter falls by 1; those of more distinct
//! places at the end of every second or fourth epoch alone. A page notes the epoch that its counters were written in.
//!
//! Not here: beliefs about steps (`beliefs.rs`), and how minds walk.

use super::hexagons::{Hexagons, NODES_PER_TILE};

/// Counters by node.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    most: u16,
    /// The bits of a counter, of which there is one only where a node is known, so that it counts from 1.
    bits: u32,
    /// Whether distinct places fade more slowly.
    has_landmarks: bool,
    /// The epoch that is now.
    epoch: u16,
    /// The page of each tile plus one, or 0.
    page_by_tile: Vec<u16>,
    known_by_page: Vec<[u64; 4]>,
    /// The word where the counters of each page begin.
    start_by_page: Vec<u32>,
    /// The epoch in which each page was written. It is empty until the first epoch has ended.
    epoch_by_page: Vec<u16>,
    counters: Vec<u32>,
    /// How many words of `counters` belong to no page.
    gaps: usize,
}

/// How many pages a mind gets memory for at once.
const PAGES_AT_ONCE: usize = 16;

/// How many words of counters a mind gets memory for at once.
const WORDS_AT_ONCE: usize = 256;

impl Memory {
    pub(super) fn new(most: u16, has_landmarks: bool) -> Memory {
        let bits = if most <= 4 {
            2
        } else if most <= 16 {
            4
        } else {
            8
        };
        Memory {
            most,
            bits,
            has_landmarks,
            epoch: 0,
            page_by_tile: Vec::new(),
            known_by_page: Vec::new(),
            start_by_page: Vec::new(),
            epoch_by_page: Vec::new(),
            counters: Vec::new(),
            gaps: 0,
        }
    }

    pub(super) fn most(&self) -> u16 {
        self.most
    }

    /// Returns the counter of a node, 0 if the node is not known or has been forgotten.
    #[inline]
    pub(super) fn counter(&self, hexagons: &Hexagons, node: u32) -> u16 {
        let Some((page, bit)) = self.locate(node) else { return 0 };
        let known = &self.known_by_page[page];
        if known[bit / 64] >> (bit % 64) & 1 == 0 {
            return 0;
        }
        let written = self.read(self.start_by_page[page], rank(known, bit)) + 1;
        written.saturating_sub(self.faded(hexagons, page, node))
    }

    /// Returns by how much the counter of a node has fallen since its page was written.
    #[inline]
    fn faded(&self, hexagons: &Hexagons, page: usize, node: u32) -> u16 {
        let Some(&written) = self.epoch_by_page.get(page) else { return 0 };
        let elapsed = self.epoch.wrapping_sub(written);
        if elapsed == 0 {
            return 0;
        }
        let slower = if self.has_landmarks { hexagons.distinctness(node) } else { 0 };
        // Counted from an earlier epoch, so that the number does not wrap between the two.
        let now = u32::from(self.epoch) + (1 << 16);
        ((now >> slower) - ((now - u32::from(elapsed)) >> slower)) as u16
    }

    /// Adds 1 to the counter of a node, up to the greatest, and returns what it was before.
    pub(super) fn add(&mut self, hexagons: &Hexagons, node: u32) -> u16 {
        let page = self.page_for_writing(hexagons, node);
        let bit = node as usize % NODES_PER_TILE;
        let known = self.known_by_page[page];
        let place = rank(&known, bit);
        if known[bit / 64] >> (bit % 64) & 1 == 0 {
            self.insert(page, bit, place);
            return 0;
        }
        let start = self.start_by_page[page];
        let before = self.read(start, place) + 1;
        if before < self.most {
            self.write(start, place, before);
        }
        before
    }

    /// Notes a node as known if it is not.
    pub(super) fn add_if_unknown(&mut self, hexagons: &Hexagons, node: u32) {
        if self.counter(hexagons, node) == 0 {
            self.add(hexagons, node);
        }
    }

    /// Ends an epoch.
    pub(super) fn end_epoch(&mut self, hexagons: &Hexagons) {
        if self.epoch_by_page.is_empty() {
            self.epoch_by_page.reserve_exact(self.known_by_page.capacity());
            self.epoch_by_page.resize(self.known_by_page.len(), self.epoch);
        }
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch.is_multiple_of(1 << 14) {
            // Epochs are told apart as long as no page is older than they can count.
            for tile in 0..self.page_by_tile.len() {
                if let Some(page) = self.page_of(tile) {
                    self.settle(hexagons, tile, page);
                }
            }
        }
    }

    /// Returns all known nodes with their counters, in the order of their indices.
    pub(super) fn known<'a>(&'a self, hexagons: &'a Hexagons) -> impl Iterator<Item = (u32, u16)> + 'a {
        let pages = (0..self.page_by_tile.len()).filter_map(|tile| Some((tile, self.page_of(tile)?)));
        let nodes = pages.flat_map(|(tile, page)| {
            bits(self.known_by_page[page]).map(move |bit| (tile * NODES_PER_TILE + bit) as u32)
        });
        nodes.map(|node| (node, self.counter(hexagons, node))).filter(|&(_, counter)| counter > 0)
    }

    /// Returns how many nodes of a tile are known, as far as has been noted: what has faded since the page was written counts.
    pub(super) fn known_in_tile(&self, tile: usize) -> u32 {
        self.page_of(tile).map_or(0, |page| count(&self.known_by_page[page]) as u32)
    }

    /// Returns the bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        2 * (self.page_by_tile.capacity() + self.epoch_by_page.capacity())
            + 32 * self.known_by_page.capacity()
            + 4 * (self.start_by_page.capacity() + self.counters.capacity())
    }

    #[inline]
    fn page_of(&self, tile: usize) -> Option<usize> {
        self.page_by_tile.get(tile).filter(|&&page| page > 0).map(|&page| usize::from(page) - 1)
    }

    #[inline]
    fn locate(&self, node: u32) -> Option<(usize, usize)> {
        let page = self.page_of(node as usize / NODES_PER_TILE)?;
        Some((page, node as usize % NODES_PER_TILE))
    }

    /// Returns the page of a node with its counters as they are now; makes one if there is none.
    fn page_for_writing(&mut self, hexagons: &Hexagons, node: u32) -> usize {
        let tile = node as usize / NODES_PER_TILE;
        if let Some(page) = self.page_of(tile) {
            self.settle(hexagons, tile, page);
            return page;
        }
        if tile >= self.page_by_tile.len() {
            self.page_by_tile.reserve_exact(hexagons.tiles() - self.page_by_tile.len());
            self.page_by_tile.resize(hexagons.tiles(), 0);
        }
        let page = self.known_by_page.len();
        if page == self.known_by_page.capacity() {
            self.known_by_page.reserve_exact(PAGES_AT_ONCE);
            self.start_by_page.reserve_exact(PAGES_AT_ONCE);
        }
        self.known_by_page.push([0; 4]);
        self.start_by_page.push(self.counters.len() as u32);
        if self.epoch != 0 || !self.epoch_by_page.is_empty() {
            if page == self.epoch_by_page.capacity() {
                self.epoch_by_page.reserve_exact(PAGES_AT_ONCE);
            }
            self.epoch_by_page.resize(page + 1, self.epoch);
        }
        self.page_by_tile[tile] = page as u16 + 1;
        page
    }

    /// Writes the counters of a page as they are after fading, and forgets the nodes whose counters are 0.
    fn settle(&mut self, hexagons: &Hexagons, tile: usize, page: usize) {
        if self.epoch_by_page.get(page).is_none_or(|&epoch| epoch == self.epoch) {
            return;
        }
        for bit in bits(self.known_by_page[page]) {
            let node = (tile * NODES_PER_TILE + bit) as u32;
            match self.counter(hexagons, node) {
                0 => self.remove(page, bit),
                counter => {
                    let place = rank(&self.known_by_page[page], bit);
                    self.write(self.start_by_page[page], place, counter - 1);
                }
            }
        }
        self.epoch_by_page[page] = self.epoch;
    }

    /// Makes a node known, with a counter of 1.
    fn insert(&mut self, page: usize, bit: usize, place: usize) {
        let count = count(&self.known_by_page[page]);
        let words = self.words(count);
        if self.words(count + 1) > words {
            self.grow(page, words);
        }
        let start = self.start_by_page[page];
        self.shift(start as usize, place, count);
        self.write(start, place, 0);
        self.known_by_page[page][bit / 64] |= 1 << (bit % 64);
    }

    /// Moves the counters from one place up to another one place on, a word at a time.
    fn shift(&mut self, start: usize, place: usize, count: usize) {
        let (at, end) = (place * self.bits as usize, count * self.bits as usize);
        let (first, last) = (start + at / 32, start + end / 32);
        for word in (first + 1..=last).rev() {
            self.counters[word] = self.counters[word] << self.bits | self.counters[word - 1] >> (32 - self.bits);
        }
        // In the first word the counters before the place stay.
        let stay = (1_u32 << (at % 32)) - 1;
        let word = self.counters[first];
        self.counters[first] = word & stay | (word & !stay) << self.bits;
    }

    fn remove(&mut self, page: usize, bit: usize) {
        let (count, place) = (count(&self.known_by_page[page]), rank(&self.known_by_page[page], bit));
        let start = self.start_by_page[page];
        for place in place + 1..count {
            let counter = self.read(start, place);
            self.write(start, place - 1, counter);
        }
        self.known_by_page[page][bit / 64] &= !(1 << (bit % 64));
        self.gaps += self.words(count) - self.words(count - 1);
    }

    /// Gives a page that has this many words one more.
    fn grow(&mut self, page: usize, words: usize) {
        let start = self.start_by_page[page] as usize;
        if start + words != self.counters.len() {
            if self.gaps + words > (self.counters.len() / 8).max(64) {
                self.pack();
            }
            self.reserve(words);
            let start = self.start_by_page[page] as usize;
            if start + words != self.counters.len() {
                self.start_by_page[page] = self.counters.len() as u32;
                self.counters.extend_from_within(start..start + words);
                self.gaps += words;
            }
        }
        self.reserve(1);
        self.counters.push(0);
    }

    fn reserve(&mut self, words: usize) {
        if self.counters.len() + words > self.counters.capacity() {
            self.counters.reserve_exact(words.max(WORDS_AT_ONCE));
        }
    }

    /// Closes the gaps between pages. The pages lie in the order in which they were moved, which is kept.
    fn pack(&mut self) {
        let mut order: Vec<u32> = (0..self.start_by_page.len() as u32).collect();
        order.sort_unstable_by_key(|&page| self.start_by_page[page as usize]);
        let mut end = 0;
        for page in order.into_iter().map(|page| page as usize) {
            let (start, words) = (self.start_by_page[page] as usize, self.words(count(&self.known_by_page[page])));
            self.counters.copy_within(start..start + words, end);
            self.start_by_page[page] = end as u32;
            end += words;
        }
        self.counters.truncate(end);
        self.gaps = 0;
    }

    /// Returns how many words so many counters take.
    fn words(&self, counters: usize) -> usize {
        (counters * self.bits as usize).div_ceil(32)
    }

    #[inline]
    fn read(&self, start: u32, place: usize) -> u16 {
        let at = place as u32 * self.bits;
        let word = self.counters[(start + at / 32) as usize];
        (word >> (at % 32) & ((1 << self.bits) - 1)) as u16
    }

    #[inline]
    fn write(&mut self, start: u32, place: usize, counter: u16) {
        let at = place as u32 * self.bits;
        let word = &mut self.counters[(start + at / 32) as usize];
        let mask = ((1 << self.bits) - 1) << (at % 32);
        *word = *word & !mask | u32::from(counter) << (at % 32);
    }
}

/// Returns how many nodes before this one are known.
#[inline]
fn rank(known: &[u64; 4], bit: usize) -> usize {
    let before: u32 = known[..bit / 64].iter().map(|word| word.count_ones()).sum();
    (before + (known[bit / 64] & ((1 << (bit % 64)) - 1)).count_ones()) as usize
}

fn count(known: &[u64; 4]) -> usize {
    known.iter().map(|word| word.count_ones() as usize).sum()
}

/// Returns the indices of the bits that are set.
fn bits(known: [u64; 4]) -> impl Iterator<Item = usize> {
    (0..4).flat_map(move |word| {
        let mut left = known[word];
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(word * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::Lattice;
    use portolan::generate::Random;
    use portolan::{HexCell, HexGrid};
    use std::collections::BTreeMap;

    #[test]
    fn counters_are_those_of_a_plain_map() {
        let grid = HexGrid::open(60, 45, None).unwrap();
        let lattice = Lattice::new(&grid, None).unwrap();
        for (seed, most) in [(1, 1), (2, 3), (3, 4), (4, 5), (5, 16), (6, 200), (7, 256)] {
            let mut random = Random::new(seed);
            let (mut memory, mut plain) = (Memory::new(most, false), BTreeMap::new());
            for _ in 0..20_000 {
                let node = random.below(lattice.nodes() as u64) as u32;
                let counter = plain.entry(node).or_insert(0_u16);
                assert_eq!(memory.add(&lattice, node), *counter, "seed {seed}");
                *counter = (*counter + 1).min(most);
                let other = random.below(lattice.nodes() as u64) as u32;
                assert_eq!(memory.counter(&lattice, other), plain.get(&other).copied().unwrap_or(0), "seed {seed}");
            }
            assert!(memory.known(&lattice).eq(plain.into_iter()), "seed {seed}");
            assert!(memory.gaps * 4 <= memory.counters.len(), "seed {seed}: {} gaps", memory.gaps);
        }
    }

    #[test]
    fn counters_fall_with_each_epoch_and_those_of_landmarks_more_slowly() {
        let grid = HexGrid::open(20, 3, None).unwrap();
        let lattice = Lattice::new(&grid, None).unwrap();
        let [plain, corner] = [(10, 1), (0, 0)].map(|(x, y)| lattice.node(&grid, HexCell::at(x, y)).unwrap());
        assert_eq!((lattice.distinctness(plain), lattice.distinctness(corner)), (0, 1));
        let mut memory = Memory::new(16, true);
        for node in [plain, corner] {
            for visit in 0..8 {
                assert_eq!(memory.add(&lattice, node), visit);
            }
        }
        let mut seen = Vec::new();
        for epoch in 0..20 {
            memory.end_epoch(&lattice);
            seen.push((memory.counter(&lattice, plain), memory.counter(&lattice, corner)));
            if epoch == 10 {
                // Writing to the page changes no other counter.
                memory.add(&lattice, lattice.node(&grid, HexCell::at(5, 1)).unwrap());
            }
        }
        let expected: Vec<(u16, u16)> =
            (1..=20_u16).map(|n| (8_u16.saturating_sub(n), 8_u16.saturating_sub(n / 2))).collect();
        assert_eq!(seen, expected);
        assert_eq!(memory.known(&lattice).count(), 0);
    }

    #[test]
    fn what_has_faded_stays_so_for_any_number_of_epochs() {
        let grid = HexGrid::open(20, 20, None).unwrap();
        let lattice = Lattice::new(&grid, None).unwrap();
        let mut memory = Memory::new(4, true);
        for visit in 0..4 {
            assert_eq!(memory.add(&lattice, 7), visit);
        }
        for epoch in 1..=200_000 {
            memory.end_epoch(&lattice);
            assert!(epoch < 16 || memory.counter(&lattice, 7) == 0, "in epoch {epoch}");
        }
    }
}
