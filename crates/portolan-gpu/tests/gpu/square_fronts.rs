//! Batches on square grids on a graphics processor are those of the planner, byte by byte. Where there is no processor, not
//! even a driver that computes on the CPU, the tests say so and end.
//!
//! The map `AcrosstheCape` is looked for in the folder `sc` of the one that `PORTOLAN_MAPS` names, or else of `../shared/maps`
//! beside the repository.

use crate::gpu;
use portolan::flat::Flat;
use portolan::generate::{self, Random, generate};
use portolan::{
    AnswerKind, Area, BatchScratch, Cell, Corners, Directions, Edit, Metric, Planner, Query, Rules, SquareGrid,
    Terrain, World, algorithms,
};
use portolan_formats::read_squares;
use portolan_gpu::{BatchRouter, GpuError};
use std::path::{Path, PathBuf};

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
    // The router comes first, so that it is what makes fronts that repairs have put off.
    let found = router.find_many(planner, world, &queries, &mut scratch).unwrap();
    assert_eq!(router.fault(), None);
    let known = planner.find_many(world, &queries, &mut scratch).unwrap();
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
    let recipes = [&["caves", "open", "maze"][..], &["rooms"], &["noise"], &["caves", "open"]];
    for (number, (rule, recipes)) in EVERY_RULE.into_iter().zip(recipes).enumerate() {
        for recipe in recipes {
            let world = made(recipe, (200, 150), 3 + number as u64, rules(rule));
            let planner = built(&world, &[]);
            let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
            compare(&mut router, &planner, &world, &mut random, 1000);
            // A small batch after a large one finds old numbers in its working memory.
            compare(&mut router, &planner, &world, &mut random, 50);
        }
    }
}

#[test]
fn few_searches_are_left_to_the_planner() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(82);
    for recipe in ["caves", "rooms", "noise", "city", "hills"] {
        let world = made(recipe, (512, 512), 5, Rules::default());
        let planner = built(&world, &[]);
        let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
        let free: Vec<Cell> = (0..512).flat_map(|y| (0..512).map(move |x| Cell::new(x, y))).collect();
        let free: Vec<Cell> = free.into_iter().filter(|&cell| world.is_free(cell)).collect();
        let mut somewhere = || free[random.below(free.len() as u64) as usize];
        let queries: Vec<Query> = (0..1500).map(|_| Query::new(somewhere(), somewhere())).collect();
        let mut scratch = BatchScratch::new(1);
        let found = router.find_many(&planner, &world, &queries, &mut scratch).unwrap();
        assert_eq!(router.fault(), None);
        println!("{recipe}: {} of 1500 searches were left to the planner", router.left());
        assert!(router.left() <= 45, "{recipe}: {} of 1500 searches were left to the planner", router.left());
        assert!(found == planner.find_many(&world, &queries, &mut scratch).unwrap(), "{recipe}");
    }
}

#[test]
fn a_batch_that_is_too_large_at_once_is_routed_in_pieces() {
    let Some(gpu) = gpu() else { return };
    let world = made("rooms", (50, 40), 2, Rules::default());
    let planner = built(&world, &[]);
    let mut router = BatchRouter::new(gpu, &planner, &world).unwrap();
    // More than there may be groups of threads.
    compare(&mut router, &planner, &world, &mut Random::new(88), 70_000);
    let tasks = vec![(Cell::new(0, 0), Cell::new(49, 39)); 70_000];
    assert_eq!(router.time(&tasks, 1).map(|times| times.len()), Ok(1));
}

#[test]
fn settings_and_metrics_of_the_planner_are_followed() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(83);
    // The first has so many regions that the planner climbs twice.
    for (size, settings) in [
        ((210, 200), &[("spacing", "4"), ("gap", "3")][..]),
        ((130, 150), &[("spacing", "12"), ("lines", "even"), ("direct", "no")]),
        ((150, 130), &[("spacing", "64"), ("gap", "1"), ("both-ends", "5")]),
    ] {
        for recipe in ["noise", "hills"] {
            let world = made(recipe, size, 6, Rules::default());
            let planner = built(&world, settings);
            let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
            compare(&mut router, &planner, &world, &mut random, 500);
        }
    }
    for (straight, diagonal) in [(1, 1), (1, 2), (100, 200)] {
        for recipe in ["caves", "hills"] {
            let metric = Some(Metric::new(straight, diagonal).unwrap());
            let world = made(recipe, (100, 120), 7, Rules { metric, ..Rules::default() });
            let planner = built(&world, &[]);
            let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
            compare(&mut router, &planner, &world, &mut random, 300);
        }
    }
}

/// Returns a world with a wall in every tenth row that has one gap, at its ends in turn; one cell is of weight `other`.
fn winding((width, height): (u16, u16), weight: u8, other: u8, metric: Metric) -> World<SquareGrid> {
    let rules = Rules { metric: Some(metric), ..Rules::default() };
    let mut world = World::from(SquareGrid::open(width.into(), height.into(), rules).unwrap());
    let whole = Area { x: 0, y: 0, width, height };
    let mut edits =
        vec![Edit::new(whole, Terrain::of_weight(weight)), Edit::new(Cell::new(1, 1), Terrain::of_weight(other))];
    for (number, y) in (9..height).step_by(10).enumerate() {
        let x = (number % 2) as u16;
        edits.push(Edit::new(Area { x, y, width: width - 1, height: 1 }, Terrain::BLOCKED));
    }
    world.apply(&edits).unwrap();
    world
}

