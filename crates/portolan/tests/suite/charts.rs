//! What charts promise beyond what every planner promises: more levels do not change costs, routes can be refined while
//! they are walked, a repair redoes few clusters, and searches stay right during thousands of edits.

use crate::worlds::{all_rules, build, on_random_worlds, picture, random_free_cell, random_world};
use portolan::generate::{Random, generate, recipe};
use portolan::{
    Area, Cell, Cost, Edit, LazyRoute, Outcome, Planner, Query, QueryError, Route, Rules, Scratch, Snapshot,
    SquareGrid, Terrain, World,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

fn made(name: &str, width: usize, height: usize) -> SquareGrid {
    let recipe = recipe(name).expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    generate(recipe, width, height, 5, &settings, Rules::default()).expect("a sound size")
}

/// Refines a lazy route to its end and returns all of its cells.
fn walk(route: &mut LazyRoute, planner: &Planner, world: &Snapshot, scratch: &mut Scratch) -> Vec<Cell> {
    let mut cells = Vec::new();
    while let Some(piece) = route.next_leg(planner, world, scratch).expect("nothing has been edited") {
        assert!(!piece.is_empty(), "a piece leads somewhere");
        cells.extend_from_slice(piece);
    }
    assert!(route.is_done());
    cells
}

#[test]
fn the_number_of_levels_does_not_change_the_cost() {
    let mut scratch = Scratch::new();
    on_random_worlds(77, 80, |random, world, from| {
        let size = (2 + random.below(6)).to_string();
        let group = (2 + random.below(2)).to_string();
        let charts = ["1", "2", "3", "5"].map(|levels| {
            let fixed = [("cluster", &size[..]), ("group", &group), ("levels", levels)];
            let plain = [("smoothing", "none"), ("direct", "no")];
            build(world, "hpa-star", &[&fixed[..], &plain].concat())
        });
        for _ in 0..5 {
            let to = random_free_cell(random, world).expect("there is one");
            let mut cost = |planner: &Planner| {
                let outcome = planner.find(world, Query::new(from, to), &mut scratch).expect("a sound query");
                outcome.route().map(Route::cost)
            };
            let costs = charts.each_ref().map(&mut cost);
            assert!(costs.iter().all(|&cost| cost == costs[0]), "{costs:?} from {from} to {to} {}", picture(world));
        }
    });
}

#[test]
fn pieces_of_a_lazy_route_are_the_route() {
    let mut scratch = Scratch::new();
    on_random_worlds(5, 40, |random, world, from| {
        for name in ["hpa-star", "dhpa-star", "a-star"] {
            let charts: &[(&str, &str)] = &[("cluster", "5"), ("levels", "3"), ("smoothing", "none")];
            let planner = build(world, name, if name == "a-star" { &[] } else { charts });
            let to = random_free_cell(random, world).expect("there is one");
            let whole = planner.find(world, Query::new(from, to), &mut scratch).expect("a sound query");
            let lazy = planner.plan(world, Query::new(from, to), &mut scratch).expect("a sound query");
            assert_eq!(whole.name(), lazy.name());
            let (Some(whole), Some(mut lazy)) = (whole.into_route(), lazy.into_route()) else { continue };
            let cost = lazy.cost().expect("a chart knows");
            // Another search with the scratch in between must not disturb the lazy route.
            planner.find(world, Query::new(to, from), &mut scratch).expect("a sound query");
            let cells = walk(&mut lazy, &planner, world, &mut scratch);
            let route = Route::new(cells, cost);
            route.check(world).unwrap_or_else(|error| panic!("{name}: {error} {}", picture(world)));
            assert_eq!((route.cells()[0], route.cells()[route.steps()]), (from, to));
            assert_eq!(whole.cost(), cost, "{name}");
        }
    });
}

#[test]
fn a_limited_pra_route_in_pieces_has_the_cells_of_the_whole() {
    let mut scratch = Scratch::new();
    for rules in all_rules() {
        let mut random = Random::new(22);
        for _ in 0..40 {
            let world = random_world(&mut random, rules);
            for limit in ["1", "3", "8"] {
                let planner = build(&world, "pra-star", &[("limit", limit), ("corridor", "0")]);
                assert!(planner.plans_in_legs());
                let Some(from) = random_free_cell(&mut random, &world) else { continue };
                let to = random_free_cell(&mut random, &world).expect("there is one");
                let whole = planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                let lazy = planner.plan(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                assert_eq!(whole.name(), lazy.name());
                let (Some(whole), Some(mut lazy)) = (whole.into_route(), lazy.into_route()) else { continue };
                // The rest of the route is found leg by leg, so that its cost may not be known yet.
                assert!(lazy.cost().is_none_or(|cost| cost == whole.cost()));
                // Another search with the scratch in between must not disturb the lazy route.
                planner.find(&world, Query::new(to, from), &mut scratch).expect("a sound query");
                let cells = walk(&mut lazy, &planner, &world, &mut scratch);
                assert_eq!(cells, whole.cells(), "limit {limit}, from {from} to {to} {}", picture(&world));
            }
        }
    }
}

#[test]
fn a_rhumb_route_in_pieces_has_the_cells_of_the_whole() {
    let mut scratch = Scratch::new();
    let settings = [("spacing", "6"), ("gap", "3"), ("direct", "no")];
    for rules in all_rules() {
        let mut random = Random::new(21);
        for _ in 0..40 {
            let world = random_world(&mut random, rules);
            let planner = build(&world, "rhumb", &settings);
            for _ in 0..10 {
                let Some(from) = random_free_cell(&mut random, &world) else { continue };
                let to = random_free_cell(&mut random, &world).expect("there is one");
                let whole = planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                let lazy = planner.plan(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                let (Some(whole), Some(mut lazy)) = (whole.into_route(), lazy.into_route()) else { continue };
                let cells = walk(&mut lazy, &planner, &world, &mut scratch);
                assert_eq!(cells, whole.cells(), "from {from} to {to} {}", picture(&world));
            }
        }
    }
}

/// Returns whether `cells` contains all of `places`, in their order.
fn passes(cells: &[Cell], places: &[Cell]) -> bool {
    let mut cells = cells.iter();
    places.iter().all(|place| cells.any(|cell| cell == place))
}

#[test]
fn a_lazy_route_passes_its_waypoints_in_their_order() {
    let charts: [(&str, &[(&str, &str)]); 9] = [
        ("hpa-star", &[("cluster", "5"), ("levels", "1"), ("direct", "no")]),
        ("hpa-star", &[("cluster", "5"), ("levels", "2"), ("direct", "no")]),
        ("hpa-star", &[("cluster", "3"), ("levels", "3"), ("edges", "lazy"), ("direct", "no")]),
        ("dhpa-star", &[("cluster", "4"), ("levels", "2"), ("direct", "no")]),
        ("dhpa-star", &[("cluster", "6")]),
        ("dhpa-star", &[("cluster", "5"), ("rows", "yes"), ("direct", "no")]),
        ("shpa-star", &[("size", "20")]),
        ("rhumb", &[("spacing", "5"), ("gap", "3"), ("direct", "no")]),
        ("a-star", &[]),
    ];
    let mut scratch = Scratch::new();
    let mut between = [0; 9];
    on_random_worlds(31, 25, |random, world, from| {
        for (number, (name, settings)) in charts.into_iter().enumerate() {
            let planner = build(world, name, settings);
            let to = random_free_cell(random, world).expect("there is one");
            let plan = planner.plan(world, Query::new(from, to), &mut scratch).expect("a sound query");
            let Some(mut route) = plan.into_route() else { continue };
            // Before each leg: the number of cells walked so far, and the waypoints of the rest of the route.
            let (mut told, mut cells) = (Vec::new(), Vec::new());
            loop {
                let places = route.waypoints(&planner);
                assert_eq!(places.last().copied(), (!route.is_done()).then_some(to), "{name}");
                told.push((cells.len(), places));
                match route.next_leg(&planner, world, &mut scratch).expect("nothing has been edited") {
                    Some(piece) => cells.extend_from_slice(piece),
                    None => break,
                }
            }
            assert_eq!(told[0].1.first(), Some(&from), "{name}");
            between[number] += told[0].1.len().saturating_sub(2);
            for (behind, places) in told {
                let ahead = &cells[behind..];
                assert!(passes(ahead, &places), "{name}: {places:?} on {ahead:?} {}", picture(world));
            }
        }
    });
    let [hpa @ .., shpa, rhumb, flat] = between;
    assert!(hpa.iter().chain([&rhumb]).all(|&count| count > 50) && [shpa, flat] == [0; 2], "{between:?}");
}

#[test]
fn a_walker_learns_whether_an_edit_is_in_its_way() {
    let mut scratch = Scratch::new();
    let mut random = Random::new(12);
    let (mut went_on, mut hit) = (0, 0);
    for round in 0..200 {
        let mut world = World::from(made("rooms", 70, 60));
        let settings = [("cluster", "8"), ("levels", if round % 2 == 0 { "1" } else { "2" }), ("direct", "no")];
        let mut planner = build(&world, if round % 3 == 0 { "dhpa-star" } else { "hpa-star" }, &settings);
        let (Some(from), Some(to)) = (random_free_cell(&mut random, &world), random_free_cell(&mut random, &world))
        else {
            continue;
        };
        let plan = planner.plan(&world, Query::new(from, to), &mut scratch).expect("a sound query");
        let Some(mut route) = plan.into_route() else { continue };
        let first = route.next_leg(&planner, &world, &mut scratch).expect("nothing has been edited");
        let mut last = *first.and_then(<[Cell]>::last).expect("a route begins somewhere");
        // The edit covers a random place or, every fourth round, the goal.
        let anywhere = Cell::new(random.below(68) as u16, random.below(58) as u16);
        let corner = if round % 4 == 0 { Cell::new(to.x.min(68), to.y.min(58)) } else { anywhere };
        let area = Area { x: corner.x, y: corner.y, width: 2, height: 2 };
        let edits = [Edit::new(area, Terrain::of_weight(random.below(2) as u8))];
        world.apply(&edits).expect("a sound edit");
        assert!(matches!(route.next_leg(&planner, &world, &mut scratch), Err(QueryError::Stale { .. })));
        planner.repair(&world, &edits).expect("it can follow");
        assert!(route.waypoints(&planner).is_empty(), "nobody knows yet whether they are still passed");
        if route.survives(&planner, &world, &edits) {
            went_on += 1;
            while let Some(piece) = route.next_leg(&planner, &world, &mut scratch).expect("it survived") {
                for &cell in piece {
                    assert!(world.step_cost(last, cell).is_some(), "{last} to {cell} {}", picture(&world));
                    last = cell;
                }
            }
            assert_eq!(last, to);
        } else {
            hit += 1;
            assert!(matches!(route.next_leg(&planner, &world, &mut scratch), Err(QueryError::Stale { .. })));
        }
    }
    assert!(went_on > 50 && hit > 10, "{went_on} went on, {hit} were hit");
}

#[test]
fn an_edit_redoes_the_clusters_it_touches_and_no_others() {
    let mut world = World::from(made("rooms", 100, 100));
    for name in ["hpa-star", "dhpa-star"] {
        let mut planner = build(&world, name, &[("cluster", "10"), ("levels", "3")]);
        let free = |cell: &Cell| (3..7).contains(&(cell.x % 10)) && (3..7).contains(&(cell.y % 10));
        for cell in world.cells().filter(free).collect::<Vec<_>>() {
            let terrain = if world.is_free(cell) { Terrain::BLOCKED } else { Terrain::GROUND };
            let edit = [Edit::new(cell, terrain)];
            world.apply(&edit).expect("a sound edit");
            let repair = planner.repair(&world, &edit).expect("it can follow");
            assert!((1..=3).contains(&repair.clusters), "{name}: {} clusters for {cell}", repair.clusters);
        }
    }
}

#[test]
fn trees_take_three_bytes_an_entry() {
    for recipe in ["caves", "rooms", "hills"] {
        let world = Snapshot::from(made(recipe, 200, 200));
        let bytes = |name| build(&world, name, &[("cluster", "10"), ("levels", "1")]).bytes();
        // Costs between ports take equally many bytes in both charts, so that the difference is what the trees take.
        let trees = build(&world, "dhpa-star", &[("cluster", "10")]).bytes() - build_plain(&world).bytes();
        let entries: usize = build_plain(&world)
            .census(&world)
            .expect("it knows this world")
            .iter()
            .map(|level| level.nodes * 100)
            .sum();
        let overhead = 400 * 64; // for the headers of 400 clusters
        assert!(bytes("dhpa-star") > 0 && trees <= 3 * entries + overhead, "{recipe}: {trees} for {entries}");
    }
}

#[test]
fn minimal_memory_takes_a_few_bytes_a_sector() {
    for recipe in ["caves", "rooms", "hills", "city"] {
        let world = Snapshot::from(made(recipe, 400, 400));
        for levels in ["1", "2"] {
            let least = build(&world, "minimal-memory", &[("levels", levels)]);
            let regions: usize = least
                .census(&world)
                .expect("it knows this world")
                .iter()
                .map(|level| level.nodes + level.clusters)
                .sum();
            assert!(least.bytes() <= 8 * regions, "{recipe}: {} for {regions}", least.bytes());
            assert!(50 * least.bytes() <= build_plain(&world).bytes(), "{recipe}: {}", least.bytes());
        }
    }
}

fn build_plain(world: &Snapshot) -> Planner {
    build(world, "hpa-star", &[("cluster", "10"), ("routes", "search")])
}

/// A world and a planner for it, which are replaced together.
type Shared = RwLock<(Snapshot, Arc<Planner>)>;

/// Puts random queries to the planner and checks the answers until `stop` is set; returns how many routes were checked.
fn keep_asking(shared: &Shared, seed: u64, stop: &AtomicBool) -> usize {
    let mut random = Random::new(seed);
    let mut scratch = Scratch::new();
    let mut checked = 0;
    while !stop.load(Ordering::Relaxed) {
        let (world, planner) = shared.read().expect("nobody panics").clone();
        let Some(from) = random_free_cell(&mut random, &world) else { continue };
        let to = random_free_cell(&mut random, &world).expect("there is one");
        let outcome = planner.find(&world, Query::new(from, to), &mut scratch).expect("they were swapped together");
        match outcome {
            Outcome::Reached(route) => {
                route.check(&world).expect("routes are legal in the world they were asked for");
                assert_eq!((route.cells()[0], route.cells()[route.steps()]), (from, to));
                checked += 1;
            }
            other => assert!(other == Outcome::Unreachable && !world.connected(from, to), "{}", other.name()),
        }
    }
    checked
}

fn storm(name: &str, settings: &[(&str, &str)], batches: usize) {
    let mut random = Random::new(100);
    let mut world = World::from(made("caves", 96, 80));
    let shared: Shared = RwLock::new((world.snapshot(), Arc::new(build(&world, name, settings))));
    let (stop, checked) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for seed in 0..2 {
            let (shared, stop, checked) = (&shared, &stop, &checked);
            scope.spawn(move || checked.fetch_add(keep_asking(shared, seed, stop), Ordering::Relaxed));
        }
        // The threads search with a clone of this planner. After each batch of edits this planner is repaired, and a
        // new clone of it replaces the old one.
        let mut planner = build(&world, name, settings);
        let mut scratch = Scratch::new();
        for batch in 0..batches {
            let edits: Vec<Edit> = (0..100)
                .map(|_| {
                    let (x, y) = (random.below(94) as u16, random.below(78) as u16);
                    let (width, height) = (1 + random.below(2) as u16, 1 + random.below(2) as u16);
                    let free = random.below(10) < 6;
                    Edit::new(Area { x, y, width, height }, if free { Terrain::GROUND } else { Terrain::BLOCKED })
                })
                .collect();
            world.apply(&edits).expect("sound edits");
            planner.repair(&world, &edits).expect("it can follow");
            *shared.write().expect("nobody panics") = (world.snapshot(), Arc::new(planner.clone()));
            let anew = World::from(world.with_rules(Rules { metric: Some(world.metric()), ..world.rules() }));
            let fresh = build(&anew, name, settings);
            for _ in 0..3 {
                let Some(from) = random_free_cell(&mut random, &world) else { continue };
                let to = random_free_cell(&mut random, &world).expect("there is one");
                let query = Query::new(from, to);
                let mended = planner.find(&world, query, &mut scratch).expect("a sound query");
                let built = fresh.find(&anew, query, &mut scratch).expect("a sound query");
                assert_eq!(mended, built, "batch {batch} of {name}");
            }
            assert_eq!(
                planner.census(&world).ok(),
                Some(fresh.census(&anew).expect("it knows this world")),
                "batch {batch} of {name}"
            );
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(checked.into_inner() > batches, "searches went on");
}

#[test]
fn a_storm_of_edits_leaves_nothing_stale() {
    // 120,000 edits in all.
    storm("hpa-star", &[("cluster", "8"), ("levels", "3"), ("direct", "no")], 400);
    storm("dhpa-star", &[("cluster", "10"), ("levels", "2"), ("direct", "no")], 400);
    storm("hpa-star", &[("cluster", "6"), ("levels", "2"), ("edges", "lazy"), ("routes", "search")], 200);
    storm("minimal-memory", &[("sector", "8"), ("levels", "2")], 200);
}

#[test]
fn a_lazy_route_knows_its_cost_before_its_cells() {
    let world = Snapshot::from(made("city", 400, 400));
    let planner = build(&world, "dhpa-star", &[("direct", "no")]);
    let mut scratch = Scratch::new();
    let mut random = Random::new(3);
    let (from, to) = std::iter::repeat_with(|| {
        let from = random_free_cell(&mut random, &world).expect("a city has streets");
        (from, random_free_cell(&mut random, &world).expect("a city has streets"))
    })
    .find(|&(from, to)| world.connected(from, to) && from.x.abs_diff(to.x) > 200)
    .expect("some pair is far apart");
    let plan = planner.plan(&world, Query::new(from, to), &mut scratch).expect("a sound query");
    let mut route = plan.into_route().expect("they are connected");
    assert!(route.cost() > Some(Cost(0)) && !route.is_done());
    let first = route.next_leg(&planner, &world, &mut scratch).expect("nothing has been edited");
    let steps = first.expect("a route begins somewhere").len();
    let all = steps + walk(&mut route, &planner, &world, &mut scratch).len();
    assert!(steps * 4 < all, "the first of {all} cells came in a piece of {steps}");
}

/// Returns an edit of a few cells.
fn small_edit(random: &mut Random, world: &World) -> Edit {
    let (x, y) = (random.below(world.width() as u64) as u16, random.below(world.height() as u64) as u16);
    Edit::new(Cell::new(x, y), Terrain::of_weight(random.below(3) as u8))
}

#[test]
fn rows_cost_what_a_search_over_the_same_ports_finds() {
    let mut random = Random::new(83);
    let mut scratch = Scratch::new();
    let mut reached = 0;
    for (round, rules) in all_rules().into_iter().cycle().take(24).enumerate() {
        let mut world = World::from((*random_world(&mut random, rules)).clone());
        let cluster = ["3", "6", "10"][round % 3];
        let made = |world: &Snapshot, rows| {
            build(world, "dhpa-star", &[("cluster", cluster), ("levels", "1"), ("rows", rows), ("direct", "no")])
        };
        let mut planner = made(&world, "yes");
        for edit in 0..6 {
            let (fresh, searching) = (made(&world, "yes"), made(&world, "no"));
            for _ in 0..12 {
                let ends = (random_free_cell(&mut random, &world), random_free_cell(&mut random, &world));
                let (Some(from), Some(to)) = ends else { continue };
                let query = Query::new(from, to);
                let found = planner.find(&world, query, &mut scratch).expect("a sound query");
                assert_eq!(found, fresh.find(&world, query, &mut scratch).expect("a sound query"), "edit {edit}");
                let known = searching.find(&world, query, &mut scratch).expect("a sound query");
                let costs = [&found, &known].map(|outcome| outcome.route().map(Route::cost));
                assert_eq!(costs[0], costs[1], "{from} to {to} {}", picture(&world));
                reached += usize::from(costs[0].is_some());
            }
            let edits = [small_edit(&mut random, &world)];
            world.apply(&edits).expect("a sound edit");
            planner.repair(&world, &edits).expect("the same edits");
            if edit % 2 == 0 {
                planner.refresh(&world).expect("nothing has been edited");
            }
        }
    }
    assert!(reached > 500, "{reached}");
}
