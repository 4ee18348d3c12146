//! Walks inside a leaf: step by step along a tree, several at a time where only their cost is asked for, and straight
//! ahead where nothing is in the way.

use super::chart_cost::ChartCost;
use super::leaf::{Leaf, NO_STEP, Prices, chart_cost, open_cost, tree_bytes};
use crate::chart::shared::cutout::NO_WAY;
use crate::id::Cell;
use crate::world::moves::STEP;
use crate::world::square::{SquareGrid, mean_cost};

/// Cells written before more room is made.
const AT_A_TIME: usize = 16;

/// Walks that are taken at the same time.
pub(super) const ABREAST: usize = 4;

impl<T: ChartCost> Leaf<T> {
    /// Writes the cost from a cell to each port, by walking there.
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

    /// The cell after this one on the way to the port of a rank; `None` at the port and where there is no way.
    pub(super) fn next(&self, rank: usize, cell: Cell) -> Option<Cell> {
        let port = self.side.list[rank];
        if cell == port {
            return None;
        }
        if let Some([straight, diagonal]) = self.open {
            // As `stride` begins.
            let (dx, dy) = (i32::from(port.x) - i32::from(cell.x), i32::from(port.y) - i32::from(cell.y));
            let dx = if diagonal == 2 * straight && dy != 0 { 0 } else { dx };
            return Some(cell.shifted((dx.signum(), dy.signum())));
        }
        let step = self.step(rank * 2 * tree_bytes(self.bounds) + self.bounds.index(cell));
        STEP.get(usize::from(step)).map(|&step| cell.shifted(step))
    }

    /// Appends the cells from one port to another, the first left out.
    pub(super) fn walk_ports(&self, to: usize, from: usize, trail: &mut Vec<Cell>) {
        let pair = to * self.side.list.len() + from;
        let ports = &self.side.list;
        match self.clear.get(pair / 64) {
            Some(bits) if bits >> (pair % 64) & 1 == 1 => stride([2, 3], ports[from], ports[to], trail),
            _ => self.walk(to, ports[from], trail),
        }
    }

    /// Appends the cells from one to the port of a rank, the first left out.
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
            // Room for some cells at a time is cheaper than asking for each.
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

/// A cell as one number: a step is one addition, and being the same one comparison.
#[inline(always)]
pub(super) fn joined(cell: Cell) -> u32 {
    u32::from(cell.y) << 16 | u32::from(cell.x)
}

/// What it costs from cells to ports of leaves. Side by side, since each step of a walk waits for the one before.
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

/// Where each step leads and what it costs. What stands for no step leads nowhere for nothing: whoever has arrived waits
/// for the others.
type StepTable = [(isize, u32); 16];

/// A table for leaves of every width.
#[derive(Clone)]
pub(in crate::chart) struct StepTables(Vec<StepTable>);

impl StepTables {
    pub(super) fn new(prices: Prices, widest: u16) -> StepTables {
        let table = |width: u16| {
            let mut moves = [(0, 0); 16];
            for (step, ((dx, dy), slot)) in STEP.iter().zip(&mut moves).enumerate() {
                *slot = (*dy as isize * width as isize + *dx as isize, prices[step & 1]);
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

/// One of several walks.
struct Lane<'a> {
    steps: &'a [u8],
    moves: &'a StepTable,
    at: usize,
    end: usize,
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
            // Adding nothing leaves the cost of no way as it is.
            (at, cost) = (end, NO_WAY);
        }
        Lane { steps, moves, at, end, cost }
    }
}

/// Appends the cells of a walk over open ground, the first left out: diagonals first, or rows where there are none.
fn stride([straight, diagonal]: Prices, from: Cell, to: Cell, trail: &mut Vec<Cell>) {
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
