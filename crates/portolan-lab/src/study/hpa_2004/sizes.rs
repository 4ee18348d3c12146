//! Table 2 of HPA* 2004: nodes and edges of the graph of cells, and of charts with one, two and three levels.

use crate::study::bucket::mean;
use portolan::outline::Census;
use portolan::{Cell, Planner, SquareGrid};
use serde::Serialize;

/// Table 2 for one rule of entrances.
#[derive(Clone, Debug, Serialize)]
pub struct Sizes {
    /// The rule that picked the transitions.
    pub entrances: &'static str,
    /// The rows of the table.
    pub rows: Vec<SizeRow>,
}

/// The mean size of a graph or of one level of it.
#[derive(Clone, Debug, Serialize)]
pub struct SizeRow {
    /// Levels of the graph; 0 is the graph of cells.
    pub graph: usize,
    /// The level that the row is about; `None` for all levels together.
    pub level: Option<usize>,
    /// Nodes, edges between clusters and edges within clusters.
    pub mean: [f64; 3],
    /// The paper's values of `mean`.
    pub paper: [f64; 3],
}

impl SizeRow {
    /// Returns by how many percent each number differs from the paper's.
    pub(super) fn difference(&self) -> [f64; 3] {
        let percent = |index: usize| {
            let (ours, paper) = (self.mean[index], self.paper[index]);
            if paper == 0.0 { 0.0 } else { (ours / paper - 1.0) * 100.0 }
        };
        [0, 1, 2].map(percent)
    }
}

/// The paper's table: graph, level, and nodes, inter-edges and intra-edges.
const PAPER: [(usize, Option<usize>, [f64; 3]); 9] = [
    (0, None, [4469.0, 16420.0, 0.0]),
    (1, None, [367.0, 198.0, 722.0]),
    (2, Some(1), [186.0, 100.0, 722.0]),
    (2, Some(2), [181.0, 98.0, 662.0]),
    (2, None, [367.0, 198.0, 1384.0]),
    (3, Some(1), [186.0, 100.0, 722.0]),
    (3, Some(2), [92.0, 50.0, 622.0]),
    (3, Some(3), [89.0, 48.0, 462.0]),
    (3, None, [367.0, 198.0, 1846.0]),
];

/// Nodes, edges between clusters and edges within clusters.
type Size = [usize; 3];

/// The sizes of the charts of many maps.
#[derive(Default)]
pub(super) struct Sum {
    /// Free cells and legal steps of each map.
    flat: Vec<Size>,
    /// For each map, the size of each level. Nodes and inter-edges are counted on every level up to their highest.
    levels: Vec<[Size; 3]>,
}

impl Sum {
    /// Adds a map and its chart of three levels.
    pub(super) fn add(&mut self, grid: &portolan::Snapshot, chart: &Planner) {
        self.flat.push([grid.free_cells(), moves(grid), 0]);
        let census = chart.census(grid).expect("the chart was built for this map");
        let size = |level: usize| {
            // A map that fits into one cluster has no higher levels.
            let Census { nodes, inter_edges, intra_edges, .. } = census.get(level).copied().unwrap_or_default();
            [nodes, inter_edges, intra_edges]
        };
        self.levels.push([0, 1, 2].map(size));
    }

    /// Returns the table of means over the maps.
    pub(super) fn sizes(&self, entrances: &'static str) -> Sizes {
        let row = |(graph, level, paper): (usize, Option<usize>, [f64; 3])| {
            let means = [0, 1, 2].map(|figure| match (graph, level) {
                (0, _) => mean(self.flat.iter().map(|size| size[figure] as f64)),
                (_, Some(level)) => mean(self.levels.iter().map(|levels| own(levels, graph, level, figure) as f64)),
                (_, None) => mean(self.levels.iter().map(|levels| {
                    let all = (1..=graph).map(|level| own(levels, graph, level, figure));
                    all.sum::<usize>() as f64
                })),
            });
            SizeRow { graph, level, mean: means, paper }
        };
        Sizes { entrances, rows: PAPER.into_iter().map(row).collect() }
    }
}

/// Returns the number of nodes or edges of one level of a graph. Nodes and inter-edges belong only to the highest level
/// that they reach, intra-edges to each of their levels.
fn own(levels: &[Size; 3], graph: usize, level: usize, figure: usize) -> usize {
    let here = levels[level - 1][figure];
    if figure == 2 || level == graph { here } else { here - levels[level][figure] }
}

/// Returns the number of legal steps between cells; a step and its reverse are counted once.
fn moves(grid: &SquareGrid) -> usize {
    let steps = |cell: Cell| {
        let ends = [(1, 0), (0, 1), (1, 1), (-1, 1)]
            .map(|(dx, dy)| Cell { x: cell.x.wrapping_add_signed(dx), y: cell.y.wrapping_add_signed(dy) });
        ends.into_iter().filter(|&end| grid.step_cost(cell, end).is_some()).count()
    };
    grid.cells().map(steps).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::field::planner;
    use crate::study::rules;
    use portolan::Snapshot;

    #[test]
    fn moves_of_open_ground_are_counted_once() {
        let grid = SquareGrid::open(3, 3, rules()).unwrap();
        assert_eq!(moves(&grid), 12 + 8);
        let weights = [1, 0, 0, 1];
        assert_eq!(moves(&SquareGrid::from_weights(2, 2, &weights, rules()).unwrap()), 0);
        let weights = [1, 1, 0, 1];
        assert_eq!(moves(&SquareGrid::from_weights(2, 2, &weights, rules()).unwrap()), 3);
    }

    #[test]
    fn an_open_field_has_the_graph_it_should() {
        // Four clusters of 10 x 10 cells with two transitions on each of their four common borders.
        let world = Snapshot::from(SquareGrid::open(20, 20, rules()).unwrap());
        let mut sum = Sum::default();
        sum.add(&world, &planner(&world, "hpa-star", &[("levels", "3"), ("diagonals", "needed")]));
        let sizes = sum.sizes("hpa-2004");
        let total = |graph| {
            sizes
                .rows
                .iter()
                .find(|row| row.graph == graph && row.level.is_none())
                .unwrap()
                .mean
                .map(|size| size as u32)
        };
        assert_eq!(total(0)[0], 400);
        // Two transitions of a cluster end in its cell at the middle of the field, which is one node.
        assert_eq!(total(1), [12, 8, 12]);
        assert_eq!(total(2), total(1));
        let difference = SizeRow { graph: 1, level: None, mean: [110.0, 99.0, 5.0], paper: [100.0, 100.0, 0.0] };
        assert_eq!(difference.difference().map(|percent| percent.round() as i32), [10, -1, 0]);
    }
}
