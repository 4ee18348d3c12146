//! Walks inside a leaf. Most follow a tree step by step, several walks side by side where only their costs are needed.
//! Where no obstacle is in the way, a walk is written without reading a tree.

use super::chart_cost::ChartCost;
use super::leaf::{Leaf, NO_STEP, chart_cost, open_cost, tree_bytes};
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::walk::first_cell;
use crate::cost::Prices;
use crate::id::Cell;
use crate::memory::held;
use crate::space::square::moves::STEP;
use crate::space::square::{SquareGrid, mean_cost};

/// By how many cells a trail is made longer at a time.
const AT_A_TIME: usize = 16;

/// Prices at which [`stride`] takes diagonal steps.
const DIAGONALS_FIRST: Prices = Prices { straight: 2, diagonal: 3 };

/// How many walks are taken side by side.
pub(super) const ABREAST: usize = 4;

impl<T: ChartCost> Leaf<T> {
    /// Writes the cost from a cell to each port of the leaf.
    pub(super) fn costs(&self, grid: &SquareGrid, tables: &StepTables, from: Cell, costs: &mut [T]) {
        let costs = &mut costs[..self.side.list.len()];
        if let Some(prices) = self.open {
            for (cost, &port) in costs.iter_mut().zip(&self.side.list) {
                *cost = T::of(open_cost(prices, from, port));
            }
            return;
        }
        let count = costs.len();
        for (group, costs) in costs.chunks_mut(ABREAST).enumerate() {
            let walks: [_; ABREAST] = std::array::from_fn(|lane| (self, (group * ABREAST + lane).min(count - 1), from));
            let walked = walk_apart(grid, tables, walks);
            for (cost, walked) in costs.iter_mut().zip(walked) {
                *cost = chart_cost(walked);
            }
        }
    }

    #[inline(always)]
    fn step(&self, at: usize) -> u8 {
        self.steps[at / 2] >> (at % 2 * 4) & 15
    }

    /// Returns the cell after `cell` on the walk to the port of a rank, or `None` at the port and if no walk leads
    /// there.
    pub(super) fn next(&self, rank: usize, cell: Cell) -> Option<Cell> {
        let port = self.side.list[rank];
        if cell == port {
            return None;
        }
        if let Some(prices) = self.open {
            // This is the first step that `stride` takes.
            return Some(first_cell(prices, cell, port));
        }
        let step = self.step(rank * 2 * tree_bytes(self.bounds) + self.bounds.index(cell));
        STEP.get(usize::from(step)).map(|&step| cell.shifted(step))
    }

    /// Appends the cells of the walk from the port of rank `from` to that of rank `to`, without the first cell.
    pub(super) fn walk_ports(&self, to: usize, from: usize, trail: &mut Vec<Cell>) {
        let pair = to * self.side.list.len() + from;
        let ports = &self.side.list;
        match self.clear.get(pair / 64) {
            Some(bits) if bits >> (pair % 64) & 1 == 1 => stride(DIAGONALS_FIRST, ports[from], ports[to], trail),
            _ => self.walk(to, ports[from], trail),
        }
    }

    /// Appends the cells of the walk from a cell to the port of a rank, without the first cell. There has to be a walk.
    pub(super) fn walk(&self, rank: usize, from: Cell, trail: &mut Vec<Cell>) {
        let port = self.side.list[rank];
        if let Some(prices) = self.open {
            stride(prices, from, port, trail);
            return;
        }
        let width = i32::from(self.bounds.width);
        let moves = STEP.map(|(dx, dy)| ((dy * width + dx) as isize, (dy << 16) + dx));
        let mut at = rank * 2 * tree_bytes(self.bounds) + self.bounds.index(from);
        let (mut cell, end) = (joined(from), joined(port));
        while cell != end {
            // Making the trail longer by several cells at a time is cheaper than a `push` for each.
            let first = trail.len();
            trail.resize(first + AT_A_TIME, from);
            let mut count = 0;
            for slot in &mut trail[first..] {
                let (across, step) = moves[usize::from(self.step(at) & 7)];
                at = at.wrapping_add_signed(across);
                cell = cell.wrapping_add_signed(step);
                *slot = Cell { x: cell as u16, y: (cell >> 16) as u16 };
                count += 1;
                if cell == end {
                    break;
                }
            }
            trail.truncate(first + count);
        }
    }
}

/// Returns a cell as one number, so that a step takes one addition and a test for equality one comparison.
#[inline(always)]
pub(super) fn joined(cell: Cell) -> u32 {
    u32::from(cell.y) << 16 | u32::from(cell.x)
}

