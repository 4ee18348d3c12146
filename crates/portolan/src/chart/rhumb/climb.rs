//! A query: what it costs from the start to the ports around it, region by region up to the world, the same from the
//! goal, and where the two meet. No queue, no visited set: rows of costs are added and compared.
//!
//! Climbing into a region, the costs on the sides of the half below are known; the ports on the region's line among them
//! are taken as stopovers to all others, one row each. Rows that another reaches as cheaply add nothing and are left
//! out, and so are those that cannot lead to less than what is already found.

use super::front::Front;
use super::fronts::Fronts;
use super::leaf::{Nursery, Prices};
use super::regions::ROOT;
use super::toll::{Toll, least, relax};
use super::unpack::Seg;
use crate::chart::walk::beeline;
use crate::id::Cell;
use crate::probe::{Event, Probe};
use crate::search::{End, Task};
use crate::world::Directions;
use crate::world::square::SquareGrid;

/// What queries on a rhumb chart write.
#[derive(Default)]
pub(crate) struct RhumbScratch {
    pub(super) narrow: Vectors<u16>,
    pub(super) wide: Vectors<f32>,
    pub(super) room: Nursery,
    /// How the query under way ended, and what it has still to pay for that.
    pub(super) end: Option<End>,
    pub(super) owed: u64,
    pub(super) spare: Vec<Cell>,
}

impl RhumbScratch {
    pub(crate) fn bytes(&self) -> usize {
        self.narrow.bytes() + self.wide.bytes() + self.room.bytes() + self.spare.capacity() * size_of::<Cell>()
    }
}

/// What a climb from either end writes.
#[derive(Default)]
pub(in crate::chart) struct Vectors<T> {
    pub(super) ends: [Ascent<T>; 2],
    pub(super) segs: Vec<Seg>,
    pub(super) stack: Vec<Seg>,
    /// Rows of costs added.
    pub(super) rows: u64,
}

impl<T> Vectors<T> {
    fn bytes(&self) -> usize {
        let ends: usize = self.ends.iter().map(Ascent::bytes).sum();
        ends + (self.segs.capacity() + self.stack.capacity()) * size_of::<Seg>()
    }
}

/// The costs from one end of a query, region by region.
#[derive(Default)]
pub(in crate::chart) struct Ascent<T> {
    /// From the leaf, or from the region whose line the end is a port of, up to the world.
    pub(super) chain: Vec<u32>,
    levels: Vec<Level>,
    values: Vec<T>,
    /// Costs to the ports of the line being climbed to, before they are taken as stopovers.
    line: Vec<T>,
    /// The end itself, and its place in the lowest region's list if it is a port.
    pub(super) cell: Cell,
    pub(super) port: Option<usize>,
}

/// Where a region's costs are among the values.
#[derive(Copy, Clone)]
struct Level {
    first: usize,
    /// Ports of the line, which come before those of the sides.
    line: usize,
    count: usize,
}

impl<T> Ascent<T> {
    fn bytes(&self) -> usize {
        4 * self.chain.capacity()
            + self.levels.capacity() * size_of::<Level>()
            + (self.values.capacity() + self.line.capacity()) * size_of::<T>()
    }
}

impl<T: Toll> Ascent<T> {
    /// The costs to the ports on the sides of a region of the chain.
    #[inline(always)]
    fn sides(&self, level: usize) -> &[T] {
        let Level { first, line, count } = self.levels[level];
        &self.values[first + line..first + count]
    }
}

/// Where the two ends meet.
#[derive(Copy, Clone, Debug)]
pub(super) struct Meeting<T> {
    pub(super) cost: T,
    /// How far up the chain of either end.
    pub(super) levels: [usize; 2],
    /// At which port of the line.
    pub(super) place: usize,
    pub(super) values: [T; 2],
}

