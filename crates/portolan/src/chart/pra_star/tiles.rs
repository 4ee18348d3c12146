//! The first layer: tiles of 2 × 2 cells, whose free cells make one clique or two. Four bits per tile say which of its
//! cells are free. The cliques of a tile, and which cliques of its neighbours they touch, follow from these bits by
//! tables that are computed once for each gait.
//!
//! Not here: the layers above (`layers`).

use super::cliques::Cliques;
use super::layers::{Body, GRAIN, MANY, OPEN, OWN, Plan, SOME, Side};
use crate::id::Cell;
use crate::memory::held;
use crate::space::Area;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, Gait, N, NE, NW, S, SE, SW, W};
use std::sync::LazyLock;

/// A sentinel for "no parent".
const NONE: u8 = u8::MAX;

/// Column and row of the four places in a tile.
const PLACES: [(usize, usize); 4] = [(0, 0), (1, 0), (0, 1), (1, 1)];

/// By eight bits: these bits in pairs, each pair in the lowest two bits of a byte of its own.
static SPREAD: [u32; 256] = {
    let mut spread = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut pair = 0;
        while pair < 4 {
            spread[bits] |= (bits as u32 >> (2 * pair) & 3) << (8 * pair);
            pair += 1;
        }
        bits += 1;
    }
    spread
};

/// What follows from the free cells of a tile. The tables are indexed by a set of cells, one bit for each place.
struct Tables {
    /// The cells of the first and of the second clique. A clique that does not exist has no cells.
    cliques: [[u8; 2]; 16],
    /// The state of the tile, as the bits `SOME`, `MANY` and `OPEN`.
    states: [u8; 16],
    /// Whether there are two cliques and a step leads from one to the other.
    split: [bool; 16],
    /// Which cliques of a tile touch which of the tile east of it: bit `2 * ours + theirs`.
    east: [[u8; 16]; 16],
    /// Which cliques of a tile touch which of the tile south of it: bit `2 * ours + theirs`.
    south: [[u8; 16]; 16],
    /// By any set of cells of a tile: column and row of their middle in the tile, both times `GRAIN`, their number, and
    /// the sides of the tile that they lie at.
    shapes: [[u8; 4]; 16],
    gait: Gait,
}

impl Tables {
    fn new(gait: Gait) -> Tables {
        let shape = |cells: usize| {
            let count = cells.count_ones();
            let part = |places: usize| (GRAIN * (cells & places).count_ones() / count.max(1)) as u8;
            let touches = |places: usize, side: Side| u8::from(cells & places != 0) << side as u8;
            let sides = touches(0b0011, Side::North)
                | touches(0b1010, Side::East)
                | touches(0b1100, Side::South)
                | touches(0b0101, Side::West);
            [part(0b1010), part(0b1100), count as u8, sides]
        };
        let mut tables = Tables {
            cliques: [[0; 2]; 16],
            states: [0; 16],
            split: [false; 16],
            east: [[0; 16]; 16],
            south: [[0; 16]; 16],
            shapes: std::array::from_fn(shape),
            gait,
        };
        let mut cliques = Cliques::default();
        for free in 0..16u8 {
            let is_free = |x: usize, y: usize| x < 2 && y < 2 && free >> (2 * y + x) & 1 == 1;
            let cells: Vec<usize> = (0..4).filter(|place| free >> place & 1 == 1).collect();
            cliques.reset(cells.len());
            let steps = |a: usize, b: usize| may_step(gait, PLACES[cells[a]], PLACES[cells[b]], is_free);
            for a in 0..cells.len() {
                for b in a + 1..cells.len() {
                    if steps(a, b) {
                        cliques.join(a, b);
                    }
                }
            }
            cliques.group(false);
            for (member, place) in cells.iter().enumerate() {
                tables.cliques[usize::from(free)][cliques.of(member)] |= 1 << place;
            }
            let [first, second] = tables.cliques[usize::from(free)];
            tables.states[usize::from(free)] = if first == 0 { 0 } else { SOME }
                | if second == 0 { 0 } else { MANY }
                | if first == 15 { OPEN } else { 0 };
            let apart = |a: &usize, b: &usize| cliques.of(*a) != cliques.of(*b) && steps(*a, *b);
            tables.split[usize::from(free)] = (0..cells.len()).any(|a| (0..a).any(|b| apart(&a, &b)));
        }
        for ours in 0..16 {
            for theirs in 0..16 {
                tables.east[ours][theirs] = tables.touching(ours as u8, theirs as u8, (2, 0));
                tables.south[ours][theirs] = tables.touching(ours as u8, theirs as u8, (0, 2));
            }
        }
        tables
    }

    fn touching(&self, ours: u8, theirs: u8, (dx, dy): (usize, usize)) -> u8 {
        let is_free = |x: usize, y: usize| match (x.checked_sub(dx), y.checked_sub(dy)) {
            (Some(x), Some(y)) if x < 2 && y < 2 => theirs >> (2 * y + x) & 1 == 1,
            _ => x < 2 && y < 2 && ours >> (2 * y + x) & 1 == 1,
        };
        let mut mask = 0;
        for (a, &from) in PLACES.iter().enumerate() {
            for (b, &(x, y)) in PLACES.iter().enumerate() {
                if may_step(self.gait, from, (x + dx, y + dy), is_free) {
                    mask |= 1 << (2 * self.clique(ours, a) + self.clique(theirs, b));
                }
            }
        }
        mask
    }

