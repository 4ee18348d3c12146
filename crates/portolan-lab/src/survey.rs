//! Facts about a world that need no search: [`Survey`].

use portolan::any::AnySnapshot;
use portolan::{Corners, Directions};
use serde::Serialize;
use std::collections::HashMap;

/// Facts about a world.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Survey {
    /// The name of the world's kind; absent from the JSON for square grids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The name of the shape of a hexagonal grid; `None`, and absent from the JSON, for square grids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<&'static str>,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Cells an agent may stand on.
    pub free_cells: usize,
    /// Free cells in percent of all cells on the grid.
    pub free_percent: f64,
    /// The number of free cells of each weight, the lightest first.
    pub weights: Vec<WeightCount>,
    /// The number of components: sets of cells that are connected with each other and with no other cell.
    pub components: usize,
    /// The number of cells of the largest component.
    pub largest_component: usize,
    /// The number of directions in which an agent can step: 4, 6 or 8.
    pub directions: u8,
    /// The corner rule's command-line name; `None`, and absent from the JSON, for hexagonal grids, which need none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corners: Option<&'static str>,
    /// The costs of a straight and of a diagonal step, or of any step on a hexagonal grid.
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
pub fn survey(world: &AnySnapshot) -> Survey {
    let cells_by_component = cells_by_component(world);
    let weights = (1..=255_u8)
        .map(|weight| WeightCount { weight, cells: world.cells_by_weight()[usize::from(weight)] })
        .filter(|count| count.cells > 0);
    let verdicts = || world.algorithms().into_iter().map(|algorithm| (algorithm.name(), algorithm.suits(world)));
    let on_the_grid = world.free_cells() + world.cells_by_weight()[0] as usize;
    Survey {
        kind: world.kind_if_not_square(),
        shape: world.hex().map(|hexes| hexes.shape().name()),
        width: world.width(),
        height: world.height(),
        free_cells: world.free_cells(),
        free_percent: 100.0 * world.free_cells() as f64 / on_the_grid as f64,
        weights: weights.collect(),
        components: cells_by_component.len(),
        largest_component: cells_by_component.values().copied().max().unwrap_or(0),
        directions: match world.rules().map(|rules| rules.directions) {
            None => 6,
            Some(Directions::Four) => 4,
            Some(_) => 8,
        },
        corners: world.rules().map(|rules| corners_name(rules.corners)),
        metric: world.step_costs(),
        bytes: world.bytes(),
        suits: verdicts().filter(|(_, verdict)| verdict.is_ok()).map(|(name, _)| name).collect(),
        unsuited: verdicts().filter_map(|(_, verdict)| verdict.err().map(|unsuited| unsuited.to_string())).collect(),
    }
}

fn cells_by_component(world: &AnySnapshot) -> HashMap<u64, usize> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    // Neighbouring cells mostly belong to one component, so that the count of a whole run is added at once.
    let (mut current, mut run) = (None, 0);
    for cell in world.cells() {
        let component = world.component(cell);
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
    use portolan::{HexGrid, Rules, SquareGrid};

    #[test]
    fn a_split_world_has_two_components() {
        let weights = [1, 1, 0, 5, 1, 1, 0, 5];
        let found = survey(&AnySnapshot::from(SquareGrid::from_weights(4, 2, &weights, Rules::default()).unwrap()));
        assert_eq!((found.components, found.largest_component, found.free_cells), (2, 4, 6));
        let counts = [WeightCount { weight: 1, cells: 4 }, WeightCount { weight: 5, cells: 2 }];
        assert_eq!(found.weights, counts);
        assert_eq!((found.directions, found.corners, found.kind), (8, Some("strict"), None));
        assert_eq!(found.suits.len() + found.unsuited.len(), portolan::ALGORITHMS.len());
    }

    #[test]
    fn hexes_have_six_directions_and_a_shape() {
        let found = survey(&AnySnapshot::from(HexGrid::hexagon(2, None).unwrap()));
        assert_eq!((found.kind, found.shape, found.directions), (Some("hex"), Some("hexagon"), 6));
        assert_eq!((found.width, found.free_cells, found.components), (5, 19, 1));
        assert!((found.free_percent - 100.0).abs() < 1e-9, "void cells are none of the grid's: {}", found.free_percent);
        assert_eq!((found.corners, found.suits.len()), (None, portolan::HEX_ALGORITHMS.len()));
    }
}
