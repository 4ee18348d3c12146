//! ARA*: a weighted A* whose weight falls from round to round, so that there is a route early and a cheapest one in the end.
//!
//! **Idea.** The first round multiplies estimates by a large factor and finds some route soon. Each later round has a
//! smaller factor and goes on from what the rounds before have found: a node is expanded again only if it has become
//! cheaper. The last round has the factor 1.
//! **Use** it where an agent has to set out before the search can end: [`crate::Planner::so_far`] gives the best route so far
//! between two slices, and a query whose budget ends gives it too.
//! **Promises** a cheapest route, if no budget ends the search. A route given out before costs at most
//! [`crate::Route::bound`] times that.
//! **Costs** at most one expansion a cell in every round but the last, and usually less than twice the expansions of A* with
//! all successors in all; 8 bytes a cell.
//! **Departs** from its paper as follows. Keys are ordered to the width of a bucket, as in weighted A*: buckets are so
//! narrow that the factor still bounds the route, and the last round reopens nodes as A* does. A node that cannot be on a
//! cheaper route than the best one known is dropped, and factors that the best route keeps to already are left out. When
//! too many nodes are expanded again, as in mazes, the last round begins at once.
//!
//! Likhachev, Gordon, Thrun: ARA*: anytime A* with provable bounds on sub-optimality, 2003.

use super::shared::trace::trace;
use crate::algorithm::Algorithm;
use crate::graph::{Distance, Estimate, Graph, Grid, Reversible, START, Search, Slot};
use crate::id::NodeId;
use crate::inflation::{INFLATION, Inflation, ONE, least_within};
use crate::memory::{OutOfMemory, held};
use crate::method::{End, Method, SoFar, Task};
use crate::open_list::BucketList;
use crate::probe::{Event, Probe, Watcher, with_probe};
use crate::scratch::{AlgorithmState, Scratch, Stamp, Stamped};
use crate::space::{Extras, Space};

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "ara-star",
        title: "ARA*",
        summary: "weighted A* in rounds: a route early, a better one each round, in the end a cheapest one",
        paper: "Likhachev, Gordon, Thrun 2003",
        params: INFLATION,
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, settings| Box::new(AraStar { inflation: Inflation::of(settings) }))
    }
}

#[derive(Clone)]
struct AraStar {
    inflation: Inflation,
}

impl<S: Grid> Method<S> for AraStar {
    fn reserve(&self, grid: &S, scratch: &mut Scratch<S>) -> Result<(), OutOfMemory> {
        scratch.states.own::<AraScratch>().nodes.reserve(grid.node_count())
    }

    fn begin(&self, task: Task<S>, scratch: &mut Scratch<S>) {
        let slice = Slice { inflation: self.inflation, task, scratch, left: None, probe: None };
        task.grid.search(false, None, task.to, slice);
    }

    fn step(&self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        let slice = Slice { inflation: self.inflation, task, scratch: &mut *scratch, left: Some(left), probe };
        if !task.grid.search(false, None, task.to, slice) {
            return None;
        }
        Some(self.so_far(task, scratch).map_or(End::NotFound, |so_far| End::Found(so_far.cost)))
    }

    fn so_far(&self, task: Task<S>, scratch: &mut Scratch<S>) -> Option<SoFar> {
        let Scratch { states, trail, .. } = scratch;
        let own: &AraScratch = states.own();
        if own.best == UNKNOWN {
            return None;
        }
        trail.extend(own.route.iter().map(|&node| task.grid.place(node)));
        Some(SoFar { cost: own.best as u32, least: own.least })
    }
}

/// A search or a slice of it. Returns whether the search has ended.
struct Slice<'a, 'p, S: Space> {
    inflation: Inflation,
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
        let Slice { inflation, task, scratch, left, probe } = self;
        let Scratch { states, list, trail, .. } = scratch;
        let own: &mut AraScratch = states.own();
        let Some(left) = left else {
            own.begin(graph, distance, inflation.first(), task.start(), list);
            return false;
        };
        with_probe!(probe, |watcher| loop {
            match own.run(graph, distance, task.goal(), list, left, watcher) {
                Stop::Budget => return false,
                Stop::Route => own.keep_route(task, trail),
                Stop::Round if own.factor == ONE => return true,
                Stop::Round => own.next_round(graph, distance, inflation, list, watcher),
            }
        })
    }
}

/// Why a slice of a round has stopped.
enum Stop {
    /// No expansion is left.
    Budget,
    /// A cheaper route was found.
    Route,
    /// The round has ended.
    Round,
}

/// The cost of the best route before one is found: greater than any sum of a cost and an estimate.
const UNKNOWN: u64 = u64::MAX;

