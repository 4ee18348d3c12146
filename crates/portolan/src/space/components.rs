//! Which cells can reach each other: connected components, updated after edits.
//!
//! The world is cut into tiles of 64 × 64 cells. A run is a sequence of free cells side by side in one row of a tile.
//! In each tile, every run gets the label of its component within the tile; components that touch the tile's rim get
//! the first labels. A union-find joins the rim components of different tiles across the tiles' borders. An edit
//! relabels the tiles that it touches; the union-find runs again only if their links to other tiles changed, which
//! most edits do not cause. A lookup takes one popcount and a few loads. Memory is 2 bytes for each run and about 250
//! bytes for each tile.
//!
//! Not here: which cells are free (the grid's bit plane holds that), and the rules for steps (the caller chooses the
//! [`Contacts`]).

use super::bits::BitPlane;
use crate::memory::{OutOfMemory, reserve};

const SIDE: usize = 64;

/// Which cells of neighbouring rows are connected if both are free. Cells side by side in one row always are.
#[derive(Copy, Clone)]
pub(crate) struct Contacts {
    /// A cell in column `x` touches the columns `x + least` to `x + most` of the row below it. The first pair holds for
    /// even rows of the bit plane, the second for odd ones. A tile has an even number of rows, so that a row of a tile
    /// is even exactly if it is an even row of the plane.
    below: [(i32, i32); 2],
    /// The rows, one bit for each, whose cells touch the next column in the rows above and below them.
    slanted: u64,
}

impl Contacts {
    /// Squares that are connected across their sides.
    pub(crate) const FOUR: Contacts = Contacts { below: [(0, 0); 2], slanted: 0 };
    /// Squares that are also connected where only their corners touch.
    pub(crate) const EIGHT: Contacts = Contacts { below: [(-1, 1); 2], slanted: u64::MAX };
    /// Hexes of a plane whose even rows lie half a cell further to the right than its odd ones. Those are the odd rows
    /// of a grid, because the plane has one row more above them.
    pub(crate) const HEX: Contacts = Contacts { below: [(0, 1), (-1, 0)], slanted: 0x5555_5555_5555_5555 };
}

/// Connected components of a bit plane's set bits.
#[derive(Clone)]
pub(crate) struct Components {
    contacts: Contacts,
    tiles_across: usize,
    tiles: Vec<Tile>,
    /// First slot of each tile. The rim components of all tiles, numbered from tile to tile, are the slots.
    first_by_tile: Vec<u32>,
    /// Smallest slot that is connected with each slot, which is the number of their component.
    root_by_slot: Vec<u32>,
}

/// The components inside one tile.
#[derive(Clone)]
struct Tile {
    /// Number of runs in the rows above each row.
    runs_before_row: Vec<u16>,
    /// Label of each run, row by row.
    label_by_run: Vec<u16>,
    rim: Rim,
}

/// The part of a tile that its neighbours touch: the free cells of its four sides, and the components that these belong
/// to.
#[derive(Clone)]
struct Rim {
    /// Free cells of the four sides: top and bottom with one bit for each column, left and right for each row.
    sides: [u64; 4],
    /// Label of each run of free cells along the top, the bottom, the left and the right side. Labels count up from 0
    /// in the order in which they first appear here.
    label_by_run: Vec<u16>,
    /// Number of rim components; their labels are the smallest ones of the tile.
    count: u16,
}

const TOP: usize = 0;
const BOTTOM: usize = 1;
const LEFT: usize = 2;
const RIGHT: usize = 3;

impl Components {
    /// Labels every tile and joins the tiles' components.
    ///
    /// # Errors
    /// When there is no memory for the tiles. The memory for their runs, whose number depends on the terrain, is not
    /// checked.
    pub(crate) fn new(free: &BitPlane, contacts: Contacts) -> Result<Components, OutOfMemory> {
        let (tiles_across, tiles_down) = (free.words_across(), free.rows().div_ceil(SIDE));
        let (mut tiles, mut first_by_tile) = (Vec::new(), Vec::new());
        reserve(&mut tiles, tiles_across * tiles_down)?;
        reserve(&mut first_by_tile, tiles_across * tiles_down)?;
        let mut labeller = Labeller::default();
        let places = (0..tiles_down).flat_map(|down| (0..tiles_across).map(move |across| (across, down)));
        tiles.extend(places.map(|(across, down)| labeller.label(free, across, down, contacts)));
        let mut made = Components { contacts, tiles_across, tiles, first_by_tile, root_by_slot: Vec::new() };
        made.join();
        Ok(made)
    }

