//! A cluster cut out of its world: the moves that stay inside it, and shortest-path trees over its cells.
//!
//! The moves are those of the world as if every cell outside the cluster were blocked. That changes no move between two
//! cells of the cluster: the two cells beside a diagonal move lie in every rectangle that holds both of its ends.

use crate::cost::{Octile, Prices};
use crate::id::Cell;
use crate::memory::held;
use crate::open_list::BucketRing;
use crate::space::Area;
use crate::space::square::moves::{E, Gait, N, NE, NOWHERE, NW, S, SE, STEP, SW, W};
use crate::space::square::{SquareGrid, mean_cost};

/// The cost of a cell that cannot be reached.
pub(crate) const NO_WAY: u32 = u32::MAX;

/// A cluster cut out of its world.
#[derive(Clone, Default)]
pub(crate) struct Cutout {
    pub(crate) bounds: Area,
    /// By cell: its free neighbours inside the cluster, one bit for each direction.
    around_by_cell: Vec<u8>,
    /// By cell: its weight. Empty if all free cells of the cluster have one weight.
    weight_by_cell: Vec<u8>,
    offsets: [i32; 8],
    prices: Prices,
    price_by_direction: [u32; 8],
    gait: Option<Gait>,
    /// Whether every cell is free and all have one weight, with no walls between cells, so that distances need no search.
    open: bool,
    /// Whether the cluster has walls between cells, so that all legal moves have to be looked at.
    walled: bool,
    /// By cell: the moves from it and the moves to it that stay inside the cluster, one bit for each direction in which the
    /// other cell lies. Both are empty if every move leads both ways.
    one_way: [Vec<u8>; 2],
}

/// A shortest-path tree over a cluster's cells.
#[derive(Clone, Default)]
pub(crate) struct Tree {
    /// By cell: the cost from the root, or [`NO_WAY`] if the cell was not reached.
    pub(crate) cost_by_cell: Vec<u32>,
    /// By cell: the direction of the step that reached it, or [`NOWHERE`] at the root and if it was not reached. The
    /// bit [`CLOSED`] is added once the cell is expanded.
    by: Vec<u8>,
    /// How many cells were expanded: as many as [`Tree::expanded_cells`] lists.
    pub(crate) expanded: u64,
    /// By cell: whether [`Cutout::spread_to`] searches for its cost.
    is_wanted: Vec<bool>,
}

const CLOSED: u8 = 0x80;

/// The directions that lead out of a rectangle over its west side; below, over its other sides.
const WESTWARD: u8 = 1 << NW | 1 << W | 1 << SW;
const EASTWARD: u8 = 1 << NE | 1 << E | 1 << SE;
const NORTHWARD: u8 = 1 << NW | 1 << N | 1 << NE;
const SOUTHWARD: u8 = 1 << SW | 1 << S | 1 << SE;

impl Cutout {
    /// Cuts the cluster `bounds` out of a world, in place of the one cut out before.
    pub(crate) fn cut(&mut self, grid: &SquareGrid, bounds: Area) {
        let (width, height) = (usize::from(bounds.width), usize::from(bounds.height));
        self.bounds = bounds;
        self.gait = Some(grid.gait());
        self.offsets = STEP.map(|(dx, dy)| dy * width as i32 + dx);
        self.around_by_cell.clear();
        self.weight_by_cell.clear();
        let mut free = 0;
        for y in bounds.y..bounds.y + bounds.height {
            let first = grid.node(Cell { x: bounds.x, y }).index();
            self.around_by_cell.extend_from_slice(&grid.around_by_node()[first..first + width]);
            if let Some(weights) = grid.weights() {
                self.weight_by_cell.extend_from_slice(&weights[first..first + width]);
            }
            free += grid.free_plane().count_row(usize::from(bounds.x) + 1, width, usize::from(y) + 1);
        }
        keep_inside(&mut self.around_by_cell, width);
        self.walled = grid.has_closed_borders(bounds);
        self.find_one_ways(grid);
        self.open = free == width * height && !self.walled;
        let mut scale = u32::from(grid.least_weight());
        if let Some(&first) = self.weight_by_cell.iter().find(|&&weight| weight > 0) {
            if self.weight_by_cell.iter().all(|&weight| weight == 0 || weight == first) {
                self.weight_by_cell.clear();
                scale = u32::from(first);
            } else {
                self.open = false;
                scale = 1;
            }
        }
        self.set_prices(grid.metric().prices().times(scale));
    }

