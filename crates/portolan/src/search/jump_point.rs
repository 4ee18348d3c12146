//! Jump point search: A* that leaps along straight and diagonal rays from turning point to turning point.
//!
//! **Idea.** Of all equally short ways keep the one with its diagonals first; then only cells where an obstacle forces
//! a turn matter, and whole rays are crossed by counting zeros in bitmaps ([`super::jump_map`]). Diagonal rays
//! carry no nodes of their own except where corners may be cut: what their straight branches find hangs directly
//! off the node they left.
//! **Use** it on uniform worlds with eight directions: the fastest exact search without a costly index.
//! **Promises** a cheapest route under every corner rule.
//! **Costs** an index of about 2.6 bytes a cell, built in milliseconds and repaired in microseconds; queries touch jump
//! points only.
//! **Departs** from its papers in stop bitmaps for diagonals too, and in testing for the goal once a ray instead of
//! marking it in the map, so that any number of threads can share the map.
//!
//! Harabor, Grastien: Online graph pruning for pathfinding on grid maps, 2011; Improving jump point search, 2014.

mod leap;

use crate::graph::START;
use crate::id::{Cell, NodeId};
use crate::memory::OutOfMemory;
use crate::method::{End, Method, Task};
use crate::planner::Repair;
use crate::probe::{Event, Probe, Unwatched};
use crate::registry::{Algorithm, Promise, Unsuited};
use crate::scratch::{Scratch, Stamp, State, TOO_FAR};
use crate::search::shared::jump_map::{JumpMap, Point};
use crate::world::moves::{E, N, NE, NW, S, SE, SW, W};
use crate::world::square::SquareGrid;
use crate::world::{Corners, Directions, Edit};
pub(super) use leap::Costs;
use leap::Leap;

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
    known_bytes: |grid, _| JumpMap::known_bytes(grid),
    build: |grid, _| {
        let map = JumpMap::new(grid);
        // Half a billion: more than any world has that is not made of noise alone, and fits no machine of today.
        assert!(map.count() < 1 << 29, "{} jump points are more than records can number", map.count());
        Box::new(JumpPoint { map })
    },
    open: None,
};

#[derive(Clone)]
struct JumpPoint {
    map: JumpMap,
}

/// What is known of a jump point.
#[derive(Copy, Clone, Default)]
pub(crate) struct JumpRecord {
    /// The query's stamp, then the cost turned upside down: the greater, the better, and any of this query's is greater
    /// than all of older ones. One comparison tells whether a way here is news.
    pub(super) merit: u64,
    /// The number of the jump point before, then three bits for the direction of arrival. A start is before itself.
    pub(super) parent: u32,
    /// Column and row, rim included; the column's top bit says closed.
    pub(super) at: [u16; 2],
}

pub(super) const CLOSED: u16 = 1 << 15;

impl JumpRecord {
    pub(super) fn start(number: u32, at: Point, stamp: u32) -> JumpRecord {
        JumpRecord { merit: merit(stamp, 0), parent: number << 3, at: [at.0 as u16, at.1 as u16] }
    }

    #[inline(always)]
    pub(super) fn g(self) -> u32 {
        !(self.merit as u32)
    }

    #[inline(always)]
    pub(super) fn point(self) -> Point {
        (usize::from(self.at[0] & !CLOSED), usize::from(self.at[1]))
    }

    #[inline(always)]
    pub(super) fn is_closed(self) -> bool {
        self.at[0] & CLOSED != 0
    }

    /// The direction of arrival at the jump point of this number.
    #[inline(always)]
    pub(super) fn arrived(self, number: u32) -> u8 {
        if self.parent >> 3 == number { START } else { (self.parent & 7) as u8 }
    }
}

#[inline(always)]
pub(super) fn merit(stamp: u32, g: u32) -> u64 {
    u64::from(stamp) << 32 | u64::from(!g)
}

impl Stamp for JumpRecord {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        (self.merit >> 32) as u32
    }
}

/// A cell's place with the rim counted.
pub(super) fn point(cell: Cell) -> Point {
    (usize::from(cell.x) + 1, usize::from(cell.y) + 1)
}

/// Makes a scratch ready for a search among `count` jump points from a start that is the one of this number, if any.
pub(super) fn set_out(task: Task, number: Option<u32>, count: usize, scratch: &mut Scratch) {
    let start = point(task.from);
    // A start that is no jump point takes the number after the last.
    let number = number.unwrap_or(count as u32);
    scratch.jumps.reset(count + 1, u32::MAX);
    let stamp = scratch.jumps.stamp();
    *scratch.jumps.slot(number as usize) = JumpRecord::start(number, start, stamp);
    let costs = Costs::new(task);
    let key = costs.left(start);
    scratch.list.reset(key, costs.straight);
    scratch.list.push(key, number);
    scratch.state = State::begun();
}

/// What a search that came to its end has found.
pub(super) fn finish(task: Task, scratch: &mut Scratch) -> End {
    if scratch.state.best == TOO_FAR {
        return End::NotFound;
    }
    trace(task, scratch);
    End::Found(scratch.state.best as u32)
}

impl Method for JumpPoint {
    fn reserve(&self, _grid: &SquareGrid, scratch: &mut Scratch) -> Result<(), OutOfMemory> {
        scratch.jumps.reserve(self.map.count() + 1)
    }

    fn begin(&self, task: Task, scratch: &mut Scratch) {
        set_out(task, self.map.number(point(task.from)), self.map.count(), scratch);
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        let ended = match probe {
            None => self.run(task, scratch, left, &mut Unwatched),
            Some(mut probe) => self.run(task, scratch, left, &mut probe),
        };
        ended.then(|| finish(task, scratch))
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        // An edit redoes whole rows, columns and diagonals, about as much work as this many cells from scratch.
        const CELLS_PER_EDIT: usize = 1500;
        if edits.len() * CELLS_PER_EDIT > grid.width() * grid.height() {
            self.map = JumpMap::new(grid);
        } else {
            self.map.repair(grid, edits.iter().map(|edit| edit.area));
        }
        Repair::default()
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
pub(super) fn node(grid: &SquareGrid, (x, y): Point) -> NodeId {
    NodeId((y * (grid.width() + 1) + x) as u32)
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
    let cell = Cell { x: at.0 as u16 - 1, y: at.1 as u16 - 1 };
    // In 16 bits all the way, which takes several cells at a time.
    let along = |from: u16, by: i32, i: u16| from.wrapping_add((by as u16).wrapping_mul(i));
    trail.extend((0..count as u16).map(|i| Cell { x: along(cell.x, dx, i), y: along(cell.y, dy, i) }));
    *at = step(*at, dx, dy, count as usize);
}
