//! A leaf: for every port on its sides the step that leads there from each cell. Four bits a step, and nothing at all
//! where the leaf has no obstacles.
//!
//! What a step leads to is all there is: the cost of a way is added up as it is walked. Of several equally cheap steps
//! the one with the lowest number is kept, so that a tree does not depend on the edits that led to it.

use super::front::Side;
use super::toll::Toll;
use crate::chart::cluster::{Cutout, NO_WAY, Tree};
use crate::chart::layout::Bounds;
use crate::chart::walk::beeline;
use crate::id::Cell;
use crate::open_list::BucketRing;
use crate::world::Directions;
use crate::world::moves::STEP;
use crate::world::square::{SquareGrid, mean_cost};
use std::sync::Arc;

/// What a straight and a diagonal step cost in a chart. Weights come on top where they differ.
pub(in crate::chart) type Prices = [u32; 2];

/// Stands for the lack of a step: at the port itself and where there is no way.
const NO_STEP: u8 = 8;

/// A leaf and its trees.
#[derive(Clone)]
pub(in crate::chart) struct Leaf<T> {
    pub(super) bounds: Bounds,
    pub(super) side: Arc<Side<T>>,
    /// Straight and diagonal prices on open ground, where there is nothing else to know.
    open: Option<Prices>,
    /// Two steps a byte, tree by tree.
    pub(super) steps: Box<[u8]>,
}

/// Room to make leaves in.
#[derive(Default)]
pub(in crate::chart) struct Nursery {
    pub(super) cutout: Cutout,
    pub(super) tree: Tree,
    pub(super) ring: BucketRing,
    steps: Vec<u8>,
    moves: Vec<u8>,
}

impl Nursery {
    pub(super) fn bytes(&self) -> usize {
        self.cutout.bytes() + self.tree.bytes() + self.steps.capacity() + self.moves.capacity()
    }
}

impl<T: Toll> Leaf<T> {
    /// Grows a tree for each port.
    pub(super) fn grow(
        grid: &SquareGrid,
        bounds: Bounds,
        ports: &[Cell],
        prices: Prices,
        room: &mut Nursery,
    ) -> Leaf<T> {
        let Nursery { cutout, tree, ring, steps, moves, .. } = room;
        cutout.cut(grid, bounds);
        cutout.reprice(grid, prices);
        let count = ports.len();
        let mut costs = Vec::with_capacity(count * count);
        if cutout.is_open() {
            for &from in ports {
                let cost = |&to: &Cell| T::of(cutout.distance(bounds.index(from), bounds.index(to)));
                costs.extend(ports.iter().map(cost));
            }
            let open = cutout.open_prices().map(|(straight, diagonal)| [straight, diagonal]);
            return Leaf { bounds, side: side(ports, costs), open, steps: Box::default() };
        }
        moves.clear();
        moves.extend(cutout.moves());
        steps.clear();
        for &port in ports {
            cutout.spread(bounds.index(port), tree, ring);
            costs.extend(ports.iter().map(|&to| toll::<T>(tree.cost_by_cell[bounds.index(to)])));
            first_steps(cutout, moves, &tree.cost_by_cell, steps);
        }
        Leaf { bounds, side: side(ports, costs), open: None, steps: pack(steps) }
    }

    /// Appends the cost from a cell to each port.
    pub(super) fn costs(&self, grid: &SquareGrid, prices: Prices, from: Cell, costs: &mut Vec<T>) {
        costs.extend((0..self.side.ports.len()).map(|rank| toll::<T>(self.cost(grid, prices, rank, from))));
    }

