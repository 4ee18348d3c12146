//! The climb of a query. From the start it works out the costs to the ports of the regions around it, from the leaf up
//! to the world; from the goal likewise; and it finds the port where both climbs meet at the least cost. There is no
//! queue and no set of visited nodes: rows of costs are added and compared.
//!
//! On entering a region, the costs to the ports on the sides of the half below are known. Some of these ports lie on
//! the region's line. Each of them is taken as a stopover on the way to all other ports of the region, which is the
//! addition of one row. A row is left out if its port is reached as cheaply by way of a stopover already taken, or if
//! no way by its port can cost less than the best way found so far.
//!
//! Not here: turning the meeting into cells (`unpack.rs`), and the other parts of a query (`query.rs`).

use super::bound::{Bound, OpenDistance};
use super::chart_cost::{ChartCost, LANES, Lanes, least, relax_row};
use super::front::{Front, Way};
use super::fronts::Fronts;
use super::regions::ROOT;
use super::scratch::ClimbScratch;
use super::unpack::Stretch;
use crate::id::Cell;
use crate::memory::held;
use crate::method::Task;
use crate::probe::{Event, Probe, Unwatched};
use crate::space::square::SquareGrid;

/// A climb: the costs from one end of a query to the ports of the regions around it, region by region.
#[derive(Default)]
pub(in crate::chart) struct Climb<T> {
    /// The regions of the climb, up to the world. The first is the leaf of the end, or, if the end is a port, the
    /// region on whose line it lies.
    pub(super) chain: Vec<u32>,
    /// The regions of `chain` whose costs have been worked out, from the first on.
    levels: Vec<Level>,
    /// The costs to the ports of these regions, one region after the other.
    values: Vec<Lanes<T>>,
    /// The costs to the ports on the line of the region last entered, before any of them is taken as a stopover.
    line: Vec<T>,
    /// Those of them that were taken as stopovers: place in the list, and cost.
    taken: Vec<(usize, T)>,
    /// The cell of this end.
    pub(super) cell: Cell,
    /// The way that costs are those of: there from the start, back from the goal.
    way: Way,
    /// The place of `cell` in the list of the first region, if it is a port.
    pub(super) port: Option<usize>,
    /// Whether a stopover had a cost too great to be added to. The costs that follow from it are then invalid.
    pub(super) too_far: bool,
}

/// Where the costs of a region are in [`Climb::values`].
#[derive(Copy, Clone)]
struct Level {
    /// The index of the first of its [`Lanes`].
    first: usize,
    /// How many ports are on the region's line alone. They come before those of its sides.
    line: usize,
    /// How many ports are stopovers.
    stops: usize,
    /// How many ports the region's list has.
    count: usize,
}

impl Level {
    fn of<T>(front: &Front<T>, first: usize) -> Level {
        Level { first, line: front.side.line, stops: front.stops, count: front.side.list.len() }
    }
}

impl<T> Climb<T> {
    pub(super) fn bytes(&self) -> usize {
        held(&self.chain) + held(&self.levels) + held(&self.values) + held(&self.line) + held(&self.taken)
    }
}

/// On a chart with more regions than this, a first climb by few ports saves more time than it takes.
const LARGE: usize = 4_000;
/// How many ports of each line such a first climb takes as stopovers.
const FEW: usize = 3;

impl<T: ChartCost> Climb<T> {
    /// Drops the costs of all regions but the first, so that the climb can be repeated.
    fn descend(&mut self) {
        self.levels.truncate(1);
        self.values.truncate(self.levels[0].count.div_ceil(LANES));
    }

    /// Returns the costs to the ports on the sides of the region at `level` of the chain.
    #[inline(always)]
    fn sides(&self, level: usize) -> &[T] {
        let Level { first, line, count, .. } = self.levels[level];
        &self.values[first..].as_flattened()[line..count]
    }

    /// Returns the costs to the ports on the line of the region at `level` of the chain.
    #[inline(always)]
    pub(super) fn line(&self, level: usize) -> &[T] {
        let Level { first, stops, .. } = self.levels[level];
        &self.values[first..].as_flattened()[..stops]
    }
}

/// The port where the climbs from both ends meet.
#[derive(Copy, Clone, Debug)]
pub(super) struct Meeting<T> {
    /// The cost from start to goal by way of the port.
    pub(super) cost: T,
    /// The index of the port's region in the chain of the start and in that of the goal.
    pub(super) levels: [usize; 2],
    /// The place of the port on the line of that region.
    pub(super) place: usize,
    /// The costs from the start and from the goal to the port.
    pub(super) values: [T; 2],
}

impl<T: ChartCost> Fronts<T> {
    /// Returns the port where the climbs from start and goal meet at the least cost. `None` if no way leads by ports,
    /// or if the cost is too great to be exact.
    pub(super) fn meet(&self, task: Task, vectors: &mut ClimbScratch<T>, probe: &mut impl Probe) -> Option<Meeting<T>> {
        vectors.rows = 0;
        let [there, back] = &mut vectors.ends;
        self.set_out(task.grid, task.from, Way::There, there);
        self.set_out(task.grid, task.to, Way::Back, back);
        let mut most = T::NO_WAY;
        if self.regions.all.len() > LARGE {
            // On a chart this large rows are long. A first climb by the most promising ports gives an upper bound of
            // the cost. With that bound the second climb can leave out most rows.
            if let Some(Meeting { cost, .. }) = self.climb_both(task, vectors, (most, FEW), probe) {
                most = cost.plus(T::of(1));
            }
            vectors.ends.iter_mut().for_each(Climb::descend);
        }
        self.climb_both(task, vectors, (most, usize::MAX), probe).filter(|meeting| meeting.cost.is_told())
    }

