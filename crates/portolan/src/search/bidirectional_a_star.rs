//! Bidirectional A*: one search from the start and one from the goal, which meet at a node between.
//!
//! **Idea.** Two A* searches run in turn, each guided by the distance to the other's origin; the side with the shorter
//! open list expands the next node. A node is skipped if no route through it can cost less than the best route found so
//! far. Two lower bounds show this: the side's own estimate, and the least cost that the other side still needs to
//! reach the node. When one side has no other nodes left, the best route found is a cheapest one.
//! **Use** it where the start is open and the goal is hidden deep in corridors, or to compare.
//! **Promises** a cheapest route.
//! **Costs** as much as A*, with records of 12 bytes a cell instead of 8.
//! **Departs** from its paper in letting both sides expand a node: with bucket queues, the cost that one side has noted
//! for a node need not be final when the other side reaches it.
//!
//! Pijls, Post: Yet another bidirectional algorithm for finding the shortest path (NBA*), 2009.

use super::shared::sweep;
use super::shared::trace::{trace, trace_against};
use crate::algorithm::Algorithm;
use crate::graph::{Distance, Estimate, Graph, Grid, Reversible, START, Search, Slot};
use crate::id::NodeId;
use crate::memory::OutOfMemory;
use crate::method::{End, Method, Task};
use crate::open_list::BucketRing;
use crate::probe::{Event, Probe, Watcher, with_probe};
use crate::scratch::{AlgorithmState, Scratch, Stamp, Stamped, State, TOO_FAR};
use crate::search::shared::best_first::SUCCESSORS;
use crate::space::{Extras, Space};

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "bidirectional-a-star",
        title: "Bidirectional A*",
        summary: "two A* searches that meet: from the start and from the goal",
        paper: "Pijls, Post 2009",
        params: const { &[SUCCESSORS] },
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, settings| {
            Box::new(BidirectionalAStar { canonical: settings.choice(SUCCESSORS.name) == "canonical" })
        })
    }
}

#[derive(Clone)]
struct BidirectionalAStar {
    canonical: bool,
}

impl<S: Grid> Method<S> for BidirectionalAStar {
    fn reserve(&self, grid: &S, scratch: &mut Scratch<S>) -> Result<(), OutOfMemory> {
        scratch.states.own::<BidirectionalScratch>().pairs.reserve(grid.node_count())
    }

    fn begin(&self, task: Task<S>, scratch: &mut Scratch<S>) {
        task.grid.search(self.canonical, None, task.to, Beginning { task, own: scratch.states.own() });
    }

    fn sweep(&self, grid: &S, from: S::Place, goals: &[S::Place], scratch: &mut Scratch<S>, costs: &mut [u32]) -> bool {
        sweep::costs_to(grid, from, goals, scratch, costs, 8)
    }

    fn step(&self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        let Scratch { states, trail, .. } = scratch;
        let own: &mut BidirectionalScratch = states.own();
        let slice = Slice { from: task.from, own: &mut *own, left, probe };
        let ended = task.grid.search(self.canonical, None, task.to, slice);
        if !ended {
            return None;
        }
        if own.state.best == TOO_FAR {
            return Some(End::NotFound);
        }
        let meeting = NodeId(own.state.mark);
        let pairs = &own.pairs;
        let reached_by = |side| move |node: NodeId| pairs.get(node.index()).map(|pair| pair.slot(side));
        let after = trace_against(task.grid, reached_by(1), meeting, trail);
        trail.reverse();
        trail.pop(); // the second trace appends the meeting node again
        let before = trace(task.grid, reached_by(0), meeting, trail);
        Some(End::Found(before + after))
    }
}

/// Begins the searches of both sides.
struct Beginning<'a, S: Space> {
    task: Task<'a, S>,
    own: &'a mut BidirectionalScratch,
}

