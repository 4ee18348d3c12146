//! A cache of refined legs: the steps from port to port inside a lowest cluster. The first query that needs a leg
//! stores it.

use crate::id::Cell;
use crate::memory::held;
use crate::space::square::moves::STEP;
use std::sync::OnceLock;

/// The number of cells that were expanded to find a leg, and the steps of the leg from its end back to its beginning.
/// Every query that uses the leg is charged that number, so that a budget does not depend on earlier queries.
type Steps = OnceLock<(u64, Box<[u8]>)>;

/// The cache: legs by cluster, and in a cluster by the ranks of the ports at their two ends.
#[derive(Clone)]
pub(crate) struct RouteCache {
    by_cluster: Vec<Box<[Steps]>>,
    ports_by_cluster: Vec<u32>,
    /// Whether the legs were found on a world of one weight, where legs in sight are walked straight without a search.
    uniform: bool,
}

impl RouteCache {
    pub(crate) fn new(clusters: usize, uniform: bool) -> RouteCache {
        RouteCache { by_cluster: vec![Box::default(); clusters], ports_by_cluster: vec![0; clusters], uniform }
    }

    /// Drops every leg if an edit gave the world a second weight, or left it with only one: legs in sight are walked
    /// straight only in a world of one weight, so a leg found now may differ from the one kept, even far from the edit.
    pub(crate) fn follow(&mut self, uniform: bool) {
        if self.uniform != uniform {
            self.uniform = uniform;
            for cluster in 0..self.by_cluster.len() {
                self.forget(cluster as u32, self.ports_by_cluster[cluster] as usize);
            }
        }
    }

    /// Drops the legs of a cluster, and makes room for those of a cluster with `ports` ports.
    pub(crate) fn forget(&mut self, cluster: u32, ports: usize) {
        self.by_cluster[cluster as usize] = (0..ports * ports).map(|_| OnceLock::new()).collect();
        self.ports_by_cluster[cluster as usize] = ports as u32;
    }

    fn leg(&self, cluster: u32, (from, to): (usize, usize)) -> &Steps {
        let ports = self.ports_by_cluster[cluster as usize] as usize;
        &self.by_cluster[cluster as usize][from * ports + to]
    }

    /// Appends the cells of a leg that ends at `end` to a trail, the last cell first. Returns how many cells were
    /// expanded to find the leg, or `None`, with nothing appended, if the leg is not in the cache.
    pub(crate) fn recall(&self, cluster: u32, ranks: (usize, usize), end: Cell, trail: &mut Vec<Cell>) -> Option<u64> {
        let (expanded, steps) = self.leg(cluster, ranks).get()?;
        let mut cell = end;
        trail.push(cell);
        for &direction in &**steps {
            cell = cell.shifted(STEP[usize::from(direction)]);
            trail.push(cell);
        }
        Some(*expanded)
    }

    /// Stores a leg, whose cells are given the last one first. If the leg is already stored, nothing changes.
    pub(crate) fn keep(&self, cluster: u32, ranks: (usize, usize), cells: &[Cell], expanded: u64) {
        let direction = |pair: &[Cell]| {
            let step = (i32::from(pair[1].x) - i32::from(pair[0].x), i32::from(pair[1].y) - i32::from(pair[0].y));
            STEP.iter().position(|&known| known == step).expect("cells of a leg are neighbours") as u8
        };
        // `set` fails if another thread was faster, or if a watched search found the leg again; the legs are equal.
        let _ = self.leg(cluster, ranks).set((expanded, cells.windows(2).map(direction).collect()));
    }

    pub(crate) fn bytes(&self) -> usize {
        let leg = |steps: &Steps| size_of::<Steps>() + steps.get().map_or(0, |(_, steps)| steps.len());
        let legs: usize = self.by_cluster.iter().flatten().map(leg).sum();
        legs + held(&self.by_cluster) + held(&self.ports_by_cluster)
    }
}
