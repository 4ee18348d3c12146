//! How far a command may go: until the page cancels it, its time is over, it has expanded too many nodes, or no memory
//! is left. Work that cannot be stopped half-way is left to end alone.
//!
//! Not here: reading the `cancel` of a page (`socket.rs`).

use crate::budget::{Budget, Full, Share};
use crate::limits;
use portolan::any::{AnyPlanner, AnyRoute, AnyScratch, AnySnapshot};
use portolan::probe::Probe;
use portolan::{Outcome, Query, QueryError};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How often a command that waits for work on another thread checks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(10);

/// What the leashes of one page share. Commands are numbered from 1 as they come in, and a `cancel` ends all that came
/// in before it, also those that still wait for their turn.
pub(crate) struct Tether {
    all: AtomicU64,
    finds: AtomicU64,
    /// Permits for work that goes on although its command was cancelled, for all pages together.
    strays: Arc<Semaphore>,
    /// The memory that all pages share.
    budget: Arc<Budget>,
}

impl Tether {
    pub(crate) fn new(strays: Arc<Semaphore>, budget: Arc<Budget>) -> Tether {
        Tether { all: AtomicU64::new(0), finds: AtomicU64::new(0), strays, budget }
    }

    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Cancels all commands up to this number.
    pub(crate) fn cut(&self, number: u64) {
        self.all.store(number, Ordering::Relaxed);
    }

    /// Cancels the commands up to this number that ask for a route.
    pub(crate) fn cut_finds(&self, number: u64) {
        self.finds.store(number, Ordering::Relaxed);
    }
}

/// Tells whether a command was cancelled, and reserves memory for it.
#[derive(Clone)]
pub(crate) struct Leash {
    number: u64,
    is_find: bool,
    tether: Arc<Tether>,
    /// Memory that is reserved for as long as the command is under way.
    aside: Arc<Mutex<Share>>,
}

impl Leash {
    pub(crate) fn new(number: u64, is_find: bool, tether: &Arc<Tether>) -> Leash {
        let aside = Arc::new(Mutex::new(tether.budget.count(0)));
        Leash { number, is_find, tether: Arc::clone(tether), aside }
    }

    /// Reserves memory for something that may stay when the command has ended.
    pub(crate) fn reserve(&self, bytes: usize) -> Result<Share, Full> {
        self.tether.budget.reserve(bytes)
    }

    /// Reserves memory until the command has ended and its answer is ready to be sent.
    pub(crate) fn set_aside(&self, bytes: usize) -> Result<(), Full> {
        self.aside.lock().unwrap_or_else(PoisonError::into_inner).grow(bytes)
    }

    pub(crate) fn is_cut(&self) -> bool {
        let reaches = |cut: &AtomicU64| cut.load(Ordering::Relaxed) >= self.number;
        reaches(&self.tether.all) || (self.is_find && reaches(&self.tether.finds))
    }
}

/// Why work on a thread of its own was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AsideError {
    #[error("given up before it was ready")]
    Cut,
    #[error("there is no thread to work on: {0}")]
    Thread(#[from] io::Error),
}

/// Does work that cannot be stopped on a thread of its own. If the command is cancelled, this returns an error, and the
/// thread goes on alone to its end. For that it needs a permit: if none is free, this waits, so that cancelling again
/// and again does not take ever more threads and memory.
pub(crate) fn aside<T: Send + 'static>(
    leash: &Leash,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, AsideError> {
    if leash.is_cut() {
        return Err(AsideError::Cut);
    }
    let (tell, told) = mpsc::sync_channel(1);
    // Holds the permit if the thread goes on alone; the thread gives it back at its end.
    let place = Arc::new(OnceLock::<OwnedSemaphorePermit>::new());
    let kept = Arc::clone(&place);
    let thread = std::thread::Builder::new().name("build".into()).spawn(move || {
        // Sending fails if the command was cancelled and waits no longer.
        let _ = tell.send(work());
        drop(kept);
    })?;
    loop {
        match told.recv_timeout(LOOK) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Err(AsideError::Cut),
            },
        }
        if leash.is_cut()
            && let Ok(free) = Arc::clone(&leash.tether.strays).try_acquire_owned()
        {
            // It is empty before: it is set only here, once.
            let _ = place.set(free);
            return Err(AsideError::Cut);
        }
    }
}

