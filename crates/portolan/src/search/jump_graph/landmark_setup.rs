//! Landmarks of a jump graph: this module measures the distance of every jump point, and of a query's goal, to them.
//!
//! A search that starts at a landmark does not reach all jump points: a jump point where no cheapest route has to stop
//! has no leaps towards it. So a distance is measured the other way, as the cost of a route whose goal is the landmark:
//!
//! 1. A backward search from the landmark computes the cost from each jump point to the landmark by the leaps that are
//!    stored there.
//! 2. The stored leaps are those that continue a route that has arrived at the jump point. A route that starts there
//!    may leave in any direction. So its distance is the least of its own cost from step 1 and, for each jump point
//!    that its rays lead to, the cost of the leap plus that jump point's cost from step 1.
//!
//! A route costs as much in either direction, so this is also the distance from the landmark. The distance of a query's
//! goal to a landmark is measured by the rays of the goal: it is the least cost by way of a jump point that they lead
//! to, or the cost of a single leap to the landmark.
//!
//! Not here: the rule that picks landmarks, the storage of distances, and the bound that they give, all in
//! [`crate::search::shared::landmarks`].

use super::super::jump_point::{node, point};
use super::leaps::{Edge, JumpPointEntry, LeapGraph, for_each_jump};
use crate::id::Cell;
use crate::open_list::BucketList;
use crate::search::shared::jump_map::{JumpMap, Point};
use crate::search::shared::landmarks::{Landmarks, NO_WAY, Sight, pick_farthest};
use crate::space::square::SquareGrid;
use std::collections::BTreeMap;

/// Sets up to `count` landmarks among the jump points of one connected component, the one with the most jump points.
/// Returns `None` if `count` is 0, if there are no jump points, or if costs might not fit 32 bits.
pub(super) fn set_up(grid: &SquareGrid, map: &JumpMap, leaps: &LeapGraph, count: usize) -> Option<Landmarks> {
    let span = grid.width() + grid.height();
    if count == 0 || u64::from(leaps.straight()) * span as u64 >= 1 << 30 {
        return None; // the cost of a single leap might not fit 32 bits
    }
    let order = in_order(map, leaps);
    let mut parts = BTreeMap::<u64, (usize, usize)>::new();
    for (rank, &number) in order.iter().enumerate() {
        let part = grid.component(cell(leaps, number))?;
        let (size, _) = parts.entry(part).or_insert((0, rank));
        *size += 1;
    }
    let seed =
        parts.values().max_by_key(|&&(size, rank)| (size, std::cmp::Reverse(rank))).map(|&(_, rank)| order[rank])?;
    let back = ReversedLeaps::new(leaps);
    let mut picked = Vec::new();
    let numbers = order.iter().map(|&number| number as usize);
    let measure = |number: usize| back.costs_to(map, leaps, number as u32);
    pick_farthest(count, seed as usize, &numbers, measure, |number, costs| picked.push((number as u32, costs)));
    if picked.is_empty() {
        return None;
    }
    let by_rays = all_rays(grid, map, leaps, &order, &picked);
    let mut marks = Landmarks::new(picked.len(), leaps.spots.len());
    for (landmark, &(number, _)) in picked.iter().enumerate() {
        marks.add(cell(leaps, number), by_rays.iter().skip(landmark).step_by(picked.len()).copied());
    }
    Some(marks)
}

/// Returns the numbers of all jump points, ordered by where the jump points lie. Unlike the numbers, this order does
/// not depend on past edits.
pub(super) fn in_order(map: &JumpMap, leaps: &LeapGraph) -> Vec<u32> {
    let mut order = Vec::with_capacity(map.count());
    for_each_jump(map, |at| order.extend(leaps.number(map, at)));
    order
}

fn cell(leaps: &LeapGraph, number: u32) -> Cell {
    let [x, y] = leaps.spots[number as usize].at;
    Cell { x: x - 1, y: y - 1 }
}

