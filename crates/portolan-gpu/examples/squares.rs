//! Times a batch of routes over a square grid on the graphics processor and on the CPU.
//!
//! `cargo run --release -p portolan-gpu --example squares -- [MAP] [QUERIES] [ALGORITHM]`
//!
//! MAP is a file, or the side of a world of caves. ALGORITHM is `rhumb`, or `dhpa-star rows=yes`.

use portolan::auto::Use;
use portolan::generate::{self, Random, generate};
use portolan::pick::Pick;
use portolan::{BatchScratch, Cell, Planner, Query, Rules, Snapshot, Space, SquareGrid};
use portolan_formats::read_squares;
use portolan_gpu::{BatchRouter, Gpu, Kind, Times};
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often the batch is routed; the median of the second half counts. On the CPU it is routed only twice.
const ROUNDS: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let world = Snapshot::from(world(&arguments.next().unwrap_or_else(|| "512".into()))?);
    let count: usize = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let words: Vec<String> = arguments.collect();
    let name = if words.is_empty() { "rhumb".to_owned() } else { words.join(" ") };
    let begun = Instant::now();
    let (algorithm, settings, _) = Pick::parse(&name)?.choose(&world, Use::default());
    let planner = Planner::build(&world, algorithm, settings)?;
    let (width, height) = (world.width(), world.height());
    println!("{width} x {height} cells, chart {} bytes built in {:?}", planner.bytes(), begun.elapsed());
    let queries = queries(&world, count);
    let begun = Instant::now();
    let mut router = BatchRouter::new(Gpu::open(Kind::Any)?, &planner, &world)?;
    println!("{}: {} bytes of the chart uploaded in {:?}", router.gpu().name(), router.bytes(), begun.elapsed());
    let mut scratch = BatchScratch::new(0);
    router.find_many(&planner, &world, &queries, &mut scratch)?;
    let begun = Instant::now();
    let answers = router.find_many(&planner, &world, &queries, &mut scratch)?;
    println!("{count} queries with upload and download {:?}", begun.elapsed());
    if let Some(fault) = router.fault() {
        return Err(fault.clone().into());
    }
    let share = 100.0 * router.left() as f64 / count as f64;
    println!("left to the planner: {} searches, {share:.2} %", router.left());
    let begun = Instant::now();
    let known = planner.find_many(&world, &queries, &mut scratch)?;
    println!("CPU with {} threads: {:?}", scratch.threads(), begun.elapsed());
    println!("{} cells of routes, identical: {}", answers.places().len(), if answers == known { "yes" } else { "no" });
    let tasks: Vec<(Cell, Cell)> = queries.iter().map(|query| (query.from, query.to)).collect();
    let rounds = if router.gpu().is_software() { 2 } else { ROUNDS };
    print_times(&router.time(&tasks, rounds)?[rounds / 2..]);
    Ok(())
}

fn world(name: &str) -> Result<SquareGrid, Box<dyn Error>> {
    let Ok(side) = name.parse() else { return Ok(read_squares(Path::new(name), Rules::default())?) };
    let recipe = generate::Kind::Caves.recipe();
    let settings = recipe.settings::<&str, &str>(&[])?;
    Ok(generate(recipe, side, side, 1, &settings, Rules::default())?)
}

/// Returns queries between cells that a route connects.
fn queries(world: &Snapshot<SquareGrid>, count: usize) -> Vec<Query> {
    let mut random = Random::new(1);
    let (width, height) = (world.width() as u64, world.height() as u64);
    let mut somewhere = || Cell::new(random.below(width) as u16, random.below(height) as u16);
    let ends = std::iter::repeat_with(|| (somewhere(), somewhere()));
    let connected = ends.filter(|&(from, to)| from != to && world.is_free(from) && world.reaches(from, to));
    connected.take(count).map(|(from, to)| Query::new(from, to)).collect()
}

fn print_times(times: &[Times]) {
    let median = |part: &dyn Fn(&Times) -> Duration| {
        let mut all: Vec<Duration> = times.iter().map(part).collect();
        all.sort_unstable();
        all[all.len() / 2]
    };
    println!(
        "order {:?}, sight {:?}, price {:?}, first {:?}; count {:?}, scan {:?}, walk {:?}",
        median(&|times| times.order),
        median(&|times| times.sight),
        median(&|times| times.price),
        median(&|times| times.first),
        median(&|times| times.count),
        median(&|times| times.scan),
        median(&|times| times.walk),
    );
    println!(
        "costs and first steps {:?}, whole routes {:?}",
        median(&|times| times.order + times.sight + times.price + times.first),
        median(&|times| times.whole),
    );
}
