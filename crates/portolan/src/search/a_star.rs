//! A*: expands nodes by cost so far plus a lower bound on what is left.
//!
//! **Idea.** A best-first search guided by the obstacle-free distance. On uniform worlds it looks only at canonical
//! successors: of all equally short routes to a cell, only the one that takes its diagonal steps first. This halves the
//! work or better. With the setting `landmarks`, the distances to a few far cells guide the search too; unlike the
//! obstacle-free distance, they account for walls ([`super::shared::landmarks`]).
//! **Use** it on weighted worlds, on random clutter, and where no index may be kept.
//! **Promises** a cheapest route with the octile, Euclidean and zero heuristics. Manhattan on eight directions can
//! overestimate; the route then costs at most that factor times the optimum.
//! **Costs** O(n) expansions for n cells, O(1) each with the bucket queue. Each landmark takes one search of the whole
//! world to set, and two bytes a cell, allocated for eight landmarks at a time. An edit drops all landmarks;
//! [`crate::Planner::refresh`] sets new ones.
//! **Departs** from its paper in the bucket queue, which orders keys only to about a sixth of a step. To stay exact,
//! the search reopens nodes and stops only when no key left is below the cost of the route found.
//!
//! Hart, Nilsson, Raphael: A formal basis for the heuristic determination of minimum cost paths, 1968.
//! Canonical ordering: Harabor, Grastien: Online graph pruning for pathfinding on grid maps, 2011; Sturtevant,
//! Rabin: Canonical orderings on grids, 2016. Landmarks: Goldberg, Harrelson: Computing the shortest path: A* search
//! meets graph theory, 2005.

use crate::algorithm::{Algorithm, Promise};
use crate::graph::{EUCLIDEAN, Estimate, Graph, GridEstimate, MANHATTAN, OCTILE, Shape, Slot, ZERO};
use crate::id::NodeId;
use crate::memory::OutOfMemory;
use crate::method::Repair;
use crate::method::{End, Method, Task};
use crate::open_list::BucketRing;
use crate::probe::{Probe, Unwatched};
use crate::scratch::{Record, Scratch};
use crate::search::shared::best_first::{
    BestFirst, HEURISTIC, Rank, SUCCESSORS, begin, finish, natural_shape, overestimate, run, shape, with_estimate,
    with_moves,
};
use crate::search::shared::landmarks::{LANDMARKS, Landmarks, NO_WAY, Sight, pick_farthest};
use crate::settings::{Param, Value};
use crate::space::Edit;
use crate::space::square::SquareGrid;
use std::cmp::Reverse;
use std::collections::BTreeMap;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "a-star",
    title: "A*",
    summary: "best-first by cost so far plus distance left; canonical successors on uniform worlds",
    paper: "Hart, Nilsson, Raphael 1968",
    params: &[HEURISTIC, SUCCESSORS, NO_LANDMARKS],
    suits: |_| Ok(()),
    promise: |grid, settings| Promise::within(overestimate(grid, settings)),
    known_bytes: |grid, settings| grid.node_count() * Landmarks::bytes_a_node(settings.count(LANDMARKS.name) as usize),
    build: |grid, settings| {
        let canonical = settings.choice(SUCCESSORS.name) == "canonical";
        let plain = BestFirst { rank: Sum, shape: shape(settings), canonical };
        let wanted = settings.count(LANDMARKS.name) as usize;
        // With a heuristic that overestimates, the route found depends on the estimates. An edit drops the landmarks,
        // so that a repaired planner would find other routes than a new one. Therefore no landmarks are set.
        if wanted == 0 || overestimate(grid, settings) > 1.0 {
            return Box::new(plain);
        }
        Box::new(Guided { marks: set_up(grid, wanted), plain, wanted })
    },
    open: None,
};

/// The parameter for landmarks, none by default: they take long to set, and A* is for worlds that need no preparation.
const NO_LANDMARKS: Param = Param {
    help: "places whose distances guide the search until an edit voids them; none under a heuristic that overestimates",
    default: Value::Count(0),
    ..LANDMARKS
};

/// Ranks nodes by cost so far plus estimated distance left.
#[derive(Clone)]
pub(super) struct Sum;

impl Rank for Sum {
    type Open = BucketRing;

    #[inline(always)]
    fn key(&self, g: u32, h: u64) -> u64 {
        u64::from(g) + h
    }

    fn spread(&self, greatest_edge: u32) -> u64 {
        // A step adds one edge to the cost so far. A diagonal step away from the goal adds up to two edges to the
        // Manhattan distance left.
        3 * u64::from(greatest_edge)
    }
}

/// A* with landmarks.
#[derive(Clone)]
struct Guided {
    plain: BestFirst<Sum>,
    /// How many landmarks to set.
    wanted: usize,
    /// The landmarks; `None` after an edit until the next refresh, or if none could be set.
    marks: Option<Landmarks>,
}

/// An estimate: the greater of an obstacle-free distance and the landmarks' bound.
struct Greater<'a, E> {
    distance: E,
    marks: &'a Landmarks,
    sight: Sight,
}

impl<E: Estimate> Estimate for Greater<'_, E> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        self.distance.estimate(node).max(self.marks.estimate(node.index(), &self.sight))
    }
}

impl Method for Guided {
    fn reserve(&self, grid: &SquareGrid, scratch: &mut Scratch) -> Result<(), OutOfMemory> {
        self.plain.reserve(grid, scratch)
    }

