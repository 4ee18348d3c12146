//! One start and many goals: the costs climbed to once are carried down again, to every leaf that has a goal.
//!
//! Going down, what is known of a region's sides is all there is to know of the world outside; a row for each port of its
//! line tells the rest. A goal is then as far as the best of its leaf's ports makes it.

use super::chart_cost::{ChartCost, LANES, Lanes, least_sum};
use super::climb::{Climb, ClimbScratch, OpenDistance, RhumbScratch};
use super::fronts::Fronts;
use super::regions::{NO_REGION, ROOT};
use super::walks::{ABREAST, walk_apart};
use crate::chart::shared::cutout::NO_WAY;
use crate::id::Cell;
use crate::method::Task;
use crate::probe::Unwatched;
use crate::world::square::SquareGrid;

/// What a sweep downwards writes.
#[derive(Default)]
pub(in crate::chart) struct Sweep<T> {
    /// By region: whether a goal lies in it.
    wanted: Vec<bool>,
    /// By leaf: the first of its goals; by goal: the next one of the same leaf.
    first: Vec<u32>,
    next: Vec<u32>,
    values: Vec<Lanes<T>>,
    sides: Vec<Lanes<T>>,
    offers: Vec<PortOffer>,
    candidates: Vec<Candidate>,
}

impl<T> Sweep<T> {
    pub(super) fn bytes(&self) -> usize {
        self.wanted.capacity()
            + 4 * (self.first.capacity() + self.next.capacity())
            + (self.values.capacity() + self.sides.capacity()) * size_of::<Lanes<T>>()
            + self.offers.capacity() * size_of::<PortOffer>()
            + self.candidates.capacity() * size_of::<Candidate>()
    }
}

/// A question with many goals, under way.
struct ManyGoals<'a> {
    grid: &'a SquareGrid,
    goals: &'a [Cell],
    /// By goal, in the chart's prices.
    costs: &'a mut [u32],
}

impl<T: ChartCost> Fronts<T> {
    /// What it costs from a cell to each of some goals, in the chart's prices; [`NO_WAY`] where there is none or the cost
    /// does not fit. What does not fit is left out on the way down, and so takes part in no cost that fits.
    pub(super) fn costs_to(
        &self,
        grid: &SquareGrid,
        from: Cell,
        goals: &[Cell],
        rhumb: &mut RhumbScratch,
        costs: &mut [u32],
    ) {
        costs.fill(NO_WAY);
        let ClimbScratch { ends: [there, _], sweep, .. } = T::vectors(rhumb);
        self.climb(grid, from, there);
        if there.too_far || !self.fits() {
            return;
        }
        self.sort(goals, sweep);
        let mut asked = ManyGoals { grid, goals, costs };
        let top = there.chain.len();
        sweep.values.clear();
        sweep.values.resize(self.side(ROOT).list.len().div_ceil(LANES), [T::NO_WAY; LANES]);
        sweep.offers.clear();
        sweep.candidates.clear();
        self.carry_down(ROOT, top, there, sweep, &mut asked);
        self.try_offers(sweep, &mut asked);
        for (&goal, cost) in goals.iter().zip(costs) {
            if goal == from {
                *cost = 0;
            } else if grid.is_free(goal) {
                let task = Task { grid, from, to: goal };
                *cost = self.cost_near(task, *cost, rhumb, &mut Unwatched).map_or(*cost, |near| near.0.min(*cost));
            }
            if *cost >= T::TOO_DEAR {
                *cost = NO_WAY;
            }
        }
    }

    /// Files every goal with its leaf and marks the regions above.
    fn sort(&self, goals: &[Cell], sweep: &mut Sweep<T>) {
        sweep.wanted.clear();
        sweep.wanted.resize(self.regions.all.len(), false);
        sweep.first.clear();
        sweep.first.resize(self.leaves.len(), NO_REGION);
        sweep.next.clear();
        for (number, &goal) in goals.iter().enumerate() {
            let leaf = self.regions.leaf_at(goal);
            sweep.next.push(std::mem::replace(&mut sweep.first[leaf as usize], number as u32));
            let mut region = self.regions.leaves[leaf as usize];
            while region != NO_REGION && !std::mem::replace(&mut sweep.wanted[region as usize], true) {
                region = self.regions.of(region).parent;
            }
        }
    }

