//! Landmarks: a few nodes far apart whose distance to every node is stored. By the triangle inequality, the distance
//! between two nodes is at least the difference of their distances to any landmark. This lower bound accounts for
//! walls, which the obstacle-free distance does not. A* and the jump graph share this module: it picks the landmarks,
//! stores the distances and computes the bound.
//!
//! A distance is stored as a number of quanta, where a quantum is a power of two of cost. So 16 bits are enough, and
//! eight distances are compared at once. Stored distances are rounded down; each estimate is lowered by two quanta to
//! make up for that, so it stays a lower bound. An edit can make true distances longer or shorter, so the owner of the
//! landmarks has to drop them after an edit.
//!
//! Not here: how costs from a landmark are measured, which is in the algorithms' own files.
//!
//! Goldberg, Harrelson: Computing the shortest path: A* search meets graph theory, 2005.

use crate::id::Cell;
use crate::memory::held;
use crate::settings::Param;

/// The greatest number of landmarks.
pub(in crate::search) const MOST: usize = 16;

pub(in crate::search) const LANDMARKS: Param =
    Param::count("landmarks", "places whose distances guide the search until an edit voids them", 8, 0, MOST as u64);

/// The cost that means "not reachable".
pub(in crate::search) const NO_WAY: u32 = u32::MAX;

/// The limit on the cost from a landmark to any node it reaches: sums of two costs below it fit `u32`.
pub(in crate::search) const FARTHEST: u32 = 1 << 31;

/// Distances to eight landmarks, in quanta.
pub(in crate::search) type Lanes = [u16; 8];

/// The number of quanta that means "not reachable" or "not measured".
pub(in crate::search) const UNKNOWN: u16 = u16::MAX;

/// The landmarks and the distance of each of them to every node.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::search) struct Landmarks<P = Cell> {
    /// The cells of the landmarks, in the order of their lanes.
    pub(in crate::search) cells: Vec<P>,
    /// The distances of all nodes: `blocks` entries for each node, each entry for eight landmarks.
    lanes: Vec<Lanes>,
    /// Entries of `lanes` for each node: the number of landmarks divided by eight, rounded up.
    blocks: usize,
    /// The exponent of a quantum: one quantum is two to this power of cost.
    pub(in crate::search) shift: u32,
}

/// The distances of all landmarks to one goal.
#[derive(Copy, Clone, Default)]
pub(in crate::search) struct Sight {
    at: [Lanes; 2],
    /// A mask for each landmark: all bits set if its distance to the goal is in `at`, else 0.
    known: [Lanes; 2],
}

impl<P> Landmarks<P> {
    /// Allocates memory for `count` landmarks over `nodes` nodes; no landmark is set yet.
    pub(in crate::search) fn new(count: usize, nodes: usize) -> Landmarks<P> {
        let blocks = count.div_ceil(8);
        Landmarks { cells: Vec::with_capacity(count), lanes: vec![[UNKNOWN; 8]; nodes * blocks], blocks, shift: 0 }
    }

    /// Returns the bytes that `count` landmarks take for each node.
    pub(in crate::search) fn bytes_a_node(count: usize) -> usize {
        count.div_ceil(8) * size_of::<Lanes>()
    }

    /// Adds a landmark with its cost to each node, [`NO_WAY`] for nodes that it does not reach. The quantum grows if
    /// the costs do not fit 16 bits otherwise.
    pub(in crate::search) fn add(&mut self, cell: P, costs: impl Iterator<Item = u32> + Clone) {
        let farthest = costs.clone().filter(|&cost| cost != NO_WAY).max().unwrap_or(0);
        while farthest >> self.shift >= u32::from(UNKNOWN) {
            self.shift += 1;
            for lane in self.lanes.as_flattened_mut().iter_mut().filter(|lane| **lane != UNKNOWN) {
                *lane /= 2;
            }
        }
        let lane = self.cells.len();
        self.cells.push(cell);
        for (node, cost) in costs.enumerate().filter(|&(_, cost)| cost != NO_WAY) {
            self.lanes[node * self.blocks + lane / 8][lane % 8] = (cost >> self.shift) as u16;
        }
    }

    /// Returns the distances of a node to all landmarks, unused lanes included.
    #[inline(always)]
    pub(in crate::search) fn of(&self, node: usize) -> &[Lanes] {
        &self.lanes[node * self.blocks..][..self.blocks]
    }

    /// Returns the distances of the landmarks to a goal that is a node.
    pub(in crate::search) fn sight(&self, goal: usize) -> Sight {
        let mut sight = Sight::unknown();
        sight.at[..self.blocks].copy_from_slice(self.of(goal));
        sight.settle();
        sight
    }

