//! The report on one algorithm in a race: [`Row`], and how it is computed from single trials.

use super::BatchRow;
use serde::Serialize;
use std::time::Duration;

/// How an algorithm did in a race. Times are in microseconds and over all queries, solved or not; ratios are over
/// solved queries. Times are those of the pass, in which no query is repeated, unless their name says warm.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Its command name.
    pub algorithm: String,
    /// Milliseconds to build the planner, or to open its saved chart.
    pub build_ms: f64,
    /// Bytes of the data that it derived from the world.
    pub index_bytes: usize,
    /// The number of queries.
    pub queries: usize,
    /// The number of queries that it answered rightly with a route.
    pub solved: usize,
    /// Mean time of a query.
    pub mean_us: f64,
    /// Median time.
    pub p50_us: f64,
    /// The time that 95 of 100 queries do not exceed.
    pub p95_us: f64,
    /// Longest time.
    pub max_us: f64,
    /// Mean over queries of the least time of several runs in a row.
    pub warm_us: f64,
    /// Mean time until the first step is known. An algorithm that does not plan in legs has it together with the whole
    /// route.
    pub first_step_us: f64,
    /// The time until the first step is known that 95 of 100 queries do not exceed.
    pub first_step_p95_us: f64,
    /// Mean over queries of the least time until the first step is known, of several runs in a row.
    pub warm_first_step_us: f64,
    /// Mean number of nodes expanded.
    pub expanded: f64,
    /// Mean number of entries on the open list.
    pub open_mean: f64,
    /// Mean ratio of route to optimum.
    pub ratio_mean: Option<f64>,
    /// Largest ratio of route to optimum.
    pub ratio_max: Option<f64>,
    /// The number of answers that break the algorithm's promise.
    pub mismatches: usize,
    /// The number of queries given up because the budget ran out.
    pub out_of_budget: usize,
    /// Why the algorithm ran, if it was chosen automatically; absent from the JSON if it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How long it takes for a batch; `None`, and absent from the JSON, if no batch was raced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<BatchRow>,
}

impl Row {
    /// Returns why the algorithm ran, in one line, if it was chosen automatically.
    pub fn reason(&self) -> Option<String> {
        self.why.as_ref().map(|why| format!("{}: {why}", self.algorithm))
    }
}

/// An algorithm that could not start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Skipped {
    /// Its command name.
    pub algorithm: String,
    /// Why it could not start.
    pub reason: String,
}

/// The result of one trial.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Sample {
    /// Length of the shortest route.
    pub length: f64,
    /// Microseconds until the route was known in the pass.
    pub us: f64,
    /// Ratio of route to optimum, if the trial was solved.
    pub ratio: Option<f64>,
}

/// The times of each trial.
pub(crate) struct Clocked {
    /// The time of each trial in the pass: run once, after another trial.
    pub(crate) pass: Vec<Duration>,
    /// The least time of each trial over several runs in a row.
    pub(crate) warm: Vec<Duration>,
}

impl Clocked {
    pub(crate) fn new(trials: usize) -> Clocked {
        Clocked { pass: vec![Duration::ZERO; trials], warm: vec![Duration::ZERO; trials] }
    }
}

/// The measurements that a row is computed from.
pub(crate) struct Tally<'a> {
    pub(crate) algorithm: &'a str,
    pub(crate) why: Option<&'a str>,
    pub(crate) build: Duration,
    pub(crate) index_bytes: usize,
    pub(crate) routes: &'a Clocked,
    pub(crate) first_steps: &'a Clocked,
    pub(crate) ratios: &'a [Option<f64>],
    pub(crate) expanded: u64,
    pub(crate) open_sum: f64,
    pub(crate) gave_up: usize,
    pub(crate) mismatches: usize,
}

impl Row {
    pub(crate) fn new(tally: &Tally) -> Row {
        let (sorted, first_steps) = (sorted_micros(&tally.routes.pass), sorted_micros(&tally.first_steps.pass));
        let mean_us = |sorted: &[f64]| to_places(mean(sorted).unwrap_or(0.0), 3);
        let solved: Vec<f64> = tally.ratios.iter().flatten().copied().collect();
        let queries = sorted.len();
        Row {
            algorithm: tally.algorithm.to_owned(),
            build_ms: to_places(tally.build.as_secs_f64() * 1e3, 3),
            index_bytes: tally.index_bytes,
            queries,
            solved: solved.len(),
            mean_us: mean_us(&sorted),
            p50_us: to_places(percentile(&sorted, 50.0), 3),
            p95_us: to_places(percentile(&sorted, 95.0), 3),
            max_us: to_places(percentile(&sorted, 100.0), 3),
            warm_us: mean_us(&sorted_micros(&tally.routes.warm)),
            first_step_us: mean_us(&first_steps),
            first_step_p95_us: to_places(percentile(&first_steps, 95.0), 3),
            warm_first_step_us: mean_us(&sorted_micros(&tally.first_steps.warm)),
            expanded: to_places(tally.expanded as f64 / queries.max(1) as f64, 3),
            open_mean: to_places(tally.open_sum / queries.max(1) as f64, 3),
            ratio_mean: mean(&solved).map(|ratio| to_places(ratio, 6)),
            ratio_max: solved.iter().copied().reduce(f64::max).map(|ratio| to_places(ratio, 6)),
            mismatches: tally.mismatches,
            out_of_budget: tally.gave_up,
            why: tally.why.map(str::to_owned),
            batch: None,
        }
    }
}

fn sorted_micros(times: &[Duration]) -> Vec<f64> {
    let mut micros: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
    micros.sort_by(f64::total_cmp);
    micros
}

/// Returns the mean, `None` of no values.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Rounds to `places` decimal places.
pub(super) fn to_places(value: f64, places: i32) -> f64 {
    let scale = 10_f64.powi(places);
    (value * scale).round() / scale
}

/// Returns the least of the sorted values that at least `percent` of 100 values do not exceed (nearest rank); 0 if
/// there are no values.
pub fn percentile(sorted: &[f64], percent: f64) -> f64 {
    let rank = (percent / 100.0 * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_go_by_nearest_rank() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        let rounded = |percent| percentile(&values, percent) as u32;
        assert_eq!([50.0, 95.0, 100.0, 0.0].map(rounded), [10, 19, 20, 1]);
        assert_eq!([50.0, 95.0, 100.0].map(|percent| percentile(&[7.0], percent) as u32), [7; 3]);
        assert_eq!(percentile(&[], 50.0) as u32, 0);
    }
}