impl<T: Toll> Fronts<T> {
    /// Finds where a cheapest way by ports leads over the highest line; nothing where no way does.
    pub(super) fn meet(
        &self,
        task: Task,
        Vectors { ends: [there, back], rows, .. }: &mut Vectors<T>,
        probe: &mut impl Probe,
    ) -> Option<Meeting<T>> {
        let grid = task.grid;
        *rows = 0;
        let mut relax = |level: usize, end: &mut Ascent<T>, bound: &Bound<T>| {
            *rows += self.relax(level, end, bound, (grid, probe));
        };
        self.set_out(grid, task.from, there);
        self.set_out(grid, task.to, back);
        let shared = there.chain.iter().rev().zip(back.chain.iter().rev()).take_while(|(a, b)| a == b).count();
        let mut up = [there.chain.len() - shared, back.chain.len() - shared];
        let unbound = Bound { cost: T::NO_WAY, floor: T::ZERO, sight: None };
        for (end, &up) in [&mut *there, &mut *back].into_iter().zip(&up) {
            for level in 1..up {
                self.carry(level, end);
                relax(level, end, &unbound);
            }
        }
        let sights = [task.to, task.from].map(|to| Some(Sight::new(grid, self.prices, to)));
        let mut best: Option<Meeting<T>> = None;
        for _ in 0..shared {
            self.arrive(up[0], there);
            self.arrive(up[1], back);
            let mut cost = best.map_or(T::NO_WAY, |best| best.cost);
            for (&a, &b) in there.line.iter().zip(&back.line) {
                cost = a.plus(b).lesser(cost);
            }
            let far = least(&back.line).lesser(least(back.sides(up[1])));
            if up[0] > 0 {
                relax(up[0], there, &Bound { cost, floor: far, sight: sights[0] });
            }
            let Level { first, line, .. } = there.levels[up[0]];
            let reached = there.values[first..first + line].iter().zip(&there.line).map(|(&a, &b)| a.lesser(b));
            for (place, (a, &b)) in reached.zip(&back.line).enumerate() {
                let sum = a.plus(b);
                if sum < best.map_or(T::NO_WAY, |best| best.cost) {
                    best = Some(Meeting { cost: sum, levels: up, place, values: [a, b] });
                }
            }
            cost = best.map_or(T::NO_WAY, |best| best.cost);
            let near = least(there.sides(up[0]));
            // The world has no sides: there the climb ends.
            if near.plus(far) >= cost {
                break;
            }
            if up[1] > 0 {
                relax(up[1], back, &Bound { cost, floor: near, sight: sights[1] });
            }
            up = up.map(|level| level + 1);
        }
        best
    }

    /// Brings the costs from one end to a region that holds both.
    fn arrive(&self, level: usize, end: &mut Ascent<T>) {
        if level > 0 {
            self.carry(level, end);
        } else if let Some(&Level { first, line, .. }) = end.levels.first() {
            // A port of this very line, whose row is all there is, or a leaf, which has no line.
            end.line.clear();
            end.line.extend_from_slice(&end.values[first..first + line]);
        }
    }

    /// The chain of regions from a cell up, and the costs in the lowest.
    fn set_out(&self, grid: &SquareGrid, cell: Cell, end: &mut Ascent<T>) {
        end.chain.clear();
        end.levels.clear();
        end.values.clear();
        (end.cell, end.port) = (cell, None);
        let is_port = self.ports.get(usize::from(cell.x), usize::from(cell.y));
        let mut region = ROOT;
        loop {
            end.chain.push(region);
            let place = self.regions.of(region);
            if place.is_leaf() {
                let leaf = &self.leaves[place.number as usize];
                let count = leaf.side.ports.len();
                leaf.costs(grid, self.prices, cell, &mut end.values);
                end.levels.push(Level { first: 0, line: 0, count });
                break;
            }
            let side = place.side_of(cell);
            if side.is_eq() && is_port {
                let front = self.front(region);
                let place = front.line.iter().position(|&port| port == cell).expect("a port is on the first line met");
                end.values.extend_from_slice(front.row(place));
                let line = front.line.len();
                end.levels.push(Level { first: 0, line, count: line + front.side.ports.len() });
                end.port = Some(place);
                break;
            }
            region = place.children[usize::from(side.is_gt())];
        }
        end.chain.reverse();
    }

    /// Writes the costs known on the sides of the half below: those to the ports of the line apart, those to the sides in
    /// place.
    fn carry(&self, level: usize, end: &mut Ascent<T>) {
        let region = end.chain[level];
        let front = self.front(region);
        let half = usize::from(self.regions.of(region).children[1] == end.chain[level - 1]);
        let (first, line) = (end.values.len(), front.line.len());
        end.values.resize(first + front.stride(), T::NO_WAY);
        let (below, above) = end.values.split_at_mut(first);
        let Level { first: low, line: skipped, .. } = end.levels[level - 1];
        let below = &below[low + skipped..];
        for span in &front.spans[half] {
            let length = span.length as usize;
            above[span.whole as usize..][..length].copy_from_slice(&below[span.half as usize..][..length]);
        }
        end.line.clear();
        end.line.extend_from_slice(&above[..line]);
        above[..line].fill(T::NO_WAY);
        end.levels.push(Level { first, line, count: line + front.side.ports.len() });
    }

