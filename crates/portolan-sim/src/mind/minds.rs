//! Many minds on one lattice, which take a step each in every tick: [`Minds`].
//!
//! Not here: bodies; any number of minds may stand on one hexagon.

use super::hexagons::Hexagons;
use super::{Mind, MindScratch, MindState};

/// Minds that share a lattice and working memory.
#[derive(Clone, Default, Debug)]
pub struct Minds {
    minds: Vec<Mind>,
    scratch: MindScratch,
    /// The minds that ask, each with the node that it stands on.
    meeting: Vec<(u32, u32)>,
}

impl Minds {
    /// Makes an empty crowd.
    pub fn new() -> Minds {
        Minds::default()
    }

    /// Adds a mind and returns its index.
    pub fn add(&mut self, mind: Mind) -> usize {
        self.minds.push(mind);
        self.minds.len() - 1
    }

    /// Returns all minds in the order in which they were added.
    pub fn minds(&self) -> &[Mind] {
        &self.minds
    }

    /// Returns a mind to give it another goal.
    ///
    /// # Panics
    /// When there is no such mind.
    pub fn mind_mut(&mut self, mind: usize) -> &mut Mind {
        &mut self.minds[mind]
    }

    /// Lets a tick pass for all minds: those that stand on one hexagon ask each other, and then each takes one step at most, in their
    /// order. Returns how many are on their way.
    pub fn tick(&mut self, hexagons: &Hexagons) -> usize {
        self.meeting.clear();
        let asking = (0..).zip(&self.minds).filter(|(_, mind)| mind.settings().asks());
        self.meeting.extend(asking.map(|(index, mind)| (mind.at(), index)));
        self.meet(hexagons);
        let scratch = &mut self.scratch;
        self.minds.iter_mut().map(|mind| usize::from(mind.tick(hexagons, scratch) == MindState::Walking)).sum()
    }

    /// Lets each walking mind that does not know its goal ask the first one on its node that does.
    fn meet(&mut self, hexagons: &Hexagons) {
        self.meeting.sort_unstable();
        for group in self.meeting.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            for &(_, asking) in group {
                let mind = &self.minds[asking as usize];
                let goal = mind.goal();
                if mind.state() != MindState::Walking || mind.counter(hexagons, goal) > 0 {
                    continue;
                }
                let knows = |&&(_, other): &&(u32, u32)| self.minds[other as usize].counter(hexagons, goal) > 0;
                if let Some(&(_, other)) = group.iter().find(knows) {
                    let [asking, other] = [asking as usize, other as usize];
                    if let Ok([asking, other]) = self.minds.get_disjoint_mut([asking, other]) {
                        asking.ask(hexagons, other);
                    }
                }
            }
        }
    }

    /// Returns the bytes of memory that all minds take with their walks, and the working memory that they share.
    pub fn bytes(&self) -> usize {
        let minds = self.minds.iter().map(|mind| mind.bytes() + mind.walk_bytes()).sum::<usize>();
        minds + size_of::<Mind>() * self.minds.capacity() + self.scratch.bytes() + 8 * self.meeting.capacity()
    }
}
