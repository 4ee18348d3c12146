//! The shape of a chart or graph over a world, for display: its regions and, layer by layer, its ports and the pairs of
//! ports between which a cost is kept; and the size of each level of a chart.
//!
//! Not here: costs, and drawing.

use crate::id::Cell;
use crate::space::Area;

/// The shape of a chart or graph over a world, as [`crate::Planner::outline`] returns it. All lists are ordered by
/// cells, so that a repaired planner and one built for the edited world return equal outlines.
///
/// ```
/// use portolan::{Planner, Rules, SquareGrid, World, algorithm};
/// let world = World::from(SquareGrid::open(40, 40, Rules::default())?);
/// let hpa_star = algorithm("hpa-star").ok_or("it is in the registry")?;
/// let settings = hpa_star.settings(&[("cluster", "10"), ("levels", "2")])?;
/// let outline = Planner::build(&world, hpa_star, settings)?.outline(&world)?.ok_or("it has clusters")?;
/// assert_eq!(outline.layers.len(), 2);
/// assert!(outline.layers[1].ports.len() < outline.layers[0].ports.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Outline {
    /// The rectangles that the world is divided into, parents before children. Empty if the algorithm does not divide
    /// the world, or if its regions are not rectangles.
    pub regions: Vec<Region>,
    /// The layers, the lowest first.
    pub layers: Vec<Layer>,
}

impl Outline {
    /// Returns whether the world is divided into regions, rectangles or not, as every chart does.
    pub fn has_regions(&self) -> bool {
        !self.regions.is_empty() || self.layers.iter().any(|layer| !layer.labels.is_empty())
    }
}

/// The tree kept for a port: each cell with a route to the port, and the next cell on that route, row by row.
pub type Tree<P = Cell> = Vec<(P, P)>;

/// The size of one level of a chart.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Census {
    /// The clusters that the world is divided into.
    pub clusters: usize,
    /// The nodes of the level.
    pub nodes: usize,
    /// The edges between nodes of different clusters.
    pub inter_edges: usize,
    /// The pairs of nodes of one cluster between which a route inside the cluster exists.
    pub intra_edges: usize,
}

/// A rectangle of the world.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Region {
    /// Its cells. Two regions that were divided by a line both contain the cells of the line.
    pub bounds: Area,
    /// The index in [`Outline::regions`] of the region that this one is part of, if there is one.
    pub parent: Option<usize>,
    /// How many regions this one is part of, directly and indirectly.
    pub depth: usize,
    /// The line of cells that divides this region in two, if there is one.
    pub line: Option<Area>,
}

/// One level of a chart, or a whole graph.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Layer {
    /// The cells at which routes pass from one region or edge to the next, row by row.
    pub ports: Vec<Cell>,
    /// The steps from a region of this layer into another, or, in PRA*, the pairs of middle cells of neighbouring
    /// nodes. Each pair is listed once, with the cell first that comes first row by row.
    pub crossings: Vec<(Cell, Cell)>,
    /// The pairs of ports of one region between which a cost is kept. Each pair is listed once, with the cell first
    /// that comes first row by row. Empty if costs are kept in tables or not at all.
    ///
    /// For a jump graph, these are its leaps, from their first cell to their last: a leap takes its diagonal steps
    /// first, then its straight steps. If each region has its centre as its only port, these are the centres of regions
    /// that meet.
    pub ways: Vec<(Cell, Cell)>,
    /// If regions are not rectangles, the region of every cell, row by row: 0 for blocked cells, regions from 1 on. On a
    /// navigation mesh, the node of every polygon. Empty otherwise.
    pub labels: Vec<u32>,
}

impl Layer {
    /// Returns a layer with these ports, crossings and pairs, sorted and without repetitions. They may be given in any
    /// order, and a pair from either end.
    pub(crate) fn of(mut ports: Vec<Cell>, crossings: Vec<(Cell, Cell)>, ways: Vec<(Cell, Cell)>) -> Layer {
        ports.sort_unstable_by_key(|&port| row_by_row(port));
        ports.dedup();
        Layer { ports, crossings: once_each(crossings), ways: once_each(ways), labels: vec![] }
    }
}

/// Puts the cell first in each pair that comes first row by row, sorts the pairs and removes repetitions.
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

/// Returns the sort key that orders cells row by row.
pub(crate) fn row_by_row(cell: Cell) -> (u16, u16) {
    (cell.y, cell.x)
}

/// Returns the sort key that orders pairs by their first cell, then by their second cell.
pub(crate) fn pair_by_pair((from, to): (Cell, Cell)) -> ((u16, u16), (u16, u16)) {
    (row_by_row(from), row_by_row(to))
}
