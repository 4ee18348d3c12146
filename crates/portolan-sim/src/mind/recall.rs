//! Searches over hexagons: A* over all of them, and over those that a mind knows, with the familiarity of hexagons in the estimate
//! (equations 5.1 and 5.2 of the thesis) or in the cost of steps.
//!
//! The distance to the goal is counted in steps of the lattice, which is nearer to the truth than the straight line of equation 5.1 and
//! still no more than the way. The term λ of equation 5.2 is counted in hexagons too. It is no cost but added to the estimate,
//! which is then no lower bound: a route may be longer than the shortest one that is known by as much as λ
//! differs between hexagons, `most - 1` steps at most.
//!
//! Not here: which hexagons a mind knows, and what it does where a search ends.

use super::beliefs::Beliefs;
use super::chart::ChartScratch;
use super::hexagons::{Hexagons, opposite};
use super::marks::Marks;
use super::memory::Memory;
use super::settings::Recall;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cost of a step. It has many divisors, so that λ is hardly rounded.
pub(super) const STEP_COST: u32 = 60;

/// Working memory of searches, which all minds of a thread share. A search allocates nothing once it is warm.
#[derive(Clone, Default, Debug)]
pub struct MindScratch {
    records: Vec<Record>,
    generation: u32,
    /// Nodes to expand, each with its rank.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    pub(super) route: Vec<u32>,
    pub(super) chart: ChartScratch,
    expanded: u64,
}

/// What a search knows of a node.
#[derive(Copy, Clone, Default, Debug)]
struct Record {
    generation: u32,
    cost: u32,
    /// The direction of the step that leads here.
    direction: u8,
}

/// What a search sees of the hexagons.
pub(super) trait Ground {
    /// Returns the directions in which there are steps from a node, a bit each.
    fn open(&self, hexagons: &Hexagons, node: u32) -> u8;
    /// Returns what is added to the estimate at a node, the cost of a step to it, and whether routes may lead on from it.
    fn look(&self, hexagons: &Hexagons, node: u32) -> Look;
}

/// What a search sees of a node.
pub(super) struct Look {
    pub(super) added: u32,
    pub(super) step_cost: u32,
    pub(super) leads_on: bool,
}

/// All hexagons, as they are.
pub(super) struct Everything;

impl Ground for Everything {
    #[inline]
    fn open(&self, hexagons: &Hexagons, node: u32) -> u8 {
        hexagons.open(node)
    }

    #[inline]
    fn look(&self, _: &Hexagons, _: u32) -> Look {
        Look { added: 0, step_cost: STEP_COST, leads_on: true }
    }
}

/// The hexagons that a mind remembers, and those that it has seen on its walk.
pub(super) struct Recollection<'a> {
    pub(super) memory: &'a Memory,
    pub(super) beliefs: &'a Beliefs,
    pub(super) marks: &'a Marks,
    pub(super) recall: Recall,
}

impl Ground for Recollection<'_> {
    #[inline]
    fn open(&self, hexagons: &Hexagons, node: u32) -> u8 {
        self.beliefs.open(hexagons, node)
    }

    #[inline]
    fn look(&self, hexagons: &Hexagons, node: u32) -> Look {
        let (counter, most) = (u32::from(self.memory.counter(hexagons, node)), u32::from(self.memory.most()));
        let lambda = (most * STEP_COST).checked_div(counter).unwrap_or(2 * most * STEP_COST);
        let leads_on = counter > 0 || self.marks.is_seen(node);
        match self.recall {
            Recall::Estimate => Look { added: lambda, step_cost: STEP_COST, leads_on },
            Recall::Cost => Look { added: 0, step_cost: lambda, leads_on },
        }
    }
}

/// Where a search ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// At the goal.
    Goal,
    /// At an unknown hexagon beside a known one.
    Unknown,
    /// Without either.
    Nowhere,
}

/// How many times as long as the distance a way through unknown ground is thought to be. Walks without any knowledge are some two to four
/// times as long as the shortest. With 1, a mind would rather try every gap in its knowledge on the way than walk around a wall.
const UNKNOWN_DETOUR: u32 = 3;

/// What a search looks for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// The goal, which is expected to be known: a known way to it is taken however long it is.
    Goal,
    /// The goal or an unknown hexagon. None that can be found lies fewer steps than this from the goal, where nothing is in the way.
    Unknown(u32),
}

impl Aim {
    /// Returns how many steps at least a way is thought to take from a hexagon that lies this far from the goal.
    #[inline]
    fn rest(self, distance: u32, leads_on: bool) -> u32 {
        match self {
            _ if !leads_on => distance * UNKNOWN_DETOUR,
            Aim::Goal => distance,
            // It leads to an unknown hexagon first.
            Aim::Unknown(least) => distance.abs_diff(least) + least * UNKNOWN_DETOUR,
        }
    }
}

