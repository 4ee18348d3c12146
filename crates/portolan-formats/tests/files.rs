//! Files by path: their kinds, errors that name the file, and failed writes that leave nothing behind.

mod common;

use common::{Header, cells, png};
use portolan::any::AnySnapshot;
use portolan::{HexGrid, Rules, SquareGrid};
use portolan_formats::ascii::DrawError;
use portolan_formats::{
    FileError, Kind, Strictness, WriteError, case, dynamic, read_dynamic, read_scenario, read_squares,
    read_squares_bytes, read_squares_with, read_world, read_world_bytes, scen, world_size, write_world,
    write_world_bytes,
};
use std::fs;
use std::path::{Path, PathBuf};

/// An empty folder that is removed when the value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, contents: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, contents).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn grid(weights: &[u8]) -> SquareGrid {
    SquareGrid::from_weights(3, 2, weights, Rules::default()).unwrap_or_else(|fault| panic!("{fault}"))
}

fn message<T>(result: Result<T, FileError>, folder: &Folder) -> String {
    let message = result.err().unwrap().to_string();
    message.replace(&format!("{}/", folder.0.display()), "")
}

#[test]
fn worlds_are_written_and_read_by_name() {
    let folder = Folder::new("worlds");
    for (name, weights) in
        [("a.map", [0, 1, 1, 1, 0, 1]), ("b.png", [0, 1, 2, 99, 255, 7]), ("c.txt", [0, 1, 2, 9, 0, 1])]
    {
        let path = folder.0.join(name);
        // The file is written twice, so that the second write replaces the first.
        write_world(&path, &AnySnapshot::from(grid(&[1; 6]))).unwrap();
        write_world(&path, &AnySnapshot::from(grid(&weights))).unwrap();
        let back = read_squares(&path, Rules::default()).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(cells(&back), (3, 2, weights.to_vec()));
    }
    assert_eq!(folder.names(), ["a.map", "b.png", "c.txt"]);
}

#[test]
fn hexes_are_read_where_any_kind_will_do_and_refused_where_squares_are_needed() {
    let folder = Folder::new("hexes");
    let (path, map) = (folder.0.join("a.hex"), folder.0.join("a.map"));
    let hexes = AnySnapshot::from(HexGrid::from_weights(2, 2, &[1, 0, 255, 4], None).unwrap());
    write_world(&path, &hexes).unwrap();
    let back = read_world(&path, Rules::default(), Strictness::Strict).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!((back.kind(), back.to_weights()), ("hex", vec![1, 0, 255, 4]));
    let needed = message(read_squares(&path, Rules::default()), &folder);
    assert_eq!(needed, "a.hex is a world of hexes; this needs squares");
    let unfit = "files of this format hold squares, and the world is one of hexes";
    assert_eq!(message(write_world(&map, &hexes), &folder), format!("a.map: {unfit}"));
    let unfit = "files of this format hold hexes, and the world is one of squares";
    assert_eq!(message(write_world(&path, &AnySnapshot::from(grid(&[1; 6]))), &folder), format!("a.hex: {unfit}"));
    let bytes = write_world_bytes(Kind::Hex, &hexes).unwrap();
    for name in ["a.HEX", "sent"] {
        assert_eq!(world_size(name, &bytes), Some((2, 2)), "{name}");
        let read = read_world_bytes(name, &bytes, Rules::default()).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(read.kind(), "hex", "{name}");
        let refused = read_squares_bytes(name, &bytes, Rules::default()).err().unwrap().to_string();
        assert_eq!(refused, format!("{name}: expected a world of squares, found a world of hexes"));
    }
    assert_eq!(folder.names(), ["a.hex"]);
}

