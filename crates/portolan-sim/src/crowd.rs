//! A crowd that walks: agents with a radius and a speed that follow their routes, keep off walls, and avoid each other
//! ([`Crowd`]).
//!
//! Not here: one agent (`crowd/agent.rs`), avoiding others (`crowd/avoidance.rs`), and the ground (`crowd/ground.rs`,
//! `crowd/grids.rs`, `crowd/mesh.rs`), and crowds with random goals (`crowd/trial.rs`).

mod agent;
mod avoidance;
pub mod flat;
mod grids;
mod ground;
mod mesh;
mod trial;

pub use agent::{CrowdAgent, CrowdState};
pub use grids::{HexGround, SquareGround};
pub use ground::{Footing, Ground, Point};
pub use mesh::MeshGround;
pub use trial::{PopulateError, Tally};

use crate::state::Why;
use avoidance::Avoidance;
use ground::{minus, plus, times};
use portolan::{Outcome, Piece, PlanQueue, Planner, Query, QueryError, Space, Stale, TickBudget, Ticket};
use std::collections::BTreeMap;

/// A crowd of agents on one ground, which move by one tick at a time.
///
/// ```
/// use portolan::{Cell, Planner, Rules, SquareGrid, World};
/// use portolan_sim::crowd::{Crowd, CrowdState, SquareGround};
/// let world = World::from(SquareGrid::open(20, 10, Rules::default())?);
/// let planner = Planner::new(&world, "rhumb")?;
/// let mut crowd = Crowd::new(SquareGround::new(world.snapshot()), planner)?;
/// crowd.add(Cell::new(2, 5), Cell::new(17, 5), 0.35, 2.0)?;
/// crowd.add(Cell::new(17, 5), Cell::new(2, 5), 0.35, 2.0)?;
/// for _ in 0..15 * crowd.ticks_per_second() {
///     crowd.tick();
/// }
/// assert!(crowd.agents().iter().all(|agent| agent.state() == CrowdState::Arrived));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In each tick, routes are planned within a budget; then each agent chooses the farthest point of its route that it can go
/// straight to, and a velocity near the one that leads there with which it runs into no wall and no other agent (ORCA);
/// then all move. An agent never leaves the free ground.
///
/// # Links
/// An agent that comes to the beginning of a link on its route stays there for as long as ground of its cost takes it
/// ([`CrowdState::OnLink`]) and then stands at its end. Meanwhile others do not avoid it, so that any number of agents may be on
/// one link.
///
/// # Agents that block each other
/// An agent that has come no further along its route for a second is [`CrowdState::Blocked`], and plans again from where it
/// stands. If it has come no further after another second, it is [`CrowdState::Squeezing`]: it plans again, and goes along its
/// route from the middle of one cell to the middle of the next (on a mesh, from portal to portal), through others, which do
/// not avoid it meanwhile, until it has come two cells further and overlaps no other agent. Since nothing can stop it then, no agent that has a way is stuck for good.
///
/// The same agents on the same ground move in the same way on every machine.
pub struct Crowd<G: Ground> {
    ground: G,
    planner: Planner<G::Space>,
    queue: PlanQueue<G::Space>,
    agents: Vec<CrowdAgent>,
    /// The goals of the agents, as places.
    goals: Vec<Place<G>>,
    /// The agent that each query in the queue is for.
    agent_by_ticket: BTreeMap<Ticket, usize>,
    avoidance: Avoidance,
    /// What each agent would do if it were alone, and then what it does.
    velocities: Vec<Point>,
    ticks: u64,
}

type Place<G> = <<G as Ground>::Space as Space>::Place;

/// Why an agent cannot be added to a crowd.
#[derive(Copy, Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError<P> {
    /// The agent would stand or want to go where it cannot be.
    #[error(transparent)]
    Place(#[from] QueryError<P>),
    /// The radius is not above 0, or on a grid not below half a cell.
    #[error("the radius of an agent is above 0, and on grids below 0.5 cells, not {0}")]
    Radius(f32),
    /// The speed is not above 0 and at most 12 cells a second, or on a mesh 40 times the radius.
    #[error("the speed of an agent is above 0 and at most 12 cells a second, on meshes 40 times its radius, not {0}")]
    Speed(f32),
}

impl<G: Ground> Crowd<G> {
    /// How many ticks make a second.
    const PER_SECOND: u32 = 60;

    /// The greatest speed in units a second: a fifth of a cell in a tick, so that no agent steps over a wall.
    const MOST_SPEED: f32 = 12.0;

    /// How many expansions all searches together make in a tick.
    const EXPANSIONS: u64 = 5_000;

    /// Returns a crowd without agents.
    ///
    /// # Errors
    /// When the planner's revision is not that of the ground.
    pub fn new(ground: G, planner: Planner<G::Space>) -> Result<Crowd<G>, Stale> {
        let (built, asked) = (planner.revision(), ground.world().revision());
        if built != asked {
            return Err(Stale { built, asked });
        }
        Ok(Crowd {
            ground,
            planner,
            queue: PlanQueue::new(),
            agents: Vec::new(),
            goals: Vec::new(),
            agent_by_ticket: BTreeMap::new(),
            avoidance: Avoidance::default(),
            velocities: Vec::new(),
            ticks: 0,
        })
    }

