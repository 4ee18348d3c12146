//! The tables of algorithms, one for each space. The command line, the README, the tests and the benches read them. To
//! add an algorithm, write its file and add one line here for each space that it runs on.
//!
//! Not here: the types that describe an algorithm (`algorithm.rs`, `settings.rs`), and the choice between algorithms
//! (`auto.rs`).

use crate::algorithm::{Algorithm, Listed};
use crate::chart::{dhpa_star, hpa_star, minimal_memory, pra_star, rhumb, shpa_star};
use crate::search::{
    a_star, bidirectional_a_star, dijkstra, greedy, ida_star, jump_graph, jump_point, weighted_a_star,
};
use crate::space::Space;
use crate::space::hex::HexGrid;
use crate::space::square::SquareGrid;

/// All algorithms on square grids, in the order of every list that is shown.
pub const ALGORITHMS: &[Algorithm] = &[
    dijkstra::algorithm(),
    greedy::algorithm(),
    a_star::algorithm(),
    weighted_a_star::algorithm(),
    bidirectional_a_star::algorithm(),
    ida_star::algorithm(),
    jump_point::ALGORITHM,
    jump_graph::ALGORITHM,
    hpa_star::ALGORITHM,
    dhpa_star::ALGORITHM,
    shpa_star::ALGORITHM,
    pra_star::ALGORITHM,
    minimal_memory::ALGORITHM,
    rhumb::ALGORITHM,
];

impl Listed for SquareGrid {
    fn algorithms() -> &'static [Algorithm] {
        ALGORITHMS
    }

    fn exact() -> &'static Algorithm {
        const { &a_star::algorithm() }
    }
}

/// All algorithms on hexagonal grids, in the order of every list that is shown.
pub const HEX_ALGORITHMS: &[Algorithm<HexGrid>] = &[
    dijkstra::algorithm(),
    greedy::algorithm(),
    a_star::algorithm(),
    weighted_a_star::algorithm(),
    bidirectional_a_star::algorithm(),
    ida_star::algorithm(),
];

impl Listed for HexGrid {
    fn algorithms() -> &'static [Algorithm<HexGrid>] {
        HEX_ALGORITHMS
    }

    fn exact() -> &'static Algorithm<HexGrid> {
        const { &a_star::algorithm() }
    }
}

/// Returns the algorithm on square grids with this command name, or `None` if there is none.
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    algorithm_on(name)
}

/// Returns the algorithm of a space with this command name, or `None` if there is none.
pub(crate) fn algorithm_on<S: Space>(name: &str) -> Option<&'static Algorithm<S>> {
    S::algorithms().iter().find(|algorithm| algorithm.name == name)
}
