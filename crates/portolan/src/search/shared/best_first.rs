//! The loop that Dijkstra, greedy, A* and weighted A* share: take the node with the lowest key off the open list and
//! look at its edges. A [`Rank`] computes the keys; a [`Graph`] lists the edges.
//!
//! The open lists order keys only to the width of a bucket. With an estimate that is a lower bound, A* and Dijkstra
//! still find a cheapest route, for three reasons: a node that becomes cheaper is opened again, an entry is not pushed
//! if its key is not below the best goal cost, and the search ends only when every key left is at least that cost.
//!
//! Not here: the ranks, which are in the files of their algorithms.

use super::trace::trace;
use crate::graph::{EUCLIDEAN, Estimate, Graph, GridEstimate, MANHATTAN, OCTILE, START, Shape, ZERO};
use crate::id::NodeId;
use crate::memory::OutOfMemory;
use crate::method::{End, Method, Task};
use crate::open_list::{BucketList, BucketRing};
use crate::probe::{Event, Probe, Unwatched};
use crate::scratch::{Record, Scratch, Stamp, State};
use crate::settings::{Param, Settings};
use crate::space::Directions;
use crate::space::square::SquareGrid;

/// The value of [`State::best`] before a route is found: greater than any key, even one inflated by a weight.
const UNKNOWN: u64 = u64::MAX;

pub(in crate::search) const HEURISTIC: Param = Param::choice(
    "heuristic",
    "distance left; natural is octile with eight directions and manhattan with four",
    &["natural", "octile", "manhattan", "euclidean", "zero"],
);

pub(crate) const SUCCESSORS: Param = Param::choice(
    "successors",
    "canonical keeps one of all equally short ways; weighted worlds need and get all",
    &["canonical", "all"],
);

/// A best-first search with its settings.
#[derive(Clone)]
pub(in crate::search) struct BestFirst<R> {
    pub(in crate::search) rank: R,
    /// The distance that guides the search; if `None`, [`natural_shape`] chooses it.
    pub(in crate::search) shape: Option<Shape>,
    /// Whether only canonical successors are looked at on uniform worlds.
    pub(in crate::search) canonical: bool,
}

/// Returns the heuristic that the settings name, or `None` for `natural`.
pub(in crate::search) fn shape(settings: &Settings) -> Option<Shape> {
    match settings.choice(HEURISTIC.name) {
        "octile" => Some(Shape::Octile),
        "manhattan" => Some(Shape::Manhattan),
        "euclidean" => Some(Shape::Euclidean),
        "zero" => Some(Shape::Zero),
        _ => None,
    }
}

/// Returns the shape that is the greatest lower bound on the distances of this world.
pub(in crate::search) fn natural_shape(grid: &SquareGrid) -> Shape {
    match grid.rules().directions {
        Directions::Four => Shape::Manhattan,
        Directions::Eight => Shape::Octile,
    }
}

/// Returns the greatest factor by which the heuristic can overestimate a cost, 1 for a lower bound. On eight
/// directions, Manhattan counts two straight steps where one diagonal step is enough.
pub(in crate::search) fn overestimate(grid: &SquareGrid, settings: &Settings) -> f64 {
    if shape(settings) == Some(Shape::Manhattan) && grid.rules().directions == Directions::Eight {
        f64::from(2 * grid.metric().straight()) / f64::from(grid.metric().diagonal())
    } else {
        1.0
    }
}

/// Runs `$body` with `$graph` bound to the moves that a search looks at. Each kind of moves has its own type, so that
/// the loop is compiled for each kind.
macro_rules! with_moves {
    ($grid:expr, $canonical:expr, |$graph:ident| $body:expr) => {
        if $grid.uniform_weight().is_none() {
            let $graph = crate::graph::Moves::<false, true>::new($grid);
            $body
        } else if $canonical {
            let $graph = crate::graph::Moves::<true, false>::new($grid);
            $body
        } else {
            let $graph = crate::graph::Moves::<false, false>::new($grid);
            $body
        }
    };
}
pub(in crate::search) use with_moves;

