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
use crate::graph::{Distance, Estimate, Graph, Grid, Reversible, Search, Shape};
use crate::id::{Cell, NodeId};
use crate::memory::OutOfMemory;
use crate::method::Repair;
use crate::method::{End, Method, Task};
use crate::open_list::BucketRing;
use crate::probe::{Probe, Unwatched, Watcher, with_probe};
use crate::route::straight::STRAIGHTEN;
use crate::scratch::{NodeRecord, Scratch};
use crate::search::shared::best_first::{BestFirst, Rank, SUCCESSORS, begin, finish, run};
use crate::search::shared::landmarks::{LANDMARKS, Landmarks, NO_WAY, Sight, pick_farthest};
use crate::settings::{Param, Value};
use crate::space::square::SquareGrid;
use crate::space::{Extras, Space};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "a-star",
        title: "A*",
        summary: "best-first by cost so far plus distance left; canonical successors on uniform worlds",
        paper: "Hart, Nilsson, Raphael 1968",
        params: if S::HAS_LINES {
            const { &[S::HEURISTIC, SUCCESSORS, NO_LANDMARKS, STRAIGHTEN] }
        } else {
            const { &[S::HEURISTIC, SUCCESSORS, NO_LANDMARKS] }
        },
        promise: |grid, settings| Promise::within(grid.overestimate(Shape::of(settings))),
        known_bytes: |grid, settings| {
            grid.node_count() * Landmarks::<S::Place>::bytes_a_node(settings.count(LANDMARKS.name) as usize)
        },
        extras: Extras::OneWays,
        ..Algorithm::flat(|grid, settings| {
            let canonical = settings.choice(SUCCESSORS.name) == "canonical";
            let plain = BestFirst { rank: Sum, shape: Shape::of(settings), canonical };
            let wanted = settings.count(LANDMARKS.name) as usize;
            // With a heuristic that overestimates, the route found depends on the estimates. An edit drops the landmarks,
            // so that a repaired planner would find other routes than a new one. Therefore no landmarks are set.
            // A landmark tells what ways from it cost, which are ways to it only where all lead back.
            let has_one_ways = grid.extras() > Extras::Walls;
            if wanted == 0 || has_one_ways || grid.overestimate(Shape::of(settings)) > 1.0 {
                return Box::new(plain);
            }
            Box::new(Guided { marks: set_up(grid, wanted), plain, wanted })
        })
    }
}

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
struct Guided<S: Space> {
    plain: BestFirst<Sum>,
    /// How many landmarks to set.
    wanted: usize,
    /// The landmarks; `None` after an edit until the next refresh, or if none could be set.
    marks: Option<Landmarks<S::Place>>,
}

impl<S: Space> Clone for Guided<S> {
    fn clone(&self) -> Guided<S> {
        Guided { plain: self.plain.clone(), wanted: self.wanted, marks: self.marks.clone() }
    }
}

/// An estimate: the greater of an obstacle-free distance and the landmarks' bound.
struct Greater<'a, D, P> {
    distance: &'a D,
    marks: &'a Landmarks<P>,
    sight: Sight,
}

impl<D: Estimate, P> Estimate for Greater<'_, D, P> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        self.distance.estimate(node).max(self.marks.estimate(node.index(), &self.sight))
    }
}

impl<S: Grid> Method<S> for Guided<S> {
    fn reserve(&self, grid: &S, scratch: &mut Scratch<S>) -> Result<(), OutOfMemory> {
        self.plain.reserve(grid, scratch)
    }

    fn begin(&self, task: Task<S>, scratch: &mut Scratch<S>) {
        let Some(marks) = &self.marks else {
            return self.plain.begin(task, scratch);
        };
        let beginning = Slice { marks, task, scratch, left: None, probe: None };
        task.grid.search(self.plain.canonical, self.plain.shape, task.to, beginning);
    }

    fn sweep(&self, grid: &S, from: S::Place, goals: &[S::Place], scratch: &mut Scratch<S>, costs: &mut [u32]) -> bool {
        self.plain.sweep(grid, from, goals, scratch, costs)
    }

    fn step(&self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        let Some(marks) = &self.marks else {
            return self.plain.step(task, scratch, left, probe);
        };
        let slice = Slice { marks, task, scratch: &mut *scratch, left: Some(left), probe };
        let ended = task.grid.search(self.plain.canonical, self.plain.shape, task.to, slice);
        ended.then(|| finish(task, scratch))
    }

    fn repair(&mut self, _: &S, _: &[S::Edit]) -> Repair {
        self.marks = None;
        Repair::default()
    }

    fn refresh(&mut self, grid: &S) -> bool {
        self.marks = set_up(grid, self.wanted);
        false
    }

    fn bytes(&self) -> usize {
        self.marks.as_ref().map_or(0, Landmarks::bytes)
    }
}

