//! An algorithm as a person names it, before the kind of the world is known: [`AnyPick`].
//!
//! Not here: the choice on one kind of space, which is [`Pick`].

use super::{AnyAlgorithm, AnySnapshot};
use crate::auto::{AUTO, Choice, Use, choose};
use crate::pick::{Pick, PickError, words};
use crate::settings::Settings;
use crate::space::hex::HexGrid;
use crate::space::square::SquareGrid;

/// Which algorithm is meant, on whatever kind of world: `auto`, or a name with settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyPick {
    name: String,
    settings: Vec<(String, String)>,
}

/// What a pick means on a world: the algorithm, its settings, and why it was chosen if the rules chose it.
pub type Picked = (AnyAlgorithm, Settings, Option<String>);

impl AnySnapshot {
    /// Returns the algorithm that the rules choose for this world and a use, its settings, and why: see [`choose`].
    pub fn choose(&self, usage: Use) -> (AnyAlgorithm, Settings, String) {
        match self {
            AnySnapshot::Square(world) => {
                let Choice { algorithm, settings, why } = choose(world, usage);
                (algorithm.into(), settings, why)
            }
            AnySnapshot::Hex(world) => {
                let Choice { algorithm, settings, why } = choose(world, usage);
                (algorithm.into(), settings, why)
            }
        }
    }
}

impl AnyPick {
    /// Reads a name and settings, with spaces between them; an empty text means `auto`.
    ///
    /// # Errors
    /// When there is no such algorithm on any kind of world, or a setting is at fault.
    pub fn parse(text: &str) -> Result<AnyPick, PickError> {
        let (name, settings) = words(text)?;
        AnyPick::new(name, &settings)
    }

    /// Returns the algorithm of a name with these settings, the others being as they are by default.
    ///
    /// # Errors
    /// When there is no such algorithm on any kind of world, or a setting is at fault on all kinds that have it.
    pub fn new<K: AsRef<str>, V: AsRef<str>>(name: &str, settings: &[(K, V)]) -> Result<AnyPick, PickError> {
        let on_squares = Pick::<SquareGrid>::new(name, settings).map(|_| ());
        if let (Err(fault), Err(_)) = (on_squares, Pick::<HexGrid>::new(name, settings)) {
            return Err(fault);
        }
        let pair = |(key, value): &(K, V)| (key.as_ref().to_owned(), value.as_ref().to_owned());
        Ok(AnyPick { name: name.to_owned(), settings: settings.iter().map(pair).collect() })
    }

    /// Returns the algorithm's command name, or `auto`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the rules choose the algorithm.
    pub fn is_auto(&self) -> bool {
        self.name == AUTO
    }

    /// Returns the settings that were given, as text.
    pub fn given(&self) -> &[(String, String)] {
        &self.settings
    }

    /// Returns the algorithm and its settings for a world and a use.
    ///
    /// # Errors
    /// When the algorithm runs only on worlds of another kind, or has other settings on worlds of this kind.
    pub fn choose(&self, world: &AnySnapshot, usage: Use) -> Result<Picked, PickError> {
        let is_elsewhere = super::all_algorithms().find(|algorithm| algorithm.name() == self.name);
        let elsewhere = |error| match (error, is_elsewhere) {
            (PickError::Unknown(_), Some(algorithm)) => PickError::Unsuited(algorithm.other_kind()),
            (error, _) => error,
        };
        match world {
            AnySnapshot::Square(world) => {
                let pick = Pick::<SquareGrid>::new(&self.name, &self.settings).map_err(elsewhere)?;
                let (algorithm, settings, why) = pick.choose(world, usage);
                Ok((algorithm.into(), settings, why))
            }
            AnySnapshot::Hex(world) => {
                let pick = Pick::<HexGrid>::new(&self.name, &self.settings).map_err(elsewhere)?;
                let (algorithm, settings, why) = pick.choose(world, usage);
                Ok((algorithm.into(), settings, why))
            }
        }
    }
}