    /// Lists the moves from and to each cell if some of them lead one way only.
    fn find_one_ways(&mut self, grid: &SquareGrid) {
        self.one_way.iter_mut().for_each(Vec::clear);
        let Some(entries_by_node) = grid.entries_by_node().filter(|_| self.walled) else { return };
        let (bounds, legal) = (self.bounds, grid.gait().legal());
        let [exits, entries] = &mut self.one_way;
        for (cell, &around) in bounds.all_cells().zip(&self.around_by_cell) {
            exits.push(if grid.is_free(cell) { legal[usize::from(around)] } else { 0 });
            entries.push(entries_by_node[grid.node(cell).index()]);
        }
        keep_inside(entries, bounds.width.into());
        if exits == entries {
            self.one_way.iter_mut().for_each(Vec::clear);
        }
    }

    /// Returns whether some moves inside the cluster lead one way only.
    pub(crate) fn is_one_way(&self) -> bool {
        !self.one_way[0].is_empty()
    }

    /// Turns every move round: what led from a cell to another leads back now. Trees then hold the walks to their roots.
    pub(crate) fn turn(&mut self) {
        self.one_way.swap(0, 1);
    }

    /// Replaces the world's prices of a straight and a diagonal step over weight 1 by these. In a world that has had
    /// only one weight since it was made, steps then cost these prices as they are, whatever that weight is.
    pub(crate) fn reprice(&mut self, grid: &SquareGrid, prices: Prices) {
        let scale = if grid.weights().is_none() { 1 } else { self.prices.straight / grid.metric().straight() };
        self.set_prices(prices.times(scale));
    }

    fn set_prices(&mut self, prices: Prices) {
        (self.prices, self.price_by_direction) = (prices, prices.by_direction());
    }

    /// Grows the tree of the cheapest walks from the cell `root` to all others.
    pub(crate) fn spread(&self, root: usize, tree: &mut Tree, ring: &mut BucketRing) {
        self.grow(root, None, tree, ring, |_| false);
    }

    /// Grows the tree of the cheapest walks from all cells to the cell `root`. Steps back in the tree lead on to the root.
    pub(crate) fn spread_back(&self, root: usize, tree: &mut Tree, ring: &mut BucketRing) {
        if !self.is_one_way() {
            self.spread(root, tree, ring);
            return;
        }
        let cells = self.around_by_cell.len();
        tree.cost_by_cell.clear();
        tree.by.clear();
        tree.cost_by_cell.resize(cells, NO_WAY);
        tree.by.resize(cells, NOWHERE);
        let [_, entries] = &self.one_way;
        let price = |direction: u8, from: usize, to: usize| self.price(usize::from(direction & 7), from, to);
        self.search(
            (root, usize::MAX),
            tree,
            ring,
            self.dearest_step(),
            |cell, _| entries[cell],
            price,
            |_| 0,
            |_| false,
        );
    }

    /// Grows a tree like [`Cutout::spread`], but only until the costs of all `wanted` cells are known. Each of them is
    /// given once; if one of them cannot be reached, the whole tree is grown.
    pub(crate) fn spread_to(
        &self,
        root: usize,
        wanted: impl Iterator<Item = usize>,
        tree: &mut Tree,
        ring: &mut BucketRing,
    ) {
        let mut is_wanted = std::mem::take(&mut tree.is_wanted);
        is_wanted.clear();
        is_wanted.resize(self.around_by_cell.len(), false);
        let mut left = 0;
        for cell in wanted {
            is_wanted[cell] = true;
            left += 1;
        }
        // A bucket of the queue spans less than the cost of any step, so that a cell has its final cost when it is
        // taken off the queue.
        self.grow(root, None, tree, ring, |cell| {
            left -= usize::from(is_wanted[cell]);
            left == 0
        });
        tree.is_wanted = is_wanted;
    }

