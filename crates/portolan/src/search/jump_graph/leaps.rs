//! The graph: jump points, and for every way to arrive at one the jump points that come next.
//!
//! Numbers of jump points follow tiles of 16 × 16 cells, so that neighbours share cache lines, and stay what they are
//! while edits come and go: a new jump point takes a number that was given up, or the next. Rows of edges lie in one
//! list; one that outgrows its place moves to the end, and when half of the list is waste all rows move together.

use super::super::jump_point::node;
use crate::search::shared::jump_map::{JumpMap, Landing, Point};
use crate::world::moves::{E, N, NE, NW, S, SE, SW, W};
use crate::world::square::SquareGrid;

/// Cells along the side of a tile.
const TILE: usize = 16;

#[derive(Clone)]
pub(super) struct LeapGraph {
    pub(super) spots: Vec<JumpPointEntry>,
    rows: Vec<Row>,
    edges: Vec<Edge>,
    /// Room that rows have.
    held: usize,
    /// Numbers by row of the world and rank in it.
    numbers: Vec<Vec<u32>>,
    /// Numbers given up.
    unused: Vec<u32>,
    /// 1 where nobody arrives diagonally: only every other direction has a row then.
    skipped: u32,
    straight: u32,
    diagonal: u32,
}

/// A jump point.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct JumpPointEntry {
    /// Column and row, rim included.
    pub(super) at: [u16; 2],
    /// How many diagonal steps can be taken from here: north-east, south-east, south-west, north-west.
    pub(super) reach: [u16; 4],
    /// Which of the eight rays anybody who arrives here follows, one bit each.
    pub(super) followed: u8,
}

/// A leap: diagonal steps, then straight ones.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    /// The number of the jump point it leads to, then three bits for the direction of arrival.
    pub(super) to: u32,
    /// What it costs; more than can be counted is as much as can be.
    pub(super) cost: u32,
}

#[derive(Copy, Clone, Default)]
struct Row {
    first: u32,
    len: u32,
    /// How long it may get where it is.
    room: u32,
}

/// Where in a jump point's rows a leap belongs: they come ray by ray, and along a diagonal ray by where they leave it.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) ray: u8,
    pub(super) diagonals: usize,
    /// Of arrival; along a row comes before along a column.
    pub(super) direction: u8,
}

/// What the rays of one jump point find.
#[derive(Default)]
pub(super) struct LeapFinder {
    edges: Vec<Edge>,
    row: Vec<Edge>,
}

impl JumpPointEntry {
    /// Nothing but where it is.
    pub(super) fn at((x, y): Point) -> JumpPointEntry {
        JumpPointEntry { at: [x as u16, y as u16], ..JumpPointEntry::default() }
    }

    #[inline(always)]
    pub(super) fn point(self) -> Point {
        (usize::from(self.at[0]), usize::from(self.at[1]))
    }

    /// Whether diagonal steps and then straight ones lead to a point without a detour.
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
        let scale = u32::from(grid.least_weight());
        let skipped = u32::from(!grid.gait().cuts_corners());
        let mut leaps = LeapGraph {
            spots: Vec::with_capacity(map.count()),
            rows: vec![Row::default(); map.count() << 3 >> skipped],
            edges: Vec::new(),
            held: 0,
            numbers: vec![Vec::new(); grid.height() + 2],
            unused: Vec::new(),
            skipped,
            straight: grid.metric().straight() * scale,
            diagonal: grid.metric().diagonal() * scale,
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

    /// Whether costs are still those of this world.
    pub(super) fn fits(&self, grid: &SquareGrid) -> bool {
        self.straight == grid.metric().straight() * u32::from(grid.least_weight())
    }

    /// What a straight step costs.
    pub(super) fn straight(&self) -> u32 {
        self.straight
    }

    /// What the way between two points costs where nothing is in between.
    pub(super) fn crow_cost(&self, from: Point, to: Point) -> u32 {
        let (dx, dy) = (from.0.abs_diff(to.0) as u32, from.1.abs_diff(to.1) as u32);
        self.straight * dx.abs_diff(dy) + self.diagonal * dx.min(dy)
    }

    /// The number of a jump point, `None` elsewhere.
    #[inline(always)]
    pub(super) fn number(&self, map: &JumpMap, at: Point) -> Option<u32> {
        map.rank_in_row(at).map(|rank| self.numbers[at.1][rank])
    }

    /// Where leaps lead from a jump point arrived at as told: its number, then three bits for the direction.
    #[inline(always)]
    pub(super) fn row(&self, arrival: u32) -> &[Edge] {
        let Row { first, len, .. } = self.rows[(arrival >> self.skipped) as usize];
        &self.edges[first as usize..][..len as usize]
    }

    /// All leaps from a jump point, some of them several times.
    pub(super) fn all_rows(&self, number: u32) -> impl Iterator<Item = Edge> + '_ {
        (0..8).step_by(1 << self.skipped).flat_map(move |direction| self.row(number << 3 | direction)).copied()
    }

