//! The loop that Dijkstra, greedy, A* and weighted A* share: take the node with the lowest key off the open list and
//! look at its edges. A [`Rank`] computes the keys; a [`Graph`] lists the edges.
//!
//! The open lists order keys only to the width of a bucket. With an estimate that is a lower bound, A* and Dijkstra
//! still find a cheapest route, for three reasons: a node that becomes cheaper is opened again, an entry is not pushed
//! if its key is not below the best goal cost, and the search ends only when every key left is at least that cost.
//!
//! Not here: the ranks, which are in the files of their algorithms.

use super::open_list::OpenList;
use super::sweep;
use super::trace::trace;
use crate::graph::{Distance, Estimate, Graph, Grid, Reached, Reversible, Search, Shape};
use crate::id::NodeId;
use crate::memory::OutOfMemory;
use crate::method::{End, Method, Task};
use crate::probe::{Event, Probe, Watcher, with_probe};
use crate::scratch::{NodeRecord, Scratch, Stamp, State};
use crate::settings::Param;
use crate::space::Space;

/// The value of [`State::best`] before a route is found: greater than any key, even one inflated by a weight.
const UNKNOWN: u64 = u64::MAX;

pub(crate) const SUCCESSORS: Param = Param::choice(
    "successors",
    "canonical keeps one of all equally short ways; weighted worlds need and get all",
    &["canonical", "all"],
);

/// From how many goals on one search for all of them is faster than one for each, with an estimate that guides
/// the searches.
const MANY: usize = 8;

/// A best-first search with its settings.
#[derive(Clone)]
pub(in crate::search) struct BestFirst<R> {
    pub(in crate::search) rank: R,
    /// The distance that guides the search; `None` for the natural one of the grid.
    pub(in crate::search) shape: Option<Shape>,
    /// Whether only canonical successors are looked at on uniform worlds.
    pub(in crate::search) canonical: bool,
}

impl<S: Grid, R: Rank + Clone + Send + Sync + 'static> Method<S> for BestFirst<R> {
    fn reserve(&self, grid: &S, scratch: &mut Scratch<S>) -> Result<(), OutOfMemory> {
        scratch.nodes.reserve(grid.node_count())
    }

    fn begin(&self, task: Task<S>, scratch: &mut Scratch<S>) {
        task.grid.search(self.canonical, self.shape, task.to, Beginning { rank: &self.rank, task, scratch });
    }

    fn sweep(&self, grid: &S, from: S::Place, goals: &[S::Place], scratch: &mut Scratch<S>, costs: &mut [u32]) -> bool {
        let many = if self.shape == Some(Shape::Zero) { 2 } else { MANY };
        sweep::costs_to(grid, from, goals, scratch, costs, many)
    }

    fn step(&self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        let slice = Slice { rank: &self.rank, task, scratch: &mut *scratch, left, probe };
        let ended = task.grid.search(self.canonical, self.shape, task.to, slice);
        ended.then(|| finish(task, scratch))
    }
}

/// Calls [`begin`] with the graph and the distance of a grid.
struct Beginning<'a, S: Space, R> {
    rank: &'a R,
    task: Task<'a, S>,
    scratch: &'a mut Scratch<S>,
}

impl<S: Grid, R: Rank> Search<S> for Beginning<'_, S, R> {
    type Output = ();

    #[inline(always)]
    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, distance: &D) {
        begin(graph, distance, self.rank, self.task.start(), self.scratch);
    }
}

/// Calls [`run`] with the graph and the distance of a grid.
struct Slice<'a, 'p, S: Space, R> {
    rank: &'a R,
    task: Task<'a, S>,
    scratch: &'a mut Scratch<S>,
    left: &'a mut u64,
    probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl<S: Grid, R: Rank> Search<S> for Slice<'_, '_, S, R> {
    type Output = bool;

    #[inline(always)]
    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, distance: &D) -> bool {
        let Slice { rank, task, scratch, left, probe } = self;
        with_probe!(probe, |watcher| run(graph, distance, rank, task.goal(), scratch, left, watcher))
    }
}

