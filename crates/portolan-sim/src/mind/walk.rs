//! How a mind walks: algorithm 7 of the thesis, one step a tick.
//!
//! In an unknown hexagon it explores; in a known one it searches in what it knows, for its goal or for the unknown hexagon that lies
//! best on the way, and walks there. Once it sees its goal it goes straight there.
//!
//! Departures from the thesis, which does not say how a walk ends: exploring never enters a hexagon twice on one walk, nor a line that the mind
//! has seen to end. Where none that is new is free in a direction towards the goal, the mind looks around and searches in what it has
//! seen on the walk and what it remembers: what was walked is known. So every search leads to its goal, to a hexagon never seen on the
//! walk before, or to a step that is no longer there, and in a world that has stopped to change every walk ends.
//!
//! Searches alone could lead to and fro between far places, hexagon by hexagon. A mind that has taken eight times as many steps as it has been on
//! hexagons therefore goes on depth first, from hexagon to hexagon and back on its trail. So no walk takes more steps than
//! eleven times the hexagons that can be reached, and its sight: eight for walking before, one for the route that it was on, and two
//! for the edges of the tree that it walks then.
//!
//! Not here: searches, sight, and the choice of a direction.

use super::chart::Corridor;
use super::hexagons::Hexagons;
use super::recall::{Aim, Ended, MindScratch, Recollection};
use super::sight::{self, Seen};
use super::{Mind, explore};

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
    /// Whether it has looked all around there.
    has_looked: bool,
    /// Whether it found no known way to the goal from the ground that it is on.
    is_apart: bool,
    /// How many steps it has taken, and on how many hexagons it has been.
    steps: u32,
    walked: u32,
    /// The way back, once it goes depth first.
    trail: Option<Vec<u32>>,
    /// The direction in which it explores, and for how many hexagons more.
    direction: u8,
    left: u16,
    /// The nodes of the route that it follows, the last first.
    route: Vec<u32>,
    seen: Seen,
}

/// How many steps a mind takes for each hexagon that it has been on before it goes depth first.
const PATIENCE: u32 = 8;

impl Walk {
    pub(super) fn bytes(&self) -> usize {
        self.seen.marks.bytes()
            + self.seen.frontier.bytes()
            + 4 * (self.route.capacity() + self.trail.as_ref().map_or(0, Vec::capacity))
    }
}

