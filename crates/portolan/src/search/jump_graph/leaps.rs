//! The graph of leaps: the jump points, and a row of edges for each jump point and each direction of arrival there. The
//! edges are the leaps that a search has to follow after such an arrival.
//!
//! Jump points are numbered tile by tile, in tiles of 16 × 16 cells, so that jump points near each other share cache
//! lines. A jump point keeps its number when edits change the world around it. A new jump point takes the number of one
//! that an edit removed, or the next new number.
//!
//! Not here: how the rows are stored and changed ([`rows`]), which leaps an edit changes ([`mod@super::repair`]), and
//! how rays are followed ([`JumpMap`]).

mod rows;

use super::super::jump_point::{node, step_prices};
use crate::cost::{Octile, Prices};
use crate::memory::held;
use crate::search::shared::jump_map::{JumpMap, Landing, Point};
use crate::space::square::SquareGrid;
pub(super) use rows::Place;
use rows::Row;

/// Cells along the side of a tile.
const TILE: usize = 16;

#[derive(Clone)]
pub(super) struct LeapGraph {
    pub(super) spots: Vec<JumpPointEntry>,
    rows: Vec<Row>,
    edges: Vec<Edge>,
    /// The sum of [`Row::room`] over all rows.
    held: usize,
    /// For each row of the world, rim included, the numbers of its jump points from west to east.
    numbers: Vec<Vec<u32>>,
    /// Numbers of removed jump points, to be used again.
    unused: Vec<u32>,
    /// 1 if corners may not be cut, else 0. If 1, no leap arrives diagonally, and only the four straight directions of
    /// arrival have rows.
    skipped: u32,
    /// The prices of steps over the weight of the world's free cells.
    prices: Prices,
}

/// A jump point.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct JumpPointEntry {
    /// Column and row, rim included.
    pub(super) at: [u16; 2],
    /// The number of diagonal steps from here to the north-east, south-east, south-west and north-west until the next
    /// step is illegal or, where corners may be cut, a turn is forced.
    pub(super) reach: [u16; 4],
    /// The rays that are followed after at least one direction of arrival, one bit for each of the eight rays.
    pub(super) followed: u8,
}

/// A leap: a number of diagonal steps, then a number of straight ones, to another jump point.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    /// The number of the jump point where it ends, and in the lowest three bits the direction of arrival there.
    pub(super) to: u32,
    /// Its cost, or `u32::MAX` if it costs more than that.
    pub(super) cost: u32,
}

/// The buffers of [`LeapGraph::weave`], reused for one jump point after another.
#[derive(Default)]
pub(super) struct LeapFinder {
    /// The leaps of all rays, ray by ray.
    edges: Vec<Edge>,
    /// The leaps for one direction of arrival.
    row: Vec<Edge>,
}

impl JumpPointEntry {
    /// Returns an entry that has a place, but no reach and no rays yet.
    pub(super) fn at((x, y): Point) -> JumpPointEntry {
        JumpPointEntry { at: [x as u16, y as u16], ..JumpPointEntry::default() }
    }

    #[inline(always)]
    pub(super) fn point(self) -> Point {
        (usize::from(self.at[0]), usize::from(self.at[1]))
    }

    /// Returns whether a number of diagonal steps within `reach`, then straight steps over free cells lead to the point
    /// `to`. If so, they are a cheapest route.
    #[inline(always)]
    pub(super) fn sees(self, map: &JumpMap, to: Point) -> bool {
        let (x, y) = self.point();
        let (dx, dy) = (x.abs_diff(to.0), y.abs_diff(to.1));
        let turn = dx.min(dy);
        let quadrant = if to.0 > x { usize::from(to.1 > y) } else { 3 - usize::from(to.1 > y) };
        if turn > usize::from(self.reach[quadrant]) {
            return false;
        }
        if dx > dy {
            let turned = if to.0 > x { x + turn } else { x - turn };
            map.row_is_clear(to.1, turned, to.0)
        } else {
            let turned = if to.1 > y { y + turn } else { y - turn };
            map.column_is_clear(to.0, turned, to.1)
        }
    }
}