    /// Adds an agent that stands in the middle of `from` and wants to go to `to`, with a radius in cells and a speed in cells
    /// a second; on a mesh, both are in its own units of length. Returns its index.
    ///
    /// # Errors
    /// When start or goal lies off the world, the start is blocked, or radius or speed is out of range.
    pub fn add(
        &mut self,
        from: Place<G>,
        to: Place<G>,
        radius: f32,
        speed: f32,
    ) -> Result<usize, CrowdError<Place<G>>> {
        Query::new(from, to).check(self.ground.world())?;
        let unit = self.ground.unit(radius).ok_or(CrowdError::Radius(radius))?;
        if !(speed > 0.0 && speed <= Self::MOST_SPEED * unit) {
            return Err(CrowdError::Speed(speed));
        }
        let ends = [self.ground.footing(from), self.ground.footing(to)];
        self.agents.push(CrowdAgent::new(ends, radius, unit, speed));
        self.goals.push(to);
        self.plan(self.agents.len() - 1);
        Ok(self.agents.len() - 1)
    }

    /// Gives an agent another goal.
    ///
    /// # Errors
    /// When the goal lies off the world.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn aim(&mut self, agent: usize, to: Place<G>) -> Result<(), CrowdError<Place<G>>> {
        let here = self.ground.place_at(self.agents[agent].footing).expect("an agent stands on the ground");
        Query::new(here, to).check(self.ground.world())?;
        (self.goals[agent], self.agents[agent].goal) = (to, self.ground.footing(to));
        (self.agents[agent].state, self.agents[agent].still) = (CrowdState::WaitingForRoute, 0);
        self.plan(agent);
        Ok(())
    }

    /// Returns the agents in the order in which they were added.
    pub fn agents(&self) -> &[CrowdAgent] {
        &self.agents
    }

    /// Returns the ground.
    pub fn ground(&self) -> &G {
        &self.ground
    }

    /// Returns how many ticks make a second.
    pub fn ticks_per_second(&self) -> u32 {
        Self::PER_SECOND
    }

    /// Returns how many ticks have passed.
    pub fn tick_count(&self) -> u64 {
        self.ticks
    }

    /// Lets a sixtieth of a second pass: plans routes, then moves all agents.
    pub fn tick(&mut self) {
        self.fetch_routes();
        let tick = 1.0 / Self::PER_SECOND as f32;
        self.velocities.clear();
        let ground = &self.ground;
        self.velocities.extend(self.agents.iter_mut().map(|agent| agent.steer(ground, Self::PER_SECOND as f32)));
        self.avoidance.look(&self.agents);
        for (number, velocity) in self.velocities.iter_mut().enumerate() {
            if self.agents[number].avoids() {
                *velocity = self.avoidance.velocity(ground, &self.agents, number, *velocity, tick);
            }
        }
        for (agent, &velocity) in self.agents.iter_mut().zip(&self.velocities) {
            let to = self.ground.project(agent.footing, plus(agent.at(), times(velocity, tick)));
            agent.velocity = times(minus(to.at, agent.at()), Self::PER_SECOND as f32);
            agent.footing = to;
        }
        for number in 0..self.agents.len() {
            let squeezes = self.agents[number].state == CrowdState::Squeezing;
            let overlaps = squeezes && self.avoidance.overlaps(&self.agents, number);
            let agent = &mut self.agents[number];
            agent.judge(Self::PER_SECOND, overlaps);
            if let Some(end) = agent.carried(Self::PER_SECOND) {
                agent.footing = self.ground.project(end, end.at);
            }
            match (agent.state, agent.still) {
                (CrowdState::Blocked, Self::PER_SECOND) => self.plan(number),
                (CrowdState::Blocked, still) if still >= 2 * Self::PER_SECOND => {
                    agent.squeeze();
                    self.plan(number);
                }
                _ => {}
            }
        }
        self.ticks += 1;
    }

    /// Asks for a route from where an agent stands to its goal; the answer to an earlier question no longer counts.
    fn plan(&mut self, number: usize) {
        let agent = &mut self.agents[number];
        let here = self.ground.place_at(agent.footing).expect("an agent stands on the ground");
        // Agents that stand are served before agents that have a route to walk on.
        let priority = if agent.state == CrowdState::Blocked { 0 } else { 4 };
        let ticket = self.queue.submit(Query::new(here, self.goals[number]), priority);
        if let Some(old) = agent.ticket.replace(ticket) {
            self.queue.cancel(old);
            self.agent_by_ticket.remove(&old);
        }
        self.agent_by_ticket.insert(ticket, number);
    }

    /// Plans routes within the budget of a tick, and hands their pieces out.
    fn fetch_routes(&mut self) {
        let budget = TickBudget::Expansions(Self::EXPANSIONS);
        self.queue.tick(&self.planner, self.ground.world(), budget).expect("neither ground nor planner changes");
        while let Some(piece) = self.queue.next_piece() {
            let Some(&number) = self.agent_by_ticket.get(&piece.ticket) else { continue };
            if piece.is_last {
                self.agent_by_ticket.remove(&piece.ticket);
            }
            self.hand_out(number, piece);
        }
    }

    /// Gives an agent a piece of its route, or the reason why it has none.
    fn hand_out(&mut self, number: usize, piece: Piece<Place<G>>) {
        let (agent, ground) = (&mut self.agents[number], &self.ground);
        let why = match piece.answer {
            Ok(Outcome::Reached(part) | Outcome::Partial(part)) => {
                // On meshes, where there are links, the whole route is one piece.
                let before = std::iter::once(None).chain(part.cells.iter().copied().map(Some));
                let points = before.zip(&part.cells).map(|(before, &place)| {
                    let link = before.and_then(|before| ground.link(before, place));
                    (ground.footing(place), link)
                });
                return agent.take_piece(points, piece.number == 0, piece.is_last);
            }
            Ok(Outcome::OutOfBudget) => Why::OutOfBudget,
            Ok(Outcome::TooFar) => Why::TooFar,
            Err(QueryError::OutOfMemory(_)) => Why::OutOfMemory,
            _ => Why::Unreachable,
        };
        agent.state = CrowdState::Stopped(why);
    }
}
