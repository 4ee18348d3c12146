//! A crowd that walks in the open world: sending it off, letting ticks pass, and telling where its agents are and why they
//! stand.
//!
//! Not here: how agents walk, which is in `portolan-sim`.

use super::finding::{FindError, Ready};
use super::leash::Leash;
use super::mesh::{MeshFindError, built};
use super::micros;
use crate::answer::{Answer, Doing, Marched, Reply};
use crate::budget::{self, Full, Share};
use crate::command::Muster;
use crate::frame::{Numbers, Parts};
use crate::limits;
use portolan::any::{AnyPlanner, AnySnapshot};
use portolan::{Cell, HexCell, MeshPoint, NavMesh, Snapshot, Stale};
use portolan_sim::Why;
use portolan_sim::crowd::{Crowd, CrowdAgent, CrowdState, Ground, HexGround, MeshGround, PopulateError, SquareGround};
use std::time::Instant;

/// Bytes of an agent, with its route and its place among those that avoid each other.
const AGENT: usize = 4096;
/// Bytes for each cell while places for agents are drawn.
const DRAWING: usize = 40;

/// What an agent may be doing, and why, in the order of the numbers in messages.
const DOING: [(&str, &str); 9] = [
    ("walking", "on its way"),
    ("waiting", "its route is not planned yet"),
    ("blocked", "others are in its way, for a second or longer"),
    ("squeezing", "was blocked for two seconds and goes through the others"),
    ("stuck", "has come no further for ten seconds or longer"),
    ("arrived", "stands on its goal"),
    ("no way", "there is no way to its goal"),
    ("gave up", "the search for its way gave up"),
    ("too far", "every way costs more than can be counted"),
];
/// Seconds without coming further after which an agent counts as stuck.
const STUCK: u32 = 10;

/// A crowd under way.
pub(super) struct March {
    crowd: Box<dyn Marching>,
    radius: f32,
    /// The least coordinates of the world, from which messages count; 0 on grids.
    origin: [f64; 3],
    _memory: [Share; 2],
}

