//! Random worlds compared with the oracle: every algorithm keeps its promise, every route is legal, and its cost is
//! right.

use crate::oracle::costs_from;
use crate::worlds::{Pictured, on_random_worlds, planners};
use portolan::{Cell, Motion, Outcome, Planner, Query, Scratch, Snapshot};

/// Puts one query to one planner and compares the answer with the true cost, which is `None` if there is no route.
pub(crate) fn check<S: Pictured>(
    world: &Snapshot<S>,
    planner: &Planner<S>,
    from: S::Place,
    to: S::Place,
    truth: Option<u64>,
    scratch: &mut Scratch<S>,
) {
    let outcome = planner.find(world, Query::new(from, to), scratch).expect("a sound query");
    let about = || {
        let name = planner.algorithm().name;
        format!("{name} {:?} from {from} to {to} on\n{}", planner.settings(), world.picture())
    };
    let Some(truth) = truth else {
        assert_eq!(outcome, Outcome::Unreachable, "{}", about());
        return;
    };
    let Outcome::Reached(route) = outcome else {
        let gave_up = planner.algorithm().name == "ida-star" && outcome == Outcome::OutOfBudget;
        assert!(gave_up, "{outcome:?}, not a route of {truth}: {}", about());
        return;
    };
    route.check(world).unwrap_or_else(|error| panic!("{error}: {}", about()));
    assert_eq!((route.cells().first(), route.cells().last()), (Some(&from), Some(&to)), "{}", about());
    let cost = u64::from(route.cost().0);
    // Straight lines may cost less than the cheapest steps. What `anya` promises is about lines: `any_angle` checks it.
    let least = if route.motion() == Motion::AnyAngle { 0 } else { truth };
    let bound = if planner.algorithm().name == "anya" { f64::INFINITY } else { planner.promise(world).bound() };
    let within = bound.is_infinite() || cost as f64 <= truth as f64 * bound + 1e-9;
    assert!(cost >= least && within, "cost {cost}, true cost {truth}: {}", about());
}

#[test]
fn every_algorithm_keeps_its_promise() {
    let mut scratch = Scratch::new();
    on_random_worlds(2004, 300, |random, world, from| {
        let truth = costs_from(world, from);
        let planners = planners(world);
        for _ in 0..6 {
            let to =
                Cell { x: random.below(world.width() as u64) as u16, y: random.below(world.height() as u64) as u16 };
            let cost = truth[usize::from(to.y) * world.width() + usize::from(to.x)];
            for planner in &planners {
                check(world, planner, from, to, cost, &mut scratch);
            }
        }
    });
}
