//! Borders, links and floors before a drawing: what is read, what is written, and what is refused with its place.

use crate::ascii::{self, AsciiWorld};
use crate::hex;
use portolan::{Border, Cell, Cost, Extras, Floors, HexCell, Rules, Side};

fn of(text: &str) -> AsciiWorld {
    ascii::read(text.as_bytes(), Rules::default()).unwrap_or_else(|fault| panic!("{fault} in\n{text}"))
}

fn fault(text: &str) -> String {
    ascii::read(text.as_bytes(), Rules::default()).err().expect("a fault").to_string()
}

const WALLED: &str = "kind ~ water 3\nborder east closed 1,0 1x2\nborder south out 0,1\nlink 0,0 4,1 10 both\n\
                      link 2,0 0,2 7 one-way\n...~.\n.....\n.....\n";

#[test]
fn borders_and_links_are_read_and_written_as_they_were() {
    let world = of(WALLED);
    let border = |x, y, side| world.grid.border(Cell::new(x, y), side);
    assert_eq!((border(1, 0, Side::East), border(2, 1, Side::West)), (Some(Border::Closed), Some(Border::Closed)));
    assert_eq!((border(0, 1, Side::South), border(0, 2, Side::North)), (Some(Border::Out), Some(Border::In)));
    assert_eq!(border(1, 2, Side::East), Some(Border::Open));
    assert_eq!(world.grid.extras(), Extras::OneWays);
    assert_eq!(world.grid.step_cost(Cell::new(4, 1), Cell::new(0, 0)), Some(Cost(10)));
    assert_eq!(world.grid.terrain(Cell::new(3, 0)).kind(), 3);
    assert_eq!(ascii::write(&world), WALLED);
    assert_eq!(ascii::size(WALLED.as_bytes()), Some((5, 3)));
}

#[test]
fn hexes_have_the_lines_too_in_any_order() {
    let text = "portolan hex 1\nlink 0,0 2,1 9 both # a bridge\nborder south-west in 1,0 2x1\nheight 2\nwidth 3\nkind ~ water\n\
                shape rectangle\nmap\n. ~ .\n . . @\n";
    let fault = hex::read(text.as_bytes()).err().expect("a link onto a wall").to_string();
    assert_eq!(fault, "2:10: expected a cell of free ground, or `resting` at the end of the line, found '2,1'");
    let world = hex::read_world(text.replace('@', ".").as_bytes()).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(world.grid.border(HexCell::at(2, 0), Side::SouthWest), Some(Border::In));
    assert_eq!(world.grid.terrain(HexCell::at(1, 0)).kind(), 3);
    assert_eq!(
        hex::write(&world.grid).expect("few kinds"),
        "portolan hex 1\nshape rectangle\nwidth 3\nheight 2\nkind ~ water\nborder south-west in 1,0 2x1\nlink 0,0 2,1 9 both\nmap\n\
         . ~ .\n . . .\n"
    );
    let straight = text.replace("south-west", "south");
    let sides = "north-east, east, south-east, south-west, west or north-west";
    let found = hex::read(straight.as_bytes()).err().expect("no such side").to_string();
    assert_eq!(found, format!("3:8: expected {sides}, found 'south'"));
}

#[test]
fn many_borders_make_few_lines() {
    let closed = "border east closed 2,0 1x9\nborder south closed 0,4 3x1\nborder south closed 4,4 5x1\n";
    let rows = ".........\n".repeat(9);
    let world = of(&format!("{closed}{rows}"));
    assert_eq!(ascii::write(&world), format!("{closed}{rows}"));
    let all = of(&format!("border south closed 0,0 9x8\nborder east closed 0,0 8x9\nborder east open 3,3 2x2\n{rows}"));
    let lines = ascii::write(&all).lines().filter(|line| line.starts_with("border")).count();
    assert_eq!(lines, 5, "a rectangle with a hole is four");
}