impl LeapGraph {
    pub(super) fn new(grid: &SquareGrid, map: &JumpMap) -> LeapGraph {
        let skipped = u32::from(!grid.gait().cuts_corners());
        let mut leaps = LeapGraph {
            spots: Vec::with_capacity(map.count()),
            rows: vec![Row::default(); map.count() << 3 >> skipped],
            edges: Vec::new(),
            held: 0,
            numbers: vec![Vec::new(); grid.height() + 2],
            unused: Vec::new(),
            skipped,
            prices: step_prices(grid),
        };
        for_each_jump(map, |(x, y)| {
            leaps.numbers[y].push(leaps.spots.len() as u32);
            leaps.spots.push(JumpPointEntry::at((x, y)));
        });
        let mut finder = LeapFinder::default();
        for number in 0..leaps.spots.len() as u32 {
            leaps.weave(grid, map, number, &mut finder);
        }
        leaps.edges.reserve_exact(leaps.edges.len() / 8);
        leaps
    }

    /// Returns whether the costs of the leaps are right for this world. They are wrong after edits that change the
    /// weight of all free cells.
    pub(super) fn fits(&self, grid: &SquareGrid) -> bool {
        self.prices == step_prices(grid)
    }

    /// Returns the cost of a straight step.
    pub(super) fn straight(&self) -> u32 {
        self.prices.straight
    }

    /// Returns the cost between two points if there are no obstacles between them.
    pub(super) fn crow_cost(&self, from: Point, to: Point) -> u32 {
        Octile::new(self.prices).cost(from.0.abs_diff(to.0) as u64, from.1.abs_diff(to.1) as u64) as u32
    }

    /// Returns the number of the jump point at `at`, or `None` if there is none.
    #[inline(always)]
    pub(super) fn number(&self, map: &JumpMap, at: Point) -> Option<u32> {
        map.rank_in_row(at).map(|rank| self.numbers[at.1][rank])
    }

    /// Returns the leaps to follow after an arrival at a jump point. `arrival` is the number of the jump point and, in
    /// the lowest three bits, the direction of arrival.
    #[inline(always)]
    pub(super) fn row(&self, arrival: u32) -> &[Edge] {
        let Row { first, len, .. } = self.rows[(arrival >> self.skipped) as usize];
        &self.edges[first as usize..][..len as usize]
    }

