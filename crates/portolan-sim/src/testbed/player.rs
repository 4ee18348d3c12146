//! The player of the testbed, which is steered from outside: [`Player`].
//!
//! Not here: which steps are legal, and agents, which find their way themselves.

use super::heading::Heading;
use portolan::Cell;
use portolan_formats::Pair;

/// A character that only moves when it is steered.
pub struct Player {
    at: Cell,
    start: Cell,
    keys: usize,
    opened: usize,
    heading: Heading,
    steps: u64,
    caught: u64,
}

impl Player {
    pub(super) fn new(start: Cell) -> Player {
        Player { at: start, start, keys: 0, opened: 0, heading: Heading::ALL[0], steps: 0, caught: 0 }
    }

    /// Returns the cell on which the player stands.
    pub fn at(&self) -> Cell {
        self.at
    }

    /// Returns how many keys the player holds: the first so many of the level. Keys are taken in their order.
    pub fn keys(&self) -> usize {
        self.keys
    }

    /// Returns how many doors the player has opened.
    pub fn opened(&self) -> usize {
        self.opened
    }

    /// Returns the direction of the latest step.
    pub fn heading(&self) -> Heading {
        self.heading
    }

    /// Returns how many steps the player has taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns how often a monster has caught the player.
    pub fn times_caught(&self) -> u64 {
        self.caught
    }

    /// Moves to a cell, takes the key that lies there if it is the next one, and opens the next door.
    pub(super) fn step(&mut self, to: Cell, heading: Heading, pairs: &[Pair]) {
        (self.at, self.heading) = (to, heading);
        self.steps += 1;
        self.keys += usize::from(pairs.get(self.keys).is_some_and(|pair| pair.key == to));
        let has_key = self.opened < self.keys;
        self.opened += usize::from(has_key && pairs.get(self.opened).is_some_and(|pair| pair.door == to));
    }

    pub(super) fn caught(&mut self) {
        self.at = self.start;
        self.caught += 1;
    }
}
