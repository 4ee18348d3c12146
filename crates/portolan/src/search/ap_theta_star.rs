//! Angle-propagation Theta*: Theta* that knows from ranges of angles which cells are in sight.
//!
//! **Idea.** With each cell, the search keeps the directions around the cell's parent in which everything is free as far
//! as the cell. A neighbour farther out is in sight of the parent if its direction is among them and no blocked cell beside
//! it is in the way. A check takes constant time, however long the line is.
//! **Use** it where lines are very long; on game maps Theta* checks as fast, and its routes are a little shorter.
//! **Promises** a route where there is one. Every line that ranges of angles allow is legal; the converse is not true, so
//! that it misses some lines that Theta* finds.
//! **Costs** O(n) expansions for n cells, O(1) each. Records take 40 bytes a cell.
//! **Departs** from its paper, whose routes turn at corners of cells. Ours turn in the middle of cells, so that ranges are
//! bounded by the blocked cells on the rings around the parent (`shared/angles.rs`). They are kept as integers, and a range
//! reaches two cells to each side, where the paper bounds it by cells that are not expanded yet.
//!
//! Nash, Daniel, Koenig, Felner: Theta*: any-angle path planning on grids, 2007; Daniel, Nash, Koenig, Felner 2010.

use super::shared::theta::{Checks, Theta};
use crate::algorithm::{Algorithm, Promise};
use crate::space::Motion;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "ap-theta-star",
    title: "Angle-propagation Theta*",
    summary: "Theta* that checks sight in constant time, by ranges of angles passed on from cell to cell",
    paper: "Nash, Daniel, Koenig, Felner 2007",
    motion: Motion::AnyAngle,
    promise: |_, _| Promise::Complete,
    ..Algorithm::flat(|_, _| Box::new(Theta { checks: Checks::ByAngle }))
};
