//! Landmarks: a few nodes far apart whose distance to every node is known. By the triangle inequality two nodes are at
//! least as far apart as their distances to any landmark differ, which sees walls that the way as the crow flies does
//! not. What A* and the jump graph share: where landmarks stand, how distances are kept, what they say of a goal.
//!
//! Distances are kept in quanta, a power of two of cost, so that 16 bits are enough and eight are compared at once. What
//! rounding loses is given back by shortening every estimate: bounds stay bounds, only a sixth of a step lower.
//! After an edit distances say nothing any more, in either direction: whoever keeps landmarks drops them.
//!
//! Goldberg, Harrelson: Computing the shortest path: A* search meets graph theory, 2005.

use crate::id::Cell;
use crate::registry::Param;

/// The most landmarks there can be.
pub(in crate::search) const MOST: usize = 16;

pub(in crate::search) const LANDMARKS: Param =
    Param::count("landmarks", "places whose distances guide the search until an edit voids them", 8, 0, MOST as u64);

/// What stands for no way, in costs.
pub(in crate::search) const NO_WAY: u32 = u32::MAX;

/// No cost to a landmark is greater than this, so that sums of two can be counted.
pub(in crate::search) const FARTHEST: u32 = 1 << 31;

/// Distances to eight landmarks, in quanta.
pub(in crate::search) type Lanes = [u16; 8];

/// What stands for no way, in quanta.
pub(in crate::search) const UNKNOWN: u16 = u16::MAX;

#[derive(Clone, PartialEq, Eq)]
pub(in crate::search) struct Landmarks {
    pub(in crate::search) cells: Vec<Cell>,
    /// Eight landmarks a block, as many blocks a node as it takes.
    lanes: Vec<Lanes>,
    blocks: usize,
    /// A quantum is two to this power.
    pub(in crate::search) shift: u32,
}

/// What the landmarks say of a goal.
#[derive(Copy, Clone, Default)]
pub(crate) struct Sight {
    at: [Lanes; 2],
    /// All bits set for landmarks that can tell.
    known: [Lanes; 2],
}

impl Landmarks {
    /// Room for so many landmarks over so many nodes.
    pub(in crate::search) fn new(count: usize, nodes: usize) -> Landmarks {
        let blocks = count.div_ceil(8);
        Landmarks { cells: Vec::with_capacity(count), lanes: vec![[UNKNOWN; 8]; nodes * blocks], blocks, shift: 0 }
    }

    /// What so many landmarks take for each node.
    pub(in crate::search) fn bytes_a_node(count: usize) -> usize {
        count.div_ceil(8) * size_of::<Lanes>()
    }

    /// Adds a landmark with its distance to each node, [`NO_WAY`] where there is none.
    pub(in crate::search) fn add(&mut self, cell: Cell, costs: impl Iterator<Item = u32> + Clone) {
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

    /// The distances of a node, unused ones included.
    #[inline(always)]
    pub(in crate::search) fn of(&self, node: usize) -> &[Lanes] {
        &self.lanes[node * self.blocks..][..self.blocks]
    }

    /// What a goal that is a node itself looks like.
    pub(in crate::search) fn sight(&self, goal: usize) -> Sight {
        let mut sight = Sight::unknown();
        sight.at[..self.blocks].copy_from_slice(self.of(goal));
        sight.settle();
        sight
    }

    /// A bound on the cost from a node to the goal.
    #[inline(always)]
    pub(in crate::search) fn estimate(&self, node: usize, sight: &Sight) -> u64 {
        let mut most = greatest_difference(&self.lanes[node * self.blocks], sight, 0);
        if self.blocks > 1 {
            most = most.max(greatest_difference(&self.lanes[node * self.blocks + 1], sight, 1));
        }
        // A node's distance is up to a quantum more than it says, a goal's up to two.
        u64::from(most.saturating_sub(2)) << self.shift
    }

    /// What can be said of the nodes in this order, node by node and landmark by landmark.
    pub(in crate::search) fn quanta(&self, nodes: &[u32]) -> impl Iterator<Item = u16> {
        let count = self.cells.len();
        nodes.iter().flat_map(move |&node| self.of(node as usize).as_flattened()[..count].iter().copied())
    }

    /// Takes what [`Landmarks::quanta`] gave.
    pub(in crate::search) fn set_quanta(&mut self, nodes: &[u32], mut quanta: impl Iterator<Item = u16>) {
        let count = self.cells.len();
        for &node in nodes {
            let lanes = &mut self.lanes[node as usize * self.blocks..][..self.blocks];
            lanes.as_flattened_mut()[..count].iter_mut().zip(&mut quanta).for_each(|(lane, quanta)| *lane = quanta);
        }
    }

    pub(in crate::search) fn bytes(&self) -> usize {
        size_of_val(self.lanes.as_slice()) + size_of_val(self.cells.as_slice())
    }
}

#[inline(always)]
fn greatest_difference(here: &Lanes, sight: &Sight, block: usize) -> u16 {
    let (there, known) = (&sight.at[block], &sight.known[block]);
    (0..8).fold(0, |most, lane| most.max(here[lane].abs_diff(there[lane]) & known[lane]))
}

impl Sight {
    /// No landmark in sight; [`Sight::see`] adds ways to them, then comes [`Sight::settle`].
    pub(in crate::search) fn unknown() -> Sight {
        Sight { at: [[UNKNOWN; 8]; 2], known: [[0; 8]; 2] }
    }

    /// A way to all landmarks: by a node that is so many quanta away.
    #[inline(always)]
    pub(in crate::search) fn see(&mut self, by: &[Lanes], quanta: u16) {
        for (at, by) in self.at.iter_mut().zip(by) {
            for lane in 0..8 {
                at[lane] = at[lane].min(by[lane].saturating_add(quanta));
            }
        }
    }

    /// A way to one of the landmarks.
    pub(in crate::search) fn see_one(&mut self, landmark: usize, quanta: u16) {
        let at = &mut self.at[landmark / 8][landmark % 8];
        *at = (*at).min(quanta);
    }

    /// Landmarks not seen by now are left out of estimates.
    pub(in crate::search) fn settle(&mut self) {
        for (known, at) in self.known.as_flattened_mut().iter_mut().zip(self.at.as_flattened()) {
            *known = if *at == UNKNOWN { 0 } else { u16::MAX };
        }
    }
}

/// Picks landmarks each as far as can be from all before, the first from a seed. `measure` gives the costs from a node
/// to all nodes, `keep` takes a landmark with these. Of nodes equally far the first in `order` is picked, so that the
/// choice does not depend on how nodes are numbered. None are picked where costs could not be counted.
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
        return; // two such costs might be more than fits
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