impl<S: Grid> Search<S> for Beginning<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, to_goal: &D) {
        let BidirectionalScratch { pairs, ring, ring_back, state } = self.own;
        pairs.reset(graph.node_count(), STAMP_LIMIT);
        origin(graph, to_goal, self.task.start(), 0, pairs, ring);
        origin(graph, &to_goal.toward(self.task.from), self.task.goal(), 1, pairs, ring_back);
        *state = State::begun();
    }
}

/// Calls [`run`] with the distances to the goal and to the start.
struct Slice<'a, 'p, P> {
    from: P,
    own: &'a mut BidirectionalScratch,
    left: &'a mut u64,
    probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl<S: Grid> Search<S> for Slice<'_, '_, S::Place> {
    type Output = bool;

    #[inline(always)]
    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, to_goal: &D) -> bool {
        let Slice { from, own, left, probe } = self;
        with_probe!(probe, |watcher| run(graph, to_goal, &to_goal.toward(from), own, left, watcher))
    }
}

/// What a search writes. The cost in `state` is that of the best route found so far, the mark the node where its two
/// halves meet.
#[derive(Default)]
struct BidirectionalScratch {
    /// The records of both sides, by node.
    pairs: Stamped<Pair>,
    /// The open list of side 0.
    ring: BucketRing,
    /// The open list of side 1.
    ring_back: BucketRing,
    state: State,
}

impl AlgorithmState for BidirectionalScratch {
    fn bytes(&self) -> usize {
        self.pairs.bytes() + self.ring.bytes() + self.ring_back.bytes()
    }
}

/// The record of a node for both sides. Side 0 searches from the start, side 1 from the goal.
#[derive(Copy, Clone, Default)]
struct Pair {
    g_by_side: [u32; 2],
    /// The stamp in the upper 16 bits, then one byte for each side: the top bit means closed, the others are the slot.
    meta: u32,
}

const STAMP_LIMIT: u32 = 1 << 16;
const UNREACHED: u32 = u32::MAX;
const CLOSED: u32 = 0x80;

impl Stamp for Pair {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.meta >> 16
    }
}

impl Pair {
    #[inline(always)]
    fn unreached(stamp: u32) -> Pair {
        Pair { g_by_side: [UNREACHED; 2], meta: stamp << 16 }
    }

    #[inline(always)]
    fn open(&mut self, side: usize, g: u32, slot: u8) {
        self.g_by_side[side] = g;
        self.meta = self.meta & !(0xff << (8 * side)) | u32::from(slot) << (8 * side);
    }

    #[inline(always)]
    fn slot(self, side: usize) -> u8 {
        (self.meta >> (8 * side)) as u8 & 0x7f
    }

    #[inline(always)]
    fn is_closed(self, side: usize) -> bool {
        self.meta >> (8 * side) & CLOSED != 0
    }

    #[inline(always)]
    fn close(&mut self, side: usize) {
        self.meta |= CLOSED << (8 * side);
    }
}

/// Begins the search of one side at its origin.
fn origin(
    graph: &impl Graph<Reached = Slot>,
    estimate: &impl Estimate,
    at: NodeId,
    side: usize,
    pairs: &mut Stamped<Pair>,
    open: &mut BucketRing,
) {
    let stamp = pairs.stamp();
    let pair = pairs.slot(at.index());
    *pair = Pair::unreached(stamp);
    pair.open(side, 0, START);
    let key = estimate.estimate(at);
    open.reset(key, 2 * u64::from(graph.greatest_edge()), graph.typical_edge());
    open.push(key, at.0);
}

