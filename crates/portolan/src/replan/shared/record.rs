//! What LPA* and its kin note of a node ([`Record`]).
//!
//! Not here: what the two costs mean for a search (`lifelong.rs`).

use super::living::INFINITE;
use super::queue::{Key, Queued};

/// The two costs of a node, and which entry of it counts in the queue.
#[derive(Copy, Clone)]
pub(in crate::replan) struct Record {
    /// The cost that neighbours use.
    pub(in crate::replan) g: u32,
    /// The least cost over a neighbour.
    pub(in crate::replan) rhs: u32,
    /// See [`Queued`].
    pub(in crate::replan) queued: u32,
}

impl Default for Record {
    fn default() -> Record {
        Record { g: INFINITE, rhs: INFINITE, queued: INFINITE }
    }
}

impl Queued for Record {
    fn queued(&mut self) -> &mut u32 {
        &mut self.queued
    }
}

impl Record {
    /// Returns the key of D* Lite.
    pub(in crate::replan) fn key(self, estimate: u64, key_modifier: u64) -> Key {
        Key::of(self.g.min(self.rhs), self.g < self.rhs, estimate + key_modifier)
    }

    /// Returns whether the node is in the queue with a key that is no greater than that of its costs now, where keys grow
    /// with costs and with time.
    pub(in crate::replan) fn is_queued_early(self) -> bool {
        let (cost, is_raised) = (self.g.min(self.rhs), self.g < self.rhs);
        self.queued != INFINITE && (self.queued < cost || self.queued == cost && !is_raised)
    }
}
