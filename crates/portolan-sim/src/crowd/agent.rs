//! One agent of a crowd: its body, its route as points, where on it the agent is, and why it stands ([`CrowdState`]).
//!
//! Not here: avoiding others (`crowd/avoidance.rs`), and the order in which agents move (`crowd.rs`).

use super::ground::{Footing, Ground, Point, distance, minus, plus, times};
use crate::state::Why;
use portolan::Ticket;

/// What an agent of a crowd is doing, or why it stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CrowdState {
    /// Its query is in the queue, and it has no route to walk on meanwhile, or has come to the end of what is known of it.
    WaitingForRoute,
    /// It walks along its route.
    Walking,
    /// Others are in its way: it has come no further along its route for a second or longer.
    Blocked,
    /// It was blocked for two seconds. It now goes from point to point along its route through others, which do not avoid it
    /// meanwhile.
    Squeezing,
    /// It is carried over a link, and stands at its beginning until it is at its end.
    OnLink,
    /// It stands on its goal.
    Arrived,
    /// It has no way to its goal.
    Stopped(Why),
}

impl CrowdState {
    /// Returns a word for reports: `waiting`, `walking`, `blocked`, `squeezing`, `on-link`, `arrived` or `stopped`.
    pub fn name(self) -> &'static str {
        match self {
            CrowdState::WaitingForRoute => "waiting",
            CrowdState::Walking => "walking",
            CrowdState::Blocked => "blocked",
            CrowdState::Squeezing => "squeezing",
            CrowdState::OnLink => "on-link",
            CrowdState::Arrived => "arrived",
            CrowdState::Stopped(_) => "stopped",
        }
    }
}

/// An agent of a crowd.
pub struct CrowdAgent {
    pub(super) footing: Footing,
    pub(super) velocity: Point,
    pub(super) radius: f32,
    /// The length that is for this agent what a cell is on a grid.
    pub(super) unit: f32,
    pub(super) speed: f32,
    pub(super) goal: Footing,
    pub(super) state: CrowdState,
    /// The query whose pieces make up the route.
    pub(super) ticket: Option<Ticket>,
    /// The points of the route, as far as they are known.
    route: Vec<Footing>,
    /// How far each point lies along the route.
    along: Vec<f32>,
    /// The links of the route: the point that each begins at, and how long the way is that costs as much. They are in order.
    links: Vec<(usize, f32)>,
    /// For how many ticks the agent has been carried over a link.
    on_link: u32,
    /// The point that the agent goes to.
    target: usize,
    /// Whether the route is known to its end.
    is_whole: bool,
    /// How far along the route the agent had come when it last came further.
    best: f32,
    /// For how many ticks the agent has come no further.
    pub(super) still: u32,
    /// Where along the route squeezing ends.
    squeezes_to: f32,
}

/// How much further along its route an agent has to come within a second, in units, in order not to be blocked.
const STRIDE: f32 = 0.25;

/// How far an agent squeezes, in units.
const SQUEEZE: f32 = 2.0;

/// How near an agent comes to a point of its route before it goes on from it, in units.
const NEAR: f32 = 0.1;

/// How near to its goal an agent has arrived, in units.
const ARRIVAL: f32 = 0.2;

/// The part of its radius with which an agent looks for the farthest point of its route that it can go straight to.
const SLIM: f32 = 0.9;

/// How many points beyond its target an agent looks for such a point in one tick.
const LOOKS: usize = 3;

/// How far the point is that an agent goes straight to at most, in units: the way to them is looked at again in every tick.
const FARTHEST: f32 = 12.0;

impl CrowdAgent {
    pub(super) fn new([footing, goal]: [Footing; 2], radius: f32, unit: f32, speed: f32) -> CrowdAgent {
        CrowdAgent {
            footing,
            velocity: [0.0; 2],
            radius,
            unit,
            speed,
            goal,
            state: CrowdState::WaitingForRoute,
            ticket: None,
            route: Vec::new(),
            along: Vec::new(),
            links: Vec::new(),
            on_link: 0,
            target: 0,
            is_whole: false,
            best: 0.0,
            still: 0,
            squeezes_to: 0.0,
        }
    }

    /// Returns where the agent stands.
    pub fn at(&self) -> Point {
        self.footing.at
    }

    /// Returns where the agent stands, with its height and the polygon that it is on.
    pub fn footing(&self) -> Footing {
        self.footing
    }

    /// Returns how far the agent moves in a second, across and down.
    pub fn velocity(&self) -> Point {
        self.velocity
    }

