//! Choosing settings before building a planner: [`Builder`], which [`Algorithm::set`](crate::Algorithm::set) begins.
//!
//! Not here: which settings there are.

use crate::algorithm::Algorithm;
use crate::planner::{BuildError, Planner};
use crate::space::square::SquareGrid;
use crate::space::{Snapshot, Space};
use std::fmt::Display;

/// An algorithm with some of its settings chosen.
pub struct Builder<S: Space = SquareGrid> {
    algorithm: &'static Algorithm<S>,
    settings: Vec<(String, String)>,
}

impl<S: Space> Algorithm<S> {
    /// Returns a builder with this value for one of the algorithm's parameters. The value is checked when the planner
    /// is built.
    pub fn set(&'static self, name: &str, value: impl Display) -> Builder<S> {
        Builder { algorithm: self, settings: Vec::new() }.set(name, value)
    }

    /// Builds a planner for a world with the default settings.
    ///
    /// # Errors
    /// As [`Planner::build`].
    pub fn build(&'static self, world: &Snapshot<S>) -> Result<Planner<S>, BuildError> {
        Builder { algorithm: self, settings: Vec::new() }.build(world)
    }
}

impl<S: Space> Builder<S> {
    /// Returns the builder with this value for another parameter, or instead of an earlier value.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl Display) -> Builder<S> {
        self.settings.push((name.to_owned(), value.to_string()));
        self
    }

    /// Builds a planner for a world.
    ///
    /// # Errors
    /// When a setting is unknown or out of range, the algorithm does not run on the world, or there is no memory for
    /// tables whose size is known beforehand.
    pub fn build(&self, world: &Snapshot<S>) -> Result<Planner<S>, BuildError> {
        Planner::build(world, self.algorithm, self.algorithm.settings(&self.settings)?)
    }
}