    /// Returns the clique, 0 or 1, that the cell at a place is part of. The cell is free.
    #[inline(always)]
    fn clique(&self, free: u8, place: usize) -> usize {
        usize::from(self.cliques[usize::from(free)][0] >> place & 1 == 0)
    }
}

/// Returns whether a step between two places is legal.
fn may_step(
    gait: Gait,
    (ax, ay): (usize, usize),
    (bx, by): (usize, usize),
    is_free: impl Fn(usize, usize) -> bool,
) -> bool {
    let (dx, dy) = (ax.abs_diff(bx), ay.abs_diff(by));
    if dx > 1 || dy > 1 || dx + dy == 0 || !is_free(ax, ay) || !is_free(bx, by) {
        return false;
    }
    dx + dy == 1 || passes(gait, is_free(ax, by), is_free(bx, ay))
}

/// Returns whether a diagonal step is legal, given whether each of the two cells beside it is free.
#[inline(always)]
fn passes(gait: Gait, one: bool, other: bool) -> bool {
    match gait {
        Gait::Four => false,
        Gait::Strict => one && other,
        Gait::NoSqueeze => one || other,
        Gait::Loose => true,
    }
}

fn tables(gait: Gait) -> &'static Tables {
    static ALL: [LazyLock<Tables>; 4] = [
        LazyLock::new(|| Tables::new(Gait::Four)),
        LazyLock::new(|| Tables::new(Gait::Strict)),
        LazyLock::new(|| Tables::new(Gait::NoSqueeze)),
        LazyLock::new(|| Tables::new(Gait::Loose)),
    ];
    &ALL[gait as usize]
}

/// The first layer. The cliques of a tile are the nodes `2 * tile` and `2 * tile + 1`; these numbers are kept for them
/// even if the tile has fewer.
#[derive(Clone)]
pub(super) struct Tiles {
    pub(super) plan: Plan,
    /// By tile: its free cells, one bit for each place.
    free: Vec<u8>,
    /// By tile: for each clique, the place of its parent in the block above.
    parent: Vec<[u8; 2]>,
    tables: &'static Tables,
    gait: Gait,
}

impl Tiles {
    /// Returns the bytes of the arrays by tile, which depend only on the size of the world.
    pub(super) fn known_bytes(grid: &SquareGrid) -> usize {
        Plan::new(grid.width().div_ceil(2), grid.height().div_ceil(2)).count() * size_of::<[u8; 3]>()
    }

    pub(super) fn new(grid: &SquareGrid) -> Tiles {
        let plan = Plan::new(grid.width().div_ceil(2), grid.height().div_ceil(2));
        let (free, parent) = (vec![0; plan.count()], vec![[NONE; 2]; plan.count()]);
        let mut tiles = Tiles { plan, free, parent, tables: tables(grid.gait()), gait: grid.gait() };
        tiles.look(grid, Area { x: 0, y: 0, width: grid.width() as u16, height: grid.height() as u16 });
        tiles
    }

    /// Reads again which cells of an area are free.
    pub(super) fn look(&mut self, grid: &SquareGrid, area: Area) {
        let (x0, y0) = (usize::from(area.x) / 2, usize::from(area.y) / 2);
        let x1 = (usize::from(area.x) + usize::from(area.width)).div_ceil(2);
        let y1 = (usize::from(area.y) + usize::from(area.height)).div_ceil(2);
        // The plane has a rim of one cell around the world, so that a cell's column and row are one more there.
        let plane = grid.free_plane();
        for y in y0..y1 {
            for x in (x0..x1).step_by(32) {
                let [mut upper, mut lower] = plane.patch::<64, 2>(2 * x + 1, 2 * y + 1);
                let first = self.plan.at(x, y);
                let mut next_four = || {
                    let spread = |bits: u64| SPREAD[(bits & 0xff) as usize];
                    let four = (spread(upper) | spread(lower) << 2).to_le_bytes();
                    (upper, lower) = (upper >> 8, lower >> 8);
                    four
                };
                let mut fours = self.free[first..first + (x1 - x).min(32)].chunks_exact_mut(4);
                for four in &mut fours {
                    four.copy_from_slice(&next_four());
                }
                let rest = fours.into_remainder();
                rest.copy_from_slice(&next_four()[..rest.len()]);
            }
        }
    }

    /// Returns the state of a tile, as the bits `SOME`, `MANY` and `OPEN`.
    #[inline(always)]
    pub(super) fn state(&self, tile: usize) -> u8 {
        self.tables.states[usize::from(self.free[tile])]
    }

    /// Returns how many cliques a tile has.
    #[inline(always)]
    pub(super) fn count(&self, tile: usize) -> usize {
        let [first, second] = self.tables.cliques[usize::from(self.free[tile])];
        usize::from(first != 0) + usize::from(second != 0)
    }

