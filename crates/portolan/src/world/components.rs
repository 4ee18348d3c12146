//! Which cells can reach each other: connected components, kept right under edits.
//!
//! The world is cut into tiles of 64 × 64. Each tile labels its runs of free cells with its own components,
//! those that touch its rim first; a union-find joins rim components across borders. An edit relabels the
//! touched tiles, and the global join is redone only when their links to other tiles changed, so most edits stay local.
//! A lookup is a popcount and a few loads; memory is two bytes a run and some 200 a tile.
//!
//! Not here: what a free cell is (the grid's bit plane says) and which corner rule holds (the caller says
//! whether diagonal contact alone joins).

use super::bits::BitPlane;
use crate::memory::{OutOfMemory, reserve};

const SIDE: usize = 64;

/// Connected components of a bit plane's set bits.
#[derive(Clone)]
pub(crate) struct Components {
    /// How far along a border two cells may be shifted and still touch: 1 where corners join, else 0.
    reach: i32,
    tiles_across: usize,
    tiles: Vec<Tile>,
    /// First slot of each tile's rim components.
    first_by_tile: Vec<u32>,
    /// What each slot is joined to.
    root_by_slot: Vec<u32>,
}

/// A tile's own components.
#[derive(Clone)]
struct Tile {
    /// Runs before each row.
    runs_before_row: Vec<u16>,
    /// Component of each run.
    label_by_run: Vec<u16>,
    rim: Rim,
}

/// What a tile shows its neighbours: the free cells of its four sides and how it connects them.
#[derive(Clone)]
struct Rim {
    /// Top and bottom by column, left and right by row.
    sides: [u64; 4],
    /// Component of each run of the four sides in turn, numbered in order of first appearance.
    label_by_run: Vec<u16>,
    count: u16,
}

const TOP: usize = 0;
const BOTTOM: usize = 1;
const LEFT: usize = 2;
const RIGHT: usize = 3;

impl Components {
    /// Labels every tile.
    ///
    /// # Errors
    /// When there is no memory for the tiles. How many runs they have depends on the terrain, and is not checked.
    pub(crate) fn new(free: &BitPlane, corners: bool) -> Result<Components, OutOfMemory> {
        let (tiles_across, tiles_down) = (free.words_across(), free.rows().div_ceil(SIDE));
        let reach = i32::from(corners);
        let (mut tiles, mut first_by_tile) = (Vec::new(), Vec::new());
        reserve(&mut tiles, tiles_across * tiles_down)?;
        reserve(&mut first_by_tile, tiles_across * tiles_down)?;
        let mut labeller = Labeller::default();
        let places = (0..tiles_down).flat_map(|down| (0..tiles_across).map(move |across| (across, down)));
        tiles.extend(places.map(|(across, down)| labeller.label(free, across, down, reach)));
        let mut made = Components { reach, tiles_across, tiles, first_by_tile, root_by_slot: Vec::new() };
        made.join();
        Ok(made)
    }

