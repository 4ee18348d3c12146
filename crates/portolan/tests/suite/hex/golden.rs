//! Golden traces on hexes, kept as those on squares are: see `golden.rs` in the folder above.
//!
//! Not here: other tests.

use super::worlds::{draw, find};
use crate::golden::compare;
use portolan::Query;

const WORLD: &str = "
    . s . . . # .
     . . # . . # g
    . . # # . . .
     . . . . . # .";

#[test]
fn traces_are_what_they_were() {
    let [from, to] = ['s', 'g'].map(|letter| find(WORLD, letter).expect("it is drawn"));
    compare("golden/hex", &draw(WORLD, 1, None), Query::new(from, to));
}

/// On ground of several weights, searches look at all moves.
#[test]
fn traces_over_weights_are_what_they_were() {
    let heavy = WORLD.replacen(". . . . . # .", ". . 3 3 . # 2", 1);
    let [from, to] = ['s', 'g'].map(|letter| find(&heavy, letter).expect("it is drawn"));
    compare("golden/hex-weights", &draw(&heavy, 1, None), Query::new(from, to));
}
