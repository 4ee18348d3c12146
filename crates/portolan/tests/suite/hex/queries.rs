//! Queries on hexes: budgets, slices, nearest cells, costs that cannot be counted, and the errors for queries that
//! cannot be answered.
//!
//! Not here: whether routes are the cheapest (`random_worlds.rs`).

use super::worlds::{draw, find, grid_of, on_random_worlds, planners, random_free_cell};
use crate::queries::told;
use portolan::probe::{Event, Stats, Trace};
use portolan::settings::SettingError;
use portolan::{HexCell, HexGrid, HexShape, Metric, Outcome, Planner, Query, QueryError, Route, Scratch, Snapshot};

type Found = Outcome<Route<HexGrid>>;

/// Searches in slices of this many expansions and sends the events to the probe.
fn sliced(
    world: &Snapshot<HexGrid>,
    planner: &Planner<HexGrid>,
    query: Query<HexCell>,
    slice: u64,
    trace: &mut Trace,
) -> Found {
    let mut scratch = Scratch::new();
    planner.begin(world, query, &mut scratch).expect("a sound query");
    loop {
        if let Some(outcome) = planner.watch_step(world, &mut scratch, slice, trace).expect("begun above") {
            return outcome;
        }
    }
}

#[test]
fn slices_of_any_size_give_the_same_route_and_events_as_one_go() {
    let mut scratch = Scratch::new();
    on_random_worlds(78, 60, |random, world, from| {
        let query = Query::new(from, random_free_cell(random, world).expect("there is one"));
        let slice = 4 + random.below(60);
        for planner in planners(world) {
            let mut once = Trace::default();
            let whole = planner.watch(world, query, &mut scratch, &mut once).expect("a sound query");
            assert_eq!(planner.find(world, query, &mut scratch), Ok(whole.clone()), "a probe changes nothing");
            for slice in [1, 3, slice] {
                let mut often = Trace::default();
                let name = planner.algorithm().name;
                assert_eq!(sliced(world, &planner, query, slice, &mut often), whole, "{name} in slices of {slice}");
                assert!(once == often, "{name} tells otherwise in slices of {slice}");
            }
        }
    });
}

const AROUND: &str = "
    s . . . . . .
     . # # # # # .
    . . . . . . g";

/// Returns start and goal of a picture.
fn ends(picture: &str) -> Query<HexCell> {
    let [from, to] = ['s', 'g'].map(|letter| find(picture, letter).expect("it is drawn"));
    Query::new(from, to)
}

#[test]
fn a_budget_is_kept_to_the_expansion() {
    let (world, query) = (draw(AROUND, 1, None), ends(AROUND));
    for planner in planners(&world) {
        let name = planner.algorithm().name;
        let mut stats = Stats::default();
        let outcome = planner.watch(&world, query, &mut Scratch::new(), &mut stats).expect("a sound query");
        assert!(matches!(outcome, Outcome::Reached(_)), "{name}");
        let needed = stats.expanded;
        let at = |budget| planner.find(&world, query.budget(budget), &mut Scratch::new()).expect("a sound query");
        assert_eq!(at(0), Outcome::OutOfBudget, "{name}");
        // An anytime search may have a route by then, and says how good it is.
        let half = at(needed / 2);
        let has_bound = half.route().is_some_and(|route| route.bound().is_some());
        assert!(half == Outcome::OutOfBudget || has_bound, "{name}");
        assert_eq!(at(needed + 1), outcome, "{name}");
    }
}

#[test]
fn the_budget_of_a_query_goes_before_that_of_the_settings() {
    let (world, query) = (draw(AROUND, 1, None), ends(AROUND));
    let ida_star =
        portolan::HEX_ALGORITHMS.iter().find(|algorithm| algorithm.name == "ida-star").expect("a known name");
    let settings = ida_star.settings(&[("budget", "1")]).expect("sound settings");
    let planner = Planner::build(&world, ida_star, settings).expect("it suits");
    let mut scratch = Scratch::new();
    assert_eq!(planner.find(&world, query, &mut scratch), Ok(Outcome::OutOfBudget));
    assert!(matches!(planner.find(&world, query.budget(9_999), &mut scratch), Ok(Outcome::Reached(_))));
}

const CUT: &str = "
    s . . # .
     . . . # g
    . . . # .";

#[test]
fn unreachable_goals_cost_no_search() {
    let world = draw(CUT, 1, None);
    for planner in planners(&world) {
        let mut trace = Trace::default();
        let outcome = planner.watch(&world, ends(CUT), &mut Scratch::new(), &mut trace);
        assert_eq!((outcome, trace.events), (Ok(Outcome::Unreachable), vec![]), "{}", planner.algorithm().name);
        let wall = Query::new(HexCell::at(0, 0), HexCell::at(3, 1));
        assert_eq!(planner.find(&world, wall, &mut Scratch::new()), Ok(Outcome::Unreachable));
    }
}

#[test]
fn nearest_goes_as_far_as_it_can() {
    let world = draw(CUT, 1, None);
    let from = HexCell::at(0, 0);
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let name = planner.algorithm().name;
        let mut ask = |from, to| planner.find(&world, Query::new(from, to).nearest(), &mut scratch);
        let mut last = |to| match ask(from, to) {
            Ok(Outcome::Partial(route)) => *route.cells().last().expect("a route"),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(last(HexCell::at(4, 1)), HexCell::at(2, 1), "{name}: behind the wall");
        assert_eq!(last(HexCell::at(3, 0)), HexCell::at(2, 0), "{name}: in the wall");
        // Two cells are one step away from this wall: the topmost counts.
        assert_eq!(last(HexCell::at(3, 2)), HexCell::at(2, 1), "{name}: in the wall, two cells beside it");
        assert!(matches!(ask(from, HexCell::at(2, 2)), Ok(Outcome::Reached(_))), "{name}");
        let stays = ask(HexCell::at(2, 1), HexCell::at(4, 1));
        assert!(matches!(stays, Ok(Outcome::Partial(route)) if route.cells() == [HexCell::at(2, 1)]), "{name}");
    }
}

