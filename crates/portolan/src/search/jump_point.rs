//! Jump point search: A* that follows straight and diagonal rays and has nodes only where a route may have to turn.
//!
//! **Idea.** Of all equally cheap routes, the search keeps the one that takes its diagonal steps first. Such a route
//! turns only at jump points, the cells where an obstacle forces a turn, and where a straight branch leaves a diagonal
//! ray. So only the start and jump points are nodes. A ray is followed to its next stop by counting zeros in a bitmap
//! ([`crate::search::shared::jump_map`]). The cells of a diagonal ray where branches leave it are no nodes: the parent
//! of a jump point that a branch finds is the node where the diagonal ray began. Only where corners may be cut can a
//! diagonal ray itself end at a jump point.
//! **Use** it on uniform worlds with eight directions: it is the fastest exact search without a costly index.
//! **Promises** a cheapest route under every corner rule.
//! **Costs** an index of about 2.6 bytes for each cell, built in milliseconds and repaired in microseconds. A query
//! writes records for jump points only.
//! **Departs** from its papers: diagonal rays have bitmaps of stops too. The goal is not marked in the bitmaps, so that
//! any number of threads can share them; instead, each ray is tested once for passing the goal.
//!
//! Harabor, Grastien: Online graph pruning for pathfinding on grid maps, 2011; Improving jump point search, 2014.

mod leap;

use super::shared::sweep;
use crate::algorithm::{Algorithm, Promise, Unsuited};
use crate::graph::START;
use crate::id::{Cell, NodeId};
use crate::memory::OutOfMemory;
use crate::method::Repair;
use crate::method::{End, Method, Task};
use crate::open_list::BucketList;
use crate::probe::{Event, Probe, with_probe};
use crate::scratch::{AlgorithmState, Scratch, Stamp, Stamped, State, TOO_FAR};
use crate::search::shared::jump_map::{JumpMap, Point};
use crate::search::shared::landmarks::Sight;
use crate::space::Motion;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, N, NE, NW, S, SE, SW, W};
use crate::space::{Corners, Directions, Edit, Extras};
use leap::Leap;
pub(super) use leap::{Costs, step_prices};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "jump-point",
    title: "Jump point search",
    summary: "A* that leaps from turning point to turning point along bitmaps; uniform worlds",
    paper: "Harabor, Grastien 2011, 2014",
    params: &[],
    bytes_per_cell: 4,
    table_bytes: |_, _| 0,
    motion: Motion::Steps,
    extras: Extras::Nothing,
    suits: |grid| {
        let uniform = grid.rules().directions == Directions::Eight && grid.uniform_weight().is_some();
        let needs = "eight directions and terrain of one weight";
        if uniform { Ok(()) } else { Err(Unsuited { algorithm: "jump-point", needs }) }
    },
    promise: |_, _| Promise::Optimal,
    known_bytes: |grid, _| JumpMap::known_bytes(grid),
    build: |grid, _| {
        let map = JumpMap::new(grid);
        // `JumpRecord::parent` has 29 bits for a number. Only a world of nearly the greatest size, with jump points in
        // half of its cells, would need more.
        assert!(map.count() < 1 << 29, "{} jump points are more than records can number", map.count());
        Box::new(JumpPoint { map })
    },
    open: None,
};

#[derive(Clone)]
struct JumpPoint {
    map: JumpMap,
}

/// The record of a jump point or start in a search: its least cost so far, and how it was reached.
#[derive(Copy, Clone, Default)]
pub(super) struct JumpRecord {
    /// The stamp of the query in the upper half, the bitwise complement of the cost in the lower half. A lower cost
    /// gives a greater number, and every number of the current query is greater than those of earlier queries. So one
    /// comparison decides whether a route to this node improves on the record.
    pub(super) merit: u64,
    /// The number of the parent, and in the lowest three bits the direction of arrival. The start is its own parent.
    pub(super) parent: u32,
    /// Column and row, rim included. The top bit of the column is [`CLOSED`].
    pub(super) at: [u16; 2],
}

/// The bit in the column of a record that is set once the node has been expanded.
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

    /// Returns the direction of arrival, or [`START`] for the start. `number` is the number of this record.
    #[inline(always)]
    pub(super) fn arrived(self, number: u32) -> u8 {
        if self.parent >> 3 == number { START } else { (self.parent & 7) as u8 }
    }
}

/// Returns [`JumpRecord::merit`] for a cost in the query with this stamp.
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

/// Returns the column and row of a cell with the rim counted.
pub(super) fn point(cell: Cell) -> Point {
    (usize::from(cell.x) + 1, usize::from(cell.y) + 1)
}

/// What a search over jump points writes besides its open list.
#[derive(Default)]
pub(super) struct JumpScratch {
    pub(super) records: Stamped<JumpRecord>,
    /// The distances of a jump graph's landmarks to the goal.
    pub(super) sight: Sight,
    /// The mark is the number of the last record on the best route.
    pub(super) state: State,
}

