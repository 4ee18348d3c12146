//! The trees of a leaf as plain data and back. What is read must be, step by step, what growing the trees would give.
//!
//! To know that takes no search. Adding up the steps from every cell gives costs, or shows that a step cannot be taken or
//! leads in circles. If no neighbour offers a cheaper way than those costs, they are the least there are; and if no
//! step of a lower number is as cheap, the steps are the ones that are kept.

use super::{ChartCost, Leaf, LeafScratch, NO_STEP, Prices, chart_cost, clear_pairs, side, tree_bytes};
use crate::chart::shared::cutout::{Cutout, NO_WAY};
use crate::id::Cell;
use crate::world::Area;
use crate::world::square::{SquareGrid, mean_cost};

/// Room to check trees in. The costs of most leaves fit two bytes, of which twice as many are compared at a time.
#[derive(Default)]
pub(super) struct TreeCheck {
    narrow: CheckScratch<i16>,
    wide: CheckScratch<i32>,
}

/// Room for costs of type `N`.
#[derive(Default)]
struct CheckScratch<N> {
    /// Cells of the leaf, and from one row to the next.
    cells: usize,
    width: usize,
    /// From a cell to its neighbours.
    offsets: [isize; 8],
    /// What each step costs, direction by direction, [`Number::NEVER`] where it cannot be taken.
    prices: Vec<N>,
    steps: Vec<u8>,
    /// By cell, with a row and a cell more at either end, so that every neighbour can be looked at.
    costs: Vec<N>,
    chain: Vec<usize>,
}

/// What costs are compared in.
trait Number: Copy + Ord + From<i8> + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> {
    /// No two costs are that far apart.
    const NEVER: Self;
    /// Without a way: more than any cost is.
    const FAR: Self;

    fn of(cost: u32) -> Self;
    fn cost(self) -> u32;
}

impl Number for i16 {
    const NEVER: i16 = i16::MAX;
    const FAR: i16 = 1 << 14;

    fn of(cost: u32) -> i16 {
        cost as i16
    }

    fn cost(self) -> u32 {
        self as u32
    }
}

impl Number for i32 {
    const NEVER: i32 = i32::MAX;
    const FAR: i32 = 1 << 30;

    fn of(cost: u32) -> i32 {
        cost as i32
    }

    fn cost(self) -> u32 {
        self as u32
    }
}

/// A cost not added up yet, and one whose cell is on the way that is being added up.
const UNKNOWN: i8 = -1;
const ASKED: i8 = -2;

impl<T: ChartCost> Leaf<T> {
    /// The bytes that [`Leaf::replant`] needs for a leaf with that many ports.
    pub(in crate::chart::rhumb) fn saved_bytes(
        grid: &SquareGrid,
        bounds: Area,
        ports: usize,
        room: &mut LeafScratch,
    ) -> usize {
        room.cutout.cut(grid, bounds);
        if room.cutout.is_open() { 0 } else { ports * tree_bytes(bounds) }
    }

    /// The leaf with trees that were saved; `None` if they are not those of this ground.
    pub(in crate::chart::rhumb) fn replant(
        grid: &SquareGrid,
        bounds: Area,
        ports: &[Cell],
        prices: Prices,
        saved: &[u8],
        room: &mut LeafScratch,
    ) -> Option<Leaf<T>> {
        room.cut(grid, bounds, prices);
        if room.cutout.is_open() {
            return Some(Self::grow_cut(bounds, ports, room));
        }
        let LeafScratch { cutout, moves, check, .. } = room;
        let costs = check.costs(cutout, moves, ports, saved)?;
        let side = side(ports, costs);
        let clear = clear_pairs(cutout, moves, &side, |_, _| None);
        Some(Leaf { bounds, side, open: None, steps: saved.into(), clear, mixed: !cutout.costs().1.is_empty() })
    }
}

impl TreeCheck {
    /// The costs between ports whose trees are these; `None` if they are not.
    fn costs<T: ChartCost>(&mut self, cutout: &Cutout, moves: &[u8], ports: &[Cell], trees: &[u8]) -> Option<Vec<T>> {
        let ([_, diagonal], weights) = cutout.costs();
        let greatest = weights.iter().copied().max().unwrap_or(1);
        // No cheapest way visits a cell twice.
        let dearest = moves.len() as u32 * diagonal * u32::from(greatest);
        if dearest < i16::FAR.cost() {
            self.narrow.costs(cutout, moves, ports, trees)
        } else {
            self.wide.costs(cutout, moves, ports, trees)
        }
    }
}

impl<N: Number> CheckScratch<N> {
    fn costs<T: ChartCost>(&mut self, cutout: &Cutout, moves: &[u8], ports: &[Cell], trees: &[u8]) -> Option<Vec<T>> {
        self.survey(cutout, moves);
        let bounds = cutout.bounds;
        let mut costs = Vec::with_capacity(ports.len() * ports.len());
        for (&port, tree) in ports.iter().zip(trees.chunks_exact(tree_bytes(bounds))) {
            if !self.passes(tree, bounds.index(port)) {
                return None;
            }
            let own = &self.costs[self.margin()..];
            costs.extend(ports.iter().map(|&from| {
                let cost = own[bounds.index(from)];
                chart_cost::<T>(if cost == N::FAR { NO_WAY } else { cost.cost() })
            }));
        }
        Some(costs)
    }

