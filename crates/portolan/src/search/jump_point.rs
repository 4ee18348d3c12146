//! Jump point search: A* that leaps along straight and diagonal rays from turning point to turning point.
//!
//! **Idea.** Of all equally short ways keep the one with its diagonals first; then only cells where an obstacle forces
//! a turn matter, and whole rays are crossed by counting zeros in bitmaps ([`super::jump_map`]). Diagonal rays
//! carry no nodes of their own except where corners may be cut: what their straight branches find hangs directly
//! off the node they left.
//! **Use** it on uniform worlds with eight directions: the fastest exact search without a costly index.
//! **Promises** a cheapest route under every corner rule.
//! **Costs** an index of about 1.5 bytes a cell, built in milliseconds and repaired in microseconds; queries touch jump
//! points only.
//! **Departs** from its papers in stop bitmaps for diagonals too, and in testing for the goal once a ray instead of
//! marking it in the map, so that any number of threads can share the map.
//!
//! Harabor, Grastien: Online graph pruning for pathfinding on grid maps, 2011; Improving jump point search, 2014.

use super::jump_map::{JumpMap, Point};
use super::{End, Method, Task};
use crate::graph::START;
use crate::id::{Cell, NodeId};
use crate::open_list::BucketList;
use crate::probe::{Event, Probe, Unwatched};
use crate::registry::{Algorithm, Promise, Unsuited};
use crate::scratch::{Scratch, Stamp, Stamped, State, TOO_FAR};
use crate::world::moves::{E, N, NE, NW, S, SE, STEP, SW, W};
use crate::world::square::SquareGrid;
use crate::world::{Corners, Directions, Edit};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "jump-point",
    title: "Jump point search",
    summary: "A* that leaps from turning point to turning point along bitmaps; uniform worlds",
    paper: "Harabor, Grastien 2011, 2014",
    params: &[],
    suits: |grid| {
        let uniform = grid.rules().directions == Directions::Eight && grid.uniform_weight().is_some();
        let needs = "eight directions and terrain of one weight";
        if uniform { Ok(()) } else { Err(Unsuited { algorithm: "jump-point", needs }) }
    },
    promise: |_, _| Promise::Optimal,
    build: |grid, _| {
        let map = JumpMap::new(grid);
        // Half a billion: more than any world has that is not made of noise alone, and fits no machine of today.
        assert!(map.count() < 1 << 29, "{} jump points are more than records can number", map.count());
        Box::new(JumpPoint { map })
    },
};

struct JumpPoint {
    map: JumpMap,
}

/// What is known of a jump point.
#[derive(Copy, Clone, Default)]
pub(crate) struct JumpRecord {
    /// The query's stamp, then the cost turned upside down: the greater, the better, and any of this query's is greater
    /// than all of older ones. One comparison tells whether a way here is news.
    merit: u64,
    /// The number of the jump point before, then three bits for the direction of arrival. A start is before itself.
    parent: u32,
    /// Column and row, rim included; the column's top bit says closed.
    at: [u16; 2],
}

const CLOSED: u16 = 1 << 15;

impl JumpRecord {
    fn start(number: u32, at: Point, stamp: u32) -> JumpRecord {
        JumpRecord { merit: merit(stamp, 0), parent: number << 3, at: [at.0 as u16, at.1 as u16] }
    }

    #[inline(always)]
    fn g(self) -> u32 {
        !(self.merit as u32)
    }

    #[inline(always)]
    fn point(self) -> Point {
        (usize::from(self.at[0] & !CLOSED), usize::from(self.at[1]))
    }

    #[inline(always)]
    fn is_closed(self) -> bool {
        self.at[0] & CLOSED != 0
    }

    /// The direction of arrival at the jump point of this number.
    #[inline(always)]
    fn arrived(self, number: u32) -> u8 {
        if self.parent >> 3 == number { START } else { (self.parent & 7) as u8 }
    }
}

#[inline(always)]
fn merit(stamp: u32, g: u32) -> u64 {
    u64::from(stamp) << 32 | u64::from(!g)
}

impl Stamp for JumpRecord {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        (self.merit >> 32) as u32
    }
}

/// A cell's place with the rim counted.
fn point(cell: Cell) -> Point {
    (usize::from(cell.x) + 1, usize::from(cell.y) + 1)
}

impl Method for JumpPoint {
    fn begin(&self, task: Task, scratch: &mut Scratch) {
        let start = point(task.from);
        // A start that is no jump point takes the number after the last.
        let number = self.map.number(start).unwrap_or(self.map.count() as u32);
        scratch.jumps.reset(self.map.count() + 1, u32::MAX);
        let stamp = scratch.jumps.stamp();
        *scratch.jumps.slot(number as usize) = JumpRecord::start(number, start, stamp);
        let costs = Costs::new(task);
        let key = costs.left(start);
        scratch.list.reset(key, costs.straight);
        scratch.list.push(key, number);
        scratch.state = State::begun();
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        let ended = match probe {
            None => self.run(task, scratch, left, &mut Unwatched),
            Some(mut probe) => self.run(task, scratch, left, &mut probe),
        };
        if !ended {
            return None;
        }
        if scratch.state.best == TOO_FAR {
            return Some(End::NotFound);
        }
        trace(task, scratch);
        Some(End::Found(scratch.state.best as u32))
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) {
        self.map.repair(grid, edits.iter().map(|edit| edit.area));
    }

    fn bytes(&self) -> usize {
        self.map.bytes()
    }
}

