//! Conformance cases: small worlds drawn by hand, each with a feature that some pathfinder has handled wrongly. Every
//! algorithm answers every case under all rules.

use crate::oracle::costs_from;
use crate::random_worlds::check;
use crate::worlds::{all_rules, draw, planners};
use portolan::{Cell, Scratch};

/// Each case is a description and a picture. In the picture, `s` marks the start, `g` the goal, and `b` a cell that is
/// both.
const CASES: &[(&str, &str)] = &[
    ("a single cell", "b"),
    ("neighbours", "sg"),
    (
        "a long corridor, over several words of bits",
        concat!(
            "s..................................................................",
            "....................................................................g"
        ),
    ),
    ("a column", "s\n.\n.\n.\n.\n.\ng"),
    ("the corner of a wall", "s.#g\n..#.\n...."),
    ("a diagonal squeeze", "s#\n#g"),
    ("a diagonal squeeze with a way round", "s#.\n#g.\n..."),
    ("one side of the corner free", "s.\n#g"),
    ("a pocket that lures", ".........\n.######..\n......#..\ns.....#.g\n......#..\n.######..\n........."),
    ("a staircase", "s.####\n#..###\n##..##\n###..#\n####.g"),
    ("a pillar in the open", ".....\n.....\ns.#.g\n.....\n....."),
    ("two pillars that touch at corners", "......\n..#...\ns..#.g\n......"),
    ("no way", "s.#.g\n..#..\n..#.."),
    ("shut in", "s.....\n..###.\n..#g#.\n..###."),
    ("goal beside the start, round a wall", "s#g\n.#.\n.#.\n..."),
    ("forced turn with nothing straight ahead", "s...#\n###..\n###.g"),
    ("goal on a jump point", "s....\n.##..\n.#g..\n....."),
    ("goal on the way to a jump point", "s..g....\n.....##.\n........"),
    ("mud to walk round", "s999g\n.999.\n....."),
    ("mud to walk through", "s2222g\n.####.\n.####.\n.####.\n......"),
    ("all of one weight", "s777\n7##7\n777g"),
    ("bands of weight", "s1234\n54321\n12345\n5432g"),
];

#[test]
fn every_algorithm_passes_every_case() {
    let mut scratch = Scratch::new();
    for rules in all_rules() {
        for (about, picture) in CASES {
            let world = draw(picture, rules);
            let find = |letter| {
                let mut rows = picture.lines().enumerate();
                rows.find_map(|(y, row)| row.find(letter).map(|x| Cell::new(x as u16, y as u16)))
            };
            // A `b` marks a cell that is both start and goal.
            let both = find('b');
            let from = both.or_else(|| find('s')).expect("a start");
            let to = both.or_else(|| find('g')).expect("a goal");
            let truth = costs_from(&world, from)[usize::from(to.y) * world.width() + usize::from(to.x)];
            for planner in planners(&world) {
                println!("{about}: {} under {rules:?}", planner.algorithm().name);
                check(&world, &planner, from, to, truth, &mut scratch);
                let back = costs_from(&world, to)[usize::from(from.y) * world.width() + usize::from(from.x)];
                assert_eq!(truth, back, "{about}: costs are the same both ways");
            }
        }
    }
}

#[test]
fn the_oracle_knows_what_a_person_can_count() {
    let rules = all_rules();
    let cost = |picture, rules, to: (u16, u16)| {
        let world = draw(picture, rules);
        costs_from(&world, Cell::new(0, 0))[usize::from(to.1) * world.width() + usize::from(to.0)]
    };
    let (straight, diagonal) = (5741, 8119);
    let squeeze = "s#\n#g";
    assert_eq!(cost(squeeze, rules[0], (1, 1)), None);
    assert_eq!(cost(squeeze, rules[1], (1, 1)), None);
    assert_eq!(cost(squeeze, rules[2], (1, 1)), Some(diagonal));
    let one_side = "s.\n#g";
    assert_eq!(cost(one_side, rules[0], (1, 1)), Some(2 * straight));
    assert_eq!(cost(one_side, rules[1], (1, 1)), Some(diagonal));
    assert_eq!(cost(one_side, rules[3], (1, 1)), Some(2 * straight));
}
