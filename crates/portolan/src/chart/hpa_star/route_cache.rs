//! Legs refined once and remembered: the steps from port to port inside a cluster, filled in by whoever needs them
//! first.

use crate::id::Cell;
use crate::world::moves::STEP;
use std::sync::OnceLock;

/// The steps of a leg, the last one first, and how many cells were expanded to find them: every query that uses them is
/// charged as the first was, so that a budget means the same each time.
type Steps = OnceLock<(u64, Box<[u8]>)>;

/// Legs by cluster, and there by the ports they join.
#[derive(Clone)]
pub(crate) struct RouteCache {
    by_cluster: Vec<Box<[Steps]>>,
    ports_by_cluster: Vec<u32>,
    /// Whether legs were found on uniform ground, where those in sight are walked straight.
    uniform: bool,
}

impl RouteCache {
    pub(crate) fn new(clusters: usize, uniform: bool) -> RouteCache {
        RouteCache { by_cluster: vec![Box::default(); clusters], ports_by_cluster: vec![0; clusters], uniform }
    }

    /// Forgets every leg when ground that was uniform no longer is, or is again: a fresh search would go another way,
    /// even far from the edit.
    pub(crate) fn follow(&mut self, uniform: bool) {
        if self.uniform != uniform {
            self.uniform = uniform;
            for cluster in 0..self.by_cluster.len() {
                self.forget(cluster as u32, self.ports_by_cluster[cluster] as usize);
            }
        }
    }

    /// Makes room for a cluster with that many ports and nothing remembered.
    pub(crate) fn forget(&mut self, cluster: u32, ports: usize) {
        self.by_cluster[cluster as usize] = (0..ports * ports).map(|_| OnceLock::new()).collect();
        self.ports_by_cluster[cluster as usize] = ports as u32;
    }

    fn leg(&self, cluster: u32, (from, to): (usize, usize)) -> &Steps {
        let ports = self.ports_by_cluster[cluster as usize] as usize;
        &self.by_cluster[cluster as usize][from * ports + to]
    }

    /// Appends a leg's cells to a trail, the last one first, if it is known, and says how many cells were expanded to
    /// find it; `end` is where it ends.
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

    /// Remembers a leg's cells, the last one first.
    pub(crate) fn keep(&self, cluster: u32, ranks: (usize, usize), cells: &[Cell], expanded: u64) {
        let direction = |pair: &[Cell]| {
            let step = (i32::from(pair[1].x) - i32::from(pair[0].x), i32::from(pair[1].y) - i32::from(pair[0].y));
            STEP.iter().position(|&known| known == step).expect("cells of a leg are neighbours") as u8
        };
        // Whoever comes second brings the same.
        let _ = self.leg(cluster, ranks).set((expanded, cells.windows(2).map(direction).collect()));
    }

    pub(crate) fn bytes(&self) -> usize {
        let held = |steps: &Steps| size_of::<Steps>() + steps.get().map_or(0, |(_, steps)| steps.len());
        self.by_cluster.iter().flatten().map(held).sum()
    }
}
