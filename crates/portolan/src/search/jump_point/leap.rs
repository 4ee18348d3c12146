//! The rays that leave a node, and what becomes of the jump points they find.

use super::{JumpRecord, merit, node, point, step};
use crate::method::Task;
use crate::open_list::BucketList;
use crate::probe::{Event, Probe};
use crate::scratch::{Stamp, Stamped, State};
use crate::search::shared::jump_map::{JumpMap, Point, forces_turn};
use crate::world::moves::{E, N, NE, NW, S, SE, STEP, SW, W};
use crate::world::square::SquareGrid;

/// Step costs on this world, and where the goal is.
#[derive(Copy, Clone)]
pub(in crate::search) struct Costs {
    pub(in crate::search) straight: u32,
    diagonal: u32,
    pub(in crate::search) goal: Point,
}

impl Costs {
    pub(in crate::search) fn new(task: Task) -> Costs {
        let scale = u32::from(task.grid.least_weight());
        let metric = task.grid.metric();
        Costs { straight: metric.straight() * scale, diagonal: metric.diagonal() * scale, goal: point(task.to) }
    }

    /// The obstacle-free cost from a point to the goal.
    #[inline(always)]
    pub(in crate::search) fn left(self, (x, y): Point) -> u64 {
        let (dx, dy) = (x.abs_diff(self.goal.0) as u64, y.abs_diff(self.goal.1) as u64);
        u64::from(self.straight) * (dx + dy) - u64::from(2 * self.straight - self.diagonal) * dx.min(dy)
    }
}

/// One node's rays.
pub(super) struct Leap<'a, P> {
    pub(super) map: &'a JumpMap,
    pub(super) grid: &'a SquareGrid,
    pub(super) costs: Costs,
    pub(super) records: &'a mut Stamped<JumpRecord>,
    pub(super) open: &'a mut BucketList,
    pub(super) state: &'a mut State,
    pub(super) probe: &'a mut P,
    pub(super) cuts_corners: bool,
    /// The node the rays leave from, its cost and number.
    pub(super) from: Point,
    pub(super) g: u32,
    pub(super) number: u32,
}

