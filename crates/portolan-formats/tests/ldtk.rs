//! Worlds of `LDtk`: one level, several in their places, and what is wrong with others.

use portolan::{Cell, Rules};
use portolan_formats::ldtk::{self, Levels};
use portolan_formats::{
    NamedPlace, PaintedWorld, PlaceRole, Strictness, read_painted, read_world, read_world_bytes, world_size,
};
use std::fs;
use std::path::{Path, PathBuf};

fn river() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/painted/river.ldtk")
}

fn painted(levels: &Levels) -> PaintedWorld {
    read_painted(&river(), Rules::default(), levels).unwrap_or_else(|fault| panic!("{fault}"))
}

fn kinds(painted: &PaintedWorld) -> Vec<String> {
    let kind = |cell| painted.kinds.name(painted.world.terrain(cell).kind());
    painted.world.cells().map(kind).collect()
}

#[test]
fn the_first_level_is_the_world() {
    let bank = painted(&Levels::First);
    assert_eq!((bank.world.width(), bank.world.height(), bank.offset), (4, 2, (0, 0)));
    assert_eq!(bank.world.to_weights(), [1, 1, 1, 1, 3, 0, 1, 1]);
    assert_eq!(kinds(&bank), ["ground", "ground", "bridge", "bridge", "mud", "ground", "bridge", "bridge"]);
    let links: Vec<_> = bank.links.iter().map(|link| (link.from, link.to, link.cost, link.one_way)).collect();
    let [a, b, c] = [(1, 0), (3, 1), (3, 0)].map(Cell::from);
    assert_eq!(links, [(a, b, Some(55), true), (c, b, None, false)]);
    let place = |name: &str, role, at| NamedPlace { name: name.into(), role, at };
    assert_eq!(bank.places, [place("home", PlaceRole::Start, Cell::new(0, 1)), place("", PlaceRole::Goal, b)]);

    let world = read_world(&river(), Rules::default(), Strictness::Strict).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(world.to_weights(), bank.world.to_weights());
    let bytes = fs::read(river()).unwrap();
    assert_eq!(world_size("river.ldtk", &bytes), Some((4, 2)));
    let world = read_world_bytes("river.ldtk", &bytes, Rules::default()).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(world.to_weights(), bank.world.to_weights(), "the first level is in the file");
}

#[test]
fn levels_are_read_by_name_or_all_in_their_places() {
    let all = painted(&Levels::All);
    assert_eq!((all.world.width(), all.world.height(), all.offset), (6, 2, (-4, 2)));
    assert_eq!(all.world.to_weights(), [1, 1, 1, 1, 0, 0, 3, 0, 1, 1, 0, 7], "the cellar lies deeper");
    assert_eq!(kinds(&all)[11], "deep-water");
    let link = all.links.last().unwrap();
    assert_eq!((all.links.len(), link.from, link.to), (3, Cell::new(5, 1), Cell::new(0, 1)), "from level to level");

    let cellar = painted(&Levels::Named("cellar".into()));
    assert_eq!((cellar.world.width(), cellar.world.to_weights()), (1, vec![0]));
    let fault = |name: &str| {
        let read = read_painted(&river(), Rules::default(), &Levels::Named(name.into()));
        let message = read.err().unwrap().to_string();
        message.rsplit_once('/').map_or(message.clone(), |(_, file)| file.to_owned())
    };
    assert_eq!(fault("Attic"), "river.ldtk: expected one of the levels Bank, Far_Bank, Cellar, found \"Attic\"");
    let alone = fault("Far_Bank");
    assert!(alone.starts_with("river.ldtk: expected an object to lead to, found no object e1 in entity"), "{alone}");
}

/// Reads the sample after a change.
fn changed(from: &str, to: &str, levels: &Levels) -> String {
    let text = fs::read_to_string(river()).unwrap();
    assert!(text.contains(from), "{from}");
    let text = text.replacen(from, to, 1);
    let load = &mut |_: &str| Err("no such file".to_owned());
    ldtk::read(text.as_bytes(), Rules::default(), levels, load).err().unwrap().to_string()
}

