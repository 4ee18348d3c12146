//! Facts about a world that need no search: [`Survey`].

use portolan::any::AnySnapshot;
use portolan::{Border, Corners, Directions};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

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
    /// The number of free cells of each kind of ground, by number; empty, and absent from the JSON, where all are of kind 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<KindCount>,
    /// Borders between cells that nothing crosses, and those that are crossed one way only; `None`, and absent from the JSON, where
    /// all are open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub borders: Option<BorderCount>,
    /// Links; `None`, and absent from the JSON, where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<LinkCount>,
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

/// The number of cells of one kind.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KindCount {
    /// The kind.
    pub kind: u8,
    /// How many free cells are of it.
    pub cells: u32,
}

/// The number of borders that are not open.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct BorderCount {
    /// Those that nothing crosses.
    pub closed: usize,
    /// Those that are crossed one way only.
    pub one_way: usize,
}

/// The number of links.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct LinkCount {
    /// Those that lead both ways at one cost.
    pub both_ways: usize,
    /// All others.
    pub one_way: usize,
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
        kinds: kinds(world),
        borders: borders(world),
        links: links(world),
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

fn kinds(world: &AnySnapshot) -> Vec<KindCount> {
    let mut cells_by_kind = [0; 256];
    for cell in world.cells().take_while(|_| world.has_kinds()).filter(|&cell| world.is_free(cell)) {
        cells_by_kind[usize::from(world.terrain(cell).kind())] += 1;
    }
    if cells_by_kind[1..].iter().all(|&cells| cells == 0) {
        return Vec::new();
    }
    let counts = (0..=255).map(|kind: u8| KindCount { kind, cells: cells_by_kind[usize::from(kind)] });
    counts.filter(|count| count.cells > 0).collect()
}

fn borders(world: &AnySnapshot) -> Option<BorderCount> {
    let mut count = BorderCount::default();
    for (_, _, border) in world.borders() {
        *(if border == Border::Closed { &mut count.closed } else { &mut count.one_way }) += 1;
    }
    (count != BorderCount::default()).then_some(count)
}

fn links(world: &AnySnapshot) -> Option<LinkCount> {
    let links: BTreeSet<_> = world.links().collect();
    let back = links.iter().filter(|&&(from, to, cost)| links.contains(&(to, from, cost))).count();
    (!links.is_empty()).then_some(LinkCount { both_ways: back / 2, one_way: links.len() - back })
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
    use portolan::any::AnyWorld;
    use portolan::{Area, Cell, Cost, Edit, HexGrid, Rules, Side, SquareGrid};

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
    fn kinds_borders_and_links_are_counted() {
        let grid = SquareGrid::open(5, 4, Rules::default()).unwrap().with_kinds(&[[0; 10], [3; 10]].concat()).unwrap();
        let plain = survey(&AnySnapshot::from(grid.clone()));
        assert_eq!(plain.kinds, [KindCount { kind: 0, cells: 10 }, KindCount { kind: 3, cells: 10 }]);
        assert_eq!((plain.borders, plain.links), (None, None));
        let mut world = AnyWorld::from(grid);
        let walls = Edit::border(Area { x: 1, y: 0, width: 1, height: 3 }, Side::East, Border::Closed);
        let ledge = Edit::border(Cell::new(0, 0), Side::South, Border::Out);
        let links = [Edit::link((0, 0), (4, 3), Cost(5), true), Edit::link((0, 3), (4, 0), Cost(5), false)];
        world.apply(&[walls, ledge, links[0], links[1]]).unwrap();
        let found = survey(&world.snapshot());
        assert_eq!(found.borders, Some(BorderCount { closed: 3, one_way: 1 }));
        assert_eq!(found.links, Some(LinkCount { both_ways: 1, one_way: 1 }));
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
