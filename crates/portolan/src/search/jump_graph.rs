//! Jump graph: jump point search with its rays followed beforehand, and landmarks to guide it.
//!
//! **Idea.** Which jump points come next depends only on the jump point and the direction of arrival, so the leaps are
//! kept as edges and a query scans no ray but those of its start ([`leaps`]). A goal is no part of the graph: every jump
//! point knows how far it can go diagonally, so one comparison and one look at a bitmap tell whether it sees the goal.
//! Distances to landmarks, kept at jump points only, see walls that the way as the crow flies does not; a goal finds its
//! own by the jump points that its rays lead to, as ways cost the same there and back ([`landmark_setup`]).
//! **Use** it on uniform worlds with eight directions that are asked more often than edited: the fastest exact search. On
//! sparse scatter landmarks have no walls to see, and on large dense scatter scanning bitmaps is as fast.
//! **Promises** a cheapest route under every corner rule.
//! **Costs** a few bytes a cell (where clutter makes every other cell a jump point, tens) and milliseconds to build, ten
//! times as many with landmarks. An edit redoes the leaps it can change ([`mend`]) in microseconds and voids the landmarks:
//! queries are then slower, and exact as before, until [`crate::Planner::refresh`] sets new ones, which a clone can do
//! on another thread.
//! **Departs** from its papers in keeping edges by direction of arrival and no node for start or goal, in buckets for a
//! queue, and in landmark distances rounded to 16 bits. A jump point that sees the goal is not followed further.
//!
//! Harabor, Grastien: Improving jump point search, 2014 (JPS+); Harabor, Uras, Stuckey, Koenig: Regarding jump point
//! search and subgoal graphs, 2019; Goldberg, Harrelson: Computing the shortest path: A* search meets graph theory, 2005.

mod landmark_setup;
mod leaps;
mod outline;
mod repair;
mod saved;

use super::jump_point;
use super::jump_point::{CLOSED, Costs, JumpRecord, finish, merit, node, point, set_out};
use crate::graph::START;
use crate::memory::OutOfMemory;
use crate::method::{End, Method, Task};
use crate::open_list::BucketList;
use crate::outline::Outline;
use crate::planner::Repair;
use crate::probe::{Event, Probe, Unwatched};
use crate::registry::{Algorithm, Promise, Unsuited};
use crate::saved::SectionStream;
use crate::scratch::{Scratch, Stamp, Stamped, State};
use crate::search::shared::jump_map::{JumpMap, Point};
pub(crate) use crate::search::shared::landmarks::Sight;
use crate::search::shared::landmarks::{LANDMARKS, Landmarks};
use crate::world::moves::{NE, NW, SE, SW};
use crate::world::square::SquareGrid;
use crate::world::{Area, Edit};
use leaps::{Edge, JumpPointEntry, LeapGraph};
use repair::{DiagonalStarts, repair};
pub(crate) use saved::open;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "jump-graph",
    title: "Jump graph",
    summary: "jump points with their leaps kept as edges, guided by landmarks; uniform worlds",
    paper: "Harabor, Grastien 2014; Goldberg, Harrelson 2005",
    params: &[LANDMARKS],
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
    /// How many landmarks to set.
    wanted: usize,
    /// None after an edit, or where there is nothing to guide.
    marks: Option<Landmarks>,
}

impl JumpGraph {
    fn new(grid: &SquareGrid, wanted: usize) -> JumpGraph {
        let mut graph = JumpGraph::unguided(grid, wanted);
        graph.refresh(grid);
        graph
    }

    /// The graph without landmarks.
    fn unguided(grid: &SquareGrid, wanted: usize) -> JumpGraph {
        let map = JumpMap::new(grid);
        // As in jump point search: three bits of an edge are taken.
        assert!(map.count() < 1 << 29, "{} jump points are more than edges can number", map.count());
        let leaps = LeapGraph::new(grid, &map);
        JumpGraph { diagonal_starts: DiagonalStarts::new(&map, &leaps), leaps, map, wanted, marks: None }
    }
}

impl Method for JumpGraph {
    fn reserve(&self, _grid: &SquareGrid, scratch: &mut Scratch) -> Result<(), OutOfMemory> {
        scratch.jumps.reserve(self.leaps.spots.len() + 1)
    }

    fn begin(&self, task: Task, scratch: &mut Scratch) {
        set_out(task, self.leaps.number(&self.map, point(task.from)), self.leaps.spots.len(), scratch);
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        let ended = match probe {
            None => self.run(task, scratch, left, &mut Unwatched),
            Some(mut probe) => self.run(task, scratch, left, &mut probe),
        };
        ended.then(|| finish(task, scratch))
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        // A line into an edit's zone takes about as much work as this many cells from scratch.
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
    /// Whether the search came to its end.
    fn run(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: &mut impl Probe) -> bool {
        let Scratch { jumps, list, state, sight, .. } = scratch;
        let (grid, costs) = (task.grid, Costs::new(task));
        match &self.marks {
            None => LeapSearch { graph: self, grid, costs, jumps, list, state, bound: NoBound, probe }.run(left),
            Some(marks) => {
                let bound = Guided { marks, sight };
                LeapSearch { graph: self, grid, costs, jumps, list, state, bound, probe }.run(left)
            }
        }
    }
}

/// What bounds the cost left, besides the way as the crow flies.
trait Bound {
    /// Looks at the goal from a search's start.
    fn look(&mut self, graph: &JumpGraph, grid: &SquareGrid, goal: Point);
    fn left(&self, number: u32) -> u64;
}

/// Nothing.
struct NoBound;

impl Bound for NoBound {
    fn look(&mut self, _: &JumpGraph, _: &SquareGrid, _: Point) {}

    #[inline(always)]
    fn left(&self, _: u32) -> u64 {
        0
    }
}

/// Landmarks.
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

/// A search under way.
struct LeapSearch<'a, B, P> {
    graph: &'a JumpGraph,
    grid: &'a SquareGrid,
    costs: Costs,
    jumps: &'a mut Stamped<JumpRecord>,
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
            let record = self.jumps.slot(number as usize);
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

    /// Leaves the start, by whatever rays it has. Whether the goal is in sight, which ends the search.
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
        let g = g as u32; // less than the best, which fits
        let stamp = self.jumps.stamp();
        let merit = merit(stamp, g);
        let record = self.jumps.slot(number as usize);
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
