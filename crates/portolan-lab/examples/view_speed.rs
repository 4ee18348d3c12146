//! Times views of a map: how long each takes to make, and what an edit of 2 x 2 cells costs a world with and without it.
//!
//! `cargo run --release -p portolan-lab --example view_speed -- MAP`

use portolan::generate::Random;
use portolan::{Area, Edit, KindNames, Profile, Rules, SquareGrid, Terrain, World};
use portolan_formats::read_squares;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

/// The profiles whose views are timed, as they are written.
const PROFILES: [&str; 6] = ["size=2", "size=3", "size=4", "radius=2", "radius=5", "ground=3"];
/// How often a view is made, and how many edits are timed.
const TIMES: usize = 25;
const EDITS: usize = 4000;

fn main() -> Result<(), Box<dyn Error>> {
    let map = std::env::args().nth(1).ok_or("name a map")?;
    let grid = read_squares(Path::new(&map), Rules::default())?;
    println!("{map}: {} x {}", grid.width(), grid.height());
    for text in PROFILES {
        let profile = Profile::parse(text, &KindNames::default())?;
        let mut fastest = Duration::MAX;
        for _ in 0..TIMES {
            let world = World::from(grid.clone());
            let begun = Instant::now();
            world.view(&profile)?;
            fastest = fastest.min(begun.elapsed());
        }
        let (without, with) = (World::from(grid.clone()), World::from(grid.clone()));
        with.view(&profile)?;
        let (without, with) = edited(&grid, without, with)?;
        println!("{text:10} made in {fastest:.2?}; an edit takes {without:.2?} without it and {with:.2?} with it");
    }
    Ok(())
}

/// Applies the same edits to two worlds in turns and returns how long an edit of each takes on average.
fn edited(grid: &SquareGrid, mut a: World, mut b: World) -> Result<(Duration, Duration), Box<dyn Error>> {
    let mut random = Random::new(3);
    let mut took = (Duration::ZERO, Duration::ZERO);
    for _ in 0..EDITS {
        let (x, y) = (random.below(grid.width() as u64 - 1) as u16, random.below(grid.height() as u64 - 1) as u16);
        let terrain = Terrain::of_weight(random.below(2) as u8);
        let edit = [Edit::new(Area { x, y, width: 2, height: 2 }, terrain)];
        let begun = Instant::now();
        a.apply(&edit)?;
        let between = Instant::now();
        b.apply(&edit)?;
        took = (took.0 + (between - begun), took.1 + between.elapsed());
    }
    Ok((took.0 / EDITS as u32, took.1 / EDITS as u32))
}
