//! Which way an agent goes: it weighs a few velocities around the one that it would have if it were alone, by how soon it would
//! run into a neighbour with each of them.
//!
//! Not here: finding neighbours (`bins.rs`), and going there (`advance.rs`).

use super::Rules;
use super::whole::{Vector, along, cross, dot, far_length, length, minus, plus, square, turned, unpacked};

/// What an agent's neighbours see of it.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Seen {
    pub(super) at: Vector,
    /// The velocity, packed.
    pub(super) velocity: u32,
    /// The height of the ground in units.
    pub(super) height: i32,
    pub(super) number: u32,
    pub(super) is_squeezing: bool,
}

/// What an agent does next.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Choice {
    /// The velocity in units a tick.
    pub(super) velocity: Vector,
    /// How far bodies that overlap this one push it.
    pub(super) push: Vector,
    /// Whether its body overlaps that of an agent that is not squeezing.
    pub(super) overlaps: bool,
}

/// Returns the velocity that an agent would have if it were alone.
pub(super) fn wish(rules: &Rules, off: Vector, slows: bool) -> Vector {
    let far = far_length(off) >> rules.shift;
    let most = if slows { rules.speed.min(far / 4 + 1) } else { rules.speed };
    along(off, most.min(far))
}

/// Returns what an agent does that would like to move by `wish`.
pub(super) fn choose<'a>(
    rules: &Rules,
    own: Seen,
    wish: Vector,
    others: impl Iterator<Item = &'a Seen> + Clone,
) -> Choice {
    let base = if wish == [0, 0] { [rules.speed / 2, 0] } else { wish };
    let velocities = Rules::TURNS.map(|[cosine, sine, _]| turned(base, [cosine, sine]));
    let velocities = if wish == [0, 0] { with_rest_first(velocities) } else { velocities };
    let mut choice = Choice { velocity: velocities[0], ..Choice::default() };
    let mut worst = 0;
    for other in others.clone() {
        let Some(near) = Near::new(rules, own, other) else { continue };
        worst = near.danger(velocities[0]).max(worst);
        if near.apart < near.body {
            choice.overlaps = true;
            choice.push = minus(choice.push, along(near.off, (near.body - near.apart) / 4 + 1));
        }
    }
    let most = rules.speed / 2;
    choice.push = choice.push.map(|at| at.clamp(-most, most));
    if worst == 0 {
        // Nothing costs less than the wish if it is in no danger.
        return choice;
    }
    let mut costs = [0; Rules::TURNS.len()];
    for other in others {
        let Some(near) = Near::new(rules, own, other) else { continue };
        for (cost, velocity) in costs.iter_mut().zip(velocities) {
            *cost = near.danger(velocity).max(*cost);
        }
    }
    let cost =
        |&turn: &usize| costs[turn] + length(minus(velocities[turn], wish)) + Rules::TURNS[turn][2] * rules.speed / 32;
    choice.velocity = (0..velocities.len()).min_by_key(cost).map_or([0, 0], |turn| velocities[turn]);
    choice
}

/// A neighbour that an agent heeds.
struct Near {
    /// The way to the neighbour.
    off: Vector,
    apart: i32,
    /// How far apart they touch.
    body: i32,
    /// The sum of both velocities.
    moves: Vector,
    speed: i32,
}

impl Near {
    /// Returns a neighbour as an agent sees it, or `None` if the agent does not heed it.
    fn new(rules: &Rules, own: Seen, other: &Seen) -> Option<Near> {
        if other.is_squeezing || other.number == own.number {
            return None;
        }
        let off = minus(other.at, own.at);
        let reach = rules.reach << rules.shift;
        if off[0].abs() >= reach || off[1].abs() >= reach {
            return None;
        }
        let mut off = off.map(|at| at >> rules.shift);
        let is_far = square(off) >= (rules.reach * rules.reach).cast_unsigned();
        if is_far || (other.height - own.height).abs() >= rules.floor {
            return None;
        }
        let apart = length(off);
        if off == [0, 0] {
            off = [if own.number < other.number { 1 } else { -1 }, 0];
        }
        let moves = plus(unpacked(own.velocity), unpacked(other.velocity));
        Some(Near { off, apart, body: 2 * rules.radius, moves, speed: rules.speed })
    }

    /// Returns what a velocity costs: nothing if the agent passes the neighbour by or would touch it only in a far time, and more
    /// the sooner they touch, if both turn aside equally.
    fn danger(&self, velocity: Vector) -> i32 {
        let Near { off, apart, body, moves, speed } = *self;
        let closing = minus(velocity.map(|at| 2 * at), moves);
        let towards = dot(off, closing);
        if towards <= 0 {
            return 0;
        }
        if apart < body {
            return 2 * towards / apart.max(1);
        }
        let fast = length(closing).max(1);
        let beside = cross(off, closing).abs() / fast;
        if beside >= body {
            return 0;
        }
        let way = towards / fast - (body * body - beside * beside).isqrt();
        if way > Rules::AHEAD * fast { 0 } else { speed * Rules::DANGER * fast / (way.max(0) + fast) }
    }
}

/// Returns the velocities with rest in the place of the wish, for an agent that wants to stay.
fn with_rest_first(mut velocities: [Vector; Rules::TURNS.len()]) -> [Vector; Rules::TURNS.len()] {
    velocities.swap(0, Rules::TURNS.len() - 1);
    velocities
}
