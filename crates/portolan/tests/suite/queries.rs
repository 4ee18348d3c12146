//! Queries: budgets, slices, nearest cells, and the errors for queries that cannot be answered.

use crate::oracle::least_from;
use crate::worlds::{all_rules, draw, on_random_worlds, picture, planners, random_free_cell, random_world};
use portolan::generate::Random;
use portolan::probe::{Event, Probe, Stats, Trace};
use portolan::settings::SettingError;
use portolan::{
    Algorithm, Cell, Metric, Outcome, Planner, Query, QueryError, Rules, Scratch, Snapshot, Space, SquareGrid,
    algorithm,
};

#[test]
fn breadth_first_takes_the_cheapest_of_the_routes_with_fewest_steps() {
    for rules in all_rules() {
        let mut random = Random::new(31);
        for _ in 0..30 {
            let world = random_world(&mut random, rules);
            let planner = Planner::new(&world, "breadth-first").expect("it suits");
            let Some(from) = random_free_cell(&mut random, &world) else { continue };
            for (to, least) in world.cells().zip(least_from(&world, from, |cost| (1, cost))) {
                let outcome = planner.find(&world, Query::new(from, to), &mut Scratch::new()).expect("a sound query");
                let found = outcome.route().map(|route| (route.steps() as u64, u64::from(route.cost().0)));
                assert_eq!(found, least, "from {from} to {to} {}", picture(&world));
            }
        }
    }
}

#[test]
fn counts_are_those_of_the_events() {
    let mut scratch = Scratch::new();
    for rules in all_rules() {
        let mut random = Random::new(32);
        for _ in 0..10 {
            let world = random_world(&mut random, rules);
            let Some(from) = random_free_cell(&mut random, &world) else { continue };
            let query = Query::new(from, random_free_cell(&mut random, &world).expect("there is one"));
            for planner in planners(&world) {
                let (mut counted, mut trace, mut expected) = (Stats::default(), Trace::default(), Stats::default());
                planner.watch(&world, query, &mut scratch, &mut counted).expect("a sound query");
                planner.watch(&world, query, &mut scratch, &mut trace).expect("a sound query");
                trace.events.iter().for_each(|&event| expected.event(event));
                assert_eq!(counted, expected, "{} {}", planner.algorithm().name, picture(&world));
            }
        }
    }
}

#[test]
fn slices_of_any_size_give_the_same_route_and_events_as_one_go() {
    let mut scratch = Scratch::new();
    on_random_worlds(77, 30, |random, world, from| {
        let to = random_free_cell(random, world).expect("there is one");
        for planner in planners(world) {
            let query = Query::new(from, to);
            let whole = planner.find(world, query, &mut scratch).expect("a sound query");
            for slice in [1, 3, 50] {
                planner.begin(world, query, &mut scratch).expect("a sound query");
                let sliced = loop {
                    if let Some(outcome) = planner.step(world, &mut scratch, slice).expect("begun above") {
                        break outcome;
                    }
                };
                assert_eq!(whole, sliced, "{} in slices of {slice}", planner.algorithm().name);
            }
            let (mut once, mut often) = (Trace::default(), Trace::default());
            planner.watch(world, query, &mut scratch, &mut once).expect("a sound query");
            planner.begin(world, query, &mut scratch).expect("a sound query");
            let slice = 1 + random.below(20);
            let watched = loop {
                let step = planner.watch_step(world, &mut scratch, slice, &mut often);
                if let Some(outcome) = step.expect("begun above") {
                    break outcome;
                }
            };
            assert_eq!(whole, watched, "{} watched in slices of {slice}", planner.algorithm().name);
            assert!(once == often, "{} tells otherwise in slices of {slice}", planner.algorithm().name);
        }
    });
}

#[test]
fn a_budget_above_what_a_search_has_reported_is_enough() {
    let mut scratch = Scratch::new();
    for (rules, seed) in all_rules().into_iter().zip(0..) {
        let mut random = Random::new(seed);
        for _ in 0..40 {
            let world = random_world(&mut random, rules);
            let Some(from) = random_free_cell(&mut random, &world) else { continue };
            let to = random_free_cell(&mut random, &world).expect("there is one");
            for planner in planners(&world).iter().filter(|planner| planner.algorithm().name != "ida-star") {
                let (query, mut stats) = (Query::new(from, to), Stats::default());
                let outcome = planner.watch(&world, query, &mut scratch, &mut stats).expect("a sound query");
                let limited = planner.find(&world, query.budget(stats.expanded + 1), &mut scratch);
                assert_eq!(Ok(outcome), limited, "{} having expanded {}", planner.algorithm().name, stats.expanded);
            }
        }
    }
}

