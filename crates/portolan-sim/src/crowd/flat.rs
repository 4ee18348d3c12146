//! A crowd in flat arrays of whole numbers ([`FlatCrowd`]), for very many agents of one size and speed, on squares, hexes and
//! meshes. It moves in the same way on every machine, on any number of threads, and on graphics processors (`portolan-gpu`).
//!
//! # A tick
//! All agents read the state before the tick, and each writes its own after it. Lengths are in *steps* of the ground; bodies and
//! velocities are in *units* of a power of two of them, of which a radius has up to 4096.
//!
//! 1. Agents are sorted into the squares of a lattice (`flat/bins.rs`) as wide as agents look for each other.
//! 2. Each agent wishes to go straight to its target, a point of its route, and weighs sixteen velocities around that wish
//!    (`flat/steer.rs`): how far each is from the wish, and how soon it would bring the agent's body to that of a neighbour if
//!    both turn aside equally. It chooses the one of the least cost. Bodies that overlap push each other apart.
//! 3. Each agent moves (`flat/advance.rs`). It slides along walls and on squares keeps its body off them. If it would lose sight
//!    of its target, it goes straight towards it instead, so that *an agent sees its target at all times*.
//! 4. If it sees the next point of its route with room for its body, or is at its target and sees the next, that one becomes
//!    its target.
//! 5. An agent that has come no further for two seconds or a little longer *squeezes*: it goes straight to its target through
//!    others, which do not avoid it meanwhile, until it has had time to pass one and overlaps no other agent.
//!
//! Points of a route see each other (`flat/routes.rs`) and an agent sees its target, so nothing stops an agent that squeezes,
//! and no agent that has a way is stuck for good. Nor does an agent ever leave the free ground.
//!
//! Sums, least and greatest numbers of whole numbers do not depend on the order of neighbours, so that no order is promised.
//!
//! Not here: crowds whose agents differ, that plan while they walk, or that are carried over links (`crowd.rs`).

mod advance;
mod bins;
mod ground;
mod kinds;
mod muster;
mod polygons;
mod routes;
mod rules;
mod squares;
mod steer;
mod whole;

pub use bins::Lattice;
pub use ground::{FlatGround, FlatPlace};
pub use kinds::FlatKind;
pub use muster::{FlatError, FlatOptions};
pub use polygons::FlatPolygons;
pub use rules::Rules;
pub use squares::FlatSquares;

use super::trial::Tally;
use advance::Course;
use bins::Sorted;
use std::num::NonZero;
use std::thread;
use steer::Seen;

/// What an agent is doing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum FlatState {
    /// It walks along its route, or waits for others.
    Walking = 0,
    /// It was blocked, and goes straight through others.
    Squeezing = 1,
    /// It stands at its goal, or goes back to it after it has made way.
    Arrived = 2,
    /// It has no way to its goal.
    NoWay = 3,
}

/// Where an agent is and how it moves: what others see of it. Four words.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Body {
    /// Across and down, in steps.
    pub at: [i32; 2],
    /// The polygon of a mesh; 0 on squares.
    pub polygon: u32,
    /// The velocity in units a tick: two numbers of sixteen bits, across in the lower half.
    pub velocity: u32,
}

impl Body {
    /// Returns where the body is.
    pub fn place(&self) -> FlatPlace {
        FlatPlace { at: self.at, polygon: self.polygon }
    }
}

/// How far along its route an agent is. Four words.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Walk {
    /// The point that the agent goes to, by its number among all points.
    pub target: u32,
    /// The number after that of the last point of the route.
    pub end: u32,
    /// The least distance from the target so far, in units; the greatest number if it is not known yet.
    pub best: i32,
    /// What the agent is doing (2 bits), for how many more ticks it squeezes at least (10 bits), and for how many ticks it has
    /// come no further (20 bits), from the lowest bit on.
    pub clock: u32,
}

impl Walk {
    /// For how many ticks an agent's standing still is counted.
    const MOST_STILL: u32 = (1 << 20) - 1;

    /// Returns what the agent is doing.
    pub fn state(&self) -> FlatState {
        match self.clock & 3 {
            0 => FlatState::Walking,
            1 => FlatState::Squeezing,
            2 => FlatState::Arrived,
            _ => FlatState::NoWay,
        }
    }

    /// Returns for how many ticks the agent has come no further; 0 if it has arrived or has no way.
    pub fn still(&self) -> u32 {
        self.clock >> 12
    }

    fn squeeze_left(&self) -> u32 {
        self.clock >> 2 & 0x3ff
    }

    fn set(&mut self, state: FlatState, still: u32, squeeze_left: u32) {
        self.clock = state as u32 | squeeze_left << 2 | still.min(Self::MOST_STILL) << 12;
    }
}

/// A crowd in flat arrays. All agents have one radius and one speed, and their routes are known from the beginning.
///
/// ```
/// use portolan::{Planner, Rules, SquareGrid, World};
/// use portolan_sim::crowd::SquareGround;
/// use portolan_sim::crowd::flat::{FlatCrowd, FlatOptions};
/// let world = World::from(SquareGrid::open(40, 30, Rules::default())?);
/// let planner = Planner::new(&world, "rhumb")?;
/// let options = FlatOptions { agents: 50, radius: 0.35, speed: 2.0, seed: 1 };
/// let mut crowd = FlatCrowd::populate(&SquareGround::new(world.snapshot()), &planner, &options)?;
/// for _ in 0..60 * FlatCrowd::PER_SECOND {
///     crowd.tick();
/// }
/// assert_eq!(crowd.tally().arrived, 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct FlatCrowd {
    ground: FlatGround,
    rules: Rules,
    lattice: Lattice,
    bodies: Vec<Body>,
    walks: Vec<Walk>,
    points: Vec<[i32; 3]>,
    ticks: u64,
    threads: usize,
    sorted: Sorted<Seen>,
}