    /// Returns a lower bound on the cost from a node to the goal.
    #[inline(always)]
    pub(in crate::search) fn estimate(&self, node: usize, sight: &Sight) -> u64 {
        let mut most = greatest_difference(&self.lanes[node * self.blocks], sight, 0);
        if self.blocks > 1 {
            most = most.max(greatest_difference(&self.lanes[node * self.blocks + 1], sight, 1));
        }
        // The true distance of a node is up to one quantum more than stored. That of a goal is up to two more, because
        // it can be the sum of two rounded numbers.
        u64::from(most.saturating_sub(2)) << self.shift
    }

    /// Returns the stored distances of these nodes in this order, node by node and for each node landmark by landmark.
    pub(in crate::search) fn quanta(&self, nodes: &[u32]) -> impl Iterator<Item = u16> {
        let count = self.cells.len();
        nodes.iter().flat_map(move |&node| self.of(node as usize).as_flattened()[..count].iter().copied())
    }

    /// Stores distances that [`Landmarks::quanta`] returned for these nodes.
    pub(in crate::search) fn set_quanta(&mut self, nodes: &[u32], mut quanta: impl Iterator<Item = u16>) {
        let count = self.cells.len();
        for &node in nodes {
            let lanes = &mut self.lanes[node as usize * self.blocks..][..self.blocks];
            lanes.as_flattened_mut()[..count].iter_mut().zip(&mut quanta).for_each(|(lane, quanta)| *lane = quanta);
        }
    }

    pub(in crate::search) fn bytes(&self) -> usize {
        held(&self.lanes) + held(&self.cells)
    }
}

/// Returns the greatest difference, in quanta, between a node's and the goal's distances to the landmarks of one block.
/// Landmarks that do not reach the goal count as 0.
#[inline(always)]
fn greatest_difference(here: &Lanes, sight: &Sight, block: usize) -> u16 {
    let (there, known) = (&sight.at[block], &sight.known[block]);
    (0..8).fold(0, |most, lane| most.max(here[lane].abs_diff(there[lane]) & known[lane]))
}

impl Sight {
    /// Returns a value without any distance. [`Sight::see`] and [`Sight::see_one`] add distances; [`Sight::settle`] has
    /// to be called after them.
    pub(in crate::search) fn unknown() -> Sight {
        Sight { at: [[UNKNOWN; 8]; 2], known: [[0; 8]; 2] }
    }

    /// Lowers the goal's distances to those by way of a node that lies `quanta` from the goal and has the distances
    /// `by`.
    #[inline(always)]
    pub(in crate::search) fn see(&mut self, by: &[Lanes], quanta: u16) {
        for (at, by) in self.at.iter_mut().zip(by) {
            for lane in 0..8 {
                at[lane] = at[lane].min(by[lane].saturating_add(quanta));
            }
        }
    }

    /// Lowers the goal's distance to one landmark to `quanta`, if that is less.
    pub(in crate::search) fn see_one(&mut self, landmark: usize, quanta: u16) {
        let at = &mut self.at[landmark / 8][landmark % 8];
        *at = (*at).min(quanta);
    }

    /// Computes the masks: landmarks without a distance to the goal are left out of estimates.
    pub(in crate::search) fn settle(&mut self) {
        for (known, at) in self.known.as_flattened_mut().iter_mut().zip(self.at.as_flattened()) {
            *known = if *at == UNKNOWN { 0 } else { u16::MAX };
        }
    }
}

/// Picks up to `count` landmarks: first the node farthest from `seed`, then each time the node whose distance to its
/// nearest landmark is greatest. `measure` returns the costs from a node to all nodes; `keep` receives each landmark
/// with these costs. Of equally far nodes the first in `order` is picked, so that the choice does not depend on the
/// numbers of the nodes. No landmark is picked if costs could exceed [`FARTHEST`].
pub(in crate::search) fn pick_farthest(
    count: usize,
    seed: usize,
    order: &(impl Iterator<Item = usize> + Clone),
    mut measure: impl FnMut(usize) -> Vec<u32>,
    mut keep: impl FnMut(usize, Vec<u32>),
) {
    let farthest = |costs: &[u32]| {
        let reached = order.clone().filter(|&node| costs[node] != NO_WAY);
        reached.fold(seed, |best, node| if costs[node] > costs[best] { node } else { best })
    };
    let from_seed = measure(seed);
    let mut next = farthest(&from_seed);
    if from_seed[next] > FARTHEST / 2 {
        return; // two nodes may lie twice this cost apart
    }
    let mut nearest = vec![NO_WAY; from_seed.len()];
    for _ in 0..count {
        let costs = measure(next);
        nearest.iter_mut().zip(&costs).for_each(|(nearest, &cost)| *nearest = cost.min(*nearest));
        keep(next, costs);
        next = farthest(&nearest);
        if nearest[next] == 0 {
            return; // every node is a landmark
        }
    }
}
