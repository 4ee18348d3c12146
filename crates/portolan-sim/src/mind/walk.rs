//! How a mind walks: algorithm 7 of the thesis, one step a tick.
//!
//! In an unknown hexagon it explores; in a known one it searches in what it knows, for its goal or for the unknown hexagon that lies
//! best on the way, and walks there. Once it sees its goal it goes straight there.
//!
//! Departures from the thesis, which does not say how a walk ends: exploring never enters a hexagon twice on one walk. Where none that is
//! new is free in a direction towards the goal, the mind searches in what it has seen on the walk and what it remembers: what was walked is known.
//! So every search leads to its goal, to a hexagon never seen on the walk before, or to a step that is no longer there,
//! and in a world that has stopped to change every walk ends.
//!
//! Not here: searches, sight, and the choice of a direction.

use super::chart::Corridor;
use super::hexagons::Hexagons;
use super::marks::Marks;
use super::recall::{Ended, MindScratch, Recollection};
use super::{Mind, explore, sight};

/// What a mind does.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum MindState {
    /// It stands where it is, without a goal.
    #[default]
    Resting,
    /// It is on its way.
    Walking,
    /// It has reached its goal.
    Arrived,
    /// It has looked everywhere that it could go to, and found no way.
    GaveUp,
}

/// How a mind chose a step.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Mode {
    /// It explores what it does not know.
    #[default]
    Exploring,
    /// It walks back over where it has been on this walk, to explore elsewhere.
    WalkingBack,
    /// It follows what it remembers, to its goal or to where its knowledge ends.
    FollowingKnown,
    /// It sees its goal and goes there.
    SeesGoal,
}

impl Mode {
    /// All modes with their names, for drawings and tables.
    pub const NAMED: [(&'static str, Mode); 4] = [
        ("exploring", Mode::Exploring),
        ("walking-back", Mode::WalkingBack),
        ("following-known", Mode::FollowingKnown),
        ("sees-goal", Mode::SeesGoal),
    ];
}

/// A step of a walk.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct WalkStep {
    /// The node that the step leads to.
    pub node: u32,
    /// How it was chosen.
    pub mode: Mode,
}

/// Where a mind walks.
#[derive(Clone, Default, Debug)]
pub(super) struct Walk {
    state: MindState,
    mode: Mode,
    at: u32,
    goal: u32,
    /// Whether the hexagon that the mind stands on was unknown to it before.
    is_new: bool,
    /// The direction in which it explores, and for how many hexagons more.
    direction: u8,
    left: u16,
    /// The nodes of the route that it follows, the last first.
    route: Vec<u32>,
    marks: Marks,
}

impl Walk {
    pub(super) fn bytes(&self) -> usize {
        self.marks.bytes() + 4 * self.route.capacity()
    }
}

impl Mind {
    /// Puts the mind on a node and gives it a goal, to which it sets out with its next tick.
    ///
    /// # Panics
    /// When there are no such nodes.
    pub fn set_out(&mut self, hexagons: &Hexagons, from: u32, goal: u32) {
        assert!((from.max(goal) as usize) < hexagons.nodes(), "from {from} to {goal} of {} nodes", hexagons.nodes());
        self.walk.marks.clear(hexagons.tiles());
        self.walk.goal = goal;
        self.walk.route.clear();
        self.walk.left = 0;
        self.enter(hexagons, from);
        self.walk.state = if from == goal { MindState::Arrived } else { MindState::Walking };
    }

    /// Lets a tick pass: memory fades, and a mind on its way takes one step at most.
    pub fn tick(&mut self, hexagons: &Hexagons, scratch: &mut MindScratch) -> MindState {
        self.rest(hexagons, 1);
        self.step(hexagons, scratch);
        self.walk.state
    }

    /// Takes a step if the mind is on its way. Returns whether it still is.
    pub(super) fn step(&mut self, hexagons: &Hexagons, scratch: &mut MindScratch) -> bool {
        if self.walk.state == MindState::Walking {
            match self.next(hexagons, scratch) {
                Some(node) => self.enter(hexagons, node),
                None => self.walk.state = MindState::GaveUp,
            }
            if self.walk.at == self.walk.goal {
                self.walk.state = MindState::Arrived;
            }
        }
        self.walk.state == MindState::Walking
    }

    /// Returns whether the mind has been on a node on this walk.
    pub(super) fn is_walked(&self, node: u32) -> bool {
        self.walk.marks.is_walked(node)
    }

    /// Walks from one node to another to the end, and returns all steps.
    ///
    /// # Panics
    /// When there are no such nodes.
    pub fn walk(&mut self, hexagons: &Hexagons, [from, goal]: [u32; 2], scratch: &mut MindScratch) -> Vec<WalkStep> {
        let mut steps = Vec::new();
        self.set_out(hexagons, from, goal);
        while self.walk.state == MindState::Walking {
            let before = self.walk.at;
            self.tick(hexagons, scratch);
            if self.walk.at != before {
                steps.push(WalkStep { node: self.walk.at, mode: self.walk.mode });
            }
        }
        steps
    }