    /// Takes the ports of the line as stopovers; says how many were of use.
    fn relax(
        &self,
        level: usize,
        end: &mut Ascent<T>,
        bound: &Bound<T>,
        (grid, probe): (&SquareGrid, &mut impl Probe),
    ) -> u64 {
        let front = self.front(end.chain[level]);
        let (values, line) = (&mut end.values[end.levels[level].first..], &end.line);
        // The nearest is the one most likely to make others needless.
        let mut nearest = (T::NO_WAY, 0);
        for (place, &toll) in line.iter().enumerate() {
            if toll < nearest.0 {
                nearest = (toll, place);
            }
        }
        let mut rows = 0;
        for place in std::iter::once(nearest.1).chain(0..line.len()) {
            let Some(&toll) = line.get(place) else { return rows };
            if toll < values[place] && bound.allows(toll, front.line[place]) {
                probe.event(Event::Expand { node: grid.node(front.line[place]), g: toll.cost() });
                relax(values, toll, front.row(place));
                rows += 1;
            }
        }
        rows
    }

    /// Appends what leads to a port whose cost is known, from there back to the end of the query.
    pub(super) fn trace(&self, end: &Ascent<T>, mut level: usize, mut place: usize, mut value: T, segs: &mut Vec<Seg>) {
        while level > 0 {
            let region = end.chain[level];
            let front = self.front(region);
            let half = usize::from(self.regions.of(region).children[1] == end.chain[level - 1]);
            let below = end.sides(level - 1);
            let skipped = end.levels[level - 1].line;
            let carried = front.in_half(half, place).filter(|&rank| below[rank] == value);
            let rank = carried.unwrap_or_else(|| {
                let (via, rank) = stopover(front, half, below, place, value).expect("every cost comes from somewhere");
                segs.push(Seg { region, near: via as u32, far: place as u32 });
                value = below[rank];
                rank
            });
            place = skipped + rank;
            level -= 1;
        }
        let region = end.chain[0];
        match end.port {
            Some(port) if port == place => {}
            Some(port) => segs.push(Seg { region, near: port as u32, far: place as u32 }),
            None => segs.push(Seg { region, near: Seg::END, far: place as u32 }),
        }
    }
}

/// The port of the line by way of which a cost comes about, and its place on the sides of the half below.
fn stopover<T: Toll>(front: &Front<T>, half: usize, below: &[T], place: usize, value: T) -> Option<(usize, usize)> {
    for span in &front.spans[half] {
        let (whole, first) = (span.whole as usize, span.half as usize);
        for i in 0..(span.length as usize).min(front.line.len().saturating_sub(whole)) {
            if below[first + i].plus(front.row(whole + i)[place]) == value {
                return Some((whole + i, first + i));
            }
        }
    }
    None
}

/// What a way has to beat, and the least it is sure to cost.
struct Bound<T> {
    cost: T,
    /// What the other end adds at least.
    floor: T,
    sight: Option<Sight>,
}

impl<T: Toll> Bound<T> {
    #[inline(always)]
    fn allows(&self, toll: T, port: Cell) -> bool {
        toll.plus(self.floor) < self.cost
            && self.sight.as_ref().is_none_or(|sight| toll.plus(T::of(sight.from(port))) < self.cost)
    }
}

/// What a walk to a cell would cost with nothing in the way.
#[derive(Copy, Clone)]
pub(super) struct Sight {
    directions: Directions,
    prices: Prices,
    to: Cell,
}

impl Sight {
    pub(super) fn new(grid: &SquareGrid, prices: Prices, to: Cell) -> Sight {
        let scale = if grid.weights().is_none() { 1 } else { u32::from(grid.least_weight()) };
        Sight { directions: grid.rules().directions, prices: prices.map(|price| price * scale), to }
    }

    #[inline(always)]
    pub(super) fn from(&self, cell: Cell) -> u32 {
        beeline(self.directions, self.prices, cell, self.to) as u32
    }
}
