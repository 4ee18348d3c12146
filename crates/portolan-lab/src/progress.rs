//! The progress of long work, and how the work is stopped: it calls a callback with the number of steps done and the
//! total, and stops if the callback returns [`ControlFlow::Break`]. Stopped work returns [`Cancelled`] instead of a
//! result and does not call the callback again.
//!
//! ```
//! use portolan::Rules;
//! use portolan::any::AnySnapshot;
//! use portolan_lab::race::{Entrant, race};
//! use portolan_lab::{queries, worlds};
//! use std::ops::ControlFlow;
//!
//! let world = AnySnapshot::from(worlds::builtin("harbour").expect("it is built in").grid(Rules::default()));
//! let trials = queries::random(&world, 10, 1)?;
//! let entrants = [Entrant::new(world.exact())];
//! let mut half = |done, total| if done * 2 < total { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
//! assert!(race("harbour", &world, &trials, &entrants, 1, &mut half).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Not here: showing progress, and deciding to stop.

use std::ops::ControlFlow;
use std::time::Duration;

/// A callback that receives the number of steps done and the total, and returns whether to go on.
pub type Progress<'a> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'a;

/// The work was stopped before its end.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// The callback for callers that do not show progress and never stop.
pub fn go_on(_done: u64, _total: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// How much measured time may pass without a call of the callback. A call after each of many short runs would disturb
/// the caches, and so short a wait before a cancelled race stops is not noticed.
const SILENCE: Duration = Duration::from_millis(50);

/// Counts the steps of work in progress and calls the callback.
pub(crate) struct Steps<'a> {
    progress: &'a mut Progress<'a>,
    done: u64,
    total: u64,
    silent: Duration,
}

impl<'a> Steps<'a> {
    /// Starts with `total` steps, none of them done.
    pub(crate) fn new(progress: &'a mut Progress<'_>, total: u64) -> Result<Steps<'a>, Cancelled> {
        let mut steps = Steps { progress, done: 0, total, silent: Duration::ZERO };
        steps.still()?;
        Ok(steps)
    }

    /// Reports `steps` more steps as done.
    pub(crate) fn advance(&mut self, steps: u64) -> Result<(), Cancelled> {
        self.done += steps;
        self.still()
    }

    /// Reports that the work goes on without a further step done.
    pub(crate) fn still(&mut self) -> Result<(), Cancelled> {
        self.silent = Duration::ZERO;
        heard((self.progress)(self.done, self.total))
    }

    /// Adds measured time, and calls the callback when enough time has passed since the last call.
    pub(crate) fn spent(&mut self, time: Duration) -> Result<(), Cancelled> {
        self.silent += time;
        if self.silent < SILENCE { Ok(()) } else { self.still() }
    }

    /// Runs `work`, which counts as `steps` steps. What it reports of its own steps is passed on as a share of these.
    pub(crate) fn part<T, E>(&mut self, steps: u64, work: impl FnOnce(&mut Progress) -> Result<T, E>) -> Result<T, E> {
        let (before, total) = (self.done, self.total);
        let result = work(&mut |done, of| (self.progress)(before + steps * done / of.max(1), total));
        self.done += steps;
        result
    }
}

fn heard(answer: ControlFlow<()>) -> Result<(), Cancelled> {
    if answer.is_break() { Err(Cancelled) } else { Ok(()) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Runs the work and stops it as soon as `stop` returns true for a report. Checks that no report comes after that.
    /// Returns the result and all reports.
    pub(crate) fn stopped_when<T, E>(
        mut stop: impl FnMut(u64, u64) -> bool,
        work: impl FnOnce(&mut Progress) -> Result<T, E>,
    ) -> (Result<T, E>, Vec<(u64, u64)>) {
        let (mut told, mut stopped) = (Vec::new(), false);
        let result = work(&mut |done, total| {
            assert!(!stopped, "told {done} of {total} after cancelling");
            told.push((done, total));
            stopped = stop(done, total);
            if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (result, told)
    }

    /// Runs the work and stops it at the given call of the callback. Returns the result and all reports.
    pub(crate) fn stopped_at<T, E>(
        call: usize,
        work: impl FnOnce(&mut Progress) -> Result<T, E>,
    ) -> (Result<T, E>, Vec<(u64, u64)>) {
        let mut calls = 0;
        let stop = |_, _| {
            calls += 1;
            calls == call
        };
        stopped_when(stop, work)
    }

    /// Runs the work to its end. The reports must begin with no steps done, never go back, and end with all steps done.
    pub(crate) fn all_told<T, E: std::fmt::Debug>(
        work: impl FnOnce(&mut Progress) -> Result<T, E>,
    ) -> (T, Vec<(u64, u64)>) {
        let (result, told) = stopped_at(usize::MAX, work);
        let (first, last) = (told[0], told[told.len() - 1]);
        assert!(first.0 == 0 && last == (first.1, first.1), "{first:?} to {last:?}");
        assert!(told.is_sorted() && told.iter().all(|&(_, total)| total == first.1), "{told:?}");
        (result.unwrap(), told)
    }

    #[test]
    fn steps_are_told_and_time_only_now_and_then() {
        let ((), told) = all_told(|progress| {
            let mut steps = Steps::new(progress, 30)?;
            steps.advance(5)?;
            (0..100).try_for_each(|_| steps.spent(Duration::from_millis(1)))?;
            steps.part(20, |progress| heard(progress(1, 4)))?;
            steps.part(5, |progress| heard(progress(0, 0)))?;
            steps.still()
        });
        assert_eq!(told.iter().map(|told| told.0).collect::<Vec<_>>(), [0, 5, 5, 5, 10, 25, 30]);
    }

    #[test]
    fn a_break_is_heard_at_once() {
        for call in 1..=4 {
            let (result, told) = stopped_at(call, |progress| {
                let mut steps = Steps::new(progress, 9)?;
                steps.advance(1)?;
                steps.spent(SILENCE)?;
                steps.part(8, |progress| heard(progress(1, 1)))?;
                steps.still()
            });
            assert_eq!((result, told.len()), (Err(Cancelled), call));
        }
    }
}