/// The straight way leads over heavy ground and costs more than a `Cost` can hold. The way over the light ground beside
/// it costs less.
#[test]
fn a_route_that_can_be_counted_is_found_though_another_cannot() {
    let (width, mut scratch) = (300, Scratch::new());
    let weights: Vec<u8> = (0..width * 3).map(|at| if at / width == 1 { 255 } else { 1 }).collect();
    let metric = Some(Metric::new(65_535, 65_535).expect("a sound metric"));
    let rules = Rules { metric, ..Rules::default() };
    let world = Snapshot::from(SquareGrid::from_weights(width, 3, &weights, rules).expect("a sound size"));
    for planner in planners(&world).iter().filter(|planner| planner.algorithm().name != "ida-star") {
        let name = planner.algorithm().name;
        let query = Query::new((0, 1), (299, 1));
        let found = planner.find(&world, query, &mut scratch).expect("a sound query");
        let Outcome::Reached(route) = found else { panic!("{name}: {}", found.name()) };
        route.check(&world).expect("every step can be taken");
        let planned = planner.plan(&world, query, &mut scratch).expect("a sound query");
        assert!(matches!(planned, Outcome::Reached(_)), "{name}");
        planner.begin(&world, query, &mut scratch).expect("a sound query");
        let sliced = loop {
            if let Some(outcome) = planner.step(&world, &mut scratch, 9).expect("begun above") {
                break outcome;
            }
        };
        assert_eq!(sliced, Outcome::Reached(route), "{name}");
    }
}

#[test]
fn a_budget_is_kept_to_the_expansion() {
    let world = draw("s.......\n.######.\n.......g", Rules::default());
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let name = planner.algorithm().name;
        let query = Query::new((0, 0), (7, 2));
        let mut stats = Stats::default();
        let outcome = planner.watch(&world, query, &mut scratch, &mut stats).expect("a sound query");
        assert!(matches!(outcome, Outcome::Reached(_)), "{name}");
        let needed = stats.expanded;
        let at = |budget| planner.find(&world, query.budget(budget), &mut Scratch::new()).expect("a sound query");
        assert_eq!(at(0), Outcome::OutOfBudget, "{name}");
        if needed > 1 {
            // An anytime search may have a route by then, and says how good it is.
            let half = at(needed / 2);
            let has_bound = half.route().is_some_and(|route| route.bound().is_some());
            assert!(half == Outcome::OutOfBudget || has_bound, "{name}");
        }
        assert_eq!(at(needed + 1), outcome, "{name}");
    }
}

#[test]
fn unreachable_goals_cost_no_search() {
    let world = draw("s...#g\n....#.\n....#.", Rules::default());
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let mut trace = Trace::default();
        let outcome = planner.watch(&world, Query::new((0, 0), (5, 0)), &mut scratch, &mut trace);
        assert_eq!((outcome, trace.events), (Ok(Outcome::Unreachable), vec![]), "{}", planner.algorithm().name);
        let blocked = planner.find(&world, Query::new((0, 0), (4, 1)), &mut scratch);
        assert_eq!(blocked, Ok(Outcome::Unreachable));
    }
}

#[test]
fn nearest_goes_as_far_as_it_can() {
    let world = draw("s...#g\n....#.\n....#.", Rules::default());
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let name = planner.algorithm().name;
        let ends = |to| match planner.find(&world, Query::new((0, 0), to).nearest(), &mut Scratch::new()) {
            Ok(Outcome::Partial(route)) => *route.cells().last().expect("a route"),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(ends((5, 0)), Cell::new(3, 0), "{name}: behind the wall");
        assert_eq!(ends((4, 1)), Cell::new(3, 1), "{name}: in the wall");
        let reached = planner.find(&world, Query::new((0, 0), (3, 2)).nearest(), &mut scratch);
        assert!(matches!(reached, Ok(Outcome::Reached(_))), "{name}");
        let stays = planner.find(&world, Query::new((3, 0), (5, 0)).nearest(), &mut scratch);
        assert!(matches!(stays, Ok(Outcome::Partial(route)) if route.cells() == [Cell::new(3, 0)]), "{name}");
    }
}

