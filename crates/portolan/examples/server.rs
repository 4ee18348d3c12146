//! A game server: one thread edits the world, others answer questions on snapshots that no edit disturbs, and a planner for the
//! new state replaces the old one when it is ready. Run it: `cargo run --release -p portolan --example server`.

use portolan::generate::Random;
use portolan::{Cell, Edit, Planner, Query, Rules, Scratch, Snapshot, SquareGrid, Terrain, World};
use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::thread;

/// A state of the world with a planner that knows it.
type Served = Arc<(Snapshot, Planner)>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::from(SquareGrid::open(256, 256, Rules::default())?);
    let mut planner = Planner::new(&world, "hpa-star")?;
    let served: RwLock<Served> = RwLock::new(Arc::new((world.snapshot(), planner.clone())));
    let (ends, answered) = (AtomicBool::new(false), AtomicUsize::new(0));

    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        for thread in 0..3 {
            let (served, ends, answered) = (&served, &ends, &answered);
            scope.spawn(move || {
                let (mut scratch, mut random) = (Scratch::new(), Random::new(thread));
                while !ends.load(Ordering::Relaxed) {
                    // The lock is held only as long as it takes to copy a pointer.
                    let now = Arc::clone(&served.read().expect("no thread panics"));
                    let mut cell = || Cell::new(random.below(256) as u16, random.below(256) as u16);
                    let (from, to) = (cell(), cell());
                    if let Ok(outcome) = now.1.find(&now.0, Query::new(from, to), &mut scratch) {
                        // The route is right for the state that it was asked about, whatever has been edited since.
                        outcome.route().inspect(|route| route.check(&now.0).expect("a legal route"));
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        let mut random = Random::new(99);
        for _ in 0..200 {
            let cell = Cell::new(random.below(256) as u16, random.below(256) as u16);
            let weight = random.below(2) as u8;
            world.apply(&[Edit::new(cell, Terrain::of_weight(weight))])?;
            planner.sync(&world)?;
            *served.write().expect("no thread panics") = Arc::new((world.snapshot(), planner.clone()));
        }
        ends.store(true, Ordering::Relaxed);
        Ok(())
    })?;
    println!("200 edits, {} questions answered meanwhile", answered.load(Ordering::Relaxed));
    Ok(())
}
