//! How agents avoid each other and walls: each finds its neighbours, and the velocity that ORCA (crate `dodgy_2d`) gives.
//!
//! Not here: which way an agent would go if it were alone, and moving it.

use super::agent::CrowdAgent;
use super::ground::{Ground, Point, distance, plus, times};
use dodgy_2d::{Agent, AvoidanceOptions, Obstacle, Vec2};
use std::borrow::Cow;

/// For how many seconds agents look ahead for each other.
const AHEAD: f32 = 1.0;

/// For how many seconds agents look ahead for walls.
const WALLS_AHEAD: f32 = 0.25;

/// How much an agent with neighbours turns aside, all to the same side. Without it, agents that come straight at each other
/// would only slow down.
const ASIDE: f32 = 0.1;

/// The most neighbours that an agent avoids: the nearest ones.
const MOST_NEIGHBOURS: usize = 10;

/// The width of the squares by which agents are found, in units of the largest agent.
const SQUARE: f32 = 2.0;

/// The difference of heights, in units, from which two agents are on different floors.
const FLOOR: f32 = 2.0;

/// The memory for finding neighbours and walls, which is used again for every agent.
#[derive(Default)]
pub(super) struct Avoidance {
    /// The agents that take part, each with the row and column of its square, in the order of these.
    by_square: Vec<(Square, usize)>,
    /// The width of the squares.
    width: f32,
    /// All agents as ORCA knows them.
    bodies: Vec<Agent>,
    /// The neighbours of an agent, each with its distance.
    near: Vec<(f32, usize)>,
    walls: Vec<[Point; 2]>,
    obstacles: Vec<Obstacle>,
}

/// The row and the column of a square.
type Square = (i32, i32);

fn square(at: Point, width: f32) -> Square {
    ((at[1] / width).floor() as i32, (at[0] / width).floor() as i32)
}

fn vector([x, y]: Point) -> Vec2 {
    Vec2::new(x, y)
}

impl Avoidance {
    /// Notes where all agents are, before any of them moves.
    pub(super) fn look(&mut self, agents: &[CrowdAgent]) {
        self.bodies.clear();
        self.bodies.extend(agents.iter().map(|agent| Agent {
            position: vector(agent.at()),
            velocity: vector(agent.velocity),
            radius: agent.radius,
            avoidance_responsibility: 1.0,
        }));
        self.width = SQUARE * agents.iter().map(|agent| agent.unit).fold(f32::MIN_POSITIVE, f32::max);
        self.by_square.clear();
        let taking_part = agents.iter().enumerate().filter(|(_, agent)| agent.avoids());
        self.by_square.extend(taking_part.map(|(number, agent)| (square(agent.at(), self.width), number)));
        self.by_square.sort_unstable();
    }

    /// Returns the velocity nearest to `wish` with which an agent runs into nothing for a while.
    pub(super) fn velocity(
        &mut self,
        ground: &impl Ground,
        agents: &[CrowdAgent],
        number: usize,
        wish: Point,
        tick: f32,
    ) -> Point {
        self.find_neighbours(agents, number);
        self.find_walls(ground, &agents[number]);
        let Avoidance { bodies, near, walls, obstacles, .. } = self;
        let own = &bodies[number];
        let neighbours: Vec<Cow<Agent>> =
            near.iter().map(|&(_, other)| told_apart(own, &bodies[other], number < other, tick)).collect();
        let walls: Vec<Cow<Obstacle>> = obstacles[..walls.len()].iter().map(Cow::Borrowed).collect();
        let obstacle_margin = ground.wall_radius(own.radius);
        let options = AvoidanceOptions { obstacle_margin, time_horizon: AHEAD, obstacle_time_horizon: WALLS_AHEAD };
        let speed = agents[number].speed;
        let wish = if near.is_empty() { wish } else { plus(wish, times([-wish[1], wish[0]], ASIDE)) };
        let velocity = own.compute_avoiding_velocity(&neighbours, &walls, vector(wish), speed, tick, &options);
        if velocity.is_finite() { [velocity.x, velocity.y] } else { [0.0; 2] }
    }

    /// Returns whether the bodies of an agent and of another one that takes part overlap.
    pub(super) fn overlaps(&mut self, agents: &[CrowdAgent], number: usize) -> bool {
        self.find_neighbours(agents, number);
        let own = agents[number].radius;
        self.near.iter().any(|&(apart, other)| apart < own + agents[other].radius)
    }

    /// Finds the nearest agents that this one may run into; of equally near ones, those of lower numbers.
    fn find_neighbours(&mut self, agents: &[CrowdAgent], number: usize) {
        let Avoidance { by_square, width, near, .. } = self;
        let own = &agents[number];
        near.clear();
        let reach = own.radius + own.speed * AHEAD + own.unit;
        let ([x, y], width) = (own.at(), *width);
        let (top, left) = square([x - reach, y - reach], width);
        let (bottom, right) = square([x + reach, y + reach], width);
        for row in top..=bottom {
            let first = by_square.partition_point(|&(square, _)| square < (row, left));
            let in_row = by_square[first..].iter().take_while(|&&(square, _)| square <= (row, right));
            for &(_, other) in in_row.filter(|&&(_, other)| other != number) {
                let apart = distance(own.at(), agents[other].at());
                let up = (own.footing.height - agents[other].footing.height).abs();
                if apart <= reach && up < FLOOR * own.unit {
                    near.push((apart, other));
                }
            }
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(MOST_NEIGHBOURS);
    }

    /// Finds the walls that this agent may run into, and writes them over the obstacles of the agent before.
    fn find_walls(&mut self, ground: &impl Ground, own: &CrowdAgent) {
        let Avoidance { walls, obstacles, .. } = self;
        walls.clear();
        let reach = ground.wall_radius(own.radius) + own.speed * WALLS_AHEAD;
        ground.walls_near(own.footing, reach, walls);
        for (number, &wall) in walls.iter().enumerate() {
            let ends = wall.map(vector);
            match obstacles.get_mut(number) {
                Some(Obstacle::Open { vertices } | Obstacle::Closed { vertices }) => vertices.copy_from_slice(&ends),
                None => obstacles.push(Obstacle::Open { vertices: ends.to_vec() }),
            }
        }
    }
}

/// Returns the neighbour, moved a little if it cannot be told from the agent itself: ORCA would then choose a direction by
/// chance, and a crowd would not be the same in every run.
fn told_apart<'a>(own: &Agent, other: &'a Agent, is_first: bool, tick: f32) -> Cow<'a, Agent> {
    let towards = own.velocity - other.velocity - (other.position - own.position) / tick;
    if towards.length_squared() > 1e-6 {
        return Cow::Borrowed(other);
    }
    let aside = if is_first { Vec2::new(0.01, 0.003) } else { Vec2::new(-0.01, -0.003) };
    Cow::Owned(Agent { position: other.position + aside, ..other.clone() })
}
