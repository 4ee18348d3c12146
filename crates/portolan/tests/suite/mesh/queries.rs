//! Queries on meshes: budgets, slices, the nearest point, costs that cannot be counted, and the errors for queries that
//! cannot be answered.
//!
//! Not here: whether routes are the shortest (`random_worlds.rs`).

use super::worlds::{draw, on_random_meshes, planners, somewhere};
use crate::queries::told;
use portolan::probe::{Stats, Trace};
use portolan::settings::SettingError;
use portolan::{MESH_ALGORITHMS, MeshPoint, NavMesh, Outcome, Planner, Query, QueryError, Route, Scratch, Snapshot};

/// Searches in slices of this many expansions and sends the events to the probe.
fn sliced(
    world: &Snapshot<NavMesh>,
    planner: &Planner<NavMesh>,
    query: Query<MeshPoint>,
    slice: u64,
    trace: &mut Trace,
) -> Outcome<Route<NavMesh>> {
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
    on_random_meshes(78, 50, |random, world, from| {
        let query = Query::new(from, somewhere(random, world).expect("there is one"));
        let slice = 4 + random.below(30);
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
    .......
    .#####.
    .......
    .#####.
    .......";

/// Returns the ends of a way past walls.
fn ends(world: &NavMesh) -> Query<MeshPoint> {
    let [from, to] = [[3.5, 0.5], [3.5, 4.5]].map(|at| world.point(at).expect("a square is there"));
    Query::new(from, to)
}

#[test]
fn a_budget_is_kept_to_the_expansion() {
    let world = draw(AROUND);
    let query = ends(&world);
    let mut limited = 0;
    for planner in planners(&world) {
        let name = planner.algorithm().name;
        let mut stats = Stats::default();
        let outcome = planner.watch(&world, query, &mut Scratch::new(), &mut stats).expect("a sound query");
        assert!(matches!(outcome, Outcome::Reached(_)), "{name}");
        let needed = stats.expanded;
        let at = |budget| planner.find(&world, query.budget(budget), &mut Scratch::new()).expect("a sound query");
        assert_eq!(at(needed + 1), outcome, "{name}");
        // What is read off rows needs no expansions.
        if needed > 1 {
            limited += 1;
            assert_eq!((at(0), at(needed / 2)), (Outcome::OutOfBudget, Outcome::OutOfBudget), "{name}");
        }
    }
    assert!(limited > 10, "{limited}");
}

#[test]
fn unreachable_goals_cost_no_search() {
    let world = draw("..#.\n..#.");
    let [from, to] = [[0.5, 0.5], [3.5, 0.5]].map(|at| world.point(at).expect("a square is there"));
    for planner in planners(&world) {
        let mut trace = Trace::default();
        let outcome = planner.watch(&world, Query::new(from, to), &mut Scratch::new(), &mut trace);
        assert_eq!((outcome, trace.events), (Ok(Outcome::Unreachable), vec![]), "{}", planner.algorithm().name);
    }
}

#[test]
fn nearest_goes_as_far_as_it_can() {
    let world = draw("..#.\n..X.");
    let point = |at| world.point(at).expect("a square is there");
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let name = planner.algorithm().name;
        let mut last = |to| match planner.find(&world, Query::new(point([0.5, 0.5]), point(to)).nearest(), &mut scratch)
        {
            Ok(Outcome::Partial(route)) => world.coordinates(*route.cells().last().expect("a route")),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(last([3.5, 0.5]).map(f64::to_bits), [2.0, 0.5, 0.0].map(f64::to_bits), "{name}: behind the gap");
        assert_eq!(
            last([2.25, 1.75]).map(f64::to_bits),
            [2.0, 1.75, 0.0].map(f64::to_bits),
            "{name}: a blocked square"
        );
    }
}

#[test]
fn what_cannot_be_asked_is_an_error() {
    let world = draw("..X");
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let mut ask = |from, to| {
            let query = Query::new(from, to);
            let answer = planner.find(&world, query, &mut scratch);
            assert_eq!(query.check(&world).err(), answer.as_ref().err().copied(), "known without a planner");
            answer
        };
        let [start, other, blocked] = [0, 1, 2].map(|polygon| world.centre(polygon));
        assert!(ask(start, other).is_ok() && ask(start, blocked).is_ok());
        let off = [
            MeshPoint { polygon: 3, ..start },
            MeshPoint { polygon: u32::MAX, ..start },
            MeshPoint { polygon: 1, ..start },
            MeshPoint { x: i32::MAX, ..start },
            MeshPoint { x: i32::MIN, y: i32::MIN, polygon: 0 },
        ];
        for cell in off {
            for answer in [ask(cell, start), ask(start, cell)] {
                assert!(matches!(answer, Err(QueryError::OffMap { cell: found, .. }) if found == cell), "{cell}");
            }
        }
        assert_eq!(ask(blocked, start), Err(QueryError::StartBlocked(blocked)));
        assert_eq!(planner.step(&world, &mut Scratch::new(), 1), Err(QueryError::NothingBegun));
        let twin = Planner::new(&world, planner.algorithm().name).expect("it suits");
        twin.begin(&world, Query::new(start, other), &mut scratch).expect("a sound query");
        let not_its_own = planner.step(&world, &mut scratch, 1);
        assert_eq!(not_its_own, Err(QueryError::NothingBegun), "a search belongs to the planner that began it");
    }
}

/// A serpentine over the heaviest ground costs more than a `Cost` can hold: a mesh is some millions of steps wide.
#[test]
fn routes_too_long_to_count_say_so() {
    let mut parts = draw(".......\n######.\n.......\n.######\n.......").to_parts();
    parts.weights.fill(255);
    let world = Snapshot::from(NavMesh::new(&parts).expect("squares are convex"));
    assert_eq!(world.components(), 1);
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let name = planner.algorithm().name;
        let mut ask = |to: u32| planner.find(&world, Query::new(world.centre(0), world.centre(to)), &mut scratch);
        let near = ask(1).expect("a sound query");
        assert!(near.route().is_some_and(|route| route.check(&world).is_ok()), "{name} is {}", near.name());
        assert_eq!(ask(world.polygons() as u32 - 1), Ok(Outcome::TooFar), "{name}");
    }
}

#[test]
fn settings_are_checked() {
    let algorithm = |name| MESH_ALGORITHMS.iter().find(|algorithm| algorithm.name == name).expect("a known name");
    assert!(algorithm("a-star").settings(&[("measure", "centres")]).is_ok());
    assert!(matches!(algorithm("a-star").settings(&[("measure", "edges")]), Err(SettingError::Value { .. })));
    assert!(matches!(algorithm("hna-star").settings(&[("merge", "1")]), Err(SettingError::Value { .. })));
    assert!(Planner::new(&draw("12"), "polyanya").is_err(), "polygons have two weights");
    assert!(Planner::new(&draw("11"), "hpa-star").is_err(), "clusters are for squares");
}

#[test]
fn statistics_add_up() {
    let world = draw(AROUND);
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        let name = planner.algorithm().name;
        let (stats, _) = told(&world, &planner, ends(&world), &mut scratch);
        assert!(stats.expanded > 0 || name == "rhumb", "{name}");
    }
}
