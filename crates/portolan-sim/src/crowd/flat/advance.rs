//! Going: an agent moves, keeps the point that it goes to in sight, goes on to the next one, and notes how it comes along.
//!
//! Not here: which way it wants to go (`steer.rs`).

use super::ground::{FlatGround, FlatPlace};
use super::squares::FlatSquares;
use super::steer::{self, Choice, Seen};
use super::whole::{Vector, along, dot, far_length, minus, packed, plus};
use super::{Body, FlatState, Rules, Walk};

/// Everything that agents read while they move.
pub(super) struct Course<'a> {
    pub(super) rules: &'a Rules,
    pub(super) ground: &'a FlatGround,
    pub(super) points: &'a [[i32; 3]],
    pub(super) tick: u32,
}

impl Course<'_> {
    /// Returns what an agent does about its neighbours.
    pub(super) fn choose<'a>(&self, own: Seen, walk: &Walk, others: impl Iterator<Item = &'a Seen> + Clone) -> Choice {
        if walk.state() == FlatState::NoWay {
            return Choice::default();
        }
        let slows = walk.target + 1 == walk.end;
        let wish = steer::wish(self.rules, minus(self.target(walk), own.at), slows);
        steer::choose(self.rules, own, wish, others)
    }

    /// Returns the point that an agent goes to, seen from above.
    fn target(&self, walk: &Walk) -> Vector {
        let [x, y, _] = self.points[walk.target as usize];
        [x, y]
    }

    /// Returns the place of a point of a route if an agent sees it.
    fn sees(&self, from: FlatPlace, point: [i32; 3]) -> Option<FlatPlace> {
        self.rules.seen(self.ground, from, point)
    }

    /// Moves an agent by one tick.
    pub(super) fn advance(&self, number: u32, body: &mut Body, walk: &mut Walk, choice: Choice) {
        if walk.state() == FlatState::NoWay {
            return;
        }
        let before = body.place();
        let target = self.points[walk.target as usize];
        let squeezes = walk.state() == FlatState::Squeezing;
        let after = if squeezes {
            self.straight(before, target, self.rules.speed)
        } else {
            self.beside(before, target, choice)
        };
        let speed = self.rules.speed;
        let moved = minus(after.at, before.at).map(|at| (at >> self.rules.shift).clamp(-speed, speed));
        *body = Body { at: after.at, polygon: after.polygon, velocity: packed(moved) };
        if walk.state() != FlatState::Arrived {
            self.go_on(number, after, walk);
        }
        if walk.state() != FlatState::Arrived {
            self.judge(number, after, walk, choice.overlaps);
        }
    }

    /// Returns where an agent comes to that goes straight to a point in its sight: the point of a lattice of units, of the four
    /// around the end of that way, from which it still sees the point.
    fn straight(&self, from: FlatPlace, target: [i32; 3], most: i32) -> FlatPlace {
        let off = minus([target[0], target[1]], from.at);
        if far_length(off) <= most << self.rules.shift {
            return self.sees(from, target).unwrap_or(from);
        }
        let step = along(off, most);
        let [x, y] = off.map(i32::signum);
        for more in [[0, 0], [x, 0], [0, y], [x, y]] {
            let at = plus(from.at, plus(step, more).map(|at| at << self.rules.shift));
            let seen = self.ground.walk(from, at).filter(|&place| self.sees(place, target).is_some());
            if let Some(place) = seen {
                return place;
            }
        }
        from
    }

    /// Returns where an agent comes to that moves as it has chosen, is pushed, slides along walls and keeps its body off them. If
    /// it would lose sight of the point that it goes to, it goes straight there, as far as it has chosen to come nearer.
    fn beside(&self, from: FlatPlace, target: [i32; 3], choice: Choice) -> FlatPlace {
        let Rules { shift, speed, body, .. } = *self.rules;
        let slid = self.ground.slide(from, plus(choice.velocity, choice.push), shift);
        let kept = self.ground.keep_off(slid, body, speed << shift);
        if self.sees(kept, target).is_some() {
            return kept;
        }
        let nearer = dot(choice.velocity, along(minus([target[0], target[1]], from.at), UNIT)) / UNIT;
        if nearer > 0 { self.straight(from, target, nearer.min(speed)) } else { from }
    }

    /// Goes on to the next point of the route, if there is one and the agent can go straight there.
    fn go_on(&self, number: u32, place: FlatPlace, walk: &mut Walk) {
        let far = far_length(minus(self.target(walk), place.at));
        if walk.target + 1 == walk.end {
            if far <= self.rules.arrival {
                walk.set(FlatState::Arrived, 0, 0);
            }
            return;
        }
        let is_near = far <= self.rules.near;
        if !is_near && !self.tick.wrapping_add(number).is_multiple_of(Rules::LOOKS) {
            return;
        }
        let next = self.points[walk.target as usize + 1];
        if self.sees(place, next).is_some()
            && (is_near || self.ground.is_wide(place, [next[0], next[1]], self.rules.slim()))
        {
            (walk.target, walk.best) = (walk.target + 1, i32::MAX);
        }
    }

    /// Notes whether an agent has come further, and whether it begins or ends to squeeze.
    fn judge(&self, number: u32, place: FlatPlace, walk: &mut Walk, overlaps: bool) {
        let far = far_length(minus(self.target(walk), place.at)) >> self.rules.shift;
        let mut still = walk.still() + 1;
        if walk.best == i32::MAX || far + self.rules.stride <= walk.best {
            (walk.best, still) = (far, 0);
        }
        let stagger = number.wrapping_mul(0x9e37_79b1) >> 16;
        match walk.state() {
            FlatState::Walking if still >= Rules::PATIENCE + stagger % Rules::STAGGER => {
                walk.set(FlatState::Squeezing, still, self.rules.squeeze);
            }
            FlatState::Squeezing if walk.squeeze_left() == 0 && !overlaps => walk.set(FlatState::Walking, still, 0),
            FlatState::Squeezing => walk.set(FlatState::Squeezing, still, walk.squeeze_left().saturating_sub(1)),
            state => walk.set(state, still, 0),
        }
    }
}

/// The length of a vector that stands for a direction.
const UNIT: i32 = 4096;

impl FlatGround {
    /// Returns the least and the greatest coordinates of the ground.
    pub(super) fn extent(&self) -> [Vector; 2] {
        match self {
            FlatGround::Squares(squares) => {
                let size = [squares.width, squares.height].map(|cells| cells.cast_signed() << FlatSquares::BITS);
                [[0, 0], size.map(|size| size - 1)]
            }
            FlatGround::Polygons(polygons) => {
                let points = || polygons.edges.iter().map(|&[x, y, _, _]| [x, y]);
                let least = points().fold([i32::MAX; 2], |a, b| [a[0].min(b[0]), a[1].min(b[1])]);
                let greatest = points().fold([i32::MIN; 2], |a, b| [a[0].max(b[0]), a[1].max(b[1])]);
                if polygons.edges.is_empty() { [[0, 0], [0, 0]] } else { [least, greatest] }
            }
        }
    }
}