    /// Carries what is known of the sides of a region, the last values there are, down to its goals. `level` is that
    /// of the region in the chain of the start, plus one; none where it is in no such chain.
    fn carry_down(&self, region: u32, level: usize, there: &Climb<T>, sweep: &mut Sweep<T>, asked: &mut ManyGoals) {
        let place = self.regions.of(region);
        if place.is_leaf() {
            self.offer(place.number, sweep, asked);
            return;
        }
        let front = self.front(region);
        let (line, first) = (front.side.line, sweep.values.len() - front.width());
        // The line's own part plays no part, nor do ports that nobody reaches.
        sweep.sides.clear();
        sweep.sides.extend(sweep.values[first..].iter().map(|lanes| lanes.map(T::far)));
        sweep.sides.as_flattened_mut()[..line].fill(T::NO_WAY.far());
        let from = line / LANES;
        for port in 0..line {
            let mut cost = least_sum(&front.row(port)[from..], &sweep.sides[from..]);
            if level > 0 {
                cost = cost.lesser(there.line(level - 1)[port]);
            }
            sweep.values[first..].as_flattened_mut()[port] = cost;
        }
        for (half, &below) in place.children.iter().enumerate() {
            if !sweep.wanted[below as usize] {
                continue;
            }
            let side = self.side(below);
            let next = sweep.values.len();
            sweep.values.resize(next + side.list.len().div_ceil(LANES), [T::NO_WAY; LANES]);
            let (above, values) = sweep.values.split_at_mut(next);
            let (above, values) = (above[first..].as_flattened(), values.as_flattened_mut());
            for span in &front.spans[half] {
                let length = usize::from(span.length);
                let to = &mut values[side.line + usize::from(span.half)..][..length];
                to.copy_from_slice(&above[usize::from(span.whole)..][..length]);
            }
            let on_chain = level > 1 && there.chain[level - 2] == below;
            self.carry_down(below, if on_chain { level - 1 } else { 0 }, there, sweep, asked);
            sweep.values.truncate(next);
        }
    }

    /// Notes what each port of a leaf offers to its goals: what it costs to get there, and at least as much as in plain
    /// sight from there on.
    fn offer(&self, number: u32, sweep: &mut Sweep<T>, asked: &mut ManyGoals) {
        let leaf = &self.leaves[number as usize];
        let ports = &leaf.side.list;
        let first = sweep.values.len() - ports.len().div_ceil(LANES);
        let known = &sweep.values[first..].as_flattened()[..ports.len()];
        let mut goal = sweep.first[number as usize];
        while goal != NO_REGION {
            let cell = asked.goals[goal as usize];
            let sight = OpenDistance::new(asked.grid, self.prices, cell);
            let from = sweep.offers.len() as u32;
            let mut best = (u32::MAX, 0);
            for (rank, (&port, chart_cost)) in ports.iter().zip(known).enumerate() {
                let chart_cost = if *chart_cost < T::NO_WAY { chart_cost.cost() } else { NO_WAY };
                let least = chart_cost.saturating_add(sight.from(port));
                sweep.offers.push(PortOffer { least, chart_cost });
                if least < best.0 {
                    best = (least, rank as u32);
                }
            }
            if best.0 < NO_WAY {
                sweep.candidates.push(Candidate { goal, leaf: number, rank: best.1, from });
            }
            goal = sweep.next[goal as usize];
        }
    }

    /// Walks from goals to the ports that offer most, and on to others as long as they offer better than what was
    /// found. Walks of several goals are taken side by side.
    fn try_offers(&self, sweep: &mut Sweep<T>, asked: &mut ManyGoals) {
        let Sweep { candidates, offers, .. } = sweep;
        while !candidates.is_empty() {
            for group in candidates.chunks(ABREAST) {
                let walk = |candidate: &Candidate| {
                    (
                        &*self.leaves[candidate.leaf as usize],
                        candidate.rank as usize,
                        asked.goals[candidate.goal as usize],
                    )
                };
                let walks: [_; ABREAST] = std::array::from_fn(|lane| walk(&group[lane.min(group.len() - 1)]));
                let walked = walk_apart(asked.grid, &self.tables, walks);
                for (candidate, walked) in group.iter().zip(walked) {
                    let offer = &mut offers[(candidate.from + candidate.rank) as usize];
                    let cost = &mut asked.costs[candidate.goal as usize];
                    *cost = offer.chart_cost.saturating_add(walked).min(*cost);
                    offer.least = NO_WAY;
                }
            }
            candidates.retain_mut(|candidate| {
                let ports = self.leaves[candidate.leaf as usize].side.list.len();
                let offers = &offers[candidate.from as usize..][..ports];
                let next = (0..).zip(offers).min_by_key(|(_, offer)| offer.least);
                let Some((rank, offer)) = next else { return false };
                candidate.rank = rank;
                offer.least < asked.costs[candidate.goal as usize]
            });
        }
    }
}

/// What a port has to offer a goal.
#[derive(Copy, Clone)]
struct PortOffer {
    /// At least this.
    least: u32,
    /// What it costs to the port.
    chart_cost: u32,
}

/// A goal and the port to try next.
#[derive(Copy, Clone)]
struct Candidate {
    goal: u32,
    leaf: u32,
    rank: u32,
    /// Where the offers of its leaf's ports are.
    from: u32,
}
