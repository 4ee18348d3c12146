//! Charts as plain data and back: what [`crate::Planner::save`] gives and [`crate::Planner::open`] takes. [`stream`] holds
//! charts that are written without being copied first.
//!
//! Saved is what searches have found: the prices of crossings, the trees of ports, the distances of landmarks; and what
//! was chosen by terrain that edits have changed since: sizes, lines. Where the ports lie and what is connected to what
//! follows from the world without a search, and is worked out again on opening. So data that somebody tampered with can
//! claim little, and what it claims is checked: it opens, or there is an [`OpenError`].
//!
//! Not here: files, versions and checksums. Whoever changes what a section means, or where the same settings put ports
//! on the same world, gives the file format its next version.

mod stream;

pub(crate) use stream::write_numbers;
pub use stream::{ChartStream, SectionStream};

use crate::method::Method;
use crate::registry::{Algorithm, SettingError, Settings, Unsuited};
use crate::world::Revision;
use crate::world::square::SquareGrid;
use std::borrow::Cow;
use std::cell::Cell;

/// A chart as plain data, the same on every machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedChart<'a> {
    /// The command name of its algorithm.
    pub algorithm: Cow<'a, str>,
    /// Every setting with its value, as text.
    pub settings: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// What was derived from the world.
    pub sections: Vec<Section<'a>>,
}

/// A named part of a [`SavedChart`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// What it holds; numbers have four bytes, the least significant first.
    pub bytes: Cow<'a, [u8]>,
}

/// Why a planner could not be saved.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SaveError {
    /// The algorithm derives nothing from a world that is worth keeping.
    #[error("{0} keeps nothing worth saving: it is as quick to build as to open")]
    Nothing(&'static str),
    /// The planner does not know this world.
    #[error("the planner was made for {built}, this is {asked}")]
    Stale {
        /// What the planner knows.
        built: Revision,
        /// What the world is.
        asked: Revision,
    },
}

/// Why saved data did not become a planner.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum OpenError {
    /// No algorithm has that name.
    #[error("there is no algorithm {0:?}")]
    Unknown(String),
    /// The algorithm is none that is saved.
    #[error("charts of {0} are not saved")]
    NotSaved(&'static str),
    /// A setting is at fault.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The world is not of the kind the algorithm runs on.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// A section is not there.
    #[error("there is no section {0:?}")]
    Missing(String),
    /// There is a section that means nothing for this chart.
    #[error("section {0:?} does not belong to this chart")]
    Surplus(String),
    /// A section holds what no chart of this world can have.
    #[error("section {section:?}: expected {expected}, found {found}")]
    Malformed {
        /// Which section.
        section: String,
        /// What belongs there.
        expected: String,
        /// What is there instead.
        found: String,
    },
}

/// Makes saved sections an algorithm again.
pub(crate) fn open(
    grid: &SquareGrid,
    algorithm: &'static Algorithm,
    settings: &Settings,
    sections: &[Section],
) -> Result<Box<dyn Method>, OpenError> {
    let opener = algorithm.open.ok_or(OpenError::NotSaved(algorithm.name))?;
    let sections = Sections { all: sections, taken: Cell::new(0) };
    let method = opener(grid, settings, &sections)?;
    sections.check_all_taken()?;
    Ok(method)
}

/// The sections of a chart that is being opened, taken in the order in which they were saved.
pub(crate) struct Sections<'a> {
    all: &'a [Section<'a>],
    taken: Cell<usize>,
}

impl<'a> Sections<'a> {
    /// The next section, which must have this name.
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

/// A section, read from the front.
pub(crate) struct Reader<'a> {
    name: &'a str,
    left: &'a [u8],
    len: usize,
}

impl<'a> Reader<'a> {
    /// Bytes in all.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], OpenError> {
        let (taken, left) = self.left.split_at_checked(count).ok_or_else(|| {
            let needed = self.len - self.left.len() + count;
            self.fault(format!("at least {needed} bytes"), format!("{}", self.len))
        })?;
        self.left = left;
        Ok(taken)
    }

    /// Numbers, appended to a list.
    pub(crate) fn words(&mut self, count: usize, words: &mut Vec<u32>) -> Result<(), OpenError> {
        let bytes = self.bytes(4 * count)?;
        words.extend(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))));
        Ok(())
    }

    pub(crate) fn flag(&mut self) -> Result<bool, OpenError> {
        match self.bytes(1)?[0] {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.fault("a byte of 0 or 1", other.to_string())),
        }
    }

    /// All has been read.
    pub(crate) fn end(&self) -> Result<(), OpenError> {
        let read = self.len - self.left.len();
        if self.left.is_empty() { Ok(()) } else { Err(self.fault(format!("{read} bytes"), self.len.to_string())) }
    }

    pub(crate) fn fault(&self, expected: impl Into<String>, found: impl Into<String>) -> OpenError {
        OpenError::Malformed { section: self.name.to_owned(), expected: expected.into(), found: found.into() }
    }
}
