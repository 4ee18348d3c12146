//! Figures about minds on real maps, which take long: run with `--ignored` and `--nocapture`. The maps are looked for in the folder
//! that `PORTOLAN_MAPS` names, or else in `../shared/maps`; without them these tests say so and pass.

use portolan::generate::{Random, generate, recipe};
use portolan::{Rules, SquareGrid};
use portolan_sim::mind::{Lattice, Mind, MindScratch, MindSettings, MindState, Minds};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Instant;

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
            for &node in &part {
                is_reached[node as usize] = true;
            }
            if part.len() > largest.len() {
                largest = part;
            }
        }
    }
    largest
}

/// What minds with ever more knowledge walk in a world, in lengths of shortest walks.
struct Measured<'a> {
    lattice: &'a Lattice,
    part: Vec<u32>,
    /// Minds that know ever more.
    minds: Vec<Mind>,
    scratch: MindScratch,
    pairs: usize,
}

impl Measured<'_> {
    fn new<'a>(lattice: &'a Lattice, settings: &MindSettings, pairs: usize) -> Measured<'a> {
        let minds = (0..4).map(|seed| Mind::new(settings, seed)).collect();
        Measured { lattice, part: largest_part(lattice), minds, scratch: MindScratch::new(), pairs }
    }

    /// Returns the mean of the ratios of walks to the shortest ones. Each mind begins every walk with what it knew at first.
    fn ratio(&mut self) -> f64 {
        let mut random = Random::new(11);
        let (mut sum, mut count) = (0.0, 0);
        for pair in 0..self.pairs {
            let ends = [0, 1].map(|_| self.part[random.below(self.part.len() as u64) as usize]);
            let route = self.lattice.route(ends[0], ends[1], &mut self.scratch).expect("one part");
            if route.len() > 1 {
                let mut mind = self.minds[pair % self.minds.len()].clone();
                let steps = mind.walk(self.lattice, ends, &mut self.scratch).len();
                assert_eq!(mind.state(), MindState::Arrived, "{ends:?}");
                sum += steps as f64 / (route.len() - 1) as f64;
                count += 1;
            }
        }
        sum / f64::from(count)
    }

    /// Returns the ratio at each share of knowledge, the last with full counters.
    fn ratios(&mut self) -> Vec<f64> {
        let home = self.part[0];
        let ratio = |percent: u32| {
            for mind in &mut self.minds {
                mind.learn_share(self.lattice, home, percent.into(), &mut self.scratch);
                if percent == 100 {
                    mind.learn_all(self.lattice, home);
                }
            }
            let ratio = self.ratio();
            println!("{percent} %: {ratio:.3}");
            ratio
        };
        [0, 25, 50, 75, 100].into_iter().map(ratio).collect()
    }
}

/// Checks what the thesis reports of its model: without knowledge walks are at most 3.6 times as long as the shortest, with 75 % hardly
/// longer, and with all knowledge as long.
fn ratios_fall(name: &str, grid: &SquareGrid) {
    let pairs = std::env::var("MIND_PAIRS").map_or(1_000, |pairs| pairs.parse().expect("a number"));
    let settings = std::env::var("MIND").unwrap_or_default().parse().expect("sound settings");
    let lattice = Lattice::new(grid, None).expect("a sound size");
    println!("{name}: {} hexagons", largest_part(&lattice).len());
    let ratios = Measured::new(&lattice, &settings, pairs).ratios();
    assert!(ratios.windows(2).all(|pair| pair[1] < pair[0]), "{name}: {ratios:.3?}");
    assert!(ratios[0] <= 3.6 && ratios[3] <= 1.10, "{name}: {ratios:.3?}");
    assert!((ratios[4] - 1.0).abs() < 1e-12, "{name}: {ratios:.3?}");
}

#[test]
#[ignore = "it takes minutes"]
fn ratios_fall_with_knowledge_in_a_building() {
    ratios_fall("a building", &building());
}

macro_rules! on_maps {
    ($($test:ident: $map:literal,)+) => {$(
        #[test]
        #[ignore = "it takes minutes"]
        fn $test() {
            if let Some(grid) = map($map) {
                ratios_fall($map, &grid);
            }
        }
    )+};
}

on_maps! {
    ratios_fall_with_knowledge_on_arena2: "dao/arena2.map",
    ratios_fall_with_knowledge_on_brc202d: "dao/brc202d.map",
    ratios_fall_with_knowledge_on_lak100d: "dao/lak100d.map",
    ratios_fall_with_knowledge_in_london: "city/London_0_256.map",
}

/// Prints how long a mind takes for a tick, in a crowd of 10,000 that know a quarter of a map. It asserts nothing about time.
#[test]
#[ignore = "it measures"]
fn ten_thousand_minds_tick() {
    for pace in [1, 10] {
        ticks_of_ten_thousand(NonZero::new(pace).expect("not 0"));
    }
}

/// Prints how long ticks of 10,000 minds take that step every `pace` ticks.
fn ticks_of_ten_thousand(pace: NonZero<u32>) {
    let Some(grid) = map("dao/arena2.map") else { return };
    let lattice = Lattice::new(&grid, None).expect("a sound size");
    let part = largest_part(&lattice);
    let (mut random, mut scratch, mut minds) = (Random::new(1), MindScratch::new(), Minds::with_pace(pace));
    for knowledge in [0, 25] {
        let settings: MindSettings = format!("knowledge={knowledge}").parse().expect("sound settings");
        let mut learned = Mind::new(&settings, 1);
        learned.learn(&lattice, part[0], &mut scratch);
        for _ in 0..5_000 {
            let mut mind = learned.clone();
            let ends = [0, 1].map(|_| part[random.below(part.len() as u64) as usize]);
            mind.set_out(&lattice, ends[0], ends[1]);
            minds.add(mind);
        }
    }
    for second in 1..=5 {
        let (start, mut walking, mut worst) = (Instant::now(), 0, 0.0_f64);
        for _ in 0..60 {
            let tick = Instant::now();
            walking += minds.tick(&lattice);
            worst = worst.max(tick.elapsed().as_secs_f64() * 1e3);
        }
        let (all, mean) = (start.elapsed().as_secs_f64(), walking / 60);
        let micros = all * 1e6 / walking.max(1) as f64;
        println!(
            "a step every {pace} ticks, second {second}: {:.2} ms a tick, {worst:.2} at worst; {mean} on their way, {micros:.2} us each",
            all * 1e3 / 60.0
        );
    }
    println!("{} bytes a mind", minds.bytes() / minds.minds().len());
}
