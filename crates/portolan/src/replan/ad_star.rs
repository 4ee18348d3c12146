//! Anytime Dynamic A*, AD*: D* Lite with inflated estimates, which has a route early and makes it better while there is time.
//!
//! **Idea.** As ARA*, it searches in rounds whose factor on the estimates falls to 1; as D* Lite, it searches back from the
//! goal, keeps its costs while the agent walks, and corrects them after edits. Estimates are inflated for nodes that get
//! cheaper and not for nodes that get dearer, so that wrong costs are taken back before other nodes rely on them.
//! **Use** it for an agent that must set out before a search can end, in a world that changes: [`crate::Replanner::so_far`]
//! gives the best route between two steps, and [`crate::Route::bound`] says how good it is.
//! **Promises** a cheapest route, if no budget ends the search. A route given out before costs at most
//! [`crate::Route::bound`] times that.
//! **Costs** at most two expansions of each node in a round, O(log n) each, and a look at the queue at the beginning of a
//! round; 13 bytes for each node in pages of 64 that were looked at. If the goal moves, it searches from nothing.
//! **Departs** from its paper in the last round, which is D* Lite's search with its key modifier. A small edit is repaired
//! in that round; when the repair has expanded as many nodes as the queue holds, the factor rises to its first value. Factors
//! that the best route keeps to already are left out, and so are all but the last where too many nodes are expanded again;
//! nodes that cannot be on a cheaper route than the best one wait for the last round. An unreachable node has two infinite
//! costs, and no finite number stands for a wall, so that nodes that are cut off cannot raise each other in an endless loop.
//!
//! Likhachev, Ferguson, Gordon, Stentz, Thrun: Anytime dynamic A*: an anytime, replanning algorithm, 2005.

mod best_route;

use super::shared::OneOff;
use super::shared::living::{INFINITE, Tree};
use super::shared::pages::Pages;
use super::shared::queue::{Key, Queue};
use super::shared::record::Record;
use super::shared::view::View;
use crate::algorithm::Algorithm;
use crate::graph::{Grid, Shape};
use crate::id::NodeId;
use crate::inflation::{INFLATION, Inflation, ONE, least_within};
use crate::memory::held;
use crate::method::SoFar;
use crate::probe::{Event, Probe};
use crate::space::Extras;
use best_route::BestRoute;

/// Describes the algorithm on a kind of grid.
pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {
    Algorithm {
        name: "ad-star",
        title: "AD*",
        summary: "D* Lite in rounds: a route early, a better one each round; for agents that walk and cannot wait",
        paper: "Likhachev, Ferguson, Gordon, Stentz, Thrun 2005",
        params: INFLATION,
        extras: Extras::OneWays,
        ..Algorithm::flat(|_, settings| Box::new(OneOff::<AnytimeTree>::new(Inflation::of(settings))))
    }
}

/// The tree of a search whose root is the goal of the route.
#[derive(Clone, Default)]
struct AnytimeTree {
    inflation: Inflation,
    /// The factor on estimates in this round, in units of 1 / [`ONE`].
    factor: u64,
    records: Pages<Record>,
    open: Queue,
    /// The nodes that became cheaper after they were expanded in this round, some of them twice: INCONS in the paper.
    waiting: Vec<NodeId>,
    /// Whether a node was expanded in this round to get cheaper, and was not put into the queue since: CLOSED in the paper.
    closed: Pages<bool>,
    /// As in D* Lite: what is added to the first number of every new key, because the target has moved.
    key_modifier: u64,
    /// Whether this round has to begin again, because the world or the target is another one than when it began. The last
    /// round goes on.
    is_outdated: bool,
    /// How many nodes the last round may still expand before the factor rises.
    patience: u64,
    /// How many expansions were of nodes that had a cost, since the factor had its first value.
    again: usize,
    best: BestRoute,
}

/// When one in this many of the nodes with records was expanded again to get cheaper, the last round begins.
const REPEATS: usize = 8;

/// Returns the key of a node, whose estimated cost of a route is in units of 1 / [`ONE`]. So no key is rounded, and the
/// factor bounds costs also where an edge costs 1.
fn key_of(record: Record, estimate: u64, factor: u64, key_modifier: u64) -> Key {
    let (cost, is_raised) = (record.g.min(record.rhs), record.g < record.rhs);
    let factor = if is_raised { ONE } else { factor };
    Key::of(cost, is_raised, (ONE - 1) * u64::from(cost) + factor * estimate + ONE * key_modifier)
}

/// Tells a probe what the queue does, with keys in the units of costs.
struct Unscaled<'a, P>(&'a mut P);

impl<P: Probe> Probe for Unscaled<'_, P> {
    #[inline(always)]
    fn event(&mut self, event: Event) {
        self.0.event(match event {
            Event::Push { node, g, key } => Event::Push { node, g, key: key / ONE },
            other => other,
        });
    }
}

/// Why a round has stopped.
enum Stop {
    /// No expansion is left.
    Budget,
    /// The last round has expanded so many nodes since a change that another round has to find a route first.
    Patience,
    /// A route is known, and so many nodes were expanded again that the last round has to begin.
    Repeats,
    /// The round has ended with this cost of the target.
    Round(u32),
}