/// The state of a search between two steps, besides its open list.
#[derive(Default)]
struct AraScratch {
    nodes: Stamped<Node>,
    /// All nodes that have become cheaper since they were expanded, among others that were expanded again since and some
    /// twice: OPEN and INCONS in the paper.
    cheaper: Vec<NodeId>,
    /// The factor on estimates in this round, in units of 1 / [`ONE`].
    factor: u64,
    /// The number of this round, counted from 1.
    round: u8,
    /// How many nodes were expanded in all rounds, each counted once.
    fresh: u64,
    /// How many expansions were of nodes expanded before.
    again: u64,
    /// The cost of the best route found so far, or [`UNKNOWN`].
    best: u64,
    /// The nodes of that route, the goal first. They are kept because a route read from the records later may cost more.
    route: Vec<NodeId>,
    /// A number that no route costs less than, as far as the rounds that have ended tell.
    least: u64,
}

impl AlgorithmState for AraScratch {
    fn bytes(&self) -> usize {
        self.nodes.bytes() + held(&self.cheaper) + held(&self.route)
    }
}

/// The record of a node.
#[derive(Copy, Clone, Default)]
struct Node {
    g: u32,
    /// The stamp in the upper 16 bits; then the round in which the node was last expanded, 0 for none, in 8 bits; then one
    /// bit that means that the node has become cheaper since; then the slot.
    meta: u32,
}

/// When one in this many of the nodes expanded was expanded again, the last round begins.
const REPEATS: u64 = 8;

const STAMP_LIMIT: u32 = 1 << 16;
const CHEAPER: u32 = 0x80;

impl Stamp for Node {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.meta >> 16
    }
}

impl Node {
    /// Notes a cost less than before, or the first one. The round in which the node was expanded stays noted.
    #[inline(always)]
    fn lower(&mut self, g: u32, stamp: u32, slot: Slot) {
        let expanded = if self.stamp() == stamp { self.meta & 0xff00 } else { 0 };
        *self = Node { g, meta: stamp << 16 | expanded | CHEAPER | u32::from(slot) };
    }

    /// Notes that the node is expanded in this round.
    #[inline(always)]
    fn expand(&mut self, round: u8) {
        self.meta = self.meta & 0xffff_007f | u32::from(round) << 8;
    }

    #[inline(always)]
    fn expanded_in(self) -> u8 {
        (self.meta >> 8) as u8
    }

    #[inline(always)]
    fn is_cheaper(self) -> bool {
        self.meta & CHEAPER != 0
    }

    #[inline(always)]
    fn slot(self) -> Slot {
        (self.meta & 0x7f) as Slot
    }
}

impl AraScratch {
    fn begin(
        &mut self,
        graph: &impl Graph,
        estimate: &impl Estimate,
        factor: u64,
        start: NodeId,
        open: &mut BucketList,
    ) {
        self.nodes.reset(graph.node_count(), STAMP_LIMIT);
        let stamp = self.nodes.stamp();
        self.nodes.slot(start.index()).lower(0, stamp, START);
        self.cheaper.clear();
        self.cheaper.push(start);
        (self.factor, self.round, self.best, self.least) = (factor, 1, UNKNOWN, estimate.estimate(start));
        (self.fresh, self.again) = (0, 0);
        open.reset(0, self.grain(graph.typical_edge()));
        open.push(self.key(0, self.least), start.0);
    }

    #[inline(always)]
    fn key(&self, g: u32, h: u64) -> u64 {
        u64::from(g) + h * self.factor / ONE
    }

    /// Returns the cost that the open list derives its bucket width from. If a node is expanded at a cost that is too high
    /// by no more than the width, the factor bounds its cost all the same: the bound has the factor less 1 times the cost of
    /// an edge to spare. A bucket takes at most half of that, and the other half covers rounding.
    fn grain(&self, typical_edge: u32) -> u32 {
        if self.factor == ONE {
            return typical_edge; // nodes are reopened
        }
        let spare = u64::from(typical_edge) * (self.factor - ONE) / ONE;
        (2 * spare).min(u64::from(typical_edge)) as u32
    }

    /// Returns whether so many nodes were expanded again that the next round has to be the last: it may expand every node
    /// once more, and all rounds together should not take more than twice the expansions of A*.
    #[inline(always)]
    fn repeats_too_much(&self) -> bool {
        self.again * REPEATS > self.fresh
    }

    /// Reads the route to the goal. It can cost less than the goal's record says, if a node on it has become cheaper.
    fn keep_route<S: Grid>(&mut self, task: Task<S>, trail: &mut Vec<S::Place>) {
        let reached_by = |node: NodeId| self.nodes.get(node.index()).map(Node::slot);
        self.best = u64::from(trace(task.grid, reached_by, task.goal(), trail));
        self.route.clear();
        self.route.extend(trail.drain(..).map(|cell| task.grid.node_at(cell)));
    }

