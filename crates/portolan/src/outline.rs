//! What a planner has drawn over a world, for those who show it: regions, ports and the ways kept between them. Not
//! here: what any of it costs, and drawing.

use crate::id::Cell;
use crate::world::Area;

/// The shape of a chart or of a graph kept over a world, as [`crate::Planner::outline`] tells it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outline {
    /// The parts the world is cut into, parents before children; none where a graph lies on the world as a whole.
    pub regions: Vec<Region>,
    /// Cells at which routes pass from one region to another, or from one kept way to the next, row by row.
    pub ports: Vec<Cell>,
    /// Ways that are kept one by one, from port to port: diagonal steps first, then straight ones. None where costs are
    /// kept in tables.
    pub ways: Vec<(Cell, Cell)>,
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