    /// Updates the labels after bits changed inside some rectangles, each given by its first and last column and row. A
    /// tile that several rectangles touch is relabelled once.
    pub(crate) fn repair(&mut self, free: &BitPlane, areas: impl Iterator<Item = [(usize, usize); 2]>) {
        let mut touched = Vec::new();
        for [(x0, y0), (x1, y1)] in areas {
            for down in y0 / SIDE..=y1 / SIDE {
                touched.extend((x0 / SIDE..=x1 / SIDE).map(|across| (down, across)));
            }
        }
        touched.sort_unstable();
        touched.dedup();
        // `for_each_link` gives a tile's links to the right and downwards only. The links of a touched tile therefore
        // belong to that tile, to the tiles beside it and to the three above it.
        let mut listing: Vec<usize> = touched
            .iter()
            .flat_map(|&(down, across)| {
                let columns = across.saturating_sub(1)..=(across + 1).min(self.tiles_across - 1);
                (down.saturating_sub(1)..=down).flat_map(move |down| columns.clone().map(move |across| (down, across)))
            })
            .map(|(down, across)| down * self.tiles_across + across)
            .collect();
        listing.sort_unstable();
        listing.dedup();
        let before = self.links(&listing);
        let mut labeller = Labeller::default();
        let mut recount = false;
        for (down, across) in touched {
            let tile = labeller.label(free, across, down, self.contacts);
            let old = &mut self.tiles[down * self.tiles_across + across];
            recount |= tile.rim.count != old.rim.count;
            *old = tile;
        }
        if recount || self.links(&listing) != before {
            self.join();
        }
    }