/// Runs `$body` with `$estimate` bound to the distance to the cell `$to`, measured by `$shape`. Each shape has its own
/// type, so that the loop is compiled for each shape.
macro_rules! with_estimate {
    ($shape:expr, $grid:expr, $to:expr, |$estimate:ident| $body:expr) => {
        match $shape {
            Shape::Octile => {
                let $estimate = GridEstimate::<OCTILE>::new($grid, $to);
                $body
            }
            Shape::Manhattan => {
                let $estimate = GridEstimate::<MANHATTAN>::new($grid, $to);
                $body
            }
            Shape::Euclidean => {
                let $estimate = GridEstimate::<EUCLIDEAN>::new($grid, $to);
                $body
            }
            Shape::Zero => {
                let $estimate = GridEstimate::<ZERO>::new($grid, $to);
                $body
            }
        }
    };
}
pub(in crate::search) use with_estimate;

impl<R: Rank + Clone + Send + Sync + 'static> Method for BestFirst<R> {
    fn reserve(&self, grid: &SquareGrid, scratch: &mut Scratch) -> Result<(), OutOfMemory> {
        scratch.nodes.reserve(grid.node_count())
    }

    fn begin(&self, task: Task, scratch: &mut Scratch) {
        let shape = self.shape.unwrap_or_else(|| natural_shape(task.grid));
        with_moves!(task.grid, self.canonical, |graph| {
            with_estimate!(shape, task.grid, task.to, |estimate| begin(&graph, &estimate, &self.rank, task, scratch));
        });
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        let shape = self.shape.unwrap_or_else(|| natural_shape(task.grid));
        let ended = with_moves!(task.grid, self.canonical, |graph| {
            with_estimate!(shape, task.grid, task.to, |estimate| match probe {
                None => run(&graph, &estimate, &self.rank, task.goal(), scratch, left, &mut Unwatched),
                Some(mut probe) => run(&graph, &estimate, &self.rank, task.goal(), scratch, left, &mut probe),
            })
        });
        ended.then(|| finish(task, scratch))
    }
}

/// Returns the result of a search that has ended, and writes its route, if there is one, to [`Scratch::trail`].
pub(in crate::search) fn finish(task: Task, scratch: &mut Scratch) -> End {
    if scratch.state.best == UNKNOWN {
        return End::NotFound;
    }
    let Scratch { nodes, trail, .. } = scratch;
    let reached_by = |node: NodeId| nodes.of(node).map(Record::reached_by);
    End::Found(trace(task.grid, reached_by, task.goal(), trail))
}

/// The order in which nodes are expanded.
pub(in crate::search) trait Rank {
    /// Whether the search ends at the first route found and keeps the first cost and slot noted for each node.
    const HASTY: bool = false;
    /// Whether a node is expanded again when it becomes cheaper. If false, the algorithm's promise must hold without
    /// that. On a pruned graph nodes are always expanded again, whatever the value is.
    const REOPENS: bool = true;
    /// The open list that suits the keys.
    type Open: OpenList;
    /// Returns the key of a node whose cost from the start is `g` and whose estimated cost to the goal is `h`.
    fn key(&self, g: u32, h: u64) -> u64;
    /// Returns how far a new key can lie above the lowest key on the open list.
    fn spread(&self, greatest_edge: u32) -> u64;
    /// Returns the cost that the open list derives its bucket width from; `typical_edge` is the cost of a cheap edge.
    fn grain(&self, typical_edge: u32) -> u32 {
        typical_edge
    }
}

/// A priority queue of nodes.
pub(in crate::search) trait OpenList {
    /// Returns the one of the scratch's two open lists that has the implementing type.
    fn pick<'a>(ring: &'a mut BucketRing, list: &'a mut BucketList) -> &'a mut Self;
    fn reset(&mut self, first: u64, spread: u64, grain: u32);
    fn push(&mut self, key: u64, item: u32);
    fn pop(&mut self) -> Option<u32>;
    fn floor(&self) -> u64;
}