#[test]
fn faults_name_the_file() {
    let folder = Folder::new("faults");
    let rules = Rules::default();
    let read = |name: &str, contents: &str| message(read_squares(&folder.file(name, contents), rules), &folder);
    let odd = "type octile\nheight 1\nwidth 2\nmap\n.x\n";
    assert_eq!(read("a.map", odd), "a.map:5:2: expected one of . G S @ O T W, found 'x'");
    assert_eq!(read("a.png", odd), "a.png: expected a PNG picture, found a file that does not begin like one");
    assert_eq!(read("a.world", ""), "a.world:1:1: expected a row of cells, found end of file");
    assert_eq!(
        read("a.xyz", odd),
        "a.xyz: expected a name ending in .map, .png, .txt, .world, .hex, .tmx, .tmj or .ldtk"
    );
    assert!(message(read_squares(&folder.0.join("none.map"), rules), &folder).starts_with("none.map: "));
    assert_eq!(
        message(read_scenario(&folder.file("a.scen", "version 3\n")), &folder),
        "a.scen:1:9: expected `version 1`, found '3'"
    );
}

#[test]
fn bytes_with_a_name_are_read_as_a_file_would_be() {
    let weights = [0, 1, 2, 9, 0, 1];
    let world = AnySnapshot::from(grid(&weights));
    for (kind, name) in [(Kind::Map, "a.map"), (Kind::Png, "a.PNG"), (Kind::Ascii, "a.world")] {
        let bytes = write_world_bytes(kind, &world).unwrap();
        let weights = weights.map(|weight| if kind == Kind::Map { weight.min(1) } else { weight });
        // The kind is found by the name, or by the bytes if the name says none.
        for name in [name, "sent", "a.dat"] {
            assert_eq!(world_size(name, &bytes), Some((3, 2)), "{name}");
            let read = read_squares_bytes(name, &bytes, Rules::default()).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(cells(&read), (3, 2, weights.to_vec()), "{name}");
        }
    }
    let heavy = write_world_bytes(Kind::Ascii, &AnySnapshot::from(grid(&[1, 1, 1, 1, 1, 10])));
    assert!(matches!(heavy, Err(WriteError::Weight(DrawError::Weight { weight: 10, .. }))));
}

#[test]
fn faults_of_bytes_name_what_they_came_as() {
    let fault = |name, bytes: &[u8]| read_squares_bytes(name, bytes, Rules::default()).err().unwrap().to_string();
    let odd = b"type octile\nheight 1\nwidth 2\nmap\n.x\n";
    assert_eq!(fault("a.map", odd), "a.map:5:2: expected one of . G S @ O T W, found 'x'");
    assert_eq!(fault("sent", odd), "sent:5:2: expected one of . G S @ O T W, found 'x'");
    assert_eq!(fault("sent", b""), "sent:1:1: expected a row of cells, found end of file");
    let none =
        "expected a .map, a PNG picture, a .hex, a map of Tiled or LDtk or a drawing in plain text, found none of them";
    for bytes in [&b"version 1\n0\ta.map"[..], b"PK\x03\x04", b"\xff\xfe"] {
        assert_eq!(fault("sent", bytes), format!("sent: {none}"));
        assert_eq!(world_size("sent", bytes), None);
    }
}

#[test]
fn text_that_is_no_drawing_is_no_world() {
    let folder = Folder::new("text");
    let prose = folder.file("notes.txt", "..A\nBuy milk.\n");
    let told = message(read_squares(&prose, Rules::default()), &folder);
    assert!(told.starts_with("notes.txt:2:2: expected a wall (A to T, # @ W), ground "), "{told}");
    assert!(told.ends_with(", found 'u'; a lenient reading takes it for ground"), "{told}");
    assert!(read_squares_bytes("sent", b"Buy milk.", Rules::default()).is_err());
    let lenient =
        read_squares_with(&prose, Rules::default(), Strictness::Lenient).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!((lenient.width(), lenient.height(), lenient.free_cells()), (9, 2, 16));
    let walls = folder.file("walls.txt", "#@W\n.1 \n");
    let read = read_squares(&walls, Rules::default()).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(cells(&read), (3, 2, vec![0, 0, 0, 1, 1, 1]));
}

