//! Jump graph: jump point search whose rays are followed when the graph is built, guided by landmarks.
//!
//! **Idea.** A leap takes diagonal steps, then straight ones, from one jump point to another. Which leaps continue a
//! route depends only on the jump point and the direction of arrival there. So all leaps are stored as edges
//! ([`leaps`]), and a query follows no rays in the world except those of its start and its goal. The goal is not part
//! of the graph: each jump point stores how many diagonal steps are possible in each direction, so that one comparison
//! and one look at a bitmap decide whether a leap from there reaches the goal. A search is guided by distances to
//! landmarks, which account for walls. They are stored for jump points only; the distances of the goal follow from
//! those of the jump points that its rays lead to, because a route costs as much in either direction
//! ([`landmark_setup`]).
//! **Use** it on uniform worlds with eight directions that get more queries than edits: it is the fastest exact search.
//! Where single blocked cells are scattered, it gains less: if they are sparse, there are no walls for landmarks to
//! account for, and if they are dense and the world is large, scanning bitmaps ([`super::jump_point`]) is as fast.
//! **Promises** a cheapest route under every corner rule.
//! **Costs** a few bytes for each cell, or tens of bytes where obstacles make every other cell a jump point. It is
//! built in milliseconds, ten times as many with landmarks. An edit redoes the leaps that it can change
//! ([`mod@repair`]) in microseconds and drops the landmarks. Queries are then slower, but still exact, until
//! [`crate::Planner::refresh`] sets new landmarks. A clone of the planner can do that on another thread.
//! **Departs** from its papers: edges are stored by direction of arrival, start and goal are not added to the graph,
//! the open list is made of buckets, and landmark distances are rounded to 16 bits. The search does not follow the
//! leaps of a jump point from which a leap reaches the goal.
//!
//! Harabor, Grastien: Improving jump point search, 2014 (JPS+); Harabor, Uras, Stuckey, Koenig: Regarding jump point
//! search and subgoal graphs, 2019; Goldberg, Harrelson: Computing the shortest path: A* search meets graph theory,
//! 2005.

mod landmark_setup;
mod leaps;
mod outline;
mod repair;
mod saved;

use super::jump_point;
use super::jump_point::{CLOSED, Costs, JumpRecord, JumpScratch, finish, merit, node, point, set_out};
use crate::algorithm::{Algorithm, Promise, Unsuited};
use crate::graph::START;
use crate::memory::OutOfMemory;
use crate::method::Repair;
use crate::method::{End, Method, Task};
use crate::open_list::BucketList;
use crate::outline::Outline;
use crate::probe::{Event, Probe, with_probe};
use crate::saved::SectionStream;
use crate::scratch::{Scratch, Stamp, Stamped, State};
use crate::search::shared::jump_map::{JumpMap, Point};
use crate::search::shared::landmarks::{LANDMARKS, Landmarks, Sight};
use crate::space::Motion;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{NE, NW, SE, SW};
use crate::space::{Area, Edit, Extras};
use leaps::{Edge, JumpPointEntry, LeapGraph};
use repair::{DiagonalStarts, repair};
pub(crate) use saved::open;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "jump-graph",
    title: "Jump graph",
    summary: "jump points with their leaps kept as edges, guided by landmarks; uniform worlds",
    paper: "Harabor, Grastien 2014; Goldberg, Harrelson 2005",
    params: &[LANDMARKS],
    bytes_per_cell: 64,
    table_bytes: |_, _| 0,
    motion: Motion::Steps,
    extras: Extras::Nothing,
    suits: |grid| {
        let unsuited = |other: Unsuited| Unsuited { algorithm: "jump-graph", ..other };
        jump_point::ALGORITHM.suits(grid).map_err(unsuited)
    },
    promise: |_, _| Promise::Optimal,
    known_bytes: |grid, _| JumpMap::known_bytes(grid),
    build: |grid, settings| Box::new(JumpGraph::new(grid, settings.count(LANDMARKS.name) as usize)),
    open: Some(open),
};

#[derive(Clone)]
struct JumpGraph {
    map: JumpMap,
    leaps: LeapGraph,
    diagonal_starts: DiagonalStarts,
    /// The greatest number of landmarks to set.
    wanted: usize,
    /// `None` from an edit until the next refresh, and where `landmark_setup` sets no landmarks.
    marks: Option<Landmarks>,
}

