//! Repairs the trees of a leaf after an edit. Cells that no longer have a walk to the port at their old cost are
//! dropped from the tree and reached again from the cells around them. (Where weights differ, all cells are dropped
//! whose walk leads through a changed cell.) Where the edit makes walks cheaper, the lower costs are spread from cell
//! to cell until they are no longer lower. The result is the tree that growing it from nothing would give.

use super::leaf::{NO_STEP, Steps};
use crate::chart::shared::cutout::{Cutout, NO_WAY};
use crate::id::Cell;
use crate::memory::held;
use crate::space::Area;
use crate::space::square::mean_cost;
use crate::space::square::moves::STEP;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Working memory for repairing the trees of one leaf after another.
#[derive(Default)]
pub(in crate::chart) struct TreeRepair {
    /// The cells that the edit has changed, then those around them.
    around: Vec<u16>,
    /// How many cells of `around`, from the first, are changed ones.
    changed: usize,
    /// By cell: the `stamp` of the tree that its cost was written for.
    stamp_by_cell: Vec<u32>,
    /// By cell: its cost to the port, or [`NO_WAY`]. It is valid only if the cell's stamp is `stamp`.
    cost_by_cell: Vec<u32>,
    /// Cells whose cost in this tree may have changed.
    pub(super) moved: Vec<u16>,
    queue: BinaryHeap<Reverse<u64>>,
    /// The number of the tree that is being repaired.
    stamp: u32,
    /// By cell: its neighbours inside the leaf, one bit for each direction.
    inside: Vec<u8>,
    /// The width and height that `inside` was made for.
    size: (usize, usize),
    /// Whether some changed cell is free now, so that walks may have become cheaper.
    freed: bool,
}

/// Packs a cost and a cell into one number for the queue, which sorts by the cost first.
fn entry(cost: u32, cell: usize) -> u64 {
    u64::from(cost) << 16 | cell as u64
}

fn parts(entry: u64) -> (u32, usize) {
    ((entry >> 16) as u32, (entry & 0xffff) as usize)
}

/// The terrain of a leaf after the edit.
pub(super) struct Ground<'a> {
    pub(super) cutout: &'a Cutout,
    pub(super) moves: &'a [u8],
    offsets: [isize; 8],
    price_by_step: [u32; 8],
    weights: &'a [u8],
}

impl<'a> Ground<'a> {
    pub(super) fn new(cutout: &'a Cutout, moves: &'a [u8]) -> Ground<'a> {
        let (price_by_step, weights) = cutout.costs();
        Ground { cutout, moves, offsets: cutout.offsets().map(|offset| offset as isize), price_by_step, weights }
    }
}

impl Ground<'_> {
    #[inline(always)]
    fn neighbour(&self, cell: usize, step: usize) -> usize {
        cell.wrapping_add_signed(self.offsets[step & 7])
    }

    #[inline(always)]
    fn price(&self, step: usize, from: usize, to: usize) -> u32 {
        match self.weights {
            [] => self.price_by_step[step & 7],
            weights => mean_cost(self.price_by_step[step & 7], weights[from], weights[to]).0,
        }
    }

    /// Calls `visit` with every legal step from a cell and the cell that it leads to, the lowest step first.
    #[inline(always)]
    fn for_each_step(&self, cell: usize, mut visit: impl FnMut(usize, usize)) {
        let mut left = self.moves[cell];
        while left != 0 {
            let step = left.trailing_zeros() as usize;
            left &= left - 1;
            visit(step, self.neighbour(cell, step));
        }
    }
}

