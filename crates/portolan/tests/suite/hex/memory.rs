//! Memory on hexes: a warm query allocates only its route, and worlds and scratch stay within their limits of bytes per
//! cell.
//!
//! Not here: saved charts, which no algorithm on hexes has.

use super::worlds::{made, planners, random_free_cell};
use crate::memory::allocates_routes_alone;
use portolan::generate::Random;
use portolan::{HEX_ALGORITHMS, HexCell, HexGrid, Planner, Query, Scratch, Snapshot};

fn pairs(world: &HexGrid, count: usize) -> Vec<(HexCell, HexCell)> {
    let mut random = Random::new(9);
    let mut pick = || random_free_cell(&mut random, world).expect("there is ground");
    std::iter::repeat_with(|| (pick(), pick())).filter(|&(a, b)| world.connected(a, b)).take(count).collect()
}

#[test]
fn a_warm_query_allocates_its_route_and_nothing_else() {
    for recipe in ["rooms", "caves", "hills"] {
        let world = Snapshot::from(made(recipe, (96, 96), 5));
        let queries = pairs(&world, 10);
        for planner in planners(&world) {
            allocates_routes_alone(&world, &planner, &queries);
        }
    }
}

#[test]
fn worlds_and_scratch_keep_to_their_bytes() {
    for recipe in ["rooms", "noise", "hills", "city"] {
        let world = Snapshot::from(made(recipe, (512, 512), 5));
        let cells = (world.width() * world.height()) as f64;
        let weighted = world.uniform_weight().is_none();
        // A byte for the neighbours of a cell, a byte for its weight where weights differ, and less than a byte for the
        // bits of free cells and for components.
        let bytes = world.bytes() as f64 / cells;
        assert!(bytes <= if weighted { 2.75 } else { 1.75 }, "{recipe}: {bytes} bytes a cell");
        let queries = pairs(&world, 30);
        for name in HEX_ALGORITHMS.iter().map(|algorithm| algorithm.name).filter(|&name| name != "ida-star") {
            let planner = Planner::new(&world, name).expect("it suits");
            let mut scratch = Scratch::new();
            for &(from, to) in &queries {
                planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
            }
            let bytes = scratch.bytes() as f64 / cells;
            assert!((1.0..=16.0).contains(&bytes), "{name} on {recipe}: {bytes} bytes of scratch a cell");
        }
    }
}
