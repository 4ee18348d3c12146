//! A query: what it costs from the start to the ports around it, region by region up to the world, the same from the
//! goal, and where the two meet. No queue, no visited set: rows of costs are added and compared.
//!
//! Climbing into a region, the costs on the sides of the half below are known; the ports on the region's line among them
//! are taken as stopovers to all others, one row each. Rows that another reaches as cheaply add nothing and are left
//! out, and so are those that cannot lead to less than what is already found.

use super::chart_cost::{ChartCost, Cost16, LANES, Lanes, least, relax_row};
use super::fronts::Fronts;
use super::leaf::{LeafScratch, Prices};
use super::many::Sweep;
use super::regions::ROOT;
use super::unpack::Stretch;
use crate::chart::shared::walk::beeline;
use crate::id::Cell;
use crate::method::{End, Task};
use crate::probe::{Event, Probe, Unwatched};
use crate::world::Directions;
use crate::world::square::SquareGrid;

/// What queries on a rhumb chart write.
#[derive(Default)]
pub(crate) struct RhumbScratch {
    pub(super) narrow: ClimbScratch<Cost16>,
    pub(super) wide: ClimbScratch<f32>,
    pub(super) widest: ClimbScratch<f64>,
    pub(super) room: LeafScratch,
    /// How the query under way ended, and what it has still to pay for that.
    pub(super) end: Option<End>,
    pub(super) owed: u64,
    pub(super) spare: Vec<Cell>,
}

impl RhumbScratch {
    pub(crate) fn bytes(&self) -> usize {
        self.narrow.bytes()
            + self.wide.bytes()
            + self.widest.bytes()
            + self.room.bytes()
            + self.spare.capacity() * size_of::<Cell>()
    }
}

/// What a climb from either end writes.
#[derive(Default)]
pub(in crate::chart) struct ClimbScratch<T> {
    pub(super) ends: [Climb<T>; 2],
    pub(super) stretches: Vec<Stretch>,
    pub(super) stack: Vec<Stretch>,
    /// Rows of costs added.
    pub(super) rows: u64,
    pub(super) sweep: Sweep<T>,
}

impl<T> ClimbScratch<T> {
    fn bytes(&self) -> usize {
        let ends: usize = self.ends.iter().map(Climb::bytes).sum();
        ends + self.sweep.bytes() + (self.stretches.capacity() + self.stack.capacity()) * size_of::<Stretch>()
    }
}

/// The costs from one end of a query, region by region.
#[derive(Default)]
pub(in crate::chart) struct Climb<T> {
    /// From the leaf, or from the region whose line the end is a port of, up to the world.
    pub(super) chain: Vec<u32>,
    levels: Vec<Level>,
    values: Vec<Lanes<T>>,
    /// Costs to the ports of the line being climbed to, before they are taken as stopovers.
    line: Vec<T>,
    /// Those of them taken as stopovers, with their costs.
    taken: Vec<(usize, T)>,
    /// The end itself, and its place in the lowest region's list if it is a port.
    pub(super) cell: Cell,
    pub(super) port: Option<usize>,
    /// Some cost on the way was too great to be added to: what follows from it is not known.
    pub(super) too_far: bool,
}

/// Where a region's costs are among the values.
#[derive(Copy, Clone)]
struct Level {
    first: usize,
    /// Ports of the line, which come before those of the sides.
    line: usize,
    count: usize,
}

impl<T> Climb<T> {
    fn bytes(&self) -> usize {
        4 * self.chain.capacity()
            + self.levels.capacity() * size_of::<Level>()
            + self.values.capacity() * size_of::<Lanes<T>>()
            + self.line.capacity() * size_of::<T>()
            + self.taken.capacity() * size_of::<(usize, T)>()
    }
}

/// Regions from which on a first climb by few ports pays.
const LARGE: usize = 4_000;
/// Ports a line such a climb goes by.
const FEW: usize = 3;

impl<T: ChartCost> Climb<T> {
    /// Goes back to where the climb began.
    fn descend(&mut self) {
        self.levels.truncate(1);
        self.values.truncate(self.levels[0].count.div_ceil(LANES));
    }

