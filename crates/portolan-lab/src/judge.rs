//! Checks whether an answer keeps the promise of its algorithm: [`judge`].
//!
//! Not here: running the queries. Races and audits do that and judge their answers with this module.

use crate::queries::Trial;
use portolan::any::{AnyPlanner, AnyRoute, AnyScratch, AnySnapshot};
use portolan::{Cell, Cost, Motion, Outcome, Promise, RouteError};
use std::convert::Infallible;

/// How far a length may differ from the one that a scenario states, because scenarios round lengths.
pub const TOLERANCE: f64 = 0.01;

/// The length and cost of the best route of a trial.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Optimum {
    /// Length of a cheapest route.
    pub length: f64,
    /// Cost of a cheapest route in the world's metric, if it was computed and not stated.
    pub cost: Option<Cost>,
}

/// Where the optimum comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reference {
    /// The length that the trial states, if there is one; otherwise the optimum is computed.
    Stated,
    /// The optimum is always computed, because stated lengths do not hold under this world's rules.
    Computed,
}

/// Returns the optimum of each trial: as stated, or computed by the exact algorithm of the world's kind with all
/// successors. It is `None` if there is no route.
///
/// # Panics
/// When a trial starts off the map or on a blocked cell; [`crate::queries`] makes no such trials.
pub fn optima(world: &AnySnapshot, trials: &[Trial], reference: Reference) -> Vec<Option<Optimum>> {
    optima_each(world, trials, reference, || Ok::<(), Infallible>(())).unwrap_or_else(|never| match never {})
}

/// Returns what [`optima`] returns. Calls `after_each` after each trial and stops at its first error.
pub(crate) fn optima_each<E>(
    world: &AnySnapshot,
    trials: &[Trial],
    reference: Reference,
    mut after_each: impl FnMut() -> Result<(), E>,
) -> Result<Vec<Option<Optimum>>, E> {
    let mut planner = None;
    let mut scratch = AnyScratch::new();
    let mut computed = |trial: &Trial| {
        let planner = planner.get_or_insert_with(|| plain_planner(world));
        let outcome = planner.find(world, trial.query(None), &mut scratch).expect("trials start on free cells");
        outcome.route().map(|route| Optimum { length: route.length(world), cost: Some(route.cost()) })
    };
    let one = |trial: &Trial| match trial.stated {
        Some(length) if reference == Reference::Stated => Some(Optimum { length, cost: None }),
        _ => computed(trial),
    };
    trials.iter().map(one).map(|optimum| after_each().map(|()| optimum)).collect()
}

/// Returns a planner that finds cheapest routes and prunes no successors.
pub(crate) fn plain_planner(world: &AnySnapshot) -> AnyPlanner {
    let exact = world.exact();
    let settings = exact.settings(&[("successors", "all")]).expect("exact searches have plain successors");
    AnyPlanner::build(world, exact, settings).expect("the exact algorithm runs on every world")
}

/// What is wrong with an answer.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Fault {
    /// The route is not legal, or its cost is not the one that it states.
    #[error(transparent)]
    Illegal(#[from] RouteError),
    /// The route does not lead from the start to the goal.
    #[error("the route leads from {from} to {to}")]
    Ends {
        /// Its first cell.
        from: Cell,
        /// Its last cell.
        to: Cell,
    },
    /// The route is longer than promised.
    #[error("length {length:.4} where {promise} was promised and the optimum is {optimum:.4}")]
    TooLong {
        /// The route's length.
        length: f64,
        /// The optimum.
        optimum: f64,
        /// The algorithm's promise.
        promise: Promise,
    },
    /// The route is legal and shorter than the optimum, so that the supposed optimum is wrong.
    #[error("length {length:.4} is shorter than the optimum, {optimum:.4}")]
    TooShort {
        /// The route's length.
        length: f64,
        /// The length that was supposed to be the optimum.
        optimum: f64,
    },
    /// There is a route, although the trial states that there is none.
    #[error("a route of length {length:.4} although there is said to be none")]
    Unexpected {
        /// The route's length.
        length: f64,
    },
    /// There is no route in the answer, although one exists.
    #[error("{outcome} although there is a route of length {optimum:.4}")]
    Unsolved {
        /// How the search ended.
        outcome: &'static str,
        /// The optimum.
        optimum: f64,
    },
}

