//! Batches on a graphics processor are those of the planner, byte by byte. Where there is no processor, not even a driver that
//! computes on the CPU, the tests say so and end.

use crate::gpu;
use portolan::algorithms::mesh::{A_STAR, HNA_STAR, RHUMB};
use portolan::generate::{self, Random, generate};
use portolan::{
    Algorithm, AnswerKind, BatchScratch, MeshEdit, MeshPoint, NavMesh, Planner, Query, Rules, Terrain, World,
    algorithms,
};
use portolan_gpu::{BatchRouter, Gpu, GpuError};
use portolan_mesh::{BuildOptions, CityOptions, build, city, from_squares};
use std::ops::ControlFlow;

/// The algorithms that run on processors.
const ALGORITHMS: [&Algorithm<NavMesh>; 3] = [&A_STAR, &HNA_STAR, &RHUMB];

fn city_mesh(side: u16, seed: u64) -> NavMesh {
    let geometry = city(CityOptions::new(side, side).unwrap(), seed);
    NavMesh::new(&build(&geometry, &BuildOptions::default(), &mut |_| ControlFlow::Continue(())).unwrap()).unwrap()
}

/// Returns a random point of a random polygon.
fn somewhere(mesh: &NavMesh, random: &mut Random) -> MeshPoint {
    let polygon = random.below(mesh.polygons() as u64) as u32;
    let corners: Vec<[f64; 3]> = mesh.corners(polygon).collect();
    let shares: Vec<f64> = corners.iter().map(|_| 1.0 + random.below(100) as f64).collect();
    let whole: f64 = shares.iter().sum();
    let mean = |axis: usize| corners.iter().zip(&shares).map(|(at, share)| at[axis] * share).sum::<f64>() / whole;
    mesh.point_on(polygon, [mean(0), mean(1)]).unwrap_or_else(|| mesh.centre(polygon))
}

