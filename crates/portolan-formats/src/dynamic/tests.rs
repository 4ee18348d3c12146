//! Tests of dynamic scenarios and patches on small texts.

use super::*;

const SCEN: &str = "version 2\nheight 4\nwidth 6\ncost 1 octile\npatch a b.patch\ncommands\n\
                    P 0 0 1 2\nQ 0 0 1 5 3 5.5\nQ 1 0 0 0 1 -1\n";
const PATCHES: &str = "type patch\npatches 2\npatch 0\nheight 2\nwidth 3\nmap\n.@@\n.@.\n\
                       patch 1\nheight 1\nwidth 1\nmap\n@\n";

fn scen_fault(text: &str) -> String {
    read_scen(text.as_bytes()).unwrap_err().to_string()
}

fn patch_fault(text: &str) -> String {
    read_patches(text.as_bytes()).unwrap_err().to_string()
}

fn patch(rows: &[&str]) -> Patch {
    let free = rows.concat().bytes().map(|letter| letter == b'.').collect();
    Patch { width: rows[0].len(), height: rows.len(), free }
}

#[test]
fn scenarios_are_read_and_written() {
    let scenario = read_scen(SCEN.as_bytes()).unwrap();
    assert_eq!((scenario.width, scenario.height, scenario.patch_file.as_str()), (6, 4, "a b.patch"));
    assert_eq!(
        scenario.commands,
        [
            Command::Patch { group: 0, patch: 0, at: Cell::new(1, 2) },
            Command::Query { group: 0, from: Cell::new(0, 1), to: Cell::new(5, 3), length: 5.5 },
            Command::Query { group: 1, from: Cell::new(0, 0), to: Cell::new(0, 1), length: NO_ROUTE },
        ]
    );
    assert_eq!(write_scen(&scenario), SCEN);
    let untidy = SCEN.replace("version 2", "version 2.0").replace('\n', "\r\n\r\n").replacen("\r\n\r\n", "\r\n", 6);
    assert_eq!(read_scen(untidy.as_bytes()).unwrap(), scenario);
}

#[test]
fn patches_are_read_and_written() {
    let patches = read_patches(PATCHES.as_bytes()).unwrap();
    assert_eq!(patches, [patch(&[".@@", ".@."]), patch(&["@"])]);
    assert_eq!(write_patches(&patches), PATCHES);
    let bare = PATCHES.strip_prefix("type patch\n").unwrap();
    assert_eq!(read_patches(bare.as_bytes()).unwrap(), patches);
    assert_eq!(read_patches(b"patches 0").unwrap(), []);
}

#[test]
fn faults_of_scenarios_are_told_by_place() {
    assert_eq!(scen_fault("version 1\n"), "1:9: expected `version 2`, found '1'");
    for (right, wrong, message) in [
        ("height 4", "height", "2:7: expected a number of cells from 1 to 32766, found end of line"),
        ("cost 1 octile", "cost 2 octile", "4:6: expected `cost 1 octile`, found '2'"),
        ("patch a b.patch", "patch ", "5:7: expected the name of a patch file, found end of line"),
        ("patch a b.patch", "patched a", "5:1: expected `patch` and the name of a file, found 'patched'"),
        ("a b.patch", "../a", "5:7: expected a patch file in the scenario's folder or below it, found '../a'"),
        ("a b.patch", "/a", "5:7: expected a patch file in the scenario's folder or below it, found '/a'"),
        ("commands", "", "6:1: expected `commands`, found end of line"),
        ("P 0", "R 0", "7:1: expected `P` or `Q`, found 'R'"),
        ("P 0 0", "P x 0", "7:3: expected a group's number, found 'x'"),
        ("P 0 0", "P 0 -1", "7:5: expected a patch's number, found '-1'"),
        ("1 2\nQ", "6 2\nQ", "7:7: expected a whole number from 0 to 5, found '6'"),
        ("1 2\nQ", "1\nQ", "7:8: expected a whole number from 0 to 3, found end of line"),
        ("1 2\nQ", "1 2 3\nQ", "7:11: expected end of line, found '3'"),
        ("5.5", "-2", "8:13: expected a length, 0 or more, or -1 for no route, found '-2'"),
        ("5.5", "nan", "8:13: expected a length, 0 or more, or -1 for no route, found 'nan'"),
    ] {
        assert_eq!(scen_fault(&SCEN.replacen(right, wrong, 1)), message);
    }
}

