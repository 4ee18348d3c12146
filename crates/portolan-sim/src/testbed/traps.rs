//! Pit traps: where they are, until when, and how new ones appear ([`Pits`]).
//!
//! Not here: what a trap does to the worlds of agents, which is in `ground.rs`.

use super::ground::Ground;
use super::options::Traps;
use portolan::generate::Random;
use portolan::{Cell, SquareGrid};

/// How many cells are drawn at most for each trap that is wanted, since some are taken.
const TRIES: usize = 16;

/// A trap.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    /// Where it is.
    pub at: Cell,
    /// The tick from which on it vanishes at the next update.
    pub until: u64,
}

/// All traps of a game.
pub(super) struct Pits {
    traps: Traps,
    /// The cells that are free in the drawing.
    free: Vec<Cell>,
    /// The most traps at once.
    most: usize,
    open: Vec<Trap>,
    random: Random,
}

impl Pits {
    pub(super) fn new(grid: &SquareGrid, traps: Traps, random: Random) -> Pits {
        let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
        let most = (free.len() as f64 * traps.percent / 100.0) as usize;
        Pits { traps, free, most, open: Vec::new(), random }
    }

    /// Returns the traps that are there now.
    pub(super) fn open(&self) -> &[Trap] {
        &self.open
    }

    /// Lets old traps vanish and new ones appear if this tick is one for updates.
    pub(super) fn update(&mut self, tick: u64, ground: &mut Ground) {
        if tick == 0 || !tick.is_multiple_of(self.traps.every) || self.most == 0 {
            return;
        }
        self.open.retain(|trap| {
            let lasts = trap.until > tick;
            if !lasts {
                ground.set_trap(trap.at, false);
            }
            lasts
        });
        let (least, most) = (*self.traps.lasts.start(), *self.traps.lasts.end());
        for _ in 0..(self.most - self.open.len()) * TRIES {
            if self.open.len() == self.most {
                break;
            }
            let at = self.free[self.random.below(self.free.len() as u64) as usize];
            if ground.may_trap(at) {
                let lasts = least + self.random.below((most - least).saturating_add(1));
                self.open.push(Trap { at, until: tick.saturating_add(lasts) });
                ground.set_trap(at, true);
            }
        }
    }
}