/// Returns the result of a search that has ended, and writes its route, if there is one, to [`Scratch::trail`].
pub(in crate::search) fn finish<S: Grid>(task: Task<S>, scratch: &mut Scratch<S>) -> End {
    if scratch.state.best == UNKNOWN {
        return End::NotFound;
    }
    let Scratch { nodes, trail, .. } = scratch;
    let reached_by = |node: NodeId| nodes.of(node).map(|record| record.reached());
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

/// Makes the scratch ready for a search: clears its records and puts the start on the open list.
pub(in crate::search) fn begin<S: Space, G: Graph, R: Rank>(
    graph: &G,
    estimate: &impl Estimate,
    rank: &R,
    start: NodeId,
    scratch: &mut Scratch<S>,
) {
    let Scratch { nodes, states, ring, list, state, .. } = scratch;
    let nodes = G::Reached::records(nodes, states);
    let open = R::Open::pick(ring, list);
    let key = rank.key(0, estimate.estimate(start));
    nodes.reset(graph.node_count(), <G::Reached as Reached>::Record::STAMP_LIMIT);
    *nodes.slot(start.index()) = NodeRecord::open(0, nodes.stamp(), G::Reached::START);
    open.reset(key, rank.spread(graph.greatest_edge()), rank.grain(graph.typical_edge()));
    open.push(key, start.0);
    *state = State { best: UNKNOWN, ..State::default() };
}

/// Expands up to `left` nodes and counts `left` down. Returns whether the search has ended.
pub(in crate::search) fn run<S: Space, G: Graph, R: Rank>(
    graph: &G,
    estimate: &impl Estimate,
    rank: &R,
    goal: NodeId,
    scratch: &mut Scratch<S>,
    left: &mut u64,
    probe: &mut impl Probe,
) -> bool {
    let Scratch { nodes, states, ring, list, state, .. } = scratch;
    let nodes = G::Reached::records(nodes, states);
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
        let (g, arrived) = (record.g(), record.reached());
        *left -= 1;
        probe.event(Event::Expand { node, g });
        graph.for_each_edge(node, arrived, |to, cost, reached| {
            probe.event(Event::Generate { node: to });
            let record = nodes.slot(to.index());
            let known = record.stamp() == stamp;
            let Some(g) = g.checked_add(cost) else { return };
            if known && (R::HASTY || g >= record.g() || !reopens && record.is_closed()) {
                return;
            }
            if to == goal {
                *record = NodeRecord::open(g, stamp, reached);
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
            *record = NodeRecord::open(g, stamp, reached);
            open.push(key, to.0);
            probe.event(Event::Push { node: to, g, key });
        });
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::probe::Unwatched;
    use crate::scratch::Parents;
    use crate::search::a_star::Sum;
    use crate::space::square::SquareGrid;

    /// A graph without directions: any two nodes may have an edge.
    struct Web {
        edges_by_node: Vec<Vec<(u32, u32)>>,
    }

    impl Web {
        fn random(random: &mut Random, nodes: u32) -> Web {
            let mut edges_by_node = vec![Vec::new(); nodes as usize];
            for _ in 0..2 * nodes {
                let [a, b] = [0; 2].map(|_| random.below(u64::from(nodes)) as u32);
                let cost = 1 + random.below(1000) as u32;
                edges_by_node[a as usize].push((b, cost));
                edges_by_node[b as usize].push((a, cost));
            }
            Web { edges_by_node }
        }

        /// Returns the least cost from node 0 to every node by relaxing every edge as often as there are nodes.
        fn costs(&self) -> Vec<Option<u32>> {
            let mut costs = vec![None; self.edges_by_node.len()];
            costs[0] = Some(0);
            for _ in 0..costs.len() {
                for (node, edges) in self.edges_by_node.iter().enumerate() {
                    let Some(g) = costs[node] else { continue };
                    for &(to, cost) in edges {
                        let to = &mut costs[to as usize];
                        *to = Some(to.map_or(g + cost, |old: u32| old.min(g + cost)));
                    }
                }
            }
            costs
        }
    }

    impl Graph for Web {
        type Reached = NodeId;
        const PRUNED: bool = false;

        fn node_count(&self) -> usize {
            self.edges_by_node.len()
        }

        fn for_each_edge(&self, from: NodeId, _: NodeId, mut visit: impl FnMut(NodeId, u32, NodeId)) {
            for &(to, cost) in &self.edges_by_node[from.index()] {
                visit(NodeId(to), cost, from);
            }
        }

        fn greatest_edge(&self) -> u32 {
            1000
        }

        fn typical_edge(&self) -> u32 {
            1
        }
    }

    struct Nothing;

    impl Estimate for Nothing {
        fn estimate(&self, _: NodeId) -> u64 {
            0
        }
    }

    /// The loop needs no grid: on a graph whose records hold parents, it finds the least cost and a walk of that cost.
    #[test]
    fn a_graph_may_note_parents_instead_of_directions() {
        let mut random = Random::new(17);
        let mut scratch = Scratch::<SquareGrid>::new();
        for _ in 0..60 {
            let web = Web::random(&mut random, 40);
            let costs = web.costs();
            let goal = NodeId(1 + random.below(39) as u32);
            begin(&web, &Nothing, &Sum, NodeId(0), &mut scratch);
            assert!(run(&web, &Nothing, &Sum, goal, &mut scratch, &mut { u64::MAX }, &mut Unwatched));
            let found = Some(scratch.state.best).filter(|&best| best != UNKNOWN);
            assert_eq!(found, costs[goal.index()].map(u64::from));
            let records = &scratch.states.own::<Parents>().0;
            let (mut node, mut cost) = (goal, 0);
            while found.is_some() && node != NodeId(0) {
                let parent = records.get(node.index()).expect("reached").reached();
                let edges = web.edges_by_node[parent.index()].iter().filter(|(to, _)| *to == node.0);
                cost += edges.map(|&(_, cost)| cost).min().expect("the parent has an edge to the node");
                node = parent;
            }
            assert!(found.is_none_or(|found| u64::from(cost) == found));
        }
    }
}
