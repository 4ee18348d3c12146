//! The sweep that makes a field: Dijkstra's algorithm from all goals at once.
//!
//! Buckets are no wider than the cheapest step. So no step leads from one node to another of the same bucket, every node that
//! comes out of the lowest bucket has its final cost, and the order inside a bucket does not matter. The search goes against
//! the steps, so that costs from the goals are costs to them.
//!
//! Where weights are equal and all borders open, only canonical moves are looked at, which finds all costs but not all cheapest ways; the lowest
//! direction on one of them is then read from the costs of the neighbours. Where weights differ, every move is looked at, and
//! directions are known with the costs. So it is where borders are closed. A link is named by its rank among those that leave its
//! node, after all directions; dear and cheap ones make nodes come out of a bucket more than once, at a lower cost each time.
//!
//! Not here: what a field is asked (`field.rs`).

use super::{AT_GOAL, FAR};
use crate::graph::{FIRST_LINK, Grid, Moves, Passable, Reversible, START};
use crate::id::NodeId;
use crate::open_list::BucketRing;
use crate::space::Extras;

/// Writes what it costs to walk from each node to the nearest goal, up to `limit`, and the lowest direction of a step that
/// lies on a cheapest way. All costs must be [`FAR`] before, and all steps greater than [`AT_GOAL`].
pub(super) fn sweep<S: Grid>(
    grid: &S,
    goals: &[S::Place],
    limit: u32,
    ring: &mut BucketRing,
    costs: &mut [u32],
    steps: &mut [u8],
) {
    let mut labels = Labels { costs, steps, limit };
    if grid.extras() > Extras::Walls {
        spread(grid, &Passable::new(grid), goals, ring, &mut labels);
    } else if grid.least_weight() != grid.greatest_weight() {
        spread(grid, &Moves::<S, false, true>::new(grid), goals, ring, &mut labels);
    } else if grid.extras() == Extras::Walls {
        spread(grid, &Moves::<S, false, false>::new(grid), goals, ring, &mut labels);
    } else {
        spread(grid, &Moves::<S, true, false>::new(grid), goals, ring, &mut labels);
        point(grid, &Moves::<S, false, false>::new(grid), &mut labels);
    }
}

/// The cost of each node, up to a limit, and its step.
struct Labels<'a> {
    costs: &'a mut [u32],
    steps: &'a mut [u8],
    limit: u32,
}

/// Writes the costs. As steps it writes, on canonical moves, by which direction a node was reached from another; on all moves
/// the steps of the field.
fn spread<S: Grid, G: Reversible>(grid: &S, moves: &G, goals: &[S::Place], ring: &mut BucketRing, labels: &mut Labels) {
    let Labels { costs, steps, limit } = labels;
    let back = opposites(grid.offsets());
    // The width of a bucket is between an eighth and a quarter of the grain.
    ring.reset(0, u64::from(moves.greatest_edge()), moves.typical_edge() * 4);
    for &goal in goals {
        let goal = grid.node_at(goal);
        if costs[goal.index()] != 0 {
            (costs[goal.index()], steps[goal.index()]) = (0, AT_GOAL);
            ring.push(0, goal.0);
        }
    }
    while let Some(item) = ring.pop() {
        let node = NodeId(item);
        let cost = costs[node.index()];
        if u64::from(cost) < ring.floor() {
            continue; // this entry is outdated: the node came out of a lower bucket before
        }
        let arrived = if G::PRUNED { steps[node.index()] } else { START };
        moves.for_each_edge_to(node, arrived, |to, edge, direction| {
            let sum = cost.saturating_add(edge);
            let known = costs[to.index()];
            if sum > known || sum > *limit {
                return;
            }
            let step = if G::PRUNED || direction >= FIRST_LINK { direction } else { back[usize::from(direction & 7)] };
            if sum < known {
                (costs[to.index()], steps[to.index()]) = (sum, step);
                ring.push(u64::from(sum), to.0);
            } else if !G::PRUNED && step < steps[to.index()] {
                steps[to.index()] = step;
            }
        });
    }
}

/// Writes the step of every node that has a cost.
fn point<S: Grid>(grid: &S, moves: &Moves<S, false, false>, labels: &mut Labels) {
    let (offsets, prices) = (grid.offsets(), moves.costs());
    for (node, step) in labels.steps.iter_mut().enumerate() {
        let cost = labels.costs[node];
        if cost == FAR || cost == 0 {
            continue;
        }
        let mut legal = S::legal(grid.tables(), grid.around(NodeId(node as u32)));
        while legal != 0 {
            let direction = legal.trailing_zeros() as usize & 7;
            let next = node.wrapping_add_signed(offsets[direction] as isize);
            if cost.checked_sub(prices[direction]) == Some(labels.costs[next]) {
                *step = direction as u8;
                break;
            }
            legal &= legal - 1;
        }
    }
}

/// Returns for each direction the one that leads back.
pub(super) fn opposites(offsets: [i32; 8]) -> [u8; 8] {
    offsets.map(|offset| (0..8).find(|&back| offsets[usize::from(back)] == -offset).unwrap_or_default())
}
