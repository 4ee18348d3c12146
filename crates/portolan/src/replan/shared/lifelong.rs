//! The loop of LPA* and D* Lite ([`Lifelong`]): a search from a root whose costs are corrected after edits.
//!
//! Every node has two costs from the root: `g`, which its neighbours use, and `rhs`, the least sum of a neighbour's `g`
//! and the edge between them. The queue holds the nodes whose two costs differ. Expanding a node whose `rhs` is less
//! makes it final; expanding one whose `rhs` is greater takes its `g` back, so that its neighbours look for another way.
//! A node is expanded at most twice in one search, whatever was cut off: an unreachable node has two infinite costs, and
//! no finite number stands for a wall that neighbours could raise step by step.
//!
//! Not here: which end of the route is the root, which the two algorithms say.

use super::changes::Changes;
use super::one_off::Restart;
use super::pages::Pages;
use super::queue::{Key, Queue, Queued};
use super::view::View;
use crate::graph::{Distance, Estimate, Graph, Grid, START, Search, Slot};
use crate::id::NodeId;
use crate::memory::held;
use crate::method::{End, LivingSearch, Task};
use crate::probe::{Event, Probe, Watcher, with_probe};
use crate::scratch::{AlgorithmState, Scratch};

/// The cost of a node that no route is known to.
const INFINITE: u32 = u32::MAX;

/// A search from a root to a target, which may move. If `BACKWARD`, the root is the goal of the route and the target is
/// its start, else the other way round.
#[derive(Clone, Default)]
pub(in crate::replan) struct Lifelong<const BACKWARD: bool> {
    tree: Tree,
    /// `None` before the first step and when the search has to begin from nothing.
    ends: Option<Ends>,
    changes: Changes,
}

#[derive(Copy, Clone)]
struct Ends {
    root: NodeId,
    target: NodeId,
    /// The least weight of the world when the keys were computed: estimates are multiplied by it.
    least_weight: u8,
}

/// The nodes seen so far, and those to expand.
#[derive(Clone, Default)]
struct Tree {
    records: Pages<Record>,
    open: Queue,
    /// What is added to the first number of every new key: at least the estimate of how far the target has moved since
    /// any key in the queue was computed. So old keys are never too great, and need no update when the target moves.
    key_modifier: u64,
    /// The nodes of the latest route, from the target to the root, each with its `g`. The costs get less on the way.
    route: Vec<(NodeId, u32)>,
    /// The memory of the route before.
    before: Vec<(NodeId, u32)>,
    /// No `g` below this number has changed since that route was read, and no edge of a node with such a `g`.
    unchanged_below: u32,
}

#[derive(Copy, Clone)]
struct Record {
    g: u32,
    rhs: u32,
    place: u32,
}

impl Default for Record {
    fn default() -> Record {
        Record { g: INFINITE, rhs: INFINITE, place: 0 }
    }
}

impl Queued for Record {
    fn place(&self) -> u32 {
        self.place
    }

    fn set_place(&mut self, place: u32) {
        self.place = place;
    }
}

impl Record {
    fn key(self, estimate: u64, key_modifier: u64) -> Key {
        let least = self.g.min(self.rhs);
        Key(u64::from(least) + estimate + key_modifier, least)
    }
}

impl<const BACKWARD: bool> Restart for Lifelong<BACKWARD> {
    fn restart(&mut self) {
        self.ends = None;
        self.changes.clear();
    }
}

impl<const BACKWARD: bool> AlgorithmState for Lifelong<BACKWARD> {
    fn bytes(&self) -> usize {
        self.tree.records.bytes()
            + self.tree.open.bytes()
            + held(&self.tree.route)
            + held(&self.tree.before)
            + self.changes.bytes()
    }
}

impl<S: Grid, const BACKWARD: bool> LivingSearch<S> for Lifelong<BACKWARD> {
    fn edited(&mut self, task: Task<S>, edits: &[S::Edit]) {
        if self.ends.is_some() && !self.changes.note(task.grid, edits, self.tree.records.len()) {
            self.restart();
        }
    }