/// Returns the ratio of the answer's route to the optimum if the answer solves the trial. Returns `None` if there is no
/// route to find, or if the search was allowed to give up and did.
///
/// The ratio is below 1 if a route of straight lines at any angle is shorter than the optimum, which is one of steps.
///
/// A stated optimum is compared by length, within [`TOLERANCE`]. A computed optimum is compared by cost, because under
/// a coarse metric such as 10/14 routes of equal cost differ in length. This comparison is exact if the algorithm
/// promises the optimum.
///
/// # Errors
/// When the answer breaks the algorithm's promise; the fault says how.
pub fn judge(
    world: &AnySnapshot,
    trial: &Trial,
    optimum: Option<Optimum>,
    promise: Promise,
    may_give_up: bool,
    outcome: &Outcome<AnyRoute>,
) -> Result<Option<f64>, Fault> {
    let Some(route) = outcome.route() else {
        let gave_up = may_give_up && matches!(outcome, Outcome::OutOfBudget);
        return match optimum {
            Some(optimum) if !gave_up => Err(Fault::Unsolved { outcome: outcome.name(), optimum: optimum.length }),
            _ => Ok(None),
        };
    };
    route.check(world)?;
    let (from, to) = (route.cells()[0], route.cells()[route.steps()]);
    if (from, to) != (trial.from, trial.to) {
        return Err(Fault::Ends { from, to });
    }
    let length = route.length(world);
    let optimum = optimum.ok_or(Fault::Unexpected { length })?;
    if route.motion() == Motion::AnyAngle {
        return judge_lines(world, trial, optimum, promise, route);
    }
    let straight = f64::from(world.metric().straight());
    let (measured, least, slack, exactness) = match optimum.cost {
        Some(cost) => (f64::from(route.cost().0), f64::from(cost.0), TOLERANCE * straight, 0.0),
        None => (length, optimum.length, TOLERANCE, TOLERANCE),
    };
    // A search that a budget ended says itself how good its route is.
    let promise = route.bound().map_or(promise, |bound| if may_give_up { Promise::Within(bound) } else { promise });
    let most = match promise {
        Promise::Optimal => least + exactness,
        Promise::Within(ratio) => least * ratio + slack,
        Promise::Complete => f64::INFINITY,
    };
    if measured > most {
        return Err(Fault::TooLong { length, optimum: optimum.length, promise });
    }
    if measured < least - exactness {
        return Err(Fault::TooShort { length, optimum: optimum.length });
    }
    Ok(Some(if least > 0.0 { measured / least } else { 1.0 }))
}

