//! Followers of an agent: groups with one goal, for which the leader alone plans ([`Group`]).
//!
//! In a file, each follower walks along the leader's trail, one step behind the follower before it. In a flock, each
//! follower takes the step with the least sum of four amounts: its distance to the leader, its distance to the middle of
//! the flock (cohesion), a penalty for every other follower near it (separation), and the turn from the leader's heading
//! (alignment). All amounts are integers. A follower that cannot go on like that, because a trap lies on the trail or the
//! leader is out of its sight, finds a route to the leader with the leader's planner and walks along that.
//!
//! Followers pass the doors that their leader can pass, and no trap appears under them. Monsters take no notice of them.
//!
//! Not here: the leader.

use super::ground::Ground;
use super::heading::{Heading, offset};
use super::options::{Followers, Formation};
use super::views::View;
use portolan::{Cell, Progress, Replanner, Scratch, Snapshot, SquareGrid};
use std::collections::VecDeque;

/// How many cells of the leader's trail are kept for each follower.
const TRAIL: usize = 4;
/// The weights of the distances to the leader and to the middle of the flock.
const LEADER: i32 = 3;
const COHESION: i32 = 1;
/// The penalties for another member of the flock in the same cell, in the next cell and in the one after that.
const SEPARATION: [i32; 3] = [60, 12, 4];

/// A member of a group, which does not plan for itself unless it has lost the others.
#[derive(Clone)]
pub struct Follower {
    at: Cell,
    heading: Heading,
    credit: u64,
    /// Its route to the leader, if it needs one.
    detour: Replanner,
}

impl Follower {
    /// Returns the cell on which it stands.
    pub fn at(&self) -> Cell {
        self.at
    }

    /// Returns the direction of its latest step.
    pub fn heading(&self) -> Heading {
        self.heading
    }
}

/// The followers of one agent and the trail that it leaves.
pub(super) struct Group {
    formation: Formation,
    followers: Vec<Follower>,
    /// The latest cells of the leader, the oldest first. The last is where it stands.
    trail: VecDeque<Cell>,
}

/// What followers need to know to take a step.
pub(super) struct Around<'a> {
    pub(super) leader: Cell,
    pub(super) heading: Heading,
    pub(super) view: &'a View,
    /// The number of the leader's algorithm.
    pub(super) method: usize,
    /// The terrain without traps and influence, by which steps take time.
    pub(super) grid: &'a SquareGrid,
}

impl Group {
    pub(super) fn new(start: Cell, followers: Followers) -> Group {
        let heading = Heading::ALL[0];
        let follower = Follower { at: start, heading, credit: 0, detour: Replanner::new(start, start) };
        let trail = VecDeque::from([start]);
        Group { formation: followers.formation, followers: vec![follower; followers.count], trail }
    }

    pub(super) fn followers(&self) -> &[Follower] {
        &self.followers
    }

    /// Returns the bytes of memory that routes of followers take.
    pub(super) fn bytes(&self) -> usize {
        self.followers.iter().map(|follower| follower.detour.bytes()).sum()
    }

    /// Notes a step of the leader.
    pub(super) fn led_to(&mut self, cell: Cell) {
        self.trail.push_back(cell);
        let most = TRAIL * (self.followers.len() + 1);
        if self.trail.len() > most {
            self.trail.pop_front();
        }
    }

    /// Notes that the leader stands at its start again. Its old trail leads elsewhere.
    pub(super) fn leader_restarted(&mut self, start: Cell) {
        self.trail.clear();
        self.trail.push_back(start);
    }

    /// Puts all followers on a cell.
    pub(super) fn gather(&mut self, at: Cell, ground: &mut Ground) {
        for follower in &mut self.followers {
            ground.leave(follower.at);
            ground.enter(at);
            (follower.at, follower.credit) = (at, 0);
        }
        self.leader_restarted(at);
    }

    /// Has every follower take its step.
    pub(super) fn step(&mut self, around: &Around, ground: &mut Ground, scratch: &mut Scratch) {
        for index in 0..self.followers.len() {
            self.followers[index].credit += u64::from(around.grid.metric().straight());
            let Some((next, price)) = self.choose(index, around, scratch) else {
                self.followers[index].credit = 0;
                continue;
            };
            let follower = &mut self.followers[index];
            if follower.credit >= price {
                follower.credit -= price;
                ground.leave(follower.at);
                ground.enter(next);
                follower.heading = Heading::between(follower.at, next).unwrap_or(follower.heading);
                follower.at = next;
                follower.detour.moved(next);
            }
        }
    }