impl TreeRepair {
    /// Prepares for repairing the trees of a leaf in which the cells `changed` have changed.
    pub(super) fn begin(&mut self, ground: &Ground, changed: impl Iterator<Item = usize>) {
        let bounds = ground.cutout.bounds;
        self.look_inside(usize::from(bounds.width), usize::from(bounds.height));
        self.around.clear();
        self.around.extend(changed.map(|cell| cell as u16));
        self.around.sort_unstable();
        self.around.dedup();
        self.changed = self.around.len();
        self.freed = self.around.iter().any(|&cell| ground.moves[usize::from(cell)] != 0);
        for i in 0..self.changed {
            let cell = usize::from(self.around[i]);
            for step in (0..8).filter(|step| self.inside[cell] >> step & 1 == 1) {
                let near = ground.neighbour(cell, step) as u16;
                if !self.around.contains(&near) {
                    self.around.push(near);
                }
            }
        }
        if self.stamp_by_cell.len() < bounds.cells() {
            self.stamp_by_cell.resize(bounds.cells(), 0);
            self.cost_by_cell.resize(bounds.cells(), 0);
        }
    }

    fn look_inside(&mut self, width: usize, height: usize) {
        if self.size == (width, height) {
            return;
        }
        self.size = (width, height);
        self.inside.clear();
        for y in 0..height {
            for x in 0..width {
                let inside = |(dx, dy): (i32, i32)| {
                    let (x, y) = (x.wrapping_add_signed(dx as isize), y.wrapping_add_signed(dy as isize));
                    x < width && y < height
                };
                self.inside.push(STEP.iter().enumerate().map(|(step, &to)| u8::from(inside(to)) << step).sum());
            }
        }
    }

    /// Repairs the tree of `port`: afterwards, `steps` are those that growing the tree from nothing would give.
    pub(super) fn mend(&mut self, ground: &Ground, port: usize, steps: &mut Steps) {
        self.stamp += 1;
        self.moved.clear();
        self.know(port, 0);
        if ground.weights.is_empty() {
            self.drop_dearer(ground, port, steps);
        } else {
            self.drop_all_below(ground, port, steps);
        }
        // Each dropped cell is put in the queue with the least cost that a step to a neighbour gives it now.
        for i in 0..self.moved.len() {
            let cell = usize::from(self.moved[i]);
            let mut least = NO_WAY;
            ground.for_each_step(cell, |step, to| {
                least = least.min(self.cost(ground, to, steps).saturating_add(ground.price(step, cell, to)));
            });
            if least < NO_WAY {
                self.queue.push(Reverse(entry(least, cell)));
            }
        }
        if self.freed {
            self.cut_corners(ground, port, steps);
        }
        self.spread(ground, steps);
    }

    /// Tries the diagonal steps that pass a changed cell, as it may have been blocked and have forbidden them. Each of
    /// them joins two neighbours of the changed cell.
    fn cut_corners(&mut self, ground: &Ground, port: usize, steps: &mut Steps) {
        for i in 0..self.changed {
            let middle = usize::from(self.around[i]);
            for side in [0, 2, 4, 6] {
                let next = (side + 2) & 7;
                if self.inside[middle] >> side & 1 == 0 || self.inside[middle] >> next & 1 == 0 {
                    continue;
                }
                // For `side` north, the step from the neighbour in the north to that in the east leads south-east (3),
                // and the step back leads north-west (7). The other three pairs are turned by as much as `side` is.
                let (a, b) = (ground.neighbour(middle, side), ground.neighbour(middle, next));
                for (from, to, step) in [(a, b, (side + 3) & 7), (b, a, (side + 7) & 7)] {
                    if ground.moves[from] >> step & 1 == 0 || from == port {
                        continue;
                    }
                    let (known, there) = (self.cost(ground, from, steps), self.cost(ground, to, steps));
                    let cost = there.saturating_add(ground.price(step, from, to));
                    if cost < known {
                        self.queue.push(Reverse(entry(cost, from)));
                    } else if cost == known && cost < NO_WAY && (step as u8) < steps.get(from) {
                        steps.set(from, step as u8);
                    }
                }
            }
        }
    }

