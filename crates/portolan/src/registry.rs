//! The one table of algorithms. Command line, README, tests and benches all read it; adding an algorithm is its own
//! file and one line here.

use crate::chart::{dhpa_star, hpa_star, minimal_memory, pra_star, rhumb, shpa_star};
use crate::method::Method;
use crate::saved::{OpenError, Sections};
use crate::search::{
    a_star, bidirectional_a_star, dijkstra, greedy, ida_star, jump_graph, jump_point, weighted_a_star,
};
use crate::world::square::SquareGrid;
use std::fmt;

/// Every algorithm there is, in the order they are listed to people.
pub const ALGORITHMS: &[Algorithm] = &[
    dijkstra::ALGORITHM,
    greedy::ALGORITHM,
    a_star::ALGORITHM,
    weighted_a_star::ALGORITHM,
    bidirectional_a_star::ALGORITHM,
    ida_star::ALGORITHM,
    jump_point::ALGORITHM,
    jump_graph::ALGORITHM,
    hpa_star::ALGORITHM,
    dhpa_star::ALGORITHM,
    shpa_star::ALGORITHM,
    pra_star::ALGORITHM,
    minimal_memory::ALGORITHM,
    rhumb::ALGORITHM,
];

/// Looks an algorithm up by its command name.
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// What is known about an algorithm before it runs.
pub struct Algorithm {
    /// Its name on the command line and in files.
    pub name: &'static str,
    /// Its name in prose.
    pub title: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// What can be set.
    pub params: &'static [Param],
    pub(crate) suits: fn(&SquareGrid) -> Result<(), Unsuited>,
    pub(crate) promise: fn(&SquareGrid, &Settings) -> Promise,
    /// Bytes of the tables that building takes whatever the terrain is like, and that are made sure of before it begins; 0
    /// where everything depends on the terrain.
    pub(crate) known_bytes: fn(&SquareGrid, &Settings) -> usize,
    pub(crate) build: fn(&SquareGrid, &Settings) -> Box<dyn Method>,
    /// Makes saved sections a chart again, where charts can be saved.
    pub(crate) open: Option<Opener>,
}

/// Makes saved sections an algorithm again.
pub(crate) type Opener = fn(&SquareGrid, &Settings, &Sections) -> Result<Box<dyn Method>, OpenError>;

impl Algorithm {
    /// Whether it can run on this world.
    ///
    /// # Errors
    /// Says what the world lacks.
    pub fn suits(&self, grid: &SquareGrid) -> Result<(), Unsuited> {
        (self.suits)(grid)
    }

    /// What it promises of its routes on this world.
    pub fn promise(&self, grid: &SquareGrid, settings: &Settings) -> Promise {
        (self.promise)(grid, settings)
    }

    /// Whether what it derives from a world can be saved and opened again: [`Planner::save`](crate::Planner::save). There may
    /// still be nothing to save, as for a jump graph that has no landmarks.
    pub fn can_be_saved(&self) -> bool {
        self.open.is_some()
    }

    /// Its settings: the defaults, with these values instead where named.
    ///
    /// # Errors
    /// Names the setting at fault and what it takes.
    pub fn settings<K: AsRef<str>, V: AsRef<str>>(&self, pairs: &[(K, V)]) -> Result<Settings, SettingError> {
        Settings::parse(self.name, self.params, pairs)
    }
}

/// What can be relied on in an algorithm's routes.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Promise {
    /// None is cheaper.
    Optimal,
    /// At most this many times the optimum.
    Within(f64),
    /// There is one whenever there can be.
    Complete,
}

impl Promise {
    /// A bound, which at 1 is the optimum.
    pub(crate) fn within(ratio: f64) -> Promise {
        if ratio <= 1.0 { Promise::Optimal } else { Promise::Within(ratio) }
    }

    /// The greatest ratio to the optimum it allows.
    pub fn bound(self) -> f64 {
        match self {
            Promise::Optimal => 1.0,
            Promise::Within(ratio) => ratio,
            Promise::Complete => f64::INFINITY,
        }
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Promise::Optimal => f.write_str("optimal"),
            Promise::Within(ratio) => write!(f, "at most {ratio:.3} times the optimum"),
            Promise::Complete => f.write_str("a route where there is one"),
        }
    }
}

/// Why an algorithm cannot run on a world.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{algorithm} needs {needs}")]
pub struct Unsuited {
    /// Which.
    pub algorithm: &'static str,
    /// What the world lacks.
    pub needs: &'static str,
}

