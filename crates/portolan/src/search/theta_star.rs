//! Theta*: A* on the cells of a grid whose routes turn at any angle.
//!
//! **Idea.** A cell that is found from another one takes that one's parent for its own parent if the parent sees it: the
//! route to it is then one straight line and not a chain of steps. Only where the parent does not see it, the cell it was
//! found from becomes its parent.
//! **Use** it for routes that look natural and are nearly as short as can be, at a few times the work of A*.
//! **Promises** a route where there is one. On game maps its routes are about 0.3 % longer than the shortest on average; no bound
//! is known.
//! **Costs** O(n) expansions for n cells, and a check of sight for each cell that is found, which takes time in proportion
//! to its length. Records take 24 bytes a cell.
//! **Departs** from its paper where weights differ: a line costs its length times the mean weight along it, and the parent
//! is passed on only if that is the cheaper route.
//!
//! Nash, Daniel, Koenig, Felner: Theta*: any-angle path planning on grids, 2007; Daniel, Nash, Koenig, Felner 2010.

use super::shared::theta::{Checks, Theta};
use crate::algorithm::{Algorithm, Promise};
use crate::space::Motion;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "theta-star",
    title: "Theta*",
    summary: "A* that takes a straight line wherever the parent sees the next cell; routes at any angle",
    paper: "Nash, Daniel, Koenig, Felner 2007",
    motion: Motion::AnyAngle,
    promise: |_, _| Promise::Complete,
    ..Algorithm::flat(|_, _| Box::new(Theta { checks: Checks::AtOnce }))
};
