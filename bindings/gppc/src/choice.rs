//! Which algorithm answers. The environment variable `PORTOLAN_GPPC` names it, with settings after the name, as in
//! `PORTOLAN_GPPC="weighted-a-star weight=1.2"`. The value `auto`, which is the default, leaves the choice to the
//! engine's rules for many exact queries: until the first change of the map, the rules for a world that is never
//! edited; from then on, the rules for a world that is edited. They choose a jump graph with landmarks, then jump
//! points. `rhumb` gives up exactness for speed.
//!
//! Why the jump graph is given up at the first change: in the two published dynamic scenarios it answers in 0.56 and
//! 0.75 of the time of jump points, but takes 3.5 and 12 times as long to follow a change, and longer in sum. Its
//! landmarks are void after a change. To compute them again takes 54 ms on the larger map, but would make the hundred
//! queries until the next change only 33 ms faster than jump points.
//!
//! The competition's interface has no way to report an error. So a wrong value is reported on standard error, and the
//! default is used. Not here: the algorithms.

use portolan::auto::{AUTO, Edits, Queries, Use};
use portolan::pick::{Pick, PickError};
use portolan::{ALGORITHMS, Planner, Snapshot};
use std::env::{self, VarError};
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::LazyLock;

const VARIABLE: &str = "PORTOLAN_GPPC";

/// How the competition's dynamic track uses the world, before the first change and from then on, in the terms of the
/// engine's rules.
const UNCHANGED: Use = Use { queries: Queries::Many, edits: Edits::Never, exact: true };
const CHANGING: Use = Use { edits: Edits::Sometimes, ..UNCHANGED };

/// Why the value of the environment variable does not choose an algorithm.
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
    /// Returns the choice of the environment variable. It is read at the first call; a wrong value is reported then,
    /// once in a process.
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

    /// Returns the algorithm's command name, or `auto` if the rules choose: the harness calls for the name without a
    /// map, so that the rules cannot choose yet.
    pub(crate) fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Returns whether the rules choose the algorithm.
    pub(crate) fn is_auto(&self) -> bool {
        matches!(self.0, Pick::Auto)
    }

    /// Builds the planner for a world that has not changed yet. If the chosen algorithm does not run on it, the rules
    /// choose another.
    pub(crate) fn planner(&self, world: &Snapshot) -> Planner {
        let (algorithm, settings, _) = self.0.choose(world, UNCHANGED);
        Planner::build(world, algorithm, settings).unwrap_or_else(|fault| {
            tell(format_args!("{VARIABLE}: {fault}; {AUTO} answers instead"));
            Planner::auto(world, UNCHANGED).0
        })
    }
}

/// Builds the planner that the rules choose for a world that changes.
pub(crate) fn planner_for_changes(world: &Snapshot) -> Planner {
    Planner::auto(world, CHANGING).0
}

/// Writes a line to standard error. If that fails, the work goes on without it.
pub(crate) fn tell(words: impl Display) {
    let _ = writeln!(io::stderr(), "portolan-gppc: {words}");
}