/// Something that can be set.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// What it is unless set.
    pub default: Value,
    /// What it may be.
    pub range: Range,
}

/// What a setting may be.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Range {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A number between these, ends included.
    Number(f64, f64),
    /// A whole number between these, ends included.
    Count(u64, u64),
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Choice(words) => f.write_str(&words.join("|")),
            Range::Number(least, most) => write!(f, "{least} to {most}"),
            Range::Count(least, most) => write!(f, "whole, {least} to {most}"),
        }
    }
}

/// A setting's value.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Value {
    /// A word.
    Choice(&'static str),
    /// A number.
    Number(f64),
    /// A whole number.
    Count(u64),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Choice(word) => f.write_str(word),
            Value::Number(number) => number.fmt(f),
            Value::Count(count) => count.fmt(f),
        }
    }
}

impl Param {
    /// One of some words; the first is the default.
    pub(crate) const fn choice(name: &'static str, help: &'static str, words: &'static [&'static str]) -> Param {
        Param { name, help, default: Value::Choice(words[0]), range: Range::Choice(words) }
    }

    pub(crate) const fn number(name: &'static str, help: &'static str, default: f64, least: f64, most: f64) -> Param {
        Param { name, help, default: Value::Number(default), range: Range::Number(least, most) }
    }

    pub(crate) const fn count(name: &'static str, help: &'static str, default: u64, least: u64, most: u64) -> Param {
        Param { name, help, default: Value::Count(default), range: Range::Count(least, most) }
    }

    pub(crate) const fn with_default(mut self, word: &'static str) -> Param {
        self.default = Value::Choice(word);
        self
    }

    fn parse(&self, text: &str) -> Result<Value, SettingError> {
        let parsed = match self.range {
            Range::Choice(words) => words.iter().find(|&&word| word == text).map(|&word| Value::Choice(word)),
            Range::Number(least, most) => {
                text.parse().ok().filter(|number| (least..=most).contains(number)).map(Value::Number)
            }
            Range::Count(least, most) => {
                text.parse().ok().filter(|count| (least..=most).contains(count)).map(Value::Count)
            }
        };
        parsed.ok_or_else(|| SettingError::Value { key: self.name, text: text.to_owned(), range: self.range })
    }
}

/// A value for each parameter of an algorithm or of a recipe for worlds.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    values: Vec<(&'static str, Value)>,
}

impl Settings {
    /// The defaults of `owner`'s parameters, with these values instead where named.
    pub(crate) fn parse<K: AsRef<str>, V: AsRef<str>>(
        owner: &'static str,
        params: &[Param],
        pairs: &[(K, V)],
    ) -> Result<Settings, SettingError> {
        let mut values: Vec<_> = params.iter().map(|param| (param.name, param.default)).collect();
        for (key, text) in pairs {
            let (key, text) = (key.as_ref(), text.as_ref());
            let index = params.iter().position(|param| param.name == key).ok_or_else(|| {
                let known = params.iter().map(|param| param.name).collect();
                SettingError::Unknown { owner, key: key.to_owned(), known }
            })?;
            values[index].1 = params[index].parse(text)?;
        }
        Ok(Settings { values })
    }

    /// Every setting with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Value)> + '_ {
        self.values.iter().copied()
    }

    fn get(&self, name: &str) -> Value {
        let found = self.values.iter().find(|(key, _)| *key == name);
        found.unwrap_or_else(|| panic!("no parameter is called {name}")).1
    }

    pub(crate) fn choice(&self, name: &str) -> &'static str {
        match self.get(name) {
            Value::Choice(word) => word,
            other => panic!("{name} is {other:?}, not a word"),
        }
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Number(number) => number,
            other => panic!("{name} is {other:?}, not a number"),
        }
    }

    pub(crate) fn count(&self, name: &str) -> u64 {
        match self.get(name) {
            Value::Count(count) => count,
            other => panic!("{name} is {other:?}, not a whole number"),
        }
    }
}

/// A setting an algorithm or a recipe does not have or cannot take.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SettingError {
    /// It has no such parameter.
    #[error("{owner} has no setting {key:?}; it has {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    Unknown {
        /// Which algorithm or recipe.
        owner: &'static str,
        /// What was asked for.
        key: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// The value is not in range.
    #[error("{key} cannot be {text:?}: it takes {range}")]
    Value {
        /// Which setting.
        key: &'static str,
        /// What was asked for.
        text: String,
        /// What it takes.
        range: Range,
    },
}
