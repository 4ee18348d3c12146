//! How far a piece of work may go: until the page cancels it, its time is over, it has expanded too much or no memory is
//! left. What cannot be stopped half-way is left behind.
//!
//! Not here: when a page cancels.

use crate::budget::{Budget, Full, Share};
use crate::limits;
use portolan::{Outcome, Planner, Probe, Query, QueryError, Scratch, Snapshot};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How often somebody who waits for work on another thread looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(10);

/// What the leashes of one page are tied to. Commands are numbered as they come in, from 1, and cancelling ends all that
/// came before: none slips through because it was still waiting for its turn.
pub(crate) struct Tether {
    all: AtomicU64,
    finds: AtomicU64,
    /// Places for work that goes on although nobody waits for it, of all pages.
    strays: Arc<Semaphore>,
    /// Memory of all pages.
    budget: Arc<Budget>,
}

impl Tether {
    pub(crate) fn new(strays: Arc<Semaphore>, budget: Arc<Budget>) -> Tether {
        Tether { all: AtomicU64::new(0), finds: AtomicU64::new(0), strays, budget }
    }

    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Lets all commands go up to this number.
    pub(crate) fn cut(&self, number: u64) {
        self.all.store(number, Ordering::Relaxed);
    }

    /// And only those that ask for a route.
    pub(crate) fn cut_finds(&self, number: u64) {
        self.finds.store(number, Ordering::Relaxed);
    }
}

/// Lets a command go when it is cancelled.
#[derive(Clone)]
pub(crate) struct Leash {
    number: u64,
    is_find: bool,
    tether: Arc<Tether>,
    /// Memory for as long as the command is under way.
    aside: Arc<Mutex<Share>>,
}

impl Leash {
    pub(crate) fn new(number: u64, is_find: bool, tether: &Arc<Tether>) -> Leash {
        let aside = Arc::new(Mutex::new(tether.budget.count(0)));
        Leash { number, is_find, tether: Arc::clone(tether), aside }
    }

    /// Takes memory for something that may stay when the command has ended.
    pub(crate) fn reserve(&self, bytes: usize) -> Result<Share, Full> {
        self.tether.budget.reserve(bytes)
    }

    /// Takes memory until the command has ended and its answer is ready to be sent.
    pub(crate) fn set_aside(&self, bytes: usize) -> Result<(), Full> {
        self.aside.lock().unwrap_or_else(PoisonError::into_inner).grow(bytes)
    }

    pub(crate) fn is_cut(&self) -> bool {
        let reaches = |cut: &AtomicU64| cut.load(Ordering::Relaxed) >= self.number;
        reaches(&self.tether.all) || (self.is_find && reaches(&self.tether.finds))
    }
}

/// Why nothing came of a planner's building.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AsideError {
    #[error("given up before the planner was built")]
    Cut,
    #[error("there is no thread to build a planner on: {0}")]
    Thread(#[from] io::Error),
}

/// Does work that cannot be stopped on a thread of its own. Once it is cancelled nobody waits for it, and it ends alone;
/// unless as many do already as may, so that cancelling again and again does not take ever more threads and memory.
pub(crate) fn aside<T: Send + 'static>(
    leash: &Leash,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, AsideError> {
    if leash.is_cut() {
        return Err(AsideError::Cut);
    }
    let (tell, told) = mpsc::sync_channel(1);
    // Taken when it is left behind, and free again when it has ended.
    let place = Arc::new(OnceLock::<OwnedSemaphorePermit>::new());
    let kept = Arc::clone(&place);
    let thread = std::thread::Builder::new().name("build".into()).spawn(move || {
        // Whoever asked may be gone.
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
            // Nobody else sets it.
            let _ = place.set(free);
            return Err(AsideError::Cut);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Work under way on a leash, which goes on until it is told to end.
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
