//! Worlds whose kind is known only at run time: [`portolan::any`] gives the answers of the types that know the kind, and
//! errors where kinds are mixed.
//!
//! Not here: whether these answers are right, which the tests of each kind judge.

use crate::edits::random_edits;
use crate::hex::worlds::{
    draw as draw_hexes, planners as hex_planners, random_free_cell as random_free_hex, random_grid,
};
use crate::worlds::{all_rules, draw, planners, random_free_cell, random_world};
use portolan::any::{
    AnyAlgorithm, AnyLazyRoute, AnyPick, AnyPlanner, AnyRoute, AnyScratch, AnySnapshot, AnyWorld, all_algorithms,
};
use portolan::auto::Use;
use portolan::generate::Random;
use portolan::pick::PickError;
use portolan::probe::Trace;
use portolan::saved::{OpenError, SaveError};
use portolan::settings::SettingError;
use portolan::{
    BuildError, Cell, Edit, HEX_ALGORITHMS, HexCell, HexGrid, Motion, Outcome, Planner, Promise, Query, QueryError,
    RepairError, Rules, Scratch, Snapshot, Stale, Terrain, Unsuited, World,
};

/// A planner of one kind and the kind's answers, as routes by column and row.
struct Typed {
    any: AnyPlanner,
    found: Outcome<AnyRoute>,
    trace: Trace,
}

/// Returns this outcome with its route by column and row.
fn by_cells<R: Into<AnyRoute>>(outcome: Outcome<R>) -> Outcome<AnyRoute> {
    match outcome {
        Outcome::Reached(route) => Outcome::Reached(route.into()),
        Outcome::Partial(route) => Outcome::Partial(route.into()),
        Outcome::Unreachable => Outcome::Unreachable,
        Outcome::OutOfBudget => Outcome::OutOfBudget,
        Outcome::TooFar => Outcome::TooFar,
        other => panic!("a new outcome, {}", other.name()),
    }
}

/// Puts a query to the planners of a kind and compares every way to ask through [`AnyPlanner`] with their answers.
fn compare(world: &AnySnapshot, query: Query, typed: Vec<Typed>) {
    let mut scratch = AnyScratch::new();
    for Typed { any: planner, found, trace } in typed {
        let name = planner.algorithm().name();
        assert_eq!(planner.find(world, query, &mut scratch).as_ref(), Ok(&found), "{name}");
        let mut watched = Trace::default();
        assert_eq!(planner.watch(world, query, &mut scratch, &mut watched).as_ref(), Ok(&found), "{name}");
        assert!(watched == trace, "{name} sends other events");
        planner.begin(world, query, &mut scratch).expect("a sound query");
        let sliced = loop {
            if let Some(outcome) = planner.step(world, &mut scratch, 7).expect("begun above") {
                break outcome;
            }
        };
        assert_eq!(sliced, found, "{name}");
        let planned = planner.plan(world, query, &mut scratch).expect("a sound query");
        assert_eq!(planned.name(), found.name(), "{name}");
        if let (false, Some(mut plan), Some(route)) = (planner.plans_in_legs(), planned.into_route(), found.route()) {
            let steps = route.clone().into_steps(world);
            assert_eq!(plan.next_leg(&planner, world, &mut scratch), Ok(Some(steps)), "{name}");
            let is_priced = plan.cost() == Some(route.cost()) || route.motion() == Motion::AnyAngle;
            assert!(plan.is_done() && is_priced, "{name}");
        }
        if let Outcome::Reached(route) = &found {
            route.check(world).unwrap_or_else(|error| panic!("{name}: {error}"));
            let costs = planner.distances(world, query.from, &[query.to], &mut scratch).expect("a sound question");
            assert_eq!(costs.len(), 1);
            if planner.promise(world) == Promise::Optimal {
                assert_eq!(costs, [Some(route.cost())], "{name}");
            }
        }
    }
}

#[test]
fn squares_are_answered_as_by_their_own_planners() {
    let (mut random, mut scratch) = (Random::new(14), Scratch::new());
    for rules in all_rules() {
        for _ in 0..6 {
            let world = random_world(&mut random, rules);
            let [Some(from), Some(to)] = [(); 2].map(|()| random_free_cell(&mut random, &world)) else { continue };
            let query = Query::new(from, to);
            let typed = planners(&world).into_iter().map(|planner| {
                let mut trace = Trace::default();
                let found = planner.watch(&world, query, &mut scratch, &mut trace).expect("a sound query");
                Typed { any: planner.into(), found: by_cells(found), trace }
            });
            let typed = typed.collect();
            compare(&AnySnapshot::Square(world), query, typed);
        }
    }
}

