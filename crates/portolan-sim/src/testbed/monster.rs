//! Monsters: what they see, and how they wander, chase, remember and give up ([`Monster`]).
//!
//! A monster sees a quarter of the plane around its heading, up to its range, through whatever is no wall or closed door.
//! Whenever it can take a step it chooses one. If an agent is in sight, it rolls its aggressiveness: with success it
//! chases the agent, else it takes a random step, and it remembers where the agent was in either case. If none is in
//! sight but a place is remembered, the same roll decides whether it heads there; if after a random step it does not see
//! the place any more, it gives up. Otherwise it wanders: each direction has a weight by the turn that it takes, times
//! the free cells in that direction.
//!
//! Not here: catching agents, and the influence of a monster's sight on routes.

use super::ground::Ground;
use super::heading::{Heading, distance_squared};
use portolan::generate::Random;
use portolan::{Cell, Snapshot, SquareGrid};

/// What a kind of monster can do.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MonsterKind {
    /// How many cells it sees.
    pub range: u8,
    /// How often, in percent, it decides to chase an agent that it sees.
    pub aggressiveness: u8,
    /// Its speed in percent of that of an agent.
    pub pace: u8,
}

impl MonsterKind {
    /// Returns the kind of a letter from `a` to `j`: each is more aggressive than the one before, from 10 to 100 percent,
    /// and sees further, from 4 to 13 cells. All are a little slower than agents.
    pub fn of(letter: char) -> MonsterKind {
        let index = (letter as u32).saturating_sub('a' as u32).min(9) as u8;
        MonsterKind { range: 4 + index, aggressiveness: 10 * (index + 1), pace: 80 }
    }
}

/// What a monster is doing.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Mood {
    /// It walks at random.
    Wandering,
    /// It walks to an agent that it sees.
    Chasing,
    /// It knows where it saw an agent last.
    Remembering,
    /// It has lost the place where it saw an agent last.
    GivingUp,
}

impl Mood {
    /// Returns the name for users.
    pub fn name(self) -> &'static str {
        match self {
            Mood::Wandering => "wandering",
            Mood::Chasing => "chasing",
            Mood::Remembering => "remembering",
            Mood::GivingUp => "giving up",
        }
    }
}

/// A monster.
pub struct Monster {
    letter: char,
    kind: MonsterKind,
    at: Cell,
    heading: Heading,
    mood: Mood,
    /// Where it saw an agent last.
    last_seen: Option<Cell>,
    /// The cells that it sees, row by row.
    seen: Vec<Cell>,
    /// What it may spend on steps; negative while it pays for the last one.
    credit: i64,
    random: Random,
}

/// What a monster needs to know to choose a step.
pub(super) struct Scene<'a> {
    /// The world without traps and with closed doors.
    pub(super) sight: &'a SquareGrid,
    /// The world with traps and with closed doors.
    pub(super) walk: &'a Snapshot,
    pub(super) ground: &'a Ground,
    /// How many agents and players are on each cell.
    pub(super) prey: &'a [u16],
}

impl Scene<'_> {
    /// Returns whether a step in a direction is legal.
    fn may_step(&self, from: Cell, heading: Heading) -> bool {
        let next = heading.next(from);
        self.walk.step_cost(from, next).is_some() && !self.ground.is_safe(next)
    }
}

/// The weight of a direction by the eighths of a turn that it takes: 37 % straight ahead, 15 % diagonally ahead and to
/// each side, 1 % for each of the three directions behind.
const WEIGHTS: [u64; 5] = [37, 15, 15, 1, 1];

impl Monster {
    pub(super) fn new(letter: char, at: Cell, sight: &SquareGrid, mut random: Random) -> Monster {
        let heading = Heading::ALL[random.below(8) as usize];
        let kind = MonsterKind::of(letter);
        let (mood, seen) = (Mood::Wandering, Vec::new());
        let mut monster = Monster { letter, kind, at, heading, mood, last_seen: None, seen, credit: 0, random };
        monster.look(sight);
        monster
    }

    /// Returns the letter of its kind.
    pub fn letter(&self) -> char {
        self.letter
    }

    /// Returns what its kind can do.
    pub fn kind(&self) -> MonsterKind {
        self.kind
    }

    /// Returns the cell on which it stands.
    pub fn at(&self) -> Cell {
        self.at
    }

    /// Returns the direction in which it looks.
    pub fn heading(&self) -> Heading {
        self.heading
    }

    /// Returns what it is doing.
    pub fn mood(&self) -> Mood {
        self.mood
    }

    /// Returns where it saw an agent last, if it remembers that.
    pub fn last_seen(&self) -> Option<Cell> {
        self.last_seen
    }

