//! The number types that the costs of a chart are kept in, and operations on rows of them. A chart uses two bytes for a
//! cost if all of its costs fit, else four bytes, else eight. The latter two are floating-point numbers with whole
//! values, because every machine can add and compare several of these at a time.
//!
//! A cost that is kept is less than half of the greatest value that the type represents exactly, so that the sum of any
//! two is exact. Whether costs fit ([`ChartCost::fits`]) is therefore checked once for every row that is added and once
//! for every cost that is kept, not for every sum. The cost of a way is the same whole number in every type, so that
//! the answers of a chart do not depend on its type.
//!
//! Not here: the choice of the type for a chart (`widths.rs`).

use super::scratch::{ClimbScratch, RhumbScratch};

/// A number type for costs. A value is a cost, or [`ChartCost::NO_WAY`] if there is no way.
pub(in crate::chart) trait ChartCost: Copy + PartialEq + PartialOrd + Send + Sync + 'static {
    const NO_WAY: Self;
    const ZERO: Self;
    /// The least cost that does not [fit](ChartCost::fits); `u32::MAX` for `f64`, in which every cost fits.
    const TOO_DEAR: u32;
    /// The least cost that is not represented exactly; `u32::MAX` for `f64`, which represents every `u32` exactly. In
    /// the narrower types the sum of two costs that fit is less.
    const UNTOLD: u32;

    /// Converts a cost. From [`ChartCost::UNTOLD`] on, the two narrower types give a cost that does not fit.
    fn of(cost: u32) -> Self;
    /// Returns the cost, or `u32::MAX` if it is greater. [`ChartCost::NO_WAY`] gives 65,535 in two bytes and
    /// `u32::MAX` in floating point.
    fn cost(self) -> u32;
    /// Returns the cost without the limit of `u32`.
    fn whole(self) -> u64;
    /// Returns the sum. It is exact if [`ChartCost::is_told`] is true of it.
    fn plus(self, other: Self) -> Self;
    /// Returns whether the cost is small enough to be represented exactly: below [`ChartCost::UNTOLD`] in the two
    /// narrower types, below 2^53 in `f64`.
    fn is_told(self) -> bool;
    /// Returns this cost minus `other`, which is zero or less if `other` is greater. [`ChartCost::NO_WAY`] minus
    /// anything is [`ChartCost::NO_WAY`].
    fn less(self, other: Self) -> Self;
    /// Adds a cost that [fits](ChartCost::fits) and is not [`ChartCost::NO_WAY`], in one instruction for many entries:
    /// `a.after(b.step())` is `a.plus(b)`.
    fn after(self, step: Self) -> Self;
    /// Converts a cost to the operand of [`ChartCost::after`].
    fn step(self) -> Self;
    /// Converts any value to an operand of [`ChartCost::after`]. If the value does not fit or is [`ChartCost::NO_WAY`],
    /// the operand is so great that no sum with it fits as a cost.
    fn far(self) -> Self;
    fn lesser(self, other: Self) -> Self;
    /// Returns whether the sum of this cost and any other that fits is exact. [`ChartCost::NO_WAY`] fits too.
    fn fits(self) -> bool;
    /// Returns the scratch memory of climbs with costs of this type.
    fn vectors(scratch: &mut RhumbScratch) -> &mut ClimbScratch<Self>;
}

/// A cost in two bytes, stored as the cost minus 32,768. The offset makes it a signed number: of all 16-bit
/// numbers, only signed ones have both a saturating addition and a minimum as single instructions on every x86-64
/// processor.
#[derive(Copy, Clone, PartialEq, PartialOrd, Default)]
pub(in crate::chart) struct Cost16(i16);

impl ChartCost for Cost16 {
    const NO_WAY: Cost16 = Cost16(i16::MAX);
    const ZERO: Cost16 = Cost16(i16::MIN);
    const TOO_DEAR: u32 = 0x7fff;
    const UNTOLD: u32 = 0xfffe;

    #[inline(always)]
    fn of(cost: u32) -> Cost16 {
        Cost16((cost.min(Self::UNTOLD) as u16 ^ 0x8000) as i16)
    }

    #[inline(always)]
    fn cost(self) -> u32 {
        u32::from(self.0 as u16 ^ 0x8000)
    }

    fn whole(self) -> u64 {
        self.cost().into()
    }

    #[inline(always)]
    fn plus(self, other: Cost16) -> Cost16 {
        // Sums are cut off at 0xffff, which is `NO_WAY` and greater than `UNTOLD`: no way plus anything is no way.
        Cost16((self.cost() + other.cost()).min(0xffff) as u16 as i16 ^ i16::MIN)
    }

    fn is_told(self) -> bool {
        self.cost() < Self::UNTOLD
    }

    fn less(self, other: Cost16) -> Cost16 {
        if self == Self::NO_WAY { self } else { Cost16::of(self.cost().saturating_sub(other.cost())) }
    }

    #[inline(always)]
    fn after(self, step: Cost16) -> Cost16 {
        Cost16(self.0.saturating_add(step.0))
    }

