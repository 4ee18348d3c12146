//! What a walker is doing, [`State`], and why it stands still, [`Why`].
//!
//! Not here: what makes a walker stop or go on, which is in [`crate::Walker`].

use portolan::Unsuited;
use std::fmt;

/// What a walker is doing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It is on its way to its goal.
    Walking,
    /// It stands on its goal.
    Arrived,
    /// It cannot go on until the world changes.
    Stopped(Why),
}

impl State {
    /// Returns a word for reports: `walking`, `arrived` or `stopped`.
    pub fn name(self) -> &'static str {
        match self {
            State::Walking => "walking",
            State::Arrived => "arrived",
            State::Stopped(_) => "stopped",
        }
    }
}

/// Why a walker stands still.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// There is no route to the goal.
    Unreachable,
    /// Its own cell is blocked.
    Buried,
    /// The search gave up.
    OutOfBudget,
    /// Every route costs more than can be counted.
    TooFar,
    /// There is no memory for the search.
    OutOfMemory,
    /// Its algorithm does not run on the world as it has become.
    Unsuited(Unsuited),
}

impl Why {
    /// Returns a word for reports: `unreachable`, `buried`, `out-of-budget`, `too-far`, `out-of-memory` or `unsuited`.
    pub fn name(self) -> &'static str {
        match self {
            Why::Unreachable => "unreachable",
            Why::Buried => "buried",
            Why::OutOfBudget => "out-of-budget",
            Why::TooFar => "too-far",
            Why::OutOfMemory => "out-of-memory",
            Why::Unsuited(_) => "unsuited",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Unreachable => f.write_str("there is no way to the goal"),
            Why::Buried => f.write_str("its own cell is blocked"),
            Why::OutOfBudget => f.write_str("the search gave up"),
            Why::TooFar => f.write_str("every way costs more than can be counted"),
            Why::OutOfMemory => f.write_str("there is no memory for the search"),
            Why::Unsuited(unsuited) => unsuited.fmt(f),
        }
    }
}
