//! The numbers that fronts are made of: two bytes where all of a world's costs fit, else floating point used for whole
//! numbers, which any machine adds and compares four at a time.
//!
//! Both keep room to spare: what is kept is at most half of what can be told apart, so that the sum of two is exact.
//! Whether everything fits is asked once a front ([`Toll::fits`]), not once a sum.

use super::climb::{RhumbScratch, Vectors};

/// A cost, or that there is no way.
pub(in crate::chart) trait Toll: Copy + PartialEq + PartialOrd + Send + Sync + 'static {
    const NO_WAY: Self;
    const ZERO: Self;

    fn of(cost: u32) -> Self;
    fn cost(self) -> u32;
    fn plus(self, other: Self) -> Self;
    fn lesser(self, other: Self) -> Self;
    /// Whether it can be added to another and told from having no way.
    fn fits(self) -> bool;
    fn vectors(scratch: &mut RhumbScratch) -> &mut Vectors<Self>;
}

impl Toll for u16 {
    const NO_WAY: u16 = u16::MAX;
    const ZERO: u16 = 0;

    fn of(cost: u32) -> u16 {
        u16::try_from(cost).unwrap_or(u16::MAX - 1)
    }

    fn cost(self) -> u32 {
        u32::from(self)
    }

    #[inline(always)]
    fn plus(self, other: u16) -> u16 {
        self.saturating_add(other)
    }

    #[inline(always)]
    fn lesser(self, other: u16) -> u16 {
        self.min(other)
    }

    #[inline(always)]
    fn fits(self) -> bool {
        self <= u16::MAX / 2 || self == u16::MAX
    }

    #[inline(always)]
    fn vectors(scratch: &mut RhumbScratch) -> &mut Vectors<u16> {
        &mut scratch.narrow
    }
}

impl Toll for f32 {
    const NO_WAY: f32 = f32::INFINITY;
    const ZERO: f32 = 0.0;

    fn of(cost: u32) -> f32 {
        cost as f32
    }

    fn cost(self) -> u32 {
        self as u32
    }

    #[inline(always)]
    fn plus(self, other: f32) -> f32 {
        self + other
    }

    #[inline(always)]
    fn lesser(self, other: f32) -> f32 {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn fits(self) -> bool {
        self <= 8_388_608.0 || self == f32::INFINITY
    }

    #[inline(always)]
    fn vectors(scratch: &mut RhumbScratch) -> &mut Vectors<f32> {
        &mut scratch.wide
    }
}

/// Entries a row is padded to a multiple of.
const LANES: usize = 16;

/// The length of a row with room for so many entries.
pub(super) fn padded(length: usize) -> usize {
    length.next_multiple_of(LANES).max(LANES)
}

/// Makes every entry the lesser of itself and of going by way of `row` for `toll`.
#[inline(always)]
pub(super) fn relax<T: Toll>(entries: &mut [T], toll: T, row: &[T]) {
    for (entries, row) in entries.as_chunks_mut::<LANES>().0.iter_mut().zip(row.as_chunks::<LANES>().0) {
        // Built as a whole and stored at once, this becomes a handful of instructions on whole registers.
        *entries = std::array::from_fn(|lane| toll.plus(row[lane]).lesser(entries[lane]));
    }
}

/// The least entry.
#[inline(always)]
pub(super) fn least<T: Toll>(entries: &[T]) -> T {
    entries.iter().fold(T::NO_WAY, |least, &entry| entry.lesser(least))
}
