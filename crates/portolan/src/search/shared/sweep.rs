//! The exact costs from one start to many goals by one search: Dijkstra's algorithm, which ends when it knows the cost to
//! each of them. Searches that promise cheapest routes use it where it is faster than to search for one goal after another.
//!
//! Not here: costs of all cells that are kept (`field.rs`).

use super::best_first::{begin, run};
use crate::graph::{Distance, Grid, Reversible, Search, Shape};
use crate::id::NodeId;
use crate::probe::Unwatched;
use crate::scratch::{NodeRecord, Scratch};
use crate::search::a_star::Sum;

/// Writes the cost from one cell to each of the goals; `u32::MAX` where there is no way, or none whose cost fits
/// [`crate::Cost`]. Returns false, and writes nothing, if there are fewer goals than `least`, for which searches one by one
/// are faster, or there is no memory for it.
pub(crate) fn costs_to<S: Grid>(
    grid: &S,
    from: S::Place,
    goals: &[S::Place],
    scratch: &mut Scratch<S>,
    costs: &mut [u32],
    least: usize,
) -> bool {
    if goals.len() < least || scratch.nodes.reserve(grid.node_count()).is_err() {
        return false;
    }
    grid.search(true, Some(Shape::Zero), from, Sweep { grid, from, goals, scratch });
    for (&goal, cost) in goals.iter().zip(costs) {
        *cost = scratch.nodes.of(grid.node_at(goal)).map_or(u32::MAX, |record| record.g());
    }
    true
}

struct Sweep<'a, S: Grid> {
    grid: &'a S,
    from: S::Place,
    goals: &'a [S::Place],
    scratch: &'a mut Scratch<S>,
}

impl<S: Grid> Search<S> for Sweep<'_, S> {
    type Output = ();

    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, nothing: &D) {
        // No node has this number: the search does not end at one goal.
        const NO_GOAL: NodeId = NodeId(u32::MAX);
        let Sweep { grid, from, goals, scratch } = self;
        // A goal that cannot be reached would make the search look everywhere for it.
        let wanted = |&&goal: &&S::Place| grid.reaches(from, goal);
        begin(graph, nothing, &Sum, grid.node_at(from), scratch);
        let mut slice = 1 << 10;
        while !run(graph, nothing, &Sum, NO_GOAL, scratch, &mut { slice }, &mut Unwatched) {
            // No way costs less than this that has not been followed yet.
            let floor = scratch.ring.floor();
            let is_known = |goal: NodeId| scratch.nodes.of(goal).is_some_and(|record| u64::from(record.g()) <= floor);
            if goals.iter().filter(wanted).all(|&goal| is_known(grid.node_at(goal))) {
                return;
            }
            slice *= 2;
        }
    }
}