/// The most that a search may take.
#[derive(Copy, Clone)]
pub(crate) struct Limit {
    pub(crate) time: Duration,
    pub(crate) expansions: u64,
}

impl Limit {
    /// The limit of a search that a page asks for.
    pub(crate) const SEARCH: Limit = Limit { time: limits::SEARCH, expansions: limits::EXPANSIONS };
}

/// The outcome of a search, and what it took.
pub(crate) struct Searched<R = AnyRoute> {
    pub(crate) outcome: Outcome<R>,
    pub(crate) time: Duration,
    /// The expansions that it was allowed so far, in whole slices.
    pub(crate) allowed: u64,
}

/// Searches slice by slice. The outcome is [`Outcome::OutOfBudget`] if the command is cancelled or the search reaches
/// its limit.
pub(crate) fn search(
    planner: &AnyPlanner,
    (world, query): (&AnySnapshot, Query),
    scratch: &mut AnyScratch,
    (leash, limit): (&Leash, Limit),
) -> Result<Searched, QueryError> {
    sliced((leash, limit), |begins| {
        if begins {
            planner.begin(world, query, scratch)?;
        }
        planner.step(world, scratch, limits::SLICE)
    })
}

/// Searches as [`search`] does, and reports every event to a probe.
pub(crate) fn watch(
    planner: &AnyPlanner,
    (world, query): (&AnySnapshot, Query),
    scratch: &mut AnyScratch,
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

/// Searches slice by slice; `slice` is told whether it is the first one.
pub(crate) fn sliced<R, E>(
    (leash, limit): (&Leash, Limit),
    mut slice: impl FnMut(bool) -> Result<Option<Outcome<R>>, E>,
) -> Result<Searched<R>, E> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Starts work on a leash, which goes on until it is told to end.
    fn begin(strays: &Arc<Semaphore>) -> (Arc<Tether>, mpsc::Sender<u32>, thread::JoinHandle<Option<u32>>) {
        let tether = Arc::new(Tether::new(Arc::clone(strays), Budget::new(0)));
        let leash = Leash::new(1, true, &tether);
        let (begin, begun) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let work = move || begin.send(()).map_or(0, |()| ended.recv().unwrap_or(0));
        let waits = thread::spawn(move || aside(&leash, work).ok());
        begun.recv().unwrap();
        (tether, end, waits)
    }

    #[test]
    fn what_is_cancelled_is_left_behind_one_at_a_time() {
        let strays = Arc::new(Semaphore::new(1));
        let (tether, first, waits) = begin(&strays);
        tether.cut_finds(1);
        assert_eq!(waits.join().unwrap(), None, "nobody waits for it");
        assert_eq!(strays.available_permits(), 0, "but it goes on");

        let (tether, second, waits) = begin(&strays);
        tether.cut(1);
        thread::sleep(5 * LOOK);
        assert!(!waits.is_finished(), "another has to be waited for");
        first.send(1).unwrap();
        assert_eq!(waits.join().unwrap(), None, "until the first has ended");
        drop(second);
        while strays.available_permits() == 0 {
            thread::sleep(LOOK);
        }
    }

    #[test]
    fn what_is_not_cancelled_is_done() {
        let strays = Arc::new(Semaphore::new(1));
        let (tether, end, waits) = begin(&strays);
        tether.cut(0);
        end.send(7).unwrap();
        assert_eq!(waits.join().unwrap(), Some(7));
        let leash = Leash::new(2, false, &tether);
        tether.cut_finds(2);
        assert_eq!(aside(&leash, || 8).unwrap(), 8, "it asks for no route");
        tether.cut(2);
        assert!(matches!(aside(&leash, || 9), Err(AsideError::Cut)), "it does not even begin");
        assert_eq!(strays.available_permits(), 1);
    }

    #[test]
    fn a_panic_is_passed_on() {
        let leash = Leash::new(1, true, &Arc::new(Tether::new(Arc::new(Semaphore::new(1)), Budget::new(0))));
        let passed = thread::spawn(move || aside(&leash, || panic!("on purpose")).is_ok()).join();
        assert!(passed.is_err());
    }
}
