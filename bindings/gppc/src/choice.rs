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

use portolan::{
    ALGORITHMS, AUTO, Algorithm, Edits, Planner, Queries, SettingError, Settings, Snapshot, Use, algorithm,
};
use std::env::{self, VarError};
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::LazyLock;

const VARIABLE: &str = "PORTOLAN_GPPC";

const DEFAULT: &str = AUTO;

/// An algorithm and its settings, or whatever the rules take for the map.
pub(crate) enum Choice {
    Named(&'static Algorithm, Settings),
    Auto,
}

/// What the competition's dynamic track is to the rules, before the first change and from then on.
const UNCHANGED: Use = Use { queries: Queries::Many, edits: Edits::Never, exact: true };
const CHANGING: Use = Use { edits: Edits::Sometimes, ..UNCHANGED };

/// Why a text chooses no algorithm.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub(crate) enum ChoiceError {
    #[error("there is no algorithm {name:?}, only {}", ALGORITHMS.iter().map(|one| one.name).collect::<Vec<_>>().join(", "))]
    Unknown { name: String },
    #[error("{AUTO} has no settings, not even {word:?}")]
    AutoSetting { word: String },
    #[error("expected a setting like name=value, found {word:?}")]
    NoSetting { word: String },
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("expected text, found {bytes}")]
    NoText { bytes: String },
}

impl Choice {
    /// What the environment chose when it was first asked for; a wrong value is told then, once a process.
    pub(crate) fn of_environment() -> &'static Choice {
        static CHOICE: LazyLock<Choice> = LazyLock::new(|| {
            let chosen = match env::var(VARIABLE) {
                Ok(text) => Choice::parse(&text),
                Err(VarError::NotPresent) => Choice::parse(DEFAULT),
                Err(VarError::NotUnicode(bytes)) => Err(ChoiceError::NoText { bytes: format!("{}", bytes.display()) }),
            };
            chosen.unwrap_or_else(|fault| {
                tell(format_args!("{VARIABLE}: {fault}; {DEFAULT} answers instead"));
                Choice::Auto
            })
        });
        &CHOICE
    }

    /// A name and settings, with spaces between them; nothing at all means the default.
    pub(crate) fn parse(text: &str) -> Result<Choice, ChoiceError> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or(DEFAULT);
        if name == AUTO {
            let surplus = |word: &str| Err(ChoiceError::AutoSetting { word: word.to_owned() });
            return words.next().map_or(Ok(Choice::Auto), surplus);
        }
        let algorithm = algorithm(name).ok_or_else(|| ChoiceError::Unknown { name: name.to_owned() })?;
        let pair = |word: &'_ str| match word.split_once('=') {
            Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
            None => Err(ChoiceError::NoSetting { word: word.to_owned() }),
        };
        let pairs = words.map(pair).collect::<Result<Vec<_>, _>>()?;
        Ok(Choice::Named(algorithm, algorithm.settings(&pairs)?))
    }

    /// The algorithm's command name, or the word for leaving it to the rules: no map is known when it is asked.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Choice::Named(algorithm, _) => algorithm.name,
            Choice::Auto => AUTO,
        }
    }

    /// The algorithm made ready for a world that has not changed yet, or what the rules take where it does not run there.
    pub(crate) fn planner(&self, world: &Snapshot) -> Planner {
        let by_rules = || Planner::auto(world, UNCHANGED).0;
        let Choice::Named(algorithm, settings) = self else { return by_rules() };
        Planner::build(world, algorithm, settings.clone()).unwrap_or_else(|fault| {
            tell(format_args!("{VARIABLE}: {fault}; {DEFAULT} answers instead"));
            by_rules()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        Choice::parse(text).err().expect("a wrong value").to_string()
    }

    #[test]
    fn a_name_and_settings_choose() {
        assert_eq!(Choice::parse(" ").unwrap().name(), DEFAULT);
        let choice = Choice::parse("weighted-a-star  weight=2 successors=all").unwrap();
        assert_eq!(choice.name(), "weighted-a-star");
        let Choice::Named(_, settings) = choice else { panic!("named") };
        let settings: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(settings, ["weight=2", "heuristic=natural", "successors=all"]);
        assert_eq!(Choice::parse("auto").unwrap().name(), "auto");
    }

    #[test]
    fn wrong_values_are_told_apart() {
        assert!(fault("a-sta").starts_with("there is no algorithm \"a-sta\", only dijkstra, "));
        assert_eq!(fault("a-star all"), "expected a setting like name=value, found \"all\"");
        assert_eq!(fault("auto weight=2"), "auto has no settings, not even \"weight=2\"");
        assert!(fault("a-star levels=2").starts_with("a-star has no setting \"levels\""));
        assert!(fault("weighted-a-star weight=0").starts_with("weight cannot be \"0\""));
    }
}
