//! A crowd that walks in the open world: sending it off, letting ticks pass, and telling where its agents are and why they
//! stand.
//!
//! Not here: how agents walk, which is in `portolan-sim`, and crowds of whole numbers (`marching/whole.rs`).

mod whole;

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
use portolan::{Cell, HexCell, MeshPoint, NavMesh, Planner, Snapshot, Space, Stale};
use portolan_sim::Why;
use portolan_sim::crowd::flat::{FlatError, FlatKind};
use portolan_sim::crowd::{Crowd, CrowdAgent, CrowdState, Ground, HexGround, MeshGround, PopulateError, SquareGround};
use std::time::Instant;
use whole::WholeMarch;

/// Bytes of an agent, with its route and its place among those that avoid each other.
const AGENT: usize = 4096;
/// Bytes of an agent of whole numbers, with its route.
const WHOLE_AGENT: usize = 2048;
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
    #[error("a crowd here has one to {most} agents, not {asked}")]
    Size { asked: usize, most: usize },
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
    Whole(#[from] FlatError),
    #[error(transparent)]
    Full(#[from] Full),
}

/// A crowd on any ground.
trait Marching: Send + Sync {
    fn tick(&mut self);
    fn tick_count(&self) -> u64;
    fn ticks_per_second(&self) -> u32;
    /// Returns where all agents are.
    fn places(&mut self) -> Vec<[f32; 3]>;
    /// Returns what all agents do, by numbers of [`DOING`].
    fn states(&mut self) -> Vec<u8>;
    /// Returns the processor that computes a crowd of whole numbers.
    fn device(&self) -> Option<String> {
        None
    }
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

    fn places(&mut self) -> Vec<[f32; 3]> {
        let place = |agent: &CrowdAgent| {
            let ([x, y], height) = (agent.at(), agent.footing().height);
            [x, y, height]
        };
        self.agents().iter().map(place).collect()
    }

    fn states(&mut self) -> Vec<u8> {
        let per_second = self.ticks_per_second();
        self.agents().iter().map(|agent| number(agent, per_second)).collect()
    }
}

/// Sends a crowd off on a ground.
fn sent_off<G: FlatKind + Send + Sync + 'static>(
    asked: &Muster,
    ground: G,
    planner: Planner<G::Space>,
    leash: &Leash,
) -> Result<Box<dyn Marching>, MarchError>
where
    MarchError: From<PopulateError<<G::Space as Space>::Place>>,
{
    if asked.whole {
        return Ok(Box::new(WholeMarch::new(asked, ground, &planner, leash)?));
    }
    let mut crowd = Crowd::new(ground, planner)?;
    crowd.populate(asked.agents, asked.radius, asked.speed, asked.seed)?;
    Ok(Box::new(crowd))
}

impl March {
    /// Sends a crowd off in a world of cells.
    pub(super) fn on_cells(asked: &Muster, world: &AnySnapshot, leash: &Leash) -> Result<March, MarchError> {
        let memory = reserved(asked, budget::world(world), leash)?;
        leash.set_aside(DRAWING * budget::cells(world))?;
        let Ready { planner, share, .. } = Ready::new(&asked.with, world, leash)?;
        let crowd = match (world.clone(), planner) {
            (AnySnapshot::Square(world), AnyPlanner::Square(planner)) => {
                sent_off(asked, SquareGround::new(world), planner, leash)?
            }
            (AnySnapshot::Hex(world), AnyPlanner::Hex(planner)) => {
                sent_off(asked, HexGround::new(world), planner, leash)?
            }
            _ => unreachable!("the planner was built for the world"),
        };
        Ok(March { crowd, radius: asked.radius, origin: [0.0; 3], _memory: [memory, share] })
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
        let crowd = sent_off(asked, MeshGround::new(world.clone()), planner, leash)?;
        Ok(March { crowd, radius: asked.radius, origin, _memory: [memory, share] })
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
        let states = self.crowd.states();
        let mut doings = DOING.map(|(name, why)| Doing { name, why, count: 0 });
        for &state in &states {
            doings[usize::from(state)].count += 1;
        }
        let answer = Marched {
            tick: self.crowd.tick_count(),
            per_second: self.crowd.ticks_per_second(),
            tick_us: if ticks == 0 { 0.0 } else { tick_us },
            radius: self.radius,
            device: self.crowd.device(),
            states: doings.to_vec(),
        };
        let from_origin = |at: [f32; 3]| [0, 1, 2].map(|axis| (f64::from(at[axis]) - self.origin[axis]) as f32);
        let places = self.crowd.places().into_iter().flat_map(from_origin).collect();
        let mut parts = Parts::default();
        parts.push("places", Numbers::F32(places));
        parts.push("states", states);
        Reply { answer: Answer::Marched(Box::new(answer)), parts }
    }
}

/// Checks the size of a crowd, and reserves memory for its agents and the ground under them.
fn reserved(asked: &Muster, ground: usize, leash: &Leash) -> Result<Share, MarchError> {
    let (most, each) = if asked.whole { (limits::WHOLE_CROWD, WHOLE_AGENT) } else { (limits::CROWD, AGENT) };
    if !(1..=most).contains(&asked.agents) {
        return Err(MarchError::Size { asked: asked.agents, most });
    }
    Ok(leash.reserve(ground + each * asked.agents)?)
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