    /// Grows a tree like [`Cutout::spread`], but only until the cheapest walk to `goal` is known. Returns its cost, or
    /// [`NO_WAY`].
    pub(crate) fn reach(&self, root: usize, goal: usize, tree: &mut Tree, ring: &mut BucketRing) -> u32 {
        self.grow(root, Some(goal), tree, ring, |_| false);
        tree.cost_by_cell[goal]
    }

    /// Returns what the cheapest walk between two cells would cost if every cell were free.
    pub(crate) fn distance(&self, from: usize, to: usize) -> u32 {
        Octile::new(self.walk_prices()).between(self.bounds.cell(from), self.bounds.cell(to)) as u32
    }

    /// Returns the prices of steps. Where there are no diagonal steps, one counts as two straight ones.
    fn walk_prices(&self) -> Prices {
        if self.gait == Some(Gait::Four) { self.prices.without_diagonals() } else { self.prices }
    }

    /// Lists, by cell, the legal moves that stay inside the cluster, one bit for each direction.
    pub(crate) fn moves(&self) -> impl Iterator<Item = u8> + '_ {
        let legal = self.gait.expect("a cluster was cut out").legal();
        let [exits, _] = &self.one_way;
        let exit = |cell: usize| exits.get(cell).copied();
        self.around_by_cell
            .iter()
            .enumerate()
            .map(move |(cell, &around)| exit(cell).unwrap_or(legal[usize::from(around)]))
    }

    /// Returns, by direction, what has to be added to a cell's index to get that of its neighbour.
    pub(crate) fn offsets(&self) -> [i32; 8] {
        self.offsets
    }

    /// Returns the price of a step in each direction, and the weights by cell. If all free cells of the cluster have
    /// one weight, the prices are those over this weight and there are no weights; else they are those over weight 1.
    pub(crate) fn costs(&self) -> ([u32; 8], &[u8]) {
        (self.price_by_direction, &self.weight_by_cell)
    }

    /// Returns whether the weights of the cluster's free cells differ.
    pub(crate) fn is_mixed(&self) -> bool {
        !self.weight_by_cell.is_empty()
    }

    /// Returns the price of the dearest step that the cluster could have.
    pub(crate) fn dearest_step(&self) -> u32 {
        self.prices.diagonal * u32::from(self.weight_by_cell.iter().copied().max().unwrap_or(1))
    }

    /// Returns whether every cell is free and all have one weight. All distances are then [`Cutout::distance`].
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Returns what a straight and a diagonal step cost if [`Cutout::is_open`]. Where there are no diagonal steps, one
    /// counts as two straight ones.
    pub(crate) fn open_prices(&self) -> Option<Prices> {
        self.open.then_some(self.walk_prices())
    }

    /// Returns what a straight and a diagonal step cost, even if some cells are blocked. Returns `None` if weights
    /// differ or there are no diagonal steps.
    pub(crate) fn even_prices(&self) -> Option<Prices> {
        (!self.is_mixed() && self.gait != Some(Gait::Four)).then_some(self.prices)
    }

    pub(crate) fn bytes(&self) -> usize {
        let one_way: usize = self.one_way.iter().map(held).sum();
        held(&self.around_by_cell) + held(&self.weight_by_cell) + one_way
    }

    fn grow(
        &self,
        root: usize,
        goal: Option<usize>,
        tree: &mut Tree,
        ring: &mut BucketRing,
        enough: impl FnMut(usize) -> bool,
    ) {
        let cells = self.around_by_cell.len();
        tree.cost_by_cell.clear();
        tree.by.clear();
        tree.expanded = 0;
        if self.open {
            self.fan_out(root, tree);
            return;
        }
        tree.cost_by_cell.resize(cells, NO_WAY);
        tree.by.resize(cells, NOWHERE);
        match goal {
            None => self.dispatch(root, usize::MAX, tree, ring, |_| 0, enough),
            Some(goal) => {
                let least = self.weight_by_cell.iter().copied().filter(|&weight| weight > 0).min().unwrap_or(1);
                let left = Octile::new(self.walk_prices().times(u32::from(least)));
                let width = usize::from(self.bounds.width);
                let (x, y) = (goal % width, goal / width);
                let row = |cell: usize| cell / width;
                self.dispatch(
                    root,
                    goal,
                    tree,
                    ring,
                    |cell| {
                        let (dx, dy) = ((cell - row(cell) * width).abs_diff(x), row(cell).abs_diff(y));
                        left.cost(dx as u64, dy as u64)
                    },
                    enough,
                );
            }
        }
    }

    /// Searches with canonical moves and fixed prices if the cluster has one weight and no walls, else with all legal moves,
    /// and with prices that depend on the weights if these differ.
    #[inline(always)]
    fn dispatch(
        &self,
        root: usize,
        goal: usize,
        tree: &mut Tree,
        ring: &mut BucketRing,
        estimate: impl Fn(usize) -> u64,
        enough: impl FnMut(usize) -> bool,
    ) {
        let gait = self.gait.expect("a cluster was cut out");
        let dearest = self.dearest_step();
        if self.is_one_way() {
            let [exits, _] = &self.one_way;
            let price = |direction: u8, from: usize, to: usize| self.price(usize::from(direction & 7), from, to);
            self.search((root, goal), tree, ring, dearest, |cell, _| exits[cell], price, estimate, enough);
        } else if self.weight_by_cell.is_empty() && self.walled {
            let legal = gait.legal();
            let moves = |cell: usize, _| legal[usize::from(self.around_by_cell[cell])];
            let price = |direction: u8, _, _| self.price_by_direction[usize::from(direction & 7)];
            self.search((root, goal), tree, ring, dearest, moves, price, estimate, enough);
        } else if self.weight_by_cell.is_empty() {
            let kept = gait.canonical();
            let moves = |cell: usize, by: u8| kept[usize::from(by)][usize::from(self.around_by_cell[cell])];
            let price = |direction: u8, _, _| self.price_by_direction[usize::from(direction & 7)];
            self.search((root, goal), tree, ring, dearest, moves, price, estimate, enough);
        } else {
            let legal = gait.legal();
            let weights = &self.weight_by_cell[..];
            let moves = |cell: usize, _| legal[usize::from(self.around_by_cell[cell])];
            let price = |direction: u8, from: usize, to: usize| {
                mean_cost(self.price_by_direction[usize::from(direction & 7)], weights[from], weights[to]).0
            };
            self.search((root, goal), tree, ring, dearest, moves, price, estimate, enough);
        }
    }

    /// Returns what a step costs.
    fn price(&self, direction: usize, from: usize, to: usize) -> u32 {
        match &self.weight_by_cell[..] {
            [] => self.price_by_direction[direction],
            weights => mean_cost(self.price_by_direction[direction], weights[from], weights[to]).0,
        }
    }

    /// Searches by A*, or by Dijkstra's algorithm if `estimate` is always 0. The queue does not order cells inside a
    /// bucket, so that a cell may become cheaper after it was expanded; it is then expanded again.
    #[expect(clippy::too_many_arguments, reason = "one loop for both kinds of ground")]
    #[inline(always)]
    fn search(
        &self,
        (root, goal): (usize, usize),
        tree: &mut Tree,
        ring: &mut BucketRing,
        greatest_edge: u32,
        moves: impl Fn(usize, u8) -> u8,
        price: impl Fn(u8, usize, usize) -> u32,
        estimate: impl Fn(usize) -> u64,
        mut enough: impl FnMut(usize) -> bool,
    ) {
        let mut best = u64::MAX;
        let (mut expanded, cells) = (0, self.around_by_cell.len());
        let (costs, by_cell) = (&mut tree.cost_by_cell[..cells], &mut tree.by[..cells]);
        costs[root] = 0;
        let first = estimate(root);
        ring.reset(first, 2 * u64::from(greatest_edge), self.prices.straight);
        ring.push(first, root as u32);
        while let Some(item) = ring.pop() {
            if ring.floor() >= best {
                break;
            }
            let cell = item as usize;
            let by = by_cell[cell];
            if by & CLOSED != 0 {
                continue;
            }
            by_cell[cell] = by | CLOSED;
            expanded += 1;
            if enough(cell) {
                break;
            }
            let g = costs[cell];
            let mut left = moves(cell, by);
            while left != 0 {
                let direction = left.trailing_zeros() as u8;
                left &= left - 1;
                let to = cell.wrapping_add_signed(self.offsets[usize::from(direction & 7)] as isize);
                let cost = g.saturating_add(price(direction, cell, to));
                if cost < costs[to] {
                    costs[to] = cost;
                    let was = std::mem::replace(&mut by_cell[to], direction);
                    // A cell that will be expanded again counts only once.
                    expanded -= u64::from(was >> CLOSED.trailing_zeros());
                    if to == goal {
                        best = u64::from(cost);
                    }
                    ring.push(u64::from(cost) + estimate(to), to as u32);
                }
            }
        }
        tree.expanded = expanded;
    }

    /// Writes the tree of a cluster that is open. Its walks from the root end with the diagonal steps, so that walks
    /// back to the root begin with them. With four directions, this holds for the vertical steps.
    fn fan_out(&self, root: usize, tree: &mut Tree) {
        let Area { width, height, .. } = self.bounds;
        let width_cells = usize::from(width);
        let (root_x, root_y) = ((root % width_cells) as i32, (root / width_cells) as i32);
        let (octile, four) = (Octile::new(self.walk_prices()), self.gait == Some(Gait::Four));
        for y in 0..i32::from(height) {
            let dy = y - root_y;
            for x in 0..i32::from(width) {
                let dx = x - root_x;
                let cost = octile.cost(dx.unsigned_abs().into(), dy.unsigned_abs().into()) as u32;
                let step = (if four && dy != 0 { 0 } else { dx.signum() }, dy.signum());
                tree.cost_by_cell.push(cost);
                tree.by.push(DIRECTION[(step.1 + 1) as usize][(step.0 + 1) as usize]);
            }
        }
    }
}

