//! Maps of Tiled: the same map in XML and in JSON, infinite and hexagonal ones, and what is wrong with others.

use portolan::any::AnySnapshot;
use portolan::{Cell, Corners, KindNames, Rules};
use portolan_formats::ldtk::Levels;
use portolan_formats::{
    Kind, NamedPlace, PaintedLink, PaintedWorld, PlaceRole, Strictness, read_painted, read_world, read_world_bytes,
    tiled, world_size, write_world,
};
use std::path::{Path, PathBuf};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/painted").join(name)
}

fn painted(name: &str) -> PaintedWorld {
    read_painted(&sample(name), Rules::default(), &Levels::First).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Reads a map that names no other file.
fn read(text: &str) -> Result<PaintedWorld, String> {
    tiled::read(text.as_bytes(), Rules::default(), &mut |name| Err(format!("{name} is not here")))
        .map_err(|fault| fault.to_string())
}

fn fault(text: &str) -> String {
    read(text).err().unwrap_or_else(|| panic!("this is read:\n{text}"))
}

fn kinds(world: &AnySnapshot) -> Vec<u8> {
    world.cells().map(|cell| world.terrain(cell).kind()).collect()
}

#[test]
fn layers_are_laid_over_each_other_and_say_the_same_in_xml_and_json() {
    for name in ["river.tmx", "river.tmj"] {
        let PaintedWorld { world, kinds: names, links, places, offset } = painted(name);
        assert_eq!((world.kind(), world.width(), world.height(), offset), ("square", 6, 4, (0, 0)), "{name}");
        #[rustfmt::skip]
        assert_eq!(world.to_weights(), [
            1, 0, 0, 1, 1, 0,
            1, 1, 2, 1, 9, 0,
            1, 1, 0, 1, 9, 0,
            0, 1, 0, 1, 3, 3,
        ], "{name}");
        let known = KindNames::default();
        let [road, sand] = ["road", "sand"].map(|name| known.kind(name).unwrap());
        let [grass, mud] = ["grass", "mud"].map(|name| names.kind(name).unwrap());
        assert_eq!((known.kind("grass"), known.kind("mud")), (None, None));
        #[rustfmt::skip]
        assert_eq!(kinds(&world), [
            grass, 0, 0, grass, grass, 0,
            grass, grass, road, grass, mud, 0,
            grass, grass, 0, grass, mud, 0,
            0, grass, 0, grass, sand, grass,
        ], "{name}");
        let link = |name: &str, from, to, cost, one_way| PaintedLink { name: name.into(), from, to, cost, one_way };
        let [ladder, leap] = [(0, 0), (3, 0)].map(Cell::from);
        let wanted =
            [link("ladder", ladder, Cell::new(4, 3), Some(70), true), link("leap", leap, Cell::new(3, 3), None, false)];
        assert_eq!(links, wanted, "{name}");
        let place = |name: &str, role, at| NamedPlace { name: name.into(), role, at };
        let wanted = [place("harbour", PlaceRole::Start, Cell::new(0, 1)), place("", PlaceRole::Goal, Cell::new(4, 3))];
        assert_eq!(places, wanted, "{name}");
    }
}

#[test]
fn maps_are_worlds_with_the_rules_of_the_caller() {
    let rules = Rules { corners: Corners::Loose, ..Rules::default() };
    let world = read_world(&sample("river.tmx"), rules, Strictness::Strict).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(world.rules(), Some(rules));
    assert_eq!(world.to_weights(), painted("river.tmj").world.to_weights());
}

#[test]
fn infinite_maps_have_the_rectangle_around_their_chunks() {
    let PaintedWorld { world, links, places, offset, .. } = painted("isles.tmx");
    assert_eq!((world.kind(), world.width(), world.height(), offset), ("square", 5, 3, (-2, -1)));
    assert_eq!(world.to_weights(), [1, 0, 1, 1, 1, 9, 1, 1, 0, 1, 1, 1, 1, 1, 1]);
    assert_eq!(places.iter().map(|place| place.at).collect::<Vec<_>>(), [(0, 0), (4, 2)].map(Cell::from));
    assert_eq!((links[0].from, links[0].to), (Cell::new(0, 1), Cell::new(4, 1)));
}

#[test]
fn hexagonal_maps_are_hexes_whose_odd_rows_lie_further_right() {
    let PaintedWorld { world, places, offset, .. } = painted("hexes.tmx");
    assert_eq!((world.kind(), world.width(), world.height(), offset), ("hex", 3, 2, (0, 0)));
    assert_eq!(world.to_weights(), [1, 0, 9, 1, 1, 1]);
    assert_eq!(places.iter().map(|place| place.at).collect::<Vec<_>>(), [(0, 0), (2, 1)].map(Cell::from));

    let text = std::fs::read_to_string(sample("hexes.tmx")).unwrap().replace(r#"index="odd""#, r#"index="even""#);
    let tiles = std::fs::read(sample("tiles.tsx")).unwrap();
    let even = tiled::read(text.as_bytes(), Rules::default(), &mut |_| Ok(tiles.clone()));
    let PaintedWorld { world, places, offset, .. } = even.unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!((world.width(), world.height(), offset), (3, 3, (0, -1)));
    assert_eq!(world.to_weights(), [0, 0, 0, 1, 0, 9, 1, 1, 1]);
    assert_eq!(places.iter().map(|place| place.at).collect::<Vec<_>>(), [(0, 1), (2, 2)].map(Cell::from));
    assert_eq!(tiled::size(text.as_bytes()), Some((3, 3)));

    let flat = text.replace(r#"axis="y""#, r#"axis="x""#);
    assert_eq!(fault(&flat), "2: expected hexes that stand on a corner (stagger axis y), found stagger axis \"x\"");
    let staggered = text.replace("\"hexagonal\"", "\"staggered\"");
    assert_eq!(
        fault(&staggered),
        "2: expected an orthogonal, isometric or hexagonal map, found orientation \"staggered\""
    );
}

/// Returns a map of 3 x 2 cells in which tile 2 is a wall, with more in it.
fn small(tiles: &str, more: &str) -> String {
    format!(
        r#"<?xml version="1.0"?>
<map orientation="orthogonal" width="3" height="2" tilewidth="8" tileheight="8">
<tileset firstgid="1" tilewidth="8" tileheight="8" tilecount="2">
<tile id="1" type="blocked"/>{tiles}
</tileset>
<layer name="ground" width="3" height="2"><data encoding="csv">1,2,1,0,0,0</data></layer>
{more}
</map>"#
    )
}

fn with_object(object: &str) -> String {
    small("", &format!("<objectgroup>\n{object}\n</objectgroup>"))
}

#[test]
fn links_to_nowhere_are_refused_with_their_object() {
    let link = |properties: &str| {
        with_object(&format!(
            "<object id=\"7\" type=\"link\" x=\"4\" y=\"4\">\n<properties>{properties}</properties></object>"
        ))
    };
    let to = |id: u32| format!(r#"<property name="to" type="object" value="{id}"/>"#);
    let place = |x: i32, y: i32| {
        format!(r#"<property name="to_x" type="int" value="{x}"/><property name="to_y" type="int" value="{y}"/>"#)
    };
    assert!(read(&link(&place(2, 1))).is_ok());
    assert_eq!(fault(&link(&to(9))), "8: expected an object to lead to, found no object 9 in object 7");
    assert_eq!(
        fault(&link(&place(1, 0))),
        "8: expected a link that leads to free ground, found column 1, row 0, which is blocked, in object 7"
    );
    for (x, y) in [(3, 0), (0, 2), (-1, 0), (0, i32::MAX)] {
        let wanted = format!(
            "8: expected a link that leads to free ground, found column {x}, row {y}, which is off the map, in object 7"
        );
        assert_eq!(fault(&link(&place(x, y))), wanted);
    }
    let expected = "8: expected where the link leads: an object in property \"to\", or ints in \"to_x\" and \"to_y\"";
    for properties in [String::new(), to(7) + &place(0, 0), r#"<property name="to" value="there"/>"#.into()] {
        assert_eq!(fault(&link(&properties)), format!("{expected}, found neither or both in object 7"));
    }
    let cost = |cost: &str| fault(&link(&format!("{}<property name=\"cost\" {cost}/>", to(7))));
    assert_eq!(
        cost(r#"type="int" value="-1""#),
        "8: expected an int from 0 to 2147483647 in property \"cost\", found -1 in object 7"
    );
    assert_eq!(
        cost(r#"value="1""#),
        "8: expected an int from 0 to 2147483647 in property \"cost\", found the string \"1\" in object 7"
    );
    for class in ["start", "goal", "link"] {
        let text = with_object(&format!("<object id=\"7\" type=\"{class}\" x=\"12\" y=\"4\"/>"));
        let text = text.replace("y=\"4\"/>", &format!("y=\"4\"><properties>{}</properties></object>", place(0, 0)));
        assert_eq!(
            fault(&text),
            format!("8: expected a {class} on free ground, found column 1, row 0, which is blocked, in object 7")
        );
    }
}

#[test]
fn what_is_wrong_with_a_map_is_told_with_its_line() {
    let tile =
        |property: &str| fault(&small(&format!("\n<tile id=\"0\">\n<properties>\n{property}</properties></tile>"), ""));
    assert_eq!(
        tile(r#"<property name="weight" type="int" value="256"/>"#),
        "5: expected an int from 1 to 255 in property \"weight\", found 256 in tile 0 at column 0, row 0 in layer \"ground\""
    );
    assert_eq!(
        tile(r#"<property name="blocked" value="yes"/>"#),
        "5: expected a bool in property \"blocked\", found the string \"yes\" in tile 0 at column 0, row 0 in layer \"ground\""
    );
    assert_eq!(
        tile(r#"<property name="blocked" type="bool" value="yes"/>"#),
        "7: expected true or false in property \"blocked\", found \"yes\""
    );
    assert_eq!(
        tile(r#"<property name="kind" value="deep water"/>"#),
        "5: expected the name of a kind of ground, found another: a kind of ground is named by letters, digits and hyphens, \
         the first a letter, not by \"deep water\" in tile 0 at column 0, row 0 in layer \"ground\""
    );
    for (more, message) in [
        (
            "<layer name=\"up\" width=\"3\" height=\"2\"><data encoding=\"csv\">1,1</data></layer>",
            "7: expected 6 tiles, found 2 in layer \"up\"",
        ),
        (
            "<layer name=\"up\" width=\"2\" height=\"3\"><data encoding=\"csv\">1,1,1,1,1,1</data></layer>",
            "7: expected 3 x 2 cells, as the map has, found 2 x 3 in layer \"up\"",
        ),
        (
            "\n<layer height=\"2\"><data encoding=\"csv\">1</data></layer>",
            "8: expected \"width\" in <layer>, found none",
        ),
        (
            "<layer width=\"x\" height=\"2\"><data encoding=\"csv\">1</data></layer>",
            "7: expected a number in \"width\" of <layer>, found \"x\"",
        ),
        (
            "<layer width=\"3\" height=\"2\"><data encoding=\"base64\" compression=\"zstd\"/></layer>",
            "7: expected tile data that is packed by zlib, gzip or not at all, found compression \"zstd\"",
        ),
        ("<objectgroup><object x=\"nan\"/></objectgroup>", "7: expected a number of pixels in \"x\", found NaN"),
        ("<tileset firstgid=\"9\" source=\"a.tsx\"/>", "7: expected a tileset, found a.tsx is not here"),
        (
            "<objectgroup>\n<object id=\"4\" template=\"a.tx\"/></objectgroup>",
            "8: expected a template, found a.tx is not here in object 4",
        ),
        (
            "<properties><property name=\"empty\" value=\"full\"/></properties>",
            "expected `ground` or `blocked` in the map's property \"empty\", found \"full\"",
        ),
    ] {
        assert_eq!(fault(&small("", more)), message);
    }
    let broken = fault(&small("", "<layer>"));
    assert!(broken.starts_with("8:1: expected sound XML, found "), "{broken}");
    assert_eq!(fault("<plan/>"), "1: expected <map>, found <plan>");
    assert!(fault("").contains("expected sound XML"));
    let json = fault("{ \"orientation\": \"orthogonal\",\n \"width\": -1 }");
    assert!(json.starts_with("2:12: expected a map of Tiled in JSON, found invalid value"), "{json}");
    let first = small("", "").replace("firstgid=\"1\"", "firstgid=\"2\"");
    assert_eq!(fault(&first), "6: expected a tile of a tileset, found tile 1 at column 0, row 0 in layer \"ground\"");
}

#[test]
fn faults_in_files_beside_a_map_name_them() {
    let text = small("", "<tileset firstgid=\"1\" source=\"sets/a.tsx\"/>");
    let beside = |tiles: &str| {
        let read = tiled::read(text.as_bytes(), Rules::default(), &mut |_| Ok(tiles.as_bytes().to_vec()));
        read.err().unwrap().to_string()
    };
    assert!(beside("<tileset>\n<tile></tileset>").starts_with("sets/a.tsx:2:7: expected sound XML, found "));
    assert_eq!(beside("<tileset>\n<tile/></tileset>"), "sets/a.tsx:2: expected \"id\" in <tile>, found none");
    let wrong = "<tileset>\n<tile id=\"0\"><properties><property name=\"weight\" type=\"int\" value=\"0\"/></properties></tile></tileset>";
    assert_eq!(
        beside(wrong),
        "sets/a.tsx:2: expected an int from 1 to 255 in property \"weight\", found 0 in tile 0 at column 0, row 0 in layer \"ground\""
    );
    assert!(beside("{ \"tiles\": 3 }").starts_with("sets/a.tsx:1:12: expected a tileset of Tiled in JSON, found "));

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tiled-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("sets")).unwrap();
    let map = folder.join("map.tmx");
    std::fs::write(&map, &text).unwrap();
    let message = || {
        let error = read_world(&map, Rules::default(), Strictness::Strict).err().unwrap().to_string();
        error.replace(&format!("{}/", folder.display()), "")
    };
    assert!(message().starts_with("map.tmx:7: expected a tileset, found \"sets/a.tsx\": "), "{}", message());
    std::fs::write(folder.join("sets/a.tsx"), "<tileset>\n<tile/></tileset>").unwrap();
    assert_eq!(message(), "sets/a.tsx:2: expected \"id\" in <tile>, found none");
    std::fs::remove_dir_all(folder.join("sets")).unwrap();
    std::fs::create_dir_all(folder.join("sets/a.tsx")).unwrap();
    assert_eq!(message(), "map.tmx:7: expected a tileset, found \"sets/a.tsx\", which is no file");
    std::fs::write(&map, text.replace("sets/a.tsx", "/etc/passwd")).unwrap();
    assert_eq!(
        message(),
        "map.tmx:7: expected a tileset, found \"/etc/passwd\", which is not named from where the map lies"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

fn small_json() -> String {
    let layer = r#"{ "type": "tilelayer", "width": 1, "height": 1, "data": [0] }"#;
    format!(
        r#"{{ "orientation": "orthogonal", "width": 1, "height": 1, "tilewidth": 8, "tileheight": 8, "layers": [{layer}] }}"#
    )
}

#[test]
fn files_in_json_are_worlds_if_they_are_maps() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tiled-{}.json", std::process::id()));
    std::fs::write(&path, small_json()).unwrap();
    let read = || read_world(&path, Rules::default(), Strictness::Strict);
    assert_eq!(read().unwrap_or_else(|fault| panic!("{fault}")).to_weights(), [1]);
    std::fs::write(&path, "{ \"a\": 1 }").unwrap();
    let other = read().err().unwrap().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(other.contains(".json:1:10: expected a map of Tiled in JSON, found missing field"), "{other}");
    assert_eq!(Kind::of(&path), None, "most of what is written in JSON is no world");
}

#[test]
fn bytes_alone_are_read_if_they_name_no_other_file() {
    let text = small("", "");
    for name in ["a.tmx", "a"] {
        let world = read_world_bytes(name, text.as_bytes(), Rules::default()).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(world.to_weights(), [1, 0, 1, 1, 1, 1], "{name}");
    }
    let river = std::fs::read(sample("river.tmx")).unwrap();
    assert_eq!(world_size("river.tmx", &river), Some((6, 4)));
    let refused = read_world_bytes("river.tmx", &river, Rules::default()).err().unwrap();
    assert_eq!(
        refused.to_string(),
        "river.tmx:7: expected a tileset, found the name of another file, \"tiles.tsx\", which cannot be read from here"
    );
    let kinds = ["river.tmx", "river.tmj", "river.ldtk", "tiles.tsj"].map(|name| {
        let bytes = std::fs::read(sample(name)).unwrap();
        Kind::of_bytes(&bytes)
    });
    assert_eq!(kinds, [Some(Kind::Tmx), Some(Kind::Tmj), Some(Kind::Ldtk), Some(Kind::Ascii)]);
    let whole = small_json();
    assert!(read_world_bytes("a.json", whole.as_bytes(), Rules::default()).is_ok());
}

#[test]
fn a_few_bytes_do_not_ask_for_much_memory() {
    let vast =
        small("", "").replace("width=\"3\" height=\"2\" tilewidth", "width=\"32000\" height=\"32000\" tilewidth");
    assert_eq!(tiled::size(vast.as_bytes()), Some((32_000, 32_000)));
    let expected = format!("expected at most 4194304 cells in a map of {} bytes, found 32000 x 32000", vast.len());
    assert_eq!(fault(&vast), expected);
    let set = small("", "").replace("tilecount=\"2\"", "tilecount=\"4000000000\"");
    assert!(read(&set).is_ok(), "nothing is made for tiles that say nothing");
    let long = small("", "").replace("width=\"3\"", "width=\"4000000000\"");
    assert_eq!(fault(&long), "expected a map of 1 to 32766 cells on each side, found 4000000000 x 2");
    let chunk = |x: i64| format!("<chunk x=\"{x}\" y=\"0\" width=\"1\" height=\"1\">1</chunk>");
    let infinite = |chunks: &str| {
        let data = format!("<layer width=\"1\" height=\"1\"><data encoding=\"csv\">{chunks}</data></layer>");
        fault(&small("", &data).replace("<map ", "<map infinite=\"1\" ").replace("1,2,1,0,0,0", ""))
    };
    let far = infinite(&(chunk(0) + &chunk(1 << 30)));
    assert_eq!(far, "expected a map of 1 to 32766 cells on each side, found 1073741825 x 1");
    assert_eq!(infinite(""), "expected at least one chunk of tiles in an infinite map, found none");
    let wide = "<chunk x=\"2147483647\" y=\"0\" width=\"4294967295\" height=\"4294967295\">1</chunk>";
    assert_eq!(infinite(wide), "expected chunks in columns and rows of 32 bits, found others");
    let deep = small("", &"<group>".repeat(100_000));
    assert!(fault(&deep).contains("expected sound XML"), "what is not closed is not sound");
    let closed = small("", &("<group>".repeat(100_000) + &"</group>".repeat(100_000)));
    assert_eq!(fault(&closed), "7: expected at most 64 groups in each other, found more");
    let objects = "[".repeat(100_000);
    assert!(fault(&format!("{{ \"layers\": {objects}")).contains("expected a map of Tiled in JSON"));
}

#[test]
fn the_painted_world_that_ships_has_all_that_maps_can_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../portolan-sim/worlds/painted.tmx");
    let painted = read_painted(&path, Rules::default(), &Levels::First).unwrap_or_else(|fault| panic!("{fault}"));
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(world_size("painted.tmx", &bytes), Some((painted.world.width(), painted.world.height())));
    let [start, goal] = [painted.places[0].at, painted.places[1].at];
    assert!(painted.world.connected(start, goal), "over the bridge");
    assert_eq!((painted.links.len(), painted.world.uniform_weight()), (1, None));
    let used = kinds(&painted.world);
    assert!(["forest", "road", "swamp"].iter().all(|name| used.contains(&painted.kinds.kind(name).unwrap())));
    assert!(read_world_bytes("painted.tmx", &bytes, Rules::default()).is_ok(), "it names no other file");
}

#[test]
fn maps_of_editors_are_not_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for name in ["a.tmx", "a.tmj", "a.ldtk"] {
        let path = folder.join(name);
        let refused = write_world(&path, &painted("river.tmx").world).err().unwrap().to_string();
        assert!(
            refused
                .ends_with(&format!("{name}: maps of Tiled and LDtk are read, not written; a .png keeps all weights"))
        );
        assert!(!path.exists());
    }
}