    /// Climbs from both ends in search of a way that costs less than `most`, and takes at most `ports` ports of each
    /// line as stopovers.
    fn climb_both(
        &self,
        task: Task,
        ClimbScratch { ends: [there, back], rows, .. }: &mut ClimbScratch<T>,
        (most, ports): (T, usize),
        probe: &mut impl Probe,
    ) -> Option<Meeting<T>> {
        let grid = task.grid;
        // A way over links may be shorter than the open distance.
        let is_linked = !self.links.cells.is_empty();
        let sights = [task.to, task.from].map(|to| (!is_linked).then(|| OpenDistance::new(grid, self.prices, to)));
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
            // A way that leaves this region costs at least `near` plus `far`. The world has no sides, so that `near` is
            // `NO_WAY` there and the loop ends.
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

    /// Climbs from a cell to the world, without a bound.
    pub(super) fn climb(&self, grid: &SquareGrid, from: Cell, end: &mut Climb<T>) {
        self.set_out(grid, from, Way::There, end);
        for level in 1..end.chain.len() {
            self.carry(level, end);
            self.relax(level, end, Bound::NONE, (grid, &mut Unwatched));
        }
    }

    /// Enters a region that contains both ends, coming from one of them: fills `end.line` and the costs to the sides.
    fn arrive(&self, level: usize, end: &mut Climb<T>) {
        if level > 0 {
            self.carry(level, end);
        } else {
            // The chain begins here. Either the end is a port of this line, and its row already has the costs to the
            // line, or the region is a leaf, which has no line.
            let mut line = std::mem::take(&mut end.line);
            line.clear();
            line.extend_from_slice(end.line(0));
            end.line = line;
        }
    }

    /// Begins a climb: lists the chain of regions around `cell` and works out the costs in the first of them.
    fn set_out(&self, grid: &SquareGrid, cell: Cell, way: Way, end: &mut Climb<T>) {
        end.chain.clear();
        end.levels.clear();
        end.values.clear();
        (end.cell, end.way, end.port, end.too_far) = (cell, way, None, false);
        let is_port = self.ports.get(usize::from(cell.x), usize::from(cell.y));
        let mut region = ROOT;
        loop {
            end.chain.push(region);
            let place = self.regions.of(region);
            if place.is_leaf() {
                let leaf = self.leaf(way, place.number);
                let count = leaf.side.list.len();
                end.values.resize(count.div_ceil(LANES), [T::NO_WAY; LANES]);
                leaf.costs(grid, &self.tables, cell, end.values.as_flattened_mut());
                end.levels.push(Level { first: 0, line: 0, stops: 0, count });
                break;
            }
            let side = place.side_of(cell);
            if side.is_eq() && is_port {
                let front = self.front(way, region);
                let place =
                    front.line().iter().position(|&port| port == cell).expect("a port is on the first line met");
                end.values.extend_from_slice(front.row(place));
                end.levels.push(Level::of(front, 0));
                end.port = Some(place);
                break;
            }
            region = place.children[usize::from(side.is_gt())];
        }
        end.chain.reverse();
    }

    /// Enters the region at `level` of the chain: copies the costs to the ports on the sides of the half below. Those
    /// to ports of the region's line go to `end.line`, those to ports of its sides to their places in `end.values`.
    fn carry(&self, level: usize, end: &mut Climb<T>) {
        let region = end.chain[level];
        let front = self.front(end.way, region);
        let half = usize::from(self.regions.of(region).children[1] == end.chain[level - 1]);
        let first = end.values.len();
        end.values.resize(first + front.width(), [T::NO_WAY; LANES]);
        let (below, above) = end.values.split_at_mut(first);
        let Level { first: low, line: skipped, .. } = end.levels[level - 1];
        let (below, above) = (&below[low..].as_flattened()[skipped..], above.as_flattened_mut());
        for span in &front.spans[half] {
            let length = usize::from(span.length);
            above[usize::from(span.whole)..][..length].copy_from_slice(&below[usize::from(span.half)..][..length]);
        }
        end.line.clear();
        end.line.extend_from_slice(&above[..front.stops]);
        above[..front.stops].fill(T::NO_WAY);
        end.levels.push(Level::of(front, first));
    }

    /// Takes ports of the line as stopovers on the way to all ports of the region at `level` of the chain. Returns how
    /// many were taken, which is the number of rows added.
    fn relax(
        &self,
        level: usize,
        end: &mut Climb<T>,
        bound: Bound<T>,
        (grid, probe): (&SquareGrid, &mut impl Probe),
    ) -> u64 {
        let front = self.front(end.way, end.chain[level]);
        let Climb { values, line, taken, levels, too_far, .. } = end;
        let values = &mut values[levels[level].first..];
        // The nearest port is taken first, then the others outwards from it. A port farther along the line is mostly
        // reached most cheaply by way of a nearer one, and its own row is not needed then.
        let mut nearest = (bound.limit, usize::MAX);
        for (place, &chart_cost) in line.iter().enumerate() {
            if chart_cost < nearest.0 {
                nearest = (chart_cost, place);
            }
        }
        if nearest.1 == usize::MAX {
            return 0;
        }
        // The costs to the line alone, `own`, decide which of its ports are taken. The costs to the sides are worked
        // out afterwards, for all taken ports at once.
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
            // Only so many ports are taken: those with the least sum of the cost so far and the open distance still to
            // go.
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

    /// Appends the stretches of the way from the end of the query to a port, the last one first. The port is at `place`
    /// in the list of the region at `level` of the chain, and `value` is its cost. Which stretches these are follows
    /// from the costs: at each level, the cost of a port was copied from the half below, or is the sum of the cost to a
    /// stopover on the line and of the cost from there.
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
            let front = self.front(end.way, region);
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