    /// Returns the number of a free cell's component. Two free cells have equal numbers exactly if they are connected.
    #[inline]
    pub(crate) fn of(&self, free: &BitPlane, x: usize, y: usize) -> u64 {
        debug_assert!(free.get(x, y), "only free cells have a component");
        let index = y / SIDE * self.tiles_across + x / SIDE;
        let tile = &self.tiles[index];
        let run = rank(free.word(x / SIDE, y), (x % SIDE) as u32);
        let label = tile.label_by_run[usize::from(tile.runs_before_row[y % SIDE]) + run];
        if label < tile.rim.count {
            u64::from(self.root_by_slot[self.first_by_tile[index] as usize + usize::from(label)])
        } else {
            // The component does not touch the rim, so it lies in this tile only. Tile and label make its number
            // unique, and the highest bit keeps it apart from slots.
            1 << 63 | (index as u64) << 16 | u64::from(label)
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let shorts = |t: &Tile| 2 * (t.runs_before_row.len() + t.label_by_run.len() + t.rim.label_by_run.len());
        let tiles: usize = self.tiles.iter().map(|tile| size_of::<Tile>() + shorts(tile)).sum();
        tiles + 4 * (self.first_by_tile.len() + self.root_by_slot.len())
    }

    /// Joins all rim components across tile borders anew.
    fn join(&mut self) {
        self.first_by_tile.clear();
        let mut slots = 0;
        for tile in &self.tiles {
            self.first_by_tile.push(slots);
            slots += u32::from(tile.rim.count);
        }
        let mut sets = UnionFind::default();
        sets.reset(slots as usize);
        for tile in 0..self.tiles.len() {
            self.for_each_link(tile, |a, b| sets.unite(a, b));
        }
        self.root_by_slot = (0..slots).map(|slot| sets.find(slot)).collect();
    }

    /// Returns the pairs of slots that [`Components::for_each_link`] gives for these tiles, sorted, each pair once.
    fn links(&self, tiles: &[usize]) -> Vec<(u32, u32)> {
        let mut links = Vec::new();
        for &tile in tiles {
            self.for_each_link(tile, |a, b| links.push((a, b)));
        }
        links.sort_unstable();
        links.dedup();
        links
    }

    /// Calls `link` for each pair of a slot of the tile `here` and a slot that it touches in the tile to the right or
    /// below. Where rows touch further to the left or right, the tiles below on that side count as well.
    fn for_each_link(&self, here: usize, mut link: impl FnMut(u32, u32)) {
        let (across, below) = (here % self.tiles_across, here + self.tiles_across);
        let mut sides = |(side_a, cells_a): (usize, u64), (b, side_b): (usize, usize), shifts: (i32, i32)| {
            for_each_contact(cells_a, self.tiles[b].rim.sides[side_b], shifts, |at_a, at_b| {
                link(self.slot(here, side_a, at_a), self.slot(b, side_b, at_b));
            });
        };
        let cells = &self.tiles[here].rim.sides;
        if across + 1 < self.tiles_across {
            let beside = (here + 1, LEFT);
            sides((RIGHT, cells[RIGHT]), beside, (0, 0));
            let slanted = cells[RIGHT] & self.contacts.slanted;
            if slanted != 0 {
                sides((RIGHT, slanted), beside, (-1, -1));
                sides((RIGHT, slanted), beside, (1, 1));
            }
        }
        if below >= self.tiles.len() {
            return;
        }
        // The tile has one below it, so its last row is an odd one.
        let shifts = self.contacts.below[1];
        sides((BOTTOM, cells[BOTTOM]), (below, TOP), shifts);
        let mut corners = |at_a: u32, b: usize, at_b: u32| {
            if cells[BOTTOM] >> at_a & 1 == 1 && self.tiles[b].rim.sides[TOP] >> at_b & 1 == 1 {
                link(self.slot(here, BOTTOM, at_a), self.slot(b, TOP, at_b));
            }
        };
        if shifts.1 > 0 && across + 1 < self.tiles_across {
            corners(63, below + 1, 0);
        }
        if shifts.0 < 0 && across > 0 {
            corners(0, below - 1, 63);
        }
    }

    /// Returns the slot of the free cell at `at` along a side of a tile.
    fn slot(&self, tile: usize, side: usize, at: u32) -> u32 {
        let rim = &self.tiles[tile].rim;
        let before: u32 = rim.sides[..side].iter().map(|&word| run_starts(word).count_ones()).sum();
        let label = rim.label_by_run[before as usize + rank(rim.sides[side], at)];
        self.first_by_tile[tile] + u32::from(label)
    }
}

/// Labels tiles, one after the other, with buffers that are reused.
#[derive(Default)]
struct Labeller {
    sets: UnionFind,
    label_by_root: Vec<u16>,
}

impl Labeller {
    fn label(&mut self, free: &BitPlane, across: usize, down: usize, contacts: Contacts) -> Tile {
        let rows = (free.rows() - down * SIDE).min(SIDE);
        let word = |row: usize| free.word(across, down * SIDE + row);
        let mut runs_before_row = Vec::with_capacity(rows);
        let mut runs = 0;
        let mut sides = [word(0), word(rows - 1), 0, 0];
        for row in 0..rows {
            runs_before_row.push(runs as u16);
            runs += run_starts(word(row)).count_ones() as usize;
            sides[LEFT] |= (word(row) & 1) << row;
            sides[RIGHT] |= word(row) >> 63 << row;
        }
        let run_at = |row: usize, x: u32| u32::from(runs_before_row[row]) + rank(word(row), x) as u32;
        self.sets.reset(runs);
        for row in 1..rows {
            for_each_contact(word(row - 1), word(row), contacts.below[(row - 1) % 2], |x_above, x| {
                self.sets.unite(run_at(row - 1, x_above), run_at(row, x));
            });
        }

        self.label_by_root.clear();
        self.label_by_root.resize(runs, u16::MAX);
        let mut count = 0;
        let mut label_of = |run: u32| {
            let label = &mut self.label_by_root[self.sets.find(run) as usize];
            if *label == u16::MAX {
                *label = count;
                count += 1;
            }
            *label
        };
        let mut label_by_rim_run = Vec::new();
        for (side, &cells) in sides.iter().enumerate() {
            for_each_bit(run_starts(cells), |at| {
                let run = match side {
                    TOP => run_at(0, at),
                    BOTTOM => run_at(rows - 1, at),
                    LEFT => run_at(at as usize, 0),
                    _ => run_at(at as usize, 63),
                };
                label_by_rim_run.push(label_of(run));
            });
        }
        let rim_count = label_by_rim_run.iter().max().map_or(0, |&last| last + 1);
        let label_by_run = (0..runs as u32).map(label_of).collect();
        Tile { runs_before_row, label_by_run, rim: Rim { sides, label_by_run: label_by_rim_run, count: rim_count } }
    }
}

/// Calls `touch(at_a, at_b)` at least once for every run of `a` and run of `b` that touch, where `a` and `b` are two
/// neighbouring rows or columns of cells and `at_a` and `at_b` are cells of the two runs. A cell of `a` touches the cells
/// of `b` that lie `least` to `most` places further on.
fn for_each_contact(a: u64, b: u64, (least, most): (i32, i32), mut touch: impl FnMut(u32, u32)) {
    for shift in least..=most {
        let shifted = if shift < 0 { b << 1 } else { b >> shift };
        for_each_bit(run_starts(a & shifted), |at| touch(at, at.wrapping_add_signed(shift)));
    }
}

fn for_each_bit(mut bits: u64, mut visit: impl FnMut(u32)) {
    while bits != 0 {
        visit(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

/// Returns the lowest bit of each run of ones.
fn run_starts(word: u64) -> u64 {
    word & !(word << 1)
}

/// Returns which of the word's runs, counted from 0, the set bit at `x` belongs to.
fn rank(word: u64, x: u32) -> usize {
    (run_starts(word) & u64::MAX >> (63 - x)).count_ones() as usize - 1
}

/// Disjoint sets with path halving. The smallest member of a set is its root, so that the order of unions does not
/// matter.
#[derive(Default)]
struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
    }

    fn find(&mut self, mut item: u32) -> u32 {
        while self.parent[item as usize] != item {
            let above = self.parent[self.parent[item as usize] as usize];
            self.parent[item as usize] = above;
            item = above;
        }
        item
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}
