//! Hexagonal worlds in files: written, read back, and refused with the file's name.

use portolan::any::AnySnapshot;
use portolan::{Cell, HexGrid, Rules};
use portolan_formats::{FileError, Strictness, map, read_world, write_world};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns a path in a folder of its own for a test.
fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hex");
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder.join(name)
}

fn read(path: &Path) -> Result<AnySnapshot, FileError> {
    read_world(path, Rules::default(), Strictness::Strict)
}

#[test]
fn a_world_is_written_and_read_back() {
    let path = path("back.hex");
    let squares = map::read(b"type octile\nheight 2\nwidth 4\nmap\n..@.\n....\n", Rules::default()).expect("a map");
    let grid = AnySnapshot::from(HexGrid::from_square(&squares, 1.0, None).expect("a sound size"));
    write_world(&path, &grid).expect("a file");
    let text = fs::read_to_string(&path).expect("the file");
    assert_eq!(text, "portolan hex 1\nshape rectangle\nwidth 4\nheight 2\nmap\n. . @ .\n . . . .\n");
    let back = read(&path).expect("what was written");
    assert_eq!(back.to_weights(), grid.to_weights());
    assert!(!back.is_free(Cell::new(2, 0)));
}

#[test]
fn a_fault_names_its_file() {
    let path = path("fault.hex");
    write_world(&path, &AnySnapshot::from(HexGrid::open(2, 1, None).expect("a sound size"))).expect("a file");
    let text = fs::read_to_string(&path).expect("the file").replace(". .", ". ?");
    portolan_formats::replace_file(&path, text.as_bytes()).expect("a file");
    let Err(FileError::Read(fault)) = read(&path) else { panic!("a fault in the contents") };
    assert_eq!((fault.file, fault.line, fault.column), (Some(path.clone()), 6, 3));
    assert!(matches!(read(&path.with_file_name("missing.hex")), Err(FileError::Io { .. })));
}
