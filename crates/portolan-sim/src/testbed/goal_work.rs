//! What it took an agent to reach a goal: [`GoalWork`], in the terms of the report, counted from the events of its
//! searches.
//!
//! Not here: tables and files of these numbers.

use portolan::probe::{Event, Phase, Probe, Stats};
use portolan::{Cell, SquareGrid};
use std::time::Duration;

/// The work for one goal, or for several goals together. All but the time is equal in every run of a seed.
#[derive(Copy, Clone, PartialEq, Default, Debug)]
pub struct GoalWork {
    /// Entries put on the open list.
    pub inserts: u64,
    /// Entries taken off the open list.
    pub removes: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Mean number of entries on the open list over all expansions, but for searches in vain.
    pub heap_size: f64,
    /// How often the agent searched for a route or repaired its search.
    pub searches: u64,
    /// Steps taken.
    pub steps: u64,
    /// The cost of these steps over the terrain, without influence, in straight steps over ground of weight 1.
    pub cost: f64,
    /// Ticks from the goal before to this one.
    pub ticks: u64,
    /// How often a monster caught the agent.
    pub caught: u64,
    /// How long searches and repairs took by the clock.
    pub time: Duration,
}

impl GoalWork {
    /// Returns inserts and removes together.
    pub fn operations(&self) -> u64 {
        self.inserts + self.removes
    }

    /// Returns the mean height of the heap as the report has it: the binary logarithm of its mean size.
    pub fn heap_height(&self) -> f64 {
        if self.heap_size > 1.0 { self.heap_size.log2() } else { 0.0 }
    }

    /// Returns what the report calls the worst-case search depth: operations times the height of the heap.
    pub fn depth(&self) -> f64 {
        self.operations() as f64 * self.heap_height()
    }

    /// Returns the work of all these together. The size of the heap is the mean over all expansions.
    pub fn sum(all: &[GoalWork]) -> GoalWork {
        let mut sum = GoalWork::default();
        let mut sizes = 0.0;
        for work in all {
            sum.inserts += work.inserts;
            sum.removes += work.removes;
            sum.expanded += work.expanded;
            sum.searches += work.searches;
            sum.steps += work.steps;
            sum.cost += work.cost;
            sum.ticks += work.ticks;
            sum.caught += work.caught;
            sum.time += work.time;
            sizes += work.heap_size * work.expanded as f64;
        }
        sum.heap_size = if sum.expanded == 0 { 0.0 } else { sizes / sum.expanded as f64 };
        sum
    }
}

/// A goal of an agent and the work for it so far.
#[derive(Clone)]
pub(super) struct Errand {
    pub(super) to: Cell,
    pub(super) stats: Stats,
    /// The nodes of searches in vain that were not made, but count.
    pub(super) in_vain: u64,
    pub(super) searches: u64,
    pub(super) steps: u64,
    /// The cost of all steps in the metric of the world.
    pub(super) cost: u64,
    pub(super) ticks: u64,
    pub(super) caught: u64,
    pub(super) time: Duration,
}

impl Errand {
    pub(super) fn new(to: Cell) -> Errand {
        let (stats, time) = (Stats::default(), Duration::ZERO);
        Errand { to, stats, in_vain: 0, searches: 0, steps: 0, cost: 0, ticks: 0, caught: 0, time }
    }

    /// Prepares for a search whose open list is empty.
    pub(super) fn clear_open(&mut self) {
        self.stats.event(Event::Phase { phase: Phase::Search });
    }

    /// Returns the work; `straight` is the cost of a straight step over ground of weight 1.
    pub(super) fn work(&self, straight: u32) -> GoalWork {
        GoalWork {
            inserts: self.stats.pushes + self.in_vain,
            removes: self.stats.pops + self.in_vain,
            expanded: self.stats.expanded + self.in_vain,
            heap_size: self.stats.open_mean(),
            searches: self.searches,
            steps: self.steps,
            cost: self.cost as f64 / f64::from(straight),
            ticks: self.ticks,
            caught: self.caught,
            time: self.time,
        }
    }
}

/// Watches a search of an agent: counts, and notes the cells that are expanded if they are wanted.
pub(super) struct Searched<'a> {
    pub(super) stats: &'a mut Stats,
    pub(super) cells: Option<&'a mut Vec<Cell>>,
    pub(super) world: &'a SquareGrid,
}

impl Searched<'_> {
    /// Forgets the cells of the search before.
    pub(super) fn begin(&mut self) {
        if let Some(cells) = &mut self.cells {
            cells.clear();
        }
    }
}

impl Probe for Searched<'_> {
    fn counts(&mut self) -> Option<&mut Stats> {
        self.cells.is_none().then_some(&mut *self.stats)
    }

    fn event(&mut self, event: Event) {
        self.stats.event(event);
        if let (Some(cells), Event::Expand { node, .. }) = (&mut self.cells, event) {
            cells.push(self.world.cell(node));
        }
    }
}
