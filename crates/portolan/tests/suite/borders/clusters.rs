//! HPA* and DHPA* on worlds with one-way borders and links: their charts know what each way costs, and what they keep for the
//! second way is kept where it differs.
//!
//! Not here: that their routes are legal and found where there are any, which the parent module says of all algorithms.

use super::model::Model;
use super::{edited, on_worlds};
use crate::worlds::build;
use portolan::generate::{generate, recipe};
use portolan::{
    Area, Border, Cell, Edit, Extras, Motion, Outcome, Planner, Query, Rules, Scratch, Side, Snapshot, Space,
    SquareGrid, Terrain, World,
};

/// Charts of which each finds what the cheapest way over its transitions costs.
fn charts(world: &Snapshot, cluster: &str, others: &[(&str, &str)]) -> Vec<Planner> {
    let kept = [("routes", "kept"), ("edges", "eager")];
    let late = [("routes", "search"), ("edges", "lazy")];
    let common = [&[("cluster", cluster), ("direct", "no"), ("smoothing", "none")], others].concat();
    let mut charts = vec![
        build(world, "hpa-star", &[&common[..], &kept].concat()),
        build(world, "hpa-star", &[&common[..], &late].concat()),
        build(world, "dhpa-star", &common),
        build(world, "dhpa-star", &[&common[..], &late[1..]].concat()),
    ];
    if cluster != "1" {
        charts.push(build(world, "dhpa-star", &[&common[..], &[("rows", "yes"), ("threads", "1")]].concat()));
    }
    charts
}

/// Returns the cost of the route that a planner finds.
fn cost(planner: &Planner, world: &Snapshot, query: Query, scratch: &mut Scratch) -> Option<u64> {
    match planner.find(world, query, scratch).expect("a sound query") {
        Outcome::Reached(route) => {
            route.check(world).unwrap_or_else(|error| panic!("{error}"));
            Some(route.cost().0.into())
        }
        Outcome::Unreachable => None,
        other => panic!("{other:?}"),
    }
}

/// Puts questions to charts of random worlds, before and after edits, and hands what each finds to a judge, with the truth.
/// Returns how many routes there were on worlds with one-way borders or links.
fn on_charts(
    (seed, count, most): (u64, usize, u64),
    settings: &[(&str, &[(&str, &str)])],
    judge: impl Fn(&[Option<u64>], Option<u64>, &Model),
) -> usize {
    let (mut scratch, mut round, mut routes) = (Scratch::new(), 0, 0);
    on_worlds::<SquareGrid>(seed, count, most, |random, mut world, mut model, brings| {
        round += 1;
        let (cluster, others) = settings[round % settings.len()];
        let mut planners = charts(&world, cluster, others);
        for _ in 0..4 {
            let Some(from) = model.random_free_cell(random) else { break };
            let truth = model.costs_from(&[from]);
            for to in [(); 4].map(|()| model.random_free_cell(random)).into_iter().flatten() {
                let find = |planner| cost(planner, &world, Query::new(from, to), &mut scratch);
                let found: Vec<Option<u64>> = planners.iter().map(find).collect();
                judge(&found, truth.get(&to).copied(), &model);
                routes += usize::from(found[0].is_some() && world.extras() == Extras::OneWays);
            }
            let edits = edited(random, &mut world, &mut model, brings);
            for planner in &mut planners {
                planner.repair(&world, &edits).expect("it suits all worlds");
            }
        }
    });
    routes
}

#[test]
fn one_cluster_and_clusters_of_one_cell_find_the_cheapest_ways() {
    let routes = on_charts((50, 48, 30), &[("64", &[]), ("1", &[])], |found, truth, model| {
        assert!(found.iter().all(|&cost| cost == truth), "{found:?}, not {truth:?} on\n{model}");
    });
    assert!(routes > 500, "{routes} routes mean something");
}

#[test]
fn trees_and_searches_of_clusters_find_one_cost() {
    let settings: [(&str, &[(&str, &str)]); 3] =
        [("7", &[]), ("4", &[("entrances", "spaced"), ("diagonals", "needed")]), ("11", &[("entrances", "pra-2017")])];
    let routes = on_charts((51, 48, 40), &settings, |found, truth, model| {
        assert!(found.iter().all(|&cost| cost == found[0]), "{found:?} on\n{model}");
        assert_eq!(found[0].is_some(), truth.is_some(), "on\n{model}");
        assert!(found[0] >= truth, "{found:?}, less than {truth:?} on\n{model}");
    });
    assert!(routes > 500, "{routes} routes mean something");
}

#[test]
fn legs_lead_where_whole_routes_do() {
    let mut scratch = Scratch::new();
    let mut walked = 0;
    on_worlds::<SquareGrid>(52, 40, 40, |random, world, model, _| {
        let [Some(from), Some(to)] = [(); 2].map(|()| model.random_free_cell(random)) else { return };
        for planner in charts(&world, "6", &[]) {
            let query = Query::new(from, to);
            let whole = cost(&planner, &world, query, &mut scratch);
            let planned = planner.plan(&world, query, &mut scratch).expect("a sound query");
            let Some(mut route) = planned.into_route() else {
                assert_eq!(whole, None, "on\n{model}");
                continue;
            };
            let mut cells = Vec::new();
            while let Some(piece) = route.next_leg(&planner, &world, &mut scratch).expect("nothing has changed") {
                cells.extend_from_slice(piece);
            }
            let price = |step: &[Cell]| Some(u64::from(world.segment(step[0], step[1], Motion::Steps)?.0));
            let sum: Option<u64> = cells.windows(2).map(price).sum();
            let ends = [cells.first(), cells.last()].map(Option::<&Cell>::copied);
            assert_eq!((ends, sum), ([Some(from), Some(to)], whole), "{} on\n{model}", planner.algorithm().name);
            walked += usize::from(world.extras() == Extras::OneWays);
        }
    });
    assert!(walked > 100, "{walked} routes mean something");
}

#[test]
fn only_clusters_with_one_way_steps_keep_two_trees_for_a_port() {
    let recipe = recipe("caves").expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    let grid = generate(recipe, 120, 120, 4, &settings, Rules::default()).expect("a sound size");
    let mut world = World::from(grid);
    // Open ground in the middle of one cluster of 20 x 20 cells, with a border across.
    let ground = Edit::new(Area { x: 48, y: 48, width: 5, height: 5 }, Terrain::GROUND);
    world.apply(&[ground]).expect("it lies on the map");
    let mut bytes = |border: Border| {
        world.apply(&[Edit::border(Cell::new(50, 50), Side::East, border)]).expect("it lies on the map");
        let chart = |name| build(&world, name, &[("cluster", "20"), ("levels", "1")]);
        (chart("dhpa-star").bytes(), chart("hpa-star").bytes())
    };
    let [open, walled, one_way] = [Border::Open, Border::Closed, Border::In].map(&mut bytes);
    assert_eq!(walled, open);
    let more = one_way.0 - walled.0;
    // Of 36 clusters with 400 cells, one has the second trees: three bytes for each of its ports and cells.
    assert!((1..=3 * 400 * 80).contains(&more) && more * 8 < walled.0, "{more} of {} bytes more", walled.0);
    assert!(one_way.1 - walled.1 < 4000, "{one_way:?} {walled:?}: the prices of both ways have a place already");
}
