//! Searches between two readings of a clock, for callers that time planners of any kind.
//!
//! [`AnyPlanner::find`] names the places of a route by column and row after the search, which takes time on hexes. Here
//! the clock is read before that, so that what is measured is the planner's call and nothing else.
//!
//! Not here: a clock. The caller brings one.

use super::planner::hex_query;
use super::{AnyPlanner, AnyRoute, AnyScratch, AnySnapshot, by_cell};
use crate::planner::Planner;
use crate::query::{Outcome, Query, QueryError};
use crate::scratch::Scratch;
use crate::space::{Snapshot, Space};

impl AnyPlanner {
    /// Finds a route as [`AnyPlanner::find`] does, and returns with it what `now` returned right before and right after
    /// the search.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn find_clocked<T>(
        &self,
        world: &AnySnapshot,
        query: Query,
        scratch: &mut AnyScratch,
        now: impl Fn() -> T,
    ) -> Result<(Outcome<AnyRoute>, [T; 2]), QueryError> {
        match (self, world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                let begun = now();
                let found = planner.find(world, query, &mut scratch.square);
                let times = [begun, now()];
                Ok((found?.map(AnyRoute::from), times))
            }
            (AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                let query = hex_query(query);
                let begun = now();
                let found = planner.find(world, query, &mut scratch.hex);
                let times = [begun, now()];
                Ok((found.map_err(by_cell)?.map(AnyRoute::from), times))
            }
            _ => Err(self.stale(world).into()),
        }
    }

    /// Plans a route in legs and computes the first leg, and returns what `now` returned right before and right after
    /// both together.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn first_leg_clocked<T>(
        &self,
        world: &AnySnapshot,
        query: Query,
        scratch: &mut AnyScratch,
        now: impl Fn() -> T,
    ) -> Result<[T; 2], QueryError> {
        match (self, world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                first_leg(planner, world, query, &mut scratch.square, now)
            }
            (AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                first_leg(planner, world, hex_query(query), &mut scratch.hex, now).map_err(by_cell)
            }
            _ => Err(self.stale(world).into()),
        }
    }
}

fn first_leg<S: Space, T>(
    planner: &Planner<S>,
    world: &Snapshot<S>,
    query: Query<S::Place>,
    scratch: &mut Scratch<S>,
    now: impl Fn() -> T,
) -> Result<[T; 2], QueryError<S::Place>> {
    let begun = now();
    let mut route = planner.plan(world, query, scratch)?.into_route();
    if let Some(route) = &mut route {
        route.next_leg(planner, world, scratch)?;
    }
    // The clock is read before the route is dropped, as it is for whole routes.
    Ok([begun, now()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::hex::HexGrid;
    use crate::space::square::SquareGrid;
    use std::cell::Cell as Counter;

    #[test]
    fn the_clock_is_read_twice_and_the_answer_is_that_of_find() {
        let squares = SquareGrid::open(9, 9, crate::space::Rules::default()).unwrap();
        let worlds = [AnySnapshot::from(squares), AnySnapshot::from(HexGrid::open(9, 9, None).unwrap())];
        let mut scratch = AnyScratch::new();
        for world in &worlds {
            let query = Query::new((1, 1), (7, 5));
            for algorithm in world.algorithms() {
                let settings = algorithm.settings::<&str, &str>(&[]).unwrap();
                let planner = AnyPlanner::build(world, algorithm, settings).unwrap();
                let reads = Counter::new(0);
                let now = || reads.replace(reads.get() + 1);
                let (found, times) = planner.find_clocked(world, query, &mut scratch, now).unwrap();
                assert_eq!(found, planner.find(world, query, &mut scratch).unwrap());
                assert_eq!((times, reads.get()), ([0, 1], 2));
                assert_eq!(planner.first_leg_clocked(world, query, &mut scratch, now), Ok([2, 3]));
                let other = worlds.iter().find(|other| other.kind() != world.kind()).unwrap();
                assert!(planner.find_clocked(other, query, &mut scratch, now).is_err());
            }
        }
    }
}