/// Returns the distance of every jump point to every landmark: for each number, one entry for each landmark. `picked`
/// holds the landmarks, each with the costs that [`ReversedLeaps::costs_to`] returned for it.
fn all_rays(
    grid: &SquareGrid,
    map: &JumpMap,
    leaps: &LeapGraph,
    order: &[u32],
    picked: &[(u32, Vec<u32>)],
) -> Vec<u32> {
    let count = picked.len();
    let mut left = vec![NO_WAY; count * leaps.spots.len()];
    for (landmark, (_, costs)) in picked.iter().enumerate() {
        for (number, &cost) in costs.iter().enumerate() {
            left[number * count + landmark] = cost;
        }
    }
    let mut distances = left.clone();
    for &number in order {
        let distances = &mut distances[number as usize * count..][..count];
        for_each_leap(grid, map, leaps, leaps.spots[number as usize].point(), |edge| {
            let beyond = &left[(edge.to >> 3) as usize * count..][..count];
            for (distance, &beyond) in distances.iter_mut().zip(beyond) {
                *distance = (*distance).min(beyond.saturating_add(edge.cost));
            }
        });
    }
    distances
}

/// Visits the leaps from a free cell in all legal directions. Returns an entry with the place and the reach of the
/// cell, which does not have to be a jump point.
#[inline(always)]
fn for_each_leap(
    grid: &SquareGrid,
    map: &JumpMap,
    leaps: &LeapGraph,
    at: Point,
    mut visit: impl FnMut(Edge),
) -> JumpPointEntry {
    let moves = grid.gait().legal()[usize::from(grid.around(node(grid, at)))];
    let reach = map.rays(grid, at, moves, &mut |landing| visit(leaps.edge(map, landing)));
    JumpPointEntry { reach, ..JumpPointEntry::at(at) }
}

/// Returns the distances of a goal to the landmarks.
pub(super) fn sight(grid: &SquareGrid, map: &JumpMap, leaps: &LeapGraph, marks: &Landmarks, goal: Point) -> Sight {
    let quanta = |cost: u32| (cost >> marks.shift).min(u32::from(u16::MAX)) as u16;
    let mut sight = Sight::unknown();
    let see = |edge: Edge| sight.see(marks.of((edge.to >> 3) as usize), quanta(edge.cost));
    let spot = for_each_leap(grid, map, leaps, goal, see);
    for (landmark, &cell) in marks.cells.iter().enumerate() {
        if spot.sees(map, point(cell)) {
            sight.see_one(landmark, quanta(leaps.crow_cost(goal, point(cell))));
        }
    }
    sight.settle();
    sight
}

/// The leaps of a graph by the jump point that they lead to.
struct ReversedLeaps {
    /// For each number, the index in `leaps` of the first leap that leads to it; then one more entry, the end.
    first: Vec<u32>,
    /// The number of the jump point that a leap comes from, and the cost of the leap.
    leaps: Vec<(u32, u32)>,
}

impl ReversedLeaps {
    fn new(leaps: &LeapGraph) -> ReversedLeaps {
        let count = leaps.spots.len();
        let mut first = vec![0; count + 1];
        for edge in (0..count as u32).flat_map(|number| leaps.all_rows(number)) {
            first[(edge.to >> 3) as usize + 1] += 1;
        }
        for number in 0..count {
            first[number + 1] += first[number];
        }
        let mut reversed = vec![(0, 0); first[count] as usize];
        let mut next = first.clone();
        for number in 0..count as u32 {
            for edge in leaps.all_rows(number) {
                let slot = &mut next[(edge.to >> 3) as usize];
                reversed[*slot as usize] = (number, edge.cost);
                *slot += 1;
            }
        }
        ReversedLeaps { first, leaps: reversed }
    }

    /// Returns the cost from each jump point to the jump point `goal` by stored leaps and a last leap to the goal
    /// itself, or [`NO_WAY`] if they do not lead there.
    fn costs_to(&self, map: &JumpMap, leaps: &LeapGraph, goal: u32) -> Vec<u32> {
        let to = leaps.spots[goal as usize].point();
        let mut costs = vec![NO_WAY; leaps.spots.len()];
        let mut settled = costs.clone();
        let mut open = BucketList::default();
        open.reset(0, leaps.straight());
        for number in 0..costs.len() as u32 {
            let spot = leaps.spots[number as usize];
            if spot.sees(map, to) {
                costs[number as usize] = leaps.crow_cost(spot.point(), to);
                open.push(u64::from(costs[number as usize]), number);
            }
        }
        while let Some(number) = open.pop() {
            let cost = costs[number as usize];
            if std::mem::replace(&mut settled[number as usize], cost) == cost {
                continue;
            }
            let [first, end] = [number, number + 1].map(|number| self.first[number as usize] as usize);
            for &(from, leap) in &self.leaps[first..end] {
                let through = cost.saturating_add(leap);
                if through < costs[from as usize] {
                    costs[from as usize] = through;
                    open.push(u64::from(through), from);
                }
            }
        }
        costs
    }
}
