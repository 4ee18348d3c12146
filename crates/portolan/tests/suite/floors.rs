//! Buildings of floors that links join: routes against the oracle while links and terrain change, and how much faster a chart is.
//!
//! Not here: links on one floor (`borders.rs`).

use crate::borders::model::{Kind, Model};
use crate::random_worlds::check;
use portolan::generate::{Random, generate, recipe};
use portolan::{Cost, Edit, Floors, Metric, Planner, Query, Rules, Scratch, Terrain, World};
use std::time::{Duration, Instant};

/// Ten floors, each with walls of its own, stairs between neighbours and a teleport across all.
#[test]
fn routes_over_floors_are_cheapest_whatever_is_edited() {
    let mut random = Random::new(40);
    let floors = Floors::new(10, 14, 9).expect("a sound size");
    let weights: Vec<u8> = (0..10 * 14 * 9).map(|_| u8::from(!random.chance(20))).collect();
    let metric = Some(Metric::new(10, 14).expect("a sound metric"));
    let mut world = World::from(floors.squares(&weights, Rules { metric, ..Rules::default() }).expect("a sound size"));
    let mut model = Model::of(&world);
    let mut planners: Vec<Planner> = Kind::planners(&world.snapshot());
    let mut scratch = Scratch::new();
    let at = |random: &mut Random| (random.below(14) as u16, random.below(9) as u16);
    let mut reached = 0;
    for round in 0..40 {
        let (floor, cost) = (random.below(9) as usize, Cost(5 + random.below(60) as u32));
        let to = if round % 8 == 7 { random.below(10) as usize } else { floor + 1 };
        let (from, onto) = (at(&mut random), at(&mut random));
        let Some(stairs) = floors.link((floor, from), (to, onto), cost, round % 3 > 0).filter(|_| floor != to) else {
            continue;
        };
        let block = floors.cell(floor, at(&mut random)).expect("on the floor");
        let edits = [stairs, Edit::new(block, Terrain::of_weight((round % 2) as u8))];
        model.apply_all(&edits);
        world.apply(&edits).expect("sound edits");
        planners.retain_mut(|planner| planner.repair(&world, &edits).is_ok());
        let Some(from) = model.random_free_cell(&mut random) else { continue };
        let truth = model.costs_from(&[from]);
        for _ in 0..4 {
            let to = model.random_cell(&mut random);
            reached += usize::from(truth.contains_key(&to));
            for planner in &planners {
                check(&world, planner, from, to, truth.get(&to).copied(), &mut scratch);
            }
        }
    }
    assert!(reached > 30 && planners.len() > 12, "{reached} by {}", planners.len());
}

#[test]
#[ignore = "measures time: run it in release on a quiet machine"]
fn charts_over_ten_floors_against_a_star() {
    let mut random = Random::new(8);
    let floors = Floors::new(10, 256, 256).expect("a sound size");
    let rooms = recipe("rooms").expect("a known recipe");
    let settings = rooms.settings::<&str, &str>(&[]).expect("defaults are sound");
    let floor = |seed| generate(rooms, 256, 256, seed, &settings, Rules::default()).expect("a sound size").to_weights();
    let weights: Vec<u8> = (0..10).flat_map(floor).collect();
    let mut world = World::from(floors.squares(&weights, Rules::default()).expect("a sound size"));
    let price = world.metric().straight();
    let mut free_cell = |floor: usize| loop {
        let at = (random.below(256) as u16, random.below(256) as u16);
        let cell = floors.cell(floor, at).expect("on the floor");
        if world.is_free(cell) {
            return cell;
        }
    };
    let stairs = (0..9).flat_map(|floor| [floor; 8]).map(|floor| (floor, floor + 1, 10 * price));
    let teleports = (0..6).map(|i| (i, 9 - i / 2, 100 * price));
    let links: Vec<Edit> = stairs
        .chain(teleports)
        .map(|(from, to, cost)| Edit::link(free_cell(from), free_cell(to), Cost(cost), true))
        .collect();
    let queries: Vec<_> = (0..80).map(|i| (free_cell(i % 10), free_cell(i * 7 % 10))).collect();
    world.apply(&links).expect("sound links");
    let mut scratch = Scratch::new();
    let mut race = |name: &str| {
        let planner = Planner::new(&world, name).expect("it suits");
        let (mut time, mut costs) = (Duration::ZERO, Vec::new());
        for &(from, to) in &queries {
            let begun = Instant::now();
            let outcome = planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
            time += begun.elapsed();
            let route = outcome.into_route();
            costs.push(route.map_or(0, |route| {
                route.check(&world).expect("a legal route");
                u64::from(route.cost().0)
            }));
        }
        (time, costs)
    };
    let (slow, least) = race("a-star");
    for name in ["hpa-star", "dhpa-star", "rhumb"] {
        let (fast, costs) = race(name);
        let [sum, best] = [&costs, &least].map(|costs| costs.iter().sum::<u64>() as f64);
        println!("{name}: {:.1} times as fast, {:.4} of the cost", slow.as_secs_f64() / fast.as_secs_f64(), sum / best);
        assert!(costs.iter().zip(&least).all(|(&cost, &least)| cost >= least && (cost > 0) == (least > 0)));
    }
}
