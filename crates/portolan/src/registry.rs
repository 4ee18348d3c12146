//! The table of algorithms. The command line, the README, the tests and the benches read it. To add an algorithm, write
//! its file and add one line here.
//!
//! Not here: the types that describe an algorithm (`algorithm.rs`, `settings.rs`), and the choice between algorithms
//! (`auto.rs`).

use crate::algorithm::Algorithm;
use crate::chart::{dhpa_star, hpa_star, minimal_memory, pra_star, rhumb, shpa_star};
use crate::search::{
    a_star, bidirectional_a_star, dijkstra, greedy, ida_star, jump_graph, jump_point, weighted_a_star,
};

/// All algorithms, in the order of every list that is shown.
pub const ALGORITHMS: &[Algorithm] = &[
    dijkstra::ALGORITHM,
    greedy::ALGORITHM,
    a_star::ALGORITHM,
    weighted_a_star::ALGORITHM,
    bidirectional_a_star::ALGORITHM,
    ida_star::ALGORITHM,
    jump_point::ALGORITHM,
    jump_graph::ALGORITHM,
    hpa_star::ALGORITHM,
    dhpa_star::ALGORITHM,
    shpa_star::ALGORITHM,
    pra_star::ALGORITHM,
    minimal_memory::ALGORITHM,
    rhumb::ALGORITHM,
];

/// Returns the algorithm with this command name, or `None` if there is none.
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}
