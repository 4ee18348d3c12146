//! The edges of a node in one word. The word says where they lead, or in which part of a list that is written.

use super::layers::OWN;
use std::ops::Range;

/// How many places of a block an edge can lead to as a bit. If an edge of a block leads to a place with this number or
/// a higher one, all edges of the block are listed.
pub(super) const SLOTS: u32 = 7;

/// The edges of a node: a bit for every direction and each of the first `SLOTS` places of the block there. If this is
/// not enough, it is the range of a list of edges.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Edges(u64);

/// The highest bit, which is set if the edges are listed. Below it come 32 bits for where the list begins and 31 bits
/// for its length.
const LISTED: u64 = 1 << 63;
const _: () = assert!((OWN as u32 + 1) * SLOTS == 63);

impl Edges {
    /// Adds an edge as a bit. `place` is less than `SLOTS`.
    #[inline(always)]
    pub(super) const fn add(&mut self, direction: usize, place: u32) {
        self.0 |= 1 << (direction as u32 * SLOTS + place);
    }

    /// Returns one edge for each of `directions`, a set with one bit each: it leads to the first node of the block
    /// there.
    #[inline(always)]
    pub(super) fn straight(directions: u8) -> Edges {
        FIRST[usize::from(directions)]
    }

    pub(super) fn listed(at: usize, len: usize) -> Edges {
        Edges(LISTED | (at as u64) << 31 | len as u64)
    }

    /// Returns where the edges are listed, or `None` if they are bits.
    #[inline(always)]
    pub(super) fn list(self) -> Option<Range<usize>> {
        let (at, len) = ((self.0 & !LISTED) >> 31, self.0 & ((1 << 31) - 1));
        (self.0 & LISTED != 0).then(|| at as usize..(at + len) as usize)
    }

    pub(super) fn count(self) -> usize {
        self.list().map_or(self.0.count_ones() as usize, |list| list.len())
    }

    /// Returns direction and place of every edge. The edges must not be listed.
    #[inline(always)]
    pub(super) fn bits(self) -> Bits {
        Bits(self.0)
    }

    /// Returns direction and place of every edge that leads in one of `directions`, a set with one bit each. The edges
    /// must not be listed.
    #[inline(always)]
    pub(super) fn bits_in(self, directions: u16) -> Bits {
        let own = u64::from(directions >> OWN & 1) << (OWN as u32 * SLOTS);
        Bits(self.0 & ((FIRST[usize::from(directions as u8)].0 | own) * ((1 << SLOTS) - 1)))
    }
}

/// An iterator over the directions and places of edges that are bits.
pub(super) struct Bits(u64);

impl Iterator for Bits {
    type Item = (usize, u32);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, u32)> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(((bit / SLOTS) as usize, bit % SLOTS))
    }
}

/// By a set of directions, one bit each: an edge to the first place of the block in each of them.
static FIRST: [Edges; 256] = {
    let mut first = [Edges(0); 256];
    let mut directions = 0;
    while directions < 256 {
        let mut direction = 0;
        while direction < 8 {
            if directions >> direction & 1 == 1 {
                first[directions].add(direction, 0);
            }
            direction += 1;
        }
        directions += 1;
    }
    first
};
