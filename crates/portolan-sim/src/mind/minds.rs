//! Many minds on one lattice, which take their steps tick by tick: [`Minds`].
//!
//! Not here: bodies; any number of minds may stand on one hexagon.

use super::hexagons::Hexagons;
use super::{Mind, MindScratch, MindState};
use std::num::NonZero;

/// Minds that share a lattice and working memory.
#[derive(Clone, Debug)]
pub struct Minds {
    all: Vec<Mind>,
    /// How many ticks a step takes.
    pace: NonZero<u32>,
    ticks: u64,
    scratch: MindScratch,
    /// The minds that ask, each with the node that it stands on.
    meeting: Vec<(u32, u32)>,
}

impl Default for Minds {
    fn default() -> Minds {
        Minds::new()
    }
}

impl Minds {
    /// Makes an empty crowd whose minds take a step in every tick.
    pub fn new() -> Minds {
        Minds::with_pace(NonZero::<u32>::MIN)
    }

    /// Makes an empty crowd whose minds take a step every `pace` ticks, as agents do that walk a few hexagons a second in a game of
    /// 60 ticks a second. Minds step in turns, so that all ticks take about equally long.
    pub fn with_pace(pace: NonZero<u32>) -> Minds {
        Minds { all: Vec::new(), pace, ticks: 0, scratch: MindScratch::new(), meeting: Vec::new() }
    }

    /// Adds a mind and returns its index.
    pub fn add(&mut self, mind: Mind) -> usize {
        self.all.push(mind);
        self.all.len() - 1
    }

    /// Returns all minds in the order in which they were added.
    pub fn minds(&self) -> &[Mind] {
        &self.all
    }

    /// Returns a mind to give it another goal.
    ///
    /// # Panics
    /// When there is no such mind.
    pub fn mind_mut(&mut self, mind: usize) -> &mut Mind {
        &mut self.all[mind]
    }

    /// Lets a tick pass for all minds: those that stand on one hexagon ask each other, and then each whose turn it is takes one step
    /// at most, in their order. Returns how many are on their way.
    pub fn tick(&mut self, hexagons: &Hexagons) -> usize {
        self.meeting.clear();
        let asking = (0..).zip(&self.all).filter(|(_, mind)| mind.settings().asks());
        self.meeting.extend(asking.map(|(index, mind)| (mind.at(), index)));
        self.meet(hexagons);
        let (scratch, pace) = (&mut self.scratch, u64::from(self.pace.get()));
        self.ticks += 1;
        let mut walking = 0;
        for (turn, mind) in (self.ticks..).zip(&mut self.all) {
            if turn % pace == 0 {
                mind.tick(hexagons, scratch);
            } else {
                mind.rest(hexagons, 1);
            }
            walking += usize::from(mind.state() == MindState::Walking);
        }
        walking
    }

    /// Lets each walking mind that does not know its goal ask the first one on its node that does.
    fn meet(&mut self, hexagons: &Hexagons) {
        self.meeting.sort_unstable();
        for group in self.meeting.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            for &(_, asking) in group {
                let mind = &self.all[asking as usize];
                let goal = mind.goal();
                if mind.state() != MindState::Walking || mind.counter(hexagons, goal) > 0 {
                    continue;
                }
                let knows = |&&(_, other): &&(u32, u32)| self.all[other as usize].counter(hexagons, goal) > 0;
                if let Some(&(_, other)) = group.iter().find(knows) {
                    let [asking, other] = [asking as usize, other as usize];
                    if let Ok([asking, other]) = self.all.get_disjoint_mut([asking, other]) {
                        asking.ask(hexagons, other);
                    }
                }
            }
        }
    }

    /// Returns the bytes of memory that all minds take with their walks, and the working memory that they share.
    pub fn bytes(&self) -> usize {
        let minds = self.all.iter().map(|mind| mind.bytes() + mind.walk_bytes()).sum::<usize>();
        minds + size_of::<Mind>() * self.all.capacity() + self.scratch.bytes() + 8 * self.meeting.capacity()
    }
}