    /// The costs to the ports on the sides of a region of the chain.
    #[inline(always)]
    fn sides(&self, level: usize) -> &[T] {
        let Level { first, line, count } = self.levels[level];
        &self.values[first..].as_flattened()[line..count]
    }

    /// The costs to the ports on a region's line.
    #[inline(always)]
    pub(super) fn line(&self, level: usize) -> &[T] {
        let Level { first, line, .. } = self.levels[level];
        &self.values[first..].as_flattened()[..line]
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

impl<T: ChartCost> Fronts<T> {
    /// Finds where a cheapest way by ports leads over the highest line; nothing where no way does.
    pub(super) fn meet(&self, task: Task, vectors: &mut ClimbScratch<T>, probe: &mut impl Probe) -> Option<Meeting<T>> {
        vectors.rows = 0;
        let [there, back] = &mut vectors.ends;
        self.set_out(task.grid, task.from, there);
        self.set_out(task.grid, task.to, back);
        let mut most = T::NO_WAY;
        if self.regions.all.len() > LARGE {
            // Rows are long here. A climb by the most promising few tells what there is to beat, and leaves few.
            if let Some(Meeting { cost, .. }) = self.climb_both(task, vectors, (most, FEW), probe) {
                most = cost.plus(T::of(1));
            }
            vectors.ends.iter_mut().for_each(Climb::descend);
        }
        self.climb_both(task, vectors, (most, usize::MAX), probe).filter(|meeting| meeting.cost.is_told())
    }

    /// Climbs from both ends, for a way that costs less than `most`, by so many ports a line.
    fn climb_both(
        &self,
        task: Task,
        ClimbScratch { ends: [there, back], rows, .. }: &mut ClimbScratch<T>,
        (most, ports): (T, usize),
        probe: &mut impl Probe,
    ) -> Option<Meeting<T>> {
        let grid = task.grid;
        let sights = [task.to, task.from].map(|to| OpenDistance::new(grid, self.prices, to));
        let mut relax = |level: usize, end: &mut Climb<T>, bound: Bound<T>| {
            *rows += self.relax(level, end, Bound { ports, ..bound }, (grid, probe));
        };
        let shared = there.chain.iter().rev().zip(back.chain.iter().rev()).take_while(|(a, b)| a == b).count();
        let mut up = [there.chain.len() - shared, back.chain.len() - shared];
        let bounded = most < T::NO_WAY || ports < usize::MAX;
        for ((end, &up), &sight) in [&mut *there, &mut *back].into_iter().zip(&up).zip(&sights) {
            let bound = if bounded { Bound::new(most, T::ZERO, sight) } else { Bound::NONE };
            for level in 1..up {
                self.carry(level, end);
                relax(level, end, bound);
            }
        }
        let mut best: Option<Meeting<T>> = None;
        for _ in 0..shared {
            self.arrive(up[0], there);
            self.arrive(up[1], back);
            let mut cost = best.map_or(most, |best| best.cost);
            for (&a, &b) in there.line.iter().zip(&back.line) {
                cost = a.plus(b).lesser(cost);
            }
            let far = least(&back.line).lesser(least(back.sides(up[1])));
            if up[0] > 0 {
                relax(up[0], there, Bound::new(cost, far, sights[0]));
            }
            let reached = there.line(up[0]).iter().zip(&there.line).map(|(&a, &b)| a.lesser(b));
            for (place, (a, &b)) in reached.zip(&back.line).enumerate() {
                let sum = a.plus(b);
                if sum < best.map_or(most, |best| best.cost) {
                    best = Some(Meeting { cost: sum, levels: up, place, values: [a, b] });
                }
            }
            cost = best.map_or(most, |best| best.cost);
            let near = least(there.sides(up[0]));
            // The world has no sides: there the climb ends.
            if near.plus(far) >= cost {
                break;
            }
            if up[1] > 0 {
                relax(up[1], back, Bound::new(cost, near, sights[1]));
            }
            up = up.map(|level| level + 1);
        }
        best
    }

    /// Climbs from a cell to the top.
    pub(super) fn climb(&self, grid: &SquareGrid, from: Cell, end: &mut Climb<T>) {
        self.set_out(grid, from, end);
        for level in 1..end.chain.len() {
            self.carry(level, end);
            self.relax(level, end, Bound::NONE, (grid, &mut Unwatched));
        }
    }

    /// Brings the costs from one end to a region that holds both.
    fn arrive(&self, level: usize, end: &mut Climb<T>) {
        if level > 0 {
            self.carry(level, end);
        } else {
            // A port of this very line, whose row is all there is, or a leaf, which has no line.
            let mut line = std::mem::take(&mut end.line);
            line.clear();
            line.extend_from_slice(end.line(0));
            end.line = line;
        }
    }

    /// The chain of regions from a cell up, and the costs in the lowest.
    fn set_out(&self, grid: &SquareGrid, cell: Cell, end: &mut Climb<T>) {
        end.chain.clear();
        end.levels.clear();
        end.values.clear();
        (end.cell, end.port, end.too_far) = (cell, None, false);
        let is_port = self.ports.get(usize::from(cell.x), usize::from(cell.y));
        let mut region = ROOT;
        loop {
            end.chain.push(region);
            let place = self.regions.of(region);
            if place.is_leaf() {
                let leaf = &self.leaves[place.number as usize];
                let count = leaf.side.list.len();
                end.values.resize(count.div_ceil(LANES), [T::NO_WAY; LANES]);
                leaf.costs(grid, &self.tables, cell, end.values.as_flattened_mut());
                end.levels.push(Level { first: 0, line: 0, count });
                break;
            }
            let side = place.side_of(cell);
            if side.is_eq() && is_port {
                let front = self.front(region);
                let place =
                    front.line().iter().position(|&port| port == cell).expect("a port is on the first line met");
                end.values.extend_from_slice(front.row(place));
                let line = front.side.line;
                end.levels.push(Level { first: 0, line, count: front.side.list.len() });
                end.port = Some(place);
                break;
            }
            region = place.children[usize::from(side.is_gt())];
        }
        end.chain.reverse();
    }

    /// Writes the costs known on the sides of the half below: those to the ports of the line apart, those to the sides in
    /// place.
    fn carry(&self, level: usize, end: &mut Climb<T>) {
        let region = end.chain[level];
        let front = self.front(region);
        let half = usize::from(self.regions.of(region).children[1] == end.chain[level - 1]);
        let (first, line) = (end.values.len(), front.side.line);
        end.values.resize(first + front.width(), [T::NO_WAY; LANES]);
        let (below, above) = end.values.split_at_mut(first);
        let Level { first: low, line: skipped, .. } = end.levels[level - 1];
        let (below, above) = (&below[low..].as_flattened()[skipped..], above.as_flattened_mut());
        for span in &front.spans[half] {
            let length = usize::from(span.length);
            above[usize::from(span.whole)..][..length].copy_from_slice(&below[usize::from(span.half)..][..length]);
        }
        end.line.clear();
        end.line.extend_from_slice(&above[..line]);
        above[..line].fill(T::NO_WAY);
        end.levels.push(Level { first, line, count: front.side.list.len() });
    }

    /// Takes the ports of the line as stopovers; says how many were of use.
    fn relax(
        &self,
        level: usize,
        end: &mut Climb<T>,
        bound: Bound<T>,
        (grid, probe): (&SquareGrid, &mut impl Probe),
    ) -> u64 {
        let front = self.front(end.chain[level]);
        let Climb { values, line, taken, levels, too_far, .. } = end;
        let values = &mut values[levels[level].first..];
        // The nearest first, then outwards from it: what is further along often is so by way of what is not.
        let mut nearest = (bound.limit, usize::MAX);
        for (place, &chart_cost) in line.iter().enumerate() {
            if chart_cost < nearest.0 {
                nearest = (chart_cost, place);
            }
        }
        if nearest.1 == usize::MAX {
            return 0;
        }
        // What is known of the line itself tells which of its ports are of use; the sides follow from those.
        let (own, sides) = values.split_at_mut(line.len().div_ceil(LANES));
        taken.clear();
        let mut take = |own: &mut [Lanes<T>], place: usize, chart_cost: T| {
            if bound.sight.is_none_or(|sight| chart_cost.plus(T::of(sight.from(front.line()[place]))) < bound.cost) {
                *too_far |= !chart_cost.fits();
                probe.event(Event::Expand { node: grid.node(front.line()[place]), g: chart_cost.cost() });
                relax_row(own, chart_cost, front.row(place));
                taken.push((place, chart_cost));
            }
        };
        if bound.ports < line.len() {
            // The few that promise most.
            let promise = |place: usize| {
                let ahead = bound.sight.map_or(0, |sight| sight.from(front.line()[place]));
                (line[place].plus(T::of(ahead)).cost(), place)
            };
            let mut last = None;
            for _ in 0..bound.ports {
                let next = (0..line.len()).filter(|&place| line[place] < bound.limit).map(promise);
                let Some(next) = next.filter(|&next| last < Some(next)).min() else { break };
                last = Some(next);
                if line[next.1] < own[next.1 / LANES][next.1 % LANES] {
                    take(own, next.1, line[next.1]);
                }
            }
        } else {
            for place in (nearest.1..line.len()).chain((0..nearest.1).rev()) {
                let chart_cost = line[place];
                if chart_cost < own[place / LANES][place % LANES].lesser(bound.limit) {
                    take(own, place, chart_cost);
                }
            }
        }
        front.relax_sides(own.len(), taken, sides);
        taken.len() as u64
    }

    /// Appends what leads to a port whose cost is known, from there back to the end of the query.
    pub(super) fn trace(
        &self,
        end: &Climb<T>,
        mut level: usize,
        mut place: usize,
        mut value: T,
        stretches: &mut Vec<Stretch>,
    ) {
        while level > 0 {
            let region = end.chain[level];
            let front = self.front(region);
            let half = usize::from(self.regions.of(region).children[1] == end.chain[level - 1]);
            let below = end.sides(level - 1);
            let skipped = end.levels[level - 1].line;
            let carried = front.in_half(half, place).filter(|&rank| below[rank] == value);
            let rank = carried.unwrap_or_else(|| {
                let known = |via: usize| front.in_half(half, via).map(|rank| below[rank]);
                let fits =
                    |via| known(via).is_some_and(|chart_cost| chart_cost.plus(front.line_cost(via, place)) == value);
                let via = front.seek(end.cell, front.port(place), fits).expect("every cost comes from somewhere");
                let rank = front.in_half(half, via).expect("the line is a side of both halves");
                stretches.push(Stretch { region, near: via as u32, far: place as u32 });
                value = below[rank];
                rank
            });
            place = skipped + rank;
            level -= 1;
        }
        let region = end.chain[0];
        match end.port {
            Some(port) if port == place => {}
            Some(port) => stretches.push(Stretch { region, near: port as u32, far: place as u32 }),
            None => stretches.push(Stretch { region, near: Stretch::END, far: place as u32 }),
        }
    }
}

/// What a way has to beat.
#[derive(Copy, Clone)]
struct Bound<T> {
    cost: T,
    /// What is left of it after the least that the other end adds.
    limit: T,
    sight: Option<OpenDistance>,
    /// Ports of a line that may be taken.
    ports: usize,
}

impl<T: ChartCost> Bound<T> {
    const NONE: Bound<T> = Bound { cost: T::NO_WAY, limit: T::NO_WAY, sight: None, ports: usize::MAX };

    /// A way has to cost less than `cost`, of which the other end takes `floor` and what lies between at least what it
    /// takes in plain sight.
    fn new(cost: T, floor: T, sight: OpenDistance) -> Bound<T> {
        Bound { cost, limit: cost.less(floor), sight: Some(sight), ports: usize::MAX }
    }
}

/// What a walk to a cell would cost with nothing in the way.
#[derive(Copy, Clone)]
pub(super) struct OpenDistance {
    directions: Directions,
    prices: Prices,
    to: Cell,
}

impl OpenDistance {
    pub(super) fn new(grid: &SquareGrid, prices: Prices, to: Cell) -> OpenDistance {
        let scale = if grid.weights().is_none() { 1 } else { u32::from(grid.least_weight()) };
        OpenDistance { directions: grid.rules().directions, prices: prices.map(|price| price * scale), to }
    }

    #[inline(always)]
    pub(super) fn from(&self, cell: Cell) -> u32 {
        beeline(self.directions, self.prices, cell, self.to) as u32
    }
}
