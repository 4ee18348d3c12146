//! Breadth-first search: expands nodes in the order in which they were reached, and so by the number of steps.
//!
//! **Idea.** A queue instead of a priority queue: the first route found has the fewest steps of all.
//! **Use** it to compare, or where every step costs the same and simplicity counts.
//! **Promises** a route with the fewest steps. Where every step costs the same, that is a cheapest route: on uniform
//! worlds of hexes, of squares with four directions, and with a metric that prices straight and diagonal steps equally.
//! **Costs** O(n) expansions for n cells, O(1) each, and 4 bytes a cell reached besides the records.
//!
//! Moore: The shortest path through a maze, 1959.

use super::shared::trace::trace;
use crate::algorithm::{Algorithm, LEAN, Promise};
use crate::graph::{Distance, Graph, Grid, START, Search, Slot};
use crate::id::NodeId;
use crate::memory::{OutOfMemory, held};
use crate::method::{End, Method, Task};
use crate::probe::{Event, Probe, Watcher, with_probe};
use crate::scratch::{AlgorithmState, NodeRecord, Record, Scratch, Stamp};
use crate::space::{Motion, Space};

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "breadth-first",
        title: "Breadth-first",
        summary: "expands by number of steps: the fewest steps, whatever they cost",
        paper: "Moore 1959",
        params: &[],
        bytes_per_cell: LEAN,
        motion: Motion::Steps,
        suits: |_| Ok(()),
        promise: |grid: &S, _| {
            let costs = grid.step_costs();
            let is_uniform = grid.least_weight() == grid.greatest_weight();
            if is_uniform && costs.iter().all(|&cost| cost == costs[0]) { Promise::Optimal } else { Promise::Complete }
        },
        known_bytes: |_, _| 0,
        build: |_, _| Box::new(BreadthFirst),
        open: None,
    }
}

#[derive(Clone)]
struct BreadthFirst;

/// The nodes reached, in order. Those before `next` are expanded.
#[derive(Default)]
struct Queue {
    nodes: Vec<NodeId>,
    next: usize,
}

impl AlgorithmState for Queue {
    fn bytes(&self) -> usize {
        held(&self.nodes)
    }
}

impl<S: Grid> Method<S> for BreadthFirst {
    fn reserve(&self, grid: &S, scratch: &mut Scratch<S>) -> Result<(), OutOfMemory> {
        scratch.nodes.reserve(grid.node_count())
    }

    fn begin(&self, task: Task<S>, scratch: &mut Scratch<S>) {
        let Scratch { nodes, states, .. } = scratch;
        let queue = states.own::<Queue>();
        queue.nodes.clear();
        queue.nodes.push(task.start());
        queue.next = 0;
        nodes.reset(task.grid.node_count(), Record::STAMP_LIMIT);
        *nodes.slot(task.start().index()) = Record::open(0, nodes.stamp(), START);
    }

    fn step(&self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        let slice = Slice { goal: task.goal(), scratch: &mut *scratch, left, probe };
        let has_found = task.grid.search(false, None, task.to, slice)?;
        if !has_found {
            return Some(End::NotFound);
        }
        let Scratch { nodes, trail, .. } = scratch;
        let reached_by = |node: NodeId| nodes.of(node).map(|record| record.reached());
        Some(End::Found(trace(task.grid, reached_by, task.goal(), trail)))
    }
}

/// Expands nodes of a grid's graph until the goal is reached. Its output is whether it was, or `None` if there is more
/// to do.
struct Slice<'a, 'p, S: Space> {
    goal: NodeId,
    scratch: &'a mut Scratch<S>,
    left: &'a mut u64,
    probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl<S: Grid> Search<S> for Slice<'_, '_, S> {
    type Output = Option<bool>;

    fn run<G: Graph<Reached = Slot>, D: Distance<S::Place>>(self, graph: &G, _: &D) -> Option<bool> {
        let Slice { goal, scratch, left, probe } = self;
        with_probe!(probe, |watcher| expand(graph, goal, scratch, left, watcher))
    }
}

/// Expands up to `left` nodes and counts `left` down. Returns whether the goal was reached, or `None` if there is more
/// to do. A node whose cost does not fit [`crate::Cost`] is not reached.
fn expand(
    graph: &impl Graph<Reached = Slot>,
    goal: NodeId,
    scratch: &mut Scratch<impl Space>,
    left: &mut u64,
    probe: &mut impl Probe,
) -> Option<bool> {
    let Scratch { nodes, states, .. } = scratch;
    let (queue, stamp) = (states.own::<Queue>(), nodes.stamp());
    let mut has_found = false;
    while *left > 0 {
        let Some(&node) = queue.nodes.get(queue.next) else { return Some(false) };
        queue.next += 1;
        *left -= 1;
        let record = nodes.slot(node.index());
        let (from_g, arrived) = (record.g(), record.reached());
        probe.event(Event::Pop { node });
        probe.event(Event::Expand { node, g: from_g });
        graph.for_each_edge(node, arrived, |to, cost, slot| {
            probe.event(Event::Generate { node: to });
            let record = nodes.slot(to.index());
            let Some(g) = from_g.checked_add(cost).filter(|_| record.stamp() != stamp) else { return };
            *record = Record::open(g, stamp, slot);
            queue.nodes.push(to);
            probe.event(Event::Push { node: to, g, key: queue.nodes.len() as u64 });
            if to == goal {
                has_found = true;
                probe.event(Event::Goal { cost: g });
            }
        });
        if has_found {
            return Some(true);
        }
    }
    None
}