/// Expands up to `left` nodes and counts `left` down. Returns whether the search has ended.
fn run(
    graph: &impl Reversible,
    to_goal: &impl Estimate,
    to_start: &impl Estimate,
    own: &mut BidirectionalScratch,
    left: &mut u64,
    probe: &mut impl Probe,
) -> bool {
    let BidirectionalScratch { pairs, ring, ring_back, state } = own;
    while *left > 0 {
        let done = if ring.len() <= ring_back.len() {
            let other_floor = ring_back.floor();
            Side::<0, _, _> { pairs, open: ring, ahead: to_goal, behind: to_start, other_floor }
                .expand(graph, state, left, probe)
        } else {
            let other_floor = ring.floor();
            Side::<1, _, _> { pairs, open: ring_back, ahead: to_start, behind: to_goal, other_floor }
                .expand(graph, state, left, probe)
        };
        if done {
            return true;
        }
    }
    false
}

/// One of the two searches, for the expansion of one node.
struct Side<'a, const SIDE: usize, A, B> {
    pairs: &'a mut Stamped<Pair>,
    open: &'a mut BucketRing,
    /// The estimate to the other side's origin, which guides this side.
    ahead: &'a A,
    /// The estimate to this side's origin, which guides the other side.
    behind: &'a B,
    /// A lower bound on the keys of the other side.
    other_floor: u64,
}

impl<const SIDE: usize, A: Estimate, B: Estimate> Side<'_, SIDE, A, B> {
    /// Takes the next node that is not closed off the open list and closes it. Returns `None` if no node is left that could
    /// lead to a cheaper route.
    #[inline(always)]
    fn next(&mut self, state: &State, probe: &mut impl Probe) -> Option<NodeId> {
        loop {
            let item = self.open.pop()?;
            probe.event(Event::Pop { node: NodeId(item) });
            if self.open.floor() >= state.best {
                return None;
            }
            let pair = self.pairs.slot(item as usize);
            if !pair.is_closed(SIDE) {
                pair.close(SIDE);
                return Some(NodeId(item));
            }
        }
    }

    /// Expands or skips one node. Returns whether this side has no node left that could lead to a cheaper route.
    fn expand(&mut self, graph: &impl Reversible, state: &mut State, left: &mut u64, probe: &mut impl Probe) -> bool {
        let Some(node) = self.next(state, probe) else { return true };
        let pair = *self.pairs.slot(node.index());
        let (from_g, arrived) = (pair.g_by_side[SIDE], pair.slot(SIDE));
        // If the other side has not expanded this node yet, its key there is at least `other_floor`. A key is cost plus
        // estimate, so the other side's cost to this node is at least `other_floor` less its estimate, `behind`.
        let behind = self.behind.estimate(node);
        if (u64::from(from_g) + self.other_floor).saturating_sub(behind) >= state.best {
            return false;
        }
        *left -= 1;
        probe.event(Event::Expand { node, g: from_g });
        let stamp = self.pairs.stamp();
        let visit = |to: NodeId, cost: u32, slot: Slot| {
            probe.event(Event::Generate { node: to });
            let pair = self.pairs.slot(to.index());
            if pair.stamp() != stamp {
                *pair = Pair::unreached(stamp);
            }
            let Some(g) = from_g.checked_add(cost) else { return };
            let old = pair.g_by_side[SIDE];
            if g >= old {
                return;
            }
            let key = u64::from(g) + self.ahead.estimate(to);
            if key >= state.best {
                return;
            }
            if old != UNREACHED {
                let closed = pair.is_closed(SIDE);
                probe.event(if closed { Event::Reopen { node: to } } else { Event::Decrease { node: to } });
            }
            pair.open(SIDE, g, slot);
            self.open.push(key, to.0);
            probe.event(Event::Push { node: to, g, key });
            let met = pair.g_by_side[1 - SIDE];
            let through = u64::from(g) + u64::from(met);
            if met != UNREACHED && through < state.best {
                state.best = through;
                state.mark = to.0;
                probe.event(Event::Goal { cost: through as u32 });
            }
        };
        if SIDE == 0 {
            graph.for_each_edge(node, arrived, visit);
        } else {
            graph.for_each_edge_to(node, arrived, visit);
        }
        false
    }
}
