//! Times a batch of routes over a generated city on the graphics processor and on the CPU.
//!
//! `cargo run --release -p portolan-gpu --example batch -- [BLOCKS] [QUERIES]`

use portolan::generate::Random;
use portolan::{BatchScratch, NavMesh, Query, Snapshot, algorithms};
use portolan_gpu::{BatchRouter, Gpu, Kind, Times};
use portolan_mesh::{BuildOptions, CityOptions, build, city};
use std::error::Error;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How often the batch is routed; the median counts.
const ROUNDS: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let side: u16 = arguments.next().map_or(Ok(16), |text| text.parse())?;
    let count: usize = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let geometry = city(CityOptions::new(side, side)?, 1);
    let parts = build(&geometry, &BuildOptions::default(), &mut |_| ControlFlow::Continue(()))?;
    let world = Snapshot::from(NavMesh::new(&parts)?);
    let begun = Instant::now();
    let planner = algorithms::mesh::RHUMB.build(&world)?;
    println!("{} polygons, chart {} bytes built in {:?}", world.polygons(), planner.bytes(), begun.elapsed());
    let mut random = Random::new(1);
    let mut somewhere = || world.centre(random.below(world.polygons() as u64) as u32);
    let queries: Vec<_> = (0..count).map(|_| Query::new(somewhere(), somewhere())).collect();
    let gpu = Gpu::open(Kind::Any)?;
    println!("{} queries on {}", count, gpu.name());
    let mut router = BatchRouter::new(gpu, &planner, &world)?;
    let mut scratch = BatchScratch::new(0);
    router.find_many(&planner, &world, &queries, &mut scratch)?;
    let begun = Instant::now();
    let answers = router.find_many(&planner, &world, &queries, &mut scratch)?;
    println!("with upload and download {:?}", begun.elapsed());
    if let Some(fault) = router.fault() {
        return Err(fault.clone().into());
    }
    let begun = Instant::now();
    let known = planner.find_many(&world, &queries, &mut scratch)?;
    println!("CPU with {} threads: {:?}", scratch.threads(), begun.elapsed());
    println!("{} places, identical: {}, left: {}", answers.places().len(), answers == known, router.left());
    let tasks: Vec<_> = queries.iter().map(|query| (query.from, query.to)).filter(|(from, to)| from != to).collect();
    let times = router.time(&tasks, 2 * ROUNDS)?;
    let median = |part: &dyn Fn(&Times) -> Duration| {
        let mut all: Vec<Duration> = times[ROUNDS..].iter().map(part).collect();
        all.sort_unstable();
        all[all.len() / 2]
    };
    println!(
        "order {:?}, price {:?}, count {:?}, scan {:?}, walk {:?}, gather {:?}, whole {:?}",
        median(&|times| times.order),
        median(&|times| times.price),
        median(&|times| times.count),
        median(&|times| times.scan),
        median(&|times| times.walk),
        median(&|times| times.gather),
        median(&|times| times.whole),
    );
    Ok(())
}
