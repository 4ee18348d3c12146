//! Iterative deepening A*: depth-first searches, one after another, each with a higher cost limit.
//!
//! **Idea.** Follow every sequence of edges whose cost plus estimated distance left is at most a limit. If none reaches
//! the goal, raise the limit to the least sum that exceeded it and start over.
//! **Use** it to see why it is slow on grids, or where memory is so scarce that only the current sequence fits.
//! **Promises** a cheapest route, if its budget suffices.
//! **Costs** memory for one sequence of edges; time exponential in its length at worst, since visited nodes are not
//! recorded. Canonical successors on uniform worlds remove most repeated visits. It gives up after `budget` expansions.
//! **Departs** from its paper only in keeping its stack in a list, so that it can pause between two expansions.
//!
//! Korf: Depth-first iterative-deepening: an optimal admissible tree search, 1985.

use crate::algorithm::Algorithm;
use crate::graph::{Distance, Estimate, Graph, Grid, Reversible, START, Search, Slot};
use crate::id::NodeId;
use crate::memory::held;
use crate::method::{End, Method, Task};
use crate::probe::{Event, Probe, Watcher, with_probe};
use crate::scratch::{AlgorithmState, Scratch, TOO_FAR};
use crate::search::shared::best_first::SUCCESSORS;
use crate::settings::Param;
use crate::space::{Extras, Space};

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "ida-star",
        title: "IDA*",
        summary: "depth-first under a rising limit: almost no memory, exponential time, gives up after `budget`",
        paper: "Korf 1985",
        params: const { &[BUDGET, SUCCESSORS] },
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, settings| {
            let canonical = settings.choice(SUCCESSORS.name) == "canonical";
            Box::new(IdaStar { budget: settings.count(BUDGET.name), canonical })
        })
    }
}

const BUDGET: Param =
    Param::count("budget", "expansions after which it gives up, unless the query says", 1_000_000, 1, u64::MAX);

#[derive(Clone)]
struct IdaStar {
    budget: u64,
    canonical: bool,
}

/// A node on the current sequence of edges, with the number of its edges already followed.
#[derive(Copy, Clone)]
struct Frame {
    node: NodeId,
    g: u32,
    /// The slot of the edge by which the node was reached.
    arrived: u8,
    /// How many of the node's edges have been followed or found to exceed the limit.
    walked: u8,
}

/// The state of a search between two steps.
#[derive(Default)]
struct IdaScratch {
    /// The current sequence of edges.
    frames: Vec<Frame>,
    /// The limit of the current depth-first search.
    limit: u32,
    /// The least sum of cost and estimate that exceeded the limit: the next limit.
    next: u64,
}

impl AlgorithmState for IdaScratch {
    fn bytes(&self) -> usize {
        held(&self.frames)
    }
}

impl<S: Grid> Method<S> for IdaStar {
    fn begin(&self, _: Task<S>, scratch: &mut Scratch<S>) {
        scratch.is_new = true;
    }

    fn step(&self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        task.grid.search(self.canonical, None, task.to, Slice { task, scratch, left, probe })
    }

    fn budget(&self) -> Option<u64> {
        Some(self.budget)
    }
}

/// Calls [`deepen`] with the graph and the distance of a grid.
struct Slice<'a, 'p, S: Space> {
    task: Task<'a, S>,
    scratch: &'a mut Scratch<S>,
    left: &'a mut u64,
    probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl<S: Grid> Search<S> for Slice<'_, '_, S> {
    type Output = Option<End>;

    #[inline(always)]
    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, distance: &D) -> Option<End> {
        let Slice { task, scratch, left, probe } = self;
        with_probe!(probe, |watcher| deepen(graph, distance, task, scratch, left, watcher))
    }
}

/// Expands up to `left` nodes and counts `left` down. Returns `None` if there is more to do.
fn deepen<S: Grid>(
    graph: &impl Graph<Reached = Slot>,
    estimate: &impl Estimate,
    task: Task<S>,
    scratch: &mut Scratch<S>,
    left: &mut u64,
    probe: &mut impl Probe,
) -> Option<End> {
    let goal = task.goal();
    let Scratch { states, trail, is_new, .. } = scratch;
    let IdaScratch { frames, limit, next } = states.own();
    if std::mem::take(is_new) {
        // The stack is empty, so that the first search begins below, with the estimate of the start as its limit.
        frames.clear();
        *next = estimate.estimate(task.start());
    }
    while *left > 0 {
        let Some(frame) = frames.last_mut() else {
            if *next >= TOO_FAR {
                return Some(End::NotFound);
            }
            begin_depth(task.start(), frames, limit, next, probe);
            continue;
        };
        if frame.walked == 0 {
            *left -= 1;
            probe.event(Event::Expand { node: frame.node, g: frame.g });
        }
        // Edges come in a fixed order: follow the first one after those done whose sum does not exceed the limit.
        let (current, mut seen, mut chosen) = (*frame, 0, None);
        graph.for_each_edge(current.node, current.arrived, |to, cost, slot| {
            seen += 1;
            if seen <= current.walked || chosen.is_some() {
                return;
            }
            probe.event(Event::Generate { node: to });
            let g = u64::from(current.g) + u64::from(cost);
            let total = g + estimate.estimate(to);
            if total > u64::from(*limit) {
                *next = total.min(*next);
            } else {
                chosen = Some((Frame { node: to, g: g as u32, arrived: slot, walked: 0 }, seen));
            }
        });
        let Some((following, walked)) = chosen else {
            frames.pop();
            continue;
        };
        frame.walked = walked;
        if following.node == goal {
            probe.event(Event::Goal { cost: following.g });
            trail.push(task.to);
            trail.extend(frames.iter().rev().map(|frame| task.grid.place(frame.node)));
            return Some(End::Found(following.g));
        }
        frames.push(following);
    }
    None
}

/// Begins a depth-first search with the next limit.
#[inline(always)]
fn begin_depth(start: NodeId, frames: &mut Vec<Frame>, limit: &mut u32, next: &mut u64, probe: &mut impl Probe) {
    *limit = *next as u32;
    *next = u64::MAX;
    probe.event(Event::Deepen { limit: *limit });
    frames.push(Frame { node: start, g: 0, arrived: START, walked: 0 });
}
