//! A leaf: the costs between the ports on its sides and, for each port, a tree: the step from each cell towards the
//! port. A step takes four bits. A leaf that is open, without obstacles and of one weight, keeps no trees.
//!
//! A tree holds no costs: what it costs from a cell to a port is added up by walking there. Of several equally cheap
//! steps the tree has the one with the lowest number, so that it depends on the terrain alone and not on earlier edits.

mod regrow;
mod saved;

use super::chart_cost::ChartCost;
use super::front::{Side, Way};
use super::tree_repair::TreeRepair;
use crate::chart::shared::cutout::{Cutout, DIRECTION, NO_WAY, Tree};
use crate::cost::{Octile, Prices};
use crate::id::Cell;
use crate::memory::held;
use crate::open_list::BucketRing;
use crate::space::Area;
use crate::space::square::{SquareGrid, mean_cost};
use saved::TreeCheck;

/// The number that means no step: at the port itself and at cells from which no walk leads to the port.
pub(super) const NO_STEP: u8 = 8;

/// A leaf and its trees.
#[derive(Clone)]
pub(in crate::chart) struct Leaf<T> {
    pub(super) bounds: Area,
    pub(super) side: Side<T>,
    /// The prices of steps if the leaf is open: every cell is free and all have one weight. Costs and steps then follow
    /// from the coordinates, and `steps` and `clear` are empty.
    pub(super) open: Option<Prices>,
    /// The trees one after another, in the order of the ports. A byte holds the steps of two cells, the first in its
    /// lower half.
    pub(super) steps: Box<[u8]>,
    /// A bit for every pair of ports: whether the walk between them with its diagonal steps first is legal and as cheap
    /// as any. Empty if weights differ or there are no diagonal steps.
    pub(super) clear: Box<[u64]>,
    /// Whether weights differ between the cells of the leaf.
    mixed: bool,
}

/// The steps of one tree, two in a byte.
pub(super) struct Steps<'a>(pub(super) &'a mut [u8]);

impl Steps<'_> {
    #[inline(always)]
    pub(super) fn get(&self, cell: usize) -> u8 {
        self.0[cell / 2] >> (cell % 2 * 4) & 15
    }

    #[inline(always)]
    pub(super) fn set(&mut self, cell: usize, step: u8) {
        let byte = &mut self.0[cell / 2];
        *byte = *byte & !(15 << (cell % 2 * 4)) | step << (cell % 2 * 4);
    }
}

/// Working memory for making leaves, used for one after another.
#[derive(Default)]
pub(in crate::chart) struct LeafScratch {
    pub(super) cutout: Cutout,
    pub(super) tree: Tree,
    pub(super) ring: BucketRing,
    steps: Vec<u8>,
    moves: Vec<u8>,
    tree_repair: TreeRepair,
    check: TreeCheck,
}

impl LeafScratch {
    pub(super) fn bytes(&self) -> usize {
        self.cutout.bytes()
            + self.tree.bytes()
            + self.ring.bytes()
            + held(&self.steps)
            + held(&self.moves)
            + self.tree_repair.bytes()
            + self.check.bytes()
    }

    /// Cuts out a leaf in a chart that has these prices of steps over weight 1, and writes the legal moves of each cell to
    /// `moves`: none for a blocked cell. Trees grow against these moves, so that they hold the walks to their roots.
    fn cut(&mut self, grid: &SquareGrid, bounds: Area, prices: Prices, way: Way) {
        self.cutout.cut(grid, bounds);
        self.cutout.reprice(grid, prices);
        if way == Way::Back {
            self.cutout.turn();
        }
        self.moves.clear();
        self.moves.extend(self.cutout.moves());
        for (y, moves) in self.moves.chunks_exact_mut(bounds.width.into()).enumerate() {
            let row = grid.free_plane().row(usize::from(bounds.y) + y + 1);
            for (x, moves) in (usize::from(bounds.x) + 1..).zip(moves) {
                *moves &= ((row[x / 64] >> (x % 64) & 1) as u8).wrapping_neg();
            }
        }
        self.cutout.turn();
    }

    /// Grows the tree of a port over the leaf that is cut out, and appends its steps to `packed`. The costs stay in
    /// `tree`.
    fn grow_tree(&mut self, port: usize, packed: &mut Vec<u8>) {
        let LeafScratch { cutout, tree, ring, steps, moves, .. } = self;
        cutout.spread(port, tree, ring);
        steps.clear();
        first_steps(cutout, moves, &tree.cost_by_cell, steps);
        pack(steps, packed);
    }
}

impl<T: ChartCost> Leaf<T> {
    /// Makes a leaf, with a tree for each of `ports`.
    pub(super) fn grow(
        grid: &SquareGrid,
        bounds: Area,
        ports: &[Cell],
        prices: Prices,
        way: Way,
        room: &mut LeafScratch,
    ) -> Leaf<T> {
        room.cut(grid, bounds, prices, way);
        Self::grow_cut(bounds, ports, room)
    }

