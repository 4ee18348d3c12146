//! Measures how much faster two threads answer a batch of queries than one:
//!
//! ```text
//! cargo run --release -p portolan-lab --example batch_speed -- FILE.map [QUERIES]
//! ```
//!
//! For each algorithm it prints the best of several runs with one thread and with two, and their ratio. It fails if the
//! answers differ from each other, or from those of one query after another.
//!
//! Not here: races between algorithms (`portolan race`).

use portolan::generate::Random;
use portolan::{Answers, BatchScratch, Cell, Planner, Query, Rules, Scratch, World};
use std::error::Error;
use std::time::Instant;

/// How often each batch is timed, by turns with one thread and with two. The shortest times count.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args().skip(1);
    let file = given.next().ok_or("which map?")?;
    let count: usize = given.next().map_or(Ok(100_000), |count| count.parse())?;
    let world = World::from(portolan_formats::read_squares(file.as_ref(), Rules::default())?);
    let mut random = Random::new(1);
    let free: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).collect();
    let mut pick = || free[random.below(free.len() as u64) as usize];
    let queries: Vec<Query> = (0..count).map(|_| Query::new(pick(), pick())).collect();
    println!("{count} queries on {file}");
    for name in ["rhumb", "hpa-star", "jump-point"] {
        let planner = Planner::new(&world, name)?;
        let mut batches = [1, 2].map(|threads| (BatchScratch::new(threads), Answers::new(), f64::INFINITY));
        for _ in 0..RUNS {
            for (scratch, answers, best) in &mut batches {
                let begun = Instant::now();
                planner.find_many_into(&world, &queries, scratch, answers)?;
                *best = best.min(begun.elapsed().as_secs_f64());
            }
        }
        let [(_, alone, one), (_, shared, two)] = batches;
        if alone != shared {
            return Err(format!("{name}: two threads answer otherwise than one").into());
        }
        let mut scratch = Scratch::new();
        for (number, &query) in queries.iter().enumerate() {
            if planner.find(&world, query, &mut scratch) != alone.outcome(number) {
                return Err(format!("{name}: the batch answers {query:?} otherwise").into());
            }
        }
        println!("{name:>12}: {one:7.3} s with one thread, {two:7.3} s with two, {:.2} times as fast", one / two);
    }
    Ok(())
}
