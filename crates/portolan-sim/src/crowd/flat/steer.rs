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
pub(super) fn choose<'a>(rules: &Rules, own: Seen, wish: Vector, others: impl Iterator<Item = &'a Seen>) -> Choice {
    let base = if wish == [0, 0] { [rules.speed / 2, 0] } else { wish };
    let velocities = Rules::TURNS.map(|[cosine, sine, _]| turned(base, [cosine, sine]));
    let velocities = if wish == [0, 0] { with_rest_first(velocities) } else { velocities };
    let mut costs = [0; Rules::TURNS.len()];
    let mut choice = Choice::default();
    let (reach, body) = (rules.reach, 2 * rules.radius);
    for other in others {
        if other.number == own.number || other.is_squeezing {
            continue;
        }
        let off = minus(other.at, own.at);
        if off[0].abs() >= reach << rules.shift || off[1].abs() >= reach << rules.shift {
            continue;
        }
        let mut off = off.map(|at| at >> rules.shift);
        let is_far = square(off) >= (reach * reach).cast_unsigned();
        if is_far || (other.height - own.height).abs() >= rules.floor {
            continue;
        }
        let moves = plus(unpacked(own.velocity), unpacked(other.velocity));
        let apart = length(off);
        if apart >= body {
            for (cost, velocity) in costs.iter_mut().zip(velocities) {
                let closing = minus(velocity.map(|at| 2 * at), moves);
                *cost = danger(off, closing, body, rules.speed).max(*cost);
            }
            continue;
        }
        choice.overlaps = true;
        if off == [0, 0] {
            off = [if own.number < other.number { 1 } else { -1 }, 0];
        }
        choice.push = minus(choice.push, along(off, (body - apart) / 4 + 1));
        for (cost, velocity) in costs.iter_mut().zip(velocities) {
            let closing = minus(velocity.map(|at| 2 * at), moves);
            *cost = (2 * dot(off, closing) / apart.max(1)).max(*cost);
        }
    }
    let most = rules.speed / 2;
    choice.push = choice.push.map(|at| at.clamp(-most, most));
    let cost =
        |&turn: &usize| costs[turn] + length(minus(velocities[turn], wish)) + Rules::TURNS[turn][2] * rules.speed / 32;
    choice.velocity = (0..Rules::TURNS.len()).min_by_key(cost).map_or([0, 0], |turn| velocities[turn]);
    choice
}

/// Returns the velocities with rest in the place of the wish, for an agent that wants to stay.
fn with_rest_first(mut velocities: [Vector; Rules::TURNS.len()]) -> [Vector; Rules::TURNS.len()] {
    velocities.swap(0, Rules::TURNS.len() - 1);
    velocities
}

/// Returns what it costs to come nearer to a body like this: nothing if it passes by or is far away in time, and more the sooner
/// they touch. `off` leads to the body, and `body` is the distance at which they touch.
fn danger(off: Vector, closing: Vector, body: i32, speed: i32) -> i32 {
    let towards = dot(off, closing);
    if towards <= 0 {
        return 0;
    }
    let fast = length(closing).max(1);
    let beside = cross(off, closing).abs() / fast;
    if beside >= body {
        return 0;
    }
    let way = towards / fast - (body * body - beside * beside).isqrt();
    if way > Rules::AHEAD * fast { 0 } else { speed * Rules::DANGER * fast / (way.max(0) + fast) }
}
