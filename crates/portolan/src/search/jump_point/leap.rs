//! The expansion of one node of jump point search: follows the rays that leave the node, and puts the jump points that
//! they find on the open list.
//!
//! Not here: the main loop, which is in `jump_point.rs`, and the bitmaps, which are in [`JumpMap`].

use super::{JumpRecord, merit, node, point, step};
use crate::cost::{Octile, Prices};
use crate::method::Task;
use crate::open_list::BucketList;
use crate::probe::{Event, Probe};
use crate::scratch::{Stamp, Stamped, State};
use crate::search::shared::jump_map::{JumpMap, Point, forces_turn};
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, N, NE, NW, S, SE, STEP, SW, W};

/// Returns the prices of steps in a world whose free cells all have one weight.
pub(in crate::search) fn step_prices(grid: &SquareGrid) -> Prices {
    grid.metric().prices().times(u32::from(grid.least_weight()))
}

/// The costs of steps in a world, and the goal of a query.
#[derive(Copy, Clone)]
pub(in crate::search) struct Costs {
    pub(in crate::search) prices: Prices,
    pub(in crate::search) goal: Point,
}

impl Costs {
    pub(in crate::search) fn new(task: Task) -> Costs {
        Costs { prices: step_prices(task.grid), goal: point(task.to) }
    }

    /// Returns the obstacle-free cost from a point to the goal.
    #[inline(always)]
    pub(in crate::search) fn left(self, (x, y): Point) -> u64 {
        Octile::new(self.prices).cost(x.abs_diff(self.goal.0) as u64, y.abs_diff(self.goal.1) as u64)
    }
}

/// The node that is being expanded, and what its rays read and write.
pub(super) struct Leap<'a, P> {
    pub(super) map: &'a JumpMap,
    pub(super) grid: &'a SquareGrid,
    pub(super) costs: Costs,
    pub(super) records: &'a mut Stamped<JumpRecord>,
    pub(super) open: &'a mut BucketList,
    pub(super) state: &'a mut State,
    pub(super) probe: &'a mut P,
    pub(super) cuts_corners: bool,
    /// The point of the node that is being expanded.
    pub(super) from: Point,
    /// The cost of the node.
    pub(super) g: u32,
    /// The number of the node.
    pub(super) number: u32,
}

impl<P: Probe> Leap<'_, P> {
    /// Follows those of five rays that are in `moves`: ahead, half right, right, half left and left.
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

    /// Follows those of the three southern rays that are in `moves`.
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

    /// Follows a straight ray from the node. Neither this function nor `diagonal` is inlined: the code of several rays
    /// in one function would run out of registers.
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

    /// Returns the number of steps to the goal along a straight ray from this point, or `None` if the goal does not lie
    /// in the row or column of the ray. If the goal lies behind the point, the number is greater than any ray is long.
    #[inline(always)]
    fn goal_ahead<const DIRECTION: u8>(&self, (x, y): Point) -> Option<usize> {
        let goal = self.costs.goal;
        let (aligned, ahead) = match DIRECTION {
            E => (y == goal.1, goal.0.wrapping_sub(x)),
            W => (y == goal.1, x.wrapping_sub(goal.0)),
            S => (x == goal.0, goal.1.wrapping_sub(y)),
            _ => (x == goal.0, y.wrapping_sub(goal.1)),
        };
        // The difference to a goal behind the point has wrapped around to a huge number.
        aligned.then_some(ahead)
    }

    /// Follows a diagonal ray from the node, and those of its straight branches that end at a jump point or at the
    /// goal. `BESIDE` is the direction of branches along rows, `ABOVE` that of branches along columns.
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

    /// Follows a straight branch that leaves a diagonal ray at the point `at` and ends at a jump point.
    #[inline(always)]
    fn branch<const DIRECTION: u8>(&mut self, at: Point, diagonals: usize) {
        let (distance, jump) = self.map.straight::<DIRECTION>(at);
        debug_assert!(jump, "a diagonal stops only for a reason");
        let (dx, dy) = STEP[usize::from(DIRECTION)];
        self.relax(step(at, dx, dy, distance), DIRECTION, distance, diagonals);
    }

    /// Returns the number of diagonal steps from the node after which the goal lies straight ahead or is reached, or 0
    /// if the goal does not lie in the quadrant of this direction.
    #[inline(always)]
    fn turn_to_goal(&self, dx: i32, dy: i32) -> usize {
        let along = |from: usize, to: usize, sign: i32| {
            if sign > 0 { to.saturating_sub(from) } else { from.saturating_sub(to) }
        };
        along(self.from.0, self.costs.goal.0, dx).min(along(self.from.1, self.costs.goal.1, dy))
    }

    /// Records a route to the goal if the goal is at the point `at` of a diagonal ray, or if the straight branch from
    /// there gets to the goal before it stops.
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

    /// Returns the cost of a route to the node and then by so many straight and diagonal steps.
    #[inline(always)]
    fn cost(&self, straights: usize, diagonals: usize) -> u64 {
        u64::from(self.g) + self.costs.prices.of_steps(straights as u64, diagonals as u64)
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
        let g = g as u32; // less than `best`, which is at most 2^32
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