impl OpenList for BucketRing {
    fn pick<'a>(ring: &'a mut BucketRing, _: &'a mut BucketList) -> &'a mut Self {
        ring
    }

    fn reset(&mut self, first: u64, spread: u64, grain: u32) {
        self.reset(first, spread, grain);
    }

    #[inline(always)]
    fn push(&mut self, key: u64, item: u32) {
        self.push(key, item);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<u32> {
        self.pop()
    }

    #[inline(always)]
    fn floor(&self) -> u64 {
        self.floor()
    }
}

impl OpenList for BucketList {
    fn pick<'a>(_: &'a mut BucketRing, list: &'a mut BucketList) -> &'a mut Self {
        list
    }

    fn reset(&mut self, _first: u64, _spread: u64, grain: u32) {
        self.reset(0, grain);
    }

    #[inline(always)]
    fn push(&mut self, key: u64, item: u32) {
        self.push(key, item);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<u32> {
        self.pop()
    }

    #[inline(always)]
    fn floor(&self) -> u64 {
        self.floor()
    }
}

/// Makes the scratch ready for a search: clears its records and puts the start on the open list.
pub(in crate::search) fn begin<R: Rank>(
    graph: &impl Graph,
    estimate: &impl Estimate,
    rank: &R,
    task: Task,
    scratch: &mut Scratch,
) {
    let Scratch { nodes, ring, list, state, .. } = scratch;
    let open = R::Open::pick(ring, list);
    let start = task.start();
    let key = rank.key(0, estimate.estimate(start));
    nodes.begin(graph.node_count());
    *nodes.slot(start.index()) = Record::open(0, nodes.stamp(), START);
    open.reset(key, rank.spread(graph.greatest_edge()), rank.grain(graph.typical_edge()));
    open.push(key, start.0);
    *state = State { best: UNKNOWN, ..State::default() };
}

/// Expands up to `left` nodes and counts `left` down. Returns whether the search has ended.
pub(in crate::search) fn run<G: Graph, R: Rank>(
    graph: &G,
    estimate: &impl Estimate,
    rank: &R,
    goal: NodeId,
    scratch: &mut Scratch,
    left: &mut u64,
    probe: &mut impl Probe,
) -> bool {
    let Scratch { nodes, ring, list, state, .. } = scratch;
    let open = R::Open::pick(ring, list);
    let stamp = nodes.stamp();
    let reopens = R::REOPENS || G::PRUNED;
    while *left > 0 {
        let Some(item) = open.pop() else {
            return true;
        };
        let node = NodeId(item);
        probe.event(Event::Pop { node });
        if R::HASTY && state.best < UNKNOWN || !R::HASTY && open.floor() >= state.best {
            return true;
        }
        let record = nodes.slot(node.index());
        if record.is_closed() {
            continue; // expanded before: this entry is outdated
        }
        record.close();
        let (g, arrived) = (record.g, record.reached_by());
        *left -= 1;
        probe.event(Event::Expand { node, g });
        graph.for_each_edge(node, arrived, |to, cost, slot| {
            probe.event(Event::Generate { node: to });
            let record = nodes.slot(to.index());
            let known = record.stamp() == stamp;
            let Some(g) = g.checked_add(cost) else { return };
            if known && (R::HASTY || g >= record.g || !reopens && record.is_closed()) {
                return;
            }
            if to == goal {
                *record = Record::open(g, stamp, slot);
                state.best = u64::from(g);
                probe.event(Event::Goal { cost: g });
                return;
            }
            let key = rank.key(g, estimate.estimate(to));
            if !R::HASTY && key >= state.best {
                return;
            }
            if known {
                let again = if record.is_closed() { Event::Reopen { node: to } } else { Event::Decrease { node: to } };
                probe.event(again);
            }
            *record = Record::open(g, stamp, slot);
            open.push(key, to.0);
            probe.event(Event::Push { node: to, g, key });
        });
    }
    false
}