    /// The leap to a jump point that a ray has found.
    #[inline(always)]
    pub(super) fn edge(&self, map: &JumpMap, landing: Landing) -> Edge {
        let number = self.number(map, landing.at).expect("rays stop at jump points");
        self.edge_to(number, landing.direction, landing.straights, landing.diagonals)
    }

    #[inline(always)]
    pub(super) fn edge_to(&self, number: u32, direction: u8, straights: usize, diagonals: usize) -> Edge {
        let cost = u64::from(self.straight) * straights as u64 + u64::from(self.diagonal) * diagonals as u64;
        Edge { to: number << 3 | u32::from(direction), cost: cost.min(u64::from(u32::MAX)) as u32 }
    }

    /// Finds the leaps from a jump point, for every way to arrive at it.
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
                map.ray(grid, at, direction, &mut |_| {}) // just to see how far it goes
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

    fn put(&mut self, row: usize, edges: &[Edge]) {
        let fresh = self.rows[row].room == 0;
        if edges.len() > self.rows[row].room as usize {
            // Rows that grow may do so again.
            self.give_room(row, if fresh { edges.len() } else { edges.len() + edges.len() / 4 + 2 });
        }
        let Row { first, len, .. } = &mut self.rows[row];
        self.edges[*first as usize..][..edges.len()].copy_from_slice(edges);
        *len = edges.len() as u32;
    }

    /// Moves a row to where it has so much room.
    fn give_room(&mut self, row: usize, room: usize) {
        let Row { first, len, room: before } = self.rows[row];
        let end = self.edges.len();
        self.held = self.held + room - before as usize;
        self.edges.extend_from_within(first as usize..(first + len) as usize);
        self.edges.resize(end + room, Edge::default());
        let first = u32::try_from(end).expect("no memory holds that many edges");
        self.rows[row] = Row { first, len, room: room as u32 };
    }

    /// Exchanges a leap, known by where it led, for another on the same ray: in all rows of a jump point that have it.
    /// Whether any had.
    pub(super) fn exchange(&mut self, number: u32, old: u32, new: Edge) -> bool {
        let mut known = false;
        let arrivals = 8 >> self.skipped;
        for row in &self.rows[number as usize * arrivals..][..arrivals] {
            let edges = &mut self.edges[row.first as usize..][..row.len as usize];
            if let Some(edge) = edges.iter_mut().find(|edge| edge.to == old) {
                *edge = new;
                known = true;
            }
        }
        known
    }

