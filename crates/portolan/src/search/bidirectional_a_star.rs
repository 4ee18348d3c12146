//! Bidirectional A*: one search from the start, one from the goal, until they meet for good.
//!
//! **Idea.** Two A* searches, each aiming at the other's origin; the one with the shorter open list goes next. A
//! node is passed over when even the best route through it, by its own estimate or by what the other side still
//! has to pay, cannot beat the best meeting so far. Either side running out of such nodes proves the route.
//! **Use** it where the start is open and the goal is hidden deep in corridors, or to compare.
//! **Promises** a cheapest route.
//! **Costs** as A*, with twice the scratch: 16 bytes a cell.
//! **Departs** from its paper in letting both sides expand a node, since with bucket queues neither side's cost need
//! be final when the other meets it.
//!
//! Pijls, Post: Yet another bidirectional algorithm for finding the shortest path (NBA*), 2009.

use super::best_first::{SUCCESSORS, natural_shape, with_moves};
use super::{End, Method, Task, trace};
use crate::graph::{Estimate, Graph, GridEstimate, MANHATTAN, OCTILE, START, Shape};
use crate::id::NodeId;
use crate::open_list::BucketRing;
use crate::probe::{Event, Probe, Unwatched};
use crate::registry::{Algorithm, Promise};
use crate::scratch::{Nodes, Record, Scratch, Stamp, State};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "bidirectional-a-star",
    title: "Bidirectional A*",
    summary: "two A* searches that meet: from the start and from the goal",
    paper: "Pijls, Post 2009",
    params: &[SUCCESSORS],
    suits: Algorithm::any_world,
    promise: |_, _| Promise::Optimal,
    build: |_, settings| {
        Box::new(BidirectionalAStar { canonical: settings.choice(SUCCESSORS.name) == "canonical" })
    },
};

struct BidirectionalAStar {
    canonical: bool,
}

/// Runs `$body` with `$to_goal` and `$to_start` bound to the distances that guide the two sides.
macro_rules! with_estimates {
    ($task:expr, |$to_goal:ident, $to_start:ident| $body:expr) => {
        if natural_shape($task.grid) == Shape::Manhattan {
            let $to_goal = GridEstimate::<MANHATTAN>::new($task.grid, $task.to);
            let $to_start = GridEstimate::<MANHATTAN>::new($task.grid, $task.from);
            $body
        } else {
            let $to_goal = GridEstimate::<OCTILE>::new($task.grid, $task.to);
            let $to_start = GridEstimate::<OCTILE>::new($task.grid, $task.from);
            $body
        }
    };
}

impl Method for BidirectionalAStar {
    fn begin(&self, task: Task, scratch: &mut Scratch) {
        with_moves!(task.grid, self.canonical, |graph| with_estimates!(task, |to_goal, to_start| {
            origin(&graph, &to_goal, task.start(), &mut scratch.nodes, &mut scratch.ring);
            origin(&graph, &to_start, task.goal(), &mut scratch.nodes_back, &mut scratch.ring_back);
        }));
        scratch.state = State { best: u64::MAX, ..State::default() };
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        let ended = with_moves!(task.grid, self.canonical, |graph| {
            with_estimates!(task, |to_goal, to_start| match probe {
                None => run(&graph, &to_goal, &to_start, scratch, left, &mut Unwatched),
                Some(mut probe) => run(&graph, &to_goal, &to_start, scratch, left, &mut probe),
            })
        });
        if !ended {
            return None;
        }
        if scratch.state.best == u64::MAX {
            return Some(End::NotFound);
        }
        let meeting = NodeId(scratch.state.mark);
        let trail = &mut scratch.trail;
        let after = trace(task.grid, &scratch.nodes_back, meeting, trail);
        trail.reverse();
        trail.pop(); // the meeting node comes again with the other half
        let before = trace(task.grid, &scratch.nodes, meeting, trail);
        Some(End::Found(before + after))
    }
}

fn origin(graph: &impl Graph, estimate: &impl Estimate, at: NodeId, nodes: &mut Nodes, open: &mut BucketRing) {
    nodes.begin(graph.node_count());
    *nodes.slot(at.index()) = Record::open(0, nodes.stamp(), START);
    let key = estimate.estimate(at);
    open.reset(key, 2 * u64::from(graph.greatest_edge()), graph.typical_edge());
    open.push(key, at.0);
}

/// Whether the search came to its end.
fn run(
    graph: &impl Graph,
    to_goal: &impl Estimate,
    to_start: &impl Estimate,
    scratch: &mut Scratch,
    left: &mut u64,
    probe: &mut impl Probe,
) -> bool {
    let Scratch { nodes, nodes_back, ring, ring_back, state, .. } = scratch;
    while *left > 0 {
        let done = if ring.len() <= ring_back.len() {
            Side { nodes, open: ring, ahead: to_goal, behind: to_start, other: nodes_back, other_floor: ring_back.floor() }
                .expand(graph, state, left, probe)
        } else {
            Side { nodes: nodes_back, open: ring_back, ahead: to_start, behind: to_goal, other: nodes, other_floor: ring.floor() }
                .expand(graph, state, left, probe)
        };
        if done {
            return true;
        }
    }
    false
}

/// One of the two searches, as seen from itself.
struct Side<'a, A, B> {
    nodes: &'a mut Nodes,
    open: &'a mut BucketRing,
    /// Distance to the other side's origin.
    ahead: &'a A,
    /// Distance to this side's origin: the other side's guide.
    behind: &'a B,
    other: &'a Nodes,
    /// No key on the other side is less.
    other_floor: u64,
}

impl<A: Estimate, B: Estimate> Side<'_, A, B> {
    /// Expands one node; tells whether this side has nothing left that could help.
    fn expand(&mut self, graph: &impl Graph, state: &mut State, left: &mut u64, probe: &mut impl Probe) -> bool {
        let node = loop {
            let Some(item) = self.open.pop() else {
                return true;
            };
            probe.event(Event::Pop { node: NodeId(item) });
            if self.open.floor() >= state.best {
                return true;
            }
            let record = self.nodes.slot(item as usize);
            if !record.is_closed() {
                record.close();
                break NodeId(item);
            }
        };
        let record = *self.nodes.slot(node.index());
        // What the other side has to pay from here on is at least its lowest key less what it knows of this node.
        let behind = self.behind.estimate(node);
        if (u64::from(record.g) + self.other_floor).saturating_sub(behind) >= state.best {
            return false;
        }
        *left -= 1;
        probe.event(Event::Expand { node, g: record.g });
        let stamp = self.nodes.stamp();
        graph.for_each_edge(node, record.reached_by(), |to, cost, slot| {
            probe.event(Event::Generate { node: to });
            let known = self.nodes.slot(to.index());
            let Some(g) = record.g.checked_add(cost) else {
                state.overflowed = true;
                return;
            };
            let old = known.stamp() == stamp;
            if old && g >= known.g {
                return;
            }
            let key = u64::from(g) + self.ahead.estimate(to);
            if key >= state.best {
                return;
            }
            if old {
                let again = if known.is_closed() { Event::Reopen { node: to } } else { Event::Decrease { node: to } };
                probe.event(again);
            }
            *known = Record::open(g, stamp, slot);
            self.open.push(key, to.0);
            probe.event(Event::Push { node: to, g, key });
            if let Some(met) = self.other.of(to) {
                let cost = u64::from(g) + u64::from(met.g);
                if cost < state.best && cost <= u64::from(u32::MAX) {
                    state.best = cost;
                    state.mark = to.0;
                    probe.event(Event::Goal { cost: cost as u32 });
                }
            }
        });
        false
    }
}
