//! Times what it takes to replace a chunk of a large world and to repair planners, against building them anew.
//!
//! `cargo run --release -p portolan --example chunk_speed`

use portolan::generate::{Random, generate, recipe};
use portolan::{Cell, Chunk, Chunks, Edit, Planner, Query, Rules, Scratch, SquareGrid, World};
use std::error::Error;
use std::time::{Duration, Instant};

/// Cells along the side of the world and of a chunk.
const SIDE: usize = 2048;
const CHUNK: usize = 64;
/// How many chunks are replaced, and how often a planner is built anew.
const REPLACED: usize = 60;
const BUILT: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    for name in ["caves", "rooms"] {
        let blocked = SquareGrid::from_weights(SIDE, SIDE, &vec![0; SIDE * SIDE], Rules::default())?;
        let mut world = World::from(blocked);
        let mut chunks = Chunks::new(&world, (CHUNK as u16, CHUNK as u16), (0, 0))?;
        let [here, there] = [made(name, 1)?, made(name, 2)?];
        for at in all() {
            chunks.load(&mut world, at, &piece(&here, at))?;
        }
        println!("{name}: {SIDE} x {SIDE} cells, {} free", world.free_cells());
        for planner in ["a-star", "hpa-star", "dhpa-star", "rhumb"] {
            time(planner, &mut world, &mut chunks, [&here, &there])?;
        }
    }
    Ok(())
}

fn made(name: &str, seed: u64) -> Result<Vec<u8>, Box<dyn Error>> {
    let recipe = recipe(name).ok_or("a known recipe")?;
    Ok(generate(recipe, SIDE, SIDE, seed, &recipe.settings::<&str, &str>(&[])?, Rules::default())?.to_weights())
}

fn all() -> impl Iterator<Item = (i32, i32)> {
    let count = (SIDE / CHUNK) as i32;
    (0..count * count).map(move |index| (index % count, index / count))
}

/// Returns the chunk that a world of these weights has there.
fn piece(weights: &[u8], (x, y): (i32, i32)) -> Chunk {
    let (x, y) = (x as usize * CHUNK, y as usize * CHUNK);
    let rows: Vec<u8> = (y..y + CHUNK).flat_map(|row| &weights[row * SIDE + x..][..CHUNK]).copied().collect();
    Chunk::from_weights(&rows)
}

/// Returns the cells of a world from the last row on upwards.
fn corner(world: &World) -> impl Iterator<Item = Cell> + '_ {
    let side = |length: usize| (0..length as u16).rev();
    side(world.height()).flat_map(move |y| side(world.width()).map(move |x| Cell::new(x, y)))
}

/// Replaces chunks of one world by those of another and back, with a planner that is repaired each time.
fn time(name: &str, world: &mut World, chunks: &mut Chunks, worlds: [&[u8]; 2]) -> Result<(), Box<dyn Error>> {
    let mut anew = Duration::MAX;
    for _ in 0..BUILT {
        let begun = Instant::now();
        Planner::new(world, name)?;
        anew = anew.min(begun.elapsed());
    }
    let mut planner = Planner::new(world, name)?;
    let (mut random, mut scratch, mut edits) = (Random::new(5), Scratch::new(), 0);
    let [mut replacing, mut repairing, mut asking] = [(); 3].map(|()| Vec::new());
    for round in 0..REPLACED {
        let count = (SIDE / CHUNK) as u64;
        let at = (random.below(count) as i32, random.below(count) as i32);
        for weights in [worlds[1], worlds[0]] {
            let chunk = piece(weights, at);
            let begun = Instant::now();
            let batch: Vec<Edit> = chunks.replace(world, at, &chunk)?;
            let between = Instant::now();
            planner.repair(world, &batch)?;
            let repaired = Instant::now();
            // The first question across the world pays for what a repair puts off.
            let is_free = |cell: &Cell| world.is_free(*cell);
            let (first, last) = (world.cells().find(is_free), corner(world).find(is_free));
            let query = first.zip(last).ok_or("a world of walls").map(|(from, to)| Query::new(from, to).nearest())?;
            planner.find(world, query, &mut scratch)?;
            replacing.push(between - begun);
            repairing.push(repaired - between);
            asking.push(repaired.elapsed());
            edits += batch.len();
        }
        assert!(round > 0 || edits > 0, "two seeds give two worlds");
    }
    for times in [&mut replacing, &mut repairing, &mut asking] {
        times.sort_unstable();
    }
    let [replace, repair, ask] = [&replacing, &repairing, &asking].map(|times| times[REPLACED]);
    println!(
        "{name:10} anew {anew:9.2?}; a chunk (median): {} edits, replaced in {replace:9.2?}, repaired in {repair:9.2?}, first query {ask:9.2?}: 1/{:.0} of anew",
        edits / (2 * REPLACED),
        anew.as_secs_f64() / (replace + repair + ask).as_secs_f64(),
    );
    Ok(())
}