#[test]
fn faults_of_patches_are_told_by_place() {
    assert_eq!(patch_fault(""), "1:1: expected `patches` and their number, found end of file");
    assert_eq!(patch_fault("type octile\n"), "1:6: expected `type patch`, found 'octile'");
    assert_eq!(patch_fault("patches -1\n"), "1:9: expected the number of patches, found '-1'");
    assert_eq!(patch_fault("patches 18446744073709551615\n"), "2:1: expected `patch 0`, found end of file");
    for (right, wrong, message) in [
        ("patch 1", "patch 2", "9:7: expected `patch 1`, found '2'"),
        ("patches 2", "patches 1", "9:1: expected end of file, found 'patch'"),
        ("patches 2", "patches 3", "14:1: expected `patch 2`, found end of file"),
        (".@@", ".@x", "7:3: expected one of . G S @ O T W, found 'x'"),
        (".@@", ".@", "7:3: expected a row of 3 cells, found end of line"),
        ("height 2", "height 99999", "4:8: expected a number of cells from 1 to 32766, found '99999'"),
    ] {
        assert_eq!(patch_fault(&PATCHES.replacen(right, wrong, 1)), message);
    }
}

#[test]
fn commands_and_patches_must_belong_together() {
    let mut scenario = read_scen(SCEN.as_bytes()).unwrap();
    let patches = read_patches(PATCHES.as_bytes()).unwrap();
    assert_eq!(scenario.check(&patches), Ok(()));
    assert_eq!(scenario.check(&[]), Err(PatchError::Missing { command: 1, patch: 0, patches: 0 }));
    for at in [Cell::new(4, 2), Cell::new(1, 3)] {
        scenario.commands[0] = Command::Patch { group: 0, patch: 0, at };
        assert_eq!(scenario.check(&patches), Err(PatchError::OffMap { command: 1, patch: 0, at }));
    }
}

#[test]
fn edits_are_few_and_cover_every_cell_once() {
    let whole = patch(&["@@@", "@@@", "@@@"]).edits(Cell::new(5, 6));
    assert_eq!(whole, [Edit::new(Area { x: 5, y: 6, width: 3, height: 3 }, Terrain::BLOCKED)]);

    let edits = patch(&["@@..", "@@..", "@...", "@@.."]).edits(Cell::new(0, 0));
    let area = |x, y, width, height| Area { x, y, width, height };
    assert_eq!(
        edits,
        [
            Edit::new(area(0, 0, 2, 2), Terrain::BLOCKED),
            Edit::new(area(2, 0, 2, 2), Terrain::GROUND),
            Edit::new(area(0, 2, 1, 1), Terrain::BLOCKED),
            Edit::new(area(1, 2, 3, 1), Terrain::GROUND),
            Edit::new(area(0, 3, 2, 1), Terrain::BLOCKED),
            Edit::new(area(2, 3, 2, 1), Terrain::GROUND),
        ]
    );
}

#[test]
fn patches_too_far_out_become_edits_that_no_world_takes() {
    let edits = patch(&["@.", ".@"]).edits(Cell::new(u16::MAX, u16::MAX));
    assert!(edits.iter().all(|edit| edit.area.x == u16::MAX && edit.area.y == u16::MAX));
    assert!(Patch { width: 0, height: 0, free: Vec::new() }.edits(Cell::new(0, 0)).is_empty());
}
