//! Smoothing: routes stay legal, keep their ends and never cost more, under all rules, metrics and weights.

use crate::worlds::{all_rules, draw, picture, random_free_cell, random_world};
use portolan::generate::{Random, generate, recipe};
use portolan::{
    Cell, Corners, Cost, Metric, Outcome, Planner, Query, Route, Rules, Scratch, Smoothing, Snapshot, SquareGrid,
};

/// Returns both kinds of smoothing.
fn methods() -> [Smoothing; 2] {
    Smoothing::NAMED.map(|(_, how)| how)
}

/// Returns the cheapest routes from each stop to the next, joined to one route; `None` if one of them does not exist.
fn through(world: &Snapshot, planner: &Planner, stops: &[Cell], scratch: &mut Scratch) -> Option<Route> {
    let mut cells = vec![stops[0]];
    for leg in stops.windows(2) {
        match planner.find(world, Query::new(leg[0], leg[1]), scratch).expect("a sound query") {
            Outcome::Reached(route) => cells.extend_from_slice(&route.cells()[1..]),
            _ => return None,
        }
    }
    let cost = cells.windows(2).map(|step| world.step_cost(step[0], step[1]).expect("a legal step").0).sum();
    Some(Route::new(cells, Cost(cost)))
}

fn reversed(route: &Route) -> Route {
    Route::new(route.cells().iter().rev().copied().collect(), route.cost())
}

/// Smooths a route and asserts everything that smoothing promises.
fn smoothed(world: &Snapshot, route: &Route, how: Smoothing) -> Route {
    let smooth = route.smoothed(world, how);
    let about = || format!("{how:?} of {:?} is {:?} on\n{}", route.cells(), smooth.cells(), picture(world));
    smooth.check(world).unwrap_or_else(|error| panic!("{error}: {}", about()));
    let ends = |route: &Route| (route.cells().first().copied(), route.cells().last().copied());
    assert_eq!(ends(&smooth), ends(route), "{}", about());
    assert!(smooth.cost() <= route.cost() && smooth.cells().len() <= route.cells().len(), "{}", about());
    assert_eq!(route.smoothed(world, how), smooth, "{}", about());
    smooth
}

#[test]
fn detours_through_random_cells_become_cheaper_and_stay_legal() {
    let mut scratch = Scratch::new();
    for rules in all_rules() {
        let mut random = Random::new(64);
        let (mut before, mut after) = (0, [0; 2]);
        for _ in 0..400 {
            let world = random_world(&mut random, rules);
            let planner = Planner::new(&world, "a-star").expect("it suits all");
            for _ in 0..4 {
                let count = 1 + random.below(6);
                let stops: Option<Vec<Cell>> = (0..count).map(|_| random_free_cell(&mut random, &world)).collect();
                let Some(route) = stops.and_then(|stops| through(&world, &planner, &stops, &mut scratch)) else {
                    continue;
                };
                before += u64::from(route.cost().0);
                for (how, sum) in methods().into_iter().zip(&mut after) {
                    *sum += u64::from(smoothed(&world, &route, how).cost().0);
                    smoothed(&world, &reversed(&route), how);
                }
            }
        }
        // Routes through several random cells consist mostly of detours.
        assert!(after.iter().all(|&sum| sum < before * 3 / 4), "{rules:?}: {before} became {after:?}");
    }
}

#[test]
fn long_detours_are_pulled_straight_too() {
    let mut scratch = Scratch::new();
    for (rules, name) in all_rules().into_iter().flat_map(|rules| ["open", "rooms", "city"].map(|name| (rules, name))) {
        let recipe = recipe(name).expect("a known recipe");
        let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
        let world: Snapshot = generate(recipe, 300, 200, 5, &settings, rules).expect("a sound size").into();
        let planner = Planner::new(&world, "a-star").expect("it suits all");
        let mut random = Random::new(1);
        for _ in 0..12 {
            let mut stop = || random_free_cell(&mut random, &world).expect("a free cell");
            let Some(route) = through(&world, &planner, &[stop(), stop(), stop()], &mut scratch) else { continue };
            let ends = [route.cells()[0], route.cells()[route.steps()]];
            let best = through(&world, &planner, &ends, &mut scratch).expect("connected").cost();
            for how in methods() {
                let smooth = smoothed(&world, &reversed(&route), how).cost();
                let open_ground = name == "open" && how == Smoothing::Taut;
                assert!(!open_ground || smooth == best, "nothing is in the way, yet {smooth} is not {best}");
            }
        }
    }
}

