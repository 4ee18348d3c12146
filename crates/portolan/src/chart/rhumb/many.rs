//! The costs from one start to many goals: one climb from the start up to the world, then one sweep down to every leaf
//! with a goal in it.
//!
//! On the way down, the costs from the start to the ports on a region's sides are known. They stand for everything
//! outside the region. The costs to the ports on its line follow from them by adding one row for each port of the line,
//! and both together are the costs to the sides of its halves. The cost to a goal is the least, over the ports of its
//! leaf, of the cost to the port plus that of the walk from there.
//!
//! Not here: the climb (`climb.rs`).

use super::bound::OpenDistance;
use super::chart_cost::{ChartCost, LANES, Lanes, least_sum};
use super::climb::Climb;
use super::front::Way;
use super::fronts::Fronts;
use super::regions::{NO_REGION, ROOT};
use super::scratch::{ClimbScratch, RhumbScratch};
use super::walks::{ABREAST, walk_apart};
use crate::chart::shared::cutout::NO_WAY;
use crate::id::Cell;
use crate::memory::held;
use crate::method::Task;
use crate::probe::Unwatched;
use crate::space::square::SquareGrid;

/// The scratch memory of a sweep.
#[derive(Default)]
pub(in crate::chart) struct Sweep<T> {
    /// By region: whether a goal lies in it.
    wanted: Vec<bool>,
    /// By leaf: the first goal of the list of its goals, or [`NO_REGION`] if it has none.
    first: Vec<u32>,
    /// By goal: the next goal of that list, or [`NO_REGION`] at its end.
    next: Vec<u32>,
    /// The costs from the start to the ports of each region on the way down to the present one, which is last.
    values: Vec<Lanes<T>>,
    /// The costs to the sides of the present region, as operands made by [`ChartCost::far`].
    sides: Vec<Lanes<T>>,
    offers: Vec<PortOffer>,
    candidates: Vec<Candidate>,
}

impl<T> Sweep<T> {
    pub(super) fn bytes(&self) -> usize {
        held(&self.wanted)
            + held(&self.first)
            + held(&self.next)
            + held(&self.values)
            + held(&self.sides)
            + held(&self.offers)
            + held(&self.candidates)
    }
}

/// A query with many goals and its results.
struct ManyGoals<'a> {
    grid: &'a SquareGrid,
    goals: &'a [Cell],
    /// By goal: the cost found so far, in the chart's prices.
    costs: &'a mut [u32],
}

impl<T: ChartCost> Fronts<T> {
    /// Writes the cost from a cell to each goal into `costs`, in the chart's prices; [`NO_WAY`] if there is no way or
    /// the cost does not fit the number type. Sums that do not fit are dropped on the way down, so that they cannot be
    /// part of a cost that is written.
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

    /// Puts every goal on the list of its leaf, and marks that leaf and the regions around it as wanted.
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

    /// Carries the costs to the ports on a region's sides down to the goals inside it. They are at the end of
    /// `sweep.values`. `level` is 1 plus the index of the region in the chain of the start, or 0 if it is not in that
    /// chain.
    fn carry_down(&self, region: u32, level: usize, there: &Climb<T>, sweep: &mut Sweep<T>, asked: &mut ManyGoals) {
        let place = self.regions.of(region);
        if place.is_leaf() {
            self.offer(place.number, sweep, asked);
            return;
        }
        // Costs are those from the ports of the sides to the port of the line, which the front for the way back has in rows.
        let front = self.front(Way::Back, region);
        let (line, first) = (front.side.line, sweep.values.len() - front.width());
        // Only ports of the sides that can be reached count here. The costs to the line are not known yet.
        sweep.sides.clear();
        sweep.sides.extend(sweep.values[first..].iter().map(|lanes| lanes.map(T::far)));
        sweep.sides.as_flattened_mut()[..line].fill(T::NO_WAY.far());
        let from = line / LANES;
        for port in 0..front.stops {
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

    /// Lists an offer of each port of a leaf to each goal in the leaf: the cost from the start to the port, and a lower
    /// bound of the cost to the goal by way of it, which is that cost plus the open distance. Adds a candidate for each
    /// goal, with the port of the least bound, unless no port can be reached.
    fn offer(&self, number: u32, sweep: &mut Sweep<T>, asked: &mut ManyGoals) {
        let leaf = self.leaf(Way::Back, number);
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

    /// Walks from each goal to the port with the least bound, then to the next such port, as long as its bound is less
    /// than the cost found for the goal. Walks of several goals are taken at the same time.
    fn try_offers(&self, sweep: &mut Sweep<T>, asked: &mut ManyGoals) {
        let Sweep { candidates, offers, .. } = sweep;
        while !candidates.is_empty() {
            for group in candidates.chunks(ABREAST) {
                let walk = |candidate: &Candidate| {
                    (
                        self.leaf(Way::Back, candidate.leaf),
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

/// What a way to a goal costs by one of the ports of its leaf.
#[derive(Copy, Clone)]
struct PortOffer {
    /// A lower bound of the cost from the start to the goal; [`NO_WAY`] if the port cannot be reached, and once the
    /// walk from it has been taken.
    least: u32,
    /// The cost from the start to the port.
    chart_cost: u32,
}

/// A goal and the port to walk to next.
#[derive(Copy, Clone)]
struct Candidate {
    goal: u32,
    leaf: u32,
    /// The rank of the port in the leaf.
    rank: u32,
    /// The index of the first of the goal's offers; there is one for each port of the leaf.
    from: u32,
}
