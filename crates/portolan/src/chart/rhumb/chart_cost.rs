//! The numbers that fronts are made of: two bytes where all of a world's costs fit, else floating point used for whole
//! numbers, which any machine adds and compares several at a time: four bytes, and eight where those are too few.
//!
//! All keep room to spare: what is kept is at most half of what can be told apart, so that the sum of two is exact.
//! Whether everything fits is asked once a row ([`ChartCost::fits`]), not once a sum. A chart has the same costs in numbers of
//! every width, so that its answers do not depend on which it is made of.

use super::climb::{ClimbScratch, RhumbScratch};

/// A cost, or that there is no way.
pub(in crate::chart) trait ChartCost: Copy + PartialEq + PartialOrd + Send + Sync + 'static {
    const NO_WAY: Self;
    const ZERO: Self;
    /// The least cost that does not [fit](ChartCost::fits).
    const TOO_DEAR: u32;
    /// The least cost that cannot be told from greater ones. The sum of two costs that fit is less.
    const UNTOLD: u32;

    /// The cost of a cost; of one from [`ChartCost::UNTOLD`] on, a cost that does not fit.
    fn of(cost: u32) -> Self;
    /// The cost, or `u32::MAX` if it is greater.
    fn cost(self) -> u32;
    /// The cost as it is.
    fn whole(self) -> u64;
    /// The sum; it is exact where it is [told](ChartCost::is_told).
    fn plus(self, other: Self) -> Self;
    /// Whether it is a cost below [`ChartCost::UNTOLD`].
    fn is_told(self) -> bool;
    /// What is left after taking off another that is a cost; no way stays none.
    fn less(self, other: Self) -> Self;
    /// As [`ChartCost::plus`] for a cost that is one: `step` is what [`ChartCost::step`] makes of it.
    fn after(self, step: Self) -> Self;
    fn step(self) -> Self;
    /// As [`ChartCost::step`], but for what does not fit something that leads out of the range of costs.
    fn far(self) -> Self;
    fn lesser(self, other: Self) -> Self;
    /// Whether it can be added to another and told from having no way.
    fn fits(self) -> bool;
    fn vectors(scratch: &mut RhumbScratch) -> &mut ClimbScratch<Self>;
}

/// A cost in two bytes, less 32,768: of all 16-bit numbers, signed ones are those that every x86-64 adds without
/// overflow and compares in one instruction each.
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
        // What is no way stays more than `UNTOLD`.
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
        // Adding no cost at all to what leads out of the range gives `TOO_DEAR`, which does not fit either.
        if self.0 < -1 { self.step() } else { Self::NO_WAY }
    }

    #[inline(always)]
    fn lesser(self, other: Cost16) -> Cost16 {
        Cost16(self.0.min(other.0))
    }

    #[inline(always)]
    fn fits(self) -> bool {
        // Less than half of the range, or no way.
        self.0 < -1 || self.0 == i16::MAX
    }

    #[inline(always)]
    fn vectors(scratch: &mut RhumbScratch) -> &mut ClimbScratch<Cost16> {
        &mut scratch.narrow
    }
}

/// Whole numbers in floating point, exact up to twice the greatest that fits.
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

/// Entries that are added and compared at a time.
pub(super) const LANES: usize = 16;

/// Entries side by side, which fill one or several registers.
pub(super) type Lanes<T> = [T; LANES];

/// Makes every entry the lesser of itself and of going by way of `row` for a cost that `step` was made of.
#[inline(always)]
pub(super) fn relax<T: ChartCost>(entries: Lanes<T>, step: T, row: &Lanes<T>) -> Lanes<T> {
    // Built as a whole this becomes a handful of instructions on whole registers; entry by entry it would not.
    std::array::from_fn(|lane| row[lane].after(step).lesser(entries[lane]))
}

/// The same for a row of any length.
#[inline(always)]
pub(super) fn relax_row<T: ChartCost>(entries: &mut [Lanes<T>], chart_cost: T, row: &[Lanes<T>]) {
    let step = chart_cost.step();
    for (entries, row) in entries.iter_mut().zip(row) {
        *entries = relax(*entries, step, row);
    }
}

/// The least sum of two rows; one of them has gone through [`ChartCost::far`].
#[inline(always)]
pub(super) fn least_sum<T: ChartCost>(row: &[Lanes<T>], far: &[Lanes<T>]) -> T {
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
pub(super) fn least<T: ChartCost>(entries: &[T]) -> T {
    entries.iter().fold(T::NO_WAY, |least, &entry| entry.lesser(least))
}
