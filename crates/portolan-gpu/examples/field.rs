//! Times a field of a generated map, and many agents that walk by it, on the graphics processor and on the CPU.
//!
//! `cargo run --release -p portolan-gpu --example field -- [SIDE] [AGENTS] [RECIPE]`

use portolan::generate::{Random, generate, recipe};
use portolan::{Cell, Field, Rules, Scratch, World};
use portolan_gpu::{FieldMaker, FieldTimes, Gpu, Kind};
use std::error::Error;
use std::time::{Duration, Instant};

/// How often each thing is timed; the median counts.
const ROUNDS: usize = 9;

fn median(mut all: Vec<Duration>) -> Duration {
    all.sort_unstable();
    all[all.len() / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let side: usize = arguments.next().map_or(Ok(1024), |text| text.parse())?;
    let count: usize = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let recipe = recipe(arguments.next().as_deref().unwrap_or("caves")).ok_or("no such recipe")?;
    let grid = generate(recipe, side, side, 1, &recipe.settings::<&str, &str>(&[])?, Rules::default())?;
    let world = World::from(grid);
    // Of some random cells, the goal is the one that most others reach; the agents stand on those.
    let free: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).collect();
    let mut random = Random::new(1);
    let mut pick = |from: &[Cell]| from[random.below(from.len() as u64) as usize];
    let shares = |goal: Cell| free.iter().filter(|&&cell| world.connected(cell, goal)).count();
    let goal = (0..16).map(|_| pick(&free)).max_by_key(|&cell| shares(cell)).ok_or("no cell is free")?;
    let home: Vec<Cell> = free.iter().copied().filter(|&cell| world.connected(cell, goal)).collect();
    let starts: Vec<Cell> = (0..count).map(|_| pick(&home)).collect();

    let mut scratch = Scratch::new();
    let mut make = || {
        let begun = Instant::now();
        Field::new(&world, &[goal], None, &mut scratch).map(|field| (begun.elapsed(), field))
    };
    let (_, field) = make()?;
    let times = (0..ROUNDS).map(|_| make().map(|(time, _)| time)).collect::<Result<Vec<_>, _>>()?;
    println!("{} of {side} x {side} cells reach {goal}", home.len());
    println!("CPU: field {:?}, {} bytes", median(times), field.bytes());

    let gpu = Gpu::open(Kind::Any)?;
    println!("{}{}", gpu.name(), if gpu.is_software() { ", which computes on the CPU" } else { "" });
    let mut maker = FieldMaker::new(gpu, &world)?;
    let mut scratch = Scratch::new();
    let mut laid = maker.lay(&world, &[goal], None)?;
    let (mut whole, mut parts) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        laid = maker.lay(&world, &[goal], None)?;
        whole.push(begun.elapsed());
        parts.push(maker.times());
    }
    let of = |parts: &[FieldTimes], part: &dyn Fn(&FieldTimes) -> Duration| median(parts.iter().map(part).collect());
    println!("field: relax {:?}, point {:?}", of(&parts, &|times| times.relax), of(&parts, &|times| times.point));
    println!("       {:?} with waiting for the processor, {} turns", median(whole), parts[0].turns);
    let begun = Instant::now();
    let same = maker.make(&world, &[goal], None, &mut scratch)? == field;
    println!("       {:?} with download, identical: {same}", begun.elapsed());

    let begun = Instant::now();
    let routed = maker.descend_many(&world, &laid, &starts)?;
    println!("{count} agents: {:?} with download, {} places", begun.elapsed(), routed.places.len());
    let begun = Instant::now();
    let known = field.descend_many(&world, &starts)?;
    println!("CPU with one thread: {:?}, identical: {}", begun.elapsed(), routed == known);
    drop((routed, known));
    let rounds = maker.time(&world, &laid, &starts, ROUNDS)?;
    println!(
        "on the processor alone: count {:?}, scan {:?}, write {:?}",
        of(&rounds, &|times| times.count),
        of(&rounds, &|times| times.scan),
        of(&rounds, &|times| times.write),
    );
    Ok(())
}