    fn begin(&self, task: Task, scratch: &mut Scratch) {
        let Some(marks) = &self.marks else {
            return self.plain.begin(task, scratch);
        };
        let shape = self.plain.shape.unwrap_or_else(|| natural_shape(task.grid));
        let sight = marks.sight(task.goal().index());
        with_moves!(task.grid, self.plain.canonical, |graph| {
            with_estimate!(shape, task.grid, task.to, |distance| {
                begin(&graph, &Greater { distance, marks, sight }, &Sum, task, scratch);
            });
        });
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        let Some(marks) = &self.marks else {
            return self.plain.step(task, scratch, left, probe);
        };
        let shape = self.plain.shape.unwrap_or_else(|| natural_shape(task.grid));
        let sight = marks.sight(task.goal().index());
        let ended = with_moves!(task.grid, self.plain.canonical, |graph| {
            with_estimate!(shape, task.grid, task.to, |distance| {
                let estimate = Greater { distance, marks, sight };
                match probe {
                    None => run(&graph, &estimate, &Sum, task.goal(), scratch, left, &mut Unwatched),
                    Some(mut probe) => run(&graph, &estimate, &Sum, task.goal(), scratch, left, &mut probe),
                }
            })
        });
        ended.then(|| finish(task, scratch))
    }

    fn repair(&mut self, _: &SquareGrid, _: &[Edit]) -> Repair {
        self.marks = None;
        Repair::default()
    }

    fn refresh(&mut self, grid: &SquareGrid) -> bool {
        self.marks = set_up(grid, self.wanted);
        false
    }

    fn bytes(&self) -> usize {
        self.marks.as_ref().map_or(0, Landmarks::bytes)
    }
}

/// Sets up to `count` landmarks in the largest connected part of the world. Returns `None` if no landmark can be set.
fn set_up(grid: &SquareGrid, count: usize) -> Option<Landmarks> {
    let mut parts = BTreeMap::<u64, (usize, NodeId)>::new();
    for cell in grid.cells() {
        if let Some(part) = grid.component(cell) {
            parts.entry(part).or_insert((0, grid.node(cell))).0 += 1;
        }
    }
    let &(_, seed) = parts.values().max_by_key(|&&(size, first)| (size, Reverse(first)))?;
    let mut marks = Landmarks::new(count, grid.node_count());
    let mut scratch = Scratch::new();
    with_moves!(grid, true, |graph| {
        let measure = |node: usize| costs_from(grid, &graph, NodeId(node as u32), &mut scratch);
        pick_farthest(count, seed.index(), &(0..grid.node_count()), measure, |node, costs| {
            marks.add(grid.cell(NodeId(node as u32)), costs.into_iter());
        });
    });
    (!marks.cells.is_empty()).then_some(marks)
}

/// Returns the cost from a node to every node, [`NO_WAY`] for nodes that it does not reach.
fn costs_from(grid: &SquareGrid, graph: &impl Graph, from: NodeId, scratch: &mut Scratch) -> Vec<u32> {
    let cell = grid.cell(from);
    let (task, nowhere) = (Task { grid, from: cell, to: cell }, NodeId(u32::MAX));
    let estimate = GridEstimate::<ZERO>::new(grid, cell);
    begin(graph, &estimate, &Sum, task, scratch);
    run(graph, &estimate, &Sum, nowhere, scratch, &mut { u64::MAX }, &mut Unwatched);
    let cost = |node| scratch.nodes.of(NodeId(node)).map_or(NO_WAY, |record: Record| record.g);
    (0..grid.node_count() as u32).map(cost).collect()
}

/// Begins a search that [`step_within`] continues.
pub(crate) fn begin_within(task: Task, scratch: &mut Scratch) {
    with_moves!(task.grid, false, |graph| {
        with_estimate!(natural_shape(task.grid), task.grid, task.to, |estimate| {
            begin(&graph, &estimate, &Sum, task, scratch);
        });
    });
}

/// Continues an A* search that looks only at nodes for which `inside` is true. Returns `None` if there is more to do.
pub(crate) fn step_within(
    task: Task,
    scratch: &mut Scratch,
    left: &mut u64,
    probe: &mut impl Probe,
    inside: impl Fn(NodeId) -> bool,
) -> Option<End> {
    let ended = with_moves!(task.grid, false, |graph| {
        let graph = Within { graph, inside: &inside };
        with_estimate!(natural_shape(task.grid), task.grid, task.to, |estimate| {
            run(&graph, &estimate, &Sum, task.goal(), scratch, left, probe)
        })
    });
    ended.then(|| finish(task, scratch))
}

/// The part of a graph whose nodes are `inside`.
struct Within<G, F> {
    graph: G,
    inside: F,
}

impl<G: Graph, F: Fn(NodeId) -> bool> Graph for Within<G, F> {
    const PRUNED: bool = G::PRUNED;

    fn node_count(&self) -> usize {
        self.graph.node_count()
    }

    #[inline(always)]
    fn for_each_edge(&self, from: NodeId, arrived: Slot, mut visit: impl FnMut(NodeId, u32, Slot)) {
        self.graph.for_each_edge(from, arrived, |to, cost, slot| {
            if (self.inside)(to) {
                visit(to, cost, slot);
            }
        });
    }

    fn greatest_edge(&self) -> u32 {
        self.graph.greatest_edge()
    }

    fn typical_edge(&self) -> u32 {
        self.graph.typical_edge()
    }
}
