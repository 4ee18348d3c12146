//! Settings: the parameters of an algorithm or of a recipe for worlds, their ranges, and the values they are set to.
//!
//! Not here: which parameters there are.

use std::fmt;

/// A parameter of an algorithm or of a recipe for worlds.
#[derive(Copy, Clone, PartialEq, Debug)]
#[non_exhaustive]
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
#[non_exhaustive]
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
#[non_exhaustive]
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
    pub const fn choice(name: &'static str, help: &'static str, words: &'static [&'static str]) -> Param {
        Param { name, help, default: Value::Choice(words[0]), range: Range::Choice(words) }
    }

    /// Returns a parameter whose value is a number from `least` to `most`.
    pub const fn number(name: &'static str, help: &'static str, default: f64, least: f64, most: f64) -> Param {
        Param { name, help, default: Value::Number(default), range: Range::Number(least, most) }
    }

    /// Returns a parameter whose value is a whole number from `least` to `most`.
    pub const fn count(name: &'static str, help: &'static str, default: u64, least: u64, most: u64) -> Param {
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
    ///
    /// # Errors
    /// When a name is none of `params`, or a value is not allowed; the error names the setting and what it takes.
    pub fn parse<K: AsRef<str>, V: AsRef<str>>(
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

    /// Returns the word that a parameter is set to.
    ///
    /// # Panics
    /// When there is no such parameter, or its value is none.
    pub fn choice(&self, name: &str) -> &'static str {
        match self.get(name) {
            Value::Choice(word) => word,
            other => panic!("{name} is {other:?}, not a word"),
        }
    }

    /// Returns the number that a parameter is set to.
    ///
    /// # Panics
    /// When there is no such parameter, or its value is none.
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Number(number) => number,
            other => panic!("{name} is {other:?}, not a number"),
        }
    }

    /// Returns the whole number that a parameter is set to.
    ///
    /// # Panics
    /// When there is no such parameter, or its value is none.
    pub fn count(&self, name: &str) -> u64 {
        match self.get(name) {
            Value::Count(count) => count,
            other => panic!("{name} is {other:?}, not a whole number"),
        }
    }
}

/// Why a setting was refused.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
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