    /// Gets ready for the trees of a leaf.
    fn survey(&mut self, cutout: &Cutout, moves: &[u8]) {
        let ((prices, weights), offsets) = (cutout.costs(), cutout.offsets());
        (self.cells, self.width) = (moves.len(), cutout.bounds.width.into());
        self.offsets = offsets.map(|offset| offset as isize);
        self.prices.clear();
        for (direction, &offset) in offsets.iter().enumerate() {
            let price = prices[direction & 1];
            self.prices.extend(moves.iter().enumerate().map(|(cell, moves)| {
                let to = cell.wrapping_add_signed(offset as isize);
                match weights {
                    _ if moves >> direction & 1 == 0 => N::NEVER,
                    [] => N::of(price),
                    _ => N::of(mean_cost(price, weights[cell], weights[to]).0),
                }
            }));
        }
    }

    /// Cells before the first.
    fn margin(&self) -> usize {
        self.width + 1
    }

    /// Whether a tree is the one that would grow from that cell.
    fn passes(&mut self, tree: &[u8], root: usize) -> bool {
        self.steps.clear();
        self.steps.extend(tree.iter().flat_map(|pair| [pair & 15, pair >> 4]));
        let greatest = self.steps.iter().fold(0, |greatest, &step| step.max(greatest));
        let rest = self.steps[self.cells..].iter().all(|&step| step == NO_STEP);
        self.steps.truncate(self.cells);
        greatest <= NO_STEP && rest && self.steps[root] == NO_STEP && self.add_up(root) && self.is_least()
    }

    /// Adds up the steps from every cell. Those near the root come first, so that mostly one step is to be added.
    fn add_up(&mut self, root: usize) -> bool {
        let (margin, width) = (self.margin(), self.width);
        self.costs.clear();
        self.costs.resize(self.cells + 2 * margin, N::FAR);
        for (cost, &step) in self.costs[margin..].iter_mut().zip(&self.steps) {
            *cost = if step == NO_STEP { N::FAR } else { UNKNOWN.into() };
        }
        self.costs[margin + root] = N::from(0);
        let (row, column) = (root / width, root % width);
        let rows = (0..=row).rev().chain(row + 1..self.cells / width);
        let mut sound = true;
        for first in rows.map(|row| row * width) {
            (first..first + column).rev().for_each(|cell| sound &= self.follow(cell));
            (first + column..first + width).for_each(|cell| sound &= self.follow(cell));
            if !sound {
                return false;
            }
        }
        true
    }

    /// Adds up the steps from a cell.
    #[inline(always)]
    fn follow(&mut self, cell: usize) -> bool {
        let (margin, step) = (self.margin(), usize::from(self.steps[cell]));
        if step == usize::from(NO_STEP) {
            return true;
        }
        let next = self.costs[(margin + cell).wrapping_add_signed(self.offsets[step & 7])];
        let price = self.prices[(step & 7) * self.cells + cell];
        if next < N::from(0) || next == N::FAR || price == N::NEVER {
            return self.follow_far(cell);
        }
        self.costs[margin + cell] = next + price;
        true
    }

    /// Adds up the steps from a cell to one whose cost is known; false where they lead in circles or astray.
    fn follow_far(&mut self, from: usize) -> bool {
        let (margin, offsets) = (self.margin(), self.offsets);
        let mut cell = from;
        self.chain.clear();
        while self.costs[margin + cell] == UNKNOWN.into() {
            let step = usize::from(self.steps[cell] & 7);
            if self.prices[step * self.cells + cell] == N::NEVER {
                return false;
            }
            self.costs[margin + cell] = ASKED.into();
            self.chain.push(cell);
            cell = cell.wrapping_add_signed(offsets[step]);
        }
        let mut cost = self.costs[margin + cell];
        if cost < N::from(0) || cost == N::FAR {
            return false;
        }
        while let Some(cell) = self.chain.pop() {
            cost = cost + self.prices[usize::from(self.steps[cell] & 7) * self.cells + cell];
            self.costs[margin + cell] = cost;
        }
        true
    }

    /// Whether no step costs less in all than the one that is there, and none with a lower number as little. Where there
    /// is a way from a neighbour, a cell without one would be offered less.
    fn is_least(&self) -> bool {
        let own = &self.costs[self.margin()..][..self.cells];
        let mut wrong = false;
        for (direction, &offset) in self.offsets.iter().enumerate() {
            let others = &self.costs[self.margin().wrapping_add_signed(offset)..][..self.cells];
            let prices = &self.prices[direction * self.cells..][..self.cells];
            for (((&own, &other), &price), &step) in own.iter().zip(others).zip(prices).zip(&self.steps) {
                let dearer = N::from(i8::from(step > direction as u8));
                wrong |= own - other + dearer > price;
            }
        }
        !wrong
    }
}
