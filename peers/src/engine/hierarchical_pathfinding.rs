//! Crate `hierarchical_pathfinding`: a `PathCache` over the Moore neighbourhood with its own preset for speed
//! (`HIGH_PERFORMANCE`: chunks of 16 cells, paths cached, no second search for short routes), the route collected to
//! its end. The variant is its default configuration: chunks of 8 cells, short routes searched again.
//!
//! Its diagonal steps cost as much as straight ones and need nothing of the cells beside them, so that its routes cut
//! corners and wander; the checks say how often and how far.

use super::{Answer, Engine, Entrant, Setting, timed};
use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};
use portolan::{Cell, Snapshot};

struct Hierarchy {
    cache: PathCache<MooreNeighborhood>,
    width: usize,
    /// Row by row: 1 where free, -1 where not.
    costs: Vec<i8>,
}

pub(super) const SETTINGS: &[Setting] = &[
    (true, |world| entrant(world, "hpa", PathCacheConfig::HIGH_PERFORMANCE)),
    (false, |world| entrant(world, "hpa default", PathCacheConfig::default())),
];

fn entrant(world: &Snapshot, algorithm: &str, config: PathCacheConfig) -> Entrant {
    let (width, height) = (world.width(), world.height());
    let (hierarchy, build) = timed(|| {
        let costs: Vec<i8> = world.cells().map(|cell| if world.is_free(cell) { 1 } else { -1 }).collect();
        let cost = |(x, y): (usize, usize)| isize::from(costs[y * width + x]);
        let neighborhood = MooreNeighborhood::new(width, height);
        let cache = PathCache::new((width, height), cost, neighborhood, config);
        Hierarchy { cache, width, costs }
    });
    Entrant {
        engine: "hierarchical_pathfinding",
        algorithm: algorithm.to_owned(),
        rival: Some("a-star"),
        build,
        runner: Box::new(hierarchy),
    }
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
}