    /// Takes the next node to expand off the open list and returns it with its cost and slot, or `None` at the end of the
    /// round.
    #[inline(always)]
    fn next(
        &mut self,
        estimate: &impl Estimate,
        open: &mut BucketList,
        probe: &mut impl Probe,
    ) -> Option<(NodeId, u32, Slot)> {
        let reopens = self.factor == ONE;
        loop {
            let node = NodeId(open.pop()?);
            probe.event(Event::Pop { node });
            if open.floor() >= self.best || !reopens && self.repeats_too_much() {
                return None;
            }
            let record = self.nodes.slot(node.index());
            if !record.is_cheaper() || !reopens && record.expanded_in() == self.round {
                continue; // expanded since this entry was pushed
            }
            let is_new = record.expanded_in() == 0;
            record.expand(self.round);
            let (g, arrived) = (record.g, record.slot());
            if u64::from(g) + estimate.estimate(node) < self.best {
                (self.fresh, self.again) = (self.fresh + u64::from(is_new), self.again + u64::from(!is_new));
                return Some((node, g, arrived));
            }
        }
    }

    /// Expands up to `left` nodes of this round and counts `left` down.
    fn run(
        &mut self,
        graph: &impl Graph<Reached = Slot>,
        estimate: &impl Estimate,
        goal: NodeId,
        open: &mut BucketList,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> Stop {
        let (stamp, reopens) = (self.nodes.stamp(), self.factor == ONE);
        while *left > 0 {
            let Some((node, g, arrived)) = self.next(estimate, open, probe) else {
                return Stop::Round;
            };
            *left -= 1;
            let mut is_better = false;
            probe.event(Event::Expand { node, g });
            graph.for_each_edge(node, arrived, |to, cost, slot| {
                probe.event(Event::Generate { node: to });
                let Some(g) = g.checked_add(cost) else { return };
                let record = self.nodes.slot(to.index());
                let known = record.stamp() == stamp;
                if known && g >= record.g {
                    return;
                }
                let h = estimate.estimate(to);
                if u64::from(g) + h >= self.best {
                    return;
                }
                let was_cheaper = known && record.is_cheaper();
                record.lower(g, stamp, slot);
                if to == goal {
                    (self.best, is_better) = (u64::from(g), true);
                    probe.event(Event::Goal { cost: g });
                    return;
                }
                let waits = !reopens && record.expanded_in() == self.round;
                if known {
                    probe.event(if was_cheaper { Event::Decrease { node: to } } else { Event::Reopen { node: to } });
                }
                if !was_cheaper {
                    self.cheaper.push(to);
                }
                if !waits {
                    let key = self.key(g, h);
                    open.push(key, to.0);
                    probe.event(Event::Push { node: to, g, key });
                }
            });
            if is_better {
                return Stop::Route;
            }
        }
        Stop::Budget
    }

    /// Ends a round and begins the next one with all nodes that have become cheaper since they were expanded.
    fn next_round(
        &mut self,
        graph: &impl Graph,
        estimate: &impl Estimate,
        inflation: Inflation,
        open: &mut BucketList,
        probe: &mut impl Probe,
    ) {
        let (nodes, best, mut lowest) = (&mut self.nodes, self.best, self.best);
        self.cheaper.retain(|node| {
            let record = nodes.slot(node.index());
            let f = u64::from(record.g) + estimate.estimate(*node);
            let stays = record.is_cheaper() && f < best;
            if stays {
                lowest = lowest.min(f);
            }
            record.meta &= !CHEAPER; // so that a second entry of the node goes
            stays
        });
        let is_cut_short = self.repeats_too_much();
        if best == UNKNOWN {
            // Costs that are too high did not fit [`crate::Cost`]. The last round finds the least ones.
            self.factor = ONE;
        } else {
            // The factor of a round that was cut short does not bound the cost.
            let within = if is_cut_short { 0 } else { least_within(best, self.factor) };
            self.least = self.least.max(lowest).max(within);
            probe.event(Event::Round { cost: best as u32, least: self.least as u32 });
            self.factor = if is_cut_short { ONE } else { inflation.next(self.factor, best, self.least) };
        }
        self.round += 1;
        open.reset(0, self.grain(graph.typical_edge()));
        for &node in &self.cheaper {
            let record = self.nodes.slot(node.index());
            record.meta |= CHEAPER;
            let g = record.g;
            let key = self.key(g, estimate.estimate(node));
            open.push(key, node.0);
            probe.event(Event::Push { node, g, key });
        }
    }
}