    /// Returns the radius of the agent's body.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns how far the agent goes in a second at most.
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Returns the point that the agent goes to.
    pub fn goal(&self) -> Point {
        self.goal.at
    }

    /// Returns what the agent is doing, or why it stands.
    pub fn state(&self) -> CrowdState {
        self.state
    }

    /// Returns the points of the route, as far as they are known.
    pub fn route(&self) -> &[Footing] {
        &self.route
    }

    /// Returns for how many ticks the agent has come no further along its route; 0 if it has arrived or has no way.
    pub fn still_ticks(&self) -> u32 {
        match self.state {
            CrowdState::Arrived | CrowdState::Stopped(_) => 0,
            _ => self.still,
        }
    }

    /// Returns whether the agent takes part in avoidance.
    pub(super) fn avoids(&self) -> bool {
        !matches!(self.state, CrowdState::Squeezing | CrowdState::OnLink)
    }

    /// Takes over a piece of a route: its points, and for those that a link leads to, how long the link is. The first piece
    /// replaces the old route.
    pub(super) fn take_piece(
        &mut self,
        points: impl Iterator<Item = (Footing, Option<f32>)>,
        is_first: bool,
        is_last: bool,
    ) {
        if is_first {
            self.forget_route();
            if self.state == CrowdState::OnLink {
                self.state = CrowdState::Walking;
            }
            // An agent that was blocked has planned again from the middle of its cell. To go there is not to come further.
            let was_still = self.state != CrowdState::WaitingForRoute;
            (self.target, self.best) = (0, if was_still { self.unit } else { -self.unit });
        }
        for (point, link) in points {
            if let Some(length) = link {
                self.links.push((self.route.len() - 1, length));
            }
            // An agent comes no further along its route while it is on a link.
            let before = self.route.last().filter(|_| link.is_none()).map_or(0.0, |&last| distance(last.at, point.at));
            self.along.push(self.along.last().copied().unwrap_or(0.0) + before);
            self.route.push(point);
        }
        self.is_whole = is_last;
        if self.state == CrowdState::WaitingForRoute {
            (self.state, self.still) = (CrowdState::Walking, 0);
        }
        if is_first && self.state == CrowdState::Squeezing {
            self.squeezes_to = SQUEEZE * self.unit;
        }
    }

    /// Has the agent squeeze along its next route.
    pub(super) fn squeeze(&mut self) {
        (self.state, self.squeezes_to) = (CrowdState::Squeezing, f32::INFINITY);
        self.forget_route();
        self.target = 0;
    }

    fn forget_route(&mut self) {
        self.route.clear();
        self.along.clear();
        self.links.clear();
    }

    /// Returns the length of the link that begins at a point of the route, `None` if none does.
    fn link_at(&self, point: usize) -> Option<f32> {
        let found = self.links.binary_search_by_key(&point, |&(begin, _)| begin).ok()?;
        Some(self.links[found].1)
    }

    /// Begins to be carried over a link if the agent has come to the beginning of one, and returns the end of the link after
    /// the time that it takes.
    pub(super) fn carried(&mut self, ticks_per_second: u32) -> Option<Footing> {
        let length = self.link_at(self.target)?;
        let is_at = distance(self.footing.at, self.route[self.target].at) < NEAR * self.unit;
        match self.state {
            CrowdState::Walking | CrowdState::Blocked | CrowdState::Squeezing if is_at => {
                (self.state, self.on_link, self.velocity) = (CrowdState::OnLink, 0, [0.0; 2]);
                None
            }
            CrowdState::OnLink => {
                self.on_link += 1;
                if (self.on_link as f32) < length / self.speed * ticks_per_second as f32 {
                    return None;
                }
                (self.state, self.still) = (CrowdState::Walking, 0);
                let end = self.target + 1;
                self.best = self.along[end];
                self.target = if self.link_at(end).is_none() && end + 1 < self.route.len() { end + 1 } else { end };
                Some(self.route[end])
            }
            _ => None,
        }
    }

    /// Chooses the point to go to, and returns the velocity that the agent would have if it were alone.
    pub(super) fn steer(&mut self, ground: &impl Ground, ticks_per_second: f32) -> Point {
        let here = self.footing.at;
        let goal = match self.state {
            CrowdState::Stopped(_) | CrowdState::WaitingForRoute | CrowdState::OnLink => return [0.0; 2],
            CrowdState::Arrived => self.goal.at,
            CrowdState::Squeezing => self.next_middle(),
            CrowdState::Walking | CrowdState::Blocked => self.farthest_clear(ground),
        };
        let way = minus(goal, here);
        let length = distance(goal, here);
        if length <= 1e-4 * self.unit {
            return [0.0; 2];
        }
        // It slows down before its goal, and does not go past its target within a tick.
        let slow = if distance(here, self.goal.at) < self.unit { 4.0 } else { ticks_per_second };
        let speed = self.speed.min(slow * length);
        times(way, speed / length)
    }

