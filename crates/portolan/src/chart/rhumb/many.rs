//! One start and many goals: the costs climbed to once are carried down again, to every leaf that has a goal.
//!
//! Going down, what is known of a region's sides is all there is to know of the world outside; a row for each port of its
//! line tells the rest. A goal is then as far as the best of its leaf's ports makes it.

use super::climb::{Ascent, RhumbScratch, Sight, Vectors};
use super::fronts::Fronts;
use super::regions::{NOBODY, ROOT};
use super::toll::{LANES, Lanes, Toll, least_sum};
use crate::chart::cluster::NO_WAY;
use crate::id::Cell;
use crate::probe::Unwatched;
use crate::search::Task;
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
    costs: Vec<T>,
}

impl<T> Sweep<T> {
    pub(super) fn bytes(&self) -> usize {
        self.wanted.capacity()
            + 4 * (self.first.capacity() + self.next.capacity())
            + (self.values.capacity() + self.sides.capacity()) * size_of::<Lanes<T>>()
            + self.costs.capacity() * size_of::<T>()
    }
}

/// A question with many goals, under way.
struct Errand<'a> {
    grid: &'a SquareGrid,
    goals: &'a [Cell],
    /// By goal, in the chart's prices.
    costs: &'a mut [u32],
}

impl<T: Toll> Fronts<T> {
    /// What it costs from a cell to each of some goals, in the chart's prices; [`NO_WAY`] where there is none or it is
    /// more than can be told.
    pub(super) fn costs_to(
        &self,
        grid: &SquareGrid,
        from: Cell,
        goals: &[Cell],
        rhumb: &mut RhumbScratch,
        costs: &mut [u32],
    ) {
        costs.fill(NO_WAY);
        let Vectors { ends: [there, _], sweep, .. } = T::vectors(rhumb);
        self.climb(grid, from, there);
        if there.too_far || !self.fits() {
            return;
        }
        self.sort(goals, sweep);
        let mut errand = Errand { grid, goals, costs };
        let top = there.chain.len();
        sweep.values.clear();
        sweep.values.resize(self.side(ROOT).list.len().div_ceil(LANES), [T::NO_WAY; LANES]);
        self.carry_down(ROOT, top, there, sweep, &mut errand);
        for (&goal, cost) in goals.iter().zip(costs) {
            if goal == from {
                *cost = 0;
                continue;
            }
            if grid.is_free(goal) {
                let task = Task { grid, from, to: goal };
                *cost = self.cost_near(task, rhumb, &mut Unwatched).map_or(*cost, |near| near.0.min(*cost));
            }
        }
    }

    /// Files every goal with its leaf and marks the regions above.
    fn sort(&self, goals: &[Cell], sweep: &mut Sweep<T>) {
        sweep.wanted.clear();
        sweep.wanted.resize(self.regions.all.len(), false);
        sweep.first.clear();
        sweep.first.resize(self.leaves.len(), NOBODY);
        sweep.next.clear();
        for (number, &goal) in goals.iter().enumerate() {
            let leaf = self.regions.leaf_at(goal);
            sweep.next.push(std::mem::replace(&mut sweep.first[leaf as usize], number as u32));
            let mut region = self.regions.leaves[leaf as usize];
            while region != NOBODY && !std::mem::replace(&mut sweep.wanted[region as usize], true) {
                region = self.regions.of(region).parent;
            }
        }
    }

    /// Carries what is known of the sides of a region, the last values there are, down to its goals. `level` is that
    /// of the region in the chain of the start, plus one; none where it is in no such chain.
    fn carry_down(&self, region: u32, level: usize, there: &Ascent<T>, sweep: &mut Sweep<T>, errand: &mut Errand) {
        let place = self.regions.of(region);
        if place.is_leaf() {
            self.reach_goals(place.number, sweep, errand);
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
            self.carry_down(below, if on_chain { level - 1 } else { 0 }, there, sweep, errand);
            sweep.values.truncate(next);
        }
    }

    /// Works out the goals of a leaf from what is known of its ports.
    fn reach_goals(&self, number: u32, sweep: &mut Sweep<T>, errand: &mut Errand) {
        let leaf = &self.leaves[number as usize];
        let first = sweep.values.len() - leaf.side.list.len().div_ceil(LANES);
        let known = &sweep.values[first..].as_flattened()[..leaf.side.list.len()];
        let mut goal = sweep.first[number as usize];
        while goal != NOBODY {
            let cell = errand.goals[goal as usize];
            let sight = Sight::new(errand.grid, self.prices, cell);
            let cost = &mut errand.costs[goal as usize];
            // The most promising port first: it mostly is the best, and shows that the others are not.
            let promise = |rank: usize| known[rank].plus(T::of(sight.from(leaf.side.list[rank])));
            let mut least = (T::NO_WAY, usize::MAX);
            sweep.costs.clear();
            for rank in 0..known.len() {
                let promise = promise(rank);
                sweep.costs.push(promise);
                if promise < least.0 {
                    least = (promise, rank);
                }
            }
            let mut best = T::NO_WAY;
            for rank in [least.1].into_iter().chain(0..known.len()) {
                if sweep.costs.get(rank).is_some_and(|&promise| promise < best) {
                    let walked = leaf.cost_from(errand.grid, self.prices, rank, cell);
                    if walked != NO_WAY {
                        best = known[rank].plus(T::of(walked)).lesser(best);
                    }
                }
            }
            if best < T::NO_WAY {
                *cost = best.cost();
            }
            goal = sweep.next[goal as usize];
        }
    }
}