    /// Returns all leaps from a jump point. A leap that follows several directions of arrival occurs several times.
    pub(super) fn all_rows(&self, number: u32) -> impl Iterator<Item = Edge> + '_ {
        (0..8).step_by(1 << self.skipped).flat_map(move |direction| self.row(number << 3 | direction)).copied()
    }

    /// Returns the leap to a jump point that a ray has found.
    #[inline(always)]
    pub(super) fn edge(&self, map: &JumpMap, landing: Landing) -> Edge {
        let number = self.number(map, landing.at).expect("rays stop at jump points");
        self.edge_to(number, landing.direction, landing.straights, landing.diagonals)
    }

    #[inline(always)]
    pub(super) fn edge_to(&self, number: u32, direction: u8, straights: usize, diagonals: usize) -> Edge {
        let cost = self.prices.of_steps(straights as u64, diagonals as u64);
        Edge { to: number << 3 | u32::from(direction), cost: cost.min(u64::from(u32::MAX)) as u32 }
    }

    /// Finds the leaps from a jump point for every direction of arrival and stores them, and its `reach` and
    /// `followed`.
    pub(super) fn weave(&mut self, grid: &SquareGrid, map: &JumpMap, number: u32, finder: &mut LeapFinder) {
        let at = self.spots[number as usize].point();
        let around = usize::from(grid.around(node(grid, at)));
        let canonical = grid.gait().canonical();
        let moves = |direction: usize| kept_moves(canonical, direction, around);
        let arrivals = (0..8).step_by(1 << self.skipped);
        let needed = arrivals.clone().fold(0, |all, direction| all | moves(direction));
        self.spots[number as usize].followed = needed;
        finder.edges.clear();
        let mut ends = [0; 9];
        for direction in 0..8u8 {
            let steps = if needed >> direction & 1 == 1 {
                map.ray(grid, at, direction, &mut |landing| finder.edges.push(self.edge(map, landing)))
            } else if direction % 2 == 1 {
                map.ray(grid, at, direction, &mut |_| {}) // only the number of steps is needed
            } else {
                0
            };
            if direction % 2 == 1 {
                self.spots[number as usize].reach[usize::from(direction) / 2] = steps as u16;
            }
            ends[usize::from(direction) + 1] = finder.edges.len();
        }
        for arrival in arrivals {
            let kept = moves(arrival);
            finder.row.clear();
            for direction in (0..8).filter(|direction| kept >> direction & 1 == 1) {
                finder.row.extend_from_slice(&finder.edges[ends[direction]..ends[direction + 1]]);
            }
            self.put((number as usize) << 3 >> self.skipped | arrival >> self.skipped, &finder.row);
        }
    }

    /// Updates the numbers of the jump points in row `y` of the world after an edit; `words` is the width of the map in
    /// words. Jump points that remain keep their numbers. The numbers of removed ones are added to `gone`. They must
    /// not be released before no leap leads to them any more.
    pub(super) fn renumber(&mut self, map: &JumpMap, words: usize, y: usize, gone: &mut Vec<u32>) {
        let old = std::mem::take(&mut self.numbers[y]);
        let mut kept = old.iter().copied().peekable();
        let mut now = Vec::with_capacity(old.len() + 4);
        for x in (0..words).flat_map(|across| set_bits(map.jumps(across, y)).map(move |bit| across * 64 + bit)) {
            while let Some(old) = kept.next_if(|&number| usize::from(self.spots[number as usize].at[0]) < x) {
                gone.push(old);
            }
            let same = kept.next_if(|&number| usize::from(self.spots[number as usize].at[0]) == x);
            now.push(same.unwrap_or_else(|| self.take_up((x, y))));
        }
        gone.extend(kept);
        self.numbers[y] = now;
    }

    /// Releases the numbers of removed jump points, so that new ones can take them.
    pub(super) fn release(&mut self, gone: &[u32]) {
        for &number in gone {
            for direction in 0..8 >> self.skipped {
                self.rows[(number as usize) << 3 >> self.skipped | direction].len = 0;
            }
            self.spots[number as usize] = JumpPointEntry::default(); // on the rim, where `sees` is false for every goal
            self.unused.push(number);
        }
    }

    /// Adds a jump point without leaps and returns its number.
    fn take_up(&mut self, (x, y): Point) -> u32 {
        let spot = JumpPointEntry::at((x, y));
        if let Some(number) = self.unused.pop() {
            self.spots[number as usize] = spot;
            return number;
        }
        self.spots.push(spot);
        self.rows.resize(self.spots.len() << 3 >> self.skipped, Row::default());
        self.spots.len() as u32 - 1
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.spots)
            + held(&self.rows)
            + held(&self.edges)
            + held(&self.numbers)
            + self.numbers.iter().map(held).sum::<usize>()
            + held(&self.unused)
    }
}

/// Returns the moves to follow after an arrival in this direction, one bit each. Returns 0 if no turn is forced: there
/// a ray in this direction does not stop, so no leap arrives in this direction.
fn kept_moves(canonical: &[[u8; 256]; 9], arrival: usize, around: usize) -> u8 {
    let kept = canonical[arrival][around];
    let sideways = if arrival.is_multiple_of(2) { 0 } else { 1 << ((arrival + 1) % 8) | 1 << (arrival - 1) };
    if kept & !(1 << arrival | sideways) == 0 { 0 } else { kept }
}

/// Visits every jump point, tile by tile, and inside a tile row by row.
pub(super) fn for_each_jump(map: &JumpMap, mut visit: impl FnMut(Point)) {
    let (columns, rows) = map.size();
    for top in (0..rows).step_by(TILE) {
        for left in (0..columns).step_by(TILE) {
            for y in top..rows.min(top + TILE) {
                let tile = map.jumps(left / 64, y) >> (left % 64) & ((1 << TILE) - 1);
                set_bits(tile).for_each(|bit| visit((left + bit, y)));
            }
        }
    }
}

/// Returns the positions of the set bits of a word, the lowest first.
pub(super) fn set_bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}
