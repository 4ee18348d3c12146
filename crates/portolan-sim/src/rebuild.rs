//! A planner that follows edits in the background: [`Behind`] is what a walker goes by until the next one is ready.
//!
//! The next planner is really made on another thread, but handed over at a tick that is fixed when it is begun: logs do
//! not know how long it took, timings do. Not here: what a walker does meanwhile.

use portolan::{BuildError, Edit, Planner, Snapshot, Unsuited};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A planner that does not know the world as it is now, and the one that is to take its place.
pub(crate) struct Behind {
    /// The world it does know.
    pub(crate) known: Snapshot,
    /// The world the next one will know.
    next: Snapshot,
    /// Edits that came too late for the next one.
    pub(crate) late: Vec<Edit>,
    /// Whether its walker stands before a step that is no longer legal.
    pub(crate) waits: bool,
    due: u64,
    thread: JoinHandle<Made>,
}

/// The next planner.
pub(crate) struct Made {
    pub(crate) planner: Result<Planner, Unsuited>,
    /// Clusters redone, if it came by repair.
    pub(crate) clusters: Option<usize>,
    pub(crate) took: Duration,
}

impl Behind {
    /// Begins the planner that follows one that knows `known` to the world `next`, which is these edits further on.
    pub(crate) fn begin(planner: Arc<Planner>, known: Snapshot, next: Snapshot, edits: Vec<Edit>, due: u64) -> Behind {
        let world = next.clone();
        let thread = thread::spawn(move || make(&planner, &world, &edits));
        Behind { known, next, late: Vec::new(), waits: false, due, thread }
    }

    pub(crate) fn is_due(&self, tick: u64) -> bool {
        self.due <= tick
    }

    /// The next planner, waited for if need be, the world it knows, and the edits since.
    pub(crate) fn finish(self) -> (Made, Snapshot, Vec<Edit>) {
        let made = self.thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        (made, self.next, self.late)
    }
}

/// A copy is repaired, so that what edits leave whole is not made twice, and only if that fails is all built anew.
fn make(planner: &Planner, world: &Snapshot, edits: &[Edit]) -> Made {
    let begun = Instant::now();
    let mut copy = planner.clone();
    let (planner, clusters) = match copy.repair(world, edits) {
        Ok(repair) => (Ok(copy), Some(repair.clusters)),
        Err(_) => (anew(planner, world), None),
    };
    Made { planner, clusters, took: begun.elapsed() }
}

/// The same planner built for this world.
///
/// # Panics
/// When there is no memory for it.
pub(crate) fn anew(planner: &Planner, world: &Snapshot) -> Result<Planner, Unsuited> {
    planner.anew(world).map_err(|error| match error {
        BuildError::Unsuited(unsuited) => unsuited,
        BuildError::OutOfMemory(refused) => panic!("{refused}"),
        other => unreachable!("name and settings were good before: {other}"),
    })
}
