//! Charts as plain data: [`crate::Planner::save`] returns it and [`crate::Planner::open`] takes it. A [`ChartStream`] is
//! for charts that are written without being copied first.
//!
//! Saved are the results of searches: the costs of crossings, the trees of ports, the distances of landmarks. Saved are
//! also sizes and lines, because they were chosen by the terrain as it was before later edits. Not saved are the places
//! of ports and the connections between them: they follow from the world without a search, and opening computes them
//! again. So there is little that wrong data could change, and all of it is checked: opening succeeds or returns an
//! [`OpenError`].
//!
//! Not here: files, versions and checksums. A change to the meaning of a section, or to the places of ports on a given
//! world with given settings, needs the next version of the file format.

mod stream;

pub(crate) use stream::write_numbers;
pub use stream::{ChartStream, SectionStream};

use crate::algorithm::{Algorithm, Unsuited};
use crate::method::Method;
use crate::query::Stale;
use crate::settings::{SettingError, Settings};
use crate::space::{Extras, Space};
use std::borrow::Cow;
use std::cell::Cell;

/// A chart as plain data that does not depend on the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedChart<'a> {
    /// The command name of the algorithm.
    pub algorithm: Cow<'a, str>,
    /// The name and value of every parameter, as text.
    pub settings: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// The data derived from the world.
    pub sections: Vec<Section<'a>>,
}

/// A named part of a [`SavedChart`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section<'a> {
    /// The name.
    pub name: Cow<'a, str>,
    /// The data; the bytes of a number come with the least significant first.
    pub bytes: Cow<'a, [u8]>,
}

/// Why a planner could not be saved.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The planner has derived nothing from the world that is worth saving.
    #[error("{0} keeps nothing worth saving: it is as quick to build as to open")]
    Nothing(&'static str),
    /// The world has more than terrain, which saved data does not tell of.
    #[error("charts of worlds with {0} are not saved")]
    Extras(Extras),
    /// The planner's revision is not that of the world.
    #[error(transparent)]
    Stale(#[from] Stale),
}

/// Why a planner could not be built from saved data.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// No algorithm has that name.
    #[error("there is no algorithm {0:?}")]
    Unknown(String),
    /// The world has more than terrain, which saved data does not tell of.
    #[error("charts of worlds with {0} are not saved")]
    Extras(Extras),
    /// Charts of this algorithm are not saved.
    #[error("charts of {0} are not saved")]
    NotSaved(&'static str),
    /// A setting is unknown or its value is out of range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The algorithm does not run on a world of this kind.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// A section is missing, or is not at its place in the order.
    #[error("there is no section {0:?}")]
    Missing(String),
    /// There is a section that this chart does not have.
    #[error("section {0:?} does not belong to this chart")]
    Surplus(String),
    /// A section holds data that no chart of this world can have.
    #[error("section {section:?}: expected {expected}, found {found}")]
    Malformed {
        /// The name of the section.
        section: String,
        /// What the section should hold.
        expected: String,
        /// What it holds.
        found: String,
    },
}

/// Builds an algorithm from its saved sections, and checks that it has used all of them.
pub(crate) fn open<S: Space>(
    space: &S,
    algorithm: &'static Algorithm<S>,
    settings: &Settings,
    sections: &[Section],
) -> Result<Box<dyn Method<S>>, OpenError> {
    let opener = algorithm.open.ok_or(OpenError::NotSaved(algorithm.name))?;
    let sections = Sections { all: sections, taken: Cell::new(0) };
    let method = opener(space, settings, &sections)?;
    sections.check_all_taken()?;
    Ok(method)
}

/// The sections of a chart that is being opened; they are taken in the order in which they were saved.
pub(crate) struct Sections<'a> {
    all: &'a [Section<'a>],
    /// How many sections have been taken.
    taken: Cell<usize>,
}

impl<'a> Sections<'a> {
    /// Takes the next section. It is an error if that section does not have this name.
    pub(crate) fn take(&self, name: &str) -> Result<Reader<'a>, OpenError> {
        let next = self.all.get(self.taken.get()).filter(|section| section.name == name);
        let section = next.ok_or_else(|| OpenError::Missing(name.to_owned()))?;
        self.taken.set(self.taken.get() + 1);
        Ok(Reader { name: &section.name, left: &section.bytes, len: section.bytes.len() })
    }

    fn check_all_taken(&self) -> Result<(), OpenError> {
        let surplus = self.all.get(self.taken.get());
        surplus.map_or(Ok(()), |section| Err(OpenError::Surplus(section.name.to_string())))
    }
}

/// A section that is read from front to back.
pub(crate) struct Reader<'a> {
    name: &'a str,
    /// The bytes that have not been read yet.
    left: &'a [u8],
    /// The number of all bytes.
    len: usize,
}

impl<'a> Reader<'a> {
    /// Returns the number of all bytes, read or not.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Reads `count` bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], OpenError> {
        let (taken, left) = self.left.split_at_checked(count).ok_or_else(|| {
            let needed = self.len - self.left.len() + count;
            self.fault(format!("at least {needed} bytes"), format!("{}", self.len))
        })?;
        self.left = left;
        Ok(taken)
    }

    /// Reads `count` numbers of four bytes and appends them to `words`.
    pub(crate) fn words(&mut self, count: usize, words: &mut Vec<u32>) -> Result<(), OpenError> {
        let bytes = self.bytes(4 * count)?;
        words.extend(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))));
        Ok(())
    }

    /// Reads a byte that is 0 for false or 1 for true.
    pub(crate) fn flag(&mut self) -> Result<bool, OpenError> {
        match self.bytes(1)?[0] {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.fault("a byte of 0 or 1", other.to_string())),
        }
    }

    /// Checks that all bytes have been read.
    pub(crate) fn end(&self) -> Result<(), OpenError> {
        let read = self.len - self.left.len();
        if self.left.is_empty() { Ok(()) } else { Err(self.fault(format!("{read} bytes"), self.len.to_string())) }
    }

    /// Returns the error that this section holds `found` instead of `expected`.
    pub(crate) fn fault(&self, expected: impl Into<String>, found: impl Into<String>) -> OpenError {
        OpenError::Malformed { section: self.name.to_owned(), expected: expected.into(), found: found.into() }
    }
}
