//! What a planner has drawn over a world, for those who show it: regions and, layer by layer, the ports and the ways kept
//! between them. Not here: what any of it costs, and drawing.

use crate::id::Cell;
use crate::world::Area;

/// The shape of a chart or of a graph kept over a world, as [`crate::Planner::outline`] tells it. All of it is ordered by
/// cells: a planner that followed edits tells what one built anew does.
///
/// ```
/// use portolan::{Planner, Rules, SquareGrid, World, algorithm};
/// let world = World::from(SquareGrid::open(40, 40, Rules::default())?);
/// let hpa_star = algorithm("hpa-star").ok_or("it is in the registry")?;
/// let settings = hpa_star.settings(&[("cluster", "10"), ("levels", "2")])?;
/// let outline = Planner::build(&world, hpa_star, settings)?.outline(&world).ok_or("it has clusters")?;
/// assert_eq!(outline.layers.len(), 2);
/// assert!(outline.layers[1].ports.len() < outline.layers[0].ports.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outline {
    /// The rectangles the world is cut into, parents before children; none where a graph lies on the world as a whole, or
    /// where regions are no rectangles.
    pub regions: Vec<Region>,
    /// What is kept on each level, the lowest first.
    pub layers: Vec<Layer>,
}

/// A rectangle of the world.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its cells. Regions cut by a line have it in common.
    pub bounds: Area,
    /// The place in [`Outline::regions`] of the region it is part of.
    pub parent: Option<usize>,
    /// How many regions it is part of.
    pub depth: usize,
    /// The cells along which it is cut in two, if it is.
    pub line: Option<Area>,
}

/// One level of a chart, or a graph as a whole.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Layer {
    /// Cells at which routes pass from one region to another, or from one kept way to the next, row by row.
    pub ports: Vec<Cell>,
    /// Steps from a region of this layer into another, each once: from the cell that comes first row by row.
    pub crossings: Vec<(Cell, Cell)>,
    /// Pairs of ports that are kept with their cost inside one region, each once: from the cell that comes first row by
    /// row. Of a jump graph its leaps, which lead one way: diagonal steps first, then straight ones; of regions that have
    /// one port each, their centre, the pairs whose regions meet. None where costs are kept in tables or not at all.
    pub ways: Vec<(Cell, Cell)>,
    /// Where regions are no rectangles, the region of every cell, row by row: 1 and up, and 0 where blocked. Else empty.
    pub labels: Vec<u32>,
}

impl Layer {
    /// A layer of ports, crossings and ways that may be told in any order, from either end and several times.
    pub(crate) fn of(mut ports: Vec<Cell>, crossings: Vec<(Cell, Cell)>, ways: Vec<(Cell, Cell)>) -> Layer {
        ports.sort_unstable_by_key(|&port| row_by_row(port));
        ports.dedup();
        Layer { ports, crossings: once_each(crossings), ways: once_each(ways), labels: vec![] }
    }
}

fn once_each(mut pairs: Vec<(Cell, Cell)>) -> Vec<(Cell, Cell)> {
    for pair in &mut pairs {
        if row_by_row(pair.1) < row_by_row(pair.0) {
            *pair = (pair.1, pair.0);
        }
    }
    pairs.sort_unstable_by_key(|&pair| pair_by_pair(pair));
    pairs.dedup();
    pairs
}

/// What orders cells row by row.
pub(crate) fn row_by_row(cell: Cell) -> (u16, u16) {
    (cell.y, cell.x)
}

/// What orders pairs by their first cells, then by their second.
pub(crate) fn pair_by_pair((from, to): (Cell, Cell)) -> ((u16, u16), (u16, u16)) {
    (row_by_row(from), row_by_row(to))
}