impl Tree for AnytimeTree {
    const IS_BACKWARD: bool = true;
    const SHAPE: Option<Shape> = None;
    type Settings = Inflation;

    fn begin(&mut self, inflation: Inflation, view: &impl View, probe: &mut impl Probe) {
        self.records.reset(view.node_count());
        self.open.clear();
        self.waiting.clear();
        self.closed.reset(view.node_count());
        (self.inflation, self.factor, self.key_modifier) = (inflation, inflation.first(), 0);
        (self.is_outdated, self.patience, self.again) = (false, u64::MAX, 0);
        self.best.forget();
        self.records.slot(view.root()).rhs = 0;
        self.update(view, view.root(), probe);
    }

    fn follow(&mut self, view: &impl View, old_target: NodeId, has_other_estimates: bool, _: &mut impl Probe) -> bool {
        let moved = view.estimate(old_target);
        if has_other_estimates {
            self.is_outdated = true;
        } else if moved != 0 {
            self.key_modifier += moved;
            self.change();
        }
        true
    }

    fn look_again<V: View>(&mut self, view: &V, node: NodeId, probe: &mut impl Probe) {
        self.best.forget();
        self.change();
        self.compute(view, node, probe);
    }

    fn run(&mut self, view: &impl View, target: NodeId, left: &mut u64, probe: &mut impl Probe) -> Option<u32> {
        self.best.walk_to(target, view.estimate(view.root()));
        if std::mem::take(&mut self.is_outdated) {
            self.begin_round(view, probe);
        }
        loop {
            match self.improve(view, target, left, probe) {
                Stop::Budget => return None,
                Stop::Patience => (self.factor, self.patience, self.again) = (self.inflation.first(), u64::MAX, 0),
                Stop::Round(cost) if self.factor == ONE => {
                    self.patience = u64::MAX;
                    if cost != INFINITE {
                        self.take_route(view, target, u64::from(cost), probe);
                    }
                    return Some(cost);
                }
                // A cost that is too high may not have fit.
                Stop::Repeats | Stop::Round(INFINITE) => self.factor = ONE,
                Stop::Round(_) => {
                    let SoFar { cost, least } = self.take_route(view, target, self.lowest(view), probe);
                    probe.event(Event::Round { cost, least: least as u32 });
                    self.factor = self.inflation.next(self.factor, u64::from(cost), least);
                }
            }
            self.begin_round(view, probe);
        }
    }

    fn route(&self, _: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.best.nodes()
    }

    fn so_far(&self) -> Option<SoFar> {
        self.best.so_far()
    }

    fn seen(&self) -> usize {
        self.records.len()
    }

    fn bytes(&self) -> usize {
        self.records.bytes() + self.closed.bytes() + self.open.bytes() + held(&self.waiting) + self.best.bytes()
    }
}

impl AnytimeTree {
    /// Notes that the world or the target has changed.
    fn change(&mut self) {
        if self.factor == ONE {
            self.patience = self.patience.min(self.open.len() as u64);
        } else {
            self.is_outdated = true;
        }
    }

    /// Expands up to `left` nodes of this round (`ComputeorImprovePath` in the paper).
    fn improve(&mut self, view: &impl View, target: NodeId, left: &mut u64, probe: &mut impl Probe) -> Stop {
        loop {
            let aim = self.records.get(target);
            let end = if aim.rhs > aim.g { Key::LAST } else { key_of(aim, 0, self.factor, self.key_modifier) };
            let Some((key, node)) = self.open.first_below(end, &self.records, &mut Unscaled(probe)) else {
                return Stop::Round(aim.rhs);
            };
            let record = self.records.get(node);
            let now = key_of(record, view.estimate(node), self.factor, self.key_modifier);
            if key < now {
                self.open.remove_first(&mut self.records, probe);
                self.open.put(now, node, &mut self.records, &mut Unscaled(probe));
                continue;
            }
            if self.is_useless(record, view.estimate(node)) {
                self.open.remove_first(&mut self.records, probe);
                self.waiting.push(node);
                continue;
            }
            if self.patience == 0 {
                return Stop::Patience;
            }
            if self.again * REPEATS > self.records.len() && self.factor != ONE && self.best.so_far().is_some() {
                return Stop::Repeats;
            }
            if *left == 0 {
                return Stop::Budget;
            }
            *left -= 1;
            self.patience -= 1;
            self.open.remove_first(&mut self.records, probe);
            probe.event(Event::Expand { node, g: record.rhs.min(record.g) });
            if record.g > record.rhs {
                self.again += usize::from(record.g != INFINITE);
                self.lower(view, node, record.rhs, probe);
            } else {
                self.raise(view, node, record.g, probe);
            }
        }
    }

    /// Returns whether a node that would get cheaper cannot be on a cheaper route than the best one, by its cost as it is. It
    /// then waits for the next round. If it is on a cheapest route all the same, because its cost is too high, then the
    /// best route keeps to the factor already.
    fn is_useless(&self, record: Record, estimate: u64) -> bool {
        let best = self.best.so_far().filter(|_| self.factor != ONE && record.g > record.rhs);
        best.is_some_and(|best| u64::from(record.rhs) + estimate >= u64::from(best.cost))
    }

