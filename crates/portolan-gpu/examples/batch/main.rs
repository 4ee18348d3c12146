//! Times batches of routes over a generated city on the graphics processor and on the CPU, then uploads of edits.
//!
//! `cargo run --release -p portolan-gpu --example batch -- [BLOCKS] [QUERIES] [ALGORITHM] [GB/S]`
//!
//! BLOCKS is a side of the city, ALGORITHM is `rhumb`, `hna-star`, `a-star` or `all`. With the bandwidth of the processor's memory,
//! each program is compared with the time in which that memory could move the bytes that the program looks at.

use portolan::generate::Random;
use portolan::{Algorithm, BatchScratch, MESH_ALGORITHMS, MeshEdit, NavMesh, Query, Terrain, World};
use portolan_gpu::{BatchRouter, Gpu, Kind, Times};
use portolan_mesh::{BuildOptions, CityOptions, build, city};
use std::error::Error;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How often a batch is routed on hardware; the median counts.
const ROUNDS: usize = 20;
/// How many edits are uploaded; the median counts.
const EDITS: usize = 41;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let side: u16 = arguments.next().map_or(Ok(16), |text| text.parse())?;
    let count: usize = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let wanted = arguments.next().unwrap_or_else(|| "rhumb".to_owned());
    let bandwidth: f64 = arguments.next().map_or(Ok(0.0), |text| text.parse())?;
    let names = if wanted == "all" { vec!["a-star", "hna-star", "rhumb"] } else { vec![wanted.as_str()] };
    let geometry = city(CityOptions::new(side, side)?, 1);
    let parts = build(&geometry, &BuildOptions::default(), &mut |_| ControlFlow::Continue(()))?;
    let gpu = Gpu::open(Kind::Any)?;
    let how = if gpu.is_software() { ", a program on the CPU" } else { "" };
    println!("{count} queries on {}{how}", gpu.name());
    for name in names {
        let algorithm = MESH_ALGORITHMS.iter().copied().find(|algorithm| algorithm.name == name);
        let algorithm = algorithm.ok_or_else(|| format!("there is no algorithm {name} for meshes"))?;
        let mut world = World::from(NavMesh::new(&parts)?);
        measure(&gpu, algorithm, &mut world, count, bandwidth)?;
    }
    Ok(())
}

fn measure(
    gpu: &Gpu,
    algorithm: &'static Algorithm<NavMesh>,
    world: &mut World<NavMesh>,
    count: usize,
    bandwidth: f64,
) -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    let mut planner = algorithm.build(world)?;
    let built = begun.elapsed();
    println!("\n{}: {} polygons, chart {} bytes built in {built:?}", algorithm.name, world.polygons(), planner.bytes());
    let mut random = Random::new(1);
    let mut somewhere = || world.centre(random.below(world.polygons() as u64) as u32);
    let queries: Vec<_> = (0..count).map(|_| Query::new(somewhere(), somewhere())).collect();
    let mut router = BatchRouter::new(gpu.clone(), &planner, world)?;
    let mut scratch = BatchScratch::new(0);
    let mut answers = router.find_many(&planner, world, &queries, &mut scratch)?;
    let begun = Instant::now();
    router.find_many_into(&planner, world, &queries, &mut scratch, &mut answers)?;
    let whole = begun.elapsed();
    let host = whole.saturating_sub(router.times().whole);
    println!("with upload and download {whole:?}, of which {host:?} not on the processor");
    if let Some(fault) = router.fault() {
        return Err(fault.clone().into());
    }
    let begun = Instant::now();
    let known = planner.find_many(world, &queries, &mut scratch)?;
    println!("CPU with {} threads: {:?}", scratch.threads(), begun.elapsed());
    println!("{} places, identical: {}, left: {}", answers.places().len(), answers == known, router.left());
    let tasks: Vec<_> = queries.iter().map(|query| (query.from, query.to)).filter(|(from, to)| from != to).collect();
    let rounds = if gpu.is_software() { 1 } else { ROUNDS };
    let times = router.time(&tasks, 2 * rounds)?;
    print_parts(&router, &times[rounds..], bandwidth);
    edits(&mut router, &mut planner, world, &mut random)
}

/// A part of a batch: how long it took, and its programs.
type Part = (&'static str, fn(&Times) -> Duration, &'static [&'static str]);

const PARTS: [Part; 7] = [
    ("order", |times| times.order, &["tally", "scan_tally", "arrange", "scan_ways", "arrange_ways"]),
    ("price", |times| times.price, &["price"]),
    ("search", |times| times.search, &["search", "search_borders"]),
    ("count", |times| times.count, &["count"]),
    ("scan", |times| times.scan, &["scan_blocks", "scan_sums", "scan_add"]),
    ("walk", |times| times.walk, &["walk"]),
    ("gather", |times| times.gather, &["gather"]),
];

/// Prints how long the parts of a batch took, and how that compares with the bytes that they move.
fn print_parts(router: &BatchRouter, times: &[Times], bandwidth: f64) {
    let median = |part: fn(&Times) -> Duration| middle(times.iter().map(part).collect());
    let traffic = router.traffic();
    for (part, time, programs) in PARTS {
        let time = median(time);
        let bytes: u64 = traffic.iter().filter(|(name, _)| programs.contains(name)).map(|(_, bytes)| bytes).sum();
        if time.is_zero() {
            continue;
        }
        let rate = bytes as f64 / time.as_secs_f64() / 1e9;
        let floor = if bandwidth > 0.0 { format!(", {:.1} times its floor", bandwidth / rate) } else { String::new() };
        println!("{part:>8} {time:>14.3?}  about {:>8.1} MB, {rate:.2} GB/s{floor}", bytes as f64 / 1e6);
    }
    println!("   whole {:>14.3?}", median(|times| times.whole));
}

/// Blocks and frees polygons one by one, and uploads each edit.
fn edits(
    router: &mut BatchRouter,
    planner: &mut portolan::Planner<NavMesh>,
    world: &mut World<NavMesh>,
    random: &mut Random,
) -> Result<(), Box<dyn Error>> {
    let [mut repair, mut flatten, mut compare, mut upload, mut bytes] = [const { Vec::new() }; 5];
    for _ in 0..EDITS {
        let polygon = random.below(world.polygons() as u64) as u32;
        let edit = [MeshEdit::new(polygon, Terrain::of_weight(1 - u8::from(world.terrain(polygon).weight() > 0)))];
        world.apply(&edit)?;
        let begun = Instant::now();
        planner.repair(world, &edit)?;
        repair.push(begun.elapsed());
        bytes.push(Duration::from_nanos(router.sync(planner, world)? as u64));
        let times = router.sync_times();
        flatten.push(times.flatten);
        compare.push(times.compare);
        upload.push(times.upload);
    }
    println!(
        "an edit of a polygon: repair {:?}; upload of {} bytes: flatten {:?}, compare {:?}, hand over {:?}",
        middle(repair),
        middle(bytes).as_nanos(),
        middle(flatten),
        middle(compare),
        middle(upload),
    );
    Ok(())
}

fn middle(mut all: Vec<Duration>) -> Duration {
    all.sort_unstable();
    all[all.len() / 2]
}
