//! The tables of algorithms, one for each space. The command line, the README, the tests and the benches read them. To
//! add an algorithm, write its file and add one line here for each space that it runs on: its handle, by which programs
//! name it, and its description.
//!
//! Not here: the types that describe an algorithm (`algorithm.rs`, `settings.rs`), and the choice between algorithms
//! (`auto.rs`).

use crate::algorithm::{Algorithm, Listed};
use crate::space::Space;
use crate::space::hex::HexGrid;
use crate::space::mesh::NavMesh;
use crate::space::square::SquareGrid;

/// Declares a handle for each algorithm of a space, and the table of all of them in this order.
macro_rules! table {
    ($space:ty: $($handle:ident = $algorithm:expr,)+) => {
        $(
            /// The algorithm whose command name is spelled like this, in small letters.
            pub static $handle: Algorithm<$space> = $algorithm;
        )+

        /// All algorithms of the space, in the order of every list that is shown.
        pub static ALL: &[&Algorithm<$space>] = &[$(&$handle),+];
    };
}

/// The algorithms on square grids, by name.
///
/// ```
/// use portolan::{Rules, SquareGrid, World, algorithms};
/// let world = World::from(SquareGrid::open(100, 100, Rules::default())?);
/// let planner = algorithms::HPA_STAR.set("cluster", 10).set("levels", 2).build(&world)?;
/// assert_eq!(planner.algorithm().name, "hpa-star");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod algorithms {
    use super::{Algorithm, SquareGrid};
    pub use crate::algorithm::Listed;
    use crate::{chart, replan, search};

    table! {
        SquareGrid:
        BREADTH_FIRST = search::breadth_first::algorithm(),
        DIJKSTRA = search::dijkstra::algorithm(),
        GREEDY = search::greedy::algorithm(),
        A_STAR = search::a_star::algorithm(),
        WEIGHTED_A_STAR = search::weighted_a_star::algorithm(),
        ARA_STAR = search::ara_star::algorithm(),
        BIDIRECTIONAL_A_STAR = search::bidirectional_a_star::algorithm(),
        IDA_STAR = search::ida_star::algorithm(),
        LPA_STAR = replan::lpa_star::algorithm(),
        D_STAR = replan::d_star::algorithm(),
        FOCUSED_D_STAR = replan::focused_d_star::algorithm(),
        D_STAR_LITE = replan::d_star_lite::algorithm(),
        AD_STAR = replan::ad_star::algorithm(),
        JUMP_POINT = search::jump_point::ALGORITHM,
        JUMP_GRAPH = search::jump_graph::ALGORITHM,
        THETA_STAR = search::theta_star::ALGORITHM,
        LAZY_THETA_STAR = search::lazy_theta_star::ALGORITHM,
        AP_THETA_STAR = search::ap_theta_star::ALGORITHM,
        ANYA = search::anya::ALGORITHM,
        FIELD_D_STAR = replan::field_d_star::ALGORITHM,
        HPA_STAR = chart::hpa_star::ALGORITHM,
        DHPA_STAR = chart::dhpa_star::ALGORITHM,
        HAA_STAR = chart::haa_star::ALGORITHM,
        SHPA_STAR = chart::shpa_star::ALGORITHM,
        PRA_STAR = chart::pra_star::ALGORITHM,
        MINIMAL_MEMORY = chart::minimal_memory::ALGORITHM,
        RHUMB = chart::rhumb::ALGORITHM,
    }

    /// The algorithms on navigation meshes, by name.
    pub mod mesh {
        use super::{Algorithm, chart, search};
        use crate::space::mesh::NavMesh;

        table! {
            NavMesh:
            DIJKSTRA = search::over_polygons::DIJKSTRA,
            A_STAR = search::over_polygons::A_STAR,
            POLYANYA = search::polyanya::ALGORITHM,
            HNA_STAR = chart::hna_star::ALGORITHM,
            RHUMB = chart::mesh_rhumb::ALGORITHM,
        }
    }

    /// The algorithms on hexagonal grids, by name.
    pub mod hex {
        use super::{Algorithm, replan, search};
        use crate::space::hex::HexGrid;

        table! {
            HexGrid:
            BREADTH_FIRST = search::breadth_first::algorithm(),
            DIJKSTRA = search::dijkstra::algorithm(),
            GREEDY = search::greedy::algorithm(),
            A_STAR = search::a_star::algorithm(),
            WEIGHTED_A_STAR = search::weighted_a_star::algorithm(),
            ARA_STAR = search::ara_star::algorithm(),
            BIDIRECTIONAL_A_STAR = search::bidirectional_a_star::algorithm(),
            IDA_STAR = search::ida_star::algorithm(),
            LPA_STAR = replan::lpa_star::algorithm(),
            D_STAR = replan::d_star::algorithm(),
            FOCUSED_D_STAR = replan::focused_d_star::algorithm(),
            D_STAR_LITE = replan::d_star_lite::algorithm(),
            AD_STAR = replan::ad_star::algorithm(),
        }
    }
}

/// All algorithms on square grids, in the order of every list that is shown.
pub static ALGORITHMS: &[&Algorithm] = algorithms::ALL;

/// All algorithms on hexagonal grids, in the order of every list that is shown.
pub static HEX_ALGORITHMS: &[&Algorithm<HexGrid>] = algorithms::hex::ALL;

/// All algorithms on navigation meshes, in the order of every list that is shown.
pub static MESH_ALGORITHMS: &[&Algorithm<NavMesh>] = algorithms::mesh::ALL;

impl Listed for SquareGrid {
    fn algorithms() -> &'static [&'static Algorithm] {
        ALGORITHMS
    }

    fn exact() -> &'static Algorithm {
        &algorithms::A_STAR
    }
}

impl Listed for HexGrid {
    fn algorithms() -> &'static [&'static Algorithm<HexGrid>] {
        HEX_ALGORITHMS
    }

    fn exact() -> &'static Algorithm<HexGrid> {
        &algorithms::hex::A_STAR
    }
}

impl Listed for NavMesh {
    fn algorithms() -> &'static [&'static Algorithm<NavMesh>] {
        MESH_ALGORITHMS
    }

    fn exact() -> &'static Algorithm<NavMesh> {
        &algorithms::mesh::A_STAR
    }
}

/// Returns the algorithm on square grids with this command name, or `None` if there is none.
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    algorithm_on(name)
}

/// Returns the algorithm of a space with this command name, or `None` if there is none.
pub(crate) fn algorithm_on<S: Space>(name: &str) -> Option<&'static Algorithm<S>> {
    S::algorithms().iter().copied().find(|algorithm| algorithm.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_are_found() {
        for algorithm in ALGORITHMS {
            assert!(algorithm_on::<SquareGrid>(algorithm.name).is_some_and(|found| std::ptr::eq(found, *algorithm)));
        }
        for algorithm in HEX_ALGORITHMS {
            assert!(algorithm_on::<HexGrid>(algorithm.name).is_some_and(|found| std::ptr::eq(found, *algorithm)));
        }
        for algorithm in MESH_ALGORITHMS {
            assert!(algorithm_on::<NavMesh>(algorithm.name).is_some_and(|found| std::ptr::eq(found, *algorithm)));
        }
    }
}