    /// Returns the node that a free cell is part of.
    #[inline(always)]
    pub(super) fn node(&self, cell: Cell) -> u32 {
        let (x, y) = (usize::from(cell.x), usize::from(cell.y));
        let tile = self.plan.at(x / 2, y / 2);
        let clique = self.tables.clique(self.free[tile], 2 * (y % 2) + x % 2);
        (2 * tile + clique) as u32
    }

    /// Returns the cells of a clique, one bit for each place in its tile.
    #[inline(always)]
    pub(super) fn cells(&self, node: u32) -> u8 {
        self.tables.cliques[usize::from(self.free[node as usize / 2])][node as usize % 2]
    }

    /// Returns the cell at a place in the tile of a clique.
    pub(super) fn cell(&self, node: u32, place: usize) -> Cell {
        let (x, y) = self.plan.place(node as usize / 2);
        let (dx, dy) = PLACES[place];
        Cell { x: (2 * x + dx) as u16, y: (2 * y + dy) as u16 }
    }

    /// Returns the position, size and weight of a clique.
    #[inline(always)]
    pub(super) fn body(&self, grid: &SquareGrid, node: u32) -> Body {
        let (x, y) = self.plan.place(node as usize / 2);
        let [dx, dy, count, _] = self.tables.shapes[usize::from(self.cells(node))];
        let weight = if grid.weights().is_some() {
            let cells = self.cells(node);
            let weight = |place: usize| u32::from(grid.weight(grid.node(self.cell(node, place))));
            let sum: u32 = (0..4).filter(|place| cells >> place & 1 == 1).map(weight).sum();
            sum * GRAIN / u32::from(count).max(1)
        } else {
            u32::from(grid.least_weight()) * GRAIN
        };
        let at = |tile: usize, within: u8| 2 * GRAIN * tile as u32 + u32::from(within);
        Body { x: at(x, dx), y: at(y, dy), cells: u32::from(count), weight }
    }

    /// Returns the sides of its tile that a clique lies at, one bit each.
    #[inline(always)]
    pub(super) fn sides(&self, node: u32) -> u8 {
        self.tables.shapes[usize::from(self.cells(node))][3]
    }

    pub(super) fn nodes(&self) -> usize {
        2 * self.free.len()
    }

    #[inline(always)]
    pub(super) fn parent(&self, node: u32) -> Option<u32> {
        let parent = self.parent[node as usize / 2][node as usize % 2];
        (parent != NONE).then_some(u32::from(parent))
    }

    pub(super) fn set_parent(&mut self, node: u32, parent: Option<u32>) {
        self.parent[node as usize / 2][node as usize % 2] = parent.map_or(NONE, |parent| parent as u8);
    }

    /// Calls `visit` for every neighbour that a clique has in `directions`, a set with one bit each. The arguments are
    /// the direction of the neighbour's tile, and which clique of that tile it is.
    #[inline(always)]
    pub(super) fn for_each_neighbour(&self, node: u32, directions: u16, mut visit: impl FnMut(usize, u32)) {
        let tables = self.tables;
        let (tile, clique) = (node as usize / 2, node as usize % 2);
        let around = |direction: u8| self.free[self.plan.beside(tile, usize::from(direction))];
        let free = self.free[tile];
        let wanted = |direction: u8| directions >> direction & 1 == 1;
        if wanted(OWN as u8) && tables.split[usize::from(free)] {
            visit(OWN, 1 - clique as u32);
        }
        let mut both = |direction: u8, mask: u8, step: usize| {
            for theirs in 0..2 {
                if mask >> (theirs * step) & 1 == 1 {
                    visit(usize::from(direction), theirs as u32);
                }
            }
        };
        if wanted(E) {
            both(E, tables.east[usize::from(free)][usize::from(around(E))] >> (2 * clique), 1);
        }
        if wanted(W) {
            both(W, tables.east[usize::from(around(W))][usize::from(free)] >> clique, 2);
        }
        if wanted(S) {
            both(S, tables.south[usize::from(free)][usize::from(around(S))] >> (2 * clique), 1);
        }
        if wanted(N) {
            both(N, tables.south[usize::from(around(N))][usize::from(free)] >> clique, 2);
        }
        let cells = tables.cliques[usize::from(free)][clique];
        let bit = |direction: u8, place: usize| around(direction) >> place & 1 == 1;
        // `place` is where a diagonal step out of the tile starts. `one` and `other` are the two cells beside the step,
        // each as the direction of its tile and its place there.
        let mut corner = |direction: u8, place: usize, one: (u8, usize), other: (u8, usize)| {
            let opposite = 3 - place;
            if wanted(direction)
                && cells >> place & 1 == 1
                && bit(direction, opposite)
                && passes(self.gait, bit(one.0, one.1), bit(other.0, other.1))
            {
                visit(usize::from(direction), tables.clique(around(direction), opposite) as u32);
            }
        };
        corner(NE, 1, (N, 3), (E, 0));
        corner(SE, 3, (E, 2), (S, 1));
        corner(SW, 2, (S, 0), (W, 3));
        corner(NW, 0, (W, 1), (N, 2));
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.free) + held(&self.parent)
    }
}
