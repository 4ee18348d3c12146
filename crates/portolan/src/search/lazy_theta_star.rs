//! Lazy Theta*: Theta* that checks sight once for each cell that it expands and not for each that it finds.
//!
//! **Idea.** A cell that is found is taken to be in sight of the parent of the cell it was found from. That is checked when
//! the cell is expanded; if it was wrong, the best of its neighbours that are expanded becomes its parent.
//! **Use** it in place of Theta* where checks of sight take most of the time: routes are about as short.
//! **Promises** a route where there is one; no bound on its length is known.
//! **Costs** O(n) expansions for n cells, with one check of sight each. Records take 24 bytes a cell.
//! **Departs** from its paper where weights differ: what a line costs is known only when it has been followed cell by cell,
//! which is the check; there it searches as Theta* does.
//!
//! Nash, Koenig, Tovey: Lazy Theta*: any-angle path planning and path length analysis in 3D, 2010.

use super::shared::theta::{Checks, Theta};
use crate::algorithm::{Algorithm, Promise};
use crate::space::Motion;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "lazy-theta-star",
    title: "Lazy Theta*",
    summary: "Theta* that checks sight only for the cells that it expands",
    paper: "Nash, Koenig, Tovey 2010",
    motion: Motion::AnyAngle,
    promise: |_, _| Promise::Complete,
    ..Algorithm::flat(|_, _| Box::new(Theta { checks: Checks::Late }))
};