#[test]
fn what_cannot_be_asked_is_an_error() {
    let world = draw("- s # . -\n . . . . -\n. . . . .\n . . . . -\n- . . . -", 1, None);
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let mut ask = |from, to| {
            let query = Query::new(from, to);
            let answer = planner.find(&world, query, &mut scratch);
            assert_eq!(query.check(&world).err(), answer.as_ref().err().copied(), "known without a planner");
            answer
        };
        let start = HexCell::at(1, 0);
        assert!(ask(start, HexCell::at(4, 2)).is_ok() && ask(start, HexCell::at(2, 0)).is_ok());
        let void = HexCell::at(0, 0);
        let outside = [void, HexCell::at(4, 0), HexCell::at(5, 2), HexCell::at(2, 5)];
        let negative =
            [HexCell::new(-1, 0), HexCell::new(0, -1), HexCell::new(-3, 2), HexCell::new(i16::MIN, i16::MIN)];
        let far = [HexCell::new(i16::MAX, i16::MAX), HexCell::at(u16::MAX, 0), HexCell::at(0, u16::MAX)];
        for cell in outside.into_iter().chain(negative).chain(far) {
            let off = Err(QueryError::OffMap { cell, width: 5, height: 5 });
            assert_eq!((ask(cell, start), ask(start, cell)), (off.clone(), off), "{cell}");
        }
        assert_eq!(ask(HexCell::at(2, 0), start), Err(QueryError::StartBlocked(HexCell::at(2, 0))));
        assert_eq!(planner.step(&world, &mut Scratch::new(), 1), Err(QueryError::NothingBegun));
        let twin = Planner::new(&world, planner.algorithm().name).expect("it suits");
        twin.begin(&world, Query::new(start, HexCell::at(4, 2)), &mut scratch).expect("a sound query");
        let not_its_own = planner.step(&world, &mut scratch, 1);
        assert_eq!(not_its_own, Err(QueryError::NothingBegun), "a search belongs to the planner that began it");
    }
}

#[test]
fn routes_too_long_to_count_say_so() {
    // 257 steps at 65,535 times 255 are the most that fit a cost.
    for width in [300, 1] {
        let world = Snapshot::from(grid_of(
            HexShape::Rectangle,
            width,
            &[255; 300],
            Metric::new(Metric::MAX, Metric::MAX).ok(),
        ));
        let cells: Vec<HexCell> = world.cells().collect();
        let mut scratch = Scratch::new();
        for planner in planners(&world) {
            let name = planner.algorithm().name;
            let mut ask = |to: usize| planner.find(&world, Query::new(cells[0], cells[to]), &mut scratch);
            let near = ask(257).expect("a sound query");
            assert!(near.route().is_some_and(|route| route.check(&world).is_ok()), "{name} is {}", near.name());
            assert_eq!(ask(258), Ok(Outcome::TooFar), "{name}");
            assert_eq!(ask(299), Ok(Outcome::TooFar), "{name}");
            let costs = planner.distances(&world, cells[0], &[cells[257], cells[258]], &mut Scratch::new());
            assert!(matches!(costs.expect("a sound question")[..], [Some(_), None]), "{name}");
        }
    }
}

/// The straight way leads over heavy ground and costs more than a `Cost` can hold. The way over the light ground beside
/// it costs less.
#[test]
fn a_route_that_can_be_counted_is_found_though_another_cannot() {
    let width = 300;
    let weights: Vec<u8> = (0..width * 3).map(|at| if at / width == 1 { 255 } else { 1 }).collect();
    let world =
        Snapshot::from(grid_of(HexShape::Rectangle, width, &weights, Metric::new(Metric::MAX, Metric::MAX).ok()));
    let query = Query::new(HexCell::at(0, 1), HexCell::at(299, 1));
    for planner in planners(&world).iter().filter(|planner| planner.algorithm().name != "ida-star") {
        let name = planner.algorithm().name;
        let found = planner.find(&world, query, &mut Scratch::new()).expect("a sound query");
        let Outcome::Reached(route) = &found else { panic!("{name}: {}", found.name()) };
        route.check(&world).expect("every step can be taken");
        assert_eq!(sliced(&world, planner, query, 9, &mut Trace::default()), found, "{name}");
    }
}

#[test]
fn settings_are_checked() {
    let world = draw(AROUND, 1, None);
    let algorithm = |name| portolan::HEX_ALGORITHMS.iter().find(|algorithm| algorithm.name == name);
    let a_star = algorithm("a-star").expect("a known name");
    assert!(a_star.settings(&[("heuristic", "euclidean")]).is_ok());
    assert!(matches!(a_star.settings(&[("heuristic", "manhattan")]), Err(SettingError::Value { .. })), "for squares");
    assert!(Planner::new(&world, "jump-point").is_err(), "jump points are for squares");
}

#[test]
fn statistics_add_up() {
    let (world, query) = (draw(AROUND, 1, None), ends(AROUND));
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let name = planner.algorithm().name;
        let (stats, trace) = told(&world, &planner, query, &mut scratch);
        assert!(stats.expanded > 0 && stats.generated > 0, "{name}");
        let named = trace.events.iter().filter_map(|event| match event {
            Event::Expand { node, .. } | Event::Generate { node } | Event::Pop { node } => Some(world.cell(*node)),
            _ => None,
        });
        assert!(named.into_iter().all(|cell| world.is_free(cell)), "{name}: events name free cells alone");
    }
}
