//! The report on one algorithm that followed a dynamic scenario: [`DynamicRow`], and how it is computed.

use crate::judge::{Fault, Optimum, TOLERANCE};
use crate::race::Entrant;
use crate::race::row::{mean, to_places};
use serde::Serialize;
use std::time::Duration;

/// How an algorithm followed a dynamic scenario. Times are sums in milliseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DynamicRow {
    /// Its command name.
    pub algorithm: String,
    /// The number of queries that it answered or gave up.
    pub queries: usize,
    /// The number of answers of the optimal length, or of none where there is no route.
    pub matched: usize,
    /// The number of answers that break the algorithm's promise.
    pub mismatches: usize,
    /// The number of queries given up because the budget ran out.
    pub out_of_budget: usize,
    /// Time to build the planner for the map of the first query.
    pub build_ms: f64,
    /// Time to follow all changes of the map.
    pub repair_ms: f64,
    /// Time to answer all queries.
    pub search_ms: f64,
    /// Time for all of this.
    pub total_ms: f64,
    /// Mean ratio of route to optimum.
    pub ratio_mean: Option<f64>,
    /// Largest ratio of route to optimum.
    pub ratio_max: Option<f64>,
    /// Bytes of the data that it derived from the world at the end.
    pub index_bytes: usize,
    /// Why the algorithm could not follow all changes; `None`, and absent from the JSON, if it could.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// Why the algorithm ran, if it was chosen automatically; absent from the JSON if it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The measurements that a row is computed from.
#[derive(Default)]
pub(super) struct Tally {
    build: Duration,
    pub(super) repair: Duration,
    pub(super) lost: Option<String>,
    search: Duration,
    queries: usize,
    matched: usize,
    mismatches: usize,
    gave_up: usize,
    ratios: Vec<f64>,
}

impl Tally {
    /// Returns the measurements of an algorithm whose planner took this long to build.
    pub(super) fn of_build(build: Duration) -> Tally {
        Tally { build, ..Tally::default() }
    }

    /// Adds an answer and the judge's verdict on it.
    pub(super) fn add(
        &mut self,
        time: Duration,
        gave_up: bool,
        optimum: Option<Optimum>,
        verdict: &Result<Option<f64>, Fault>,
    ) {
        self.search += time;
        self.queries += 1;
        match verdict {
            Ok(Some(ratio)) => {
                self.ratios.push(*ratio);
                let off = (ratio - 1.0).abs() * optimum.map_or(0.0, |optimum| optimum.length);
                self.matched += usize::from(off <= TOLERANCE);
            }
            Ok(None) if gave_up => self.gave_up += 1,
            Ok(None) => self.matched += 1,
            Err(_) => self.mismatches += 1,
        }
    }
}

impl DynamicRow {
    /// Returns a sentence about an algorithm that could not follow all changes, `None` if it could.
    pub fn farewell(&self) -> Option<String> {
        let reason = self.lost.as_ref()?;
        Some(format!("{} could follow no further than {} queries: {reason}", self.algorithm, self.queries))
    }

    /// Returns why the algorithm ran, in one line, if it was chosen automatically.
    pub fn reason(&self) -> Option<String> {
        self.why.as_ref().map(|why| format!("{}: {why}", self.algorithm))
    }

    pub(super) fn new(entrant: &Entrant, index_bytes: usize, tally: Tally) -> DynamicRow {
        let millis = |time: Duration| to_places(time.as_secs_f64() * 1e3, 3);
        let ratios = &tally.ratios;
        DynamicRow {
            algorithm: entrant.name(),
            queries: tally.queries,
            matched: tally.matched,
            mismatches: tally.mismatches,
            out_of_budget: tally.gave_up,
            build_ms: millis(tally.build),
            repair_ms: millis(tally.repair),
            search_ms: millis(tally.search),
            total_ms: millis(tally.build + tally.repair + tally.search),
            ratio_mean: mean(ratios).map(|ratio| to_places(ratio, 6)),
            ratio_max: ratios.iter().copied().reduce(f64::max).map(|ratio| to_places(ratio, 6)),
            index_bytes,
            lost: tally.lost,
            why: entrant.why.clone(),
        }
    }
}
