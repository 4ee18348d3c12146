//! How long the parts of a search on a chart take: [`connecting`] measures the part that connects start and goal.

use crate::mesh::MeshTrial;
use crate::progress::{Cancelled, Steps};
use crate::study::bucket::mean;
use portolan::probe::{Event, Phase, Probe};
use portolan::{NavMesh, Planner, Query, Scratch, Snapshot};
use std::time::{Duration, Instant};

/// Runs of each query; the fastest counts.
const REPEAT: usize = 3;

/// A probe that measures how long a search connects start and goal. During that part a search reports no events, so that
/// the probe does not slow it down.
#[derive(Default)]
struct Stopwatch {
    /// When connecting began, as long as it goes on.
    begun: Option<Instant>,
    connecting: Duration,
}

impl Probe for Stopwatch {
    fn event(&mut self, event: Event) {
        let Event::Phase { phase } = event else { return };
        if let Some(begun) = self.begun.take() {
            self.connecting += begun.elapsed();
        }
        if phase == Phase::Connect {
            self.begun = Some(Instant::now());
        }
    }
}

/// Returns the mean microseconds that a planner needs to connect start and goal of a query. A query that connects
/// nothing, because start and goal lie in one node, counts as 0.
pub(super) fn connecting(
    world: &Snapshot<NavMesh>,
    trials: &[MeshTrial],
    planner: &Planner<NavMesh>,
    steps: &mut Steps,
) -> Result<f64, Cancelled> {
    let mut scratch = Scratch::new();
    let mut least = vec![Duration::MAX; trials.len()];
    for _ in 0..REPEAT {
        for (trial, least) in trials.iter().zip(&mut least) {
            let mut watch = Stopwatch::default();
            let begun = Instant::now();
            let found = planner.watch(world, Query::new(trial.from, trial.to), &mut scratch, &mut watch);
            std::hint::black_box(found.expect("queries start on the mesh"));
            *least = watch.connecting.min(*least);
            steps.spent(begun.elapsed())?;
        }
    }
    Ok(mean(least.iter().map(|time| time.as_secs_f64() * 1e6)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_connecting_is_measured() {
        let mut watch = Stopwatch::default();
        let begin = |phase| Event::Phase { phase };
        let pause = Duration::from_millis(3);
        watch.event(begin(Phase::Search));
        std::thread::sleep(pause);
        assert_eq!(watch.connecting, Duration::ZERO);
        watch.event(begin(Phase::Connect));
        std::thread::sleep(pause);
        watch.event(begin(Phase::Search));
        let connecting = watch.connecting;
        std::thread::sleep(pause);
        watch.event(begin(Phase::Refine));
        assert!(connecting >= pause && watch.connecting == connecting, "{connecting:?}");
    }
}
