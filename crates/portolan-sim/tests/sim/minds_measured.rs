//! Figures about minds on real maps, which take long: run with `--ignored` and `--nocapture`. The maps are looked for in the folder
//! that `PORTOLAN_MAPS` names, or else in `../shared/maps`; without them these tests say so and pass.

use portolan::generate::{Random, generate, recipe};
use portolan::{Rules, SquareGrid};
use portolan_sim::mind::{Lattice, Mind, MindScratch, MindSettings, MindState};
use std::path::PathBuf;

/// Returns a real map, or `None` with a word where it is not at hand.
fn map(name: &str) -> Option<SquareGrid> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let path = std::env::var_os("PORTOLAN_MAPS").map_or_else(beside, PathBuf::from).join(name);
    let Ok(bytes) = std::fs::read(&path) else {
        println!("skipped: there is no map at {}; PORTOLAN_MAPS can name a folder of maps", path.display());
        return None;
    };
    Some(portolan_formats::map::read(&bytes, Rules::default()).expect("a sound map"))
}

/// Returns the floor of a building: rooms with doors.
fn building() -> SquareGrid {
    let rooms = recipe("rooms").expect("a known recipe");
    let settings = rooms.settings::<&str, &str>(&[]).expect("defaults are sound");
    generate(rooms, 160, 120, 3, &settings, Rules::default()).expect("a sound size")
}

/// Returns the nodes of the largest part of the lattice.
pub(crate) fn largest_part(lattice: &Lattice) -> Vec<u32> {
    let mut is_reached = vec![false; lattice.nodes()];
    let mut largest = Vec::new();
    for node in 0..lattice.nodes() as u32 {
        if !is_reached[node as usize] {
            let part = lattice.reachable(node);
            part.iter().for_each(|&node| is_reached[node as usize] = true);
            if part.len() > largest.len() {
                largest = part;
            }
        }
    }
    largest
}

/// Returns the mean of the ratios of walks to the shortest ones, of minds with these settings. A few minds each walk to many goals,
/// always with the knowledge that they had at first.
fn ratio(lattice: &Lattice, settings: &MindSettings, pairs: usize, full: bool) -> f64 {
    let part = largest_part(lattice);
    let mut scratch = MindScratch::new();
    let mut random = Random::new(11);
    let mut place = || part[random.below(part.len() as u64) as usize];
    let (mut sum, mut count) = (0.0, 0);
    let minds: usize = if settings.knowledge() > 0.0 { 5 } else { 1 };
    for seed in 0..minds as u64 {
        let mut learned = Mind::new(settings, seed);
        learned.learn(lattice, place(), &mut scratch);
        if full {
            learned.learn_all(lattice, part[0]);
        }
        for _ in 0..pairs / minds {
            let ends = [place(), place()];
            let least = lattice.route(ends[0], ends[1], &mut scratch).expect("one part").len() - 1;
            if least > 0 {
                let mut mind = learned.clone();
                let steps = mind.walk(lattice, ends, &mut scratch).len();
                assert_eq!(mind.state(), MindState::Arrived, "seed {seed}, {ends:?}");
                sum += steps as f64 / least as f64;
                count += 1;
            }
        }
    }
    sum / f64::from(count)
}

#[test]
#[ignore = "it takes minutes"]
fn ratios_to_the_shortest_walks_fall_with_knowledge() {
    let pairs = std::env::var("PAIRS").map_or(1_000, |pairs| pairs.parse().expect("a number"));
    let extra = std::env::var("MIND").unwrap_or_default();
    let names = ["dao/arena2.map", "dao/brc202d.map", "dao/lak100d.map", "city/London_0_256.map"];
    let maps = names.into_iter().filter_map(|name| Some((name, map(name)?))).chain([("a building", building())]);
    for (name, grid) in maps {
        let lattice = Lattice::new(&grid, None).expect("a sound size");
        let mut ratios = Vec::new();
        for percent in [0, 25, 50, 75, 100] {
            let settings: MindSettings = format!("{extra},knowledge={percent}").parse().expect("sound settings");
            ratios.push(ratio(&lattice, &settings, pairs, percent == 100));
            println!("{name}: {percent} % {:.3}", ratios.last().expect("just added"));
        }
        assert!(ratios.windows(2).all(|pair| pair[1] < pair[0]), "{name}: {ratios:.3?}");
        assert!(ratios[0] <= 3.6 && ratios[3] <= 1.10, "{name}: {ratios:.3?}");
        assert!((ratios[4] - 1.0).abs() < 1e-12, "{name}: {ratios:.3?}");
    }
}
