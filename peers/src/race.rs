//! Runs every entrant on every query and times it in such a way that noise affects all entrants equally.
//!
//! Queries come in blocks. On each block every entrant has a turn, in an order that rotates. A turn begins with some
//! milliseconds of queries of the block that are not counted, so that the caches are no longer filled with the data of
//! the entrant before. Every entrant answers every query equally often, and the fastest time of each query counts.
//! Answers are checked at the end of a turn, never while the clock runs.

use crate::course::{Course, Trial};
use crate::edits;
use crate::engine::Entrant;
use crate::judge::{Verdict, judge};
use portolan::SquareGrid;
use std::time::{Duration, Instant};

/// Number of queries that an entrant answers in one turn.
pub(crate) const BLOCK: usize = 50;
/// How long every entrant warms up at the beginning of a turn; less if all queries of the block are answered sooner.
pub(crate) const WARM_UP: Duration = Duration::from_millis(10);

/// The results of an entrant.
#[derive(Default)]
pub(crate) struct Score {
    pub(crate) engine: &'static str,
    pub(crate) algorithm: String,
    pub(crate) rival: Option<&'static str>,
    pub(crate) build_ms: f64,
    pub(crate) mean_us: f64,
    pub(crate) p95_us: f64,
    /// Mean microseconds to follow a change of one cell; `None` if that takes a rebuild.
    pub(crate) edit_us: Option<f64>,
    /// Mean length divided by the optimum, over the answers that have a length.
    pub(crate) ratio_mean: f64,
    /// Number of answers that are missing or break the world's rules.
    pub(crate) invalid: usize,
    /// Number of these answers that only cut corners.
    pub(crate) corners_cut: usize,
}

impl Score {
    /// Returns a score that has the mean and the 95th percentile of these times and nothing else.
    pub(crate) fn of_times(mut times: Vec<Duration>) -> Score {
        let microseconds = |time: &Duration| time.as_secs_f64() * 1e6;
        times.sort();
        let count = times.len().max(1);
        let p95 = times.get((count * 95).div_ceil(100) - 1);
        Score {
            mean_us: times.iter().map(microseconds).sum::<f64>() / count as f64,
            p95_us: p95.map_or(0.0, microseconds),
            ..Score::default()
        }
    }
}

/// An entrant and its results so far.
struct Runner {
    entrant: Entrant,
    best_by_query: Vec<Duration>,
    /// By query: the verdict on the first answer that is not valid, or on the last answer if all are valid.
    verdict_by_query: Vec<Option<Verdict>>,
    edit_us: Option<f64>,
}

/// Races the entrants and returns their scores in the order of `entrants`.
pub(crate) fn run(course: &Course, entrants: Vec<Entrant>, repeat: usize, edits: usize) -> Vec<Score> {
    let count = course.trials.len();
    let mut runners: Vec<Runner> = entrants
        .into_iter()
        .map(|entrant| Runner {
            entrant,
            best_by_query: vec![Duration::MAX; count],
            verdict_by_query: vec![None; count],
            edit_us: None,
        })
        .collect();
    for round in 0..repeat {
        for (number, block) in course.trials.chunks(BLOCK).enumerate() {
            for turn in 0..runners.len() {
                let next = (round + number + turn) % runners.len();
                runners[next].run(&course.world, block, number * BLOCK);
            }
        }
    }
    let mut entrants: Vec<&mut Entrant> = runners.iter_mut().map(|runner| &mut runner.entrant).collect();
    let times = edits::run(&course.world, &mut entrants, edits, repeat);
    for (runner, edit_us) in runners.iter_mut().zip(times) {
        runner.edit_us = edit_us;
    }
    runners.into_iter().map(Runner::score).collect()
}

impl Runner {
    /// Answers and judges a block of queries; `first` is the number of its first query.
    fn run(&mut self, grid: &SquareGrid, block: &[Trial], first: usize) {
        let runner = &mut self.entrant.runner;
        let began = Instant::now();
        for trial in block {
            runner.answer(trial.from, trial.to);
            if began.elapsed() > WARM_UP {
                break;
            }
        }
        let answers: Vec<_> = block.iter().map(|trial| runner.answer(trial.from, trial.to)).collect();
        for ((trial, answer), query) in block.iter().zip(answers).zip(first..) {
            self.best_by_query[query] = self.best_by_query[query].min(answer.took);
            let verdict = &mut self.verdict_by_query[query];
            if matches!(verdict, None | Some(Verdict::Valid(_))) {
                *verdict = Some(judge(grid, *trial, answer.cells));
            }
        }
    }

    fn score(self) -> Score {
        let verdicts: Vec<Verdict> = self.verdict_by_query.into_iter().flatten().collect();
        let ratios: Vec<f64> = verdicts.iter().filter_map(|verdict| verdict.ratio()).collect();
        let counted = |is: fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| is(verdict)).count();
        Score {
            engine: self.entrant.engine,
            algorithm: self.entrant.algorithm,
            rival: self.entrant.rival,
            build_ms: self.entrant.build.as_secs_f64() * 1e3,
            edit_us: self.edit_us,
            ratio_mean: ratios.iter().sum::<f64>() / ratios.len() as f64,
            invalid: counted(|verdict| !matches!(verdict, Verdict::Valid(_))),
            corners_cut: counted(|verdict| matches!(verdict, Verdict::CutsCorners(_))),
            ..Score::of_times(self.best_by_query)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Answer, Engine};
    use portolan::{Cell, Rules, Snapshot, SquareGrid};

    /// An engine that finds a route for every other query only.
    struct Lazy;

    impl Engine for Lazy {
        fn answer(&mut self, from: Cell, to: Cell) -> Answer {
            let found = from.x.is_multiple_of(2);
            Answer { took: Duration::from_micros(u64::from(from.x) + 1), cells: found.then(|| vec![from, to]) }
        }
    }

    #[test]
    fn scores_are_what_the_answers_were() {
        let world = Snapshot::from(SquareGrid::open(101, 2, Rules::default()).unwrap());
        let trial = |x| Trial { from: Cell::new(x, 0), to: Cell::new(x, 1), optimum: 1.0 };
        let course =
            Course { name: String::new(), origin: String::new(), world, trials: (0..100).map(trial).collect() };
        let entrant = Entrant {
            engine: "lazy",
            algorithm: String::new(),
            rival: None,
            build: Duration::ZERO,
            runner: Box::new(Lazy),
        };
        let score = run(&course, vec![entrant], 2, 10).remove(0);
        assert_eq!((score.invalid, score.corners_cut, score.edit_us), (50, 0, None));
        assert!((score.ratio_mean - 1.0).abs() < 1e-9);
        assert!((score.mean_us - 50.5).abs() < 1e-6 && (score.p95_us - 95.0).abs() < 1e-6);
    }
}