    /// Where all cells have one weight: drops the cells whose cost to the port is greater now or that have no walk to
    /// it any more. Cells are taken in the order of their old cost, so that when a cell's turn comes, all cells of
    /// lower cost are settled. If a step to one of these gives the cell its old cost, it keeps the cost and takes this
    /// step; otherwise it is dropped, and the cells whose steps lead to it are looked at in turn. Free cells around the
    /// edit that had no walk to the port count as dropped, since they may have one now.
    fn drop_dearer(&mut self, ground: &Ground, port: usize, steps: &mut Steps) {
        for i in 0..self.around.len() {
            let cell = usize::from(self.around[i]);
            let step = steps.get(cell);
            if step == NO_STEP {
                if ground.moves[cell] != 0 && cell != port {
                    self.know(cell, NO_WAY);
                    self.moved.push(cell as u16);
                }
            } else if ground.moves[cell] >> step & 1 == 0 {
                let cost = self.cost(ground, cell, steps);
                self.queue.push(Reverse(entry(cost, cell)));
            }
        }
        while let Some(Reverse(entry)) = self.queue.pop() {
            let (cost, cell) = parts(entry);
            let step = steps.get(cell);
            if step == NO_STEP {
                continue;
            }
            let first = if ground.moves[cell] == 0 { NO_STEP } else { self.first_step(ground, cell, cost, steps) };
            steps.set(cell, first);
            if first == NO_STEP {
                self.drop_one(ground, cell, steps, |queue, step, child| {
                    queue.push(Reverse(self::entry(cost + ground.price(step, child, cell), child)));
                });
            }
        }
    }

    /// Drops a cell, and calls `visit` for each neighbour whose step leads to it.
    fn drop_one(
        &mut self,
        ground: &Ground,
        cell: usize,
        steps: &Steps,
        mut visit: impl FnMut(&mut BinaryHeap<Reverse<u64>>, usize, usize),
    ) {
        self.know(cell, NO_WAY);
        self.moved.push(cell as u16);
        let mut left = self.inside[cell];
        while left != 0 {
            let back = left.trailing_zeros() as usize;
            left &= left - 1;
            let (child, step) = (ground.neighbour(cell, back), (back + 4) & 7);
            if steps.get(child) == step as u8 {
                visit(&mut self.queue, step, child);
            }
        }
    }

    /// Where weights differ: drops the changed cells, the cells around them whose step is no longer legal or that had
    /// none, and all cells whose walk leads through a dropped one.
    fn drop_all_below(&mut self, ground: &Ground, port: usize, steps: &mut Steps) {
        for i in 0..self.around.len() {
            let cell = usize::from(self.around[i]);
            let step = steps.get(cell);
            let holds = i >= self.changed && step != NO_STEP && ground.moves[cell] >> step & 1 == 1;
            let was_or_can_be_reached = step != NO_STEP || ground.moves[cell] != 0;
            if !holds && was_or_can_be_reached && !(cell == port && i >= self.changed) {
                self.queue.push(Reverse(entry(0, cell)));
            }
        }
        while let Some(Reverse(entry)) = self.queue.pop() {
            let (_, cell) = parts(entry);
            if cell != port && self.is_known(cell) {
                continue;
            }
            self.drop_one(ground, cell, steps, |queue, _, child| queue.push(Reverse(self::entry(0, child))));
            steps.set(cell, NO_STEP);
            if cell == port {
                // The port itself stays at cost 0. The cells whose steps lead to it are dropped, because its weight may
                // have changed, and with it the cost of these steps.
                self.moved.pop();
                self.know(port, 0);
            }
        }
    }

    #[inline(always)]
    fn is_known(&self, cell: usize) -> bool {
        self.stamp_by_cell[cell] == self.stamp
    }

    #[inline(always)]
    fn know(&mut self, cell: usize, cost: u32) {
        self.stamp_by_cell[cell] = self.stamp;
        self.cost_by_cell[cell] = cost;
    }

    /// Returns the cost from a cell to the port, or [`NO_WAY`], by following steps until the cost of a cell is known.
    #[inline(always)]
    pub(super) fn cost(&mut self, ground: &Ground, from: usize, steps: &Steps) -> u32 {
        if self.is_known(from) { self.cost_by_cell[from] } else { self.cost_of_way(ground, from, steps) }
    }

