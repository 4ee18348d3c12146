//! Tests of cases as text: every kind of line is read, and every fault is reported.

use super::*;
use portolan::{Cost, Metric, Side, Terrain};

const SMALL: &str = "\
portolan case 1
about A wall goes up # and this belongs to it

world harbour              # built in
rules loose 4 10/14
from 3,4
to 50,33
with rhumb spacing=16 gap=2
replan any
follow rebuild 5
ticks 500
at 12 clear 20,5
at 10 block 20,5 1x30      # the wall
at 10 weight 5 20,5 4x4
at 10 border east closed 20,5 1x4
at 10 link 1,2 30,4 500 one-way
at 11 unlink 1,2 30,4 both
";

fn of(text: &str) -> Case {
    read(text.as_bytes()).unwrap()
}

fn fault(text: &str) -> String {
    read(text.as_bytes()).err().unwrap().to_string()
}

fn settings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect()
}

#[test]
fn every_line_is_understood() {
    let case = of(SMALL);
    assert_eq!(case.about, "A wall goes up # and this belongs to it");
    assert!(matches!(&case.world, CaseWorld::Named(name) if name == "harbour"));
    let metric = Some(Metric::new(10, 14).unwrap());
    assert_eq!(case.rules, Rules { directions: Directions::Four, corners: Corners::Loose, metric });
    assert_eq!((case.from, case.to), (Cell::new(3, 4), Cell::new(50, 33)));
    assert_eq!(case.with, Some(("rhumb".into(), settings(&[("spacing", "16"), ("gap", "2")]))));
    assert_eq!((case.replan, case.follow), (Some(Words::new("any")), Some(Words::new("rebuild 5"))));
    assert_eq!(case.ticks, Some(500));
    let wall = Area { x: 20, y: 5, width: 1, height: 30 };
    let mud = Area { x: 20, y: 5, width: 4, height: 4 };
    assert_eq!(
        case.edits,
        [
            (10, Edit::new(wall, Terrain::BLOCKED)),
            (10, Edit::new(mud, Terrain::of_weight(5))),
            (10, Edit::border(Area { width: 1, ..mud }, Side::East, Border::Closed)),
            (10, Edit::link((1, 2), (30, 4), Cost(500), false)),
            (11, Edit::unlink((1, 2), (30, 4), true)),
            (12, Edit::new(Cell::new(20, 5), Terrain::GROUND)),
        ],
        "by tick, then by line"
    );
}

#[test]
fn most_lines_may_be_left_out() {
    let case = of("portolan case 1\nworld a.map\nto 1,1\nfrom 0,0");
    assert!(case.about.is_empty() && case.with.is_none() && case.ticks.is_none() && case.edits.is_empty());
    assert_eq!((case.rules, case.replan, case.follow), (Rules::default(), None, None));
    assert!(of("portolan case 1\nworld a.map\nto 1,1\nfrom 0,0\nwith auto\n").with.is_none());
}

#[test]
fn what_was_read_is_written_and_read_back_the_same() {
    let made = "portolan case 1\nworld caves 64x48 seed 7 roughness=2\nfrom 1,1\nto 2,2\n";
    let made = made.replace(" roughness=2", "");
    let drawn = "portolan case 1\r\nfrom 0,0\r\nto 4,1\r\nat 3 block 2,0 1x2\r\nmap\r\n..T5x\r\n #.\r\n\r\n";
    for text in [SMALL, &made, drawn] {
        let written = write(&of(text)).unwrap();
        assert_eq!(write(&of(&written)).unwrap(), written);
    }
    assert_eq!(
        write(&of(drawn)).unwrap(),
        "portolan case 1\nfrom 0,0\nto 4,1\nat 3 block 2,0 1x2\nmap\n..T5x\n.A...\n"
    );
    let small = write(&of(SMALL)).unwrap();
    assert!(small.contains("rules loose 4 10/14\n") && small.contains("follow rebuild 5\n"));
}

#[test]
fn a_weight_without_a_digit_is_refused() {
    let mut case = of("portolan case 1\nfrom 0,0\nto 1,0\nmap\n..\n");
    let grid = portolan::SquareGrid::from_weights(2, 1, &[1, 12], Rules::default()).unwrap();
    case.world = CaseWorld::Drawn(Box::new(AsciiWorld::of(grid)));
    assert!(matches!(write(&case), Err(DrawError::Weight { weight: 12, .. })));
}

