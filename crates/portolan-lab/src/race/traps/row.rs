//! The report on one algorithm whose agent walked among traps: [`TrapRow`], and how it is computed.

use crate::judge::Fault;
use crate::race::Entrant;
use crate::race::row::{mean, percentile, to_places};
use serde::Serialize;
use std::time::Duration;

/// How an agent of an algorithm followed the traps. Times are in microseconds and of one tick, if not said otherwise.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TrapRow {
    /// Its command name.
    pub algorithm: String,
    /// Milliseconds to build the planner.
    pub build_ms: f64,
    /// Mean time of the first plan of a route.
    pub first_us: f64,
    /// The number of ticks that the agent walked.
    pub ticks: usize,
    /// Mean number of traps that lay in the world.
    pub traps: f64,
    /// The number of ticks in which the planner was repaired. An agent with a replanner often needs no planner.
    pub repairs: usize,
    /// Mean time to repair the planner.
    pub repair_us: f64,
    /// Mean time to plan after that.
    pub plan_us: f64,
    /// Mean time of both together.
    pub mean_us: f64,
    /// Median time of both together.
    pub p50_us: f64,
    /// The time of both together that 99 of 100 ticks do not exceed.
    pub p99_us: f64,
    /// Longest time of both together.
    pub max_us: f64,
    /// Mean time of a fresh plain A* at the same places.
    pub plain_us: f64,
    /// That time divided by the mean time of a tick.
    pub times_as_fast: f64,
    /// Mean ratio of the cost of the rest of the route to the least possible cost.
    pub ratio_mean: Option<f64>,
    /// Largest such ratio.
    pub ratio_max: Option<f64>,
    /// The number of ticks after which there was no route.
    pub cut_off: usize,
    /// The number of plans that break the algorithm's promise.
    pub mismatches: usize,
    /// Why the algorithm ran, if it was chosen automatically; absent from the JSON if it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The measurements that a row is computed from.
pub(super) struct Tally {
    build: Duration,
    first: Duration,
    /// The least times to repair and to plan in each tick.
    ticks: Vec<[Duration; 2]>,
    plain: Duration,
    traps: usize,
    repairs: usize,
    ratios: Vec<f64>,
    cut_off: usize,
    mismatches: usize,
}

impl Tally {
    pub(super) fn new(build: Duration, ticks: usize) -> Tally {
        Tally {
            build,
            first: Duration::MAX,
            ticks: vec![[Duration::MAX; 2]; ticks],
            plain: Duration::ZERO,
            traps: 0,
            repairs: 0,
            ratios: Vec::new(),
            cut_off: 0,
            mismatches: 0,
        }
    }

    pub(super) fn ticks(&self) -> usize {
        self.ticks.len()
    }

    /// Notes the times to repair and to plan in a tick, if they are the least so far.
    pub(super) fn time(&mut self, tick: usize, times: [Duration; 2]) {
        let least = &mut self.ticks[tick];
        if times[0].saturating_add(times[1]) < least[0].saturating_add(least[1]) {
            *least = times;
        }
    }

    /// Notes the times of the first plans of all routes, if they are the least so far.
    pub(super) fn first(&mut self, firsts: &[Duration]) {
        let mean = firsts.iter().sum::<Duration>() / firsts.len().max(1) as u32;
        self.first = self.first.min(mean);
    }

    /// Notes how many traps lay in the world, summed over all ticks, and in how many ticks the planner was repaired.
    pub(super) fn count(&mut self, traps: usize, repairs: usize) {
        (self.traps, self.repairs) = (traps, repairs);
    }

    /// Adds the time of a fresh plain A* and the judge's verdict on a plan.
    pub(super) fn judge(&mut self, plain: Duration, verdict: &Result<Option<f64>, Fault>) {
        self.plain += plain;
        match verdict {
            Ok(Some(ratio)) => self.ratios.push(*ratio),
            Ok(None) => self.cut_off += 1,
            Err(_) => self.mismatches += 1,
        }
    }
}

impl TrapRow {
    /// Returns why the algorithm ran, in one line, if it was chosen automatically.
    pub fn reason(&self) -> Option<String> {
        self.why.as_ref().map(|why| format!("{}: {why}", self.algorithm))
    }

    pub(super) fn new(entrant: &Entrant, tally: &Tally) -> TrapRow {
        let us = |time: Duration| time.as_secs_f64() * 1e6;
        let count = tally.ticks.len().max(1) as f64;
        let sum = |part: usize| tally.ticks.iter().map(|times| us(times[part])).sum::<f64>() / count;
        let mut ticks: Vec<f64> = tally.ticks.iter().map(|[repair, plan]| us(*repair + *plan)).collect();
        ticks.sort_by(f64::total_cmp);
        let (mean_us, plain_us) = (mean(&ticks).unwrap_or(0.0), us(tally.plain) / count);
        TrapRow {
            algorithm: entrant.name(),
            build_ms: to_places(us(tally.build) / 1e3, 3),
            first_us: to_places(us(tally.first), 3),
            ticks: ticks.len(),
            traps: to_places(tally.traps as f64 / count, 3),
            repairs: tally.repairs,
            repair_us: to_places(sum(0), 3),
            plan_us: to_places(sum(1), 3),
            mean_us: to_places(mean_us, 3),
            p50_us: to_places(percentile(&ticks, 50.0), 3),
            p99_us: to_places(percentile(&ticks, 99.0), 3),
            max_us: to_places(percentile(&ticks, 100.0), 3),
            plain_us: to_places(plain_us, 3),
            times_as_fast: to_places(if mean_us > 0.0 { plain_us / mean_us } else { 0.0 }, 3),
            ratio_mean: mean(&tally.ratios).map(|ratio| to_places(ratio, 6)),
            ratio_max: tally.ratios.iter().copied().reduce(f64::max).map(|ratio| to_places(ratio, 6)),
            cut_off: tally.cut_off,
            mismatches: tally.mismatches,
            why: entrant.why.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::algorithm;

    #[test]
    fn the_least_times_count_and_plain_a_star_is_the_measure() {
        let mut tally = Tally::new(Duration::from_millis(2), 2);
        let micros = |times: [u64; 2]| times.map(Duration::from_micros);
        for (tick, times) in [(0, [4, 6]), (1, [1, 1]), (0, [5, 1]), (1, [9, 9])] {
            tally.time(tick, micros(times));
        }
        tally.judge(Duration::from_micros(100), &Ok(Some(1.0)));
        tally.judge(Duration::from_micros(300), &Ok(Some(1.5)));
        let row = TrapRow::new(&Entrant::new(algorithm("a-star").unwrap()), &tally);
        let times = [row.repair_us, row.plan_us, row.mean_us, row.max_us, row.plain_us, row.times_as_fast];
        assert_eq!(times.map(|value| (value * 1e3).round() as u32), [3_000, 1_000, 4_000, 6_000, 200_000, 50_000]);
        assert_eq!((row.ratio_mean, row.ratio_max), (Some(1.25), Some(1.5)));
    }
}
