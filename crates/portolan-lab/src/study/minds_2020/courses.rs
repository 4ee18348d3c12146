//! The worlds of the study with their hexagons and pairs of places: generated ones, and published maps.

use crate::study::maps::{Maps, MapsError};
use portolan::generate::{Kind, Random, generate};
use portolan::{Rules, Snapshot, SquareGrid};
use portolan_sim::mind::Lattice;
use std::path::Path;

/// The published maps, wherever below the folder of maps they lie.
const PUBLISHED: [&str; 5] = ["arena2", "brc202d", "lak100d", "den510d", "London_0_256"];

/// The seed of the generated worlds.
const SEED: u64 = 3;

/// A generated world.
#[derive(Copy, Clone)]
pub(super) struct Made {
    name: &'static str,
    kind: Kind,
    columns: usize,
    rows: usize,
}

const fn made(name: &'static str, kind: Kind, [columns, rows]: [usize; 2]) -> Made {
    Made { name, kind, columns, rows }
}

/// Worlds of the sizes of published maps: the floor of a building, a city, and caves.
pub(super) const FULL: [Made; 3] = [
    made("building", Kind::Rooms, [160, 120]),
    made("city", Kind::City, [160, 160]),
    made("caves", Kind::Caves, [160, 120]),
];
pub(super) const QUICK: [Made; 1] = [made("building", Kind::Rooms, [48, 36])];

/// A world and the pairs of places between which minds walk.
#[derive(Clone)]
pub(super) struct Course {
    pub(super) name: String,
    pub(super) lattice: Lattice,
    /// How many hexagons the largest part of the world has. All pairs lie in it.
    pub(super) hexagons: usize,
    pub(super) pairs: Vec<[u32; 2]>,
    /// How many minds learn the world.
    pub(super) minds: usize,
    pub(super) seed: u64,
}

/// Reads the published maps that are in a folder or below it.
pub(super) fn published(folder: &Path) -> Result<Maps, MapsError> {
    Maps::named(folder, &PUBLISHED, Rules::default())
}

impl Made {
    /// Makes the world.
    ///
    /// # Panics
    /// Never: sizes and settings are sound.
    pub(super) fn grid(self) -> SquareGrid {
        let recipe = self.kind.recipe();
        let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are in range");
        generate(recipe, self.columns, self.rows, SEED, &settings, Rules::default()).expect("a sound size")
    }

    /// Makes the world in another size.
    pub(super) fn sized(self, [columns, rows]: [usize; 2]) -> Made {
        Made { columns, rows, ..self }
    }

    pub(super) fn course(self, minds: usize, queries: usize, seed: u64) -> Result<Course, MapsError> {
        let name = format!("{} {} x {}", self.name, self.columns, self.rows);
        Course::new(name, &Snapshot::from(self.grid()), minds, queries, seed)
    }
}

impl Course {
    /// Lays hexagons over a world and draws pairs of different places in its largest part.
    pub(super) fn new(
        name: String,
        world: &Snapshot,
        minds: usize,
        queries: usize,
        seed: u64,
    ) -> Result<Course, MapsError> {
        let lattice = match Lattice::<SquareGrid>::new(world, None) {
            Ok(lattice) => lattice,
            Err(source) => return Err(MapsError::Hexagons { map: name, source }),
        };
        let part = largest_part(&lattice);
        if part.len() < 2 {
            return Err(MapsError::OneHexagon(name));
        }
        let mut random = Random::new(seed);
        let mut pair = || {
            let from = random.below(part.len() as u64) as usize;
            let to = (from + 1 + random.below(part.len() as u64 - 1) as usize) % part.len();
            [part[from], part[to]]
        };
        let pairs = (0..queries).map(|_| pair()).collect();
        Ok(Course { name, lattice, hexagons: part.len(), pairs, minds: minds.min(queries), seed })
    }

    /// Returns the course with one of `of` pairs, but not with fewer pairs than minds.
    pub(super) fn part(&self, of: usize) -> Course {
        let count = (self.pairs.len() / of).max(self.minds).min(self.pairs.len());
        Course { pairs: self.pairs[..count].to_vec(), ..self.clone() }
    }
}

/// Returns the nodes of the largest part of a lattice, in a fixed order.
pub(super) fn largest_part(lattice: &Lattice) -> Vec<u32> {
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
