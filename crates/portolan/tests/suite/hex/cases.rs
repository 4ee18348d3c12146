//! Conformance cases: small hexagonal worlds drawn by hand, with the length of the shortest way counted by hand. Every
//! algorithm answers every case.
//!
//! Not here: queries that are no search for a whole route (`queries.rs`).

use super::oracle::costs_from;
use super::worlds::{draw, find, planners};
use crate::random_worlds::check;
use portolan::{HexCell, HexGrid, Metric, Outcome, Promise, Query, Scratch, Snapshot};

/// Each case is a description, a picture and the length of a shortest way, or `None` if there is none. In the picture,
/// `s` marks the start, `g` the goal, `b` a cell that is both, and `x` a goal that is blocked.
const CASES: &[(&str, &str, Option<f64>)] = &[
    ("a single cell", "b", Some(0.0)),
    ("start and goal in one place", ". b\n # .", Some(0.0)),
    ("neighbours in a row", "s g", Some(1.0)),
    ("neighbours, down to the right", "s .\n g .", Some(1.0)),
    ("neighbours, down to the left", ". s\n g .", Some(1.0)),
    ("not neighbours, though one column apart", "s .\n . g", Some(2.0)),
    ("one row", "s . . . . . g", Some(6.0)),
    ("one column", "s\n .\n.\n .\n.\n .\ng", Some(6.0)),
    ("one column, cut", "s\n .\n.\n #\n.\n .\ng", None),
    ("down to the right, which costs no extra", "s . . .\n . . . .\n. . . .\n . . g .", Some(4.0)),
    ("down to the left costs as many steps as rows", ". . . s\n . . . .\n. . . .\n . g . .", Some(3.0)),
    ("a wall to walk round", ". . . . .\n . . # . .\ns . # . g\n . . # . .\n. . . . .", Some(6.0)),
    ("a pillar in the open", ". . . . .\n . . . . .\ns . # . g\n . . . . .\n. . . . .", Some(5.0)),
    (
        "a pocket that lures",
        ". . . . . . .
          . # # # # . .
         . . . . # . .
          s . . . # . g
         . . . . # . .
          . # # # # . .
         . . . . . . .",
        Some(10.0),
    ),
    ("two pillars, and the way between them", "s # g\n . . .\n. # .", Some(3.0)),
    ("a wall that leans is a wall too", ". # . .\n s # . g\n. . # .\n . . # .", None),
    ("a staircase", "s # # #\n . # # #\n# . # #\n # . # #\n# # . #\n # # g #", Some(5.0)),
    ("no way", "s . # . g\n . . # . .\n. . # . .", None),
    ("shut in", ". . . . .\n s # # . .\n. # g # .\n . # # . .", None),
    ("a goal in a wall", "s . #\n . . x\n. . #", None),
    ("beside the start, round a wall", "s # g\n . # .\n. # .\n . . .", Some(7.0)),
    ("a hexagon from corner to corner", "- s . . -\n . . . . -\n. . . . .\n . . . . -\n- . . g -", Some(4.0)),
    ("round the edge of a hexagon", "- . s . -\n . # # . -\n. # # # .\n . # # . -\n- . g . -", Some(6.0)),
    ("a hexagon of odd radius", "- s .\n . . .\n- . g", Some(2.0)),
    ("no way round outside of a hexagon", "- s .\n # # #\n- . g", None),
    ("mud to walk round", "s 9 9 9 g\n . . . . .", Some(5.0)),
    ("mud to walk through", "s 2 2 2 g\n . # # # .\n. # # # .\n . . . . .", Some(7.0)),
    ("a detour that is cheaper by one", "s 4 g\n 2 . .", Some(4.0)),
    ("bands of weight", "s 1 2 3\n 4 3 2 1\n1 2 3 4\n 4 3 2 g", Some(10.0)),
];

/// Returns start and goal of a picture.
fn ends(picture: &str) -> [HexCell; 2] {
    let find = |letters: &str| letters.chars().find_map(|letter| find(picture, letter)).expect("it is drawn");
    [find("sb"), find("gbx")]
}

#[test]
fn every_algorithm_passes_every_case() {
    let mut scratch = Scratch::new();
    for (about, picture, length) in CASES {
        let [from, to] = ends(picture);
        for factor in [1, 7, 28] {
            // A step costs half the sum of two weights. Where a straight step costs an even number, that is not rounded.
            for step in [2, 408, 65_534] {
                let world = draw(picture, factor, Metric::new(step, step).ok());
                let length = length.map(|length| length * f64::from(factor));
                let truth = costs_from(&world, from).get(&to).copied();
                assert_eq!(truth.map(|cost| cost as f64), length.map(|length| length * f64::from(step)), "{about}");
                for planner in planners(&world) {
                    println!("{about}: {} times {factor} by {step}", planner.algorithm().name);
                    check(&world, &planner, from, to, truth, &mut scratch);
                    let found = planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                    let Outcome::Reached(route) = found else { continue };
                    if planner.promise(&world) == Promise::Optimal {
                        assert_eq!(Some(route.length(&world)), length, "{about}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_hexagon_of_one_cell_has_a_route_without_steps() {
    let world = Snapshot::from(HexGrid::hexagon(0, None).expect("a sound size"));
    for planner in planners(&world) {
        check(&world, &planner, HexCell::at(0, 0), HexCell::at(0, 0), Some(0), &mut Scratch::new());
    }
}

#[test]
fn a_hexagon_has_six_directions() {
    let world = draw("- . .\n . s .\n- . .", 1, None);
    let middle = HexCell::at(1, 1);
    let around: Vec<HexCell> = world.cells().filter(|&cell| cell != middle).collect();
    assert_eq!(around.len(), 6);
    let mut scratch = Scratch::new();
    for planner in planners(&world) {
        for &to in &around {
            check(&world, &planner, middle, to, Some(5741), &mut scratch);
            let across = HexCell::new(2 * middle.q - to.q, 2 * middle.r - to.r);
            check(&world, &planner, to, across, Some(2 * 5741), &mut scratch);
        }
    }
}

/// Rows of bits are 64 cells long; a corridor crosses several of them.
#[test]
fn long_corridors_are_walked_from_end_to_end() {
    let mut scratch = Scratch::new();
    for picture in [". ".repeat(137), ". \n".repeat(137)] {
        let world = draw(&picture, 1, None);
        let cells: Vec<HexCell> = world.cells().collect();
        for planner in planners(&world) {
            check(&world, &planner, cells[0], cells[136], Some(136 * 5741), &mut scratch);
            check(&world, &planner, cells[136], cells[0], Some(136 * 5741), &mut scratch);
        }
    }
}
