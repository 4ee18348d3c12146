//! The entrants, one file for each crate. An entrant answers in its own types while the clock runs; the answer is
//! converted to cells afterwards.

mod grid_pathfinding;
mod hierarchical_pathfinding;
pub(crate) mod pathfinding;
mod portolan;

use ::portolan::{BuildError, Cell, Snapshot, Terrain};
use std::time::{Duration, Instant};

/// An answer and how long it took.
pub(crate) struct Answer {
    pub(crate) took: Duration,
    /// Every cell from start to goal; `None` if the engine found no route.
    pub(crate) cells: Option<Vec<Cell>>,
}

/// A search that was built for a world.
pub(crate) trait Engine {
    /// Returns the whole route, cell by cell.
    fn answer(&mut self, from: Cell, to: Cell) -> Answer;

    /// Follows a change of one cell and returns the time of everything that a user has to call for it; `None` if the
    /// engine has to be built anew instead.
    fn edit(&mut self, _cell: Cell, _terrain: Terrain) -> Option<Duration> {
        None
    }
}

/// An engine that takes part in the race.
pub(crate) struct Entrant {
    /// `portolan` or the peer's crate.
    pub(crate) engine: &'static str,
    pub(crate) algorithm: String,
    /// The algorithm of Portolan that a peer is compared with.
    pub(crate) rival: Option<&'static str>,
    /// The fastest of several builds.
    pub(crate) build: Duration,
    pub(crate) runner: Box<dyn Engine>,
}

/// Whether a peer with this setting runs even without `--variants`, and the function that builds it.
type Setting = (bool, fn(&Snapshot) -> Entrant);

/// The names and settings of Portolan's entrants. An entry runs if it is in the registry and suits the world.
const OURS: &[(&str, &[(&str, &str)])] = &[
    ("a-star", &[]),
    ("a-star", &[("successors", "all")]),
    ("jump-point", &[]),
    ("jump-graph", &[]),
    ("hpa-star", &[]),
    ("dhpa-star", &[]),
    ("shpa-star", &[]),
    // All of Portolan's entrants build with one thread.
    ("rhumb", &[("threads", "1")]),
];

/// Returns all entrants that can run on this world. With `variants` peers run with all of their settings.
pub(crate) fn entrants(world: &Snapshot, variants: bool) -> Result<Vec<Entrant>, BuildError> {
    let uniform = world.uniform_weight().is_some();
    let mut entrants = Vec::new();
    for (name, settings) in OURS {
        // On a weighted world nothing is pruned, so that `successors=all` would repeat the default search.
        if uniform || *settings != [("successors", "all")] {
            entrants.extend(portolan::entrant(world, name, settings)?);
        }
    }
    entrants.push(pathfinding::entrant(world));
    let uniform_only: [&[Setting]; 2] = [grid_pathfinding::SETTINGS, hierarchical_pathfinding::SETTINGS];
    for (_, entrant) in uniform_only.into_iter().flatten().filter(|(usual, _)| uniform && (*usual || variants)) {
        entrants.push(entrant(world));
    }
    Ok(entrants)
}

/// Does some work and returns its result and how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed())
}

/// How often each entrant is built.
const BUILDS: usize = 3;

/// Builds an entrant several times and returns the last one and how long the fastest build took.
pub(crate) fn built<T>(build: impl Fn() -> T) -> (T, Duration) {
    let (mut result, mut least) = timed(&build);
    for _ in 1..BUILDS {
        // The result of the build before is dropped first, so that memory never holds two.
        drop(result);
        let (again, took) = timed(&build);
        (result, least) = (again, least.min(took));
    }
    (result, least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::portolan::{Rules, SquareGrid};

    #[test]
    fn everyone_crosses_an_open_field() {
        let world = Snapshot::from(SquareGrid::open(64, 64, Rules::default()).unwrap());
        let entrants = entrants(&world, true).unwrap();
        assert!(entrants.len() >= 13);
        for mut entrant in entrants {
            let (from, to) = (Cell::new(3, 5), Cell::new(60, 40));
            let cells = entrant.runner.answer(from, to).cells.unwrap();
            assert_eq!((cells.first(), cells.last()), (Some(&from), Some(&to)), "{}", entrant.engine);
            assert!(cells.windows(2).all(|step| world.step_cost(step[0], step[1]).is_some()), "{}", entrant.engine);
        }
    }

    #[test]
    fn weighted_worlds_are_for_those_who_see_weights() {
        let weights: Vec<u8> = (0..400).map(|index| 1 + (index % 7) as u8).collect();
        let grid = SquareGrid::from_weights(20, 20, &weights, Rules::default()).unwrap();
        let entrants = entrants(&Snapshot::from(grid), true).unwrap();
        let names: Vec<_> = entrants.iter().map(|entrant| (entrant.engine, &*entrant.algorithm)).collect();
        let ours = ["a-star", "hpa-star", "dhpa-star", "shpa-star", "rhumb threads=1"].map(|name| ("portolan", name));
        assert_eq!(names, [&ours[..], &[("pathfinding", "astar")]].concat());
    }

    #[test]
    fn who_follows_an_edit_walks_around_it() {
        let world = Snapshot::from(SquareGrid::open(64, 64, Rules::default()).unwrap());
        let (from, to, wall) = (Cell::new(20, 20), Cell::new(44, 20), Cell::new(32, 20));
        let mut followed = Vec::new();
        for mut entrant in entrants(&world, true).unwrap() {
            if entrant.runner.edit(wall, Terrain::BLOCKED).is_none() {
                continue;
            }
            let crosses = |runner: &mut Box<dyn Engine>| runner.answer(from, to).cells.unwrap().contains(&wall);
            assert!(!crosses(&mut entrant.runner), "{} {}", entrant.engine, entrant.algorithm);
            assert!(entrant.runner.edit(wall, Terrain::GROUND).is_some());
            assert!(entrant.runner.answer(from, to).cells.is_some());
            followed.push(entrant.engine);
        }
        followed.dedup();
        assert_eq!(followed, ["portolan", "hierarchical_pathfinding"]);
    }
}
