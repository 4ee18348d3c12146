//! The report on one algorithm that followed edits: [`EditRow`], and how it is computed.

use crate::race::row::{mean, percentile, to_places};
use serde::Serialize;
use std::time::Duration;

/// How an algorithm followed edits. The times of edits are in microseconds and contain the repair alone.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EditRow {
    /// Its command name.
    pub algorithm: String,
    /// The number of edits it followed.
    pub edits: usize,
    /// Mean time to follow an edit.
    pub mean_us: f64,
    /// Median time.
    pub p50_us: f64,
    /// The time that 95 of 100 edits do not exceed.
    pub p95_us: f64,
    /// Longest time.
    pub max_us: f64,
    /// Mean number of clusters computed again for an edit, on all levels.
    pub clusters: f64,
    /// Milliseconds to build the planner anew instead: the median over all its builds in this race.
    pub rebuild_ms: f64,
    /// Mean time to follow an edit divided by the time to build anew; `None` if the algorithm derives no data from the
    /// world.
    pub edit_to_rebuild: Option<f64>,
    /// The number of answers compared with those of a planner built anew.
    pub checked: usize,
    /// The number of these answers that are wrong or differ.
    pub mismatches: usize,
    /// Why the algorithm could not follow all edits; `None` if it could.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

/// The measurements that a row is computed from.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) repairs: Vec<Duration>,
    pub(super) clusters: usize,
    pub(super) builds: Vec<Duration>,
    pub(super) keeps_something: bool,
    pub(super) checked: usize,
    pub(super) mismatches: usize,
    pub(super) lost: Option<String>,
}

impl EditRow {
    /// Returns a sentence about an algorithm that could not follow all edits, `None` if it could.
    pub fn farewell(&self) -> Option<String> {
        let reason = self.lost.as_ref()?;
        Some(format!("{} could follow no further than {} edits: {reason}", self.algorithm, self.edits))
    }

    pub(super) fn new(algorithm: &str, tally: Tally) -> EditRow {
        let sorted = |times: &[Duration]| {
            let mut micros: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
            micros.sort_by(f64::total_cmp);
            micros
        };
        let (repairs, builds) = (sorted(&tally.repairs), sorted(&tally.builds));
        let mean_us = mean(&repairs).unwrap_or(0.0);
        let rebuild_us = percentile(&builds, 50.0);
        let comparable = tally.keeps_something && rebuild_us > 0.0 && !repairs.is_empty();
        EditRow {
            algorithm: algorithm.to_owned(),
            edits: repairs.len(),
            mean_us: to_places(mean_us, 3),
            p50_us: to_places(percentile(&repairs, 50.0), 3),
            p95_us: to_places(percentile(&repairs, 95.0), 3),
            max_us: to_places(percentile(&repairs, 100.0), 3),
            clusters: to_places(tally.clusters as f64 / repairs.len().max(1) as f64, 3),
            rebuild_ms: to_places(rebuild_us / 1e3, 3),
            edit_to_rebuild: comparable.then(|| to_places(mean_us / rebuild_us, 6)),
            checked: tally.checked,
            mismatches: tally.mismatches,
            lost: tally.lost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_what_the_times_were() {
        let tally = Tally {
            repairs: (1..=20).rev().map(Duration::from_micros).collect(),
            clusters: 30,
            builds: [9, 2, 1].map(Duration::from_millis).to_vec(),
            keeps_something: true,
            checked: 5,
            ..Tally::default()
        };
        let row = EditRow::new("x", tally);
        let [mean, p50, p95, max] = [row.mean_us, row.p50_us, row.p95_us, row.max_us].map(|us| (us * 1e3) as u32);
        assert_eq!((row.edits, mean, p50, p95, max), (20, 10_500, 10_000, 19_000, 20_000));
        assert!((row.clusters - 1.5).abs() < 1e-9 && (row.rebuild_ms - 2.0).abs() < 1e-9);
        assert!((row.edit_to_rebuild.unwrap() - 0.00525).abs() < 1e-9);
    }

    #[test]
    fn nothing_followed_is_no_division_by_nothing() {
        let row = EditRow::new("x", Tally { keeps_something: true, ..Tally::default() });
        assert_eq!((row.edits, row.edit_to_rebuild), (0, None));
        assert!([row.mean_us, row.p95_us, row.clusters, row.rebuild_ms].iter().all(|&value| value == 0.0));
    }
}