#[test]
fn hexes_are_answered_as_by_their_own_planners() {
    let (mut random, mut scratch) = (Random::new(15), Scratch::new());
    for _ in 0..40 {
        let world = Snapshot::from(random_grid(&mut random));
        let [Some(from), Some(to)] = [(); 2].map(|()| random_free_hex(&mut random, &world)) else { continue };
        let typed = hex_planners(&world).into_iter().map(|planner| {
            let mut trace = Trace::default();
            let found = planner.watch(&world, Query::new(from, to), &mut scratch, &mut trace).expect("a sound query");
            if let Some(route) = found.route() {
                let any = AnyRoute::from(route.clone());
                let length = any.length(&AnySnapshot::Hex(world.clone()));
                assert_eq!(length.to_bits(), route.length(&world).to_bits());
                assert_eq!((any.steps(), any.cost()), (route.steps(), route.cost()));
            }
            Typed { any: planner.into(), found: by_cells(found), trace }
        });
        let typed = typed.collect();
        let [from, to] = [from, to].map(|cell| cell.cell().expect("it lies on the grid"));
        compare(&AnySnapshot::Hex(world), Query::new(from, to), typed);
    }
}

#[test]
fn a_snapshot_of_hexes_is_read_by_column_and_row() {
    let mut random = Random::new(16);
    for _ in 0..40 {
        let world = Snapshot::from(random_grid(&mut random));
        let any = AnySnapshot::Hex(world.clone());
        assert_eq!((any.kind(), any.width(), any.height()), ("hex", world.width(), world.height()));
        assert_eq!((any.free_cells(), any.to_weights()), (world.free_cells(), world.to_weights()));
        assert_eq!((any.rules(), any.metric(), any.revision()), (None, world.metric(), world.revision()));
        assert!(any.hex().is_some() && any.square().is_none());
        let cells: Vec<Cell> = any.cells().collect();
        assert_eq!(
            cells.iter().map(|&cell| HexCell::from(cell)).collect::<Vec<_>>(),
            world.cells().collect::<Vec<_>>()
        );
        let to = cells[random.below(cells.len() as u64) as usize];
        for &cell in &cells {
            let hex = HexCell::from(cell);
            assert_eq!((any.terrain(cell), any.component(cell)), (world.terrain(hex), world.component(hex)));
            assert_eq!(any.cell(world.node(hex)), cell);
            let nearest = world.nearest_reachable(hex, to.into());
            assert_eq!(any.nearest_reachable(cell, to), nearest.and_then(HexCell::cell));
            let step = (any.step_cost(cell, to), any.connected(cell, to));
            assert_eq!(step, (world.step_cost(hex, to.into()), world.connected(hex, to.into())));
        }
        for beyond in
            [Cell::new(world.width() as u16, 0), Cell::new(0, world.height() as u16), Cell::new(65_535, 65_535)]
        {
            assert!(!any.contains(beyond) && !any.is_free(beyond) && any.component(beyond).is_none());
            let error = any.check(Query::new(beyond, to)).expect_err("it is off the map");
            assert!(matches!(error, QueryError::OffMap { .. }), "{error}");
        }
    }
}

#[test]
fn errors_name_columns_and_rows() {
    let world = AnySnapshot::Hex(draw_hexes("- s #\n . . .\n- . g", 1, None));
    let planner = build(&world, "a-star");
    let ask = |from, to| planner.find(&world, Query::new(from, to), &mut AnyScratch::new());
    let off = |x, y| Err(QueryError::OffMap { cell: Cell::new(x, y), width: 3, height: 3 });
    assert_eq!(ask((0, 2), (1, 0)), off(0, 2), "void");
    assert_eq!(ask((1, 0), (3, 1)), off(3, 1));
    for (x, y) in [(40_000, 1), (65_535, 2), (1, 40_000), (65_535, 65_535), (32_767, 32_767)] {
        assert_eq!(ask((1, 0), (x, y)), off(x, y), "far off every grid");
        assert_eq!(ask((x, y), (65_535, 1)), off(x, y), "the start is named first");
        assert_eq!(world.check(Query::new((1, 0), (x, y))).err(), off(x, y).err());
        let costs = planner.distances(&world, Cell::new(1, 0), &[Cell::new(x, y)], &mut AnyScratch::new());
        assert_eq!(costs.err(), off(x, y).err());
    }
    assert_eq!(ask((2, 0), (1, 0)), Err(QueryError::StartBlocked(Cell::new(2, 0))));
    let found = ask((1, 0), (2, 2)).expect("a sound query").into_route().expect("there is a way");
    assert_eq!(found.cells(), [(1, 0), (1, 1), (2, 2)].map(Cell::from));
    let leap = AnyRoute::new(vec![Cell::new(1, 0), Cell::new(2, 2)], found.cost(), portolan::Motion::Steps);
    let error = leap.check(&world).expect_err("two steps at once");
    assert_eq!(error.to_string(), "step 0 from 1,0 to 2,2 is illegal");
}