#[test]
fn what_is_wrong_with_a_world_is_told() {
    for (from, to, message) in [
        (
            "\"entityIid\": \"e3\"",
            "\"entityIid\": \"e9\"",
            "expected an object to lead to, found no object e9 in entity \"link\" (e2) of level \"Bank\"",
        ),
        (
            "\"cx\": 1, \"cy\": 0",
            "\"cx\": 0, \"cy\": 0",
            "expected a link that leads to free ground, found column 1, row 1, which is blocked, in entity \"Link\" (e4) of level \"Bank\"",
        ),
        (
            "\"cx\": 1, \"cy\": 0",
            "\"cx\": 1, \"cy\": -1",
            "expected a link that leads to free ground, found column 3, row -1, which is off the map, in entity \"Link\" (e4) of level \"Bank\"",
        ),
        (
            "\"px\": [4, 12]",
            "\"px\": [12, 12]",
            "expected a start on free ground, found column 1, row 1, which is blocked, in entity \"Start\" (e1) of level \"Bank\"",
        ),
        (
            "\"__value\": 55",
            "\"__value\": -55",
            "expected a cost of at least 0, found -55 in entity e2 in level \"Bank\"",
        ),
        (
            "\"__value\": true",
            "\"__value\": 1",
            "expected true or false in field \"one_way\", found 1 in entity e2 in level \"Bank\"",
        ),
        (
            "[0, 0, 1, 2, 3, 1, 2, 2]",
            "[0, 0, 4, 2, 3, 1, 2, 2]",
            "expected values that have names, found value 4 in layer \"Ground\" in level \"Bank\"",
        ),
        ("[0, 0, 1, 2, 3, 1, 2, 2]", "[0, 0, 1]", "expected 8 values, found 3 in layer \"Ground\" in level \"Bank\""),
        (
            "\"mud_3\"",
            "\"mud_300\"",
            "expected a weight from 1 to 255 at the end of a name, found \"mud_300\" in layer \"Ground\" in level \"Bank\"",
        ),
        (
            "\"__gridSize\": 16",
            "\"__gridSize\": 12",
            "expected cells of a multiple of 8 pixels that lie on those of 8 pixels, found cells of 12 pixels at 0,0 in layer \"Over\" in level \"Bank\"",
        ),
        ("\"pxWid\": 32", "\"pxWid\": 320000", "expected a map of 1 to 32766 cells on each side, found 40000 x 2"),
    ] {
        assert_eq!(changed(from, to, &Levels::First), message);
    }
    let broken = changed("\"levels\": [", "\"levels\": ]", &Levels::First);
    assert!(broken.starts_with("13:") && broken.contains("expected a world of LDtk, found "), "{broken}");
    assert_eq!(
        changed("{", "{", &Levels::All),
        "expected the file of the level, found no such file in level \"Far_Bank\""
    );
    assert_eq!(
        changed("\"worldX\": -32", "\"worldX\": -31", &Levels::All),
        "expected a level at a whole number of cells of 8 pixels in a free or grid-like world, found -31,16 in level \"Bank\""
    );
    let vast = changed("\"pxWid\": 32, \"pxHei\": 16", "\"pxWid\": 240000, \"pxHei\": 240000", &Levels::First);
    assert!(vast.starts_with("expected at most 4194304 cells in a map of "), "{vast}");
}

#[test]
fn faults_in_the_file_of_a_level_name_it() {
    let text = fs::read_to_string(river()).unwrap();
    let fault = |level: &str| {
        let load = &mut |_: &str| Ok(level.as_bytes().to_vec());
        ldtk::read(text.as_bytes(), Rules::default(), &Levels::All, load).err().unwrap().to_string()
    };
    let broken = fault("{\n ]");
    assert!(broken.starts_with("river/Far_Bank.ldtkl:2:2: expected a level of LDtk, found "), "{broken}");
    let other = r#"{ "identifier": "Other", "pxWid": 16, "pxHei": 16, "layerInstances": [] }"#;
    assert_eq!(fault(other), "river/Far_Bank.ldtkl: expected the layers of level \"Far_Bank\", found another level");
}