    fn step(&mut self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        let target = if BACKWARD { task.from } else { task.to };
        let has_route = task.grid.search(false, None, target, Slice { living: self, task, left, probe })?;
        if !has_route {
            return Some(End::NotFound);
        }
        let cost = self.tree.records.get(task.grid.node_at(target)).rhs;
        scratch.trail.extend(self.tree.route.iter().map(|&(node, _)| task.grid.place(node)));
        if BACKWARD {
            scratch.trail.reverse();
        }
        Some(End::Found(cost))
    }

    fn bytes(&self) -> usize {
        AlgorithmState::bytes(self)
    }
}

/// Continues the search. Its output is whether there is a route, or `None` if there is more to do.
struct Slice<'a, 'p, S: Grid, const BACKWARD: bool> {
    living: &'a mut Lifelong<BACKWARD>,
    task: Task<'a, S>,
    left: &'a mut u64,
    probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl<S: Grid, const BACKWARD: bool> Search<S> for Slice<'_, '_, S, BACKWARD> {
    type Output = Option<bool>;

    fn run<G: Graph<Reached = Slot>, D: Distance<S::Place>>(self, graph: &G, distance: &D) -> Option<bool> {
        let Slice { living, task, left, probe } = self;
        let root = if BACKWARD { task.goal() } else { task.start() };
        let target = if BACKWARD { task.start() } else { task.goal() };
        let view = View { grid: task.grid, graph, distance, root };
        with_probe!(probe, |watcher| {
            living.prepare(&view, target, watcher);
            let has_route = living.tree.run(&view, target, left, watcher)?;
            if has_route {
                living.tree.read_route(graph, target, root);
            }
            Some(has_route)
        })
    }
}

impl<const BACKWARD: bool> Lifelong<BACKWARD> {
    /// Brings the search up to date with the ends of the route and with the edits.
    fn prepare<S: Grid, G: Graph<Reached = Slot>, D: Estimate>(
        &mut self,
        view: &View<S, G, D>,
        target: NodeId,
        probe: &mut impl Probe,
    ) {
        let tree = &mut self.tree;
        let ends = Ends { root: view.root, target, least_weight: view.grid.least_weight() };
        match self.ends.replace(ends).filter(|old| old.root == view.root) {
            None => {
                tree.begin(view, probe);
                self.changes.clear();
            }
            Some(old) if old.least_weight != ends.least_weight => {
                let key_modifier = tree.key_modifier;
                let key = |node: NodeId, record: Record| record.key(view.distance.estimate(node), key_modifier);
                tree.open.put_all(&mut tree.records, key);
            }
            Some(old) => tree.key_modifier += view.distance.estimate(old.target),
        }
        for node in self.changes.nodes() {
            tree.unchanged_below = tree.unchanged_below.min(tree.records.get(node).g);
            tree.look_again(view, node, probe);
        }
        self.changes.clear();
    }
}

impl Tree {
    fn begin<S: Grid, G: Graph<Reached = Slot>, D: Estimate>(&mut self, view: &View<S, G, D>, probe: &mut impl Probe) {
        self.records.reset(view.graph.node_count());
        self.open.clear();
        (self.key_modifier, self.unchanged_below) = (0, 0);
        self.records.slot(view.root).rhs = 0;
        self.update(view.distance, view.root, probe);
    }

    /// Puts the node into the queue, moves it there or removes it, so that the queue holds exactly the nodes whose two
    /// costs differ.
    fn update(&mut self, distance: &impl Estimate, node: NodeId, probe: &mut impl Probe) {
        let record = self.records.get(node);
        if record.g != record.rhs {
            let key = record.key(distance.estimate(node), self.key_modifier);
            let is_new = record.place == 0;
            probe.event(if is_new { Event::Push { node, g: key.1, key: key.0 } } else { Event::Decrease { node } });
            self.open.put(key, node, &mut self.records);
        } else if record.place != 0 {
            probe.event(Event::Pop { node });
            self.open.remove(node, &mut self.records);
        }
    }

    /// Computes `rhs` of a node from its neighbours.
    fn look_again<S: Grid, G: Graph<Reached = Slot>, D: Estimate>(
        &mut self,
        view: &View<S, G, D>,
        node: NodeId,
        probe: &mut impl Probe,
    ) {
        if node == view.root {
            return;
        }
        let mut rhs = INFINITE;
        if view.grid.is_open(node) {
            view.graph.for_each_edge(node, START, |to, cost, _| {
                probe.event(Event::Generate { node: to });
                rhs = rhs.min(self.records.get(to).g.saturating_add(cost));
            });
        }
        if self.records.get(node).rhs != rhs {
            self.records.slot(node).rhs = rhs;
            self.update(view.distance, node, probe);
        }
    }