/// Builds a planner with the algorithm of this name and its default settings.
fn build(world: &AnySnapshot, name: &str) -> AnyPlanner {
    let algorithm = world.algorithm(name).expect("a known name");
    let settings = algorithm.settings::<&str, &str>(&[]).expect("defaults are sound");
    AnyPlanner::build(world, algorithm, settings).expect("it suits")
}

const PICTURE: &str = "s . . .\n . # . .\n. . . g";

/// Returns two worlds drawn alike, one of squares and one of hexes.
fn both() -> [AnySnapshot; 2] {
    let squares = draw(&PICTURE.replace(' ', ""), Rules::default());
    [AnySnapshot::Square(squares), AnySnapshot::Hex(draw_hexes(PICTURE, 1, None))]
}

#[test]
fn mixed_kinds_are_errors() {
    let [squares, hexes] = both();
    let query = Query::new((0, 0), (3, 2));
    for (own, other) in [(&squares, &hexes), (&hexes, &squares)] {
        let mut planner = build(own, "a-star");
        let mut scratch = AnyScratch::new();
        let unknown = Stale { built: own.revision(), asked: other.revision() };
        let stale = QueryError::Stale(unknown);
        assert_eq!(planner.find(other, query, &mut scratch), Err(stale));
        assert_eq!(planner.watch(other, query, &mut scratch, &mut Trace::default()), Err(stale));
        assert_eq!(planner.plan(other, query, &mut scratch), Err(stale));
        assert_eq!(planner.begin(other, query, &mut scratch), Err(stale));
        assert_eq!(planner.distances(other, query.from, &[], &mut scratch), Err(stale));
        planner.begin(own, query, &mut scratch).expect("a sound query");
        assert_eq!(planner.step(other, &mut scratch, 1), Err(stale));
        assert_eq!(planner.watch_step(other, &mut scratch, 1, &mut Trace::default()), Err(stale));
        assert!(matches!(planner.repair(other, &[]), Err(RepairError::Gap { .. })));
        assert!(matches!(planner.refresh(other), Err(RepairError::Gap { .. })));
        assert!(matches!(planner.stream(other), Err(SaveError::Stale { .. })));
        assert_eq!(planner.tree(other, query.from), Err(unknown));
        assert_eq!(planner.outline(other), Err(unknown));
        assert_eq!(planner.census(other), Err(unknown));
        let unsuited = |error: &BuildError| matches!(error, BuildError::Unsuited(_));
        assert!(planner.anew(other).is_err_and(|error| unsuited(&error)));
        let (algorithm, settings) = (planner.algorithm(), planner.settings().clone());
        assert!(AnyPlanner::build(other, algorithm, settings).is_err_and(|error| unsuited(&error)));
        assert!(algorithm.suits(own).is_ok() && algorithm.suits(other).is_err());

        let mut route: AnyLazyRoute =
            planner.plan(own, query, &mut scratch).expect("a sound query").into_route().expect("there is a way");
        let elsewhere = build(other, "a-star");
        assert_eq!(route.next_leg(&elsewhere, other, &mut scratch), Err(QueryError::OtherLegs));
        assert_eq!(route.next_leg(&planner, other, &mut scratch), Err(QueryError::OtherLegs));
        assert_eq!(route.next_leg(&elsewhere, own, &mut scratch), Err(QueryError::OtherLegs));
        assert!(route.waypoints(&elsewhere).is_empty() && !route.survives(&elsewhere, other, &[]));
        assert_eq!(route.waypoints(&planner), [query.from, query.to]);
        assert!(route.survives(&planner, own, &[]));
        assert!(matches!(route.next_leg(&planner, own, &mut scratch), Ok(Some(cells)) if cells[0] == query.from));
    }
}

#[test]
fn a_chart_of_squares_does_not_open_on_hexes() {
    let [squares, hexes] = both();
    let planner = build(&squares, "hpa-star");
    let saved = planner.stream(&squares).expect("it knows this world").collect();
    assert!(AnyPlanner::open(&squares, &saved).is_ok());
    assert!(matches!(AnyPlanner::open(&hexes, &saved), Err(OpenError::Unknown(name)) if name == "hpa-star"));
    let flat = build(&hexes, "a-star");
    assert!(matches!(flat.stream(&hexes), Err(SaveError::Nothing("a-star"))));
}