#[test]
fn cheapest_routes_stay_cheapest() {
    let mut random = Random::new(7);
    let mut scratch = Scratch::new();
    for rules in all_rules() {
        for _ in 0..100 {
            let world = random_world(&mut random, rules);
            let planner = Planner::new(&world, "a-star").expect("it suits all");
            let Some(stops) = (0..2).map(|_| random_free_cell(&mut random, &world)).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let Some(route) = through(&world, &planner, &stops, &mut scratch) else { continue };
            for how in methods() {
                assert_eq!(smoothed(&world, &route, how).cost(), route.cost());
            }
        }
    }
}

/// Returns the world of a picture, and the route that is written into it letter by letter from `a`.
fn drawn(picture: &str, rules: Rules) -> (Snapshot, Route) {
    let world = draw(picture, rules);
    let rows: Vec<&str> = picture.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let mut lettered: Vec<(u8, Cell)> = world
        .cells()
        .map(|cell| (rows[usize::from(cell.y)].as_bytes()[usize::from(cell.x)], cell))
        .filter(|(letter, _)| letter.is_ascii_lowercase())
        .collect();
    lettered.sort_unstable();
    let cells: Vec<Cell> = lettered.into_iter().map(|(_, cell)| cell).collect();
    let cost = cells.windows(2).map(|step| world.step_cost(step[0], step[1]).expect("a legal step").0).sum();
    (world, Route::new(cells, Cost(cost)))
}

fn ten_fourteen() -> Rules {
    Rules { metric: Some(Metric::new(10, 14).expect("a sound metric")), ..Rules::default() }
}

#[test]
fn a_dent_is_pulled_straight_and_a_wall_is_respected() {
    let dent = "
        ........
        ab....gh
        ..c..f..
        ...de...";
    let wall = "
        .......
        .cdefg.
        .b###h.
        .a###i.";
    for how in methods() {
        let (world, route) = drawn(dent, ten_fourteen());
        assert_eq!(smoothed(&world, &route, how).cells(), (0..8).map(|x| Cell::new(x, 1)).collect::<Vec<_>>());
        let (world, route) = drawn(wall, ten_fourteen());
        assert_eq!(smoothed(&world, &route, how), route, "no corner here may be cut");
        let (world, route) = drawn(wall, Rules { corners: Corners::NoSqueeze, ..ten_fourteen() });
        let cut = [(1, 3), (1, 2), (2, 1), (3, 1), (4, 1), (5, 2), (5, 3)].map(Cell::from);
        assert_eq!(smoothed(&world, &route, how).cells(), cut, "here they may");
    }
}

#[test]
fn a_swamp_is_not_worth_the_shorter_way() {
    let (world, route) = drawn(
        "
        .bcdef.
        a99999g
        .99999.",
        ten_fourteen(),
    );
    for how in methods() {
        assert_eq!(smoothed(&world, &route, how), route, "around costs {}", route.cost());
    }
    let dry: Snapshot = SquareGrid::open(7, 3, ten_fourteen()).expect("a sound size").into();
    for how in methods() {
        assert_eq!(smoothed(&dry, &route, how).cost(), Cost(60), "straight through when it is dry");
    }
}

#[test]
fn the_shortest_routes_are_left_alone() {
    let world = draw("...", Rules::default());
    for how in methods() {
        assert_eq!(Route::new(vec![], Cost(0)).smoothed(&world, how), Route::new(vec![], Cost(0)));
        let standing = Route::new(vec![Cell::new(1, 0)], Cost(0));
        assert_eq!(standing.smoothed(&world, how), standing);
        let straight = world.metric().straight();
        let back = Route::new([0, 1, 2, 1, 0].map(|x| Cell::new(x, 0)).to_vec(), Cost(4 * straight));
        assert_eq!(back.smoothed(&world, how).cells(), [Cell::new(0, 0)]);
    }
}

#[test]
fn costs_near_the_limit_do_not_overflow() {
    let metric = Some(Metric::new(65_535, 65_535).expect("a sound metric"));
    let rules = Rules { metric, ..Rules::default() };
    let world: Snapshot = SquareGrid::from_weights(130, 130, &vec![255; 130 * 130], rules).unwrap().into();
    let around = (0..128).map(|x| Cell::new(x, 0)).chain((1..129).map(|y| Cell::new(127, y)));
    let route = Route::new(around.collect(), Cost(65_535 * 255 * 255));
    route.check(&world).expect("a legal route");
    for how in methods() {
        smoothed(&world, &route, how);
    }
    assert_eq!(smoothed(&world, &route, Smoothing::Taut).steps(), 128);
}