    fn cost_of_way(&mut self, ground: &Ground, from: usize, steps: &Steps) -> u32 {
        let (mut cell, mut cost) = (from, 0);
        while !self.is_known(cell) {
            let step = steps.get(cell);
            if step == NO_STEP {
                return NO_WAY;
            }
            let to = ground.neighbour(cell, step.into());
            cost += ground.price(step.into(), cell, to);
            cell = to;
        }
        if self.cost_by_cell[cell] == NO_WAY {
            // The walk leads to a dropped cell. That is not written down for the cells on the walk: they may still turn
            // out to have another step at their old cost.
            return NO_WAY;
        }
        let whole = cost + self.cost_by_cell[cell];
        (cell, cost) = (from, whole);
        while !self.is_known(cell) {
            self.know(cell, cost);
            let step = usize::from(steps.get(cell));
            let to = ground.neighbour(cell, step);
            cost -= ground.price(step, cell, to);
            cell = to;
        }
        whole
    }

    /// Takes cells off the queue, the cheapest first. Where the queue has a lower cost for a cell than is known, the
    /// cell gets this cost, and each neighbour that becomes cheaper by a step to this cell is put in the queue.
    fn spread(&mut self, ground: &Ground, steps: &mut Steps) {
        while let Some(Reverse(entry)) = self.queue.pop() {
            let (cost, cell) = parts(entry);
            let known = self.cost(ground, cell, steps);
            if cost >= known {
                continue;
            }
            // The costs of the neighbours are worked out before the new cost of this cell is written. Otherwise a
            // neighbour whose walk leads through this cell would already come out at its new cost, and would not be
            // queued.
            let mut costs = [NO_WAY; 8];
            ground.for_each_step(cell, |step, to| costs[step & 7] = self.cost(ground, to, steps));
            self.moved.push(cell as u16);
            self.know(cell, cost);
            let mut first = NO_STEP;
            ground.for_each_step(cell, |step, to| {
                let (there, price) = (costs[step & 7], ground.price(step, cell, to));
                if first == NO_STEP && there.saturating_add(price) == cost {
                    first = step as u8;
                }
                if cost + price < there {
                    self.queue.push(Reverse(self::entry(cost + price, to)));
                } else if cost + price == there {
                    // By this cell, the neighbour has the cost that it has already. The lower step of the two is kept.
                    let back = ((step + 4) & 7) as u8;
                    if back < steps.get(to) {
                        steps.set(to, back);
                    }
                }
            });
            steps.set(cell, first);
        }
    }

    /// Returns the lowest of the steps that give a cell the cost `cost`, or [`NO_STEP`] if none does.
    fn first_step(&mut self, ground: &Ground, cell: usize, cost: u32, steps: &Steps) -> u8 {
        if cost == 0 || cost == NO_WAY {
            return NO_STEP;
        }
        let mut left = ground.moves[cell];
        while left != 0 {
            let step = left.trailing_zeros() as usize;
            left &= left - 1;
            let to = ground.neighbour(cell, step);
            if self.cost(ground, to, steps).saturating_add(ground.price(step, cell, to)) == cost {
                return step as u8;
            }
        }
        NO_STEP
    }

    /// Returns whether the cost of a cell may have changed in the tree that was repaired last.
    pub(super) fn has_moved(&self, cell: usize) -> bool {
        self.moved.contains(&(cell as u16))
    }

    /// Returns the rectangle around the changed cells and those around them. Steps that are not inside it are as legal
    /// and as dear as before.
    pub(super) fn reach(&self, bounds: Area) -> Area {
        let cells = self.around.iter().map(|&cell| bounds.cell(cell.into()));
        let one = |cell: Cell| Area { x: cell.x, y: cell.y, width: 1, height: 1 };
        cells.map(one).reduce(Area::with).unwrap_or_default()
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.around)
            + held(&self.stamp_by_cell)
            + held(&self.cost_by_cell)
            + held(&self.moved)
            + self.queue.capacity() * size_of::<Reverse<u64>>()
            + held(&self.inside)
    }
}