    /// Returns what the mind does.
    pub fn state(&self) -> MindState {
        self.walk.state
    }

    /// Returns how the mind chose its last step.
    pub fn mode(&self) -> Mode {
        self.walk.mode
    }

    /// Returns the node on which the mind stands.
    pub fn at(&self) -> u32 {
        self.walk.at
    }

    /// Returns the node to which the mind walks, or walked last.
    pub fn goal(&self) -> u32 {
        self.walk.goal
    }

    /// Returns the rest of the route that the mind follows, if it follows one, the last node first.
    pub fn planned(&self) -> &[u32] {
        &self.walk.route
    }

    /// Chooses the next node, or `None` if there is no way as far as the mind knows.
    fn next(&mut self, hexagons: &Hexagons, scratch: &mut MindScratch) -> Option<u32> {
        let at = self.walk.at;
        // The world may have changed since the mind came here.
        self.beliefs.see(hexagons, at);
        if self.walk.mode != Mode::SeesGoal || self.walk.route.is_empty() {
            let range = u32::from(self.settings.sight()).max(1);
            if sight::line(hexagons, at, self.walk.goal, range, &mut scratch.route) {
                self.follow(scratch, Mode::SeesGoal);
            }
        }
        if let Some(next) = self.next_of_route(hexagons) {
            return Some(next);
        }
        if self.walk.is_new {
            if let Some(next) = self.explore(hexagons) {
                self.walk.mode = Mode::Exploring;
                return Some(next);
            }
        }
        // What is found is believed to lead on, and what was seen a moment ago does.
        let ended = self.recall(hexagons, scratch);
        if ended == Ended::Nowhere {
            return None;
        }
        let is_back = scratch.route.last().is_some_and(|&next| self.walk.marks.is_walked(next));
        let mode = match ended {
            Ended::Unknown if is_back => Mode::WalkingBack,
            Ended::Unknown if scratch.route.len() == 1 => Mode::Exploring,
            _ => Mode::FollowingKnown,
        };
        self.follow(scratch, mode);
        self.next_of_route(hexagons)
    }

    /// Takes the next node of the route, if there is one and a step leads there.
    fn next_of_route(&mut self, hexagons: &Hexagons) -> Option<u32> {
        let &next = self.walk.route.last()?;
        if hexagons.is_step(self.walk.at, next) {
            self.walk.route.pop()
        } else {
            self.walk.route.clear();
            None
        }
    }

    fn follow(&mut self, scratch: &mut MindScratch, mode: Mode) {
        self.walk.route.clear();
        self.walk.route.extend_from_slice(&scratch.route);
        self.walk.mode = mode;
    }

    /// Chooses the next hexagon in unknown ground, or `None` if no new one is free.
    fn explore(&mut self, hexagons: &Hexagons) -> Option<u32> {
        let Walk { at, goal, .. } = self.walk;
        let free = hexagons.steps(at).filter(|&(_, beside)| !self.walk.marks.is_walked(beside));
        let free = free.fold(0, |set, (direction, _)| set | 1 << direction);
        if self.walk.left == 0 || free >> self.walk.direction & 1 == 0 {
            let delta = self.settings.delta_thousandths();
            let direction = explore::direction(hexagons, [at, goal], free, delta, &mut self.random)?;
            self.walk.direction = direction as u8;
            self.walk.left = self.settings.stretch();
        }
        self.walk.left -= 1;
        Some(hexagons.beside(at, usize::from(self.walk.direction)))
    }

    /// Searches in what the mind knows. The route lies in the scratch then.
    fn recall(&mut self, hexagons: &Hexagons, scratch: &mut MindScratch) -> Ended {
        let Walk { at, goal, .. } = self.walk;
        let ground = Recollection {
            memory: &self.memory,
            beliefs: &self.beliefs,
            marks: &self.walk.marks,
            recall: self.settings.recall(),
        };
        let expects_goal = self.memory.counter(hexagons, goal) > 0 || self.walk.marks.is_seen(goal);
        self.walk.left = 0;
        if expects_goal && self.settings.plans_on_clusters() && scratch.chart.search(hexagons, &self.memory, [at, goal])
        {
            let chart = std::mem::take(&mut scratch.chart);
            let corridor = Corridor { ground: &ground, scratch: &chart };
            let ended = scratch.search(hexagons, &corridor, [at, goal], true);
            scratch.chart = chart;
            if ended == Ended::Goal {
                return ended;
            }
        }
        scratch.search(hexagons, &ground, [at, goal], expects_goal)
    }

    /// Arrives at a node: remembers it, and looks around where the mind has not been on this walk.
    pub(super) fn enter(&mut self, hexagons: &Hexagons, node: u32) {
        let is_first = !self.walk.marks.is_walked(node);
        self.walk.at = node;
        self.walk.is_new = self.memory.add(hexagons, node) == 0;
        self.walk.marks.walk(node);
        self.beliefs.see(hexagons, node);
        if is_first && self.walk.is_new {
            let Mind { walk, beliefs, settings, .. } = self;
            sight::look(hexagons, node, settings.sight(), &mut walk.marks, beliefs);
        }
    }
}