    /// Brings the labels up to date after bits changed inside some rectangles, each given by its first and last column
    /// and row. Many rectangles cost no more than the tiles they touch.
    pub(crate) fn repair(&mut self, free: &BitPlane, areas: impl Iterator<Item = [(usize, usize); 2]>) {
        let mut touched = Vec::new();
        for [(x0, y0), (x1, y1)] in areas {
            for down in y0 / SIDE..=y1 / SIDE {
                touched.extend((x0 / SIDE..=x1 / SIDE).map(|across| (down, across)));
            }
        }
        touched.sort_unstable();
        touched.dedup();
        // A tile lists its links to the right and below: those of the touched ones start here.
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
            let tile = labeller.label(free, across, down, self.reach);
            let old = &mut self.tiles[down * self.tiles_across + across];
            recount |= tile.rim.count != old.rim.count;
            *old = tile;
        }
        if recount || self.links(&listing) != before {
            self.join();
        }
    }

    /// A number that two free cells share exactly when they are connected.
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
            // Shut in within its tile: nobody else can share this number.
            1 << 63 | (index as u64) << 16 | u64::from(label)
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let shorts = |t: &Tile| 2 * (t.runs_before_row.len() + t.label_by_run.len() + t.rim.label_by_run.len());
        let tiles: usize = self.tiles.iter().map(|tile| size_of::<Tile>() + shorts(tile)).sum();
        tiles + 4 * (self.first_by_tile.len() + self.root_by_slot.len())
    }

    /// Redoes the union of all rim components across tile borders.
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

    /// What is joined across the borders that these tiles list, in order and once each.
    fn links(&self, tiles: &[usize]) -> Vec<(u32, u32)> {
        let mut links = Vec::new();
        for &tile in tiles {
            self.for_each_link(tile, |a, b| links.push((a, b)));
        }
        links.sort_unstable();
        links.dedup();
        links
    }

    /// Calls `link` for the slots of a tile that touch slots of the tiles to its right and below.
    fn for_each_link(&self, here: usize, mut link: impl FnMut(u32, u32)) {
        let (across, below) = (here % self.tiles_across, here + self.tiles_across);
        let mut sides = |(a, side_a): (usize, usize), (b, side_b): (usize, usize)| {
            let (cells_a, cells_b) = (self.tiles[a].rim.sides[side_a], self.tiles[b].rim.sides[side_b]);
            for_each_contact(cells_a, cells_b, self.reach, |at_a, at_b| {
                link(self.slot(a, side_a, at_a), self.slot(b, side_b, at_b));
            });
        };
        if across + 1 < self.tiles_across {
            sides((here, RIGHT), (here + 1, LEFT));
        }
        if below >= self.tiles.len() {
            return;
        }
        sides((here, BOTTOM), (below, TOP));
        if self.reach == 0 {
            return;
        }
        let mut corners = |at_a: u32, b: usize, at_b: u32| {
            let (bottom, top) = (self.tiles[here].rim.sides[BOTTOM], self.tiles[b].rim.sides[TOP]);
            if bottom >> at_a & 1 == 1 && top >> at_b & 1 == 1 {
                link(self.slot(here, BOTTOM, at_a), self.slot(b, TOP, at_b));
            }
        };
        if across + 1 < self.tiles_across {
            corners(63, below + 1, 0);
        }
        if across > 0 {
            corners(0, below - 1, 63);
        }
    }

    fn slot(&self, tile: usize, side: usize, at: u32) -> u32 {
        let rim = &self.tiles[tile].rim;
        let before: u32 = rim.sides[..side].iter().map(|&word| run_starts(word).count_ones()).sum();
        let label = rim.label_by_run[before as usize + rank(rim.sides[side], at)];
        self.first_by_tile[tile] + u32::from(label)
    }
}

/// Labels tiles, reusing its buffers.
#[derive(Default)]
struct Labeller {
    sets: UnionFind,
    label_by_root: Vec<u16>,
}

impl Labeller {
    fn label(&mut self, free: &BitPlane, across: usize, down: usize, reach: i32) -> Tile {
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
            for_each_contact(word(row - 1), word(row), reach, |x_above, x| {
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

/// Calls `touch(at_a, at_b)` at least once for every pair of runs in two neighbouring lines that touch.
fn for_each_contact(a: u64, b: u64, reach: i32, mut touch: impl FnMut(u32, u32)) {
    for shift in -reach..=reach {
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

/// Bits that are set while the bit below is not.
fn run_starts(word: u64) -> u64 {
    word & !(word << 1)
}

/// Which of the word's runs, counted from 0, the set bit at `x` belongs to.
fn rank(word: u64, x: u32) -> usize {
    (run_starts(word) & u64::MAX >> (63 - x)).count_ones() as usize - 1
}

/// Disjoint sets with path halving; the smallest member is the root, so that results do not depend on history.
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
