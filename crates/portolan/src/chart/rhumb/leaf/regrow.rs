//! A leaf after edits: the trees of its ports are repaired where that is possible, else all are grown anew.
//!
//! Not here: the repair of one tree (`tree_repair.rs`).

use super::super::front::Way;
use super::super::tree_repair::Ground;
use super::{
    ChartCost, Leaf, LeafScratch, NO_STEP, Prices, Side, Steps, chart_cost, clear_pairs, pack, side, tree_bytes,
};
use crate::id::Cell;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, N, NE, NW, S, SE, SW, W};
use crate::space::{Area, Edit};

/// Up to this many changed cells, the trees of a leaf are repaired; with more, they are grown anew.
const MENDED: usize = 64;

impl<T: ChartCost> Leaf<T> {
    /// Returns the leaf after `edits`, when it has the ports `ports`. The tree of a port that it had before is repaired
    /// where that is possible; otherwise all trees are grown anew.
    pub(in crate::chart::rhumb) fn regrow(
        &self,
        grid: &SquareGrid,
        ports: &[Cell],
        prices: Prices,
        edits: &[Edit],
        room: &mut LeafScratch,
    ) -> Leaf<T> {
        let bounds = self.bounds;
        room.cut(grid, bounds, prices, Way::There);
        let in_leaf = |edit: &Edit| bounds.common(edit.cells((grid.width(), grid.height())));
        let areas = || edits.iter().filter_map(in_leaf);
        // A tree is repaired after cells were freed or blocked, but not after steps between free cells came or went.
        let has_borders = edits.iter().any(|edit| edit.terrain().is_none() && in_leaf(edit).is_some());
        let mixed = room.cutout.is_mixed();
        let changed: usize = areas().map(Area::cells).sum();
        if !self.knows_trees()
            || room.cutout.is_open()
            || mixed != self.mixed
            || grid.weights().is_some() && !mixed
            || changed > MENDED
            || has_borders
            || grid.has_closed_borders(bounds)
        {
            return Self::grow_cut(bounds, ports, room);
        }
        let ground = Ground::new(&room.cutout, &room.moves);
        room.tree_repair.begin(&ground, areas().flat_map(Area::all_cells).map(|cell| bounds.index(cell)));
        let ranks: Vec<Option<usize>> = ports.iter().map(|&port| self.side.rank(port)).collect();
        let count = ports.len();
        let mut packed = Vec::with_capacity(count * tree_bytes(bounds));
        let mut costs = vec![T::NO_WAY; count * count];
        for (rank, &port) in ports.iter().enumerate() {
            // A walk costs as much in one direction as in the other, so that each pair is worked out once.
            let mut set = |other, cost| (costs[rank * count + other], costs[other * count + rank]) = (cost, cost);
            let Some(old) = ranks[rank] else {
                room.grow_tree(bounds.index(port), &mut packed);
                for (other, &to) in ports.iter().enumerate() {
                    set(other, chart_cost(room.tree.cost_by_cell[bounds.index(to)]));
                }
                continue;
            };
            let first = packed.len();
            self.append_tree(old, port, &mut room.steps, &mut packed);
            let mut mended = Steps(&mut packed[first..]);
            let LeafScratch { cutout, moves, tree_repair, .. } = room;
            let ground = &Ground::new(cutout, moves);
            tree_repair.mend(ground, bounds.index(port), &mut mended);
            for (other, was) in ranks[..rank].iter().enumerate() {
                let Some(was) = *was else { continue };
                let to = bounds.index(ports[other]);
                let has_moved = tree_repair.has_moved(to);
                let cost = has_moved.then(|| chart_cost(tree_repair.cost(ground, to, &mended)));
                set(other, cost.unwrap_or_else(|| self.side.cost(old, was)));
            }
            set(rank, T::ZERO);
        }
        let side = side(ports, costs);
        let clear = self.clear_again(&side, &ranks, room);
        Leaf { bounds, side, open: None, steps: packed.into(), clear, mixed }
    }

    /// Returns whether the trees of the leaf are at hand. An open leaf keeps none, but at most prices [`open_steps`] can
    /// write them.
    fn knows_trees(&self) -> bool {
        self.open.is_none_or(|Prices { straight, diagonal }| straight < diagonal && diagonal < 2 * straight)
    }

    /// Appends the tree of a port as it was before the edits.
    fn append_tree(&self, rank: usize, port: Cell, steps: &mut Vec<u8>, packed: &mut Vec<u8>) {
        if self.open.is_some() {
            steps.clear();
            open_steps(self.bounds, port, steps);
            pack(steps, packed);
        } else {
            let size = tree_bytes(self.bounds);
            packed.extend_from_slice(&self.steps[rank * size..(rank + 1) * size]);
        }
    }

    /// Returns the bits of [`Leaf::clear`] after the edits. `ranks` has, for each port of the side, its rank before them.
    fn clear_again(&self, side: &Side<T>, ranks: &[Option<usize>], room: &LeafScratch) -> Box<[u64]> {
        let near = room.tree_repair.reach(self.bounds);
        // The walk that a bit of `clear` is about stays in the rectangle around its two ports. Where no step of that
        // rectangle can have changed, the bit is still right.
        clear_pairs(&room.cutout, &room.moves, side, |to, from| {
            let box_of = Area::around(side.list[to], side.list[from]);
            let (to, from) = ranks[to].zip(ranks[from]).filter(|_| !box_of.overlaps(near))?;
            let pair = to * self.side.list.len() + from;
            Some(self.clear.get(pair / 64)? >> (pair % 64) & 1 == 1)
        })
    }
}

/// Appends, for each cell of an open leaf, the step towards a port: of the cheapest ones, that with the lowest number.
/// A diagonal step has to cost more than one straight step and less than two.
fn open_steps(bounds: Area, port: Cell, steps: &mut Vec<u8>) {
    let width = i32::from(bounds.width);
    let before = i32::from(port.x) - i32::from(bounds.x);
    for y in bounds.y..bounds.y + bounds.height {
        let down = i32::from(port.y) - i32::from(y);
        let row = steps.len();
        steps.resize(row + width as usize, NO_STEP);
        let mut fill = |from: i32, to: i32, step: u8| {
            let (from, to) = (from.clamp(0, width) as usize, to.clamp(0, width) as usize);
            steps[row..][from..to.max(from)].fill(step);
        };
        let reach = down.abs();
        let (left, right) = match down.signum() {
            -1 => ([NE, N], [N, W]),
            0 => ([E, E], [E, W]),
            _ => ([E, SE], [S, SW]),
        };
        // In the port's own row, all cells step straight towards it. In a row that is `reach` rows away, the cell in
        // the port's column steps straight too, and the two cells `reach` columns left and right of that column step
        // diagonally. All other cells have two cheapest steps, of which `left` and `right` hold the one with the lower
        // number: for cells more than `reach` columns away from the port (far), and for those that are nearer (near).
        let [far_left, near_left] = left;
        let [near_right, far_right] = right;
        let diagonals = match down.signum() {
            -1 => [NE, NW],
            0 => [NO_STEP; 2],
            _ => [SE, SW],
        };
        let column = match down.signum() {
            -1 => N,
            0 => NO_STEP,
            _ => S,
        };
        fill(0, before - reach, far_left);
        fill(before - reach, before - reach + 1, diagonals[0]);
        fill(before - reach + 1, before, near_left);
        fill(before + 1, before + reach, near_right);
        fill(before + reach, before + reach + 1, diagonals[1]);
        fill(before + reach + 1, width, far_right);
        fill(before, before + 1, column);
    }
}
