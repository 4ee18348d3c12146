//! What can be set before a game begins: [`Options`], and what is wrong with them ([`SetupError`]).
//!
//! Not here: the world and its entities, which are a [`portolan_formats::Level`].

use crate::behaviour::Replan;
use portolan::Unsuited;
use portolan::pick::PickError;
use std::ops::RangeInclusive;

/// How a game is played.
#[derive(Clone, PartialEq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Options {
    /// The seed of all that is random. Equal seeds give equal games on every machine.
    pub seed: u64,
    /// The pit traps.
    pub traps: Traps,
    /// After which edits agents plan again. In the report it is [`Replan::Any`].
    pub replan: Replan,
    /// Whether agents plan in legs where their algorithm can, and turn a leg into cells when they come to it. For crowds
    /// that is much faster, but what such searches do is not counted.
    pub in_legs: bool,
    /// What an agent does when no route to its goal is left.
    pub obstructed: Obstructed,
    /// Whether monsters catch agents, which then begin at their start again. In the report's experiments they do not.
    pub vulnerable: bool,
    /// What the layers of influence add to the weights of cells.
    pub influence: Influence,
    /// How many followers each agent leads, and how they move.
    pub followers: Followers,
    /// Whether a search that would be in vain is counted. The engine knows without a search that a goal is cut off, but the
    /// report's A* finds that out by a search of everything it can reach. If set, an agent whose algorithm searches from
    /// nothing is charged one insert, remove and expansion for each such cell: the least that such a search takes.
    pub counts_vain_searches: bool,
    /// Whether an agent that has reached its last goal begins again at its start, without keys.
    pub endless: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 1,
            traps: Traps::default(),
            replan: Replan::Any,
            in_legs: false,
            obstructed: Obstructed::default(),
            vulnerable: false,
            influence: Influence::default(),
            followers: Followers::default(),
            counts_vain_searches: false,
            endless: false,
        }
    }
}

/// How many pit traps there are and how long they last.
#[derive(Clone, PartialEq, Debug)]
pub struct Traps {
    /// The most traps at once, in percent of the free cells of the world.
    pub percent: f64,
    /// The ticks between two updates, at which old traps vanish and new ones appear.
    pub every: u64,
    /// How many ticks a trap lasts at least and at most. It vanishes at the first update after that.
    pub lasts: RangeInclusive<u64>,
}

impl Default for Traps {
    fn default() -> Traps {
        Traps::new(0.0, 20)
    }
}

impl Traps {
    /// Returns traps on this share of the free cells, updated every so many ticks, which last one to five updates.
    pub fn new(percent: f64, every: u64) -> Traps {
        Traps { percent, every, lasts: every..=every.saturating_mul(5) }
    }

    /// Checks the numbers.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        if !(0.0..=100.0).contains(&self.percent) {
            return Err(SetupError::TrapShare(self.percent));
        }
        if self.every == 0 {
            return Err(SetupError::TrapPause);
        }
        if self.lasts.is_empty() {
            return Err(SetupError::TrapLife { least: *self.lasts.start(), most: *self.lasts.end() });
        }
        Ok(())
    }
}

/// What an agent does when traps have cut off its goal.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Obstructed {
    /// It walks on along its old route until the next step is blocked.
    #[default]
    WalkOn,
    /// It stops at once.
    Stop,
}

impl Obstructed {
    /// Both values with their words on command lines.
    pub const NAMED: [(&'static str, Obstructed); 2] = [("walk-on", Obstructed::WalkOn), ("stop", Obstructed::Stop)];
}

/// What the layers of influence add to the weights of cells. A layer that adds 0 is left out.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Influence {
    /// What the cell in front of a monster adds; cells further away in its sight add less.
    pub threat: u8,
    /// What a cell under a cloud adds. Clouds drift over the world.
    pub weather: u8,
    /// What each agent adds to the cell on which it stands.
    pub congestion: u8,
}

impl Influence {
    /// Returns whether any layer is there.
    pub fn is_on(self) -> bool {
        self != Influence::default()
    }
}

/// How the followers of an agent move.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Formation {
    /// In a line, each behind the one before it, along the trail of the leader.
    #[default]
    File,
    /// As a flock: apart from each other, in the same direction, towards their middle and their leader.
    Flock,
}

impl Formation {
    /// Both values with their words on command lines.
    pub const NAMED: [(&'static str, Formation); 2] = [("file", Formation::File), ("flock", Formation::Flock)];
}

/// How many followers each agent leads, and how they move.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Followers {
    /// The followers of one agent.
    pub count: usize,
    /// How they move.
    pub formation: Formation,
}

/// Why a game cannot begin.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// More traps than cells, or fewer than none.
    #[error("traps can cover 0 to 100 % of the map, not {0} %")]
    TrapShare(f64),
    /// No tick between updates of traps.
    #[error("traps are updated every 1 tick or more, not 0")]
    TrapPause,
    /// A range without numbers.
    #[error("traps cannot last from {least} to {most} ticks")]
    TrapLife {
        /// The least.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// There is nothing to play.
    #[error("there is no agent")]
    NoAgent,
    /// There is no such algorithm, or a setting of it is at fault.
    #[error(transparent)]
    Pick(#[from] PickError),
    /// An algorithm does not run on the world.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// An algorithm runs on the world only as long as no influence changes weights.
    #[error("{0}, and influence changes weights")]
    Influenced(Unsuited),
}
