//! One start and many goals: the costs are those that a query for each goal finds.

use crate::oracle::costs_from;
use crate::worlds::{on_random_worlds, picture, planners, random_free_cell};
use portolan::generate::{Random, generate, recipe};
use portolan::{
    Cell, Motion, Outcome, Planner, Promise, Query, QueryError, Rules, Scratch, Snapshot, SquareGrid, algorithm,
};

#[test]
fn distances_are_what_routes_cost() {
    let mut scratch = Scratch::new();
    on_random_worlds(8, 30, |random, world, from| {
        let (width, height) = (world.width() as u64, world.height() as u64);
        let goal = |_| Cell::new(random.below(width) as u16, random.below(height) as u16);
        let goals: Vec<Cell> = (0..25).map(goal).collect();
        let truth = costs_from(world, from);
        for planner in planners(world).iter().filter(|planner| planner.algorithm().name != "ida-star") {
            let costs = planner.distances(world, from, &goals, &mut scratch).expect("a sound question");
            for (&goal, cost) in goals.iter().zip(costs) {
                let exact = truth[usize::from(goal.y) * world.width() + usize::from(goal.x)];
                let name = planner.algorithm().name;
                assert_eq!(cost.is_some(), exact.is_some(), "{name} to {goal} on {}", picture(world));
                let (Some(cost), Some(exact)) = (cost, exact) else { continue };
                // A rhumb chart counts in small whole prices of about the metric's proportion, so that its costs
                // may be 1 percent too low.
                let least = if name == "rhumb" { exact as f64 * 0.99 } else { exact as f64 };
                // Straight lines may cost less than the cheapest steps.
                let steps = planner.motion() == Motion::Steps;
                let told = format!("{name} to {goal}: {cost} of {exact} on {}", picture(world));
                assert!(f64::from(cost.0) >= least || !steps, "{told}");
                if planner.promise(world) == Promise::Optimal {
                    assert!(u64::from(cost.0) == exact || !steps && u64::from(cost.0) < exact, "{told}");
                }
            }
        }
    });
}

fn caves(width: usize, height: usize) -> Snapshot {
    let caves = recipe("caves").expect("a known recipe");
    let settings = caves.settings::<&str, &str>(&[]).expect("defaults are sound");
    generate(caves, width, height, 5, &settings, Rules::default()).expect("a sound size").into()
}

#[test]
fn a_sweep_agrees_with_the_chart_it_sweeps() {
    sweep(&caves(300, 200), "32");
}

/// On a large chart a query first climbs by few ports to get an upper bound of the cost. A sweep does not.
#[test]
fn a_sweep_agrees_with_a_large_chart() {
    sweep(&caves(420, 330), "8");
}

fn sweep(world: &Snapshot, spacing: &str) {
    let rhumb = algorithm("rhumb").expect("a known name");
    // Unless `direct` is `no`, a query walks to a goal in plain sight without the chart, possibly at less cost.
    let settings = rhumb.settings(&[("direct", "no"), ("spacing", spacing)]).expect("sound settings");
    let planner = Planner::build(world, rhumb, settings).expect("it suits");
    let (mut scratch, mut random) = (Scratch::new(), Random::new(2));
    let free: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).collect();
    let mut pick = || free[random.below(free.len() as u64) as usize];
    for _ in 0..20 {
        let from = pick();
        let goals: Vec<Cell> = (0..60).map(|_| pick()).collect();
        let costs = planner.distances(world, from, &goals, &mut scratch).expect("a sound question");
        for (&goal, cost) in goals.iter().zip(&costs) {
            let outcome = planner.find(world, Query::new(from, goal), &mut scratch).expect("a sound query");
            let Outcome::Reached(route) = outcome else {
                assert_eq!(*cost, None);
                continue;
            };
            let (told, walked) = (cost.map_or(0.0, |cost| f64::from(cost.0)), f64::from(route.cost().0));
            assert!((told - walked).abs() <= walked * 0.002, "{from} to {goal}: {told} and {walked}");
        }
        let nearest = planner.nearest_goals(world, from, &goals, 5, &mut scratch).expect("a sound question");
        let mut sorted: Vec<_> = costs.iter().flatten().copied().collect();
        sorted.sort();
        assert_eq!(nearest.iter().map(|found| found.1).collect::<Vec<_>>(), sorted[..nearest.len().min(sorted.len())]);
        assert!(nearest.iter().all(|&(place, cost)| costs[place] == Some(cost)));
    }
}

/// On a world of one weight a chart counts all ground as weight 1. The costs that it returns must still include the
/// world's weight.
#[test]
fn heavy_ground_is_heavy_before_it_is_walked() {
    let weights: Vec<u8> = caves(150, 120).to_weights().iter().map(|weight| 3 * weight).collect();
    let world = Snapshot::from(SquareGrid::from_weights(150, 120, &weights, Rules::default()).expect("sound"));
    let planner = Planner::new(&world, "rhumb").expect("it suits");
    let (mut scratch, mut random) = (Scratch::new(), Random::new(4));
    for _ in 0..30 {
        let [from, to] = [(); 2].map(|()| random_free_cell(&mut random, &world).expect("caves have ground"));
        let query = Query::new(from, to);
        let Outcome::Reached(route) = planner.find(&world, query, &mut scratch).expect("sound") else { continue };
        let Outcome::Reached(plan) = planner.plan(&world, query, &mut scratch).expect("sound") else { panic!() };
        let (walked, told) = (f64::from(route.cost().0), f64::from(plan.cost().expect("a chart knows").0));
        assert!((told - walked).abs() <= walked * 0.002, "{from} to {to}: {told} {walked}");
    }
}

#[test]
fn what_cannot_be_asked_is_an_error() {
    let world = caves(300, 200);
    let planner = Planner::new(&world, "rhumb").expect("it suits");
    let from = world.cells().find(|&cell| world.is_free(cell)).expect("caves have ground");
    let off = planner.distances(&world, from, &[Cell::new(900, 3)], &mut Scratch::new());
    assert!(matches!(off, Err(QueryError::OffMap { .. })));
    let wall = world.cells().find(|&cell| !world.is_free(cell)).expect("caves have walls");
    let blocked = planner.distances(&world, wall, &[from], &mut Scratch::new());
    assert_eq!(blocked, Err(QueryError::StartBlocked(wall)));
    assert_eq!(planner.distances(&world, from, &[from], &mut Scratch::new()).expect("there").len(), 1);
}
