//! Golden traces on a mesh, kept as those on squares are: see `golden.rs` in the folder above.
//!
//! Not here: other tests.

use super::worlds::draw;
use crate::golden::compare;
use portolan::Query;

/// Enough squares that HNA* has several nodes.
const WORLD: &str = "
    ....#....
    .##...##.
    .....#...
    .#.#...#.
    ...#.#...";

#[test]
fn traces_are_what_they_were() {
    let world = draw(WORLD);
    let [from, to] = [[0.25, 0.5], [8.5, 0.75]].map(|at| world.point(at).expect("a square is there"));
    compare("golden/mesh", &world, Query::new(from, to));
}