#[test]
fn edits_go_through_the_door_too() {
    let mut random = Random::new(17);
    for _ in 0..30 {
        let grid = random_grid(&mut random);
        let (mut typed, mut any) = (World::from(grid.clone()), AnyWorld::from(grid));
        let mut planner = build(&any.snapshot(), "a-star");
        let mut own: Planner<HexGrid> = Planner::new(&typed, "a-star").expect("it suits");
        for _ in 0..5 {
            let edits = random_edits(&mut random, &typed, false);
            typed.apply(&edits).expect("sound edits");
            any.apply(&edits).expect("sound edits");
            own.repair(&typed, &edits).expect("the edits it missed");
            let world = any.snapshot();
            planner.repair(&world, &edits).expect("the edits it missed");
            assert_eq!((world.to_weights(), world.revision()), (typed.to_weights(), any.revision()));
            let [Some(from), Some(to)] = [(); 2].map(|()| random_free_hex(&mut random, &typed)) else { continue };
            let found = own.find(&typed, Query::new(from, to), &mut Scratch::new()).expect("a sound query");
            let [from, to] = [from, to].map(|hex| hex.cell().expect("it lies on the grid"));
            assert_eq!(planner.find(&world, Query::new(from, to), &mut AnyScratch::new()), Ok(by_cells(found)));
        }
        let before = any.revision();
        let outside = Edit::new(Cell::new(0, any.snapshot().height() as u16), Terrain::BLOCKED);
        assert!(any.apply(&[outside]).is_err() && any.revision() == before);
        let copy = AnyWorld::from(any.snapshot());
        assert_eq!(copy.snapshot().to_weights(), typed.to_weights());
        assert!(copy.revision() != before, "a world of its own");
    }
}

#[test]
fn algorithms_are_listed_by_kind() {
    let [squares, hexes] = both();
    assert_eq!(hexes.algorithms().len(), HEX_ALGORITHMS.len());
    let all: Vec<AnyAlgorithm> = all_algorithms().collect();
    assert_eq!(all.len(), squares.algorithms().len() + hexes.algorithms().len());
    assert!(squares.algorithm("rhumb").is_some() && hexes.algorithm("rhumb").is_none());
    let [on_squares, on_hexes] = [&squares, &hexes].map(|world| world.algorithm("a-star").expect("a known name"));
    assert!(on_squares != on_hexes && on_squares.kind() == "square" && on_hexes.kind() == "hex");
    assert_eq!(on_squares.name(), on_hexes.name());
}

#[test]
fn a_pick_is_read_once_and_chosen_for_each_kind() {
    let [squares, hexes] = both();
    let choose =
        |text: &str, world: &AnySnapshot| AnyPick::parse(text).expect("a sound pick").choose(world, Use::default());
    for text in ["", "auto"] {
        assert!(AnyPick::parse(text).is_ok_and(|pick| pick.is_auto() && pick.name() == "auto"));
        let (algorithm, _, why) = choose(text, &squares).expect("rules choose");
        assert_eq!((algorithm.kind(), algorithm.name(), why.is_some()), ("square", "jump-graph", true));
        let (algorithm, _, why) = choose(text, &hexes).expect("rules choose");
        assert_eq!((algorithm.kind(), algorithm.name(), why.is_some()), ("hex", "a-star", true));
    }
    for world in [&squares, &hexes] {
        let (algorithm, settings, why) = choose("weighted-a-star weight=1.2", world).expect("both kinds have it");
        assert_eq!((algorithm.kind(), algorithm.name(), why), (world.kind(), "weighted-a-star", None));
        let planner = AnyPlanner::build(world, algorithm, settings).expect("it suits");
        assert!(planner.find(world, Query::new((0, 0), (3, 2)), &mut AnyScratch::new()).is_ok());
    }
    assert!(choose("rhumb", &squares).is_ok());
    let unsuited = Unsuited { algorithm: "rhumb", needs: "a world of squares" };
    assert!(matches!(choose("rhumb", &hexes), Err(PickError::Unsuited(error)) if error == unsuited));
    assert!(choose("a-star heuristic=manhattan", &squares).is_ok());
    let setting = choose("a-star heuristic=manhattan", &hexes);
    assert!(matches!(setting, Err(PickError::Setting(SettingError::Value { .. }))));
    let fault = |text| AnyPick::parse(text).expect_err("a wrong text");
    assert!(matches!(fault("a-sta"), PickError::Unknown(name) if name == "a-sta"));
    assert!(matches!(fault("auto weight=2"), PickError::AutoSetting(_)));
    assert!(matches!(fault("a-star all"), PickError::NoSetting(_)));
    assert!(matches!(fault("a-star levels=2"), PickError::Setting(SettingError::Unknown { .. })));
}

#[test]
fn a_scratch_for_any_kind_counts_both() {
    let mut scratch = AnyScratch::new();
    let empty = scratch.bytes();
    let mut last = empty;
    for world in &both() {
        let planner = build(world, "a-star");
        planner.find(world, Query::new((0, 0), (3, 2)), &mut scratch).expect("a sound query");
        assert!(scratch.bytes() > last, "{} bytes after {}", scratch.bytes(), world.kind());
        last = scratch.bytes();
    }
}