/// The fewest agents that are worth a thread.
const LEAST_PER_THREAD: usize = 512;

impl FlatCrowd {
    /// How many ticks make a second.
    pub const PER_SECOND: u32 = 60;

    /// For how many ticks an agent has come no further that counts as stuck.
    pub const STUCK: u32 = 10 * FlatCrowd::PER_SECOND;

    /// Returns a crowd without agents.
    pub fn new(ground: FlatGround, rules: Rules) -> FlatCrowd {
        let [least, greatest] = ground.extent();
        let lattice = Lattice::over(least, greatest, (rules.reach << rules.shift).cast_unsigned());
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        FlatCrowd {
            ground,
            rules,
            lattice,
            bodies: Vec::new(),
            walks: Vec::new(),
            points: Vec::new(),
            ticks: 0,
            threads,
            sorted: Sorted::default(),
        }
    }

    /// Adds an agent that stands at the beginning of a route, which leads from place to place in straight lines. If it does not,
    /// or `has_way` is false, the agent has no way and stays.
    ///
    /// # Panics
    /// When the route is empty or does not begin on free ground.
    pub fn add(&mut self, route: &[FlatPlace], has_way: bool) {
        let points = if has_way { routes::points_of(&self.ground, &self.rules, route) } else { None };
        self.add_prepared(route[0], points);
    }

    /// Adds an agent whose route is already made of points.
    fn add_prepared(&mut self, start: FlatPlace, points: Option<Vec<[i32; 3]>>) {
        assert!(self.ground.is_free(start), "an agent begins on free ground");
        let target = self.points.len() as u32;
        let state = if points.is_some() { FlatState::Walking } else { FlatState::NoWay };
        self.points.extend(points.unwrap_or_else(|| vec![self.rules.point(&self.ground, start)]));
        let mut walk = Walk { target, end: self.points.len() as u32, best: i32::MAX, clock: 0 };
        walk.set(state, 0, 0);
        self.walks.push(walk);
        self.bodies.push(Body { at: start.at, polygon: start.polygon, velocity: 0 });
    }

    /// Sets how many threads compute a tick; 0 means one for each core of the machine. The crowd moves in the same way on any
    /// number.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = if threads == 0 { thread::available_parallelism().map_or(1, NonZero::get) } else { threads };
    }

    /// Returns the ground.
    pub fn ground(&self) -> &FlatGround {
        &self.ground
    }

    /// Returns the numbers that say how agents move.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the squares by which agents are found.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Returns where the agents are, in the order in which they were added.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Returns how far the agents are along their routes.
    pub fn walks(&self) -> &[Walk] {
        &self.walks
    }

    /// Returns the points of all routes, one route after another: across and down in steps, and the height in units.
    pub fn points(&self) -> &[[i32; 3]] {
        &self.points
    }

    /// Returns how many ticks have passed.
    pub fn tick_count(&self) -> u64 {
        self.ticks
    }

    /// Takes over a state of this crowd that was computed elsewhere.
    ///
    /// # Panics
    /// When it is that of another number of agents.
    pub fn restore(&mut self, bodies: Vec<Body>, walks: Vec<Walk>, ticks: u64) {
        assert_eq!([bodies.len(), walks.len()], [self.bodies.len(); 2], "the state is one of this crowd");
        (self.bodies, self.walks, self.ticks) = (bodies, walks, ticks);
    }

    /// Lets a sixtieth of a second pass.
    pub fn tick(&mut self) {
        let FlatCrowd { ground, rules, lattice, bodies, walks, points, ticks, threads, sorted } = self;
        let seen = |(number, (body, walk)): (usize, (&Body, &Walk))| {
            let height = ground.height(body.place()) >> rules.shift;
            let is_squeezing = walk.state() == FlatState::Squeezing;
            let seen = Seen { at: body.at, velocity: body.velocity, height, number: number as u32, is_squeezing };
            (body.at, seen)
        };
        sorted.fill(lattice, bodies.iter().zip(&*walks).enumerate().map(seen));
        let course = Course { rules, ground, points, tick: *ticks as u32 };
        let (lattice, sorted) = (&*lattice, &*sorted);
        let work = |first: usize, bodies: &mut [Body], walks: &mut [Walk]| {
            for (number, (body, walk)) in (first..).zip(bodies.iter_mut().zip(walks)) {
                let (_, own) = seen((number, (body, walk)));
                let choice = course.choose(own, walk, sorted.around(lattice, body.at));
                course.advance(number as u32, body, walk, choice);
            }
        };
        let size = bodies.len().div_ceil((*threads).max(1)).max(LEAST_PER_THREAD);
        thread::scope(|scope| {
            let mut pieces = bodies.chunks_mut(size).zip(walks.chunks_mut(size)).enumerate();
            let own = pieces.next();
            for (piece, (bodies, walks)) in pieces {
                let work = &work;
                scope.spawn(move || work(piece * size, bodies, walks));
            }
            if let Some((_, (bodies, walks))) = own {
                work(0, bodies, walks);
            }
        });
        *ticks += 1;
    }

    /// Returns how many agents do what.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (body, walk) in self.bodies.iter().zip(&self.walks) {
            match walk.state() {
                FlatState::Arrived => tally.arrived += 1,
                FlatState::NoWay => tally.no_way += 1,
                _ if walk.still() >= Self::STUCK => tally.stuck += 1,
                _ => tally.on_the_way += 1,
            }
            tally.off_the_ground += usize::from(!self.ground.is_free(body.place()));
        }
        tally
    }
}