impl JumpPoint {
    /// Whether the search came to its end.
    fn run(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: &mut impl Probe) -> bool {
        let canonical = task.grid.gait().canonical();
        let mut leap = Leap {
            map: &self.map,
            grid: task.grid,
            costs: Costs::new(task),
            records: &mut scratch.jumps,
            open: &mut scratch.list,
            state: &mut scratch.state,
            probe,
            cuts_corners: task.grid.rules().corners != Corners::Strict,
            from: (0, 0),
            g: 0,
            number: 0,
        };
        while *left > 0 {
            let Some(number) = leap.open.pop() else {
                return true;
            };
            let record = leap.records.slot(number as usize);
            let (at, closed) = (record.point(), record.is_closed());
            let node = node(task.grid, at);
            leap.probe.event(Event::Pop { node });
            if leap.open.floor() >= leap.state.best {
                return true;
            }
            if closed {
                continue;
            }
            record.at[0] |= CLOSED;
            let arrived = record.arrived(number);
            (leap.from, leap.g, leap.number) = (at, record.g(), number);
            *left -= 1;
            leap.probe.event(Event::Expand { node, g: leap.g });
            let moves = canonical[usize::from(arrived)][usize::from(task.grid.around(node))];
            // Straight arrivals are the rule and leave five ways to go: asking for each is easier to foresee than
            // leaping through a table once a way.
            match arrived {
                N => leap.turn::<N, NE, E, NW, W>(moves),
                E => leap.turn::<E, SE, S, NE, N>(moves),
                S => leap.turn::<S, SW, W, SE, E>(moves),
                W => leap.turn::<W, NW, N, SW, S>(moves),
                _ => {
                    leap.turn::<N, NE, E, NW, W>(moves);
                    leap.turn_back(moves);
                }
            }
        }
        false
    }
}

#[inline(always)]
fn node(grid: &SquareGrid, (x, y): Point) -> NodeId {
    NodeId((y * (grid.width() + 1) + x) as u32)
}

/// Step costs on this world, and where the goal is.
#[derive(Copy, Clone)]
struct Costs {
    straight: u32,
    diagonal: u32,
    goal: Point,
}

impl Costs {
    fn new(task: Task) -> Costs {
        let scale = u32::from(task.grid.least_weight());
        let metric = task.grid.metric();
        Costs { straight: metric.straight() * scale, diagonal: metric.diagonal() * scale, goal: point(task.to) }
    }

    /// The obstacle-free cost from a point to the goal.
    #[inline(always)]
    fn left(self, (x, y): Point) -> u64 {
        let (dx, dy) = (x.abs_diff(self.goal.0) as u64, y.abs_diff(self.goal.1) as u64);
        u64::from(self.straight) * (dx + dy) - u64::from(2 * self.straight - self.diagonal) * dx.min(dy)
    }
}

/// One node's rays.
struct Leap<'a, P> {
    map: &'a JumpMap,
    grid: &'a SquareGrid,
    costs: Costs,
    records: &'a mut Stamped<JumpRecord>,
    open: &'a mut BucketList,
    state: &'a mut State,
    probe: &'a mut P,
    cuts_corners: bool,
    /// The node the rays leave from, its cost and number.
    from: Point,
    g: u32,
    number: u32,
}

impl<P: Probe> Leap<'_, P> {
    /// Follows those rays that are among the moves: ahead, half right, right, half left and left.
    #[inline(always)]
    fn turn<const AHEAD: u8, const HALF_RIGHT: u8, const RIGHT: u8, const HALF_LEFT: u8, const LEFT: u8>(
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
    fn turn_back(&mut self, moves: u8) {
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
            if self.cuts_corners && self.forces_turn::<DIRECTION, BESIDE, ABOVE>(at) {
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

    /// Whether arriving here diagonally forces a turn, as it can where corners may be cut.
    fn forces_turn<const DIRECTION: u8, const BESIDE: u8, const ABOVE: u8>(&self, at: Point) -> bool {
        let natural = 1u8 << DIRECTION | 1 << BESIDE | 1 << ABOVE;
        let around = self.grid.around(node(self.grid, at));
        self.grid.gait().canonical()[usize::from(DIRECTION)][usize::from(around)] & !natural != 0
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

/// The point so many steps away.
#[inline(always)]
fn step((x, y): Point, dx: i32, dy: i32, count: usize) -> Point {
    let count = count as isize;
    (x.wrapping_add_signed(dx as isize * count), y.wrapping_add_signed(dy as isize * count))
}

/// Writes the cells from the goal back to the start: each leg is diagonals, then straight steps.
fn trace(task: Task, scratch: &mut Scratch) {
    let trail = &mut scratch.trail;
    let mut at = point(task.to);
    let mut number = scratch.state.mark;
    loop {
        let record = scratch.jumps.get(number as usize).expect("a route is made of jump points reached");
        let from = record.point();
        let (dx, dy) = (from.0 as i32 - at.0 as i32, from.1 as i32 - at.1 as i32);
        let (diagonals, straights) = (dx.abs().min(dy.abs()), (dx.abs() - dy.abs()).abs());
        let along = if dx.abs() > dy.abs() { (dx.signum(), 0) } else { (0, dy.signum()) };
        walk(trail, &mut at, along, straights);
        walk(trail, &mut at, (dx.signum(), dy.signum()), diagonals);
        if record.arrived(number) == START {
            trail.push(task.from);
            return;
        }
        number = record.parent >> 3;
    }
}

/// Writes down where one stands and takes a step, so many times.
fn walk(trail: &mut Vec<Cell>, at: &mut Point, (dx, dy): (i32, i32), count: i32) {
    let (x, y) = ((at.0 - 1) as i32, (at.1 - 1) as i32);
    trail.extend((0..count).map(|i| Cell { x: (x + dx * i) as u16, y: (y + dy * i) as u16 }));
    *at = step(*at, dx, dy, count as usize);
}
