//! Landmarks of a jump graph: distances at jump points, found by searching the graph backwards.
//!
//! Leaps lead from a start to its goal, and a jump point that nobody needs to stop at on a cheapest way has no leaps
//! towards it. So distances are found as a query would find them, with the landmark for its goal: first, backwards from
//! the landmark, what every jump point has left to go; then what a start standing on a jump point has left, which is
//! least over the jump points that its rays lead to. Ways cost the same there and back, so that is the distance. What a
//! query's goal is away from a landmark is found alike.

use super::super::jump_point::{node, point};
use super::leaps::{Edge, JumpPointEntry, LeapGraph, for_each_jump};
use crate::id::Cell;
use crate::open_list::BucketList;
use crate::search::shared::jump_map::{JumpMap, Point};
use crate::search::shared::landmarks::{Landmarks, NO_WAY, Sight, pick_farthest};
use crate::world::square::SquareGrid;
use std::collections::BTreeMap;

/// Sets so many landmarks among the jump points of the largest connected part of the world, if it has any.
pub(super) fn set_up(grid: &SquareGrid, map: &JumpMap, leaps: &LeapGraph, count: usize) -> Option<Landmarks> {
    let span = grid.width() + grid.height();
    if count == 0 || u64::from(leaps.straight()) * span as u64 >= 1 << 30 {
        return None; // a single leap might cost more than can be counted
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

/// The numbers of all jump points, in an order that the terrain alone decides.
pub(super) fn in_order(map: &JumpMap, leaps: &LeapGraph) -> Vec<u32> {
    let mut order = Vec::with_capacity(map.count());
    for_each_jump(map, |at| order.extend(leaps.number(map, at)));
    order
}

fn cell(leaps: &LeapGraph, number: u32) -> Cell {
    let [x, y] = leaps.spots[number as usize].at;
    Cell { x: x - 1, y: y - 1 }
}

/// The distance of every number to every landmark, given what jump points have left to go to each.
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

/// Visits the leaps from a free cell in all directions, and tells what else it would know were it a jump point.
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

/// How far a goal is from the landmarks.
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

/// The leaps of a graph turned round.
struct ReversedLeaps {
    /// Where the leaps towards a number begin.
    first: Vec<u32>,
    /// Where they come from and what they cost.
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

    /// What all jump points have left to a goal that is one too.
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
