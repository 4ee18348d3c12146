//! Reads the trees of a leaf from saved bytes. They are accepted only if growing the trees would give exactly these
//! steps.
//!
//! To check that takes no search. Adding up the prices of the steps from every cell gives the cells' costs, or shows
//! that a step is not legal or that steps lead in circles. If no step to a neighbour gives any cell a lower cost, all
//! costs are the least possible; and if no legal step with a lower number is as cheap as the saved one, growing the
//! tree would have chosen the saved one.

use super::{ChartCost, Leaf, LeafScratch, NO_STEP, Prices, Way, chart_cost, clear_pairs, side, tree_bytes};
use crate::chart::shared::cutout::{Cutout, NO_WAY};
use crate::id::Cell;
use crate::memory::held;
use crate::space::Area;
use crate::space::square::{SquareGrid, mean_cost};

/// Working memory for checking trees. The costs of most leaves fit in two bytes, and a processor compares twice as many
/// two-byte numbers at a time as four-byte ones.
#[derive(Default)]
pub(super) struct TreeCheck {
    narrow: CheckScratch<i16>,
    wide: CheckScratch<i32>,
}

impl TreeCheck {
    pub(super) fn bytes(&self) -> usize {
        self.narrow.bytes() + self.wide.bytes()
    }
}

/// Working memory for checking trees whose costs are of type `N`.
#[derive(Default)]
struct CheckScratch<N> {
    /// Cells in the leaf.
    cells: usize,
    /// Cells in a row of the leaf.
    width: usize,
    /// By direction: what has to be added to a cell's index to get that of its neighbour.
    offsets: [isize; 8],
    /// What a step costs, by direction and then by cell; [`Number::NEVER`] if the step is not legal.
    prices: Vec<N>,
    steps: Vec<u8>,
    /// By cell: the cost to the root. There is one row and one cell more at either end, so that every cell has eight
    /// neighbours in the list.
    costs: Vec<N>,
    /// The cells on the walk that is being added up, in the order of the walk.
    chain: Vec<usize>,
}

impl<N> CheckScratch<N> {
    fn bytes(&self) -> usize {
        held(&self.prices) + held(&self.steps) + held(&self.costs) + held(&self.chain)
    }
}

/// A type of number in which costs are added and compared.
trait Number: Copy + Ord + From<i8> + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> {
    /// The price of a step that is not legal: more than any two costs differ by.
    const NEVER: Self;
    /// The cost of a cell from which no walk leads to the root: more than any other cost.
    const FAR: Self;

    fn of(cost: u32) -> Self;
    fn cost(self) -> u32;
}

/// Lets costs be numbers of this type, of which `$far` stands for a cell without a walk to the root.
macro_rules! number {
    ($type:ty, $far:expr) => {
        impl Number for $type {
            const NEVER: $type = <$type>::MAX;
            const FAR: $type = $far;

            fn of(cost: u32) -> $type {
                cost as $type
            }

            fn cost(self) -> u32 {
                self as u32
            }
        }
    };
}

number!(i16, 1 << 14);
number!(i32, 1 << 30);

/// In place of a cost: it is not added up yet.
const UNKNOWN: i8 = -1;
/// In place of a cost: its cell is on the walk that is being added up. Steps that lead here again lead in circles.
const ASKED: i8 = -2;

impl<T: ChartCost> Leaf<T> {
    /// Returns how many bytes of saved trees [`Leaf::replant`] needs for a leaf with that many ports.
    pub(in crate::chart::rhumb) fn saved_bytes(
        grid: &SquareGrid,
        bounds: Area,
        ports: usize,
        room: &mut LeafScratch,
    ) -> usize {
        room.cutout.cut(grid, bounds);
        if room.cutout.is_open() { 0 } else { ports * tree_bytes(bounds) }
    }