#[test]
fn what_cannot_be_asked_is_an_error() {
    let world = draw("s..#\n...g", Rules::default());
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let mut ask = |from: (u16, u16), to: (u16, u16)| {
            let query = Query::new(from, to);
            let answer = planner.find(&world, query, &mut scratch);
            assert_eq!(query.check(&world).err(), answer.as_ref().err().copied(), "known without a planner");
            answer
        };
        assert!(ask((0, 0), (3, 1)).is_ok() && ask((0, 0), (3, 0)).is_ok());
        let off = |x, y| Err(QueryError::OffMap { cell: Cell::new(x, y), width: 4, height: 2 });
        assert_eq!(ask((4, 0), (0, 0)), off(4, 0));
        assert_eq!(ask((0, 0), (0, 2)), off(0, 2));
        assert_eq!(ask((3, 0), (0, 0)), Err(QueryError::StartBlocked(Cell::new(3, 0))));
        assert_eq!(planner.step(&world, &mut Scratch::new(), 1), Err(QueryError::NothingBegun));
        let twin = Planner::new(&world, planner.algorithm().name).expect("it suits");
        twin.begin(&world, Query::new((0, 0), (3, 1)), &mut scratch).expect("a sound query");
        let not_its_own = planner.step(&world, &mut scratch, 1);
        assert_eq!(not_its_own, Err(QueryError::NothingBegun), "a search belongs to the planner that began it");
    }
}

#[test]
fn routes_too_long_to_count_say_so() {
    let metric = Some(Metric::new(65_535, 65_535).expect("a sound metric"));
    let far: Vec<u8> = vec![255; 300];
    let world: Snapshot = SquareGrid::from_weights(300, 1, &far, Rules { metric, ..Rules::default() }).unwrap().into();
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let near = planner.find(&world, Query::new((0, 0), (256, 0)), &mut scratch).expect("a sound query");
        assert!(near.route().is_some_and(|route| route.check(&world).is_ok()), "{}", planner.algorithm().name);
        let far = planner.find(&world, Query::new((0, 0), (299, 0)), &mut scratch);
        assert_eq!(far, Ok(Outcome::TooFar), "{}", planner.algorithm().name);
    }
}

#[test]
fn settings_are_checked() {
    let weighted: &Algorithm = algorithm("weighted-a-star").expect("a known name");
    assert!(weighted.settings(&[("weight", "2.5")]).is_ok());
    assert!(matches!(weighted.settings(&[("weight", "0.5")]), Err(SettingError::Value { key: "weight", .. })));
    assert!(matches!(weighted.settings(&[("weight", "NaN")]), Err(SettingError::Value { .. })));
    assert!(matches!(weighted.settings(&[("speed", "1")]), Err(SettingError::Unknown { .. })));
    assert!(Planner::new(&draw("..", Rules::default()), "astar").is_err());
    assert!(Planner::new(&draw("19", Rules::default()), "jump-point").is_err());
}

/// Returns what a search tells statistics and what it tells a trace, and asserts that the one counts the other.
pub(crate) fn told<S: Space>(
    world: &Snapshot<S>,
    planner: &Planner<S>,
    query: Query<S::Place>,
    scratch: &mut Scratch<S>,
) -> (Stats, Trace) {
    let name = planner.algorithm().name;
    let (mut stats, mut trace) = (Stats::default(), Trace::default());
    planner.watch(world, query, scratch, &mut stats).expect("a sound query");
    planner.watch(world, query, scratch, &mut trace).expect("a sound query");
    let count = |kind: fn(&Event) -> bool| trace.events.iter().filter(|event| kind(event)).count() as u64;
    assert_eq!(stats.expanded, count(|event| matches!(event, Event::Expand { .. })), "{name}");
    assert_eq!(stats.generated, count(|event| matches!(event, Event::Generate { .. })), "{name}");
    assert_eq!(stats.pushes, count(|event| matches!(event, Event::Push { .. })), "{name}");
    assert_eq!(stats.pops, count(|event| matches!(event, Event::Pop { .. })), "{name}");
    (stats, trace)
}

#[test]
fn statistics_add_up() {
    let world = draw("s........\n.#######.\n.#.....#.\n.#.###.#.\n....#...g", Rules::default());
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let name = planner.algorithm().name;
        let (stats, _) = told(&world, &planner, Query::new((0, 0), (8, 4)), &mut scratch);
        if name.ends_with("hpa-star") || name == "haa-star" || name == "rhumb" || name == "minimal-memory" {
            continue; // these have one cluster for the whole world, or do not search, and so use no open list
        }
        assert!(stats.expanded > 0 && stats.generated > 0, "{name}");
        if name != "ida-star" {
            // The entry that a search begins with is popped but reported as no push: one entry, or two if the search
            // begins at both ends.
            assert!(
                stats.pops <= stats.pushes + 2 && stats.open_max > 0 && stats.open_mean() > 0.0,
                "{name}: {stats:?}"
            );
        }
    }
}
