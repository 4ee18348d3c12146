//! How much anytime searches inflate their estimates ([`Inflation`]): much in the first round, less in each round after it,
//! and not at all in the last.
//!
//! Not here: the rounds themselves.

use crate::settings::{Param, Settings};

/// The fixed-point number that stands for an inflation of 1.
pub(crate) const ONE: u64 = 1024;

/// The least inflation above 1, in 64ths. Below it, a round would do nearly all the work of the last one.
const LEAST: u64 = 68;

const EPSILON: Param = Param::number("epsilon", "factor on the estimates in the first round", 2.5, 1.0, 10.0);
const STEP: Param = Param::number("step", "by how much the factor falls from round to round", 0.5, 0.1, 9.0);

/// The parameters of an anytime search.
pub(crate) const INFLATION: &[Param] = &[EPSILON, STEP];

/// The factors on the estimates, round by round, in units of 1 / [`ONE`].
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Inflation {
    first: u64,
    step: u64,
}

impl Inflation {
    pub(crate) fn of(settings: &Settings) -> Inflation {
        let [first, step] = [EPSILON, STEP].map(|param| (settings.number(param.name) * ONE as f64) as u64);
        Inflation { first, step }
    }

    /// Returns the factor of the first round.
    pub(crate) fn first(self) -> u64 {
        Inflation::rounded(self.first)
    }

    /// Returns the factor of the round after one with the factor `now`, which found a route of cost `cost` where every
    /// route costs at least `least`. The next round does not begin with a factor that the route keeps to already.
    pub(crate) fn next(self, now: u64, cost: u64, least: u64) -> u64 {
        let kept = cost.saturating_mul(ONE) / least.max(1);
        Inflation::rounded(now.saturating_sub(self.step).min(kept))
    }

    fn rounded(factor: u64) -> u64 {
        if factor * 64 < LEAST * ONE { ONE } else { factor }
    }
}

/// Returns the least cost that any route can have if one of cost `cost` is at most `factor` times as dear, where `factor` is in
/// units of 1 / [`ONE`].
pub(crate) fn least_within(cost: u64, factor: u64) -> u64 {
    cost.saturating_mul(ONE).div_ceil(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_fall_to_one_and_skip_what_is_kept() {
        let inflation = Inflation { first: 5 * ONE / 2, step: ONE / 2 };
        let mut factors = vec![inflation.first()];
        while factors[factors.len() - 1] > ONE {
            factors.push(inflation.next(factors[factors.len() - 1], 1000, 100));
        }
        assert_eq!(factors, [2560, 2048, 1536, 1024]);
        assert_eq!(inflation.next(2560, 130, 100), 1331);
        assert_eq!(inflation.next(2560, 105, 100), ONE);
        assert_eq!(inflation.next(ONE, 100, 100), ONE);
    }

    #[test]
    fn the_least_cost_is_rounded_up() {
        assert_eq!(least_within(1000, 2 * ONE), 500);
        assert_eq!(least_within(1001, 2 * ONE), 501);
        assert_eq!(least_within(1001, ONE), 1001);
    }
}
