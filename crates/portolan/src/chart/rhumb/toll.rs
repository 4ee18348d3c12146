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
    /// What is left after taking off another that is a cost; no way stays none.
    fn less(self, other: Self) -> Self;
    /// As [`Toll::plus`] for a toll that is one: `step` is what [`Toll::step`] makes of it.
    fn after(self, step: Self) -> Self;
    fn step(self) -> Self;
    /// As [`Toll::step`], but for what does not fit something that leads out of the range of costs.
    fn far(self) -> Self;
    fn lesser(self, other: Self) -> Self;
    /// Whether it can be added to another and told from having no way.
    fn fits(self) -> bool;
    fn vectors(scratch: &mut RhumbScratch) -> &mut Vectors<Self>;
}

/// A cost in two bytes, less 32,768: of all 16-bit numbers, signed ones are those that every x86-64 adds without
/// overflow and compares in one instruction each.
#[derive(Copy, Clone, PartialEq, PartialOrd, Default)]
pub(in crate::chart) struct Narrow(i16);

impl Toll for Narrow {
    const NO_WAY: Narrow = Narrow(i16::MAX);
    const ZERO: Narrow = Narrow(i16::MIN);

    fn of(cost: u32) -> Narrow {
        Narrow((cost.min(u32::from(u16::MAX)) as u16 ^ 0x8000) as i16)
    }

    #[inline(always)]
    fn cost(self) -> u32 {
        u32::from(self.0 as u16 ^ 0x8000)
    }

    #[inline(always)]
    fn plus(self, other: Narrow) -> Narrow {
        Narrow::of(self.cost() + other.cost())
    }

    fn less(self, other: Narrow) -> Narrow {
        if self == Self::NO_WAY { self } else { Narrow::of(self.cost().saturating_sub(other.cost())) }
    }

    #[inline(always)]
    fn after(self, step: Narrow) -> Narrow {
        Narrow(self.0.saturating_add(step.0))
    }

    #[inline(always)]
    fn step(self) -> Narrow {
        Narrow(self.0.wrapping_add(i16::MIN))
    }

    #[inline(always)]
    fn far(self) -> Narrow {
        if self.0 < 0 { self.step() } else { Self::NO_WAY }
    }

    #[inline(always)]
    fn lesser(self, other: Narrow) -> Narrow {
        Narrow(self.0.min(other.0))
    }

    #[inline(always)]
    fn fits(self) -> bool {
        // Up to half of the range, or no way.
        self.0 < 0 || self.0 == i16::MAX
    }

    #[inline(always)]
    fn vectors(scratch: &mut RhumbScratch) -> &mut Vectors<Narrow> {
        &mut scratch.narrow
    }
}

impl Toll for f32 {
    const NO_WAY: f32 = f32::INFINITY;
    const ZERO: f32 = 0.0;

    fn of(cost: u32) -> f32 {
        cost as f32
    }

    #[inline(always)]
    fn cost(self) -> u32 {
        self as u32
    }

    #[inline(always)]
    fn plus(self, other: f32) -> f32 {
        self + other
    }

    fn less(self, other: f32) -> f32 {
        if self == Self::NO_WAY { self } else { self - other }
    }

    #[inline(always)]
    fn after(self, step: f32) -> f32 {
        self + step
    }

    #[inline(always)]
    fn step(self) -> f32 {
        self
    }

    #[inline(always)]
    fn far(self) -> f32 {
        self
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

/// Entries that are added and compared at a time.
pub(super) const LANES: usize = 16;

/// Entries side by side, which fill one or several registers.
pub(super) type Lanes<T> = [T; LANES];

/// Makes every entry the lesser of itself and of going by way of `row` for a toll that `step` was made of.
#[inline(always)]
pub(super) fn relax<T: Toll>(entries: Lanes<T>, step: T, row: &Lanes<T>) -> Lanes<T> {
    // Built as a whole this becomes a handful of instructions on whole registers; entry by entry it would not.
    std::array::from_fn(|lane| row[lane].after(step).lesser(entries[lane]))
}

/// The same for a row of any length.
#[inline(always)]
pub(super) fn relax_row<T: Toll>(entries: &mut [Lanes<T>], toll: T, row: &[Lanes<T>]) {
    let step = toll.step();
    for (entries, row) in entries.iter_mut().zip(row) {
        *entries = relax(*entries, step, row);
    }
}

/// The least sum of two rows; one of them has gone through [`Toll::far`].
#[inline(always)]
pub(super) fn least_sum<T: Toll>(row: &[Lanes<T>], far: &[Lanes<T>]) -> T {
    let mut least = [T::NO_WAY; LANES];
    for (row, far) in row.iter().zip(far) {
        least = std::array::from_fn(|lane| row[lane].after(far[lane]).lesser(least[lane]));
    }
    let sum = self::least(&least);
    // What does not fit came of adding to no way.
    if sum.fits() { sum } else { T::NO_WAY }
}

/// The least entry.
#[inline(always)]
pub(super) fn least<T: Toll>(entries: &[T]) -> T {
    entries.iter().fold(T::NO_WAY, |least, &entry| entry.lesser(least))
}
