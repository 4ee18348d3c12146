//! Batches on square grids by DHPA* with rows are those of the planner, byte by byte. Where there is no processor, not even a
//! driver that computes on the CPU, the tests say so and end.

use crate::gpu;
use portolan::generate::{self, Random, generate};
use portolan::{
    AnswerKind, BatchScratch, Cell, Corners, Directions, Edit, Planner, Query, Rules, Snapshot, SquareGrid, Terrain,
    World, algorithms,
};
use portolan_gpu::{BatchRouter, GpuError};

fn planner(world: &Snapshot, settings: &[(&str, &str)]) -> Planner {
    let algorithm = &algorithms::DHPA_STAR;
    let settings = algorithm.settings(&[&[("rows", "yes")], settings].concat()).unwrap();
    Planner::build(world, algorithm, settings).unwrap()
}

fn made(recipe: &str, (width, height): (usize, usize), rules: Rules) -> SquareGrid {
    let recipe = generate::recipe(recipe).unwrap();
    let settings = recipe.settings::<&str, &str>(&[]).unwrap();
    generate(recipe, width, height, 3, &settings, rules).unwrap()
}

/// Asks many random queries, among them some near each other, some with a budget and some that are errors, and compares the
/// answers.
fn compare(
    router: &mut BatchRouter<SquareGrid>,
    planner: &Planner,
    world: &Snapshot,
    random: &mut Random,
    count: usize,
) {
    let somewhere = |random: &mut Random| {
        let (x, y) = (random.below(world.width() as u64), random.below(world.height() as u64));
        Cell::new(x as u16, y as u16)
    };
    let free = |random: &mut Random| loop {
        let cell = somewhere(random);
        if world.is_free(cell) {
            return cell;
        }
    };
    let query = |number: usize| {
        let from = free(random);
        let to = match number % 4 {
            0 => {
                Cell::new(from.x.saturating_sub(random.below(5) as u16), from.y.saturating_sub(random.below(5) as u16))
            }
            1 if number % 16 == 1 => Cell::new(u16::MAX, 0),
            1 => somewhere(random),
            _ => free(random),
        };
        let query = Query::new(from, to);
        match number % 10 {
            0 | 5 => query.nearest(),
            7 => query.budget(3),
            _ => query,
        }
    };
    let queries: Vec<Query> = (0..count).map(query).collect();
    let mut scratch = BatchScratch::new(1);
    let known = planner.find_many(world, &queries, &mut scratch).unwrap();
    let found = router.find_many(planner, world, &queries, &mut scratch).unwrap();
    assert_eq!(router.fault(), None);
    let reached = known.kinds().iter().filter(|&&kind| kind == AnswerKind::Reached).count();
    assert!(reached > count / 8, "{reached} of {count} were reached");
    assert!(router.left() * 2 < count, "{} of {count} searches were left to the planner", router.left());
    for (number, Query { from, to, .. }) in queries.iter().enumerate() {
        assert_eq!(found.kinds()[number], known.kinds()[number], "{from} to {to}");
        assert_eq!(found.route(number), known.route(number), "{from} to {to}");
    }
    assert!(found == known, "all arrays are equal");
}

#[test]
fn batches_on_squares_are_those_of_the_planner() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(81);
    let rules = |directions, corners| Rules { directions, corners, metric: None };
    let cases = [
        ("caves", (150, 130), Rules::default(), &[][..]),
        ("rooms", (97, 203), Rules::default(), &[("cluster", "16")]),
        ("noise", (80, 80), rules(Directions::Eight, Corners::NAMED[1].1), &[("cluster", "9")]),
        ("noise", (80, 80), rules(Directions::Eight, Corners::NAMED[2].1), &[("direct", "no")]),
        ("city", (160, 120), rules(Directions::Four, Corners::default()), &[]),
        ("hills", (120, 120), Rules::default(), &[]),
        ("maze", (101, 101), Rules::default(), &[("cluster", "24"), ("entrances", "spaced")]),
    ];
    for (recipe, size, rules, settings) in cases {
        let world = Snapshot::from(made(recipe, size, rules));
        let planner = planner(&world, settings);
        let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
        compare(&mut router, &planner, &world, &mut random, 3000);
        // A small batch after a large one finds old numbers in its working memory.
        compare(&mut router, &planner, &world, &mut random, 200);
    }
}

#[test]
fn edits_of_squares_are_uploaded() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(82);
    let mut world = World::from(made("caves", (140, 110), Rules::default()));
    let mut planner = planner(&world, &[("cluster", "20")]);
    let mut router = BatchRouter::new(gpu, &planner, &world).unwrap();
    for round in 0..10 {
        let edit = || {
            let cell = Cell::new(random.below(140) as u16, random.below(110) as u16);
            let weight = if round < 6 { random.below(2) } else { random.below(4) };
            Edit::new(cell, Terrain::of_weight(weight as u8))
        };
        let edits: Vec<Edit> = std::iter::repeat_with(edit).take(3).collect();
        world.apply(&edits).unwrap();
        planner.repair(&world, &edits).unwrap();
        compare(&mut router, &planner, &world, &mut random, 400);
    }
}

#[test]
fn charts_without_rows_or_with_smoothed_routes_are_refused() {
    let Some(gpu) = gpu() else { return };
    let world = Snapshot::from(made("rooms", (60, 60), Rules::default()));
    let smoothed = planner(&world, &[("smoothing", "taut")]);
    for planner in [smoothed, algorithms::DHPA_STAR.build(&world).unwrap(), algorithms::A_STAR.build(&world).unwrap()] {
        let name = planner.algorithm().name;
        assert_eq!(BatchRouter::new(gpu.clone(), &planner, &world).err(), Some(GpuError::NotFlat(name)));
    }
}

#[test]
fn a_real_map_is_routed_as_the_planner_does() {
    let Some(gpu) = gpu() else { return };
    let folder = std::env::var("PORTOLAN_MAPS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/maps").to_owned());
    let path = std::path::Path::new(&folder).join("sc/AcrosstheCape.map");
    if !path.exists() {
        println!("skipped: {} is not at hand", path.display());
        return;
    }
    let grid = portolan_formats::read_squares(&path, Rules::default()).unwrap();
    let world = Snapshot::from(grid);
    let planner = planner(&world, &[]);
    let mut router = BatchRouter::new(gpu, &planner, &world).unwrap();
    compare(&mut router, &planner, &world, &mut Random::new(83), 10_000);
}
