//! How far a piece of work may go: until somebody cancels it, its time is over or it has expanded too much.
//!
//! Not here: who cancels, and when.

use crate::limits;
use portolan::{Outcome, Planner, Probe, Query, QueryError, Scratch, Snapshot};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Lets a command go when it is cancelled. Commands are numbered as they come in, from 1, and cancelling ends all that
/// came before: none slips through because it was still waiting for its turn.
#[derive(Clone)]
pub(crate) struct Leash {
    number: u64,
    cancelled: Arc<AtomicU64>,
}

impl Leash {
    pub(crate) fn new(number: u64, cancelled: &Arc<AtomicU64>) -> Leash {
        Leash { number, cancelled: Arc::clone(cancelled) }
    }

    pub(crate) fn is_cut(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) >= self.number
    }
}

/// What a search may take.
#[derive(Copy, Clone)]
pub(crate) struct Limit {
    pub(crate) time: Duration,
    pub(crate) expansions: u64,
}

impl Limit {
    /// Of a search that somebody waits for.
    pub(crate) const SEARCH: Limit = Limit { time: limits::SEARCH, expansions: limits::EXPANSIONS };
}

/// What came of a search, and what it took.
pub(crate) struct Searched {
    pub(crate) outcome: Outcome,
    pub(crate) time: Duration,
    /// Expansions it was allowed until then, in whole slices.
    pub(crate) allowed: u64,
}

/// Searches slice by slice; out of budget when it goes too far.
pub(crate) fn search(
    planner: &Planner,
    (world, query): (&Snapshot, Query),
    scratch: &mut Scratch,
    (leash, limit): (&Leash, Limit),
) -> Result<Searched, QueryError> {
    sliced((leash, limit), |begins| {
        if begins {
            planner.begin(world, query, scratch)?;
        }
        planner.step(world, scratch, limits::SLICE)
    })
}

/// As [`search`], telling a probe.
pub(crate) fn watch(
    planner: &Planner,
    (world, query): (&Snapshot, Query),
    scratch: &mut Scratch,
    (leash, limit): (&Leash, Limit),
    probe: &mut dyn Probe,
) -> Result<Searched, QueryError> {
    sliced((leash, limit), |begins| {
        if begins {
            planner.begin(world, query, scratch)?;
        }
        planner.watch_step(world, scratch, limits::SLICE, probe)
    })
}

fn sliced(
    (leash, limit): (&Leash, Limit),
    mut slice: impl FnMut(bool) -> Result<Option<Outcome>, QueryError>,
) -> Result<Searched, QueryError> {
    let start = Instant::now();
    let mut allowed = 0;
    loop {
        let ended = slice(allowed == 0)?;
        allowed += limits::SLICE;
        let time = start.elapsed();
        if let Some(outcome) = ended {
            return Ok(Searched { outcome, time, allowed });
        }
        if leash.is_cut() || time > limit.time || allowed >= limit.expansions {
            return Ok(Searched { outcome: Outcome::OutOfBudget, time, allowed });
        }
    }
}