    /// The cost from a cell to the port of a rank, by walking there.
    #[inline]
    pub(super) fn cost(&self, grid: &SquareGrid, prices: Prices, rank: usize, from: Cell) -> u32 {
        let port = self.side.ports[rank];
        if let Some(prices) = self.open {
            return open_cost(prices, from, port);
        }
        let width = i32::from(self.bounds.width);
        let offsets = STEP.map(|(dx, dy)| (dy * width + dx) as isize);
        let cells = self.bounds.cells();
        let (mut at, end) = (rank * cells + self.bounds.index(from), rank * cells + self.bounds.index(port));
        if at == end {
            return 0;
        }
        if self.step(at) == NO_STEP {
            return NO_WAY;
        }
        if grid.weights().is_none() {
            let mut count = [0; 2];
            while at != end {
                let step = usize::from(self.step(at));
                count[step & 1] += 1;
                at = at.wrapping_add_signed(offsets[step & 7]);
            }
            return count[0] * prices[0] + count[1] * prices[1];
        }
        let world = grid.offsets();
        let (mut node, mut cost) = (grid.node(from), 0);
        while at != end {
            let step = usize::from(self.step(at) & 7);
            let before = node;
            node.0 = node.0.wrapping_add_signed(world[step]);
            cost += mean_cost(prices[step & 1], grid.weight(before), grid.weight(node)).0;
            at = at.wrapping_add_signed(offsets[step]);
        }
        cost
    }

    #[inline(always)]
    fn step(&self, at: usize) -> u8 {
        self.steps[at / 2] >> (at % 2 * 4) & 15
    }

    /// Appends the cells from one to the port of a rank, the first left out.
    pub(super) fn walk(&self, rank: usize, from: Cell, trail: &mut Vec<Cell>) {
        let port = self.side.ports[rank];
        let mut cell = from;
        if let Some([straight, diagonal]) = self.open {
            let four = diagonal == 2 * straight;
            while cell != port {
                let (dx, dy) = (i32::from(port.x) - i32::from(cell.x), i32::from(port.y) - i32::from(cell.y));
                let dx = if four && dy != 0 { 0 } else { dx };
                cell = cell.shifted((dx.signum(), dy.signum()));
                trail.push(cell);
            }
            return;
        }
        let width = i32::from(self.bounds.width);
        let offsets = STEP.map(|(dx, dy)| (dy * width + dx) as isize);
        let mut at = rank * self.bounds.cells() + self.bounds.index(cell);
        while cell != port {
            let step = usize::from(self.step(at) & 7);
            at = at.wrapping_add_signed(offsets[step]);
            cell = cell.shifted(STEP[step]);
            trail.push(cell);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Leaf<T>>() + self.steps.len() + self.side.bytes()
    }
}

fn side<T>(ports: &[Cell], costs: Vec<T>) -> Arc<Side<T>> {
    Arc::new(Side { ports: ports.into(), costs: costs.into() })
}

fn toll<T: Toll>(cost: u32) -> T {
    if cost == NO_WAY { T::NO_WAY } else { T::of(cost) }
}

#[inline(always)]
fn open_cost(prices: Prices, from: Cell, to: Cell) -> u32 {
    beeline(Directions::Eight, prices, from, to) as u32
}

/// Appends the first of the cheapest steps from each cell towards the root of a tree.
fn first_steps(cutout: &Cutout, moves: &[u8], costs: &[u32], steps: &mut Vec<u8>) {
    let (prices, weights) = cutout.costs();
    let offsets = cutout.offsets();
    for (cell, (&cost, &moves)) in costs.iter().zip(moves).enumerate() {
        if cost == NO_WAY || cost == 0 {
            steps.push(NO_STEP);
            continue;
        }
        let mut left = moves;
        steps.push(loop {
            let step = left.trailing_zeros() as usize;
            let to = cell.wrapping_add_signed(offsets[step & 7] as isize);
            let price = match weights {
                [] => prices[step & 1],
                _ => mean_cost(prices[step & 1], weights[cell], weights[to]).0,
            };
            if costs[to].saturating_add(price) == cost {
                break step as u8;
            }
            left &= left - 1;
        });
    }
}

fn pack(steps: &mut Vec<u8>) -> Box<[u8]> {
    if steps.len() % 2 == 1 {
        steps.push(NO_STEP);
    }
    steps.as_chunks::<2>().0.iter().map(|pair| pair[0] | pair[1] << 4).collect()
}