    /// Begins a round with all nodes whose two costs differ.
    fn begin_round(&mut self, view: &impl View, probe: &mut impl Probe) {
        self.closed.reset(view.node_count());
        let (factor, key_modifier) = (self.factor, self.key_modifier);
        let key = |node: NodeId, record: Record| key_of(record, view.estimate(node), factor, key_modifier);
        self.open.put_all(&mut self.records, key, probe);
        let mut waiting = std::mem::take(&mut self.waiting);
        for node in waiting.drain(..) {
            self.update(view, node, probe);
        }
        self.waiting = waiting;
    }

    /// Returns a number that no route costs less than, unless the costs of the nodes are already those of a cheapest route.
    /// On a cheapest route, the node nearest to the root whose two costs differ has no more than its true cost.
    fn lowest(&self, view: &impl View) -> u64 {
        let nodes = self.open.nodes(&self.records).chain(self.waiting.iter().copied());
        let records = nodes.map(|node| (node, self.records.get(node)));
        let differing = records.filter(|(_, record)| record.g != record.rhs);
        let sums = differing.map(|(node, record)| u64::from(record.g.min(record.rhs)) + view.estimate(node));
        sums.min().unwrap_or(u64::MAX)
    }

    /// Computes `rhs` of a node from its neighbours.
    fn compute(&mut self, view: &impl View, node: NodeId, probe: &mut impl Probe) {
        if node == view.root() {
            return;
        }
        let mut rhs = INFINITE;
        if view.is_open(node) {
            view.for_each_giver(node, |to, cost| {
                probe.event(Event::Generate { node: to });
                rhs = rhs.min(self.records.get(to).g.saturating_add(cost));
            });
        }
        if self.records.get(node).rhs != rhs {
            self.records.slot(node).rhs = rhs;
            self.update(view, node, probe);
        }
    }

    /// Puts the node into the queue if its two costs differ and it is not there with a key that is no greater, and removes
    /// it if they are equal. A node that became cheaper after it was expanded in this round waits for the next one; in the
    /// last round none waits.
    fn update(&mut self, view: &impl View, node: NodeId, probe: &mut impl Probe) {
        let record = self.records.get(node);
        let (is_lowered, is_queued) = (record.g > record.rhs, record.queued != INFINITE);
        if is_lowered && self.factor != ONE && self.closed.get(node) {
            self.waiting.push(node);
        } else if record.g != record.rhs {
            if !(is_lowered && is_queued && record.queued <= record.rhs) {
                let key = key_of(record, view.estimate(node), self.factor, self.key_modifier);
                if self.closed.get(node) {
                    *self.closed.slot(node) = false;
                }
                self.open.put(key, node, &mut self.records, &mut Unscaled(probe));
            }
            return;
        }
        if is_queued {
            self.open.remove(node, &mut self.records);
        }
    }

    /// Gives a node the cost `g`, which is less than it had, and lowers `rhs` of its neighbours.
    #[inline(always)]
    fn lower(&mut self, view: &impl View, node: NodeId, g: u32, probe: &mut impl Probe) {
        self.records.slot(node).g = g;
        *self.closed.slot(node) = true;
        view.for_each_taker(node, |to, cost| {
            probe.event(Event::Generate { node: to });
            let rhs = g.saturating_add(cost);
            if to != view.root() && self.records.get(to).rhs > rhs {
                self.records.slot(to).rhs = rhs;
                self.update(view, to, probe);
            }
        });
    }

    /// Takes the cost of a node back, which was `old`, and looks for another way for the neighbours reached through it.
    fn raise(&mut self, view: &impl View, node: NodeId, old: u32, probe: &mut impl Probe) {
        self.records.slot(node).g = INFINITE;
        self.update(view, node, probe);
        view.for_each_taker(node, |to, cost| {
            if self.records.get(to).rhs == old.saturating_add(cost) {
                self.compute(view, to, probe);
            }
        });
    }

    /// Reads the route from the target to the root at the end of a round, and takes it if it is cheaper than the best one.
    /// Returns the cost and the bound of the best one, where no route costs less than `lowest`. A route may cost less than
    /// the target's record says, if nodes on it became cheaper after they were expanded.
    fn take_route(&mut self, view: &impl View, target: NodeId, lowest: u64, probe: &mut impl Probe) -> SoFar {
        let AnytimeTree { best, records, factor, .. } = self;
        let next = |node: NodeId| {
            let mut next = (INFINITE, node, 0);
            view.for_each_giver(node, |to, cost| next = next.min((records.get(to).g.saturating_add(cost), to, cost)));
            (next.1, next.2)
        };
        let is_better = best.take(target, view.root(), next);
        let so_far = best.limit(|cost| lowest.max(least_within(u64::from(cost), *factor)));
        if is_better {
            probe.event(Event::Goal { cost: so_far.cost });
        }
        so_far
    }
}