    /// Goes on to the farthest point of the route that the agent can go straight to, and returns the point to head for.
    fn farthest_clear(&mut self, ground: &impl Ground) -> Point {
        let here = self.footing;
        let Some(&current) = self.route.get(self.target) else { return here.at };
        let radius = self.radius * SLIM;
        if !ground.is_clear(here, current, 0.0) {
            // Others have pushed the agent aside. It goes back to the last point that it can go straight to.
            let back =
                (0..self.target).rev().take(LOOKS * 4).find(|&point| ground.is_clear(here, self.route[point], 0.0));
            self.target = back.unwrap_or(self.target);
            return self.beside_corner(ground);
        }
        // A link is only taken at its beginning.
        if self.link_at(self.target).is_some() {
            return current.at;
        }
        for _ in 0..LOOKS {
            let next = self.target + 1;
            let is_near = self.route.get(next).is_some_and(|point| distance(here.at, point.at) <= FARTHEST * self.unit);
            if !is_near || !ground.is_clear(here, self.route[next], radius) {
                break;
            }
            self.target = next;
            if self.link_at(next).is_some() {
                return self.route[next].at;
            }
        }
        // Where the way to the next point is too narrow for the body, the agent goes on when it has come to this one.
        if self.target + 1 < self.route.len() && distance(here.at, self.route[self.target].at) < NEAR * self.unit {
            self.target += 1;
        }
        self.beside_corner(ground)
    }

    /// Returns the target, or a point a little outside the turn of the route there.
    fn beside_corner(&self, ground: &impl Ground) -> Point {
        let (margin, corner) = (ground.corner_margin(self.radius), self.route[self.target]);
        let is_apart = |point: &&Footing| distance(point.at, corner.at) >= 0.25 * self.unit;
        let before = self.route[..self.target].iter().rev().find(is_apart);
        let after = self.route[self.target + 1..].iter().find(is_apart);
        let (Some(before), Some(after), true) = (before, after, margin > 0.0) else { return corner.at };
        let along = |from: Point, to: Point| times(minus(to, from), 1.0 / distance(from, to));
        let outward = minus(along(before.at, corner.at), along(corner.at, after.at));
        ground.project(corner, plus(corner.at, times(outward, margin))).at
    }

    /// Goes on to the next point of the route once the agent has come to the point before.
    fn next_middle(&mut self) -> Point {
        let here = self.footing.at;
        let Some(&current) = self.route.get(self.target) else { return here };
        let is_link = self.link_at(self.target).is_some();
        if self.target + 1 < self.route.len() && !is_link && distance(here, current.at) < 0.01 * self.unit {
            self.target += 1;
        }
        self.route[self.target].at
    }

    /// Returns whether the agent stands on its goal, and not above or below it.
    fn is_there(&self) -> bool {
        let up = (self.footing.height - self.goal.height).abs();
        distance(self.footing.at, self.goal.at) <= ARRIVAL * self.unit && up <= self.unit
    }

    /// Notes where the agent has come to: whether it has arrived, comes further, or is blocked. Squeezing goes on while its
    /// body `overlaps` another.
    pub(super) fn judge(&mut self, ticks_per_second: u32, overlaps: bool) {
        match self.state {
            CrowdState::Arrived | CrowdState::Stopped(_) | CrowdState::OnLink => return,
            _ if self.is_there() => {
                (self.state, self.still, self.ticket) = (CrowdState::Arrived, 0, None);
                return;
            }
            _ => {}
        }
        self.still += 1;
        let Some(&target) = self.route.get(self.target) else { return };
        let along = self.along[self.target] - distance(self.footing.at, target.at);
        if along >= self.best + STRIDE * self.unit {
            (self.best, self.still) = (along, 0);
            if self.state == CrowdState::Blocked {
                self.state = CrowdState::Walking;
            }
        }
        if self.state == CrowdState::Squeezing && along >= self.squeezes_to && !overlaps {
            self.state = CrowdState::Walking;
        }
        if self.state == CrowdState::Walking && self.still >= ticks_per_second {
            let is_end = !self.is_whole && self.target + 1 == self.route.len();
            self.state = if is_end { CrowdState::WaitingForRoute } else { CrowdState::Blocked };
        }
    }
}
