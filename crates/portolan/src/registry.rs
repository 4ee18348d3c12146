//! The table of algorithms, with the types that describe an algorithm: its settings and its promise. The command line,
//! the README, the tests and the benches read this table. To add an algorithm, write its file and add one line here.
//!
//! Not here: the algorithms, and the choice between them (`auto.rs`).

use crate::chart::{dhpa_star, hpa_star, minimal_memory, pra_star, rhumb, shpa_star};
use crate::method::Method;
use crate::saved::{OpenError, Sections};
use crate::search::{
    a_star, bidirectional_a_star, dijkstra, greedy, ida_star, jump_graph, jump_point, weighted_a_star,
};
use crate::world::square::SquareGrid;
use std::fmt;

/// All algorithms, in the order of every list that is shown.
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

/// Returns the algorithm with this command name, or `None` if there is none.
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// The description of an algorithm, and the functions that build it.
pub struct Algorithm {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// The name in text.
    pub title: &'static str,
    /// What the algorithm does, in one line.
    pub summary: &'static str,
    /// The authors and year of its publication.
    pub paper: &'static str,
    /// The parameters that can be set.
    pub params: &'static [Param],
    /// Checks that the algorithm runs on a world.
    pub(crate) suits: fn(&SquareGrid) -> Result<(), Unsuited>,
    /// Returns the algorithm's promise on a world with these settings.
    pub(crate) promise: fn(&SquareGrid, &Settings) -> Promise,
    /// Returns the bytes of the tables whose size does not depend on the terrain. Before building, the planner checks
    /// that this memory can be allocated. 0 if all sizes depend on the terrain.
    pub(crate) known_bytes: fn(&SquareGrid, &Settings) -> usize,
    /// Builds the algorithm for a world.
    pub(crate) build: fn(&SquareGrid, &Settings) -> Box<dyn Method>,
    /// Builds the algorithm from saved sections; `None` if its charts are not saved.
    pub(crate) open: Option<Opener>,
}

/// A function that builds an algorithm from saved sections.
pub(crate) type Opener = fn(&SquareGrid, &Settings, &Sections) -> Result<Box<dyn Method>, OpenError>;

impl Algorithm {
    /// Checks that the algorithm runs on this world.
    ///
    /// # Errors
    /// When it does not; the error names what the algorithm needs.
    pub fn suits(&self, grid: &SquareGrid) -> Result<(), Unsuited> {
        (self.suits)(grid)
    }

    /// Returns what the algorithm promises of its routes on this world.
    pub fn promise(&self, grid: &SquareGrid, settings: &Settings) -> Promise {
        (self.promise)(grid, settings)
    }

    /// Returns whether the data that the algorithm derives from a world can be saved and opened again:
    /// [`Planner::save`](crate::Planner::save). There may still be nothing to save, as for a jump graph without
    /// landmarks.
    pub fn can_be_saved(&self) -> bool {
        self.open.is_some()
    }

    /// Returns the algorithm's settings: the values in `pairs`, and the defaults for all other parameters.
    ///
    /// # Errors
    /// When a name is unknown or a value is out of range; the error lists what is possible.
    pub fn settings<K: AsRef<str>, V: AsRef<str>>(&self, pairs: &[(K, V)]) -> Result<Settings, SettingError> {
        Settings::parse(self.name, self.params, pairs)
    }
}

/// What an algorithm promises of its routes.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Promise {
    /// No route is cheaper.
    Optimal,
    /// A route costs at most this many times the optimum.
    Within(f64),
    /// A route is found if there is one, whatever it costs.
    Complete,
}

impl Promise {
    /// Returns the promise of routes of at most `ratio` times the optimum.
    pub(crate) fn within(ratio: f64) -> Promise {
        if ratio <= 1.0 { Promise::Optimal } else { Promise::Within(ratio) }
    }

    /// Returns the greatest ratio of a route's cost to the optimum that the promise allows.
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
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// What the algorithm needs and the world lacks.
    pub needs: &'static str,
}

/// A parameter of an algorithm or of a recipe for worlds.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Param {
    /// The name.
    pub name: &'static str,
    /// What the parameter does, in one line.
    pub help: &'static str,
    /// The value unless another is set.
    pub default: Value,
    /// The values it may have.
    pub range: Range,
}

/// The values that a parameter may have.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Range {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A number from the first to the second, both included.
    Number(f64, f64),
    /// A whole number from the first to the second, both included.
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

/// The value of a parameter.
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
    /// Returns a parameter whose value is one of these words; the first word is the default.
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
    /// Returns the values in `pairs`, and the defaults for all other parameters of `owner`.
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

    /// Returns the name and value of every parameter.
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

/// Why a setting was refused.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SettingError {
    /// The algorithm or recipe has no such parameter.
    #[error("{owner} has no setting {key:?}; it has {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    Unknown {
        /// The name of the algorithm or recipe.
        owner: &'static str,
        /// The name that was given.
        key: String,
        /// The names of all its parameters.
        known: Vec<&'static str>,
    },
    /// The value is out of range.
    #[error("{key} cannot be {text:?}: it takes {range}")]
    Value {
        /// The name of the parameter.
        key: &'static str,
        /// The value that was given.
        text: String,
        /// The values that are possible.
        range: Range,
    },
}