impl AlgorithmState for JumpScratch {
    fn bytes(&self) -> usize {
        self.records.bytes()
    }
}

/// Prepares a search over jump points whose numbers are less than `count`, and puts the start on the open list.
/// `number` is the number of the start, or `None` if the start is not a jump point.
#[inline(always)]
pub(super) fn set_out(
    task: Task,
    costs: Costs,
    number: Option<u32>,
    count: usize,
    records: &mut Stamped<JumpRecord>,
    list: &mut BucketList,
) {
    let start = point(task.from);
    // A start that is not a jump point gets the number after the last.
    let number = number.unwrap_or(count as u32);
    records.reset(count + 1, u32::MAX);
    let stamp = records.stamp();
    *records.slot(number as usize) = JumpRecord::start(number, start, stamp);
    let key = costs.left(start);
    list.reset(key, costs.prices.straight);
    list.push(key, number);
}

/// Returns the result of a search that has ended. If a route was found, writes its cells to the trail.
pub(super) fn finish(task: Task, state: State, records: &Stamped<JumpRecord>, trail: &mut Vec<Cell>) -> End {
    if state.best == TOO_FAR {
        return End::NotFound;
    }
    trace(task, state.mark, records, trail);
    End::Found(state.best as u32)
}

impl Method for JumpPoint {
    fn reserve(&self, _grid: &SquareGrid, scratch: &mut Scratch) -> Result<(), OutOfMemory> {
        scratch.states.own::<JumpScratch>().records.reserve(self.map.count() + 1)
    }

    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.is_new = true;
    }

    fn sweep(&self, grid: &SquareGrid, from: Cell, goals: &[Cell], scratch: &mut Scratch, costs: &mut [u32]) -> bool {
        sweep::costs_to(grid, from, goals, scratch, costs, 32)
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        with_probe!(probe, |watcher| self.advance(task, scratch, left, watcher))
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        // Repairing the map after one edit takes about as long as building it for this many cells.
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
    /// Expands up to `left` nodes and counts `left` down. Returns `None` if there is more to do.
    fn advance(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: &mut impl Probe) -> Option<End> {
        let Scratch { list, is_new, states, trail, .. } = scratch;
        let own: &mut JumpScratch = states.own();
        let costs = Costs::new(task);
        if std::mem::take(is_new) {
            set_out(task, costs, self.map.number(point(task.from)), self.map.count(), &mut own.records, list);
            own.state = State::begun();
        }
        self.run(task, costs, own, list, left, probe).then(|| finish(task, own.state, &own.records, trail))
    }

    /// Expands up to `left` nodes and counts `left` down. Returns whether the search has ended.
    fn run(
        &self,
        task: Task,
        costs: Costs,
        own: &mut JumpScratch,
        list: &mut BucketList,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> bool {
        let canonical = task.grid.gait().canonical();
        let mut leap = Leap {
            map: &self.map,
            grid: task.grid,
            costs,
            records: &mut own.records,
            open: list,
            state: &mut own.state,
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
            // Most arrivals are straight, and at most five moves can follow one. Five tests with fixed directions are
            // easier for the processor to predict than a jump through a table for each move.
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

/// Returns the node at a point. In node numbers, two neighbouring rows share one cell of the rim.
#[inline(always)]
pub(super) fn node(grid: &SquareGrid, (x, y): Point) -> NodeId {
    NodeId((y * (grid.width() + 1) + x) as u32)
}

/// Returns the point that lies `count` steps of `dx` columns and `dy` rows away.
#[inline(always)]
fn step((x, y): Point, dx: i32, dy: i32, count: usize) -> Point {
    let count = count as isize;
    (x.wrapping_add_signed(dx as isize * count), y.wrapping_add_signed(dy as isize * count))
}

/// Writes the cells of the route to the trail, from the goal back to the start. `number` is the number of the last
/// record on the route. A leap takes diagonal steps first and straight ones after them, so backwards the straight ones
/// come first.
fn trace(task: Task, mut number: u32, records: &Stamped<JumpRecord>, trail: &mut Vec<Cell>) {
    let mut at = point(task.to);
    loop {
        let record = records.get(number as usize).expect("a route is made of jump points reached");
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

/// Writes `count` cells to the trail, beginning with the cell at `at`, and moves `at` by `count` steps.
fn walk(trail: &mut Vec<Cell>, at: &mut Point, (dx, dy): (i32, i32), count: i32) {
    let cell = Cell { x: at.0 as u16 - 1, y: at.1 as u16 - 1 };
    // All arithmetic is in 16 bits, so that the compiler can compute several cells with one instruction.
    let along = |from: u16, by: i32, i: u16| from.wrapping_add((by as u16).wrapping_mul(i));
    trail.extend((0..count as u16).map(|i| Cell { x: along(cell.x, dx, i), y: along(cell.y, dy, i) }));
    *at = step(*at, dx, dy, count as usize);
}
