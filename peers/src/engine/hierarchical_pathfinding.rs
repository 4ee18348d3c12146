//! Crate `hierarchical_pathfinding`: a `PathCache` over the Moore neighbourhood with the crate's preset for speed
//! (`HIGH_PERFORMANCE`: chunks of 16 cells, routes inside chunks cached, no second search for short routes). A route is
//! collected to its end. The variant is the crate's default configuration: chunks of 8 cells, short routes searched
//! again.
//!
//! By the crate's default feature, building and `tiles_changed` use all cores through rayon; queries use one core.
//! Portolan uses one core for everything, so the peer runs a second time with `new_with_fn_mut` and
//! `tiles_changed_with_fn_mut`, which use one thread. The time of an edit is that of changing the caller's map and of
//! the call that updates the cache.
//!
//! A diagonal step costs as much as a straight one and needs nothing of the cells beside it, so that routes cut corners
//! and make detours. In the report, `cut` counts the routes that cut corners, and `ratio` is their length divided by
//! the optimum.

use super::{Answer, Engine, Entrant, Setting, built, timed};
use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};
use portolan::{Cell, Snapshot, Terrain};
use std::time::Duration;

struct Hierarchy {
    cache: PathCache<MooreNeighborhood>,
    threads: Threads,
    width: usize,
    /// Row by row: 1 for a free cell, -1 for a blocked one.
    costs: Vec<i8>,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Threads {
    One,
    All,
}

pub(super) const SETTINGS: &[Setting] = &[
    (true, |world| entrant(world, "hpa", PathCacheConfig::HIGH_PERFORMANCE, Threads::All)),
    (true, |world| entrant(world, "hpa one thread", PathCacheConfig::HIGH_PERFORMANCE, Threads::One)),
    (false, |world| entrant(world, "hpa default", PathCacheConfig::default(), Threads::All)),
];

fn entrant(world: &Snapshot, algorithm: &str, config: PathCacheConfig, threads: Threads) -> Entrant {
    let (width, height) = (world.width(), world.height());
    // Making the caller's map is not part of the build, just as making Portolan's world is not part of Portolan's
    // build.
    let costs: Vec<i8> = world.cells().map(|cell| cost_of(world.terrain(cell))).collect();
    let (cache, build) = built(|| {
        let cost = |(x, y): (usize, usize)| isize::from(costs[y * width + x]);
        let neighborhood = MooreNeighborhood::new(width, height);
        match threads {
            Threads::All => PathCache::new((width, height), cost, neighborhood, config),
            Threads::One => PathCache::new_with_fn_mut((width, height), cost, neighborhood, config),
        }
    });
    Entrant {
        engine: "hierarchical_pathfinding",
        algorithm: algorithm.to_owned(),
        rival: Some("hpa-star"),
        build,
        runner: Box::new(Hierarchy { cache, threads, width, costs }),
    }
}

fn cost_of(terrain: Terrain) -> i8 {
    if terrain.is_free() { 1 } else { -1 }
}

impl Engine for Hierarchy {
    fn answer(&mut self, from: Cell, to: Cell) -> Answer {
        let point = |cell: Cell| (usize::from(cell.x), usize::from(cell.y));
        let (start, goal) = (point(from), point(to));
        let cost = |(x, y): (usize, usize)| isize::from(self.costs[y * self.width + x]);
        let (found, took) = timed(|| {
            let route = self.cache.find_path(start, goal, cost)?;
            Some(route.collect::<Vec<_>>())
        });
        // The route does not include the start.
        let cells = found.map(|steps| {
            let rest = steps.iter().map(|&(x, y)| Cell::new(x as u16, y as u16));
            std::iter::once(from).chain(rest).collect()
        });
        Answer { took, cells }
    }

    fn edit(&mut self, cell: Cell, terrain: Terrain) -> Option<Duration> {
        let tile = (usize::from(cell.x), usize::from(cell.y));
        let Hierarchy { cache, threads, width, costs } = self;
        let ((), took) = timed(|| {
            costs[tile.1 * *width + tile.0] = cost_of(terrain);
            let cost = |(x, y): (usize, usize)| isize::from(costs[y * *width + x]);
            match threads {
                Threads::All => cache.tiles_changed(&[tile], cost),
                Threads::One => cache.tiles_changed_with_fn_mut(&[tile], cost),
            }
        });
        Some(took)
    }
}