#[test]
fn every_text_format_takes_a_byte_order_mark() {
    let marked = |text: &str| [b"\xef\xbb\xbf", text.as_bytes()].concat();
    let map = marked("type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    for name in ["a.map", "sent"] {
        let read = read_squares_bytes(name, &map, Rules::default()).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(cells(&read), (3, 1, vec![1, 0, 1]));
        assert_eq!(world_size(name, &map), Some((3, 1)));
    }
    assert_eq!(world_size("a.txt", &marked(".@.")), Some((3, 1)));
    assert!(scen::read(&marked("version 1\n")).is_ok());
    assert!(dynamic::read_scen(&marked("version 2\nheight 1\nwidth 1\ncost 1 octile\npatch a\ncommands\n")).is_ok());
    for patches in ["type patch\npatches 0\n", "patches 0\n"] {
        assert!(dynamic::read_patches(&marked(patches)).is_ok());
    }
    let case = marked("portolan case 1\nfrom 0,0\nto 1,0\nmap\n..\n");
    assert!(case::is_case(&case) && case::read(&case).is_ok());
}

#[test]
fn a_size_is_told_before_anything_is_built() {
    let map = |width: usize| format!("type octile\nheight 30000\nwidth {width}\nmap\n...");
    assert_eq!(world_size("a.map", map(32_766).as_bytes()), Some((32_766, 30_000)));
    assert_eq!(world_size("a.map", map(32_767).as_bytes()), None, "no world is that wide");
    assert_eq!(world_size("a.map", b"type octile\nheight 3\nwidth 12"), None, "the number may go on");
    let vast = png(Header { width: 32_766, height: 4_000_000_000, depth: 1, color: 0, interlaced: false }, &[], &[]);
    assert_eq!(world_size("a.png", &vast[..24]), Some((32_766, 4_000_000_000)));
    assert_eq!(world_size("a.png", &vast[..23]), None);
    let ragged = ".".repeat(30_000) + &"\nA".repeat(29_999) + "\n\n";
    assert_eq!(world_size("a.txt", ragged.as_bytes()), Some((30_000, 30_000)));
    assert_eq!(world_size("a.txt", "\u{feff}é█\r\n\nA\n".as_bytes()), Some((2, 3)));
    assert_eq!(world_size("a.txt", b"\n\n"), None);
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let folder = Folder::new("unwritten");
    let heavy = AnySnapshot::from(grid(&[1, 1, 1, 1, 1, 10]));
    assert_eq!(
        message(write_world(&folder.0.join("a.txt"), &heavy), &folder),
        "a.txt: a text world has weights up to 9, not the 10 at 2,1; a .png keeps all weights"
    );
    assert!(matches!(write_world(&folder.0.join("a"), &heavy), Err(FileError::UnknownKind { .. })));
    assert!(matches!(write_world(&folder.0.join("none/a.png"), &heavy), Err(FileError::Io { .. })));
    // There is a folder of that name already.
    fs::create_dir_all(folder.0.join("b.png/c")).unwrap();
    assert!(matches!(write_world(&folder.0.join("b.png"), &heavy), Err(FileError::Io { .. })));
    assert_eq!(folder.names(), ["b.png"]);
}

#[test]
fn dynamic_scenarios_come_with_their_patches() {
    let folder = Folder::new("dynamic");
    let scen = |patch: usize, x: usize| {
        let text = format!("version 2\nheight 4\nwidth 6\ncost 1 octile\npatch a.patch\ncommands\nP 0 {patch} {x} 0\n");
        folder.file("a.scen", &text)
    };
    assert!(message(read_dynamic(&scen(0, 0)), &folder).starts_with("a.patch: "));
    folder.file("a.patch", "patches 1\npatch 0\nheight 1\nwidth 2\nmap\n@x\n");
    assert_eq!(message(read_dynamic(&scen(0, 0)), &folder), "a.patch:6:2: expected one of . G S @ O T W, found 'x'");
    folder.file("a.patch", "patches 1\npatch 0\nheight 1\nwidth 2\nmap\n@.\n");
    let (scenario, patches) = read_dynamic(&scen(0, 4)).unwrap();
    assert_eq!((scenario.commands.len(), patches.len()), (1, 1));
    assert_eq!(
        message(read_dynamic(&scen(1, 0)), &folder),
        "a.scen: command 1 lays patch 1, but there are only 1, counted from 0"
    );
    assert_eq!(
        message(read_dynamic(&scen(0, 5)), &folder),
        "a.scen: command 1 lays patch 0 at 5,0, where it reaches off the map"
    );
}