    /// Makes a leaf of trees that were saved. Returns `None` if growing the trees would not give these.
    pub(in crate::chart::rhumb) fn replant(
        grid: &SquareGrid,
        bounds: Area,
        ports: &[Cell],
        prices: Prices,
        saved: &[u8],
        room: &mut LeafScratch,
    ) -> Option<Leaf<T>> {
        room.cut(grid, bounds, prices, Way::There);
        if room.cutout.is_open() {
            return Some(Self::grow_cut(bounds, ports, room));
        }
        let LeafScratch { cutout, moves, check, .. } = room;
        let costs = check.costs(cutout, moves, ports, saved)?;
        let side = side(ports, costs);
        let clear = clear_pairs(cutout, moves, &side, |_, _| None);
        Some(Leaf { bounds, side, open: None, steps: saved.into(), clear, mixed: cutout.is_mixed() })
    }
}

impl TreeCheck {
    /// Returns the costs between all ports, added up along `trees`. Returns `None` if growing the trees would not give
    /// these.
    fn costs<T: ChartCost>(&mut self, cutout: &Cutout, moves: &[u8], ports: &[Cell], trees: &[u8]) -> Option<Vec<T>> {
        // An upper bound of all costs: a walk without circles has fewer steps than the leaf has cells.
        let dearest = moves.len() as u32 * cutout.dearest_step();
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

    /// Works out the prices of all steps of a leaf, before its trees are checked.
    fn survey(&mut self, cutout: &Cutout, moves: &[u8]) {
        let ((prices, weights), offsets) = (cutout.costs(), cutout.offsets());
        (self.cells, self.width) = (moves.len(), cutout.bounds.width.into());
        self.offsets = offsets.map(|offset| offset as isize);
        self.prices.clear();
        for (direction, (&offset, price)) in offsets.iter().zip(prices).enumerate() {
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

    /// Returns how many entries of `costs` come before that of the first cell.
    fn margin(&self) -> usize {
        self.width + 1
    }

    /// Returns whether growing a tree from the cell `root` would give `tree`.
    fn passes(&mut self, tree: &[u8], root: usize) -> bool {
        self.steps.clear();
        self.steps.extend(tree.iter().flat_map(|pair| [pair & 15, pair >> 4]));
        let greatest = self.steps.iter().fold(0, |greatest, &step| step.max(greatest));
        let rest = self.steps[self.cells..].iter().all(|&step| step == NO_STEP);
        self.steps.truncate(self.cells);
        greatest <= NO_STEP && rest && self.steps[root] == NO_STEP && self.add_up(root) && self.is_least()
    }

    /// Adds up the costs of all cells. Returns `false` if a step is not legal or steps do not lead to the root. Cells
    /// near the root come first: the cost of the next cell on the walk is then mostly known, and one addition is
    /// enough.
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

    /// Adds up the cost of one cell. Returns `false` if a step is not legal or steps do not lead to the root.
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

    /// Follows the steps from a cell to one whose cost is known, and adds up the costs of all cells in between. Returns
    /// `false` if a step is not legal or steps do not lead to the root.
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

    /// Returns whether every cell has the right step: no other step gives it a lower cost, and none with a lower number
    /// an equal one. This also finds a cell that has no step although it has a walk to the root: its cost is
    /// [`Number::FAR`], and a step to its neighbour gives it a lower one.
    fn is_least(&self) -> bool {
        let own = &self.costs[self.margin()..][..self.cells];
        let mut wrong = false;
        for (direction, &offset) in self.offsets.iter().enumerate() {
            let others = &self.costs[self.margin().wrapping_add_signed(offset)..][..self.cells];
            let prices = &self.prices[direction * self.cells..][..self.cells];
            for (((&own, &other), &price), &step) in own.iter().zip(others).zip(prices).zip(&self.steps) {
                // Costs are whole numbers: with 1 added, an equal cost by a step with a lower number is found too.
                let dearer = N::from(i8::from(step > direction as u8));
                wrong |= own - other + dearer > price;
            }
        }
        !wrong
    }
}
