//! Searches that have a route early and better ones later: every route given out is legal and keeps to its bound, routes
//! get no dearer, and the last one is the one that a search in one call finds.

use crate::hex::oracle::costs_from as hex_costs_from;
use crate::hex::worlds::{on_random_worlds as on_random_hexes, random_free_cell as random_free_hex};
use crate::oracle::costs_from;
use crate::worlds::{Pictured, build, on_random_worlds, random_free_cell};
use portolan::generate::Random;
use portolan::probe::{Event, Trace};
use portolan::{Outcome, Planner, Query, Scratch, Snapshot};

/// The anytime searches.
const ANYTIME: [&str; 2] = ["ara-star", "ad-star"];

/// Settings that make many rounds, few, and one.
const SETTINGS: [&[(&str, &str)]; 4] =
    [&[], &[("epsilon", "6"), ("step", "0.3")], &[("epsilon", "1.3"), ("step", "0.1")], &[("epsilon", "1")]];

/// Searches in slices of random sizes and looks at the best route after each.
fn follow<S: Pictured>(
    random: &mut Random,
    world: &Snapshot<S>,
    planner: &Planner<S>,
    query: Query<S::Place>,
    truth: u64,
) -> usize {
    let about = || format!("{} {:?}, {query:?} on {}", planner.algorithm().name, planner.settings(), world.picture());
    let (mut scratch, mut last, mut seen) = (Scratch::new(), u64::MAX, 0);
    let whole = planner.find(world, query, &mut scratch).expect("a sound query");
    planner.begin(world, query, &mut scratch).expect("a sound query");
    let sliced = loop {
        if let Some(outcome) = planner.step(world, &mut scratch, 1 + random.below(6)).expect("begun above") {
            break outcome;
        }
        let Some(route) = planner.so_far(world, &mut scratch) else {
            assert_eq!(last, u64::MAX, "a route was lost: {}", about());
            continue;
        };
        route.check(world).unwrap_or_else(|error| panic!("{error}: {}", about()));
        assert_eq!((route.cells()[0], route.cells()[route.steps()]), (query.from, query.to), "{}", about());
        let (cost, bound) = (u64::from(route.cost().0), route.bound().expect("the search has not ended"));
        assert!(cost as f64 <= bound * truth as f64 * (1.0 + 1e-12), "{cost} > {bound} * {truth}: {}", about());
        assert!(bound >= 1.0 && cost <= last, "{bound}, {cost} after {last}: {}", about());
        (last, seen) = (cost, seen + 1);
    };
    assert_eq!(sliced, whole, "{}", about());
    let Outcome::Reached(route) = &whole else { panic!("{whole:?}: {}", about()) };
    assert!(u64::from(route.cost().0) == truth && route.bound().is_none(), "{}", about());
    ends_with_the_best_route(random, world, planner, query, truth);
    seen
}

/// A budget that ends a search gives the best route by then, with its bound.
fn ends_with_the_best_route<S: Pictured>(
    random: &mut Random,
    world: &Snapshot<S>,
    planner: &Planner<S>,
    query: Query<S::Place>,
    truth: u64,
) {
    let mut scratch = Scratch::new();
    let budget = 1 + random.below(80);
    let outcome = planner.find(world, query.budget(budget), &mut scratch).expect("a sound query");
    planner.begin(world, query, &mut scratch).expect("a sound query");
    let ended = planner.step(world, &mut scratch, budget).expect("begun above");
    let by_then = ended.map_or_else(|| planner.so_far(world, &mut scratch), Outcome::into_route);
    assert_eq!(outcome.route(), by_then.as_ref(), "{} within {budget}", planner.algorithm().name);
    if let Some(route) = outcome.route() {
        assert!(f64::from(route.cost().0) <= route.bound().unwrap_or(1.0) * truth as f64 * (1.0 + 1e-12));
    }
}

#[test]
fn routes_so_far_keep_to_their_bounds() {
    let mut seen = 0;
    on_random_worlds(31, 300, |random, world, from| {
        let Some(to) = random_free_cell(random, world).filter(|&to| to != from) else { return };
        let Some(truth) = costs_from(world, from)[usize::from(to.y) * world.width() + usize::from(to.x)] else {
            return;
        };
        for name in ANYTIME {
            let planner = build(world, name, SETTINGS[random.below(4) as usize]);
            seen += follow(random, world, &planner, Query::new(from, to), truth);
        }
    });
    assert!(seen > 500, "{seen} routes seen");
}

#[test]
fn routes_so_far_keep_to_their_bounds_on_hexes() {
    let mut seen = 0;
    on_random_hexes(32, 1000, |random, world, from| {
        let Some(to) = random_free_hex(random, world).filter(|&to| to != from) else { return };
        let Some(truth) = hex_costs_from(world, from).get(&to).copied() else { return };
        for name in ANYTIME {
            let algorithm = portolan::HEX_ALGORITHMS.iter().find(|algorithm| algorithm.name == name);
            let algorithm = algorithm.expect("it runs on hexes");
            let settings = algorithm.settings(SETTINGS[random.below(4) as usize]).expect("sound settings");
            let planner = Planner::build(world, algorithm, settings).expect("it suits");
            seen += follow(random, world, &planner, Query::new(from, to), truth);
        }
    });
    assert!(seen > 500, "{seen} routes seen");
}

/// Each round ends with a better bound, and the bound is that of the round's factor or better.
#[test]
fn rounds_are_told() {
    let mut most = 0;
    on_random_worlds(8, 60, |random, world, from| {
        let Some(to) = random_free_cell(random, world).filter(|&to| to != from) else { return };
        for name in ANYTIME {
            let planner = build(world, name, &[("epsilon", "3"), ("step", "0.2")]);
            let mut trace = Trace::default();
            planner.watch(world, Query::new(from, to), &mut Scratch::new(), &mut trace).expect("a sound query");
            let (mut rounds, mut last) = (0, 3.0);
            for event in trace.events {
                if let Event::Round { cost, least } = event {
                    let bound = f64::from(cost) / f64::from(least);
                    assert!((1.0..=last).contains(&bound), "{bound} after {last} with {name}");
                    (rounds, last) = (rounds + 1, bound);
                }
            }
            most = rounds.max(most);
        }
    });
    assert!(most > 2, "{most} rounds at most");
}

#[test]
fn a_search_that_is_over_or_of_another_planner_has_no_route_so_far() {
    on_random_worlds(5, 1, |_, world, from| {
        let mut scratch = Scratch::new();
        let [ours, other] = ["ara-star", "a-star"].map(|name| build(world, name, &[]));
        assert_eq!(ours.so_far(world, &mut scratch), None);
        ours.begin(world, Query::new(from, from), &mut scratch).expect("a sound query");
        assert_eq!((ours.so_far(world, &mut scratch), other.so_far(world, &mut scratch)), (None, None));
        ours.step(world, &mut scratch, 1).expect("it is still under way").expect("it is there already");
        assert_eq!(ours.so_far(world, &mut scratch), None);
    });
}
