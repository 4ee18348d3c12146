//! What is kept of one mind for its page: where it was at each tick, how it chose its steps, and which counters changed.
//!
//! Not here: the shape of messages but for the parts about ticks.

use crate::answer::MindTold;
use crate::frame::Parts;
use portolan_sim::mind::{Hexagons, Mind, MindState, Mode};

/// The ticks of one mind since the page was last told of it.
#[derive(Default)]
pub(super) struct Record {
    /// The counters that the page knows, by node.
    counters: Vec<u16>,
    /// The ticks that the mind has lived.
    ticks: u64,
    /// The node on which the mind stood after each tick.
    walked: Vec<u32>,
    /// How it chose the step of each tick, an index into [`Mode::NAMED`].
    modes: Vec<u8>,
    /// The nodes whose counters changed, with their new counters, and how many of them there are after each tick.
    changed: Vec<u32>,
    changed_to: Vec<u16>,
    ends: Vec<u32>,
    /// The steps of the present walk by mode.
    steps_by_mode: [usize; Mode::NAMED.len()],
    known: usize,
    at: Option<u32>,
}

impl Record {
    /// Begins to count the steps of a walk.
    pub(super) fn begin(&mut self) {
        self.steps_by_mode = Default::default();
    }

    /// Notes how a mind is: before its first tick, and after each.
    pub(super) fn note(&mut self, mind: &Mind, hexagons: &Hexagons) {
        let (at, mode) = (mind.at(), index(mind.mode()));
        self.counters.resize(hexagons.nodes(), 0);
        if self.at.is_none() {
            self.compare(mind, hexagons);
        } else {
            self.ticks += 1;
            let fades = mind.settings().fade().is_some_and(|fade| self.ticks.is_multiple_of(fade.into()));
            if fades {
                self.compare(mind, hexagons);
            } else {
                self.set(at, mind.counter(hexagons, at));
            }
        }
        if self.at.is_some_and(|before| before != at) {
            self.steps_by_mode[mode] += 1;
        }
        self.at = Some(at);
        self.walked.push(at);
        self.modes.push(mode as u8);
        self.ends.push(self.changed.len() as u32);
    }

    /// Finds all counters that changed.
    fn compare(&mut self, mind: &Mind, hexagons: &Hexagons) {
        let mut counters = vec![0; hexagons.nodes()];
        mind.known(hexagons).for_each(|(node, counter)| counters[node as usize] = counter);
        for (node, counter) in counters.into_iter().enumerate() {
            self.set(node as u32, counter);
        }
    }

    fn set(&mut self, node: u32, counter: u16) {
        let before = std::mem::replace(&mut self.counters[node as usize], counter);
        if before != counter {
            self.changed.push(node);
            self.changed_to.push(counter);
            self.known = self.known + usize::from(before == 0) - usize::from(counter == 0);
        }
    }

    /// Returns how many changes the page has not been told of.
    pub(super) fn changes(&self) -> usize {
        self.changed.len()
    }

    /// Returns where the mind stood after each tick that the page has not been told of.
    pub(super) fn walked(&self) -> impl Iterator<Item = u32> + '_ {
        self.walked.iter().copied()
    }

    /// Tells what has been noted, and forgets it.
    pub(super) fn told(&mut self, index: usize, mind: &Mind, least: Option<usize>, parts: &mut Parts) -> MindTold {
        self.walked.clear();
        parts.push(format!("modes{index}"), std::mem::take(&mut self.modes));
        parts.push(format!("changed{index}"), std::mem::take(&mut self.changed));
        parts.push(format!("counters{index}"), std::mem::take(&mut self.changed_to));
        parts.push(format!("ends{index}"), std::mem::take(&mut self.ends));
        MindTold {
            state: match mind.state() {
                MindState::Resting => "resting",
                MindState::Walking => "walking",
                MindState::Arrived => "arrived",
                MindState::GaveUp => "gave up",
            },
            steps: self.steps_by_mode,
            least,
            known: self.known,
            most: mind.settings().most(),
            bytes: mind.bytes(),
        }
    }

    /// Returns the bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        2 * self.counters.capacity() + 4 * (self.changed.capacity() + self.walked.capacity() + self.ends.capacity())
    }
}

/// Returns the index of a mode in [`Mode::NAMED`].
fn index(mode: Mode) -> usize {
    Mode::NAMED.iter().position(|&(_, named)| named == mode).expect("all modes have names")
}
