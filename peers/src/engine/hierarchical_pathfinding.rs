//! Crate `hierarchical_pathfinding`: a `PathCache` over the Moore neighbourhood with its own preset for speed
//! (`HIGH_PERFORMANCE`: chunks of 16 cells, paths cached, no second search for short routes), the route collected to
//! its end. The variant is its default configuration: chunks of 8 cells, short routes searched again.
//!
//! Building and `tiles_changed` use all cores through rayon, by its default feature; queries use one. As ours uses one
//! throughout, it runs a second time through `new_with_fn_mut` and `tiles_changed_with_fn_mut`, which do not use
//! threads. An edit is the change in the caller's map and the call that tells the cache.
//!
//! Its diagonal steps cost as much as straight ones and need nothing of the cells beside them, so that its routes cut
//! corners and wander; the checks say how often and how far.

use super::{Answer, Engine, Entrant, Setting, built, timed};
use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};
use portolan::{Cell, Snapshot, Terrain};
use std::time::Duration;

struct Hierarchy {
    cache: PathCache<MooreNeighborhood>,
    threads: Threads,
    width: usize,
    /// Row by row: 1 where free, -1 where not.
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
    // The map in the caller's own form is no part of the build, for our worlds are not either.
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
        // The route begins with the first step.
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
