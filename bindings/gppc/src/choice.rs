//! Which algorithm answers: the one that the environment variable `PORTOLAN_GPPC` names, with settings after it, as in
//! `PORTOLAN_GPPC="weighted-a-star weight=1.2"`, or `auto`, which is the default and leaves it to the engine's rules for
//! many exact queries: those for a world that stays as it is until the first change, those for one that is edited from
//! then on. That is a jump graph with landmarks, then jump points. `rhumb` gives up exactness for speed.
//!
//! Why the jump graph does not stay: in the two published dynamic scenarios it answers in 0.56 and 0.75 of the time of jump
//! points, yet takes 3.5 and 12 times as long to follow a change, and in sum longer. Its landmarks are void after a change;
//! to set them anew takes 54 ms on the larger map, where the hundred queries until the next change would be 33 ms faster
//! than by jump points.
//!
//! The competition's interface has no way to report an error, so a value that makes no sense is told on standard error
//! and the default answers. Not here: the algorithms.

use portolan::{ALGORITHMS, AUTO, Edits, Pick, PickError, Planner, Queries, Snapshot, Use};
use std::env::{self, VarError};
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::LazyLock;

const VARIABLE: &str = "PORTOLAN_GPPC";

/// What the competition's dynamic track is to the rules, before the first change and from then on.
const UNCHANGED: Use = Use { queries: Queries::Many, edits: Edits::Never, exact: true };
const CHANGING: Use = Use { edits: Edits::Sometimes, ..UNCHANGED };

/// Why the environment chooses no algorithm.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
enum ChoiceError {
    #[error(transparent)]
    Pick(#[from] PickError),
    #[error("expected text, found {bytes}")]
    NoText { bytes: String },
}

/// The algorithm that answers.
pub(crate) struct Choice(pub(crate) Pick);

impl Choice {
    /// What the environment chose when it was first asked for; a wrong value is told then, once a process.
    pub(crate) fn of_environment() -> &'static Choice {
        static CHOICE: LazyLock<Choice> = LazyLock::new(|| {
            let chosen = match env::var(VARIABLE) {
                Ok(text) => Pick::parse(&text).map_err(ChoiceError::from),
                Err(VarError::NotPresent) => Ok(Pick::Auto),
                Err(VarError::NotUnicode(bytes)) => Err(ChoiceError::NoText { bytes: format!("{}", bytes.display()) }),
            };
            Choice(chosen.unwrap_or_else(|fault| {
                let names = ALGORITHMS.iter().map(|one| one.name).collect::<Vec<_>>().join(", ");
                tell(format_args!("{VARIABLE}: {fault}; {AUTO} answers instead. There are {names}"));
                Pick::Auto
            }))
        });
        &CHOICE
    }

    /// The algorithm's command name, or the word for leaving it to the rules: no map is known when it is asked.
    pub(crate) fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Whether the rules choose.
    pub(crate) fn is_auto(&self) -> bool {
        matches!(self.0, Pick::Auto)
    }

    /// The algorithm made ready for a world that has not changed yet, or what the rules take where it does not run there.
    pub(crate) fn planner(&self, world: &Snapshot) -> Planner {
        let (algorithm, settings, _) = self.0.choose(world, UNCHANGED);
        Planner::build(world, algorithm, settings).unwrap_or_else(|fault| {
            tell(format_args!("{VARIABLE}: {fault}; {AUTO} answers instead"));
            Planner::auto(world, UNCHANGED).0
        })
    }
}

/// What the rules take for a world that changes.
pub(crate) fn planner_for_changes(world: &Snapshot) -> Planner {
    Planner::auto(world, CHANGING).0
}

/// Says something to whoever runs the harness. That nobody listens is no reason to stop.
pub(crate) fn tell(words: impl Display) {
    let _ = writeln!(io::stderr(), "portolan-gppc: {words}");
}