    /// Expands up to `left` nodes and counts `left` down. Returns whether there is a route to the target, or `None` if
    /// there is more to do.
    fn run<S: Grid, G: Graph<Reached = Slot>, D: Estimate>(
        &mut self,
        view: &View<S, G, D>,
        target: NodeId,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> Option<bool> {
        loop {
            let aim = self.records.get(target);
            let is_next = |&(key, _): &(Key, NodeId)| key < aim.key(0, self.key_modifier) || aim.rhs > aim.g;
            let Some((key, node)) = self.open.first().filter(is_next) else {
                if aim.rhs != INFINITE {
                    probe.event(Event::Goal { cost: aim.rhs });
                }
                return Some(aim.rhs != INFINITE);
            };
            let record = self.records.get(node);
            let now = record.key(view.distance.estimate(node), self.key_modifier);
            if key < now {
                probe.event(Event::Decrease { node });
                self.open.put(now, node, &mut self.records);
                continue;
            }
            if *left == 0 {
                return None;
            }
            *left -= 1;
            probe.event(Event::Pop { node });
            probe.event(Event::Expand { node, g: record.rhs.min(record.g) });
            self.open.remove(node, &mut self.records);
            self.unchanged_below = self.unchanged_below.min(record.g.min(record.rhs));
            if record.g > record.rhs {
                self.lower(view, node, record.rhs, probe);
            } else {
                self.raise(view, node, record.g, probe);
            }
        }
    }

    /// Gives a node the cost `g`, which is less than it had, and lowers `rhs` of its neighbours.
    #[inline(always)]
    fn lower<S: Grid, G: Graph<Reached = Slot>, D: Estimate>(
        &mut self,
        view: &View<S, G, D>,
        node: NodeId,
        g: u32,
        probe: &mut impl Probe,
    ) {
        self.records.slot(node).g = g;
        view.graph.for_each_edge(node, START, |to, cost, _| {
            probe.event(Event::Generate { node: to });
            let rhs = g.saturating_add(cost);
            if to != view.root && self.records.get(to).rhs > rhs {
                self.records.slot(to).rhs = rhs;
                self.update(view.distance, to, probe);
            }
        });
    }

    /// Takes the cost of a node back, which was `old`, and looks for another way for the neighbours reached through it.
    fn raise<S: Grid, G: Graph<Reached = Slot>, D: Estimate>(
        &mut self,
        view: &View<S, G, D>,
        node: NodeId,
        old: u32,
        probe: &mut impl Probe,
    ) {
        self.records.slot(node).g = INFINITE;
        self.update(view.distance, node, probe);
        view.graph.for_each_edge(node, START, |to, cost, _| {
            if self.records.get(to).rhs == old.saturating_add(cost) {
                self.look_again(view, to, probe);
            }
        });
    }

    /// Reads the route from the target to the root, as far as it can have changed. It goes on like the latest route from
    /// the first node on both whose costs have not changed: every node after it has a lower cost, which has not changed
    /// either, and a neighbour whose cost has changed cannot offer less than that.
    fn read_route(&mut self, graph: &impl Graph<Reached = Slot>, target: NodeId, root: NodeId) {
        std::mem::swap(&mut self.route, &mut self.before);
        self.route.clear();
        let (old, mut node) = (&self.before, target);
        while node != root {
            let Record { g, rhs, .. } = self.records.get(node);
            if g.max(rhs) < self.unchanged_below {
                let at = old.partition_point(|&(_, other)| other > g);
                if old.get(at) == Some(&(node, g)) {
                    self.route.extend_from_slice(&old[at..]);
                    break;
                }
            }
            self.route.push((node, g));
            let mut best = (INFINITE, node);
            graph.for_each_edge(node, START, |to, cost, _| {
                best = best.min((self.records.get(to).g.saturating_add(cost), to));
            });
            node = best.1;
        }
        if node == root {
            self.route.push((root, 0));
        }
        self.unchanged_below = INFINITE;
    }
}