/// Why a crowd cannot set off.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MarchError {
    #[error("a crowd here has one to {most} agents, not {0}", most = limits::CROWD)]
    Size(usize),
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(transparent)]
    MeshFind(#[from] MeshFindError),
    #[error(transparent)]
    Stale(#[from] Stale),
    #[error(transparent)]
    OnSquares(#[from] PopulateError<Cell>),
    #[error(transparent)]
    OnHexes(#[from] PopulateError<HexCell>),
    #[error(transparent)]
    OnMesh(#[from] PopulateError<MeshPoint>),
    #[error(transparent)]
    Full(#[from] Full),
}

/// A crowd on any ground.
trait Marching: Send + Sync {
    fn tick(&mut self);
    fn tick_count(&self) -> u64;
    fn ticks_per_second(&self) -> u32;
    fn agents(&self) -> &[CrowdAgent];
}

impl<G: Ground + Send + Sync> Marching for Crowd<G> {
    fn tick(&mut self) {
        self.tick();
    }

    fn tick_count(&self) -> u64 {
        self.tick_count()
    }

    fn ticks_per_second(&self) -> u32 {
        self.ticks_per_second()
    }

    fn agents(&self) -> &[CrowdAgent] {
        self.agents()
    }
}

impl March {
    /// Sends a crowd off in a world of cells.
    pub(super) fn on_cells(asked: &Muster, world: &AnySnapshot, leash: &Leash) -> Result<March, MarchError> {
        let memory = reserved(asked, budget::world(world), leash)?;
        leash.set_aside(DRAWING * budget::cells(world))?;
        let Ready { planner, share, .. } = Ready::new(&asked.with, world, leash)?;
        let (count, radius, speed, seed) = (asked.agents, asked.radius, asked.speed, asked.seed);
        let crowd: Box<dyn Marching> = match (world.clone(), planner) {
            (AnySnapshot::Square(world), AnyPlanner::Square(planner)) => {
                let mut crowd = Crowd::new(SquareGround::new(world), planner)?;
                crowd.populate(count, radius, speed, seed)?;
                Box::new(crowd)
            }
            (AnySnapshot::Hex(world), AnyPlanner::Hex(planner)) => {
                let mut crowd = Crowd::new(HexGround::new(world), planner)?;
                crowd.populate(count, radius, speed, seed)?;
                Box::new(crowd)
            }
            _ => unreachable!("the planner was built for the world"),
        };
        Ok(March { crowd, radius, origin: [0.0; 3], _memory: [memory, share] })
    }

    /// Sends a crowd off on a mesh.
    pub(super) fn on_mesh(
        asked: &Muster,
        world: &Snapshot<NavMesh>,
        origin: [f64; 3],
        leash: &Leash,
    ) -> Result<March, MarchError> {
        // The ground of a crowd keeps the edges of all polygons once more.
        let memory = reserved(asked, 2 * world.bytes(), leash)?;
        leash.set_aside(DRAWING << 20)?;
        let (planner, _, share) = built(&asked.with, world, leash)?;
        let mut crowd = Crowd::new(MeshGround::new(world.clone()), planner)?;
        crowd.populate(asked.agents, asked.radius, asked.speed, asked.seed)?;
        Ok(March { crowd: Box::new(crowd), radius: asked.radius, origin, _memory: [memory, share] })
    }

    /// Lets so many ticks pass, and tells how the crowd stands.
    pub(super) fn go_on(&mut self, count: u32, leash: &Leash) -> Reply {
        let start = Instant::now();
        let mut ticks = 0;
        while ticks < count.min(limits::MARCH) && !leash.is_cut() {
            self.crowd.tick();
            ticks += 1;
        }
        let tick_us = micros(start.elapsed()) / f64::from(ticks.max(1));
        let (agents, per_second) = (self.crowd.agents(), self.crowd.ticks_per_second());
        let states: Vec<u8> = agents.iter().map(|agent| number(agent, per_second)).collect();
        let mut doings = DOING.map(|(name, why)| Doing { name, why, count: 0 });
        for &state in &states {
            doings[usize::from(state)].count += 1;
        }
        let answer = Marched {
            tick: self.crowd.tick_count(),
            per_second,
            tick_us: if ticks == 0 { 0.0 } else { tick_us },
            radius: self.radius,
            states: doings.to_vec(),
        };
        let place = |agent: &CrowdAgent| {
            let ([x, y], height) = (agent.at(), agent.footing().height);
            let at = [x, y, height].map(f64::from);
            [0, 1, 2].map(|axis| (at[axis] - self.origin[axis]) as f32)
        };
        let mut parts = Parts::default();
        parts.push("places", Numbers::F32(agents.iter().flat_map(place).collect()));
        parts.push("states", states);
        Reply { answer: Answer::Marched(Box::new(answer)), parts }
    }
}

/// Checks the size of a crowd, and reserves memory for its agents and the ground under them.
fn reserved(asked: &Muster, ground: usize, leash: &Leash) -> Result<Share, MarchError> {
    if !(1..=limits::CROWD).contains(&asked.agents) {
        return Err(MarchError::Size(asked.agents));
    }
    Ok(leash.reserve(ground + AGENT * asked.agents)?)
}

/// Returns the number of what an agent is doing in [`DOING`].
fn number(agent: &CrowdAgent, per_second: u32) -> u8 {
    match agent.state() {
        CrowdState::Arrived => 5,
        CrowdState::Stopped(Why::OutOfBudget | Why::OutOfMemory) => 7,
        CrowdState::Stopped(Why::TooFar) => 8,
        CrowdState::Stopped(_) => 6,
        _ if agent.still_ticks() >= STUCK * per_second => 4,
        CrowdState::Squeezing => 3,
        CrowdState::Blocked => 2,
        CrowdState::WaitingForRoute => 1,
        _ => 0,
    }
}