/// Judges a legal route of straight lines at any angle. It may be shorter than the optimum, which is one of steps, but not
/// shorter than the line from start to goal. It keeps its promise if it does so by length or by cost, because a metric may
/// count diagonal steps for less than their length.
fn judge_lines(
    world: &AnySnapshot,
    trial: &Trial,
    optimum: Optimum,
    promise: Promise,
    route: &AnyRoute,
) -> Result<Option<f64>, Fault> {
    let length = route.length(world);
    let within = |measured: f64, least: f64| measured <= least * promise.bound() + TOLERANCE;
    let by_cost = optimum.cost.is_some_and(|cost| within(f64::from(route.cost().0), f64::from(cost.0)));
    if promise != Promise::Complete && !within(length, optimum.length) && !by_cost {
        return Err(Fault::TooLong { length, optimum: optimum.length, promise });
    }
    let (across, down) = (trial.from.x.abs_diff(trial.to.x), trial.from.y.abs_diff(trial.to.y));
    let least = f64::from(across).hypot(f64::from(down));
    if length < least - TOLERANCE {
        return Err(Fault::TooShort { length, optimum: least });
    }
    Ok(Some(if optimum.length > 0.0 { length / optimum.length } else { 1.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::{HexGrid, Metric, Rules, SquareGrid};

    fn open() -> AnySnapshot {
        let rules = Rules { metric: Some(Metric::new(10, 14).unwrap()), ..Rules::default() };
        AnySnapshot::from(SquareGrid::open(9, 9, rules).unwrap())
    }

    fn trial(stated: Option<f64>) -> Trial {
        Trial { from: Cell::new(1, 1), to: Cell::new(4, 1), stated }
    }

    fn walk(cells: &[(u16, u16)], cost: u32) -> Outcome<AnyRoute> {
        let cells = cells.iter().map(|&cell| cell.into()).collect();
        Outcome::Reached(AnyRoute::new(cells, Cost(cost), Motion::Steps))
    }

    fn verdict(stated: Option<f64>, promise: Promise, outcome: &Outcome<AnyRoute>) -> Result<Option<f64>, Fault> {
        let (world, trial) = (open(), trial(stated));
        let optimum = optima(&world, &[trial], Reference::Stated)[0];
        judge(&world, &trial, optimum, promise, false, outcome)
    }

    #[test]
    fn a_straight_walk_is_optimal() {
        let straight = walk(&[(1, 1), (2, 1), (3, 1), (4, 1)], 30);
        assert_eq!(verdict(None, Promise::Optimal, &straight), Ok(Some(1.0)));
        assert_eq!(verdict(Some(3.0), Promise::Optimal, &straight), Ok(Some(1.0)));
    }

    #[test]
    fn a_detour_breaks_optimality_but_not_a_bound() {
        let detour = walk(&[(1, 1), (2, 2), (3, 2), (4, 1)], 38);
        for stated in [None, Some(3.0)] {
            assert!(matches!(verdict(stated, Promise::Optimal, &detour), Err(Fault::TooLong { .. })));
            assert!(matches!(verdict(stated, Promise::Within(1.1), &detour), Err(Fault::TooLong { .. })));
            assert!(matches!(verdict(stated, Promise::Within(1.5), &detour), Ok(Some(ratio)) if ratio > 1.2));
            assert!(verdict(stated, Promise::Complete, &detour).is_ok());
        }
    }

    #[test]
    fn doctored_routes_are_caught() {
        let jump = walk(&[(1, 1), (4, 1)], 30);
        assert!(matches!(verdict(None, Promise::Complete, &jump), Err(Fault::Illegal(RouteError::Step { .. }))));
        let cheap = walk(&[(1, 1), (2, 1), (3, 1), (4, 1)], 29);
        assert!(matches!(verdict(None, Promise::Complete, &cheap), Err(Fault::Illegal(RouteError::Cost { .. }))));
        let elsewhere = walk(&[(1, 1), (2, 1)], 10);
        assert!(matches!(verdict(None, Promise::Complete, &elsewhere), Err(Fault::Ends { .. })));
    }

    #[test]
    fn a_route_shorter_than_stated_is_a_fault_of_somebody() {
        let straight = walk(&[(1, 1), (2, 1), (3, 1), (4, 1)], 30);
        assert!(matches!(verdict(Some(3.02), Promise::Complete, &straight), Err(Fault::TooShort { .. })));
    }

    #[test]
    fn hexes_are_judged_by_their_own_steps() {
        let world = AnySnapshot::from(HexGrid::open(9, 9, Some(Metric::new(10, 10).unwrap())).unwrap());
        let trial = trial(None);
        let optimum = optima(&world, &[trial], Reference::Computed)[0];
        assert_eq!(optimum, Some(Optimum { length: 3.0, cost: Some(Cost(30)) }));
        let judged = |outcome: &Outcome<AnyRoute>| judge(&world, &trial, optimum, Promise::Optimal, false, outcome);
        assert_eq!(judged(&walk(&[(1, 1), (2, 1), (3, 1), (4, 1)], 30)), Ok(Some(1.0)));
        let detour = walk(&[(1, 1), (2, 2), (3, 2), (4, 2), (4, 1)], 40);
        assert!(matches!(judged(&detour), Err(Fault::TooLong { .. })));
        // One step down and to the left of an odd row is none: that column lies two steps away.
        let jump = walk(&[(1, 1), (0, 2), (1, 1), (2, 1), (3, 1), (4, 1)], 50);
        assert!(matches!(judged(&jump), Err(Fault::Illegal(RouteError::Step { index: 0, .. }))), "{:?}", judged(&jump));
    }

    #[test]
    fn giving_up_is_allowed_only_to_those_with_a_budget() {
        let (world, trial) = (open(), trial(None));
        let optimum = optima(&world, &[trial], Reference::Stated)[0];
        let judged = |may, outcome| judge(&world, &trial, optimum, Promise::Optimal, may, &outcome);
        assert_eq!(judged(true, Outcome::OutOfBudget), Ok(None));
        assert!(matches!(judged(false, Outcome::OutOfBudget), Err(Fault::Unsolved { .. })));
        assert!(matches!(judged(true, Outcome::Unreachable), Err(Fault::Unsolved { .. })));
        assert_eq!(judge(&world, &trial, None, Promise::Optimal, false, &Outcome::Unreachable), Ok(None));
    }
}
