//! An algorithm as a person names it: `auto`, or a name with settings after it. [`Pick`] is the one place where that is
//! read, for the command line, the studio and the bindings.
//!
//! Not here: the rules by which `auto` chooses.

use crate::algorithm::{Algorithm, Unsuited};
use crate::auto::{AUTO, Auto, Choice, Use, choose};
use crate::registry::algorithm_on;
use crate::settings::{SettingError, Settings};
use crate::space::Snapshot;
use crate::space::square::SquareGrid;

/// Which algorithm is meant: the one that the rules choose for a world, or one by its name.
pub enum Pick<S: Auto = SquareGrid> {
    /// The algorithm that [`choose`] takes.
    Auto,
    /// An algorithm by its name.
    Named(&'static Algorithm<S>, Settings),
}

/// Why a text names no algorithm.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PickError {
    /// No algorithm has that name.
    #[error("there is no algorithm {0:?}")]
    Unknown(String),
    /// `auto` was given a setting.
    #[error("{AUTO} has no settings, not even {0:?}")]
    AutoSetting(String),
    /// A word after the name is no setting.
    #[error("expected a setting like name=value, found {0:?}")]
    NoSetting(String),
    /// A setting is at fault.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The algorithm runs only on worlds of another kind.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
}

/// A name, and settings as text.
type Words<'a> = (&'a str, Vec<(&'a str, &'a str)>);

/// Splits a text into a name and settings; an empty text means `auto`.
pub(crate) fn words(text: &str) -> Result<Words<'_>, PickError> {
    let mut words = text.split_whitespace();
    let name = words.next().unwrap_or(AUTO);
    let pairs = words.map(|word| word.split_once('=').ok_or_else(|| PickError::NoSetting(word.to_owned())));
    Ok((name, pairs.collect::<Result<_, _>>()?))
}

impl<S: Auto> Clone for Pick<S> {
    fn clone(&self) -> Pick<S> {
        match self {
            Pick::Auto => Pick::Auto,
            Pick::Named(algorithm, settings) => Pick::Named(algorithm, settings.clone()),
        }
    }
}

impl<S: Auto> Pick<S> {
    /// Reads a name and settings, with spaces between them; an empty text means `auto`.
    ///
    /// ```
    /// use portolan::pick::Pick;
    /// let pick: Pick = Pick::parse("weighted-a-star weight=1.2")?;
    /// assert_eq!(pick.name(), "weighted-a-star");
    /// assert!(Pick::<portolan::SquareGrid>::parse("weighted-a-star 1.2").is_err());
    /// # Ok::<(), portolan::pick::PickError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no algorithm of that name, or a setting is at fault.
    pub fn parse(text: &str) -> Result<Pick<S>, PickError> {
        let (name, settings) = words(text)?;
        Pick::new(name, &settings)
    }

    /// The algorithm of a name with these settings, the others being as they are by default.
    ///
    /// # Errors
    /// When there is no algorithm of that name, or a setting is at fault.
    pub fn new<K: AsRef<str>, V: AsRef<str>>(name: &str, settings: &[(K, V)]) -> Result<Pick<S>, PickError> {
        if name == AUTO {
            let surplus =
                |(key, value): &(K, V)| PickError::AutoSetting(format!("{}={}", key.as_ref(), value.as_ref()));
            return settings.first().map_or(Ok(Pick::Auto), |pair| Err(surplus(pair)));
        }
        let algorithm = algorithm_on(name).ok_or_else(|| PickError::Unknown(name.to_owned()))?;
        Ok(Pick::Named(algorithm, algorithm.settings(settings)?))
    }

    /// The algorithm's command name, or `auto`.
    pub fn name(&self) -> &'static str {
        match self {
            Pick::Auto => AUTO,
            Pick::Named(algorithm, _) => algorithm.name,
        }
    }

    /// The algorithm and its settings for a world and a use, and why it is that one where the rules chose it.
    pub fn choose(&self, world: &Snapshot<S>, usage: Use) -> (&'static Algorithm<S>, Settings, Option<String>) {
        match self {
            Pick::Auto => {
                let Choice::<S> { algorithm, settings, why } = choose(world, usage);
                (algorithm, settings, Some(why))
            }
            Pick::Named(algorithm, settings) => (algorithm, settings.clone(), None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        Pick::<SquareGrid>::parse(text).err().expect("a wrong text").to_string()
    }

    #[test]
    fn a_name_and_settings_are_read() {
        assert_eq!(Pick::<SquareGrid>::parse(" ").unwrap().name(), AUTO);
        let pick = Pick::<SquareGrid>::parse("weighted-a-star  weight=2 successors=all").unwrap();
        assert_eq!(pick.name(), "weighted-a-star");
        let Pick::Named(_, settings) = pick else { panic!("it was named") };
        let settings: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(settings, ["weight=2", "heuristic=natural", "successors=all"]);
    }

    #[test]
    fn wrong_texts_are_told_apart() {
        assert_eq!(fault("a-sta"), "there is no algorithm \"a-sta\"");
        assert_eq!(fault("a-star all"), "expected a setting like name=value, found \"all\"");
        assert_eq!(fault("auto weight=2"), "auto has no settings, not even \"weight=2\"");
        assert!(fault("a-star levels=2").starts_with("a-star has no setting \"levels\""));
        assert!(fault("weighted-a-star weight=0").starts_with("weight cannot be \"0\""));
    }
}