#[test]
fn costs_of_any_width_are_told() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(84);
    let coarse = Metric::new(60_000, 65_535).unwrap();
    // Costs that need four bytes, costs that need eight, and costs beyond those that a route can have.
    for (size, weight, other, metric) in [
        ((150, 100), 1, 1, Metric::WIDE),
        ((400, 200), 1, 1, Metric::WIDE),
        ((1500, 60), 255, 250, Metric::WIDE),
        ((200, 100), 255, 255, coarse),
        ((200, 100), 255, 250, coarse),
    ] {
        let world = winding(size, weight, other, metric);
        let planner = built(&world, &[]);
        let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
        let mut queries = Vec::new();
        for _ in 0..400 {
            let mut at = |side: u16| random.below(u64::from(side)) as u16;
            queries.push(Query::new(Cell::new(at(size.0), at(size.1)), Cell::new(at(size.0), at(size.1))));
        }
        let mut scratch = BatchScratch::new(1);
        let known = planner.find_many(&world, &queries, &mut scratch).unwrap();
        let found = router.find_many(&planner, &world, &queries, &mut scratch).unwrap();
        assert_eq!(router.fault(), None);
        println!("{size:?} of weight {weight}: {} of 400 searches were left to the planner", router.left());
        for (number, Query { from, to, .. }) in queries.iter().enumerate() {
            assert_eq!(found.kinds()[number], known.kinds()[number], "{from} to {to}");
            assert_eq!(found.route(number), known.route(number), "{from} to {to}");
        }
        assert!(found == known, "all arrays are equal");
        let too_far = known.kinds().iter().filter(|&&kind| kind == AnswerKind::TooFar).count();
        assert_eq!(too_far > 0, metric == coarse, "{too_far} of 400 are too far");
    }
}

#[test]
fn edits_are_uploaded() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(85);
    let mut world = made("caves", (180, 160), 8, Rules::default());
    let mut planner = built(&world, &[("spacing", "16")]);
    let mut router = BatchRouter::new(gpu, &planner, &world).unwrap();
    for round in 0..16 {
        let edits: Vec<Edit> = (0..4)
            .map(|_| {
                let (x, y) = (random.below(170) as u16, random.below(150) as u16);
                let area = Area { x, y, width: 1 + random.below(9) as u16, height: 1 + random.below(9) as u16 };
                let weight = if round < 10 { random.below(2) } else { random.below(4) };
                Edit::new(area, Terrain::of_weight(weight as u8))
            })
            .collect();
        world.apply(&edits).unwrap();
        planner.repair(&world, &edits).unwrap();
        compare(&mut router, &planner, &world, &mut random, 300);
    }
}

#[test]
fn only_what_an_edit_changes_is_uploaded() {
    let Some(gpu) = gpu() else { return };
    let mut world = made("noise", (200, 200), 9, Rules::default());
    let mut planner = built(&world, &[]);
    let mut router = BatchRouter::new(gpu, &planner, &world).unwrap();
    assert_eq!(router.sync(&planner, &world), Ok(0));
    // A cell inside a leaf, so that no port comes or goes.
    let flat = |planner: &Planner<SquareGrid>, world: &World<SquareGrid>| {
        let Some(Flat::SquareFronts(flat)) = planner.flat(world).unwrap() else { panic!("rhumb has flat arrays") };
        flat
    };
    let leaf = *flat(&planner, &world).regions.last().unwrap();
    let inside = |x: u16, y: u16| Cell::new(leaf.bounds[0] + 2 + x, leaf.bounds[1] + 2 + y);
    let cell = (0..10).flat_map(|y| (0..10).map(move |x| (x, y))).map(|(x, y)| inside(x, y));
    let cell = cell.into_iter().find(|&cell| world.is_free(cell)).unwrap();
    let edits = [Edit::new(cell, Terrain::BLOCKED)];
    world.apply(&edits).unwrap();
    planner.repair(&world, &edits).unwrap();
    let bytes = router.sync(&planner, &world).unwrap();
    assert!(bytes > 0 && bytes * 4 < router.bytes(), "{bytes} of {} bytes were uploaded", router.bytes());
    compare(&mut router, &planner, &world, &mut Random::new(86), 300);
}

#[test]
fn what_has_no_flat_arrays_is_refused() {
    let Some(gpu) = gpu() else { return };
    let mut world = made("caves", (60, 60), 9, Rules::default());
    let smooth = built(&world, &[("smoothing", "taut")]);
    assert_eq!(BatchRouter::new(gpu.clone(), &smooth, &world).err(), Some(GpuError::NotFlat("rhumb")));
    let planner = built(&world, &[]);
    let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
    world
        .apply(&[Edit::new(Cell::new(0, 0), Terrain::BLOCKED), Edit::new(Cell::new(0, 0), Terrain::of_weight(1))])
        .unwrap();
    assert!(matches!(BatchRouter::new(gpu, &planner, &world).err(), Some(GpuError::Stale(_))));
    assert!(router.find_many(&planner, &world, &[], &mut BatchScratch::new(1)).is_err());
}

#[test]
fn a_real_map_is_routed() {
    let Some(gpu) = gpu() else { return };
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = std::env::var_os("PORTOLAN_MAPS").map_or_else(beside, PathBuf::from);
    let path = folder.join("sc/AcrosstheCape.map");
    if !path.is_file() {
        println!("skipped: there is no map at {}; PORTOLAN_MAPS can name a folder of maps", path.display());
        return;
    }
    let mut random = Random::new(87);
    let mut world = World::from(read_squares(&path, Rules::default()).unwrap());
    let mut planner = built(&world, &[]);
    let mut router = BatchRouter::new(gpu, &planner, &world).unwrap();
    compare(&mut router, &planner, &world, &mut random, 4000);
    let edits = [Edit::new(Area { x: 300, y: 200, width: 40, height: 60 }, Terrain::BLOCKED)];
    world.apply(&edits).unwrap();
    planner.repair(&world, &edits).unwrap();
    compare(&mut router, &planner, &world, &mut random, 1000);
}
