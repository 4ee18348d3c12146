//! Algorithms of any kind of space.
//!
//! Not here: the algorithms.

use super::{AnySnapshot, from_kinds, on_each};
use crate::algorithm::{Algorithm, Listed, Promise, Unsuited};
use crate::settings::{Param, SettingError, Settings};
use crate::space::Space;
use crate::space::hex::HexGrid;
use crate::space::square::SquareGrid;
use std::ptr;

/// An algorithm on one kind of space.
#[derive(Copy, Clone)]
pub enum AnyAlgorithm {
    /// An algorithm on square grids.
    Square(&'static Algorithm),
    /// An algorithm on hexagonal grids.
    Hex(&'static Algorithm<HexGrid>),
}

impl PartialEq for AnyAlgorithm {
    fn eq(&self, other: &AnyAlgorithm) -> bool {
        match (self, other) {
            (AnyAlgorithm::Square(a), AnyAlgorithm::Square(b)) => ptr::eq(*a, *b),
            (AnyAlgorithm::Hex(a), AnyAlgorithm::Hex(b)) => ptr::eq(*a, *b),
            _ => false,
        }
    }
}

from_kinds!(AnyAlgorithm: &'static Algorithm, &'static Algorithm<HexGrid>);

/// Returns all algorithms of every kind of space, those on square grids first. One that runs on both kinds is listed for
/// each.
pub fn all_algorithms() -> impl Iterator<Item = AnyAlgorithm> {
    let squares = SquareGrid::algorithms().iter().copied().map(AnyAlgorithm::Square);
    squares.chain(HexGrid::algorithms().iter().copied().map(AnyAlgorithm::Hex))
}

impl AnySnapshot {
    /// Returns the algorithms that run on worlds of this kind, in the order of every list that is shown.
    pub fn algorithms(&self) -> Vec<AnyAlgorithm> {
        match self {
            AnySnapshot::Square(_) => SquareGrid::algorithms().iter().copied().map(AnyAlgorithm::Square).collect(),
            AnySnapshot::Hex(_) => HexGrid::algorithms().iter().copied().map(AnyAlgorithm::Hex).collect(),
        }
    }

    /// Returns the algorithm that finds a cheapest route on every world of this kind and needs nothing to be built.
    pub fn exact(&self) -> AnyAlgorithm {
        match self {
            AnySnapshot::Square(_) => AnyAlgorithm::Square(SquareGrid::exact()),
            AnySnapshot::Hex(_) => AnyAlgorithm::Hex(HexGrid::exact()),
        }
    }

    /// Returns the algorithm with this command name on worlds of this kind, or `None` if there is none.
    pub fn algorithm(&self, name: &str) -> Option<AnyAlgorithm> {
        self.algorithms().into_iter().find(|algorithm| algorithm.name() == name)
    }
}

impl AnyAlgorithm {
    /// Returns the kind of space that it runs on.
    pub fn kind(self) -> &'static str {
        match self {
            AnyAlgorithm::Square(_) => SquareGrid::KIND,
            AnyAlgorithm::Hex(_) => HexGrid::KIND,
        }
    }

    /// Returns the name on the command line and in files.
    pub fn name(self) -> &'static str {
        on_each!(self, |algorithm| algorithm.name)
    }

    /// Returns the name in text.
    pub fn title(self) -> &'static str {
        on_each!(self, |algorithm| algorithm.title)
    }

    /// Returns what the algorithm does, in one line.
    pub fn summary(self) -> &'static str {
        on_each!(self, |algorithm| algorithm.summary)
    }

    /// Returns the authors and year of its publication.
    pub fn paper(self) -> &'static str {
        on_each!(self, |algorithm| algorithm.paper)
    }

    /// Returns the parameters that can be set.
    pub fn params(self) -> &'static [Param] {
        on_each!(self, |algorithm| algorithm.params)
    }

    /// Returns the most bytes for each cell that building takes: see [`Algorithm::bytes_per_cell`].
    pub fn bytes_per_cell(self) -> usize {
        on_each!(self, |algorithm| algorithm.bytes_per_cell)
    }

    /// Returns the most bytes of tables that grow faster than the world: see [`Algorithm::table_bytes`].
    pub fn table_bytes(self, cells: usize, settings: &Settings) -> usize {
        on_each!(self, |algorithm| algorithm.table_bytes(cells, settings))
    }

    /// Returns whether its chart can be saved and opened again.
    pub fn can_be_saved(self) -> bool {
        on_each!(self, |algorithm| algorithm.can_be_saved())
    }

    /// Returns the algorithm's settings: the values in `pairs`, and the defaults for all other parameters.
    ///
    /// # Errors
    /// When a name is unknown or a value is out of range; the error lists what is possible.
    pub fn settings<K: AsRef<str>, V: AsRef<str>>(self, pairs: &[(K, V)]) -> Result<Settings, SettingError> {
        on_each!(self, |algorithm| algorithm.settings(pairs))
    }

    /// Checks that the algorithm runs on this world.
    ///
    /// # Errors
    /// When it does not; the error names what the algorithm needs.
    pub fn suits(self, world: &AnySnapshot) -> Result<(), Unsuited> {
        match (self, world) {
            (AnyAlgorithm::Square(algorithm), AnySnapshot::Square(world)) => algorithm.suits(world),
            (AnyAlgorithm::Hex(algorithm), AnySnapshot::Hex(world)) => algorithm.suits(world),
            _ => Err(self.other_kind()),
        }
    }

    /// Returns the error for a world of another kind.
    pub(super) fn other_kind(self) -> Unsuited {
        let needs = match self {
            AnyAlgorithm::Square(_) => "a world of squares",
            AnyAlgorithm::Hex(_) => "a world of hexes",
        };
        Unsuited { algorithm: self.name(), needs }
    }

    /// Returns what the algorithm promises of its routes on this world; nothing on a world of another kind, on which it
    /// does not run.
    pub fn promise(self, world: &AnySnapshot, settings: &Settings) -> Promise {
        match (self, world) {
            (AnyAlgorithm::Square(algorithm), AnySnapshot::Square(world)) => algorithm.promise(world, settings),
            (AnyAlgorithm::Hex(algorithm), AnySnapshot::Hex(world)) => algorithm.promise(world, settings),
            _ => Promise::Complete,
        }
    }
}