    /// Returns the cells that it sees, row by row.
    pub fn seen(&self) -> &[Cell] {
        &self.seen
    }

    /// Returns how much of a threat a cell in its sight is, where the cell in front of it is `most`: less for cells
    /// further away, and at least 1.
    pub fn threat(&self, cell: Cell, most: u8) -> i32 {
        let range = u16::from(self.kind.range);
        let away = self.at.x.abs_diff(cell.x).max(self.at.y.abs_diff(cell.y)).min(range);
        i32::from((u16::from(most) * (range + 1 - away)).div_ceil(range))
    }

    /// Takes a step or turns if enough time has passed since the last step. `straight`
    /// is the cost of a straight step over ground of weight 1.
    pub(super) fn act(&mut self, scene: &Scene, straight: u32) {
        let straight = i64::from(straight);
        self.credit = (self.credit + straight * i64::from(self.kind.pace) / 100).min(straight);
        if self.credit < straight {
            return;
        }
        let Some(heading) = self.choose(scene) else {
            // It stands in a dead end and looks the other way.
            self.heading = self.heading.turned(4);
            self.look(scene.sight);
            return;
        };
        let next = heading.next(self.at);
        self.credit -= scene.sight.step_cost(self.at, next).map_or(straight, |price| i64::from(price.0));
        (self.at, self.heading) = (next, heading);
        self.look(scene.sight);
        let is_lost = |place: Cell| place == next || !scene.sight.in_sight(next, place);
        if self.mood == Mood::Remembering && self.last_seen.is_some_and(is_lost) {
            (self.mood, self.last_seen) = (Mood::GivingUp, None);
        }
    }

    /// Returns the direction of the next step, or `None` if no step is legal.
    fn choose(&mut self, scene: &Scene) -> Option<Heading> {
        let is_prey = |cell: &&Cell| scene.prey[scene.ground.index(**cell)] > 0 && !scene.ground.is_safe(**cell);
        let nearest = self.seen.iter().filter(is_prey).min_by_key(|&&cell| distance_squared(self.at, cell)).copied();
        self.last_seen = nearest.or(self.last_seen);
        let Some(place) = self.last_seen else {
            self.mood = Mood::Wandering;
            return self.wander(scene);
        };
        let decides = self.random.chance(u64::from(self.kind.aggressiveness));
        self.mood = if nearest.is_some() && decides { Mood::Chasing } else { Mood::Remembering };
        let headed = if decides { self.toward(place, scene) } else { None };
        headed.or_else(|| self.wander(scene))
    }

    /// Returns the direction of the step that leads nearest to a place, or `None` if none leads nearer.
    fn toward(&self, place: Cell, scene: &Scene) -> Option<Heading> {
        let legal = Heading::ALL.into_iter().filter(|&heading| scene.may_step(self.at, heading));
        let nearest = legal.min_by_key(|heading| distance_squared(heading.next(self.at), place))?;
        (distance_squared(nearest.next(self.at), place) < distance_squared(self.at, place)).then_some(nearest)
    }

    /// Returns a random direction, or `None` if no step is legal.
    fn wander(&mut self, scene: &Scene) -> Option<Heading> {
        let weights = Heading::ALL.map(|heading| {
            let (mut cell, mut free) = (self.at, 0);
            while free < u64::from(self.kind.range) && scene.may_step(cell, heading) {
                (cell, free) = (heading.next(cell), free + 1);
            }
            WEIGHTS[usize::from(self.heading.turn_to(heading))] * free
        });
        let sum: u64 = weights.iter().sum();
        if sum == 0 {
            return None;
        }
        let mut left = self.random.below(sum);
        Heading::ALL.into_iter().zip(weights).find_map(|(heading, weight)| {
            let is_chosen = left < weight;
            left = left.saturating_sub(weight);
            is_chosen.then_some(heading)
        })
    }

    /// Finds the cells that it sees.
    fn look(&mut self, sight: &SquareGrid) {
        self.seen.clear();
        let range = u16::from(self.kind.range);
        let (at, most) = (self.at, i32::from(range) * i32::from(range));
        let rows = at.y.saturating_sub(range)..=(at.y + range).min(sight.height() as u16 - 1);
        for y in rows {
            for x in at.x.saturating_sub(range)..=(at.x + range).min(sight.width() as u16 - 1) {
                let cell = Cell::new(x, y);
                let is_near = self.heading.faces(at, cell) && distance_squared(at, cell) <= most;
                if is_near && sight.is_free(cell) && sight.in_sight(at, cell) {
                    self.seen.push(cell);
                }
            }
        }
    }
}