#[test]
fn floors_are_walls_apart() {
    let text = "floors 2 3x2\nlink 2,1 2,4 30 both\n..3\n...\nAAA\nAAA\n...\nA..\n";
    let world = of(text);
    assert_eq!(world.floors, Floors::new(2, 3, 2).ok());
    assert_eq!(ascii::write(&world), text);
    assert_eq!(
        fault("floors 2 3x3\n...\n"),
        "1:8: expected a drawing of 3 x 7 cells, walls between floors among them, found one of 3 x 1"
    );
    let open = "floors 2 3x1\n...\nA.A\n...\n";
    assert_eq!(fault(open), "1:8: expected walls between the floors, found ground at 1,1");
    assert_eq!(fault("floors 65 3x3\n...\n"), "1:8: expected a number of floors from 1 to 64, found '65'");
    assert_eq!(fault("floors 2 3\n...\n"), "1:10: expected columns and rows, such as 64x48, found '3'");
    assert!(fault("floors 64 3x900\n...\n").starts_with("1:11: expected another size (a grid is 1 to 32766 cells"));
    assert_eq!(
        fault("floors 1 3x1\nfloors 1 3x1\n...\n"),
        "2:1: expected a line that was not there before, found 'floors'"
    );
}

#[test]
fn what_does_not_fit_the_drawing_is_told_by_line_and_column() {
    let with = |line: &str| fault(&format!("kind ~ water\n{line}\n..A\n...\n"));
    let told = |column: usize, what: &str| format!("2:{column}: expected {what}");
    for (line, column, what) in [
        ("border up closed 0,0", 8, "north, east, south or west, found 'up'"),
        ("border east shut 0,0", 13, "open, closed, out or in, found 'shut'"),
        ("border east closed 3,0", 20, "a place on the 3 x 2 map, found '3,0'"),
        ("border east closed 0,0 4x1", 20, "a place on the 3 x 2 map, found '0,0'"),
        ("border east closed 0,0 0x1", 24, "columns and rows, such as 4x3, found '0x1'"),
        ("border east closed 1,0 2x1", 20, "cells that have neighbours beyond their east sides, found '1,0'"),
        ("border north out 0,0", 18, "cells that have neighbours beyond their north sides, found '0,0'"),
        ("border east closed 0,0 1x1 1", 28, "end of line, found '1'"),
        ("link 0,0 9,9 5 both", 10, "a place on the 3 x 2 map, found '9,9'"),
        ("link 5,0 0,0 5 both", 6, "a place on the 3 x 2 map, found '5,0'"),
        ("link 0,0 0,0 5 both", 10, "another cell than the link leads from, found '0,0'"),
        ("link 0,0 2,0 5 both", 10, "a cell of free ground, or `resting` at the end of the line, found '2,0'"),
        ("link 0,0 1,0 5 both resting", 21, "a link that has a blocked end, or end of line, found 'resting'"),
        ("link 0,0 1,0 5 both idle", 21, "`resting` or end of line, found 'idle'"),
        ("link 0,0 1,0 0 both", 14, "the cost of a link, found '0'"),
        ("link 0,0 1,0 268435457 both", 14, "the cost of a link, found '268435457'"),
        ("link 0,0 1,0 5", 15, "both or one-way, found end of line"),
        ("link 0,0", 9, "a cell, such as 12,34, found end of line"),
    ] {
        assert_eq!(with(line), told(column, what), "{line}");
    }
    let resting = of("link 0,0 2,0 5 one-way resting\n..A\n...\n");
    assert_eq!(resting.grid.links().count(), 1);
    assert_eq!(ascii::write(&resting), "link 0,0 2,0 5 one-way resting\n..A\n...\n");
}

#[test]
fn the_line_that_makes_too_many_links_is_told() {
    let lines = (1..=101).map(|x| format!("link 0,0 {x},0 5 one-way\n")).collect::<Vec<_>>().concat();
    let text = format!("{lines}{}\n", ".".repeat(102));
    assert_eq!(fault(&text), "101:6: expected at most 100 links lead from a cell or to it, found '0,0'");
}

#[test]
fn a_drawing_is_no_line_of_borders_by_chance() {
    let world = of("borderAA\nx.......\n");
    assert_eq!((world.grid.height(), world.entities.len()), (2, 7));
}