/// A search guided by landmarks, or a slice of it. Returns whether the search has ended.
struct Slice<'a, 'p, S: Space> {
    marks: &'a Landmarks<S::Place>,
    task: Task<'a, S>,
    scratch: &'a mut Scratch<S>,
    /// How many nodes may be expanded; `None` to begin the search.
    left: Option<&'a mut u64>,
    probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl<S: Grid> Search<S> for Slice<'_, '_, S> {
    type Output = bool;

    #[inline(always)]
    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, distance: &D) -> bool {
        let Slice { marks, task, scratch, left, probe } = self;
        let estimate = Greater { distance, marks, sight: marks.sight(task.goal().index()) };
        let Some(left) = left else {
            begin(graph, &estimate, &Sum, task.start(), scratch);
            return false;
        };
        with_probe!(probe, |watcher| run(graph, &estimate, &Sum, task.goal(), scratch, left, watcher))
    }
}

/// Sets up to `count` landmarks in the largest connected part of the world. Returns `None` if no landmark can be set.
fn set_up<S: Grid>(grid: &S, count: usize) -> Option<Landmarks<S::Place>> {
    let mut parts = BTreeMap::<u64, (usize, NodeId)>::new();
    for cell in grid.all_cells() {
        if let Some(part) = grid.component(cell) {
            parts.entry(part).or_insert((0, grid.node_at(cell))).0 += 1;
        }
    }
    let &(_, seed) = parts.values().max_by_key(|&&(size, first)| (size, Reverse(first)))?;
    let mut marks = Landmarks::new(count, grid.node_count());
    let mut scratch = Scratch::new();
    let measure = |node: usize| {
        let from = grid.place(NodeId(node as u32));
        grid.search(true, Some(Shape::Zero), from, CostsFrom { grid, from, scratch: &mut scratch })
    };
    pick_farthest(count, seed.index(), &(0..grid.node_count()), measure, |node, costs| {
        marks.add(grid.place(NodeId(node as u32)), costs.into_iter());
    });
    (!marks.cells.is_empty()).then_some(marks)
}

/// A search of the whole world from a place. Its output is the cost to every node, [`NO_WAY`] for nodes that it does not
/// reach.
struct CostsFrom<'a, S: Space> {
    grid: &'a S,
    from: S::Place,
    scratch: &'a mut Scratch<S>,
}

impl<S: Grid> Search<S> for CostsFrom<'_, S> {
    type Output = Vec<u32>;

    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, zero: &D) -> Vec<u32> {
        let CostsFrom { grid, from, scratch } = self;
        let nowhere = NodeId(u32::MAX);
        begin(graph, zero, &Sum, grid.node_at(from), scratch);
        run(graph, zero, &Sum, nowhere, scratch, &mut { u64::MAX }, &mut Unwatched);
        let cost = |node| scratch.nodes.of(NodeId(node)).map_or(NO_WAY, |record| record.g());
        (0..grid.node_count() as u32).map(cost).collect()
    }
}

/// Begins a search that [`step_within`] continues.
pub(crate) fn begin_within(task: Task, scratch: &mut Scratch) {
    let all = BestFirst { rank: Sum, shape: None, canonical: false };
    all.begin(task, scratch);
}

/// Continues an A* search that looks only at nodes for which `inside` is true. Returns `None` if there is more to do.
pub(crate) fn step_within(
    task: Task,
    scratch: &mut Scratch,
    left: &mut u64,
    probe: &mut impl Probe,
    inside: impl Fn(NodeId) -> bool,
) -> Option<End> {
    let slice = SliceWithin { task, scratch: &mut *scratch, left, probe, inside: &inside };
    let ended = task.grid.search(false, None, task.to, slice);
    ended.then(|| finish(task, scratch))
}

/// Calls [`run`] on the part of a graph whose nodes are `inside`.
struct SliceWithin<'a, P, F> {
    task: Task<'a>,
    scratch: &'a mut Scratch,
    left: &'a mut u64,
    probe: &'a mut P,
    inside: &'a F,
}

impl<P: Probe, F: Fn(NodeId) -> bool> Search<SquareGrid> for SliceWithin<'_, P, F> {
    type Output = bool;

    #[inline(always)]
    fn run<G: Reversible, D: Distance<Cell>>(self, graph: &G, distance: &D) -> bool {
        let SliceWithin { task, scratch, left, probe, inside } = self;
        run(&Within { graph, inside }, distance, &Sum, task.goal(), scratch, left, probe)
    }
}

/// The part of a graph whose nodes are `inside`.
struct Within<'a, G, F> {
    graph: &'a G,
    inside: &'a F,
}

impl<G: Graph, F: Fn(NodeId) -> bool> Graph for Within<'_, G, F> {
    type Reached = G::Reached;
    const PRUNED: bool = G::PRUNED;

    fn node_count(&self) -> usize {
        self.graph.node_count()
    }

    #[inline(always)]
    fn for_each_edge(&self, from: NodeId, arrived: G::Reached, mut visit: impl FnMut(NodeId, u32, G::Reached)) {
        self.graph.for_each_edge(from, arrived, |to, cost, reached| {
            if (self.inside)(to) {
                visit(to, cost, reached);
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
