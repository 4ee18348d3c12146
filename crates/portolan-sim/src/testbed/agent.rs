//! One agent of the testbed ([`Agent`]): where it is, which keys it holds, the route to its next goal, and what it does
//! when traps cut that route.
//!
//! Not here: the followers of an agent (`group.rs`), and the clock.

use super::goal_work::{Errand, GoalWork, Searched};
use super::ground::Ground;
use super::group::{Around, Follower, Group};
use super::heading::Heading;
use super::options::{Obstructed, Options};
use super::views::View;
use portolan::{Cell, Edit, Impact, Progress, Replanner, Scratch, SquareGrid};
use std::time::Instant;

/// What an agent is doing.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum AgentState {
    /// It walks along a route to its goal.
    Walking,
    /// Its goal is cut off. It walks on along its old route until that is blocked.
    Obstructed,
    /// Its goal is cut off, and it waits for the world to change.
    Waiting,
    /// It has reached its last goal.
    Finished,
}

impl AgentState {
    /// Returns the name for users.
    pub fn name(self) -> &'static str {
        match self {
            AgentState::Walking => "walking",
            AgentState::Obstructed => "obstructed",
            AgentState::Waiting => "waiting",
            AgentState::Finished => "finished",
        }
    }
}

/// A character with an algorithm, which fetches keys and goes to their doors.
pub struct Agent {
    name: String,
    /// The number of its algorithm and settings in the game.
    pub(super) method: usize,
    start: Cell,
    keys: usize,
    /// The number of its goal.
    goal: usize,
    errands: Vec<Errand>,
    replanner: Replanner,
    state: AgentState,
    /// What was left of the route when the goal was cut off.
    old_route: Vec<Cell>,
    /// Whether it searches at the next tick.
    has_reason: bool,
    /// What it may spend on steps.
    credit: u64,
    heading: Heading,
    laps: u64,
    group: Group,
    /// The cells that its latest search has expanded, if they are wanted.
    searched: Option<Vec<Cell>>,
}

/// What the step of an agent has come to.
pub(super) enum Step {
    /// It has not moved.
    Stayed,
    /// It stands on another cell, and has reached a goal or not.
    Moved {
        /// The cell that it has left.
        from: Cell,
        /// Whether it has reached a goal.
        arrived: bool,
    },
}

impl Agent {
    pub(super) fn new(name: String, method: usize, start: Cell, goals: &[Cell], options: &Options) -> Agent {
        let replanner = Replanner::new(start, goals[0]);
        Agent {
            name,
            method,
            start,
            keys: 0,
            goal: 0,
            errands: goals.iter().map(|&to| Errand::new(to)).collect(),
            replanner: if options.in_legs { replanner.lazily() } else { replanner },
            state: AgentState::Walking,
            old_route: Vec::new(),
            has_reason: true,
            credit: 0,
            heading: Heading::ALL[0],
            laps: 0,
            group: Group::new(start, options.followers),
            searched: None,
        }
    }

    /// Returns its algorithm and settings as they were given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the cell on which it stands.
    pub fn at(&self) -> Cell {
        self.replanner.at()
    }

    /// Returns the cell on which it began.
    pub fn start(&self) -> Cell {
        self.start
    }

    /// Returns how many keys it holds: the first so many of the level.
    pub fn keys(&self) -> usize {
        self.keys
    }

    /// Returns the number of its goal, counted from 0 through all keys and doors.
    pub fn goal_index(&self) -> usize {
        self.goal
    }

    /// Returns the goal to which it walks, or the last one if it has finished.
    pub fn goal(&self) -> Cell {
        self.errands[self.goal.min(self.errands.len() - 1)].to
    }

    /// Returns the direction of its latest step.
    pub fn heading(&self) -> Heading {
        self.heading
    }

    /// Returns what it is doing.
    pub fn state(&self) -> AgentState {
        self.state
    }

    /// Returns what is left of its route, from the cell on which it stands: of the old one, if its goal is cut off and
    /// it walks on.
    pub fn route(&self) -> &[Cell] {
        if self.state == AgentState::Obstructed { &self.old_route } else { self.replanner.left() }
    }

    /// Returns the cells that its latest search has expanded, in order, or none unless
    /// [`Testbed::keep_searched`](super::Testbed::keep_searched) was called before.
    pub fn searched(&self) -> &[Cell] {
        self.searched.as_deref().unwrap_or_default()
    }

    /// Has it note which cells its searches expand from now on, or no longer.
    pub(super) fn keep_searched(&mut self, keep: bool) {
        self.searched = keep.then(|| self.searched.take().unwrap_or_default());
    }

    /// Returns how often it has reached its last goal.
    pub fn laps(&self) -> u64 {
        self.laps
    }

    /// Returns its followers.
    pub fn followers(&self) -> &[Follower] {
        self.group.followers()
    }

    /// Returns the bytes of memory that its route, its search and its followers take.
    pub fn bytes(&self) -> usize {
        let searched = self.searched.as_ref().map_or(0, Vec::capacity) * size_of::<Cell>();
        self.replanner.bytes() + self.group.bytes() + searched
    }

    /// Returns the work for each goal so far; `straight` is the cost of a straight step over ground of weight 1.
    pub(super) fn work(&self, straight: u32) -> Vec<GoalWork> {
        self.errands.iter().map(|errand| errand.work(straight)).collect()
    }