    /// Makes a leaf that is cut out already.
    fn grow_cut(bounds: Area, ports: &[Cell], room: &mut LeafScratch) -> Leaf<T> {
        let cutout = &room.cutout;
        let count = ports.len();
        let mut costs = Vec::with_capacity(count * count);
        if cutout.is_open() {
            for &from in ports {
                let cost = |&to: &Cell| T::of(cutout.distance(bounds.index(from), bounds.index(to)));
                costs.extend(ports.iter().map(cost));
            }
            let open = cutout.open_prices();
            return Leaf {
                bounds,
                side: side(ports, costs),
                open,
                steps: Box::default(),
                clear: Box::default(),
                mixed: false,
            };
        }
        let mut packed = Vec::with_capacity(count * tree_bytes(bounds));
        for &port in ports {
            room.grow_tree(bounds.index(port), &mut packed);
            costs.extend(ports.iter().map(|&to| chart_cost::<T>(room.tree.cost_by_cell[bounds.index(to)])));
        }
        let cutout = &room.cutout;
        if cutout.is_one_way() {
            // The costs worked out for each port are those to it.
            costs = (0..count * count).map(|pair| costs[pair % count * count + pair / count]).collect();
        }
        let side = side(ports, costs);
        let clear = clear_pairs(cutout, &room.moves, &side, |_, _| None);
        Leaf { bounds, side, open: None, steps: packed.into(), clear, mixed: cutout.is_mixed() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.steps.len() + size_of_val(&*self.clear) + self.side.bytes()
    }
}

fn side<T: ChartCost>(ports: &[Cell], costs: Vec<T>) -> Side<T> {
    Side::new(0, ports.into(), costs.into())
}

pub(super) fn chart_cost<T: ChartCost>(cost: u32) -> T {
    if cost == NO_WAY { T::NO_WAY } else { T::of(cost) }
}

#[inline(always)]
pub(super) fn open_cost(prices: Prices, from: Cell, to: Cell) -> u32 {
    Octile::new(prices).between(from, to) as u32
}

/// Returns the bits of [`Leaf::clear`]: for every pair of ports, whether the walk between them with its diagonal steps
/// first is legal and as cheap as any. `known` returns the bit of a pair for which it need not be worked out.
fn clear_pairs<T: ChartCost>(
    cutout: &Cutout,
    moves: &[u8],
    side: &Side<T>,
    known: impl Fn(usize, usize) -> Option<bool>,
) -> Box<[u64]> {
    let (Some(prices), count) = (cutout.even_prices(), side.list.len()) else { return Box::default() };
    let mut clear = vec![0; (count * count).div_ceil(64)];
    for (to, &port) in side.list.iter().enumerate() {
        for (from, &start) in side.list.iter().enumerate() {
            if from == to {
                continue;
            }
            let is_clear = known(to, from).unwrap_or_else(|| {
                side.cost(from, to) == T::of(open_cost(prices, start, port)) && is_clear(cutout, moves, start, port)
            });
            if is_clear {
                let pair = to * count + from;
                clear[pair / 64] |= 1 << (pair % 64);
            }
        }
    }
    clear.into()
}

/// Returns whether every step of the walk from `from` to `to` with its diagonal steps first is legal.
fn is_clear(cutout: &Cutout, moves: &[u8], from: Cell, to: Cell) -> bool {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let mut at = cutout.bounds.index(from);
    let (mut across, mut down) = (dx.unsigned_abs(), dy.unsigned_abs());
    while across + down > 0 {
        let step = (if across > 0 { dx.signum() } else { 0 }, if down > 0 { dy.signum() } else { 0 });
        let direction = usize::from(DIRECTION[(step.1 + 1) as usize][(step.0 + 1) as usize]);
        if moves[at] >> direction & 1 == 0 {
            return false;
        }
        at = at.wrapping_add_signed(cutout.offsets()[direction] as isize);
        (across, down) = (across.saturating_sub(1), down.saturating_sub(1));
    }
    true
}

/// Appends, for each cell, the step towards the root of a tree: of the cheapest ones, that with the lowest number.
/// `costs` has the cost from the root to each cell.
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
                [] => prices[step & 7],
                _ => mean_cost(prices[step & 7], weights[cell], weights[to]).0,
            };
            if costs[to].saturating_add(price) == cost {
                break step as u8;
            }
            left &= left - 1;
        });
    }
}

/// Returns how many bytes a tree takes: half a byte for each cell.
pub(super) fn tree_bytes(bounds: Area) -> usize {
    bounds.cells().div_ceil(2)
}

/// Appends the steps of a tree, two in a byte. An odd number of steps is filled up with [`NO_STEP`].
fn pack(steps: &mut Vec<u8>, packed: &mut Vec<u8>) {
    if steps.len() % 2 == 1 {
        steps.push(NO_STEP);
    }
    packed.extend(steps.as_chunks::<2>().0.iter().map(|pair| pair[0] | pair[1] << 4));
}
