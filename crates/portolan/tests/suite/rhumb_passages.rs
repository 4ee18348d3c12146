//! The rhumb chart over walls, one-way borders and links. With a port at every free cell of its lines it leaves nothing out, so
//! that its routes have to cost what the oracle finds, before and after repairs.
//!
//! Not here: what every algorithm promises on such worlds (`borders.rs`).

use crate::borders::model::Model;
use crate::borders::{edited, on_worlds};
use crate::worlds::build;
use portolan::generate::Random;
use portolan::{Cell, Cost, Outcome, Planner, Query, Scratch, SquareGrid, World};

/// Settings under which the chart has every way: lines close to each other, and ports at all of their free cells.
const EVERY_PORT: [(&str, &str); 5] =
    [("spacing", "4"), ("gap", "1"), ("both-ends", "1"), ("direct", "no"), ("smoothing", "none")];

/// Returns whether costs of the chart are those of the world: there are links, or its prices are the world's.
fn has_exact_prices(world: &World, model: &Model) -> bool {
    if model.has_links() {
        return true;
    }
    let is_light = model.weights.iter().all(|&weight| weight < 2);
    let is_mixed = world.uniform_weight().is_none();
    world.metric().diagonal() <= 24 && (is_light || is_mixed)
}

/// Asserts that a planner answers a query with a legal route of this cost, or at least that if prices are not exact, and that
/// planning in legs does too.
fn assert_answers(world: &World, model: &Model, planner: &Planner, query: Query, truth: Option<u64>) {
    let mut scratch = Scratch::new();
    let exact = has_exact_prices(world, model);
    let about = || format!("from {} to {}, {:?} on\n{model}", query.from, query.to, world.metric());
    let outcome = planner.find(world, query, &mut scratch).expect("a sound query");
    let Some(truth) = truth else {
        assert_eq!(outcome, Outcome::Unreachable, "{}", about());
        return;
    };
    let Outcome::Reached(route) = outcome else { panic!("{outcome:?}, not a route of {truth} {}", about()) };
    route.check(world).unwrap_or_else(|error| panic!("{error} {}", about()));
    let cost = u64::from(route.cost().0);
    assert!(cost == truth || !exact && cost > truth, "{cost}, least {truth} {}", about());
    assert!(cost * 100 <= truth * 106 + 400, "{cost}, least {truth} {}", about());
    let legs = planner.plan(world, query, &mut scratch).expect("a sound query");
    let mut lazy = legs.into_route().expect("there is a way");
    let mut cells: Vec<Cell> = Vec::new();
    while let Some(leg) = lazy.next_leg(planner, world, &mut scratch).expect("the planner has not changed") {
        cells.extend_from_slice(leg);
    }
    let walked: Option<u64> = cells.windows(2).map(|step| Some(u64::from(world.step_cost(step[0], step[1])?.0))).sum();
    assert_eq!(cells.last(), Some(&query.to), "{}", about());
    let walked = walked.unwrap_or_else(|| panic!("{cells:?} {}", about()));
    assert!(walked == truth || !exact && walked >= truth, "{walked}, least {truth} {}", about());
}

fn exact_on(seed: u64, count: usize, most: u64, lines: &str) -> usize {
    let mut answers = 0;
    on_worlds::<SquareGrid>(seed, count, most, |random, mut world, mut model, brings| {
        let settings = [&EVERY_PORT[..], &[("lines", lines), ("threads", "1")]].concat();
        let mut chart = build(&world, "rhumb", &settings);
        for _ in 0..4 {
            let Some(from) = model.random_free_cell(random) else { break };
            answers += compare(random, &world, &model, &chart, from);
            let edits = edited(random, &mut world, &mut model, brings);
            chart.repair(&world, &edits).expect("it suits");
            let fresh = chart.anew(&world).expect("it suits");
            let query = Query::new(from, model.random_cell(random));
            let mut scratch = Scratch::new();
            let answers = [&chart, &fresh].map(|planner| planner.find(&world, query, &mut scratch));
            assert_eq!(answers[0], answers[1], "{query:?} on\n{model}");
        }
    });
    answers
}

/// Compares routes and costs from a cell with the oracle's. Returns how many.
fn compare(random: &mut Random, world: &World, model: &Model, planner: &Planner, from: Cell) -> usize {
    let truth = model.costs_from(&[from]);
    let goals: Vec<Cell> = (0..6).map(|_| model.random_cell(random)).collect();
    for &to in &goals {
        assert_answers(world, model, planner, Query::new(from, to), truth.get(&to).copied());
    }
    let costs = planner.distances(world, from, &goals, &mut Scratch::new()).expect("a sound query");
    for (goal, cost) in goals.iter().zip(costs) {
        let least = truth.get(goal).copied();
        let cost = cost.map(|Cost(cost)| u64::from(cost));
        let is_near = cost.zip(least).is_some_and(|(cost, least)| cost.abs_diff(least) * 100 <= 6 * least + 400);
        let is_right = if has_exact_prices(world, model) { cost == least } else { cost == least || is_near };
        assert!(is_right, "{cost:?}, least {least:?}, from {from} to {goal} on\n{model}");
    }
    goals.len() * 3
}

#[test]
fn with_every_port_the_ways_of_a_rhumb_chart_are_cheapest_over_walls_one_way_borders_and_links() {
    let answers = exact_on(50, 40, 30, "even") + exact_on(51, 20, 30, "placed");
    assert!(answers > 2000, "{answers}");
}

#[test]
fn a_small_world_with_links_is_searched_without_a_chart() {
    let mut world = World::from(SquareGrid::open(20, 20, portolan::Rules::default()).expect("a sound size"));
    let price = world.metric().straight();
    world.apply(&[portolan::Edit::link((1, 1), (18, 18), Cost(price), true)]).expect("a sound link");
    let planner = Planner::new(&world, "rhumb").expect("it suits");
    let route = planner.find(&world, Query::new((0, 1), (19, 18)), &mut Scratch::new()).expect("a sound query");
    assert_eq!(route.into_route().expect("open ground").cost(), Cost(3 * price));
}

#[test]
#[ignore = "takes minutes: run it after changes of the rhumb chart"]
fn a_long_comparison_with_the_oracle() {
    for seed in 0..40 {
        let answers = exact_on(100 + seed, 60, 32, "even") + exact_on(200 + seed, 60, 32, "placed");
        println!("seed {seed}: {answers} answers as the oracle's");
    }
}