    /// Puts a leap at its place in all rows of a jump point that follow that ray, or takes away what is there.
    pub(super) fn patch(&mut self, grid: &SquareGrid, number: u32, place: Place, edge: Option<Edge>) {
        let spot = self.spots[number as usize];
        let around = usize::from(grid.around(node(grid, spot.point())));
        let canonical = grid.gait().canonical();
        for arrival in (0..8).step_by(1 << self.skipped) {
            if kept_moves(canonical, arrival, around) >> place.ray & 1 == 0 {
                continue;
            }
            let row = (number as usize) << 3 >> self.skipped | arrival >> self.skipped;
            let Row { first, len, room } = self.rows[row];
            let edges = &self.edges[first as usize..][..len as usize];
            let at = edges.partition_point(|&edge| self.place(spot, edge).order() < place.order());
            let there = edges.get(at).is_some_and(|&edge| self.place(spot, edge) == place);
            match edge {
                Some(edge) if there => self.edges[first as usize + at] = edge,
                Some(edge) => {
                    if len == room {
                        self.give_room(row, (len + len / 4 + 2) as usize);
                    }
                    let Row { first, len, .. } = &mut self.rows[row];
                    *len += 1;
                    let edges = &mut self.edges[*first as usize..][..*len as usize];
                    edges.copy_within(at..edges.len() - 1, at + 1);
                    edges[at] = edge;
                }
                None if there => {
                    self.edges[first as usize..][..len as usize].copy_within(at + 1.., at);
                    self.rows[row].len -= 1;
                }
                None => {}
            }
        }
    }

    /// Where a leap of this jump point belongs.
    fn place(&self, from: JumpPointEntry, edge: Edge) -> Place {
        let to = self.spots[(edge.to >> 3) as usize].at;
        let (dx, dy) = (to[0].abs_diff(from.at[0]), to[1].abs_diff(from.at[1]));
        let (east, south) = (to[0] > from.at[0], to[1] > from.at[1]);
        let ray = match (dx, dy) {
            (0, _) => {
                if south {
                    S
                } else {
                    N
                }
            }
            (_, 0) => {
                if east {
                    E
                } else {
                    W
                }
            }
            _ => [[NW, SW], [NE, SE]][usize::from(east)][usize::from(south)],
        };
        Place { ray, diagonals: usize::from(dx.min(dy)), direction: (edge.to & 7) as u8 }
    }

    /// Numbers the jump points of a row of the world anew: those that stay keep theirs, and those gone are listed until
    /// nothing leads to them.
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

    /// Gives up the numbers of jump points that are gone.
    pub(super) fn release(&mut self, gone: &[u32]) {
        for &number in gone {
            for direction in 0..8 >> self.skipped {
                self.rows[(number as usize) << 3 >> self.skipped | direction].len = 0;
            }
            self.spots[number as usize] = JumpPointEntry::default(); // on the rim, from where nothing is seen
            self.unused.push(number);
        }
    }

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

    /// Moves all rows together where half of the list is waste.
    pub(super) fn tidy(&mut self) {
        const WORTHWHILE: usize = 4096;
        if self.edges.len() < WORTHWHILE + 2 * self.held {
            return;
        }
        let mut edges = Vec::with_capacity(self.held + self.held / 8);
        for Row { first, room, .. } in &mut self.rows {
            let row = &self.edges[*first as usize..][..*room as usize];
            *first = edges.len() as u32;
            edges.extend_from_slice(row);
        }
        self.edges = edges;
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.spots.as_slice())
            + size_of_val(self.rows.as_slice())
            + self.edges.capacity() * size_of::<Edge>()
            + self.numbers.iter().map(|row| size_of_val(row) + 4 * row.capacity()).sum::<usize>()
    }
}

impl Place {
    fn order(self) -> (u8, usize, bool) {
        (self.ray, self.diagonals, !matches!(self.direction, E | W))
    }
}

/// The moves to follow after arriving in this direction; none where nobody stops who could only go on as they came.
fn kept_moves(canonical: &[[u8; 256]; 9], arrival: usize, around: usize) -> u8 {
    let kept = canonical[arrival][around];
    let sideways = if arrival.is_multiple_of(2) { 0 } else { 1 << ((arrival + 1) % 8) | 1 << (arrival - 1) };
    if kept & !(1 << arrival | sideways) == 0 { 0 } else { kept }
}

/// Visits every jump point, tile by tile.
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

/// The positions of the bits set in a word.
pub(super) fn set_bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}
