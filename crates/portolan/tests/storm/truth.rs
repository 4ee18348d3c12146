//! The oracle for worlds with borders and links: a plain Dijkstra search, written for clarity, over steps that it works out one by
//! one from the terrain, the borders and the links that a world tells of.
//!
//! Not here: the oracles for terrain alone, which the suite has.

use portolan::any::AnySnapshot;
use portolan::{Border, Cell, Corners, Cost, Directions, Side};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Returns the least cost from a cell to every cell that can be reached from there.
pub(crate) fn costs_from(world: &AnySnapshot, from: Cell) -> BTreeMap<Cell, u64> {
    let mut links: BTreeMap<Cell, Vec<(Cell, Cost)>> = BTreeMap::new();
    for (at, to, cost) in world.links() {
        links.entry(at).or_default().push((to, cost));
    }
    let mut least = BTreeMap::new();
    let mut queue = BinaryHeap::from([Reverse((0, from))]);
    while let Some(Reverse((cost, cell))) = queue.pop() {
        if least.contains_key(&cell) {
            continue;
        }
        least.insert(cell, cost);
        let by_link = links.get(&cell).into_iter().flatten().map(|&(to, cost)| (to, u64::from(cost.0)));
        for (to, step) in by_link.chain(walks(world, cell)) {
            if world.is_free(to) && !least.contains_key(&to) {
                queue.push(Reverse((cost + step, to)));
            }
        }
    }
    least
}

/// Returns whether a border lets an agent out of a cell, and the cell beyond.
fn out(world: &AnySnapshot, from: Cell, side: Side) -> Option<Cell> {
    let is_open = matches!(world.border(from, side), Some(Border::Open | Border::Out));
    world.beside(from, side).filter(|_| is_open)
}

/// Returns the steps from a cell to its neighbours and their costs. Neighbours may be blocked.
fn walks(world: &AnySnapshot, from: Cell) -> Vec<(Cell, u64)> {
    let weight = |cell: Cell| u64::from(world.terrain(cell).weight());
    let price = |base: u32, to: Cell| u64::from(base) * (weight(from) + weight(to)) / 2;
    let metric = world.metric();
    let straight = world.sides().iter().filter_map(|&side| out(world, from, side));
    let mut steps: Vec<(Cell, u64)> = straight.map(|to| (to, price(metric.straight(), to))).collect();
    let Some(rules) = world.rules().filter(|rules| rules.directions == Directions::Eight) else { return steps };
    for across in [Side::East, Side::West] {
        for down in [Side::North, Side::South] {
            // Two ways lead around the corner, each over one cell and two borders.
            let ways = [(across, down), (down, across)].map(|(first, then)| {
                let by = world.beside(from, first)?;
                Some((
                    by,
                    world.beside(by, then)?,
                    out(world, from, first).and_then(|by| out(world, by, then)).is_some(),
                ))
            });
            let [Some((one, to, is_open)), Some((other, _, other_is_open))] = ways else { continue };
            let (passes, other_passes) = (is_open && world.is_free(one), other_is_open && world.is_free(other));
            let is_legal = match rules.corners {
                Corners::Strict => passes && other_passes,
                Corners::NoSqueeze => passes || other_passes,
                Corners::Loose => is_open || other_is_open,
            };
            if is_legal {
                steps.push((to, price(metric.diagonal(), to)));
            }
        }
    }
    steps
}