impl<P: Probe> Leap<'_, P> {
    /// Follows those rays that are among the moves: ahead, half right, right, half left and left.
    #[inline(always)]
    pub(super) fn turn<const AHEAD: u8, const HALF_RIGHT: u8, const RIGHT: u8, const HALF_LEFT: u8, const LEFT: u8>(
        &mut self,
        moves: u8,
    ) {
        let may = |direction: u8| moves >> direction & 1 == 1;
        if may(AHEAD) {
            self.ray::<AHEAD>();
        }
        if may(HALF_RIGHT) {
            self.ray::<HALF_RIGHT>();
        }
        if may(RIGHT) {
            self.ray::<RIGHT>();
        }
        if may(HALF_LEFT) {
            self.ray::<HALF_LEFT>();
        }
        if may(LEFT) {
            self.ray::<LEFT>();
        }
    }

    /// Follows those of the three southern rays that are among the moves.
    #[inline(never)]
    pub(super) fn turn_back(&mut self, moves: u8) {
        if moves >> SE & 1 == 1 {
            self.ray::<SE>();
        }
        if moves >> S & 1 == 1 {
            self.ray::<S>();
        }
        if moves >> SW & 1 == 1 {
            self.ray::<SW>();
        }
    }

    #[inline(always)]
    fn ray<const DIRECTION: u8>(&mut self) {
        match DIRECTION {
            N => self.straight::<N>(),
            NE => self.diagonal::<NE, E, N>(),
            E => self.straight::<E>(),
            SE => self.diagonal::<SE, E, S>(),
            S => self.straight::<S>(),
            SW => self.diagonal::<SW, W, S>(),
            W => self.straight::<W>(),
            _ => self.diagonal::<NW, W, N>(),
        }
    }

    /// Follows a straight ray from the node. Rays are kept out of line: side by side they would fight for registers.
    #[inline(never)]
    fn straight<const DIRECTION: u8>(&mut self) {
        let (distance, jump) = self.map.straight::<DIRECTION>(self.from);
        if let Some(to_goal) = self.goal_ahead::<DIRECTION>(self.from)
            && to_goal <= distance
        {
            self.reach_goal(to_goal, 0);
        } else if jump {
            let (dx, dy) = STEP[usize::from(DIRECTION)];
            self.relax(step(self.from, dx, dy, distance), DIRECTION, distance, 0);
        }
    }

    /// How many steps ahead the goal lies, if on this very ray.
    #[inline(always)]
    fn goal_ahead<const DIRECTION: u8>(&self, (x, y): Point) -> Option<usize> {
        let goal = self.costs.goal;
        let (aligned, ahead) = match DIRECTION {
            E => (y == goal.1, goal.0.wrapping_sub(x)),
            W => (y == goal.1, x.wrapping_sub(goal.0)),
            S => (x == goal.0, goal.1.wrapping_sub(y)),
            _ => (x == goal.0, y.wrapping_sub(goal.1)),
        };
        // A goal behind wraps to a distance no ray reaches.
        aligned.then_some(ahead)
    }

    /// Follows a diagonal ray and the straight rays that branch off wherever one of them finds something.
    #[inline(never)]
    fn diagonal<const DIRECTION: u8, const BESIDE: u8, const ABOVE: u8>(&mut self) {
        let (dx, dy) = STEP[usize::from(DIRECTION)];
        let diagonal = self.map.diagonal::<DIRECTION>(self.from);
        let turn_to_goal = self.turn_to_goal(dx, dy);
        let mut x = self.from.0;
        loop {
            let stop = diagonal.next_stop(x);
            let done = x.abs_diff(self.from.0);
            let count = stop.x.abs_diff(self.from.0);
            if turn_to_goal > done && turn_to_goal < count + usize::from(stop.legal) {
                self.look_for_goal::<BESIDE, ABOVE>(step(self.from, dx, dy, turn_to_goal), turn_to_goal);
            }
            if !stop.legal {
                return;
            }
            x = stop.x;
            let at = step(self.from, dx, dy, count);
            if self.cuts_corners && forces_turn::<DIRECTION>(self.grid, at) {
                self.relax(at, DIRECTION, 0, count);
                return;
            }
            if stop.beside {
                self.branch::<BESIDE>(at, count);
            }
            if stop.above {
                self.branch::<ABOVE>(at, count);
            }
        }
    }

    /// A straight ray off a diagonal one, known to end at a jump point.
    #[inline(always)]
    fn branch<const DIRECTION: u8>(&mut self, at: Point, diagonals: usize) {
        let (distance, jump) = self.map.straight::<DIRECTION>(at);
        debug_assert!(jump, "a diagonal stops only for a reason");
        let (dx, dy) = STEP[usize::from(DIRECTION)];
        self.relax(step(at, dx, dy, distance), DIRECTION, distance, diagonals);
    }

    /// After how many diagonal steps the goal lies straight ahead or is reached; 0 if not in this quadrant.
    #[inline(always)]
    fn turn_to_goal(&self, dx: i32, dy: i32) -> usize {
        let along = |from: usize, to: usize, sign: i32| {
            if sign > 0 { to.saturating_sub(from) } else { from.saturating_sub(to) }
        };
        along(self.from.0, self.costs.goal.0, dx).min(along(self.from.1, self.costs.goal.1, dy))
    }

    /// From the point where the goal lies straight ahead, sees whether anything is in between.
    #[inline(never)]
    fn look_for_goal<const BESIDE: u8, const ABOVE: u8>(&mut self, at: Point, diagonals: usize) {
        if at == self.costs.goal {
            return self.reach_goal(0, diagonals);
        }
        let (distance, _) =
            if at.1 == self.costs.goal.1 { self.map.straight::<BESIDE>(at) } else { self.map.straight::<ABOVE>(at) };
        let to_goal = at.0.abs_diff(self.costs.goal.0) + at.1.abs_diff(self.costs.goal.1);
        if to_goal <= distance {
            self.reach_goal(to_goal, diagonals);
        }
    }

    /// The cost of going on from the node by so many steps.
    #[inline(always)]
    fn cost(&self, straights: usize, diagonals: usize) -> u64 {
        u64::from(self.g)
            + u64::from(self.costs.straight) * straights as u64
            + u64::from(self.costs.diagonal) * diagonals as u64
    }

    #[inline(never)]
    fn reach_goal(&mut self, straights: usize, diagonals: usize) {
        let cost = self.cost(straights, diagonals);
        if cost < self.state.best {
            self.state.best = cost;
            self.state.mark = self.number;
            self.probe.event(Event::Goal { cost: cost as u32 });
        }
    }

    #[inline(never)]
    fn relax(&mut self, to: Point, direction: u8, straights: usize, diagonals: usize) {
        let to_node = node(self.grid, to);
        self.probe.event(Event::Generate { node: to_node });
        let g = self.cost(straights, diagonals);
        if g >= self.state.best {
            return;
        }
        let g = g as u32; // less than the best, which fits
        let number = self.map.number(to).expect("rays stop at jump points");
        let stamp = self.records.stamp();
        let merit = merit(stamp, g);
        let record = self.records.slot(number as usize);
        if merit <= record.merit {
            return;
        }
        let key = u64::from(g) + self.costs.left(to);
        if key >= self.state.best {
            return;
        }
        if record.stamp() == stamp {
            let closed = record.is_closed();
            self.probe.event(if closed { Event::Reopen { node: to_node } } else { Event::Decrease { node: to_node } });
        }
        let parent = self.number << 3 | u32::from(direction);
        *record = JumpRecord { merit, parent, at: [to.0 as u16, to.1 as u16] };
        self.open.push(key, number);
        self.probe.event(Event::Push { node: to_node, g, key });
    }
}