/// Returns the costs of several walks, each given by a leaf, the rank of a port and a cell. The walks take their steps
/// in turn: each step of a walk has to wait for the one before, and the processor works on the other walks meanwhile.
#[inline(always)]
pub(super) fn walk_apart<T: ChartCost, const N: usize>(
    grid: &SquareGrid,
    tables: &StepTables,
    walks: [(&Leaf<T>, usize, Cell); N],
) -> [u32; N] {
    let mut lanes = walks.map(|(leaf, rank, from)| Lane::new(leaf, rank, from, tables));
    if grid.weights().is_none() {
        while lanes.iter().any(|lane| lane.at != lane.end) {
            for lane in &mut lanes {
                let (across, price) = lane.moves[usize::from(lane.steps[lane.at / 2] >> (lane.at % 2 * 4) & 15)];
                lane.at = lane.at.wrapping_add_signed(across);
                lane.cost += price;
            }
        }
        return lanes.map(|lane| lane.cost);
    }
    let offsets = grid.offsets();
    let mut nodes = walks.map(|(_, _, from)| grid.node(from));
    while lanes.iter().any(|lane| lane.at != lane.end) {
        for (lane, node) in lanes.iter_mut().zip(&mut nodes) {
            let step = usize::from(lane.steps[lane.at / 2] >> (lane.at % 2 * 4) & 15);
            let (across, price) = lane.moves[step];
            let before = *node;
            node.0 = node.0.wrapping_add_signed(if step < 8 { offsets[step] } else { 0 });
            lane.at = lane.at.wrapping_add_signed(across);
            lane.cost += mean_cost(price, grid.weight(before), grid.weight(*node)).0;
        }
    }
    lanes.map(|lane| lane.cost)
}

/// By step: what has to be added to a cell's index, and what the step costs. Step 8 means no step: it moves by 0 cells
/// at no cost, so that a walk that has reached its port stays there while the other walks go on.
type StepTable = [(isize, u32); 16];

/// A [`StepTable`] for every width that a leaf may have.
#[derive(Clone)]
pub(in crate::chart) struct StepTables(Vec<StepTable>);

impl StepTables {
    pub(super) fn bytes(&self) -> usize {
        held(&self.0)
    }

    pub(super) fn new(prices: Prices, widest: u16) -> StepTables {
        let table = |width: u16| {
            let mut moves = [(0, 0); 16];
            for ((slot, (dx, dy)), price) in moves.iter_mut().zip(STEP).zip(prices.by_direction()) {
                *slot = (dy as isize * width as isize + dx as isize, price);
            }
            moves
        };
        StepTables((0..=widest).map(table).collect())
    }

    #[inline(always)]
    fn of(&self, width: u16) -> &StepTable {
        &self.0[usize::from(width)]
    }
}

/// One of the walks that are taken side by side.
struct Lane<'a> {
    /// The tree that the walk follows.
    steps: &'a [u8],
    moves: &'a StepTable,
    /// The index of the cell that the walk has reached.
    at: usize,
    /// The index of the port's cell.
    end: usize,
    /// The cost of the steps taken so far, or of the whole walk if the leaf is open.
    cost: u32,
}

impl<'a> Lane<'a> {
    #[inline(always)]
    fn new<T: ChartCost>(leaf: &'a Leaf<T>, rank: usize, from: Cell, tables: &'a StepTables) -> Lane<'a> {
        let port = leaf.side.list[rank];
        if let Some(prices) = leaf.open {
            let cost = open_cost(prices, from, port);
            return Lane { steps: &[NO_STEP], moves: tables.of(0), at: 0, end: 0, cost };
        }
        let moves = tables.of(leaf.bounds.width);
        let size = tree_bytes(leaf.bounds);
        let steps = &leaf.steps[rank * size..(rank + 1) * size];
        let (mut at, end, mut cost) = (leaf.bounds.index(from), leaf.bounds.index(port), 0);
        if at != end && steps[at / 2] >> (at % 2 * 4) & 15 == NO_STEP {
            // No walk leads to the port. The lane begins at its end, where each step adds 0, so that its cost stays
            // `NO_WAY`.
            (at, cost) = (end, NO_WAY);
        }
        Lane { steps, moves, at, end, cost }
    }
}

/// Appends the cells of a walk that no obstacle lengthens, without the first cell. It begins with its diagonal steps.
/// Where a diagonal step costs as much as two straight ones, which stands for there being none, it begins with the
/// vertical steps.
fn stride(Prices { straight, diagonal }: Prices, from: Cell, to: Cell, trail: &mut Vec<Cell>) {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let (right, down) = (dx.signum(), dy.signum());
    let (across, along) = (dx.abs(), dy.abs());
    let short = across.min(along);
    let legs = if diagonal == 2 * straight {
        [((0, down), along), ((right, 0), across)]
    } else {
        [((right, down), short), (if across > along { (right, 0) } else { (0, down) }, across.max(along) - short)]
    };
    let (mut x, mut y) = (i32::from(from.x), i32::from(from.y));
    for ((right, down), count) in legs {
        trail.extend((1..=count).map(|i| Cell { x: (x + right * i) as u16, y: (y + down * i) as u16 }));
        (x, y) = (x + right * count, y + down * count);
    }
}