/// Returns the place of a node in the queue: the least sum of cost and estimate comes first, of equal ones that of the greatest cost.
#[inline]
fn rank(cost: u32, estimate: u32) -> u64 {
    u64::from(cost + estimate) << 32 | u64::from(!cost)
}

/// Returns the cost in a rank.
#[inline]
fn cost_of(rank: u64) -> u32 {
    !(rank as u32)
}

impl MindScratch {
    /// Makes working memory. It grows with the first searches.
    pub fn new() -> MindScratch {
        MindScratch::default()
    }

    /// Returns the bytes of memory held.
    pub fn bytes(&self) -> usize {
        let queue = 16 * self.open.capacity() + 4 * self.route.capacity();
        size_of::<Record>() * self.records.capacity() + queue + self.chart.bytes()
    }

    /// Returns how many nodes all searches with this memory have expanded.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Looks for the goal, and else for the unknown hexagon over which the way there seems shortest. The route lies in `route` then,
    /// the last node first and `from` left out.
    pub(super) fn search(
        &mut self,
        hexagons: &Hexagons,
        ground: &impl Ground,
        [from, goal]: [u32; 2],
        aim: Aim,
    ) -> Ended {
        self.begin(hexagons);
        self.route.clear();
        self.records[from as usize] = Record { generation: self.generation, cost: 0, direction: 0 };
        self.open.push(Reverse((rank(0, 0), from)));
        // The best unknown node with its rank. Unknown nodes are ends, so that no more than one need be kept.
        let mut unknown = (u64::MAX, from);
        while let Some(Reverse((rank, node))) = self.open.pop() {
            if aim != Aim::Goal && rank > unknown.0 {
                break;
            }
            if node == goal {
                self.trace(hexagons, from, goal);
                return Ended::Goal;
            }
            let cost = self.records[node as usize].cost;
            if cost == cost_of(rank) {
                self.expand(hexagons, ground, (node, cost), goal, aim, &mut unknown);
            }
        }
        let (rank, node) = unknown;
        if rank == u64::MAX {
            return Ended::Nowhere;
        }
        self.trace(hexagons, from, node);
        Ended::Unknown
    }

    fn expand(
        &mut self,
        hexagons: &Hexagons,
        ground: &impl Ground,
        (node, cost): (u32, u32),
        goal: u32,
        aim: Aim,
        unknown: &mut (u64, u32),
    ) {
        self.expanded += 1;
        let mut left = ground.open(hexagons, node);
        while left != 0 {
            let direction = left.trailing_zeros() as usize;
            left &= left - 1;
            let beside = hexagons.beside(node, direction);
            let record = &mut self.records[beside as usize];
            let known_cost = if record.generation == self.generation { record.cost } else { u32::MAX };
            // No step costs less, and what is known of a node need not be asked for in vain.
            if known_cost <= cost + STEP_COST {
                continue;
            }
            let look = ground.look(hexagons, beside);
            let cost = cost + look.step_cost;
            if known_cost <= cost {
                continue;
            }
            *record = Record { generation: self.generation, cost, direction: direction as u8 };
            let rest = aim.rest(hexagons.distance(beside, goal), look.leads_on);
            let entry = (rank(cost, if beside == goal { 0 } else { rest * STEP_COST + look.added }), beside);
            if look.leads_on || beside == goal {
                if aim == Aim::Goal || entry.0 < unknown.0 {
                    self.open.push(Reverse(entry));
                }
            } else {
                *unknown = entry.min(*unknown);
            }
        }
    }

    fn begin(&mut self, hexagons: &Hexagons) {
        if self.records.len() < hexagons.nodes() || self.generation == u32::MAX {
            self.records.clear();
            self.records.resize(hexagons.nodes(), Record::default());
            self.generation = 0;
        }
        self.generation += 1;
        self.open.clear();
    }

    /// Writes the route to a node.
    fn trace(&mut self, hexagons: &Hexagons, from: u32, to: u32) {
        let mut node = to;
        while node != from {
            self.route.push(node);
            let direction = usize::from(self.records[node as usize].direction);
            node = hexagons.beside(node, opposite(direction));
        }
    }
}

impl Hexagons {
    /// Returns the nodes of a shortest walk from one node to another, both included, or `None` if there is none: what A* finds that
    /// knows all hexagons.
    pub fn route(&self, from: u32, to: u32, scratch: &mut MindScratch) -> Option<Vec<u32>> {
        let ended = scratch.search(self, &Everything, [from, to], Aim::Goal);
        let nodes = || std::iter::once(from).chain(scratch.route.iter().rev().copied()).collect();
        (ended == Ended::Goal).then(nodes)
    }
}