    /// Learns of edits of its world, to which its planner was repaired. It plans again if they have changed its route,
    /// or after any edit if `always`.
    pub(super) fn edited(&mut self, view: &View, edits: &[Edit], always: bool) {
        if self.state == AgentState::Finished {
            return;
        }
        let begun = Instant::now();
        let impact = self.replanner.edited(view.planner(self.method), &view.world, edits);
        let time = begun.elapsed() + view.repair_time(self.method);
        self.errands[self.goal].time += time;
        self.has_reason |= always || impact != Impact::Kept || self.state != AgentState::Walking;
    }

    /// Searches for a route to the goal if there is a reason to, or turns the next leg of its route into cells if it has
    /// come to the end of those that are known.
    pub(super) fn think(&mut self, view: &View, scratch: &mut Scratch, options: &Options) {
        let has_reason = std::mem::take(&mut self.has_reason);
        let needs_leg = self.state == AgentState::Walking && self.replanner.left().len() == 1;
        if self.state == AgentState::Finished || !has_reason && !needs_leg {
            return;
        }
        let goal = self.replanner.to();
        let is_cut_off = !view.world.connected(self.at(), goal);
        if is_cut_off && self.state == AgentState::Walking {
            self.old_route = self.replanner.left().to_vec();
        }
        let errand = &mut self.errands[self.goal];
        if has_reason {
            self.replanner.plan_again();
            errand.searches += 1;
        }
        if !self.replanner.is_alive() {
            errand.clear_open();
            if is_cut_off && has_reason && options.counts_vain_searches {
                let at = self.replanner.at();
                errand.in_vain += view.world.cells().filter(|&cell| view.world.connected(at, cell)).count() as u64;
            }
        }
        let mut watch = Searched { stats: &mut errand.stats, cells: self.searched.as_mut(), world: &view.world };
        watch.begin();
        let begun = Instant::now();
        let progress = loop {
            let planner = view.planner(self.method);
            match self.replanner.watch_step(planner, &view.world, scratch, u64::MAX, &mut watch) {
                Ok(Progress::Working) => {}
                Ok(done) => break done,
                Err(error) => unreachable!("agents stand on free cells and planners are up to date: {error}"),
            }
        };
        errand.time += begun.elapsed();
        self.state = match (progress.is_ready(), options.obstructed) {
            (true, _) => AgentState::Walking,
            (false, Obstructed::WalkOn) if self.old_route.len() > 1 => AgentState::Obstructed,
            (false, _) => AgentState::Waiting,
        };
        if self.state != AgentState::Obstructed {
            self.old_route.clear();
        }
    }

    /// Takes a step along its route if enough time has passed. `ground` is the terrain without traps and influence, by
    /// which steps take time.
    pub(super) fn step(&mut self, view: &View, ground: &SquareGrid) -> Step {
        if self.state == AgentState::Finished {
            return Step::Stayed;
        }
        self.errands[self.goal].ticks += 1;
        self.credit += u64::from(ground.metric().straight());
        let from = self.at();
        let next = self.route().get(1).copied().filter(|&next| view.world.step_cost(from, next).is_some());
        let Some(next) = next else {
            self.credit = 0;
            if self.state == AgentState::Obstructed {
                self.state = AgentState::Waiting;
                self.old_route.clear();
            }
            return Step::Stayed;
        };
        let price = ground.step_cost(from, next).expect("what is legal with traps is legal without");
        if self.credit < u64::from(price.0) {
            return Step::Stayed;
        }
        self.credit -= u64::from(price.0);
        let errand = &mut self.errands[self.goal];
        errand.steps += 1;
        errand.cost += u64::from(price.0);
        self.heading = Heading::between(from, next).unwrap_or(self.heading);
        self.replanner.moved(next);
        self.group.led_to(next);
        if self.state == AgentState::Obstructed {
            self.old_route.remove(0);
        }
        Step::Moved { from, arrived: next == self.errands[self.goal].to }
    }

    /// Turns to its next goal: takes the key if it has reached one, and begins again at its start after the last goal if
    /// the game is `endless`.
    pub(super) fn next_goal(&mut self, endless: bool, ground: &mut Ground) {
        self.keys += usize::from(self.goal.is_multiple_of(2));
        self.goal += 1;
        self.old_route.clear();
        if self.goal == self.errands.len() {
            self.laps += 1;
            if !endless {
                self.state = AgentState::Finished;
                self.replanner.forget();
                return;
            }
            (self.goal, self.keys) = (0, 0);
            self.replanner.moved(self.start);
            self.group.gather(self.start, ground);
        }
        let errand = &mut self.errands[self.goal];
        errand.clear_open();
        self.replanner.aim(errand.to);
        (self.state, self.has_reason, self.credit) = (AgentState::Walking, true, 0);
    }

    /// Is caught by a monster: begins again at its start, with its keys and its goal.
    pub(super) fn caught(&mut self) {
        self.errands[self.goal].caught += 1;
        self.old_route.clear();
        self.replanner.moved(self.start);
        self.group.leader_restarted(self.start);
        (self.state, self.has_reason, self.credit) = (AgentState::Walking, true, 0);
    }

    /// Has its followers take their steps.
    pub(super) fn lead(&mut self, view: &View, grid: &SquareGrid, ground: &mut Ground, scratch: &mut Scratch) {
        let around = Around { leader: self.at(), heading: self.heading, view, method: self.method, grid };
        self.group.step(&around, ground, scratch);
    }
}
