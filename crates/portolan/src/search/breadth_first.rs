//! Breadth-first search: expands nodes in the order in which they were reached, and so by the number of steps.
//!
//! **Idea.** A queue instead of a priority queue. It holds the nodes in layers of as many steps, and a node is reached
//! from every node of the layer before its own. Of these ways it keeps the cheapest, so that a route to the goal is the
//! cheapest of those with the fewest steps.
//! **Use** it to compare, or where every step costs the same and simplicity counts.
//! **Promises** a route with the fewest steps, and none with as few that is cheaper. Where every step costs the same, that is a cheapest route: on uniform
//! worlds of hexes, of squares with four directions, and with a metric that prices straight and diagonal steps equally, if there are no links.
//! **Costs** O(n) expansions for n cells, O(1) each, and 4 bytes a cell reached besides the records.
//!
//! Departs from the paper, which ends as soon as the goal is reached: the layer before the goal is expanded to its end,
//! because a cheaper way to the goal may come from there.
//!
//! Moore: The shortest path through a maze, 1959.

use super::shared::sweep;
use super::shared::trace::trace;
use crate::algorithm::{Algorithm, Promise};
use crate::graph::{Distance, Graph, Grid, Reversible, START, Search, Slot};
use crate::id::NodeId;
use crate::memory::{OutOfMemory, held};
use crate::method::{End, Method, Task};
use crate::probe::{Event, Probe, Watcher, with_probe};
use crate::scratch::{AlgorithmState, NodeRecord, Record, Scratch, Stamp};
use crate::space::{Extras, Space};

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "breadth-first",
        title: "Breadth-first",
        summary: "expands by number of steps: the fewest steps, at the least cost of those",
        paper: "Moore 1959",
        promise: |grid: &S, _| {
            let costs = grid.step_costs();
            let is_uniform = grid.least_weight() == grid.greatest_weight() && !grid.ground().has_links();
            if is_uniform && costs.iter().all(|&cost| cost == costs[0]) { Promise::Optimal } else { Promise::Complete }
        },
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, _| Box::new(BreadthFirst))
    }
}

#[derive(Clone)]
struct BreadthFirst;

/// The nodes reached, in order. Those before `next` are expanded; those before `layer_end` are closed, and lie as many
/// steps from the start as the node before `next`, or fewer. All others lie one step further.
#[derive(Default)]
struct Queue {
    nodes: Vec<NodeId>,
    next: usize,
    layer_end: usize,
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
        (queue.next, queue.layer_end) = (0, 0);
        nodes.reset(task.grid.node_count(), Record::STAMP_LIMIT);
        *nodes.slot(task.start().index()) = Record::open(0, nodes.stamp(), START);
    }

    fn sweep(&self, grid: &S, from: S::Place, goals: &[S::Place], scratch: &mut Scratch<S>, costs: &mut [u32]) -> bool {
        sweep::costs_to(grid, from, goals, scratch, costs, 2)
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

    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, _: &D) -> Option<bool> {
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
    loop {
        if queue.next == queue.layer_end {
            // The layer is expanded, so the costs of the next one are final.
            if nodes.of(goal).is_some() || queue.next == queue.nodes.len() {
                return Some(nodes.of(goal).is_some());
            }
            queue.layer_end = queue.nodes.len();
            for node in &queue.nodes[queue.next..] {
                nodes.slot(node.index()).close();
            }
        }
        if *left == 0 {
            return None;
        }
        let node = queue.nodes[queue.next];
        queue.next += 1;
        *left -= 1;
        let record = nodes.slot(node.index());
        let (from_g, arrived) = (record.g(), record.reached());
        probe.event(Event::Pop { node });
        probe.event(Event::Expand { node, g: from_g });
        graph.for_each_edge(node, arrived, |to, cost, slot| {
            probe.event(Event::Generate { node: to });
            let record = nodes.slot(to.index());
            let is_new = record.stamp() != stamp;
            let is_better = |&g: &u32| is_new || !record.is_closed() && g < record.g();
            let Some(g) = from_g.checked_add(cost).filter(is_better) else { return };
            *record = Record::open(g, stamp, slot);
            if is_new {
                queue.nodes.push(to);
                probe.event(Event::Push { node: to, g, key: queue.nodes.len() as u64 });
            } else {
                probe.event(Event::Decrease { node: to });
            }
            if to == goal {
                probe.event(Event::Goal { cost: g });
            }
        });
    }
}