/// Asks many random queries, among them some near each other, some with a budget and some that are errors, and compares the
/// answers.
fn compare(
    router: &mut BatchRouter,
    planner: &Planner<NavMesh>,
    world: &World<NavMesh>,
    random: &mut Random,
    count: usize,
) {
    let mut queries = Vec::with_capacity(count);
    for number in 0..count {
        let from = somewhere(world, random);
        let to = match number % 4 {
            0 => world.centre(world.neighbours(from.polygon).next().unwrap_or(from.polygon)),
            1 => somewhere(world, random),
            2 => (0..8).fold(from, |at, _| {
                let next: Vec<u32> = world.neighbours(at.polygon).collect();
                let pick = random.below(next.len().max(1) as u64) as usize;
                next.get(pick).map_or(at, |&polygon| world.centre(polygon))
            }),
            _ if number % 16 == 3 => MeshPoint { polygon: u32::MAX, ..from },
            _ => world.centre(random.below(world.polygons() as u64) as u32),
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
    let mut found = router.find_many(planner, world, &queries[..count / 2], &mut scratch).unwrap();
    router.find_many_into(planner, world, &queries, &mut scratch, &mut found).unwrap();
    assert_eq!(router.fault(), None);
    let reached = known.kinds().iter().filter(|&&kind| kind == AnswerKind::Reached).count();
    assert!(reached > count / 4, "{reached} of {count} were reached");
    assert!(router.left() * 50 < count, "{} of {count} searches were left to the planner", router.left());
    for (number, Query { from, to, .. }) in queries.iter().enumerate() {
        assert_eq!(found.kinds()[number], known.kinds()[number], "{from} to {to}");
        assert_eq!(found.route(number), known.route(number), "{from} to {to}");
    }
    assert!(found == known, "all arrays are equal");
}

#[test]
fn batches_are_those_of_the_planner() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(71);
    let squares = |recipe: &str, seed: u64| {
        let recipe = generate::recipe(recipe).unwrap();
        let settings = recipe.settings::<&str, &str>(&[]).unwrap();
        let grid = generate(recipe, 48, 40, seed, &settings, Rules::default()).unwrap();
        NavMesh::new(&from_squares(&grid)).unwrap()
    };
    for mesh in [city_mesh(6, 1), city_mesh(2, 9), squares("caves", 3), squares("rooms", 4), squares("noise", 5)] {
        let world = World::from(mesh);
        for algorithm in ALGORITHMS {
            let planner = algorithm.build(&world).unwrap();
            let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
            compare(&mut router, &planner, &world, &mut random, 2000);
            // A small batch after a large one finds old numbers in its working memory.
            compare(&mut router, &planner, &world, &mut random, 100);
            // Not every processor computes with 64 bits.
            let mut narrow = BatchRouter::new(gpu.narrow(), &planner, &world).unwrap();
            compare(&mut narrow, &planner, &world, &mut random, 1000);
        }
    }
}

#[test]
fn edits_are_uploaded() {
    let Some(gpu) = gpu() else { return };
    for algorithm in ALGORITHMS {
        edit_and_compare(gpu.clone(), algorithm);
    }
}

fn edit_and_compare(gpu: Gpu, algorithm: &'static Algorithm<NavMesh>) {
    let mut random = Random::new(72);
    let mut world = World::from(city_mesh(3, 5));
    let mut planner = algorithm.build(&world).unwrap();
    let mut router = BatchRouter::new(gpu, &planner, &world).unwrap();
    for round in 0..12 {
        let edits: Vec<MeshEdit> = (0..4)
            .map(|_| {
                let polygon = random.below(world.polygons() as u64) as u32;
                let weight = if round < 6 { random.below(2) } else { random.below(4) };
                MeshEdit::new(polygon, Terrain::of_weight(weight as u8))
            })
            .collect();
        world.apply(&edits).unwrap();
        planner.repair(&world, &edits).unwrap();
        compare(&mut router, &planner, &world, &mut random, 300);
    }
}

/// Costs of searches on the processor end at 2^29. Dearer routes are the planner's own.
#[test]
fn dear_routes_are_left_to_the_planner() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(73);
    let mut world = World::from(city_mesh(3, 5));
    let dear =
        |polygon: u32| MeshEdit::new(polygon, Terrain::of_weight(if polygon.is_multiple_of(7) { 100 } else { 250 }));
    let edits: Vec<MeshEdit> = (0..world.polygons() as u32).map(dear).collect();
    world.apply(&edits).unwrap();
    let mut somewhere = || world.centre(random.below(world.polygons() as u64) as u32);
    let queries: Vec<_> = (0..400).map(|_| Query::new(somewhere(), somewhere())).collect();
    for algorithm in ALGORITHMS {
        let planner = algorithm.build(&world).unwrap();
        let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
        let mut scratch = BatchScratch::new(2);
        let found = router.find_many(&planner, &world, &queries, &mut scratch).unwrap();
        assert_eq!(router.fault(), None);
        assert!(found == planner.find_many(&world, &queries, &mut scratch).unwrap(), "{}", algorithm.name);
        assert!((20..380).contains(&router.left()), "{}: {} were left", algorithm.name, router.left());
    }
}

#[test]
fn a_planner_without_flat_arrays_or_of_another_state_is_refused() {
    let Some(gpu) = gpu() else { return };
    let mut world = World::from(city_mesh(1, 5));
    let exact = algorithms::mesh::POLYANYA.build(&world).unwrap();
    assert_eq!(BatchRouter::new(gpu.clone(), &exact, &world).err(), Some(GpuError::NotFlat("polyanya")));
    let planner = RHUMB.build(&world).unwrap();
    let mut router = BatchRouter::new(gpu.clone(), &planner, &world).unwrap();
    world.apply(&[MeshEdit::new(0, Terrain::BLOCKED)]).unwrap();
    assert!(matches!(BatchRouter::new(gpu, &planner, &world).err(), Some(GpuError::Stale(_))));
    assert!(router.find_many(&planner, &world, &[], &mut BatchScratch::new(1)).is_err());
}
