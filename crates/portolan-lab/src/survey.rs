//! Facts about a world that need no search: [`Survey`].

use portolan::{ALGORITHMS, Corners, Directions, SquareGrid};
use serde::Serialize;
use std::collections::HashMap;

/// Facts about a world.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Survey {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Cells an agent may stand on.
    pub free_cells: usize,
    /// Free cells in percent of all cells.
    pub free_percent: f64,
    /// The number of free cells of each weight, the lightest first.
    pub weights: Vec<WeightCount>,
    /// The number of components: sets of cells that are connected with each other and with no other cell.
    pub components: usize,
    /// The number of cells of the largest component.
    pub largest_component: usize,
    /// The number of directions in which an agent can step: 4 or 8.
    pub directions: u8,
    /// The corner rule's command-line name.
    pub corners: &'static str,
    /// The costs of a straight and of a diagonal step.
    pub metric: String,
    /// Bytes of memory that the world takes.
    pub bytes: usize,
    /// The algorithms that run on this world.
    pub suits: Vec<&'static str>,
    /// The algorithms that do not run on it, and what each of them needs.
    pub unsuited: Vec<String>,
}

/// The number of cells of one weight.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WeightCount {
    /// The weight.
    pub weight: u8,
    /// How many free cells have it.
    pub cells: u32,
}

/// Returns the command-line name of a corner rule.
pub fn corners_name(corners: Corners) -> &'static str {
    Corners::NAMED.iter().find(|named| named.1 == corners).map_or("unnamed", |named| named.0)
}

/// Returns the survey of a world.
pub fn survey(grid: &SquareGrid) -> Survey {
    let cells_by_component = cells_by_component(grid);
    let weights = (1..=255_u8)
        .map(|weight| WeightCount { weight, cells: grid.cells_by_weight()[usize::from(weight)] })
        .filter(|count| count.cells > 0);
    let verdicts = || ALGORITHMS.iter().map(|algorithm| (algorithm.name, algorithm.suits(grid)));
    Survey {
        width: grid.width(),
        height: grid.height(),
        free_cells: grid.free_cells(),
        free_percent: 100.0 * grid.free_cells() as f64 / (grid.width() * grid.height()) as f64,
        weights: weights.collect(),
        components: cells_by_component.len(),
        largest_component: cells_by_component.values().copied().max().unwrap_or(0),
        directions: if grid.rules().directions == Directions::Four { 4 } else { 8 },
        corners: corners_name(grid.rules().corners),
        metric: grid.metric().to_string(),
        bytes: grid.bytes(),
        suits: verdicts().filter(|(_, verdict)| verdict.is_ok()).map(|(name, _)| name).collect(),
        unsuited: verdicts().filter_map(|(_, verdict)| verdict.err().map(|unsuited| unsuited.to_string())).collect(),
    }
}

fn cells_by_component(grid: &SquareGrid) -> HashMap<u64, usize> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    // Neighbouring cells mostly belong to one component, so that the count of a whole run is added at once.
    let (mut current, mut run) = (None, 0);
    for cell in grid.cells() {
        let component = grid.component(cell);
        if component != current {
            if let Some(ended) = current {
                *counts.entry(ended).or_default() += run;
            }
            (current, run) = (component, 0);
        }
        run += 1;
    }
    if let Some(ended) = current {
        *counts.entry(ended).or_default() += run;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::Rules;

    #[test]
    fn a_split_world_has_two_components() {
        let weights = [1, 1, 0, 5, 1, 1, 0, 5];
        let found = survey(&SquareGrid::from_weights(4, 2, &weights, Rules::default()).unwrap());
        assert_eq!((found.components, found.largest_component, found.free_cells), (2, 4, 6));
        let counts = [WeightCount { weight: 1, cells: 4 }, WeightCount { weight: 5, cells: 2 }];
        assert_eq!(found.weights, counts);
        assert!(found.suits.contains(&"a-star"));
    }
}