impl Mind {
    /// Puts the mind on a node and gives it a goal, to which it sets out with its next tick.
    ///
    /// # Panics
    /// When there are no such nodes.
    pub fn set_out(&mut self, hexagons: &Hexagons, from: u32, goal: u32) {
        assert!((from.max(goal) as usize) < hexagons.nodes(), "from {from} to {goal} of {} nodes", hexagons.nodes());
        let walk = &mut self.walk;
        walk.seen.marks.clear(hexagons.tiles());
        walk.seen.frontier.clear(self.memory.known(hexagons).next().is_none());
        walk.route.clear();
        (walk.goal, walk.left, walk.steps, walk.walked) = (goal, 0, 0, 0);
        (walk.is_apart, walk.is_new, walk.trail) = (false, false, None);
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
        self.walk.seen.marks.is_walked(node)
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
            let sees_goal = sight::line(hexagons, at, self.walk.goal, range, &mut scratch.route);
            for &node in &scratch.route {
                self.walk.seen.see(hexagons, node, &mut self.beliefs);
            }
            if sees_goal {
                self.follow(scratch, Mode::SeesGoal);
            }
        }
        if let Some(next) = self.next_of_route(hexagons) {
            return Some(next);
        }
        if self.walk.trail.is_some() {
            return self.next_depth_first(hexagons);
        }
        if self.walk.is_new
            && let Some(next) = self.explore(hexagons)
        {
            self.walk.mode = Mode::Exploring;
            return Some(next);
        }
        if self.walk.steps / PATIENCE > self.walk.walked {
            self.begin_trail();
            return self.next_depth_first(hexagons);
        }
        // What is found is believed to lead on, and what was seen a moment ago does.
        let ended = self.recall(hexagons, scratch);
        if ended == Ended::Nowhere {
            return None;
        }
        let is_back = scratch.route.last().is_some_and(|&next| self.walk.seen.marks.is_walked(next));
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
        let free = hexagons.steps(at).filter(|&(_, beside)| !self.walk.seen.marks.is_walked(beside));
        let free: u8 = free.fold(0, |set, (direction, _)| set | 1 << direction);
        if self.walk.left == 0 || free >> self.walk.direction & 1 == 0 {
            self.look_around(hexagons);
            let (range, marks) = (self.settings.sight(), &self.walk.seen.marks);
            let ends = |&direction: &usize| sight::is_seen_to_end(hexagons, at, direction, range, marks);
            let open = (0..6).filter(|direction| free >> direction & 1 == 1 && !ends(direction));
            let open = open.fold(0, |set, direction| set | 1 << direction);
            let delta = self.settings.delta_thousandths();
            let direction = explore::direction(hexagons, [at, goal], open, delta, &mut self.random)?;
            self.walk.direction = direction as u8;
            self.walk.left = self.settings.stretch();
        }
        self.walk.left -= 1;
        Some(hexagons.beside(at, usize::from(self.walk.direction)))
    }

    /// Chooses the next node of a walk that goes depth first: the new one beside that lies nearest to the goal, else the one before.
    fn next_depth_first(&mut self, hexagons: &Hexagons) -> Option<u32> {
        let Walk { at, goal, .. } = self.walk;
        loop {
            let besides = hexagons.steps(at).map(|(_, beside)| beside);
            let new = besides.filter(|&beside| !self.walk.seen.marks.is_walked(beside));
            if let Some(new) = new.min_by_key(|&new| (hexagons.distance(new, goal), new)) {
                self.walk.trail.get_or_insert_default().push(at);
                self.walk.mode = Mode::Exploring;
                return Some(new);
            }
            let back = self.walk.trail.as_mut()?.pop()?;
            if hexagons.is_step(at, back) {
                self.walk.mode = Mode::WalkingBack;
                return Some(back);
            }
            // The world has changed behind it.
            self.begin_trail();
        }
    }

    /// Begins to go depth first, from where the mind stands.
    fn begin_trail(&mut self) {
        self.walk.trail.get_or_insert_default().clear();
        self.walk.seen.marks.forget_walks();
        self.walk.seen.marks.walk(self.walk.at);
    }

    /// Searches in what the mind knows. The route lies in the scratch then.
    fn recall(&mut self, hexagons: &Hexagons, scratch: &mut MindScratch) -> Ended {
        self.look_around(hexagons);
        let Walk { at, goal, .. } = self.walk;
        let Seen { marks, frontier } = &mut self.walk.seen;
        let knows_goal = self.memory.counter(hexagons, goal) > 0 || marks.is_seen(goal);
        let aim = if knows_goal && !self.walk.is_apart {
            Aim::Goal
        } else {
            Aim::Unknown(frontier.least(hexagons, marks, &self.beliefs, goal))
        };
        let (memory, beliefs) = (&self.memory, &self.beliefs);
        let ground = Recollection { memory, beliefs, marks, recall: self.settings.recall() };
        self.walk.left = 0;
        if aim == Aim::Goal
            && self.settings.plans_on_clusters()
            && scratch.chart.search(hexagons, &self.memory, [at, goal])
        {
            let chart = std::mem::take(&mut scratch.chart);
            let corridor = Corridor { ground: &ground, scratch: &chart };
            let ended = scratch.search(hexagons, &corridor, [at, goal], aim);
            scratch.chart = chart;
            if ended == Ended::Goal {
                return ended;
            }
        }
        let ended = scratch.search(hexagons, &ground, [at, goal], aim);
        self.walk.is_apart |= aim == Aim::Goal && ended == Ended::Unknown;
        ended
    }

    fn look_around(&mut self, hexagons: &Hexagons) {
        if !std::mem::replace(&mut self.walk.has_looked, true) {
            let Mind { walk, beliefs, settings, .. } = self;
            sight::look_around(hexagons, walk.at, settings.sight(), &mut walk.seen, beliefs);
        }
    }

    /// Returns what the mind has seen since it set out, in the order of the indices of nodes.
    pub fn seen(&self) -> impl Iterator<Item = u32> + '_ {
        self.walk.seen.marks.seen()
    }

    /// No longer trusts that nothing is remembered but what was seen on the walk.
    pub(super) fn lose_frontier(&mut self) {
        self.walk.seen.frontier.clear(false);
        self.walk.is_apart = false;
    }

    /// Arrives at a node: remembers it, and looks along the lines from there where the mind has not been.
    pub(super) fn enter(&mut self, hexagons: &Hexagons, node: u32) {
        let Mind { walk, beliefs, settings, memory, .. } = self;
        let was_new = walk.is_new;
        let came = if was_new { hexagons.direction(walk.at, node) } else { None };
        (walk.at, walk.has_looked) = (node, false);
        walk.is_new = memory.add(hexagons, node) == 0;
        walk.seen.see(hexagons, node, beliefs);
        let is_first = walk.seen.marks.walk(node);
        walk.steps += 1;
        walk.walked += u32::from(is_first);
        if is_first && walk.is_new {
            sight::look(hexagons, node, came, settings.sight(), &mut walk.seen, beliefs);
        } else if is_first && was_new {
            // It comes to remembered ground, from which a known way may lead to the goal.
            walk.is_apart = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::{Lattice, MindSettings};
    use portolan::generate::{Random, generate, recipe};
    use portolan::{HexGrid, Rules};

    #[test]
    fn going_depth_first_takes_two_steps_a_hexagon_at_most() {
        for (seed, name) in ["maze", "rooms", "caves", "noise"].into_iter().enumerate() {
            let recipe = recipe(name).unwrap();
            let settings = recipe.settings::<&str, &str>(&[]).unwrap();
            let weights = generate(recipe, 40, 40, seed as u64, &settings, Rules::default()).unwrap().to_weights();
            let grid = HexGrid::from_weights(40, 40, &weights, None).unwrap();
            let lattice = Lattice::new(&grid, None).unwrap();
            let (mut random, mut scratch) = (Random::new(seed as u64), MindScratch::new());
            for _ in 0..50 {
                let [from, goal] = [0, 1].map(|_| random.below(lattice.nodes() as u64) as u32);
                let mut mind = Mind::new(&"sight=0".parse::<MindSettings>().unwrap(), 1);
                mind.set_out(&lattice, from, goal);
                mind.begin_trail();
                let (mut at, mut steps) = (from, 0);
                while mind.tick(&lattice, &mut scratch) == MindState::Walking {
                    assert!(lattice.is_step(at, mind.at()), "{name}");
                    (at, steps) = (mind.at(), steps + 1);
                }
                let part = lattice.reachable(from);
                let expected = if part.contains(&goal) { MindState::Arrived } else { MindState::GaveUp };
                assert_eq!(mind.state(), expected, "{name}: from {from} to {goal}");
                assert!(steps <= 2 * part.len(), "{name}: {steps} steps over {} hexagons", part.len());
            }
        }
    }
}