#[test]
fn recipes_are_known_by_name_and_settings() {
    let world = |line: &str| format!("portolan case 1\nworld {line}\nfrom 0,0\nto 1,1\n");
    let case = of(&world("maze 64x48 corridor=2"));
    let CaseWorld::Made { recipe, width, height, seed, settings: made } = case.world else { panic!("made") };
    assert_eq!((&*recipe, width, height, seed, made), ("maze", 64, 48, 1, settings(&[("corridor", "2")])));
    assert_eq!(fault(&world("mase 64x48")), "2:7: expected a recipe for worlds, found 'mase'");
    assert_eq!(fault(&world("maze 64")), "2:12: expected columns and rows, such as 128x96, found '64'");
    assert_eq!(fault(&world("maze 9x9 seed x")), "2:21: expected a seed's number, found 'x'");
    let said = fault(&world("maze 9x9 seed 1 corridor=none"));
    assert!(said.starts_with("2:23: expected another setting (corridor cannot be \"none\""), "{said}");
}

#[test]
fn faults_are_told_by_place() {
    let with = |line: &str| fault(&format!("portolan case 1\nworld a.map\nfrom 0,0\nto 1,1\n{line}\n"));
    for (line, message) in [
        (
            "form 0,0",
            "5:1: expected about, world, rules, from, to, with, replan, follow, ticks, at or map, found 'form'",
        ),
        ("from 0,0", "5:1: expected a line that was not there before, found 'from'"),
        ("ticks -1", "5:7: expected a whole number up to 10000000, found '-1'"),
        ("ticks 5 6", "5:9: expected end of line, found '6'"),
        ("with astar", "5:6: expected an algorithm's name, found 'astar'"),
        ("rules tidy", "5:7: expected strict, no-squeeze, loose, 4, 8 or a metric such as 408/577, found 'tidy'"),
        ("at", "5:3: expected a tick and what happens, such as `10 block 20,5 1x30`, found end of line"),
        ("at 3 move 1,1", "5:6: expected block, clear, weight, border, link or unlink, found 'move'"),
        ("at 3 block 1;1", "5:12: expected a cell, such as 12,34, found '1;1'"),
        ("at 3 block 1,1 0x3", "5:16: expected columns and rows, such as 4x3, found '0x3'"),
        ("at 3 weight 0 1,1", "5:13: expected a weight from 1 to 255, found '0'"),
        ("map", "5:1: expected one world, named or drawn, found 'map'"),
    ] {
        assert_eq!(with(line), message);
    }
    assert_eq!(fault("portolan case 2\n"), "1:15: expected `portolan case 1`, found '2'");
    assert_eq!(fault("portolan case 1\nfrom 0,0\n"), "3:1: expected a line `to X,Y`, found end of file");
    let unplaced = "portolan case 1\nfrom 0,0\nto 0,0\n";
    assert_eq!(fault(unplaced), "4:1: expected a line `world NAME` or `map`, found end of file");
    assert_eq!(fault(&format!("{unplaced}map\n")), "5:1: expected a row of cells, found end of file");
}

#[test]
fn words_are_kept_with_their_places() {
    let case = of("portolan case 1\nworld a.map\nfrom 0,0\nto 1,1\nfollow  wind 7  # and tide\nreplan\n");
    let case = case.in_file(std::path::Path::new("a.case"));
    let [follow, replan] = [case.follow, case.replan].map(Option::unwrap);
    assert_eq!([follow.get(0), follow.get(1), follow.get(2)], [Some("wind"), Some("7"), None]);
    assert_eq!(follow.fault(0, "a star").to_string(), "a.case:5:9: expected a star, found 'wind'");
    assert_eq!(follow.end(1).unwrap_err().to_string(), "a.case:5:14: expected end of line, found '7'");
    assert_eq!(follow.fault(2, "a star").to_string(), "a.case:5:27: expected a star, found end of line");
    assert_eq!(replan.fault(0, "a word").to_string(), "a.case:6:7: expected a word, found end of line");
    assert_eq!(Words::new(" wind  7"), follow, "the place does not count");
    assert_eq!(Words::new("wind").fault(0, "a star").to_string(), "expected a star, found 'wind'");
    assert_eq!(
        fault("portolan case 1\nreplan any\nreplan any\n").split(',').next().unwrap(),
        "3:1: expected a line that was not there before"
    );
}

#[test]
fn what_lies_off_a_known_world_is_a_fault() {
    let unnamed = "portolan case 1\nfrom 0,0\nto 1,0\nmap\n..\n.?\n";
    assert!(fault(unnamed).starts_with("6:2: expected a wall "), "{}", fault(unnamed));
    assert!(read_with(unnamed.as_bytes(), Strictness::Lenient).is_ok());
    let drawn = |line: &str| fault(&format!("portolan case 1\nfrom 0,0\n{line}map\n...\n...\n"));
    assert_eq!(drawn("to 3,1\n"), "3:4: expected a place on the 3 x 2 map, found '3,1'");
    assert_eq!(drawn("to 2,1\nat 1 block 2,0 2x1\n"), "4:12: expected a place on the 3 x 2 map, found '2,0'");
    assert_eq!(
        fault("portolan case 1\nworld open 9x9\nfrom 0,0\nto 9,0\n"),
        "4:4: expected a place on the 9 x 9 map, found '9,0'"
    );
}
