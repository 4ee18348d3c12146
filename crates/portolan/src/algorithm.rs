//! The description of an algorithm: its names, its parameters, what it promises, and how it is built and opened.
//!
//! Not here: the algorithms, and the list of them (`registry.rs`).

use crate::method::Method;
use crate::saved::{OpenError, Sections};
use crate::settings::{Param, SettingError, Settings};
use crate::space::square::SquareGrid;
use crate::space::{Extras, Motion, Space};
use std::fmt;

/// The description of an algorithm on one kind of space, and the functions that build it.
pub struct Algorithm<S: Space = SquareGrid> {
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
    /// The most bytes for each cell of a world that building takes with the default settings; three times as many
    /// suffice for all others. It was measured on every recipe of the generator with a million cells, of which noise
    /// needs the most, and a quarter was added. Programs with a limit of memory ask before they build.
    pub bytes_per_cell: usize,
    /// Returns the most bytes that tables take with these settings on a world of so many cells, besides
    /// [`bytes_per_cell`](Self::bytes_per_cell): tables that grow faster than the world does.
    pub(crate) table_bytes: fn(usize, &Settings) -> usize,
    /// How its routes lead from place to place.
    pub(crate) motion: Motion,
    /// The most that a world may have besides its terrain for the algorithm to run on it.
    pub extras: Extras,
    /// Checks that the algorithm runs on the terrain of a world.
    pub(crate) suits: fn(&S) -> Result<(), Unsuited>,
    /// Returns the algorithm's promise on a world with these settings.
    pub(crate) promise: fn(&S, &Settings) -> Promise,
    /// Returns the bytes of the tables whose size does not depend on the terrain. Before building, the planner checks
    /// that this memory can be allocated. 0 if all sizes depend on the terrain.
    pub(crate) known_bytes: fn(&S, &Settings) -> usize,
    /// Builds the algorithm for a world.
    pub(crate) build: fn(&S, &Settings) -> Box<dyn Method<S>>,
    /// Builds the algorithm from saved sections; `None` if its charts are not saved.
    pub(crate) open: Option<Opener<S>>,
}

/// The [`Algorithm::bytes_per_cell`] of searches that keep next to nothing: enough for the landmarks of `a-star`.
const LEAN: usize = 12;

/// A function that builds an algorithm from saved sections.
pub(crate) type Opener<S = SquareGrid> = fn(&S, &Settings, &Sections) -> Result<Box<dyn Method<S>>, OpenError>;

/// The algorithms of a space. The registry implements it for each space.
pub trait Listed: Sized + 'static {
    /// Returns all algorithms that run on this space, in the order of every list that is shown.
    fn algorithms() -> &'static [&'static Algorithm<Self>]
    where
        Self: Space;

    /// Returns the algorithm that finds a cheapest route on every world of this space and needs nothing to be built. The
    /// planner turns to it where another algorithm finds no route whose cost fits [`crate::Cost`].
    fn exact() -> &'static Algorithm<Self>
    where
        Self: Space;
}

impl<S: Space> Algorithm<S> {
    /// Returns the description of a search by steps that needs nothing to be built, runs on every terrain and finds a cheapest
    /// route. What differs is given by the search's own description, at least its names.
    pub(crate) const fn flat(build: fn(&S, &Settings) -> Box<dyn Method<S>>) -> Algorithm<S> {
        Algorithm {
            name: "",
            title: "",
            summary: "",
            paper: "",
            params: &[],
            bytes_per_cell: LEAN,
            table_bytes: |_, _| 0,
            motion: Motion::Steps,
            extras: Extras::Nothing,
            suits: |_| Ok(()),
            promise: |_, _| Promise::Optimal,
            known_bytes: |_, _| 0,
            build,
            open: None,
        }
    }

    /// Checks that the algorithm runs on this world.
    ///
    /// # Errors
    /// When it does not; the error names what the algorithm needs.
    pub fn suits(&self, space: &S) -> Result<(), Unsuited> {
        if space.extras() > self.extras {
            let needs = match self.extras {
                Extras::Nothing => "a world without walls between cells, links and one-way borders",
                Extras::Walls => "a world without links and one-way borders",
                Extras::Links => "a world without one-way borders and links",
                Extras::OneWays => unreachable!("no world has more"),
            };
            return Err(Unsuited { algorithm: self.name, needs });
        }
        (self.suits)(space)
    }

    /// Returns what the algorithm promises of its routes on this world.
    pub fn promise(&self, space: &S, settings: &Settings) -> Promise {
        (self.promise)(space, settings)
    }

    /// Returns the most bytes that building takes with these settings on a world of so many cells, for tables that grow
    /// faster than the world does. They come on top of [`bytes_per_cell`](Self::bytes_per_cell).
    pub fn table_bytes(&self, cells: usize, settings: &Settings) -> usize {
        (self.table_bytes)(cells, settings)
    }

    /// Returns whether the data that the algorithm derives from a world can be saved and opened again:
    /// [`Planner::save`](crate::Planner::save). There may still be nothing to save, as for a jump graph without
    /// landmarks.
    pub fn can_be_saved(&self) -> bool {
        self.open.is_some()
    }

    /// Builds the algorithm for a world with its default settings.
    pub(crate) fn with_defaults(&self, space: &S) -> Box<dyn Method<S>> {
        let settings = self.settings::<&str, &str>(&[]).expect("defaults are in range");
        (self.build)(space, &settings)
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
