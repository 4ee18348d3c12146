//! The numbers that say how the agents of a crowd move ([`Rules`]).
//!
//! Not here: where they come from for a kind of ground (`kinds.rs`).

use super::FlatCrowd;
use super::ground::{FlatGround, FlatPlace};
use super::muster::FlatError;

/// How the agents of a crowd move. Lengths are in units of `1 << shift` steps, unless steps are named.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Rules {
    /// How many bits a unit has more than a step.
    pub shift: u32,
    /// The radius of a body.
    pub radius: i32,
    /// How far an agent goes in a tick.
    pub speed: i32,
    /// How far apart two agents are that heed each other.
    pub reach: i32,
    /// How far a body keeps off walls, in steps.
    pub body: i32,
    /// How near to a point of its route an agent is that goes on to the next, in steps.
    pub near: i32,
    /// How near to its goal an agent has arrived, in steps.
    pub arrival: i32,
    /// How far beside the corners of the ground routes turn, in steps.
    pub margin: i32,
    /// How much nearer to its target an agent has to come to have come further.
    pub stride: i32,
    /// The difference of heights from which two agents are on different floors.
    pub floor: i32,
    /// For how many ticks an agent squeezes at least.
    pub squeeze: u32,
}

/// How many radii apart two agents are that heed each other.
const REACH: i32 = 6;

/// The most units of a radius.
const MOST_RADIUS: f64 = 4096.0;

/// The fewest units that an agent must go in a tick, so that it can go in any direction.
const LEAST_SPEED: i32 = 8;

impl Rules {
    /// Velocities that an agent weighs: its wish turned by an angle, of which the cosine and the sine are given in 1024ths of the
    /// speed, and what turning to this side costs in 32nds of the speed. Those to one side cost nothing, so that agents that come
    /// straight at each other pass on the same side. The first is the wish, and the last is rest.
    pub const TURNS: [[i32; 3]; 16] = [
        [1024, 0, 0],
        [989, 265, 0],
        [989, -265, 3],
        [887, 512, 0],
        [887, -512, 3],
        [658, 784, 0],
        [658, -784, 3],
        [178, 1008, 0],
        [178, -1008, 3],
        [512, 0, 0],
        [362, 362, 0],
        [362, -362, 3],
        [-89, 504, 0],
        [-89, -504, 3],
        [-512, 0, 0],
        [0, 0, 0],
    ];

    /// How many ticks agents look ahead.
    pub const AHEAD: i32 = 60;

    /// What touching another body costs, in speeds, if it would happen after one tick.
    pub const DANGER: i32 = 24;

    /// For how many ticks an agent has come no further that begins to squeeze, at least; up to [`Rules::STAGGER`] more by its
    /// number, so that not all agents of a jam squeeze at once.
    pub const PATIENCE: u32 = 120;

    /// See [`Rules::PATIENCE`].
    pub const STAGGER: u32 = 64;

    /// An agent looks in one of so many ticks whether it can go straight to the point after its target.
    pub const LOOKS: u32 = 4;

    /// The part of its radius, in 16ths, with which it is looked whether there is room for a body.
    pub const SLIM: i32 = 14;

    /// Returns the rules for agents of this radius and speed, in lengths and lengths a second. `scale` is how many steps such a
    /// length has, and bodies keep off walls if `keeps_off`.
    ///
    /// # Errors
    /// When radius or speed is out of range.
    pub fn new(radius: f32, speed: f32, scale: f64, keeps_off: bool) -> Result<Rules, FlatError> {
        let steps = f64::from(radius) * scale;
        // A step that is longer than the radius leaves nothing to count with.
        if !(radius > 0.0 && steps >= 16.0 && steps < f64::from(1 << 20)) {
            return Err(FlatError::Radius(radius));
        }
        let mut shift = 0;
        while steps / f64::from(1 << shift) > MOST_RADIUS {
            shift += 1;
        }
        let units = |steps: f64| (steps / f64::from(1 << shift)).round() as i32;
        let (body, radius) = (steps.round() as i32, units(steps));
        let per_tick = f64::from(speed) * scale / f64::from(FlatCrowd::PER_SECOND);
        if !(per_tick <= steps * 2.0 / 3.0 && units(per_tick) >= LEAST_SPEED) {
            return Err(FlatError::Speed(speed));
        }
        let speed = units(per_tick);
        Ok(Rules {
            shift,
            radius,
            speed,
            reach: REACH * radius,
            body: if keeps_off { body } else { 0 },
            near: body / 2,
            arrival: body * 4 / 7,
            margin: body / 4,
            stride: radius * 3 / 4,
            floor: radius * 20 / 3,
            squeeze: (REACH * radius / speed).clamp(1, 1023).cast_unsigned(),
        })
    }

    /// Returns the radius, in steps, with which it is looked whether there is room for a body.
    pub(super) fn slim(&self) -> i32 {
        self.body * Self::SLIM / 16
    }

    /// Returns a place as a point of a route: across and down in steps, and its height in units.
    pub(super) fn point(&self, ground: &FlatGround, place: FlatPlace) -> [i32; 3] {
        [place.at[0], place.at[1], ground.height(place) >> self.shift]
    }

    /// Returns the place of a point of a route if a straight walk leads there, and not to a floor above or below.
    pub(super) fn seen(&self, ground: &FlatGround, from: FlatPlace, [x, y, height]: [i32; 3]) -> Option<FlatPlace> {
        let place = ground.walk(from, [x, y])?;
        (((ground.height(place) >> self.shift) - height).abs() < self.floor).then_some(place)
    }
}
