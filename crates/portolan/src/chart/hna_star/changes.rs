//! Which parts of a chart's tables repairs have changed, so that copies of them elsewhere can be brought up to date part by part.
//!
//! Not here: the tables, and what their parts are.

use crate::memory::held;
use std::collections::VecDeque;

/// How many earlier states are known. A copy of an older state is given all parts.
const KNOWN: usize = 256;

/// Notes of the repair that has last changed each part of some tables.
#[derive(Clone)]
pub(in crate::chart) struct Changes {
    /// The number of the repair that has last changed each part; 0 if none has.
    repair_by_part: Vec<u32>,
    /// How many repairs there were.
    repairs: u32,
    /// The serials of the latest states, each of the tables after one repair, the current state last. Copies of a planner that are
    /// repaired apart have different ones.
    states: VecDeque<u64>,
}

/// The parts that count as changed: those that this repair or a later one has changed, or all.
#[derive(Copy, Clone)]
pub(in crate::chart) struct Since(Option<u32>);

impl Changes {
    /// Begins with tables of so many parts. `state` is a serial.
    pub(in crate::chart) fn new(parts: usize, state: u64) -> Changes {
        Changes { repair_by_part: vec![0; parts], repairs: 0, states: VecDeque::from([state]) }
    }

    /// Notes a repair that has changed these parts and brought the tables to this state.
    pub(in crate::chart) fn note(&mut self, changed: &[usize], state: u64) {
        self.repairs += 1;
        for &part in changed {
            self.repair_by_part[part] = self.repairs;
        }
        if self.states.len() == KNOWN {
            self.states.pop_front();
        }
        self.states.push_back(state);
    }

    /// Returns the serial of the current state.
    pub(in crate::chart) fn state(&self) -> u64 {
        self.states.back().copied().unwrap_or(0)
    }

    /// Returns what counts as changed since a state: all if it is not known.
    pub(in crate::chart) fn since(&self, state: u64) -> Since {
        let later = self.states.iter().rev().position(|&known| known == state);
        Since(later.map(|later| self.repairs - later as u32))
    }

    /// Returns whether a part counts as changed.
    #[inline(always)]
    pub(in crate::chart) fn has_changed(&self, part: usize, Since(repair): Since) -> bool {
        repair.is_none_or(|repair| self.repair_by_part[part] > repair)
    }

    pub(in crate::chart) fn bytes(&self) -> usize {
        held(&self.repair_by_part) + self.states.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_changed_since_a_state_are_told() {
        let mut changes = Changes::new(4, 1);
        let told = |changes: &Changes, state| {
            let since = changes.since(state);
            (0..4).filter(|&part| changes.has_changed(part, since)).collect::<Vec<_>>()
        };
        assert!(told(&changes, 1).is_empty());
        changes.note(&[1, 2], 2);
        let mut other = changes.clone();
        changes.note(&[2, 3], 3);
        assert_eq!(told(&changes, 1), [1, 2, 3]);
        assert_eq!(told(&changes, 2), [2, 3]);
        // The state of a copy that was repaired apart is not known.
        other.note(&[0], 4);
        assert_eq!(told(&changes, other.state()), [0, 1, 2, 3]);
        for state in 5..5 + KNOWN as u64 {
            changes.note(&[], state);
        }
        assert_eq!(told(&changes, 2), [0, 1, 2, 3], "it was too long ago");
    }
}
