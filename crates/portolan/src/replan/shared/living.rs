//! One agent's search with what it has to be told ([`Living`]): the ends of its route, and the nodes that edits changed.
//!
//! Not here: the two ways to correct costs, which are a [`Tree`] each.

use super::changes::Changes;
use super::view::{GridView, View};
use crate::graph::{Distance, Grid, Reversible, Search, Shape};
use crate::id::NodeId;
use crate::method::{End, LivingSearch, SoFar, Task};
use crate::probe::{Probe, Watcher, with_probe};
use crate::scratch::{AlgorithmState, Scratch};

/// The cost of a node that no route is known to.
pub(in crate::replan) const INFINITE: u32 = u32::MAX;

/// The nodes that a search from a root has seen, with their costs, and those to expand.
pub(in crate::replan) trait Tree: Clone + Default + Send + Sync + 'static {
    /// Whether the root is the goal of the route and the target is its start. Else it is the other way round.
    const IS_BACKWARD: bool;
    /// The estimate of the cost to the target; `None` for the natural one of the grid.
    const SHAPE: Option<Shape>;
    /// What the settings of the algorithm say about its searches.
    type Settings: Copy + Default + Send + Sync + 'static;

    /// Forgets everything and begins at the root.
    fn begin(&mut self, settings: Self::Settings, view: &impl View, probe: &mut impl Probe);

    /// Learns that the target or the least weight of the world is another one than when keys were computed. Returns false
    /// if the search has to begin from nothing.
    fn follow(
        &mut self,
        view: &impl View,
        old_target: NodeId,
        has_other_estimates: bool,
        probe: &mut impl Probe,
    ) -> bool;

    /// Corrects a node whose edges may have changed.
    fn look_again<V: View>(&mut self, view: &V, node: NodeId, probe: &mut impl Probe);

    /// Expands up to `left` nodes and counts `left` down. Returns the cost of the route, [`INFINITE`] if there is none, or
    /// `None` if there is more to do.
    fn run(&mut self, view: &impl View, target: NodeId, left: &mut u64, probe: &mut impl Probe) -> Option<u32>;

    /// Returns the nodes of the route that was found, from the target to the root.
    fn route(&self, target: NodeId) -> impl Iterator<Item = NodeId> + '_;

    /// Returns the cost and the bound of the route that [`Tree::route`] returns, if the search has found it before its end
    /// and the world has not changed since.
    fn so_far(&self) -> Option<SoFar> {
        None
    }

    /// Returns how many nodes the search has records of.
    fn seen(&self) -> usize;

    fn bytes(&self) -> usize;
}

/// A search that an agent keeps while it walks and the world changes.
#[derive(Clone, Default)]
pub(in crate::replan) struct Living<T: Tree> {
    tree: T,
    settings: T::Settings,
    /// `None` before the first step and when the search has to begin from nothing.
    ends: Option<Ends>,
    changes: Changes,
}

#[derive(Copy, Clone)]
struct Ends {
    root: NodeId,
    target: NodeId,
    /// The least weight of the world when the keys were computed, and how often its links had changed: estimates depend on
    /// both.
    estimates: (u8, u32),
}

impl<T: Tree> Living<T> {
    pub(super) fn new(settings: T::Settings) -> Living<T> {
        Living { settings, ..Living::default() }
    }

    /// Has the next step begin from nothing with these settings. The memory is kept.
    pub(super) fn restart(&mut self, settings: T::Settings) {
        (self.ends, self.settings) = (None, settings);
        self.changes.clear();
    }
}

impl<T: Tree> AlgorithmState for Living<T> {
    fn bytes(&self) -> usize {
        self.tree.bytes() + self.changes.bytes()
    }
}

impl<S: Grid, T: Tree> LivingSearch<S> for Living<T> {
    fn edited(&mut self, task: Task<S>, edits: &[S::Edit]) {
        let rows = edits.iter().flat_map(|edit| task.grid.rows_near(edit));
        if self.ends.is_some() && !self.changes.note(rows, self.tree.seen()) {
            self.restart(self.settings);
        }
    }

    fn step(&mut self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        let target = if T::IS_BACKWARD { task.from } else { task.to };
        let cost = task.grid.search(false, T::SHAPE, target, Slice { living: self, task, left, probe })?;
        if cost == INFINITE {
            return Some(End::NotFound);
        }
        self.lay_trail(task, scratch);
        Some(End::Found(cost))
    }

    fn so_far(&self, task: Task<S>, scratch: &mut Scratch<S>) -> Option<SoFar> {
        let so_far = self.tree.so_far().filter(|_| self.ends.is_some())?;
        self.lay_trail(task, scratch);
        Some(so_far)
    }

    fn bytes(&self) -> usize {
        AlgorithmState::bytes(self)
    }
}

/// Continues a search. Its output is the cost of the route, [`INFINITE`] if there is none, or `None` if there is more to
/// do.
struct Slice<'a, 'p, S: Grid, T: Tree> {
    living: &'a mut Living<T>,
    task: Task<'a, S>,
    left: &'a mut u64,
    probe: Option<&'a mut (dyn Probe + 'p)>,
}

impl<S: Grid, T: Tree> Search<S> for Slice<'_, '_, S, T> {
    type Output = Option<u32>;

    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, distance: &D) -> Option<u32> {
        let Slice { living, task, left, probe } = self;
        let (from, to) = (task.start(), task.goal());
        let (root, target) = if T::IS_BACKWARD { (to, from) } else { (from, to) };
        let estimates = (task.grid.least_weight(), task.grid.ground().link_edits);
        let ends = Ends { root, target, estimates };
        let grid = task.grid;
        with_probe!(probe, |watcher| {
            if T::IS_BACKWARD {
                let view = GridView::<_, _, _, true> { grid, graph, distance, root };
                living.run(&view, ends, left, watcher)
            } else {
                let view = GridView::<_, _, _, false> { grid, graph, distance, root };
                living.run(&view, ends, left, watcher)
            }
        })
    }
}

impl<T: Tree> Living<T> {
    /// Writes the cells of the route to [`Scratch::trail`], the goal first.
    fn lay_trail<S: Grid>(&self, task: Task<S>, scratch: &mut Scratch<S>) {
        let target = task.grid.node_at(if T::IS_BACKWARD { task.from } else { task.to });
        scratch.trail.extend(self.tree.route(target).map(|node| task.grid.place(node)));
        if T::IS_BACKWARD {
            scratch.trail.reverse();
        }
    }

    /// Brings the search up to date and expands up to `left` nodes.
    fn run(&mut self, view: &impl View, ends: Ends, left: &mut u64, probe: &mut impl Probe) -> Option<u32> {
        self.prepare(view, ends, probe);
        self.tree.run(view, ends.target, left, probe)
    }

    /// Brings the search up to date with the ends of the route and with the edits.
    fn prepare(&mut self, view: &impl View, ends: Ends, probe: &mut impl Probe) {
        let follows = self.ends.replace(ends).is_some_and(|old| {
            old.root == ends.root && self.tree.follow(view, old.target, old.estimates != ends.estimates, probe)
        });
        if follows {
            for node in self.changes.nodes() {
                self.tree.look_again(view, node, probe);
            }
        } else {
            self.tree.begin(self.settings, view, probe);
        }
        self.changes.clear();
    }
}