    #[inline(always)]
    fn step(self) -> Cost16 {
        Cost16(self.0.wrapping_add(i16::MIN))
    }

    #[inline(always)]
    fn far(self) -> Cost16 {
        // As an operand, the bits of `NO_WAY` add 32,767. Even the sum with cost 0 is `TOO_DEAR`, which does not fit.
        if self.0 < -1 { self.step() } else { Self::NO_WAY }
    }

    #[inline(always)]
    fn lesser(self, other: Cost16) -> Cost16 {
        Cost16(self.0.min(other.0))
    }

    #[inline(always)]
    fn fits(self) -> bool {
        // A cost below `TOO_DEAR`, which is half of the range, or no way.
        self.0 < -1 || self.0 == i16::MAX
    }

    #[inline(always)]
    fn vectors(scratch: &mut RhumbScratch) -> &mut ClimbScratch<Cost16> {
        &mut scratch.narrow
    }
}

/// Implements [`ChartCost`] for whole numbers in floating point. Costs below `$half` fit, and numbers up to twice that
/// are exact.
macro_rules! floating {
    ($float:ident, $vectors:ident, $too_dear:expr, $untold:expr, $half:expr) => {
        impl ChartCost for $float {
            const NO_WAY: $float = $float::INFINITY;
            const ZERO: $float = 0.0;
            const TOO_DEAR: u32 = $too_dear;
            const UNTOLD: u32 = $untold;

            #[inline(always)]
            fn of(cost: u32) -> $float {
                cost as $float
            }

            #[inline(always)]
            fn cost(self) -> u32 {
                self as u32
            }

            fn whole(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn plus(self, other: $float) -> $float {
                self + other
            }

            fn is_told(self) -> bool {
                self < 2.0 * $half
            }

            fn less(self, other: $float) -> $float {
                if self == Self::NO_WAY { self } else { self - other }
            }

            #[inline(always)]
            fn after(self, step: $float) -> $float {
                self + step
            }

            #[inline(always)]
            fn step(self) -> $float {
                self
            }

            #[inline(always)]
            fn far(self) -> $float {
                self
            }

            #[inline(always)]
            fn lesser(self, other: $float) -> $float {
                if self < other { self } else { other }
            }

            #[inline(always)]
            fn fits(self) -> bool {
                self < $half || self == Self::NO_WAY
            }

            #[inline(always)]
            fn vectors(scratch: &mut RhumbScratch) -> &mut ClimbScratch<$float> {
                &mut scratch.$vectors
            }
        }
    };
}

floating!(f32, wide, 1 << 23, 1 << 24, 8_388_608.0);
// Every cost fits: no world has more than 2^30 cells, nor a step that costs more than 2^20.
floating!(f64, widest, u32::MAX, u32::MAX, 4_503_599_627_370_496.0);

/// How many entries of a row are added and compared at a time.
pub(super) const LANES: usize = 16;

/// Consecutive entries of a row, which fill one or several registers.
pub(super) type Lanes<T> = [T; LANES];

/// Returns for each lane the lesser of the entry and of the cost in `row` plus the cost that `step` was made from by
/// [`ChartCost::step`].
#[inline(always)]
pub(super) fn relax<T: ChartCost>(entries: Lanes<T>, step: T, row: &Lanes<T>) -> Lanes<T> {
    // The compiler turns an array built by `from_fn` into a few instructions on whole registers. It does not do so with
    // a loop that writes one entry after the other.
    std::array::from_fn(|lane| row[lane].after(step).lesser(entries[lane]))
}

/// Lowers each entry to the cost in `row` plus `chart_cost` where that is less. The result is valid only if
/// `chart_cost` fits.
#[inline(always)]
pub(super) fn relax_row<T: ChartCost>(entries: &mut [Lanes<T>], chart_cost: T, row: &[Lanes<T>]) {
    let step = chart_cost.step();
    for (entries, row) in entries.iter_mut().zip(row) {
        *entries = relax(*entries, step, row);
    }
}

/// Returns the least sum of two entries at one place of both rows, or [`ChartCost::NO_WAY`] if no sum fits. The entries
/// of `far` are operands made by [`ChartCost::far`].
#[inline(always)]
pub(super) fn least_sum<T: ChartCost>(row: &[Lanes<T>], far: &[Lanes<T>]) -> T {
    let mut least = [T::NO_WAY; LANES];
    for (row, far) in row.iter().zip(far) {
        least = std::array::from_fn(|lane| row[lane].after(far[lane]).lesser(least[lane]));
    }
    let sum = self::least(&least);
    // A sum that does not fit has no way as one of its parts, or is too great to be used.
    if sum.fits() { sum } else { T::NO_WAY }
}

/// Returns the least entry, or [`ChartCost::NO_WAY`] if there is none.
#[inline(always)]
pub(super) fn least<T: ChartCost>(entries: &[T]) -> T {
    entries.iter().fold(T::NO_WAY, |least, &entry| entry.lesser(least))
}