impl JumpGraph {
    fn new(grid: &SquareGrid, wanted: usize) -> JumpGraph {
        let mut graph = JumpGraph::unguided(grid, wanted);
        graph.refresh(grid);
        graph
    }

    /// Builds the graph without landmarks.
    fn unguided(grid: &SquareGrid, wanted: usize) -> JumpGraph {
        let map = JumpMap::new(grid);
        // `Edge::to` and `JumpRecord::parent` store a number and three bits for a direction in 32 bits.
        assert!(map.count() < 1 << 29, "{} jump points are more than edges can number", map.count());
        let leaps = LeapGraph::new(grid, &map);
        JumpGraph { diagonal_starts: DiagonalStarts::new(&map, &leaps), leaps, map, wanted, marks: None }
    }
}

impl Method for JumpGraph {
    fn reserve(&self, _grid: &SquareGrid, scratch: &mut Scratch) -> Result<(), OutOfMemory> {
        scratch.states.own::<JumpScratch>().records.reserve(self.leaps.spots.len() + 1)
    }

    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.is_new = true;
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        with_probe!(probe, |watcher| self.run(task, scratch, left, watcher))
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        // Repairing one row or column of an edit's zone (its area and one cell around it) takes about as long as
        // building the graph for this many cells.
        const CELLS_PER_LINE: usize = 500;
        self.marks = None;
        let areas: Vec<_> = edits.iter().map(|edit| edit.area).collect();
        let lines: usize = areas.iter().map(|area| usize::from(area.width) + usize::from(area.height) + 4).sum();
        if lines * CELLS_PER_LINE > grid.width() * grid.height() || !self.leaps.fits(grid) {
            *self = JumpGraph::unguided(grid, self.wanted);
            let world = Area { x: 0, y: 0, width: grid.width() as u16, height: grid.height() as u16 };
            return Repair::of(0, [world].into_iter());
        }
        let redone = repair(grid, &areas, &mut self.map, &mut self.leaps, &mut self.diagonal_starts);
        Repair::of(0, redone.into_iter().map(Area::from))
    }

    fn refresh(&mut self, grid: &SquareGrid) -> bool {
        self.marks = landmark_setup::set_up(grid, &self.map, &self.leaps, self.wanted);
        false
    }

    fn outline(&self, grid: &SquareGrid) -> Option<Outline> {
        Some(self.outlined(grid))
    }

    fn save(&self) -> Option<Vec<SectionStream<'_>>> {
        self.marks.as_ref().map(|marks| saved::sections(self, marks))
    }

    fn bytes(&self) -> usize {
        let marks = self.marks.as_ref().map_or(0, Landmarks::bytes);
        self.map.bytes() + self.leaps.bytes() + self.diagonal_starts.bytes() + marks
    }
}

impl JumpGraph {
    /// Expands up to `left` nodes and counts `left` down. Returns `None` if there is more to do.
    fn run(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: &mut impl Probe) -> Option<End> {
        let Scratch { list, is_new, states, trail, .. } = scratch;
        let JumpScratch { records, sight, state } = states.own();
        let (grid, costs) = (task.grid, Costs::new(task));
        if std::mem::take(is_new) {
            let number = self.leaps.number(&self.map, point(task.from));
            set_out(task, costs, number, self.leaps.spots.len(), records, list);
            *state = State::begun();
        }
        let ended = match &self.marks {
            None => LeapSearch { graph: self, grid, costs, records, list, state, bound: NoBound, probe }.run(left),
            Some(marks) => {
                let bound = Guided { marks, sight };
                LeapSearch { graph: self, grid, costs, records, list, state, bound, probe }.run(left)
            }
        };
        ended.then(|| finish(task, *state, records, trail))
    }
}

/// A lower bound on the cost from a jump point to the goal, used in addition to the obstacle-free cost.
trait Bound {
    /// Prepares the bound for a goal. A search calls this once, when it expands its start.
    fn look(&mut self, graph: &JumpGraph, grid: &SquareGrid, goal: Point);
    /// Returns a lower bound on the cost from the jump point of this number to the goal.
    fn left(&self, number: u32) -> u64;
}

/// The bound of a graph without landmarks: always 0.
struct NoBound;

impl Bound for NoBound {
    fn look(&mut self, _: &JumpGraph, _: &SquareGrid, _: Point) {}

    #[inline(always)]
    fn left(&self, _: u32) -> u64 {
        0
    }
}

/// The bound by distances to landmarks.
struct Guided<'a> {
    marks: &'a Landmarks,
    sight: &'a mut Sight,
}

