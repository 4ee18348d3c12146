//! Every shipped case with every algorithm: all steps are legal, routes are as short as promised, all algorithms end in
//! the same state, and a case that is played twice gives one log.

use crate::{cost, world_of};
use portolan::{ALGORITHMS, Cell, Motion, Outcome, Planner, Query, Scratch, Snapshot};
use portolan_formats::case;
use portolan_sim::cases::{SHIPPED, Shipped, shipped};
use portolan_sim::{Entry, Happening, Play, PlayError, State, Why, run};

/// Returns the cost of a cheapest route.
fn least(world: &Snapshot, from: Cell, to: Cell) -> u64 {
    let dijkstra = Planner::new(world, "dijkstra").expect("it runs everywhere");
    match dijkstra.find(world, Query::new(from, to), &mut Scratch::new()) {
        Ok(Outcome::Reached(route)) => u64::from(route.cost().0),
        other => panic!("{other:?} from {from} to {to}"),
    }
}

/// Returns whether a route was planned, so that its cost should be checked.
fn plans(entries: &[Entry]) -> bool {
    let is_plan = |entry: &Entry| matches!(entry.happening, Happening::Planned { .. } | Happening::Rerouted { .. });
    entries.iter().any(is_plan)
}

/// Plays a case, asserts that every step is legal and every planned route as cheap as promised, and returns the final
/// state; `None` if the algorithm does not run on the world.
fn watched(shipped: &Shipped, name: &'static str) -> Option<State> {
    let case = shipped.case();
    let world = world_of(&case);
    let planner = Planner::new(&world, name).ok()?;
    // Steps below straight lines cost more than the lines, of which promises are made.
    let lines = planner.motion() == Motion::AnyAngle;
    let bound = if lines { f64::INFINITY } else { planner.promise(&world).bound() };
    let mut play = Play::new(&case, world).unwrap();
    play.add(planner);
    let (mut seen, mut more) = (0, true);
    while more {
        let before = play.sim().walkers()[0].at();
        more = play.tick();
        let (walker, world) = (&play.sim().walkers()[0], play.sim().world());
        let moved = walker.at() != before;
        assert!(!moved || world.step_cost(before, walker.at()).is_some(), "{} {name}: into a wall", shipped.name);
        assert!(world.is_free(walker.at()) || walker.state() == State::Stopped(Why::Buried));
        // A planner that is out of date plans for an earlier world, so the cost in this world says nothing.
        if plans(&walker.log()[seen..]) && moved && !walker.is_behind() {
            let way = [&[before], walker.left()].concat();
            let (cost, least) =
                (cost(world.square().unwrap(), &way) as f64, least(world.square().unwrap(), before, case.to) as f64);
            assert!(cost <= bound * least, "{} {name}: {cost} is more than {bound} times {least}", shipped.name);
        }
        seen = walker.log().len();
    }
    Some(play.sim().walkers()[0].state())
}

#[test]
fn all_algorithms_walk_all_cases_and_agree_on_the_end() {
    for shipped in SHIPPED {
        let expected = if shipped.name == "last-bridge" { State::Stopped(Why::Unreachable) } else { State::Arrived };
        for algorithm in ALGORITHMS {
            let Some(end) = watched(shipped, algorithm.name) else { continue };
            // IDA* may give up, and an algorithm for uniform worlds cannot go on once edits bring other weights.
            let excused = matches!(end, State::Stopped(Why::OutOfBudget | Why::Unsuited(_)));
            let may = ["ida-star", "jump-point", "jump-graph", "anya"].contains(&algorithm.name);
            assert!(end == expected || excused && may, "{} {}: {end:?}", shipped.name, algorithm.name);
        }
    }
}

#[test]
fn what_the_rules_choose_gets_there() {
    for shipped in SHIPPED {
        let case = shipped.case();
        let world = world_of(&case);
        let (planner, why) = portolan_sim::planner(&case, &world).unwrap();
        assert_eq!(why.is_none(), case.with.is_some());
        let run = run(&case, world, planner).unwrap();
        let stuck = matches!(run.walker().state(), State::Stopped(Why::Unsuited(_)) | State::Walking);
        assert!(!stuck, "{}: {}", shipped.name, run.closing());
    }
}

#[test]
fn rules_choose_for_what_the_world_becomes() {
    let text = "portolan case 1\nfrom 0,0\nto 3,0\nat 1 weight 5 3,0\nmap\n....\n";
    let case = case::read(text.as_bytes()).unwrap();
    let world = world_of(&case);
    let (planner, why) = portolan_sim::planner(&case, &world).unwrap();
    assert_eq!(planner.algorithm().name, "a-star", "{why:?}");
    let uniform = case::read(text.replace("weight 5", "block").as_bytes()).unwrap();
    assert_eq!(portolan_sim::planner(&uniform, &world).unwrap().0.algorithm().name, "jump-point");
}

#[test]
fn the_same_case_gives_the_same_log() {
    for shipped in SHIPPED {
        let case = shipped.case();
        let played = || {
            let world = world_of(&case);
            let planner = Planner::new(&world, "rhumb").unwrap();
            run(&case, world, planner).unwrap().text()
        };
        assert!(played() == played(), "{}", shipped.name);
    }
}

#[test]
fn a_case_ends_with_its_time() {
    let mut case = shipped("wall-across").unwrap().case();
    case.ticks = Some(7);
    let world = world_of(&case);
    let planner = Planner::new(&world, "a-star").unwrap();
    let run = run(&case, world, planner).unwrap();
    assert_eq!((run.ticks(), run.walker().state(), run.walker().work().steps), (7, State::Walking, 7));
    assert!(run.closing().starts_with("still on its way at "));
}

#[test]
fn a_case_that_does_not_fit_its_world_is_refused() {
    let mut case = shipped("wall-across").unwrap().case();
    case.to = Cell::new(64, 0);
    let fault = Play::new(&case, world_of(&case)).err().unwrap();
    assert_eq!(fault.to_string(), "64,0 lies off the map, which is 64 x 27");
    let mut case = shipped("wall-across").unwrap().case();
    case.edits[0].1.area.width = 33;
    let fault = Play::new(&case, world_of(&case)).err().unwrap();
    assert!(matches!(fault, PlayError::Edit { tick: 20, .. }), "{fault}");
}
