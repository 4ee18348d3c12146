//! Planners that follow edits in the background. While the next planner is being made, [`Behind`] holds it and what its
//! walkers need in the meantime.
//!
//! The next planner is made on another thread, but walkers receive it at a tick that is fixed when the work begins.
//! So the log does not depend on how long the work took; only the timings do. Not here: what walkers do in the
//! meantime.

use portolan::any::{AnyPlanner, AnySnapshot};
use portolan::{BuildError, Edit, Unsuited};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What is kept while a planner is out of date and the next one is being made on another thread.
pub(crate) struct Behind {
    /// The world that the present planner is for.
    pub(crate) known: AnySnapshot,
    /// The world that the next planner will be for.
    next: AnySnapshot,
    /// The edits that lead from `known` to `next`.
    pub(crate) edits: Vec<Edit>,
    /// Edits that came after `next`, so that the next planner does not include them.
    pub(crate) late: Vec<Edit>,
    due: u64,
    thread: JoinHandle<Made>,
}

/// The next planner, as the thread returns it.
pub(crate) struct Made {
    pub(crate) planner: Result<AnyPlanner, Unsuited>,
    /// Clusters redone by repair, or `None` if the planner was built anew.
    pub(crate) clusters: Option<usize>,
    pub(crate) took: Duration,
}

impl Behind {
    /// Begins to make the planner for the world `next`, which will be handed over at the tick `due`. The present
    /// `planner` is for the world `known`, and `edits` lead from `known` to `next`.
    pub(crate) fn begin(
        planner: Arc<AnyPlanner>,
        known: AnySnapshot,
        next: AnySnapshot,
        edits: Vec<Edit>,
        due: u64,
    ) -> Behind {
        let (world, missed) = (next.clone(), edits.clone());
        let thread = thread::spawn(move || make(&planner, &world, &missed));
        Behind { known, next, edits, late: Vec::new(), due, thread }
    }

    pub(crate) fn is_due(&self, tick: u64) -> bool {
        self.due <= tick
    }

    /// Waits for the next planner if it is not finished. Returns it, the world it is for, the edits that lead there, and
    /// those that came after.
    pub(crate) fn finish(self) -> (Made, AnySnapshot, Vec<Edit>, Vec<Edit>) {
        let made = self.thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        (made, self.next, self.edits, self.late)
    }
}

/// Makes a planner for `world`. A copy of `planner` is repaired, which keeps everything that the edits did not change;
/// only if the repair fails is the planner built anew.
fn make(planner: &AnyPlanner, world: &AnySnapshot, edits: &[Edit]) -> Made {
    let begun = Instant::now();
    let mut copy = planner.clone();
    let (planner, clusters) = match copy.repair(world, edits) {
        Ok(repair) => (Ok(copy), Some(repair.clusters)),
        Err(_) => (anew(planner, world), None),
    };
    Made { planner, clusters, took: begun.elapsed() }
}

/// Builds a planner for `world` with the algorithm and settings of `planner`.
///
/// # Panics
/// When there is no memory for it.
pub(crate) fn anew(planner: &AnyPlanner, world: &AnySnapshot) -> Result<AnyPlanner, Unsuited> {
    planner.anew(world).map_err(|error| match error {
        BuildError::Unsuited(unsuited) => unsuited,
        BuildError::OutOfMemory(refused) => panic!("{refused}"),
        other => unreachable!("name and settings were good before: {other}"),
    })
}