impl Bound for Guided<'_> {
    fn look(&mut self, graph: &JumpGraph, grid: &SquareGrid, goal: Point) {
        *self.sight = landmark_setup::sight(grid, &graph.map, &graph.leaps, self.marks, goal);
    }

    #[inline(always)]
    fn left(&self, number: u32) -> u64 {
        self.marks.estimate(number as usize, self.sight)
    }
}

/// A search in progress: the graph, and the parts of the scratch that the search works on.
struct LeapSearch<'a, B, P> {
    graph: &'a JumpGraph,
    grid: &'a SquareGrid,
    costs: Costs,
    records: &'a mut Stamped<JumpRecord>,
    list: &'a mut BucketList,
    state: &'a mut State,
    bound: B,
    probe: &'a mut P,
}

impl<B: Bound, P: Probe> LeapSearch<'_, B, P> {
    fn run(&mut self, left: &mut u64) -> bool {
        while *left > 0 {
            let Some(number) = self.list.pop() else {
                return true;
            };
            let record = self.records.slot(number as usize);
            let (at, closed) = (record.point(), record.is_closed());
            self.probe.event(Event::Pop { node: node(self.grid, at) });
            if self.list.floor() >= self.state.best {
                return true;
            }
            if closed {
                continue;
            }
            record.at[0] |= CLOSED;
            let (g, parent) = (record.g(), record.parent);
            *left -= 1;
            self.probe.event(Event::Expand { node: node(self.grid, at), g });
            if record.arrived(number) == START {
                if self.depart(number, at) {
                    return true;
                }
                continue;
            }
            if self.graph.leaps.spots[number as usize].sees(&self.graph.map, self.costs.goal) {
                self.reach_goal(number, u64::from(g) + self.costs.left(at));
                continue;
            }
            let leaps = &self.graph.leaps;
            for &edge in leaps.row(number << 3 | parent & 7) {
                self.relax(number, g, edge);
            }
        }
        false
    }

    /// Expands the start. If one leap reaches the goal from there, records that route and returns `true`, which ends
    /// the search. Otherwise follows the rays of all legal moves and returns `false`.
    #[inline(never)]
    fn depart(&mut self, number: u32, at: Point) -> bool {
        let JumpGraph { map, leaps, .. } = self.graph;
        let goal = self.costs.goal;
        let mut spot = JumpPointEntry::at(at);
        let towards = if goal.0 > at.0 { [NE, SE] } else { [NW, SW] }[usize::from(goal.1 > at.1)];
        spot.reach[usize::from(towards) / 2] = map.ray(self.grid, at, towards, &mut |_| {}) as u16;
        if spot.sees(map, goal) {
            self.reach_goal(number, self.costs.left(at));
            return true;
        }
        self.bound.look(self.graph, self.grid, goal);
        let moves = self.grid.gait().legal()[usize::from(self.grid.around(node(self.grid, at)))];
        map.rays(self.grid, at, moves, &mut |landing| self.relax(number, 0, leaps.edge(map, landing)));
        false
    }

    #[inline(never)]
    fn reach_goal(&mut self, number: u32, cost: u64) {
        if cost < self.state.best {
            self.state.best = cost;
            self.state.mark = number;
            self.probe.event(Event::Goal { cost: cost as u32 });
        }
    }

    #[inline(always)]
    fn relax(&mut self, from: u32, g: u32, edge: Edge) {
        let number = edge.to >> 3;
        let spot = &self.graph.leaps.spots[number as usize];
        let to_node = || node(self.grid, spot.point());
        self.probe.event(Event::Generate { node: to_node() });
        let g = u64::from(g) + u64::from(edge.cost);
        if g >= self.state.best {
            return;
        }
        let g = g as u32; // less than `best`, which is at most 2^32
        let stamp = self.records.stamp();
        let merit = merit(stamp, g);
        let record = self.records.slot(number as usize);
        if merit <= record.merit {
            return;
        }
        let key = u64::from(g) + self.costs.left(spot.point()).max(self.bound.left(number));
        if key >= self.state.best {
            return;
        }
        if record.stamp() == stamp {
            let closed = record.is_closed();
            self.probe.event(if closed {
                Event::Reopen { node: to_node() }
            } else {
                Event::Decrease { node: to_node() }
            });
        }
        *record = JumpRecord { merit, parent: from << 3 | edge.to & 7, at: spot.at };
        self.list.push(key, number);
        self.probe.event(Event::Push { node: to_node(), g, key });
    }
}
