//! The messages about the game of keys and doors: the command that begins one, and the answer that shows it.
//!
//! Not here: playing it (`session/playing.rs`).

use crate::command::{Entrant, Spot};
use serde::{Deserialize, Serialize};

/// The fields of the command `play`.
#[derive(Clone, PartialEq, Deserialize, Debug)]
pub(crate) struct Play {
    pub(crate) agents: Vec<Entrant>,
    /// The most traps at once, in percent of the free cells.
    pub(crate) traps: f64,
    /// The ticks between two updates of the traps.
    pub(crate) every: u64,
    pub(crate) seed: u64,
    pub(crate) monsters: bool,
    /// Whether monsters send those that they catch back to their start.
    pub(crate) catching: bool,
    pub(crate) influence: bool,
    /// The followers of each agent.
    pub(crate) followers: usize,
    /// How followers move: `file` or `flock`.
    pub(crate) formation: String,
    /// What an agent does whose goal is cut off: `walk-on` or `stop`.
    pub(crate) obstructed: String,
}

/// What a drawing says about a game on it.
#[derive(Clone, Serialize, Debug)]
pub(crate) struct LevelInfo {
    /// Why no game can be played, or `None` if one can.
    pub(crate) fault: Option<String>,
}

/// A game as it is now.
#[derive(Clone, Serialize, Debug)]
pub(crate) struct Played {
    pub(crate) tick: u64,
    pub(crate) done: bool,
    /// Whether the step of a `steer` was legal.
    pub(crate) moved: bool,
    pub(crate) agents: Vec<Agent>,
    pub(crate) monsters: Vec<Monster>,
    pub(crate) player: Option<Player>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) bytes: usize,
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Agent {
    pub(crate) name: String,
    pub(crate) at: Spot,
    pub(crate) state: &'static str,
    /// The number of its goal: 0 is the first key, 1 the first door.
    pub(crate) goal: usize,
    pub(crate) keys: usize,
    /// The work for each goal.
    pub(crate) goals: Vec<Effort>,
}

/// The work of an agent for one goal.
#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct Effort {
    pub(crate) inserts: u64,
    pub(crate) removes: u64,
    pub(crate) expanded: u64,
    pub(crate) searches: u64,
    pub(crate) steps: u64,
    pub(crate) cost: f64,
    pub(crate) ticks: u64,
    pub(crate) caught: u64,
    pub(crate) us: f64,
}

#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct Monster {
    pub(crate) at: Spot,
    pub(crate) letter: char,
    /// Columns to the right and rows down of the direction in which it looks.
    pub(crate) facing: [i32; 2],
    pub(crate) mood: &'static str,
}

#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct Player {
    pub(crate) at: Spot,
    pub(crate) keys: usize,
    pub(crate) opened: usize,
    pub(crate) steps: u64,
    pub(crate) caught: u64,
}

/// A key and its door.
#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct Pair {
    pub(crate) letter: char,
    pub(crate) key: Spot,
    pub(crate) door: Spot,
}