/// Clears the directions that lead out of a rectangle of so many columns.
fn keep_inside(by_cell: &mut [u8], width: usize) {
    for row in by_cell.chunks_exact_mut(width) {
        row[0] &= !WESTWARD;
        row[width - 1] &= !EASTWARD;
    }
    let last_row = by_cell.len() - width;
    by_cell[..width].iter_mut().for_each(|directions| *directions &= !NORTHWARD);
    by_cell[last_row..].iter_mut().for_each(|directions| *directions &= !SOUTHWARD);
}

/// The direction of a step by `dx` columns and `dy` rows, at row `dy + 1` and column `dx + 1`.
pub(in crate::chart) const DIRECTION: [[u8; 3]; 3] = [[NW, N, NE], [W, NOWHERE, E], [SW, S, SE]];

impl Tree {
    /// Returns the step from a cell towards the root, or `None` at the root and if the cell was not reached.
    #[inline(always)]
    pub(crate) fn step_back(&self, cell: usize) -> Option<u8> {
        let by = self.by[cell] & !CLOSED;
        (by != NOWHERE).then_some((by + 4) & 7)
    }

    /// Lists, by cell, the step towards the root. At the root and where a cell was not reached, it has no meaning.
    pub(crate) fn steps_back(&self) -> impl Iterator<Item = u8> + '_ {
        self.by.iter().map(|by| (by + 4) & 7)
    }

    /// Lists the cells that were expanded, by rising index.
    pub(crate) fn expanded_cells(&self) -> impl Iterator<Item = usize> + '_ {
        self.by.iter().enumerate().filter(|(_, by)| **by & CLOSED != 0).map(|(cell, _)| cell)
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.cost_by_cell) + held(&self.by) + held(&self.is_wanted)
    }
}
