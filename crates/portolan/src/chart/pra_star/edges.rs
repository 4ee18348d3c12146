//! The edges of a node in one word: where they lead, or where that is listed.

use super::layers::OWN;
use std::ops::Range;

/// Places in a block that edges can lead to as bits.
pub(super) const SLOTS: u32 = 7;

/// The edges of a node: a bit for every direction and place they can lead to, or where they are listed, if some lead to
/// places beyond.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Edges(u64);

/// The highest bit: they are listed.
const LISTED: u64 = 1 << 63;
const _: () = assert!((OWN as u32 + 1) * SLOTS == 63);

impl Edges {
    /// Adds one as a bit.
    #[inline(always)]
    pub(super) const fn add(&mut self, direction: usize, place: u32) {
        self.0 |= 1 << (direction as u32 * SLOTS + place);
    }

    /// To the only node of every block in some directions, one bit each.
    #[inline(always)]
    pub(super) fn straight(directions: u8) -> Edges {
        FIRST[usize::from(directions)]
    }

    pub(super) fn listed(at: usize, len: usize) -> Edges {
        Edges(LISTED | (at as u64) << 31 | len as u64)
    }

    /// Where they are listed.
    #[inline(always)]
    pub(super) fn list(self) -> Option<Range<usize>> {
        let (at, len) = ((self.0 & !LISTED) >> 31, self.0 & ((1 << 31) - 1));
        (self.0 & LISTED != 0).then(|| at as usize..(at + len) as usize)
    }

    pub(super) fn count(self) -> usize {
        self.list().map_or(self.0.count_ones() as usize, |list| list.len())
    }

    /// Those that are bits.
    #[inline(always)]
    pub(super) fn bits(self) -> Bits {
        Bits(self.0)
    }

    /// Those of the bits that lead in some directions.
    #[inline(always)]
    pub(super) fn bits_in(self, directions: u16) -> Bits {
        let own = u64::from(directions >> OWN & 1) << (OWN as u32 * SLOTS);
        Bits(self.0 & ((FIRST[usize::from(directions as u8)].0 | own) * ((1 << SLOTS) - 1)))
    }
}

/// Directions and places of edges that are bits.
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

/// Edges to the first place in some directions.
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