    /// Returns the next cell of a follower and the price of the step, or `None` if it stays where it is.
    fn choose(&mut self, index: usize, around: &Around, scratch: &mut Scratch) -> Option<(Cell, u64)> {
        let wanted = match self.formation {
            Formation::File => self.along_trail(index, around),
            Formation::Flock => self.with_flock(index, around),
        };
        let at = self.followers[index].at;
        let priced = |next| Some((next, u64::from(around.grid.step_cost(at, next)?.0)));
        match wanted {
            Wanted::Stay => None,
            Wanted::Step(next) => priced(next),
            Wanted::Detour => {
                let detour = &mut self.followers[index].detour;
                priced(detoured(detour, around, scratch)?)
            }
        }
    }

    /// Returns the next step of a follower in a file.
    fn along_trail(&self, index: usize, around: &Around) -> Wanted {
        let at = self.followers[index].at;
        let place = self.trail.len().saturating_sub(index + 2);
        if self.trail[place] == at {
            return Wanted::Stay;
        }
        // A leader may cross its own trail; the latest time counts.
        match self.trail.iter().rposition(|&cell| cell == at) {
            Some(passed) if passed > place => Wanted::Stay,
            Some(passed) if around.view.world.step_cost(at, self.trail[passed + 1]).is_some() => {
                Wanted::Step(self.trail[passed + 1])
            }
            _ => Wanted::Detour,
        }
    }

    /// Returns the next step of a follower in a flock.
    fn with_flock(&self, index: usize, around: &Around) -> Wanted {
        let (at, world) = (self.followers[index].at, &around.view.world);
        let far = self.followers.len() as i32 + 6;
        if distance(at, around.leader) > 5 * far || !world.in_sight(at, around.leader) {
            return Wanted::Detour;
        }
        let middle = self.middle();
        let is_taken = |cell: Cell| self.followers.iter().any(|other| other.at == cell);
        let steps = Heading::ALL.into_iter().map(|heading| (heading, heading.next(at)));
        let legal = steps.filter(|&(_, next)| world.step_cost(at, next).is_some() && !is_taken(next));
        let scored = legal.map(|(heading, next)| {
            (self.score(index, next, middle, around) + i32::from(around.heading.turn_to(heading)), next)
        });
        let best = scored.min_by_key(|&(score, _)| score);
        match best {
            Some((score, next)) if score < self.score(index, at, middle, around) => Wanted::Step(next),
            _ => Wanted::Stay,
        }
    }

    /// Returns the mean of all followers' columns and rows.
    fn middle(&self) -> Cell {
        let count = self.followers.len().max(1) as u32;
        let mean =
            |side: fn(&Follower) -> u16| self.followers.iter().map(|one| u32::from(side(one))).sum::<u32>() / count;
        Cell::new(mean(|one| one.at.x) as u16, mean(|one| one.at.y) as u16)
    }

    /// Returns how bad a cell is for a follower, but for the turn to it.
    fn score(&self, index: usize, cell: Cell, middle: Cell, around: &Around) -> i32 {
        let others = self.followers.iter().enumerate().filter(|&(other, _)| other != index).map(|(_, other)| other.at);
        let apart = |other: Cell| {
            let (dx, dy) = offset(cell, other);
            SEPARATION.get(dx.abs().max(dy.abs()) as usize).copied().unwrap_or(0)
        };
        let crowding: i32 = others.chain([around.leader]).map(apart).sum();
        LEADER * distance(cell, around.leader) + COHESION * distance(cell, middle) + crowding
    }
}

/// What a follower wants to do.
enum Wanted {
    Stay,
    Step(Cell),
    /// It needs a route to its leader.
    Detour,
}

/// Returns the next cell of a follower's route to its leader, which is searched for if there is none or it is cut.
fn detoured(detour: &mut Replanner, around: &Around, scratch: &mut Scratch) -> Option<Cell> {
    let world: &Snapshot = &around.view.world;
    let is_legal = |detour: &Replanner| {
        let next = detour.left().get(1).copied()?;
        world.step_cost(detour.at(), next).map(|_| next)
    };
    if let Some(step) = is_legal(detour) {
        return Some(step);
    }
    if !world.connected(detour.at(), around.leader) {
        return None;
    }
    detour.aim(around.leader);
    let planner = around.view.planner(around.method);
    while detour.step(planner, world, scratch, u64::MAX) == Ok(Progress::Working) {}
    is_legal(detour)
}

/// Returns about five times the distance between two cells.
fn distance(a: Cell, b: Cell) -> i32 {
    let (dx, dy) = offset(a, b);
    let (dx, dy) = (dx.abs(), dy.abs());
    5 * dx.max(dy) + 2 * dx.min(dy)
}
