//! The storm: random worlds, edits and settings of the kinds that have revealed faults, and every kind of query, each
//! answer judged by the oracle or by comparison with a planner built anew. There are charts near every numeric limit,
//! repairs that build the chart anew, edits that turn a uniform world weighted and back, large edits during a lazy
//! route, the least and the greatest value of every setting, metrics of all proportions, and budgets close to what a
//! search needs.
//!
//! Every third case is played on hexes, the others on squares. Half of the cases have borders or links between cells, and one in
//! four is played in a view of its world, as agents of some size see it that may not enter some kinds of ground.
//!
//! A short storm is an ordinary test. `cargo xtask storm MINUTES` is a long one. It prints the number of each case that
//! fails, and `cargo xtask storm --case NUMBER` plays that case alone. With `--kind hex` or `--kind square`, all cases
//! are of that kind.

#[path = "../suite/hex/oracle.rs"]
mod hex_oracle;
#[path = "../suite/oracle.rs"]
mod oracle;

mod case;
mod judge;
mod kind;
mod scenery;
mod truth;

use case::Case;
use judge::Wrong;
use kind::Kind;
use portolan::{HexGrid, Space, SquareGrid};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The next case to play, and the results of those played.
#[derive(Default)]
struct Tally {
    /// The name of the kind that all cases are of; if `None`, every third case is of hexes.
    kind: Option<String>,
    next: AtomicU64,
    answers: AtomicU64,
    /// The numbers of the cases that failed, each with its message.
    failed: Mutex<Vec<(u64, String)>>,
}

impl Tally {
    /// Plays cases one after the other, beginning with number `first`, as long as `goes_on` returns `true` for the
    /// number of the next one.
    fn play(&self, first: u64, goes_on: impl Fn(u64) -> bool) {
        let usual = take_hook();
        // Wrong answers are printed at the end. For any other panic the usual hook prints where it happened.
        set_hook(Box::new(move |info| {
            if !info.payload().is::<Wrong>() {
                usual(info);
            }
        }));
        loop {
            let number = first + self.next.fetch_add(1, Ordering::Relaxed);
            if !goes_on(number) {
                return;
            }
            match &self.kind {
                Some(kind) if kind == HexGrid::KIND => self.play_one::<HexGrid>(number),
                None if number % 3 == 2 => self.play_one::<HexGrid>(number),
                _ => self.play_one::<SquareGrid>(number),
            }
        }
    }

    fn play_one<S: Kind>(&self, number: u64) {
        let mut case = Case::<S>::new(number);
        let played = catch_unwind(AssertUnwindSafe(|| case.play()));
        self.answers.fetch_add(case.answers, Ordering::Relaxed);
        if let Err(said) = played {
            let wrong = said.downcast_ref::<Wrong>().map(|Wrong(said)| said.clone());
            let said = wrong.unwrap_or_else(|| "it panicked, see above".to_owned());
            self.failed.lock().expect("nothing panics while it is held").push((number, said));
        }
    }

    fn failed(&self) -> usize {
        self.failed.lock().expect("nothing panics while it is held").len()
    }

    fn end(self) {
        let answers = self.answers.into_inner();
        let failed = self.failed.into_inner().expect("nothing panics while it is held");
        println!("{answers} answers judged, {} cases failed", failed.len());
        for (number, said) in failed.iter().take(5) {
            println!("\ncase {number}: {said}");
        }
        let numbers: Vec<u64> = failed.iter().map(|(number, _)| *number).collect();
        assert!(failed.is_empty(), "cases {numbers:?} failed");
    }
}

#[test]
fn a_short_storm_finds_no_fault() {
    let tally = Tally::default();
    tally.play(0, |number| number < 600);
    tally.end();
}

/// Returns the number in an environment variable that `cargo xtask storm` may set.
fn told(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
#[ignore = "as long as one likes: cargo xtask storm MINUTES"]
fn a_long_storm_finds_no_fault() {
    let tally = Tally { kind: std::env::var("PORTOLAN_STORM_KIND").ok(), ..Tally::default() };
    if let Some(number) = told("PORTOLAN_STORM_CASE") {
        tally.play(number, |next| next == number);
        return tally.end();
    }
    let length = Duration::from_secs(told("PORTOLAN_STORM_SECONDS").unwrap_or(60));
    let first = told("PORTOLAN_STORM_FIRST").unwrap_or(1000);
    let begun = Instant::now();
    let told_at = Mutex::new(begun);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                tally.play(first, |number| {
                    let mut last = told_at.lock().expect("nothing panics while it is held");
                    if last.elapsed() > Duration::from_secs(20) {
                        *last = Instant::now();
                        let (answers, failed) = (tally.answers.load(Ordering::Relaxed), tally.failed());
                        let seconds = begun.elapsed().as_secs();
                        println!("{seconds} s: {number} cases, {answers} answers, {failed} cases failed");
                    }
                    begun.elapsed() < length && tally.failed() < 100
                });
            });
        }
    });
    tally.end();
}
