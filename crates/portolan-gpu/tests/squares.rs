//! Batches on square grids on a graphics processor are those of the planner, byte by byte. Where there is no processor, not
//! even a driver that computes on the CPU, the tests say so and end.
//!
//! The map AcrosstheCape is looked for in the folder `sc` of the one that `PORTOLAN_MAPS` names, or else of `../shared/maps`
//! beside the repository.

use portolan::generate::{self, Random, generate};
use portolan::{
    AnswerKind, Area, BatchScratch, Cell, Corners, Directions, Edit, Metric, Planner, Query, Rules, SquareGrid,
    Terrain, World, algorithms,
};
use portolan_gpu::{BatchRouter, Gpu, GpuError, Kind};
use std::path::{Path, PathBuf};

/// Opens a processor, or says that the test is skipped.
fn gpu() -> Option<Gpu> {
    match Gpu::open(Kind::Any) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}

const EVERY_RULE: [(Directions, Corners); 4] = [
    (Directions::Eight, Corners::Strict),
    (Directions::Eight, Corners::NoSqueeze),
    (Directions::Eight, Corners::Loose),
    (Directions::Four, Corners::Strict),
];

fn rules((directions, corners): (Directions, Corners)) -> Rules {
    Rules { directions, corners, ..Rules::default() }
}

fn made(recipe: &str, (width, height): (usize, usize), seed: u64, rules: Rules) -> World<SquareGrid> {
    let recipe = generate::recipe(recipe).unwrap();
    let settings = recipe.settings::<&str, &str>(&[]).unwrap();
    World::from(generate(recipe, width, height, seed, &settings, rules).unwrap())
}

fn built(world: &World<SquareGrid>, settings: &[(&str, &str)]) -> Planner<SquareGrid> {
    let builder = algorithms::RHUMB.set("threads", 1);
    settings.iter().fold(builder, |builder, (name, value)| builder.set(name, value)).build(world).unwrap()
}

/// Asks many random queries, among them some near each other, some with a budget and some that are errors, and compares the
/// answers. Returns how many searches were left to the planner.
fn compare(
    router: &mut BatchRouter<SquareGrid>,
    planner: &Planner<SquareGrid>,
    world: &World<SquareGrid>,
    random: &mut Random,
    count: usize,
) -> usize {
    let (width, height) = (world.width() as u64, world.height() as u64);
    let somewhere = |random: &mut Random| {
        // Mostly a free cell, so that most queries have an answer.
        let mut cell = Cell::default();
        for _ in 0..8 {
            cell = Cell::new(random.below(width) as u16, random.below(height) as u16);
            if world.is_free(cell) {
                break;
            }
        }
        cell
    };
    let mut queries = Vec::with_capacity(count);
    for number in 0..count {
        let from = somewhere(random);
        let to = match number % 16 {
            3 => Cell::new(u16::MAX, 0),
            7 => {
                let near = |at: u16, side: u64, random: &mut Random| {
                    (u64::from(at) + random.below(60)).saturating_sub(30).min(side - 1) as u16
                };
                Cell::new(near(from.x, width, random), near(from.y, height, random))
            }
            11 => from,
            _ => somewhere(random),
        };
        let query = Query::new(from, to);
        queries.push(match number % 10 {
            0 | 5 => query.nearest(),
            7 => query.budget(3),
            _ => query,
        });
    }
    let mut scratch = BatchScratch::new(1);
    let known = planner.find_many(world, &queries, &mut scratch).unwrap();
    let found = router.find_many(planner, world, &queries, &mut scratch).unwrap();
    assert_eq!(router.fault(), None);
    let reached = known.kinds().iter().filter(|&&kind| kind == AnswerKind::Reached).count();
    assert!(reached > count / 5, "{reached} of {count} were reached");
    for (number, Query { from, to, .. }) in queries.iter().enumerate() {
        assert_eq!(found.kinds()[number], known.kinds()[number], "{from} to {to}");
        assert_eq!(found.route(number), known.route(number), "{from} to {to}");
    }
    assert!(found == known, "all arrays are equal");
    router.left()
}

#[test]
fn batches_are_those_of_the_planner() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(81);
    for (number, rule) in EVERY_RULE.into_iter().enumerate() {
        for recipe in ["caves", "rooms", "noise"] {
            let world = made(recipe, (200, 150), 3 + number as u64, rules(rule));
            let planner = built(&world, &[]);
            let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
            let left = compare(&mut router, &planner, &world, &mut random, 1000);
            println!("{recipe} {rule:?}: {left} of 1000 left");
            // A small batch after a large one finds old numbers in its working memory.
            compare(&mut router, &planner, &world, &mut random, 50);
        }
    }
}
